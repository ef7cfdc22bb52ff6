// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Decodes the body of a function: declarations, labels, and the end.
#include "decode.hpp"
#include <algorithm>
#include <cstdlib>

namespace ptxrun {

std::set<std::string> &seen_opcodes() {
  static auto *s = new std::set<std::string>;
  return *s;
}

void Decoder::run() {
  parse_header(f);
  f.module->load();
  declare_parameters();
  f.locs.emplace_back();
  f.static_shared = 0;
  p               = 0;
  statements();
  // a body may end without ret
  Ins end;
  end.control = f.entry ? EXIT : RET;
  end.text    = s.size() ? s.size() - 1 : 0;
  f.code.push_back(end);
  f.code.shrink_to_fit();  // from here on instructions stay where they are
  resolve_labels();
  f.register_bytes = (registers + 255) / 256 * 256;
  f.local_bytes    = (f.local_bytes + 15) / 16 * 16;
  size_t n         = std::max<size_t>(64, (constants.size() + 63) / 64 * 64);
  f.constants      = static_cast<u8 *>(aligned_alloc(64, n));
  memcpy(f.constants, constants.data(), constants.size());
  f.decoded = true;
}

void Decoder::declare_parameters() {
  scopes.emplace_back();
  u32 bytes = 0;
  if (f.entry) {
    for (auto &p : f.params)
      scopes[0].names[p.name] = {'p', {}, p.offset, p.size};
  } else {
    for (auto &p : f.params)
      scopes[0].names[p.name] = {'a', {}, p.offset, p.size};
    bytes        = (f.param_bytes + 15) / 16 * 16;
    f.ret_offset = bytes;
    for (auto &p : f.rets) {
      scopes[0].names[p.name] = {'a', {}, bytes, p.size};
      bytes += (p.size + 15) / 16 * 16;
    }
  }
  f.local_bytes = bytes;
}

void Decoder::statements() {
  while (true) {
    skip();
    if (p >= s.size()) break;
    if (s[p] == '{') {
      scopes.emplace_back();
      ++p;
      continue;
    }
    if (s[p] == '}') {
      scopes.pop_back();
      ++p;
      continue;
    }
    if (s[p] == ';') {
      ++p;
      continue;
    }
    if (s[p] == '.') {
      directive();
      continue;
    }
    // a label?
    size_t q = p;
    while (q < s.size() && name_character(s[q])) ++q;
    size_t e = q;
    while (e < s.size() && (s[e] == ' ' || s[e] == '\t')) ++e;
    if (q > p && e < s.size() && s[e] == ':' && s[e + 1] != ':') {
      label(s.substr(p, q - p), e + 1);
      continue;
    }
    instruction();
  }
}

void Decoder::resolve_labels() {
  for (auto &[at, name] : fixes) {
    auto l = labels.find(name);
    if (l == labels.end()) fail("label " + std::string(name) + " is not there");
    f.code[at].target = reinterpret_cast<i64>(&f.code[l->second]);
  }
  for (auto &[table, names] : table_fixes)
    for (auto n : names) {
      auto l = labels.find(n);
      if (l == labels.end()) fail("label " + std::string(n) + " is not there");
      table->push_back(l->second);
    }
  for (auto &[at, name] : brx_fixes) {
    auto l = target_tables.find(name);
    if (l == target_tables.end())
      fail("branch targets " + std::string(name) + " are not there");
    f.code[at].extra = l->second;
  }
}

void Decoder::fail(const std::string &why) {
  size_t e = s.find(';', start);
  std::string t(s.substr(
      start, std::min<size_t>(e == s.npos ? 200 : e - start + 1, 300)));
  Ins i;
  i.loc = loc;
  die("%s: \"%s\" in %s %s", why.c_str(), t.c_str(), pretty_name(f).c_str(),
      where(f, i).c_str());
}

void Decoder::skip() {
  while (p < s.size()) {
    char c = s[p];
    if (c == ' ' || c == '\t' || c == '\n' || c == '\r' || c == '\0')
      ++p;
    else if (c == '/' && p + 1 < s.size() && s[p + 1] == '/') {
      p = s.find('\n', p);
      if (p == s.npos) p = s.size();
    } else if (c == '/' && p + 1 < s.size() && s[p + 1] == '*') {
      p = s.find("*/", p);
      p = p == s.npos ? s.size() : p + 2;
    } else
      break;
  }
}

std::string_view Decoder::word() {
  skip();
  size_t b = p;
  if (p < s.size() && s[p] == '.') ++p;
  while (p < s.size() && name_character(s[p]) && s[p] != '.') ++p;
  return s.substr(b, p - b);
}

u64 Decoder::number() {
  skip();
  char *end;
  std::string t(s.substr(p, 40));
  u64 v = strtoull(t.c_str(), &end, 0);
  p += end - t.c_str();
  return v;
}

u32 Decoder::new_register(int size, u32 count) {
  u32 at    = (registers + 63) / 64 * 64;
  registers = at + column_bytes(size) * count;
  return at;
}

void Decoder::directive() {
  start              = p;
  std::string_view w = word();
  if (w == ".reg")
    declare_registers();
  else if (w == ".local" || w == ".shared" || w == ".param")
    declare_memory(w);
  else if (w == ".loc")
    location();
  else if (w == ".pragma")
    finish();
  else
    fail("directive not supported");
}

void Decoder::declare_registers() {
  Type t = parse_type(word().substr(1));
  if (t == NOTYPE) fail("register type not supported");
  u8 size = t == PRED ? 1 : std::max(2, type_size(t));
  while (true) {
    skip();
    size_t b = p;
    while (name_character(s[p])) ++p;
    std::string_view name = s.substr(b, p - b);
    skip();
    if (s[p] == '<') {
      ++p;
      u32 n = number();
      skip();
      ++p;
      scopes.back().ranges[name] = {new_register(size, n), n, size};
    } else
      scopes.back().names[name] = {'r', {new_register(size, 1), size}, 0, 0};
    skip();
    if (s[p] == ',') {
      ++p;
      continue;
    }
    break;
  }
  finish();
}

void Decoder::declare_memory(std::string_view w) {
  u32 align = 1, element = 0;
  std::string_view name;
  while (true) {
    skip();
    size_t before      = p;
    std::string_view x = word();
    if (x == ".align")
      align = std::max<u32>(align, number());
    else if (!x.empty() && x[0] == '.') {
      element = type_size(parse_type(x.substr(1)));
    } else {
      p = before;
      while (name_character(s[p])) ++p;
      name = s.substr(before, p - before);
      break;
    }
  }
  align    = std::max(align, element);
  u64 size = element;
  skip();
  while (s[p] == '[') {
    ++p;
    size *= number();
    skip();
    ++p;
    skip();
  }
  if (w == ".shared") {
    u64 at;
    if (f.entry) {
      f.static_shared = (f.static_shared + align - 1) / align * align;
      at              = static_shared_at + f.static_shared;
      f.static_shared += size;
    } else {
      next_module_shared = (next_module_shared + align - 1) / align * align;
      at                 = next_module_shared;
      next_module_shared += size;
      f.module->function_shared += size;
    }
    if (f.static_shared > module_shared_at - static_shared_at ||
        next_module_shared > shared_window)
      fail("too much shared memory");
    scopes.back().names[name] = {'s', {}, at, static_cast<u32>(size)};
  } else {
    f.local_bytes             = (f.local_bytes + align - 1) / align * align;
    scopes.back().names[name] = {
        w == ".local" ? 'l' : 'a', {}, f.local_bytes, static_cast<u32>(size)};
    f.local_bytes += std::max<u64>(size, 4);
  }
  finish();
}

void Decoder::location() {
  size_t e = s.find('\n', p);
  if (e == s.npos) e = s.size();
  Loc l;
  l.file                = number();
  l.line                = number();
  std::string_view rest = s.substr(p, e - p);
  size_t at             = rest.find("inlined_at");
  if (at != rest.npos) {
    p += at + 10;
    l.in_file = number();
    l.in_line = number();
  }
  p   = e;
  loc = f.locs.size();
  f.locs.push_back(l);
}

void Decoder::finish() {
  p = s.find(';', p);
  p = p == s.npos ? s.size() : p + 1;
}

void Decoder::label(std::string_view name, size_t after) {
  start = p;
  p     = after;
  skip();
  if (s.compare(p, 14, ".branchtargets") == 0) {
    p += 14;
    std::vector<std::string_view> names;
    while (true) {
      skip();
      size_t b = p;
      while (name_character(s[p])) ++p;
      names.push_back(s.substr(b, p - b));
      skip();
      if (s[p] == ',') {
        ++p;
        continue;
      }
      break;
    }
    finish();
    f.tables.push_back(std::make_unique<std::vector<u32>>());
    target_tables[name] = f.tables.back().get();
    table_fixes.emplace_back(f.tables.back().get(), names);
  } else if (s.compare(p, 14, ".callprototype") == 0 ||
             s.compare(p, 12, ".calltargets") == 0) {
    finish();
  } else
    labels[name] = f.code.size();
}

void decode(Func &f) {
  if (f.decoded) return;
  if (f.body.empty())
    die("function %s is declared only: it is in another module, or a builtin "
        "that is not supported",
        pretty_name(f).c_str());
  Decoder(f).run();
}

void write_opcodes() {
  FILE *f = fopen(settings.opcodes, "a");
  if (!f) die("PTXRUN_OPCODES: cannot write to %s", settings.opcodes);
  for (auto &code : seen_opcodes()) fprintf(f, "%s\n", code.c_str());
  fclose(f);
}

std::string where(Func &f, const Ins &i) {
  std::string t;
  if (i.loc && i.loc < f.locs.size()) {
    const Loc &l = f.locs[i.loc];
    t = strprintf("at %s:%u", f.module->file(l.file).c_str(), l.line);
    if (l.in_file)
      t += strprintf(", inlined at %s:%u", f.module->file(l.in_file).c_str(),
                     l.in_line);
  }
  if (i.text && i.text < f.body.size()) {
    size_t e = f.body.find(';', i.text);
    size_t line =
        1 + std::count(f.module->text.begin(),
                       f.module->text.begin() +
                           (f.body.data() - f.module->text.data()) + i.text,
                       '\n');
    t += strprintf(
        "%s[PTX line %zu: %s]", t.empty() ? "" : " ", line,
        std::string(f.body.substr(i.text, std::min<size_t>(200, e - i.text)))
            .c_str());
  }
  return t;
}

}  // namespace ptxrun
