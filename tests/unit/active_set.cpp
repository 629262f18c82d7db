// The active set: closed contacts in ascending order, stored gaps, rejection of non-finite gaps.
#include <moreau/contact/active_set.hpp>
#include <moreau/model/require.hpp>

#include <limits>

#include "support/test.hpp"

namespace {

constexpr int n = 10;  // more than the unrolled loops support

struct Gaps {
  using Real = ::Real;
  static constexpr int dof = 1, contacts = n, tangents = 0;
  using Q = moreau::Vector<Real, 1>;
  Real value[n] = {};

  moreau::Matrix<Real, 1, 1> mass(const Q&, Real) const { return Q(1); }
  Q force(const Q&, const Q&, Real) const { return Q(0); }
  Real gap(int i, const Q&, Real) const { return value[i]; }
  moreau::Directions<Real, 1, 0> directions(int, const Q&, Real) const { return {}; }
  moreau::ContactLaw<Real> law(int) const { return {}; }
};

static_assert(moreau::detail::RequireModel<Gaps>::met);

const Gaps::Q q(0);

bool find(const Gaps& model, moreau::detail::ActiveSet<Gaps>& H) {
  return H.find(moreau::detail::Evaluation<Gaps>(model, q, Real(0)));
}

}  // namespace

void test_closed_contacts_are_listed_in_order(void) {
  Gaps model;
  for (int i = 0; i < n; ++i) model.value[i] = i % 3 == 1 ? Real(-1e-3) : Real(i + 1);
  moreau::detail::ActiveSet<Gaps> H;
  CHECK(find(model, H));
  CHECK_EQUAL(3, H.k);
  for (int i = 0; i < 3; ++i) CHECK_EQUAL(3 * i + 1, +H.contact[std::size_t(i)]);
  for (int i = 0; i < n; ++i) {
    CHECK_EQUAL(i % 3 == 1, H.closed(i));
    CHECK_EQUAL(model.value[i], H.gap_M(i));
  }
}

void test_gap_of_zero_is_closed_with_either_sign(void) {
  Gaps model;
  for (int i = 0; i < n; ++i) model.value[i] = 1;
  model.value[2] = Real(0);
  model.value[7] = -Real(0);
  model.value[8] = std::numeric_limits<Real>::denorm_min();
  moreau::detail::ActiveSet<Gaps> H;
  CHECK(find(model, H));
  CHECK_EQUAL(2, H.k);
  CHECK(H.closed(2) && H.closed(7) && !H.closed(8));
}

void test_second_search_is_independent_of_the_first(void) {
  Gaps all_closed, all_open;
  for (int i = 0; i < n; ++i) all_closed.value[i] = -1, all_open.value[i] = 1;
  moreau::detail::ActiveSet<Gaps> H;
  CHECK(find(all_closed, H));
  CHECK_EQUAL(n, H.k);
  CHECK(find(all_open, H));
  CHECK_EQUAL(0, H.k);
}

void test_non_finite_gap_is_rejected(void) {
  const Real infinite = std::numeric_limits<Real>::infinity();
  for (const Real bad : {std::numeric_limits<Real>::quiet_NaN(), infinite, -infinite}) {
    for (int i = 0; i < n; ++i) {
      Gaps model;
      model.value[i] = bad;
      moreau::detail::ActiveSet<Gaps> H;
      CHECK(!find(model, H));
    }
  }
}

TEST_MAIN({
  TEST(test_closed_contacts_are_listed_in_order);
  TEST(test_gap_of_zero_is_closed_with_either_sign);
  TEST(test_second_search_is_independent_of_the_first);
  TEST(test_non_finite_gap_is_rejected);
})
