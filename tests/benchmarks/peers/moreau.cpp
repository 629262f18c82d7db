// The library on the systems of all peers: its rows of the page.
#include "four_bar.hpp"
#include "probes.hpp"

#include "models/slider_crank_parts.hpp"
#include "support/second_order.hpp"

namespace {

// The hand-derived slider-crank with steps of first or second order.
template <template <class> class Rule, class Solver = moreau::Exact, moreau::Timing timing = moreau::Timing::variable>
auto crank_stepper() {
  return [](const peers::Crank& crank, const peers::CrankStart& start, double) {
    using Model = Rule<peers::Crank>;
    Model model;
    static_cast<peers::Crank&>(model) = crank;
    return moreau::Stepper<Model, Solver, timing>{model, models::state_at<Model>(start)};
  };
}
template <template <class> class Rule, class Solver, moreau::Timing timing = moreau::Timing::variable>
void crank(const char* settings) {
  peers::race_crank({"moreau", settings}, crank_stepper<Rule, Solver, timing>());
}
template <template <class> class Rule>
void woodpecker(const char* settings) {
  using Model = Rule<peers::Woodpecker>;
  peers::race_woodpecker({"moreau", settings},
                         [](const peers::Woodpecker&, const peers::WoodpeckerStart& start, double) {
                           return moreau::Stepper{Model{}, models::state_at<Model>(start)};
                         });
}
template <template <class> class Rule>
void four_bar(const char* settings) {
  peers::race_four_bar({"moreau", settings}, [](double) {
    using Model = Rule<peers::FourBar>;
    const auto start = peers::FourBar::start();
    moreau::State<Model> state;
    state.q = start.q, state.u = start.u;
    return moreau::Stepper{Model{}, state};
  });
}

// A mechanism from parts whose coordinates are those of a hand-derived model.
template <class Parts, class ByHand>
struct FromParts {
  moreau::Stepper<Parts> stepper;
  ByHand model{};
  struct Coordinates {
    const moreau::State<Parts>& of;
    double q(int i) const { return of.q[i]; }
    double u(int i) const { return of.u[i]; }
  } state{stepper.state};
  auto step(double h) { return stepper.step(h); }
};
using CrankFromParts = FromParts<models::SliderCrankFromParts<double>, peers::Crank>;
using FourBarFromParts = FromParts<peers::FourBar::Parts, peers::FourBar>;

}  // namespace

int main(int count, char** words) {
  peers::read_arguments(count, words);
  using test::First, test::Second;
  crank<First, moreau::Exact>("Exact");
  crank<Second, moreau::Exact>("Exact, second order");
  crank<First, moreau::Exact, moreau::Timing::constant>("Exact, constant time");
  crank<Second, moreau::Exact, moreau::Timing::constant>("Exact, second order, constant time");
  crank<First, moreau::Lemke>("Lemke");
  peers::race_crank(
      {"moreau", "Exact, from parts"}, [&](const peers::Crank& model, const peers::CrankStart& start, double) {
        using Parts = models::SliderCrankFromParts<double>;
        return CrankFromParts{moreau::Stepper{Parts{model}, models::from_angles(model, start.q, start.u)}};
      });
  peers::probe({"moreau", "Exact"}, [](const peers::Block& block, const peers::BlockStart& start, double) {
    return moreau::Stepper{block, models::state_at<peers::Block>(start)};
  });
  woodpecker<First>("Exact");
  woodpecker<Second>("Exact, second order");
  peers::race_four_bar({"moreau", "Exact, from parts"}, [](double) {
    using Parts = peers::FourBar::Parts;
    return FourBarFromParts{moreau::Stepper{Parts{}, models::four_bar_start<Parts>(peers::FourBar::speed)}};
  });
  four_bar<First>("Exact, seven coordinates");
  four_bar<Second>("Exact, seven coordinates, second order");
}
