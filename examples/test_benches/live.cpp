// Live view of a running slider-crank, on a page of this machine:
//
//   live loop [<seconds> [<port>]]              in real time on this machine, in periods of 1 ms with 100 steps
//   live line <device> [<seconds> [<port>]]     telemetry of a board on a serial line (box/live_board.cpp)
//   live board <elf> [<seconds> [<port>]]       the same board under QEMU
//
// At the end, the program prints the histograms of the loop or the counts of the line. A port of 0 serves no page.
#include <signal.h>
#include <sys/prctl.h>
#include <sys/wait.h>

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <moreau/bench/plant.hpp>
#include <moreau/live/view.hpp>
#include <moreau/workstation/real_time.hpp>
#include <moreau/workstation/record_line.hpp>

#include "../models/slider_crank.hpp"
#include "crank.hpp"

namespace {

template <class Model>
std::unique_ptr<moreau::live::View<Model>> view_of(const Model& model, const char* title, int every, int port) {
  if (port == 0) return nullptr;
  auto view =
      std::make_unique<moreau::live::View<Model>>(model, title, moreau::live::Options{port, every}, [](auto& report) {
        report.bodies = {"crank", "rod", "slider"};
        report.coordinates = {{"phi_1", "rad"}, {"phi_2", "rad"}, {"phi_3", "rad"}};
      });
  if (view->why.empty()) {
    std::printf("%s\n", view->address().c_str());
    std::fflush(stdout);
    return view;
  }
  std::fprintf(stderr, "live: %s\n", view->why.c_str());
  std::exit(1);
}

void print(const char* name, const moreau::workstation::TimeHistogram& times) {
  std::printf("%-8s median %4.0f us, 99 %% %4.0f us, 99.99 %% %4.0f us, longest %6.0f us\n", name,
              1e6 * times.quantile(0.5), 1e6 * times.quantile(0.99), 1e6 * times.quantile(0.9999),
              1e6 * times.longest());
}

int run_loop(double seconds, int port) {
  using Plant = bench::Plant<CrankBench>;
  constexpr double period = 1e-3;  // s
  constexpr int steps = int(period / CrankBench::dt + 0.5), every = 25;
  const auto plant = std::make_unique<Plant>();
  const auto view = view_of(plant->snapshot().model, "Slider-crank on this machine", every, port);
  const std::string why = moreau::workstation::request_real_time(80);
  const auto loop = std::make_unique<moreau::workstation::RealTimeLoop>(period);
  const int torque = Plant::Table::find("motor.torque");
  loop->run(std::int64_t(seconds / period + 0.5), [&](std::int64_t n) {
    (void)plant->set(torque, n / 500 % 2 == 0 ? 1.0 : -1.0);  // N m, the command of a controller
    bool advanced = true;
    for (int k = 0; k < steps && advanced; ++k) {
      advanced = bench::advanced(plant->step());
      if (view) (*view)(plant->state(), plant->report());
    }
    return advanced;
  });
  if (!why.empty()) std::printf("%s\n", why.c_str());
  std::printf("%ld periods, %ld overruns, %ld skipped; %u samples dropped\n", long(loop->periods), long(loop->overruns),
              long(loop->skipped), view ? view->dropped() : 0u);
  print("wake-up", loop->wake_up);
  print("work", loop->work);
  return 0;
}

int watch_line(int line, double seconds, int port) {
  using Crank = models::SliderCrank<float>;
  const auto view = view_of(Crank{}, "Slider-crank on a board", 1, port);
  const auto seen = moreau::workstation::read_line<Crank>(line,
                                                          [&](const moreau::Sample<Crank>& sample, std::uint32_t lost) {
                                                            if (view) (*view)(sample, lost);
                                                          },
                                                          {seconds, 10});
  std::printf("%s; %u samples dropped\n", seen.words().c_str(), view ? view->dropped() : 0u);
  return seen.samples > 0 ? 0 : 1;
}

// Board under QEMU; its serial line is a pipe.
struct Qemu {
  int line = -1;

  explicit Qemu(const char* elf) {
    int ends[2] = {-1, -1};
    if (pipe(ends) != 0 || (process_ = fork()) < 0) std::exit((std::perror("live"), 1));
    if (process_ == 0) {
      (void)prctl(PR_SET_PDEATHSIG, SIGKILL);  // ends with this program
      (void)dup2(ends[1], STDOUT_FILENO);
      (void)execlp("qemu-system-arm", "qemu-system-arm", "-M", "netduinoplus2", "-display", "none", "-monitor", "none",
                   "-no-reboot", "-serial", "stdio", "-kernel", elf, nullptr);
      std::exit((std::perror("qemu-system-arm"), 1));
    }
    (void)close(ends[1]);
    line = ends[0];
  }
  ~Qemu() {
    (void)kill(process_, SIGKILL);
    (void)waitpid(process_, nullptr, 0);
  }
  Qemu(const Qemu&) = delete;
  Qemu& operator=(const Qemu&) = delete;

 private:
  pid_t process_ = -1;
};

}  // namespace

int main(int count, char** words) {
  const auto number = [&](int i, double otherwise) { return count > i ? std::atof(words[i]) : otherwise; };
  if (count > 1 && std::strcmp(words[1], "loop") == 0) return run_loop(number(2, 3600), int(number(3, 8080)));
  if (count > 2 && std::strcmp(words[1], "line") == 0) {
    const int line = moreau::workstation::open_line(words[2], 921600);
    if (line >= 0) return watch_line(line, number(3, 3600), int(number(4, 8080)));
    return std::perror(words[2]), 1;
  }
  if (count > 2 && std::strcmp(words[1], "board") == 0) {
    const Qemu qemu(words[2]);
    return watch_line(qemu.line, number(3, 3600), int(number(4, 8080)));
  }
  return std::fprintf(stderr, "live loop | line <device> | board <elf> [<seconds> [<port>]]\n"), 2;
}
