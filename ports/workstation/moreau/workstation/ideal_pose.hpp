// Pose of a mechanism from parts without clearance: each clearance joint is replaced by its ideal twin, and q is
// projected onto all of them.
//
//   q_0 <- q_0 - M^-1 B^T (B M^-1 B^T)^+ g(q_0)     from q_0 = q; repeated until |g| is rounding error
//
//   pin in a bearing     its centre in the bearing's          slider in a guide    centred, straight
//   pin in a slot        on the centre line of the slot       teeth with backlash  centred in their backlash
//
// Every iteration squares the error, so a clearance of 1 % takes three. Rows that depend on others, such as those of a
// slider between two guides, are left out by the pivots of L D L^T. A point on a line has no twin: it stays on its body.
// All of it is computed in double, except for user-defined joints: a picture magnifies the remaining g.
#pragma once
#include <algorithm>
#include <array>
#include <cmath>
#include <moreau/mechanism.hpp>

#include "moreau/workstation/twins_in_space.hpp"

namespace moreau::workstation {
namespace detail {

inline Point<double> in_double(double x, double y) { return {x, y}; }
template <class R>
Point<double> in_double(const Point<R>& p) {
  return {double(p.x), double(p.y)};
}
template <class R, int A, int B>
RevoluteClearance<double, A, B> in_double(const RevoluteClearance<R, A, B>& j) {
  return {in_double(j.on_A), in_double(j.on_B), double(j.play), double(j.radius), {}};
}
template <class R, int A, int B>
PrismaticClearance<double, A, B> in_double(const PrismaticClearance<R, A, B>& j) {
  return {in_double(j.on_A),    in_double(j.axis), in_double(j.on_B), double(j.a), double(j.b), double(j.play), {},
          double(j.half_length)};
}
template <class R, int A, int B>
SlotClearance<double, A, B> in_double(const SlotClearance<R, A, B>& j) {
  return {in_double(j.on_A),
          in_double(j.axis),
          double(j.half_length),
          in_double(j.on_B),
          double(j.play),
          double(j.radius),
          {}};
}
template <class R, int A, int B>
PointOnLine<double, A, B> in_double(const PointOnLine<R, A, B>& j) {
  return {in_double(j.on_A), in_double(j.normal), in_double(j.on_B), double(j.radius), {}};
}
template <class R, int A, int B>
Backlash<double, A, B> in_double(const Backlash<R, A, B>& j) {
  return {double(j.r_A), double(j.r_B), double(j.play), double(j.offset), {}};
}
// The types that declare a special case of a joint of the library.
template <class P>
using without_ends = std::enable_if_t<std::is_same_v<P, typename P::Joint::WithoutEnds>>;
template <class P>
constexpr bool special_case = moreau::detail::is_at_centre<P> || moreau::detail::detected<without_ends, P>;

template <class Own>
decltype(auto) in_double(const Own& own) {
  if constexpr (special_case<Own>)
    return in_double(static_cast<const typename Own::Joint&>(own));
  else
    return own;
}

// Rows of a joint without clearance.
template <int A, int B>
struct MiddleOfSlot : Prismatic<double, A, B> {
  static constexpr int bilaterals = 1;
};
template <int A, int B>
struct MiddleOfTeeth {
  static constexpr int bilaterals = 1;
  Backlash<double, A, B> teeth;

