// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef SPOROS_NUFFT_PROBLEM_HPP
#define SPOROS_NUFFT_PROBLEM_HPP

/// \file Nufft_Problem.hpp
/// Random points and numbers, and the error of results.

#include "Nufft_Direct.hpp"
#include "Nufft_Shape.hpp"

#include <Perf_Numbers.hpp>

#include <algorithm>
#include <cmath>
#include <cstddef>

namespace NufftApp {

template <class T>
struct Problem {
  using Complex = Kokkos::complex<T>;
  int dimension, modes;
  Positions<T> points;
  Vector<Complex> strengths;   ///< of type 1
  Vector<Complex> amplitudes;  ///< of the modes, of type 2

  /// Points in [-pi, pi)^dimension, parts of numbers in [-1, 1).
  Problem(int dim, int modes_, int n, int seed)
      : dimension(dim),
        modes(modes_),
        points("NufftApp::points", std::size_t(n), std::size_t(dim)),
        strengths("NufftApp::strengths", std::size_t(n)),
        amplitudes("NufftApp::amplitudes", all_modes()) {
    Perf::Random random(static_cast<unsigned>(seed));
    const double pi = std::acos(-1.);
    const auto x    = Kokkos::create_mirror_view(points);
    for (std::size_t i = 0; i < x.size(); ++i)
      x.data()[i] = T(random.uniform(-pi, pi));
    Kokkos::deep_copy(points, x);
    for (const auto& numbers : {strengths, amplitudes}) {
      const auto z = Kokkos::create_mirror_view(numbers);
      for (std::size_t i = 0; i < z.size(); ++i) {
        const T re = T(random.uniform(-1, 1));
        z(i)       = Complex(re, T(random.uniform(-1, 1)));
      }
      Kokkos::deep_copy(numbers, z);
    }
  }

  std::size_t all_modes() const {
    const auto n = std::size_t(modes);
    return dimension == 2 ? n * n : n * n * n;
  }
};

/// Numbers below `end`: all of them if `count` is 0 or no less, else random
/// ones.
inline Vector<int> choose(std::size_t end, int count, int seed) {
  const bool all = count == 0 || std::size_t(count) >= end;
  const Vector<int> chosen("NufftApp::chosen", all ? end : std::size_t(count));
  const auto on_host = Kokkos::create_mirror_view(chosen);
  Perf::Random random(static_cast<unsigned>(seed));
  for (std::size_t i = 0; i < on_host.size(); ++i)
    on_host(i) = int(all ? i : random.below(end));
  Kokkos::deep_copy(chosen, on_host);
  return chosen;
}

/// |results - expected| / |expected| of those chosen
template <class T>
double relative_error(const Vector<Kokkos::complex<T>>& results,
                      const Vector<int>& chosen,
                      const Vector<Kokkos::complex<double>>& expected) {
  const auto r =
      Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), results);
  const auto c =
      Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), chosen);
  const auto e =
      Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), expected);
  double error = 0, scale = 0;
  for (std::size_t i = 0; i < c.size(); ++i) {
    const auto at   = std::size_t(c(i));
    const double re = double(r(at).real()) - e(i).real();
    const double im = double(r(at).imag()) - e(i).imag();
    error += re * re + im * im;
    scale += e(i).real() * e(i).real() + e(i).imag() * e(i).imag();
  }
  return std::sqrt(error / scale);
}

/// Error of modes that came from the strengths of a problem.
template <class T>
double error_of_type1(const Exec& exec, const Problem<T>& p,
                      const Vector<Kokkos::complex<T>>& modes, int sign,
                      int count, int seed) {
  const auto chosen = choose(p.all_modes(), count, seed);
  const Vector<Kokkos::complex<double>> sums("NufftApp::sums", chosen.size());
  Kokkos::parallel_for(
      "NufftApp::direct1",
      Kokkos::RangePolicy<Exec>(exec, 0, int(chosen.size())),
      DirectType1<T>{p.points, p.strengths, chosen, sums, p.modes, sign});
  exec.fence();
  return relative_error(modes, chosen, sums);
}

/// Error of values at points that came from the amplitudes of a problem.
template <class T>
double error_of_type2(const Exec& exec, const Problem<T>& p,
                      const Vector<Kokkos::complex<T>>& values, int sign,
                      int count, int seed) {
  const auto chosen = choose(p.points.extent(0), count, seed);
  const Vector<Kokkos::complex<double>> sums("NufftApp::sums", chosen.size());
  Kokkos::parallel_for(
      "NufftApp::direct2",
      Kokkos::RangePolicy<Exec>(exec, 0, int(chosen.size())),
      DirectType2<T>{p.points, p.amplitudes, chosen, sums, p.modes, sign});
  exec.fence();
  return relative_error(values, chosen, sums);
}

}  // namespace NufftApp

#endif
