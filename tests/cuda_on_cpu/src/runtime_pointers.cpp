// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What is known of addresses; advice.
#include "runtime.hpp"

extern "C" {

cudaError_t cudaPointerGetAttributes(cudaPointerAttributes *p, const void *q) {
  memset(p, 0, sizeof *p);
  Allocation *a = find_allocation(q);
  p->device     = a ? a->device : 0;
  if (!a) {
    p->type        = cudaMemoryTypeUnregistered;
    p->device      = -2;
    p->hostPointer = const_cast<void *>(q);
    return cudaSuccess;
  }
  switch (a->kind) {
    case MemoryKind::managed: p->type = cudaMemoryTypeManaged; break;
    case MemoryKind::host:
    case MemoryKind::registered: p->type = cudaMemoryTypeHost; break;
    default: p->type = cudaMemoryTypeDevice;
  }
  p->devicePointer = const_cast<void *>(q);
  p->hostPointer =
      p->type == cudaMemoryTypeDevice ? nullptr : const_cast<void *>(q);
  return cudaSuccess;
}
cudaError_t cudaMemPrefetchAsync(const void *, size_t, cudaMemLocation,
                                 unsigned, cudaStream_t) {
  return cudaSuccess;
}
cudaError_t cudaMemAdvise(const void *, size_t, cudaMemoryAdvise,
                          cudaMemLocation) {
  return cudaSuccess;
}
}
