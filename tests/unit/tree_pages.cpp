// Pages of runs and variables of test benches in joint coordinates show the same motion as those of the bodies.
#include <moreau/bench/mechanism.hpp>
#include <moreau/mechanism.hpp>
#include <moreau/workstation/pose_source.hpp>

#include "models/slider_crank_parts.hpp"
#include "support/joint_coordinates.hpp"
#include "support/test.hpp"

namespace {

using namespace moreau;
using Parts = models::SliderCrankParts<double>;
using Bodies = test::BodiesOf<Parts>;
using Tree = Mechanism<Parts>;
constexpr double rounding = 1e-13;

struct Both {
  models::SliderCrank<double> hand;
  Tree tree{Parts(hand)};
  Bodies bodies = test::in_bodies(tree);
  State<Tree> same = models::from_angles(hand, hand.start_tilted().q, hand.start_tilted().u);
  State<Bodies> state = test::in_bodies(tree, same);
};

void test_pages_show_the_same_motion(void) {
  const Both both;
  const workstation::PoseSource<Bodies> expected(both.bodies);
  const workstation::PoseSource<Tree> actual(both.tree);
  const auto one = expected.poses(both.state.q, 0), other = actual.poses(both.same.q, 0);
  CHECK_EQUAL(one.nominal.size(), other.nominal.size());
  for (std::size_t i = 0; i < one.nominal.size(); ++i) {
    CHECK_WITHIN(rounding, one.nominal[i], other.nominal[i]);
    CHECK_WITHIN(rounding, one.deviation[i], other.deviation[i]);
  }
  const auto gaps = expected.gaps(both.state.q, 0), gaps_in_tree = actual.gaps(both.same.q, 0);
  CHECK_EQUAL(std::size_t(4), gaps_in_tree.size());
  for (std::size_t i = 0; i < 4; ++i) CHECK_WITHIN(rounding, gaps[i], gaps_in_tree[i]);
  CHECK_WITHIN(rounding * 1000, expected.energy(both.state.q, both.state.u, 0),
               actual.energy(both.same.q, both.same.u, 0));
  const auto curves = actual.curves({}, {"crank", "rod", "slider"});
  CHECK_EQUAL(std::size_t(3), curves.size());
}

void test_variables_of_bodies(void) {
  const Both both;
  const StepReport<double> report;
  const bench::Record<Tree> record{both.tree, both.same, both.same, report};
  const auto slider = bench::detail::body_of<Parts::slider>(record);
  CHECK_WITHIN(rounding, both.state.q(6), slider.frame.r.x);
  CHECK_WITHIN(rounding, both.state.q(8), slider.frame.phi);
  CHECK_WITHIN(rounding * 100, both.state.u(7), slider.v.y);
}

}  // namespace

TEST_MAIN(TEST(test_pages_show_the_same_motion) TEST(test_variables_of_bodies))
