// Identification of a slider-crank: play, friction and inertia from encoder, position and accelerations.
//
//   slider_crank record slider_crank.csv       record of a simulated machine
//   slider_crank check slider_crank.csv
//   slider_crank fit slider_crank.csv
#include "slider_crank.hpp"

#include <moreau/identify/commands.hpp>

#include "adaptive_record.hpp"

int main(int count, char** words) {
  using Machine = identification::SliderCrank;
  if (identification::writes_record<Machine>(count, words)) return 0;
  return moreau::identify::commands(Machine::description(), count, words);
}
