// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Collectives of a warp and barriers of a block.
#include "exec.hpp"
#include <algorithm>

namespace ptxrun {

namespace {

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

// The lane that lane l reads from, and whether the distance is in range.
std::pair<int, bool> shuffle_source(int kind, int l, u32 b, u32 c) {
  int segment = c >> 8 & 31, clamp = c & 31, distance = b & 31;
  int most = (l & segment) | (clamp & ~segment), least = l & segment, from;
  bool valid;
  switch (kind) {
    case 0:
      from  = l - distance;
      valid = from >= most;
      break;
    case 1:
      from  = l + distance;
      valid = from <= most;
      break;
    case 2:
      from  = l ^ distance;
      valid = from <= most;
      break;
    default: from = least | (distance & ~segment); valid = from <= most;
  }
  return {valid ? from : l, valid};
}

// Lane l reads lane j, which does not take part.
void note_absent(Warp &w, u32 set, int l, int j) {
  const Ins &i = *w.pc[l];
  if ((settings.strict || (j < 32 && w.exists >> j & 1)) &&
      first_time(w.funcs[l]->locs.data() + i.loc, 1)) {
    std::string t = strprintf(
        "%s by lane %d of warp %u reads lane %d, which does not take "
        "part (mask 0x%x, taking part 0x%x); kernel %s, %s",
        control_name(i).c_str(), l, w.index, j, lane_value<u32>(w, l, i.n), set,
        pretty_name(*w.block->launch->func).c_str(),
        where(*w.funcs[l], i).c_str());
    if (settings.strict) throw Fault{t, 719};
    note("%s", t.c_str());
  }
}

void shuffle(Warp &w, u32 set) {
  u32 in[32];
  for (u32 m = set; m; m &= m - 1) {
    int l = __builtin_ctz(m);
    in[l] = lane_value<u32>(w, l, w.pc[l]->a);
  }
  for (u32 m = set; m; m &= m - 1) {
    int l           = __builtin_ctz(m);
    const Ins &i    = *w.pc[l];
    auto [j, valid] = shuffle_source(i.x, l, lane_value<u32>(w, l, i.b),
                                     lane_value<u32>(w, l, i.c));
    bool there      = j < 32 && set >> j & 1;
    if (!there) note_absent(w, set, l, j);
    set_lane<u32>(w, l, i.d, there ? in[j] : 0xdeadbeef);
    set_lane_predicate(w, l, i.e, valid);
  }
}

void vote(Warp &w, u32 set) {
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
}

void match(Warp &w, u32 set) {
  u64 v[32];
  for (u32 m = set; m; m &= m - 1) {
    int l        = __builtin_ctz(m);
    const Ins &i = *w.pc[l];
    v[l] = i.y == 8 ? lane_value<u64>(w, l, i.a) : lane_value<u32>(w, l, i.a);
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
}

void reduce(Warp &w, u32 set) {
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
}

bool same_kind(const Ins &a, const Ins &b) {
  return a.control == b.control && a.x == b.x;
}

}  // namespace

void collective(Warp &w, u32 set) {
  int first    = __builtin_ctz(set);
  const Ins &k = *w.pc[first];
  if (settings.race) races_collective(w, set);
  switch (k.control) {
    case SHFL: shuffle(w, set); break;
    case VOTE: vote(w, set); break;
    case MATCH: match(w, set); break;
    case REDUX: reduce(w, set); break;
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

namespace {

void release_barrier(Block &b, u32 id) {
  Barrier &r = b.barriers[id];
  ++b.races.epoch;
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

}  // namespace

void arrive(Warp &w, const Ins &i, u32 e) {
  Block &b = *w.block;
  u32 id   = column<u32>(w, i.a)[__builtin_ctz(e)];
  if (id > 15) fault(w, i, e, 719, "barrier %u is not there", id);
  Barrier &r   = b.barriers[id];
  u32 expected = i.b == none ? 0 : column<u32>(w, i.b)[__builtin_ctz(e)];
  if (r.arrived && r.expected != expected)
    fault(w, i, e, 719,
          "threads arrive at barrier %u with different counts, %u and %u", id,
          r.expected, expected);
  if (expected % 32)
    fault(w, i, e, 719, "barrier with a count of %u, not a multiple of 32",
          expected);
  r.expected = expected;
  if (!r.first) r.first = &i;
  r.arrived += __builtin_popcount(e);
  if (i.control == BARRED) r.count += __builtin_popcount(e & predicate(w, i.c));
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

}  // namespace ptxrun
