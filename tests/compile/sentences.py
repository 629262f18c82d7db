#!/usr/bin/env python3
"""Every compiler message about a model, for every kind of error in a member: sentences.py <root> <compiler> <flag>...

Each case changes one member of a correct model: missing, not const, another type, another size, other arguments. In a State or in a
Stepper, the model must fail with the message of this member in the first line with "error:", followed by at most three error lines.
The correct models must compile. A message in the library's headers that no case covers is an error as well.
"""
import concurrent.futures
import itertools
import os
import pathlib
import re
import subprocess
import sys
import tempfile

root, command = pathlib.Path(sys.argv[1]), [sys.argv[2], "-std=c++17", *sys.argv[3:]]

PLAIN = {
    "Real": "using Real = double;",
    "dof": "static constexpr int dof = 2;",
    "contacts": "static constexpr int contacts = 1;",
    "tangents": "static constexpr int tangents = 1;",
    "frictions": "static constexpr int frictions = 1;",
    "friction_dim": "static constexpr int friction_dim = 1;",
    "bilaterals": "static constexpr int bilaterals = 1;",
    "projections": "static constexpr int projections = 1;",
    "closed_at_once": "static constexpr int closed_at_once = 1;",
    "max_closed": "static constexpr int max_closed = 1;",
    "constant_mass": "static constexpr bool constant_mass = true;",
    "constant_directions": "static constexpr bool constant_directions = true;",
    "diagonal_mass": "static constexpr bool diagonal_mass = true;",
    "symmetric_steps": "static constexpr bool symmetric_steps = false;",
    "uniform_contacts": "static constexpr bool uniform_contacts = true;",
    "predicted_force": "static constexpr bool predicted_force = true;",
    "second_order": "static constexpr bool second_order = false;",
    "predicted_gaps": "static constexpr bool predicted_gaps = false;",
    "mass_pattern": "static constexpr bool mass_pattern(int, int) { return true; }",
    "direction_pattern": "static constexpr bool direction_pattern(int, int, int) { return true; }",
    "touches": "static constexpr bool touches(int, int) { return true; }",
    "mass": "M22 mass(const Q&, double) const { return M22::Identity(); }",
    "force": "Q force(const Q&, const Q&, double) const { return Q::Zero(); }",
    "gap": "double gap(int, const Q& q, double) const { return q(0); }",
    "directions": "D directions(int, const Q&, double) const { return {}; }",
    "law": "moreau::ContactLaw<double> law(int) const { return {}; }",
    "mu": "double mu(int, double) const { return 0.5; }",
    "allowed_penetration": "double allowed_penetration(int) const { return 1e-6; }",
    "play_of": "double play_of(int) const { return 1e-4; }",
    "friction_bound": "double friction_bound(int, const Q&, double) const { return 1; }",
    "friction_directions": "F friction_directions(int, const Q&, double) const { return {}; }",
    "bilateral": "B bilateral(int, const Q&, double) const { return {}; }",
    "bias_acceleration": "double bias_acceleration(int, const Q&, const Q&, double) const { return 0; }",
    "contact_bias_acceleration": "moreau::ContactBias<double> contact_bias_acceleration(int, const Q&, const Q&, double) const { return {}; }",
    "friction_bias_acceleration": "double friction_bias_acceleration(int, const Q&, const Q&, double) const { return 0; }",
    "zeta_E": "double zeta_E(int, const Q&, const Q&, double, double) const { return 0; }",
    "wrap": "Q wrap(const Q& q) const { return q; }",
    "period": "double period() const { return 1; }",
    "potential": "double potential(const Q&, double) const { return 0; }",
    "identity": "static constexpr const char* identity = \"a model\";",
}
SHARING = {
    **PLAIN,
    "at": "A at(const Q& q, double t) const { return {q, t}; }",
    "mass": "M22 mass(const A&) const { return M22::Identity(); }",
    "force": "Q force(const A&, const Q&) const { return Q::Zero(); }",
    "gap": "double gap(int, const A& a) const { return a.q(0); }",
    "directions": "D directions(int, const A&) const { return {}; }",
    "friction_bound": "double friction_bound(int, const A&) const { return 1; }",
    "friction_directions": "F friction_directions(int, const A&) const { return {}; }",
    "bilateral": "B bilateral(int, const A&) const { return {}; }",
    "bias_acceleration": "double bias_acceleration(int, const A&, const Q&) const { return 0; }",
    "contact_bias_acceleration": "moreau::ContactBias<double> contact_bias_acceleration(int, const A&, const Q&) const { return {}; }",
    "friction_bias_acceleration": "double friction_bias_acceleration(int, const A&, const Q&) const { return 0; }",
    "zeta_E": "double zeta_E(int, const A&, const Q&, double) const { return 0; }",
    "potential": "double potential(const A&) const { return 0; }",
}
OPTIONAL = {"at", "mu", "allowed_penetration", "play_of", "bias_acceleration", "contact_bias_acceleration", "friction_bias_acceleration", "zeta_E", "wrap", "period", "potential"}  # may be missing
COUNTED = ("frictions", "bilaterals")  # required if their functions exist
CONSTANTS = ("tangents", "friction_dim", "projections", "closed_at_once", "max_closed", "constant_mass", "constant_directions", "diagonal_mass",
             "symmetric_steps", "uniform_contacts", "predicted_force", "second_order", "predicted_gaps", "mass_pattern", "direction_pattern", "touches", "identity", *COUNTED)
