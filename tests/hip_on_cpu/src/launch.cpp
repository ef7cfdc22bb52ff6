// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Runs the blocks of a launch, and the waves of a block in turn.
#include "gcn.hpp"
#include <algorithm>
#include <chrono>
#include <numeric>
#include <sys/mman.h>

namespace gcn {
namespace {

constexpr u32 most_waves = 16;

// The registers that a kernel starts with (properties of its descriptor).
enum : u16 {
  PRIVATE_SEGMENT_BUFFER = 1,
  DISPATCH_POINTER       = 2,
  QUEUE_POINTER          = 4,
  KERNARG_POINTER        = 8,
  DISPATCH_ID            = 16,
  FLAT_SCRATCH_INIT      = 32,
  PRIVATE_SEGMENT_SIZE   = 64
};

struct Random {
  u64 state = 88172645463325252ull;
  u64 next() {
    state ^= state << 13;
    state ^= state >> 7;
    state ^= state << 17;
    return state * 2685821657736338717ull >> 16;
  }
};
Random &random_numbers() {
  static Random *r = [] {
    auto *made = new Random;
    made->state ^= settings.seed * 0x9e3779b97f4a7c15ull;
    for (int n = 0; n < 8; ++n) made->next();
    return made;
  }();
  return *r;
}

struct Storage {  // of the waves of a block, used again by each block
  u8 *registers = nullptr, *scratch = nullptr, *lds = nullptr,
     *written          = nullptr;
  size_t scratch_bytes = 0;
  std::vector<Wave> waves;
};

u8 *map(size_t n) {
  void *p = mmap(nullptr, n, PROT_READ | PROT_WRITE,
                 MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (p == MAP_FAILED) die("no memory for registers or private memory");
  return static_cast<u8 *>(p);
}

constexpr size_t file_bytes = vectors * lanes_of_wave * 4;

size_t vector_bytes(const Kernel &k) {  // of the vector registers of a wave
  return 4 * ((k.resources1 & 63) + 1) * lanes_of_wave * 4;
}

u32 private_bytes(const Kernel &k) {  // of a thread
  return (k.private_bytes + (k.dynamic_stack ? 16384 : 0) + 15) / 16 * 16;
}

Storage &storage_for(const Kernel &k) {
  static Storage s;
  if (s.waves.empty()) {
    s.waves.resize(most_waves);
    s.registers = map(2 * most_waves * file_bytes);
    s.lds       = map(64 << 10);
    s.written   = map(64 << 10);
  }
  const size_t need = size_t{private_bytes(k)} * lanes_of_wave * most_waves;
  if (need > s.scratch_bytes) {
    if (s.scratch) munmap(s.scratch, s.scratch_bytes);
    s.scratch       = map(need);
    s.scratch_bytes = need;
  }
  return s;
}

void start_scalars(Wave &w, const Block &b) {
  const Launch &l = *b.launch;
  const Kernel &k = *l.kernel;
  u32 n           = 0;
  const auto pair = [&](u64 value) {
    w.set_pair(n, value);
    n += 2;
  };
  if (k.properties & PRIVATE_SEGMENT_BUFFER) {  // its base is 0
    pair(0);
    pair(~u64{0} >> 32);
  }
  if (k.properties & DISPATCH_POINTER)
    pair(reinterpret_cast<u64>(l.packet->lo));
  if (k.properties & QUEUE_POINTER) pair(0);
  if (k.properties & KERNARG_POINTER)
    pair(l.arguments ? reinterpret_cast<u64>(l.arguments->lo) : 0);
  if (k.properties & DISPATCH_ID) pair(l.id);
  if (k.properties & FLAT_SCRATCH_INIT) pair(0);
  if (k.properties & PRIVATE_SEGMENT_SIZE) w.s[n++] = private_bytes(k);
  n                 = k.resources2 >> 1 & 31;  // user registers in all
  const u32 index[] = {b.index.x, b.index.y, b.index.z};
  for (int d = 0; d < 3; ++d)
    if (k.resources2 >> (7 + d) & 1) w.s[n++] = index[d];
  if (k.resources2 >> 10 & 1) w.s[n++] = 0;
  if (k.resources2 & 1) w.s[n++] = 0;  // offset of the wave's private memory
}

void start_wave(Wave &w, Block &b, Storage &s, u32 index) {
  const Launch &l = *b.launch;
  const Kernel &k = *l.kernel;
  w.block         = &b;
  w.code          = k.code;
  w.index         = index;
  w.state         = RUNS;
  w.next          = k.entry;
  w.scc           = 0;
  w.executed      = 0;
  w.pending.clear();
  w.vector_issued = w.lds_issued = 0;
  auto *files = reinterpret_cast<u32(*)[lanes_of_wave]>(s.registers +
                                                        2 * index * file_bytes);
  w.v         = files;
  w.a         = files + vectors;
  // what nothing wrote looks like NaN
  memset(w.s, 0xff, sizeof w.s);
  memset(files, 0xff, vector_bytes(k));
  memset(w.a, 0xff, vector_bytes(k));
  w.scratch_stride = private_bytes(k);
  w.scratch = s.scratch + size_t{index} * lanes_of_wave * w.scratch_stride;
  memset(w.scratch, 0xff, size_t{lanes_of_wave} * w.scratch_stride);
  const u32 mode = k.resources1 >> 12 & 255;  // rounding, denormal numbers
  if (mode & 15)
    die("kernel %s rounds otherwise than to nearest", k.name.c_str());
  w.flush32 = (mode >> 4 & 3) != 3;
  w.flush64 = (mode >> 6 & 3) != 3;
  start_scalars(w, b);
  const u32 in_wave =
      std::min<u32>(lanes_of_wave, b.threads - lanes_of_wave * index);
  w.exists = in_wave == 64 ? ~u64{} : (u64{1} << in_wave) - 1;
  w.set_pair(EXEC, w.exists);
  const u32 ids = k.resources2 >> 11 & 3;
  for (u32 lane = 0; lane < in_wave; ++lane) {
    const u32 t    = lanes_of_wave * index + lane;
    const u32 id[] = {t % l.block.x, t / l.block.x % l.block.y,
                      t / l.block.x / l.block.y};
    for (u32 d = 0; d <= ids; ++d) w.v[d][lane] = id[d];
  }
}

void run_wave(Wave &w, u64 limit) {
  const CodeObject &code = *w.code;
  for (u64 n = 0; n < limit && w.state == RUNS; ++n) {
    const Ins &i = code.instruction(w.next);
    w.next       = i.address + i.size;
    w.current    = &i;
    if (!w.pending.empty()) check_waits(w, i);
    if (settings.profile) {
      Profile &p = w.block->launch->kernel->profile;
      ++p.issues;
      p.instructions += __builtin_popcountll(w.exec());
    }
    i.run(w, i);
    if (i.counters) issued(w, i);
    ++w.executed;
  }
}

[[noreturn]] void deadlock(Block &b) {
  std::string t = "deadlock: all waves of a block wait\n  kernel " +
                  pretty_name(*b.launch->kernel);
  for (u32 n = 0; n < b.waves; ++n)
    if (b.wave[n].state == AT_BARRIER)
      t += strprintf("\n  wave %u %s", n,
                     where(b.wave[n], *b.wave[n].current).c_str());
  throw Fault{t, 719};
}

// Waves that have ended do not count.
void release_barrier(Block &b) {
  if (!b.arrived || b.arrived < b.live) return;
  b.arrived = 0;
  ++b.races.epoch;
  ++b.launch->kernel->profile.barriers;
  for (u32 n = 0; n < b.waves; ++n)
    if (b.wave[n].state == AT_BARRIER) b.wave[n].state = RUNS;
}

void run_block(Storage &s, Launch &l, u64 linear) {
  const Kernel &k = *l.kernel;
  Block b{};
  b.launch    = &l;
  b.lds       = s.lds;
  b.lds_bytes = k.static_lds + l.dynamic_lds;
  b.written   = s.written;
  b.linear    = linear;
  b.index     = {static_cast<u32>(linear % l.grid.x),
                 static_cast<u32>(linear / l.grid.x % l.grid.y),
                 static_cast<u32>(linear / l.grid.x / l.grid.y)};
  b.threads   = l.block.x * l.block.y * l.block.z;
  b.waves     = (b.threads + lanes_of_wave - 1) / lanes_of_wave;
  b.live      = b.waves;
  b.wave      = s.waves.data();
  memset(b.lds, 0xff, b.lds_bytes);
  if (settings.init) memset(b.written, 0, b.lds_bytes);
  if (settings.race) races_start_block(b.races, l.id, linear, l.released);
  for (u32 n = 0; n < b.waves; ++n) start_wave(b.wave[n], b, s, n);
  std::vector<u32> order(b.waves);
  std::iota(order.begin(), order.end(), 0);
  Random &random = random_numbers();
  u64 turns      = 0;
  while (b.live) {
    if (settings.random)
      for (u32 n = b.waves; n > 1; --n)
        std::swap(order[n - 1], order[random.next() % n]);
    bool any = false;
    for (u32 n : order) {
      Wave &w = b.wave[n];
      if (w.state != RUNS) continue;
      any = true;
      run_wave(w, settings.random ? 1 + random.next() % 2000 : 100000);
      release_barrier(b);
    }
    if (!any) deadlock(b);
    if (settings.max_instructions &&
        ++turns * 100000 > settings.max_instructions)
      throw Fault{"more than PTXRUN_MAX instructions in a block of kernel " +
                      pretty_name(*l.kernel),
                  702};
  }
}

// What a kernel can ask about its launch.
void make_packet(Launch &l) {
  struct Packet {
    u16 header, dimensions, block[3], zero;
    u32 grid[3], private_bytes, lds;
    u64 kernel, arguments, more, signal;
  } p{};
  const Dim &g = l.grid, &b = l.block;
  p.dimensions = 3;
  p.block[0] = b.x, p.block[1] = b.y, p.block[2] = b.z;
  p.grid[0] = g.x * b.x, p.grid[1] = g.y * b.y, p.grid[2] = g.z * b.z;
  p.private_bytes = private_bytes(*l.kernel);
  p.lds           = l.kernel->static_lds + l.dynamic_lds;
  l.packet = allocate(sizeof p, MemoryKind::host, "the packet of a launch");
  memcpy(l.packet->lo, &p, sizeof p);
  if (l.kernarg.empty()) return;
  l.arguments =
      allocate(l.kernarg.size(), MemoryKind::host, "arguments of a kernel");
  memcpy(l.arguments->lo, l.kernarg.data(), l.kernarg.size());
}

void count_launch(const Launch &l) {
  Profile &p        = l.kernel->profile;
  const u64 blocks  = u64{l.grid.x} * l.grid.y * l.grid.z,
            threads = u64{l.block.x} * l.block.y * l.block.z;
  if (!p.launches++) launched.push_back(l.kernel);
  p.blocks += blocks;
  p.threads += blocks * threads;
  p.block_threads = std::max(p.block_threads, threads);
  p.block_shared =
      std::max<u64>(p.block_shared, l.kernel->static_lds + l.dynamic_lds);
}

struct Released {
  Launch &l;
  ~Released() {
    if (l.packet) release(l.packet->lo);
    if (l.arguments) release(l.arguments->lo);
  }
};

}  // namespace

std::vector<Kernel *> &launched = *new std::vector<Kernel *>;

u64 Block::random() const { return random_numbers().next(); }

void run_launch(Launch &l) {
  Opened opened;
  Kernel &k = *l.kernel;
  disassemble(*k.code);
  count_launch(l);
  if (settings.trace)
    fprintf(stderr,
            "ptxrun: launch %llu: %s, grid (%u,%u,%u), block (%u,%u,%u), %u "
            "bytes\n",
            static_cast<unsigned long long>(l.id), pretty_name(k).c_str(),
            l.grid.x, l.grid.y, l.grid.z, l.block.x, l.block.y, l.block.z,
            l.dynamic_lds);
  Released released{l};
  make_packet(l);
  Storage &s = storage_for(k);
  std::vector<u64> order(u64{l.grid.x} * l.grid.y * l.grid.z);
  if (settings.race > 1) l.released.assign(order.size(), 0);
  std::iota(order.begin(), order.end(), 0);
  if (settings.random)
    for (u64 n = order.size(); n > 1; --n)
      std::swap(order[n - 1], order[random_numbers().next() % n]);
  const auto start = std::chrono::steady_clock::now();
  for (u64 linear : order) run_block(s, l, linear);
  k.profile.seconds +=
      std::chrono::duration<double>(std::chrono::steady_clock::now() - start)
          .count();
}

}  // namespace gcn
