// Error of steps of first and of second order (moreau/contact/impact_instants.hpp): mechanisms from random initial states
// at three step sizes, against adaptive runs. The page SECOND_ORDER.md contains the totals.
//
//   benchmarks.second_order [starts] [--only NAME] [--references FOLDER] [--data NAME]
//
//   starts         number of random initial states of each mechanism (default 200)
//   --only         measures the mechanisms whose name contains NAME; `references` for the third table
//   --references   stores the adaptive runs in FOLDER, and reads those of an earlier call
//   --data         writes the CSV tables NAME.csv, NAME_flights.csv and NAME_references.csv
//
// The error of a run is the largest deviation of a coordinate, relative to its scale, at equal intervals. A run ends
// before a disturbance of the initial positions by 1e-9 grows to 1e-6: beyond, no step size gives a small error.
//
//   median, geometric, q90   of the errors over the starts; the columns of the tables end in _first and _second
//   factor, factor_10        median and 10 % quantile of error(first order) / error(second order)
//   penetration              deepest at the end of a step, m
//   gain                     energy gained in the contacts over the energy converted, largest of the starts
//   not_ok                   steps with a status other than ok
//   short_flights            short flights over impacts of all runs of second order (moreau/record/flights.hpp)
//   goal                     lower limit of factor
//
// The second table lists the factor by the share of short flights of a run. The third table lists the median error at
// seven similar step sizes against independent reference solutions (papers/reference_cases.hpp), and its upper limit.
//
// The program fails if steps of second order have a larger error than those of first order in a reference case with a
// goal.
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <fstream>
#include <moreau/check/energy_summary.hpp>
#include <string>
#include <type_traits>
#include <vector>

#include "papers/reference_cases.hpp"
#include "second_order_mechanisms.hpp"

namespace second_order {
namespace {

constexpr double disturbance = 1e-9, limit = 1e-6;  // relative to the scales of the coordinates
constexpr double failed = 10;                       // error of a run with a step that does not advance
constexpr double smallest_error = 1e-14;            // rounding: no factor is divided by less

constexpr double step_sizes[] = {1e-3, 1e-4, 1e-5};  // s

int starts = 200, worse = 0;
const char* only = "";
std::string references, tables;  // folder; first part of the names of the tables
char measured[80];               // last cells of a row: compiler and date

// One run of second order: short flights over impacts, and the factor of its error.
struct Flight {
  double dt, share, factor;
};
std::vector<Flight> all_flights;

// A table of the data files. Without --data it writes nothing.
class Table {
 public:
  Table(const char* suffix, const char* columns) {
    if (tables.empty()) return;
    file_ = std::fopen((tables + suffix + ".csv").c_str(), "w");
    if (file_ == nullptr) std::exit(73);
    std::fprintf(file_, "%s,compiler,date\n", columns);
  }
  ~Table() {
    if (file_ != nullptr && std::fclose(file_) != 0) std::exit(74);
  }
  template <class... Cells>
  void row(const char* format, Cells... cells) {
    if (file_ == nullptr) return;
    std::fprintf(file_, format, cells...);
    std::fprintf(file_, ",%s\n", measured);
  }

