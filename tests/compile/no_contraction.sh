#!/usr/bin/env bash
# no_contraction.sh <source.cpp> <flag>...
#
# clang++ with default options, for a machine with fused multiply-add: the library's header forbids contraction (math/types.hpp).
# The source without the header must contain a fused operation; otherwise this test could not fail.
source=$1
shift
fused() { clang++ -O2 -mfma "$@" -S -o - "$source" | grep -cE 'vfn?m(add|sub)'; }
alone=$(fused "$@" -DALONE)
with=$(fused "$@")
echo "$alone fused without the library, $with with it"
[ "$alone" -gt 0 ] && [ "$with" -eq 0 ]
