// Row counts, row owners and sparsity of a parts list, computed at compile time.
#pragma once

#include <limits>

#include "moreau/math/compiler.hpp"
#include "moreau/math/kernels.hpp"
#include "moreau/mechanism/require_list.hpp"
#include "moreau/model/fingerprint.hpp"

namespace moreau {
namespace detail {

// Adds the wrench on a body to its entries of a vector. A wrench on the ground has no entries.
template <int body, class V, class W>
MOREAU_ALWAYS_INLINE void add([[maybe_unused]] V& v, [[maybe_unused]] const W& on_body) {
  if constexpr (body != ground) WrenchEntries<W>::add(v, WrenchEntries<W>::count * body, on_body);
}

// Returns the frame or the state of one body from the result of Mechanism::at.
template <int body, class At>
const auto& frame_of(const At& a) {
  return a.frame[body == ground ? a.frame.size() - 1 : std::size_t(body)];
}
template <int body, class At, class Q>
BodyState<typename At::Real> state_of([[maybe_unused]] const At& a, [[maybe_unused]] const Q& u) {
  if constexpr (body == ground)
    return {};
  else
    return {a.frame[std::size_t(body)], {u.coeff(3 * body), u.coeff(3 * body + 1)}, u.coeff(3 * body + 2)};
}
// Returns the state of one body of a mechanism in the coordinates of its bodies.
template <int body, class Mechanism, class At, class Q>
auto state_of([[maybe_unused]] const Mechanism& mechanism, [[maybe_unused]] const At& a, [[maybe_unused]] const Q& u) {
  using Geometry = typename Mechanism::List::Geometry;
  if constexpr (body == ground)
    return typename Geometry::BodyState{};
  else
    return Geometry::state(mechanism.body[body], a.frame[std::size_t(body)], u, Geometry::coordinates * body);
}

// Returns the generalized forces of two wrenches.
template <int A, int B, class V, class At, class W>
V generalized(const At&, const W& on_A, const W& on_B) {
  V w = V::Zero();
  add<A>(w, on_A);
  add<B>(w, on_B);
  return w;
}

// Returns true if `play` of a joint with clearance is positive and finite, and valid() returns true. A member that the
// part does not have is not tested.
template <class Part>
bool is_valid([[maybe_unused]] const Part& part) {
  if constexpr (brings<contacts_in, Part> && detected<play_in, Part>)
    if (!is_clearance(part.play)) return false;
  if constexpr (detected<valid_in, Part>)
    return part.valid();
  else
    return true;
}

template <template <class...> class Kind>
inline constexpr bool is_contacts = false;
template <>
inline constexpr bool is_contacts<contacts_in> = true;

// Compile-time table of a parts list.
template <class Parts>
struct PartsList : RequireList<Parts> {
  using Tuple = typename PartsTuple<Parts>::type;
  using Geometry = typename PartsTuple<Parts>::Geometry;
  using Real = typename Geometry::Real;
  static constexpr int coordinates = Geometry::coordinates;  // of a body
  static constexpr int bodies = PartsTuple<Parts>::bodies;
  static constexpr int parts = int(std::tuple_size_v<Tuple>);
  static constexpr int tangents = value_or<tangents_in, Parts, Geometry::tangents>;
  static constexpr bool endless = value_or<endless_in, Parts, false>;
  static constexpr bool second_order = value_or<member::SecondOrder::value, Parts, 1> != 0;
  static constexpr bool predicted_gaps = value_or<member::PredictedGaps::value, Parts, 0> != 0;
  static constexpr bool predicted_force = value_or<member::PredictedForce::value, Parts, 0> != 0;
  // Position projections of the ideal joints per step. Each projection multiplies the error by about half the rotation
  // per step (rad). In float, a second projection has no effect beyond rounding.
  static constexpr int default_projections = sizeof(Real) == 8 ? 3 : 1;
  static constexpr int projections = value_or<projections_in, Parts, default_projections>;

  template <int i>
  using Part = std::decay_t<std::tuple_element_t<std::size_t(i), Tuple>>;
  using Indices = std::make_integer_sequence<int, parts>;

  // Number of rows of type Kind (contacts_in, bilaterals_in or frictions_in) of the parts before the i-th.
  template <template <class...> class Kind, int... i>
  static constexpr int sum(std::integer_sequence<int, i...>) {
    return (0 + ... + rows_of<Kind, Part<i>>);
  }
  template <template <class...> class Kind, int before>
  static constexpr int rows_before = sum<Kind>(std::make_integer_sequence<int, before>{});

  static constexpr int contacts = rows_before<contacts_in, parts>;
  static constexpr int bilaterals = rows_before<bilaterals_in, parts>;
  static constexpr int frictions = rows_before<frictions_in, parts>;

