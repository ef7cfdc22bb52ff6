# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# The compiler looks at each file in FOLDER, with the flags that it has for LIKE in COMMANDS, a compile_commands.json.
include("${CMAKE_CURRENT_LIST_DIR}/../CompileCommand.cmake")

compile_command(command "${COMMANDS}" "${LIKE}")
file(GLOB files "${FOLDER}/*.cpp")
foreach(path IN LISTS files)
  execute_process(
    COMMAND ${command} -fsyntax-only "${path}"
    RESULT_VARIABLE result
    OUTPUT_VARIABLE said
    ERROR_VARIABLE said)
  if(NOT result EQUAL 0)
    file(READ "${path}" text)
    message(SEND_ERROR "${text}does not compile alone:\n${said}")
  elseif(said)
    message("${said}")
  endif()
endforeach()
