# moreau_add_bench(<name> MODEL <file> BENCH <struct> [INCLUDE <folder>...] [FMI2] [FMI3] [XCP]
#                  [PLATFORMS windows aarch64])
#
# Generates from a bench (moreau/bench/bench.hpp), in the current binary folder:
#   <name>.bench/<name>.h, lib<name>.a, lib<name>.so    targets <name> (static) and <name>_shared: the C interface
#   <name>.bench/<name>.a2l                description of the variables for XCP masters (XCP.md)
#   <name>.bench/<name>_hal.c              LinuxCNC HAL component, built by the user
#   <name>.fmu2/<name>.fmu                 target <name>_fmu2, with FMI2: an FMU 2.0 with sources and the host's binary
#   <name>.fmu3/<name>.fmu                 target <name>_fmu3, with FMI3
# XCP: the FMUs have an XCP service (FMI-LS-XCP), on Linux only.
# PLATFORMS adds binaries to the FMUs: win64 by x86_64-w64-mingw32-g++, and aarch64-linux (FMI 3.0 only) by
# aarch64-linux-gnu-g++. MODEL is the file with the model and its bench; INCLUDE lists the include folders of that file. Host only.


# All products are compiled with EIGEN_DONT_VECTORIZE (tests/determinism/README.md).


