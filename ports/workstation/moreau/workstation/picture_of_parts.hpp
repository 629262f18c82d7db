// Picture of a mechanism from parts, generated from its list.
//
//   bodies    rods between their joint points, hulls around more than two, blocks where they slide in a guide
//   joints    pins, bearings with their clearance, guides, slots, walls, teeth, springs; supports where the ground is
//
// Parts and bodies have no names at run time: bodies are numbered from 1, contacts are named after their joint. A
// user-defined part draws itself, in the frames of its bodies and with its contacts in order, if it has
//
//   template <class Picture> void shapes(Picture& draw) const
#pragma once
#include <algorithm>
#include <cmath>
#include <functional>
#include <map>

#include "moreau/workstation/ideal_pose.hpp"
#include "moreau/workstation/picture.hpp"

namespace moreau::workstation {
namespace detail {

class Sketch {
 public:
  explicit Sketch(int bodies) : points_(std::size_t(bodies)), block_(std::size_t(bodies)) {
    for (int b = 0; b < bodies; ++b) picture.add_body("body " + std::to_string(b + 1));
  }
  Picture picture;

  void joint_point(int body, XY p) {
    if (body == ground) return;
    auto& points = points_[std::size_t(body)];
    for (const XY& other : points)
      if (std::hypot(p.x - other.x, p.y - other.y) < 1e-9) return;
    points.push_back(p);
  }
  void block(int body, XY centre, double a, double b) { block_[std::size_t(body)].push_back({centre, a, b}); }
  void gear(int body, double radius) {
    if (body != ground) gears_[body] = std::max(gears_[body], radius);
  }
  void later(std::function<void(Picture&, double)> draw) { later_.push_back(std::move(draw)); }
  // Returns "guide", then "guide 2".
  std::string called(const std::string& kind) {
    int& n = used_[kind];
    return ++n == 1 ? kind : kind + " " + std::to_string(n);
  }

  Picture finish() {
    const double size = scale();
    for (std::size_t b = 0; b < points_.size(); ++b)  // blocks first: rods end on them
      for (const Block& k : block_[b]) picture.rectangle(int(b), k.centre, k.a, std::max(k.b, 0.0035 * size));
    for (std::size_t b = 0; b < points_.size(); ++b) draw_body(int(b), 0.035 * size);
    for (auto& draw : later_) draw(picture, 0.035 * size);
    return std::move(picture);
  }

 private:
  struct Block {
    XY centre;
    double a, b;
  };
  double scale() const {  // largest distance between joints of one body
    double longest = 0;
    for (const auto& points : points_)
      for (const XY& p : points)
        for (const XY& q : points)
          longest = std::max({longest, std::hypot(p.x - q.x, p.y - q.y), 2 * std::hypot(p.x, p.y)});
    for (const auto& blocks : block_)
      for (const Block& b : blocks) longest = std::max(longest, 2 * b.a);
    for (const auto& gear : gears_) longest = std::max(longest, 2 * gear.second);
    return longest > 0 ? longest : 1;
  }
  void draw_body(int body, double width) {
    if (gears_.count(body) > 0) {
      picture.gear(body, {}, gears_.at(body));
      return;
    }
    const auto& blocks = block_[std::size_t(body)];
    auto points = points_[std::size_t(body)];
    if (points.empty() && blocks.empty()) points.push_back({0, 0});
    if (points.size() == 1 && std::hypot(points[0].x, points[0].y) > 1e-9) points.push_back({0, 0});
    if (points.size() == 1 && blocks.empty()) picture.disk(body, points[0], 1.6 * width);
    if (points.size() == 2 && blocks.empty()) picture.capsule(body, points[0], points[1], width);
    if (points.size() > 2 && blocks.empty()) draw_fan(body, points, width);
  }
  // Draws more than two joints: a rod, or a plate as rods from its centre.
  void draw_fan(int body, const std::vector<XY>& points, double width) {
    XY middle;
    for (const XY& p : points) middle.x += p.x / double(points.size()), middle.y += p.y / double(points.size());
    const auto [from, to] = ends(points);
    if (off_line(points, from, to) < width)
      picture.capsule(body, from, to, width);
    else
      for (const XY& p : points) picture.capsule(body, middle, p, width);
  }
  static std::pair<XY, XY> ends(const std::vector<XY>& points) {  // the pair with the largest distance
    std::pair<XY, XY> found;
    double most = -1;
    for (const XY& p : points)
      for (const XY& q : points)
        if (const double d = std::hypot(p.x - q.x, p.y - q.y); d > most) most = d, found = {p, q};
    return found;
  }
  static double off_line(const std::vector<XY>& points, XY from, XY to) {
    const double x = to.x - from.x, y = to.y - from.y, length = std::hypot(x, y);
    double most = 0;
    for (const XY& p : points)
      most = std::max(most, std::fabs((p.x - from.x) * y - (p.y - from.y) * x) / (length > 0 ? length : 1));
    return most;
  }

