// What a model can lack or mistype, in the order in which it is looked for.
#pragma once

namespace moreau {

enum class Fault {
  none,
  parts_list,
  real,
  dof,
  contacts,
  tangents,
  frictions,
  bilaterals,
  at,
  mass,
  force,
  gap,
  directions,
  law,
  mu,
  depth,
  friction_bound,
  friction_directions,
  bilateral,
  bend,
  wrap,
  period
};

}  // namespace moreau
