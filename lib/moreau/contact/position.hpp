// The end of a step, in position: ideal joints are put back on g = 0, and contacts that carried a percussion are put
// back from where they have sunk to, where the model wants that (depth).
//
//   joints     q <- q - Y S^-1 g                                     `projections` rounds
//   contacts   q <- q + Z_N z,   G_NN z = -g_N - depth               over those that have sunk deeper, in the
//                                                                     first round
//
// A velocity that obeys a constraint at the midpoint moves along its tangent; on anything curved that ends beside it,
// by half the square of the angle turned. For a joint the next step cannot tell. For a contact it adds up: a pin that
// leans on its bearing sinks by play (dt omega)^2 / 2 in every step, and in seconds it would be through. `depth` is
// the overlap that stays, so that a resting contact stays closed in spite of rounding.
//
// Differences from the paper: Moreau's rule has no such correction, and without depth() there is none for contacts.
// It moves q, never u; what a contact is lifted against gravity is energy gained, of the order of what it had sunk.
#pragma once

#include "moreau/contact/assemble.hpp"

namespace moreau {

namespace detail {

// Which contacts are pushed: those that carried a percussion and have sunk, and those that the push itself would sink.
// (Putting back one corner of a light slider turns the slider and sinks the other corner as far. Left to itself that
// one is put back in the next step, and the first sinks: in float the two took turns until they stood out by 2 mm.)
template <class Model, class P>
class PushOut {
  using Real = typename Traits<Model>::Real;
  using Q = Vector<Real, Traits<Model>::dof>;
  static constexpr int n = Traits<Model>::contacts;

 public:
  void operator()(const Model& model, const Evaluation<Model>& at, const Assembly<Model>& assembly,
                  const P& percussions, Q& q) {
    const auto& problem = assembly.problem;
    for (int i = 0; i < n; ++i) sunk_.coeffRef(i) = -at.gap(i) - model.depth(i);
    for (int i = 0; i < problem.k; ++i) {
      const int id = assembly.H.contact[std::size_t(i)];
      if (percussions.coeff(problem.row(i)) > Real(0)) add_if(id, sunk_.coeff(id) > Real(0));
    }
    if (count_ == 0) return;
    for (int i = 0; i < n; ++i) {
      const Q w = at.directions(i).w_N;
      Z_[std::size_t(i)] = assembly.mass.free(w);
      if constexpr (Traits<Model>::bilaterals > 0)
        assembly.mass.add(Z_[std::size_t(i)], assembly.mass.hold(Z_[std::size_t(i)], false));
      for (int j = 0; j <= i; ++j) G_.coeffRef(i, j) = G_.coeffRef(j, i) = dot(w, Z_[std::size_t(j)]);
    }
    for (int round = 0; round < n; ++round) {
      solve();
      if (!sinks_another()) break;
    }
    for (int i = 0; i < n; ++i)
      if (pushed_[i]) add_scaled(q, larger(Real(0), z_.coeff(i)), Z_[std::size_t(i)]);
  }

 private:
  void add_if(int i, bool condition) {
    if (!condition || pushed_[i]) return;
    pushed_[i] = true;
    ++count_;
  }

  // G z = sunk over the pushed ones. Where directions depend on each other (a slider tight between both faces), each
  // takes its share. The others get an equation z = 0 of their own: the size of the system is always the same.
  void solve() {
    Matrix<Real, n, n> A = Matrix<Real, n, n>::Identity();
    Vector<Real, n> b = Vector<Real, n>::Zero();
    for (int i = 0; i < n; ++i) {
      if (!pushed_[i]) continue;
      b.coeffRef(i) = sunk_.coeff(i);
      for (int j = 0; j <= i; ++j)
        if (pushed_[j]) A.coeffRef(i, j) = G_.coeff(i, j);
    }
    Cholesky<Real, n> factored;
    const bool independent = factored.factor(A);
    for (int i = 0; i < n; ++i) z_.coeffRef(i) = b.coeff(i) / (Real(count_) * A.coeff(i, i));
    if (independent) z_ = factored.solve(b);
  }

  bool sinks_another() {
    const int before = count_;
    for (int i = 0; i < n; ++i) {
      Real after = sunk_.coeff(i);
      for (int j = 0; j < n; ++j) after -= pushed_[j] ? G_.coeff(i, j) * z_.coeff(j) : Real(0);
      add_if(i, after > Real(0) && after > sunk_.coeff(i));
    }
    return count_ > before;
  }

  Vector<Real, n> sunk_, z_;
  Matrix<Real, n, n> G_;
  std::array<Q, std::size_t(n)> Z_;
  bool pushed_[n] = {};
  int count_ = 0;
};

}  // namespace detail

template <class Model, class P>
void put_back(const Model& model, typename Traits<Model>::Real t, const Assembly<Model>& assembly, const P& percussions,
              Vector<typename Traits<Model>::Real, Traits<Model>::dof>& q) {
  constexpr bool joints = Traits<Model>::bilaterals > 0;
  constexpr bool pushes = Traits<Model>::contacts > 0 && Contract<Model>::has_depth;
  constexpr int rounds = joints ? Traits<Model>::projections : (pushes ? 1 : 0);
  for (int round = 0; round < rounds; ++round) {
    const Evaluation<Model> at(model, q, t);
    if constexpr (pushes)
      if (round == 0) detail::PushOut<Model, P>{}(model, at, assembly, percussions, q);
    if constexpr (joints) assembly.mass.project(q, at);
  }
}

}  // namespace moreau
