// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/// Cases of non-uniform FFTs: points, numbers, plans and the sums by
/// definition.

#ifndef SPOROS_NUFFTDATA_HPP
#define SPOROS_NUFFTDATA_HPP

#include <Sporos_Nufft.hpp>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <complex>
#include <cstdint>
#include <vector>

namespace Sporos {
namespace Test {

/// Where the points of a case are.
enum class Places { random, clustered, one_cell, at_ends, far_away };

struct NufftCase {
  int modes[3];
  int points;
  Places places;
  double tolerance;
  double upsampling = 0;
  NufftOrder order  = NufftOrder::centred;
  int sign          = 1;  ///< of type 1; type 2 has the other
};

/// Numbers in [-1, 1) that follow from a seed.
class Numbers {
 public:
  explicit Numbers(std::uint64_t seed) : m_state(seed * 2 + 1) {}
  double next() {
    m_state = m_state * 6364136223846793005u + 1442695040888963407u;
    return double(std::int64_t(m_state)) / 9223372036854775808.;
  }

 private:
  std::uint64_t m_state;
};

/// Data of a case, in Memory that the host reaches.
template <class Exec, int Dim, class T, class Memory>
struct NufftData {
  using Complex = Kokkos::complex<T>;
  using Exact   = std::complex<double>;
  NufftGrid<Dim> grid;
  Kokkos::View<T**, Kokkos::LayoutLeft, Memory> points;
  Kokkos::View<Complex*, Memory> values, at_points;
  Kokkos::View<Complex*, Memory> coefficients, of_modes;  ///< LayoutRight

  explicit NufftData(const NufftCase& c)
      : points("points", std::size_t(c.points), Dim),
        values("values", std::size_t(c.points)),
        at_points("at_points", std::size_t(c.points)),
        coefficients("coefficients", all_modes(c)),
        of_modes("of_modes", all_modes(c)) {
    for (int d = 0; d < Dim; ++d) grid.modes[d] = c.modes[d];
    grid.centred = c.order == NufftOrder::centred;
    Numbers numbers(std::uint64_t(c.points * 31 + c.modes[0]));
    for (int j = 0; j < c.points; ++j)
      for (int d = 0; d < Dim; ++d)
        points(j, d) = T(place(c.places, j, d, numbers.next()));
    for (const auto& view : {values, coefficients})
      for (std::size_t i = 0; i < view.extent(0); ++i) {
        const T re = T(numbers.next());
        view(i)    = Complex(re, T(numbers.next()));
      }
  }

  /// sum_j values(j) exp(sign i k x_j), or the other way round, in double with
  /// phases in long double.
  std::vector<Exact> direct(int type, int sign) const {
    const std::size_t n = points.extent(0);
    std::vector<Exact> out(type == 1 ? coefficients.extent(0) : n);
    std::vector<Exact> wave[3];
    for (std::size_t j = 0; j < n; ++j) {
      for (int d = 0; d < Dim; ++d) {
        wave[d].resize(std::size_t(grid.modes[d]));
        for (int i = 0; i < grid.modes[d]; ++i) {
          const long double phase = (long double)(sign * grid.wave(d, i)) *
                                    (long double)(points(j, d));
          wave[d][std::size_t(i)] =
              Exact(double(cosl(phase)), double(sinl(phase)));
        }
      }
      const Exact value(double(values(j).real()), double(values(j).imag()));
      for (std::size_t k = 0; k < coefficients.extent(0); ++k) {
        Exact e(1);
        std::size_t rest = k;
        for (int d = Dim - 1; d >= 0; --d) {
          e *= wave[d][rest % std::size_t(grid.modes[d])];
          rest /= std::size_t(grid.modes[d]);
        }
        const auto& c = coefficients(k);
        if (type == 1)
          out[k] += value * e;
        else
          out[j] += Exact(double(c.real()), double(c.imag())) * e;
      }
    }
    return out;
  }

