// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Checks the addresses of loads, stores and atomics.
#include "addresses.hpp"

namespace gcn {
namespace {

const char *name_of(Access a) {
  return a == READ ? "read" : a == WRITE ? "write" : "atomic";
}

[[noreturn]] void bad_access(Wave &w, const Ins &i, int lane, u64 address,
                             u32 size, Access access, const char *why) {
  fault(w, i, u64{1} << lane, 700, "%s %s of %u bytes at 0x%llx: %s", why,
        name_of(access), size, static_cast<unsigned long long>(address),
        describe_address(reinterpret_cast<void *>(address)).c_str());
}

// Loads and stores of several words are those of words.
u32 alignment_of(u32 size, Access access) {
  return access == ATOMIC ? size : std::min(size, 4u);
}

u8 *in_lds(Wave &w, const Ins &i, int lane, u64 at, u32 size, Access access) {
  Block &b = *w.block;
  if (settings.check && at + size > b.lds_bytes)
    fault(w, i, u64{1} << lane, 700,
          "out of bounds: %s of %u bytes at offset %llu of LDS, which has %u",
          name_of(access), size, static_cast<unsigned long long>(at),
          b.lds_bytes);
  if (at & (alignment_of(size, access) - 1))
    fault(w, i, u64{1} << lane, 716,
          "misaligned %s of %u bytes at offset 0x%llx of LDS", name_of(access),
          size, static_cast<unsigned long long>(at));
  return b.lds + at;
}

u8 *in_scratch(Wave &w, const Ins &i, int lane, u64 at, u32 size,
               Access access) {
  if (at + size > w.scratch_stride)
    fault(w, i, u64{1} << lane, 700,
          "out of bounds: %s of %u bytes at offset %llu of private memory",
          name_of(access), size, static_cast<unsigned long long>(at));
  return w.scratch + lane * static_cast<u64>(w.scratch_stride) + at;
}

u8 *in_memory(Wave &w, const Ins &i, int lane, u64 v, u32 size, Access access) {
  u8 *p = reinterpret_cast<u8 *>(v);
  if (!settings.check) return p;
  if (v & (alignment_of(size, access) - 1))
    bad_access(w, i, lane, v, size, access, "misaligned");
  if (i.hit && p >= i.hit->lo && p + size <= i.hit->hi) return p;
  Allocation *f = find_allocation(p);
  if (!f || p + size > f->hi)
    bad_access(w, i, lane, v, size, access, "out of bounds:");
  if (f->kind == MemoryKind::constant && access != READ)
    bad_access(w, i, lane, v, size, access, "constant memory:");
  if (!reaches(w.block->launch->device, *f))
    bad_access(w, i, lane, v, size, access,
               strprintf("memory of device %d by a kernel on device %d, "
                         "without peer access:",
                         f->device, w.block->launch->device)
                   .c_str());
  i.hit = f;
  return p;
}

void notice(const Wave &w, const Ins &i, const Addresses &a, u32 size,
            Access access) {
  if (watches() && access != WRITE) watch(w, i, a, size, access);
  if (settings.profile) count(w, a, size, access);
}

}  // namespace

void resolve(Wave &w, const Ins &i, int at, int base_at, u32 size,
             Access access, Addresses &a) {
  const bool flat       = i.text[0] == 'f';
  const Operand &base   = i.o[base_at];
  const bool by_scalar  = base_at < i.operands && base.kind == Operand::SCALAR;
  const u64 scalar_base = by_scalar ? w.pair(base.number) : 0;
  Source<u64> wide(w, i.o[at]);
  Source<u32> narrow(w, i.o[at]);
  each_lane(w.exec(), [&](int l) {
    const u64 v = (by_scalar ? scalar_base + narrow[l] : wide[l]) + i.offset;
    const u32 aperture = v >> 32;
    if (flat && aperture == shared_aperture)
      a.p[l] = in_lds(w, i, l, static_cast<u32>(v), size, access);
    else if (flat && aperture == private_aperture)
      a.p[l] = in_scratch(w, i, l, static_cast<u32>(v), size, access);
    else
      a.p[l] = in_memory(w, i, l, v, size, access);
  });
  notice(w, i, a, size, access);
}

// Private memory: the resource's base and the offset of the wave count the
// bytes of all lanes.
void resolve_buffer(Wave &w, const Ins &i, int at, u32 size, Access access,
                    Addresses &a) {
  const u32 base   = w.s[i.o[at + 1].number] + scalar<u32>(w, i.o[at + 2]);
  const u64 offset = base / lanes_of_wave + i.offset;
  Source<u32> own(w, i.o[at]);
  each_lane(w.exec(), [&](int l) {
    a.p[l] =
        in_scratch(w, i, l, offset + (i.by_lane ? own[l] : 0), size, access);
  });
}

void resolve_lds(Wave &w, const Ins &i, int at, i64 offset, u32 size,
                 Access access, Addresses &a) {
  Source<u32> own(w, i.o[at]);
  each_lane(w.exec(), [&](int l) {
    a.p[l] = in_lds(w, i, l, own[l] + static_cast<u32>(offset), size, access);
  });
  notice(w, i, a, size, access);
}

}  // namespace gcn