EXPRESSIONS = {
    "at": "return Q(1, 2) + Q(3, 4);",
    "mass": "const M22 I = M22::Identity(); return 2.0 * I;",
    "force": "return Q(1, 2) - Q(3, 4);",
    "wrap": "return -Q(1, 2);",
    "friction_directions": "return Sum{Q(1, 2) + Q(3, 4), 0, 0};",
    "bilateral": "return Sum{Q(1, 2) + Q(3, 4), 0, 0};",
}
TYPOS = {"tangent": "tangents", "friction": "frictions", "friction_dims": "friction_dim", "bilateral_rows": "bilaterals",
         "projection": "projections", "mass_constant": "constant_mass", "mass_diagonal": "diagonal_mass",
         "symmetric_step": "symmetric_steps",
         "depth": "allowed_penetration", "bend": "bias_acceleration", "friction_dimension": "friction_dim", "const_mass": "constant_mass",
         "constant_direction": "constant_directions", "uniform_contact": "uniform_contacts",
         "allowed_penetrations": "allowed_penetration", "bias_accelerations": "bias_acceleration", "wraps": "wrap", "periods": "period"}
USES = {
    "State": "moreau::State<Model> start;",
    "Stepper": "moreau::Stepper<Model> stepper{Model{}, {}}; bool used = stepper.step(1e-3).advanced();",
}


def program(members, use):
    body = "\n  ".join(members.values())
    return f"""namespace {{
using Q = moreau::Vector<double, 2>;
using M22 = moreau::Matrix<double, 2, 2>;
using D = moreau::Directions<double, 2>;
using F = moreau::FrictionDirections<double, 2>;
using B = moreau::Bilateral<double, 2>;
struct A {{ Q q; double t; }};
struct Sum {{ decltype(Q(1, 2) + Q(3, 4)) w; double zeta, g; }};
struct Model {{
  {body}
}};
{use}
}}
"""


def mistakes(members):
    """(member, kind of error, replacement text)"""
    for name, text in members.items():
        if name == "Real":
            yield name, "missing", ""
            yield name, "an integer", "using Real = int;"
        elif name in ("dof", "contacts"):
            yield name, "missing", ""
            yield name, "negative", text.replace("= 2", "= -1").replace("= 1", "= -1")
        elif name in CONSTANTS:
            yield name, "not static", text.replace("static constexpr ", "")
            if name in ("tangents", "friction_dim", "bilaterals", "closed_at_once", "max_closed"):
                yield name, "too large", text.replace("= 1", "= 5")
            if name in ("tangents", "frictions", "friction_dim", "bilaterals", "projections"):
                yield name, "negative", text.replace("= 1", "= -1")
            if name in COUNTED or name == "touches":
                yield name, "missing", ""
        else:
            if name not in OPTIONAL:
                yield name, "missing", ""
            head, body = text.split(" const {", 1)
            _, rest = head.split(" ", 1)  # without the return type
            yield name, "not const", f"{head} {{{body}"
            yield name, "void", f"void {rest} const {{}}"
            yield name, "another argument", text.replace("(", "(char*, " if not text.split("(")[1].startswith(")") else "(char*", 1)
            if name in ("mass", "force", "wrap"):
                yield name, "another size", f"moreau::Matrix<double, 3, 3> {rest} const {{ return {{}}; }}"
            if name not in ("mass", "force", "wrap", "at"):
                yield name, "another type", f"const char* {rest} const {{ return nullptr; }}"
                yield name, "float in a double model", f"float {rest} const {{ return 0; }}"
            if name in EXPRESSIONS:
                yield name, "an Eigen expression", f"auto {rest} const {{ {EXPRESSIONS[name]} }}"
            if name == "directions":
                yield name, "two tangents for one", f"moreau::Directions<double, 2, 2> {rest} const {{ return {{}}; }}"


def sentence_of(name, wrong, sharing, sentences):
    if wrong == "an Eigen expression":
        return next(s for s in sentences if s.startswith(f"Model's {name} returns an Eigen expression: write the return type, "))
    key = {"friction_dim": "frictions"}.get(name, name)
    sentences = [s for s in sentences if not s.startswith("Model declares ")]
    found = [s for s in sentences if re.search(rf"[ :]{key}(\(| = |;)|using {key} ", s.split("//")[0]) and
             ("const A& a" not in s) == (not sharing)] or \
            [s for s in sentences if re.search(rf"[ :]{key}(\(| = )|using {key} ", s.split("//")[0])]
    assert len(found) == 1, (name, sharing, found)
    return found[0]


