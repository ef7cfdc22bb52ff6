// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef SPOROS_COLORING_HPP
#define SPOROS_COLORING_HPP

/// \file Sporos_Coloring.hpp
/// Colours for items that write to shared targets: two items of one colour
/// share none, so that all items of a colour may run at once.
///
/// Items are coloured in their order. Each target keeps the colours of its
/// items as bits of a 32-bit mask; an item takes the colour with the fewest
/// items (Sulyok et al.) among those that none of its targets has. Items for
/// which all 32 are taken wait for the next pass, which has 32 new colours and
/// cleared masks (PyOP2's plan). Colours depend on neither the number of
/// threads nor earlier calls.

#include <Sporos_ColoringTargets.hpp>
#include <Sporos_Error.hpp>
#include <Sporos_KokkosCompat.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <vector>

namespace Sporos {

/// The colours of items.
struct Coloring {
  int n_colors = 0;        ///< how many colours are in use
  std::vector<int> color;  ///< of each item, 0 .. n_colors - 1
};

/// The items of colour c are items[offsets[c] .. offsets[c + 1]), ascending.
struct ColorSets {
  /// where the items of each colour begin, and the end: n_colors + 1 entries
  std::vector<int> offsets;
  std::vector<int> items;  ///< the items, colour after colour
};

namespace Impl {

struct GatherMask {
  const std::uint32_t* masks;
  std::uint32_t& taken;
  SPOROS_ALWAYS_INLINE void operator()(int target) const {
    taken |= masks[target];
  }
};
struct AddToMask {
  std::uint32_t* masks;
  std::uint32_t bit;
  SPOROS_ALWAYS_INLINE void operator()(int target) const {
    masks[target] |= bit;
  }
};
struct ClearMask {
  std::uint32_t* masks;
  SPOROS_ALWAYS_INLINE void operator()(int target) const { masks[target] = 0; }
};

/// The free colour with the fewest items, given those taken and the sizes of
/// the n colours in use in this pass; n if a new one is needed.
inline int choose_color(std::uint32_t taken, const int* sizes, int n) {
  const std::uint32_t open =
      n == 32 ? ~std::uint32_t(0) : (std::uint32_t(1) << n) - 1;
  int best = n;
  for (std::uint32_t free = open & ~taken; free != 0; free &= free - 1) {
    const int c = countr_zero(free);
    if (best == n || sizes[c] < sizes[best]) best = c;
  }
  return best;
}

/// Colours items in their order and returns the number of colours. `masks` has
/// an entry for each target, all 0 at first; it is not cleared at the end.
/// Gives up, and returns 0, as soon as colours have fewer than per_color items
/// on average.
template <class Targets, class Int>
[[gnu::noinline]] int greedy_coloring(int n_items, const Targets& targets,
                                      std::uint32_t* masks, Int* color,
                                      int per_color = 0) {
  std::vector<int> rest;  // items without a colour after the first 32
  for (int base = 0;; base += 32) {
    const bool all = base == 0;
    for (const int item : rest) targets.for_each(item, ClearMask{masks});
    const int count = all ? n_items : int(rest.size());
    int sizes[32] = {}, open = 0;
    std::size_t kept = 0;
    for (int k = 0; k < count; ++k) {
      const int item      = all ? k : rest[std::size_t(k)];
      std::uint32_t taken = 0;
      targets.for_each(item, GatherMask{masks, taken});
      if (taken == ~std::uint32_t(0)) {
        if (all)
          rest.push_back(item);
        else
          rest[kept] = item;
        ++kept;
        continue;
      }
      const int c = choose_color(taken, sizes, open);
      if (c == open) ++open;
      ++sizes[c];
      color[item] = Int(base + c);
      targets.for_each(item, AddToMask{masks, std::uint32_t(1) << c});
    }
    rest.resize(kept);
    const int n_colors = base + open;
    if (rest.empty()) return n_colors;
    if (std::int64_t(n_items) - std::int64_t(rest.size()) <
        std::int64_t(per_color) * n_colors)
      return 0;
  }
}

}  // namespace Impl

/// Scratch memory of color_items that only grows; one call at a time may use
/// it. What it was used for before makes no difference.
struct ColoringWorkspace {
  /// colours of the items of each target, as bits
  std::vector<std::uint32_t> masks;
};

/// Colours n_items items that write to targets 0 .. n_targets - 1, as `targets`
/// says. O(n_items + n_targets + entries), and for each further 32 colours the
/// entries of the items that have none yet. Throws std::invalid_argument for
/// negative sizes; does not check targets.
template <class Targets>
Coloring color_items(int n_items, int n_targets, const Targets& targets) {
  Impl::check_sizes("Sporos::color_items", n_items, n_targets);
  std::vector<std::uint32_t> masks(std::size_t(n_targets), 0);
  Coloring result{0, std::vector<int>(std::size_t(n_items))};
  result.n_colors = Impl::greedy_coloring(n_items, targets, masks.data(),
                                          result.color.data());
  return result;
}

/// Colours items into color[0 .. n_items), in the memory of a workspace;
/// returns the number of colours. Otherwise as color_items without a workspace,
/// but throws std::invalid_argument also for more colours than Int holds.
template <class Targets, class Int>
int color_items(ColoringWorkspace& workspace, int n_items, int n_targets,
                const Targets& targets, Int* color) {
  Impl::check_sizes("Sporos::color_items", n_items, n_targets);
  if constexpr (sizeof(Int) < sizeof(int)) {
    constexpr int highest = std::numeric_limits<Int>::max();
    if (n_items > highest) {  // it may not hold them all
      const Coloring wide = color_items(n_items, n_targets, targets);
      Impl::check(wide.n_colors - 1 <= highest, "Sporos::color_items", "color",
                  Impl::text("a type for ", wide.n_colors, " colours"),
                  "one for numbers up to ", highest);
      std::copy(wide.color.begin(), wide.color.end(), color);
      return wide.n_colors;
    }
  }
  if (workspace.masks.size() < std::size_t(n_targets))
    workspace.masks.resize(std::size_t(n_targets), 0);
  std::uint32_t* const masks = workspace.masks.data();
  const int n_colors = Impl::greedy_coloring(n_items, targets, masks, color);
  // Never all targets of a mesh for each of its blocks.
  if (n_targets / 8 <= n_items)
    std::fill(masks, masks + n_targets, 0);
  else
    for (int i = 0; i < n_items; ++i)
      targets.for_each(i, Impl::ClearMask{masks});
  return n_colors;
}

/// Items sorted by colour, those of one colour ascending. O(items). Throws
/// std::invalid_argument for negative numbers and for a colour out of range.
template <class Int>
ColorSets group_by_color(int n_items, const Int* color, int n_colors) {
  constexpr const char* name = "Sporos::group_by_color";
  Impl::check(n_items >= 0, name, "n_items", "at least 0", n_items);
  Impl::check(n_colors >= 0, name, "n_colors", "at least 0", n_colors);
  for (int i = 0; i < n_items; ++i) {
    const auto c = std::int64_t(color[i]);
    Impl::check(c >= 0 && c < n_colors, name, "color",
                Impl::text("colours in [0, ", n_colors, ')'), c, " of item ",
                i);
  }
  ColorSets sets{std::vector<int>(std::size_t(n_colors) + 1),
                 std::vector<int>(std::size_t(n_items))};
  for (int i = 0; i < n_items; ++i) ++sets.offsets[std::size_t(color[i]) + 1];
  for (int c = 0; c < n_colors; ++c)
    sets.offsets[std::size_t(c) + 1] += sets.offsets[std::size_t(c)];
  std::vector<int> next(sets.offsets.begin(), sets.offsets.end() - 1);
  for (int i = 0; i < n_items; ++i)
    sets.items[std::size_t(next[std::size_t(color[i])]++)] = i;
  return sets;
}
/// The items of a Coloring sorted by colour, those of one colour ascending.
inline ColorSets group_by_color(const Coloring& coloring) {
  return group_by_color(int(coloring.color.size()), coloring.color.data(),
                        coloring.n_colors);
}

namespace Impl {

/// The last item that wrote each target, to find two items of one colour that
/// share a target: take the items of a colour one after another.
struct LastWriters {
  std::vector<int> writer;

