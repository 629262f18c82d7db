# Finds unity.c of Unity (unit tests in C) and builds it. Debian ships it in the package cmock. Hints: Unity_ROOT,
# CMAKE_PREFIX_PATH and the tree's own .deps. Defines the target Unity::Unity; the caller configures it.
find_path(Unity_SOURCE_DIR unity.c
  HINTS ${Unity_ROOT} $ENV{Unity_ROOT} ${PROJECT_SOURCE_DIR}/.deps/usr /usr
  PATH_SUFFIXES share/cmock/vendor/unity/src vendor/unity/src unity/src src
  NO_CMAKE_FIND_ROOT_PATH)
include(FindPackageHandleStandardArgs)
find_package_handle_standard_args(Unity REQUIRED_VARS Unity_SOURCE_DIR
  REASON_FAILURE_MESSAGE "Run toolchains/setup, which installs all dependencies on Debian, or set Unity_ROOT.")
mark_as_advanced(Unity_SOURCE_DIR)

if(Unity_FOUND AND NOT TARGET Unity::Unity)
  add_library(unity STATIC ${Unity_SOURCE_DIR}/unity.c)
  target_include_directories(unity SYSTEM PUBLIC ${Unity_SOURCE_DIR})
  add_library(Unity::Unity ALIAS unity)
endif()
