// Measurement of the execution times of the functions of a model at random states, and test for their variation.
//
// Timing::constant requires a constant execution time of every function. `wrap` and `period` are not measured. A
// Stopwatch has the functions begin() and end(), as in the ports; end() returns the elapsed ticks. On a board under
// QEMU with -icount, ticks count instructions. Elsewhere the result has the accuracy of the clock.
//
// Each contact, friction element and ideal joint row is measured separately, because gap(0) and gap(1) may differ. For
// a model with uniform_contacts, `directions`, `law` and `mu` are called with run-time indices, and all contacts share
// one range. The argument of `mu` is the sliding speed of the contact at the random state.
#pragma once

#include <cstdint>

#include "moreau/math/bits.hpp"
#include "moreau/math/compiler.hpp"
#include "moreau/math/kernels.hpp"
#include "moreau/math/sqrt.hpp"
#include "moreau/model/evaluation.hpp"
#include "moreau/model/state.hpp"

namespace moreau {
namespace detail {

// Execution times of all functions that a step calls.
template <class Model>
struct TimingFindings {
  // Range of the execution time of one function, in ticks.
  struct Cost {
    const char* function = "";
    int contact = -1;  // index of the contact, friction element or ideal joint row; -1 for other functions
    std::uint32_t least = ~std::uint32_t{0}, most = 0;

    void add(std::uint32_t ticks) {
      if (ticks < least) least = ticks;
      if (ticks > most) most = ticks;
    }
    bool varies() const { return most > least; }
  };

  static constexpr int contacts = Traits<Model>::contacts, bilaterals = Traits<Model>::bilaterals;
  static constexpr int first_bilateral = 3 + 2 * contacts, first_law = first_bilateral + 2 * bilaterals;
  static constexpr int first_friction = first_law + 3 * contacts;
  static constexpr int first_bias = first_friction + 2 * Traits<Model>::frictions;
  static constexpr int rows = first_bias + contacts + Traits<Model>::frictions;
  // at, mass, force; gap and directions of each contact; bilateral and bias_acceleration or zeta_E of each joint row;
  // law, mu and allowed_penetration of each contact; friction_bound and friction_directions of each friction element;
  // bias acceleration of each contact and of each friction element
  Cost cost[std::size_t(rows)];

  // Returns the first function with a varying execution time, or nullptr.
  const Cost* varying() const {
    for (const Cost& c : cost)
      if (c.varies()) return &c;
    return nullptr;
  }
};

// Generator of pseudo-random numbers (xorshift).
class RandomNumbers {
 public:
  // Returns a number between a and b.
  template <class Real>
  Real between(Real a, Real b) {
    state_ ^= state_ << 13;
    state_ ^= state_ >> 17;
    state_ ^= state_ << 5;
    return a + (b - a) * (Real(static_cast<std::int32_t>(state_ >> 8)) * power_of_two<Real>(-24));
  }

 private:
  std::uint32_t state_ = 2463534242u;
};

// Measurement of all functions that a step calls.
template <class Stopwatch, class Model>
class TimingMeasurement {
  using T = Traits<Model>;
  using Real = typename T::Real;
  using Q = Vector<Real, T::dof>;
  using Findings = TimingFindings<Model>;

 public:
  explicit TimingMeasurement(const Model& model) : model_(model) {}

  // Measures all functions at (q, u, t).
  void measure_all(const Q& q, const Q& u, Real t) {
    measure(range(0, "at"), [&] { return Evaluation<Model>(model_, q, t); });
    const Evaluation<Model> at(model_, q, t);
    measure(range(1, "mass"), [&] { return at.mass(); });
    measure(range(2, "force"), [&] { return at.force(u); });
    measure_contacts(at, u);
    for_each_index<T::bilaterals>([&](auto j) {
      const int row = Findings::first_bilateral + 2 * j;
      measure(range(row, "bilateral", j), [&] { return at.bilateral(j); });
      if constexpr (Contract<Model>::has_zeta_E)
        measure(range(row + 1, "zeta_E", j), [&] { return at.zeta_E(j, u, Real(1e-4)); });
      else
        measure(range(row + 1, "bias_acceleration", j), [&] { return at.bias_acceleration(j, u); });
    });
    for_each_index<T::frictions>([&](auto j) {
      const int row = Findings::first_friction + 2 * j;
      measure(range(row, "friction_bound", j), [&] { return at.friction_bound(j); });
      measure(range(row + 1, "friction_directions", j), [&] { return at.friction_directions(j); });
      if constexpr (Contract<Model>::has_friction_bias)
        measure(range(Findings::first_bias + T::contacts + j, "friction_bias_acceleration", j),
                [&] { return at.friction_bias_acceleration(j, u); });
    });
  }

