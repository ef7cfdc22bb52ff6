# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# The optional packages. This file is installed, too, for find_package(Sporos COMPONENTS ...). Each folder of a project may
# ask for other components, so there is no include guard.

set(Sporos_PACKAGES_WITHOUT_MPI KOKKOSKERNELS METIS FFTW CUFFT)
set(Sporos_PACKAGES_WITH_MPI MPI PTSCOTCH FFTW_MPI HDF5)
set(Sporos_OPTIONAL_PACKAGES ${Sporos_PACKAGES_WITHOUT_MPI} ${Sporos_PACKAGES_WITH_MPI})

# sporos_find_library(NAME HEADER LIBRARY...) sets Sporos_<NAME>_INCLUDE_DIR and Sporos_<NAME>_LIBRARIES, which is empty
# if the header or a library was not found.
macro(sporos_find_library name header)
  find_path(Sporos_${name}_INCLUDE_DIR ${header} PATH_SUFFIXES scotch) # where Debian has Scotch's headers
  mark_as_advanced(Sporos_${name}_INCLUDE_DIR)
  set(Sporos_${name}_LIBRARIES "")
  foreach(library ${ARGN})
    find_library(Sporos_${library}_LIBRARY ${library})
    mark_as_advanced(Sporos_${library}_LIBRARY)
    list(APPEND Sporos_${name}_LIBRARIES "${Sporos_${library}_LIBRARY}")
  endforeach()
  if(NOT Sporos_${name}_INCLUDE_DIR OR "${Sporos_${name}_LIBRARIES}" MATCHES "NOTFOUND")
    set(Sporos_${name}_LIBRARIES "")
  endif()
endmacro()

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

# sporos_find_hdf5() finds the C library of an HDF5 that was built with MPI, under the names that Debian gives it, too.
macro(sporos_find_hdf5)
  find_path(Sporos_HDF5_INCLUDE_DIR hdf5.h PATH_SUFFIXES hdf5/openmpi hdf5/mpich)
  find_library(Sporos_HDF5_LIBRARY NAMES hdf5_openmpi hdf5_mpich hdf5)
  mark_as_advanced(Sporos_HDF5_INCLUDE_DIR Sporos_HDF5_LIBRARY)
  set(Sporos_HDF5_LIBRARIES "")
  if(Sporos_HDF5_INCLUDE_DIR AND Sporos_HDF5_LIBRARY)
    set(Sporos_HDF5_LIBRARIES "${Sporos_HDF5_LIBRARY}")
  endif()
endmacro()

# sporos_find_optional(NAME) defines the target Sporos::<name in lower case> if the package is found. The target links the
# package and defines SPOROS_HAVE_<NAME>. Sporos_<NAME>_FOUND is set to ON or OFF. Packages that need MPI define Sporos::mpi, too.
function(sporos_find_optional name)
  set(libraries "")
  if(name IN_LIST Sporos_PACKAGES_WITH_MPI AND NOT name STREQUAL "MPI")
    sporos_find_optional(MPI)
  endif()
  if(name STREQUAL "KOKKOSKERNELS")
    find_package(KokkosKernels QUIET HINTS "${Kokkos_DIR}/../../..")
    # It must have been built for the same Kokkos.
    string(REGEX MATCH "^[0-9]+[.][0-9]+" release "${KokkosKernels_VERSION}")
    if(KokkosKernels_FOUND AND (NOT Kokkos_VERSION OR "${Kokkos_VERSION}." MATCHES "^${release}[.]"))
      set(libraries Kokkos::kokkoskernels)
    endif()
  elseif(name STREQUAL "METIS")
    sporos_find_library(METIS metis.h metis)
    set(libraries ${Sporos_METIS_LIBRARIES})
  elseif(name STREQUAL "FFTW") # in both precisions
    sporos_find_library(FFTW fftw3.h fftw3 fftw3f)
    set(libraries ${Sporos_FFTW_LIBRARIES})
  elseif(name STREQUAL "CUFFT" AND ("CUDA" IN_LIST Kokkos_DEVICES OR Kokkos_ENABLE_CUDA))
    find_package(CUDAToolkit QUIET)
    if(TARGET CUDA::cufft)
      set(libraries CUDA::cufft)
    endif()
  elseif(name STREQUAL "MPI")
    sporos_find_mpi()
    set(libraries ${Sporos_MPI_LIBRARIES})
  elseif(name STREQUAL "PTSCOTCH" AND Sporos_MPI_FOUND)
    sporos_find_library(PTSCOTCH ptscotch.h ptscotch scotch ptscotcherr)
    set(libraries ${Sporos_PTSCOTCH_LIBRARIES})
  elseif(name STREQUAL "FFTW_MPI" AND Sporos_MPI_FOUND) # in both precisions
    sporos_find_library(FFTW_MPI fftw3-mpi.h fftw3_mpi fftw3f_mpi fftw3 fftw3f)
    set(libraries ${Sporos_FFTW_MPI_LIBRARIES})
  elseif(name STREQUAL "HDF5" AND Sporos_MPI_FOUND)
    sporos_find_hdf5()
    set(libraries ${Sporos_HDF5_LIBRARIES})
  endif()
  if(libraries AND name IN_LIST Sporos_PACKAGES_WITH_MPI AND NOT name STREQUAL "MPI")
    list(APPEND libraries Sporos::mpi)
  endif()

  set(Sporos_${name}_FOUND OFF PARENT_SCOPE)
  if(libraries)
    set(Sporos_${name}_FOUND ON PARENT_SCOPE)
    string(TOLOWER ${name} target)
    set(target Sporos::${target})
    if(NOT TARGET ${target})
      add_library(${target} INTERFACE IMPORTED GLOBAL)
      set_target_properties(
        ${target} PROPERTIES INTERFACE_LINK_LIBRARIES "${libraries}" INTERFACE_COMPILE_DEFINITIONS SPOROS_HAVE_${name})
      if(Sporos_${name}_INCLUDE_DIR)
        set_target_properties(${target} PROPERTIES INTERFACE_INCLUDE_DIRECTORIES "${Sporos_${name}_INCLUDE_DIR}")
      endif()
    endif()
  endif()
endfunction()
