// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/// A random chain of calls of the distributed particle-grid interface, judged
/// by plain sums over the points of all ranks, by new plans, and by the plan
/// of one rank.

#ifndef SPOROS_TRANSFERCHAIN_HPP
#define SPOROS_TRANSFERCHAIN_HPP

#include "Sporos_Chains.hpp"
#include "Sporos_PlainTransfer.hpp"
#include "Sporos_RandomPoints.hpp"

#include <Sporos_DistributedParticleGrid.hpp>
#include <Sporos_TestArray.hpp>

#include <cstring>
#include <functional>
#include <limits>
#include <optional>
#include <sstream>
#include <stdexcept>
#include <string>
#include <type_traits>

namespace Sporos {
namespace Test {

using ChainExec   = Kokkos::DefaultHostExecutionSpace;
using ChainMemory = ChainExec::memory_space;

/// One chain on the ranks of a communicator, which draw the same numbers.
/// Algorithms: calls with options that name them.
template <int Dim, class Real, class Delta, bool Algorithms = false>
class TransferChain {
  using Blocks  = DistributedGrid<Dim, Real>;
  using Plan    = DistributedParticleGridPlan<ChainExec, Dim, Real, Delta>;
  using Vectors = Kokkos::View<Real**, Kokkos::LayoutRight, ChainMemory>;
  using Numbers = Kokkos::View<std::int64_t*, ChainMemory>;
  using Marks   = Kokkos::View<double**, Kokkos::LayoutLeft, ChainMemory>;

  /// A plan and the points that it was made for, in their order.
  struct Side {
    Blocks blocks;
    Plan plan;
    std::vector<int> numbers;
  };

 public:
  TransferChain(RandomCase& random, const Communicator& comm)
      : m_random(random), m_comm(comm) {}

  /// Throws for what is wrong.
  void run() {
    try {
      steps();
    } catch (const std::exception& error) {
      throw std::invalid_argument(m_did.str() + error.what());
    }
  }

 private:
  void steps() {
    make_options();
    const Grid<Dim, Real> grid = make_grid();
    Side side;
    if (!makes("blocks",
               [&] { side.blocks = Blocks(m_comm, grid, m_grid_options); }))
      return;
    m_did << side.blocks.describe();
    RandomPoints<Dim, Real> points(m_random, side.blocks);
    points.appear(m_random.integer(0, m_random.chance(50) ? 500 : 20));
    bool made = false;
    for (int step = m_random.integer(1, 7); step > 0; --step) {
      migrate_points(side, points);
      m_local = points.held[std::size_t(m_comm.rank())];
      if (made && m_random.chance(15)) refuse_update(side, points);
      if (!made) {
        if (!makes("plan", [&] { side.plan = new_plan(side.blocks, points); }))
          return;
        made = true;
      } else {
        update(side.plan, points);
      }
      side.numbers = m_local;
      transfer_all(side, points);
      mutate(points);
    }
  }

  // what is drawn at the beginning ------------------------------------------

  void make_options() {
    for (int d = 0; d < 3; ++d)
      m_options.plan.staggering[d] =
          m_random.chance(20) ? std::floor(m_random.real(0, 1) * 64) / 64
                              : m_random.one_of({0., 0., .5});
    m_options.plan.any_ranks  = m_random.chance(40);
    m_options.plan.contiguous = m_random.one_of({ContiguousDirection::automatic,
                                                 ContiguousDirection::first,
                                                 ContiguousDirection::last});
    m_options.borders =
        m_options.plan.any_ranks
            ? m_random.one_of({BorderMode::automatic, BorderMode::ghost_points})
            : m_random.one_of({BorderMode::automatic, BorderMode::ghost_points,
                               BorderMode::ghost_points,
                               BorderMode::ghost_sums});
    m_grid_options.ghosts = Delta::support / 2 + 1 + m_random.integer(0, 1);
    m_did << Dim << " directions, " << sizeof(Real) << " bytes, support "
          << int(Delta::support) << ", staggering "
          << Impl::in_words<Dim>(m_options.plan.staggering) << ", any_ranks "
          << m_options.plan.any_ranks << ", contiguous "
          << int(m_options.plan.contiguous) << ", borders "
          << int(m_options.borders) << '\n';
  }

