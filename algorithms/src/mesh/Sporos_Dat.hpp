// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef SPOROS_DAT_HPP
#define SPOROS_DAT_HPP

/// \file Sporos_Dat.hpp
/// Values of the elements of a set.

#include <Sporos_Error.hpp>
#include <Sporos_Set.hpp>
#include <Sporos_ViewChecks.hpp>
#include <mesh/state/Sporos_MeshState.hpp>

#include <cstddef>
#include <memory>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

namespace Sporos {

/// The number of components of a Dat, and of accessors, that is known at run
/// time only.
constexpr int dynamic_components = 0;
/// The most components of such a Dat: loops have registers for as many.
constexpr int most_dynamic_components = 32;

namespace Impl {

/// N values of T for each element; 0: as many as known at run time.
template <class T, int N>
struct DatArray {
  using type = T* [N];
};
template <class T>
struct DatArray<T, 0> {
  using type = T**;
};

/// Where a dat of N components is made of Values: an integer is the number of
/// components that are known at run time only.
template <class Values, int N>
using IfValues = std::enable_if_t<N != dynamic_components ||
                                  !std::is_integral<Values>::value>;

/// Throws for a number of components that a dat of N cannot have.
template <int N>
[[gnu::cold]] void check_component_count(const char* function,
                                         const std::string& name, int count) {
  if constexpr (N == dynamic_components)
    check(count >= 1 && count <= most_dynamic_components, function,
          name.c_str(),
          text("1 to ", most_dynamic_components,
               " components (a constant number may be larger)"),
          count);
  else
    check(count == N, function, name.c_str(), text(N, " components"), count);
}

}  // namespace Impl

/// N values of type T for each element of a set.
/// \tparam N a constant, or dynamic_components: then constructors take the
///   number, from 1 to most_dynamic_components, after the set
/// \tparam T a number, or a trivially copyable type of any size with an
///   alignment of at most 64 bytes; inc (and sum of a Global) need T() as zero
///   and +
/// \tparam Layout LayoutRight: the components of an element are contiguous
///   (AoS). LayoutLeft: each component of all elements is contiguous (SoA).
template <class T, int N = 1, class Layout = Kokkos::LayoutRight,
          class MemorySpace_ = Kokkos::DefaultExecutionSpace::memory_space>
class Dat {
 public:
  static_assert(N >= 0, "Sporos::Dat: at least one component is needed");
  static_assert(std::is_same<Layout, Kokkos::LayoutRight>::value ||
                    std::is_same<Layout, Kokkos::LayoutLeft>::value,
                "Sporos::Dat: Layout must be LayoutRight or LayoutLeft");
  using value_type = T;  ///< type of a component
  /// LayoutRight (AoS) or LayoutLeft (SoA)
  using layout       = Layout;
  using memory_space = MemorySpace_;  ///< memory of the values
  /// shape (set().size(), component_count())
  using view_type =
      Kokkos::View<typename Impl::DatArray<T, N>::type, Layout, memory_space>;
  /// values per element: N; dynamic_components if known at run time only
  static constexpr int components = N;

  Dat() = default;

  /// All values 0.
  Dat(const std::string& name, const Set& set)
      : m_shared(Impl::new_dat_state(name)),
        m_set(set),
        m_view("Sporos::Dat::" + name, set.size()) {
    check_constant();
  }

  /// All values 0, of so many components, which are dynamic_components.
  /// \throws std::invalid_argument unless 1 <= count <=
  /// most_dynamic_components
  Dat(const std::string& name, const Set& set, int count)
      : Dat(typename view_type::execution_space{}, name, set, count) {
    Impl::fence(typename view_type::execution_space{}, "Sporos::Dat");
  }

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
  template <class Values, class = Impl::IfValues<Values, N>>
  Dat(const std::string& name, const Set& set, const Values& values)
      : Dat(Impl::default_instance<view_type>(values), name, set, values) {
    Impl::fence(typename view_type::execution_space{}, "Sporos::Dat");
  }

  /// From values as above, `count` for each element. \throws
  /// std::invalid_argument for another number than a constant N, too
  template <class Values>
  Dat(const std::string& name, const Set& set, int count, const Values& values)
      : Dat(Impl::default_instance<view_type>(values), name, set, count,
            values) {
    Impl::fence(typename view_type::execution_space{}, "Sporos::Dat");
  }

