#!/usr/bin/env python3
"""Compares moreau with its peers, as Debian has them, on the same mechanisms and contact problems.

  compare_peers.py                  installs missing packages, builds and runs every program; writes peers.json,
                                    README.md of this folder and the pages with figures from them; some minutes
  compare_peers.py --print          prints the page instead
  compare_peers.py --check PROGRAM  fails if this program (moreau.cpp, built) finds other values than peers.json has
                                    for moreau, times excepted, or if README.md differs from peers.json

A peer that the release does not have is omitted with a sentence. Times are the minimum of several runs on an idle
machine.
"""
import argparse
import datetime
import functools
import itertools
import os
import pathlib
import re
import shutil
import subprocess
import sys

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parents[2]
sys.dont_write_bytecode = True
sys.path.insert(0, str(ROOT / "tests/support"))
import tables

BUILD = ROOT / "build/peers"
PAGE = HERE / "README.md"
FILE = "benchmarks/peers/peers.json"
LOCALE = {**os.environ, "LC_ALL": "C", "OPENBLAS_NUM_THREADS": "1"}

FLAGS = ["-std=c++17", "-O2", "-ffp-contract=off", f"-I{ROOT}/lib", f"-I{ROOT}/tests", f"-I{ROOT}/examples", "-isystem", "/usr/include/eigen3"]
SICONOS = [f"/usr/include/siconos{folder}" for folder in ("", "/kernel", "/numerics")]
PEERS = {  # program: Debian's packages (the first one's version is printed), flags
    "moreau": (["g++", "libeigen3-dev"], []),
    "siconos": (["libsiconos-kernel-dev", "libsiconos-numerics-dev"],
                [word for folder in SICONOS for word in ("-isystem", folder)] + ["-lsiconos_kernel", "-lsiconos_numerics"]),
    "mujoco": (["libmujoco-dev"], ["-lmujoco"]),
    "bullet": (["libbullet-dev"], ["-DBT_USE_DOUBLE_PRECISION", "-isystem", "/usr/include/bullet",
                                   "-lBulletDynamics-float64", "-lBulletCollision-float64", "-lLinearMath-float64"]),
}
NAMES = {"moreau": "moreau", "siconos": "Siconos", "mujoco": "MuJoCo", "bullet": "Bullet"}
TIMES = {"ns", "runs/s"}  # columns that differ from run to run


def out(*command):
    return subprocess.run(command, capture_output=True, text=True, env=LOCALE).stdout.strip()


def installed(package):
    return out("dpkg-query", "-W", "-f", "${db:Status-Status}", package) == "installed"


def in_release(package):
    return re.search(r"Candidate: \d", out("apt-cache", "policy", package)) is not None


def as_root(*command):
    root = [] if os.geteuid() == 0 else ["sudo"]
    if root and not shutil.which("sudo"):
        sys.exit(f"neither root nor sudo is available for: {' '.join(command)}")
    subprocess.run([*root, *command], check=True)


@functools.lru_cache
def lists_are_new():
    as_root("apt-get", "update", "-q")


def lacking(packages):
    """Installs missing packages; returns those that the release does not have."""
    missing = [p for p in packages if not installed(p)]
    if missing:
        lists_are_new()
        absent = [p for p in missing if not in_release(p)]
        if absent:
            return absent
        print("installing", *missing, flush=True)
        as_root("apt-get", "install", "-q", "-y", "--no-install-recommends", "-o", "DPkg::Lock::Timeout=300", *missing)
    return []


def lines_of(program, *arguments):
    ran = subprocess.run([program, *arguments], capture_output=True, text=True, env=LOCALE, timeout=600)
    if ran.returncode != 0:
        sys.exit(f"{program} ended with {ran.returncode}:\n{ran.stdout[-2000:]}{ran.stderr[-2000:]}")
    return [line.split("\t") for line in ran.stdout.splitlines() if line.split("\t")[0] in TABLES]


def build(peer, source):
    program = BUILD / source.stem
    BUILD.mkdir(parents=True, exist_ok=True)
    subprocess.run([os.environ.get("CXX", "g++"), *FLAGS, str(source), "-o", str(program), *PEERS[peer][1]], check=True)
    return program


# ---- the page -------------------------------------------------------------------------------------------------------
def number(text):
    """Three digits, without an exponent if readable."""
    if text == "nan":
        return "not reported"
    value = float(text)
    if value == 0:
        return "0"
    if 1e-3 <= abs(value) < 1e6:
        digits = f"{value:.3g}" if abs(value) < 100 else f"{value:,.0f}"
        return digits
    return f"{value:.1e}".replace("e-0", "e-").replace("e+0", "e")


CRANK = """The slider-crank with a translational clearance joint of
[`slider_crank.hpp`](../../../examples/models/slider_crank.hpp), 0.16 s. Errors are the largest deviation of an angle
from the [reference solution](../../papers/data/slider_crank.hpp) at its points in time, the median of five steps from
33 to 50 us: with the symmetric start over 0.16 s, with the tilted slab over 25 ms. `penetration`: the largest of a
corner into its face. `tilt`: the exact value is 0. `unsolved`: steps whose contacts the program itself reports as
unsolved, or that exhaust its iterations."""

