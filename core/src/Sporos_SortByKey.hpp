// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef SPOROS_SORTBYKEY_HPP
#define SPOROS_SORTBYKEY_HPP

/// \file Sporos_SortByKey.hpp
/// Stable parallel radix sort of unsigned keys that also returns the
/// permutation.
///
/// Least significant digit first (Satish, Harris, Garland, Designing efficient
/// sorting algorithms for manycore GPUs, 2009). The input is cut into chunks; a
/// team counts the digits of a chunk, the counts are scanned over (digit,
/// chunk), and the team moves its chunk's (key, index) pairs to their places.
/// An inspection detects sorted input and the bits in which keys differ; only
/// these are sorted. Its result stays in device memory, so that the host never
/// waits.

#include <Sporos_EngineConstants.hpp>
#include <Sporos_Error.hpp>
#include <Sporos_ForEachIndex.hpp>
#include <Sporos_KokkosCompat.hpp>
#include <Sporos_ProfilingRegion.hpp>
#include <Sporos_SortItem.hpp>
#include <Sporos_SortKernels.hpp>
#include <Sporos_SortPlan.hpp>
#include <Sporos_ViewChecks.hpp>
#include <Sporos_Workspace.hpp>

#include <cstddef>
#include <cstdint>
#include <limits>
#include <type_traits>

namespace Sporos {

/// Scratch memory of sort_by_key. It grows to the size of the largest sort and
/// then allocates no more. Only one sort at a time may use it.
template <class Key, class MemorySpace>
struct SortWorkspace {
  static_assert(std::is_same<Key, std::uint32_t>::value ||
                    std::is_same<Key, std::uint64_t>::value,
                "Sporos::SortWorkspace: keys are uint32_t or uint64_t");

  /// (key, index) pairs before and after even passes
  WorkspaceView<Impl::SortItem<Key>, MemorySpace> even{
      "Sporos::sort_by_key::even"};
  /// (key, index) pairs before and after odd passes
  WorkspaceView<Impl::SortItem<Key>, MemorySpace> odd{
      "Sporos::sort_by_key::odd"};
  /// digits of each chunk, counted and scanned
  WorkspaceView<std::uint32_t, MemorySpace> table{"Sporos::sort_by_key::table"};
  /// what the inspection finds in each chunk
  WorkspaceView<Impl::SortChunkInfo<Key>, MemorySpace> info{
      "Sporos::sort_by_key::info"};
  /// which bits are sorted by
  WorkspaceView<Impl::SortPlan, MemorySpace> plan{"Sporos::sort_by_key::plan"};

  /// Bytes of memory.
  std::size_t bytes() const {
    return even.bytes() + odd.bytes() + table.bytes() + info.bytes() +
           plan.bytes();
  }
};

namespace Impl {

/// Parameters of sort_by_key on a back end; tests pass others.
template <class Exec, class Key>
struct SortTuning {
  static constexpr bool staged    = EngineTuning<Exec>::sort_team_size > 1;
  static constexpr int team_size  = EngineTuning<Exec>::sort_team_size;
  static constexpr int digit_bits = EngineTuning<Exec>::sort_digit_bits;
  static constexpr int items =
      EngineTuning<Exec>::sort_key_bytes / int(sizeof(Key));
  static constexpr bool host_decides = is_host_space_v<Exec>;

  /// Keys per chunk. Few digits' counts per key, and chunks for many threads.
  static int chunk(int n) {
    if (staged) return team_size * items;
    using Host = EngineTuning<Exec, true>;
    int chunk  = Host::sort_chunk;
    while (chunk < Host::sort_largest_chunk &&
           chunk < n / Host::sort_chunks_wanted)
      chunk *= 2;
    return chunk;
  }
  /// Chunks of up to n keys, at most
  static std::size_t max_chunks(int n) {
    const int chunks = ceil_div(n, chunk(0));
    if (staged) return std::size_t(chunks);
    return std::size_t(Math::min(
        chunks, Math::max(EngineTuning<Exec, true>::sort_chunks_wanted + 1,
                          ceil_div(n, chunk(n)))));
  }
};

/// Entries of the table of counts: also a digit's total or, staged, where its
/// run starts in each chunk.
template <class Tuning>
std::size_t sort_table(std::size_t chunks) {
  return (std::size_t(1) << Tuning::digit_bits) *
         (chunks + (Tuning::staged ? chunks : 1));
}

template <class Tuning, class Exec, class Key, class MemorySpace, class Keys,
          class Permutation>
struct SortDriver {
  using Kernels = SortKernels<Exec, Keys, Permutation, Tuning>;

  const Exec& m_exec;
  Kernels m_kernels;
  SortPlan m_all_bits;  // were keys to differ in all bits

