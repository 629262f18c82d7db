#!/usr/bin/env python3
"""Checks the subjects of commits: commits.py <root>

A subject is imperative, starts with a capital letter, has no full stop and at most 72 characters.
Applies to commits from SINCE on. Skipped (exit code 77) without git or history.
"""
import re
import subprocess
import sys

SINCE = "2026-11-20T00:00:00Z"
MOST = 72
NO_IMPERATIVE = re.compile(r"^(The|A|An|This|These|It|There|What|Now|All|No|New|More|Some|Each|Every|With|In|On|Of|For|\w+(ed|ing|s))\b")
IMPERATIVES = {"Address", "Bypass", "Compress", "Cross", "Discuss", "Dismiss", "Embed", "Express", "Feed", "Focus", "Guess", "Miss", "Need",
               "Pass", "Press", "Process", "Read", "Shed", "Speed", "Spread", "Stress", "String", "Bring", "Ring", "Toss", "Bias", "Canvas"}

log = subprocess.run(["git", "log", "--no-merges", f"--since={SINCE}", "--format=%h %s"], cwd=sys.argv[1], capture_output=True, text=True)
lines = log.stdout.splitlines()
if log.returncode != 0 or not lines:
    print("skipped: no git history here")
    sys.exit(77)
complaints = []
for line in lines:
    commit, subject = line.split(" ", 1)
    first = subject.split(" ")[0]
    faults = [f"{len(subject)} characters"] * (len(subject) > MOST) + ["a full stop"] * subject.endswith(".")
    faults += ["a small first letter"] * (not subject[0].isupper())
    faults += [f"'{first}' is not imperative"] * bool(NO_IMPERATIVE.match(subject) and first not in IMPERATIVES)
    if faults:
        complaints.append(f"{commit} {subject}: {', '.join(faults)}")
print("\n".join(complaints))
print(f"{len(lines)} commits, {len(complaints)} complaints")
sys.exit(1 if complaints else 0)