 private:
  std::FILE* file_ = nullptr;
};

template <class Model, class Parameters>
Model model_with(const Parameters& parameters) {
  Model model;
  static_cast<Parameters&>(model) = parameters;
  return model;
}

// Largest deviation of a coordinate in units of its scale. NaN counts as a failed run.
template <class M, class Q, class R>
double deviation(const Q& a, const R& b) {
  double largest = 0;
  for (std::size_t j = 0; j < M::scale.size(); ++j) {
    double off = a[int(j)] - b[int(j)];
    if constexpr (moreau::detail::Contract<typename M::First>::has_wrap)
      off = std::remainder(off, 2 * moreau::pi<double>);
    const double miss = std::abs(off) / M::scale[j];
    if (!(miss <= largest)) largest = miss < failed ? miss : failed;
  }
  return largest;
}

// Adaptive run from a start, up to the point at which a disturbance has grown to the limit.
template <class M>
struct Reference {
  using Q = moreau::Vector<double, M::First::dof>;
  typename M::Start start;
  std::vector<Q> q;  // at the points of comparison
};

template <class M>
std::vector<typename Reference<M>::Q> adaptive(const typename M::Start& start, double kick) {
  moreau::State<typename M::First> state;
  state.q = start.q, state.u = start.u;
  for (std::size_t j = 0; j < M::scale.size(); ++j) state.q[int(j)] += kick * M::scale[j];
  moreau::Stepper<typename M::First> stepper{model_with<typename M::First>(start.parameters), state};
  moreau::AdaptiveOptions<double> options;
  options.dt_min = 1e-9;
  options.atol = options.rtol = 1e-11;
  options.base_steps_max = 1500000;  // per point
  moreau::Adaptive run{stepper, options};
  std::vector<typename Reference<M>::Q> found;
  for (int k = 1; k <= M::points && run.advance_to(M::seconds * k / M::points).finished(); ++k)
    found.push_back(stepper.state.q);
  return found;
}

template <class M>
Reference<M> reference_of(const typename M::Start& start) {
  Reference<M> reference{start, adaptive<M>(start, 0)};
  const auto moved = adaptive<M>(start, disturbance);
  std::size_t equal = 0;
  while (equal < std::min(reference.q.size(), moved.size()) && deviation<M>(reference.q[equal], moved[equal]) < limit)
    ++equal;
  reference.q.resize(equal);
  return reference;
}

// Rows of the file of a mechanism: start, number of points, then the initial and the compared coordinates. A row of
// another initial state is not used.
template <class M>
bool stored(std::ifstream& file, int k, Reference<M>& reference) {
  int start = -1;
  std::size_t points = 0;
  if (!(file >> start >> points) || start != k) return false;
  bool same = true;
  typename Reference<M>::Q q;
  for (std::size_t p = 0; p <= points; ++p) {
    for (int j = 0; j < M::First::dof; ++j)
      if (!(file >> q(j))) return false;
    if (p == 0)
      same = q == reference.start.q;
    else
      reference.q.push_back(q);
  }
  return same;
}
template <class M>
void store(std::ofstream& file, int k, const Reference<M>& reference) {
  file.precision(17);
  file << k << ' ' << reference.q.size();
  for (int j = 0; j < M::First::dof; ++j) file << ' ' << reference.start.q(j);
  for (const auto& q : reference.q)
    for (int j = 0; j < M::First::dof; ++j) file << ' ' << q(j);
  file << '\n' << std::flush;
}

template <class M>
std::vector<Reference<M>> all_references() {
  const std::string path = references + "/" + M::name + ".txt";
  std::ifstream known;
  if (!references.empty()) known.open(path);
  std::ofstream added;
  if (!references.empty()) added.open(path, std::ios::app);
  std::vector<Reference<M>> found;
  bool read = known.is_open();
  for (int k = 0; k < starts; ++k) {
    Random random(unsigned(k) * 7919u);
    Reference<M> reference{M::draw(random), {}};
    read = read && stored(known, k, reference);
    if (!read) {
      reference = reference_of<M>(reference.start);
      if (added.is_open()) store(added, k, reference);
    }
    found.push_back(reference);
  }
  return found;
}

// Result of one rule at one dt, over all starts.
struct Result {
  std::vector<double> errors;
  std::vector<double> shares;  // of short flights
  double penetration = 0, gain = 0;
  long not_ok = 0;
  std::uint64_t impacts = 0, short_flights = 0;

