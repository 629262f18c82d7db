#!/usr/bin/env bash
# must_not_compile.sh <case.cpp> <compiler> <flag>...
#
# A case holds a mistake inside #ifdef MISTAKE and names in its first lines what the compiler has to say about it:
#   // Must say: Model needs: Real gap(int contact, ...) const;
# With the mistake the first line with "error:" has to contain that sentence, and at most three more error lines may follow.
# Without it the same file has to compile, without a warning: it is the mistake that stops the compiler, nothing else.
# Where the mistake is an option of the compiler, a line names it, and every such line is a case of its own:
#   // With: -ffast-math
case=$1
shift
fail() { echo "$*"; exit 1; }
sentence=$(sed -n 's#^// Must say: *##p' "$case" | head -n 1)
[ -n "$sentence" ] || fail "$case: no line '// Must say: ...'"
grep -qE "MISTAKE|^// With: " "$case" || fail "$case: no MISTAKE in it"
export LC_ALL=C

clean=$("$@" -fsyntax-only "$case" 2>&1) || fail "$case without the mistake does not compile:
$(grep -m 5 error <<<"$clean")"
[ -z "$clean" ] || fail "$case without the mistake gives warnings: $clean"
options=$(sed -n 's#^// With: *##p' "$case")
while read -r option; do
  said=$("$@" -fsyntax-only -DMISTAKE $option "$case" 2>&1) && fail "$case compiles in spite of its mistake $option"
  errors=$(grep 'error:' <<<"$said")
  first=$(head -n 1 <<<"$errors")
  count=$(wc -l <<<"$errors")
  grep -qF -- "$sentence" <<<"$first" || fail "$case: the first error does not say: $sentence
$errors"
  [ "$count" -le 4 ] || fail "$case: $((count - 1)) error lines after the sentence
$errors"
  echo "$first"
done <<<"$options"
