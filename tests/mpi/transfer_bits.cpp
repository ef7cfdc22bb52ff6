// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Transfer with any_ranks has the same bits on any number of ranks: those that
// every rank computes by itself, on a communicator of its own. And what
// distributed plans refuse.
#include "Sporos_DistributedTransfer.hpp"
#include "Sporos_Refused.hpp"

#include <cmath>

namespace TransferBitsOnRanks {

using namespace Sporos;
using namespace Sporos::Test;
using Exec   = Kokkos::DefaultExecutionSpace;
using Memory = Exec::memory_space;

namespace {

/// Fields on the faces and on nodes, and values, of a problem on some ranks.
template <int Dim, class Real, class Delta>
struct Results {
  RankPoints<Exec, Dim, Real, Delta> mine;
  std::vector<std::vector<Real>> fields;  ///< of the block, by first staggering
  std::vector<Real> values;               ///< of all points, by number

  Results(MPI_Comm comm, const Problem<Dim>& p, const AllPoints<Dim, Real>& all,
          PointDeal deal)
      : mine(comm, all, deal) {
    const auto plan  = mine.plan(BorderMode::automatic, true, p.plan);
    const auto nodes = mine.field(p.field);
    SpreadOptions how;
    how.staggering = p.field;
    spread(Exec{}, plan, mine.component(0), nodes, how);
    fields.push_back(flat(nodes));
    InterpolateOptions read;
    read.staggering   = p.field;
    const auto scalar = mine.component(1);
    interpolate(Exec{}, plan, nodes, scalar, read);
    values.assign(std::size_t(all.size()) * (Dim + 1), Real(0));
    keep(scalar, 0);
    if constexpr (Dim > 1) {
      Kokkos::Array<decltype(mine.field(p.field)), Dim> faces;
      for (int k = 0; k < Dim; ++k)
        faces[k] = mine.field(Grid<Dim, Real>::face(k));
      const Kokkos::View<Real**, Kokkos::LayoutRight, Memory> vectors(
          "vectors", mine.x.extent(0), Dim);
      Kokkos::deep_copy(
          vectors,
          Kokkos::subview(mine.strengths, Kokkos::ALL(),
                          std::make_pair(std::size_t(0), std::size_t(Dim))));
      spread(Exec{}, plan, vectors, on_faces(faces));
      interpolate(Exec{}, plan, on_faces(faces), vectors);
      const auto host = host_copy(vectors);
      for (int k = 0; k < Dim; ++k) {
        fields.push_back(flat(faces[k]));
        keep(Kokkos::subview(host, Kokkos::ALL(), k), 1 + k);
      }
    }
  }

