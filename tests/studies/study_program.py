"""Calls a study program in a temporary folder, parses its output and counts failed checks."""
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import time

DONE, INCOMPLETE, USAGE, REFUSED, DISK, INTERRUPTED = 0, 1, 64, 65, 74, 75
# An argument is "emulator program" if the program needs an emulator.
program, *others = (" ".join([*words.split()[:-1], str(pathlib.Path(words.split()[-1]).resolve())]) for words in sys.argv[1:])
SIZE = ["--samples", "3000", "--steps", "100", "--block", "100"]  # 30 blocks
BLOCKS = 30
LIMIT = 300  # s, of each wait: only ends a test that hangs
work = pathlib.Path(tempfile.mkdtemp(prefix="moreau-studies-"))
failures = 0


def expect(holds, what, text=""):
    global failures
    if not holds:
        failures += 1
        print(f"FAILED  {what}\n{text}")
    return holds


def call(*words, command=program, size=SIZE, **options):
    run = subprocess.run([*command.split(), *(str(w) for w in words), *size], capture_output=True, text=True, cwd=work, **options)
    run.text = run.stdout + run.stderr
    return run


def run(folder, *words, code=DONE, **options):
    ran = call("run", "--folder", folder, *words, **options)
    expect(ran.returncode == code, f"run {words}: exit code {ran.returncode}, not {code}", ran.text)
    return ran


def status(folder, **options):
    """Returns the finished call of status, a dictionary of its numbers, and the hash (None: incomplete)."""
    ran = call("status", "--folder", folder, **options)
    numbers = dict(re.findall(r"(\w+) (\d+)", ran.stdout.split("\n")[0]))
    found = re.search(r"hash (\w+)", ran.stdout)
    return ran, {key: int(n) for key, n in numbers.items()}, found.group(1) if found else None


def refuses(sentence, code, *words, **options):
    """Calls the program; the error message must contain the sentence."""
    ran = call(*words, **options)
    expect(ran.returncode == code and sentence in ran.stderr, f"{words}: '{sentence}' and exit code {code}, not {ran.returncode}", ran.text)


def block_files(folder):
    return sorted((work / folder).glob("*.blocks"))


def wait_until(condition, what):
    end_of_wait = time.monotonic() + LIMIT
    while not condition():
        if time.monotonic() > end_of_wait:
            raise TimeoutError(f"no success within {LIMIT} s: {what}")
        time.sleep(0.005)


class Gate:
    """Holds a process of swing.cpp at run `runs` + 1 of its blocks, until open() or until SIGTERM or SIGINT arrives."""

    def __init__(self, name, runs):
        self.path = work / f"{name}.gate"
        self.path.touch()
        self.environment = {key: value for key, value in os.environ.items() if key != "SLURMD_NODENAME"}
        self.environment |= {"STUDY_GATE": str(self.path), "STUDY_GATE_AFTER": str(runs)}

    def wait_for(self, process):
        reached = pathlib.Path(f"{self.path}.reached")
        wait_until(lambda: reached.exists() or process.poll() is not None, f"a process reaches {self.path.name}, or ends")
        expect(process.poll() is None, f"a process waits at {self.path.name}")

    def open(self):
        self.path.unlink()


def start(*words, command=program, size=SIZE, **options):
    """Starts the program and returns the process, whose output is a pipe."""
    return subprocess.Popen([*command.split(), *(str(w) for w in words), *size], cwd=work, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                            text=True, **options)


def output_of(process):
    """Waits for the end of a process and returns all of its output."""
    return "".join(process.communicate(timeout=LIMIT))


def end(main):
    """Runs the tests and ends the program."""
    try:
        main()
    finally:
        shutil.rmtree(work)
    print("all checks hold" if failures == 0 else f"{failures} failed")
    sys.exit(failures > 0)