  std::vector<std::vector<XY>> points_;
  std::vector<std::vector<Block>> block_;
  std::vector<std::function<void(Picture&, double)>> later_;
  std::map<int, double> gears_;  // m
  std::map<std::string, int> used_;
};

// Draws a support if the body is the ground.
inline void support(Sketch& sketch, int body, XY at) {
  if (body == ground) sketch.later([at](Picture& draw, double width) { draw.support(at, 2.2 * width); });
}

template <class R, int A, int B>
void draw_part(Sketch& sketch, const Revolute<R, A, B>& joint) {
  sketch.joint_point(A, joint.on_A), sketch.joint_point(B, joint.on_B);
  support(sketch, A, joint.on_A), support(sketch, B, joint.on_B);
  const XY at = joint.on_B;
  sketch.later([at](Picture& draw, double width) { draw.pin(B, at, 0.55 * width); });
}
template <class R, int A, int B>
void draw_part(Sketch& sketch, const Weld<R, A, B>& joint) {
  sketch.joint_point(A, joint.on_A), sketch.joint_point(B, joint.on_B);
}
template <class R, int A, int B>
void draw_part(Sketch& sketch, const Prismatic<R, A, B>& joint) {
  const XY on_A = joint.on_A, axis = joint.axis, on_B = joint.on_B;
  sketch.joint_point(A, on_A), sketch.joint_point(B, on_B);
  sketch.later([=](Picture& draw, double width) {
    draw.rectangle(B, on_B, 2 * width, width);
    draw.guide(A, on_A, axis, width, 0, 0, B, on_B, 2 * width);
  });
}
template <class R, int A, int B>
void draw_part(Sketch& sketch, const RevoluteClearance<R, A, B>& joint) {
  const XY on_A = joint.on_A, on_B = joint.on_B;
  sketch.joint_point(A, on_A), sketch.joint_point(B, on_B);
  support(sketch, A, on_A), support(sketch, B, on_B);
  const double play = double(joint.play), radius = double(joint.radius);
  const std::string name = sketch.called("pin");
  sketch.later([=](Picture& draw, double width) {
    const double drawn = radius > 0 ? radius : 0.55 * width;
    const int bearing = draw.bearing(A, on_A, drawn, play);
    draw.pin(B, on_B, drawn);
    draw.contact(name, B, on_B, bearing, 0, drawn);
  });
}
template <class R, int A, int B>
void draw_part(Sketch& sketch, const SlotClearance<R, A, B>& joint) {
  const auto j = in_double(joint);
  sketch.joint_point(A, j.on_A), sketch.joint_point(B, j.on_B);
  const std::string name = sketch.called("slot");
  sketch.later([=](Picture& draw, double width) {
    const double drawn = j.radius > 0 ? j.radius : 0.55 * width;
    const double reach = std::isfinite(j.half_length) ? j.half_length : 20 * width;
    const int slot = draw.slot(A, j.on_A - reach * j.axis, j.on_A + reach * j.axis, drawn, j.play);
    draw.pin(B, j.on_B, drawn);
    draw.contact(name, B, j.on_B, slot, 0, drawn);
  });
}
template <class R, int A, int B>
void draw_part(Sketch& sketch, const PrismaticClearance<R, A, B>& joint) {
  const auto j = in_double(joint);
  sketch.joint_point(A, j.on_A);
  if (B != ground) sketch.block(B, j.on_B, j.a, j.b);
  const std::string name = sketch.called("guide");
  sketch.later([=](Picture& draw, double) {
    const double length = std::isfinite(j.half_length) ? j.half_length : 0;
    const int guide = draw.guide(A, j.on_A, j.axis, j.b, j.play, length, B, j.on_B, j.a);
    for (int k = 0; k < 4; ++k) {
      const double up = k < 2 ? 1 : -1, right = k % 2 == 1 ? 1 : -1;
      draw.contact(name + " corner " + std::to_string(k + 1), B, {j.on_B.x + right * j.a, j.on_B.y + up * j.b}, guide,
                   int(up));
    }
  });
}
template <class R, int A, int B>
void draw_part(Sketch& sketch, const PointOnLine<R, A, B>& joint) {
  const auto j = in_double(joint);
  sketch.joint_point(B, j.on_B);
  const std::string name = sketch.called("wall");
  sketch.later([=](Picture& draw, double width) {
    const Point<double> along = -quarter_turn(j.normal);  // free side on the left
    const int face = draw.face(A, j.on_A - 8 * width * along, j.on_A + 8 * width * along, -1);
    if (j.radius > 0) draw.disk(B, j.on_B, j.radius);
    draw.contact(name, B, j.on_B, face, 0, j.radius);
  });
}
template <class R, int A, int B, class Curve>
void draw_part(Sketch& sketch, const PointOnCurve<R, A, B, Curve>& joint) {
  const XY on_B = joint.on_B;
  const double radius = double(joint.radius), inward = double(joint.side) * radius;
  std::vector<XY> points;
  for (int n = 0; n < 180; ++n) {  // the surface, parallel to the path of the roller's centre
    const R theta = R(n) * pi<R> / R(90);
    const auto at = joint.curve(theta);
    const double c = std::cos(double(theta)), s = std::sin(double(theta)), r = double(at.radius),
                 slope = double(at.slope);
    const double t_x = slope * c - r * s, t_y = slope * s + r * c, size = std::hypot(t_x, t_y);
    points.push_back(
        {double(joint.on_A.x) + r * c - inward * t_y / size, double(joint.on_A.y) + r * s + inward * t_x / size});
  }
  sketch.joint_point(B, on_B);
  const std::string name = sketch.called("cam");
  sketch.later([=](Picture& draw, double) {
    draw.polygon(A, points);
    if (radius > 0) draw.disk(B, on_B, radius);
    draw.contact(name, B, on_B, -1, 0, radius);
  });
}
template <class R, int A, int B, int edges, int numbers>
void draw_part(Sketch& sketch, const PointOnPolygon<R, A, B, edges, numbers>& joint) {
  const XY on_B = joint.on_B;
  const double radius = double(joint.radius);
  const std::vector<XY> points(std::begin(joint.corner), std::end(joint.corner));
  sketch.joint_point(B, on_B);
  const std::string name = sketch.called("profile");
  sketch.later([=](Picture& draw, double) {
    draw.polygon(A, points);
    if (radius > 0) draw.disk(B, on_B, radius);
    for (int k = 0; k < numbers; ++k) draw.contact(name + " contact " + std::to_string(k + 1), B, on_B, -1, 0, radius);
  });
}
template <class R, int A, int B>
void draw_part(Sketch& sketch, const BumpStop<R, A, B>& stop) {
  const XY on_A = stop.on_A;
  const Point<double> normal{double(stop.normal.x), double(stop.normal.y)};
  sketch.joint_point(B, stop.on_B);
  sketch.later([=](Picture& draw, double width) {
    const XY deep{on_A.x - 4 * width * normal.x, on_A.y - 4 * width * normal.y};
    draw.spring(A, on_A, A, deep);
  });
}
template <class R, int A, int B>
void draw_part(Sketch& sketch, const OneSidedSpring<R, A, B>& spring) {
  const XY on_A = spring.on_A, on_B = spring.on_B;
  sketch.joint_point(A, on_A), sketch.joint_point(B, on_B);
  support(sketch, A, on_A), support(sketch, B, on_B);
  sketch.later([=](Picture& draw, double) { draw.spring(A, on_A, B, on_B); });
}
template <class R, int A, int B>
void draw_part(Sketch& sketch, const Backlash<R, A, B>& joint) {
  const auto j = in_double(joint);
  const std::string name = sketch.called("teeth");
  sketch.gear(A, std::fabs(j.r_A)), sketch.gear(B, std::fabs(j.r_B));
  sketch.later([=](Picture& draw, double) {
    const int mesh = draw.mesh(A, {}, B, {}, j.r_A, j.r_B, j.offset, j.play);
    draw.contact(name + ", upper flank", B, {}, mesh, 1);
    draw.contact(name + ", lower flank", B, {}, mesh, -1);
  });
}
template <class R, int A, int B>
void draw_part(Sketch& sketch, const Spring<R, A, B>& spring) {
  const XY on_A = spring.on_A, on_B = spring.on_B;
  sketch.joint_point(A, on_A), sketch.joint_point(B, on_B);
  support(sketch, A, on_A), support(sketch, B, on_B);
  sketch.later([=](Picture& draw, double) { draw.spring(A, on_A, B, on_B); });
}
template <class P>
using part_shapes_in = decltype(std::declval<const P&>().shapes(std::declval<Picture&>()));

template <class Own>
void draw_part(Sketch& sketch, const Own& own) {
  if constexpr (special_case<Own>)
    draw_part(sketch, static_cast<const typename Own::Joint&>(own));
  else if constexpr (moreau::detail::detected<part_shapes_in, Own>)
    sketch.later([&own](Picture& draw, double) { own.shapes(draw); });
  else if constexpr (moreau::detail::brings<moreau::detail::contacts_in, Own>) {
    const std::string name = sketch.called("joint");
    sketch.later([=](Picture& draw, double) {
      for (int k = 0; k < Own::contacts; ++k)
        draw.contact(Own::contacts == 1 ? name : name + " contact " + std::to_string(k + 1), Own::body_B, {}, -1);
    });
  }
}

}  // namespace detail

template <class Model>
Picture picture_of_parts(const Model& model) {
  detail::Sketch sketch(Model::List::bodies);
  Model::List::for_each(model, [&](auto, const auto& part) { detail::draw_part(sketch, part); });
  return sketch.finish();
}

}  // namespace moreau::workstation
