// Faults injected into a model with all optional members, for every kind of step that accepts it (injection.hpp);
// states restored from bytes with a correct checksum and wrong numbers.
#include "injection.hpp"

namespace {

using moreau::Timing;

// A sledge (x, y) is pulled over a hilly road towards a swinging wall. A wheel c optionally rubs on the wall, and a
// shaft d is coupled to the wheel.
template <bool rubs>
struct Sledge {
  using Real = ::Real;
  static constexpr int dof = 4, contacts = 2, frictions = rubs ? 1 : 0, bilaterals = 1;
  static constexpr bool second_order = true, constant_mass = !rubs;
  using Q = moreau::Vector<Real, 4>;
  using M = moreau::Matrix<Real, 4, 4>;

  M mass(const Q&, Real) const {
    M m = Q(Real(2), Real(2), Real(0.5), Real(0.25)).asDiagonal();
    m(0, 2) = m(2, 0) = Real(0.125);
    return test::passed(test::mass, 0, m);
  }
  Q force(const Q& q, const Q& u, Real t) const {
    const Real drive = Real(4) * moreau::sin(Real(40) * t);
    return test::passed(test::force, 0, Q(drive - Real(30) * q(0), Real(-20), drive - u(2), Real(0)));
  }
  Real gap(int i, const Q& q, Real t) const {
    return test::passed(test::gap, i, i == 0 ? q(1) - road(q).sin : wall(t).sin + Real(0.02) - q(0));
  }
  moreau::Directions<Real, 4> directions(int i, const Q& q, Real t) const {
    moreau::Directions<Real, 4> d;
    if (i == 0) {
      const Real slope = road(q).cos;
      d.w_N = Q(-slope, Real(1), Real(0), Real(0));
      d.w_T = Q(Real(1), slope, Real(0), Real(0));
    } else {
      d.w_N = Q(Real(-1), Real(0), Real(0), Real(0));
      d.w_T = Q(Real(0), Real(1), Real(0), Real(0));
      d.zeta_N = Real(40) * wall(t).cos;
    }
    return test::passed(test::directions, i, d);
  }
  moreau::ContactBias<Real> contact_bias_acceleration(int i, const Q& q, const Q& u, Real t) const {
    moreau::ContactBias<Real> bias;
    if (i == 0) {
      const Real bend = Real(400) * road(q).sin;
      bias.N = bend * u(0) * u(0), bias.T = -bend * u(0) * u(1);
    } else {
      bias.N = Real(-1600) * wall(t).sin;
    }
    return test::passed(test::contact_bias, i, bias);
  }
  moreau::ContactLaw<Real> law(int i) const {
    return test::passed(test::law, i, moreau::ContactLaw<Real>{Real(0.25), Real(0), Real(0.125)});
  }
  Real mu(int i, Real v) const { return test::passed(test::mu, i, Real(0.125) + Real(0.1) / (Real(1) + v)); }
  Real allowed_penetration(int i) const { return test::passed(test::allowed_penetration, i, Real(1e-5)); }
  moreau::Bilateral<Real, 4> bilateral(int, const Q& q, Real) const {
    moreau::Bilateral<Real, 4> row;
    row.w = Q(Real(0), Real(0), Real(1), Real(-1));
    row.g = q(2) - q(3);
    return test::passed(test::bilateral, 0, row);
  }
  Real bias_acceleration(int, const Q&, const Q&, Real) const {
    return test::passed(test::bias_acceleration, 0, Real(0));
  }
  Q wrap(const Q& q) const {
    const Real turn = moreau::select(q(2) > Real(0.25), Real(0.25), Real(0));
    return test::passed(test::wrap, 0, Q(q(0), q(1), q(2) - turn, q(3) - turn));
  }
  Real period() const { return Real(6.28318530717958647692) / Real(40); }  // read by set_state

