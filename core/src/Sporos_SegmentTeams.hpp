// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef SPOROS_SEGMENTTEAMS_HPP
#define SPOROS_SEGMENTTEAMS_HPP

/// \file Sporos_SegmentTeams.hpp
/// How teams of devices find segments and sum them (use
/// Sporos_SegmentedReduce.hpp). Neighbouring threads read neighbouring elements
/// and write neighbouring segments; what lies between is done in scratch.

#include <Sporos_EngineConstants.hpp>
#include <Sporos_KokkosCompat.hpp>
#include <Sporos_PaddedArray.hpp>
#include <Sporos_SegmentKernels.hpp>

#include <cstddef>
#include <cstdint>
#include <limits>
#include <type_traits>

namespace Sporos {

template <class T, int N>
struct SmallArray;

namespace Impl {

/// Finds the starts of segments: teams mark the starts of their chunk and count
/// them, counts become places, teams write.
template <class Exec, class Keys, class Offsets, class Count, class Unique>
struct FindSegmentsTeams {
  using Member     = typename Kokkos::TeamPolicy<Exec>::member_type;
  using Key        = typename Keys::non_const_value_type;
  using Bits       = std::uint16_t;
  using value_type = int;

  struct Mark {};
  struct Places {};
  struct Write {};

  // few for large keys, so that those of a chunk fit into scratch
  static constexpr int threads  = sizeof(Key) <= 8
                                      ? EngineTuning<Exec>::reduce_team_size
                                      : EngineTuning<Exec>::reduce_few_threads;
  static constexpr int items    = 16;  // of a thread
  static constexpr int elements = threads * items;

  Keys m_keys;
  Offsets m_offsets;
  Count m_count;
  Unique m_unique;
  int m_n;
  int* m_places;   // of chunks: their segments, then the segments before
  Bits* m_starts;  // of threads: bit k if item k starts a segment

  static int chunks(int n) { return ceil_div(n, elements); }
  /// 64-bit words of memory for m_places and m_starts
  static std::size_t words(int n) {
    return places_words(n) + std::size_t(chunks(n)) * threads / 4;
  }
  static std::size_t places_words(int n) {
    return (std::size_t(chunks(n)) + 1) / 2;
  }
  static int mark_bytes() {
    return int(sizeof(Key) * PaddedArray<Key>::room(elements) + alignof(Key)) +
           64;
  }
  static int write_bytes() {
    return int(sizeof(int) * PaddedArray<int>::room(elements)) + 64;
  }

  KOKKOS_INLINE_FUNCTION void operator()(Mark, const Member& member) const {
    const int chunk = member.league_rank(), thread = member.team_rank();
    const int begin = chunk * elements;
    const int size  = Math::min(m_n - begin, elements);
    const PaddedArray<Key> keys{
        static_cast<Key*>(member.team_scratch(0).get_shmem_aligned(
            sizeof(Key) * PaddedArray<Key>::room(elements), alignof(Key)))};
    for (int i = thread; i < size; i += threads) keys[i] = m_keys(begin + i);
    member.team_barrier();
    const int from = thread * items, end = Math::min(items, size - from);
    unsigned bits = 0;
    if (end > 0) {
      Key before = keys[Math::max(from - 1, 0)];
      if (from == 0)
        bits = begin == 0 || Key(m_keys(begin - 1)) != before ? 1u : 0u;
      SPOROS_UNROLL
      for (int k = 0; k < items; ++k) {
        if (k >= end) continue;
        const Key key = keys.at(from, k);
        bits |= (key != before ? 1u : 0u) << k;
        before = key;
      }
    }
    m_starts[std::size_t(chunk) * threads + thread] = static_cast<Bits>(bits);
    int found                                       = popcount(bits);
    member.team_reduce(Kokkos::Sum<int>(found));
    if (thread == 0) m_places[chunk] = found;
  }

