# moreau_add_playground(<name> MODEL <file> BENCH <struct> [TITLE <title>] [INCLUDE <folder>...])
#
# Generates <name>.html in the current binary folder (target <name>_playground): one page in which the library runs as
# WebAssembly, from a bench (moreau/bench/bench.hpp). Requires clang++ with the target wasm32-wasi and gzip
# (toolchains/setup tests). Host only.


function(moreau_add_playground name)
  cmake_parse_arguments(PARSE_ARGV 1 arg "" "MODEL;BENCH;TITLE" "INCLUDE")
  if(NOT arg_MODEL OR NOT arg_BENCH OR NOT name MATCHES "^[a-z][a-z0-9_]*$")
    message(FATAL_ERROR "moreau_add_playground(<name> MODEL <file> BENCH <struct>): "
      "the name consists of lower-case letters, digits and _")
  endif()
  if(NOT arg_TITLE)
    set(arg_TITLE ${name})
  endif()
  find_program(MOREAU_WASM_COMPILER clang++ DOC "Compiler with the target wasm32-wasi")
  find_program(MOREAU_GZIP gzip)
  if(NOT MOREAU_WASM_COMPILER OR NOT MOREAU_GZIP)
    message(FATAL_ERROR "moreau_add_playground: clang++ or gzip is not installed (toolchains/setup tests)")
  endif()
  set(NAME ${name})
  get_filename_component(MODEL ${arg_MODEL} ABSOLUTE)
  set(BENCH ${arg_BENCH})
  set(here ${CMAKE_CURRENT_FUNCTION_LIST_DIR})
  set(out ${CMAKE_CURRENT_BINARY_DIR}/${name}.playground)
  set(page ${CMAKE_CURRENT_BINARY_DIR}/${name}.html)
  configure_file(${here}/module.cpp.in ${out}/module.cpp @ONLY)
  configure_file(${here}/page.cpp.in ${out}/page.cpp @ONLY)

  set(library $<TARGET_PROPERTY:moreau::bench,INTERFACE_INCLUDE_DIRECTORIES>)  # with those of moreau and Eigen
  set(workstation $<TARGET_PROPERTY:moreau::workstation,INTERFACE_INCLUDE_DIRECTORIES>)
  set(include_flags ${arg_INCLUDE})
  list(TRANSFORM include_flags PREPEND -I)
  # Reactor: without it, lld 14 runs the constructors at every exported call.
  add_custom_command(OUTPUT ${out}/module.wasm ${out}/module.wasm.gz DEPENDS ${out}/module.cpp DEPFILE ${out}/module.d
    COMMAND_EXPAND_LISTS VERBATIM
    COMMAND ${MOREAU_WASM_COMPILER} --target=wasm32-wasi -mexec-model=reactor -std=c++17 -Os -mbulk-memory -msign-ext -ffp-contract=off
      -fno-exceptions -fno-rtti -DNDEBUG -DEIGEN_NO_DEBUG -DEIGEN_DONT_VECTORIZE -fvisibility=hidden
      -Wl,--export-dynamic,-s,-z,stack-size=262144 -MD -MF ${out}/module.d -MT ${out}/module.wasm
      "-I$<JOIN:${library},;-I>" "-I$<JOIN:${workstation},;-I>" -I${here} ${include_flags}
      ${out}/module.cpp -o ${out}/module.wasm
    COMMAND ${MOREAU_GZIP} -9 -n -k -f ${out}/module.wasm
    COMMENT "WebAssembly module of ${name}")

  add_executable(${name}_page EXCLUDE_FROM_ALL ${out}/page.cpp)
  set_target_properties(${name}_page PROPERTIES RUNTIME_OUTPUT_DIRECTORY ${out})
  target_include_directories(${name}_page PRIVATE ${here} ${arg_INCLUDE})
  target_compile_definitions(${name}_page PRIVATE EIGEN_DONT_VECTORIZE MOREAU_PLAYGROUND_FILES="${here}/page")
  target_link_libraries(${name}_page PRIVATE moreau::bench moreau::workstation)
  file(GLOB parts CONFIGURE_DEPENDS ${here}/page/* ${here}/../workstation/report/*)
  add_custom_command(OUTPUT ${page} DEPENDS ${name}_page ${out}/module.wasm.gz ${parts} VERBATIM
    COMMAND ${name}_page ${arg_TITLE} ${out}/module.wasm.gz ${page}
    COMMENT "Playground page ${name}.html")
  add_custom_target(${name}_playground ALL DEPENDS ${page})
endfunction()
