// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef SPOROS_DISTRIBUTEDNUFFT_HPP
#define SPOROS_DISTRIBUTEDNUFFT_HPP

/// \file Sporos_DistributedNufft.hpp
/// Non-uniform FFTs of types 1 and 2 on many MPI ranks: points anywhere, modes
/// in slabs.
///
/// \code
///   Sporos::DistributedNufftPlan<Exec, 3, double> plan(exec, comm,
///                                                      {{256, 256, 256}});
///   Kokkos::View<Kokkos::complex<double>***, Exec> coefficients(
///       "coefficients", plan.rows(), 256, 256);
///   plan.set_points(exec, points);
///   plan.type1(exec, values, coefficients);
///   plan.type2(exec, coefficients, values);
/// \endcode

#include <Sporos_DistributedGrid.hpp>
#include <Sporos_Nufft.hpp>
#include <distributed/nufft/Sporos_NufftSlabFft.hpp>
#include <distributed/nufft/Sporos_NufftSlabTransfer.hpp>
#include <nufft/steps/Sporos_NufftCalls.hpp>
#include <nufft/steps/Sporos_NufftSteps.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <sstream>
#include <string>
#include <type_traits>
#include <utility>

namespace Sporos {

/// Options of a DistributedNufftPlan, the same on all ranks.
struct DistributedNufftOptions {
  /// As on one rank.
  NufftOptions nufft{};
  /// Results have the same bits on any number of ranks. Points then need
  /// numbers.
  bool any_ranks = false;
};

/// A plan of non-uniform FFTs whose points and modes are spread out over MPI
/// ranks. Sums, signs, tolerances and the order of modes are those of
/// NufftPlan. Each rank gives any points; a rank has rows() modes of direction
/// 0, from first_row() on, and all of the other directions.
///
/// The fine grid is cut into slabs along direction 1. Values travel to the
/// slabs of their points; after FFTs in the other directions modes alone travel
/// once, by MPI_Alltoallv.
///
/// A shallow handle: copies share everything. Calls use workspaces of the plan.
/// All calls are collective. Destroy plans before MPI_Finalize and
/// Kokkos::finalize.
///
/// \tparam ExecSpace a host space
/// \tparam Dim 2 or 3: one direction alone cannot be cut into slabs
/// \tparam T float or double, of points, values and coefficients
/// \tparam Widths a NufftWidths: which widths of the kernel are compiled
template <class ExecSpace, int Dim, class T,
          class Widths =
              std::conditional_t<std::is_same<T, float>::value,
                                 NufftWidthsOfFloat, NufftWidthsOfDouble>>
class DistributedNufftPlan {
  static_assert(Dim == 2 || Dim == 3,
                "Sporos::DistributedNufftPlan: Dim must be 2 or 3");
  static_assert(std::is_same<T, float>::value || std::is_same<T, double>::value,
                "Sporos::DistributedNufftPlan: T must be float or double");
  static_assert(Impl::has_slab_fft<T>,
                "Sporos::DistributedNufftPlan: there is no FFT: link "
                "Sporos::fftw");
  static_assert(Impl::is_host_space_v<ExecSpace>,
                "Sporos::DistributedNufftPlan: the execution space must be one "
                "of hosts");

 public:
  using execution_space = ExecSpace;           ///< where transforms run
  using complex_type    = Kokkos::complex<T>;  ///< of values and coefficients

  /// An empty handle, to be assigned to. Every other use throws.
  DistributedNufftPlan() = default;

  /// Chooses a fine grid and a kernel, and plans FFTs. Collective; waits.
  /// \param exec an instance of the execution space
  /// \param comm the ranks
  /// \param modes in each direction, at least 1; the same on all ranks
  /// \param options the same on all ranks
  /// \throws std::invalid_argument on all ranks for what NufftPlan refuses, for
  ///   ranks that differ, and for 2^31 modes or more on a rank
  DistributedNufftPlan(const ExecSpace& exec, const Communicator& comm,
                       const Kokkos::Array<int, Dim>& modes,
                       const DistributedNufftOptions& options = {}) {
    Impl::check_handle(comm.is_made(), name, "comm");
    Impl::NufftChoice<Dim> choice;
    Impl::agree_on(
        comm, name, [&] { choice = choose(modes, options); },
        in_words(modes, options));
    const DistributedGrid<Dim> blocks = cut(comm, choice);
    Impl::agree_on(comm, name, [&] {
      m_state = std::make_shared<State>(exec, blocks, options, choice);
    });
  }

