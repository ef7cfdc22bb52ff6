// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef SPOROS_HOSTPARTITION_HPP
#define SPOROS_HOSTPARTITION_HPP

/// \file Sporos_HostPartition.hpp
/// Sorting many points on hosts whose kernels have finished when a launch
/// returns.
/// What: each point moves once, as a record with its fractions, into a bucket
///   of nearby cells; buckets are sorted in cache and written out.
/// Cost: two passes over records in long streams; the points are never read in
///   random order, which is what sorting keys and gathering would do.
/// Wins: from some thousand points on, unless most of them crowd in one place.
///   Keys have 32 bits here; grids that need more are sorted by sort_by_key.

#include <Sporos_KokkosCompat.hpp>
#include <Sporos_Pack.hpp>
#include <Sporos_Workspace.hpp>
#include <particle_grid/bins/Sporos_BinKernels.hpp>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <type_traits>

namespace Sporos {
namespace Impl {

template <class Real, int Dim>
struct PointRecord {
  Real fraction[Dim];
  std::uint32_t key;
  int point;
};

/// Chunks of points and buckets of keys. Bucket b takes the keys with the
/// leading bits b.
struct PartitionShape {
  int n, shift, buckets, chunk, chunks;

  PartitionShape(int n_, int key_bits) : n(n_) {
    const int bits = std::min(
        {bit_width(std::uint64_t(n_) >> 10), 11, key_bits});  // a thousand each
    shift   = key_bits - bits;
    buckets = 1 << bits;
    chunk   = std::max(4096, ceil_div(n, 32));
    chunks  = ceil_div(n, chunk);
  }
  int begin(int c) const { return c * chunk; }
  int end(int c) const { return std::min(n, (c + 1) * chunk); }
};

/// How many points of each chunk go to each bucket.
struct CountBuckets {
  PartitionShape shape;
  const std::uint32_t* keys;
  int* counts;

  void operator()(int c) const {
    int* const count = counts + std::size_t(c) * shape.buckets;
    std::fill_n(count, shape.buckets, 0);
    for (int i = shape.begin(c); i < shape.end(c); ++i)
      ++count[keys[i] >> shape.shift];
  }
};

/// Where each bucket starts, and the part of each chunk in it.
struct PlaceBuckets {
  PartitionShape shape;
  int* counts;  ///< becomes places
  int* starts;

  void operator()(int b, int& place, bool final) const {
    if (final) starts[b] = place;
    for (int c = 0; c < shape.chunks; ++c) {
      int& entry      = counts[std::size_t(c) * shape.buckets + b];
      const int count = entry;
      if (final) entry = place;
      place += count;
    }
    if (final && b + 1 == shape.buckets) starts[b + 1] = place;
  }
};

/// Moves the points of a chunk into their buckets.
template <class Cells, class Positions, class Record>
struct MoveToBuckets {
  static constexpr int block = 64;
  static constexpr int Dim   = std::extent<decltype(Cells::dir)>::value;
  using Real = std::remove_all_extents_t<decltype(Record::fraction)>;

  PartitionShape shape;
  Cells cells;
  Positions positions;
  const std::uint32_t* keys;
  int* places;
  Record* records;
  int* record_of;  ///< of points in given order

  void operator()(int c) const {
    int* const place = places + std::size_t(c) * shape.buckets;
    for (int i = shape.begin(c); i < shape.end(c); i += block)
      move(i, std::min(block, shape.end(c) - i), place);
  }

 private:
  void move(int begin, int count, int* place) const {
    Record* target[block];
    for (int i = 0; i < count; ++i) {
      const int r          = place[keys[begin + i] >> shape.shift]++;
      record_of[begin + i] = r;
      target[i]            = records + r;
      SPOROS_PREFETCH(target[i]);
    }
    Real x[Dim][block], r[Dim][block];
    load_coordinates(positions, begin, count, x);
    for (int k = 0; k < Dim; ++k) fractions(k, count, x[cells.dir[k]], r[k]);
    for (int i = 0; i < count; ++i) {
      Record record;
      for (int k = 0; k < Dim; ++k) record.fraction[k] = r[k][i];
      record.key   = keys[begin + i];
      record.point = begin + i;
      *target[i]   = record;
    }
  }

