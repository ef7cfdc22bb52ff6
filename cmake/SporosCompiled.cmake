# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# The optional library Sporos::compiled: what the headers define for common types, compiled once. Programs that link it compile in
# a third to two thirds of the time. It must be compiled with the flags of these programs.

# sporos_check_compiled(VARIABLE PATTERN EXPECTED): every entry of the list must match
function(sporos_check_compiled variable pattern expected)
  foreach(entry IN LISTS ${variable})
    if(NOT entry MATCHES "^(${pattern})$")
      message(FATAL_ERROR "${variable}: expected ${expected}, got ${entry}")
    endif()
  endforeach()
endfunction()
sporos_check_compiled(Sporos_COMPILED_DIMENSIONS "[1-3]" "1, 2 or 3")
sporos_check_compiled(Sporos_COMPILED_REALS "float|double" "float or double")
sporos_check_compiled(
  Sporos_COMPILED_DELTA_FUNCTIONS "Hat2|Roma3|Cosine4|Peskin4|Bao6|(BSpline|ExponentialOfSemicircle)<[0-9]+>"
  "Hat2, Roma3, Cosine4, Peskin4, Bao6, BSpline<S> or ExponentialOfSemicircle<S>")

set(folder "${PROJECT_BINARY_DIR}/compiled")
set(sources algorithms/compiled/loops.cpp algorithms/compiled/correlations.cpp)
set(declarations "")
foreach(Dim IN LISTS Sporos_COMPILED_DIMENSIONS)
  foreach(Real IN LISTS Sporos_COMPILED_REALS)
    set(bins "")
    foreach(Delta IN LISTS Sporos_COMPILED_DELTA_FUNCTIONS)
      string(MAKE_C_IDENTIFIER "transfers_${Dim}_${Real}_${Delta}" file)
      configure_file(algorithms/compiled/transfers.cpp.in "${folder}/${file}.cpp" @ONLY)
      list(APPEND sources "${folder}/${file}.cpp")
      string(APPEND declarations "SPOROS_INSTANCES_OF_PLAN(extern, ${Dim}, ${Real}, ${Delta})\n")
      string(REGEX MATCH "([0-9]+)>?$" support "${Delta}") # the names of delta functions end with it
      list(APPEND bins "(, ${Dim}, ${Real}, ${CMAKE_MATCH_1})")
    endforeach()
    list(REMOVE_DUPLICATES bins)
    list(TRANSFORM bins PREPEND "SPOROS_INSTANCES_OF_BINS")
    list(JOIN bins "\n" bins)
    configure_file(algorithms/compiled/bins.cpp.in "${folder}/bins_${Dim}_${Real}.cpp" @ONLY)
    list(APPEND sources "${folder}/bins_${Dim}_${Real}.cpp")
    string(REPLACE "(," "(extern," bins "${bins}")
    string(APPEND declarations "${bins}\n")
  endforeach()
endforeach()
configure_file(cmake/Sporos_CompiledTransfers.hpp.in compiled/include/Sporos_CompiledTransfers.hpp @ONLY)

add_library(sporos_compiled STATIC ${sources})
add_library(Sporos::compiled ALIAS sporos_compiled)
set_target_properties(sporos_compiled PROPERTIES EXPORT_NAME compiled POSITION_INDEPENDENT_CODE ON)
target_link_libraries(sporos_compiled PUBLIC Sporos::sporos)
target_include_directories(
  sporos_compiled PUBLIC "$<BUILD_INTERFACE:${folder}/include>" "$<INSTALL_INTERFACE:${CMAKE_INSTALL_LIBDIR}/sporos/include>")
target_compile_definitions(sporos_compiled PUBLIC SPOROS_COMPILED $<$<BOOL:${Sporos_FFTW_FOUND}>:SPOROS_COMPILED_FFTW>)
if(Sporos_FFTW_FOUND) # for programs that link FFTW: see SPOROS_IMPL_FFT_LIBRARIES
  add_library(sporos_compiled_fftw OBJECT algorithms/compiled/correlations.cpp)
  set_target_properties(sporos_compiled_fftw PROPERTIES POSITION_INDEPENDENT_CODE ON)
  target_link_libraries(sporos_compiled_fftw PRIVATE Sporos::sporos Sporos::fftw)
  target_sources(sporos_compiled PRIVATE $<TARGET_OBJECTS:sporos_compiled_fftw>)
  # FFTW comes after it, whatever the order in which a program names them
  target_link_libraries(sporos_compiled INTERFACE $<LINK_ONLY:$<TARGET_NAME_IF_EXISTS:Sporos::fftw>>)
endif()
if(Sporos_ENABLE_INSTALL)
  install(TARGETS sporos_compiled EXPORT SporosTargets ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR})
  # Beside the library, as it tells what this one has.
  install(FILES "${folder}/include/Sporos_CompiledTransfers.hpp" DESTINATION ${CMAKE_INSTALL_LIBDIR}/sporos/include)
endif()
