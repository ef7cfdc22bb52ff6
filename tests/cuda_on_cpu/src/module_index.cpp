// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// An index of what a PTX text declares.
#include "text.hpp"
#include <algorithm>

namespace ptxrun {

using namespace text;

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

}  // namespace ptxrun
