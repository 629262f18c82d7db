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
  words["fmi3_options"] = words["fmu_include"] = words["fmu_service"] = "";
  words["fmi3_status"] = "    <EnumerationType name=\"Status\">\n" + d.status_items() + "    </EnumerationType>\n";
  words["fmi3_unknowns"] = outputs + unknowns;
}

// The XCP service of fmu_xcp.hpp, with the value references after those of the bench.
template <class Bench>
void add_fmu_xcp_words(const Description<Bench>& d, const std::string& bench, Words& words) {
  const auto option = [&](const char* type, const char* name, int i, const char* start, const char* meaning) {
    return std::string("    <") + type + " name=\"" + name + "\" valueReference=\"" + std::to_string(d.count + i) +
           "\" causality=\"parameter\" variability=\"fixed\" initial=\"exact\" start=\"" + start + "\" description=\"" +
           meaning + "\"/>\n";
  };
  words["fmi3_options"] =
      option("Boolean", "XCP.TCP.Enable", 0, "false", "starts the XCP service with the initialization") +
      option("UInt16", "XCP.TCP.Port", 1, "5555", "TCP port of the XCP service on the loopback interface");
  words["fmu_include"] = "#include <moreau/bench/fmu_xcp.hpp>\n";
  words["fmu_service"] = ", moreau::bench::XcpService<" + bench + ">";
}

}  // namespace moreau::bench::describe
