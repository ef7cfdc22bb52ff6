// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// spread and interpolate on many ranks against their definition.
#include "Sporos_DistributedTransfer.hpp"

#include <Sporos_WrongCalls.hpp>

namespace TransferOnRanks {

using namespace Sporos;
using namespace Sporos::Test;
using Exec   = Kokkos::DefaultExecutionSpace;
using Memory = Exec::memory_space;

namespace {

std::vector<SpreadOptions> spread_options(const Staggering& g) {
  using A = SpreadAlgorithm;
  std::vector<SpreadOptions> all;
  for (const A a :
       {A::automatic, A::serial, A::sweep, A::sweep_buffered,
        A::sweep_buffered_on_the_fly, A::tiled, A::replicated, A::atomic}) {
    if (a == A::replicated && !Sporos::Impl::is_host_space_v<Exec>) continue;
    SpreadOptions o;
    o.algorithm  = a;
    o.staggering = g;
    all.push_back(o);
  }
  return all;
}
std::vector<InterpolateOptions> interpolate_options(const Staggering& g) {
  using A = InterpolateAlgorithm;
  std::vector<InterpolateOptions> all;
  for (const A a :
       {A::automatic, A::serial, A::sorted, A::tiled, A::unsorted}) {
    if (a == A::unsorted && !Sporos::Impl::is_host_space_v<Exec>) continue;
    InterpolateOptions o;
    o.algorithm  = a;
    o.staggering = g;
    all.push_back(o);
  }
  return all;
}

/// The problem on many ranks and, by definition, on the host.
template <int Dim, class Real, class Delta>
struct Transfers {
  Problem<Dim> problem;
  AllPoints<Dim, Real> all;
  Reference<Delta, Dim, Real> reference;
  RankPoints<Exec, Dim, Real, Delta> mine;

  Transfers(const Problem<Dim>& p, PointDeal deal)
      : problem(p),
        all(p),
        reference(p, all.grid, all.x),
        mine(MPI_COMM_WORLD, all, deal) {}

  void spreads(BorderMode mode) const {
    std::vector<double> expected;
    double scale = 0;
    reference.spread(all.strength, 3, 0, expected, scale);
    const auto plan      = mine.plan(mode, false, problem.plan);
    const auto strengths = mine.component(0);
    for (const SpreadOptions& how : spread_options(problem.field)) {
      const auto field = mine.field(problem.field);
      const auto host  = Kokkos::create_mirror_view(field);
      // what ghost layers hold before does not count
      for (std::size_t i = 0; i < host.size(); ++i) host.data()[i] = Real(1e9);
      mine.for_each_own(problem.field, [&](std::size_t p, std::size_t) {
        host.data()[p] = Real(0);
      });
      Kokkos::deep_copy(field, host);
      spread(Exec{}, plan, strengths, field, how);
      Kokkos::deep_copy(host, field);
      Distance distance;
      mine.for_each_own(problem.field, [&](std::size_t p, std::size_t q) {
        distance.add(double(host.data()[p]), expected[q]);
      });
      CAPTURE(problem.name(), int(mode), int(how.algorithm));
      distance.most = scale;
      CHECK(distance.template is_small<Real>(rounding()));
    }
  }

  /// Far from the origin positions are known less well.
  double rounding() const {
    return problem.cloud == Cloud::far && sizeof(Real) == 8 ? 1e8 : 4000;
  }