  Grid<Dim, Real> make_grid() {
    Kokkos::Array<int, Dim> cells;
    Kokkos::Array<Real, Dim> h, origin;
    Kokkos::Array<Boundary, Dim> boundary;
    const int least = m_grid_options.ghosts;
    int left        = m_comm.size();
    for (int d = 0; d < Dim; ++d) {
      int blocks = d + 1 == Dim || m_random.chance(50) ? left : 1;
      for (const int factor : {2, 3})
        if (blocks % factor == 0 && blocks > factor && d + 1 < Dim)
          blocks = m_random.chance(50) ? factor : blocks;
      left /= blocks;
      if (m_random.chance(30)) m_grid_options.blocks[d] = blocks;
      cells[d] = least * blocks +
                 m_random.integer(0, Dim == 1   ? 600
                                     : Dim == 2 ? m_random.one_of({5, 40, 90})
                                                : m_random.one_of({3, 12, 24}));
      if (m_random.chance(5)) cells[d] = m_random.integer(1, 2 * least);
      h[d]        = Real(m_random.one_of({1., .5, .3, .017}));
      boundary[d] = m_random.chance(60) ? Boundary::periodic : Boundary::wall;
      origin[d]   = Real(m_random.chance(50) ? 0 : m_random.real(-2, 2));
      if (blocks > 1 && cells[d] >= least * blocks && m_random.chance(30))
        cut(d, blocks, cells[d]);
    }
    for (int d = 0; d < Dim; ++d)
      m_did << cells[d] << (boundary[d] == Boundary::wall ? " wall " : " ring ")
            << h[d] << " from " << origin[d] << "; ";
    m_did << '\n';
    return Grid<Dim, Real>(cells, h, boundary, origin);
  }

  /// Cuts at random places; blocks are as thick as ghost layers.
  void cut(int d, int blocks, int cells) {
    auto& cuts = m_grid_options.cuts[std::size_t(d)];
    cuts       = {0};
    for (int b = 1; b < blocks; ++b) {
      const int most = cells - (blocks - b) * m_grid_options.ghosts;
      cuts.push_back(
          m_random.integer(cuts.back() + m_grid_options.ghosts, most));
    }
    cuts.push_back(cells);
  }

  // calls that are refused --------------------------------------------------

  /// Does the call succeed on all ranks? It throws on none, or on all.
  bool makes(const std::string& what, const std::function<void()>& call) {
    const std::string error = refusal(call);
    if (!error.empty()) m_did << what << ": " << error << '\n';
    return error.empty();
  }
  /// The text of std::invalid_argument, which comes on all ranks or on none.
  std::string refusal(const std::function<void()>& call) {
    std::string error;
    try {
      call();
    } catch (const std::invalid_argument& refused) {
      error = refused.what();
    }
    int refused[2] = {error.empty() ? 0 : 1, error.empty() ? 1 : 0};
    MPI_Allreduce(MPI_IN_PLACE, refused, 2, MPI_INT, MPI_SUM, m_comm.mpi());
    require(refused[0] == 0 || refused[1] == 0,
            "refused on some ranks alone: " + error);
    return error;
  }
  void must_refuse(const std::string& what, const std::string& text,
                   const std::function<void()>& call) {
    m_did << "wrong on a rank: " << what << '\n';
    const std::string error = refusal(call);
    require(error.find(text) != std::string::npos,
            "expected \"" + text + "\", got \"" + error + '"');
  }
  void require(bool right, const std::string& what) const {
    if (!right) throw std::invalid_argument(what);
  }

  // points ------------------------------------------------------------------

  void mutate(RandomPoints<Dim, Real>& points) {
    const int way = m_random.integer(0, 11);
    m_did << "way " << way << ": ";
    switch (way) {
      case 0: return points.move(m_random.integer(1, 10), 1.);
      case 1: return points.move(100, .1);
      case 2: return points.move(100, 2.);
      case 3: return points.teleport(m_random.integer(1, 10));
      case 4: return points.teleport(100);
      case 5: return points.gather(m_random.one_of({2, 20, 100}));
      case 6: return points.appear(m_random.one_of({1, 10, 200}));
      case 7: return points.vanish(m_random.one_of({1, 3, 10, 100}));
      case 8: return points.vanish(2), points.move(2, .5);
      case 9: return points.appear(5), points.vanish(2), points.move(2, 1.);
      case 10: return points.move(5, .6), points.vanish(1);
      default: return;
    }
  }