headers = "".join((root / "lib/moreau/model" / name).read_text() for name in ("traits.hpp", "functions.hpp", "require.hpp"))
sentences = ["".join(re.findall(r'"([^"]*)"', text)) for text in re.findall(r"static_assert\((.*?)\);(?: };)?\n", headers, re.S)]
assert len(sentences) > 40 and all(re.match(r"Model( needs: | declares `|'s \w+ returns an Eigen expression: )", s) for s in sentences), sentences

jobs, covered = [], set()
for kind, members in (("plain", PLAIN), ("sharing", SHARING)):
    for use, text in USES.items():
        jobs.append((f"{kind} model in a {use}", program(members, text), None))
    for i, (name, wrong, replacement) in enumerate(mistakes(members)):
        if kind == "sharing" and members[name] == PLAIN.get(name):
            continue
        sentence = sentence_of(name, wrong, kind == "sharing" and name != "at", sentences)
        covered.add(sentence)
        for j, (use, text) in enumerate(USES.items()):
            if wrong == "missing" or (i + j) % 2 == 0:
                jobs.append((f"{kind} model, {name}: {wrong}, in a {use}", program({**members, name: replacement}, text), sentence))

for wrong, right in TYPOS.items():  # the correct name is missing, all other members are present
    sentence = f"Model declares `{wrong}`: the member is called {right}"
    covered.add(sentence)
    misspelt = {name: text.replace(right, wrong) if name == right else text for name, text in PLAIN.items()}
    jobs.append((f"{wrong} for {right}", program(misspelt, USES["Stepper"]), sentence))

# The rule of second_order replaces these options.
for former in ("persistent_contacts", "lasting_contacts"):
    sentence = f"Model declares `{former}`: with second_order = true, contacts at rest stay closed"
    covered.add(sentence)
    jobs.append((former, program({**PLAIN, "second_order": f"static constexpr bool {former} = true;"}, USES["Stepper"]), sentence))

# mu has no effect without tangents.
no_tangents = next(s for s in sentences if "it has mu(contact, v)" in s)
covered.add(no_tangents)
jobs.append(("mu without tangents", program({**PLAIN, "tangents": PLAIN["tangents"].replace("1", "0")}, USES["Stepper"]), no_tangents))

# A parts list is not a model (mechanism/parts.hpp). Its message precedes that of the missing dof.
PARTS = {"Real": PLAIN["Real"], "bodies": "enum Names { bob, bodies };", "parts": "int parts() const { return 0; }"}
a_parts_list = next(s for s in sentences if "Mechanism<Parts>" in s)
covered.add(a_parts_list)
jobs += [(f"parts list in a {use}", program(PARTS, text), a_parts_list) for use, text in USES.items()]


def check(job):
    what, text, sentence = job
    run = subprocess.run([*command, "-include", prefix, "-fsyntax-only", "-Wno-unused", "-Wno-unused-parameter", "-x", "c++", "-"], input=text,
                         capture_output=True, text=True, env={**os.environ, "LC_ALL": "C"})
    errors = [line for line in run.stderr.splitlines() if "error:" in line]
    if sentence is None:
        return f"{what} does not compile:\n  " + "\n  ".join(errors[:3]) if run.returncode else ""
    if not run.returncode:
        return f"{what}: compiles"
    if sentence not in errors[0]:
        return f"{what}: the first error does not contain: {sentence}\n  " + "\n  ".join(errors[:3])
    return f"{what}: {len(errors) - 1} error lines after the message" if len(errors) > 4 else ""


with tempfile.TemporaryDirectory() as folder:
    prefix = f"{folder}/prefix.hpp"
    # Precompiled: the library, and its and Eigen's template instances for a correct model of this size.
    correct = program(PLAIN, "constexpr auto size = sizeof(moreau::State<Model>);")
    pathlib.Path(prefix).write_text(f"#include <moreau/moreau.hpp>\nnamespace beforehand {{\n{correct}}}\n")
    output = prefix + (".pch" if "clang" in command[0] else ".gch")
    subprocess.run([*command, "-Wno-unused", "-x", "c++-header", prefix, "-o", output], check=True)
    if "clang" in command[0]:
        command += ["-include-pch", output]
        prefix = os.devnull
    with concurrent.futures.ThreadPoolExecutor(2) as pool:
        failures = list(itertools.islice(filter(None, pool.map(check, jobs)), 20))  # one error in a header fails hundreds of cases
        pool.shutdown(cancel_futures=True)
failures += [f"not covered: {s}" for s in sentences if s not in covered]
print("\n".join(failures))
print(f"{len(jobs)} models, {len(covered)} messages, {len(failures)} failures")
sys.exit(1 if failures else 0)
