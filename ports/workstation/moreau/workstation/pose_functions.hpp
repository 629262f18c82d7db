// Poses and gaps of a model at any instant, with and without clearance: the part of a picture that moves.
//
// For a mechanism from parts, its list supplies them in double, whatever its scalar. For a model derived by hand, its
// functions poses() and nominal() supply them in the accuracy of its scalar, in the plane or in space. No dynamic
// allocation.
#pragma once
#include <array>
#include <cmath>
#include <moreau/model/evaluation.hpp>

#include "moreau/workstation/ideal_pose.hpp"
#include "moreau/workstation/scene.hpp"

namespace moreau::workstation {

// x, y, phi of every body, in space the numbers of put_pose_in_space. deviation: effect of clearance; phi within half a
// turn to either side.
template <std::size_t columns>
struct Poses {
  std::array<double, columns> nominal{}, deviation{};
};

namespace detail {

template <class M, class Q>
using poses_in = decltype(std::declval<const M&>().poses(std::declval<const Q&>()));
template <class M, class Q>
using nominal_in = decltype(std::declval<const M&>().nominal(std::declval<const Q&>()));
template <class P>
inline constexpr std::size_t pose_count = 0;
template <class Pose, std::size_t n>
inline constexpr std::size_t pose_count<std::array<Pose, n>> = n;
template <class Pose>
using quaternion_in = decltype(std::declval<const Pose&>().w);
template <class M>
using parts_of = std::enable_if_t<M::List::Geometry::planar>;
template <class M>
using parts_in_space_of = std::enable_if_t<!M::List::Geometry::planar>;

template <class R>
spatial::Frame<double> as_double(const spatial::Frame<R>& f) {
  return {in_double(f.r), in_double(f.x), in_double(f.y), in_double(f.z)};
}

template <class Joint, class Frame>
using contact_at = decltype(std::declval<const Joint&>().contact(0, std::declval<Frame>(), std::declval<Frame>()));

// Returns the gaps of a mechanism from parts. `frames` are those of the bodies, in double, followed by that of the ground.
template <class Model, class Frames>
std::array<double, std::size_t(Traits<Model>::contacts)> gaps_of(const Model& model, const Frames& frames) {
  using Real = typename Traits<Model>::Real;
  using Frame = typename Frames::value_type;
  using List = typename Model::List;
  std::array<double, std::size_t(Traits<Model>::contacts)> all{};
  std::size_t i = 0;
  List::for_each(model, [&](auto, const auto& part) {
    using Part = std::decay_t<decltype(part)>;
    if constexpr (moreau::detail::brings<moreau::detail::contacts_in, Part>) {
      const auto& joint = in_double(part);
      const auto in = [&](int b) -> const Frame& { return frames[std::size_t(b == ground ? List::bodies : b)]; };
      const Frame &A = in(Part::body_A), &B = in(Part::body_B);
      for (int k = 0; k < Part::contacts; ++k)
        if constexpr (moreau::detail::detected<contact_at, std::decay_t<decltype(joint)>, Frame>)
          all[i++] = double(joint.contact(k, A, B).g_N);
        else
          all[i++] = double(joint.contact(k, as<Real>(A), as<Real>(B)).g_N);
    }
  });
  return all;
}

inline double within_half_turn(double phi) { return std::remainder(phi, 6.283185307179586); }

// Stores the pose of a body with and without clearance.
template <std::size_t columns>
void put_pose(Poses<columns>& all, std::size_t body, const std::array<double, 3>& is,
              const std::array<double, 3>& without) {
  const auto of = [body](auto& column, double x, double y, double phi) {
    column[3 * body] = x, column[3 * body + 1] = y, column[3 * body + 2] = within_half_turn(phi);
  };
  of(all.nominal, without[0], without[1], without[2]);
  of(all.deviation, is[0] - without[0], is[1] - without[1], is[2] - without[2]);
}

}  // namespace detail

// Functions of a model derived by hand.
template <class Model, class = void>
class PoseFunctions {
  using T = Traits<Model>;
  using Real = typename T::Real;
  using Q = Vector<Real, T::dof>;
  static constexpr bool has_poses = moreau::detail::detected<detail::poses_in, Model, Q>;
  static constexpr std::size_t bodies() {
    if constexpr (has_poses)
      return detail::pose_count<std::decay_t<detail::poses_in<Model, Q>>>;
    else
      return 0;
  }
  static constexpr bool turns_in_space() {
    if constexpr (has_poses)
      return moreau::detail::detected<detail::quaternion_in,
                                      typename std::decay_t<detail::poses_in<Model, Q>>::value_type>;
    else
      return false;
  }

 public:
  static constexpr bool magnifies = moreau::detail::detected<detail::nominal_in, Model, Q>;
  static constexpr bool in_space = turns_in_space();
  static constexpr std::size_t columns = (in_space ? detail::in_space : detail::in_plane) * bodies();

  explicit PoseFunctions(const Model& model) : model_(model) {}
  PoseFunctions(const PoseFunctions&) = delete;
  PoseFunctions& operator=(const PoseFunctions&) = delete;
  const Model& model() const { return model_; }

