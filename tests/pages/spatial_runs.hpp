// Runs of mechanisms in space for the pages: poses as functions of time, gaps from these poses.
//
//   crank and rod    a crank in a bush, a rod between two balls with play, a slider in a channel, a ball above a floor.
//                    The poses without clearance are those of the ideal mechanism; the deviations are within the play.
#pragma once
#include <cmath>
#include <moreau/workstation/run.hpp>

namespace test {

using moreau::workstation::PoseInSpace;
using moreau::workstation::Run;
using moreau::workstation::XYZ;

inline XYZ sum(XYZ a, XYZ b, double s = 1) { return {a.x + s * b.x, a.y + s * b.y, a.z + s * b.z}; }
inline double dot(XYZ a, XYZ b) { return a.x * b.x + a.y * b.y + a.z * b.z; }
inline XYZ cross(XYZ a, XYZ b) { return {a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x}; }
inline double size(XYZ a) { return std::sqrt(dot(a, a)); }

inline XYZ turned(const PoseInSpace& p, XYZ a) {
  const XYZ v{p.x, p.y, p.z}, t = cross(v, a);
  return sum(sum(a, t, 2 * p.w), cross(v, t), 2);
}
inline XYZ placed(const PoseInSpace& p, XYZ a) { return sum(p.r, turned(p, a)); }

// Pose at r after the rotation by the shortest way of the direction `from` into `to`.
inline PoseInSpace turning(XYZ r, XYZ from, XYZ to) {
  const XYZ v = cross(from, to);
  const double w = 1 + dot(from, to), n = 1 / std::sqrt(w * w + dot(v, v));
  return {r, n * w, n * v.x, n * v.y, n * v.z};
}
inline XYZ unit(XYZ a) { return sum({}, a, 1 / size(a)); }

struct Crank {
  static constexpr double play = 2e-4, ball = 5e-3, arm = 0.05, length = 0.2, half = 0.01, bush = 0.015, pin = 8e-3;
  enum Bodies { crank, rod, slider, hopper };
  XYZ on_crank{arm, 0, 0.01};

  struct Poses {
    PoseInSpace body[4];
  };
  // k: 0 without, 1 with clearance; t: revolutions.
  Poses at(double t, double k) const {
    const double phi = 2 * 3.14159265358979 * t, lean = k * 1e-3 * std::sin(7 * phi);
    const double c = std::cos(phi / 2), s = std::sin(phi / 2);
    Poses p;
    p.body[crank] = {
        {k * 0.3 * play * std::cos(3 * phi), k * 0.3 * play * std::sin(5 * phi), 0}, c, lean * c, lean * s, s};
    const double n = 1 / std::sqrt(1 + lean * lean);
    for (double* number : {&p.body[crank].w, &p.body[crank].x, &p.body[crank].y, &p.body[crank].z}) *number *= n;
    const XYZ off{std::cos(11 * phi), std::sin(11 * phi) * 0.6, std::sin(11 * phi) * 0.8};
    const XYZ at_crank = sum(placed(p.body[crank], on_crank), off, k * play * std::fabs(std::cos(phi)));
    const XYZ guide{0, 0.02 + k * 0.5 * play * std::sin(9 * phi), 0.06 + k * 0.5 * play * std::cos(9 * phi)};
    const double y = guide.y - at_crank.y, z = guide.z - at_crank.z;
    const XYZ along{std::sqrt(length * length - y * y - z * z), y, z};
    p.body[rod] = turning(sum(at_crank, along, 0.5), {1, 0, 0}, unit(along));
    p.body[slider] = {sum(guide, {at_crank.x + along.x, 0, 0}), 1, 0, 0, k * 2e-3 * std::sin(4 * phi)};
    p.body[slider].w = std::sqrt(1 - p.body[slider].z * p.body[slider].z);
    p.body[hopper] = turning({-0.06, -0.08, -0.04 + ball + k * play * (1 + std::sin(phi))}, {0, 0, 1},
                             unit({std::sin(phi), std::cos(phi), 1}));
    return p;
  }

  static constexpr double box[3] = {0.02, half, half};
  XYZ corner(int j) const { return {(j & 1 ? 1 : -1) * box[0], (j & 2 ? 1 : -1) * box[1], (j & 4 ? 1 : -1) * box[2]}; }

