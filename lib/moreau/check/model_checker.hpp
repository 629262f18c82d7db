// Consistency checks of a model, for use in tests: derivatives by finite differences, mass matrix, contact laws,
// symmetries.
//
//   w_N = (d g_N / d q)^T,  zeta_N = d g_N / d t          likewise w and zeta of ideal joints
//   bias accelerations of joints, contacts and friction elements (check/bias_checker.hpp)
//   M = M^T, positive definite; declared structure (check/structure_checker.hpp)
//   h(q,u) + h(q,-u) - 2 h(q,0) = 2 (-Mdot u + 1/2 d(u^T M u)/dq)    if M depends on q
//   0 <= eps <= 1, mu >= 0, allowed_penetration >= 0; all values finite; w_N not zero
//   no parameter of a contact law without effect: eps_T > 0 with mu = 0, or mu > 0 with a zero column of w_T,
//   or with tangents = 0; a friction bound with a zero column of w
//   sqrt(G_TT / G_NN) <= 100, in hand-derived models also >= 1/500: w_T or w_N in mm scales friction by 1000
//   wrap(q): equal gaps, mass, force and joints at q and wrap(q); period(): at t and t + period; identical values of
//   two calls with the same arguments (check/equivalence_checker.hpp)
//   play_of >= 0
//   allowed_penetration <= options.length / 100
//   no jump of a gap at a change of its sign, within options.scan of q in each coordinate
//   rows of the ideal joints linearly independent
//   parts of a mechanism: unit vectors, opposite forces and moments (check/parts_checker.hpp); parts without effect,
//   equal parts, curves (check/part_values.hpp)
//   symmetric_steps: the conditions of this declaration; potential(): its sign (check/structure_checker.hpp)
//   options.dt: limits of explicit forces (check/explicit_forces.hpp), dt against the play (check/step_size.hpp)
//
// Wrong inertial forces create or dissipate energy. The test of inertial forces ignores terms odd in u, such as
// dampers. If `force` has other even terms, such as the thrust of a propeller, set options.inertial_forces = false.
//
// A gap has no derivative at a kink, for example if a pin is at the centre of its bearing. If differences of step_q
// and, as far as rounding permits, of step_q / 64 indicate a kink, the report contains the finding `gap_bent`, and w_N
// is not compared.
//
// w_T and the directions of friction elements are not derivatives. Only two scales are tested: the ratio of G_TT to
// G_NN of the same contact, and the magnitude of the unit forces of parts. In hand-derived models, the checker does not
// detect a friction element with w in mm, or a w_T that is too small by a factor below 500. Finite differences are
// central and of fourth order. The allowed deviation is `tolerance` times the largest entry of the vector, plus the
// rounding error of the differences. Check models in double, even if the target uses float.
//
//   const auto report = moreau::check_model(model, q, u, t);
//   if (!report.ok()) ...    // report.worst(): member, contact and coordinate of the worst finding
#pragma once

#include <limits>

#include "moreau/check/bias_checker.hpp"
#include "moreau/check/contact_checker.hpp"
#include "moreau/check/equivalence_checker.hpp"
#include "moreau/check/explicit_forces.hpp"
#include "moreau/check/findings.hpp"
#include "moreau/check/one_sided_checker.hpp"
#include "moreau/check/part_values.hpp"
#include "moreau/check/parts_checker.hpp"
#include "moreau/check/spatial_parts_checker.hpp"
#include "moreau/check/step_size.hpp"
#include "moreau/check/structure_checker.hpp"
#include "moreau/model/evaluation.hpp"
#include "moreau/model/require.hpp"

namespace moreau {

// Checker of one model at any number of configurations.
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

