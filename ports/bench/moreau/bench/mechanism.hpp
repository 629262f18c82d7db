// Generated variables of a mechanism from parts. Their names are the names of bodies and members.
//
//   mechanism<Parts, &Parts::bearing, &Parts::guide, ...>()      every part of parts(), each once
//
//   of a body    crank.x .y .phi .v_x .v_y .omega, parameters crank.m .J
//   of a joint   guide.load_x .load_y (N) .moment (N m), P_x .P_y (N s), dissipated (J), in the last step; a joint with
//                clearance: guide.g_N (m), play_used, closed (bits), parameters guide.play, guide.law.mu and the like
//   of a force   its parameters: motor.torque, motor.damping, gravity.g.y
//   of a drive   its command: drive.law.speed, drive.law.acceleration
//
// Members that the list of the bench names itself, as an input or with its own range, are not generated again.
#pragma once

#include <moreau/mechanism.hpp>

#include "moreau/bench/entries.hpp"

namespace moreau::bench {
namespace detail {

constexpr double any = std::numeric_limits<double>::infinity();

// Adds the tunable numbers of a part. A user-defined part has those of its roles; further ones are explicit entries.
template <auto part>
struct Tunable {
  template <class Draft, auto... path>
  static constexpr void number(Draft& draft, const char* unit, double min, double max, const char* meaning) {
    parameter<part, path...>(unit, min, max, meaning).add_to(draft);
  }

