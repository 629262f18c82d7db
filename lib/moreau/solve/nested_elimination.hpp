// Nested elimination: direct solution of several closed planar contacts and friction elements. The rule for two
// contacts (closed_forms.hpp) is applied recursively. The last law is eliminated, the remaining ones are solved by the
// same rule:
//
//   contact, rows N and T; A, b: equations after the previous eliminations, at first G and c
//     1. stick    i = 1 / A_NN,  k = A_NT i,  D = A_TT - A_TN k,  B_s = A_Ts - A_TN i A_Ns,  z = b_T - A_TN i b_N
//                 A_rs - (u_r A_Ns + v_r B_s),  b_r - (u_r b_N + v_r z),   u_r = A_rN i,  v_r = (A_rT - k A_rN) / D
//                 P_T = -(z + B Q) / D,  P_N = -(b_N + A_N Q) i - k P_T           accepted if |P_T| < mu P_N
//     2. slip     d = mu or -mu with the sign of this P_T,  i = 1 / (A_NN + d A_NT),  u_r = (A_rN + d A_rT) i
//                 A_rs - u_r A_Ns,  b_r - u_r b_N
//                 P_N = -(b_N + A_N Q) i,  P_T = d P_N                            accepted if P_N > 0
//     3. open     the remaining laws alone
//   friction element, row T
//     1. stick    A_rs - A_rT A_Ts / A_TT,   P_T = -(b_T + A_T Q) / A_TT          accepted if |P_T| < bound
//     2. slip     P_T = bound or -bound with the sign of this P_T,   b_r + A_rT P_T
//
// Q is the solution of the remaining laws in the respective case. k contacts take at most 3^(k-1) solutions of one
// contact, e elements 2^e. The result is a pure function of the problem; it needs no warm start. If the contacts are
// frictionless, the problem is convex and the result is its solution. In general a wrong slip direction is possible, as
// with two contacts. QuickVerdict (contact/judge.hpp), which is independent of the modes, then rejects the result.
//
// Elements have the first rows and are therefore eliminated last, because an elimination costs least when few rows
// remain.
//
// An absent contact has c = 0 and no couplings, so its result is open and does not affect the others. Branching skips
// it.
//
// Diagonal entries are limited as in closed_forms.hpp, relative to the entries of G. For two contacts the percussions
// are bit-identical to those of two_contacts().
//
// `Laws` defines numbers and couplings at compile time. Entries between laws that are not coupled are neither stored
// nor multiplied. With Laws::unrolled all indices are compile-time constants; otherwise the loops save code size.
#pragma once

#include "moreau/solve/closed_forms.hpp"

namespace moreau {
namespace detail {

// Largest number of contacts, and of friction elements, in nested elimination.
constexpr int most_nested = 4;

// Laws that are all coupled: friction elements 0 .. e - 1, followed by contacts.
template <int e, int k, bool unroll = false>
struct CoupledLaws {
  static constexpr int elements = e, contacts = k, count = e + k;
  static constexpr bool unrolled = unroll;
  // Returns true if the laws a and b can be coupled after the elimination of the laws from n on.
  static constexpr bool coupled(int, int, int) { return true; }
  // Returns true if the contacts a and b can have a common tangent.
  static constexpr bool may_share(int, int) { return true; }
};

// First row of law i; for i = Laws::count, the number of rows.
template <class Laws>
constexpr int first_row(int i) {
  return i <= Laws::elements ? i : 2 * i - Laws::elements;
}
template <class Laws>
constexpr int law_of(int row) {
  return row < Laws::elements ? row : (row + Laws::elements) / 2;
}

// Equations of the first n laws: xi = A P + b.
template <class Real, class Laws, int n>
struct LawEquations {
  static constexpr int rows = first_row<Laws>(n);
  Real A[rows + 1][rows + 1], b[rows + 1];  // one entry more, because no array may be empty
};

// Contact problem of nested elimination.
template <class Real, class Laws, int n = Laws::count>
struct LawProblem : LawEquations<Real, Laws, n> {
  Real limit[n + 1];       // friction coefficient of a contact, bound (N s) of an element; 0 for a zero direction
  unsigned present = ~0u;  // bit i: law i is present
};

template <class Flow, class Real_, class Laws>
class NestedElimination {
 public:
  using Real = Real_;
  using Condition = typename Flow::Condition;
  template <int n>
  using Equations = LawEquations<Real, Laws, n>;

  // Computes the percussions of a problem of the first n laws.
  template <int n>
  MOREAU_ALWAYS_INLINE static void solve(const LawProblem<Real, Laws, n>& problem, Real* P) {
    NestedElimination all;
    all.present_ = problem.present;
    over<n>([&](auto i) {
      const int N = first_row<Laws>(i), T = i < Laws::elements ? N : N + 1;
      all.limit_[i] = problem.limit[i];
      all.least_N_[i] = negligible_diagonal<Real> * problem.A[N][N];
      all.least_T_[i] = least_diagonal(problem.A[T][T]);
    });
    all.template solve_first<n, true>(problem, Real(1), P);
  }

