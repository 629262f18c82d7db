// Values for the template a2l.in (ASAM MCD-2 MC 1.7): inputs and parameters as CHARACTERISTICs, all others as
// MEASUREMENTs. The addresses are those of bench/xcp.hpp; the EPK lets a master check that they belong to the slave.
#pragma once
#include <moreau/bench/xcp.hpp>

#include "description.hpp"

namespace moreau::bench::describe {

inline std::string a2l_text(const std::string& plain) {
  std::string out = "\"";
  for (const char c : plain) out += c == '"' ? std::string("\\\"") : std::string(1, c);
  return out + "\"";
}
inline std::string hexadecimal(std::uint32_t value) {
  char text[16];
  std::snprintf(text, sizeof text, "0x%X", unsigned(value));
  return text;
}

template <class Bench>
void add_a2l_words(const Description<Bench>& d, Words& words) {
  constexpr double most = std::numeric_limits<double>::max();
  const auto unit_name = [](const std::string& unit) {
    std::string name = "unit_";
    for (const char c : unit)
      name += std::isalnum(static_cast<unsigned char>(c)) ? std::string(1, c) : c == '/' ? "_per_" : "_";
    return name;
  };
  const auto limits = [&](const auto& v) {
    return number(std::max(v.min, -most)) + " " + number(std::min(v.max, most));
  };
  std::string variables, methods;
  std::set<std::string> units;
  for (int i = 0; i < d.count; ++i) {
    const auto& v = d.of(i);
    const std::string unit = text(v.unit), address = hexadecimal(8u * unsigned(i));
    units.insert(unit);
    const std::string method = v.status ? "status_names" : unit_name(unit);
    if (v.set != nullptr)
      variables += "    /begin CHARACTERISTIC " + text(v.name) + " " + a2l_text(v.meaning) + " VALUE " + address +
                   " one_double 0 " + method + " " + limits(v) + "\n    /end CHARACTERISTIC\n";
    else
      variables += "    /begin MEASUREMENT " + text(v.name) + " " + a2l_text(v.meaning) + " FLOAT64_IEEE " + method +
                   " 0 0 " + limits(v) + "\n      ECU_ADDRESS " + address + "\n    /end MEASUREMENT\n";
  }
  for (const std::string& unit : units)
    methods += "    /begin COMPU_METHOD " + unit_name(unit) + " \"\" IDENTICAL \"%.9\" " +
               a2l_text(unit == "1" ? "" : unit) + "\n    /end COMPU_METHOD\n";
  methods +=
      "    /begin COMPU_METHOD status_names \"\" TAB_VERB \"%.0\" \"\"\n      COMPU_TAB_REF statuses\n"
      "    /end COMPU_METHOD\n    /begin COMPU_VTAB statuses \"\" TAB_VERB " +
      std::to_string(int(Status::not_finished) + 1) + "\n";
  for (int i = 0; i <= int(Status::not_finished); ++i)
    methods += "      " + std::to_string(i) + " \"" + sentence(Answer(i)).name + "\"\n";
  methods += "    /end COMPU_VTAB\n";
  char epk[16];
  std::snprintf(epk, sizeof epk, "%08x", unsigned(Table<Bench>::identity()));
  words["a2l_udp"] =
      "      /begin XCP_ON_UDP_IP\n        0x0100 5555 ADDRESS \"127.0.0.1\"\n      /end XCP_ON_UDP_IP\n";
  words["a2l_variables"] = variables;
  words["a2l_methods"] = methods;
  words["epk"] = epk;
  words["epk_address"] = hexadecimal(xcp_epk_address);
  words["xcp_packet"] = std::to_string(XcpSizes::packet);
}

}  // namespace moreau::bench::describe
