// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef SPOROS_PACKTYPE_HPP
#define SPOROS_PACKTYPE_HPP

/// \file Sporos_PackType.hpp
/// Pack<T, W>: W lanes of T and their lane-wise operations.

#include <Sporos_PackMask.hpp>
#include <Sporos_PackRegister.hpp>

namespace Sporos {

/// W lanes of T. W is a power of two; Pack<T, 1> is allowed. Lane-wise
/// arithmetic; scalars convert to a pack with equal lanes.
template <class T, int W>
struct Pack {
  static_assert(W > 0 && (W & (W - 1)) == 0,
                "Sporos::Pack: the number of lanes must be a power of two");
  using value_type           = T;  ///< value of a lane
  static constexpr int width = W;  ///< lanes in all
  /// lanes in one register and registers in this pack
  static constexpr int lanes     = pack_lanes<T, W>;
  static constexpr int registers = W / lanes;  ///< registers of a pack
  using vector_type              = Impl::Vector<T, lanes>;  ///< a register
  /// what comparing two packs gives
  using MaskType = Mask<T, W>;

  vector_type v[registers];  ///< the registers

  Pack() = default;
  /// s in all lanes.
  SPOROS_PACK_FUNCTION Pack(T s) {
#ifdef SPOROS_PACK_VECTOR_EXTENSIONS
    for (int r = 0; r < registers; ++r)
      v[r] = Impl::Register<T, lanes>::broadcast(s);
#else
    for (int i = 0; i < W; ++i) set(i, s);
#endif
  }

  /// Lane i.
  SPOROS_PACK_FUNCTION T operator[](int i) const {
    return v[i / lanes][i % lanes];
  }
  /// Sets lane i.
  SPOROS_PACK_FUNCTION void set(int i, T s) { v[i / lanes][i % lanes] = s; }

  /// W consecutive values; p needs the alignment of T only.
  static SPOROS_PACK_FUNCTION Pack load(const T* p) {
    Pack a;
#ifdef SPOROS_PACK_VECTOR_EXTENSIONS
    using U = typename Impl::Register<T, lanes>::unaligned;
    for (int r = 0; r < registers; ++r)
      a.v[r] = *reinterpret_cast<const U*>(p + r * lanes);
#else
    for (int i = 0; i < W; ++i) a.set(i, p[i]);
#endif
    return a;
  }
  /// Writes W consecutive values; p needs the alignment of T only.
  SPOROS_PACK_FUNCTION void store(T* p) const {
#ifdef SPOROS_PACK_VECTOR_EXTENSIONS
    using U = typename Impl::Register<T, lanes>::unaligned;
    for (int r = 0; r < registers; ++r)
      *reinterpret_cast<U*>(p + r * lanes) = v[r];
#else
    for (int i = 0; i < W; ++i) p[i] = (*this)[i];
#endif
  }
  /// Lane i is f(i).
  template <class F>
  static SPOROS_ALWAYS_INLINE Pack generate(F&& f) {
#ifdef SPOROS_PACK_VECTOR_EXTENSIONS
    if constexpr (registers == 1)
      return generate(f, std::make_integer_sequence<int, W>{});
#endif
    Pack a;
    for (int i = 0; i < W; ++i) a.set(i, f(i));
    return a;
  }

  /// Adds lane by lane.
  SPOROS_PACK_FUNCTION Pack& operator+=(const Pack& b) {
    return *this = *this + b;
  }
  /// Subtracts lane by lane.
  SPOROS_PACK_FUNCTION Pack& operator-=(const Pack& b) {
    return *this = *this - b;
  }
  /// Multiplies lane by lane.
  SPOROS_PACK_FUNCTION Pack& operator*=(const Pack& b) {
    return *this = *this * b;
  }
  /// Divides lane by lane.
  SPOROS_PACK_FUNCTION Pack& operator/=(const Pack& b) {
    return *this = *this / b;
  }

 private:
#ifdef SPOROS_PACK_VECTOR_EXTENSIONS
  template <class F, int... I>
  static SPOROS_ALWAYS_INLINE Pack generate(F&& f,
                                            std::integer_sequence<int, I...>) {
    Pack a;
    a.v[0] = vector_type{f(I)...};
    return a;
  }
#endif

  template <class F>
  static SPOROS_PACK_FUNCTION Pack lanewise(F&& f) {
    Pack a;
#ifdef SPOROS_PACK_VECTOR_EXTENSIONS
    for (int r = 0; r < registers; ++r) a.v[r] = f(r);
#else
    for (int r = 0; r < registers; ++r)
      for (int i = 0; i < lanes; ++i) a.v[r][i] = f(r, i);
#endif
    return a;
  }

#ifdef SPOROS_PACK_VECTOR_EXTENSIONS
#define SPOROS_IMPL_LANE(a) (a).v[r]
#define SPOROS_IMPL_INDEX int r
#else
#define SPOROS_IMPL_LANE(a) (a).v[r][i]
#define SPOROS_IMPL_INDEX int r, int i
#endif

