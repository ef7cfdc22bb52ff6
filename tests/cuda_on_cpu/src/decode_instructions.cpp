// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Loads, stores, moves, comparisons, arithmetic: operands and handlers.
#include "decode.hpp"
#include <algorithm>
#include <cstdlib>

namespace ptxrun {

bool Decoder::memory(Ins &i, Operands &o) {
  std::string_view n = op.name;
  int ts             = register_size();
  if (n == "ld" || n == "ldu") {
    need(o, 2);
    i.x    = space();
    i.z    = strength();
    int rs = 0;
    if (op.has("v2") || op.has("v4") || op.has("v8")) {
      VectorInfo *v = vector(o[0], op.type, true);
      i.extra       = v;
      for (int k = 0; k < v->n; ++k)
        if (v->r[k] != none) rs = v->size[k];
    } else
      i.d = dest(o[0], &rs);
    if (rs == 0) rs = ts;
    op.dest_size = rs;
    address(i, o[1]);
    i.run = pick_memory(op, i);
    return add(i);
  }
  if (n == "st") {
    need(o, 2);
    i.x    = space();
    i.z    = strength();
    int rs = ts;
    address(i, o[0]);
    if (op.has("v2") || op.has("v4") || op.has("v8")) {
      VectorInfo *v = vector(o[1], op.type, false);
      i.extra       = v;
      for (int k = 1; k < v->n; ++k)
        if (v->size[k] != v->size[0])
          fail("registers of different sizes in a vector");
      rs = v->size[0];
    } else
      i.d = source(o[1], op.type, ts, &rs);
    op.dest_size = rs;
    i.run        = pick_memory(op, i);
    return add(i);
  }
  if (n == "atom" || n == "red") {
    i.x      = space();
    i.z      = ATOMICS;
    size_t k = 0;
    int size = ts;
    if (n == "atom") i.d = dest(o[k++], &size);
    need(o, k + 2);
    address(i, o[k++]);
    i.b = source(o[k++], op.type, ts);
    if (k < o.size()) i.c = source(o[k++], op.type, ts);
    i.run = pick_memory(op, i);
    return add(i);
  }
  if (n == "mov") return move(i, o);
  if (n == "cvta") {
    need(o, 2);
    i.d             = dest(o[0], &op.dest_size);
    const Symbol *y = find(o[1]);
    if (y && y->kind != 'r' && y->kind != 's') {
      if (op.has("to")) fail("conversion of a symbol");
      i.imm = y->offset;
      i.run = pick_data(
          Opcode{
              y->kind == 'p' ? "mov$params" : "mov$lane", {}, B64, B64, 8, 8},
          i);
      return add(i);
    }
    i.a   = source(o[1], U64, 8, &op.source_size);
    i.run = pick_data(op, i);
    return add(i);
  }
  if (n == "isspacep") {
    need(o, 2);
    i.d   = dest(o[0]);
    i.a   = source(o[1], U64, 8);
    i.x   = space();
    i.run = pick_data(op, i);
    return add(i);
  }
  return false;
}

bool Decoder::move(Ins &i, Operands &o) {
  need(o, 2);
  if (o[0][0] == '{') {  // unpack
    VectorInfo *v = vector(
        o[0],
        op.type == B64 || op.type == F64 || op.type == U64 || op.type == S64
            ? B32
            : B16,
        true);
    for (int k = 0; k < v->n; ++k) v->size[k] = type_size(op.type) / v->n;
    i.extra = v;
    i.a     = source(o[1], op.type, type_size(op.type));
    i.run   = pick_data(Opcode{"mov$unpack", {}, op.type, op.type, 0, 0}, i);
    return add(i);
  }
  i.d = dest(o[0], &op.dest_size);
  if (o[1][0] == '{') {
    int parts     = std::count(o[1].begin(), o[1].end(), ',') + 1;
    int each      = type_size(op.type) / parts;
    VectorInfo *v = vector(o[1], each == 4 ? B32 : B16, false);
    for (int k = 0; k < v->n; ++k) v->size[k] = each;
    i.extra = v;
    i.run   = pick_data(Opcode{"mov$pack", {}, op.type, op.type, 0, 0}, i);
    return add(i);
  }
  std::string_view a = o[1];
  if (a[0] == '%' && !find(a)) return special(i, a);
  std::string_view base = trim(a.substr(0, a.find('+')));
  i64 offset            = a.find('+') == a.npos || is_number(a)
                              ? 0
                              : immediate(trim(a.substr(a.find('+') + 1)), S64);
  const Symbol *y       = find(base);
  if (y && y->kind == 'r') {
    i.a = source(a, op.type, op.dest_size, &op.source_size);
  } else if (y && (y->kind == 'l' || y->kind == 'a')) {
    i.imm = y->offset + offset;
    i.run =
        pick_data(Opcode{"mov$lane", {}, op.type, op.type, op.dest_size, 0}, i);
    return add(i);
  } else if (y && y->kind == 'p') {
    i.imm = y->offset + offset;
    i.run = pick_data(
        Opcode{"mov$params", {}, op.type, op.type, op.dest_size, 0}, i);
    return add(i);
  } else
    i.a = source(a, op.type, op.dest_size, &op.source_size);
  if (op.source_size != op.dest_size)
    fail("move between registers of different sizes");
  i.run = pick_data(op, i);
  return add(i);
}

bool Decoder::special(Ins &i, std::string_view a) {
  static const char *names[] = {"%tid.x",
                                "%tid.y",
                                "%tid.z",
                                "%ntid.x",
                                "%ntid.y",
                                "%ntid.z",
                                "%ctaid.x",
                                "%ctaid.y",
                                "%ctaid.z",
                                "%nctaid.x",
                                "%nctaid.y",
                                "%nctaid.z",
                                "%laneid",
                                "%warpid",
                                "%nwarpid",
                                "%smid",
                                "%nsmid",
                                "%gridid",
                                "%clock",
                                "%clock_hi",
                                "%clock64",
                                "%globaltimer",
                                "%globaltimer_lo",
                                "%globaltimer_hi",
                                "%lanemask_eq",
                                "%lanemask_le",
                                "%lanemask_lt",
                                "%lanemask_ge",
                                "%lanemask_gt",
                                "%dynamic_smem_size",
                                "%total_smem_size",
                                "%cluster_ctaid.x",
                                "%cluster_nctaid.x",
                                "%is_explicit_cluster",
                                "%aggr_smem_size",
                                "%reserved_smem_offset_0"};
  int k                      = 0;
  for (auto name : names) {
    if (a == name) {
      i.x   = k;
      i.run = pick_data(
          Opcode{"mov$special", {}, op.type, op.type, op.dest_size, 0}, i);
      return add(i);
    }
    ++k;
  }
  fail("special register not supported");
}

bool Decoder::comparison(Ins &i, Operands &o) {
  std::string_view n = op.name;
  int ts             = register_size();
  if (n == "setp") {
    need(o, 3);
    pair(o[0], i.d, i.e, nullptr);
    i.a = source(o[1], op.type, ts);
    i.b = source(o[2], op.type, ts);
    i.x = op.has("and") ? 1 : op.has("or") ? 2 : op.has("xor") ? 3 : 0;
    if (i.x) {
      need(o, 4);
      i.c = source(o[3], PRED, 1);
    }
    i.run = op.type == F16 || op.type == BF16 || op.type == F16X2 ||
                    op.type == BF16X2
                ? pick_half(op, i)
                : pick_data(op, i);
    return add(i);
  }
  if (n == "set") {
    need(o, 3);
    i.d = dest(o[0], &op.dest_size);
    i.a = source(o[1], op.type, ts);
    i.b = source(o[2], op.type, ts);
    i.x = op.has("and") ? 1 : op.has("or") ? 2 : op.has("xor") ? 3 : 0;
    if (i.x) i.c = source(o[3], PRED, 1);
    i.run = pick_data(op, i);
    return add(i);
  }
  if (n == "selp") {
    need(o, 4);
    i.d   = dest(o[0]);
    i.a   = source(o[1], op.type, ts);
    i.b   = source(o[2], op.type, ts);
    i.c   = source(o[3], PRED, 1);
    i.run = pick_data(op, i);
    return add(i);
  }
  if (n == "slct") {
    need(o, 4);
    i.d    = dest(o[0]);
    int t2 = type_size(op.type2);
    i.a    = source(o[1], op.type2, t2);
    i.b    = source(o[2], op.type2, t2);
    i.c    = source(o[3], op.type, 4);
    i.run  = pick_data(op, i);
    return add(i);
  }
  if (n == "cvt") {
    need(o, 2);
    i.d = dest(o[0], &op.dest_size);
    i.a = source(o[1], op.type, ts, &op.source_size);
    if (o.size() > 2) i.b = source(o[2], op.type, ts);
    i.run = pick_convert(op, i);
    return add(i);
  }
  return false;
}

bool Decoder::arithmetic(Ins &i, Operands &o) {
  std::string_view n = op.name;
  int ts             = register_size();
  // everything else: d, a, b, c, with numbers of the size of the type but for
  // some
  need(o, 2);
  u32 *slots[] = {&i.a, &i.b, &i.c, &i.e};
  i.d          = dest(o[0], &op.dest_size);
  if (o.size() > 5) fail("too many operands");
  for (size_t k = 1; k < o.size(); ++k) {
    int size  = ts;
    Type type = op.type;
    if ((n == "shl" || n == "shr" || n == "szext") && k == 2)
      size = 4, type = U32;
    if (n == "shf" && k == 3) size = 4;
    if (n == "bfe" && k >= 2) size = 4, type = U32;
    if (n == "bfi" && k >= 3) size = 4, type = U32;
    if ((n == "mad" || n == "madc") && op.has("wide") && k == 3) size = 2 * ts;
    if ((n == "dp4a" || n == "dp2a") && k > 0) size = 4;
    if (n == "fns") size = 4;
    if (n == "lop3" && k == 4) {
      i.imm = immediate(o[k], U32);
      continue;
    }
    int found     = 0;
    *slots[k - 1] = source(o[k], type, size, &found);
    if (k == 1) op.source_size = found;
  }
  if (op.type == F16 || op.type == F16X2 || op.type == BF16 ||
      op.type == BF16X2)
    i.run = pick_half(op, i);
  else if (op.type == F32 || op.type == F64)
    i.run = pick_float(op);
  else
    i.run = pick_integer(op);
  return add(i);
}

}  // namespace ptxrun
