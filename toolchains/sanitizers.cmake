# Address and undefined-behaviour sanitizers for the whole tree; what they find ends the program.
option(MOREAU_SANITIZE "Build with ASan and UBSan" OFF)
if(MOREAU_SANITIZE)
  add_compile_options(-fsanitize=address,undefined -fno-sanitize-recover=all -fno-omit-frame-pointer)
  add_link_options(-fsanitize=address,undefined)
  add_compile_definitions(flatten=unused)  # a step inlined as a whole takes the sanitizers minutes to compile, and shows them less
endif()
