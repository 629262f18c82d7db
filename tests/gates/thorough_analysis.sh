#!/usr/bin/env bash
# Static analysis that takes minutes: static_analysis.sh with every configuration of the preprocessor, gcc's analyser and
# cppcheck's MISRA addon, over every header of lib/ and the steps that analysis.cpp instantiates.
#   tests/gates/thorough_analysis.sh [--update] <flag>...     flags: the include path
#   --update writes MISRA.md, misra.csv and the pages with figures from them
# Each deviation from a MISRA rule needs a reason below. The page lists rule numbers, places and reasons; the addon does
# not contain the text of the rules.
set -uo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../.." || exit 1
page=tests/gates/MISRA.md
update=
if [ "${1:-}" = --update ]; then update=yes && shift; fi
failed=0
tests/gates/static_analysis.sh --all "$@" || failed=1
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# use-of-uninitialized-value   an Eigen vector starts uninitialised and is filled entry by entry. gcc 12 does not track
#                              this through the return and reports 133 places, all '<unknown>'. Valgrind checks it in
#                              running steps (tests/constant_time).
g++ -std=c++17 -O1 -DNDEBUG -ffp-contract=off -fanalyzer -Wno-analyzer-use-of-uninitialized-value "$@" \
  -c tests/gates/analysis.cpp -o "$work/analysis.o" >"$work/analyzer" 2>&1 || failed=1
if grep -q 'Wanalyzer' "$work/analyzer"; then
  grep 'Wanalyzer' "$work/analyzer"
  failed=1
fi

if ! command -v cppcheck >/dev/null; then
  echo "cppcheck is not installed"
  exit 77
fi
reasons='2.2|fold expressions over a pack start with 0, and `0 - x` of an unsigned word is a mask: the addon reports both as operations without effect
5.6|`using` declarations of names from namespace detail, and the alias of the scalar in each class template, are in separate scopes
12.3|the addon mistakes commas in declarations and template argument lists for the operator; lines that assign several numbers use the operator
17.2|an overload that calls another overload of the same name; lib/ has no recursion'
include=()
for flag in "$@"; do
  case $flag in -I*) include+=("$flag") ;; esac
done
cppcheck --addon=misra --std=c++17 --quiet "${include[@]}" --suppress=missingInclude '--suppress=*:*examples/*' \
  --template='{file}:{line}: {id}' tests/gates/analysis.cpp 2>&1 | sed -n 's|.*\(lib/moreau/.*\): misra-c2012-\(.*\)|\2 \1|p' | sort -u >"$work/found"
[ -s "$work/found" ] || { echo "the MISRA addon reports nothing: it has not run"; exit 1; }
echo rule,places,reason >"$work/misra.csv"
{
  cat <<END
<!-- Written by tests/gates/thorough_analysis.sh --update -->
# MISRA deviations

\`lib/\` deviates from these rules of MISRA C:2012. The MISRA addon of $(cppcheck --version) checked them on $(date -u +%F), as far as
it supports C++.

| rule | places | reason |
|---|---|---|
END
  while IFS='|' read -r rule reason; do
    places=$(grep -c "^$rule " "$work/found")
    echo "| $rule | $places | $reason |"
    echo "$rule,$places,\"${reason//\"/\"\"}\"" >>"$work/misra.csv"
  done <<<"$reasons"
} >"$work/page"
cut -d ' ' -f 1 "$work/found" | sort -u | while read -r rule; do
  grep -q "^$rule|" <<<"$reasons" && continue
  echo "MISRA $rule has no reason:" && grep "^$rule " "$work/found"
done >"$work/new"
if [ -s "$work/new" ]; then
  cat "$work/new"
  failed=1
fi
if [ -n "$update" ]; then
  cp "$work/page" $page
  cp "$work/misra.csv" tests/gates/misra.csv
  tests/write_pages.py
fi
cat "$work/page"
exit $failed
