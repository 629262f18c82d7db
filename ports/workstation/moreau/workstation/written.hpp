// Writes whole files and reports the result.
#pragma once
#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>

#include "moreau/workstation/output_file.hpp"

namespace moreau::workstation {

struct Written {
  bool ok = true;
  std::string why;  // the error as a sentence, if not ok
};

namespace detail {

inline bool read_file(const std::filesystem::path& path, std::string& text) {
  std::ifstream file(path, std::ios::binary);
  std::ostringstream all;
  all << file.rdbuf();
  text = all.str();
  return file.good() && !text.empty();
}

inline Written write_file(const std::string& path, const std::string& text) {
  std::error_code ignored;  // errors show when the file is opened
  std::filesystem::create_directories(std::filesystem::path(path).parent_path(), ignored);
  OutputFile file(path);
  file.write(text.data(), text.size());
  if (!file.close()) return {false, file.what()};
  return {};
}

}  // namespace detail
}  // namespace moreau::workstation