  /// At least one iteration; the last one closes the last segment.
  KOKKOS_INLINE_FUNCTION void operator()(Places, int chunk, int& segments,
                                         bool final) const {
    const int chunks = ceil_div(m_n, elements);
    const int found  = chunk < chunks ? m_places[chunk] : 0;
    if (final) {
      if (chunk < chunks) m_places[chunk] = segments;
      if (chunk + 1 >= chunks) {
        m_offsets(segments + found) = m_n;
        m_count()                   = segments + found;
      }
    }
    segments += found;
  }

  KOKKOS_INLINE_FUNCTION void operator()(Write, const Member& member) const {
    const int chunk = member.league_rank(), thread = member.team_rank();
    const PaddedArray<int> starts{
        team_scratch<int>(member, PaddedArray<int>::room(elements))};
    const unsigned bits = m_starts[std::size_t(chunk) * threads + thread];
    int at              = member.team_scan(popcount(bits));
    SPOROS_UNROLL
    for (int k = 0; k < items; ++k)
      if ((bits >> k & 1u) != 0) starts[at++] = thread * items + k;
    member.team_barrier();
    const int begin = chunk * elements, first = m_places[chunk];
    const int past =
        m_n - begin > elements ? m_places[chunk + 1] : int(m_count());
    for (int s = thread; s < past - first; s += threads) {
      const int i          = begin + starts[s];
      m_offsets(first + s) = i;
      if constexpr (!std::is_same<Unique, NoView>::value)
        m_unique(first + s) = Key(m_keys(i));
    }
  }
};

/// The numbers that a value consists of, which are added one by one.
template <class V>
struct SegmentColumns {
  using type                 = V;
  static constexpr int count = 1;

  KOKKOS_FORCEINLINE_FUNCTION static const V& get(const V& value, int) {
    return value;
  }
  template <class Number>
  KOKKOS_FORCEINLINE_FUNCTION static V make(const Number& number) {
    return number(0);
  }
};
template <class T, int N>
struct SegmentColumns<SmallArray<T, N>> {
  using type                 = T;
  static constexpr int count = N;

  KOKKOS_FORCEINLINE_FUNCTION static const T& get(const SmallArray<T, N>& value,
                                                  int k) {
    return value[k];
  }
  template <class Number>
  KOKKOS_FORCEINLINE_FUNCTION static SmallArray<T, N> make(
      const Number& number) {
    SmallArray<T, N> value;
    SPOROS_UNROLL
    for (int k = 0; k < N; ++k) value[k] = number(k);
    return value;
  }
};

/// Elements in the chunk of a team: few enough bytes for many teams at a time.
template <class V, class Tuning>
constexpr int segment_team_elements() {
  constexpr int threads = Tuning::threads;
  constexpr int fit = int(8 * threads * Tuning::items / sizeof(V)) / threads;
  return threads * (fit > 0 ? fit : 1);
}

/// Level 0 of SegmentKernels. The values of a chunk are cut into pieces of a
/// fixed number. A thread adds up one column of one piece: the sum of what each
/// segment has in it stands where the segment, or the piece, starts. Then a
/// thread per segment adds the sums of pieces.
template <class Exec, class Kernels, class V, class Tuning>
struct SegmentTeams {
  using Member  = typename Kokkos::TeamPolicy<Exec>::member_type;
  using Columns = SegmentColumns<V>;
  using Number  = typename Columns::type;
  using Word    = std::uint32_t;

  static constexpr int threads  = Tuning::threads;
  static constexpr int piece    = Tuning::items;
  static constexpr int elements = segment_team_elements<V, Tuning>();
  static constexpr int pieces   = elements / piece;
  static constexpr int bits     = std::numeric_limits<Word>::digits;
  static_assert(threads % bits == 0 && bits % piece == 0,
                "Sporos::segmented_reduce: pieces have whole words of marks");
  static constexpr std::size_t pitch = PaddedArray<Number>::room(elements);

  Kernels m_kernels;

  static int bytes() {
    return int(sizeof(Number) * pitch * Columns::count + alignof(Number)) +
           elements / 8 + 64;
  }

  struct Chunk {
    int begin;
    int size;
    Number* values;
    Word* marks;  // bit i % bits of word i / bits: does a segment start there?

    KOKKOS_INLINE_FUNCTION PaddedArray<Number> column(int k) const {
      return PaddedArray<Number>{values + std::size_t(k) * pitch};
    }
  };

