// Functions of a model: names, signatures and compile-time checks. lib/MODEL.md describes each function.
//
// `force` is h(q,u,t) of M u' = h + contact forces. If M depends on q or t, h contains -Mdot u + 1/2 d(u^T M u)/dq.
//
// A model can share terms between its functions. If it has `A at(const Vector<Real, dof>& q, Real t) const`, its
// functions take the result `a` of `at` instead of (q, t). A is any copyable type, computed once per step. Either all
// functions take `a`, or none.
//
// One struct per function:
//
//   call         the alias that detects the function, with the types of its arguments
//   name         of an optional function: an alias that is valid for a member of that name with any arguments
//   Result       the return type for the arguments of the contract, or Missing
//   fits         false: compilation of the model fails
//   Sentence     the compiler message: the required signature
//
// An optional function with a wrong signature fails compilation; otherwise the library would ignore it silently. Data
// members of the same name (for example a number `mu`) and overloads are permitted.
#pragma once

#include "moreau/model/directions.hpp"
#include "moreau/model/traits.hpp"

namespace moreau {
namespace detail {

// Return type of a call, without reference; Missing if the call is invalid for a const model or returns void.
template <template <class...> class Op, class... Args>
using Returned =
    std::conditional_t<std::is_void_v<Detected<Op, Args...>>, Missing, std::decay_t<Detected<Op, Args...>>>;

template <class R>
inline constexpr bool is_missing = std::is_same_v<R, Missing>;

// True for an Eigen matrix of this scalar and these sizes, with any storage options.
template <class R, class Real, int rows, int cols>
struct Plain : std::false_type {};
template <class Real, int rows, int cols, int options, int max_rows, int max_cols>
struct Plain<Eigen::Matrix<Real, rows, cols, options, max_rows, max_cols>, Real, rows, cols> : std::true_type {};

template <class Derived>
Derived eigen_type(const Eigen::EigenBase<Derived>&);
template <class R>
using expression_of = decltype(eigen_type(const_object<R>()));
template <class R>
struct IsExpression : Bool<detected<expression_of, R>> {};
template <class Real, int rows, int cols, int options, int max_rows, int max_cols>
struct IsExpression<Eigen::Matrix<Real, rows, cols, options, max_rows, max_cols>> : std::false_type {};

// The functions of friction elements and ideal joints can return any struct with these members.
template <class R>
using w_of = std::remove_cv_t<decltype(R::w)>;
template <class R>
using zeta_of = decltype(R::zeta);
template <class R>
using g_of = std::remove_cv_t<decltype(R::g)>;
template <class R, class Real, int rows, int cols>
constexpr bool has_direction() {
  return detected<zeta_of, R> && Plain<Detected<w_of, R>, Real, rows, cols>::value;
}

template <class M>
using RealOf = typename Traits<M>::Real;
template <class M>
using VectorOf = Vector<RealOf<M>, Traits<M>::dof>;

template <class Model>
struct Contract;

// clang-format off
// Arguments of a function: (q, t), or a = at(q, t) in a model that shares terms. Moving: arguments that include u.
// Ending: arguments that include u and dt.
template <class M, class Shared> struct Calls {
  template <template <class...> class Op, class... Front> using At = Returned<Op, M, Front..., const Shared&>;
  template <template <class...> class Op, class... Front> using Moving = Returned<Op, M, Front..., const Shared&, const VectorOf<M>&>;
  template <template <class...> class Op, class... Front> using Ending = Returned<Op, M, Front..., const Shared&, const VectorOf<M>&, RealOf<M>>;
};
template <class M> struct Calls<M, Missing> {
  template <template <class...> class Op, class... Front> using At = Returned<Op, M, Front..., const VectorOf<M>&, RealOf<M>>;
  template <template <class...> class Op, class... Front> using Moving = Returned<Op, M, Front..., const VectorOf<M>&, const VectorOf<M>&, RealOf<M>>;
  template <template <class...> class Op, class... Front> using Ending = Returned<Op, M, Front..., const VectorOf<M>&, const VectorOf<M>&, RealOf<M>, RealOf<M>>;
};
template <class M, template <class...> class Op, class... Front> using AtPoint = typename Calls<M, typename Contract<M>::Shared>::template At<Op, Front...>;
template <class M, template <class...> class Op, class... Front> using Moving = typename Calls<M, typename Contract<M>::Shared>::template Moving<Op, Front...>;

namespace member {

inline constexpr bool sharing = true;  // selects the second message for models that share terms

template <class Self, bool shares = false> struct Function : Member {
  template <class M> static constexpr bool absent() { return is_missing<typename Self::template Result<M>> && !names_function<Self::template name, M>; }
  // True if the function returns the scalar of the model.
  template <class M> static constexpr bool is_real() { return std::is_same_v<typename Self::template Result<M>, RealOf<M>>; }
  template <class M> static constexpr bool is_expression() { return false; }
  template <class M> static constexpr Fault reason() {
    if (Self::template is_expression<M>()) return Fault::expression;
    return shares && Contract<M>::shares ? Fault::shared_signature : Fault::signature;
  }
};

struct At : Function<At> {
  template <class M, class... X> using call = decltype(const_object<M>().at(std::declval<X>()...));
  template <class M> using name = decltype(&M::at);
  template <class M> using Result = Returned<call, M, const VectorOf<M>&, RealOf<M>>;
  template <class M> static constexpr bool is_expression() { return IsExpression<Result<M>>::value; }
  template <class M> static constexpr bool fits() { return absent<M>() || (!is_missing<Result<M>> && !is_expression<M>()); }
  template <Fault fault> struct Sentence {
    static_assert(fault != Fault::expression, "Model's at returns an Eigen expression: write the return type, a plain type");
    static_assert(fault != Fault::signature, "Model needs: A at(const Vector<Real, dof>& q, Real t) const;   // shared terms of its functions; or no at at all");
  };
};
struct Mass : Function<Mass, sharing> {
  template <class M, class... X> using call = decltype(const_object<M>().mass(std::declval<X>()...));
  template <class M> using Result = AtPoint<M, call>;
  template <class M> static constexpr bool is_expression() { return IsExpression<Result<M>>::value; }
  template <class M> static constexpr bool fits() { return Plain<Result<M>, RealOf<M>, Traits<M>::dof, Traits<M>::dof>::value; }
  template <Fault fault> struct Sentence {
    static_assert(fault != Fault::expression, "Model's mass returns an Eigen expression: write the return type, Matrix<Real, dof, dof>");
    static_assert(fault != Fault::signature, "Model needs: Matrix<Real, dof, dof> mass(const Vector<Real, dof>& q, Real t) const;   // M(q,t)");
    static_assert(fault != Fault::shared_signature, "Model needs: Matrix<Real, dof, dof> mass(const A& a) const;   // M(q,t), with a = at(q, t)");
  };
};
struct Force : Function<Force, sharing> {
  template <class M, class... X> using call = decltype(const_object<M>().force(std::declval<X>()...));
  template <class M> using Result = Moving<M, call>;
  template <class M> static constexpr bool is_expression() { return IsExpression<Result<M>>::value; }
  template <class M> static constexpr bool fits() { return Plain<Result<M>, RealOf<M>, Traits<M>::dof, 1>::value; }
  template <Fault fault> struct Sentence {
    static_assert(fault != Fault::expression, "Model's force returns an Eigen expression: write the return type, Vector<Real, dof>");
    static_assert(fault != Fault::signature, "Model needs: Vector<Real, dof> force(const Vector<Real, dof>& q, const Vector<Real, dof>& u, Real t) const;   // h(q,u,t)");
    static_assert(fault != Fault::shared_signature, "Model needs: Vector<Real, dof> force(const A& a, const Vector<Real, dof>& u) const;   // h(q,u,t), with a = at(q, t)");
  };
};
struct Gap : Function<Gap, sharing> {
  template <class M, class... X> using call = decltype(const_object<M>().gap(std::declval<X>()...));
  template <class M> using Result = AtPoint<M, call, int>;
  template <class M> static constexpr bool fits() { return Traits<M>::contacts == 0 || is_real<M>(); }
  template <Fault fault> struct Sentence {
    static_assert(fault != Fault::signature, "Model needs: Real gap(int contact, const Vector<Real, dof>& q, Real t) const;   // g_N(q,t)");
    static_assert(fault != Fault::shared_signature, "Model needs: Real gap(int contact, const A& a) const;   // g_N(q,t), with a = at(q, t)");
  };
};
struct Directions : Function<Directions, sharing> {
  template <class M, class... X> using call = decltype(const_object<M>().directions(std::declval<X>()...));
  template <class M> using Result = AtPoint<M, call, int>;
  template <class M> using Right = moreau::Directions<RealOf<M>, Traits<M>::dof, Traits<M>::tangents>;
  template <class M> static constexpr bool fits() { return Traits<M>::contacts == 0 || std::is_same_v<Result<M>, Right<M>>; }
  template <Fault fault> struct Sentence {
    static_assert(fault != Fault::signature, "Model needs: Directions<Real, dof, tangents> directions(int contact, const Vector<Real, dof>& q, Real t) const;   // w_N, w_T, zeta");
    static_assert(fault != Fault::shared_signature, "Model needs: Directions<Real, dof, tangents> directions(int contact, const A& a) const;   // w_N, w_T, zeta, with a = at(q, t)");
  };
};
struct Law : Function<Law> {
  template <class M, class... X> using call = decltype(const_object<M>().law(std::declval<X>()...));
  template <class M> using Result = Returned<call, M, int>;
  template <class M> static constexpr bool fits() { return Traits<M>::contacts == 0 || std::is_same_v<Result<M>, ContactLaw<RealOf<M>>>; }
  template <Fault fault> struct Sentence { static_assert(fault == Fault::none, "Model needs: ContactLaw<Real> law(int contact) const;   // eps_N, eps_T, mu"); };
};
struct Mu : Function<Mu> {
  template <class M, class... X> using call = decltype(const_object<M>().mu(std::declval<X>()...));
  template <class M> using name = decltype(&M::mu);
  template <class M> using Result = Returned<call, M, int, RealOf<M>>;
  template <class M> static constexpr bool fits() { return Traits<M>::contacts == 0 || absent<M>() || is_real<M>(); }
  template <Fault fault> struct Sentence { static_assert(fault == Fault::none, "Model needs: Real mu(int contact, Real v) const;   // friction at slip speed v = |gamma_T|; or no mu at all"); };
};
// If a model without tangents has mu(contact, v), compilation fails, because mu would be ignored.
struct MuWithTangents : Function<MuWithTangents> {
  template <class M> static constexpr bool fits() { return Traits<M>::contacts == 0 || Traits<M>::tangents > 0 || Mu::absent<M>(); }
  template <Fault fault> struct Sentence { static_assert(fault == Fault::none, "Model needs: tangents 1 or 2   // it has mu(contact, v), which has no effect with tangents = 0"); };
};
struct AllowedPenetration : Function<AllowedPenetration> {
  template <class M, class... X> using call = decltype(const_object<M>().allowed_penetration(std::declval<X>()...));
  template <class M> using name = decltype(&M::allowed_penetration);
  template <class M> using Result = Returned<call, M, int>;
  template <class M> static constexpr bool fits() { return Traits<M>::contacts == 0 || absent<M>() || is_real<M>(); }
  template <Fault fault> struct Sentence { static_assert(fault == Fault::none, "Model needs: Real allowed_penetration(int contact) const;   // m, penetration left by the position correction; or no allowed_penetration at all"); };
};
struct PlayOf : Function<PlayOf> {
  template <class M, class... X> using call = decltype(const_object<M>().play_of(std::declval<X>()...));
  template <class M> using name = decltype(&M::play_of);
  template <class M> using Result = Returned<call, M, int>;
  template <class M> static constexpr bool fits() { return Traits<M>::contacts == 0 || absent<M>() || is_real<M>(); }
  template <Fault fault> struct Sentence { static_assert(fault == Fault::none, "Model needs: Real play_of(int contact) const;   // m, play of the joint of the contact; or no play_of at all"); };
};
struct FrictionBound : Function<FrictionBound, sharing> {
  template <class M, class... X> using call = decltype(const_object<M>().friction_bound(std::declval<X>()...));
  template <class M> using name = decltype(&M::friction_bound);
  template <class M> using Result = AtPoint<M, call, int>;
  template <class M> static constexpr bool fits() { return Traits<M>::frictions == 0 || is_real<M>(); }
  template <Fault fault> struct Sentence {
    static_assert(fault != Fault::signature, "Model needs: Real friction_bound(int element, const Vector<Real, dof>& q, Real t) const;   // N or N m");
    static_assert(fault != Fault::shared_signature, "Model needs: Real friction_bound(int element, const A& a) const;   // N or N m, with a = at(q, t)");
  };
};
struct FrictionDirections : Function<FrictionDirections, sharing> {
  template <class M, class... X> using call = decltype(const_object<M>().friction_directions(std::declval<X>()...));
  template <class M> using name = decltype(&M::friction_directions);
  template <class M> using Result = AtPoint<M, call, int>;
  template <class M> static constexpr bool is_expression() { return IsExpression<Detected<w_of, Result<M>>>::value; }
  template <class M> static constexpr bool fits() {
    constexpr int dof = Traits<M>::dof, dim = Traits<M>::friction_dim;
    using R = Result<M>;
    return Traits<M>::frictions == 0 || has_direction<R, RealOf<M>, dof, dim>() || std::is_same_v<R, moreau::Directions<RealOf<M>, dof, dim>>;
  }
  template <Fault fault> struct Sentence {
    static_assert(fault != Fault::expression, "Model's friction_directions returns an Eigen expression: write the return type, FrictionDirections<Real, dof, friction_dim>");
    static_assert(fault != Fault::signature, "Model needs: FrictionDirections<Real, dof, friction_dim> friction_directions(int element, const Vector<Real, dof>& q, Real t) const;   // w, zeta");
    static_assert(fault != Fault::shared_signature, "Model needs: FrictionDirections<Real, dof, friction_dim> friction_directions(int element, const A& a) const;   // w, zeta, with a = at(q, t)");
  };
};
// If the model has friction functions but no `frictions`, compilation fails, because the functions would be ignored.
// `frictions = 0` is valid.
struct DeclaredFrictions : Frictions {
  template <class M> static constexpr bool fits() {
    return detected<value, M> || (FrictionBound::absent<M>() && FrictionDirections::absent<M>() && !detected<FrictionDim::value, M>);
  }
};
struct Bilateral : Function<Bilateral, sharing> {
  template <class M, class... X> using call = decltype(const_object<M>().bilateral(std::declval<X>()...));
  template <class M> using name = decltype(&M::bilateral);
  template <class M> using Result = AtPoint<M, call, int>;
  template <class M> static constexpr bool is_expression() { return IsExpression<Detected<w_of, Result<M>>>::value; }
  template <class M> static constexpr bool fits() {
    using R = Result<M>;
    return Traits<M>::bilaterals == 0 || (has_direction<R, RealOf<M>, Traits<M>::dof, 1>() && yields<RealOf<M>, g_of, R>);
  }
  template <Fault fault> struct Sentence {
    static_assert(fault != Fault::expression, "Model's bilateral returns an Eigen expression: write the return type, Bilateral<Real, dof>");
    static_assert(fault != Fault::signature, "Model needs: Bilateral<Real, dof> bilateral(int row, const Vector<Real, dof>& q, Real t) const;   // w, zeta, g");
    static_assert(fault != Fault::shared_signature, "Model needs: Bilateral<Real, dof> bilateral(int row, const A& a) const;   // w, zeta, g, with a = at(q, t)");
  };
};
struct BiasAcceleration : Function<BiasAcceleration, sharing> {
  template <class M, class... X> using call = decltype(const_object<M>().bias_acceleration(std::declval<X>()...));
  template <class M> using name = decltype(&M::bias_acceleration);
  template <class M> using Result = Moving<M, call, int>;
  template <class M> static constexpr bool fits() { return Traits<M>::bilaterals == 0 || absent<M>() || is_real<M>(); }
  template <Fault fault> struct Sentence {
    static_assert(fault != Fault::signature, "Model needs: Real bias_acceleration(int row, const Vector<Real, dof>& q, const Vector<Real, dof>& u, Real t) const;   // (dw/dt)^T u; or no bias_acceleration at all");
    static_assert(fault != Fault::shared_signature, "Model needs: Real bias_acceleration(int row, const A& a, const Vector<Real, dof>& u) const;   // (dw/dt)^T u, with a = at(q, t); or no bias_acceleration at all");
  };
};
struct ContactBiasAcceleration : Function<ContactBiasAcceleration, sharing> {
  template <class M, class... X> using call = decltype(const_object<M>().contact_bias_acceleration(std::declval<X>()...));
  template <class M> using name = decltype(&M::contact_bias_acceleration);
  template <class M> using Result = Moving<M, call, int>;
  template <class M> static constexpr bool fits() { return Traits<M>::contacts == 0 || absent<M>() || std::is_same_v<Result<M>, moreau::ContactBias<RealOf<M>, Traits<M>::tangents>>; }
  template <Fault fault> struct Sentence {
    static_assert(fault != Fault::signature, "Model needs: ContactBias<Real, tangents> contact_bias_acceleration(int contact, const Vector<Real, dof>& q, const Vector<Real, dof>& u, Real t) const;   // rates of gamma_N, gamma_T at constant u; or no contact_bias_acceleration at all");
    static_assert(fault != Fault::shared_signature, "Model needs: ContactBias<Real, tangents> contact_bias_acceleration(int contact, const A& a, const Vector<Real, dof>& u) const;   // rates of gamma_N, gamma_T at constant u, with a = at(q, t); or no contact_bias_acceleration at all");
  };
};
struct FrictionBiasAcceleration : Function<FrictionBiasAcceleration, sharing> {
  template <class M, class... X> using call = decltype(const_object<M>().friction_bias_acceleration(std::declval<X>()...));
  template <class M> using name = decltype(&M::friction_bias_acceleration);
  template <class M> using Result = Moving<M, call, int>;
  template <class M> static constexpr bool fits() { return Traits<M>::frictions == 0 || absent<M>() || std::is_same_v<Result<M>, Tangential<RealOf<M>, Traits<M>::friction_dim>>; }
  template <Fault fault> struct Sentence {
    static_assert(fault != Fault::signature, "Model needs: Real friction_bias_acceleration(int element, const Vector<Real, dof>& q, const Vector<Real, dof>& u, Real t) const;   // Vector<Real, 2> for friction_dim = 2; rate of w^T u + zeta at constant u; or no friction_bias_acceleration at all");
    static_assert(fault != Fault::shared_signature, "Model needs: Real friction_bias_acceleration(int element, const A& a, const Vector<Real, dof>& u) const;   // Vector<Real, 2> for friction_dim = 2; rate of w^T u + zeta at constant u, with a = at(q, t); or no friction_bias_acceleration at all");
  };
};
struct EndZeta : Function<EndZeta, sharing> {
  template <class M, class... X> using call = decltype(const_object<M>().zeta_E(std::declval<X>()...));
  template <class M> using name = decltype(&M::zeta_E);
  template <class M> using Result = typename Calls<M, typename Contract<M>::Shared>::template Ending<call, int>;
  template <class M> static constexpr bool fits() { return Traits<M>::bilaterals == 0 || absent<M>() || is_real<M>(); }
  template <Fault fault> struct Sentence {
    static_assert(fault != Fault::signature, "Model needs: Real zeta_E(int row, const Vector<Real, dof>& q, const Vector<Real, dof>& u, Real t, Real dt) const;   // w^T u + zeta_E = 0 at the end of a step; or no zeta_E at all");
    static_assert(fault != Fault::shared_signature, "Model needs: Real zeta_E(int row, const A& a, const Vector<Real, dof>& u, Real dt) const;   // w^T u + zeta_E = 0 at the end of a step, with a = at(q, t); or no zeta_E at all");
  };
};
// If the model has `bilateral` but no `bilaterals`, compilation fails.
struct DeclaredBilaterals : Bilaterals {
  template <class M> static constexpr bool fits() { return detected<value, M> || Bilateral::absent<M>(); }
};
struct Wrap : Function<Wrap> {
  template <class M, class... X> using call = decltype(const_object<M>().wrap(std::declval<X>()...));
  template <class M> using name = decltype(&M::wrap);
  template <class M> using Result = Returned<call, M, const VectorOf<M>&>;
  template <class M> static constexpr bool is_expression() { return IsExpression<Result<M>>::value; }
  template <class M> static constexpr bool fits() { return absent<M>() || Plain<Result<M>, RealOf<M>, Traits<M>::dof, 1>::value; }
  template <Fault fault> struct Sentence {
    static_assert(fault != Fault::expression, "Model's wrap returns an Eigen expression: write the return type, Vector<Real, dof>");
    static_assert(fault != Fault::signature, "Model needs: Vector<Real, dof> wrap(const Vector<Real, dof>& q) const;   // the same configuration, angles small; or no wrap at all");
  };
};
struct Period : Function<Period> {
  template <class M, class... X> using call = decltype(const_object<M>().period(std::declval<X>()...));
  template <class M> using name = decltype(&M::period);
  template <class M> using Result = Returned<call, M>;
  template <class M> static constexpr bool fits() { return absent<M>() || is_real<M>(); }
  template <Fault fault> struct Sentence { static_assert(fault == Fault::none, "Model needs: Real period() const;   // s, of a prescribed periodic motion; or no period at all"); };
};
struct Potential : Function<Potential, sharing> {
  template <class M, class... X> using call = decltype(const_object<M>().potential(std::declval<X>()...));
  template <class M> using name = decltype(&M::potential);
  template <class M> using Result = AtPoint<M, call>;
  template <class M> static constexpr bool fits() { return absent<M>() || is_real<M>(); }
  template <Fault fault> struct Sentence {
    static_assert(fault != Fault::signature, "Model needs: Real potential(const Vector<Real, dof>& q, Real t) const;   // V(q,t), J; or no potential at all");
    static_assert(fault != Fault::shared_signature, "Model needs: Real potential(const A& a) const;   // V(q,t), J, with a = at(q, t); or no potential at all");
  };
};
// clang-format on

}  // namespace member

}  // namespace detail
}  // namespace moreau
