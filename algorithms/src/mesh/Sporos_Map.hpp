// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef SPOROS_MAP_HPP
#define SPOROS_MAP_HPP

/// \file Sporos_Map.hpp
/// Maps of unstructured meshes: they name elements of one set for each element
/// of another.

#include <Sporos_Error.hpp>
#include <Sporos_Set.hpp>
#include <Sporos_ViewChecks.hpp>
#include <mesh/state/Sporos_MeshState.hpp>

#include <cstdint>
#include <memory>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

namespace Sporos {

/// The arity of a Map whose arity is known at run time only.
constexpr int dynamic_arity = 0;

/// May negative entries of a map name nothing? Arguments of loops through such
/// a map are made by with_missing: they read a given value there, and what they
/// contribute or write is dropped.
enum class MissingEntries { refused, allowed };

/// Names `arity` elements of a set for each element of another set.
/// \tparam Arity a constant, or dynamic_arity. Arguments of loops that use all
///   indices of a map need a constant (see fixed).
template <int Arity          = dynamic_arity,
          class MemorySpace_ = Kokkos::DefaultExecutionSpace::memory_space>
class Map {
 public:
  static_assert(Arity >= 0, "Sporos::Map: the arity must not be negative");
  using memory_space = MemorySpace_;  ///< memory of the entries
  /// shape (from().size(), arity()); the memory space's own layout
  using view_type = Kokkos::View<int**, memory_space>;
  /// the arity; dynamic_arity if known at run time only
  static constexpr int static_arity = Arity;

  Map() = default;

  /// \param name the name in messages and labels
  /// \param from, to each element of `from` gets elements of `to`
  /// \param entries from.size() rows of Arity elements of `to`, integers of
  ///   any size: a host array (std::vector<int>, row by row) or a view of shape
  ///   (from.size(), Arity), strided or not. A packed view of int in
  ///   memory_space with its layout is shared, others are copied.
  /// \param missing are negative entries allowed, which name nothing?
  /// \throws std::invalid_argument for wrong extents, a view without memory,
  ///   and entries out of range; the message names the first one. O(entries),
  ///   in a kernel. Waits for the default instance.
  template <class Entries>
  Map(const std::string& name, const Set& from, const Set& to,
      const Entries& entries, MissingEntries missing = MissingEntries::refused)
      : Map(Impl::default_instance<view_type>(entries), name, from, to, entries,
            missing) {}

  /// Makes a map whose arity is given. It must equal a constant Arity.
  template <class Entries>
  Map(const std::string& name, const Set& from, const Set& to, int arity,
      const Entries& entries, MissingEntries missing = MissingEntries::refused)
      : Map(Impl::default_instance<view_type>(entries), name, from, to, arity,
            entries, missing) {}

  /// Makes a map of constant arity in an instance, in which kernels may still
  /// fill the entries. Waits for this instance only.
  template <class Exec, class Entries>
  Map(const Exec& exec, const std::string& name, const Set& from, const Set& to,
      const Entries& entries, MissingEntries missing = MissingEntries::refused)
      : Map(exec, name, from, to, Arity, entries, missing) {
    static_assert(Arity > 0,
                  "Sporos::Map: a map of run-time arity needs the arity as its "
                  "fourth argument");
  }

  /// Makes a map whose arity is given, in an instance. Waits for this instance
  /// only.
  template <class Exec, class Entries>
  [[gnu::cold]] Map(const Exec& exec, const std::string& name, const Set& from,
                    const Set& to, int arity, const Entries& entries,
                    MissingEntries missing = MissingEntries::refused)
      : m_state(std::make_shared<Impl::MapState>()) {
    static_assert(Impl::is_accessible_v<Exec, view_type>,
                  "Sporos::Map: the execution space cannot access the memory "
                  "of the map");
    Impl::check(arity > 0 && (Arity == dynamic_arity || arity == Arity),
                "Sporos::Map", name.c_str(),
                Impl::text("an arity of ", Arity > 0 ? Arity : 1,
                           Arity > 0 ? "" : " or more"),
                arity);
    static_assert(std::is_integral<typename Entries::value_type>::value,
                  "Sporos::Map: entries must be integers");
    m_state->name    = name;
    m_state->from    = from.state();
    m_state->to      = to.state();
    m_state->arity   = arity;
    m_state->missing = missing == MissingEntries::allowed;
    if constexpr (Kokkos::is_view<Entries>::value) {
      Impl::check_rows("Sporos::Map", name, "entries", *from.state(), arity,
                       entries);
      Impl::check_wide_entries(exec, *m_state, entries);
      m_view =
          Impl::adopt_view<view_type>(exec, "Sporos::Map::" + name, entries);
    } else {
      Impl::check_length("Sporos::Map", name, "entries", *from.state(), arity,
                         entries.size());
      Impl::check_wide_entries(exec, *m_state, entries);
      m_view = Impl::view_of_rows<view_type>(exec, "Sporos::Map::" + name,
                                             from.size(), arity, entries);
    }
    Impl::check_map_range(exec, *m_state, m_view);
  }

