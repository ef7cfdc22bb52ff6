// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Allocations: a sorted map with guard zones between them, and messages.
#include "common.hpp"
#include <algorithm>
#include <atomic>
#include <cstdlib>
#include <deque>
#include <mutex>
#include <set>
#include <shared_mutex>

namespace on_cpu {

Settings settings;

namespace {

constexpr size_t guard = 512, alignment = 512;
std::shared_mutex mutex;
std::map<const u8 *, Allocation *> &live() {
  static auto *m = new std::map<const u8 *, Allocation *>;
  return *m;
}
std::deque<std::pair<u8 *, size_t>>
    &freed() {  // blocks kept for a while, so that their addresses are not used
                // again at once
  static auto *d = new std::deque<std::pair<u8 *, size_t>>;
  return *d;
}
size_t total = 0, kept = 0;
std::atomic<u64> count{0};

struct Read {
  Read() {
    if (const char *e = getenv("PTXRUN_CHECK")) settings.check = atoi(e);
    if (const char *e = getenv("PTXRUN_INITCHECK")) settings.init = atoi(e);
    if (const char *e = getenv("PTXRUN_RACE")) settings.race = atoi(e);
    if (const char *e = getenv("PTXRUN_PROFILE")) settings.profile = atoi(e);
    if (const char *e = getenv("PTXRUN_STRICT")) settings.strict = atoi(e);
    if (const char *e = getenv("PTXRUN_QUIET")) settings.quiet = atoi(e);
    settings.opcodes = getenv("PTXRUN_OPCODES");
    if (const char *e = getenv("PTXRUN_TRACE")) settings.trace = atoi(e);
    if (const char *e = getenv("PTXRUN_LAZY")) settings.lazy = atoi(e);
    if (const char *e = getenv("PTXRUN_PROTECT")) settings.protect = atoi(e);
    if (const char *e = getenv("PTXRUN_THREADS"))
      settings.threads = std::max(1, atoi(e));
    if (const char *e = getenv("PTXRUN_SMS"))
      settings.sms = std::max(1, atoi(e));
    if (const char *e = getenv("PTXRUN_DEVICES"))
      settings.devices = std::max(1, atoi(e));
    if (const char *e = getenv("PTXRUN_MAX"))
      settings.max_instructions = strtoull(e, nullptr, 0);
    if (const char *e = getenv("PTXRUN_ERRORS"))
      settings.keep_going = std::string_view(e) == "continue";
    if (const char *e = getenv("PTXRUN_RACE_FATAL"))
      settings.races_fatal = atoi(e);
    if (const char *e = getenv("PTXRUN_ORDER")) {
      std::string_view v = e;
      settings.random    = v.substr(0, 6) == "random";
      size_t c           = v.find(':');
      if (c != v.npos) settings.seed = strtoull(e + c + 1, nullptr, 0);
    }
    if (settings.race || settings.profile || settings.init)
      settings.threads = 1;
  }
} read_settings;

Allocation *insert(u8 *lo, size_t size, u8 *block, MemoryKind kind,
                   const char *name) {
  auto *a  = new Allocation;
  a->lo    = lo;
  a->hi    = lo + size;
  a->block = block;
  a->kind  = kind;
  a->name  = name && *name ? name : "allocation " + std::to_string(++count);
  std::unique_lock lock(mutex);
  live()[lo] = a;
  total += size;
  return a;
}

}  // namespace

Allocation *allocate(size_t size, MemoryKind kind, const char *name) {
  size_t n = (size + alignment - 1) / alignment * alignment + 2 * guard;
  Opened opened;
  u8 *block = take_block(n, alignment, kind);
  if (!block) return nullptr;
  if (size <= 64u << 20)
    memset(block, 0xff, n);  // what is read before it is written looks like NaN
  return insert(block + guard, size, block, kind, name);
}

Allocation *adopt(void *lo, size_t size, MemoryKind kind, const char *name) {
  return insert(static_cast<u8 *>(lo), size, nullptr, kind, name);
}

bool reaches(int device, const Allocation &a) {
  return a.device == device || a.kind == MemoryKind::managed ||
         a.kind == MemoryKind::host || a.kind == MemoryKind::registered;
}

bool release(void *p) {
  std::unique_lock lock(mutex);
  auto f = live().find(static_cast<u8 *>(p));
  if (f == live().end()) return false;
  Allocation *a = f->second;
  live().erase(f);
  size_t n = a->hi - a->lo;
  total -= n;
  a->hi = a->lo;
  free(a->shadow);
  a->shadow = nullptr;
  free(a->in_block);
  a->in_block = nullptr;
  if (a->block) {
    freed().emplace_back(a->block, n);
    kept += n;
    a->block = nullptr;
    while (kept > 64u << 20 || freed().size() > 4096) {
      kept -= freed().front().second;
      return_block(freed().front().first);
      freed().pop_front();
    }
  }
  return true;
}

Allocation *find_allocation(const void *p) {
  std::shared_lock lock(mutex);
  auto &m = live();
  auto i  = m.upper_bound(static_cast<const u8 *>(p));
  if (i == m.begin()) return nullptr;
  --i;
  return p < i->second->hi || (p == i->second->lo) ? i->second : nullptr;
}

std::string describe_address(const void *p) {
  std::shared_lock lock(mutex);
  auto &m     = live();
  const u8 *q = static_cast<const u8 *>(p);
  auto i      = m.upper_bound(q);
  auto text   = [&](Allocation *a) {
    static const char *kinds[] = {"device memory", "managed memory",
                                  "pinned memory", "variable",
                                  "constant",      "registered memory"};
    long long n                = a->hi - a->lo;
    std::string name           = a->name;
    if (settings.devices > 1 && !reaches(-1, *a))
      name += " (device " + std::to_string(a->device) + ")";
    if (q < a->lo)
      return strprintf("%lld bytes before %s %s of %lld bytes",
                         static_cast<long long>(a->lo - q),
                         kinds[static_cast<int>(a->kind)], name.c_str(), n);
    if (q >= a->hi)
      return strprintf("%lld bytes beyond %s %s of %lld bytes",
                         static_cast<long long>(q - a->hi),
                         kinds[static_cast<int>(a->kind)], name.c_str(), n);
    return strprintf("at byte %lld of %s %s of %lld bytes",
                       static_cast<long long>(q - a->lo),
                       kinds[static_cast<int>(a->kind)], name.c_str(), n);
  };
  Allocation *before = nullptr, *after = nullptr;
  if (i != m.end()) after = i->second;
  if (i != m.begin()) before = std::prev(i)->second;
  long long db = before ? q - before->hi : 1ll << 40,
            da = after ? after->lo - q : 1ll << 40;
  for (auto &[block, n] : freed())
    if (q >= block && q < block + n + 2 * guard)
      return "memory that has been freed";
  if (before && db < da && db < 1 << 20) return text(before);
  if (after && da < 1 << 20) return text(after);
  return "no allocation is near (memory of the host, or freed)";
}

size_t allocated_bytes() { return total; }
void mark_written(const void *, size_t) {}

std::string strprintf(const char *format, ...) {
  va_list a;
  va_start(a, format);
  char *t = nullptr;
  if (vasprintf(&t, format, a) < 0) abort();
  va_end(a);
  std::string s = t;
  free(t);
  return s;
}

void die(const char *format, ...) {
  va_list a;
  va_start(a, format);
  fflush(stdout);
  fprintf(stderr, "ptxrun: not supported: ");
  vfprintf(stderr, format, a);
  fprintf(stderr, "\n");
  va_end(a);
  fflush(stderr);
  abort();
}

void note(const char *format, ...) {
  if (settings.quiet) return;
  va_list a;
  va_start(a, format);
  fflush(stdout);
  fprintf(stderr, "ptxrun: note: ");
  vfprintf(stderr, format, a);
  fprintf(stderr, "\n");
  va_end(a);
}

}  // namespace on_cpu
