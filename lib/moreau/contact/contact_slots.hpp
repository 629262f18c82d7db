// Slots of the contact problem for the closed contacts of a model that declares max_closed, in constant time.
//
//   next_0 = 0,   slot_i = max(next_i, i - (contacts - n)),   next_i+1 = closed_i ? slot_i + 1 : next_i
//
// n = max_closed is the number of slots. Up to n closed contacts have different slots in ascending order, and contact i
// can have the slots i - (contacts - n) .. i. A slot without a contact has zero rows.
//
// The data of slot s is the bitwise OR of the data of contacts s .. s + contacts - n, each masked. No branch and no
// address depends on the state, and no number is rounded. If more than n contacts are closed, the step is rejected.
#pragma once

#include "moreau/contact/active_set.hpp"

namespace moreau {
namespace detail {

template <class Model, int n>
class ContactSlots {
  using Real = typename Traits<Model>::Real;
  static constexpr int contacts = Traits<Model>::contacts, window = contacts - n + 1;

 public:
  static constexpr int k = n;

  // Assigns slots to the contacts for which closed(i) is true.
  template <class Closed>
  void assign(const Closed& closed) {
    std::int32_t next = 0, count = 0;
    for_each_index<contacts>([&](auto i) {
      const Mask here = closed(i);
      const std::int32_t ahead = (i - (contacts - n)) - next, slot = next + (ahead & ~(ahead >> 31));
      for_each_index<window>([&](auto d) {
        if (i - d >= 0 && i - d < n) holds_[i - d][d] = here && Mask{(slot ^ (i - d)) - 1};
      });
      next += ((slot + 1) - next) & (here.bits >> 31);
      count += std::int32_t(Branchless::as_bit(here));
    });
    overfull_ = {n - count};
  }
  // Returns true if more than n contacts are closed.
  Mask overfull() const { return overfull_; }
  // Returns true if slot s has a contact.
  Mask present(int s) const {
    Mask any = holds_[s][0];
    for_each_index<window - 1>([&](auto d) { any = any || holds_[s][d + 1]; });
    return any;
  }

  // Returns value(i) of the contact in slot s, or +0.
  template <class Value>
  MOREAU_ALWAYS_INLINE Real of(int s, const Value& value) const {
    Bits<Real> bits = 0;
    for_each_index<window>([&](auto d) { bits |= to_bits(Real(value(s + d))) & wide(holds_[s][d]); });
    return from_bits<Real>(bits);
  }
  // Returns flag(i) of the contact in slot s, or false.
  template <class Flag>
  MOREAU_ALWAYS_INLINE Mask flag_of(int s, const Flag& flag) const {
    Mask any{0};
    for_each_index<window>([&](auto d) { any = any || (flag(s + d) && holds_[s][d]); });
    return any;
  }
  // Returns value(s) of the slot of contact i, or +0 for an open contact.
  template <class Value>
  MOREAU_ALWAYS_INLINE Real back(int i, const Value& value) const {
    Bits<Real> bits = 0;
    for_each_index<window>([&](auto d) {
      if (i - d >= 0 && i - d < n) bits |= to_bits(Real(value(i - d))) & wide(holds_[i - d][d]);
    });
    return from_bits<Real>(bits);
  }
  // Returns value(s), a byte with the value 0 or 1, of the slot of contact i, or 1 for an open contact.
  template <class Value>
  MOREAU_ALWAYS_INLINE std::uint8_t bit_back(int i, const Value& value) const {
    unsigned zero = 0;
    for_each_index<window>([&](auto d) {
      if (i - d >= 0 && i - d < n) zero |= (1u ^ value(i - d)) & Branchless::as_bit(holds_[i - d][d]);
    });
    return static_cast<std::uint8_t>(1u ^ zero);
  }

 private:
  static Bits<Real> wide(Mask m) { return static_cast<Bits<Real>>(std::int64_t{m.bits >> 31}); }

  Mask holds_[n][window];  // [s][d]: slot s contains contact s + d, which is closed
  Mask overfull_{0};
};

}  // namespace detail
}  // namespace moreau
