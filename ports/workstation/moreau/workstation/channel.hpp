// A column of numbers on its way to a page: in as few bytes as what it is for allows, as text.
//
//   exact   float     poses and gaps, which a page magnifies           4 bytes
//   curve   uint16    65535 levels between the least and the largest   2 bytes
//   decade  bfloat16  three digits at any size: percussions, times     2 bytes
//   flags   uint8     what is in contact                               1 byte
//
// A column whose numbers are all the same is one number, and evenly spaced times are two. NaN stays NaN.
#pragma once
#include <algorithm>
#include <cmath>
#include <cstring>

#include "moreau/workstation/json.hpp"

namespace moreau::workstation {

enum class Coding { exact, curve, decade, flags };

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

}  // namespace detail

inline void write_channel(Json& json, const std::vector<double>& values, Coding coding) {
  const auto same = [&](double v) { return v == values.front(); };
  json.open('{').key("as");
  if (!values.empty() && std::all_of(values.begin(), values.end(), same)) {
    json.text("constant").key("value").number(values.front()).close('}');
    return;
  }
  constexpr const char* names[] = {"exact", "curve", "decade", "flags"};
  json.text(names[int(coding)]);
  double least = HUGE_VAL, most = -HUGE_VAL;
  for (const double v : values)
    if (std::isfinite(v)) least = std::min(least, v), most = std::max(most, v);
  if (!(least <= most)) least = most = 0;
  if (coding == Coding::curve) json.key("from").number(least).key("to").number(most);
  std::vector<std::uint8_t> bytes;
  bytes.reserve(4 * values.size());
  for (const double v : values) switch (coding) {
      case Coding::exact:
        detail::put_bytes(bytes, detail::bits_of(float(v)), 4);
        break;
      case Coding::curve:
        detail::put_bytes(
            bytes, std::isfinite(v) ? std::uint32_t(std::lround(65534 * (v - least) / (most - least))) : 65535u, 2);
        break;
      case Coding::decade:
        detail::put_bytes(bytes, detail::bits_of_decade(float(v)), 2);
        break;
      case Coding::flags:
        detail::put_bytes(bytes, std::uint32_t(v), 1);
    }
  json.key("data").raw('"' + base64(bytes) + '"').close('}');
}

// Times: evenly spaced but for the last one, or each as it is.
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
