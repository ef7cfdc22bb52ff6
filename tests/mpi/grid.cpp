// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Blocks of a grid on many ranks, and their ghost layers.
#include <Sporos_GhostExchange.hpp>
#include <Sporos_Test.hpp>

#include "Sporos_Refused.hpp"
#include "Sporos_TestArray.hpp"

#include <algorithm>
#include <array>
#include <string>
#include <vector>

namespace GridOnRanks {

using namespace Sporos;
using Test::check_refused_on_ranks;
using Exec   = Kokkos::DefaultExecutionSpace;
using Memory = Exec::memory_space;

namespace {

/// A number for each grid point and component, small enough to be exact.
double number(int i, int j, int k, int c) {
  return i + 100. * j + 10000. * k + 1000000. * c;
}

template <int Dim>
Grid<Dim> make_grid(const std::array<int, 3>& cells, int walls) {
  Kokkos::Array<int, Dim> n;
  Kokkos::Array<double, Dim> h;
  Kokkos::Array<Boundary, Dim> boundary;
  for (int d = 0; d < Dim; ++d) {
    n[d]        = cells[d];
    h[d]        = .5;
    boundary[d] = walls >> d & 1 ? Boundary::wall : Boundary::periodic;
  }
  return Grid<Dim>(n, h, boundary);
}

/// f(index in the block's field, number of the grid point, is it owned?) for
/// all grid points; ghosts beyond walls have negative numbers. None without a
/// block: what is in its ghost layers stays.
template <int Dim, class F>
void for_each_point(const DistributedGrid<Dim>& blocks, const Staggering& g,
                    const F& f) {
  if (!blocks.has_block()) return;
  int e[3] = {1, 1, 1}, first[3] = {0, 0, 0}, m[3] = {1, 1, 1};
  int n[3] = {1, 1, 1}, ghosts[3] = {0, 0, 0};
  for (int d = 0; d < Dim; ++d) {
    e[d]      = blocks.extent(d, g[d]);
    first[d]  = blocks.first(d) - blocks.ghosts();
    m[d]      = blocks.grid().points(d, g[d]);
    n[d]      = blocks.points(d, g[d]);
    ghosts[d] = blocks.ghosts();
  }
  for (int i = 0; i < e[0]; ++i)
    for (int j = 0; j < e[1]; ++j)
      for (int k = 0; k < e[2]; ++k) {
        const std::array<int, 3> at{i, j, k};
        std::array<int, 3> p;
        bool owned = true;
        for (int d = 0; d < 3; ++d) {
          p[d]  = first[d] + at[d];
          owned = owned && at[d] >= ghosts[d] && at[d] < ghosts[d] + n[d];
          if (p[d] >= 0 && p[d] < m[d]) continue;
          const bool wall =
              d < Dim && blocks.grid().boundary(d) == Boundary::wall;
          p[d] = wall ? -1 : (p[d] + m[d]) % m[d];
        }
        f(at, p, owned);
      }
}

template <class View>
auto at(const View& view, const std::array<int, 3>& i, int c)
    -> decltype(view.data()[0])& {
  constexpr int rank = Impl::view_rank_v<View>;
  if constexpr (rank == 2) return view(i[0], c);
  if constexpr (rank == 3) return view(i[0], i[1], c);
  if constexpr (rank == 4) return view(i[0], i[1], i[2], c);
}

template <class T, int Dim, class Layout>
void check_ghosts(const DistributedGrid<Dim>& blocks, const Staggering& g) {
  using Field =
      Kokkos::View<typename Test::DataType<T, Dim + 1>::type, Layout, Memory>;
  const auto field = Test::make_field<Field>(
      [&](int d) { return d < Dim ? blocks.extent(d, g[d]) : 2; });
  const auto host = Kokkos::create_mirror_view(field);
  for_each_point(blocks, g, [&](auto i, auto p, bool owned) {
    for (int c = 0; c < 2; ++c)
      at(host, i, c) = T(owned ? number(p[0], p[1], p[2], c) : -5.);
  });
  Kokkos::deep_copy(field, host);
  fill_ghosts_start(Exec{}, blocks, g, field);
  fill_ghosts_finish(Exec{}, blocks, g, field);
  Kokkos::deep_copy(host, field);
  int wrong = 0;
  for_each_point(blocks, g, [&](auto i, auto p, bool) {
    const bool none = p[0] < 0 || p[1] < 0 || p[2] < 0;
    for (int c = 0; c < 2; ++c)
      wrong +=
          at(host, i, c) != T(none ? -5. : number(p[0], p[1], p[2], c)) ? 1 : 0;
  });
  CHECK(wrong == 0);

  // each grid point gets one, and its number, from every block that has it
  for_each_point(blocks, g, [&](auto i, auto p, bool) {
    const bool none = p[0] < 0 || p[1] < 0 || p[2] < 0;
    at(host, i, 0)  = T(1);
    at(host, i, 1)  = T(none ? 1. : number(p[0], p[1], p[2], 1));
  });
  Kokkos::deep_copy(field, host);
  add_ghosts(Exec{}, blocks, g, field);
  Kokkos::deep_copy(host, field);
  double sum = 0, all = 0;
  for_each_point(blocks, g, [&](auto i, auto p, bool owned) {
    const bool none = p[0] < 0 || p[1] < 0 || p[2] < 0;
    if (!none) all += 1;
    if (!owned) return;
    sum += double(at(host, i, 0));
    if (at(host, i, 1) != at(host, i, 0) * T(number(p[0], p[1], p[2], 1)))
      ++wrong;
  });
  CHECK(wrong == 0);
  const double mine[2] = {sum, all};
  double total[2]      = {0, 0};
  MPI_Allreduce(mine, total, 2, MPI_DOUBLE, MPI_SUM, blocks.comm().mpi());
  CHECK(total[0] == total[1]);
}

template <int Dim>
void check_all(const std::array<int, 3>& cells) {
  const Communicator comm(MPI_COMM_WORLD);
  for (int walls = 0; walls < 1 << Dim; ++walls) {
    DistributedGridOptions<Dim> options;
    options.ghosts = 2;
    const DistributedGrid<Dim> blocks(comm, make_grid<Dim>(cells, walls),
                                      options);
    INFO(blocks.describe());
    check_ghosts<double, Dim, Kokkos::LayoutRight>(blocks, Grid<Dim>::node());
    check_ghosts<float, Dim, Kokkos::LayoutLeft>(blocks, Grid<Dim>::face(0));
  }
}

}  // namespace

TEST_CASE("ghost layers in one direction") { check_all<1>({29, 1, 1}); }
TEST_CASE("ghost layers in two directions") { check_all<2>({37, 12, 1}); }
TEST_CASE("ghost layers in three directions") { check_all<3>({36, 9, 7}); }

TEST_CASE("every cell has one owner, which the position tells") {
  const Communicator comm(MPI_COMM_WORLD);
  const DistributedGrid<2> blocks(comm, make_grid<2>({40, 30, 1}, 2));
  int cells = blocks.cells(0) * blocks.cells(1), all = 0;
  MPI_Allreduce(&cells, &all, 1, MPI_INT, MPI_SUM, comm.mpi());
  CHECK(all == 40 * 30);
  for (int i = -40; i < 80; ++i)
    for (int j = 0; j < 30; ++j) {
      const int p    = (i + 40) % 40;
      const int rank = blocks.owner({(i + .25) * .5, (j + .75) * .5});
      const bool mine =
          p >= blocks.first(0) && p < blocks.first(0) + blocks.cells(0) &&
          j >= blocks.first(1) && j < blocks.first(1) + blocks.cells(1);
      REQUIRE((rank == comm.rank()) == mine);
    }
  CHECK(blocks.owner({1., -3.}) == blocks.owner({1., .1}));
  CHECK_THROWS_AS(blocks.owner({std::nan(""), 0.}), std::invalid_argument);
}

TEST_CASE("blocks are not thinner than the ghost layers if they need not be") {
  const auto blocks_of = [](int ranks, const std::array<int, 3>& cells) {
    return Impl::blocks_of("f", ranks, make_grid<2>(cells, 0),
                           DistributedGridOptions<2>())
        .count;
  };
  const auto balanced = blocks_of(16, {256, 16, 1});
  CHECK((balanced[0] == 4 && balanced[1] == 4));
  const auto slabs = blocks_of(16, {256, 8, 1});  // thinner: 4 x 4
  CHECK((slabs[0] == 16 && slabs[1] == 1));
  const auto two_rows = blocks_of(16, {30, 7, 1});  // slabs: thinner, too
  CHECK((two_rows[0] == 8 && two_rows[1] == 2));
  const auto others = blocks_of(16, {5, 256, 1});
  CHECK((others[0] == 1 && others[1] == 16));
}

TEST_CASE("on small grids the last ranks have no block if none fits") {
  const auto blocks_of = [](int ranks, const std::array<int, 3>& cells,
                            int walls = 0) {
    return Impl::blocks_of("f", ranks, make_grid<2>(cells, walls),
                           DistributedGridOptions<2>())
        .count;
  };
  const auto prime = blocks_of(7, {16, 16, 1});
  CHECK((prime[0] == 3 && prime[1] == 2));
  const auto one = blocks_of(2, {4, 4, 1});
  CHECK((one[0] == 1 && one[1] == 1));
  // a ring of 7 cells is not cut: plans would refuse it
  const auto thin = blocks_of(5, {7, 9, 1});
  CHECK((thin[0] == 1 && thin[1] == 3));
  const auto walls = blocks_of(5, {7, 9, 1}, 3);
  CHECK((walls[0] == 2 && walls[1] == 2));
}

TEST_CASE("ranks without a block take part in all calls") {
  const Communicator comm(MPI_COMM_WORLD);
  for (const int n : {4, 16}) {
    const DistributedGrid<2> blocks(comm, make_grid<2>({n, n, 1}, n == 4));
    INFO(blocks.describe());
    const int used = blocks.blocks(0) * blocks.blocks(1);
    CHECK(blocks.has_block() == (comm.rank() < used));
    CHECK((blocks.describe().find("have none, since") != std::string::npos) ==
          (used < comm.size()));
    int cells = blocks.cells(0) * blocks.cells(1), all = 0;
    MPI_Allreduce(&cells, &all, 1, MPI_INT, MPI_SUM, comm.mpi());
    CHECK(all == n * n);
    if (!blocks.has_block()) {
      CHECK(blocks.points(0, 0.) == 0);
      CHECK(blocks.extent(1, .5) == 2 * blocks.ghosts());
    }
    for (const Staggering& g : {Grid<2>::node(), Grid<2>::face(0)})
      check_ghosts<double, 2, Kokkos::LayoutRight>(blocks, g);
  }
}

TEST_CASE("points of ghost layers travel in the order of memory") {
  const Communicator comm(MPI_COMM_WORLD);
  const DistributedGrid<2> blocks(comm, make_grid<2>({40, 30, 1}, 0));
  const std::array<int, 2> n{blocks.points(0, 0.), blocks.points(1, 0.)};
  for (const bool first_fastest : {false, true}) {
    const Impl::GhostLists<2> lists(blocks.grid(), blocks.all_blocks(),
                                    comm.rank(), n, 3, blocks.all_layers(),
                                    first_fastest);
    const std::vector<int>& list = lists.receive.begin()->second;
    CHECK(list[1] - list[0] == (first_fastest ? blocks.extent(1, 0.) : 1));
  }
}

TEST_CASE("given cuts, slabs, one message for each neighbour") {
  const Communicator comm(MPI_COMM_WORLD);
  DistributedGridOptions<2> options;
  for (int b = 0; b <= comm.size(); ++b)
    options.cuts[1].push_back(b == 0 ? 0 : 4 * b + b % 2 * (b < comm.size()));
  options.blocks = {1, 0};
  options.ghosts = 2;
  const DistributedGrid<2> blocks(
      comm, make_grid<2>({5, 4 * comm.size(), 1}, 0), options);
  CHECK(blocks.blocks(0) == 1);
  CHECK(blocks.blocks(1) == comm.size());
  CHECK(blocks.first(1) == options.cuts[1][comm.rank()]);
  check_ghosts<double, 2, Kokkos::LayoutRight>(blocks, Grid<2>::node());
  for (const auto& kind : blocks.memory(Exec()).kept)
    for (const auto& kept : kind.second)
      CHECK(kept.exchange.messages_sent() ==
            std::size_t(comm.size() > 2 ? 2 : comm.size() - 1));
}

TEST_CASE("faces travel in one exchange") {
  const Communicator comm(MPI_COMM_WORLD);
  const DistributedGrid<2> blocks(comm, make_grid<2>({36, 32, 1}, 2));
  using Field = Kokkos::View<double**, Memory>;
  Kokkos::Array<Field, 2> faces;
  for (int k = 0; k < 2; ++k) {
    const auto g = Grid<2>::face(k);
    faces[k] = Field("face", blocks.extent(0, g[0]), blocks.extent(1, g[1]));
    const auto host = Kokkos::create_mirror_view(faces[k]);
    for_each_point(blocks, g, [&](auto i, auto p, bool owned) {
      host(i[0], i[1]) = owned ? number(p[0], p[1], 0, k) : -5.;
    });
    Kokkos::deep_copy(faces[k], host);
  }
  fill_ghosts(Exec{}, blocks, on_faces(faces));
  for (int k = 0; k < 2; ++k) {
    const auto host = Test::host_copy(faces[k]);
    int wrong       = 0;
    for_each_point(blocks, Grid<2>::face(k), [&](auto i, auto p, bool) {
      wrong += host(i[0], i[1]) != (p[1] < 0 ? -5. : number(p[0], p[1], 0, k))
                   ? 1
                   : 0;
    });
    CHECK(wrong == 0);
  }
}

TEST_CASE("wrong blocks and fields are refused on all ranks") {
  const Communicator comm(MPI_COMM_WORLD);
  const int size    = comm.size();
  const auto grid   = make_grid<2>({40, 40, 1}, 0);
  using Options     = DistributedGridOptions<2>;
  using Blocks      = DistributedGrid<2>;
  const auto refuse = [&](const char* text, const Options& o,
                          const Grid<2>& on) {
    check_refused_on_ranks(text, [&] { Blocks(comm, on, o); });
  };
  Options o;
  o.ghosts = 0;
  refuse("options.ghosts: expected at least one ghost layer", o, grid);
  o.ghosts = 41;
  refuse("of the thinnest block", o, grid);
  o        = Options();
  o.blocks = {size + 1, 1};
  refuse("options.blocks: expected numbers whose product", o, grid);
  o.blocks = {-1, 1};
  refuse("a number of blocks, or 0", o, grid);
  o.blocks  = {0, 0};
  o.cuts[0] = {0, 30, 20, 40};
  refuse("options.cuts: expected ascending numbers from 0 to 40", o, grid);
  o.cuts[0] = {0, 20};
  refuse("options.cuts: expected ascending numbers from 0 to 40", o, grid);
  o.cuts[0]   = {0, 40};
  o.blocks[0] = 2;
  refuse("the blocks of options.cuts", o, grid);
  refuse("a grid with cells", Options(), Grid<2>());
  check_refused_on_ranks("initialised handle", [&] { Blocks().cells(0); });
  check_refused_on_ranks("initialised handle",
                         [&] { Blocks(Communicator(), grid); });
  if (size > 1) {
    o        = Options();
    o.ghosts = comm.rank() == size - 1 ? 2 : 3;
    refuse("what rank 0 has, on all ranks", o, grid);
    const int shift = comm.rank() == 0 ? 0 : 1;
    o               = Options();
    o.ghosts        = 1;
    o.cuts[0]       = {0};
    for (int k = 1; k < size; ++k)
      o.cuts[0].push_back(40 * k / size + (k == 1 ? shift : 0));
    o.cuts[0].push_back(40);
    refuse("the same on all ranks, got blocks; cuts 0 ", o, grid);
  }
  const Blocks blocks(comm, grid);
  Kokkos::View<double**, Memory> good("good", blocks.extent(0, 0.),
                                      blocks.extent(1, 0.));
  Kokkos::View<double**, Memory> bad("bad", blocks.extent(0, 0.) + 1,
                                     blocks.extent(1, 0.));
  // one rank alone is wrong
  const auto given      = comm.rank() == size - 1 ? bad : good;
  const Staggering node = Grid<2>::node();
  check_refused_on_ranks("field: expected extent(0) ==",
                         [&] { fill_ghosts(Exec{}, blocks, node, given); });
  check_refused_on_ranks("field: expected extent(0) ==",
                         [&] { add_ghosts(Exec{}, blocks, node, given); });
  check_refused_on_ranks("staggering: expected", [&] {
    fill_ghosts(Exec{}, blocks, Staggering{{1., 0., 0.}}, good);
  });
  if (size > 1) {
    const std::string differ = "arguments: expected the same on all ranks, got";
    const Staggering some{{comm.rank() == size - 1 ? .5 : 0., 0., 0.}};
    check_refused_on_ranks(differ,
                           [&] { fill_ghosts(Exec{}, blocks, some, good); });
    check_refused_on_ranks(differ,
                           [&] { add_ghosts(Exec{}, blocks, some, good); });
    Kokkos::View<float**, Memory> narrow("narrow", good.extent(0),
                                         good.extent(1));
    check_refused_on_ranks(differ, [&] {
      if (comm.rank() == 0)
        fill_ghosts(Exec{}, blocks, node, narrow);
      else
        fill_ghosts(Exec{}, blocks, node, good);
    });
  }
  check_refused_on_ranks("has been started", [&] {
    fill_ghosts_finish(Exec{}, blocks, node, good);
  });
  Kokkos::View<double**, Memory> other("other", good.extent(0), good.extent(1));
  // as if an exception had come after the first start
  fill_ghosts_start(Exec{}, blocks, node, good);
  fill_ghosts_start(Exec{}, blocks, node, good);
  // a rank that has another field throws; the others need not wait for it
  const bool last = comm.rank() == size - 1;
  if (last || Sporos::Impl::checks_enabled)
    Test::check_refused("has been started, got others of the same kind", [&] {
      fill_ghosts_finish(Exec{}, blocks, node, last ? other : good);
    });
  fill_ghosts_finish(Exec{}, blocks, node, good);
  fill_ghosts_start(Exec{}, blocks, node, other);
  fill_ghosts_start(Exec{}, blocks, node, good);
  fill_ghosts_finish(Exec{}, blocks, node, good);
  fill_ghosts_finish(Exec{}, blocks, node, other);
  check_refused_on_ranks("initialised handle",
                         [&] { fill_ghosts(Exec{}, Blocks(), node, good); });
}

TEST_CASE("several exchanges of ghost layers may be under way") {
  const Communicator comm(MPI_COMM_WORLD);
  using Field = Kokkos::View<double**, Kokkos::LayoutRight, Memory>;
  const DistributedGrid<2> blocks(comm,
                                  make_grid<2>({8 * comm.size(), 9, 1}, 1));
  const auto node = Grid<2>::node(), cell = Grid<2>::cell_center();
  const auto make = [&](const Staggering& g, double factor) {
    const Field field("field", blocks.extent(0, g[0]), blocks.extent(1, g[1]));
    const auto host = Kokkos::create_mirror_view(field);
    for_each_point(blocks, g, [&](auto i, auto p, bool owned) {
      host(i[0], i[1]) = owned ? factor * number(p[0], p[1], p[2], 0) : -5.;
    });
    Kokkos::deep_copy(field, host);
    return field;
  };
  const auto filled = [&](const Staggering& g, double factor) {
    const Field field = make(g, factor);
    fill_ghosts(Exec{}, blocks, g, field);
    return field;
  };
  const auto same = [&](const Field& a, const Field& b) {
    Kokkos::fence();
    const auto x = Test::host_copy(a);
    const auto y = Test::host_copy(b);
    return std::equal(x.data(), x.data() + x.span(), y.data());
  };
  const Field u = make(node, 1), v = make(node, 2), p = make(cell, 3),
              q = make(node, 4);
  fill_ghosts_start(Exec{}, blocks, node, u);
  fill_ghosts_start(Exec{}, blocks, cell, p);
  fill_ghosts_start(Exec{}, blocks, node, v);
  fill_ghosts(Exec{}, blocks, node, q);
  fill_ghosts(Exec{}, blocks, node, u);
  fill_ghosts_finish(Exec{}, blocks, node, v);
  fill_ghosts_finish(Exec{}, blocks, node, u);
  fill_ghosts_finish(Exec{}, blocks, cell, p);
  CHECK(same(u, filled(node, 1)));
  CHECK(same(v, filled(node, 2)));
  CHECK(same(p, filled(cell, 3)));
  CHECK(same(q, filled(node, 4)));
  // finished ones are used again
  std::size_t kept = 0;
  for (const auto& kind : blocks.memory(Exec()).kept)
    kept += kind.second.size();
  CHECK(kept <= 4);
}

}  // namespace GridOnRanks
