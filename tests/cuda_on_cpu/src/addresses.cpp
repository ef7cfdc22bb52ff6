// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Checks the addresses of loads, stores and atomics, and tells the detectors
// and the profile of them.
#include "addresses.hpp"

namespace ptxrun {
namespace {

const char *access_name(Access a) {
  return a == READ ? "read" : a == WRITE ? "write" : "atomic";
}

}  // namespace

void bad_access(Warp &w, const Ins &i, int lane, u64 address, u32 size,
                Access access, const char *why) {
  fault(w, i, 1u << lane, 700, "%s %s of %u bytes at 0x%llx: %s", why,
        access_name(access), size, static_cast<unsigned long long>(address),
        describe_address(reinterpret_cast<void *>(address)).c_str());
}

namespace {

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
        if (first_race(&i, nullptr))
          found_race(
              located(w, i,
                      strprintf("uninitialised shared memory is read at offset "
                                "0x%llx by thread %u",
                                static_cast<unsigned long long>(at + k),
                                rank_of(w, lane))));
        break;
      }
    if (access == ATOMIC) memset(v, 1, size);
  }
}

}  // namespace

void resolve(Warp &w, const Ins &i, u32 active, u32 size, Access access,
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
      bad_access(w, i, __builtin_ctz(active), reinterpret_cast<u64>(base), size,
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
        if (v & (align - 1)) bad_access(w, i, l, v, size, access, "misaligned");
        if (v >= lo && v + size <= hi) continue;
        u64 s = v - reinterpret_cast<u64>(b.shared);
        if (s < shared_window) {
          if (i.x != GENERIC)
            bad_access(w, i, l, v, size, access,
                       "shared memory by a global address:");
          check_shared(w, i, l, s, size, align, access);
          any_shared = true;
          continue;
        }
        u64 o = v - reinterpret_cast<u64>(b.worker->local);
        if (o < b.worker->local_size && i.x != GLOBAL && i.x != CONST) {
          u64 own = reinterpret_cast<u64>(w.local) + l * w.local_stride;
          if (v < own || v + size > own + w.local_stride)
            bad_access(w, i, l, v, size, access,
                       "local memory of another thread, or beyond the stack:");
          continue;
        }
        if (v - reinterpret_cast<u64>(b.launch->params) + size <=
                b.launch->param_size &&
            (i.x == GENERIC || i.x == PARAM) && access == READ)
          continue;
        Allocation *f = find_allocation(p[l]);
        if (!f || v + size > reinterpret_cast<u64>(f->hi))
          bad_access(w, i, l, v, size, access, "out of bounds:");
        if (i.x == LOCAL || i.x == PARAM)
          bad_access(w, i, l, v, size, access,
                     "global memory by a local address:");
        if (f->kind == MemoryKind::constant && access != READ)
          bad_access(w, i, l, v, size, access, "constant memory:");
        if (!reaches(b.launch->device, *f))
          bad_access(w, i, l, v, size, access,
                     strprintf("memory of device %d by a kernel on device %d, "
                               "without peer access:",
                               f->device, b.launch->device)
                         .c_str());
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
      count_banks(w.block->launch->func->profile, active, size, p);
    else if (i.x == GLOBAL || i.x == GENERIC) {
      if (static_cast<u64>(p[__builtin_ctz(active)] - b.worker->local) >=
          b.worker->local_size)
        count_sectors(w.block->launch->func->profile, active, size, access, p);
    }
  }
}

}  // namespace ptxrun
