// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Comparisons of the lanes: a mask in scalar registers, without the lanes that
// are masked out.
#include "ops.hpp"

namespace gcn {
namespace {

template <class T, class F>
Handler compare(F) {
  return [](Wave &w, const Ins &i) {
    Source<T> a(w, i.o[1]), b(w, i.o[2]);
    const bool z = flushes<T>(w);
    u64 out      = 0;
    each_lane(w.exec(), [&](int l) {
      out |= u64{F{}(operand_value(z, a[l]), operand_value(z, b[l]))} << l;
    });
    set_scalar(w, i.o[0], out);
  };
}
// Names stay in memory: the table has views of them.
std::string_view kept(std::string name) {
  static std::vector<std::unique_ptr<std::string>> all;
  all.push_back(std::make_unique<std::string>(std::move(name)));
  return *all.back();
}
// v_cmp and v_cmpx, which makes the mask EXEC, too.
template <class T, class F>
void add(Table &t, const char *what, const char *type, F f) {
  const std::string end    = std::string(what) + "_" + type;
  t[kept("v_cmp_" + end)]  = compare<T>(f);
  t[kept("v_cmpx_" + end)] = [](Wave &w, const Ins &i) {
    compare<T>(F{})(w, i);
    w.set_pair(EXEC, scalar<u64>(w, i.o[0]));
  };
}
template <class T>
void add_ordered(Table &t, const char *type) {
  add<T>(t, "lt", type, [](T a, T b) { return a < b; });
  add<T>(t, "eq", type, [](T a, T b) { return a == b; });
  add<T>(t, "le", type, [](T a, T b) { return a <= b; });
  add<T>(t, "gt", type, [](T a, T b) { return a > b; });
  add<T>(t, "ge", type, [](T a, T b) { return a >= b; });
}
template <class T>
void add_integers(Table &t, const char *type) {
  add_ordered<T>(t, type);
  add<T>(t, "ne", type, [](T a, T b) { return a != b; });
}
template <class T>
void add_floats(Table &t, const char *type) {
  add_ordered<T>(t, type);
  add<T>(t, "lg", type, [](T a, T b) { return a < b || a > b; });
  add<T>(t, "o", type, [](T a, T b) { return a == a && b == b; });
  add<T>(t, "u", type, [](T a, T b) { return a != a || b != b; });
  add<T>(t, "nlt", type, [](T a, T b) { return !(a < b); });
  add<T>(t, "neq", type, [](T a, T b) { return !(a == b); });
  add<T>(t, "nle", type, [](T a, T b) { return !(a <= b); });
  add<T>(t, "ngt", type, [](T a, T b) { return !(a > b); });
  add<T>(t, "nge", type, [](T a, T b) { return !(a >= b); });
  add<T>(t, "nlg", type, [](T a, T b) { return !(a < b || a > b); });
}

// One bit for each class: signalling NaN, NaN, -inf, -normal, -denormal, -0,
// +0, +denormal, +normal, +inf.
template <class T>
u32 class_of(T x) {
  constexpr int quiet = std::is_same_v<T, double> ? 51 : 22;
  if (x != x) return as<Bits<T>>(x) >> quiet & 1 ? 2 : 1;
  const bool minus = std::signbit(x);
  switch (std::fpclassify(x)) {
    case FP_INFINITE: return minus ? 4 : 512;
    case FP_NORMAL: return minus ? 8 : 256;
    case FP_SUBNORMAL: return minus ? 16 : 128;
    default: return minus ? 32 : 64;
  }
}
template <class T>
void classify(Wave &w, const Ins &i) {
  Source<T> a(w, i.o[1]);
  Source<u32> b(w, i.o[2]);
  u64 out = 0;
  each_lane(w.exec(),
            [&](int l) { out |= u64{(class_of<T>(a[l]) & b[l]) != 0} << l; });
  set_scalar(w, i.o[0], out);
}

}  // namespace

void add_compare(Table &t) {
  add_integers<i16>(t, "i16");
  add_integers<u16>(t, "u16");
  add_integers<i32>(t, "i32");
  add_integers<u32>(t, "u32");
  add_integers<i64>(t, "i64");
  add_integers<u64>(t, "u64");
  add_floats<float>(t, "f32");
  add_floats<double>(t, "f64");
  t["v_cmp_class_f32"] = classify<float>;
  t["v_cmp_class_f64"] = classify<double>;
}

}  // namespace gcn