  Vectors positions_of(const std::vector<int>& numbers,
                       const RandomPoints<Dim, Real>& points) const {
    const Vectors x("x", numbers.size(), Dim);
    for (std::size_t k = 0; k < numbers.size(); ++k)
      for (std::size_t d = 0; d < Dim; ++d)
        x(k, d) = points.points[std::size_t(numbers[k])].x[d];
    return x;
  }
  static Numbers view_of(const std::vector<int>& numbers) {
    const Numbers view("numbers", numbers.size());
    for (std::size_t k = 0; k < numbers.size(); ++k)
      view(k) = std::int64_t(numbers[k]) * 5000000000;
    return view;
  }
  double mark(int number, std::size_t c) const {
    return number_of(7, std::uint64_t(number), c);
  }

  void migrate_points(const Side& side, RandomPoints<Dim, Real>& points) {
    const auto me   = std::size_t(m_comm.rank());
    const auto mine = points.held[me];
    Vectors x       = positions_of(mine, points);
    Numbers numbers = view_of(mine);
    Marks marks("marks", mine.size(), 2);
    for (std::size_t k = 0; k < mine.size(); ++k)
      for (std::size_t c = 0; c < 2; ++c) marks(k, c) = mark(mine[k], c);
    MigrateOptions options;
    options.drop_beyond_walls = m_random.chance(20);
    const bool by_number      = m_random.chance(50);
    m_did << "migrate" << (by_number ? "_by_number" : "")
          << (options.drop_beyond_walls ? " drops" : "") << " of "
          << points.count() << " points\n";
    const auto call = [&](auto& of_x, auto& of_marks) {
      return by_number ? migrate_by_number(ChainExec{}, side.blocks, options,
                                           numbers, of_x, of_marks)
                       : migrate(ChainExec{}, side.blocks, options, of_x,
                                 numbers, of_marks);
    };
    if (m_random.chance(10)) refuse_migrate(points, x, marks, call);
    const MigrateReport report = call(x, marks);
    const auto expected = points.migrate(options.drop_beyond_walls, by_number);
    require(
        report.sent == expected[me][0] && report.received == expected[me][1] &&
            report.beyond_walls == expected[me][2],
        text_of("report of migrate: sent, received, beyond walls ", report.sent,
                ' ', report.received, ' ', report.beyond_walls, " instead of ",
                expected[me][0], ' ', expected[me][1], ' ', expected[me][2]));
    check_rows(points.held[me], points, x, numbers, marks);
  }

  void check_rows(const std::vector<int>& expected,
                  const RandomPoints<Dim, Real>& points, const Vectors& x,
                  const Numbers& numbers, const Marks& marks) const {
    require(
        x.extent(0) == expected.size() &&
            numbers.extent(0) == expected.size() &&
            marks.extent(0) == expected.size(),
        text_of("points after migrate: ", x.extent(0), ' ', numbers.extent(0),
                ' ', marks.extent(0), " instead of ", expected.size()));
    for (std::size_t k = 0; k < expected.size(); ++k) {
      const int i = expected[k];
      bool right  = numbers(k) == std::int64_t(i) * 5000000000 &&
                   marks(k, 0) == mark(i, 0) && marks(k, 1) == mark(i, 1);
      for (std::size_t d = 0; d < Dim; ++d)
        right = right && x(k, d) == points.points[std::size_t(i)].x[d];
      require(right, text_of("row ", k, " after migrate is not point ", i));
    }
  }

  /// A rank with points, the same for all; none: -1
  int victim(const RandomPoints<Dim, Real>& points) {
    const int first = m_random.integer(0, m_comm.size() - 1);
    for (int k = 0; k < m_comm.size(); ++k) {
      const int rank = (first + k) % m_comm.size();
      if (!points.held[std::size_t(rank)].empty()) return rank;
    }
    return -1;
  }

