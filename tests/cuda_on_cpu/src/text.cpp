// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Words, numbers and statements of a PTX text.
#include "text.hpp"
#include <algorithm>

namespace ptxrun {

int type_size(Type t) {
  switch (t) {
    case U8:
    case S8:
    case B8: return 1;
    case U16:
    case S16:
    case B16:
    case F16:
    case BF16: return 2;
    case U32:
    case S32:
    case B32:
    case F32:
    case F16X2:
    case BF16X2: return 4;
    case U64:
    case S64:
    case B64:
    case F64: return 8;
    default: return 0;
  }
}

Type parse_type(std::string_view s) {
  static const std::unordered_map<std::string_view, Type> types = {
      {"u8", U8},   {"u16", U16},     {"u32", U32},   {"u64", U64},
      {"s8", S8},   {"s16", S16},     {"s32", S32},   {"s64", S64},
      {"b8", B8},   {"b16", B16},     {"b32", B32},   {"b64", B64},
      {"f16", F16}, {"f16x2", F16X2}, {"bf16", BF16}, {"bf16x2", BF16X2},
      {"f32", F32}, {"f64", F64},     {"pred", PRED}};
  auto f = types.find(s);
  return f == types.end() ? NOTYPE : f->second;
}

namespace text {
namespace {

bool name_character(char c) {
  return isalnum(static_cast<unsigned char>(c)) || c == '_' || c == '$' ||
         c == '%';
}

}  // namespace

size_t skip(std::string_view s, size_t p) {
  for (; p < s.size();) {
    char c = s[p];
    if (c == ' ' || c == '\t' || c == '\n' || c == '\r' || c == '\0')
      ++p;
    else if (c == '/' && p + 1 < s.size() && s[p + 1] == '/') {
      p = s.find('\n', p);
      if (p == s.npos) return s.size();
    } else if (c == '/' && p + 1 < s.size() && s[p + 1] == '*') {
      p = s.find("*/", p);
      if (p == s.npos) return s.size();
      p += 2;
    } else
      break;
  }
  return p;
}

size_t statement_end(std::string_view s, size_t p, size_t &brace,
                     bool may_have_body) {
  brace     = s.npos;
  int depth = 0;
  for (; p < s.size(); ++p) {
    char c = s[p];
    if (c == '/' && p + 1 < s.size() && (s[p + 1] == '/' || s[p + 1] == '*')) {
      p = skip(s, p) - 1;
      continue;
    }
    if (c == '"') {
      p = s.find('"', p + 1);
      continue;
    }
    if (c == '{') {
      if (depth++ == 0 && brace == s.npos) brace = p;
    } else if (c == '}') {
      if (--depth == 0 && may_have_body) return p + 1;
    } else if (c == ';' && depth == 0)
      return p + 1;
  }
  return s.size();
}

std::string_view word(std::string_view s, size_t &p) {
  p        = skip(s, p);
  size_t b = p;
  if (p < s.size() && s[p] == '.') ++p;
  while (p < s.size() && name_character(s[p])) ++p;
  return s.substr(b, p - b);
}

u64 number(std::string_view s, size_t &p) {
  p = skip(s, p);
  char *end;
  std::string t(s.substr(p, 40));
  u64 v = strtoull(t.c_str(), &end, 0);
  p += end - t.c_str();
  return v;
}

// The list of parameters from the '(' at p.
void parse_params(std::string_view s, size_t &p, std::vector<Param> &out) {
  p = skip(s, p);
  if (p >= s.size() || s[p] != '(') return;
  ++p;
  u32 at = 0;
  while (true) {
    p = skip(s, p);
    if (s[p] == ')') {
      ++p;
      return;
    }
    if (s[p] == ',') {
      ++p;
      continue;
    }
    Param a;
    u32 element = 0;
    while (true) {
      std::string_view w = word(s, p);
      if (w.empty())
        die("parameters not understood: %.200s",
            std::string(s.substr(0, 200)).c_str());
      if (w == ".param" || w == ".reg" || w == ".ptr" || w == ".global" ||
          w == ".shared" || w == ".local" || w == ".const")
        continue;
      if (w == ".align") {
        u32 v   = number(s, p);
        a.align = std::max(a.align, v);
        continue;
      }
      if (w[0] == '.') {
        Type t = parse_type(w.substr(1));
        if (t == NOTYPE) die("parameter of type %s", std::string(w).c_str());
        element = type_size(t);
        continue;
      }
      a.name = w;
      break;
    }
    a.align = std::max(a.align, element);
    a.size  = element;
    p       = skip(s, p);
    if (s[p] == '[') {
      ++p;
      p      = skip(s, p);
      u64 n  = s[p] == ']' ? 0 : number(s, p);
      a.size = element * n;
      p      = skip(s, p);
      ++p;
    }
    at       = (at + a.align - 1) / a.align * a.align;
    a.offset = at;
    at += a.size;
    out.push_back(a);
  }
}

}  // namespace text
}  // namespace ptxrun
