// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/// Views of any layout for tests: contents are set and read in one logical
/// order, and what lies between the elements of a strided view is watched.

#ifndef SPOROS_TESTARRAY_HPP
#define SPOROS_TESTARRAY_HPP

#include <Kokkos_Core.hpp>

#include <array>
#include <cstddef>
#include <type_traits>
#include <utility>
#include <vector>

namespace Sporos {
namespace Test {

template <class T, int Rank>
struct DataType {
  using type = typename DataType<T*, Rank - 1>::type;
};
template <class T>
struct DataType<T, 0> {
  using type = T;
};

/// A view without gaps of extent(d) elements in direction d.
template <class View, class Extent>
View make_field(const Extent& extent) {
  typename View::array_layout layout;
  for (int d = 0; d < int(View::rank); ++d)
    layout.dimension[d] = std::size_t(extent(d));
  return View("field", layout);
}

/// Extents are in logical order: the first index runs fastest.
template <class Exec, class T, int Rank, class Layout>
class TestArray {
 public:
  using memory_space = typename Exec::memory_space;
  using view_type    = Kokkos::View<typename DataType<T, Rank>::type, Layout,
                                 memory_space, Kokkos::MemoryUnmanaged>;
  using const_view_type =
      Kokkos::View<typename DataType<const T, Rank>::type, Layout, memory_space,
                   Kokkos::MemoryUnmanaged>;

  explicit TestArray(const std::array<int, Rank>& extents) {
    std::size_t span = 1;
    for (int k = 0; k < Rank; ++k) m_size *= std::size_t(extents[k]);
    Layout layout;
    for (int k = 0; k < Rank; ++k) {
      layout.dimension[k] = std::size_t(extents[k]);
      if constexpr (strided) {  // neither left nor right, gaps everywhere
        const int d         = k == 0 ? Rank - 1 : k - 1;
        layout.dimension[d] = std::size_t(extents[d]);
        layout.stride[d]    = 2 * span;
        span                = 2 * span * std::size_t(extents[d]) + 1;
      }
    }
    if (!strided) span = m_size;
    m_storage = Kokkos::View<T*, memory_space>("test", span + 2 * margin);
    m_view    = view_type(m_storage.data() + margin, layout);
    m_host    = Kokkos::create_mirror_view(m_storage);
    for (std::size_t i = 0; i < m_storage.extent(0); ++i) m_host(i) = sentinel;
    for (std::size_t p = 0; p < m_size; ++p) m_host(offset(p)) = T(0);
    Kokkos::deep_copy(m_storage, m_host);
  }

  std::size_t size() const { return m_size; }
  const view_type& view() const { return m_view; }
  const_view_type const_view() const { return m_view; }

  /// Element number p becomes f(p).
  template <class F>
  void set(const F& f) {
    for (std::size_t p = 0; p < m_size; ++p) m_host(offset(p)) = T(f(p));
    Kokkos::deep_copy(m_storage, m_host);
  }
  std::vector<T> get() const {
    Kokkos::deep_copy(m_host, m_storage);
    std::vector<T> values(m_size);
    for (std::size_t p = 0; p < m_size; ++p) values[p] = m_host(offset(p));
    return values;
  }
  /// Has nothing been written next to the elements?
  bool gaps_are_untouched() const {
    Kokkos::deep_copy(m_host, m_storage);
    std::vector<bool> element(m_host.extent(0));
    for (std::size_t p = 0; p < m_size; ++p) element[offset(p)] = true;
    for (std::size_t i = 0; i < element.size(); ++i)
      if (!element[i] && m_host(i) != sentinel) return false;
    return true;
  }

 private:
  static constexpr bool strided =
      std::is_same<Layout, Kokkos::LayoutStride>::value;
  static constexpr std::size_t margin = 32;
  inline static const T sentinel      = T(-12345);  // no literal for complex T

  std::size_t offset(std::size_t p) const {
    std::size_t at = margin;
    for (int k = 0; k < Rank; ++k) {
      at += p % m_view.extent(k) * m_view.stride(k);
      p /= m_view.extent(k);
    }
    return at;
  }

  std::size_t m_size = 1;
  Kokkos::View<T*, memory_space> m_storage;
  view_type m_view;
  decltype(Kokkos::create_mirror_view(
      std::declval<const Kokkos::View<T*, memory_space>&>())) m_host;
};

/// Elements of a view of rank 2, first index fastest.
template <class View>
std::vector<double> elements(const View& view) {
  const auto host =
      Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), view);
  std::vector<double> values;
  for (std::size_t j = 0; j < host.extent(1); ++j)
    for (std::size_t i = 0; i < host.extent(0); ++i)
      values.push_back(double(host(i, j)));
  return values;
}

template <class View, class F>
void set_elements(const View& view, const F& f) {
  const auto host = Kokkos::create_mirror_view(view);
  for (std::size_t j = 0; j < host.extent(1); ++j)
    for (std::size_t i = 0; i < host.extent(0); ++i)
      host(i, j) = typename View::value_type(f(i + j * host.extent(0)));
  Kokkos::deep_copy(view, host);
}

}  // namespace Test
}  // namespace Sporos

#endif
