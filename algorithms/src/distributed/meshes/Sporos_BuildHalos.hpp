// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef SPOROS_BUILDHALOS_HPP
#define SPOROS_BUILDHALOS_HPP

/// \file Sporos_BuildHalos.hpp
/// Sends the elements of a mesh to their owners, and finds the halos: what is
/// executed and what is only read (as in OP2: Mudalige, Giles, Thiyagalingam,
/// Reguly, Bertolli, Kelly, Trefethen, Design and initial performance of a
/// high-level unstructured mesh framework on heterogeneous parallel systems,
/// 2013).

#include <distributed/meshes/Sporos_DeriveParts.hpp>
#include <distributed/meshes/Sporos_LocalSets.hpp>

#include <algorithm>
#include <cstddef>
#include <limits>
#include <map>
#include <set>
#include <unordered_map>
#include <utility>
#include <vector>

namespace Sporos {
namespace Impl {

/// Elements that a rank may have of a set, and entries that it may send of them
/// in an exchange, as they are counted by int. Tests allow fewer.
inline std::size_t& most_local_elements() {
  static std::size_t most = std::size_t(std::numeric_limits<int>::max()) - 1;
  return most;
}

/// Builds the local sets and maps of this rank. All members are collective. No
/// rank keeps more than what it owns, its halo and its block.
class HaloBuilder {
  /// Elements with the rows of all maps from their set, one after another.
  struct Elements {
    std::vector<GlobalNumber> global;
    std::vector<GlobalNumber> rows;  ///< `width` numbers each
  };
  using PerRank = std::map<int, std::vector<GlobalNumber>>;

 public:
  HaloBuilder(const Communicator& comm, const std::vector<SetBlock>& sets,
              const std::vector<MapBlock>& maps)
      : m_comm(comm), m_sets(sets), m_maps(maps), m_work(sets.size()) {
    for (std::size_t m = 0; m < maps.size(); ++m) {
      Work& from = m_work[std::size_t(maps[m].from)];
      from.maps.push_back({m, from.width});
      from.width += std::size_t(maps[m].arity);
    }
  }

  LocalMesh run() {
    for (std::size_t s = 0; s < m_sets.size(); ++s) send_to_owners(s);
    for (std::size_t s = 0; s < m_sets.size(); ++s) find_executed(s);
    find_read();
    return {take_sets(), local_maps()};
  }

 private:
  struct MapColumn {
    std::size_t map, first;  ///< place in the rows of an element
  };
  /// What is known of a set.
  struct Work {
    std::vector<MapColumn> maps;
    std::size_t width = 0;
    Elements owned;     ///< ascending
    Elements executed;  ///< of other ranks, by owner, then number
    std::map<int, std::vector<std::size_t>> exported;  ///< places in owned
    std::vector<GlobalNumber> read;                    ///< wanted, ascending
    std::unordered_map<GlobalNumber, int> local;
    LocalSet result;
  };

  /// Records of an element: its number, then its rows.
  static void append(std::vector<GlobalNumber>& to, GlobalNumber g,
                     const GlobalNumber* row, std::size_t width) {
    to.push_back(g);
    to.insert(to.end(), row, row + width);
  }

  static void unpack(const std::vector<GlobalNumber>& records,
                     std::size_t width, Elements& to) {
    for (std::size_t k = 0; k < records.size(); k += width + 1) {
      to.global.push_back(records[k]);
      to.rows.insert(to.rows.end(), records.begin() + std::ptrdiff_t(k) + 1,
                     records.begin() + std::ptrdiff_t(k + 1 + width));
    }
  }

