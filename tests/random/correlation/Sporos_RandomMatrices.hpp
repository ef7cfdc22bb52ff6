// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/// Matrices of random values in memory of random strides, and the same as plain
/// numbers.

#ifndef SPOROS_RANDOMMATRICES_HPP
#define SPOROS_RANDOMMATRICES_HPP

#include "Sporos_RandomDriver.hpp"
#include "Sporos_TestArray.hpp"

#include <Sporos_CrossCorrelate.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <complex>
#include <cstring>
#include <limits>
#include <numeric>
#include <vector>

namespace Sporos {
namespace Test {

enum class Values {
  any_sign,      ///< within [-1, 1], or [-9, 9]
  positive,      ///< from 0 on
  equal,         ///< one number
  nearly_equal,  ///< a large number and a little more
  few,           ///< most are 0
  scaled,        ///< by a power of two
  wide,          ///< small ones and a few large ones, or rows of them
  any,           ///< integers: all that there are
  not_finite     ///< some infinity or NaN
};

template <class T>
Values random_values(RandomCase& random) {
  using V = Values;
  if (std::is_integral<T>::value)
    return random.one_of({V::any_sign, V::any_sign, V::positive, V::equal,
                          V::nearly_equal, V::few, V::any});
  return random.one_of({V::any_sign, V::any_sign, V::any_sign, V::positive,
                        V::equal, V::nearly_equal, V::few, V::scaled, V::wide,
                        V::wide, V::not_finite});
}

/// (i, j) matrices (y, x), or signals (x): strides in any order, with gaps.
template <class T>
class Matrices {
 public:
  Matrices(RandomCase& random, bool has_i, bool has_j, int n, int m, int h,
           int w, bool has_y = true)
      : m_has{has_i, has_j, has_y, true},
        m_n{has_i ? n : 1, has_j ? m : 1, h, w} {
    std::array<int, 4> order{0, 1, 2, 3};
    if (random.chance(50))
      std::shuffle(order.begin(), order.end(), random.engine());
    std::size_t size = 1;
    for (int k = 3; k >= 0; --k) {
      const std::size_t d = std::size_t(order[std::size_t(k)]);
      if (!m_has[d]) continue;
      if (random.chance(20)) size *= 2;  // strided
      m_stride[d] = size;
      size *= std::size_t(std::max(1, m_n[d]));
      if (random.chance(30)) size += std::size_t(random.integer(1, 5));
    }
    m_memory.resize(size + 8);
    m_first = std::size_t(random.integer(0, 7));
  }
  int extent(int d) const { return m_n[std::size_t(d)]; }
  std::size_t at(int i, int j, int y, int x) const {
    return m_first + std::size_t(i) * m_stride[0] +
           std::size_t(j) * m_stride[1] + std::size_t(y) * m_stride[2] +
           std::size_t(x) * m_stride[3];
  }
  T& operator()(int i, int j, int y, int x) {
    return m_memory[at(m_has[0] ? i : 0, m_has[1] ? j : 0, y, x)];
  }
  const T& operator()(int i, int j, int y, int x) const {
    return m_memory[at(m_has[0] ? i : 0, m_has[1] ? j : 0, y, x)];
  }
  const std::vector<T>& memory() const { return m_memory; }

  template <class Element, int Rank>
  auto view() const {
    using View = Kokkos::View<typename DataType<Element, Rank>::type,
                              Kokkos::LayoutStride, Kokkos::HostSpace,
                              Kokkos::MemoryTraits<Kokkos::Unmanaged>>;
    Kokkos::LayoutStride layout;
    int k = 0;
    for (std::size_t d = 0; d < 4; ++d)
      if (m_has[d]) {
        layout.dimension[k] = std::size_t(m_n[d]);
        layout.stride[k++]  = m_stride[d];
      }
    return View(const_cast<T*>(m_memory.data()) + m_first, layout);
  }

