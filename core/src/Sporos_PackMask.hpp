// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef SPOROS_PACKMASK_HPP
#define SPOROS_PACKMASK_HPP

/// \file Sporos_PackMask.hpp
/// Mask<T, W>: the result of comparing two Pack<T, W>, a truth value per lane.

#include <Sporos_PackRegister.hpp>

namespace Sporos {
namespace Impl {

/// The integer of T's size: all bits set for true, none for false.
template <class T>
using MaskLane = std::conditional_t<
    sizeof(T) == 8, std::int64_t,
    std::conditional_t<
        sizeof(T) == 4, std::int32_t,
        std::conditional_t<sizeof(T) == 2, std::int16_t, std::int8_t>>>;

// What compares lanes or registers.
struct Less {
  template <class V>
  SPOROS_PACK_FUNCTION auto operator()(V a, V b) const {
    return a < b;
  }
};
struct LessEqual {
  template <class V>
  SPOROS_PACK_FUNCTION auto operator()(V a, V b) const {
    return a <= b;
  }
};
struct Equal {
  template <class V>
  SPOROS_PACK_FUNCTION auto operator()(V a, V b) const {
    return a == b;
  }
};
struct NotEqual {
  template <class V>
  SPOROS_PACK_FUNCTION auto operator()(V a, V b) const {
    return a != b;
  }
};

}  // namespace Impl

/// W truth values: the result of comparing two Pack<T, W>. &, |, ^, !, && and
/// || work lane by lane.
template <class T, int W>
struct Mask {
  /// an integer of the size of T: all bits set for true, none for false
  using Lane                     = Impl::MaskLane<T>;
  static constexpr int width     = W;                 ///< lanes in all
  static constexpr int lanes     = pack_lanes<T, W>;  ///< lanes of a register
  static constexpr int registers = W / lanes;         ///< registers of a mask
  /// a register of this mask
  using vector_type = Impl::Vector<Lane, lanes>;
  /// a register of Pack<T, W>
  using pack_vector = Impl::Vector<T, lanes>;

  vector_type v[registers];  ///< the registers

  Mask() = default;
  /// all lanes equal
  SPOROS_PACK_FUNCTION Mask(bool b) {
    for (int i = 0; i < W; ++i) set(i, b);
  }

  explicit operator bool() const = delete;  ///< use Sporos::select, not `if`

  /// Lane i.
  SPOROS_PACK_FUNCTION bool operator[](int i) const {
    return v[i / lanes][i % lanes] != 0;
  }
  /// Sets lane i.
  SPOROS_PACK_FUNCTION void set(int i, bool b) {
    v[i / lanes][i % lanes] = b ? Lane(-1) : Lane(0);
  }

  /// Lane by lane f(a, b).
  template <class Compare>
  static SPOROS_PACK_FUNCTION Mask compare(const pack_vector (&a)[registers],
                                           const pack_vector (&b)[registers],
                                           Compare f) {
    Mask m;
    for (int r = 0; r < registers; ++r) {
#ifdef SPOROS_PACK_VECTOR_EXTENSIONS
      m.v[r] = reinterpret_cast<vector_type>(f(a[r], b[r]));
#else
      for (int i = 0; i < lanes; ++i)
        m.v[r][i] = f(a[r][i], b[r][i]) ? Lane(-1) : Lane(0);
#endif
    }
    return m;
  }

  /// Lane by lane c = a where this mask is true, else b.
  SPOROS_PACK_FUNCTION void choose(const pack_vector (&a)[registers],
                                   const pack_vector (&b)[registers],
                                   pack_vector (&c)[registers]) const {
    for (int r = 0; r < registers; ++r) {
#ifdef SPOROS_PACK_VECTOR_EXTENSIONS
      c[r] = v[r] ? a[r] : b[r];
#else
      for (int i = 0; i < lanes; ++i) c[r][i] = v[r][i] ? a[r][i] : b[r][i];
#endif
    }
  }

  friend SPOROS_PACK_FUNCTION Mask operator&(const Mask& a, const Mask& b) {
    return a.lanewise(b, [](auto x, auto y) { return x & y; });
  }
  friend SPOROS_PACK_FUNCTION Mask operator|(const Mask& a, const Mask& b) {
    return a.lanewise(b, [](auto x, auto y) { return x | y; });
  }
  friend SPOROS_PACK_FUNCTION Mask operator^(const Mask& a, const Mask& b) {
    return a.lanewise(b, [](auto x, auto y) { return x ^ y; });
  }
  friend SPOROS_PACK_FUNCTION Mask operator!(const Mask& a) {
    return a.lanewise(a, [](auto x, auto) { return ~x; });
  }
  // Both sides are evaluated, as lanes differ: for kernels that compile for
  // bool, too.
  friend SPOROS_PACK_FUNCTION Mask operator&&(const Mask& a, const Mask& b) {
    return a & b;
  }
  friend SPOROS_PACK_FUNCTION Mask operator||(const Mask& a, const Mask& b) {
    return a | b;
  }

  friend SPOROS_PACK_FUNCTION bool any_of(const Mask& m) {
    bool any = false;
    for (int i = 0; i < W; ++i) any = any || m[i];
    return any;
  }
  friend SPOROS_PACK_FUNCTION bool all_of(const Mask& m) {
    bool all = true;
    for (int i = 0; i < W; ++i) all = all && m[i];
    return all;
  }
  /// Lane by lane one of two scalars.
  friend SPOROS_PACK_FUNCTION Pack<T, W> select(const Mask& m, T a, T b) {
    return select(m, Pack<T, W>(a), Pack<T, W>(b));
  }

 private:
  template <class F>
  SPOROS_PACK_FUNCTION Mask lanewise(const Mask& b, F f) const {
    Mask m;
    for (int r = 0; r < registers; ++r) {
#ifdef SPOROS_PACK_VECTOR_EXTENSIONS
      m.v[r] = f(v[r], b.v[r]);
#else
      for (int i = 0; i < lanes; ++i) m.v[r][i] = Lane(f(v[r][i], b.v[r][i]));
#endif
    }
    return m;
  }
};

}  // namespace Sporos

#endif
