#!/usr/bin/env bash
# must_not_compile.sh [--mistake] <case.cpp> <compiler> <flag>...
#
# A case has an error inside #ifdef MISTAKE; its first lines contain the required compiler message:
#   // Expected message: Model needs: Real gap(int contact, ...) const;
# With the error, the first line with "error:" must contain this message, followed by at most three more error lines.
# Without it the same file must compile without a warning: the error is the only cause of the rejection. With --mistake,
# another test checks the file without the error.
# If the error is a compiler option, a line contains it; each such line is a separate case:
#   // With: -ffast-math
mistake_only=""
if [ "$1" = --mistake ]; then
  mistake_only=yes
  shift
fi
case=$1
shift
fail() { echo "$*"; exit 1; }
sentence=$(sed -n 's#^// Expected message: *##p' "$case" | head -n 1)
[ -n "$sentence" ] || fail "$case: no line '// Expected message: ...'"
grep -qE "MISTAKE|^// With: " "$case" || fail "$case: contains no MISTAKE"
export LC_ALL=C

if [ -z "$mistake_only" ]; then
  clean=$("$@" -fsyntax-only "$case" 2>&1) || fail "$case without the error does not compile:
$(grep -m 5 error <<<"$clean")"
  [ -z "$clean" ] || fail "$case without the error gives warnings: $clean"
fi
options=$(sed -n 's#^// With: *##p' "$case")
while read -r option; do
  said=$("$@" -fsyntax-only -DMISTAKE $option "$case" 2>&1) && fail "$case compiles in spite of its error $option"
  errors=$(grep 'error:' <<<"$said")
  first=$(head -n 1 <<<"$errors")
  count=$(wc -l <<<"$errors")
  grep -qF -- "$sentence" <<<"$first" || fail "$case: the first error does not contain: $sentence
$errors"
  [ "$count" -le 4 ] || fail "$case: $((count - 1)) error lines after the message
$errors"
  echo "$first"
done <<<"$options"
