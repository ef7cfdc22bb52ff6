// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef SPOROS_NUFFT_HPP
#define SPOROS_NUFFT_HPP

/// \file Sporos_Nufft.hpp
/// Non-uniform FFTs: Fourier sums over points at any places, types 1 (points to
/// modes) and 2 (modes to points), of complex or real values. Type 3 (points to
/// frequencies) is in Sporos_NufftType3.hpp, the product of types 2 and 1 in
/// Sporos_NufftNormal.hpp.
///
/// \code
///   Sporos::NufftPlan<Exec, 2, double> plan(exec, {{256, 256}}, options);
///   plan.set_points(exec, points);
///   plan.type1(exec, values, coefficients);
///   plan.type2(exec, coefficients, values);
///   plan.type2_gradient(exec, coefficients, gradients);
/// \endcode

#include <Sporos_Error.hpp>
#include <Sporos_NufftFft.hpp>
#include <Sporos_NufftGrid.hpp>
#include <Sporos_NufftOptions.hpp>
#include <Sporos_ProfilingRegion.hpp>
#include <Sporos_ViewChecks.hpp>
#include <nufft/choice/Sporos_NufftChoice.hpp>
#include <nufft/steps/Sporos_NufftCalls.hpp>
#include <nufft/steps/Sporos_NufftSteps.hpp>

#include <cstddef>
#include <memory>
#include <sstream>
#include <string>
#include <type_traits>

namespace Sporos {

/// A plan of non-uniform FFTs, for points x_j in periods of 2 pi and modes k,
/// -(N / 2) to (N - 1) / 2 in each direction of N modes:
///
///   type 1: coefficients(k) = sum_j values(j) exp(sign i k x_j)
///   type 2: values(j) = sum_k coefficients(k) exp(sign i k x_j)
///
/// Errors are those of random numbers: relative to the l2 norm of all results
/// or, where results of type 2 cancel, of sqrt(n) times all coefficients.
///
/// With opposite signs, as by default, the types are adjoint to each other up
/// to rounding. Results have the same bits on every run and with any number of
/// threads (with NufftPatience::estimate also in every plan).
///
/// For real values, see NufftRealPlan, coefficients hold modes 0 to N / 2 of
/// the last direction alone, N / 2 + 1 of them (as real FFTs of FFTW and cuFFT
/// give them). Those of the other sign are f(-k), the conjugate of f(k). Type 2
/// sums over all of them: with the first mode of the last direction and, if N
/// is even, its last one counted once, and all others twice,
///
///   values(j) = real part of sum_k (1 or 2) coefficients(k) exp(sign i k x_j)
///
/// A shallow handle: copies share everything. Calls use workspaces of the plan:
/// two calls at the same time need two plans. Destroy plans before
/// Kokkos::finalize.
///
/// \tparam T float or double, of points, values and coefficients
/// \tparam Widths a NufftWidths: which widths of the kernel are compiled
/// \tparam Fft an FFT, see Sporos_NufftFft.hpp
/// \tparam Value of values: Kokkos::complex<T> or T
///
/// (Barnett, Magland, af Klinteberg, "A parallel nonuniform fast Fourier
/// transform library based on an 'exponential of semicircle' kernel", 2019.)
template <class ExecSpace, int Dim, class T,
          class Widths =
              std::conditional_t<std::is_same<T, float>::value,
                                 NufftWidthsOfFloat, NufftWidthsOfDouble>,
          class Fft   = Impl::DefaultNufftFft<ExecSpace>,
          class Value = Kokkos::complex<T>>
class NufftPlan {
  static_assert(Impl::check_nufft_plan<Dim, T, Fft>());
  static_assert(std::is_same<Value, T>::value ||
                    std::is_same<Value, Kokkos::complex<T>>::value,
                "Sporos::NufftPlan: Value must be Kokkos::complex<T> or T");

