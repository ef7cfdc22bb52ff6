// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Loads, stores and atomics: every address is checked, then lanes are served
// one by one.
#include "ops.hpp"
#include <algorithm>
#include <type_traits>

namespace ptxrun {
namespace {

const char *access_name(Access a) {
  return a == READ ? "read" : a == WRITE ? "write" : "atomic";
}

[[noreturn]] __attribute__((noinline)) void bad(Warp &w, const Ins &i, int lane,
                                                u64 address, u32 size,
                                                Access access,
                                                const char *why) {
  fault(w, i, 1u << lane, 700, "%s %s of %u bytes at 0x%llx: %s", why,
        access_name(access), size, static_cast<unsigned long long>(address),
        describe_address(reinterpret_cast<void *>(address)).c_str());
}

bool in_shared(Block &b, u64 at, u32 size) {
  return (at >= dynamic_shared_at && at + size <= b.dynamic_end) ||
         (at >= static_shared_at && at + size <= b.static_end) ||
         (at >= module_shared_at && at + size <= b.module_end);
}

__attribute__((noinline)) void bad_shared(Warp &w, const Ins &i, int lane,
                                          u64 at, u32 size, Access access) {
  Block &b = *w.block;
  fault(
      w, i, 1u << lane, 700,
      "out of bounds: %s of %u bytes at offset %lld of shared memory; dynamic: "
      "0x%x to 0x%x, static: 0x%x to 0x%x, of the module: 0x%x to 0x%x",
      access_name(access), size, static_cast<long long>(at), dynamic_shared_at,
      b.dynamic_end, static_shared_at, b.static_end, module_shared_at,
      b.module_end);
}

void check_shared(Warp &w, const Ins &i, int lane, u64 at, u32 size, u32 align,
                  Access access) {
  if (!in_shared(*w.block, at, size)) bad_shared(w, i, lane, at, size, access);
  if (at & (align - 1))
    fault(w, i, 1u << lane, 716,
          "misaligned %s of %u bytes at offset 0x%llx of shared memory",
          access_name(access), size, static_cast<unsigned long long>(at));
}

void init_check(Warp &w, const Ins &i, int lane, u64 at, u32 size,
                Access access) {
  u8 *v = w.block->worker->shared_written.data() + at;
  if (access == WRITE)
    memset(v, 1, size);
  else {
    for (u32 k = 0; k < size; ++k)
      if (!v[k]) {
        report_race(w, i,
                    strprintf("uninitialised shared memory is read at offset "
                              "0x%llx by thread %u",
                              static_cast<unsigned long long>(at + k),
                              rank_of(w, lane)));
        break;
      }
    if (access == ATOMIC) memset(v, 1, size);
  }
}

void count_sectors(Warp &w, const Ins &, u32 active, u32 size, Access access,
                   u8 **p) {
  Profile &f = w.block->launch->func->profile;
  u64 s[32 * 2 + 32];
  int n = 0;
  for (u32 m = active; m; m &= m - 1) {
    u64 a = reinterpret_cast<u64>(p[__builtin_ctz(m)]);
    for (u64 k = a >> 5; k <= (a + size - 1) >> 5; ++k) s[n++] = k;
  }
  std::sort(s, s + n);
  n         = std::unique(s, s + n) - s;
  u64 bytes = static_cast<u64>(size) * __builtin_popcount(active);
  if (access == READ)
    f.load_bytes += bytes, f.load_sectors += n, ++f.load_requests;
  else if (access == WRITE)
    f.store_bytes += bytes, f.store_sectors += n, ++f.store_requests;
  else
    f.atomics += __builtin_popcount(active);
}

void count_banks(Warp &w, u32 active, u32 size, u8 **p) {
  Profile &f = w.block->launch->func->profile;
  // 32 lanes of 4 bytes at a time: wider accesses take more rounds of fewer
  // lanes
  u32 per_round = std::max(1u, 128 / std::max(4u, size));
  u64 words[32][32];
  int n[32];
  u32 in_round = 0;
  auto flush   = [&] {
    if (!in_round) return;
    int worst = 1;
    for (int b = 0; b < 32; ++b) worst = std::max(worst, n[b]);
    f.shared_wavefronts += worst;
    ++f.shared_requests;
    in_round = 0;
  };
  for (u32 m = active; m; m &= m - 1) {
    if (!in_round) memset(n, 0, sizeof n);
    u64 a = reinterpret_cast<u64>(p[__builtin_ctz(m)]) >> 2;
    for (u32 k = 0; k < std::max(1u, size / 4); ++k) {
      int b     = (a + k) & 31;
      bool seen = false;
      for (int j = 0; j < n[b]; ++j) seen |= words[b][j] == a + k;
      if (!seen && n[b] < 32) words[b][n[b]++] = a + k;
    }
    if (++in_round == per_round) flush();
  }
  flush();
}

// The host addresses of what the active lanes access; size: bytes for a lane.
inline void resolve(Warp &w, const Ins &i, u32 active, u32 size, Access access,
                    u8 **p) {
  Block &b = *w.block;
  if (i.y == IN_LANE) {
    u8 *base = w.local + w.local_at + i.imm;
    for (u32 m = active; m; m &= m - 1) {
      int l = __builtin_ctz(m);
      p[l]  = base + l * w.local_stride;
    }
    return;
  }
  if (i.y == IN_PARAMS) {
    u8 *base = b.launch->params + i.imm;
    if (static_cast<u64>(i.imm) + size > b.launch->param_size)
      bad(w, i, __builtin_ctz(active), reinterpret_cast<u64>(base), size,
          access, "out of the kernel's parameters:");
    for (u32 m = active; m; m &= m - 1) p[__builtin_ctz(m)] = base;
    return;
  }
  u32 align = size;
  while (align & (align - 1)) align &= align - 1;
  bool any_shared = false;
  if (i.x == SHARED) {
    any_shared = true;
    if (i.y == BY_REGISTER32) {
      const u32 *a = column<u32>(w, i.a);
      for (u32 m = active; m; m &= m - 1) {
        int l  = __builtin_ctz(m);
        u64 at = static_cast<u32>(a[l] + static_cast<u32>(i.imm));
        if (settings.check) check_shared(w, i, l, at, size, align, access);
        p[l] = b.shared + at;
      }
    } else {
      const u64 *a = column<u64>(w, i.a);
      for (u32 m = active; m; m &= m - 1) {
        int l  = __builtin_ctz(m);
        u64 at = a[l] + i.imm;
        if (settings.check) check_shared(w, i, l, at, size, align, access);
        p[l] = b.shared + at;
      }
    }
  } else {
    if (i.y == BY_REGISTER32)
      fault(w, i, active, 700, "address of 32 bits outside shared memory");
    const u64 *a = column<u64>(w, i.a);
    if (!settings.check) {
      for (u32 m = active; m; m &= m - 1) {
        int l = __builtin_ctz(m);
        p[l]  = reinterpret_cast<u8 *>(a[l] + i.imm);
        any_shared |= static_cast<u64>(p[l] - b.shared) < shared_window;
      }
    } else {
      Allocation *hit = i.hit;
      u64 lo          = hit ? reinterpret_cast<u64>(hit->lo) : 0,
          hi          = hit ? reinterpret_cast<u64>(hit->hi) : 0;
      for (u32 m = active; m; m &= m - 1) {
        int l = __builtin_ctz(m);
        u64 v = a[l] + i.imm;
        p[l]  = reinterpret_cast<u8 *>(v);
        if (v & (align - 1)) bad(w, i, l, v, size, access, "misaligned");
        if (v >= lo && v + size <= hi) continue;
        u64 s = v - reinterpret_cast<u64>(b.shared);
        if (s < shared_window) {
          if (i.x != GENERIC)
            bad(w, i, l, v, size, access, "shared memory by a global address:");
          check_shared(w, i, l, s, size, align, access);
          any_shared = true;
          continue;
        }
        u64 o = v - reinterpret_cast<u64>(b.worker->local);
        if (o < b.worker->local_size && i.x != GLOBAL && i.x != CONST) {
          u64 own = reinterpret_cast<u64>(w.local) + l * w.local_stride;
          if (v < own || v + size > own + w.local_stride)
            bad(w, i, l, v, size, access,
                "local memory of another thread, or beyond the stack:");
          continue;
        }
        if (v - reinterpret_cast<u64>(b.launch->params) + size <=
                b.launch->param_size &&
            (i.x == GENERIC || i.x == PARAM) && access == READ)
          continue;
        Allocation *f = find_allocation(p[l]);
        if (!f || v + size > reinterpret_cast<u64>(f->hi))
          bad(w, i, l, v, size, access, "out of bounds:");
        if (i.x == LOCAL || i.x == PARAM)
          bad(w, i, l, v, size, access, "global memory by a local address:");
        if (f->kind == MemoryKind::constant && access != READ)
          bad(w, i, l, v, size, access, "constant memory:");
        i.hit = f;
        lo    = reinterpret_cast<u64>(f->lo);
        hi    = reinterpret_cast<u64>(f->hi);
      }
    }
  }
  if (settings.race | settings.init) {
    for (u32 m = active; m; m &= m - 1) {
      int l  = __builtin_ctz(m);
      u64 at = p[l] - b.shared;
      if (at < shared_window) {
        if (settings.init) init_check(w, i, l, at, size, access);
        if (settings.race && access != WRITE)
          shared_access(w, i, l, at, size, access, i.z & (VOLATILE | RELAXED));
      } else if (settings.race > 1 && access != WRITE)
        global_access(w, i, l, i.hit, p[l], size, access,
                      i.z & (VOLATILE | RELAXED));
    }
  }
  if (settings.profile) {
    if (any_shared)
      count_banks(w, active, size, p);
    else if (i.x == GLOBAL || i.x == GENERIC) {
      if (static_cast<u64>(p[__builtin_ctz(active)] - b.worker->local) >=
          b.worker->local_size)
        count_sectors(w, i, active, size, access, p);
    }
  }
}

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
      bad(w, i, __builtin_ctz(active), i.imm, sizeof(M), READ,
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

template <int N>
struct UIntOf;
template <>
struct UIntOf<2> {
  using type = u16;
};
template <>
struct UIntOf<4> {
  using type = u32;
};
template <>
struct UIntOf<8> {
  using type = u64;
};

struct Add {
  template <class T>
  T operator()(T old, T b, T) const {
    return static_cast<T>(old + b);
  }
};
// atom.add.f32 in global memory takes denormal numbers as zeros, in shared
// memory it does not.
template <class T, class F>
inline T apply(T old, T b, T c, bool in_shared) {
  if constexpr (std::is_same_v<T, float> && std::is_same_v<F, Add>)
    if (!in_shared) return flush(flush(old) + flush(b));
  return F{}(old, b, c);
}

template <class T, class F>
void atomic(Warp &w, const Ins &i, u32 active) {  // F(old, b, c)
  using U = typename UIntOf<sizeof(T)>::type;
  u8 *p[32];
  resolve(w, i, active, sizeof(T), ATOMIC, p);
  const T *b = column<T>(w, i.b), *c = i.c == none ? b : column<T>(w, i.c);
  T *d      = i.d == none ? nullptr : column<T>(w, i.d);
  u32 first = settings.random ? w.block->worker->next() & 31 : 0;
  for (u32 n = 0; n < 32; ++n) {
    int l = (n + first) & 31;
    if (!(active >> l & 1)) continue;
    const bool in_shared =
        static_cast<u64>(p[l] - w.block->shared) < shared_window;
    T old;
    if (settings.threads == 1) {
      memcpy(&old, p[l], sizeof old);
      T v = apply<T, F>(old, b[l], c[l], in_shared);
      memcpy(p[l], &v, sizeof v);
    } else {
      U *q = reinterpret_cast<U *>(p[l]);
      U o  = __atomic_load_n(q, __ATOMIC_RELAXED);
      while (true) {
        memcpy(&old, &o, sizeof old);
        T v = apply<T, F>(old, b[l], c[l], in_shared);
        U x;
        memcpy(&x, &v, sizeof x);
        if (__atomic_compare_exchange_n(q, &o, x, false, __ATOMIC_SEQ_CST,
                                        __ATOMIC_RELAXED))
          break;
      }
    }
    if (d) d[l] = old;
  }
}
template <class T, class F>
Handler atomic_of(F) {
  return atomic<T, F>;
}

template <class T>
Handler atomics(const Opcode &o) {
  if (o.has("exch")) return atomic_of<T>([](T, T b, T) { return b; });
  if (o.has("cas"))
    return atomic_of<T>([](T old, T b, T c) { return old == b ? c : old; });
  if (o.has("add")) return atomic<T, Add>;
  if constexpr (!std::is_floating_point_v<T>) {
    if (o.has("min"))
      return atomic_of<T>([](T old, T b, T) { return b < old ? b : old; });
    if (o.has("max"))
      return atomic_of<T>([](T old, T b, T) { return b > old ? b : old; });
    if (o.has("and"))
      return atomic_of<T>(
          [](T old, T b, T) { return static_cast<T>(old & b); });
    if (o.has("or"))
      return atomic_of<T>(
          [](T old, T b, T) { return static_cast<T>(old | b); });
    if (o.has("xor"))
      return atomic_of<T>(
          [](T old, T b, T) { return static_cast<T>(old ^ b); });
    if (o.has("inc"))
      return atomic_of<T>([](T old, T b, T) {
        return old >= b ? T{0} : static_cast<T>(old + 1);
      });
    if (o.has("dec"))
      return atomic_of<T>([](T old, T b, T) {
        return old == 0 || old > b ? b : static_cast<T>(old - 1);
      });
  }
  return nullptr;
}

}  // namespace

Handler pick_memory(const Opcode &o, Ins &i) {
  if (o.name == "atom" || o.name == "red") {
    bool bits = o.has("exch") || o.has("cas");
    switch (o.type) {
      case B16:
      case U16:
      case S16: return atomics<u16>(o);
      case B32:
      case U32: return atomics<u32>(o);
      case S32: return atomics<i32>(o);
      case B64:
      case U64: return atomics<u64>(o);
      case S64: return atomics<i64>(o);
      case F32: return bits ? atomics<u32>(o) : atomics<float>(o);
      case F64: return bits ? atomics<u64>(o) : atomics<double>(o);
      default: return nullptr;
    }
  }
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
