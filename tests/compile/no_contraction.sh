#!/usr/bin/env bash
# no_contraction.sh <source.cpp> <flag>...
#
# clang++ left to its defaults, on a machine with fused multiply-add: the library's header forbids it (math/types.hpp).
# The source without the header has to contain one, else this test could not fail.
source=$1
shift
fused() { clang++ -O2 -mfma "$@" -S -o - "$source" | grep -cE 'vfn?m(add|sub)'; }
alone=$(fused "$@" -DALONE)
with=$(fused "$@")
echo "$alone fused without the library, $with with it"
[ "$alone" -gt 0 ] && [ "$with" -eq 0 ]
