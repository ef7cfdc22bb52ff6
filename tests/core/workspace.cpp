// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Sporos_Test.hpp"

#include <Sporos_Workspace.hpp>

#include <cstddef>

namespace WorkspaceTest {

using Sporos::WorkspaceView;
using Sporos::Test::Spaces;

TEMPLATE_LIST_TEST_CASE("a workspace only grows", "[workspace]", Spaces) {
  using Memory = typename TestType::memory_space;
  const TestType exec{};
  WorkspaceView<double, Memory> workspace("Sporos::test::workspace");
  CHECK(workspace.bytes() == 0);
  CHECK(workspace.require(exec, 0).extent(0) == 0);
  CHECK(workspace.bytes() == 0);

  const auto hundred = workspace.require(exec, 100);
  CHECK(hundred.extent(0) == 100);
  CHECK(hundred.label() == "Sporos::test::workspace");
  CHECK(workspace.bytes() == 100 * sizeof(double));

  const auto ten = workspace.require(exec, 10);
  CHECK(ten.extent(0) == 10);
  CHECK(ten.data() == hundred.data());
  CHECK(workspace.require(exec, 100).data() == hundred.data());
  CHECK(workspace.capacity() == 100);

  // a little more than before: a quarter more, for the next steps too
  CHECK(workspace.require(exec, 101).extent(0) == 101);
  CHECK(workspace.capacity() == 125);
  CHECK(workspace.require(exec, 500).extent(0) == 500);
  CHECK(workspace.bytes() == 500 * sizeof(double));
}

TEMPLATE_LIST_TEST_CASE("a copy of a workspace is independent when it grows",
                        "[workspace]", Spaces) {
  using Memory = typename TestType::memory_space;
  const TestType exec{};
  WorkspaceView<int, Memory> workspace;
  const auto before                = workspace.require(exec, 8);
  WorkspaceView<int, Memory> other = workspace;
  CHECK(other.require(exec, 8).data() == before.data());
  other.require(exec, 80);
  CHECK(workspace.require(exec, 8).data() == before.data());
  CHECK(workspace.capacity() == 8);
}

}  // namespace WorkspaceTest
