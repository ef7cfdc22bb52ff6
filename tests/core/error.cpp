// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Sporos_Test.hpp"

#include <Sporos_Error.hpp>

#include <ostream>
#include <stdexcept>
#include <string>

namespace ErrorTest {

using Sporos::Impl::check;
using Sporos::Impl::extents;
using Sporos::Impl::text;

template <class... Args>
std::string message(bool ok, const Args&... args) {
  try {
    check(ok, "Sporos::f", "x", args...);
  } catch (const std::invalid_argument& error) {
    return error.what();
  }
  return "nothing was thrown";
}

/// Counts how often it is printed.
struct Counted {
  int* m_count;
};
std::ostream& operator<<(std::ostream& out, const Counted& counted) {
  ++*counted.m_count;
  return out << "counted";
}

TEST_CASE("a check that fails says all it knows", "[error]") {
  CHECK(message(false, "a positive number", -3) ==
        "Sporos::f: x: expected a positive number, got -3");
  CHECK(message(false, text("1 to ", 6), 7) ==
        "Sporos::f: x: expected 1 to 6, got 7");
  CHECK(message(false, "a plan") == "Sporos::f: x: expected a plan");
  CHECK(message(false, true, "entry ", 3, " is ", 2.5) ==
        "Sporos::f: x: expected true, got entry 3 is 2.5");
}

TEST_CASE("extents are printed", "[error]") {
  const Kokkos::View<double** [3]> view("view", 7, 8);
  const Kokkos::View<double> scalar("scalar");
  CHECK(message(false, "rank 2", extents(view)) ==
        "Sporos::f: x: expected rank 2, got (7, 8, 3)");
  CHECK(message(false, text("like ", extents(view)), extents(scalar)) ==
        "Sporos::f: x: expected like (7, 8, 3), got ()");
}

TEST_CASE("a check that holds prints nothing", "[error]") {
  int count = 0;
  const Counted counted{&count};
  CHECK(message(true, text(counted, 1), counted) == "nothing was thrown");
  CHECK(count == 0);
  CHECK(message(false, text(counted, 1), counted) ==
        "Sporos::f: x: expected counted1, got counted");
  CHECK(count == 2);
}

}  // namespace ErrorTest
