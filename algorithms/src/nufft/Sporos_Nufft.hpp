// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef SPOROS_NUFFT_HPP
#define SPOROS_NUFFT_HPP

/// \file Sporos_Nufft.hpp
/// Non-uniform FFTs: Fourier sums over points at any places, types 1 (points to
/// modes) and 2 (modes to points).
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
#include <nufft/grid/Sporos_NufftModes.hpp>
#include <nufft/transfer/Sporos_NufftTransfer.hpp>

#include <cstddef>
#include <cstdint>
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
    State& s           = state(name);
    constexpr int rank = Impl::view_rank_v<Points>;
    static_assert(Kokkos::is_view<Points>::value &&
                      (rank == 2 || (rank == 1 && Dim == 1)),
                  "Sporos::NufftPlan: points must be a View of rank 2, (n, "
                  "Dim); in one dimension also of rank 1");
    static_assert(std::is_same<typename Points::non_const_value_type, T>::value,
                  "Sporos::NufftPlan: points must hold T");
    check_space<Points>();
    Impl::check_device(name, exec, s.device);
    if constexpr (rank == 2)
      Impl::check(points.extent(1) == std::size_t(Dim), name, "points",
                  Impl::text("extents (n, ", Dim, ")"), Impl::extents(points));
    Impl::check(points.extent(0) < Impl::points_end, name, "points",
                Impl::text("fewer than ", Impl::points_end, " points"),
                points.extent(0));
    Impl::check_memory(name, "points", points);
    std::size_t along = 1;
    if constexpr (rank == 2) along = std::size_t(points.stride(1));
    const Kokkos::LayoutStride layout(points.extent(0),
                                      std::size_t(points.stride(0)),
                                      std::size_t(Dim), along);
    s.transfer->set_points(exec, typename Views::Points(points.data(), layout));
    s.points = points.extent(0);
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
    for (std::size_t b = 0; b < batches(values); ++b) {
      {
        const Impl::ProfilingRegion step("Sporos::nufft::spread");
        s.modes.zero(exec, s.fine.data());
        s.transfer->spread(exec, line<typename Views::ConstValues>(values, b),
                           s.field());
      }
      {
        const Impl::ProfilingRegion step("Sporos::nufft::fft");
        s.fft.to_modes(exec, sign);
      }
      // the integral over the grid: spread adds values / cell volume
      const Impl::ProfilingRegion step("Sporos::nufft::modes");
      s.modes.take(exec, s.fine.data(), grid_of<complex_type>(coefficients, b),
                   s.volume);
    }
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
    for (std::size_t b = 0; b < batches(values); ++b) {
      {
        const Impl::ProfilingRegion step("Sporos::nufft::modes");
        s.modes.put(exec, grid_of<const complex_type>(coefficients, b),
                    s.fine.data());
      }
      {
        const Impl::ProfilingRegion step("Sporos::nufft::fft");
        s.fft.from_modes(exec, sign);
      }
      const Impl::ProfilingRegion step("Sporos::nufft::interpolate");
      s.transfer->interpolate(exec, s.field(),
                              line<typename Views::Values>(values, b));
    }
  }

  /// Number of points; 0 before set_points.
  std::size_t size() const { return state().points; }
  /// Modes and points of the fine grid.
  const NufftGrid<Dim>& grid() const { return state().choice.grid; }
  int width() const { return state().choice.width; }  ///< Width of the kernel.
  /// The options, as given.
  const NufftOptions& options() const { return state().options; }
  /// The relative error of results that kernel and rounding on the grid make
  /// expect, within a factor of 3 (see
  /// ExponentialOfSemicircle::expected_error).
  double expected_error() const { return state().transfer->expected_error(); }
  /// Bytes of memory, without that of FFTW.
  std::size_t bytes() const {
    const State& s = state();
    return s.fine.extent(0) * sizeof(complex_type) + s.transfer->bytes() +
           s.modes.bytes() + s.fft.bytes();
  }
  /// Text: what was chosen, and the time that the cost model expects. Waits
  /// for exec.
  [[gnu::cold]] std::string describe(const ExecSpace& exec = ExecSpace{}) const;

 private:
  using Views  = Impl::NufftViews<ExecSpace, Dim, T>;
  using Memory = typename ExecSpace::memory_space;

  struct State {
    NufftOptions options;
    Impl::NufftChoice<Dim> choice;
    int device;
    double volume;  ///< of a cell
    std::unique_ptr<Impl::NufftTransfer<ExecSpace, Dim, T>> transfer;
    Kokkos::View<complex_type*, Memory> fine;
    typename Fft::template Plan<ExecSpace, Dim, T> fft;
    Impl::NufftModes<ExecSpace, T, Dim> modes;
    std::size_t points = 0;

    State(const ExecSpace& exec, const NufftOptions& o,
          const Impl::NufftChoice<Dim>& c)
        : options(o),
          choice(c),
          device(Impl::device_of(exec)),
          volume(c.grid.transfer_grid().cell_volume()),
          transfer(Impl::make_nufft_transfer<ExecSpace, Dim, T>(c, Widths())),
          fine(Impl::new_view<Kokkos::View<complex_type*, Memory>>(
              exec, "Sporos::nufft::fine", c.grid.size())),
          fft(exec, c.grid, fine.data(), o),
          modes(exec, c.grid, transfer->inverse()) {}

    typename Views::Fine field() const {
      Kokkos::LayoutRight layout;
      for (int d = 0; d < Dim; ++d)
        layout.dimension[d] = std::size_t(choice.grid.points[d]);
      return typename Views::Fine(fine.data(), layout);
    }
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
  template <class Values>
  static std::size_t batches(const Values& values) {
    return Impl::view_rank_v<Values> == 2 ? values.extent(0) : 1;
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
    Impl::check(s.transfer->has_points(), name, "plan", "points, by set_points",
                "none");
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
  static int modes_of(const State& s, int d) { return s.choice.grid.modes[d]; }

  /// Transform b of values.
  template <class Line, class Values>
  static Line line(const Values& values, std::size_t b) {
    constexpr int along = Impl::view_rank_v<Values> - 1;
    auto* data          = values.data();
    if (along == 1) data += b * std::size_t(values.stride(0));
    return Line(data, Kokkos::LayoutStride(values.extent(along),
                                           std::size_t(values.stride(along))));
  }
  template <class Complex, class Coefficients>
  static Impl::NufftCoefficients<Complex, Dim> grid_of(
      const Coefficients& coefficients, std::size_t b) {
    constexpr int first = Impl::view_rank_v<Coefficients> - Dim;
    Impl::NufftCoefficients<Complex, Dim> c;
    c.data = coefficients.data();
    if (first == 1) c.data += b * std::size_t(coefficients.stride(0));
    for (int d = 0; d < Dim; ++d)
      c.stride[d] = std::ptrdiff_t(coefficients.stride(first + d));
    return c;
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
  NufftGrid<Dim> grid;
  grid.centred = o.order == NufftOrder::centred;
  for (int d = 0; d < Dim; ++d) {
    Impl::check(
        modes[d] >= 1 && modes[d] <= Impl::most_nufft_modes, name, "modes",
        Impl::text("1 to ", Impl::most_nufft_modes, " in each direction"),
        modes[d]);
    grid.modes[d] = modes[d];
  }
  const auto choice = Impl::choose_nufft<T>(name, grid, o, Widths());
  double rows       = 1;
  for (int d = 0; d < Dim - 1; ++d) rows *= choice.grid.points[d];
  rows *= Impl::NufftRows<T, Dim>::pieces(choice.grid.points[Dim - 1]);
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
  std::ostringstream out;
  const auto sizes = [&](const int(&n)[Dim]) {
    for (int d = 0; d < Dim; ++d) out << (d > 0 ? " x " : "") << n[d];
  };
  out << "Sporos::NufftPlan: ";
  sizes(s.choice.grid.modes);
  out << " modes on a grid of ";
  sizes(s.choice.grid.points);
  out << ", kernel of width " << s.choice.width << " for an upsampling of "
      << s.choice.upsampling
      << (s.options.upsampling > 0 ? " (as the options ask)"
                                   : " (least time by the cost model)")
      << "\n  error: below " << s.choice.error << ", expected "
      << expected_error() << " (tolerance " << s.options.tolerance
      << ")\n  expected of one thread, per transform: points "
      << s.choice.points_ns / Impl::NufftCost::per_ms << " ms, FFT and grid "
      << s.choice.fft_ns / Impl::NufftCost::per_ms
      << " ms\n  memory: " << bytes() << " bytes\n"
      << s.transfer->describe(exec);
  return out.str();
}

}  // namespace Sporos

#endif
