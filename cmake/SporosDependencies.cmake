# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Kokkos, and what tests and benchmarks use when it is there.

if(PROJECT_IS_TOP_LEVEL AND DEFINED ENV{CMAKE_PREFIX_PATH})
  # A Kokkos that the environment names wins over the one that bootstrap.sh put in the presets' prefix.
  file(TO_CMAKE_PATH "$ENV{CMAKE_PREFIX_PATH}" Sporos_ENVIRONMENT_PREFIXES)
  list(PREPEND CMAKE_PREFIX_PATH ${Sporos_ENVIRONMENT_PREFIXES})
endif()

if(NOT TARGET Kokkos::kokkos)
  find_package(Kokkos QUIET)
  if(NOT Kokkos_FOUND)
    message(
      FATAL_ERROR
        "Sporos needs Kokkos 3.4 or newer. Run cmake/bootstrap.sh and configure with a preset (cmake --preset openmp), "
        "or name a Kokkos: -DCMAKE_PREFIX_PATH=/where/it/is or Kokkos_ROOT=/where/it/is in the environment.")
  endif()
endif()
if(Kokkos_VERSION AND Kokkos_VERSION VERSION_LESS 3.4)
  message(FATAL_ERROR "Sporos needs Kokkos 3.4 or newer; ${Kokkos_DIR} holds ${Kokkos_VERSION}")
endif()
if(Sporos_REQUIRE_DEVICE AND NOT Sporos_REQUIRE_DEVICE IN_LIST Kokkos_DEVICES)
  message(FATAL_ERROR "The Kokkos in ${Kokkos_DIR} has ${Kokkos_DEVICES}, not ${Sporos_REQUIRE_DEVICE}; name one that has "
                      "it: Kokkos_ROOT=/where/it/is in the environment.")
endif()

# sporos_optional(NAME TARGET HEADER LIBRARY): Sporos_HAVE_<NAME>, and the imported TARGET when HEADER and LIBRARY
# were found; sporos_optional(NAME PACKAGE): for a package of Kokkos' family, of Kokkos' own release.
function(sporos_optional name target)
  set(Sporos_HAVE_${name} OFF PARENT_SCOPE)
  if(NOT Sporos_ENABLE_${name})
    return()
  endif()
  if(ARGC EQUAL 2)
    find_package(${target} QUIET HINTS "${Kokkos_DIR}/../../..")
    set(found ${${target}_FOUND})
    # One that was built for another Kokkos is of no use.
    string(REGEX MATCH "^[0-9]+[.][0-9]+" release "${${target}_VERSION}")
    if(found AND Kokkos_VERSION AND NOT "${Kokkos_VERSION}." MATCHES "^${release}[.]")
      set(found OFF)
    endif()
  else()
    find_path(Sporos_${name}_INCLUDE_DIR ${ARGV2})
    find_library(Sporos_${name}_LIBRARY ${ARGV3})
    mark_as_advanced(Sporos_${name}_INCLUDE_DIR Sporos_${name}_LIBRARY)
    if(Sporos_${name}_INCLUDE_DIR AND Sporos_${name}_LIBRARY)
      set(found ON)
      if(NOT TARGET ${target})
        add_library(${target} UNKNOWN IMPORTED)
        set_target_properties(${target} PROPERTIES IMPORTED_LOCATION "${Sporos_${name}_LIBRARY}" INTERFACE_INCLUDE_DIRECTORIES
                                                                                   "${Sporos_${name}_INCLUDE_DIR}")
      endif()
    endif()
  endif()
  if(found)
    set(Sporos_HAVE_${name} ON PARENT_SCOPE)
  elseif(NOT Sporos_ENABLE_${name} STREQUAL "AUTO")
    message(FATAL_ERROR "Sporos_ENABLE_${name} is ${Sporos_ENABLE_${name}}, but it was not found")
  endif()
endfunction()

if(Sporos_ENABLE_TESTS OR Sporos_ENABLE_PERF)
  sporos_optional(KOKKOSKERNELS KokkosKernels)
  sporos_optional(METIS Sporos::metis metis.h metis)
  sporos_optional(FFTW Sporos::fftw fftw3.h fftw3)
  if(Sporos_HAVE_FFTW) # in both precisions, or not at all
    find_library(Sporos_FFTWF_LIBRARY fftw3f)
    mark_as_advanced(Sporos_FFTWF_LIBRARY)
    if(Sporos_FFTWF_LIBRARY)
      set_property(TARGET Sporos::fftw APPEND PROPERTY INTERFACE_LINK_LIBRARIES "${Sporos_FFTWF_LIBRARY}")
    elseif(NOT Sporos_ENABLE_FFTW STREQUAL "AUTO")
      message(FATAL_ERROR "Sporos_ENABLE_FFTW is ${Sporos_ENABLE_FFTW}, but fftw3f was not found beside fftw3")
    else()
      set(Sporos_HAVE_FFTW OFF)
    endif()
  endif()
endif()

if(Sporos_ENABLE_TESTS)
  find_package(Catch2 QUIET)
  if(NOT Catch2_FOUND)
    message(FATAL_ERROR "The tests need Catch2 2.13 or 3 (cmake/bootstrap.sh installs it); or configure with "
                        "-DSporos_ENABLE_TESTS=OFF.")
  endif()
endif()
if(Sporos_ENABLE_PERF)
  find_package(benchmark QUIET)
  find_package(PNG QUIET)
endif()
