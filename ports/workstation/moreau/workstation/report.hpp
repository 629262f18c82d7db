// The report of a run: what a MotionRecorder kept of a model, as a page to look at.
//
//   moreau::workstation::MotionRecorder<Model> motion;
//   for (int n = 0; n < steps; ++n) (void)motion.step(machine, dt);
//   moreau::workstation::Report report{machine.model, motion, "Slider-crank with play in its guide"};
//   report.bodies = {"crank", "rod", "slider"};                        // all of this is optional
//   report.output("height", "m", [](const auto& q, const auto&, double) { return q(7); });
//   if (const auto written = report.write("crank.html"); !written.ok) std::puts(written.why.c_str());
//
// What is drawn comes from the parts list or from the model's own shapes() and poses() (picture.hpp); a model that has
// neither has plots and no animation. Everything that is not in the record - poses, nominal poses, gaps, energy - is
// worked out here, frame by frame.
#pragma once
#include <moreau/check/energy_audit.hpp>
#include <moreau/version.hpp>

#include "moreau/workstation/channel.hpp"
#include "moreau/workstation/motion_recorder.hpp"
#include "moreau/workstation/page.hpp"
#include "moreau/workstation/pose_source.hpp"

namespace moreau::workstation {

template <class Model>
class Report {
  using T = Traits<Model>;
  using Real = typename T::Real;
  using Motion = MotionRecorder<Model>;
  using Frame = typename Motion::Frame;

 public:
  using Q = Vector<Real, T::dof>;
  using Function = std::function<double(const Q& q, const Q& u, double t)>;

  std::string title, subtitle;
  std::vector<std::string> bodies, contacts;  // names, instead of those of the picture
  std::vector<Symbol> coordinates;            // of q: name and unit of each; speeds have the unit per second
  std::vector<Symbol> parameters;             // shown as they are: name and value

  Report(const Model& model, const Motion& motion, std::string a_title)
      : title(std::move(a_title)), model_(model), motion_(motion), source_(model), frames_(motion.frames()) {}

  // A quantity of one's own, as a plot.
  void output(std::string name, std::string unit, Function f) {
    outputs_.push_back({{std::move(name), std::move(unit)}, std::move(f)});
  }
  // Two quantities - outputs, coordinates, speeds ("d/dt " and the coordinate) - as a curve in their plane.
  void phase(std::string x, std::string y) { phases_.push_back({std::move(x), std::move(y)}); }

  // The run as the page's data.
  std::string json() const {
    Json json;
    json.open('{').key("format").text("moreau run 1");
    json.key("title").text(title).key("subtitle").text(subtitle).key("version").text(version);
    json.key("compiler").text(compiler()).key("real").text(sizeof(Real) == 4 ? "float" : "double");
    write_steps(json);
    json.key("frames").number(double(frames_.size())).key("t");
    write_times(json, column([](const Frame& f) { return f.t; }));
    write_bodies(json);
    write_shapes(json);
    write_contacts(json);
    write_curves(json);
    json.key("residual"), write_channel(json, column([](const Frame& f) { return f.residual; }), Coding::decade);
    json.key("seconds"), write_channel(json, column([](const Frame& f) { return f.seconds; }), Coding::decade);
    json.key("status"), write_channel(json, column([](const Frame& f) { return int(f.status); }), Coding::flags);
    json.key("parameters").open('[');
    for (const Symbol& p : source_.parameters(names())) write_symbol(json, p);
    for (const Symbol& p : parameters) write_symbol(json, p);
    json.close(']').close('}');
    return json.str();
  }

  Written write(const std::string& path, const PageFiles& files = {}) const {
    return write_page(path, title, {json()}, files);
  }
  // Beside a second run of any model: a variant, a reference.
  template <class Other>
  Written write_beside(const std::string& path, const Report<Other>& other, const PageFiles& files = {}) const {
    return write_page(path, title, {json(), other.json()}, files);
  }

 private:
  struct Output {
    Symbol symbol;
    Function f;
  };

  static std::string compiler() {
#if defined(__clang__)
    return "clang " __clang_version__;
#elif defined(__GNUC__)
    return "gcc " __VERSION__;
#else
    return "unknown compiler";
#endif
  }
  template <class F>
  std::vector<double> column(F&& f) const {
    std::vector<double> all;
    all.reserve(frames_.size());
    for (const Frame& frame : frames_) all.push_back(double(f(frame)));
    return all;
  }
  static void write_symbol(Json& json, const Symbol& s) { json.open('[').text(s.name).text(s.unit).close(']'); }
  std::vector<std::string> names() const {
    std::vector<std::string> all;
    for (std::size_t b = 0; b < source_.picture.body.size(); ++b)
      all.push_back(b < bodies.size() ? bodies[b] : source_.picture.body[b]);
    return all;
  }

  void write_steps(Json& json) const {
    json.key("steps").number(double(motion_.steps())).key("stride").number(double(motion_.stride()));
    json.key("statuses").open('{');
    for (int s = 0; s <= int(Status::not_finished); ++s)
      json.key(name(Status(s))).number(double(motion_.count(Status(s))));
    json.close('}').key("failure");
    if (const auto& f = motion_.failure(); f.step >= 0)
      json.open('{')
          .key("step")
          .number(double(f.step))
          .key("t")
          .number(f.t)
          .key("status")
          .text(name(f.status))
          .key("cause")
          .text(name(f.cause))
          .key("index")
          .number(f.index)
          .close('}');
    else
      json.raw("null");
    const StepTimes& times = motion_.times();
    json.key("times").open('{').key("steps").number(double(times.steps())).key("slowest").number(times.slowest());
    json.key("bins").open('[');
    for (int b = 0; b < StepTimes::bins; ++b)
      if (times.count(b) > 0) json.open('[').number(StepTimes::lower_end(b)).number(double(times.count(b))).close(']');
    json.close(']').close('}');
  }