 public:
  using execution_space = ExecSpace;           ///< where transforms run
  using complex_type    = Kokkos::complex<T>;  ///< of coefficients
  using value_type      = Value;               ///< of values

  /// An empty handle, to be assigned to. Every other use throws.
  NufftPlan() = default;

  /// Chooses a fine grid and a kernel, and plans FFTs; waits for the result.
  /// \param exec an instance on the device of the plan
  /// \param modes in each direction, at least 1
  /// \param options tolerance and others
  /// \throws std::invalid_argument for impossible modes or options, and for a
  ///   tolerance that neither of the widths reaches
  NufftPlan(const ExecSpace& exec, const Kokkos::Array<int, Dim>& modes,
            const NufftOptions& options = {})
      : m_state(make_state(exec, modes, options)) {}

  /// Takes points, and waits for the result. Comes before the first transform;
  /// another call takes others.
  /// \param exec an instance on the device of the plan
  /// \param points shape (n, Dim), in one dimension also (n); any layout. They
  ///   are copied. Those outside [-pi, pi) are folded into it.
  /// \throws std::invalid_argument for wrong extents, a missing memory, 2^31 -
  ///   2^16 points or more, and a coordinate that is not finite (with the index
  ///   of the point); then the plan is as before
  /// Complexity: see ParticleGridPlan
  template <class Points>
  void set_points(const ExecSpace& exec, const Points& points) {
    const char* const name = "Sporos::NufftPlan::set_points";
    const Impl::ProfilingRegion region(name);
    State& s = state(name);
    Impl::check_device(name, exec, s.device);
    const auto x =
        Impl::nufft_coordinates<ExecSpace, Dim, T>(name, "points", points);
    s.steps.transfer().set_points(exec, x);
    s.points = x.extent(0);
  }

  /// Points to modes.
  /// \param exec the execution-space instance in which it runs
  /// \param values shape (n), or (b, n) for b transforms at the same points;
  ///   value_type, any layout
  /// \param coefficients shape (N(0), ..., N(Dim - 1)), or with b as first
  ///   extent; overwritten; any layout. For real values the last extent is
  ///   N(Dim - 1) / 2 + 1
  /// \param sign of the exponent, -1 or 1
  /// \throws std::invalid_argument for wrong extents or sign, Views without
  ///   memory or with common memory, and before set_points; nothing is written
  /// Asynchronous in exec; allocates nothing after the first call. Complexity:
  /// O(n width^Dim + G log G) for G points of the fine grid, b times.
  template <class Values, class Coefficients>
  void type1(const ExecSpace& exec, const Values& values,
             const Coefficients& coefficients, int sign = 1) const {
    const char* const name = "Sporos::NufftPlan::type1";
    const Impl::ProfilingRegion region(name);
    State& s = state(name);
    Impl::check_nufft_types<ExecSpace, 1, Value, Dim, complex_type, Values,
                            Coefficients>();
    check_call<1>(name, s, exec, "values", values, {s.points}, coefficients,
                  sign);
    Impl::check_nufft_memory(name, "values", values, "coefficients",
                             coefficients);
    for (std::size_t b = 0; b < Impl::nufft_batches<1>(values); ++b)
      s.steps.type1(
          exec, Impl::nufft_line<typename Views::ConstValues>(values, b),
          Impl::nufft_coefficients<complex_type, Dim>(coefficients, b), sign);
  }

  /// Modes to points.
  /// \param exec, coefficients, values as for type1; coefficients are read,
  ///   values overwritten
  /// \param sign of the exponent, -1 or 1
  /// \throws std::invalid_argument as type1
  template <class Coefficients, class Values>
  void type2(const ExecSpace& exec, const Coefficients& coefficients,
             const Values& values, int sign = -1) const {
    const char* const name = "Sporos::NufftPlan::type2";
    const Impl::ProfilingRegion region(name);
    State& s = state(name);
    Impl::check_nufft_types<ExecSpace, Dim, complex_type, 1, Value,
                            Coefficients, Values>();
    check_call<1>(name, s, exec, "values", values, {s.points}, coefficients,
                  sign);
    Impl::check_nufft_memory(name, "coefficients", coefficients, "values",
                             values);
    if (s.points == 0) return;
    for (std::size_t b = 0; b < Impl::nufft_batches<1>(values); ++b)
      s.steps.type2(
          exec,
          Impl::nufft_coefficients<const complex_type, Dim>(coefficients, b),
          Impl::nufft_line<typename Views::Values>(values, b), sign);
  }

