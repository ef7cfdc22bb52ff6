// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/// The part of a random chain that knows no plans: calls that must be refused,
/// points that move and migrate.

#ifndef SPOROS_MIGRATIONCHAIN_HPP
#define SPOROS_MIGRATIONCHAIN_HPP

#include "Sporos_ChainFields.hpp"
#include "Sporos_RandomPoints.hpp"

#include <Sporos_Migrate.hpp>

#include <cstddef>
#include <cstdint>
#include <functional>
#include <limits>
#include <sstream>
#include <stdexcept>
#include <string>
#include <vector>

namespace Sporos {
namespace Test {

template <int Dim, class Real>
class MigrationChain {
 protected:
  using Vectors = Kokkos::View<Real**, Kokkos::LayoutRight, ChainMemory>;
  using Numbers = Kokkos::View<std::int64_t*, ChainMemory>;
  using Marks   = Kokkos::View<double**, Kokkos::LayoutLeft, ChainMemory>;

  MigrationChain(RandomCase& random, const Communicator& comm)
      : m_random(random), m_comm(comm) {}

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
  /// What a rank finds wrong is thrown on all, so that none waits for it.
  void together(const std::function<void()>& judge) {
    const std::string wrong = Impl::thrown_text(judge);
    int first               = wrong.empty() ? m_comm.size() : m_comm.rank();
    MPI_Allreduce(MPI_IN_PLACE, &first, 1, MPI_INT, MPI_MIN, m_comm.mpi());
    if (first == m_comm.size()) return;
    require(false,
            text_of("rank ", first, ": ",
                    Impl::text_of_rank(m_comm, "together", first, wrong)));
  }
  void must_refuse(const std::string& what, const std::string& text,
                   const std::function<void()>& call) {
    m_did << "wrong on a rank: " << what << '\n';
    const std::string error = refusal(call);
    require(error.find(text) != std::string::npos,
            "expected \"" + text + "\", got \"" + error + '"');
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

  void migrate_points(const DistributedGrid<Dim, Real>& blocks,
                      RandomPoints<Dim, Real>& points) {
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
      return by_number ? migrate_by_number(ChainExec{}, blocks, options,
                                           numbers, of_x, of_marks)
                       : migrate(ChainExec{}, blocks, options, of_x, numbers,
                                 of_marks);
    };
    if (m_random.chance(10)) refuse_migrate(points, x, marks, call);
    const MigrateReport report = call(x, marks);
    const auto expected = points.migrate(options.drop_beyond_walls, by_number);
    together([&] {
      require(report.sent == expected[me][0] &&
                  report.received == expected[me][1] &&
                  report.beyond_walls == expected[me][2],
              text_of("report of migrate: sent, received, beyond walls ",
                      report.sent, ' ', report.received, ' ',
                      report.beyond_walls, " instead of ", expected[me][0], ' ',
                      expected[me][1], ' ', expected[me][2]));
      check_rows(points.held[me], points, x, numbers, marks);
    });
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

  RandomCase& m_random;
  Communicator m_comm;
  std::ostringstream m_did;  ///< what the chain did
};

}  // namespace Test
}  // namespace Sporos

#endif
