# Figures of the examples. The first line of a figure names the example that writes its tables. `cmake --build .
# --target figures` runs these examples and writes tables and pictures to the folder figures of the build.
set(draw ${CMAKE_CURRENT_SOURCE_DIR}/figures/draw_figures.sh)
set(folder ${CMAKE_CURRENT_BINARY_DIR}/figures)
file(MAKE_DIRECTORY ${folder})
add_custom_target(figures)
set(drawn "")
file(GLOB descriptions CONFIGURE_DEPENDS figures/*.gp)
foreach(description IN LISTS descriptions)
  get_filename_component(figure ${description} NAME_WE)
  file(STRINGS ${description} data REGEX "^# data: " LIMIT_COUNT 1)
  if(NOT data)  # shared settings
    continue()
  endif()
  string(REPLACE "# data: " "" data "${data}")
  if(NOT data IN_LIST drawn)
    list(APPEND drawn ${data})
    add_custom_target(data.${data} COMMAND ${data} ${folder} USES_TERMINAL)
  endif()
  add_custom_target(figure.${figure} COMMAND ${draw} ${folder} ${folder} ${figure})
  add_dependencies(figure.${figure} data.${data})
  add_dependencies(figures figure.${figure})

  # The test of an example writes to the binary folder. Its figure is drawn twice; the bytes must be equal.
  set_tests_properties(example.${data} PROPERTIES FIXTURES_SETUP ${data})
  add_test(NAME figure.${figure} COMMAND ${draw} --twice ${CMAKE_CURRENT_BINARY_DIR} ${folder} ${figure})
  set_tests_properties(figure.${figure} PROPERTIES FIXTURES_REQUIRED ${data} LABELS example)
endforeach()
