# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# What Sporos' own executables are compiled with; the library's targets know nothing of it.
include_guard(GLOBAL)
include(CheckCXXCompilerFlag)

check_cxx_compiler_flag(-march=native Sporos_COMPILER_KNOWS_NATIVE)

# sporos_developer_target(TARGET NATIVE): the library, warnings, and code for this machine's processor if NATIVE is
# true. Whatever is linked together has the same: the width of Sporos' packs depends on it.
function(sporos_developer_target target native)
  target_link_libraries(${target} PRIVATE Sporos::sporos)
  target_compile_options(${target} PRIVATE -Wall -Wextra -Wpedantic -Wshadow)
  if(Kokkos_DEVICES MATCHES "CUDA" AND CMAKE_CXX_COMPILER MATCHES "nvcc")
    # nvcc drops the code behind a call of a host function in a kernel, constexpr or not, and only warns.
    target_compile_options(
      ${target} PRIVATE "SHELL:-Xcudafe --diag_error=20011,--diag_error=20012,--diag_error=20013,--diag_error=20014,--diag_error=20015")
  endif()
  if(Sporos_WARNINGS_AS_ERRORS)
    target_compile_options(${target} PRIVATE -Werror)
  endif()
  if(native AND Sporos_COMPILER_KNOWS_NATIVE)
    target_compile_options(${target} PRIVATE -march=native)
  endif()
endfunction()

# sporos_use_optional(TARGET PACKAGE...): links those that were found.
function(sporos_use_optional target)
  foreach(package IN LISTS ARGN)
    if(Sporos_${package}_FOUND)
      string(TOLOWER ${package} name)
      target_link_libraries(${target} PRIVATE Sporos::${name})
    endif()
  endforeach()
endfunction()
