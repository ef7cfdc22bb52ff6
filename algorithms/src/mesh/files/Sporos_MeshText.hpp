// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef SPOROS_MESHTEXT_HPP
#define SPOROS_MESHTEXT_HPP

/// \file Sporos_MeshText.hpp
/// Numbers as text, and files of them.

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <cstddef>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <stdexcept>
#include <string>
#include <system_error>
#include <type_traits>

namespace Sporos {
namespace Impl {

// Standard libraries before GCC 11 convert integers only.
#if defined(__cpp_lib_to_chars)
#define SPOROS_MESHTEXT_CHARCONV
#endif

/// Reads a number as C and C++ write it at the beginning of [at, end); text
/// after `end` is a 0. What is too small becomes 0, what is too large infinite.
/// \return where it ends, or null
template <class T>
const char* parse_plain_number(const char* at, const char* end, T& value) {
#ifndef SPOROS_MESHTEXT_CHARCONV
  if constexpr (std::is_floating_point<T>::value) {
    char* stop = nullptr;
    if (at == end || std::strchr(" \t\r\n+", *at)) return nullptr;
    value = std::strtod(at, &stop);
    return stop == at ? nullptr : stop;
  } else
#endif
  {
    const std::from_chars_result result = std::from_chars(at, end, value);
    if constexpr (std::is_floating_point<T>::value) {
      if (result.ec == std::errc::result_out_of_range) {
        char* stop = nullptr;
        value      = std::strtod(at, &stop);
        return stop == result.ptr ? stop : nullptr;  // not so in some locales
      }
    }
    return result.ec == std::errc() ? result.ptr : nullptr;
  }
}

inline bool is_one_of(const char* letters, char c) {
  return c != '\0' && std::strchr(letters, c) != nullptr;
}

/// Reads a number with an exponent as Fortran writes it: 0.5D+00, 0.5Q+00, or
/// 0.5-100 where the exponent has three digits.
/// \param mantissa where the exponent begins
/// \return where the number ends, or null
[[gnu::cold, gnu::noinline]] inline const char* parse_fortran_number(
    const char* at, const char* mantissa, const char* end, double& value) {
  const bool letter = is_one_of("DdQq", *mantissa);
  if (!letter && std::find(at, mantissa, '.') == mantissa) return nullptr;
  const char* const digits = letter ? mantissa + 1 : mantissa;
  const char* stop =
      digits < end && is_one_of("+-", *digits) ? digits + 1 : digits;
  while (stop < end && *stop >= '0' && *stop <= '9') ++stop;
  const std::string text =
      std::string(at, mantissa) + 'e' + std::string(digits, stop);
  const char* const text_end = text.data() + text.size();
  return parse_plain_number(text.data(), text_end, value) == text_end ? stop
                                                                      : nullptr;
}

/// Reads a number at the beginning of [at, end), as C, C++ or Fortran write it;
/// text after `end` is a 0. What is too small becomes 0, what is too large
/// infinite. \return where it ends, or null
template <class T>
const char* parse_number(const char* at, const char* end, T& value) {
  if (end - at > 1 && *at == '+' && at[1] != '-') ++at;
  const char* const stop = parse_plain_number(at, end, value);
  if constexpr (std::is_floating_point<T>::value)
    if (stop != nullptr && stop != end && is_one_of("DdQq+-", *stop))
      return parse_fortran_number(at, stop, end, value);
  return stop;
}

inline void append_number(std::string& to, int value) {
  char digits[16];
  to.append(digits, std::to_chars(digits, digits + sizeof digits, value).ptr);
}

/// The shortest text that is read as the same number again.
inline void append_number(std::string& to, double value) {
  char digits[40];
#ifdef SPOROS_MESHTEXT_CHARCONV
  to.append(digits, std::to_chars(digits, digits + sizeof digits, value).ptr);
#else
  to.append(digits,
            std::size_t(std::snprintf(digits, sizeof digits, "%.17g", value)));
#endif
}

struct CloseFile {
  void operator()(std::FILE* file) const { std::fclose(file); }
};
using FileHandle = std::unique_ptr<std::FILE, CloseFile>;

[[noreturn]] inline void throw_file_error(const char* function,
                                          const std::string& path,
                                          const char* what) {
  const std::string reason =
      errno == 0 ? "" : std::string(": ") + std::strerror(errno);
  throw std::runtime_error(std::string(function) + ": cannot " + what + ' ' +
                           path + reason);
}

inline std::string whole_file(const char* function, const std::string& path) {
  const FileHandle file(std::fopen(path.c_str(), "rb"));
  if (!file) throw_file_error(function, path, "open");
  std::string text;
  std::size_t size = 0;
  do {
    text.resize(std::max(std::size_t(1) << 16, 2 * size));
    size += std::fread(&text[size], 1, text.size() - size, file.get());
  } while (size == text.size());
  if (std::ferror(file.get())) throw_file_error(function, path, "read");
  text.resize(size);
  return text;
}

}  // namespace Impl
}  // namespace Sporos

#undef SPOROS_MESHTEXT_CHARCONV

#endif
