// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Sporos_Test.hpp"
#include "Sporos_WrongCalls.hpp"

#include <Sporos_Error.hpp>
#include <Sporos_ViewChecks.hpp>

#include <cstddef>
#include <ostream>
#include <set>
#include <string>

namespace ErrorTest {

using Sporos::Impl::check;
using Sporos::Impl::extents;
using Sporos::Impl::text;
using Sporos::Test::error_of;

template <class... Args>
std::string message(bool ok, const Args&... args) {
  return error_of([&] { check(ok, "Sporos::f", "x", args...); });
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

/// What check_written says of a view of these extents and strides.
std::string written(std::size_t n0, std::size_t s0, std::size_t n1,
                    std::size_t s1) {
  using View = Kokkos::View<char**, Kokkos::LayoutStride, Kokkos::HostSpace,
                            Kokkos::MemoryUnmanaged>;
  static char memory[1000];
  return error_of([&] {
    Sporos::Impl::check_written(
        "Sporos::f", "x",
        View(&memory[0], Kokkos::LayoutStride(n0, s0, n1, s1)));
  });
}

TEST_CASE("an output has a separate element for each index", "[error]") {
  const std::string accepts = "nothing was thrown";
  int refused               = 0;
  for (std::size_t n0 = 1; n0 < 5; ++n0)
    for (std::size_t n1 = 1; n1 < 5; ++n1)
      for (std::size_t s0 = 0; s0 < 8; ++s0)
        for (std::size_t s1 = 0; s1 < 8; ++s1) {
          std::set<std::size_t> elements;
          for (std::size_t i = 0; i < n0; ++i)
            for (std::size_t j = 0; j < n1; ++j)
              elements.insert(i * s0 + j * s1);
          const bool separate = elements.size() == n0 * n1;
          INFO(n0 << ", " << s0 << ", " << n1 << ", " << s1);
          const bool accepted = written(n0, s0, n1, s1) == accepts;
          CHECK((separate || !accepted));
          // a row after another, wherever they lie
          if (separate && (n0 == 1 || n1 == 1)) CHECK(accepted);
          if (separate && (s1 >= n0 * s0 || s0 >= n1 * s1)) CHECK(accepted);
          refused += !accepted;
        }
  CHECK(refused > 100);
  CHECK(written(7, 3, 7, 1) ==
        "Sporos::f: x: expected a separate element for each index, got "
        "stride(0) == 3 for extents (7, 7)");
  CHECK(written(7, 1, 7, 6) ==
        "Sporos::f: x: expected a separate element for each index, got "
        "stride(1) == 6 for extents (7, 7)");
  CHECK(written(0, 3, 7, 1) == accepts);
}

}  // namespace ErrorTest
