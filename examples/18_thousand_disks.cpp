// A thousand rough disks collide in a box (after SLG08, Fig. 2): block-sparse contact problem without dynamic
// allocation. The cost of a step for 10 to 1000 disks is proportional to the number of contacts.
#include <moreau/workstation/csv.hpp>
#include <moreau/workstation/page.hpp>

#include <chrono>
#include <cmath>
#include <memory>

#include "compare.hpp"
#include "models/disks/disks.hpp"
#include "models/disks/film.hpp"

namespace {

constexpr double radius = 0.01, dt = 2e-4;  // m, s
using Box = disks::Disks<double, 1000>;

// Disks on a loose lattice; the left half starts to the right and the right half to the left.
std::unique_ptr<Box> colliding_halves(int count) {
  auto box = std::make_unique<Box>();  // 10 MB: too large for the stack
  const int columns = int(std::ceil(std::sqrt(count)));
  std::uint32_t seed = 1;
  const auto random = [&seed] { return double((seed = seed * 1664525u + 1013904223u) >> 8) / 16777216.0; };
  box->width = columns * 2.4 * radius;
  box->count = count;
  box->solver = {1.4f, 1e-9f, 4000};  // the pile after the impact needs about 1000 sweeps per step
  for (int i = 0; i < count; ++i) {
    auto& disk = box->disk[disks::at(i)];
    disk.radius = radius * (0.8 + 0.2 * random());
    disk.m = 0.01 * (disk.radius / radius) * (disk.radius / radius);
    disk.q = {(i % columns + 0.5) * 2.4 * radius, (i / columns + 0.5) * 2.4 * radius, 0};
    disk.u = {(i % columns < columns / 2 ? 1.5 : -1.5) + 0.2 * random(), 0.2 * random() - 0.1, 0};
  }
  return box;
}

struct Summary {
  int rejected = 0, inexact = 0;  // a rejected step has no solution; the next step starts from its percussions
  double gain = 0, deepest = 0, contacts = 0, iterations = 0, seconds_per_step = 0;
};

bool on_the_left(const Box& box, int i) {
  const int columns = int(std::ceil(std::sqrt(box.count)));
  return i % columns < columns / 2;
}

Summary run(Box& box, int steps, disks::Film* film = nullptr) {
  Summary summary;
  double energy = box.energy(), seconds = 0;
  for (int n = 0; n < steps; ++n) {
    const auto begin = std::chrono::steady_clock::now();
    const auto report = box.step(dt);
    const double elapsed = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
    seconds += elapsed;
    if (film != nullptr) (*film)(box, report, dt, elapsed);
    summary.rejected += report.status == moreau::Status::no_solution ? 1 : 0;
    summary.inexact += report.status == moreau::Status::inexact ? 1 : 0;
    summary.gain = std::fmax(summary.gain, box.energy() - energy);
    energy = box.energy();
    summary.deepest = std::fmax(summary.deepest, report.deepest);
    summary.contacts += double(report.contacts) / steps;
    summary.iterations += double(report.iterations) / steps;
  }
  summary.seconds_per_step = seconds / steps;
  return summary;
}

// Writes one file for each half; the figure shows how they mix.
void write_positions(const Box& box, const std::string& left, const std::string& right) {
  moreau::workstation::Csv file[] = {{left, {"x [m]", "y [m]", "r [m]"}}, {right, {"x [m]", "y [m]", "r [m]"}}};
  for (int i = 0; i < box.count; ++i)
    file[on_the_left(box, i) ? 0 : 1].row(box.disk[disks::at(i)].q[0], box.disk[disks::at(i)].q[1],
                                          box.disk[disks::at(i)].radius);
}

// Prints and writes the cost of a step over the number of disks.
bool measure_costs(const std::string& path) {
  moreau::workstation::Csv file{path, {"disks", "contacts", "sweeps", "step [us]", "contact_and_sweep [ns]"}};
  std::printf("\n%8s %10s %10s %14s %26s\n", "disks", "contacts", "sweeps", "us per step", "ns per contact and sweep");
  for (const int n : {10, 30, 100, 300, 1000}) {
    const auto box = colliding_halves(n);
    box->solver = {1.0f, 0.0f, 100};  // 100 sweeps in every step, for comparable steps
    const Summary cost = run(*box, 400);
    const double us = 1e6 * cost.seconds_per_step, each = 1e3 * us / (cost.contacts * cost.iterations);
    file.row(n, cost.contacts, cost.iterations, us, each);
    std::printf("%8d %10.1f %10.1f %14.1f %26.1f\n", n, cost.contacts, cost.iterations, us, each);
  }
  return file.good();
}

}  // namespace

int main(int count, char** words) {
  const auto path = [&](const char* name) { return examples::output(count, words, name); };
  const auto box = colliding_halves(1000);
  const double energy = box->energy();
  write_positions(*box, path("disks_left_0.csv"), path("disks_right_0.csv"));
  disks::Film film(
      *box, 0.8, [&](int i) { return on_the_left(*box, i); }, 12);
  const Summary summary = run(*box, 1500, &film);
  write_positions(*box, path("disks_left_1.csv"), path("disks_right_1.csv"));
  std::printf("1000 disks, %g s: mean %.0f contacts and %.0f sweeps per step, %d steps inexact, %d rejected\n",
              1500 * dt, summary.contacts, summary.iterations, summary.inexact, summary.rejected);
  std::printf("energy %.4f J -> %.4f J, largest gain in a step %.2g J, largest penetration %.3f of a radius\n", energy,
              box->energy(), summary.gain, summary.deepest / radius);
  const bool measured = measure_costs(path("disks_cost.csv"));
  const auto written = moreau::workstation::write_page(path("pages/18_thousand_disks.html"), {film.finish()});
  return written.ok && measured && summary.rejected == 0 && summary.deepest < 0.1 * radius ? 0 : 1;
}
