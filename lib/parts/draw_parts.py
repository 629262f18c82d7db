#!/usr/bin/env python3
"""Draws the figures of lib/PARTS.md: draw_parts.py [--check]

Body A is grey, body B is blue, and the positive load on B is red. Each figure is a function of its name. --check compares
the files beside this script with the drawings and changes nothing.
"""
import math
import pathlib
import sys

GREY, BLUE, RED, TEXT = "#7d8a99", "#2b74b8", "#d0423a", "#6b7785"
WIDTH, HEIGHT = 270, 120


class Picture:
    def __init__(self):
        self.shapes = []

    def add(self, shape):
        self.shapes.append(shape)

    def line(self, *points, colour=GREY, width=2, dash="", fill="none"):
        text = " ".join(f"{x:g},{y:g}" for x, y in points)
        dashed = f' stroke-dasharray="{dash}"' if dash else ""
        self.add(f'<polyline points="{text}" fill="{fill}" stroke="{colour}" stroke-width="{width}"{dashed} stroke-linejoin="round"/>')

    def solid(self, *points, colour=GREY):
        text = " ".join(f"{x:g},{y:g}" for x, y in points)
        self.add(f'<polygon points="{text}" fill="{colour}" fill-opacity="0.25" stroke="{colour}" stroke-width="2" stroke-linejoin="round"/>')

    def box(self, x, y, w, h, colour=BLUE):
        self.solid((x, y), (x + w, y), (x + w, y + h), (x, y + h), colour=colour)

    def circle(self, x, y, r, colour=BLUE, fill=0.25, dash=""):
        dashed = f' stroke-dasharray="{dash}"' if dash else ""
        self.add(f'<circle cx="{x:g}" cy="{y:g}" r="{r:g}" fill="{colour}" fill-opacity="{fill:g}" stroke="{colour}" stroke-width="2"{dashed}/>')

    def dot(self, x, y, colour=BLUE):
        self.add(f'<circle cx="{x:g}" cy="{y:g}" r="3" fill="{colour}"/>')

    def text(self, x, y, words, colour=TEXT):
        self.add(f'<text x="{x:g}" y="{y:g}" fill="{colour}" font-family="sans-serif" font-size="12">{words}</text>')

    def arrow(self, x, y, to_x, to_y, words="", colour=RED, dx=5, dy=-4, width=2):
        self.line((x, y), (to_x, to_y), colour=colour, width=width)
        size, angle = 7, math.atan2(to_y - y, to_x - x)
        tips = [(round(to_x - size * math.cos(angle + side), 1), round(to_y - size * math.sin(angle + side), 1)) for side in (0.45, -0.45)]
        self.line(tips[0], (to_x, to_y), tips[1], colour=colour, width=width)
        if words:
            self.text(to_x + dx, to_y + dy, words, colour)

    def turn(self, x, y, r, start, end, words="", colour=RED, dx=6, dy=0):
        """Draws an arc from `start` to `end`, in degrees counter-clockwise from the right, with an arrow."""
        at = [(round(x + r * math.cos(math.radians(a)), 1), round(y - r * math.sin(math.radians(a)), 1)) for a in (start, end)]
        large = int(abs(end - start) > 180)
        self.add(f'<path d="M {at[0][0]} {at[0][1]} A {r} {r} 0 {large} {int(end < start)} {at[1][0]} {at[1][1]}" fill="none" stroke="{colour}" stroke-width="2"/>')
        angle = math.radians(end + (90 if end > start else -90))
        back = (at[1][0] - 0.5 * math.cos(angle), at[1][1] + 0.5 * math.sin(angle))
        self.arrow(round(back[0], 1), round(back[1], 1), *at[1], words, colour, dx, dy)

    def dimension(self, x, y, to_x, to_y, words, dx=4, dy=4):
        for ends in ((x, y, to_x, to_y), (to_x, to_y, x, y)):
            self.arrow(*ends, colour=TEXT, width=1)
        self.text((x + to_x) / 2 + dx, (y + to_y) / 2 + dy, words)

    def spring(self, x, to_x, y, colour=TEXT):
        step = (to_x - x) / 12
        self.line((x, y), *[(round(x + step * (k + 1.5), 1), y + (7 if k % 2 else -7)) for k in range(9)], (to_x, y), colour=colour, width=1.5)

    def ground(self, x, y, w):
        self.line((x, y), (x + w, y))
        for k in range(int(w / 8)):
            self.line((x + 8 * k + 6, y), (x + 8 * k, y + 7), width=1)

    def names(self, a=(8, 16), b=(205, 16)):
        self.text(*a, "A", GREY)
        self.text(*b, "B", BLUE)

    def svg(self):
        head = f'<svg xmlns="http://www.w3.org/2000/svg" width="{WIDTH}" height="{HEIGHT}" viewBox="0 0 {WIDTH} {HEIGHT}">'
        return "\n".join([head, *self.shapes, "</svg>", ""])


