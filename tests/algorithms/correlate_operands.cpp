// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Signals: bits, peaks and masks of matrices of one row. Volumes: measures and
// masks of matrices with the planes below each other, and peaks.

#include "Sporos_CorrelateCases.hpp"
#include "Sporos_PlainPeaks.hpp"
#include "Sporos_WrongCalls.hpp"

#include <Sporos_FindPeaks.hpp>

#include <cstring>
#include <string>
#include <utility>
#include <vector>

namespace CorrelateOperands {

using namespace Sporos;
using Test::HostExec;
using Test::HostMemory;

using Right     = Kokkos::LayoutRight;
using Plan      = CrossCorrelatePlan<HostExec, float>;
using Operand   = CorrelateOperand;
using Algorithm = CorrelateAlgorithm;

template <int Rank, class Exec = HostExec, class T = float>
using V = Kokkos::View<typename Test::DataType<T, Rank>::type, Right,
                       typename Exec::memory_space>;

/// Each measure with each algorithm that the operands share, if Exec has it.
template <class Exec>
std::vector<std::pair<Normalize, Algorithm>> measures_by_algorithms() {
  using N = Normalize;
  std::vector<std::pair<Normalize, Algorithm>> all;
  for (const N normalize :
       {N::none, N::mean_only, N::whole, N::local, N::local_mean_only,
        N::local_norm_only, N::square_difference,
        N::square_difference_normalized})
    for (const Algorithm algorithm :
         {Algorithm::tile, Algorithm::basic, Algorithm::fft})
      if (algorithm != Algorithm::fft || Sporos::Impl::has_correlate_fft<Exec>)
        all.push_back({normalize, algorithm});
  return all;
}

/// Numbers of a hash, some of them 0.
template <class View>
View filled(const View& view, int side, bool weights = false) {
  const auto host = Kokkos::create_mirror_view(view);
  for (int k = 0; k < int(view.span()); ++k) {
    const float v  = Test::correlate_value<float>(k, 0, 0, side);
    host.data()[k] = weights ? (v < -.4f ? 0.f : v + 1) : v;
  }
  Kokkos::deep_copy(view, host);
  return view;
}

template <class View>
std::vector<float> numbers_of(const View& view) {
  const auto host =
      Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), view);
  return std::vector<float>(host.data(), host.data() + host.span());
}

bool same_bits(const std::vector<float>& a, const std::vector<float>& b) {
  return a.size() == b.size() &&
         std::memcmp(a.data(), b.data(), a.size() * sizeof(float)) == 0;
}

CorrelateOptions options_of(Operand operand, CorrelateMode mode, Pairing p) {
  CorrelateOptions o;
  o.operand = operand;
  o.mode    = mode;
  o.pairing = p;
  return o;
}

TEMPLATE_LIST_TEST_CASE("signals have the bits of matrices of one row",
                        "[correlate]", Test::Spaces) {
  using Exec = TestType;
  using N    = Normalize;
  const Exec exec;
  const int n = 3, m = 2, l = 45, r = 17;
  const V<2, Exec> left      = filled(V<2, Exec>("left", n, l), 1);
  const V<3, Exec> right     = filled(V<3, Exec>("right", n, m, r), 2);
  const V<2, Exec> left_mask = filled(V<2, Exec>("left mask", n, l), 3, true);
  const V<3, Exec> right_mask =
      filled(V<3, Exec>("right mask", n, m, r), 4, true);
  const auto row2 = [&](const V<2, Exec>& v) {
    return V<3, Exec>(v.data(), v.extent(0), 1, v.extent(1));
  };
  const auto row3 = [&](const V<3, Exec>& v) {
    return V<4, Exec>(v.data(), v.extent(0), v.extent(1), 1, v.extent(2));
  };
  std::size_t turn = 0;
  for (const auto& [normalize, algorithm] : measures_by_algorithms<Exec>()) {
    using M         = CorrelateMode;
    const M modes[] = {M::full, M::window, M::same, M::valid};
    CorrelateOptions o =
        options_of(Operand::signal, modes[turn++ % 4], Pairing::n_to_mn);
    o.algorithm              = algorithm;
    o.normalize              = normalize;
    o.window.dx0             = -9;
    o.window.dx1             = 30;
    o.least_overlap          = Sporos::Impl::is_local(normalize) ? .2 : 0;
    CorrelateOptions of_rows = o;
    of_rows.operand          = Operand::matrix;
    of_rows.window.dy1       = 1;
    const int shifts = correlate_shifts({n, m, 1, l, 1, r}, o).columns();
    const V<3, Exec> out("out", n, m, shifts), masked("masked", n, m, shifts),
        row_out("out", n, m, shifts), row_masked("masked", n, m, shifts);
    INFO("measure " << int(normalize) << ", algorithm " << int(algorithm));
    cross_correlate(exec, left, right, out, o);
    cross_correlate(exec, row2(left), row3(right), row3(row_out), of_rows);
    CHECK(same_bits(numbers_of(out), numbers_of(row_out)));
    if (normalize == N::mean_only || normalize == N::whole) continue;
    const bool one_mask = turn % 2 == 0;
    if (one_mask) {
      cross_correlate(exec, left, left_mask, right, NoMask(), masked, o);
      cross_correlate(exec, row2(left), row2(left_mask), row3(right), NoMask(),
                      row3(row_masked), of_rows);
    } else {
      cross_correlate(exec, left, left_mask, right, right_mask, masked, o);
      cross_correlate(exec, row2(left), row2(left_mask), row3(right),
                      row3(right_mask), row3(row_masked), of_rows);
    }
    CHECK(same_bits(numbers_of(masked), numbers_of(row_masked)));
    CHECK_FALSE(same_bits(numbers_of(masked), numbers_of(out)));
  }
}

