// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Runs a warp: in turn groups of lanes that are at the same instruction of the
// same call. A group runs until it diverges, waits, or meets other lanes.
#include "exec.hpp"

namespace ptxrun {

u32 Warp::runnable() const { return in_state(RUN); }
u32 Warp::in_state(LaneState s) const {
  u32 r = 0;
  for (int l = 0; l < 32; ++l) r |= static_cast<u32>(state[l] == s) << l;
  return r;
}
u32 Warp::live() const { return exists & ~in_state(EXITED); }

namespace {

// Instructions of a group while others of its warp could run.
constexpr u64 slice = 20000;

struct Group {
  u32 lanes       = 0;
  const Ins *at   = nullptr;  // where all are
  const Ins *stop = nullptr;  // where others of the warp wait
  u64 quantum     = 0;        // instructions until it is another group's turn
};

struct Turn {
  u64 limit;  // instructions of the warp until it is another warp's turn
  bool rotate = false;  // take the next lanes, not those furthest behind
  int last    = -1;
};

void set_pc(Warp &w, u32 lanes, const Ins *to) {
  for (u32 m = lanes; m; m &= m - 1) w.pc[__builtin_ctz(m)] = to;
}

// The lane whose group runs next: at random, or in turn, or of those in the
// deepest calls the one furthest behind.
int choose_lead(Warp &w, const Turn &turn, u32 runnable) {
  if (settings.random) {
    int k = w.block->worker->next() % __builtin_popcount(runnable);
    u32 m = runnable;
    while (k--) m &= m - 1;
    return __builtin_ctz(m);
  }
  if (turn.rotate) {
    int l = turn.last;
    do l = (l + 1) & 31;
    while (!(runnable >> l & 1));
    return l;
  }
  int lead = -1;
  for (u32 m = runnable; m; m &= m - 1) {
    int l = __builtin_ctz(m);
    if (lead < 0 || w.depth[l] > w.depth[lead] ||
        (w.depth[l] == w.depth[lead] && w.pc[l] < w.pc[lead]))
      lead = l;
  }
  return lead;
}

Group choose_group(Warp &w, const Turn &turn, u32 runnable, int lead) {
  const Ins *const nowhere = reinterpret_cast<const Ins *>(~u64{});
  Group g;
  g.at   = w.pc[lead];
  g.stop = nowhere;
  for (u32 m = runnable; m; m &= m - 1) {
    int l = __builtin_ctz(m);
    if (w.frame[l] != w.frame[lead]) continue;
    if (w.pc[l] == g.at)
      g.lanes |= 1u << l;
    else if (w.pc[l] > g.at && w.pc[l] < g.stop)
      g.stop = w.pc[l];
  }
  g.quantum = g.lanes == runnable ? turn.limit : slice;
  if (settings.random) {  // lanes also apart from each other
    u64 r  = w.block->worker->next();
    g.stop = nowhere;
    if ((r & 3) == 0) g.lanes = 1u << lead;
    if ((r & 3) == 1) g.lanes &= (r >> 8 & 0xffffffff) | 1u << lead;
    if (g.lanes != runnable || (r & 0x1000)) g.quantum = 1 + (r >> 40 & 255);
  }
  return g;
}

// brx.idx. Gives whether all lanes go to the same instruction.
bool branch_by_table(Warp &w, const Ins &i, u32 lanes) {
  auto &table      = *static_cast<std::vector<u32> *>(i.extra);
  const u32 *index = column<u32>(w, i.a);
  bool uniform     = true;
  for (u32 m = lanes; m; m &= m - 1) {
    int l = __builtin_ctz(m);
    if (index[l] >= table.size())
      fault(w, i, 1u << l, 719, "brx.idx with index %u of %zu", index[l],
            table.size());
    w.pc[l] = &w.func->code[table[index[l]]];
    uniform &= w.pc[l] == w.pc[__builtin_ctz(lanes)];
  }
  return uniform;
}

// Lanes come to a collective. Gives whether it was theirs alone, and is done.
bool meet(Warp &w, const Ins &i, u32 lanes) {
  const u32 *mask = column<u32>(w, i.n);
  for (u32 m = lanes; m; m &= m - 1) {
    int l = __builtin_ctz(m);
    if (!(mask[l] >> l & 1))
      fault(w, i, 1u << l, 719,
            "%s by lane %d with mask 0x%x, which does not name it",
            control_name(i).c_str(), l, mask[l]);
    w.state[l] = AT_COLLECTIVE;
    w.want[l]  = mask[l];
  }
  u32 all      = mask[__builtin_ctz(lanes)];
  bool uniform = (all & w.exists) == lanes;
  for (u32 m = lanes; m && uniform; m &= m - 1)
    uniform = mask[__builtin_ctz(m)] == all;
  if (uniform)
    collective(w, lanes);
  else
    try_collectives(w);
  return uniform;
}

// Does what the lanes of a group that are not masked out do at i, where each
// may go its own way. Gives whether they are still together.
bool control(Warp &w, const Ins &i, u32 lanes, Turn &turn) {
  switch (i.control) {
    case BRX: return branch_by_table(w, i, lanes);
    case CALL:
    case CALLIND: call_functions(w, i, lanes); return false;
    case RET:
      if (w.stack[__builtin_ctz(lanes)].empty())
        fault(w, i, lanes, 719, "return without a call");
      leave(w, lanes);
      return false;
    case EXIT: exit_lanes(w, lanes); return false;
    case TRAP: fault(w, i, lanes, 719, "trap");
    case YIELD:
      set_pc(w, lanes, &i + 1);
      turn.rotate = true;
      turn.limit  = 0;
      return false;
    case BAR:
    case BARRED:
    case BARARRIVE: arrive(w, i, lanes); return false;
    default: return meet(w, i, lanes);
  }
}

// Gives the instructions that the group has issued.
u64 run_group(Warp &w, const Group &g, Turn &turn, u32 runnable) {
  const Ins *at = g.at;
  u64 count     = 0;
  while (at < g.stop) {
    if (count >= g.quantum) {
      turn.rotate = g.lanes != runnable;
      break;
    }
    const Ins &i = *at;
    ++count;
    u32 lanes = g.lanes;
    if (i.guard != none) lanes &= predicate(w, i.guard);
    if (i.control == NONE) {
      if (lanes) i.run(w, i, lanes);
      ++at;
      continue;
    }
    if (!lanes) {
      ++at;
      continue;
    }
    u32 rest = g.lanes & ~lanes;  // goes on behind the instruction
    if (i.control == BRA) {
      const Ins *target = reinterpret_cast<const Ins *>(i.target);
      if (!rest) {
        at = target;
        continue;
      }
      set_pc(w, lanes, target);
      set_pc(w, rest, at + 1);
      return count;
    }
    w.current = at;
    set_pc(w, rest, at + 1);
    set_pc(w, lanes, at);
    if (!control(w, i, lanes, turn) || rest) return count;
    at = w.pc[__builtin_ctz(lanes)];
  }
  set_pc(w, g.lanes, at);
  return count;
}

}  // namespace

void run_warp(Warp &w, u64 limit) {
  Turn turn{limit};
  u64 issued = 0;
  while (u32 runnable = w.runnable()) {
    int lead    = choose_lead(w, turn, runnable);
    Group g     = choose_group(w, turn, runnable, lead);
    turn.rotate = false;
    turn.last   = lead;
    w.group     = g.lanes;
    w.func      = w.funcs[lead];
    w.base[0]   = w.registers + w.frame[lead];
    w.base[1]   = w.func->constants;
    w.local_at  = w.local_base[lead];
    u64 count   = run_group(w, g, turn, runnable);
    issued += count;
    w.block->issues += count;
    w.block->executed += count * __builtin_popcount(g.lanes);
    if (issued > turn.limit || turn.limit == 0) break;
  }
}

}  // namespace ptxrun