  Poses<columns> poses(const Vector<double, T::dof>& q, double) const {
    Poses<columns> all;
    if constexpr (has_poses) {
      const Q own = q.template cast<Real>();
      Q ideal = own;
      if constexpr (magnifies) ideal = model_.nominal(own);
      const auto is = model_.poses(own), without = model_.poses(ideal);
      if constexpr (in_space) {
        const auto pose = [](const auto& p) -> PoseInSpace { return {p.r, p.w, p.x, p.y, p.z}; };
        for (std::size_t b = 0; b < bodies(); ++b)
          detail::put_pose_in_space(all.nominal, all.deviation, b, pose(is[b]), pose(without[b]));
      } else {
        put_plane(all, is, without);
      }
    }
    return all;
  }
  std::array<double, std::size_t(T::contacts)> gaps(const Q& q, double t) const {
    std::array<double, std::size_t(T::contacts)> all{};
    if constexpr (T::contacts > 0) {
      const moreau::detail::Evaluation<Model> at(model_, q, Real(t));
      for (int i = 0; i < T::contacts; ++i) all[std::size_t(i)] = double(at.gap(i));
    }
    return all;
  }

 private:
  template <class Frames>
  static void put_plane(Poses<columns>& all, const Frames& is, const Frames& without) {
    const auto numbers = [](const Frame<Real>& f) -> std::array<double, 3> {
      return {double(f.r.x), double(f.r.y), double(f.phi)};
    };
    for (std::size_t b = 0; b < bodies(); ++b) detail::put_pose(all, b, numbers(is[b]), numbers(without[b]));
  }

  Model model_;
};

// Functions of a planar mechanism from parts.
template <class Model>
class PoseFunctions<Model, detail::parts_of<Model>> {
  using T = Traits<Model>;
  using Real = typename T::Real;
  using Q = Vector<Real, T::dof>;
  using List = typename Model::List;
  using Ideal = IdealPose<Model>;
  using Bodies = typename Ideal::Coordinates;  // x, y and phi of every body

 public:
  static constexpr bool magnifies = true, in_space = false;
  static constexpr std::size_t columns = detail::in_plane * std::size_t(List::bodies);

  explicit PoseFunctions(const Model& model) : model_(model) {}
  PoseFunctions(const PoseFunctions&) = delete;
  PoseFunctions& operator=(const PoseFunctions&) = delete;
  const Model& model() const { return model_; }

  Poses<columns> poses(const Vector<double, T::dof>& coordinates, double t) const {
    const Bodies q = of_bodies(coordinates, t), ideal = Ideal(model_)(q, t);
    Poses<columns> all;
    const auto numbers = [](const Bodies& of, int b) -> std::array<double, 3> {
      return {of(3 * b), of(3 * b + 1), of(3 * b + 2)};
    };
    for (int b = 0; b < List::bodies; ++b) detail::put_pose(all, std::size_t(b), numbers(q, b), numbers(ideal, b));
    return all;
  }
  std::array<double, std::size_t(T::contacts)> gaps(const Q& q, double t) const {
    return detail::gaps_of(model_, Ideal::frames(of_bodies(q, t)));
  }

  // Returns x, y and phi of every body.
  template <class Coordinates>
  Bodies of_bodies(const Coordinates& q, double t) const {
    Bodies all;
    const auto a = model_.at(q.template cast<Real>(), Real(t));
    moreau::detail::for_each_constant<List::bodies>([&](auto b) {
      const Frame<Real> frame = moreau::detail::frame_of<decltype(b)::value>(a);
      all(3 * b) = double(frame.r.x), all(3 * b + 1) = double(frame.r.y), all(3 * b + 2) = double(frame.phi);
    });
    return all;
  }

 private:
  Model model_;
};

// Functions of a mechanism from parts in space.
template <class Model>
class PoseFunctions<Model, detail::parts_in_space_of<Model>> {
  using T = Traits<Model>;
  using Real = typename T::Real;
  using Q = Vector<Real, T::dof>;
  using List = typename Model::List;
  using Ideal = IdealPose<Model>;

 public:
  static constexpr bool magnifies = true, in_space = true;
  static constexpr std::size_t columns = detail::in_space * std::size_t(List::bodies);
  using Bodies = typename Ideal::Coordinates;  // r and sigma of every body

  explicit PoseFunctions(const Model& model) : model_(model) {}
  PoseFunctions(const PoseFunctions&) = delete;
  PoseFunctions& operator=(const PoseFunctions&) = delete;
  const Model& model() const { return model_; }

  Poses<columns> poses(const Vector<double, T::dof>& coordinates, double t) const {
    const Bodies q = of_bodies(coordinates, t), ideal = Ideal(model_)(q, t);
    Poses<columns> all;
    for (int b = 0; b < List::bodies; ++b)
      detail::put_pose_in_space(all.nominal, all.deviation, std::size_t(b), pose(q, b), pose(ideal, b));
    return all;
  }
  std::array<double, std::size_t(T::contacts)> gaps(const Q& q, double t) const {
    return detail::gaps_of(model_, Ideal::frames(of_bodies(q, t)));
  }

  // Returns r and sigma of every body.
  template <class Coordinates>
  Bodies of_bodies(const Coordinates& q, [[maybe_unused]] double t) const {
    if constexpr (T::diagonal_mass) {
      return q.template cast<double>();
    } else {
      Bodies all;
      const auto a = model_.at(q.template cast<Real>(), Real(t));
      moreau::detail::for_each_constant<List::bodies>([&](auto b) {
        using moreau::detail::frame_of;
        const auto frame = detail::as_double(frame_of<decltype(b)::value>(a));
        spatial::detail::set_point(all, 6 * b, frame.r);
        spatial::detail::set_point(all, 6 * b + 3,
                                   spatial::detail::rodrigues_of(spatial::detail::quaternion_of_axes(frame)));
      });
      return all;
    }
  }

  static PoseInSpace pose(const Bodies& q, int body) {
    const auto r = spatial::detail::point_of(q, 6 * body);
    const auto o = spatial::detail::quaternion_of(spatial::detail::point_of(q, 6 * body + 3));
    return {r, o.w, o.x, o.y, o.z};
  }

 private:
  Model model_;
};

}  // namespace moreau::workstation
