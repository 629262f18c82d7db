// Does a model contradict itself? For users' tests: derivatives against finite differences, masses, laws, symmetries.
//
//   w_N = (d g_N / d q)^T,  zeta_N = d g_N / d t          likewise w, zeta of ideal joints and their g;
//   bend = (dw/dt)^T u
//   M = M^T, positive definite; what a model declares of its structure (check/structure_checker.hpp)
//   h(q,u) + h(q,-u) - 2 h(q,0) = 2 (-Mdot u + 1/2 d(u^T M u)/dq)    where M depends on q: else energy comes from nowhere
//   0 <= eps <= 1, mu >= 0, depth >= 0;   everything finite; w_N not zero
//   no law that vanishes: eps_T with mu = 0, mu with w_T = 0
//   with wrap(q): the same gaps, mass and force at q and at wrap(q);  with period(): the same at t and at t + period
//   with symmetric_steps: what that declares (check/structure_checker.hpp)
//   with options.dt: dt omega < 2 and dt d/m < 2 of explicit forces (check/explicit_forces.hpp)
//
// What is odd in u (dampers, |u| u) does not matter to inertial forces; what is even and meant, as the thrust of a
// propeller, is said by options.inertial_forces = false. Where a gap is bent, as that of a pin in the middle of its
// bearing, there is no derivative: the report names it and w_N is not compared.
//
// w_T and the directions of friction elements have no potential to be compared with: only their values are looked at.
// Derivatives are central differences of fourth order; allowed is `tolerance` times the largest entry of the vector
// plus the rounding error of the differences. Check in double; a float model is the same template.
//
//   const auto report = moreau::check_model(model, q, u, t);
//   if (!report.ok()) report.worst() names member, contact and coordinate
#pragma once

#include <limits>

#include "moreau/check/explicit_forces.hpp"
#include "moreau/check/findings.hpp"
#include "moreau/check/structure_checker.hpp"
#include "moreau/model/evaluation.hpp"
#include "moreau/model/require.hpp"

namespace moreau {

template <class Model>
class ModelChecker {
  static constexpr bool model_meets_contract = detail::RequireModel<Model>::met;
  using T = Traits<Model>;
  using Member = detail::Member;

 public:
  using Real = typename T::Real;
  using Q = Vector<Real, T::dof>;
  using Options = CheckOptions<Real>;

  explicit ModelChecker(const Model& model, const Options& options = Options{}) : model_(model), options_(options) {}

  // Looks at one more configuration; the report keeps the worst of all that have been looked at.
  void look(const Q& q, const Q& u, Real t) {
    const detail::Evaluation<Model> at(model_, q, t);
    detail::look_at_structure(model_, q, t, options_, report_);
    const Q h = at.force(u);
    for (int j = 0; j < T::dof; ++j) add_finite(Member::force, 0, j, h(j));
    if constexpr (!T::constant_mass)
      if (options_.inertial_forces) look_at_inertial_forces(q, u, t);
    if constexpr (T::contacts > 0)
      for (int i = 0; i < T::contacts; ++i) look_at_contact(at, i, q, u, t);
    if constexpr (T::frictions > 0)
      for (int j = 0; j < T::frictions; ++j) look_at_friction(at, j);
    if constexpr (T::bilaterals > 0)
      for (int j = 0; j < T::bilaterals; ++j) look_at_bilateral(at, j, q, u, t);
    if constexpr (detail::Contract<Model>::has_wrap)
      compare(Member::wrap, at, detail::Evaluation<Model>(model_, Q(model_.wrap(q)), t), u);
    if constexpr (detail::Contract<Model>::has_period)
      compare(Member::period, at, detail::Evaluation<Model>(model_, q, t + model_.period()), u);
    if constexpr (T::symmetric_steps) detail::look_at_symmetry(model_, q, u, t, options_, report_);
    detail::look_at_explicit_forces(model_, q, u, t, options_, report_);
  }

