// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Sporos_CufftStandIn.hpp"

#include <cuda_runtime_api.h>
#include <cufft.h>
#include <dlfcn.h>
#include <fftw3.h>

#include <algorithm>
#include <complex>
#include <map>
#include <memory>
#include <vector>

namespace {

using Sporos::Test::cufft_stand_in;
using Complex = std::complex<double>;

struct Plan {
  bool made = false, own_work = true, stream_set = false;
  int device   = -1;
  long long ny = 0, nx = 0, batch = 0;  // ny: all extents but the last
  std::vector<int> n;
  cufftType type      = CUFFT_C2C;
  std::size_t work    = 0;
  void* area          = nullptr;
  cudaStream_t stream = nullptr;
};

std::map<cufftHandle, Plan>& plans() {
  static std::map<cufftHandle, Plan> all;
  return all;
}

cufftResult wrong(cufftResult result, const std::string& what) {
  if (cufft_stand_in().misuse.empty()) cufft_stand_in().misuse = what;
  return result;
}

int current_device() {
  int device = -1;
  cudaGetDevice(&device);
  return device;
}

/// Is this call, one of planning, to fail?
bool fails() {
  int& left = cufft_stand_in().fail_after;
  if (left < 0) return false;
  return --left < 0;
}

/// Device memory of the current device, at this alignment?
bool on_device(const void* p, std::size_t alignment) {
  cudaPointerAttributes a;
  if (reinterpret_cast<std::uintptr_t>(p) % alignment != 0) return false;
  if (cudaPointerGetAttributes(&a, p) != cudaSuccess) return false;
  return (a.type == cudaMemoryTypeDevice || a.type == cudaMemoryTypeManaged) &&
         a.device == current_device();
}

bool overlap(const void* a, std::size_t n, const void* b, std::size_t m) {
  const auto x = reinterpret_cast<std::uintptr_t>(a);
  const auto y = reinterpret_cast<std::uintptr_t>(b);
  return x < y + m && y < x + n;
}

template <class T>
std::vector<T> from_device(const T* p, std::size_t n) {
  std::vector<T> v(n);
  cudaMemcpy(v.data(), p, n * sizeof(T), cudaMemcpyDeviceToHost);
  return v;
}

/// One transform in double precision.
void transform(const Plan& p, const Complex* in, Complex* out, int direction) {
  auto* const i = reinterpret_cast<fftw_complex*>(const_cast<Complex*>(in));
  auto* const o = reinterpret_cast<fftw_complex*>(out);
  fftw_plan f   = fftw_plan_dft(int(p.n.size()), p.n.data(), i, o, direction,
                                FFTW_ESTIMATE | FFTW_PRESERVE_INPUT);
  fftw_execute(f);
  fftw_destroy_plan(f);
}

/// The row of the opposite modes.
long long opposite(const Plan& p, long long row) {
  long long to = 0, step = 1;
  for (std::size_t d = p.n.size() - 1; d-- > 0; step *= p.n[d]) {
    to += (p.n[d] - row % p.n[d]) % p.n[d] * step;
    row /= p.n[d];
  }
  return to;
}

/// Rows of a half spectrum to those of the whole one.
std::vector<Complex> whole_spectrum(const Plan& p, const Complex* half) {
  std::vector<Complex> all(std::size_t(p.ny * p.nx));
  const long long columns = p.nx / 2 + 1;
  for (long long y = 0; y < p.ny; ++y)
    for (long long x = 0; x < p.nx; ++x)
      all[std::size_t(y * p.nx + x)] =
          x < columns ? half[y * columns + x]
                      : std::conj(half[opposite(p, y) * columns + p.nx - x]);
  return all;
}

Complex widen(cufftReal v) { return v; }
Complex widen(cufftDoubleReal v) { return v; }
Complex widen(cufftComplex v) { return {v.x, v.y}; }
Complex widen(cufftDoubleComplex v) { return {v.x, v.y}; }
void narrow(const Complex& v, cufftReal& to) { to = cufftReal(v.real()); }
void narrow(const Complex& v, cufftDoubleReal& to) { to = v.real(); }
void narrow(const Complex& v, cufftComplex& to) {
  to = {float(v.real()), float(v.imag())};
}
void narrow(const Complex& v, cufftDoubleComplex& to) {
  to = {v.real(), v.imag()};
}

template <class In, class Out>
cufftResult run(cufftHandle h, cufftType type, In* in, Out* out,
                int direction) {
  const auto found = plans().find(h);
  if (found == plans().end() || !found->second.made)
    return wrong(CUFFT_INVALID_PLAN, "run without a plan");
  const Plan& p = found->second;
  if (p.type != type) return wrong(CUFFT_INVALID_TYPE, "run of another type");
  if (current_device() != p.device)
    return wrong(CUFFT_INVALID_DEVICE, "run on another device");
  if (!p.stream_set) return wrong(CUFFT_INVALID_VALUE, "run without a stream");
  if (direction != CUFFT_FORWARD && direction != CUFFT_INVERSE)
    return wrong(CUFFT_INVALID_VALUE, "run in no direction");
  const bool half_in         = type == CUFFT_C2R || type == CUFFT_Z2D;
  const bool half_out        = type == CUFFT_R2C || type == CUFFT_D2Z;
  const auto all             = std::size_t(p.ny * p.nx);
  const auto half            = std::size_t(p.ny * (p.nx / 2 + 1));
  const std::size_t size_in  = half_in ? half : all;
  const std::size_t size_out = half_out ? half : all;
  const auto batch           = std::size_t(p.batch);
  if (!on_device(in, sizeof(In)) || !on_device(out, sizeof(Out)))
    return wrong(CUFFT_INVALID_VALUE, "input or output not on the device");
  const std::size_t bytes_in  = batch * size_in * sizeof(In);
  const std::size_t bytes_out = batch * size_out * sizeof(Out);
  if (static_cast<void*>(in) != static_cast<void*>(out) &&
      overlap(in, bytes_in, out, bytes_out))
    return wrong(CUFFT_INVALID_VALUE, "output overlaps input");
  if (!p.own_work) {
    if (!on_device(p.area, 16))
      return wrong(CUFFT_NO_WORKSPACE, "run without a work area");
    if (overlap(p.area, p.work, in, bytes_in) ||
        overlap(p.area, p.work, out, bytes_out))
      return wrong(CUFFT_INVALID_VALUE, "work area overlaps input or output");
  }
  if (cudaStreamSynchronize(p.stream) != cudaSuccess)
    return wrong(CUFFT_EXEC_FAILED, "no such stream");
  if (!p.own_work) cudaMemset(p.area, 0xff, p.work);

  const std::vector<In> from = from_device(in, batch * size_in);
  std::vector<Out> to(batch * size_out);
  std::vector<Complex> a(size_in), b(all);
  for (std::size_t k = 0; k < batch; ++k) {
    for (std::size_t i = 0; i < size_in; ++i)
      a[i] = widen(from[k * size_in + i]);
    if (half_in)
      transform(p, whole_spectrum(p, a.data()).data(), b.data(), direction);
    else
      transform(p, a.data(), b.data(), direction);
    const auto columns = std::size_t(half_out ? p.nx / 2 + 1 : p.nx);
    for (std::size_t i = 0; i < size_out; ++i)
      narrow(b[i / columns * std::size_t(p.nx) + i % columns],
             to[k * size_out + i]);
  }
  // cuFFT uses the input of such transforms as memory of its own
  if (half_in && static_cast<void*>(in) != static_cast<void*>(out))
    cudaMemset(in, 0xff, bytes_in);
  cudaMemcpy(out, to.data(), bytes_out, cudaMemcpyHostToDevice);
  auto& s = cufft_stand_in();
  (direction == CUFFT_FORWARD ? s.forward : s.inverse) += p.batch;
  return CUFFT_SUCCESS;
}

/// Plans that may still be given options.
Plan* unmade(cufftHandle h) {
  const auto found = plans().find(h);
  return found == plans().end() || found->second.made ? nullptr
                                                      : &found->second;
}

template <class F>
F next(const char* name, F) {
  return reinterpret_cast<F>(dlsym(RTLD_NEXT, name));
}

}  // namespace

