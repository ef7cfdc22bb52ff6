// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef SPOROS_APP_MAIN_HPP
#define SPOROS_APP_MAIN_HPP

/// \file App_Main.hpp
/// The main function of the applications.

#include "App_Job.hpp"

#include <Kokkos_Core.hpp>

#include <algorithm>
#include <exception>
#include <iostream>

namespace AppCommon {

/// Prints a report. \returns are all of its checks met?
template <class Report>
bool print_and_check(const Report& report) {
  print(report, std::cout);
  const auto all = checks(report);
  return std::all_of(all.begin(), all.end(),
                     [](const auto& check) { return check.ok; });
}

/// Parses the command line and prints its help, or runs the application, on all
/// ranks of the job.
/// \param parse, print_help of the application
/// \param run takes the options, between Kokkos' initialisation and its end;
///        returns whether all is as it should be
/// \returns the exit code that --help tells
template <class Parse, class PrintHelp, class Run>
int run_main(int argc, char** argv, const Parse& parse,
             const PrintHelp& print_help, const Run& run) {
  const Job job(argc, argv);
  try {
    const auto options = parse(argc, argv);
    if (options.help) {
      print_help(std::cout);
      return 0;
    }
    Kokkos::ScopeGuard kokkos(argc, argv);
    const bool ok = run(options);
    return options.check && !ok ? 1 : 0;
  } catch (const std::exception& error) {
    return job.failed(error.what());
  }
}

}  // namespace AppCommon

#endif
