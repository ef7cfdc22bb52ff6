// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Moves, comparisons, selections, addresses and special registers.
#include "ops.hpp"
#include <chrono>
#include <cmath>
#include <type_traits>

namespace ptxrun {
namespace {

enum Compare {
  EQ,
  NE,
  LT,
  LE,
  GT,
  GE,
  EQU,
  NEU,
  LTU,
  LEU,
  GTU,
  GEU,
  NUM,
  NAN_
};

template <class T, int C>
inline bool compare(T a, T b) {
  if constexpr (std::is_floating_point_v<T>) {
    if (C == EQ) return a == b;
    if (C == NE) return a < b || a > b;
    if (C == LT) return a < b;
    if (C == LE) return a <= b;
    if (C == GT) return a > b;
    if (C == GE) return a >= b;
    if (C == EQU) return !(a < b || a > b);
    if (C == NEU) return a != b;
    if (C == LTU) return !(a >= b);
    if (C == LEU) return !(a > b);
    if (C == GTU) return !(a <= b);
    if (C == GEU) return !(a < b);
    if (C == NUM) return a == a && b == b;
    return a != a || b != b;
  } else {
    if (C == EQ) return a == b;
    if (C == NE) return a != b;
    if (C == LT) return a < b;
    if (C == LE) return a <= b;
    if (C == GT) return a > b;
    return a >= b;
  }
}

// a and b with denormal numbers as zeros
struct Flushed {
  float a[32], b[32];
  Flushed(const float *x, const float *y, u32 active) {
    lanes(active, [&](int l) {
      a[l] = flush(x[l]);
      b[l] = flush(y[l]);
    });
  }
};

template <class T, int C>
inline u32 mask(const T *a, const T *b, u32 active) {
  u32 r = 0;
  if (active == ~0u) {
    alignas(64) u8 v[32];
    for (int l = 0; l < 32; ++l) v[l] = compare<T, C>(a[l], b[l]);
    for (int l = 0; l < 32; ++l) r |= static_cast<u32>(v[l]) << l;
  } else
    for (u32 m = active; m; m &= m - 1) {
      int l = __builtin_ctz(m);
      r |= static_cast<u32>(compare<T, C>(a[l], b[l])) << l;
    }
  return r;
}

template <class T, int C>
u32 compared(Warp &w, const Ins &i, u32 active) {
  if constexpr (std::is_same_v<T, float>)
    if (i.z) {  // .ftz
      const Flushed f(column<T>(w, i.a), column<T>(w, i.b), active);
      return mask<T, C>(f.a, f.b, active);
    }
  return mask<T, C>(column<T>(w, i.a), column<T>(w, i.b), active);
}

template <class T, int C>
void setp(Warp &w, const Ins &i, u32 active) {
  u32 r = compared<T, C>(w, i, active), q = ~r;
  if (i.x) {
    u32 c = predicate(w, i.c);
    r     = i.x == 1 ? r & c : i.x == 2 ? r | c : r ^ c;
    q     = i.x == 1 ? q & c : i.x == 2 ? q | c : q ^ c;
  }
  set_predicate(w, i.d, r, active);
  if (i.e != none) set_predicate(w, i.e, q, active);
}
template <class T, int C>
void set(Warp &w, const Ins &i,
         u32 active) {  // i.y: 1 if the result is a float
  u32 r = compared<T, C>(w, i, active);
  if (i.x) {
    u32 c = predicate(w, i.c);
    r     = i.x == 1 ? r & c : i.x == 2 ? r | c : r ^ c;
  }
  u32 *d  = column<u32>(w, i.d);
  u32 yes = i.y ? 0x3f800000 : ~0u;
  for (u32 m = active; m; m &= m - 1) {
    int l = __builtin_ctz(m);
    d[l]  = r >> l & 1 ? yes : 0;
  }
}

template <class T, int C>
Handler one(bool p) {
  return p ? setp<T, C> : set<T, C>;
}

template <class T>
Handler comparison(const Opcode &o, bool p) {
  for (auto x : o.parts) {
    if (x == "eq") return one<T, EQ>(p);
    if (x == "ne") return one<T, NE>(p);
    if (x == "lt" || x == "lo") return one<T, LT>(p);
    if (x == "le" || x == "ls") return one<T, LE>(p);
    if (x == "gt" || x == "hi") return one<T, GT>(p);
    if (x == "ge" || x == "hs") return one<T, GE>(p);
    if constexpr (std::is_floating_point_v<T>) {
      if (x == "equ") return one<T, EQU>(p);
      if (x == "neu") return one<T, NEU>(p);
      if (x == "ltu") return one<T, LTU>(p);
      if (x == "leu") return one<T, LEU>(p);
      if (x == "gtu") return one<T, GTU>(p);
      if (x == "geu") return one<T, GEU>(p);
      if (x == "num") return one<T, NUM>(p);
      if (x == "nan") return one<T, NAN_>(p);
    }
  }
  return nullptr;
}
Handler comparison(const Opcode &o, bool p) {
  switch (o.type) {
    case U16:
    case B16: return comparison<u16>(o, p);
    case S16: return comparison<i16>(o, p);
    case U32:
    case B32: return comparison<u32>(o, p);
    case S32: return comparison<i32>(o, p);
    case U64:
    case B64: return comparison<u64>(o, p);
    case S64: return comparison<i64>(o, p);
    case F32: return comparison<float>(o, p);
    case F64: return comparison<double>(o, p);
    default: return nullptr;
  }
}

template <class T>
void selp(Warp &w, const Ins &i, u32 active) {
  T *d       = column<T>(w, i.d);
  const T *a = column<T>(w, i.a), *b = column<T>(w, i.b);
  u32 p = predicate(w, i.c);
  lanes(active, [=](int l) { d[l] = p >> l & 1 ? a[l] : b[l]; });
}
template <class T, class C>
Handler slct() {
  return ternary<T, T, T, C>([](T a, T b, C c) { return c >= 0 ? a : b; });
}

void move_predicate(Warp &w, const Ins &i, u32 active) {
  set_predicate(w, i.d, predicate(w, i.a), active);
}

void lane_address(Warp &w, const Ins &i, u32 active) {
  u64 *d     = column<u64>(w, i.d);
  u64 base   = reinterpret_cast<u64>(w.local) + w.local_at + i.imm,
      stride = w.local_stride;
  lanes(active, [=](int l) { d[l] = base + l * stride; });
}
void params_address(Warp &w, const Ins &i, u32 active) {
  u64 *d = column<u64>(w, i.d);
  u64 v  = reinterpret_cast<u64>(w.block->launch->params) + i.imm;
  lanes(active, [=](int l) { d[l] = v; });
}

void pack(Warp &w, const Ins &i, u32 active) {
  auto &v  = *static_cast<VectorInfo *>(i.extra);
  int size = v.n * v.size[0];
  u8 *d    = column<u8>(w, i.d);
  for (u32 m = active; m; m &= m - 1) {
    int l  = __builtin_ctz(m);
    u64 r  = 0;
    int at = 0;
    for (int k = 0; k < v.n; ++k) {
      u64 x = 0;
      int s = std::max<int>(2, v.size[k]);
      memcpy(&x, column<u8>(w, v.r[k]) + l * s, s);
      if (v.size[k] == 1) x &= 255;
      r |= x << at;
      at += 8 * v.size[k];
    }
    memcpy(d + l * size, &r, size);
  }
}
void unpack(Warp &w, const Ins &i, u32 active) {
  auto &v     = *static_cast<VectorInfo *>(i.extra);
  int size    = v.n * v.size[0];
  const u8 *a = column<u8>(w, i.a);
  for (u32 m = active; m; m &= m - 1) {
    int l = __builtin_ctz(m);
    u64 r = 0;
    memcpy(&r, a + l * size, size);
    for (int k = 0; k < v.n; ++k) {
      u64 x = r;
      int s = v.size[k];
      if (s == 1) x &= 255;
      r = 8 * s >= 64 ? 0 : r >> (8 * s);
      if (v.r[k] != none)
        memcpy(column<u8>(w, v.r[k]) + l * std::max(2, s), &x, std::max(2, s));
    }
  }
}

u64 nanoseconds() {
  return std::chrono::duration_cast<std::chrono::nanoseconds>(
             std::chrono::steady_clock::now().time_since_epoch())
      .count();
}

template <class T>
void special(Warp &w, const Ins &i, u32 active) {
  T *d     = column<T>(w, i.d);
  auto all = [&](u64 v) {
    lanes(active, [=](int l) { d[l] = static_cast<T>(v); });
  };
  const Launch &a = *w.block->launch;
  switch (i.x) {
    case 0:
    case 1:
    case 2: {
      const u32 *t = w.tid[i.x];
      lanes(active, [=](int l) { d[l] = static_cast<T>(t[l]); });
      break;
    }
    case 3: all(a.block.x); break;
    case 4: all(a.block.y); break;
    case 5: all(a.block.z); break;
    case 6: all(w.block->index.x); break;
    case 7: all(w.block->index.y); break;
    case 8: all(w.block->index.z); break;
    case 9: all(a.grid.x); break;
    case 10: all(a.grid.y); break;
    case 11: all(a.grid.z); break;
    case 12: lanes(active, [=](int l) { d[l] = static_cast<T>(l); }); break;
    case 13: all(w.index); break;
    case 14: all(w.block->warps); break;
    case 15: all(w.block->linear % settings.sms); break;
    case 16: all(settings.sms); break;
    case 17: all(a.id); break;
    case 18:
    case 20: all(nanoseconds() * 2); break;
    case 19: all(nanoseconds() * 2 >> 32); break;
    case 21:
    case 22: all(nanoseconds()); break;
    case 23: all(nanoseconds() >> 32); break;
    case 24:
      lanes(active, [=](int l) { d[l] = static_cast<T>(1u << l); });
      break;
    case 25:
      lanes(active, [=](int l) { d[l] = static_cast<T>(~0u >> (31 - l)); });
      break;
    case 26:
      lanes(active, [=](int l) { d[l] = static_cast<T>((1u << l) - 1); });
      break;
    case 27:
      lanes(active, [=](int l) { d[l] = static_cast<T>(~0u << l); });
      break;
    case 28:
      lanes(active, [=](int l) { d[l] = static_cast<T>(~0u << l << 1); });
      break;
    case 29: all(a.dynamic_shared); break;
    case 30: all(a.dynamic_shared + a.func->static_shared); break;
    case 31: all(0); break;
    case 32: all(1); break;
    default: all(0);
  }
}

void cvta_shared(Warp &w, const Ins &i,
                 u32 active) {  // i.x: to shared, i.y/z: sizes of d and a
  u64 base = reinterpret_cast<u64>(w.block->shared);
  for (u32 m = active; m; m &= m - 1) {
    int l = __builtin_ctz(m);
    u64 v = i.z == 4 ? column<u32>(w, i.a)[l] : column<u64>(w, i.a)[l];
    v     = i.x ? v - base : v + base;
    if (i.y == 4)
      column<u32>(w, i.d)[l] = v;
    else
      column<u64>(w, i.d)[l] = v;
  }
}

void isspacep(Warp &w, const Ins &i, u32 active) {
  u32 r        = 0;
  const u64 *a = column<u64>(w, i.a);
  u64 shared   = reinterpret_cast<u64>(w.block->shared),
      local    = reinterpret_cast<u64>(w.block->worker->local);
  for (u32 m = active; m; m &= m - 1) {
    int l  = __builtin_ctz(m);
    bool s = a[l] - shared < shared_window,
         o = a[l] - local < w.block->worker->local_size, v = false;
    bool p = a[l] - reinterpret_cast<u64>(w.block->launch->params) <
             w.block->launch->param_size;
    Allocation *c = i.x == CONST
                        ? find_allocation(reinterpret_cast<void *>(a[l]))
                        : nullptr;
    switch (i.x) {
      case SHARED: v = s; break;
      case LOCAL: v = o; break;
      case PARAM: v = p; break;
      case CONST: v = c && c->kind == MemoryKind::constant; break;
      default: v = !s && !o;
    }
    r |= static_cast<u32>(v) << l;
  }
  set_predicate(w, i.d, r, active);
}

void activemask(Warp &w, const Ins &i, u32 active) {
  u32 *d = column<u32>(w, i.d), g = active;
  lanes(active, [=](int l) { d[l] = g; });
}

void nothing(Warp &w, const Ins &, u32) {
  w.block->races.fenced = true;
  __atomic_thread_fence(__ATOMIC_SEQ_CST);
}

}  // namespace

Handler pick_data(const Opcode &o, Ins &i) {
  auto n = o.name;
  if (n == "mov") switch (o.dest_size) {
      case 1: return move_predicate;
      case 2: return same1<u16>([](u16 a) { return a; });
      case 4: return same1<u32>([](u32 a) { return a; });
      case 8: return same1<u64>([](u64 a) { return a; });
      default: return nullptr;
    }
  if (n == "mov$lane") return lane_address;
  if (n == "mov$params") return params_address;
  if (n == "mov$pack") return pack;
  if (n == "mov$unpack") return unpack;
  if (n == "mov$special")
    return o.dest_size == 8   ? special<u64>
           : o.dest_size == 2 ? special<u16>
                              : special<u32>;
  if (n == "setp" || n == "set") i.z = o.has("ftz");
  if (n == "setp") return comparison(o, true);
  if (n == "set") {
    if (type_size(o.type2) != 4) return nullptr;
    i.y = o.type2 == F32;
    return comparison(o, false);
  }
  if (n == "selp") switch (type_size(o.type)) {
      case 2: return selp<u16>;
      case 4: return selp<u32>;
      case 8: return selp<u64>;
      default: return nullptr;
    }
  if (n == "slct") {
    bool f = o.type == F32;
    switch (type_size(o.type2)) {
      case 2: return f ? slct<u16, float>() : slct<u16, i32>();
      case 4: return f ? slct<u32, float>() : slct<u32, i32>();
      case 8: return f ? slct<u64, float>() : slct<u64, i32>();
      default: return nullptr;
    }
  }
  if (n == "cvta") {
    if (o.has("shared") || o.has("shared::cta")) {
      i.x = o.has("to");
      i.y = o.dest_size;
      i.z = o.source_size;
      return cvta_shared;
    }
    if (o.dest_size != 8 || o.source_size != 8) return nullptr;
    return same1<u64>([](u64 a) { return a; });
  }
  if (n == "isspacep") return isspacep;
  if (n == "activemask") return activemask;
  if (n == "membar" || n == "fence") return nothing;
  return nullptr;
}

}  // namespace ptxrun
