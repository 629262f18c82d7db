// Program that bench.cmake builds for every bench:
//
//   describe <name> <templates> <output folder> <model's file> <bench> [xcp]
//
// Checks the bench and writes its generated files.
#pragma once
#include <moreau/workstation/written.hpp>

#include "a2l.hpp"
#include "c_header.hpp"
#include "documentation.hpp"
#include "fmi2.hpp"
#include "fmi3.hpp"

namespace moreau::bench::describe {

template <class Bench>
int run(int argc, char** argv) {
  const bool xcp = argc == 7 && std::string(argv[6]) == "xcp";
  if (argc != 6 && !xcp) return std::fprintf(stderr, "describe <name> <templates> <output> <model> <bench> [xcp]\n"), 2;
  const std::string name = argv[1], templates = argv[2], output = argv[3];
  const Checks<Bench> checks;
  for (const auto& finding : checks.findings) std::fprintf(stderr, "bench %s: %s\n", argv[1], finding.c_str());
  if (!checks.findings.empty()) return 1;

  const Description<Bench> description(name);
  Words words = c_words(description);
  words["model"] = argv[4];
  words["bench"] = argv[5];
  words["step"] = number(Bench::dt);
  words["stop"] = number(default_steps * Bench::dt);  // s, default experiment
  words["unit_definitions"] = description.unit_definitions();
  add_fmi2_words(description, words);
  add_fmi3_words(description, words);
  if (xcp) add_fmu_xcp_words(description, argv[5], words);
  add_a2l_words(description, words);
  std::string licence, why;
  if (!workstation::detail::read_file(templates + "/../../LICENSE", licence)) why = "cannot read the file LICENSE";
  add_documentation_words(description, licence, words);
  const auto fill = [&](const std::string& form, const std::string& file) {
    std::string text;
    if (!why.empty()) return;
    if (!workstation::detail::read_file(templates + "/" + form, text))
      why = "cannot read " + templates + "/" + form;
    else
      why = workstation::detail::write_file(output + "/" + file, filled(text, words)).why;
  };
  fill("c_interface.h.in", name + ".h");
  fill("c_interface.cpp.in", name + "_c.cpp");
  fill("hal.c.in", name + "_hal.c");
  for (const char* version : {"fmi2", "fmi3"})
    for (const char* ending : {".cpp", ".xml"})
      fill(std::string(version) + ending + ".in", name + "_" + version + ending);
  fill("fmi3.build.xml.in", name + "_fmi3.build.xml");
  fill("a2l.in", name + ".a2l");
  words["a2l_udp"] = "";
  fill("a2l.in", name + "_fmu.a2l");
  fill("fmu_xcp.xml.in", name + "_fmu_xcp.xml");
  fill("terminals.xml.in", name + "_terminals.xml");
  fill("fmu.html.in", name + "_fmu.html");
  fill("fmu_license.txt.in", name + "_license.txt");
  if (!why.empty()) std::fprintf(stderr, "bench %s: %s\n", argv[1], why.c_str());
  return why.empty() ? 0 : 1;
}

}  // namespace moreau::bench::describe
