# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# COMMANDS: a compile_commands.json with an entry for LIKE, whose flags are taken; FOLDER: what is refused, and accepted.cpp.

include("${CMAKE_CURRENT_LIST_DIR}/../CompileCommand.cmake")
compile_command(command "${COMMANDS}" "${LIKE}")

function(refuse name)
  execute_process(
    COMMAND ${command} -w -fsyntax-only "${FOLDER}/${name}.cpp"
    RESULT_VARIABLE result
    OUTPUT_VARIABLE said
    ERROR_VARIABLE said)
  set(result ${result} PARENT_SCOPE)
  set(said "${said}" PARENT_SCOPE)
endfunction()

refuse(accepted)
if(NOT result EQUAL 0)
  message(FATAL_ERROR "accepted.cpp does not compile:\n${said}")
endif()

file(GLOB files "${FOLDER}/*.cpp")
list(REMOVE_ITEM files "${FOLDER}/accepted.cpp")
foreach(path IN LISTS files)
  get_filename_component(name "${path}" NAME_WE)
  file(STRINGS "${path}" first LIMIT_COUNT 1)
  if(NOT first MATCHES "^// expects: (.+)$")
    message(FATAL_ERROR "${name}.cpp does not begin with // expects:")
  endif()
  set(expected "${CMAKE_MATCH_1}")
  refuse(${name})
  string(FIND "${said}" "${expected}" at)
  if(result EQUAL 0)
    message(SEND_ERROR "${name}.cpp compiles")
  elseif(at EQUAL -1)
    message(SEND_ERROR "${name}.cpp: expected the text\n  ${expected}\ngot\n${said}")
  else()
    message(STATUS "${name}: refused")
  endif()
endforeach()
