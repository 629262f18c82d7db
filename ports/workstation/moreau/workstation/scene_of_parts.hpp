// Scene of a mechanism in space, generated from its parts list.
//
//   bodies    rods between their joint points, or the solids that the parts list defines
//   joints    balls, pins, blocks and rings; sockets and other hollow solids with their clearance; springs
//
// Bodies are numbered from 1, contacts are named after their joint. A parts list defines the solids of its bodies by a
// member that replaces the rods:
//
//   template <class Scene> void solids(Scene& draw) const { draw.box(slider, {}, {0.02, 0.01, 0.01}); }
//
// A user-defined part draws itself and its contacts, in order, by a member of the same form.
#pragma once
#include <algorithm>
#include <functional>
#include <map>

#include "moreau/workstation/ideal_pose.hpp"
#include "moreau/workstation/scene.hpp"

namespace moreau::workstation {
namespace detail {

template <class M>
using part_solids_in = decltype(std::declval<const M&>().solids(std::declval<Scene&>()));

using Spot = spatial::Point<double>;
inline double distance(Spot a, Spot b) { return std::sqrt(dot(a - b, a - b)); }
inline XYZ moved(Spot from, double by, Spot along) { return from + by * along; }

class SceneSketch {
 public:
  Scene scene;

  explicit SceneSketch(int bodies) : points_(std::size_t(bodies)) {
    for (int b = 0; b < bodies; ++b) scene.body.push_back("body " + std::to_string(b + 1));
  }
  void joint_point(int body, Spot p) {
    if (body == ground) return;
    auto& points = points_[std::size_t(body)];
    for (const Spot& other : points)
      if (distance(p, other) < 1e-9) return;
    points.push_back(p);
  }
  // Draws a part after the bodies; the width is that of a rod.
  void later(std::function<void(Scene&, double width)> draw) { later_.push_back(std::move(draw)); }
  // Returns "socket", then "socket 2".
  std::string called(const std::string& kind) {
    int& n = used_[kind];
    return ++n == 1 ? kind : kind + " " + std::to_string(n);
  }
  Scene finish(bool with_rods) {
    const double width = 0.02 * size();
    for (std::size_t b = 0; b < points_.size() && with_rods; ++b) draw_body(int(b), points_[b], width);
    for (auto& draw : later_) draw(scene, width);
    for (int b = 0; b < int(points_.size()); ++b)
      if (std::none_of(scene.solid.begin(), scene.solid.end(), [b](const Solid& s) { return s.body == b; }))
        scene.ball(b, {}, 1.5 * width);
    return std::move(scene);
  }

 private:
  double size() const {  // largest distance between points of one body
    double longest = 0;
    for (const auto& points : points_)
      for (const Spot& p : points)
        for (const Spot& q : points) longest = std::max({longest, distance(p, q), 2 * distance(p, {})});
    return longest > 0 ? longest : 1;
  }
  void draw_body(int body, const std::vector<Spot>& points, double width) {
    if (points.empty()) return;
    if (points.size() == 2 && off_line(points[0], points[1]) < width) {
      scene.rod(body, points[0], points[1], width);
      return;
    }
    scene.ball(body, {}, 1.5 * width);  // the centre of mass
    for (const Spot& p : points)
      if (distance(p, {}) > 1e-9) scene.rod(body, {}, p, width);
  }
  static double off_line(Spot a, Spot b) {  // distance of the centre of mass from the line
    const Spot area = cross(a, b);
    return std::sqrt(dot(area, area)) / distance(a, b);
  }

