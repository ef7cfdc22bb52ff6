# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# cmake -DPROGRAM=... [-DARGUMENTS=...] -DTEXT=... -P ExpectAbort.cmake: the program must fail and print the text.
separate_arguments(ARGUMENTS NATIVE_COMMAND "${ARGUMENTS}")
execute_process(COMMAND "${PROGRAM}" ${ARGUMENTS} RESULT_VARIABLE result OUTPUT_VARIABLE text ERROR_VARIABLE text)
if(result EQUAL 0)
  message(FATAL_ERROR "${PROGRAM} should have failed; it printed: ${text}")
endif()
string(FIND "${text}" "${TEXT}" place)
if(place EQUAL -1)
  message(FATAL_ERROR "${PROGRAM} should have printed '${TEXT}'; it printed: ${text}")
endif()
