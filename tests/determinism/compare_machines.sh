#!/usr/bin/env bash
# Compares trajectories bitwise on every machine, over long runs:
#   tests/determinism/compare_machines.sh [--update] [steps preset...]
# Without steps and presets it runs the full matrix: 20000 steps everywhere, 1e6 on the boards with an FPU, 1e7 on host
# gcc, host clang and M7. Exact runs in both timing modes; the other solvers make a tenth of the steps.
# Prints the hashes and a table, writes the hashes to build/report, and fails if two machines differ. --update writes
# the table to tests/determinism/bits.csv, and the pages with figures from it.
set -uo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
cd "$here/../.." || exit 1
update=
if [ "${1:-}" = --update ]; then update=--update && shift; fi
mkdir -p build/report
results=build/report/bits.csv
: >"$results"

run() { # run <steps> <preset>...
  local steps=$1 preset target
  shift
  for preset in "$@"; do
    local tree=build/bits/$preset
    cmake --preset "$preset" -B "$tree" -DMOREAU_BITS_STEPS="$steps" >/dev/null || exit 1
    for target in $(cmake --build "$tree" --target help | grep -oE 'determinism\.bits\.(float|double)' | sort -u); do
      cmake --build "$tree" --target "$target" -j 2 >/dev/null || exit 1
    done
    ctest --test-dir "$tree" -R '^determinism\.bits' -V | grep -oE 'bits,.*' | sed "s/\$/,$preset/" | tee -a "$results"
  done
}

if [ $# -ge 2 ]; then
  run "$@"
else
  run 20000 host host-clang host-O0 host-O3 m0 m3 m4f m7 m33 m55
  run 1000000 host m4f m7 m33 m55
  run 10000000 host host-clang m7
fi
python3 "$here/table.py" "$results" $update
