# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# The optional packages, and what is asked of Kokkos. This file is installed, too, for find_package(Sporos COMPONENTS ...).
# Each folder of a project may ask for other components, so there is no include guard.

set(Sporos_PACKAGES_WITHOUT_MPI METIS FFTW CUFFT HIPFFT)
set(Sporos_PACKAGES_WITH_MPI MPI PTSCOTCH FFTW_MPI HDF5)
set(Sporos_OPTIONAL_PACKAGES ${Sporos_PACKAGES_WITHOUT_MPI} ${Sporos_PACKAGES_WITH_MPI})

# sporos_refuse_kokkos(VARIABLE PLACE): why what find_package(Kokkos) found, in PLACE, is of no use; empty if it is.
function(sporos_refuse_kokkos variable place)
  set(reason "")
  if(NOT TARGET Kokkos::kokkos)
    set(reason "find_package finds no file KokkosConfig.cmake.")
    if(Kokkos_CONSIDERED_CONFIGS)
      set(reason "find_package looked at ${Kokkos_CONSIDERED_CONFIGS}. ${Kokkos_NOT_FOUND_MESSAGE}")
    endif()
  elseif(Kokkos_VERSION AND Kokkos_VERSION VERSION_LESS 3.4)
    set(reason "${place} has ${Kokkos_VERSION}.")
  endif()
  set(${variable} "${reason}" PARENT_SCOPE)
endfunction()

# sporos_define_nufft(): the target Sporos::nufft, with those FFT libraries of it whose targets exist; none without any. Sets
# Sporos_NUFFT_FOUND.
function(sporos_define_nufft)
  set(libraries "")
  foreach(library IN ITEMS fftw cufft hipfft)
    if(TARGET Sporos::${library})
      list(APPEND libraries Sporos::${library})
    endif()
  endforeach()
  set(Sporos_NUFFT_FOUND OFF PARENT_SCOPE)
  if(libraries)
    set(Sporos_NUFFT_FOUND ON PARENT_SCOPE)
    if(NOT TARGET Sporos::nufft)
      add_library(Sporos::nufft INTERFACE IMPORTED GLOBAL)
      set_target_properties(Sporos::nufft PROPERTIES INTERFACE_LINK_LIBRARIES "Sporos::algorithms;${libraries}")
    endif()
  endif()
endfunction()

