// Bench as a WebAssembly module of a page: the same Plant as behind the C interface and the FMUs, with frames for the
// drawing of the report. module.cpp.in exports the functions.
//
// A frame is an array of doubles, in this order:
//
//   t | pose of every body without clearance: x, y, phi | effect of clearance: x, y, phi of every body
//   | of every contact: gap, P_N, state (1 closed, 2 stuck, added), P_T in every tangent
//
// P_N and P_T are sums over the steps since the last frame, the state is the union. Nothing is allocated after the
// start.
#pragma once
#include <moreau/bench/plant.hpp>
#include <moreau/workstation/pose_functions.hpp>

#include <new>

namespace moreau::playground {

template <class Bench>
class Module {
  using Plant = bench::Plant<Bench>;
  using Model = typename Plant::Model;
  using T = Traits<Model>;
  using Functions = workstation::PoseFunctions<Model>;
  static constexpr std::size_t columns = Functions::columns, contacts = std::size_t(T::contacts),
                               tangents = std::size_t(T::tangents), of_contact = 3 + tangents;

 public:
  static constexpr std::size_t frame_size = 1 + 2 * columns + contacts * of_contact;
  double frame[frame_size] = {};
  double inexact = 0;  // number of inexact steps since the start

  Module() : functions_(plant_.snapshot().model) { fill_frame(); }

  int set(int i, double value) {
    const auto a = plant_.set(i, value);
    renew_functions();
    return int(a);
  }
  double get(int i) const {
    double value = 0;
    (void)plant_.get(i, value);
    return value;
  }
  void reset() {
    plant_.reset();
    renew_functions();
    inexact = 0;
    clear();
    fill_frame();
  }
  int restart() {
    const auto a = plant_.restart();
    inexact = 0;
    clear();
    fill_frame();
    return int(a);
  }
  // Performs n steps of dt at most; returns the number of steps that advanced. An invalid dt gives the status of a step.
  int advance(int n, double dt) {
    int done = 0;
    for (; done < n; ++done) {
      const auto a = plant_.step(dt);
      if (!bench::advanced(a)) break;
      if (a == bench::Answer::inexact) ++inexact;
      add_step();
    }
    fill_frame();
    return done;
  }
  int status() const { return int(plant_.report().status); }
  int cause() const { return int(plant_.report().cause); }
  int index() const { return plant_.report().index; }

  // Returns 32 bits of a hash of q, u and the percussions of all n steps of the bench's own dt.
  unsigned hash_of_steps(int n) {
    std::uint64_t hash = 14695981039346656037u;  // FNV-1a
    const auto add = [&hash](const auto& values) {
      const auto* bytes = reinterpret_cast<const unsigned char*>(values.data());
      for (std::size_t k = 0; k < sizeof(values.coeff(0)) * std::size_t(values.size()); ++k)
        hash = (hash ^ bytes[k]) * 1099511628211u;
    };
    for (int k = 0; k < n && bench::advanced(plant_.step()); ++k) {
      add(plant_.state().q), add(plant_.state().u);
      if constexpr (contacts > 0) add(plant_.state().P_N);
      if constexpr (contacts > 0 && tangents > 0) add(plant_.state().P_T);
    }
    return unsigned(hash ^ hash >> 32);
  }

 private:
  double* contact(std::size_t i) { return frame + 1 + 2 * columns + i * of_contact; }
  void clear() {
    fresh_ = false;
    for (std::size_t i = 0; i < contacts; ++i)
      for (std::size_t k = 1; k < of_contact; ++k) contact(i)[k] = 0;
  }
  void add_step() {
    if (!fresh_) clear();
    fresh_ = true;
    const auto& state = plant_.state();
    for (std::size_t i = 0; i < contacts; ++i) {
      const int n = int(i);
      contact(i)[1] += double(state.P_N.coeff(n));
      const bool closed = state.sigma_N[i] == 0, stuck = closed && state.sigma_T[i] == 0;
      contact(i)[2] = double(int(contact(i)[2]) | (closed ? 1 : 0) | (stuck ? 2 : 0));
      for (std::size_t k = 0; k < tangents; ++k) contact(i)[3 + k] += double(state.P_T.coeff(int(k), n));
    }
  }
  void fill_frame() {
    const auto& state = plant_.state();
    fresh_ = false;
    frame[0] = double(state.clock.t0) + double(state.clock.n) * double(state.clock.dt);
    const auto poses = functions_.poses(state.q.template cast<double>(), frame[0]);
    for (std::size_t k = 0; k < columns; ++k) {
      frame[1 + k] = poses.nominal[k];
      frame[1 + columns + k] = poses.deviation[k];
    }
    const auto gaps = functions_.gaps(state.q, frame[0]);
    for (std::size_t i = 0; i < contacts; ++i) contact(i)[0] = gaps[i];
  }
  // The poses without clearance depend on the parameters.
  void renew_functions() {
    functions_.~Functions();
    new (&functions_) Functions(plant_.snapshot().model);
  }

  Plant plant_;
  Functions functions_;
  bool fresh_ = false;  // steps were added since the last frame
};

}  // namespace moreau::playground
