// Data of a model for a report, at any instant: picture, poses with and without clearance, gaps, energy.
//
// For a mechanism from parts, its list supplies them in double, whatever its scalar. For a model derived by hand, its
// own functions (picture.hpp) supply them in the accuracy of its scalar.
#pragma once
#include <moreau/check/energy_audit.hpp>
#include <moreau/model/evaluation.hpp>

#include "moreau/workstation/picture_of_parts.hpp"
#include "moreau/workstation/run.hpp"

namespace moreau::workstation {

// x, y, phi of every body. deviation: effect of clearance; phi within half a turn to either side.
struct Poses {
  std::vector<double> nominal, deviation;
};

// Names of a coordinate and its velocity in a report.
struct CoordinateCurve {
  int coordinate;
  Symbol symbol, speed;
};

namespace detail {

template <class M, class Picture>
using shapes_in = decltype(std::declval<const M&>().shapes(std::declval<Picture&>()));
template <class M, class Q>
using poses_in = decltype(std::declval<const M&>().poses(std::declval<const Q&>()));
template <class M, class Q>
using nominal_in = decltype(std::declval<const M&>().nominal(std::declval<const Q&>()));
// Detects members by name alone: one with a wrong signature is an error.
template <class M>
using shapes_named = decltype(&M::template shapes<Picture>);
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
template <class P>
inline constexpr std::size_t pose_count = 0;
template <class Real, std::size_t n>
inline constexpr std::size_t pose_count<std::array<Frame<Real>, n>> = n;

template <class M, class Q>
using energy_in = decltype(std::declval<const M&>().energy(std::declval<const Q&>(), std::declval<const Q&>()));
template <class M>
using parts_of = typename M::List;

inline double within_half_turn(double phi) { return std::remainder(phi, 6.283185307179586); }
inline void put_pose(std::vector<double>& all, double x, double y, double phi) { all.insert(all.end(), {x, y, phi}); }

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

// Source for a model derived by hand.
template <class Model, class = void>
class PoseSource {
  using T = Traits<Model>;
  using Real = typename T::Real;
  using Q = Vector<Real, T::dof>;
  static constexpr bool has_shapes = moreau::detail::detected<detail::shapes_in, Model, Picture>;
  static constexpr bool has_poses = moreau::detail::detected<detail::poses_in, Model, Q>;
  static constexpr bool has_nominal = moreau::detail::detected<detail::nominal_in, Model, Q>;
  static constexpr bool names_poses = detail::is_function<detail::poses_named, Model>();
  static constexpr bool names_shapes = detail::is_function<detail::shapes_named, Model>();
  static_assert(has_shapes == has_poses && has_poses == names_poses && has_shapes == names_shapes,
                "A picture needs: template <class Picture> void shapes(Picture& draw) const; and "
                "std::array<moreau::Frame<Real>, bodies> poses(const Vector<Real, dof>& q) const;");

  static_assert(
      has_nominal || !detail::is_function<detail::nominal_named, Model>(),
      "A picture's gaps need: Vector<Real, dof> nominal(const Vector<Real, dof>& q) const;   // without clearance");
  static constexpr std::size_t poses_of_model() {
    if constexpr (has_poses)
      return detail::pose_count<std::decay_t<detail::poses_in<Model, Q>>>;
    else
      return 0;
  }

 public:
  Picture picture;
  static constexpr bool magnifies = has_nominal;
  static constexpr std::size_t columns = 3 * poses_of_model();  // x, y, phi of every body

  explicit PoseSource(const Model& model) : model_(model) {
    if constexpr (has_shapes) model.shapes(picture);
  }

  Poses poses(const Vector<double, T::dof>& q, double) const {
    Poses all;
    if constexpr (has_poses) {
      const Q own = q.template cast<Real>();
      Q ideal = own;
      if constexpr (has_nominal) ideal = model_.nominal(own);
      const auto is = model_.poses(own), without = model_.poses(ideal);
      for (std::size_t b = 0; b < is.size(); ++b) {
        const double phi = detail::within_half_turn(double(without[b].phi));
        detail::put_pose(all.nominal, double(without[b].r.x), double(without[b].r.y), phi);
        detail::put_pose(all.deviation, double(is[b].r.x) - double(without[b].r.x),
                         double(is[b].r.y) - double(without[b].r.y),
                         detail::within_half_turn(double(is[b].phi) - double(without[b].phi)));
      }
    }
    return all;
  }
  std::vector<double> gaps(const Q& q, double t) const {
    std::vector<double> all;
    if constexpr (T::contacts > 0) {
      const moreau::detail::Evaluation<Model> at(model_, q, Real(t));
      for (int i = 0; i < T::contacts; ++i) all.push_back(double(at.gap(i)));
    }
    return all;
  }
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
  Model model_;  // copied when the source was created
};

// Source for a mechanism from parts.
template <class Model>
class PoseSource<Model, std::void_t<detail::parts_of<Model>>> {
  using T = Traits<Model>;
  using Real = typename T::Real;
  using Q = Vector<Real, T::dof>;
  using List = typename Model::List;
  using Ideal = IdealPose<Model>;
  using Bodies = typename Ideal::Coordinates;  // x, y and phi of every body

