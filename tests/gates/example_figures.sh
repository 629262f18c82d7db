#!/usr/bin/env bash
# Checks that figures are drawn from tables with LF and CRLF line ends, twice with identical bytes. A missing table or
# column must be an error that leaves no picture.
set -uo pipefail
draw=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)/examples/figures/draw_figures.sh
command -v gnuplot >/dev/null 2>&1 || { echo "gnuplot is missing; toolchains/setup installs it"; exit 77; }
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
failed=0
fail() { echo "$1"; failed=$((failed + 1)); }

table=$work/lf/falling_mass.csv
mkdir -p "$work/lf" "$work/crlf" "$work/column" "$work/none" "$work/one_of_two"
printf 't [s],z [m],v [m/s],P_N [N s],energy [J]\n0,1,0,0,2\n0.25,0.5,-1,0,2\n0.5,0,1,3,1\n' >"$table"
sed 's/$/\r/' "$table" >"$work/crlf/falling_mass.csv"
sed 's/v \[m/speed [m/' "$table" >"$work/column/falling_mass.csv"
printf 'turns,corner_1,theta_3 [rad]\n0,0,0\n1,1,1\n' >"$work/one_of_two/slider_crank_04.csv"

for kind in lf crlf; do "$draw" --twice "$work/$kind" "$work/$kind" falling_mass || fail "a table with line ends $kind is not drawn"; done
cmp "$work/lf/falling_mass.svg" "$work/crlf/falling_mass.svg" || fail "the picture depends on the line ends"
[ "$(grep -c '<text>' "$work/lf/falling_mass.svg" || true)" -gt 20 ] || fail "the picture has no axes"
grep -q 'P_N \[N s\]' "$work/lf/falling_mass.svg" || fail "the picture lacks the axis labels"
refused() { # refused <folder> <figure>
  "$draw" "$work/$1" "$work/$1" "$2" 2>"$work/words" && fail "$2 is drawn although $1 is incomplete"
  grep -q "$2" "$work/words" || fail "the message about $1 does not name $2"
  [ ! -e "$work/$1/$2.svg" ] || fail "$2 remains although $1 is incomplete"
}
refused column falling_mass
refused none falling_mass
refused one_of_two slider_crank_tilted
echo "figures: $failed failed"
[ $failed -eq 0 ]
