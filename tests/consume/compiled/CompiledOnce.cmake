# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# cmake -DNM=... -DOBJECT=... -P CompiledOnce.cmake: OBJECT defines no function that Sporos::compiled has.
execute_process(COMMAND "${NM}" -C --defined-only "${OBJECT}" OUTPUT_VARIABLE symbols COMMAND_ERROR_IS_FATAL ANY)
foreach(name SortKernels SpreadTile InterpolateTile build_plan greedy_coloring correlate_tiles correlate_basic)
  string(REGEX MATCH "[^\n]*::${name}[^\n]*" found "${symbols}")
  if(found)
    message(FATAL_ERROR "compiled again: ${found}")
  endif()
endforeach()
