# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Finds Kokkos and the optional packages.

if(PROJECT_IS_TOP_LEVEL AND DEFINED ENV{CMAKE_PREFIX_PATH})
  # A Kokkos named in the environment takes precedence over the one of bootstrap.sh in the presets' prefix.
  file(TO_CMAKE_PATH "$ENV{CMAKE_PREFIX_PATH}" Sporos_ENVIRONMENT_PREFIXES)
  list(PREPEND CMAKE_PREFIX_PATH ${Sporos_ENVIRONMENT_PREFIXES})
endif()

if(NOT TARGET Kokkos::kokkos)
  find_package(Kokkos QUIET)
  if(NOT Kokkos_FOUND)
    message(
      FATAL_ERROR
        "Sporos needs Kokkos 3.4 or newer. Name one: -DKokkos_ROOT=/where/it/is, or Kokkos_ROOT=/where/it/is in "
        "the environment; or run cmake/bootstrap.sh in a clone of Sporos and configure with a preset (cmake --preset openmp).")
  endif()
endif()
if(Kokkos_VERSION AND Kokkos_VERSION VERSION_LESS 3.4)
  message(FATAL_ERROR "Sporos needs Kokkos 3.4 or newer; ${Kokkos_DIR} holds ${Kokkos_VERSION}")
endif()
if(Sporos_REQUIRE_DEVICE AND NOT Sporos_REQUIRE_DEVICE IN_LIST Kokkos_DEVICES)
  message(FATAL_ERROR "The Kokkos in ${Kokkos_DIR} has ${Kokkos_DEVICES}, not ${Sporos_REQUIRE_DEVICE}; name one that has "
                      "it: Kokkos_ROOT=/where/it/is in the environment.")
endif()

foreach(package IN LISTS Sporos_OPTIONAL_PACKAGES)
  set(Sporos_${package}_FOUND OFF)
  if(package IN_LIST Sporos_PACKAGES_WITH_MPI AND NOT Sporos_ENABLE_MPI)
    if(Sporos_ENABLE_${package} AND NOT Sporos_ENABLE_${package} STREQUAL "AUTO")
      message(FATAL_ERROR "Sporos_ENABLE_${package} is ${Sporos_ENABLE_${package}}, which needs MPI, but Sporos_ENABLE_MPI is OFF")
    endif()
  elseif(Sporos_ENABLE_${package})
    sporos_find_optional(${package})
    if(NOT Sporos_${package}_FOUND AND NOT Sporos_ENABLE_${package} STREQUAL "AUTO")
      message(FATAL_ERROR "Sporos_ENABLE_${package} is ${Sporos_ENABLE_${package}}, but it was not found")
    endif()
  endif()
endforeach()

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
  find_path(Sporos_CAIRO_INCLUDE_DIR cairo.h PATH_SUFFIXES cairo)
  find_library(Sporos_CAIRO_LIBRARY cairo)
  mark_as_advanced(Sporos_CAIRO_INCLUDE_DIR Sporos_CAIRO_LIBRARY)
  find_package(CLI11 QUIET)
endif()
