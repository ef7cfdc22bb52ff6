// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef SPOROS_NUFFTTYPE3_HPP
#define SPOROS_NUFFTTYPE3_HPP

/// \file Sporos_NufftType3.hpp
/// Non-uniform FFTs of type 3: Fourier sums over points at any places, at any
/// frequencies.
///
/// \code
///   Sporos::NufftType3Plan<Exec, 2, double> plan(exec, options);
///   plan.set_points(exec, points, frequencies);
///   plan.type3(exec, values, results);
/// \endcode

#include <Sporos_Error.hpp>
#include <Sporos_NufftFft.hpp>
#include <Sporos_NufftGrid.hpp>
#include <Sporos_NufftOptions.hpp>
#include <Sporos_ProfilingRegion.hpp>
#include <Sporos_ViewChecks.hpp>
#include <Sporos_Workspace.hpp>
#include <nufft/choice/Sporos_NufftType3Choice.hpp>
#include <nufft/points/Sporos_NufftRescale.hpp>
#include <nufft/steps/Sporos_NufftCalls.hpp>
#include <nufft/steps/Sporos_NufftSteps.hpp>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <sstream>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

namespace Sporos {

/// A plan of non-uniform FFTs of type 3, for points x_j and frequencies s_m,
/// both anywhere:
///
///   results(m) = sum_j values(j) exp(sign i s_m x_j)
///
/// Values are spread to a grid over the box of the points; a type 2 takes that
/// grid to the frequencies. Both grids have, in each direction, as many points
/// as half of the extent of the points times that of the frequencies asks for
/// (times 2 sigma / pi and 2 sigma^2 / pi): a product of 1000 makes about 2500
/// for an upsampling, sigma, of 2.
///
/// Errors are relative to the l2 norm of all results or, where results cancel,
/// of sqrt(number of results) times all values. Results have the same bits on
/// every run and with any number of threads (see NufftPlan).
///
/// A shallow handle: copies share everything. Calls use workspaces of the plan:
/// two calls at the same time need two plans. Destroy plans before
/// Kokkos::finalize.
///
/// \tparam T float or double, of points, frequencies, values and results
/// \tparam Widths a NufftWidths: which widths of the kernel are compiled
/// \tparam Fft an FFT, see Sporos_NufftFft.hpp
///
/// (Lee, Greengard, "The type 3 nonuniform FFT and its applications", 2005;
/// Barnett, Magland, af Klinteberg, "A parallel nonuniform fast Fourier
/// transform library based on an 'exponential of semicircle' kernel", 2019.)
template <class ExecSpace, int Dim, class T,
          class Widths =
              std::conditional_t<std::is_same<T, float>::value,
                                 NufftWidthsOfFloat, NufftWidthsOfDouble>,
          class Fft = Impl::DefaultNufftFft<ExecSpace>>
class NufftType3Plan {
  static_assert(Impl::check_nufft_plan<Dim, T, Fft>());

 public:
  using execution_space = ExecSpace;           ///< where transforms run
  using complex_type    = Kokkos::complex<T>;  ///< of values and results

  /// An empty handle, to be assigned to. Every other use throws.
  NufftType3Plan() = default;

  /// Chooses widths of the kernel. Grids follow from the points.
  /// \param exec an instance on the device of the plan
  /// \param options tolerance and others
  /// \throws std::invalid_argument for impossible options, and for a tolerance
  ///   that neither of the widths reaches
  explicit NufftType3Plan(const ExecSpace& exec,
                          const NufftOptions& options = {})
      : m_state(make_state(exec, options)) {}

  /// Takes points and frequencies, and waits for the result. Comes before the
  /// first transform; another call takes others.
  /// \param exec an instance on the device of the plan
  /// \param points shape (n, Dim), in one dimension also (n); any layout. They
  ///   are copied.
  /// \param frequencies shape (m, Dim), in one dimension also (m), in radians
  ///   per unit of the points; any layout. They are copied.
  /// \throws std::invalid_argument for wrong extents, a missing memory, 2^31 -
  ///   2^16 points or more, a coordinate that is not finite or above 1e150
  ///   (with its index), and points and frequencies that need a larger grid
  ///   than options.largest_grid; then the plan is as before
  /// Plans FFTs if the grids are others than those of the last call; else, and
  /// with no more points and frequencies than ever before, it allocates
  /// nothing. Complexity: see ParticleGridPlan
  template <class Points, class Frequencies>
  void set_points(const ExecSpace& exec, const Points& points,
                  const Frequencies& frequencies);

