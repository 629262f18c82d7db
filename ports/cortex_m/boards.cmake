# The boards of QEMU, one row each. A hardware port is another row, or sets the same values in the user's project:
# compiler flags, addresses and sizes of code and RAM, stack size, and SysTick rate.
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
# and MOREAU_BOARD_SCALARS, the scalars that the FPU computes (float without an FPU).
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

# Variables that the toolchain file sets for a board without a row above, with examples. Compiler flags choose the core.
set(moreau_board_variables
    "MOREAU_BOARD_CODE|0x08000000|address of the code"
    "MOREAU_BOARD_CODE_SIZE|1M|size of the code memory"
    "MOREAU_BOARD_RAM|0x20000000|address of the RAM"
    "MOREAU_BOARD_RAM_SIZE|128K|size of the RAM"
    "MOREAU_BOARD_STACK|8K|part of the RAM for the stack"
    "MOREAU_BOARD_TICK_HZ|168000000|SysTick rate in Hz")

# moreau_board_missing(<variable>): returns one line for each variable that is not set; empty if all are set.
function(moreau_board_missing missing)
  set(text "")
  foreach(row IN LISTS moreau_board_variables)
    string(REPLACE "|" ";" row "${row}")
    list(GET row 0 name)
    list(GET row 1 example)
    list(GET row 2 meaning)
    if("${${name}}" STREQUAL "")
      string(APPEND text "\n  set(${name} ${example})  # for example: ${meaning}")
    endif()
  endforeach()
  set(${missing} "${text}" PARENT_SCOPE)
endfunction()

# Ends the configuration if a target links moreau::port and variables are missing. Projects that link only
# moreau::moreau need none, so the check runs after all targets are known; the variables of this file are out of scope
# then.
function(moreau_board_required)
  get_property(missing GLOBAL PROPERTY moreau_board_missing)
  get_property(folders DIRECTORY ${CMAKE_SOURCE_DIR} PROPERTY SUBDIRECTORIES)
  set(folders ${CMAKE_SOURCE_DIR} ${folders})
  while(folders)
    list(POP_FRONT folders folder)
    get_property(inner DIRECTORY ${folder} PROPERTY SUBDIRECTORIES)
    get_property(targets DIRECTORY ${folder} PROPERTY BUILDSYSTEM_TARGETS)
    list(APPEND folders ${inner})
    foreach(target IN LISTS targets)
      get_target_property(linked ${target} LINK_LIBRARIES)
      get_target_property(passed_on ${target} INTERFACE_LINK_LIBRARIES)
      if("${linked};${passed_on}" MATCHES "moreau(::|_)port")
        message(FATAL_ERROR "${target} links moreau::port, which needs a board. Set in the toolchain file:${missing}\n"
          "See \"A port of your own\" in ports/README.md.")
      endif()
    endforeach()
  endwhile()
endfunction()
