// Direct solution of one or two closed planar contacts in every mode: open, stick, and slip in either direction. The
// functions are templates over Flow (math/branching.hpp). One contact:
//
//   stick   P_T = -(c_T - TN c_N / NN) / D,  D = TT - TN NT / NN,   P_N = -(c_N + NT P_T) / NN      |P_T| < mu P_N
//   slip    P_T = d P_N,  d = mu or -mu with the sign of the P_T above,   P_N = -c_N / (NN + d NT)
//   open    c_N >= 0:  P_N = P_T = 0
//
// NN, NT, TN, TT are the entries of G of the contact. Two contacts p and q with percussions P and Q and the coupling X
// = G_pq (rows of p, columns of q) are solved by nested elimination, with at most three solutions of one contact:
//
//   1. Assume that p sticks, eliminate p, and solve q. Accept if the resulting P_p lies in the friction cone.
//   2. Otherwise p slips, and its friction has the direction of this P_p. Eliminate p and solve q again. Accept if p
//      has P_N > 0.
//   3. Otherwise p opens. Solve q alone.
//
//   p sticks   the entries of q become G_qq - X^T G_pp^-1 X and c_q - X^T G_pp^-1 c_p, with G_pp^-1 from L D L^T
//   p slips    P_p = -(c_N + XNN Q_N + XNT Q_T) / (NN + d NT); the matrix of q becomes unsymmetric
//
// If the effective normal inertia is positive in every mode, the result is the solution. Other pairs can have several
// solutions or none, as in Painleve's paradox, and the result can be wrong. QuickVerdict (contact/judge.hpp), which
// evaluate() computes independently of the modes, then rejects the result.
//
// Dependent tangents: if w_N and w_T of a contact are linearly dependent, as with one degree of freedom, D consists of
// rounding errors. Such a contact has P_T = 0 unless it slips. If both contacts share one tangent, for example two
// corners of one face, only the sum of their friction percussions is determined. The sum is distributed in proportion
// to mu P_N. If there is a distribution with which both contacts stick, both also stick with this one.
//
// An absent contact has c = 0 and no coupling, so its result is open.
//
// Exact, ClosedForms and cascades that begin with one of these two try the direct solution first
// (step/contacts_for.hpp). If a pair is rejected, the fallback first tries the direct solution with p and q exchanged.
//
// ClosedForms selects the direct solution with a fixed number of prox sweeps (sweeps.hpp) as the only fallback solver.
// The sweeps solve problems with three or more closed contacts, and pairs that the direct solution does not solve in
// either order. Such a step is counted in report.fallbacks, and the acceptance test classifies it as ok, inexact or
// no_solution. The workspace of the sweeps is on the stack.
//
// Use ClosedForms on controllers with little memory if at most two contacts are closed simultaneously. If three or more
// closed contacts are common, use Exact.
#pragma once

#include "moreau/contact/closed_contact.hpp"
#include "moreau/contact/judge.hpp"
#include "moreau/solve/shared_tangent.hpp"
#include "moreau/solve/sweeps.hpp"

namespace moreau {

// Options of the direct solution with sweeps as the only fallback.
struct ClosedForms {
  int sweeps = 50;  // number of sweeps of a fallback, 1 to 10000

