// Column of numbers for a page, as text in the smallest coding for its purpose.
//
//   exact   float     magnified gaps with a wide range                  4 bytes
//   fine    uint24    2^24 levels: poses, and gaps with a small range   3 bytes
//   curve   uint16    2^16 levels between minimum and maximum           2 bytes
//   decade  bfloat16  three digits at any magnitude: percussions, times 2 bytes
//   flags   uint8     contact state                                     1 byte
//
// Levels of 24 bits between -m and m are as fine as floats near m, which is the accuracy of a pose. A column of equal
// numbers is stored as one number, evenly spaced times as two. NaN stays NaN.
#pragma once
#include <algorithm>
#include <cmath>
#include <cstring>

#include "moreau/workstation/json.hpp"

namespace moreau::workstation {

enum class Coding { exact, fine, curve, decade, flags };

namespace detail {

inline void put_bytes(std::vector<std::uint8_t>& bytes, std::uint32_t bits, int count) {
  for (int i = 0; i < count; ++i) bytes.push_back(std::uint8_t(bits >> 8 * i));
}
inline std::uint32_t bits_of(float value) {
  std::uint32_t bits;
  std::memcpy(&bits, &value, sizeof bits);
  return bits;
}
inline std::uint32_t bits_of_decade(float value) {
  if (!(std::fabs(value) < 3.3e38f)) return bits_of(value) >> 16;  // rounding up would overflow; NaN stays NaN
  return (bits_of(value) + 0x8000u) >> 16;
}

struct Range {
  double least = HUGE_VAL, most = -HUGE_VAL;
  explicit Range(const std::vector<double>& values) {
    for (const double v : values)
      if (std::isfinite(v)) least = std::min(least, v), most = std::max(most, v);
    if (!(least <= most)) least = most = 0;
  }
  // Returns one of 256^bytes - 1 levels; the last code is NaN. (Halves avoid an overflow of the range of large
  // numbers.)
  std::uint32_t level(double v, int bytes) const {
    const std::uint32_t none = (1u << 8 * bytes) - 1;
    if (!std::isfinite(v)) return none;
    const double share = most > least ? (v / 2 - least / 2) / (most / 2 - least / 2) : 0;
    return std::uint32_t(std::lround((none - 1) * share));
  }
};

}  // namespace detail

// At the magnification of a page, half a level of `fine` is below a hundredth of a micrometre.
inline Coding coding_of_gap(const std::vector<double>& gap) {
  constexpr double magnified = 200, unseen = 1e-8;
  const detail::Range range(gap);
  return magnified * (range.most - range.least) / (1 << 25) <= unseen ? Coding::fine : Coding::exact;
}

inline void write_channel(Json& json, const std::vector<double>& values, Coding coding) {
  const auto same = [&](double v) { return v == values.front(); };
  json.open('{').key("as");
  if (!values.empty() && std::all_of(values.begin(), values.end(), same)) {
    json.text("constant").key("value").number(values.front()).close('}');
    return;
  }
  constexpr const char* names[] = {"exact", "fine", "curve", "decade", "flags"};
  json.text(names[int(coding)]);
  const detail::Range range(values);
  if (coding == Coding::fine || coding == Coding::curve)
    json.key("from").number(range.least).key("to").number(range.most);
  std::vector<std::uint8_t> bytes;
  bytes.reserve(4 * values.size());
  for (const double v : values) switch (coding) {
      case Coding::exact:
        detail::put_bytes(bytes, detail::bits_of(float(v)), 4);
        break;
      case Coding::fine:
        detail::put_bytes(bytes, range.level(v, 3), 3);
        break;
      case Coding::curve:
        detail::put_bytes(bytes, range.level(v, 2), 2);
        break;
      case Coding::decade:
        detail::put_bytes(bytes, detail::bits_of_decade(float(v)), 2);
        break;
      case Coding::flags:
        detail::put_bytes(bytes, std::uint32_t(v), 1);
    }
  json.key("data").raw('"' + base64(bytes) + '"').close('}');
}

// Writes times: evenly spaced except for the last one, or individually.
inline void write_times(Json& json, const std::vector<double>& t) {
  const std::size_t n = t.size();
  const double step = n > 1 ? t[1] - t[0] : 0;
  bool even = n > 0;
  for (std::size_t i = 0; i + 1 < n && even; ++i)
    even = std::fabs(t[0] + double(i) * step - t[i]) <= 1e-3 * std::fabs(step);
  if (even) {
    json.open('{').key("as").text("even").key("from").number(t[0]).key("step").number(step);
    json.key("last").number(t[n - 1]).close('}');
    return;
  }
  std::vector<std::uint8_t> bytes;
  for (const double v : t) {
    std::uint64_t bits;
    std::memcpy(&bits, &v, sizeof bits);
    detail::put_bytes(bytes, std::uint32_t(bits), 4), detail::put_bytes(bytes, std::uint32_t(bits >> 32), 4);
  }
  json.open('{').key("as").text("double").key("data").raw('"' + base64(bytes) + '"').close('}');
}

}  // namespace moreau::workstation
