// Animated picture of the front page: one turn of a slider-crank with play, simulated and written as SVG to standard
// output.
//
//   z' = z0 + k (z - z0)                               drawn position of a point z; z0: the same point without play, at
//                                                      the same crank angle
//   z' = r0 + k (r - r0) + [e0 + k (e - e0)] x         point x of a body, e = e^(i phi)
//
// Drawn bodies are similar to real ones, pins stay joined, and a corner on a face is drawn on that face, at b + k play.
// All numbers of the file are rounded to decimals, so its bytes do not depend on the compiler.
#include <moreau/moreau.hpp>

#include <cmath>
#include <complex>
#include <cstdio>
#include <string>
#include <vector>

#include "models/slider_crank.hpp"

namespace {

using Crank = models::SliderCrank<double>;
using Complex = std::complex<double>;

constexpr double h = 1e-6;                   // s, step size
constexpr double begin = 0.45;               // turns; the slider rests on the lower face then and one turn later
constexpr double still = 0.138;              // share of the turn: the frame of the static picture, with a tilted slider
constexpr double k = 20;                     // magnification of the gaps
constexpr double visible = 0.02;             // m/s: approach velocity of the slowest visible impact
constexpr double resting = 2e-6;             // m: largest gap of a corner drawn on its face
constexpr double seconds = 9;                // duration of one turn on the screen
constexpr int pictures = 120;                // minimum number of frames per turn
constexpr double scale = 800;                // of the mechanism, 1/m
constexpr double width = 760, height = 424;  // size of the picture
constexpr double x_0 = 166, y_0 = 166;       // bearing of the crank
constexpr double plot_x = 32, plot_width = 696;   // plot of the heights
constexpr double plot_y = 352, plot_height = 25;  // middle, and distance to a face

struct Pose {
  Complex r, e;  // points of the drawn body: r + e x
};
struct Frame {
  double time;              // s
  Pose crank, rod, slider;  // magnified
  double left, right;       // of the slider's ends: height / play
  unsigned closed;          // corners on a face, in this and the next frame
};
struct Impact {
  double time, percussion;
  int corner;
  Complex at;  // drawn position
};
struct Turn {
  std::vector<Frame> frames;
  std::vector<Impact> impacts;
  double start = 0, duration = 0, largest = 0;  // s, s, N s
  double of(double time) const { return (time - start) / duration; }
};

// A number with at most `decimals` decimals, without trailing zeros.
std::string number(double value, int decimals = 1) {
  long long power = 1;
  for (int i = 0; i < decimals; ++i) power *= 10;
  const long long rounded = std::llround(value * double(power)), size = rounded < 0 ? -rounded : rounded;
  std::string text = (rounded < 0 ? "-" : "") + std::to_string(size / power);
  std::string rest = std::to_string(power + size % power).substr(1);
  while (!rest.empty() && rest.back() == '0') rest.pop_back();
  return rest.empty() ? text : text + "." + rest;
}
std::string percent(double share) { return number(100 * share, 2) + "%"; }
std::string point(double x, double y) { return number(x) + "," + number(y); }

void put(const std::string& text) { std::fputs(text.c_str(), stdout); }
void put(const char* text) { std::fputs(text, stdout); }
void put(double value) { put(number(value)); }
template <class... Parts>
void write(const Parts&... parts) {
  (put(parts), ...);
}

Complex drawn(Complex ideal, Complex real) { return ideal + k * (real - ideal); }

Frame frame_of(const Crank& crank, const moreau::State<Crank>& state) {
  const auto s = crank.at(state.q, 0);
  const Complex e_1(s.cos_1, s.sin_1), e_2(s.cos_2, s.sin_2), e_3(s.cos_3, s.sin_3);
  // Without play the centre of the slider is on the axis of the guide.
  const double sin_0 = -crank.l_1 * s.sin_1 / crank.l_2;
  const Complex e_0(moreau::sqrt(1 - sin_0 * sin_0), sin_0);
  const Complex pin = crank.l_1 * e_1;
  const double y = pin.imag() + crank.l_2 * s.sin_2, tilt = crank.a * s.sin_3;
  unsigned closed = 0;
  for (int i = 0; i < Crank::contacts; ++i) closed |= (crank.gap(i, s) < resting ? 1u : 0u) << i;
  return {state.time(),
          {0, e_1},
          {pin, drawn(e_0, e_2)},
          {drawn(pin + crank.l_2 * e_0, pin + crank.l_2 * e_2), drawn(1, e_3)},
          (y - tilt) / crank.play,
          (y + tilt) / crank.play,
          closed};
}

Complex corner_of(const Crank& crank, const Frame& frame, int corner) {
  return frame.slider.r + frame.slider.e * Complex(Crank::right(corner) * crank.a, Crank::upper(corner) * crank.b);
}

// Records one turn from `begin`: frames at equidistant instants and at every impact.
bool run(const Crank& crank, Turn& turn) {
  constexpr double circle = 2 * moreau::pi<double>;
  moreau::Stepper toy{crank, models::state_at<Crank>(crank.start_tilted())};
  while (toy.state.q(0) < begin * circle)
    if (!toy.step(h).advanced()) return false;
  moreau::Stepper ahead = toy;  // finds the duration of the turn
  while (ahead.state.q(0) < (begin + 1) * circle)
    if (!ahead.step(h).advanced()) return false;
  turn.start = toy.state.time();
  turn.duration = ahead.state.time() - turn.start;

  turn.frames.push_back(frame_of(crank, toy.state));
  for (int regular = 1; toy.state.q(0) < (begin + 1) * circle;) {
    const auto before = toy.state;
    if (!toy.step(h).advanced()) return false;
    const std::size_t impacts = turn.impacts.size();
    for (int i = 0; i < Crank::contacts; ++i) {
      if (!(toy.state.P_N(i) > 0)) continue;
      if (crank.directions(i, crank.at(before.q, 0)).w_N.dot(before.u) > -visible) continue;
      turn.impacts.push_back({toy.state.time(), toy.state.P_N(i), i, corner_of(crank, frame_of(crank, toy.state), i)});
      turn.largest = toy.state.P_N(i) > turn.largest ? toy.state.P_N(i) : turn.largest;
    }
    const bool due = turn.of(toy.state.time()) * pictures >= regular;
    regular += due ? 1 : 0;
    if (!due && turn.impacts.size() == impacts) continue;
    if (percent(turn.of(toy.state.time())) == percent(turn.of(turn.frames.back().time))) continue;  // the same keyframe
    const Frame next = frame_of(crank, toy.state);
    turn.frames.back().closed &= next.closed;
    turn.frames.push_back(next);
  }
  return true;
}

std::string matrix(const Pose& pose) {
  const std::string a = number(pose.e.real(), 4), b = number(pose.e.imag(), 4), minus_b = number(-pose.e.imag(), 4);
  return "matrix(" + a + "," + b + "," + minus_b + "," + a + "," + number(scale * pose.r.real()) + "," +
         number(scale * pose.r.imag()) + ")";
}

double plot_time(double share) { return plot_x + plot_width * share; }
double plot_level(double level) { return plot_y - plot_height * level; }
double size_of(const Turn& turn, const Impact& impact) { return moreau::sqrt(impact.percussion / turn.largest); }

// The frame of the static picture.
const Frame& still_frame(const Turn& turn) {
  for (const Frame& frame : turn.frames)
    if (turn.of(frame.time) >= still) return frame;
  return turn.frames.back();
}

// Animates an element with the values of all frames. Without animation it has the value of the static frame.
template <class Value>
void animate(const Turn& turn, const std::string& id, Value value) {
  write("#", id, "{", value(still_frame(turn)), ";animation-name:", id, "}\n@keyframes ", id, "{");
  std::string last;
  for (const Frame& frame : turn.frames) {
    const std::string text = value(frame);
    if (text != last) write(percent(turn.of(frame.time)), "{", text, "}");
    if (text[0] == 'o') last = text;  // opacity is a step function: no keyframe for an unchanged value
  }
  write("}\n");
}

void style(const Turn& turn) {
  write(
      "<style>\nsvg{--page:#fff;--edge:#d1d9e0;--text:#59636e;--ink:#3d5269;--crank:#8fa5b8;--rod:#bccad8;",
      "--slider:#d5dfe8;--play:#fff0c7;--left:#0072b2;--right:#d55e00;--hit:#cf222e}\n",
      "@media (prefers-color-scheme:dark){svg{--page:#0d1117;--edge:#30363d;--text:#9198a1;--ink:#c2cfdb;",
      "--crank:#466078;--rod:#33475a;--slider:#2a3b4b;--play:#3b3115;--left:#58a6ff;--right:#f0883e;--hit:#ff7b72}}\n",
      "text{fill:var(--text);font:13px system-ui,sans-serif}.ink{stroke:var(--ink);stroke-width:1.6}\n",
      ".moves{animation:", seconds, "s linear infinite}.on{fill:var(--hit);animation-timing-function:step-end}\n",
      ".hit{stroke:var(--hit);stroke-width:1.8;fill:none;opacity:0;animation-name:hit}.now{opacity:1}\n",
      "@keyframes hit{0%{opacity:1;transform:scale(.5)}2%{opacity:1;transform:scale(1)}",
      "7%{opacity:0;transform:scale(1.25)}100%{opacity:0}}\n");
  animate(turn, "crank", [](const Frame& f) { return "transform:" + matrix(f.crank); });
  animate(turn, "rod", [](const Frame& f) { return "transform:" + matrix(f.rod); });
  animate(turn, "slider", [](const Frame& f) { return "transform:" + matrix(f.slider); });
  for (int i = 0; i < Crank::contacts; ++i)
    animate(turn, "on" + std::to_string(i),
            [i](const Frame& f) { return std::string(f.closed >> i & 1u ? "opacity:1" : "opacity:0"); });
  const auto at = [](double x, double y) { return "transform:translate(" + number(x) + "px," + number(y) + "px)"; };
  animate(turn, "left", [&](const Frame& f) { return at(plot_time(turn.of(f.time)), plot_level(f.left)); });
  animate(turn, "right", [&](const Frame& f) { return at(plot_time(turn.of(f.time)), plot_level(f.right)); });
  write("#now{", at(plot_time(turn.of(still_frame(turn).time)), 0), ";animation-name:now}@keyframes now{0%{",
        at(plot_time(0), 0), "}100%{", at(plot_time(1), 0), "}}\n",
        "@media (prefers-reduced-motion:reduce){*{animation:none!important}}\n</style>\n");
}

void rectangle(double x, double y, double wide, double high, const std::string& fill, const char* more = "") {
  write("<rect x='", x, "' y='", y, "' width='", wide, "' height='", high, "' fill='", fill, "'", more, "/>");
}
void line(const std::string& path, const std::string& colour, double wide, const char* more = "") {
  write("<path d='", path, "' fill='none' stroke='var(--", colour, ")' stroke-width='", wide, "'", more, "/>");
}

// A link with round ends from its pin to the point at `length` on its axis.
void link(const std::string& id, double length, double half) {
  write("<g id='", id, "' class='moves ink'>");
  rectangle(-half, -half, scale * length + 2 * half, 2 * half, "var(--" + id + ")", half > 10 ? " rx='11'" : " rx='8'");
  write("<g fill='var(--page)'><circle r='4.5'/><circle cx='", scale * length, "' r='4.5'/></g></g>\n");
}

void guide(const Crank& crank) {
  const double from = scale * 0.1, length = scale * 0.42, body = scale * crank.b, play = scale * k * crank.play;
  for (const char* side : {"1", "-1"}) {
    write("<g transform='scale(1,", side, ")'>");
    rectangle(from, body, length, play, "var(--play)");
    rectangle(from, body + play, length, 9, "url(#hatch)");
    line("M" + point(from, body + play) + "h" + number(length), "ink", 2, " class='face'");
    write("</g>\n");
  }
  line("M-40,0H" + number(from + length + 30), "edge", 1, " stroke-dasharray='14 4 3 4'");
  write("<path class='ink' fill='var(--page)' d='M-17,-28L0,0L17,-28Z'/>");
  rectangle(-22, -37, 44, 9, "url(#hatch)");
}

void slider(const Crank& crank) {
  const double a = scale * crank.a, b = scale * crank.b;
  write("<g id='slider' class='moves'>");
  rectangle(-a, -b, 2 * a, 2 * b, "var(--slider)", " class='ink'");
  line("M" + point(-a, -b) + "V" + number(b), "left", 5);
  line("M" + point(a, -b) + "V" + number(b), "right", 5);
  for (int i = 0; i < Crank::contacts; ++i)
    write("<circle id='on", std::to_string(i), "' class='moves on' cx='", Crank::right(i) * a, "' cy='",
          Crank::upper(i) * b, "' r='3.5'/>");
  write("</g>\n");
}

void mechanism(const Crank& crank, const Turn& turn) {
  write("<g transform='translate(", point(x_0, y_0), ") scale(1,-1)'>\n");
  guide(crank);
  link("crank", crank.l_1, 11);
  slider(crank);
  link("rod", crank.l_2, 8);
  const double now = turn.of(still_frame(turn).time);
  for (const Impact& impact : turn.impacts) {
    const double share = turn.of(impact.time);
    write("<g transform='translate(", point(scale * impact.at.real(), scale * impact.at.imag()), ") scale(",
          number(0.4 + 0.8 * size_of(turn, impact), 2), ")'><use href='#burst' class='moves hit",
          share <= now && now - share < 0.02 ? " now" : "",
          "' style='animation-delay:", number(seconds * (share - 1), 2), "s'/></g>\n");
  }
  write("</g>\n");
}

void heights(const Turn& turn) {
  rectangle(plot_x, plot_level(1), plot_width, 2 * plot_height, "var(--play)");
  for (const double level : {1., -1.})
    line("M" + point(plot_x, plot_level(level)) + "h" + number(plot_width), "ink", 2);
  for (const bool left : {true, false}) {
    std::string path;
    for (const Frame& f : turn.frames)
      path += (path.empty() ? "M" : "L") + point(plot_time(turn.of(f.time)), plot_level(left ? f.left : f.right));
    line(path, left ? "left" : "right", 1.8);
  }
  for (const Impact& impact : turn.impacts) {
    const double sign = Crank::upper(impact.corner);
    line("M" + point(plot_time(turn.of(impact.time)), plot_level(sign) - 3 * sign) + "v" +
             number(-sign * (3 + 12 * size_of(turn, impact))),
         Crank::right(impact.corner) < 0 ? "left" : "right", 2);
  }
  line("M0," + number(plot_level(1) - 18) + "V" + number(plot_level(-1) + 14), "hit", 1.4, " id='now' class='moves'");
  for (const char* end : {"left", "right"})
    write("<circle id='", end, "' class='moves' r='4' fill='var(--", end, ")'/>\n");
}

void captions(const Crank& crank, const Turn& turn) {
  const auto text = [](double x, double y, const char* more) { write("<text x='", x, "' y='", y, "'", more, ">"); };
  const char* const end = " text-anchor='end'";
  text(20, 27, "");
  write("slider-crank: one turn in ", number(1e3 * turn.duration, 0), " ms, slowed down ",
        number(seconds / turn.duration, 0), " times</text>\n");
  text(width - 20, 27, end);
  write(1e3 * crank.play, " mm play to either side, magnified ", k, "&#215;</text>\n");
  text(plot_x, height - 16, "");
  write("height of the <tspan fill='var(--left)'>left</tspan> and <tspan fill='var(--right)'>right</tspan> end of the ",
        "slider in its guide</text>\n");
  text(plot_x + plot_width, height - 16, end);
  write("ticks: impacts; restitution ", number(crank.eps_N, 2), ", friction ", number(crank.mu, 2), "</text>\n");
}

void svg(const Crank& crank, const Turn& turn) {
  write("<svg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 ", width, " ", height, "' width='", width, "' height='",
        height,
        "' role='img'>\n<title>One turn of a slider-crank with play: the slider rattles in its guide (gaps magnified ",
        k, " times); below, heights of its ends over time</title>\n");
  style(turn);
  write(
      "<defs><pattern id='hatch' width='8' height='9' patternUnits='userSpaceOnUse'><path d='M0,9L8,0' ",
      "stroke='var(--edge)' stroke-width='1.2'/></pattern>\n<path id='burst' d='M10,0H18M-10,0H-18M0,10V18M0,-10V-18",
      "M7,7L12.5,12.5M-7,7L-12.5,12.5M7,-7L12.5,-12.5M-7,-7L-12.5,-12.5M7,0A7,7 0 1 1 -7,0A7,7 0 1 1 7,0'/></defs>\n");
  rectangle(0.5, 0.5, width - 1, height - 1, "var(--page)", " rx='8' stroke='var(--edge)'");
  mechanism(crank, turn);
  heights(turn);
  captions(crank, turn);
  write("</svg>\n");
}

}  // namespace

int main() {
  const Crank crank;
  Turn turn;
  if (!run(crank, turn)) return 1;
  svg(crank, turn);
}
