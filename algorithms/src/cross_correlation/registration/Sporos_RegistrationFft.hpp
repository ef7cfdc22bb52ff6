// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef SPOROS_REGISTRATIONFFT_HPP
#define SPOROS_REGISTRATIONFFT_HPP

/// \file Sporos_RegistrationFft.hpp
/// Transforms of batches of real images as they are, without zeros around: by
/// FFTW, whose rows and blocks of columns are shared by all threads, or by
/// cuFFT or hipFFT.

#include <Sporos_DeviceFftPlans.hpp>
#include <Sporos_FftLibrary.hpp>
#include <Sporos_FftwPlans.hpp>
#include <Sporos_ForEachIndex.hpp>
#include <Sporos_Workspace.hpp>
#include <cross_correlation/registration/Sporos_RegistrationImages.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>

namespace Sporos {
namespace Impl {

/// Stands where a build has no FFT.
template <class Exec, class T>
struct NoRegistrationFft {
  void plan(const Exec&, RegistrationShape&, int, T*, T*, bool) {}
  static int round(int n) { return n; }
  void forward(const Exec&, T*, T*, int) const {}
  void backward(const Exec&, T*, T*) const {}
  static constexpr std::size_t bytes() { return 0; }
};

#ifdef SPOROS_HAVE_FFTW
template <class Exec, class T>
class RegistrationFftw {
 public:
  /// Pitches of rows that begin alike: whole cache lines.
  static int round(int n) { return ceil_div(n, 16) * 16; }

  /// image and spectrum are overwritten.
  void plan(const Exec&, const RegistrationShape& s, int batch, T* image,
            T* spectrum, bool measure) {
    using F              = Fftw<T>;
    const unsigned flags = measure ? FFTW_MEASURE : FFTW_ESTIMATE;
    m_shape              = s;
    m_batch              = batch;
    const auto along_y   = [&](int count, int sign) {
      return F::in_place(s.h, count, spectrum, s.spectrum_pitch / 2, 1, sign,
                           flags);
    };
    m_row = F::forward(s.w, 1, image, s.pitch, spectrum, s.spectrum_pitch / 2,
                       flags);
    m_row_back     = F::backward(s.w, 1, spectrum, s.spectrum_pitch / 2, image,
                                 s.pitch, flags);
    m_block        = std::min(columns_of_large_fft, s.columns);
    const int rest = s.columns % m_block;
    for (const int sign : {-1, 1}) {
      m_columns[sign > 0] = along_y(m_block, sign);
      if (rest > 0) m_last[sign > 0] = along_y(rest, sign);
    }
  }
  void forward(const Exec& exec, T* images, T* spectra, int count) const {
    Task task{*this, images, spectra, rows};
    task.launch(exec, std::int64_t(count) * m_shape.h);
    task.step = columns;
    task.launch(exec, std::int64_t(count) * blocks());
  }
  /// Overwrites the spectra.
  void backward(const Exec& exec, T* spectra, T* images) const {
    Task task{*this, images, spectra, columns_back};
    task.launch(exec, std::int64_t(m_batch) * blocks());
    task.step = rows_back;
    task.launch(exec, std::int64_t(m_batch) * m_shape.h);
  }
  static constexpr std::size_t bytes() { return 0; }

 private:
  using Plan = typename Fftw<T>::plan;
  enum Step { rows, columns, columns_back, rows_back };

  /// An index is a row, or a block of columns.
  struct Task {
    const RegistrationFftw& fft;
    T *images, *spectra;
    Step step;

    void operator()(std::int64_t index) const {
      const RegistrationShape& s = fft.m_shape;
      T* const row               = images + index * s.pitch;
      T* const z                 = spectra + index * s.spectrum_pitch;
      if (step == rows) return Fftw<T>::run_forward(fft.m_row, row, z);
      if (step == rows_back)
        return Fftw<T>::run_backward(fft.m_row_back, z, row);
      const int block  = int(index % fft.blocks()) * fft.m_block;
      const bool whole = block + fft.m_block <= s.columns,
                 back  = step != columns;
      Fftw<T>::run_in_place(
          whole ? fft.m_columns[back] : fft.m_last[back],
          spectra + index / fft.blocks() * s.spectrum() + 2 * block);
    }
    void launch(const Exec& exec, std::int64_t n) const {
      for_each_index("Sporos::register_images::fft",
                     Kokkos::RangePolicy<Exec, Kokkos::IndexType<std::int64_t>>(
                         exec, 0, n),
                     *this);
    }
  };
  int blocks() const { return ceil_div(m_shape.columns, m_block); }

  RegistrationShape m_shape;
  int m_batch = 0, m_block = 1;
  Plan m_row, m_row_back, m_columns[2], m_last[2];
};
#endif

#ifdef SPOROS_IMPL_DEVICE_FFT
template <class Exec, class T>
class RegistrationDeviceFft {
 public:
  static int round(int n) { return n; }

  void plan(const Exec& exec, const RegistrationShape& s, int batch, T*, T*,
            bool) {
    const int device = device_of(exec);
    const auto make  = [&](int count, typename Plan::Kind kind) {
      return Plan(device, s.h, s.w, count, kind);
    };
    m_batch    = batch;
    m_forward  = make(batch, Plan::Kind::real_forward);
    m_one      = batch == 1 ? m_forward : make(1, Plan::Kind::real_forward);
    m_backward = make(batch, Plan::Kind::real_backward);
    // not null: the library gets memory even if it needs none
    char* const area =
        m_work.require_data(exec, std::max({std::size_t(1), m_forward.work(),
                                            m_one.work(), m_backward.work()}));
    for (Plan* p : {&m_forward, &m_one, &m_backward}) p->set_work(area);
  }
  /// count: 1, or a batch
  void forward(const Exec& exec, T* images, T* spectra, int count) const {
    (count == m_batch ? m_forward : m_one)
        .run(exec, images, spectra, Plan::forward);
  }
  void backward(const Exec& exec, T* spectra, T* images) const {
    m_backward.run(exec, spectra, images, Plan::backward);
  }
  std::size_t bytes() const { return m_work.bytes(); }

 private:
  using Plan  = DeviceFftPlan<T>;
  int m_batch = 0;
  Plan m_forward, m_one, m_backward;
  WorkspaceView<char, typename Exec::memory_space> m_work{
      "Sporos::register_images::fft_work"};
};
#endif

inline namespace SPOROS_IMPL_FFT_LIBRARIES {

template <class Exec, class T, FftLibrary>
struct RegistrationFftOf {
  using type = NoRegistrationFft<Exec, T>;
};
#ifdef SPOROS_HAVE_FFTW
template <class Exec, class T>
struct RegistrationFftOf<Exec, T, FftLibrary::fftw> {
  using type = RegistrationFftw<Exec, T>;
};
#endif
#ifdef SPOROS_IMPL_DEVICE_FFT
template <class Exec, class T>
struct RegistrationFftOf<Exec, T, FftLibrary::device> {
  using type = RegistrationDeviceFft<Exec, T>;
};
#endif

/// The transforms of an execution space in this build.
template <class Exec, class T>
using RegistrationFft =
    typename RegistrationFftOf<Exec, T, fft_library<Exec>()>::type;

}  // namespace SPOROS_IMPL_FFT_LIBRARIES
}  // namespace Impl
}  // namespace Sporos

#endif