function(moreau_add_bench name)
  cmake_parse_arguments(PARSE_ARGV 1 arg "FMI2;FMI3;XCP" "MODEL;BENCH" "INCLUDE;PLATFORMS")
  if(NOT arg_MODEL OR NOT arg_BENCH OR NOT name MATCHES "^[a-z][a-z0-9_]*$")
    message(FATAL_ERROR "moreau_add_bench(<name> MODEL <file> BENCH <struct>): "
      "the name consists of lower-case letters, digits and _")
  endif()
  if(arg_XCP AND "windows" IN_LIST arg_PLATFORMS)
    message(FATAL_ERROR "moreau_add_bench: an FMU with XCP has no binary for windows")
  endif()
  set(xcp "")
  if(arg_XCP)
    set(xcp xcp)
  endif()
  get_filename_component(model ${arg_MODEL} ABSOLUTE)
  set(out ${CMAKE_CURRENT_BINARY_DIR}/${name}.bench)
  file(MAKE_DIRECTORY ${out})

  # Builds the describing program: checks at build time and generated files.
  set(MODEL ${model})
  set(BENCH ${arg_BENCH})
  configure_file(${CMAKE_CURRENT_FUNCTION_LIST_DIR}/describe.cpp.in ${out}/describe.cpp @ONLY)
  add_executable(${name}_describe ${out}/describe.cpp)
  set_target_properties(${name}_describe PROPERTIES RUNTIME_OUTPUT_DIRECTORY ${out})
  set(generated ${out}/${name}.h ${out}/${name}.a2l)
  foreach(file c.cpp hal.c fmi2.cpp fmi2.xml fmi3.cpp fmi3.xml fmi3.build.xml terminals.xml fmu.html license.txt fmu.a2l fmu_xcp.xml)
    list(APPEND generated ${out}/${name}_${file})
  endforeach()
  file(GLOB templates CONFIGURE_DEPENDS ${CMAKE_CURRENT_FUNCTION_LIST_DIR}/*.in)
  add_custom_command(OUTPUT ${generated} DEPENDS ${name}_describe ${templates} VERBATIM
    COMMAND ${name}_describe ${name} ${CMAKE_CURRENT_FUNCTION_LIST_DIR} ${out} ${model} ${arg_BENCH} ${xcp}
    COMMENT "Generating the interface of ${name}")

  add_library(${name}_objects OBJECT ${out}/${name}_c.cpp ${out}/${name}.h)
  add_library(${name} STATIC $<TARGET_OBJECTS:${name}_objects>)
  add_library(${name}_shared SHARED $<TARGET_OBJECTS:${name}_objects>)
  set_target_properties(${name}_shared PROPERTIES OUTPUT_NAME ${name})
  set_target_properties(${name} ${name}_shared PROPERTIES LINKER_LANGUAGE CXX)
  foreach(target ${name}_objects ${name}_describe)
    set_target_properties(${target} PROPERTIES CXX_VISIBILITY_PRESET hidden VISIBILITY_INLINES_HIDDEN ON
      POSITION_INDEPENDENT_CODE ON)
    target_compile_definitions(${target} PRIVATE EIGEN_DONT_VECTORIZE EIGEN_NO_DEBUG)
    target_include_directories(${target} PRIVATE ${CMAKE_CURRENT_FUNCTION_LIST_DIR} ${arg_INCLUDE})
    target_link_libraries(${target} PRIVATE moreau::bench)
  endforeach()
  target_link_libraries(${name}_describe PRIVATE moreau::workstation)
  set_target_properties(${name}_describe PROPERTIES MOREAU_FMU_XCP "${xcp}")
  foreach(target ${name} ${name}_shared)
    target_include_directories(${target} PUBLIC ${out})
  endforeach()

  if(arg_FMI2)
    set(folder ${CMAKE_HOST_SYSTEM_PROCESSOR}-linux)
    if(CMAKE_HOST_SYSTEM_PROCESSOR STREQUAL x86_64)
      set(folder linux64)  # the only one that 2.0 has a name for
    endif()
    moreau_add_fmu(${name} 2 binaries/${folder} "${arg_INCLUDE}" "${arg_PLATFORMS}")
  endif()
  if(arg_FMI3)
    moreau_add_fmu(${name} 3 binaries/${CMAKE_HOST_SYSTEM_PROCESSOR}-linux "${arg_INCLUDE}" "${arg_PLATFORMS}")
  endif()
endfunction()

# moreau_add_fmu(<bench> <version> <folder of the binary> <include folders> <platforms>): helper of moreau_add_bench.
function(moreau_add_fmu name version folder includes platforms)
  set(out ${CMAKE_CURRENT_BINARY_DIR}/${name}.bench)
  set(tree ${CMAKE_CURRENT_BINARY_DIR}/${name}.fmu${version})
  set(library $<TARGET_PROPERTY:moreau::bench,INTERFACE_INCLUDE_DIRECTORIES>)  # with those of moreau and Eigen
  set(here ${CMAKE_CURRENT_FUNCTION_LIST_DIR})
  set(copy ${CMAKE_COMMAND} -E copy)
  if(version EQUAL 3)
    set(icon_folder terminalsAndIcons)
    set(copy_of_version COMMAND ${copy} ${out}/${name}_fmi3.build.xml ${tree}/sources/buildDescription.xml
      COMMAND ${CMAKE_COMMAND} -E make_directory ${tree}/${icon_folder}
      COMMAND ${copy} ${out}/${name}_terminals.xml ${tree}/${icon_folder}/terminalsAndIcons.xml
      COMMAND ${copy} ${here}/icon.png ${here}/icon.svg ${tree}/${icon_folder})
  else()
    set(icon_folder model.png)
    set(copy_of_version COMMAND ${copy} ${here}/icon.png ${tree}/model.png)
  endif()
  get_target_property(xcp ${name}_describe MOREAU_FMU_XCP)
  set(extra "")
  if(xcp)
    set(library ${library} ${here}/../workstation)
    set(standard ${tree}/extra/org.fmi-standard.fmi-ls-xcp)
    set(extra extra)
    get_filename_component(platform ${folder} NAME)
    set(a2l_folders ${standard} ${standard}/${platform})
    if("aarch64" IN_LIST platforms AND version EQUAL 3)
      list(APPEND a2l_folders ${standard}/aarch64-linux)
    endif()
    foreach(a2l_folder IN LISTS a2l_folders)
      list(APPEND copy_of_version COMMAND ${CMAKE_COMMAND} -E make_directory ${a2l_folder}
        COMMAND ${copy} ${out}/${name}_fmu.a2l ${a2l_folder}/${name}.a2l)
    endforeach()
    list(APPEND copy_of_version COMMAND ${copy} ${out}/${name}_fmu_xcp.xml ${standard}/fmi-ls-manifest.xml)
  endif()
  set(include_flags ${includes})
  list(TRANSFORM include_flags PREPEND -I)
  if(NOT TARGET moreau_amalgamate)
    add_executable(moreau_amalgamate ${CMAKE_CURRENT_FUNCTION_LIST_DIR}/amalgamate.cpp)
    target_compile_features(moreau_amalgamate PRIVATE cxx_std_17)
  endif()
  set(sources ${tree}/sources/${name}.cpp ${tree}/sources/moreau_library.hpp)
  add_custom_command(OUTPUT ${sources} DEPENDS moreau_amalgamate ${out}/${name}_fmi${version}.cpp
    DEPFILE ${out}/${name}_fmi${version}.d COMMAND_EXPAND_LISTS VERBATIM
    COMMAND ${CMAKE_COMMAND} -E make_directory ${tree}/sources ${tree}/${folder}
    COMMAND ${CMAKE_CXX_COMPILER} -std=c++17 -M -MF ${out}/${name}_fmi${version}.d -MT ${tree}/sources/${name}.cpp
      -DEIGEN_DONT_VECTORIZE -DEIGEN_NO_DEBUG "-I$<JOIN:${library},;-I>" ${include_flags} ${out}/${name}_fmi${version}.cpp
    COMMAND moreau_amalgamate ${out}/${name}_fmi${version}.d ${out}/${name}_fmi${version}.cpp
      ${tree}/sources/${name}.cpp ${tree}/sources/moreau_library.hpp "${library}" -- ${includes}
    COMMENT "Sources of ${name}.fmu ${version}.0")

  # Binaries of further platforms, from the shipped sources.
  set(further "")
  set(folder.windows.2 win64)
  set(folder.windows.3 x86_64-windows)
  set(folder.aarch64.3 aarch64-linux)
  set(compiler.windows x86_64-w64-mingw32-g++ -static)
  set(compiler.aarch64 aarch64-linux-gnu-g++ -fPIC)
  set(suffix.windows dll)
  set(suffix.aarch64 so)
  foreach(platform IN LISTS platforms)
    if(NOT DEFINED compiler.${platform})
      message(FATAL_ERROR "moreau_add_bench: unknown platform ${platform}: windows, aarch64")
    endif()
    if(DEFINED folder.${platform}.${version})
      set(target ${tree}/binaries/${folder.${platform}.${version}})
      list(APPEND further COMMAND ${CMAKE_COMMAND} -E make_directory ${target}
        COMMAND ${compiler.${platform}} -std=c++17 -O2 -shared -o ${target}/${name}.${suffix.${platform}} ${tree}/sources/${name}.cpp)
    endif()
  endforeach()

  # The binary is built from the shipped sources, as an importer would build it.
  add_custom_command(OUTPUT ${tree}/${name}.fmu DEPENDS ${sources} ${out}/${name}_fmi${version}.xml VERBATIM
    COMMAND ${CMAKE_CXX_COMPILER} -std=c++17 -O2 -shared -fPIC -o ${tree}/${folder}/${name}.so ${tree}/sources/${name}.cpp
    ${further}
    COMMAND ${copy} ${out}/${name}_fmi${version}.xml ${tree}/modelDescription.xml
    COMMAND ${CMAKE_COMMAND} -E make_directory ${tree}/documentation/licenses
    COMMAND ${copy} ${out}/${name}_fmu.html ${tree}/documentation/index.html
    COMMAND ${copy} ${out}/${name}_license.txt ${tree}/documentation/licenses/license.txt
    ${copy_of_version}
    COMMAND ${CMAKE_COMMAND} -E chdir ${tree} ${CMAKE_COMMAND} -E tar cf ${name}.fmu --format=zip
      modelDescription.xml binaries sources documentation ${extra} ${icon_folder}
    COMMENT "${name}.fmu ${version}.0")
  add_custom_target(${name}_fmu${version} ALL DEPENDS ${tree}/${name}.fmu)
endfunction()
