// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef SPOROS_NEARBORDERS_HPP
#define SPOROS_NEARBORDERS_HPP

/// \file Sporos_NearBorders.hpp
/// Which points of a rank are near the borders of its block.

#include <distributed/grids/Sporos_GhostLayers.hpp>
#include <particle_grid/bins/Sporos_BinKernels.hpp>

#include <cstdint>
#include <cstring>
#include <type_traits>
#include <utility>

namespace Sporos {
namespace Impl {

/// The borders of a block that a point is near, in one byte: bit 2 d says the
/// lower one in direction d, bit 2 d + 1 the upper one.
template <int Dim>
struct Borders {
  /// How many blocks around the own one the point touches.
  KOKKOS_FORCEINLINE_FUNCTION static int touched(std::uint8_t near) {
    int n = 1;
    for (int d = 0; d < Dim; ++d)
      n *= 1 + (near >> 2 * d & 1) + (near >> (2 * d + 1) & 1);
    return n - 1;
  }
  static constexpr int codes = direction_codes<Dim>;
  /// Does the point touch the block in that direction?
  static bool touches(int near, int code) {
    for (int d = 0; d < Dim; ++d, code /= 3, near >>= 2)
      if (code % 3 != 1 && (near >> code % 3 / 2 & 1) == 0) return false;
    return true;
  }
};

/// Finds for `Block` consecutive points at a time which borders they are near,
/// the first point that is not finite and the first one of another block, and
/// how many copies of points other blocks need.
template <class Locator, class Positions, int Dim, int Block>
struct FindBorders {
  using Real = std::decay_t<decltype(std::declval<Locator>().origin[0])>;
  Locator locator;
  Positions positions;
  std::uint8_t* near;
  int n, rank;
  Real begin[Dim], end[Dim];  ///< the own block, in cells
  Real low[Dim], high[Dim];   ///< a point below, or from here on, is near

  KOKKOS_FUNCTION void operator()(int b, int& not_finite, int& elsewhere,
                                  std::int64_t& copies) const {
    const int first = b * Block;
    const int count = n - first < Block ? n - first : Block;
    if (Block > 1)
      whole_block(first, count, not_finite, elsewhere, copies);
    else
      one_point(first, not_finite, elsewhere, copies);
  }

 private:
  /// Loops that compilers vectorise, for the points that lie in the own block.
  KOKKOS_FUNCTION void whole_block(int first, int count, int& not_finite,
                                   int& elsewhere, std::int64_t& copies) const {
    using Flag = LaneInteger<Real>;
    Real x[Dim][Block];
    load_coordinates(positions, first, count, x);
    Flag bits[Block], outside = 0;
    for (int i = 0; i < count; ++i) bits[i] = 0;
    for (int d = 0; d < Dim; ++d)
      for (int i = 0; i < count; ++i) {
        const Real at = (x[d][i] - locator.origin[d]) * locator.inverse_h[d];
        outside |= Flag(!(at >= begin[d])) | Flag(!(at < end[d]));
        bits[i] |= Flag(at < low[d]) << 2 * d;
        bits[i] |= Flag(at >= high[d]) << (2 * d + 1);
      }
    if (outside != 0) {
      for (int i = 0; i < count; ++i)
        one_point(first + i, not_finite, elsewhere, copies);
      return;
    }
    for (int i = 0; i < count; ++i) near[first + i] = std::uint8_t(bits[i]);
    int touched = 0;
    for (int i = 0; i < count; ++i)
      touched += Borders<Dim>::touched(near[first + i]);
    copies += touched;
  }

