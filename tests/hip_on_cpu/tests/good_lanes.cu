// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Exchange between lanes, masks of lanes, branches that divide a wave.
#include "check.hpp"

__global__ void exchange(int *out, const int *in, int lanes) {
  const int l  = threadIdx.x;
  out[l]       = __shfl(in[l], (3 * l + 1) % lanes);
  out[64 + l]  = __shfl_xor(in[l], 5);
  out[128 + l] = __shfl_down(in[l], 7);
  out[192 + l] = __popcll(__ballot(in[l] % 3 == 0));
  out[256 + l] = __any(in[l] == 1007);
  out[320 + l] = __all(in[l] >= 1000);
}
void check_exchange() {
  std::vector<int> in(64);
  for (int l = 0; l < 64; ++l) in[l] = 1000 + l;
  int *out = device(std::vector<int>(384));
  exchange<<<1, 64>>>(out, device(in), 64);
  const auto r = host(out, 384);
  for (int l = 0; l < 64; ++l) {
    CHECK(r[l] == in[(3 * l + 1) % 64]);
    CHECK(r[64 + l] == in[l ^ 5]);
    CHECK(r[128 + l] == in[l + 7 < 64 ? l + 7 : l]);
    CHECK(r[192 + l] == 21);
    CHECK(r[256 + l] == 1 && r[320 + l] == 1);
  }
}

__global__ void registers_of_lanes(int *out, const int *in) {
  const int l = threadIdx.x;
  int first, other, changed = in[l], below, permuted, uniform;
  asm volatile("v_readfirstlane_b32 %0, %1" : "=s"(first) : "v"(in[l]));
  asm volatile("v_readlane_b32 %0, %1, 37" : "=s"(other) : "v"(in[l]));
  asm volatile("v_writelane_b32 %0, 55, 9" : "+v"(changed));
  asm volatile(
      "v_mbcnt_lo_u32_b32 %0, %1, 0\n"
      "v_mbcnt_hi_u32_b32 %0, %2, %0"
      : "=&v"(below)
      : "v"(0x0f0f0f0f), "v"(0x33333333));
  asm volatile(
      "ds_permute_b32 %0, %1, %2\n"
      "s_waitcnt lgkmcnt(0)"
      : "=&v"(permuted)
      : "v"(4 * ((l + 1) % 64)), "v"(in[l]));
  asm volatile(
      "s_getpc_b64 vcc\n"
      "s_mov_b32 %0, 4"
      : "=s"(uniform)
      :
      : "vcc");
  out[l]       = first;
  out[64 + l]  = other;
  out[128 + l] = changed;
  out[192 + l] = below;
  out[256 + l] = permuted;
  out[320 + l] = uniform;
}
void check_registers_of_lanes() {
  std::vector<int> in(64);
  for (int l = 0; l < 64; ++l) in[l] = l * l;
  int *out = device(std::vector<int>(384));
  registers_of_lanes<<<1, 64>>>(out, device(in));
  const auto r = host(out, 384);
  int below    = 0;
  for (int l = 0; l < 64; ++l) {
    CHECK(r[l] == 0 && r[64 + l] == 37 * 37);
    CHECK(r[128 + l] == (l == 9 ? 55 : in[l]));
    CHECK(r[192 + l] == below);
    CHECK(r[256 + l] == in[(l + 63) % 64]);
    CHECK(r[320 + l] == 4);
    below += l < 32 ? (l % 8 < 4) : (l % 4 < 2);
  }
}

// Branches by VCC, which the whole wave takes.
__global__ void branches(int *out, int in) {
  int zero, not_zero;
  asm volatile(
      "v_cmp_eq_u32 vcc, 7, %2\n"
      "v_mov_b32 %0, 1\n"
      "s_cbranch_vccz .Lzero%=\n"
      "v_mov_b32 %0, 2\n"
      ".Lzero%=:\n"
      "v_mov_b32 %1, 3\n"
      "s_cbranch_vccnz .Lone%=\n"
      "v_mov_b32 %1, 4\n"
      ".Lone%=:"
      : "=&v"(zero), "=&v"(not_zero)
      : "v"(in + static_cast<int>(threadIdx.x))
      : "vcc");
  out[threadIdx.x] = 10 * zero + not_zero;
}
void check_branches() {
  int *out = device(std::vector<int>(64));
  for (int in : {-60, 7, 8}) {
    branches<<<1, 64>>>(out, in);
    const auto r = host(out, 64);
    for (int one : r) CHECK(one == (in <= 7 && in + 63 >= 7 ? 23 : 14));
  }
}

// Loops of different lengths, calls through pointers, recursion.
__device__ __attribute__((noinline)) int fib(int n) {
  return n < 2 ? n : fib(n - 1) + fib(n - 2);
}
__device__ __attribute__((noinline)) int twice(int n) { return 2 * n; }
__device__ __attribute__((noinline)) int square(int n) { return n * n; }
__global__ void divided(int *out, int n) {
  const int i = threadIdx.x + blockIdx.x * blockDim.x;
  if (i >= n) return;
  int steps = 0;
  for (int k = i + 1; k != 1; k = k % 2 ? 3 * k + 1 : k / 2) ++steps;
  int (*const f)(int) = i % 3 ? twice : square;
  int local[8];
  for (int k = 0; k < 8; ++k) local[k] = k * i;
  out[i] = steps + fib(i % 9) + f(i) + local[(i + steps) & 7];
}
int fib_host(int n) { return n < 2 ? n : fib_host(n - 1) + fib_host(n - 2); }
void check_divided() {
  const int n = 300;
  int *out    = device(std::vector<int>(n));
  divided<<<3, 128>>>(out, n);
  const auto r = host(out, n);
  for (int i = 0; i < n; ++i) {
    int steps = 0;
    for (int k = i + 1; k != 1; k = k % 2 ? 3 * k + 1 : k / 2) ++steps;
    CHECK(r[i] == steps + fib_host(i % 9) + (i % 3 ? 2 * i : i * i) +
                      ((i + steps) & 7) * i);
  }
}

int main() {
  check_exchange();
  check_registers_of_lanes();
  check_branches();
  check_divided();
  return failures;
}
