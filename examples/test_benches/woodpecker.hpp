// Woodpecker as a test bench: a model derived by hand, with a list of variables written by hand.
#pragma once
#include <moreau/bench/bench.hpp>

#include "../models/woodpecker.hpp"

namespace bench = moreau::bench;

struct WoodpeckerBench {
  using Model = models::Woodpecker<double>;
  static constexpr double dt = 1e-5;  // s

  static double energy(const Model& model, const moreau::State<Model>& state) { return model.energy(state.q, state.u); }

  static constexpr auto variables =
      bench::variables(bench::input<&Model::gravity>("m/s2", 0, 20), bench::parameter<&Model::mu>("1", 0, 1),
                       bench::parameter<&Model::eps_beak>("1", 0, 1), bench::parameter<&Model::m_S>("kg", 1e-4, 1e-2),
                       bench::parameter<&Model::r_M>("m", 2.6e-3, 5e-3),  // the initial state depends on it
                       bench::coordinate<0>("y", "m"), bench::coordinate<1>("phi_M", "rad"),
                       bench::coordinate<2>("phi_S", "rad"), bench::contact<0>("beak"), bench::contact<1>("lower_edge"),
                       bench::contact<2>("upper_edge"), bench::output<&energy>("J"));

  static moreau::State<Model> start(const Model& model) { return models::state_at<Model>(model.start()); }
};
