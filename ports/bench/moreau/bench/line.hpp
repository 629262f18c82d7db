// Lock-step protocol over a line that loses, doubles and damages frames: each step is performed exactly once, or the
// run ends.
//
//   host   sends step n and waits; repeats it on a timeout; drops replies to other steps
//   board  performs step n once; repeats its reply to a repeated request n; rejects all numbers except n and n + 1
//
// The bytes of a run do not depend on the line, only its duration does.
#pragma once

#include "moreau/bench/frames.hpp"

namespace moreau::bench {

// Board side. Work: void begin(const Frame& request, Frame& answer), void step(const Frame& request, Frame& answer).
template <class Work>
class Server {
 public:
  std::uint32_t repeated = 0, refused = 0;

  explicit Server(Work& work) : work_(work) {}

  // Returns the answer to a request.
  const Frame& answer(const Frame& request) {
    if (request.kind == FrameKind::counters) return told(request);
    const bool asked_again = begun_ && request.sequence == last_.sequence;
    if (asked_again && !steps_again()) {
      ++repeated;
      return last_;
    }
    const bool next = begun_ && (request.sequence == std::uint16_t(last_.sequence + 1) || asked_again);
    if (request.kind != FrameKind::begin && !(request.kind == FrameKind::step && next)) return no(request);
    Frame done;
    done.kind = FrameKind::done;
    done.sequence = request.sequence;
    if (request.kind == FrameKind::begin)
      work_.begin(request, done);
    else
      work_.step(request, done);
    begun_ = true;
    last_ = done;
    return last_;
  }

 private:
  // Deliberate fault for tests: a frame that arrives twice is stepped twice.
  static constexpr bool steps_again() {
#ifdef MOREAU_STEP_DOUBLED
    return true;
#else
    return false;
#endif
  }
  const Frame& no(const Frame& request) {
    ++refused;
    other_ = Frame{};
    other_.sequence = request.sequence;
    return other_;
  }
  const Frame& told(const Frame& request) {
    other_ = Frame{};
    other_.kind = FrameKind::done;
    other_.sequence = request.sequence;
    put_number(other_, static_cast<float>(repeated));
    put_number(other_, static_cast<float>(refused));
    return other_;
  }

  Work& work_;
  Frame last_, other_;
  bool begun_ = false;
};

// Host side. Port: void send(const std::uint8_t*, std::size_t); bool receive(Frame&), false after a timeout.
template <class Port>
class Client {
 public:
  std::uint32_t sent_again = 0, stale = 0, refusals = 0;

  explicit Client(Port& port) : port_(port) {}

  // Gets the answer to a request and assigns its sequence number. Returns false after `attempts` requests without an
  // answer.
  bool ask(Frame& request, Frame& answer, int attempts = 100) {
    request.sequence = ++sequence_;
    std::uint8_t bytes[most_bytes];
    const std::size_t n = encode(request, bytes);
    for (int i = 0; i < attempts; ++i) {
      sent_again += i > 0;
      port_.send(bytes, n);
      while (port_.receive(answer)) {
        if (answer.sequence == request.sequence && answer.kind == FrameKind::done) return true;
        if (answer.sequence == request.sequence)
          ++refusals;
        else
          ++stale;
      }
    }
    return false;
  }

 private:
  Port& port_;
  std::uint16_t sequence_ = 0;
};

}  // namespace moreau::bench
