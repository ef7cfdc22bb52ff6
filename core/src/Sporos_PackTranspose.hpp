// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef SPOROS_PACKTRANSPOSE_HPP
#define SPOROS_PACKTRANSPOSE_HPP

/// \file Sporos_PackTranspose.hpp
/// Transposes between W rows of N components in memory and N packs.
///
/// Rows are cut into pieces of a power of two of components. A register holds
/// the pieces of several lanes: register j of a piece of K components those of
/// lanes j, j + K, j + 2 K, ... Then log2 K stages of two-register shuffles,
/// each exchanging one bit of a lane's number with one of a component's, leave
/// component j of all lanes in register j (Eklundh, A fast computer method for
/// matrix transposing, 1972). Each stage undoes itself, so that the same
/// stages lead back.

#include <Sporos_PackType.hpp>

namespace Sporos {
namespace Impl {

/// Components [first, first + size) of a row.
struct RowPiece {
  int first, size;
};

/// The piece that begins at `first` of n components, in registers of `lanes`;
/// if they may overlap, the last one begins earlier rather than being narrow.
KOKKOS_FUNCTION constexpr RowPiece row_piece(int first, int n, int lanes,
                                             bool overlap) {
  const int rest = n - first;
  int wide       = 2;
  while (wide < rest) wide *= 2;
  if (overlap && first > 0 && wide <= lanes && wide <= n)
    return {n - wide, wide};
  int size = 1;
  while (2 * size <= rest && 2 * size <= lanes) size *= 2;
  return {first, size};
}

#ifdef SPOROS_PACK_SHUFFLES

template <class T, int K>
SPOROS_ALWAYS_INLINE auto load_piece(const T* p) {
  if constexpr (K == 1)
    return *p;
  else
    return Vector<T, K>(
        *reinterpret_cast<const typename Register<T, K>::unaligned*>(p));
}

/// (a, b) as one vector.
template <class V, int... I>
SPOROS_ALWAYS_INLINE auto join(V a, V b, std::integer_sequence<int, I...>) {
  return __builtin_shufflevector(a, b, I...);
}
template <class T, int N>
SPOROS_ALWAYS_INLINE Vector<T, 2 * N> join(Vector<T, N> a, Vector<T, N> b) {
  using R [[maybe_unused]] = Vector<T, 2 * N>;
// GCC would shuffle registers. The insertion takes its second half from memory.
#if defined(__AVX__) && !defined(__clang__)
  if constexpr (sizeof(a) == 16) {
    const auto low = reinterpret_cast<Vector<double, 2>>(a);
    return reinterpret_cast<R>(__builtin_ia32_vinsertf128_pd256(
        __builtin_shufflevector(low, low, 0, 1, -1, -1),
        reinterpret_cast<Vector<double, 2>>(b), 1));
  }
#endif
#if defined(__AVX512F__) && !defined(__clang__)
  if constexpr (sizeof(a) == 32) {
    const auto low = reinterpret_cast<Vector<double, 4>>(a);
    return reinterpret_cast<R>(__builtin_ia32_insertf64x4_mask(
        __builtin_shufflevector(low, low, 0, 1, 2, 3, -1, -1, -1, -1),
        reinterpret_cast<Vector<double, 4>>(b), 1, Vector<double, 8>{}, -1));
  }
#endif
  return join(a, b, std::make_integer_sequence<int, 2 * N>{});
}

/// Pieces of K components of `Count` lanes, First, First + Step, ..., in one
/// vector.
template <class T, int K, int Count, int First, int Step, class Rows>
SPOROS_ALWAYS_INLINE auto join_pieces(const Rows& rows, int component) {
  if constexpr (Count == 1) {
    return load_piece<T, K>(rows(First) + component);
  } else if constexpr (Count == 2 && K == 1) {
    return Vector<T, 2>{rows(First)[component], rows(First + Step)[component]};
  } else {
    constexpr int half = Count / 2;
    return join<T, K * half>(
        join_pieces<T, K, half, First, Step>(rows, component),
        join_pieces<T, K, half, First + half * Step, Step>(rows, component));
  }
}

/// Exchanges bit S of the lane with that of the register: (a, b) are two
/// registers whose numbers differ in it.
template <int S, class V, int... I>
SPOROS_ALWAYS_INLINE void exchange_bit(V& a, V& b,
                                       std::integer_sequence<int, I...>) {
  constexpr int L = sizeof...(I);
  const V low     = __builtin_shufflevector(a, b, (I & S ? L + I - S : I)...);
  const V high    = __builtin_shufflevector(a, b, (I & S ? L + I : I + S)...);
  a               = low;
  b               = high;
}

/// K registers of pieces to K registers of components, and back.
template <class T, int L, int K, int S = 1>
SPOROS_ALWAYS_INLINE void transpose_pieces(Vector<T, L>* t) {
  if constexpr (S < K) {
    static_for<K>([&](auto j) SPOROS_INLINE_LAMBDA {
      if constexpr ((j & S) == 0)
        exchange_bit<S>(t[j], t[j + S], std::make_integer_sequence<int, L>{});
    });
    transpose_pieces<T, L, K, 2 * S>(t);
  }
}

/// Loads components First, ... of the rows.
template <int First, int N, class T, int W, class Rows>
SPOROS_ALWAYS_INLINE void load_pieces(Pack<T, W> (&out)[N], const Rows& rows) {
  if constexpr (First < N) {
    constexpr int L          = Pack<T, W>::lanes;
    constexpr RowPiece piece = row_piece(First, N, L, true);
    constexpr int K          = piece.size;
    static_for<Pack<T, W>::registers>([&](auto r) SPOROS_INLINE_LAMBDA {
      Vector<T, L> t[K];
      static_for<K>([&](auto j) SPOROS_INLINE_LAMBDA {
        t[j] = join_pieces<T, K, L / K, r * L + j, K>(rows, piece.first);
      });
      transpose_pieces<T, L, K>(t);
      static_for<K>([&](auto j) SPOROS_INLINE_LAMBDA {
        out[piece.first + j].v[r] = t[j];
      });
    });
    load_pieces<piece.first + K>(out, rows);
  }
}

/// The rows of all slots of W lanes, as pieces in registers.
template <class T, int W, int Slots, int N>
struct RowPieces {
  static constexpr int L         = Pack<T, W>::lanes;
  static constexpr int registers = Pack<T, W>::registers;

