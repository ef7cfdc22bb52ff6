// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/// What profilers see: labels of kernels, allocations, fences and regions while
/// a Recorder lives.

#ifndef SPOROS_TOOLSRECORDER_HPP
#define SPOROS_TOOLSRECORDER_HPP

#include <Kokkos_Core.hpp>

#include <algorithm>
#include <cstdint>
#include <iterator>
#include <mutex>
#include <set>
#include <string>
#include <vector>

namespace Sporos {
namespace Test {

/// What Kokkos reported since the last clear().
struct Events {
  std::vector<std::string> kernels, allocations, deallocations, fences;
  int copies         = 0;
  std::int64_t bytes = 0;  ///< allocated, less those freed
  /// Instances, as Kokkos::Tools::Experimental::device_id names them, that ran
  /// kernels.
  std::set<std::uint32_t> instances;
  /// Regions, each with those around it: "outer/inner".
  std::set<std::string> regions;
  std::vector<std::string> open;  ///< regions that were not left yet
  bool left_none = false;         ///< was a region left without any being open?
};
inline Events events;

/// Kokkos' OpenMP threads allocate their scratch memory all at once.
inline std::mutex recording;

inline void record_kernel(const char* label, std::uint32_t instance,
                          std::uint64_t*) {
  events.kernels.push_back(label);
  events.instances.insert(instance);
}
inline void record_allocation(Kokkos::Profiling::SpaceHandle, const char* label,
                              const void*, std::uint64_t bytes) {
  if (bytes == 0) return;  // Kokkos' CUDA team scratch, when there is none
  const std::lock_guard<std::mutex> lock(recording);
  events.allocations.push_back(label);
  events.bytes += std::int64_t(bytes);
}
inline void record_deallocation(Kokkos::Profiling::SpaceHandle,
                                const char* label, const void*,
                                std::uint64_t bytes) {
  const std::lock_guard<std::mutex> lock(recording);
  events.deallocations.push_back(label);
  events.bytes -= std::int64_t(bytes);
}
inline void record_copy(Kokkos::Profiling::SpaceHandle, const char*,
                        const void*, Kokkos::Profiling::SpaceHandle,
                        const char*, const void*, std::uint64_t) {
  ++events.copies;
}
inline void record_fence(const char* label, std::uint32_t, std::uint64_t*) {
  // Kokkos 4 and newer fence before they call a callback: not our doing
  if (std::string(label).compare(0, 15, "Kokkos::Tools::") != 0)
    events.fences.push_back(label);
}
inline void record_push(const char* label) {
  events.open.push_back((events.open.empty() ? "" : events.open.back() + '/') +
                        label);
  events.regions.insert(events.open.back());
}
inline void record_pop() {
  events.left_none = events.left_none || events.open.empty();
  if (!events.open.empty()) events.open.pop_back();
}

/// Was each region left that was entered?
inline bool regions_match() { return events.open.empty() && !events.left_none; }

/// Was there a region with this name, or this end of a path?
inline bool saw_region(const std::string& path) {
  return std::any_of(
      events.regions.begin(), events.regions.end(), [&](const auto& seen) {
        return ('/' + seen).size() > path.size() &&
               ('/' + seen)
                       .compare(seen.size() - path.size(), path.size() + 1,
                                '/' + path) == 0;
      });
}

/// Records while it lives.
struct Recorder {
  Recorder() {
    events = Events();
    set(record_kernel, record_allocation, record_deallocation, record_copy,
        record_fence);
    set(record_push, record_pop);
  }
  ~Recorder() {
    set(nullptr, nullptr, nullptr, nullptr, nullptr);
    set(nullptr, nullptr);
  }

 private:
  static void set(decltype(&record_push) push, decltype(&record_pop) pop) {
    Kokkos::Tools::Experimental::set_push_region_callback(push);
    Kokkos::Tools::Experimental::set_pop_region_callback(pop);
  }
  static void set(decltype(&record_kernel) kernel,
                  decltype(&record_allocation) allocation,
                  decltype(&record_deallocation) deallocation,
                  decltype(&record_copy) copy, decltype(&record_fence) fence) {
    Kokkos::Tools::Experimental::set_begin_parallel_for_callback(kernel);
    Kokkos::Tools::Experimental::set_begin_parallel_reduce_callback(kernel);
    Kokkos::Tools::Experimental::set_begin_parallel_scan_callback(kernel);
    Kokkos::Tools::Experimental::set_allocate_data_callback(allocation);
    Kokkos::Tools::Experimental::set_deallocate_data_callback(deallocation);
    Kokkos::Tools::Experimental::set_begin_deep_copy_callback(copy);
    Kokkos::Tools::Experimental::set_begin_fence_callback(fence);
  }
};

inline std::vector<std::string> without_sporos(
    const std::vector<std::string>& all) {
  std::vector<std::string> others;
  std::copy_if(all.begin(), all.end(), std::back_inserter(others),
               [](const std::string& label) {
                 // also Kokkos' own "Kokkos::View::initialization
                 // [Sporos::...]"
                 return label.find("Sporos::") == std::string::npos;
               });
  return others;
}

}  // namespace Test
}  // namespace Sporos

#endif