  template <class Call>
  void refuse_migrate(const RandomPoints<Dim, Real>& points, Vectors& x,
                      Marks& marks, const Call& call) {
    const int rank = victim(points);
    if (rank < 0) return;
    const bool wrong  = rank == m_comm.rank();
    const auto before = x;
    if (m_random.chance(50)) {
      Vectors bad = copy_of(x);
      if (wrong)
        bad(bad.extent(0) / 2, Dim - 1) =
            std::numeric_limits<Real>::quiet_NaN();
      const auto data = bad.data();
      must_refuse("NaN in migrate", "NaN or infinity at point",
                  [&] { call(bad, marks); });
      require(bad.data() == data && bad.extent(0) == before.extent(0),
              "a refused migrate changed a View");
    } else {
      Marks bad("bad", marks.extent(0) + (wrong ? 1 : 0), 2);
      must_refuse("extents in migrate", "extent(0)", [&] { call(x, bad); });
      require(x.data() == before.data(), "a refused migrate changed a View");
    }
  }

  static Vectors copy_of(const Vectors& x) {
    const Vectors to("copy", x.extent(0), Dim);
    Kokkos::deep_copy(to, x);
    return to;
  }

  // plans -------------------------------------------------------------------

  Plan new_plan(const Blocks& blocks, const RandomPoints<Dim, Real>& points) {
    const auto x = positions_of(m_local, points);
    if (!m_options.plan.any_ranks)
      return Plan(ChainExec{}, blocks, Delta{}, x, m_options);
    return Plan(ChainExec{}, blocks, Delta{}, x, view_of(m_local), m_options);
  }

  void update(Plan& plan, const RandomPoints<Dim, Real>& points) {
    const auto x = positions_of(m_local, points);
    m_numbered   = m_options.plan.any_ranks || m_random.chance(10);
    m_did << "update" << (m_numbered ? " with numbers" : "") << '\n';
    if (m_numbered)
      plan.update(ChainExec{}, x, view_of(m_local));
    else
      plan.update(ChainExec{}, x);
    require(plan.size() == m_local.size(), "the plan has another size");
  }

  /// Is what is wrong on one rank refused on all, with the plan as it was?
  void refuse_update(const Side& side, const RandomPoints<Dim, Real>& points) {
    const int rank = victim(points);
    if (rank < 0) return;
    const bool wrong    = rank == m_comm.rank();
    const Vectors x     = positions_of(m_local, points);
    const auto numbers  = view_of(m_local);
    const std::size_t n = x.extent(0);
    Plan plan           = side.plan;
    const auto call     = [&] {
      if (m_options.plan.any_ranks)
        plan.update(ChainExec{}, x, numbers);
      else
        plan.update(ChainExec{}, x);
    };
    switch (m_random.integer(0, m_options.plan.any_ranks ? 3 : 1)) {
      case 0:
        if (wrong) x(n / 2, 0) = std::numeric_limits<Real>::infinity();
        must_refuse("infinity in update", "NaN or infinity at point", call);
        break;
      case 1: {
        int other = -1;
        for (const auto& list : points.held)
          if (&list != &points.held[std::size_t(rank)] && !list.empty())
            other = list.front();
        if (other < 0) return;
        if (wrong)
          for (std::size_t d = 0; d < Dim; ++d)
            x(n - 1, d) = points.points[std::size_t(other)].x[d];
        must_refuse("another rank's point", "points in the block of this rank",
                    call);
        break;
      }
      case 2:
        if (wrong) numbers(n / 2) = -3;
        must_refuse("a negative number", "not negative", call);
        break;
      default: {
        const Numbers more("more", n + (wrong ? 1 : 0));
        must_refuse("extents of numbers", "extent(0)",
                    [&] { plan.update(ChainExec{}, x, more); });
      }
    }
    require(side.plan.size() == side.numbers.size(),
            "a refused update changed the plan");
  }

  // transfer ----------------------------------------------------------------

  void transfer_all(const Side& side, const RandomPoints<Dim, Real>& points) {
    std::vector<Side> others;
    if (m_random.chance(50)) {
      m_did << "a new plan; ";
      others.push_back({side.blocks, Plan(), m_local});
      if (m_numbered && !m_options.plan.any_ranks)
        others.back().plan =
            Plan(ChainExec{}, side.blocks, Delta{},
                 positions_of(m_local, points), view_of(m_local), m_options);
      else
        others.back().plan = new_plan(side.blocks, points);
      check_permutation(side.plan, others.back().plan);
    }
    if (m_options.plan.any_ranks && m_random.chance(60))
      add_one(others, points);
    for (int times = m_random.integer(1, 3); times > 0; --times)
      switch (m_random.integer(0, 3)) {
        case 0:
          transfer<Real, 0, Kokkos::LayoutRight>(side, others, points);
          break;
        case 1:
          transfer<Real, 1, Kokkos::LayoutLeft>(side, others, points);
          break;
        case 2: transfer_faces(side, others, points); break;
        default:
          transfer<Kokkos::complex<Real>, 0, Kokkos::LayoutRight>(side, others,
                                                                  points);
      }
  }