def rods(p):
    p.solid((15, 72), (108, 52), (112, 66), (19, 86))
    p.solid((106, 52), (200, 26), (204, 40), (110, 66), colour=BLUE)


def revolute(p):
    rods(p), p.names((20, 66), (196, 20))
    p.circle(109, 59, 5, fill=0.9), p.text(72, 40, "on_A = on_B")
    p.arrow(109, 59, 150, 59, "load", dx=4, dy=12)


def weld(p):
    rods(p), p.names((20, 66), (196, 20))
    p.line((101, 50), (117, 68), width=4, colour=RED), p.line((101, 68), (117, 50), width=4, colour=RED)
    p.text(60, 105, "x axis of B along `axis` of A".replace("`", ""))


def prismatic(p):
    p.line((10, 35), (215, 35)), p.line((10, 85), (215, 85)), p.box(70, 36, 70, 48)
    p.names((12, 28), (76, 52)), p.dot(105, 60), p.arrow(150, 60, 205, 60, "axis", TEXT, -22, -6)
    p.arrow(105, 60, 105, 100, "load, across the axis", dx=6, dy=10)


def drive(p):
    p.ground(60, 105, 50), p.line((85, 105), (85, 60)), p.solid((80, 52), (185, 32), (187, 44), (84, 66), colour=BLUE)
    p.circle(85, 60, 5, GREY, 0.9), p.names((62, 98), (188, 34)), p.turn(85, 60, 36, -30, 60, "moment", dx=8, dy=2)
    p.text(130, 84, "x = phi_B - phi_A")


def linear_drive(p):
    p.ground(10, 80, 205), p.box(120, 46, 56, 34), p.names((14, 74), (182, 60))
    p.line((30, 80), (30, 40), dash="3 3", width=1), p.dimension(32, 36, 146, 36, "x", dx=-4, dy=-5)
    p.dot(146, 63), p.arrow(146, 63, 205, 63, "load", dx=-14, dy=14), p.text(30, 108, "x along the axis, from on_A to on_B")


def turning_friction(p):
    p.circle(90, 60, 34, GREY), p.circle(90, 60, 18), p.names((118, 30), (86, 64))
    p.turn(90, 60, 46, -40, 20, "", BLUE), p.text(142, 84, "omega_B - omega_A", BLUE)
    p.turn(90, 60, 26, 240, 130, "load", dx=-36, dy=-4)


def sliding_friction(p):
    p.ground(10, 80, 205), p.box(80, 44, 60, 36), p.names((14, 74), (86, 60))
    p.arrow(110, 34, 165, 34, "sliding velocity of B", BLUE, -90, -6), p.arrow(110, 78, 60, 78, "load", dx=-14, dy=20)


def gravity(p):
    p.box(85, 25, 60, 40), p.names((-20, -20), (90, 40)), p.dot(115, 45), p.arrow(115, 45, 115, 100, "m g", dx=8, dy=-6)