  double quantile(double share) const {
    auto sorted = errors;
    std::sort(sorted.begin(), sorted.end());
    return sorted[std::size_t(share * double(sorted.size() - 1) + 0.5)];
  }
  double geometric() const {
    double sum = 0;
    for (const double e : errors) sum += std::log(e + smallest_error);
    return std::exp(sum / double(errors.size()));
  }
};

template <class M, class Model>
void follow(const Reference<M>& reference, double dt, Result& result) {
  moreau::State<Model> state;
  state.q = reference.start.q, state.u = reference.start.u;
  moreau::Stepper<Model> stepper{model_with<Model>(reference.start.parameters), state};
  moreau::EnergySummary<double> energy;
  moreau::detail::FlightCounter<Model> counter;
  moreau::detail::ImpactFlights<double> flights;
  const long steps = std::lround(M::seconds / M::points / dt);
  double error = 0;
  for (const auto& q : reference.q) {
    for (long n = 0; n < steps && error < failed; ++n) {
      const auto before = stepper.state;
      const auto report = stepper.step(dt);
      result.not_ok += report.status == moreau::Status::ok ? 0 : 1;
      if (!report.advanced()) error = failed;
      energy.add(moreau::audit_energy(stepper.model, before, stepper.state));
      counter.add(stepper.model, before, stepper.state, flights);
      const moreau::detail::Evaluation<Model> at(stepper.model, stepper.state.q, stepper.state.time());
      for (int i = 0; i < Model::contacts; ++i) result.penetration = std::max(result.penetration, -at.gap(i));
    }
    error = std::max(error, deviation<M>(stepper.state.q, q));
  }
  result.errors.push_back(error);
  result.shares.push_back(flights.share());
  result.impacts += flights.impacts, result.short_flights += flights.short_flights;
  const double converted = energy.dissipated + energy.exchanged;
  if (converted > 0) result.gain = std::max(result.gain, energy.gained / converted);
}

// Lower limit of the factor at dt = 1e-4 and 1e-5 s.
template <class M>
double goal(double dt) {
  const bool fine = dt < 5e-5;
  if (dt > 5e-4) return 0;
  if (std::strcmp(M::name, "slider-crank, slab") == 0) return fine ? 19 : 9;
  if (std::strcmp(M::name, "woodpecker") == 0) return fine ? 220 : 23;
  if (std::strncmp(M::name, "four-bar", 8) == 0) return fine ? 5 : 3;
  return 0;
}

template <class M>
void put(Table& table, double dt, double window, const Result& first, const Result& second) {
  Result factor;
  for (std::size_t i = 0; i < first.errors.size(); ++i) {
    factor.errors.push_back(first.errors[i] / (second.errors[i] + smallest_error));
    all_flights.push_back({dt, second.shares[i], factor.errors.back()});
  }
  const double median = factor.quantile(0.5), least = goal<M>(dt);
  const double share = second.impacts == 0 ? 0 : double(second.short_flights) / double(second.impacts);
  std::printf(
      "%-28s dt %.0e error %.1e -> %.1e factor %7.2f (10 %% %6.2f) q90 %.1e -> %.1e penetration %.1e -> %.1e gain "
      "%.1e -> %.1e not ok %ld, %ld short flights %.3f%s\n",
      M::name, dt, first.quantile(0.5), second.quantile(0.5), median, factor.quantile(0.1), first.quantile(0.9),
      second.quantile(0.9), first.penetration, second.penetration, first.gain, second.gain, first.not_ok, second.not_ok,
      share, median < least ? "  below the goal" : "");
  std::fflush(stdout);
  table.row("\"%s\",%zu,%g,%.3g,%g,%.2e,%.2e,%.2e,%.2e,%.2e,%.2e,%.3g,%.3g,%.1e,%.1e,%.1e,%.1e,%ld,%ld,%.2e,%g",
            M::name, first.errors.size(), M::seconds, window, dt, first.quantile(0.5), second.quantile(0.5),
            first.geometric(), second.geometric(), first.quantile(0.9), second.quantile(0.9), median,
            factor.quantile(0.1), first.penetration, second.penetration, first.gain, second.gain, first.not_ok,
            second.not_ok, share, least);
}

template <class M>
void measure(Table& table) {
  if (std::strstr(M::name, only) == nullptr) return;
  auto all = all_references<M>();
  all.erase(std::remove_if(all.begin(), all.end(), [](const auto& r) { return r.q.empty(); }), all.end());
  if (all.empty()) {
    std::printf("%s: no adaptive run finished\n", M::name);
    return;
  }
  double window = 0;
  for (const auto& reference : all) window += M::seconds / M::points * double(reference.q.size()) / double(all.size());
  std::printf("%s: %zu of %d starts, mean window %.3g of %g s\n", M::name, all.size(), starts, window, M::seconds);
  for (const double dt : step_sizes) {
    Result first, second;
    for (const auto& reference : all) {
      follow<M, typename M::First>(reference, dt, first);
      follow<M, typename M::Second>(reference, dt, second);
    }
    put<M>(table, dt, window, first, second);
  }
}

// Factors of all mechanisms by the share of short flights of a run.
void put_flights() {
  Table table("_flights", "dt,share_from,share_to,runs,factor,factor_10");
  const double bounds[] = {-1, 0.1, 0.2, moreau::detail::ImpactFlights<double>::limit, 0.6, 1};
  for (const double dt : step_sizes)
    for (int b = 0; b + 1 < int(std::size(bounds)); ++b) {
      Result within;
      for (const Flight& flight : all_flights)
        if (flight.dt == dt && flight.share > bounds[b] && flight.share <= bounds[b + 1])
          within.errors.push_back(flight.factor);
      if (within.errors.empty()) continue;
      const double from = b == 0 ? 0 : bounds[b];
      std::printf("dt %.0e share of short flights %.1f to %.1f: %5zu runs, factor %6.2f (10 %% %5.2f)\n", dt, from,
                  bounds[b + 1], within.errors.size(), within.quantile(0.5), within.quantile(0.1));
      table.row("%g,%g,%g,%zu,%.3g,%.3g", dt, from, bounds[b + 1], within.errors.size(), within.quantile(0.5),
                within.quantile(0.1));
    }
}

void put_references() {
  Table table("_references", "case,dt,first,second,least,largest,not_ok,goal");
  std::vector<papers::CaseErrors> first;
  papers::visit_reference_cases<test::First>([&](const auto&, const auto& errors) { first.push_back(errors); });
  std::size_t n = 0;
  papers::visit_reference_cases<Rule>([&](const papers::ReferenceCase& of, const papers::CaseErrors& errors) {
    const double before = first[n++].median();
    std::printf("%-40s dt %.0e error %.2e -> %.2e (%.1e to %.1e), not ok %ld%s\n", of.name, of.dt, before,
                errors.median(), errors.least(), errors.largest(), errors.not_ok,
                of.goal > 0 && errors.median() > of.goal ? "  above the goal" : "");
    table.row("\"%s\",%g,%.2e,%.2e,%.2e,%.2e,%ld,%g", of.name, of.dt, before, errors.median(), errors.least(),
              errors.largest(), errors.not_ok, of.goal);
    worse += of.goal > 0 && errors.median() > before ? 1 : 0;
  });
}

}  // namespace
}  // namespace second_order

