// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Modules and functions as parsed, instructions as decoded.
#pragma once
#include "profile.hpp"
#include <memory>
#include <unordered_map>
#include <vector>

namespace ptxrun {

using namespace on_cpu;

// ---- modules
// -----------------------------------------------------------------------------------------------------

enum Type : u8 {
  U8,
  U16,
  U32,
  U64,
  S8,
  S16,
  S32,
  S64,
  B8,
  B16,
  B32,
  B64,
  F16,
  F16X2,
  BF16,
  BF16X2,
  F32,
  F64,
  PRED,
  NOTYPE
};
int type_size(Type t);
Type parse_type(std::string_view s);  // "u32" ..., NOTYPE if none

struct Variable {  // at module scope
  std::string_view name;
  std::string_view text;     // the declaration from its alignment on
  char space         = 'g';  // g global, c const, s shared, x extern shared
  u32 align          = 1;
  u64 size           = 0;
  u64 shared_offset  = 0;
  Allocation *memory = nullptr;
  bool managed = false, external = false;
};

struct Param {
  std::string_view name;
  u32 size = 0, align = 1, offset = 0;
};

struct Warp;
struct Ins;
struct Func;
using Handler = void (*)(Warp &, const Ins &, u32 active);

enum Control : u8 {  // what the loop of a warp does itself
  NONE,
  BRA,
  BRX,
  CALL,
  CALLIND,
  RET,
  EXIT,
  TRAP,
  BAR,
  BARRED,
  BARARRIVE,
  SHFL,
  VOTE,
  MATCH,
  WARPSYNC,
  REDUX,
  ELECT,
  YIELD
};

// Operand: offset of a column in the frame, or (bit 0) in the constants of the
// function; bit 1 negates a predicate.
constexpr u32 none = 0xfffffffc;

struct Ins {
  Handler run = nullptr;
  u32 d = none, a = none, b = none, c = none, e = none;
  u32 guard       = none;
  Control control = NONE;
  u8 x = 0, y = 0, z = 0;  // details
  u32 loc                 = 0;
  i64 imm                 = 0;  // offset of an address, or details
  i64 target              = 0;  // of a branch: its instruction
  void *extra             = nullptr;
  mutable Allocation *hit = nullptr;
  u32 text = 0;  // offset of the statement in the function's text
  u32 n    = 0;
};

struct Loc {
  u32 file = 0, line = 0, in_file = 0, in_line = 0;
};

struct CallInfo {
  Func *callee = nullptr;
  u32 target   = none;  // register with the function, if indirect
  std::vector<std::pair<u32, u32>> args;  // offset in the caller's bytes, size
  u32 ret = none, ret_size = 0;
};

struct VectorInfo {
  u32 r[8];
  u8 size[8];
  u8 n = 0;
};

// Where an address comes from (Ins::y of instructions that access memory).
enum AddressMode : u8 { BY_REGISTER, BY_REGISTER32, IN_LANE, IN_PARAMS };
// Ins::x of instructions that access memory.
enum Space : u8 { GENERIC, GLOBAL, CONST, SHARED, LOCAL, PARAM };
// Ins::z of instructions that access memory: how strong the access is
enum Strength : u8 { WEAK = 0, VOLATILE = 1, RELAXED = 2, ATOMICS = 4 };

struct Module;

struct Func {
  Module *module = nullptr;
  std::string_view name;
  std::string_view header, body;  // text; body is empty for a declaration
  bool entry = false, decoded = false;
  int builtin = 0;
  std::vector<Param> params, rets;
  std::vector<Ins> code;
  std::vector<Loc> locs;
  u8 *constants      = nullptr;
  u32 register_bytes = 0, local_bytes = 0, static_shared = 0, param_bytes = 0,
      depot_bytes = 0, ret_offset = 0;
  u32 max_threads        = 1024;
  u32 max_dynamic_shared = 0;  // as set by the program
  bool has_cc            = false;
  Profile profile;
  std::vector<std::unique_ptr<CallInfo>> calls;
  std::vector<std::unique_ptr<VectorInfo>> vectors;
  std::vector<std::unique_ptr<std::vector<u32>>> tables;
  std::string pretty;  // demangled
};

struct Module {  // on one device
  std::string_view text;
  int device = 0;
  std::string owned;
  std::unordered_map<std::string_view, std::unique_ptr<Func>> functions;
  std::unordered_map<std::string_view, std::unique_ptr<Variable>> variables;
  std::vector<Variable *> order;  // of the variables
  bool indexed = false, loaded = false;
  u64 shared_bytes    = 0;  // of variables at module scope
  u64 function_shared = 0;
  std::map<u32, std::string> files;
  bool files_read = false;
  std::unordered_map<std::string_view, std::pair<void *, size_t>>
      managed;  // variables that the host reserved
  void index();
  void load();  // allocates and initialises variables
  Func *function(std::string_view name);
  Variable *variable(std::string_view name);
  std::string file(u32 number);
};
extern u64 next_module_shared;  // offsets of shared variables at module scope
                                // are never reused

void decode(Func &f);
std::string whole_name(const Func &f);    // demangled
const std::string &pretty_name(Func &f);  // demangled, and cut if it is long
Func *function_at(u64 value);  // from an address that a program took, or null

}  // namespace ptxrun
