#!/usr/bin/env bash
# Draws figures with gnuplot: draw [--twice] <folder of the tables> <folder of the pictures> <figure>... A figure is the
# name of a file of this folder without .gp. Any message of gnuplot, for example about a missing table or column, is an
# error; no picture is written then. --twice draws twice and compares the bytes.
set -uo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
twice=no
[ "${1:-}" != --twice ] || { twice=yes; shift; }
[ $# -ge 3 ] || { sed -n '2,4p' "$0" >&2; exit 2; }
tables=$1
pictures=$(realpath -m "$2")
shift 2
mkdir -p "$pictures" && cd "$tables" || exit 1
export GNUPLOT_LIB=$here LC_ALL=C

# Colours for dark pages: light text, a dark background, lighter variants of the dark colours of style.gp.
dark='<style>@media (prefers-color-scheme: dark) {
  #gnuplot_canvas > rect { fill: #0d1117 }
  text { fill: #e6edf3 }
  [stroke="rgb( 89,  99, 110)"] { stroke: #9198a1 }
  [stroke="rgb(209, 217, 224)"] { stroke: #2f353d }
  [color="rgb(  0, 114, 178)"] { color: #4aa3df }  [stroke="rgb(  0, 114, 178)"] { stroke: #4aa3df }  [fill="rgb(  0, 114, 178)"] { fill: #4aa3df }
  [color="rgb(122,  92, 192)"] { color: #a88cec }  [stroke="rgb(122,  92, 192)"] { stroke: #a88cec }  [fill="rgb(122,  92, 192)"] { fill: #a88cec }
}</style>'
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

svg() { # svg <figure> <file>
  if gnuplot -d "$here/$1.gp" 2>"$work/complaints" | awk -v dark="$dark" '{ print } /^<desc>/ { print dark }' >"$2" &&
    [ ! -s "$work/complaints" ]; then return; fi
  echo "$1:" >&2
  cat "$work/complaints" >&2
  return 1
}

for figure in "$@"; do
  svg "$figure" "$work/picture" || exit 1
  if [ $twice = yes ]; then
    svg "$figure" "$work/again" && cmp "$work/picture" "$work/again" || exit 1
  fi
  mv "$work/picture" "$pictures/$figure.svg"
done
