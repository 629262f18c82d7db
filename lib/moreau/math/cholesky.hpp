// M = L D L^T for a symmetric positive definite M, without square roots and without a library call.
//
// Eigen's own decompositions reference malloc on bare metal from some size on; this one never does.
// Only the lower triangle of M is read.
//
// S = L D L^T where the zeros of S are known at compile time: they are never stored, multiplied or tested.
//
//   (L D)_ij = S_ij - sum_k<j (L D)_ik L_jk        fill-in: L_ij may differ from 0 iff S_ij does, or some k has both
//
// Pattern: static constexpr int n and static constexpr bool entry(int i, int j), i >= j. All loops are written out, so
// this is for small n; the sums run in the order of the dense one, which differs only in computing the zeros.
//
// M^-1 itself, entry by entry, for an M that never changes: a direction with one entry then costs one column.
//
// Woodpecker on Cortex-M4F: M^-1 w_N is 3 multiplications instead of the 18 operations of a solution with L D L^T.
#pragma once

#include <array>

#include "moreau/math/bits.hpp"
#include "moreau/math/branching.hpp"

namespace moreau {
namespace detail {

template <class Real, int n>
class Cholesky {
 public:
  // A pivot this much smaller than its diagonal entry is rounding, not inertia: M is singular to working precision.
  static constexpr Real singular_pivot = Real(2 * (n + 1)) * epsilon<Real>;

  // False where M is not positive definite (a NaN counts as not positive).
  [[nodiscard]] bool factor(const Matrix<Real, n, n>& M) {
    bool positive = true;
    for (int j = 0; j < n; ++j) {
      Real d = M.coeff(j, j);
      for (int k = 0; k < j; ++k) {
        const Real LD = L_.coeff(j, k);  // rows below j hold L D, rows above hold L
        L_.coeffRef(j, k) = LD * D_inverse_.coeff(k);
        d -= LD * L_.coeff(j, k);
      }
      positive = positive && d > singular_pivot * M.coeff(j, j);  // d <= M_jj: false where that is not positive
      D_inverse_.coeffRef(j) = Real(1) / d;
      for (int i = j + 1; i < n; ++i) {
        Real sum = M.coeff(i, j);
        for (int k = 0; k < j; ++k) sum -= L_.coeff(i, k) * L_.coeff(j, k);
        L_.coeffRef(i, j) = sum;
      }
    }
    return positive;
  }

  // M^-1 b
  MOREAU_ALWAYS_INLINE Vector<Real, n> solve(Vector<Real, n> x) const {
    for (int i = 1; i < n; ++i)
      for (int k = 0; k < i; ++k) x.coeffRef(i) -= L_.coeff(i, k) * x.coeff(k);
    for (int i = 0; i < n; ++i) x.coeffRef(i) *= D_inverse_.coeff(i);
    for (int i = n - 2; i >= 0; --i)
      for (int k = i + 1; k < n; ++k) x.coeffRef(i) -= L_.coeff(k, i) * x.coeff(k);
    return x;
  }

 private:
  Matrix<Real, n, n> L_;  // strictly lower part
  Vector<Real, n> D_inverse_;
};

// The same out of line, for what seldom runs.
template <class Real, int n>
MOREAU_COLD MOREAU_NOINLINE MOREAU_FLATTEN bool factor_seldom(Cholesky<Real, n>& factors, const Matrix<Real, n, n>& M) {
  return factors.factor(M);
}

// f(first), ..., f(last - 1), written out.
template <int first, int last, class F>
MOREAU_ALWAYS_INLINE void written_out(F&& f) {
  if constexpr (last > first)
    unroll([&](auto i) { f(std::integral_constant<int, first + decltype(i)::value>{}); },
           std::make_integer_sequence<int, last - first>{});
}

template <class Pattern>
constexpr auto filled() {
  constexpr int n = Pattern::n;
  std::array<std::array<bool, std::size_t(n)>, std::size_t(n)> L{};
  for (int j = 0; j < n; ++j)
    for (int i = j + 1; i < n; ++i) {
      bool any = Pattern::entry(i, j);
      for (int k = 0; k < j; ++k) any = any || (L[std::size_t(i)][std::size_t(k)] && L[std::size_t(j)][std::size_t(k)]);
      L[std::size_t(i)][std::size_t(j)] = any;
    }
  return L;
}

template <class Real, class Pattern>
class SparseCholesky {
 public:
  static constexpr int n = Pattern::n;
  static constexpr Real singular_pivot = Cholesky<Real, n>::singular_pivot;

  // False where S is not positive definite. Only entries of the pattern are read.
  [[nodiscard]] bool factor(const Matrix<Real, n, n>& S) {
    Real pivots;
    return factor<Branching>(S, pivots);
  }
  // The same. Select: arbitrary where the sum of the pivots is no finite number.
  template <class Flow>
  [[nodiscard]] typename Flow::Condition factor(const Matrix<Real, n, n>& S, Real& pivots) {
    auto positive = Flow::condition(true);
    written_out<0, n>([&](auto j) {
      Real d = S.coeff(j, j);
      written_out<0, j>([&](auto k) {
        if constexpr (fills(j, k)) {
          const Real LD = L_.coeff(j, k);  // rows below j hold L D, rows above hold L
          L_.coeffRef(j, k) = LD * D_inverse_.coeff(k);
          d -= LD * L_.coeff(j, k);
        }
      });
      // S_jj > 0 with it: d <= S_jj where the pivots before were positive
      positive = positive && Flow::less(singular_pivot * S.coeff(j, j), d);
      pivots = j == 0 ? d : pivots + d;
      D_inverse_.coeffRef(j) = Real(1) / d;
      written_out<j + 1, n>([&](auto i) {
        if constexpr (fills(i, j)) {
          Real sum = Pattern::entry(i, j) ? S.coeff(i, j) : Real(0);
          written_out<0, j>([&](auto k) {
            if constexpr (fills(i, k) && fills(j, k)) sum -= L_.coeff(i, k) * L_.coeff(j, k);
          });
          L_.coeffRef(i, j) = sum;
        }
      });
    });
    return positive;
  }

