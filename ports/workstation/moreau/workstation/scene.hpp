// Scene of a mechanism in space: solids on its bodies, and positions of its contacts.
//
// A model derived by hand defines two functions, compiled only in host programs that draw:
//
//   template <class Scene> void solids(Scene& draw) const {           // once; in the frames of the bodies, in m
//     draw.bodies({"bob"});
//     draw.rod(0, {0, 0, 0}, {0, 0, 0.2}, 0.004);   draw.contact(...);
//   }
//   std::array<PoseInSpace, 1> poses(const Vector& q) const;          // positions and orientations of these bodies
//   Vector nominal(const Vector& q) const;                            // optional: same instant without clearance
//   std::array<XYZ, 2> tangents_of(int i, const Vector& q) const;     // optional: world directions of the columns of w_T
//
// PoseInSpace is any type with the members r.x, r.y, r.z (position) and w, x, y, z (unit quaternion of the orientation).
// Body -1 (moreau::ground) is the ground.
//
// Gaps are magnified by k as in the plane (picture.hpp): a material point z is drawn at z0 + k (z - z0). A solid with
// `play` makes room for that: its free surface is at a distance of k play from the nominal pose of its partner
// (report/space.js).
#pragma once
#include <array>
#include <cmath>
#include <string>
#include <vector>

#include "moreau/workstation/json.hpp"
#include "moreau/workstation/picture.hpp"

namespace moreau::workstation {

struct XYZ {
  double x = 0, y = 0, z = 0;  // m

  constexpr XYZ() = default;
  constexpr XYZ(Number an_x, Number a_y, Number a_z) : x(an_x), y(a_y), z(a_z) {}
  template <class P, class = decltype(P::x), class = decltype(P::y), class = decltype(P::z)>
  constexpr XYZ(const P& p) : XYZ(p.x, p.y, p.z) {}
};

// Pose of a body: position of its origin, unit quaternion of its orientation.
struct PoseInSpace {
  XYZ r;
  double w = 1, x = 0, y = 0, z = 0;
};

struct Solid {
  enum Kind { box, cylinder, ball, rod, socket, bush, channel, face, spring, line, text };
  Kind kind = box;
  int body = ground, other = ground;  // other: second body of a spring
  std::vector<XYZ> at;                // m, or unit directions; the last point of a spring is on `other`
  double radius = 0, play = 0;        // m
  std::vector<double> size;           // m; depends on the kind
  int tone = -1;                      // one of two colours; -1: by body number
  std::string words;
};

inline constexpr const char* solid_names[] = {"box",     "cylinder", "ball",   "rod",  "socket", "bush",
                                              "channel", "face",     "spring", "line", "text"};

// Position of a contact: a point of `body`, or the centre of a ball with the given radius, against one of the solids.
struct SolidContact {
  std::string name;
  int body = ground;
  XYZ at;
  double radius = 0;  // m
  int solid = -1;     // opposing solid: socket, bush, channel or face; -1: none drawn
  int side = 0;       // bush: -1 or 1, the end of the pin; channel: -1 or 1 across, -2 or 2 across and the axis
  XYZ axis;           // of the pin in a bush
  double half = 0;    // m, half length of the pin
};

class Scene {
 public:
  std::vector<std::string> body;
  std::vector<Solid> solid;
  std::vector<SolidContact> mark;
  XYZ up{0, 0, 1};        // upwards on the screen
  int followed = ground;  // the view follows this body

  void bodies(std::initializer_list<const char*> names) {
    for (const char* name : names) body.push_back(name);
  }
  void tone(int colour) { solid.back().tone = colour; }
  void follow(int a_body) { followed = a_body; }

  // Box with half lengths along the unit directions x, y and their cross product.
  int box(int on, XYZ centre, XYZ half, XYZ x = {1, 0, 0}, XYZ y = {0, 1, 0}) {
    return add(Solid::box, on, {centre, x, y}, 0, 0, {half.x, half.y, half.z});
  }
  int cylinder(int on, XYZ from, XYZ to, Number radius) { return add(Solid::cylinder, on, {from, to}, radius); }
  int ball(int on, XYZ centre, Number radius) { return add(Solid::ball, on, {centre}, radius); }
  // Round bar with rounded ends.
  int rod(int on, XYZ from, XYZ to, Number radius) { return add(Solid::rod, on, {from, to}, radius); }
  int line(int on, std::vector<XYZ> points) { return add(Solid::line, on, std::move(points)); }
  int text(int on, XYZ at, std::string words) {
    const int added = add(Solid::text, on, {at});
    solid.back().words = std::move(words);
    return added;
  }
  int spring(int on, XYZ from, int other, XYZ to) {
    const int added = add(Solid::spring, on, {from, to});
    solid.back().other = other;
    return added;
  }
  // A ball with the given radius has clearance `play` in it.
  int socket(int on, XYZ centre, Number radius, Number play) { return add(Solid::socket, on, {centre}, radius, play); }
  // A pin with the given radius has clearance `play` in it. axis: unit direction.
  int bush(int on, XYZ middle, XYZ axis, Number half_length, Number radius, Number play) {
    return add(Solid::bush, on, {middle, axis}, radius, play, {half_length});
  }
  // Four walls around a box with half widths a and b, across the unit directions `across` and axis x across. Half
  // length 0: that of the travel of its contacts.
  int channel(int on, XYZ middle, XYZ axis, XYZ across, Number half_length, Number a, Number b, Number play,
              Number play_b) {
    return add(Solid::channel, on, {middle, axis, across}, 0, play, {half_length, a, b, play_b});
  }
  // A flat rectangle, or a disk of the given radius; its free side is that of the unit normal. play < 0: the gap of the
  // nominal pose. Half length 0: that of the travel of its contacts.
  int face(int on, XYZ centre, XYZ normal, XYZ along, Number half_along, Number half_across, Number play) {
    return add(Solid::face, on, {centre, normal, along}, 0, play, {half_along, half_across});
  }
  int disk(int on, XYZ centre, XYZ normal, XYZ along, Number radius, Number play) {
    return add(Solid::face, on, {centre, normal, along}, radius, play, {radius, radius});
  }

