// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// What the engine refuses: sorting, segmented sums, colourings, orderings.

#include "Sporos_WrongCalls.hpp"

#include <Sporos_Coloring.hpp>
#include <Sporos_Ordering.hpp>
#include <Sporos_SegmentedReduce.hpp>
#include <Sporos_SortByKey.hpp>

#include <cstdint>
#include <vector>

namespace WrongEngineCalls {

using namespace Sporos;
using Test::HostExec;
using Test::HostMemory;
using Test::Untouched;
using Test::WrongCall;

template <class T>
using View1 = Kokkos::View<T*, HostMemory, Kokkos::MemoryUnmanaged>;
template <class T>
using View2 =
    Kokkos::View<T**, Kokkos::LayoutRight, HostMemory, Kokkos::MemoryUnmanaged>;
using Count = Kokkos::View<int, HostMemory, Kokkos::MemoryUnmanaged>;
using Keys  = View1<std::uint32_t>;
using Ints  = View1<int>;

constexpr std::size_t billions = std::size_t(1) << 31;

/// Eight keys and what is made of them, each in memory of its own.
struct Arrays {
  std::vector<std::uint32_t> key_data = {7, 7, 3, 3, 3, 9, 9, 1};
  std::vector<int> int_data           = std::vector<int>(32);
  std::vector<double> double_data     = std::vector<double>(64);
  Keys keys{key_data.data(), 8};
  Ints permutation{int_data.data(), 8}, offsets{int_data.data() + 8, 9};
  Keys unique{reinterpret_cast<std::uint32_t*>(int_data.data() + 18), 8};
  Count count{int_data.data() + 30};
  View2<double> columns{double_data.data(), 8, 3};
  View2<double> sums{double_data.data() + 32, 8, 3};
  HostExec exec{};
  Untouched untouched;

