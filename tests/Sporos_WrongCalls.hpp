// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/// Tables of wrong calls. Each must throw the documented exception with a text
/// that says, in this order, function, argument, what is expected and what was
/// given; and nothing that the calls could write, or read, may have changed.
///
///   Untouched data;
///   data.fill(field);  // nothing may write to it
///   check_wrong_calls({{"what is wrong", [&] { spread(...); },
///                       "Sporos::spread", "field", "extent(0) == 9", "(8)"}},
///                     data, 1);
///
/// Arguments are checked on the host whatever the execution space, so that
/// these tests run on hosts alone.

#ifndef SPOROS_WRONGCALLS_HPP
#define SPOROS_WRONGCALLS_HPP

#include "Sporos_Test.hpp"

#include <cstddef>
#include <cstring>
#include <exception>
#include <functional>
#include <set>
#include <stdexcept>
#include <string>
#include <typeinfo>
#include <utility>
#include <vector>

namespace Sporos {
namespace Test {

using HostExec   = Kokkos::DefaultHostExecutionSpace;
using HostMemory = HostExec::memory_space;

struct WrongCall {
  std::string what;
  std::function<void()> call;
  std::string function, argument, expected, actual;
};

/// Memory that wrong calls leave as it is.
class Untouched {
 public:
  /// Watches n bytes as they are now.
  void watch(const void* data, std::size_t n) {
    const char* const bytes = static_cast<const char*>(data);
    m_watched.emplace_back(bytes, std::string(bytes, n));
  }
  /// Fills a view of the host with a pattern, which is no number of any test,
  /// and watches it. It has no gaps.
  template <class View>
  const View& fill(const View& view) {
    const std::size_t n = view.span() * sizeof(typename View::value_type);
    std::memset(static_cast<void*>(view.data()), 0xA5, n);
    watch(view.data(), n);
    return view;
  }
  bool holds() const {
    for (const auto& [data, bytes] : m_watched)
      if (std::memcmp(data, bytes.data(), bytes.size()) != 0) return false;
    return true;
  }

 private:
  std::vector<std::pair<const char*, std::string>> m_watched;
};

/// Does text have the parts of a row, one after another?
inline bool says_all(const std::string& text, const WrongCall& row) {
  std::size_t at = text.find(row.function + ": ");
  if (at != 0) return false;
  at = row.function.size();
  for (const std::string& part :
       {": " + row.argument, std::string("expected "), row.expected,
        std::string(", got "), row.actual}) {
    at = text.find(part, at);
    if (at == std::string::npos) return false;
    at += part.size();
  }
  return true;
}

/// What the call throws: the text, and whether the type is very Exception.
template <class Exception>
std::pair<std::string, bool> thrown_by(const std::function<void()>& call) {
  try {
    call();
  } catch (const std::exception& e) {
    return {e.what(), typeid(e) == typeid(Exception)};
  }
  return {"nothing was thrown", false};
}

/// The text of the std::invalid_argument that the call throws. (Inlined, g++
/// 12 warns of its own comparison of strings.)
[[gnu::noinline]] inline std::string error_of(
    const std::function<void()>& call) {
  try {
    call();
  } catch (const std::invalid_argument& e) {
    return e.what();
  }
  return "nothing was thrown";
}

/// The call throws very Exception with this text somewhere in its own.
template <class Exception = std::invalid_argument>
void check_refused(const std::string& text, const std::function<void()>& call) {
  const auto [got, right_type] = thrown_by<Exception>(call);
  CAPTURE(got, text);
  CHECK(right_type);
  CHECK(got.find(text) != std::string::npos);
}

/// Makes all calls of a table of at_least so many rows, each another one.
inline void check_wrong_calls(const std::vector<WrongCall>& rows,
                              const Untouched& data, std::size_t at_least) {
  CHECK(rows.size() >= at_least);
  CHECK(data.holds());
  std::set<std::string> known;
  for (const WrongCall& row : rows) {
    const auto [text, right_type] = thrown_by<std::invalid_argument>(row.call);
    INFO(row.what << "\n  throws: " << text << "\n  wanted: " << row.function
                  << ": " << row.argument << ": expected .. " << row.expected
                  << " .., got .. " << row.actual);
    CHECK(known.insert(row.function + row.what).second);
    CHECK(right_type);
    CHECK(says_all(text, row));
    CHECK(data.holds());
  }
}

}  // namespace Test
}  // namespace Sporos

#endif  // SPOROS_WRONGCALLS_HPP
