// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef SPOROS_REGISTRATIONSTATE_HPP
#define SPOROS_REGISTRATIONSTATE_HPP

/// \file Sporos_RegistrationState.hpp
/// The contents of a plan of registrations, and the steps of a batch.

#include <Sporos_ForEachIndex.hpp>
#include <Sporos_RegistrationOptions.hpp>
#include <Sporos_Workspace.hpp>
#include <cross_correlation/problem/Sporos_CorrelateConstants.hpp>
#include <cross_correlation/registration/Sporos_RegistrationFft.hpp>
#include <cross_correlation/registration/Sporos_RegistrationImages.hpp>
#include <cross_correlation/registration/Sporos_UpsampledShifts.hpp>
#include <cross_correlation/registration/Sporos_WholeShifts.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <vector>

namespace Sporos {
namespace Impl {

inline namespace SPOROS_IMPL_FFT_LIBRARIES {

/// The contents of a plan, shared by its copies.
template <class Exec, class T>
struct RegistrationState {
  using Memory = typename Exec::memory_space;
  template <class V>
  using Space = WorkspaceView<V, Memory>;
  RegistrationOptions options;
  RegistrationShape shape;
  int n = 0, batch = 1, device = 0;
  RegistrationFft<Exec, T> fft;
  Space<T> images{"Sporos::register_images::images"};
  Space<T> left{"Sporos::register_images::left_spectra"};
  Space<T> right{"Sporos::register_images::right_spectra"};
  Space<T> back{"Sporos::register_images::products"};
  Space<T> scales{"Sporos::register_images::scales"};
  Space<SpectrumSums> sums{"Sporos::register_images::sums"};
  Space<PeakCandidate<T>> lines{"Sporos::register_images::lines"};
  Space<WholeShift<T>> shifts{"Sporos::register_images::shifts"};
  Space<double> rows{"Sporos::register_images::rows"};
  Space<double> values{"Sporos::register_images::values"};
  Space<PeakCandidate<double>> fine{"Sporos::register_images::fine"};
  Kokkos::View<double*, Memory> factors;
  ShiftTables tables{};

  std::size_t bytes() const {
    return fft.bytes() + images.bytes() + left.bytes() + right.bytes() +
           back.bytes() + scales.bytes() + sums.bytes() + lines.bytes() +
           shifts.bytes() + rows.bytes() + values.bytes() + fine.bytes() +
           factors.extent(0) * sizeof(double);
  }
  T* memory(const Exec& exec, Space<T>& space, std::int64_t of_pair) const {
    return space.require_data(exec, std::size_t(batch * of_pair));
  }

  void plan(const Exec& exec, int n_, int h, int w,
            const RegistrationOptions& o, bool measure) {
    using Fft         = RegistrationFft<Exec, T>;
    n                 = n_;
    device            = device_of(exec);
    options           = o;
    const int columns = w / 2 + 1;
    shape             = {
                    h,        w,           columns, Fft::round(w), Fft::round(2 * columns),
                    o.whiten, o.upsampling};
    const double of_pair =
        double(sizeof(T)) * double(shape.image() + 2 * shape.spectrum());
    const double room =
        is_host_space_v<Exec> ? peak_batch_bytes : peak_batch_bytes_of_devices;
    // batches of about the same size: the last one repeats pairs of the one
    // before it
    batch = fft_batch(n, std::int64_t(room / of_pair));
    fft.plan(exec, shape, batch, memory(exec, images, shape.image()),
             memory(exec, right, shape.spectrum()), measure);
    if (o.upsampling == 1) return;
    std::vector<double> host;
    tables  = fill_shift_tables(shape, host);
    factors = new_view<Kokkos::View<double*, Memory>>(
        exec, "Sporos::register_images::factors", host.size());
    Kokkos::deep_copy(exec, factors,
                      Kokkos::View<const double*, Kokkos::HostSpace,
                                   Kokkos::MemoryTraits<Kokkos::Unmanaged>>(
                          host.data(), host.size()));
    tables.data = factors.data();
    fence(exec, "Sporos::register_images::factors");
  }
};

}  // namespace SPOROS_IMPL_FFT_LIBRARIES

/// Shifts as users see them.
template <class Exec, class T>
struct FinishShifts {
  UpsampleShifts<Exec, T> upsampled;
  ImageShift* to;
  std::ptrdiff_t stride;
  double missing = std::numeric_limits<double>::quiet_NaN();

