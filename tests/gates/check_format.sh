#!/usr/bin/env bash
# check_format.sh <source tree>: fails if clang-format would change a file. Releases of clang-format differ, so the
# check needs version 14 (exit code 77: skipped).
cd "$1" || exit 1
version=$(clang-format --version | grep -oE '[0-9]+\.' | head -n 1)
[ "$version" = 14. ] || { echo "clang-format ${version%.} instead of 14: skipped"; exit 77; }
find lib ports examples tests \( -name '*.hpp' -o -name '*.cpp' \) -not -path '*/data/*' -print0 | xargs -0 clang-format --dry-run 2>&1 |
  grep -oE '^[^:]+:[0-9]+' | sort -t: -k1,1 -u | { ! grep .; }
