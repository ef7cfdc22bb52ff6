// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef SPOROS_CORRELATEMASKS_HPP
#define SPOROS_CORRELATEMASKS_HPP

/// \file Sporos_CorrelateMasks.hpp
/// From the masks of a call to weights of the type of out.

#include <Sporos_ForEachIndex.hpp>
#include <Sporos_Workspace.hpp>
#include <cross_correlation/problem/Sporos_CorrelateChecks.hpp>
#include <cross_correlation/problem/Sporos_CorrelateLocalCopies.hpp>

#include <cstdint>
#include <type_traits>

namespace Sporos {

/// Stands for the mask of a side that has none: see cross_correlate.
struct NoMask {};

namespace Impl {

/// Copies (n, m, d, h, w) numbers, dense.
template <class M, class R>
struct CopyMask {
  MatrixBatch<const M> from;
  R* to;
  int m, d, h, w;

  KOKKOS_FUNCTION void operator()(std::int64_t index) const {
    const int x = int(index % w), y = int(index / w % h);
    const std::int64_t k = index / w / h / d;
    const auto plane     = from.plane(int(index / w / h % d));
    to[index]            = R(plane(int(k / m), int(k % m), y, x));
  }
};

template <class Exec, class A>
struct MaskWorkspace {
  using Space = WorkspaceView<real_of<A>, typename Exec::memory_space>;
  Space left{"Sporos::cross_correlate::left_mask"};
  Space right{"Sporos::cross_correlate::right_mask"};

  std::size_t bytes() const { return left.bytes() + right.bytes(); }
};

/// A mask for a side: as many numbers as it has elements.
template <class Exec, class Mask, class View>
void check_mask([[maybe_unused]] const char* function,
                [[maybe_unused]] const char* argument,
                [[maybe_unused]] const Mask& mask,
                [[maybe_unused]] const View& view) {
  if constexpr (!std::is_same<Mask, NoMask>::value) {
    static_assert(Kokkos::is_view<Mask>::value &&
                      std::is_arithmetic<typename Mask::value_type>::value,
                  "Sporos::cross_correlate: masks must be Views of integers or "
                  "floating-point numbers, or NoMask");
    static_assert(is_accessible_v<Exec, Mask>,
                  "Sporos::cross_correlate: masks must be accessible to the "
                  "execution space");
    static_assert(view_rank_v<Mask> == view_rank_v<View>,
                  "Sporos::cross_correlate: masks must have the rank of their "
                  "matrices");
    bool same = true;
    for (int d = 0; d < view_rank_v<View>; ++d)
      same = same && mask.extent(d) == view.extent(d);
    check(same, function, argument,
          text("extents ", extents(view), " of its matrices"), extents(mask));
    check_memory(function, argument, mask);
  }
}

inline void check_masked_measure(const char* function, Normalize normalize,
                                 bool whiten) {
  check(!whiten, function, "options.whiten of the plan",
        "false, with masks: spectra have no elements to leave out", "true");
  check(normalize == Normalize::none || is_local(normalize), function,
        "options.normalize of the plan",
        "none, a local measure or a square difference, with masks",
        name_of(normalize));
}

/// The weights of (n, m, d, h, w) elements; none for NoMask.
template <class A, class Exec, class Mask, class Space>
WeightBatch<A> weights_of([[maybe_unused]] const Exec& exec,
                          [[maybe_unused]] const Mask& mask,
                          [[maybe_unused]] Leading leading,
                          [[maybe_unused]] int one, [[maybe_unused]] int n,
                          [[maybe_unused]] int m, [[maybe_unused]] int d,
                          [[maybe_unused]] int h, [[maybe_unused]] int w,
                          [[maybe_unused]] Space& space) {
  WeightBatch<A> weights;
  if constexpr (!std::is_same<Mask, NoMask>::value) {
    using M                  = typename Mask::non_const_value_type;
    const auto from          = matrix_batch<const M>(mask, leading, one);
    const std::int64_t count = std::int64_t(n) * m * d * h * w;
    real_of<A>* const data   = space.require_data(exec, std::size_t(count));
    for_each_index("Sporos::cross_correlate::masks",
                   Kokkos::RangePolicy<Exec, Kokkos::IndexType<std::int64_t>>(
                       exec, 0, count),
                   CopyMask<M, real_of<A>>{from, data, m, d, h, w});
    weights.data = data;
    weights.x    = 1;
    weights.y    = w;
    weights.z    = std::ptrdiff_t(h) * w;
    weights.j    = weights.z * d;
    weights.i    = n == 1 ? 0 : weights.j * m;
  }
  return weights;
}

}  // namespace Impl
}  // namespace Sporos

#endif
