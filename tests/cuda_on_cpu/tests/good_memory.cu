// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Loads and stores of all widths in global, shared and local memory, alone and
// as vectors, with the extension to the register's width.
#include "instruction.hpp"
#include "rooms.hpp"

template <class Narrow, class Register>
Register through(Register a) {  // stored as Narrow, loaded and extended
  return Register(
      std::conditional_t<std::is_signed<Narrow>::value, i64, u64>(Narrow(a)));
}

#define ROUND_TRIP(in, store, load, Register, ...)                    \
  TEXT_1(load, in store " [p+8], %1; " load " %0, [p+8];}", Register, \
         Register, __VA_ARGS__)
#define WIDTH(type, Register, ...)                                          \
  ROUND_TRIP(IN_GLOBAL, "st.global." type, "ld.global." type, Register,     \
             __VA_ARGS__)                                                   \
  ROUND_TRIP(IN_SHARED, "st.shared." type, "ld.shared." type, Register,     \
             __VA_ARGS__)                                                   \
  ROUND_TRIP(IN_LOCAL, "st.local." type, "ld.local." type, Register,        \
             __VA_ARGS__)                                                   \
  ROUND_TRIP(GENERIC_SHARED, "st." type, "ld." type, Register, __VA_ARGS__) \
  ROUND_TRIP(IN_GLOBAL, "st.volatile.global." type,                         \
             "ld.volatile.global." type, Register, __VA_ARGS__)             \
  ROUND_TRIP(IN_SHARED, "st.volatile.shared." type,                         \
             "ld.volatile.shared." type, Register, __VA_ARGS__)

WIDTH("u8", u32, through<u8, u32>(a))
WIDTH("s8", i32, through<i8, i32>(a))
WIDTH("b8", u32, through<u8, u32>(a))
WIDTH("u16", u16, a)
WIDTH("s16", i16, a)
WIDTH("b16", u16, a)
WIDTH("u32", u32, a)
WIDTH("s32", i32, a)
WIDTH("b32", u32, a)
WIDTH("u64", u64, a)
WIDTH("s64", i64, a)
WIDTH("b64", u64, a)
WIDTH("f32", float, a)
WIDTH("f64", double, a)

// Parts of vectors, one after the other; what is not asked for stays away.
#define PAIR(in, space, type, register_type, T, minus, ...)               \
  TEXT_2("ld" space ".v2." type,                                          \
         in ".reg ." register_type " x, y; st" space ".v2." type          \
            " [p], {%1, %2}; ld" space ".v2." type " {x, y}, [p]; " minus \
            " %0, x, y;}",                                                \
         T, T, T, __VA_ARGS__)
#define PAIRS(...)                        \
  PAIR(IN_GLOBAL, ".global", __VA_ARGS__) \
  PAIR(IN_SHARED, ".shared", __VA_ARGS__) \
  PAIR(IN_LOCAL, ".local", __VA_ARGS__)   \
  PAIR(GENERIC_SHARED, "", __VA_ARGS__)
#define FOUR(in, space, type, register_type, T, third, A, B)                   \
  TEXT_2("st" space ".v4." type,                                               \
         in "st" space ".v4." type " [p], {%1, %1, %2, %1}; ld" space "." type \
            " %0, [p+" third "];}",                                            \
         T, T, T, B)                                                           \
  TEXT_2("ld" space ".v4." type,                                               \
         in ".reg ." register_type " w, x, y; st" space ".v4." type            \
            " [p], {%1, %2, %2, %2}; ld" space ".v4." type                     \
            " {%0, w, x, y}, [p];}",                                           \
         T, T, T, A)
#define FOURS(...)                        \
  FOUR(IN_GLOBAL, ".global", __VA_ARGS__) \
  FOUR(IN_SHARED, ".shared", __VA_ARGS__) \
  FOUR(IN_LOCAL, ".local", __VA_ARGS__)   \
  FOUR(GENERIC_SHARED, "", __VA_ARGS__)

PAIRS("u8", "u32", u32, "sub.u32", u32(u8(a)) - u32(u8(b)))
PAIRS("u16", "u16", u16, "sub.u16", u32(a) - u32(b))
PAIRS("u32", "u32", u32, "sub.u32", a - b)
PAIRS("s32", "s32", i32, "sub.s32", u32(a) - u32(b))
PAIRS("b32", "b32", u32, "sub.u32", a - b)
PAIRS("f32", "f32", float, "sub.f32", a - b)
PAIRS("u64", "u64", u64, "sub.u64", a - b)
PAIRS("s64", "s64", i64, "sub.s64", u64(a) - u64(b))
PAIRS("f64", "f64", double, "sub.f64", a - b)
FOURS("u8", "u32", u32, "2", u8(a), u8(b))
FOURS("u16", "u16", u16, "4", a, b)
FOURS("u32", "u32", u32, "8", a, b)
FOURS("s32", "s32", i32, "8", a, b)
FOURS("b32", "b32", u32, "8", a, b)
FOURS("f32", "f32", float, "8", a, b)

// Constant memory.
__constant__ __align__(16) u32 table[4] = {1, 0x80000000u, 0xffffffffu, 42};
#define CONSTANT(type, T, ...)                                                 \
  TEXT_1(                                                                      \
      "ld.const." type,                                                        \
      "{.reg .u64 p, o; .reg .u32 t; mov.u64 p, table; cvt.u32.u64 t, %1; "    \
      "and.b32 t, t, 1; mul.wide.u32 o, t, 8; add.u64 p, p, o; ld.const." type \
      " %0, [p];}",                                                            \
      T, u64, __VA_ARGS__)
CONSTANT("u8", u32, a & 1 ? 0xff : 1)
CONSTANT("u32", u32, a & 1 ? ~0u : 1)
CONSTANT("s32", i32, a & 1 ? -1 : 1)
CONSTANT("b32", u32, a & 1 ? ~0u : 1)
CONSTANT("u64", u64, a & 1 ? 0x2affffffffull : 0x8000000000000001ull)
TEXT_1("ld.const.v2.u32",
       "{.reg .u64 p; .reg .u32 x, y; mov.u64 p, table; ld.const.v2.u32 {x, "
       "y}, [p]; sub.u32 %0, %1, y;}",
       u32, u32, a - 0x80000000u)