  // Number of contacts that can be closed at the same time, by default: the sum over the parts, limited to 1 to 4.
  template <int... i>
  static constexpr int closing(std::integer_sequence<int, i...>) {
    const int all = (0 + ... + value_or<closed_at_once_in, Part<i>, rows_of<contacts_in, Part<i>>>);
    return all < 1 ? 1 : (all > 4 ? 4 : all);
  }
  static constexpr int closed_at_once = value_or<member::ClosedAtOnce::value, Parts, closing(Indices{})>;

  static_assert(bilaterals <= coordinates * bodies,
                "More ideal joint rows than coordinates: some joint is redundant (use joints with play, or fewer)");

  // Returns true if each body is one of the two bodies of a part, or if no part has bodies, as in a list of fields
  // only.
  template <int... i>
  static constexpr bool bodies_are_joined(std::integer_sequence<int, i...>) {
    int joined = 0;
    for (int body = 0; body < bodies; ++body)
      if (((value_or<body_A_in, Part<i>, ground> == body || value_or<body_B_in, Part<i>, ground> == body) || ...))
        ++joined;
    return joined == bodies || joined == 0;
  }
  static_assert(bodies_are_joined(Indices{}),
                "A body of this list is joined by no part: name it in a joint or a force, or leave it out");

  template <int... i>
  static constexpr bool counts_turns(std::integer_sequence<int, i...>) {
    return (value_or<counts_turns_in, Part<i>, false> || ...);
  }
  static_assert(!(endless && counts_turns(Indices{})),
                "endless wraps the angles, but a part counts whole turns (Backlash, TorsionSpring): remove endless");

  // True if a part prescribes a velocity at the end of the step.
  template <int... i>
  static constexpr bool has_zeta_E(std::integer_sequence<int, i...>) {
    return (detected<zeta_E_in, Part<i>, Geometry> || ...);
  }
  static constexpr bool commanded = has_zeta_E(Indices{});

  // True if all contacts or all friction elements have a bias acceleration. Otherwise the step evaluates the directions
  // at its end.
  template <template <class...> class Kind, template <class...> class Bias, int... i>
  static constexpr bool have(std::integer_sequence<int, i...>) {
    return ((!brings<Kind, Part<i>> || detected<Bias, Part<i>, Geometry>)&&...);
  }
  static constexpr bool has_contact_bias = have<contacts_in, contact_bias_in>(Indices{});
  static constexpr bool has_friction_bias = have<frictions_in, friction_bias_in>(Indices{});

  // True if one part has all contacts and evaluates them at equal cost, also with a run-time index.
  template <int... i>
  static constexpr bool has_uniform_contacts(std::integer_sequence<int, i...>) {
    return (0 + ... + int(brings<contacts_in, Part<i>>)) == 1 &&
           ((!brings<contacts_in, Part<i>> || value_or<uniform_contacts_in, Part<i>, false>)&&...);
  }
  static constexpr bool uniform_contacts =
      Geometry::planar && value_or<joint_coordinates_in, Parts, true> && has_uniform_contacts(Indices{});
  // True if part i has all contacts, and a step evaluates them with a run-time index. find() then does not compare it.
  template <template <class...> class Kind, int i>
  static constexpr bool has_all = (uniform_contacts && is_contacts<Kind> && brings<contacts_in, Part<i>>);

  // Returns the number of parts of type P.
  template <class P, int... i>
  static constexpr int count(std::integer_sequence<int, i...>) {
    return (0 + ... + int(std::is_same_v<Part<i>, P>));
  }

  // Adds the names of the list and of its parts, and their bodies, to the fingerprint of the model.
  static constexpr void add_names(Fnv1a& hash) {
    add_name<Parts>(hash);
    add_names_of_parts(hash, Indices{});
  }

  // Returns the play of the joint with contact i, or infinity for a joint without `play`.
  static Real play_of(const Parts& list, int i) {
    Real play = std::numeric_limits<Real>::infinity();
    find<contacts_in>(list, i, [&](const auto& part, int) {
      if constexpr (detected<play_in, std::decay_t<decltype(part)>>) play = Real(part.play);
    });
    return play;
  }

  // Calls f(i, part) for every part, in order. i is a compile-time constant.
  template <class F>
  MOREAU_ALWAYS_INLINE static void for_each(const Parts& list, F&& f) {
    const Tuple all = list.parts();
    unroll([&](auto i) { f(i, std::get<std::size_t(i)>(all)); }, Indices{});
  }

  // Calls f(part, k) for the part that contains row j of type Kind as its row k.
  template <template <class...> class Kind, class F>
  MOREAU_ALWAYS_INLINE static void find(const Parts& list, int j, F&& f) {
    for_each(list, [&](auto i, const auto& part) {
      constexpr int first = rows_before<Kind, i>, rows = rows_of<Kind, Part<i>>;
      if constexpr (has_all<Kind, i>)
        f(part, j);
      else if constexpr (rows > 0)
        if (j >= first && j < first + rows) f(part, j - first);
    });
  }

