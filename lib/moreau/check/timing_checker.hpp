// Whose cost depends on the data? Calls the functions of a model at random states and compares what each call costs.
//
// Constant time (Timing::constant) holds only where none of them varies. Stopwatch: begin() and end() -> ticks, as in
// the ports; on a board under QEMU with -icount its ticks count instructions, elsewhere the answer is only as good as
// the clock. Each contact counts by itself, as gap(0) may cost something else than gap(1); so does each joint row. A model
// that declares uniform_contacts is asked for directions and laws by computed indices, and all contacts count as one.
#pragma once

#include <cstdint>

#include "moreau/math/bits.hpp"
#include "moreau/math/compiler.hpp"
#include "moreau/math/kernels.hpp"
#include "moreau/model/evaluation.hpp"
#include "moreau/model/state.hpp"

namespace moreau {
namespace detail {

// What each function of a model costs.
template <class Model>
struct TimingFindings {
  // Ticks of one function over all states.
  struct Cost {
    const char* function = "";
    int contact = -1;  // or the row of an ideal joint; -1: neither
    std::uint32_t least = ~std::uint32_t{0}, most = 0;

    void add(std::uint32_t ticks) {
      if (ticks < least) least = ticks;
      if (ticks > most) most = ticks;
    }
    bool varies() const { return most > least; }
  };

  static constexpr int contacts = Traits<Model>::contacts, bilaterals = Traits<Model>::bilaterals;
  static constexpr int rows = 3 + 2 * contacts + 2 * bilaterals + 1;
  Cost cost[std::size_t(
      rows)];  // at, mass, force; gap and directions of each contact; bilateral and bias_acceleration; law

  // The first function whose cost varies; nullptr: none does.
  const Cost* varying() const {
    for (const Cost& c : cost)
      if (c.varies()) return &c;
    return nullptr;
  }
};

}  // namespace detail

// States are drawn from `low` to `high`, coordinate by coordinate, q and u. The answer: found.varying() is the first
// function whose cost varies, nullptr where none does; found.cost lists all, each with function, contact, least, most.
template <class Stopwatch, class Model>
detail::TimingFindings<Model> check_timing(const Model& model, const State<Model>& low, const State<Model>& high,
                                           int states = 200) {
  using T = Traits<Model>;
  using Real = typename T::Real;
  detail::TimingFindings<Model> found;
  found.cost[0].function = "at";
  found.cost[1].function = "mass";
  found.cost[2].function = "force";
  std::uint32_t random = 2463534242u;
  const auto between = [&random](Real a, Real b) {
    random ^= random << 13;
    random ^= random >> 17;
    random ^= random << 5;
    return a + (b - a) * (Real(static_cast<std::int32_t>(random >> 8)) * detail::power_of_two<Real>(-24));
  };
  Stopwatch watch;
  using Cost = typename detail::TimingFindings<Model>::Cost;
  const auto measure = [&watch](Cost& range, const auto& call) {
    watch.begin();
    const auto result = call();
    detail::cpu::keep(result);  // the result is wanted
    range.add(static_cast<std::uint32_t>(watch.end()));
  };
  for (int n = 0; n < states; ++n) {
    Vector<Real, T::dof> q, u;
    for (int j = 0; j < T::dof; ++j) {
      q.coeffRef(j) = between(low.q.coeff(j), high.q.coeff(j));
      u.coeffRef(j) = between(low.u.coeff(j), high.u.coeff(j));
    }
    const Real t = between(low.time(), high.time());
    measure(found.cost[0], [&] { return detail::Evaluation<Model>(model, q, t); });
    const detail::Evaluation<Model> at(model, q, t);
    measure(found.cost[1], [&] { return at.mass(); });
    measure(found.cost[2], [&] { return at.force(u); });
    detail::for_each_index<T::contacts>([&](auto i) {
      Cost &gap = found.cost[3 + 2 * i], &directions = found.cost[4 + 2 * i];
      gap.function = "gap";
      directions.function = "directions";
      gap.contact = directions.contact = i;
      measure(gap, [&] { return at.gap(i); });
      if constexpr (!detail::uniform_contacts<Model>) measure(directions, [&] { return at.directions(i); });
    });
    if constexpr (T::contacts > 0 && detail::uniform_contacts<Model>) {
      Cost& law = found.cost[detail::TimingFindings<Model>::rows - 1];
      law.function = "law";
      for (int i = 0; i < T::contacts; ++i) {
        measure(found.cost[4], [&] { return at.directions(i); });
        measure(law, [&] { return model.law(i); });
      }
    }
    detail::for_each_index<T::bilaterals>([&](auto j) {
      Cost* const row = found.cost + 3 + 2 * T::contacts + 2 * j;
      row[0].function = "bilateral";
      row[1].function = "bias_acceleration";
      row[0].contact = row[1].contact = j;
      measure(row[0], [&] { return at.bilateral(j); });
      measure(row[1], [&] { return at.bias_acceleration(j, u); });
    });
  }
  return found;
}

}  // namespace moreau
