# Writes a hash of solvers, acceptance test, problems and rules of the test. Runs of solvers.differential with
# different hashes must not be mixed.
#   cmake -DLIB=.. -DTESTS=.. -DOUT=solvers_code.hpp -P code.cmake
file(GLOB sources ${LIB}/moreau/solve/*.hpp ${LIB}/moreau/math/*.hpp ${TESTS}/*.hpp)
foreach(header IN ITEMS closed_contact contact_problem judge laws)
  list(APPEND sources ${LIB}/moreau/contact/${header}.hpp)
endforeach()
set(hashes "")
foreach(source IN LISTS sources)
  file(SHA256 ${source} hash)
  string(APPEND hashes ${hash})
endforeach()
string(SHA256 code "${hashes}")
string(SUBSTRING ${code} 0 16 code)
file(CONFIGURE OUTPUT ${OUT} CONTENT "constexpr const char* solvers_code = \"${code}\";\n")
