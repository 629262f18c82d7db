// Pages of all kinds, written for inspect_pages.py: pages.write FOLDER
#include <cstdio>
#include <limits>
#include <moreau/workstation/report.hpp>

#include "models/loose_slider_crank.hpp"
#include "models/slider_crank_parts.hpp"
#include "models/spatial_slider_crank.hpp"
#include "models/toggle_clamp.hpp"
#include "pages/spatial_runs.hpp"
#include "support/second_order.hpp"

namespace {

using moreau::workstation::MotionRecorder;
using moreau::workstation::Report;
using Crank = models::SliderCrank<double>;
using FloatCrank = models::SliderCrank<float>;
using Parts = models::SliderCrankFromParts<double>;

std::string folder;
bool all_written = true;

template <class Model>
void write(const char* name, const Report<Model>& report) {
  const auto written = report.write(folder + "/" + name + ".html");
  if (!written.ok) std::printf("%s: %s\n", name, written.why.c_str());
  all_written = all_written && written.ok;
}

template <class Model>
moreau::Stepper<Model> machine_of();
template <>
moreau::Stepper<Crank> machine_of() {
  const Crank crank;
  return moreau::Stepper<Crank>{crank, models::state_at<Crank>(crank.start_tilted())};
}
template <>
moreau::Stepper<FloatCrank> machine_of() {
  const FloatCrank crank;
  return moreau::Stepper<FloatCrank>{crank, models::state_at<FloatCrank>(crank.start_tilted())};
}
template <>
moreau::Stepper<Parts> machine_of() {
  const Crank crank;
  const auto start = crank.start_tilted();
  return moreau::Stepper<Parts>{Parts{models::SliderCrankParts<double>{crank}},
                                models::from_angles(crank, start.q, start.u)};
}

// A run of `steps` steps of dt, with its own page.
template <class Model>
void page(const char* name, int steps, double dt, int capacity = 8192) {
  auto machine = machine_of<Model>();
  MotionRecorder<Model> motion(capacity);
  for (int n = 0; n < steps; ++n) (void)motion.step(machine, typename Model::Real(dt));
  Report<Model> report{machine.model, motion, "Slider-crank"};
  report.output("crank", "rad", [](const auto& q, const auto&, double) { return q[0]; });
  report.rate("how it changes", "rad/s", [](const auto& q, const auto&, double) { return q[0]; });
  report.figure("Angle", {{"t"}, 0, steps * dt}, {{"crank"}, 0, 20});
  report.figure("Speed", {{"crank"}}, {{"how it changes"}, 0, 200}).dots = true;
  report.figure("Table", {{"x"}, 1, 100, true}, {{"y"}, 0, 0, true}).table = {{"p", {1, 10, 100}, {1, 4, 9}}};
  write(name, report);
  all_written = all_written && report.keep(folder + "/" + name + ".json").ok;
}

// A stop under the arm, as a user-defined joint that draws itself.
struct Stop {
  static constexpr int body_A = moreau::ground, body_B = 0, contacts = 1;
  moreau::Point<double> tip{0.2, 0};
  double height = -0.05;  // m
  moreau::ContactLaw<double> law{0.3, 0, 0.1};