  SortDriver(const Exec& exec, SortWorkspace<Key, MemorySpace>& workspace,
             const Keys& keys, const Permutation& permutation, int key_bits)
      : m_exec(exec), m_kernels{} {
    Kernels& k      = m_kernels;
    k.m_keys        = keys;
    k.m_permutation = permutation;
    k.m_n           = static_cast<int>(keys.extent(0));
    k.m_chunk       = Tuning::chunk(k.m_n);
    k.m_chunks      = ceil_div(k.m_n, k.m_chunk);
    k.m_mask        = key_bits == 0
                          ? Key(0)
                          : Key(~Key(0)) >> (8 * int(sizeof(Key)) - key_bits);
    m_all_bits.cover(k.m_mask, Tuning::digit_bits);
    k.m_first_width          = m_all_bits.width;
    const std::size_t room   = Kernels::position(keys.extent(0)),
                      chunks = std::size_t(k.m_chunks);
    const std::size_t digits = std::size_t(1) << Tuning::digit_bits;
    k.m_buffer[0]            = workspace.even.require_data(exec, room);
    k.m_buffer[1]            = workspace.odd.require_data(exec, room);
    k.m_table = workspace.table.require_data(exec, sort_table<Tuning>(chunks));
    k.m_total = k.m_table + digits * chunks;
    k.m_info  = workspace.info.require_data(exec, chunks);
    k.m_plan  = workspace.plan.require_data(exec, 1);
  }

  void run() {
    if constexpr (Tuning::staged)
      if (m_kernels.m_chunks == 1)
        return launch<typename Kernels::OneChunk>(
            "Sporos::sort_by_key::one_chunk", 1, Kernels::staging_bytes());
    launch<typename Kernels::Inspect>("Sporos::sort_by_key::inspect",
                                      m_kernels.m_chunks,
                                      m_kernels.inspection_bytes());
    int passes = m_all_bits.passes;
    if constexpr (Tuning::host_decides)
      passes = decide();
    else
      launch<typename Kernels::Decide>("Sporos::sort_by_key::decide", 1, 0);
    for (int pass = 0; pass < passes; ++pass) run_pass(pass);
    launch<typename Kernels::Finish>("Sporos::sort_by_key::finish",
                                     m_kernels.m_chunks, 0);
  }

 private:
  /// What the decide step does, for spaces whose kernels are done by now.
  int decide() {
    SortChunkInfo<Key> info = m_kernels.m_info[0];
    for (int c = 1; c < m_kernels.m_chunks; ++c)
      Kernels::merge(info, m_kernels.m_info[c]);
    m_kernels.make_plan(info);
    return m_kernels.m_plan->passes;
  }

  void run_pass(int pass) {
    m_kernels.m_pass = pass;
    bool counted     = false;
    if constexpr (Tuning::host_decides)
      counted = pass == 0 && m_kernels.first_is_counted(*m_kernels.m_plan);
    if (!counted)
      launch<typename Kernels::Histogram>("Sporos::sort_by_key::histogram",
                                          m_kernels.m_chunks,
                                          Kernels::counting_bytes());
    scan(pass);
    launch<typename Kernels::Scatter>("Sporos::sort_by_key::scatter",
                                      m_kernels.m_chunks,
                                      Kernels::staging_bytes());
  }

  void scan(int pass) {
    const int digits = 1 << Tuning::digit_bits;
    if constexpr (Tuning::staged)
      Kokkos::parallel_scan(
          "Sporos::sort_by_key::scan",
          Kokkos::RangePolicy<Exec>(
              m_exec, 0,
              ceil_div(digits * m_kernels.m_chunks, SortScanTable::block)),
          SortScanTable{m_kernels.m_table, m_kernels.m_plan, pass,
                        m_kernels.m_chunks});
    else
      for_each_index("Sporos::sort_by_key::scan",
                     Kokkos::RangePolicy<Exec>(
                         m_exec, 0, ceil_div(digits, SortScanColumns::block)),
                     SortScanColumns{m_kernels.m_table, m_kernels.m_total,
                                     m_kernels.m_plan, m_kernels.m_chunks});
  }