  void check_permutation(const Plan& a, const Plan& b) const {
    const auto p = a.local().permutation(), q = b.local().permutation();
    bool same = p.extent(0) == q.extent(0);
    for (std::size_t i = 0; same && i < p.extent(0); ++i) same = p(i) == q(i);
    require(same, "the order of points is not that of a new plan");
  }

  /// The plan of all points on one rank.
  void add_one(std::vector<Side>& others,
               const RandomPoints<Dim, Real>& points) {
    Side one;
    for (const auto& list : points.held)
      one.numbers.insert(one.numbers.end(), list.begin(), list.end());
    std::sort(one.numbers.begin(), one.numbers.end());
    DistributedGridOptions<Dim> options;
    options.ghosts = m_grid_options.ghosts;
    static const Communicator self(MPI_COMM_SELF);
    const bool made = makes("one rank", [&] {
      one.blocks = Blocks(self, points.grid(), options);
      one.plan   = Plan(ChainExec{}, one.blocks, Delta{},
                        positions_of(one.numbers, points), view_of(one.numbers),
                        m_options);
    });
    if (made) others.push_back(one);
    if (made) m_did << "a plan of one rank; ";
  }
  template <class V, int More, class Layout>
  using FieldOf =
      Kokkos::View<typename DataType<V, Dim + More>::type, Layout, ChainMemory>;

  /// A field of a block: what is owned tells its place, ghosts are NaN.
  template <class V, int More, class Layout>
  FieldOf<V, More, Layout> field_of(const Blocks& blocks, const Staggering& g,
                                    int components, std::uint64_t salt) const {
    const auto field = make_field<FieldOf<V, More, Layout>>(
        [&](int d) { return d < Dim ? blocks.extent(d, g[d]) : components; });
    V* const data = field.data();
    for (std::size_t i = 0; i < field.span(); ++i)
      data[i] = V(std::numeric_limits<Real>::quiet_NaN());
    for_each_own(blocks, g, field, components,
                 [&](V& at, std::size_t place, int c) {
                   at = value_of<V>(salt, place, c);
                 });
    return field;
  }

  /// f(entry, place in the whole field, component) for what is owned.
  template <class Field, class F>
  void for_each_own(const Blocks& blocks, const Staggering& g,
                    const Field& field, int components, const F& f) const {
    int n[3] = {1, 1, 1};
    for (int d = 0; d < Dim; ++d) n[d] = blocks.points(d, g[d]);
    int k[3];
    for (k[0] = 0; k[0] < n[0]; ++k[0])
      for (k[1] = 0; k[1] < n[1]; ++k[1])
        for (k[2] = 0; k[2] < n[2]; ++k[2]) {
          std::size_t at = 0, place = 0;
          for (int d = 0; d < Dim; ++d) {
            at += std::size_t(k[d] + blocks.ghosts()) *
                  std::size_t(field.stride(std::size_t(d)));
            place = place * std::size_t(blocks.grid().points(d, g[d])) +
                    std::size_t(k[d] + blocks.first(d));
          }
          for (int c = 0; c < components; ++c) {
            std::size_t more = 0;
            if constexpr (Impl::view_rank_v < Field >> Dim)
              more = std::size_t(c) * std::size_t(field.stride(Dim));
            f(field.data()[at + more], place, c);
          }
        }
  }

  template <class V>
  static V value_of(std::uint64_t salt, std::size_t place, int c) {
    const auto part = [&](int p) {
      return Real(number_of(salt, place, std::uint64_t(2 * c + p)));
    };
    if constexpr (std::is_same_v<V, Real>)
      return part(0);
    else
      return V(part(0), part(1));
  }
  template <class V>
  static constexpr int parts = std::is_same_v<V, Real> ? 1 : 2;
  template <class V>
  static double part_of(const V& v, int p) {
    if constexpr (std::is_same_v<V, Real>)
      return double(v);
    else
      return double(p == 0 ? v.real() : v.imag());
  }

