# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# The compiler looks at each file in FOLDER, a folder in ALONE, with the flags that it has for LIKE in COMMANDS, a
# compile_commands.json. Each file in ALONE includes one header of the folders SOURCES.
include("${CMAKE_CURRENT_LIST_DIR}/../CompileCommand.cmake")

# A header with which another one begins is seen alone where that one is.
set(begin "")
file(GLOB_RECURSE files "${ALONE}/*.cpp")
foreach(path IN LISTS files)
  file(STRINGS "${path}" line)
  string(REGEX REPLACE "^#include <(.+)>$" "\\1" header "${line}")
  foreach(source IN LISTS SOURCES)
    if(EXISTS "${source}/${header}")
      file(STRINGS "${source}/${header}" lines REGEX "^ *#" LIMIT_COUNT 3)
      if(lines MATCHES "^#ifndef [A-Z0-9_]+;#define [A-Z0-9_]+;#include [<\"](.+)[>\"]$")
        list(APPEND begin "#include <${CMAKE_MATCH_1}>\n")
      endif()
    endif()
  endforeach()
endforeach()

compile_command(command "${COMMANDS}" "${LIKE}")
file(GLOB files "${FOLDER}/*.cpp")
foreach(path IN LISTS files)
  file(READ "${path}" text)
  list(FIND begin "${text}" seen)
  if(NOT seen EQUAL -1)
    continue()
  endif()
  execute_process(
    COMMAND ${command} -fsyntax-only "${path}"
    RESULT_VARIABLE result
    OUTPUT_VARIABLE said
    ERROR_VARIABLE said)
  if(NOT result EQUAL 0)
    message(SEND_ERROR "${text}does not compile alone:\n${said}")
  elseif(said)
    message("${said}")
  endif()
endforeach()
