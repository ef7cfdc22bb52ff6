// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef SPOROS_MESHMEMBERS_HPP
#define SPOROS_MESHMEMBERS_HPP

/// \file Sporos_MeshMembers.hpp
/// Maps and dats of any type behind one interface, and the kernels that
/// renumber them in place. Users include Sporos_Reorder.hpp.

#include <Sporos_ForEachIndex.hpp>
#include <Sporos_KokkosCompat.hpp>
#include <Sporos_Mesh.hpp>
#include <Sporos_Ordering.hpp>
#include <Sporos_ViewChecks.hpp>

#include <algorithm>
#include <cstddef>
#include <functional>
#include <memory>
#include <string>
#include <type_traits>
#include <typeinfo>
#include <utility>
#include <vector>

namespace Sporos {
namespace Impl {

/// out(i, c) = in(order(i), c)
template <class View, class Ints>
struct PermuteRows {
  View out, in;
  Ints order;

  KOKKOS_FUNCTION void operator()(int i) const {
    const int from = order(i);
    for (std::size_t c = 0; c < out.extent(1); ++c) out(i, c) = in(from, c);
  }
};

/// out(i, c) = numbers(in(order(i), c)); negative entries name nothing and stay
template <class View, class Ints>
struct PermuteEntries {
  View out, in;
  Ints order, numbers;

  KOKKOS_FUNCTION void operator()(int i) const {
    const int from = order(i);
    for (std::size_t c = 0; c < out.extent(1); ++c) {
      const int entry = in(from, c);
      out(i, c)       = entry < 0 ? entry : numbers(entry);
    }
  }
};

/// An instance without its type, as long as it lives; of nothing: the default
/// ones.
class AnyInstance {
 public:
  AnyInstance() = default;
  template <class Exec>
  explicit AnyInstance(const Exec& exec)
      : m_type(&typeid(Exec)), m_exec(&exec) {}

  /// Itself if it is one of Exec, else the default one.
  template <class Exec>
  Exec in() const {
    return m_exec != nullptr && *m_type == typeid(Exec)
               ? *static_cast<const Exec*>(m_exec)
               : Exec{};
  }

 private:
  const std::type_info* m_type = nullptr;
  const void* m_exec           = nullptr;
};

template <class Exec>
Kokkos::View<const int*, Exec> device_ints(const Exec& exec,
                                           const std::vector<int>& values) {
  const auto view = new_view<Kokkos::View<int*, Exec>>(
      exec, "Sporos::reorder::order", values.size());
  const auto host = Kokkos::create_mirror_view(view);
  for (std::size_t i = 0; i < values.size(); ++i) host(i) = values[i];
  Kokkos::deep_copy(exec, view, host);
  fence(exec, "Sporos::reorder::order");
  return view;
}

/// A copy of a view of rank 2, in the same memory and layout.
template <class Exec, class View>
View copy_of(const Exec& exec, const View& view) {
  const View copy(Kokkos::view_alloc(exec, Kokkos::WithoutInitializing,
                                     "Sporos::reorder::copy"),
                  view.layout());
  Kokkos::deep_copy(exec, copy, view);
  return copy;
}

template <class Exec, class Functor>
void run_rows(const char* label, const Exec& exec, int n,
              const Functor& functor) {
  for_each_index(label, Kokkos::RangePolicy<Exec>(exec, 0, n), functor);
  fence(exec, label);
}

/// A map of a mesh.
struct MapMember {
  std::string name;
  Set from, to;
  int arity        = 0;
  const void* data = nullptr;
  Footprint memory;  ///< of the entries
  std::vector<int> rows;
  /// other maps on the same entries
  std::vector<std::shared_ptr<MapMember>> twins;

  /// Throws std::invalid_argument for an entry out of range.
  std::function<void(const AnyInstance&)> check;
  /// After the entries were renumbered through another map.
  std::function<void(const AnyInstance&)> modified;
  /// The entries on the host, row by row.
  std::function<std::vector<int>(const AnyInstance&)> read;
  /// order: of the set from; numbers: of the set to
  std::function<void(const AnyInstance&, const Order& order,
                     const std::vector<int>& numbers)>
      renumber_entries;