def spring(p):
    p.box(10, 40, 40, 40, GREY), p.box(180, 40, 40, 40), p.names((16, 56), (200, 56)), p.spring(50, 180, 60)
    p.dimension(50, 98, 180, 98, "distance of on_A and on_B", -70, 16), p.arrow(180, 34, 130, 34, "force on B", dx=-10, dy=-8)


def torsion_spring(p):
    drive_body(p)
    spiral = [(round(85 + (6 + a / 45) * math.cos(math.radians(a)), 1), round(60 - (6 + a / 45) * math.sin(math.radians(a)), 1)) for a in range(0, 735, 15)]
    p.line(*spiral, colour=TEXT, width=1.5)
    p.turn(85, 60, 50, 35, -30, "", RED), p.text(136, 92, "moment on B", RED)


def drive_body(p):
    p.ground(60, 105, 50), p.line((85, 105), (85, 60)), p.solid((80, 52), (185, 32), (187, 44), (84, 66), colour=BLUE)
    p.circle(85, 60, 5, GREY, 0.9), p.names((62, 98), (188, 34))


def motor(p):
    drive_body(p), p.turn(85, 60, 40, -30, 60, "torque on B", dx=8, dy=2)


def pull(p):
    p.box(60, 45, 90, 40), p.names((10, 110), (66, 62)), p.ground(10, 92, 120), p.dot(150, 60), p.arrow(150, 60, 205, 30, "force", dx=-20, dy=-6)


def one_sided_spring(p):
    p.box(10, 40, 30, 40, GREY), p.box(190, 40, 30, 40), p.names((16, 56), (206, 56)), p.line((40, 60), (190, 60), colour=TEXT, dash="6 3")
    p.dimension(40, 24, 90, 24, "shortest", -28, -5), p.dimension(40, 98, 160, 98, "longest", -24, 16)
    p.arrow(190, 60, 150, 60, "pulls above", dx=-32, dy=-8)


def bump_stop(p):
    p.ground(10, 92, 205), p.names((14, 86), (64, 40)), p.box(60, 22, 90, 26), p.line((105, 48), (105, 64), colour=BLUE)
    p.solid((92, 92), (96, 72), (114, 72), (118, 92), colour=TEXT), p.dot(105, 64), p.arrow(150, 92, 150, 60, "normal", TEXT, 6, 4)
    p.arrow(105, 64, 105, 16, "f on B", dx=6, dy=4)


def one_sided_torsion_spring(p):
    drive_body(p), p.line((85, 60), (195, 66), dash="4 3", width=1), p.line((85, 60), (180, 104), dash="4 3", width=1)
    p.text(200, 70, "upper"), p.text(186, 108, "lower"), p.turn(85, 60, 60, 40, -12, "", RED), p.text(100, 24, "moment on B", RED)


def revolute_clearance(p):
    p.circle(90, 60, 46, GREY, 0.15), p.circle(102, 60, 32), p.dot(90, 60, GREY), p.dot(102, 60), p.names((30, 26), (100, 50))
    p.arrow(134, 60, 96, 60, "", RED), p.text(142, 56, "n, from A into B", RED), p.dimension(102, 60, 102, 92, "radius", 4, 4), p.text(142, 92, "play: radius of")
    p.text(142, 106, "bearing - pin")


def prismatic_clearance(p):
    p.line((10, 22), (215, 22)), p.line((10, 98), (215, 98)), p.solid((45, 42), (175, 30), (180, 78), (50, 90), colour=BLUE)
    p.names((12, 16), (60, 58)), p.dot(112, 60), p.dimension(196, 22, 196, 34, "play", 6, 4)
    for k, (x, y) in enumerate(((45, 42), (175, 30), (50, 90), (180, 78))):
        p.dot(x, y), p.text(x + (8 if k % 2 == 0 else -16), y + (14 if k < 2 else -6), str(k))
    p.dimension(112, 60, 177, 54, "a", -2, -6), p.dimension(112, 60, 110, 36, "b", 6, 4)