  const CheckReport<Real>& report() const { return report_; }

 private:
  // The part of force that is even in u, against the inertial forces by differences of M.
  void look_at_inertial_forces(const Q& q, const Q& u_given, Real t) {
    if (!report_.worst_of(Member::mass_symmetry).ok() || !report_.worst_of(Member::mass_definite).ok()) return;
    constexpr int n = T::dof;
    const Q u = u_given == Q::Zero() ? Q(Q::Constant(Real(1))) : u_given;
    const detail::Evaluation<Model> at(model_, q, t);
    const auto M = at.mass();
    Q inertial = Q::Zero();
    Real size = Real(0), size_M = Real(0), square = Real(0);
    for (int i = 0; i < n; ++i) square += u(i) * u(i);
    for (int k = 0; k < n; ++k) {
      const auto slopes = detail::difference<Matrix<Real, n, n>>(options_.step_q, [&](Real h) {
        Q there = q;
        there(k) += h;
        return Matrix<Real, n, n>(detail::Evaluation<Model>(model_, there, t).mass());
      });
      for (int i = 0; i < n; ++i)
        for (int j = 0; j < n; ++j) {
          const Real slope = slopes(i, j);
          inertial(i) -= slope * u(k) * u(j);
          inertial(k) += slope * u(i) * u(j) / 2;
          size += detail::absolute(slope * u(k) * u(j)) + detail::absolute(slope * u(i) * u(j) / 2);
          size_M = detail::larger(size_M, detail::absolute(M(i, j)));
        }
    }
    const Real noise = Real(8 * n) * detail::epsilon<Real> * size_M * square / options_.step_q;
    if (!(size > noise)) return;  // M does not depend on q
    const Q forward = at.force(u), back = at.force(Q(-u)), rest = at.force(Q(Q::Zero()));
    for (int j = 0; j < n; ++j) {
      const Real sum = detail::absolute(forward(j)) + detail::absolute(back(j)) + detail::absolute(rest(j));
      if (!(detail::finite_probe(sum) == Real(0))) return;
      add(Member::inertial_forces, 0, j, (forward(j) + back(j)) / 2 - rest(j) - inertial(j),
          options_.tolerance * size + noise + Real(64) * detail::epsilon<Real> * sum);
    }
  }

  // The coordinate in which a gap has no derivative, or -1: a second difference over h tends to 0 with h, or to the bend.
  int bent_in(int i, const Q& q, Real t) const {
    const Real h = options_.step_q, here = detail::Evaluation<Model>(model_, q, t).gap(i);
    const Real noise = Real(1000) * detail::epsilon<Real> * (detail::absolute(here) + options_.length) / h;
    for (int j = 0; j < T::dof; ++j) {
      const auto bend = [&](Real step) {
        Q there = q;
        there(j) += step;
        const Real ahead = detail::Evaluation<Model>(model_, there, t).gap(i);
        there(j) = q(j) - step;
        return detail::absolute(ahead + detail::Evaluation<Model>(model_, there, t).gap(i) - 2 * here) / step;
      };
      const Real wide = bend(h), narrow = bend(h / 2);  // smooth: narrow is half of wide; bent: the same
      if (narrow > noise && narrow > Real(0.6) * wide) return j;
    }
    return -1;
  }

