// Comparison table of an example: values of the paper, of an independent reference solution, and of this run.
#pragma once
#include <cstdio>
#include <string>

namespace examples {

class Comparison {
 public:
  explicit Comparison(const char* title) {
    std::printf("\n%s\n%-52s %20s %20s %20s\n", title, "", "paper", "reference", "this run");
  }
  void row(const char* quantity, double paper, double reference, double run) const {
    std::printf("%-52s %20.10g %20.10g %20.10g\n", quantity, paper, reference, run);
  }
  // For a quantity without a printed value in the paper.
  void row(const char* quantity, double reference, double run) const {
    std::printf("%-52s %20s %20.10g %20.10g\n", quantity, "-", reference, run);
  }
  void row(const char* quantity, const char* paper, const char* reference, const char* run) const {
    std::printf("%-52s %20s %20s %20s\n", quantity, paper, reference, run);
  }
};

// Path of an output file: in the folder given on the command line, by default the current one.
inline std::string output(int count, char** words, const char* file) {
  return std::string(count > 1 ? words[1] : ".") + "/" + file;
}

}  // namespace examples
