// Records a run that a board streams over a serial line (moreau/bench/telemetry.hpp), for a report.
//
//   const int line = moreau::workstation::open_line("/dev/ttyUSB0", 115200);
//   moreau::workstation::MotionRecorder<Model> motion;
//   const auto seen = moreau::workstation::record_line(line, motion, {10, 1});   // 10 s, or until 1 s of silence
//   moreau::workstation::Report report{model, motion, "Crank on the bench"};
//   report.parameters.push_back({"samples", seen.words()});
//
// A line is any file descriptor: a terminal, a socket, a pipe. Memory use is bounded by the recorder. A step of the
// record is a sample. Needs CMake's targets moreau::workstation and moreau::bench, and ETL.
#pragma once
#include <fcntl.h>
#include <poll.h>
#include <termios.h>
#include <unistd.h>

#include <chrono>
#include <moreau/bench/telemetry.hpp>
#include <string>

#include "moreau/workstation/motion_recorder.hpp"

namespace moreau::workstation {

// Opens a line: 8N1, raw. Returns -1 if the device cannot be opened or does not support the rate (see errno).
inline int open_line(const std::string& device, int baud) {
  const std::pair<int, speed_t> rates[] = {{9600, B9600},     {19200, B19200},   {57600, B57600},
                                           {115200, B115200}, {230400, B230400}, {921600, B921600}};
  speed_t rate = B0;
  for (const auto& [number, code] : rates)
    if (number == baud) rate = code;
  if (rate == B0) return errno = EINVAL, -1;
  const int line = open(device.c_str(), O_RDWR | O_NOCTTY);
  if (line < 0) return -1;
  termios raw = {};
  if (tcgetattr(line, &raw) == 0) {  // a socket or a pipe has no rate
    cfmakeraw(&raw);
    cfsetispeed(&raw, rate), cfsetospeed(&raw, rate);
    raw.c_cflag |= CLOCAL | CREAD;
    if (tcsetattr(line, TCSANOW, &raw) != 0) return close(line), -1;
  }
  return line;
}

struct LineLimits {
  double seconds = 60, silence = 2;  // maximum duration, and maximum time without data
};

// Counts of received and dropped samples, and the reason for the end.
struct LineSummary {
  std::uint32_t samples = 0, lost = 0, damaged = 0, foreign = 0, stale = 0;
  const char* end = "";

  std::string words() const {
    const auto count = [](std::uint32_t n, const char* what) { return ", " + std::to_string(n) + ' ' + what; };
    return std::to_string(samples) + " received" + count(lost, "lost") + count(damaged, "frames damaged") +
           count(foreign, "of another kind") + count(stale, "repeated or late") + "; " + end;
  }
};

// Reads a line and calls take(sample, lost) for every sample, with the number of samples lost before it.
template <class Model, class Take>
LineSummary read_line(int line, const Take& take, const LineLimits& limits = {}) {
  using Clock = std::chrono::steady_clock;
  const auto seconds_from = [](Clock::time_point t) { return std::chrono::duration<double>(Clock::now() - t).count(); };
  bench::TelemetryReceiver<Model> receiver;
  LineSummary seen;
  const auto begin = Clock::now();
  while (*seen.end == 0) {
    const double left = limits.seconds - seconds_from(begin), patience = std::min(left, limits.silence);
    pollfd one = {line, POLLIN, 0};
    if (left <= 0 || poll(&one, 1, std::max(1, int(1000 * patience))) <= 0) {
      seen.end = left <= limits.silence ? "time limit" : "no more data";
      break;
    }
    std::uint8_t bytes[256];
    const auto n = read(line, bytes, sizeof bytes);
    if (n <= 0) seen.end = n == 0 ? "end of line" : "line error";
    Sample<Model> sample;
    for (long i = 0; i < n; ++i) {
      const std::uint32_t lost = receiver.lost;
      if (receiver.take(bytes[i], sample)) take(sample, receiver.lost - lost);
    }
  }
  seen.samples = receiver.samples, seen.lost = receiver.lost, seen.damaged = receiver.damaged();
  seen.foreign = receiver.foreign, seen.stale = receiver.stale;
  return seen;
}

template <class Model>
LineSummary record_line(int line, MotionRecorder<Model>& motion, const LineLimits& limits = {}) {
  return read_line<Model>(
      line, [&motion](const Sample<Model>& sample, std::uint32_t) { motion(sample); }, limits);
}

}  // namespace moreau::workstation
