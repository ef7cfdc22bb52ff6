// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef SPOROS_KOKKOSCOMPAT_HPP
#define SPOROS_KOKKOSCOMPAT_HPP

/// \file Sporos_KokkosCompat.hpp
/// Names that differ between Kokkos 3.4 and 5, and properties of back ends
/// (host or device, how to cut work). The only file that looks at
/// KOKKOS_VERSION; few others look at macros of back ends (CONTRIBUTING.md).

#include <Kokkos_Core.hpp>

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <string>
#include <type_traits>

#if !defined(KOKKOS_VERSION) || KOKKOS_VERSION < 30400
#error "Sporos needs Kokkos 3.4 or newer"
#endif

/// The next loop carries no dependence through memory (the author's promise).
#if defined(__NVCC__) || defined(__CUDACC__) || defined(__HIPCC__)
#define SPOROS_IVDEP
#elif defined(__clang__)
#define SPOROS_IVDEP _Pragma("clang loop vectorize(assume_safety)")
#elif defined(__GNUC__)
#define SPOROS_IVDEP _Pragma("GCC ivdep")
#else
#define SPOROS_IVDEP
#endif

/// Unroll the next loop, whose trip count is a constant, completely. (nvcc
/// knows only a pragma of which the host compiler behind it warns.)
#if defined(__clang__) || defined(__CUDA_ARCH__)
#define SPOROS_UNROLL _Pragma("unroll")
#elif defined(__GNUC__) && !defined(__NVCC__)
#define SPOROS_UNROLL _Pragma("GCC unroll 64")
#else
#define SPOROS_UNROLL
#endif

/// Unroll the next loop in device code, where an array that is indexed by what
/// only the run time knows does not fit into registers.
#if defined(__CUDA_ARCH__) || defined(__HIP_DEVICE_COMPILE__)
#define SPOROS_UNROLL_ON_DEVICES _Pragma("unroll")
#else
#define SPOROS_UNROLL_ON_DEVICES
#endif

/// After the parameters of a lambda of hosts: it is always inlined.
#if defined(__GNUC__) || defined(__clang__)
#define SPOROS_INLINE_LAMBDA __attribute__((always_inline))
#else
#define SPOROS_INLINE_LAMBDA
#endif
/// A host function that is always inlined.
#define SPOROS_ALWAYS_INLINE inline SPOROS_INLINE_LAMBDA