TEST_CASE("peaks of signals", "[correlate]") {
  const int n = 4, w = 57, k = 3;
  const V<2> results = filled(V<2>("results", n, w), 6);
  results(1, 5) = results(1, 30) = 2;
  const Kokkos::View<Peak**, HostMemory> peaks("peaks", n, k);
  for (const SubPixel sub_pixel : {SubPixel::none, SubPixel::gaussian,
                                   SubPixel::centroid, SubPixel::least_squares})
    for (const int border : {0, 3, 40}) {
      PeakOptions o;
      o.dx0            = -20;
      o.least_distance = 4;
      o.border         = border;
      o.sub_pixel      = sub_pixel;
      find_peaks(HostExec(), results, peaks, o);
      for (int i = 0; i < n; ++i) {
        const auto expected = Test::plain_peaks(
            [&](int, int x) { return results(i, x); }, 1, w, k, o, 0);
        CHECK(expected.size() == (border == 40 ? 0 : k + 1));
        for (int p = 0; p < k; ++p) {
          INFO("border " << border << ", signal " << i << ", peak " << p);
          CHECK(Test::wrong_peak(expected, p, peaks(i, p), o) == "");
        }
      }
    }
  // a moved bump, by its plan
  const V<1> left("left", 64), right("right", 64), out("out", 127);
  for (int x = 0; x < 64; ++x) {
    left(x)  = float(std::exp(-.05 * (x - 41.3) * (x - 41.3)));
    right(x) = float(std::exp(-.05 * (x - 22) * (x - 22)));
  }
  const Plan plan(HostExec(), left, right, out,
                  options_of(Operand::signal, CorrelateMode::full, {}));
  cross_correlate(plan, left, right, out);
  const Kokkos::View<Peak*, HostMemory> peak("peak", 1);
  find_peaks(HostExec(), plan, out, peak);
  HostExec().fence();
  CHECK(peak(0).dy == 0);
  CHECK(std::abs(peak(0).dx - 19.3) < 1e-3);
}

/// Volumes (n, d, h, w) as matrices: their planes, with rows of weight 0
/// between them; and the weights.
struct Folded {
  int pitch, rows;
  V<3> numbers, weights;

  Folded(const V<4>& from, const V<4>& from_weights, int pitch_)
      : pitch(pitch_),
        rows((int(from.extent(1)) - 1) * pitch_ + int(from.extent(2))),
        numbers("numbers", from.extent(0), rows, from.extent(3)),
        weights("weights", from.extent(0), rows, from.extent(3)) {
    for (std::size_t i = 0; i < from.extent(0); ++i)
      for (std::size_t z = 0; z < from.extent(1); ++z)
        for (std::size_t y = 0; y < from.extent(2); ++y)
          for (std::size_t x = 0; x < from.extent(3); ++x) {
            const std::size_t row = z * std::size_t(pitch) + y;
            numbers(i, row, x)    = from(i, z, y, x);
            weights(i, row, x)    = from_weights(i, z, y, x);
          }
  }
};

/// Less the mean of each of n volumes, and by the norm.
V<4> centred(const V<4>& from, bool normalize) {
  const V<4> to("centred", from.extent(0), from.extent(1), from.extent(2),
                from.extent(3));
  const std::size_t size = from.size() / from.extent(0);
  for (std::size_t i = 0; i < from.extent(0); ++i) {
    const float* const in = from.data() + i * size;
    float* const out      = to.data() + i * size;
    double mean = 0, norm = 0;
    for (std::size_t k = 0; k < size; ++k) mean += in[k] / double(size);
    for (std::size_t k = 0; k < size; ++k)
      norm += (in[k] - mean) * (in[k] - mean);
    for (std::size_t k = 0; k < size; ++k)
      out[k] = float((in[k] - mean) / (normalize ? std::sqrt(norm) : 1.));
  }
  return to;
}

