// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef SPOROS_NUFFTSLABFFT_HPP
#define SPOROS_NUFFTSLABFFT_HPP

/// \file Sporos_NufftSlabFft.hpp
/// FFTs between the slabs of a fine grid and those of its modes, by FFTW, one
/// direction after another. Needs SPOROS_HAVE_FFTW.

#include <Sporos_Error.hpp>
#include <Sporos_FftwPlans.hpp>
#include <Sporos_NufftOptions.hpp>
#include <Sporos_ProfilingRegion.hpp>
#include <distributed/nufft/Sporos_NufftSlabs.hpp>
#include <nufft/choice/Sporos_NufftConstants.hpp>
#include <nufft/fft/Sporos_NufftBuffers.hpp>
#include <nufft/grid/Sporos_NufftModes.hpp>

#include <mpi.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <vector>

namespace Sporos {
namespace Impl {

template <class Exec, int Dim, class T>
class NufftSlabFft;

#ifndef SPOROS_HAVE_FFTW
template <class T>
constexpr bool has_slab_fft = false;
#else
template <class T>
constexpr bool has_slab_fft = true;

/// The points that a rank owns of a field of the fine grid.
template <class Complex, int Dim>
struct OwnedField {
  Complex* data;
  std::ptrdiff_t stride[Dim];  ///< that of the last direction is 1
};

/// Transforms of one rank, with all ranks.
///
/// Columns are transformed in a buffer of the thread, nufft_columns at once: a
/// plan of FFTW that does not depend on the ranks gives the same bits on any
/// number of them.
template <class Exec, int Dim, class T>
class NufftSlabFft {
  static_assert(Dim == 2 || Dim == 3, "Sporos: slabs need two directions");

 public:
  using Complex = Kokkos::complex<T>;
  using Field   = OwnedField<Complex, Dim>;

  /// inverse: see NufftRows. Waits for exec.
  NufftSlabFft(const Exec& exec, const Communicator& comm,
               const NufftSlabs<Dim>& slabs, const NufftOptions& options,
               const std::vector<double>& inverse)
      : m_comm(comm),
        m_slabs(slabs),
        m_inverse(inverse.begin(), inverse.end()),
        m_buffers(exec, buffer_of(slabs.grid)) {
    const auto make = [&](const char* label, std::size_t n) {
      return new_view<Numbers>(exec, label, n);
    };
    m_slab     = make("Sporos::nufft::slab", Dim == 3 ? m_slabs.slab() : 0);
    m_sent     = make("Sporos::nufft::sent", m_slabs.sent());
    m_received = make("Sporos::nufft::received", m_slabs.received());
    fence(exec, name);
    plan(options);
    count();
  }

  /// From the field to the modes of this rank, times `scale` and the inverse.
  void to_modes(const Exec& exec, const Field& field,
                const NufftCoefficients<Complex, Dim>& modes, double scale,
                int sign) const {
    if constexpr (Dim == 3) rows<true>(exec, field, sign);
    planes<true>(exec, field, sign);
    exchange<true>();
    last<true>(exec, modes, T(scale), sign);
  }
  /// From the modes of this rank, times the inverse, to the field.
  void from_modes(const Exec& exec,
                  const NufftCoefficients<const Complex, Dim>& modes,
                  const Field& field, int sign) const {
    last<false>(exec, modes, T(1), sign);
    exchange<false>();
    planes<false>(exec, field, sign);
    if constexpr (Dim == 3) rows<false>(exec, field, sign);
  }

  std::size_t bytes() const {
    return m_buffers.bytes() +
           sizeof(Complex) *
               (m_slab.extent(0) + m_sent.extent(0) + m_received.extent(0));
  }

 private:
  static constexpr const char* name = "Sporos::DistributedNufftPlan";
  static constexpr int columns      = nufft_columns;
  using Numbers = Kokkos::View<Complex*, typename Exec::memory_space>;
  using Fft     = Fftw<T>;

