// Mechanisms in space: moreau/mechanism.hpp and all headers of spatial/, in reading order.
#pragma once

// clang-format off
#include "moreau/mechanism.hpp"
#include "moreau/spatial/point.hpp"
#include "moreau/spatial/free_body.hpp"
#include "moreau/spatial/body_state.hpp"
#include "moreau/spatial/ground.hpp"
#include "moreau/spatial/joint_contact.hpp"
#include "moreau/spatial/ideal_joints.hpp"
#include "moreau/spatial/friction.hpp"
#include "moreau/spatial/drives.hpp"
#include "moreau/spatial/forces.hpp"
#include "moreau/spatial/contact_rates.hpp"
#include "moreau/spatial/ball_contacts.hpp"
#include "moreau/spatial/cylindrical_clearance.hpp"
#include "moreau/spatial/face_clearance.hpp"
#include "moreau/spatial/geometry.hpp"
#include "moreau/spatial/poses.hpp"
#include "moreau/spatial/principal.hpp"
#include "moreau/spatial/spanning_tree.hpp"
#include "moreau/spatial/tree_kinematics.hpp"
#include "moreau/spatial/tree_dynamics.hpp"
#include "moreau/spatial/tree_rows.hpp"
#include "moreau/spatial/tree_poses.hpp"
#include "moreau/spatial/joint_output.hpp"
// clang-format on
