// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef SPOROS_CORRELATECHECKS_HPP
#define SPOROS_CORRELATECHECKS_HPP

/// \file Sporos_CorrelateChecks.hpp
/// Checks the arguments of cross_correlate, and makes problems from views.

#include <Sporos_EnumNames.hpp>
#include <Sporos_ViewChecks.hpp>
#include <cross_correlation/problem/Sporos_CorrelateShape.hpp>

#include <cstddef>
#include <limits>
#include <sstream>
#include <type_traits>

namespace Sporos {
namespace Impl {

template <>
struct EnumNames<CorrelateOperand> {
  using E                           = CorrelateOperand;
  static constexpr NamedValue all[] = {
      {"signal", E::signal}, {"matrix", E::matrix}, {"volume", E::volume}};
};
template <>
struct EnumNames<Pairing> {
  using E                           = Pairing;
  static constexpr NamedValue all[] = {{"one_to_one", E::one_to_one},
                                       {"one_to_many", E::one_to_many},
                                       {"n_to_mn", E::n_to_mn},
                                       {"n_to_m", E::n_to_m}};
};
template <>
struct EnumNames<CorrelateMode> {
  using E                           = CorrelateMode;
  static constexpr NamedValue all[] = {{"full", E::full},
                                       {"same", E::same},
                                       {"valid", E::valid},
                                       {"window", E::window}};
};
template <>
struct EnumNames<CorrelateAlgorithm> {
  using E                           = CorrelateAlgorithm;
  static constexpr NamedValue all[] = {
      {"automatic", E::automatic},
      {"basic", E::basic},
      {"tile", E::tile},
      {"shuffle", E::shuffle},
      {"lane_group_per_shift", E::lane_group_per_shift},
      {"team_per_shift", E::team_per_shift},
      {"fft", E::fft}};
};
template <>
struct EnumNames<CorrelateExactness> {
  using E                           = CorrelateExactness;
  static constexpr NamedValue all[] = {
      {"by_range", E::by_range},
      {"relative_to_norms", E::relative_to_norms},
      {"by_definition", E::by_definition}};
};
template <>
struct EnumNames<CorrelateSelection> {
  using E                           = CorrelateSelection;
  static constexpr NamedValue all[] = {{"by_model", E::by_model},
                                       {"by_trial", E::by_trial}};
};
template <>
struct EnumNames<Normalize> {
  using E                           = Normalize;
  static constexpr NamedValue all[] = {
      {"none", E::none},
      {"mean_only", E::mean_only},
      {"whole", E::whole},
      {"local", E::local},
      {"local_mean_only", E::local_mean_only},
      {"local_norm_only", E::local_norm_only},
      {"square_difference", E::square_difference},
      {"square_difference_normalized", E::square_difference_normalized}};
};
template <>
struct EnumNames<WorkDistribution> {
  using E                           = WorkDistribution;
  static constexpr NamedValue all[] = {{"automatic", E::automatic},
                                       {"none", E::none},
                                       {"rectangle", E::rectangle},
                                       {"triangle", E::triangle}};
};

/// Is it a measure of the overlap, of which sums over boxes are needed?
inline bool is_local(Normalize n) {
  return n != Normalize::none && n != Normalize::mean_only &&
         n != Normalize::whole;
}

/// Ranks of left, right and out.
struct PairingRanks {
  int left, right, out;
};

inline PairingRanks ranks_of(Pairing pairing, int left_rank, int one) {
  switch (pairing) {
    case Pairing::one_to_one: break;
    case Pairing::one_to_many: return {one, one + 1, one + 1};
    case Pairing::n_to_mn: return {one + 1, one + 2, one + 2};
    case Pairing::n_to_m: return {one + 1, one + 1, one + 2};
  }
  const int rank = left_rank == one + 1 ? one + 1 : one;
  return {rank, rank, rank};
}

template <class Left, class Right>
void check_ranks(const char* function, const CorrelateOptions& o,
                 int out_rank) {
  constexpr int left = view_rank_v<Left>, right = view_rank_v<Right>;
  const PairingRanks r = ranks_of(o.pairing, left, dimensions_of(o.operand));
  check(left == r.left && right == r.right && out_rank == r.out, function,
        "ranks of left, right and out",
        text(r.left, ", ", r.right, " and ", r.out, " for pairing ",
             name_of(o.pairing), " with options.operand ", name_of(o.operand)),
        text(left, ", ", right, " and ", out_rank));
}

/// Checked against 32 bits.
template <class View>
int extent(const char* function, const char* name, const View& view, int d) {
  check(view.extent(d) < std::size_t(max_correlate_extent), function, name,
        "extents below 2^29", extents(view));
  return int(view.extent(d));
}

/// Extents of the problem that left and right describe; their ranks are right.
template <class Left, class Right>
CorrelateExtents correlate_extents(const char* function,
                                   const CorrelateOptions& o, const Left& left,
                                   const Right& right) {
  constexpr int l = view_rank_v<Left>, r = view_rank_v<Right>;
  const int one         = dimensions_of(o.operand);
  const Pairing pairing = o.pairing;
  CorrelateExtents e;
  e.left_h = e.right_h = 1;
  if (one > 1) {
    e.left_h  = extent(function, "left", left, l - 2);
    e.right_h = extent(function, "right", right, r - 2);
  }
  if (one > 2) {
    e.left_d  = extent(function, "left", left, l - 3);
    e.right_d = extent(function, "right", right, r - 3);
  }
  e.left_w  = extent(function, "left", left, l - 1);
  e.right_w = extent(function, "right", right, r - 1);
  if (l > one) e.n = extent(function, "left", left, 0);
  const bool own = pairing == Pairing::n_to_mn ||
                   (pairing == Pairing::one_to_one && l > one);
  if (own)
    check(right.extent(0) == std::size_t(e.n), function, "right",
          text("extent(0) == ", e.n, ", the number of left matrices"),
          extents(right));
  if (pairing == Pairing::one_to_many || pairing == Pairing::n_to_m)
    e.m = extent(function, "right", right, 0);
  if (pairing == Pairing::n_to_mn) e.m = extent(function, "right", right, 1);
  return e;
}

/// Types and memory spaces that cross_correlate takes, for all its forms.
template <class Exec, class Left, class Right, class Out>
void check_types() {
  using T = typename Left::non_const_value_type;
  using A = typename Out::value_type;
  static_assert(std::is_same<T, typename Right::non_const_value_type>::value,
                "Sporos::cross_correlate: left and right must hold the same "
                "type");
  static_assert(!std::is_const<A>::value,
                "Sporos::cross_correlate: out must not be const");
  static_assert(
      std::is_arithmetic<real_of<T>>::value &&
          std::is_arithmetic<real_of<A>>::value &&
          !std::is_same<real_of<T>, long double>::value &&
          !std::is_same<real_of<A>, long double>::value &&
          (!is_complex_v<T> || std::is_floating_point<real_of<T>>::value),
      "Sporos::cross_correlate: values must be integers, float, "
      "double, or Kokkos::complex of float or double");
  static_assert(is_complex_v<T> == is_complex_v<A>,
                "Sporos::cross_correlate: out must be complex if and only if "
                "left and right are");
  static_assert(
      std::is_floating_point<real_of<A>>::value || std::is_integral<T>::value,
      "Sporos::cross_correlate: an integer out needs integer left "
      "and right");
  static_assert(std::is_floating_point<real_of<A>>::value ||
                    (std::is_signed<A>::value && sizeof(A) >= 4),
                "Sporos::cross_correlate: an integer out must be signed and "
                "have 32 or 64 bits");
  static_assert(sizeof(A) >= sizeof(T),
                "Sporos::cross_correlate: out must not be narrower than left "
                "and right");
  static_assert(view_rank_v<Left> >= 1 && view_rank_v<Left> <= 4 &&
                    view_rank_v<Right> >= 1 && view_rank_v<Right> <= 5 &&
                    view_rank_v<Out> >= 1 && view_rank_v<Out> <= 5,
                "Sporos::cross_correlate: left must have rank 1 to 4, right "
                "and out 1 to 5");
  static_assert(is_accessible_v<Exec, Left> && is_accessible_v<Exec, Right> &&
                    is_accessible_v<Exec, Out>,
                "Sporos::cross_correlate: left, right and out must be "
                "accessible to the execution space");
}

/// Extents that a View has: pairs, then shifts.
struct ExpectedExtents {
  int rank = 0;
  std::size_t extent[5];

