// Samples: Philox against its known answers, Sobol points against Boost, Owen scrambling, Latin hypercubes, normal
// variates, distributions, and the order of the runs of a design.
#include <moreau/study/design.hpp>

#include <cmath>
#include <cstdio>
#include <numeric>
#include <set>
#include <vector>

#if __has_include(<boost/random/sobol.hpp>)
#include <boost/random/sobol.hpp>
#define HAVE_BOOST 1
#endif

#include "support/bits_hash.hpp"
#include "support/test.hpp"

using namespace moreau::study;
using Wide = long double;

// Known answers published by the authors of the generator.
void test_philox_gives_the_known_answers(void) {
  constexpr std::uint32_t ones = 0xffffffffu;
  CHECK((philox({0, 0, 0, 0}, 0) == Words{0x6627e8d5u, 0xe169c58du, 0xbc57ac4cu, 0x9b00dbd8u}));
  CHECK((philox({ones, ones, ones, ones}, ~std::uint64_t{0}) ==
         Words{0x408f276du, 0x41c83b0eu, 0xa20bc7c6u, 0x6d5451fdu}));
  CHECK((philox({0x243f6a88u, 0x85a308d3u, 0x13198a2eu, 0x03707344u}, 0x299f31d0a4093822u) ==
         Words{0xd16cfe09u, 0x94fdccebu, 0x5001e420u, 0x24126ea1u}));
}

void test_units_lie_between_0_and_1(void) {
  CHECK(unit(0) > 0 && unit(0) < 0x1p-52);
  CHECK(unit(~std::uint64_t{0}) < 1);
  CHECK_EQUAL(1.0, unit(0) + unit(~std::uint64_t{0}));
}

void test_sobol_points_equal_those_of_boost(void) {
#ifdef HAVE_BOOST
  const Sobol sobol;
  boost::random::sobol theirs(Sobol::most_dimensions);
  for (int d = 0; d < Sobol::most_dimensions; ++d) CHECK(sobol(0, d) == 0);  // Boost omits this point
  for (std::uint64_t n = 1; n < 5000; ++n)
    for (int d = 0; d < Sobol::most_dimensions; ++d) CHECK(theirs() == sobol(n, d));
  constexpr std::uint64_t far = (std::uint64_t{1} << 40) + 12345;  // needs direction numbers beyond the table
  theirs.seed(0);
  theirs.discard((far - 1) * std::uint64_t(Sobol::most_dimensions));
  for (int d = 0; d < Sobol::most_dimensions; ++d) CHECK(theirs() == sobol(far, d));
#else
  TEST_IGNORE_MESSAGE("Boost.Random (libboost-dev) is not installed");
#endif
}

// Of the first 2^k scrambled points, each of 2^k equal intervals of a dimension contains one. In the first two
// dimensions, each of 2^j x 2^(k - j) equal boxes contains one.
void test_scrambling_keeps_the_points_even(void) {
  const Sobol sobol;
  constexpr int k = 10;
  for (std::uint64_t seed = 1; seed <= 3; ++seed)
    for (int d = 0; d < Sobol::most_dimensions; ++d) {
      const OwenScramble scramble(seed, std::uint32_t(d));
      std::set<std::uint64_t> pieces;
      for (std::uint64_t n = 0; n < (1u << k); ++n) pieces.insert(scramble(sobol(n, d)) >> (64 - k));
      CHECK_EQUAL(std::size_t(1) << k, pieces.size());
    }
  const OwenScramble first(7, 0), second(7, 1);
  for (int j = 0; j <= k; ++j) {
    std::set<std::uint64_t> boxes;
    for (std::uint64_t n = 0; n < (1u << k); ++n) {
      const std::uint64_t a = first(sobol(n, 0)), b = second(sobol(n, 1));
      boxes.insert((j > 0 ? (a >> (64 - j)) << k : 0) | (j < k ? b >> (64 - (k - j)) : 0));
    }
    CHECK_EQUAL(std::size_t(1) << k, boxes.size());
  }
}

