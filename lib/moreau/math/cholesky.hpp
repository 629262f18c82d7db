// Inverse of the symmetric positive definite mass matrix M. All classes have the same interface:
//
//   factor(M)           factors M; returns false if M is not positive definite
//   solve<Sparsity>(b)  returns M^-1 b; b_i must be 0 if Sparsity::entry(i) is false
//
//   Cholesky            M = L D L^T without square roots
//   SparseCholesky      M = L D L^T without the entries that are zero by a compile-time pattern
//   Inverse             M^-1 entry by entry, for a constant M; a vector with one nonzero entry needs one column
//   DiagonalInverse     1 / M_ii
//   Cached              any of these, stored across steps with a checksum of M
//
// The classes read the lower triangle of M only. They do not use Eigen's decompositions, which reference malloc above a
// certain matrix size.
//
// SparseCholesky computes
//
//   (L D)_ij = M_ij - sum_k<j (L D)_ik L_jk
//
// with fill-in: L_ij can be nonzero if M_ij can be nonzero, or if L_ik and L_jk can both be nonzero for some k < j.
// Pattern::entry(i, j), a static constexpr function for i >= j, is true if M_ij can be nonzero. All loops are unrolled;
// the class is intended for small n. The order of the sums is that of Cholesky.
//
// Example: for the woodpecker, M^-1 w_N takes 3 multiplications with Inverse and 18 operations with L D L^T.
#pragma once

#include <array>

#include "moreau/math/bits.hpp"
#include "moreau/math/branching.hpp"

namespace moreau {
namespace detail {

// Sparsity of a vector without known zeros.
struct AllEntries {
  static constexpr bool entry(int) { return true; }
};

// L D L^T factorisation with loops.
template <class Real, int n>
class Cholesky {
 public:
  // Pivot threshold relative to M_jj: a pivot below it consists of rounding errors, and M is numerically singular.
  static constexpr Real singular_pivot = Real(2 * (n + 1)) * epsilon<Real>;

  // Factors M. Returns false if M is not positive definite or a pivot is NaN.
  [[nodiscard]] bool factor(const Matrix<Real, n, n>& M) {
    bool positive = true;
    for (int j = 0; j < n; ++j) {
      Real d = M.coeff(j, j);
      for (int k = 0; k < j; ++k) {
        const Real LD = L_.coeff(j, k);  // rows from j on contain L D, rows above j contain L
        L_.coeffRef(j, k) = LD * D_inverse_.coeff(k);
        d -= LD * L_.coeff(j, k);
      }
      positive &= d > singular_pivot * M.coeff(j, j);  // without a jump; d <= M_jj, hence false if M_jj <= 0
      D_inverse_.coeffRef(j) = Real(1) / d;
      for (int i = j + 1; i < n; ++i) {
        Real sum = M.coeff(i, j);
        for (int k = 0; k < j; ++k) sum -= L_.coeff(i, k) * L_.coeff(j, k);
        L_.coeffRef(i, j) = sum;
      }
    }
    return positive;
  }

  template <class Sparsity = AllEntries>
  MOREAU_ALWAYS_INLINE Vector<Real, n> solve(const Vector<Real, n>& b) const {
    Vector<Real, n> x;
    for_each_index<n>([&](auto i) { x.coeffRef(i) = Sparsity::entry(i) ? b.coeff(i) : Real(0); });
    for (int i = 1; i < n; ++i)
      for (int k = 0; k < i; ++k) x.coeffRef(i) -= L_.coeff(i, k) * x.coeff(k);
    for (int i = 0; i < n; ++i) x.coeffRef(i) *= D_inverse_.coeff(i);
    for (int i = n - 2; i >= 0; --i)
      for (int k = i + 1; k < n; ++k) x.coeffRef(i) -= L_.coeff(k, i) * x.coeff(k);
    return x;
  }
  // Returns pivot j of the last factorisation; after a failure, valid up to the first pivot below the threshold.
  Real pivot(int j) const { return Real(1) / D_inverse_.coeff(j); }

 private:
  Matrix<Real, n, n> L_;  // strictly lower triangle
  Vector<Real, n> D_inverse_;
};

template <int i>
using Index = std::integral_constant<int, i>;

// Calls f(first), ..., f(last - 1), unrolled.
template <int first, int last, class F>
MOREAU_ALWAYS_INLINE void written_out(const F& f) {
  if constexpr (last > first)
    unroll([&](auto i) { f(Index<first + decltype(i)::value>{}); }, std::make_integer_sequence<int, last - first>{});
}

// Returns the pattern of L with fill-in: true for entries that can be nonzero.
template <class Pattern, int n>
constexpr auto filled() {
  std::array<std::array<bool, std::size_t(n)>, std::size_t(n)> L{};
  for (int j = 0; j < n; ++j)
    for (int i = j + 1; i < n; ++i) {
      bool any = Pattern::entry(i, j);
      for (int k = 0; k < j; ++k) any = any || (L[std::size_t(i)][std::size_t(k)] && L[std::size_t(j)][std::size_t(k)]);
      L[std::size_t(i)][std::size_t(j)] = any;
    }
  return L;
}

// Unrolled L D L^T factorisation without the zeros of Pattern. It is separate from Cholesky, because with a common
// class a fallback takes 0.8 % more instructions on Cortex-M4F.
template <class Real, int n, class Pattern>
class SparseCholesky {
 public:
  static constexpr Real singular_pivot = Cholesky<Real, n>::singular_pivot;

