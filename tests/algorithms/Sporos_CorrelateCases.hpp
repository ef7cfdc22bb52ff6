// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/// Cross-correlations of all pairings, modes and layouts against plain loops,
/// with every algorithm. Each file of tests instantiates it for one type.

#ifndef SPOROS_CORRELATECASES_HPP
#define SPOROS_CORRELATECASES_HPP

#include "Sporos_Test.hpp"
#include "Sporos_TestArray.hpp"

#include <Sporos_CrossCorrelate.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <complex>
#include <limits>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

namespace Sporos {
namespace Test {

/// A correlation to do.
struct CorrelateCase {
  CorrelateExtents e;
  CorrelateMode mode       = CorrelateMode::full;
  ShiftWindow window       = {};
  bool large               = false;  ///< too large for slow algorithms
  CorrelateOperand operand = CorrelateOperand::matrix;

  CorrelateOptions options(Pairing pairing = {}) const {
    CorrelateOptions o;
    o.pairing = pairing;
    o.mode    = mode;
    o.window  = window;
    o.operand = operand;
    return o;
  }
  ShiftWindow shifts() const { return correlate_shifts(e, options()); }
  std::string name() const {
    return std::to_string(e.n) + " x " + std::to_string(e.m) + " pairs of " +
           std::to_string(e.left_d) + " and " + std::to_string(e.right_d) +
           " planes, " + std::to_string(e.left_h) + " x " +
           std::to_string(e.left_w) + " and " + std::to_string(e.right_h) +
           " x " + std::to_string(e.right_w) + ", mode " +
           std::to_string(int(mode));
  }
};

/// The measures in turn, from the second on: for tests that need several.
inline Normalize some_measure(std::size_t k) {
  constexpr Normalize all[] = {Normalize::none, Normalize::whole,
                               Normalize::local,
                               Normalize::square_difference_normalized};
  return all[k % 4];
}

/// Sums as test arithmetic does them: exact, or in double.
template <class A>
struct WideOf {
  using type =
      std::conditional_t<std::is_integral<A>::value, long long, double>;
};
template <class R>
struct WideOf<Kokkos::complex<R>> {
  using type = std::complex<double>;
};
template <class A>
using wide = typename WideOf<A>::type;

template <class T>
wide<T> widen(const T& v) {
  if constexpr (Sporos::Impl::is_complex_v<T>)
    return {double(v.real()), double(v.imag())};
  else
    return wide<T>(v);
}

/// Reproducible numbers in [-1, 1], or integers in [-9, 9].
template <class T>
T correlate_value(int matrix, int y, int x, int side) {
  unsigned h = 2654435761u * unsigned(matrix * 7919 + y * 613 + x * 17 + side);
  h ^= h >> 15;
  h *= 2246822519u;
  h ^= h >> 13;
  if constexpr (Sporos::Impl::is_complex_v<T>) {
    using R = Sporos::Impl::real_of<T>;
    return T(R(h % 2001) / R(1000) - R(1), R(h / 2001 % 2001) / R(1000) - R(1));
  } else if constexpr (std::is_integral<T>::value) {
    return T(int(h % 19) - 9);
  } else {
    return T(h % 20001) / T(10000) - T(1);
  }
}

/// All results (pair, oz, oy, ox) by plain loops. left and right are (matrix,
/// z, y, x).
template <class A, class T>
std::vector<wide<A>> plain_correlate(const CorrelateCase& c,
                                     const std::vector<T>& left,
                                     const std::vector<T>& right,
                                     bool own_right) {
  const CorrelateExtents& e = c.e;
  const ShiftWindow s       = c.shifts();
  std::vector<wide<A>> out;
  const auto sum = [&](const T* l, const T* r, int dz, int dy, int dx) {
    wide<A> all(0);
    for (int z = std::max(0, -dz); z < std::min(e.right_d, e.left_d - dz); ++z)
      for (int y = std::max(0, -dy); y < std::min(e.right_h, e.left_h - dy);
           ++y)
        for (int x = std::max(0, -dx); x < std::min(e.right_w, e.left_w - dx);
             ++x) {
          const auto a =
              widen(l[((z + dz) * e.left_h + y + dy) * e.left_w + x + dx]);
          const auto b = widen(r[(z * e.right_h + y) * e.right_w + x]);
          if constexpr (Sporos::Impl::is_complex_v<T>)
            all += a * std::conj(b);
          else
            all += wide<A>(a) * wide<A>(b);
        }
    return all;
  };
  for (int i = 0; i < e.n; ++i)
    for (int j = 0; j < e.m; ++j) {
      const T* l = left.data() + i * e.left_d * e.left_h * e.left_w;
      const T* r = right.data() + (own_right ? i * e.m + j : j) * e.right_d *
                                      e.right_h * e.right_w;
      for (int dz = s.dz0; dz < s.dz1; ++dz)
        for (int dy = s.dy0; dy < s.dy1; ++dy)
          for (int dx = s.dx0; dx < s.dx1; ++dx)
            out.push_back(sum(l, r, dz, dy, dx));
    }
  return out;
}

struct NamedCorrelate {
  std::string name;
  CorrelateOptions options;
};

/// Every algorithm with every grouping, distribution and staging.
template <class Exec>
std::vector<NamedCorrelate> correlate_algorithms(const CorrelateCase& c,
                                                 Pairing pairing, int bytes) {
  using A                     = CorrelateAlgorithm;
  using D                     = WorkDistribution;
  const CorrelateOptions base = c.options(pairing);
  const bool signals          = c.operand == CorrelateOperand::signal;
  const bool of_rows          = c.operand == CorrelateOperand::matrix;
  std::vector<NamedCorrelate> all;
  const auto add = [&](const char* name, A algorithm, D distribution, int rows,
                       bool staged) {
    CorrelateOptions o = base;
    o.algorithm        = algorithm;
    o.distribution     = distribution;
    o.rows_per_task    = rows;
    o.staged           = staged;
    all.push_back({name, o});
  };
  add("automatic", A::automatic, D::automatic, 0, false);
  add("tile", A::tile, D::automatic, 0, false);
  add("lane group", A::lane_group_per_shift, D::automatic, 0, false);
  if (Sporos::Impl::has_correlate_fft<Exec>)
    add("fft", A::fft, D::automatic, 0, false);
  int variant = 0;
  for (const auto& g : Sporos::Impl::shuffle_groups) {
    if (g.left_matrices > 1 && pairing != Pairing::n_to_m) continue;
    if (!Sporos::Impl::fits_registers(g, bytes)) continue;
    if (c.large && g.right_rows < 8) continue;
    if (signals && g.left_rows * g.right_rows > 1) continue;
    CorrelateOptions o = base;
    o.algorithm        = A::shuffle;
    o.left_matrices    = g.left_matrices;
    o.right_matrices   = g.right_matrices;
    o.left_rows        = g.left_rows;
    o.right_rows       = g.right_rows;
    o.distribution =
        std::array<D, 3>{{D::none, D::rectangle,
                          D::triangle}}[std::size_t(of_rows ? variant % 3 : 0)];
    o.rows_per_task = o.distribution == D::none ? 0 : 1 + variant % 4;
    ++variant;
    all.push_back({"shuffle " + std::to_string(variant), o});
  }
  if (c.large) return all;
  add("basic", A::basic, D::automatic, 0, false);
  add("team", A::team_per_shift, D::automatic, 0, false);
  add("lane group, staged", A::lane_group_per_shift, D::none, 0, true);
  if (!of_rows) return all;
  add("lane group, staged, rectangle", A::lane_group_per_shift, D::rectangle, 2,
      true);
  add("lane group, staged, triangle", A::lane_group_per_shift, D::triangle, 3,
      true);
  add("lane group, rectangle", A::lane_group_per_shift, D::rectangle, 2, false);
  add("lane group, triangle", A::lane_group_per_shift, D::triangle, 3, false);
  return all;
}

/// What an algorithm may be wrong by.
template <class A>
double correlate_tolerance(const CorrelateCase& c, const CorrelateOptions& o) {
  using R = Sporos::Impl::real_of<A>;
  if (std::is_integral<R>::value) return 0;
  const CorrelateExtents& e = c.e;
  const double eps          = double(std::numeric_limits<R>::epsilon());
  const double length       = double(std::min(e.left_d, e.right_d)) *
                        double(std::min(e.left_h, e.right_h)) *
                        double(std::min(e.left_w, e.right_w));
  const double transform = std::sqrt(double(e.left_d) * e.left_h * e.left_w) *
                           std::sqrt(double(e.right_d) * e.right_h * e.right_w);
  const bool maybe_fft = o.algorithm == CorrelateAlgorithm::fft ||
                         o.algorithm == CorrelateAlgorithm::automatic;
  return 4 * eps * (length + (maybe_fft ? 8 * transform : 0.));
}

/// Runs all algorithms; ranks and layout are those of the views.
template <class Exec, class T, class A, class Layout, int LeftRank,
          int RightRank, int OutRank,
          CorrelateOperand Operand = CorrelateOperand::matrix>
void check_correlate(const CorrelateCase& c, Pairing pairing) {
  constexpr int one         = int(Operand) + 1;
  const CorrelateExtents& e = c.e;
  const ShiftWindow s       = c.shifts();
  REQUIRE(c.operand == Operand);
  const bool own =
      pairing == Pairing::n_to_mn || pairing == Pairing::one_to_one;
  const int rights = own ? e.n * e.m : e.m;
  std::vector<T> left, right;
  for (int k = 0; k < e.n; ++k)
    for (int y = 0; y < e.left_d * e.left_h; ++y)
      for (int x = 0; x < e.left_w; ++x)
        left.push_back(correlate_value<T>(k, y, x, 0));
  for (int k = 0; k < rights; ++k)
    for (int y = 0; y < e.right_d * e.right_h; ++y)
      for (int x = 0; x < e.right_w; ++x)
        right.push_back(correlate_value<T>(k, y, x, 5));
  const auto expected = plain_correlate<A>(c, left, right, own);

  // extents of the views, and the number of an element among (i, j, z, y, x)
  // from its number with the first index fastest
  const auto extents_of = [&](auto rank, bool i, bool j, int d, int h, int w) {
    constexpr int r = decltype(rank)::value;
    std::array<int, r> n{};
    int k = 0;
    if (i) n[std::size_t(k++)] = e.n;
    if (j) n[std::size_t(k++)] = e.m;
    if (one > 2) n[std::size_t(k++)] = d;
    if (one > 1) n[std::size_t(k++)] = h;
    n[std::size_t(k++)] = w;
    REQUIRE(k == r);
    return n;
  };
  const auto last_fastest = [](const auto& n, std::size_t p) {
    std::size_t index[5] = {}, q = 0;
    for (std::size_t k = 0; k < n.size(); ++k) {
      index[k] = p % std::size_t(n[k]);
      p /= std::size_t(n[k]);
    }
    for (std::size_t k = 0; k < n.size(); ++k)
      q = q * std::size_t(n[k]) + index[k];
    return q;
  };
  const auto left_n =
      extents_of(std::integral_constant<int, LeftRank>(), LeftRank > one, false,
                 e.left_d, e.left_h, e.left_w);
  const auto right_n = extents_of(
      std::integral_constant<int, RightRank>(),
      RightRank == one + 2 || (RightRank == one + 1 && LeftRank == one + 1 &&
                               pairing == Pairing::one_to_one),
      pairing != Pairing::one_to_one, e.right_d, e.right_h, e.right_w);
  const auto out_n = extents_of(std::integral_constant<int, OutRank>(),
                                LeftRank > one, pairing != Pairing::one_to_one,
                                s.planes(), s.rows(), s.columns());
  TestArray<Exec, T, LeftRank, Layout> l(left_n);
  TestArray<Exec, T, RightRank, Layout> r(right_n);
  TestArray<Exec, A, OutRank, Layout> out(out_n);
  l.set([&](std::size_t p) { return left[last_fastest(left_n, p)]; });
  r.set([&](std::size_t p) { return right[last_fastest(right_n, p)]; });
  for (const NamedCorrelate& a :
       correlate_algorithms<Exec>(c, pairing, int(sizeof(A)))) {
    out.set([](std::size_t) { return A(77); });
    cross_correlate(Exec(), l.const_view(), r.const_view(), out.view(),
                    a.options);
    Kokkos::fence();
    const auto result = out.get();
    double worst      = 0;
    for (std::size_t p = 0; p < result.size(); ++p)
      worst = larger_error(worst,
                           double(std::abs(wide<A>(widen(result[p])) -
                                           expected[last_fastest(out_n, p)])));
    INFO(c.name() << ", pairing " << int(pairing) << ", " << a.name);
    CHECK(worst <= correlate_tolerance<A>(c, a.options));
    CHECK(out.gaps_are_untouched());
  }
}

/// A pairing, with ranks and a layout.
template <class Exec, class T, class A, int Which,
          CorrelateOperand O = CorrelateOperand::matrix>
void check_pairing(const CorrelateCase& c) {
  using Left        = Kokkos::LayoutLeft;
  using Right       = Kokkos::LayoutRight;
  using Stride      = Kokkos::LayoutStride;
  constexpr int d   = int(O) + 1;
  CorrelateCase one = c, many = c, batch = c;
  one.e.n = one.e.m = many.e.n = batch.e.m = 1;
  if constexpr (Which == 0)
    check_correlate<Exec, T, A, Right, d, d, d, O>(one, Pairing::one_to_one);
  else if constexpr (Which == 1)
    check_correlate<Exec, T, A, Left, d + 1, d + 1, d + 2, O>(c,
                                                              Pairing::n_to_m);
  else if constexpr (Which == 2)
    check_correlate<Exec, T, A, Stride, d + 1, d + 2, d + 2, O>(
        c, Pairing::n_to_mn);
  else if constexpr (Which == 3)
    check_correlate<Exec, T, A, Right, d, d + 1, d + 1, O>(
        many, Pairing::one_to_many);
  else if constexpr (Which == 4)
    check_correlate<Exec, T, A, Stride, d + 1, d + 1, d + 1, O>(
        batch, Pairing::one_to_one);
  else
    check_correlate<Exec, T, A, Right, d + 1, d + 1, d + 2, O>(c,
                                                               Pairing::n_to_m);
}

template <int... Which>
using Pairings    = std::integer_sequence<int, Which...>;
using AllPairings = Pairings<0, 1, 2, 3, 4, 5>;

/// One of the pairings, in turn.
template <class Exec, class T, class A,
          CorrelateOperand O = CorrelateOperand::matrix, int... Which>
void check_pairings(const CorrelateCase& c, int turn, Pairings<Which...>) {
  using Check                 = void (*)(const CorrelateCase&);
  static const Check checks[] = {&check_pairing<Exec, T, A, Which, O>...};
  checks[std::size_t(turn) % sizeof...(Which)](c);
}

/// Signals of 1, 2, odd, prime and unequal lengths in all modes.
template <class Exec, class T, class A, class Which>
void check_signals(Which pairings) {
  using M               = CorrelateMode;
  const int widths[][2] = {{1, 1},   {1, 7},   {2, 2},  {7, 1},
                           {31, 17}, {16, 16}, {5, 40}, {100, 97}};
  int turn              = 0;
  for (const auto& n : widths)
    for (const M mode : {M::full, M::same, M::valid, M::window}) {
      CorrelateCase c;
      c.operand = CorrelateOperand::signal;
      c.e       = {3, 5, 1, n[0], 1, n[1]};
      c.mode    = mode;
      ++turn;
      c.window = turn % 2 ? ShiftWindow{0, 0, -8, 9} : ShiftWindow{0, 1, 5, 43};
      if (slow_run && turn % 4) continue;
      check_pairings<Exec, T, A, CorrelateOperand::signal>(c, turn / 2,
                                                           pairings);
    }
}

/// Volumes with extents of 1, 2, odd and prime numbers, also of one plane, in
/// all modes.
template <class Exec, class T, class A, class Which>
void check_volumes(Which pairings) {
  using M                = CorrelateMode;
  const int extents[][6] = {{1, 1, 1, 1, 1, 1}, {2, 1, 7, 2, 1, 3},
                            {3, 4, 5, 2, 2, 3}, {5, 6, 7, 5, 6, 7},
                            {1, 5, 6, 3, 2, 9}, {7, 2, 2, 3, 5, 1},
                            {4, 3, 17, 2, 3, 5}};
  const M modes[]        = {M::full, M::window, M::same, M::valid, M::window};
  const ShiftWindow windows[] = {
      {-1, 2, -2, 3, -1, 2}, {-9, 2, 1, 3, 0, 20}, {30, 33, 0, 2, -3, 1}};
  int turn = 0;
  for (const auto& n : extents)
    for (int k = 0; k < (slow_run ? 1 : 3); ++k, ++turn) {
      CorrelateCase c;
      c.operand       = CorrelateOperand::volume;
      c.e             = {2, 3, n[1], n[2], n[4], n[5], n[0], n[3]};
      c.mode          = modes[turn % 5];
      c.window        = windows[turn / 2 % 3];
      const bool fits = (n[0] >= n[3] && n[1] >= n[4] && n[2] >= n[5]) ||
                        (n[0] <= n[3] && n[1] <= n[4] && n[2] <= n[5]);
      if (c.mode == M::valid && !fits) c.mode = M::full;
      check_pairings<Exec, T, A, CorrelateOperand::volume>(c, turn, pairings);
    }
}

/// Small, thin, prime and unequal extents in all modes. Types and pairings are
/// a covering array: double has all pairings, others two or three.
template <class Exec, class T, class A, class Which>
void check_correlations(Which pairings) {
  using M                = CorrelateMode;
  const int extents[][4] = {
      {1, 1, 1, 1},     {1, 7, 1, 7},     {5, 1, 3, 1},
      {1, 9, 1, 40},    {7, 11, 13, 5},   {17, 23, 5, 31},
      {16, 16, 16, 16}, {31, 29, 31, 29}, {40, 37, 9, 18}};
  const int fewer[][4] = {{1, 1, 1, 1},    {5, 1, 3, 1},   {1, 9, 1, 40},
                          {7, 11, 13, 5},  {11, 6, 5, 33}, {9, 8, 9, 8},
                          {6, 35, 10, 34}, {17, 37, 3, 5}, {17, 2, 18, 3}};
  int which = 0, turn = 0;
  for (const auto& n : slow_run ? fewer : extents) {
    CorrelateCase c;
    c.e               = {3, 5, n[0], n[1], n[2], n[3]};
    const bool medium = n[0] > 16;
    if (medium) c.e.n = c.e.m = 2;
    for (const M mode : {M::full, M::same, M::valid, M::window}) {
      const bool inside =
          (n[0] >= n[2] && n[1] >= n[3]) || (n[0] <= n[2] && n[1] <= n[3]);
      if (mode == M::valid && !inside) continue;
      if (slow_run && ++turn % 2) continue;
      c.mode = mode;
      c.window =
          which % 2 ? ShiftWindow{-3, 4, -8, 9} : ShiftWindow{-20, 2, 5, 43};
      for (int k = 0; k < (medium || slow_run ? 1 : 3); ++k)
        check_pairings<Exec, T, A>(c, which++, pairings);
    }
  }
  CorrelateCase c;
  c.e      = {1, 1, 128, 128, 127, 64};
  c.mode   = M::window;
  c.large  = true;
  c.window = {-70, -20, 10, 75};
  if (slow_run) {
    c.e      = {1, 1, 70, 72, 71, 40};
    c.window = {-42, -30, 10, 45};
  }
  check_pairings<Exec, T, A>(c, 0, pairings);
  check_signals<Exec, T, A>(pairings);
  check_volumes<Exec, T, A>(pairings);
}

}  // namespace Test
}  // namespace Sporos

#endif
