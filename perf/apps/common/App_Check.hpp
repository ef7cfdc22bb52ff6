// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef SPOROS_APP_CHECK_HPP
#define SPOROS_APP_CHECK_HPP

/// \file App_Check.hpp
/// What must hold at the end of a run.

#include <ostream>
#include <string>
#include <vector>

namespace AppCommon {

/// One thing that must hold at the end of a run.
struct Check {
  std::string name;
  bool ok;
  std::string text;  ///< value and limit
};

/// Prints the rest of the line of checks in a report: each with ok or FAILED.
inline void print_checks(const std::vector<Check>& checks, std::ostream& out) {
  for (const Check& c : checks)
    out << ' ' << c.name << (c.ok ? " ok" : " FAILED (" + c.text + ")") << ';';
  out << '\n';
}

}  // namespace AppCommon

#endif
