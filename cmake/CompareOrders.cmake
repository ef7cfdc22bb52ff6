# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# cmake -DPROGRAM=... -P CompareOrders.cmake: runs PROGRAM on an emulated device (tests/cuda_on_cpu) with blocks, warps and
# lanes in their usual order and in random orders, and compares what it prints.

set(reference "")
foreach(order "" random:1 random:2 random:3)
  execute_process(
    COMMAND ${CMAKE_COMMAND} -E env PTXRUN_ORDER=${order} "${PROGRAM}"
    OUTPUT_VARIABLE output
    ERROR_VARIABLE errors
    RESULT_VARIABLE status)
  if(NOT status EQUAL 0)
    message(FATAL_ERROR "in order '${order}': ${status}\n${output}\n${errors}")
  endif()
  string(REGEX MATCHALL "\n" lines "${output}")
  list(LENGTH lines lines)
  if(lines EQUAL 0)
    message(FATAL_ERROR "in order '${order}' nothing was printed to compare")
  endif()
  if(order STREQUAL "")
    set(reference "${output}")
  elseif(NOT output STREQUAL reference)
    message(FATAL_ERROR "not the same bits\nin the usual order:\n${reference}\nin order ${order}:\n${output}")
  endif()
  message(STATUS "order '${order}': ${lines} lines, the same")
endforeach()