  template <class Step>
  void launch(const char* label, int teams, std::size_t scratch_bytes) {
    if constexpr (Kernels::in_teams)
      Kokkos::parallel_for(
          label,
          Kokkos::TeamPolicy<Exec, Step, TeamBound<Tuning::team_size>>(
              m_exec, teams, Tuning::team_size)
              .set_scratch_size(0, Kokkos::PerTeam(int(scratch_bytes))),
          m_kernels);
    else
      for_each_index(
          label,
          Kokkos::RangePolicy<Exec, Kokkos::IndexType<int>>(m_exec, 0, teams),
          SortChunks<Kernels, Step>{m_kernels});
  }
};

/// Items that each buffer of a workspace needs for n keys.
template <class Exec, class Key>
std::size_t sort_room(std::size_t n) {
  using Tuning = SortTuning<Exec, Key>;
  return sort_position<SortItem<Key>, Tuning::staged>(n);
}

/// Grows a workspace so that sorts of up to n keys allocate nothing. (Fewer
/// keys may be more chunks.)
template <class Exec, class Key, class MemorySpace>
void reserve_sort(const Exec& exec, SortWorkspace<Key, MemorySpace>& workspace,
                  std::size_t n) {
  using Tuning             = SortTuning<Exec, Key>;
  const std::size_t chunks = Tuning::max_chunks(int(n));
  workspace.even.require_data(exec, sort_room<Exec, Key>(n));
  workspace.odd.require_data(exec, sort_room<Exec, Key>(n));
  workspace.table.require_data(exec, sort_table<Tuning>(chunks));
  workspace.info.require_data(exec, chunks);
  workspace.plan.require_data(exec, 1);
}

template <class Tuning, class Exec, class Key, class MemorySpace, class Keys,
          class Permutation>
void sort_by_key_tuned(const Exec& exec,
                       SortWorkspace<Key, MemorySpace>& workspace,
                       const Keys& keys, const Permutation& permutation,
                       int key_bits) {
  if (keys.extent(0) == 0) return;
  const ProfilingRegion region("Sporos::sort_by_key");
  SortDriver<Tuning, Exec, Key, MemorySpace, Keys, Permutation>(
      exec, workspace, keys, permutation, key_bits)
      .run();
}

/// The entries of a rank-1 View as an unmanaged View with the memory space's
/// own layout if they are known to be packed: so that all such Views share
/// kernels.
template <class View>
auto packed_vector(const View& view) {
  if constexpr (std::is_same<typename View::array_layout,
                             Kokkos::LayoutStride>::value)
    return view;
  else
    return make_view<
        Kokkos::View<typename View::value_type*, typename View::memory_space,
                     Kokkos::MemoryTraits<Kokkos::Unmanaged>>>(view.data(),
                                                               view.extent(0));
}

}  // namespace Impl

/// Sorts keys in place and returns where each came from.
///
/// keys(n): uint32_t or uint64_t, any layout. Afterwards they ascend in their
///   lowest key_bits bits; equal ones keep their order (stable). Only these
///   bits are compared, all bits move.
/// permutation(n): int; permutation(i) becomes the old position of keys(i).
/// key_bits: from 0 to the number of bits of a key.
///
/// Asynchronous in exec; allocates only if the workspace grows. n is at most
/// 2^31 - 1. Work: one pass over sorted keys, else one more pass for each digit
/// (11 bits on hosts, 8 on devices) in which keys differ. The result does not
/// depend on the number of threads.
///
/// Throws std::invalid_argument if extents differ, n is too large, key_bits is
/// out of range, a view has no memory, or the views share memory.
template <class Exec, class Key, class MemorySpace, class Keys,
          class Permutation>
void sort_by_key(const Exec& exec, SortWorkspace<Key, MemorySpace>& workspace,
                 const Keys& keys, const Permutation& permutation,
                 int key_bits) {
  static_assert(
      Impl::view_rank_v<Keys> == 1 && Impl::view_rank_v<Permutation> == 1,
      "Sporos::sort_by_key: keys and permutation must have rank 1");
  static_assert(
      std::is_same<typename Keys::value_type, Key>::value,
      "Sporos::sort_by_key: keys must be of the workspace's type, not const");
  static_assert(std::is_same<typename Permutation::value_type, int>::value,
                "Sporos::sort_by_key: permutation must be of type int");
  static_assert(Impl::is_accessible_v<Exec, Keys> &&
                    Impl::is_accessible_v<Exec, Permutation> &&
                    Kokkos::SpaceAccessibility<Exec, MemorySpace>::accessible,
                "Sporos::sort_by_key: the execution space must reach keys, "
                "permutation and workspace");
  constexpr int bits         = std::numeric_limits<Key>::digits;
  constexpr const char* name = "Sporos::sort_by_key";
  Impl::check(permutation.extent(0) == keys.extent(0), name, "permutation",
              Impl::text("extent(0) == ", keys.extent(0)),
              permutation.extent(0));
  Impl::check(keys.extent(0) <= std::size_t(std::numeric_limits<int>::max()),
              name, "keys", "at most 2^31 - 1 entries", keys.extent(0));
  Impl::check(key_bits >= 0 && key_bits <= bits, name, "key_bits",
              Impl::text("0 to ", bits), key_bits);
  Impl::check_written(name, "keys", keys);
  Impl::check_written(name, "permutation", permutation);
  Impl::check_apart(name, "permutation", permutation, "keys", keys);
  Impl::sort_by_key_tuned<Impl::SortTuning<Exec, Key>>(
      exec, workspace, Impl::packed_vector(keys),
      Impl::packed_vector(permutation), key_bits);
}

/// Sorts in the default instance. Waits for the result.
template <class Key, class MemorySpace, class Keys, class Permutation>
void sort_by_key(SortWorkspace<Key, MemorySpace>& workspace, const Keys& keys,
                 const Permutation& permutation, int key_bits) {
  const typename Keys::execution_space exec{};
  sort_by_key(exec, workspace, keys, permutation, key_bits);
  Impl::fence(exec, "Sporos::sort_by_key::done");
}

}  // namespace Sporos

#endif