  /// Takes points of this rank, which may lie anywhere, and waits for the
  /// result. Comes before the first transform; another call takes others.
  /// \param exec an instance of the execution space
  /// \param points shape (n, Dim); any layout. They are copied. Those outside
  ///   [-pi, pi) are folded into it.
  /// \throws std::invalid_argument on all ranks for wrong extents, a missing
  ///   memory, and a coordinate that is not finite, on one; and with any_ranks.
  ///   The plan then has the points that it had.
  /// Complexity: see migrate and DistributedParticleGridPlan
  template <class Points>
  void set_points(const ExecSpace& exec, const Points& points) {
    const typename Routes::Numbers* const none = nullptr;
    set_all(exec, points, none);
  }
  /// With any_ranks: points have numbers, in whose order they are added up.
  /// \param exec, points as above
  /// \param numbers shape (n), std::int64_t; none is negative, and no two
  ///   points of all ranks have the same
  template <class Points, class Numbers>
  void set_points(const ExecSpace& exec, const Points& points,
                  const Numbers& numbers) {
    static_assert(Impl::view_rank_v<Numbers> == 1 &&
                      std::is_same<typename Numbers::non_const_value_type,
                                   std::int64_t>::value &&
                      Impl::is_accessible_v<ExecSpace, Numbers>,
                  "Sporos::DistributedNufftPlan: numbers must be a View of "
                  "std::int64_t of rank 1, accessible to the execution space");
    set_all(exec, points, &numbers);
  }

