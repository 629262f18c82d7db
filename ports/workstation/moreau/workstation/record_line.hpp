// A record of a run that a board sends over a serial line (moreau/bench/telemetry.hpp), for a page.
//
//   const int line = moreau::workstation::open_line("/dev/ttyUSB0", 115200);
//   moreau::workstation::MotionRecorder<Model> motion;
//   const auto seen = moreau::workstation::record_line(line, motion, {10, 1});   // 10 s, or until 1 s of silence
//   moreau::workstation::Report report{model, motion, "Crank on the bench"};
//   report.parameters.push_back({"samples", seen.words()});
//
// Any file descriptor is a line: a terminal, a socket, a pipe. Memory is that of the recorder, however long it lasts.
// A step of the record is a sample. Needs CMake's targets moreau::workstation and moreau::bench, and ETL.
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

// 8N1, as it is: no echo, no translation. -1: it cannot be opened, or has no such rate (errno says why).
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
  double seconds = 60, silence = 2;  // it ends after so long, or when so long nothing has come
};

// What came, and why it ended.
struct LineSummary {
  std::uint32_t samples = 0, lost = 0, damaged = 0, foreign = 0, stale = 0;
  const char* end = "";

  std::string words() const {
    const auto count = [](std::uint32_t n, const char* what) { return ", " + std::to_string(n) + ' ' + what; };
    return std::to_string(samples) + " received" + count(lost, "lost") + count(damaged, "frames damaged") +
           count(foreign, "of something else") + count(stale, "twice or late") + "; " + end;
  }
};

template <class Model>
LineSummary record_line(int line, MotionRecorder<Model>& motion, const LineLimits& limits = {}) {
  using Clock = std::chrono::steady_clock;
  const auto seconds_from = [](Clock::time_point t) { return std::chrono::duration<double>(Clock::now() - t).count(); };
  bench::TelemetryReceiver<Model> receiver;
  LineSummary seen;
  const auto begin = Clock::now();
  while (*seen.end == 0) {
    const double left = limits.seconds - seconds_from(begin), patience = std::min(left, limits.silence);
    pollfd one = {line, POLLIN, 0};
    if (left <= 0 || poll(&one, 1, std::max(1, int(1000 * patience))) <= 0) {
      seen.end = left <= limits.silence ? "time was up" : "the line fell silent";
      break;
    }
    std::uint8_t bytes[256];
    const auto n = read(line, bytes, sizeof bytes);
    if (n <= 0) seen.end = n == 0 ? "the line ended" : "the line failed";
    Sample<Model> sample;
    for (long i = 0; i < n; ++i)
      if (receiver.take(bytes[i], sample)) motion(sample);
  }
  seen.samples = receiver.samples, seen.lost = receiver.lost, seen.damaged = receiver.damaged();
  seen.foreign = receiver.foreign, seen.stale = receiver.stale;
  return seen;
}

}  // namespace moreau::workstation
