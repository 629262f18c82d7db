// Description of an identification: a model, its unknown parameters, its recorded inputs and its measured quantities.
//
//   Description<Model> d{"drive"};
//   d.dt = 2.5e-4;
//   d.parameter("play", "m", range(2e-5, 4e-4), &Model::play);
//   d.input("torque", "N m", &Model::torque);
//   d.measured("phi", "rad", [](const Model&, const auto& state) { return state.q(0); }, encoder(4096));
//   d.start = [](const Model& model, const Reading& first, Draw& draw) { ... };
//
// A sensor delivers  y(t) = bias + scale x(t - delay) + noise. x is a function of the state, or its rate behind a low
// pass of second order:
//
//   noise(sigma)                     x is the function
//   encoder(counts)                  x is an angle, rounded to the middle of one of `counts` counts per turn
//   resolution(step)                 x is rounded to the middle of a step
//   accelerometer(bandwidth, sigma)  x is the rate of the function, a velocity
//   force_cell(bandwidth, sigma)     x is the rate of the sum of the function, a percussion of the step
//
// The description has a fixed size and allocates no memory, so the same description serves a host and a board.
#pragma once
#include <array>
#include <type_traits>

#include <moreau/moreau.hpp>

#include "moreau/identify/draw.hpp"
#include "moreau/identify/range.hpp"

namespace moreau::identify {

// Properties of a sensor, in the unit of its channel, s and Hz.
struct Sensor {
  enum class Kind { value, rate, impulse };
  Kind kind = Kind::value;
  double noise = 0;      // standard deviation of one sample
  double step = 0;       // resolution; 0: unlimited
  double bandwidth = 0;  // Hz, of each of two poles; only for rates
  double delay = 0, bias = 0, scale = 1;

  Sensor delayed(double seconds) const {
    Sensor other = *this;
    other.delay = seconds;
    return other;
  }
  // Standard deviation of one sample, including the rounding to the resolution.
  double deviation() const { return moreau::sqrt(noise * noise + step * step / 12); }
};
inline Sensor noise(double sigma) { return {Sensor::Kind::value, sigma}; }
inline Sensor resolution(double step, double sigma = 0) { return {Sensor::Kind::value, sigma, step}; }
inline Sensor encoder(double counts) { return resolution(2 * pi<double> / counts); }
inline Sensor accelerometer(double bandwidth, double sigma) { return {Sensor::Kind::rate, sigma, 0, bandwidth}; }
inline Sensor force_cell(double bandwidth, double sigma) { return {Sensor::Kind::impulse, sigma, 0, bandwidth}; }

// Property of a sensor, or the scale of an input, as the target of a parameter.
struct OfSensor {
  const char* channel;
  double Sensor::*member;
};
inline OfSensor delay_of(const char* channel) { return {channel, &Sensor::delay}; }
inline OfSensor bias_of(const char* channel) { return {channel, &Sensor::bias}; }
inline OfSensor scale_of(const char* channel) { return {channel, &Sensor::scale}; }

// One row of a record: a time, the inputs from this time to that of the next row, and the measured values. NaN: not
// measured at this time.
template <int inputs, int channels>
struct SampleOf {
  double t = 0;
  std::array<double, std::size_t(inputs)> input{};
  std::array<double, std::size_t(channels)> measured{};
};

// Value and rate of every channel at the first row, from a line through the rows of the first window; NaN for a channel
// without rows. The names of the channels are those of the description.
struct Reading {
  static constexpr int most = 8;
  std::array<double, most> value{}, rate{};
};

template <class Model_, int most_parameters_ = 8, int most_channels_ = 4, int most_inputs_ = 2>
struct Description {
  using Model = Model_;
  using Real = typename Traits<Model>::Real;
  static constexpr int most_parameters = most_parameters_, most_channels = most_channels_, most_inputs = most_inputs_;
  static_assert(most_channels <= Reading::most, "at most 8 channels");
  using Sample = SampleOf<most_inputs, most_channels>;

  struct Parameter {
    const char *name = "", *unit = "";
    Range range;
    Real Model::*member = nullptr;  // one of these four is set
    void (*set)(Model&, Real) = nullptr;
    double Sensor::*of_sensor = nullptr;
    int channel = 0, input = -1;  // input: the scale of this input is the parameter
  };
  struct Input {
    const char *name = "", *unit = "";
    Real Model::*member = nullptr;
    void (*set)(Model&, Real) = nullptr;
  };
  struct Channel {
    const char *name = "", *unit = "";
    Real (*read)(const Model&, const State<Model>&) = nullptr;
    Sensor sensor;
  };
  // Sensors of the channels, and the factors between recorded and acting inputs.
  struct Sensors : std::array<Sensor, std::size_t(most_channels)> {
    std::array<double, std::size_t(most_inputs)> input_scale{};
  };

  const char* name;
  Model model{};            // values of all members that no parameter sets
  double dt = 0;            // s, longest step
  double window = 4e-3;     // s, time between updates
  double begins_after = 0;  // s, part of the record that is skipped
  // Returns a state at the first row for these parameters, drawn at random as far as the reading does not determine it.
  State<Model> (*start)(const Model&, const Reading&, Draw&) = nullptr;

