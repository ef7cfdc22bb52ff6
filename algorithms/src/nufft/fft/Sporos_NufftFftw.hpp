// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef SPOROS_NUFFTFFTW_HPP
#define SPOROS_NUFFTFFTW_HPP

/// \file Sporos_NufftFftw.hpp
/// FFTW, one direction after another, lines in parallel. Lines of which no mode
/// is wanted, or that are all zero, are left out: a quarter of the work in 2D,
/// 5/12 of it in 3D. Needs SPOROS_HAVE_FFTW.

#include <Sporos_Error.hpp>
#include <Sporos_FftwPlans.hpp>
#include <Sporos_NufftGrid.hpp>
#include <Sporos_NufftOptions.hpp>
#include <nufft/choice/Sporos_NufftConstants.hpp>
#include <nufft/fft/Sporos_NufftLine.hpp>
#include <nufft/fft/Sporos_NufftPruned.hpp>

#ifdef SPOROS_HAVE_FFTW

#include <cstddef>
#include <string>
#include <type_traits>

namespace Sporos {

/// FFTs of plans on hosts by FFTW. They lead to coefficients and back by
/// themselves: modes never stand on the grid.
struct NufftFftw {
  /// In place, of a fine grid that lies at the same address in all calls.
  template <class Exec, int Dim, class T>
  class Plan {
   public:
    using Complex = Kokkos::complex<T>;
    /// Has the functions below, in place of to_modes and from_modes.
    static constexpr bool reaches_coefficients = true;

    /// Plans, and may overwrite the fine grid.
    Plan(const Exec& exec, const NufftGrid<Dim>& grid, Complex* fine,
         const NufftOptions& options)
        : m_fft(exec, grid, fine, fine, grid.points[Dim - 1], options) {}

    /// From all of the grid, which is overwritten. sign: of the exponent; take:
    /// Impl::TakeModes
    template <class Take>
    void to_coefficients(const Exec& exec, int sign, const Take& take) const {
      m_fft.to_coefficients(exec, sign, take);
    }
    /// To all of the grid. put: Impl::PutModes
    template <class Put>
    void from_coefficients(const Exec& exec, int sign, const Put& put) const {
      m_fft.from_coefficients(exec, sign, put);
    }
    /// Bytes of memory beside the grid.
    std::size_t bytes() const { return m_fft.bytes(); }

   private:
    std::conditional_t<Dim == 1, Impl::NufftLine<Exec, T>,
                       Impl::NufftPruned<Exec, Dim, T, false>>
        m_fft;
  };

  /// Between a real grid and the modes of its last direction from 0 on. Both
  /// lie at the same addresses in all calls.
  template <class Exec, int Dim, class T>
  class RealPlan {
   public:
    using Complex                              = Kokkos::complex<T>;
    static constexpr bool reaches_coefficients = true;  ///< as a Plan

    /// Numbers of a row of `half`: lines begin at whole SIMD registers.
    static int pitch(int points) {
      constexpr int columns = Impl::nufft_columns;
      return Impl::ceil_div(points / 2 + 1, columns) * columns;
    }

    /// Plans, and may overwrite both.
    RealPlan(const Exec& exec, const NufftGrid<Dim>& grid, T* fine,
             Complex* half, const NufftOptions& options)
        : m_fft(exec, grid, fine, half, pitch(grid.points[Dim - 1]), options) {}

    /// From all of the real grid, with exp(-i ...); take conjugates.
    template <class Take>
    void to_coefficients(const Exec& exec, int, const Take& take) const {
      m_fft.to_coefficients(exec, -1, take);
    }
    /// To all of the real grid, with exp(i ...); put conjugates. Overwrites the
    /// modes.
    template <class Put>
    void from_coefficients(const Exec& exec, int, const Put& put) const {
      m_fft.from_coefficients(exec, 1, put);
    }
    /// Bytes of memory beside both.
    std::size_t bytes() const { return m_fft.bytes(); }

   private:
    std::conditional_t<Dim == 1, Impl::NufftRealLine<Exec, T>,
                       Impl::NufftPruned<Exec, Dim, T, true>>
        m_fft;
  };

  /// What FFTW's planner has learned for T, float or double, in the whole
  /// program, as a text.
  template <class T>
  static std::string export_wisdom() {
    return Impl::Fftw<T>::export_wisdom();
  }
  /// Adds wisdom that export_wisdom() gave, to be used by plans that are made
  /// later, with any patience. Plans of the same sizes and options with the
  /// same wisdom of their patience are the same transforms, so that results
  /// have the same bits.
  /// \throws std::invalid_argument for a text that FFTW refuses, for instance
  ///   of another version or number type
  template <class T>
  static void import_wisdom(const std::string& text) {
    Impl::check(Impl::Fftw<T>::import_wisdom(text),
                "Sporos::NufftFftw::import_wisdom", "text",
                Impl::text("wisdom that this version of FFTW exported for ",
                           sizeof(T) == sizeof(float) ? "float" : "double"),
                text.size(), " characters that it refuses");
  }
};

}  // namespace Sporos

#endif
#endif
