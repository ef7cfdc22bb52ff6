// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/// A random mesh as plain arrays, which all ranks have, and how it is dealt out
/// to ranks.

#ifndef SPOROS_RANDOMMESH_HPP
#define SPOROS_RANDOMMESH_HPP

#include <Sporos_DistributedMesh.hpp>
#include <Sporos_RandomDriver.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <numeric>
#include <string>
#include <vector>

namespace Sporos {
namespace Test {

/// A map of a RandomMesh.
struct RandomMap {
  int from, to, arity;
  std::string kind;
  std::vector<int> rows;
  std::vector<bool> column;  ///< no two elements name one target in it
  bool disjoint = false;     ///< no two elements name one target at all

  int at(int e, int i) const { return rows[std::size_t(e * arity + i)]; }

  /// Fills in what no two elements share.
  void look() {
    const int n  = int(rows.size()) / arity;
    const auto c = [&](int first, int end) {
      std::vector<std::pair<int, int>> pairs;  // target, element
      for (int e = 0; e < n; ++e)
        for (int i = first; i < end; ++i) pairs.emplace_back(at(e, i), e);
      std::sort(pairs.begin(), pairs.end());
      for (std::size_t k = 1; k < pairs.size(); ++k)
        if (pairs[k].first == pairs[k - 1].first &&
            pairs[k].second != pairs[k - 1].second)
          return false;
      return true;
    };
    for (int i = 0; i < arity; ++i) column.push_back(c(i, i + 1));
    disjoint = c(0, arity);
  }
};

/// Some elements of a set.
struct RandomSubset {
  int set;
  std::vector<int> list;                 ///< numbers, in the order of the list
  int range_begin = -1, range_end = -1;  ///< if it is a range
};

/// How a mesh is dealt out.
struct RandomDeal {
  enum class By { given, along, through, automatic };
  std::vector<std::vector<int>> first;  ///< of each set: begins of the blocks
  By by   = By::given;
  int set = 0, map = -1, dimension = 1;
  bool weighted = false;
  std::vector<int> owner, weight;  ///< of the elements of that set
  std::vector<double> x;           ///< dimension numbers for each of them
  DistributeOptions options;
};

struct RandomMesh {
  std::vector<int> sizes;
  std::vector<RandomMap> maps;
  std::vector<RandomSubset> subsets;
  RandomDeal deal;

