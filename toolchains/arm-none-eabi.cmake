# Bare-metal Arm Cortex-M with the Arm GNU toolchain. -DMOREAU_BOARD=<QEMU machine> chooses a board of
# ports/cortex_m/boards.cmake.
set(CMAKE_SYSTEM_NAME Generic)
set(CMAKE_SYSTEM_PROCESSOR arm)

set(MOREAU_BOARD mps2-an386 CACHE STRING "QEMU machine to build for")
list(APPEND CMAKE_TRY_COMPILE_PLATFORM_VARIABLES MOREAU_BOARD)
include(${CMAKE_CURRENT_LIST_DIR}/../ports/cortex_m/boards.cmake)
moreau_board(${MOREAU_BOARD})

set(CMAKE_C_COMPILER arm-none-eabi-gcc)
set(CMAKE_CXX_COMPILER arm-none-eabi-g++)
set(CMAKE_OBJDUMP arm-none-eabi-objdump)
set(CMAKE_NM arm-none-eabi-nm)
set(CMAKE_SIZE arm-none-eabi-size)
set(CMAKE_EXECUTABLE_SUFFIX_C .elf)
set(CMAKE_EXECUTABLE_SUFFIX_CXX .elf)
set(CMAKE_TRY_COMPILE_TARGET_TYPE STATIC_LIBRARY)

# Disables runtime features that need a heap, an unwinder, locks or errno.
set(_moreau_flags "${MOREAU_BOARD_FLAGS} -ffp-contract=off -fno-math-errno -ffunction-sections -fdata-sections")
set(CMAKE_C_FLAGS_INIT "${_moreau_flags}")
set(CMAKE_CXX_FLAGS_INIT
    "${_moreau_flags} -fno-exceptions -fno-rtti -fno-threadsafe-statics -fno-use-cxa-atexit -fno-unwind-tables -fno-asynchronous-unwind-tables")
foreach(lang C CXX)
  set(CMAKE_${lang}_FLAGS_RELEASE_INIT "-O2 -DNDEBUG")
  set(CMAKE_${lang}_FLAGS_RELEASE "-O2 -DNDEBUG" CACHE STRING "Release flags: the published counts are measured with -O2")
endforeach()
set(CMAKE_BUILD_TYPE Release CACHE STRING "Build type")

set(CMAKE_FIND_ROOT_PATH_MODE_PROGRAM NEVER)
set(CMAKE_FIND_ROOT_PATH_MODE_LIBRARY BOTH)
set(CMAKE_FIND_ROOT_PATH_MODE_INCLUDE BOTH)
set(CMAKE_FIND_ROOT_PATH_MODE_PACKAGE BOTH)

# ctest and examples/run start board programs through this emulator; semihosting passes their text to stdout and their
# exit code to the shell.
set(CMAKE_CROSSCOMPILING_EMULATOR
    "qemu-system-arm;-M;${MOREAU_BOARD};-display;none;-serial;none;-monitor;none;-chardev;stdio,id=s;-semihosting-config;enable=on,target=native,chardev=s;-kernel")
