// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef SPOROS_PACKROWS_HPP
#define SPOROS_PACKROWS_HPP

/// \file Sporos_PackRows.hpp
/// Reads and writes the components of W elements anywhere in memory.
///
/// The N components of an element are a short row in memory. Each row is loaded
/// register by register, and W rows are transposed by shuffles, so that
/// component c of all elements is one pack. Gather instructions would cost a
/// load per lane and component. Additions go the other way, row after row in
/// the order of the elements, so that elements of a pack may share a row. Only
/// the N components of a row are accessed.
///
/// A functor names the rows: rows(lane) is the address of the first component
/// of a lane's element.

#include <Sporos_PackTranspose.hpp>

#include <cstddef>

namespace Sporos {

/// The rows of W consecutive elements.
template <class T>
struct StridedRows {
  T* base;                    ///< the row of lane 0
  std::ptrdiff_t row_stride;  ///< from lane to lane, in values

  /// The row of a lane.
  KOKKOS_FORCEINLINE_FUNCTION T* operator()(int lane) const {
    return base + lane * row_stride;
  }
};

namespace Impl {

/// Each lane in order, each slot in order: what the scalar loop does.
template <class What, class T, int W, int Slots, int N, class Rows>
SPOROS_ALWAYS_INLINE void visit_rows(const Pack<T, W> (&in)[Slots][N],
                                     const Rows& rows) {
  const RowPieces<T, W, Slots, N> pieces(in);
  static_for<W>([&](auto lane) SPOROS_INLINE_LAMBDA {
    static_for<Slots>([&](auto slot) SPOROS_INLINE_LAMBDA {
      pieces.template visit<lane, slot>(rows(int(lane), int(slot)), What{});
    });
  });
}

/// Each lane in order, each slot in order, for rows whose components lie
/// component_stride apart.
template <class What, class T, int W, int Slots, int N, class Rows>
inline void visit_elements(const Pack<T, W> (&in)[Slots][N], const Rows& rows,
                           std::ptrdiff_t component_stride) {
  for (int lane = 0; lane < W; ++lane)
    for (int slot = 0; slot < Slots; ++slot) {
      T* const row = rows(lane, slot);
      for (int c = 0; c < N; ++c)
        What{}(row + c * component_stride, in[slot][c][lane]);
    }
}

/// Rows of one slot where those of several are asked for.
template <class Rows>
struct OneSlot {
  const Rows& rows;
  SPOROS_ALWAYS_INLINE auto operator()(int lane, int) const {
    return rows(lane);
  }
};

/// An array of N packs as one slot.
template <class T, int W, int N>
SPOROS_ALWAYS_INLINE const Pack<T, W> (
    &one_slot(const Pack<T, W> (&in)[N]))[1][N] {
  return reinterpret_cast<const Pack<T, W>(&)[1][N]>(in);
}

}  // namespace Impl

/// out[c] lane l = rows(l)[c * component_stride], for any strides.
template <class T, int W, int N, class Rows>
SPOROS_ALWAYS_INLINE void load_elements(Pack<T, W> (&out)[N], const Rows& rows,
                                        std::ptrdiff_t component_stride) {
  for (int c = 0; c < N; ++c)
    out[c] = Pack<T, W>::generate(
        [&](int lane) { return rows(lane)[c * component_stride]; });
}

/// out[c] lane l = rows(l)[c]
template <class T, int W, int N, class Rows>
SPOROS_ALWAYS_INLINE void load_transposed(Pack<T, W> (&out)[N],
                                          const Rows& rows) {
#ifdef SPOROS_PACK_SHUFFLES
  if constexpr (W > 1)
    Impl::load_pieces<0>(out, rows);
  else
#endif
    load_elements(out, rows, 1);
}

// Writing and adding, row by row in the order of the lanes; of several slots
// lane 0: slot 0, 1, ...; lane 1: slot 0, 1, ...; rows(lane, slot).
#define SPOROS_IMPL_ROWS(verb, What)                                           \
  template <class T, int W, int Slots, int N, class Rows>                      \
  SPOROS_ALWAYS_INLINE void verb##_transposed(const Pack<T, W>(&in)[Slots][N], \
                                              const Rows& rows) {              \
    Impl::visit_rows<What>(in, rows);                                          \
  }                                                                            \
  template <class T, int W, int N, class Rows>                                 \
  SPOROS_ALWAYS_INLINE void verb##_transposed(const Pack<T, W>(&in)[N],        \
                                              const Rows& rows) {              \
    Impl::visit_rows<What>(Impl::one_slot(in), Impl::OneSlot<Rows>{rows});     \
  }                                                                            \
  template <class T, int W, int Slots, int N, class Rows>                      \
  inline void verb##_elements(const Pack<T, W>(&in)[Slots][N],                 \
                              const Rows& rows,                                \
                              std::ptrdiff_t component_stride) {               \
    Impl::visit_elements<What>(in, rows, component_stride);                    \
  }                                                                            \
  template <class T, int W, int N, class Rows>                                 \
  inline void verb##_elements(const Pack<T, W>(&in)[N], const Rows& rows,      \
                              std::ptrdiff_t component_stride) {               \
    Impl::visit_elements<What>(Impl::one_slot(in), Impl::OneSlot<Rows>{rows},  \
                               component_stride);                              \
  }
SPOROS_IMPL_ROWS(store, Impl::StorePiece)
SPOROS_IMPL_ROWS(add, Impl::AddPiece)
#undef SPOROS_IMPL_ROWS

}  // namespace Sporos

#endif
