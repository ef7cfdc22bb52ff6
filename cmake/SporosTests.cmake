# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# How tests are added.
include_guard(GLOBAL)
include(SporosDeveloper)

# Threads that sleep while they wait: tests often run more threads than there are cores.
set(Sporos_TEST_ENVIRONMENT OMP_PROC_BIND=false OMP_WAIT_POLICY=passive)
# Tests ask for more memory than there is, and expect an exception.
list(APPEND Sporos_TEST_ENVIRONMENT ASAN_OPTIONS=allocator_may_return_null=1)
list(APPEND Sporos_TEST_ENVIRONMENT "LSAN_OPTIONS=suppressions=${PROJECT_SOURCE_DIR}/tests/leaks.txt:print_suppressions=0")
if(Sporos_TEST_EMULATOR) # libcudart and libcuda, or libamdhip64, take the place of those of CUDA or HIP
  list(APPEND Sporos_TEST_ENVIRONMENT "LD_LIBRARY_PATH=${Sporos_TEST_EMULATOR}/lib:$ENV{LD_LIBRARY_PATH}")
endif()

set(Sporos_TEST_PACKAGES ${Sporos_PACKAGES_WITHOUT_MPI})
if(Sporos_TEST_CUFFT_STAND_IN)
  list(REMOVE_ITEM Sporos_TEST_PACKAGES CUFFT)
endif()

# Several ranks on few cores, in containers and as root; other MPIs than Open MPI (4 and 5) take no notice.
set(Sporos_TEST_MPI_ENVIRONMENT
    ${Sporos_TEST_ENVIRONMENT}
    OMP_NUM_THREADS=1
    OMPI_ALLOW_RUN_AS_ROOT=1
    OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1
    OMPI_MCA_rmaps_base_oversubscribe=1
    OMPI_MCA_mpi_yield_when_idle=1
    OMPI_MCA_hwloc_base_binding_policy=none
    OMPI_MCA_btl_vader_single_copy_mechanism=none
    PRTE_ALLOW_RUN_AS_ROOT=1
    PRTE_ALLOW_RUN_AS_ROOT_CONFIRM=1
    PRTE_MCA_rmaps_default_mapping_policy=:oversubscribe
    PRTE_MCA_hwloc_default_binding_policy=none)
# MPI itself leaks.
list(TRANSFORM Sporos_TEST_MPI_ENVIRONMENT REPLACE "^(ASAN_OPTIONS=.*)" "\\1:detect_leaks=0")

# Can tests let the compiler look at files without making code of them?
set(Sporos_TEST_SYNTAX OFF)
if(CMAKE_GENERATOR MATCHES "Ninja|Makefiles" AND CMAKE_CXX_COMPILER_ID MATCHES "GNU|Clang" AND NOT Kokkos_DEVICES MATCHES
                                                                                              "CUDA|HIP|SYCL")
  set(Sporos_TEST_SYNTAX ON)
endif()

# Tests are not optimised, as most of the time of a build would go there; kernels of devices are (-O is for hosts with nvcc).
set(Sporos_TEST_PLAIN "")
if(CMAKE_CXX_COMPILER_ID MATCHES "GNU|Clang" AND (CMAKE_CXX_COMPILER MATCHES "nvcc" OR NOT Kokkos_DEVICES MATCHES "CUDA|HIP|SYCL"))
  set(Sporos_TEST_PLAIN -O0)
endif()

add_custom_target(sporos_tests) # everything that tests run
add_custom_target(sporos_unit_tests) # the Catch2 executables

# sporos_test_target(TARGET): what every executable of the tests has.
function(sporos_test_target target)
  add_dependencies(sporos_tests ${target})
  sporos_developer_target(${target} ${Sporos_TEST_NATIVE})
  sporos_use_optional(${target} ${Sporos_TEST_PACKAGES})
  target_compile_options(${target} PRIVATE ${Sporos_TEST_PLAIN})
  if(TARGET sporos_cufft_stand_in)
    target_link_libraries(${target} PRIVATE sporos_cufft_stand_in)
  endif()
  target_include_directories(${target} PRIVATE "${PROJECT_SOURCE_DIR}/tests" "${PROJECT_SOURCE_DIR}/tests/algorithms")
  target_compile_definitions(${target} PRIVATE $<$<BOOL:${Sporos_TEST_REDUCED}>:SPOROS_TEST_REDUCED>
                                                 $<$<BOOL:${Sporos_TEST_EMULATOR}>:SPOROS_TEST_EMULATED>)
  if(Sporos_TEST_EXECUTION_SPACES)
    list(TRANSFORM Sporos_TEST_EXECUTION_SPACES PREPEND "Kokkos::" OUTPUT_VARIABLE spaces)
    list(JOIN spaces "," spaces)
    target_compile_definitions(${target} PRIVATE "SPOROS_TEST_EXECUTION_SPACES=${spaces}")
  endif()
endfunction()

# sporos_optimise(LEVEL SOURCE...): compiles the programs of these sources of tests with -O<LEVEL>, LEVEL at least 1. Those
# of the others are not optimised.
function(sporos_optimise level)
  set_source_files_properties(${ARGN} PROPERTIES Sporos_OPTIMISE ${level})
endfunction()

# sporos_source_level(VARIABLE SOURCE): the LEVEL of a source, 0 where it has none.
function(sporos_source_level variable source)
  get_source_file_property(level "${source}" Sporos_OPTIMISE)
  if(NOT level)
    set(level 0)
  endif()
  set(${variable} ${level} PARENT_SCOPE)
endfunction()

