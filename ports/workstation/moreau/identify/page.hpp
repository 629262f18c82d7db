// HTML page of a fit: table of parameters, inputs, measured and predicted values of the fitted and the held-out part,
// innovations, parameters along the record, and pairs of parameters. One file without external references; the charts
// are SVG. Colours follow the scheme of the browser.
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
  const std::string size[] = {std::to_string(width), std::to_string(height)};
  std::string svg =
      "<svg width='" + size[0] + "' height='" + size[1] + "' viewBox='0 0 " + size[0] + ' ' + size[1] + "'>";
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
                           "</title><meta name='viewport' content='width=device-width'><style>"
                           ":root{color-scheme:light dark}body{font:14px sans-serif;max-width:920px;margin:auto;"
                           "padding:0 8px}svg{font-size:11px;max-width:100%;height:auto}svg text{fill:currentColor}"
                           "svg rect{fill:none;stroke:#999}polyline{fill:none}div{overflow-x:auto}"
                           "td,th{padding:2px 10px;text-align:right}.bad{color:#d33}</style><h1>" +
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

namespace detail {

// Curves of one pass: predicted values, innovations, and mean and interval of the parameters after every window.
struct PassCurves {
  std::vector<double> t;
  std::vector<std::vector<double>> predicted, residual;
  std::vector<std::array<std::vector<double>, 3>> path;
  std::vector<std::vector<double>> members;  // last values, per parameter
};

template <int members, class Description>
PassCurves curves_of(const Description& d, const std::vector<typename Description::Sample>& rows,
                     const Belief<Description::most_parameters>& prior, const Factors<Description>& factor,
                     const FitOptions& o) {
  const auto filter = std::make_unique<Filter<Description, members>>(d);
  PassCurves all;
  all.predicted.resize(std::size_t(d.channels)), all.residual.resize(std::size_t(d.channels));
  all.path.resize(std::size_t(d.parameters)), all.members.resize(std::size_t(d.parameters));
  for (std::size_t c = 0; c < all.predicted.size(); ++c) filter->sigma[c] *= o.least_noise * factor[c];
  auto first_noise = filter->sigma;
  for (double& sigma : first_noise) sigma *= o.coarse / o.least_noise;
  run_pass(*filter, rows, d.window, prior, first_noise, o.seed, [&](const auto& f, double now) {
    all.t.push_back(now);
    for (std::size_t c = 0; c < all.predicted.size(); ++c) {
      all.predicted[c].push_back(f.predicted(int(c)));
      all.residual[c].push_back(f.innovations[c].last);
    }
    const auto belief = f.belief();
    for (std::size_t p = 0; p < all.path.size(); ++p)
      for (int side = 0; side < 3; ++side)
        all.path[p][std::size_t(side)].push_back(
            d.parameter_of[p].range.at(belief.mean[p] + (side - 1) * 1.645 * belief.deviation[p]));
  });
  for (std::size_t p = 0; p < all.members.size(); ++p)
    for (int i = 0; i < members; ++i) all.members[p].push_back(d.parameter_of[p].range.at(filter->logits(i)[p]));
  return all;
}

template <class Description>
std::string table_of(const Description& d, const Fit<Description>& fit) {
  std::string body =
      "<div><table><tr><th>parameter<th>value<th>90 % from<th>to<th>unit<th>of the range<th>spread of "
      "ensembles<th></tr>\n";
  for (std::size_t p = 0; p < fit.parameters.size(); ++p) {
    const ParameterFit& one = fit.parameters[p];
    body += std::string("<tr><th>") + d.parameter_of[p].name;
    for (const double x : {one.value, one.low, one.high}) body += "<td>" + number_text(x);
    const double share = 100 * (one.high - one.low) / d.parameter_of[p].range.width();
    body += std::string("<td>") + d.parameter_of[p].unit + "<td>" + number_text(share) + " %<td>" +
            number_text(one.spread) + "<td class='bad'>" + verdict_text(one) + "</tr>\n";
  }
  body += "</table></div>\n";
  for (std::size_t i = 0; i < fit.inputs.size(); ++i)
    body += std::string("<p") + (fit.inputs[i].consistent ? "" : " class='bad'") + ">The record agrees with " +
            number_text(fit.inputs[i].scale) + " (" + number_text(fit.inputs[i].low) + " to " +
            number_text(fit.inputs[i].high) + ") times the input " + d.input_of[i].name + ".</p>\n";
  if (!fit.explained())
    body += "<p class='bad'>The model does not explain the record: do not rely on the intervals.</p>\n";
  return body;
}

}  // namespace detail