  friend SPOROS_PACK_FUNCTION Pack operator+(const Pack& a, const Pack& b) {
    return lanewise([&](SPOROS_IMPL_INDEX) {
      return SPOROS_IMPL_LANE(a) + SPOROS_IMPL_LANE(b);
    });
  }
  friend SPOROS_PACK_FUNCTION Pack operator-(const Pack& a, const Pack& b) {
    return lanewise([&](SPOROS_IMPL_INDEX) {
      return SPOROS_IMPL_LANE(a) - SPOROS_IMPL_LANE(b);
    });
  }
  friend SPOROS_PACK_FUNCTION Pack operator*(const Pack& a, const Pack& b) {
    return lanewise([&](SPOROS_IMPL_INDEX) {
      return SPOROS_IMPL_LANE(a) * SPOROS_IMPL_LANE(b);
    });
  }
  friend SPOROS_PACK_FUNCTION Pack operator/(const Pack& a, const Pack& b) {
    return lanewise([&](SPOROS_IMPL_INDEX) {
      return SPOROS_IMPL_LANE(a) / SPOROS_IMPL_LANE(b);
    });
  }
  friend SPOROS_PACK_FUNCTION Pack operator-(const Pack& a) {
    return lanewise([&](SPOROS_IMPL_INDEX) { return -SPOROS_IMPL_LANE(a); });
  }
  /// a where x < y, else b (lane by lane)
  friend SPOROS_PACK_FUNCTION Pack select_less(const Pack& x, const Pack& y,
                                               const Pack& a, const Pack& b) {
    return lanewise([&](SPOROS_IMPL_INDEX) {
      return SPOROS_IMPL_LANE(x) < SPOROS_IMPL_LANE(y) ? SPOROS_IMPL_LANE(a)
                                                       : SPOROS_IMPL_LANE(b);
    });
  }
  /// a where x is not 0, else 0 (lane by lane): drops NaN from unused lanes
  friend SPOROS_PACK_FUNCTION Pack where_nonzero(const Pack& x, const Pack& a) {
    const Pack zero(T(0));
    return lanewise([&](SPOROS_IMPL_INDEX) {
      return SPOROS_IMPL_LANE(x) != SPOROS_IMPL_LANE(zero)
                 ? SPOROS_IMPL_LANE(a)
                 : SPOROS_IMPL_LANE(zero);
    });
  }
  /// x where it is NaN, else a (lane by lane)
  friend SPOROS_PACK_FUNCTION Pack nan_or([[maybe_unused]] const Pack& x,
                                          const Pack& a) {
    if constexpr (std::is_floating_point_v<T>)
      return lanewise([&](SPOROS_IMPL_INDEX) {
        return SPOROS_IMPL_LANE(x) != SPOROS_IMPL_LANE(x) ? SPOROS_IMPL_LANE(x)
                                                          : SPOROS_IMPL_LANE(a);
      });
    else
      return a;
  }
  /// a b + c, fused where the architecture has the instruction
  friend SPOROS_PACK_FUNCTION Pack fma(const Pack& a, const Pack& b,
                                       const Pack& c) {
#ifdef SPOROS_PACK_VECTOR_EXTENSIONS
    return lanewise([&](int r) {
      return Impl::vector_fma<T, vector_type>(a.v[r], b.v[r], c.v[r]);
    });
#else
    return a * b + c;
#endif
  }
  friend SPOROS_PACK_FUNCTION Pack sqrt(const Pack& a) {
#ifdef SPOROS_PACK_VECTOR_EXTENSIONS
    return lanewise(
        [&](int r) { return Impl::vector_sqrt<T, vector_type>(a.v[r]); });
#else
    return lanewise([&](int r, int i) { return T(::sqrt(double(a.v[r][i]))); });
#endif
  }
#undef SPOROS_IMPL_LANE
#undef SPOROS_IMPL_INDEX

  friend SPOROS_PACK_FUNCTION MaskType operator<(const Pack& a, const Pack& b) {
    return MaskType::compare(a.v, b.v, Impl::Less{});
  }
  friend SPOROS_PACK_FUNCTION MaskType operator<=(const Pack& a,
                                                  const Pack& b) {
    return MaskType::compare(a.v, b.v, Impl::LessEqual{});
  }
  friend SPOROS_PACK_FUNCTION MaskType operator>(const Pack& a, const Pack& b) {
    return b < a;
  }
  friend SPOROS_PACK_FUNCTION MaskType operator>=(const Pack& a,
                                                  const Pack& b) {
    return b <= a;
  }
  friend SPOROS_PACK_FUNCTION MaskType operator==(const Pack& a,
                                                  const Pack& b) {
    return MaskType::compare(a.v, b.v, Impl::Equal{});
  }
  friend SPOROS_PACK_FUNCTION MaskType operator!=(const Pack& a,
                                                  const Pack& b) {
    return MaskType::compare(a.v, b.v, Impl::NotEqual{});
  }
  /// Lane by lane a where m, else b.
  friend SPOROS_PACK_FUNCTION Pack select(const MaskType& m, const Pack& a,
                                          const Pack& b) {
    Pack c;
    m.choose(a.v, b.v, c.v);
    return c;
  }
  /// Lane by lane the smaller or the larger one, a where they are equal; NaN
  /// where one of them is.
  friend SPOROS_PACK_FUNCTION Pack min(const Pack& a, const Pack& b) {
    return nan_or(b, select_less(b, a, b, a));
  }
  friend SPOROS_PACK_FUNCTION Pack max(const Pack& a, const Pack& b) {
    return nan_or(b, select_less(a, b, b, a));
  }
};

}  // namespace Sporos

#endif
