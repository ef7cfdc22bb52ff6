// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef SPOROS_CORRELATERANGES_HPP
#define SPOROS_CORRELATERANGES_HPP

/// \file Sporos_CorrelateRanges.hpp
/// The range of the elements of a matrix. Transforms take elements times a
/// power of two, so that nothing overflows or vanishes, and the errors of their
/// results are relative to norms. A matrix is wide if that loses some of its
/// elements. Costs a pass over a matrix, two if there are small elements or on
/// devices.

#include <Sporos_ForEachIndex.hpp>
#include <Sporos_Pack.hpp>
#include <cross_correlation/problem/Sporos_CorrelateConstants.hpp>
#include <cross_correlation/problem/Sporos_CorrelateShape.hpp>

#include <cstdint>
#include <cstring>
#include <limits>
#include <type_traits>

namespace Sporos {
namespace Impl {

/// Bits of floating-point numbers.
template <class R>
struct FloatBits {
  using Int = std::conditional_t<sizeof(R) == 4, std::uint32_t, std::uint64_t>;
  static constexpr int fraction = std::numeric_limits<R>::digits - 1;
  static constexpr int most     = std::numeric_limits<R>::max_exponent - 2;
  static constexpr R largest    = std::numeric_limits<R>::max();
  static constexpr R infinity   = std::numeric_limits<R>::infinity();
  static constexpr R epsilon    = std::numeric_limits<R>::epsilon();

  static KOKKOS_FUNCTION Int of(R v) {
    Int bits;
    memcpy(&bits, &v, sizeof(R));
    return bits;
  }
  static KOKKOS_FUNCTION R from(Int bits) {
    R v;
    memcpy(&v, &bits, sizeof(R));
    return v;
  }
};

/// 2^e; |e| <= FloatBits<R>::most
template <class R>
KOKKOS_INLINE_FUNCTION R power_of_two(int e) {
  using Bits = FloatBits<R>;
  return Bits::from(typename Bits::Int(e + Bits::most + 1) << Bits::fraction);
}

/// v 2^e for the sum e of two exponents of ranges.
template <class R>
struct ScaleBack {
  R first, second;
  KOKKOS_FUNCTION explicit ScaleBack(int e)
      : first(power_of_two<R>(e / 2)), second(power_of_two<R>(e - e / 2)) {}
  KOKKOS_FUNCTION R operator()(R v) const { return v * first * second; }
};

/// |a|, or infinity for what is not finite.
template <class R>
KOKKOS_FORCEINLINE_FUNCTION R finite_size(R a) {
  constexpr R most = FloatBits<R>::largest, infinity = FloatBits<R>::infinity;
  a = a < R(0) ? -a : a;
  return a <= most ? a : infinity;
}

/// The larger absolute value of the parts of an element.
template <class R, class T>
KOKKOS_FORCEINLINE_FUNCTION R size_in_range(const T& v) {
  if constexpr (is_complex_v<T>)
    return Math::max(finite_size(R(v.real())), finite_size(R(v.imag())));
  else
    return finite_size(R(v));
}

/// How many parts of an element are not 0 and below a limit.
template <class R, class T>
KOKKOS_INLINE_FUNCTION int count_small(const T& v, R limit) {
  const auto small = [=](R a) {
    a = a < R(0) ? -a : a;
    return int(a > R(0)) & int(a < limit);
  };
  if constexpr (is_complex_v<T>)
    return small(R(v.real())) + small(R(v.imag()));
  else
    return small(R(v));
}

/// Elements below are lost in the errors of a transform.
template <class R>
KOKKOS_INLINE_FUNCTION R limit_of_range(R largest) {
  constexpr R most = FloatBits<R>::largest, epsilon = FloatBits<R>::epsilon;
  return largest <= most ? largest * epsilon : R(0);
}

/// \param small how many elements are below the limit: half a row or column of
///   them (of volumes also half a line along z), or half the root of all
///   elements, may be all that some shift meets
template <class R>
KOKKOS_INLINE_FUNCTION MatrixRange range_of(R largest, std::int64_t small,
                                            int d, int h, int w) {
  using Bits       = FloatBits<R>;
  constexpr R most = Bits::largest;
  MatrixRange range;
  if (!(largest <= most)) {
    range.wide = true;
    return range;
  }
  const auto many = [=](int extent) {
    return extent > 1 && 2 * small >= extent;
  };
  range.wide =
      small > 0 && (many(h) || many(w) || many(d) ||
                    4. * double(small) * double(small) >= double(d) * h * w);
  if (largest > R(0)) {
    const int e    = int(Bits::of(largest) >> Bits::fraction) - Bits::most;
    range.exponent = Math::min(Math::max(e, -Bits::most), Bits::most);
  }
  return range;
}

/// Ranges of all left matrices, and of all right ones or, if left matrices
/// share them, of m.
template <class Exec, class Space>
WidePairs require_ranges(const Exec& exec, Space& space,
                         const CorrelateExtents& e, bool shared_right,
                         MatrixRange*& left, MatrixRange*& right) {
  const std::size_t rights =
      (shared_right ? std::size_t(1) : std::size_t(e.n)) * std::size_t(e.m);
  left  = space.require_data(exec, std::size_t(e.n) + rights);
  right = left + e.n;
  return {left, right, shared_right ? 0 : e.m, 1};
}

/// For hosts: the largest and the smallest absolute value that is not 0.
template <class R>
struct RangeSpan {
  R largest  = R(0);
  R smallest = FloatBits<R>::infinity;

