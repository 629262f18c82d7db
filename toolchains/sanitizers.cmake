# Address and undefined-behaviour sanitizers for the whole tree; any finding ends the program.
option(MOREAU_SANITIZE "Build with ASan and UBSan" OFF)
if(MOREAU_SANITIZE)
  # Checks of null and alignment at every reference would double the compile time: ASan also stops an access through
  # null, and the boards fault on misaligned ones. ASan detects accesses beyond an object, and there are no virtual
  # functions. Sanitizer checks as calls and no forced inlining halve the compile time again.
  add_compile_options(-fsanitize=address,undefined -fno-sanitize=null,alignment,object-size,vptr
    -fno-sanitize-recover=all -fno-omit-frame-pointer
    $<$<CXX_COMPILER_ID:GNU>:--param=asan-instrumentation-with-call-threshold=0>)
  add_link_options(-fsanitize=address,undefined)
  find_program(MOREAU_LLD ld.lld)  # links the sanitizers' runtime in a third of ld's time
  if(MOREAU_LLD AND CMAKE_CXX_COMPILER_ID MATCHES Clang)
    add_link_options(-fuse-ld=lld)
  endif()
  # ASan does not detect an index out of an array but inside its struct; the assertions of std::array do.
  add_compile_definitions(MOREAU_FLATTEN= always_inline=unused _GLIBCXX_ASSERTIONS)
endif()
