// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What executors of all instruction sets share: settings, messages, and memory.
#pragma once
#include <cstdarg>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <map>
#include <string>
#include <string_view>

namespace on_cpu {

using u8  = uint8_t;
using u16 = uint16_t;
using u32 = uint32_t;
using u64 = uint64_t;
using i8  = int8_t;
using i16 = int16_t;
using i32 = int32_t;
using i64 = int64_t;

// ---- settings (environment)
// ---------------------------------------------------------------------------------

struct Settings {
  bool check      = true;   // PTXRUN_CHECK
  bool init       = false;  // PTXRUN_INITCHECK
  int race        = 0;      // PTXRUN_RACE: 1 shared memory, 2 global memory too
  bool random     = false;  // PTXRUN_ORDER=random:SEED
  u64 seed        = 1;
  bool profile    = false;         // PTXRUN_PROFILE
  bool strict     = false;         // PTXRUN_STRICT: notes are errors
  bool quiet      = false;         // PTXRUN_QUIET: no notes
  bool trace      = false;         // PTXRUN_TRACE: each launch
  bool keep_going = false;         // PTXRUN_ERRORS=continue: give
                                   // cudaErrorLaunchFailure instead of abort
  bool races_fatal     = false;    // PTXRUN_RACE_FATAL
  const char *opcodes  = nullptr;  // PTXRUN_OPCODES: a file
  int threads          = 1;        // PTXRUN_THREADS
  int sms              = 2;        // PTXRUN_SMS
  int devices          = 1;        // PTXRUN_DEVICES
  bool lazy            = false;    // PTXRUN_LAZY: streams keep their work
  bool protect         = false;    // PTXRUN_PROTECT: from the host
  u64 max_instructions = 0;        // PTXRUN_MAX: per launch
};
extern Settings settings;

// A fault of the program under test, thrown through the interpreter to the
// launch.
struct Fault {
  std::string text;
  int error;  // cudaError_t
};
[[noreturn]] void die(const char *format, ...)
    __attribute__((format(printf, 1, 2)));  // a limit of the executor
void note(const char *format, ...) __attribute__((format(printf, 1, 2)));
std::string strprintf(const char *format, ...)
    __attribute__((format(printf, 1, 2)));

// ---- memory
// ---------------------------------------------------------------------------------------------------

enum class MemoryKind : u8 {
  device,
  managed,
  host,
  variable,
  constant,
  registered
};

struct Allocation {  // never deleted: instructions remember the last one that
                     // they hit
  u8 *lo = nullptr, *hi = nullptr;  // lo == hi once freed
  u8 *block       = nullptr;        // what malloc gave
  MemoryKind kind = MemoryKind::device;
  int device      = 0;  // whose kernels alone access it, unless the host may
  std::string name;
  u64 *shadow =
      nullptr;  // PTXRUN_RACE=2: for each byte a write and a read entry
  void *in_block = nullptr;  // PTXRUN_RACE=2: see race.cpp
  u8 *written    = nullptr;  // PTXRUN_INITCHECK
};
Allocation *allocate(size_t size, MemoryKind kind, const char *name);
Allocation *adopt(void *lo, size_t size, MemoryKind kind,
                  const char *name);            // memory that others own
bool reaches(int device, const Allocation &a);  // do its kernels access a?
bool release(void *p);  // false: not the start of an allocation
Allocation *find_allocation(const void *p);  // the one that holds p, or null
std::string describe_address(const void *p);
size_t allocated_bytes();
void mark_written(const void *p, size_t n);

// protect.cpp
struct Opened {  // PTXRUN_PROTECT: memory of the device is accessible only
                 // while there is one of these
  Opened();
  ~Opened();
};
u8 *take_block(size_t size, size_t alignment,
               MemoryKind kind);  // null: there is no memory left
void return_block(u8 *block);

}  // namespace on_cpu
