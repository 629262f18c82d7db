#!/usr/bin/env bash
# Builds a board's program in two folders of different names, and fails if the bytes differ.
#   tests/gates/reproducible_build.sh <source tree> <program>
set -euo pipefail
tree=$1 program=$2
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
for folder in a another/folder; do
  mkdir -p "$work/$folder"
  cp -r "$tree"/{lib,ports,examples,toolchains,CMakeLists.txt,CMakePresets.json} "$work/$folder"
  [ ! -d "$tree/.deps" ] || ln -s "$(realpath "$tree/.deps")" "$work/$folder/.deps"
  (cd "$work/$folder" && env -u CMAKE_CXX_COMPILER_LAUNCHER cmake --no-warn-unused-cli --preset m4f -DMOREAU_TESTS=OFF -DMOREAU_INSTALL=OFF >/dev/null &&
    cmake --build build/m4f --target "$program" >/dev/null)
done
elf=$(cd "$work/a/build/m4f" && find . -name "$program*.elf" -type f | head -n 1)
[ -n "$elf" ] || { echo "$program was not built"; exit 1; }
cmp "$work/a/build/m4f/$elf" "$work/another/folder/build/m4f/$elf"
echo "identical: $(stat -c %s "$work/a/build/m4f/$elf") bytes"
