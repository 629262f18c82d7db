#!/usr/bin/env python3
"""Compares moreau with Siconos, MuJoCo and Bullet of Debian, on the same mechanisms and contact problems.

  compare_peers.py                  installs missing packages, builds and runs every program; writes peers.json,
                                    README.md of this folder and the pages with figures from them; some minutes
  compare_peers.py --print          prints the page instead
  compare_peers.py --moreau         measures moreau only, and keeps the rows of the other programs in peers.json
  compare_peers.py --page           writes README.md of this folder from peers.json, without measurements
  compare_peers.py --check PROGRAM  fails if this program (moreau.cpp, built) finds other values than peers.json has
                                    for moreau, times excepted, or if README.md differs from peers.json

A simulator that the release does not contain is omitted, and the page gives the reason. Times are the minimum of several runs on an idle
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
COSTS = [f"{start}, {ms} ms" for start in ("symmetric", "slab") for ms in (2, 20, 200)]
TIMES = {"ns", "runs/s", *COSTS}  # columns that differ from run to run


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
    if text in ("-", "stopped"):
        return text
    value = float(text)
    if value == 0:
        return "0"
    if 1e-3 <= abs(value) < 1e6:
        digits = f"{value:.3g}" if abs(value) < 100 else f"{value:,.0f}"
        return digits
    return f"{value:.1e}".replace("e-0", "e-").replace("e+0", "e")


CRANK = """The mechanism is the slider-crank with a translational clearance joint of
[`slider_crank.hpp`](../../../examples/models/slider_crank.hpp), over 0.16 s. An error is the largest deviation of an
angle from the [reference solution](../../papers/data/slider_crank.hpp) at its points in time. The table gives the
median over five step sizes from 33 to 50 us. `error` refers to the symmetric initial position over 0.16 s, and `error
of the slab` to the tilted slab over 25 ms. `penetration` is the largest penetration of a corner into its face. The
exact value of `tilt` is 0. `unsolved` counts steps whose contacts the program itself reports as unsolved, or that
exhaust its iterations."""

COST = """The same mechanism and errors, in rad. Each program runs with the step size at which its computing time per second of
simulated time is 2, 20 or 200 ms, from the `ns` of the table above. `-` means a step size above 0.4 ms, and `stopped` a
run that did not reach its end."""

WOODPECKER = """The mechanism is the toy of [`woodpecker.hpp`](../../../examples/models/woodpecker.hpp) over 0.5 s, compared with its
[reference solution](../../papers/data/woodpecker.hpp). The errors of both angles are defined as above. MuJoCo and
Bullet are omitted, because their rigid bodies cannot represent the linearised kinematics of the model."""
FOUR_BAR = """Three of four pins have 0.5 mm of clearance ([`four_bar.hpp`](../../../examples/models/four_bar.hpp)). The run covers
0.2 s, one turn of the crank. `penetration` is the largest penetration of a pin into its bearing. The reference is an
adaptive run of moreau. The independent programs agree with this reference within their first-order error. In MuJoCo and
Bullet, the source files in this folder model a pin in a ring by a pair of shapes. Siconos uses the equations of motion
in seven coordinates."""
PROBES = """The block has 1 kg and a friction coefficient of 0.5. All programs use a step of 50 us. `creep` is the displacement in
one second under 95 % of the maximum friction force. `lowest` and `highest` give the range of its height while it slows
from 1 to 0.5 m/s by sliding. `rebound` is the ratio of the velocities after and before an impact with eps 0.4, for
impacts at eight instants of a step."""

SOLVED = ["ns", "heap calls", "solved, %", "refused, %", "silently wrong, %"]
CONTACTS = """The programs solve the [problems of the tests](../../solvers/data/problems.hpp) with a known solution, without warm
start. A problem is *solved* if the solver reports success and the independent [measure](../../solvers/measure.hpp) is
at most 1e-6. It is *silently wrong* if the solver reports success and the measure is larger. `ns` is the mean over all
problems, including failed solves. For each problem it uses the minimum of several solves."""
DRAWN = """The problems are random members of the well-scaled [families](../../solvers/draws.hpp) of the tests, with few
coordinates, similar and opposed contacts, and jammed bodies. Only problems with a solution that is robust to rounding
are used; exhaustive mode enumeration determines them."""
DRAWN_8 = """The families are the same. The solution is random, and the free velocities follow from it."""
FEET = """A rigid body of 1 kg stands on feet around its centre of mass, with a different friction coefficient at each foot. The
problem has more rows than the body has coordinates (six). In a step of 1 ms, the body is pushed while it stands, slides
or lands."""
SPACE = """The problems are as above, with friction in two directions. Bullet is omitted, because it approximates the friction cone
by a pyramid."""

TABLES = {  # first word of a line: title, text, columns
    "crank": ("Slider-crank with clearance in its guide", CRANK,
              ["ns", "heap calls a step", "runs/s", "error, rad", "error of the slab, rad", "penetration, m", "tilt, rad", "unsolved"]),
    "crank_cost": ("Slider-crank at equal computing time", COST, COSTS),
    "woodpecker": ("Woodpecker toy", WOODPECKER, ["ns", "heap calls a step", "runs/s", "error, rad", "unsolved"]),
    "four_bar": ("Four-bar with three loose pins", FOUR_BAR, ["ns", "heap calls a step", "runs/s", "error, rad", "penetration, m", "unsolved"]),
    "probes": ("A block on a floor", PROBES,
               ["creep, m", "lowest, m", "highest, m", "rebound, least", "mean", "most"]),
    "contacts_table": ("Contact problems in the plane: stored problems", CONTACTS, SOLVED),
    "contacts_2": ("Contact problems in the plane: two contacts, random", DRAWN, SOLVED),
    "contacts_4": ("Contact problems in the plane: four contacts, random", DRAWN, SOLVED),
    "contacts_8": ("Contact problems in the plane: eight contacts, random", DRAWN_8, SOLVED),
    "contacts_space_table": ("Contact problems in space: stored problems", SPACE, SOLVED),
    "contacts_space_4": ("Contact problems in space: four contacts, random", SPACE, SOLVED),
    "contacts_feet_4": ("Contact problems in space: a body on four feet", FEET, SOLVED),
    "contacts_feet_5": ("Contact problems in space: a body on five feet", FEET, SOLVED),
}

NOTES = """Limits of the comparison:

