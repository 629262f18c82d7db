# The boards, as QEMU can run them: one row each. A port to real hardware is another row, or the same five things
# said by the user's own project: compiler flags, where code and RAM lie, the stack, and the SysTick rate.
#
#          QEMU machine  core        compiler flags                                     code origin, size   RAM origin, size   stack  SysTick Hz, preset
set(moreau_boards
    "mps2-an385|M3 |-mcpu=cortex-m3                                                    |0x00000000|4M  |0x20000000|4M  |16K |25000000|m3"
    "mps2-an386|M4F|-mcpu=cortex-m4 -mfpu=fpv4-sp-d16 -mfloat-abi=hard                 |0x00000000|4M  |0x20000000|4M  |16K |25000000|m4f"
    "mps2-an500|M7 |-mcpu=cortex-m7 -mfpu=fpv5-d16 -mfloat-abi=hard                    |0x00000000|4M  |0x20000000|4M  |16K |25000000|m7"
    "mps2-an505|M33|-mcpu=cortex-m33 -mfpu=fpv5-sp-d16 -mfloat-abi=hard                |0x10000000|4M  |0x38000000|2M  |16K |20000000|m33"
    "mps3-an547|M55|-mcpu=cortex-m55+nomve -mfloat-abi=hard                            |0x10000000|512K|0x30000000|512K|16K |32000000|m55"
    "microbit  |M0 |-mcpu=cortex-m0                                                    |0x00000000|256K|0x20000000|16K |4K  |16000000|m0")

# moreau_board(<machine>): sets MOREAU_BOARD_CORE, _FLAGS, _CODE, _CODE_SIZE, _RAM, _RAM_SIZE, _STACK, _TICK_HZ, _PRESET
# and MOREAU_BOARD_SCALARS, the scalars that the board's FPU computes (float where there is none).
macro(moreau_board machine)
  unset(MOREAU_BOARD_CORE)
  foreach(_row IN LISTS moreau_boards)
    string(REGEX REPLACE " *\\| *" ";" _row "${_row}")
    list(GET _row 0 _name)
    if(_name STREQUAL "${machine}")
      list(GET _row 1 MOREAU_BOARD_CORE)
      list(GET _row 2 MOREAU_BOARD_FLAGS)
      list(GET _row 3 MOREAU_BOARD_CODE)
      list(GET _row 4 MOREAU_BOARD_CODE_SIZE)
      list(GET _row 5 MOREAU_BOARD_RAM)
      list(GET _row 6 MOREAU_BOARD_RAM_SIZE)
      list(GET _row 7 MOREAU_BOARD_STACK)
      list(GET _row 8 MOREAU_BOARD_TICK_HZ)
      list(GET _row 9 MOREAU_BOARD_PRESET)
    endif()
  endforeach()
  if(NOT MOREAU_BOARD_CORE)
    message(FATAL_ERROR "MOREAU_BOARD='${machine}' is not in ports/cortex_m/boards.cmake")
  endif()
  string(APPEND MOREAU_BOARD_FLAGS " -mthumb")
  if(MOREAU_BOARD_CORE MATCHES "M7|M55")
    set(MOREAU_BOARD_SCALARS float double)
  else()
    set(MOREAU_BOARD_SCALARS float)
  endif()
endmacro()
