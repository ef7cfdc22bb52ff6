// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef SPOROS_NUFFT_FFTHOST_HPP
#define SPOROS_NUFFT_FFTHOST_HPP

/// \file Nufft_FftHost.hpp
/// FFTW, one direction after another, lines in parallel. Lines of which no mode
/// is wanted, or that are all zero, are left out: a quarter of the work in 2D,
/// 5/12 of it in 3D.

#include "Nufft_Shape.hpp"

#include <fftw3.h>

#include <memory>
#include <type_traits>
#include <vector>

namespace NufftApp {

/// FFTW in both precisions.
template <class T>
struct Fftw;
#define NUFFT_FFTW(T, X)                                                    \
  template <>                                                               \
  struct Fftw<T> {                                                          \
    using Plan = std::shared_ptr<std::remove_pointer_t<X##_plan>>;          \
    /* transforms of n numbers, many at a time, `distance` apart */         \
    static Plan make(int n, int many, Kokkos::complex<T>* data, int stride, \
                     int distance, int sign) {                              \
      auto* const z = reinterpret_cast<X##_complex*>(data);                 \
      return Plan(                                                          \
          X##_plan_many_dft(1, &n, many, z, nullptr, stride, distance, z,   \
                            nullptr, stride, distance, sign, FFTW_MEASURE), \
          X##_destroy_plan);                                                \
    }                                                                       \
    static void run(const Plan& plan, Kokkos::complex<T>* data) {           \
      auto* const z = reinterpret_cast<X##_complex*>(data);                 \
      X##_execute_dft(plan.get(), z, z);                                    \
    }                                                                       \
  };
NUFFT_FFTW(float, fftwf)
NUFFT_FFTW(double, fftw)
#undef NUFFT_FFTW

/// In place, of a fine grid that lies at the same address in all calls.
template <class T, int Dim>
class Fft {
 public:
  Fft() = default;
  /// Plans, and overwrites the field.
  Fft(const Field<Kokkos::complex<T>, Dim>& field, const Modes& m)
      : m_modes(m), m_data(field.data()) {
    int stride = 1;
    for (int d = Dim - 1; d >= 0; --d, stride *= m.n) {
      const bool rows = d == Dim - 1;
      for (const int sign : {-1, 1})
        m_plans[sign > 0 ? 1 : 0][d] =
            Fftw<T>::make(m.n, rows ? 1 : columns, m_data, stride, 1, sign);
    }
    for (int c = 0; c < m.n; c += columns)
      if (m.mode_at(c) >= 0 || m.mode_at(c + columns - 1) >= 0)
        m_blocks.push_back(c);
  }

  /// All of it to those modes that are wanted, from the last direction to the
  /// first. \param sign of the exponent
  void to_modes(const Exec& exec, int sign) const {
    for (int d = Dim - 1; d >= 0; --d) direction(exec, d, sign);
  }
  /// From those modes that are not zero to all of it.
  void from_modes(const Exec& exec, int sign) const {
    for (int d = 0; d < Dim; ++d) direction(exec, d, sign);
  }

 private:
  static constexpr int columns = 8;  // next to each other, at a time

  /// Lines along direction d: all indices before d, those of modes behind it.
  struct Lines {
    const Fft& fft;
    typename Fftw<T>::Plan plan;
    int d;

    void operator()(int task) const {
      const Modes& m         = fft.m_modes;
      const std::ptrdiff_t n = m.n;
      const int blocks       = int(fft.m_blocks.size());
      const auto block       = std::size_t(task % blocks);
      const std::ptrdiff_t at =
          d == Dim - 1   ? task * n
          : d == Dim - 2 ? task / blocks * n * n + fft.m_blocks[block]
                         : m.place(task / blocks) * n + fft.m_blocks[block];
      Fftw<T>::run(plan, fft.m_data + at);
    }
  };

  void direction(const Exec& exec, int d, int sign) const {
    const int n = m_modes.n, blocks = int(m_blocks.size());
    const int tasks = d == Dim - 1   ? (Dim == 3 ? n * n : n)
                      : d == Dim - 2 ? (Dim == 3 ? n : 1) * blocks
                                     : m_modes.modes * blocks;
    Kokkos::parallel_for(
        "NufftApp::fft",
        Kokkos::RangePolicy<Exec, Kokkos::IndexType<int>>(exec, 0, tasks),
        Lines{*this, m_plans[sign > 0 ? 1 : 0][d], d});
  }

  Modes m_modes{0, 0};
  Kokkos::complex<T>* m_data = nullptr;
  typename Fftw<T>::Plan m_plans[2][Dim];
  std::vector<int> m_blocks;  // first columns
};

}  // namespace NufftApp

#endif
