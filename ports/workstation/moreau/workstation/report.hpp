// Report of a run: a recorded motion of a model as an HTML page.
//
//   moreau::workstation::MotionRecorder<Model> motion;
//   for (int n = 0; n < steps; ++n) (void)motion.step(machine, dt);
//   moreau::workstation::Report report{machine.model, motion, "Slider-crank with clearance in its guide"};
//   report.bodies = {"crank", "rod", "slider"};                        // all of this is optional
//   report.output("angle", "rad", [](const auto& q, const auto&, double) { return q(Model::angle_of<Parts::rod>); });
//   if (const auto written = report.write("crank.html"); !written.ok) std::puts(written.why.c_str());
//
// The parts list, or shapes() and poses() of the model (picture.hpp), define the picture; without them the page has
// plots and no animation. Data outside the record (poses, nominal poses, gaps, energy) are computed here frame by
// frame.
#pragma once
#include <moreau/mechanism/part_of.hpp>

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
  using Q = typename State<Model>::StateVector;
  using Function = std::function<double(const Q& q, const Q& u, double t)>;

  std::string title, subtitle;
  std::vector<std::string> bodies, contacts;  // names that replace those of the picture
  std::vector<Symbol> coordinates;            // of q: name and unit of each; velocities have the unit per second
  std::vector<Symbol> frictions;              // dry-friction elements: name and unit of each
  std::vector<Symbol> parameters;             // shown unchanged: name and value

  Report(const Model& model, const Motion& motion, std::string a_title)
      : title(std::move(a_title)), model_(model), motion_(motion), source_(model_), frames_(motion.frames()) {}

  Report(const Model&, const Motion&&, std::string) = delete;  // the report refers to the recorder

  // Adds a user-defined quantity with a plot.
  void output(std::string name, std::string unit, Function f) {
    outputs_.push_back({{std::move(name), std::move(unit)}, "outputs", std::move(f), false});
  }
  // Adds a quantity without a plot, for phase portraits and figures; or the rate of change of f between frames.
  void quantity(std::string name, std::string unit, Function f) {
    outputs_.push_back({{std::move(name), std::move(unit)}, "", std::move(f), false});
  }
  void rate(std::string name, std::string unit, Function f) {
    outputs_.push_back({{std::move(name), std::move(unit)}, "", std::move(f), true});
  }
  // Adds a curve in the plane of two quantities: outputs, coordinates or velocities, by name.
  void phase(std::string x, std::string y) { phases_.push_back({std::move(x), std::move(y)}); }
  // Adds a figure in the form of a paper; for the quantities on its axes see Figure in run.hpp.
  Figure& figure(std::string caption, Axis x, Axis y) {
    figures_.push_back({std::move(caption), std::move(x), std::move(y), false, {}});
    return figures_.back();
  }

  Run run() const {
    Run run;
    run.title = title, run.subtitle = subtitle, run.real = sizeof(Real) == 4 ? "float" : "double";
    run.picture = source_.picture, run.scene = source_.scene;
    auto& names = run.in_space() ? run.scene.body : run.picture.body;
    for (std::size_t b = 0; b < bodies.size() && b < names.size(); ++b) names[b] = bodies[b];
    fill_steps(run);
    run.t = column([](const Frame& f) { return f.t; });
    fill_poses(run);
    fill_contacts(run);
    fill_curves(run);
    run.residual = column([](const Frame& f) { return f.residual; });
    run.seconds = column([](const Frame& f) { return f.seconds; });
    run.status = column([](const Frame& f) { return int(f.status); });
    run.parameter = source_.parameters(names);
    run.parameter.insert(run.parameter.end(), parameters.begin(), parameters.end());
    return run;
  }
  std::string json() const { return json_of(run()); }
  // Writes the run to a file. The program moreau_report generates pages of one or two of them.
  Written keep(const std::string& path) const {
    const Run all = run();
    const std::string fault = fault_of(all);
    return fault.empty() ? detail::write_file(path, json_of(all) + "\n") : Written{false, fault};
  }

  Written write(const std::string& path, const PageFiles& files = {}) const {
    return write_page(path, std::vector<Run>{run()}, files);
  }
  // Shows the run beside a second run of any model: a variant, a reference.
  template <class Other>
  Written write_beside(const std::string& path, const Report<Other>& other, const PageFiles& files = {}) const {
    return write_page(path, std::vector<Run>{run(), other.run()}, files);
  }

 private:
  struct Output {
    Symbol symbol;
    std::string panel;
    Function f;
    bool rate;
  };

  template <class F>
  Run::Column column(F&& f) const {
    Run::Column all;
    all.reserve(frames_.size());
    for (const Frame& frame : frames_) all.push_back(double(f(frame)));
    return all;
  }

  void fill_steps(Run& run) const {
    run.steps = motion_.steps(), run.stride = motion_.stride();
    for (std::size_t s = 0; s < run.statuses.size(); ++s) run.statuses[s] = motion_.count(Status(s));
    if (const auto& f = motion_.failure(); f.step >= 0)
      run.failure.push_back({f.step, f.t, name(f.status), name(f.cause), f.index});
    if (const auto w = motion_.reach().worst(); w.contact >= 0)
      run.reach.push_back({double(w.value), w.contact, double(w.t), double(StepReach<Real>::limit),
                           double(motion_.reach().recommended_dt())});
    if (const auto& j = motion_.reach().joints; j.row >= 0)
      run.joints.push_back(
          {"row " + std::to_string(j.row) + " of the ideal joints" + bodies_of(Cause::bilateral, j.row, run.bodies()),
           double(j.error), double(j.limit * j.motion), double(j.t)});
    if (const auto& flights = motion_.flights(); flights.impacts > 0)
      run.flights.push_back({double(flights.share()), double(flights.limit), flights.short_steps});
    if (const auto& left = motion_.reach().outside; left.part >= 0)
      run.outside.push_back(
          {"part " + std::to_string(left.part) + bodies_of(Cause::part, left.part, run.bodies()), double(left.t)});
    const StepTimes& times = motion_.times();
    run.timed_steps = times.steps(), run.slowest = double(times.slowest());
    for (int b = 0; b < StepTimes::bins; ++b)
      if (times.count(b) > 0) run.times.push_back({StepTimes::lower_end(b), double(times.count(b))});
  }

  // Returns the names of the bodies of a part of the mechanism, for a contact, row or part; empty for other models.
  std::string bodies_of([[maybe_unused]] Cause cause, [[maybe_unused]] int index,
                        [[maybe_unused]] const std::vector<std::string>& names) const {
    if constexpr (moreau::detail::detected<moreau::detail::bodies_of_list, Model>) {
      const PartOf part = part_of(model_, cause, index);
      const auto body = [&](int b) {
        return b == ground                     ? std::string("ground")
               : std::size_t(b) < names.size() ? names[std::size_t(b)]
                                               : "body " + std::to_string(b);
      };
      return " (" + body(part.body_A) + " and " + body(part.body_B) + ")";
    } else {
      return {};
    }
  }

  void fill_poses(Run& run) const {
    const std::size_t columns = source_.columns;
    run.magnifies = source_.magnifies;
    run.nominal.resize(columns), run.deviation.resize(columns);
    for (const Frame& f : frames_) {
      const auto poses = source_.poses(f.q.template cast<double>(), f.t);
      for (std::size_t i = 0; i < columns; ++i)
        run.nominal[i].push_back(poses.nominal[i]), run.deviation[i].push_back(poses.deviation[i]);
    }
  }

  void fill_contacts(Run& run) const {
    const auto& marks = source_.picture.mark;
    const auto& solid_marks = source_.scene.mark;
    for (std::size_t i = 0; i < Motion::contacts; ++i) {
      Run::Contact c;
      c.mark.name = c.in_space.name = "contact " + std::to_string(i + 1);
      c.mark.body = c.in_space.body = not_drawn;
      if (marks.size() == Motion::contacts) c.mark = marks[i];
      if (solid_marks.size() == Motion::contacts) c.in_space = solid_marks[i];
      if (i < contacts.size()) c.mark.name = c.in_space.name = contacts[i];
      if constexpr (Motion::contacts > 0) {
        const auto law = model_.law(int(i));
        c.law = {double(law.eps_N), double(law.eps_T), double(law.mu)};
      }
      c.P_N = column([&](const Frame& f) { return f.P_N[i]; });
      if (!run.in_space())
        for (std::size_t k = 0; k < Motion::tangents; ++k)
          c.P_T.push_back(column([&](const Frame& f) { return f.P_T[i * Motion::tangents + k]; }));
      c.mode = column([&](const Frame& f) { return f.contact[i]; });
      run.contact.push_back(std::move(c));
    }
    for (const Frame& f : frames_) {
      const auto gaps = source_.gaps(f.q, f.t);
      for (std::size_t i = 0; i < Motion::contacts; ++i) run.contact[i].gap.push_back(gaps[i]);
    }
    if (run.in_space() && !frames_.empty()) fill_friction_in_space(run), fill_touches(run);
  }

  // Friction percussions of a mechanism in space, in the world; none if the directions are unknown.
  void fill_friction_in_space(Run& run) const {
    for (std::size_t i = 0; i < Motion::contacts; ++i) {
      if (frames_.empty()) run.contact[i].P_T.resize(3);
      if (frames_.empty() || source_.tangents_of(int(i), frames_.front().q, frames_.front().t).empty()) continue;
      run.contact[i].P_T.resize(3);
      for (const Frame& f : frames_) {
        XYZ sum;
        const auto tangents = source_.tangents_of(int(i), f.q, f.t);
        for (std::size_t k = 0; k < tangents.size(); ++k) {
          const double P = double(f.P_T[i * Motion::tangents + k]);
          sum = {sum.x + P * tangents[k].x, sum.y + P * tangents[k].y, sum.z + P * tangents[k].z};
        }
        run.contact[i].P_T[0].push_back(sum.x), run.contact[i].P_T[1].push_back(sum.y);
        run.contact[i].P_T[2].push_back(sum.z);
      }
    }
  }

  // Points and normals of contacts without an opposing solid, if they are known.
  void fill_touches(Run& run) const {
    for (std::size_t i = 0; i < Motion::contacts; ++i) {
      auto& c = run.contact[i];
      if (c.in_space.solid >= 0 || source_.touch_of(int(i), frames_.front().q, frames_.front().t).empty()) continue;
      c.touch.resize(6);
      for (const Frame& f : frames_) {
        const auto touch = source_.touch_of(int(i), f.q, f.t);
        for (std::size_t k = 0; k < 2; ++k)
          c.touch[3 * k].push_back(touch[k].x), c.touch[3 * k + 1].push_back(touch[k].y),
              c.touch[3 * k + 2].push_back(touch[k].z);
      }
    }
  }

  void fill_curves(Run& run) const {
    for (const Output& o : outputs_) {
      run.curve.push_back({o.symbol, o.panel, column([&](const Frame& f) { return o.f(f.q, f.u, f.t); })});
      if (o.rate) run.curve.back().data = rate_of(run.curve.back().data);
    }
    run.phase = phases_, run.figure = figures_;
    for (const auto& c : source_.curves(coordinates, run.bodies())) {
      run.curve.push_back({c.symbol, "", column([&](const Frame& f) { return f.q[c.coordinate]; })});
      run.curve.push_back({c.speed, "speeds", column([&](const Frame& f) { return f.u[c.coordinate]; })});
      run.phase.push_back({c.symbol.name, c.speed.name});
    }
    const auto energy = [&](const Frame& f) { return source_.energy(f.q, f.u, f.t); };
    run.curve.push_back({{source_.energy_name(), "J"}, "energy", column(energy)});
    fill_friction(run);
    if (std::none_of(frames_.begin(), frames_.end(), [](const Frame& f) { return f.order > 0; })) return;
    const auto of_step = [&](const Frame& f) -> const Frame& {
      return f.order > 0 ? f : frames_[1];
    };  // the start has none
    run.curve.push_back({{"step size", "s"}, "steps", column([&](const Frame& f) { return of_step(f).dt; })});
    run.curve.push_back({{"order", ""}, "steps", column([&](const Frame& f) { return of_step(f).order; })});
  }

  // Forces of dry-friction elements, means over a frame; for planar ones their magnitude as well.
  void fill_friction(Run& run) const {
    constexpr std::size_t dim = Motion::friction_dim;
    for (std::size_t e = 0; e < Motion::frictions; ++e) {
      const Symbol is = e < frictions.size() ? frictions[e] : source_.friction(int(e));
      Run::Column size(frames_.size(), 0.0);
      for (std::size_t k = 0; k < dim; ++k) {
        Run::Column force = column([&](const Frame& f) { return f.P_F[e * dim + k]; });
        for (std::size_t i = 0; i < frames_.size(); ++i)
          force[i] = i > 0 ? force[i] / (frames_[i].t - frames_[i - 1].t) : 0;
        if (!force.empty()) force.front() = frames_.size() > 1 ? force[1] : 0;
        for (std::size_t i = 0; i < frames_.size(); ++i) size[i] = std::hypot(size[i], force[i]);
        run.curve.push_back({{dim > 1 ? is.name + (k == 0 ? ", x" : ", y") : is.name, is.unit}, "friction", force});
      }
      if (dim > 1) run.curve.push_back({{is.name + ", size", is.unit}, "friction", size});
    }
  }
  Run::Column rate_of(const Run::Column& values) const {
    Run::Column rate(values.size(), 0.0);
    for (std::size_t i = 1; i < values.size(); ++i)
      rate[i] = (values[i] - values[i - 1]) / (frames_[i].t - frames_[i - 1].t);
    if (rate.size() > 1) rate[0] = rate[1];
    return rate;
  }

  Model model_;  // copied when the report was created
  const Motion& motion_;
  PoseSource<Model> source_;
  std::vector<Frame> frames_;
  std::vector<Output> outputs_;
  std::vector<std::array<std::string, 2>> phases_;
  std::vector<Figure> figures_;
};

}  // namespace moreau::workstation
