# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# The Debian package libsporos-dev: cpack, run in the build folder. It holds headers and CMake files, for every
# architecture, or Sporos::compiled, too, for one.

set(CPACK_GENERATOR DEB)
set(CPACK_PACKAGE_NAME Sporos)
set(CPACK_PACKAGE_VENDOR "The Sporos developers") # as in CITATION.cff
set(CPACK_PACKAGE_CONTACT "The Sporos developers")
set(CPACK_RESOURCE_FILE_LICENSE "${PROJECT_SOURCE_DIR}/LICENSE")
set(CPACK_RESOURCE_FILE_README "${PROJECT_SOURCE_DIR}/README.md")
set(CPACK_SOURCE_IGNORE_FILES "^${PROJECT_SOURCE_DIR}/(build|shared|[.]git)/")
set(CPACK_VERBATIM_VARIABLES ON)

set(CPACK_DEBIAN_PACKAGE_NAME libsporos-dev)
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
if(Sporos_ENABLE_COMPILED)
  set(contents "headers and the library Sporos::compiled,\nbuilt with Kokkos ${Kokkos_VERSION}, which you need to use it.")
  if(CMAKE_LIBRARY_ARCHITECTURE AND CMAKE_INSTALL_LIBDIR MATCHES "/${CMAKE_LIBRARY_ARCHITECTURE}$")
    set(CPACK_DEBIAN_PACKAGE_MULTIARCH same) # side by side for several architectures (from CMake 3.31)
  endif()
else()
  set(CPACK_DEBIAN_PACKAGE_ARCHITECTURE all)
  set(CPACK_DEBIAN_PACKAGE_MULTIARCH foreign)
  set(contents "only headers;\nto use them you need Kokkos 3.4 or newer, packaged or not.")
endif()
set(CPACK_DEBIAN_PACKAGE_SECTION libdevel)
set(CPACK_DEBIAN_PACKAGE_DESCRIPTION
    "Particle-grid transfer, loops over unstructured meshes and cross-correlation
on Serial, OpenMP, CUDA and MPI, with the same bits on every run. The package contains
${contents}")
# Not all releases of Debian have Kokkos, and users may have their own.
set(CPACK_DEBIAN_PACKAGE_RECOMMENDS "libkokkos-dev (>= 3.4)")
set(CPACK_DEBIAN_PACKAGE_SUGGESTS "libfftw3-dev, libmetis-dev, mpi-default-dev, libptscotch-dev")

# The licence, where Debian wants it: installed for the package alone.
install(
  FILES LICENSE
  DESTINATION ${CMAKE_INSTALL_DATADIR}/doc/${CPACK_DEBIAN_PACKAGE_NAME}
  RENAME copyright
  COMPONENT debian
  EXCLUDE_FROM_ALL)
set(CPACK_INSTALL_CMAKE_PROJECTS "${PROJECT_BINARY_DIR};Sporos;ALL;/;${PROJECT_BINARY_DIR};Sporos;debian;/")

set(CMAKE_SKIP_INSTALL_ALL_DEPENDENCY ON) # what is built is not installed, but for Sporos::compiled
include(CPack)
