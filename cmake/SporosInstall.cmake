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

# Users have one folder: public headers at its top, details of a family in the family's folder.
set(headers_to ${CMAKE_INSTALL_INCLUDEDIR}/sporos)
install(
  DIRECTORY core/src/ "${PROJECT_BINARY_DIR}/include/"
  DESTINATION ${headers_to}
  FILES_MATCHING
  PATTERN "*.hpp")
file(STRINGS cmake/public_headers.txt Sporos_PUBLIC_HEADERS REGEX "^[^#]")
foreach(family IN LISTS Sporos_FAMILIES)
  set(public ${Sporos_PUBLIC_HEADERS})
  list(FILTER public INCLUDE REGEX "^algorithms/src/${family}/")
  install(FILES ${public} DESTINATION ${headers_to})
  file(
    GLOB folders CONFIGURE_DEPENDS
    RELATIVE "${PROJECT_SOURCE_DIR}"
    "algorithms/src/${family}/*/")
  list(FILTER folders EXCLUDE REGEX "\\.hpp$")
  install(DIRECTORY ${folders} DESTINATION ${headers_to}/${family})
endforeach()
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
