// plot DESCRIPTION FOLDER OUTPUT.svg: draws the figure that DESCRIPTION (see figure.hpp) asks for from the CSV files in
// FOLDER.
#include <cstdio>
#include <exception>

#include "svg.hpp"

namespace {

using namespace plot;

constexpr double panel_width = 520, panel_height = 300, left = 82, right = 22, top = 26, bottom = 52, title_height = 30;

bool only_bars(const Panel& panel) {
  return std::all_of(panel.curves.begin(), panel.curves.end(), [](const Curve& c) { return c.kind == Curve::bars; });
}

void fit(Panel& panel) {
  for (const Curve& c : panel.curves)
    for (std::size_t i = 0; i < c.x.size(); ++i)
      for (const double side : {-1.0, 1.0}) {
        const double r = c.kind == Curve::circles ? side * c.r[i] : 0;
        if (!panel.x.fixed) panel.x.cover(c.x[i] + r);
        if (!panel.y.fixed && c.kind != Curve::bars) panel.y.cover(c.y[i] + r);
        if (!panel.y.fixed && c.kind == Curve::stems) panel.y.cover(0);
      }
  panel.x.settle(0.02);
  panel.y.settle(0.06);
}

// Equal scales on both axes, for paths and portraits of geometry.
void equalise(Panel& panel, const Box& frame) {
  const double per_x = (panel.x.high - panel.x.low) / frame.width, per_y = (panel.y.high - panel.y.low) / frame.height;
  Axis& tight = per_x < per_y ? panel.x : panel.y;
  const double middle = (tight.low + tight.high) / 2,
               half = (tight.high - tight.low) / 2 * std::max(per_x, per_y) / std::min(per_x, per_y);
  tight.low = middle - half, tight.high = middle + half;
}

void draw_axes(Svg& svg, const Panel& panel, const Box& f, bool with_y) {
  for (const double tick : panel.x.ticks()) {
    const double x = panel.x.pixel(tick);
    svg.line(x, f.y, x, f.y + f.height, "stroke='#e2e2e2'");
    svg.text(x, f.y + f.height + 17, panel.x.text(tick), "text-anchor='middle'");
  }
  if (with_y)
    for (const double tick : panel.y.ticks()) {
      const double y = panel.y.pixel(tick);
      svg.line(f.x, y, f.x + f.width, y, "stroke='#e2e2e2'");
      svg.text(f.x - 6, y + 4, panel.y.text(tick), "text-anchor='end'");
    }
  svg.rectangle(f, "fill='none' stroke='#404040'");
  svg.text(f.x + f.width / 2, f.y + f.height + 37, panel.x.label, "text-anchor='middle' font-size='14'");
  if (with_y) {
    const double x = f.x - 60, y = f.y + f.height / 2;
    const std::string style = "text-anchor='middle' font-size='14' transform='rotate(-90 " + std::to_string(x) + " " +
                              std::to_string(y) + ")'";
    svg.text(x, y, panel.y.label, style.c_str());
  }
}

void draw_bars(Svg& svg, const Panel& panel, const Box& f) {
  const double row = f.height / double(panel.curves.size());
  for (std::size_t n = 0; n < panel.curves.size(); ++n)
    svg.text(f.x - 6, f.y + row * (double(n) + 0.5) + 4, panel.curves[n].legend, "text-anchor='end' font-size='12'");
  svg.clip(f);
  for (std::size_t n = 0; n < panel.curves.size(); ++n) {
    const Curve& c = panel.curves[n];
    const double y = f.y + row * double(n);
    svg.line(f.x, y, f.x + f.width, y, "stroke='#e2e2e2'");
    for (std::size_t i = 0; i < c.x.size();) {
      std::size_t end = i;
      while (end < c.x.size() && c.y[end] != 0) ++end;
      if (end > i) {
        const double x1 = panel.x.pixel(c.x[i]), x2 = panel.x.pixel(c.x[std::min(end, c.x.size() - 1)]);
        svg.rectangle({x1, y + row * 0.2, std::max(x2 - x1, 1.0), row * 0.6}, std::string("fill='") + colour(n) + "'");
      }
      i = std::max(end, i + 1);
    }
  }
  svg.end_clip();
}

void draw_legend(Svg& svg, const Panel& panel, const Box& f) {
  double x = f.x;
  for (std::size_t n = 0; n < panel.curves.size(); ++n) {
    const Curve& c = panel.curves[n];
    if (c.legend.empty()) continue;
    if (c.kind == Curve::line || c.kind == Curve::stems)
      svg.rectangle({x, f.y - 11, 18, 3}, std::string("fill='") + colour(n) + "'");
    if (c.kind == Curve::points || c.kind == Curve::circles)
      svg.circle(x + 9, f.y - 10, 3, std::string("fill='") + colour(n) + "'");
    svg.text(x + 23, f.y - 6, c.legend, "font-size='12'");
    x += 40 + 7.2 * double(c.legend.size());
  }
}

void draw_curve(Svg& svg, const Panel& panel, const Curve& c, const std::string& colour) {
  if (c.kind == Curve::line) return svg.curve(panel, c, colour.c_str());
  const std::string stroke = "stroke-width='1.4' stroke='" + colour + "'", fill = "fill='" + colour + "'";
  for (std::size_t i = 0; i < c.x.size(); ++i) {
    if (!panel.x.shows(c.x[i]) || !panel.y.shows(c.y[i])) continue;
    const double x = panel.x.pixel(c.x[i]), y = panel.y.pixel(c.y[i]);
    if (c.kind == Curve::points || c.kind == Curve::circles) svg.circle(x, y, 3, fill);
    if (c.kind == Curve::stems && c.y[i] != 0) svg.line(x, panel.y.pixel(0), x, y, stroke.c_str());
    if (c.kind == Curve::circles)
      svg.circle(x, y, panel.x.pixel(c.x[i] + c.r[i]) - x, fill + " stroke='white' stroke-width='0.4'");
  }
}

void draw_panel(Svg& svg, Panel& panel, const Box& frame) {
  fit(panel);
  if (panel.equal) equalise(panel, frame);
  panel.x.pixel_low = frame.x, panel.x.pixel_high = frame.x + frame.width;
  panel.y.pixel_low = frame.y + frame.height, panel.y.pixel_high = frame.y;
  const bool bars = only_bars(panel);
  draw_axes(svg, panel, frame, !bars);
  if (bars) return draw_bars(svg, panel, frame);
  svg.clip(frame);
  for (std::size_t n = 0; n < panel.curves.size(); ++n) draw_curve(svg, panel, panel.curves[n], colour(n));
  svg.end_clip();
  draw_legend(svg, panel, frame);
}

}  // namespace

int main(int count, char** words) try {
  if (count != 4) return std::fprintf(stderr, "usage: plot DESCRIPTION FOLDER OUTPUT.svg\n"), 2;
  Figure figure = read_figure(words[1], words[2]);
  const int rows = (int(figure.panels.size()) + figure.columns - 1) / figure.columns;
  std::ofstream file(words[3]);
  if (!file) throw std::runtime_error(std::string("cannot write ") + words[3]);
  Svg svg(file, panel_width * figure.columns, title_height + panel_height * rows);
  svg.text(panel_width * figure.columns / 2, 22, figure.title,
           "text-anchor='middle' font-size='16' font-weight='bold'");
  for (std::size_t i = 0; i < figure.panels.size(); ++i) {
    const double x = panel_width * double(int(i) % figure.columns),
                 y = title_height + panel_height * double(int(i) / figure.columns);
    draw_panel(svg, figure.panels[i], {x + left, y + top, panel_width - left - right, panel_height - top - bottom});
  }
  return 0;
} catch (const std::exception& problem) {
  std::fprintf(stderr, "plot: %s\n", problem.what());
  return 1;
}
