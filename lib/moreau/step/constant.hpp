// The direct step in constant time: gaps, directions and laws of all contacts are evaluated, at most two closed ones
// are picked by index, every candidate answer is computed and selects choose. The instruction count depends on
// nothing but the model, as long as the model's own functions do not branch on q, u and t and the board has an FPU.
//
// The same operations as direct.hpp, so the same bits. Not in constant time, and counted in report.fallbacks: two
// contacts of which one sticks (pair_modes.hpp), and what is refused - more than two closed, an answer that fits no
// mode it knows, what the judge should see - which the general step takes over.
#pragma once

#include "moreau/contact/contact_row.hpp"
#include "moreau/step/direct.hpp"
#include "moreau/step/masked_time.hpp"

namespace moreau {

template <class Model>
class ConstantStep {
 public:
  using T = Traits<Model>;
  using Real = typename T::Real;
  using Q = Vector<Real, T::dof>;
  static constexpr int contacts = T::contacts;

  struct Workspace : DirectWorkspace<Model> {
    ContactRow<Model> rows[contacts];
  };

  // False: nothing done.
  template <class Parts>
  [[gnu::flatten]] static bool run(Parts& s, Real dt, StepReport<Real>& report) {
    const Model& model = s.model;
    State<Model>& state = s.state;
    if (!s.direct_.ready || !detail::positive_and_finite(dt)) return false;

    const Real half = dt * Real(0.5);
    const Time<Real> time_A = detail::counted_without_branch(state.time, dt);
    const Q& u_A = state.u;
    const Q q_M = state.q + half * u_A;
    const Evaluation<Model> at(model, q_M, model_time(model, time_A));
    ContactRow<Model>* const rows = s.direct_.rows;
    Real sum = state.time.t0 + state.time.dt;
    unsigned closed = 0;
    for_each_index<contacts>([&](auto i) {
      const Real g = at.gap(i);
      s.gaps().coeffRef(i) = g;
      sum += g;
      closed |= (unsigned(~positive(g)) >> 31) << i;
      rows[i].set(at.directions(i), model.law(i));
    });
    const StepMass<Model> mass(s.mass(), at, u_A, half);
    Q u_E = u_A + mass.free(Q(at.force(u_A) * dt));
    auto P_B = mass.hold(u_E);

    constexpr unsigned last = 1u << (contacts - 1);  // what is not there is another one, opened
    const unsigned rest = closed & (closed - 1);
    const int first = __builtin_ctz(closed | last);
    const Mask none = ~Mask(0u - closed), single = ~Mask(0u - rest);
    const int second = (first & (single >> 31)) | (__builtin_ctz(rest | last) & ~(single >> 31));
    ContactResult<Real> A, B;
    MaskedVerdict<Real> verdict;
    Mask refused;
    if constexpr (closed_at_once<Model> == 2)
      refused = solve_two(s, mass, rows, first, second, none, single, u_A, u_E, A, B, verdict, sum, P_B);
    else
      refused = solve_one(model, mass, s.judge, rows[first], first, none, u_A, u_E, A, verdict, sum, P_B);

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
    for_each_index<T::bilaterals>([&](auto j) { state.P_B.coeffRef(j) = P_B.coeff(j) + Real(0); });  // no -0
    state.time.t0 = time_A.t0;
    state.time.dt = dt;
    state.time.n = time_A.n + 1;
    report = StepReport<Real>{};
    report.active = report.iterations = int(closed != 0) + int(rest != 0);
    report.fallbacks = verdict.fallbacks;
    report.residual = verdict.residual;
    report.relative = verdict.relative;
    return true;
  }

 private:
  static Mask solve_one(const Model& model, const StepMass<Model>& mass, const Judge<Real>& judge,
                        const ContactRow<Model>& row, int first, Mask none, const Q& u_A, Q& u_E,
                        ContactResult<Real>& A, MaskedVerdict<Real>& verdict, Real& sum,
                        typename StepMass<Model>::Multipliers& P_B) {
    ClosedContact<Model> a;
    const Mask illegal = row.close(model, first, none, mass, u_A, u_E, a);
    const PlanarContact<Real>& p = a.planar;
    sum += p.c_N + p.c_T;  // what u_E need not show
    const Masked<Real> answer = masked_form(p);
    verdict = masked_weigh(p, answer, (p.c_N + p.NN * answer.P_N) + p.NT * answer.P_T,
                           (p.c_T + p.NT * answer.P_N) + p.TT * answer.P_T,
                           masked_larger(absolute(p.c_N), absolute(p.c_T)), judge, A);
    kick(a, A, u_E);
    settle<1>(u_E, answer.stick, row.w_T, a.offset_T, a.z_T, p.TT);
    settle<0>(u_E, positive(A.P_N), row.w_N, a.offset_N, a.z_N, p.NN);
    detail::add_held(a, A, P_B);
    return illegal;
  }

