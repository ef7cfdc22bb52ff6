// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Compares single instructions with the host for all combinations of edge
// values:
//   TEST_2("add.s32", i32, i32, i32, u32(a) + u32(b))
// is an instruction with two operands; the expression with a and b is what the
// description of the instruction set says. TEXT_n takes more than one
// instruction, with %0 as the result and %1 ... as the operands. With
// SCALAR_UNIT defined, operands are in scalar registers (AMD).
#pragma once
#include "check.hpp"
#include <cfenv>
#include <cstdint>
#include <cstring>
#include <functional>
#include <limits>
#include <type_traits>

using i8  = std::int8_t;
using u8  = std::uint8_t;
using i16 = std::int16_t;
using u16 = std::uint16_t;
using i32 = std::int32_t;
using u32 = std::uint32_t;
using i64 = long long;
using u64 = unsigned long long;

#if defined(SCALAR_UNIT)
#define CONSTRAINT(type) "s"
constexpr int threads = 1;
#elif defined(__HIP__)
#define CONSTRAINT(type) "v"
constexpr int threads = 128;
#else
#define CONSTRAINT(type) CONSTRAINT_##type
constexpr int threads = 128;
#define CONSTRAINT_float "f"
#define CONSTRAINT_double "d"
#define CONSTRAINT_i16 "h"
#define CONSTRAINT_u16 "h"
#define CONSTRAINT_i32 "r"
#define CONSTRAINT_u32 "r"
#define CONSTRAINT_i64 "l"
#define CONSTRAINT_u64 "l"
#endif
#ifdef __HIP__
#define RESULT "=&"  // written before all operands are read
#define CLOBBERS : "vcc", "scc"
#else
#define RESULT "="
#define CLOBBERS
#endif

/// What is at the borders of T and of the types that it is converted to.
template <class T>
std::vector<T> edges(bool few) {
  std::vector<T> v;
  using L = std::numeric_limits<T>;
  if constexpr (std::is_floating_point_v<T>) {
    for (T x : {T(0), L::denorm_min(), L::min(), T(.5), T(1), 1 + L::epsilon(),
                T(1) / 3, T(2.5), T(127.5), T(32767.5), T(2147483648.),
                L::max(), L::infinity(), T(1e-20)}) {
      v.push_back(x);
      v.push_back(-x);
    }
    v.push_back(L::quiet_NaN());
    if (few) return v;
    for (T x : {L::min() - L::denorm_min(),
                L::min() * 3,
                T(1) - L::epsilon(),
                T(.1),
                T(1.5),
                T(3),
                T(126.5),
                T(128),
                T(128.5),
                T(255),
                T(255.5),
                T(256),
                T(32768),
                T(65535.5),
                T(65536),
                T(16777217.),
                T(2147483647.),
                T(4294967295.),
                T(4294967296.),
                T(9007199254740993.),
                T(9223372036854775808.),
                T(9223372036854774784.),
                T(18446744073709551616.),
                T(1e20)}) {
      v.push_back(x);
      v.push_back(-x);
    }
  } else {
    for (u64 x : {0x0ull,        0x1ull,
                  0x2ull,        0x7ull,
                  0x8ull,        0x1full,
                  0x20ull,       0x21ull,
                  0x40ull,       0x7full,
                  0x80ull,       0xffull,
                  0x8000ull,     0xdeadbeefull,
                  0x7fffffffull, 0x80000000ull,
                  0xffffffffull, 0x8000000000000000ull,
                  ~0x0ull,       0x123456789abcdef0ull})
      v.push_back(static_cast<T>(x));
    if (few) return v;
    for (u64 x : {0x3ull,
                  0x5ull,
                  0x9ull,
                  0xfull,
                  0x10ull,
                  0x11ull,
                  0x1eull,
                  0x3full,
                  0x41ull,
                  0x81ull,
                  0x100ull,
                  0x101ull,
                  0x7fffull,
                  0xffffull,
                  0x10000ull,
                  0x1000001ull,
                  0x80000001ull,
                  0xfffffffeull,
                  0x100000000ull,
                  0x7fffffffffffffffull,
                  0x20000000000001ull,
                  ~0x1ull,
                  ~0x7full,
                  ~0x7fffull,
                  0xffffffff7fffffffull,
                  0xfedcba9876543210ull})
      v.push_back(static_cast<T>(x));
  }
  return v;
}

