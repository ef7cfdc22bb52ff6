// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef SPOROS_NUFFT_ANYTRANSFORM_HPP
#define SPOROS_NUFFT_ANYTRANSFORM_HPP

/// \file Nufft_AnyTransform.hpp
/// Transforms of all dimensions behind one interface, so that each
/// is compiled in a file of its own.

#include "Nufft_Shape.hpp"

#include <Sporos_NufftOptions.hpp>

#include <memory>

namespace NufftApp {

/// Seconds that the last calls took.
struct Times {
  double update     = 0;  ///< sorting of the points
  double transfer   = 0;  ///< spread (zeroing included) or interpolate
  double fft        = 0;
  double deconvolve = 0;

  double total() const { return update + transfer + fft + deconvolve; }
};

/// Complex numbers at points of a period of 2 pi in each direction, and modes
/// k = -(modes / 2), ..., (modes - 1) / 2 of each direction, the last one
/// contiguous.
template <class T>
class AnyTransform {
 public:
  using Complex = Kokkos::complex<T>;

  AnyTransform()                               = default;
  AnyTransform(const AnyTransform&)            = delete;
  AnyTransform& operator=(const AnyTransform&) = delete;
  virtual ~AnyTransform()                      = default;

  /// Points of the fine grid in each direction.
  virtual int fine() const = 0;
  /// Width of the kernel.
  virtual int width() const = 0;
  /// Takes other points; comes before the first transform.
  virtual void update(const Positions<T>& points) = 0;
  /// modes(k) = sum_j strengths(j) exp(sign i k x_j)
  virtual void type1(const Vector<Complex>& strengths,
                     const Vector<Complex>& modes, int sign) = 0;
  /// values(j) = sum_k modes(k) exp(sign i k x_j)
  virtual void type2(const Vector<Complex>& modes,
                     const Vector<Complex>& values, int sign) = 0;
  /// Times of the last update and the last transform.
  virtual const Times& times() const = 0;
};

/// Plans a transform.
/// \param options tolerance from 1e-6 (single precision: 1e-5) to 1e-2
template <class T>
std::unique_ptr<AnyTransform<T>> make_transform(
    const Exec& exec, int dimension, int modes,
    const Sporos::NufftOptions& options);

/// Where they are compiled.
template <class T, int Dim>
std::unique_ptr<AnyTransform<T>> make_transform_of(
    const Exec& exec, int modes, const Sporos::NufftOptions& options);

}  // namespace NufftApp

#endif
