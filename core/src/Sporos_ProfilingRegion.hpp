// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef SPOROS_PROFILINGREGION_HPP
#define SPOROS_PROFILINGREGION_HPP

/// \file Sporos_ProfilingRegion.hpp
/// Regions of profilers: the phases of a call.

#include <Sporos_KokkosCompat.hpp>

#include <string>
#include <string_view>

namespace Sporos {
namespace Impl {

/// A region that profilers see as long as it lives, also if an exception ends
/// it. Regions of a thread nest as blocks do. Without a tool the outermost one
/// costs a look at Kokkos' callbacks (120 instructions with Kokkos 3.4), the
/// others next to nothing.
class ProfilingRegion {
 public:
  /// The region is called `name` followed by `more`.
  explicit ProfilingRegion(std::string_view name, std::string_view more = {})
      : m_outermost(tool == Tool::not_asked) {
    const Tool now = m_outermost ? ask() : tool;
    if (now == Tool::loaded) push(name, more);
    tool = now;  // not before: push may throw
  }
  ProfilingRegion(const ProfilingRegion&)            = delete;
  ProfilingRegion& operator=(const ProfilingRegion&) = delete;
  ~ProfilingRegion() {
    if (tool == Tool::loaded) Kokkos::Tools::popRegion();
    if (m_outermost) tool = Tool::not_asked;
  }

 private:
  [[gnu::cold, gnu::noinline]] static void push(std::string_view name,
                                                std::string_view more) {
    Kokkos::Tools::pushRegion(std::string(name).append(more));
  }

  enum class Tool { not_asked, none, loaded };
  static Tool ask() {
    return Kokkos::Tools::profileLibraryLoaded() ? Tool::loaded : Tool::none;
  }
  /// What the outermost region of this thread found.
  static inline thread_local Tool tool = Tool::not_asked;

  const bool m_outermost;
};

}  // namespace Impl
}  // namespace Sporos

#endif
