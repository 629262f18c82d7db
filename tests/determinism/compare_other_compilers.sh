#!/usr/bin/env bash
# Hashes of bits.cpp with compilers, options and CPUs beyond the presets:
#   tests/determinism/compare_other_compilers.sh [variant...]
# Foreign CPUs run in QEMU's user mode. A variant whose compiler or emulator is missing is skipped with a message. The
# exit code is 0 if all variants that ran agree. --list prints the variants except `expressions`.
set -uo pipefail
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)
cd "$root" || exit 1
out=build/elsewhere
mkdir -p "$out"
variants='native|g++ -O2 -march=native|
size|g++ -Os|
lto|g++ -O2 -flto|
avx2|g++ -O3 -mavx2 -mfma|
i686-sse|i686-linux-gnu-g++ -O2 -msse2 -mfpmath=sse|
clang-native|clang++ -O3 -march=native|
aarch64|aarch64-linux-gnu-g++ -O2|qemu-aarch64
aarch64-O3|aarch64-linux-gnu-g++ -O3 -mcpu=cortex-a53|qemu-aarch64
riscv64|riscv64-linux-gnu-g++ -O2|qemu-riscv64'
boards='clang-m4f|m4f|float|-O2 --target=thumbv7em-none-eabihf -mcpu=cortex-m4 -mfpu=fpv4-sp-d16 -mfloat-abi=hard
clang-m7|m7|float double|-O3 --target=thumbv7em-none-eabihf -mcpu=cortex-m7 -mfpu=fpv5-d16 -mfloat-abi=hard'
if [ "${1:-}" = --list ]; then
  echo "$variants"
  echo "$boards"
  exit
fi
unity=/usr/share/cmock/vendor/unity/src
[ -e $unity/unity.c ] || unity=.deps$unity
failed=0
options=(-DNDEBUG -ffp-contract=off -w -DMOREAU_BITS_STEPS=2000L -DUNITY_INCLUDE_CONFIG_H
  -Ilib -Itests -Itests/support -Iexamples -Iports/shared -isystem /usr/include/eigen3 -isystem "$unity" -isystem .deps/usr/include)
