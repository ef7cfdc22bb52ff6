// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef SPOROS_NUFFTNORMAL_HPP
#define SPOROS_NUFFTNORMAL_HPP

/// \file Sporos_NufftNormal.hpp
/// The normal operator of non-uniform FFTs, type 2 followed by type 1, as one
/// convolution of modes: two FFTs of twice as many points as modes, however
/// many points the transforms have.
///
/// \code
///   Sporos::NufftNormalPlan<Exec, 2, double> plan(exec, {{256, 256}});
///   plan.set_points(exec, points);
///   plan.apply(exec, coefficients, results);
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
#include <nufft/steps/Sporos_NufftToeplitz.hpp>

#include <cstddef>
#include <memory>
#include <sstream>
#include <string>
#include <type_traits>

namespace Sporos {

/// A plan of the normal operator, A^H W A, of type 2: A takes coefficients to
/// points, the diagonal matrix W holds a real weight for each point, and A^H,
/// type 1 with the other sign, takes values back to modes:
///
///   results(k) = sum_l coefficients(l) sum_j weights(j) exp(sign i (l - k)
///   x_j)
///
/// The inner sums depend on l - k alone. set_points() computes them by a type 1
/// of the weights; apply() convolves with them. The matrix is Hermitian up to
/// rounding.
///
/// Errors are those of the inner sums, relative to the l2 norm of all of them.
/// Results have the same bits on every run and with any number of threads (see
/// NufftPlan).
///
/// A shallow handle: copies share everything. Calls use workspaces of the plan:
/// two calls at the same time need two plans. Destroy plans before
/// Kokkos::finalize.
///
/// \tparam T float or double, of points, weights and coefficients
/// \tparam Widths a NufftWidths: which widths of the kernel are compiled
/// \tparam Fft an FFT, see Sporos_NufftFft.hpp
///
/// (Fessler, Lee, Olafsson, Shi, Noll, "Toeplitz-based iterative image
/// reconstruction for MRI with correction for magnetic field inhomogeneity",
/// 2005.)
template <class ExecSpace, int Dim, class T,
          class Widths =
              std::conditional_t<std::is_same<T, float>::value,
                                 NufftWidthsOfFloat, NufftWidthsOfDouble>,
          class Fft = Impl::DefaultNufftFft<ExecSpace>>
class NufftNormalPlan {
  static_assert(Impl::check_nufft_plan<Dim, T, Fft>());

 public:
  using execution_space = ExecSpace;           ///< where calls run
  using complex_type    = Kokkos::complex<T>;  ///< of coefficients and results

  /// An empty handle, to be assigned to. Every other use throws.
  NufftNormalPlan() = default;

  /// Chooses grids and a kernel, and plans FFTs; waits for the result.
  /// \param exec an instance on the device of the plan
  /// \param modes in each direction, at least 1
  /// \param options tolerance and others
  /// \throws std::invalid_argument as NufftPlan
  NufftNormalPlan(const ExecSpace& exec, const Kokkos::Array<int, Dim>& modes,
                  const NufftOptions& options = {})
      : m_state(make_state(exec, modes, options)) {}

  /// Takes points, each with weight 1, and waits for the result. Comes before
  /// the first apply(); another call takes others.
  /// \param exec an instance on the device of the plan
  /// \param points see NufftPlan::set_points
  /// \throws std::invalid_argument as NufftPlan::set_points; then the plan is
  ///   as before
  /// Allocates memory for a type 1 of twice as many modes in each direction,
  /// and frees it.
  template <class Points>
  void set_points(const ExecSpace& exec, const Points& points) {
    const char* const name = "Sporos::NufftNormalPlan::set_points";
    State& s               = state(name);
    Impl::check_device(name, exec, s.device);
    const auto x =
        Impl::nufft_coordinates<ExecSpace, Dim, T>(name, "points", points);
    const auto ones = Impl::new_view<Kokkos::View<T*, Memory>>(
        exec, "Sporos::nufft::weights", x.extent(0));
    Impl::fill_nufft_field(exec, ones.data(), x.extent(0), T(1));
    take_points(name, exec, x, ones);
  }
  /// Takes points with their weights.
  /// \param exec, points as above
  /// \param weights shape (n), T; any layout. They are not kept
  /// \throws std::invalid_argument also for wrong extents of weights or a
  ///   missing memory
  template <class Points, class Weights>
  void set_points(const ExecSpace& exec, const Points& points,
                  const Weights& weights) {
    const char* const name = "Sporos::NufftNormalPlan::set_points";
    static_assert(
        Kokkos::is_view<Weights>::value && Impl::view_rank_v<Weights> == 1 &&
            std::is_same<typename Weights::non_const_value_type, T>::value &&
            Impl::is_accessible_v<ExecSpace, Weights>,
        "Sporos::NufftNormalPlan: weights must be a View of rank 1, "
        "(n), of T that is accessible to the execution space");
    State& s = state(name);
    Impl::check_device(name, exec, s.device);
    const auto x =
        Impl::nufft_coordinates<ExecSpace, Dim, T>(name, "points", points);
    Impl::check_nufft_extents<1>(name, "weights", weights, {x.extent(0)});
    Impl::check_memory(name, "weights", weights);
    take_points(name, exec, x, weights);
  }

