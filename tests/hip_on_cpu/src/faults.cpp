// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Messages: faults of the program, and where waves are.
#include "gcn.hpp"

namespace gcn {
namespace {

std::string threads_text(const Wave &w, u64 lanes) {
  const Dim &d = w.block->launch->block;
  std::string t;
  int n = 0;
  for (u64 m = lanes; m; m &= m - 1) {
    if (++n > 4)
      return t + " ... (" + std::to_string(__builtin_popcountll(lanes)) +
             " in all)";
    const u32 k = lanes_of_wave * w.index + __builtin_ctzll(m);
    t += strprintf("%s(%u,%u,%u)", n > 1 ? " " : "", k % d.x, k / d.x % d.y,
                   k / d.x / d.y);
  }
  return t;
}

}  // namespace

std::string where(const Wave &w, const Ins &i) {
  return strprintf(
      "at 0x%llx of %s: %s", static_cast<unsigned long long>(i.address),
      w.code->function_at(i.address).c_str(), std::string(i.text).c_str());
}

std::string located(const Wave &w, const Ins &i, u64 lanes,
                    const std::string &text) {
  const Block &b  = *w.block;
  const Launch &l = *b.launch;
  return strprintf(
      "%s\n  kernel %s\n  block (%u,%u,%u) of (%u,%u,%u), thread %s of "
      "(%u,%u,%u)\n  %s",
      text.c_str(), pretty_name(*l.kernel).c_str(), b.index.x, b.index.y,
      b.index.z, l.grid.x, l.grid.y, l.grid.z, threads_text(w, lanes).c_str(),
      l.block.x, l.block.y, l.block.z, where(w, i).c_str());
}

void fault(Wave &w, const Ins &i, u64 lanes, int error, const char *format,
           ...) {
  va_list a;
  va_start(a, format);
  char *t = nullptr;
  if (vasprintf(&t, format, a) < 0) abort();
  va_end(a);
  const std::string s = located(w, i, lanes, t);
  free(t);
  throw Fault{s, error};
}

}  // namespace gcn
