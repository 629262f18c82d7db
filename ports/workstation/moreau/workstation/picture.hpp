// Picture of a mechanism: shapes on its bodies, and positions of its contacts.
//
// A model derived by hand defines two functions, compiled only in host programs that draw:
//
//   template <class Picture> void shapes(Picture& draw) const {       // once; in the frames of the bodies, in m
//     draw.bodies({"crank", "rod"});
//     draw.capsule(0, {0, 0}, {l_1, 0}, 0.01);   draw.support({0, 0});   draw.contact(...);
//   }
//   std::array<moreau::Frame<Real>, 2> poses(const Vector& q) const;  // positions of these bodies
//   Vector nominal(const Vector& q) const;                            // optional: same instant without clearance
//
// Body -1 (moreau::ground) is the ground. A mechanism from parts draws itself (picture_of_parts.hpp).
//
// Gaps are magnified by k: a material point z is drawn at z0 + k (z - z0), where z0 is the same point of the mechanism
// without clearance. A shape with `play` makes room for that: faces move away by (k - 1) play, the radius of a bearing
// grows by it. A closed contact is drawn closed, an open gap k times as wide (report/magnifier.js).
#pragma once
#include <cstddef>
#include <initializer_list>
#include <moreau/joints/plane.hpp>
#include <string>
#include <vector>

namespace moreau::workstation {

// Number of any scalar: a float model needs no explicit conversions.
struct Number {
  double value;
  template <class Real>
  constexpr Number(Real number) : value(static_cast<double>(number)) {}
  constexpr operator double() const { return value; }
};

// Point in a body frame. grows: displacement per k - 1, for a shape around its clearance, such as a sleeve on a pole.
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
  int body = ground, other = ground;  // other: second body of a connecting shape
  std::vector<XY> at;                 // the last point of a connecting shape is on `other`
  double radius = 0, play = 0;        // m
  std::vector<double> numbers;        // depends on the kind
  std::string words;
};

inline constexpr const char* shape_names[] = {"capsule", "polygon", "disk",   "pin",  "bearing", "slot", "guide",
                                              "face",    "support", "spring", "gear", "mesh",    "line", "text"};

inline constexpr int not_drawn = -2;  // as body of a contact

// Position of a contact: a point of `body`, or the centre of a wheel with the given radius, against one of the shapes.
struct ContactMark {
  std::string name;
  int body = ground;
  XY at;
  double radius = 0;   // m
  int shape = -1;      // opposing shape: face, guide, bearing, slot or mesh; -1: none drawn
  int side = 0;        // of a guide or mesh: 1 or -1
  double tangent = 1;  // sign of w_T relative to the normal turned by -90 degrees
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
  // Marks a body with small, linearised rotation: (1, phi) instead of (cos phi, sin phi).
  void linearised(int a_body) { is_linear[std::size_t(a_body)] = true; }

  // Fills the last shape with one of two colours; default: by body number.
  void tone(int colour) { shape.back().numbers = {double(colour)}; }
  // The view follows the body.
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
  // A pin with the given radius has clearance `play` in it.
  int bearing(int on, XY centre, Number radius, Number play) { return add(Shape::bearing, on, {centre}, radius, play); }
  int slot(int on, XY from, XY to, Number radius, Number play) {
    return add(Shape::slot, on, {from, to}, radius, play);
  }
  // A straight wall; its free side is on the left of the direction from first to second end. play < 0: the gap of the
  // nominal pose.
  int face(int on, XY from, XY to, Number play) { return add(Shape::face, on, {from, to}, 0, play); }
  // Two walls parallel to a centre line with a unit direction, at distance half_width + play; the centre of the slider
  // is a point of `other`. Half length 0: the length of the slider's travel.
  int guide(int on, XY middle, XY axis, Number half_width, Number play, Number half_length, int other, XY centre,
            Number slider) {
    return join(add(Shape::guide, on, {middle, axis, centre}, half_width, play), other, {half_length, slider});
  }
  int spring(int on, XY from, int other, XY to) { return join(add(Shape::spring, on, {from, to}), other, {}); }
  // Meshing teeth: |radius_A phi_A + radius_B phi_B - offset| <= play.
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