def slot_clearance(p):
    p.add(f'<rect x="25" y="30" width="180" height="60" rx="30" fill="{GREY}" fill-opacity="0.15" stroke="{GREY}" stroke-width="2"/>')
    p.circle(100, 64, 22), p.names((28, 22), (96, 58)), p.dot(115, 60, GREY), p.line((55, 60), (175, 60), dash="4 3", width=1), p.dot(100, 64)
    p.dimension(115, 102, 175, 102, "half_length", -28, 14), p.line((175, 60), (175, 104), width=1, dash="2 2"), p.arrow(100, 86, 100, 66, "", RED), p.text(106, 82, "n", RED)


def point_on_line(p):
    p.ground(10, 92, 205), p.names((14, 86), (110, 50)), p.circle(112, 64, 28), p.dot(112, 64), p.arrow(40, 92, 40, 42, "normal", TEXT, 6, 4)
    p.dimension(112, 64, 138, 64, "radius", 18, 4), p.arrow(112, 92, 112, 72, "", RED), p.text(118, 84, "n", RED)


def point_on_curve(p):
    points = []
    for k in range(73):
        t = math.radians(5 * k)
        r = 34 + 7 * (1 - math.cos(2 * t))
        points.append((round(90 + r * math.cos(t), 1), round(66 - r * math.sin(t), 1)))
    p.solid(*points[:-1]), p.dot(90, 66, GREY), p.circle(120, 18, 14), p.dot(120, 18), p.names((52, 66), (138, 14))
    p.arrow(112, 29, 126, 4, "n", dx=6, dy=6), p.line((90, 66), (120, 18), dash="4 3", width=1), p.text(112, 52, "R(theta)"), p.text(140, 100, "side = 1: outside")


def point_on_polygon(p):
    tips = [(20, 90), (60, 40), (66, 88), (106, 36), (112, 84), (152, 32), (158, 80), (206, 26), (212, 104), (20, 104)]
    p.solid(*tips), p.line((88, 8), (126, 60), colour=BLUE, width=5), p.dot(126, 64), p.names((30, 100), (74, 14))
    p.arrow(126, 64, 112, 54, "", RED), p.text(134, 76, "n of a ramp", RED), p.text(44, 119, "corner[0], corner[1], ...", TEXT)


def backlash(p):
    p.circle(70, 60, 40, GREY), p.circle(165, 60, 50), p.names((66, 40), (160, 36)), p.dot(70, 60, GREY), p.dot(165, 60)
    p.dimension(70, 60, 108, 60, "r_A", -8, -5), p.dimension(165, 60, 117, 60, "r_B", -8, -5), p.line((112, 44), (112, 54), colour=RED), p.line((112, 66), (112, 76), colour=RED)
    p.text(86, 118, "play on either side")


DRAWINGS = (revolute, prismatic, weld, drive, linear_drive, turning_friction, sliding_friction, gravity, spring, torsion_spring, motor, pull,
            one_sided_spring, bump_stop, one_sided_torsion_spring, revolute_clearance, prismatic_clearance, slot_clearance, point_on_line,
            point_on_curve, point_on_polygon, backlash)
FIGURES = {draw.__name__: draw for draw in DRAWINGS}


def main():
    folder, check, wrong = pathlib.Path(__file__).parent, "--check" in sys.argv[1:], []
    for name, draw in FIGURES.items():
        picture = Picture()
        draw(picture)
        file = folder / f"{name}.svg"
        if check:
            wrong += [] if file.exists() and file.read_text() == picture.svg() else [file.name]
        else:
            file.write_text(picture.svg())
    wrong += [file.name for file in folder.glob("*.svg") if file.stem not in FIGURES]
    print("\n".join(f"{name} differs from its drawing: run lib/parts/draw_parts.py" for name in wrong))
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
