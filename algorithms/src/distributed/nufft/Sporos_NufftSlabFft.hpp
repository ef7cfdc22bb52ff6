// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef SPOROS_NUFFTSLABFFT_HPP
#define SPOROS_NUFFTSLABFFT_HPP

/// \file Sporos_NufftSlabFft.hpp
/// FFTs between the slabs of a fine grid and those of its modes, by FFTW, one
/// direction after another. Needs SPOROS_HAVE_FFTW.

#include <Sporos_FftwPlans.hpp>
#include <Sporos_ForEachIndex.hpp>
#include <Sporos_NufftOptions.hpp>
#include <Sporos_ProfilingRegion.hpp>
#include <distributed/nufft/Sporos_NufftSlabs.hpp>
#include <nufft/choice/Sporos_NufftConstants.hpp>
#include <nufft/fft/Sporos_NufftFftw.hpp>
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
        m_workers(std::max(1, int(exec.concurrency()))) {
    const auto& g = m_slabs.grid;
    std::size_t buffer =
        std::size_t(std::max(g.points[0], g.points[1])) * std::size_t(columns);
    if (Dim == 3) buffer = std::max(buffer, std::size_t(g.points[Dim - 1]));
    m_buffer        = buffer;
    const auto make = [&](const char* label, std::size_t n) {
      return new_view<Numbers>(exec, label, n);
    };
    m_buffers  = make("Sporos::nufft::lines", buffer * std::size_t(m_workers));
    m_slab     = make("Sporos::nufft::slab", m_slabs.slab());
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
    rows<true>(exec, field, sign);
    planes<true>(exec, sign);
    exchange<true>();
    last<true>(exec, modes, T(scale), sign);
  }
  /// From the modes of this rank, times the inverse, to the field.
  void from_modes(const Exec& exec,
                  const NufftCoefficients<const Complex, Dim>& modes,
                  const Field& field, int sign) const {
    last<false>(exec, modes, T(1), sign);
    exchange<false>();
    planes<false>(exec, sign);
    rows<false>(exec, field, sign);
  }

  std::size_t bytes() const {
    return sizeof(Complex) * (m_buffers.extent(0) + m_slab.extent(0) +
                              m_sent.extent(0) + m_received.extent(0));
  }

 private:
  static constexpr const char* name = "Sporos::DistributedNufftPlan";
  static constexpr int columns      = nufft_columns;
  using Numbers = Kokkos::View<Complex*, typename Exec::memory_space>;
  using Fft     = Fftw<T>;

  void plan(const NufftOptions& options) {
    const NufftPlanning<T> planning(options, 2 * Dim);
    for (int d = 0; d < Dim; ++d)
      for (const int sign : {-1, 1})
        m_plans[sign > 0 ? 1 : 0][d] =
            Fft::in_place(m_slabs.grid.points[d], d == 2 ? 1 : columns,
                          reinterpret_cast<T*>(m_buffers.data()),
                          d == 2 ? 1 : columns, 1, sign, planning.flags);
  }
  void transform(int d, int sign, Complex* buffer) const {
    Fft::run_in_place(m_plans[sign > 0 ? 1 : 0][d],
                      reinterpret_cast<T*>(buffer));
  }

  /// Counts of MPI_Alltoallv, in numbers
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
      m_out.count.push_back(int(along * m_slabs.planes(r) * mine));
      m_out.first.push_back(int(along * m_slabs.modes[at] * mine));
      m_in.count.push_back(int(along * planes * m_slabs.rows(r)));
      m_in.first.push_back(int(along * planes * m_slabs.fine[at]));
    }
  }

  /// f(task, buffer) for all tasks. Each thread has a buffer.
  template <class F>
  void run(const char* label, const Exec& exec, std::int64_t tasks,
           const F& f) const {
    const auto workers = std::min(tasks, std::int64_t(m_workers));
    for_each_index(label,
                   Kokkos::RangePolicy<Exec, Kokkos::IndexType<std::int64_t> >(
                       exec, 0, workers, Kokkos::ChunkSize(1)),
                   [&](std::int64_t worker) {
                     Complex* const buffer =
                         m_buffers.data() + std::size_t(worker) * m_buffer;
                     const auto end = (worker + 1) * tasks / workers;
                     for (auto task = worker * tasks / workers; task < end;
                          ++task)
                       f(task, buffer);
                   });
  }

  /// Direction 2: between the field and the slab, which has its modes alone.
  /// Without it a copy.
  template <bool ToModes>
  void rows(const Exec& exec, const Field& field, int sign) const {
    const ProfilingRegion region("Sporos::nufft::fft_rows");
    const auto& g  = m_slabs.grid;
    const int mine = m_slabs.rows(m_slabs.rank);
    if constexpr (Dim == 2) {
      run("Sporos::nufft::fft_rows", exec, g.points[0],
          [&](std::int64_t j, Complex*) {
            Complex* const in_field = field.data + j * field.stride[0];
            Complex* const in_slab  = m_slab.data() + j * mine;
            if (ToModes)
              std::copy_n(in_field, mine, in_slab);
            else
              std::copy_n(in_slab, mine, in_field);
          });
    } else {
      run("Sporos::nufft::fft_rows", exec, std::int64_t(g.points[0]) * mine,
          [&](std::int64_t row, Complex* buffer) {
            Complex* const in_field = field.data +
                                      row / mine * field.stride[0] +
                                      row % mine * field.stride[1];
            Complex* const in_slab = m_slab.data() + row * g.modes[2];
            if (ToModes) {
              std::copy_n(in_field, g.points[2], buffer);
              transform(2, sign, buffer);
              for (int i = 0; i < g.modes[2]; ++i)
                in_slab[i] = buffer[g.place(2, i)];
            } else {
              std::fill_n(buffer, g.points[2], Complex(0));
              for (int i = 0; i < g.modes[2]; ++i)
                buffer[g.place(2, i)] = in_slab[i];
              transform(2, sign, buffer);
              std::copy_n(buffer, g.points[2], in_field);
            }
          });
    }
  }

  /// Lines of columns that are transformed together.
  struct Lines {
    std::int64_t count;
    int width;  ///< columns of a line
    int blocks() const { return ceil_div(width, columns); }
  };
  /// f(line, lane, column) for the columns of a task
  template <class F>
  static void for_each_lane(const Lines& lines, std::int64_t task, const F& f) {
    const int first = int(task % lines.blocks()) * columns;
    for (int lane = 0; lane < Math::min(columns, lines.width - first); ++lane)
      f(task / lines.blocks(), lane, first + lane);
  }

  /// Direction 0: between the slab and what is sent.
  template <bool ToModes>
  void planes(const Exec& exec, int sign) const {
    const ProfilingRegion region("Sporos::nufft::fft_planes");
    const auto& g  = m_slabs.grid;
    const int mine = m_slabs.rows(m_slabs.rank);
    const Lines lines =
        Dim == 3 ? Lines{mine, m_slabs.along()} : Lines{1, mine};
    const auto pitch = std::int64_t(mine) * m_slabs.along();
    run("Sporos::nufft::fft_planes", exec, lines.count * lines.blocks(),
        [&](std::int64_t task, Complex* buffer) {
          std::fill_n(buffer, g.points[0] * columns, Complex(0));
          for_each_lane(
              lines, task, [&](std::int64_t line, int lane, int column) {
                const auto at = line * m_slabs.along() + column;
                if (ToModes)
                  for (int j = 0; j < g.points[0]; ++j)
                    buffer[j * columns + lane] = m_slab(at + j * pitch);
                else
                  for (int i = 0; i < g.modes[0]; ++i)
                    buffer[g.place(0, i) * columns + lane] =
                        m_sent(at + i * pitch);
              });
          transform(0, sign, buffer);
          for_each_lane(
              lines, task, [&](std::int64_t line, int lane, int column) {
                const auto at = line * m_slabs.along() + column;
                if (ToModes)
                  for (int i = 0; i < g.modes[0]; ++i)
                    m_sent(at + i * pitch) =
                        buffer[g.place(0, i) * columns + lane];
                else
                  for (int j = 0; j < g.points[0]; ++j)
                    m_slab(at + j * pitch) = buffer[j * columns + lane];
              });
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
      for (int j = first; j < first + rows; ++j, at += along) f(at, j);
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
    const T* const inverse_1 = m_inverse.data() + g.modes[0];
    const T* const inverse_2 = inverse_1 + g.modes[1];
    const auto each          = [&](std::int64_t task, const auto& f) {
      for_each_lane(lines, task, [&](std::int64_t line, int lane, int column) {
        if constexpr (Dim == 3)
          f(lane, int(line), column);
        else
          f(lane, column, 0);
      });
    };
    const auto each_mode = [&](std::int64_t task, const auto& f) {
      each(task, [&](int lane, int plane, int column) {
        T factor =
            scale * m_inverse[std::size_t(m_slabs.first_plane() + plane)];
        auto* mode = modes.data + plane * modes.stride[0];
        if constexpr (Dim == 3) {
          factor *= inverse_2[column];
          mode += column * modes.stride[2];
        }
        for (int i = 0; i < g.modes[1]; ++i)
          f(g.place(1, i) * columns + lane, factor * inverse_1[i],
            mode[i * modes.stride[1]]);
      });
    };
    run("Sporos::nufft::fft_last", exec, lines.count * lines.blocks(),
        [&](std::int64_t task, Complex* buffer) {
          std::fill_n(buffer, g.points[1] * columns, Complex(0));
          if constexpr (ToModes)
            each(task, [&](int lane, int plane, int column) {
              for_each_received(plane, column, [&](std::int64_t at, int j) {
                buffer[j * columns + lane] = m_received(at);
              });
            });
          else
            each_mode(task, [&](int at, T factor, const Complex& mode) {
              buffer[at] = mode * factor;
            });
          transform(1, sign, buffer);
          if constexpr (ToModes)
            each_mode(task, [&](int at, T factor, Complex& mode) {
              mode = buffer[at] * factor;
            });
          else
            each(task, [&](int lane, int plane, int column) {
              for_each_received(plane, column, [&](std::int64_t at, int j) {
                m_received(at) = buffer[j * columns + lane];
              });
            });
        });
  }

  struct Counts {
    std::vector<int> count, first;
  };

  Communicator m_comm;
  NufftSlabs<Dim> m_slabs;
  std::vector<T> m_inverse;
  int m_workers;
  std::size_t m_buffer = 0;  ///< numbers of a thread's buffer
  Numbers m_buffers, m_slab, m_sent, m_received;
  Counts m_out, m_in;
  typename Fft::plan m_plans[2][Dim];
};

#endif  // SPOROS_HAVE_FFTW

}  // namespace Impl
}  // namespace Sporos

#endif