TEMPLATE_LIST_TEST_CASE("measures and masks of volumes", "[correlate]",
                        Test::Spaces) {
  using Exec = TestType;
  using A    = Algorithm;
  using N    = Normalize;
  using Left = Kokkos::LayoutLeft;
  const Exec exec;
  const int n = 2, m = 2, d = 4, h = 5, w = 6, rd = 2, rh = 3, rw = 4;
  const V<4> left       = filled(V<4>("left", n, d, h, w), 1),
             left_mask  = filled(V<4>("left mask", n, d, h, w), 2, true),
             right      = filled(V<4>("right", m, rd, rh, rw), 3),
             right_mask = filled(V<4>("right mask", m, rd, rh, rw), 4, true);
  const V<4> ones("ones", n, d, h, w);
  Kokkos::deep_copy(ones, 1.f);
  // of another layout
  Kokkos::View<float****, Left, typename Exec::memory_space> of_left(
      "of left", n, d, h, w);
  {
    const auto host = Kokkos::create_mirror_view(of_left);
    for (int i = 0; i < n; ++i)
      for (int z = 0; z < d; ++z)
        for (int y = 0; y < h; ++y)
          for (int x = 0; x < w; ++x) host(i, z, y, x) = left(i, z, y, x);
    Kokkos::deep_copy(of_left, host);
  }
  const auto there = [](const V<4>& v) {
    return Kokkos::create_mirror_view_and_copy(typename Exec::memory_space(),
                                               v);
  };
  const auto of_right = there(right), of_left_mask = there(left_mask),
             of_right_mask = there(right_mask);
  int turn                 = 0;
  for (const auto& [normalize, algorithm] : measures_by_algorithms<Exec>()) {
    const bool whole   = normalize == N::mean_only || normalize == N::whole;
    const bool masks   = !whole && (++turn % 2 == 0 || normalize == N::none);
    CorrelateOptions o = options_of(
        Operand::volume, turn % 3 ? CorrelateMode::full : CorrelateMode::window,
        Pairing::n_to_m);
    o.window            = {-2, 4, -9, 5, -3, 2};
    o.algorithm         = algorithm;
    o.normalize         = normalize;
    o.least_overlap     = Sporos::Impl::is_local(normalize) ? .2 : 0;
    const ShiftWindow s = correlate_shifts({n, m, h, w, rh, rw, d, rd}, o);
    const V<5, Exec> out("out", n, m, s.planes(), s.rows(), s.columns());
    if (masks)
      cross_correlate(exec, of_left, of_left_mask, of_right, of_right_mask, out,
                      o);
    else
      cross_correlate(exec, of_left, of_right, out, o);
    const auto got =
        Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), out);
    // the same of matrices, by the definition
    const int pitch = h + rh - 1;
    const Folded l(whole ? centred(left, normalize == N::whole) : left,
                   masks ? left_mask : ones, pitch),
        r(whole ? centred(right, normalize == N::whole) : right,
          masks ? right_mask : ones, pitch);
    CorrelateOptions of_matrices = o;
    of_matrices.operand          = Operand::matrix;
    of_matrices.mode             = CorrelateMode::full;
    of_matrices.algorithm        = A::basic;
    if (whole) of_matrices.normalize = N::none;
    const V<4> expected("expected", n, m, l.rows + r.rows - 1, w + rw - 1);
    cross_correlate(HostExec(), l.numbers, l.weights, r.numbers, r.weights,
                    expected, of_matrices);
    double worst = 0;
    for (int i = 0; i < n; ++i)
      for (int j = 0; j < m; ++j)
        for (int dz = s.dz0; dz < s.dz1; ++dz)
          for (int dy = s.dy0; dy < s.dy1; ++dy)
            for (int dx = s.dx0; dx < s.dx1; ++dx) {
              const bool meets = dz > -rd && dz < d && dy > -rh && dy < h &&
                                 dx > -rw && dx < w;
              const double largest = std::numeric_limits<float>::max();
              const double none    = normalize == N::square_difference ? largest
                                     : normalize == N::square_difference_normalized
                                         ? 1
                                         : 0;
              const double e =
                  meets ? double(expected(i, j, dz * pitch + dy + r.rows - 1,
                                          dx + rw - 1))
                        : none;
              const double v =
                  double(got(i, j, dz - s.dz0, dy - s.dy0, dx - s.dx0));
              worst = Test::larger_error(worst,
                                         std::abs(v - e) / (1 + std::abs(e)));
            }
    INFO("measure " << int(normalize) << ", algorithm " << int(algorithm)
                    << ", masks " << masks << ", mode " << int(o.mode));
    // masked sums of float, here or there
    CHECK(worst <= (masks ? 2e-4 : 2e-5));
  }
}

