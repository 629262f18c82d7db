// Record of a simulated machine: length and rate.
#pragma once
#include <moreau/identify/description.hpp>

#include <algorithm>
#include <cmath>
#include <vector>

namespace identification {

// Length and rate of a record.
struct Plan {
  double duration, sample;  // s
  double before = 0;        // s, time of the machine before the first row
  double noise = 1;         // relative to the noise of the sensors
};

}  // namespace identification
