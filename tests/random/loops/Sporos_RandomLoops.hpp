// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/// What the random driver of mesh loops draws: maps, values, ranges, subsets,
/// options; and how it judges a loop: by a plain serial loop, up to rounding
/// or, for integers, exactly, and by bits where they are promised.

#ifndef SPOROS_RANDOMLOOPS_HPP
#define SPOROS_RANDOMLOOPS_HPP

#include "Sporos_MeshCases.hpp"
#include "Sporos_RandomDriver.hpp"

#include <Sporos_ParLoop.hpp>
#include <Sporos_Reorder.hpp>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <limits>
#include <numeric>
#include <string>
#include <vector>

namespace RandomLoops {

using namespace Sporos;
using Sporos::Test::RandomCase;
using Exec   = Kokkos::DefaultHostExecutionSpace;
using Memory = Exec::memory_space;

inline int random_size(RandomCase& r) {
  const int kind = r.integer(1, 100);
  if (kind <= 15) return r.integer(0, 3);
  if (kind <= 50) return r.integer(4, 60);
  if (kind <= 92) return r.integer(61, 900);
  return r.integer(901, 6000);
}

/// n rows of `arity` targets; words says of which kind.
inline std::vector<int> random_map(RandomCase& r, int n, int arity, int targets,
                                   std::string& words) {
  const int kind = r.integer(0, 5), few = std::min(targets, r.integer(1, 4));
  const int band = r.integer(1, 12), one = r.integer(0, targets - 1);
  std::vector<int> rows(std::size_t(n) * std::size_t(arity));
  for (std::size_t k = 0; k < rows.size(); ++k) {
    const auto e    = std::int64_t(k) / arity;
    const auto near = int(e * targets / std::max(n, 1));
    rows[k]         = kind == 0   ? r.integer(0, targets - 1)
                      : kind == 1 ? (near + r.integer(0, band)) % targets
                      : kind == 2 ? r.integer(0, few - 1)
                      : kind == 3 ? one
                      : kind == 4 ? int((e + std::int64_t(k) % arity) % targets)
                                  : (near + r.integer(0, band)) % targets;
  }
  if (kind == 5) {  // a band whose rows are shuffled
    std::vector<int> order(std::size_t(n), 0), old = rows;
    std::iota(order.begin(), order.end(), 0);
    std::shuffle(order.begin(), order.end(), r.engine());
    for (std::size_t k = 0; k < rows.size(); ++k)
      rows[k] =
          old[std::size_t(order[k / std::size_t(arity)]) * std::size_t(arity) +
              k % std::size_t(arity)];
  }
  const char* const names[] = {"random", "band",  "few targets",
                               "one",    "chain", "shuffled band"};
  words += std::string(", map of arity ") + std::to_string(arity) + " to " +
           std::to_string(targets) + ", " + names[kind];
  return rows;
}

/// Entries of which some, or all, become negative if there may be such.
template <bool Partial>
std::vector<int> with_gaps(RandomCase& r, std::vector<int> entries) {
  const int percent = Partial ? r.one_of({0, 5, 50, 100}) : 0;
  for (int& t : entries)
    if (r.chance(percent)) t = -r.integer(1, 3);
  return entries;
}

/// Small integers, or numbers in (-1, 1) of many magnitudes.
template <class T>
std::vector<T> random_values(RandomCase& r, std::size_t n, bool integers) {
  std::vector<T> values(n);
  for (T& v : values)
    v = integers ? T(r.integer(-3, 3))
                 : T(std::ldexp(r.real(-1, 1), r.integer(-6, 0)));
  return values;
}

inline LoopOptions random_options(RandomCase& r, int first, int n) {
  LoopOptions o;
  o.strategy = r.one_of({LoopStrategy::automatic, LoopStrategy::serial,
                         LoopStrategy::global_coloring,
                         LoopStrategy::hierarchical, LoopStrategy::gather,
                         LoopStrategy::owners, LoopStrategy::atomic,
                         LoopStrategy::hierarchical, LoopStrategy::owners});
  if (o.strategy == LoopStrategy::hierarchical)
    o.staging = r.one_of(
        {Staging::automatic, Staging::none, Staging::increments, Staging::all});
  o.block_size      = r.one_of({0, 0, 1, 2, 3, 7, 16, 33, 64});
  o.kernel_by_color = r.chance(20);
  o.sort_by_color   = r.chance(80);
  o.packs           = r.chance(70);
  o.check_disjoint  = r.chance(10);
  if (r.chance(35)) {
    o.any_ranks = true;
    o.strategy  = r.one_of({LoopStrategy::automatic, LoopStrategy::automatic,
                            LoopStrategy::gather, LoopStrategy::owners});
    o.staging   = r.one_of({Staging::automatic, Staging::none});
  }
  // a launch for each of thousands of colours would take seconds where cores
  // are busy
  if (n > 500 && o.strategy == LoopStrategy::global_coloring)
    o.strategy = LoopStrategy::automatic;
  if (n > 500 && o.block_size > 0) o.block_size = std::max(o.block_size, 64);
  if (r.chance(15) && n > 0) {
    o.block_size = 0;
    o.blocks     = {first, first + n};
    for (int k = r.integer(0, 9); k > 0; --k)
      o.blocks.push_back(r.integer(first, first + n));
    std::sort(o.blocks.begin(), o.blocks.end());
    o.blocks.erase(std::unique(o.blocks.begin(), o.blocks.end()),
                   o.blocks.end());
    if (o.staging == Staging::increments || o.staging == Staging::all)
      o.blocks.clear();  // large ones would not fit into scratch
  }
  return o;
}

/// Part of a set: its elements in order, and how the loop names it.
struct Part {
  std::vector<int> list;
  bool is_subset = false;
  int begin = 0, end = 0;
  std::string words;

