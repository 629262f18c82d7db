#!/usr/bin/env python3
"""The programs in the documents compile and run: readme.py <work folder> <document>... -- <compiler> <flag>...

A program is a fenced cpp block with a main. Where <!-- program: file --> stands above it, it has to be that file word by word.
"""
import pathlib
import re
import subprocess
import sys

split = sys.argv.index("--")
work, documents, command = pathlib.Path(sys.argv[1]), sys.argv[2:split], sys.argv[split + 1:]
work.mkdir(parents=True, exist_ok=True)
programs = failures = 0
for document in documents:
    text = pathlib.Path(document).read_text()
    for match in re.finditer(r"^(?:<!-- program: (\S+) -->\n)?```cpp\n(.*?)^```", text, flags=re.S | re.M):
        origin, code = match.groups()
        if not re.search(r"\bint main\(", code):
            continue
        programs += 1
        if origin and pathlib.Path(origin).read_text() != code:
            failures += 1
            print(f"{document}: the program is not that of {origin} any more")
        line = text[:match.start()].count("\n") + 2
        source = work / f"program{programs}.cpp"
        source.write_text(f'#line {line} "{document}"\n{code}')
        build = subprocess.run([*command, str(source), "-o", str(source.with_suffix(""))], capture_output=True, text=True)
        if build.returncode != 0:
            failures += 1
            print(f"{document}:{line} does not compile\n{build.stderr[:2000]}")
            continue
        run = subprocess.run([str(source.with_suffix("").resolve())], capture_output=True, text=True, timeout=60, cwd=work)
        print(f"{document}:{line} says:\n{run.stdout}")
        if run.returncode != 0:
            failures += 1
            print(f"{document}:{line} ends with {run.returncode}")
print(f"{programs} programs, {failures} failed")
sys.exit(1 if failures or programs == 0 else 0)
