// HTML page of a fit: table of parameters, measured and predicted values, innovations, parameters along the record, and
// pairs of parameters. One file without external references; the charts are SVG.
#pragma once
#include "moreau/identify/fit.hpp"
#include "moreau/workstation/output_file.hpp"

namespace moreau::identify {

// Curve of a chart: a line, or points if `dots`.
struct Curve {
  const char* colour;
  std::vector<double> x, y;
  bool dots = false;
};

namespace detail {

inline std::string number_text(double x) {
  char text[32];
  std::snprintf(text, sizeof text, "%.4g", x);
  return text;
}
inline std::string escaped(const std::string& text) {
  std::string all;
  for (const char c : text) all += c == '<' ? "&lt;" : c == '&' ? "&amp;" : std::string(1, c);
  return all;
}

struct Extent {
  double least = std::numeric_limits<double>::infinity(), most = -std::numeric_limits<double>::infinity();
  void add(const std::vector<double>& all) {
    for (const double x : all)
      if (std::isfinite(x)) least = std::min(least, x), most = std::max(most, x);
  }
  double at(double x, double from, double to) const {
    return most > least ? from + (x - least) / (most - least) * (to - from) : (from + to) / 2;
  }
};

}  // namespace detail

// Returns a chart of at most 1500 points per curve.
inline std::string chart(const std::string& title, const std::vector<Curve>& curves, int width = 900,
                         int height = 220) {
  detail::Extent x, y;
  for (const auto& c : curves) x.add(c.x), y.add(c.y);
  const double left = 70, right = width - 10, top = 24, bottom = height - 22;
  const auto text = [](double at_x, double at_y, const char* anchor, const std::string& what) {
    return "<text x='" + detail::number_text(at_x) + "' y='" + detail::number_text(at_y) + "' text-anchor='" + anchor +
           "'>" + detail::escaped(what) + "</text>";
  };
  std::string svg = "<svg width='" + std::to_string(width) + "' height='" + std::to_string(height) + "'>";
  svg += text(left, 15, "start", title);
  svg += text(left - 4, top + 8, "end", detail::number_text(y.most)) +
         text(left - 4, bottom, "end", detail::number_text(y.least));
  svg += text(left, height - 6, "start", detail::number_text(x.least)) +
         text(right, height - 6, "end", detail::number_text(x.most));
  svg += "<rect x='70' y='24' width='" + detail::number_text(right - left) + "' height='" +
         detail::number_text(bottom - top) + "'/>";
  for (const auto& c : curves) {
    const std::size_t stride = 1 + c.x.size() / 1500;
    std::string points;
    for (std::size_t i = 0; i < c.x.size(); i += stride) {
      if (!std::isfinite(c.y[i])) continue;
      const std::string px = detail::number_text(x.at(c.x[i], left, right)),
                        py = detail::number_text(y.at(c.y[i], bottom, top));
      points +=
          c.dots ? "<circle cx='" + px + "' cy='" + py + "' r='1.3' fill='" + c.colour + "'/>" : px + ',' + py + ' ';
    }
    svg += c.dots ? points : std::string("<polyline stroke='") + c.colour + "' points='" + points + "'/>";
  }
  return svg + "</svg>\n";
}

inline void write_page(const std::string& path, const std::string& title, const std::string& body) {
  workstation::OutputFile file(path);
  const std::string page = "<!DOCTYPE html><html lang='en'><meta charset='utf-8'><title>" + detail::escaped(title) +
                           "</title><style>body{font:14px sans-serif;max-width:920px;margin:auto}svg{font-size:11px}"
                           "svg rect{fill:none;stroke:#999}polyline{fill:none}td,th{padding:2px 10px;text-align:right}"
                           ".bad{color:#b00}</style><h1>" +
                           detail::escaped(title) + "</h1>\n" + body + "</html>\n";
  file.write(page.data(), page.size());
  if (!file.close()) throw Refusal(Exit::disk, file.what());
}

// Text of a verdict for a table.
inline std::string verdict_text(const ParameterFit& one) {
  std::string text;
  if (one.found == Found::not_found) text = "not found";
  if (one.found == Found::at_least) text = "at least " + detail::number_text(one.low);
  if (one.found == Found::at_most) text = "at most " + detail::number_text(one.high);
  if (one.found == Found::at_bound) text = "at the end of its range";
  if (!one.ridge.empty()) text += (text.empty() ? "coupled with " : ", coupled with ") + one.ridge;
  return text;
}

// Returns the body of a page. One more pass with the answer as prior supplies the curves.
template <int members, class Description>
std::string page_of(const Description& d, const std::vector<typename Description::Sample>& rows,
                    const Fit<Description>& fit, const FitOptions& o) {
  std::string body = "<table><tr><th>parameter<th>value<th>90 % from<th>to<th>unit<th>spread of ensembles<th></tr>\n";
  for (std::size_t p = 0; p < fit.parameters.size(); ++p) {
    const ParameterFit& one = fit.parameters[p];
    body += std::string("<tr><th>") + d.parameter_of[p].name;
    for (const double x : {one.value, one.low, one.high}) body += "<td>" + detail::number_text(x);
    body += std::string("<td>") + d.parameter_of[p].unit + "<td>" + detail::number_text(one.spread) +
            "<td class='bad'>" + verdict_text(one) + "</tr>\n";
  }
  body += "</table>\n";
  if (!fit.explained())
    body += "<p class='bad'>The model does not explain the record: do not rely on the intervals.</p>\n";

  // Run one pass.
  const auto filter = std::make_unique<Filter<Description, members>>(d);
  auto prior = fit.belief();
  for (auto& deviation : prior.deviation) deviation = std::min(1.0, deviation + 0.15);
  std::vector<double> t;
  std::vector<std::vector<double>> predicted(std::size_t(d.channels)), residual(predicted);
  std::vector<std::array<std::vector<double>, 3>> path(std::size_t(d.parameters));
  for (std::size_t c = 0; c < predicted.size(); ++c) filter->sigma[c] *= o.least_noise * fit.factor[c];
  auto first_noise = filter->sigma;
  for (double& sigma : first_noise) sigma *= o.coarse / o.least_noise;
  detail::run_pass(*filter, rows, d.window, prior, first_noise, o.seed, [&](const auto& f, double now) {
    t.push_back(now);
    for (std::size_t c = 0; c < predicted.size(); ++c) {
      predicted[c].push_back(f.predicted(int(c)));
      residual[c].push_back(f.innovations[c].last);
    }
    const auto belief = f.belief();
    for (std::size_t p = 0; p < path.size(); ++p)
      for (int side = 0; side < 3; ++side)
        path[p][std::size_t(side)].push_back(
            d.parameter_of[p].range.at(belief.mean[p] + (side - 1) * 1.645 * belief.deviation[p]));
  });

  // Draw the charts.
  body += "<h2>Measured (grey) and predicted (blue) values</h2><p>Each prediction starts from the window before.</p>\n";
  for (std::size_t c = 0; c < predicted.size(); ++c) {
    Curve measured{"#888", {}, {}, true};
    for (const auto& row : rows)
      if (std::isfinite(row.measured[c])) measured.x.push_back(row.t), measured.y.push_back(row.measured[c]);
    const std::string name = std::string(d.channel_of[c].name) + " [" + d.channel_of[c].unit + "]";
    body += chart(name, {measured, {"#06c", t, predicted[c]}});
    body += chart("innovation of " + std::string(d.channel_of[c].name) + ", relative to its predicted size" +
                      (fit.channels[c].white ? "" : ": not explained by the model"),
                  {{"#06c", t, residual[c], true}}, 900, 120);
  }
  body += "<h2>Parameters along the record, from the answer</h2>\n";
  for (std::size_t p = 0; p < path.size(); ++p)
    body += chart(std::string(d.parameter_of[p].name) + " [" + d.parameter_of[p].unit + "]",
                  {{"#06c", t, path[p][1]}, {"#9cf", t, path[p][0]}, {"#9cf", t, path[p][2]}}, 900, 140);
  body += "<h2>Pairs of parameters: members (blue), ensembles (red), answer (black)</h2>\n";
  for (std::size_t p = 0; p < path.size(); ++p)
    for (std::size_t q = p + 1; q < path.size(); ++q) {
      const Range &x = d.parameter_of[p].range, &y = d.parameter_of[q].range;
      Curve cloud{"#06c", {}, {}, true}, chains{"#c00", {}, {}, true};
      for (int i = 0; i < members; ++i)
        cloud.x.push_back(x.at(filter->logits(i)[p])), cloud.y.push_back(y.at(filter->logits(i)[q]));
      for (const auto& chain : fit.chains)
        chains.x.push_back(x.at(chain.mean[p])), chains.y.push_back(y.at(chain.mean[q]));
      const ParameterFit &a = fit.parameters[p], &b = fit.parameters[q];
      const Curve box{"#000", {a.low, a.high, a.high, a.low, a.low}, {b.low, b.low, b.high, b.high, b.low}};
      body += chart(std::string(d.parameter_of[q].name) + " over " + d.parameter_of[p].name, {cloud, chains, box}, 300,
                    220);
    }
  return body;
}

}  // namespace moreau::identify