  void look_at_contact(const detail::Evaluation<Model>& at, int i, const Q& q, const Q& u, Real t) {
    const auto d = at.directions(i);
    const auto gap = [i](const detail::Evaluation<Model>& there) { return there.gap(i); };
    if (const int j = bent_in(i, q, t); j >= 0)
      add(Member::gap_bent, i, j, Real(0), Real(0));
    else
      compare_derivatives(Member::w_N, Member::zeta_N, i, gap, d.w_N, d.zeta_N, q, t);
    Real size = Real(0);
    for (int j = 0; j < T::dof; ++j) size = detail::larger(size, detail::absolute(d.w_N(j)));
    add(Member::w_N, i, -1, size > Real(0) ? Real(0) : Real(1), Real(0));  // coordinate -1: all of it is zero
    Real slip = Real(0), size_T = Real(0);
    for (int k = 0; k < T::tangents; ++k) {
      for (int j = 0; j < T::dof; ++j) {
        add_finite(Member::w_T, i, j, d.w_T(j, k));
        slip += d.w_T(j, k) * u(j);
        size_T = detail::larger(size_T, detail::absolute(d.w_T(j, k)));
      }
      add_finite(Member::zeta_T, i, k, detail::component(d.zeta_T, k));
      slip += detail::component(d.zeta_T, k);
    }
    const auto law = model_.law(i);
    add(Member::law, i, 0, outside(law.eps_N, Real(0), Real(1)), Real(0));
    add(Member::law, i, 1, outside(law.eps_T, Real(0), Real(1)), Real(0));
    add(Member::law, i, 2, outside(law.mu, Real(0), largest), Real(0));
    if constexpr (detail::Contract<Model>::has_allowed_penetration)
      add(Member::allowed_penetration, i, 0, outside(model_.allowed_penetration(i), Real(0), largest), Real(0));
    if constexpr (detail::Contract<Model>::has_mu) {
      add(Member::mu, i, 0, outside(model_.mu(i, Real(0)), Real(0), largest), Real(0));
      add(Member::mu, i, 1, outside(model_.mu(i, detail::absolute(slip)), Real(0), largest), Real(0));
    }
    look_at_friction_law(i, law, detail::absolute(slip), size_T);
  }

  // A law that is typed and never acts: {0.5, 0.3} sets eps_T, and no mu; a w_T that was not filled in has no friction.
  void look_at_friction_law([[maybe_unused]] int i, const ContactLaw<Real>& law, [[maybe_unused]] Real slip,
                            [[maybe_unused]] Real size_T) {
    Real mu = law.mu;
    if constexpr (detail::Contract<Model>::has_mu) mu = detail::larger(model_.mu(i, Real(0)), model_.mu(i, slip));
    add(Member::eps_T_unused, i, 1, law.eps_T > Real(0) && mu == Real(0) ? law.eps_T : Real(0), Real(0));
    if constexpr (T::tangents > 0)
      add(Member::w_T_zero, i, -1, mu > Real(0) && size_T == Real(0) ? mu : Real(0), Real(0));
  }

  void look_at_friction(const detail::Evaluation<Model>& at, int j) {
    add(Member::friction_bound, j, 0, outside(at.friction_bound(j), Real(0), largest), Real(0));
    const auto d = at.friction_directions(j);
    for (int k = 0; k < T::friction_dim; ++k) {
      for (int i = 0; i < T::dof; ++i) add_finite(Member::friction_directions, j, i, d.w(i, k));
      add_finite(Member::friction_directions, j, -1, detail::component(d.zeta, k));
    }
  }

  void look_at_bilateral(const detail::Evaluation<Model>& at, int j, const Q& q, const Q& u, Real t) {
    const auto row = at.bilateral(j);
    const auto position = [j](const detail::Evaluation<Model>& there) { return there.bilateral(j).g; };
    compare_derivatives(Member::bilateral_w, Member::bilateral_zeta, j, position, row.w, row.zeta, q, t);
    if constexpr (detail::Contract<Model>::has_bias_acceleration) {
      // The change of w^T u on the way: q + h u, t + h, with u kept.
      const Real expected = detail::difference<Real>(options_.step_t, [&](Real h) {
        const Q there = q + h * u;
        return dot(detail::Evaluation<Model>(model_, there, t + h).bilateral(j).w, u);
      });
      const Real bend = at.bias_acceleration(j, u),
                 noise = Real(8) * detail::epsilon<Real> * detail::absolute(dot(row.w, u)) / options_.step_t;
      add(Member::bias_acceleration, j, 0, bend - expected,
          options_.tolerance * (detail::larger(detail::absolute(bend), detail::absolute(expected)) + options_.length) +
              noise);
    }
  }

