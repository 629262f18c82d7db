#!/usr/bin/env bash
# forbidden_symbols.sh <nm> <float|double> <ELF>...: fails if a program contains heap, exceptions, guards, printf or
# libm, or a float program contains software arithmetic in double.
nm=$1 scalar=$2
shift 2
forbidden='malloc|_malloc_r|calloc|_calloc_r|realloc|_realloc_r|free|_free_r|_sbrk|_sbrk_r|sbrk'
forbidden+='|_Zn[wa].*|_Zd[la].*|__cxa_.*|_Unwind_.*|__gxx_personality.*|_ZSt.*throw.*|abort_handler'
forbidden+='|_*v?[sf]?n?i?printf(_r)?|puts|_puts_r|putchar|__assert_func|_impure_ptr_stdio'
forbidden+='|(__ieee754_|__kernel_)?(sin|cos|tan|asin|acos|atan|atan2|exp|log|pow|fmod|hypot|rem_pio2|sincos)f?|sqrt|__ieee754_sqrtf?'
[ "$scalar" = double ] || forbidden+='|__aeabi_d.*|__aeabi_c[dr].*|__aeabi_(f|i|ui|l|ul)2d|__(add|sub|mul|div)df3|.*dfs?i'
status=0
for elf in "$@"; do
  [ -f "$elf" ] || { echo "$elf does not exist"; status=1; continue; }
  hits=$("$nm" "$elf" | awk '{ print $NF }' | grep -xE "$forbidden" | sort -u | tr '\n' ' ')
  [ -z "$hits" ] || { echo "${elf##*/}: $hits"; status=1; }
done
echo "$# programs checked"
[ $# -gt 0 ] && exit $status
