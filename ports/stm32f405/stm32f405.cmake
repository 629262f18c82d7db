# moreau_add_stm32f405_program(<name> <source>... [INCLUDE <folder>...] [DEFINE <name>...])
#
# Builds <name>.elf in the current binary folder, with a target <name>: programs for a board on a serial line, in the
# same build as host programs. Needs arm-none-eabi-g++ (MOREAU_ARM_COMPILER).
find_program(MOREAU_ARM_COMPILER arm-none-eabi-g++)

function(moreau_add_stm32f405_program name)
  cmake_parse_arguments(PARSE_ARGV 1 arg "" "" "INCLUDE;DEFINE")
  set(here ${CMAKE_CURRENT_FUNCTION_LIST_DIR})
  set(MOREAU_BOARD STM32F405)
  set(MOREAU_BOARD_CORE M4F)
  set(MOREAU_BOARD_CODE 0x08000000)
  set(MOREAU_BOARD_CODE_SIZE 1M)
  set(MOREAU_BOARD_RAM 0x20000000)
  set(MOREAU_BOARD_RAM_SIZE 128K)
  set(MOREAU_BOARD_STACK 16K)
  configure_file(${here}/../cortex_m/linker.ld.in ${CMAKE_CURRENT_BINARY_DIR}/stm32f405.ld @ONLY)
  set(elf ${CMAKE_CURRENT_BINARY_DIR}/${name}.elf)
  set(includes $<TARGET_PROPERTY:moreau::bench,INTERFACE_INCLUDE_DIRECTORIES>)
  list(TRANSFORM arg_INCLUDE PREPEND -I)
  list(TRANSFORM arg_DEFINE PREPEND -D)
  set(flags -std=c++17 -O2 -DNDEBUG -mcpu=cortex-m4 -mthumb -mfpu=fpv4-sp-d16 -mfloat-abi=hard -ffp-contract=off -fno-math-errno
    -fno-exceptions -fno-rtti -fno-threadsafe-statics -fno-use-cxa-atexit -fno-unwind-tables -fno-asynchronous-unwind-tables
    -ffunction-sections -fdata-sections -fno-tree-loop-distribute-patterns -Wall -Wextra -DEIGEN_DONT_VECTORIZE)
  add_custom_command(OUTPUT ${elf} DEPENDS ${arg_UNPARSED_ARGUMENTS} ${here}/chip.cpp ${here}/chip.hpp ${here}/startup.cpp VERBATIM
    COMMAND_EXPAND_LISTS DEPFILE ${elf}.d
    COMMAND ${MOREAU_ARM_COMPILER} ${flags} -MD -MF ${elf}.d -MT ${elf} "-isystem$<JOIN:${includes},;-isystem>" -I${here} ${arg_INCLUDE}
      ${arg_DEFINE} -nostartfiles -Wl,--gc-sections -Wl,--no-warn-rwx-segments -T ${CMAKE_CURRENT_BINARY_DIR}/stm32f405.ld
      ${here}/startup.cpp ${here}/chip.cpp ${arg_UNPARSED_ARGUMENTS} -o ${elf}
    COMMENT "${name}.elf for STM32F405")
  add_custom_target(${name} DEPENDS ${elf})
endfunction()
