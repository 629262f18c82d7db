// Folder of a fit: finished ensembles, so that an interrupted fit continues, and the result for `follow`, `validate`.
//
//   tasks.txt    mark of program, record and options; one line of numbers per ensemble, which ends in "."
//   fit.txt      one line per parameter: name, value, low, high, logit, deviation
//
// An incomplete last line is ignored. A folder of another program, record or option is started anew.
#pragma once
#include <sys/stat.h>

#include <cstdio>
#include <map>
#include <sstream>

#include "moreau/identify/fit.hpp"
#include "moreau/workstation/output_file.hpp"

namespace moreau::identify {

// Returns the shortest decimal that reads back as the same number.
inline std::string decimal(double x) {
  char text[40];
  return {text, std::to_chars(text, text + sizeof text, x).ptr};
}

template <class Description>
class FitFolder {
  using Estimate = identify::Estimate<Description>;

 public:
  FitFolder(const std::string& path, std::uint64_t mark) : path_(path), mark_(std::to_string(mark)) {
    if (::mkdir(path.c_str(), 0777) != 0 && errno != EEXIST) study::disk_error(path, "cannot be created");
    if (!read_tasks()) begin();
  }
  ~FitFolder() {
    if (file_) std::fclose(file_);
  }
  FitFolder(const FitFolder&) = delete;
  FitFolder& operator=(const FitFolder&) = delete;

  std::size_t stored() const { return tasks_.size(); }

  bool get(char kind, int index, Estimate& to) const {
    const auto found = tasks_.find({kind, index});
    if (found == tasks_.end()) return false;
    to = found->second;
    return true;
  }
  void put(char kind, int index, Estimate& estimate) {
    std::string line = std::string(1, kind) + ' ' + std::to_string(index);
    estimate.each([&](double x) { line += ' ' + decimal(x); });
    line += " .\n";
    const std::lock_guard<std::mutex> guard(mutex_);
    if (std::fwrite(line.data(), 1, line.size(), file_) != line.size() || std::fflush(file_) != 0)
      study::disk_error(path_ + "/tasks.txt", "cannot be written");
  }

  void write(const Description& d, const Fit<Description>& fit) const { write_file(path_, d, fit.parameters); }
  static void write_file(const std::string& path, const Description& d, const std::vector<ParameterFit>& parameters) {
    workstation::OutputFile file(path + "/fit.txt");
    for (std::size_t p = 0; p < parameters.size(); ++p) {
      const ParameterFit& one = parameters[p];
      std::string line = d.parameter_of[p].name;
      for (const double x : {one.value, one.low, one.high, one.logit, one.deviation}) line += ' ' + decimal(x);
      file.write((line + '\n').data(), line.size() + 1);
    }
    if (!file.close()) throw Refusal(Exit::disk, file.what());
  }
  // Returns the result of an earlier fit.
  static std::vector<ParameterFit> read_file(const std::string& path, const Description& d) {
    std::ifstream in(path + "/fit.txt");
    std::vector<ParameterFit> all;
    std::string line;
    for (int p = 0; p < d.parameters && std::getline(in, line); ++p) {
      std::istringstream words(line);
      std::string name, word;
      ParameterFit one;
      words >> name;
      bool complete = name == d.parameter_of[std::size_t(p)].name;
      for (double* x : {&one.value, &one.low, &one.high, &one.logit, &one.deviation}) {
        words >> word;
        complete = complete && std::from_chars(word.data(), word.data() + word.size(), *x).ec == std::errc{};
      }
      if (complete) all.push_back(one);
    }
    if (all.size() != std::size_t(d.parameters))
      throw Refusal(Exit::refused, path + "/fit.txt is not a fit of this description: run fit first");
    return all;
  }

 private:
  bool read_tasks() {
    std::ifstream in(path_ + "/tasks.txt");
    std::string line;
    if (!std::getline(in, line) || line != mark_) return false;
    std::string sound = mark_ + '\n';
    while (std::getline(in, line)) {
      std::istringstream words(line);
      char kind = 0;
      int index = -1;
      std::string word;
      words >> kind >> index;
      Estimate e;
      bool complete = true;
      e.each([&](double& x) {
        words >> word;
        complete = complete && std::from_chars(word.data(), word.data() + word.size(), x).ec == std::errc{};
      });
      if (!(words >> word) || word != "." || !complete) break;
      tasks_[{kind, index}] = e;
      sound += line + '\n';
    }
    in.close();
    file_ = std::fopen((path_ + "/tasks.txt").c_str(), "wb");
    if (!file_ || std::fwrite(sound.data(), 1, sound.size(), file_) != sound.size())
      study::disk_error(path_ + "/tasks.txt", "cannot be written");
    return true;
  }
  void begin() {
    file_ = std::fopen((path_ + "/tasks.txt").c_str(), "wb");
    if (!file_ || std::fprintf(file_, "%s\n", mark_.c_str()) < 0)
      study::disk_error(path_ + "/tasks.txt", "cannot be written");
  }

  const std::string path_, mark_;
  std::map<std::pair<char, int>, Estimate> tasks_;
  std::FILE* file_ = nullptr;
  std::mutex mutex_;
};

}  // namespace moreau::identify