  void send_to_owners(std::size_t s) {
    const SetBlock& set      = m_sets[s];
    Work& work               = m_work[s];
    const GlobalNumber first = set.blocks.begin(m_comm.rank());
    PerRank records;
    std::vector<GlobalNumber> row(work.width);
    for (std::size_t i = 0; i < set.part.size(); ++i) {
      for (const MapColumn& c : work.maps) {
        const MapBlock& map = m_maps[c.map];
        for (std::size_t k = 0; k < std::size_t(map.arity); ++k)
          row[c.first + k] = map.rows[i * std::size_t(map.arity) + k];
      }
      append(records[set.part[i]], first + GlobalNumber(i), row.data(),
             work.width);
    }
    // holders ascend with the numbers, so that the owned elements do
    for (const auto& rank_and_records : sparse_messages(m_comm, records))
      unpack(rank_and_records.second, work.width, work.owned);
    check_count(s, "elements", work.owned.global.size());
  }

  /// All ranks throw if one has more than it can count.
  void check_count(std::size_t s, const char* what, std::size_t count) const {
    agree_on(m_comm, "Sporos::distribute", [&] {
      check(count <= most_local_elements(), "Sporos::distribute",
            m_sets[s].name.c_str(),
            text("at most ", most_local_elements(), ' ', what,
                 " on a rank (take more ranks, or another partition)"),
            count);
    });
  }
  /// All ranks throw if one sends more entries than it can count.
  void check_sent(std::size_t s) const {
    std::size_t sent = 0;
    for (const auto& rank_and_list : m_work[s].result.send)
      sent += rank_and_list.second.size();
    check_count(s, "elements in halos of other ranks", sent);
  }

  /// f(element, number) for all targets that the rows of elements name in a map
  template <class F>
  void for_each_target(const MapColumn& c, std::size_t width,
                       const Elements& elements, const F& f) const {
    for (std::size_t e = 0; e < elements.global.size(); ++e)
      for (std::size_t k = 0; k < std::size_t(m_maps[c.map].arity); ++k)
        if (const GlobalNumber g = elements.rows[e * width + c.first + k];
            g >= 0)
          f(e, g);
  }

  /// Owned elements that name elements of other ranks are executed there, too.
  void find_executed(std::size_t s) {
    Work& work = m_work[s];
    std::vector<std::set<int>> executed_by(work.owned.global.size());
    for (const MapColumn& c : work.maps) {
      std::vector<GlobalNumber> named;
      for_each_target(c, work.width, work.owned,
                      [&](std::size_t, GlobalNumber g) { named.push_back(g); });
      const auto owner = owners_of(
          m_comm, m_sets[std::size_t(m_maps[c.map].to)], std::move(named));
      for_each_target(c, work.width, work.owned,
                      [&](std::size_t e, GlobalNumber g) {
                        const int rank = owner(g);
                        if (rank != m_comm.rank()) executed_by[e].insert(rank);
                      });
    }
    PerRank records;
    for (std::size_t e = 0; e < executed_by.size(); ++e)
      for (const int rank : executed_by[e]) {
        work.exported[rank].push_back(e);
        append(records[rank], work.owned.global[e],
               work.owned.rows.data() + e * work.width, work.width);
      }
    order_owned(work, executed_by);
    LocalSet& set       = work.result;
    const auto received = sparse_messages(m_comm, records);
    std::size_t count   = set.global.size();
    for (const auto& rank_and_records : received)
      count += rank_and_records.second.size() / (work.width + 1);
    check_count(s, "elements with halos", count);
    for (const auto& [rank, got] : received) {
      std::size_t e = work.executed.global.size();
      unpack(got, work.width, work.executed);
      for (; e < work.executed.global.size(); ++e) {
        set.receive[rank].push_back(set.size());
        work.local.emplace(work.executed.global[e], set.size());
        set.global.push_back(work.executed.global[e]);
      }
    }
    set.executed = set.size();
  }

