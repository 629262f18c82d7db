// Recorded run as plain columns, and as the data of a page.
//
// Report fills it from a model and a MotionRecorder. Other programs (many bodies, a user-defined log) fill it directly:
// times, poses of the bodies, curves; empty parts are not shown.
#pragma once
#include <algorithm>
#include <array>
#include <moreau/model/status.hpp>
#include <moreau/version.hpp>

#include "moreau/workstation/channel.hpp"
#include "moreau/workstation/picture.hpp"
#include "moreau/workstation/scene.hpp"

namespace moreau::workstation {

// A quantity, or a parameter and its value.
struct Symbol {
  std::string name, unit;
};

// Axis of a figure: names of its quantities and its range; both ends 0: range of the data.
struct Axis {
  std::vector<std::string> names;
  double from = 0, to = 0;
  bool log = false;
};

// Figure in the form of a paper, y over x. Names of quantities: "t", those of the curves, and for contacts "gap of
// NAME", "force on NAME", "percussion of NAME". If the figure has its own tables, they are drawn, and the names of the
// axes are labels.
struct Figure {
  struct Table {
    std::string name;
    std::vector<double> x, y;
  };
  std::string caption;
  Axis x, y;
  bool dots = false;
  std::vector<Table> table;
};

struct Run {
  using Column = std::vector<double>;  // one number per frame
  struct Contact {
    ContactMark mark;
    SolidContact in_space;        // replaces mark if the run has a scene
    std::array<double, 3> law{};  // eps_N, eps_T, mu
    std::vector<Column> touch;    // in space, without an opposing solid: point (m) and normal in the world
    Column gap, P_N;              // m, N s
    std::vector<Column> P_T;      // N s; in space: friction percussion on the body, in the world
    Column mode;                  // 1 closed, 2 stuck, added
  };
  struct Curve {
    Symbol symbol;
    std::string panel;  // outputs, friction, speeds, energy, steps; empty: not plotted, for phase portraits and figures
    Column data;
  };
  struct Failure {
    std::int64_t step;  // counted from 0
    double t;           // s
    std::string status, cause;
    int index;
  };

  // Largest distance that a contact covers in one step, over its play (moreau/step/reach.hpp).
  struct Reach {
    double value;
    int contact;
    double t, limit, recommended_dt;  // s, 1, s; dt is too long if value > limit
  };

  // Largest position error of the ideal joints (moreau/step/joint_error.hpp); the joint is open if error > limit.
  struct JointError {
    std::string name;
    double error, limit, t;  // m or rad, m or rad, s
  };

  // Share of short flights in the impacts of a model with `second_order` (moreau/record/flights.hpp).
  struct Flights {
    double share, limit;
    int short_steps;  // dt is too long for the impacts if share > limit
  };

  // First part outside its range, such as a slider outside its guide.
  struct Outside {
    std::string name;
    double t;  // s
  };

  std::string title, subtitle, real = "double";
  std::int64_t steps = 0, stride = 1;
  std::array<std::int64_t, std::size_t(Status::not_finished) + 1> statuses{};
  std::vector<Failure> failure;    // none or one
  std::vector<Reach> reach;        // none or one
  std::vector<JointError> joints;  // none or one
  std::vector<Flights> flights;    // none or one
  std::vector<Outside> outside;    // none or one
  double slowest = 0;              // s, slowest step
  std::int64_t timed_steps = 0;
  std::vector<std::array<double, 2>> times;  // s and steps: lower end of a bin, number of steps

  Column t;
  Picture picture;
  Scene scene;                             // of a mechanism in space; replaces the picture if it has bodies
  bool magnifies = false;                  // deviation holds the effect of clearance; otherwise it is empty
  std::vector<Column> nominal, deviation;  // x, y, phi of each body; in space: six numbers (put_pose_in_space)
  std::vector<Contact> contact;
  std::vector<Curve> curve;
  std::vector<std::array<std::string, 2>> phase;  // names of curves: x, y
  std::vector<Figure> figure;
  Column residual, seconds, status;
  std::vector<Symbol> parameter;

