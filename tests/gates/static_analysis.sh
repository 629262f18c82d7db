#!/usr/bin/env bash
# Runs clang-tidy (lib/.clang-tidy) and cppcheck over every header of lib/ and the steps that analysis.cpp instantiates.
#   tests/gates/static_analysis.sh [--all] <flag>...     flags: the include path
#   --all   cppcheck checks every configuration of the preprocessor, not only those of the host and of the boards
set -uo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../.." || exit 1
case $(clang-tidy --version 2>/dev/null) in
  *"version 14."*) ;;
  *) echo "clang-tidy 14 is not installed; the checks of other versions differ"; exit 77 ;;
esac
machines=("-D__GNUC__=12 -D__SSE2__ -D_M_X64" "-D__GNUC__=12 -D__arm__ -D__thumb2__ -D__ARM_FP")
if [ "${1:-}" = --all ]; then machines=("") && shift; fi
failed=0
clang-tidy --quiet --config-file=lib/.clang-tidy '--header-filter=lib/moreau/' tests/gates/analysis.cpp -- -std=c++17 "$@" 2>/dev/null || failed=1

# uninitMemberVar         a workspace is written by the stage before the one that reads it
# duplInheritedMember     a size with the same name and value as in the base class
# useInitializationList   members computed together, from the outputs of one call
# shiftTooManyBitsSigned  arithmetic right shift of a sign: guaranteed by C++20 and by all supported compilers
include=()
for flag in "$@"; do
  case $flag in -I*) include+=("$flag") ;; esac
done
for machine in "${machines[@]}"; do
  # shellcheck disable=SC2086
  cppcheck --enable=warning,performance,portability --std=c++17 --quiet $machine "${include[@]}" --suppress=missingInclude \
    '--suppress=*:*examples/*' --suppress=uninitMemberVar --suppress=duplInheritedMember --suppress=shiftTooManyBitsSigned \
    --suppress=useInitializationList --error-exitcode=1 tests/gates/analysis.cpp || failed=1
done
exit $failed