- Siconos evaluates the same equations of motion as `Stepper`, function by function, and solves the same contact laws.
  The time-stepping scheme is that of Moreau with a different evaluation of the forces (theta = 0.5).
- MuJoCo and Bullet simulate in space, with bodies, joints and spheres at the corners of the slider. Bullet uses
  `btMultiBody` in double precision and a restitution threshold of 0. Contacts are detected within 1 um, and penetration
  is corrected without a change of velocity (split impulses). A separate row contains the block with the defaults of
  Bullet.
- MuJoCo has soft contacts, elliptic cones and an impedance of 0.99. With a step h, the shortest time constant is 2 h.
  MuJoCo has no restitution law. In rows with `eps 0.4 by damping`, bisection of the damping ratio gives a mean rebound
  of 0.4. With this damping ratio, a contact at rest oscillates.
- With `Lemke, given contacts`, Siconos constructs the complementarity problem itself. This problem is wrong if friction
  coefficients differ between contacts, as in the random problems. With equal coefficients this setting solves nearly
  the same number as with the LCP of the papers, and still rejects none. With `given the LCP`, Siconos receives the LCP
  of the papers.
- By design, the Dantzig solver of Bullet computes the friction bounds from normal percussions without friction. The
  Gauss-Seidel solver of Bullet cannot report missing convergence.
- Rows of moreau with `second order` belong to models that declare
  [`second_order`](../../../lib/STEP.md#steps-of-second-order); all other hand-derived models use the steps of the papers.
- `ns` is the mean over all steps of a run of 4,000 steps. `runs/s` is the number of such runs per second on one core,
  including the initialisation. Heap calls are calls of malloc, calloc, realloc and their aligned variants during the
  steps, by the program and its libraries."""


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
    head = ["# Comparison with other simulators", "", "`tests/benchmarks/peers/compare_peers.py` writes this page from [peers.json](peers.json); do not edit it. The table",
            "rows contain the main settings of each program; the source files in this folder contain all settings.", "", f"{data['date']}, {data['processor']}, {data['system']}, {data['compiler']}, one core."]
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
            absent[peer] = f"omitted, because this release has no {' and no '.join(unknown)}"
            print(f"{NAMES[peer]}: {absent[peer]}", flush=True)
            continue
        print(f"== {NAMES[peer]}", flush=True)
        try:
            programs = [build(peer, source) for source in sorted(HERE.glob(f"{peer}*.cpp"))]
        except subprocess.CalledProcessError:
            if peer == "moreau":
                raise
            absent[peer] = f"omitted, because the programs in this folder do not build with {version(peer)}"
            continue
        found += [line for program in programs for line in lines_of(str(program))]
    release = re.search(r'^PRETTY_NAME="(.*)"', pathlib.Path("/etc/os-release").read_text(), re.M)
    return {"date": str(datetime.date.today()), "processor": processor(), "system": release.group(1) if release else "no name of a release",
            "compiler": f"g++ {out('g++', '-dumpfullversion')} -O2",
            "versions": {NAMES[peer]: version(peer) for peer in PEERS if peer not in absent and peer != "moreau"},
            "absent": {NAMES[peer]: reason for peer, reason in absent.items()}, "tables": as_tables(found)}


def with_new_rows_of_moreau(known):
    """peers.json with new rows of moreau. Times of two processors cannot be compared."""
    if known["processor"] != processor():
        sys.exit(f"peers.json has times of {known['processor']}, this is {processor()}: measure all programs")
    now = as_tables([line for source in sorted(HERE.glob("moreau*.cpp")) for line in lines_of(str(build("moreau", source)))])
    for key, of_key in known["tables"].items():
        of_key["rows"] = now[key]["rows"] + [row for row in of_key["rows"] if row[0] != "moreau"]
    return known


# ---- the check ------------------------------------------------------------------------------------------------------
def ours(key, of_key):
    """moreau's rows of a table as the page shows them, without the columns of times."""
    for program, settings, *cells in of_key["rows"]:
        if program == "moreau":
            yield " | ".join([key, settings, *(number(cell) for name, cell in zip(of_key["columns"], cells) if name not in TIMES)])


def check(program):
    known, now = tables.read_json(FILE), as_tables(lines_of(program, "quick"))
    keys = [key for key in TABLES if now[key]["rows"] and not set(TABLES[key][2]) <= TIMES]
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
    for option in ("--print", "--moreau", "--page"):
        arguments.add_argument(option, action="store_true")
    arguments.add_argument("--check", metavar="PROGRAM")
    a = arguments.parse_args()
    if a.check:
        return check(a.check)
    known = tables.read_json(FILE)
    data = known if a.page else with_new_rows_of_moreau(known) if a.moreau else measure()
    if a.print:
        print(page(data))
    else:
        tables.write_json(FILE, data)
        PAGE.write_text(page(data))
        subprocess.run([ROOT / "tests/write_pages.py"], check=True)
    return None


main()