  template <class Parts>
  static Mask solve_two(Parts& s, const StepMass<Model>& mass, const ContactRow<Model>* rows, int first, int second,
                        Mask none, Mask single, const Q& u_A, Q& u_E, ContactResult<Real>& A, ContactResult<Real>& B,
                        MaskedVerdict<Real>& verdict, Real& sum, typename StepMass<Model>::Multipliers& P_B) {
    const Model& model = s.model;
    const Judge<Real>& judge = s.judge;
    ClosedContact<Model> a, b;
    const Mask illegal = rows[first].close(model, first, none, mass, u_A, u_E, a) |
                         rows[second].close(model, second, single, mass, u_A, u_E, b);
    const PlanarContact<Real>&p = a.planar, &q = b.planar;
    sum += (p.c_N + p.c_T) + (q.c_N + q.c_T);
    Coupling<Real> x = coupling<Model>(rows[first], b);
    overwrite(single, x.NN, Real(0), x.NT, Real(0));
    overwrite(single, x.TN, Real(0), x.TT, Real(0));
    Real c_max = masked_larger(absolute(q.c_N), absolute(q.c_T));
    overwrite(single, c_max, Real(0));
    c_max = masked_larger(c_max, masked_larger(absolute(p.c_N), absolute(p.c_T)));
    Masked<Real> of_a, of_b;
    masked_pair(p, q, x, of_a, of_b);
    verdict =
        worse(masked_weigh(p, of_a, (((p.c_N + p.NN * of_a.P_N) + p.NT * of_a.P_T) + x.NN * of_b.P_N) + x.NT * of_b.P_T,
                           (((p.c_T + p.NT * of_a.P_N) + p.TT * of_a.P_T) + x.TN * of_b.P_N) + x.TT * of_b.P_T, c_max,
                           judge, A),
              masked_weigh(q, of_b, (((q.c_N + q.NN * of_b.P_N) + q.NT * of_b.P_T) + x.NN * of_a.P_N) + x.TN * of_a.P_T,
                           (((q.c_T + q.NT * of_b.P_N) + q.TT * of_b.P_T) + x.NT * of_a.P_N) + x.TT * of_a.P_T, c_max,
                           judge, B));
    if ((verdict.refused & ~single) < 0) {  // one test: two would count two instructions more in some steps
      const Mask unsolved = solve_sticking(s, a, b, x, u_E, A, B, verdict);
      detail::add_held(a, A, P_B);
      detail::add_held(b, B, P_B);
      return illegal | unsolved;
    }
    detail::clear_cancelled<detail::Select>({~single}, u_E, kick(a, b, A, B, u_E));
    settle<1>(u_E, single & of_a.stick, rows[first].w_T, a.offset_T, a.z_T, p.TT);
    settle<0>(u_E, single & positive(A.P_N), rows[first].w_N, a.offset_N, a.z_N, p.NN);
    detail::add_held(a, A, P_B);
    detail::add_held(b, B, P_B);
    return illegal;
  }

  // Two of which one sticks, if that is why they are refused: not in constant time, but the data path's answer.
  template <class Parts>
  [[gnu::always_inline]] static Mask solve_sticking(Parts& s, const ClosedContact<Model>& a,
                                                    const ClosedContact<Model>& b, const Coupling<Real>& x, Q& u_E,
                                                    ContactResult<Real>& A, ContactResult<Real>& B,
                                                    MaskedVerdict<Real>& verdict) {
    auto& pair = s.direct_.pair;
    copy_pair(a, b, x, u_E, pair);
    if (!pair.solve(s.judge)) return -1;
    u_E = pair.u_E;
    A = pair.a;
    B = pair.b;
    verdict = {pair.verdict.residual, pair.verdict.relative, -Mask(!pair.verdict.ok), 1};
    return 0;
  }

  template <int row>
  static void settle(Q& u_E, Mask condition, const Q& w, Real offset, const Q& z, Real G) {
    using Pattern = DirectionPattern<Model, -1, row>;
    Real xi = sparse_dot<Pattern>(w, u_E) + offset;
    overwrite(~condition, xi, Real(0), G, Real(1));
    for_each_index<T::dof>([&](auto j) { u_E.coeffRef(j) -= z.coeff(j) / G * xi; });
  }

  static void store(const ContactResult<Real>& result, int id, State<Model>& state) {
    state.P_N.coeffRef(id) = result.P_N;
    if constexpr (T::tangents == 1) state.P_T.coeffRef(0, id) = result.P_T;
    state.sigma_N[std::size_t(id)] = result.sigma_N;
    state.sigma_T[std::size_t(id)] = result.sigma_T;
  }
};

}  // namespace moreau
