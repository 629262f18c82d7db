#!/usr/bin/env bash
# libFuzzer on bytes.cpp, with address and undefined behaviour watched.
#   tests/fuzz/fuzz_bytes.sh <folder> <runs> <flag>...     folder: for the program and its corpus, from which a later run goes on
set -euo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
folder=$1 runs=$2
shift 2
mkdir -p "$folder/corpus"
cd "$folder"
if ! echo 'extern "C" int LLVMFuzzerTestOneInput(const char *, unsigned long) { return 0; }' |
  clang++ -fsanitize=fuzzer,address -x c++ - -o probe 2>/dev/null; then
  echo "clang++ is not installed, or without libFuzzer"
  exit 77
fi
clang++ -std=c++17 -O1 -g1 -ffp-contract=off -fsanitize=fuzzer,address,undefined -fno-sanitize-recover=undefined "$@" "$here/bytes.cpp" -o bytes
head -c 400 /dev/zero | tr '\0' '\1' >corpus/problem # one of each kind to begin with
head -c 400 /dev/zero >corpus/state
printf '\2\3line\0line\0' >corpus/line
printf '\3--samples\00010\0--x\0001e-3\0' >corpus/command
{ # kind, samples, seed, dt, steps, block; two parameters, a result and a name: a study without a fault
  printf '\4\1d\0\0\0\0abcdefgh\27\267\3218\350\3\0\0\0\0\0\0\0\12\0\0\0\0\0\0\0\0\2'
  printf '\0\1\1\1\5\1\7\1\10a\0m\0\2\1\0\1\1\1\0\1\0b\0m\0\1r\0001\0s\0'
} >corpus/study
printf '\6\1\326\4\325\0\1\0\5\324\0\0\0\1\6\323\0\0\0\0\1\6\342\0\0\0\0\0\10\341\377\10\0\0\0\0\0\4\336\1\0\0\20\355\10\0\0\10\0\0\0\0\0\0\0\0\0\24\100' >corpus/xcp
printf '\5N.m.s/rad\0guide.play_used\0' >corpus/bench
./bytes -runs="$runs" -seed=1 -max_len=1024 -print_final_stats=1 corpus 2>&1 | tail -n 12
