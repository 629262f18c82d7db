// Command-line options: --name value, --switch, and positional numbers.
#pragma once
#include <charconv>
#include <map>
#include <string>
#include <vector>

#include "moreau/study/block_record.hpp"

namespace moreau::study {

class Options {
 public:
  // `known`: allowed options; a name that ends in "!" is a switch without a value.
  Options(int count, char** words, const std::vector<std::string>& known) {
    for (int i = 2; i < count; ++i) {
      const std::string word = words[i];
      if (word.rfind("--", 0) != 0) {
        alone_.push_back(word);
        continue;
      }
      const bool is_switch = contains(known, word.substr(2) + '!');
      if (!is_switch && !contains(known, word.substr(2))) throw Refusal(Exit::usage, "unknown option " + word);
      if (!is_switch && i + 1 >= count) throw Refusal(Exit::usage, word + " needs a value");
      if (!given_.emplace(word.substr(2), is_switch ? "" : words[++i]).second)
        throw Refusal(Exit::usage, word + " is given twice");
    }
  }

  bool has(const std::string& name) const { return given_.count(name) != 0; }
  std::string text(const std::string& name, const std::string& otherwise) const {
    const auto found = given_.find(name);
    return found == given_.end() ? otherwise : found->second;
  }
  std::uint64_t number(const std::string& name, std::uint64_t otherwise, std::uint64_t least,
                       std::uint64_t most) const {
    return has(name) ? parse(text(name, ""), "--" + name, least, most) : otherwise;
  }
  const std::vector<std::string>& alone() const { return alone_; }

  static std::uint64_t parse(const std::string& word, const std::string& what, std::uint64_t least,
                             std::uint64_t most) {
    std::uint64_t x = 0;
    const auto [end, error] = std::from_chars(word.data(), word.data() + word.size(), x);
    if (error != std::errc{} || end != word.data() + word.size() || x < least || x > most)
      throw Refusal(Exit::usage, what + " must be a number from " + std::to_string(least) + " to " +
                                     std::to_string(most) + ", not '" + word + "'");
    return x;
  }
  static double real(const std::string& word, const std::string& what, double least, double most) {
    double x = 0;
    const auto [end, error] = std::from_chars(word.data(), word.data() + word.size(), x);
    if (error == std::errc{} && end == word.data() + word.size() && x >= least && x <= most) return x;
    throw Refusal(Exit::usage, "'" + word + "' is not " + what);
  }

 private:
  static bool contains(const std::vector<std::string>& names, const std::string& name) {
    return std::find(names.begin(), names.end(), name) != names.end();
  }

  std::map<std::string, std::string> given_;
  std::vector<std::string> alone_;
};

}  // namespace moreau::study
