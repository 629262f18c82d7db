// Mechanisms built from parts: moreau.hpp and all headers of joints/ and mechanism/, in reading order. A hand-derived
// model that needs only the joints includes the headers of joints/ instead.
#pragma once

// clang-format off
#include "moreau/moreau.hpp"
#include "moreau/joints/plane.hpp"
#include "moreau/joints/joint_contact.hpp"
#include "moreau/joints/prismatic_clearance.hpp"
#include "moreau/joints/revolute_clearance.hpp"
#include "moreau/joints/slot_clearance.hpp"
#include "moreau/joints/point_on_line.hpp"
#include "moreau/joints/point_on_curve.hpp"
#include "moreau/joints/point_on_polygon.hpp"
#include "moreau/joints/backlash.hpp"
#include "moreau/mechanism/body.hpp"
#include "moreau/mechanism/ideal_joints.hpp"
#include "moreau/mechanism/drives.hpp"
#include "moreau/mechanism/forces.hpp"
#include "moreau/mechanism/one_sided_forces.hpp"
#include "moreau/mechanism/parts.hpp"
#include "moreau/mechanism/reserved_names.hpp"
#include "moreau/mechanism/spelling.hpp"
#include "moreau/mechanism/require.hpp"
#include "moreau/mechanism/parts_list.hpp"
#include "moreau/mechanism/mechanism.hpp"
#include "moreau/mechanism/part_of.hpp"
#include "moreau/mechanism/joint_output.hpp"
#include "moreau/step/close_joints.hpp"
// clang-format on
