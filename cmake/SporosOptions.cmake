# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# The options of the build. None changes the flags of projects that use the library: warnings and -march=native are for
# the tests, benchmarks and applications of Sporos (SporosDeveloper.cmake).

# A project that embeds Sporos gets the library alone, unless it asks for more.
option(Sporos_ENABLE_TESTS "Build the tests; BUILD_TESTING=OFF builds none either" ${PROJECT_IS_TOP_LEVEL})
if(DEFINED BUILD_TESTING AND NOT BUILD_TESTING)
  set(Sporos_ENABLE_TESTS OFF)
endif()
option(Sporos_ENABLE_PERF "Build the benchmarks and applications" ${PROJECT_IS_TOP_LEVEL})
option(Sporos_ENABLE_FUZZING "Build the fuzz targets, which need clang++" OFF)
option(Sporos_ENABLE_NATIVE "Compile benchmarks and applications for the processor of this machine" ${PROJECT_IS_TOP_LEVEL})
option(Sporos_TEST_NATIVE "Compile the tests for the processor of this machine" OFF)
option(Sporos_TEST_REDUCED "Test fewer types and delta functions, for slow builds" OFF)
option(Sporos_UNITY_BUILD "Compile several sources of tests and applications at once: three quarters of the time, up to 3.5 GB" OFF)
option(Sporos_TEST_CUFFT_STAND_IN "Link tests with a stand-in for cuFFT that needs FFTW instead of a GPU" OFF)
option(Sporos_ENABLE_CHECKS "Add checks that cost time: indices in kernels, promises, changed maps" OFF)
option(Sporos_WARNINGS_AS_ERRORS "Treat warnings in tests, benchmarks and applications as errors" OFF)

option(Sporos_ENABLE_INSTALL "Install Sporos" ${PROJECT_IS_TOP_LEVEL})
option(Sporos_ENABLE_COMPILED "Build Sporos::compiled, with which programs compile faster" OFF)
set(Sporos_COMPILED_DIMENSIONS
    2 3
    CACHE STRING "Dimensions of the grids in Sporos::compiled")
set(Sporos_COMPILED_REALS
    float double
    CACHE STRING "Number types of the grids in Sporos::compiled")
set(Sporos_COMPILED_DELTA_FUNCTIONS
    Hat2 Roma3 Cosine4 Peskin4 Bao6
    CACHE STRING "Delta functions in Sporos::compiled; BSpline<4> and the like, too")

set(Sporos_TEST_EXECUTION_SPACES
    ""
    CACHE STRING "Execution spaces that the tests run on, such as Serial;OpenMP (empty: all spaces of Kokkos)")
set(Sporos_TEST_SOURCES
    ""
    CACHE STRING "Regular expression of the sources in tests/core, algorithms, device and mpi that are tests, such as core/pack.*|core/lanes (empty: all)")
set(Sporos_TEST_EMULATOR
    ""
    CACHE PATH "Build folder of tests/cuda_on_cpu or tests/hip_on_cpu, which run the tests of a build for CUDA or HIP without a GPU")
set(Sporos_BOOTSTRAP_PREFIX
    ""
    CACHE PATH "Where cmake/bootstrap.sh has put Kokkos, which is taken if no other is named")
set(Sporos_REQUIRE_DEVICE
    ""
    CACHE STRING "Fail unless Kokkos has this device, such as CUDA (empty: accept any)")

# Optional packages: AUTO looks for them, ON requires them, OFF ignores them.
include(SporosOptional)
set(default OFF)
if(PROJECT_IS_TOP_LEVEL)
  set(default AUTO)
endif()
foreach(package IN LISTS Sporos_OPTIONAL_PACKAGES)
  set(Sporos_ENABLE_${package}
      ${default}
      CACHE STRING "Define the target of this package: AUTO (if found), ON (required) or OFF")
  set_property(CACHE Sporos_ENABLE_${package} PROPERTY STRINGS AUTO ON OFF)
endforeach()

if(PROJECT_IS_TOP_LEVEL AND NOT CMAKE_BUILD_TYPE AND NOT CMAKE_CONFIGURATION_TYPES)
  set(CMAKE_BUILD_TYPE
      Release
      CACHE STRING "Debug, Release, RelWithDebInfo or MinSizeRel" FORCE)
endif()
