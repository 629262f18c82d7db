#!/usr/bin/env python3
"""Builds and runs the first program of the README with every way to obtain the library:
package.py <source tree> <build tree> <work folder>

The ways are installation (CMake, pkg-config), subdirectory, FetchContent and a plain copy of the folders. The program
runs on the host and, if the Arm toolchain and QEMU are installed, on a board; all outputs must be equal. A toolchain
without a board must be rejected with one sentence.
"""
import filecmp
import pathlib
import re
import shutil
import subprocess
import sys

source, build, work = (pathlib.Path(argument).resolve() for argument in sys.argv[1:4])
consumer, installed, program = source / "tests/gates/consumer", work / "installed", work / "program/01_first_step.cpp"
failures = []
outputs = {}


def run(*command, **options):
    return subprocess.run([str(word) for word in command], capture_output=True, text=True, timeout=3000, **options)


def expect(holds, what, text=""):
    print(("ok      " if holds else "FAILED  ") + what)
    if not holds:
        failures.append(what)
        print("\n".join(text.splitlines()[-20:]))
    return holds


def configure(name, way, *words):
    return run("cmake", "-S", consumer, "-B", work / name, "-G", "Ninja", f"-DWAY={way}", f"-DMOREAU_SOURCE={source}", f"-DPROGRAM={program}",
               f"-DCMAKE_PREFIX_PATH={installed}", *words)


def build_and_run(name, way, *words, emulator=(), output="consumer"):
    made = configure(name, way, *words)
    if made.returncode == 0:
        made = run("cmake", "--build", work / name)
    if expect(made.returncode == 0, f"{name}: builds", made.stdout + made.stderr) and output:
        run_program(name, *emulator, work / name / output)


def run_program(name, *command):
    ran = run(*command)
    outputs[name] = ran.stdout
    expect(ran.returncode == 0 and ran.stdout.count("\n") == 10, f"{name}: runs", ran.stdout + ran.stderr)


def compile_and_run(name, flags):
    made = run("g++", "-std=c++17", program, "-o", work / name, *flags)
    if expect(made.returncode == 0, f"{name}: builds", made.stderr):
        run_program(name, work / name)


def files_below(folder, pattern="*"):
    return sorted(path.relative_to(folder) for path in folder.rglob(pattern) if path.is_file())


def check_installed_files():
    headers = files_below(source / "lib/moreau", "*.hpp")
    expect(headers == files_below(installed / "include/moreau"), "every header is installed, and nothing else")
    _, differ, missing = filecmp.cmpfiles(source / "lib/moreau", installed / "include/moreau", headers, shallow=False)
    expect(not differ and not missing, "installed headers equal those of the source tree")
    for port in ("host", "cortex_m", "shared", "workstation"):
        expect(files_below(installed / "share/moreau/ports" / port), f"port {port} is installed")
    names = " ".join(str(path) for path in files_below(installed))
    expect(not re.search(r"tests|examples|/setup", names), "tests and examples are not installed", names)


def check_versions():
    text = (source / "lib/moreau/version.hpp").read_text()
    whole = re.search(r'version\[\] = "(.*?)"', text).group(1)
    config = (installed / "share/cmake/moreau/moreauConfigVersion.cmake").read_text()
    expect(f'set(PACKAGE_VERSION "{whole}")' in config, "the CMake package has the version of version.hpp")
    released = re.findall(r"^## \[?(\d[^\s\]]*)", (source / "CHANGELOG.md").read_text(), flags=re.M)
    expect(released and released[0] == whole, "the newest version in CHANGELOG.md equals that of version.hpp")
    return whole


def check_pkg_config(version):
    if not shutil.which("pkg-config"):
        return print("skipped pkg-config: not installed")
    paths = {"PKG_CONFIG_PATH": str(installed / "share/pkgconfig"), "PATH": "/usr/local/bin:/usr/bin:/bin"}
    expect(run("pkg-config", "--modversion", "moreau", env=paths).stdout.strip() == version, "pkg-config: version")
    flags = run("pkg-config", "--cflags", "--libs", "moreau-port", env=paths)
    expect("-ffp-contract=off" in flags.stdout and "eigen3" in flags.stdout, "pkg-config: flags", flags.stdout + flags.stderr)
    compile_and_run("pkg-config", flags.stdout.split())


def check_plain_copy():
    copy = work / "copied"
    shutil.copytree(source / "lib", copy / "lib")
    shutil.copytree(source / "ports", copy / "ports")
    eigen = re.search(r"^Eigen3_DIR:PATH=(.*)$", (build / "CMakeCache.txt").read_text(), flags=re.M).group(1)
    eigen = pathlib.Path(eigen).parents[2] / "include/eigen3"
    compile_and_run("plain_copy", [f"-I{copy}/lib", f"-I{copy}/ports/host", f"-I{copy}/ports/shared", "-isystem", eigen, "-ffp-contract=off"])


