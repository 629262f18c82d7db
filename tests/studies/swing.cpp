// A study program with faults, for commands_test.py: its results depend on the environment and, with NOISE, on the run;
// some of its runs cannot start, others fail. A gate holds it in the middle of its work, for commands_test.py and
// slurm_test.sh.
#include <moreau/study/commands.hpp>

#include <unistd.h>

#include <atomic>
#include <chrono>
#include <cstdlib>
#include <fstream>
#include <string>
#include <thread>

#include "studies/swing.hpp"

namespace {

std::string from_environment(const char* name) {
  const char* text = std::getenv(name);
  return text ? text : "";
}

const std::thread::id main_thread = std::this_thread::get_id();

// Holds this process at run STUDY_GATE_AFTER + 1 of its blocks while the file STUDY_GATE exists; each thread that
// arrives makes the file STUDY_GATE.reached. On a cluster, the name of the node follows STUDY_GATE, so that a gate
// holds the tasks of one node. SIGTERM and SIGINT release the process as well. The results do not depend on the gate.
// The main thread only computes the first runs, for study.txt, and has no gate.
void pass_gate() {
  static const std::string node = from_environment("SLURMD_NODENAME"), path = from_environment("STUDY_GATE"),
                           gate = node.empty() ? path : path + '.' + node;
  static const long open_runs = std::atol(from_environment("STUDY_GATE_AFTER").c_str());
  static std::atomic<long> runs{0};
  if (path.empty() || std::this_thread::get_id() == main_thread || ++runs <= open_runs) return;
  while (::access(gate.c_str(), F_OK) == 0 && !moreau::study::Stop::asked()) {
    std::ofstream(gate + ".reached");
    std::this_thread::sleep_for(std::chrono::milliseconds(10));
  }
}

}  // namespace

int main(int count, char** words) {
  using namespace moreau::study;
  Study<Swing> study{"swing"};
  study.dt = 1e-3, study.steps = 100;
  study.sampling = latin(20);
  study.model.gravity = std::atof(from_environment("GRAVITY").c_str());
  study.start = [](const Swing&) {
    pass_gate();
    moreau::State<Swing> s{};
    s.q(0) = 0.5;
    return s;
  };
  study.parameter("c", "N/m", grid(1, 3, 3), &Swing::stiffness);
  study.parameter("m", "kg", uniform(0.5, 1), &Swing::mass_);
  study.parameter("floor", "m", grid({-10, 0.6}), &Swing::floor);  // 0.6 m is above the mass
  study.parameter("eps", "1", list({0.5, 2}), &Swing::eps);        // 2 is no valid restitution
  const double noise = std::atof(from_environment("NOISE").c_str());
  return commands(study, count, words, last("q", "m", [noise](const auto& s) {
                    return s.state.q(0) + (s.model.stiffness > 1 ? noise : 0);  // 0 in the first runs
                  }));
}
