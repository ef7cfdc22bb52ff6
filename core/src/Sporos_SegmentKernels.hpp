// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef SPOROS_SEGMENTKERNELS_HPP
#define SPOROS_SEGMENTKERNELS_HPP

/// \file Sporos_SegmentKernels.hpp
/// The kernels of find_segments and segmented_reduce (use
/// Sporos_SegmentedReduce.hpp).

#include <Sporos_KokkosCompat.hpp>

#include <cstddef>
#include <cstdint>
#include <type_traits>

namespace Sporos {
namespace Impl {

/// In place of a view that is not wanted.
struct NoView {};

/// Scan over chunks of keys; the last one closes the last segment. For hosts.
template <class Keys, class Offsets, class Count, class Unique, int Items>
struct FindSegments {
  using value_type = int;
  using Key        = typename Keys::non_const_value_type;

  Keys m_keys;
  Offsets m_offsets;
  Count m_count;
  Unique m_unique;
  int m_n;

  static int chunks(int n) { return n == 0 ? 1 : ceil_div(n, Items); }

  KOKKOS_INLINE_FUNCTION int starts(int i) const {
    return m_keys(i) != m_keys(i - 1) ? 1 : 0;
  }

  KOKKOS_INLINE_FUNCTION void operator()(int chunk, int& segments,
                                         bool final) const {
    const int begin = chunk * Items;
    const int end   = m_n - begin < Items ? m_n : begin + Items;
    int found       = begin == 0 && end > 0 ? 1 : 0;
    for (int i = begin == 0 ? 1 : begin; i < end; ++i) found += starts(i);
    if (final) {
      write(begin, segments, segments + found);
      if (end == m_n) {
        m_offsets(segments + found) = m_n;
        m_count()                   = segments + found;
      }
    }
    segments += found;
  }

  /// Segments `segment` to `stop` start at i or later: without branches, each
  /// element is a start until the next one knows better.
  KOKKOS_INLINE_FUNCTION void write(int i, int segment, int stop) const {
    if (i == 0 && segment < stop) put(segment++, i++);
    for (; segment < stop; ++i) {
      put(segment, i);
      segment += starts(i);
    }
  }

  KOKKOS_INLINE_FUNCTION void put(int segment, int i) const {
    m_offsets(segment) = i;
    if constexpr (!std::is_same<Unique, NoView>::value)
      m_unique(segment) = Key(m_keys(i));  // of atomic Views, a reference
  }
};

/// What the chunks of one level leave for the next.
template <class V>
struct SegmentParts {
  V* m_head;     // sum of the chunk's elements of the segment that runs in
  V* m_tail;     // sum of those of the segment that starts inside and runs out
  int* m_enter;  // segment that runs in, or -1
  int* m_leave;  // segment that starts inside and runs out, or -1
};

/// Level 0 cuts the elements into chunks (on devices: Sporos_SegmentTeams.hpp).
/// Of a segment over several chunks the
/// first holds a tail, the others a head each. Level 1 cuts these heads into
/// chunks, and so on; then the owner of a tail of the last level adds up what
/// heads are left.
/// Items: elements in a chunk of level 0.
template <class V, class Offsets, class Count, class Value, class Write,
          class Tuning, int Items>
struct SegmentKernels {
  static constexpr int max_levels = 8;

  struct Elements {};
  struct Heads {};
  struct Owners {};

  Offsets m_offsets;
  Count m_count;
  Value m_value;
  Write m_write;
  SegmentParts<V> m_parts[max_levels];
  int m_n;      // elements
  int m_level;  // of the step to run
  int m_size;   // Heads: how many there are

  KOKKOS_FUNCTION static constexpr int items(int level) {
    return level == 0 ? Items : Tuning::head_items;
  }

  KOKKOS_INLINE_FUNCTION int segment_of(int i) const {
    return segment_at(m_offsets, static_cast<int>(m_count()), i);
  }
  KOKKOS_INLINE_FUNCTION int start(int segment) const {
    return static_cast<int>(m_offsets(segment));
  }
  KOKKOS_INLINE_FUNCTION int end(int segment) const {
    return static_cast<int>(m_offsets(segment + 1));
  }