  template <class P, class Draft>
  static constexpr void of_roles(Draft& draft) {
    if constexpr (moreau::detail::brings<moreau::detail::contacts_in, P>) {
      using Law = std::decay_t<decltype(std::declval<P&>().law)>;
      number<Draft, &P::law, &Law::eps_N>(draft, "1", 0, 1, "coefficient of restitution in the normal direction");
      number<Draft, &P::law, &Law::eps_T>(draft, "1", 0, 1, "coefficient of restitution in the tangential direction");
      number<Draft, &P::law, &Law::mu>(draft, "1", 0, any, "friction coefficient");
      if constexpr (moreau::detail::detected<moreau::detail::play_in, P>)
        number<Draft, &P::play>(draft, "m", 0, any, "play of the joint");
    }
  }
  template <class P, class Draft>
  static constexpr void of(Draft& draft, const P*) {
    of_roles<P>(draft);
  }
  template <class R, class Draft>
  static constexpr void of(Draft& draft, const Gravity<R>*) {
    using P = Gravity<R>;
    number<Draft, &P::g, &Point<R>::x>(draft, "m/s2", -any, any, "x component");
    number<Draft, &P::g, &Point<R>::y>(draft, "m/s2", -any, any, "y component");
  }
  template <class R, int A, int B, class Draft>
  static constexpr void of(Draft& draft, const Spring<R, A, B>*) {
    using P = Spring<R, A, B>;
    number<Draft, &P::stiffness>(draft, "N/m", 0, any, "stiffness");
    number<Draft, &P::length>(draft, "m", 0, any, "length without force");
    number<Draft, &P::damping>(draft, "N.s/m", 0, any, "damping");
  }
  template <class R, int A, int B, class Draft>
  static constexpr void of(Draft& draft, const TorsionSpring<R, A, B>*) {
    using P = TorsionSpring<R, A, B>;
    number<Draft, &P::stiffness>(draft, "N.m/rad", 0, any, "stiffness");
    number<Draft, &P::angle>(draft, "rad", -any, any, "angle without moment");
    number<Draft, &P::damping>(draft, "N.m.s/rad", 0, any, "damping");
  }
  template <class R, int A, int B, class Draft>
  static constexpr void of(Draft& draft, const Motor<R, A, B>*) {
    using P = Motor<R, A, B>;
    number<Draft, &P::torque>(draft, "N.m", -any, any, "torque");
    number<Draft, &P::damping>(draft, "N.m.s/rad", 0, any, "damping");
  }
  template <class R, int A, int B, class Draft>
  static constexpr void of(Draft& draft, const Pull<R, A, B>*) {
    using P = Pull<R, A, B>;
    number<Draft, &P::force, &Point<R>::x>(draft, "N", -any, any, "x component");
    number<Draft, &P::force, &Point<R>::y>(draft, "N", -any, any, "y component");
  }
  template <class R, int A, int B, class Draft>
  static constexpr void of(Draft& draft, const OneSidedSpring<R, A, B>*) {
    using P = OneSidedSpring<R, A, B>;
    number<Draft, &P::shortest>(draft, "m", 0, any, "length below which the spring pushes");
    number<Draft, &P::longest>(draft, "m", 0, any, "length above which the spring pulls");
    number<Draft, &P::stiffness>(draft, "N/m", 0, any, "stiffness");
    number<Draft, &P::damping>(draft, "N.s/m", 0, any, "damping");
  }
  template <class R, int A, int B, class Draft>
  static constexpr void of(Draft& draft, const BumpStop<R, A, B>*) {
    using P = BumpStop<R, A, B>;
    number<Draft, &P::stiffness>(draft, "N/m", 0, any, "stiffness");
    number<Draft, &P::damping>(draft, "N.s/m", 0, any, "damping");
  }
  template <class R, int A, int B, class Draft>
  static constexpr void of(Draft& draft, const OneSidedTorsionSpring<R, A, B>*) {
    using P = OneSidedTorsionSpring<R, A, B>;
    number<Draft, &P::lower>(draft, "rad", -any, any, "angle below which the spring acts");
    number<Draft, &P::upper>(draft, "rad", -any, any, "angle above which the spring acts");
    number<Draft, &P::stiffness>(draft, "N.m/rad", 0, any, "stiffness");
    number<Draft, &P::damping>(draft, "N.m.s/rad", 0, any, "damping");
  }
  template <class P, class R, class Draft>
  static constexpr void of_law(Draft& draft, const CommandedSpeed<R>*, const char* unit, const char* rate) {
    number<Draft, &P::law, &CommandedSpeed<R>::speed>(draft, unit, -any, any, "commanded speed");
    number<Draft, &P::law, &CommandedSpeed<R>::acceleration>(draft, rate, 0, any, "largest acceleration");
  }
  template <class P, class R, class Draft>
  static constexpr void of_law(Draft& draft, const CommandedPosition<R>*, const char* unit, const char* rate) {
    number<Draft, &P::law, &CommandedPosition<R>::position>(draft, rate[0] == 'm' ? "m" : "rad", -any, any,
                                                            "commanded position");
    number<Draft, &P::law, &CommandedPosition<R>::speed>(draft, unit, 0, any, "largest speed");
    number<Draft, &P::law, &CommandedPosition<R>::acceleration>(draft, rate, 0, any, "largest acceleration");
  }
  template <class P, class Draft>
  static constexpr void of_law(Draft&, const void*, const char*, const char*) {}  // a function of time
  template <class R, int A, int B, class Law, class Draft>
  static constexpr void of(Draft& draft, const Drive<R, A, B, Law>*) {
    of_law<Drive<R, A, B, Law>>(draft, static_cast<const Law*>(nullptr), "rad/s", "rad/s2");
  }
  template <class R, int A, int B, class Law, class Draft>
  static constexpr void of(Draft& draft, const LinearDrive<R, A, B, Law>*) {
    of_law<LinearDrive<R, A, B, Law>>(draft, static_cast<const Law*>(nullptr), "m/s", "m/s2");
  }
  template <class R, int A, int B, class Draft>
  static constexpr void of(Draft& draft, const TurningFriction<R, A, B>*) {
    number<Draft, &TurningFriction<R, A, B>::bound>(draft, "N.m", 0, any, "friction moment");
  }
  template <class R, int A, int B, class Draft>
  static constexpr void of(Draft& draft, const SlidingFriction<R, A, B>*) {
    number<Draft, &SlidingFriction<R, A, B>::bound>(draft, "N", 0, any, "friction force");
  }
};

template <auto part, class Model>
auto what_it_did(const Record<Model>& r) {
  auto out = joint_output(r.model, part, r.before, r.state);
  if (!(r.state.clock.dt > 0)) out.load = {};  // before the first step: 0 N s in 0 s
  return out;
}

template <auto part, class Model, int room>
constexpr void add_joint(Draft<Model, room>& draft) {
  using P = std::decay_t<Reached<Model, part>>;
  using R = const Record<Model>&;
  const Name name = spelled<part>();
  if constexpr (moreau::detail::brings<moreau::detail::contacts_in, P>) {
    draft.add_output(
        name.with(".g_N"), "m", [](R r) { return double(what_it_did<part>(r).g_N); },
        "gap at the midpoint of the last step");
    draft.add_output(
        name.with(".closed"), "1", [](R r) { return double(what_it_did<part>(r).closed); },
        "closed contacts, one bit each", true);
    if constexpr (moreau::detail::detected<moreau::detail::play_in, P>)
      draft.add_output(
          name.with(".play_used"), "1", [](R r) { return double(what_it_did<part>(r).play_used); },
          "eccentricity ratio: 0 centred, 1 in contact");
  }
  draft.add_output(
      name.with(".load_x"), "N", [](R r) { return double(what_it_did<part>(r).load.force.x); },
      "mean joint load of the last step, x component");
  draft.add_output(
      name.with(".load_y"), "N", [](R r) { return double(what_it_did<part>(r).load.force.y); },
      "mean joint load of the last step, y component");
  draft.add_output(
      name.with(".moment"), "N.m", [](R r) { return double(what_it_did<part>(r).load.moment); },
      "mean joint moment of the last step");
  draft.add_output(
      name.with(".P_x"), "N.s", [](R r) { return double(what_it_did<part>(r).P.x); },
      "percussion (impulse) of the last step, x component");
  draft.add_output(
      name.with(".P_y"), "N.s", [](R r) { return double(what_it_did<part>(r).P.y); },
      "percussion (impulse) of the last step, y component");
  draft.add_output(
      name.with(".dissipated"), "J", [](R r) { return double(what_it_did<part>(r).dissipated); },
      "energy dissipated in the last step");
}

// Returns pose and velocities of a body.
template <int b, class Model>
BodyState<typename Model::Real> body_of(const Record<Model>& r) {
  return r.model.body_state(r.state, b);
}

template <int b, class Parts, class Model, int room>
constexpr void add_body(Draft<Model, room>& draft) {
  using R = const Record<Model>&;
  using Real = typename Model::Real;
  const Name name = spelled<static_cast<typename Parts::Names>(b)>();
  draft.add_output(
      name.with(".x"), "m", [](R r) { return double(body_of<b>(r).frame.r.x); }, "position of the centre of mass, x");
  draft.add_output(
      name.with(".y"), "m", [](R r) { return double(body_of<b>(r).frame.r.y); }, "position of the centre of mass, y");
  draft.add_output(
      name.with(".phi"), "rad", [](R r) { return double(body_of<b>(r).frame.phi); }, "angle");
  draft.add_output(
      name.with(".v_x"), "m/s", [](R r) { return double(body_of<b>(r).v.x); }, "velocity of the centre of mass, x");
  draft.add_output(
      name.with(".v_y"), "m/s", [](R r) { return double(body_of<b>(r).v.y); }, "velocity of the centre of mass, y");
  draft.add_output(
      name.with(".omega"), "rad/s", [](R r) { return double(body_of<b>(r).omega); }, "angular velocity");
  Variable<Model> inertia;
  inertia.kind = Kind::parameter;
  inertia.min = 0;
  inertia.name = name.with(".m");
  inertia.unit = "kg";
  inertia.meaning = "mass";
  inertia.get = [](R r) { return double(r.model.body[b].m); };
  inertia.set = [](Model& model, double value) { model.body[b].m = static_cast<Real>(value); };
  draft.add(inertia);
  inertia.name = name.with(".J");
  inertia.unit = "kg.m2";
  inertia.meaning = "moment of inertia about the centre of mass";
  inertia.get = [](R r) { return double(r.model.body[b].J); };
  inertia.set = [](Model& model, double value) { model.body[b].J = static_cast<Real>(value); };
  draft.add(inertia);
}

template <class Parts, auto... part>
struct MechanismEntry {
  static constexpr bool generated = true;
  using List = moreau::detail::PartsList<Parts>;

