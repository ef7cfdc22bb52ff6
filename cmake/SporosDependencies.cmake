# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Finds Kokkos and the optional packages.

if(NOT TARGET Kokkos::kokkos)
  # The command line wins over the environment: Kokkos_DIR, Kokkos_ROOT, CMAKE_PREFIX_PATH.
  if(CMAKE_PREFIX_PATH AND NOT Kokkos_ROOT)
    find_package(Kokkos QUIET PATHS ${CMAKE_PREFIX_PATH} NO_DEFAULT_PATH)
  endif()
  if(NOT Kokkos_FOUND)
    find_package(Kokkos QUIET HINTS ${Sporos_BOOTSTRAP_PREFIX})
  endif()
elseif(NOT Kokkos_VERSION AND Kokkos_SOURCE_DIR) # a folder of this project
  get_directory_property(Kokkos_VERSION DIRECTORY "${Kokkos_SOURCE_DIR}" DEFINITION Kokkos_VERSION)
  get_directory_property(Kokkos_DEVICES DIRECTORY "${Kokkos_SOURCE_DIR}" DEFINITION KOKKOS_ENABLED_DEVICES)
endif()
set(Sporos_KOKKOS_PLACE "${Kokkos_DIR}")
if(NOT Kokkos_DIR)
  set(Sporos_KOKKOS_PLACE "this project ${Kokkos_SOURCE_DIR}")
endif()
sporos_refuse_kokkos(reason "${Sporos_KOKKOS_PLACE}")
if(reason)
  message(
    FATAL_ERROR
      "Sporos needs Kokkos 3.4 or newer. ${reason} Name one: -DKokkos_ROOT=/where/it/is, or Kokkos_ROOT=/where/it/is in "
      "the environment; or run cmake/bootstrap.sh in a clone of Sporos and configure with a preset (cmake --preset openmp).")
endif()
if(Sporos_REQUIRE_DEVICE AND NOT Sporos_REQUIRE_DEVICE IN_LIST Kokkos_DEVICES)
  message(FATAL_ERROR "The Kokkos in ${Sporos_KOKKOS_PLACE} has ${Kokkos_DEVICES}, not ${Sporos_REQUIRE_DEVICE}; name one that has "
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
      message(FATAL_ERROR "Sporos_ENABLE_${package} is ${Sporos_ENABLE_${package}}, but it was not found: ${Sporos_${package}_REASON}")
    endif()
  endif()
endforeach()

if(Sporos_ENABLE_TESTS)
  find_package(Catch2 QUIET)
  if(NOT Catch2_FOUND)
    message(WARNING "Catch2 2.13 or 3 was not found (cmake/bootstrap.sh installs it): no tests are built. ${Catch2_NOT_FOUND_MESSAGE}")
    set(Sporos_ENABLE_TESTS OFF)
  endif()
endif()
if(Sporos_ENABLE_PERF)
  find_package(benchmark QUIET)
  find_package(PNG QUIET)
  find_package(TIFF QUIET)
  sporos_find_library(CAIRO cairo.h LIBRARIES cairo ROOTS CAIRO FOLDERS cairo)
  find_package(CLI11 QUIET)
endif()
