# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

# add_device_programs(COMPILE [VARIABLE=VALUE...]): a test for each program in this folder and in tests of the executor, compiled by
# the command COMPILE and run with these variables; and one that finds instructions of tests/opcodes.txt in no good_ program.
function(add_device_programs compile)
  set(of_all "${CMAKE_CURRENT_FUNCTION_LIST_DIR}")
  file(GLOB programs CONFIGURE_DEPENDS tests/*.cu "${of_all}/*.cu")
  foreach(program IN LISTS programs)
    get_filename_component(name "${program}" NAME_WE)
    add_test(NAME ${name} COMMAND bash "${of_all}/run.sh" "${program}")
    if(name MATCHES "^good_")
      set_tests_properties(${name} PROPERTIES FIXTURES_SETUP compiled)
    endif()
  endforeach()
  list(FILTER programs INCLUDE REGEX "/good_[a-z_]*[.]cu$")
  add_test(NAME opcodes_covered COMMAND bash "${of_all}/covered.sh" "${PROJECT_SOURCE_DIR}/tests/opcodes.txt" ${programs})
  set_tests_properties(opcodes_covered PROPERTIES FIXTURES_REQUIRED compiled)
  get_property(names DIRECTORY PROPERTY TESTS)
  set_tests_properties(${names} PROPERTIES TIMEOUT 900 ENVIRONMENT
                                           "COMPILE=${compile};EXECUTOR_LIB=${PROJECT_BINARY_DIR}/lib;OUT=${PROJECT_BINARY_DIR}/tests;${ARGN}")
endfunction()
