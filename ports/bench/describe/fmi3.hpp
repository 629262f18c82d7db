// Values for the template fmi3.xml.in: the variables of an FMU 3.0.
#pragma once
#include "description.hpp"

namespace moreau::bench::describe {

template <class Bench>
void add_fmi3_words(const Description<Bench>& d, Words& words) {
  std::string variables, outputs, unknowns;
  for (int i = 0; i < d.count; ++i) {
    const auto& v = d.of(i);
    const std::string reference = " valueReference=\"" + std::to_string(i) + "\"";
    static const char* const kinds[] = {
        R"( causality="independent" variability="continuous")", R"( causality="input" variability="continuous")",
        R"( causality="parameter" variability="tunable" initial="exact")",
        R"( causality="output" variability="continuous")", R"( causality="output" variability="discrete")"};
    variables += std::string("    <") +
                 (v.status  ? "Enumeration"
                  : v.whole ? "Int32"
                            : "Float64") +
                 " name=\"" + text(v.name) + "\"" + reference + kinds[v.whole ? 4 : int(v.kind)] + d.meaning(i) +
                 d.attributes(i) + (v.status ? " declaredType=\"Status\"" : "") + "/>\n";
    if (v.kind == Kind::output) {
      outputs += "    <Output" + reference + "/>\n";
      unknowns += "    <InitialUnknown" + reference + "/>\n";
    }
  }
  words["fmi3_variables"] = variables;
  words["fmi2_options"] = words["fmi3_options"] = "";
  words["fmu_include"] = words["fmi2_service"] = words["fmi3_service"] = "";
  words["fmi3_status"] = "    <EnumerationType name=\"Status\">\n" + d.status_items() + "    </EnumerationType>\n";
  words["fmi3_unknowns"] = outputs + unknowns;
}

// The XCP service of fmu_xcp.hpp, with the value references after those of the bench.
template <class Bench>
void add_fmu_xcp_words(const Description<Bench>& d, const std::string& bench, Words& words) {
  const auto add = [&](int i, const char* name, const char* type, const char* type2, const char* start,
                       const char* meaning) {
    const std::string same = std::string(" name=\"") + name + "\" valueReference=\"" + std::to_string(d.count + i) +
                             "\" causality=\"parameter\" variability=\"fixed\" initial=\"exact\" description=\"" +
                             meaning + "\"";
    words["fmi3_options"] += std::string("    <") + type + same + " start=\"" + start + "\"/>\n";
    words["fmi2_options"] +=
        "    <ScalarVariable" + same + ">\n      <" + type2 + " start=\"" + start + "\"/>\n    </ScalarVariable>\n";
  };
  add(0, "XCP.TCP.Enable", "Boolean", "Boolean", "false", "starts the XCP service with the initialization");
  add(1, "XCP.TCP.Port", "UInt16", "Integer", "5555", "TCP port of the XCP service on the loopback interface");
  words["fmu_include"] = "#include <moreau/bench/fmu_xcp.hpp>\n";
  words["fmi2_service"] = ", moreau::bench::XcpService<" + bench + ", fmi2Boolean, fmi2Integer>";
  words["fmi3_service"] = ", moreau::bench::XcpService<" + bench + ", fmi3Boolean, fmi3UInt16>";
}

}  // namespace moreau::bench::describe
