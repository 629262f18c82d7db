// Service of an FMU besides its FMI calls, with options of its own: none. fmu_xcp.hpp has an XCP service.
#pragma once

namespace moreau::bench {

struct NoService {
  struct Lock {};
  Lock lock() { return {}; }
  template <class Value>
  Value* option(unsigned) {
    return nullptr;
  }
  template <class Plant>
  bool start(Plant&, const char*) {
    return true;
  }
  void stop() {}
  void sample(double) {}
};

}  // namespace moreau::bench
