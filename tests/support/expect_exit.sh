#!/usr/bin/env bash
# expect_exit.sh <exit code> <regular expression> <command>...: passes if the command ends with this code and its output,
# lines joined by blanks, matches.
code=$1 pattern=$2
shift 2
output=$("$@" 2>&1 </dev/null)
got=$?
printf '%s\n' "$output"
[ $got -eq "$code" ] || { echo "exit code $got instead of $code"; exit 1; }
grep -qE -- "$pattern" <<<"$(tr '\n' ' ' <<<"$output")" || { echo "output does not match: $pattern"; exit 1; }
