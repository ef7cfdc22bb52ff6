// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef SPOROS_NUFFT_DIRECT_HPP
#define SPOROS_NUFFT_DIRECT_HPP

/// \file Nufft_Direct.hpp
/// The sums by their definition, in double, for some of the results.

#include "Nufft_Shape.hpp"

#include <cstddef>

namespace NufftApp {

/// out(s) = sum_j strengths(j) exp(sign i k x_j) for mode chosen(s)
template <class T>
struct DirectType1 {
  Positions<T> points;
  Vector<Kokkos::complex<T>> strengths;
  Vector<int> chosen;
  Vector<Kokkos::complex<double>> out;
  int modes, sign;

  KOKKOS_FUNCTION void operator()(int s) const {
    const int dim = int(points.extent(1));
    double k[3];
    for (int d = dim - 1, rest = chosen(s); d >= 0; --d, rest /= modes)
      k[d] = rest % modes - modes / 2;
    double re = 0, im = 0;
    for (std::size_t j = 0; j < points.extent(0); ++j) {
      double phase = 0;
      for (int d = 0; d < dim; ++d) phase += k[d] * double(points(j, d));
      const double c = cos(phase), i = sign * sin(phase);
      const double a = strengths(j).real(), b = strengths(j).imag();
      re += a * c - b * i;
      im += a * i + b * c;
    }
    out(s) = Kokkos::complex<double>(re, im);
  }
};

/// out(s) = sum_k modes(k) exp(sign i k x) for point chosen(s)
template <class T>
struct DirectType2 {
  Positions<T> points;
  Vector<Kokkos::complex<T>> values;
  Vector<int> chosen;
  Vector<Kokkos::complex<double>> out;
  int modes, sign;

  KOKKOS_FUNCTION void operator()(int s) const {
    using Complex = Kokkos::complex<double>;
    const int dim = int(points.extent(1));
    double x[3]   = {0, 0, 0};
    for (int d = 0; d < dim; ++d) x[d] = sign * double(points(chosen(s), d));
    const double first  = -(modes / 2);
    const Complex start = wave(first * x[dim - 1]), turn = wave(x[dim - 1]);
    const int rows = dim == 3 ? modes * modes : modes;
    Complex sum(0);
    for (int r = 0; r < rows; ++r) {
      double phase = 0;
      for (int d = dim - 2, rest = r; d >= 0; --d, rest /= modes)
        phase += (first + rest % modes) * x[d];
      Complex row(0), e = start;
      for (int i = 0; i < modes; ++i, e = e * turn) {
        const auto v = values(std::size_t(r) * std::size_t(modes) + i);
        row += Complex(double(v.real()), double(v.imag())) * e;
      }
      sum += row * wave(phase);
    }
    out(s) = sum;
  }
  KOKKOS_FUNCTION static Kokkos::complex<double> wave(double phase) {
    return {cos(phase), sin(phase)};
  }
};

}  // namespace NufftApp

#endif
