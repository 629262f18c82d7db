// Common part of FMUs of all versions: modes, communication steps, saved states.
//
//   t_c   communication point, any time: the sum t + h of the last accepted step, computed as by the importer
//   n     number of steps since the start, an integer: the grid point next to t_c, |start + n dt - t_c| <= dt / 2
//
//   instantiated -> initialization -> ready <-> failed          ready: may step; failed: the last step failed
//                                     ready, failed -> terminated
//
// A communication step performs the steps of Bench::dt up to the grid point next to t + h, all or none: if one is
// rejected, the previous state is restored. The difference from the grid is never lost, because n follows from t + h.
#pragma once

#include <cfloat>

#include "moreau/bench/pool.hpp"
#include "moreau/bench/saved.hpp"

namespace moreau::bench {

constexpr int instances = 16, states_of_an_instance = 8;

enum Mode : unsigned { instantiated = 1, initialization = 2, ready = 4, failed = 8, terminated = 16, any_mode = 31 };

enum class Advance { done, inexact, no_solution, refused, wrong_size, wrong_point, beyond_stop };

template <class Bench>
class Slave {
 public:
  static constexpr double dt = Bench::dt;
  struct Saved {
    typename Plant<Bench>::Snapshot plant;
    Mode mode;
    double start, stop, reached;
  };
  static constexpr std::size_t checked_size = saved_size<Bench> + 1 + 3 * 8;  // bytes before the checksum
  static constexpr std::size_t serialised_size = checked_size + detail::saved_tail;

  Plant<Bench> plant;
  Mode mode = instantiated;
  double start = 0, stop = std::numeric_limits<double>::infinity();  // s
  double reached = 0;                                                // s, communication point
  Pool<Saved, states_of_an_instance> states;

  void reset() {
    plant.reset();
    mode = instantiated;
    start = reached = 0;
    stop = std::numeric_limits<double>::infinity();
  }

  bool set_times(double a_start, double a_stop) {
    if (!(a_start - a_start == 0) || !(a_stop >= a_start)) return false;
    start = reached = a_start;
    stop = a_stop;
    return true;
  }

  // The start follows the parameters until the initialization ends.
  Answer set(int i, double value) {
    const Answer a = plant.set(i, value);
    if (a == Answer::ok && mode == initialization) (void)plant.restart(start);
    return a;
  }

  // Time of the state: a grid point.
  double time() const { return start + static_cast<double>(plant.steps_since_start()) * dt; }

  // Advances from the communication point t to t + h. t must agree with the own communication point within half a
  // step. Returns `done` without a step if t + h is nearest to the present grid point.
  Advance advance(double t, double h) {
    constexpr double most = 1e15;  // steps; exact as a double
    if (!(h > 0) || !(h / dt < most)) return Advance::wrong_size;
    if (!(moreau::detail::absolute(t - reached) <= dt / 2)) return Advance::wrong_point;
    const double end = t + h;
    if (end > stop + dt / 2) return Advance::beyond_stop;
    const auto grid = static_cast<std::int64_t>((end - start) / dt + 0.5);
    const std::int64_t n = grid - plant.steps_since_start();
    const Answer a = n == 1 ? plant.step() : n > 1 ? plant.all_steps(n) : Answer::ok;
    if (!advanced(a)) {
      mode = failed;
      return a == Answer::no_solution ? Advance::no_solution : Advance::refused;
    }
    reached = end > reached ? end : reached;
    return a == Answer::ok ? Advance::done : Advance::inexact;
  }

  Saved saved() const { return {plant.snapshot(), mode, start, stop, reached}; }
  void put(const Saved& s) {
    plant.put(s.plant);
    mode = s.mode;
    start = s.start;
    stop = s.stop;
    reached = s.reached;
  }

  // Writes exactly serialised_size bytes: plant (bench/saved.hpp) | mode (1 byte) | start, stop, reached (as doubles) |
  // CRC-32 of the preceding bytes.
  static void serialise(const Saved& from, std::uint8_t* out) {
    save<Bench>(from.plant, out);
    moreau::detail::ByteWriter write{out + saved_size<Bench>};
    write.raw(static_cast<std::uint8_t>(from.mode));
    write(from.start);
    write(from.stop);
    write(from.reached);
    write.raw(moreau::detail::crc32(out, checked_size));
  }
  // Reads a saved state. Bytes that are not a state of this bench change nothing.
  static Answer deserialise(Saved& into, const std::uint8_t* in, std::size_t size) {
    if (size != serialised_size) return Answer::wrong_size;
    moreau::detail::ByteReader read{in + saved_size<Bench>};
    const auto mode = read.raw<std::uint8_t>();
    double start = 0, stop = 0, reached = 0;
    read(start);
    read(stop);
    read(reached);
    if (read.raw<std::uint32_t>() != moreau::detail::crc32(in, checked_size)) return Answer::wrong_bytes;
    const bool one_mode = mode != 0 && mode <= any_mode && (mode & (mode - 1)) == 0;
    if (!one_mode || !(start - start == 0) || !(stop >= start)) return Answer::wrong_bytes;
    auto plant = into.plant;
    const Answer a = restore<Bench>(plant, in, saved_size<Bench>);
    if (a != Answer::ok) return a;
    const double grid = start + static_cast<double>(plant.state.clock.n) * dt;
    if (!(moreau::detail::absolute(reached - grid) <= dt)) return Answer::wrong_bytes;
    into.plant = plant;
    into.mode = static_cast<Mode>(mode);
    into.start = start;
    into.stop = stop;
    into.reached = reached;
    return Answer::ok;
  }
};

// Returns why the last bits of this build differ from those of other clients, or null if they do not.
inline const char* different_bits() {
#if defined(FLT_EVAL_METHOD) && FLT_EVAL_METHOD != 0
  return "this build evaluates in extended precision (x87), so its last bits differ; use -msse2 -mfpmath=sse";
#else
  volatile double a = 1 + 0x1p-30;
  const double x = a;
  const bool fuses = x * x - (1 + 0x1p-29) != 0;
  return fuses ? "this build contracts multiply and add, so its last bits differ; use -ffp-contract=off" : nullptr;
#endif
}

}  // namespace moreau::bench