  /// The fractions that Cells::locate finds; those of points without a cell are
  /// of no use.
  void fractions(int k, int count, const Real* x, Real* r) const {
    const Real origin = cells.origin[k], inverse_h = cells.inverse_h[k];
    const Real offset = cells.offset[k], small = Real(1 << 30);
    LaneInteger<Real> all_small = 1;
    for (int i = 0; i < count; ++i) {
      r[i] = (x[i] - origin) * inverse_h - offset;
      all_small &=
          LaneInteger<Real>(r[i] > -small) & LaneInteger<Real>(r[i] < small);
    }
    if (all_small != 0)
      for (int i = 0; i < count; ++i)
        r[i] = (r[i] - Real(small_floor(r[i]))) - Cells::half;
    else
      for (int i = 0; i < count; ++i)
        r[i] = (r[i] - std::floor(r[i])) - Cells::half;
  }
};

/// Sorts the records of a bucket by key, equal ones in the order of points, and
/// writes the columns.
template <class Cells, class Record, class Real>
struct SortBuckets {
  static constexpr int Dim   = std::extent<decltype(Cells::dir)>::value;
  static constexpr int small = 2048;  ///< records sorted without a workspace

  const int* starts;
  int shift;
  const Record* records;
  std::uint64_t* words;  ///< two per point, if there is a larger bucket
  std::uint32_t* keys;
  int* permutation;
  int* record_at;  ///< of points in sorted order
  std::uint16_t* locals;
  Real* fractions;
  std::size_t pitch;

  void operator()(int b) const {
    const int begin = starts[b], count = starts[b + 1] - begin;
    if (count > small) {
      std::uint64_t* const one = words + 2 * std::size_t(begin);
      write<32>(begin, count, one, one + count);
    } else if (shift > 20) {
      std::uint64_t one[small], two[small];
      write<32>(begin, count, one, two);
    } else {
      std::uint32_t one[small], two[small];
      write<11>(begin, count, one, two);
    }
  }

 private:
  /// Words with the bits of the key below the bucket's, then the number of the
  /// record; in order, in one or two.
  template <int Bits, class Word>
  const Word* sorted(const Record* record, int count, Word* one,
                     Word* two) const {
    const auto low = std::uint32_t((std::uint64_t(1) << shift) - 1);
    for (int i = 0; i < count; ++i)
      one[i] = Word(record[i].key & low) << Bits | Word(i);
    const int passes = ceil_div(shift, 8);
    for (int p = 0, bit = 0; p < passes; ++p) {
      const int digit = ceil_div(shift - bit, passes - p);
      sort_digit(one, two, count, Bits + bit, digit);
      std::swap(one, two);
      bit += digit;
    }
    return one;
  }

  template <class Word>
  static void sort_digit(const Word* from, Word* to, int count, int bit,
                         int digit) {
    std::uint32_t place[256] = {};
    const Word mask          = (Word(1) << digit) - 1;
    for (int i = 0; i < count; ++i) ++place[from[i] >> bit & mask];
    std::uint32_t sum = 0;
    for (int d = 0; d < 1 << digit; ++d) {
      const std::uint32_t here = place[d];
      place[d]                 = sum;
      sum += here;
    }
    for (int i = 0; i < count; ++i)
      to[place[from[i] >> bit & mask]++] = from[i];
  }

  template <int Bits, class Word>
  void write(int begin, int count, Word* one, Word* two) const {
    constexpr auto in_tile = (std::uint32_t(1) << Cells::Shape::log2_cells) - 1;
    constexpr Word number  = (Word(1) << Bits) - 1;
    const Word* const word = sorted<Bits>(records + begin, count, one, two);
    for (int i = 0; i < count; ++i) {
      const int r          = begin + int(word[i] & number);
      const Record& record = records[r];
      const std::size_t at = std::size_t(begin) + i;
      keys[at]             = record.key;
      permutation[at]      = record.point;
      record_at[at]        = r;
      locals[at]           = std::uint16_t(record.key & in_tile);
      for (int k = 0; k < Dim; ++k)
        fractions[k * pitch + at] = record.fraction[k];
    }
  }
};

/// The sort with its workspaces.
template <class Exec, int Dim, class Real>
class HostPartition {
 public:
  using memory_space = typename Exec::memory_space;
  using Record       = PointRecord<Real, Dim>;
  using Numbers      = Kokkos::View<int*, memory_space>;