  [[nodiscard]] bool factor(const Matrix<Real, n, n>& M) {
    Real pivots;
    return factor<Branching>(M, pivots);
  }
  // As above. Sets `pivots` to the sum of the pivots. If this sum is non-finite, the result of Branchless is arbitrary.
  template <class Flow>
  [[nodiscard]] typename Flow::Condition factor(const Matrix<Real, n, n>& M, Real& pivots) {
    auto positive = Flow::condition(true);
    written_out<0, n>([&](auto j) {
      Real d = M.coeff(j, j);
      written_out<0, j>([&](auto k) {
        if constexpr (fills(j, k)) {
          const Real LD = L_.coeff(j, k);  // rows from j on contain L D, rows above j contain L
          L_.coeffRef(j, k) = LD * D_inverse_.coeff(k);
          d -= LD * L_.coeff(j, k);
        }
      });
      // d <= M_jj if all previous pivots are positive, hence false if M_jj <= 0
      positive = positive && Flow::less(singular_pivot * M.coeff(j, j), d);
      pivots = j == 0 ? d : pivots + d;
      D_inverse_.coeffRef(j) = Real(1) / d;
      written_out<j + 1, n>([&](auto i) {
        if constexpr (fills(i, j)) {
          Real sum = Index<Pattern::entry(i, j)>::value ? M.coeff(i, j) : Real(0);
          written_out<0, j>([&](auto k) {
            if constexpr (fills(i, k) && fills(j, k)) sum -= L_.coeff(i, k) * L_.coeff(j, k);
          });
          L_.coeffRef(i, j) = sum;
        }
      });
    });
    return positive;
  }

  template <class Sparsity = AllEntries>
  Vector<Real, n> solve(const Vector<Real, n>& b) const {
    Vector<Real, n> x;
    written_out<0, n>([&](auto i) { x.coeffRef(i) = Index<Sparsity::entry(i)>::value ? b.coeff(i) : Real(0); });
    written_out<1, n>([&](auto i) {
      written_out<0, i>([&](auto k) {
        if constexpr (fills(i, k) && reaches<Sparsity>(k)) x.coeffRef(i) -= L_.coeff(i, k) * x.coeff(k);
      });
    });
    written_out<0, n>([&](auto i) { x.coeffRef(i) *= D_inverse_.coeff(i); });
    written_out<1, n>([&](auto behind) {
      constexpr int i = n - 1 - behind;
      written_out<i + 1, n>([&](auto k) {
        if constexpr (fills(k, i)) x.coeffRef(i) -= L_.coeff(k, i) * x.coeff(k);
      });
    });
    return x;
  }
  Real pivot(int j) const { return Real(1) / D_inverse_.coeff(j); }

 private:
  static constexpr bool fills(int i, int j) { return pattern[std::size_t(i)][std::size_t(j)]; }
  static constexpr auto pattern = filled<Pattern, n>();
  // Returns true if entry i of L^-1 b can differ from 0.
  template <class Sparsity>
  static constexpr bool reaches(int i) {
    for (int k = 0; k < i; ++k)
      if (fills(i, k) && reaches<Sparsity>(k)) return true;
    return Sparsity::entry(i);
  }

  Matrix<Real, n, n> L_;  // strictly lower triangle
  Vector<Real, n> D_inverse_;
};

// Factors M. Not inlined, for rarely executed steps.
template <class Inertia, class Real, int n>
MOREAU_COLD MOREAU_NOINLINE MOREAU_FLATTEN bool factor_seldom(Inertia& inertia, const Matrix<Real, n, n>& M) {
  return inertia.factor(M);
}

// Returns the sum of term(j) over the indices with entry(j), in ascending order, or 0 if entry is false for all j.
template <class Real, int n, class Entry, class Term>
MOREAU_ALWAYS_INLINE Real sum_over(const Entry& entry, const Term& term) {
  Real sum = Real(0);
  bool first = true;
  for_each_index<n>([&](auto j) {
    if (!entry(j)) return;
    sum = first ? term(j) : sum + term(j);
    first = false;
  });
  return sum;
}

// Returns a^T b. a_j must be 0 if Sparsity::entry(j) is false.
template <class Sparsity, class Real, int n>
MOREAU_ALWAYS_INLINE Real sparse_dot(const Vector<Real, n>& a, const Vector<Real, n>& b) {
  return sum_over<Real, n>([](int j) { return Sparsity::entry(j); }, [&](auto j) { return a.coeff(j) * b.coeff(j); });
}

// M^-1, stored entry by entry.
template <class Real, int n>
class Inverse {
 public:
  MOREAU_COLD [[nodiscard]] bool factor(const Matrix<Real, n, n>& M) {
    Cholesky<Real, n> L;
    const bool positive = factor_seldom(L, M);
    for (int j = 0; j < n; ++j) {
      Vector<Real, n> unit = Vector<Real, n>::Zero();
      unit.coeffRef(j) = Real(1);
      inverse_.col(j) = L.solve(unit);
    }
    return positive;
  }