  template <class Values>
  Values values_of(const std::vector<int>& numbers, int components,
                   std::uint64_t salt) const {
    using V           = typename Values::value_type;
    const auto values = make_field<Values>(
        [&](int r) { return r == 0 ? int(numbers.size()) : components; });
    for (std::size_t k = 0; k < numbers.size(); ++k)
      for (int c = 0; c < components; ++c)
        entry(values, k, c) = value_of<V>(salt, std::size_t(numbers[k]), c);
    return values;
  }
  template <class Values>
  static auto& entry(const Values& values, std::size_t k, int c) {
    if constexpr (Impl::view_rank_v<Values> == 1)
      return values(k);
    else
      return values(k, std::size_t(c));
  }

  /// Plain sums for one real component of a field.
  template <class V>
  std::vector<Judged> plain_spread(const PlainTransfer<Dim, Real, Delta>& plain,
                                   const RandomPoints<Dim, Real>& points,
                                   std::uint64_t salt, int c, int p) const {
    std::vector<Judged> sums(plain.size());
    for (std::size_t i = 0; i < sums.size(); ++i) {
      const double v = part_of(value_of<V>(salt, i, c), p);
      sums[i].add(
          v, std::fabs(v) * 16 * double(std::numeric_limits<Real>::epsilon()));
    }
    for (const auto& list : points.held)
      for (const int i : list)
        plain.spread(points.points[std::size_t(i)].x.data(),
                     part_of(value_of<V>(salt + 1, std::size_t(i), c), p),
                     sums);
    return sums;
  }

  template <class V, class Field>
  void judge_field(const std::string& what, const Side& side,
                   const RandomPoints<Dim, Real>& points, const Staggering& g,
                   const Field& field, int components, int first_component,
                   std::uint64_t salt) const {
    const PlainTransfer<Dim, Real, Delta> plain(
        side.blocks.grid(), g, m_options.plan.staggering, points.count());
    for (int c = 0; c < components; ++c)
      for (int p = 0; p < parts<V>; ++p) {
        const auto sums =
            plain_spread<V>(plain, points, salt, c + first_component, p);
        for_each_own(side.blocks, g, field, components,
                     [&](const V& at, std::size_t place, int k) {
                       if (k == c)
                         judge(what, part_of(at, p), sums[place], place, c);
                     });
      }
  }
  template <class V, class Values, class Whole>
  void judge_values(const std::string& what, const Side& side,
                    const RandomPoints<Dim, Real>& points, const Staggering& g,
                    const Values& values, int components, int first_component,
                    const Whole& whole) const {
    const PlainTransfer<Dim, Real, Delta> plain(
        side.blocks.grid(), g, m_options.plan.staggering, points.count());
    for (std::size_t k = 0; k < side.numbers.size(); ++k) {
      const auto i = std::size_t(side.numbers[k]);
      for (int c = 0; c < components; ++c)
        for (int p = 0; p < parts<V>; ++p) {
          const auto sum = plain.interpolate(
              points.points[i].x.data(), [&](std::size_t place) {
                return part_of(whole(place, c + first_component), p);
              });
          judge(what, part_of(entry(values, k, c + first_component), p), sum, i,
                c);
        }
    }
  }
  void judge(const std::string& what, double found, const Judged& expected,
             std::size_t place, int c) const {
    require(std::fabs(found - expected.value) <= expected.within,
            text_of(what, " at place or point ", place, ", component ", c, ": ",
                    found, " instead of ", expected.value, " +- ",
                    expected.within));
  }

  SpreadOptions spread_options(const Staggering& g) {
    SpreadOptions options;
    options.staggering = g;
    if (!m_options.plan.any_ranks)
      options.algorithm = m_random.one_of(
          {SpreadAlgorithm::automatic, SpreadAlgorithm::serial,
           SpreadAlgorithm::sweep, SpreadAlgorithm::sweep_buffered,
           SpreadAlgorithm::tiled});
    return options;
  }
  InterpolateOptions interpolate_options(const Staggering& g) {
    InterpolateOptions options;
    options.staggering = g;
    if (!m_options.plan.any_ranks)
      options.algorithm = m_random.one_of({InterpolateAlgorithm::automatic,
                                           InterpolateAlgorithm::serial,
                                           InterpolateAlgorithm::sorted});
    return options;
  }