  // Returns the index of a part that parts() lists a second time, or -1. Parts are compared by address and type.
  MOREAU_ALWAYS_INLINE static int repeated_part(const Parts& list) { return repeated(list.parts(), Indices{}); }

  // Returns the index of the first part with a parameter out of range, or -1.
  static int invalid_part(const Parts& list) {
    int found = -1;
    for_each(list, [&](auto i, const auto& part) {
      if (found < 0 && !is_valid(part)) found = i;
    });
    return found;
  }

  // True if a part has a range, such as a guide with ends.
  template <int... i>
  static constexpr bool any_range(std::integer_sequence<int, i...>) {
    return (detected<within_range_in, Part<i>> || ...);
  }
  static constexpr bool has_ranges = any_range(Indices{});

  // Returns the index of the first part outside its range, or -1. `a` is the result of Mechanism::at.
  template <class At>
  static int part_out_of_range(const Parts& list, [[maybe_unused]] const At& a) {
    int found = -1;
    for_each(list, [&](auto i, const auto& part) {
      using P = std::decay_t<decltype(part)>;
      if constexpr (detected<within_range_in, P>)
        if (found < 0 && !part.within_range(frame_of<P::body_A>(a), frame_of<P::body_B>(a))) found = i;
    });
    return found;
  }

  // Returns true if g_j = 0 although the joint excludes the pose, for example a rotation by pi. `a` is the result of
  // Mechanism::at.
  template <class At>
  static bool reversed(const Parts& list, int j, [[maybe_unused]] const At& a) {
    bool found = false;
    find<bilaterals_in>(list, j, [&](const auto& part, [[maybe_unused]] int k) {
      using P = std::decay_t<decltype(part)>;
      if constexpr (detected<reversed_in, P>) found = part.reversed(k, frame_of<P::body_A>(a), frame_of<P::body_B>(a));
    });
    return found;
  }

  // Returns true if contact i can have an entry at coordinate d. A contact has entries at both its bodies.
  static constexpr bool contact_touches(int i, int d) { return any_part<contacts_in>(i, d, Indices{}); }
  // Returns true if the tangential direction of contact i can have an entry at coordinate d.
  static constexpr bool friction_touches(int i, int d) {
    return any_part<contacts_in>(i, d, Indices{}, WithFriction{});
  }
  // Returns true if bilateral row j can have an entry at coordinate d.
  static constexpr bool touches(int j, int d) { return any_part<bilaterals_in>(j, d, Indices{}, WithinBody{}); }

 private:
  template <int... i>
  static constexpr void add_names_of_parts(Fnv1a& hash, std::integer_sequence<int, i...>) {
    ((add_name<Part<i>>(hash), hash.add(value_or<body_A_in, Part<i>, ground>),
      hash.add(value_or<body_B_in, Part<i>, ground>)),
     ...);
  }

  template <class P, class Q>
  static bool same([[maybe_unused]] const P& one, [[maybe_unused]] const Q& other) {
    if constexpr (std::is_same_v<P, Q>)
      return &one == &other;
    else
      return false;
  }
  template <int i, int... before>
  static bool occurs_before([[maybe_unused]] const Tuple& all, std::integer_sequence<int, before...>) {
    return (same(std::get<std::size_t(i)>(all), std::get<std::size_t(before)>(all)) || ...);
  }
  template <int... i>
  static int repeated([[maybe_unused]] const Tuple& all, std::integer_sequence<int, i...>) {
    int found = -1;
    ((found = occurs_before<i>(all, std::make_integer_sequence<int, i>{}) ? i : found), ...);
    return found;
  }

  struct WholeBody {
    template <class P>
    static constexpr bool touches(int, int) {
      return true;
    }
  };
  struct WithFriction {
    template <class P>
    static constexpr bool touches(int, int) {
      return !value_or<frictionless_in, P, false>;
    }
  };
  struct WithinBody {
    template <class P>
    static constexpr bool touches([[maybe_unused]] int k, [[maybe_unused]] int d) {
      if constexpr (detected<touches_in, P>) { return Geometry::touched(P::touches(k), d % coordinates); }
      return true;
    }
  };
  template <template <class...> class Kind, int... i, class Rule = WholeBody>
  static constexpr bool any_part(int j, int d, std::integer_sequence<int, i...>, Rule = {}) {
    return (part_touches<Kind, Part<i>, Rule>(j - rows_before<Kind, i>, d) || ...);
  }
  template <template <class...> class Kind, class P, class Rule>
  static constexpr bool part_touches([[maybe_unused]] int k, [[maybe_unused]] int d) {
    if constexpr (brings<Kind, P>)
      return k >= 0 && k < rows_of<Kind, P> && (d / coordinates == P::body_A || d / coordinates == P::body_B) &&
             Rule::template touches<P>(k, d);
    else
      return false;
  }
};

}  // namespace detail
}  // namespace moreau
