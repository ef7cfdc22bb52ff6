# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# cmake -DPROGRAM=... -DEXPECTED=... -P CompareOutput.cmake: PROGRAM prints what the file EXPECTED holds; numbers of
# bytes may differ.
execute_process(COMMAND "${PROGRAM}" OUTPUT_VARIABLE output RESULT_VARIABLE status)
if(NOT status EQUAL 0)
  message(FATAL_ERROR "${PROGRAM}: ${status}\n${output}")
endif()
file(READ "${EXPECTED}" expected)
foreach(text output expected)
  string(REGEX REPLACE "[0-9]+ bytes" "N bytes" ${text} "${${text}}")
endforeach()
if(NOT output STREQUAL expected)
  message(FATAL_ERROR "${PROGRAM} prints\n${output}\nthe page says\n${expected}")
endif()
