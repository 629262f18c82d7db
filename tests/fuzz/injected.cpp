// Faults injected into runs of the slider-crank with at most two closed corners, for every kind of planar step
// (injection.hpp).
#include "injection.hpp"
#include "models/slider_crank.hpp"

namespace {

using moreau::Timing;

struct Crank : models::SliderCrank<Real> {
  using Base = models::SliderCrank<Real>;
  At at(const Vector& q, Real t) const { return Base::at(q, t); }
  Matrix mass(const At& s) const { return test::passed(test::mass, 0, Base::mass(s)); }
  Vector force(const At& s, const Vector& u) const { return test::passed(test::force, 0, Base::force(s, u)); }
  Real gap(int i, const At& s) const { return test::passed(test::gap, i, Base::gap(i, s)); }
  moreau::Directions<Real, 3> directions(int i, const At& s) const {
    return test::passed(test::directions, i, Base::directions(i, s));
  }
  moreau::ContactLaw<Real> law(int i) const { return test::passed(test::law, i, Base::law(i)); }
};

template <class Solver, Timing timing = Timing::variable>
void check(const char* name, const Solver& solver = Solver{}) {
  Crank crank;
  test::check_injected<Solver, timing>(name, crank, models::state_at<Crank>(crank.start_tilted()), Real(2e-5),
                                       often(1000), solver);
}

}  // namespace

void test_closed_forms(void) {
  check<moreau::ClosedForms>("ClosedForms");
  check<moreau::ClosedForms, Timing::constant>("ClosedForms, constant");
}
void test_exact(void) {
  check<moreau::Exact>("Exact");
  check<moreau::Exact, Timing::constant>("Exact, constant");
}
void test_lemke(void) { check<moreau::Lemke>("Lemke"); }
void test_psor(void) { check<moreau::Psor>("Psor"); }
void test_cascade(void) { check<moreau::Cascade<moreau::Exact, moreau::Psor>>("Cascade"); }
void test_sweeps(void) { check<moreau::Sweeps, Timing::constant>("Sweeps, constant", moreau::Sweeps{300}); }
void test_newton(void) {
  check<moreau::Newton>("Newton");
  check<moreau::Newton, Timing::constant>("Newton, constant", moreau::Newton{8, 2});
}

TEST_MAIN({
  TEST(test_closed_forms);
  TEST(test_exact);
  TEST(test_lemke);
  TEST(test_psor);
  TEST(test_cascade);
  TEST(test_sweeps);
  TEST(test_newton);
})