  /// Points to frequencies.
  /// \param exec the execution-space instance in which it runs
  /// \param values shape (n), or (b, n) for b transforms at the same points;
  ///   Kokkos::complex<T>, any layout
  /// \param results shape (m) or (b, m); overwritten; any layout
  /// \param sign of the exponent, -1 or 1
  /// \throws std::invalid_argument for wrong extents or sign, Views without
  ///   memory or with common memory, and before set_points; nothing is written
  /// Asynchronous in exec; allocates nothing after the first call. Complexity:
  /// O((n + m) width^Dim + G log G) for G points of the larger grid, b times.
  template <class Values, class Results>
  void type3(const ExecSpace& exec, const Values& values,
             const Results& results, int sign = 1) const;

  /// Number of points; 0 before set_points.
  std::size_t size() const { return state().n; }
  /// Number of frequencies; 0 before set_points.
  std::size_t frequencies() const { return state().m; }
  /// Points of the two grids, the smaller ones as modes; 0 before set_points.
  const NufftGrid<Dim>& grid() const { return state().choice.inner.grid; }
  /// Width of the kernel; 0 before set_points.
  int width() const { return state().choice.inner.width; }
  /// The options, as given.
  const NufftOptions& options() const { return state().options; }
  /// The relative error of results that kernel and rounding on both grids make
  /// expect, where points and frequencies fill their boxes; within a factor of
  /// 3. Throws std::invalid_argument before set_points.
  double expected_error() const {
    const State& s = state();
    Impl::check(s.steps != nullptr, "Sporos::NufftType3Plan::expected_error",
                "plan", "points, by set_points", "none");
    return std::hypot(s.transfer->expected_error(),
                      s.steps->transfer().expected_error());
  }
  /// Bytes of memory, without that of FFTW.
  std::size_t bytes() const;
  /// Text: what was chosen, and the time that the cost model expects. Waits
  /// for exec.
  [[gnu::cold]] std::string describe(const ExecSpace& exec = ExecSpace{}) const;

 private:
  using Memory = typename ExecSpace::memory_space;
  // in double: rescaled points must not lose what those in T hold
  using Views = Impl::NufftViews<ExecSpace, Dim, T, double>;
  using Steps = Impl::NufftSteps<ExecSpace, Dim, T, double, Widths, Fft>;
  template <class Value>
  using Workspace = WorkspaceView<Value, Memory>;

  struct State {
    NufftOptions options;
    int device;
    std::vector<Impl::NufftType3Kernel> kernels;
    Impl::NufftType3Choice<Dim> choice;
    std::unique_ptr<Impl::NufftTransfer<ExecSpace, Dim, T, double>> transfer;
    std::unique_ptr<Steps> steps;
    Impl::NufftTransformSeries transform;
    std::size_t n = 0, m = 0;
    complex_type *field = nullptr, *scaled = nullptr;
    complex_type *before = nullptr, *behind = nullptr;  ///< factors
    Workspace<complex_type> fine_memory{"Sporos::nufft::fine"};
    Workspace<complex_type> field_memory{"Sporos::nufft::field"};
    Workspace<complex_type> scaled_memory{"Sporos::nufft::scaled_values"};
    Workspace<complex_type> before_memory{"Sporos::nufft::before"};
    Workspace<complex_type> behind_memory{"Sporos::nufft::behind"};
    Workspace<double> rescaled_memory{"Sporos::nufft::rescaled"};

    void take_grids(const ExecSpace& exec,
                    const Impl::NufftType3Choice<Dim>& c);
    template <class Points>
    void rescale(const ExecSpace& exec, const Points& points,
                 const Points& frequencies, const Impl::NufftBoxes<Dim>& boxes);
  };

  static std::shared_ptr<State> make_state(const ExecSpace& exec,
                                           const NufftOptions& options) {
    const char* const name = "Sporos::NufftType3Plan";
    Impl::check_nufft_options<T>(name, options);
    Impl::check(options.largest_grid > 0, name, "options.largest_grid",
                "at least 1", options.largest_grid);
    auto s     = std::make_shared<State>();
    s->options = options;
    s->device  = Impl::device_of(exec);
    s->kernels = Impl::type3_kernels<T, Dim>(name, options, Widths());
    return s;
  }