// The digits before a digit decide whether it is flipped: two numbers with a common prefix keep a common prefix of that
// length.
void test_scrambling_flips_digits_by_the_digits_before(void) {
  test::Random random(3);
  const OwenScramble scramble(11, 4);
  for (int i = 0; i < 2000; ++i) {
    const int same = int(random.bits() % 64);
    const std::uint64_t a = random.bits(), difference = (random.bits() >> same) | (std::uint64_t{1} << (63 - same));
    const std::uint64_t between = scramble(a) ^ scramble(a ^ difference);  // the first different digit is `same`
    CHECK(between >> (63 - same) == 1);
  }
}

// Over 4096 seeds, the flips of the upper digits are fair and pairwise independent: each occurs, and each two agree, in
// half of the cases. A fair coin deviates by six standard deviations, 6 * 32, less than once in 1e8 trials.
void test_scrambling_is_random_in_the_seed(void) {
  constexpr int depth = 5, nodes = (1 << depth) - 1, seeds = 4096, bound = 192;
  std::vector<std::vector<int>> flips(nodes);
  for (std::uint64_t seed = 0; seed < seeds; ++seed) {
    const OwenScramble scramble(seed, 2);
    for (int level = 0, node = 0; level < depth; ++level)
      for (std::uint64_t begin = 0; begin < (1u << level); ++begin, ++node) {
        const std::uint64_t x = level > 0 ? begin << (64 - level) : 0;
        flips[std::size_t(node)].push_back(int(scramble(x) >> (63 - level)) & 1);
      }
  }
  for (std::size_t a = 0; a < nodes; ++a) {
    CHECK(std::abs(std::accumulate(flips[a].begin(), flips[a].end(), 0) - seeds / 2) < bound);
    for (std::size_t b = 0; b < a; ++b) {
      int agree = 0;
      for (std::size_t s = 0; s < seeds; ++s) agree += flips[a][s] == flips[b][s];
      CHECK(std::abs(agree - seeds / 2) < bound);
    }
  }
}

// The mean of a smooth function of six numbers over 256 seeds: unbiased, with a much smaller error than random points.
void test_scrambled_points_integrate_better_than_random_points(void) {
  constexpr std::uint64_t samples = 1024, seeds = 256;
  const std::vector<Distribution> cube(6, uniform(-1, 1));
  const auto spread = [&](const Sampling& sampling, double& mean) {
    double squares = 0, x[6], u[6];
    mean = 0;
    for (std::uint64_t seed = 0; seed < seeds; ++seed) {
      const Design design(cube, sampling, seed);
      double sum = 0;
      for (std::uint64_t i = 0; i < samples; ++i) {
        design.draw(i, u);
        design.values(i, u, x);
        double product = 1;
        for (const double each : x) product *= 1 + each * each * each / 2 + each / 3;  // its mean is 1
        sum += product;
      }
      const double error = sum / double(samples) - 1;
      mean += error / double(seeds), squares += error * error / double(seeds);
    }
    return std::sqrt(squares);
  };
  double bias = 0;
  const double by_chance = spread(random(samples), bias);
  CHECK_WITHIN(5 * by_chance / 16, 0.0, bias);  // five standard deviations of a mean of 256
  const double by_latin = spread(latin(samples), bias);
  CHECK_WITHIN(5 * by_latin / 16, 0.0, bias);
  const double by_sobol = spread(sobol(samples), bias);
  CHECK_WITHIN(5 * by_sobol / 16, 0.0, bias);
  moreau::port::print("root mean square error: random ", by_chance, ", latin ", by_latin, ", sobol ", by_sobol);
  CHECK(by_latin < by_chance / 1.5);
  CHECK(by_sobol < by_chance / 10);
}

