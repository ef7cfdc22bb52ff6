// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Decodes the body of a function: statements to instructions with operands as
// offsets of columns.
#include "ptxrun.hpp"
#include <algorithm>
#include <cstdlib>
#include <set>

namespace ptxrun {

void parse_header(Func &f);

namespace {

struct Register {
  u32 offset = 0;
  u8 size    = 0;  // bytes for a lane; 1 for a predicate
};

struct Range {
  u32 offset;
  u32 count;
  u8 size;
};

struct Symbol {
  char kind;  // r register, l local memory, p parameter of a kernel, a bytes of
              // the lane (parameter of a function or call), s shared
  Register reg;
  u64 offset = 0;
  u32 size   = 0;
};

struct Scope {
  std::unordered_map<std::string_view, Symbol> names;
  std::unordered_map<std::string_view, Range> ranges;
};

std::set<std::string> &seen_opcodes() {
  static auto *s = new std::set<std::string>;
  return *s;
}

u32 column_bytes(int size) { return size == 1 ? 4 : 32 * size; }

class Decoder {
 public:
  explicit Decoder(Func &f) : f(f), s(f.body) {}

  void run() {
    parse_header(f);
    f.module->load();
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
    f.locs.emplace_back();
    f.static_shared = 0;
    p               = 0;
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
    // a body may end without ret
    Ins end;
    end.control = f.entry ? EXIT : RET;
    end.text    = s.size() ? s.size() - 1 : 0;
    f.code.push_back(end);
    f.code.shrink_to_fit();  // from here on instructions stay where they are
    for (auto &[at, name] : fixes) {
      auto l = labels.find(name);
      if (l == labels.end())
        fail("label " + std::string(name) + " is not there");
      f.code[at].target = reinterpret_cast<i64>(&f.code[l->second]);
    }
    for (auto &[table, names] : table_fixes)
      for (auto n : names) {
        auto l = labels.find(n);
        if (l == labels.end())
          fail("label " + std::string(n) + " is not there");
        table->push_back(l->second);
      }
    for (auto &[at, name] : brx_fixes) {
      auto l = target_tables.find(name);
      if (l == target_tables.end())
        fail("branch targets " + std::string(name) + " are not there");
      f.code[at].extra = l->second;
    }
    f.register_bytes = (registers + 255) / 256 * 256;
    f.local_bytes    = (f.local_bytes + 15) / 16 * 16;
    size_t n         = std::max<size_t>(64, (constants.size() + 63) / 64 * 64);
    f.constants      = static_cast<u8 *>(aligned_alloc(64, n));
    memcpy(f.constants, constants.data(), constants.size());
    f.decoded = true;
  }

 private:
  Func &f;
  std::string_view s;
  size_t p = 0, start = 0;
  std::vector<Scope> scopes;
  u32 registers = 0;
  std::vector<u8> constants;
  std::map<std::pair<u64, int>, u32> constant_index;
  std::unordered_map<std::string_view, u32> labels;
  std::vector<std::pair<u32, std::string_view>> fixes, brx_fixes;
  std::vector<std::pair<std::vector<u32> *, std::vector<std::string_view>>>
      table_fixes;
  std::unordered_map<std::string_view, std::vector<u32> *> target_tables;
  u32 loc = 0;
  Opcode op;
  std::string_view statement;

  [[noreturn]] void fail(const std::string &why) {
    size_t e = s.find(';', start);
    std::string t(s.substr(
        start, std::min<size_t>(e == s.npos ? 200 : e - start + 1, 300)));
    Ins i;
    i.loc = loc;
    die("%s: \"%s\" in %s %s", why.c_str(), t.c_str(), pretty_name(f).c_str(),
        where(f, i).c_str());
  }

  static bool name_character(char c) {
    return isalnum(static_cast<unsigned char>(c)) || c == '_' || c == '$' ||
           c == '%' || c == '.';
  }