  /// All values 0, set asynchronously in an instance.
  template <class Exec>
  [[gnu::cold]] Dat(const Exec& exec, const std::string& name, const Set& set)
      : m_shared(Impl::new_dat_state(name)),
        m_set(set),
        m_view(Impl::make_view<view_type>(
            Kokkos::view_alloc(exec, "Sporos::Dat::" + name), set.size())) {
    check_constant();
    static_assert(Impl::is_accessible_v<Exec, view_type>,
                  "Sporos::Dat: the execution space cannot access the memory "
                  "of the dat");
  }
  /// All values 0, of so many components, which are dynamic_components, set
  /// asynchronously in an instance.
  template <class Exec>
  [[gnu::cold]] Dat(const Exec& exec, const std::string& name, const Set& set,
                    int count)
      : m_shared(Impl::new_dat_state(name)), m_set(set) {
    static_assert(Impl::is_accessible_v<Exec, view_type>,
                  "Sporos::Dat: the execution space cannot access the memory "
                  "of the dat");
    static_assert(N == dynamic_components,
                  "Sporos::Dat: values must be a View or a host array. For one "
                  "number, make the dat and Kokkos::deep_copy(dat.view(), x)");
    Impl::check_component_count<N>("Sporos::Dat", name, count);
    if constexpr (N == dynamic_components)
      m_view = Impl::make_view<view_type>(
          Kokkos::view_alloc(exec, "Sporos::Dat::" + name), set.size(), count);
  }

  /// From values as above, in an instance, in which kernels may still fill
  /// them. Asynchronous in it if its kernels can access the values.
  template <class Exec, class Values, class = Impl::IfValues<Values, N>>
  [[gnu::cold]] Dat(const Exec& exec, const std::string& name, const Set& set,
                    const Values& values)
      : Dat(exec, name, set, N, values) {
    check_constant();
  }
  /// From values as above, `count` for each element, in an instance.
  template <class Exec, class Values>
  [[gnu::cold]] Dat(const Exec& exec, const std::string& name, const Set& set,
                    int count, const Values& values)
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
    Impl::check_component_count<N>("Sporos::Dat", name, count);
    if constexpr (Kokkos::is_view<Values>::value) {
      Impl::check_rows("Sporos::Dat", name, "values", *set.state(), count,
                       values);
      if (!Impl::share_column(values, m_view, m_shared->owner))
        m_view =
            Impl::adopt_view<view_type>(exec, "Sporos::Dat::" + name, values);
    } else {
      Impl::check_length("Sporos::Dat", name, "values", *set.state(), count,
                         values.size());
      m_view = Impl::view_of_rows<view_type>(exec, "Sporos::Dat::" + name,
                                             set.size(), count, values);
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

  /// Values per element. \throws std::invalid_argument for a dat that was
  /// default-constructed and whose components are known at run time only
  int component_count() const {
    if constexpr (N == dynamic_components) {
      Impl::check_handle(is_made(), "Sporos::Dat::component_count", "dat");
      return int(m_view.extent(1));
    } else {
      return N;
    }
  }

  /// The values, shape (set().size(), component_count()). Keep the dat as long
  /// as you use them: of values of rank 1 that are shared, it keeps the memory.
  const view_type& view() const { return m_view; }

  /// Call this on all ranks after you wrote to values of owned elements of a
  /// distributed set other than by loops: the next loop that needs halos fills
  /// them. Two dats that share one view do not know of each other.
  void modified() const {
    Impl::check_handle(is_made(), "Sporos::Dat::modified", "dat");
    m_shared->stale = true;
  }

  /// Overwrites all values with those of a host array, component_count() for
  /// each element, element by element. Waits for exec, in which loops use the
  /// dat, and for the copy. Of a distributed set, owners' values will overwrite
  /// those of halos: call it on all ranks. \throws std::invalid_argument for a
  /// wrong size
  template <class Exec>
  void assign(const Exec& exec, const std::vector<T>& values) const {
    Impl::fence(exec, "Sporos::Dat::assign");
    Impl::check_handle(is_made(), "Sporos::Dat::assign", "dat");
    const auto n = std::size_t(m_set.size()) * std::size_t(component_count());
    Impl::check(values.size() == n, "Sporos::Dat::assign", name().c_str(),
                Impl::text(n, " values"), values.size());
    Impl::fill_from_host(exec, m_view, values);
    modified();
  }
  /// Copies values from the host in the default instance.
  void assign(const std::vector<T>& values) const {
    assign(typename view_type::execution_space{}, values);
  }

  /// Copies the values to the host, component_count() for each element, element
  /// by element. Waits for exec, in which loops wrote them.
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
  /// Constructors without a number of components are for constant ones.
  static void check_constant() {
    static_assert(N != dynamic_components,
                  "Sporos::Dat: a dat of dynamic_components needs their number "
                  "after the set");
  }

  std::shared_ptr<Impl::DatState> m_shared;
  Set m_set;
  view_type m_view;
};

}  // namespace Sporos

#endif