void test_a_permutation_contains_each_number_once(void) {
  for (const std::uint64_t size : {1u, 2u, 3u, 5u, 8u, 100u, 1023u, 1024u, 1025u, 40000u}) {
    const Permutation permutation(size, 5, 1), other(size, 6, 1);
    std::vector<bool> seen(size);
    std::uint64_t same = 0;
    for (std::uint64_t i = 0; i < size; ++i) {
      const std::uint64_t p = permutation(i);
      CHECK(p < size && !seen[p]);
      seen[p] = true;
      same += p == other(i);
    }
    CHECK(size < 1000 || same < 20);  // the expected number of agreements is 1
  }
}

// Over the keys, the image of a number and the distance to the image of its neighbour are uniformly distributed.
void test_a_permutation_is_random_in_its_key(void) {
  constexpr int size = 12, keys = 12 * 2000;
  std::vector<int> place(size), step(size);
  for (int key = 0; key < keys; ++key) {
    const Permutation permutation(size, std::uint64_t(key), 0);
    ++place[permutation(7)];
    ++step[(permutation(8) + size - permutation(7)) % size];
  }
  for (int i = 0; i < size; ++i) CHECK(std::abs(place[std::size_t(i)] - 2000) < 6 * 43);  // standard deviation 43
  CHECK_EQUAL(0, step[0]);
  for (int i = 1; i < size; ++i) CHECK(std::abs(step[std::size_t(i)] - keys / 11) < 6 * 45);
}

void test_a_latin_hypercube_has_one_point_in_each_slice(void) {
  constexpr std::uint64_t samples = 1000;
  const Design design({uniform(0, 1), uniform(0, 1), uniform(0, 1)}, latin(samples), 9);
  std::vector<std::set<int>> slices(3);
  double u[3];
  for (std::uint64_t i = 0; i < samples; ++i) {
    design.draw(i, u);
    for (std::size_t d = 0; d < 3; ++d) slices[d].insert(int(u[d] * double(samples)));
  }
  for (const auto& slice : slices) CHECK_EQUAL(samples, slice.size());
}

void test_the_logarithm_is_accurate_to_two_ulps(void) {
  test::Random random(17);
  double worst = 0;
  for (int i = 0; i < 200000; ++i) {
    const double x = std::abs(random.any_finite<double>());
    if (x < 0x1p-1022 || x == 1) continue;
    const Wide right = std::log(Wide(x));
    worst = std::max(worst, std::abs(double((Wide(logarithm(x)) - right) / right)));
  }
  for (int i = 0; i < 100000; ++i) {
    const double x = random.between(0.5, 2.0);
    const Wide right = std::log(Wide(x));
    if (x != 1) worst = std::max(worst, std::abs(double((Wide(logarithm(x)) - right) / right)));
  }
  moreau::port::print("logarithm: relative error ", worst);
  CHECK(worst < 4e-16);  // 2 ulp
  CHECK_EQUAL(0.0, logarithm(1.0));
}

// Phi(quantile(u)) = u: the residual of p over the density is the error of x. The reference is erfc in long double.
// Near x = 0 its resolution is too low, and the test compares the slope.
void test_normal_variates_are_accurate(void) {
  test::Random random(23);
  double worst = 0;
  const auto error = [](double u) {
    const Wide x = Wide(normal_quantile(u)), root_2 = std::sqrt(2.0L), pi = std::acos(-1.0L);
    const Wide p = u < 0.5 ? Wide(u) : 1 - Wide(u), z = u < 0.5 ? -x : x;
    const Wide density = std::exp(-x * x / 2) / std::sqrt(2 * pi);
    return double((std::erfc(z / root_2) / 2 - p) / density / (std::abs(x) + 1e-3L));
  };
  for (int i = 0; i < 100000; ++i) {
    worst = std::max(worst, std::abs(error(unit(random.bits()))));
    worst = std::max(worst, std::abs(error(unit(random.bits() >> (random.bits() % 53)))));  // into the tail
    worst = std::max(worst, std::abs(error(1 - unit(random.bits() >> (random.bits() % 50)))));
  }
  for (const double edge : {0.075, 0.925, 0.0749999, 0.9250001, 0x1p-53, 1 - 0x1p-53})
    worst = std::max(worst, std::abs(error(edge)));
  moreau::port::print("normal variates: relative error ", worst);
  CHECK(worst < 2e-15);
  CHECK_EQUAL(0.0, normal_quantile(0.5));
  for (const double q : {1e-9, -1e-12, 0x1p-53})
    CHECK_WITHIN(2e-15, std::sqrt(2 * std::acos(-1.0)), normal_quantile(0.5 + q) / ((0.5 + q) - 0.5));
  for (const double u : {0.01, 0.3, 0.0749}) CHECK_WITHIN(1e-14, normal_quantile(u), -normal_quantile(1 - u));
  for (const double x : {-8.0, -3.0, -0.1, 0.0, 2.5, 8.0})
    CHECK_WITHIN(1e-15, std::erfc(-x / std::sqrt(2.0)) / 2, normal_probability(x));
}

