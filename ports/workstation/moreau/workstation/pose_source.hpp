// Data of a model for a report, at any instant: picture, poses with and without clearance, gaps, energy.
//
// For a mechanism from parts, its list supplies them in double, whatever its scalar. For a model derived by hand, its
// own functions (picture.hpp) supply them in the accuracy of its scalar.
#pragma once
#include <moreau/check/energy_audit.hpp>
#include <moreau/model/evaluation.hpp>

#include "moreau/workstation/picture_of_parts.hpp"
#include "moreau/workstation/pose_functions.hpp"
#include "moreau/workstation/run.hpp"
#include "moreau/workstation/scene_of_parts.hpp"

namespace moreau::workstation {

// Names of a coordinate and its velocity in a report.
struct CoordinateCurve {
  int coordinate;
  Symbol symbol, speed;
};

namespace detail {

template <class M, class Scene>
using solids_in = decltype(std::declval<const M&>().solids(std::declval<Scene&>()));
template <class M, class Q>
using tangents_of_in = decltype(std::declval<const M&>().tangents_of(0, std::declval<const Q&>()));
template <class M, class Picture>
using shapes_in = decltype(std::declval<const M&>().shapes(std::declval<Picture&>()));
// Detects members by name alone: one with a wrong signature is an error.
template <class M>
using shapes_named = decltype(&M::template shapes<Picture>);
template <class M>
using solids_named = decltype(&M::template solids<Scene>);
template <class M>
using poses_named = decltype(&M::poses);
template <class M>
using nominal_named = decltype(&M::nominal);
template <template <class...> class Named, class M>
constexpr bool is_function() {
  if constexpr (moreau::detail::detected<Named, M>)
    return std::is_member_function_pointer_v<Named<M>>;
  else
    return false;
}
template <class M, class Q>
using energy_in = decltype(std::declval<const M&>().energy(std::declval<const Q&>(), std::declval<const Q&>()));
template <class Model>
double kinetic_energy(const Model& model, const Vector<typename Traits<Model>::Real, Traits<Model>::dof>& q,
                      const Vector<typename Traits<Model>::Real, Traits<Model>::dof>& u, double t) {
  using Real = typename Traits<Model>::Real;
  const auto M = moreau::detail::Evaluation<Model>(model, q, Real(t)).mass();
  double sum = 0;
  for (int i = 0; i < Traits<Model>::dof; ++i)
    for (int j = 0; j < Traits<Model>::dof; ++j) sum += double(u(i)) * double(M(i, j)) * double(u(j)) / 2;
  return sum;
}

template <class Part>
inline constexpr bool turns = false;
template <class R, int A, int B>
inline constexpr bool turns<TurningFriction<R, A, B>> = true;

inline std::string friction_name(int element, int elements) {
  return elements > 1 ? "friction " + std::to_string(element + 1) : "friction";
}

inline std::string number_text(double value) {
  char text[40];
  std::snprintf(text, sizeof text, "%.6g", value);
  return text;
}

}  // namespace detail

// Source for a model derived by hand. A source refers to its own copy of the model, so it is not copied.
template <class Model, class = void>
class PoseSource : public PoseFunctions<Model> {
  using T = Traits<Model>;
  using Real = typename T::Real;
  using Q = Vector<Real, T::dof>;
  static constexpr bool has_shapes = moreau::detail::detected<detail::shapes_in, Model, Picture>;
  static constexpr bool has_poses = moreau::detail::detected<detail::poses_in, Model, Q>;
  static constexpr bool has_nominal = moreau::detail::detected<detail::nominal_in, Model, Q>;
  static constexpr bool names_poses = detail::is_function<detail::poses_named, Model>();
  static constexpr bool names_shapes = detail::is_function<detail::shapes_named, Model>();
  static constexpr bool has_solids = moreau::detail::detected<detail::solids_in, Model, Scene>;
  static constexpr bool in_space = PoseFunctions<Model>::in_space || detail::is_function<detail::solids_named, Model>();
  static_assert(in_space || (has_shapes == has_poses && has_poses == names_poses && has_shapes == names_shapes),
                "A picture needs: template <class Picture> void shapes(Picture& draw) const; and "
                "std::array<moreau::Frame<Real>, bodies> poses(const Vector<Real, dof>& q) const;");
  static_assert(!in_space || (has_solids && PoseFunctions<Model>::in_space),
                "A scene needs: template <class Scene> void solids(Scene& draw) const; and "
                "std::array<moreau::workstation::PoseInSpace, bodies> poses(const Vector<Real, dof>& q) const;");

  static_assert(
      has_nominal || !detail::is_function<detail::nominal_named, Model>(),
      "A picture's gaps need: Vector<Real, dof> nominal(const Vector<Real, dof>& q) const;   // without clearance");

 public:
  Picture picture;
  Scene scene;

  explicit PoseSource(const Model& model) : PoseFunctions<Model>(model), model_(this->model()) {
    if constexpr (has_shapes && !in_space) model.shapes(picture);
    if constexpr (has_solids) model.solids(scene);
  }

