// The time a model is asked at: the midpoint of the step, reduced by the period of a prescribed periodic motion.
#pragma once

#include "moreau/model/contract.hpp"
#include "moreau/model/time.hpp"

namespace moreau {

template <class Model, class Real>
Real reduced(const Model& model, Real t) {
  if constexpr (Contract<Model>::has_period) {
    const Real T = model.period();
    const Real turns = t / T;
    if (!(T > Real(0)) || !(turns > Real(-2e9) && turns < Real(2e9))) return t;
    std::int32_t whole = static_cast<std::int32_t>(turns);
    if (Real(whole) > turns) --whole;
    return t - Real(whole) * T;
  } else {
    return t;
  }
}

template <class Model, class Real>
Real model_time(const Model& model, const Time<Real>& time) {
  return reduced(model, time.midpoint());
}

}  // namespace moreau
