#!/usr/bin/env python3
"""Commands of a study program: commands_test.py <program> <program of swing.cpp>

With threads, parts, interruptions, kills, damage and full disks the results have one hash, or the program reports the
error and returns its exit code. A gate (study_program.py) holds a process where a check needs it; no check depends on
time.
"""
import math
import os
import random
import re
import resource
import shutil
import signal
import struct
import subprocess

from study_program import (DISK, DONE, INCOMPLETE, INTERRUPTED, LIMIT, REFUSED, USAGE, SIZE, BLOCKS, Gate, block_files, call, end, expect,
                           others, output_of, program, refuses, run, start, status, wait_until, work)

SWING = others[0]
LONG = ["--samples", "500", "--block", "20"]  # of swing: 3000 runs in 150 blocks
HELD = 50  # runs in front of a gate, two and a half blocks


def test_one_hash_for_threads_and_parts():
    hashes = set()
    for threads in (1, 2, 3):
        for parts in (1, 4, 7):
            folder = f"t{threads}p{parts}"
            for part in random.sample(range(1, parts + 1), parts):
                run(folder, "--threads", threads, "--part", f"{part}/{parts}")
            ran, numbers, found = status(folder)
            expect(ran.returncode == DONE and numbers["blocks"] == BLOCKS and numbers["doubled"] == 0, f"{folder} is complete", ran.text)
            hashes.add(found)
    expect(len(hashes) == 1 and None not in hashes, f"one hash: {hashes}")
    return hashes.pop()


def test_a_kill_loses_only_the_blocks_in_progress():
    size, blocks = ["--samples", "3000", "--steps", "4000", "--block", "20"], 150
    run("whole", size=size)
    right = status("whole", size=size)[2]
    stored = lambda folder: sum(file.stat().st_size for file in block_files(folder))
    block_bytes = stored("whole") // blocks
    kills, there = 0, 0
    while kills < 10 and there < blocks:
        started = start("run", "--folder", "killed", "--threads", 2, size=size)
        wanted = (there + random.uniform(0, 8)) * block_bytes
        wait_until(lambda: stored("killed") >= wanted or started.poll() is not None, f"{wanted} bytes are stored")
        started.kill()
        started.communicate()
        kills += 1
        ran, numbers, _ = status("killed", size=size) if (work / "killed/study.txt").exists() else (None, None, None)
        if numbers:
            expect(numbers["damaged"] == 0 and numbers["doubled"] == 0 and numbers["blocks"] >= there, "a kill leaves whole blocks", ran.text)
            there = numbers["blocks"]
    ran = run("killed", "--part", "1/1", size=size)
    expect(f"{there} blocks stored before, {blocks - there} computed, 0 left" in ran.stdout, "only missing blocks are computed", ran.text)
    ran, numbers, found = status("killed", size=size)
    expect(found == right and numbers["doubled"] == 0, f"{kills} kills: {found}, not {right}", ran.text)
    print(f"{kills} kills, {there} of {blocks} blocks stored after the last one, {numbers['files']} files")


def test_only_damaged_blocks_are_computed_again(right):
    shutil.copytree(work / "t2p4", work / "damaged")
    cut, flipped = block_files("damaged")[:2]
    os.truncate(cut, os.path.getsize(cut) - 5)  # the last block of this file
    data = bytearray(flipped.read_bytes())
    place = random.randrange(len(data))
    data[place] ^= 1 << random.randrange(8)
    flipped.write_bytes(data)
    ran, numbers, found = status("damaged")
    expect(ran.returncode == INCOMPLETE and numbers["blocks"] == BLOCKS - 2 and found is None, "two blocks are missing", ran.text)
    expect(numbers["damaged"] == 1 and numbers["unfinished"] == 1 and f"{flipped.name}, record" in ran.stderr, "damage is named", ran.text)
    missing = re.search(r"missing: blocks (.*)", ran.stdout).group(1)
    refuses(f"blocks {missing} are missing", INCOMPLETE, "merge", "--folder", "damaged")
    expect(not list(work.glob("woodpecker.*[yt]")), "nothing is merged")
    ran = run("damaged", "--threads", 2)
    expect(f"{BLOCKS - 2} blocks stored before, 2 computed, 0 left" in ran.stdout, "two blocks are computed", ran.text)
    ran, numbers, found = status("damaged")
    expect(ran.returncode == DONE and found == right and numbers["doubled"] == 0, "the damaged folder is repaired", ran.text)


