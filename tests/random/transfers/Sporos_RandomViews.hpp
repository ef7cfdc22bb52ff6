// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/// Views of any strides with gaps between their numbers, which nobody may
/// write.

#ifndef SPOROS_RANDOMVIEWS_HPP
#define SPOROS_RANDOMVIEWS_HPP

#include "Sporos_RandomDriver.hpp"

#include <Kokkos_Core.hpp>
#include <Sporos_RealOf.hpp>

#include <array>
#include <complex>
#include <cstddef>
#include <cstring>
#include <numeric>
#include <utility>
#include <vector>

namespace Sporos {
namespace Test {

template <class T, int Rank>
struct Stars {
  using type = typename Stars<T, Rank - 1>::type*;
};
template <class T>
struct Stars<T, 0> {
  using type = T;
};

/// A View of rank Rank: contiguous as LayoutRight or LayoutLeft are, or with
/// its directions in any order and gaps.
template <class T, int Rank>
class RandomView {
 public:
  using View = Kokkos::View<typename Stars<T, Rank>::type, Kokkos::LayoutStride,
                            Kokkos::HostSpace>;
  using Part = Impl::real_of<T>;
  static constexpr int parts = Impl::RealOf<T>::parts;

  RandomView() = default;
  RandomView(RandomCase& random, const std::array<int, Rank>& extents)
      : m_extent(extents) {
    std::array<int, Rank> order{};  // the fastest direction first
    std::iota(order.begin(), order.end(), 0);
    const int kind = random.integer(0, 3);
    if (kind % 2 == 0)
      for (int d = 0; d < Rank; ++d) order[d] = Rank - 1 - d;
    if (kind == 3)
      for (int d = Rank - 1; d > 0; --d)
        std::swap(order[d], order[random.integer(0, d)]);
    std::size_t step = kind > 1 && random.chance(50) ? random.integer(2, 9) : 1;
    for (const int d : order) {
      m_stride[d] = step;
      step *= std::size_t(extents[d]) +
              (kind > 1 ? random.integer<std::size_t>(0, 2) : 0);
    }
    m_memory.resize(step + 1);
    Kokkos::LayoutStride layout;
    for (int d = 0; d < Rank; ++d) {
      layout.dimension[d] = std::size_t(extents[d]);
      layout.stride[d]    = m_stride[d];
    }
    m_owned.assign(m_memory.size(), false);
    for_each([&](std::size_t, std::size_t at) { m_owned[at] = true; });
    for (std::size_t i = 0; i < m_memory.size(); ++i) m_memory[i] = gap();
    m_layout = layout;
  }

  View view() {
    return Kokkos::View<typename View::data_type, Kokkos::LayoutStride,
                        Kokkos::HostSpace,
                        Kokkos::MemoryTraits<Kokkos::Unmanaged>>(
        m_memory.data(), m_layout);
  }
  /// Numbers of all extents together.
  std::size_t size() const {
    std::size_t n = 1;
    for (const int e : m_extent) n *= std::size_t(e);
    return n;
  }
  /// f(number in LayoutRight, place) for all entries
  template <class F>
  void for_each(const F& f) const {
    const std::size_t n = size();
    for (std::size_t i = 0; i < n; ++i) {
      std::size_t rest = i, at = 0;
      for (int d = Rank - 1; d >= 0; --d) {
        at += rest % std::size_t(m_extent[d]) * m_stride[d];
        rest /= std::size_t(m_extent[d]);
      }
      f(i, at);
    }
  }
  /// Numbers in [-1, 1).
  void fill(RandomCase& random) {
    for_each([&](std::size_t, std::size_t at) {
      for (int p = 0; p < parts; ++p)
        part(m_memory[at], p) = Part(random.real(-1, 1));
    });
  }
  /// All numbers in LayoutRight, their parts side by side.
  std::vector<double> numbers() const {
    std::vector<double> out(size() * parts);
    for_each([&](std::size_t i, std::size_t at) {
      for (int p = 0; p < parts; ++p)
        out[i * parts + std::size_t(p)] = double(part(m_memory[at], p));
    });
    return out;
  }
  bool gaps_are_untouched() const {
    const T mark = gap();
    for (std::size_t i = 0; i < m_memory.size(); ++i)
      if (!m_owned[i] && std::memcmp(&m_memory[i], &mark, sizeof(T)) != 0)
        return false;
    return true;
  }
  const std::vector<T>& memory() const { return m_memory; }

 private:
  static T gap() { return T(Part(77.125)); }
  static Part& part(T& value, int p) {
    return reinterpret_cast<Part*>(&value)[p];
  }
  static const Part& part(const T& value, int p) {
    return reinterpret_cast<const Part*>(&value)[p];
  }

  std::array<int, Rank> m_extent{};
  std::array<std::size_t, Rank> m_stride{};
  std::vector<T> m_memory;
  std::vector<bool> m_owned;
  Kokkos::LayoutStride m_layout;
};

}  // namespace Test
}  // namespace Sporos

#endif  // SPOROS_RANDOMVIEWS_HPP
