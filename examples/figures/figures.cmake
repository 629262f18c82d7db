# Figures of the examples: each description names in its first line the example whose files it draws. `cmake --build . --target
# figures` runs these examples and leaves files and pictures in the folder figures of the build.
add_executable(plot ${PROJECT_SOURCE_DIR}/ports/workstation/plot/main.cpp)
target_compile_features(plot PRIVATE cxx_std_20)
target_link_libraries(plot PRIVATE moreau_warnings)

add_custom_target(figures)
set(folder ${CMAKE_CURRENT_BINARY_DIR}/figures)
file(MAKE_DIRECTORY ${folder})
set(drawn "")
file(GLOB descriptions CONFIGURE_DEPENDS figures/*.fig)
foreach(description IN LISTS descriptions)
  get_filename_component(figure ${description} NAME_WE)
  file(STRINGS ${description} data REGEX "^# data: " LIMIT_COUNT 1)
  string(REPLACE "# data: " "" data "${data}")
  set(picture ${folder}/${figure}.svg)
  if(NOT data IN_LIST drawn)
    list(APPEND drawn ${data})
    add_custom_target(data.${data} COMMAND ${data} ${folder} USES_TERMINAL)
  endif()
  add_custom_target(figure.${figure} COMMAND plot ${description} ${folder} ${picture})
  add_dependencies(figure.${figure} data.${data})
  add_dependencies(figures figure.${figure})

  # The test of an example runs, and writes, in the binary folder.
  set_tests_properties(example.${data} PROPERTIES FIXTURES_SETUP ${data})
  add_test(NAME figure.${figure} COMMAND plot ${description} ${CMAKE_CURRENT_BINARY_DIR} ${picture})
  set_tests_properties(figure.${figure} PROPERTIES FIXTURES_REQUIRED ${data} LABELS example)
endforeach()