  KOKKOS_INLINE_FUNCTION V sum_elements(int from, int to) const {
    V sum = m_value(from);
    for (int i = from + 1; i < to; ++i) sum += m_value(i);
    return sum;
  }

  KOKKOS_INLINE_FUNCTION void operator()(Elements, int chunk) const {
    const SegmentParts<V>& parts = m_parts[0];
    const int begin              = chunk * items(0);
    const int stop = m_n - begin < items(0) ? m_n : begin + items(0);
    int segment    = segment_of(begin);
    int i          = begin;
    int enter = -1, leave = -1;
    if (start(segment) < begin) {
      const int to        = Math::min(end(segment), stop);
      parts.m_head[chunk] = sum_elements(begin, to);
      enter               = segment;
      i                   = to;
      ++segment;
    }
    for (; i < stop; ++segment) {
      const int to = end(segment);
      if (to == i) continue;  // empty
      if (to > stop) {
        parts.m_tail[chunk] = sum_elements(i, stop);
        leave               = segment;
        break;
      }
      m_write(segment, sum_elements(i, to));
      i = to;
    }
    parts.m_enter[chunk] = enter;
    parts.m_leave[chunk] = leave;
  }

  /// The heads of a segment that a level leaves, first to last; the chunk
  /// before the first one holds its tail.
  struct Range {
    int first;
    int last;
  };
  KOKKOS_INLINE_FUNCTION Range heads_of(int segment, int level) const {
    Range heads{start(segment) / items(0) + 1, (end(segment) - 1) / items(0)};
    for (int l = 1; l <= level; ++l)
      heads = Range{heads.first / items(l) + 1, heads.last / items(l)};
    return heads;
  }

  KOKKOS_INLINE_FUNCTION static V sum_heads(const V* head, int from, int to) {
    V sum = head[from];
    for (int c = from + 1; c < to; ++c) sum += head[c];
    return sum;
  }

  /// heads: the sum of all heads that `level` left of the segment.
  KOKKOS_INLINE_FUNCTION void finish(int segment, int level,
                                     const V& heads) const {
    V sum = heads;
    for (int l = level; l >= 0; --l) {
      V total = m_parts[l].m_tail[heads_of(segment, l).first - 1];
      total += sum;
      sum = total;
    }
    m_write(segment, sum);
  }

  KOKKOS_INLINE_FUNCTION void operator()(Heads, int chunk) const {
    const SegmentParts<V>& from = m_parts[m_level - 1];
    const SegmentParts<V>& to   = m_parts[m_level];
    const int begin             = chunk * items(m_level);
    const int stop =
        m_size - begin < items(m_level) ? m_size : begin + items(m_level);
    int enter = -1, leave = -1;
    for (int c = begin; c < stop;) {
      const int segment = from.m_enter[c];
      if (segment < 0) {
        ++c;
        continue;
      }
      const Range heads = heads_of(segment, m_level - 1);
      const int past    = Math::min(heads.last + 1, stop);
      const V sum       = sum_heads(from.m_head, c, past);
      if (heads.first < begin) {
        to.m_head[chunk] = sum;
        enter            = segment;
      } else if (heads.last >= stop) {
        to.m_tail[chunk] = sum;
        leave            = segment;
      } else {
        finish(segment, m_level - 1, sum);
      }
      c = past;
    }
    to.m_enter[chunk] = enter;
    to.m_leave[chunk] = leave;
  }

  KOKKOS_INLINE_FUNCTION void operator()(Owners, int chunk) const {
    const int segment = m_parts[m_level].m_leave[chunk];
    if (segment < 0) return;
    const Range heads = heads_of(segment, m_level);
    finish(segment, m_level,
           sum_heads(m_parts[m_level].m_head, heads.first, heads.last + 1));
  }
};

}  // namespace Impl
}  // namespace Sporos

#endif