  void join(R a, R b) {
    largest  = Math::max(largest, a);
    smallest = Math::min(smallest, b);
  }
  void join(R part) { join(part, part > R(0) ? part : smallest); }
  bool has_small() const { return smallest < limit_of_range(largest); }
};

/// The span of n elements.
template <class R, class T>
RangeSpan<R> span_of(const T* v, std::ptrdiff_t stride, int n) {
  RangeSpan<R> span;
  std::ptrdiff_t k = 0;
  if constexpr (std::is_same<real_of<T>, R>::value)
    if (stride == 1) {  // parts of complex numbers are elements, too
      using P = Pack<R, native_pack_width<R>>;
      const P most(FloatBits<R>::largest), infinity(FloatBits<R>::infinity);
      const auto* const parts  = reinterpret_cast<const R*>(v);
      constexpr int of_element = is_complex_v<T> ? 2 : 1;
      const std::ptrdiff_t end = std::ptrdiff_t(n) * of_element;
      P largest(R(0)), smallest(infinity);
      for (; k + P::width <= end; k += P::width) {
        const P size = abs(P::load(parts + k));
        const P a    = select(size <= most, size, infinity);
        largest      = max(largest, a);
        smallest     = min(smallest, select(a > P(R(0)), a, infinity));
      }
      for (int l = 0; l < P::width; ++l) span.join(largest[l], smallest[l]);
      for (; k < end; ++k) span.join(finite_size(parts[k]));
      return span;
    }
  for (; k < n; ++k) {
    const T& value = v[k * stride];
    if constexpr (is_complex_v<T>) {
      span.join(finite_size(R(value.real())));
      span.join(finite_size(R(value.imag())));
    } else {
      span.join(finite_size(R(value)));
    }
  }
  return span;
}

/// For hosts: how many of n elements are below a limit.
template <class R, class T>
std::int64_t count_small_of(const T* v, std::ptrdiff_t stride, int n, R limit) {
  std::int64_t small = 0;
  for (int k = 0; k < n; ++k) small += count_small<R>(v[k * stride], limit);
  return small;
}

/// What threads of a device join, for one matrix. Numbers that are not negative
/// are ordered as their bits are.
template <class R>
struct RangeParts {
  typename FloatBits<R>::Int largest;
  unsigned long long small;
};

/// For devices: a thread measures some rows of a column of one of the matrices
/// (number k is (k / m, k % m)). The joins do not depend on their order.
template <class T, class R>
struct MeasureRanges {
  struct Clear {};
  struct Largest {};
  struct Small {};
  struct Finish {};
  static constexpr int rows = range_rows;
  MatrixBatch<const T> from;
  RangeParts<R>* parts;
  MatrixRange* ranges;
  int m, d, h, w;

  KOKKOS_FUNCTION void operator()(Clear, std::int64_t k) const {
    parts[k] = {0, 0};
  }
  KOKKOS_FUNCTION void operator()(Largest, std::int64_t index) const {
    const Column c = column(index);
    R largest(0);
    for (int y = 0; y < c.h; ++y)
      largest = Math::max(largest, size_in_range<R>(c.data[y * from.y]));
    const auto bits = FloatBits<R>::of(largest);
    Kokkos::atomic_fetch_max(&parts[c.matrix].largest, bits);
  }
  KOKKOS_FUNCTION void operator()(Small, std::int64_t index) const {
    const Column c = column(index);
    const R limit = limit_of_range(FloatBits<R>::from(parts[c.matrix].largest));
    unsigned long long small = 0;
    for (int y = 0; y < c.h; ++y)
      small += unsigned(count_small<R>(c.data[y * from.y], limit));
    if (small > 0) Kokkos::atomic_add(&parts[c.matrix].small, small);
  }
  KOKKOS_FUNCTION void operator()(Finish, std::int64_t k) const {
    ranges[k] = range_of(FloatBits<R>::from(parts[k].largest),
                         std::int64_t(parts[k].small), d, h, w);
  }

 private:
  struct Column {
    const T* data;
    std::int64_t matrix;
    int h;
  };
  KOKKOS_FUNCTION Column column(std::int64_t index) const {
    const int x = int(index % w);
    index /= w;
    const int down = ceil_div(h, rows);
    const int y    = int(index % down) * rows;
    index /= down;
    const int z          = int(index % d);
    const std::int64_t k = index / d;
    return {&from.plane(z)(int(k / m), int(k % m), y, x), k,
            Math::min(rows, h - y)};
  }
};

/// For devices: ranges of `count` matrices.
template <class Exec, class T, class R>
void measure_ranges(const Exec& exec, const MatrixBatch<const T>& from,
                    std::int64_t count, int m, int d, int h, int w,
                    RangeParts<R>* parts, MatrixRange* ranges) {
  using Kernel = MeasureRanges<T, R>;
  const Kernel kernel{from, parts, ranges, m, d, h, w};
  const auto launch = [&](auto tag, std::int64_t n) {
    for_each_index(
        "Sporos::cross_correlate::ranges",
        Kokkos::RangePolicy<Exec, decltype(tag),
                            Kokkos::IndexType<std::int64_t>>(exec, 0, n),
        kernel);
  };
  const std::int64_t columns =
      count * d * w * std::int64_t(ceil_div(h, Kernel::rows));
  launch(typename Kernel::Clear{}, count);
  launch(typename Kernel::Largest{}, columns);
  launch(typename Kernel::Small{}, columns);
  launch(typename Kernel::Finish{}, count);
}

}  // namespace Impl
}  // namespace Sporos

#endif