def hash_of(words):
    """Returns the hash of a block, as moreau/study/hash.hpp defines it."""
    mask = (1 << 64) - 1

    def add(state, word):
        state = ((state ^ word) * 0x9e3779b97f4a7c15) & mask
        return state ^ (state >> 29)

    state = 0x243f6a8885a308d3
    for word in words:
        state = add(state, word)
    state = add(state, 0)  # no odd bytes at the end
    x = (state * 0xd6e8feb86659fd93) & mask
    return x ^ (x >> 32)


def test_a_conflict_stops_the_study():
    """A copy of the first block with the last bit of one number changed, and with a correct hash."""
    shutil.copytree(work / "t1p1", work / "conflict")
    file = block_files("conflict")[0]
    record = os.path.getsize(file) // BLOCKS
    words = list(struct.unpack(f"={record // 8}Q", file.read_bytes()[:record]))
    expect(hash_of(words[:7] + words[8:]) == words[7], "the stored hash is the one defined in hash.hpp")
    words[8] ^= 1
    words[7] = hash_of(words[:7] + words[8:])
    (work / "conflict/twin.blocks").write_bytes(struct.pack(f"={len(words)}Q", *words))
    for command in ("run", "status", "merge"):
        refuses(f"block {words[2]} was computed twice with different results", REFUSED, command, "--folder", "conflict")
    (work / "conflict/twin.blocks").write_bytes(file.read_bytes()[:record])  # an identical copy
    ran, numbers, found = status("conflict")
    expect(ran.returncode == DONE and numbers["doubled"] == 1, "identical copies are no conflict", ran.text)


def test_two_processes_may_compute_the_same_blocks():
    run("alone", command=SWING, size=LONG)
    right = status("alone", command=SWING, size=LONG)[2]
    gates = [Gate(f"twin{number}", runs=0) for number in range(2)]  # both have read the empty folder when they are held
    pair = [start("run", "--folder", "twins", "--threads", 1, command=SWING, size=LONG, env=gate.environment) for gate in gates]
    for gate, one in zip(gates, pair):
        gate.wait_for(one)
    for gate in gates:
        gate.open()
    texts = [output_of(one) for one in pair]
    expect([one.returncode for one in pair] == [DONE, DONE], "two processes compute the same blocks", "".join(texts))
    ran, numbers, found = status("twins", command=SWING, size=LONG)
    expect(found == right and numbers["blocks"] == numbers["doubled"] == 150, "both computed all blocks, with one hash", ran.text)


def test_a_signal_ends_the_run_after_the_blocks_in_progress():
    for which in (signal.SIGTERM, signal.SIGINT):
        folder = which.name
        gate = Gate(folder, HELD)
        started = start("run", "--folder", folder, "--threads", 2, command=SWING, size=LONG, env=gate.environment)
        gate.wait_for(started)
        started.send_signal(which)
        text = output_of(started)
        # One or two blocks are whole and two in progress, or the second thread has none yet: two whole, one in
        # progress.
        expect(started.returncode == INTERRUPTED and re.search(r" [34] computed, 14[67] left", text), f"{folder}: exit code 75", text)
        ran, numbers, _ = status(folder, command=SWING, size=LONG)
        expect(numbers["unfinished"] == 0 and numbers["damaged"] == 0 and numbers["blocks"] in (3, 4), "an interrupted folder is whole", ran.text)


