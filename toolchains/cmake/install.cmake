# Installed package: headers, ports as sources, CMake and pkg-config files, in one tree for host and controllers.
#
#   include/moreau                     lib/moreau
#   share/moreau/ports                 sources of the ports, compiled by the user's project
#   share/moreau/toolchains            the Arm toolchain file
#   share/cmake/moreau, share/pkgconfig
#
# Folders are installed as a whole, so no list of headers needs maintenance.
include(CMakePackageConfigHelpers)
install(DIRECTORY lib/moreau DESTINATION include FILES_MATCHING PATTERN "*.hpp")
install(DIRECTORY ports DESTINATION share/moreau PATTERN plot EXCLUDE)
install(FILES toolchains/arm-none-eabi.cmake DESTINATION share/moreau/toolchains)
install(FILES LICENSE DESTINATION share/moreau)

set(config_dir share/cmake/moreau)
install(TARGETS moreau EXPORT moreauTargets)
install(EXPORT moreauTargets NAMESPACE moreau:: DESTINATION ${config_dir})
set(ports_dir share/moreau/ports)
configure_package_config_file(toolchains/cmake/moreauConfig.cmake.in moreauConfig.cmake
  INSTALL_DESTINATION ${config_dir} PATH_VARS ports_dir)
write_basic_package_version_file(moreauConfigVersion.cmake COMPATIBILITY SameMinorVersion ARCH_INDEPENDENT)
install(FILES ${CMAKE_CURRENT_BINARY_DIR}/moreauConfig.cmake ${CMAKE_CURRENT_BINARY_DIR}/moreauConfigVersion.cmake
  DESTINATION ${config_dir})

foreach(name moreau moreau-port)
  configure_file(toolchains/cmake/${name}.pc.in ${name}.pc @ONLY)
  install(FILES ${CMAKE_CURRENT_BINARY_DIR}/${name}.pc DESTINATION share/pkgconfig)
endforeach()
