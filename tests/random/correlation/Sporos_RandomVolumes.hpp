// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/// Random correlations of volumes against plain sums, and their peaks. Values
/// are small integers, so that sums by the definition are not rounded.

#ifndef SPOROS_RANDOMVOLUMES_HPP
#define SPOROS_RANDOMVOLUMES_HPP

#include "Sporos_PlainPeaks.hpp"
#include "Sporos_PlainWhitened.hpp"
#include "Sporos_RandomDriver.hpp"
#include "Sporos_TestArray.hpp"

#include <Sporos_CrossCorrelate.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <complex>
#include <cstddef>
#include <limits>
#include <optional>
#include <sstream>
#include <string>
#include <vector>

namespace Sporos {
namespace Test {

/// (n, m) volumes (d, h, w) of float, with strides in any order and gaps;
/// View has the last Rank of these directions, or n and not m.
class RandomVolumes {
 public:
  RandomVolumes(RandomCase& random, bool has_n, bool has_m,
                const std::array<int, 5>& extents)
      : m_n(extents), m_has{has_n, has_m, true, true, true} {
    std::array<std::size_t, 5> order{4, 3, 2, 1, 0};
    if (random.chance(50))
      std::shuffle(order.begin(), order.end(), random.engine());
    std::size_t size = 1;
    for (const std::size_t k : order) {
      if (!m_has[k]) continue;
      m_stride[k] = size;
      size *= std::size_t(m_n[k]);
      if (random.chance(20)) ++size;
    }
    m_numbers.assign(size + 1, 0x1p100f);
  }
  float& operator()(int i, int j, int z, int y, int x) {
    const std::array<int, 5> k{i, j, z, y, x};
    std::size_t at = 0;
    for (std::size_t c = 0; c < 5; ++c)
      if (m_has[c]) at += std::size_t(k[c]) * m_stride[c];
    return m_numbers[at];
  }
  template <class F>
  void for_each(const F& f) {
    const auto count = [&](std::size_t c) { return m_has[c] ? m_n[c] : 1; };
    for (int i = 0; i < count(0); ++i)
      for (int j = 0; j < count(1); ++j)
        for (int z = 0; z < m_n[2]; ++z)
          for (int y = 0; y < m_n[3]; ++y)
            for (int x = 0; x < m_n[4]; ++x) f((*this)(i, j, z, y, x));
  }
  template <int Rank>
  auto view() {
    Kokkos::LayoutStride layout;
    int k = 0;
    for (std::size_t c = 0; c < 5; ++c)
      if (m_has[c]) {
        layout.dimension[k] = std::size_t(m_n[c]);
        layout.stride[k++]  = m_stride[c];
      }
    return Kokkos::View<typename DataType<float, Rank>::type,
                        Kokkos::LayoutStride, Kokkos::HostSpace,
                        Kokkos::MemoryTraits<Kokkos::Unmanaged>>(
        m_numbers.data(), layout);
  }
  const std::vector<float>& numbers() const { return m_numbers; }

 private:
  std::array<int, 5> m_n;
  std::array<bool, 5> m_has;
  std::array<std::size_t, 5> m_stride{};
  std::vector<float> m_numbers;
};

/// Sums and peaks of the case.
struct RandomVolumeCase {
  CorrelateExtents e;
  CorrelateOptions o;
  PeakOptions peak_options;
  bool batch;
  std::vector<Peak> peaks;
  static constexpr int k = 2;

