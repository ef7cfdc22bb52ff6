// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef SPOROS_COORDINATEPARTS_HPP
#define SPOROS_COORDINATEPARTS_HPP

/// \file Sporos_CoordinateParts.hpp
/// Recursive coordinate bisection over many ranks (Berger, Bokhari, A
/// partitioning strategy for nonuniform problems on multiprocessors, 1987).

#include <Sporos_Communicator.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <vector>

namespace Sporos {
namespace Impl {

/// Cuts elements into parts of equal size, each along its longest direction, in
/// as many rounds as parts can be halved. Elements with the same coordinate go
/// by their number. Each rank keeps its own elements and O(parts) numbers.
class CoordinateBisection {
  using Count                       = std::int64_t;
  static constexpr const char* name = "Sporos::distribute";

 public:
  /// \param comm the ranks
  /// \param dimension coordinates of an element
  /// \param x coordinates of this rank's block, element by element
  CoordinateBisection(const Communicator& comm, int dimension,
                      const std::vector<double>& x)
      : m_comm(comm),
        m_dimension(std::size_t(dimension)),
        m_n(x.size() / std::size_t(dimension)),
        m_x(x) {}

  /// Collective. A part for each element of the block.
  std::vector<int> run(int parts) {
    m_group.assign(m_n, 0);
    m_groups = {{0, parts}};
    while (std::any_of(m_groups.begin(), m_groups.end(),
                       [](const Group& g) { return g.parts > 1; }))
      halve_all();
    std::vector<int> part(m_n);
    for (std::size_t i = 0; i < m_n; ++i)
      part[i] = m_groups[std::size_t(m_group[i])].first;
    return part;
  }

 private:
  /// Elements that will be cut into the parts first, ..., first + parts - 1.
  struct Group {
    int first, parts;
  };
  using PerGroup = std::vector<double>;
  using Counts   = std::vector<Count>;

  double coordinate(std::size_t i, std::size_t d) const {
    return m_x[i * m_dimension + d];
  }
  std::size_t group(std::size_t i) const { return std::size_t(m_group[i]); }

  void halve_all() {
    choose_directions();
    Counts all(m_groups.size(), 0);
    for (std::size_t i = 0; i < m_n; ++i) ++all[group(i)];
    sum(all);
    m_left.resize(m_groups.size());
    for (std::size_t g = 0; g < m_groups.size(); ++g)
      m_left[g] = all[g] * (m_groups[g].parts / 2) / m_groups[g].parts;
    find_cuts();
    divide();
  }

  void choose_directions() {
    const std::size_t k   = m_groups.size();
    constexpr double most = std::numeric_limits<double>::max();
    PerGroup low(k * m_dimension, most), high(k * m_dimension, most);
    for (std::size_t i = 0; i < m_n; ++i)
      for (std::size_t d = 0; d < m_dimension; ++d) {
        const std::size_t at = group(i) * m_dimension + d;
        low[at]              = std::min(low[at], coordinate(i, d));
        high[at]             = std::min(high[at], -coordinate(i, d));
      }
    least(low);
    least(high);
    m_direction.assign(k, 0);
    m_low.resize(k);
    m_high.resize(k);
    for (std::size_t g = 0; g < k; ++g) {
      const auto extent = [&](std::size_t d) {
        return -high[g * m_dimension + d] - low[g * m_dimension + d];
      };
      for (std::size_t d = 1; d < m_dimension; ++d)
        if (extent(d) > extent(m_direction[g])) m_direction[g] = d;
      m_low[g]  = low[g * m_dimension + m_direction[g]];
      m_high[g] = -high[g * m_dimension + m_direction[g]];
    }
  }

  double along(std::size_t i) const {
    return coordinate(i, m_direction[group(i)]);
  }

  /// Bisects [m_low, m_high] until little more than the cut of each group lies
  /// in it: at most m_left elements lie below, at most the others above.
  void find_cuts() {
    for (int step = 0; step < 64; ++step) {
      PerGroup middle(m_groups.size());
      for (std::size_t g = 0; g < middle.size(); ++g)
        middle[g] = m_low[g] + (m_high[g] - m_low[g]) / 2;
      Counts below(m_groups.size(), 0);
      for (std::size_t i = 0; i < m_n; ++i)
        if (along(i) <= middle[group(i)]) ++below[group(i)];
      sum(below);
      for (std::size_t g = 0; g < middle.size(); ++g)
        (below[g] >= m_left[g] ? m_high : m_low)[g] = middle[g];
    }
  }

  /// Elements below m_low go to the left, those above m_high to the right, and
  /// those between by their number until the left has enough.
  void divide() {
    const std::size_t k = m_groups.size();
    Counts below(k, 0), between(k, 0), before(k, 0);
    for (std::size_t i = 0; i < m_n; ++i)
      if (along(i) < m_low[group(i)])
        ++below[group(i)];
      else if (along(i) <= m_high[group(i)])
        ++between[group(i)];
    sum(below);
    check_mpi(MPI_Exscan(between.data(), before.data(), int(k), MPI_INT64_T,
                         MPI_SUM, m_comm.mpi()),
              name, "MPI_Exscan");
    if (m_comm.rank() == 0) std::fill(before.begin(), before.end(), 0);
    std::vector<int> left_group(k), right_group(k);
    std::vector<Group> groups;
    for (std::size_t g = 0; g < k; ++g) {
      const Group old = m_groups[g];
      left_group[g]   = int(groups.size());
      if (old.parts > 1) groups.push_back({old.first, old.parts / 2});
      right_group[g] = int(groups.size());
      groups.push_back({old.first + old.parts / 2, old.parts - old.parts / 2});
    }
    for (std::size_t i = 0; i < m_n; ++i) {
      const std::size_t g = group(i);
      bool left           = along(i) < m_low[group(i)];
      if (!left && along(i) <= m_high[g])
        left = below[g] + before[g]++ < m_left[g];
      m_group[i] =
          left && m_groups[g].parts > 1 ? left_group[g] : right_group[g];
    }
    m_groups = groups;
  }

  void sum(Counts& counts) const {
    check_mpi(MPI_Allreduce(MPI_IN_PLACE, counts.data(), int(counts.size()),
                            MPI_INT64_T, MPI_SUM, m_comm.mpi()),
              name, "MPI_Allreduce");
  }
  void least(PerGroup& values) const {
    check_mpi(MPI_Allreduce(MPI_IN_PLACE, values.data(), int(values.size()),
                            MPI_DOUBLE, MPI_MIN, m_comm.mpi()),
              name, "MPI_Allreduce");
  }

  Communicator m_comm;
  std::size_t m_dimension, m_n;
  const std::vector<double>& m_x;
  std::vector<int> m_group;  ///< of each element
  std::vector<Group> m_groups;
  std::vector<std::size_t> m_direction;
  PerGroup m_low, m_high;
  Counts m_left;  ///< elements of the left half of each group
};

}  // namespace Impl
}  // namespace Sporos

#endif
