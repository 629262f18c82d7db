// Contact problems drawn for differential.cpp, by family: directions of a crowd, contacts in space, problems of the
// table that are changed a little, and all of them badly scaled or hardly loaded.
#pragma once
#include <vector>

#include "crowds.hpp"
#include "hostile.hpp"
#include "table.hpp"

namespace problems {

struct Family {
  const char* name;
  int dim, kind;  // kind: of a crowd, in the plane; in space: 0 any directions, 1 few coordinates, 2 alike
  enum Change { plain, badly_scaled, hardly_loaded, harvested } change;
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
    {"space, any", 3, 0, Family::plain},
    {"space, few", 3, 1, Family::plain},
    {"space, alike", 3, 2, Family::plain},
    {"space, badly scaled", 3, 0, Family::badly_scaled},
    {"space, harvested", 3, -1, Family::harvested},
};
constexpr int family_count = int(std::size(families));

template <class Real>
class Draws {
 public:
  explicit Draws(std::uint64_t seed) : random_(seed), crowd_(seed + 1) {}

  // At most `k` contacts (the table's are as many as they are).
  const PlainProblem& draw(const Family& family, int k) {
    if (family.change == Family::harvested)
      harvest(family.dim);
    else if (family.dim == 3)
      in_space(family.kind, k);
    else
      in_the_plane(static_cast<crowds::Kind>(family.kind < 0 ? below(crowds::kinds) : family.kind), k);
    if (family.change == Family::badly_scaled) scale_badly();
    if (family.change == Family::hardly_loaded) unload();
    round_to_scalar<Real>(problem_);
    return problem_;
  }

 private:
  using Plane = moreau::ContactProblem<double, capacity>;

  int below(int n) { return int(random_.bits() % std::uint64_t(n)); }
  double number() { return random_.between(-1.0, 1.0); }
  double power_of_ten(double low, double high) { return std::pow(10.0, random_.between(low, high)); }

  void in_the_plane(crowds::Kind kind, int k) {
    crowd_.draw(kind, k, drawn_);
    take(2, k, [this](int r, int s) { return drawn_.G(r, s); });
    for (int r = 0; r < problem_.rows(); ++r) problem_.q[std::size_t(r)] = Wide(drawn_.c(r));
    for (int i = 0; i < k; ++i) problem_.mu[std::size_t(i)] = Wide(drawn_.mu(i));
  }

  template <class Entry>
  void take(int dim, int k, const Entry& entry) {
    problem_ = PlainProblem{};
    problem_.dim = dim, problem_.k = k;
    for (int r = 0; r < problem_.rows(); ++r)
      for (int s = 0; s < problem_.rows(); ++s) problem_.G[std::size_t(r * problem_.rows() + s)] = Wide(entry(r, s));
  }

  void in_space(int kind, int k) {
    constexpr int most = 3 * capacity;
    double W[most][most] = {}, u[most];
    const int used = kind == 1 ? 1 + below(3 * k) : 3 * k;
    for (int r = 0; r < 3 * k; ++r)
      for (int j = 0; j < used; ++j)
        W[r][j] = kind == 2 && r >= 3 && r % 3 > 0 && below(2) == 0 ? W[r - 3][j] : number();
    for (double& x : u) x = number();
    take(3, k, [&](int r, int s) {
      double sum = 0;
      for (int j = 0; j < used; ++j) sum += W[r][j] * W[s][j];
      return sum;
    });
    for (int r = 0; r < 3 * k; ++r)
      for (int j = 0; j < used; ++j) problem_.q[std::size_t(r)] += Wide(W[r][j] * u[j]);
    for (int i = 0; i < k; ++i) problem_.mu[std::size_t(i)] = below(8) == 0 ? 0 : Wide(random_.between(0.0, 1.0));
  }

  // One of the table, its velocities and frictions changed: a little, or much.
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

  // One unit of velocity and of mass for each contact (a cone stays the cone it is), and one for all.
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

  // Contacts that are still, that open, or that hardly move beside the others.
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
  PlainProblem problem_;
};

}  // namespace problems