  template <class View>
  static std::vector<Real> flat(const View& view) {
    const auto host = host_copy(view);
    return std::vector<Real>(host.data(), host.data() + host.size());
  }
  template <class View>
  void keep(const View& view, int column) {
    const auto host   = host_copy(view);
    const auto number = host_copy(mine.number);
    for (std::size_t i = 0; i < host.extent(0); ++i)
      values[std::size_t(number(i)) * (Dim + 1) + std::size_t(column)] =
          host(i);
  }
};

template <int Dim, class Real, class Delta>
void check_bits(const std::vector<Problem<Dim>>& problems) {
  for (const Problem<Dim>& p : problems) {
    const AllPoints<Dim, Real> all(p);
    const Results<Dim, Real, Delta> alone(MPI_COMM_SELF, p, all,
                                          PointDeal::in_turn);
    for (const PointDeal deal :
         {PointDeal::in_turn, PointDeal::all_on_last, PointDeal::by_number}) {
      const Results<Dim, Real, Delta> found(MPI_COMM_WORLD, p, all, deal);
      CAPTURE(p.name(), found.mine.blocks.describe());
      for (std::size_t f = 0; f < found.fields.size(); ++f) {
        const Staggering g =
            f == 0 ? p.field : Grid<Dim, Real>::face(int(f) - 1);
        std::vector<Real> whole(alone.fields[f].size());
        alone.mine.for_each_own(g, [&](std::size_t at, std::size_t q) {
          whole[q] = alone.fields[f][at];
        });
        int other = 0;
        found.mine.for_each_own(g, [&](std::size_t at, std::size_t q) {
          other +=
              std::memcmp(&found.fields[f][at], &whole[q], sizeof(Real)) != 0;
        });
        CAPTURE(f);
        CHECK(other == 0);
      }
      const auto number = host_copy(found.mine.number);
      int other         = 0;
      for (std::size_t i = 0; i < number.extent(0); ++i) {
        const std::size_t at = std::size_t(number(i)) * (Dim + 1);
        other += std::memcmp(&found.values[at], &alone.values[at],
                             sizeof(Real) * (Dim + 1)) != 0;
      }
      CHECK(other == 0);
    }
  }
}

constexpr Staggering node = {{0., 0., 0.}}, middle = {{.5, .5, .5}},
                     face = {{0., .5, .5}};

}  // namespace

TEST_CASE("the same bits on any number of ranks in one direction") {
  check_bits<1, float, Roma3>(
      {{{{43}}, {{false}}, Cloud::uniform, 3000, 1, node, node},
       {{{1030}}, {{false}}, Cloud::uniform, 2000, 1, middle, node},
       {{{51}}, {{true}}, Cloud::ghosts, 400, 1, node, middle}});
}
TEST_CASE("the same bits on any number of ranks in two directions") {
  check_bits<2, double, Cosine4>(
      {{{{33, 49}}, {{false, false}}, Cloud::clustered, 12000, 1, node, node},
       {{{80, 81}}, {{false, true}}, Cloud::uniform, 4000, 1, middle, node},
       {{{70, 34}}, {{true, false}}, Cloud::edges, 2000, 1, face, face}});
}
TEST_CASE("the same bits on any number of ranks in three directions") {
  check_bits<3, double, Roma3>({{{{36, 20, 40}},
                                 {{false, false, false}},
                                 Cloud::uniform,
                                 5000,
                                 1,
                                 node,
                                 node},
                                {{{24, 33, 17}},
                                 {{true, false, true}},
                                 Cloud::uniform,
                                 3000,
                                 1,
                                 node,
                                 middle}});
  check_bits<3, double, Cosine4>({{{{20, 17, 25}},
                                   {{false, true, false}},
                                   Cloud::uniform,
                                   2000,
                                   1,
                                   node,
                                   node}});
}

TEST_CASE("the same bits on any number of ranks of wide delta functions") {
  check_bits<2, double, BSpline<16>>(
      {{{{90, 81}}, {{false, true}}, Cloud::uniform, 4000, 1, middle, face}});
  check_bits<3, double, BSpline<9>>({{{{64, 20, 40}},
                                      {{false, false, true}},
                                      Cloud::uniform,
                                      3000,
                                      1,
                                      node,
                                      node}});
}

/// Copies that other blocks need of the points that are nearer than `reach`
/// cells to a border. None travel in a periodic direction with one block.
template <class Points>
int copies_within(const Points& p, double reach) {
  const auto& blocks = p.blocks;
  const auto& grid   = blocks.grid();
  const auto x       = host_copy(p.x);
  int copies         = 0;
  for (std::size_t i = 0; i < x.extent(0); ++i) {
    int touched = 1;
    for (int d = 0; d < 2; ++d) {
      if (blocks.blocks(d) == 1) continue;
      double at = (x(i, d) - grid.origin(d)) / grid.spacing(d);
      if (grid.boundary(d) == Boundary::periodic)
        at -= grid.cells(d) * std::floor(at / grid.cells(d));
      const int begin = blocks.first(d), end = begin + blocks.cells(d);
      touched *= 1 + int(blocks.layers(d, 0) > 0 && at < begin + reach) +
                 int(blocks.layers(d, 1) > 0 && at > end - reach);
    }
    copies += touched - 1;
  }
  return copies;
}

template <class Delta>
void check_copies() {
  const AllPoints<2, double> all(
      {{{52, 40}}, {{false, true}}, Cloud::uniform, 6000, 1, node, node});
  const RankPoints<Exec, 2, double, Delta> p(MPI_COMM_WORLD, all,
                                             PointDeal::in_turn);
  const int copies =
      p.plan(BorderMode::ghost_points, false, node).state().my_copies;
  CHECK(copies >= copies_within(p, Delta::support / 2.));
  CHECK(copies <= copies_within(p, Delta::support / 2. + .07));
}

TEST_CASE("copies travel of the points whose support is cut by a border") {
  check_copies<Roma3>();
  check_copies<Cosine4>();
}

TEST_CASE("automatic borders follow the counts, and say so") {
  const Problem<2> few{
      {{40, 40}}, {{false, false}}, Cloud::uniform, 20, 1, node, node};
  const AllPoints<2, double> all(few);
  const RankPoints<Exec, 2, double, Cosine4> a(MPI_COMM_WORLD, all,
                                               PointDeal::in_turn);
  const auto plan = a.plan(BorderMode::automatic, false, node);
  CHECK(plan.borders() == BorderMode::ghost_points);
  CHECK(plan.describe().find("borders: ghost_points") != std::string::npos);
  Problem<2> p = few;
  p.n          = 20000;
  const AllPoints<2, double> many(p);
  const RankPoints<Exec, 2, double, Cosine4> b(MPI_COMM_WORLD, many,
                                               PointDeal::in_turn);
  const auto sums = b.plan(BorderMode::automatic, false, node);
  if (b.blocks.comm().size() > 1) {
    CHECK(sums.borders() == BorderMode::ghost_sums);
    CHECK(sums.describe().find("borders: ghost_sums") != std::string::npos);
  } else {  // nothing travels
    CHECK(sums.borders() == BorderMode::ghost_points);
    CHECK(sums.describe().find("at most 0 copies") != std::string::npos);
  }
  CHECK(b.plan(BorderMode::automatic, true, node).borders() ==
        BorderMode::ghost_points);
}

TEST_CASE("wrong calls of distributed transfer are refused on all ranks") {
  const Problem<2> p{{{40, 40}}, {{false, false}}, Cloud::uniform, 100, 1, node,
                     node};
  const AllPoints<2, double> all(p);
  using Points = RankPoints<Exec, 2, double, Cosine4>;
  using Plan   = Points::Plan;
  const Points a(MPI_COMM_WORLD, all, PointDeal::in_turn);
  const Communicator comm = a.blocks.comm();
  const bool last         = comm.rank() == comm.size() - 1;
  DistributedPlanOptions o;
  const auto make = [&](const Points::Blocks& blocks,
                        const DistributedPlanOptions& with) {
    return Plan(Exec{}, blocks, Cosine4{}, a.x, with);
  };
  check_refused_on_ranks("initialised handle",
                         [&] { make(Points::Blocks(), o); });
  o.borders = BorderMode(7);
  check_refused_on_ranks("options.borders: expected automatic, ghost_points",
                         [&] { make(a.blocks, o); });
  o.borders        = BorderMode::ghost_sums;
  o.plan.any_ranks = true;
  check_refused_on_ranks("since options.plan.any_ranks",
                         [&] { make(a.blocks, o); });
  o.borders = BorderMode::automatic;
  check_refused_on_ranks("numbers: expected numbers of points",
                         [&] { make(a.blocks, o); });
  DistributedGridOptions<2> thin;
  thin.ghosts = 1;
  check_refused_on_ranks("ghost layers for a delta function of support 4", [&] {
    make(Points::Blocks(comm, all.grid, thin), DistributedPlanOptions());
  });
  o                    = DistributedPlanOptions();
  o.plan.staggering[0] = last ? 1.5 : 0.;
  check_refused_on_ranks("staggering: expected", [&] { make(a.blocks, o); });
  o         = DistributedPlanOptions();
  Plan plan = make(a.blocks, o);
  // points of another rank, or not finite, on one rank alone
  Kokkos::View<double**, Kokkos::LayoutRight, Memory> bad("bad", 3, 2);
  check_refused_on_ranks("positions: expected finite coordinates", [&] {
    Kokkos::deep_copy(bad, all.grid.origin(0) + .01 +
                               all.grid.spacing(0) * a.blocks.first(0));
    for (int i = 0; i < 3; ++i)
      Kokkos::deep_copy(
          Kokkos::subview(bad, i, 1),
          all.grid.origin(1) + .01 + all.grid.spacing(1) * a.blocks.first(1));
    if (last)
      Kokkos::deep_copy(Kokkos::subview(bad, 1, 0),
                        std::numeric_limits<double>::infinity());
    plan.update(Exec{}, bad);
  });
  if (comm.size() > 1) {
    for (int i = 0; last && i < 3; ++i)
      Kokkos::deep_copy(Kokkos::subview(bad, i, 0), all.grid.origin(0) + .01);
    check_refused_on_ranks("points in the block of this rank",
                           [&] { plan.update(Exec{}, bad); });
  }
  const Kokkos::View<std::int64_t*, Memory> few("few",
                                                a.x.extent(0) + (last ? 1 : 0));
  check_refused_on_ranks("numbers: expected extent(0) ==",
                         [&] { plan.update(Exec{}, a.x, few); });
  const Kokkos::View<std::int64_t*, Memory> negative("negative", a.x.extent(0));
  Kokkos::deep_copy(negative, -1);
  check_refused_on_ranks("numbers that are not negative",
                         [&] { plan.update(Exec{}, a.x, negative); });
  const auto field    = a.field(node);
  const auto strength = a.component(0);
  const Kokkos::View<double**, Memory> small("small", field.extent(0) - 1,
                                             field.extent(1));
  const Kokkos::View<double**, Memory> one =
      last ? small
           : Kokkos::View<double**, Memory>("f", field.extent(0),
                                            field.extent(1));
  check_refused_on_ranks("with ghost layers",
                         [&] { spread(Exec{}, plan, strength, one); });
  check_refused_on_ranks("with ghost layers",
                         [&] { interpolate(Exec{}, plan, one, strength); });
  const Kokkos::View<double*, Memory> more("more", a.x.extent(0) + 1);
  check_refused_on_ranks("the number of points of this rank",
                         [&] { spread(Exec{}, plan, more, field); });
  check_refused_on_ranks("the number of points of this rank",
                         [&] { interpolate(Exec{}, plan, field, more); });
  check_refused_on_ranks("initialised handle",
                         [&] { spread(Exec{}, Plan(), strength, field); });
  check_refused_on_ranks("initialised handle",
                         [&] { interpolate(Exec{}, Plan(), field, strength); });
  SpreadOptions how;
  how.columns   = 3;
  how.algorithm = SpreadAlgorithm::tiled;
  check_refused_on_ranks("options.columns",
                         [&] { spread(Exec{}, plan, strength, field, how); });
  o.plan.any_ranks = true;
  const Plan any(Exec{}, a.blocks, Cosine4{}, a.x, a.number, o);
  how           = SpreadOptions();
  how.algorithm = last ? SpreadAlgorithm::sweep : SpreadAlgorithm::automatic;
  check_refused_on_ranks("automatic or tiled, since the plan has any_ranks",
                         [&] { spread(Exec{}, any, strength, field, how); });
  InterpolateOptions read;
  read.algorithm = InterpolateAlgorithm::sorted;
  check_refused_on_ranks(
      "automatic or tiled, since the plan has any_ranks",
      [&] { interpolate(Exec{}, any, field, strength, read); });
  // one rank wants something else than the others
  if (comm.size() > 1) {
    const std::string differ = "arguments: expected the same on all ranks, got";
    o                        = DistributedPlanOptions();
    o.borders = last ? BorderMode::ghost_sums : BorderMode::ghost_points;
    check_refused_on_ranks(differ, [&] { make(a.blocks, o); });
    o = DistributedPlanOptions();
    o.plan.contiguous =
        last ? ContiguousDirection::first : ContiguousDirection::last;
    check_refused_on_ranks(differ, [&] { make(a.blocks, o); });
    Plan moved(Exec{}, a.blocks, Cosine4{}, a.x, DistributedPlanOptions());
    check_refused_on_ranks(differ, [&] {
      if (last)
        moved.update(Exec{}, a.x, a.number);
      else
        moved.update(Exec{}, a.x);
    });
    moved.update(Exec{}, a.x);
    const double g = last ? .5 : 0.;
    how            = SpreadOptions();
    how.staggering = Staggering{{g, 0., 0.}};
    check_refused_on_ranks(differ,
                           [&] { spread(Exec{}, plan, strength, field, how); });
    read            = InterpolateOptions();
    read.staggering = how.staggering;
    check_refused_on_ranks(
        differ, [&] { interpolate(Exec{}, plan, field, strength, read); });
  }
  // all goes on
  spread(Exec{}, plan, strength, field);
}

}  // namespace TransferBitsOnRanks
