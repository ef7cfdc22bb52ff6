// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Functions that the device runtime gives to kernels: printf, assertions,
// malloc and free.
#include "ptxrun.hpp"
#include <cstdlib>
#include <mutex>
#include <unordered_set>

namespace ptxrun {

namespace {
enum { VPRINTF = 1, ASSERTFAIL, MALLOC, FREE, MEMCPY, MEMSET };

template <class T>
T argument(Warp &w, int lane, const CallInfo &call, size_t k) {
  T v{};
  memcpy(&v,
         w.local + lane * w.local_stride + w.local_at + call.args.at(k).first,
         std::min<size_t>(sizeof v, call.args[k].second));
  return v;
}
template <class T>
void result(Warp &w, int lane, const CallInfo &call, T v) {
  if (call.ret != none)
    memcpy(w.local + lane * w.local_stride + w.local_at + call.ret, &v,
           std::min<size_t>(sizeof v, call.ret_size));
}

std::string format(const char *f, const u8 *a) {
  std::string out;
  size_t at = 0;
  auto take = [&](size_t n) {
    at          = (at + n - 1) / n * n;
    const u8 *p = a + at;
    at += n;
    return p;
  };
  for (; *f; ++f) {
    if (*f != '%') {
      out += *f;
      continue;
    }
    if (f[1] == '%') {
      out += '%';
      ++f;
      continue;
    }
    std::string spec = "%";
    ++f;
    int longs = 0, shorts = 0;
    while (*f && !strchr("diouxXeEfFgGaAcsp", *f)) {
      if (*f == 'l' || *f == 'z' || *f == 'j' || *f == 't')
        longs += *f == 'l' ? 1 : 2;
      else if (*f == 'h')
        ++shorts;
      else if (*f == '*') {
        int v;
        memcpy(&v, take(4), 4);
        spec += std::to_string(v);
      } else
        spec += *f;
      ++f;
    }
    if (!*f) break;
    char c = *f;
    if (strchr("diouxX", c)) {
      if (longs) {
        long long v;
        memcpy(&v, take(8), 8);
        out += strprintf((spec + "ll" + c).c_str(), v);
      } else {
        int v;
        memcpy(&v, take(4), 4);
        if (shorts == 1)
          v = strchr("di", c) ? static_cast<short>(v)
                              : static_cast<unsigned short>(v);
        if (shorts == 2)
          v = strchr("di", c) ? static_cast<signed char>(v)
                              : static_cast<unsigned char>(v);
        out += strprintf((spec + c).c_str(), v);
      }
    } else if (c == 'c') {
      int v;
      memcpy(&v, take(4), 4);
      out += strprintf((spec + c).c_str(), v);
    } else if (c == 's' || c == 'p') {
      const char *v;
      memcpy(&v, take(8), 8);
      if (c == 's' && !find_allocation(v)) v = "(not a string of the device)";
      out += strprintf((spec + c).c_str(), v);
    } else {
      double v;
      memcpy(&v, take(8), 8);
      out += strprintf((spec + c).c_str(), v);
    }
  }
  return out;
}

}  // namespace

int builtin_number(std::string_view name) {
  if (name == "vprintf") return VPRINTF;
  if (name == "__assertfail" || name == "__assert_fail") return ASSERTFAIL;
  if (name == "malloc") return MALLOC;
  if (name == "free") return FREE;
  return 0;
}

void call_builtin(Warp &w, const Ins &i, u32 active, const CallInfo &call) {
  for (u32 m = active; m; m &= m - 1) {
    int l = __builtin_ctz(m);
    switch (i.n) {
      case VPRINTF: {
        auto *f = argument<const char *>(w, l, call, 0);
        auto *a = argument<const u8 *>(w, l, call, 1);
        if (!find_allocation(f))
          fault(w, i, 1u << l, 700,
                "printf with a format that is not in memory of the device");
        std::string t = format(f, a);
        fwrite(t.data(), 1, t.size(), stdout);
        result<u32>(w, l, call, t.size());
        break;
      }
      case ASSERTFAIL: {
        auto text = [&](size_t k) {
          auto *p = argument<const char *>(w, l, call, k);
          return std::string(p && find_allocation(p) ? p : "?");
        };
        fault(w, i, 1u << l, 710, "assertion failed: %s, %s:%u, %s",
              text(0).c_str(), text(1).c_str(), argument<u32>(w, l, call, 2),
              text(3).c_str());
      }
      case MALLOC: {
        Allocation *a = allocate(argument<u64>(w, l, call, 0),
                                 MemoryKind::device, "malloc in a kernel");
        result<u64>(w, l, call, a ? reinterpret_cast<u64>(a->lo) : 0);
        break;
      }
      case FREE: {
        auto *p = argument<void *>(w, l, call, 0);
        if (p && !release(p))
          fault(w, i, 1u << l, 700, "free of what malloc did not give: %s",
                describe_address(p).c_str());
        break;
      }
      default: fault(w, i, active, 719, "builtin");
    }
  }
}

}  // namespace ptxrun