TEST_CASE("peaks of volumes", "[correlate]") {
  const int n = 3, d = 7, h = 9, w = 11, k = 4;
  const V<4> results  = filled(V<4>("results", n, d, h, w), 6);
  results(1, 2, 3, 4) = results(1, 5, 3, 4) = 2;
  results(2, 2, 5, 4) = results(2, 3, 4, 4) = 3;  // beside each other
  const Kokkos::View<Peak**, HostMemory> peaks("peaks", n, k);
  for (const SubPixel sub_pixel :
       {SubPixel::none, SubPixel::parabola, SubPixel::least_squares})
    for (const int border : {0, 1, 4}) {
      PeakOptions o;
      o.dz0            = 100;
      o.dy0            = -3;
      o.least_distance = 1 + border;
      o.border         = border;
      o.sub_pixel      = sub_pixel;
      find_peaks(HostExec(), results, peaks, o);
      for (int i = 0; i < n; ++i) {
        const auto expected = Test::plain_peaks(
            [&](int z, int y, int x) { return results(i, z, y, x); },
            Test::PlainExtents{d, h, w, border, border, border}, k, o);
        CHECK(expected.empty() == (border == 4));
        for (int p = 0; p < k; ++p) {
          INFO("border " << border << ", volume " << i << ", peak " << p);
          CHECK(Test::wrong_peak(expected, p, peaks(i, p), o) == "");
        }
      }
    }
  // a moved blob, by its plan: products of Gauss curves are exact for gaussian
  // fits, and mixed ones for a quadratic surface of their own
  const V<3> left("left", 16, 18, 20), right("right", 16, 18, 20),
      out("out", 31, 35, 39);
  for (int z = 0; z < 16; ++z)
    for (int y = 0; y < 18; ++y)
      for (int x = 0; x < 20; ++x) {
        const auto blob = [&](double cz, double cy, double cx) {
          const double a = z - cz, b = y - cy, c = x - cx;
          return float(std::exp(-.15 * (a * a + b * b + c * c)));
        };
        left(z, y, x)  = blob(8.3, 9.6, 8.8);
        right(z, y, x) = blob(7, 8, 10);
      }
  const Plan plan(HostExec(), left, right, out,
                  options_of(Operand::volume, CorrelateMode::full, {}));
  cross_correlate(plan, left, right, out);
  const Kokkos::View<Peak*, HostMemory> peak("peak", 1);
  find_peaks(HostExec(), plan, out, peak);
  HostExec().fence();
  CHECK(std::abs(peak(0).dz - 1.3) < 1e-2);
  CHECK(std::abs(peak(0).dy - 1.6) < 1e-2);
  CHECK(std::abs(peak(0).dx + 1.2) < 1e-2);
  // the maximum of a quadratic form with all products, which is exact
  const V<3> form("form", 3, 3, 3);
  for (int z = -1; z < 2; ++z)
    for (int y = -1; y < 2; ++y)
      for (int x = -1; x < 2; ++x) {
        const double a = z - .25, b = y + .125, c = x - .0625;
        form(z + 1, y + 1, x + 1) = float(
            9 - 2 * a * a - 3 * b * b - 4 * c * c + a * b - b * c / 2 + a * c);
      }
  PeakOptions surface;
  surface.sub_pixel = SubPixel::least_squares;
  find_peaks(HostExec(), form, peak, surface);
  HostExec().fence();
  CHECK(std::abs(peak(0).dz - 1.25) < 1e-5);
  CHECK(std::abs(peak(0).dy - .875) < 1e-5);
  CHECK(std::abs(peak(0).dx - 1.0625) < 1e-5);
}

TEST_CASE("plans say what they are of", "[correlate]") {
  CorrelateOptions o =
      options_of(Operand::signal, CorrelateMode::window, Pairing::n_to_m);
  o.window.dx0 = -3;
  o.window.dx1 = 4;
  const Plan plan(HostExec(), {2, 3, 1, 50, 1, 40}, o);
  CHECK(plan.shifts().dy0 == 0);
  CHECK(plan.shifts().dy1 == 1);
  CHECK(plan.shifts().columns() == 7);
  const std::string text = plan.describe();
  CHECK(text.find("2 x 3 pairs of signals (50) and (40)") != text.npos);
  CHECK(text.find("shifts: [-3, 4), normalize") != text.npos);
  const Plan volumes(HostExec(), {1, 1, 5, 6, 3, 4, 7, 2},
                     options_of(Operand::volume, CorrelateMode::same, {}));
  const std::string of_volumes = volumes.describe();
  CHECK(of_volumes.find("volumes (7, 5, 6) and (2, 3, 4)\n  shifts: [0, 7) x "
                        "[-1, 4) x [-1, 5), normalize") != of_volumes.npos);
}

}  // namespace CorrelateOperands