  Arrays() {
    untouched.watch(key_data.data(), 8 * sizeof(std::uint32_t));
    untouched.fill(Ints(int_data.data(), 32));
    untouched.fill(View1<double>(double_data.data(), 64));
  }
  Ints ints(std::size_t n) { return Ints(int_data.data(), n); }
  /// Memory as a view of another type, to overlap it.
  template <class T, class U>
  static T* as(U* data) {
    return reinterpret_cast<T*>(data);
  }
};

TEST_CASE("wrong calls of sort_by_key", "[wrong_calls]") {
  Arrays a;
  SortWorkspace<std::uint32_t, HostMemory> space;
  const auto sort = [&](const Keys& keys, const Ints& permutation, int bits) {
    return [&, keys, permutation, bits] {
      sort_by_key(a.exec, space, keys, permutation, bits);
    };
  };
  std::uint32_t* const k = a.key_data.data();
  const Keys no_keys(nullptr, 8), huge(k, billions);
  const Ints no_ints(nullptr, 8), over(Arrays::as<int>(k), 8),
      half_over(Arrays::as<int>(k + 7), 8);
  const std::string f = "Sporos::sort_by_key", p = "permutation";
  const std::vector<WrongCall> rows = {
      {"short", sort(a.keys, a.ints(7), 32), f, p, "extent(0) == 8", "7"},
      {"long", sort(a.keys, a.ints(9), 32), f, p, "extent(0) == 8", "9"},
      {"none", sort(a.keys, Ints(), 32), f, p, "extent(0) == 8", "0"},
      {"without keys", sort(Keys(), a.ints(1), 32), f, p, "== 0", "1"},
      {"too many", sort(huge, a.ints(billions), 32), f, "keys",
       "at most 2^31 - 1 entries", "2147483648"},
      {"bits below 0", sort(a.keys, a.ints(8), -1), f, "key_bits", "0 to 32",
       "-1"},
      {"bits over 32", sort(a.keys, a.ints(8), 33), f, "key_bits", "0 to 32",
       "33"},
      {"null keys", sort(no_keys, a.ints(8), 32), f, "keys",
       "memory for extents (8)", "a null pointer"},
      {"null permutation", sort(a.keys, no_ints, 32), f, p,
       "memory for extents (8)", "a null pointer"},
      {"one memory", sort(a.keys, over, 32), f, p, "separate from that of keys",
       "overlaps"},
      {"an entry in common", sort(a.keys, half_over, 32), f, p,
       "separate from that of keys", "overlaps"},
      {"default instance", [&] { sort_by_key(space, a.keys, a.ints(7), 32); },
       f, p, "extent(0) == 8", "7"}};
  Test::check_wrong_calls(rows, a.untouched, 12);
}

TEST_CASE("wrong calls of find_segments", "[wrong_calls]") {
  Arrays a;
  ReduceWorkspace<HostMemory> space;
  const auto find = [&](const Keys& keys, const Ints& offsets,
                        const Count& count) {
    return [&, keys, offsets, count] {
      find_segments(a.exec, space, keys, offsets, count);
    };
  };
  std::uint32_t* const k = a.key_data.data();
  const std::string f = "Sporos::find_segments", o = "offsets";
  const std::vector<WrongCall> rows = {
      {"short", find(a.keys, a.ints(8), a.count), f, o, "extent(0) >= 9", "8"},
      {"none", find(a.keys, Ints(), a.count), f, o, "extent(0) >= 9", "0"},
      {"no room for the end", find(Keys(), Ints(), a.count), f, o, ">= 1", "0"},
      {"too many", find(Keys(k, billions), a.ints(9), a.count), f,
       "sorted_keys", "at most 2^31 - 1 entries", "2147483648"},
      {"null keys", find(Keys(nullptr, 8), a.offsets, a.count), f,
       "sorted_keys", "memory for extents (8)", "a null pointer"},
      {"null offsets", find(a.keys, Ints(nullptr, 9), a.count), f, o,
       "memory for extents (9)", "a null pointer"},
      {"null count", find(a.keys, a.offsets, Count()), f, "count",
       "memory for extents ()", "a null pointer"},
      {"one memory", find(a.keys, Ints(Arrays::as<int>(k), 9), a.count), f, o,
       "separate from that of sorted_keys", "overlaps"},
      {"count in keys", find(a.keys, a.offsets, Count(Arrays::as<int>(k + 3))),
       f, "count", "separate from that of sorted_keys", "overlaps"},
      {"count in offsets", find(a.keys, a.offsets, Count(a.offsets.data() + 3)),
       f, "count", "separate from that of offsets", "overlaps"}};
  Test::check_wrong_calls(rows, a.untouched, 10);
}

struct One {
  KOKKOS_FUNCTION double operator()(int) const { return 1; }
};
struct ToView {
  View1<double> sums;
  KOKKOS_FUNCTION void operator()(int q, double s) const { sums(q) = s; }
};

TEST_CASE("wrong calls of segmented_reduce", "[wrong_calls]") {
  Arrays a;
  ReduceWorkspace<HostMemory> space;
  const ToView write{View1<double>(a.double_data.data(), 8)};
  const auto reduce = [&](std::size_t n, const Ints& offsets,
                          const Count& count) {
    return [&, n, offsets, count] {
      segmented_reduce("sum", a.exec, space, n, offsets, count, One{}, write);
    };
  };
  const std::string f               = "Sporos::segmented_reduce";
  const std::vector<WrongCall> rows = {
      {"too many", reduce(billions, a.offsets, a.count), f, "n",
       "at most 2^31 - 1", "2147483648"},
      {"no end of a segment", reduce(8, a.ints(1), a.count), f, "offsets",
       "extent(0) >= 2", "1"},
      {"null offsets", reduce(8, Ints(nullptr, 9), a.count), f, "offsets",
       "memory for extents (9)", "a null pointer"},
      {"null count", reduce(8, a.offsets, Count()), f, "count",
       "memory for extents ()", "a null pointer"}};
  Test::check_wrong_calls(rows, a.untouched, 4);
}

TEST_CASE("wrong calls of reduce_by_key", "[wrong_calls]") {
  Arrays a;
  ReduceWorkspace<HostMemory> space;
  using Table       = View2<double>;
  const auto reduce = [&](const Keys& keys, const Table& columns,
                          const Keys& unique, const Table& sums,
                          const Count& count) {
    return [&, keys, columns, unique, sums, count] {
      reduce_by_key(a.exec, space, keys, columns, unique, sums, count);
    };
  };
  std::uint32_t* const k = a.key_data.data();
  double* const d        = a.double_data.data();
  const Keys& u          = a.unique;
  const Table &c = a.columns, s = a.sums;
  const Count& n      = a.count;
  const std::string f = "Sporos::reduce_by_key", null = "a null pointer",
                    over            = "memory that overlaps it";
  const std::string memory          = "memory for extents (8, 3)";
  const std::vector<WrongCall> rows = {
      {"too many", reduce(Keys(k, billions - 1), c, u, s, n), f, "sorted_keys",
       "less than 2^31 - 1 entries", "2147483647"},
      {"rows", reduce(a.keys, Table(d, 7, 3), u, s, n), f, "columns",
       "extent(0) == 8", "7"},
      {"room for keys", reduce(a.keys, c, Keys(u.data(), 7), s, n), f, "unique",
       "extent(0) >= 8", "7"},
      {"room for sums", reduce(a.keys, c, u, Table(s.data(), 7, 3), n), f,
       "sums", "extent(0) >= 8", "7"},
      {"columns", reduce(a.keys, c, u, Table(s.data(), 8, 4), n), f, "sums",
       "extent(1) == 3", "4"},
      {"null keys", reduce(Keys(nullptr, 8), c, u, s, n), f, "sorted_keys",
       "memory for extents (8)", null},
      {"null columns", reduce(a.keys, Table(nullptr, 8, 3), u, s, n), f,
       "columns", memory, null},
      {"null unique", reduce(a.keys, c, Keys(nullptr, 8), s, n), f, "unique",
       "memory for extents (8)", null},
      {"null sums", reduce(a.keys, c, u, Table(nullptr, 8, 3), n), f, "sums",
       memory, null},
      {"null count", reduce(a.keys, c, u, s, Count()), f, "count",
       "memory for extents ()", null},
      {"keys in place", reduce(a.keys, c, a.keys, s, n), f, "unique",
       "separate from that of sorted_keys", over},
      {"keys over columns",
       reduce(a.keys, c, Keys(Arrays::as<std::uint32_t>(d), 8), s, n), f,
       "unique", "separate from that of columns", over},
      {"sums in place", reduce(a.keys, c, u, c, n), f, "sums",
       "separate from that of columns", over},
      {"sums a row on", reduce(a.keys, c, u, Table(d + 3, 8, 3), n), f, "sums",
       "separate from that of columns", over},
      {"sums over keys",
       reduce(a.keys, c, u, Table(Arrays::as<double>(k), 8, 3), n), f, "sums",
       "separate from that of sorted_keys", over},
      {"keys over sums",
       reduce(a.keys, c, Keys(Arrays::as<std::uint32_t>(s.data()), 8), s, n), f,
       "sums", "separate from that of unique", over},
      {"count in keys", reduce(a.keys, c, u, s, Count(Arrays::as<int>(k + 1))),
       f, "count", "separate from that of sorted_keys", over},
      {"count in columns",
       reduce(a.keys, c, u, s, Count(Arrays::as<int>(d + 1))), f, "count",
       "separate from that of columns", over},
      {"count in unique",
       reduce(a.keys, c, u, s, Count(Arrays::as<int>(u.data() + 7))), f,
       "count", "separate from that of unique", over},
      {"count in sums",
       reduce(a.keys, c, u, s, Count(Arrays::as<int>(s.data() + 23))), f,
       "count", "separate from that of sums", over}};
  Test::check_wrong_calls(rows, a.untouched, 20);
}

/// Items 0, 1, 2 with the targets 0 1, 1 2, 2 3.
struct Chain {
  std::vector<int> entries = {0, 1, 1, 2, 2, 3};
  TargetTable<int> table{entries.data(), 2, 2, 1, 0};
  TableTargets<int> targets{table};
  std::vector<int> color = {0, 1, 0};
  Untouched untouched;
  Chain() {
    untouched.watch(entries.data(), 6 * sizeof(int));
    untouched.watch(color.data(), 3 * sizeof(int));
  }
};

TEST_CASE("wrong calls of colourings", "[wrong_calls]") {
  Chain c;
  ColoringWorkspace space;
  const auto& t    = c.targets;
  int* const color = c.color.data();
  const std::vector<int> zeros(300);
  const TableTargets<int> one{{zeros.data(), 1, 1, 1, 0}};
  std::vector<signed char> small(300, 5);
  c.untouched.watch(small.data(), small.size());
  const std::vector<std::int64_t> wide{0, std::int64_t(1) << 40, 1};
  const std::string f = "Sporos::color_items", g = "Sporos::group_by_color",
                    v               = "Sporos::is_valid_coloring";
  const std::vector<WrongCall> rows = {
      {"items", [&] { color_items(-1, 4, t); }, f, "n_items", "at least 0",
       "-1"},
      {"targets", [&] { color_items(3, -4, t); }, f, "n_targets", "at least 0",
       "-4"},
      {"items, with a workspace", [&] { color_items(space, -1, 4, t, color); },
       f, "n_items", "at least 0", "-1"},
      {"targets, with a workspace",
       [&] { color_items(space, 3, -4, t, color); }, f, "n_targets",
       "at least 0", "-4"},
      {"items to group", [&] { group_by_color(-3, color, 2); }, g, "n_items",
       "at least 0", "-3"},
      {"colours to group", [&] { group_by_color(3, color, -2); }, g, "n_colors",
       "at least 0", "-2"},
      {"more colours than said", [&] { group_by_color(3, color, 1); }, g,
       "color", "colours in [0, 1)", "1 of item 1"},
      {"no colour yet",
       [&] {
         group_by_color(Coloring{2, {0, 1, -1}});
       },
       g, "color", "colours in [0, 2)", "-1 of item 2"},
      {"a colour of more than 32 bits",
       [&] { group_by_color(3, wide.data(), 2); }, g, "color",
       "colours in [0, 2)", "1099511627776 of item 1"},
      {"items to check", [&] { is_valid_coloring(-1, 4, t, color, 2); }, v,
       "n_items", "at least 0", "-1"},
      {"targets to check", [&] { is_valid_coloring(3, -4, t, color, 2); }, v,
       "n_targets", "at least 0", "-4"},
      {"colours to check", [&] { is_valid_coloring(3, 4, t, color, -2); }, v,
       "n_colors", "at least 0", "-2"},
      {"a target out of range",
       [&] { is_valid_coloring(3, 2, t, wide.data(), 2); }, v, "targets",
       "targets in [0, 2)", "2 of item 1"},
      {"signed char for 300 colours",
       [&] { color_items(space, 300, 1, one, small.data()); }, f, "color",
       "a type for 300 colours", "one for numbers up to 127"},
      {"unsigned char for 300 colours",
       [&] {
         color_items(space, 300, 1, one,
                     Arrays::as<unsigned char>(small.data()));
       },
       f, "color", "a type for 300 colours", "one for numbers up to 255"}};
  Test::check_wrong_calls(rows, c.untouched, 15);
}

TEST_CASE("wrong graphs", "[wrong_calls]") {
  const Untouched untouched;
  const Graph good{{0, 1, 3, 4}, {1, 0, 2, 1}};
  struct Bad {
    const char* what;
    Graph graph;
    const char *argument, *expected, *actual;
    bool one_way = false;
  };
  const std::vector<Bad> bad = {
      {"no offsets", {{}, {}}, "graph.offsets", "0 at first", "none"},
      {"a late begin", {{1, 2}, {0, 0}}, "graph.offsets", "0 at first", "1"},
      {"not ascending",
       {{0, 3, 2, 4}, {1, 0, 2, 1}},
       "graph.offsets",
       "ascending",
       "2 after 3 at 2"},
      {"a neighbour too few",
       {{0, 1, 3, 4}, {1, 0, 2}},
       "graph.neighbors",
       "size 4",
       "3"},
      {"a neighbour too many",
       {{0, 1}, {0, 0}},
       "graph.neighbors",
       "size 1",
       "2"},
      {"a neighbour that is none",
       {{0, 1, 3, 4}, {1, 0, 3, 1}},
       "graph.neighbors",
       "0 to 2",
       "3 at 2"},
      {"a negative neighbour",
       {{0, 1, 3, 4}, {1, 0, 2, -1}},
       "graph.neighbors",
       "0 to 2",
       "-1 at 3"},
      {"neighbours one way",
       {{0, 1, 2, 2}, {1, 2}},
       "graph.neighbors",
       "vertex 0 among those of 1, which is among its own",
       "none",
       true},
      {"one of three one way",
       {{0, 2, 3, 4}, {1, 2, 0, 1}},
       "graph.neighbors",
       "vertex 2 among those of 1",
       "none",
       true}};
  std::vector<WrongCall> rows;
  for (const Bad& b : bad) {
    const auto add = [&](const char* function, std::function<void()> call) {
      rows.push_back(
          {b.what, call, function, b.argument, b.expected, b.actual});
    };
    add("Sporos::reverse_cuthill_mckee",
        [&] { reverse_cuthill_mckee(b.graph); });
    add("Sporos::gibbs_poole_stockmeyer",
        [&] { gibbs_poole_stockmeyer(b.graph); });
    add("Sporos::metis_blocks", [&] { metis_blocks(b.graph, 2); });
    if (b.one_way) continue;
    add("Sporos::bandwidth", [&] { bandwidth(b.graph, {0, 1, 2}); });
    add("Sporos::profile", [&] { profile(b.graph, {0, 1, 2}); });
  }
  rows.push_back({"no block size", [&] { metis_blocks(good, 0); },
                  "Sporos::metis_blocks", "block_size", "at least 1", "0"});
  rows.push_back({"order of other vertices",
                  [&] {
                    bandwidth(good, {0, 1, 2, 3});
                  },
                  "Sporos::bandwidth", "order", "size 3", "4"});
  rows.push_back({"no order", [&] { profile(good, {}); }, "Sporos::profile",
                  "order", "size 3", "0"});
  rows.push_back({"order with one twice",
                  [&] {
                    bandwidth(good, {0, 1, 1});
                  },
                  "Sporos::bandwidth", "order", "each number below 3 once",
                  "1 at 2"});
  Test::check_wrong_calls(rows, untouched, 40);
}

TEST_CASE("wrong calls of orderings", "[wrong_calls]") {
  Chain c;
  const auto& t = c.targets;
  Blocks blocks;
  blocks.n_blocks = 2;
  blocks.block    = {0, 1, 1};
  Blocks other    = blocks;
  other.block     = {0, 1, 2};
  const std::vector<int> minus{0, 1, 1, 2, 2, -1};
  const TableTargets<int> below{{minus.data(), 2, 2, 1, 0}};
  const std::string inv = "Sporos::inverse", by = "Sporos::order_by_block",
                    targets         = "Sporos::order_by_targets",
                    writing         = "Sporos::order_by_writing_blocks",
                    items           = "Sporos::graph_of_items";
  const std::vector<WrongCall> rows = {
      {"twice",
       [&] {
         inverse({0, 1, 1});
       },
       inv, "order", "each number below 3 once", "1 at 2"},
      {"too high",
       [&] {
         inverse({0, 3, 1});
       },
       inv, "order", "each number below 3 once", "3 at 1"},
      {"negative",
       [&] {
         inverse({-1, 0, 1});
       },
       inv, "order", "each number below 3 once", "-1 at 0"},
      {"identity", [&] { identity_order(-1); }, "Sporos::identity_order", "n",
       "at least 0", "-1"},
      {"random", [&] { random_order(-2); }, "Sporos::random_order", "n",
       "at least 0", "-2"},
      {"items", [&] { order_by_targets(-3, 4, t); }, targets, "n_items",
       "at least 0", "-3"},
      {"targets", [&] { order_by_targets(3, -4, t); }, targets, "n_targets",
       "at least 0", "-4"},
      {"a negative target", [&] { order_by_targets(3, 4, below); }, targets,
       "targets", "targets in [0, 4)", "-1 of item 2"},
      {"a target too high", [&] { order_by_targets(3, 2, t); }, targets,
       "targets", "targets in [0, 2)", "2 of item 1"},
      {"a block of an item that is none",
       [&] { order_by_writing_blocks(3, 4, t, other); }, writing,
       "blocks.block", "blocks in [0, 2)", "2 of vertex 2"},
      {"items of blocks", [&] { order_by_writing_blocks(-1, 4, t, blocks); },
       writing, "n_items", "at least 0", "-1"},
      {"a negative number of blocks",
       [&] {
         order_by_block({-2, {}});
       },
       by, "blocks.n_blocks", "at least 0", "-2"},
      {"a block that is none", [&] { order_by_block(other); }, by,
       "blocks.block", "blocks in [0, 2)", "2 of vertex 2"},
      {"order of others",
       [&] {
         order_by_block(blocks, {0, 1});
       },
       by, "within", "size 3", "2"},
      {"order with one twice",
       [&] {
         order_by_block(blocks, {0, 1, 1});
       },
       by, "within", "each number below 3 once", "another list"},
      {"blocks of others", [&] { order_by_writing_blocks(2, 4, t, blocks); },
       writing, "blocks.block", "size 2", "3"},
      {"targets of blocks", [&] { order_by_writing_blocks(3, -4, t, blocks); },
       writing, "n_targets", "at least 0", "-4"},
      {"a target out of range",
       [&] { order_by_writing_blocks(3, 3, t, blocks); }, writing, "targets",
       "targets in [0, 3)", "3 of item 2"},
      {"items of a graph", [&] { graph_of_items(-1, 4, t); }, items, "n_items",
       "at least 0", "-1"},
      {"targets of a graph", [&] { graph_of_items(3, -1, t); }, items,
       "n_targets", "at least 0", "-1"},
      {"a graph's target out of range", [&] { graph_of_items(3, 2, t); }, items,
       "targets", "targets in [0, 2)", "2 of item 1"},
      {"vertices out of range", [&] { graph_of_targets(3, 3, t); },
       "Sporos::graph_of_targets", "targets", "targets in [0, 3)",
       "3 of item 2"}};
  Test::check_wrong_calls(rows, c.untouched, 20);
}

}  // namespace WrongEngineCalls
