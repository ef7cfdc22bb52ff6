// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Atomics in global and shared memory, and through generic addresses: the old
// value and what is left, for all pairs of edge values.
#include "instruction.hpp"
#include "rooms.hpp"

// In global memory atom.add.f32 takes denormal numbers as zeros.
float flush(float x) {
  return std::fabs(x) < std::numeric_limits<float>::min()
             ? std::copysign(0.f, x)
             : x;
}

// atom gives the old value; ATOMIC_NEW looks at what it has left.
#define ATOMIC_OLD(opcode, in, st, T) \
  TEXT_2(opcode, in st " [p], %1; " opcode " %0, [p], %2;}", T, T, T, a)
#define ATOMIC_NEW(opcode, in, st, ld, type, T, ...)                       \
  TEXT_2(opcode,                                                           \
         in ".reg ." type " o; " st " [p], %1; " opcode " o, [p], %2; " ld \
            " %0, [p];}",                                                  \
         T, T, T, __VA_ARGS__)
#define REDUCE(opcode, in, st, ld, T, ...)                                     \
  TEXT_2(opcode, in st " [p], %1; " opcode " [p], %2; " ld " %0, [p];}", T, T, \
         T, __VA_ARGS__)
#define CAS(opcode, in, st, ld, type, T)                                       \
  TEXT_3(opcode,                                                               \
         in ".reg ." type " o; " st " [p], %1; " opcode " o, [p], %2, %3; " ld \
            " %0, [p];}",                                                      \
         T, T, T, T, a == b ? c : a)

#define OPERATION(op, type, T, ...)                     \
  SPACE(IN_GLOBAL, ".global", op, type, T, __VA_ARGS__) \
  SPACE(IN_SHARED, ".shared", op, type, T, __VA_ARGS__) \
  SPACE(GENERIC_SHARED, "", op, type, T, __VA_ARGS__)
#define SPACE(in, space, op, type, T, ...)                             \
  ATOMIC_OLD("atom" space "." op "." type, in, "st" space "." type, T) \
  ATOMIC_NEW("atom" space "." op "." type, in, "st" space "." type,    \
             "ld" space "." type, type, T, __VA_ARGS__)
#define OPERATION_RED(op, type, T, ...)                                 \
  OPERATION(op, type, T, __VA_ARGS__)                                   \
  REDUCE("red.global." op "." type, IN_GLOBAL, "st.global." type,       \
         "ld.global." type, T, __VA_ARGS__)                             \
  REDUCE("red.shared." op "." type, IN_SHARED, "st.shared." type,       \
         "ld.shared." type, T, __VA_ARGS__)                             \
  REDUCE("red." op "." type, GENERIC_SHARED, "st." type, "ld." type, T, \
         __VA_ARGS__)
#define CAS_ALL(type, T)                                     \
  CAS("atom.global.cas." type, IN_GLOBAL, "st.global." type, \
      "ld.global." type, type, T)                            \
  CAS("atom.shared.cas." type, IN_SHARED, "st.shared." type, \
      "ld.shared." type, type, T)                            \
  CAS("atom.cas." type, GENERIC_SHARED, "st." type, "ld." type, type, T)

OPERATION_RED("add", "u32", u32, a + b)
OPERATION_RED("add", "s32", i32, u32(a) + u32(b))
OPERATION_RED("add", "u64", u64, a + b)
OPERATION_RED("add", "f64", double, a + b)
OPERATION_RED("min", "u32", u32, a < b ? a : b)
OPERATION_RED("min", "s32", i32, a < b ? a : b)
OPERATION_RED("min", "u64", u64, a < b ? a : b)
OPERATION_RED("min", "s64", i64, a < b ? a : b)
OPERATION_RED("max", "u32", u32, a > b ? a : b)
OPERATION_RED("max", "s32", i32, a > b ? a : b)
OPERATION_RED("max", "u64", u64, a > b ? a : b)
OPERATION_RED("max", "s64", i64, a > b ? a : b)
OPERATION_RED("and", "b32", u32, a& b)
OPERATION_RED("and", "b64", u64, a& b)
OPERATION_RED("or", "b32", u32, a | b)
OPERATION_RED("or", "b64", u64, a | b)
OPERATION_RED("xor", "b32", u32, a ^ b)
OPERATION_RED("xor", "b64", u64, a ^ b)
OPERATION_RED("inc", "u32", u32, a >= b ? 0 : a + 1)
OPERATION_RED("dec", "u32", u32, a == 0 || a > b ? b : a - 1)
OPERATION("exch", "b32", u32, b)
OPERATION("exch", "b64", u64, b)
CAS_ALL("b32", u32)
CAS_ALL("b64", u64)
SPACE(IN_GLOBAL, ".global", "add", "f32", float, flush(flush(a) + flush(b)))
SPACE(IN_SHARED, ".shared", "add", "f32", float, a + b)
SPACE(GENERIC_SHARED, "", "add", "f32", float, a + b)
REDUCE("red.global.add.f32", IN_GLOBAL, "st.global.f32", "ld.global.f32", float,
       flush(flush(a) + flush(b)))
REDUCE("red.shared.add.f32", IN_SHARED, "st.shared.f32", "ld.shared.f32", float,
       a + b)