  moreau::JointContact<double> contact(int, const moreau::Frame<double>&, const moreau::Frame<double>& arm) const {
    moreau::JointContact<double> c;
    c.p = arm.world(tip), c.n = {0, 1}, c.g_N = c.p.y - height;
    return c;
  }
  template <class Picture>
  void shapes(Picture& draw) const {
    const int wall = draw.face(moreau::ground, {0.1, height}, {0.6, height}, -1);
    draw.contact("stop", body_B, tip, wall);
  }
};

// An arm in a bearing with clearance falls onto its stop. A slider moves in a guide on the arm, so the guide has
// deviations of its own.
struct SwingParts {
  using Real = double;
  enum Names { arm, slider, bodies };
  moreau::Body<Real> body[bodies] = {{0.4, 6e-3}, {0.1, 1e-4}};
  moreau::RevoluteClearance<Real, moreau::ground, arm> bearing{{}, {-0.2, 0}, 2e-4, 8e-3, {0.3, 0, 0.1}};
  moreau::PrismaticClearance<Real, arm, slider> guide{{0.05, 0}, {1, 0}, {}, 0.03, 0.015, 3e-4, {0.3, 0, 0.1}};
  moreau::Spring<Real, arm, slider> spring{{-0.1, 0}, {-0.03, 0}, 200, 0.12, 0.1};
  Stop stop;
  moreau::Gravity<Real> gravity;
  auto parts() const { return std::tie(bearing, guide, spring, stop, gravity); }
};

void moving_guide() {
  using Swing = moreau::Mechanism<SwingParts>;
  moreau::State<Swing> start;
  start.q(0) = 0.2, start.q(3) = 0.25;
  moreau::Stepper machine{Swing{}, start};
  MotionRecorder<Swing> motion(1024);
  for (int n = 0; n < 8000; ++n) (void)motion.step(machine, 5e-5);
  Report<Swing> report{machine.model, motion, "Swing"};
  report.bodies = {"arm", "slider"};
  write("moving_guide", report);
}

// Names that contain markup, end the script, or break out of an attribute.
void hostile() {
  auto machine = machine_of<Parts>();
  MotionRecorder<Parts> motion(256);
  for (int n = 0; n < 5000; ++n) (void)motion.step(machine, 2e-6);
  const std::string evil =
      "</script><script>alert(1)</script><img src=x onerror='alert(2)'>\"'&amp;{{style.css}}\\u003c`${1}";
  Report<Parts> report{machine.model, motion, evil};
  report.subtitle = evil;
  report.bodies = {evil, "__proto__", "constructor"};
  report.contacts = {evil, evil, "\n\t\x01", ""};
  report.parameters = {{evil, evil}};
  report.output(evil, evil, [](const auto& q, const auto&, double) { return q[2]; });
  report.phase(evil, evil);
  report.figure(evil, {{evil}}, {{evil, "force on " + evil}});
  write("hostile", report);
}

// Frames as telemetry may deliver them: some have non-finite values.
void not_finite() {
  auto machine = machine_of<Parts>();
  MotionRecorder<Parts> motion(256);
  for (int n = 0; n < 200; ++n) {
    const auto report = motion.step(machine, 1e-5);
    auto torn = machine.state;
    const double bad = n % 2 ? std::numeric_limits<double>::quiet_NaN() : std::numeric_limits<double>::infinity();
    torn.q(Parts::angle_of<Parts::slider>) = bad;
    torn.u(Parts::angle_of<Parts::crank>) = bad;
    torn.P_N(1) = bad;
    if (n % 40 > 36) motion(torn, report);
  }
  write("not_finite", Report<Parts>{machine.model, motion, "Torn"});
}

void failed_at_once() {
  auto machine = machine_of<Parts>();
  machine.model.guide.play = std::numeric_limits<double>::quiet_NaN();
  MotionRecorder<Parts> motion(256);
  (void)motion.step(machine, 1e-5);
  machine = machine_of<Parts>();
  write("failed_at_once", Report<Parts>{machine.model, motion, "Failed"});
}

void empty() {
  const auto machine = machine_of<Parts>();
  const MotionRecorder<Parts> motion;
  write("empty", Report<Parts>{machine.model, motion, "Empty"});
}

// Seven contacts and three bodies: the largest page.
void loose() {
  using Loose = moreau::Mechanism<models::LooseSliderCrankParts<double>>;
  moreau::Stepper machine{Loose{}, models::centred_at_angles(Loose{}, Crank{}, {0, 0, 0}, {60, -30, 0})};
  MotionRecorder<Loose> motion(10002);
  for (int n = 0; n < 9999; ++n) (void)motion.step(machine, 2e-5);
  write("loose_10000", Report<Loose>{machine.model, motion, "Loose"});
}

// A dt that is too long for the play, and a suitable one: only the first page has a notice.
void reach_of_steps(const char* name, double dt, int steps) {
  using Clamp = models::ToggleClamp<double>;
  moreau::Stepper machine{Clamp{}, models::open_toggle_clamp<double>()};
  MotionRecorder<Clamp> motion(256);
  for (int n = 0; n < steps; ++n) (void)motion.step(machine, dt);
  write(name, Report<Clamp>{machine.model, motion, "Toggle clamp"});
}

// A drive law that jumps by 0.3 rad: the page has a notice.
struct JumpingCrank {
  using Real = double;
  struct Law {
    moreau::DriveAngle<double> operator()(double t) const { return {t + (t > 0.0105 ? 0.3 : 0), 1}; }
  };
  enum Names { crank, bodies };
  moreau::Body<Real> body[bodies] = {{1, 0.1}};
  moreau::Revolute<Real, moreau::ground, crank> pivot{{0, 0}, {-0.2, 0}};
  moreau::Drive<Real, moreau::ground, crank, Law> drive;
  auto parts() const { return std::tie(pivot, drive); }
};
void open_joint() {
  using Jumping = moreau::Mechanism<JumpingCrank>;
  moreau::State<Jumping> start;
  start.u(Jumping::angle_of<Jumping::crank>) = 1;
  moreau::Stepper machine{Jumping{}, start};
  MotionRecorder<Jumping> motion(256);
  for (int n = 0; n < 100; ++n) (void)motion.step(machine, 1e-3);
  Report<Jumping> report{machine.model, motion, "Crank"};
  report.bodies = {"crank"};
  write("open_joint", report);
}

// Steps of second order while the slider rattles with about one impact per step: the page has a notice.
void rattling() {
  using Rattling = test::Second<Crank>;
  Rattling crank;
  crank.eps_N = 0.8;  // with the default 0.4, the share of short flights equals the limit
  moreau::Stepper machine{crank, models::state_at<Rattling>(crank.start_tilted())};
  MotionRecorder<Rattling> motion(256);
  for (int n = 0; n < 200; ++n) (void)motion.step(machine, 1e-4);
  write("rattling", Report<Rattling>{machine.model, motion, "Slider-crank"});
}

// Two runs on one page: from parts and derived by hand, with different steps.
void beside() {
  auto one = machine_of<Parts>();
  auto other = machine_of<Crank>();
  MotionRecorder<Parts> motion(1024);
  MotionRecorder<Crank> second(1024);
  for (int n = 0; n < 10000; ++n) (void)motion.step(one, 2e-6);
  for (int n = 0; n < 5000; ++n) (void)second.step(other, 4e-6);
  const Report<Parts> report{Parts(one.model), motion, "From parts"};  // its temporary model is destroyed
  const auto written = report.write_beside(folder + "/beside.html", Report<Crank>{other.model, second, "By hand"});
  all_written = all_written && written.ok;
  moreau::workstation::PageFiles nowhere;  // as without CMake: the message names the missing definition
  nowhere.report = folder + "/nowhere";
  const auto unwritten = report.write(folder + "/unwritten.html", nowhere);
  all_written = all_written && !unwritten.ok && unwritten.why.find("MOREAU_REPORT_FILES") != std::string::npos;
}

// A ball rolls and bounces in a spherical socket: a model in space derived by hand.
struct Bowl {
  using Real = double;
  static constexpr int dof = 3, contacts = 1, tangents = 2;
  using Vector = moreau::Vector<double, 3>;
  struct Pose {
    moreau::workstation::XYZ r;
    double w, x, y, z;
  };
  double play = 0.02, radius = 0.01;  // m
  moreau::Matrix<double, 3, 3> mass(const Vector&, double) const { return moreau::Matrix<double, 3, 3>::Identity(); }
  Vector force(const Vector&, const Vector&, double) const { return {0, 0, -9.81}; }
  double gap(int, const Vector& q, double) const { return play - q.norm(); }
  moreau::Directions<double, 3, 2> directions(int i, const Vector& q, double) const {
    moreau::Directions<double, 3, 2> d{};
    const auto t = tangents_of(i, q);
    d.w_N = -q.normalized();
    for (int k = 0; k < 2; ++k) d.w_T.col(k) << t[std::size_t(k)].x, t[std::size_t(k)].y, t[std::size_t(k)].z;
    return d;
  }
  moreau::ContactLaw<double> law(int) const { return {0.6, 0, 0.2}; }