  void contact(std::string name, int on, XYZ at, int against, Number radius = 0, int side = 0) {
    mark.push_back({std::move(name), on, at, radius, against, side, {}, 0});
  }
  // Contact at one end of a pin in a bush. side: -1 or 1, the end along the axis.
  void pin_end(std::string name, int on, XYZ middle, XYZ axis, Number half_length, int bush, int side) {
    mark.push_back({std::move(name), on, middle, solid[std::size_t(bush)].radius, bush, side, axis, half_length});
  }

 private:
  int add(Solid::Kind kind, int on, std::vector<XYZ> at, double radius = 0, double play = 0,
          std::vector<double> size = {}) {
    Solid made;
    made.kind = kind, made.body = on, made.at = std::move(at), made.radius = radius, made.play = play;
    made.size = std::move(size);
    solid.push_back(std::move(made));
    return int(solid.size()) - 1;
  }
};

namespace detail {

// Coordinates of poses on a page: position, and three numbers of the orientation.
inline constexpr std::size_t in_plane = 3, in_space = 6;

// Stores the pose of a body with and without clearance. The nominal orientation is stored as modified Rodrigues
// parameters v / (1 + w), the deviation R_0^T R as the vector part of its quaternion, within half a turn.
template <class Columns>
void put_pose_in_space(Columns& nominal, Columns& deviation, std::size_t body, const PoseInSpace& is,
                       const PoseInSpace& without) {
  const std::size_t at = in_space * body;
  nominal[at] = without.r.x, nominal[at + 1] = without.r.y, nominal[at + 2] = without.r.z;
  deviation[at] = is.r.x - without.r.x, deviation[at + 1] = is.r.y - without.r.y;
  deviation[at + 2] = is.r.z - without.r.z;
  const auto& a = without;
  const double per = (a.w < 0 ? -1 : 1) / (1 + std::fabs(a.w));
  nominal[at + 3] = per * a.x, nominal[at + 4] = per * a.y, nominal[at + 5] = per * a.z;
  const double w = a.w * is.w + a.x * is.x + a.y * is.y + a.z * is.z, s = w < 0 ? -1 : 1;  // of conj(a) is
  deviation[at + 3] = s * (a.w * is.x - a.x * is.w - a.y * is.z + a.z * is.y);
  deviation[at + 4] = s * (a.w * is.y - a.y * is.w - a.z * is.x + a.x * is.z);
  deviation[at + 5] = s * (a.w * is.z - a.z * is.w - a.x * is.y + a.y * is.x);
}

inline void write_point(Json& json, const XYZ& p) { json.open('[').number(p.x).number(p.y).number(p.z).close(']'); }

inline void write_solids(Json& json, const Scene& scene) {
  json.key("up"), write_point(json, scene.up);
  json.key("shapes").open('[');
  for (const Solid& s : scene.solid) {
    json.open('{').key("kind").text(solid_names[s.kind]).key("body").number(s.body).key("other").number(s.other);
    json.key("at").open('[');
    for (const XYZ& p : s.at) write_point(json, p);
    json.close(']').key("radius").number(s.radius).key("play").number(s.play).key("size").open('[');
    for (const double n : s.size) json.number(n);
    json.close(']').key("tone").number(s.tone).key("words").text(s.words).close('}');
  }
  json.close(']');
}

inline void write_mark(Json& json, const SolidContact& c) {
  json.key("name").text(c.name).key("body").number(c.body).key("at"), write_point(json, c.at);
  json.key("radius").number(c.radius).key("shape").number(c.solid).key("side").number(c.side);
  json.key("axis"), write_point(json, c.axis);
  json.key("half").number(c.half);
}

}  // namespace detail

}  // namespace moreau::workstation