  // Checks one configuration. The report retains the most severe findings of all configurations.
  void look(const Q& q, const Q& u, Real t) {
    const detail::Evaluation<Model> at(model_, q, t);
    detail::check_structure(model_, q, t, options_, report_);
    detail::check_pure(model_, q, u, t, report_);
    detail::check_potential(model_, q, t, options_, report_);
    const Q h = at.force(u);
    for (int j = 0; j < T::dof; ++j) add_finite(Member::force, 0, j, h(j));
    if constexpr (!T::constant_mass)
      if (options_.inertial_forces) check_inertial_forces(q, u, t);
    detail::BiasChecker<Model> bias(model_, q, u, t, options_, report_);
    if constexpr (T::contacts > 0)
      for (int i = 0; i < T::contacts; ++i)
        if (check_contact(at, i, q, u, t)) bias.check_contact(i, detail::error_of_contact(model_, i, at.gap(i)).bias);
    if constexpr (T::frictions > 0)
      for (int j = 0; j < T::frictions; ++j) {
        check_friction(at, j);
        bias.check_friction(j);
      }
    if constexpr (T::contacts > 0) detail::check_jumps(model_, q, t, options_, report_);
    if constexpr (T::bilaterals > 0) {
      for (int j = 0; j < T::bilaterals; ++j) {
        check_bilateral(at, j, q, t);
        bias.check_bilateral(j);
      }
      const int row = detail::dependent_row(at);
      add(Member::bilateral_dependent, row < 0 ? 0 : row, -1, row < 0 ? Real(0) : Real(1), Real(0));
    }
    if constexpr (detail::is_mechanism<Model>) detail::check_parameters(model_, report_);
    if constexpr (detail::is_planar_mechanism<Model>) {
      detail::check_parts(model_, q, u, t, report_);
      detail::check_part_values(model_, options_, report_);
      detail::check_one_sided_limits(model_, q, t, options_, report_);
    } else if constexpr (detail::is_mechanism<Model>) {
      detail::check_spatial_parts(model_, q, u, t, report_);
      detail::check_spatial_part_values(model_, options_, report_);
    }
    if constexpr (detail::Contract<Model>::has_wrap) detail::check_wrap(model_, q, u, t, options_, report_);
    if constexpr (detail::Contract<Model>::has_period) detail::check_period(model_, q, u, t, options_, report_);
    if constexpr (T::symmetric_steps) detail::check_symmetry(model_, q, u, t, options_, report_);
    detail::check_explicit_forces(model_, q, u, t, options_, report_);
    detail::check_step_size(model_, q, u, t, options_, report_);
  }

  const CheckReport<Real>& report() const { return report_; }