  /// Sets all of the memory, gaps included.
  void spoil() {
    std::memset(static_cast<void*>(m_memory.data()), 0x5b, bytes());
  }
  bool gaps_are_spoilt() {
    std::vector<bool> used(m_memory.size());
    for_each([&](int i, int j, int y, int x) { used[at(i, j, y, x)] = true; });
    for (std::size_t k = 0; k < used.size(); ++k) {
      if (used[k]) continue;
      unsigned char v[sizeof(T)];
      std::memcpy(v, &m_memory[k], sizeof(T));
      for (const unsigned char b : v)
        if (b != 0x5b) return false;
    }
    return true;
  }
  template <class F>
  void for_each(const F& f) const {
    for (int i = 0; i < m_n[0]; ++i)
      for (int j = 0; j < m_n[1]; ++j)
        for (int y = 0; y < m_n[2]; ++y)
          for (int x = 0; x < m_n[3]; ++x) f(i, j, y, x);
  }

  void fill(RandomCase& random, Values values) {
    const int scale     = random.integer(-40, 40);
    const double number = random.real(0.01, 3);
    for_each([&](int i, int j, int y, int x) {
      (*this)(i, j, y, x) = value(random, values, scale, number);
    });
    if (m_n[0] * m_n[1] == 0) return;
    const auto any = [&]() -> T& {
      return (*this)(
          random.integer(0, m_n[0] - 1), random.integer(0, m_n[1] - 1),
          random.integer(0, m_n[2] - 1), random.integer(0, m_n[3] - 1));
    };
    if constexpr (!std::is_integral<T>::value) {
      using R = Impl::real_of<T>;
      const T large(std::ldexp(R(1), sizeof(R) == 4 ? 50 : 100));
      if (values == Values::wide && random.chance(50)) {
        for (int k = random.integer(1, 3); k > 0; --k) any() = large;
      } else if (values == Values::wide) {  // some rows
        const int end = random.integer(0, m_n[2]);
        for_each([&](int i, int j, int y, int x) {
          if (y < end) (*this)(i, j, y, x) *= large;
        });
      }
      if (values == Values::not_finite)
        any() = T(random.chance(50) ? std::numeric_limits<R>::infinity()
                                    : std::numeric_limits<R>::quiet_NaN());
    }
  }

 private:
  std::size_t bytes() const { return m_memory.size() * sizeof(T); }
  static T value(RandomCase& random, Values values, int scale, double number) {
    if constexpr (Impl::is_complex_v<T>) {
      using R      = Impl::real_of<T>;
      const R re   = Matrices<R>::real(random, values, scale, number);
      const bool o = values == Values::equal;
      return T(re, o ? re : Matrices<R>::real(random, values, scale, number));
    } else {
      return real(random, values, scale, number);
    }
  }

 public:
  static T real(RandomCase& random, Values values, int scale, double number) {
    constexpr bool integral = std::is_integral<T>::value;
    const bool sign         = std::numeric_limits<T>::is_signed;
    const auto any          = [&](bool negative) {
      return integral ? T(random.integer(negative && sign ? -9 : 0, 9))
                               : T(random.real(negative ? -1 : 0, 1));
    };
    switch (values) {
      case Values::positive: return any(false);
      case Values::equal: return T(integral ? 30 * number : number);
      case Values::nearly_equal:
        return T(T(integral ? 100 : 30000) + T(random.integer(0, 6)));
      case Values::few: return random.chance(5) ? any(true) : T(0);
      case Values::scaled: return T(double(any(true)) * std::ldexp(1., scale));
      case Values::any:
        if constexpr (integral)
          return T(random.integer<long long>(
              (long long)(std::numeric_limits<T>::min()),
              (long long)(std::numeric_limits<T>::max())));
        return any(true);
      default: return any(true);
    }
  }

 private:
  std::array<bool, 4> m_has;
  std::array<int, 4> m_n;
  std::array<std::size_t, 4> m_stride{};
  std::size_t m_first = 0;
  std::vector<T> m_memory;
};

/// One matrix in long double.
template <class T>
class Plain {
 public:
  using Number = std::complex<long double>;

