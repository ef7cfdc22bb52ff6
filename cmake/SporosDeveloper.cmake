# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Flags of the executables of Sporos. They are not part of the library's targets.
include_guard(GLOBAL)
include(CheckCXXCompilerFlag)

check_cxx_compiler_flag(-march=native Sporos_COMPILER_KNOWS_NATIVE)

# sporos_developer_target(TARGET NATIVE) links the library, enables warnings and, if NATIVE is true, compiles for the
# processor of this machine. Everything that is linked together needs the same flags: the width of packs depends on them.
function(sporos_developer_target target native)
  target_link_libraries(${target} PRIVATE Sporos::sporos)
  target_compile_options(${target} PRIVATE -Wall -Wextra -Wpedantic -Wshadow)
  if(Kokkos_DEVICES MATCHES "CUDA" AND CMAKE_CXX_COMPILER MATCHES "nvcc")
    # If a kernel calls a host function, constexpr or not, nvcc drops the code after the call and only warns.
    target_compile_options(
      ${target} PRIVATE "SHELL:-Xcudafe --diag_error=20011,--diag_error=20012,--diag_error=20013,--diag_error=20014,--diag_error=20015")
  endif()
  if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU" AND NOT Kokkos_DEVICES MATCHES "CUDA|HIP|SYCL")
    # g++ searches its memory for what it may free from 128 MiB on, which takes 6 % of its time, instead of from 1 GB on.
    target_compile_options(${target} PRIVATE --param=ggc-min-heapsize=1000000)
  endif()
  if(Sporos_WARNINGS_AS_ERRORS)
    target_compile_options(${target} PRIVATE -Werror)
  endif()
  if(native AND Sporos_COMPILER_KNOWS_NATIVE)
    target_compile_options(${target} PRIVATE -march=native)
  endif()
endfunction()

# sporos_unity(TARGET): compiles several sources of TARGET at once where Sporos_UNITY_BUILD wants it. They share what they
# instantiate; each needs a namespace of its own, or names that no other has.
function(sporos_unity target)
  set(at_once 8)
  if(NOT CMAKE_BUILD_TYPE STREQUAL "Release") # sanitizers and coverage take more memory
    set(at_once 4)
  endif()
  set_target_properties(${target} PROPERTIES UNITY_BUILD ${Sporos_UNITY_BUILD} UNITY_BUILD_BATCH_SIZE ${at_once})
endfunction()

# sporos_use_optional(TARGET PACKAGE...) links the targets of those packages that were found.
function(sporos_use_optional target)
  foreach(package IN LISTS ARGN)
    if(Sporos_${package}_FOUND)
      string(TOLOWER ${package} name)
      target_link_libraries(${target} PRIVATE Sporos::${name})
    endif()
  endforeach()
endfunction()

# sporos_find_kokkos_kernels() looks for Kokkos Kernels, which must have been built for the same Kokkos: the one beside it comes
# first, unless another is named. Sets Sporos_KOKKOSKERNELS_FITS.
macro(sporos_find_kokkos_kernels)
  if(Kokkos_DIR AND NOT KokkosKernels_ROOT AND NOT DEFINED ENV{KokkosKernels_ROOT})
    find_package(KokkosKernels QUIET PATHS "${Kokkos_DIR}/../../.." NO_DEFAULT_PATH)
  endif()
  if(NOT KokkosKernels_FOUND)
    find_package(KokkosKernels QUIET)
  endif()
  string(REGEX MATCH "^[0-9]+[.][0-9]+" Sporos_KOKKOSKERNELS_RELEASE "${KokkosKernels_VERSION}")
  set(Sporos_KOKKOSKERNELS_FITS OFF)
  if(KokkosKernels_FOUND AND (NOT Kokkos_VERSION OR "${Kokkos_VERSION}." MATCHES "^${Sporos_KOKKOSKERNELS_RELEASE}[.]"))
    set(Sporos_KOKKOSKERNELS_FITS ON)
  endif()
endmacro()
