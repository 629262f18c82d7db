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
    const Q& u_A = state.u;
    const Q q_M = state.q + half * u_A;
    const Evaluation<Model> at(model, q_M, model_time(model, state.time.counted_in(dt)));
    Row rows[contacts + 1];
    Real sum = Real(0);
    unsigned closed = 0;
    for_each_index<contacts>([&](auto i) {
      const Real g = at.gap(i);
      s.gaps().coeffRef(i) = g;
      sum += g;
      closed |= unsigned(g <= Real(0)) << i;
      rows[i].set(at.directions(i), model.law(i));
    });
    rows[contacts].clear();
    const StepMass<Model> mass(s.direct_.mass, at);
    Q u_E = u_A + mass.solve(Q(at.force(u_A) * dt));

    constexpr unsigned beyond = 1u << contacts;
    const unsigned rest = closed & (closed - 1);
    const int first = __builtin_ctz(closed | beyond), second = __builtin_ctz(rest | beyond);
    ClosedContact<Model> a, b;
    bool fine = bool(int(mass.positive()) & int((rest & (rest - 1)) == 0));
    fine = bool(int(rows[first].close(model, first, mass, u_A, u_E, a)) & int(fine));
    fine = bool(int(rows[second].close(model, second, mass, u_A, u_E, b)) & int(fine));
    const PlanarContact<Real>&p = a.planar, &q = b.planar;
    const Coupling<Real> x = coupling(a, b);
    Masked<Real> of_a, of_b;
    fine = bool(int(masked_pair(p, q, x, of_a, of_b)) & int(fine));
    MaskedVerdict<Real> verdict;
    const ContactResult<Real> A = masked_weigh(p, of_a, x.NN * of_b.P_N, x.NT * of_b.P_T, x.TN * of_b.P_N,
                                               x.TT * of_b.P_T, q.c_N, s.judge, verdict);
    const ContactResult<Real> B = masked_weigh(q, of_b, x.NN * of_a.P_N, x.TN * of_a.P_T, x.NT * of_a.P_N,
                                               x.TT * of_a.P_T, p.c_N, s.judge, verdict);
    add_scaled(u_E, A.P_N, a.z_N);
    add_scaled(u_E, A.P_T, a.z_T);
    add_scaled(u_E, B.P_N, b.z_N);
    add_scaled(u_E, B.P_T, b.z_T);
    const bool single = rest == 0;
    settle<1>(u_E, bool(int(single) & int(A.stick)), a.w_T, a.offset_T, a.z_T, p.TT);
    settle<0>(u_E, bool(int(single) & int(A.P_N > Real(0))), a.w_N, a.offset_N, a.z_N, p.NN);

    const Q q_E = q_M + half * u_E;
    for_each_index<T::dof>([&](auto j) { sum = (sum + q_E.coeff(j)) + u_E.coeff(j); });
    if (!bool(int(fine) & int(verdict.ok) & int(sum - sum == Real(0)))) return false;

    for_each_index<contacts>([&](auto i) {
      state.P_N.coeffRef(i) = Real(0);
      if constexpr (T::tangents == 1) state.P_T.coeffRef(0, i) = Real(0);
    });
    for_each_index<contacts>([&](auto i) { state.sigma_N[std::size_t(i)] = state.sigma_T[std::size_t(i)] = 1; });
    store(B, second, state);
    store(A, first, state);
    state.q = q_E;
    state.u = u_E;
    state.time = state.time.counted_in(dt).next();
    report = StepReport<Real>{};
    report.active = report.iterations = int(closed != 0) + int(rest != 0);
    report.residual = verdict.residual;
    report.relative = verdict.relative;
    return true;
  }

 private:
  // What the model says about one contact, at an address that the run computes: stored and loaded, never branched on.
  struct Row {
    Directions<Real, T::dof, T::tangents> d;
    ContactLaw<Real> law;
    Real absent;  // 1 for the contact that is not there

    void set(const Directions<Real, T::dof, T::tangents>& directions, const ContactLaw<Real>& a_law) {
      d = directions;
      law = a_law;
      absent = Real(0);
    }
    void clear() {
      set({}, {});
      absent = Real(1);
    }
    bool close(const Model& model, int i, const StepMass<Model>& mass, const Q& u_A, const Q& u_free,
               ClosedContact<Model>& out) const {
      const bool legal = detail::close_contact<-1>(model, i, d, law, mass, u_A, u_free, out);
      out.planar.NN += absent;
      out.planar.c_N += absent;
      return legal;
    }
  };

  template <int row>
  static void settle(Q& u_E, bool condition, const Q& w, Real offset, const Q& z, Real G) {
    Q settled = u_E;
    detail::settle_row<DirectionPattern<Model, -1, row>>(settled, w, offset, z, G);
    u_E = select(condition, settled, u_E);
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