 public:
  Picture picture;
  static constexpr bool magnifies = true;
  static constexpr std::size_t columns = 3 * std::size_t(List::bodies);

  explicit PoseSource(const Model& model) : picture(picture_of_parts(model)), model_(model) {}

  Poses poses(const Vector<double, T::dof>& coordinates, double t) const {
    const Bodies q = of_bodies(coordinates, t);
    const auto ideal = Ideal(model_)(q, t);
    Poses all;
    for (int b = 0; b < List::bodies; ++b) {
      detail::put_pose(all.nominal, ideal(3 * b), ideal(3 * b + 1), detail::within_half_turn(ideal(3 * b + 2)));
      detail::put_pose(all.deviation, q(3 * b) - ideal(3 * b), q(3 * b + 1) - ideal(3 * b + 1),
                       detail::within_half_turn(q(3 * b + 2) - ideal(3 * b + 2)));
    }
    return all;
  }
  std::vector<double> gaps(const Q& q, double t) const {
    const auto frames = Ideal::frames(of_bodies(q, t));
    std::vector<double> all;
    List::for_each(model_, [&](auto, const auto& part) {
      using Part = std::decay_t<decltype(part)>;
      if constexpr (moreau::detail::brings<moreau::detail::contacts_in, Part>) {
        const auto& joint = detail::in_double(part);
        const auto in = [&](int b) { return frames[std::size_t(b == ground ? List::bodies : b)]; };
        for (int k = 0; k < Part::contacts; ++k) all.push_back(gap(joint, k, in(Part::body_A), in(Part::body_B)));
      }
    });
    return all;
  }
  double energy(const Q& q, const Q& u, double t) const {
    double sum = detail::kinetic_energy(model_, q, u, t);
    const Bodies poses = of_bodies(q, t);
    const auto frames = Ideal::frames(poses);
    List::for_each(model_, [&](auto, const auto& part) { sum += stored(part, poses, frames); });
    return sum;
  }
  const char* energy_name() const { return "energy"; }
  // Angles of the bodies; other motions are visible in the animation.
  std::vector<CoordinateCurve> curves(const std::vector<Symbol>&, const std::vector<std::string>& names) const {
    std::vector<CoordinateCurve> all;
    for (int b = 0; b < List::bodies; ++b) {
      const std::string& body = names[std::size_t(b)];
      if (angle(b) < 0) continue;  // a fixed angle
      all.push_back({angle(b), {"angle of " + body, "rad"}, {"speed of " + body, "rad/s"}});
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
  // Returns x, y and phi of every body.
  template <class Coordinates>
  Bodies of_bodies(const Coordinates& q, [[maybe_unused]] double t) const {
    if constexpr (List::joint_coordinates) {
      Bodies all;
      const auto a = model_.at(q.template cast<Real>(), Real(t));
      moreau::detail::for_each_constant<List::bodies>([&](auto b) {
        const Frame<Real> frame = moreau::detail::frame_of<decltype(b)::value>(a);
        all(3 * b) = double(frame.r.x), all(3 * b + 1) = double(frame.r.y), all(3 * b + 2) = double(frame.phi);
      });
      return all;
    } else {
      return q.template cast<double>();
    }
  }
  // Returns the coordinate phi of a body, or -1.
  static constexpr int angle(int body) {
    if constexpr (List::joint_coordinates)
      return Model::angle_index(body);
    else
      return 3 * body + 2;
  }

  template <class Joint>
  static double gap(const Joint& joint, int k, const Frame<double>& A, const Frame<double>& B) {
    if constexpr (std::is_invocable_v<decltype(&Joint::contact), Joint, int, Frame<double>, Frame<double>>)
      return double(joint.contact(k, A, B).g_N);
    else
      return double(joint.contact(k, detail::as<Real>(A), detail::as<Real>(B)).g_N);
  }
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

  Model model_;  // copied when the source was created
};

}  // namespace moreau::workstation
