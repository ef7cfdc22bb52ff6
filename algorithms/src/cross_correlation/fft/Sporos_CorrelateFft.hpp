// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef SPOROS_CORRELATEFFT_HPP
#define SPOROS_CORRELATEFFT_HPP

/// \file Sporos_CorrelateFft.hpp
/// `fft` of a plan, by the FFT library of its execution space
/// (Sporos_FftLibrary.hpp). The memory of a plan does not depend on it.

#include <Sporos_FftLibrary.hpp>
#include <cross_correlation/fft/Sporos_CorrelateDeviceFft.hpp>
#include <cross_correlation/fft/Sporos_CorrelateFftShape.hpp>
#include <cross_correlation/fft/Sporos_CorrelateFftw.hpp>

#include <cstddef>
#include <memory>
#include <type_traits>

namespace Sporos {
namespace Impl {

/// `fft` of a plan, by whichever library.
template <class Exec, class T, class A>
class CorrelateFft {
 public:
  CorrelateFft()                               = default;
  CorrelateFft(const CorrelateFft&)            = delete;
  CorrelateFft& operator=(const CorrelateFft&) = delete;
  virtual ~CorrelateFft()                      = default;

  /// Memory held.
  virtual std::size_t bytes() const = 0;
  /// Pairs of the last run that lost digits.
  virtual WidePairs wide_pairs() const                         = 0;
  virtual void run(const Exec&, const CorrelateProblem<T, A>&) = 0;
  /// Correlates copies of the matrices less their means.
  virtual void run_centered(const Exec&, const CorrelateProblem<A, A>&) = 0;
};

/// Correlates by the library whose workspaces these are.
template <class Exec, class T, class A, class Workspace>
class CorrelateFftBy final : public CorrelateFft<Exec, T, A> {
 public:
  /// more: what else Workspace::plan takes
  template <class... More>
  CorrelateFftBy(const Exec& exec, const CorrelateShape& s, Pairing pairing,
                 bool measure, More... more) {
    m_space.plan(exec, s, pairing, measure, more...);
  }
  std::size_t bytes() const override { return m_space.bytes(); }
  WidePairs wide_pairs() const override { return m_space.wide_pairs; }
  void run(const Exec& exec, const CorrelateProblem<T, A>& p) override {
    correlate_fft(exec, p, m_space);
  }
  void run_centered([[maybe_unused]] const Exec& exec,
                    [[maybe_unused]] const CorrelateProblem<A, A>& p) override {
    if constexpr (std::is_floating_point<real_of<A>>::value)
      correlate_fft(exec, p, m_space);
  }

 private:
  Workspace m_space;
};

template <class Exec, class In, class T, class A>
void run_fft(const Exec& exec, CorrelateFft<Exec, T, A>& fft,
             const CorrelateProblem<In, A>& p) {
  if constexpr (std::is_same<In, T>::value)
    fft.run(exec, p);
  else
    fft.run_centered(exec, p);
}

inline namespace SPOROS_IMPL_FFT_LIBRARIES {

/// Is there an FFT for Exec in this build?
template <class Exec>
inline constexpr bool has_correlate_fft =
    fft_library<Exec>() != FftLibrary::none;

/// Plans; null if there is no library.
template <class T, class A, class Exec>
std::unique_ptr<CorrelateFft<Exec, T, A>> make_correlate_fft(
    [[maybe_unused]] const Exec& exec, [[maybe_unused]] const CorrelateShape& s,
    [[maybe_unused]] Pairing pairing, [[maybe_unused]] bool measure) {
#ifdef SPOROS_HAVE_FFTW
  if constexpr (fft_library<Exec>() == FftLibrary::fftw)
    return std::make_unique<CorrelateFftBy<Exec, T, A, FftwWorkspace<Exec, A>>>(
        exec, s, pairing, measure);
#endif
#ifdef SPOROS_IMPL_DEVICE_FFT
  if constexpr (fft_library<Exec>() == FftLibrary::device)
    return std::make_unique<
        CorrelateFftBy<Exec, T, A, DeviceFftWorkspace<Exec, A>>>(
        exec, s, pairing, measure);
#endif
  return nullptr;
}

}  // namespace SPOROS_IMPL_FFT_LIBRARIES
}  // namespace Impl
}  // namespace Sporos

#endif
