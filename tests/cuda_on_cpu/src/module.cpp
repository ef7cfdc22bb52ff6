// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Modules: an index of what a PTX text declares, and its variables with their
// initial values.
#include "ptxrun.hpp"
#include <algorithm>
#include <cxxabi.h>
#include <set>

namespace ptxrun {

u64 next_module_shared = module_shared_at;

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

namespace {

bool name_character(char c) {
  return isalnum(static_cast<unsigned char>(c)) || c == '_' || c == '$' ||
         c == '%';
}

// Skips white space and comments from p.
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

// The end of what starts at p: the ';' or the body in braces. first_brace:
// where the body starts, or npos.
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

}  // namespace

void Module::index() {
  if (indexed) return;
  indexed            = true;
  std::string_view s = text;
  size_t p           = 0;
  while ((p = skip(s, p)) < s.size()) {
    size_t start       = p;
    std::string_view w = word(s, p);
    if (w.empty()) {
      if (s[p] == '@') {  // @@DWARF
        p = s.find('\n', p);
        if (p == s.npos) break;
        continue;
      }
      ++p;
      continue;
    }
    if (w == ".version" || w == ".target" || w == ".address_size" ||
        w == ".file" || w == ".loc") {
      p = s.find('\n', p);
      if (p == s.npos) break;
      continue;
    }
    if (w == ".section") {
      size_t brace;
      p = statement_end(s, p, brace, true);
      continue;
    }
    bool external = false, function = false, entry = false, alias = false;
    char space = 0;
    while (w == ".visible" || w == ".extern" || w == ".weak" ||
           w == ".common") {
      external |= w == ".extern";
      w = word(s, p);
    }
    function = w == ".func" || w == ".entry";
    entry    = w == ".entry";
    alias    = w == ".alias";
    if (w == ".global") space = 'g';
    if (w == ".const") space = 'c';
    if (w == ".shared") space = external ? 'x' : 's';
    if (function) {
      size_t brace, q = p;
      size_t end = statement_end(s, p, brace, true);
      auto f     = std::make_unique<Func>();
      f->module  = this;
      f->entry   = entry;
      while (true) {  // .func [.noreturn] (ret) name
        q = skip(s, q);
        if (s[q] == '.') {
          word(s, q);
          continue;
        }
        break;
      }
      if (s[q] == '(') {
        size_t close = s.find(')', q);
        q            = close + 1;
      }
      f->name   = word(s, q);
      f->header = s.substr(start, (brace == s.npos ? end : brace) - start);
      if (brace != s.npos) f->body = s.substr(brace, end - brace);
      f->builtin = f->body.empty() ? builtin_number(f->name) : 0;
      auto &slot = functions[f->name];
      if (!slot)
        slot = std::move(f);
      else if (slot->body.empty()) {
        slot->header  = f->header;
        slot->body    = f->body;
        slot->entry   = f->entry;
        slot->builtin = f->builtin;
      }
      p = end;
      continue;
    }
    if (alias) die("directive .alias is not supported");
    size_t brace;
    size_t end = statement_end(s, p, brace, false);
    if (space) {
      auto v      = std::make_unique<Variable>();
      v->space    = space;
      v->external = external;
      v->text     = s.substr(p, end - p);
      // .attribute(.managed) .align 4 .b8 name[16] = {...}
      size_t q           = 0;
      std::string_view t = v->text;
      u32 element        = 0;
      while (true) {
        std::string_view x = word(t, q);
        if (x == ".attribute") {
          size_t close = t.find(')', q);
          v->managed   = t.substr(q, close - q).find("managed") != t.npos;
          q            = close + 1;
        } else if (x == ".align")
          v->align = std::max<u32>(v->align, number(t, q));
        else if (x.empty())
          die("declaration not understood: %.200s", std::string(t).c_str());
        else if (x[0] == '.') {
          Type y  = parse_type(x.substr(1));
          element = y == NOTYPE ? element : type_size(y);
        } else {
          v->name = x;
          break;
        }
      }
      v->align = std::max(v->align, std::max(element, 1u));
      v->size  = element;
      q        = skip(t, q);
      while (q < t.size() && t[q] == '[') {
        ++q;
        q     = skip(t, q);
        u64 n = t[q] == ']' ? 0 : number(t, q);
        v->size *= n;
        q = skip(t, q) + 1;
        q = skip(t, q);
      }
      v->text          = t.substr(q);  // the initial value
      v->shared_offset = element;      // of an element, until load()
      auto &slot       = variables[v->name];
      if (!slot) {
        slot = std::move(v);
        order.push_back(slot.get());
      } else if (slot->external && !external)
        *slot = *v;
    }
    p = end;
  }
}

Func *Module::function(std::string_view name) {
  index();
  auto f = functions.find(name);
  return f == functions.end() ? nullptr : f->second.get();
}

Variable *Module::variable(std::string_view name) {
  index();
  auto f = variables.find(name);
  return f == variables.end() ? nullptr : f->second.get();
}

void Module::load() {
  if (loaded) return;
  index();
  loaded = true;
  std::vector<u32> element(order.size());
  for (size_t n = 0; n < order.size(); ++n) {
    Variable &v     = *order[n];
    element[n]      = v.shared_offset;
    v.shared_offset = 0;
    if (v.space == 'x') {
      v.shared_offset = dynamic_shared_at;
      continue;
    }
    if (v.space == 's') {
      next_module_shared =
          (next_module_shared + v.align - 1) / v.align * v.align;
      v.shared_offset = next_module_shared;
      next_module_shared += v.size;
      if (next_module_shared > shared_window)
        die("too much shared memory at module scope");
      continue;
    }
    auto m = managed.find(v.name);
    if (m != managed.end())
      v.memory = adopt(m->second.first, m->second.second, MemoryKind::managed,
                       std::string(v.name).c_str());
    else
      v.memory = allocate(
          v.size, v.space == 'c' ? MemoryKind::constant : MemoryKind::variable,
          std::string(v.name).c_str());
    memset(v.memory->lo, 0, v.size);
    mark_written(v.memory->lo, v.size);
  }
  for (size_t n = 0; n < order.size(); ++n) {
    Variable &v = *order[n];
    if (!v.memory) continue;
    std::string_view t = v.text;
    size_t q           = skip(t, 0);
    if (q >= t.size() || t[q] != '=') continue;
    ++q;
    u64 at   = 0;
    u32 size = element[n];
    while ((q = skip(t, q)) < t.size() && t[q] != ';') {
      char c = t[q];
      if (c == '{' || c == '}' || c == ',') {
        ++q;
        continue;
      }
      u64 value = 0;
      if (isdigit(static_cast<unsigned char>(c)) || c == '-' || c == '+') {
        bool minus = c == '-';
        if (minus || c == '+') ++q;
        if (t[q] == '0' && (t[q + 1] == 'd' || t[q + 1] == 'D' ||
                            t[q + 1] == 'f' || t[q + 1] == 'F')) {
          int digits = t[q + 1] == 'd' || t[q + 1] == 'D' ? 16 : 8;
          value      = strtoull(std::string(t.substr(q + 2, digits)).c_str(),
                                nullptr, 16);
          q += 2 + digits;
        } else {
          value = number(t, q);
          if (minus) value = -value;
          if (q < t.size() && (t[q] == 'U' || t[q] == 'u')) ++q;
        }
      } else {  // a symbol, generic(symbol), with an offset; mask(symbol) is
                // not
        u64 shift          = 0;
        std::string_view x = word(t, q);
        u64 mask           = ~u64{};
        if (x == "mask" || x.empty())
          die("initial value not understood: %.100s",
              std::string(t.substr(q, 100)).c_str());
        if (x == "generic") {
          q = skip(t, q) + 1;
          x = word(t, q);
          q = skip(t, q) + 1;
        }
        Func *f     = function(x);
        Variable *y = variable(x);
        if (f)
          value = reinterpret_cast<u64>(f);
        else if (y && y->memory)
          value = reinterpret_cast<u64>(y->memory->lo);
        else
          die("initial value refers to %s, which is not there",
              std::string(x).c_str());
        q = skip(t, q);
        if (q < t.size() && t[q] == '+') {
          ++q;
          value += number(t, q);
        }
        value = (value & mask) >> shift;
      }
      if (at + size > v.size)
        die("too many initial values of %s", std::string(v.name).c_str());
      memcpy(v.memory->lo + at, &value, size);
      at += size;
    }
  }
}

std::string Module::file(u32 number_) {
  if (!files_read) {
    files_read = true;
    size_t p   = 0;
    while ((p = text.find(".file", p)) != text.npos) {
      p += 5;
      size_t q = p;
      u32 n    = number(text, q);
      size_t a = text.find('"', q);
      if (a == text.npos || a > q + 4) continue;
      size_t b = text.find('"', a + 1);
      if (b == text.npos) break;
      files[n] = std::string(text.substr(a + 1, b - a - 1));
    }
  }
  auto f = files.find(number_);
  return f == files.end() ? "file " + std::to_string(number_) : f->second;
}

// Used by decode.cpp.
void parse_header(Func &f) {
  if (!f.params.empty() || !f.rets.empty()) return;
  std::string_view s = f.header;
  size_t p           = 0;
  std::string_view w = word(s, p);
  while (w != ".func" && w != ".entry") w = word(s, p);
  while (true) {
    p = skip(s, p);
    if (s[p] != '.') break;
    word(s, p);
  }
  if (s[p] == '(') parse_params(s, p, f.rets);
  word(s, p);
  parse_params(s, p, f.params);
  f.param_bytes =
      f.params.empty() ? 0 : f.params.back().offset + f.params.back().size;
  size_t m = s.find(".maxntid", p);
  if (m != s.npos) {
    m += 8;
    u32 n = number(s, m);
    while ((m = skip(s, m)) < s.size() && s[m] == ',') {
      ++m;
      n *= number(s, m);
    }
    f.max_threads = std::min(n, 1024u);
  }
}

const std::string &pretty_name(Func &f) {
  if (f.pretty.empty()) {
    std::string n(f.name);
    int status;
    char *c  = abi::__cxa_demangle(n.c_str(), nullptr, nullptr, &status);
    f.pretty = status == 0 && c ? c : n;
    free(c);
    if (f.pretty.size() > 400) f.pretty = f.pretty.substr(0, 400) + "...";
  }
  return f.pretty;
}

}  // namespace ptxrun