def test_every_refusal():
    folder = ("--folder", "t1p1")
    for change, there in ((("--seed", "2"), "seed 1"), (("--steps", "101"), "run 100 steps"), (("--block", "99"), "block 100"),
                          (("--samples", "2999"), "sampling sobol 3000")):
        size = [word for pair in zip(SIZE[::2], SIZE[1::2]) if pair[0] != change[0] for word in pair] + list(change)
        for command in ("run", "status", "merge"):
            refuses(f"holds another study: there '{there}", REFUSED, command, *folder, size=size)
    for words, sentence in ((["--part", "0/4"], "i of --part"), (["--part", "5/4"], "i of --part"), (["--part", "4"], "--part needs i/n"),
                            (["--part", "1/4x"], "n of --part"), (["--threads", "0"], "--threads must be a number"),
                            (["--threads", "two"], "--threads must be a number"), (["--thread", "2"], "unknown option --thread"),
                            (["--threads", "1", "--threads", "2"], "given twice"), (["more"], "'more' is not a valid argument"),
                            (["--seed", "-1"], "--seed must be a number")):
        refuses(sentence, USAGE, "run", "--folder", "none", *words)
    refuses("is too large", REFUSED, "plan", size=["--samples", "1000000000", "--block", "500000000"])
    refuses("--samples needs a value", USAGE, "run", "--samples", size=[])
    refuses("unknown command fly", USAGE, "fly")
    refuses("missing command", USAGE, size=[])
    refuses("sbatch needs --parts", USAGE, "sbatch")
    refuses("unknown result z; results: ", USAGE, "worst", "z", *folder)
    refuses("needs the number of a run", USAGE, "rerun")
    refuses("a run must be a number from 0 to 2999", USAGE, "rerun", "3000")
    refuses("'nu=1' is not NAME=VALUE", USAGE, "rerun", "1", "nu=1")
    refuses("'mu=x' has no valid number", USAGE, "rerun", "1", "mu=x")
    expect(not (work / "none").exists(), "a rejected command makes no folder")
    for command in ("status", "merge", "worst y"):
        refuses("is 'none' the folder of this study?", DISK, *command.split(), "--folder", "none")
    shutil.copytree(work / "t1p1", work / "foreign")
    run("stranger", "--seed", 5, size=SIZE)
    shutil.copy(block_files("stranger")[0], work / "foreign/stranger.blocks")
    refuses("holds blocks of another study", REFUSED, "run", "--folder", "foreign")


def test_builds_do_not_mix():
    """A second build, equal but for one byte at its end. If both start at once, one of them gets the folder."""
    other = work / "other"
    shutil.copy(program, other)
    with open(other, "ab") as file:
        file.write(b"x")
    for command in ("run", "status", "merge"):
        refuses("started by another build of the program", REFUSED, command, "--folder", "t1p1", command=str(other))
    again = call("rerun", 5, "--folder", "t1p1", command=str(other))
    expect(again.returncode == DONE and "bit-identical to the stored run in t1p1" in again.stdout, "another build can repeat a run", again.text)
    for race in range(5):
        pair = [subprocess.Popen([one, "run", "--folder", f"race{race}", *SIZE], cwd=work, stdout=subprocess.DEVNULL,
                                 stderr=subprocess.DEVNULL) for one in (program, other)]
        codes = [one.wait() for one in pair]
        expect(sorted(codes) == [DONE, REFUSED], f"two builds at once: exit codes {codes}")
        winner = (program, str(other))[codes.index(DONE)]
        expect(status(f"race{race}", command=winner)[1]["blocks"] == BLOCKS, "the folder belongs to the winner")
        expect(len(list((work / f"race{race}").iterdir())) == 2, "no temporary file is left")


