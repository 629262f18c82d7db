// The library on the systems of all peers: its rows of the page.
#include "four_bar.hpp"
#include "probes.hpp"

#include "models/slider_crank_parts.hpp"

namespace {

template <class Solver, moreau::Timing timing = moreau::Timing::variable>
void crank(const char* settings) {
  peers::race_crank({"moreau", settings}, [](const peers::Crank& model, const peers::CrankStart& start, double) {
    return moreau::Stepper<peers::Crank, Solver, timing>{model, models::state_at<peers::Crank>(start)};
  });
}

// The angles of a mechanism from parts, under the names of the hand-derived model.
struct CrankFromParts {
  using Parts = models::SliderCrankFromParts<double>;
  moreau::Stepper<Parts> stepper;
  peers::Crank model{};
  struct Angles {
    const moreau::State<Parts>& of;
    double q(int i) const { return of.q(3 * i + 2); }
    double u(int i) const { return of.u(3 * i + 2); }
  } state{stepper.state};
  auto step(double h) { return stepper.step(h); }
};

}  // namespace

int main(int count, char** words) {
  peers::read_arguments(count, words);
  crank<moreau::Exact>("Exact");
  crank<moreau::Exact, moreau::Timing::constant>("Exact, constant time");
  crank<moreau::Lemke>("Lemke");
  peers::race_crank({"moreau", "Exact, from parts"}, [&](const peers::Crank& model, const peers::CrankStart& start,
                                                         double) {
    return CrankFromParts{moreau::Stepper{CrankFromParts::Parts{model}, models::from_angles(model, start.q, start.u)}};
  });
  peers::probe({"moreau", "Exact"}, [](const peers::Block& block, const peers::BlockStart& start, double) {
    return moreau::Stepper{block, models::state_at<peers::Block>(start)};
  });
  peers::race_woodpecker({"moreau", "Exact"},
                         [](const peers::Woodpecker& toy, const peers::WoodpeckerStart& start, double) {
                           return moreau::Stepper{toy, models::state_at<peers::Woodpecker>(start)};
                         });
  peers::race_four_bar(
      {"moreau", "Exact, from parts"},
      [](double) {
        using Parts = peers::FourBar::Parts;
        return moreau::Stepper{Parts{}, models::four_bar_start<Parts>(peers::FourBar::speed)};
      },
      2);
  peers::race_four_bar({"moreau", "Exact, seven coordinates"}, [](double) {
    return moreau::Stepper{peers::FourBar{}, peers::FourBar::start()};
  });
}
