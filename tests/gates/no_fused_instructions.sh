#!/usr/bin/env bash
# no_fused_instructions.sh <objdump> <ELF>...: fails if the code contains a fused multiply-add, which rounds once
# where all other builds round twice.
objdump=$1
shift
status=0
for elf in "$@"; do
  [ -f "$elf" ] || { echo "$elf does not exist"; status=1; continue; }
  hits=$("$objdump" -d --no-show-raw-insn "$elf" | grep -cE '\bvfn?m[as]\.')
  [ "$hits" -eq 0 ] || { echo "${elf##*/}: $hits fused multiply-adds"; status=1; }
done
echo "$# programs checked"
[ $# -gt 0 ] && exit $status
