// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Loads and stores of global, generic, private memory and LDS.
#include "addresses.hpp"

namespace gcn {
namespace {

using Resolve = void (*)(Wave &, const Ins &, int, u32, Access, Addresses &);

void resolve_flat(Wave &w, const Ins &i, int at, u32 size, Access access,
                  Addresses &a) {
  resolve(w, i, at, 2, size, access, a);
}
void resolve_in_lds(Wave &w, const Ins &i, int at, u32 size, Access access,
                    Addresses &a) {
  resolve_lds(w, i, at, i.offset, size, access, a);
}

u32 (*registers(Wave &w, const Operand &o))[lanes_of_wave] {
  return (o.kind == Operand::ACCUMULATOR ? w.a : w.v) + o.number;
}

// M: what is in memory, if it is smaller than a register
template <class M, Resolve resolve>
void load(Wave &w, const Ins &i) {
  Addresses a;
  resolve(w, i, 1, sizeof(M), READ, a);
  auto *d = registers(w, i.o[0]);
  each_lane(w.exec(), [&](int l) {
    M v;
    memcpy(&v, a.p[l], sizeof v);
    d[0][l] = static_cast<u32>(v);
  });
}
template <int words, Resolve resolve>
void load_words(Wave &w, const Ins &i) {
  Addresses a;
  resolve(w, i, 1, 4 * words, READ, a);
  auto *d = registers(w, i.o[0]);
  each_lane(w.exec(), [&](int l) {
    for (int k = 0; k < words; ++k) memcpy(&d[k][l], a.p[l] + 4 * k, 4);
  });
}
template <int bytes, Resolve resolve, int address, int data>
void store(Wave &w, const Ins &i) {
  Addresses a;
  resolve(w, i, address, bytes, WRITE, a);
  auto *d = registers(w, i.o[data]);
  if (watches()) watch_store(w, i, a, bytes, d);
  each_lane(w.exec(), [&](int l) {
    for (int k = 0; k < bytes; k += 4)
      memcpy(a.p[l] + k, &d[k / 4][l], std::min(4, bytes - k));
  });
}

// Two places in LDS; offsets count elements, or 64 of them.
template <int words, int unit>
void load_two(Wave &w, const Ins &i) {
  Addresses a, b;
  resolve_lds(w, i, 1, i.offset * unit, 4 * words, READ, a);
  resolve_lds(w, i, 1, i.offset1 * unit, 4 * words, READ, b);
  auto *d = registers(w, i.o[0]);
  each_lane(w.exec(), [&](int l) {
    for (int k = 0; k < words; ++k) {
      memcpy(&d[k][l], a.p[l] + 4 * k, 4);
      memcpy(&d[words + k][l], b.p[l] + 4 * k, 4);
    }
  });
}
template <int words, int unit>
void store_two(Wave &w, const Ins &i) {
  Addresses a, b;
  resolve_lds(w, i, 0, i.offset * unit, 4 * words, WRITE, a);
  resolve_lds(w, i, 0, i.offset1 * unit, 4 * words, WRITE, b);
  auto *x = registers(w, i.o[1]), *y = registers(w, i.o[2]);
  if (watches()) {
    watch_store(w, i, a, 4 * words, x);
    watch_store(w, i, b, 4 * words, y);
  }
  each_lane(w.exec(), [&](int l) {
    for (int k = 0; k < words; ++k) {
      memcpy(a.p[l] + 4 * k, &x[k][l], 4);
      memcpy(b.p[l] + 4 * k, &y[k][l], 4);
    }
  });
}

}  // namespace

void add_memory(Table &t) {
  t["global_load_ubyte"] = t["flat_load_ubyte"] = load<u8, resolve_flat>;
  t["global_load_sbyte"] = t["flat_load_sbyte"] = load<i8, resolve_flat>;
  t["global_load_ushort"] = t["flat_load_ushort"] = load<u16, resolve_flat>;
  t["global_load_sshort"] = t["flat_load_sshort"] = load<i16, resolve_flat>;
  t["global_load_dword"] = t["flat_load_dword"] = load_words<1, resolve_flat>;
  t["global_load_dwordx2"]                      = t["flat_load_dwordx2"] =
      load_words<2, resolve_flat>;
  t["global_load_dwordx3"] = t["flat_load_dwordx3"] =
      load_words<3, resolve_flat>;
  t["global_load_dwordx4"] = t["flat_load_dwordx4"] =
      load_words<4, resolve_flat>;
  t["global_store_byte"] = t["flat_store_byte"] = store<1, resolve_flat, 0, 1>;
  t["global_store_short"]                       = t["flat_store_short"] =
      store<2, resolve_flat, 0, 1>;
  t["global_store_dword"] = t["flat_store_dword"] =
      store<4, resolve_flat, 0, 1>;
  t["global_store_dwordx2"] = t["flat_store_dwordx2"] =
      store<8, resolve_flat, 0, 1>;
  t["global_store_dwordx3"] = t["flat_store_dwordx3"] =
      store<12, resolve_flat, 0, 1>;
  t["global_store_dwordx4"] = t["flat_store_dwordx4"] =
      store<16, resolve_flat, 0, 1>;
  t["buffer_load_ubyte"]    = load<u8, resolve_buffer>;
  t["buffer_load_sbyte"]    = load<i8, resolve_buffer>;
  t["buffer_load_ushort"]   = load<u16, resolve_buffer>;
  t["buffer_load_sshort"]   = load<i16, resolve_buffer>;
  t["buffer_load_dword"]    = load_words<1, resolve_buffer>;
  t["buffer_load_dwordx2"]  = load_words<2, resolve_buffer>;
  t["buffer_load_dwordx3"]  = load_words<3, resolve_buffer>;
  t["buffer_load_dwordx4"]  = load_words<4, resolve_buffer>;
  t["buffer_store_byte"]    = store<1, resolve_buffer, 1, 0>;
  t["buffer_store_short"]   = store<2, resolve_buffer, 1, 0>;
  t["buffer_store_dword"]   = store<4, resolve_buffer, 1, 0>;
  t["buffer_store_dwordx2"] = store<8, resolve_buffer, 1, 0>;
  t["buffer_store_dwordx3"] = store<12, resolve_buffer, 1, 0>;
  t["buffer_store_dwordx4"] = store<16, resolve_buffer, 1, 0>;
}

void add_lds(Table &t) {
  t["ds_read_u8"]        = load<u8, resolve_in_lds>;
  t["ds_read_i8"]        = load<i8, resolve_in_lds>;
  t["ds_read_u16"]       = load<u16, resolve_in_lds>;
  t["ds_read_i16"]       = load<i16, resolve_in_lds>;
  t["ds_read_b32"]       = load_words<1, resolve_in_lds>;
  t["ds_read_b64"]       = load_words<2, resolve_in_lds>;
  t["ds_read_b96"]       = load_words<3, resolve_in_lds>;
  t["ds_read_b128"]      = load_words<4, resolve_in_lds>;
  t["ds_write_b8"]       = store<1, resolve_in_lds, 0, 1>;
  t["ds_write_b16"]      = store<2, resolve_in_lds, 0, 1>;
  t["ds_write_b32"]      = store<4, resolve_in_lds, 0, 1>;
  t["ds_write_b64"]      = store<8, resolve_in_lds, 0, 1>;
  t["ds_write_b96"]      = store<12, resolve_in_lds, 0, 1>;
  t["ds_write_b128"]     = store<16, resolve_in_lds, 0, 1>;
  t["ds_read2_b32"]      = load_two<1, 4>;
  t["ds_read2_b64"]      = load_two<2, 8>;
  t["ds_read2st64_b32"]  = load_two<1, 256>;
  t["ds_read2st64_b64"]  = load_two<2, 512>;
  t["ds_write2_b32"]     = store_two<1, 4>;
  t["ds_write2_b64"]     = store_two<2, 8>;
  t["ds_write2st64_b32"] = store_two<1, 256>;
  t["ds_write2st64_b64"] = store_two<2, 512>;
}

}  // namespace gcn
