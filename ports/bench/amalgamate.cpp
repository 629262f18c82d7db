// Generates the sources of an FMU: one file with the model, one with all code of the library and of Eigen that it uses.
//
//   amalgamate <depfile> <root.cpp> <model out> <library out> <library folder>... [-- <model's include folder>...]
//
// The depfile (compiler option -M) lists the files that a compilation reads; only these are written. Comments are
// removed except the opening ones (licences). Includes of compiler headers remain and come first in the library file,
// so that the rest of it can have hidden visibility: two FMUs in one process must not share symbols that merely have
// the same name.
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <set>
#include <sstream>
#include <string>
#include <vector>

namespace fs = std::filesystem;

namespace {

std::string text_of(const fs::path& path) {
  std::ifstream file(path, std::ios::binary);
  std::stringstream all;
  all << file.rdbuf();
  return all.str();
}

// Removes comments and empty lines except the opening comments. Line ends are kept, so directives remain lines.
std::string without_comments(const std::string& text) {
  std::size_t opening = 0;
  for (std::size_t line = 0; line < text.size() && (text[line] == '/' || text[line] == '\n'); opening = line)
    line = std::min(text.find('\n', line), text.size() - 1) + 1;
  if (text.compare(0, 2, "/*") == 0) opening = std::min(text.find("*/"), text.size() - 2) + 2;
  std::string out = text.substr(0, opening), line;
  char quote = 0;
  for (std::size_t i = opening; i < text.size(); ++i) {
    const bool digit_separator = text[i] == '\'' && i > 0 && std::isxdigit(static_cast<unsigned char>(text[i - 1]));
    if (quote == 0 && text.compare(i, 2, "//") == 0) {
      i = std::min(text.find('\n', i), text.size());
      --i;
    } else if (quote == 0 && text.compare(i, 2, "/*") == 0) {
      i = std::min(text.find("*/", i + 2), text.size() - 2) + 1;
      line += ' ';
    } else if (text[i] == '\n') {
      const bool ends_a_macro = out.size() > 1 && out[out.size() - 2] == '\\';
      if (ends_a_macro || line.find_first_not_of(" \t\r") != std::string::npos) out += line + '\n';
      line.clear();
      quote = 0;
    } else {
      if (quote != 0 && text[i] == '\\')
        line += text[i++];
      else if (quote != 0 && text[i] == quote)
        quote = 0;
      else if (quote == 0 && (text[i] == '"' || (text[i] == '\'' && !digit_separator)))
        quote = text[i];
      line += text[i];
    }
  }
  return out + line + '\n';
}

struct Amalgam {
  std::set<fs::path> read;                      // files read by the compilation
  std::vector<fs::path> library, of_the_model;  // include folders
  std::set<fs::path> written;
  std::vector<std::string> of_the_compiler;  // compiler headers, kept as includes
  std::string model_text, library_text;
  bool library_included = false;

  bool is_library(const fs::path& path) const {
    for (const auto& folder : library)
      for (const char* part : {"moreau", "Eigen"})  // subfolders: the include folder may belong to the compiler as well
        if (path.string().rfind((folder / part).string() + "/", 0) == 0) return true;
    return false;
  }

  // Returns the file that an include refers to, or an empty path for a compiler header.
  fs::path resolve(const std::string& name, bool quoted, const fs::path& from) const {
    const auto in = [&](const fs::path& folder) {
      const auto path = (folder / name).lexically_normal();
      return read.count(path) != 0 ? path : fs::path();
    };
    if (quoted && !in(from.parent_path()).empty()) return in(from.parent_path());
    for (const auto& folder : library)
      if (is_library(in(folder))) return in(folder);
    for (const auto& folder : of_the_model)
      if (!in(folder).empty()) return in(folder);
    return {};
  }
  bool compilation_read(const std::string& name) const {
    for (const auto& path : read)
      if (path.string().size() > name.size() &&
          path.string().compare(path.string().size() - name.size() - 1, std::string::npos, "/" + name) == 0)
        return true;
    return false;
  }

  void add(const fs::path& path) {
    const std::string text = without_comments(text_of(path));
    const bool once = text.find("#pragma once") != std::string::npos || text.find("#ifndef") < text.find("#include");
    if (once && !written.insert(path).second) return;
    std::istringstream lines(text);
    std::string out, line;
    const auto flush = [&] {
      (is_library(path) ? library_text : model_text) += out;
      out.clear();
    };
    while (std::getline(lines, line)) {
      const std::size_t at = std::min(line.find_first_not_of(" \t"), line.size());
      if (line.compare(at, 12, "#pragma once") == 0) continue;
      char name[512], open = 0;
      if (std::sscanf(line.c_str() + at, "# include %c%511[^\">]", &open, name) != 2 || (open != '"' && open != '<')) {
        out += line + '\n';
        continue;
      }
      const fs::path other = resolve(name, open == '"', path);
      if (!other.empty()) {
        if (is_library(other) && !is_library(path) && !library_included) {
          out += "#include \"moreau_library.hpp\"\n";
          library_included = true;
        }
        flush();
        add(other);
      } else {
        if (open == '<' && compilation_read(name)) of_the_compiler.push_back(name);
        out += line + '\n';
      }
    }
    flush();
  }
};

std::set<fs::path> read_depfile(const char* path) {
  std::ifstream file(path);
  std::set<fs::path> found;
  std::string word;
  while (file >> word)
    if (word != "\\" && word.back() != ':') found.insert(fs::path(word).lexically_normal());
  return found;
}

}  // namespace

int main(int argc, char** argv) {
  if (argc < 6)
    return std::cerr << "amalgamate <depfile> <root> <model out> <library out> <folder>... [-- <folder>...]\n", 2;
  Amalgam all;
  all.read = read_depfile(argv[1]);
  bool of_the_model = false;
  for (int i = 5; i < argc; ++i) {
    if (std::string(argv[i]) == "--")
      of_the_model = true;
    else
      (of_the_model ? all.of_the_model : all.library).push_back(fs::path(argv[i]).lexically_normal());
  }
  all.add(fs::path(argv[2]).lexically_normal());
  if (all.library_text.empty()) return std::cerr << "amalgamate:  no file of the library in " << argv[2] << "\n", 1;

  std::string head =
      "// Code of moreau (MIT) and Eigen (MPL 2.0) that the model uses, generated by moreau's amalgamate.\n"
      "#ifndef MOREAU_LIBRARY\n#define MOREAU_LIBRARY\n#define EIGEN_DONT_VECTORIZE\n#define EIGEN_NO_DEBUG\n";
  std::set<std::string> seen;
  for (const auto& name : all.of_the_compiler) {
    const bool of_x86 = name.find("mmintrin.h") != std::string::npos;  // compilers for Arm have files of these names
    const std::string only = of_x86 ? " && (defined(__SSE2__) || defined(_M_X64))" : "";
    if (seen.insert(name).second)
      head += "#if __has_include(<" + name + ">)" + only + "\n#include <" + name + ">\n#endif\n";
  }
  const std::string hide = "#if defined(__GNUC__)\n#pragma GCC visibility push(hidden)\n#endif\n";
  std::ofstream(argv[4], std::ios::binary) << head << hide << all.library_text << "#endif\n";
  std::ofstream(argv[3], std::ios::binary) << all.model_text;
  return 0;
}