  void write_bodies(Json& json) const {
    const std::size_t count = source_.picture.body.size();
    std::vector<std::vector<double>> nominal(3 * count), deviation(3 * count);
    for (const Frame& f : frames_) {
      const auto poses = source_.poses(f.q.template cast<double>(), f.t);
      for (std::size_t i = 0; i < 3 * count; ++i)
        nominal[i].push_back(poses.nominal[i]), deviation[i].push_back(poses.deviation[i]);
    }
    const auto all_names = names();
    json.key("magnifies").boolean(source_.magnifies).key("bodies").open('[');
    for (std::size_t b = 0; b < count; ++b) {
      json.open('{').key("name").text(all_names[b]).key("linear").boolean(source_.picture.is_linear[b]);
      for (const auto& [key, from] : {std::pair{"nominal", &nominal}, std::pair{"deviation", &deviation}}) {
        json.key(key).open('[');
        for (std::size_t k = 0; k < 3; ++k) write_channel(json, (*from)[3 * b + k], Coding::exact);
        json.close(']');
      }
      json.close('}');
    }
    json.close(']');
  }

  static void write_point(Json& json, const XY& p) {
    json.open('[').number(p.x).number(p.y);
    if (p.grows_x != 0 || p.grows_y != 0) json.number(p.grows_x).number(p.grows_y);
    json.close(']');
  }
  void write_shapes(Json& json) const {
    json.key("shapes").open('[');
    for (const Shape& s : source_.picture.shape) {
      json.open('{').key("kind").text(shape_names[s.kind]).key("body").number(s.body).key("other").number(s.other);
      json.key("at").open('[');
      for (const XY& p : s.at) write_point(json, p);
      json.close(']').key("radius").number(s.radius).key("play").number(s.play).key("numbers").open('[');
      for (const double n : s.numbers) json.number(n);
      json.close(']').key("words").text(s.words).close('}');
    }
    json.close(']');
  }

  void write_contacts(Json& json) const {
    std::vector<std::vector<double>> gap(Motion::contacts);
    for (const Frame& f : frames_) {
      const auto gaps = source_.gaps(f.q, f.t);
      for (std::size_t i = 0; i < Motion::contacts; ++i) gap[i].push_back(gaps[i]);
    }
    json.key("contacts").open('[');
    for (std::size_t i = 0; i < Motion::contacts; ++i) {
      const auto& marks = source_.picture.mark;
      const ContactMark mark = i < marks.size() ? marks[i] : ContactMark{"contact " + std::to_string(i + 1), {}, {}};
      json.open('{').key("name").text(i < contacts.size() ? contacts[i] : mark.name);
      json.key("body").number(i < marks.size() ? mark.body : -2).key("at"), write_point(json, mark.at);
      json.key("radius").number(mark.radius).key("shape").number(mark.shape).key("side").number(mark.side);
      json.key("tangent").number(mark.tangent);
      const auto law = model_.law(int(i));
      json.key("law").open('[').number(double(law.eps_N)).number(double(law.eps_T)).number(double(law.mu)).close(']');
      json.key("gap"), write_channel(json, gap[i], Coding::exact);
      json.key("P_N"), write_channel(json, column([&](const Frame& f) { return f.P_N[i]; }), Coding::decade);
      json.key("P_T").open('[');
      for (std::size_t k = 0; k < Motion::tangents; ++k)
        write_channel(json, column([&](const Frame& f) { return f.P_T[i * Motion::tangents + k]; }), Coding::decade);
      json.close(']').key("mode"),
          write_channel(json, column([&](const Frame& f) { return f.contact[i]; }), Coding::flags);
      json.close('}');
    }
    json.close(']');
  }

  void write_curve(Json& json, const Symbol& symbol, const char* panel, const std::vector<double>& values) const {
    json.open('{').key("name").text(symbol.name).key("unit").text(symbol.unit).key("panel").text(panel);
    json.key("data"), write_channel(json, values, Coding::curve);
    json.close('}');
  }
  void write_curves(Json& json) const {
    json.key("curves").open('[');
    for (const Output& o : outputs_)
      write_curve(json, o.symbol, "outputs", column([&](const Frame& f) { return o.f(f.q, f.u, f.t); }));
    std::vector<Phase> phases = phases_;
    for (const auto& c : source_.curves(coordinates, names())) {
      const std::size_t d = std::size_t(c.coordinate);
      const auto of_q = [&](const Frame& f) { return f.q(int(d)); };
      const auto of_u = [&](const Frame& f) { return f.u(int(d)); };
      write_curve(json, c.symbol, "", column(of_q));
      write_curve(json, c.speed, "speeds", column(of_u));
      phases.push_back({c.symbol.name, c.speed.name});
    }
    const auto energy = [&](const Frame& f) { return source_.energy(f.q, f.u, f.t); };
    write_curve(json, {source_.energy_name(), "J"}, "energy", column(energy));
    json.close(']').key("phases").open('[');
    for (const Phase& p : phases) json.open('[').text(p.x).text(p.y).close(']');
    json.close(']');
  }

  struct Phase {
    std::string x, y;
  };
  const Model& model_;
  const Motion& motion_;
  PoseSource<Model> source_;
  std::vector<Frame> frames_;
  std::vector<Output> outputs_;
  std::vector<Phase> phases_;
};

}  // namespace moreau::workstation
