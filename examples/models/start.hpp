// Initial coordinates and velocities of a model, as returned by its start() functions.
#pragma once
#include <moreau/joints/plane.hpp>
#include <moreau/moreau.hpp>

namespace models {

template <class Real, int dof>
struct Start {
  moreau::Vector<Real, dof> q, u;
};

// State at t = 0 with the given coordinates and velocities.
template <class Model>
moreau::State<Model> state_at(const Start<typename Model::Real, Model::dof>& start) {
  moreau::State<Model> state{};
  state.q = start.q;
  state.u = start.u;
  return state;
}

}  // namespace models
