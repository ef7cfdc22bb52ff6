// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef SPOROS_NUFFTCALLS_HPP
#define SPOROS_NUFFTCALLS_HPP

/// \file Sporos_NufftCalls.hpp
/// What the calls of all plans share: checks of arguments, single transforms of
/// many, texts.

#include <Sporos_Error.hpp>
#include <Sporos_NufftOptions.hpp>
#include <Sporos_ViewChecks.hpp>
#include <nufft/choice/Sporos_NufftChoice.hpp>
#include <nufft/grid/Sporos_NufftModes.hpp>

#include <cstddef>
#include <string>
#include <type_traits>

namespace Sporos {
namespace Impl {

/// Number of transforms: the first extent of an array that has one more than
/// Rank.
template <int Rank, class View>
std::size_t nufft_batches(const View& view) {
  return view_rank_v<View> > Rank ? view.extent(0) : 1;
}

/// Rank of gradients of one transform: (n, Dim), in one dimension also (n).
template <int Dim, class Coefficients, class Gradients>
inline constexpr int nufft_gradient_rank =
    Dim == 1 && view_rank_v<Gradients> == view_rank_v<Coefficients> ? 1 : 2;

/// Transform b of values, of this rank or with the transforms as first extent;
/// of rank 2: direction d of it.
template <class Line, int Rank = 1, class Values>
Line nufft_line(const Values& values, std::size_t b, std::size_t d = 0) {
  constexpr int along = view_rank_v<Values> - Rank;
  auto* data          = values.data();
  if (along == 1) data += b * std::size_t(values.stride(0));
  if constexpr (Rank == 2) data += d * std::size_t(values.stride(along + 1));
  return Line(data, Kokkos::LayoutStride(values.extent(along),
                                         std::size_t(values.stride(along))));
}

/// Transform b of coefficients, of rank Dim or with the transforms as first
/// extent.
template <class Complex, int Dim, class Coefficients>
NufftCoefficients<Complex, Dim> nufft_coefficients(
    const Coefficients& coefficients, std::size_t b) {
  constexpr int first = view_rank_v<Coefficients> - Dim;
  NufftCoefficients<Complex, Dim> c;
  c.data = coefficients.data();
  if (first == 1) c.data += b * std::size_t(coefficients.stride(0));
  for (int d = 0; d < Dim; ++d)
    c.stride[d] = std::ptrdiff_t(coefficients.stride(first + d));
  return c;
}

/// Checks types of input and output when compiling: the ranks of one transform,
/// their numbers.
template <class ExecSpace, int InRank, class InValue, int OutRank,
          class OutValue, class In, class Out>
constexpr void check_nufft_types() {
  constexpr int more = view_rank_v<In> - InRank;
  static_assert(Kokkos::is_view<In>::value && Kokkos::is_view<Out>::value &&
                    (more == 0 || more == 1) &&
                    view_rank_v<Out> == OutRank + more,
                "Sporos: values of non-uniform FFTs must be a View of rank 1, "
                "(n), gradients of rank 2, (n, Dim), and coefficients of rank "
                "Dim; for several transforms both with their number as first "
                "extent");
  static_assert(
      std::is_same<typename In::non_const_value_type, InValue>::value &&
          std::is_same<typename Out::value_type, OutValue>::value,
      "Sporos: values, gradients and coefficients of non-uniform FFTs must "
      "hold Kokkos::complex<T>, for a NufftRealPlan values and gradients T; "
      "results must not be const");
  static_assert(
      is_accessible_v<ExecSpace, In> && is_accessible_v<ExecSpace, Out>,
      "Sporos: values, gradients and coefficients of non-uniform FFTs must be "
      "accessible to the execution space of the plan");
}

/// Checks what does not depend on arrays.
inline void check_nufft_call(const char* function, bool has_points, int sign) {
  check(has_points, function, "plan", "points, by set_points", "none");
  check(sign == 1 || sign == -1, function, "sign", "-1 or 1", sign);
}
template <class ExecSpace>
void check_nufft_call(const char* function, const ExecSpace& exec, int device,
                      bool has_points, int sign) {
  check_device(function, exec, device);
  check_nufft_call(function, has_points, sign);
}

/// Checks the extents of an array, those of one transform.
template <int Rank, class View>
void check_nufft_extents(const char* function, const char* argument,
                         const View& view, const std::size_t (&n)[Rank]) {
  constexpr int first = view_rank_v<View> - Rank;
  for (int d = 0; d < Rank; ++d)
    check(view.extent(first + d) == n[d], function, argument,
          text("extent(", first + d, ") == ", n[d]), extents(view));
}

/// Checks that there are as many transforms in an array as in another, of which
/// one has this Rank.
template <int Rank, class View, class Other>
void check_nufft_batches(const char* function, const char* argument,
                         const View& view, const Other& other) {
  if constexpr (view_rank_v<Other> != Rank)
    check(view.extent(0) == other.extent(0), function, argument,
          text("extent(0) == ", other.extent(0)), view.extent(0));
}

/// Checks memory of an input, and of an output that is apart from it.
template <class In, class Out>
void check_nufft_memory(const char* function, const char* in_argument,
                        const In& in, const char* out_argument,
                        const Out& out) {
  check_memory(function, in_argument, in);
  check_written(function, out_argument, out);
  check_apart(function, out_argument, out, in_argument, in);
}

/// "8 x 9"
template <int Dim>
std::string nufft_sizes(const int (&n)[Dim]) {
  std::string out;
  for (int d = 0; d < Dim; ++d)
    out += (d > 0 ? " x " : "") + std::to_string(n[d]);
  return out;
}

/// Who chose an upsampling.
inline const char* nufft_choice_text(const NufftOptions& options) {
  return options.upsampling > 0 ? " (as the options ask)"
                                : " (least time by the cost model)";
}

}  // namespace Impl
}  // namespace Sporos

#endif
