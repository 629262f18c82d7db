// Identification of a gear drive: backlash, friction and inertia from motor torque and motor encoder.
//
//   gear_drive record gear_drive.csv       record of a simulated machine
//   gear_drive check gear_drive.csv
//   gear_drive fit gear_drive.csv
#include "gear_drive.hpp"

#include <moreau/identify/commands.hpp>

#include "adaptive_record.hpp"

int main(int count, char** words) {
  using Machine = identification::GearDrive;
  if (identification::writes_record<Machine>(count, words)) return 0;
  return moreau::identify::commands(Machine::description(), count, words);
}
