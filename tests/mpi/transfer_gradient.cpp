// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Gradients, dipoles and composite delta functions on many ranks: against
// their definitions, and bits with any_ranks against those of one rank.
#include "Sporos_DistributedTransfer.hpp"
#include "Sporos_Refused.hpp"
#include "Sporos_ToolsRecorder.hpp"

#include <Sporos_DistributedParticleGridGradient.hpp>

#include <string>
#include <utility>
#include <vector>

namespace TransferGradientOnRanks {

using namespace Sporos;
using namespace Sporos::Test;
using Exec   = Kokkos::DefaultExecutionSpace;
using Memory = Exec::memory_space;
using Even   = Composite<BSpline<4>, BSpline<3>>;
using Odd    = Composite<BSpline<2>, BSpline<3>, BSpline<2>>;

namespace {

constexpr Staggering node = {{0., 0., 0.}}, middle = {{.5, .5, .5}},
                     face = {{0., .5, .5}};

/// Vectors of points, one number for each direction
template <class V, int Dim>
using VectorsOf = Kokkos::View<std::conditional_t<Dim == 1, V*, V**>,
                               Kokkos::LayoutLeft, Memory>;
template <class V, int Dim>
VectorsOf<V, Dim> new_vectors(std::size_t n) {
  if constexpr (Dim == 1)
    return VectorsOf<V, Dim>("vectors", n);
  else
    return VectorsOf<V, Dim>("vectors", n, Dim);
}
/// Number k of vector i
template <class View>
auto& at(const View& view, std::size_t i, int k) {
  if constexpr (Sporos::Impl::view_rank_v<View> == 1)
    return view(i);
  else
    return view(i, k);
}

/// Vectors of the first Dim strengths of points
template <class V, int Dim, class Points>
VectorsOf<V, Dim> moments_of(const Points& mine) {
  const auto moments   = new_vectors<V, Dim>(mine.x.extent(0));
  const auto host      = Kokkos::create_mirror_view(moments);
  const auto strengths = host_copy(mine.strengths);
  for (std::size_t i = 0; i < host.extent(0); ++i)
    for (int k = 0; k < Dim; ++k) {
      if constexpr (std::is_floating_point_v<V>)
        at(host, i, k) = strengths(i, k);
      else
        at(host, i, k) = V(strengths(i, k), strengths(i, 2 - k));
    }
  Kokkos::deep_copy(moments, host);
  return moments;
}

// ---- definitions ----

/// One problem, all algorithms, both ways to treat borders
template <int Dim, class Real, class Delta>
struct Definitions {
  Problem<Dim> problem;
  AllPoints<Dim, Real> all;
  RankPoints<Exec, Dim, Real, Delta> mine;
  std::vector<Reference<Delta, Dim, Real>> slopes;
  Reference<Delta, Dim, Real> value;

  explicit Definitions(const Problem<Dim>& p)
      : problem(p),
        all(p),
        mine(MPI_COMM_WORLD, all, PointDeal::in_turn),
        value(p, all.grid, all.x) {
    for (int k = 0; k < Dim; ++k)
      slopes.emplace_back(p, all.grid, all.x, [this, k](int d, double x) {
        return d == k ? -slope_in(d, Delta{}, x) / all.grid.spacing(d)
                      : phi_in(d, Delta{}, x);
      });
  }

