// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef SPOROS_APP_WHOLEFILE_HPP
#define SPOROS_APP_WHOLEFILE_HPP

/// \file App_WholeFile.hpp
/// Files that are whole or not there.

#include <filesystem>
#include <stdexcept>
#include <string>
#include <system_error>

namespace AppCommon {

/// Writes a file that has its name when it is complete; before, ".part"
/// follows.
/// \param write takes the name to write to; returns what went wrong, empty if
///        nothing
/// \throws std::runtime_error that names the file that cannot be written
template <class Write>
void write_whole(const std::string& path, const Write& write) {
  const std::string part = path + ".part";
  std::string why        = write(part);
  std::error_code error;
  if (why.empty()) std::filesystem::rename(part, path, error);
  if (error) why = error.message();
  if (why.empty()) return;
  std::filesystem::remove(part, error);
  throw std::runtime_error("cannot write " + path + ": " + why);
}

}  // namespace AppCommon

#endif
