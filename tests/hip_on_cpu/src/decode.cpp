// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// From the text of an instruction to its operands and modifiers.
#include "gcn.hpp"
#include <cmath>
#include <cstdlib>
#include <set>

namespace gcn {
namespace {

struct Named {
  std::string_view name;
  u16 number;
  u8 count;
};
constexpr Named named[] = {{"vcc", VCC, 2},
                           {"vcc_lo", VCC, 1},
                           {"vcc_hi", VCC + 1, 1},
                           {"exec", EXEC, 2},
                           {"exec_lo", EXEC, 1},
                           {"exec_hi", EXEC + 1, 1},
                           {"m0", M0, 1},
                           {"flat_scratch", FLAT_SCRATCH, 2},
                           {"flat_scratch_lo", FLAT_SCRATCH, 1},
                           {"flat_scratch_hi", FLAT_SCRATCH + 1, 1},
                           {"xnack_mask", XNACK_MASK, 2},
                           {"xnack_mask_lo", XNACK_MASK, 1},
                           {"xnack_mask_hi", XNACK_MASK + 1, 1}};

void set_value(Operand &o, u32 bits32, u64 integer, u64 real) {
  o.kind    = Operand::VALUE;
  o.bits32  = bits32;
  o.integer = integer;
  o.real    = real;
}

bool parse_number(Operand &o, std::string_view s) {
  const std::string text(s);
  char *end;
  if (s.find("0x") != s.npos) {  // of 32 bits: the upper half of a double
    const u64 v = strtoull(text.c_str(), &end, 16);
    set_value(o, static_cast<u32>(v), v, v << 32);
  } else if (s.find('.') != s.npos) {
    double d = strtod(text.c_str(), &end);
    float f  = static_cast<float>(d);
    if (std::fabs(d - 0.15915494) < 1e-6) {  // 1 / (2 pi)
      const u64 bits = 0x3fc45f306dc9c882;
      memcpy(&d, &bits, 8);
      const u32 bits_f = 0x3e22f983;
      memcpy(&f, &bits_f, 4);
    }
    u32 b32;
    u64 b64;
    memcpy(&b32, &f, 4);
    memcpy(&b64, &d, 8);
    set_value(o, b32, b64, b64);
  } else {
    const i64 v = strtoll(text.c_str(), &end, 10);
    set_value(o, static_cast<u32>(v), v, v);
  }
  return *end == 0 && end != text.c_str();
}

// v5, v[2:3], s7, a1
bool parse_register(Operand &o, std::string_view s) {
  if (s.size() < 2) return false;
  switch (s[0]) {
    case 'v': o.kind = Operand::VECTOR; break;
    case 's': o.kind = Operand::SCALAR; break;
    case 'a': o.kind = Operand::ACCUMULATOR; break;
    default: return false;
  }
  char *end;
  const std::string text(s);
  if (s[1] == '[') {
    o.number = strtoul(text.c_str() + 2, &end, 10);
    if (*end == ':') o.count = strtoul(end + 1, &end, 10) - o.number + 1;
    return *end == ']';
  }
  o.number = strtoul(text.c_str() + 1, &end, 10);
  return end != text.c_str() + 1 && *end == 0;
}

// hwreg(HW_REG_NAME, first bit, bits)
bool parse_hardware_register(Operand &o, std::string_view s) {
  if (s == "hwreg(HW_REG_SH_MEM_BASES, 16, 16)")
    set_value(o, shared_aperture >> 16, 0, 0);
  else if (s == "hwreg(HW_REG_SH_MEM_BASES, 0, 16)")
    set_value(o, private_aperture >> 16, 0, 0);
  else
    return false;
  return true;
}

bool parse_operand(Operand &o, std::string_view s) {
  if (s.empty()) return false;
  if (s[0] == '|' && s.back() == '|') {
    o.absolute = true;
    return parse_operand(o, s.substr(1, s.size() - 2));
  }
  if (s.substr(0, 5) == "sext(") {
    o.extends = true;
    return parse_operand(o, s.substr(5, s.size() - 6));
  }
  if (s[0] == '-' && s.size() > 1 && !isdigit(s[1])) {
    o.negative = true;
    return parse_operand(o, s.substr(1));
  }
  for (const Named &n : named)
    if (n.name == s) {
      o.kind   = Operand::SCALAR;
      o.number = n.number;
      o.count  = n.count;
      return true;
    }
  if (s == "off") {
    o.kind = Operand::ABSENT;
    return true;
  }
  if (s == "src_shared_base" || s == "src_private_base") {
    const u64 base = s[4] == 's' ? shared_aperture : private_aperture;
    set_value(o, 0, base << 32, base << 32);
    return true;
  }
  if (s.substr(0, 6) == "hwreg(") return parse_hardware_register(o, s);
  if (s.substr(0, 8) == "sendmsg(") {
    set_value(o, 0, 0, 0);
    return true;
  }
  return isdigit(s[0]) || s[0] == '-' ? parse_number(o, s)
                                      : parse_register(o, s);
}

bool parse_select(Operand &o, std::string_view s) {
  if (s == "DWORD") return true;
  const bool byte = s.substr(0, 5) == "BYTE_";
  if (!byte && s.substr(0, 5) != "WORD_") return false;
  o.bits  = byte ? 8 : 16;
  o.shift = o.bits * (s[5] - '0');
  return true;
}

u32 parse_bits(std::string_view s) {  // [0,1]
  u32 bits = 0;
  int n    = 0;
  for (char c : s)
    if (c == '0' || c == '1') bits |= static_cast<u32>(c - '0') << n++;
  return bits;
}

// What stands behind the operands. sources: index of the first source.
bool parse_modifier(Ins &i, std::string_view s, int source0) {
  const size_t colon    = s.find(':');
  std::string_view name = s.substr(0, colon), value = "";
  if (colon != s.npos) value = s.substr(colon + 1);
  const i64 number = strtoll(std::string(value).c_str(), nullptr, 0);
  if (name == "offset" || name == "offset0")
    i.offset = number;
  else if (name == "offset1")
    i.offset1 = number;
  else if (name == "glc")
    i.glc = true;
  else if (name == "offen")
    i.by_lane = true;
  else if (name == "clamp")
    i.clamp = true;
  else if (name == "op_sel")
    i.op_sel = parse_bits(value);
  else if (name == "op_sel_hi")
    i.op_sel_hi = parse_bits(value);
  else if (name == "src0_sel")
    return parse_select(i.o[source0], value);
  else if (name == "src1_sel")
    return parse_select(i.o[source0 + 1], value);
  else if (name == "dst_sel")
    return value == "DWORD";
  else
    return name == "slc" || name == "scc" || name == "dlc" ||
           name == "dst_unused" || name == "gds";
  return true;
}

void parse_waits(Ins &i, std::string_view s) {
  auto count = [&](const char *name) -> i32 {
    const size_t p = s.find(name);
    return p == s.npos ? -1 : atoi(s.data() + p + strlen(name));
  };
  i.vmcnt   = count("vmcnt(");
  i.lgkmcnt = count("lgkmcnt(");
}

[[noreturn]] void unknown(const Ins &i) {
  throw Fault{strprintf("unknown instruction: %s", std::string(i.text).c_str()),
              718};
}

void parse_operands(Ins &i, std::string_view s) {
  int source0 = 1;
  // a list with commas outside parentheses and brackets
  while (!s.empty()) {
    size_t end = 0;
    for (int depth = 0; end < s.size() && (depth || s[end] != ','); ++end) {
      depth += s[end] == '(' || s[end] == '[';
      depth -= s[end] == ')' || s[end] == ']';
    }
    std::string_view part = s.substr(0, end);
    s.remove_prefix(std::min(s.size(), end + 1));
    while (!s.empty() && s[0] == ' ') s.remove_prefix(1);
    const bool first_word = part.substr(0, 6) != "hwreg(";
    size_t space          = first_word ? part.find(' ') : part.npos;
    if (i.operands == most_operands ||
        !parse_operand(i.o[i.operands++], part.substr(0, space)))
      unknown(i);
    while (space < part.size()) {
      part.remove_prefix(space + 1);
      space = part.find(' ');
      if (!parse_modifier(i, part.substr(0, space), source0)) unknown(i);
    }
  }
}

void set_counters(Ins &i, std::string_view name) {
  const auto starts = [&](std::string_view s) {
    return name.substr(0, s.size()) == s;
  };
  const bool load   = name.find("load") != name.npos;
  const bool atomic = name.find("atomic") != name.npos;
  if (starts("s_load") || starts("s_buffer_load") || starts("s_memtime")) {
    i.counters      = LDS_OR_SCALAR;
    i.scalar_memory = i.returns = true;
  } else if (starts("ds_")) {
    i.counters = LDS_OR_SCALAR;
    i.returns  = starts("ds_read") || name.find("_rtn") != name.npos ||
                name.find("permute") != name.npos || starts("ds_swizzle");
  } else if (starts("global_") || starts("buffer_load") ||
             starts("buffer_store") || starts("scratch_")) {
    i.counters = VECTOR_MEMORY;
    i.returns  = load || (atomic && i.glc);
  } else if (starts("flat_")) {
    i.counters = VECTOR_MEMORY | LDS_OR_SCALAR;
    i.returns  = load || (atomic && i.glc);
  }
}

std::string_view without_encoding(std::string_view name) {
  for (std::string_view end : {"_e32", "_e64", "_sdwa"})
    if (name.size() > end.size() &&
        name.substr(name.size() - end.size()) == end)
      return name.substr(0, name.size() - end.size());
  return name;
}

// PTXRUN_OPCODES: the names of what was decoded, written at the end.
struct Opcodes {
  std::set<std::string> names;
  ~Opcodes() {
    FILE *f = settings.opcodes ? fopen(settings.opcodes, "a") : nullptr;
    if (!f) return;
    for (const std::string &n : names) fprintf(f, "%s\n", n.c_str());
    fclose(f);
  }
};

}  // namespace

void decode(Ins &i) {
  const size_t space    = i.text.find(' ');
  std::string_view name = without_encoding(i.text.substr(0, space));
  std::string_view rest = space == i.text.npos ? "" : i.text.substr(space + 1);
  Handler run           = find_handler(name);
  if (!run) unknown(i);
  static Opcodes opcodes;
  if (settings.opcodes) opcodes.names.emplace(name);
  if (name == "s_waitcnt")
    parse_waits(i, rest);
  else
    parse_operands(i, rest);
  if (name == "s_branch" || name.substr(0, 9) == "s_cbranch")
    i.target = i.address + 4 + 4 * static_cast<i16>(i.o[0].bits32);
  set_counters(i, name);
  i.run = run;
}

}  // namespace gcn
