// Common part of FMUs of all versions: modes, communication steps counted in integers, saved states.
//
//   instantiated -> initialization -> ready <-> failed          ready: may step; failed: the last step failed
//                                     ready, failed -> terminated
//
// A communication step consists of n steps of Bench::dt, all or none: if one is rejected, the state of the
// communication point is restored.
#pragma once

#include "moreau/bench/pool.hpp"
#include "moreau/bench/saved.hpp"

namespace moreau::bench {

constexpr int instances = 16, states_of_an_instance = 8;

enum Mode : unsigned { instantiated = 1, initialization = 2, ready = 4, failed = 8, terminated = 16, any_mode = 31 };

enum class Advance { done, inexact, no_solution, refused, not_a_multiple, wrong_point, beyond_stop };

template <class Bench>
class Slave {
 public:
  static constexpr double dt = Bench::dt;
  struct Saved {
    typename Plant<Bench>::Snapshot plant;
    Mode mode;
    double start, stop;
  };
  static constexpr std::size_t checked_size = saved_size<Bench> + 1 + 2 * 8;  // bytes before the checksum
  static constexpr std::size_t serialised_size = checked_size + detail::saved_tail;

  Plant<Bench> plant;
  Mode mode = instantiated;
  double start = 0, stop = std::numeric_limits<double>::infinity();  // s
  Pool<Saved, states_of_an_instance> states;

  void reset() {
    plant.reset();
    mode = instantiated;
    start = 0;
    stop = std::numeric_limits<double>::infinity();
  }

  bool set_times(double a_start, double a_stop) {
    if (!(a_start - a_start == 0) || !(a_stop >= a_start)) return false;
    start = a_start;
    stop = a_stop;
    return true;
  }

  // The start follows the parameters until the initialization ends.
  Answer set(int i, double value) {
    const Answer a = plant.set(i, value);
    if (a == Answer::ok && mode == initialization) (void)plant.restart(start);
    return a;
  }

  double time() const { return start + static_cast<double>(plant.steps_since_start()) * dt; }

  // Advances from t to t + h. Importers compute both, so both may carry rounding errors. h counts as n dt if it agrees
  // within 1e-6 dt plus the rounding of t, at most a quarter of a step. t must agree with the own time within half a
  // step. The count is exact.
  Advance advance(double t, double h) {
    const double count = h / dt;
    if (!(count > 0.5) || !(count < 1e15)) return Advance::not_a_multiple;
    const auto n = static_cast<std::int64_t>(count + 0.5);
    constexpr double rounding = 4 * std::numeric_limits<double>::epsilon();
    const double off = moreau::detail::absolute(count - static_cast<double>(n));
    const double allowed = 1e-6 * count + rounding * (moreau::detail::absolute(t) + h) / dt;
    if (!(off <= (allowed < 0.25 ? allowed : 0.25))) return Advance::not_a_multiple;
    if (!(moreau::detail::absolute(t - time()) <= dt / 2)) return Advance::wrong_point;
    if (time() + (static_cast<double>(n) - 0.5) * dt > stop) return Advance::beyond_stop;
    const Answer a = n == 1 ? plant.step() : plant.all_steps(n);
    if (a == Answer::ok) return Advance::done;
    if (a == Answer::inexact) return Advance::inexact;
    mode = failed;
    return a == Answer::no_solution ? Advance::no_solution : Advance::refused;
  }

  Saved saved() const { return {plant.snapshot(), mode, start, stop}; }
  void put(const Saved& s) {
    plant.put(s.plant);
    mode = s.mode;
    start = s.start;
    stop = s.stop;
  }

  // Writes exactly serialised_size bytes: plant (bench/saved.hpp) | mode (1 byte) | start, stop (as doubles) | CRC-32 of
  // the preceding bytes.
  static void serialise(const Saved& from, std::uint8_t* out) {
    save<Bench>(from.plant, out);
    moreau::detail::ByteWriter write{out + saved_size<Bench>};
    write.raw(static_cast<std::uint8_t>(from.mode));
    write(from.start);
    write(from.stop);
    write.raw(moreau::detail::crc32(out, checked_size));
  }
  // Reads a saved state. Bytes that are not a state of this bench change nothing.
  static Answer deserialise(Saved& into, const std::uint8_t* in, std::size_t size) {
    if (size != serialised_size) return Answer::wrong_size;
    moreau::detail::ByteReader read{in + saved_size<Bench>};
    const auto mode = read.raw<std::uint8_t>();
    double start = 0, stop = 0;
    read(start);
    read(stop);
    if (read.raw<std::uint32_t>() != moreau::detail::crc32(in, checked_size)) return Answer::wrong_bytes;
    const bool one_mode = mode != 0 && mode <= any_mode && (mode & (mode - 1)) == 0;
    if (!one_mode || !(start - start == 0) || !(stop >= start)) return Answer::wrong_bytes;
    const Answer a = restore<Bench>(into.plant, in, saved_size<Bench>);
    if (a != Answer::ok) return a;
    into.mode = static_cast<Mode>(mode);
    into.start = start;
    into.stop = stop;
    return Answer::ok;
  }
};

// True if this build contracts a * b + c; its last bits then differ from those of other clients. Remedy:
// -ffp-contract=off.
inline bool fuses() {
  volatile double a = 1 + 0x1p-30;
  const double x = a;
  return x * x - (1 + 0x1p-29) != 0;
}

}  // namespace moreau::bench