/// Bit by bit; any NaN is as good as another.
template <class T>
bool same(T a, T b) {
  if (a != a && b != b) return true;
  return std::memcmp(&a, &b, sizeof(T)) == 0;
}

inline std::vector<std::function<void()>> &tests() {
  static std::vector<std::function<void()>> all;
  return all;
}

template <class T>
void print(const char *what, T value) {
  u64 bits = 0;
  std::memcpy(&bits, &value, sizeof(T));
  std::printf(" %s %.17g (0x%llx)", what, static_cast<double>(value), bits);
}

struct Test {
  template <class D, class A>
  Test(const char *opcode, void (*kernel)(D *, const A *, int),
       D (*expected)(A)) {
    tests().push_back([=] {
      const std::vector<A> a = edges<A>(false);
      const int n            = static_cast<int>(a.size());
      D *d                   = device(std::vector<D>(n));
      kernel<<<(n + threads - 1) / threads, threads>>>(d, device(a), n);
      const std::vector<D> r = host(d, n);
      for (int i = 0, bad = 0; i < n; ++i)
        if (!same(r[i], expected(a[i])) && ++failures && ++bad < 4) {
          std::printf("%s:", opcode);
          print("a", a[i]);
          print("gave", r[i]);
          print("expected", expected(a[i]));
          std::puts("");
        }
    });
  }
  template <class D, class A, class B>
  Test(const char *opcode, void (*kernel)(D *, const A *, const B *, int),
       D (*expected)(A, B)) {
    tests().push_back([=] {
      std::vector<A> a;
      std::vector<B> b;
      for (A x : edges<A>(false))
        for (B y : edges<B>(false)) a.push_back(x), b.push_back(y);
      const int n = static_cast<int>(a.size());
      D *d        = device(std::vector<D>(n));
      kernel<<<(n + threads - 1) / threads, threads>>>(d, device(a), device(b),
                                                       n);
      const std::vector<D> r = host(d, n);
      for (int i = 0, bad = 0; i < n; ++i)
        if (!same(r[i], expected(a[i], b[i])) && ++failures && ++bad < 4) {
          std::printf("%s:", opcode);
          print("a", a[i]);
          print("b", b[i]);
          print("gave", r[i]);
          print("expected", expected(a[i], b[i]));
          std::puts("");
        }
    });
  }
  template <class D, class A, class B, class C>
  Test(const char *opcode,
       void (*kernel)(D *, const A *, const B *, const C *, int),
       D (*expected)(A, B, C)) {
    tests().push_back([=] {
      std::vector<A> a;
      std::vector<B> b;
      std::vector<C> c;
      for (A x : edges<A>(true))
        for (B y : edges<B>(true))
          for (C z : edges<C>(true))
            a.push_back(x), b.push_back(y), c.push_back(z);
      const int n = static_cast<int>(a.size());
      D *d        = device(std::vector<D>(n));
      kernel<<<(n + threads - 1) / threads, threads>>>(d, device(a), device(b),
                                                       device(c), n);
      const std::vector<D> r = host(d, n);
      for (int i = 0, bad = 0; i < n; ++i)
        if (!same(r[i], expected(a[i], b[i], c[i])) && ++failures &&
            ++bad < 4) {
          std::printf("%s:", opcode);
          print("a", a[i]);
          print("b", b[i]);
          print("c", c[i]);
          print("gave", r[i]);
          print("expected", expected(a[i], b[i], c[i]));
          std::puts("");
        }
    });
  }
};

/// What f() gives in a rounding mode of the host.
template <class F>
auto rounded(int mode, F f) {
  std::fesetround(mode);
  volatile std::decay_t<decltype(f())> r = f();
  std::fesetround(FE_TONEAREST);
  return static_cast<std::decay_t<decltype(f())>>(r);
}

