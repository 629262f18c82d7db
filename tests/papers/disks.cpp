// Box of disks: equality of sparse and dense problem, falling energy, bounded penetration, no dynamic allocation.
#include "models/disks/disks.hpp"

#include <cmath>
#include <cstdlib>
#include <memory>
#include <new>

#include "support/test.hpp"

namespace {
long allocations = 0;
}
// Not inlined: if g++ inlines one of the operators only, it warns about mismatched allocation functions.
[[gnu::noinline]] void* operator new(std::size_t size) {
  ++allocations;
  if (void* memory = std::malloc(size)) return memory;
  std::abort();
}
[[gnu::noinline]] void operator delete(void* memory) noexcept { std::free(memory); }
[[gnu::noinline]] void operator delete(void* memory, std::size_t) noexcept { std::free(memory); }

namespace {

template <int capacity>
using Box = disks::Disks<Real, capacity>;
constexpr double radius = 0.01, dt = 2e-4;

template <int capacity>
std::unique_ptr<Box<capacity>> thrown_together(int count) {
  auto box = std::make_unique<Box<capacity>>();
  const int columns = int(std::ceil(std::sqrt(count)));
  std::uint32_t seed = 1;
  const auto random = [&seed] { return Real(double((seed = seed * 1664525u + 1013904223u) >> 8) / 16777216.0); };
  box->width = Real(columns * 2.4 * radius);
  box->count = count;
  box->solver.max_iterations = 100;
  box->solver.tolerance = 1e-6f;
  for (int i = 0; i < count; ++i) {
    auto& disk = box->disk[disks::at(i)];
    disk.radius = Real(radius) * (Real(0.8) + Real(0.2) * random());
    disk.m = Real(0.01);
    disk.q = {Real((i % columns + 0.5) * 2.4 * radius), Real((i / columns + 0.5) * 2.4 * radius), 0};
    disk.u = {Real(i % columns < columns / 2 ? 1.5 : -1.5), random() - Real(0.5), 0};
  }
  return box;
}

// Impact speed 1.5 m/s and drop height 0.7 m: the approach velocity of two disks is below 6 m/s, and a contact
// penetrates by at most one step of it.
constexpr double penetration_bound = 6 * dt;

void test_thousand_disks(void) {
  auto box = thrown_together<1000>(1000);
  const double at_start = double(box->energy());
  double energy = at_start, gain = 0, deepest = 0;
  const long before = allocations;
  int contacts = 0, rejected = 0;
  for (int n = 0; n < 1500; ++n) {
    const auto report = box->step(Real(dt));
    CHECK(report.status != moreau::Status::invalid_argument);
    rejected += report.status == moreau::Status::no_solution ? 1 : 0;
    const double now = double(box->energy());
    gain = std::fmax(gain, now - energy);
    energy = now;
    deepest = std::fmax(deepest, double(report.deepest));
    contacts = report.contacts;
  }
  moreau::port::print("1000 disks: ", contacts, " contacts at the end, ", rejected,
                      " steps repeated, largest energy gain ", gain, " of ", at_start, " J, deepest ", deepest, " m\n");
  CHECK_EQUAL(before, allocations);
  CHECK(contacts > 1000);
  CHECK(rejected < 150);
  CHECK(gain <= 1e-9 * at_start);  // residual of an inexact solution
  CHECK(deepest <= penetration_bound);
}

// Columns of disks come to rest and carry their weight to the floor.
void test_disks_come_to_rest(void) {
  auto box = thrown_together<64>(50);
  for (int n = 0; n < 20000; ++n) CHECK(box->step(Real(dt)).status != moreau::Status::invalid_argument);
  double fastest = 0;
  for (int i = 0; i < box->count; ++i)
    fastest =
        std::fmax(fastest, std::hypot(double(box->disk[disks::at(i)].u[0]), double(box->disk[disks::at(i)].u[1])));
  moreau::port::print("50 disks after 4 s: fastest ", fastest, " m/s\n");
  CHECK(fastest < 1e-3);
}

// A disk that slides on the floor starts to roll: friction reduces its speed to 2/3 (textbook result), then it rolls.
void test_sliding_disk_starts_rolling(void) {
  auto box = std::make_unique<Box<4>>();
  box->width = 10;
  box->count = 1;
  box->disk[0].radius = Real(0.1);
  box->disk[0].m = 1;
  box->disk[0].q = {1, Real(0.1) - Real(1e-9), 0};
  box->disk[0].u = {1, 0, 0};
  for (int n = 0; n < 5000; ++n) CHECK(box->step(Real(1e-4)).status == moreau::Status::ok);
  CHECK_WITHIN(1e-9, 2.0 / 3, box->disk[0].u[0]);
  CHECK_WITHIN(1e-8, -2.0 / 3 / 0.1, box->disk[0].u[2]);
}

// Sparse against dense problem of the same contacts: G, c, xi and the velocity scale.
void test_sparse_problem_equals_dense_problem(void) {
  using Sparse = disks::SparseProblem<Real, 4, 16>;
  using Dense = moreau::ContactProblem<Real, 4, 1>;
  Sparse sparse;
  Dense dense;
  // Three contacts in a chain: 0-1 and 1-2 are coupled, 0-2 are not.
  dense.k = 3;
  dense.G.setZero();
  dense.mu.setZero();
  sparse.clear();
  for (int i = 0; i < 3; ++i) {
    for (int row = 0; row < 2; ++row)
      sparse.c.coeffRef(2 * i + row) = dense.c.coeffRef(2 * i + row) = Real(0.3 * i - 0.2 * row - 0.1);
    for (const int j : {i, i - 1, i + 1}) {
      if (j < 0 || j > 2) continue;
      const std::array<Real, 4> block = i == j  ? std::array<Real, 4>{3, Real(0.5), Real(0.5), 4}
                                        : i < j ? std::array<Real, 4>{-1, Real(0.25), Real(0.125), Real(0.75)}
                                                : std::array<Real, 4>{-1, Real(0.125), Real(0.25), Real(0.75)};
      CHECK(sparse.add_block(j, block));
      for (int e = 0; e < 4; ++e) dense.G(2 * i + e / 2, 2 * j + e % 2) = block[std::size_t(e)];
    }
    sparse.end_contact();
  }
  typename Sparse::Percussions P = Sparse::Percussions::LinSpaced(Real(-1), Real(2));
  CHECK_EQUAL(dense.rows(), sparse.rows());
  for (int r = 0; r < dense.rows(); ++r) {
    CHECK_WITHIN(1e-12, dense.diagonal(r), sparse.diagonal(r));
    CHECK_WITHIN(1e-12, dense.xi(r, P), sparse.xi(r, P));
    CHECK_WITHIN(1e-12, dense.velocity_scale(r, P), sparse.velocity_scale(r, P));
  }
}

// The contact search finds exactly the touching pairs (reference: all pairs).
void test_contact_search_finds_all_pairs(void) {
  constexpr int n = 300;
  auto touching = std::make_unique<disks::Touching<Real, n, 4 * n>>();
  std::array<disks::Disk<Real>, n> disk{};
  std::array<std::array<Real, 3>, n> q{};
  std::uint32_t seed = 7;
  const auto random = [&seed] { return Real(double((seed = seed * 1664525u + 1013904223u) >> 8) / 16777216.0); };
  for (int i = 0; i < n; ++i) {
    disk[disks::at(i)].radius = Real(0.008) + Real(0.004) * random();
    q[disks::at(i)] = {Real(0.02) + Real(0.36) * random(), Real(0.02) + Real(0.96) * random(), 0};
  }
  touching->width = Real(0.4);
  CHECK(touching->find(n, q, disk));
  int pairs = 0, found = 0;
  for (int i = 0; i < n; ++i)
    for (int j = i + 1; j < n; ++j) {
      const Real d_x = q[disks::at(i)][0] - q[disks::at(j)][0], d_y = q[disks::at(i)][1] - q[disks::at(j)][1];
      const Real reach = disk[disks::at(i)].radius + disk[disks::at(j)].radius;
      if (d_x * d_x + d_y * d_y > reach * reach) continue;
      ++pairs;
      for (int k = 0; k < touching->count; ++k)
        found += touching->contact[disks::at(k)].a == i && touching->contact[disks::at(k)].b == j ? 1 : 0;
    }
  int between_disks = 0;
  for (int k = 0; k < touching->count; ++k) between_disks += touching->contact[disks::at(k)].b >= 0 ? 1 : 0;
  CHECK(pairs > 50);
  CHECK_EQUAL(pairs, found);
  CHECK_EQUAL(pairs, between_disks);
}

}  // namespace

TEST_MAIN({
  TEST(test_thousand_disks);
  TEST(test_disks_come_to_rest);
  TEST(test_sliding_disk_starts_rolling);
  TEST(test_sparse_problem_equals_dense_problem);
  TEST(test_contact_search_finds_all_pairs);
})