 private:
  template <int n>
  static constexpr int rows = first_row<Laws>(n);

  // Calls f(0), ..., f(count - 1).
  template <int count, class F>
  MOREAU_ALWAYS_INLINE static void over(const F& f) {
    if constexpr (Laws::unrolled)
      for_each_index<count>(f);
    else
      for (int r = 0; r < count; ++r) f(r);
  }
  // True if rows r and s are coupled by the equations of the first n laws.
  template <int n>
  MOREAU_ALWAYS_INLINE static constexpr bool coupled(int r, int s) {
    return Laws::coupled(n, law_of<Laws>(r), law_of<Laws>(s));
  }
  // Returns b_r + A_r Q for the last rows of the first n laws.
  template <int n>
  MOREAU_ALWAYS_INLINE static Real sum(Real b, const Real* A_r, const Real* Q) {
    over<rows<n - 1>>([&](auto s) {
      if (coupled<n>(rows<n - 1>, s)) b += A_r[s] * Q[s];
    });
    return b;
  }

  // Product of a column u and a row (w, b), the change of A and b by one eliminated percussion.
  struct Term {
    const Real *u, *w;
    Real b;
  };
  // Sets the equations of the first n - 1 laws: A_rs - sum u_r w_s if law n - 1 is coupled with both, b_r - sum u_r b.
  // `symmetric`: A_rs for s <= r determines A_sr.
  template <int n, bool symmetric, class... Terms>
  MOREAU_ALWAYS_INLINE void reduce(const Equations<n>& of, Equations<n - 1>& rest, const Terms&... terms) const {
    constexpr int last = rows<n - 1>;
    over<last>([&](auto r) {
      const bool changes = coupled<n>(r, last);
      over<last>([&](auto s) {
        if (symmetric && s > r) return;
        if (changes && coupled<n>(last, s))
          rest.A[r][s] = (coupled<n>(r, s) ? of.A[r][s] : Real(0)) - (... + (terms.u[r] * terms.w[s]));
        else if (coupled<n>(r, s))
          rest.A[r][s] = of.A[r][s];
        else
          return;
        if (symmetric && s < r) rest.A[s][r] = rest.A[r][s];
      });
      rest.b[r] = changes ? of.b[r] - (... + (terms.u[r] * terms.b)) : of.b[r];
    });
    over<n - 1>([&](auto i) {
      const int N = first_row<Laws>(i);
      if (i >= Laws::elements && coupled<n>(N, last)) rest.A[N][N] = Flow::larger(rest.A[N][N], least_N_[i]);
    });
  }
  // Copies the equations of the first n - 1 laws.
  template <int n>
  MOREAU_ALWAYS_INLINE static void truncate(const Equations<n>& of, Equations<n - 1>& rest) {
    over<rows<n - 1>>([&](auto r) {
      over<rows<n - 1>>([&](auto s) {
        if (coupled<n>(r, s))
          rest.A[r][s] = of.A[r][s];
        else if (coupled<n - 1>(r, s))
          rest.A[r][s] = Real(0);
      });
      rest.b[r] = of.b[r];
    });
  }

  // Solves the first n laws. `held` scales the threshold up to which one_contact() lets a contact with parallel
  // directions stick. It is smaller after the elimination of a sticking contact, because the residual velocity must
  // stay below the acceptance tolerance.
  template <int n, bool symmetric>
  MOREAU_ALWAYS_INLINE void solve_first(const Equations<n>& of, Real held, Real* P) const {
    if constexpr (n == 0) {
      (void)of, (void)held, (void)P;
    } else if constexpr (n <= Laws::elements) {
      solve_element<n, symmetric>(of, P);
    } else if constexpr (n == 1) {
      const PlanarContact<Real> p{of.A[0][0], of.A[0][1], of.A[1][0], of.A[1][1], of.b[0], of.b[1], limit_[0]};
      const Percussion<Real> one = one_contact<Flow>(p, least_T_[0], held * least_T_[0]);
      P[0] = one.N;
      P[1] = one.T;
    } else if constexpr (Laws::unrolled) {
      solve_contact<n, symmetric>(of, held, P);
    } else {
      solve_contact_apart<n>(of, held, P);
    }
  }
  // Not inlined, so the code of each level exists once.
  template <int n>
  MOREAU_NOINLINE void solve_contact_apart(const Equations<n>& of, Real held, Real* P) const {
    solve_contact<n, false>(of, held, P);
  }

