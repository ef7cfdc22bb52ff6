// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// What sparsities, matrices and loops that assemble them refuse.

#include "Sporos_MatrixCases.hpp"
#include "Sporos_WrongCalls.hpp"

#include <string>
#include <utility>
#include <vector>

namespace WrongMatrices {

using namespace Sporos;
using Test::chain_entries;
using Test::HostExec;
using Test::HostMemory;
using Test::Untouched;
using Test::WrongCall;

using Values  = Dat<double, 1, Kokkos::LayoutRight, HostMemory>;
using Matrix  = Mat<double, 1, 1, HostMemory>;
using Couples = Sparsity<HostMemory>;
using Rows    = Subset<HostMemory>;

struct AddOne {
  KOKKOS_FUNCTION void operator()(MatInc<double, 2, 2> a) const {
    a(0, 1) += 1;
  }
};
struct SetOne {
  KOKKOS_FUNCTION void operator()(MatWrite<double, 2, 2> a) const {
    a(0, 1) = 1;
  }
};

/// A chain of ten edges, the nodes of another one, and their matrix.
struct Chain {
  const HostExec exec{};
  const Set edges{"edges", 10}, nodes{"nodes", 11}, others{"others", 11},
      cells{"cells", 10};
  const Map<2, HostMemory> ends{"ends", edges, nodes, chain_entries(10)},
      to_others{"to_others", edges, others, chain_entries(10)},
      of_cells{"of_cells", cells, nodes, chain_entries(10)},
      far{"far", edges, nodes, with_last_of({{6, 0}})},
      some{"some", edges, nodes, with_last_of({{2, -1}}),
           MissingEntries::allowed},
      some_far{"some_far", edges, nodes, with_last_of({{2, -1}, {6, 0}}),
               MissingEntries::allowed},
      none;
  const Couples sparsity{"chain", ends, ends}, wide{"wide", ends, to_others};
  const Matrix mat{"A", sparsity}, rectangular{"B", wide};
  Untouched untouched;

