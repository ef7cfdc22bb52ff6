// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Results of memory that a wave has not waited for: their use is an error of
// the code.
#include "gcn.hpp"
#include <algorithm>

namespace gcn {

void issued(Wave &w, const Ins &i) {
  if (i.counters & VECTOR_MEMORY) ++w.vector_issued;
  if (i.counters & LDS_OR_SCALAR) ++w.lds_issued;
  const Operand &d = i.o[0];
  if (i.returns && d.kind != Operand::ABSENT && d.kind != Operand::VALUE)
    w.pending.push_back({d.kind, d.count, i.counters, i.scalar_memory, d.number,
                         w.vector_issued, w.lds_issued, &i});
}

void check_waits(Wave &w, const Ins &i) {
  for (const Pending &p : w.pending)
    for (int k = 0; k < i.operands; ++k) {
      const Operand &o = i.o[k];
      if (o.kind != p.kind || o.number + o.count <= p.number ||
          p.number + p.count <= o.number)
        continue;
      if (k == 0 && i.returns && i.counters == p.counters &&
          i.scalar_memory == p.scalar && !p.scalar &&
          p.counters != (VECTOR_MEMORY | LDS_OR_SCALAR))
        continue;  // loads return in order
      fault(w, i, w.exec() ? w.exec() : 1, 719,
            "register %u is used without s_waitcnt for it, after %s", p.number,
            where(w, *p.by).c_str());
    }
}

void wait_for(Wave &w, i32 vmcnt, i32 lgkmcnt) {
  bool mixed = false;  // scalar loads and LDS return in any order
  for (const Pending &p : w.pending) mixed |= p.scalar;
  const auto arrived = [&](Pending &p) {
    if (vmcnt >= 0 && w.vector_issued - p.vector_at >= static_cast<u32>(vmcnt))
      p.counters &= ~VECTOR_MEMORY;
    if (lgkmcnt == 0 || (lgkmcnt > 0 && !mixed &&
                         w.lds_issued - p.lds_at >= static_cast<u32>(lgkmcnt)))
      p.counters &= ~LDS_OR_SCALAR;
    return !p.counters;
  };
  w.pending.erase(std::remove_if(w.pending.begin(), w.pending.end(), arrived),
                  w.pending.end());
}

}  // namespace gcn