  template <int n, bool symmetric>
  MOREAU_ALWAYS_INLINE void solve_contact(const Equations<n>& of, Real held, Real* P) const {
    constexpr int N = rows<n - 1>, T = N + 1;
    constexpr Real after_stick = Real(0.125);
    const Real mu = limit_[n - 1];
    Equations<n - 1> rest;
    if (Flow::may_exit(Flow::condition((present_ >> (n - 1) & 1u) == 0))) {
      truncate<n>(of, rest);
      solve_first<n - 1, symmetric>(rest, held, P);
      P[N] = P[T] = Real(0);
      return;
    }

    // Let the contact stick.
    const Real i = Real(1) / of.A[N][N], k = of.A[N][T] * i, k_r = symmetric ? k : of.A[T][N] * i;
    const Real D = of.A[T][T] - of.A[T][N] * k, z = of.b[T] - k_r * of.b[N];
    const auto parallel = Flow::less(D, least_T_[n - 1]);
    const Real j = Real(1) / select<Flow>(parallel, least_T_[n - 1], D), j_T = select<Flow>(parallel, Real(0), j);
    Real u[T], v[T], B[T];
    over<N>([&](auto s) {
      if (coupled<n>(N, s)) B[s] = of.A[T][s] - k_r * of.A[N][s];
    });
    over<N>([&](auto r) {
      if (!coupled<n>(r, N)) return;
      u[r] = of.A[r][N] * i;
      v[r] = (symmetric ? B[r] : of.A[r][T] - k * of.A[r][N]) * j_T;
    });
    reduce<n, symmetric>(of, rest, Term{u, of.A[N], of.b[N]}, Term{v, B, z});
    Real Q[T + 1];
    solve_first<n - 1, symmetric>(rest, after_stick, Q);
    const Real T_stick = -sum<n>(z, B, Q) * j;
    Q[T] = select<Flow>(parallel, Real(0), T_stick);
    Q[N] = -sum<n>(of.b[N], of.A[N], Q) * i - k * Q[T];
    const auto sticks = Flow::less(absolute(T_stick), mu * Q[N]);

    // Let the contact slip.
    if (!Flow::may_exit(sticks)) {
      const Real d = flip_sign(T_stick, mu), i_d = Real(1) / (of.A[N][N] + d * of.A[N][T]);
      over<N>([&](auto r) {
        if (coupled<n>(r, N)) u[r] = (of.A[r][N] + d * of.A[r][T]) * i_d;
      });
      reduce<n, false>(of, rest, Term{u, of.A[N], of.b[N]});
      solve_first<n - 1, false>(rest, Real(1), P);
      P[N] = -sum<n>(of.b[N], of.A[N], P) * i_d;
      P[T] = d * P[N];

      // Let the contact open.
      const auto opens = !Flow::positive(P[N]);
      if (!Flow::may_exit(!opens)) {
        Real alone[T + 1];
        truncate<n>(of, rest);
        solve_first<n - 1, symmetric>(rest, held, alone);
        alone[N] = alone[T] = Real(0);
        choose<T + 1>(opens, P, alone);
      }
    }
    choose<T + 1>(sticks, P, Q);
  }

  // All laws are elements.
  template <int n, bool symmetric>
  MOREAU_ALWAYS_INLINE void solve_element(const Equations<n>& of, Real* P) const {
    constexpr int T = n - 1;
    const Real i = Real(1) / Flow::larger(of.A[T][T], least_T_[T]);
    Equations<n - 1> rest;
    Real Q[n];

    // Let the element stick.
    Real u[n];
    over<T>([&](auto r) {
      if (coupled<n>(r, T)) u[r] = of.A[r][T] * i;
    });
    reduce<n, symmetric>(of, rest, Term{u, of.A[T], of.b[T]});
    solve_first<n - 1, symmetric>(rest, Real(1), Q);
    Q[T] = -sum<n>(of.b[T], of.A[T], Q) * i;
    const auto sticks = Flow::less(absolute(Q[T]), limit_[T]);

    // Let the element slip.
    if (!Flow::may_exit(sticks)) {
      const Real bound = flip_sign(Q[T], limit_[T]);
      truncate<n>(of, rest);
      over<T>([&](auto r) {
        if (coupled<n>(r, T)) rest.b[r] += of.A[r][T] * bound;
      });
      solve_first<n - 1, symmetric>(rest, Real(1), P);
      P[T] = bound;
    }
    choose<n>(sticks, P, Q);
  }

  // if (c) P = a;
  template <int count>
  MOREAU_ALWAYS_INLINE static void choose(Condition c, Real* P, const Real* a) {
    over<count / 2>([&](auto r) { Flow::assign_if(c, P[2 * r], a[2 * r], P[2 * r + 1], a[2 * r + 1]); });
    if constexpr (count % 2 != 0) Flow::assign_if(c, P[count - 1], a[count - 1]);
  }

  Real limit_[Laws::count + 1], least_N_[Laws::count + 1], least_T_[Laws::count + 1];
  unsigned present_;
};

}  // namespace detail
}  // namespace moreau