  // w and zeta against the differences of g around (q, t).
  template <class G>
  void compare_derivatives(Member by_q, Member by_t, int index, const G& g, const Q& w, Real zeta, const Q& q, Real t) {
    const Real here = g(detail::Evaluation<Model>(model_, q, t));
    add_finite(by_q == Member::w_N ? Member::gap : by_q, index, 0, here);
    const Real noise = Real(8) * detail::epsilon<Real> * (detail::absolute(here) + options_.length);
    Q slope;
    Real scale = Real(0);
    for (int j = 0; j < T::dof; ++j) {
      slope(j) = detail::difference<Real>(options_.step_q, [&](Real h) {
        Q there = q;
        there(j) += h;
        return g(detail::Evaluation<Model>(model_, there, t));
      });
      scale = detail::larger(scale, detail::larger(detail::absolute(slope(j)), detail::absolute(w(j))));
    }
    for (int j = 0; j < T::dof; ++j)
      add(by_q, index, j, w(j) - slope(j), options_.tolerance * scale + noise / options_.step_q);
    const Real rate = detail::difference<Real>(options_.step_t,
                                               [&](Real h) { return g(detail::Evaluation<Model>(model_, q, t + h)); });
    add(by_t, index, 0, zeta - rate,
        options_.tolerance * detail::larger(detail::absolute(zeta), detail::absolute(rate)) + noise / options_.step_t);
  }

  // Two points that a symmetry of the model makes one; index 0 is the gaps, 1 the mass, 2 the force.
  void compare(Member member, const detail::Evaluation<Model>& a, const detail::Evaluation<Model>& b, const Q& u) {
    for (int i = 0; i < T::contacts; ++i)
      add(member, 0, i, a.gap(i) - b.gap(i), options_.tolerance * (detail::absolute(a.gap(i)) + options_.length));
    const auto M_a = a.mass(), M_b = b.mass();
    const Q h_a = a.force(u), h_b = b.force(u);
    Real size_M = Real(0), size_h = Real(0);
    for (int j = 0; j < T::dof; ++j) {
      size_M = detail::larger(size_M, detail::absolute(M_a(j, j)));
      size_h = detail::larger(size_h, detail::absolute(h_a(j)));
    }
    for (int j = 0; j < T::dof; ++j) {
      for (int i = 0; i < T::dof; ++i) add(member, 1, j, M_a(i, j) - M_b(i, j), options_.tolerance * size_M);
      add(member, 2, j, h_a(j) - h_b(j), options_.tolerance * size_h);
    }
  }

  static constexpr Real largest = std::numeric_limits<Real>::max();
  static Real outside(Real x, Real low, Real high) {
    return x >= low && x <= high ? Real(0) : detail::larger(low - x, x - high);
  }
  void add_finite(Member member, int index, int coordinate, Real x) {
    add(member, index, coordinate, detail::finite_probe(x), Real(0));
  }
  void add(Member member, int index, int coordinate, Real deviation, Real allowed) {
    report_.add({member, index, coordinate, detail::absolute(deviation), allowed});
  }

  Model model_;
  Options options_;
  CheckReport<Real> report_;
};

// One configuration.
template <class Model>
CheckReport<typename Traits<Model>::Real> check_model(const Model& model,
                                                      const Vector<typename Traits<Model>::Real, Traits<Model>::dof>& q,
                                                      const Vector<typename Traits<Model>::Real, Traits<Model>::dof>& u,
                                                      typename Traits<Model>::Real t,
                                                      const CheckOptions<typename Traits<Model>::Real>& options = {}) {
  ModelChecker<Model> checker(model, options);
  checker.look(q, u, t);
  return checker.report();
}

}  // namespace moreau