int main(int count, char** words) {
  using namespace second_order;
  for (int i = 1; i < count; ++i) {
    const auto option = [&](const char* name) { return std::strcmp(words[i], name) == 0 && i + 1 < count; };
    if (option("--data"))
      tables = words[++i];
    else if (option("--only"))
      only = words[++i];
    else if (option("--references"))
      references = words[++i];
    else
      starts = std::atoi(words[i]);
  }
  if (starts < 1) return 64;
  const std::time_t now = std::time(nullptr);
  std::strftime(measured, sizeof measured, "g++ " __VERSION__ " -O2,%Y-%m-%d", std::localtime(&now));
  {
    Table table("",
                "mechanism,starts,seconds,window,dt,median_first,median_second,geometric_first,geometric_second,"
                "q90_first,q90_second,factor,factor_10,penetration_first,penetration_second,gain_first,gain_second,"
                "not_ok_first,not_ok_second,short_flights,goal");
    measure<SliderCrank<true>>(table);
    measure<SliderCrank<false>>(table);
    measure<InJoints<SliderCrankAssembled>>(table);
    measure<Woodpecker>(table);
    measure<ImpactOscillator>(table);
    measure<PrismaticJoint>(table);
    measure<Disks>(table);
    measure<FourBarDerived>(table);
    measure<InJoints<FourBarAssembled>>(table);
    measure<InJoints<Gear>>(table);
  }
  put_flights();
  if (std::strstr("references", only) != nullptr) put_references();
  return worse == 0 ? 0 : 1;
}
