// Serialisation of a state: restored bytes are bit-identical, and foreign or damaged bytes are rejected without a
// change of the state.
#include "support/test.hpp"

#include <limits>
#include <moreau/moreau.hpp>
#include <type_traits>

#include "models/slider_crank.hpp"
#include "models/woodpecker.hpp"
#include "support/saved.hpp"

namespace {

using Model = models::Woodpecker<Real>;
using State = moreau::State<Model>;
using Other = std::conditional_t<sizeof(Real) == 4, double, float>;

// State with non-default values in every field: contacts closed, percussions and sigma set, time counted.
const State& used_state() {
  static State state;
  if (state.clock.n != 0) return state;
  moreau::Stepper<Model> toy(Model{}, models::state_at<Model>(Model{}.start()));
  for (int i = 0; i < 100; ++i) CHECK(toy.step(Real(1e-4)).advanced());
  state = toy.state;
  CHECK(state.P_N.sum() > Real(0));
  return state;
}

}  // namespace

void test_round_trip(void) {
  const auto bytes = test::saved(used_state());
  State copy;
  CHECK_EQUAL(moreau::Status::ok, copy.restore(bytes.data(), bytes.size()));
  CHECK(test::saved(copy) == bytes);
  CHECK(copy.q == used_state().q && copy.u == used_state().u && copy.P_N == used_state().P_N &&
        copy.P_T == used_state().P_T);
  CHECK(copy.clock.n == used_state().clock.n && copy.time() == used_state().time());
  CHECK(copy.sigma_N == used_state().sigma_N && copy.sigma_T == used_state().sigma_T);
}

void test_restored_state_continues_bit_identically(void) {
  moreau::Stepper<Model> straight(Model{}, used_state()), restored(Model{}, State{});
  const auto bytes = test::saved(used_state());
  CHECK_EQUAL(moreau::Status::ok, restored.state.restore(bytes.data(), bytes.size()));
  for (int i = 0; i < 50; ++i) CHECK(straight.step(Real(1e-4)).advanced() && restored.step(Real(1e-4)).advanced());
  CHECK(test::saved(straight.state) == test::saved(restored.state));
}

void test_special_values_are_preserved(void) {
  State odd;
  odd.q << -Real(0), std::numeric_limits<Real>::quiet_NaN(), std::numeric_limits<Real>::denorm_min();
  odd.clock.n = -3;
  const auto bytes = test::saved(odd);
  State copy;
  CHECK_EQUAL(moreau::Status::ok, copy.restore(bytes.data(), bytes.size()));
  CHECK(test::saved(copy) == bytes);
  CHECK_EQUAL(-3, copy.clock.n);
}

void test_every_flipped_bit_is_rejected(void) {
  auto bytes = test::saved(used_state());
  State state;
  const auto before = test::saved(state);
  for (std::size_t i = 0; i < bytes.size(); ++i) {
    for (int bit = 0; bit < 8; ++bit) {
      bytes[i] = static_cast<std::uint8_t>(bytes[i] ^ (1 << bit));
      CHECK_EQUAL(moreau::Status::invalid_argument, state.restore(bytes.data(), bytes.size()));
      bytes[i] = static_cast<std::uint8_t>(bytes[i] ^ (1 << bit));
    }
    CHECK(test::saved(state) == before);
  }
  CHECK_EQUAL(moreau::Status::ok, state.restore(bytes.data(), bytes.size()));
}

void test_wrong_size_is_rejected(void) {
  std::array<std::uint8_t, State::bytes + 1> bytes{};
  used_state().save(bytes.data());
  State state;
  const auto before = test::saved(state);
  for (std::size_t size = 0; size <= bytes.size(); ++size)
    if (size != State::bytes) CHECK_EQUAL(moreau::Status::invalid_argument, state.restore(bytes.data(), size));
  CHECK_EQUAL(moreau::Status::invalid_argument, state.restore(nullptr, State::bytes));
  CHECK(test::saved(state) == before);
}

template <class OtherModel>
void check_rejects() {
  static std::uint8_t bytes[1024] = {};
  static_assert(moreau::State<OtherModel>::bytes <= sizeof bytes && State::bytes <= sizeof bytes,
                "the buffer holds both");
  moreau::State<OtherModel>{}.save(bytes);
  State state = used_state();
  const auto before = test::saved(state);
  CHECK_EQUAL(moreau::Status::invalid_argument, state.restore(bytes, moreau::State<OtherModel>::bytes));
  CHECK_EQUAL(moreau::Status::invalid_argument, state.restore(bytes, State::bytes));
  CHECK(test::saved(state) == before);
}

void test_another_model_is_rejected(void) { check_rejects<models::SliderCrank<Real>>(); }

// Bytes of either scalar are restored bit-identically on every machine.
template <class R>
void check_numbers() {
  using limits = std::numeric_limits<R>;
  for (const R x : {R(-1.5), -R(0), limits::denorm_min(), limits::max(), -limits::infinity()}) {
    std::uint8_t bytes[sizeof(R)];
    moreau::detail::ByteWriter write{bytes};
    write(x);
    CHECK(write.at == bytes + sizeof(R));
    R back = R(7);
    moreau::detail::ByteReader read{bytes};
    read(back);
    CHECK(read.at == bytes + sizeof(R));
    CHECK(std::memcmp(&back, &x, sizeof(R)) == 0);
  }
}
void test_numbers_of_either_scalar(void) {
  check_numbers<float>();
  check_numbers<double>();
}

void test_another_scalar_is_rejected(void) { check_rejects<models::Woodpecker<Other>>(); }

void test_layout(void) {
  State state;
  state.q(0) = Real(1);
  const auto bytes = test::saved(state);
  const char tag[] = {'M', 'O', 'R', 'O'};
  for (std::size_t i = 0; i < 4; ++i) CHECK(bytes[i] == static_cast<std::uint8_t>(tag[i]));
  CHECK_EQUAL(sizeof(Real), bytes[5]);
  for (std::size_t i = 0; i < 4; ++i) CHECK_EQUAL(moreau::detail::fingerprint<Model> >> (8 * i) & 0xffu, bytes[12 + i]);
  // 1.0 little-endian: the sign and the exponent come last.
  CHECK_EQUAL(0x3f, bytes[16 + sizeof(Real) - 1]);
  CHECK_EQUAL(sizeof(Real) == 4 ? 0x80 : 0xf0, bytes[16 + sizeof(Real) - 2]);
}

void test_crc_check_value(void) {
  const std::uint8_t digits[] = {'1', '2', '3', '4', '5', '6', '7', '8', '9'};
  CHECK_EQUAL(0xCBF43926u, moreau::detail::crc32(digits, sizeof digits));
}

TEST_MAIN({
  TEST(test_round_trip);
  TEST(test_restored_state_continues_bit_identically);
  TEST(test_special_values_are_preserved);
  TEST(test_every_flipped_bit_is_rejected);
  TEST(test_wrong_size_is_rejected);
  TEST(test_another_model_is_rejected);
  TEST(test_numbers_of_either_scalar);
  TEST(test_another_scalar_is_rejected);
  TEST(test_layout);
  TEST(test_crc_check_value);
})