  std::vector<std::vector<Spot>> points_;
  std::vector<std::function<void(Scene&, double)>> later_;
  std::map<std::string, int> used_;
};

template <class R>
void draw_part(SceneSketch& sketch, const spatial::Gravity<R>& gravity) {
  const Spot g = in_double(gravity.g);
  const double size = std::sqrt(dot(g, g));
  if (size > 0) sketch.scene.up = (-1 / size) * g;
}
template <class R, int A, int B>
void draw_part(SceneSketch& sketch, const spatial::Spherical<R, A, B>& joint) {
  const Spot on_B = in_double(joint.on_B);
  sketch.joint_point(A, in_double(joint.on_A)), sketch.joint_point(B, on_B);
  sketch.later([=](Scene& draw, double width) { draw.ball(B, on_B, 1.4 * width); });
}
template <class R, int A, int B>
void draw_part(SceneSketch& sketch, const spatial::Universal<R, A, B>& joint) {
  const auto j = ideal_twin(joint);
  sketch.joint_point(A, j.on_A), sketch.joint_point(B, j.on_B);
  sketch.later([=](Scene& draw, double width) {
    draw.cylinder(A, moved(j.on_A, -2 * width, j.axis_A), moved(j.on_A, 2 * width, j.axis_A), 0.6 * width);
    draw.cylinder(B, moved(j.on_B, -2 * width, j.axis_B), moved(j.on_B, 2 * width, j.axis_B), 0.6 * width);
  });
}
// Hinges have a pin and a ring, sliders a block and a centre line, welds nothing.
template <class R, int A, int B, int points, bool holds_normal>
void draw_part(SceneSketch& sketch, const spatial::detail::AxisJoint<R, A, B, points, holds_normal>& joint) {
  const auto j = ideal_twin(joint);
  sketch.joint_point(A, j.on_A), sketch.joint_point(B, j.on_B);
  if constexpr (points == 3 && !holds_normal)
    sketch.later([=](Scene& draw, double width) {
      draw.cylinder(B, moved(j.on_B, -2.4 * width, j.axis_B), moved(j.on_B, 2.4 * width, j.axis_B), 0.8 * width);
      draw.cylinder(A, moved(j.on_A, -1.6 * width, j.axis_A), moved(j.on_A, 1.6 * width, j.axis_A), 1.6 * width);
    });
  if constexpr (points == 2)
    sketch.later([=](Scene& draw, double width) {
      draw.line(A, {moved(j.on_A, -80 * width, j.axis_A), moved(j.on_A, 80 * width, j.axis_A)});
      if constexpr (holds_normal)
        draw.box(B, j.on_B, {3 * width, 1.8 * width, 1.8 * width}, j.axis_B, j.normal_B);
      else
        draw.cylinder(B, moved(j.on_B, -3 * width, j.axis_B), moved(j.on_B, 3 * width, j.axis_B), 1.6 * width);
    });
}
template <class R, int A, int B>
void draw_part(SceneSketch& sketch, const spatial::SphericalClearance<R, A, B>& joint) {
  const auto j = in_double(joint);
  sketch.joint_point(A, j.on_A), sketch.joint_point(B, j.on_B);
  const std::string name = sketch.called("ball");
  sketch.later([=](Scene& draw, double width) {
    const double radius = j.radius > 0 ? j.radius : 1.4 * width;
    draw.ball(B, j.on_B, radius);
    draw.contact(name, B, j.on_B, draw.socket(A, j.on_A, radius, j.play), radius);
  });
}
template <class R, int A, int B>
void draw_part(SceneSketch& sketch, const spatial::CylindricalClearance<R, A, B>& joint) {
  const auto j = in_double(joint);
  sketch.joint_point(A, j.on_A), sketch.joint_point(B, j.on_B);
  const std::string name = sketch.called("pin");
  sketch.later([=](Scene& draw, double width) {
    const double radius = j.radius > 0 ? j.radius : width;
    draw.cylinder(B, moved(j.on_B, -j.half_B, j.axis_B), moved(j.on_B, j.half_B, j.axis_B), radius);
    const int bush = draw.bush(A, j.on_A, j.axis_A, j.half_A, radius, j.play);
    for (const int side : {-1, 1})
      draw.pin_end(name + " end " + (side < 0 ? "1" : "2"), B, j.on_B, j.axis_B, j.half_B, bush, side);
  });
}
// The ring is flat.
template <class R, int A, int B, int points>
void draw_part(SceneSketch& sketch, const spatial::ThrustClearance<R, A, B, points>& joint) {
  const auto j = in_double(joint);
  sketch.joint_point(A, j.on_A), sketch.joint_point(B, j.on_B);
  const std::string name = sketch.called("ring");
  sketch.later([=](Scene& draw, double) {
    constexpr double flat = 1e-3, larger = 1.15;  // of the radius
    draw.cylinder(B, moved(j.on_B, -flat * j.ring, j.axis_B), moved(j.on_B, flat * j.ring, j.axis_B), j.ring);
    for (const int side : {-1, 1}) {
      const Spot x = spatial::across(j.axis_A);
      const int face =
          draw.disk(A, moved(j.on_A, side * j.play, j.axis_A), double(-side) * j.axis_A, x, larger * j.ring, j.play);
      for (int k = 0; k < points; ++k) {
        const auto at = j.contact(k, {}, {}).p;  // in the frame of B
        draw.contact(name + (side < 0 ? " below " : " above ") + std::to_string(k + 1), B, at, face);
      }
    }
  });
}
template <class R, int A, int B>
void draw_part(SceneSketch& sketch, const spatial::GuideClearance<R, A, B>& joint) {
  const auto j = in_double(joint);
  sketch.joint_point(A, j.on_A), sketch.joint_point(B, j.on_B);
  const std::string name = sketch.called("channel");
  sketch.later([=](Scene& draw, double) {
    draw.box(B, j.on_B, j.half, j.axis_B, j.normal_B);
    const int channel = draw.channel(A, j.on_A, j.axis_A, j.normal_A, 0, j.half.y, j.half.z, j.play, j.play);
    for (int k = 0; k < joint.contacts; ++k) {
      const auto at = j.contact(k, {}, {}).p;  // in the frame of B
      const int side = (k & 8) != 0 ? ((k & 4) != 0 ? 2 : -2) : ((k & 2) != 0 ? 1 : -1);
      draw.contact(name + " corner " + std::to_string(k % 8 + 1) + (k < 8 ? "" : "'"), B, at, channel, 0, side);
    }
  });
}
template <class R, int A, int B>
void draw_part(SceneSketch& sketch, const spatial::BallOnPlane<R, A, B>& joint) {
  const auto j = in_double(joint);
  sketch.joint_point(B, j.on_B);
  const std::string name = sketch.called("plane");
  sketch.later([=](Scene& draw, double) {
    const int face = draw.face(A, j.on_A, j.normal, spatial::across(j.normal), 0, 0, -1);
    if (j.radius > 0) draw.ball(B, j.on_B, j.radius);
    draw.contact(name, B, j.on_B, face, j.radius);
  });
}
template <class R, int A, int B>
void draw_part(SceneSketch& sketch, const spatial::BallOnBall<R, A, B>& joint) {
  const auto j = in_double(joint);
  sketch.joint_point(A, j.on_A), sketch.joint_point(B, j.on_B);
  const std::string name = sketch.called("balls");
  sketch.later([=](Scene& draw, double) {
    const int other = draw.ball(A, j.on_A, j.radius_A);
    draw.ball(B, j.on_B, j.radius_B);
    draw.contact(name, B, j.on_B, other, j.radius_B);
  });
}
template <class R, int A, int B>
void draw_part(SceneSketch& sketch, const spatial::Spring<R, A, B>& spring) {
  const Spot on_A = in_double(spring.on_A), on_B = in_double(spring.on_B);
  sketch.joint_point(A, on_A), sketch.joint_point(B, on_B);
  sketch.later([=](Scene& draw, double) { draw.spring(A, on_A, B, on_B); });
}

template <class Own>
void draw_part(SceneSketch& sketch, const Own& own) {
  if constexpr (moreau::detail::detected<part_solids_in, Own>)
    sketch.later([&own](Scene& draw, double) { own.solids(draw); });
  else if constexpr (moreau::detail::brings<moreau::detail::contacts_in, Own>) {
    const std::string name = sketch.called("joint");
    sketch.later([=](Scene& draw, double) {
      for (int k = 0; k < Own::contacts; ++k)
        draw.contact(Own::contacts == 1 ? name : name + " contact " + std::to_string(k + 1), Own::body_B, {}, -1);
    });
  }
}

}  // namespace detail

template <class Model>
Scene scene_of_parts(const Model& model) {
  constexpr bool draws_bodies = moreau::detail::detected<detail::part_solids_in, Model>;
  detail::SceneSketch sketch(Model::List::bodies);
  if constexpr (draws_bodies) model.solids(sketch.scene);
  Model::List::for_each(model, [&](auto, const auto& part) { detail::draw_part(sketch, part); });
  return sketch.finish(!draws_bodies);
}

}  // namespace moreau::workstation