  State& state(const char* function = "Sporos::NufftType3Plan") const {
    Impl::check_handle(m_state != nullptr, function, "plan");
    return *m_state;
  }

  std::shared_ptr<State> m_state;
};

template <class ExecSpace, int Dim, class T, class Widths, class Fft>
void NufftType3Plan<ExecSpace, Dim, T, Widths, Fft>::State::take_grids(
    const ExecSpace& exec, const Impl::NufftType3Choice<Dim>& c) {
  if (steps != nullptr && choice.same_grids(c)) {
    choice = c;
    return;
  }
  steps.reset();  // first: the FFT has a pointer to the grid
  choice   = c;
  transfer = Impl::make_nufft_transfer<ExecSpace, Dim, T, double>(choice.spread,
                                                                  Widths());
  transform = transfer->transform(std::acos(-1.) / choice.sigma);
  field     = field_memory.require_data(exec, choice.spread.grid.size());
  steps     = std::make_unique<Steps>(
      exec, options, choice.inner,
      fine_memory.require_data(exec, choice.inner.grid.size()));
}

template <class ExecSpace, int Dim, class T, class Widths, class Fft>
template <class Points>
void NufftType3Plan<ExecSpace, Dim, T, Widths, Fft>::State::rescale(
    const ExecSpace& exec, const Points& points, const Points& frequencies,
    const Impl::NufftBoxes<Dim>& boxes) {
  using Rescale    = Impl::RescalePoints<Points, T, Dim>;
  const double pi  = std::acos(-1.);
  n                = points.extent(0);
  m                = frequencies.extent(0);
  before           = before_memory.require_data(exec, n);
  behind           = behind_memory.require_data(exec, m);
  scaled           = scaled_memory.require_data(exec, n);
  auto* const both = rescaled_memory.require_data(exec, std::max(n, m) * Dim);
  Rescale p{points, both, std::int64_t(n), before, {}, {}, {}, 0, 1, false, {}};
  Rescale f{frequencies, both, std::int64_t(m), behind, {}, {}, {}, 0,
            1,           true, transform};
  for (int d = 0; d < Dim; ++d) {
    const int cells = choice.spread.grid.points[d];
    // the band of the kernel, pi / sigma, is that of the frequencies
    const double unit = std::min(cells / (2 * choice.sigma * boxes.half_f[d]),
                                 Impl::most_nufft_unit);
    p.centre[d] = f.turn[d] = boxes.centre[d];
    f.centre[d] = p.turn[d] = boxes.centre_f[d];
    p.scale[d]              = 1 / unit;
    f.scale[d]              = 2 * pi / cells * unit;
    f.base += boxes.centre[d] * boxes.centre_f[d];
    f.size *= 2 * pi / cells;  // spread adds values / cell volume
  }
  const auto take = [&](const Rescale& r, auto& to) {
    Impl::for_each_index(
        "Sporos::nufft::rescale",
        Kokkos::RangePolicy<ExecSpace, Kokkos::IndexType<std::int64_t>>(
            exec, 0, r.pitch),
        r);
    to.set_points(exec, typename Views::Points(
                            both, Kokkos::LayoutStride(std::size_t(r.pitch), 1,
                                                       std::size_t(Dim),
                                                       std::size_t(r.pitch))));
  };
  take(p, *transfer);
  take(f, steps->transfer());
}

template <class ExecSpace, int Dim, class T, class Widths, class Fft>
template <class Points, class Frequencies>
void NufftType3Plan<ExecSpace, Dim, T, Widths, Fft>::set_points(
    const ExecSpace& exec, const Points& points,
    const Frequencies& frequencies) {
  const char* const name = "Sporos::NufftType3Plan::set_points";
  const Impl::ProfilingRegion region(name);
  State& s = state(name);
  Impl::check_device(name, exec, s.device);
  const auto x =
      Impl::nufft_coordinates<ExecSpace, Dim, T>(name, "points", points);
  const auto f = Impl::nufft_coordinates<ExecSpace, Dim, T>(name, "frequencies",
                                                            frequencies);
  Impl::NufftBoxes<Dim> boxes;
  Impl::find_nufft_box(name, "points", exec, x, boxes.centre, boxes.half);
  Impl::find_nufft_box(name, "frequencies", exec, f, boxes.centre_f,
                       boxes.half_f);
  const auto choice =
      Impl::choose_type3<T>(name, s.kernels, boxes, double(x.extent(0)),
                            double(f.extent(0)), s.options.largest_grid);
  s.take_grids(exec, choice);
  s.rescale(exec, x, f, boxes);
}

template <class ExecSpace, int Dim, class T, class Widths, class Fft>
template <class Values, class Results>
void NufftType3Plan<ExecSpace, Dim, T, Widths, Fft>::type3(
    const ExecSpace& exec, const Values& values, const Results& results,
    int sign) const {
  const char* const name = "Sporos::NufftType3Plan::type3";
  const Impl::ProfilingRegion region(name);
  Impl::check_nufft_types<ExecSpace, 1, complex_type, 1, complex_type, Values,
                          Results>();
  const State& s = state(name);
  Impl::check_nufft_call(name, exec, s.device, s.steps != nullptr, sign);
  Impl::check_nufft_extents<1>(name, "values", values, {s.n});
  Impl::check_nufft_extents<1>(name, "results", results, {s.m});
  Impl::check_nufft_batches<1>(name, "results", results, values);
  Impl::check_nufft_memory(name, "values", values, "results", results);
  if (s.m == 0) return;
  const auto field = Impl::nufft_field<Views>(s.choice.spread.grid, s.field);
  Impl::NufftCoefficients<const complex_type, Dim> modes{s.field, {}};
  for (int d = 0; d < Dim; ++d)
    modes.stride[d] = std::ptrdiff_t(field.stride(d));
  const typename Views::Values scaled(s.scaled, Kokkos::LayoutStride(s.n, 1));
  for (std::size_t b = 0; b < Impl::nufft_batches<1>(values); ++b) {
    {
      const Impl::ProfilingRegion step("Sporos::nufft::spread");
      Impl::multiply_factors(
          exec, Impl::nufft_line<typename Views::ConstValues>(values, b),
          scaled, s.before, sign);
      Impl::fill_nufft_field(exec, s.field, s.choice.spread.grid.size());
      s.transfer->spread(exec, scaled, field);
    }
    const auto line = Impl::nufft_line<typename Views::Values>(results, b);
    s.steps->type2(exec, modes, line, sign);
    Impl::multiply_factors(exec, line, line, s.behind, sign);
  }
}

template <class ExecSpace, int Dim, class T, class Widths, class Fft>
std::size_t NufftType3Plan<ExecSpace, Dim, T, Widths, Fft>::bytes() const {
  const State& s  = state();
  std::size_t sum = s.fine_memory.bytes() + s.field_memory.bytes() +
                    s.scaled_memory.bytes() + s.before_memory.bytes() +
                    s.behind_memory.bytes() + s.rescaled_memory.bytes();
  if (s.steps != nullptr) sum += s.steps->bytes() + s.transfer->bytes();
  return sum;
}

template <class ExecSpace, int Dim, class T, class Widths, class Fft>
std::string NufftType3Plan<ExecSpace, Dim, T, Widths, Fft>::describe(
    const ExecSpace& exec) const {
  const State& s = state();
  if (s.steps == nullptr) return "Sporos::NufftType3Plan: no points yet\n";
  const auto& c = s.choice;
  std::ostringstream out;
  out << "Sporos::NufftType3Plan: " << s.n << " points, " << s.m
      << " frequencies, on grids of " << Impl::nufft_sizes(c.inner.grid.modes)
      << " and " << Impl::nufft_sizes(c.inner.grid.points)
      << ", kernels of width " << c.inner.width << " for an upsampling of "
      << c.sigma << Impl::nufft_choice_text(s.options) << "\n  error: below "
      << std::sqrt(2.) * c.inner.error << ", expected " << expected_error()
      << " (tolerance " << s.options.tolerance
      << ")\n  expected of one thread, per transform: points "
      << c.spread.points_ns / Impl::NufftCost::per_ms << " ms, FFT and grid "
      << c.inner.fft_ns / Impl::NufftCost::per_ms << " ms, frequencies "
      << c.inner.points_ns / Impl::NufftCost::per_ms
      << " ms\n  memory: " << bytes()
      << " bytes\n  points: " << s.transfer->describe(exec)
      << "\n  frequencies: " << s.steps->transfer().describe(exec);
  return out.str();
}

}  // namespace Sporos

#endif