  void add(int n) { extent[rank++] = std::size_t(n); }
};

inline ExpectedExtents expected_out(const CorrelateOptions& o, int rank,
                                    const CorrelateShape& shape) {
  const CorrelateExtents& e = shape.extents;
  const int one             = dimensions_of(o.operand);
  ExpectedExtents x;
  if (rank == one + 2) x.add(e.n);
  if (rank > one) x.add(o.pairing == Pairing::one_to_one ? e.n : e.m);
  if (one > 2) x.add(shape.planes());
  if (one > 1) x.add(shape.rows());
  x.add(shape.columns());
  return x;
}

template <class Out>
void check_out(const char* function, const CorrelateOptions& o,
               const CorrelateShape& shape, const Out& out) {
  const ExpectedExtents x = expected_out(o, view_rank_v<Out>, shape);
  bool ok                 = true;
  for (int d = 0; d < x.rank; ++d) ok = ok && out.extent(d) == x.extent[d];
  if (ok) return;
  std::ostringstream expected;
  expected << "extents (";
  for (int d = 0; d < x.rank; ++d) expected << (d ? ", " : "") << x.extent[d];
  expected << "), for the shifts " << shifts_text(o.operand, shape.shifts)
           << " of options.mode";
  check(false, function, "out", expected.str(), extents(out));
}

/// All three have memory, and out shares none with the others.
template <class Left, class Right, class Out>
void check_matrices(const char* function, const Left& left, const Right& right,
                    const Out& out) {
  check_memory(function, "left", left);
  check_memory(function, "right", right);
  check_written(function, "out", out);
  check_apart(function, "out", out, "left", left);
  check_apart(function, "out", out, "right", right);
}

/// Numbers that are no enumerators, from who made them of ints.
inline void check_enums(const char* function, const CorrelateOptions& o) {
  check_enum(function, "options.pairing", o.pairing);
  check_enum(function, "options.operand", o.operand);
  check_enum(function, "options.mode", o.mode);
  check_enum(function, "options.algorithm", o.algorithm);
  check_enum(function, "options.exactness", o.exactness);
  check_enum(function, "options.distribution", o.distribution);
  check_enum(function, "options.normalize", o.normalize);
  check_enum(function, "options.selection", o.selection);
  check_enum(function, "options.selected", o.selected);
}

/// How `automatic` chooses. real: whether out is of floating-point numbers
inline void check_selection(const char* function, const CorrelateOptions& o,
                            bool real) {
  const bool by_trial = o.selection == CorrelateSelection::by_trial;
  const bool open     = o.algorithm == CorrelateAlgorithm::automatic;
  check(open || !by_trial, function, "options.selection",
        "by_model unless options.algorithm is automatic", "by_trial for ",
        name_of(o.algorithm));
  check((open && !by_trial) || o.selected == CorrelateAlgorithm::automatic,
        function, "options.selected",
        "automatic, unless options.algorithm is automatic and "
        "options.selection by_model",
        name_of(o.selected), " for algorithm ", name_of(o.algorithm),
        " and selection ", name_of(o.selection));
  check(real || o.selected != CorrelateAlgorithm::fft, function,
        "options.selected",
        "another one than fft for an integer out (or options.algorithm fft)",
        "fft");
}

/// The measure and its options. real: whether out is of floating-point numbers
inline void check_measure(const char* function, const CorrelateOptions& o,
                          bool real) {
  constexpr double largest = std::numeric_limits<double>::max();
  const bool coefficient =
      o.normalize == Normalize::whole || o.normalize == Normalize::local;
  check(real || o.normalize == Normalize::none, function, "options.normalize",
        "a floating-point out for measures other than none", "an integer");
  check(!o.whiten || (real && (o.normalize == Normalize::none ||
                               o.normalize == Normalize::mean_only)),
        function, "options.whiten",
        "false, or normalize none or mean_only and a floating-point out",
        "true for normalize ", name_of(o.normalize),
        real ? "" : " and an integer out");
  check(o.least_deviation == 0 || (coefficient && o.least_deviation > 0 &&
                                   o.least_deviation <= largest),
        function, "options.least_deviation",
        "a finite number >= 0, and 0 unless normalize is whole or local",
        o.least_deviation);
  check(o.least_overlap == 0 || (is_local(o.normalize) && o.least_overlap > 0 &&
                                 o.least_overlap <= 1),
        function, "options.least_overlap",
        "a number from 0 to 1, and 0 unless normalize is a local measure or a "
        "square difference",
        o.least_overlap);
}

/// What a leading dimension of right is.
inline Leading leading_of_right(Pairing pairing) {
  if (pairing == Pairing::n_to_mn) return Leading::both;
  return pairing == Pairing::one_to_one ? Leading::i : Leading::j;
}

/// What the leading dimensions of out are.
inline Leading leading_of_out(Pairing pairing) {
  if (pairing == Pairing::n_to_mn || pairing == Pairing::n_to_m)
    return Leading::both;
  return pairing == Pairing::one_to_many ? Leading::j : Leading::i;
}

/// The problem that three checked views describe.
template <class T, class A, class Left, class Right, class Out>
CorrelateProblem<T, A> correlate_problem(const CorrelateShape& shape,
                                         const CorrelateOptions& o,
                                         const Left& left, const Right& right,
                                         const Out& out) {
  const int one = dimensions_of(o.operand);
  return {shape, matrix_batch<const T>(left, Leading::i, one),
          matrix_batch<const T>(right, leading_of_right(o.pairing), one),
          matrix_batch<A>(out, leading_of_out(o.pairing), one)};
}

}  // namespace Impl
}  // namespace Sporos

#endif
