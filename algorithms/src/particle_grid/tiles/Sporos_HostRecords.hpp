// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef SPOROS_HOSTRECORDS_HPP
#define SPOROS_HOSTRECORDS_HPP

/// \file Sporos_HostRecords.hpp
/// Strengths and values of points in the order of the sort's records.
/// What: hosts read and write one number per point in the order of records,
///   which is nearly the sorted one, and move it from or to the given order in
///   a pass of its own.
/// Cost: one pass with as many streams as the sort has buckets.
/// Wins: where points come in random order. Writing values there from several
///   threads is the worst: they take lines from each other.

#include <Sporos_KokkosCompat.hpp>
#include <particle_grid/bins/Sporos_ParticleBins.hpp>
#include <particle_grid/stencil/Sporos_StridedVector.hpp>

#include <cstddef>

namespace Sporos {
namespace Impl {

/// One number per point; that of sorted point i is numbers(place[i]).
template <class T>
struct PlacedNumbers {
  StridedVector<T> numbers;
  const int* place;
  bool in_records;  ///< or in the given order
};

/// records(record_of[i]) = given(i)
template <class T>
struct NumbersToRecords {
  T* records;
  const int* record_of;
  StridedVector<const T> given;
  void operator()(int i) const { records[record_of[i]] = given(i); }
};

/// given(i) = records(record_of[i])
template <class T>
struct NumbersFromRecords {
  const T* records;
  const int* record_of;
  StridedVector<T> given;
  void operator()(int i) const { given(i) = records[record_of[i]]; }
};

/// Strengths to read in sorted order. Reading few of them in random order costs
/// less than moving them first.
template <class Exec, class Bins, class T, class Space>
PlacedNumbers<const T> strengths_by_place(
    const Exec& exec, const Bins& bins, const StridedVector<const T>& strengths,
    Space& space) {
  constexpr std::size_t few = (std::size_t(1) << 20) / sizeof(T);
  if (bins.record_of.extent(0) < few)
    return {strengths, bins.permutation.data(), false};
  T* const records = typed_scratch<T>(exec, space, std::size_t(bins.n));
  Kokkos::parallel_for(
      "Sporos::spread::to_records",
      Kokkos::RangePolicy<Exec, Kokkos::IndexType<int>>(exec, 0, bins.n),
      NumbersToRecords<T>{records, bins.record_of.data(), strengths});
  return {StridedVector<const T>(records), bins.record_at.data(), true};
}

/// Where to leave values in sorted order; finish_values() moves them on.
template <class Exec, class Bins, class T, class Space>
PlacedNumbers<T> values_by_place(const Exec& exec, const Bins& bins,
                                 const StridedVector<T>& values, Space& space) {
  if (bins.record_of.extent(0) == 0)
    return {values, bins.permutation.data(), false};
  T* const records = typed_scratch<T>(exec, space, std::size_t(bins.n));
  return {StridedVector<T>(records), bins.record_at.data(), true};
}

template <class Exec, class Bins, class T>
void finish_values(const Exec& exec, const Bins& bins,
                   const PlacedNumbers<T>& placed,
                   const StridedVector<T>& values) {
  if (placed.in_records)
    Kokkos::parallel_for(
        "Sporos::interpolate::from_records",
        Kokkos::RangePolicy<Exec, Kokkos::IndexType<int>>(exec, 0, bins.n),
        NumbersFromRecords<T>{placed.numbers.data, bins.record_of.data(),
                              values});
}

}  // namespace Impl
}  // namespace Sporos

#endif