  // S^-1 b
  Vector<Real, n> solve(Vector<Real, n> x) const {
    written_out<1, n>([&](auto i) {
      written_out<0, i>([&](auto k) {
        if constexpr (fills(i, k)) x.coeffRef(i) -= L_.coeff(i, k) * x.coeff(k);
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

 private:
  static constexpr auto pattern = filled<Pattern>();
  static constexpr bool fills(int i, int j) { return pattern[std::size_t(i)][std::size_t(j)]; }

  Matrix<Real, n, n> L_;  // strictly lower part
  Vector<Real, n> D_inverse_;
};

// sum of the terms with an index that has an entry, from the first to the last; 0 where none has.
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

// a^T b where a has entries only at Sparsity::entry(j).
template <class Sparsity, class Real, int n>
MOREAU_ALWAYS_INLINE Real sparse_dot(const Vector<Real, n>& a, const Vector<Real, n>& b) {
  return sum_over<Real, n>([](int j) { return Sparsity::entry(j); }, [&](auto j) { return a.coeff(j) * b.coeff(j); });
}

struct AllEntries {
  static constexpr bool entry(int) { return true; }
};

template <class Real, int n>
class Inverse {
 public:
  MOREAU_COLD [[nodiscard]] bool factor(const Matrix<Real, n, n>& M) {  // once
    Cholesky<Real, n> L;
    const bool positive = factor_seldom(L, M);
    for (int j = 0; j < n; ++j) {
      Vector<Real, n> unit = Vector<Real, n>::Zero();
      unit.coeffRef(j) = Real(1);
      inverse_.col(j) = L.solve(unit);
    }
    return positive;
  }

  // M^-1 b, where b has entries only at Sparsity::entry(j).
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
  Matrix<Real, n, n> inverse_;  // its lower triangle is read
};

// Diagonal entries of M, inverted. Off-diagonal entries are not looked at.
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
  // M^-1 b, where b has entries only at Sparsity::entry(d).
  template <class Sparsity = AllEntries>
  Vector<Real, n> free(const Vector<Real, n>& b) const {
    Vector<Real, n> u;
    for_each_index<n>([&](auto d) { u.coeffRef(d) = Sparsity::entry(d) ? b.coeff(d) * inverse_.coeff(d) : Real(0); });
    return u;
  }
  Real inverse(int d) const { return inverse_.coeff(d); }

 private:
  Vector<Real, n> inverse_;
};
template <class Real, int n>
bool factor_seldom(DiagonalInverse<Real, n>& factors, const Matrix<Real, n, n>& M) {
  return factors.factor(M);
}

// Factors that are kept from step to step, and a mark of the M they are of: the bits of all entries, rotated and added up.
// A change of one word always changes the mark, one of several does but for 1 in 4e9; to compare every entry would be 12
// instructions more (Cortex-M4F, three coordinates).
// Factors: one of the above, or what has their factor(). It reads the entries of Pattern only.
template <class Real, class Pattern, class Factors>
class KeptFactors : public Factors {
 public:
  static constexpr int n = Pattern::n;

  MOREAU_ALWAYS_INLINE bool factor(const Matrix<Real, n, n>& M) {
    mark_ = mark(M);
    std::array<Real, entries> read;
    each_entry([&](auto i, auto j) { read[place(i, j)] = M.coeff(i, j); });
    return factor(read);
  }
  MOREAU_ALWAYS_INLINE bool is_of(const Matrix<Real, n, n>& M) const { return mark(M) == mark_; }
  // of at.mass(), whose zeros are never written where this is one piece of code
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
  static std::uint32_t mark(const Matrix<Real, n, n>& M) {
    std::uint32_t sum = 0;
    const auto add = [&sum](std::uint32_t word) { sum = cpu::rotated_sum(sum, word); };
    each_entry([&](auto i, auto j) {
      const Bits<Real> bits = to_bits(Real(M.coeff(i, j)));
      add(static_cast<std::uint32_t>(bits));
      if constexpr (sizeof(Real) == 8) add(static_cast<std::uint32_t>(bits >> 32));
    });
    return sum;
  }
  // By value: M of a step need not be in memory.
  MOREAU_COLD MOREAU_NOINLINE bool factor(std::array<Real, entries> read) {
    Matrix<Real, n, n> M = Matrix<Real, n, n>::Zero();
    each_entry([&](auto i, auto j) { M.coeffRef(i, j) = read[place(i, j)]; });
    if (Factors::factor(M)) return true;
    mark_ = ~mark_;  // to be factored, and refused, again
    return false;
  }
  std::uint32_t mark_;
};

}  // namespace detail
}  // namespace moreau
