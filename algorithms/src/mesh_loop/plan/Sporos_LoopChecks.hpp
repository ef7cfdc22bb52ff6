// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef SPOROS_LOOPCHECKS_HPP
#define SPOROS_LOOPCHECKS_HPP

/// \file Sporos_LoopChecks.hpp
/// Preconditions of a loop's arguments, and the keys by which plans are found.

#include <Sporos_EnumNames.hpp>
#include <Sporos_Error.hpp>
#include <Sporos_ViewChecks.hpp>
#include <mesh_loop/arguments/Sporos_ArgInfo.hpp>

#include <cstddef>
#include <cstdint>
#include <stdexcept>
#include <string>

namespace Sporos {
namespace Impl {

/// The arguments of a loop.
struct ArgInfos {
  ArgInfo* first;
  int n;

  ArgInfo* begin() const { return first; }
  ArgInfo* end() const { return first + n; }
  ArgInfo& operator[](int i) const { return first[i]; }
};

template <>
struct EnumNames<Access> {
  using E                           = Access;
  static constexpr NamedValue all[] = {{"read", E::read}, {"write", E::write},
                                       {"rw", E::rw},     {"inc", E::inc},
                                       {"min", E::min},   {"max", E::max}};
};

/// "argument 2, inc(res, edge_cells)"
[[gnu::cold]] inline std::string argument_name(int number, const ArgInfo& arg) {
  std::string s = "argument " + std::to_string(number);
  if (arg.element_index) return s += ", element_index()";
  if (arg.dat_set == nullptr) return s += ", a global";
  s += ", ";
  s += name_of(arg.key.access);
  s += '(';
  s += arg.dat != nullptr ? arg.dat->name : "no dat";
  if (arg.through_map) {
    s += ", ";
    s += *arg.map != nullptr ? (*arg.map)->name : "no map";
    if (arg.single) s += ", " + std::to_string(arg.key.index);
  }
  return s += ')';
}

/// Refuses an argument.
[[noreturn, gnu::cold, gnu::noinline]] inline void refuse(
    int number, const ArgInfo& arg, const std::string& expected,
    const std::string& got) {
  throw_invalid("Sporos::par_loop", argument_name(number, arg).c_str(),
                expected, got);
}

/// Throws the error that was caught, with the label of the loop.
[[noreturn, gnu::cold, gnu::noinline]] inline void rethrow_with_label(
    const std::string& label, const std::invalid_argument& error) {
  const std::string function = "Sporos::par_loop";
  std::string words          = error.what();
  if (label.empty() ||
      words.compare(0, function.size() + 1, function + ':') != 0)
    throw;
  words.insert(function.size(), '(' + label + ')');
  throw std::invalid_argument(words);
}

/// Calls f. What it throws names the loop: "Sporos::par_loop(label): ..."
template <class F>
void with_label(const std::string& label, const F& f) {
  try {
    f();
  } catch (const std::invalid_argument& error) {
    rethrow_with_label(label, error);
  }
}

/// "cells (size 9)"
[[gnu::cold]] inline std::string set_in_words(const SetState& set) {
  return set.name + " (size " + std::to_string(set.size) + ")";
}
/// "cells (size 9)"; tells a set from an expected one that has its name
[[gnu::cold]] inline std::string other_in_words(const SetState& set,
                                                const SetState& expected) {
  return set_in_words(set) +
         (set.name == expected.name ? ", another one with that name" : "");
}

/// "2 x 8 bytes": the values of a dat at an element
[[gnu::cold]] inline std::string values_in_words(const ArgKey& key) {
  return std::to_string(key.components) + " x " +
         std::to_string(key.value_bytes) + " bytes";
}

/// "inc through map ends at index 0, 2 x 8 bytes"
[[gnu::cold]] inline std::string key_in_words(const ArgKey& key,
                                              const std::string& map) {
  if (key.reduces) return "a reduction";
  if (key.components == 0) return "a global";
  std::string words = name_of(key.access);
  if (key.map != nullptr) {
    words += " through map " + map;
    if (key.index >= 0) words += " at index " + std::to_string(key.index);
  }
  return words + ", " + values_in_words(key);
}

/// Throws std::invalid_argument unless the argument fits a loop over `set`.
inline void check_argument(const SetState& set, int number,
                           const ArgInfo& arg) {
  if (!arg.made)
    check_handle(false, "Sporos::par_loop", argument_name(number, arg).c_str());
  if (arg.dat_set == nullptr) return;
  if (!arg.through_map) {
    if (arg.dat_set != &set)
      refuse(
          number, arg,
          "a dat on the set of the loop, " + set_in_words(set) + ", or a map",
          "a dat on " + other_in_words(*arg.dat_set, set));
    return;
  }
  const MapState& map = **arg.map;
  if (!map.valid)
    refuse(number, arg, "a map whose entries Map::modified() took",
           "one with entries that it refused");
  if (map.from.get() != &set)
    refuse(number, arg, "a map from the set of the loop, " + set_in_words(set),
           "a map from " + other_in_words(*map.from, set));
  if (map.to.get() != arg.dat_set)
    refuse(number, arg,
           "a dat on the target set of the map, " + set_in_words(*map.to),
           "a dat on " + other_in_words(*arg.dat_set, *map.to));
  if (!map.distributed && (set.parts != nullptr || map.to->parts != nullptr))
    refuse(number, arg,
           "a map of the mesh that was distributed, since halos follow from "
           "its maps",
           "a map from or to a distributed set that was made by hand");
  if (map.missing && !arg.key.partial)
    refuse(number, arg,
           "an argument made by with_missing(...), because negative entries of "
           "the map name nothing",
           "one without");
  if (arg.single && (arg.key.index < 0 || arg.key.index >= map.arity))
    refuse(number, arg, "a map index in [0, " + std::to_string(map.arity) + ")",
           std::to_string(arg.key.index));
  if (arg.key.writes_through_map() && !arg.promised)
    refuse(number, arg,
           "the promise that no target is written twice, Sporos::disjoint, for "
           "a write through a map",
           "none");
}

/// The memory of a dat.
inline Footprint footprint(const ArgInfo& arg) {
  Footprint f;
  f.begin              = reinterpret_cast<std::uintptr_t>(arg.data);
  f.element            = std::size_t(arg.key.value_bytes);
  f.empty              = arg.dat_set->size == 0;
  const auto direction = [&](int count, std::ptrdiff_t step) {
    if (count < 2) return;
    f.count[f.rank]  = std::size_t(count);
    f.step[f.rank++] = std::size_t(step) * f.element;
  };
  direction(arg.dat_set->size, arg.row_stride);
  direction(arg.key.components, arg.component_stride);
  return f;
}

/// Do two arguments have one dat, or two with the same values on one set?
[[gnu::noinline]] inline bool same_values(const ArgInfo& a, const ArgInfo& b) {
  return a.data == b.data && a.dat_set == b.dat_set && a.dat_set != nullptr &&
         footprint(a) == footprint(b);
}

/// Does one of two arguments change memory that is a part of that of the other?
inline bool cut_into(const ArgInfo& a, const ArgInfo& b) {
  return (a.key.access != Access::read || b.key.access != Access::read) &&
         a.dat_set != nullptr && b.dat_set != nullptr && !same_values(a, b) &&
         may_overlap(footprint(a), footprint(b));
}

/// May two arguments have one dat? Where both are direct, both write through
/// maps (the promise is one for both together), or both do the same.
inline bool may_share(const ArgKey& a, const ArgKey& b) {
  if (a.map == nullptr && b.map == nullptr) return true;
  if (a.writes_through_map() && b.writes_through_map()) return true;
  return a.access == b.access && a.access != Access::write &&
         a.access != Access::rw;
}

/// All arguments by themselves, and beside one another: throws if one changes
/// a dat that another one reaches, at other elements.
inline void check_arguments(const SetState& set, const ArgInfos& args) {
  for (int i = 0; i < args.n; ++i) check_argument(set, i, args[i]);
  for (int i = 1; i < args.n; ++i)
    for (int j = 0; j < i; ++j) {
      if (cut_into(args[i], args[j]))
        refuse(i, args[i],
               "memory separate from that of " + argument_name(j, args[j]) +
                   ", or the same",
               "memory that overlaps it");
      if (args[i].data != nullptr && same_values(args[i], args[j]) &&
          !may_share(args[i].key, args[j].key))
        refuse(i, args[i],
               "another dat, because a loop that reads and changes one dat "
               "through maps depends on the order of its elements (increment "
               "another dat and add that in a direct loop)",
               "that of " + argument_name(j, args[j]));
    }
}

/// Fills in the keys: `dat` is the first argument with the same dat, `pair`
/// that with the same map and access, too; `meets`, for a direct increment, the
/// first that increments the same dat through a map; `shared`, see ArgKey.
inline void relate_arguments(const ArgInfos& args) {
  for (int i = 0; i < args.n; ++i) {
    ArgKey& key = args[i].key;
    key.dat = key.pair = i;
    const bool changes = key.map == nullptr && key.access != Access::read;
    for (int j = args.n; j-- > 0;) {
      const ArgKey& other = args[j].key;
      if (other.map == nullptr && !changes) continue;
      if (i == j || !same_values(args[i], args[j])) continue;
      key.shared = key.shared || changes;
      if (other.map == nullptr) continue;
      const bool same_access = other.access == key.access;
      if (key.map == nullptr) {
        if (same_access && other.increments()) key.meets = j;
      } else if (j < i) {
        key.dat = j;
        if (same_access && other.map == key.map &&
            other.partial == key.partial && other.dynamic == key.dynamic)
          key.pair = j;
      }
    }
  }
}

/// Throws for a sum that LoopOptions::any_ranks cannot make.
[[gnu::cold]] inline void check_sums(const ArgInfos& args) {
  for (int i = 0; i < args.n; ++i)
    if (!args[i].exact)
      refuse(i, args[i],
             "a sum of float, double or integers together with any_ranks",
             "one of another type");
}

}  // namespace Impl
}  // namespace Sporos

#endif
