// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Matrices of distributed meshes: owned rows are those of one process, with
// the same bits where the mesh has any_ranks; products, boundary conditions,
// global numbers, wrong calls.
#include "Sporos_MatrixCases.hpp"
#include "Sporos_RankMeshes.hpp"
#include "Sporos_Refused.hpp"

#include <Sporos_DatVectors.hpp>
#include <Sporos_DistributedMatrix.hpp>
#include <Sporos_Test.hpp>

#include <algorithm>
#include <cstdint>
#include <map>
#include <utility>
#include <vector>

namespace MatricesOnRanks {

using namespace Sporos;
using namespace Sporos::Test;
using Exec   = RankExec;
using Memory = Exec::memory_space;
template <class T, int N>
using Values = Dat<T, N, Kokkos::LayoutRight, Memory>;

namespace {

/// Sums of these depend on their order.
template <class T>
std::vector<T> rough_values(std::size_t n, unsigned seed) {
  auto values = small_values<T>(n, seed);
  for (std::size_t k = 0; k < n; ++k)
    values[k] = values[k] / T(7) + T(k % 11) * T(0.013);
  return values;
}

/// A matrix and its loop, in one process or as one of the ranks.
template <class T, int Rows, int Columns, int R, int C>
struct Side {
  Set from, rows, columns;
  Map<Rows, Memory> row_map;
  Map<Columns, Memory> column_map;
  Map<1, Memory> wall_row;
  Map<2, Memory> wall_columns;
  Values<T, 1> w, x, y;
  Values<T, C> u;
  Values<T, R> v;
  Sparsity<Memory> sparsity{};
  Mat<T, R, C, Memory> mat{};

  /// The matrix, and its product with u in v. searched: positions are searched
  /// for, not stored
  template <class Range>
  void run(const Range& range, const LoopOptions& options,
           bool searched = false) {
    sparsity = Sparsity<Memory>(
        Exec{}, "sparsity", {{wall_row, wall_columns}, {row_map, column_map}});
    mat             = Mat<T, R, C, Memory>(Exec{}, "mat", sparsity);
    const auto loop = [&](const auto& a) {
      par_loop("couple", Exec{}, range, options,
               Couple<T, Rows, Columns, R, C>{}, read(w), read(x, column_map),
               a, inc(y, row_map));
    };
    const auto a = inc(mat, row_map, column_map);
    if (searched)
      loop(with_search(a));
    else
      loop(a);
    multiply(Exec{}, mat, u, v);
    Exec{}.fence();
  }
};

using Row = std::map<std::int64_t, std::vector<double>>;

/// The blocks of some rows, by global numbers.
template <class T, int R, int C>
std::vector<std::pair<std::int64_t, Row>> rows_of(
    const Mat<T, R, C, Memory>& mat, const std::vector<std::int64_t>& rows,
    const std::vector<std::int64_t>& columns) {
  const auto offsets = Sporos::Impl::on_host(mat.sparsity().row_offsets());
  const auto numbers = Sporos::Impl::on_host(mat.sparsity().columns());
  const auto values  = Sporos::Impl::on_host(mat.values());
  std::vector<std::pair<std::int64_t, Row>> all;
  for (std::size_t r = 0; r < std::size_t(mat.sparsity().row_set().owned());
       ++r) {
    all.push_back({rows[r], {}});
    for (auto k = std::size_t(offsets(r)); k < std::size_t(offsets(r + 1)); ++k)
      for (std::size_t c = 0; c < R * C; ++c)
        all.back().second[columns[std::size_t(numbers(k))]].push_back(
            double(values(k * R * C + c)));
  }
  return all;
}

std::vector<std::int64_t> count_to(int n) {
  std::vector<std::int64_t> all(static_cast<std::size_t>(n));
  std::iota(all.begin(), all.end(), 0);
  return all;
}

/// Meshes with random maps. Square: rows and columns are one set.
template <class T, int Rows, int Columns, int R, int C, bool Square>
struct RankMatrix {
  using SideType = Side<T, Rows, Columns, R, C>;
  Communicator comm{MPI_COMM_WORLD};
  int n, n_rows, n_columns, n_walls;
  bool rough;
  std::vector<int> row_entries, column_entries, wall_rows, wall_columns;
  std::vector<T> w, x, u;
  GlobalMesh global{comm};
  GlobalSet from, rows, columns, walls;
  GlobalMap<Rows> row_map;
  GlobalMap<Columns> column_map;
  GlobalMap<1> wall_row;
  GlobalMap<2> wall_column;
  GlobalDat<T, 1> global_w, global_x;
  GlobalDat<T, C> global_u;
  SideType whole;

