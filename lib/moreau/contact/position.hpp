// The end of a step, in position: ideal joints are put back on g = 0, and contacts that carried a percussion are put
// back from where they have sunk to, where the model wants that (depth).
//
//   joints     q <- q - Y S^-1 g                                     `projections` rounds
//   contacts   q <- q + Z_N z,   G_NN z = -g_N - depth               over those that have sunk deeper, in the first
//   round
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

// Places that need no push get an equation z = 0 of their own: the size of the system, and so the cost, is always the
// same. Where directions depend on each other (a slider tight between both faces), each takes its share.
template <class Model, class P>
void push_out(const Model& model, const Evaluation<Model>& at, const Assembly<Model>& assembly, const P& percussions,
              Vector<typename Traits<Model>::Real, Traits<Model>::dof>& q) {
  using Real = typename Traits<Model>::Real;
  constexpr int n = Traits<Model>::contacts;
  const auto& problem = assembly.problem;
  Vector<Real, n> sunk;
  int sinking = 0;
  for (int i = 0; i < n; ++i) {
    sunk.coeffRef(i) = Real(0);
    if (i >= problem.k || !(percussions.coeff(problem.row(i)) > Real(0))) continue;
    const int id = assembly.H.contact[std::size_t(i)];
    sunk.coeffRef(i) = larger(Real(0), -at.gap(id) - model.depth(id));
    if (sunk.coeff(i) > Real(0)) ++sinking;
  }
  if (sinking == 0) return;

  Matrix<Real, n, n> G = Matrix<Real, n, n>::Identity();
  for (int i = 0; i < n; ++i)
    for (int j = 0; j <= i; ++j)
      if (sunk.coeff(i) > Real(0) && sunk.coeff(j) > Real(0))
        G.coeffRef(i, j) = problem.G.coeff(problem.row(i), problem.row(j));
  Cholesky<Real, n> factored;
  const bool independent = factored.factor(G);
  const Vector<Real, n> z = independent ? factored.solve(sunk) : sunk;
  for (int i = 0; i < problem.k; ++i) {
    const Real share = independent ? z.coeff(i) : z.coeff(i) / (Real(sinking) * G.coeff(i, i));
    add_scaled(q, larger(Real(0), share), assembly.Z[std::size_t(problem.row(i))]);
  }
}

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
      if (round == 0) detail::push_out(model, at, assembly, percussions, q);
    if constexpr (joints) assembly.mass.project(q, at);
  }
}

}  // namespace moreau
