// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Sporos_Test.hpp"
#include "Sporos_ToolsRecorder.hpp"

#include <Sporos_Workspace.hpp>

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

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

  const Sporos::Test::Recorder recorder;
  const auto hundred = workspace.require(exec, 100);
  CHECK(hundred.extent(0) == 100);
  CHECK(Sporos::Test::events.allocations ==
        std::vector<std::string>{"Sporos::test::workspace"});
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

/// Larger than a word, and no multiple of it.
struct Triple {
  float x[3];
};

TEMPLATE_LIST_TEST_CASE("entries of all types fit in the words of a workspace",
                        "[workspace]", Spaces) {
  using Memory = typename TestType::memory_space;
  const TestType exec{};
  WorkspaceView<std::uint16_t, Memory> small;
  CHECK(small.require(exec, 5).extent(0) == 5);
  CHECK(small.bytes() == 16);
  CHECK(small.capacity() == 8);
  WorkspaceView<Triple, Memory> large;
  CHECK(large.require(exec, 5).extent(0) == 5);
  CHECK(large.bytes() == 64);
  CHECK(large.capacity() == 5);
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
