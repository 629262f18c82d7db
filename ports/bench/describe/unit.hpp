// Unit as a product of powers of base units: "N.m.s/rad" -> kg m2 s-1 rad-1.
//
// Syntax: SI symbols with optional exponents, separated by "." and at most one "/"; "1" means dimensionless.
#pragma once
#include <string>
#include <string_view>

namespace moreau::bench::describe {

struct Unit {
  int kg = 0, m = 0, s = 0, A = 0, K = 0, rad = 0;
  bool known = true;
};

inline bool add_symbol(Unit& to, std::string_view symbol, int power) {
  static constexpr struct {
    std::string_view symbol;
    Unit unit;
  } symbols[] = {{"1", {}},
                 {"kg", {1}},
                 {"m", {0, 1}},
                 {"s", {0, 0, 1}},
                 {"A", {0, 0, 0, 1}},
                 {"K", {0, 0, 0, 0, 1}},
                 {"rad", {0, 0, 0, 0, 0, 1}},
                 {"Hz", {0, 0, -1}},
                 {"N", {1, 1, -2}},
                 {"Pa", {1, -1, -2}},
                 {"J", {1, 2, -2}},
                 {"W", {1, 2, -3}},
                 {"V", {1, 2, -3, -1}}};
  for (const auto& one : symbols)
    if (one.symbol == symbol) {
      to.kg += power * one.unit.kg;
      to.m += power * one.unit.m;
      to.s += power * one.unit.s;
      to.A += power * one.unit.A;
      to.K += power * one.unit.K;
      to.rad += power * one.unit.rad;
      return true;
    }
  return false;
}

inline Unit unit_of(std::string_view text) {
  Unit unit;
  int sign = 1;
  std::size_t begin = 0;
  while (begin <= text.size()) {
    std::size_t end = text.find_first_of("./", begin);
    if (end == std::string_view::npos) end = text.size();
    std::string_view symbol = text.substr(begin, end - begin);
    int power = 1;
    if (symbol.size() > 1 && symbol.back() >= '2' && symbol.back() <= '9') {
      power = symbol.back() - '0';
      symbol.remove_suffix(1);
    }
    if (!add_symbol(unit, symbol, sign * power)) unit.known = false;
    if (end < text.size() && text[end] == '/') {
      if (sign < 0) unit.known = false;
      sign = -1;
    }
    begin = end + 1;
  }
  return unit;
}

}  // namespace moreau::bench::describe