 private:
  // Compares the part of `force` that is even in u with the inertial forces, which are computed from differences of M.
  void check_inertial_forces(const Q& q, const Q& u_given, Real t) {
    if (detail::has_drift<Model>) return;  // the drift contains them
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
        return displaced(q, k, h, t, [](const auto& there) { return Matrix<Real, n, n>(there.mass()); });
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

  // Returns a coordinate in which the gap has a kink, or -1. For a smooth gap the quotient below is proportional to h.
  // A kink is a change of the slope above the rounding error of quotients with the step `least`.
  int kinked_coordinate(int i, const Q& q, Real t, Real h, Real least) const {
    const auto gap = [i](const detail::Evaluation<Model>& there) { return there.gap(i); };
    const Real here = gap(detail::Evaluation<Model>(model_, q, t));
    const Real noise = Real(1000) * detail::epsilon<Real> * (detail::absolute(here) + options_.length) / least;
    for (int j = 0; j < T::dof; ++j) {
      const auto slope_change = [&](Real step) {
        return detail::absolute(displaced(q, j, step, t, gap) + displaced(q, j, -step, t, gap) - 2 * here) / step;
      };
      const Real wide = slope_change(h), narrow = slope_change(h / 2);  // half of `wide` if smooth, equal if kinked
      if (narrow > noise && narrow > Real(0.6) * wide) return j;
    }
    return -1;
  }

  // Returns true if the directions of the contact are the derivatives of its gap.
  bool check_contact(const detail::Evaluation<Model>& at, int i, const Q& q, const Q& u, Real t) {
    const auto d = at.directions(i);
    const auto gap = [i](const detail::Evaluation<Model>& there) { return there.gap(i); };
    Real step = options_.step_q;
    int kinked = kinked_coordinate(i, q, t, step, step);
    const Real finer = step / 64;  // a strongly curved gap seems kinked at step_q only
    if (kinked_coordinate(i, q, t, step, finer) >= 0 && kinked_coordinate(i, q, t, finer, finer) < 0) {
      step = finer;
      kinked = -1;
    }
    if (kinked >= 0)
      add(Member::gap_bent, i, kinked, Real(0), Real(0));
    else
      compare_derivatives(Member::w_N, Member::zeta_N, i, gap, d.w_N, d.zeta_N, q, t, step,
                          detail::error_of_contact(model_, i, at.gap(i)).directions);
    Real size = Real(0);
    for (int j = 0; j < T::dof; ++j) size = detail::larger(size, detail::absolute(d.w_N(j)));
    add(Member::w_N, i, -1, size > Real(0) ? Real(0) : Real(1), Real(0));  // coordinate -1: zero vector
    Real slip = Real(0);
    for (int k = 0; k < T::tangents; ++k) {
      for (int j = 0; j < T::dof; ++j) {
        add_finite(Member::w_T, i, j, d.w_T(j, k));
        slip += d.w_T(j, k) * u(j);
      }
      add_finite(Member::zeta_T, i, k, detail::component(d.zeta_T, k));
      slip += detail::component(d.zeta_T, k);
    }
    const auto law = model_.law(i);
    add(Member::law, i, 0, outside(law.eps_N, Real(0), Real(1)), Real(0));
    add(Member::law, i, 1, outside(law.eps_T, Real(0), Real(1)), Real(0));
    add(Member::law, i, 2, outside(law.mu, Real(0), largest), Real(0));
    if constexpr (detail::Contract<Model>::has_allowed_penetration)
      add(Member::allowed_penetration, i, 0, outside(model_.allowed_penetration(i), Real(0), options_.length / 100),
          Real(0));
    if constexpr (detail::Contract<Model>::has_mu) {
      add(Member::mu, i, 0, outside(model_.mu(i, Real(0)), Real(0), largest), Real(0));
      add(Member::mu, i, 1, outside(model_.mu(i, detail::absolute(slip)), Real(0), largest), Real(0));
    }
    check_friction_law(i, law, detail::absolute(slip), detail::smallest_column<Real>(d.w_T));
    if constexpr (T::tangents > 0) detail::check_scale(at, i, d, report_);
    return kinked < 0 && report_.worst_of(Member::w_N).ok() && report_.worst_of(Member::zeta_N).ok();
  }

  // Reports parameters without effect: eps_T without friction, and mu without a tangential direction.
  void check_friction_law([[maybe_unused]] int i, const ContactLaw<Real>& law, [[maybe_unused]] Real slip,
                          [[maybe_unused]] Real size_T) {
    Real mu = law.mu;
    if constexpr (detail::Contract<Model>::has_mu) mu = detail::larger(model_.mu(i, Real(0)), model_.mu(i, slip));
    add(Member::eps_T_unused, i, 1, law.eps_T > Real(0) && mu == Real(0) ? law.eps_T : Real(0), Real(0));
    add(Member::w_T_zero, i, -1, mu > Real(0) && size_T == Real(0) ? mu : Real(0), Real(0));
  }

  void check_friction(const detail::Evaluation<Model>& at, int j) {
    const Real bound = at.friction_bound(j);
    add(Member::friction_bound, j, 0, outside(bound, Real(0), largest), Real(0));
    const auto d = at.friction_directions(j);
    const bool zero = detail::smallest_column<Real>(d.w) == Real(0);
    add(Member::friction_w_zero, j, -1, zero && bound > Real(0) ? bound : Real(0), Real(0));
    for (int k = 0; k < T::friction_dim; ++k) {
      for (int i = 0; i < T::dof; ++i) add_finite(Member::friction_directions, j, i, d.w(i, k));
      add_finite(Member::friction_directions, j, -1, detail::component(d.zeta, k));
    }
  }

  // Returns true for a row with a velocity command and without a position: a model with zeta_E, and g = 0 around q.
  bool is_commanded([[maybe_unused]] int j, [[maybe_unused]] const Q& q, [[maybe_unused]] Real t) const {
    if constexpr (detail::Contract<Model>::has_zeta_E) {
      bool zero = true;
      for (int d = 0; d < T::dof; ++d) {
        const auto g = [j](const auto& there) { return Real(there.bilateral(j).g); };
        zero = zero && displaced(q, d, options_.step_q, t, g) == Real(0);
      }
      return zero;
    } else {
      return false;
    }
  }

  void check_bilateral(const detail::Evaluation<Model>& at, int j, const Q& q, Real t) {
    const auto row = at.bilateral(j);
    const auto position = [j](const detail::Evaluation<Model>& there) { return there.bilateral(j).g; };
    if (!is_commanded(j, q, t))
      compare_derivatives(Member::bilateral_w, Member::bilateral_zeta, j, position, row.w, row.zeta, q, t,
                          options_.step_q, Real(0));
  }

  // Compares w and zeta with the differences of g at (q, t). `error` is the permitted relative error of w.
  template <class G>
  void compare_derivatives(Member by_q, Member by_t, int index, const G& g, const Q& w, Real zeta, const Q& q, Real t,
                           Real step_q, Real error) {
    const Real here = g(detail::Evaluation<Model>(model_, q, t));
    add_finite(by_q == Member::w_N ? Member::gap : by_q, index, 0, here);
    const Real noise = Real(8) * detail::epsilon<Real> * (detail::absolute(here) + options_.length);
    Q slope;
    Real scale = Real(0);
    for (int j = 0; j < T::dof; ++j) {
      slope(j) = detail::difference<Real>(step_q, [&](Real h) { return displaced(q, j, h, t, g); });
      scale = detail::larger(scale, detail::larger(detail::absolute(slope(j)), detail::absolute(w(j))));
    }
    for (int j = 0; j < T::dof; ++j)
      add(by_q, index, j, w(j) - slope(j), (options_.tolerance + error) * scale + noise / step_q);
    const Real rate = detail::difference<Real>(options_.step_t,
                                               [&](Real h) { return g(detail::Evaluation<Model>(model_, q, t + h)); });
    add(by_t, index, 0, zeta - rate,
        options_.tolerance * detail::larger(detail::absolute(zeta), detail::absolute(rate)) + noise / options_.step_t);
  }

  // Returns f(model) after a displacement of h along coordinate j.
  template <class F>
  auto displaced(const Q& q, int j, Real h, Real t, const F& f) const {
    const Q there = detail::displaced_along(model_, q, j, h);
    return f(detail::Evaluation<Model>(model_, there, t));
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

// Checks one configuration.
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
