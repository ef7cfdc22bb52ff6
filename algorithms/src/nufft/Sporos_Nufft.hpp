// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef SPOROS_NUFFT_HPP
#define SPOROS_NUFFT_HPP

/// \file Sporos_Nufft.hpp
/// Non-uniform FFTs: Fourier sums over points at any places, types 1 (points to
/// modes) and 2 (modes to points). Type 3 (points to frequencies) is in
/// Sporos_NufftType3.hpp.
///
/// \code
///   Sporos::NufftPlan<Exec, 2, double> plan(exec, {{256, 256}}, options);
///   plan.set_points(exec, points);
///   plan.type1(exec, values, coefficients);
///   plan.type2(exec, coefficients, values);
/// \endcode

#include <Sporos_Error.hpp>
#include <Sporos_NufftFft.hpp>
#include <Sporos_NufftGrid.hpp>
#include <Sporos_NufftOptions.hpp>
#include <Sporos_ProfilingRegion.hpp>
#include <Sporos_ViewChecks.hpp>
#include <nufft/choice/Sporos_NufftChoice.hpp>
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
/// A shallow handle: copies share everything. Calls use workspaces of the plan:
/// two calls at the same time need two plans. Destroy plans before
/// Kokkos::finalize.
///
/// \tparam T float or double, of points, values and coefficients
/// \tparam Widths a NufftWidths: which widths of the kernel are compiled
/// \tparam Fft an FFT, see Sporos_NufftFft.hpp
///
/// (Barnett, Magland, af Klinteberg, "A parallel nonuniform fast Fourier
/// transform library based on an 'exponential of semicircle' kernel", 2019.)
template <class ExecSpace, int Dim, class T,
          class Widths =
              std::conditional_t<std::is_same<T, float>::value,
                                 NufftWidthsOfFloat, NufftWidthsOfDouble>,
          class Fft = Impl::DefaultNufftFft<ExecSpace>>
class NufftPlan {
  static_assert(Dim >= 1 && Dim <= 3,
                "Sporos::NufftPlan: Dim must be 1, 2 or 3");
  static_assert(std::is_same<T, float>::value || std::is_same<T, double>::value,
                "Sporos::NufftPlan: T must be float or double");
  static_assert(!std::is_same<Fft, Impl::NoNufftFft>::value,
                "Sporos::NufftPlan: there is no FFT for this execution space: "
                "link Sporos::fftw (hosts), Sporos::cufft (CUDA) or "
                "Sporos::hipfft (HIP), or give one as last template argument");

 public:
  using execution_space = ExecSpace;           ///< where transforms run
  using complex_type    = Kokkos::complex<T>;  ///< of values and coefficients

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
  ///   of the point)
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
  ///   Kokkos::complex<T>, any layout
  /// \param coefficients shape (N(0), ..., N(Dim - 1)), or with b as first
  ///   extent; overwritten; any layout
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
    check_call(name, s, exec, values, coefficients, sign);
    Impl::check_memory(name, "values", values);
    Impl::check_written(name, "coefficients", coefficients);
    Impl::check_apart(name, "coefficients", coefficients, "values", values);
    for (std::size_t b = 0; b < Impl::nufft_batches(values); ++b)
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
    check_call(name, s, exec, values, coefficients, sign);
    Impl::check_memory(name, "coefficients", coefficients);
    Impl::check_written(name, "values", values);
    Impl::check_apart(name, "values", values, "coefficients", coefficients);
    if (s.points == 0) return;
    for (std::size_t b = 0; b < Impl::nufft_batches(values); ++b)
      s.steps.type2(
          exec,
          Impl::nufft_coefficients<const complex_type, Dim>(coefficients, b),
          Impl::nufft_line<typename Views::Values>(values, b), sign);
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
  using Views  = Impl::NufftViews<ExecSpace, Dim, T>;
  using Memory = typename ExecSpace::memory_space;

  struct State {
    NufftOptions options;
    int device;
    Kokkos::View<complex_type*, Memory> fine;
    Impl::NufftSteps<ExecSpace, Dim, T, T, Widths, Fft> steps;
    std::size_t points = 0;

    State(const ExecSpace& exec, const NufftOptions& o,
          const Impl::NufftChoice<Dim>& c)
        : options(o),
          device(Impl::device_of(exec)),
          fine(Impl::new_view<Kokkos::View<complex_type*, Memory>>(
              exec, "Sporos::nufft::fine", c.grid.size())),
          steps(exec, o, c, fine.data()) {}
  };