  RankMatrix(int elements, int of_rows, int of_columns, bool is_rough)
      : n(elements),
        n_rows(of_rows),
        n_columns(Square ? of_rows : of_columns),
        n_walls(n_rows > 0 && n_columns > 0 ? 9 : 0),
        rough(is_rough),
        row_entries(random_entries(n, Rows, n_rows, 5)),
        column_entries(Square ? row_entries
                              : random_entries(n, Columns, n_columns, 6)),
        wall_rows(random_entries(n_walls, 1, n_rows, 7)),
        wall_columns(random_entries(n_walls, 2, n_columns, 8)),
        w(values(std::size_t(n), 1)),
        x(values(std::size_t(n_columns), 2)),
        u(values(std::size_t(n_columns) * C, 3)) {
    from    = set("from", n);
    rows    = set("rows", n_rows);
    columns = Square ? rows : set("columns", n_columns);
    walls   = set("walls", n_walls);
    row_map =
        global.map<Rows>("row_map", from, rows, block(comm, row_entries, Rows));
    column_map = global.map<Columns>("column_map", from, columns,
                                     block(comm, column_entries, Columns));
    wall_row =
        global.map<1>("wall_row", walls, rows, block(comm, wall_rows, 1));
    wall_column = global.map<2>("wall_columns", walls, columns,
                                block(comm, wall_columns, 2));
    global_w    = global.dat<T, 1>("w", from, block(comm, w, 1));
    global_x    = global.dat<T, 1>("x", columns, block(comm, x, 1));
    global_u    = global.dat<T, C>("u", columns, block(comm, u, C));
    const Set s("from", n), r("rows", n_rows),
        c = Square ? r : Set("columns", n_columns), b("walls", n_walls);
    whole = {s,
             r,
             c,
             Map<Rows, Memory>("row_map", s, r, row_entries),
             Map<Columns, Memory>("column_map", s, c, column_entries),
             Map<1, Memory>("wall_row", b, r, wall_rows),
             Map<2, Memory>("wall_columns", b, c, wall_columns),
             Values<T, 1>("w", s, w),
             Values<T, 1>("x", c, x),
             Values<T, 1>("y", r),
             Values<T, C>("u", c, u),
             Values<T, R>("v", r)};
  }
  std::vector<T> values(std::size_t count, unsigned seed) const {
    return rough ? rough_values<T>(count, seed) : small_values<T>(count, seed);
  }
  GlobalSet set(const std::string& name, int size) {
    return global.set(name,
                      std::int64_t(block(comm, count_to(size), 1).size()));
  }
  DistributedMesh<Exec> parts(const GlobalSet& dealt, Deal deal,
                              const DistributeOptions& options) const {
    const int size = dealt.index == from.index ? n : n_rows;
    return distribute(Exec{}, global,
                      MeshPartition::given(dealt, ranks_of(comm, deal, size)),
                      options);
  }
  SideType side(const DistributedMesh<Exec>& mesh) const {
    return {mesh.set(from),        mesh.set(rows),
            mesh.set(columns),     mesh.map(row_map),
            mesh.map(column_map),  mesh.map(wall_row),
            mesh.map(wall_column), mesh.dat(global_w),
            mesh.dat(global_x),    Values<T, 1>("y", mesh.set(rows)),
            mesh.dat(global_u),    Values<T, R>("v", mesh.set(rows))};
  }

