// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef SPOROS_TRANSFEROPTIONS_HPP
#define SPOROS_TRANSFEROPTIONS_HPP

/// \file Sporos_TransferOptions.hpp
/// Options of plans, spread and interpolate.

#include <Sporos_Environment.hpp>
#include <Sporos_Grid.hpp>
#include <particle_grid/stencil/Sporos_StridedVector.hpp>

#include <cstddef>
#include <optional>

namespace Sporos {

/// The direction of the grid along which points of a tile are sorted and, on
/// hosts, SIMD lanes run. Choose the one in which fields are contiguous.
enum class ContiguousDirection {
  automatic,  ///< last for spaces with the default LayoutRight, else first
  first,      ///< the first index of fields (LayoutLeft)
  last        ///< the last index of fields (LayoutRight)
};

/// What a plan on a host keeps of points that it does not sort. (One that sorts
/// them, as all do on devices, needs the positions only during the update.)
enum class PlanPositions {
  copy,  ///< a copy of the positions
  view  ///< the caller's View, whose elements must not change between an update
        ///< and the last call before the next one. Saves memory and time.
        ///< Views of another number type than the grid's, or in another
        ///< memory space than that of the plan, are copied
};

/// Options of a ParticleGridPlan.
struct PlanOptions {
  /// Staggering for which points are sorted. A call may use another one at a
  /// small cost.
  Staggering staggering{{0., 0., 0.}};
  /// The direction of sorting and SIMD lanes.
  ContiguousDirection contiguous = ContiguousDirection::automatic;
  /// Check at some points that the weights of the delta function sum to 1, up
  /// to 1e-5. Use it while you develop your own. Always on with
  /// Sporos_ENABLE_CHECKS, unless a delta function says that they do not.
  bool check_delta = false;
  /// spread and interpolate give a grid point, or a point, the same bits
  /// whatever lies where it cannot touch it. The parts of a field that several
  /// plans compute, one for each window of the grid, then have the bits of a
  /// plan for a window with the whole grid. Takes `automatic` and `tiled` only,
  /// and delta functions of support up to 16. Tiles with few or very many
  /// points take longer.
  bool any_ranks = false;
  /// What the plan keeps of positions in the given order. Sporos_ENABLE_CHECKS
  /// finds positions that changed.
  PlanPositions positions = PlanPositions::copy;
};

/// How spread treats grid points that several points share. All algorithms
/// except `atomic` give the same bits on every run and with any number of
/// threads.
enum class SpreadAlgorithm {
  automatic,       ///< on hosts replicated or tiled, by sizes and order of the
                   ///< points; else tiled; sweep_buffered for supports above
                   ///< 16 on devices, above 30 on hosts
  serial,          ///< one thread; reference of the tests
  sweep,           ///< one segmented reduction for each of the s^d shifts
  sweep_buffered,  ///< several shifts at a time, a column of a buffer each
  sweep_buffered_on_the_fly,  ///< as sweep_buffered; allocates its buffer,
                              ///< waits
  tiled,                      ///< sums tiles of cells in cache or scratch
  replicated,  ///< hosts: chunks of points in the given order, each into a copy
               ///< of the part of the grid that it touches
  atomic       ///< atomic additions, for comparison; not repeatable
};

/// Options of spread.
struct SpreadOptions {
  /// The algorithm.
  SpreadAlgorithm algorithm = SpreadAlgorithm::automatic;
  /// Staggering of the field; unset: that of the plan.
  std::optional<Staggering> staggering = std::nullopt;
  /// Upper bound of the number of columns of the buffered sweeps; 0: 10. A
  /// sweep treats a box of shifts, one column for each. Three boxes are
  /// compiled: one shift, and the largest of at most 10 and of at most 16
  /// shifts (support 4 in 3D: 1, 8, 16). More columns need fewer sweeps and
  /// more memory.
  int columns = 0;
};

/// How interpolate visits the points. All algorithms are repeatable.
enum class InterpolateAlgorithm {
  automatic,  ///< unsorted where spread takes replicated; else tiled for
              ///< supports up to 16 on hosts; on devices up to 7 and if tiles
              ///< hold 128 points on average; else sorted
  serial,     ///< one thread; reference of the tests
  sorted,     ///< reads the field, points in the order of the plan
  tiled,      ///< copies each tile of the field to cache or scratch
  unsorted    ///< hosts: reads the field, points in the given order
};

/// Options of interpolate.
struct InterpolateOptions {
  /// The algorithm.
  InterpolateAlgorithm algorithm = InterpolateAlgorithm::automatic;
  /// Staggering of the field; unset: that of the plan.
  std::optional<Staggering> staggering = std::nullopt;
};

/// Strengths or values in the order of a plan: see in_plan_order.
template <class View>
struct InPlanOrder {
  View view;  ///< row i belongs to point plan.permutation()(i)
};

/// For codes that keep strengths or values in the order of a plan: row i of
/// `values` belongs to point plan.permutation()(i), not to point i. Give the
/// result to spread or interpolate in place of the View. They then read and
/// write the rows one after another instead of in random order.
/// \param values shape (n) or (n, c), as for spread and interpolate
/// \code
///   Sporos::interpolate(exec, plan, field, Sporos::in_plan_order(velocities));
/// \endcode
template <class View>
InPlanOrder<View> in_plan_order(const View& values) {
  return {values};
}

namespace Impl {

/// Values of the points below `split` in the caller's View, of the others in
/// rows that follow one another: own points, and copies of others.
template <class View>
struct SplitValues {
  View view;
  RealPartOf<View>* rest;
  int split;
};

/// The View of strengths or values, whether it is in the plan's order, and real
/// component c as a vector.
template <class View>
struct PointValues {
  static constexpr bool in_plan_order = false, splits = false;
  static const View& view(const View& values) { return values; }
  template <class V>
  static StridedVector<V> vector(const View& values, int c) {
    return StridedVector<V>(values, c);
  }
};
template <class View>
struct PointValues<InPlanOrder<View>> {
  static constexpr bool in_plan_order = true, splits = false;
  static const View& view(const InPlanOrder<View>& values) {
    return values.view;
  }
  template <class V>
  static StridedVector<V> vector(const InPlanOrder<View>& values, int c) {
    return StridedVector<V>(values.view, c);
  }
};
template <class View>
struct PointValues<SplitValues<View>> {
  static constexpr bool in_plan_order = false, splits = true;
  static const View& view(const SplitValues<View>& values) {
    return values.view;
  }
  template <class V>
  static SplitVector<V> vector(const SplitValues<View>& values, int c) {
    SplitVector<V> v;
    static_cast<StridedVector<V>&>(v) = StridedVector<V>(values.view, c);
    if (values.rest != nullptr) v.rest.data = values.rest + c;
    v.rest.stride = real_parts_v<View>;
    if constexpr (view_rank_v<View> == 2)
      v.rest.stride *= std::ptrdiff_t(values.view.extent(1));
    v.split = values.split;
    return v;
  }
};
template <class Values>
const auto& view_of(const Values& values) {
  return PointValues<Values>::view(values);
}

/// The options of calls without options: `automatic`, so that no other
/// algorithm is compiled.
struct AutomaticOptions {
  std::optional<Staggering> staggering = std::nullopt;
};

template <>
struct EnumNames<ContiguousDirection> {
  using E                           = ContiguousDirection;
  static constexpr NamedValue all[] = {
      {"automatic", E::automatic}, {"first", E::first}, {"last", E::last}};
};

template <>
struct EnumNames<PlanPositions> {
  using E                           = PlanPositions;
  static constexpr NamedValue all[] = {{"copy", E::copy}, {"view", E::view}};
};

template <>
struct EnumNames<SpreadAlgorithm> {
  using E                           = SpreadAlgorithm;
  static constexpr NamedValue all[] = {
      {"automatic", E::automatic},
      {"serial", E::serial},
      {"sweep", E::sweep},
      {"sweep_buffered", E::sweep_buffered},
      {"sweep_buffered_on_the_fly", E::sweep_buffered_on_the_fly},
      {"tiled", E::tiled},
      {"replicated", E::replicated},
      {"atomic", E::atomic}};
};
template <>
struct EnumNames<InterpolateAlgorithm> {
  using E                           = InterpolateAlgorithm;
  static constexpr NamedValue all[] = {{"automatic", E::automatic},
                                       {"serial", E::serial},
                                       {"sorted", E::sorted},
                                       {"tiled", E::tiled},
                                       {"unsorted", E::unsorted}};
};

/// The algorithm that the environment names, else `automatic`.
inline SpreadAlgorithm spread_of_environment() {
  return environment_choice("SPOROS_SPREAD", SpreadAlgorithm::automatic);
}
/// The algorithm that the environment names, else `automatic`.
inline InterpolateAlgorithm interpolate_of_environment() {
  return environment_choice("SPOROS_INTERPOLATE",
                            InterpolateAlgorithm::automatic);
}

}  // namespace Impl
}  // namespace Sporos

#endif
