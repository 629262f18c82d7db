// Values for the template fmi2.xml.in: the variables of an FMU 2.0.
#pragma once
#include "description.hpp"

namespace moreau::bench::describe {

template <class Bench>
void add_fmi2_words(const Description<Bench>& d, Words& words) {
  std::string variables, unknowns;
  for (int i = 0; i < d.count; ++i) {
    const auto& v = d.of(i);
    static const char* const kinds[] = {
        R"(causality="independent" variability="continuous")", R"(causality="input" variability="continuous")",
        R"(causality="parameter" variability="tunable" initial="exact")",
        R"(causality="output" variability="continuous")", R"(causality="output" variability="discrete")"};
    variables += "    <ScalarVariable name=\"" + text(v.name) + "\" valueReference=\"" + std::to_string(i) + "\" " +
                 kinds[v.whole ? 4 : int(v.kind)] + d.meaning(i) + ">\n      <" +
                 (v.status  ? "Enumeration declaredType=\"Status\""
                  : v.whole ? "Integer"
                            : "Real") +
                 d.attributes(i) + "/>\n    </ScalarVariable>\n";
    if (v.kind == Kind::output) unknowns += "      <Unknown index=\"" + std::to_string(i + 1) + "\"/>\n";
  }
  words["fmi2_variables"] = variables;
  words["fmi2_status"] = "    <SimpleType name=\"Status\">\n      <Enumeration>\n" + d.status_items() +
                         "      </Enumeration>\n    </SimpleType>\n";
  words["fmi2_unknowns"] = unknowns;
}

}  // namespace moreau::bench::describe
