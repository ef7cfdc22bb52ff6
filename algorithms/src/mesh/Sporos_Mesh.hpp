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

#include <Sporos_Dat.hpp>
#include <Sporos_Error.hpp>
#include <Sporos_Map.hpp>
#include <Sporos_Set.hpp>
#include <Sporos_ViewChecks.hpp>

#include <cstddef>
#include <memory>
#include <string>
#include <type_traits>
#include <vector>

namespace Sporos {

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
