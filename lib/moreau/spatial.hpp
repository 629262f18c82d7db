// Mechanisms in space: moreau/mechanism.hpp and all headers of spatial/, in reading order.
#pragma once

// clang-format off
#include "moreau/mechanism.hpp"
#include "moreau/spatial/point.hpp"
#include "moreau/spatial/free_body.hpp"
// clang-format on
