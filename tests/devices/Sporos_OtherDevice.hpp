// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/// An instance on the second device while the first is the current one, for
/// tests. Needs CUDA, two devices and a Kokkos with instances of several
/// (docs/gpu.md, "Several devices").

#ifndef SPOROS_OTHERDEVICE_HPP
#define SPOROS_OTHERDEVICE_HPP

#include "Sporos_Test.hpp"

#include <Sporos_KokkosCompat.hpp>

#include <cmath>
#include <cstddef>
#include <cstring>
#include <optional>
#include <string>
#include <vector>

namespace Sporos {
namespace Test {

using Exec    = Kokkos::DefaultExecutionSpace;
using Memory  = Exec::memory_space;
using Numbers = std::vector<double>;

#if defined(KOKKOS_ENABLE_CUDA) && KOKKOS_VERSION >= 40400
inline int device_count() {
  int n = 0;
  cudaGetDeviceCount(&n);
  return n;
}
inline void set_device(int device) { cudaSetDevice(device); }
/// An instance on the device 1.
class Other {
 public:
  Other() {
    set_device(1);
    cudaStreamCreate(&m_stream);
    exec.emplace(m_stream);
    set_device(0);
  }
  ~Other() {
    exec.reset();
    cudaStreamDestroy(m_stream);
  }
  std::optional<Exec> exec;

 private:
  cudaStream_t m_stream;
};
#else
inline int device_count() { return 1; }
inline void set_device(int) {}
struct Other {
  std::optional<Exec> exec;
};
#endif

template <class View, class... Extents>
View filled(const Exec& exec, double seed, Extents... extents) {
  const View view(Kokkos::view_alloc(exec, std::string("test")), extents...);
  const auto host = Kokkos::create_mirror_view(view);
  for (std::size_t k = 0; k < view.size(); ++k)
    host.data()[k] =
        typename View::value_type(std::sin(seed + double(k) * (1.1 + seed)));
  Kokkos::deep_copy(exec, view, host);
  exec.fence();
  set_device(0);
  return view;
}

template <class View>
void append(Numbers& all, const Exec& exec, const View& view) {
  const auto host = Kokkos::create_mirror_view(view);
  Kokkos::deep_copy(exec, host, view);
  exec.fence();
  all.insert(all.end(), host.data(), host.data() + host.size());
  set_device(0);
}
inline void append(Numbers& all, const Numbers& values) {
  all.insert(all.end(), values.begin(), values.end());
}

inline bool two_devices() {
  if (device_count() > 1) return true;
  WARN("there is one device, or Kokkos has no instances of others");
  return false;
}

/// Compares the bits of run(exec) on both devices.
template <class Run>
void compare_devices(const Run& run) {
  if (!two_devices()) return;
  set_device(0);
  const Numbers expected = run(Exec());
  const Other other;
  CHECK(Sporos::Impl::device_of(*other.exec) == 1);
  const Numbers got = run(*other.exec);
  CHECK(!got.empty());
  REQUIRE(got.size() == expected.size());
  CHECK(std::memcmp(got.data(), expected.data(), got.size() * sizeof(double)) ==
        0);
}

}  // namespace Test
}  // namespace Sporos

#endif