// Checks mean and variance of 2^16 scrambled Sobol points against the closed forms. Their errors are far below those of
// random points.
void check_moments(const Distribution& distribution, double mean, double variance) {
  CHECK(distribution.fault().empty());
  constexpr std::uint64_t samples = 1u << 16;
  const Design design({distribution}, sobol(samples), 3);
  double sum = 0, squares = 0, u = 0, x = 0;
  for (std::uint64_t i = 0; i < samples; ++i) {
    design.draw(i, &u);
    design.values(i, &u, &x);
    sum += x - mean, squares += (x - mean) * (x - mean);
  }
  CHECK_WITHIN(1e-3 * std::sqrt(variance), 0.0, sum / double(samples));
  CHECK_WITHIN(2e-3 * variance, variance, squares / double(samples));
}

void test_distributions_have_their_moments(void) {
  check_moments(uniform(-1, 3), 1, 16.0 / 12);
  check_moments(triangular(0, 1, 4), 5.0 / 3, (0 + 1 + 16 - 0 - 0 - 4) / 18.0);
  check_moments(triangular(0, 0, 1), 1.0 / 3, 1.0 / 18);
  check_moments(triangular(0, 1, 1), 2.0 / 3, 1.0 / 18);
  check_moments(normal(5, 2), 5, 4);
  const double bounds = 1.5, density = std::exp(-bounds * bounds / 2) / std::sqrt(2 * std::acos(-1.0));
  const double inside = std::erf(bounds / std::sqrt(2.0));
  check_moments(normal(5, 2, 2, 8), 5, 4 * (1 - 2 * bounds * density / inside));
  check_moments(list({1, 2, 6}), 3, 14.0 / 3);
}

void test_bounds_are_kept(void) {
  const auto truncated = normal(0, 1, -1, 2);
  const auto one_sided = normal(0, 1, 0, std::numeric_limits<double>::infinity());
  for (const double u : {0x1p-53, 0.3, 0.7, 1 - 0x1p-53}) {
    CHECK(truncated.at(u) >= -1 && truncated.at(u) <= 2);
    CHECK(one_sided.at(u) >= 0 && one_sided.at(u) < 9);
    CHECK(uniform(1, 2).at(u) >= 1 && uniform(1, 2).at(u) <= 2);
    CHECK(triangular(1, 1.5, 2).at(u) >= 1 && triangular(1, 1.5, 2).at(u) <= 2);
  }
  CHECK(truncated.at(0x1p-53) < -0.999999 && truncated.at(1 - 0x1p-53) > 1.999999);
}

void test_invalid_distributions_have_messages(void) {
  const double nan = std::numeric_limits<double>::quiet_NaN(), infinity = std::numeric_limits<double>::infinity();
  for (const auto& wrong :
       {uniform(1, 1), uniform(2, 1), uniform(nan, 1), uniform(0, infinity), triangular(0, 2, 1), triangular(1, 1, 1),
        triangular(0, nan, 1), normal(0, 0), normal(0, -1), normal(nan, 1), normal(0, nan), normal(0, 1, 2, 1),
        normal(0, 1, nan, 1), normal(0, 1, 50, 60), list({}), list({1, nan}), grid(0, 1, 0), grid({nan})})
    CHECK(!wrong.fault().empty());
  for (const auto& out_of_reach :
       {uniform(-1.7e308, 1.7e308), triangular(0, 1e200, 2e200), triangular(0, 1e-170, 2e-170), normal(1e308, 1e308)})
    CHECK(!out_of_reach.fault().empty());
}