def test_full_disks_and_lost_folders_are_errors():
    def limit():
        signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
        resource.setrlimit(resource.RLIMIT_FSIZE, (10000, 10000))
    ran = run("full", "--threads", 2, code=DISK, preexec_fn=limit)
    expect("cannot be written" in ran.stderr, "a full disk is reported", ran.text)
    numbers = status("full")[1]
    expect(0 < numbers["blocks"] < BLOCKS and numbers["damaged"] == 0, "the blocks that fitted are there")
    ran = run("full")
    expect(f"{numbers['blocks']} blocks stored before" in ran.stdout, "a full disk loses nothing", ran.text)
    ran = call("merge", "--csv", "--folder", "t1p1", "--to", "full-merge", preexec_fn=limit)
    expect(ran.returncode == DISK and not list(work.glob("full-merge*")), "a merge that does not fit leaves nothing", ran.text)
    def no_room():
        signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
        resource.setrlimit(resource.RLIMIT_FSIZE, (10, 10))
    ran = run("no-room", code=DISK, preexec_fn=no_room)
    expect("cannot be written" in ran.stderr and not list((work / "no-room").iterdir()), "no room for study.txt", ran.text)
    with open("/dev/full", "w") as full:
        ran = subprocess.run([program, "status", "--folder", "t1p1", *SIZE], cwd=work, stdout=full, stderr=subprocess.PIPE, text=True)
    expect(ran.returncode == DISK and "could not be written" in ran.stderr, "output that cannot be written is an error", ran.stderr)
    gate = Gate("lost", HELD)
    started = start("run", "--folder", "lost", "--threads", 2, command=SWING, size=LONG, env=gate.environment)
    gate.wait_for(started)
    wait_until(lambda: block_files("lost"), "the first block is stored")
    shutil.rmtree(work / "lost")
    gate.open()
    text = output_of(started)
    expect(started.returncode == DISK, f"a lost folder is an error, not exit code {started.returncode}", text)
    (work / "closed").write_text("a file")
    refuses("cannot be", DISK, "run", "--folder", "closed")


def test_planted_files_neither_hang_a_command_nor_are_written():
    for name in ("a.blocks", "study.txt"):
        for plant in (os.mkfifo, lambda path: os.symlink("/dev/zero", path)):
            shutil.rmtree(work / "planted", ignore_errors=True)
            shutil.copytree(work / "t1p1", work / "planted")
            (work / "planted" / name).unlink(missing_ok=True)
            plant(work / "planted" / name)
            for command in ("run", "status", "merge"):
                refuses(f"{name} is not a regular file", REFUSED, command, "--folder", "planted", timeout=LIMIT)
    victim = work / "victim"
    victim.write_text("kept")
    for ending in ("npy", "mat", "csv"):
        for name in (f"links.{ending}", f"links.{ending}.part"):
            (work / name).symlink_to(victim)
    merged = call("merge", "--csv", "--folder", "t1p1", "--to", "links")
    expect(merged.returncode == DONE and victim.read_text() == "kept", "merge does not write through links", merged.text)
    expect(not any((work / f"links.{ending}").is_symlink() for ending in ("npy", "mat", "csv")), "merge replaces links")