WOODPECKER = """The toy of [`woodpecker.hpp`](../../../examples/models/woodpecker.hpp), 0.5 s, against its
[reference](../../papers/data/woodpecker.hpp); errors of both angles as above. Its kinematics is linearised, which rigid
bodies cannot express: MuJoCo and Bullet are omitted."""
FOUR_BAR = """Three of four pins have 0.5 mm of clearance ([`four_bar.hpp`](../../../examples/models/four_bar.hpp)),
0.2 s, one turn of the crank; `penetration`: the largest of a pin into its bearing. The reference is moreau's own
adaptive run; the independent programs agree with it within their first-order error. In MuJoCo and Bullet a pin in a
ring is a pair of shapes added by the program beside this page, Siconos has the equations of motion in seven
coordinates."""
PROBES = """1 kg, friction 0.5, the same step of 50 us. `creep`: displacement in one second under 95 % of the maximum
friction force. `lowest`, `highest`: its height range while it slides, from 1 down to 0.5 m/s. `rebound`: ratio of the
velocities after and before an impact, eps 0.4, for impacts at eight instants of a step."""

SOLVED = ["ns", "heap calls", "solved, %", "refused, %", "silently wrong, %"]
CONTACTS = """Cold solves of the [problems of the tests](../../solvers/data/problems.hpp) with a known solution.
Solved: the solver reports success, and the independent [measure](../../solvers/measure.hpp) is at most 1e-6. Silently
wrong: the solver reports success, and the measure is larger. `ns` is the mean over all problems, of each the minimum of
several solves; failed solves are included."""
DRAWN = """Drawn from the well-scaled [families](../../solvers/draws.hpp) of the tests, with few coordinates, similar
and opposed contacts, and jammed bodies; only problems with a solution, by exhaustive mode enumeration, that is robust
to rounding."""
DRAWN_8 = """The same families; the solution is drawn first, the free velocities follow from it."""
FEET = """A rigid body of 1 kg on feet around its centre of mass, with different friction under each: more rows than
its six coordinates. A step of 1 ms in which it is pushed while it stands, slides or lands."""
SPACE = """As above, with friction in two directions. Bullet's cone is a pyramid there and is omitted."""

TABLES = {  # first word of a line: title, text, columns
    "crank": ("Slider-crank with clearance in its guide", CRANK,
              ["ns", "heap calls a step", "runs/s", "error, rad", "error of the slab, rad", "penetration, m", "tilt, rad", "unsolved"]),
    "woodpecker": ("Woodpecker toy", WOODPECKER, ["ns", "heap calls a step", "runs/s", "error, rad", "unsolved"]),
    "four_bar": ("Four-bar with three loose pins", FOUR_BAR, ["ns", "heap calls a step", "runs/s", "error, rad", "penetration, m", "unsolved"]),
    "probes": ("A block on a floor", PROBES,
               ["creep, m", "lowest, m", "highest, m", "rebound, least", "mean", "most"]),
    "contacts_table": ("Contact problems in the plane: the table", CONTACTS, SOLVED),
    "contacts_2": ("Contact problems in the plane: two contacts, drawn", DRAWN, SOLVED),
    "contacts_4": ("Contact problems in the plane: four contacts, drawn", DRAWN, SOLVED),
    "contacts_8": ("Contact problems in the plane: eight contacts, drawn", DRAWN_8, SOLVED),
    "contacts_space_table": ("Contact problems in space: the table", SPACE, SOLVED),
    "contacts_space_4": ("Contact problems in space: four contacts, drawn", SPACE, SOLVED),
    "contacts_feet_4": ("Contact problems in space: a body on four feet", FEET, SOLVED),
    "contacts_feet_5": ("Contact problems in space: a body on five feet", FEET, SOLVED),
}

NOTES = """Limits of the comparison:

- Siconos gets the equations of motion that `Stepper` gets, function by function, and solves the same contact laws:
  Moreau's step with other forces (theta = 0.5).
- MuJoCo and Bullet get bodies, joints and spheres at the slider's corners, and work in space. Bullet has `btMultiBody`,
  in double precision, its restitution threshold at 0, contacts detected within 1 um and penetration corrected without
  velocity (split impulses); its defaults on a block have a line of their own.
- Contacts of MuJoCo are soft. 2 h is the shortest time constant at a step h. It has no restitution; `eps 0.4 by
  damping` is the damping ratio, found by bisection, with which impacts rebound with 0.4 on average; by it a contact at
  rest oscillates. Cones are elliptic, the impedance is 0.99.
- Siconos' `Lemke, given contacts` builds the complementarity problem itself, a wrong one if friction coefficients
  differ between contacts, as they do in the drawn problems; with equal coefficients it solves nearly the same number as with
  the papers' LCP, and still rejects none. `given the LCP` gets the papers' LCP.
- Bullet's Dantzig takes the bounds of friction from normal percussions without friction, by design; its Gauss-Seidel
  cannot report that it has not converged.
- `ns` is the mean over all steps of a run of 4,000 steps, `runs/s` the number of such runs per second on one core,
  start included. Heap calls are those of malloc, calloc, realloc and aligned variants by program and libraries during
  the steps."""