  Plain(const Matrices<T>& from, int i, int j, bool center, bool normalize,
        double least)
      : m_h(from.extent(2)), m_w(from.extent(3)) {
    for (int y = 0; y < m_h; ++y)
      for (int x = 0; x < m_w; ++x) {
        const T& v = from(i, j, y, x);
        if constexpr (Impl::is_complex_v<T>)
          m_values.emplace_back(v.real(), v.imag());
        else
          m_values.emplace_back((long double)(v), 0.L);
      }
    for (const Number& v : m_values)
      m_finite = m_finite && std::isfinite(v.real()) && std::isfinite(v.imag());
    if (center && m_finite) subtract_mean(normalize, least);
    for (const Number& v : m_values) m_sizes.push_back(std::abs(v));
  }
  const Number& operator()(int y, int x) const { return m_values[at(y, x)]; }
  /// |element|
  long double size(int y, int x) const { return m_sizes[at(y, x)]; }
  std::size_t size() const { return m_values.size(); }
  long double norm() const {
    long double sum = 0;
    for (const Number& v : m_values) sum += std::norm(v);
    return std::sqrt(sum);
  }
  bool all_finite() const { return m_finite; }
  bool is_doubtful() const { return m_doubtful; }

  /// As CorrelateExactness::by_range says, for transforms in R and the part
  /// [y0, y1) x [x0, x1).
  template <class R>
  bool is_wide(int y0, int y1, int x0, int x1) const {
    y0 = std::max(y0, 0), y1 = std::min(y1, m_h);
    x0 = std::max(x0, 0), x1 = std::min(x1, m_w);
    long double largest = 0;
    int small           = 0;
    bool finite         = true;
    const auto each     = [&](const auto& f) {
      for (int y = y0; y < y1; ++y)
        for (int x = x0; x < x1; ++x) {
          f(std::fabs((*this)(y, x).real()));
          f(std::fabs((*this)(y, x).imag()));
        }
    };
    each([&](long double a) {
      finite  = finite && std::isfinite(a);
      largest = std::max(largest, a);
    });
    const long double limit =
        largest * (long double)(std::numeric_limits<R>::epsilon());
    each([&](long double a) { small += a > 0 && a < limit; });
    const long double h = y1 - y0, w = x1 - x0;
    const long double many =
        std::min(h, w) > 1 ? std::min(h, w) : std::sqrt(h * w);
    return !finite || (small > 0 && 2 * small >= many);
  }

 private:
  std::size_t at(int y, int x) const {
    return std::size_t(y) * std::size_t(m_w) + std::size_t(x);
  }
  void subtract_mean(bool normalize, double least) {
    const bool constant =
        std::all_of(m_values.begin(), m_values.end(),
                    [&](const Number& v) { return v == m_values[0]; });
    const Number mean =
        std::accumulate(m_values.begin(), m_values.end(), Number()) /
        (long double)(m_values.size());
    for (Number& v : m_values) v = constant ? Number() : v - mean;
    if (!normalize) return;
    const long double all = norm();
    const long double rms = all / std::sqrt((long double)(m_values.size()));
    m_doubtful            = least > 0 && std::fabs(rms - least) < 1e-3L * least;
    for (Number& v : m_values)
      v = rms > (long double)(least) ? v / all : Number();
  }

  int m_h, m_w;
  bool m_finite = true, m_doubtful = false;
  std::vector<Number> m_values;
  std::vector<long double> m_sizes;
};

template <class T>
std::vector<Plain<T>> plain_matrices(const Matrices<T>& from, bool center,
                                     bool normalize, double least) {
  std::vector<Plain<T>> all;
  for (int i = 0; i < from.extent(0); ++i)
    for (int j = 0; j < from.extent(1); ++j)
      all.emplace_back(from, i, j, center, normalize, least);
  return all;
}

}  // namespace Test
}  // namespace Sporos

#endif  // SPOROS_RANDOMMATRICES_HPP