# sporos_find_library(NAME HEADER LIBRARIES LIBRARY... [TARGETS TARGET...] [CONFIG PACKAGE...] [ROOTS PACKAGE...]
# [FOLDERS FOLDER...] [COMPLETE FILE]) sets Sporos_<NAME>_LIBRARIES and Sporos_<NAME>_INCLUDES, or Sporos_<NAME>_REASON if
# nothing is found. Header and libraries are of one install: that of the header, which may be in FOLDERs of include.
# <PACKAGE>_ROOT (HDF5_ROOT, METIS_ROOT), a variable or in the environment, comes first. An install that has the config packages
# gives their TARGETs, else the LIBRARYs of its prefix. A TARGET or a LIBRARY may be a choice: a|b. COMPLETE: without this file
# beside it, the config file is of no use.
function(sporos_find_library name header)
  cmake_parse_arguments(arg "" "COMPLETE" "LIBRARIES;TARGETS;CONFIG;ROOTS;FOLDERS" ${ARGN})
  set(roots "")
  foreach(root IN LISTS arg_ROOTS)
    list(APPEND roots ${${root}_ROOT} $ENV{${root}_ROOT})
  endforeach()
  sporos_forget_other_roots(${name} "${roots}" "${arg_CONFIG}" "${arg_LIBRARIES}")

  list(TRANSFORM arg_FOLDERS PREPEND "include/" OUTPUT_VARIABLE folders)
  if(roots)
    find_path(Sporos_${name}_INCLUDE_DIR ${header} PATHS ${roots} PATH_SUFFIXES ${folders} include NO_DEFAULT_PATH)
  endif()
  find_path(Sporos_${name}_INCLUDE_DIR ${header} PATH_SUFFIXES ${arg_FOLDERS})
  mark_as_advanced(Sporos_${name}_INCLUDE_DIR)
  set(prefix "")
  set(only "")
  if(Sporos_${name}_INCLUDE_DIR)
    string(REGEX REPLACE "^(.*)/include(/.*)?$" "\\1" prefix "${Sporos_${name}_INCLUDE_DIR}")
    set(folder "${CMAKE_MATCH_2}")
    set(only PATHS "${prefix}/" NO_DEFAULT_PATH)
  endif()
  set(lib_folders lib64 lib)
  if(CMAKE_LIBRARY_ARCHITECTURE)
    list(PREPEND lib_folders lib/${CMAKE_LIBRARY_ARCHITECTURE})
  endif()

  set(CMAKE_FIND_PACKAGE_TARGETS_GLOBAL ON) # as Sporos::<name> is; before CMake 3.24 those below alone are made so
  foreach(package IN LISTS arg_CONFIG)
    set(complete ON)
    if(arg_COMPLETE AND NOT ${package}_DIR)
      string(TOLOWER "${package}" lower)
      list(TRANSFORM lib_folders APPEND "/cmake/${lower}" OUTPUT_VARIABLE config_folders)
      find_path(Sporos_${package}_COMPLETE ${arg_COMPLETE} PATHS "${prefix}/" PATH_SUFFIXES ${config_folders} NO_DEFAULT_PATH)
      mark_as_advanced(Sporos_${package}_COMPLETE)
      set(complete ${Sporos_${package}_COMPLETE})
    endif()
    if(complete)
      find_package(${package} QUIET CONFIG ${only})
    endif()
  endforeach()
  sporos_choose_targets(libraries ${arg_TARGETS})
  set(includes "")
  set(reason "")
  if(NOT libraries AND NOT prefix)
    set(reason "no ${header}")
  elseif(NOT libraries)
    set(includes "${Sporos_${name}_INCLUDE_DIR}")
    list(TRANSFORM lib_folders APPEND "${folder}" OUTPUT_VARIABLE lib_subfolders)
    foreach(library IN LISTS arg_LIBRARIES)
      string(REPLACE "|" ";" names "${library}")
      list(GET names 0 first)
      find_library(
        Sporos_${name}_${first}_LIBRARY NAMES ${names} PATHS "${prefix}/" PATH_SUFFIXES ${lib_subfolders} ${lib_folders} NO_DEFAULT_PATH)
      mark_as_advanced(Sporos_${name}_${first}_LIBRARY)
      list(APPEND libraries "${Sporos_${name}_${first}_LIBRARY}")
      if(NOT Sporos_${name}_${first}_LIBRARY)
        set(reason "${header} is in ${includes}, but there is no library ${first} in ${prefix}")
      endif()
    endforeach()
    if(reason)
      set(libraries "")
    endif()
  endif()
  set(Sporos_${name}_LIBRARIES "${libraries}" PARENT_SCOPE)
  set(Sporos_${name}_INCLUDES "${includes}" PARENT_SCOPE)
  set(Sporos_${name}_REASON "${reason}" PARENT_SCOPE)
endfunction()

# sporos_choose_targets(VARIABLE TARGET...): of each choice a|b the first that exists; nothing unless all have one.
function(sporos_choose_targets variable)
  set(chosen "")
  foreach(choice IN LISTS ARGN)
    string(REPLACE "|" ";" names "${choice}")
    set(found "")
    foreach(target IN LISTS names)
      if(NOT found AND TARGET ${target})
        get_target_property(imported ${target} IMPORTED)
        get_target_property(global ${target} IMPORTED_GLOBAL)
        if(imported AND NOT global)
          set_target_properties(${target} PROPERTIES IMPORTED_GLOBAL ON)
        endif()
        if(imported OR target MATCHES "::") # else it may be anything
          set(found ${target})
        endif()
      endif()
    endforeach()
    if(NOT found)
      set(${variable} "" PARENT_SCOPE)
      return()
    endif()
    list(APPEND chosen ${found})
  endforeach()
  set(${variable} "${chosen}" PARENT_SCOPE)
endfunction()

# sporos_forget_other_roots(NAME ROOTS PACKAGES LIBRARIES): what the cache has of an earlier configure with other ROOTS.
function(sporos_forget_other_roots name roots packages libraries)
  if(DEFINED Sporos_${name}_ROOTS AND NOT "${Sporos_${name}_ROOTS}" STREQUAL "${roots}")
    unset(Sporos_${name}_INCLUDE_DIR CACHE)
    foreach(package IN LISTS packages)
      unset(${package}_DIR CACHE)
      unset(Sporos_${package}_COMPLETE CACHE)
    endforeach()
    foreach(library IN LISTS libraries)
      string(REGEX REPLACE "[|].*" "" first "${library}")
      unset(Sporos_${name}_${first}_LIBRARY CACHE)
    endforeach()
  endif()
  set(Sporos_${name}_ROOTS "${roots}" CACHE INTERNAL "")
