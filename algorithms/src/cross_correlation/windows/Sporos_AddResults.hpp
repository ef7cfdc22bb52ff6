// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef SPOROS_ADDRESULTS_HPP
#define SPOROS_ADDRESULTS_HPP

/// \file Sporos_AddResults.hpp
/// Adds the results of a batch of pairs to sums, or copies them: a row per
/// index on hosts, a result on devices.

#include <Sporos_ForEachIndex.hpp>
#include <cross_correlation/problem/Sporos_CorrelateShape.hpp>

#include <cstddef>
#include <cstdint>

namespace Sporos {
namespace Impl {

template <class T, class S>
struct AddResults {
  const T* from;  ///< (pair, h, w)
  MatrixBatch<S> sums;
  int h, w;
  bool add;
  int length;  ///< results of an index

  KOKKOS_FUNCTION void operator()(std::int64_t index) const {
    const std::int64_t at  = index * length;
    const std::int64_t row = at / w;
    S* const to            = &sums(int(row / h), 0, int(row % h), int(at % w));
    for (int k = 0; k < length; ++k) {
      S& sum = to[k * sums.x];
      sum    = add ? sum + S(from[at + k]) : S(from[at + k]);
    }
  }
};

/// Results (n, h, w) from number `first` on to sums of pairs.
/// \param add else sums are overwritten
template <class Exec, class T, class S>
void add_results(const Exec& exec, const T* from, const MatrixBatch<S>& sums,
                 int first, int n, int h, int w, bool add = true) {
  if (h == 0 || w == 0) return;
  const int length = is_host_space_v<Exec> ? w : 1;
  AddResults<T, S> kernel{
      from + std::int64_t(first) * h * w, sums, h, w, add, length};
  for_each_index("Sporos::correlate_peaks::add",
                 Kokkos::RangePolicy<Exec, Kokkos::IndexType<std::int64_t>>(
                     exec, 0, std::int64_t(n - first) * h * (w / length)),
                 kernel);
}

}  // namespace Impl
}  // namespace Sporos

#endif
