// The table an example ends with: what the paper prints, what an independent reference solution says, what this run
// got.
#pragma once
#include <cstdio>
#include <string>

namespace examples {

class Comparison {
 public:
  explicit Comparison(const char* title) {
    std::printf("\n%s\n%-52s %20s %20s %20s\n", title, "", "paper", "reference", "this run");
  }
  void row(const char* what, double paper, double reference, double ours) const {
    std::printf("%-52s %20.10g %20.10g %20.10g\n", what, paper, reference, ours);
  }
  // For what the paper only draws, or leaves out.
  void row(const char* what, double reference, double ours) const {
    std::printf("%-52s %20s %20.10g %20.10g\n", what, "-", reference, ours);
  }
  void row(const char* what, const char* paper, const char* reference, const char* ours) const {
    std::printf("%-52s %20s %20s %20s\n", what, paper, reference, ours);
  }
};

// Where an example writes its files: the folder named on the command line, or the current one.
inline std::string output(int count, char** words, const char* file) {
  return std::string(count > 1 ? words[1] : ".") + "/" + file;
}

}  // namespace examples
