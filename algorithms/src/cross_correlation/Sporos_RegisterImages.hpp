// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef SPOROS_REGISTERIMAGES_HPP
#define SPOROS_REGISTERIMAGES_HPP

/// \file Sporos_RegisterImages.hpp
/// How far images have moved, to a hundredth of a pixel, from their spectra.
///
/// \code
///   Kokkos::View<Sporos::ImageShift*> shifts("shifts", n);
///   Sporos::register_images(exec, left, right, shifts);
/// \endcode

#include <Sporos_ProfilingRegion.hpp>
#include <cross_correlation/problem/Sporos_CorrelateChecks.hpp>
#include <cross_correlation/registration/Sporos_RegistrationState.hpp>
#include <cross_correlation/windows/Sporos_PlannedWindows.hpp>

#include <cstddef>
#include <memory>
#include <sstream>
#include <string>
#include <type_traits>

namespace Sporos {
inline namespace SPOROS_IMPL_FFT_LIBRARIES {

/// The plan of registrations of n pairs of images of the same extents: plans of
/// FFTs and memory. Pairs go in batches through a few MiB (4 on hosts, 64 on
/// devices), or about three images for one pair if these are larger.
///
/// A shallow handle, like CrossCorrelatePlan.
/// \tparam T float or double: transforms are made in it
template <class ExecSpace, class T = float>
class RegistrationPlan {
  static_assert(std::is_floating_point<T>::value && sizeof(T) <= 8,
                "Sporos::RegistrationPlan: T must be float or double");

 public:
  using execution_space = ExecSpace;  ///< where registrations run
  /// for the implementation
  using State = Impl::RegistrationState<ExecSpace, T>;

  /// An empty handle, to be assigned to. Every other use throws.
  RegistrationPlan() = default;

  /// \param exec the instance in which registrations run
  /// \param n pairs of images
  /// \param h, w extents of an image, of any prime factors
  /// \param options whitening, upsampling
  /// \param once plan FFTs without measuring, for a single use
  /// \throws std::invalid_argument for negative n, images without pixels or
  ///   with 2^29 rows or columns or more, options out of range, and without an
  ///   FFT library for ExecSpace
  /// Waits for exec.
  RegistrationPlan(const ExecSpace& exec, int n, int h, int w,
                   const RegistrationOptions& options = {}, bool once = false)
      : m_state(std::make_shared<State>()) {
    const char* const name = "Sporos::RegistrationPlan";
    Impl::check(n >= 0, name, "n", "at least 0 pairs", n);
    Impl::check_matrix(name, "h and w", h, w);
    Impl::check(
        options.upsampling >= 1 && options.upsampling <= Impl::most_upsampling,
        name, "options.upsampling",
        Impl::text("a number from 1 to ", Impl::most_upsampling),
        options.upsampling);
    Impl::check(Impl::fft_library<ExecSpace>() != Impl::FftLibrary::none, name,
                "exec",
                "a space with FFTs, in a program linked with Sporos::fftw, "
                "Sporos::cufft or Sporos::hipfft",
                "one without");
    m_state->plan(exec, n, h, w, options, !once);
    Impl::fence(exec, name);
  }

  /// The options of the plan.
  const RegistrationOptions& options() const { return state().options; }
  /// Pairs of images.
  int size() const { return state().n; }
  /// Pairs that are registered at once.
  int batch() const { return state().batch; }
  /// Bytes of memory of the plan so far.
  std::size_t bytes() const { return state().bytes(); }
  /// Text: pairs, options, memory.
  std::string describe() const {
    const State& s = state();
    std::ostringstream out;
    out << "Sporos::RegistrationPlan: " << s.n << " pairs of (" << s.shape.h
        << ", " << s.shape.w << ") in batches of " << s.batch << ", to 1/"
        << s.shape.upsampling << " pixel"
        << (s.shape.whiten ? ", whitened" : "") << ", " << bytes()
        << " bytes\n";
    return out.str();
  }

  /// For the implementation.
  State& state(const char* function = "Sporos::RegistrationPlan") const {
    Impl::check_handle(m_state != nullptr, function, "plan");
    return *m_state;
  }

 private:
  std::shared_ptr<State> m_state;
};

/// Finds for each pair the shift (dy, dx) for which left(y + dy, x + dx) is
/// closest to right(y, x): what right must be moved by to lie on left. Images
/// count as periodic: what leaves at one side comes in at the other, so that
/// shifts beyond half an image come out as those of the other direction. The
/// largest circular correlation is found at whole shifts, then among points
/// that are 1 / upsampling apart, at most 3/4 pixels from it in each direction,
/// of its trigonometric interpolation (Guizar-Sicairos, Thurman, Fienup,
/// "Efficient subpixel image registration algorithms", 2008).
///
/// \param exec the execution-space instance in which it runs
/// \param plan a plan for these numbers and extents
/// \param left, right Views (n, h, w) of integers, float or double, any layout
///   and strides; left may be one image (h, w) for all, and both may be.
///   Signals are images of one row
/// \param shifts a View (n) of ImageShift; n is 1 for two images (h, w)
/// \throws std::invalid_argument for numbers and extents that are not those of
///   the plan, and for shifts without memory or in that of left or right
/// Asynchronous in exec; allocates nothing after the first call with a plan.
/// Costs three transforms, and 32 multiply-adds for each pixel. On hosts a plan
/// gives the same bits with any number of threads, and one made with `once` on
/// every run.
template <class Exec, class T, class Left, class Right, class Shifts>
void register_images(const Exec& exec, const RegistrationPlan<Exec, T>& plan,
                     const Left& left, const Right& right,
                     const Shifts& shifts) {
  const char* const name = "Sporos::register_images";
  const Impl::ProfilingRegion region(name);
  constexpr int rank = Impl::view_rank_v<Right>;
  static_assert((rank == 2 || rank == 3) && Impl::view_rank_v<Left> >= 2 &&
                    Impl::view_rank_v<Left> <= rank,
                "Sporos::register_images: left and right must have rank 2 or "
                "3, and left none larger than right");
  static_assert(
      std::is_arithmetic<typename Left::value_type>::value &&
          std::is_arithmetic<typename Right::value_type>::value &&
          sizeof(typename Left::value_type) <= 8 &&
          sizeof(typename Right::value_type) <= 8,
      "Sporos::register_images: pixels must be integers, float or double");
  static_assert(std::is_same<typename Shifts::value_type, ImageShift>::value &&
                    Impl::view_rank_v<Shifts> == 1,
                "Sporos::register_images: shifts must be a View (n) of "
                "Sporos::ImageShift");
  static_assert(Impl::is_accessible_v<Exec, Left> &&
                    Impl::is_accessible_v<Exec, Right> &&
                    Impl::is_accessible_v<Exec, Shifts>,
                "Sporos::register_images: left, right and shifts must be "
                "accessible to the execution space");
  auto& s = plan.state(name);
  Impl::check_device(name, exec, s.device);
  const auto check_images = [&](const char* argument, const auto& view) {
    constexpr int r = Impl::view_rank_v<std::decay_t<decltype(view)>>;
    const bool one  = r == 2 && rank == 2;
    Impl::check(view.extent(r - 2) == std::size_t(s.shape.h) &&
                    view.extent(r - 1) == std::size_t(s.shape.w) &&
                    (r == 2 || view.extent(0) == std::size_t(s.n)) &&
                    (!one || s.n == 1),
                name, argument,
                Impl::text(s.n, " images (", s.shape.h, ", ", s.shape.w,
                           ") of the plan"),
                Impl::extents(view));
    Impl::check_memory(name, argument, view);
  };
  check_images("left", left);
  check_images("right", right);
  Impl::check(shifts.extent(0) == std::size_t(s.n), name, "shifts",
              Impl::text("extent(0) == ", s.n, ", the number of pairs"),
              Impl::extents(shifts));
  Impl::check_written(name, "shifts", shifts);
  Impl::check_apart(name, "shifts", shifts, "left", left);
  Impl::check_apart(name, "shifts", shifts, "right", right);
  using L = const typename Left::non_const_value_type;
  using R = const typename Right::non_const_value_type;
  Impl::register_pairs(exec, s, Impl::matrix_batch<L>(left, Impl::Leading::i),
                       Impl::matrix_batch<R>(right, Impl::Leading::i),
                       Impl::view_rank_v<Left> < rank, shifts.data(),
                       std::ptrdiff_t(shifts.stride(0)));
}

/// Registers with a plan for this call only, in double if pixels of one side
/// are double or integers of more than 16 bits, else in float. Waits for the
/// result.
/// \throws std::invalid_argument also for what RegistrationPlan refuses
template <class Exec, class Left, class Right, class Shifts>
std::enable_if_t<Kokkos::is_execution_space<Exec>::value &&
                 Kokkos::is_view<Left>::value>
register_images(const Exec& exec, const Left& left, const Right& right,
                const Shifts& shifts, const RegistrationOptions& options = {}) {
  const char* const name = "Sporos::register_images";
  constexpr int rank     = Impl::view_rank_v<Right>;
  using T                = std::conditional_t<
      Impl::needs_double_v<typename Left::non_const_value_type> ||
          Impl::needs_double_v<typename Right::non_const_value_type>,
      double, float>;
  const int n = rank == 3 ? Impl::extent(name, "right", right, 0) : 1;
  const RegistrationPlan<Exec, T> plan(
      exec, n, Impl::extent(name, "right", right, rank - 2),
      Impl::extent(name, "right", right, rank - 1), options, true);
  register_images(exec, plan, left, right, shifts);
  Impl::fence(exec, name);
}

/// Registers in the default instance of the space of shifts, and waits.
template <class Left, class Right, class Shifts>
std::enable_if_t<Kokkos::is_view<Left>::value> register_images(
    const Left& left, const Right& right, const Shifts& shifts,
    const RegistrationOptions& options = {}) {
  register_images(typename Shifts::execution_space(), left, right, shifts,
                  options);
}

}  // namespace SPOROS_IMPL_FFT_LIBRARIES
}  // namespace Sporos

#endif