  /// The gradient of type 2 with respect to the points, per radian:
  ///
  ///   gradients(j, d) = sum_k sign i k(d) coefficients(k) exp(sign i k x_j)
  ///
  /// For real values its real part, with the weights of type 2. Errors of all
  /// gradients together are below twice the tolerance, relative to their l2
  /// norm or, where they cancel, to sqrt(n) times that of all
  /// k coefficients(k).
  /// \param exec the execution-space instance in which it runs
  /// \param coefficients as for type2
  /// \param gradients shape (n, Dim), or (b, n, Dim) for b transforms; in one
  ///   dimension also (n) and (b, n); value_type, overwritten; any layout
  /// \param sign of the exponent, -1 or 1
  /// \throws std::invalid_argument as type1
  /// Asynchronous in exec; allocates nothing after the first call. Complexity:
  /// Dim times that of type2.
  template <class Coefficients, class Gradients>
  void type2_gradient(const ExecSpace& exec, const Coefficients& coefficients,
                      const Gradients& gradients, int sign = -1) const {
    const char* const name = "Sporos::NufftPlan::type2_gradient";
    const Impl::ProfilingRegion region(name);
    State& s = state(name);
    constexpr int rank =
        Impl::nufft_gradient_rank<Dim, Coefficients, Gradients>;
    Impl::check_nufft_types<ExecSpace, Dim, complex_type, rank, Value,
                            Coefficients, Gradients>();
    std::size_t extents[rank] = {s.points};
    if constexpr (rank == 2) extents[1] = Dim;
    check_call(name, s, exec, "gradients", gradients, extents, coefficients,
               sign);
    Impl::check_nufft_memory(name, "coefficients", coefficients, "gradients",
                             gradients);
    if (s.points == 0) return;
    for (std::size_t b = 0; b < Impl::nufft_batches<rank>(gradients); ++b)
      for (int d = 0; d < Dim; ++d)
        s.steps.type2_slope(
            exec,
            Impl::nufft_coefficients<const complex_type, Dim>(coefficients, b),
            Impl::nufft_line<typename Views::Values, rank>(gradients, b,
                                                           std::size_t(d)),
            sign, d);
  }

  /// Number of points; 0 before set_points.
  std::size_t size() const { return state().points; }
  /// Modes and points of the fine grid.
  const NufftGrid<Dim>& grid() const { return choice().grid; }
  int width() const { return choice().width; }  ///< Width of the kernel.
  /// The options, as given.
  const NufftOptions& options() const { return state().options; }
  /// The relative error of results that kernel and rounding on the grid make
  /// expect, within a factor of 3 (see
  /// ExponentialOfSemicircle::expected_error).
  double expected_error() const {
    return state().steps.transfer().expected_error();
  }
  /// Bytes of memory, without that of FFTW.
  std::size_t bytes() const {
    const State& s = state();
    return s.fine.extent(0) * sizeof(complex_type) + s.steps.bytes();
  }
  /// Text: what was chosen, and the time that the cost model expects. Waits
  /// for exec.
  [[gnu::cold]] std::string describe(const ExecSpace& exec = ExecSpace{}) const;

 private:
  using Views  = Impl::NufftViews<ExecSpace, Dim, T, T, Value>;
  using Steps  = Impl::NufftSteps<ExecSpace, Dim, T, T, Widths, Fft, Value>;
  using Memory = typename ExecSpace::memory_space;

