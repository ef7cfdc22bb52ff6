// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Variables of modules with their initial values, names, files.
#include "text.hpp"
#include <algorithm>
#include <cxxabi.h>
#include <set>

namespace ptxrun {

using namespace text;

u64 next_module_shared = module_shared_at;

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
  std::vector<bool> kept(order.size(), false);
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
    if (m != managed.end()) {
      v.memory = find_allocation(m->second.first);
      if ((kept[n] = v.memory != nullptr)) continue;  // by another device
      v.memory = adopt(m->second.first, m->second.second, MemoryKind::managed,
                       std::string(v.name).c_str());
    } else {
      v.memory = allocate(
          v.size, v.space == 'c' ? MemoryKind::constant : MemoryKind::variable,
          std::string(v.name).c_str());
      v.memory->device = device;
    }
    memset(v.memory->lo, 0, v.size);
    mark_written(v.memory->lo, v.size);
  }
  for (size_t n = 0; n < order.size(); ++n) {
    Variable &v = *order[n];
    if (!v.memory || kept[n]) continue;
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

std::string whole_name(const Func &f) {
  const std::string n(f.name);
  int status;
  char *c           = abi::__cxa_demangle(n.c_str(), nullptr, nullptr, &status);
  std::string whole = status == 0 && c ? c : n;
  free(c);
  return whole;
}

const std::string &pretty_name(Func &f) {
  if (f.pretty.empty()) {
    f.pretty = whole_name(f);
    if (f.pretty.size() > 400) f.pretty = f.pretty.substr(0, 400) + "...";
  }
  return f.pretty;
}

}  // namespace ptxrun
