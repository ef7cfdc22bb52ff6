// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/// \file
/// Precondition checks. A failed check throws std::invalid_argument; its text
/// names the function, the argument, the expected and the actual value:
/// "Sporos::spread: strengths: expected extent(0) == 10, got 9".

#ifndef SPOROS_ERROR_HPP
#define SPOROS_ERROR_HPP

#include "Sporos_KokkosCompat.hpp"

#include <cstddef>
#include <exception>
#include <sstream>
#include <stdexcept>
#include <string>
#include <tuple>
#include <utility>

namespace Sporos {
namespace Impl {

/// Values that are printed one after another if a check fails. Holds
/// references: use it within one expression.
template <class... Parts>
struct Text {
  std::tuple<const Parts&...> parts;
};

/// text("extent(0) == ", n): the parts of a message, not yet a string.
template <class... Parts>
Text<Parts...> text(const Parts&... parts) {
  return Text<Parts...>{std::tuple<const Parts&...>(parts...)};
}

template <class... Parts>
std::ostream& operator<<(std::ostream& out, const Text<Parts...>& t) {
  std::apply([&](const auto&... part) { ((out << part), ...); }, t.parts);
  return out;
}

/// The extents of a view, printed as "(3, 4)" if a check fails.
template <class View>
struct ExtentsText {
  const View& view;
};

template <class View>
ExtentsText<View> extents(const View& view) {
  return ExtentsText<View>{view};
}

template <class View>
std::ostream& operator<<(std::ostream& out, const ExtentsText<View>& t) {
  out << '(';
  for (int d = 0; d < view_rank_v<View>; ++d)
    out << (d == 0 ? "" : ", ") << t.view.extent(d);
  return out << ')';
}

template <class Expected, class... Actual>
[[noreturn, gnu::noinline, gnu::cold]] void throw_invalid(
    const char* function, const char* argument, const Expected& expected,
    const Actual&... actual) {
  std::ostringstream out;
  out << std::boolalpha << function << ": " << argument << ": expected "
      << expected;
  if constexpr (sizeof...(Actual) > 0) {
    out << ", got ";
    ((out << actual), ...);
  }
  throw std::invalid_argument(out.str());
}

/// Throws std::invalid_argument unless ok. `expected` is a printable value, for
/// instance text(...); all of `actual` is printed after "got". Formats nothing
/// if ok.
template <class Expected, class... Actual>
inline void check(bool ok, const char* function, const char* argument,
                  const Expected& expected, const Actual&... actual) {
  if (!ok) throw_invalid(function, argument, expected, actual...);
}

/// The text of the exception that a callable throws; empty if it throws none.
template <class Callable>
std::string thrown_text(const Callable& call) {
  try {
    call();
  } catch (const std::exception& e) {
    return *e.what() != '\0' ? e.what() : "an error without a text";
  }
  return {};
}

/// Throws for an empty handle: default-constructed or moved from.
inline void check_handle(bool made, const char* function,
                         const char* argument) {
  check(made, function, argument, "an initialised handle",
        "one that was default-constructed or moved from");
}

}  // namespace Impl
}  // namespace Sporos

#endif  // SPOROS_ERROR_HPP
