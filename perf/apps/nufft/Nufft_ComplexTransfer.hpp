// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef SPOROS_NUFFT_COMPLEXTRANSFER_HPP
#define SPOROS_NUFFT_COMPLEXTRANSFER_HPP

/// \file Nufft_ComplexTransfer.hpp
/// Complex numbers for spread and interpolate: as two real components, since a
/// complex number is two real ones, one after the other.

#include "Nufft_Shape.hpp"

#include <Sporos_ParticleGrid.hpp>

namespace NufftApp {

template <class Data>
using PartsView = Kokkos::View<Data, Kokkos::LayoutRight, Memory>;

/// The same memory with one more extent of 2.
template <class T>
auto parts(const Vector<Kokkos::complex<T>>& v) {
  return PartsView<T* [2]>(reinterpret_cast<T*>(v.data()), v.extent(0));
}
template <class T>
auto parts(const Field<Kokkos::complex<T>, 2>& v) {
  return PartsView<T** [2]>(reinterpret_cast<T*>(v.data()), v.extent(0),
                            v.extent(1));
}
template <class T>
auto parts(const Field<Kokkos::complex<T>, 3>& v) {
  return PartsView<T*** [2]>(reinterpret_cast<T*>(v.data()), v.extent(0),
                             v.extent(1), v.extent(2));
}

/// field += sum of the strengths times the kernel, in complex numbers
template <class T, class Plan, class Strengths, class Field>
void spread_complex(const Exec& exec, const Plan& plan,
                    const Strengths& strengths, const Field& field) {
  Sporos::spread(exec, plan, parts<T>(strengths), parts<T>(field));
}

/// values = the field at the points, in complex numbers
template <class T, class Plan, class Field, class Values>
void interpolate_complex(const Exec& exec, const Plan& plan, const Field& field,
                         const Values& values) {
  Sporos::interpolate(exec, plan, parts<T>(field), parts<T>(values));
}

}  // namespace NufftApp

#endif
