#!/usr/bin/env bash
# Makes the pictures of the front page in the folder of this script: slider_crank.svg, an animation written by the
# program of the same name, and period_doubling.svg, drawn by gnuplot from the study of the same name. --check compares
# the pictures with the current programs instead. period_doubling.svg contains the hash of its results; its other bytes
# are compared if the version of gnuplot is the same. CXX selects the compiler.
set -euo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
root=$here/../..
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

build() { # build <source> <option>...
  # shellcheck disable=SC2046
  "${CXX:-g++}" -std=c++17 -ffp-contract=off -I"$root/lib" -I"$root/examples" $(pkg-config --cflags eigen3) "$@" -o "$work/program"
}
build "$here/slider_crank.cpp" -O1
"$work/program" >"$work/slider_crank.svg"

build "$root/examples/studies/period_doubling.cpp" -O1 -DEIGEN_DONT_VECTORIZE -I"$root/ports/shared" -I"$root/ports/workstation" -pthread
(cd "$work" && ./program run --folder runs 2>progress >ran && ./program merge --folder runs --csv) >"$work/merged" ||
  { cat "$work"/progress "$work"/merged >&2; exit 1; }
hash=$(sed -n 's/.* hash /hash of the results: /p' "$work/merged")
"$root/examples/figures/draw_figures.sh" "$work" "$work" period_doubling
sed -i "s/^<desc>.*<\/desc>/&\n<!-- $hash -->/" "$work/period_doubling.svg"

if [ "${1:-}" != --check ]; then
  mv "$work/slider_crank.svg" "$work/period_doubling.svg" "$here"
  exit
fi
stale() { echo "$1 of the front page is stale: run examples/front_page/draw_front_page.sh" >&2; exit 1; }
cmp "$work/slider_crank.svg" "$here/slider_crank.svg" || stale slider_crank.svg
grep -qF "$hash" "$here/period_doubling.svg" || stale period_doubling.svg
drawn_by() { sed -n 's/^<desc>\(.*\)<\/desc>.*/\1/p' "$1"; }
[ "$(drawn_by "$work/period_doubling.svg")" != "$(drawn_by "$here/period_doubling.svg")" ] ||
  cmp "$work/period_doubling.svg" "$here/period_doubling.svg" || stale period_doubling.svg
