// Fallbacks of constant-time steps: mechanisms at rest, jammed and in motion, and the number of their steps that were
// fallbacks, inexact or without a solution. Each runs by the rule of the papers and with second_order.
// (count/at_rest.cpp counts the cost of such steps.)
//
//   benchmarks.at_rest [steps] [--name NAME] [--data FILE]
//
//   steps    of each row (default 100000)
//   --name   only rows whose name begins with NAME
//   --data   writes FILE, a CSV table
//
//   order    1: rule of the papers, 2: second_order
//   covered  fallbacks of steps that Stepper::constant_covers includes: the program fails if there is one
//   residual the largest one, m/s
//   closed   percentage of steps with 0, 1, 2 and more closed contacts
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <moreau/moreau.hpp>

#include "models/beam.hpp"
#include "models/cam.hpp"
#include "models/pendulum_stop.hpp"
#include "models/rolling_pin.hpp"
#include "models/shaken_table.hpp"
#include "models/slider_crank.hpp"
#include "support/bits_hash.hpp"
#include "support/second_order.hpp"

namespace {

struct Row {
  long steps = 0, fallbacks = 0, covered = 0, inexact = 0, no_solution = 0, refused = 0, closed[4] = {};
  double residual = 0;
};

long steps_of_a_row = 100000, broken = 0;
int order = 1;
const char* wanted = "";
std::FILE* data = nullptr;
char date[16];

void print(const char* name, const char* scalar, const Row& r) {
  const auto share = [&r](int closed) { return 100.0 * double(r.closed[closed]) / double(r.steps); };
  std::printf("%-28s %-6s %5d %10ld %10ld %8ld %9ld %11ld %8ld  %8.1e  %6.2f %6.2f %6.2f %6.2f\n", name, scalar, order,
              r.steps, r.fallbacks, r.covered, r.inexact, r.no_solution, r.refused, r.residual, share(0), share(1),
              share(2), share(3));
  std::fflush(stdout);
  if (data == nullptr) return;
  const char* const quote = std::strchr(name, ',') != nullptr ? "\"" : "";
  std::fprintf(data, "%s%s%s,%s,%d,%ld,%ld,%ld,%ld,%ld,%ld,%.1e,%.2f,%.2f,%.2f,%.2f,g++ %s -O2,%s\n", quote, name,
               quote, scalar, order, r.steps, r.fallbacks, r.covered, r.inexact, r.no_solution, r.refused, r.residual,
               share(0), share(1), share(2), share(3), __VERSION__, date);
}

// From one start on. `disturb(model, n)` sets the inputs of step n.
template <class Model, class Disturb>
void steps_of(const Model& model, const models::Start<typename Model::Real, Model::dof>& start, typename Model::Real dt,
              long steps, const Disturb& disturb, Row& row) {
  moreau::Stepper<Model, moreau::Exact, moreau::Timing::constant> stepper{model, models::state_at<Model>(start)};
  for (long n = 0; n < steps; ++n) {
    disturb(stepper.model, n);
    const auto report = stepper.step(dt);
    ++row.steps;
    row.fallbacks += report.fallbacks > 0;
    row.covered += report.fallbacks > 0 && report.active <= stepper.constant_covers.closed;
    row.inexact += report.status == moreau::Status::inexact;
    row.no_solution += report.status == moreau::Status::no_solution;
    row.refused += report.status > moreau::Status::no_solution;
    ++row.closed[report.active < 3 ? report.active : 3];
    if (!(double(report.residual) <= row.residual)) row.residual = double(report.residual);
  }
}

template <class Model, class Disturb>
void follow(const Model& model, const models::Start<typename Model::Real, Model::dof>& start, typename Model::Real dt,
            long steps, const Disturb& disturb, Row& row) {
  if (order == 2)
    steps_of(test::Second<Model>(model), start, dt, steps, disturb, row);
  else
    steps_of(model, start, dt, steps, disturb, row);
}

// Prints the row that `fill` has filled.
template <class Real, class Fill>
void row(const char* name, const Fill& fill) {
  if (std::strncmp(name, wanted, std::strlen(wanted)) != 0) return;
  Row filled;
  fill(filled);
  broken += filled.covered + filled.refused;
  print(name, sizeof(Real) == 4 ? "float" : "double", filled);
}

template <class Model>
void undisturbed(const char* name, const Model& model, const models::Start<typename Model::Real, Model::dof>& start,
                 typename Model::Real dt) {
  row<typename Model::Real>(name, [&](Row& r) {
    follow(
        model, start, dt, steps_of_a_row, [](Model&, long) {}, r);
  });
}

template <class Real>
void beams() {
  using Beam = models::Beam<Real>;
  const Beam beam;
  undisturbed("beam, held by friction", beam, beam.start(), Real(1e-4));
  const auto with = [](Real load, Real mu, Real push) {
    Beam b;
    b.load = load, b.mu = mu, b.push = push;
    return b;
  };
  undisturbed("beam, no load", with(0, Real(0.3), 0), beam.start(), Real(1e-4));
  undisturbed("beam, no load, pushed", with(0, Real(0.3), Real(0.01)), beam.start(), Real(1e-4));
  undisturbed("beam, mu 0", with(20, 0, 0), beam.start(), Real(1e-4));
  undisturbed("beam, mu 0, pushed", with(20, 0, 2), beam.start(), Real(1e-4));
  // Loads from none to 10 kN, pushes on both sides of what friction holds, frictions from 0 to 2: new ones every 50
  // steps, now and then with the load beside an end, so that the beam tips and falls back.
  row<Real>("beam, any load", [&](Row& r) {
    test::Random random(11);
    follow(
        beam, beam.start(), Real(1e-4), steps_of_a_row,
        [&random](Beam& b, long n) {
          if (n % 50 != 0) return;
          const int kind = int(random.between(Real(0), Real(6)));
          const Real size = kind == 0 ? Real(0) : (kind == 1 ? Real(1e-3) : (kind == 2 ? Real(1e4) : Real(20)));
          b.mu = n % 400 == 0 ? Real(0) : random.between(Real(0), kind == 3 ? Real(2) : Real(0.5));
          b.load = size * random.between(Real(0.5), Real(1));
          b.load_x = kind == 4 && n % 500 == 0 ? Real(0.35) : random.between(Real(-0.29), Real(0.29));
          b.push = b.mu * b.load * random.between(Real(-1.5), Real(1.5));
        },
        r);
  });
}

// 20 frictions times 20 dampings.
template <class Real>
void pendulums() {
  row<Real>("pendulum, 400 on the stop", [](Row& r) {
    const long steps = steps_of_a_row / 400 > 0 ? steps_of_a_row / 400 : 1;
    for (int i = 0; i < 400; ++i) {
      models::PendulumStop<Real> pendulum;
      pendulum.mu = Real(i % 20) * Real(2) / Real(19);
      pendulum.damping = Real(i / 20) * Real(0.05) / Real(19);
      auto start = pendulum.start();
      start.q(0) = pendulum.stop + Real(1e-4);  // rests after 80 steps
      follow(
          pendulum, start, Real(1e-4), steps, [](models::PendulumStop<Real>&, long) {}, r);
    }
  });
  const models::PendulumStop<Real> pendulum;
  undisturbed("pendulum, bounces to rest", pendulum, pendulum.start(), Real(1e-4));
}

template <class Real>
void cranks() {
  using Crank = models::SliderCrank<Real>;
  const Crank crank;
  // Starts anew every 0.1 s, before it has lost its speed: tilted, symmetric, every eps and mu.
  row<Real>("crank, moving", [](Row& r) {
    test::Random random(12);
    for (long n = 0; n < steps_of_a_row; n += 10000) {
      Crank c;
      c.eps_N = random.between(Real(0), Real(0.95));
      c.mu = n % 70000 == 0 ? Real(0) : random.between(Real(0), Real(0.3));
      auto start = n % 30000 == 0 ? c.start() : c.start_tilted();
      start.q(2) *= random.between(Real(-1), Real(1));
      const long left = steps_of_a_row - n;
      follow(
          c, start, Real(1e-5), left < 10000 ? left : 10000, [](Crank&, long) {}, r);
    }
  });
  undisturbed("crank, at rest on a face", crank, crank.start_at_rest(), Real(1e-5));
  // Friction between 0 and twice the value that holds it: it creeps, swings and sticks again.
  row<Real>("crank, at rest, mu changes", [&](Row& r) {
    test::Random random(13);
    follow(
        crank, crank.start_at_rest(), Real(1e-5), steps_of_a_row,
        [&random](Crank& c, long n) {
          if (n % 200 == 0) c.mu = n % 1000 == 0 ? Real(0) : random.between(Real(0), Real(0.02));
        },
        r);
  });
  undisturbed("crank, jammed", Crank::jammed(), Crank::jammed().start_at_rest(), Real(1e-5));
}

template <class Real>
void on_moving_surfaces() {
  for (const int omega : {20, 60, 200}) {
    models::Cam<Real> cam;
    cam.omega = Real(omega);
    char name[32];
    std::snprintf(name, sizeof name, "cam, %d rad/s", omega);
    undisturbed(name, cam, cam.start(), Real(5e-5));
  }
  models::ShakenTable<Real> table;
  undisturbed("table, 50 Hz", table, table.start(), Real(1e-4));
  table.offset = Real(1);
  undisturbed("table, 50 Hz, at 1 m", table, table.start(), Real(1e-4));
  const models::RollingPin<Real> pin;
  undisturbed("pin in its bearing", pin, pin.start(), Real(1e-4));
}

template <class Real>
void all() {
  beams<Real>();
  pendulums<Real>();
  cranks<Real>();
  on_moving_surfaces<Real>();
}

}  // namespace