  std::array<test::XYZ, 2> tangents_of(int, const Vector& q) const {
    const test::XYZ n = test::unit({q(0), q(1), q(2)}), t = test::unit(test::cross(n, {0.2, 1, 0.1}));
    return {t, test::cross(n, t)};
  }
  std::array<Pose, 1> poses(const Vector& q) const { return {{{{q(0), q(1), q(2)}, 1, 0, 0, 0}}}; }
  Vector nominal(const Vector&) const { return Vector::Zero(); }
  template <class Scene>
  void solids(Scene& draw) const {
    draw.bodies({"ball"});
    draw.ball(0, {}, radius);
    draw.contact("socket", 0, {}, draw.socket(moreau::ground, {}, radius, play), radius);
  }
};
void in_bowl() {
  moreau::State<Bowl> start;
  start.q << 0.012, 0, 0.005, start.u << 0, 0.2, 0;
  moreau::Stepper machine{Bowl{}, start};
  MotionRecorder<Bowl> motion(1024);
  for (int n = 0; n < 4000; ++n) (void)motion.step(machine, 2e-4);
  const Report<Bowl> report{machine.model, motion, "Bowl"};
  double along = 0, across = 0;  // friction is across the normal, so its sum along q vanishes
  const auto run = report.run();
  for (std::size_t i = 0; i < run.t.size(); ++i)
    for (std::size_t k = 0; k < 3; ++k) {
      along += run.contact[0].P_T[k][i] * (run.nominal[k][i] + run.deviation[k][i]);
      across = std::fmax(across, std::fabs(run.contact[0].P_T[k][i]));
    }
  const bool tangential = across > 1e-4 && std::fabs(along) < 1e-6;  // N s; the frame is at the end of its step
  if (!tangential) std::printf("friction along the normal: %g m N s, at most %g N s\n", along, across);
  all_written = all_written && tangential;
  write("in_bowl", report);
}

// A mechanism from parts in space: its scene and its poses without clearance follow from the list.
void from_parts_in_space() {
  using Model = models::SpatialSliderCrank<double>;
  const Model model;
  moreau::Stepper<Model, moreau::Newton> machine{model, models::centred_spatial_slider_crank(model, 30.0)};
  MotionRecorder<Model> motion(512);
  for (int n = 0; n < 2000; ++n) (void)motion.step(machine, 1e-5);
  write("space_parts", Report<Model>{machine.model, motion, "Spatial slider-crank"});
}

void in_space() {
  const auto wrote = [](const char* name, const moreau::workstation::Run& run) {
    const auto written = moreau::workstation::write_page(folder + "/" + name + ".html", std::vector{run});
    if (!written.ok) std::printf("%s: %s\n", name, written.why.c_str());
    all_written = all_written && written.ok;
  };
  wrote("space_10000", test::crank_run(10000, false));
  wrote("space", test::crank_run(400, true));
}

// Inconsistent data are rejected with a message, and no page is written.
void refused(const char* message, void (*corrupt)(moreau::workstation::Run&)) {
  auto machine = machine_of<Parts>();
  MotionRecorder<Parts> motion(16);
  for (int n = 0; n < 20; ++n) (void)motion.step(machine, 1e-5);
  auto run = Report<Parts>{machine.model, motion, "Spoilt"}.run();
  corrupt(run);
  const std::string path = folder + "/refused.html";
  const auto written = moreau::workstation::write_page(path, std::vector{run});
  const bool rejected = !written.ok && written.why.find(message) != std::string::npos && !std::filesystem::exists(path);
  if (!rejected) std::printf("'%s' instead of '%s'\n", written.why.c_str(), message);
  all_written = all_written && rejected;
}

}  // namespace

