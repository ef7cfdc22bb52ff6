// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef SPOROS_NUFFT_STEPTIMES_HPP
#define SPOROS_NUFFT_STEPTIMES_HPP

/// \file Nufft_StepTimes.hpp
/// The times of the steps of a plan, by the regions that it shows to profilers.

#include "Nufft_AnyTransform.hpp"

#include <string>

namespace NufftApp {

/// While it lives, regions of known names are timed; each ends when its kernels
/// have run. One at a time; a profiler sees nothing meanwhile.
class StepTimes {
 public:
  StepTimes(const Exec& exec, Times& times) : m_exec(exec), m_times(times) {
    current() = this;
    set(push, pop);
  }
  ~StepTimes() {
    set(nullptr, nullptr);
    current() = nullptr;
  }
  StepTimes(const StepTimes&)      = delete;
  void operator=(const StepTimes&) = delete;

 private:
  static StepTimes*& current() {
    static StepTimes* steps = nullptr;
    return steps;
  }
  template <class OnPush, class OnPop>
  static void set(OnPush on_push, OnPop on_pop) {
    Kokkos::Tools::Experimental::set_push_region_callback(on_push);
    Kokkos::Tools::Experimental::set_pop_region_callback(on_pop);
  }
  static void push(const char* region) {
    StepTimes& s = *current();
    if (s.m_step == nullptr) s.begin(region);
    ++s.m_depth;
  }
  static void pop() {
    StepTimes& s = *current();
    if (--s.m_depth != s.m_depth_of_step || s.m_step == nullptr) return;
    s.m_exec.fence();
    *s.m_step = s.m_timer.seconds();
    s.m_step  = nullptr;
  }
  void begin(const std::string& region) {
    m_step = region == "Sporos::NufftPlan::set_points" ? &m_times.update
             : region == "Sporos::nufft::spread"       ? &m_times.transfer
             : region == "Sporos::nufft::interpolate"  ? &m_times.transfer
             : region == "Sporos::nufft::fft"          ? &m_times.fft
             : region == "Sporos::nufft::modes"        ? &m_times.deconvolve
                                                       : nullptr;
    m_depth_of_step = m_depth;
    m_timer.reset();
  }

  Exec m_exec;
  Times& m_times;
  Kokkos::Timer m_timer;
  int m_depth = 0, m_depth_of_step = 0;
  double* m_step = nullptr;
};

}  // namespace NufftApp

#endif
