// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Code objects, instructions as decoded, waves and blocks.
#pragma once
#include "profile.hpp"
#include <memory>
#include <unordered_map>
#include <vector>

namespace gcn {

using namespace on_cpu;

constexpr int lanes_of_wave = 64;

// ---- registers
// ---------------------------------------------------------------

// Scalar registers with names, by their numbers in the encoding.
enum : u16 {
  FLAT_SCRATCH = 102,
  XNACK_MASK   = 104,
  VCC          = 106,
  M0           = 124,
  EXEC         = 126,
  SCALARS      = 128
};
constexpr u32 vectors = 256;

// The upper halves of generic addresses of LDS and of private memory.
constexpr u32 shared_aperture = 0x20000000, private_aperture = 0x40000000;

// ---- instructions
// ------------------------------------------------------------

struct Operand {
  enum Kind : u8 { ABSENT, SCALAR, VECTOR, ACCUMULATOR, VALUE };
  Kind kind     = ABSENT;
  bool negative = false, absolute = false;
  bool extends = false;     // SDWA: the part is signed
  u8 shift = 0, bits = 32;  // SDWA: the part of a register
  u8 count    = 1;          // of registers
  u16 number  = 0;          // of the first register
  u32 bits32  = 0;          // VALUE: as an operand of 32 bits,
  u64 integer = 0;          // as an integer and
  u64 real    = 0;          // as a floating-point number of 64 bits
};

struct Wave;
struct Ins;
using Handler = void (*)(Wave &, const Ins &);

// What a wave must wait for before it uses a result: bits.
enum Counter : u8 { NOTHING = 0, VECTOR_MEMORY = 1, LDS_OR_SCALAR = 2 };

constexpr int most_operands = 6;

struct Ins {
  Handler run = nullptr;  // null: not decoded yet
  Operand o[most_operands];
  u8 operands  = 0;
  u8 size      = 0;  // bytes
  bool returns = false, scalar_memory = false;
  bool glc     = false;  // of atomics: gives what was there before
  bool by_lane = false;  // buffer: the first address operand is an offset
  bool clamp   = false;
  u8 counters  = 0;
  u32 op_sel = 0, op_sel_hi = ~0u;
  i32 vmcnt = -1, lgkmcnt = -1;  // s_waitcnt; -1: not named
  i64 offset = 0, offset1 = 0;   // of addresses; a value of 16 bits
  u64 target  = 0;               // of a branch
  u64 address = 0;               // in the code object
  std::string_view text;
  mutable Allocation *hit = nullptr;
};

// ---- code objects
// ------------------------------------------------------------

struct Argument {
  u32 offset = 0, size = 0;
  bool hidden = false;
};

struct CodeObject;

struct Kernel {
  CodeObject *code = nullptr;
  std::string name, pretty;
  std::vector<Argument> arguments;
  u64 entry        = 0;  // in the code object
  u32 kernarg_size = 0, static_lds = 0, private_bytes = 0;
  u32 most_threads = 1024, vgprs = 0, sgprs = 0;
  u32 resources1 = 0, resources2 = 0, resources3 = 0;
  u16 properties     = 0;
  bool dynamic_stack = false;
  Profile profile;
};

struct CodeObject {
  std::string_view file;  // the ELF image
  int device = 0;
  u8 *memory = nullptr;  // where it is loaded
  u64 bytes  = 0;
  std::string disassembly;
  u64 text_at = 0;      // address of the first instruction
  std::vector<u32> at;  // by (address - text_at) / 4: 1 + index
  mutable std::vector<Ins> code;
  std::unordered_map<std::string, std::pair<u64, u64>> symbols;
  std::unordered_map<std::string, std::unique_ptr<Kernel>> kernels;
  std::map<u64, std::string> functions;  // by address
  void load();
  const Ins &instruction(u64 address) const;  // decoded
  std::string function_at(u64 address) const;
};

// The code object for gfx908 in what the compiler bundled.
std::string_view find_code_object(const u8 *bundle);
void disassemble(CodeObject &c);
void decode(Ins &i);
// The handler of a mnemonic without _e32 and _e64; null if it is not known.
Handler find_handler(std::string_view mnemonic);

// ---- running
// -----------------------------------------------------------------

struct Dim {
  u32 x = 1, y = 1, z = 1;
};

struct Launch {
  Kernel *kernel = nullptr;
  Dim grid, block;
  u32 dynamic_lds = 0;
  int device      = 0;
  u64 id          = 0;
  std::vector<u8> kernarg;
  std::vector<u8> released;  // see BlockRaces
  Allocation *arguments = nullptr, *packet = nullptr;
};

struct Pending {  // a result that has not been waited for
  Operand::Kind kind;
  u8 count, counters;
  bool scalar;
  u16 number;
  u32 vector_at, lds_at;  // the number of the access for each counter
  const Ins *by;
};

struct Block;

enum WaveState : u8 { RUNS, AT_BARRIER, ENDED };

struct Wave {
  u32 s[SCALARS];
  u32 (*v)[lanes_of_wave];
  u32 (*a)[lanes_of_wave];
  u32 scc      = 0;
  bool flush32 = false, flush64 = false;  // denormal numbers
  WaveState state    = RUNS;
  u32 index          = 0;
  u64 next           = 0;  // address of the next instruction
  u64 exists         = 0;
  const Ins *current = nullptr;
  const CodeObject *code;
  Block *block;
  u8 *scratch;  // of lane 0
  u32 scratch_stride;
  std::vector<Pending> pending;
  u32 vector_issued = 0, lds_issued = 0;
  u64 executed = 0;

  u64 pair(u32 n) const { return s[n] | static_cast<u64>(s[n + 1]) << 32; }
  void set_pair(u32 n, u64 value) {
    s[n]     = static_cast<u32>(value);
    s[n + 1] = static_cast<u32>(value >> 32);
  }
  u64 exec() const { return pair(EXEC); }
};

struct Block {
  Launch *launch;
  u8 *lds;
  u32 lds_bytes;
  u8 *written;  // PTXRUN_INITCHECK: which bytes of LDS
  Dim index;
  u64 linear;
  BlockRaces races;
  u32 threads, waves, arrived = 0, live;
  u64 random() const;
  Wave *wave;
};

void run_launch(Launch &launch);  // throws Fault
const std::string &pretty_name(Kernel &k);
extern std::vector<Kernel *> &launched;

[[noreturn]] void fault(Wave &w, const Ins &i, u64 lanes, int error,
                        const char *format, ...)
    __attribute__((format(printf, 5, 6)));
std::string where(const Wave &w, const Ins &i);
// A message with its kernel, block, threads and instruction.
std::string located(const Wave &w, const Ins &i, u64 lanes,
                    const std::string &text);

// waits.cpp
void issued(Wave &w, const Ins &i);       // an access to memory
void check_waits(Wave &w, const Ins &i);  // before i
void wait_for(Wave &w, i32 vmcnt, i32 lgkmcnt);

}  // namespace gcn
