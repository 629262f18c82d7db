// Starts of steps that leave constant time, as plain numbers: random starts for the counts on boards, and worst cases
// found by search on the host (worst_case.cpp).
#pragma once
#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <moreau/moreau.hpp>
#include <tuple>

#include "models/beam.hpp"
#include "models/slider_crank.hpp"
#include "models/woodpecker.hpp"
#include "support/bits_hash.hpp"
#include "support/second_order.hpp"

namespace counting {

// Percussions of the previous step, from the end of the numbers.
template <class Real, int contacts, std::size_t n>
void take_percussions(const std::array<Real, n>& numbers, std::size_t first, moreau::Vector<Real, contacts>& P_N,
                      moreau::Matrix<Real, 1, contacts>& P_T) {
  for (int i = 0; i < contacts; ++i) {
    P_N(i) = numbers[first + std::size_t(2 * i)];
    P_T(0, i) = numbers[first + std::size_t(2 * i) + 1];
  }
}

template <class Real>
Real between(test::Random& random, double low, double high) {
  return random.between(Real(low), Real(high));
}
template <class Real>
Real within_one(Real x) {
  return moreau::detail::Branching::smaller(moreau::detail::absolute(x), Real(1));
}

// The slider-crank with clearance 0 or nominal, at any position.
template <class Real>
struct CrankStart {
  using Model = models::SliderCrank<Real>;
  static constexpr const char *name = "slidercrank", *name_second = "slidercrank_second";
  static constexpr double dt = 1e-5;
  using Numbers = std::array<Real, 18>;

  static Numbers draw(test::Random& random) {
    const auto number = [&](double low, double high) { return between<Real>(random, low, high); };
    const bool tight = number(0, 1) < Real(0.5), in_line = number(0, 1) < Real(0.5);
    Numbers x{number(0, number(0, 1) < Real(0.3) ? 2 : 0.5),
              tight ? number(-3e-3, 0) : Real(1e-3),
              in_line ? number(-0.02, 0.02) : number(-3.1, 3.1),
              number(-0.02, 0.02),
              number(-0.03, 0.03),
              number(-150, 150),
              number(-75, 75),
              number(-50, 50),
              number(0, 0.95),
              number(0, 0.95)};
    for (std::size_t i = 10; i < x.size(); i += 2) x[i] = number(-1e-3, 1e-2), x[i + 1] = number(-1e-2, 1e-2);
    return x;
  }
  template <class State>
  static void apply(const Numbers& x, Model& crank, State& state) {
    crank.mu = moreau::detail::absolute(x[0]);
    crank.play = x[1];
    crank.eps_N = within_one(x[8]);
    crank.eps_T = within_one(x[9]);
    state.q = {x[2], -x[2] / 2 + x[3], x[4]};
    state.u = {x[5], x[6], x[7]};
    take_percussions(x, 10, state.P_N, state.P_T);
  }
  // Start of a model with another mass.
  static void change(Model& crank) { crank.m_3 *= 2; }
};

// The woodpecker with its sleeve tight on the pole or with clearance, and its beak close to the pole.
template <class Real>
struct WoodpeckerStart {
  using Model = models::Woodpecker<Real>;
  static constexpr const char *name = "woodpecker", *name_second = "woodpecker_second";
  static constexpr double dt = 1e-4;
  using Numbers = std::array<Real, 15>;

