// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Beginnings of PTX texts that give each thread 16 bytes of its own at [p].
#pragma once
// Each thread has 16 bytes of its own at p. As the texts below are put in by
// the compiler, names of variables are in scopes of their own.
#define IN_SHARED                                                           \
  "{.shared .align 16 .b8 room[2048]; .reg .u32 t, p; mov.u32 t, %%tid.x; " \
  "mov.u32 p, room; mad.lo.u32 p, t, 16, p; "
#define IN_LOCAL                                                          \
  "{.local .align 16 .b8 room[16]; .reg .u32 t; .reg .u64 p; mov.u64 p, " \
  "room; "
__device__ char room[16 * 8192];
#define IN_GLOBAL                                                             \
  "{.reg .u32 t, u, v; .reg .u64 p; mov.u32 t, %%tid.x; mov.u32 u, "          \
  "%%ctaid.x; mov.u32 v, %%ntid.x; mad.lo.u32 t, u, v, t; and.b32 t, t, "     \
  "8191; mul.wide.u32 p, t, 16; .reg .u64 r; mov.u64 r, room; add.u64 p, p, " \
  "r; "
#define GENERIC_SHARED                                                         \
  "{.shared .align 16 .b8 room[2048]; .reg .u32 t; .reg .u64 p, r; mov.u32 "   \
  "t, %%tid.x; mov.u64 r, room; cvta.shared.u64 r, r; mul.wide.u32 p, t, 16; " \
  "add.u64 p, p, r; "