  /// Type 2 followed by the weights and by type 1 with the other sign.
  /// \param exec the execution-space instance in which it runs
  /// \param coefficients shape (N(0), ..., N(Dim - 1)), or with b as first
  ///   extent for b of them; Kokkos::complex<T>, any layout
  /// \param results as coefficients; overwritten
  /// \param sign of the exponent of type 2, -1 or 1
  /// \throws std::invalid_argument for wrong extents or sign, Views without
  ///   memory or with common memory, and before set_points; nothing is written
  /// Asynchronous in exec; allocates nothing. Complexity: O(G log G), b times,
  /// for G points of a grid that is at least twice as fine as the modes.
  template <class Coefficients, class Results>
  void apply(const ExecSpace& exec, const Coefficients& coefficients,
             const Results& results, int sign = -1) const {
    const char* const name = "Sporos::NufftNormalPlan::apply";
    const Impl::ProfilingRegion region(name);
    Impl::check_nufft_types<ExecSpace, Dim, complex_type, Dim, complex_type,
                            Coefficients, Results>();
    const State& s = state(name);
    Impl::check_nufft_call(name, exec, s.device, s.has_points, sign);
    std::size_t modes[Dim];
    for (int d = 0; d < Dim; ++d) modes[d] = std::size_t(s.grid.modes[d]);
    Impl::check_nufft_extents(name, "coefficients", coefficients, modes);
    Impl::check_nufft_extents(name, "results", results, modes);
    Impl::check_nufft_batches<Dim>(name, "results", results, coefficients);
    Impl::check_nufft_memory(name, "coefficients", coefficients, "results",
                             results);
    for (std::size_t b = 0; b < Impl::nufft_batches<Dim>(coefficients); ++b) {
      s.fft.put(
          exec, s.modes,
          Impl::nufft_coefficients<const complex_type, Dim>(coefficients, b),
          -sign);
      Impl::multiply_nufft_field(exec, s.fft.field(), s.spectrum.data(),
                                 s.grid.size());
      s.fft.take(exec, s.modes,
                 Impl::nufft_coefficients<complex_type, Dim>(results, b), 1,
                 sign);
    }
  }

  /// Number of points; 0 before set_points.
  std::size_t size() const { return state().points; }
  /// Modes, and points of the grid of the convolution.
  const NufftGrid<Dim>& grid() const { return state().grid; }
  /// Width of the kernel of type 1 of the weights.
  int width() const { return state().choice.width; }
  /// The options, as given.
  const NufftOptions& options() const { return state().options; }
  /// Bytes of memory, without that of FFTW.
  std::size_t bytes() const {
    const State& s = state();
    return s.fine.extent(0) * sizeof(complex_type) +
           s.spectrum.extent(0) * sizeof(T) + s.modes.bytes() + s.fft.bytes();
  }
  /// Text: what was chosen.
  [[gnu::cold]] std::string describe() const {
    const State& s = state();
    std::ostringstream out;
    out << "Sporos::NufftNormalPlan: " << Impl::nufft_sizes(s.grid.modes)
        << " modes on a grid of " << Impl::nufft_sizes(s.grid.points) << ", "
        << s.points << " points\n  type 1 of the weights: "
        << Impl::nufft_sizes(s.choice.grid.modes) << " modes on a grid of "
        << Impl::nufft_sizes(s.choice.grid.points) << ", kernel of width "
        << s.choice.width << " for an upsampling of " << s.choice.upsampling
        << Impl::nufft_choice_text(s.options) << "\n  error: below "
        << s.choice.error << " (tolerance " << s.options.tolerance
        << ")\n  memory: " << bytes() << " bytes\n";
    return out.str();
  }