  Vector<T, L> m_piece[registers][Slots][N];

  SPOROS_ALWAYS_INLINE explicit RowPieces(const Pack<T, W> (&in)[Slots][N]) {
    static_for<registers>([&](int r) SPOROS_INLINE_LAMBDA {
      static_for<Slots>([&](int a) SPOROS_INLINE_LAMBDA {
        static_for<N>([&](int c) SPOROS_INLINE_LAMBDA {
          m_piece[r][a][c] = in[a][c].v[r];
        });
        transpose_from<0>(m_piece[r][a]);
      });
    });
  }

  /// f(T* address, piece) for the pieces of one lane's row of one slot.
  template <int Lane, int Slot, int First = 0, class F>
  SPOROS_ALWAYS_INLINE void visit(T* row, const F& f) const {
    if constexpr (First < N) {
      constexpr int K = row_piece(First, N, L, false).size;
      constexpr int l = Lane % L;
      const auto& t   = m_piece[Lane / L][Slot][First + l % K];
      f(row + First, part<l / K * K>(t, std::make_integer_sequence<int, K>{}));
      visit<Lane, Slot, First + K>(row, f);
    }
  }

 private:
  template <int First>
  static SPOROS_ALWAYS_INLINE void transpose_from(Vector<T, L> (&t)[N]) {
    if constexpr (First < N) {
      constexpr int K = row_piece(First, N, L, false).size;
      transpose_pieces<T, L, K>(t + First);
      transpose_from<First + K>(t);
    }
  }
  template <int Begin, int... I>
  static SPOROS_ALWAYS_INLINE auto part(const Vector<T, L>& t,
                                        std::integer_sequence<int, I...>) {
    if constexpr (sizeof...(I) == 1)
      return t[Begin];
    else
      return __builtin_shufflevector(t, t, (Begin + I)...);
  }
};

#else

/// Without shuffles: the packs themselves, a lane at a time.
template <class T, int W, int Slots, int N>
struct RowPieces {
  const Pack<T, W> (&m_in)[Slots][N];

  SPOROS_ALWAYS_INLINE explicit RowPieces(const Pack<T, W> (&in)[Slots][N])
      : m_in(in) {}

  template <int Lane, int Slot, class F>
  SPOROS_ALWAYS_INLINE void visit(T* row, const F& f) const {
    for (int c = 0; c < N; ++c) f(row + c, m_in[Slot][c][Lane]);
  }
};

#endif

/// What is done with a piece: written or added.
struct StorePiece {
  template <class T>
  SPOROS_ALWAYS_INLINE void operator()(T* p, T piece) const {
    *p = piece;
  }
#ifdef SPOROS_PACK_SHUFFLES
  template <class T, class V>
  SPOROS_ALWAYS_INLINE void operator()(T* p, V piece) const {
    using U = typename Register<T, sizeof(V) / sizeof(T)>::unaligned;
    *reinterpret_cast<U*>(p) = piece;
  }
#endif
};

struct AddPiece {
  template <class T>
  SPOROS_ALWAYS_INLINE void operator()(T* p, T piece) const {
    *p += piece;
  }
#ifdef SPOROS_PACK_SHUFFLES
  template <class T, class V>
  SPOROS_ALWAYS_INLINE void operator()(T* p, V piece) const {
    using U = typename Register<T, sizeof(V) / sizeof(T)>::unaligned;
    U& row  = *reinterpret_cast<U*>(p);
    row     = row + piece;
  }
#endif
};

}  // namespace Impl
}  // namespace Sporos

#endif
