// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef SPOROS_FFTWPLANS_HPP
#define SPOROS_FFTWPLANS_HPP

/// \file Sporos_FftwPlans.hpp
/// Plans of FFTW as objects, in both precisions. Needs SPOROS_HAVE_FFTW and
/// linking with fftw3 and fftw3f.

#ifdef SPOROS_HAVE_FFTW

#include <fftw3.h>

#include <cstddef>
#include <cstdlib>
#include <memory>
#include <mutex>
#include <string>
#include <type_traits>

namespace Sporos {
namespace Impl {

/// FFTW's planner is not thread-safe.
inline std::mutex& fftw_planner() {
  static std::mutex mutex;
  return mutex;
}

template <class R>
struct Fftw;

#define SPOROS_IMPL_FFTW(R, X)                                                 \
  template <>                                                                  \
  struct Fftw<R> {                                                             \
    using complex = X##_complex;                                               \
    using plan    = std::shared_ptr<std::remove_pointer_t<X##_plan>>;          \
    static plan own(X##_plan p) {                                              \
      return plan(p, [](X##_plan q) {                                          \
        const std::lock_guard<std::mutex> lock(fftw_planner());                \
        X##_destroy_plan(q);                                                   \
      });                                                                      \
    }                                                                          \
    /* many rows: real to complex, complex to real, complex to complex */      \
    static plan forward(int n, int rows, R* in, int in_pitch, R* out,          \
                        int out_pitch, unsigned flags) {                       \
      const std::lock_guard<std::mutex> lock(fftw_planner());                  \
      return own(X##_plan_many_dft_r2c(1, &n, rows, in, nullptr, 1, in_pitch,  \
                                       reinterpret_cast<complex*>(out),        \
                                       nullptr, 1, out_pitch, flags));         \
    }                                                                          \
    static plan backward(int n, int rows, R* in, int in_pitch, R* out,         \
                         int out_pitch, unsigned flags) {                      \
      const std::lock_guard<std::mutex> lock(fftw_planner());                  \
      return own(X##_plan_many_dft_c2r(                                        \
          1, &n, rows, reinterpret_cast<complex*>(in), nullptr, 1, in_pitch,   \
          out, nullptr, 1, out_pitch, flags));                                 \
    }                                                                          \
    static plan in_place(int n, int many, R* data, std::ptrdiff_t stride,      \
                         std::ptrdiff_t distance, int sign, unsigned flags) {  \
      const std::lock_guard<std::mutex> lock(fftw_planner());                  \
      auto* const z = reinterpret_cast<complex*>(data);                        \
      const X##_iodim64 one{n, stride, stride}, all{many, distance, distance}; \
      return own(X##_plan_guru64_dft(1, &one, 1, &all, z, z, sign, flags));    \
    }                                                                          \
    static plan line(int n, R* in, R* out, int sign, unsigned flags) {         \
      const std::lock_guard<std::mutex> lock(fftw_planner());                  \
      return own(X##_plan_dft_1d(n, reinterpret_cast<complex*>(in),            \
                                 reinterpret_cast<complex*>(out), sign,        \
                                 flags));                                      \
    }                                                                          \
    /* along planes and rows of them, for many neighbours */                   \
    static plan planes_in_place(int planes, int rows, int many, R* data,       \
                                std::ptrdiff_t row, int sign,                  \
                                unsigned flags) {                              \
      const std::lock_guard<std::mutex> lock(fftw_planner());                  \
      auto* const z              = reinterpret_cast<complex*>(data);           \
      const std::ptrdiff_t plane = row * rows;                                 \
      const X##_iodim64 both[]   = {{planes, plane, plane}, {rows, row, row}}; \
      const X##_iodim64 all{many, 1, 1};                                       \
      return own(X##_plan_guru64_dft(2, both, 1, &all, z, z, sign, flags));    \
    }                                                                          \
    /* of the planner, for each plan; negative: none */                        \
    static void limit_planning(double seconds) {                               \
      const std::lock_guard<std::mutex> lock(fftw_planner());                  \
      X##_set_timelimit(seconds);                                              \
    }                                                                          \
    static std::string export_wisdom() {                                       \
      const std::lock_guard<std::mutex> lock(fftw_planner());                  \
      const std::unique_ptr<char, void (*)(void*)> text(                       \
          X##_export_wisdom_to_string(), std::free);                           \
      return text == nullptr ? std::string() : std::string(text.get());        \
    }                                                                          \
    /* false: refused */                                                       \
    static bool import_wisdom(const std::string& text) {                       \
      const std::lock_guard<std::mutex> lock(fftw_planner());                  \
      return X##_import_wisdom_from_string(text.c_str()) != 0;                 \
    }                                                                          \
    static void run_forward(const plan& p, R* in, R* out) {                    \
      X##_execute_dft_r2c(p.get(), in, reinterpret_cast<complex*>(out));       \
    }                                                                          \
    static void run_backward(const plan& p, R* in, R* out) {                   \
      X##_execute_dft_c2r(p.get(), reinterpret_cast<complex*>(in), out);       \
    }                                                                          \
    static void run(const plan& p, R* in, R* out) {                            \
      X##_execute_dft(p.get(), reinterpret_cast<complex*>(in),                 \
                      reinterpret_cast<complex*>(out));                        \
    }                                                                          \
    static void run_in_place(const plan& p, R* data) { run(p, data, data); }   \
  };

SPOROS_IMPL_FFTW(float, fftwf)
SPOROS_IMPL_FFTW(double, fftw)
#undef SPOROS_IMPL_FFTW

}  // namespace Impl
}  // namespace Sporos

#endif  // SPOROS_HAVE_FFTW
#endif