  void dipoles(BorderMode mode) const {
    std::vector<double> expected(slopes[0].size()), one;
    double scale = 0, most = 0;
    for (int k = 0; k < Dim; ++k) {
      slopes[k].spread(all.strength, 3, k, one, scale);
      for (std::size_t q = 0; q < one.size(); ++q) expected[q] += one[q];
      most += scale;
    }
    const auto plan    = mine.plan(mode, false, problem.plan);
    const auto moments = moments_of<Real, Dim>(mine);
    using A            = SpreadAlgorithm;
    for (const A a : {A::automatic, A::serial, A::sweep_buffered, A::tiled,
                      A::replicated, A::atomic}) {
      if (a == A::replicated && !Sporos::Impl::is_host_space_v<Exec>) continue;
      const auto field = mine.field(problem.field);
      SpreadOptions how;
      how.algorithm  = a;
      how.staggering = problem.field;
      spread_dipoles(Exec{}, plan, moments, field, how);
      const auto host = host_copy(field);
      Distance distance;
      mine.for_each_own(problem.field, [&](std::size_t p, std::size_t q) {
        distance.add(double(host.data()[p]), expected[q]);
      });
      distance.most = most;
      CAPTURE(problem.name(), int(mode), int(a), distance.apart, most);
      CHECK(distance.template is_small<Real>());
    }
  }

  void gradients(BorderMode mode) const {
    const auto numbers = whole_numbers(all.grid, problem.field, 3);
    const auto field   = mine.field(problem.field);
    const auto host    = Kokkos::create_mirror_view(field);
    for (std::size_t i = 0; i < host.size(); ++i) host.data()[i] = Real(1e9);
    mine.for_each_own(problem.field, [&](std::size_t p, std::size_t q) {
      host.data()[p] = numbers[q];
    });
    const auto plan      = mine.plan(mode, false, problem.plan);
    const auto values    = mine.component(0);
    const auto gradients = new_vectors<Real, Dim>(values.extent(0)),
               alone     = new_vectors<Real, Dim>(values.extent(0));
    const auto number    = host_copy(mine.number);
    const auto read      = [&](std::size_t q) { return double(numbers[q]); };
    using A              = InterpolateAlgorithm;
    for (const A a :
         {A::automatic, A::serial, A::sorted, A::tiled, A::unsorted}) {
      if (a == A::unsorted && !Sporos::Impl::is_host_space_v<Exec>) continue;
      InterpolateOptions how;
      how.algorithm  = a;
      how.staggering = problem.field;
      Kokkos::deep_copy(field, host);
      interpolate_with_gradient(Exec{}, plan, field, values, gradients, how);
      Kokkos::deep_copy(field, host);
      interpolate_gradient(Exec{}, plan, field, alone, how);
      const auto hv = host_copy(values);
      const auto hg = host_copy(gradients), ha = host_copy(alone);
      Distance distance;
      for (std::size_t i = 0; i < hv.extent(0); ++i) {
        const int n = int(number(i));
        distance.add(double(hv(i)), value.interpolate(n, read));
        for (int k = 0; k < Dim; ++k) {
          const double expected = slopes[k].interpolate(n, read);
          distance.add(double(at(hg, i, k)), expected);
          distance.add(double(at(ha, i, k)), expected);
        }
      }
      distance.most = 20;  // inverse of the least spacing, and more
      CAPTURE(problem.name(), int(mode), int(a), distance.apart);
      CHECK(distance.template is_small<Real>());
    }
  }
};

// ---- bits ----

/// What a problem gives on some ranks, with any_ranks.
template <class V, int Dim, class Real, class Delta>
struct Results {
  static constexpr int columns = 2 * Dim + 2;
  RankPoints<Exec, Dim, Real, Delta> mine;
  std::vector<V> dipoles, spreads;  ///< of the block
  std::vector<V> values;            ///< of all points, by number

  Results(MPI_Comm comm, const Problem<Dim>& p, const AllPoints<Dim, Real>& all,
          PointDeal deal)
      : mine(comm, all, deal),
        values(std::size_t(all.size()) * std::size_t(columns)) {
    const auto plan    = mine.plan(BorderMode::automatic, true, p.plan);
    const auto moments = moments_of<V, Dim>(mine);
    const auto field   = new_field(p.field);
    SpreadOptions how;
    how.staggering = p.field;
    spread_dipoles(Exec{}, plan, moments, field, how);
    dipoles = flat(field);
    InterpolateOptions read;
    read.staggering  = p.field;
    const auto value = Kokkos::View<V*, Memory>("value", mine.x.extent(0));
    interpolate_with_gradient(Exec{}, plan, field, value, moments, read);
    keep(moments, Dim, 0);
    keep(value, 1, Dim);
    // what calls without options compile, at the staggering of the plan
    const auto other = new_field(p.plan);
    spread(Exec{}, plan, value, other);
    spread_dipoles(Exec{}, plan, moments, other);
    spreads = flat(other);
    interpolate(Exec{}, plan, other, value);
    interpolate_gradient(Exec{}, plan, other, moments);
    keep(value, 1, Dim + 1);
    keep(moments, Dim, Dim + 2);
  }