  constexpr bool valid() const { return sweeps >= 1 && sweeps <= 10000; }
};

template <class Problem>
struct Workspace<ClosedForms, Problem> : Workspace<Sweeps, Problem> {};

namespace detail {

// True if the fallback has its workspace on the stack and is compiled for size.
template <class Solver>
constexpr bool is_small = std::is_same_v<Solver, ClosedForms>;

template <class Problem, class Real>
int percussions_of(const Problem& problem, const ClosedForms& options, Workspace<ClosedForms, Problem>& work,
                   typename Problem::Percussions& P, const Judge<Real>&) {
  clear_idle_rows(problem, P);
  sweep_all<Branching>(problem, Sweeps{options.sweeps}, work.old, P);
  return options.sweeps;
}

// Relative threshold of a diagonal entry of G after elimination. A smaller entry consists of rounding errors.
template <class Real>
constexpr Real negligible_diagonal = Real(64) * epsilon<Real>;

// Returns the threshold for a tangential diagonal entry TT; positive also for TT = 0.
template <class Real>
Real least_diagonal(Real TT) {
  return negligible_diagonal<Real> * TT + std::numeric_limits<Real>::min();
}

// Returns the percussion of one contact. If D < least_D, D counts as 0, and P_T is 0 in sticking. The contact then
// sticks if |r| < held mu P_N, where r is xi_T at P_T = 0 and `held` replaces D.
template <class Flow, class Real>
Percussion<Real> one_contact(const PlanarContact<Real>& p, Real least_D, Real held) {
  const auto open = !Flow::negative(p.c_N);
  if (Flow::may_exit(open)) return {};
  const Real i = Real(1) / p.NN, k = p.NT * i, N_0 = -p.c_N * i;
  const Real D = p.TT - p.TN * k, r = p.c_T + p.TN * N_0;
  const auto parallel = Flow::less(D, least_D);
  const Real T = -r / select<Flow>(parallel, held, D), P_T = select<Flow>(parallel, Real(0), T);
  const Real P_N = N_0 - k * P_T;
  const auto stick = Flow::less(absolute(T), p.mu * P_N);
  if (Flow::may_exit(stick)) return {P_N, P_T};
  const Real drag = flip_sign(T, p.mu);
  Percussion<Real> P;
  P.N = N_0 / (Real(1) + drag * k);
  P.T = drag * P.N;
  Flow::assign_if(stick, P.N, P_N, P.T, P_T);
  Flow::assign_if(open, P.N, Real(0), P.T, Real(0));
  return P;
}
// As above, with the threshold for p.TT.
template <class Flow, class Real>
Percussion<Real> one_contact(const PlanarContact<Real>& p) {
  const Real least_D = least_diagonal(p.TT);
  return one_contact<Flow>(p, least_D, least_D);
}

// Distributes the sum of the friction percussions of two contacts with parallel tangents that do not both slip. Leaves
// P and Q unchanged if this would change any xi by more than rounding errors. keeps_others(ratio, sum, size) returns
// true if the velocities of all other laws remain unchanged.
template <class Flow, class Real, class KeepsOthers>
void share_friction(const PlanarContact<Real>& p, const PlanarContact<Real>& q, const Coupling<Real>& x,
                    Percussion<Real>& P, Percussion<Real>& Q, const KeepsOthers& keeps_others) {
  // Largest fraction of the friction limit up to which the sum is distributed. Closer to the limit, rounding errors
  // would determine which contact slips.
  constexpr Real inside = Real(1) - Real(16) * epsilon<Real>;
  const Real of_p = p.mu * P.N;
  const auto acts = Flow::positive(of_p);
  if (Flow::may_exit(!acts)) return;
  const SharedFriction<Real> shared{of_p, q.mu, Q.N, x.TT / p.TT};
  const Real ratio = shared.ratio, sum = P.T + ratio * Q.T, most = shared.limit();
  const auto held = Flow::less(absolute(sum), inside * most);
  if (Flow::may_exit(!held)) return;
  const Real across = (absolute(x.NT - ratio * p.NT) + absolute(q.NT - ratio * x.TN)) + absolute(q.TT - ratio * x.TT);
  const Real size = absolute(P.T) + absolute(ratio * Q.T);  // magnitude of the friction to be distributed
  const Real change = absolute(q.c_T - ratio * p.c_T) + across * size, v = absolute(q.c_T) + q.TT * size;
  const auto share = acts && held && Flow::less(change, Real(16) * epsilon<Real> * v) && keeps_others(ratio, sum, size);
  if (Flow::may_exit(!share)) return;
  const Real part = sum / most;
  Flow::assign_if(share, P.T, shared.first(part), Q.T, shared.second(part));
}

template <class Flow, class Real>
void share_friction(const PlanarContact<Real>& p, const PlanarContact<Real>& q, const Coupling<Real>& x,
                    Percussion<Real>& P, Percussion<Real>& Q) {
  share_friction<Flow>(p, q, x, P, Q, [](Real, Real, Real) { return Flow::condition(true); });
}

// Computes the percussions of two contacts. x: the entries of G between the rows of p and the columns of q.
template <class Flow, class Real>
void two_contacts(const PlanarContact<Real>& p, const PlanarContact<Real>& q, const Coupling<Real>& x,
                  Percussion<Real>& P, Percussion<Real>& Q) {
  const Real least_D_p = least_diagonal(p.TT), least_D_q = least_diagonal(q.TT);
  const Real least_NN = negligible_diagonal<Real> * q.NN;
  PlanarContact<Real> rest = q;  // q after the elimination of p

  // Let p stick: G_pp = L diag(NN, D) L^T, L = (1 0; k 1).
  const Real i = Real(1) / p.NN, k = p.NT * i, D = p.TT - p.NT * k;
  const auto parallel = Flow::less(D, least_D_p);
  const Real j = Real(1) / select<Flow>(parallel, least_D_p, D), j_T = select<Flow>(parallel, Real(0), j);
  const Real by_N = x.TN - k * x.NN, by_T = x.TT - k * x.NT, z = p.c_T - k * p.c_N;
  const Real N_i = x.NN * i, T_i = x.NT * i, N_j = by_N * j_T, T_j = by_T * j_T;
  rest.NN = Flow::larger(q.NN - (x.NN * N_i + by_N * N_j), least_NN);
  rest.NT = rest.TN = q.NT - (x.NN * T_i + by_N * T_j);
  rest.TT = q.TT - (x.NT * T_i + by_T * T_j);
  rest.c_N = q.c_N - (N_i * p.c_N + N_j * z);
  rest.c_T = q.c_T - (T_i * p.c_N + T_j * z);
  // With parallel tangents, the residual velocity of q must be below the acceptance tolerance.
  const Percussion<Real> Q_stick = one_contact<Flow>(rest, least_D_q, Real(0.125) * least_D_q);
  const Real T = -((z + by_N * Q_stick.N) + by_T * Q_stick.T) * j;
  Percussion<Real> P_stick;
  P_stick.T = select<Flow>(parallel, Real(0), T);
  P_stick.N = -((p.c_N + x.NN * Q_stick.N) + x.NT * Q_stick.T) * i - k * P_stick.T;
  const auto sticks = Flow::less(absolute(T), p.mu * P_stick.N);

  // Let p slip.
  if (!Flow::may_exit(sticks)) {
    const Real drag = flip_sign(T, p.mu), i_d = Real(1) / (p.NN + drag * p.NT);
    const Real by_N_i = (x.NN + drag * x.TN) * i_d, by_T_i = (x.NT + drag * x.TT) * i_d;
    rest.NN = Flow::larger(q.NN - by_N_i * x.NN, least_NN);
    rest.NT = q.NT - by_N_i * x.NT;
    rest.TN = q.NT - by_T_i * x.NN;
    rest.TT = q.TT - by_T_i * x.NT;
    rest.c_N = q.c_N - by_N_i * p.c_N;
    rest.c_T = q.c_T - by_T_i * p.c_N;
    Q = one_contact<Flow>(rest, least_D_q, least_D_q);
    P.N = -((p.c_N + x.NN * Q.N) + x.NT * Q.T) * i_d;
    P.T = drag * P.N;

    // Let p open.
    const auto opens = !Flow::positive(P.N);
    if (!Flow::may_exit(!opens)) {
      const Percussion<Real> alone = one_contact<Flow>(q, least_D_q, least_D_q);
      Flow::assign_if(opens, P.N, Real(0), P.T, Real(0));
      Flow::assign_if(opens, Q.N, alone.N, Q.T, alone.T);
    }
  }
  Flow::assign_if(sticks, P.N, P_stick.N, P.T, P_stick.T);
  Flow::assign_if(sticks, Q.N, Q_stick.N, Q.T, Q_stick.T);
  share_friction<Flow>(p, q, x, P, Q);
}

// Velocity xi of one row, and its scale v: |c| plus the magnitudes of the products of G with the percussions.
template <class Real>
struct RowSum {
  Real xi, v;

