// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// The FFTs of hosts between a fine grid and coefficients against the sums by
// definition, and long lines in whole transforms.

#include "Sporos_NufftCases.hpp"
#include "Sporos_ToolsRecorder.hpp"
#include "Sporos_WrongCalls.hpp"

#include <cmath>
#include <complex>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <string>
#include <type_traits>
#include <vector>

#ifdef SPOROS_HAVE_FFTW
namespace NufftFfts {

using namespace Sporos;
using namespace Sporos::Test;
using Host      = HostExec;
using Exact     = std::complex<double>;
namespace Inner = ::Sporos::Impl;

template <int Dim>
NufftGrid<Dim> grid_of(const std::vector<int>& modes,
                       const std::vector<int>& points, NufftOrder order) {
  NufftGrid<Dim> g;
  for (int d = 0; d < Dim; ++d) {
    g.modes[d]  = modes[std::size_t(d)];
    g.points[d] = points[std::size_t(d)];
  }
  g.centred = order == NufftOrder::centred;
  return g;
}

/// Random factors of modes, as transforms of kernels have.
template <int Dim>
std::vector<double> factors(const NufftGrid<Dim>& g, bool half) {
  Numbers numbers(3);
  std::vector<double> all;
  for (int d = 0; d < Dim; ++d) {
    const bool only_half = half && d == Dim - 1;
    for (int i = 0; i < (only_half ? g.modes[d] / 2 + 1 : g.modes[d]); ++i)
      all.push_back(2 + numbers.next());
  }
  return all;
}

/// out(k) = sum_x in(x) exp(sign 2 pi i k x / points) for places k of modes, or
/// out(x) = sum_k in(k) exp(...), direction after direction; in and out of all
/// of the grid.
template <int Dim>
std::vector<Exact> direct(const NufftGrid<Dim>& g, std::vector<Exact> numbers,
                          int sign) {
  std::size_t stride = 1;
  for (int d = Dim - 1; d >= 0; --d) {
    const auto n = std::size_t(g.points[d]);
    std::vector<long double> re(n), im(n);
    std::vector<Exact> line(n);
    for (std::size_t k = 0; k < n; ++k) {
      const long double phase =
          2 * std::acos(-1.L) * (long double)(k) / (long double)(n);
      re[k] = cosl(phase);
      im[k] = sign * sinl(phase);
    }
    for (std::size_t at = 0; at < numbers.size(); ++at) {
      if (at / stride % n != 0) continue;
      for (std::size_t k = 0; k < n; ++k) {
        long double sum[2] = {0, 0};
        for (std::size_t x = 0; x < n; ++x) {
          const Exact& z = numbers[at + x * stride];
          if (z == Exact(0)) continue;
          const std::size_t m = k * x % n;
          sum[0] += z.real() * re[m] - z.imag() * im[m];
          sum[1] += z.real() * im[m] + z.imag() * re[m];
        }
        line[k] = {double(sum[0]), double(sum[1])};
      }
      for (std::size_t k = 0; k < n; ++k) numbers[at + k * stride] = line[k];
    }
    stride *= n;
  }
  return numbers;
}

/// f(number of the coefficient, place on the grid, place of the opposite mode,
/// factor, mode of the last direction)
template <int Dim, class F>
void for_each_mode(const NufftGrid<Dim>& g, bool half,
                   const std::vector<double>& inverse, const F& f) {
  const int row   = half ? g.modes[Dim - 1] / 2 + 1 : g.modes[Dim - 1];
  std::size_t all = std::size_t(row);
  for (int d = 0; d < Dim - 1; ++d) all *= std::size_t(g.modes[d]);
  for (std::size_t k = 0; k < all; ++k) {
    std::size_t rest = k, at = 0, opposite = 0, stride = 1;
    std::size_t first = inverse.size();
    double factor     = 1;
    int of_last       = 0;
    for (int d = Dim - 1; d >= 0; --d) {
      const bool of_row = half && d == Dim - 1;
      const int n       = of_row ? row : g.modes[d];
      const int i       = int(rest % std::size_t(n));
      rest /= std::size_t(n);
      first -= std::size_t(n);
      factor *= inverse[first + std::size_t(i)];
      const int place = of_row ? i : g.place(d, i);
      at += std::size_t(place) * stride;
      opposite += std::size_t((g.points[d] - place) % g.points[d]) * stride;
      stride *= std::size_t(g.points[d]);
      if (d == Dim - 1) of_last = i;
    }
    f(k, at, opposite, factor, of_last);
  }
}

template <class Complex>
Exact exact(const Complex& z) {
  return {double(z.real()), double(z.imag())};
}
inline Exact exact(double x) { return x; }
inline Exact exact(float x) { return double(x); }

/// Type 1: coefficients of a random grid; type 2: the grid of random
/// coefficients. Adjointness of both. Fft: with take() and put()
template <int Dim, class T, class Value, class Fft>
void check_fft(const NufftGrid<Dim>& g, const Fft& fft, Value* field,
               int sign) {
  using Complex       = Kokkos::complex<T>;
  constexpr bool half = std::is_same<Value, T>::value;
  const auto inverse  = factors(g, half);
  const auto row =
      std::size_t(half ? g.modes[Dim - 1] / 2 + 1 : g.modes[Dim - 1]);
  const std::size_t all = g.all_modes() / std::size_t(g.modes[Dim - 1]) * row;
  // the last direction first, and a gap
  std::vector<Complex> of_modes(2 * all, Complex(7)), in(2 * all);
  const auto at = [&](std::size_t k) {
    return 2 * (k / row + k % row * (all / row));
  };
  Inner::NufftCoefficients<Complex, Dim> to{of_modes.data(), {}};
  Inner::NufftCoefficients<const Complex, Dim> from{in.data(), {}};
  std::ptrdiff_t stride = 2;
  for (int d = Dim - 2; d >= 0; --d) {
    to.stride[d] = from.stride[d] = stride;
    stride *= g.modes[d];
  }
  to.stride[Dim - 1] = from.stride[Dim - 1] = stride;

  Numbers numbers(std::uint64_t(g.size()) + std::uint64_t(all));
  const auto number = [&] {
    if constexpr (half)
      return Value(numbers.next());
    else
      return Value(T(numbers.next()), T(numbers.next()));
  };
  std::vector<Exact> of_field(g.size());
  for (std::size_t x = 0; x < g.size(); ++x) {
    field[x]    = number();
    of_field[x] = exact(field[x]);
  }
  fft.take(to, 3., sign, inverse);
  const auto sums = direct(g, of_field, sign);
  const double rounding =
      double(std::numeric_limits<T>::epsilon()) * (1 + std::log2(g.size()));
  double error = 0, scale = 0;
  std::size_t gaps = 0;
  for_each_mode(
      g, half, inverse,
      [&](std::size_t k, std::size_t place, std::size_t, double f, int) {
        const Exact expected = sums[place] * (3 * f);
        error += std::norm(exact(of_modes[at(k)]) - expected);
        scale += std::norm(expected);
        gaps += of_modes[at(k) + 1] == Complex(7) ? 1 : 0;
      });
  CAPTURE(Dim, sign, g.centred, g.modes[0], g.points[0], g.modes[Dim - 1],
          g.points[Dim - 1], sizeof(T), half);
  CHECK(gaps == all);
  CHECK(std::sqrt(error) <= rounding * std::sqrt(scale));

  std::vector<Exact> waves(g.size());
  for_each_mode(g, half, inverse,
                [&](std::size_t k, std::size_t place, std::size_t opposite,
                    double f, int i) {
                  const Complex z(T(numbers.next()), T(numbers.next()));
                  in[at(k)] = z;
                  if constexpr (half) {
                    // real part of w z exp(...): half of it and of the
                    // conjugate
                    const bool once  = i == 0 || 2 * i == g.modes[Dim - 1];
                    const Exact part = exact(z) * (once ? .5 * f : f);
                    waves[place] += part;
                    waves[opposite] += std::conj(part);
                  } else {
                    waves[place] += exact(z) * f;
                  }
                });
  for (std::size_t x = 0; x < g.size(); ++x)
    field[x] = Value(std::numeric_limits<T>::quiet_NaN());
  fft.put(from, sign, inverse);
  const auto expected = direct(g, waves, sign);
  error = scale = 0;
  for (std::size_t x = 0; x < g.size(); ++x) {
    const Exact e = half ? Exact(expected[x].real()) : expected[x];
    error += std::norm(exact(field[x]) - e);
    scale += std::norm(e);
  }
  CHECK(std::sqrt(error) <= rounding * std::sqrt(scale));
}

/// The FFT of a plan, with the modes that it needs.
template <int Dim, class T, class Value>
struct PlannedFft {
  using Complex              = Kokkos::complex<T>;
  static constexpr bool half = std::is_same<Value, T>::value;
  using Spectrum = Inner::NufftSpectrum<NufftFftw, Host, Dim, T, Value>;
  NufftGrid<Dim> g;
  Kokkos::View<Complex*, Host> memory;
  Spectrum spectrum;