  static std::size_t buffer_of(const NufftGrid<Dim>& g) {
    const auto column =
        std::size_t(std::max(g.points[0], g.points[1])) * std::size_t(columns);
    return Dim == 3 ? std::max(column, std::size_t(g.points[Dim - 1])) : column;
  }
  void plan(const NufftOptions& options) {
    const NufftPlanning<T> planning(options, 2 * Dim);
    Complex* const buffer = m_buffers.first();
    for (int d = 0; d < 2; ++d)
      m_columns[d] =
          NufftLanesFft<T>(m_slabs.grid.points[d], buffer, planning.flags);
    if constexpr (Dim == 3)
      for (const int sign : {-1, 1}) {
        T* const line            = reinterpret_cast<T*>(buffer);
        m_line[sign > 0 ? 1 : 0] = Fft::line(m_slabs.grid.points[Dim - 1], line,
                                             line, sign, planning.flags);
      }
  }
  void transform_line(int sign, Complex* buffer) const {
    Fft::run_in_place(m_line[sign > 0 ? 1 : 0], reinterpret_cast<T*>(buffer));
  }

  /// Counts of MPI_Alltoallv, in numbers. What a rank keeps does not go through
  /// MPI, see sent().
  void count() {
    const auto along = std::int64_t(m_slabs.along());
    const int me = m_slabs.rank, mine = m_slabs.rows(me),
              planes = m_slabs.planes(me);
    const auto most  = std::int64_t(std::numeric_limits<int>::max());
    check(std::int64_t(m_slabs.sent()) <= most &&
              std::int64_t(m_slabs.received()) <= most,
          name, "modes", "fewer than 2^31 numbers that a rank sends or gets",
          std::max(m_slabs.sent(), m_slabs.received()));
    for (int r = 0; r < m_slabs.ranks(); ++r) {
      const auto at = std::size_t(r);
      m_out.count.push_back(r == me ? 0
                                    : int(along * m_slabs.planes(r) * mine));
      m_out.first.push_back(int(along * m_slabs.modes[at] * mine));
      m_in.count.push_back(r == me ? 0 : int(along * planes * m_slabs.rows(r)));
      m_in.first.push_back(int(along * planes * m_slabs.fine[at]));
    }
  }

  /// Where mode i of direction 0 stands before it is sent: in what comes if it
  /// stays.
  Complex* sent(int i) const {
    const auto along = std::int64_t(m_slabs.along());
    const int me = m_slabs.rank, mine = m_slabs.rows(me),
              plane = i - m_slabs.first_plane();
    if (plane < 0 || plane >= m_slabs.planes(me))
      return m_sent.data() + std::int64_t(i) * mine * along;
    return m_received.data() +
           (std::int64_t(m_slabs.planes(me)) * m_slabs.fine[std::size_t(me)] +
            std::int64_t(plane) * mine) *
               along;
  }

  /// Direction 2: between the field and the slab, which has its modes alone.
  template <bool ToModes>
  void rows(const Exec& exec, const Field& field, int sign) const {
    const ProfilingRegion region("Sporos::nufft::fft_rows");
    const auto& g  = m_slabs.grid;
    const int mine = m_slabs.rows(m_slabs.rank);
    m_buffers.run(
        "Sporos::nufft::fft_rows", exec, std::int64_t(g.points[0]) * mine,
        [&](std::int64_t row, Complex* buffer) {
          Complex* const in_field = field.data + row / mine * field.stride[0] +
                                    row % mine * field.stride[1];
          Complex* const in_slab = m_slab.data() + row * g.modes[Dim - 1];
          if (ToModes) {
            // ghost layers shift rows of the field: FFTW's bits depend on that
            std::copy_n(in_field, g.points[Dim - 1], buffer);
            transform_line(sign, buffer);
            modes_of_line(g, Dim - 1, buffer, in_slab);
          } else {
            line_of_modes(g, Dim - 1, in_slab, buffer);
            transform_line(sign, buffer);
            std::copy_n(buffer, g.points[Dim - 1], in_field);
          }
        });
  }