endfunction()

# sporos_find_mpi() finds the C interface of MPI for C++, and sets Sporos_MPI_LIBRARIES, which is empty if there is none.
macro(sporos_find_mpi)
  set(Sporos_MPI_LIBRARIES "")
  set(Sporos_had_mpi OFF)
  if(TARGET MPI::MPI_CXX)
    set(Sporos_had_mpi ON)
  endif()
  set(MPI_CXX_SKIP_MPICXX ON) # the C++ interface that MPI 3 has removed
  find_package(MPI QUIET COMPONENTS CXX)
  if(TARGET MPI::MPI_CXX)
    set(Sporos_MPI_LIBRARIES MPI::MPI_CXX)
    if(NOT Sporos_had_mpi) # Sporos::mpi is known in all folders, so what it links must be, too
      set_target_properties(MPI::MPI_CXX PROPERTIES IMPORTED_GLOBAL ON)
    endif()
  endif()
endmacro()

# sporos_find_hdf5() finds the C library of an HDF5 that was built with MPI. (CMake's FindHDF5 fails in projects without C.)
macro(sporos_find_hdf5)
  set(Sporos_HDF5_FOLDER hdf5/openmpi) # where Debian has it, for the MPI in use
  get_target_property(Sporos_MPI_FOLDERS MPI::MPI_CXX INTERFACE_INCLUDE_DIRECTORIES)
  if(Sporos_MPI_FOLDERS MATCHES "mpich")
    set(Sporos_HDF5_FOLDER hdf5/mpich)
  endif()
  sporos_find_library(
    HDF5 hdf5.h
    LIBRARIES "hdf5|hdf5_openmpi|hdf5_mpich"
    TARGETS "hdf5::hdf5-shared|hdf5-shared|hdf5::hdf5-static|hdf5-static"
    CONFIG HDF5
    ROOTS HDF5
    FOLDERS ${Sporos_HDF5_FOLDER})
  set(Sporos_HDF5_PLACES ${Sporos_HDF5_INCLUDE_DIR})
  if(NOT Sporos_HDF5_PLACES AND Sporos_HDF5_LIBRARIES)
    get_target_property(Sporos_HDF5_PLACES ${Sporos_HDF5_LIBRARIES} INTERFACE_INCLUDE_DIRECTORIES)
  endif()
  list(TRANSFORM Sporos_HDF5_PLACES APPEND "/H5pubconf*.h")
  file(GLOB Sporos_HDF5_HEADERS ${Sporos_HDF5_PLACES})
  set(Sporos_HDF5_PARALLEL "")
  foreach(Sporos_HDF5_HEADER IN LISTS Sporos_HDF5_HEADERS)
    file(STRINGS "${Sporos_HDF5_HEADER}" Sporos_HDF5_LINES REGEX "^[ \t]*#[ \t]*define[ \t]+H5_HAVE_PARALLEL[ \t]+1")
    list(APPEND Sporos_HDF5_PARALLEL ${Sporos_HDF5_LINES})
  endforeach()
  if(Sporos_HDF5_LIBRARIES AND NOT Sporos_HDF5_PARALLEL)
    set(Sporos_HDF5_LIBRARIES "")
    set(Sporos_HDF5_REASON "${Sporos_HDF5_INCLUDE_DIR} has an HDF5 that was built without MPI; HDF5_ROOT names another")
  endif()
endmacro()

# sporos_find_fftw_mpi() finds FFTW for MPI, of the same install as the FFTW that was found.
macro(sporos_find_fftw_mpi)
  sporos_find_library(FFTW_MPI fftw3-mpi.h LIBRARIES fftw3_mpi fftw3f_mpi fftw3 fftw3f ROOTS FFTW_MPI FFTW FFTW3)
  if(Sporos_FFTW_MPI_LIBRARIES AND TARGET Sporos::fftw AND NOT Sporos_FFTW_MPI_INCLUDE_DIR STREQUAL Sporos_FFTW_INCLUDE_DIR)
    set(Sporos_FFTW_MPI_LIBRARIES "")
    set(Sporos_FFTW_MPI_REASON
        "it is in ${Sporos_FFTW_MPI_INCLUDE_DIR}, but FFTW in ${Sporos_FFTW_INCLUDE_DIR}; FFTW_ROOT names one for both")
  endif()
endmacro()