  // Gaps: ball, wrist on the slider, hopper; corners 0 to 3 of the slider at its walls; both ends of the pin.
  static constexpr int contacts = 9;
  std::array<double, contacts> gaps(const Poses& p) const {
    const XYZ at_crank = sum(placed(p.body[rod], {-length / 2, 0, 0}), placed(p.body[crank], on_crank), -1);
    const XYZ at_slider = sum(placed(p.body[rod], {length / 2, 0, 0}), placed(p.body[slider], {}), -1);
    std::array<double, contacts> g{play - size(at_crank), play - size(at_slider), p.body[hopper].r.z + 0.04 - ball};
    for (int j = 0; j < 4; ++j) {
      const XYZ q = sum(placed(p.body[slider], corner(j)), {0, -0.02, -0.06});
      g[std::size_t(3 + j)] = play + half - (j & 1 ? (j & 2 ? q.y : -q.y) : (j & 4 ? q.z : -q.z));
    }
    const XYZ e = turned(p.body[crank], {0, 0, 1});
    for (int end : {-1, 1}) {  // the pin is longer than the bush: a contact at the rim of the bush, across the pin
      const XYZ rim{0, 0, -0.02 + end * bush};
      const XYZ off = sum(placed(p.body[crank], {0, 0, -0.02}), rim, -1);
      g[std::size_t(end < 0 ? 7 : 8)] = play - size(sum(off, e, -dot(off, e)));
    }
    return g;
  }
  template <class Scene>
  void solids(Scene& draw) const {
    draw.bodies({"crank", "rod", "slider", "hopper"});
    draw.cylinder(crank, {0, 0, -0.045}, {0, 0, 0.004}, pin);
    draw.cylinder(crank, {0, 0, 0.004}, {0, 0, 0.012}, 0.016);
    draw.box(crank, {arm / 2, 0, 0.008}, {arm / 2, 0.006, 0.004});
    draw.rod(rod, {-length / 2, 0, 0}, {length / 2, 0, 0}, 0.003);
    draw.ball(rod, {-length / 2, 0, 0}, ball), draw.ball(rod, {length / 2, 0, 0}, ball);
    draw.box(slider, {}, {box[0], box[1], box[2]});
    draw.ball(hopper, {}, ball), draw.rod(hopper, {}, {0, 0, 0.03}, 0.002);
    const int socket = draw.socket(crank, on_crank, ball, play), wrist = draw.socket(slider, {}, ball, play);
    const int floor = draw.face(moreau::ground, {-0.06, -0.08, -0.04}, {0, 0, 1}, {1, 0, 0}, 0.03, 0.03, -1);
    const int channel =
        draw.channel(moreau::ground, {0.22, 0.02, 0.06}, {1, 0, 0}, {0, 1, 0}, 0.09, half, half, play, play);
    const int hole = draw.bush(moreau::ground, {0, 0, -0.02}, {0, 0, 1}, bush, pin, play);
    draw.spring(moreau::ground, {0.32, 0.02, 0.06}, slider, {0.02, 0, 0});
    draw.line(moreau::ground, {{0, 0, -0.06}, {0, 0, 0.04}});
    draw.text(moreau::ground, {0, 0, -0.07}, "bush");
    draw.contact("pin", rod, {-length / 2, 0, 0}, socket, ball),
        draw.contact("wrist", rod, {length / 2, 0, 0}, wrist, ball);
    draw.contact("foot", hopper, {}, floor, ball);
    for (int j = 0; j < 4; ++j)
      draw.contact("corner " + std::to_string(j), slider, corner(j), channel, 0,
                   j & 1 ? (j & 2 ? 1 : -1) : (j & 4 ? 2 : -2));
    for (int end : {-1, 1}) draw.pin_end(end < 0 ? "below" : "above", crank, {0, 0, -0.02}, {0, 0, 1}, 0.02, hole, end);
  }
};

// Frames over three revolutions. bush: with the contacts in the bush, whose drawn gaps are of second order.
inline Run crank_run(int frames, bool bush) {
  Crank model;
  Run run;
  run.title = "Crank in space", run.steps = frames - 1, run.statuses[0] = run.steps, run.magnifies = true;
  model.solids(run.scene);
  const std::size_t contacts = std::size_t(Crank::contacts) - (bush ? 0 : 2), columns = 6 * run.scene.body.size();
  run.nominal.resize(columns), run.deviation.resize(columns);
  run.contact.resize(contacts);
  for (std::size_t i = 0; i < contacts; ++i) run.contact[i].in_space = run.scene.mark[i], run.contact[i].P_T.resize(3);
  for (int n = 0; n < frames; ++n) {
    const double t = 3.0 * n / (frames - 1);
    run.t.push_back(t);
    const auto is = model.at(t, 1), without = model.at(t, 0);
    std::array<double, 24> nominal{}, deviation{};
    for (std::size_t b = 0; b < 4; ++b)
      moreau::workstation::detail::put_pose_in_space(nominal, deviation, b, is.body[b], without.body[b]);
    for (std::size_t c = 0; c < columns; ++c)
      run.nominal[c].push_back(nominal[c]), run.deviation[c].push_back(deviation[c]);
    const auto gaps = model.gaps(is);
    for (std::size_t i = 0; i < contacts; ++i) {
      const bool closed = gaps[i] < 0.1 * Crank::play;
      run.contact[i].gap.push_back(gaps[i]), run.contact[i].mode.push_back(closed);
      run.contact[i].P_N.push_back(closed ? (1 + std::cos(t)) / frames : 0);
      for (std::size_t k = 0; k < 3; ++k)
        run.contact[i].P_T[k].push_back(closed ? 0.2 * std::sin(t + double(k)) / frames : 0);
    }
  }
  run.residual = run.seconds = run.status = Run::Column(run.t.size(), 0.0);
  run.times = {{1e-6, double(run.steps)}}, run.timed_steps = run.steps, run.slowest = 1.4e-6;
  run.curve.push_back({{"energy", "J"}, "energy", run.t});
  return run;
}

}  // namespace test