  /// Blocks of columns that are transformed together.
  struct Lines {
    std::int64_t count;
    int width;  ///< columns of a line
    int blocks() const { return ceil_div(width, columns); }
    std::int64_t tasks() const { return count * blocks(); }
    std::int64_t line(std::int64_t task) const { return task / blocks(); }
    int first(std::int64_t task) const {
      return int(task % blocks()) * columns;
    }
    int lanes(std::int64_t task) const {
      return Math::min(columns, width - first(task));
    }
  };
  /// Some numbers of a block that stand side by side, and zeros behind them.
  static void load(const Complex* from, int lanes, Complex* buffer) {
    if (lanes == columns) return copy_lanes(from, buffer);
    std::copy_n(from, lanes, buffer);
    std::fill_n(buffer + lanes, columns - lanes, Complex(0));
  }
  static void store(const Complex* buffer, int lanes, Complex* to) {
    if (lanes == columns) return copy_lanes(buffer, to);
    std::copy_n(buffer, lanes, to);
  }

  /// Direction 0: between the slab, in two dimensions the field, and what is
  /// sent.
  template <bool ToModes>
  void planes(const Exec& exec, const Field& field, int sign) const {
    const ProfilingRegion region("Sporos::nufft::fft_planes");
    const auto& g  = m_slabs.grid;
    const int mine = m_slabs.rows(m_slabs.rank);
    const Lines lines =
        Dim == 3 ? Lines{mine, m_slabs.along()} : Lines{1, mine};
    Complex* const slab = Dim == 3 ? m_slab.data() : field.data;
    const auto pitch =
        Dim == 3 ? std::ptrdiff_t(mine) * m_slabs.along() : field.stride[0];
    m_buffers.run(
        "Sporos::nufft::fft_planes", exec, lines.tasks(),
        [&](std::int64_t task, Complex* buffer) {
          const auto at =
              lines.line(task) * m_slabs.along() + lines.first(task);
          const int lanes = lines.lanes(task);
          if (ToModes) {
            for (int j = 0; j < g.points[0]; ++j)
              load(slab + at + j * pitch, lanes, buffer + j * columns);
          } else {
            clear_between_modes(g, 0, columns, buffer);
            for (int i = 0; i < g.modes[0]; ++i)
              load(sent(i) + at, lanes, buffer + g.place(0, i) * columns);
          }
          m_columns[0].run(buffer, sign);
          if (ToModes)
            for (int i = 0; i < g.modes[0]; ++i)
              store(buffer + g.place(0, i) * columns, lanes, sent(i) + at);
          else
            for (int j = 0; j < g.points[0]; ++j)
              store(buffer + j * columns, lanes, slab + at + j * pitch);
        });
  }

  template <bool ToModes>
  void exchange() const {
    const ProfilingRegion region("Sporos::nufft::exchange");
    const MPI_Datatype type = sizeof(T) == sizeof(double) ? MPI_C_DOUBLE_COMPLEX
                                                          : MPI_C_FLOAT_COMPLEX;
    const auto& from        = ToModes ? m_out : m_in;
    const auto& to          = ToModes ? m_in : m_out;
    const Numbers& source   = ToModes ? m_sent : m_received;
    const Numbers& target   = ToModes ? m_received : m_sent;
    check_mpi(MPI_Alltoallv(source.data(), from.count.data(), from.first.data(),
                            type, target.data(), to.count.data(),
                            to.first.data(), type, m_comm.mpi()),
              name, "MPI_Alltoallv");
  }

