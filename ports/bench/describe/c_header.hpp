// Values for the template c_interface.h.in: sizes, statuses and variables of a bench.
#pragma once
#include "description.hpp"

namespace moreau::bench::describe {

template <class Bench>
Words c_words(const Description<Bench>& d) {
  using Calls = CInterface<Bench>;
  const std::string NAME = macro_name(d.name);
  const auto define = [&NAME](const char* what, const std::string& value) {
    return "#define " + NAME + "_" + what + " " + value + "\n";
  };
  const std::string constants = define("ABI", std::to_string(c_abi)) + define("SIZE", std::to_string(Calls::size)) +
                                define("ALIGNMENT", std::to_string(Calls::alignment)) +
                                define("SAVED_SIZE", std::to_string(Calls::saved)) +
                                define("DT", number(Bench::dt) + " /* s */");
  std::string statuses, variables;
  for (int i = 0; i < moreau::bench::detail::answers; ++i)
    statuses += "  " + NAME + "_" + macro_name(sentence(Answer(i)).name) + " = " + std::to_string(i) +
                (i + 1 < moreau::bench::detail::answers ? "," : "") + " /* " + sentence(Answer(i)).text + " */\n";
  for (int i = 0; i < d.count; ++i)
    variables += "  " + NAME + "_VAR_" + macro_name(text(d.of(i).name)) + " = " + std::to_string(i) + ", /* " +
                 text(d.of(i).unit) + " */\n";
  variables += "  " + NAME + "_VARIABLES = " + std::to_string(d.count);
  statuses.pop_back();  // the template ends the line
  return {{"name", d.name},       {"NAME", NAME},           {"version", d.tool}, {"constants", constants},
          {"statuses", statuses}, {"variables", variables}, {"token", d.token}};
}

}  // namespace moreau::bench::describe