  int parameters = 0, inputs = 0, channels = 0;
  std::array<Parameter, std::size_t(most_parameters)> parameter_of{};
  std::array<Input, std::size_t(most_inputs)> input_of{};
  std::array<Channel, std::size_t(most_channels)> channel_of{};

  explicit Description(const char* a_name) : name(a_name) {}

  // Adds a parameter: a member of the model, a function that sets the model, or a property of a sensor.
  template <class Owner>
  void parameter(const char* symbol, const char* unit, Range range, Real Owner::*member) {
    if (Parameter* p = add_parameter(symbol, unit, range)) p->member = member;
  }
  void parameter(const char* symbol, const char* unit, Range range, void (*setter)(Model&, Real)) {
    if (Parameter* p = add_parameter(symbol, unit, range)) p->set = setter;
  }
  void parameter(const char* symbol, const char* unit, Range range, OfSensor property) {
    for (int c = 0; c < channels; ++c) {
      if (!same(channel_of[std::size_t(c)].name, property.channel)) continue;
      if (Parameter* p = add_parameter(symbol, unit, range)) p->of_sensor = property.member, p->channel = c;
      return;
    }
    for (int i = 0; i < inputs && property.member == &Sensor::scale; ++i) {
      if (!same(input_of[std::size_t(i)].name, property.channel)) continue;
      if (Parameter* p = add_parameter(symbol, unit, range)) p->input = i;
      return;
    }
    fault_ = "a property of a sensor is a parameter of a channel that does not exist yet";
  }

  template <class Owner>
  void input(const char* symbol, const char* unit, Real Owner::*member) {
    if (Input* i = add_input(symbol, unit)) i->member = member;
  }
  void input(const char* symbol, const char* unit, void (*setter)(Model&, Real)) {
    if (Input* i = add_input(symbol, unit)) i->set = setter;
  }

  void measured(const char* symbol, const char* unit, Real (*read)(const Model&, const State<Model>&),
                const Sensor& sensor) {
    if (channels == most_channels) {
      fault_ = "too many channels: set the third argument of Description";
      return;
    }
    channel_of[std::size_t(channels++)] = {symbol, unit, read, sensor};
    if (!(sensor.deviation() > 0)) fault_ = "a channel needs a positive noise or resolution";
    if (sensor.kind != Sensor::Kind::value && !(sensor.bandwidth > 0)) fault_ = "a rate needs a positive bandwidth";
  }

  // Returns the first error of the description as a sentence; nullptr if valid.
  const char* fault() const {
    if (fault_) return fault_;
    if (parameters == 0 || channels == 0) return "an identification needs a parameter and a channel";
    if (!moreau::detail::is_step_size(dt)) return "dt must be positive and below 128 s";
    if (!(window >= dt)) return "the window must not be shorter than dt";
    if (!start) return "an identification needs a start";
    return nullptr;
  }

  // Sets the parameters with logits v in a model and in its sensors.
  template <class Logits>
  void set(Model& m, Sensors& sensors, const Logits& v) const {
    for (int p = 0; p < parameters; ++p) {
      const Parameter& one = parameter_of[std::size_t(p)];
      set_value(m, sensors, p, one.range.at(double(v[std::size_t(p)])));
    }
  }
  void set_value(Model& m, Sensors& sensors, int p, double x) const {
    const Parameter& one = parameter_of[std::size_t(p)];
    if (one.member) m.*one.member = Real(x);
    if (one.set) one.set(m, Real(x));
    if (one.of_sensor) sensors[std::size_t(one.channel)].*one.of_sensor = x;
    if (one.input >= 0) sensors.input_scale[std::size_t(one.input)] = x;
  }
  void set_inputs(Model& m, const Sample& row, const Sensors& sensors) const {
    for (int i = 0; i < inputs; ++i) {
      const Input& one = input_of[std::size_t(i)];
      const Real x = Real(sensors.input_scale[std::size_t(i)] * row.input[std::size_t(i)]);
      if (one.member) m.*one.member = x;
      if (one.set) one.set(m, x);
    }
  }
  Sensors sensors() const {
    Sensors all{};
    for (int c = 0; c < channels; ++c) all[std::size_t(c)] = channel_of[std::size_t(c)].sensor;
    for (double& scale : all.input_scale) scale = 1;
    return all;
  }

 private:
  Parameter* add_parameter(const char* symbol, const char* unit, Range range) {
    if (!(range.high > range.low)) fault_ = "the range of a parameter must have a positive width";
    if (parameters == most_parameters) {
      fault_ = "too many parameters: set the second argument of Description";
      return nullptr;
    }
    Parameter& p = parameter_of[std::size_t(parameters++)];
    p.name = symbol, p.unit = unit, p.range = range;
    return &p;
  }
  Input* add_input(const char* symbol, const char* unit) {
    if (inputs == most_inputs) {
      fault_ = "too many inputs: set the fourth argument of Description";
      return nullptr;
    }
    Input& i = input_of[std::size_t(inputs++)];
    i.name = symbol, i.unit = unit;
    return &i;
  }
  static bool same(const char* a, const char* b) {
    for (; *a != 0 && *a == *b; ++a, ++b) {}
    return *a == *b;
  }

  const char* fault_ = nullptr;
};

}  // namespace moreau::identify
