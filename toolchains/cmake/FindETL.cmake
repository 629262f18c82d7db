# Finds ETL (Embedded Template Library, headers only). Hints: ETL_ROOT, CMAKE_PREFIX_PATH and the tree's own .deps.
# Defines the target ETL::ETL. The application chooses ETL's profile.
find_path(ETL_INCLUDE_DIR etl/version.h
  HINTS ${ETL_ROOT} $ENV{ETL_ROOT} ${PROJECT_SOURCE_DIR}/.deps/usr /usr
  PATH_SUFFIXES include
  NO_CMAKE_FIND_ROOT_PATH)
include(FindPackageHandleStandardArgs)
find_package_handle_standard_args(ETL REQUIRED_VARS ETL_INCLUDE_DIR
  REASON_FAILURE_MESSAGE "Run toolchains/setup, which installs all dependencies on Debian, or set ETL_ROOT.")
mark_as_advanced(ETL_INCLUDE_DIR)

if(ETL_FOUND AND NOT TARGET ETL::ETL)
  add_library(ETL::ETL INTERFACE IMPORTED)
  # /usr/include itself must not be an include path: it would precede the C library of the compiler. A link to ETL's
  # folder is safe.
  set(_etl_include ${ETL_INCLUDE_DIR})
  if(ETL_INCLUDE_DIR STREQUAL "/usr/include")
    set(_etl_include ${CMAKE_BINARY_DIR}/etl_include)
    file(MAKE_DIRECTORY ${_etl_include})
    file(CREATE_LINK ${ETL_INCLUDE_DIR}/etl ${_etl_include}/etl SYMBOLIC)
  endif()
  target_include_directories(ETL::ETL SYSTEM INTERFACE ${_etl_include})
endif()