  // Returns the directions of friction of a contact in the world; empty if they are unknown.
  std::vector<XYZ> tangents_of([[maybe_unused]] int i, [[maybe_unused]] const Q& q, double) const {
    std::vector<XYZ> all;
    if constexpr (moreau::detail::detected<detail::tangents_of_in, Model, Q>)
      for (const auto& direction : model_.tangents_of(i, q)) all.push_back(direction);
    return all;
  }

  std::vector<XYZ> touch_of(int, const Q&, double) const { return {}; }
  double energy(const Q& q, const Q& u, double t) const {
    if constexpr (moreau::detail::detected<detail::energy_in, Model, Q>)
      return double(model_.energy(q, u));
    else
      return detail::kinetic_energy(model_, q, u, t) + double(moreau::detail::potential(model_, q, Real(t)));
  }
  const char* energy_name() const {
    return moreau::detail::detected<detail::energy_in, Model, Q> ? "energy" : "kinetic energy";
  }
  std::vector<CoordinateCurve> curves(const std::vector<Symbol>& names, const std::vector<std::string>&) const {
    std::vector<CoordinateCurve> all;
    for (int d = 0; d < T::dof; ++d) {
      const bool named = std::size_t(d) < names.size();
      const Symbol s = named ? names[std::size_t(d)] : Symbol{"q_" + std::to_string(d), ""};
      all.push_back({d, s, {"d/dt " + s.name, s.unit.empty() ? "" : s.unit + "/s"}});
    }
    return all;
  }
  Symbol friction(int element) const { return {detail::friction_name(element, T::frictions), "N"}; }
  std::vector<Symbol> parameters(const std::vector<std::string>&) const { return {}; }

 private:
  const Model& model_;
};

// Source for a planar mechanism from parts.
template <class Model>
class PoseSource<Model, detail::parts_of<Model>> : public PoseFunctions<Model> {
  using T = Traits<Model>;
  using Real = typename T::Real;
  using Q = Vector<Real, T::dof>;
  using List = typename Model::List;
  using Ideal = IdealPose<Model>;
  using Bodies = typename Ideal::Coordinates;  // x, y and phi of every body

 public:
  Picture picture;
  Scene scene;

  explicit PoseSource(const Model& model)
      : PoseFunctions<Model>(model), picture(picture_of_parts(model)), model_(this->model()) {}

  double energy(const Q& q, const Q& u, double t) const {
    double sum = detail::kinetic_energy(model_, q, u, t);
    const Bodies poses = this->of_bodies(q, t);
    const auto frames = Ideal::frames(poses);
    List::for_each(model_, [&](auto, const auto& part) { sum += stored(part, poses, frames); });
    return sum;
  }
  std::vector<XYZ> tangents_of(int, const Q&, double) const { return {}; }
  std::vector<XYZ> touch_of(int, const Q&, double) const { return {}; }
  const char* energy_name() const { return "energy"; }
  // Angles of the bodies; other motions are visible in the animation.
  std::vector<CoordinateCurve> curves(const std::vector<Symbol>&, const std::vector<std::string>& names) const {
    std::vector<CoordinateCurve> all;
    for (int b = 0; b < List::bodies; ++b) {
      const std::string& body = names[std::size_t(b)];
      if (Model::angle_index(b) < 0) continue;  // a fixed angle
      all.push_back({Model::angle_index(b), {"angle of " + body, "rad"}, {"speed of " + body, "rad/s"}});
    }
    return all;
  }
  // Friction of rotating elements is a moment.
  Symbol friction(int element) const {
    Symbol found{detail::friction_name(element, T::frictions), "N"};
    int row = 0;
    List::for_each(model_, [&](auto, const auto& part) {
      using Part = std::decay_t<decltype(part)>;
      if constexpr (moreau::detail::brings<moreau::detail::frictions_in, Part>) {
        if (element >= row && element < row + Part::frictions && detail::turns<Part>) found.unit = "N m";
        row += Part::frictions;
      }
    });
    return found;
  }
  std::vector<Symbol> parameters(const std::vector<std::string>& names) const {
    std::vector<Symbol> all;
    for (int b = 0; b < List::bodies; ++b)
      all.push_back({names[std::size_t(b)], detail::number_text(double(model_.body[b].m)) + " kg, " +
                                                detail::number_text(double(model_.body[b].J)) + " kg m²"});
    return all;
  }