  void interpolates(BorderMode mode) const {
    const auto numbers = whole_numbers(all.grid, problem.field, 3);
    const auto field   = mine.field(problem.field);
    const auto host    = Kokkos::create_mirror_view(field);
    for (std::size_t i = 0; i < host.size(); ++i) host.data()[i] = Real(1e9);
    mine.for_each_own(problem.field, [&](std::size_t p, std::size_t q) {
      host.data()[p] = numbers[q];
    });
    const auto plan   = mine.plan(mode, false, problem.plan);
    const auto values = mine.component(0);
    const auto number = host_copy(mine.number);
    for (const InterpolateOptions& how : interpolate_options(problem.field)) {
      Kokkos::deep_copy(field, host);
      interpolate(Exec{}, plan, field, values, how);
      const auto found = host_copy(values);
      Distance distance;
      distance.most = 1;
      for (std::size_t i = 0; i < found.size(); ++i)
        distance.add(double(found(i)),
                     reference.interpolate(int(number(i)), [&](std::size_t q) {
                       return double(numbers[q]);
                     }));
      CAPTURE(problem.name(), int(mode), int(how.algorithm));
      CHECK(distance.template is_small<Real>(rounding()));
    }
  }
};

template <int Dim, class Real, class Delta>
void check_all(const std::vector<Problem<Dim>>& problems) {
  for (const Problem<Dim>& p : problems)
    for (const PointDeal deal : {PointDeal::in_turn, PointDeal::all_on_last}) {
      const Transfers<Dim, Real, Delta> on_ranks(p, deal);
      for (const BorderMode mode :
           {BorderMode::ghost_points, BorderMode::ghost_sums}) {
        on_ranks.spreads(mode);
        on_ranks.interpolates(mode);
      }
      if (p.n == 0) break;
    }
}

constexpr Staggering node = {{0., 0., 0.}}, middle = {{.5, .5, .5}},
                     face = {{0., .5, .5}};

}  // namespace

TEST_CASE("transfer on many ranks in one direction") {
  check_all<1, float, Roma3>(
      {{{{43}}, {{false}}, Cloud::uniform, 300, 1, node, node},
       {{{700}}, {{false}}, Cloud::far, 500, 1, middle, node},
       {{{51}}, {{true}}, Cloud::ghosts, 200, 1, node, middle},
       {{{40}}, {{false}}, Cloud::one_cell, 50, 1, node, node}});
}

TEST_CASE("transfer on many ranks in two directions") {
  check_all<2, double, Cosine4>(
      {{{{33, 28}}, {{false, false}}, Cloud::clustered, 400, 1, node, face},
       {{{30, 41}}, {{false, true}}, Cloud::far, 300, 1, middle, node},
       {{{36, 22}}, {{true, true}}, Cloud::edges, 200, 1, face, face},
       {{{30, 30}}, {{false, false}}, Cloud::uniform, 0, 1, node, node}});
}

TEST_CASE("periodic directions of few cells") {
  const int ranks = std::max(Communicator(MPI_COMM_WORLD).size(), 3);
  // more cells in direction 0 than one rank may have of direction 1
  check_all<2, double, Cosine4>({{{{3 * ranks, 4}},
                                  {{false, false}},
                                  Cloud::uniform,
                                  200,
                                  1,
                                  node,
                                  middle}});
  const Problem<2> p{{{4, 4}}, {{false, false}}, Cloud::uniform, 200, 1, node,
                     node};
  const AllPoints<2, double> all(p);
  const RankPoints<Exec, 2, double, Cosine4> mine(MPI_COMM_SELF, all,
                                                  PointDeal::in_turn);
  Test::check_refused(
      "Sporos::DistributedParticleGridPlan: grid: expected at least 8 cells in "
      "the periodic direction 0: ghost layers, half the support and 3 more, "
      "got 4",
      [&] { mine.plan(BorderMode::ghost_points, true, node); });
}

TEST_CASE("small grids, of which some ranks have no block") {
  check_all<2, double, Cosine4>(
      {{{{16, 16}}, {{false, false}}, Cloud::uniform, 200, 1, node, middle},
       {{{4, 4}}, {{false, true}}, Cloud::uniform, 100, 1, node, node}});
}

// The ghost layers of the block before the last one end at the wall, whose grid
// points only the last block has.
TEST_CASE("blocks as thin as the ghost layers of their neighbours") {
  const int ranks = std::max(Communicator(MPI_COMM_WORLD).size(), 2);
  const Problem<2> p{
      {{3 * ranks, 4}}, {{true, true}}, Cloud::uniform, 300, 1, node, node};
  check_all<2, double, Cosine4>({p});
  // memory behind the field stays as it is
  const Transfers<2, double, Cosine4> c(p, PointDeal::in_turn);
  const int n0 = c.mine.blocks.extent(0, 0.), n1 = c.mine.blocks.extent(1, 0.);
  const Kokkos::View<double***, Kokkos::LayoutRight, Memory> two("two", 2, n0,
                                                                 n1);
  const auto all = Kokkos::ALL();
  for (const BorderMode mode :
       {BorderMode::ghost_points, BorderMode::ghost_sums}) {
    const auto plan = c.mine.plan(mode, false, node);
    spread(Exec{}, plan, c.mine.component(0),
           Kokkos::subview(two, 0, all, all));
    const auto host = host_copy(two);
    int written     = 0;
    for (int i = 0; i < n0 * n1; ++i) written += host.data()[n0 * n1 + i] != 0;
    CHECK(written == 0);
  }
}

TEST_CASE("transfer on many ranks in three directions") {
  check_all<3, double, Roma3>({{{{24, 17, 14}},
                                {{false, false, false}},
                                Cloud::uniform,
                                500,
                                1,
                                node,
                                middle},
                               {{{22, 20, 18}},
                                {{true, false, true}},
                                Cloud::ghosts,
                                300,
                                1,
                                middle,
                                node}});
}

TEST_CASE("transfer of several components, complex numbers and faces") {
  const Problem<2> p{{{30, 34}}, {{false, true}}, Cloud::uniform, 400, 3, node,
                     node};
  const Transfers<2, double, Peskin4> c(p, PointDeal::in_turn);
  std::vector<Reference<Peskin4, 2, double>> of_faces;
  for (int k = 0; k < 2; ++k) {
    Problem<2> on_face = p;
    on_face.field      = Grid<2>::face(k);
    of_faces.emplace_back(on_face, c.all.grid, c.all.x);
  }
  for (const BorderMode mode :
       {BorderMode::ghost_points, BorderMode::ghost_sums}) {
    const auto plan  = c.mine.plan(mode, false, node);
    const auto three = c.mine.field<1>(node, 3);
    spread(Exec{}, plan, c.mine.strengths, three);
    using Complex   = Kokkos::complex<double>;
    const auto like = c.mine.field(node);
    const Kokkos::View<Complex**, Kokkos::LayoutLeft, Memory> complex(
        "complex", like.extent(0), like.extent(1));
    const Kokkos::View<Complex*, Memory> z("z", c.mine.x.extent(0));
    const auto hz = Kokkos::create_mirror_view(z);
    const auto hs = host_copy(c.mine.strengths);
    for (std::size_t i = 0; i < hz.extent(0); ++i)
      hz(i) = Complex(hs(i, 0), hs(i, 1));
    Kokkos::deep_copy(z, hz);
    spread(Exec{}, plan, z, complex);
    Kokkos::Array<decltype(c.mine.field(node)), 2> faces;
    for (int k = 0; k < 2; ++k) faces[k] = c.mine.field(Grid<2>::face(k));
    using Vectors = Kokkos::View<double**, Kokkos::LayoutRight, Memory>;
    const Vectors two("two", c.mine.x.extent(0), 2);
    Kokkos::deep_copy(
        two, Kokkos::subview(c.mine.strengths, Kokkos::ALL(),
                             std::make_pair(std::size_t(0), std::size_t(2))));
    spread(Exec{}, plan, two, on_faces(faces));
    const Kokkos::Array<decltype(c.mine.field(node)), 2> together{
        {c.mine.field(node), c.mine.field(node)}};
    spread(Exec{}, plan, two, together);

    const auto h3 = host_copy(three);
    const auto hc = host_copy(complex);
    Distance nodes, faced;
    for (int k = 0; k < 3; ++k) {
      std::vector<double> expected;
      double scale = 0;
      c.reference.spread(c.all.strength, 3, k, expected, scale);
      c.mine.for_each_own(node, [&](std::size_t at, std::size_t q) {
        nodes.add(h3.data()[at * 3 + std::size_t(k)], expected[q]);
        const std::size_t n = hc.extent(1);
        const Complex v     = hc(at / n, at % n);
        if (k < 2) nodes.add(k == 0 ? v.real() : v.imag(), expected[q]);
      });
      if (k == 2) continue;
      const auto ht = host_copy(together[k]);
      c.mine.for_each_own(node, [&](std::size_t at, std::size_t q) {
        nodes.add(ht.data()[at], expected[q]);
      });
      of_faces[k].spread(c.all.strength, 3, k, expected, scale);
      const auto hf = host_copy(faces[k]);
      c.mine.for_each_own(Grid<2>::face(k), [&](std::size_t at, std::size_t q) {
        faced.add(hf.data()[at], expected[q]);
      });
    }
    CHECK(nodes.is_small<double>());
    CHECK(faced.is_small<double>());

    // fields that are constant are read as the sum of the weights
    for (int k = 0; k < 3; ++k)
      Kokkos::deep_copy(Kokkos::subview(three, Kokkos::ALL(), Kokkos::ALL(), k),
                        k + 1.);
    const typename decltype(c.mine)::Vectors read("read", c.mine.x.extent(0),
                                                  3);
    interpolate(Exec{}, plan, three, read);
    for (int k = 0; k < 2; ++k) Kokkos::deep_copy(faces[k], k + 2.);
    interpolate(Exec{}, plan, on_faces(faces), two);
    Kokkos::deep_copy(complex, Complex(1., -1.));
    interpolate(Exec{}, plan, complex, z);
    Kokkos::deep_copy(hz, z);
    const auto values = host_copy(read);
    const auto ht     = host_copy(two);
    const auto number = host_copy(c.mine.number);
    Distance sums;
    for (std::size_t i = 0; i < number.extent(0); ++i) {
      const double one = c.reference.interpolate(
          int(number(i)), [](std::size_t) { return 1.; });
      for (int k = 0; k < 3; ++k) sums.add(values(i, k), (k + 1) * one);
      sums.add(hz(i).real(), one);
      sums.add(hz(i).imag(), -one);
      for (int k = 0; k < 2; ++k)
        sums.add(ht(i, k),
                 of_faces[k].interpolate(int(number(i)),
                                         [&](std::size_t) { return k + 2.; }));
    }
    CHECK(sums.is_small<double>());
  }
}

}  // namespace TransferOnRanks
