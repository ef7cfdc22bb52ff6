# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# The target sporos_docs: the API reference, in docs/html of the build folder. A warning of Doxygen is an error.
find_package(Doxygen 1.9.2 QUIET)
if(DOXYGEN_FOUND)
  configure_file("${PROJECT_SOURCE_DIR}/docs/Doxyfile.in" "${PROJECT_BINARY_DIR}/docs/Doxyfile" @ONLY)
  add_custom_target(
    sporos_docs
    COMMAND Doxygen::doxygen "${PROJECT_BINARY_DIR}/docs/Doxyfile"
    WORKING_DIRECTORY "${PROJECT_SOURCE_DIR}"
    COMMENT "The API reference: ${PROJECT_BINARY_DIR}/docs/html/index.html"
    VERBATIM)
endif()