  void renumber(const AnyInstance& exec, const Order& order,
                const std::vector<int>& numbers) const {
    renumber_entries(exec, order, numbers);
    modified(exec);
    for (const auto& twin : twins) twin->modified(exec);
  }

  bool is_named(const std::string& n) const {
    return name == n ||
           std::any_of(twins.begin(), twins.end(),
                       [&](const auto& twin) { return twin->name == n; });
  }

  TableTargets<int> targets() const {
    return TableTargets<int>{
        {rows.data(), to.size() == 0 ? 0 : arity, arity, 1, 0}};
  }
  /// Entries that name nothing become those before them: near ones, as orders
  /// are made for locality alone.
  void fill_missing() {
    int before = 0;
    for (int& t : rows) {
      if (t < 0) t = before;
      before = t;
    }
  }
};

template <int Arity, class Memory>
MapMember member_of(const Map<Arity, Memory>& map) {
  using View = typename Map<Arity, Memory>::view_type;
  using Exec = typename View::execution_space;
  MapMember m;
  m.name   = map.name();
  m.from   = map.from();
  m.to     = map.to();
  m.arity  = map.arity();
  m.data   = map.state().get();
  m.memory = footprint(map.view());
  m.check  = [map](const AnyInstance& any) {
    check_map_range(any.in<Exec>(), *map.state(), map.view());
  };
  m.modified = [map](const AnyInstance& any) { map.modified(any.in<Exec>()); };
  m.read     = [map](const AnyInstance& any) {
    return map.to_host(any.in<Exec>());
  };
  m.renumber_entries = [map](const AnyInstance& any, const Order& order,
                             const std::vector<int>& numbers) {
    const Exec exec       = any.in<Exec>();
    const auto to_order   = device_ints(exec, order);
    const auto to_numbers = device_ints(exec, numbers);
    const View& view      = map.view();
    run_rows("Sporos::reorder::map", exec, map.from().size(),
             PermuteEntries<View, std::decay_t<decltype(to_order)>>{
                 view, copy_of(exec, view), to_order, to_numbers});
  };
  return m;
}

/// A dat of a mesh.
struct DatMember {
  Set set;
  std::size_t bytes = 0;  ///< of an element
  Footprint memory;       ///< of all values
  std::function<void(const AnyInstance&, const Order&)> renumber;
};

template <class T, int N, class Layout, class Memory>
DatMember member_of(const Dat<T, N, Layout, Memory>& dat) {
  DatMember m;
  m.set      = dat.set();
  m.bytes    = std::size_t(dat.component_count()) * sizeof(T);
  m.memory   = footprint(dat.view());
  m.renumber = [dat](const AnyInstance& any, const Order& order) {
    using View          = typename Dat<T, N, Layout, Memory>::view_type;
    const auto exec     = any.in<typename View::execution_space>();
    const auto to_order = device_ints(exec, order);
    const View& view    = dat.view();
    run_rows("Sporos::reorder::dat", exec, dat.set().size(),
             PermuteRows<View, std::decay_t<decltype(to_order)>>{
                 view, copy_of(exec, view), to_order});
  };
  return m;
}

}  // namespace Impl

/// The sets, maps and dats that belong together and are renumbered together.
/// Sets come with their maps and dats. What a loop later uses must all be here:
/// a map or dat that is left out keeps its old numbers. Adding a handle and its
/// copies counts once, and so does what shares the View of another one. Add the
/// ranges that loops run over, so that orderings keep their elements in them.
///
/// \code
///   Sporos::Mesh mesh(edge_nodes, edge_cells, x, q, res,
///                     edges.range(0, inner_edges));
/// \endcode
class Mesh {
 public:
  Mesh() = default;
  /// Maps, dats, sets and ranges of them, in any order.
  template <class... Members, class = std::enable_if_t<
                                  (!std::is_same<Members, Mesh>::value && ...)>>
  explicit Mesh(const Members&... members) {
    (add(members), ...);
  }

