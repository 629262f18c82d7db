// Contact problem of many bodies with block-sparse storage of G:
//
//   G_ij = sum_p w_i^pT M_p^-1 w_j^p        2 x 2 block; p: bodies that contacts i and j have in common
//
// It has the interface of the library's dense ContactProblem and works with the same solvers and the same judge.
#pragma once
#include <moreau/moreau.hpp>

#include <array>
#include <cmath>

namespace disks {

template <class R, int contact_capacity, int block_capacity>
class SparseProblem {
 public:
  using Real = R;
  static constexpr int contacts = contact_capacity, tangents = 1, frictions = 0, friction_dim = 1;
  static constexpr int per_contact = 2, capacity = 2 * contacts;
  using Percussions = moreau::Vector<Real, capacity>;

  int k = 0, elements = 0;
  Percussions c;
  moreau::Vector<Real, contacts> mu;
  moreau::Vector<Real, 0> bound;

  void clear() { k = 0, blocks_ = 0, start_[0] = 0; }

  // To append a contact, add its blocks, the diagonal block first, and call end_contact.
  bool full() const { return k >= contacts; }
  bool add_block(int other, const std::array<Real, 4>& value) {
    if (blocks_ >= block_capacity) return false;
    block_[std::size_t(blocks_++)] = {other, value};
    return true;
  }
  void end_contact() { start_[std::size_t(++k)] = blocks_; }

  int rows() const { return 2 * k; }
  static int row(int contact) { return 2 * contact; }
  int friction_row(int) const { return 2 * k; }
  int blocks() const { return blocks_; }

  Real diagonal(int r) const { return block_[std::size_t(start_[std::size_t(r / 2)])].value[r % 2 == 0 ? 0 : 3]; }

  template <class P>
  Real xi(int r, const P& percussions) const {
    Real sum = c.coeff(r);
    each(r, percussions, [&](Real term) { sum += term; });
    return sum;
  }
  template <class P>
  Real velocity_scale(int r, const P& percussions) const {
    Real sum = std::abs(c.coeff(r));
    each(r, percussions, [&](Real term) { sum += std::abs(term); });
    return sum;
  }
  template <class P>
  Real xi(int r, const P& percussions, Real& velocity_scale) const {
    velocity_scale = this->velocity_scale(r, percussions);
    return xi(r, percussions);
  }

 private:
  struct Block {
    int other;
    std::array<Real, 4> value;  // G_NN, G_NT, G_TN, G_TT
  };

  template <class P, class Add>
  void each(int r, const P& percussions, Add add) const {
    const std::size_t first = r % 2 == 0 ? 0 : 2;
    for (int n = start_[std::size_t(r / 2)]; n < start_[std::size_t(r / 2 + 1)]; ++n) {
      const Block& b = block_[std::size_t(n)];
      add(b.value[first] * percussions.coeff(2 * b.other));
      add(b.value[first + 1] * percussions.coeff(2 * b.other + 1));
    }
  }

  int blocks_ = 0;
  std::array<int, std::size_t(contacts) + 1> start_{};
  std::array<Block, std::size_t(block_capacity)> block_{};
};

}  // namespace disks