 private:
  using Memory = typename ExecSpace::memory_space;
  /// Type 1 of the weights.
  using Steps = Impl::NufftSteps<ExecSpace, Dim, T, T, Widths, Fft, T>;

  struct State {
    NufftOptions options;
    int device;
    NufftGrid<Dim> grid;
    Impl::NufftChoice<Dim> choice;  ///< of type 1 of the weights
    Kokkos::View<complex_type*, Memory> fine;
    Kokkos::View<T*, Memory> spectrum;  ///< of the inner sums, / grid.size()
    Impl::NufftSpectrum<Fft, ExecSpace, Dim, T, complex_type> fft;
    Impl::NufftModes<ExecSpace, T, Dim> modes;
    std::size_t points = 0;
    bool has_points    = false;

    State(const ExecSpace& exec, const NufftOptions& o, const NufftGrid<Dim>& g,
          const Impl::NufftChoice<Dim>& c)
        : options(o),
          device(Impl::device_of(exec)),
          grid(g),
          choice(c),
          fine(Impl::new_view<Kokkos::View<complex_type*, Memory>>(
              exec, "Sporos::nufft::fine", g.size())),
          spectrum(Impl::new_view<Kokkos::View<T*, Memory>>(
              exec, "Sporos::nufft::spectrum", g.size())),
          fft(exec, g, fine.data(), o),
          modes(exec, g, g.points[Dim - 1], Impl::all_ones(g)) {}
  };

  static std::shared_ptr<State> make_state(const ExecSpace& exec,
                                           const Kokkos::Array<int, Dim>& modes,
                                           const NufftOptions& options) {
    const char* const name = "Sporos::NufftNormalPlan";
    Impl::check_nufft_options<T>(name, options);
    auto grid              = Impl::nufft_modes<Dim>(name, modes, options.order,
                                       Impl::most_nufft_modes / 2);
    const auto differences = Impl::nufft_differences(grid);
    for (int d = 0; d < Dim; ++d)
      grid.points[d] = Impl::nufft_points(differences.modes[d], 1);
    const auto choice =
        Impl::choose_nufft<T, T>(name, differences, options, Widths());
    Impl::check_nufft_rows(name, choice.grid);
    Impl::check_nufft_rows(name, grid);
    return std::make_shared<State>(exec, options, grid, choice);
  }

  State& state(const char* function = "Sporos::NufftNormalPlan") const {
    Impl::check_handle(m_state != nullptr, function, "plan");
    return *m_state;
  }

  template <class Points, class Weights>
  void take_points(const char* name, const ExecSpace& exec, const Points& x,
                   const Weights& weights) {
    const Impl::ProfilingRegion region(name);
    State& s          = state(name);
    const auto& sizes = s.choice.grid;
    const auto sums   = Impl::new_view<Kokkos::View<complex_type*, Memory>>(
        exec, "Sporos::nufft::sums", Impl::half_of_modes(sizes));
    auto half = Impl::packed_half<complex_type>(sizes, sums.data());
    {
      const auto fine = Impl::new_view<Kokkos::View<complex_type*, Memory>>(
          exec, "Sporos::nufft::fine", Steps::Spectrum::size(sizes));
      const Steps steps(exec, s.options, s.choice, fine.data());
      steps.transfer().set_points(exec, x);
      steps.type1(
          exec,
          Impl::nufft_line<typename Steps::Views::ConstValues>(weights, 0),
          half, 1);
      Impl::fence(exec, name);
    }
    Impl::transform_differences<Fft>(
        exec, s.options, s.grid,
        Impl::packed_half<const complex_type>(sizes, sums.data()),
        s.spectrum.data());
    Impl::fence(exec, name);
    s.points     = x.extent(0);
    s.has_points = true;
  }

  std::shared_ptr<State> m_state;
};

}  // namespace Sporos

#endif