int main(int count, char** words) {
  folder = count > 1 ? words[1] : ".";
  page<Parts>("parts_10000", 9999, 2e-6, 10002);
  page<Parts>("parts", 20000, 2e-6, 1024);
  page<Crank>("derived", 2000, 2e-5, 1024);
  page<FloatCrank>("in_float", 2000, 2e-5, 1024);
  loose();
  reach_of_steps("long_dt", 5e-5, 400);
  reach_of_steps("short_dt", 1e-6, 2000);
  open_joint();
  rattling();
  moving_guide();
  hostile();
  not_finite();
  failed_at_once();
  empty();
  beside();
  in_space();
  in_bowl();
  from_parts_in_space();
  refused("poses", [](auto& run) { run.picture.add_body("ghost"); });
  refused("refers to no body", [](auto& run) { run.picture.disk(7, {0, 0}, 1); });
  refused("or to no shape", [](auto& run) { run.contact[1].mark.shape = 99; });
  refused("the times run backwards", [](auto& run) { std::swap(run.t[4], run.t[5]); });
  refused("the time of frame 3 is not finite", [](auto& run) { run.t[3] = std::numeric_limits<double>::quiet_NaN(); });
  refused("differ in length", [](auto& run) { run.contact[0].gap.pop_back(); });
  refused("is named", [](auto& run) { run.figure.push_back({"Figure", {{"t"}}, {{"nothing"}}, false, {}}); });
  refused("an axis from", [](auto& run) { run.figure.push_back({"Figure", {{"t"}, 0, 1, true}, {{"t"}}, false, {}}); });
  refused("different lengths", [](auto& run) {
    run.figure.push_back({"Figure", {{"x"}}, {{"y"}}, false, {{"table", {1, 2}, {1}}}});
  });
  refused("is named", [](auto& run) { run.phase.push_back({"t", "nothing"}); });
  refused("differ in length", [](auto& run) { run.nominal[3].push_back(0); });
  return all_written ? 0 : 1;
}
