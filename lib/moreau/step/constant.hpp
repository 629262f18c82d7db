// The direct step in constant time: gaps, directions and laws of all contacts are evaluated, at most two closed ones
// are picked by index, every candidate answer is computed and selects choose. The instruction count depends on
// nothing but the model, as long as the model's own functions do not branch on q, u and t and the board has an FPU.
//
// The same operations as direct.hpp, so the same bits. Refused - more than two closed, an answer that fits no mode it
// knows, what the judge should see - it does nothing, and the general step takes over: counted in report.fallbacks.
#pragma once

#include "moreau/contact/masked.hpp"
#include "moreau/step/direct.hpp"

namespace moreau {

template <class Model>
class ConstantStep {
 public:
  using T = Traits<Model>;
  using Real = typename T::Real;
  using Q = Vector<Real, T::dof>;
  static constexpr int contacts = T::contacts;

  // False: nothing done.
  template <class Parts>
  [[gnu::flatten]] static bool run(Parts& s, Real dt, StepReport<Real>& report) {
    const Model& model = s.model;
    State<Model>& state = s.state;
    if (!s.direct_.ready || !detail::positive_and_finite(dt)) return false;

    const Real half = dt * Real(0.5);
    const Time<Real> time_A = counted(state.time, dt);
    const Q& u_A = state.u;
    const Q q_M = state.q + half * u_A;
    const Evaluation<Model> at(model, q_M, model_time(model, time_A));
    Row rows[contacts + 1];
    Real sum = state.time.t0 + state.time.dt;
    unsigned closed = 0;
    for_each_index<contacts>([&](auto i) {
      const Real g = at.gap(i);
      s.gaps().coeffRef(i) = g;
      sum += g;
      closed |= (unsigned(~positive(g)) >> 31) << i;
      rows[i].template set<i>(at.directions(i), model.law(i));
    });
    rows[contacts].clear();
    const StepMass<Model> mass(s.mass(), at, u_A, half);
    Q u_E = u_A + mass.free(Q(at.force(u_A) * dt));
    auto P_B = mass.hold(u_E);

    constexpr unsigned beyond = 1u << contacts;
    const unsigned rest = closed & (closed - 1);
    const int first = __builtin_ctz(closed | beyond), second = __builtin_ctz(rest | beyond);
    ContactResult<Real> A, B;
    MaskedVerdict<Real> verdict;
    Mask refused;
    if constexpr (closed_at_once<Model> == 2)
      refused = solve_two(model, mass, s.judge, rows, first, second, u_A, u_E, A, B, verdict, sum, P_B);
    else
      refused = solve_one(model, mass, s.judge, rows[first], first, u_A, u_E, A, verdict, sum, P_B);

    Q q_E = q_M + half * u_E;
    if constexpr (puts_back<Model>)
      refused |= put_back_pair<true>(model, time_A.next(), mass, carries(A, first) | carries(B, second), q_E);
    for_each_index<T::dof>([&](auto j) { sum = (sum + q_E.coeff(j)) + u_E.coeff(j); });
    const unsigned too_many = closed_at_once<Model> == 2 ? rest & (rest - 1) : rest;
    refused |= verdict.refused | -Mask(too_many != 0) | -Mask(!mass.positive());
    if (refused < 0 || !(sum - sum == Real(0))) return false;

    for_each_index<contacts>([&](auto i) {
      state.P_N.coeffRef(i) = Real(0);
      if constexpr (T::tangents == 1) state.P_T.coeffRef(0, i) = Real(0);
    });
    for_each_index<contacts>([&](auto i) { state.sigma_N[std::size_t(i)] = state.sigma_T[std::size_t(i)] = 1; });
    if (closed_at_once<Model> == 2) store(B, second, state);
    store(A, first, state);
    state.q = q_E;
    state.u = u_E;
    state.P_B = P_B;
    state.time = time_A.next();
    report = StepReport<Real>{};
    report.active = report.iterations = int(closed != 0) + int(rest != 0);
    report.residual = verdict.residual;
    report.relative = verdict.relative;
    return true;
  }

 private:
  // What the model says about one contact, at an address that the run computes: stored and loaded, never branched on.
  struct Row {
    Q w_N, w_T;
    Real zeta_N, zeta_T;
    Real eps_N, eps_T, mu;
    Real absent;  // 1 for the contact that is not there

    template <int i>
    void set(const Directions<Real, T::dof, T::tangents>& d, const ContactLaw<Real>& law) {
      using Normal = DirectionPattern<Model, -1, 0>;
      using Tangent = DirectionPattern<Model, -1, 1>;
      for_each_index<T::dof>([&](auto j) {
        if (Normal::entry(j)) w_N.coeffRef(j) = d.w_N.coeff(j);
        if constexpr (T::tangents == 1)
          if (Tangent::entry(j)) w_T.coeffRef(j) = d.w_T.coeff(j, 0);
      });
      if (Normal::entry(T::dof)) zeta_N = d.zeta_N;
      if (Tangent::entry(T::dof)) zeta_T = d.zeta_T;
      eps_N = law.eps_N;
      eps_T = law.eps_T;
      mu = law.mu;
      absent = Real(0);
    }
    void clear() {
      for_each_index<T::dof>([&](auto j) { w_N.coeffRef(j) = w_T.coeffRef(j) = Real(0); });
      zeta_N = zeta_T = eps_N = eps_T = mu = Real(0);
      absent = Real(1);
    }
    Mask close(const Model& model, int i, const StepMass<Model>& mass, const Q& u_A, const Q& u_free,
               ClosedContact<Model>& out) const {
      const Mask illegal =
          detail::close_contact<-1>(model, i, *this, ContactLaw<Real>{eps_N, eps_T, mu}, mass, u_A, u_free, out);
      out.planar.NN += absent;
      out.planar.c_N += absent;
      return illegal | detail::not_positive(out.planar.NN);
    }
  };

