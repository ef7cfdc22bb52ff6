# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Headers of all components in one folder, and the package that find_package(Sporos) finds.
include(CMakePackageConfigHelpers)

# Headers alone are the same for every architecture; what names the library Sporos::compiled is not.
set(Sporos_INSTALL_CMAKEDIR ${CMAKE_INSTALL_DATADIR}/cmake/Sporos)
set(independent ARCH_INDEPENDENT)
if(Sporos_ENABLE_COMPILED)
  set(Sporos_INSTALL_CMAKEDIR ${CMAKE_INSTALL_LIBDIR}/cmake/Sporos)
  set(independent "")
endif()

install(
  DIRECTORY core/src/ algorithms/src/ "${PROJECT_BINARY_DIR}/include/"
  DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/sporos
  FILES_MATCHING
  PATTERN "*.hpp")
install(TARGETS sporos_core sporos_algorithms EXPORT SporosTargets)
install(
  EXPORT SporosTargets
  NAMESPACE Sporos::
  DESTINATION ${Sporos_INSTALL_CMAKEDIR})

configure_package_config_file(cmake/SporosConfig.cmake.in SporosConfig.cmake INSTALL_DESTINATION ${Sporos_INSTALL_CMAKEDIR})
write_basic_package_version_file(
  SporosConfigVersion.cmake
  VERSION ${PROJECT_VERSION}
  COMPATIBILITY SameMinorVersion ${independent})
install(FILES "${CMAKE_CURRENT_BINARY_DIR}/SporosConfig.cmake" "${CMAKE_CURRENT_BINARY_DIR}/SporosConfigVersion.cmake"
              cmake/SporosOptional.cmake
        DESTINATION ${Sporos_INSTALL_CMAKEDIR})