def test_worst_and_rerun():
    ran = call("worst", "P_lower", "--count", 2, "--runs", 50, "--folder", "t1p1")
    values = [float(x) for x in re.findall(r"P_lower (\S+) N s", ran.stdout)]
    expect(ran.returncode == DONE and len(values) == 4 and values[1] > values[0] >= values[2], "the worst runs, refined", ran.text)
    expect(all(int(n) <= 50 for n in re.findall(r"after (\d+) more runs", ran.stdout)), "no more runs than allowed", ran.text)
    index, text = re.search(r"run (\d+): P_lower (\S+)", ran.stdout).groups()
    again = call("rerun", index, "--folder", "t1p1", "--trace", "trace.csv")
    expect(f"P_lower {text} N s" in again.stdout and "bit-identical to the stored run in t1p1" in again.stdout, "the worst run repeated", again.text)
    expect(len((work / "trace.csv").read_text().splitlines()) == 101, "a trace has a row per step")
    page = call("rerun", index, "--folder", "t1p1", "--trace", "trace.html")
    expect(page.returncode == DONE and "bit-identical" in page.stdout and "moreau run 1" in (work / "trace.html").read_text(), "a run as a page", page.text)
    refuses("must end in .csv, .mat or .mcap", DISK, "rerun", index, "--trace", "trace.txt")
    (work / "full.csv").symlink_to("/dev/full")
    refuses("full.csv", DISK, "rerun", index, "--trace", "full.csv")
    merged = call("merge", "--csv", "--folder", "t1p1", "--to", "made/by/merge/all")
    expect(merged.returncode == DONE, "merge", merged.text)
    lines = [line.split(",") for line in (work / "made/by/merge/all.csv").read_text().splitlines()]
    column = lines[0].index("P_lower [N s]")
    expect(max(float(line[column]) for line in lines[1:]) == values[0], "the worst value is the largest of all")
    least = call("worst", "y", "--least", "--count", 1, "--runs", 0, "--folder", "t1p1")
    column = lines[0].index("y [m]")
    expect(min(float(line[column]) for line in lines[1:]) == float(re.search(r" y (\S+)", least.stdout).group(1)), "the least", least.text)
    values = sorted(float(line[column]) for line in lines[1:])
    printed = call("quantiles", 0, 2.5, 50, 100, "--folder", "t1p1")
    row = re.search(r"^y \[m\] +(.*)$", printed.stdout, re.M).group(1).split()
    n = len(values)
    expected = [values[max(math.ceil(q * n / 100), 1) - 1] for q in (0, 2.5, 50, 100)]
    expect(row == [str(n)] + [f"{x:.6g}" for x in expected], "quantiles", printed.text)
    expect(call("quantiles", 101, "--folder", "t1p1").returncode == USAGE, "a quantile beyond 100 %")
    refined = re.search(r"more runs: P_lower (\S+) N s at (.*)", ran.stdout)
    changed = call("rerun", index, *refined.group(2).split(), "--folder", "t1p1")
    expect(f"P_lower {refined.group(1)} N s" in changed.stdout, "a refined run repeated from its values", changed.text)


PARALLEL = """#!/usr/bin/env python3
import subprocess, sys
words = sys.argv[1:]
command, values = words[words.index(":::") - 1], words[words.index(":::") + 1:]
sys.exit(max(subprocess.call(["sh", "-c", command.replace("{}", value)]) for value in values))
"""


