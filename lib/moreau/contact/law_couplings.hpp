// Couplings of the contacts of a model through M and the ideal joints, from its declared patterns at compile time.
//
// A percussion of contact a changes the velocities of the coordinates in its directions, and of all coordinates coupled
// with these, directly or indirectly, by M or by an ideal joint. Two contacts are uncoupled if the directions of one do
// not involve any coordinate whose velocity the other changes. Without a declared pattern, every entry can be nonzero.
#pragma once

#include "moreau/contact/joint_rows.hpp"
#include "moreau/model/traits.hpp"

namespace moreau {
namespace detail {

// Coordinates changed by a percussion of each contact, and couplings.
template <class Model>
class ContactCouplings {
  using T = Traits<Model>;
  static constexpr int n = T::contacts, dof = T::dof;

 public:
  // Returns true if a percussion of contact i can change coordinate j.
  static constexpr bool moves(int i, int j) { return table.moves[i][j]; }
  // Returns true if G can have entries between contacts a and b.
  static constexpr bool coupled(int a, int b) { return table.coupled[a][b]; }
  // Returns true if the tangents of a and b involve the same coordinates.
  static constexpr bool may_share(int a, int b) { return table.common_tangent[a][b]; }

 private:
  struct Table {
    bool moves[n + 1][dof] = {}, coupled[n + 1][n + 1] = {}, common_tangent[n + 1][n + 1] = {};
  };
  static constexpr bool direction(int i, int row, int j) {
    if constexpr (DirectionPattern<Model, -1, 0>::declared)
      return (row == 0 || T::tangents > 0) && Model::direction_pattern(i, row, j);
    else
      return true;
  }
  static constexpr bool of_joint(int r, int j) {
    if constexpr (T::bilaterals > 0 && detected<member::Touches::value, Model>)
      return Model::touches(r, j);
    else
      return T::bilaterals > 0;
  }
  static constexpr bool of_mass(int i, int j) {
    return i == j || (!T::diagonal_mass && MassPattern<Model>::entry(i, j));
  }

  // Adds the coordinates coupled with those in `moves` until the set is complete.
  static constexpr void close(bool (&moves)[dof]) {
    for (bool more = true; more;) {
      more = false;
      const auto add = [&](int j) {
        more = more || !moves[j];
        moves[j] = true;
      };
      for (int i = 0; i < dof; ++i) {
        if (!moves[i]) continue;
        for (int j = 0; j < dof; ++j)
          if (of_mass(i, j)) add(j);
        for (int r = 0; r < T::bilaterals; ++r)
          for (int j = 0; of_joint(r, i) && j < dof; ++j)
            if (of_joint(r, j)) add(j);
      }
    }
  }
  static constexpr Table make() {
    Table t;
    for (int i = 0; i < n; ++i) {
      for (int j = 0; j < dof; ++j) t.moves[i][j] = direction(i, 0, j) || direction(i, 1, j);
      close(t.moves[i]);
    }
    for (int a = 0; a < n; ++a)
      for (int b = 0; b < n; ++b) {
        t.common_tangent[a][b] = true;
        for (int j = 0; j < dof; ++j) {
          t.coupled[a][b] = t.coupled[a][b] || (t.moves[a][j] && (direction(b, 0, j) || direction(b, 1, j)));
          t.common_tangent[a][b] = t.common_tangent[a][b] && direction(a, 1, j) == direction(b, 1, j);
        }
      }
    return t;
  }
  static constexpr Table table = make();
};

// Laws of nested elimination of a model. Here a law is a friction element or a whole contact. The friction elements
// come first and are coupled with all laws; the contacts follow.
template <class Model>
struct ModelLaws {
  static constexpr int elements = Traits<Model>::frictions, contacts = Traits<Model>::contacts;
  static constexpr int count = elements + contacts;
  static constexpr bool unrolled = true;
  static constexpr bool coupled(int n, int a, int b) { return table.at[n][a][b]; }
  static constexpr bool may_share(int a, int b) {
    return ContactCouplings<Model>::may_share(a - elements, b - elements);
  }

 private:
  struct Table {
    bool at[count + 1][count + 1][count + 1] = {};  // [n][a][b]: laws a and b are coupled, laws n and above eliminated
  };
  static constexpr Table make() {
    Table t;
    for (int a = 0; a < count; ++a)
      for (int b = 0; b < count; ++b)
        t.at[count][a][b] =
            a < elements || b < elements || ContactCouplings<Model>::coupled(a - elements, b - elements);
    for (int n = count - 1; n >= 0; --n)
      for (int a = 0; a < n; ++a)
        for (int b = 0; b < n; ++b) t.at[n][a][b] = t.at[n + 1][a][b] || (t.at[n + 1][a][n] && t.at[n + 1][n][b]);
    return t;
  }
  static constexpr Table table = make();
};

}  // namespace detail
}  // namespace moreau
