// XCP slave on a workstation: the slider-crank in real time, in periods of 1 ms, on TCP and UDP port 5555 of this
// machine. Usage: xcp_host [<port> [<seconds>]]
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <moreau/bench/xcp.hpp>
#include <moreau/workstation/xcp_server.hpp>
#include <thread>

#include "crank.hpp"

int main(int count, char** words) {
  using Plant = bench::Plant<CrankBench>;
  constexpr double period = 1e-3;  // s
  constexpr int steps = int(period / CrankBench::dt + 0.5);
  const long seconds = count > 2 ? std::atol(words[2]) : 3600;
  moreau::workstation::XcpServer server(static_cast<std::uint16_t>(count > 1 ? std::atoi(words[1]) : 5555));
  if (!server.why.empty()) return std::fprintf(stderr, "xcp_host: %s\n", server.why.c_str()), 1;
  std::printf("XCP on TCP and UDP, 127.0.0.1:%d\n", server.port());
  std::fflush(stdout);
  const auto plant = std::make_unique<Plant>();
  bench::XcpSlave<CrankBench> xcp(*plant, "crank");
  const auto send = [&](const std::uint8_t* packet, int n) { server.send(packet, n); };
  auto next = std::chrono::steady_clock::now();
  for (std::uint32_t n = 1; n <= 1000 * std::uint32_t(seconds); ++n) {
    std::int64_t done = 0;
    if (!bench::advanced(plant->steps(steps, done))) (void)plant->restart();
    xcp.sample(1000 * n, send);
    server.poll(xcp, 1000 * n);
    std::this_thread::sleep_until(next += std::chrono::milliseconds(1));
  }
}