namespace Sporos {
namespace Impl {

/// Does the compiler make device code? (nvcc and hipcc read a file twice.)
#if defined(__CUDA_ARCH__) || defined(__HIP_DEVICE_COMPILE__)
inline constexpr bool is_device_pass = true;
#else
inline constexpr bool is_device_pass = false;
#endif

/// Are the devices AMD's?
#ifdef KOKKOS_ENABLE_HIP
inline constexpr bool has_hip = true;
#else
inline constexpr bool has_hip        = false;
#endif

// ---------------------------------------------------------------------------
// Execution spaces

/// Does Exec run on the cores of the host? Then its kernels are finished when
/// the launch returns, so that the host may read results without a fence.
/// (Accessible memory does not tell: a device with unified memory can access
/// all of it.)
template <class Exec>
struct is_host_space : std::false_type {
  static_assert(
      !std::is_same<typename Exec::memory_space, Kokkos::HostSpace>::value,
      "Sporos: the execution spaces Kokkos::Serial and "
      "Kokkos::OpenMP of hosts only");
};

#ifdef KOKKOS_ENABLE_SERIAL
template <>
struct is_host_space<Kokkos::Serial> : std::true_type {};
#endif
#ifdef KOKKOS_ENABLE_OPENMP
template <>
struct is_host_space<Kokkos::OpenMP> : std::true_type {};
#endif

template <class Exec>
inline constexpr bool is_host_space_v = is_host_space<Exec>::value;

/// Is Exec a device with shuffles that Sporos_Lanes.hpp supports?
template <class Exec>
struct has_device_lanes : std::false_type {};
#ifdef KOKKOS_ENABLE_CUDA
template <>
struct has_device_lanes<Kokkos::Cuda> : std::true_type {};
#endif
#ifdef KOKKOS_ENABLE_HIP
#if KOKKOS_VERSION >= 40000
template <>
struct has_device_lanes<Kokkos::HIP> : std::true_type {};
#else
template <>
struct has_device_lanes<Kokkos::Experimental::HIP> : std::true_type {};
#endif
#endif

/// Threads of a warp (HIP: of a wave), which run the same instruction and
/// shuffle values. RDNA GPUs of AMD, gfx10 and later, have 32, the others
/// (CDNA) 64. What compiles for the host does not know which, but Kokkos does.
constexpr int warp_threads_of_devices() {
#if defined(KOKKOS_ENABLE_HIP) && defined(KOKKOS_ARCH_AMD_GPU)
  return KOKKOS_ARCH_AMD_GPU[3] == '1' ? 32 : 64;
#else
  return has_hip ? 64 : 32;
#endif
}
inline constexpr int warp_threads = warp_threads_of_devices();
#ifdef __HIP_DEVICE_COMPILE__
#ifdef __GFX9__
static_assert(warp_threads == 64, "Sporos: --offload-arch is not Kokkos' own");
#else
static_assert(warp_threads == 32, "Sporos: --offload-arch is not Kokkos' own");
#endif
#endif

/// A trait of policies of teams of at most Threads threads, vector lanes
/// counted. Without it HIP compiles kernels for teams of 1024, whose threads
/// have few registers, and keeps what does not fit in memory. With CUDA it
/// changes nothing.
template <int Threads>
using TeamBound =
    Kokkos::LaunchBounds<has_hip ? unsigned(Threads) : 0u, has_hip ? 1u : 0u>;

/// Number of the device of an instance; 0 for hosts. (With CUDA and HIP one
/// process may have instances of several devices.)
template <class Exec>
int device_of(const Exec&) {
  return 0;
}
#ifdef KOKKOS_ENABLE_CUDA
inline int device_of(const Kokkos::Cuda& exec) { return exec.cuda_device(); }
#endif
#ifdef KOKKOS_ENABLE_HIP
#if KOKKOS_VERSION >= 40000
inline int device_of(const Kokkos::HIP& exec) { return exec.hip_device(); }
#else
inline int device_of(const Kokkos::Experimental::HIP& exec) {
  return exec.hip_device();
}
#endif
#endif

/// Can kernels of Exec read and write views of View's memory?
template <class Exec, class View>
inline constexpr bool is_accessible_v =
    Kokkos::SpaceAccessibility<Exec, typename View::memory_space>::accessible;

/// Policies of kernels with large functors. Unless it knows better (as version
/// 5 does for CUDA), Kokkos copies functors of 512 bytes and more to constant
/// memory of a device, after a wait for the last kernel whose functor is there.
/// Those of kernels that are called light are arguments of the launch, up to 4
/// KiB.
template <class Policy, class Light>
using PolicyOf =
    std::conditional_t<is_host_space_v<typename Policy::execution_space>,
                       Policy, Light>;
using LightKernel = Kokkos::Experimental::WorkItemProperty::HintLightWeight_t;
template <class Exec, class... Traits>
using LightRange = PolicyOf<Kokkos::RangePolicy<Exec, Traits...>,
                            Kokkos::RangePolicy<Exec, Traits..., LightKernel>>;
template <class Exec, class... Traits>
using LightTeams = PolicyOf<Kokkos::TeamPolicy<Exec, Traits...>,
                            Kokkos::TeamPolicy<Exec, Traits..., LightKernel>>;

/// Does Kokkos add values of T atomically? (Before version 4 other types would
/// need members for volatile objects.)
#if KOKKOS_VERSION >= 40000
template <class T>
inline constexpr bool has_atomic_add_v = std::is_trivially_copyable<T>::value;
#else
template <class T>
inline constexpr bool has_atomic_add_v = std::is_arithmetic<T>::value;
#endif
template <class T>
inline constexpr bool has_atomic_add_v<Kokkos::complex<T>> = true;

/// Waits for the work of one instance; the label shows in profiles (Kokkos
/// before 3.5 takes none).
template <class Exec>
void fence(const Exec& exec, [[maybe_unused]] const std::string& label) {
#if KOKKOS_VERSION >= 30500
  exec.fence(label);
#else
  exec.fence();
#endif
}

/// Waits for the work of all instances of all spaces.
inline void fence_all([[maybe_unused]] const std::string& label) {
#if KOKKOS_VERSION >= 30500
  Kokkos::fence(label);
#else
  Kokkos::fence();
#endif
}

/// Memory of the host from and to which a device copies fast.
#if defined(KOKKOS_HAS_SHARED_HOST_PINNED_SPACE)
using pinned_host_space = Kokkos::SharedHostPinnedSpace;
#elif defined(KOKKOS_ENABLE_CUDA)
using pinned_host_space = Kokkos::CudaHostPinnedSpace;
#else
using pinned_host_space = Kokkos::HostSpace;
#endif

// ---------------------------------------------------------------------------
// Views

#if KOKKOS_VERSION >= 40100
template <class View>
inline constexpr int view_rank_v = static_cast<int>(View::rank());
#else
template <class View>
inline constexpr int view_rank_v = static_cast<int>(View::Rank);
#endif

/// View(where, extents...): of memory at a pointer, or allocated. With extents
/// in place of a layout, Kokkos 3 compiles a check of their number and its text
/// for each View.
template <class View, class Where, class... Extents>
View make_view(const Where& where, Extents... extents) {
  static_assert(sizeof...(Extents) == std::size_t(View::rank_dynamic),
                "Sporos::make_view: one extent for each that is not constant");
  static_assert(View::array_layout::is_extent_constructible,
                "Sporos::make_view: a layout of extents alone");
  return View(where, typename View::array_layout(std::size_t(extents)...));
}

/// The instance in which a View is made and filled for an instance of any
/// space: exec itself if its kernels reach the View, else the default one of
/// the View's space.
template <class View, class Exec>
auto instance_for([[maybe_unused]] const Exec& exec) {
  if constexpr (is_accessible_v<Exec, View>)
    return exec;
  else
    return typename View::execution_space{};
}

/// A new View, not initialised, on the device of exec: without an instance
/// Kokkos allocates on the device that it was initialised with, which kernels
/// of another one cannot access.
template <class View, class Exec, class... Extents>
View new_view(const Exec& exec, const std::string& label, Extents... extents) {
  return make_view<View>(Kokkos::view_alloc(instance_for<View>(exec),
                                            Kokkos::WithoutInitializing, label),
                         extents...);
}

// ---------------------------------------------------------------------------
// Arithmetic that hosts and devices share

/// Functions of <cmath> for host and device code.
namespace Math {
#if KOKKOS_VERSION >= 30700
namespace From = ::Kokkos;
#else
namespace From                   = ::Kokkos::Experimental;
#endif
using From::cos;
using From::exp;
using From::fabs;
using From::floor;
using From::log;
using From::pow;
using From::sin;
using From::sqrt;

template <class T>
KOKKOS_INLINE_FUNCTION constexpr T min(T a, T b) {
  return b < a ? b : a;
}

template <class T>
KOKKOS_INLINE_FUNCTION constexpr T max(T a, T b) {
  return a < b ? b : a;
}

template <class T>
KOKKOS_INLINE_FUNCTION constexpr bool is_nan([[maybe_unused]] T a) {
  if constexpr (std::numeric_limits<T>::has_quiet_NaN)
    return a != a;
  else
    return false;
}

/// The smaller number, the first one of equal ones; NaN if one of them is.
template <class T>
KOKKOS_INLINE_FUNCTION constexpr T least(T a, T b) {
  return b < a || is_nan(b) ? b : a;
}

/// The larger number, the first one of equal ones; NaN if one of them is.
template <class T>
KOKKOS_INLINE_FUNCTION constexpr T greatest(T a, T b) {
  return a < b || is_nan(b) ? b : a;
}

/// a * b - c, rounded in the same way wherever it stands: once if the processor
/// can, else twice. (Compilers may fuse a * b - c in one kernel and not in
/// another.)
template <class Real>
KOKKOS_FORCEINLINE_FUNCTION Real multiply_subtract(Real a, Real b, Real c) {
#if defined(__CUDA_ARCH__) || defined(__HIP_DEVICE_COMPILE__) || \
    defined(__FMA__) || defined(__ARM_FEATURE_FMA) || defined(FP_FAST_FMA)
  using std::fma;
  return fma(a, b, -c);
#else
  return a * b - c;
#endif
}
}  // namespace Math

/// Quotient rounded up; numerator >= 0, denominator > 0.
template <class T>
KOKKOS_INLINE_FUNCTION constexpr T ceil_div(T numerator, T denominator) {
  return static_cast<T>(numerator / denominator +
                        (numerator % denominator != 0 ? 1 : 0));
}

/// The first i of low, low + 1, ..., high for which is_before(i) is false,
/// where it is true for all numbers before; high if there is none. O(log).
template <class IsBefore>
KOKKOS_INLINE_FUNCTION int partition_point(int low, int high,
                                           const IsBefore& is_before) {
  while (low < high) {
    const int middle = low + (high - low) / 2;
    if (is_before(middle))
      low = middle + 1;
    else
      high = middle;
  }
  return low;
}

/// Number of bits that x needs: 0 for 0, else 1 + floor(log2 x).
template <class U>
KOKKOS_INLINE_FUNCTION int bit_width(U x) {
  static_assert(std::is_unsigned<U>::value, "bit_width: unsigned types only");
#if KOKKOS_VERSION >= 40100
  return x == 0 ? 0
                : static_cast<int>(Kokkos::Experimental::bit_width_builtin(x));
#elif defined(__GNUC__) && !defined(__CUDACC__) && !defined(__HIPCC__)
  return x == 0 ? 0 : 64 - __builtin_clzll(static_cast<unsigned long long>(x));
#else
  int width = 0;
  for (int step = std::numeric_limits<U>::digits / 2; step > 0; step /= 2)
    if ((x >> step) != 0) {
      x = static_cast<U>(x >> step);
      width += step;
    }
  return width + (x != 0 ? 1 : 0);
#endif
}

/// Number of bits set in x.
template <class U>
KOKKOS_INLINE_FUNCTION int popcount(U x) {
  static_assert(std::is_unsigned<U>::value, "popcount: unsigned types only");
#if KOKKOS_VERSION >= 40100
  return Kokkos::Experimental::popcount_builtin(x);
#else
  int count = 0;
  for (; x != 0; x = static_cast<U>(x & (x - 1))) ++count;
  return count;
#endif
}

/// The last of `count` segments that starts at element i or before. offsets(k):
/// where segment k starts; they ascend, and the first is not after i.
template <class Offsets>
KOKKOS_INLINE_FUNCTION int segment_at(const Offsets& offsets, int count,
                                      int i) {
  int low = 0, high = count;
  while (high - low > 1) {
    const int middle = low + (high - low) / 2;
    if (static_cast<int>(offsets(middle)) <= i)
      low = middle;
    else
      high = middle;
  }
  return low;
}

/// Position of the lowest bit set; the number of bits of U for 0.
template <class U>
KOKKOS_INLINE_FUNCTION int countr_zero(U x) {
  static_assert(std::is_unsigned<U>::value, "countr_zero: unsigned types only");
  return x == 0 ? std::numeric_limits<U>::digits
                : bit_width(static_cast<U>(x & (~x + 1))) - 1;
}

}  // namespace Impl
}  // namespace Sporos

#endif
