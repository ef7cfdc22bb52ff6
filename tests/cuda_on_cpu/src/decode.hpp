// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The decoder of a function: statements become instructions with operands as
// offsets of columns, 32 values each, one for a lane.
#pragma once
#include "ptxrun.hpp"
#include <set>

namespace ptxrun {

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

inline u32 column_bytes(int size) { return size == 1 ? 4 : 32 * size; }

using Operands = std::vector<std::string_view>;

class Decoder {
 public:
  explicit Decoder(Func &f) : f(f), s(f.body) {}
  void run();

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

  static bool name_character(char c) {
    return isalnum(static_cast<unsigned char>(c)) || c == '_' || c == '$' ||
           c == '%' || c == '.';
  }

  // decode.cpp
  void declare_parameters();
  void statements();
  void resolve_labels();
  [[noreturn]] void fail(const std::string &why);
  void skip();
  std::string_view word();
  u64 number();
  u32 new_register(int size, u32 count);
  void directive();
  // .reg
  void declare_registers();
  // .local, .shared or .param
  void declare_memory(std::string_view w);
  // .loc
  void location();
  void finish();
  void label(std::string_view name, size_t after);

  // decode_operands.cpp
  const Symbol *find(std::string_view name);
  u32 constant(u64 value, int size);
  static std::string_view trim(std::string_view t);
  // Commas at the outermost level.
  std::vector<std::string_view> split(std::string_view t);
  bool is_number(std::string_view t);
  u64 immediate(std::string_view t, Type type);
  // An operand that is read: register or number. size: of a number's column;
  // found: the size of the register.
  u32 source(std::string_view t, Type type, int size, int *found = nullptr);
  // Addresses that are the same for all threads and launches.
  bool symbol_value(std::string_view t, u64 &v);
  u32 dest(std::string_view t, int *found = nullptr);
  VectorInfo *vector(std::string_view t, Type type, bool write);
  // [base+offset]
  void address(Ins &i, std::string_view t);
  Space space();
  u8 strength();
  // "%r|%p"
  void pair(std::string_view t, u32 &d, u32 &e, int *size);
  void need(const Operands &o, size_t n);
  // Bytes of the register of an operand with the type of the instruction.
  int register_size();

  // decode_control.cpp
  void instruction();
  bool add(Ins &i);
  void translate(Ins &i, Operands &o);
  bool control(Ins &i, Operands &o);
  bool call(Ins &i, Operands &o);
  bool block_collective(Ins &i, Operands &o);
  bool warp_collective(Ins &i, Operands &o);

  // decode_instructions.cpp
  bool memory(Ins &i, Operands &o);
  bool move(Ins &i, Operands &o);
  // mov from a special register
  bool special(Ins &i, std::string_view a);
  bool comparison(Ins &i, Operands &o);
  // d, a, b, c: with numbers of the size of the type but for some.
  bool arithmetic(Ins &i, Operands &o);
};

std::set<std::string> &seen_opcodes();
void parse_header(Func &f);

}  // namespace ptxrun
