// Page with recorded runs: one HTML file, without server and network.
//
//   const auto written = write_page("crank.html", {report.run()});
//   if (!written.ok) std::puts(written.why.c_str());
//
// Two runs are shown side by side. The parts of the page are in ports/workstation/report. dygraphs (Debian's
// libjs-dygraphs) draws the plots and is embedded when the page is written. Without it, the page has only its animation
// and a notice.
#pragma once
#include "moreau/workstation/run.hpp"
#include "moreau/workstation/written.hpp"

namespace moreau::workstation {

// Location of the page's parts, set by CMake's target moreau::workstation.
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

// Returns the text that replaces `{{name}}` in a page.
inline Written page_part(const PageFiles& files, const std::string& name, std::string& text) {
  const bool of_dygraphs = name.rfind("dygraph", 0) == 0;
  const std::filesystem::path path = std::filesystem::path(of_dygraphs ? files.dygraphs : files.report) / name;
  text.clear();
  if (!read_file(path, text) && !of_dygraphs) return {false, missing(path.string())};
  if (text.find("</script") != std::string::npos || text.find("</style") != std::string::npos)
    return {false, path.string() + " would end its own element of the page"};
  return {};
}

// Returns the scripts that draw mechanisms in space, if one of the runs needs them.
inline Written scripts_in_space(const PageFiles& files, const std::vector<std::string>& runs, std::string& scripts) {
  bool needed = false;
  for (const auto& run : runs) needed = needed || run.find("\"space\":true") != std::string::npos;
  for (const char* name : {"space.js", "solids.js", "raster.js", "space_stage.js"}) {
    std::string text;
    if (!needed) continue;
    if (const Written found = page_part(files, name, text); !found.ok) return found;
    scripts += text;
  }
  return {};
}

}  // namespace detail

// Reads a run written by Report::keep and makes it safe for a page. Rejects any other file.
inline Written read_run(const std::string& path, std::string& run) {
  std::string text;
  if (!detail::read_file(path, text)) return {false, "cannot read " + path};
  run.clear();
  std::string open;  // brackets that are not closed yet
  bool inside = false, escaped = false, ended = false;
  for (const char c : text) {
    if (ended && c != '\n') return {false, path + " has data after its run"};
    const bool markup = c == '<' || c == '>' || c == '&';
    if (markup && !inside) return {false, path + " is not JSON"};
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
      if (open.empty() || open.back() != (c == '}' ? '{' : '[')) return {false, path + " has unbalanced brackets"};
      open.pop_back();
      ended = open.empty();
    }
  }
  if (!ended) return {false, path + " is truncated"};
  if (run.rfind("{\"format\":\"moreau run 1\"", 0) != 0) return {false, path + " is not a run of a report"};
  return {};
}

// Fills a template, in which {{title}} and {{name}} are replaced. more(name, text) supplies parts by name and returns
// false for others, which are files of the report.
template <class More>
Written fill_template(const std::string& form, const std::string& title, const More& more, std::string& out,
                      const PageFiles& files = {}) {
  std::string page, part;
  out.clear();
  if (!detail::read_file(form, page)) return {false, detail::missing(form)};
  std::size_t done = 0;
  for (std::size_t from; (from = page.find("{{", done)) != std::string::npos;) {
    const std::size_t to = page.find("}}", from);
    if (to == std::string::npos) break;
    const std::string name = page.substr(from + 2, to - from - 2);
    out.append(page, done, from - done);
    done = to + 2;
    if (name == "title") {
      out += detail::html_text(title);
    } else {
      const Written found = more(name, part) ? Written{} : detail::page_part(files, name, part);
      if (!found.ok) return found;
      out += part;
    }
  }
  out.append(page, done, std::string::npos);
  return {};
}

template <class More>
Written write_template(const std::string& form, const std::string& path, const std::string& title, const More& more,
                       const PageFiles& files = {}) {
  std::string page;
  const Written filled = fill_template(form, title, more, page, files);
  return filled.ok ? detail::write_file(path, page) : filled;
}

inline Written write_page(const std::string& path, const std::string& title, const std::vector<std::string>& runs,
                          const PageFiles& files = {}) {
  Json data;
  data.open('[');
  for (const auto& run : runs) data.raw(run);
  data.close(']');
  std::string space;
  if (const Written found = detail::scripts_in_space(files, runs, space); !found.ok) return found;
  const auto more = [&](const std::string& name, std::string& text) {
    const bool mine = name == "runs" || name == "space";
    if (mine) text = name == "runs" ? data.str() : space;
    return mine;
  };
  return write_template((std::filesystem::path(files.report) / "page.html").string(), path, title, more, files);
}

// Writes a page of runs after checking times, column lengths and body numbers; rejects inconsistent runs.
inline Written write_page(const std::string& path, const std::vector<Run>& runs, const PageFiles& files = {}) {
  std::vector<std::string> data;
  for (const Run& run : runs) {
    if (const std::string fault = fault_of(run); !fault.empty()) return {false, run.title + ": " + fault};
    data.push_back(json_of(run));
  }
  return write_page(path, runs.empty() ? "" : runs.front().title, data, files);
}

}  // namespace moreau::workstation
