#!/usr/bin/env bash
# Runs studies, merges their results and draws their figures: examples/studies/run_studies.sh [name...]. Without arguments it runs
# all studies that have a figure. Tables and pictures are in build/pictures.
set -uo pipefail
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)
cd "$root" || exit 1
build=build/examples-host pictures=build/pictures
names=("$@")
[ $# -gt 0 ] || mapfile -t names < <(sed -n 's/^# study: //p' examples/figures/*.gp)
for name in "${names[@]}"; do
  [ -e "examples/studies/$name.cpp" ] || { echo "no study '$name' in examples/studies"; exit 1; }
done
mkdir -p build/logs "$pictures"
toolchains/setup >build/logs/studies-setup 2>&1 &&
  cmake --preset host -DMOREAU_TESTS=OFF -B $build >build/logs/studies 2>&1 &&
  cmake --build $build -j "$(nproc)" --target "${names[@]/#/study.}" >>build/logs/studies 2>&1 ||
  { tail -n 25 build/logs/studies-setup build/logs/studies; exit 1; }

failed=0
for name in "${names[@]}"; do
  study=$root/$build/examples/studies/$name folder=$root/$build/$name.study
  echo "== $name"
  # Results of another build are discarded, those of this build are continued.
  if "$study" status --folder "$folder" 2>&1 | grep 'holds another study' >/dev/null; then rm -r "$folder"; fi
  if "$study" run --folder "$folder" && (cd "$pictures" && "$study" merge --folder "$folder" --csv &&
    { [ ! -e "$root/examples/figures/$name.gp" ] || "$root/examples/figures/draw_figures.sh" . . "$name"; }); then
    echo "== $pictures/$name.csv $(cd $root; ls $pictures/$name.svg 2>/dev/null)"
  else
    failed=$((failed + 1))
  fi
done
echo "${#names[@]} studies, $failed failed"
[ $failed -eq 0 ]
