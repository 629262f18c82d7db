#!/usr/bin/env bash
# compare_compilers.sh <program>: the woodpecker study, built by other compilers, with other options and for aarch64,
# has the hash of this build. A program with fused multiply-adds rejects every command.
set -uo pipefail
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$root" || exit 1
flags=(-std=c++17 -DNDEBUG -DEIGEN_DONT_VECTORIZE -Ilib -Iports/host -Iports/shared -Iports/workstation -Iexamples
  -isystem "${EIGEN:-/usr/include/eigen3}" -pthread examples/studies/woodpecker.cpp)
builds=()
build() { # build <name> <emulator or ""> <compiler> <option>...
  local name=$1 emulator=$2
  shift 2
  command -v "$1" >/dev/null || { echo "skipped: $name, $1 is not installed"; return; }
  [ -z "$emulator" ] || command -v "$emulator" >/dev/null || { echo "skipped: $name, $emulator is not installed"; return; }
  "$@" "${flags[@]}" -o "$work/$name" || exit 1
  builds+=("${emulator:+$emulator }$work/$name")
}
build g++-O0 "" g++ -O0 -ffp-contract=off
build g++-O3-native "" g++ -O3 -march=native -ffp-contract=off
build clang++-O2-native "" clang++ -O2 -march=native -ffp-contract=off
build aarch64 qemu-aarch64 aarch64-linux-gnu-g++ -O2 -static -ffp-contract=off
python3 tests/studies/compare_builds.py "$1" "${builds[@]}" || exit 1

if grep -qw fma /proc/cpuinfo; then # the program must report fused multiply-adds
  g++ -O2 -mfma -ffp-contract=fast "${flags[@]}" -o "$work/fuses" || exit 1
  output=$("$work/fuses" plan --samples 1 2>&1) && { echo "a program with fused multiply-adds has run"; exit 1; }
  case $output in *"contracts multiply and add"*) ;; *) echo "wrong error message: $output"; exit 1 ;; esac
fi
