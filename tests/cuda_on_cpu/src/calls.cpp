// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Calls of functions: frames of registers and of local memory.
#include "exec.hpp"
#include <algorithm>
#include <mutex>

namespace ptxrun {

namespace {

// Calls f for the lanes of active.
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

}  // namespace

void call_functions(Warp &w, const Ins &i, u32 e) {
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
        fault(w, i, left, 718, "call of 0x%llx, which is not a function",
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
      w.current  = &i;
      call_builtin(w, j, same, call);
      for (u32 m = same; m; m &= m - 1) ++w.pc[__builtin_ctz(m)];
    } else
      enter(w, i, *f, same, call);
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

}  // namespace ptxrun