  std::string describe() const;
};

namespace Draw {

inline std::vector<int> random_permutation(RandomCase& random, int n) {
  std::vector<int> order(static_cast<std::size_t>(n));
  std::iota(order.begin(), order.end(), 0);
  std::shuffle(order.begin(), order.end(), random.engine());
  return order;
}

inline RandomMap random_map(RandomCase& random, int from, int to,
                            const std::vector<int>& sizes) {
  const int n = sizes[std::size_t(from)], m = sizes[std::size_t(to)];
  RandomMap map{
      from, to, random.chance(60) ? random.integer(1, 4) : random.integer(1, 8),
      "",   {}, {},
      false};
  const char* const kind =
      random.one_of({"uniform", "banded", "clustered", "repeating",
                     "permutation", "disjoint", "constant"});
  map.kind = kind;
  const std::string k(kind);
  const auto order = random_permutation(random, m);
  const int few    = std::min(m, random.integer(1, 4));
  if ((k == "permutation" && m < n) || (k == "disjoint" && m < n * map.arity))
    map.kind = "uniform";
  for (int e = 0; e < n; ++e)
    for (int i = 0; i < map.arity; ++i) {
      int t = random.integer(0, m - 1);
      if (map.kind == "banded")
        t = int((std::int64_t(e) * m / n + random.integer(0, 9)) % m);
      else if (map.kind == "clustered")
        t = order[std::size_t(random.integer(0, few - 1))];
      else if (map.kind == "repeating" && i > 0 && random.chance(50))
        t = map.rows.back();
      else if (map.kind == "permutation")
        t = order[std::size_t((e + 7 * i) % m)];
      else if (map.kind == "disjoint")
        t = order[std::size_t(e * map.arity + i)];
      else if (map.kind == "constant")
        t = order[0];
      map.rows.push_back(t);
    }
  map.look();
  return map;
}

/// Begins of random blocks of n elements, and the end.
inline std::vector<int> random_blocks(RandomCase& random, int n, int ranks) {
  std::vector<int> first(std::size_t(ranks) + 1, 0);
  const int kind = random.integer(0, 3), all = random.integer(0, ranks - 1);
  for (int r = 1; r <= ranks; ++r) {
    int& f = first[std::size_t(r)];
    f      = kind == 0   ? int(std::int64_t(n) * r / ranks)
             : kind == 1 ? (r > all ? n : 0)
                         : random.integer(0, n);
  }
  first.back() = n;
  std::sort(first.begin(), first.end());
  return first;
}

inline int random_size(RandomCase& random) {
  switch (random.integer(0, 5)) {
    case 0: return random.integer(0, 3);
    case 1: return random.integer(0, 12);
    case 2: return random.integer(0, 500);
    default: return random.integer(1, 90);
  }
}

inline RandomDeal random_deal(RandomCase& random, const RandomMesh& mesh,
                              int ranks) {
  RandomDeal d;
  using By = RandomDeal::By;
  for (const int n : mesh.sizes)
    d.first.push_back(random_blocks(random, n, ranks));
  d.set = random.integer(0, int(mesh.sizes.size()) - 1);
  if (!mesh.maps.empty() && random.chance(30)) {
    d.map      = random.integer(0, int(mesh.maps.size()) - 1);
    d.set      = mesh.maps[std::size_t(d.map)].to;
    d.by       = Sporos::Impl::have_ptscotch && random.chance(70) ? By::through
                                                                  : By::automatic;
    d.weighted = random.chance(30);
  } else if (random.chance(20)) {
    d.by = By::along;
  }
  d.dimension   = d.by == By::automatic ? 2 : random.integer(1, 3);
  const int n   = mesh.sizes[std::size_t(d.set)];
  const int how = random.integer(0, 5), last = random.integer(0, ranks - 1);
  const bool ties = random.chance(30);
  for (int i = 0; i < n; ++i) {
    d.owner.push_back(how == 0   ? int(std::int64_t(i) * ranks / n)
                      : how == 1 ? i % ranks
                      : how == 2 ? last
                      : how == 3 ? (i < n / 2 ? 0 : last)
                      : how == 4 ? (random.chance(90) ? last : 0)
                                 : random.integer(0, ranks - 1));
    d.weight.push_back(random.integer(1, 9));
    for (int c = 0; c < d.dimension; ++c)
      d.x.push_back(ties ? random.integer(0, 2) : random.real(-1, 1));
  }
  ReorderOptions& reorder = d.options.reorder;
  if (random.chance(35))
    reorder.ordering = random.one_of({MeshOrdering::reverse_cuthill_mckee,
                                      MeshOrdering::gibbs_poole_stockmeyer,
                                      MeshOrdering::random});
  reorder.seed = random.integer(std::uint64_t(1), std::uint64_t(99));
  if (!mesh.maps.empty() && random.chance(30))
    reorder.by =
        "map " + std::to_string(random.integer(0, int(mesh.maps.size()) - 1));
  return d;
}

inline RandomSubset random_subset(RandomCase& random, const RandomMesh& mesh) {
  RandomSubset s{random.integer(0, int(mesh.sizes.size()) - 1), {}};
  const int n = mesh.sizes[std::size_t(s.set)];
  if (random.chance(30)) {
    s.range_begin = random.integer(0, n);
    s.range_end   = random.integer(s.range_begin, n);
    for (int e = s.range_begin; e < s.range_end; ++e) s.list.push_back(e);
    return s;
  }
  const int percent = random.one_of({0, 5, 50, 95, 100});
  for (const int e : random_permutation(random, n))
    if (random.chance(percent)) s.list.push_back(e);
  if (random.chance(50)) std::sort(s.list.begin(), s.list.end());
  return s;
}

}  // namespace Draw

inline RandomMesh random_mesh(RandomCase& random, int ranks) {
  RandomMesh mesh;
  const int sets = random.integer(1, 4);
  for (int s = 0; s < sets; ++s)
    mesh.sizes.push_back(Draw::random_size(random));
  const int maps = random.integer(0, 5);
  for (int m = 0; m < maps; ++m) {
    const int from = random.integer(0, sets - 1);
    const int to   = random.chance(25) ? from : random.integer(0, sets - 1);
    if (mesh.sizes[std::size_t(to)] > 0 || mesh.sizes[std::size_t(from)] == 0)
      mesh.maps.push_back(Draw::random_map(random, from, to, mesh.sizes));
  }
  const int subsets = random.integer(0, 3);
  for (int s = 0; s < subsets; ++s)
    mesh.subsets.push_back(Draw::random_subset(random, mesh));
  mesh.deal = Draw::random_deal(random, mesh, ranks);
  return mesh;
}

inline std::string RandomMesh::describe() const {
  std::string text = "sets of";
  for (const int n : sizes) text += ' ' + std::to_string(n);
  for (std::size_t m = 0; m < maps.size(); ++m) {
    const RandomMap& map = maps[m];
    text += "\nmap " + std::to_string(m) + ": set " + std::to_string(map.from) +
            " to " + std::to_string(map.to) + ", arity " +
            std::to_string(map.arity) + ", " + map.kind;
  }
  for (std::size_t s = 0; s < subsets.size(); ++s)
    text += "\nsubset " + std::to_string(s) + ": " +
            std::to_string(subsets[s].list.size()) + " elements of set " +
            std::to_string(subsets[s].set) +
            (subsets[s].range_begin < 0 ? "" : ", a range");
  const char* const by[] = {"given ranks", "coordinates", "PT-Scotch",
                            "automatic"};
  text += "\ndealt out by " + std::string(by[int(deal.by)]) + " of set " +
          std::to_string(deal.set) + ", ordering " +
          name(deal.options.reorder.ordering) + " by \"" +
          deal.options.reorder.by + "\", any_ranks " +
          (deal.options.any_ranks ? "yes" : "no") + "\nblocks begin at";
  for (const auto& first : deal.first) {
    text += " (";
    for (const int f : first) text += ' ' + std::to_string(f);
    text += " )";
  }
  return text;
}

}  // namespace Test
}  // namespace Sporos

#endif
