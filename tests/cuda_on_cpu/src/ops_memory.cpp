// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Loads and stores: every address is checked, then lanes are served one by one.
#include "addresses.hpp"
#include <type_traits>

namespace ptxrun {
namespace {

// Before a write: the race detector ignores writes of what is there already.
inline void before_write(Warp &w, const Ins &i, int l, u8 *p, const void *value,
                         u32 size) {
  if (settings.race) {
    u64 at    = p - w.block->shared;
    bool same = memcmp(p, value, size) == 0;
    if (at < shared_window)
      shared_access(w, i, l, at, size, WRITE, same);
    else if (settings.race > 1)
      global_access(w, i, l, i.hit, p, size, WRITE,
                    same || i.z & (VOLATILE | RELAXED));
  }
}

template <class M, class R>
void load(Warp &w, const Ins &i, u32 active) {
  R *d = column<R>(w, i.d);
  if (i.y == IN_PARAMS) {
    if (static_cast<u64>(i.imm) + sizeof(M) > w.block->launch->param_size)
      bad_access(w, i, __builtin_ctz(active), i.imm, sizeof(M), READ,
                 "out of the kernel's parameters:");
    M v;
    memcpy(&v, w.block->launch->params + i.imm, sizeof v);
    R r = static_cast<R>(v);
    lanes(active, [=](int l) { d[l] = r; });
    return;
  }
  u8 *p[32];
  resolve(w, i, active, sizeof(M), READ, p);
  lanes(active, [&](int l) {
    M v;
    memcpy(&v, p[l], sizeof v);
    d[l] = static_cast<R>(v);
  });
}
template <class M, class R>
void load_vector(Warp &w, const Ins &i, u32 active) {
  auto &v = *static_cast<VectorInfo *>(i.extra);
  u8 *p[32];
  resolve(w, i, active, sizeof(M) * v.n, READ, p);
  for (int k = 0; k < v.n; ++k) {
    if (v.r[k] == none) continue;
    R *d = column<R>(w, v.r[k]);
    lanes(active, [&](int l) {
      M x;
      memcpy(&x, p[l] + k * sizeof(M), sizeof x);
      d[l] = static_cast<R>(x);
    });
  }
}
template <class M, class R>
void store(Warp &w, const Ins &i, u32 active) {
  u8 *p[32];
  resolve(w, i, active, sizeof(M), WRITE, p);
  const R *d = column<R>(w, i.d);
  for (u32 m = active; m; m &= m - 1) {
    int l = __builtin_ctz(m);
    M v   = static_cast<M>(d[l]);
    if (settings.race && i.y == BY_REGISTER + 0)
      before_write(w, i, l, p[l], &v, sizeof v);
    else if (settings.race && i.y == BY_REGISTER32)
      before_write(w, i, l, p[l], &v, sizeof v);
    memcpy(p[l], &v, sizeof v);
  }
}
template <class M, class R>
void store_vector(Warp &w, const Ins &i, u32 active) {
  auto &v = *static_cast<VectorInfo *>(i.extra);
  u8 *p[32];
  resolve(w, i, active, sizeof(M) * v.n, WRITE, p);
  for (int k = 0; k < v.n; ++k) {
    const R *d = column<R>(w, v.r[k]);
    for (u32 m = active; m; m &= m - 1) {
      int l = __builtin_ctz(m);
      M x   = static_cast<M>(d[l]);
      if (settings.race && i.y <= BY_REGISTER32)
        before_write(w, i, l, p[l] + k * sizeof(M), &x, sizeof x);
      memcpy(p[l] + k * sizeof(M), &x, sizeof x);
    }
  }
}

template <class M, class R>
Handler access(bool load_, bool vector) {
  if (load_) return vector ? load_vector<M, R> : load<M, R>;
  return vector ? store_vector<M, R> : store<M, R>;
}
template <class M>
Handler access(bool load_, bool vector, int size) {
  switch (size) {
    case 2:
      if constexpr (sizeof(M) <= 2) return access<M, u16>(load_, vector);
      return nullptr;
    case 4:
      if constexpr (sizeof(M) <= 4) return access<M, u32>(load_, vector);
      return nullptr;
    case 8: return access<M, u64>(load_, vector);
  }
  return nullptr;
}

}  // namespace

Handler pick_memory(const Opcode &o, Ins &i) {
  if (o.name == "atom" || o.name == "red") return pick_atomic(o);
  bool is_load = o.name == "ld" || o.name == "ldu", v = i.extra;
  switch (o.type) {
    case U8:
    case B8: return access<u8>(is_load, v, o.dest_size);
    case S8:
      return is_load ? access<i8>(is_load, v, o.dest_size)
                     : access<u8>(is_load, v, o.dest_size);
    case U16:
    case B16:
    case F16:
    case BF16: return access<u16>(is_load, v, o.dest_size);
    case S16: return access<i16>(is_load, v, o.dest_size);
    case U32:
    case B32:
    case F32:
    case F16X2:
    case BF16X2: return access<u32>(is_load, v, o.dest_size);
    case S32: return access<i32>(is_load, v, o.dest_size);
    default: return access<u64>(is_load, v, o.dest_size);
  }
}

}  // namespace ptxrun
