#!/usr/bin/env bash
# no_fused_instructions.sh <objdump> <ELF>...: fails if the code has a fused multiply-add, which rounds once where every
# other build rounds twice.
objdump=$1
shift
status=0
for elf in "$@"; do
  [ -f "$elf" ] || { echo "$elf does not exist"; status=1; continue; }
  hits=$("$objdump" -d --no-show-raw-insn "$elf" | grep -cE '\bvfn?m[as]\.')
  [ "$hits" -eq 0 ] || { echo "${elf##*/}: $hits fused multiply-adds"; status=1; }
done
echo "$# programs looked at"
[ $# -gt 0 ] && exit $status
