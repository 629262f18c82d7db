// Random contact problems of differential.cpp, by family: directions of crowds.hpp, spatial contacts, perturbed
// problems of the table. Each also badly scaled, with small loads, with friction elements, or with a known solution:
// velocities computed from percussions.
#pragma once
#include <vector>

#include "crowds.hpp"
#include "hostile.hpp"
#include "table.hpp"

namespace problems {

struct Family {
  const char* name;
  int dim, kind;  // kind: of crowds.hpp, in the plane; in space: 0 any directions, 1 few coordinates, 2 nearly equal
  enum Change { plain, badly_scaled, hardly_loaded, harvested, planted } change;
  bool elements = false;  // the last laws are friction elements
};

constexpr Family families[] = {
    {"any directions", 2, crowds::any, Family::plain},
    {"few coordinates", 2, crowds::few_coordinates, Family::plain},
    {"one body", 2, crowds::one_body, Family::plain},
    {"several bodies", 2, crowds::bodies, Family::plain},
    {"slider corners", 2, crowds::slider_corners, Family::plain},
    {"opposed", 2, crowds::opposed, Family::plain},
    {"alike", 2, crowds::alike, Family::plain},
    {"nearly alike", 2, crowds::nearly_alike, Family::plain},
    {"boxes", 2, crowds::boxes, Family::plain},
    {"badly scaled", 2, -1, Family::badly_scaled},
    {"hardly loaded", 2, -1, Family::hardly_loaded},
    {"harvested", 2, -1, Family::harvested},
    {"planted", 2, -1, Family::planted},
    {"elements", 2, -1, Family::plain, true},
    {"elements, planted", 2, -1, Family::planted, true},
    {"space, any", 3, 0, Family::plain},
    {"space, few", 3, 1, Family::plain},
    {"space, alike", 3, 2, Family::plain},
    {"space, badly scaled", 3, 0, Family::badly_scaled},
    {"space, harvested", 3, -1, Family::harvested},
    {"space, planted", 3, -1, Family::planted},
    {"space, elements", 3, -1, Family::planted, true},
};
constexpr int family_count = int(std::size(families));

template <class Real>
class Draws {
 public:
  // This many consecutive problems differ in velocities and friction only: drawing directions takes most of the time.
  explicit Draws(std::uint64_t seed, int loads = 1) : random_(seed), crowd_(seed + 1), loads_(loads) {}

  // At most `k` laws (problems of the table keep their number).
  const PlainProblem& draw(const Family& family, int k) {
    if (family.change == Family::harvested) {
      harvest(family.dim);
    } else {
      const bool fresh = left_ == 0 || family_ != &family || k_ != k || family.change == Family::badly_scaled;
      if (fresh) left_ = loads_, family_ = &family, k_ = k;
      --left_;
      family.dim == 3 ? in_space(family, fresh) : in_the_plane(family, fresh);
    }
    if (family.change == Family::badly_scaled) scale_badly();
    if (family.change == Family::hardly_loaded) unload();
    round_to_scalar<Real>(problem_);
    planted_ = family.change == Family::planted;
    if (planted_) plant();
    return problem_;
  }
  // Percussions that solve the last problem up to the rounding of q; null if unknown.
  const Rows* known() const { return planted_ ? &known_ : nullptr; }

 private:
  using Plane = moreau::ContactProblem<double, capacity>;

  int below(int n) { return int(random_.bits() % std::uint64_t(n)); }
  double number() { return random_.between(-1.0, 1.0); }
  double power_of_ten(double low, double high) { return std::pow(10.0, random_.between(low, high)); }

  void in_the_plane(const Family& family, bool fresh) {
    if (fresh) {
      crowd_.draw(static_cast<crowds::Kind>(family.kind < 0 ? below(crowds::kinds) : family.kind), k_, drawn_);
      take(family, [this](int r, int s) { return drawn_.G(r, s); });
    } else {
      crowd_.load(drawn_);
    }
    load([this](int r) { return drawn_.c(r); });
    for (int i = 0; i < problem_.k; ++i) problem_.mu[std::size_t(i)] = Wide(drawn_.mu(i));
  }

  void in_space(const Family& family, bool fresh) {
    double u[most_rows];
    if (fresh) {
      const int kind = family.kind < 0 ? below(3) : family.kind;
      used_ = kind == 1 ? 1 + below(3 * k_) : 3 * k_;
      for (int r = 0; r < 3 * k_; ++r)
        for (int j = 0; j < used_; ++j)
          W_[r][j] = kind == 2 && r >= 3 && r % 3 > 0 && below(2) == 0 ? W_[r - 3][j] : number();
    }
    for (double& x : u) x = number();
    const auto times = [this](int r, const double* x) {
      double sum = 0;
      for (int j = 0; j < used_; ++j) sum += W_[r][j] * x[j];
      return sum;
    };
    if (fresh) take(family, [&](int r, int s) { return times(r, W_[s]); });
    load([&](int r) { return times(r, u); });
    for (int i = 0; i < problem_.k; ++i)
      problem_.mu[std::size_t(i)] = below(8) == 0 ? 0 : Wide(random_.between(0.0, 1.0));
  }

