// A page that shows recorded runs: one file, without a server, without a network.
//
//   const auto written = write_page("crank.html", {report.run()});
//   if (!written.ok) std::puts(written.why.c_str());
//
// Two runs are shown beside each other. The page's own files are in ports/workstation/report; its plots are drawn by
// dygraphs (Debian's libjs-dygraphs), put in when a page is written. Without it the page has its animation and says
// what is missing.
#pragma once
#include "moreau/workstation/run.hpp"
#include "moreau/workstation/written.hpp"

namespace moreau::workstation {

// Where a page's parts are: set by CMake's target moreau::workstation.
struct PageFiles {
#ifdef MOREAU_REPORT_FILES
  std::string report = MOREAU_REPORT_FILES;
#else
  std::string report = "ports/workstation/report";
#endif
  std::string dygraphs = "/usr/share/javascript/dygraphs";
};

namespace detail {

inline std::string html_text(const std::string& words) {
  std::string out;
  for (const char c : words) switch (c) {
      case '&':
        out += "&amp;";
        break;
      case '<':
        out += "&lt;";
        break;
      case '>':
        out += "&gt;";
        break;
      default:
        out += c;
    }
  return out;
}

inline std::string missing(const std::string& file) {
  return "a page needs the file " + file +
         ": define MOREAU_REPORT_FILES as the folder ports/workstation/report of moreau (CMake's moreau::workstation "
         "does)";
}

// What stands in a page for `{{name}}`.
inline Written page_part(const PageFiles& files, const std::string& name, std::string& text) {
  const bool of_dygraphs = name.rfind("dygraph", 0) == 0;
  const std::filesystem::path path = std::filesystem::path(of_dygraphs ? files.dygraphs : files.report) / name;
  text.clear();
  if (!read_file(path, text) && !of_dygraphs) return {false, missing(path.string())};
  if (text.find("</script") != std::string::npos || text.find("</style") != std::string::npos)
    return {false, path.string() + " would end its own element of the page"};
  return {};
}

}  // namespace detail

// A run that Report::keep has written, made safe for a page whatever the file holds. What is no such file is refused.
inline Written read_run(const std::string& path, std::string& run) {
  std::string text;
  if (!detail::read_file(path, text)) return {false, "cannot read " + path};
  run.clear();
  std::string open;  // brackets that are not closed yet
  bool inside = false, escaped = false, ended = false;
  for (const char c : text) {
    if (ended && c != '\n') return {false, path + " goes on after its run"};
    const bool markup = c == '<' || c == '>' || c == '&';
    if (markup && !inside) return {false, path + " is no JSON"};
    if (markup) {
      char escape[8];
      std::snprintf(escape, sizeof escape, "\\u%04x", static_cast<unsigned>(c));
      run += escape;
    } else {
      run += c;
    }
    if (inside) {
      if (!escaped && c == '"') inside = false;
      escaped = !escaped && c == '\\';
      continue;
    }
    if (c == '"') inside = true;
    if (c == '{' || c == '[') open += c;
    if (c == '}' || c == ']') {
      if (open.empty() || open.back() != (c == '}' ? '{' : '['))
        return {false, path + " has brackets that do not match"};
      open.pop_back();
      ended = open.empty();
    }
  }
  if (!ended) return {false, path + " ends before its run does"};
  if (run.rfind("{\"format\":\"moreau run 1\"", 0) != 0) return {false, path + " is no run of a report"};
  return {};
}

inline Written write_page(const std::string& path, const std::string& title, const std::vector<std::string>& runs,
                          const PageFiles& files = {}) {
  std::string page, out, part;
  if (!detail::read_file(std::filesystem::path(files.report) / "page.html", page))
    return {false, detail::missing(files.report + "/page.html")};
  Json data;
  data.open('[');
  for (const auto& run : runs) data.raw(run);
  data.close(']');
  std::size_t done = 0;
  for (std::size_t from; (from = page.find("{{", done)) != std::string::npos;) {
    const std::size_t to = page.find("}}", from);
    if (to == std::string::npos) break;
    const std::string name = page.substr(from + 2, to - from - 2);
    out.append(page, done, from - done);
    if (name == "title") {
      out += detail::html_text(title);
    } else if (name == "runs") {
      out += data.str();
    } else {
      const Written found = detail::page_part(files, name, part);
      if (!found.ok) return found;
      out += part;
    }
    done = to + 2;
  }
  out.append(page, done, std::string::npos);
  return detail::write_file(path, out);
}

// The same of runs whose columns and numbers of bodies fit; others are refused.
inline Written write_page(const std::string& path, const std::vector<Run>& runs, const PageFiles& files = {}) {
  std::vector<std::string> data;
  for (const Run& run : runs) {
    if (const std::string fault = fault_of(run); !fault.empty()) return {false, run.title + ": " + fault};
    data.push_back(json_of(run));
  }
  return write_page(path, runs.empty() ? "" : runs.front().title, data, files);
}

}  // namespace moreau::workstation