  KOKKOS_FUNCTION void one_point(int i, int& not_finite, int& elsewhere,
                                 std::int64_t& copies) const {
    using Found      = typename Locator::Found;
    int owner        = 0;
    std::uint8_t all = 0;
    for (int d = 0; d < Dim; ++d) {
      int cell         = 0;
      const Real x     = Real(positions(i, d));
      const auto found = locator.locate(d, x, cell);
      if (found == Found::not_finite && i < not_finite) not_finite = i;
      owner            = owner * locator.count[d] + locator.block(d, cell);
      const Real at    = (x - locator.origin[d]) * locator.inverse_h[d];
      const bool whole = !(at >= begin[d] && at < end[d]);  // wrapped: the cell
      if ((whole ? Real(cell) : at) < low[d])
        all = std::uint8_t(all | 1 << 2 * d);
      if ((whole ? Real(cell + 1) : at) >= high[d])
        all = std::uint8_t(all | 2 << 2 * d);
    }
    if (owner != rank && i < elsewhere) elsewhere = i;
    near[i] = all;
    copies += Borders<Dim>::touched(all);
  }
};

/// The keys by which copies of points are sorted, one for each block around the
/// own one to which they go.
template <int Dim>
struct CopyKeys {
  static constexpr int borders = 1 << 2 * Dim;
  /// Bit k: points that are near these borders go to the block of key k.
  std::uint32_t touched[borders] = {};
  int n                          = 0;  ///< how many there are

  /// Adds the block in a direction, and returns its key.
  int add(int code) {
    for (int near = 0; near < borders; ++near)
      if (Borders<Dim>::touches(near, code)) touched[near] |= 1u << n;
    return n++;
  }
};

/// Lists the copies of points that other blocks need by key, then point: counts
/// those of each key in blocks of consecutive points, adds the counts up, and
/// writes each point to its place.
template <class Exec, int Dim>
struct SortCopies {
  static constexpr int block =
      is_host_space_v<Exec> ? listed_points : listed_device_points;
  struct Count {};
  struct Add {};
  struct List {};

  const std::uint8_t* near;
  CopyKeys<Dim> keys;
  int n, blocks;  ///< blocks: at least 1
  int* counts;    ///< of key k and block b at k * blocks + b; and the end
  int* begins;    ///< of each key; and the end
  int* points;

  KOKKOS_FUNCTION void operator()(Count, int b) const {
    for (int k = 0; k < keys.n; ++k) counts[k * blocks + b] = 0;
    for_each(b, [&](int, int& count) { ++count; });
  }
  KOKKOS_FUNCTION void operator()(Add, int k, int& sum, bool final) const {
    const int count = k < keys.n * blocks ? counts[k] : 0;
    if (final) {
      counts[k] = sum;
      if (k % blocks == 0) begins[k / blocks] = sum;
    }
    sum += count;
  }
  KOKKOS_FUNCTION void operator()(List, int b) const {
    for_each(b, [&](int i, int& place) { points[place++] = i; });
  }

 private:
  /// Bit i: point i of 8 is near a border. Adding 127 sets the top bit of each
  /// byte from 1 to 128, and of no other one; the product gathers these bits in
  /// the top byte. (The first byte is the lowest, as on all machines of
  /// Kokkos.)
  KOKKOS_FORCEINLINE_FUNCTION static std::uint64_t near_of_eight(
      const std::uint8_t* near) {
    std::uint64_t bytes;
    std::memcpy(&bytes, near, sizeof bytes);
    bytes = (bytes + 0x7f7f7f7f7f7f7f7f) >> 7 & 0x0101010101010101;
    return bytes * 0x0102040810204080 >> 56;
  }
  /// f(point, count of its key) for each copy. Few points are near borders, and
  /// processors do not foresee which: they are found 64 at a time.
  template <class F>
  KOKKOS_FORCEINLINE_FUNCTION void for_each(int b, const F& f) const {
    const int end = n - b * block < block ? n : (b + 1) * block;
    for (int begin = b * block; begin < end; begin += 64) {
      const int count    = end - begin < 64 ? end - begin : 64;
      std::uint64_t some = 0;
      int first          = 0;
      for (; first + 8 <= count; first += 8)
        some |= near_of_eight(near + begin + first) << first;
      for (; first < count; ++first)
        some |= std::uint64_t(near[begin + first] != 0 ? 1 : 0) << first;
      for (; some != 0; some &= some - 1) {
        const int i        = begin + countr_zero(some);
        std::uint32_t left = keys.touched[near[i]];
        for (; left != 0; left &= left - 1)
          f(i, counts[countr_zero(left) * blocks + b]);
      }
    }
  }
};

}  // namespace Impl
}  // namespace Sporos

#endif
