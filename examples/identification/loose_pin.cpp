// Identification of a loose pin: play, friction and mass from acceleration and force.
//
//   loose_pin record loose_pin.csv       record of a simulated machine
//   loose_pin check loose_pin.csv
//   loose_pin fit loose_pin.csv
#include "loose_pin.hpp"

#include <moreau/identify/commands.hpp>

#include "adaptive_record.hpp"

int main(int count, char** words) {
  using Machine = identification::LoosePin;
  if (identification::writes_record<Machine>(count, words)) return 0;
  return moreau::identify::commands(Machine::description(), count, words);
}