int main(int argc, char** argv) {
  const char* path = nullptr;
  bool valid = true;
  for (int i = 1; i < argc; ++i) {
    if (std::strcmp(argv[i], "--name") == 0 && i + 1 < argc)
      wanted = argv[++i];
    else if (std::strcmp(argv[i], "--data") == 0 && i + 1 < argc)
      path = argv[++i];
    else
      valid = valid && (steps_of_a_row = std::atol(argv[i])) > 0;
  }
  if (!valid) {
    std::fprintf(stderr, "usage: benchmarks.at_rest [steps] [--name NAME] [--data FILE]\n");
    return 2;
  }
  if (path != nullptr && (data = std::fopen(path, "w")) == nullptr) {
    std::fprintf(stderr, "cannot write %s\n", path);
    return 2;
  }
  const std::time_t now = std::time(nullptr);
  std::strftime(date, sizeof date, "%Y-%m-%d", std::gmtime(&now));
  std::printf("%-28s %-6s %5s %10s %10s %8s %9s %11s %8s  %8s  closed %%: 0  1  2  more\n", "mechanism", "scalar",
              "order", "steps", "fallbacks", "covered", "inexact", "no_solution", "refused", "residual");
  if (data != nullptr)
    std::fprintf(data,
                 "mechanism,scalar,order,steps,fallbacks,covered,inexact,no_solution,refused,residual,closed_0_percent,"
                 "closed_1_percent,closed_2_percent,closed_more_percent,compiler,date\n");
  for (order = 1; order <= 2; ++order) {
    all<float>();
    all<double>();
  }
  return (data != nullptr && std::fclose(data) != 0) || broken > 0 ? 1 : 0;
}