  explicit PlannedFft(const NufftGrid<Dim>& grid)
      : g(grid),
        memory("memory", Spectrum::size(grid)),
        spectrum(Host(), grid, memory.data(), NufftOptions()) {}
  Inner::NufftModes<Host, T, Dim, half> modes(
      const std::vector<double>& inverse) const {
    return {Host(), g, Spectrum::row(g), inverse};
  }
  void take(const Inner::NufftCoefficients<Complex, Dim>& to, double scale,
            int sign, const std::vector<double>& inverse) const {
    spectrum.take(Host(), modes(inverse), to, scale, sign);
  }
  void put(const Inner::NufftCoefficients<const Complex, Dim>& from, int sign,
           const std::vector<double>& inverse) const {
    spectrum.put(Host(), modes(inverse), from, sign);
  }
};

template <int Dim, class T, class Value>
void check_planned(const std::vector<int>& modes,
                   const std::vector<int>& points) {
  for (const auto order : {NufftOrder::centred, NufftOrder::fft}) {
    const auto g = grid_of<Dim>(modes, points, order);
    const PlannedFft<Dim, T, Value> fft(g);
    for (const int sign : {-1, 1})
      check_fft<Dim, T, Value>(g, fft, fft.spectrum.field(), sign);
  }
}

TEST_CASE("nufft: FFTs of two and three directions are the sums", "[fft]") {
  using Z = Kokkos::complex<double>;
  using C = Kokkos::complex<float>;
  for (const int modes : {1, 2, 3, 7, 8, 9, 15, 16, 17, 30}) {
    check_planned<2, double, Z>({modes, 13}, {48, 24});
    check_planned<2, double, Z>({5, modes}, {8, 40});
    check_planned<2, double, double>({modes, 13}, {48, 24});
    check_planned<2, double, double>({5, modes}, {8, 40});
  }
  check_planned<2, float, C>({64, 31}, {128, 64});
  check_planned<2, float, float>({64, 32}, {128, 64});
  for (const int modes : {1, 2, 5, 8, 9, 12}) {
    check_planned<3, double, Z>({modes, 5, 4}, {16, 8, 8});
    check_planned<3, double, Z>({3, modes, 17}, {8, 16, 24});
    check_planned<3, float, C>({4, 3, modes}, {64, 8, 24});
    check_planned<3, double, double>({modes, 5, 4}, {16, 8, 8});
    check_planned<3, double, double>({3, modes, 17}, {8, 16, 24});
    check_planned<3, float, float>({4, 3, modes}, {64, 8, 24});
  }
}

TEST_CASE("nufft: FFTs of one direction are the sums", "[fft]") {
  for (const int modes : {1, 2, 3, 8, 31, 64, 77}) {
    check_planned<1, double, Kokkos::complex<double>>({modes}, {104});
    check_planned<1, float, Kokkos::complex<float>>({modes}, {104});
    check_planned<1, double, double>({modes}, {104});
    check_planned<1, float, float>({modes}, {104});
  }
}

/// A line that is split, however short. Value: complex numbers or T
template <class T, class Value>
struct SplitFft {
  using Complex              = Kokkos::complex<T>;
  static constexpr bool half = std::is_same<Value, T>::value;
  using Line = std::conditional_t<half, Inner::NufftRealLine<Host, T>,
                                  Inner::NufftLine<Host, T>>;
  NufftGrid<1> g;
  Kokkos::View<Value*, Host> field;
  Kokkos::View<Complex*, Host> halves;
  Complex* of_modes;
  Line line;