  JointRow<double> bilateral(int, const Frame<double>& frame_A, const Frame<double>& frame_B, double) const {
    return {{{}, teeth.r_A}, {{}, teeth.r_B}, 0, teeth.r_A * frame_A.phi + teeth.r_B * frame_B.phi - teeth.offset};
  }
};

template <class R, int A, int B>
auto ideal_twin(const RevoluteClearance<R, A, B>& j) {
  return Revolute<double, A, B>{in_double(j.on_A), in_double(j.on_B)};
}
template <class R, int A, int B>
auto ideal_twin(const Revolute<R, A, B>& j) {
  return Revolute<double, A, B>{in_double(j.on_A), in_double(j.on_B)};
}
template <class R, int A, int B>
auto ideal_twin(const PrismaticClearance<R, A, B>& j) {
  return Prismatic<double, A, B>{in_double(j.on_A), in_double(j.axis), in_double(j.on_B)};
}
template <class R, int A, int B>
auto ideal_twin(const Prismatic<R, A, B>& j) {
  return Prismatic<double, A, B>{in_double(j.on_A), in_double(j.axis), in_double(j.on_B)};
}
template <class R, int A, int B>
auto ideal_twin(const Weld<R, A, B>& j) {
  return Weld<double, A, B>{in_double(j.on_A), in_double(j.on_B), in_double(j.axis)};
}
template <class R, int A, int B>
auto ideal_twin(const SlotClearance<R, A, B>& j) {
  return MiddleOfSlot<A, B>{{in_double(j.on_A), in_double(j.axis), in_double(j.on_B)}};
}
template <class R, int A, int B>
auto ideal_twin(const Backlash<R, A, B>& j) {
  return MiddleOfTeeth<A, B>{in_double(j)};
}
template <class Own>
decltype(auto) ideal_twin(const Own& own) {  // an ideal joint unchanged; any other joint contributes no rows
  if constexpr (special_case<Own>)
    return ideal_twin(static_cast<const typename Own::Joint&>(own));
  else
    return own;
}

template <class R>
Frame<R> as(const Frame<double>& frame) {
  return {{R(frame.r.x), R(frame.r.y)}, R(frame.phi), R(frame.sin), R(frame.cos)};
}

}  // namespace detail

// Nominal poses of one mechanism at any instant.
template <class Model>
class IdealPose {
  using List = typename Model::List;
  using Doubles = detail::GeometryInDouble<typename List::Geometry>;
  using Geometry = typename Doubles::type;
  static constexpr int bodies = List::bodies, dof = Geometry::coordinates * bodies;

  template <class Part>
  static constexpr int rows_of() {
    if constexpr (moreau::detail::is_joint<Part>) {
      using Twin = std::decay_t<decltype(detail::ideal_twin(std::declval<const Part&>()))>;
      if constexpr (moreau::detail::brings<moreau::detail::bilaterals_in, Twin>) return Twin::bilaterals;
    }
    return 0;
  }
  template <int... i>
  static constexpr int count_rows(std::integer_sequence<int, i...>) {
    return (0 + ... + rows_of<typename List::template Part<i>>());
  }
  static constexpr int rows = count_rows(typename List::Indices{}), room = rows > 0 ? rows : 1;
  using Rows = Vector<double, room>;

 public:
  using Coordinates = Vector<double, dof>;
  using Frame = typename Geometry::Frame;
  using Frames = std::array<Frame, std::size_t(bodies) + 1>;  // the last one is the ground

  explicit IdealPose(const Model& model) : model_(model) {}

  static Frames frames(const Coordinates& q) {
    Frames all;
    for (int b = 0; b < bodies; ++b) all[std::size_t(b)] = Geometry::frame(q, Geometry::coordinates * b);
    return all;
  }

  Coordinates operator()(const Coordinates& q, double t) {
    constexpr int rounds = 8;          // three are needed
    constexpr double nothing = 1e-14;  // m and rad: rounding error at 1 m
    Coordinates ideal = q;
    for (int round = 0; round < rounds && rows > 0; ++round) {
      fill(frames(ideal), t);
      double most = 0;
      for (int i = 0; i < rows; ++i) most = std::max(most, std::fabs(g_(i)));
      if (!(most > nothing)) break;
      const Rows lambda = solve();
      Coordinates step = Coordinates::Zero();
      for (int j = 0; j < dof; ++j)
        for (int i = 0; i < rows; ++i) step(j) -= inverse_mass(j) * B_(i, j) * lambda(i);
      ideal = Doubles::displaced(ideal, step);
    }
    return ideal;
  }

