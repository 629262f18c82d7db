// Random parts lists: the structure is drawn from a seed at compile time, the numbers at run time.
//
// Body b is joined to the ground or to a body before it by a Revolute, Prismatic or Weld in either direction, or is
// free. The bodies are numbered in random order. Every list also contains contacts of four kinds, springs, dampers, a
// motor, dry friction, gravity and, in half of the lists, joints that close loops and drives.
#pragma once

#include <moreau/mechanism.hpp>
#include <utility>

namespace random_parts {

using namespace moreau;

// Number drawn from a seed: the same at compile time on every target.
constexpr unsigned drawn(unsigned seed, unsigned n) {
  unsigned x = seed * 2654435761u + n * 40503u + 12345u;
  for (int round = 0; round < 3; ++round) {
    x ^= x >> 15;
    x *= 2246822519u;
    x ^= x >> 13;
    x *= 3266489917u;
    x ^= x >> 16;
  }
  return x;
}
constexpr int drawn_below(unsigned seed, unsigned n, int limit) { return int(drawn(seed, n) % unsigned(limit)); }

// Structure of the list of a seed.
template <unsigned seed>
struct Structure {
  static constexpr int bodies = 2 + drawn_below(seed, 0, 5);
  struct Numbers {
    int of[bodies] = {};
  };
  static constexpr Numbers shuffled() {
    Numbers n;
    for (int b = 0; b < bodies; ++b) n.of[b] = b;
    for (int b = bodies - 1; b > 0; --b) {
      const int other = drawn_below(seed, 10u + unsigned(b), b + 1), kept = n.of[b];
      n.of[b] = n.of[other];
      n.of[other] = kept;
    }
    return n;
  }
  static constexpr Numbers numbers = shuffled();
  // Body to which body b is joined, less often the ground.
  static constexpr int before(int b) {
    const int chosen = drawn_below(seed, 20u + unsigned(b), 2 * b + 1);
    return chosen == 0 ? ground : numbers.of[(chosen - 1) / 2];
  }
  static constexpr bool loops = seed % 2 == 1;
  // Two different bodies, or one body and the ground.
  static constexpr int first(unsigned n) { return drawn_below(seed, 100u + n, bodies + 1) - 1; }
  static constexpr int second(unsigned n) {
    const int shift = 1 + drawn_below(seed, 200u + n, bodies);
    return (first(n) + 1 + shift) % (bodies + 1) - 1;
  }
};

// Joint of body b. A free body has a Pull in its place. The last body of a list with loops is free, because a list
// cannot have more rows than coordinates.
template <class Real, class S, unsigned seed, int b>
constexpr auto joint_type() {
  constexpr int kind = S::loops && b == S::bodies - 1 ? 7 : drawn_below(seed, 40u + unsigned(b), 9);
  constexpr int A = S::before(b), B = S::numbers.of[b];
  constexpr bool reversed = drawn_below(seed, 60u + unsigned(b), 3) == 0;
  constexpr int from = reversed ? B : A, to = reversed ? A : B;
  if constexpr (kind < 4)
    return Revolute<Real, from, to>{};
  else if constexpr (kind < 6)
    return Prismatic<Real, from, to>{};
  else if constexpr (kind < 7)
    return Weld<Real, from, to>{};
  else
    return Pull<Real, from, to>{};
}

template <class Real, unsigned seed, class Bodies = std::make_integer_sequence<int, Structure<seed>::bodies>>
struct List;
template <class Real_, unsigned seed, int... b>
struct List<Real_, seed, std::integer_sequence<int, b...>> {
  using Real = Real_;
  using S = Structure<seed>;
  enum Names { bodies = S::bodies };
  template <template <class, int, int> class Part, unsigned n>
  using Between = Part<Real, S::first(n), S::second(n)>;

  Body<Real> body[std::size_t(bodies)];
  std::tuple<decltype(joint_type<Real, S, seed, b>())...> joints;
  Gravity<Real> gravity;
  Between<RevoluteClearance, 0> pin;
  Between<PrismaticClearance, 1> guide;
  Between<Backlash, 2> gear;
  Between<PointOnLine, 3> stop;
  Between<Spring, 4> spring;
  Between<TorsionSpring, 5> torsion;
  Between<Motor, 6> motor;
  Between<TurningFriction, 7> brake;
  Between<SlidingFriction, 8> seal;
  Between<Revolute, 9> loop_pin;
  Between<Prismatic, 10> loop_rail;
  Drive<Real, S::first(11), S::second(11), ConstantSpeed<Real>> drive{ConstantSpeed<Real>(Real(0.7), Real(0.1))};
  LinearDrive<Real, S::first(12), S::second(12)> ram;

  auto parts() const {
    const auto always = std::tie(pin, guide, gear, stop, gravity, spring, torsion, motor, brake, seal);
    const auto tree = std::tie(std::get<std::size_t(b)>(joints)...);
    if constexpr (!S::loops)
      return std::tuple_cat(always, tree);
    else if constexpr (seed % 4 == 1)
      return std::tuple_cat(std::tie(drive), tree, always, std::tie(loop_pin));
    else
      return std::tuple_cat(always, std::tie(loop_rail), tree, std::tie(ram));
  }
};

}  // namespace random_parts