  template <class... Products>
  explicit RowSum(Real c, Products... products)
      : xi((c + ... + products)), v((absolute(c) + ... + absolute(products))) {}
  void add(Real product) {
    xi += product;
    v += absolute(product);
  }
};

// Returns the verdict for one contact and stores its percussions and sigma in `result`. The scale s = NN + TT is at
// least that of evaluate() in contact/judge.hpp. The violation e increases with s, so the test is conservative.
template <class Flow, class Real>
QuickVerdict<Flow, Real> evaluate(const PlanarContact<Real>& p, const Percussion<Real>& P, const RowSum<Real>& N,
                                  const RowSum<Real>& T, const Judge<Real>& judge, ContactResult<Real>& result) {
  using Row = QuickVerdict<Flow, Real>;
  const Real s = p.NN + p.TT, carried_N = s * P.N, carried_T = s * P.T, limit = s * (p.mu * P.N);
  result = {P.N, P.T, sigma_N<Flow>(Flow::condition(true), carried_N, N.xi, judge.sigma_margin * N.v),
            sigma_T<Flow>(Flow::condition(true), absolute(carried_T - T.xi), limit, judge.sigma_margin * T.v)};
  return Row(miss_N<Flow>(carried_N, N.xi), N.v, p.c_N) +
         Row(absolute(miss_T<Flow>(carried_T, limit, T.xi)), T.v, p.c_T);
}

// Solves one contact. Returns the verdict.
template <class Flow, class Real>
QuickVerdict<Flow, Real> solve_one(const PlanarContact<Real>& p, const Judge<Real>& judge,
                                   ContactResult<Real>& result) {
  const Percussion<Real> P = one_contact<Flow>(p);
  return evaluate<Flow>(p, P, RowSum<Real>(p.c_N, p.NN * P.N, p.NT * P.T), RowSum<Real>(p.c_T, p.NT * P.N, p.TT * P.T),
                        judge, result);
}

// Solves two contacts. Returns the verdict for both.
template <class Flow, class Real>
QuickVerdict<Flow, Real> solve_two(const PlanarContact<Real>& p, const PlanarContact<Real>& q, const Coupling<Real>& x,
                                   const Judge<Real>& judge, ContactResult<Real>& of_p, ContactResult<Real>& of_q) {
  Percussion<Real> P, Q;
  two_contacts<Flow>(p, q, x, P, Q);
  return evaluate<Flow>(q, Q, RowSum<Real>(q.c_N, q.NN * Q.N, q.NT * Q.T, x.NN * P.N, x.TN * P.T),
                        RowSum<Real>(q.c_T, q.NT * Q.N, q.TT * Q.T, x.NT * P.N, x.TT * P.T), judge, of_q) +
         evaluate<Flow>(p, P, RowSum<Real>(p.c_N, p.NN * P.N, p.NT * P.T, x.NN * Q.N, x.NT * Q.T),
                        RowSum<Real>(p.c_T, p.NT * P.N, p.TT * P.T, x.TN * Q.N, x.TT * Q.T), judge, of_p);
}

// Solves a pair that DirectContacts rejects. DirectContacts eliminates the second contact first, and the assumption
// that it sticks can predict the wrong direction of slip. This function eliminates the first contact first. Returns
// false and leaves P unchanged if this order is rejected as well, if DirectContacts accepts the pair, or if the problem
// is not a pair with friction.
template <class Problem>
MOREAU_COLD MOREAU_NOINLINE MOREAU_FLATTEN bool solve_rejected_pair(const Problem& problem,
                                                                    const Judge<typename Problem::Real>& judge,
                                                                    typename Problem::Percussions& P) {
  using Real = typename Problem::Real;
  if (problem.k != 2 || problem.elements != 0) return false;
  if (!(problem.diagonal(1) > Real(0) && problem.diagonal(3) > Real(0))) return false;
  const auto G = [&problem](int r, int s) { return problem.G.coeff(r, s); };
  const auto contact = [&](int n) {
    return PlanarContact<Real>{G(n, n),
                               G(n, n + 1),
                               G(n + 1, n),
                               G(n + 1, n + 1),
                               problem.c.coeff(n),
                               problem.c.coeff(n + 1),
                               problem.mu.coeff(n / 2)};
  };
  for (const int p : {2, 0}) {
    const int q = 2 - p;
    ContactResult<Real> of_p, of_q;
    const Coupling<Real> x{G(p, q), G(p, q + 1), G(p + 1, q), G(p + 1, q + 1)};
    if (solve_two<Branching>(contact(p), contact(q), x, judge, of_p, of_q).rejected(judge)) continue;
    if (p == 2) return false;
    P.coeffRef(p) = of_p.P_N;
    P.coeffRef(p + 1) = of_p.P_T;
    P.coeffRef(q) = of_q.P_N;
    P.coeffRef(q + 1) = of_q.P_T;
    return true;
  }
  return false;
}

}  // namespace detail
}  // namespace moreau
