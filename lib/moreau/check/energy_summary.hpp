// Energy balance of a run: the sum of its audited steps, with a test for repeated energy gain in the contacts.
//
//   gained       sum of D over the steps with D > 0, in the notation of check/energy_audit.hpp
//   dissipated   sum of -D over the steps with D < 0
//   exchanged    sum of |change of the kinetic energy| over all steps
//   gain         gained > share (dissipated + exchanged),   share = 1 %
//
// In a single step, rotation of the contact directions makes D uncertain, so the test of the step permits a gain up to
// this uncertainty. Over a run, the gains due to rotation are of second order in dt. The test of the run therefore
// permits only 1 % of the converted energy, dissipated + exchanged. Both sides of the comparison grow with the length
// of the run.
//
//   moreau::EnergySummary<double> energy;
//   for (int n = 0; n < steps; ++n) energy.add(moreau::audited_step(machine, dt).energy);
//   if (energy.gain()) ...      // dt is too long for the play, or Newton's restitution with friction creates energy
#pragma once

#include "moreau/check/energy_audit.hpp"

namespace moreau {

// Sums of the energies of a run.
template <class Real>
class EnergySummary {
 public:
  Real gained = Real(0);      // J
  Real dissipated = Real(0);  // J
  Real exchanged = Real(0);   // J
  int steps_with_gain = 0;    // steps whose gain exceeds the tolerance of a single step

  // Largest permitted ratio of `gained` to the converted energy. tests/benchmarks/REACH.md lists shares of runs with a
  // short and a long dt.
  static constexpr Real share = Real(0.01);

  // Adds the next step of the run.
  void add(const typename AuditedStep<Real>::Energy& step) {
    if (step.in_contacts > Real(0))
      gained += step.in_contacts;
    else
      dissipated -= step.in_contacts;
    if (any_) exchanged += detail::absolute(step.kinetic - kinetic_);
    kinetic_ = step.kinetic;
    any_ = true;
    steps_with_gain += step.gain;
  }

  // Returns true if the contacts repeatedly create energy, or after a step with NaN.
  bool gain() const { return !(gained <= share * (dissipated + exchanged)); }

 private:
  Real kinetic_ = Real(0);  // J, at the end of the last step
  bool any_ = false;
};

}  // namespace moreau