 private:
  template <class R>
  double stored(const Gravity<R>& gravity, const Bodies& q, const typename Ideal::Frames&) const {
    double sum = 0;
    for (int b = 0; b < List::bodies; ++b)
      sum -= double(model_.body[b].m) *
             (double(gravity.g.x) * double(q(3 * b)) + double(gravity.g.y) * double(q(3 * b + 1)));
    return sum;
  }
  template <class R, int A, int B>
  double stored(const Spring<R, A, B>& s, const Bodies&, const typename Ideal::Frames& frames) const {
    const auto in = [&](int b) { return frames[std::size_t(b == ground ? List::bodies : b)]; };
    const auto d = in(B).world(detail::in_double(s.on_B)) - in(A).world(detail::in_double(s.on_A));
    const double longer = std::hypot(d.x, d.y) - double(s.length);
    return double(s.stiffness) * longer * longer / 2;
  }
  template <class R, int A, int B>
  double stored(const TorsionSpring<R, A, B>& s, const Bodies&, const typename Ideal::Frames& frames) const {
    const auto in = [&](int b) { return frames[std::size_t(b == ground ? List::bodies : b)]; };
    const double turned = in(B).phi - in(A).phi - double(s.angle);
    return double(s.stiffness) * turned * turned / 2;
  }
  template <class Other>
  double stored(const Other&, const Bodies&, const typename Ideal::Frames&) const {
    return 0;
  }

  const Model& model_;
};

// Source for a mechanism from parts in space.
template <class Model>
class PoseSource<Model, detail::parts_in_space_of<Model>> : public PoseFunctions<Model> {
  using T = Traits<Model>;
  using Real = typename T::Real;
  using Q = Vector<Real, T::dof>;
  using List = typename Model::List;
  using Ideal = IdealPose<Model>;
  using Frames = typename Ideal::Frames;

 public:
  Picture picture;  // empty
  Scene scene;

  explicit PoseSource(const Model& model)
      : PoseFunctions<Model>(model), scene(scene_of_parts(model)), model_(this->model()) {}

  double energy(const Q& q, const Q& u, double t) const {
    double sum = detail::kinetic_energy(model_, q, u, t);
    const auto frames = Ideal::frames(this->of_bodies(q, t));
    List::for_each(model_, [&](auto, const auto& part) { sum += stored(part, frames); });
    return sum;
  }
  const char* energy_name() const { return "energy"; }
  std::vector<CoordinateCurve> curves(const std::vector<Symbol>&, const std::vector<std::string>&) const { return {}; }
  // Returns both directions of friction of a contact in the world.
  std::vector<XYZ> tangents_of(int i, const Q& q, double t) const {
    if constexpr (T::contacts == 0) return {};
    const auto c = contact(i, q, t);
    return {c.t, cross(c.n, c.t)};
  }
  // Returns point and normal of a contact in the world.
  std::vector<XYZ> touch_of(int i, const Q& q, double t) const {
    if constexpr (T::contacts == 0) return {};
    const auto c = contact(i, q, t);
    return {c.p, c.n};
  }
  Symbol friction(int element) const { return {detail::friction_name(element, T::frictions), "N or N m"}; }
  std::vector<Symbol> parameters(const std::vector<std::string>& names) const {
    std::vector<Symbol> all;
    for (int b = 0; b < List::bodies; ++b) {
      const auto& body = model_.body[b];
      all.push_back({names[std::size_t(b)], detail::number_text(double(body.m)) + " kg, " +
                                                detail::number_text(double(body.J.x)) + ", " +
                                                detail::number_text(double(body.J.y)) + ", " +
                                                detail::number_text(double(body.J.z)) + " kg m²"});
    }
    return all;
  }

 private:
  spatial::JointContact<Real> contact(int i, const Q& q, double t) const {
    spatial::JointContact<Real> found;
    const auto at = model_.at(q, Real(t));
    List::template find<moreau::detail::contacts_in>(model_, i, [&](const auto& part, int k) {
      using moreau::detail::frame_of;
      using Part = std::decay_t<decltype(part)>;
      found = part.contact(k, frame_of<Part::body_A>(at), frame_of<Part::body_B>(at));
    });
    return found;
  }
  static const typename Ideal::Frame& in(const Frames& frames, int b) {
    return frames[std::size_t(b == ground ? List::bodies : b)];
  }
  template <class R>
  double stored(const spatial::Gravity<R>& gravity, const Frames& frames) const {
    double sum = 0;
    for (int b = 0; b < List::bodies; ++b)
      sum -= double(model_.body[b].m) * dot(detail::in_double(gravity.g), frames[std::size_t(b)].r);
    return sum;
  }
  template <class R, int A, int B>
  double stored(const spatial::Spring<R, A, B>& s, const Frames& frames) const {
    const auto d = in(frames, B).world(detail::in_double(s.on_B)) - in(frames, A).world(detail::in_double(s.on_A));
    const double longer = std::sqrt(dot(d, d)) - double(s.length);
    return double(s.stiffness) * longer * longer / 2;
  }
  template <class R, int A, int B>
  double stored(const spatial::TorsionSpring<R, A, B>& s, const Frames& frames) const {
    const auto axis = in(frames, A).turn(detail::in_double(s.axis_A));
    const auto from = in(frames, A).turn(detail::in_double(s.normal_A));
    const auto to = in(frames, B).turn(detail::in_double(s.normal_B));
    const double turned = std::atan2(dot(axis, cross(from, to)), dot(from, to)) - double(s.angle);
    return double(s.stiffness) * turned * turned / 2;
  }
  template <class Other>
  double stored(const Other&, const Frames&) const {
    return 0;
  }

  const Model& model_;
};

}  // namespace moreau::workstation
