// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef SPOROS_MESH_HPP
#define SPOROS_MESH_HPP

/// \file Sporos_Mesh.hpp
/// Unstructured meshes: sets of elements, maps between them, data on them. All
/// are shallow handles: copies share their contents.
///
/// \code
///   Sporos::Set cells("cells", 720000), edges("edges", 1438600);
///   Sporos::Map<2> edge_cells("edge_cells", edges, cells, host_entries);
///   Sporos::Dat<double, 4> q("q", cells, host_values);
///   Sporos::Global<double, 1> rms("rms");
/// \endcode

#include <Sporos_Error.hpp>
#include <Sporos_Set.hpp>
#include <Sporos_ViewChecks.hpp>
#include <mesh/state/Sporos_MeshState.hpp>

#include <algorithm>
#include <cstddef>
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

/// N values of type T for each element of a set.
/// \tparam T a number, or a trivially copyable type of any size with an
///   alignment of at most 64 bytes; inc (and sum of a Global) need T() as zero
///   and +
/// \tparam Layout LayoutRight: the components of an element are contiguous
///   (AoS). LayoutLeft: each component of all elements is contiguous (SoA).
template <class T, int N = 1, class Layout = Kokkos::LayoutRight,
          class MemorySpace_ = Kokkos::DefaultExecutionSpace::memory_space>
class Dat {
 public:
  static_assert(N > 0, "Sporos::Dat: at least one component is needed");
  static_assert(std::is_same<Layout, Kokkos::LayoutRight>::value ||
                    std::is_same<Layout, Kokkos::LayoutLeft>::value,
                "Sporos::Dat: Layout must be LayoutRight or LayoutLeft");
  using value_type = T;  ///< type of a component
  /// LayoutRight (AoS) or LayoutLeft (SoA)
  using layout       = Layout;
  using memory_space = MemorySpace_;  ///< memory of the values
  /// shape (set().size(), N)
  using view_type                 = Kokkos::View<T* [N], Layout, memory_space>;
  static constexpr int components = N;  ///< values per element: N

  Dat() = default;

  /// All values 0.
  Dat(const std::string& name, const Set& set)
      : m_shared(Impl::new_dat_state(name)),
        m_set(set),
        m_view("Sporos::Dat::" + name, set.size()) {}

  /// \param name the name in messages and labels
  /// \param set the set whose elements have values
  /// \param values a host array (std::vector<T>, N values for each element,
  ///   element by element) or a view of shape (set.size(), N), or (set.size())
  ///   if N is 1, strided or not. A packed view in memory_space with this
  ///   layout, of rank 1 with any, is shared, others are copied. Of a
  ///   distributed set, the next loop that needs halos overwrites theirs with
  ///   the owners' values.
  /// \throws std::invalid_argument for wrong extents or a view without memory.
  /// Waits for the default instance.
  template <class Values>
  Dat(const std::string& name, const Set& set, const Values& values)
      : Dat(Impl::default_instance<view_type>(values), name, set, values) {
    Impl::fence(typename view_type::execution_space{}, "Sporos::Dat");
  }

  /// All values 0, set asynchronously in an instance.
  template <class Exec>
  [[gnu::cold]] Dat(const Exec& exec, const std::string& name, const Set& set)
      : m_shared(Impl::new_dat_state(name)),
        m_set(set),
        m_view(Impl::make_view<view_type>(
            Kokkos::view_alloc(exec, "Sporos::Dat::" + name), set.size())) {
    static_assert(Impl::is_accessible_v<Exec, view_type>,
                  "Sporos::Dat: the execution space cannot access the memory "
                  "of the dat");
  }

