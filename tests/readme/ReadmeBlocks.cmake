# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# The fenced blocks of Markdown files. The words after the fence say what a block is:
#   cpp program NAME     a complete program
#   cpp mpi NAME         a complete program for several MPI ranks
#   cpp fragment NAME    included where a test says so
#   cmake project NAME   a complete CMakeLists.txt
#   text output NAME     what the program or fragment NAME prints
# Other C++ and CMake blocks are errors, so that none goes untested; blocks of other languages are left alone.

# readme_blocks(FOLDER MARKDOWN...): writes FOLDER/<kind>/<NAME>.<suffix> and sets README_<KIND>S to the names, each of which stands
# in one file only.
function(readme_blocks folder)
  set(program_suffix cpp)
  set(mpi_suffix cpp)
  set(fragment_suffix inc)
  set(project_suffix cmake)
  set(output_suffix txt)
  foreach(kind program mpi fragment project output)
    set(${kind}_names "")
  endforeach()

  foreach(markdown IN LISTS ARGN)
    file(READ "${markdown}" text)
    if(text MATCHES "\n[ \t]+```")
      message(FATAL_ERROR "${markdown}: an indented fence; this reader wants fences to begin a line")
    endif()
    while(TRUE)
      string(FIND "${text}" "\n```" fence)
      if(fence EQUAL -1)
        break()
      endif()
      math(EXPR fence "${fence} + 4")
      string(SUBSTRING "${text}" ${fence} -1 text)
      string(FIND "${text}" "\n" line_end)
      string(SUBSTRING "${text}" 0 ${line_end} info)
      string(FIND "${text}" "\n```" fence)
      if(fence LESS line_end)
        message(FATAL_ERROR "${markdown}: the block '${info}' has no end or no contents")
      endif()
      math(EXPR begin "${line_end} + 1")
      math(EXPR length "${fence} + 1 - ${begin}")
      string(SUBSTRING "${text}" ${begin} ${length} block)
      math(EXPR fence "${fence} + 4")
      string(SUBSTRING "${text}" ${fence} -1 text)

      if(info MATCHES "^(cpp program|cpp mpi|cpp fragment|cmake project|text output) ([a-z0-9_]+)$")
        set(name ${CMAKE_MATCH_2})
        string(REGEX REPLACE ".* " "" kind "${CMAKE_MATCH_1}")
        if(name IN_LIST ${kind}_names)
          message(FATAL_ERROR "${markdown}: two blocks '${info}'")
        endif()
        list(APPEND ${kind}_names ${name})
        readme_write("${folder}/${kind}/${name}.${${kind}_suffix}" "${block}")
      elseif(info MATCHES "^(cpp|c\\+\\+|cmake|cxx)")
        message(FATAL_ERROR "${markdown}: the block '${info}' does not say what it is; see ReadmeBlocks.cmake")
      endif()
    endwhile()
  endforeach()

  set(README_PROGRAMS ${program_names} PARENT_SCOPE)
  set(README_MPIS ${mpi_names} PARENT_SCOPE)
  set(README_FRAGMENTS ${fragment_names} PARENT_SCOPE)
  set(README_PROJECTS ${project_names} PARENT_SCOPE)
  set(README_OUTPUTS ${output_names} PARENT_SCOPE)
endfunction()

# Writes only what changed, so that nothing is compiled again without need.
function(readme_write path content)
  if(EXISTS "${path}")
    file(READ "${path}" old)
    if(old STREQUAL content)
      return()
    endif()
  endif()
  file(WRITE "${path}" "${content}")
endfunction()