  void skip() {
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

  std::string_view word() {
    skip();
    size_t b = p;
    if (p < s.size() && s[p] == '.') ++p;
    while (p < s.size() && name_character(s[p]) && s[p] != '.') ++p;
    return s.substr(b, p - b);
  }

  u64 number() {
    skip();
    char *end;
    std::string t(s.substr(p, 40));
    u64 v = strtoull(t.c_str(), &end, 0);
    p += end - t.c_str();
    return v;
  }

  u32 new_register(int size, u32 count) {
    u32 at    = (registers + 63) / 64 * 64;
    registers = at + column_bytes(size) * count;
    return at;
  }

  void directive() {
    start              = p;
    std::string_view w = word();
    if (w == ".reg") {
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
          scopes.back().names[name] = {
              'r', {new_register(size, 1), size}, 0, 0};
        skip();
        if (s[p] == ',') {
          ++p;
          continue;
        }
        break;
      }
      finish();
    } else if (w == ".local" || w == ".shared" || w == ".param") {
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
        scopes.back().names[name] = {w == ".local" ? 'l' : 'a',
                                     {},
                                     f.local_bytes,
                                     static_cast<u32>(size)};
        f.local_bytes += std::max<u64>(size, 4);
      }
      finish();
    } else if (w == ".loc") {
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
    } else if (w == ".pragma") {
      finish();
    } else
      fail("directive not supported");
  }

  void finish() {
    p = s.find(';', p);
    p = p == s.npos ? s.size() : p + 1;
  }

