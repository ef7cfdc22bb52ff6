// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef SPOROS_DEVICEMESSAGES_HPP
#define SPOROS_DEVICEMESSAGES_HPP

/// \file Sporos_DeviceMessages.hpp
/// Can MPI send from and receive into the memory of devices?

#include <Sporos_Environment.hpp>
#include <Sporos_KokkosCompat.hpp>

#include <mpi.h>
#if defined(OPEN_MPI) && __has_include(<mpi-ext.h>)
#include <mpi-ext.h>
#endif

namespace Sporos {
namespace Impl {

/// What MPI itself says of memory of CUDA; no if it cannot be asked.
inline bool mpi_takes_cuda_memory() {
#if defined(MPIX_CUDA_AWARE_SUPPORT) && MPIX_CUDA_AWARE_SUPPORT
  return MPIX_Query_cuda_support() == 1;
#elif defined(MPICH) && defined(MPIX_GPU_SUPPORT_CUDA)
  int supported = 0;
  MPIX_GPU_query_support(MPIX_GPU_SUPPORT_CUDA, &supported);
  return supported != 0;
#else
  return false;
#endif
}

/// What MPI itself says of memory of HIP; no if it cannot be asked.
inline bool mpi_takes_hip_memory() {
#if defined(MPIX_ROCM_AWARE_SUPPORT) && MPIX_ROCM_AWARE_SUPPORT
  return MPIX_Query_rocm_support() == 1;
#elif defined(MPICH) && defined(MPIX_GPU_SUPPORT_HIP)
  int supported = 0;
  MPIX_GPU_query_support(MPIX_GPU_SUPPORT_HIP, &supported);
  return supported != 0;
#else
  return false;
#endif
}

/// What MPI says of memory of the devices.
inline bool mpi_takes_device_memory() {
  return has_hip ? mpi_takes_hip_memory() : mpi_takes_cuda_memory();
}

enum class DeviceMessages { query, yes, no };
template <>
struct EnumNames<DeviceMessages> {
  using E                           = DeviceMessages;
  static constexpr NamedValue all[] = {{"yes", E::yes}, {"no", E::no}};
};

/// Do messages go straight from and to device memory? SPOROS_MPI_DEVICE_MEMORY
/// (yes or no) overrides what MPI says. If not, they are staged in pinned
/// memory of the host.
inline bool device_messages() {
  const DeviceMessages choice =
      environment_choice("SPOROS_MPI_DEVICE_MEMORY", DeviceMessages::query);
  return choice == DeviceMessages::query ? mpi_takes_device_memory()
                                         : choice == DeviceMessages::yes;
}

}  // namespace Impl
}  // namespace Sporos

#endif