  Numbers record_of;  ///< number of the record of each point, in given order
  Numbers record_at;  ///< the same in sorted order

  /// From some thousand points on; fewer than before are sorted the same way,
  /// for which all memory is there.
  bool pays(int n) const {
    return n >= 4096 || (n > 0 && std::size_t(n) <= m_records.capacity());
  }

  /// Sorts `keys` and writes the columns of ParticleBins. False, with nothing
  /// changed, if the points crowd too much to be shared among threads.
  template <class Cells, class Positions>
  bool sort(const Exec& exec, const Cells& cells, const Positions& positions,
            int n, std::uint32_t* keys, int* permutation, std::uint16_t* locals,
            Real* fractions, std::size_t pitch) {
    using Range = Kokkos::RangePolicy<Exec, Kokkos::Schedule<Kokkos::Dynamic>,
                                      Kokkos::IndexType<int>>;
    const PartitionShape shape(n, bit_width(std::uint64_t(cells.key_end())));
    int* const starts =
        m_starts.require(exec, std::size_t(shape.buckets) + 1).data();
    int* const counts =
        m_counts.require(exec, std::size_t(shape.chunks) * shape.buckets)
            .data();
    const Range chunks(exec, 0, shape.chunks, Kokkos::ChunkSize(1));
    Kokkos::parallel_for("Sporos::ParticleGridPlan::count_buckets", chunks,
                         CountBuckets{shape, keys, counts});
    Kokkos::parallel_scan("Sporos::ParticleGridPlan::place_buckets",
                          Kokkos::RangePolicy<Exec, Kokkos::IndexType<int>>(
                              exec, 0, shape.buckets),
                          PlaceBuckets{shape, counts, starts});
    int largest = 0;
    for (int b = 0; b < shape.buckets; ++b)
      largest = std::max(largest, starts[b + 1] - starts[b]);
    if (largest > std::max(65536, n / 8)) return false;
    record_of = m_record_of.require(exec, std::size_t(n));
    record_at = m_record_at.require(exec, std::size_t(n));

    using Sort            = SortBuckets<Cells, Record, Real>;
    Record* const records = m_records.require(exec, std::size_t(n)).data();
    std::uint64_t* words  = nullptr;
    if (largest > Sort::small)
      words = m_words.require(exec, 2 * std::size_t(n)).data();
    Kokkos::parallel_for(
        "Sporos::ParticleGridPlan::move_to_buckets", chunks,
        MoveToBuckets<Cells, Positions, Record>{
            shape, cells, positions, keys, counts, records, record_of.data()});
    Kokkos::parallel_for(
        "Sporos::ParticleGridPlan::sort_buckets",
        Range(exec, 0, shape.buckets, Kokkos::ChunkSize(4)),
        Sort{starts, shape.shift, records, words, keys, permutation,
             record_at.data(), locals, fractions, pitch});
    return true;
  }

  std::size_t bytes() const {
    return m_records.bytes() + m_words.bytes() + m_counts.bytes() +
           m_starts.bytes() + m_record_of.bytes() + m_record_at.bytes();
  }

 private:
  template <class T>
  using Space = WorkspaceView<T, memory_space>;
  Space<Record> m_records{"Sporos::ParticleGridPlan::records"};
  Space<std::uint64_t> m_words{"Sporos::ParticleGridPlan::words"};
  Space<int> m_counts{"Sporos::ParticleGridPlan::bucket_counts"};
  Space<int> m_starts{"Sporos::ParticleGridPlan::bucket_starts"};
  Space<int> m_record_of{"Sporos::ParticleGridPlan::record_of"};
  Space<int> m_record_at{"Sporos::ParticleGridPlan::record_at"};
};

}  // namespace Impl
}  // namespace Sporos

#endif
