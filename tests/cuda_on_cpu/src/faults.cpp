// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Messages: faults of the program, and where threads are.
#include "exec.hpp"
#include <mutex>
#include <set>

namespace ptxrun {

u32 rank_of(Warp &w, int lane) { return w.first_thread + lane; }

std::string threads_text(Warp &w, u32 lanes) {
  std::string t;
  int n = 0;
  for (u32 m = lanes; m; m &= m - 1) {
    int l = __builtin_ctz(m);
    if (++n > 4) {
      t += " ... (" + std::to_string(__builtin_popcount(lanes)) + " in all)";
      break;
    }
    t += strprintf("%s(%u,%u,%u)", n > 1 ? " " : "", w.tid[0][l], w.tid[1][l],
                   w.tid[2][l]);
  }
  return t;
}

void fault(Warp &w, const Ins &i, u32 lanes, int error, const char *format,
           ...) {
  va_list a;
  va_start(a, format);
  char *t = nullptr;
  if (vasprintf(&t, format, a) < 0) abort();
  va_end(a);
  Block &b      = *w.block;
  std::string s = strprintf(
      "%s\n  kernel %s\n  block (%u,%u,%u) of (%u,%u,%u), thread %s of "
      "(%u,%u,%u)\n  %s",
      t, pretty_name(*b.launch->func).c_str(), b.index.x, b.index.y, b.index.z,
      b.launch->grid.x, b.launch->grid.y, b.launch->grid.z,
      threads_text(w, lanes).c_str(), b.launch->block.x, b.launch->block.y,
      b.launch->block.z, where(*w.func, i).c_str());
  free(t);
  int first = __builtin_ctz(lanes);
  auto &st  = w.stack[first];
  for (size_t k = st.size(); k-- > 0;)
    s += "\n  called from " + pretty_name(*st[k].func) + " " +
         where(*st[k].func, st[k].resume[-1]);
  throw Fault{s, error};
}

bool first_time(const void *at, int what) {
  static std::mutex mutex;
  static std::set<std::pair<const void *, int>> noted;
  std::lock_guard lock(mutex);
  return noted.insert({at, what}).second;
}

constexpr const char *shfl_names[] = {"shfl.up", "shfl.down", "shfl.bfly",
                                      "shfl.idx"};

std::string control_name(const Ins &i) {
  switch (i.control) {
    case SHFL: return shfl_names[i.x];
    case VOTE: return "vote";
    case MATCH: return "match";
    case WARPSYNC: return "bar.warp.sync";
    case BAR: return "bar.sync";
    case BARRED: return "bar.red";
    default: return "a collective";
  }
}

std::string stuck(Block &b) {
  std::string t;
  std::map<std::pair<const Ins *, int>, std::pair<u32, std::pair<Warp *, int>>>
      places;
  for (u32 n = 0; n < b.warps; ++n) {
    Warp &w = b.warp[n];
    for (int l = 0; l < 32; ++l)
      if (w.state[l] == AT_BARRIER || w.state[l] == AT_COLLECTIVE) {
        auto &p = places[{w.pc[l], w.state[l]}];
        if (p.first++ == 0) p.second = {&w, l};
      }
  }
  for (auto &[k, p] : places) {
    auto [w, l] = p.second;
    t += strprintf(
        "\n  %u threads wait at %s%s, the first of them thread (%u,%u,%u), "
        "lane %d of warp %u, %s",
        p.first, control_name(*k.first).c_str(),
        k.second == AT_COLLECTIVE
            ? strprintf(" with mask 0x%x (live lanes of the warp: 0x%x)",
                        w->want[l], w->live())
                  .c_str()
            : "",
        w->tid[0][l], w->tid[1][l], w->tid[2][l], l, w->index,
        where(*w->funcs[l], *k.first).c_str());
  }
  if (b.live < b.threads)
    t += strprintf("\n  %u threads have exited", b.threads - b.live);
  return t;
}

}  // namespace ptxrun