// Returns the body of a page. One more pass over each part, with the answer as prior, supplies the curves. In the
// held-out part, which may be empty, the parameters are those of the fit.
template <int members, class Description>
std::string page_of(const Description& d, const std::vector<typename Description::Sample>& rows,
                    const Fit<Description>& fit, const std::vector<typename Description::Sample>& held_out,
                    const Fit<Description>& validation, const FitOptions& o) {
  std::string body = detail::table_of(d, fit);
  auto prior = fit.belief();
  for (auto& deviation : prior.deviation) deviation = std::min(1.0, deviation + 0.15);
  const auto fitted = detail::curves_of<members>(d, rows, prior, fit.factor, o);
  detail::PassCurves after;
  if (!held_out.empty()) {
    auto narrow = fit.belief();
    for (auto& deviation : narrow.deviation) deviation /= 3;
    after = detail::curves_of<members>(d, held_out, narrow, fit.factor, o);
    body += validation.explained() ? "<p>The model explains the held-out part.</p>\n"
                                   : "<p class='bad'>The model does not explain the held-out part.</p>\n";
  }

  // Draw the charts.
  if (d.inputs > 0) body += "<h2>Excitation</h2>\n";
  for (std::size_t i = 0; i < std::size_t(d.inputs); ++i) {
    Curve input{"#48f", {}, {}};
    for (const auto* part : {&rows, &held_out})
      for (const auto& row : *part) input.x.push_back(row.t), input.y.push_back(row.input[i]);
    body += chart(std::string(d.input_of[i].name) + " [" + d.input_of[i].unit + "]", {input}, 900, 140);
  }
  body +=
      "<h2>Measured (grey) and predicted values: fitted part (blue), held-out part (orange)</h2>"
      "<p>Each prediction starts from the window before.</p>\n";
  for (std::size_t c = 0; c < fitted.predicted.size(); ++c) {
    Curve measured{"#888", {}, {}, true};
    for (const auto* part : {&rows, &held_out})
      for (const auto& row : *part)
        if (std::isfinite(row.measured[c])) measured.x.push_back(row.t), measured.y.push_back(row.measured[c]);
    std::vector<Curve> values{measured, {"#48f", fitted.t, fitted.predicted[c]}};
    std::vector<Curve> innovations{{"#48f", fitted.t, fitted.residual[c], true}};
    if (!held_out.empty()) {
      values.push_back({"#e70", after.t, after.predicted[c]});
      innovations.push_back({"#e70", after.t, after.residual[c], true});
    }
    body += chart(std::string(d.channel_of[c].name) + " [" + d.channel_of[c].unit + "]", values);
    body += chart("innovation of " + std::string(d.channel_of[c].name) + ", relative to its predicted size" +
                      (fit.channels[c].white ? "" : ": not explained by the model"),
                  innovations, 900, 120);
  }
  body += "<h2>Parameters along the record, from the answer</h2>\n";
  for (std::size_t p = 0; p < fitted.path.size(); ++p)
    body += chart(std::string(d.parameter_of[p].name) + " [" + d.parameter_of[p].unit + "]",
                  {{"#48f", fitted.t, fitted.path[p][1]},
                   {"#9cf", fitted.t, fitted.path[p][0]},
                   {"#9cf", fitted.t, fitted.path[p][2]}},
                  900, 140);
  body += "<h2>Pairs of parameters: members (blue), ensembles (red), answer (grey)</h2>\n";
  for (std::size_t p = 0; p < fitted.path.size(); ++p)
    for (std::size_t q = p + 1; q < fitted.path.size(); ++q) {
      const Range &x = d.parameter_of[p].range, &y = d.parameter_of[q].range;
      Curve chains{"#d33", {}, {}, true};
      for (const auto& chain : fit.chains)
        chains.x.push_back(x.at(chain.mean[p])), chains.y.push_back(y.at(chain.mean[q]));
      const ParameterFit &a = fit.parameters[p], &b = fit.parameters[q];
      const Curve box{"#888", {a.low, a.high, a.high, a.low, a.low}, {b.low, b.low, b.high, b.high, b.low}};
      body += chart(std::string(d.parameter_of[q].name) + " over " + d.parameter_of[p].name,
                    {{"#48f", fitted.members[p], fitted.members[q], true}, chains, box}, 300, 220);
    }
  return body;
}

}  // namespace moreau::identify
