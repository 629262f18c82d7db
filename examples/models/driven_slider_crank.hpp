// Slider-crank of slider_crank.hpp with a motor that drives its crank towards a constant speed: h_1 += k (Omega - u_1).
#pragma once
#include "slider_crank.hpp"

namespace models {

template <class R>
struct DrivenSliderCrank : EndlessSliderCrank<R> {
  using Real = R;
  using Base = EndlessSliderCrank<R>;
  using typename Base::At;
  using typename Base::Vector;

  Real Omega{150};  // target speed, rad/s
  Real k{0.05};     // gain, N m s/rad

  Vector force(const At& s, const Vector& u) const {
    Vector h = Base::force(s, u);
    h(0) += k * (Omega - u(0));
    return h;
  }
};

}  // namespace models