  // The last of k drawn contacts become friction elements: their tangents.
  int row_drawn(int r) const {
    const int of_contacts = problem_.element(0), tangents = problem_.dim - 1, beyond = r - of_contacts;
    return beyond < 0 ? r : of_contacts + beyond / tangents * problem_.dim + 1 + beyond % tangents;
  }
  template <class Entry>
  void take(const Family& family, const Entry& entry) {
    problem_.dim = family.dim;
    problem_.elements = family.elements ? 1 + below(std::min(k_, most_elements)) : 0;
    problem_.k = k_ - problem_.elements;
    for (int r = 0; r < problem_.rows(); ++r)
      for (int s = 0; s < problem_.rows(); ++s)
        problem_.G[std::size_t(r * problem_.rows() + s)] = Wide(entry(row_drawn(r), row_drawn(s)));
  }
  template <class Velocity>
  void load(const Velocity& c) {
    for (int r = 0; r < problem_.rows(); ++r) problem_.q[std::size_t(r)] = Wide(c(row_drawn(r)));
    for (int j = 0; j < problem_.elements; ++j) {
      const Wide s = problem_.entry(problem_.element(j), problem_.element(j));
      problem_.bound[std::size_t(j)] = below(12) == 0 || !(s > 0) ? 0 : Wide(power_of_ten(-2, 1)) / s;
    }
  }

  // Velocities that result from percussions of random contact modes, including contacts with small percussions.
  void plant() {
    const int dim = problem_.dim;
    Rows xi{};
    known_ = {};
    const auto scale = [&](int first, int end) {
      Wide s = Wide(std::numeric_limits<Real>::min());
      for (int r = first; r < end; ++r) s = larger(s, problem_.entry(r, r));
      return s;
    };
    const auto rub = [&](int first, Wide radius, bool slips) {
      const double turn = random_.between(0.0, 2 * moreau::pi<double>), size = random_.between(0.0, 1.0);
      for (int t = 0; t < dim - 1; ++t) {
        const double way = dim == 2 ? (turn < moreau::pi<double> ? 1 : -1) : (t == 0 ? std::cos(turn) : std::sin(turn));
        known_[std::size_t(first + t)] = radius * Wide(slips ? -way : way * size);
        if (slips) xi[std::size_t(first + t)] = Wide(way * size);
      }
    };
    for (int i = 0; i < problem_.k; ++i) {
      const int n = dim * i, mode = below(4);
      const Wide small = below(4) == 0 ? Wide(power_of_ten(-8, 0)) : 1, size = small * Wide(random_.between(0.0, 1.0));
      (mode == 0 ? xi : known_)[std::size_t(n)] = mode == 0 ? size : size / scale(n, n + dim);
      rub(n + 1, problem_.mu[std::size_t(i)] * known_[std::size_t(n)], mode < 3);
    }
    for (int j = 0; j < problem_.elements; ++j) rub(problem_.element(j), problem_.bound[std::size_t(j)], below(2) == 0);
    for (int r = 0; r < problem_.rows(); ++r) {
      Wide& q = problem_.q[std::size_t(r)] = xi[std::size_t(r)];
      for (int s = 0; s < problem_.rows(); ++s) q -= problem_.entry(r, s) * known_[std::size_t(s)];
      q = static_cast<Wide>(static_cast<Real>(q));
    }
  }

  // A problem of the table with its velocities and friction changed, slightly or strongly.
  void harvest(int dim) {
    static const std::vector<PlainProblem> table = [] {
      std::vector<PlainProblem> all;
      for (Reader reader; int(all.size()) < problem_count;) all.push_back(reader.read());
      return all;
    }();
    do problem_ = table[std::size_t(below(problem_count))];
    while (problem_.dim != dim);
    const double change = power_of_ten(-16, 1);
    for (Wide& x : problem_.q) x *= Wide(1 + change * number());
    for (Wide& x : problem_.mu) x *= Wide(1 + std::min(change, 1.0) * number());
  }

  // Random units of velocity and mass: for each contact (its cone stays the same), and for all.
  void scale_badly() {
    const int dim = problem_.dim, n = problem_.rows();
    std::array<Wide, std::size_t(capacity)> unit;
    for (Wide& x : unit) x = Wide(power_of_ten(-4, 4));
    const Wide of_c = Wide(power_of_ten(-8, 8)), of_G = Wide(power_of_ten(-8, 8));
    for (int r = 0; r < n; ++r) {
      problem_.q[std::size_t(r)] *= unit[std::size_t(r / dim)] * of_c;
      for (int s = 0; s < n; ++s)
        problem_.G[std::size_t(r * n + s)] *= unit[std::size_t(r / dim)] * unit[std::size_t(s / dim)] * of_G;
    }
  }

  // Contacts at rest, opening contacts, or contacts much slower than the others.
  void unload() {
    for (int i = 0; i < problem_.k; ++i) {
      Wide *const q = &problem_.q[std::size_t(i * problem_.dim)], small = Wide(power_of_ten(-12, 0));
      const int way = below(4);
      if (way == 0) q[0] = std::fabs(q[0]);
      if (way == 1) q[0] = 0;
      if (way == 2) q[0] *= small, q[1] *= small;
      if (below(3) == 0) q[1] = 0;
    }
  }

  test::Random random_;
  crowds::Crowd crowd_;
  Plane drawn_;
  double W_[most_rows][most_rows] = {};  // of contacts in space
  int used_ = 0;                         // used columns of W_
  const int loads_;
  int left_ = 0, k_ = 0;
  const Family* family_ = nullptr;
  PlainProblem problem_;
  Rows known_{};
  bool planted_ = false;
};

}  // namespace problems
