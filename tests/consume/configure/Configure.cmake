# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# cmake -DSPOROS_SOURCE=... -DSporos_DIR=... -DFOLDER=... -DGENERATOR=... -P Configure.cmake: configures Sporos and projects that
# use it with several Kokkos, all made up, and looks at what CMake prints. Nothing is built. Sporos_DIR: the installed package.
cmake_minimum_required(VERSION 3.21)

file(REMOVE_RECURSE "${FOLDER}")

# make_kokkos(NAME VERSION [LINE]): an install of Kokkos whose config file begins with LINE.
function(make_kokkos name version)
  file(WRITE "${FOLDER}/${name}/lib/cmake/Kokkos/KokkosConfig.cmake"
       "${ARGN}
set(Kokkos_DEVICES SERIAL)
if(NOT TARGET Kokkos::kokkos)
  add_library(Kokkos::kokkos INTERFACE IMPORTED)
endif()
")
  file(WRITE "${FOLDER}/${name}/lib/cmake/Kokkos/KokkosConfigVersion.cmake"
       "set(PACKAGE_VERSION ${version})\nset(PACKAGE_VERSION_COMPATIBLE TRUE)\n")
endfunction()
make_kokkos(one 4.1.0)
make_kokkos(other 4.2.0)
make_kokkos(old 3.3.1)
make_kokkos(broken 4.3.0 [[
set(Kokkos_FOUND FALSE)
set(Kokkos_NOT_FOUND_MESSAGE "it needs the library sporos_no_such_library.")
return()]])

# configured(SOURCE OUTCOME ARGUMENT...): configures SOURCE, whose CMake must end with OUTCOME (done or failed) and print what
# EXPECT, before the ARGUMENTs, lists (regular expressions; white space is as good as other). Variables of the environment begin with ENV:.
set(Sporos_runs 0)
macro(configured source outcome)
  math(EXPR Sporos_runs "${Sporos_runs} + 1")
  set(arguments ${ARGN})
  set(environment ${arguments})
  list(FILTER environment INCLUDE REGEX "^ENV:")
  list(TRANSFORM environment REPLACE "^ENV:" "")
  list(FILTER arguments EXCLUDE REGEX "^ENV:")
  execute_process(
    COMMAND ${CMAKE_COMMAND} -E env --unset=CMAKE_PREFIX_PATH --unset=Kokkos_ROOT --unset=Kokkos_DIR ${environment} ${CMAKE_COMMAND} -S
            "${source}" -B "${FOLDER}/build/${Sporos_runs}" -G "${GENERATOR}" ${arguments}
    RESULT_VARIABLE result
    OUTPUT_VARIABLE printed
    ERROR_VARIABLE printed)
  string(REGEX REPLACE "[ \n]+" " " words "${printed}")
  set(actual failed)
  if(result EQUAL 0)
    set(actual done)
  endif()
  if(NOT actual STREQUAL "${outcome}")
    message(FATAL_ERROR "${source} with ${ARGN}: expected ${outcome}, got ${actual}:\n${printed}")
  endif()
  foreach(text IN LISTS EXPECT)
    if(NOT words MATCHES "${text}")
      message(FATAL_ERROR "${source} with ${ARGN}: expected ${text}, got\n${printed}")
    endif()
  endforeach()
endmacro()

# The command line wins over the environment, and both over what bootstrap.sh has built.
set(library -DSporos_ENABLE_TESTS=OFF -DSporos_ENABLE_PERF=OFF)
set(other "-DCMAKE_PREFIX_PATH=${FOLDER}/other")
set(EXPECT "Kokkos 4.2.0 [(]SERIAL[)] in ${FOLDER}/other/")
configured("${SPOROS_SOURCE}" done ${library} ${other} "ENV:CMAKE_PREFIX_PATH=${FOLDER}/one")
configured("${SPOROS_SOURCE}" done ${library} ${other} "ENV:Kokkos_ROOT=${FOLDER}/one")
set(EXPECT "Kokkos 4.1.0 [(]SERIAL[)] in ${FOLDER}/one/")
configured("${SPOROS_SOURCE}" done ${library} "-DSporos_BOOTSTRAP_PREFIX=${FOLDER}/other" "ENV:CMAKE_PREFIX_PATH=${FOLDER}/one")

# A Kokkos that is of no use: why.
set(EXPECT "needs Kokkos 3[.]4 or newer" "/old/.* has 3[.]3[.]1")
configured("${SPOROS_SOURCE}" failed ${library} "-DKokkos_ROOT=${FOLDER}/old")
configured("${CMAKE_CURRENT_LIST_DIR}/finding" failed "-DSporos_DIR=${Sporos_DIR}" "-DKokkos_ROOT=${FOLDER}/old")
set(EXPECT "needs Kokkos 3[.]4 or newer" "/broken/" "it needs the library sporos_no_such_library")
configured("${SPOROS_SOURCE}" failed ${library} "-DKokkos_DIR=${FOLDER}/broken/lib/cmake/Kokkos")
configured("${CMAKE_CURRENT_LIST_DIR}/finding" failed "-DSporos_DIR=${Sporos_DIR}" "-DKokkos_DIR=${FOLDER}/broken/lib/cmake/Kokkos")
set(EXPECT "found with Kokkos 4[.]1[.]0")
configured("${CMAKE_CURRENT_LIST_DIR}/finding" done "-DSporos_DIR=${Sporos_DIR}" "-DKokkos_ROOT=${FOLDER}/one")

# Tests: none without Catch2 or with BUILD_TESTING off.
set(one "-DKokkos_ROOT=${FOLDER}/one" -DSporos_ENABLE_PERF=OFF)
set(EXPECT " tests OFF ")
configured("${SPOROS_SOURCE}" done ${one} -DBUILD_TESTING=OFF)
list(APPEND EXPECT "Catch2 2[.]13 or 3 was not found")
configured("${SPOROS_SOURCE}" done ${one} -DCMAKE_DISABLE_FIND_PACKAGE_Catch2=ON)

# In another project: the library alone, and the Kokkos of that project.
set(embedding "${CMAKE_CURRENT_LIST_DIR}/embedding")
set(EXPECT "Kokkos 4[.]5[.]1 [(]SERIAL[)] in this project ${embedding}/kokkos" " tests OFF " " perf OFF " "METIS off" "FFTW off" "MPI off"
           "installs in: [.]")
configured("${embedding}" done "-DSPOROS_SOURCE=${SPOROS_SOURCE}")
# What names a library is installed where each architecture has its own folder.
set(EXPECT "installs in: lib[^/]*(/[^/]+)?/cmake/Sporos[.]")
configured("${embedding}" done "-DSPOROS_SOURCE=${SPOROS_SOURCE}" -DSporos_ENABLE_INSTALL=ON -DSporos_ENABLE_COMPILED=ON)
if(EXISTS "${FOLDER}/build/${Sporos_runs}/sporos/include/Sporos_CompiledTransfers.hpp")
  message(FATAL_ERROR "what the library has is told by a header that all architectures share")
endif()