  explicit LastWriters(int n_targets) : writer(std::size_t(n_targets), -1) {}

  /// Enters the targets of `item`. Returns the item of the same colour, as
  /// `color` says, that shares one of them, or -1.
  template <class Targets, class Color>
  int enter(int item, const Targets& targets, const Color& color) {
    int other = -1;
    targets.for_each(item, [&](int target) {
      int& last = writer[std::size_t(target)];
      if (last >= 0 && last != item && color(last) == color(item)) other = last;
      last = item;
    });
    return other;
  }
};

}  // namespace Impl

/// Are all colours in range, and do no two items of a colour share a target?
/// (One item may name a target twice.) O(n_items + n_targets + n_colors +
/// entries). Throws std::invalid_argument for negative numbers and targets out
/// of range.
template <class Targets, class Int>
bool is_valid_coloring(int n_items, int n_targets, const Targets& targets,
                       const Int* color, int n_colors) {
  constexpr const char* name = "Sporos::is_valid_coloring";
  Impl::check_sizes(name, n_items, n_targets);
  Impl::check(n_colors >= 0, name, "n_colors", "at least 0", n_colors);
  for (int i = 0; i < n_items; ++i)
    targets.for_each(i,
                     [&](int t) { Impl::check_target(name, t, n_targets, i); });
  for (int i = 0; i < n_items; ++i)
    if (std::int64_t(color[i]) < 0 || std::int64_t(color[i]) >= n_colors)
      return false;
  const ColorSets sets = group_by_color(n_items, color, n_colors);
  Impl::LastWriters writers(n_targets);
  for (const int item : sets.items)
    if (writers.enter(item, targets, [&](int i) { return color[i]; }) >= 0)
      return false;
  return true;
}

}  // namespace Sporos

#endif
