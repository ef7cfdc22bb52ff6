// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Runs blocks: warps in turn, and in a warp groups of lanes that are at the
// same instruction.
#include "ptxrun.hpp"
#include <algorithm>
#include <atomic>
#include <chrono>
#include <exception>
#include <mutex>
#include <numeric>
#include <set>
#include <sys/mman.h>
#include <thread>

namespace ptxrun {

u32 Warp::runnable() const { return in_state(RUN); }
u32 Warp::in_state(LaneState s) const {
  u32 r = 0;
  for (int l = 0; l < 32; ++l) r |= static_cast<u32>(state[l] == s) << l;
  return r;
}
u32 Warp::live() const { return exists & ~in_state(EXITED); }

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

namespace {

std::mutex note_mutex;
std::set<std::pair<const void *, int>> noted;
bool first_time(const void *at, int what) {
  std::lock_guard lock(note_mutex);
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

// Value of lane l of instruction i's operand, in the lane's own frame.
template <class T>
T lane_value(Warp &w, int l, u32 operand) {
  u8 *base = operand & 1 ? w.funcs[l]->constants : w.registers + w.frame[l];
  return reinterpret_cast<T *>(base + (operand & ~3u))[l];
}
bool lane_predicate(Warp &w, int l, u32 operand) {
  u8 *base = operand & 1 ? w.funcs[l]->constants : w.registers + w.frame[l];
  u32 v    = *reinterpret_cast<u32 *>(base + (operand & ~3u));
  if (operand & 2) v = ~v;
  return v >> l & 1;
}
template <class T>
void set_lane(Warp &w, int l, u32 operand, T v) {
  if (operand == none) return;
  reinterpret_cast<T *>(w.registers + w.frame[l] + operand)[l] = v;
}
void set_lane_predicate(Warp &w, int l, u32 operand, bool v) {
  if (operand == none) return;
  u32 *p = reinterpret_cast<u32 *>(w.registers + w.frame[l] + operand);
  *p     = (*p & ~(1u << l)) | (static_cast<u32>(v) << l);
}

// The lanes of set have all arrived (perhaps at different instructions of the
// same kind): does the collective.
void collective(Warp &w, u32 set) {
  int first    = __builtin_ctz(set);
  const Ins &k = *w.pc[first];
  if (settings.race) races_collective(w, set);
  switch (k.control) {
    case SHFL: {
      u32 in[32];
      for (u32 m = set; m; m &= m - 1) {
        int l = __builtin_ctz(m);
        in[l] = lane_value<u32>(w, l, w.pc[l]->a);
      }
      for (u32 m = set; m; m &= m - 1) {
        int l        = __builtin_ctz(m);
        const Ins &i = *w.pc[l];
        u32 b = lane_value<u32>(w, l, i.b), c = lane_value<u32>(w, l, i.c);
        u32 bval = b & 31, cval = c & 31, seg = c >> 8 & 31;
        int max_lane = (l & seg) | (cval & ~seg), min_lane = l & seg, j;
        bool p;
        switch (i.x) {
          case 0:
            j = l - static_cast<int>(bval);
            p = j >= max_lane;
            break;
          case 1:
            j = l + bval;
            p = j <= max_lane;
            break;
          case 2:
            j = l ^ bval;
            p = j <= max_lane;
            break;
          default: j = min_lane | (bval & ~seg); p = j <= max_lane;
        }
        if (!p) j = l;
        u32 v;
        if (j < 32 && set >> j & 1)
          v = in[j];
        else {
          v = 0xdeadbeef;
          if ((settings.strict || (j < 32 && w.exists >> j & 1)) &&
              first_time(w.funcs[l]->locs.data() + i.loc, 1)) {
            std::string t = strprintf(
                "%s by lane %d of warp %u reads lane %d, which does not take "
                "part (mask 0x%x, taking part 0x%x); kernel %s, %s",
                shfl_names[i.x], l, w.index, j, lane_value<u32>(w, l, i.n), set,
                pretty_name(*w.block->launch->func).c_str(),
                where(*w.funcs[l], i).c_str());
            if (settings.strict) throw Fault{t, 719};
            note("%s", t.c_str());
          }
        }
        set_lane<u32>(w, l, i.d, v);
        set_lane_predicate(w, l, i.e, p);
      }
      break;
    }
    case VOTE: {
      u32 ballot = 0;
      for (u32 m = set; m; m &= m - 1) {
        int l = __builtin_ctz(m);
        ballot |= static_cast<u32>(lane_predicate(w, l, w.pc[l]->a)) << l;
      }
      for (u32 m = set; m; m &= m - 1) {
        int l        = __builtin_ctz(m);
        const Ins &i = *w.pc[l];
        switch (i.x) {
          case 0: set_lane_predicate(w, l, i.d, ballot == set); break;
          case 1: set_lane_predicate(w, l, i.d, ballot != 0); break;
          case 2:
            set_lane_predicate(w, l, i.d, ballot == set || ballot == 0);
            break;
          default: set_lane<u32>(w, l, i.d, ballot);
        }
      }
      break;
    }
    case MATCH: {
      u64 v[32];
      for (u32 m = set; m; m &= m - 1) {
        int l        = __builtin_ctz(m);
        const Ins &i = *w.pc[l];
        v[l] =
            i.y == 8 ? lane_value<u64>(w, l, i.a) : lane_value<u32>(w, l, i.a);
      }
      for (u32 m = set; m; m &= m - 1) {
        int l        = __builtin_ctz(m);
        const Ins &i = *w.pc[l];
        u32 r        = 0;
        for (u32 q = set; q; q &= q - 1) {
          int j = __builtin_ctz(q);
          r |= static_cast<u32>(v[j] == v[l]) << j;
        }
        if (i.x) {
          set_lane<u32>(w, l, i.d, r == set ? set : 0);
          set_lane_predicate(w, l, i.e, r == set);
        } else
          set_lane<u32>(w, l, i.d, r);
      }
      break;
    }
    case REDUX: {
      u32 r      = 0;
      bool start = true;
      for (u32 m = set; m; m &= m - 1) {
        int l        = __builtin_ctz(m);
        const Ins &i = *w.pc[l];
        u32 v        = lane_value<u32>(w, l, i.a);
        if (start)
          r = v;
        else
          switch (i.x) {
            case 0: r += v; break;
            case 1:
              r = i.y ? static_cast<u32>(
                            std::min(static_cast<i32>(r), static_cast<i32>(v)))
                      : std::min(r, v);
              break;
            case 2:
              r = i.y ? static_cast<u32>(
                            std::max(static_cast<i32>(r), static_cast<i32>(v)))
                      : std::max(r, v);
              break;
            case 3: r &= v; break;
            case 4: r |= v; break;
            default: r ^= v;
          }
        start = false;
      }
      for (u32 m = set; m; m &= m - 1)
        set_lane<u32>(w, __builtin_ctz(m), w.pc[__builtin_ctz(m)]->d, r);
      break;
    }
    case ELECT:
      for (u32 m = set; m; m &= m - 1) {
        int l = __builtin_ctz(m);
        set_lane<u32>(w, l, w.pc[l]->d, first);
        set_lane_predicate(w, l, w.pc[l]->e, l == first);
      }
      break;
    default: break;  // WARPSYNC
  }
  for (u32 m = set; m; m &= m - 1) {
    int l      = __builtin_ctz(m);
    w.state[l] = RUN;
    ++w.pc[l];
  }
}

bool same_kind(const Ins &a, const Ins &b) {
  return a.control == b.control && a.x == b.x;
}

// Completes what can be completed among the lanes that wait at collectives.
// Gives whether something was.
bool try_collectives(Warp &w) {
  bool any    = false;
  u32 waiting = w.in_state(AT_COLLECTIVE), live = w.live();
  for (u32 m = waiting; m; m &= m - 1) {
    int l = __builtin_ctz(m);
    if (w.state[l] != AT_COLLECTIVE) continue;
    u32 set = 0;
    for (u32 q = waiting; q; q &= q - 1) {
      int j = __builtin_ctz(q);
      if (w.state[j] == AT_COLLECTIVE && w.want[j] == w.want[l] &&
          same_kind(*w.pc[j], *w.pc[l]))
        set |= 1u << j;
    }
    if ((w.want[l] & live & ~set) == 0) {
      if (w.want[l] & w.exists & ~live && first_time(w.pc[l], 0)) {
        std::string t = strprintf(
            "%s names lanes that have exited (mask 0x%x, live 0x%x); kernel "
            "%s, %s",
            control_name(*w.pc[l]).c_str(), w.want[l], live,
            pretty_name(*w.block->launch->func).c_str(),
            where(*w.funcs[l], *w.pc[l]).c_str());
        if (settings.strict) throw Fault{t, 719};
        note("%s", t.c_str());
      }
      collective(w, set & w.want[l]);
      any = true;
    }
  }
  return any;
}

void release_barrier(Block &b, u32 id) {
  Barrier &r = b.barriers[id];
  ++b.epoch;
  ++b.launch->func->profile.barriers;
  const Ins *first = nullptr;
  for (u32 n = 0; n < b.warps; ++n) {
    Warp &w = b.warp[n];
    for (int l = 0; l < 32; ++l)
      if (w.state[l] == AT_BARRIER && w.want[l] == id) {
        const Ins &i = *w.pc[l];
        if (!first) first = &i;
        if (&i != first && first_time(&i, 2)) {
          std::string t = strprintf(
              "threads of a block meet in barrier %u from different places: %s "
              "and %s; kernel %s",
              id, where(*w.funcs[l], i).c_str(),
              where(*w.funcs[l], *first).c_str(),
              pretty_name(*b.launch->func).c_str());
          if (settings.strict) throw Fault{t, 719};
          note("%s", t.c_str());
        }
        if (i.control == BARRED) {
          if (i.x == 0)
            set_lane<u32>(w, l, i.d, r.count);
          else
            set_lane_predicate(w, l, i.d,
                               i.x == 1 ? r.count == r.arrived : r.count > 0);
        }
        w.state[l] = RUN;
        ++w.pc[l];
      }
  }
  r = Barrier{};
}

void check_barrier(Block &b, u32 id) {
  Barrier &r = b.barriers[id];
  if (!r.arrived) return;
  if (r.expected ? r.arrived >= r.expected : r.arrived >= b.live) {
    if (!r.expected && b.live < b.threads && r.first &&
        first_time(r.first, 3)) {
      std::string t = strprintf(
          "a barrier of the block completes although %u of its %u threads have "
          "exited; kernel %s",
          b.threads - b.live, b.threads, pretty_name(*b.launch->func).c_str());
      if (settings.strict) throw Fault{t, 719};
      // many programs do this, and devices since Volta count only threads that
      // have not exited
    }
    release_barrier(b, id);
  }
}

void exit_lanes(Warp &w, u32 lanes) {
  Block &b = *w.block;
  for (u32 m = lanes; m; m &= m - 1) w.state[__builtin_ctz(m)] = EXITED;
  b.live -= __builtin_popcount(lanes);
  if (w.in_state(AT_COLLECTIVE)) try_collectives(w);
  if (b.live)
    for (u32 k = 0; k < 16; ++k)
      if (b.barriers[k].arrived && !b.barriers[k].expected) check_barrier(b, k);
}

// Calls f for the lanes of active. Gives the group that goes on (0: choose
// again).
void enter(Warp &w, const Ins &i, Func &f, u32 active, const CallInfo &call) {
  if (!f.decoded) {
    static std::mutex decoding;
    std::lock_guard lock(decoding);
    decode(f);
  }
  u32 top = 0, live = w.live();
  for (u32 m = live; m; m &= m - 1)
    top = std::max(top, w.top[__builtin_ctz(m)]);
  if (top + f.register_bytes > w.block->worker->register_stride)
    fault(w, i, active, 719, "the stack of calls is too deep");
  int first = __builtin_ctz(active);
  u32 from = w.local_base[first], to = from + w.funcs[first]->local_bytes;
  if (to + f.local_bytes > w.local_stride)
    fault(w, i, active, 719, "stack overflow: local memory of a thread");
  if (call.args.size() != f.params.size())
    fault(w, i, active, 719, "call with %zu arguments of a function with %zu",
          call.args.size(), f.params.size());
  for (u32 m = active; m; m &= m - 1) {
    int l    = __builtin_ctz(m);
    u8 *base = w.local + l * w.local_stride;
    for (size_t k = 0; k < call.args.size(); ++k)
      memcpy(base + to + f.params[k].offset, base + from + call.args[k].first,
             std::min(call.args[k].second, f.params[k].size));
    w.stack[l].push_back({&i + 1, w.funcs[l], w.frame[l], w.local_base[l]});
    w.funcs[l]      = &f;
    w.frame[l]      = top;
    w.top[l]        = top + f.register_bytes;
    w.local_base[l] = to;
    ++w.depth[l];
    w.pc[l] = f.code.data();
  }
}

void leave(Warp &w, u32 active) {
  for (u32 m = active; m; m &= m - 1) {
    int l         = __builtin_ctz(m);
    CallRecord &r = w.stack[l].back();
    Func &f       = *w.funcs[l];
    auto &call    = *static_cast<CallInfo *>(r.resume[-1].extra);
    if (call.ret != none && !f.rets.empty()) {
      u8 *base = w.local + l * w.local_stride;
      memcpy(base + r.local + call.ret, base + w.local_base[l] + f.ret_offset,
             std::min(call.ret_size, f.rets[0].size));
    }
    w.funcs[l]      = r.func;
    w.frame[l]      = r.frame;
    w.top[l]        = r.frame + r.func->register_bytes;
    w.local_base[l] = r.local;
    w.pc[l]         = r.resume;
    --w.depth[l];
    w.stack[l].pop_back();
  }
}

constexpr u64 slice =
    20000;  // instructions of a group while others of its warp could run

// Runs lanes of a warp until none can run, or it should be another warp's turn.
// limit: instructions.
void run_warp(Warp &w, u64 limit) {
  Block &b       = *w.block;
  Worker &worker = *b.worker;
  u64 issued     = 0;
  bool rotate    = false;
  int last       = -1;
  while (true) {
    u32 runnable = w.runnable();
    if (!runnable || issued > limit) break;
    // a group of lanes at the same instruction in the same frame: of the
    // deepest calls those furthest behind
    int lead = -1;
    if (settings.random) {
      int k = worker.next() % __builtin_popcount(runnable);
      u32 m = runnable;
      while (k--) m &= m - 1;
      lead = __builtin_ctz(m);
    } else if (rotate) {
      for (int n = 1; n <= 32; ++n)
        if (runnable >> ((last + n) & 31) & 1) {
          lead = (last + n) & 31;
          break;
        }
    } else
      for (u32 m = runnable; m; m &= m - 1) {
        int l = __builtin_ctz(m);
        if (lead < 0 || w.depth[l] > w.depth[lead] ||
            (w.depth[l] == w.depth[lead] && w.pc[l] < w.pc[lead]))
          lead = l;
      }
    u32 g           = 0;
    const Ins *I    = w.pc[lead];
    const Ins *stop = reinterpret_cast<const Ins *>(~u64{});
    for (u32 m = runnable; m; m &= m - 1) {
      int l = __builtin_ctz(m);
      if (w.frame[l] == w.frame[lead]) {
        if (w.pc[l] == I)
          g |= 1u << l;
        else if (w.pc[l] > I && w.pc[l] < stop)
          stop = w.pc[l];
      }
    }
    u64 quantum = g == runnable ? limit : slice;
    if (settings.random) {
      stop  = reinterpret_cast<const Ins *>(~u64{});
      u64 r = worker.next();
      if ((r & 3) == 0) g = 1u << lead;
      if ((r & 3) == 1) g &= (r >> 8 & 0xffffffff) | 1u << lead;
      if (g != runnable || (r & 0x1000)) quantum = 1 + (r >> 40 & 255);
    }
    rotate     = false;
    last       = lead;
    u32 fresh  = g;
    w.group    = g;
    w.func     = w.funcs[lead];
    w.base[0]  = w.registers + w.frame[lead];
    w.base[1]  = w.func->constants;
    w.local_at = w.local_base[lead];
    u32 size   = __builtin_popcount(g);
    u64 count  = 0;
    bool saved = false;  // pcs of the group are up to date
    while (true) {
      if (I >= stop) break;
      if (count >= quantum) {
        rotate = g != runnable;
        break;
      }
      const Ins &i = *I;
      ++count;
      u32 e = g;
      if (i.guard != none) e &= predicate(w, i.guard);
      if (i.control == NONE) {
        if (e) i.run(w, i, e);
        ++I;
        continue;
      }
      if (!e) {
        ++I;
        continue;
      }
      u32 rest = g & ~e;
      if (i.control == BRA) {
        const Ins *t = reinterpret_cast<const Ins *>(i.target);
        if (!rest) {
          I = t;
          continue;
        }
        for (u32 m = e; m; m &= m - 1) w.pc[__builtin_ctz(m)] = t;
        for (u32 m = rest; m; m &= m - 1) w.pc[__builtin_ctz(m)] = I + 1;
        saved = true;
        break;
      }
      w.current = I;
      // all others may split the group: those that do not take part go on
      // behind it
      for (u32 m = rest; m; m &= m - 1) w.pc[__builtin_ctz(m)] = I + 1;
      for (u32 m = e; m; m &= m - 1) w.pc[__builtin_ctz(m)] = I;
      saved = true;
      switch (i.control) {
        case BRX: {
          auto &t      = *static_cast<std::vector<u32> *>(i.extra);
          const u32 *a = column<u32>(w, i.a);
          bool uniform = true;
          for (u32 m = e; m; m &= m - 1) {
            int l = __builtin_ctz(m);
            if (a[l] >= t.size())
              fault(w, i, 1u << l, 719, "brx.idx with index %u of %zu", a[l],
                    t.size());
            w.pc[l] = &w.func->code[t[a[l]]];
            uniform &= w.pc[l] == w.pc[__builtin_ctz(e)];
          }
          if (uniform && !rest) {
            I     = w.pc[__builtin_ctz(e)];
            saved = false;
            continue;
          }
          break;
        }
        case CALL:
        case CALLIND: {
          auto &call = *static_cast<CallInfo *>(i.extra);
          u32 left   = e;
          while (left) {
            Func *f  = call.callee;
            u32 same = left;
            if (i.control == CALLIND) {
              const u64 *a = column<u64>(w, i.a);
              u64 v        = a[__builtin_ctz(left)];
              f            = function_at(v);
              if (!f)
                fault(w, i, left, 718,
                      "call of 0x%llx, which is not a function",
                      static_cast<unsigned long long>(v));
              same = 0;
              for (u32 m = left; m; m &= m - 1)
                if (a[__builtin_ctz(m)] == v) same |= 1u << __builtin_ctz(m);
            }
            left &= ~same;
            if (f->builtin) {
              w.local_at = w.local_base[__builtin_ctz(same)];
              Ins j      = i;
              j.n        = f->builtin;
              w.current  = I;
              call_builtin(w, j, same, call);
              for (u32 m = same; m; m &= m - 1) ++w.pc[__builtin_ctz(m)];
            } else
              enter(w, i, *f, same, call);
          }
          break;
        }
        case RET:
          if (w.stack[__builtin_ctz(e)].empty())
            fault(w, i, e, 719, "return without a call");
          leave(w, e);
          break;
        case EXIT: exit_lanes(w, e); break;
        case TRAP: fault(w, i, e, 719, "trap");
        case YIELD:
          for (u32 m = e; m; m &= m - 1) ++w.pc[__builtin_ctz(m)];
          rotate = true;
          limit  = 0;  // another warp's turn
          break;
        case BAR:
        case BARRED:
        case BARARRIVE: {
          u32 id = column<u32>(w, i.a)[__builtin_ctz(e)];
          if (id > 15) fault(w, i, e, 719, "barrier %u is not there", id);
          Barrier &r = b.barriers[id];
          u32 expected =
              i.b == none ? 0 : column<u32>(w, i.b)[__builtin_ctz(e)];
          if (r.arrived && r.expected != expected)
            fault(
                w, i, e, 719,
                "threads arrive at barrier %u with different counts, %u and %u",
                id, r.expected, expected);
          if (expected % 32)
            fault(w, i, e, 719,
                  "barrier with a count of %u, not a multiple of 32", expected);
          r.expected = expected;
          if (!r.first) r.first = I;
          r.arrived += __builtin_popcount(e);
          if (i.control == BARRED)
            r.count += __builtin_popcount(e & predicate(w, i.c));
          for (u32 m = e; m; m &= m - 1) {
            int l = __builtin_ctz(m);
            if (i.control == BARARRIVE)
              ++w.pc[l];
            else {
              w.state[l] = AT_BARRIER;
              w.want[l]  = id;
            }
          }
          check_barrier(b, id);
          break;
        }
        default: {  // collectives of the warp
          const u32 *mask = column<u32>(w, i.n);
          for (u32 m = e; m; m &= m - 1) {
            int l = __builtin_ctz(m);
            if (!(mask[l] >> l & 1))
              fault(w, i, 1u << l, 719,
                    "%s by lane %d with mask 0x%x, which does not name it",
                    control_name(i).c_str(), l, mask[l]);
            w.state[l] = AT_COLLECTIVE;
            w.want[l]  = mask[l];
          }
          u32 all = mask[__builtin_ctz(e)];
          bool uniform =
              (all & w.exists) == e && all == mask[31 - __builtin_clz(e)];
          for (u32 m = e; m && uniform; m &= m - 1)
            uniform = mask[__builtin_ctz(m)] == all;
          if (uniform) {
            collective(w, e);
            if (!rest) {
              I     = I + 1;
              saved = false;
              continue;
            }
          } else
            try_collectives(w);
        }
      }
      break;
    }
    if (!saved)
      for (u32 m = g; m; m &= m - 1) w.pc[__builtin_ctz(m)] = I;
    issued += count;
    b.issues += count;
    b.executed += count * size;
    (void)fresh;
    if (limit == 0) break;
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

void run_block(Worker &worker, Launch &launch, u64 linear) {
  Func &f = *launch.func;
  Block b{};
  b.launch      = &launch;
  b.worker      = &worker;
  b.shared      = worker.shared;
  b.linear      = linear;
  b.index       = {static_cast<u32>(linear % launch.grid.x),
                   static_cast<u32>(linear / launch.grid.x % launch.grid.y),
                   static_cast<u32>(linear / launch.grid.x / launch.grid.y)};
  b.threads     = launch.block.x * launch.block.y * launch.block.z;
  b.live        = b.threads;
  b.warps       = (b.threads + 31) / 32;
  b.warp        = worker.warps.data();
  b.dynamic_end = dynamic_shared_at + launch.dynamic_shared;
  b.static_end  = static_shared_at + f.static_shared;
  b.module_end  = next_module_shared;
  memset(b.shared + dynamic_shared_at, 0xff, launch.dynamic_shared);
  memset(b.shared + static_shared_at, 0xff, f.static_shared);
  if (b.module_end > module_shared_at)
    memset(b.shared + module_shared_at, 0xff, b.module_end - module_shared_at);
  if (settings.init) worker.shared_written.assign(shared_window, 0);
  for (u32 n = 0; n < b.warps; ++n) {
    Warp &w        = b.warp[n];
    w.block        = &b;
    w.index        = n;
    w.first_thread = 32 * n;
    w.registers    = worker.registers + n * worker.register_stride;
    w.local_stride = worker.local_size / 1024;
    w.local        = worker.local + 32ull * n * w.local_stride;
    w.exists       = 0;
    w.cc           = 0;
    for (int l = 0; l < 32; ++l) {
      u32 t      = 32 * n + l;
      w.state[l] = t < b.threads ? RUN : EXITED;
      if (t < b.threads) w.exists |= 1u << l;
      w.pc[l]         = f.code.data();
      w.funcs[l]      = &f;
      w.frame[l]      = 0;
      w.top[l]        = f.register_bytes;
      w.local_base[l] = 0;
      w.depth[l]      = 0;
      w.stack[l].clear();
      w.tid[0][l] = t % launch.block.x;
      w.tid[1][l] = t / launch.block.x % launch.block.y;
      w.tid[2][l] = t / launch.block.x / launch.block.y;
    }
  }
  if (settings.race) races_start_block(b);
  std::vector<u32> order(b.warps);
  std::iota(order.begin(), order.end(), 0);
  u64 previous = ~u64{};
  while (b.live) {
    if (settings.random)
      for (u32 n = b.warps; n > 1; --n)
        std::swap(order[n - 1], order[worker.next() % n]);
    bool any = false;
    for (u32 n : order) {
      Warp &w = b.warp[n];
      if (!w.runnable()) continue;
      any = true;
      run_warp(w, settings.random ? 100 + worker.next() % 5000 : 1000000);
    }
    if (!any) {
      Warp &w = b.warp[0];
      (void)w;
      throw Fault{
          strprintf("deadlock: all threads of a block wait\n  kernel %s\n  "
                    "block (%u,%u,%u) of (%u,%u,%u), %u threads%s",
                    pretty_name(f).c_str(), b.index.x, b.index.y, b.index.z,
                    launch.grid.x, launch.grid.y, launch.grid.z, b.threads,
                    stuck(b).c_str()),
          719};
    }
    if (settings.max_instructions && b.executed > settings.max_instructions)
      throw Fault{
          strprintf("more than PTXRUN_MAX instructions in a block of kernel %s",
                    pretty_name(f).c_str()),
          702};
    (void)previous;
  }
  f.profile.instructions += b.executed;
  f.profile.issues += b.issues;
}

void prepare(Worker &k, Func &f) {
  auto map = [](size_t n) {
    void *p = mmap(nullptr, n, PROT_READ | PROT_WRITE,
                   MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (p == MAP_FAILED) die("no memory for registers or stacks");
    return static_cast<u8 *>(p);
  };
  if (k.warps.empty()) {
    k.warps.resize(32);
    k.shared = map(shared_window);
    k.random ^= settings.seed * 0x9e3779b97f4a7c15ull;
    for (int n = 0; n < 8; ++n) k.next();
  }
  size_t need = std::max<size_t>(16u << 20, f.register_bytes + (8u << 20));
  if (need > k.register_stride) {
    if (k.registers) munmap(k.registers, 32 * k.register_stride);
    k.register_stride = (need + 4095) / 4096 * 4096 + 4096;
    k.registers       = map(32 * k.register_stride);
  }
  size_t stride =
      (std::max<size_t>(64u << 10, f.local_bytes + (64u << 10)) + 255) / 256 *
          256 +
      256;
  if (stride * 1024 > k.local_size) {
    if (k.local) munmap(k.local, k.local_size);
    k.local_size = stride * 1024;
    k.local      = map(k.local_size);
  }
}

std::vector<std::unique_ptr<Worker>> workers;

}  // namespace

std::vector<Func *> launched;

void run_launch(Launch &launch) {
  Func &f = *launch.func;
  decode(f);
  if (settings.race > 1)
    launch.released.assign(
        static_cast<u64>(launch.grid.x) * launch.grid.y * launch.grid.z, 0);
  if (!f.profile.launches) launched.push_back(&f);
  u64 blocks = static_cast<u64>(launch.grid.x) * launch.grid.y * launch.grid.z;
  u64 threads =
      static_cast<u64>(launch.block.x) * launch.block.y * launch.block.z;
  ++f.profile.launches;
  f.profile.blocks += blocks;
  f.profile.threads += blocks * threads;
  if (settings.trace)
    fprintf(stderr,
            "ptxrun: launch %llu: %s, grid (%u,%u,%u), block (%u,%u,%u), %u "
            "bytes\n",
            static_cast<unsigned long long>(launch.id), pretty_name(f).c_str(),
            launch.grid.x, launch.grid.y, launch.grid.z, launch.block.x,
            launch.block.y, launch.block.z, launch.dynamic_shared);
  auto start = std::chrono::steady_clock::now();
  std::vector<u64> order;
  if (settings.random) {
    order.resize(blocks);
    std::iota(order.begin(), order.end(), 0);
  }
  int n = std::min<u64>(settings.threads, blocks);
  while (static_cast<int>(workers.size()) < std::max(1, n)) {
    workers.push_back(std::make_unique<Worker>());
    workers.back()->random += workers.size() * 7919;
  }
  for (int k = 0; k < std::max(1, n); ++k) prepare(*workers[k], f);
  if (settings.random)
    for (u64 k = blocks; k > 1; --k)
      std::swap(order[k - 1], order[workers[0]->next() % k]);
  if (n <= 1) {
    for (u64 k = 0; k < blocks; ++k)
      run_block(*workers[0], launch, settings.random ? order[k] : k);
  } else {
    std::atomic<u64> next{0};
    std::exception_ptr failed;
    std::mutex m;
    std::vector<std::thread> pool;
    for (int t = 0; t < n; ++t)
      pool.emplace_back([&, t] {
        try {
          for (u64 k; (k = next++) < blocks;)
            run_block(*workers[t], launch, settings.random ? order[k] : k);
        } catch (...) {
          std::lock_guard lock(m);
          if (!failed) failed = std::current_exception();
          next = blocks;
        }
      });
    for (auto &t : pool) t.join();
    if (failed) std::rethrow_exception(failed);
  }
  f.profile.seconds +=
      std::chrono::duration<double>(std::chrono::steady_clock::now() - start)
          .count();
}

void print_profiles() {
  std::vector<Func *> order = launched;
  std::sort(order.begin(), order.end(), [](Func *a, Func *b) {
    return a->profile.instructions > b->profile.instructions;
  });
  u64 all        = 0;
  double seconds = 0;
  for (auto *f : order)
    all += f->profile.instructions, seconds += f->profile.seconds;
  fprintf(stderr,
          "ptxrun: %zu kernels, %.4g thread instructions in %.3g s (%.3g "
          "million per second)\n",
          order.size(), static_cast<double>(all), seconds, all / seconds / 1e6);
  for (auto *f : order) {
    const Profile &p = f->profile;
    fprintf(
        stderr,
        "%s\n  launches %llu, blocks %llu, threads %llu, thread instructions "
        "%.4g, lanes per instruction %.3g, block barriers %llu, %.3g s\n",
        pretty_name(*f).c_str(), static_cast<unsigned long long>(p.launches),
        static_cast<unsigned long long>(p.blocks),
        static_cast<unsigned long long>(p.threads),
        static_cast<double>(p.instructions),
        p.issues ? static_cast<double>(p.instructions) / p.issues : 0.,
        static_cast<unsigned long long>(p.barriers), p.seconds);
    if (p.load_requests)
      fprintf(stderr,
              "  global loads: %llu requests, %.3g sectors each, %.0f%% of the "
              "sectors' bytes used\n",
              static_cast<unsigned long long>(p.load_requests),
              static_cast<double>(p.load_sectors) / p.load_requests,
              100. * p.load_bytes / (32. * p.load_sectors));
    if (p.store_requests)
      fprintf(stderr,
              "  global stores: %llu requests, %.3g sectors each, %.0f%% of "
              "the sectors' bytes used\n",
              static_cast<unsigned long long>(p.store_requests),
              static_cast<double>(p.store_sectors) / p.store_requests,
              100. * p.store_bytes / (32. * p.store_sectors));
    if (p.atomics)
      fprintf(stderr, "  global atomics: %llu lanes\n",
              static_cast<unsigned long long>(p.atomics));
    if (p.shared_requests)
      fprintf(stderr, "  shared memory: %llu requests, %.3g wavefronts each\n",
              static_cast<unsigned long long>(p.shared_requests),
              static_cast<double>(p.shared_wavefronts) / p.shared_requests);
  }
}

}  // namespace ptxrun
