// The function of a parameter takes neither the model nor the start.
// Expected message: a parameter needs set(Model&, double) or set(State<Model>&, double)
#include <moreau/study/study.hpp>

#include "studies/swing.hpp"

void declare(moreau::study::Study<Swing>& study);
void declare(moreau::study::Study<Swing>& study) {
#ifdef MISTAKE
  study.parameter("c", "N/m", moreau::study::uniform(1, 2), [](double) {});
#else
  study.parameter("c", "N/m", moreau::study::uniform(1, 2), [](Swing& model, double c) { model.stiffness = c; });
#endif
}