  template <class Model>
  static constexpr int most = 8 * List::bodies + 16 * int(sizeof...(part));

  // True if each type occurs as often among the members as in parts(), and no member twice: then the list is complete.
  template <class P>
  static constexpr int listed = (0 + ... + int(std::is_same_v<std::decay_t<Reached<Mechanism<Parts>, part>>, P>));
  template <int... i>
  static constexpr bool all_listed(std::integer_sequence<int, i...>) {
    return int(sizeof...(part)) == List::parts &&
           ((listed<typename List::template Part<i>> ==
             List::template count<typename List::template Part<i>>(typename List::Indices{})) &&
            ...);
  }
  static constexpr bool no_name_twice() {
    const Name names[] = {spelled<part>()...};
    for (std::size_t i = 0; i < sizeof...(part); ++i)
      for (std::size_t j = 0; j < i; ++j)
        if (names[i].is(names[j].text)) return false;
    return true;
  }

  template <class Model, int room>
  constexpr void add_to(Draft<Model, room>& draft) const {
    constexpr bool fits = std::is_same_v<Model, Mechanism<Parts>>;
    static_assert(fits, "bench: mechanism<Parts, ...> needs: using Model = moreau::Mechanism<Parts>;");
    if constexpr (fits) {
      constexpr bool complete = all_listed(typename List::Indices{}) && no_name_twice();
      static_assert(complete, "bench: mechanism<Parts, &Parts::part, ...> needs every part of parts(), each once");
      if constexpr (complete) {
        add_bodies(draft, std::make_integer_sequence<int, List::bodies>{});
        (add_part<part>(draft), ...);
      }
    }
  }

 private:
  template <class Model, int room, int... b>
  static constexpr void add_bodies(Draft<Model, room>& draft, std::integer_sequence<int, b...>) {
    (add_body<b, Parts>(draft), ...);
  }
  template <auto one, class Model, int room>
  static constexpr void add_part(Draft<Model, room>& draft) {
    using P = std::decay_t<Reached<Model, one>>;
    Tunable<one>::of(draft, static_cast<const P*>(nullptr));
    if constexpr (moreau::detail::is_joint<P>) add_joint<one>(draft);
  }
};

}  // namespace detail

template <class Parts, auto... part>
constexpr auto mechanism() {
  return detail::MechanismEntry<Parts, part...>{};
}

}  // namespace moreau::bench
