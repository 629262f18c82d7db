// Identification of the woodpecker toy: play, restitution, friction and spring from height and angle.
//
//   woodpecker record woodpecker.csv       record of a simulated machine
//   woodpecker check woodpecker.csv
//   woodpecker fit woodpecker.csv
#include "woodpecker.hpp"

#include <moreau/identify/commands.hpp>

#include "adaptive_record.hpp"

int main(int count, char** words) {
  using Machine = identification::Woodpecker;
  if (identification::writes_record<Machine>(count, words)) return 0;
  return moreau::identify::commands(Machine::description(), count, words);
}