  /// Local numbers of owned elements: those that nobody else executes first.
  static void order_owned(Work& work,
                          const std::vector<std::set<int>>& executed_by) {
    LocalSet& set = work.result;
    for (const bool core : {true, false}) {
      for (std::size_t e = 0; e < executed_by.size(); ++e)
        if (executed_by[e].empty() == core) {
          work.local.emplace(work.owned.global[e], set.size());
          set.global.push_back(work.owned.global[e]);
        }
      (core ? set.core : set.owned) = set.size();
    }
    for (const auto& [rank, places] : work.exported)
      for (const std::size_t e : places)
        set.send[rank].push_back(work.local.at(work.owned.global[e]));
  }

  void find_read() {
    for (const Work& work : m_work)
      for (const MapColumn& c : work.maps) {
        Work& to = m_work[std::size_t(m_maps[c.map].to)];
        for (const Elements* elements : {&work.owned, &work.executed})
          for_each_target(c, work.width, *elements,
                          [&](std::size_t, GlobalNumber g) {
                            if (to.local.count(g) == 0) to.read.push_back(g);
                          });
      }
    for (Work& work : m_work) sort_unique(work.read);
    want_one_of_empty_sets();
    for (std::size_t s = 0; s < m_sets.size(); ++s) number_read(s);
  }

  /// Rows of zeros of elements that are only read need an element 0, unless
  /// entries may be missing.
  void want_one_of_empty_sets() {
    for (bool changed = true; changed;) {
      changed = false;
      for (const Work& work : m_work)
        for (const MapColumn& c : work.maps) {
          Work& to = m_work[std::size_t(m_maps[c.map].to)];
          if (work.read.empty() || !to.local.empty() || !to.read.empty() ||
              m_maps[c.map].missing == MissingEntries::allowed)
            continue;
          to.read.push_back(0);
          changed = true;
        }
    }
  }

  void number_read(std::size_t s) {
    Work& work    = m_work[s];
    LocalSet& set = work.result;
    check_count(s, "elements with halos", set.global.size() + work.read.size());
    const auto owner = owners_of(m_comm, m_sets[s], work.read);
    PerRank wanted;
    for (const GlobalNumber g : work.read) wanted[owner(g)].push_back(g);
    for (const auto& [rank, numbers] : wanted)
      for (const GlobalNumber g : numbers) {
        set.receive[rank].push_back(set.size());
        work.local.emplace(g, set.size());
        set.global.push_back(g);
      }
    for (const auto& [rank, numbers] : sparse_messages(m_comm, wanted))
      for (const GlobalNumber g : numbers)
        set.send[rank].push_back(work.local.at(g));
    check_sent(s);
  }

  std::vector<std::vector<int>> local_maps() {
    std::vector<std::vector<int>> maps(m_maps.size());
    for (const Work& work : m_work)
      for (const MapColumn& c : work.maps) {
        const auto arity       = std::size_t(m_maps[c.map].arity);
        const auto& to         = m_work[std::size_t(m_maps[c.map].to)].local;
        std::vector<int>& rows = maps[c.map];
        rows.assign(work.local.size() * arity,
                    m_maps[c.map].missing == MissingEntries::allowed ? -1 : 0);
        const auto fill = [&](const Elements& elements) {
          for (std::size_t e = 0; e < elements.global.size(); ++e) {
            const auto row = std::size_t(work.local.at(elements.global[e]));
            for (std::size_t k = 0; k < arity; ++k) {
              const GlobalNumber g =
                  elements.rows[e * work.width + c.first + k];
              rows[row * arity + k] = g < 0 ? -1 : to.at(g);
            }
          }
        };
        fill(work.owned);
        fill(work.executed);
      }
    return maps;
  }

  std::vector<LocalSet> take_sets() const {
    std::vector<LocalSet> sets;
    for (const Work& work : m_work) sets.push_back(work.result);
    return sets;
  }

  Communicator m_comm;
  const std::vector<SetBlock>& m_sets;
  const std::vector<MapBlock>& m_maps;
  std::vector<Work> m_work;
};

}  // namespace Impl
}  // namespace Sporos

#endif
