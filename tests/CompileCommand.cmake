# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

# compile_command(VARIABLE COMMANDS FILE): how FILE is compiled by COMMANDS, a compile_commands.json, as a list without the
# source and the object.
function(compile_command variable commands_file source)
  file(READ "${commands_file}" commands)
  string(JSON count LENGTH "${commands}")
  math(EXPR last "${count} - 1")
  foreach(k RANGE ${last})
    string(JSON file GET "${commands}" ${k} file)
    if(file STREQUAL source)
      string(JSON line GET "${commands}" ${k} command)
      separate_arguments(command UNIX_COMMAND "${line}")
      foreach(option -o -c) # and what follows them
        list(FIND command ${option} at)
        list(REMOVE_AT command ${at})
        list(REMOVE_AT command ${at})
      endforeach()
      set(${variable} "${command}" PARENT_SCOPE)
      return()
    endif()
  endforeach()
  message(FATAL_ERROR "${commands_file} does not tell how to compile ${source}")
endfunction()