# sporos_optimise_target(TARGET LEVEL): compiles TARGET with -O<LEVEL> if LEVEL is at least 1, and fewer sources at once, as
# optimisation takes memory.
function(sporos_optimise_target target level)
  if(level GREATER 0)
    set_target_properties(${target} PROPERTIES UNITY_BUILD_BATCH_SIZE 4)
    target_compile_options(${target} PRIVATE $<$<CXX_COMPILER_ID:GNU,Clang>:-O${level}>)
  endif()
endfunction()

# sporos_add_test(NAME SOURCE...): the Catch2 executable sporos_test_<NAME>, and for each source a test
# <NAME>/<source> that runs the test cases of that file. Optimised sources make executables of their own,
# sporos_test_<NAME>_O<LEVEL>: of equal inline functions the linker may keep one that is not optimised.
function(sporos_add_test name)
  foreach(source IN LISTS ARGN)
    sporos_source_level(level "${source}")
    list(APPEND level_${level} "${source}")
  endforeach()
  sporos_add_test_executable(sporos_test_${name} ${name} ${level_0})
  target_precompile_headers(sporos_test_${name} REUSE_FROM sporos_test_main) # taken with the same __OPTIMIZE__ only
  foreach(level 1 2 3)
    if(level_${level})
      sporos_add_test_executable(sporos_test_${name}_O${level} ${name} ${level_${level}})
      sporos_optimise_target(sporos_test_${name}_O${level} ${level})
      add_dependencies(sporos_test_${name} sporos_test_${name}_O${level})
    endif()
  endforeach()
endfunction()

# sporos_add_test_executable(TARGET NAME SOURCE...): one of these executables, and its tests.
function(sporos_add_test_executable target name)
  add_executable(${target} ${ARGN})
  sporos_test_target(${target})
  sporos_unity(${target})
  target_link_libraries(${target} PRIVATE sporos_test_main)
  add_dependencies(sporos_unit_tests ${target})
  foreach(source IN LISTS ARGN)
    get_filename_component(stem "${source}" NAME_WE)
    add_test(NAME ${name}/${stem} COMMAND ${target} --filenames-as-tags ${Sporos_CATCH_WARN_NO_TESTS} "[#${stem}]")
    set_tests_properties(${name}/${stem} PROPERTIES ENVIRONMENT "${Sporos_TEST_ENVIRONMENT}" TIMEOUT 900)
  endforeach()
endfunction()

# sporos_add_repeatability_test(NAME SOURCE...): an executable with a main of its own that prints hashes of
# results line by line (Sporos_Hash.hpp helps). It is run with several numbers of threads, or with several random orders of
# blocks, warps and lanes on an emulated device, and what it prints must be the same each time.
function(sporos_add_repeatability_test name)
  string(REPLACE "/" "_" target sporos_${name})
  add_executable(${target} ${ARGN})
  sporos_test_target(${target})
  sporos_source_level(level "${ARGV1}")
  sporos_optimise_target(${target} ${level})
  if(Sporos_TEST_EMULATOR)
    set(runs -DVARIABLE=PTXRUN_ORDER -DVALUES=usual,random:1,random:2,random:3)
  else()
    set(runs -DVARIABLE=OMP_NUM_THREADS -DVALUES=1,2,3,4,8)
  endif()
  add_test(NAME ${name} COMMAND ${CMAKE_COMMAND} -DPROGRAM=$<TARGET_FILE:${target}> ${runs} -P
                                "${PROJECT_SOURCE_DIR}/cmake/CompareRuns.cmake")
  set_tests_properties(${name} PROPERTIES ENVIRONMENT "${Sporos_TEST_ENVIRONMENT}" TIMEOUT 900 LABELS repeatability)
endfunction()

# sporos_add_mpi_runs(NAME TARGET RANKS ARGUMENT...): for each number in the list RANKS a test mpi/<NAME>/<ranks> that runs
# TARGET ARGUMENT... on so many ranks, with one thread each.
function(sporos_add_mpi_runs name target ranks)
  foreach(number IN LISTS ranks)
    set(test mpi/${name}/${number})
    add_test(NAME ${test} COMMAND ${MPIEXEC_EXECUTABLE} ${MPIEXEC_NUMPROC_FLAG} ${number} ${MPIEXEC_PREFLAGS}
                                  $<TARGET_FILE:${target}> ${MPIEXEC_POSTFLAGS} ${ARGN})
    set_tests_properties(${test} PROPERTIES ENVIRONMENT "${Sporos_TEST_MPI_ENVIRONMENT}" LABELS mpi TIMEOUT 300)
    if(number GREATER 1)
      set_tests_properties(${test} PROPERTIES PROCESSORS 2)
    endif()
  endforeach()
endfunction()

# sporos_add_mpi_test(NAME SOURCES RANKS): the Catch2 executable sporos_test_mpi_<NAME> of the list SOURCES, and its runs on each
# number of ranks in the list RANKS. The main is tests/mpi/main.cpp.
function(sporos_add_mpi_test name sources ranks)
  set(target sporos_test_mpi_${name})
  add_executable(${target} ${sources})
  sporos_test_target(${target})
  sporos_unity(${target})
  sporos_use_optional(${target} ${Sporos_PACKAGES_WITH_MPI})
  target_link_libraries(${target} PRIVATE sporos_test_mpi_main)
  target_precompile_headers(${target} REUSE_FROM sporos_test_mpi_main)
  add_dependencies(sporos_unit_tests ${target})
  sporos_add_mpi_runs(${name} ${target} "${ranks}" ${Sporos_CATCH_WARN_NO_TESTS})
endfunction()