  bool in_space() const { return !scene.body.empty(); }
  const std::vector<std::string>& bodies() const { return in_space() ? scene.body : picture.body; }
  std::size_t per_body() const { return in_space() ? detail::in_space : detail::in_plane; }
  const std::string& name_of(const Contact& c) const { return in_space() ? c.in_space.name : c.mark.name; }
};

namespace detail {

inline std::string compiler() {
#if defined(__clang__)
  return "clang " __clang_version__;
#elif defined(__GNUC__)
  return "gcc " __VERSION__;
#else
  return "unknown compiler";
#endif
}

inline void write_point(Json& json, const XY& p) {
  json.open('[').number(p.x).number(p.y);
  if (p.grows_x != 0 || p.grows_y != 0) json.number(p.grows_x).number(p.grows_y);
  json.close(']');
}

inline void write_steps(Json& json, const Run& run) {
  json.key("steps").number(double(run.steps)).key("stride").number(double(run.stride)).key("statuses").open('{');
  for (std::size_t s = 0; s < run.statuses.size(); ++s) json.key(name(Status(s))).number(double(run.statuses[s]));
  json.close('}').key("failure");
  if (run.failure.empty()) {
    json.raw("null");
  } else {
    const auto& f = run.failure.front();
    json.open('{').key("step").number(double(f.step)).key("t").number(f.t).key("status").text(f.status);
    json.key("cause").text(f.cause).key("index").number(f.index).close('}');
  }
  json.key("reach");
  if (run.reach.empty()) {
    json.raw("null");
  } else {
    const auto& r = run.reach.front();
    json.open('{').key("value").number(r.value).key("contact").number(r.contact).key("t").number(r.t);
    json.key("limit").number(r.limit).key("recommended_dt").number(r.recommended_dt).close('}');
  }
  json.key("joints");
  if (run.joints.empty()) {
    json.raw("null");
  } else {
    const auto& j = run.joints.front();
    json.open('{').key("name").text(j.name).key("error").number(j.error).key("limit").number(j.limit);
    json.key("t").number(j.t).close('}');
  }
  json.key("flights");
  if (run.flights.empty()) {
    json.raw("null");
  } else {
    const auto& f = run.flights.front();
    json.open('{').key("share").number(f.share).key("limit").number(f.limit);
    json.key("short_steps").number(f.short_steps).close('}');
  }
  json.key("outside");
  if (run.outside.empty())
    json.raw("null");
  else
    json.open('{').key("name").text(run.outside.front().name).key("t").number(run.outside.front().t).close('}');
  json.key("times").open('{').key("steps").number(double(run.timed_steps)).key("slowest").number(run.slowest);
  json.key("bins").open('[');
  for (const auto& [seconds, steps] : run.times) json.open('[').number(seconds).number(steps).close(']');
  json.close(']').close('}');
}

inline void write_bodies(Json& json, const Run& run) {
  const std::size_t per = run.per_body();
  json.key("space").boolean(run.in_space());
  json.key("follow").number(run.in_space() ? run.scene.followed : run.picture.followed).key("bodies").open('[');
  for (std::size_t b = 0; b < run.bodies().size(); ++b) {
    json.open('{').key("name").text(run.bodies()[b]);
    json.key("linear").boolean(!run.in_space() && run.picture.is_linear[b]);
    json.key("nominal").open('[');
    const bool many = run.bodies().size() > 64;  // coarser coding for many bodies
    const Coding coding = run.magnifies || !many ? Coding::fine : Coding::curve;
    for (std::size_t k = 0; k < per; ++k) write_channel(json, run.nominal[per * b + k], coding);
    json.close(']').key("deviation").open('[');
    for (std::size_t k = 0; k < per && run.magnifies; ++k) write_channel(json, run.deviation[per * b + k], coding);
    json.close(']').close('}');
  }
  json.close(']');
}

inline void write_shapes(Json& json, const Run& run) {
  json.key("shapes").open('[');
  for (const Shape& s : run.picture.shape) {
    json.open('{').key("kind").text(shape_names[s.kind]).key("body").number(s.body).key("other").number(s.other);
    json.key("at").open('[');
    for (const XY& p : s.at) write_point(json, p);
    json.close(']').key("radius").number(s.radius).key("play").number(s.play).key("numbers").open('[');
    for (const double n : s.numbers) json.number(n);
    json.close(']').key("words").text(s.words).close('}');
  }
  json.close(']');
}

inline void write_mark(Json& json, const ContactMark& c) {
  json.key("name").text(c.name).key("body").number(c.body).key("at");
  write_point(json, c.at);
  json.key("radius").number(c.radius).key("shape").number(c.shape).key("side").number(c.side);
  json.key("tangent").number(c.tangent);
}

inline void write_contacts(Json& json, const Run& run) {
  json.key("contacts").open('[');
  for (const Run::Contact& c : run.contact) {
    json.open('{');
    run.in_space() ? write_mark(json, c.in_space) : write_mark(json, c.mark);
    if (run.in_space()) {
      json.key("touch").open('[');
      for (const auto& column : c.touch) write_channel(json, column, Coding::curve);
      json.close(']');
    }
    json.key("law").open('[');
    for (const double n : c.law) json.number(n);
    json.close(']').key("gap"), write_channel(json, c.gap, coding_of_gap(c.gap));
    json.key("P_N"), write_channel(json, c.P_N, Coding::decade);
    json.key("P_T").open('[');
    for (const auto& P_T : c.P_T) write_channel(json, P_T, Coding::decade);
    json.close(']').key("mode"), write_channel(json, c.mode, Coding::flags);
    json.close('}');
  }
  json.close(']');
}

inline void write_curves(Json& json, const Run& run) {
  json.key("curves").open('[');
  for (const Run::Curve& c : run.curve) {
    json.open('{').key("name").text(c.symbol.name).key("unit").text(c.symbol.unit).key("panel").text(c.panel);
    json.key("data"), write_channel(json, c.data, c.panel == "steps" ? Coding::decade : Coding::curve);
    json.close('}');
  }
  json.close(']').key("phases").open('[');
  for (const auto& [x, y] : run.phase) json.open('[').text(x).text(y).close(']');
  json.close(']');
}

inline void write_axis(Json& json, const char* key, const Axis& axis) {
  json.key(key).open('{').key("names").open('[');
  for (const auto& name : axis.names) json.text(name);
  json.close(']').key("from").number(axis.from).key("to").number(axis.to).key("log").boolean(axis.log).close('}');
}

inline void write_figures(Json& json, const Run& run) {
  json.key("figures").open('[');
  for (const Figure& f : run.figure) {
    json.open('{').key("caption").text(f.caption).key("dots").boolean(f.dots);
    write_axis(json, "x", f.x), write_axis(json, "y", f.y);
    json.key("tables").open('[');
    for (const auto& table : f.table) {
      json.open('{').key("name").text(table.name);
      for (const auto& [key, column] : {std::pair{"x", &table.x}, std::pair{"y", &table.y}}) {
        json.key(key).open('[');
        for (const double number : *column) json.number(number);
        json.close(']');
      }
      json.close('}');
    }
    json.close(']').close('}');
  }
  json.close(']');
}

// Names of all recorded quantities, for the axes of figures and phase portraits.
inline std::vector<std::string> quantities(const Run& run) {
  std::vector<std::string> names{"t"};
  for (const auto& c : run.curve) names.push_back(c.symbol.name);
  for (const auto& c : run.contact)
    for (const char* of : {"gap of ", "percussion of ", "force on "}) names.push_back(of + run.name_of(c));
  return names;
}

// Returns a sentence if the name is unknown, otherwise an empty string.
inline std::string fault_of_quantity(const Run& run, const std::string& name) {
  constexpr std::size_t most = 20;
  const auto names = quantities(run);
  if (std::find(names.begin(), names.end(), name) != names.end()) return "";
  std::string sentence = "no recorded quantity is named " + name + "; recorded:";
  for (std::size_t i = 0; i < std::min(most, names.size()); ++i) sentence += (i > 0 ? ", " : " ") + names[i];
  return names.size() <= most ? sentence : sentence + " and " + std::to_string(names.size() - most) + " more";
}

inline std::string fault_of_figure(const Run& run, const Figure& f) {
  for (const Axis* axis : {&f.x, &f.y}) {
    if (axis->names.empty()) return "figure " + f.caption + ": an axis without a name";
    for (const auto& name : axis->names)
      if (const auto fault = fault_of_quantity(run, name); f.table.empty() && !fault.empty())
        return "figure " + f.caption + ": " + fault;
    const bool whole = axis->from == 0 && axis->to == 0;
    if (!whole && !(axis->from < axis->to && (axis->from > 0 || !axis->log)))
      return "figure " + f.caption + ": an axis from " + std::to_string(axis->from) + " to " + std::to_string(axis->to);
  }
  for (const auto& table : f.table)
    if (table.x.size() != table.y.size()) return "figure " + f.caption + ": a table with columns of different lengths";
  return "";
}

}  // namespace detail

// Returns a sentence about the first inconsistency, or an empty string.
inline std::string fault_of(const Run& run) {
  const std::size_t frames = run.t.size();
  const int bodies = int(run.bodies().size());
  const auto is_body = [&](int b) { return b >= ground && b < bodies; };
  if (run.nominal.size() != run.per_body() * std::size_t(bodies) ||
      (run.magnifies && run.deviation.size() != run.nominal.size()))
    return "the numbers of poses and bodies differ";
  for (const Shape& s : run.picture.shape)
    if (!is_body(s.body) || !is_body(s.other)) return std::string("a ") + shape_names[s.kind] + " refers to no body";
  for (const Solid& s : run.scene.solid)
    if (!is_body(s.body) || !is_body(s.other)) return std::string("a ") + solid_names[s.kind] + " refers to no body";
  const int shapes = int(run.in_space() ? run.scene.solid.size() : run.picture.shape.size());
  for (const Run::Contact& c : run.contact) {
    const int body = run.in_space() ? c.in_space.body : c.mark.body;
    const int shape = run.in_space() ? c.in_space.solid : c.mark.shape;
    if (body != not_drawn && (!is_body(body) || shape < -1 || shape >= shapes))
      return "contact " + run.name_of(c) + " refers to no body or to no shape";
  }
  for (std::size_t i = 0; i < frames; ++i) {
    if (!(run.t[i] - run.t[i] == 0)) return "the time of frame " + std::to_string(i) + " is not finite";
    if (i > 0 && run.t[i] < run.t[i - 1])
      return "the times run backwards: " + std::to_string(run.t[i]) + " s after " + std::to_string(run.t[i - 1]) + " s";
  }
  bool even = true;
  const auto look = [&](const Run::Column& column) { even = even && column.size() == frames; };
  for (const auto* columns : {&run.nominal, &run.deviation})
    for (const auto& column : *columns) look(column);
  for (const Run::Contact& c : run.contact) {
    look(c.gap), look(c.P_N), look(c.mode);
    for (const auto* columns : {&c.P_T, &c.touch})
      for (const auto& column : *columns) look(column);
  }
  for (const Run::Curve& c : run.curve) look(c.data);
  for (const auto* column : {&run.residual, &run.seconds, &run.status}) look(*column);
  if (!even) return "a column and the times differ in length";
  for (const auto& [x, y] : run.phase)
    for (const auto* name : {&x, &y})
      if (const auto fault = detail::fault_of_quantity(run, *name); !fault.empty()) return fault;
  for (const Figure& f : run.figure)
    if (const std::string fault = detail::fault_of_figure(run, f); !fault.empty()) return fault;
  return "";
}

inline std::string json_of(const Run& run) {
  Json json;
  json.open('{').key("format").text("moreau run 1").key("title").text(run.title).key("subtitle").text(run.subtitle);
  json.key("version").text(version).key("compiler").text(detail::compiler()).key("real").text(run.real);
  detail::write_steps(json, run);
  json.key("frames").number(double(run.t.size())).key("t");
  write_times(json, run.t);
  detail::write_bodies(json, run);
  if (run.in_space())
    detail::write_solids(json, run.scene);
  else
    detail::write_shapes(json, run);
  detail::write_contacts(json, run);
  detail::write_curves(json, run);
  detail::write_figures(json, run);
  json.key("residual"), write_channel(json, run.residual, Coding::decade);
  json.key("seconds"), write_channel(json, run.seconds, Coding::decade);
  json.key("status"), write_channel(json, run.status, Coding::flags);
  json.key("parameters").open('[');
  for (const Symbol& p : run.parameter) json.open('[').text(p.name).text(p.unit).close(']');
  json.close(']').close('}');
  return json.str();
}

}  // namespace moreau::workstation
