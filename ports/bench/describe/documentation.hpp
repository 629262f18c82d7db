// Values for the documentation of an FMU (fmu.html.in, fmu_license.txt.in) and for its terminals (terminals.xml.in). The
// variables of a body or a joint, as crank.x and crank.phi, are the members of one terminal.
#pragma once
#include "description.hpp"

namespace moreau::bench::describe {

template <class Bench>
std::string documentation_rows(const Description<Bench>& d) {
  static const char* const kinds[] = {"time", "input", "parameter", "output"};
  std::string out;
  for (int i = 0; i < d.count; ++i) {
    const auto& v = d.of(i);
    const bool bounded =
        v.min > -std::numeric_limits<double>::infinity() || v.max < std::numeric_limits<double>::infinity();
    const auto cell = [&out](const std::string& plain) { out += "<td>" + escaped(plain) + "</td>"; };
    out += "<tr>";
    cell(text(v.name));
    cell(kinds[int(v.kind)]);
    cell(text(v.unit));
    cell(v.set != nullptr ? number(d.start(i)) : "");
    cell(bounded ? number(v.min) + " to " + number(v.max) : "");
    cell(v.meaning);
    out += "</tr>\n";
  }
  return out;
}

template <class Bench>
std::string terminals(const Description<Bench>& d) {
  std::map<std::string, std::string> members;  // of each terminal
  for (int i = 0; i < d.count; ++i) {
    const std::string full = text(d.of(i).name);
    const std::size_t dot = full.find('.');
    if (dot == std::string::npos) continue;
    members[full.substr(0, dot)] += "      <TerminalMemberVariable variableName=\"" + full + "\" memberName=\"" +
                                    full.substr(dot + 1) + "\" variableKind=\"signal\"/>\n";
  }
  std::string out;
  for (const auto& [name, list] : members)
    out += "    <Terminal name=\"" + name + "\" matchingRule=\"bus\">\n" + list + "    </Terminal>\n";
  return out.empty() ? out : "  <Terminals>\n" + out + "  </Terminals>\n";
}

template <class Bench>
void add_documentation_words(const Description<Bench>& d, const std::string& licence, Words& words) {
  words["description"] = "contacts, impacts and friction with a fixed internal step of " + number(Bench::dt) + " s";
  words["licence"] = licence;
  words["fmu_rows"] = documentation_rows(d);
  words["terminals"] = terminals(d);
}

}  // namespace moreau::bench::describe
