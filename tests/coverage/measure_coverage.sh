#!/usr/bin/env bash
# Measures which lines of lib/ and which directions of its conditions the host's fast tests reach: builds them with
# clang's counters in build/coverage, runs them and writes tests/coverage/COVERAGE.md, coverage.json and the pages with
# figures from them. Resumes an interrupted run; unchanged programs are not run again.
#
#   tests/coverage/measure_coverage.sh                    all fast tests
#   tests/coverage/measure_coverage.sh unit.few 'fuzz.*'  these only: prints the gaps, writes no page
#
# Exit code 1: a gap is not listed in tests/coverage/unreachable
set -euo pipefail
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)
build=$root/build/coverage
"$root/toolchains/setup" coverage
mkdir -p "$build"
# Every object depends on this list: written once, or all would be compiled again.
[ -f "$build/counted_sources" ] || echo 'src:*/lib/moreau/*' >"$build/counted_sources"

# -O0 compiles fastest, and the counters are the same at every level. A precompiled header would be left out.
count="-fprofile-instr-generate -fcoverage-mapping -fprofile-list=$build/counted_sources"
cmake --preset host -S "$root" -B "$build" -DCMAKE_CXX_COMPILER=clang++ -DCMAKE_C_COMPILER=clang \
  -DCMAKE_DISABLE_PRECOMPILE_HEADERS=ON "-DCMAKE_CXX_FLAGS_RELEASE=-O0 $count -DMOREAU_FLATTEN= -DMOREAU_WHOLE_SAMPLES -w" \
  -DMOREAU_SCALARS=double -DMOREAU_GATES=OFF -DMOREAU_EXAMPLES=OFF -DMOREAU_SLOW_TESTS=OFF >/dev/null
targets=$(ninja -C "$build" -t targets all |
  sed -nE 's/^((unit|fuzz|solvers)\.[a-z_0-9]+\.(float|double)): phony$/\1/p' | sort -u)
page=(--page "$root/tests/coverage/COVERAGE.md")
if [ $# -gt 0 ]; then
  page=()
  pattern=$(printf '|%s' "$@")
  targets=$(grep -E "^(${pattern:1})\.(float|double)$" <<<"$targets")
fi
# shellcheck disable=SC2086
cmake --build "$build" -j "$(nproc)" --target $targets
programs=$(for target in $targets; do echo "$build/tests/${target%%.*}/$target"; done)
# shellcheck disable=SC2086
python3 "$root/tests/coverage/coverage.py" "$build" "$root" $programs "${page[@]}"
