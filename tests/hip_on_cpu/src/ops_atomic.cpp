// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Atomics, lane by lane.
#include "addresses.hpp"

namespace gcn {
namespace {

struct Place {  // of the operands; -1: there is no result
  int result, address, data;
};

template <class T>
T value_at(u32 (*registers)[lanes_of_wave], int l) {
  if constexpr (sizeof(T) == 8)
    return as<T>(registers[0][l] | static_cast<u64>(registers[1][l]) << 32);
  else
    return as<T>(registers[0][l]);
}

// F(old, data, comparison). of_lds: two operands with comparison and data; else
// both lie in one.
template <class T, class F>
void perform(Wave &w, const Ins &i, const Addresses &a, const Place &place,
             bool of_lds) {
  constexpr int n    = sizeof(T) / 4;
  auto *data         = w.v + i.o[place.data].number;
  auto *other        = of_lds && place.data + 1 < i.operands
                           ? w.v + i.o[place.data + 1].number
                       : i.o[place.data].count == 2 * n ? data + n
                                                        : data;
  const bool swapped = of_lds && other != data;
  const u64 exec     = w.exec();
  const u32 first    = settings.random ? w.block->random() & 63 : 0;
  for (u32 k = 0; k < lanes_of_wave; ++k) {
    const int l = (k + first) & 63;
    if (!(exec >> l & 1)) continue;
    T old;
    memcpy(&old, a.p[l], sizeof old);
    const T x = value_at<T>(data, l), y = value_at<T>(other, l);
    const T v = swapped ? F{}(old, y, x) : F{}(old, x, y);
    memcpy(a.p[l], &v, sizeof v);
    if (place.result >= 0) Target<T>(w, i.o[place.result]).set(l, old);
  }
}

template <class T, class F>
void atomic(Wave &w, const Ins &i) {
  const int shift = i.glc;
  Addresses a;
  resolve(w, i, shift, shift + 2, sizeof(T), ATOMIC, a);
  perform<T, F>(w, i, a, {i.glc ? 0 : -1, shift, shift + 1}, false);
}
template <class T, class F, bool returns>
void atomic_of_lds(Wave &w, const Ins &i) {
  Addresses a;
  resolve_lds(w, i, returns, i.offset, sizeof(T), ATOMIC, a);
  perform<T, F>(w, i, a, {returns ? 0 : -1, returns, returns + 1}, true);
}

template <class T, class F>
void add(Table &t, const std::vector<const char *> &names, F) {
  t[names[0]] = t[names[1]] = atomic<T, F>;
  t[names[2]]               = atomic_of_lds<T, F, false>;
  t[names[3]]               = atomic_of_lds<T, F, true>;
}
#define NAMES(name, wide, lds, type)                                          \
  {                                                                           \
    "global_atomic_" name wide, "flat_atomic_" name wide, "ds_" lds "_" type, \
        "ds_" lds "_rtn_" type                                                \
  }

template <class T>
T increment(T old, T most) {
  return old >= most ? 0 : old + 1;
}
template <class T>
T decrement(T old, T most) {
  return old == 0 || old > most ? most : old - 1;
}

}  // namespace

void add_atomics(Table &t) {
  add<u32>(t, NAMES("add", "", "add", "u32"),
           [](u32 o, u32 x, u32) { return o + x; });
  add<u64>(t, NAMES("add", "_x2", "add", "u64"),
           [](u64 o, u64 x, u64) { return o + x; });
  add<u32>(t, NAMES("sub", "", "sub", "u32"),
           [](u32 o, u32 x, u32) { return o - x; });
  add<u64>(t, NAMES("sub", "_x2", "sub", "u64"),
           [](u64 o, u64 x, u64) { return o - x; });
  add<u32>(t, NAMES("and", "", "and", "b32"),
           [](u32 o, u32 x, u32) { return o & x; });
  add<u64>(t, NAMES("and", "_x2", "and", "b64"),
           [](u64 o, u64 x, u64) { return o & x; });
  add<u32>(t, NAMES("or", "", "or", "b32"),
           [](u32 o, u32 x, u32) { return o | x; });
  add<u64>(t, NAMES("or", "_x2", "or", "b64"),
           [](u64 o, u64 x, u64) { return o | x; });
  add<u32>(t, NAMES("xor", "", "xor", "b32"),
           [](u32 o, u32 x, u32) { return o ^ x; });
  add<u64>(t, NAMES("xor", "_x2", "xor", "b64"),
           [](u64 o, u64 x, u64) { return o ^ x; });
  add<u32>(t, NAMES("umin", "", "min", "u32"),
           [](u32 o, u32 x, u32) { return std::min(o, x); });
  add<u64>(t, NAMES("umin", "_x2", "min", "u64"),
           [](u64 o, u64 x, u64) { return std::min(o, x); });
  add<u32>(t, NAMES("umax", "", "max", "u32"),
           [](u32 o, u32 x, u32) { return std::max(o, x); });
  add<u64>(t, NAMES("umax", "_x2", "max", "u64"),
           [](u64 o, u64 x, u64) { return std::max(o, x); });
  add<i32>(t, NAMES("smin", "", "min", "i32"),
           [](i32 o, i32 x, i32) { return std::min(o, x); });
  add<i64>(t, NAMES("smin", "_x2", "min", "i64"),
           [](i64 o, i64 x, i64) { return std::min(o, x); });
  add<i32>(t, NAMES("smax", "", "max", "i32"),
           [](i32 o, i32 x, i32) { return std::max(o, x); });
  add<i64>(t, NAMES("smax", "_x2", "max", "i64"),
           [](i64 o, i64 x, i64) { return std::max(o, x); });
  add<u32>(t, NAMES("inc", "", "inc", "u32"),
           [](u32 o, u32 x, u32) { return increment(o, x); });
  add<u64>(t, NAMES("inc", "_x2", "inc", "u64"),
           [](u64 o, u64 x, u64) { return increment(o, x); });
  add<u32>(t, NAMES("dec", "", "dec", "u32"),
           [](u32 o, u32 x, u32) { return decrement(o, x); });
  add<u64>(t, NAMES("dec", "_x2", "dec", "u64"),
           [](u64 o, u64 x, u64) { return decrement(o, x); });
  add<u32>(t, NAMES("swap", "", "wrxchg", "b32"),
           [](u32, u32 x, u32) { return x; });
  add<u64>(t, NAMES("swap", "_x2", "wrxchg", "b64"),
           [](u64, u64 x, u64) { return x; });
  add<u32>(t, NAMES("cmpswap", "", "cmpst", "b32"),
           [](u32 o, u32 x, u32 c) { return o == c ? x : o; });
  add<u64>(t, NAMES("cmpswap", "_x2", "cmpst", "b64"),
           [](u64 o, u64 x, u64 c) { return o == c ? x : o; });
  add<float>(t, NAMES("add_f32", "", "add", "f32"),
             [](float o, float x, float) { return o + x; });
  add<double>(t, NAMES("add_f64", "", "add", "f64"),
              [](double o, double x, double) { return o + x; });
}

}  // namespace gcn