  auto new_field(const Staggering& g) const {
    using Field = Kokkos::View<typename DataType<V, Dim>::type,
                               Kokkos::LayoutRight, Memory>;
    return make_field<Field>(
        [&](int d) { return mine.blocks.extent(d, g[d]); });
  }
  template <class View>
  static std::vector<V> flat(const View& view) {
    const auto host = host_copy(view);
    return std::vector<V>(host.data(), host.data() + host.size());
  }
  template <class View>
  void keep(const View& view, int count, int column) {
    const auto host   = host_copy(view);
    const auto number = host_copy(mine.number);
    for (std::size_t i = 0; i < host.extent(0); ++i)
      for (int k = 0; k < count; ++k)
        values[std::size_t(number(i)) * columns + std::size_t(column + k)] =
            at(host, i, k);
  }
};

template <class V, int Dim, class Real, class Delta>
void check_bits(const Problem<Dim>& p) {
  const AllPoints<Dim, Real> all(p);
  using Found = Results<V, Dim, Real, Delta>;
  const Found alone(MPI_COMM_SELF, p, all, PointDeal::in_turn);
  for (const PointDeal deal :
       {PointDeal::in_turn, PointDeal::all_on_last, PointDeal::by_number}) {
    const Found found(MPI_COMM_WORLD, p, all, deal);
    CAPTURE(p.name(), found.mine.blocks.describe());
    const auto differ = [&](const Staggering& g, const std::vector<V>& a,
                            const std::vector<V>& b) {
      std::vector<V> whole(b.size());
      alone.mine.for_each_own(
          g, [&](std::size_t from, std::size_t q) { whole[q] = b[from]; });
      int other = 0;
      found.mine.for_each_own(g, [&](std::size_t from, std::size_t q) {
        other += std::memcmp(&a[from], &whole[q], sizeof(V)) != 0;
      });
      return other;
    };
    CHECK(differ(p.field, found.dipoles, alone.dipoles) == 0);
    CHECK(differ(p.plan, found.spreads, alone.spreads) == 0);
    const auto number = host_copy(found.mine.number);
    int other         = 0;
    for (std::size_t i = 0; i < number.extent(0); ++i) {
      const std::size_t row = std::size_t(number(i)) * Found::columns;
      other += std::memcmp(&found.values[row], &alone.values[row],
                           sizeof(V) * Found::columns) != 0;
    }
    CHECK(other == 0);
  }
}

}  // namespace

TEST_CASE("gradients and dipoles on many ranks are the definition") {
  const Definitions<2, double, Even> some[] = {
      Definitions<2, double, Even>(
          {{{33, 28}}, {{false, true}}, Cloud::clustered, 400, 1, node, face}),
      Definitions<2, double, Even>(
          {{{6, 30}}, {{true, false}}, Cloud::ghosts, 200, 1, middle, node}),
      Definitions<2, double, Even>(
          {{{30, 30}}, {{false, false}}, Cloud::uniform, 0, 1, node, node})};
  for (const auto& one : some)
    for (const BorderMode mode :
         {BorderMode::ghost_points, BorderMode::ghost_sums}) {
      one.dipoles(mode);
      one.gradients(mode);
    }
}

TEST_CASE(
    "gradients, dipoles, composites: the same bits on any number of "
    "ranks") {
  check_bits<float, 1, float, Roma3>(
      {{{143}}, {{true}}, Cloud::uniform, 2000, 1, middle, node});
  check_bits<Kokkos::complex<double>, 2, double, Even>(
      {{{33, 49}}, {{false, true}}, Cloud::clustered, 4000, 1, node, face});
  check_bits<double, 3, double, Odd>({{{24, 33, 17}},
                                      {{true, false, false}},
                                      Cloud::uniform,
                                      3000,
                                      1,
                                      node,
                                      middle});
}

TEST_CASE("gradients and dipoles of complex numbers by all algorithms") {
  using V = Kokkos::complex<double>;
  const Problem<2> p{{{33, 49}}, {{false, true}}, Cloud::uniform, 700, 1, node,
                     face};
  const AllPoints<2, double> all(p);
  const RankPoints<Exec, 2, double, Even> mine(MPI_COMM_WORLD, all,
                                               PointDeal::in_turn);
  const auto plan    = mine.plan(BorderMode::ghost_points, false, node);
  const auto moments = moments_of<V, 2>(mine);
  const auto sums    = [&](SpreadAlgorithm a, InterpolateAlgorithm b) {
    SpreadOptions to_grid;
    InterpolateOptions to_points;
    to_grid.algorithm   = a;
    to_points.algorithm = b;
    using Field         = Kokkos::View<V**, Kokkos::LayoutRight, Memory>;
    const auto field    = make_field<Field>(
        [&](int d) { return mine.blocks.extent(d, node[d]); });
    const auto gradients = new_vectors<V, 2>(mine.x.extent(0));
    const Kokkos::View<V*, Memory> value("value", mine.x.extent(0));
    spread_dipoles(Exec{}, plan, moments, field, to_grid);
    interpolate_with_gradient(Exec{}, plan, field, value, gradients, to_points);
    const auto host = host_copy(gradients);
    return std::vector<V>(host.data(), host.data() + host.size());
  };
  using A             = SpreadAlgorithm;
  using B             = InterpolateAlgorithm;
  constexpr bool host = Sporos::Impl::is_host_space_v<Exec>;
  const auto expected = sums(A::serial, B::serial);
  for (const A a : {A::sweep, A::tiled, host ? A::replicated : A::atomic}) {
    const auto found =
        sums(a, a == A::replicated ? B::unsorted
                                   : (a == A::tiled ? B::tiled : B::sorted));
    Distance distance;
    for (std::size_t i = 0; i < found.size(); ++i) {
      distance.add(found[i].real(), expected[i].real());
      distance.add(found[i].imag(), expected[i].imag());
    }
    CAPTURE(int(a), distance.apart, distance.most);
    CHECK(distance.is_small<double>());
  }
}

TEST_CASE("gradients and dipoles that are called again allocate nothing") {
  const AllPoints<2, double> all(
      {{{33, 49}}, {{false, true}}, Cloud::uniform, 2000, 1, node, node});
  const RankPoints<Exec, 2, double, Even> mine(MPI_COMM_WORLD, all,
                                               PointDeal::in_turn);
  const auto moments = moments_of<double, 2>(mine);
  const auto value   = mine.component(0);
  for (const bool any_ranks : {false, true}) {
    const auto plan  = mine.plan(BorderMode::ghost_points, any_ranks, node);
    const auto field = mine.field(node);
    SpreadOptions to_grid;
    InterpolateOptions to_points;
    const auto step = [&] {
      spread_dipoles(Exec{}, plan, moments, field, to_grid);
      interpolate_with_gradient(Exec{}, plan, field, value, moments, to_points);
      interpolate_gradient(Exec{}, plan, field, moments, to_points);
    };
    step();
    step();
    const Test::Recorder recorder;
    step();
    CHECK(Test::events.allocations == std::vector<std::string>());
    CHECK(!Test::events.kernels.empty());
    CHECK(Test::regions_match());
    CHECK(Test::saw_region("Sporos::spread_dipoles"));
    CHECK(Test::saw_region("Sporos::interpolate_with_gradient"));
  }
}

TEST_CASE("wrong gradients and dipoles are refused on all ranks") {
  const Problem<2> p{{{40, 40}}, {{false, false}}, Cloud::uniform, 100, 1, node,
                     node};
  const AllPoints<2, double> all(p);
  using Points = RankPoints<Exec, 2, double, Even>;
  const Points a(MPI_COMM_WORLD, all, PointDeal::in_turn);
  const Communicator comm = a.blocks.comm();
  const bool last         = comm.rank() == comm.size() - 1;
  const auto plan         = a.plan(BorderMode::ghost_points, false, node);
  const std::size_t n     = a.x.extent(0);
  const auto field        = a.field(node);
  const auto values       = a.component(0);
  const auto vectors      = new_vectors<double, 2>(n);
  using Vectors           = VectorsOf<double, 2>;
  const auto both         = [&](const std::string& text, const Vectors& given,
                        const auto& on) {
    check_refused_on_ranks("spread_dipoles: " + text,
                                   [&] { spread_dipoles(Exec{}, plan, given, on); });
    std::string other    = text;
    const std::size_t at = other.find("moments");
    if (at != std::string::npos) other.replace(at, 7, "gradients");
    check_refused_on_ranks("interpolate_gradient: " + other, [&] {
      interpolate_gradient(Exec{}, plan, on, given);
    });
    check_refused_on_ranks("interpolate_with_gradient: " + other, [&] {
      interpolate_with_gradient(Exec{}, plan, on, values, given);
    });
  };
  both("moments: expected extents (",
       last ? Vectors("more", n + 1, 2) : vectors, field);
  both("moments: expected extents (", last ? Vectors("three", n, 3) : vectors,
       field);
  Points::Field<0> small("small", field.extent(0) - 1, field.extent(1));
  both("field: expected", vectors, last ? small : field);
  REQUIRE(n > 0);
  both("moments: expected memory separate from that of field",
       last ? Vectors(field.data(), n, 2) : vectors, field);
  // values in the gradients; another number of values
  check_refused_on_ranks(
      "values: expected memory separate from that of gradients", [&] {
        interpolate_with_gradient(
            Exec{}, plan, field,
            last ? Points::Values(vectors.data(), n) : values, vectors);
      });
  check_refused_on_ranks("values: expected extent(0) == ", [&] {
    interpolate_with_gradient(Exec{}, plan, field,
                              last ? Points::Values("more", n + 1) : values,
                              vectors);
  });
  const Points::Plan none;
  check_refused_on_ranks("initialised handle",
                         [&] { spread_dipoles(Exec{}, none, vectors, field); });
  check_refused_on_ranks("initialised handle", [&] {
    interpolate_gradient(Exec{}, none, field, vectors);
  });
  const auto any = a.plan(BorderMode::automatic, true, node);
  SpreadOptions how;
  how.algorithm = last ? SpreadAlgorithm::serial : SpreadAlgorithm::automatic;
  check_refused_on_ranks(
      "automatic or tiled, since the plan has any_ranks",
      [&] { spread_dipoles(Exec{}, any, vectors, field, how); });
  InterpolateOptions read;
  read.algorithm = InterpolateAlgorithm::sorted;
  check_refused_on_ranks(
      "automatic or tiled, since the plan has any_ranks",
      [&] { interpolate_gradient(Exec{}, any, field, vectors, read); });
  if (comm.size() > 1) {  // one rank wants something else than the others
    how            = SpreadOptions();
    how.staggering = Staggering{{last ? .5 : 0., 0., 0.}};
    check_refused_on_ranks("arguments: expected the same on all ranks", [&] {
      spread_dipoles(Exec{}, plan, vectors, field, how);
    });
  }
  spread_dipoles(Exec{}, plan, vectors, field);  // all goes on
}

}  // namespace TransferGradientOnRanks
