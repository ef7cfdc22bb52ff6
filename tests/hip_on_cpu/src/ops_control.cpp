// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Branches, calls, waits, barriers, and scalar loads.
#include "ops.hpp"

namespace gcn {
namespace {

template <class F>
Handler branch(F) {
  return [](Wave &w, const Ins &i) {
    if (F{}(w)) w.next = i.target;
  };
}

u64 base(const Wave &w) { return reinterpret_cast<u64>(w.code->memory); }

template <int words>
void load(Wave &w, const Ins &i) {
  u64 offset   = i.o[2].kind == Operand::VALUE ? i.o[2].integer
                                               : u64{scalar<u32>(w, i.o[2])};
  const u64 at = (scalar<u64>(w, i.o[1]) + offset) & ~u64{3};
  const u8 *p  = reinterpret_cast<const u8 *>(at);
  if (settings.check) {
    const Allocation *a = find_allocation(p);
    if (!a || p + 4 * words > a->hi)
      fault(w, i, 1, 700, "out of bounds: read of %d bytes at 0x%llx: %s",
            4 * words, static_cast<unsigned long long>(at),
            describe_address(p).c_str());
  }
  memcpy(&w.s[i.o[0].number], p, 4 * words);
}

void end_wave(Wave &w, const Ins &) {
  w.state = ENDED;
  w.block->live -= 1;
}

void barrier(Wave &w, const Ins &) {
  w.state = AT_BARRIER;
  ++w.block->arrived;
}

void nothing(Wave &, const Ins &) {}

}  // namespace

void add_control(Table &t) {
  t["s_branch"]         = branch([](Wave &) { return true; });
  t["s_cbranch_scc0"]   = branch([](Wave &w) { return !w.scc; });
  t["s_cbranch_scc1"]   = branch([](Wave &w) { return w.scc != 0; });
  t["s_cbranch_vccz"]   = branch([](Wave &w) { return !w.pair(VCC); });
  t["s_cbranch_vccnz"]  = branch([](Wave &w) { return w.pair(VCC) != 0; });
  t["s_cbranch_execz"]  = branch([](Wave &w) { return !w.exec(); });
  t["s_cbranch_execnz"] = branch([](Wave &w) { return w.exec() != 0; });
  t["s_getpc_b64"]      = [](Wave &w, const Ins &i) {
    set_scalar(w, i.o[0], base(w) + w.next);
  };
  t["s_setpc_b64"] = [](Wave &w, const Ins &i) {
    w.next = scalar<u64>(w, i.o[0]) - base(w);
  };
  t["s_swappc_b64"] = [](Wave &w, const Ins &i) {
    const u64 to = scalar<u64>(w, i.o[1]);
    set_scalar(w, i.o[0], base(w) + w.next);
    w.next = to - base(w);
  };
  t["s_endpgm"]  = end_wave;
  t["s_barrier"] = barrier;
  t["s_waitcnt"] = [](Wave &w, const Ins &i) {
    wait_for(w, i.vmcnt, i.lgkmcnt);
  };
  t["s_trap"] = [](Wave &w, const Ins &i) {
    fault(w, i, w.exec(), 719, "trap");
  };
  for (const char *name :
       {"s_nop", "s_sleep", "s_setprio", "s_sendmsg", "s_inst_prefetch",
        "s_dcache_inv", "s_dcache_wb", "s_icache_inv"})
    t[name] = nothing;
  for (const char *name :
       {"buffer_wbinvl1_vol", "buffer_wbinvl1", "buffer_wbl2", "buffer_invl2"})
    t[name] = [](Wave &w, const Ins &) { w.block->races.fenced = true; };
  t["s_load_dword"]    = load<1>;
  t["s_load_dwordx2"]  = load<2>;
  t["s_load_dwordx4"]  = load<4>;
  t["s_load_dwordx8"]  = load<8>;
  t["s_load_dwordx16"] = load<16>;
  t["s_memtime"]       = [](Wave &w, const Ins &i) {
    set_scalar(w, i.o[0], w.executed);
  };
  t["s_memrealtime"] = t["s_memtime"];
  t["s_getreg_b32"]  = [](Wave &w, const Ins &i) {
    set_scalar(w, i.o[0], i.o[1].bits32);
  };
}

}  // namespace gcn