  template <int L, int R, int O, class Exec>
  void run(const Exec& exec, RandomVolumes& left, RandomVolumes& right,
           RandomVolumes& out) {
    const CrossCorrelatePlan<Exec, float> plan(exec, e, o, true);
    const auto results = out.view<O>();
    cross_correlate(exec, plan, left.view<L>(), right.view<R>(), results);
    peaks.resize(std::size_t(e.n) * std::size_t(e.m) * k);
    using View = Kokkos::View<typename DataType<Peak, O - 2>::type,
                              Kokkos::LayoutRight, Kokkos::HostSpace,
                              Kokkos::MemoryTraits<Kokkos::Unmanaged>>;
    if constexpr (O == 3)
      find_peaks(exec, plan, results, View(peaks.data(), k), peak_options);
    else if constexpr (O == 4)
      find_peaks(exec, plan, results, View(peaks.data(), e.n * e.m, k),
                 peak_options);
    else
      find_peaks(exec, plan, results, View(peaks.data(), e.n, e.m, k),
                 peak_options);
    exec.fence();
  }
  template <class Exec>
  void run_any(const Exec& exec, RandomVolumes& left, RandomVolumes& right,
               RandomVolumes& out) {
    switch (o.pairing) {
      case Pairing::one_to_one:
        if (batch) return run<4, 4, 4>(exec, left, right, out);
        return run<3, 3, 3>(exec, left, right, out);
      case Pairing::one_to_many: return run<3, 4, 4>(exec, left, right, out);
      case Pairing::n_to_mn: return run<4, 5, 5>(exec, left, right, out);
      case Pairing::n_to_m: return run<4, 4, 5>(exec, left, right, out);
    }
  }
  std::string text() const {
    std::ostringstream t;
    t << "volumes: pairing " << int(o.pairing) << ", n " << e.n << ", m " << e.m
      << ", left (" << e.left_d << ", " << e.left_h << ", " << e.left_w
      << "), right (" << e.right_d << ", " << e.right_h << ", " << e.right_w
      << "), mode " << int(o.mode) << ", window "
      << Impl::shifts_text(o.operand, o.window) << ", algorithm "
      << int(o.algorithm) << ", staged " << o.staged << ", whiten " << o.whiten
      << ", border " << peak_options.border << ", distance "
      << peak_options.least_distance;
    return t.str();
  }
};

inline RandomVolumeCase random_volume_case(RandomCase& random) {
  using A = CorrelateAlgorithm;
  RandomVolumeCase c;
  CorrelateOptions& o = c.o;
  const auto extent   = [&] { return random.integer(1, 8); };
  o.operand           = CorrelateOperand::volume;
  o.pairing = random.one_of({Pairing::one_to_one, Pairing::one_to_many,
                             Pairing::n_to_mn, Pairing::n_to_m});
  c.batch   = o.pairing == Pairing::one_to_one && random.chance(50);
  const bool many_lefts =
      c.batch || o.pairing == Pairing::n_to_mn || o.pairing == Pairing::n_to_m;
  c.e = {many_lefts ? random.integer(1, 3) : 1,
         o.pairing == Pairing::one_to_one ? 1 : random.integer(1, 5),
         extent(),
         extent(),
         extent(),
         extent(),
         extent(),
         extent()};
  const CorrelateExtents& e = c.e;
  const bool fits =
      e.left_d >= e.right_d && e.left_h >= e.right_h && e.left_w >= e.right_w;
  o.mode           = random.one_of({CorrelateMode::full, CorrelateMode::same,
                                    CorrelateMode::window,
                          fits ? CorrelateMode::valid : CorrelateMode::window});
  const auto range = [&](int& first, int& end) {
    first = random.integer(-12, 8);
    end   = first + random.integer(1, 9);
  };
  range(o.window.dz0, o.window.dz1);
  range(o.window.dy0, o.window.dy1);
  range(o.window.dx0, o.window.dx1);
  o.algorithm =
      random.one_of({A::automatic, A::basic, A::tile, A::tile, A::shuffle,
                     A::lane_group_per_shift, A::team_per_shift, A::fft});
  if (o.algorithm == A::fft &&
      !Impl::has_correlate_fft<Kokkos::DefaultHostExecutionSpace>)
    o.algorithm = A::automatic;
  o.staged = o.algorithm == A::lane_group_per_shift && random.chance(50);
  o.whiten = Impl::has_correlate_fft<Kokkos::DefaultHostExecutionSpace> &&
             (o.algorithm == A::automatic || o.algorithm == A::fft) &&
             e.n * e.m <= 4 && random.chance(30);
  c.peak_options.least_distance = random.integer(1, 3);
  c.peak_options.border         = random.integer(0, 1);
  c.peak_options.sub_pixel =
      random.one_of({SubPixel::none, SubPixel::gaussian, SubPixel::centroid,
                     SubPixel::least_squares});
  return c;
}

/// The correlation of volumes (i) and (i, j) as plain sums, or whitened.
class PlainVolumes {
 public:
  PlainVolumes(const RandomVolumeCase& c, const ShiftWindow& s,
               RandomVolumes& left, RandomVolumes& right, int i, int j)
      : m_e(c.e), m_left(left), m_right(right), m_i(i), m_j(j) {
    if (c.o.whiten)
      m_whitened.emplace(
          Impl::CorrelateShape{c.e, s, true},
          [&](int z, int y, int x) {
            return std::complex<double>(left(i, 0, z, y, x));
          },
          [&](int z, int y, int x) {
            return std::complex<double>(right(i, j, z, y, x));
          },
          false, double(std::numeric_limits<float>::epsilon()));
    else if (c.o.algorithm == CorrelateAlgorithm::automatic ||
             c.o.algorithm == CorrelateAlgorithm::fft)
      m_tolerance = .2;
  }
  double tolerance() const {
    return m_whitened ? m_whitened->tolerance() : m_tolerance;
  }
  double operator()(int dz, int dy, int dx) const {
    if (m_whitened) return (*m_whitened)(dy, dx, dz).real();
    double sum = 0;
    for (int z = std::max(0, -dz); z < std::min(m_e.right_d, m_e.left_d - dz);
         ++z)
      for (int y = std::max(0, -dy); y < std::min(m_e.right_h, m_e.left_h - dy);
           ++y)
        for (int x = std::max(0, -dx);
             x < std::min(m_e.right_w, m_e.left_w - dx); ++x)
          sum += double(m_left(m_i, 0, z + dz, y + dy, x + dx)) *
                 double(m_right(m_i, m_j, z, y, x));
    return sum;
  }

