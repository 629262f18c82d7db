// write_numbers <folder>: writes numbers of every kind to .mat and .npy and prints their bits, for read_back_test.sh.
#include <moreau/workstation/mat4.hpp>
#include <moreau/workstation/npy.hpp>

#include <cinttypes>
#include <cstdio>
#include <limits>
#include <vector>

#include "support/bits_hash.hpp"

int main(int count, char** words) {
  const std::string folder = count > 1 ? words[1] : ".";
  using Limits = std::numeric_limits<double>;
  std::vector<double> x{0.0, -0.0, 0.1, 1.0 / 3, Limits::min(), Limits::denorm_min(), Limits::max(), Limits::lowest()};
  x.insert(x.end(), {Limits::infinity(), -Limits::infinity()});
  test::Random random(14);
  while (x.size() < 1000) x.push_back(random.any_finite<double>());

  std::vector<double> rows;
  for (const double number : x) rows.insert(rows.end(), {number, -number});
  moreau::workstation::Npy npy(folder + "/written.npy", {{"x", "m"}, {"minus_x", "it's m"}}, std::int64_t(x.size()));
  npy.rows(rows.data(), std::int64_t(x.size()));

  const float singles[] = {0.1f, -2, 3e-40f, 4, 5, 6};
  const std::int16_t shorts[] = {-32768, 32767};
  const std::uint8_t small[] = {0, 255};
  moreau::workstation::Mat4 mat(folder + "/written.mat");
  const int grown = mat.reserve("x", std::int64_t(x.size()));
  mat.matrix("minus_x", 2, std::int64_t(x.size()), rows.data());
  mat.append(grown, x.data(), 400);
  mat.append(grown, x.data() + 400, std::int64_t(x.size()) - 400);
  mat.matrix("singles", 3, 2, singles);
  mat.matrix("shorts", 1, 2, shorts);
  mat.matrix("small", 1, 2, small);
  mat.number("answer", std::int32_t{-42});
  mat.text("units", {"m", "kg m^2", "it's 1"});
  if (!npy.close() || !mat.close()) return 1;

  for (const double number : x) std::printf("%016" PRIx64 "\n", moreau::detail::to_bits(number));
  return 0;
}
