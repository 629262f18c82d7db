#!/usr/bin/env python3
"""Bits of a WebAssembly module: compare_bits.py <module.wasm> <native program> <steps> [<page>]

The hash of q, u and the percussions after every step in Node.js, and with a page in Chromium, equals that of the native
program. Exit code 77: Node.js is not installed.
"""
import pathlib
import shutil
import subprocess
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "pages"))
import browser  # noqa: E402

module, program, steps, *page = sys.argv[1:]
if not shutil.which("node"):
    print("skipped: node is not installed")
    sys.exit(77)
SCRIPT = """
const module = new WebAssembly.Module(require('fs').readFileSync(process.argv[1]));
if (WebAssembly.Module.imports(module).length) throw Error('the module has imports');
const {exports} = new WebAssembly.Instance(module, {});
exports._initialize();
console.log(exports.hash_of_steps(+process.argv[2]) >>> 0);
"""
hashes = {"native": subprocess.run([program, steps], capture_output=True, text=True, check=True).stdout.strip()}
done = subprocess.run(["node", "-e", SCRIPT, module, steps], capture_output=True, text=True)
hashes["node"] = done.stdout.strip() or done.stderr
if page and browser.program():
    chromium = browser.Browser()
    with browser.Page(chromium, pathlib.Path(page[0]).resolve().as_uri()) as shown:
        hashes["chromium"] = str(shown(f"ready.then(() => {{ play(false); reset(); return machine.calls.hash_of_steps({steps}) >>> 0; }})"))
    chromium.close()
print(steps, "steps:", hashes)
sys.exit(len(set(hashes.values())) != 1)
