// Repeats one run, with any build of the program: with modified parameters, or to compare with the stored bits.
#pragma once
#include <charconv>
#include <cstring>
#include <string>
#include <vector>

#include "moreau/study/folder.hpp"
#include "moreau/study/program.hpp"

namespace moreau::study {

// Sets a parameter: NAME=VALUE.
inline void set_by_word(const Description& description, std::vector<double>& values, const std::string& word) {
  const std::size_t equals = std::min(word.find('='), word.size());
  for (std::size_t i = 0; i < values.size(); ++i) {
    if (description.parameters[i].column.name != word.substr(0, equals)) continue;
    double x = 0;
    const char* const end = word.data() + word.size();
    const auto parsed = std::from_chars(word.data() + std::min(equals + 1, word.size()), end, x);
    if (parsed.ec != std::errc{} || parsed.ptr != end) throw Refusal(Exit::usage, "'" + word + "' has no valid number");
    values[i] = x;
    return;
  }
  throw Refusal(Exit::usage, "'" + word + "' is not NAME=VALUE of a parameter");
}

// Compares results with the folder. Returns true if they are bit-identical, false if the folder or the run does not
// exist. Rejects different results and the folder of another study. Accepts another build: whether it is bit-identical
// is the purpose of the comparison.
inline bool compare_with_folder(const Program& program, const std::string& text, const std::string& path,
                                std::uint64_t run, const std::vector<double>& results) {
  if (::access((path + "/study.txt").c_str(), F_OK) != 0) return false;
  const std::string there_text = Folder::description(path);
  const auto without_build = [](std::string lines) {
    const std::size_t begin = lines.find("\nbuild ");
    return begin == std::string::npos ? lines : lines.erase(begin, lines.find('\n', begin + 1) - begin);
  };
  if (without_build(there_text) != without_build(text)) Folder(path, program.layout(text)).compare(text);
  const Folder there(path, program.layout(there_text));
  const Layout& layout = there.layout();
  const std::uint64_t block = run / layout.block_size;
  const Found found = there.read([block](std::uint64_t b) { return b == block; });
  if (found.blocks.empty()) return false;
  std::vector<double> rows;
  there.load(found, found.blocks.at(block), rows);
  const double* stored = rows.data() + (run - layout.first(block)) * layout.width;
  if (std::memcmp(stored, results.data(), results.size() * sizeof(double)) != 0)
    throw Refusal(Exit::refused, "this run has other results in '" + path + "': the two programs or machines differ");
  return true;
}

}  // namespace moreau::study
