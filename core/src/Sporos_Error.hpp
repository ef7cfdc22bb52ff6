// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef SPOROS_ERROR_HPP
#define SPOROS_ERROR_HPP

/// \file Sporos_Error.hpp
/// Precondition checks. A failed check throws std::invalid_argument; its text
/// names the function, the argument, the expected and the actual value:
/// "Sporos::spread: strengths: expected extent(0) == 10, got 9".

#include <Sporos_KokkosCompat.hpp>

#include <cstddef>
#include <exception>
#include <sstream>
#include <stdexcept>
#include <string>

namespace Sporos {
namespace Impl {

/// A value of any type that streams take, without its type: messages differ in
/// many types, and each would be a function to compile. Refers to the value:
/// use it within one expression. Explicit, so that other streams of values do
/// not take it.
struct TextPart {
  const void* value;
  void (*print)(std::ostream&, const void*);

  explicit TextPart(const char* s)
      : value(s), print([](std::ostream& out, const void* v) {
          out << static_cast<const char*>(v);
        }) {}
  template <class T>
  explicit TextPart(const T& t)
      : value(&t), print([](std::ostream& out, const void* v) {
          out << *static_cast<const T*>(v);
        }) {}
};

inline std::ostream& operator<<(std::ostream& out, const TextPart& part) {
  part.print(out, part.value);
  return out;
}

/// text("extent(0) == ", n): values that are printed one after another if a
/// check fails.
template <int N>
struct Text {
  TextPart parts[N];
};

template <class... Parts>
Text<int(sizeof...(Parts))> text(const Parts&... parts) {
  return {{TextPart(parts)...}};
}

template <int N>
std::ostream& operator<<(std::ostream& out, const Text<N>& t) {
  for (const TextPart& part : t.parts) out << part;
  return out;
}

/// The extents of a view, printed as "(3, 4)" if a check fails.
struct Extents {
  int rank;
  std::size_t extent[8];
};

template <class View>
Extents extents(const View& view) {
  Extents e{view_rank_v<View>, {}};
  for (int d = 0; d < e.rank; ++d) e.extent[d] = view.extent(d);
  return e;
}

inline std::ostream& operator<<(std::ostream& out, const Extents& e) {
  out << '(';
  for (int d = 0; d < e.rank; ++d) out << (d == 0 ? "" : ", ") << e.extent[d];
  return out << ')';
}

[[noreturn, gnu::noinline, gnu::cold]] inline void throw_parts(
    const char* function, const char* argument, const TextPart* parts, int n) {
  std::ostringstream out;
  out << std::boolalpha << function << ": " << argument << ": expected "
      << parts[0];
  if (n > 1) out << ", got ";
  for (int i = 1; i < n; ++i) out << parts[i];
  throw std::invalid_argument(out.str());
}

template <class... Parts>
[[noreturn]] void throw_invalid(const char* function, const char* argument,
                                const Parts&... parts) {
  const TextPart all[] = {TextPart(parts)...};
  throw_parts(function, argument, all, int(sizeof...(Parts)));
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

#endif