def check_boards():
    toolchains = installed / "share/moreau/toolchains"
    if not shutil.which("arm-none-eabi-g++") or not shutil.which("qemu-system-arm"):
        return print("skipped boards: no Arm toolchain or no QEMU")
    emulator = "qemu-system-arm -M mps2-an386 -display none -serial none -monitor none -chardev stdio,id=s".split()
    emulator += "-semihosting-config enable=on,target=native,chardev=s -kernel".split()
    build_and_run("board", "find_package", f"--toolchain={toolchains}/arm-none-eabi.cmake", emulator=emulator, output="consumer.elf")

    # A toolchain file of the user: first with the flags of the core only, then also with the board.
    own = work / "own.cmake"
    flags = "-mcpu=cortex-m4 -mthumb -mfpu=fpv4-sp-d16 -mfloat-abi=hard -fno-exceptions -fno-rtti -fno-threadsafe-statics -fno-use-cxa-atexit"
    own.write_text(f"""set(CMAKE_SYSTEM_NAME Generic)
set(CMAKE_CXX_COMPILER arm-none-eabi-g++)
set(CMAKE_CXX_FLAGS_INIT "{flags} -fno-math-errno -fno-unwind-tables -fno-asynchronous-unwind-tables")
set(CMAKE_BUILD_TYPE Release CACHE STRING "")
set(CMAKE_TRY_COMPILE_TARGET_TYPE STATIC_LIBRARY)
set(CMAKE_EXECUTABLE_SUFFIX_CXX .elf)
set(CMAKE_FIND_ROOT_PATH_MODE_PACKAGE BOTH)
""")
    alone = work / "program/alone.cpp"
    alone.write_text('#include <moreau/moreau.hpp>\nconst char* version() { return moreau::version; }\n')
    build_and_run("own_library_alone", "add_subdirectory", f"--toolchain={own}", "-DLINK=moreau::moreau", f"-DPROGRAM={alone}", output=None)
    board = {"CODE": "0x00000000", "CODE_SIZE": "4M", "RAM": "0x20000000", "RAM_SIZE": "4M", "STACK": "16K", "TICK_HZ": "25000000"}
    for way in ("add_subdirectory", "find_package"):
        refused = configure(f"own_without_board.{way}", way, f"--toolchain={own}")
        named = [name for name in board if re.search(rf"set\(MOREAU_BOARD_{name} \w+\)", refused.stderr)]
        expect(refused.returncode != 0 and "consumer links moreau::port, which needs a board." in refused.stderr and named == list(board),
               f"own toolchain without a board, {way}: one sentence names the variables", refused.stderr)
    some = configure("own_without_stack", "find_package", f"--toolchain={own}",
                     *[f"-DMOREAU_BOARD_{name}={value}" for name, value in board.items() if name != "STACK"])
    expect("set(MOREAU_BOARD_STACK 8K)" in some.stderr and "MOREAU_BOARD_RAM" not in some.stderr,
           "own toolchain without the stack's size: the sentence names this one", some.stderr)
    own.write_text(own.read_text() + "".join(f"set(MOREAU_BOARD_{name} {value})\n" for name, value in board.items()))
    build_and_run("own_board", "find_package", f"--toolchain={own}", emulator=emulator, output="consumer.elf")


def check_bench():
    """Builds a test bench in a separate project from the installed package, with the CMakeLists.txt of the page."""
    folder = work / "bench"
    shutil.copytree(source / "examples/models", folder / "models")
    shutil.copytree(source / "examples/test_benches", folder / "test_benches")
    page = (source / "ports/bench/README.md").read_text()
    text = re.search(r"```cmake\n(.*?)```", page, flags=re.S).group(1).replace("MODEL crank.hpp", "MODEL test_benches/crank.hpp")
    (folder / "CMakeLists.txt").write_text(text)
    made = run("cmake", "-S", folder, "-B", folder / "build", "-G", "Ninja", f"-DCMAKE_PREFIX_PATH={installed}")
    if made.returncode == 0:
        made = run("cmake", "--build", folder / "build")
    expect(made.returncode == 0, "bench: the page's project builds", made.stdout + made.stderr)
    for file in ("crank.bench/crank.h", "libcrank.a", "libcrank.so", "crank.fmu2/crank.fmu"):
        expect((folder / "build" / file).exists(), f"bench: makes {file}")


def check_workstation():
    uses = work / "program/workstation.cpp"
    uses.write_text("""#include <moreau/check/model_checker.hpp>
#include <moreau/moreau.hpp>
#include <moreau/workstation/adaptive_log.hpp>
#include <moreau/workstation/csv.hpp>
#include <moreau/workstation/state_log.hpp>
#include <moreau/workstation/findings.hpp>
#include <moreau/workstation/watch.hpp>
int main() {
  moreau::workstation::Csv file{"/dev/null", {"t"}};
  file.row(1.0);
  moreau::workstation::print_findings(moreau::CheckReport<double>{});
  return file.good() ? 0 : 1;
}
""")
    made = configure("workstation", "find_package", f"-DPROGRAM={uses}", "-DLINK=moreau::workstation")
    if made.returncode == 0:
        made = run("cmake", "--build", work / "workstation")
    if expect(made.returncode == 0, "workstation: builds", made.stdout + made.stderr):
        expect(run(work / "workstation/consumer").returncode == 0, "workstation: runs")


shutil.rmtree(work, ignore_errors=True)
program.parent.mkdir(parents=True)
shutil.copy(source / "examples/01_first_step.cpp", program)
made = run("cmake", "--install", build, "--prefix", installed)
if expect(made.returncode == 0, "cmake --install", made.stdout + made.stderr):
    check_installed_files()
    build_and_run("find_package", "find_package")
    build_and_run("add_subdirectory", "add_subdirectory")
    build_and_run("FetchContent", "FetchContent")
    expect("moreauTargets" not in (work / "add_subdirectory/moreau/cmake_install.cmake").read_text(), "a subproject installs nothing")
    check_pkg_config(check_versions())
    check_plain_copy()
    check_workstation()
    check_bench()
    check_boards()
    expect(len(set(outputs.values())) == 1, "the output of the program is the same everywhere", "\n".join(f"{name}: {text[-60:]!r}" for name, text in outputs.items()))
print(f"{len(outputs)} programs run, {len(failures)} checks failed")
sys.exit(1 if failures else 0)