 private:
  CorrelateExtents m_e;
  RandomVolumes &m_left, &m_right;
  int m_i, m_j;
  double m_tolerance = 0;
  std::optional<PlainWhitened> m_whitened;
};

/// \tparam Serial whether one thread must give the same bits
template <bool Serial>
std::string check_volumes(RandomCase& random) {
  using Exec                = Kokkos::DefaultHostExecutionSpace;
  RandomVolumeCase c        = random_volume_case(random);
  const CorrelateExtents& e = c.e;
  const ShiftWindow s       = correlate_shifts(e, c.o);
  const bool lefts          = c.batch || c.o.pairing == Pairing::n_to_mn ||
                     c.o.pairing == Pairing::n_to_m,
             rights = c.o.pairing != Pairing::one_to_one,
             own    = c.batch || c.o.pairing == Pairing::n_to_mn;
  RandomVolumes left(random, lefts, false,
                     {e.n, 1, e.left_d, e.left_h, e.left_w}),
      right(random, own, rights, {e.n, e.m, e.right_d, e.right_h, e.right_w}),
      out(random, lefts, rights, {e.n, e.m, s.planes(), s.rows(), s.columns()});
  for (RandomVolumes* v : {&left, &right})
    v->for_each([&](float& a) { a = float(random.integer(-5, 9)); });
  c.run_any(Exec(), left, right, out);
  bool exact       = true;
  const auto wrong = [&](const std::string& why, int i, int j) {
    std::ostringstream t;
    t << why << ": pair (" << i << ", " << j << "), " << c.text();
    return t.str();
  };
  for (int i = 0; i < e.n; ++i)
    for (int j = 0; j < e.m; ++j) {
      const PlainVolumes plain(c, s, left, right, i, j);
      exact = exact && plain.tolerance() == 0;
      for (int dz = s.dz0; dz < s.dz1; ++dz)
        for (int dy = s.dy0; dy < s.dy1; ++dy)
          for (int dx = s.dx0; dx < s.dx1; ++dx) {
            const double sum = plain(dz, dy, dx);
            const double got =
                double(out(i, j, dz - s.dz0, dy - s.dy0, dx - s.dx0));
            if (!(std::fabs(got - sum) <= plain.tolerance())) {
              std::ostringstream t;
              t << got << " instead of " << sum << " at (" << dz << ", " << dy
                << ", " << dx << ")";
              return wrong(t.str(), i, j);
            }
          }
      PeakOptions o       = c.peak_options;
      const int b         = o.border;
      const auto expected = plain_peaks(
          [&](int z, int y, int x) { return out(i, j, z, y, x); },
          PlainExtents{s.planes(), s.rows(), s.columns(), b, b, b}, c.k, o);
      o.dz0 = s.dz0;
      o.dy0 = s.dy0;
      o.dx0 = s.dx0;
      for (int p = 0; p < c.k; ++p) {
        const std::string why = wrong_peak(
            expected, p, c.peaks[std::size_t((i * e.m + j) * c.k + p)], o);
        if (!why.empty()) return wrong("peaks: " + why, i, j);
      }
    }
#ifdef KOKKOS_ENABLE_SERIAL
  if constexpr (Serial) {
    const std::vector<float> bits = out.numbers();
    c.run_any(Kokkos::Serial(), left, right, out);
    if (exact && bits != out.numbers())
      return wrong("one thread gives other bits", 0, 0);
  }
#endif
  return "";
}

}  // namespace Test
}  // namespace Sporos

#endif
