// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Instructions: their parts; branches, calls, barriers, collectives of a warp.
#include "decode.hpp"
#include <algorithm>
#include <cstdlib>

namespace ptxrun {

void Decoder::instruction() {
  start    = p;
  size_t e = s.find(';', p);
  if (e == s.npos) fail("no end");
  statement          = s.substr(p, e - p);
  std::string_view t = statement;
  size_t next        = e + 1;
  if (t.find("//") != t.npos || t.find("/*") != t.npos)
    fail("comment inside an instruction");
  Ins i;
  i.loc  = loc;
  i.text = start;
  t      = trim(t);
  if (t[0] == '@') {
    t        = trim(t.substr(1));
    size_t q = 0;
    while (q < t.size() && !isspace(static_cast<unsigned char>(t[q]))) ++q;
    std::string_view g = t.substr(0, q);
    t                  = trim(t.substr(q));
    if (g == "!") {  // "! %p"
      q = 0;
      while (q < t.size() && !isspace(static_cast<unsigned char>(t[q]))) ++q;
      i.guard = source(t.substr(0, q), PRED, 1) | 2;
      t       = trim(t.substr(q));
    } else
      i.guard = source(g, PRED, 1);
  }
  size_t q = 0;
  while (q < t.size() && !isspace(static_cast<unsigned char>(t[q])) &&
         t[q] != '{' && t[q] != '[' && t[q] != '(')
    ++q;
  std::string_view code = t.substr(0, q);
  if (settings.opcodes) seen_opcodes().insert(std::string(code));
  std::vector<std::string_view> o = split(trim(t.substr(q)));
  op                              = Opcode{};
  size_t dot                      = code.find('.');
  op.name                         = code.substr(0, dot);
  while (dot != code.npos) {
    size_t n = code.find('.', dot + 1);
    op.parts.push_back(code.substr(dot + 1, n == code.npos ? n : n - dot - 1));
    Type y = parse_type(op.parts.back());
    if (y != NOTYPE) {
      op.type2 = op.type;
      op.type  = y;
    }
    dot = n;
  }
  if (op.type2 == NOTYPE) op.type2 = op.type;
  p = next;
  translate(i, o);
}

bool Decoder::add(Ins &i) {
  if (!i.run && i.control == NONE) fail("instruction not supported");
  f.code.push_back(i);
  return true;
}

void Decoder::translate(Ins &i, Operands &o) {
  if (control(i, o) || block_collective(i, o) || warp_collective(i, o) ||
      memory(i, o) || comparison(i, o))
    return;
  arithmetic(i, o);
}

bool Decoder::control(Ins &i, Operands &o) {
  std::string_view n = op.name;
  if (n == "bra") {
    need(o, 1);
    i.control = BRA;
    fixes.emplace_back(f.code.size(), o[0]);
    return add(i);
  }
  if (n == "brx") {
    need(o, 2);
    i.control = BRX;
    i.a       = source(o[0], U32, 4);
    brx_fixes.emplace_back(f.code.size(), o[1]);
    return add(i);
  }
  if (n == "ret") {
    i.control = f.entry ? EXIT : RET;
    return add(i);
  }
  if (n == "exit") {
    i.control = EXIT;
    return add(i);
  }
  if (n == "trap" || n == "brkpt") {
    i.control = TRAP;
    return add(i);
  }
  if (n == "call") return call(i, o);
  if (n == "nanosleep") {
    i.control = YIELD;
    return add(i);
  }
  if (n == "membar" || n == "fence" || n == "prefetch" || n == "prefetchu" ||
      n == "discard" || n == "applypriority" || n == "griddepcontrol" ||
      n == "setmaxnreg") {
    if (n != "membar" && n != "fence") return true;  // no effect
    i.run = pick_data(op, i);
    return add(i);
  }
  return false;
}

bool Decoder::call(Ins &i, Operands &o) {
  f.calls.push_back(std::make_unique<CallInfo>());
  CallInfo *c = f.calls.back().get();
  size_t k    = 0;
  if (k < o.size() && o[k][0] == '(') {
    auto r = split(o[k].substr(1, o[k].find(')') - 1));
    if (r.size() > 1) fail("several results");
    if (!r.empty()) {
      const Symbol *y = find(r[0]);
      if (!y || y->kind != 'a') fail("result is not a parameter");
      c->ret      = y->offset;
      c->ret_size = y->size;
    }
    ++k;
  }
  if (k >= o.size()) fail("no function");
  std::string_view callee = o[k++];
  if (k < o.size() && o[k][0] == '(') {
    for (auto a : split(o[k].substr(1, o[k].rfind(')') - 1))) {
      const Symbol *y = find(a);
      if (!y || y->kind != 'a') fail("argument is not a parameter");
      c->args.emplace_back(y->offset, y->size);
    }
  }
  const Symbol *y = find(callee);
  i.extra         = c;
  if (y && y->kind == 'r') {
    i.control = CALLIND;
    i.a       = y->reg.offset;
  } else {
    c->callee = f.module->function(callee);
    if (!c->callee) fail("function " + std::string(callee) + " is not there");
    i.control = CALL;
  }
  return add(i);
}

bool Decoder::block_collective(Ins &i, Operands &o) {
  std::string_view n = op.name;
  if (n == "bar" || n == "barrier") {
    if (op.has("cluster")) fail("clusters are not supported");
    if (op.has("warp")) {
      i.control = WARPSYNC;
      i.n       = source(o[0], B32, 4);
      return add(i);
    }
    if (op.has("red")) {
      i.control = BARRED;
      i.x       = op.has("popc") ? 0 : op.has("and") ? 1 : 2;
      need(o, 3);
      i.d = dest(o[0]);
      i.a = source(o[1], U32, 4);
      if (o.size() > 3) i.b = source(o[2], U32, 4);
      i.c = source(o.back(), PRED, 1);
      return add(i);
    }
    i.control = op.has("arrive") ? BARARRIVE : BAR;
    need(o, 1);
    i.a = source(o[0], U32, 4);
    if (o.size() > 1) i.b = source(o[1], U32, 4);
    return add(i);
  }
  return false;
}

bool Decoder::warp_collective(Ins &i, Operands &o) {
  std::string_view n = op.name;
  if (n == "shfl") {
    if (!op.has("sync")) fail("shuffle without .sync is not supported");
    need(o, 5);
    i.control = SHFL;
    i.x       = op.has("up") ? 0 : op.has("down") ? 1 : op.has("bfly") ? 2 : 3;
    pair(o[0], i.d, i.e, nullptr);
    i.a = source(o[1], B32, 4);
    i.b = source(o[2], U32, 4);
    i.c = source(o[3], U32, 4);
    i.n = source(o[4], B32, 4);
    return add(i);
  }
  if (n == "vote") {
    if (!op.has("sync")) fail("vote without .sync is not supported");
    need(o, 3);
    i.control = VOTE;
    i.x       = op.has("all") ? 0 : op.has("any") ? 1 : op.has("uni") ? 2 : 3;
    i.d       = dest(o[0]);
    i.a       = source(o[1], PRED, 1);
    i.n       = source(o[2], B32, 4);
    return add(i);
  }
  if (n == "match") {
    need(o, 3);
    i.control = MATCH;
    i.x       = op.has("all") ? 1 : 0;
    i.y       = type_size(op.type);
    pair(o[0], i.d, i.e, nullptr);
    i.a = source(o[1], op.type, i.y);
    i.n = source(o[2], B32, 4);
    return add(i);
  }
  if (n == "redux") {
    need(o, 3);
    i.control = REDUX;
    i.x       = op.has("add")   ? 0
                : op.has("min") ? 1
                : op.has("max") ? 2
                : op.has("and") ? 3
                : op.has("or")  ? 4
                                : 5;
    i.y       = op.type == S32;
    i.d       = dest(o[0]);
    i.a       = source(o[1], op.type, 4);
    i.n       = source(o[2], B32, 4);
    return add(i);
  }
  if (n == "elect") {
    i.control = ELECT;
    pair(o[0], i.d, i.e, nullptr);
    i.n = source(o[1], B32, 4);
    return add(i);
  }
  if (n == "activemask") {
    i.d   = dest(o[0]);
    i.run = pick_data(op, i);
    return add(i);
  }
  return false;
}

}  // namespace ptxrun
