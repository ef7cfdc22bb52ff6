# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# cmake -DPROGRAM=... -DVARIABLE=NAME -DVALUES=value,... -P CompareRuns.cmake: runs PROGRAM with each value of an environment
# variable and compares what it prints. Lines that begin with # are not compared; "# threads: N" tells the threads of a run.

string(REPLACE "," ";" values "${VALUES}")
list(GET values 0 usual)
set(threads_seen "")
foreach(value IN LISTS values)
  execute_process(
    COMMAND ${CMAKE_COMMAND} -E env ${VARIABLE}=${value} "${PROGRAM}"
    OUTPUT_VARIABLE output
    ERROR_VARIABLE errors
    RESULT_VARIABLE status)
  if(NOT status EQUAL 0)
    message(FATAL_ERROR "with ${VARIABLE}=${value}: ${status}\n${output}\n${errors}")
  endif()
  if(output MATCHES "# threads: ([0-9]+)\n")
    list(APPEND threads_seen ${CMAKE_MATCH_1})
  endif()
  string(REGEX REPLACE "#[^\n]*\n" "" output "${output}")
  string(REGEX MATCHALL "\n" lines "${output}")
  list(LENGTH lines lines)
  if(lines EQUAL 0)
    message(FATAL_ERROR "with ${VARIABLE}=${value} nothing was printed to compare")
  endif()
  if(NOT DEFINED reference)
    set(reference "${output}")
  elseif(NOT output STREQUAL reference)
    message(FATAL_ERROR "not the same bits\nwith ${VARIABLE}=${usual}:\n${reference}\nwith ${VARIABLE}=${value}:\n${output}")
  endif()
  message(STATUS "${VARIABLE}=${value}: ${lines} lines, the same")
endforeach()

# All runs with one thread (Serial alone), or each with what it was asked for.
list(REMOVE_DUPLICATES threads_seen)
if(VARIABLE STREQUAL "OMP_NUM_THREADS" AND NOT threads_seen STREQUAL values AND NOT threads_seen STREQUAL "1")
  message(FATAL_ERROR "the program did not run with ${VALUES} threads but with: ${threads_seen}")
endif()
