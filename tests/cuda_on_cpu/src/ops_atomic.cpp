// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Atomics, lane by lane.
#include "addresses.hpp"
#include <type_traits>

namespace ptxrun {
namespace {

template <int N>
struct UIntOf;
template <>
struct UIntOf<2> {
  using type = u16;
};
template <>
struct UIntOf<4> {
  using type = u32;
};
template <>
struct UIntOf<8> {
  using type = u64;
};

struct Add {
  template <class T>
  T operator()(T old, T b, T) const {
    return static_cast<T>(old + b);
  }
};
// atom.add.f32 in global memory takes denormal numbers as zeros, in shared
// memory it does not.
template <class T, class F>
inline T apply(T old, T b, T c, bool in_shared) {
  if constexpr (std::is_same_v<T, float> && std::is_same_v<F, Add>)
    if (!in_shared) return flush(flush(old) + flush(b));
  return F{}(old, b, c);
}

template <class T, class F>
void atomic(Warp &w, const Ins &i, u32 active) {  // F(old, b, c)
  using U = typename UIntOf<sizeof(T)>::type;
  u8 *p[32];
  resolve(w, i, active, sizeof(T), ATOMIC, p);
  const T *b = column<T>(w, i.b), *c = i.c == none ? b : column<T>(w, i.c);
  T *d      = i.d == none ? nullptr : column<T>(w, i.d);
  u32 first = settings.random ? w.block->worker->next() & 31 : 0;
  for (u32 n = 0; n < 32; ++n) {
    int l = (n + first) & 31;
    if (!(active >> l & 1)) continue;
    const bool in_shared =
        static_cast<u64>(p[l] - w.block->shared) < shared_window;
    T old;
    if (settings.threads == 1) {
      memcpy(&old, p[l], sizeof old);
      T v = apply<T, F>(old, b[l], c[l], in_shared);
      memcpy(p[l], &v, sizeof v);
    } else {
      U *q = reinterpret_cast<U *>(p[l]);
      U o  = __atomic_load_n(q, __ATOMIC_RELAXED);
      while (true) {
        memcpy(&old, &o, sizeof old);
        T v = apply<T, F>(old, b[l], c[l], in_shared);
        U x;
        memcpy(&x, &v, sizeof x);
        if (__atomic_compare_exchange_n(q, &o, x, false, __ATOMIC_SEQ_CST,
                                        __ATOMIC_RELAXED))
          break;
      }
    }
    if (d) d[l] = old;
  }
}
template <class T, class F>
Handler atomic_of(F) {
  return atomic<T, F>;
}

template <class T>
Handler atomics(const Opcode &o) {
  if (o.has("exch")) return atomic_of<T>([](T, T b, T) { return b; });
  if (o.has("cas"))
    return atomic_of<T>([](T old, T b, T c) { return old == b ? c : old; });
  if (o.has("add")) return atomic<T, Add>;
  if constexpr (!std::is_floating_point_v<T>) {
    if (o.has("min"))
      return atomic_of<T>([](T old, T b, T) { return b < old ? b : old; });
    if (o.has("max"))
      return atomic_of<T>([](T old, T b, T) { return b > old ? b : old; });
    if (o.has("and"))
      return atomic_of<T>(
          [](T old, T b, T) { return static_cast<T>(old & b); });
    if (o.has("or"))
      return atomic_of<T>(
          [](T old, T b, T) { return static_cast<T>(old | b); });
    if (o.has("xor"))
      return atomic_of<T>(
          [](T old, T b, T) { return static_cast<T>(old ^ b); });
    if (o.has("inc"))
      return atomic_of<T>([](T old, T b, T) {
        return old >= b ? T{0} : static_cast<T>(old + 1);
      });
    if (o.has("dec"))
      return atomic_of<T>([](T old, T b, T) {
        return old == 0 || old > b ? b : static_cast<T>(old - 1);
      });
  }
  return nullptr;
}

}  // namespace

Handler pick_atomic(const Opcode &o) {
  bool bits = o.has("exch") || o.has("cas");
  switch (o.type) {
    case B16:
    case U16:
    case S16: return atomics<u16>(o);
    case B32:
    case U32: return atomics<u32>(o);
    case S32: return atomics<i32>(o);
    case B64:
    case U64: return atomics<u64>(o);
    case S64: return atomics<i64>(o);
    case F32: return bits ? atomics<u32>(o) : atomics<float>(o);
    case F64: return bits ? atomics<u64>(o) : atomics<double>(o);
    default: return nullptr;
  }
}

}  // namespace ptxrun