  template <class V, int More, class Layout>
  void transfer(const Side& side, const std::vector<Side>& others,
                const RandomPoints<Dim, Real>& points) {
    const int components     = More == 0 ? 1 : m_random.integer(1, 3);
    const std::uint64_t salt = m_salt += 10;
    Staggering g             = m_options.plan.staggering;
    if (Algorithms)
      for (int d = 0; d < 3; ++d)
        if (m_random.chance(30)) g[d] = m_random.one_of({0., .5, .25});
    const auto spreads = spread_options(g);
    const auto reads   = interpolate_options(g);
    const std::string what =
        text_of(parts<V> == 2 ? "complex" : "real", " x ", components, " at ",
                Impl::in_words<Dim>(g));
    m_did << what << '\n';
    using Values   = Kokkos::View<typename DataType<V, 1 + More>::type,
                                Kokkos::LayoutRight, ChainMemory>;
    const auto run = [&](const Side& on, const auto& field,
                         const Values& values) {
      const auto strengths =
          values_of<Values>(on.numbers, components, salt + 1);
      const auto read =
          field_of<V, More, Layout>(on.blocks, g, components, salt + 2);
      if constexpr (Algorithms) {
        Sporos::spread(ChainExec{}, on.plan, strengths, field, spreads);
        Sporos::interpolate(ChainExec{}, on.plan, read, values, reads);
      } else {
        Sporos::spread(ChainExec{}, on.plan, strengths, field);
        Sporos::interpolate(ChainExec{}, on.plan, read, values);
      }
      ChainExec{}.fence();
    };
    const auto field =
        field_of<V, More, Layout>(side.blocks, g, components, salt);
    const auto values = values_of<Values>(side.numbers, components, 0);
    run(side, field, values);
    judge_field<V>("spread " + what, side, points, g, field, components, 0,
                   salt);
    judge_values<V>("interpolate " + what, side, points, g, values, components,
                    0, [&](std::size_t place, int c) {
                      return value_of<V>(salt + 2, place, c);
                    });
    for (const Side& on : others) {
      const auto other =
          field_of<V, More, Layout>(on.blocks, g, components, salt);
      const auto other_values = values_of<Values>(on.numbers, components, 0);
      run(on, other, other_values);
      check_bits(what, side, on, g, field, other, components);
      check_value_bits(what, side, on, values, other_values, components);
    }
  }

  void transfer_faces(const Side& side, const std::vector<Side>& others,
                      const RandomPoints<Dim, Real>& points) {
    using Field  = FieldOf<Real, 0, Kokkos::LayoutRight>;
    using Values = Kokkos::View<Real**, Kokkos::LayoutLeft, ChainMemory>;
    using Fields = Kokkos::Array<Field, Dim>;
    const std::uint64_t salt = m_salt += 10;
    m_did << "faces\n";
    const auto make = [&](const Side& on, std::uint64_t of) {
      Fields fields;
      for (int k = 0; k < Dim; ++k)
        fields[k] = field_of<Real, 0, Kokkos::LayoutRight>(
            on.blocks, Grid<Dim, Real>::face(k), 1,
            of + std::uint64_t(k) * 1000003);
      return fields;
    };
    const auto run = [&](const Side& on, const Fields& fields,
                         const Values& values) {
      const auto strengths = values_of<Values>(on.numbers, Dim, salt + 1);
      Sporos::spread(ChainExec{}, on.plan, strengths, fields);
      Sporos::interpolate(ChainExec{}, on.plan, make(on, salt + 2), values);
      ChainExec{}.fence();
    };
    const Fields fields = make(side, salt);
    const auto values   = values_of<Values>(side.numbers, Dim, 0);
    run(side, fields, values);
    for (int k = 0; k < Dim; ++k) {
      const auto g = Grid<Dim, Real>::face(k);
      judge_face(side, points, k, fields[k], salt);
      judge_values<Real>("interpolate faces", side, points, g, values, 1, k,
                         [&](std::size_t place, int) {
                           return value_of<Real>(
                               salt + 2 + std::uint64_t(k) * 1000003, place, 0);
                         });
    }
    for (const Side& on : others) {
      const Fields other      = make(on, salt);
      const auto other_values = values_of<Values>(on.numbers, Dim, 0);
      run(on, other, other_values);
      for (int k = 0; k < Dim; ++k)
        check_bits("faces", side, on, Grid<Dim, Real>::face(k), fields[k],
                   other[k], 1);
      check_value_bits("faces", side, on, values, other_values, Dim);
    }
  }