  static Mask solve_one(const Model& model, const StepMass<Model>& mass, const Judge<Real>& judge, const Row& row,
                        int first, const Q& u_A, Q& u_E, ContactResult<Real>& A, MaskedVerdict<Real>& verdict,
                        Real& sum, typename StepMass<Model>::Multipliers& P_B) {
    ClosedContact<Model> a;
    const Mask illegal = row.close(model, first, mass, u_A, u_E, a);
    const PlanarContact<Real>& p = a.planar;
    sum += p.c_N + p.c_T;  // what u_E need not show
    Mask fits;
    const Masked<Real> answer = masked_form(p, fits);
    A = masked_weigh(p, answer, masked_larger(magnitude(p.c_N), magnitude(p.c_T)), judge, verdict);
    add_scaled(u_E, A.P_N, a.z_N);
    add_scaled(u_E, A.P_T, a.z_T);
    settle<1>(u_E, answer.stick, a.w_T, a.offset_T, a.z_T, p.TT);
    settle<0>(u_E, positive(A.P_N), a.w_N, a.offset_N, a.z_N, p.NN);
    detail::add_held(a, A, P_B);
    return illegal | ~fits;
  }

  static Mask solve_two(const Model& model, const StepMass<Model>& mass, const Judge<Real>& judge, const Row* rows,
                        int first, int second, const Q& u_A, Q& u_E, ContactResult<Real>& A, ContactResult<Real>& B,
                        MaskedVerdict<Real>& verdict, Real& sum, typename StepMass<Model>::Multipliers& P_B) {
    ClosedContact<Model> a, b;
    const Mask illegal =
        rows[first].close(model, first, mass, u_A, u_E, a) | rows[second].close(model, second, mass, u_A, u_E, b);
    const PlanarContact<Real>&p = a.planar, &q = b.planar;
    sum += (p.c_N + p.c_T) + (q.c_N + q.c_T);
    const Coupling<Real> x = coupling(a, b);
    Masked<Real> of_a, of_b;
    const Mask fits = masked_pair(p, q, x, of_a, of_b);
    const Mask single = -Mask(second == contacts);
    const Real c_N = masked_larger(magnitude(p.c_N), choose(single, Real(0), magnitude(q.c_N)));
    const Real c_max = masked_larger(c_N, masked_larger(magnitude(p.c_T), magnitude(q.c_T)));
    A = masked_weigh(p, of_a, x.NN * of_b.P_N, x.NT * of_b.P_T, x.TN * of_b.P_N, x.TT * of_b.P_T, c_max, judge,
                     verdict);
    B = masked_weigh(q, of_b, x.NN * of_a.P_N, x.TN * of_a.P_T, x.NT * of_a.P_N, x.TT * of_a.P_T, c_max, judge,
                     verdict);
    add_scaled(u_E, A.P_N, a.z_N);
    add_scaled(u_E, A.P_T, a.z_T);
    add_scaled(u_E, B.P_N, b.z_N);
    add_scaled(u_E, B.P_T, b.z_T);
    settle<1>(u_E, single & of_a.stick, a.w_T, a.offset_T, a.z_T, p.TT);
    settle<0>(u_E, single & positive(A.P_N), a.w_N, a.offset_N, a.z_N, p.NN);
    detail::add_held(a, A, P_B);
    detail::add_held(b, B, P_B);
    return illegal | ~fits;
  }

  template <int row>
  static void settle(Q& u_E, Mask condition, const Q& w, Real offset, const Q& z, Real G) {
    using Pattern = DirectionPattern<Model, -1, row>;
    const Real xi = choose(condition, sparse_dot<Pattern>(w, u_E) + offset, Real(0));
    const Real divisor = choose(condition, G, Real(1));
    for_each_index<T::dof>([&](auto j) { u_E.coeffRef(j) -= z.coeff(j) / divisor * xi; });
  }

  // time.counted_in(dt) without a branch.
  static Time<Real> counted(Time<Real> time, Real dt) {
    const auto difference = to_bits(time.dt) ^ to_bits(dt);
    const Mask same = ~Mask((difference | (0 - difference)) >> (8 * sizeof(Real) - 32));
    time.t0 = choose(same, time.t0, time());
    time.dt = dt;
    time.n &= std::int64_t(same >> 31);
    return time;
  }

  // A contact that is not there writes its zeros to the last one, before the first contact is written.
  static void store(const ContactResult<Real>& result, int i, State<Model>& state) {
    const int id = i < contacts ? i : contacts - 1;
    state.P_N.coeffRef(id) = result.P_N;
    if constexpr (T::tangents == 1) state.P_T.coeffRef(0, id) = result.P_T;
    state.sigma_N[std::size_t(id)] = result.sigma_N;
    state.sigma_T[std::size_t(id)] = result.sigma_T;
  }
};

}  // namespace moreau
