// The function of a parameter changes a copy of the model.
// Expected message: a parameter is set in a copy: take the model or state by reference
#include <moreau/study/study.hpp>

#include "studies/swing.hpp"

void declare(moreau::study::Study<Swing>& study);
void declare(moreau::study::Study<Swing>& study) {
#ifdef MISTAKE
  study.parameter("c", "N/m", moreau::study::uniform(1, 2), [](Swing model, double c) { model.stiffness = c; });
#else
  study.parameter("c", "N/m", moreau::study::uniform(1, 2), [](Swing& model, double c) { model.stiffness = c; });
#endif
}
