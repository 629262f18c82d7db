// The slider-crank of FLG10 from a parts list (models/slider_crank_parts.hpp), compared with the model derived by hand:
// the motions agree within the error of the step. The output of the guide is read by the name of the part.
// Runs on: host, target
#include <moreau/port/console.hpp>

#include <cmath>

#include "models/slider_crank_figures.hpp"
#include "models/slider_crank_parts.hpp"
#include "page.hpp"

using Real = float;
using moreau::port::print;

constexpr auto crank = models::SliderCrankFromParts<Real>::angle_of<models::SliderCrankParts<Real>::crank>;

template <class Model>
bool write_page(const Model& model, const examples::Motion<Model>& motion) {
  const auto describe = [](auto& page) {
    page.subtitle = "example 31, in float";
    page.bodies = {"crank", "rod", "slider"};
    page.contacts = {"corner 1", "corner 2", "corner 3", "corner 4"};
    models::slider_crank_figures(page, {});
  };
  return examples::page("31_slider_crank_from_parts", "Slider-crank from parts, with play in its guide", model, motion,
                        describe);
}

int main() {
  const models::SliderCrank<Real> hand;
  moreau::Stepper derived{hand, models::state_at<models::SliderCrank<Real>>(hand.start())};
  moreau::Stepper parts{models::SliderCrankFromParts<Real>{models::SliderCrankParts<Real>{hand}},
                        models::from_angles(hand, hand.start().q, hand.start().u)};
  print("by hand ", sizeof derived, " bytes, from parts ", sizeof parts, " bytes");
  const Real h{1e-5};  // s
  examples::Motion motion{parts.state};
  Real lost{0};
  for (int n = 1; n <= 4000; ++n) {
    const auto before = parts.state;
    const auto report = motion.step(parts, h);
    if (!derived.step(h).advanced() || !report.advanced()) return 1;
    const auto guide = joint_output(parts.model, &models::SliderCrankParts<Real>::guide, before, parts.state);
    lost += guide.dissipated;
    if (n % 500 == 0)
      print("t ", parts.state.time(), " s  crank ", derived.state.q(0), " ", parts.state.q(crank),
            " rad  guide: eccentricity ratio ", guide.play_used, ", ",
            moreau::name(configuration(parts.model.guide, guide)), "  load ", guide.load.force.y, " N  dissipated ",
            lost, " J");
  }
  // The figures of the paper show two turns.
  const Real apart = std::abs(derived.state.q(0) - parts.state.q(crank));
  for (int n = 4000; n < 16000; ++n) {
    const auto report = motion.step(parts, h);
    if (!report.advanced()) return 1;
  }
  return write_page(parts.model, motion) && apart < Real(0.02) ? 0 : 1;  // rad, after half a turn
}