  /// Owned rows and products are those of one process, with the same bits.
  void check_same(const DistributedMesh<Exec>& mesh, const SideType& s) const {
    const auto ours =
        rows_of(s.mat, mesh.global_numbers(rows), mesh.global_numbers(columns));
    const auto all = rows_of(whole.mat, count_to(n_rows), count_to(n_columns));
    bool same      = true;
    for (const auto& [number, row] : ours)
      same = same && row == all[std::size_t(number)].second;
    CHECK(same);
    CHECK(mesh.to_blocks(rows, s.v) == block(comm, whole.v.to_host(), R));
    CHECK(mesh.to_blocks(rows, s.y) == block(comm, whole.y.to_host(), 1));
  }
};

/// All ways to deal elements out, and orders.
template <class Case>
void check_deals(Case& c) {
  LoopOptions options;
  options.any_ranks = c.rough;
  c.whole.run(c.whole.from, options);
  for (const Deal deal : deals)
    for (const bool by_rows : {true, false}) {
      CAPTURE(int(deal), by_rows);
      DistributeOptions o;
      o.any_ranks = c.rough;
      if (!by_rows) o.reorder = {};
      const auto mesh = c.parts(by_rows ? c.rows : c.from, deal, o);
      auto side       = c.side(mesh);
      side.run(side.from, c.rough ? LoopOptions{} : options);
      c.check_same(mesh, side);
      CHECK(side.sparsity.owned_nonzeros() <= side.sparsity.nonzeros().size());
      side.y = decltype(side.y)("y", side.rows);
      side.run(side.from, c.rough ? LoopOptions{} : options, true);
      c.check_same(mesh, side);
      if (c.rough) continue;
      for (const auto strategy :
           {LoopStrategy::serial, LoopStrategy::global_coloring,
            LoopStrategy::gather}) {
        LoopOptions with;
        with.strategy       = strategy;
        with.check_disjoint = true;
        side.y              = decltype(side.y)("y", side.rows);
        side.run(side.from, with);
        c.check_same(mesh, side);
      }
    }
}

}  // namespace

TEST_CASE("matrices on ranks are those of one process") {
  RankMatrix<double, 2, 3, 2, 1, false> c(90, 40, 30, false);
  check_deals(c);
  RankMatrix<double, 3, 3, 1, 1, true> few(3, 2, 2, false),
      none(0, 2, 2, false);
  check_deals(few);
  check_deals(none);
}

TEST_CASE("matrices have the same bits at any number of ranks") {
  RankMatrix<double, 3, 3, 1, 1, true> c(300, 40, 40, true);
  check_deals(c);
  RankMatrix<float, 2, 3, 1, 2, false> d(300, 40, 30, true);
  check_deals(d);
}

TEST_CASE("products on ranks fill the halo of x, and loops over subsets") {
  RankMatrix<double, 3, 3, 1, 1, true> c(90, 40, 40, false);
  std::vector<int> list;
  for (int e = 88; e >= 0; e -= 3) list.push_back(e);
  c.whole.run(Subset<Memory>("some", c.whole.from, list), {});
  for (const Deal deal : deals) {
    const auto mesh    = c.parts(c.rows, deal, {});
    auto side          = c.side(mesh);
    const auto numbers = mesh.global_numbers(c.from);
    std::vector<int> local;
    for (std::size_t i = 0; i < numbers.size(); ++i)
      if (numbers[i] % 3 == 1) local.push_back(int(i));
    side.run(Subset<Memory>("some", side.from, local), {});
    c.check_same(mesh, side);
    // v = A A A 2 u, in turn from halos that are out of date
    const auto before = c.whole.v.to_host();
    for (auto* s : {&side, &c.whole}) {
      scale(Exec{}, 2, s->u);
      multiply(Exec{}, s->mat, s->u, s->v);
      multiply(Exec{}, s->mat, s->v, s->u);
      multiply(s->mat, s->u, s->v);
    }
    c.check_same(mesh, side);
    c.whole.u.assign(c.u);
    c.whole.v.assign(before);
  }
}

/// rough: with any_ranks. Sums depend on their order where three terms or more
/// are taken from a row.
static void check_zeroed(bool rough, const std::vector<int>& fixed) {
  RankMatrix<double, 3, 3, 1, 1, true> c(90, 40, 40, rough);
  const auto fix = [](auto& s, const std::vector<int>& rows,
                      const LoopOptions& options) {
    s.sparsity =
        Sparsity<Memory>(Exec{}, "sparsity", {{s.row_map, s.row_map}}, {true});
    s.mat = Mat<double, 1, 1, Memory>("mat", s.sparsity);
    par_loop("couple", Exec{}, s.from, options, Couple<double, 3, 3, 1, 1>{},
             read(s.w), read(s.x, s.row_map), inc(s.mat, s.row_map, s.row_map),
             inc(s.y, s.row_map));
    const Subset<Memory> wall("wall", s.rows, rows);
    scale(Exec{}, 3, s.u);  // its halo is out of date
    zero_rows_columns(Exec{}, s.mat, wall, 5, s.u, s.v);
  };
  const auto is_fixed = [&](std::int64_t number) {
    return std::find(fixed.begin(), fixed.end(), number) != fixed.end();
  };
  LoopOptions options;
  options.any_ranks = rough;
  fix(c.whole, fixed, options);
  for (const Deal deal : deals) {
    DistributeOptions o;
    o.any_ranks        = rough;
    const auto mesh    = c.parts(c.rows, deal, o);
    auto side          = c.side(mesh);
    const auto numbers = mesh.global_numbers(c.rows);
    std::vector<int> wall;
    for (std::size_t i = 0; i < numbers.size(); ++i)
      if (is_fixed(numbers[i])) wall.push_back(int(i));
    fix(side, wall, {});
    c.check_same(mesh, side);
    set_diagonal(Exec{}, side.mat, 7);
    zero_rows(Exec{}, side.mat, Subset<Memory>("wall", side.rows, wall), 9);
    const auto all = rows_of(side.mat, numbers, numbers);
    for (const auto& [number, row] : all)
      CHECK(row.at(number).front() == (is_fixed(number) ? 9 : 7));
  }
}

TEST_CASE("rows of matrices on ranks are zeroed by their owners") {
  check_zeroed(false, {1, 5, 6, 30, 39});
}

TEST_CASE("zeroed rows have the same bits at any number of ranks") {
  std::vector<int> fixed;
  for (int k = 0; k < 40; ++k)
    if (k % 3 != 1) fixed.push_back(k);
  check_zeroed(true, fixed);
}

TEST_CASE("rows have global numbers for solvers") {
  RankMatrix<double, 2, 3, 1, 1, false> c(90, 40, 30, false);
  for (const Deal deal : deals) {
    const auto mesh = c.parts(c.rows, deal, {});
    auto side       = c.side(mesh);
    side.run(side.from, {});
    const auto of_rows    = solver_numbers(Exec{}, mesh, c.rows);
    const auto of_columns = solver_numbers(Exec{}, mesh, c.columns);
    const auto rows  = global_rows(Exec{}, side.sparsity, of_rows, of_columns);
    const auto owned = std::size_t(side.rows.owned());
    // of each global element
    const Dat<std::int64_t, 1> d("numbers", side.columns, of_columns);
    auto ours      = mesh.to_blocks(c.columns, d);
    const int mine = int(ours.size()), ranks = c.comm.size();
    std::vector<int> counts(static_cast<std::size_t>(ranks)), first(counts);
    MPI_Allgather(&mine, 1, MPI_INT, counts.data(), 1, MPI_INT, c.comm.mpi());
    for (std::size_t r = 1; r < counts.size(); ++r)
      first[r] = first[r - 1] + counts[r - 1];
    std::vector<std::int64_t> all(30);
    MPI_Allgatherv(ours.data(), mine, MPI_INT64_T, all.data(), counts.data(),
                   first.data(), MPI_INT64_T, c.comm.mpi());
    auto sorted = all;
    std::sort(sorted.begin(), sorted.end());
    CHECK(sorted == count_to(30));
    const auto host_columns = Sporos::Impl::on_host(rows.columns);
    const auto columns      = Sporos::Impl::on_host(side.sparsity.columns());
    REQUIRE(host_columns.extent(0) ==
            std::size_t(side.sparsity.owned_nonzeros()));
    bool same          = true;
    const auto numbers = mesh.global_numbers(c.columns);
    for (std::size_t k = 0; k < host_columns.extent(0); ++k)
      same = same && host_columns(k) ==
                         all[std::size_t(numbers[std::size_t(columns(k))])];
    CHECK(same);
    const auto host_rows = Sporos::Impl::on_host(rows.numbers);
    const auto offsets   = Sporos::Impl::on_host(rows.offsets);
    REQUIRE(host_rows.extent(0) == owned);
    for (std::size_t r = 1; r < owned; ++r)
      same = same && host_rows(r) == host_rows(r - 1) + 1;
    CHECK(same);
    CHECK(offsets(0) == 0);
    CHECK(offsets(owned) == side.sparsity.owned_nonzeros());
  }
}

TEST_CASE("matrices on ranks refuse wrong calls") {
  RankMatrix<double, 2, 3, 1, 1, false> c(300, 140, 30, false);
  const auto mesh = c.parts(c.rows, Deal::blocks, {});
  auto side       = c.side(mesh);
  side.run(side.from, {});
  const auto refused = [](const std::string& text, const auto& call) {
    check_refused_on_ranks(text, call);
  };
  const Map<2, Memory> by_hand(
      "by_hand", side.from, side.rows,
      std::vector<int>(std::size_t(side.from.size()) * 2, 0));
  refused("expected maps of the mesh that was distributed",
          [&] { Sparsity<Memory>("sparsity", by_hand, side.column_map); });
  refused("expected maps of the mesh that was distributed", [&] {
    par_loop("couple", Exec{}, side.from, Couple<double, 2, 3, 1, 1>{},
             read(side.w), read(side.x, side.column_map),
             inc(side.mat, by_hand, side.column_map), inc(side.y, by_hand));
  });
  refused("or pairs of maps of a distributed mesh", [&] {
    Sparsity<Memory>(Exec{}, "sparsity", side.rows, side.columns,
                     side.sparsity.row_offsets(), side.sparsity.columns());
  });
  refused("expected a dat on columns",
          [&] { multiply(Exec{}, side.mat, side.v, side.v); });
  refused("expected a dat on rows", [&] {
    multiply(Exec{}, side.mat, side.u, Values<double, 1>("v", side.columns));
  });
  refused("rows and columns are of one set",
          [&] { set_diagonal(Exec{}, side.mat, 1); });
  const Sparsity<Memory> without("without", side.wall_row, side.wall_columns);
  const Mat<double, 1, 1, Memory> lacking("lacking", without);
  LoopOptions together;  // on all ranks if one does
  together.check_disjoint = true;
  refused("entries that the sparsity without has", [&] {
    par_loop(
        "couple", Exec{}, side.from, together, Couple<double, 2, 3, 1, 1>{},
        read(side.w), read(side.x, side.column_map),
        inc(lacking, side.row_map, side.column_map), inc(side.y, side.row_map));
  });
  refused("default-constructed", [&] {
    par_loop("couple", Exec{}, Subset<Memory>(), together,
             Couple<double, 2, 3, 1, 1>{}, read(side.w),
             read(side.x, side.column_map),
             inc(side.mat, side.row_map, side.column_map),
             inc(side.y, side.row_map));
  });
  const Kokkos::View<std::int64_t*, Memory> few("few", 3);
  const auto numbers = solver_numbers(Exec{}, mesh, c.columns);
  refused("row_numbers: expected a number for each of the",
          [&] { global_rows(Exec{}, side.sparsity, few, numbers); });
  refused("at most 127 elements for numbers of 1 bytes",
          [&] { solver_numbers<std::int8_t>(Exec{}, mesh, c.rows); });
  GlobalMesh other(c.comm);
  const auto later = other.set("later", 1);
  refused("one of another mesh", [&] { solver_numbers(Exec{}, mesh, later); });
  refused("default-constructed", [&] {
    multiply(Exec{}, Mat<double, 1, 1, Memory>(), side.u, side.v);
  });
}

}  // namespace MatricesOnRanks