  /// f(place in what came, place in direction 1) for all of direction 1.
  template <class F>
  void for_each_received(int plane, int column, const F& f) const {
    const auto along  = std::int64_t(m_slabs.along());
    const auto planes = std::int64_t(m_slabs.planes(m_slabs.rank));
    for (int r = 0; r < m_slabs.ranks(); ++r) {
      const int first = m_slabs.fine[std::size_t(r)], rows = m_slabs.rows(r);
      auto at = (planes * first + std::int64_t(plane) * rows) * along + column;
      for (int j = first; j < first + rows; ++j, at += along)
        f(m_received.data() + at, j);
    }
  }
  /// Between what came and the buffer of a block: columns of a plane, in two
  /// dimensions planes.
  template <bool ToBuffer>
  void received(const Lines& lines, std::int64_t task, Complex* buffer) const {
    const int first = lines.first(task), lanes = lines.lanes(task);
    if constexpr (Dim == 3) {
      for_each_received(int(lines.line(task)), first,
                        [&](Complex* came, int j) {
                          if (ToBuffer)
                            load(came, lanes, buffer + j * columns);
                          else
                            store(buffer + j * columns, lanes, came);
                        });
    } else {
      if (ToBuffer && lanes < columns)
        std::fill_n(buffer, m_slabs.grid.points[1] * columns, Complex(0));
      for (int lane = 0; lane < lanes; ++lane)
        for_each_received(first + lane, 0, [&](Complex* came, int j) {
          Complex& number = buffer[j * columns + lane];
          if (ToBuffer)
            number = *came;
          else
            *came = number;
        });
    }
  }

  /// Direction 1: between what came and the modes.
  template <bool ToModes, class Coefficients>
  void last(const Exec& exec, const Coefficients& modes, T scale,
            int sign) const {
    const ProfilingRegion region("Sporos::nufft::fft_last");
    const auto& g    = m_slabs.grid;
    const int planes = m_slabs.planes(m_slabs.rank);
    const Lines lines =
        Dim == 3 ? Lines{planes, m_slabs.along()} : Lines{1, planes};
    const T* const inverse_0 = m_inverse.data() + m_slabs.first_plane();
    const T* const inverse_1 = m_inverse.data() + g.modes[0];
    const T* const inverse_2 = inverse_1 + g.modes[1];
    // f(number in the buffer, factor, coefficient)
    const auto each_mode = [&](std::int64_t task, Complex* buffer,
                               const auto& f) {
      const int first = lines.first(task);
      for (int i = 0; i < g.modes[1]; ++i)
        for (int lane = 0; lane < lines.lanes(task); ++lane) {
          const int plane = Dim == 3 ? int(lines.line(task)) : first + lane;
          T factor        = scale * inverse_0[plane];
          auto* mode =
              modes.data + plane * modes.stride[0] + i * modes.stride[1];
          if constexpr (Dim == 3) {
            factor *= inverse_2[first + lane];
            mode += (first + lane) * modes.stride[2];
          }
          f(buffer[g.place(1, i) * columns + lane], factor * inverse_1[i],
            *mode);
        }
    };
    m_buffers.run("Sporos::nufft::fft_last", exec, lines.tasks(),
                  [&](std::int64_t task, Complex* buffer) {
                    if constexpr (ToModes) {
                      received<true>(lines, task, buffer);
                    } else {
                      clear_between_modes(g, 1, columns, buffer);
                      if (lines.lanes(task) < columns)
                        std::fill_n(buffer, g.points[1] * columns, Complex(0));
                      each_mode(task, buffer,
                                [](Complex& z, T factor, const Complex& mode) {
                                  z = mode * factor;
                                });
                    }
                    m_columns[1].run(buffer, sign);
                    if constexpr (ToModes)
                      each_mode(task, buffer,
                                [](const Complex& z, T factor, Complex& mode) {
                                  mode = z * factor;
                                });
                    else
                      received<false>(lines, task, buffer);
                  });
  }

  struct Counts {
    std::vector<int> count, first;
  };

  Communicator m_comm;
  NufftSlabs<Dim> m_slabs;
  std::vector<T> m_inverse;
  NufftBuffers<Exec, T> m_buffers;
  Numbers m_slab, m_sent, m_received;
  Counts m_out, m_in;
  NufftLanesFft<T> m_columns[2];  ///< directions 0 and 1
  typename Fft::plan m_line[2];   ///< direction 2
};

#endif  // SPOROS_HAVE_FFTW

}  // namespace Impl
}  // namespace Sporos

#endif