  template <class Field>
  void judge_face(const Side& side, const RandomPoints<Dim, Real>& points,
                  int k, const Field& field, std::uint64_t salt) const {
    const auto g = Grid<Dim, Real>::face(k);
    const PlainTransfer<Dim, Real, Delta> plain(
        side.blocks.grid(), g, m_options.plan.staggering, points.count());
    std::vector<Judged> sums(plain.size());
    for (std::size_t i = 0; i < sums.size(); ++i) {
      const double v = value_of<Real>(salt + std::uint64_t(k) * 1000003, i, 0);
      sums[i].add(
          v, std::fabs(v) * 16 * double(std::numeric_limits<Real>::epsilon()));
    }
    for (const auto& list : points.held)
      for (const int i : list)
        plain.spread(points.points[std::size_t(i)].x.data(),
                     value_of<Real>(salt + 1, std::size_t(i), k), sums);
    for_each_own(side.blocks, g, field, 1,
                 [&](const Real& at, std::size_t place, int) {
                   judge("spread faces", double(at), sums[place], place, k);
                 });
  }

  /// What this rank owns must have the bits that another plan computed.
  template <class Field>
  void check_bits(const std::string& what, const Side& side, const Side& other,
                  const Staggering& g, const Field& a, const Field& b,
                  int components) const {
    using V          = typename Field::value_type;
    std::size_t size = std::size_t(components);
    for (int d = 0; d < Dim; ++d)
      size *= std::size_t(side.blocks.grid().points(d, g[d]));
    std::vector<const V*> at(size, nullptr);
    for_each_own(other.blocks, g, b, components,
                 [&](const V& v, std::size_t place, int c) {
                   at[place * std::size_t(components) + std::size_t(c)] = &v;
                 });
    for_each_own(side.blocks, g, a, components,
                 [&](const V& v, std::size_t place, int c) {
                   const V* const w =
                       at[place * std::size_t(components) + std::size_t(c)];
                   require(w != nullptr && std::memcmp(w, &v, sizeof v) == 0,
                           text_of("bits of spread ", what, " at place ", place,
                                   " are not those of a plan of ",
                                   other.blocks.comm().size(), " ranks"));
                 });
  }
  template <class Values>
  void check_value_bits(const std::string& what, const Side& side,
                        const Side& other, const Values& a, const Values& b,
                        int components) const {
    std::map<int, std::size_t> row;
    for (std::size_t k = 0; k < other.numbers.size(); ++k)
      row[other.numbers[k]] = k;
    for (std::size_t k = 0; k < side.numbers.size(); ++k)
      for (int c = 0; c < components; ++c) {
        const auto v = entry(a, k, c), w = entry(b, row.at(side.numbers[k]), c);
        require(std::memcmp(&v, &w, sizeof v) == 0,
                text_of("bits of interpolate ", what, " at point ",
                        side.numbers[k], " are not those of a plan of ",
                        other.blocks.comm().size(), " ranks"));
      }
  }

  template <class... Parts>
  static std::string text_of(const Parts&... some) {
    std::ostringstream out;
    out.precision(17);
    (out << ... << some);
    return out.str();
  }

  RandomCase& m_random;
  Communicator m_comm;
  DistributedPlanOptions m_options;
  DistributedGridOptions<Dim> m_grid_options;
  std::vector<int> m_local;  ///< numbers of the points of this rank
  bool m_numbered      = false;
  std::uint64_t m_salt = 100;
  std::ostringstream m_did;
};

template <int Dim, class Real, class Delta, bool Algorithms = false>
void chain_of_transfers(RandomCase& random, const Communicator& comm) {
  TransferChain<Dim, Real, Delta, Algorithms>(random, comm).run();
}

}  // namespace Test
}  // namespace Sporos

#endif