  /// From values as above, in an instance, in which kernels may still fill
  /// them. Asynchronous in it if its kernels can access the values.
  template <class Exec, class Values>
  [[gnu::cold]] Dat(const Exec& exec, const std::string& name, const Set& set,
                    const Values& values)
      : m_shared(Impl::new_dat_state(name, set.is_distributed())), m_set(set) {
    static_assert(Impl::is_accessible_v<Exec, view_type>,
                  "Sporos::Dat: the execution space cannot access the memory "
                  "of the dat");
    static_assert(!std::is_arithmetic<Values>::value,
                  "Sporos::Dat: values must be a View or a host array. For one "
                  "number, make the dat and Kokkos::deep_copy(dat.view(), x)");
    static_assert(!std::is_integral<T>::value ||
                      std::is_integral<typename Values::value_type>::value,
                  "Sporos::Dat: floating-point values do not fit a dat of "
                  "integers");
    if constexpr (Kokkos::is_view<Values>::value) {
      Impl::check_rows("Sporos::Dat", name, "values", *set.state(), N, values);
      if (!Impl::share_column(values, m_view, m_shared->owner))
        m_view =
            Impl::adopt_view<view_type>(exec, "Sporos::Dat::" + name, values);
    } else {
      Impl::check_length("Sporos::Dat", name, "values", *set.state(), N,
                         values.size());
      m_view = Impl::view_of_rows<view_type>(exec, "Sporos::Dat::" + name,
                                             set.size(), N, values);
    }
  }

  /// For the implementation.
  Dat(std::shared_ptr<Impl::DatState> shared, const Set& set, view_type view)
      : m_shared(std::move(shared)), m_set(set), m_view(std::move(view)) {}

  /// The name.
  std::string name() const { return m_shared ? m_shared->name : ""; }
  /// For the implementation: not default-constructed.
  bool is_made() const { return m_shared != nullptr; }
  /// For the implementation.
  const std::shared_ptr<Impl::DatState>& shared() const { return m_shared; }
  /// The set whose elements have values.
  const Set& set() const { return m_set; }

  /// The values, shape (set().size(), N). Keep the dat as long as you use them:
  /// of values of rank 1 that are shared, it keeps the memory.
  const view_type& view() const { return m_view; }

  /// Call this on all ranks after you wrote to values of owned elements of a
  /// distributed set other than by loops: the next loop that needs halos fills
  /// them. Two dats that share one view do not know of each other.
  void modified() const {
    Impl::check_handle(is_made(), "Sporos::Dat::modified", "dat");
    m_shared->stale = true;
  }

  /// Overwrites all values with those of a host array, N for each element,
  /// element by element. Waits for exec, in which loops use the dat, and for
  /// the copy. Of a distributed set, owners' values will overwrite those of
  /// halos: call it on all ranks. \throws std::invalid_argument for a wrong
  /// size
  template <class Exec>
  void assign(const Exec& exec, const std::vector<T>& values) const {
    Impl::fence(exec, "Sporos::Dat::assign");
    Impl::check_handle(is_made(), "Sporos::Dat::assign", "dat");
    Impl::check(values.size() == std::size_t(m_set.size()) * N,
                "Sporos::Dat::assign", name().c_str(),
                Impl::text(std::size_t(m_set.size()) * N, " values"),
                values.size());
    Impl::fill_from_host(exec, m_view, values);
    modified();
  }
  /// Copies values from the host in the default instance.
  void assign(const std::vector<T>& values) const {
    assign(typename view_type::execution_space{}, values);
  }

  /// Copies the values to the host, N for each element, element by element.
  /// Waits for exec, in which loops wrote them.
  template <class Exec>
  [[gnu::cold]] std::vector<T> to_host(const Exec& exec) const {
    Impl::fence(exec, "Sporos::Dat::to_host");
    Impl::check_handle(is_made(), "Sporos::Dat::to_host", "dat");
    return Impl::rows_of(Impl::row_table(Impl::on_host(exec, m_view)));
  }
  /// Copies the values to the host. Waits for the default instance.
  std::vector<T> to_host() const {
    return to_host(typename view_type::execution_space{});
  }

 private:
  std::shared_ptr<Impl::DatState> m_shared;
  Set m_set;
  view_type m_view;
};

/// N values that belong to no set: constants of a loop, or results of its
/// reductions.
template <class T, int N = 1,
          class MemorySpace_ = Kokkos::DefaultExecutionSpace::memory_space>
