#!/usr/bin/env bash
# run_client.sh <python|lua|octave> <libcrank's folder> <crank.h's folder> <trace program>
# run_client.sh hal <lib<bench>.a's folder> <its header's folder> <trace program> <bench> <input> <its value> <ns of a step>
#
# Checks that the output of a client of examples/test_benches/clients is bit-identical to the library, and that the HAL
# component agrees in all digits that halcmd prints. Exit code 77: the platform of the client is not installed.
set -uo pipefail
kind=$1 library=$2 header=$3 trace=$4
clients=$(cd "$(dirname "$0")/../../examples/test_benches/clients" && pwd)
skip() { echo "skipped: $*"; exit 77; }
has() { command -v "$1" >/dev/null; }
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# 3000 steps in periods of 1 ms with a constant input; each period makes all steps that are due. The thread has no
# real-time priority here, so the script waits until no period is left, and one more second for the last outputs.
hal() {
  local modules=/usr/lib/linuxcnc/modules bench=$1 input=$2 value=$3 periods=$((3000 * $4 / 1000000)) # of HAL components
  local name bits wanted digits compared=0
  trap 'rm -rf "$work" /usr/lib/linuxcnc/modules/'"$bench"_hal.so EXIT
  chmod 777 "$work" # rtapi_app drops root privileges
  cc -O2 -shared -fPIC -DRTAPI -DUSPACE -I/usr/include/linuxcnc -I"$header" -o "$modules/${bench}_hal.so" "$header/${bench}_hal.c" \
    "$library/lib$bench.a" || exit 1
  "$trace" "$value" >"$work/wanted" || exit 1
  cat >"$work/wait" <<WAIT
for _ in \$(seq 3000); do
  [ "\$(halcmd getp $bench.left)" = 0 ] && exit
  sleep 0.1
done
echo "$bench.left is not 0 after 300 s" >&2
exit 1
WAIT
  {
    echo "loadrt threads name1=servo period1=1000000"
    echo "loadrt ${bench}_hal"
    echo "addf $bench.update servo"
    echo "setp $bench.$input $value"
    echo "setp $bench.left $periods"
    echo "start"
    echo "loadusr -w bash $work/wait"
    echo "loadusr -w sleep 1"
    for pin in left status nanoseconds $(cut -d ' ' -f 1 "$work/wanted"); do echo "getp $bench.$pin"; done
  } >"$work/run.hal"
  RTAPI_UID=65534 RTAPI_FIFO_PATH=$work/fifo HOME=$work halrun -f "$work/run.hal" >"$work/said" 2>"$work/log" ||
    { cat "$work/said" "$work/log"; exit 1; }
  { read -r left && read -r status && read -r nanoseconds; } <"$work/said"
  echo "periods left $left, status $status, the last period took $nanoseconds ns"
  [ "$left" = 0 ] && [ "$status" -le 1 ] && [ "$nanoseconds" -gt 0 ] || exit 1
  while read -r name bits wanted digits; do
    echo "$name $digits, the library $wanted"
    [ "$digits" = "$(printf %.7g "$wanted")" ] || exit 1
    compared=$((compared + 1))
  done < <(paste -d ' ' "$work/wanted" <(tail -n +4 "$work/said"))
  [ $compared -ge 6 ]
}

octave() {
  cd "$work" && mkoctfile --mex -I"$header" "$clients/crank_mex.c" "$library/libcrank.a" >&2 && octave-cli --norc --path "$work" "$clients/crank.m"
}

case $kind in
  python) has python3 || skip "python3 is not installed"
    client=(python3 "$clients/crank.py" "$library/libcrank.so") ;;
  lua) has luajit || skip "luajit is not installed"
    client=(luajit "$clients/crank.lua" "$library/libcrank.so") ;;
  octave) has mkoctfile && has octave-cli || skip "mkoctfile and octave-cli are not installed"
    client=(octave) ;;
  hal) has halrun && [ -e /usr/include/linuxcnc/hal.h ] || skip "LinuxCNC and its headers are not installed"
    [ -w /usr/lib/linuxcnc/modules ] || skip "/usr/lib/linuxcnc/modules cannot be written to"
    hal "${@:5}"
    exit ;;
  *) echo "run_client.sh: unknown client '$kind'"; exit 2 ;;
esac

"${client[@]}" >"$work/said" || { cat "$work/said"; echo "the client failed"; exit 1; }
"$trace" >"$work/wanted" || exit 1
cat "$work/said"
lines=0
while read -r name bits _; do
  grep -q "^$name $bits " "$work/wanted" || { echo "differs from the library: $(grep "^$name " "$work/wanted")"; exit 1; }
  lines=$((lines + 1))
done < <(tr '\t' ' ' <"$work/said")
[ "$lines" -ge 6 ] || { echo "only $lines values"; exit 1; }
