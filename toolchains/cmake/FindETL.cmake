# ETL (Embedded Template Library, headers only). Hints: ETL_ROOT, CMAKE_PREFIX_PATH and the tree's own .deps.
# Defines the target ETL::ETL. The profile is left to the application, as ETL means it.
find_path(ETL_INCLUDE_DIR etl/version.h
  HINTS ${ETL_ROOT} $ENV{ETL_ROOT} ${PROJECT_SOURCE_DIR}/.deps/usr /usr
  PATH_SUFFIXES include
  NO_CMAKE_FIND_ROOT_PATH)
include(FindPackageHandleStandardArgs)
find_package_handle_standard_args(ETL REQUIRED_VARS ETL_INCLUDE_DIR)
mark_as_advanced(ETL_INCLUDE_DIR)

if(ETL_FOUND AND NOT TARGET ETL::ETL)
  add_library(ETL::ETL INTERFACE IMPORTED)
  # /usr/include is in every compiler's path; naming it again breaks the order of the C++ library's own headers.
  if(NOT ETL_INCLUDE_DIR STREQUAL "/usr/include" OR CMAKE_CROSSCOMPILING)
    target_include_directories(ETL::ETL SYSTEM INTERFACE ${ETL_INCLUDE_DIR})
  endif()
endif()
