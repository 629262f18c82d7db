// Endurance run of a mechanism at 10 kHz: its steps are computed in blocks, saved in between and recorded in 24
// parts, which are compared. A later part must not exceed an early one in energy, penetration, cycles or steps with a
// status other than ok.
#pragma once
#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <ctime>
#include <fstream>
#include <iomanip>
#include <memory>
#include <moreau/model/bytes.hpp>
#include <moreau/moreau.hpp>
#include <string>
#include <vector>

#include "support/bits_hash.hpp"

namespace endurance {

constexpr double dt = 1e-4;                // s
constexpr std::int64_t a_day = 864000000;  // steps
constexpr std::int64_t steps_of_a_second = 10000, steps_of_an_hour = 3600 * steps_of_a_second;
constexpr int parts = 24;

// Record of one part.
struct Part {
  std::int64_t steps = 0, inexact = 0, refused = 0, fallbacks = 0, cycles = 0, samples = 0;
  double energy = 0, highest = 0;  // kinetic energy: sum over the samples, the largest, J
  double deepest = 0;              // m, largest position error of a closed contact: penetration or separation

  template <class Self, class F>
  static void each(Self& self, const F& f) {
    f(self.steps), f(self.inexact), f(self.refused), f(self.fallbacks), f(self.cycles), f(self.samples);
    f(self.energy), f(self.highest), f(self.deepest);
  }
  Part& operator+=(const Part& other) {
    steps += other.steps, inexact += other.inexact, refused += other.refused, fallbacks += other.fallbacks;
    cycles += other.cycles, samples += other.samples, energy += other.energy;
    highest = std::max(highest, other.highest), deepest = std::max(deepest, other.deepest);
    return *this;
  }
  double mean() const { return samples > 0 ? energy / double(samples) : 0; }
  double an_hour(double counts) const { return steps > 0 ? counts * double(steps_of_an_hour) / double(steps) : 0; }
};

// Driven: power input and losses balance, so the motion persists. Free: energy may only decrease.
enum class Kind { driven, free };

struct Ledger {
  std::string name, scalar, kept;  // kept: its drive, in words
  Kind kind = Kind::driven;
  std::int64_t most = a_day, done = 0;
  double depth = 0;    // m, penetration left by position correction: allowed in any part
  double seconds = 0;  // of a CPU
  std::array<Part, parts> part{};

  std::int64_t part_length() const { return std::max<std::int64_t>(most / parts, 1); }
  int present() const { return int(std::min<std::int64_t>(done / part_length(), parts - 1)); }
  int whole() const { return done >= most ? parts : int(done / part_length()); }
  bool ended() const { return done >= most; }
  Part sum(int from, int to) const {
    Part all;
    for (int i = from; i < to; ++i) all += part[std::size_t(i)];
    return all;
  }
  // The first part is the start; of the others the first third and the last.
  int third() const { return (whole() - 1) / 3; }
  Part early() const { return sum(1, 1 + third()); }
  Part late() const { return sum(whole() - third(), whole()); }
};

// Between the thirds of a day, chaotic motions differ by 0.3 % in their means and 10 % in their largest penetration,
// over the mechanisms of endurance.cpp.
constexpr double same_mean = 0.01, same_extreme = 1.25;
// Counts of rare steps differ by a multiple of their square root.
constexpr double spread = 6;

// Returns the first departure from the early parts, or an empty text without a departure or with too little data. A
// non-finite value counts as a departure.
inline std::string departs(const Ledger& l) {
  if (l.sum(0, parts).refused > 0) return "a step was refused";
  if (l.third() < 1) return "";
  const Part a = l.early(), b = l.late();
  const auto more = [](double x, double y) { return y > x + spread * std::sqrt(x) + 2; };
  if (more(double(a.inexact), double(b.inexact))) return "more steps are inexact";
  if (more(double(a.fallbacks), double(b.fallbacks))) return "more fallbacks";
  if (!(b.deepest <= std::max(a.deepest, l.depth) * same_extreme)) return "contacts leave their places";
  if (!(b.mean() <= a.mean() * (1 + same_mean))) return "energy grows";
  if (!(b.highest <= a.highest * same_extreme)) return "energy has peaks";
  if (l.kind == Kind::free) return "";
  if (b.mean() < a.mean() * (1 - same_mean)) return "energy is lost";
  const double cycles = double(a.cycles) * double(b.steps) / double(a.steps);
  if (std::fabs(double(b.cycles) - cycles) > same_mean * cycles + 1) return "cycles come at another rate";
  return "";
}

class Run : public Ledger {
 public:
  virtual ~Run() = default;

  // Computes the next block; it ends at the end of a part at the latest.
  void block(std::int64_t most_steps) {
    const int now = present();
    const std::int64_t end = now == parts - 1 ? most : (now + 1) * part_length();
    const std::int64_t steps = std::min(most_steps, end - done);
    const std::clock_t begin = std::clock();
    run(steps, part[std::size_t(now)]);
    done += steps;
    seconds += double(std::clock() - begin) / CLOCKS_PER_SEC;
  }

  std::string file_in(const std::string& folder) const {
    std::string file = folder + "/" + name + "." + scalar + ".run";
    std::replace(file.begin() + std::ptrdiff_t(folder.size()), file.end(), ' ', '-');
    return file;
  }

