// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// How instructions read and write registers, and the table of their names.
#pragma once
#include "gcn.hpp"
#include <cmath>
#include <limits>
#include <type_traits>

namespace gcn {

using Table = std::unordered_map<std::string_view, Handler>;
void add_scalar(Table &t);
void add_control(Table &t);
void add_integer(Table &t);
void add_bits(Table &t);
void add_float(Table &t);
void add_convert(Table &t);
void add_compare(Table &t);
void add_lanes(Table &t);
void add_memory(Table &t);
void add_lds(Table &t);
void add_atomics(Table &t);

template <class T, class F>
inline T as(F from) {
  static_assert(sizeof(T) == sizeof(F));
  T to;
  memcpy(&to, &from, sizeof to);
  return to;
}

template <class T>
using Bits = std::conditional_t<sizeof(T) == 8, u64,
                                std::conditional_t<sizeof(T) == 4, u32, u16>>;

template <class T>
inline u64 value_bits(const Operand &o) {
  if constexpr (sizeof(T) < 8) return o.bits32;
  return std::is_floating_point_v<T> ? o.real : o.integer;
}

// A scalar operand, or a value.
template <class T>
inline T scalar(const Wave &w, const Operand &o) {
  if (o.kind == Operand::VALUE)
    return as<T>(static_cast<Bits<T>>(value_bits<T>(o)));
  if constexpr (sizeof(T) == 8) return as<T>(w.pair(o.number));
  return as<T>(static_cast<Bits<T>>(w.s[o.number]));
}
template <class T>
inline void set_scalar(Wave &w, const Operand &o, T value) {
  if constexpr (sizeof(T) == 8)
    w.set_pair(o.number, as<u64>(value));
  else
    w.s[o.number] = as<u32>(value);
}

// The values of an operand in each lane.
template <class T>
class Source {
 public:
  Source(const Wave &w, const Operand &o) {
    switch (o.kind) {
      case Operand::VECTOR: columns(w.v, o); break;
      case Operand::ACCUMULATOR: columns(w.a, o); break;
      case Operand::VALUE: constant(value_bits<T>(o)); break;
      default: constant(sizeof(T) == 8 ? w.pair(o.number) : u64{w.s[o.number]});
    }
    constexpr u64 sign = u64{1} << (8 * sizeof(T) - 1);
    if (o.absolute) keep = static_cast<Bits<T>>(~sign);
    if (o.negative) flip = static_cast<Bits<T>>(sign);
    if (o.bits != 32) part = &o;
  }
  Source(const Source &) = delete;
  T operator[](int l) const {
    Bits<T> b;
    if constexpr (sizeof(T) == 8)
      b = low[l * stride] | static_cast<u64>(high[l * stride]) << 32;
    else
      b = static_cast<Bits<T>>(part ? select(low[l * stride])
                                    : low[l * stride]);
    return as<T>(static_cast<Bits<T>>((b & keep) ^ flip));
  }

 private:
  void columns(const u32 (*registers)[lanes_of_wave], const Operand &o) {
    low    = registers[o.number];
    high   = sizeof(T) == 8 ? registers[o.number + 1] : low;
    stride = 1;
  }
  void constant(u64 bits) {
    same[0] = static_cast<u32>(bits);
    same[1] = static_cast<u32>(bits >> 32);
    low     = same;
    high    = same + 1;
    stride  = 0;
  }
  u32 select(u32 value) const {  // SDWA
    value = value >> part->shift << (32 - part->bits);
    return part->extends
               ? static_cast<u32>(static_cast<i32>(value) >> (32 - part->bits))
               : value >> (32 - part->bits);
  }
  const u32 *low, *high;
  int stride;
  u32 same[2];
  Bits<T> keep = static_cast<Bits<T>>(~u64{}), flip = 0;
  const Operand *part = nullptr;
};

// Where a result of each lane goes. Results of 16 bits clear the upper half.
template <class T>
class Target {
 public:
  Target(Wave &w, const Operand &o) {
    auto *registers = o.kind == Operand::ACCUMULATOR ? w.a : w.v;
    low             = registers[o.number];
    high            = sizeof(T) == 8 ? registers[o.number + 1] : low;
  }
  void set(int l, T value) const {
    const Bits<T> b = as<Bits<T>>(value);
    low[l]          = static_cast<u32>(b);
    if constexpr (sizeof(T) == 8) high[l] = static_cast<u32>(b >> 32);
  }

 private:
  u32 *low, *high;
};

template <class F>
inline __attribute__((always_inline)) void each_lane(u64 exec, F f) {
  if (exec == ~u64{})
    for (int l = 0; l < lanes_of_wave; ++l) f(l);
  else
    for (u64 m = exec; m; m &= m - 1) f(__builtin_ctzll(m));
}

// Denormal numbers are zeros of their sign where the mode says so.
template <class T>
inline T flush(T x) {
  return std::fabs(x) < std::numeric_limits<T>::min() ? std::copysign(T(0), x)
                                                      : x;
}
template <class T>
inline bool flushes(const Wave &w) {
  if constexpr (std::is_same_v<T, float>) return w.flush32;
  if constexpr (std::is_same_v<T, double>) return w.flush64;
  return false;
}
template <class T>
inline T operand_value(bool flushing, T x) {
  if constexpr (std::is_floating_point_v<T>)
    if (flushing) return flush(x);
  return x;
}
template <class T>
inline T result_value(const Ins &i, bool flushing, T x) {
  if constexpr (std::is_floating_point_v<T>) {
    if (flushing) x = flush(x);
    if (i.clamp) return x > 0 ? (x < 1 ? x : T(1)) : T(0);
  }
  return x;
}
inline void no_clamp(Wave &w, const Ins &i) {
  if (i.clamp) fault(w, i, w.exec(), 718, "clamp is not known here");
}

template <class D, class A, class F>
Handler unary(F) {
  return [](Wave &w, const Ins &i) {
    Source<A> a(w, i.o[1]);
    Target<D> d(w, i.o[0]);
    const bool z = flushes<A>(w) || flushes<D>(w);
    if constexpr (!std::is_floating_point_v<D>) no_clamp(w, i);
    each_lane(w.exec(), [&](int l) {
      d.set(l, result_value<D>(i, z, F{}(operand_value(z, a[l]))));
    });
  };
}
template <class D, class A, class B, class F>
Handler binary(F) {
  return [](Wave &w, const Ins &i) {
    Source<A> a(w, i.o[1]);
    Source<B> b(w, i.o[2]);
    Target<D> d(w, i.o[0]);
    const bool z = flushes<D>(w);
    if constexpr (!std::is_floating_point_v<D>) no_clamp(w, i);
    each_lane(w.exec(), [&](int l) {
      d.set(l, result_value<D>(
                   i, z, F{}(operand_value(z, a[l]), operand_value(z, b[l]))));
    });
  };
}
template <class D, class A, class B, class C, class F>
Handler ternary(F) {
  return [](Wave &w, const Ins &i) {
    Source<A> a(w, i.o[1]);
    Source<B> b(w, i.o[2]);
    Source<C> c(w, i.o[3]);
    Target<D> d(w, i.o[0]);
    const bool z = flushes<D>(w);
    if constexpr (!std::is_floating_point_v<D>) no_clamp(w, i);
    each_lane(w.exec(), [&](int l) {
      d.set(l,
            result_value<D>(i, z,
                            F{}(operand_value(z, a[l]), operand_value(z, b[l]),
                                operand_value(z, c[l]))));
    });
  };
}

}  // namespace gcn