  explicit SplitFft(const NufftGrid<1>& grid)
      : g(grid),
        field("field", grid.size()),
        halves("halves", grid.size()),
        of_modes(half ? halves.data()
                      : reinterpret_cast<Complex*>(field.data())),
        line(Host(), grid, field.data(), of_modes, g.points[0], NufftOptions(),
             1) {}
  Inner::NufftModes<Host, T, 1, half> modes(
      const std::vector<double>& inverse) const {
    return {Host(), g, g.points[0], inverse};
  }
  void take(const Inner::NufftCoefficients<Complex, 1>& to, double scale,
            int sign, const std::vector<double>& inverse) const {
    Inner::take_from_spectrum(Host(), line, modes(inverse), of_modes, to, scale,
                              sign);
  }
  void put(const Inner::NufftCoefficients<const Complex, 1>& from, int sign,
           const std::vector<double>& inverse) const {
    Inner::put_to_spectrum<false>(Host(), line, modes(inverse), from, of_modes,
                                  sign, 0);
  }
};

template <class T, class Value>
void check_split(int modes, int points) {
  for (const auto order : {NufftOrder::centred, NufftOrder::fft}) {
    const auto g = grid_of<1>({modes}, {points}, order);
    const SplitFft<T, Value> fft(g);
    CHECK(fft.line.bytes() > 0);
    for (const int sign : {-1, 1})
      check_fft<1, T, Value>(g, fft, fft.field.data(), sign);
  }
}
template <class T>
void check_splits(int modes, int points) {
  check_split<T, Kokkos::complex<T>>(modes, points);
  if (points % 16 == 0) check_split<T, T>(modes, points);
}

TEST_CASE("nufft: lines that are split are the sums", "[fft]") {
  // points: a single row, fewer rows than lanes, rows that are no multiple of
  // them, powers of 2
  for (const int points : {8, 16, 40, 56, 64, 72, 200, 400})
    for (const int modes :
         {1, 2, 3, 4, 5, 7, 8, 11, 16, 23, 31, 64, 97, 127, 128, 211, 299, 300})
      if (5 * modes <= 4 * points) {
        check_splits<double>(modes, points);
        if (modes % 3 != 0) check_splits<float>(modes, points);
      }
  check_splits<double>(1250, 2000);
  check_splits<double>(1021, 2048);
  check_splits<float>(1021, 2048);
}

TEST_CASE("nufft: lines are split near the square root", "[fft]") {
  for (const int points : {8, 64, 1000, 65536, 1250000, 2000000, 2097152}) {
    const int rows = Inner::nufft_split_rows(points), columns = points / rows;
    CAPTURE(points, rows);
    CHECK(rows * columns == points);
    CHECK(columns % Inner::nufft_columns == 0);
    CHECK(double(columns) < 8 * std::sqrt(double(points)));
    CHECK(double(rows) < 8 * std::sqrt(double(points)));
  }
}

TEST_CASE("nufft: factors between columns and rows are exact to rounding",
          "[fft]") {
  for (const std::int64_t n : {8, 1000, 65536, 1250000, 2097152}) {
    const Inner::NufftRoots roots(n);
    double error = 0;
    for (std::int64_t m = 0; m < n; m += 1 + n / 5000) {
      const long double phase =
          2 * std::acos(-1.L) * (long double)(m) / (long double)(n);
      const auto one = Inner::NufftRoots::exact(m, n), two = roots(m);
      CHECK(std::fabs(one.real() - double(cosl(phase))) < 2.3e-16);
      CHECK(std::fabs(one.imag() - double(sinl(phase))) < 2.3e-16);
      error = std::fmax(error, std::fabs(two.real() - double(cosl(phase))));
      error = std::fmax(error, std::fabs(two.imag() - double(sinl(phase))));
    }
    CHECK(error < 6e-16);
  }
}

TEST_CASE("nufft: long real lines of plans are split", "[nufft]") {
  // one wave for each mode; then all modes, a sum in closed form
  const NufftGrid<1> g = grid_of<1>({130000}, {262144}, NufftOrder::centred);
  const PlannedFft<1, double, double> fft(g);
  double* const field = fft.spectrum.field();
  std::vector<Kokkos::complex<double>> of_modes(65001);
  for (int x = 0; x < 262144; ++x) field[x] = x == 100001 ? 1. : 0.;
  const std::vector<double> inverse(65001, 1.);
  fft.take({of_modes.data(), {1}}, 1., -1, inverse);
  double error = 0;
  for (int k = 0; k < 65001; ++k) {
    const long double phase = 2 * std::acos(-1.L) *
                              (long double)(std::int64_t(k) * 100001 % 262144) /
                              262144.L;
    error = std::fmax(
        error, std::abs(exact(of_modes[std::size_t(k)]) -
                        Exact(double(cosl(phase)), -double(sinl(phase)))));
  }
  CHECK(error < 1e-14);
  const std::vector<Kokkos::complex<double>> in(65001,
                                                Kokkos::complex<double>(1));
  fft.put({in.data(), {1}}, 1, inverse);
  // sum of 2 cos(2 pi k x / N), and 1
  error = 0;
  for (int x = 1; x < 262144; x += 7) {
    const long double half = std::acos(-1.L) * x / 262144.L;
    const long double sum =
        sinl(half * 2 * 65000 - half) / sinl(half) + cosl(half * 2 * 65000);
    error = std::fmax(error, std::fabs(field[x] - double(sum)));
  }
  CHECK(error < 1e-9);
}

/// Modes on both sides of the number from which lines are split.
TEST_CASE("nufft: long lines in whole transforms", "[nufft]") {
  using Exec = LastSpace;
  for (const int modes : {32400, 32749, 32768, 40009, 50000}) {
    NufftCase c{{modes, 0, 0}, 12, Places::random, 1e-9, 2};
    c.order = modes % 2 != 0 ? NufftOrder::fft : NufftOrder::centred;
    c.sign  = modes % 3 != 0 ? 1 : -1;
    check_nufft<Exec, 1, double, NufftWidths<12>>(c);
  }
  check_nufft<Exec, 1, float, NufftWidths<6>>(
      {{33000, 0, 0}, 12, Places::at_ends, 1e-3, 2});
}

TEST_CASE("nufft: long lines allocate nothing", "[nufft]") {
  const Host exec;
  const NufftCase c{{33000, 0, 0}, 50, Places::random, 1e-3, 2};
  const NufftData<Host, 1, double, HostMemory> data(c);
  const auto plan = planned<Host, 1, double, NufftWidths<6>>(c, data);
  const auto step = [&] {
    plan.type1(exec, data.values, data.of_modes);
    plan.type2(exec, data.coefficients, data.at_points);
    plan.type1(exec, data.values, data.of_modes, -1);
  };
  step();
  {
    const Recorder recorder;
    step();
  }
  CHECK((events.allocations == std::vector<std::string>{}));
  CHECK((events.fences == std::vector<std::string>{}));
  CHECK(without_sporos(events.kernels).empty());
}

}  // namespace NufftFfts
#endif
