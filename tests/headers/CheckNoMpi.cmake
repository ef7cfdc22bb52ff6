# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Only the headers in ROOT/algorithms/src whose names match MPI may include mpi.h, or headers that match: programs that do
# not ask for MPI must compile without it.
set(failed OFF)
foreach(folder core/src algorithms/src)
  file(
    GLOB_RECURSE headers
    RELATIVE "${ROOT}/${folder}"
    "${ROOT}/${folder}/*.hpp")
  foreach(header IN LISTS headers)
    if(header MATCHES "${MPI}")
      continue()
    endif()
    file(STRINGS "${ROOT}/${folder}/${header}" includes REGEX "^#include <")
    foreach(include IN LISTS includes)
      string(REGEX REPLACE "^#include <(.*)>.*" "\\1" name "${include}")
      if(name MATCHES "${MPI}|^mpi")
        message("${folder}/${header} includes ${name}")
        set(failed ON)
      endif()
    endforeach()
  endforeach()
endforeach()
if(failed)
  message(FATAL_ERROR "these headers are not those of distributed meshes and grids")
endif()
