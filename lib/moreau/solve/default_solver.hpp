// The solver a stepper takes when none is named: planar friction up to 8 contacts Exact, up to 16 prox iteration with
// Lemke behind it, above that and in space the prox iteration alone.
#pragma once

#include "moreau/model/traits.hpp"
#include "moreau/solve/cascade.hpp"
#include "moreau/solve/exact.hpp"
#include "moreau/solve/psor.hpp"

namespace moreau {

template <class Model>
using default_solver =
    std::conditional_t<Traits<Model>::tangents == 2 ||
                           (Traits<Model>::frictions > 0 && Traits<Model>::friction_dim == 2) ||
                           (Traits<Model>::contacts > 16),
                       Psor, std::conditional_t<(Traits<Model>::contacts > 8), Cascade<Psor, Lemke>, Exact>>;

}  // namespace moreau