  /// Points to modes.
  /// \param exec the execution-space instance in which it runs
  /// \param values of this rank's points, shape (n), or (b, n) for b transforms
  ///   at the same points, b the same on all ranks; any layout
  /// \param coefficients of this rank's modes, shape (rows(), N(1), ...), or
  ///   with b as first extent; overwritten; any layout
  /// \param sign of the exponent, -1 or 1
  /// \throws std::invalid_argument for wrong extents or sign, Views without
  ///   memory or with common memory, and before set_points; nothing is written.
  ///   On all ranks if one is wrong in the first call of its kind, later on
  ///   that rank alone, see docs/distributed.md.
  /// Waits for exec; allocates nothing after the first call.
  template <class Values, class Coefficients>
  void type1(const ExecSpace& exec, const Values& values,
             const Coefficients& coefficients, int sign = 1) const {
    const char* const call = "Sporos::DistributedNufftPlan::type1";
    const Impl::ProfilingRegion region(call);
    State& s = state(call);
    Impl::check_nufft_types<ExecSpace, 1, complex_type, Dim, complex_type,
                            Values, Coefficients>();
    check_call(call, s, values, coefficients, sign, [&] {
      Impl::check_nufft_memory(call, "values", values, "coefficients",
                               coefficients);
    });
    for (std::size_t b = 0; b < Impl::nufft_batches<1>(values); ++b) {
      const auto here = s.routes.bring(
          exec, Impl::nufft_line<typename Lines::ConstValues>(values, b));
      Impl::fill_nufft_field(exec, s.field.data(), s.field.size());
      s.transfer->spread(exec, here, s.field);
      s.fft->to_modes(
          exec, s.owned(),
          Impl::nufft_coefficients<complex_type, Dim>(coefficients, b),
          s.volume, sign);
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
    const char* const call = "Sporos::DistributedNufftPlan::type2";
    const Impl::ProfilingRegion region(call);
    State& s = state(call);
    Impl::check_nufft_types<ExecSpace, Dim, complex_type, 1, complex_type,
                            Coefficients, Values>();
    check_call(call, s, values, coefficients, sign, [&] {
      Impl::check_nufft_memory(call, "coefficients", coefficients, "values",
                               values);
    });
    for (std::size_t b = 0; b < Impl::nufft_batches<1>(values); ++b) {
      s.fft->from_modes(
          exec,
          Impl::nufft_coefficients<const complex_type, Dim>(coefficients, b),
          s.owned(), sign);
      const auto here = s.routes.slab(exec);
      s.transfer->interpolate(exec, s.field, here);
      s.routes.give(exec, Impl::nufft_line<typename Lines::Values>(values, b));
    }
  }

  /// The first mode of direction 0 of this rank, in the order of the options.
  int first_row() const { return state().slabs.first_plane(); }
  /// Modes of direction 0 of this rank; 0 if there are more ranks than modes.
  int rows() const {
    const State& s = state();
    return s.slabs.planes(s.slabs.rank);
  }
  /// Number of points that this rank gave; 0 before set_points.
  std::size_t size() const { return state().routes.own(); }
  /// All modes and points of the fine grid.
  const NufftGrid<Dim>& grid() const { return state().choice.grid; }
  int width() const { return state().choice.width; }  ///< Width of the kernel.
  /// The options, as given.
  const DistributedNufftOptions& options() const { return state().options; }
  /// See NufftPlan::expected_error().
  double expected_error() const { return state().transfer->expected_error(); }
  /// Bytes of memory of this rank, without that of FFTW and of messages.
  std::size_t bytes() const {
    const State& s = state();
    return s.field.size() * sizeof(complex_type) + s.fft->bytes() +
           s.transfer->bytes() + s.routes.bytes();
  }
  /// Text: what was chosen, and what this rank has. Waits for exec.
  [[gnu::cold]] std::string describe(const ExecSpace& exec = ExecSpace{}) const;

 private:
  static constexpr const char* name = "Sporos::DistributedNufftPlan";
  using Transfer = Impl::NufftSlabTransfer<ExecSpace, Dim, T>;
  using Routes   = Impl::NufftRoutes<ExecSpace, Dim, T>;
  using Fft      = Impl::NufftSlabFft<ExecSpace, Dim, T>;
  using Lines    = Impl::NufftViews<ExecSpace, Dim, T>;

  struct State {
    DistributedNufftOptions options;
    Impl::NufftChoice<Dim> choice;
    DistributedGrid<Dim> blocks;
    Impl::NufftSlabs<Dim> slabs;
    double volume;  ///< of a cell
    std::unique_ptr<Transfer> transfer;
    typename Transfer::Field field;
    std::optional<Fft> fft;
    Routes routes;
    bool has_points = false;
    Impl::AgreedKinds agreed;

    State(const ExecSpace& exec, const DistributedGrid<Dim>& blocks_,
          const DistributedNufftOptions& o, const Impl::NufftChoice<Dim>& c)
        : options(o),
          choice(c),
          blocks(blocks_),
          slabs(c.grid, blocks_),
          volume(c.grid.transfer_grid().cell_volume()),
          transfer(Impl::make_nufft_slab_transfer<ExecSpace, Dim, T>(
              c, blocks_, o.any_ranks, Widths())) {
      Kokkos::LayoutRight layout;
      for (int d = 0; d < Dim; ++d)
        layout.dimension[d] = std::size_t(blocks.extent(d, 0.));
      field = typename Transfer::Field(
          Kokkos::view_alloc(exec, "Sporos::nufft::fine"), layout);
      fft.emplace(exec, blocks.comm(), slabs, o.nufft, transfer->inverse());
    }
    typename Fft::Field owned() const {
      typename Fft::Field f;
      f.data = field.data();
      for (int d = 0; d < Dim; ++d) {
        f.stride[d] = std::ptrdiff_t(field.stride(d));
        f.data += blocks.ghosts() * f.stride[d];
      }
      return f;
    }
  };

  static Impl::NufftChoice<Dim> choose(const Kokkos::Array<int, Dim>& modes,
                                       const DistributedNufftOptions& o) {
    Impl::check_nufft_options<T>(name, o.nufft);
    auto choice = Impl::choose_nufft<T, complex_type>(
        name, Impl::nufft_modes<Dim>(name, modes, o.nufft.order), o.nufft,
        Widths());
    // no point is twice in the window of a block
    const int least = ghosts(choice) + Impl::window_margin(choice.width);
    for (int& points : choice.grid.points)
      points = std::max(points, Impl::nufft_points(least, 1));
    return choice;
  }
  static int ghosts(const Impl::NufftChoice<Dim>& choice) {
    return choice.width / 2 + 1;
  }
  static DistributedGrid<Dim> cut(const Communicator& comm,
                                  const Impl::NufftChoice<Dim>& choice) {
    DistributedGridOptions<Dim> o;
    for (int d = 0; d < Dim; ++d) o.blocks[d] = d == 1 ? 0 : 1;
    o.ghosts = ghosts(choice);
    return {comm, choice.grid.transfer_grid(), o};
  }
  /// What all ranks must have alike
  static std::string in_words(const Kokkos::Array<int, Dim>& modes,
                              const DistributedNufftOptions& o) {
    std::ostringstream out;
    for (int d = 0; d < Dim; ++d) out << (d > 0 ? " x " : "") << modes[d];
    out << " modes, tolerance " << o.nufft.tolerance << ", upsampling "
        << o.nufft.upsampling << ", " << o.nufft.points << " points, order "
        << Impl::name_of(o.nufft.order) << ", " << Impl::type_in_words<T>()
        << (o.any_ranks ? ", any_ranks" : "");
    return out.str();
  }

  State& state(const char* function = name) const {
    Impl::check_handle(m_state != nullptr, function, "plan");
    return *m_state;
  }

  template <class Points, class Numbers>
  void set_all(const ExecSpace& exec, const Points& points,
               const Numbers* numbers) {
    const char* const call = "Sporos::DistributedNufftPlan::set_points";
    const Impl::ProfilingRegion region(call);
    State& s = state(call);
    typename Lines::Points x;
    Impl::agree_on(
        s.blocks.comm(), call,
        [&] {
          x = Impl::nufft_coordinates<ExecSpace, Dim, T>(call, "points",
                                                         points);
          Impl::check((numbers != nullptr) == s.options.any_ranks, call,
                      "numbers",
                      s.options.any_ranks
                          ? "numbers of points, since options.any_ranks is set"
                          : "none, since options.any_ranks is not set",
                      numbers != nullptr ? "numbers" : "none");
          if (numbers == nullptr) return;
          Impl::check(numbers->extent(0) == x.extent(0), call, "numbers",
                      Impl::text("extent(0) == ", x.extent(0)),
                      numbers->extent(0));
          Impl::check_memory(call, "numbers", *numbers);
        },
        numbers != nullptr ? "numbers" : "no numbers");
    Routes routes;
    const auto here = routes.find(call, exec, s.blocks, x, numbers);
    s.has_points    = false;  // unless the transfer takes them
    s.routes        = std::move(routes);
    s.transfer->set_points(exec, here);
    s.has_points = true;
  }

  /// Checks what both types have in common.
  template <class Values, class Coefficients, class Memory>
  static void check_call(const char* call, State& s, const Values& values,
                         const Coefficients& coefficients, int sign,
                         const Memory& check_memory) {
    Impl::agree_once(
        s.blocks.comm(), s.agreed, call,
        [&] {
          Impl::check_nufft_call(call, s.has_points, sign);
          Impl::check_nufft_extents<1>(call, "values", values,
                                       {s.routes.own()});
          std::size_t modes[Dim] = {std::size_t(s.slabs.planes(s.slabs.rank))};
          for (int d = 1; d < Dim; ++d)
            modes[d] = std::size_t(s.choice.grid.modes[d]);
          Impl::check_nufft_extents(call, "coefficients", coefficients, modes);
          Impl::check_nufft_batches<1>(call, "coefficients", coefficients,
                                       values);
          check_memory();
        },
        Impl::in_one_text(Impl::nufft_batches<1>(values), " transforms, sign ",
                          sign));
  }

  std::shared_ptr<State> m_state;
};

template <class ExecSpace, int Dim, class T, class Widths>
std::string DistributedNufftPlan<ExecSpace, Dim, T, Widths>::describe(
    const ExecSpace& exec) const {
  const State& s = state();
  std::ostringstream out;
  out << name << ": " << Impl::nufft_sizes(s.choice.grid.modes)
      << " modes on a grid of " << Impl::nufft_sizes(s.choice.grid.points)
      << ", kernel of width " << width() << "; rank " << s.slabs.rank
      << " has the modes [" << first_row() << ", " << first_row() + rows()
      << ") of direction 0, " << s.routes.here() << " points, and gave "
      << size() << "\n  error: below " << s.choice.error << ", expected "
      << expected_error() << " (tolerance " << s.options.nufft.tolerance
      << ")\n  memory of this rank: " << bytes() << " bytes\n"
      << s.transfer->describe(exec);
  return out.str();
}

}  // namespace Sporos

#endif