  /// From [0, n) to the shift that is nearest to 0, as images are periodic
  static KOKKOS_FUNCTION int wrapped(int shift, int n) {
    return shift > n / 2 ? shift - n : shift;
  }
  KOKKOS_FUNCTION void operator()(std::int64_t pair) const {
    const RegistrationShape& s  = upsampled.shape;
    const WholeShift<T>& shift  = upsampled.shifts[pair];
    const PeakCandidate<T>& all = shift.best;
    ImageShift& out             = to[pair * stride];
    if (!all.exists()) {
      out = {missing, missing, missing};
      return;
    }
    out = {double(wrapped(all.y, s.h)), double(wrapped(all.x, s.w)), 0};
    if (!(shift.norm > 0)) return;
    double value = double(all.value);
    if (s.upsampling > 1) {
      PeakCandidate<double> best;
      const int points = upsampled.tables.points;
      for (int line = 0; line < points; ++line) {
        const auto& c = upsampled.candidates[pair * points + line];
        if (c.is_before(best)) best = c;
      }
      out.dy += upsampled.away(best.y);
      out.dx += upsampled.away(best.x);
      value = best.value + shift.norm * upsampled.farness(best.y, best.x);
    }
    // rounding alone makes it larger
    out.height = Math::max(-1., Math::min(1., value / shift.norm));
  }
};

/// Whole and then upsampled shifts of a batch, of which the spectra are there.
template <class Exec, class T>
void find_shifts(const Exec& exec, RegistrationState<Exec, T>& s, const T* left,
                 bool shared, T* back, ImageShift* to, std::ptrdiff_t stride) {
  using Lines                = RegistrationLines<Exec>;
  const RegistrationShape& f = s.shape;
  T* const images            = s.memory(exec, s.images, f.image());
  T* const right             = s.memory(exec, s.right, f.spectrum());
  const auto launch = [&](const char* label, auto tag, std::int64_t indices,
                          const auto& kernel) {
    for_each_index(
        label,
        Kokkos::RangePolicy<Exec, decltype(tag),
                            Kokkos::IndexType<std::int64_t>>(exec, 0, indices),
        kernel);
  };
  const Lines spectrum{f.h, f.columns}, image{f.h, f.w};
  const std::int64_t b = s.batch;
  const auto lines     = [&](std::int64_t of_pair) {
    return std::size_t(b * of_pair);
  };
  SpectrumSums* const sums = s.sums.require_data(exec, lines(spectrum.count()));
  for_each_index("Sporos::register_images::multiply",
                 Kokkos::RangePolicy<Exec, Kokkos::IndexType<std::int64_t>>(
                     exec, 0, b * spectrum.count()),
                 MultiplyImages<Exec, T>{
                     f, spectrum, left, right, back, shared,
                     f.whiten ? whitening_noise<T>(f.h, f.w) : T(-1), sums});
  s.fft.backward(exec, back, images);
  using Search = SearchWholeShifts<Exec, T>;
  const Search search{f,
                      image,
                      images,
                      s.lines.require_data(exec, lines(image.count())),
                      sums,
                      spectrum.count(),
                      s.shifts.require_data(exec, std::size_t(b))};
  const char* const whole = "Sporos::register_images::whole_shifts";
  launch(whole, typename Search::OfLines{}, b * image.count(), search);
  launch(whole, typename Search::OfPairs{}, b, search);
  using Upsample = UpsampleShifts<Exec, T>;
  Upsample upsample{f,       s.tables, right,  search.shifts,
                    nullptr, nullptr,  nullptr};
  if (f.upsampling > 1) {
    upsample.rows =
        s.rows.require_data(exec, lines(std::int64_t(f.h) * 2 * shift_nodes));
    upsample.values =
        s.values.require_data(exec, lines(shift_nodes * shift_nodes));
    upsample.candidates = s.fine.require_data(exec, lines(s.tables.points));
    const char* const upsampled = "Sporos::register_images::upsample";
    launch(upsampled, typename Upsample::Rows{}, b * f.h * Upsample::of_row,
           upsample);
    launch(upsampled, typename Upsample::Values{},
           b * shift_nodes * Upsample::of_row, upsample);
    launch(upsampled, typename Upsample::Fine{}, b * s.tables.points, upsample);
  }
  for_each_index(
      "Sporos::register_images::shifts",
      Kokkos::RangePolicy<Exec, Kokkos::IndexType<std::int64_t>>(exec, 0, b),
      FinishShifts<Exec, T>{upsample, to, stride});
}

/// All pairs, batch by batch. shared: one left image for all
template <class Exec, class T, class L, class R>
void register_pairs(const Exec& exec, RegistrationState<Exec, T>& s,
                    MatrixBatch<const L> left, MatrixBatch<const R> right,
                    bool shared, ImageShift* shifts, std::ptrdiff_t stride) {
  if (s.n == 0) return;
  const RegistrationShape& f = s.shape;
  T* const images            = s.memory(exec, s.images, f.image());
  T* const right_spectra     = s.memory(exec, s.right, f.spectrum());
  T* const left_spectra =
      shared ? s.left.require_data(exec, std::size_t(f.spectrum()))
             : s.memory(exec, s.left, f.spectrum());
  // products are transformed back in place of left spectra, unless these stay
  T* const back = shared ? s.memory(exec, s.back, f.spectrum()) : left_spectra;
  const auto spectra = [&](const auto& from, int first, int count, T* to) {
    auto part = from;
    part.data += first * from.i;
    copy_images(exec, f, part, count, images,
                [&](std::size_t n) { return s.scales.require_data(exec, n); });
    s.fft.forward(exec, images, to, count);
  };
  if (shared) spectra(left, 0, 1, left_spectra);
  for (int at = 0; at < s.n; at += s.batch) {
    const int first = std::min(at, s.n - s.batch);
    if (!shared) spectra(left, first, s.batch, left_spectra);
    spectra(right, first, s.batch, right_spectra);
    find_shifts(exec, s, left_spectra, shared, back, shifts + first * stride,
                stride);
  }
}

}  // namespace Impl
}  // namespace Sporos

#endif
