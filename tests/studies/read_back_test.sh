#!/usr/bin/env bash
# read_back_test.sh <octave|numpy> <program of write_numbers.cpp>: Octave or NumPy reads the numbers of a file
# bit-identically.
set -uo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
FOLDER=$(mktemp -d) && export FOLDER
trap 'rm -rf "$FOLDER"' EXIT
"$2" "$FOLDER" >"$FOLDER/bits" || { echo "$2 failed"; exit 1; }
case $1 in
  octave) command -v octave-cli >/dev/null || { echo "skipped: octave is not installed"; exit 77; }
    octave-cli --norc --quiet "$here/read_numbers.m" >"$FOLDER/read" || exit 1 ;;
  numpy) python=$(for it in python3 /usr/bin/python3; do "$it" -c 'import numpy' 2>/dev/null && echo "$it" && break; done)
    [ -n "$python" ] || { echo "skipped: NumPy (python3-numpy) is not installed"; exit 77; }
    "$python" "$here/read_numbers.py" >"$FOLDER/read" || exit 1 ;;
esac
diff "$FOLDER/bits" "$FOLDER/read" >"$FOLDER/diff" || { head "$FOLDER/diff"; exit 1; }
echo "$(wc -l <"$FOLDER/bits") numbers read bit-identically by $1"