say() { # say <variant> <scalar> <code> <how it was built>
  echo "$1 $2: $([ "$3" -eq 0 ] && echo "bit-identical" || echo "DIFFERENT, see $out/$1.$2.txt")   ($4)"
  [ "$3" -eq 0 ] || failed=1
}
asked() { [ ${#only[@]} -eq 0 ] || [[ " ${only[*]} " == *" $1 "* ]]; }
only=("$@")

while IFS='|' read -r name compiler emulator; do
  asked "$name" || continue
  if ! command -v "${compiler%% *}" >/dev/null || { [ -n "$emulator" ] && ! command -v "$emulator" >/dev/null; }; then
    echo "$name: skipped, there is no ${compiler%% *} or no $emulator"
    continue
  fi
  if ! echo 'int main() {}' | $compiler -static -x c++ - -o "$out/empty" 2>/dev/null; then
    echo "$name: skipped, no static program links with: $compiler"
    continue
  fi
  for scalar in float double; do
    # shellcheck disable=SC2086
    $compiler "${options[@]}" -x c -c "$unity/unity.c" -o "$out/unity.o" &&
      $compiler -std=c++17 "${options[@]}" -static -DMOREAU_TEST_REAL=$scalar -Iports/host tests/determinism/bits.cpp tests/support/output.cpp \
        "$out/unity.o" -o "$out/$name.$scalar" || { echo "$name $scalar: does not build" && failed=1 && continue; }
    $emulator "$out/$name.$scalar" >"$out/$name.$scalar.txt" 2>&1
    say "$name" $scalar $? "$compiler"
  done
done <<<"$variants"

# clang for Arm uses headers and C library of the GNU toolchain, which also compiles start-up code and Unity, and links.
headers_of() { # headers_of <flag>...: the GNU toolchain's, but those of the compiler itself
  arm-none-eabi-g++ -mthumb "$@" -E -x c++ -v /dev/null 2>&1 | sed -n '/^#include </,/^End/s/^ //p' | grep -v 'lib/gcc/arm-none-eabi/[^/]*/include'
}
while IFS='|' read -r name preset scalars flags; do
  asked "$name" || continue
  if ! command -v clang++ >/dev/null || ! command -v qemu-system-arm >/dev/null; then
    echo "$name: skipped, there is no clang++ or no qemu-system-arm"
    continue
  fi
  tree=$out/$preset
  cmake --preset "$preset" -B "$tree" -DMOREAU_EXAMPLES=OFF >"$out/$name.log" 2>&1 &&
    cmake --build "$tree" --target moreau_port unity moreau_test_output >>"$out/$name.log" 2>&1 || { failed=1 && echo "$name: see $out/$name.log"; continue; }
  read -ra words <<<"$flags"
  cpu=("${words[@]:2}")
  board=$(sed -n 's/^MOREAU_BOARD:STRING=//p' "$tree/CMakeCache.txt")
  include=()
  while read -r folder; do include+=(-isystem "$folder"); done < <(headers_of "${cpu[@]}")
  for scalar in $scalars; do
    clang++ "${words[@]}" -fshort-enums -fno-math-errno -fno-exceptions -fno-rtti -fno-threadsafe-statics -fno-asynchronous-unwind-tables \
      -ffunction-sections -std=c++17 "${options[@]}" "${include[@]}" -DMOREAU_TEST_REAL="$scalar" -DMOREAU_BOARD="\"$board\"" -Iports/cortex_m \
      -c tests/determinism/bits.cpp -o "$out/$name.$scalar.o" &&
      arm-none-eabi-g++ -mthumb "${cpu[@]}" -nostartfiles -Wl,--gc-sections,--no-warn-rwx-segments -T "$tree/ports/linker.ld" "$out/$name.$scalar.o" \
        "$tree"/tests/lib{unity,moreau_test_output}.a "$tree/ports/libmoreau_port.a" -o "$out/$name.$scalar.elf" 2>>"$out/$name.log" &&
      qemu-system-arm -M "$board" -display none -serial none -monitor none -chardev stdio,id=s \
        -semihosting-config enable=on,target=native,chardev=s -kernel "$out/$name.$scalar.elf" >"$out/$name.$scalar.txt" 2>&1 </dev/null
    say "$name" "$scalar" $? "clang++ $flags"
  done
done <<<"$boards"

# Eigen expressions of a user: bit-identical on every CPU with the option in lib/MODEL.md.
expressions() { # expressions <compiler and flags> <emulator> <scalar>
  # shellcheck disable=SC2086
  $1 -std=c++17 -O2 -ffp-contract=off -w -static -DMOREAU_TEST_REAL="$3" -Ilib -Itests -isystem /usr/include/eigen3 tests/determinism/expressions.cpp \
    -o "$out/expressions" && $2 "$out/expressions"
}
if asked expressions; then
  for scalar in float double; do
    expected=$(expressions "g++ -DEIGEN_DONT_VECTORIZE" "" $scalar)
    while IFS='|' read -r compiler emulator; do
      command -v "${compiler%% *}" >/dev/null || { echo "expressions: skipped, there is no ${compiler%% *}"; continue; }
      code=1
      [ -n "$expected" ] && [ "$(expressions "$compiler -DEIGEN_DONT_VECTORIZE" "$emulator" $scalar </dev/null)" = "$expected" ] && code=0
      say expressions $scalar $code "$compiler -DEIGEN_DONT_VECTORIZE; without it $(
        [ "$(expressions "$compiler" "$emulator" $scalar </dev/null)" = "$expected" ] && echo the same || echo others)"
    done <<<$'g++ -march=native|\nclang++ -march=native|\naarch64-linux-gnu-g++|qemu-aarch64'
  done
fi
exit $failed