def test_scripts_for_other_machines(right):
    """The scripts for GNU parallel and Slurm compute the study, in a folder whose name needs quotes.

    slurm_test.sh has a real Slurm.
    """
    folder = "it's a \"folder\" $HOME"
    (work / "parallel").write_text(PARALLEL)
    (work / "scontrol").write_text("#!/bin/sh\necho \"$@\" >>requeued\n")
    for tool in ("parallel", "scontrol"):
        (work / tool).chmod(0o755)
    there = {**os.environ, "PATH": f"{work}:{os.environ['PATH']}", "SLURM_ARRAY_JOB_ID": "7"}
    text = call("parallel", "--parts", 3, "--threads", 1, "--folder", folder).stdout
    ran = subprocess.run(["sh", "-c", text], cwd=work, env=there, capture_output=True, text=True)
    expect(ran.returncode == DONE and status(folder)[2] == right, "the line for GNU parallel", text + ran.stdout + ran.stderr)
    folder += "2"
    text = call("sbatch", "--parts", 2, "--threads", 1, "--folder", folder).stdout
    for task in ("1", "2"):
        ran = subprocess.run(["bash", "-c", text], cwd=work, env={**there, "SLURM_ARRAY_TASK_ID": task}, capture_output=True, text=True)
        expect(ran.returncode == DONE, "a task of Slurm", text + ran.stderr)
    expect(status(folder)[2] == right and not (work / "requeued").exists(), "tasks of Slurm", text)
    gate = Gate("told", HELD)
    text = call("sbatch", "--parts", 1, "--threads", 1, "--folder", "told", command=SWING, size=LONG).stdout
    job = subprocess.Popen(["bash", "-c", text], cwd=work, env={**there, **gate.environment, "PATH": there["PATH"], "SLURM_ARRAY_TASK_ID": "1"},
                           stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    gate.wait_for(job)
    job.terminate()
    text = output_of(job)
    expect(job.returncode == INTERRUPTED and "0 blocks stored before, 3 computed, 147 left" in text, f"a task before its time limit: {job.returncode}", text)
    expect((work / "requeued").read_text() == "requeue 7_1\n", "an interrupted task is requeued")


def test_results_that_depend_on_the_environment_are_detected():
    """Grids and failed runs; a program whose results change in the first runs, or in a block that is computed twice."""
    swing, size = SWING, ["--block", "40"]
    quiet, heavy = {**os.environ, "GRAVITY": "1"}, {**os.environ, "GRAVITY": "2"}
    run("swing", command=swing, size=size, env=quiet)
    ran = status("swing", command=swing, size=size, env=quiet)[0]
    expect(ran.returncode == DONE and "runs ok           30" in ran.stdout and "invalid_argument 90" in ran.stdout, "failed runs are counted", ran.text)
    merged = call("merge", "--csv", "--folder", "swing", "--to", "swing", command=swing, size=size, env=quiet)
    rows = [line.split(",") for line in (work / "swing.csv").read_text().splitlines()]
    expect(rows[0] == ["run [1]", "c [N/m]", "m [kg]", "floor [m]", "eps [1]", "q [m]", "status [1]"], "names and units", str(rows[0]))
    expect(len(rows) == 121 and all((row[5] == "nan") == (row[6] != "0") for row in rows[1:]), "a failed run has no results", merged.text)
    for command in ("run", "status", "merge"):
        refuses("the first runs have other results there", REFUSED, command, "--folder", "swing", command=swing, size=size, env=heavy)
    failed = next(row for row in rows[1:] if row[6] != "0")
    again = call("rerun", failed[0], "--folder", "swing", command=swing, size=size, env=quiet)
    cause = "contact 0 penetrates by 0.1" if failed[3] == "0.6" else "invalid_argument, law 0"
    expect("status invalid_argument\ncause " in again.stdout and cause in again.stdout, "the cause of a failed run", again.text)
    again = call("rerun", "3", "--folder", "swing", command=swing, size=size, env=heavy)
    expect(again.returncode == REFUSED, "a run whose result has changed", again.text)
    noisy = {**quiet, "NOISE": "1e-9"}
    ran = run("swing", command=swing, size=size, env=noisy)
    expect("3 blocks stored before, 0 computed" in ran.stdout, "the first runs are the same", ran.text)
    again = call("rerun", "47", "--folder", "swing", command=swing, size=size, env=noisy)
    expect(again.returncode == REFUSED and "this run has other results in 'swing'" in again.stderr, "a run with noise", again.text)
    run("noisy", command=swing, size=size, env=noisy)
    shutil.copy(block_files("noisy")[0], work / "swing/noisy.blocks")
    refuses("was computed twice with different results", REFUSED, "merge", "--folder", "swing", command=swing, size=size, env=quiet)


def main():
    right = test_one_hash_for_threads_and_parts()
    test_a_kill_loses_only_the_blocks_in_progress()
    test_only_damaged_blocks_are_computed_again(right)
    test_a_conflict_stops_the_study()
    test_two_processes_may_compute_the_same_blocks()
    test_a_signal_ends_the_run_after_the_blocks_in_progress()
    test_every_refusal()
    test_builds_do_not_mix()
    test_full_disks_and_lost_folders_are_errors()
    test_planted_files_neither_hang_a_command_nor_are_written()
    test_worst_and_rerun()
    test_results_that_depend_on_the_environment_are_detected()
    test_scripts_for_other_machines(right)


end(main)