  /// The chain with other second ends of some elements.
  static std::vector<int> with_last_of(
      const std::vector<std::pair<int, int>>& others) {
    auto all = chain_entries(10);
    for (const auto& [e, end] : others) all[std::size_t(2 * e + 1)] = end;
    return all;
  }
  Chain() {
    untouched.fill(mat.values());
    untouched.fill(rectangular.values());
  }
};

const std::string made = "an initialised handle", not_made = "default-";

TEST_CASE("wrong sparsities", "[wrong_calls]") {
  const Chain c;
  using Offsets = Kokkos::View<int*, HostMemory>;
  using Numbers = Kokkos::View<int*, HostMemory>;
  const Set rows("rows", 2), columns("columns", 3);
  const auto view = [](const std::vector<int>& v) {
    const Numbers all("all", v.size());
    std::copy(v.begin(), v.end(), all.data());
    return all;
  };
  const auto mine = [&](const std::vector<int>& offsets,
                        const std::vector<int>& numbers) {
    return [=] {
      Couples(c.exec, "mine", rows, columns, view(offsets), view(numbers));
    };
  };
  const auto pairs = [&](const auto&... more) {
    return [=] { Couples("chain", {{c.ends, c.ends}, more...}); };
  };
  using Pair          = MapPair<HostMemory>;
  const std::string f = "Sporos::Sparsity", at = f + "::positions",
                    right =
                        "offsets from 0 that do not descend, and in each "
                        "row ascending columns in [0, 3)";
  const std::vector<WrongCall> calls = {
      {"no pair", [&] { Couples("chain", Couples::pairs_type{}); }, f, "chain",
       "a pair of maps or more", "none"},
      {"a map of nothing", [&] { Couples("chain", c.ends, c.none); }, f,
       "chain", made, not_made},
      {"maps from two sets", [&] { Couples("chain", c.ends, c.of_cells); }, f,
       "chain", "two maps from one set, edges (size 10)",
       "a column map from cells (size 10)"},
      {"rows of another set", pairs(Pair(c.to_others, c.ends)), f, "chain",
       "a row map to nodes (size 11)", "one to others (size 11)"},
      {"columns of another set", pairs(Pair(c.ends, c.to_others)), f, "chain",
       "a column map to nodes (size 11)", "one to others (size 11)"},
      {"a diagonal of two sets",
       [&] { Couples("chain", c.ends, c.to_others, {true}); }, f, "chain",
       "rows and columns of one set where options.diagonal is set",
       "nodes and others"},
      {"few offsets", mine({0, 2}, {0, 1}), f, "mine", "offsets(3)", "(2)"},
      {"another last offset", mine({0, 1, 3}, {0, 1}), f, "mine",
       "a last offset of 2, the number of columns", "3"},
      {"offsets from 1", mine({1, 1, 2}, {0, 1}), f, "mine", right,
       "others in row 0"},
      {"offsets that descend", mine({0, 3, 2}, {0, 1}), f, "mine", right,
       "others in row 0"},
      {"a column twice", mine({0, 0, 2}, {1, 1}), f, "mine", right,
       "others in row 1"},
      {"a column that descends", mine({0, 1, 3}, {0, 2, 1}), f, "mine", right,
       "others in row 1"},
      {"a column beyond the set", mine({0, 2, 2}, {1, 3}), f, "mine", right,
       "others in row 0"},
      {"a column below 0", mine({0, 2, 2}, {-1, 3}), f, "mine", right,
       "others in row 0"},
      {"null columns",
       [&] {
         Couples(c.exec, "mine", rows, columns, view({0, 0, 1}),
                 Numbers(nullptr, 1));
       },
       f, "mine", "memory for extents (1)", "a null pointer"},
      {"null offsets",
       [&] {
         Couples(c.exec, "mine", rows, columns, Offsets(nullptr, 3), view({1}));
       },
       f, "mine", "memory for extents (3)", "a null pointer"},
      {"a sparsity of nothing", [] { Couples().columns(); }, f, "sparsity",
       made, not_made},
      {"positions that are nowhere",
       [&] { c.sparsity.positions(c.exec, c.ends, c.far); }, at, "chain",
       "entries that the sparsity chain has",
       "row 6, column 0 of element 6 of edges"},
      {"positions that are nowhere, behind missing ones",
       [&] { c.sparsity.positions(c.exec, c.some_far, c.some_far); }, at,
       "chain", "entries that the sparsity chain has",
       "row 6, column 0 of element 6 of edges"},
      {"positions of other columns",
       [&] { c.sparsity.positions(c.exec, c.ends, c.to_others); }, at, "chain",
       "a column map to nodes (size 11)", "one to others (size 11)"},
      {"values of another number",
       [&] { Matrix("A", c.sparsity, Matrix::view_type("values", 30)); },
       "Sporos::Mat", "A", "values(31), 1 x 1 for each non-zero", "(30)"},
      {"null values",
       [&] { Matrix("A", c.sparsity, Matrix::view_type(nullptr, 31)); },
       "Sporos::Mat", "A", "memory for extents (31)", "a null pointer"},
      {"a matrix of nothing", [] { Matrix("A", Couples()); }, f, "sparsity",
       made, not_made}};
  check_wrong_calls(calls, c.untouched, 23);
}

TEST_CASE("wrong loops with matrices", "[wrong_calls]") {
  const Chain c;
  const auto run = [&](const auto& set, const auto&... rest) {
    return [=] { par_loop("loop", HostExec{}, set, rest...); };
  };
  LoopOptions checked;
  checked.check_disjoint = true;
  const LoopPlan<HostExec> of_stored(c.exec, c.edges, {},
                                     inc(c.mat, c.ends, c.ends));
  const std::string loop = "Sporos::par_loop", in_loop = loop + "(loop)";
  const std::vector<WrongCall> calls = {
      {"a matrix of nothing",
       run(c.edges, AddOne{}, inc(Matrix(), c.ends, c.ends)), in_loop,
       "inc(, ends, ends)", made, not_made},
      {"a map of nothing", run(c.edges, AddOne{}, inc(c.mat, c.ends, c.none)),
       in_loop, "inc(A, ends, )", made, not_made},
      {"rows of another set",
       run(c.edges, AddOne{}, inc(c.mat, c.to_others, c.ends)), in_loop,
       "inc(A, to_others, ends)", "a row map to nodes (size 11)",
       "one to others (size 11)"},
      {"columns of another set",
       run(c.edges, AddOne{}, inc(c.mat, c.ends, c.to_others)), in_loop,
       "inc(A, ends, to_others)", "a column map to nodes (size 11)",
       "one to others (size 11)"},
      {"maps from two sets",
       run(c.edges, AddOne{}, inc(c.mat, c.ends, c.of_cells)), in_loop,
       "inc(A, ends, of_cells)", "two maps from one set, edges (size 10)",
       "a column map from cells (size 10)"},
      {"an entry that is not there",
       run(c.edges, AddOne{}, inc(c.mat, c.far, c.far)), in_loop,
       "inc(A, far, far)", "entries that the sparsity chain has",
       "row 6, column 0 of element 6 of edges"},
      {"an entry that is not there, behind missing ones",
       run(c.edges, AddOne{}, with_missing(inc(c.mat, c.some_far, c.ends))),
       in_loop, "inc(A, some_far, ends)", "entries that the sparsity chain has",
       "row 0, column 6 of element 6 of edges"},
      {"an entry that a search does not find",
       run(c.edges, AddOne{}, with_search(inc(c.mat, c.far, c.far))), in_loop,
       "inc(A, far, far, searched)", "entries that the sparsity chain has",
       "row 6, column 0 of element 6 of edges"},
      {"an entry that a search does not find, behind missing ones",
       run(c.edges, AddOne{},
           with_search(with_missing(inc(c.mat, c.some_far, c.ends)))),
       in_loop, "inc(A, some_far, ends, searched)",
       "entries that the sparsity chain has",
       "row 0, column 6 of element 6 of edges"},
      {"a search by a map of nothing",
       run(c.edges, AddOne{}, with_search(inc(c.mat, c.ends, c.none))), in_loop,
       "inc(A, ends, , searched)", made, not_made},
      {"a search in a matrix of nothing",
       run(c.edges, AddOne{}, with_search(inc(Matrix(), c.ends, c.ends))),
       in_loop, "inc(, ends, ends, searched)", made, not_made},
      {"a search in columns of another set",
       run(c.edges, AddOne{}, with_search(inc(c.mat, c.ends, c.to_others))),
       in_loop, "inc(A, ends, to_others, searched)",
       "a column map to nodes (size 11)", "one to others (size 11)"},
      {"a search in missing rows without with_missing",
       run(c.edges, AddOne{}, with_search(inc(c.mat, c.some, c.ends))), in_loop,
       "argument 0, inc(A, some, ends, searched)", "with_missing(...)",
       "one without"},
      {"a write that searches without the promise",
       run(c.edges, SetOne{}, with_search(write(c.mat, c.ends, c.ends))),
       in_loop, "argument 0, write(A, ends, ends, searched)",
       "the promise that no target is written twice", "none"},
      {"a broken promise of a write that searches",
       run(c.edges, checked, SetOne{},
           with_search(write(c.mat, c.ends, c.ends, disjoint))),
       in_loop, "argument 0, write(A, ends, ends, searched)",
       "disjoint targets, as promised", "target 3 of elements 0 and 1"},
      {"a search over another set",
       run(c.cells, AddOne{}, with_search(inc(c.mat, c.ends, c.ends))), in_loop,
       "argument 0, inc(A, ends, ends, searched)",
       "a map from the set of the loop, cells (size 10)",
       "a map from edges (size 10)"},
      {"a plan for stored positions",
       run(c.edges, of_stored, AddOne{},
           with_search(inc(c.mat, c.ends, c.ends))),
       in_loop, "plan",
       "one whose argument 0 is inc through map ends, ends, searched",
       "inc through map ends, ends, 1 x 8 bytes"},
      {"missing rows without with_missing",
       run(c.edges, AddOne{}, inc(c.mat, c.some, c.ends)), in_loop,
       "argument 0, inc(A, some, ends)", "with_missing(...)", "one without"},
      {"missing columns without with_missing",
       run(c.edges, SetOne{}, write(c.mat, c.ends, c.some, disjoint)), in_loop,
       "argument 0, write(A, ends, some)", "with_missing(...)", "one without"},
      {"a write of missing entries without the promise",
       run(c.edges, SetOne{}, with_missing(write(c.mat, c.some, c.some))),
       in_loop, "argument 0, write(A, some, some)",
       "the promise that no target is written twice", "none"},
      {"a broken promise behind missing entries",
       run(c.edges, checked, SetOne{},
           with_missing(write(c.mat, c.some, c.some, disjoint))),
       in_loop, "argument 0, write(A, some, some)",
       "disjoint targets, as promised", "target 3 of elements 0 and 1"},
      {"a loop over another set",
       run(c.cells, AddOne{}, inc(c.mat, c.ends, c.ends)), in_loop,
       "argument 0, inc(A, ends, ends)",
       "a map from the set of the loop, cells (size 10)",
       "a map from edges (size 10)"},
      {"a write without the promise",
       run(c.edges, SetOne{}, write(c.mat, c.ends, c.ends)), in_loop,
       "argument 0, write(A, ends, ends)",
       "the promise that no target is written twice", "none"},
      {"a promise that is broken",
       run(c.edges, checked, SetOne{}, write(c.mat, c.ends, c.ends, disjoint)),
       in_loop, "argument 0, write(A, ends, ends)",
       "disjoint targets, as promised", "target 3 of elements 0 and 1"},
      {"a plan of an entry that is not there",
       [&] { LoopPlan<HostExec>(c.exec, c.edges, {}, inc(c.mat, c.far, c.far)); },
       loop, "inc(A, far, far)", "entries that the sparsity chain has",
       "row 6, column 0 of element 6 of edges"},
      {"a matrix beside its dat",
       run(c.edges, Test::Couple<double, 2, 2, 1, 1>{},
           read(Values("w", c.edges)), read(Values("x", c.nodes), c.ends),
           inc(c.mat, c.ends, c.ends), inc(Values("y", c.others), c.ends)),
       in_loop, "argument 3, inc(y, ends)", "a dat on the target set",
       "others (size 11)"}};
  check_wrong_calls(calls, c.untouched, 26);
}

TEST_CASE("wrong calls on matrices", "[wrong_calls]") {
  const Chain c;
  const Values x("x", c.nodes), y("y", c.nodes), z("z", c.others), none;
  const Rows one("one", c.nodes, std::vector<int>{3}), no_rows,
      other("other", c.others, std::vector<int>{3});
  // without the entry of row 4 on the diagonal
  const Map<1, HostMemory> from_edges(
      "own", c.edges, c.nodes, std::vector<int>{0, 1, 2, 3, 10, 5, 6, 7, 8, 9});
  const Couples holes("holes", from_edges, from_edges);
  const Matrix gaps("G", holes);
  const Rows fourth("fourth", c.nodes, std::vector<int>{3, 4});
  Untouched untouched = c.untouched;
  untouched.fill(gaps.values());
  untouched.fill(x.view());
  untouched.fill(y.view());
  untouched.fill(z.view());
  const std::string sd = "Sporos::set_diagonal", zr = "Sporos::zero_rows",
                    zc = "Sporos::zero_rows_columns", mu = "Sporos::multiply",
                    with  = "a sparsity with the diagonal of these rows",
                    lacks = "holes, which lacks that of row ",
                    two   = "a matrix whose rows and columns are of one set",
                    nodes = "a dat on nodes (size 11)",
                    on_others        = "one on others (size 11)";
  const std::vector<WrongCall> calls = {
      {"zero of nothing", [] { zero(Matrix()); }, "Sporos::zero", "mat", made,
       not_made},
      {"a diagonal of nothing", [] { set_diagonal(Matrix(), 1); }, sd, "mat",
       made, not_made},
      {"no diagonal", [&] { set_diagonal(gaps, 1); }, sd, "G", with,
       lacks + "4"},
      {"a diagonal of two sets", [&] { set_diagonal(c.rectangular, 1); }, sd,
       "B", two, "one of nodes and others"},
      {"a diagonal on another set", [&] { set_diagonal(c.mat, z); }, sd,
       "diagonal", nodes, on_others},
      {"a diagonal of no dat", [&] { set_diagonal(c.mat, none); }, sd,
       "diagonal", made, not_made},
      {"rows of nothing", [&] { zero_rows(c.mat, no_rows, 1); }, zr, "rows",
       made, not_made},
      {"rows of another set", [&] { zero_rows(c.mat, other, 1); }, zr, "rows",
       "a subset of nodes (size 11)", "one of others (size 11)"},
      {"rows without a diagonal", [&] { zero_rows(gaps, fourth, 1); }, zr, "G",
       with, lacks + "4"},
      {"rows of two sets", [&] { zero_rows(c.rectangular, one, 1); }, zr, "B",
       two, "one of nodes and others"},
      {"a component beyond the block", [&] { zero_rows(c.mat, one, 1, 1); }, zr,
       "component", "one in [0, 1), or all_components", "1"},
      {"a component below 0", [&] { zero_rows(c.mat, one, 1, -2); }, zr,
       "component", "one in [0, 1), or all_components", "-2"},
      {"rows and columns of another set",
       [&] { zero_rows_columns(c.mat, other, 1); }, zc, "rows",
       "a subset of nodes (size 11)", "one of others (size 11)"},
      {"rows and columns without a diagonal",
       [&] { zero_rows_columns(gaps, fourth, 1, x, y); }, zc, "G", with,
       lacks + "4"},
      {"rows and columns of two sets",
       [&] { zero_rows_columns(c.rectangular, one, 1); }, zc, "B", two,
       "one of nodes and others"},
      {"given values on another set",
       [&] { zero_rows_columns(c.mat, one, 1, z, y); }, zc, "x", nodes,
       on_others},
      {"a right-hand side on another set",
       [&] { zero_rows_columns(c.mat, one, 1, x, z); }, zc, "b", nodes,
       on_others},
      {"one dat for both", [&] { zero_rows_columns(c.mat, one, 1, x, x); }, zc,
       "b", "memory separate from that of x", "memory that overlaps it"},
      {"a product of nothing", [&] { multiply(Matrix(), x, y); }, mu, "mat",
       made, not_made},
      {"a product of no dat", [&] { multiply(c.mat, none, y); }, mu, "x", made,
       not_made},
      {"a product from another set", [&] { multiply(c.mat, z, y); }, mu, "x",
       nodes, on_others},
      {"a product to another set", [&] { multiply(c.mat, x, z); }, mu, "y",
       nodes, on_others},
      {"a product onto itself", [&] { multiply(c.mat, x, x); }, mu, "y",
       "memory separate from that of x", "memory that overlaps it"}};
  check_wrong_calls(calls, untouched, 23);
}

}  // namespace WrongMatrices