 private:
  double inverse_mass(int j) const {
    const auto& body = model_.body[j / Geometry::coordinates];
    return 1 / double(List::Geometry::inertia(body, j % Geometry::coordinates));
  }
  // Returns lambda with B M^-1 B^T lambda = g, by L D L^T with pivots. Rows without a pivot of their own have 0.
  Rows solve() const {
    constexpr double dependent = 1e-10;  // of the row's own diagonal: rounding error of dependent rows
    Matrix<double, room, room> G;
    Rows x = g_, scale, lambda = Rows::Zero();
    for (int i = 0; i < rows; ++i)
      for (int k = 0; k < rows; ++k) {
        G(i, k) = 0;
        for (int j = 0; j < dof; ++j) G(i, k) += B_(i, j) * inverse_mass(j) * B_(k, j);
      }
    for (int i = 0; i < rows; ++i) scale(i) = G(i, i);
    std::array<int, std::size_t(room)> pivot{};
    std::array<bool, std::size_t(room)> used{};
    int rank = 0;
    for (; rank < rows; ++rank) {  // eliminate the row with the largest relative pivot
      int p = -1;
      for (int i = 0; i < rows; ++i)
        if (!used[std::size_t(i)] && (p < 0 || G(i, i) * scale(p) > G(p, p) * scale(i))) p = i;
      if (!(G(p, p) > dependent * scale(p))) break;
      used[std::size_t(p)] = true;
      pivot[std::size_t(rank)] = p;
      for (int i = 0; i < rows; ++i) {
        if (used[std::size_t(i)]) continue;
        const double factor = G(i, p) / G(p, p);
        for (int k = 0; k < rows; ++k)
          if (!used[std::size_t(k)]) G(i, k) -= factor * G(p, k);
        x(i) -= factor * x(p);
      }
    }
    for (int n = rank - 1; n >= 0; --n) {  // substitute backwards
      const int p = pivot[std::size_t(n)];
      double sum = x(p);
      for (int m = n + 1; m < rank; ++m) sum -= G(p, pivot[std::size_t(m)]) * lambda(pivot[std::size_t(m)]);
      lambda(p) = sum / G(p, p);
    }
    return lambda;
  }
  void fill(const Frames& frames, double t) {
    B_.setZero();
    int row = 0;
    each([&](const auto& joint, auto A, auto B) {
      using Joint = std::decay_t<decltype(joint)>;
      for (int k = 0; k < Joint::bilaterals; ++k, ++row) add(joint, k, frames, A, B, t, row);
    });
  }
  template <class Joint, class A, class B>
  void add(const Joint& joint, int k, const Frames& frames, A, B, double t, int row) {
    const auto in = [&](int body) { return frames[std::size_t(body == ground ? bodies : body)]; };
    const auto fits = [&](auto real) {
      using R = decltype(real);
      const auto r = joint.bilateral(k, detail::as<R>(in(A::value)), detail::as<R>(in(B::value)), R(t));
      g_(row) = double(r.g);
      enter(r.A, A::value, row), enter(r.B, B::value, row);
    };
    if constexpr (std::is_invocable_v<decltype(&Joint::bilateral), Joint, int, Frame, Frame, double>)
      fits(double{});
    else
      fits(typename Model::Real{});
  }
  template <class Wrench>
  void enter(const Wrench& wrench, int body, int row) {
    if (body == ground) return;
    using Entries = moreau::detail::WrenchEntries<Wrench>;
    using Real = std::decay_t<decltype(wrench.force.x)>;
    Vector<Real, Entries::count> entries = Vector<Real, Entries::count>::Zero();
    Entries::add(entries, 0, wrench);
    for (int k = 0; k < Entries::count; ++k) B_(row, Entries::count * body + k) += double(entries(k));
  }
  template <class F>
  void each(F&& f) const {
    List::for_each(model_, [&](auto, const auto& part) {
      using Part = std::decay_t<decltype(part)>;
      if constexpr (moreau::detail::is_joint<Part>) {
        const auto& twin = detail::ideal_twin(part);
        if constexpr (moreau::detail::brings<moreau::detail::bilaterals_in, std::decay_t<decltype(twin)>>)
          f(twin, std::integral_constant<int, Part::body_A>{}, std::integral_constant<int, Part::body_B>{});
      }
    });
  }

  const Model& model_;
  Matrix<double, room, dof> B_;
  Rows g_;
};

}  // namespace moreau::workstation
