# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# cmake -DPROGRAM=... -P CompareThreadCounts.cmake: runs PROGRAM with several numbers of OpenMP threads and
# compares what it prints. A line "# threads: N" says how many it really had and is not compared.

set(reference_threads "")
set(thread_counts_seen "")
foreach(threads 1 2 3 4 8)
  execute_process(
    COMMAND ${CMAKE_COMMAND} -E env OMP_NUM_THREADS=${threads} "${PROGRAM}"
    OUTPUT_VARIABLE output
    ERROR_VARIABLE errors
    RESULT_VARIABLE status)
  if(NOT status EQUAL 0)
    message(FATAL_ERROR "with ${threads} threads: ${status}\n${output}\n${errors}")
  endif()
  if(output MATCHES "# threads: ([0-9]+)\n")
    list(APPEND thread_counts_seen ${CMAKE_MATCH_1})
  endif()
  string(REGEX REPLACE "#[^\n]*\n" "" output "${output}")
  string(REGEX MATCHALL "\n" lines "${output}")
  list(LENGTH lines lines)
  if(lines EQUAL 0)
    message(FATAL_ERROR "with ${threads} threads nothing was printed to compare")
  endif()
  if(reference_threads STREQUAL "")
    set(reference_threads ${threads})
    set(reference "${output}")
  elseif(NOT output STREQUAL reference)
    message(FATAL_ERROR "not the same bits\nwith ${reference_threads} threads:\n${reference}\nwith ${threads} threads:\n${output}")
  endif()
  message(STATUS "${threads} threads: ${lines} lines, the same")
endforeach()

# All runs with one thread (Serial alone), or each with what it was asked for.
list(REMOVE_DUPLICATES thread_counts_seen)
if(NOT thread_counts_seen STREQUAL "1;2;3;4;8" AND NOT thread_counts_seen STREQUAL "1")
  message(FATAL_ERROR "the program did not run with 1, 2, 3, 4 and 8 threads but with: ${thread_counts_seen}")
endif()