Sporos::Test::CufftStandIn& Sporos::Test::cufft_stand_in() {
  static CufftStandIn s;
  return s;
}

extern "C" {

cufftResult cufftCreate(cufftHandle* handle) {
  static cufftHandle last = 1000;  // what is not set by chance
  if (fails()) return CUFFT_INTERNAL_ERROR;
  *handle                 = ++last;
  plans()[*handle].device = current_device();
  ++cufft_stand_in().plans;
  return CUFFT_SUCCESS;
}

cufftResult cufftDestroy(cufftHandle h) {
  const auto found = plans().find(h);
  if (found == plans().end())
    return wrong(CUFFT_INVALID_PLAN, "destruction of what is no plan");
  if (found->second.device != current_device())
    return wrong(CUFFT_INVALID_DEVICE, "destruction on another device");
  plans().erase(found);
  --cufft_stand_in().plans;
  return CUFFT_SUCCESS;
}

cufftResult cufftSetAutoAllocation(cufftHandle h, int automatic) {
  if (fails()) return CUFFT_INTERNAL_ERROR;
  Plan* const p = unmade(h);
  if (p == nullptr)
    return wrong(CUFFT_INVALID_PLAN, "cufftSetAutoAllocation of no new plan");
  p->own_work = automatic != 0;
  return CUFFT_SUCCESS;
}

cufftResult cufftMakePlanMany64(cufftHandle h, int rank, long long* n,
                                long long* inembed, long long, long long,
                                long long* onembed, long long, long long,
                                cufftType type, long long batch,
                                std::size_t* work) {
  if (fails()) return CUFFT_ALLOC_FAILED;
  Plan* const p = unmade(h);
  if (p == nullptr)
    return wrong(CUFFT_INVALID_PLAN, "cufftMakePlanMany64 of no new plan");
  if (rank < 1 || rank > 3 || inembed != nullptr || onembed != nullptr)
    return wrong(CUFFT_NOT_IMPLEMENTED,
                 "only packed arrays of up to three dimensions are known here");
  if (*std::min_element(n, n + rank) < 1 || batch < 1)
    return wrong(CUFFT_INVALID_SIZE, "sizes below 1");
  if (current_device() != p->device)
    return wrong(CUFFT_INVALID_DEVICE, "planning on another device");
  p->n.assign(n, n + rank);
  p->nx = n[rank - 1];
  p->ny = 1;
  for (int d = 0; d < rank - 1; ++d) p->ny *= n[d];
  p->batch = batch;
  p->type  = type;
  p->made  = true;
  // some number that follows the size
  *work = p->work = std::size_t(batch * p->ny) * 16 + 256;
  auto& s         = cufft_stand_in();
  s.most_work     = *work > s.most_work ? *work : s.most_work;
  return CUFFT_SUCCESS;
}

cufftResult cufftSetWorkArea(cufftHandle h, void* area) {
  const auto found = plans().find(h);
  if (found == plans().end() || !found->second.made || found->second.own_work)
    return wrong(CUFFT_INVALID_PLAN, "a work area for no plan that takes one");
  found->second.area = area;
  return CUFFT_SUCCESS;
}

cufftResult cufftSetStream(cufftHandle h, cudaStream_t stream) {
  const auto found = plans().find(h);
  if (found == plans().end())
    return wrong(CUFFT_INVALID_PLAN, "a stream for no plan");
  found->second.stream     = stream;
  found->second.stream_set = true;
  return CUFFT_SUCCESS;
}

cufftResult cufftExecR2C(cufftHandle h, cufftReal* in, cufftComplex* out) {
  return run(h, CUFFT_R2C, in, out, CUFFT_FORWARD);
}
cufftResult cufftExecC2R(cufftHandle h, cufftComplex* in, cufftReal* out) {
  return run(h, CUFFT_C2R, in, out, CUFFT_INVERSE);
}
cufftResult cufftExecC2C(cufftHandle h, cufftComplex* in, cufftComplex* out,
                         int direction) {
  return run(h, CUFFT_C2C, in, out, direction);
}
cufftResult cufftExecD2Z(cufftHandle h, cufftDoubleReal* in,
                         cufftDoubleComplex* out) {
  return run(h, CUFFT_D2Z, in, out, CUFFT_FORWARD);
}
cufftResult cufftExecZ2D(cufftHandle h, cufftDoubleComplex* in,
                         cufftDoubleReal* out) {
  return run(h, CUFFT_Z2D, in, out, CUFFT_INVERSE);
}
cufftResult cufftExecZ2Z(cufftHandle h, cufftDoubleComplex* in,
                         cufftDoubleComplex* out, int direction) {
  return run(h, CUFFT_Z2Z, in, out, direction);
}

// Found before those of the CUDA runtime. (nvcc has definitions of its own of
// these names, for devices.)
cudaError_t stand_in_get_device(int* device) __asm__("cudaGetDevice");
cudaError_t stand_in_set_device(int device) __asm__("cudaSetDevice");

cudaError_t stand_in_get_device(int* device) {
  const int pretended = cufft_stand_in().current_device;
  if (pretended < 0) return next("cudaGetDevice", &cudaGetDevice)(device);
  *device = pretended;
  return cudaSuccess;
}

cudaError_t stand_in_set_device(int device) {
  int& pretended = cufft_stand_in().current_device;
  if (pretended < 0) return next("cudaSetDevice", &cudaSetDevice)(device);
  pretended = device;
  return cudaSuccess;
}

}  // extern "C"
