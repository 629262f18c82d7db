"""A study program for tests: calls it in a folder of its own, reads what it says, counts what does not hold."""
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

DONE, INCOMPLETE, USAGE, REFUSED, DISK, INTERRUPTED = 0, 1, 64, 65, 74, 75
# "emulator program" in one word where a program needs an emulator
program, *others = (" ".join([*words.split()[:-1], str(pathlib.Path(words.split()[-1]).resolve())]) for words in sys.argv[1:])
SIZE = ["--samples", "3000", "--steps", "100", "--block", "100"]  # 30 blocks
BLOCKS = 30
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
    expect(ran.returncode == code, f"run {words} ends with {code}, not {ran.returncode}", ran.text)
    return ran


def status(folder, **options):
    """What status says: a dictionary of its numbers, the hash and the text."""
    ran = call("status", "--folder", folder, **options)
    numbers = dict(re.findall(r"(\w+) (\d+)", ran.stdout.split("\n")[0]))
    found = re.search(r"hash (\w+)", ran.stdout)
    return ran, {key: int(n) for key, n in numbers.items()}, found.group(1) if found else None


def refuses(sentence, code, *words, **options):
    ran = call(*words, **options)
    expect(ran.returncode == code and sentence in ran.stderr, f"{words}: '{sentence}', code {code}, not {ran.returncode}", ran.text)


def block_files(folder):
    return sorted((work / folder).glob("*.blocks"))


def end(main):
    """Runs the tests and ends the program."""
    try:
        main()
    finally:
        shutil.rmtree(work)
    print("all of it holds" if failures == 0 else f"{failures} failed")
    sys.exit(failures > 0)
