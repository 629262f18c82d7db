// The contacts that are closed, in rows on the stack (midpoint.hpp): the general step behind ClosedForms, by a fixed
// number of prox sweeps, with the judge and the statuses of every other step and no workspace.
#pragma once

#include "moreau/contact/closed_rows.hpp"
#include "moreau/solve/closed_forms.hpp"
#include "moreau/step/few_contacts.hpp"
#include "moreau/step/listed_contacts.hpp"

namespace moreau {
namespace detail {

template <class Model>
constexpr bool has_swept_contacts = has_few_contacts<Model>&& Traits<Model>::contacts > 0 &&
                                    Traits<Model>::bilaterals == 0 && !Contract<Model>::has_depth;

template <class Model>
class SweptContacts : public NamingContacts<Model> {
  using Naming = NamingContacts<Model>;
  using Naming::accept, Naming::report_;

 public:
  using T = Traits<Model>;
  using Real = typename T::Real;
  using Q = Vector<Real, T::dof>;
  using Rows = ClosedRows<Model>;
  using Mass = StepMass<Model>;
  using P_joints = typename Mass::Multipliers;

  template <class Home>
  SweptContacts(Home& home, StepReport<Real>& report)
      : Naming(home.state, report),
        model_(home.model),
        solver_(home.solver),
        judge_(home.judge),
        room_(home.mass()),
        gap_out_(home.gap_M_) {}

  bool ready(Real dt) { return this->options_are_legal(dt, solver_, judge_); }
  static Time<Real> counted(const Time<Real>& time, Real dt) { return time.counted_in(dt); }

  MOREAU_COLD bool find(const Evaluation<Model>& at) {
    Real probe = Real(0);
    for (int i = 0; i < T::contacts; ++i) {
      const Real g = at.gap(i);
      gap_M_.coeffRef(i) = g;
      probe += finite_probe(g);
      if (g <= Real(0)) rows_.contact[std::size_t(rows_.k++)] = static_cast<std::int8_t>(i);
    }
    report_.active = rows_.k;
    return probe == Real(0) || this->finite(Cause::gap, gap_M_);
  }

  Mass mass(const Evaluation<Model>& at, const Q& u_A, Real half) { return Mass(room_, at, u_A, half); }
  bool positive(const Mass& mass, const Evaluation<Model>& at) {
    return Branch::of(mass.positive()) || this->accept_mass(false, why_no_mass(at), Cause::mass, at);
  }
  static Q force(const Evaluation<Model>& at, const Mass&, const Q& u_A, Real) { return at.force(u_A); }

  MOREAU_COLD MOREAU_NOINLINE bool solve(const Evaluation<Model>& at, const Mass& mass, const State<Model>& state, Real,
                                         Q& u_E, P_joints& P_B) {
    if (!(finite_probe(u_E) == Real(0)) && !this->finite(Cause::force, u_E)) return false;
    const Status filled = rows_.fill(model_, at, mass, state.u, u_E);
    if (filled != Status::ok) {
      report_.status = filled;
      name_row(model_, rows_, rows_, report_);
      return false;
    }
    if (rows_.k == 0) return true;
    warm_start<Branch>(state, rows_, rows_, P_);
    for (int n = 0; n < solver_.sweeps; ++n) rows_.sweep(P_);
    report_.iterations = solver_.sweeps;
    const Verdict<Real> verdict = weigh<Branch>(
        rows_, P_, [](int) { return true; }, judge_, sigmas_);
    report_.residual = verdict.residual;
    report_.relative = verdict.relative;
    report_.status = verdict.status();
    if (!accept(verdict.passable, report_.status, Cause::percussions)) return false;
    push<Branch>(rows_.rows(), rows_, P_, u_E, P_B);
    return true;
  }
  static bool put_back(const Mass&, const Time<Real>&, Q&) { return true; }
  MOREAU_COLD void commit(State<Model>& state, const Time<Real>& time_E, const Q& q_E, const Q& u_E, const P_joints&) {
    store<Branch>(true, rows_, rows_, P_, sigmas_, state);
    gap_out_ = gap_M_;
    state.q = q_E;
    state.u = u_E;
    state.clock = time_E;
  }

 private:
  const Model& model_;
  const ClosedForms& solver_;
  const Judge<Real>& judge_;
  typename Mass::Room& room_;
  Vector<Real, T::contacts>& gap_out_;

  Vector<Real, T::contacts> gap_M_;
  Rows rows_;
  typename Rows::Percussions P_;
  Sigmas<Rows> sigmas_;
};

}  // namespace detail
}  // namespace moreau