  const Findings& found() const { return found_; }

 private:
  void measure_contacts([[maybe_unused]] const Evaluation<Model>& at, [[maybe_unused]] const Q& u) {
    for_each_index<T::contacts>([&](auto i) {
      auto &gap = range(3 + 2 * i, "gap", i), &directions = range(4 + 2 * i, "directions", i);
      measure(gap, [&] { return at.gap(i); });
      if constexpr (!uniform_contacts<Model>) {
        measure(directions, [&] { return at.directions(i); });
        measure_law(Findings::first_law + 3 * i, i, i, at, u);
      }
      if constexpr (Contract<Model>::has_allowed_penetration)
        measure(range(Findings::first_law + 3 * i + 2, "allowed_penetration", i),
                [&] { return model_.allowed_penetration(i); });
      if constexpr (Contract<Model>::has_contact_bias)
        measure(range(Findings::first_bias + i, "contact_bias_acceleration", i),
                [&] { return at.contact_bias_acceleration(i, u); });
    });
    if constexpr (T::contacts > 0 && uniform_contacts<Model>)
      for (int i = 0; i < T::contacts; ++i) {
        measure(found_.cost[4], [&] { return at.directions(i); });
        measure_law(Findings::first_law, i, -1, at, u);
      }
  }

  // Measures law and mu of contact i in the ranges `row` and row + 1.
  template <class I>
  void measure_law(int row, I i, int contact, [[maybe_unused]] const Evaluation<Model>& at,
                   [[maybe_unused]] const Q& u) {
    measure(range(row, "law", contact), [&] { return model_.law(i); });
    if constexpr (Contract<Model>::has_mu) {
      const Real speed = sliding_speed(at.directions(i), u);
      measure(range(row + 1, "mu", contact), [&] { return model_.mu(i, speed); });
    }
  }

  // Returns |gamma_T|.
  template <class D>
  static Real sliding_speed(const D& d, const Q& u) {
    Real squares = Real(0);
    for (int k = 0; k < T::tangents; ++k) {
      const Real gamma_T = dot(Q(d.w_T.col(k)), u) + component(d.zeta_T, k);
      squares += gamma_T * gamma_T;
    }
    return sqrt(squares);
  }

  typename Findings::Cost& range(int row, const char* function, int contact = -1) {
    auto& cost = found_.cost[row];
    cost.function = function;
    cost.contact = contact;
    return cost;
  }

  template <class Call>
  void measure(typename Findings::Cost& cost, const Call& call) {
    watch_.begin();
    const auto result = call();
    cpu::keep(result);  // prevents removal of the call
    cost.add(static_cast<std::uint32_t>(watch_.end()));
  }

  const Model& model_;
  Stopwatch watch_;
  Findings found_;
};

}  // namespace detail

// Measures the functions of a model that a step calls, at `states` random states between `low` and `high`. In the
// result, varying() is the first function with a varying execution time, or nullptr. `cost` lists `contact`, `least`
// and `most` of each function.
template <class Stopwatch, class Model>
detail::TimingFindings<Model> check_timing(const Model& model, const State<Model>& low, const State<Model>& high,
                                           int states = 200) {
  using T = Traits<Model>;
  detail::TimingMeasurement<Stopwatch, Model> measurement(model);
  detail::RandomNumbers random;
  for (int n = 0; n < states; ++n) {
    Vector<typename T::Real, T::dof> q, u;
    for (int j = 0; j < T::dof; ++j) {
      q.coeffRef(j) = random.between(low.q.coeff(j), high.q.coeff(j));
      u.coeffRef(j) = random.between(low.u.coeff(j), high.u.coeff(j));
    }
    measurement.measure_all(q, u, random.between(low.time(), high.time()));
  }
  return measurement.found();
}

}  // namespace moreau