  KOKKOS_INLINE_FUNCTION void operator()(const Member& member) const {
    const int begin = member.league_rank() * elements;
    const Chunk chunk{
        begin, Math::min(m_kernels.m_n - begin, elements),
        static_cast<Number*>(member.team_scratch(0).get_shmem_aligned(
            sizeof(Number) * pitch * Columns::count, alignof(Number))),
        team_scratch<Word>(member, elements / bits)};
    int* const first = team_scratch<int>(member, 1);
    const int thread = member.team_rank();
    for (int w = thread; w < elements / bits; w += threads) chunk.marks[w] = 0;
    if (thread == 0) *first = m_kernels.segment_of(begin);
    load(chunk, thread);
    member.team_barrier();
    mark(chunk, *first + 1 + thread);
    member.team_barrier();
    for (int w = thread; w < pieces * Columns::count; w += threads)
      sum_piece(chunk, w / pieces, w % pieces * piece);
    member.team_barrier();
    sum_segments(chunk, member.league_rank(), *first + thread);
  }

 private:
  KOKKOS_INLINE_FUNCTION void load(const Chunk& chunk, int thread) const {
    for (int i = thread; i < chunk.size; i += threads) {
      const V value = m_kernels.m_value(chunk.begin + i);
      SPOROS_UNROLL
      for (int k = 0; k < Columns::count; ++k)
        chunk.column(k)[i] = Columns::get(value, k);
    }
  }

  KOKKOS_INLINE_FUNCTION void mark(const Chunk& chunk, int q) const {
    const int count = static_cast<int>(m_kernels.m_count());
    for (; q < count; q += threads) {
      const int at = m_kernels.start(q) - chunk.begin;
      if (at >= chunk.size) break;
      Kokkos::atomic_fetch_or(&chunk.marks[at / bits], Word(1) << (at % bits));
    }
  }

  KOKKOS_INLINE_FUNCTION void sum_piece(const Chunk& chunk, int k,
                                        int from) const {
    if (from >= chunk.size) return;
    const PaddedArray<Number> column = chunk.column(k);
    const Word marks = chunk.marks[from / bits] >> (from % bits);
    Number sum       = column.at(from, 0);
    int start        = 0;
    SPOROS_UNROLL
    for (int j = 1; j < piece; ++j) {
      if (from + j >= chunk.size) continue;
      const Number number = column.at(from, j);
      if ((marks >> j & 1u) != 0) {
        column.at(from, start) = sum;
        start                  = j;
        sum                    = number;
      } else {
        sum += number;
      }
    }
    column.at(from, start) = sum;
  }

  KOKKOS_INLINE_FUNCTION void sum_segments(const Chunk& chunk, int number,
                                           int q) const {
    const SegmentParts<V>& parts = m_kernels.m_parts[0];
    const int count              = static_cast<int>(m_kernels.m_count());
    for (; q < count; q += threads) {
      const int start = m_kernels.start(q) - chunk.begin;
      const int end   = m_kernels.end(q) - chunk.begin;
      if (start >= chunk.size) break;
      if (start == end) continue;
      const bool runs_in = start<0, runs_out = end> chunk.size;
      const V sum =
          sum_of(chunk, runs_in ? 0 : start, runs_out ? chunk.size : end);
      if (runs_in)
        parts.m_head[number] = sum;
      else if (runs_out)
        parts.m_tail[number] = sum;
      else
        m_kernels.m_write(q, sum);
      if (start <= 0) parts.m_enter[number] = runs_in ? q : -1;
      if (end >= chunk.size)
        parts.m_leave[number] = runs_out && !runs_in ? q : -1;
    }
  }

  KOKKOS_INLINE_FUNCTION V sum_of(const Chunk& chunk, int from, int to) const {
    return Columns::make([&](int k) {
      const PaddedArray<Number> column = chunk.column(k);
      Number sum                       = column[from];
      for (int next = (from / piece + 1) * piece; next < to; next += piece)
        sum += column[next];
      return sum;
    });
  }
};

}  // namespace Impl
}  // namespace Sporos

#endif