# sporos_find_optional(NAME) defines the target Sporos::<name in lower case> if the package is found. The target links the
# package and defines SPOROS_HAVE_<NAME>. Sporos_<NAME>_FOUND is set to ON or OFF, Sporos_<NAME>_REASON to what is missing.
# Packages that need MPI define Sporos::mpi, too.
function(sporos_find_optional name)
  set(Sporos_${name}_LIBRARIES "")
  set(Sporos_${name}_INCLUDES "")
  set(Sporos_${name}_REASON "")
  if(name IN_LIST Sporos_PACKAGES_WITH_MPI AND NOT name STREQUAL "MPI")
    sporos_find_optional(MPI)
    if(NOT Sporos_MPI_FOUND)
      set(Sporos_${name}_REASON "no MPI")
    endif()
  endif()
  if(Sporos_${name}_REASON)
    # nothing to look for
  elseif(name STREQUAL "METIS")
    sporos_find_library(METIS metis.h LIBRARIES metis TARGETS "METIS::METIS|METIS::metis|metis" CONFIG METIS metis ROOTS METIS)
  elseif(name STREQUAL "FFTW") # in both precisions
    sporos_find_library(
      FFTW fftw3.h
      LIBRARIES fftw3 fftw3f
      TARGETS FFTW3::fftw3 FFTW3::fftw3f
      CONFIG FFTW3 FFTW3f
      COMPLETE FFTW3LibraryDepends.cmake # which config files of Autotools' installs include, and lack
      ROOTS FFTW FFTW3)
  elseif(name STREQUAL "CUFFT" AND ("CUDA" IN_LIST Kokkos_DEVICES OR Kokkos_ENABLE_CUDA))
    find_package(CUDAToolkit QUIET)
    if(TARGET CUDA::cufft)
      set(Sporos_CUFFT_LIBRARIES CUDA::cufft)
    endif()
  elseif(name STREQUAL "CUFFT")
    set(Sporos_CUFFT_REASON "Kokkos has no CUDA")
  elseif(name STREQUAL "HIPFFT" AND ("HIP" IN_LIST Kokkos_DEVICES OR Kokkos_ENABLE_HIP))
    list(APPEND CMAKE_PREFIX_PATH $ENV{ROCM_PATH} /opt/rocm) # for this function alone
    sporos_find_library(HIPFFT hipfft/hipfft.h LIBRARIES hipfft ROOTS HIPFFT)
  elseif(name STREQUAL "HIPFFT")
    set(Sporos_HIPFFT_REASON "Kokkos has no HIP")
  elseif(name STREQUAL "MPI")
    sporos_find_mpi()
  elseif(name STREQUAL "PTSCOTCH")
    sporos_find_library(
      PTSCOTCH ptscotch.h
      LIBRARIES ptscotch scotch ptscotcherr
      TARGETS SCOTCH::ptscotch SCOTCH::scotch SCOTCH::ptscotcherr
      CONFIG SCOTCH
      ROOTS PTSCOTCH SCOTCH
      FOLDERS scotch) # where Debian has Scotch's headers
  elseif(name STREQUAL "FFTW_MPI") # in both precisions
    sporos_find_fftw_mpi()
  elseif(name STREQUAL "HDF5")
    sporos_find_hdf5()
  endif()
  set(libraries ${Sporos_${name}_LIBRARIES})
  if(libraries AND name IN_LIST Sporos_PACKAGES_WITH_MPI AND NOT name STREQUAL "MPI")
    list(APPEND libraries Sporos::mpi)
  endif()

  if(NOT libraries AND NOT Sporos_${name}_REASON)
    set(Sporos_${name}_REASON "find_package does not find it")
  endif()
  set(Sporos_${name}_FOUND OFF PARENT_SCOPE)
  set(Sporos_${name}_REASON "${Sporos_${name}_REASON}" PARENT_SCOPE)
  if(libraries)
    set(Sporos_${name}_FOUND ON PARENT_SCOPE)
    string(TOLOWER ${name} target)
    set(target Sporos::${target})
    if(NOT TARGET ${target})
      add_library(${target} INTERFACE IMPORTED GLOBAL)
      set_target_properties(
        ${target} PROPERTIES INTERFACE_LINK_LIBRARIES "${libraries}" INTERFACE_COMPILE_DEFINITIONS SPOROS_HAVE_${name}
                             INTERFACE_INCLUDE_DIRECTORIES "${Sporos_${name}_INCLUDES}")
    endif()
  endif()
endfunction()