#define JOIN_(a, b) a##b
#define JOIN(a, b) JOIN_(a, b)

#define TEXT_1(...) AT_1(__COUNTER__, __VA_ARGS__)
#define AT_1(id, opcode, text, D, A, ...)                                  \
  __global__ void JOIN(kernel_, id)(D * d, const A *a, int n) {            \
    const int i =                                                          \
        threads == 1 ? blockIdx.x : blockIdx.x * blockDim.x + threadIdx.x; \
    if (i >= n) return;                                                    \
    D r;                                                                   \
    asm volatile(text                                                      \
                 : RESULT CONSTRAINT(D)(r)                                 \
                 : CONSTRAINT(A)(a[i]) CLOBBERS);                          \
    d[i] = r;                                                              \
  }                                                                        \
  D JOIN(expected_, id)(A a_) {                                            \
    volatile A a = a_;                                                     \
    return static_cast<D>(__VA_ARGS__);                                    \
  }                                                                        \
  const Test JOIN(test_, id)(opcode, JOIN(kernel_, id), JOIN(expected_, id));
#define TEXT_2(...) AT_2(__COUNTER__, __VA_ARGS__)
#define AT_2(id, opcode, text, D, A, B, ...)                                \
  __global__ void JOIN(kernel_, id)(D * d, const A *a, const B *b, int n) { \
    const int i =                                                           \
        threads == 1 ? blockIdx.x : blockIdx.x * blockDim.x + threadIdx.x;  \
    if (i >= n) return;                                                     \
    D r;                                                                    \
    asm volatile(text                                                       \
                 : RESULT CONSTRAINT(D)(r)                                  \
                 : CONSTRAINT(A)(a[i]), CONSTRAINT(B)(b[i]) CLOBBERS);      \
    d[i] = r;                                                               \
  }                                                                         \
  D JOIN(expected_, id)(A a_, B b_) {                                       \
    volatile A a = a_;                                                      \
    volatile B b = b_;                                                      \
    return static_cast<D>(__VA_ARGS__);                                     \
  }                                                                         \
  const Test JOIN(test_, id)(opcode, JOIN(kernel_, id), JOIN(expected_, id));
#define TEXT_3(...) AT_3(__COUNTER__, __VA_ARGS__)
#define AT_3(id, opcode, text, D, A, B, C, ...)                                \
  __global__ void JOIN(kernel_, id)(D * d, const A *a, const B *b, const C *c, \
                                    int n) {                                   \
    const int i =                                                              \
        threads == 1 ? blockIdx.x : blockIdx.x * blockDim.x + threadIdx.x;     \
    if (i >= n) return;                                                        \
    D r;                                                                       \
    asm volatile(text                                                          \
                 : RESULT CONSTRAINT(D)(r)                                     \
                 : CONSTRAINT(A)(a[i]), CONSTRAINT(B)(b[i]),                   \
                   CONSTRAINT(C)(c[i]) CLOBBERS);                              \
    d[i] = r;                                                                  \
  }                                                                            \
  D JOIN(expected_, id)(A a_, B b_, C c_) {                                    \
    volatile A a = a_;                                                         \
    volatile B b = b_;                                                         \
    volatile C c = c_;                                                         \
    return static_cast<D>(__VA_ARGS__);                                        \
  }                                                                            \
  const Test JOIN(test_, id)(opcode, JOIN(kernel_, id), JOIN(expected_, id));
#define TEST_1(opcode, D, A, ...) \
  TEXT_1(opcode, opcode " %0, %1;", D, A, __VA_ARGS__)
#define TEST_2(opcode, D, A, B, ...) \
  TEXT_2(opcode, opcode " %0, %1, %2;", D, A, B, __VA_ARGS__)
#define TEST_3(opcode, D, A, B, C, ...) \
  TEXT_3(opcode, opcode " %0, %1, %2, %3;", D, A, B, C, __VA_ARGS__)

int main() {
  for (auto &test : tests()) test();
  if (failures) std::printf("%d values differ\n", failures);
  return failures ? 1 : 0;
}