  // Whenever the run is interrupted, either the old or the new file is complete.
  bool save(const std::string& folder) const {
    const std::string file = file_in(folder), fresh = file + ".new";
    std::ofstream out(fresh);
    out << "LIFE 2 " << first_steps() << ' ' << most << ' ' << done << ' ' << std::hexfloat << seconds << '\n';
    for (const Part& one : part) {
      Part::each(one, [&out](const auto& x) { out << ' ' << x; });
      out << '\n';
    }
    for (const std::uint8_t byte : state_bytes()) out << ' ' << int(byte);
    out << '\n';
    out.close();
    return out && std::rename(fresh.c_str(), file.c_str()) == 0;
  }

  // Reads the saved state; false if the file is damaged or belongs to a run of another length. A state computed with
  // other bits is discarded, and the run starts anew.
  bool load(const std::string& folder) {
    std::ifstream in(file_in(folder));
    if (!in) return true;  // not started yet
    std::string word;
    int version = 0;
    std::uint64_t bits = 0;
    std::int64_t of_most = 0, of_done = 0;
    in >> word >> version >> bits >> of_most >> of_done >> word_as(seconds);
    if (!in || version != 2 || of_most != most) return false;
    if (bits != first_steps()) return true;
    done = of_done;
    for (Part& one : part) Part::each(one, [&in](auto& x) { in >> word_as(x); });
    std::vector<std::uint8_t> bytes;
    for (int byte = 0; in >> byte;) bytes.push_back(std::uint8_t(byte));
    return in.eof() && restore(bytes);
  }

 protected:
  virtual void run(std::int64_t steps, Part& into) = 0;
  virtual std::vector<std::uint8_t> state_bytes() const = 0;
  virtual bool restore(const std::vector<std::uint8_t>& bytes) = 0;
  virtual std::uint64_t first_steps() const = 0;  // a hash of their results with this library and compiler

 private:
  // A stream does not read back the hexadecimal numbers that it writes.
  struct Word {
    double* number = nullptr;
    std::int64_t* count = nullptr;
    friend std::istream& operator>>(std::istream& in, const Word& word) {
      std::string text;
      in >> text;
      if (word.number != nullptr) *word.number = std::strtod(text.c_str(), nullptr);
      if (word.count != nullptr) *word.count = std::strtoll(text.c_str(), nullptr, 10);
      return in;
    }
  };
  static Word word_as(double& x) { return {&x, nullptr}; }
  static Word word_as(std::int64_t& x) { return {nullptr, &x}; }
};

// Endurance run of one model. in_cycle(state) becomes true once a cycle. tend(stepper), called before every step, is
// the controller, or resets the position of a mechanism. It depends on the state only, so that a run continues from a
// saved state.
template <class Stepper, class InCycle, class Tend>
class RunOf : public Run {
 public:
  using Model = typename Stepper::Model;
  RunOf(const Model& model, const moreau::State<Model>& start, const InCycle& in_cycle, const Tend& tend)
      : stepper_(model, start), fresh_(stepper_), in_cycle_(in_cycle), tend_(tend) {
    scalar = sizeof(Real) == 8 ? "double" : "float";
    if constexpr (moreau::detail::Contract<Model>::has_allowed_penetration)
      depth = double(model.allowed_penetration(0));
  }

 private:
  using Real = typename Model::Real;
  static constexpr int sampled = 61;  // steps; a prime, so that no motion is sampled in one phase only

  void run(std::int64_t steps, Part& into) override {
    bool before = in_cycle_(stepper_.state);
    for (std::int64_t n = 0; n < steps; ++n) {
      tend_(stepper_);
      const auto report = stepper_.step(Real(dt));
      ++into.steps;
      into.inexact += report.status == moreau::Status::inexact;
      into.refused += !report.advanced();
      into.fallbacks += report.fallbacks;
      const bool now = in_cycle_(stepper_.state);
      into.cycles += now && !before;
      before = now;
      if constexpr (Model::contacts > 0)
        if (report.active > 0) look_at_overlap(into);
      if ((done + n) % sampled == 0) look_at_energy(into);
    }
  }
  void look_at_overlap(Part& into) const {
    for (int i = 0; i < Model::contacts; ++i) into.deepest = std::max(into.deepest, -double(stepper_.contact(i).gap_M));
  }
  void look_at_energy(Part& into) const {
    const auto& s = stepper_.state;
    const Real t = moreau::detail::reduced(stepper_.model, s.clock);
    const auto M = moreau::detail::Evaluation<Model>(stepper_.model, s.q, t).mass();
    double energy = 0;
    for (int i = 0; i < Model::dof; ++i)
      for (int j = 0; j < Model::dof; ++j) energy += double(s.u[i]) * double(M(i, j)) * double(s.u[j]) / 2;
    into.energy += energy, ++into.samples;
    into.highest = std::max(into.highest, energy);
  }
  std::vector<std::uint8_t> state_bytes() const override {
    std::vector<std::uint8_t> bytes(moreau::State<Model>::bytes);
    stepper_.state.save(bytes.data());
    return bytes;
  }
  bool restore(const std::vector<std::uint8_t>& bytes) override {
    return stepper_.state.restore(bytes.data(), bytes.size()) == moreau::Status::ok;
  }
  std::uint64_t first_steps() const override {
    auto stepper = fresh_;
    test::BitsHash hash;
    for (int n = 0; n < 20000; ++n) {
      tend_(stepper);
      hash.add(Real(int(stepper.step(Real(dt)).status)));
      for (int j = 0; j < Model::dof; ++j) hash.add(stepper.state.q[j]), hash.add(stepper.state.u[j]);
    }
    return hash.value();
  }

  Stepper stepper_;
  const Stepper fresh_;
  InCycle in_cycle_;
  Tend tend_;
};

}  // namespace endurance
