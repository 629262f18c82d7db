// Draws a Figure as SVG.
#pragma once
#include <ostream>
#include <string>

#include "figure.hpp"

namespace plot {

// Colours that stay apart for colour-blind readers and in grey print (Okabe and Ito).
inline const char* colour(std::size_t i) {
  static constexpr const char* list[] = {"#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00", "#56b4e9", "#000000"};
  return list[i % (sizeof list / sizeof *list)];
}

inline std::string escaped(const std::string& text) {
  std::string result;
  for (const char c : text) result += c == '&' ? "&amp;" : c == '<' ? "&lt;" : c == '>' ? "&gt;" : std::string(1, c);
  return result;
}

struct Box {
  double x, y, width, height;
};

class Svg {
 public:
  Svg(std::ostream& out, double width, double height) : out_(out) {
    out_ << "<svg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 " << width << ' ' << height << "' width='" << width
         << "' height='" << height << "' font-family='DejaVu Sans, Helvetica, sans-serif' font-size='13'>\n"
         << "<rect width='100%' height='100%' fill='white'/>\n";
  }
  ~Svg() { out_ << "</svg>\n"; }
  Svg(const Svg&) = delete;
  Svg& operator=(const Svg&) = delete;

  void text(double x, double y, const std::string& words, const char* style) {
    out_ << "<text x='" << x << "' y='" << y << "' " << style << ">" << escaped(words) << "</text>\n";
  }
  void line(double x1, double y1, double x2, double y2, const char* style) {
    out_ << "<line x1='" << x1 << "' y1='" << y1 << "' x2='" << x2 << "' y2='" << y2 << "' " << style << "/>\n";
  }
  void rectangle(const Box& b, const std::string& style) {
    out_ << "<rect x='" << b.x << "' y='" << b.y << "' width='" << b.width << "' height='" << b.height << "' " << style
         << "/>\n";
  }
  void circle(double x, double y, double radius, const std::string& style) {
    out_ << "<circle cx='" << x << "' cy='" << y << "' r='" << radius << "' " << style << "/>\n";
  }
  // What is drawn between these two stays inside the box.
  void clip(const Box& b) {
    ++clips_;
    out_ << "<clipPath id='c" << clips_ << "'><rect x='" << b.x << "' y='" << b.y << "' width='" << b.width
         << "' height='" << b.height << "'/></clipPath>\n<g clip-path='url(#c" << clips_ << ")'>\n";
  }
  void end_clip() { out_ << "</g>\n"; }
  // A polyline; points closer than a third of a pixel to the last drawn one are left out.
  void curve(const Panel& panel, const Curve& c, const char* stroke) {
    out_ << "<polyline fill='none' stroke-width='1.4' stroke='" << stroke << "' points='";
    double last_x = -1e9, last_y = -1e9;
    for (std::size_t i = 0; i < c.x.size(); ++i) {
      if (!panel.x.shows(c.x[i]) || !panel.y.shows(c.y[i])) continue;
      const double x = panel.x.pixel(c.x[i]), y = panel.y.pixel(c.y[i]);
      if (i + 1 < c.x.size() && std::abs(x - last_x) + std::abs(y - last_y) < 0.33) continue;
      out_ << std::round(x * 100) / 100 << ',' << std::round(y * 100) / 100 << ' ';
      last_x = x, last_y = y;
    }
    out_ << "'/>\n";
  }

 private:
  std::ostream& out_;
  int clips_ = 0;
};

}  // namespace plot
