# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# What can be chosen. Nothing here changes flags of the library's users: warnings and -march=native are for
# Sporos' own tests, benchmarks and applications (SporosDeveloper.cmake).

option(Sporos_ENABLE_TESTS "Build the tests" ${PROJECT_IS_TOP_LEVEL})
option(Sporos_ENABLE_PERF "Build the benchmarks and applications" ${PROJECT_IS_TOP_LEVEL})
option(Sporos_ENABLE_FUZZING "Build the fuzz targets, which need clang++" OFF)
option(Sporos_ENABLE_NATIVE "Compile benchmarks and applications for this machine's processor" ${PROJECT_IS_TOP_LEVEL})
option(Sporos_TEST_NATIVE "Compile the tests for this machine's processor" OFF)
option(Sporos_TEST_REDUCED "Test fewer types and delta functions, where compiling or running takes long" OFF)
option(Sporos_TEST_CUFFT_STAND_IN "Link tests with a stand-in for cuFFT that needs FFTW instead of a GPU" OFF)
option(Sporos_ENABLE_CHECKS "Check in loops what costs time: indices in kernels, promises, maps that changed" OFF)
option(Sporos_WARNINGS_AS_ERRORS "Treat warnings in tests, benchmarks and applications as errors" OFF)

set(Sporos_TEST_EXECUTION_SPACES
    ""
    CACHE STRING "Execution spaces that the tests run on, such as Serial;OpenMP (empty: all that Kokkos has)")
set(Sporos_TEST_EMULATOR
    ""
    CACHE PATH "Build folder of tests/cuda_on_cpu: the tests of a CUDA build run on it, without a GPU")
set(Sporos_REQUIRE_DEVICE
    ""
    CACHE STRING "Fail unless Kokkos has this device, such as CUDA (empty: take what Kokkos has)")

# Optional packages: AUTO looks for them, ON insists, OFF does not look.
include(SporosOptional)
foreach(package IN LISTS Sporos_OPTIONAL_PACKAGES)
  set(Sporos_ENABLE_${package}
      AUTO
      CACHE STRING "Offer this package as a target: AUTO, ON or OFF")
  set_property(CACHE Sporos_ENABLE_${package} PROPERTY STRINGS AUTO ON OFF)
endforeach()

if(PROJECT_IS_TOP_LEVEL AND NOT CMAKE_BUILD_TYPE AND NOT CMAKE_CONFIGURATION_TYPES)
  set(CMAKE_BUILD_TYPE
      Release
      CACHE STRING "Debug, Release, RelWithDebInfo or MinSizeRel" FORCE)
endif()