  static Numbers draw(test::Random& random) {
    const auto number = [&](double low, double high) { return between<Real>(random, low, high); };
    const bool tight = number(0, 1) < Real(0.5);
    Numbers x{number(0, number(0, 1) < Real(0.3) ? 2 : 0.5),
              tight ? number(-7e-4, 0) : Real(6e-4),
              number(-0.11, 0.11),
              number(-0.3, 0.15),  // the beak closes at 0.12
              number(-1, 1),
              number(-20, 20),
              number(-20, 20),
              number(0, 0.95),
              number(0, 0.95)};
    for (std::size_t i = 9; i < x.size(); i += 2) x[i] = number(-1e-3, 1e-2), x[i + 1] = number(-1e-2, 1e-2);
    return x;
  }
  template <class State>
  static void apply(const Numbers& x, Model& toy, State& state) {
    toy.mu = moreau::detail::absolute(x[0]);
    toy.r_M = toy.r_O + x[1];
    toy.eps_beak = within_one(x[7]);
    toy.eps_T = within_one(x[8]);
    state.q = {Real(0), x[2], x[3]};
    state.u = {x[4], x[5], x[6]};
    take_percussions(x, 9, state.P_N, state.P_T);
  }
  static void change(Model& toy) { toy.m_M *= 2; }
};

// The beam, flat or tilted, sliding or at rest, under any load.
template <class Real>
struct BeamStart {
  using Model = models::Beam<Real>;
  static constexpr const char* name = "beam";
  static constexpr double dt = 1e-4;
  using Numbers = std::array<Real, 15>;

  static Numbers draw(test::Random& random) {
    const auto number = [&](double low, double high) { return between<Real>(random, low, high); };
    const Real speed = number(0, 1) < Real(0.5) ? Real(1) : Real(1e-3);
    Numbers x{number(0, 2),          number(-0.35, 0.35),   number(0, 40),
              number(-40, 40),       number(0, 0.1),        number(0, 1) < Real(0.5) ? Real(0) : number(-0.05, 0.05),
              speed * number(-1, 1), speed * number(-1, 1), speed * number(-3, 3),
              number(0, 0.95),       number(0, 0.95)};
    for (std::size_t i = 11; i < x.size(); i += 2) x[i] = number(-1e-3, 1e-2), x[i + 1] = number(-1e-2, 1e-2);
    return x;
  }
  template <class State>
  static void apply(const Numbers& x, Model& beam, State& state) {
    beam.mu = moreau::detail::absolute(x[0]);
    beam.load_x = x[1];
    beam.load = x[2];
    beam.push = x[3];
    beam.height = moreau::detail::absolute(x[4]);
    beam.eps_N = within_one(x[9]);
    beam.eps_T = within_one(x[10]);
    state.q = {Real(0), beam.height, x[5]};
    state.u = {x[6], x[7], x[8]};
    take_percussions(x, 11, state.P_N, state.P_T);
  }
  static void change(Model& beam) { beam.m *= 2; }
};

// The start of a model with second_order. The last numbers are du_held, and a pattern of bits: the contacts at rest and,
// above them, an impact in the previous step.
template <class Start>
struct SecondOrderStart {
  using Model = test::Second<typename Start::Model>;
  using Real = typename Model::Real;
  static constexpr const char* name = Start::name_second;
  static constexpr double dt = Start::dt;
  static constexpr std::size_t plain = std::tuple_size_v<typename Start::Numbers>;
  using Numbers = std::array<Real, plain + std::size_t(Model::dof) + 1>;

  static Numbers draw(test::Random& random) {
    Numbers x{};
    const auto first = Start::draw(random);
    std::copy(first.begin(), first.end(), x.begin());
    for (std::size_t j = plain; j + 1 < x.size(); ++j) x[j] = between<Real>(random, -1, 1);
    x.back() = between<Real>(random, 0, patterns);
    return x;
  }
  template <class State>
  static void apply(const Numbers& x, Model& model, State& state) {
    typename Start::Numbers first;
    std::copy_n(x.begin(), plain, first.begin());
    Start::apply(first, model, state);
    for (int j = 0; j < Model::dof; ++j) state.du_held(j) = x[plain + std::size_t(j)];
    const Real inside = std::abs(x.back()) < Real(patterns) ? std::abs(x.back()) : Real(0);
    const auto pattern = static_cast<unsigned>(inside);
    state.resting[0] = pattern % (1U << Model::contacts);
    state.impact = static_cast<std::uint8_t>(pattern >> Model::contacts);
  }
  static void change(Model& model) { Start::change(model); }

 private:
  static constexpr int patterns = 2 << Model::contacts;
};

}  // namespace counting
