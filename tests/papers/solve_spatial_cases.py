#!/usr/bin/env python3
"""Reference solutions of cases in space: tests/papers/data/spatial_cases.hpp.

    solve_spatial_cases.py            writes the file
    solve_spatial_cases.py --check    compares it with the file

Two cases, solved without the library and in other coordinates:

  heavy top        asymmetric top on a fixed point. Euler angles (precession, nutation, spin) and angular velocity along the axes
                   of the body; Euler's equations about the fixed point.
  ball in socket   rigid body with a ball off its centre of mass in a spherical socket with play. Unit quaternion, Newton and
                   Euler's equations; impacts at their instants: Newton's restitution, Coulomb's law with the direction of slip
                   by bisection.

Integration: modified midpoint rule, extrapolated in H^2 (Gragg, Bulirsch, Stoer). Repeating a case with half the step estimates
its error; the file contains the estimate.
"""
import math
import pathlib
import re
import sys

FILE = pathlib.Path(__file__).resolve().parent / "data" / "spatial_cases.hpp"
ORDERS = 9  # columns of the extrapolation: order 18
SAME = 1e-9  # largest difference between machines, whose sines are rounded differently
NUMBER = re.compile(r"-?\d+\.?\d*(?:e[-+]\d+)?")
GRAVITY = 9.81  # m/s^2


def midpoint(rate, s, h, count):
    """State after h by the modified midpoint rule with `count` substeps."""
    step = h / count
    before, now = s, [a + step * b for a, b in zip(s, rate(s))]
    for _ in range(count - 1):
        before, now = now, [a + 2 * step * b for a, b in zip(before, rate(now))]
    return [(a + b + step * c) / 2 for a, b, c in zip(now, before, rate(now))]


def advance(rate, s, h):
    """State after h, extrapolated to the substep 0."""
    rows = []
    for j in range(ORDERS):
        row = [midpoint(rate, s, h, 2 * (j + 1))]
        for m in range(1, j + 1):
            weight = ((j + 1) / (j + 1 - m)) ** 2 - 1
            row.append([a + (a - b) / weight for a, b in zip(row[-1], rows[-1][m - 1])])
        rows.append(row)
    return rows[-1][-1]


def cross(a, b):
    return [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]]


def dot(a, b):
    return sum(x * y for x, y in zip(a, b))


class Top:
    """m g l of the centre of mass on the third axis of the body; J about the fixed point."""
    J, m, l = [6e-3, 5e-3, 2e-3], 0.4, 0.08
    start, end = [0.2, 0.6, -0.3, 1.0, -0.5, 30.0], 1.0

    def rate(self, s):
        _, nutation, spin, *w = s
        sin, cos = math.sin(spin), math.cos(spin)
        precession = (w[0] * sin + w[1] * cos) / math.sin(nutation)
        up = [math.sin(nutation) * sin, math.sin(nutation) * cos, math.cos(nutation)]  # of the world, along the axes of the body
        moment = cross([0, 0, self.l], [-self.m * GRAVITY * u for u in up])
        gyroscopic = cross([a * b for a, b in zip(self.J, w)], w)
        return [precession, w[0] * cos - w[1] * sin, w[2] - precession * math.cos(nutation)] + [
            (a + b) / c for a, b, c in zip(moment, gyroscopic, self.J)]

    def quaternion(self, s):
        precession, nutation, spin = s[:3]
        half, sum_, difference = nutation / 2, (precession + spin) / 2, (precession - spin) / 2
        return [math.cos(half) * math.cos(sum_), math.sin(half) * math.cos(difference), math.sin(half) * math.sin(difference),
                math.cos(half) * math.sin(sum_)]

    def solve(self, h):
        s = self.start
        for _ in range(round(self.end / h)):
            s = advance(self.rate, s, h)
        return self.quaternion(s) + s[3:]