  Part(RandomCase& r, int n, bool subsets) : list(std::size_t(n)), end(n) {
    std::iota(list.begin(), list.end(), 0);
    is_subset = subsets && r.chance(40);
    if (is_subset) {
      if (r.chance(70)) std::shuffle(list.begin(), list.end(), r.engine());
      list.resize(std::size_t(r.integer(0, n)));
    }
    const int all = int(list.size());
    if (r.chance(30)) {
      begin = r.integer(0, all);
      end   = r.integer(begin, all);
    } else {
      end = all;
    }
    words = std::string(is_subset ? "subset" : "range") + " [" +
            std::to_string(begin) + ", " + std::to_string(end) + ") of " +
            std::to_string(n);
  }
  std::vector<int> elements() const {
    return {list.begin() + begin, list.begin() + end};
  }
};

/// A result, with the error that each number may have.
struct Result {
  std::string name;
  std::vector<double> values, tolerance;
};
using Results = std::vector<Result>;

template <class T>
Result result_of(const std::string& name, const std::vector<T>& values,
                 std::vector<double> tolerance = {}) {
  return {name, std::vector<double>(values.begin(), values.end()),
          std::move(tolerance)};
}

inline bool same_bits(double a, double b) {
  return std::memcmp(&a, &b, sizeof a) == 0;
}

/// The first difference, or nothing.
inline std::string difference(const Results& got, const Results& wanted,
                              bool bits) {
  for (std::size_t k = 0; k < wanted.size(); ++k)
    for (std::size_t i = 0; i < wanted[k].values.size(); ++i) {
      const double a = got[k].values[i], b = wanted[k].values[i];
      const bool right = bits ? same_bits(a, b)
                              : (std::isnan(a) && std::isnan(b)) || a == b ||
                                    std::abs(a - b) <= wanted[k].tolerance[i];
      if (right) continue;
      char words[200];
      std::snprintf(words, sizeof words, "%s[%zu]: %.17g, not %.17g%s",
                    wanted[k].name.c_str(), i, a, b, bits ? " (bits)" : "");
      return words;
    }
  return "";
}

/// Contributions to targets: what a serial loop adds, and the rounding errors
/// that any order may have.
struct Sums {
  std::vector<double> values, magnitude, count;
  explicit Sums(std::vector<double> start)
      : values(std::move(start)),
        magnitude(values.size()),
        count(values.size()) {
    for (std::size_t i = 0; i < values.size(); ++i)
      magnitude[i] = std::abs(values[i]);
  }
  /// terms: the sum of the magnitudes from which v comes
  void add(std::size_t i, double v, double terms) {
    values[i] += v;
    magnitude[i] += terms;
    count[i] += 1;
  }
  template <class T>
  Result result(const std::string& name, bool integers) const {
    std::vector<double> tolerance(values.size(), 0.);
    for (std::size_t i = 0; i < values.size(); ++i)
      if (!integers)
        tolerance[i] = double(std::numeric_limits<T>::epsilon()) *
                       (count[i] + 80) * magnitude[i];
    return {name, values, tolerance};
  }
};

/// Lists of a plan of any_ranks as `threads` threads have them.
template <class Plan>
void set_threads(const Plan& plan, int threads) {
  auto& data = plan.data();
  if (!data.has_lists() || data.n == 0) return;
  const Impl::Inspection inspection(data.maps);
  data.threads = threads;
  data.owner_blocks.clear();
  data.owner_list.clear();
  data.reverse.clear();
  data.owners_meet = data.keeps = false;
  if (Impl::may_have_owners(data) && Impl::make_owner_blocks(data)) return;
  Impl::make_kept_blocks(data);
  Impl::make_reverse_maps(data);
}

/// One loop, with all ways to call it: the case has
///   from, subsets, fill(random), reset(), run(part, how...), plan(part,
///   options), results(), expected(elements)
template <class Case, class Range>
std::string check_calls(RandomCase& r, Case& c, const Part& part,
                        const Range& range, const std::string& words) {
  const int n           = part.end - part.begin;
  const LoopOptions o   = random_options(r, part.is_subset ? 0 : part.begin, n);
  const std::string all = words + ", " + part.words + ", " + Test::text(o) +
                          (o.blocks.empty() ? "" : ", own blocks");
  const auto fails = [&](const char* what, const std::string& why) {
    return std::string(what) + ": " + why + "\n  " + all;
  };
  const auto plan = c.plan(range, o);
  const int how   = r.integer(0, 2);
  Results first;
  for (int turn = 0; turn < 2; ++turn) {  // a plan, and again with other values
    if (turn > 0 && r.chance(50)) break;
    if (n > 0) {
      const std::string wrong = validate(plan);
      if (!wrong.empty()) return fails("validate", wrong);
    }
    c.fill(r);
    c.reset();
    if (how == 0)
      c.run(range, plan);
    else if (how == 1)
      c.run(range, o);
    else
      c.run(range);
    first                  = c.results();
    const Results wanted   = c.expected(part.elements());
    const std::string diff = difference(first, wanted, false);
    if (!diff.empty()) return fails("serial loop", diff);
  }
  if (how != 2 && o.strategy == LoopStrategy::atomic) return "";
  c.reset();
  if (how == 0)
    c.run(range, plan);
  else if (how == 1)
    c.run(range, o);
  else
    c.run(range);
  const std::string again = difference(c.results(), first, true);
  if (!again.empty()) return fails("again", again);
  if (!o.any_ranks || how == 2) return "";
  for (int turn = 0; turn < 3; ++turn) {
    LoopOptions other = o;
    other.strategy = r.one_of({LoopStrategy::automatic, LoopStrategy::gather});
    other.block_size = r.one_of({0, 5, 1000});
    other.packs      = r.chance(50);
    other.blocks.clear();
    const auto its    = c.plan(range, other);
    const int threads = r.one_of({1, 2, 3, 8, 40});
    set_threads(its, threads);
    if (n > 0) {
      const std::string wrong = validate(its);
      if (!wrong.empty())
        return fails("validate",
                     wrong + ", threads " + std::to_string(threads));
    }
    c.reset();
    c.run(range, its);
    const std::string diff = difference(c.results(), first, true);
    if (!diff.empty())
      return fails("any ranks", diff + ", with " + Test::text(other) + " and " +
                                    std::to_string(threads) + " threads");
  }
  return "";
}

/// A case: some loops over one mesh, which is renumbered between some of them.
template <class Case>
std::string check_case(RandomCase& r, const char* name) {
  Case c(r);
  const std::string words = std::string(name) + c.words;
  for (int loops = r.integer(1, 3); loops > 0; --loops) {
    const Part part(r, c.from.size(), Case::subsets);
    std::string wrong;
    if constexpr (Case::subsets)
      if (part.is_subset)
        wrong = check_calls(r, c, part,
                            Subset<Memory>("subset", c.from, part.list)
                                .range(part.begin, part.end),
                            words);
    if (!part.is_subset)
      wrong =
          check_calls(r, c, part, c.from.range(part.begin, part.end), words);
    if (!wrong.empty()) return wrong;
    if (r.chance(30)) {
      ReorderOptions options;
      options.ordering = r.one_of(
          {MeshOrdering::natural, MeshOrdering::reverse_cuthill_mckee,
           MeshOrdering::gibbs_poole_stockmeyer, MeshOrdering::random});
      options.seed = r.integer(0u, 1000u);
#ifdef SPOROS_HAVE_METIS
      if (c.from.size() <= 300 && r.chance(10)) {
        options.ordering   = MeshOrdering::metis;
        options.block_size = r.integer(20, 100);
      }
#endif
      Mesh mesh             = c.mesh();
      const auto before     = c.numbers();
      const auto reordering = reorder(mesh, options);
      wrong                 = c.is_renumbered(reordering, before);
      if (!wrong.empty())
        return std::string("reorder: ") + wrong + "\n  " + words;
      if (r.chance(30)) {
        apply(mesh, inverse(reordering));
        if (c.numbers() != before)
          return "the inverse of a reordering\n  " + words;
      }
    }
  }
  return "";
}

// The checks; each returns what is wrong, or nothing.
std::string check_exchange(RandomCase& r);
std::string check_matrix(RandomCase& r);
std::string check_pair(RandomCase& r);
std::string check_self(RandomCase& r);
std::string check_vectors(RandomCase& r);

}  // namespace RandomLoops

#endif  // SPOROS_RANDOMLOOPS_HPP
