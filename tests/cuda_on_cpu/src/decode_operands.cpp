// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Operands: registers, numbers, symbols, addresses, vectors.
#include "decode.hpp"
#include <algorithm>
#include <cstdlib>

namespace ptxrun {

const Symbol *Decoder::find(std::string_view name) {
  static thread_local Symbol found;
  for (size_t n = scopes.size(); n-- > 0;) {
    auto i = scopes[n].names.find(name);
    if (i != scopes[n].names.end()) return &i->second;
    size_t e = name.size();
    while (e > 0 && isdigit(static_cast<unsigned char>(name[e - 1]))) --e;
    if (e < name.size() && !scopes[n].ranges.empty()) {
      auto r = scopes[n].ranges.find(name.substr(0, e));
      if (r != scopes[n].ranges.end()) {
        u32 k = 0;
        for (size_t d = e; d < name.size(); ++d) k = k * 10 + (name[d] - '0');
        if (k < r->second.count) {
          found = {'r',
                   {r->second.offset + k * column_bytes(r->second.size),
                    r->second.size},
                   0,
                   0};
          return &found;
        }
      }
    }
  }
  return nullptr;
}

u32 Decoder::constant(u64 value, int size) {
  if (size == 2) value = static_cast<u16>(value);
  if (size == 4) value = static_cast<u32>(value);
  auto [i, fresh] = constant_index.try_emplace({value, size}, 0);
  if (fresh) {
    u32 at = (constants.size() + 63) / 64 * 64;
    constants.resize(at + column_bytes(size));
    if (size == 1) {
      u32 v = value ? ~0u : 0;
      memcpy(&constants[at], &v, 4);
    } else
      for (int l = 0; l < 32; ++l)
        memcpy(&constants[at + l * size], &value, size);
    i->second = at | 1;
  }
  return i->second;
}

std::string_view Decoder::trim(std::string_view t) {
  while (!t.empty() && isspace(static_cast<unsigned char>(t.front())))
    t.remove_prefix(1);
  while (!t.empty() && isspace(static_cast<unsigned char>(t.back())))
    t.remove_suffix(1);
  return t;
}

std::vector<std::string_view> Decoder::split(std::string_view t) {
  std::vector<std::string_view> out;
  int depth = 0;
  size_t b  = 0;
  for (size_t n = 0; n < t.size(); ++n) {
    char c = t[n];
    if (c == '{' || c == '[' || c == '(') ++depth;
    if (c == '}' || c == ']' || c == ')') --depth;
    if (c == ',' && depth == 0) {
      out.push_back(trim(t.substr(b, n - b)));
      b = n + 1;
    }
  }
  t = trim(t.substr(b));
  if (!t.empty() || !out.empty()) out.push_back(t);
  return out;
}

bool Decoder::is_number(std::string_view t) {
  return !t.empty() &&
         (isdigit(static_cast<unsigned char>(t[0])) ||
          ((t[0] == '-' || t[0] == '+') && t.size() > 1) || t[0] == '.');
}

u64 Decoder::immediate(std::string_view t, Type type) {
  bool minus = false;
  while (!t.empty() && (t[0] == '-' || t[0] == '+')) {
    minus ^= t[0] == '-';
    t = trim(t.substr(1));
  }
  std::string z(t);
  if (z.size() > 2 && z[0] == '0' &&
      (z[1] == 'f' || z[1] == 'F' || z[1] == 'd' || z[1] == 'D')) {
    u64 v       = strtoull(z.c_str() + 2, nullptr, 16);
    bool single = z[1] == 'f' || z[1] == 'F';
    if (minus) v ^= single ? 0x80000000ull : 0x8000000000000000ull;
    if (single && type == F64) {
      float x;
      memcpy(&x, &v, 4);
      double y = x;
      memcpy(&v, &y, 8);
    }
    return v;
  }
  if (z.find('.') != z.npos ||
      ((type == F32 || type == F64) && z.compare(0, 2, "0x") != 0 && !minus &&
       false)) {
    double x = strtod(z.c_str(), nullptr);
    if (minus) x = -x;
    u64 v = 0;
    if (type == F64)
      memcpy(&v, &x, 8);
    else {
      float y = x;
      memcpy(&v, &y, 4);
    }
    return v;
  }
  char *end;
  u64 v = strtoull(z.c_str(), &end, 0);
  while (*end == 'U' || *end == 'u' || *end == 'l' || *end == 'L') ++end;
  if (*end) fail("number " + z + " not understood");
  return minus ? -v : v;
}

u32 Decoder::source(std::string_view t, Type type, int size, int *found) {
  bool negated = false;
  if (!t.empty() && t[0] == '!') {
    negated = true;
    t       = trim(t.substr(1));
  }
  if (is_number(t)) {
    if (found) *found = size;
    return constant(immediate(t, type), size);
  }
  if (t == "WARP_SZ") {
    if (found) *found = size;
    return constant(32, size);
  }
  const Symbol *y = find(t);
  if (y && y->kind == 'r') {
    if (found) *found = y->reg.size;
    return y->reg.offset | (negated ? 2 : 0);
  }
  u64 v;
  if (symbol_value(t, v)) {
    if (found) *found = size;
    return constant(v, size);
  }
  fail("operand " + std::string(t) + " not understood");
}

bool Decoder::symbol_value(std::string_view t, u64 &v) {
  u64 add     = 0;
  size_t plus = t.find('+');
  if (plus != t.npos) {
    add = immediate(trim(t.substr(plus + 1)), U64);
    t   = trim(t.substr(0, plus));
  }
  if (const Symbol *y = find(t)) {
    if (y->kind != 's') return false;
    v = y->offset + add;
    return true;
  }
  if (Variable *x = f.module->variable(t)) {
    if (x->external && x->space != 'x')
      fail("variable " + std::string(t) + " is in another module");
    v = (x->memory ? reinterpret_cast<u64>(x->memory->lo) : x->shared_offset) +
        add;
    return true;
  }
  if (Func *g = f.module->function(t)) {
    v = reinterpret_cast<u64>(g) + add;
    return true;
  }
  return false;
}

u32 Decoder::dest(std::string_view t, int *found) {
  if (t == "_") return none;
  const Symbol *y = find(t);
  if (!y || y->kind != 'r')
    fail("destination " + std::string(t) + " is not a register");
  if (found) *found = y->reg.size;
  return y->reg.offset;
}

VectorInfo *Decoder::vector(std::string_view t, Type type, bool write) {
  f.vectors.push_back(std::make_unique<VectorInfo>());
  VectorInfo *v = f.vectors.back().get();
  if (t.empty() || t[0] != '{') fail("vector expected");
  for (auto e : split(t.substr(1, t.find('}') - 1))) {
    if (v->n == 8) fail("vector too long");
    int size        = std::max(2, type_size(type));
    v->r[v->n]      = write ? dest(e, &size)
                            : source(e, type, std::max(2, type_size(type)), &size);
    v->size[v->n++] = size;
  }
  return v;
}

void Decoder::address(Ins &i, std::string_view t) {
  if (t.empty() || t[0] != '[') fail("address expected");
  t        = trim(t.substr(1, t.rfind(']') - 1));
  size_t q = 0;
  while (q < t.size() && name_character(t[q])) ++q;
  std::string_view base = t.substr(0, q), rest = trim(t.substr(q));
  i64 offset = 0;
  if (!rest.empty()) {
    if (rest[0] == '+') rest = trim(rest.substr(1));
    offset = immediate(rest, S64);
  }
  i.imm = offset;
  i.y   = BY_REGISTER;
  if (base.empty() || is_number(base)) {
    i.a = constant(base.empty() ? 0 : immediate(base, U64), 8);
    return;
  }
  const Symbol *y = find(base);
  if (y && y->kind == 'r') {
    i.a = y->reg.offset;
    if (y->reg.size == 4)
      i.y = BY_REGISTER32;
    else if (y->reg.size != 8)
      fail("address of 16 bits");
  } else if (y && (y->kind == 'l' || y->kind == 'a')) {
    i.y = IN_LANE;
    i.imm += y->offset;
    if (y->kind == 'a' &&
        (offset < 0 || offset >= static_cast<i64>(std::max(4u, y->size))))
      fail("parameter accessed out of range");
  } else if (y && y->kind == 'p') {
    i.y = IN_PARAMS;
    i.imm += y->offset;
  } else {
    u64 v;
    if (!symbol_value(base, v))
      fail("symbol " + std::string(base) + " is not there");
    i.a = constant(v, 8);
  }
}

Space Decoder::space() {
  for (auto x : op.parts) {
    if (x == "global") return GLOBAL;
    if (x == "shared" || x == "shared::cta") return SHARED;
    if (x == "local") return LOCAL;
    if (x == "const") return CONST;
    if (x == "param" || x == "param::entry" || x == "param::func") return PARAM;
    if (x == "shared::cluster") fail("clusters are not supported");
  }
  return GENERIC;
}

u8 Decoder::strength() {
  u8 v = WEAK;
  for (auto x : op.parts) {
    if (x == "volatile") v |= VOLATILE;
    if (x == "relaxed" || x == "acquire" || x == "release" || x == "acq_rel" ||
        x == "mmio")
      v |= RELAXED;
  }
  return v;
}

void Decoder::pair(std::string_view t, u32 &d, u32 &e, int *size) {
  size_t bar = t.find('|');
  d          = dest(trim(t.substr(0, bar)), size);
  if (bar != t.npos) e = dest(trim(t.substr(bar + 1)));
}

void Decoder::need(const Operands &o, size_t n) {
  if (o.size() < n) fail("too few operands");
}

int Decoder::register_size() {
  return op.type == PRED ? 1 : std::max(2, type_size(op.type));
}

}  // namespace ptxrun