class Global {
 public:
  static_assert(N > 0, "Sporos::Global: at least one component is needed");
  using value_type   = T;             ///< type of a component
  using memory_space = MemorySpace_;  ///< memory of the values
  /// assign and value use its default instance
  using execution_space = typename memory_space::execution_space;
  /// shape (N)
  using view_type                 = Kokkos::View<T[N], memory_space>;
  static constexpr int components = N;  ///< number of values: N

  Global() = default;

  /// Sets all values to `value`.
  explicit Global(const std::string& name, T value = T())
      : m_name(std::make_shared<std::string>(name)),
        m_view("Sporos::Global::" + name) {
    assign(value);
  }
  /// Sets all values to `value`, asynchronously in an instance, on its device.
  template <class Exec,
            class = std::enable_if_t<Kokkos::is_execution_space<Exec>::value>>
  Global(const Exec& exec, const std::string& name, T value = T())
      : m_name(std::make_shared<std::string>(name)),
        m_view(Impl::new_view<view_type>(exec, "Sporos::Global::" + name)) {
    static_assert(Impl::is_accessible_v<Exec, view_type>,
                  "Sporos::Global: the execution space cannot access the "
                  "memory of the global");
    assign(exec, value);
  }

  /// Shares a view. \throws std::invalid_argument for one without memory
  Global(const std::string& name, const view_type& view)
      : m_name(std::make_shared<std::string>(name)), m_view(view) {
    Impl::check_memory("Sporos::Global", name.c_str(), view);
  }

  std::string name() const { return m_name ? *m_name : ""; }  ///< The name.
  /// For the implementation: not default-constructed.
  bool is_made() const { return m_name != nullptr; }
  const view_type& view() const { return m_view; }  ///< The values, shape (N).

  /// Sets all values, asynchronously in exec.
  template <class Exec>
  void assign(const Exec& exec, T value) const {
    Impl::check_handle(is_made(), "Sporos::Global::assign", "global");
    Kokkos::deep_copy(exec, m_view, value);
  }

  /// Sets all values and waits.
  void assign(T value) const {
    const execution_space exec{};
    assign(exec, value);
    Impl::fence(exec, "Sporos::Global::assign");
  }

  /// Sets all values to those of a host array, in exec, and waits for it.
  /// \throws std::invalid_argument unless it has N numbers
  template <class Exec>
  void assign(const Exec& exec, const std::vector<T>& values) const {
    Impl::check_handle(is_made(), "Sporos::Global::assign", "global");
    Impl::check(values.size() == std::size_t(N), "Sporos::Global::assign",
                name().c_str(), Impl::text(N, " values"), values.size());
    const auto host    = Kokkos::create_mirror_view(m_view);
    const bool mirrors = host.data() != m_view.data();
    // kernels of devices may still read values that the host writes
    if (!mirrors) Impl::fence(exec, "Sporos::Global::assign");
    for (int c = 0; c < N; ++c) host(c) = values[std::size_t(c)];
    if (!mirrors) return;
    Kokkos::deep_copy(exec, m_view, host);
    Impl::fence(exec, "Sporos::Global::assign");
  }
  /// Sets the N values in the default instance.
  void assign(const std::vector<T>& values) const {
    assign(execution_space{}, values);
  }

  /// Component c on the host; waits for exec.
  /// \throws std::invalid_argument unless 0 <= c < N
  template <class Exec>
  T value(const Exec& exec, int c) const {
    Impl::check_handle(is_made(), "Sporos::Global::value", "global");
    Impl::check(c >= 0 && c < N, "Sporos::Global::value", name().c_str(),
                Impl::text("a component in [0, ", N, ')'), c);
    const auto host = Kokkos::create_mirror_view(m_view);
    if (host.data() != m_view.data()) Kokkos::deep_copy(exec, host, m_view);
    Impl::fence(exec, "Sporos::Global::value");
    return host(c);
  }
  /// Component c on the host; waits for the default instance.
  T value(int c = 0) const { return value(execution_space{}, c); }

 private:
  std::shared_ptr<std::string> m_name;
  view_type m_view;
};

}  // namespace Sporos

#endif
