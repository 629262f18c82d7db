// XCP service of an FMU on Linux, as FMI-LS-XCP 1.0.0 defines it: a TCP server on the loopback interface, with two
// parameters of its own, whose value references follow those of the bench.
//
//   XCP.TCP.Enable   Boolean                          fixed parameter, default false
//   XCP.TCP.Port     UInt16, in FMI 2.0 Integer       fixed parameter, default 5555
//
// The service runs from the begin of the initialization to the end of the run, in a thread of its own. It executes
// commands between calls of the importer. A communication step is one event; its time stamp is the communication point.
#pragma once
#include <moreau/workstation/xcp_server.hpp>

#include <chrono>
#include <mutex>
#include <thread>

namespace moreau::bench {

// Boolean, Port: types of the options in the version of FMI.
template <class Bench, class Boolean, class Port>
class XcpService {
 public:
  using Lock = std::unique_lock<std::mutex>;
  Lock lock() { return Lock(mutex_); }

  // Returns option k if it has the type Value, otherwise null.
  template <class Value>
  Value* option(unsigned k) {
    Value* found = nullptr;
    if constexpr (std::is_same_v<Value, Boolean>) found = k == 0 ? &enabled_ : nullptr;
    if constexpr (std::is_same_v<Value, Port>) found = k == 1 ? &port_ : found;
    return found;
  }

  // Starts the service if it is enabled. Returns false if the port is not available.
  bool start(Plant<Bench>& plant, const char* name) {
    if (!enabled_ || running_ != nullptr) return true;
    if (port_ < 0 || port_ > 65535) return false;
    running_ = new Running(plant, name, static_cast<std::uint16_t>(port_));
    if (!running_->server.why.empty()) return delete running_, running_ = nullptr, false;
    running_->thread = std::thread([this] {
      for (; !running_->ended; std::this_thread::sleep_for(std::chrono::milliseconds(1)))
        if (mutex_.try_lock()) {
          running_->server.poll(running_->xcp, running_->clock);
          mutex_.unlock();
        }
    });
    return true;
  }
  // Ends the thread; the caller does not hold the lock.
  void stop() {
    if (running_ == nullptr) return;
    running_->ended = true;
    running_->thread.join();
    delete running_;
    running_ = nullptr;
  }
  void sample(double time) {
    if (running_ == nullptr) return;
    running_->clock = static_cast<std::uint32_t>(static_cast<std::int64_t>(time * 1e6 + 0.5));  // us
    running_->xcp.sample(running_->clock,
                         [this](const std::uint8_t* packet, int n) { running_->server.send(packet, n); });
  }

 private:
  struct Running {
    workstation::XcpServer server;
    XcpSlave<Bench> xcp;
    std::thread thread;
    std::atomic<bool> ended{false};
    std::uint32_t clock = 0;

    Running(Plant<Bench>& plant, const char* name, std::uint16_t port) : server(port, false), xcp(plant, name) {}
  };

  std::mutex mutex_;
  Running* running_ = nullptr;
  Boolean enabled_ = false;
  Port port_ = 5555;
};

}  // namespace moreau::bench