  struct State {
    NufftOptions options;
    int device;
    Kokkos::View<complex_type*, Memory> fine;
    Steps steps;
    std::size_t points = 0;

    State(const ExecSpace& exec, const NufftOptions& o,
          const Impl::NufftChoice<Dim>& c)
        : options(o),
          device(Impl::device_of(exec)),
          fine(Impl::new_view<Kokkos::View<complex_type*, Memory>>(
              exec, "Sporos::nufft::fine", Steps::Spectrum::size(c.grid))),
          steps(exec, o, c, fine.data()) {}
  };

  static std::shared_ptr<State> make_state(const ExecSpace& exec,
                                           const Kokkos::Array<int, Dim>& modes,
                                           const NufftOptions& options) {
    const char* const name = "Sporos::NufftPlan";
    Impl::check_nufft_options<T>(name, options);
    const auto choice = Impl::choose_nufft<T, Value>(
        name, Impl::nufft_modes<Dim>(name, modes, options.order), options,
        Widths());
    Impl::check_nufft_rows(name, choice.grid);
    return std::make_shared<State>(exec, options, choice);
  }

  State& state(const char* function = "Sporos::NufftPlan") const {
    Impl::check_handle(m_state != nullptr, function, "plan");
    return *m_state;
  }
  /// Checks what all transforms have in common. n: extents of values or
  /// gradients of one transform
  template <int Rank, class Values, class Coefficients>
  static void check_call(const char* name, const State& s,
                         const ExecSpace& exec, const char* argument,
                         const Values& values, const std::size_t (&n)[Rank],
                         const Coefficients& coefficients, int sign) {
    Impl::check_nufft_call(name, exec, s.device,
                           s.steps.transfer().has_points(), sign);
    Impl::check_nufft_extents(name, argument, values, n);
    std::size_t modes[Dim];
    for (int d = 0; d < Dim; ++d)
      modes[d] = std::size_t(s.steps.choice().grid.modes[d]);
    if (Steps::Spectrum::half) modes[Dim - 1] = modes[Dim - 1] / 2 + 1;
    Impl::check_nufft_extents(name, "coefficients", coefficients, modes);
    Impl::check_nufft_batches<Rank>(name, "coefficients", coefficients, values);
  }
  const Impl::NufftChoice<Dim>& choice() const {
    return state().steps.choice();
  }

  std::shared_ptr<State> m_state;
};

/// A NufftPlan of real values, with half of the modes and half of the work.
template <class ExecSpace, int Dim, class T,
          class Widths =
              std::conditional_t<std::is_same<T, float>::value,
                                 NufftWidthsOfFloat, NufftWidthsOfDouble>,
          class Fft = Impl::DefaultNufftFft<ExecSpace>>
using NufftRealPlan = NufftPlan<ExecSpace, Dim, T, Widths, Fft, T>;

template <class ExecSpace, int Dim, class T, class Widths, class Fft,
          class Value>
std::string NufftPlan<ExecSpace, Dim, T, Widths, Fft, Value>::describe(
    const ExecSpace& exec) const {
  const State& s = state();
  const auto& c  = choice();
  std::ostringstream out;
  out << "Sporos::NufftPlan: " << Impl::nufft_sizes(c.grid.modes)
      << (Steps::Spectrum::half ? " modes of real values" : " modes")
      << " on a grid of " << Impl::nufft_sizes(c.grid.points)
      << ", kernel of width " << c.width << " for an upsampling of "
      << c.upsampling << Impl::nufft_choice_text(s.options)
      << "\n  error: below " << c.error << ", expected " << expected_error()
      << " (tolerance " << s.options.tolerance
      << ")\n  expected of one thread, per transform: points "
      << c.points_ns / Impl::NufftCost::per_ms << " ms, FFT and grid "
      << c.fft_ns / Impl::NufftCost::per_ms << " ms\n  memory: " << bytes()
      << " bytes\n"
      << s.steps.transfer().describe(exec);
  return out.str();
}

}  // namespace Sporos

#endif