class Ball:
    m, J = 1.0, [2e-3, 2.5e-3, 1e-3]
    on_body, play, radius = [0.02, 0.01, 0.05], 5e-3, 0.01
    eps, mu = 0.8, 0.2
    start = [-0.02, -0.01, -0.05, 1, 0, 0, 0, 0.3, 0.2, -0.1, 5, -8, 12]  # r, quaternion, v, Omega along the axes of the body

    def turned(self, q, a, back=False):
        v = [-x for x in q[1:]] if back else q[1:]
        t = [2 * x for x in cross(v, a)]
        return [x + q[0] * y + z for x, y, z in zip(a, t, cross(v, t))]

    def rate(self, s):
        q, v, w = s[3:7], s[7:10], s[10:13]
        dq = [-dot(q[1:], w) / 2] + [(q[0] * a + b) / 2 for a, b in zip(w, cross(q[1:], w))]
        gyroscopic = cross([a * b for a, b in zip(self.J, w)], w)
        return v + dq + [0, 0, -GRAVITY] + [a / b for a, b in zip(gyroscopic, self.J)]

    def centre(self, s):
        return [a + b for a, b in zip(s[:3], self.turned(s[3:7], self.on_body))]

    def gap(self, s):
        return self.play - math.sqrt(dot(self.centre(s), self.centre(s)))

    def impact(self, s):
        """State after an impact, and whether the contact slips."""
        c = self.centre(s)
        n = [-x / math.sqrt(dot(c, c)) for x in c]
        t = cross(n, [1, 0, 0] if abs(n[0]) < 0.7 else [0, 1, 0])
        t = [x / math.sqrt(dot(t, t)) for x in t]
        arm = self.turned(s[3:7], [a - self.radius * b - r for a, b, r in zip(c, n, s[:3])], back=True)
        rows = []
        for e in (n, t, cross(n, t)):
            along = self.turned(s[3:7], e, back=True)
            rows.append(e + cross(arm, along))
        inverse = [1 / self.m] * 3 + [1 / x for x in self.J]
        G = [[sum(a * i * b for a, i, b in zip(p, inverse, q)) for q in rows] for p in rows]
        gamma = [dot(row, s[7:13]) for row in rows]
        xi0 = [gamma[0] * (1 + self.eps), gamma[1], gamma[2]]
        percussion = self.slipping(G, xi0)
        sticking = self.sticking(G, xi0)
        slips = math.hypot(*sticking[1:]) > self.mu * sticking[0]
        P = percussion if slips else sticking
        change = [i * sum(p * row[k] for p, row in zip(P, rows)) for k, i in enumerate(inverse)]
        return s[:7] + [a + b for a, b in zip(s[7:13], change)], slips

    @staticmethod
    def sticking(G, xi0):
        """Solution of G P + xi0 = 0 by Cramer's rule."""
        def det(m):
            return dot(m[0], cross(m[1], m[2]))
        columns = [list(column) for column in zip(*G)]
        minus = [-x for x in xi0]
        return [det([minus if k == j else columns[k] for k in range(3)]) / det(columns) for j in range(3)]

    def slipping(self, G, xi0):
        """Percussions of a slipping contact: the friction is opposite to the sliding velocity after the impact."""
        def solution(a):
            slope = [1, -self.mu * math.cos(a), -self.mu * math.sin(a)]
            P_N = -xi0[0] / dot(G[0], slope)
            return [P_N * x for x in slope]

        def sliding(a):
            P = solution(a)
            return [dot(G[k], P) + xi0[k] for k in (1, 2)]

        def off(a):  # component of the sliding velocity across the direction a
            x, y = sliding(a)
            return x * math.sin(a) - y * math.cos(a)
        turns = [2 * math.pi * j / 720 for j in range(721)]
        for low, high in zip(turns, turns[1:]):
            x, y = sliding(low)
            if (off(low) > 0) == (off(high) > 0) or x * math.cos(low) + y * math.sin(low) < 0:
                continue
            for _ in range(60):
                middle = (low + high) / 2
                low, high = (middle, high) if (off(low) > 0) == (off(middle) > 0) else (low, middle)
            return solution((low + high) / 2)
        return self.sticking(G, xi0)

    def solve(self, h, end):
        """State at `end`, and (time, slips) of the impacts."""
        s, t, impacts = self.start, 0.0, []
        while t < end - 1e-15:
            step = min(h, end - t)
            new = advance(self.rate, s, step)
            if self.gap(new) >= 0 or self.gap(new) > self.gap(s):
                s, t = new, t + step
                continue
            low, high = 0.0, step
            for _ in range(60):
                middle = (low + high) / 2
                low, high = (middle, high) if self.gap(advance(self.rate, s, middle)) > 0 else (low, middle)
            s, slips = self.impact(advance(self.rate, s, low))
            t += low
            impacts.append((t, slips))
        return s, impacts


def row(numbers):
    return "{" + ", ".join(f"{x:.15g}" for x in numbers) + "}"


def difference(a, b):
    return max(abs(x - y) for x, y in zip(a, b))


def text():
    top, ball = Top(), Ball()
    exact, coarse = top.solve(0.0025), top.solve(0.005)
    lines = ["// clang-format off", "// Reference solutions in space: tests/papers/solve_spatial_cases.py, which describes the methods.", "#pragma once", "",
             "namespace data {", "",
             f"// Heavy top at t = {top.end:g} s: quaternion w, x, y, z; angular velocity along the axes of the body. Largest difference to",
             f"// the solution with twice the step: {difference(exact, coarse):.0e}.",
             f"inline constexpr double heavy_top[] = {row(exact)};", "",
             "// Ball in a socket: t, number of impacts; r; quaternion w, x, y, z; v; angular velocity along the axes of the body.",
             "// All impacts slip."]
    cases = []
    for end in (0.02, 0.1):
        s, impacts = ball.solve(0.0025, end)
        other, _ = ball.solve(0.005, end)
        assert all(slips for _, slips in impacts), "an impact sticks"
        cases.append((end, s, impacts, difference(s, other)))
    lines.append("// Largest differences to the solutions with twice the step: " + ", ".join(f"{c[3]:.0e}" for c in cases) + ".")
    lines.append("inline constexpr double ball_in_socket[][15] = {")
    for end, s, impacts, _ in cases:
        lines.append(f"    // impacts at {', '.join(f'{t:.7f}' for t, _ in impacts)} s")
        lines.append(f"    {row([end, len(impacts)] + s)},")
    return "\n".join(lines + ["};", "", "}  // namespace data", ""])


if __name__ == "__main__":
    found = text()
    if "--check" not in sys.argv:
        FILE.write_text(found)
    else:
        stored = FILE.read_text()
        old, new = ([float(x) for x in NUMBER.findall(t)] for t in (stored, found))
        if NUMBER.sub("", stored) != NUMBER.sub("", found) or len(old) != len(new) or difference(old, new) > SAME:
            sys.exit(f"{FILE.name} differs from the solution")