  /// Coefficients of the derivative in direction d.
  NufftData derivative(int d, int sign) const {
    NufftData slope = *this;
    slope.coefficients =
        Kokkos::View<Complex*, Memory>("slope", coefficients.extent(0));
    std::size_t behind = 1;
    for (int e = d + 1; e < Dim; ++e) behind *= std::size_t(grid.modes[e]);
    for (std::size_t k = 0; k < coefficients.extent(0); ++k) {
      const std::size_t i = k / behind % std::size_t(grid.modes[d]);
      slope.coefficients(k) =
          coefficients(k) * Complex(0, T(sign * grid.wave(d, int(i))));
    }
    return slope;
  }
  /// The error of gradients, (n, Dim): see l2_error. Those of real numbers are
  /// the real part of sums.
  template <class Gradients>
  double gradient_error(const Gradients& gradients, int sign) const {
    double error = 0, scale = 0, least = 0;
    for (int d = 0; d < Dim; ++d) {
      const NufftData slope = derivative(d, sign);
      const auto expected   = slope.direct(2, sign);
      for (std::size_t k = 0; k < coefficients.extent(0); ++k)
        least +=
            double(expected.size()) * std::norm(exact(slope.coefficients(k)));
      for (std::size_t j = 0; j < expected.size(); ++j) {
        const Exact right = like(gradients(j, d), expected[j]);
        error += std::norm(exact(gradients(j, d)) - right);
        scale += std::norm(right);
      }
    }
    return error == 0 ? 0 : std::sqrt(error / std::max(scale, least));
  }

  /// Coefficients as an array of rank Dim.
  static auto shaped(const NufftGrid<Dim>& g,
                     const Kokkos::View<Complex*, Memory>& flat) {
    using Field =
        Kokkos::View<typename ::Sporos::Impl::NufftFieldOf<Complex, Dim>::type,
                     Kokkos::LayoutRight, Memory,
                     Kokkos::MemoryTraits<Kokkos::Unmanaged>>;
    typename Field::array_layout layout;
    for (int d = 0; d < Dim; ++d) layout.dimension[d] = std::size_t(g.modes[d]);
    return Field(flat.data(), layout);
  }

 private:
  static Exact exact(const Complex& z) {
    return {double(z.real()), double(z.imag())};
  }
  static Exact exact(T x) { return double(x); }
  static Exact like(const Complex&, const Exact& z) { return z; }
  static Exact like(T, const Exact& z) { return z.real(); }

  static std::size_t all_modes(const NufftCase& c) {
    std::size_t n = 1;
    for (int d = 0; d < Dim; ++d) n *= std::size_t(c.modes[d]);
    return n;
  }
  static double place(Places places, int j, int d, double u) {
    const double pi = std::acos(-1.);
    switch (places) {
      case Places::clustered: return .3 * (d + 1) + .02 * u * u * u;
      case Places::one_cell: return -1 + 1e-4 * u;
      case Places::at_ends: return (j + d) % 3 == 0 ? -pi : (j % 3 ? pi : 0);
      case Places::far_away: return pi * u + 2 * pi * (j % 5 - 2);
      default: return pi * u;
    }
  }
};

/// |result - expected| / |expected|; 0 if there is nothing. `least`: of the
/// square of |expected|, where sums may cancel.
template <class View>
double l2_error(const View& result,
                const std::vector<std::complex<double>>& expected,
                double least) {
  double error = 0, scale = 0;
  for (std::size_t i = 0; i < expected.size(); ++i) {
    const std::complex<double> r(double(result(i).real()),
                                 double(result(i).imag()));
    error += std::norm(r - expected[i]);
    scale += std::norm(expected[i]);
  }
  return error == 0 ? 0 : std::sqrt(error / std::max(scale, least));
}

/// Sum of squares of the magnitudes.
template <class View>
double squares(const View& view) {
  double sum = 0;
  for (std::size_t i = 0; i < view.extent(0); ++i)
    sum += std::norm(
        std::complex<double>(double(view(i).real()), double(view(i).imag())));
  return sum;
}

/// The plan of a case, with its points.
template <class Exec, int Dim, class T, class Widths, class Memory>
NufftPlan<Exec, Dim, T, Widths> planned(
    const NufftCase& c, const NufftData<Exec, Dim, T, Memory>& data) {
  const Exec exec;
  NufftOptions options;
  options.tolerance  = c.tolerance;
  options.upsampling = c.upsampling;
  options.order      = c.order;
  Kokkos::Array<int, Dim> modes;
  for (int d = 0; d < Dim; ++d) modes[std::size_t(d)] = c.modes[d];
  NufftPlan<Exec, Dim, T, Widths> plan(exec, modes, options);
  plan.set_points(exec, data.points);
  return plan;
}

}  // namespace Test
}  // namespace Sporos

#endif