  static std::shared_ptr<State> make_state(const ExecSpace& exec,
                                           const Kokkos::Array<int, Dim>& modes,
                                           const NufftOptions& options);

  State& state(const char* function = "Sporos::NufftPlan") const {
    Impl::check_handle(m_state != nullptr, function, "plan");
    return *m_state;
  }
  template <class View>
  static void check_space() {
    static_assert(Impl::is_accessible_v<ExecSpace, View>,
                  "Sporos::NufftPlan: points, values and coefficients must be "
                  "accessible to the execution space of the plan");
  }
  /// Checks what both types have in common.
  template <class Values, class Coefficients>
  static void check_call(const char* name, const State& s,
                         const ExecSpace& exec, const Values& values,
                         const Coefficients& coefficients, int sign) {
    static_assert(
        Kokkos::is_view<Values>::value &&
            Kokkos::is_view<Coefficients>::value &&
            (Impl::view_rank_v<Values> == 1 ||
             Impl::view_rank_v<Values> == 2) &&
            Impl::view_rank_v<Coefficients> ==
                Dim - 1 + Impl::view_rank_v<Values>,
        "Sporos::NufftPlan: values must be a View of rank 1, (n), and "
        "coefficients of rank Dim; for several transforms both with "
        "their number as first extent");
    static_assert(std::is_same<typename Values::non_const_value_type,
                               complex_type>::value &&
                      std::is_same<typename Coefficients::non_const_value_type,
                                   complex_type>::value,
                  "Sporos::NufftPlan: values and coefficients must hold "
                  "Kokkos::complex<T>");
    check_space<Values>();
    check_space<Coefficients>();
    Impl::check_device(name, exec, s.device);
    Impl::check(s.steps.transfer().has_points(), name, "plan",
                "points, by set_points", "none");
    Impl::check(sign == 1 || sign == -1, name, "sign", "-1 or 1", sign);
    constexpr int first = Impl::view_rank_v<Values> - 1;
    Impl::check(values.extent(first) == s.points, name, "values",
                Impl::text("extent(", first, ") == ", s.points),
                values.extent(first));
    for (int d = 0; d < Dim; ++d)
      Impl::check(coefficients.extent(first + d) == std::size_t(modes_of(s, d)),
                  name, "coefficients",
                  Impl::text("extent(", first + d, ") == ", modes_of(s, d)),
                  Impl::extents(coefficients));
    if constexpr (first == 1)
      Impl::check(coefficients.extent(0) == values.extent(0), name,
                  "coefficients", Impl::text("extent(0) == ", values.extent(0)),
                  coefficients.extent(0));
  }
  static int modes_of(const State& s, int d) {
    return s.steps.choice().grid.modes[d];
  }
  const Impl::NufftChoice<Dim>& choice() const {
    return state().steps.choice();
  }

  std::shared_ptr<State> m_state;
};

template <class ExecSpace, int Dim, class T, class Widths, class Fft>
std::shared_ptr<typename NufftPlan<ExecSpace, Dim, T, Widths, Fft>::State>
NufftPlan<ExecSpace, Dim, T, Widths, Fft>::make_state(
    const ExecSpace& exec, const Kokkos::Array<int, Dim>& modes,
    const NufftOptions& o) {
  const char* const name = "Sporos::NufftPlan";
  Impl::check_nufft_options<T>(name, o);
  const auto grid   = Impl::nufft_modes<Dim>(name, modes, o.order);
  const auto choice = Impl::choose_nufft<T>(name, grid, o, Widths());
  const double rows = Impl::nufft_rows(choice.grid);
  Impl::check(
      rows < double(Impl::points_end), name, "modes",
      Impl::text("fewer than ", Impl::points_end, " rows of the fine grid"),
      rows);
  return std::make_shared<State>(exec, o, choice);
}

template <class ExecSpace, int Dim, class T, class Widths, class Fft>
std::string NufftPlan<ExecSpace, Dim, T, Widths, Fft>::describe(
    const ExecSpace& exec) const {
  const State& s = state();
  const auto& c  = choice();
  std::ostringstream out;
  out << "Sporos::NufftPlan: " << Impl::nufft_sizes(c.grid.modes)
      << " modes on a grid of " << Impl::nufft_sizes(c.grid.points)
      << ", kernel of width " << c.width << " for an upsampling of "
      << c.upsampling
      << (s.options.upsampling > 0 ? " (as the options ask)"
                                   : " (least time by the cost model)")
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
