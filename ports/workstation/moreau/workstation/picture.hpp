// What is drawn of a mechanism: shapes on its bodies, and where its contacts are.
//
// A model derived by hand says so itself (both functions, or none; compiled on a host that draws, and nowhere else):
//
//   template <class Picture> void shapes(Picture& draw) const {       // once; in the frames of the bodies, in m
//     draw.bodies({"crank", "rod"});
//     draw.capsule(0, {0, 0}, {l_1, 0}, 0.01);   draw.support({0, 0});   draw.contact(...);
//   }
//   std::array<moreau::Frame<Real>, 2> poses(const Vector& q) const;  // where these bodies are
//   Vector nominal(const Vector& q) const;                            // optional: the same instant without play
//
// Body -1 (moreau::ground) is the ground. A mechanism from parts draws itself (picture_of_parts.hpp).
//
// Gaps are drawn k times as wide: a material point z goes to z0 + k (z - z0), z0 the same point of the mechanism without
// play. What has a `play` makes room for that: faces move away by (k - 1) play, the radius of a bearing grows by it. So
// a closed contact is drawn closed, and an open one k times as far open (report/magnifier.js).
#pragma once
#include <cstddef>
#include <initializer_list>
#include <moreau/joints/plane.hpp>
#include <string>
#include <vector>

namespace moreau::workstation {

// Of any scalar: a model in float draws without a word of its compiler about doubles.
struct Number {
  double value;
  template <class Real>
  constexpr Number(Real number) : value(static_cast<double>(number)) {}
  constexpr operator double() const { return value; }
};

// A point in a body's frame. grows: how it moves with k - 1, for a shape around its play: a sleeve on a pole.
struct XY {
  double x = 0, y = 0;              // m
  double grows_x = 0, grows_y = 0;  // m

  constexpr XY() = default;
  constexpr XY(Number an_x, Number a_y, Number gx = 0, Number gy = 0) : x(an_x), y(a_y), grows_x(gx), grows_y(gy) {}
  template <class Real>
  constexpr XY(const Point<Real>& p) : x(double(p.x)), y(double(p.y)) {}
};

struct Shape {
  enum Kind { capsule, polygon, disk, pin, bearing, slot, guide, face, support, spring, gear, mesh, line, text };
  Kind kind = polygon;
  int body = ground, other = ground;  // other: the second body of what joins two
  std::vector<XY> at;                 // of the last kind of point, the second one is on `other`
  double radius = 0, play = 0;        // m
  std::vector<double> numbers;        // of the kind
  std::string words;
};

inline constexpr const char* shape_names[] = {"capsule", "polygon", "disk",   "pin",  "bearing", "slot", "guide",
                                              "face",    "support", "spring", "gear", "mesh",    "line", "text"};

inline constexpr int not_drawn = -2;  // as the body of a contact

// Where a contact is drawn: a point of `body`, or the centre of a wheel of that radius, against one of the shapes.
struct ContactMark {
  std::string name;
  int body = ground;
  XY at;
  double radius = 0;   // m
  int shape = -1;      // what it touches: face, guide, bearing, slot or mesh; -1: nothing that is drawn
  int side = 0;        // of a guide or mesh: 1 or -1
  double tangent = 1;  // sign of w_T against the normal turned by -90 degrees
};

class Picture {
 public:
  std::vector<std::string> body;
  std::vector<bool> is_linear;  // per body
  int followed = ground;
  std::vector<Shape> shape;
  std::vector<ContactMark> mark;

  void bodies(std::initializer_list<const char*> names) {
    for (const char* name : names) add_body(name);
  }
  void add_body(const std::string& name) {
    body.push_back(name);
    is_linear.push_back(false);
  }
  // Its rotation is small and linearised: (1, phi) in the place of (cos phi, sin phi).
  void linearised(int a_body) { is_linear[std::size_t(a_body)] = true; }

  // The shape that was drawn last is filled with this colour, of two; by default a body's number picks it.
  void tone(int colour) { shape.back().numbers = {double(colour)}; }
  // The view goes with it.
  void follow(int a_body) { followed = a_body; }

  int capsule(int on, XY from, XY to, Number radius) { return add(Shape::capsule, on, {from, to}, radius); }
  int polygon(int on, std::vector<XY> points) { return add(Shape::polygon, on, std::move(points)); }
  int rectangle(int on, XY c, Number half_length, Number half_width) {
    const double l = half_length, w = half_width;
    return polygon(on, {{c.x - l, c.y - w}, {c.x + l, c.y - w}, {c.x + l, c.y + w}, {c.x - l, c.y + w}});
  }
  int disk(int on, XY centre, Number radius) { return add(Shape::disk, on, {centre}, radius); }
  int gear(int on, XY centre, Number radius) { return add(Shape::gear, on, {centre}, radius); }
  int pin(int on, XY centre, Number radius) { return add(Shape::pin, on, {centre}, radius); }
  int support(XY at, Number size) { return add(Shape::support, ground, {at}, size); }
  int line(int on, std::vector<XY> points) { return add(Shape::line, on, std::move(points)); }
  int text(int on, XY at, std::string words) {
    const int added = add(Shape::text, on, {at});
    shape.back().words = std::move(words);
    return added;
  }
  // A pin of that radius has this play in it.
  int bearing(int on, XY centre, Number radius, Number play) { return add(Shape::bearing, on, {centre}, radius, play); }
  int slot(int on, XY from, XY to, Number radius, Number play) {
    return add(Shape::slot, on, {from, to}, radius, play);
  }
  // A straight wall; its free side is on the left of the way from its first to its second end. Play below 0: whatever
  // gap the mechanism has without play.
  int face(int on, XY from, XY to, Number play) { return add(Shape::face, on, {from, to}, 0, play); }
  // Two walls about a middle line with a unit direction, half_width + play away from it; the slider's centre is a point
  // of `other`. Half length 0: as long as the slider's way.
  int guide(int on, XY middle, XY axis, Number half_width, Number play, Number half_length, int other, XY centre,
            Number slider) {
    return join(add(Shape::guide, on, {middle, axis, centre}, half_width, play), other, {half_length, slider});
  }
  int spring(int on, XY from, int other, XY to) { return join(add(Shape::spring, on, {from, to}), other, {}); }
  // Teeth: radius_A phi_A + radius_B phi_B - offset may be play away from 0.
  int mesh(int on, XY centre_A, int other, XY centre_B, Number radius_A, Number radius_B, Number offset, Number play) {
    return join(add(Shape::mesh, on, {centre_A, centre_B}, 0, play), other, {radius_A, radius_B, offset});
  }

  void contact(std::string name, int on, XY at, int against, int side = 0, Number radius = 0, Number tangent = 1) {
    mark.push_back({std::move(name), on, at, radius, against, side, tangent});
  }

 private:
  int add(Shape::Kind kind, int on, std::vector<XY> at, double radius = 0, double play = 0) {
    shape.emplace_back();
    Shape& made = shape.back();
    made.kind = kind, made.body = on, made.at = std::move(at), made.radius = radius, made.play = play;
    return int(shape.size()) - 1;
  }
  int join(int added, int other, std::vector<double> numbers) {
    shape[std::size_t(added)].other = other, shape[std::size_t(added)].numbers = std::move(numbers);
    return added;
  }
};

}  // namespace moreau::workstation
