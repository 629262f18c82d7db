// Identification of a four-bar with three loose pins from encoders of crank and rocker and the coupler's acceleration.
//
//   four_bar record four_bar.csv       record of a simulated machine
//   four_bar check four_bar.csv
//   four_bar fit four_bar.csv
#include "four_bar.hpp"

#include <moreau/identify/commands.hpp>

#include "adaptive_record.hpp"

int main(int count, char** words) {
  using Machine = identification::FourBar;
  if (identification::writes_record<Machine>(count, words)) return 0;
  return moreau::identify::commands(Machine::description(), count, words);
}