  void label(std::string_view name, size_t after) {
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

  const Symbol *find(std::string_view name) {
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

  u32 constant(u64 value, int size) {  // size 1: a predicate
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

  static std::string_view trim(std::string_view t) {
    while (!t.empty() && isspace(static_cast<unsigned char>(t.front())))
      t.remove_prefix(1);
    while (!t.empty() && isspace(static_cast<unsigned char>(t.back())))
      t.remove_suffix(1);
    return t;
  }

  // Commas at the outermost level.
  std::vector<std::string_view> split(std::string_view t) {
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

  bool is_number(std::string_view t) {
    return !t.empty() &&
           (isdigit(static_cast<unsigned char>(t[0])) ||
            ((t[0] == '-' || t[0] == '+') && t.size() > 1) || t[0] == '.');
  }

  u64 immediate(std::string_view t, Type type) {
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

  // An operand that is read: register or number. size: of a number's column;
  // found: the size of the register.
  u32 source(std::string_view t, Type type, int size, int *found = nullptr) {
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

  // Addresses that are the same for all threads and launches.
  bool symbol_value(std::string_view t, u64 &v) {
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
      v = (x->memory ? reinterpret_cast<u64>(x->memory->lo)
                     : x->shared_offset) +
          add;
      return true;
    }
    if (Func *g = f.module->function(t)) {
      v = reinterpret_cast<u64>(g) + add;
      return true;
    }
    return false;
  }

  u32 dest(std::string_view t, int *found = nullptr) {
    if (t == "_") return none;
    const Symbol *y = find(t);
    if (!y || y->kind != 'r')
      fail("destination " + std::string(t) + " is not a register");
    if (found) *found = y->reg.size;
    return y->reg.offset;
  }

  VectorInfo *vector(std::string_view t, Type type, bool write) {
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

  // [base+offset]
  void address(Ins &i, std::string_view t, Space space) {
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
    (void)space;
  }

  Space space() {
    for (auto x : op.parts) {
      if (x == "global") return GLOBAL;
      if (x == "shared" || x == "shared::cta") return SHARED;
      if (x == "local") return LOCAL;
      if (x == "const") return CONST;
      if (x == "param" || x == "param::entry" || x == "param::func")
        return PARAM;
      if (x == "shared::cluster") fail("clusters are not supported");
    }
    return GENERIC;
  }

  u8 strength() {
    u8 v = WEAK;
    for (auto x : op.parts) {
      if (x == "volatile") v |= VOLATILE;
      if (x == "relaxed" || x == "acquire" || x == "release" ||
          x == "acq_rel" || x == "mmio")
        v |= RELAXED;
    }
    return v;
  }

  void instruction() {
    start    = p;
    size_t e = s.find(';', p);
    if (e == s.npos) fail("no end");
    statement = s.substr(p, e - p);
    std::string clean;  // without comments
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
      op.parts.push_back(
          code.substr(dot + 1, n == code.npos ? n : n - dot - 1));
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

  void add(Ins &i) {
    if (!i.run && i.control == NONE) fail("instruction not supported");
    f.code.push_back(i);
  }

  void need(const std::vector<std::string_view> &o, size_t n) {
    if (o.size() < n) fail("too few operands");
  }

  // "%r|%p"
  void pair(std::string_view t, u32 &d, u32 &e, int *size) {
    size_t bar = t.find('|');
    d          = dest(trim(t.substr(0, bar)), size);
    if (bar != t.npos) e = dest(trim(t.substr(bar + 1)));
  }

  void translate(Ins &i, std::vector<std::string_view> &o) {
    std::string_view n = op.name;
    int ts             = std::max(2, type_size(op.type));
    if (op.type == PRED) ts = 1;

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
    if (n == "shfl") {
      if (!op.has("sync")) fail("shuffle without .sync is not supported");
      need(o, 5);
      i.control = SHFL;
      i.x = op.has("up") ? 0 : op.has("down") ? 1 : op.has("bfly") ? 2 : 3;
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
    if (n == "nanosleep") {
      i.control = YIELD;
      return add(i);
    }
    if (n == "membar" || n == "fence" || n == "prefetch" || n == "prefetchu" ||
        n == "discard" || n == "applypriority" || n == "griddepcontrol" ||
        n == "setmaxnreg") {
      if (n != "membar" && n != "fence") return;  // no effect
      i.run = pick_data(op, i);
      return add(i);
    }
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
      address(i, o[1], static_cast<Space>(i.x));
      i.run = pick_memory(op, i);
      return add(i);
    }
    if (n == "st") {
      need(o, 2);
      i.x    = space();
      i.z    = strength();
      int rs = ts;
      address(i, o[0], static_cast<Space>(i.x));
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
      address(i, o[k++], static_cast<Space>(i.x));
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
    if (n == "activemask") {
      i.d   = dest(o[0]);
      i.run = pick_data(op, i);
      return add(i);
    }
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
    // everything else: d, a, b, c, with numbers of the size of the type but for
    // some
    need(o, 2);
    bool logic = op.type == PRED;
    (void)logic;
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
      if ((n == "mad" || n == "madc") && op.has("wide") && k == 3)
        size = 2 * ts;
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
    add(i);
  }

  void call(Ins &i, std::vector<std::string_view> &o) {
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
    add(i);
  }

  void move(Ins &i, std::vector<std::string_view> &o) {
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
    if (a[0] == '%' && !find(a)) {  // a special register
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
    std::string_view base = trim(a.substr(0, a.find('+')));
    i64 offset            = a.find('+') == a.npos || is_number(a)
                                ? 0
                                : immediate(trim(a.substr(a.find('+') + 1)), S64);
    const Symbol *y       = find(base);
    if (y && y->kind == 'r') {
      i.a = source(a, op.type, op.dest_size, &op.source_size);
    } else if (y && (y->kind == 'l' || y->kind == 'a')) {
      i.imm = y->offset + offset;
      i.run = pick_data(
          Opcode{"mov$lane", {}, op.type, op.type, op.dest_size, 0}, i);
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
    add(i);
  }
};

}  // namespace

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
    t = "at " + f.module->file(l.file) + ":" + std::to_string(l.line);
    if (l.in_file)
      t += ", inlined at " + f.module->file(l.in_file) + ":" +
           std::to_string(l.in_line);
  }
  if (i.text && i.text < f.body.size()) {
    size_t e = f.body.find(';', i.text);
    size_t line =
        1 + std::count(f.module->text.begin(),
                       f.module->text.begin() +
                           (f.body.data() - f.module->text.data()) + i.text,
                       '\n');
    t += (t.empty() ? "" : " ") + ("[PTX line " + std::to_string(line) + ": ") +
         std::string(f.body.substr(i.text, std::min<size_t>(200, e - i.text))) +
         "]";
  }
  return t;
}

}  // namespace ptxrun