  /// Adds a map with its sets. \throws std::invalid_argument for a map that was
  /// made of nothing, and for one that shares the entries of another one
  /// between other sets, or a part of them
  template <int Arity, class Memory>
  Mesh& add(const Map<Arity, Memory>& map) {
    Impl::check_handle(map.state() != nullptr, "Sporos::Mesh::add", "map");
    const auto member = std::make_shared<Impl::MapMember>(Impl::member_of(map));
    for (const auto& m : m_maps) {
      if (m->data == member->data) return *this;
      if (!Impl::may_overlap(m->memory, member->memory)) continue;
      Impl::check(m->memory.begin == member->memory.begin &&
                      m->arity == member->arity && m->from == member->from &&
                      m->to == member->to,
                  "Sporos::Mesh::add", member->name.c_str(),
                  "all of the entries of " + m->name +
                      " between its sets, or memory separate from them",
                  "memory that overlaps them");
      m->twins.push_back(member);
      return *this;
    }
    add(map.from());
    add(map.to());
    m_maps.push_back(member);
    return *this;
  }

  /// Adds a dat with its set. \throws std::invalid_argument for a dat that was
  /// made of nothing, and for one that shares a part of the memory of another
  template <class T, int N, class Layout, class Memory>
  Mesh& add(const Dat<T, N, Layout, Memory>& dat) {
    Impl::check_handle(dat.is_made(), "Sporos::Mesh::add", "dat");
    const auto member = std::make_shared<Impl::DatMember>(Impl::member_of(dat));
    for (const auto& d : m_dats) {
      if (!Impl::may_overlap(d->memory, member->memory)) continue;
      Impl::check(d->memory == member->memory && d->set == member->set,
                  "Sporos::Mesh::add", dat.name().c_str(),
                  "memory separate from that of other dats, or the same",
                  "memory that overlaps one of " + d->set.name());
      return *this;
    }
    add(dat.set());
    m_dats.push_back(member);
    return *this;
  }

  /// Adds a set. \throws std::invalid_argument for a set that is distributed
  /// over ranks, whose elements must stay in their parts
  Mesh& add(const Set& set) {
    Impl::check(!set.is_distributed(), "Sporos::Mesh::add", set.name().c_str(),
                "a set that is not distributed over ranks", "one that is");
    for (const Set& s : m_sets)
      if (s == set) return *this;
    m_sets.push_back(set);
    m_cuts.push_back({0});
    return *this;
  }

  /// Adds a set of which elements do not leave this range, and others do not
  /// come into it: its loops are over the same elements after a renumbering.
  Mesh& add(const SetRange& range) {
    add(range.set());
    std::vector<int>& cuts = m_cuts[index(range.set())];
    cuts.insert(cuts.end(), {range.begin(), range.end()});
    std::sort(cuts.begin(), cuts.end());
    cuts.erase(std::unique(cuts.begin(), cuts.end()), cuts.end());
    return *this;
  }

  /// All sets, in the order in which they came.
  const std::vector<Set>& sets() const { return m_sets; }
  /// For the implementation: the place of one of its sets.
  std::size_t index(const Set& set) const {
    return std::size_t(std::find(m_sets.begin(), m_sets.end(), set) -
                       m_sets.begin());
  }
  /// For the implementation: elements of set s that none may pass to or from a
  /// lower number, ascending from 0.
  const std::vector<int>& cuts(std::size_t s) const { return m_cuts[s]; }
  /// For the implementation.
  const std::vector<std::shared_ptr<Impl::MapMember>>& maps() const {
    return m_maps;
  }
  /// For the implementation.
  const std::vector<std::shared_ptr<Impl::DatMember>>& dats() const {
    return m_dats;
  }

 private:
  std::vector<Set> m_sets;
  std::vector<std::vector<int>> m_cuts;
  std::vector<std::shared_ptr<Impl::MapMember>> m_maps;
  std::vector<std::shared_ptr<Impl::DatMember>> m_dats;
};

}  // namespace Sporos

#endif