  template <class Sparsity = AllEntries>
  MOREAU_ALWAYS_INLINE Vector<Real, n> solve(const Vector<Real, n>& b) const {
    Vector<Real, n> x;
    for_each_index<n>([&](auto i) {
      x.coeffRef(i) =
          sum_over<Real, n>([](int j) { return Sparsity::entry(j); }, [&](auto j) { return entry(i, j) * b.coeff(j); });
    });
    return x;
  }

 private:
  Real entry(int i, int j) const { return i < j ? inverse_.coeff(j, i) : inverse_.coeff(i, j); }
  Matrix<Real, n, n> inverse_;  // lower triangle
};

// Inverse of a diagonal M. Off-diagonal entries of M are not read.
template <class Real, int n>
class DiagonalInverse {
 public:
  [[nodiscard]] bool factor(const Matrix<Real, n, n>& M) {
    bool positive = true;
    for (int d = 0; d < n; ++d) {
      positive = positive && M.coeff(d, d) > Real(0) && M.coeff(d, d) < std::numeric_limits<Real>::infinity();
      inverse_.coeffRef(d) = Real(1) / M.coeff(d, d);
    }
    return positive;
  }
  template <class Sparsity = AllEntries>
  Vector<Real, n> solve(const Vector<Real, n>& b) const {
    Vector<Real, n> x;
    for_each_index<n>([&](auto d) { x.coeffRef(d) = Sparsity::entry(d) ? b.coeff(d) * inverse_.coeff(d) : Real(0); });
    return x;
  }
  Real inverse(int d) const { return inverse_.coeff(d); }

 private:
  Vector<Real, n> inverse_;
};

// Inverse that is stored across steps, with a checksum of its M. The checksum is a rotated sum of the bits of the
// entries of Pattern. No other entry of M is read. A change of one word always changes the checksum. A change of
// several words is missed with a probability of 1 in 4e9. A comparison of all entries would take 12 more instructions
// (Cortex-M4F, three coordinates).
template <class Real, class Pattern, class Inertia>
class Cached : public Inertia {
 public:
  static constexpr int n = Pattern::n;

  MOREAU_ALWAYS_INLINE bool factor(const Matrix<Real, n, n>& M) {
    checksum_ = checksum(M);
    std::array<Real, entries> read;
    each_entry([&](auto i, auto j) { read[place(i, j)] = M.coeff(i, j); });
    return factor(read);
  }
  // Returns true if the stored inverse belongs to M.
  MOREAU_ALWAYS_INLINE bool is_of(const Matrix<Real, n, n>& M) const { return checksum(M) == checksum_; }
  // Returns is_of(at.mass()). The flattened call does not store the zeros of M.
  template <class At>
  MOREAU_FLATTEN bool is_of_mass(const At& at) const {
    return is_of(at.mass());
  }

 private:
  static constexpr std::size_t place(int i, int j) { return std::size_t(Pattern::diagonal ? i : i * (i + 1) / 2 + j); }
  static constexpr std::size_t entries = place(n - 1, n - 1) + 1;
  template <class F>
  MOREAU_ALWAYS_INLINE static void each_entry(const F& f) {
    for_each_index<n>([&](auto i) {
      for_each_index<n>([&](auto j) {
        if (j <= i && Pattern::entry(i, j)) f(i, j);
      });
    });
  }
  static std::uint32_t checksum(const Matrix<Real, n, n>& M) {
    std::uint32_t sum = 0;
    const auto add = [&sum](std::uint32_t word) { sum = cpu::rotated_sum(sum, word); };
    each_entry([&](auto i, auto j) {
      const Bits<Real> bits = to_bits(Real(M.coeff(i, j)));
      add(static_cast<std::uint32_t>(bits));
      if constexpr (sizeof(Real) == 8) add(static_cast<std::uint32_t>(bits >> 32));
    });
    return sum;
  }
  // Factors M. The entries are passed by value, so that M of a step can stay in registers.
  MOREAU_COLD MOREAU_NOINLINE bool factor(std::array<Real, entries> read) {
    Matrix<Real, n, n> M = Matrix<Real, n, n>::Zero();
    each_entry([&](auto i, auto j) { M.coeffRef(i, j) = read[place(i, j)]; });
    if (Inertia::factor(M)) return true;
    checksum_ = ~checksum_;  // invalidates the inverse, so the next step factors M again
    return false;
  }
  std::uint32_t checksum_;
};

}  // namespace detail
}  // namespace moreau