  /// The name.
  std::string name() const { return m_state ? m_state->name : ""; }
  /// The set whose elements have entries (the rows).
  Set from() const { return Set(made().from); }
  /// The set whose elements the entries name.
  Set to() const { return Set(made().to); }
  int arity() const { return made().arity; }  ///< Entries per element.
  /// May entries be negative, which name nothing?
  bool has_missing() const { return made().missing; }

  /// The entries, shape (from().size(), arity()). Call modified() after you
  /// write to them.
  const view_type& view() const { return m_view; }

  /// A copy of the entries on the host, row by row. Waits for exec, in which
  /// the entries changed.
  template <class Exec>
  [[gnu::cold]] std::vector<int> to_host(const Exec& exec) const {
    Impl::fence(exec, "Sporos::Map::to_host");
    Impl::check_handle(m_state != nullptr, "Sporos::Map::to_host", "map");
    return Impl::rows_of(Impl::row_table(Impl::on_host(exec, m_view)));
  }
  /// Copies the entries to the host, row by row. Waits for the default
  /// instance.
  std::vector<int> to_host() const {
    return to_host(typename view_type::execution_space{});
  }

  /// Call this after entries changed. Checks them, in exec; the next loops
  /// rebuild plans that use this map. Waits for exec, in which the entries
  /// changed. \throws std::invalid_argument as above, and for a map of a
  /// distributed mesh, whose halos were made for its entries
  template <class Exec>
  void modified(const Exec& exec) const {
    Impl::fence(exec, "Sporos::Map::modified");
    Impl::check_handle(m_state != nullptr, "Sporos::Map::modified", "map");
    Impl::check(!m_state->distributed, "Sporos::Map::modified", name().c_str(),
                "a map of one process",
                "one of a distributed mesh, whose halos were made for its "
                "entries");
    ++m_state->version;
    m_state->valid = false;  // loops refuse the map if the check throws
    Impl::check_map_range(Impl::instance_for<view_type>(exec), *m_state,
                          m_view);
    m_state->valid = true;
  }
  /// Call this after entries changed in the default instance.
  void modified() const { modified(typename view_type::execution_space{}); }

  /// A number that grows with each call of modified(). It begins at 1.
  std::uint64_t version() const { return made().version; }

  /// This map with a constant arity. \throws std::invalid_argument if its arity
  /// differs
  template <int Constant>
  Map<Constant, memory_space> fixed() const {
    Impl::check_handle(m_state != nullptr, "Sporos::Map::fixed", "map");
    Impl::check(arity() == Constant, "Sporos::Map::fixed", name().c_str(),
                Impl::text("arity ", Constant), arity());
    return Map<Constant, memory_space>(m_state, m_view);
  }

  /// For the implementation.
  Map(std::shared_ptr<Impl::MapState> state, view_type view)
      : m_state(std::move(state)), m_view(std::move(view)) {}
  /// For the implementation.
  const std::shared_ptr<Impl::MapState>& state() const { return m_state; }

 private:
  const Impl::MapState& made() const {
    Impl::check_handle(m_state != nullptr, "Sporos::Map", "map");
    return *m_state;
  }

  std::shared_ptr<Impl::MapState> m_state;
  view_type m_view;
};

}  // namespace Sporos

#endif
