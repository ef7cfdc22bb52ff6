// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef SPOROS_APP_OUTPUT_HPP
#define SPOROS_APP_OUTPUT_HPP

/// \file App_Output.hpp
/// Text of numbers, and the folders of files.

#include <cstdarg>
#include <cstddef>
#include <cstdio>
#include <filesystem>
#include <stdexcept>
#include <string>
#include <system_error>

namespace AppCommon {

/// Text from a printf format.
#if defined(__GNUC__)
__attribute__((format(printf, 1, 2)))
#endif
inline std::string
formatted(const char* format, ...) {
  std::va_list arguments, again;
  va_start(arguments, format);
  va_copy(again, arguments);
  const int length = std::vsnprintf(nullptr, 0, format, arguments);
  std::string text(static_cast<std::size_t>(length), '\0');
  std::vsnprintf(text.data(), text.size() + 1, format, again);
  va_end(again);
  va_end(arguments);
  return text;
}

/// Makes the folder of an application's option --output.
/// \throws std::runtime_error that names the option, if it cannot be made
inline void make_folder(const std::string& app, const std::string& path) {
  std::error_code error;
  std::filesystem::create_directories(path, error);
  if (error || !std::filesystem::is_directory(path))
    throw std::runtime_error(app + ": --output: cannot make the folder " +
                             path + (error ? ": " + error.message() : ""));
}

}  // namespace AppCommon

#endif
