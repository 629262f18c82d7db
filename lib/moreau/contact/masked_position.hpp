// The end of a step in position (position.hpp), for any number of contacts, without a branch: the same operations in
// the same order, with masks where that one decides. The system of the pushed contacts is solved as often as it could
// ever be necessary, once per contact.
#pragma once

#include "moreau/contact/masked_laws.hpp"
#include "moreau/contact/position.hpp"

namespace moreau {

namespace detail {

template <class Model>
class MaskedPushOut {
  using Real = typename Traits<Model>::Real;
  using Q = Vector<Real, Traits<Model>::dof>;
  static constexpr int n = Traits<Model>::contacts;

 public:
  template <class P>
  void operator()(const Model& model, const Evaluation<Model>& at, const Assembly<Model>& assembly, const Mask* closed,
                  const P& percussions, Q& q) {
    for_each_index<n>([&](auto i) {
      const Real sunk = -at.gap(i) - model.depth(i);
      sunk_.coeffRef(i) = sunk;
      pushed_[int(i)] = closed[int(i)] & positive(percussions.coeff(assembly.problem.row(i))) & positive(sunk);
      const Q w = at.directions(i).w_N;
      Z_[std::size_t(i)] = assembly.mass.free(w);
      if constexpr (Traits<Model>::bilaterals > 0)
        assembly.mass.add(Z_[std::size_t(i)], assembly.mass.hold(Z_[std::size_t(i)], false));
      for (int j = 0; j <= i; ++j) G_.coeffRef(i, j) = G_.coeffRef(j, i) = dot(w, Z_[std::size_t(j)]);
    });
    for (int round = 0; round < n; ++round) {
      solve();
      push_what_sinks();
    }
    for (int i = 0; i < n; ++i) {
      Q moved = q;
      add_scaled(moved, masked_larger(Real(0), z_.coeff(i)), Z_[std::size_t(i)]);
      q = moreau::choose(pushed_[i], moved, q);
    }
  }

 private:
  void solve() {
    Matrix<Real, n, n> A;
    Vector<Real, n> b;
    int count = 0;
    for (int i = 0; i < n; ++i) {
      count -= pushed_[i] >> 31;
      b.coeffRef(i) = moreau::only_if(pushed_[i], sunk_.coeff(i));
      for (int j = 0; j <= i; ++j)
        A.coeffRef(i, j) = moreau::choose(pushed_[i] & pushed_[j], G_.coeff(i, j), Real(i == j ? 1 : 0));
    }
    Cholesky<Real, n> factored;
    const Mask independent = -Mask(factored.factor(A));
    const Vector<Real, n> together = factored.solve(b);
    for (int i = 0; i < n; ++i)
      z_.coeffRef(i) = moreau::choose(independent, together.coeff(i), b.coeff(i) / (Real(count) * A.coeff(i, i)));
  }

  void push_what_sinks() {
    for (int i = 0; i < n; ++i) {
      Real after = sunk_.coeff(i);
      for (int j = 0; j < n; ++j) after -= moreau::only_if(pushed_[j], G_.coeff(i, j) * z_.coeff(j));
      pushed_[i] |= positive(after) & less(sunk_.coeff(i), after);
    }
  }

  Vector<Real, n> sunk_, z_;
  Matrix<Real, n, n> G_;
  std::array<Q, std::size_t(n)> Z_;
  Mask pushed_[std::size_t(n)];
};

}  // namespace detail

template <class Model, class P>
void masked_put_back(const Model& model, typename Traits<Model>::Real t, const Assembly<Model>& assembly,
                     const Mask* closed, const P& percussions,
                     Vector<typename Traits<Model>::Real, Traits<Model>::dof>& q) {
  constexpr bool joints = Traits<Model>::bilaterals > 0;
  constexpr bool pushes = Traits<Model>::contacts > 0 && Contract<Model>::has_depth;
  constexpr int rounds = joints ? Traits<Model>::projections : (pushes ? 1 : 0);
  for (int round = 0; round < rounds; ++round) {
    const Evaluation<Model> at(model, q, t);
    if constexpr (pushes)
      if (round == 0) detail::MaskedPushOut<Model>{}(model, at, assembly, closed, percussions, q);
    if constexpr (joints) assembly.mass.project(q, at);
  }
}

}  // namespace moreau