 private:
  static moreau::SinCos<Real> road(const Q& q) {
    const auto a = moreau::sincos(Real(20) * q(0));
    return {Real(0.002) * a.sin, Real(0.04) * a.cos};
  }
  static moreau::SinCos<Real> wall(Real t) {
    const auto a = moreau::sincos(Real(40) * t);
    return {Real(0.01) * a.sin, Real(0.01) * a.cos};
  }
};
struct Free : Sledge<false> {};
struct Rubbing : Sledge<true> {
  Real friction_bound(int, const Q&, Real) const { return test::passed(test::bound, 0, Real(0.5)); }
  moreau::FrictionDirections<Real, 4> friction_directions(int, const Q&, Real) const {
    moreau::FrictionDirections<Real, 4> d;
    d.w = Q(Real(1), Real(0), Real(-0.1), Real(0));
    return test::passed(test::rubbing, 0, d);
  }
};

constexpr Real dt = Real(2e-4);

template <class Model>
moreau::State<Model> start() {
  moreau::State<Model> state;
  state.u = typename Model::Q(Real(0.5), Real(-0.1), Real(3), Real(3));
  return state;
}
template <class Model, class Solver, Timing timing = Timing::variable>
void check(const char* name, const Solver& solver = Solver{}) {
  test::check_injected<Solver, timing>(name, Model{}, start<Model>(), dt, often(1000), solver);
}

}  // namespace

void test_exact(void) {
  check<Free, moreau::Exact>("Exact");
  check<Free, moreau::Exact, Timing::constant>("Exact, constant");
}
void test_lemke(void) { check<Rubbing, moreau::Lemke>("Lemke"); }
void test_psor(void) { check<Rubbing, moreau::Psor>("Psor"); }
void test_sweeps(void) { check<Rubbing, moreau::Sweeps, Timing::constant>("Sweeps, constant", moreau::Sweeps{50}); }
void test_newton(void) {
  check<Rubbing, moreau::Newton>("Newton");
  check<Rubbing, moreau::Newton, Timing::constant>("Newton, constant", moreau::Newton{8, 2});
}

// Bytes of a state, some of them corrupted, with a correct checksum: restored as any other state, but with numbers
// that no step has computed.
template <class Stepper>
void check_restored(std::uint64_t seed) {
  using Model = typename Stepper::Model;
  constexpr auto size = moreau::State<Model>::bytes, head = moreau::detail::header_size,
                 tail = moreau::detail::checksum_size;
  test::Random random(seed);
  Stepper stepper{Model{}, start<Model>()};
  for (int n = 0; n < 150; ++n) CHECK(stepper.step(dt).advanced());
  const auto kept = stepper.state;
  const auto next = [&] {
    stepper.state = kept;
    const auto report = stepper.step(dt);
    CHECK(report.advanced());
    return test::saved(stepper.state);
  }();
  int not_taken = 0, refused = 0, advanced = 0;
  for (int n = 0; n < often(1000); ++n) {
    auto bytes = test::saved(kept);
    for (auto times = 1 + random.bits() % 4; times > 0; --times) {
      const auto at = static_cast<std::size_t>(random.bits() % (size - head - tail));
      bytes[head + at] = static_cast<std::uint8_t>(random.bits());
      moreau::detail::ByteWriter number{bytes.data() + head + at % (2 * Model::dof + 2) * sizeof(Real)};
      if (random.bits() % 2 == 0) number(test::bad_number(random));  // q, u, t0 or dt
    }
    moreau::detail::ByteWriter write{bytes.data() + size - tail};
    write.raw(moreau::detail::crc32(bytes.data(), size - tail));
    stepper.state = kept;
    moreau::State<Model> restored;
    CHECK(restored.restore(bytes.data(), size) == moreau::Status::ok);
    CHECK(test::saved(restored) == bytes);
    if (stepper.set_state(restored).status != moreau::Status::ok) {
      ++not_taken;
      CHECK(test::saved(stepper.state) == test::saved(kept));
      continue;
    }
    const auto report = stepper.step(dt);
    if (report.advanced()) {
      ++advanced;
      test::each_number(stepper.state, [](Real& x) { CHECK(test::is_number(x)); });
    } else {
      ++refused;
      CHECK(report.cause != moreau::Cause::none);
      CHECK(test::saved(stepper.state) == bytes);
    }
    stepper.state = kept;
    CHECK(stepper.step(dt).advanced());
    CHECK(test::saved(stepper.state) == next);
  }
  CHECK(not_taken > 0 && advanced > 0);
  moreau::port::print(not_taken, " not restored, ", refused, " rejected, ", advanced, " advanced");
}

void test_states_from_corrupted_bytes(void) {
  check_restored<moreau::Stepper<Free, moreau::Exact>>(1);
  check_restored<moreau::Stepper<Free, moreau::Exact, Timing::constant>>(2);
  check_restored<moreau::Stepper<Rubbing, moreau::Psor>>(3);
}

TEST_MAIN({
  TEST(test_exact);
  TEST(test_lemke);
  TEST(test_psor);
  TEST(test_sweeps);
  TEST(test_newton);
  TEST(test_states_from_corrupted_bytes);
})