void test_grids_are_enumerated_with_common_draws(void) {
  const Design design({grid(0, 1, 3), uniform(0, 1), grid({7, 9})}, random(4), 2);
  CHECK_EQUAL(24u, design.runs());
  CHECK_EQUAL(1, design.drawn());
  double u = 0, x[3];
  std::vector<double> draws;
  for (std::uint64_t i = 0; i < design.runs(); ++i) {
    design.draw(i, &u);
    design.values(i, &u, x);
    CHECK_EQUAL(0.5 * double(i / 8), x[0]);
    CHECK_EQUAL((i / 4) % 2 == 0 ? 7.0 : 9.0, x[2]);
    draws.push_back(x[1]);
    CHECK_EQUAL(draws[i % 4], x[1]);
  }
  CHECK(draws[0] != draws[1]);
  CHECK_EQUAL(1.0, grid(0, 1, 50).numbers.back());
  CHECK_EQUAL(3.0, grid(3, 9, 1).numbers[0]);
}

void test_invalid_designs_have_messages(void) {
  const std::vector<Distribution> many(33, uniform(0, 1));
  CHECK(!Design(many, sobol(10), 1).fault().empty());
  CHECK(Design(many, latin(10), 1).fault().empty());
  CHECK(!Design({uniform(0, 1)}, sobol(0), 1).fault().empty());
  CHECK(!Design({grid(0, 1, 10)}, random(5), 1).fault().empty());
  CHECK(!Design(std::vector<Distribution>(9, grid(0, 1, 1000)), random(1), 1).fault().empty());
  CHECK(!Design({grid(0, 1, 10), uniform(0, 1)}, random(Design::most_runs), 1).fault().empty());
}

// The samples of every kind are bit-identical on all machines and in all versions.
void test_samples_are_bit_identical(void) {
  test::BitsHash hash;
  for (const auto sampling : {random(777), sobol(777), latin(777)}) {
    const Design design(
        {uniform(-1, 3), normal(5, 2), normal(0, 1, -1, 2), triangular(0, 1, 4), list({1, 2, 6}), grid(0, 1, 3)},
        sampling, 42);
    std::vector<double> u(std::size_t(design.drawn())), x(6);
    for (std::uint64_t i = 0; i < design.runs(); ++i) {
      design.draw(i, u.data());
      design.values(i, u.data(), x.data());
      for (const double value : x) hash.add(value);
    }
  }
  std::printf("hash of samples %016llx\n", static_cast<unsigned long long>(hash.value()));
  CHECK(hash.value() == 0x720aa251e62c5382u);
}

TEST_MAIN({
  TEST(test_philox_gives_the_known_answers);
  TEST(test_units_lie_between_0_and_1);
  TEST(test_sobol_points_equal_those_of_boost);
  TEST(test_scrambling_keeps_the_points_even);
  TEST(test_scrambling_flips_digits_by_the_digits_before);
  TEST(test_scrambling_is_random_in_the_seed);
  TEST(test_scrambled_points_integrate_better_than_random_points);
  TEST(test_a_permutation_contains_each_number_once);
  TEST(test_a_permutation_is_random_in_its_key);
  TEST(test_a_latin_hypercube_has_one_point_in_each_slice);
  TEST(test_the_logarithm_is_accurate_to_two_ulps);
  TEST(test_normal_variates_are_accurate);
  TEST(test_distributions_have_their_moments);
  TEST(test_bounds_are_kept);
  TEST(test_invalid_distributions_have_messages);
  TEST(test_grids_are_enumerated_with_common_draws);
  TEST(test_invalid_designs_have_messages);
  TEST(test_samples_are_bit_identical);
})