def table(key, of_key):
    title, text, columns = TABLES[key]
    rows = ["## " + title, "", text, "", "| program | settings | " + " | ".join(columns) + " |", "|---|---|" + "---|" * len(columns)]
    for program, settings, *cells in of_key["rows"]:
        shown = [number(c) for c in cells] if len(cells) == len(columns) else [" ".join(cells)] + [""] * (len(columns) - 1)
        rows.append(f"| {program} | {settings} | " + " | ".join(shown) + " |")
    return "\n".join(rows)


def processor():
    model = re.search(r"^model name\s*: (.*)$", pathlib.Path("/proc/cpuinfo").read_text(), re.M)
    return model.group(1) if model else os.uname().machine


def page(data):
    head = ["# Peers", "", "Written by `tests/benchmarks/peers/compare_peers.py` from [peers.json](peers.json); do not edit. The settings of",
            "each program are in its line, and in the program beside this page.", "", f"{data['date']}, {data['processor']}, {data['system']}, {data['compiler']}, one core."]
    head += [f"{name} {of_peer}." for name, of_peer in data["versions"].items()]
    head += [f"{name}: {reason}." for name, reason in data["absent"].items()]
    parts = ["\n".join(head), NOTES, *(table(key, data["tables"][key]) for key in TABLES)]
    return "\n\n".join(parts) + "\n"


def as_tables(lines):
    """Lines of the programs by the table they belong to, with its columns."""
    return {key: {"columns": TABLES[key][2], "rows": [line[1:] for line in lines if line[0] == key]} for key in TABLES}


def version(peer):
    return out("dpkg-query", "-W", "-f", "${Version}", PEERS[peer][0][0])


def measure():
    """The content of peers.json."""
    found, absent = [], {}
    for peer, (packages, _) in PEERS.items():
        if unknown := lacking(packages):
            absent[peer] = f"this release has no {' and no '.join(unknown)}, so it is left out"
            print(f"{NAMES[peer]}: {absent[peer]}", flush=True)
            continue
        print(f"== {NAMES[peer]}", flush=True)
        try:
            programs = [build(peer, source) for source in sorted(HERE.glob(f"{peer}*.cpp"))]
        except subprocess.CalledProcessError:
            if peer == "moreau":
                raise
            absent[peer] = f"the programs beside this page do not build with {version(peer)}, so it is left out"
            continue
        found += [line for program in programs for line in lines_of(str(program))]
    release = re.search(r'^PRETTY_NAME="(.*)"', pathlib.Path("/etc/os-release").read_text(), re.M)
    return {"date": str(datetime.date.today()), "processor": processor(), "system": release.group(1) if release else "no name of a release",
            "compiler": f"g++ {out('g++', '-dumpfullversion')} -O2",
            "versions": {NAMES[peer]: version(peer) for peer in PEERS if peer not in absent and peer != "moreau"},
            "absent": {NAMES[peer]: reason for peer, reason in absent.items()}, "tables": as_tables(found)}


# ---- the check ------------------------------------------------------------------------------------------------------
def ours(key, of_key):
    """moreau's rows of a table as the page shows them, without the columns of times."""
    for program, settings, *cells in of_key["rows"]:
        if program == "moreau":
            yield " | ".join([key, settings, *(number(cell) for name, cell in zip(of_key["columns"], cells) if name not in TIMES)])


def check(program):
    known, now = tables.read_json(FILE), as_tables(lines_of(program, "quick"))
    keys = [key for key in TABLES if now[key]["rows"]]
    before, after = ([row for key in keys for row in ours(key, of_file[key])] for of_file in (known["tables"], now))
    for a, b in itertools.zip_longest(before, after, fillvalue="nothing"):
        if a != b:
            print(f"peers.json has {a}\nnow it is      {b}")
    stale = page(known) != PAGE.read_text()
    if stale:
        print(f"{PAGE.relative_to(ROOT)} differs from peers.json")
    if before != after or not after or stale:
        sys.exit("stale: run tests/benchmarks/peers/compare_peers.py")
    print(f"{len(after)} rows of moreau agree with peers.json")


def main():
    arguments = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    arguments.add_argument("--print", action="store_true")
    arguments.add_argument("--check", metavar="PROGRAM")
    a = arguments.parse_args()
    if a.check:
        return check(a.check)
    data = measure()
    if a.print:
        print(page(data))
    else:
        tables.write_json(FILE, data)
        PAGE.write_text(page(data))
        subprocess.run([ROOT / "tests/write_pages.py"], check=True)
    return None


main()
