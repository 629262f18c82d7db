// Plant and controller of a closed loop: a slider-crank and its speed controller. Each runs on a board or on the host.
//
//   plant        request: torque (N m)    answer: status, time, angle, speed, slider, play used, load in the guide
//   controller   request: speed (rad/s)   answer: torque (N m)
#pragma once
#include <moreau/bench/line.hpp>
#include <moreau/bench/mechanism.hpp>
#include <moreau/bench/plant.hpp>

#include "../../models/slider_crank_parts.hpp"

namespace box {

using moreau::bench::Frame;
using moreau::bench::number_at;
using moreau::bench::put_number;

struct Crank : models::SliderCrankParts<float> {
  moreau::Motor<float, moreau::ground, crank> motor;
  auto parts() const { return std::tie(bearing, crank_pin, wrist_pin, guide, gravity, motor); }
};

struct CrankBench {
  using Model = moreau::Mechanism<Crank>;
  static constexpr double dt = 1e-4;  // s

  static constexpr auto variables =
      moreau::bench::variables(moreau::bench::input<&Crank::motor, &decltype(Crank::motor)::torque>("N.m", -1, 1),
                               moreau::bench::mechanism<Crank, &Crank::bearing, &Crank::crank_pin, &Crank::wrist_pin,
                                                        &Crank::guide, &Crank::gravity, &Crank::motor>());

  static moreau::State<Model> start(const Model& model) {
    const models::SliderCrank<float> hand;
    return models::centred_at_angles(model, hand, hand.start().q, hand.start().u);
  }
};

class PlantWork {
  using Plant = moreau::bench::Plant<CrankBench>;
  using List = Plant::Table;
  static constexpr int input = List::find("motor.torque");
  static constexpr int outputs[] = {List::find("time"),     List::find("crank.phi"),       List::find("crank.omega"),
                                    List::find("slider.x"), List::find("guide.play_used"), List::find("guide.load_y")};

 public:
  void begin(const Frame&, Frame& answer) {
    plant_.reset();
    put_outputs(moreau::bench::Answer::ok, answer);
  }
  void step(const Frame& request, Frame& answer) {
    auto status = request.size == 4 ? plant_.set(input, static_cast<double>(number_at(request, 0)))
                                    : moreau::bench::Answer::wrong_size;
    if (status == moreau::bench::Answer::ok) status = plant_.step();
    put_outputs(status, answer);
  }

 private:
  void put_outputs(moreau::bench::Answer status, Frame& answer) const {
    put_number(answer, static_cast<float>(static_cast<int>(status)));
    for (const int i : outputs) {
      double value = 0;
      (void)plant_.get(i, value);
      put_number(answer, static_cast<float>(value));
    }
  }
  Plant plant_;
};

// PI controller of the speed, limited to +-1 N m.
class ControllerWork {
 public:
  void begin(const Frame&, Frame&) { integral_ = 0; }
  void step(const Frame& request, Frame& answer) {
    const float error = 120.0f - (request.size == 4 ? number_at(request, 0) : 0.0f);  // rad/s
    integral_ += 2e-5f * error;
    const float torque = 4e-3f * error + integral_;
    put_number(answer, torque > 1 ? 1.0f : (torque < -1 ? -1.0f : torque));
  }

 private:
  float integral_ = 0;
};

// Plant or controller. The first byte of a `begin` selects: 0 plant, 1 controller.
class EitherWork {
 public:
  void begin(const Frame& request, Frame& answer) {
    is_controller_ = request.size > 0 && request.payload[0] == 1;
    is_controller_ ? controller_.begin(request, answer) : plant_.begin(request, answer);
  }
  void step(const Frame& request, Frame& answer) {
    is_controller_ ? controller_.step(request, answer) : plant_.step(request, answer);
  }

 private:
  PlantWork plant_;
  ControllerWork controller_;
  bool is_controller_ = false;
};

}  // namespace box
