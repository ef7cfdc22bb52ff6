// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef SPOROS_RANKREDUCTIONS_HPP
#define SPOROS_RANKREDUCTIONS_HPP

/// \file Sporos_RankReductions.hpp
/// Reductions of loops over distributed sets: each part leaves its result in
/// memory of its own; those of all ranks are combined in the order of ranks, or
/// of global numbers for globals that are written. With any_ranks sums of all
/// ranks are added as integers, without rounding. Minima, maxima and globals
/// that are written do not mind that executed halos count, too.

#include <mesh/Sporos_SetParts.hpp>
#include <mesh_loop/strategies/Sporos_KeptSums.hpp>
#include <mesh_loop/strategies/Sporos_LoopBind.hpp>
#include <mesh_loop/strategies/Sporos_PartsLoop.hpp>

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <memory>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

namespace Sporos {
namespace Impl {

/// What a rank knows of one component of a result.
template <class T>
struct RankResult {
  T value;
  std::int64_t number;  ///< of the element that wrote it; -1: none did

  template <Reduction R>
  void add(const RankResult& other) {
    if constexpr (R != Reduction::last)
      value = combine<R>(value, other.value);
    else if (other.number > number)
      *this = other;
  }
};

/// Does an argument write a global?
template <class Arg>
constexpr bool writes_global_v = false;
template <class T, int N, class M>
constexpr bool writes_global_v<GlobalReduceArg<T, N, M, Reduction::last>> =
    true;

/// What slots leave out.
struct NoRankSlot {
  static constexpr bool reduces = false;
  static std::size_t words() { return 0; }
  template <class Exec>
  void pack(const Exec&, const SetParts&, std::vector<unsigned char>&) {}
  void add(const unsigned char*&) {}
  template <class Exec>
  void pack_sums(const Exec&, std::vector<std::uint64_t>&) {}
  void take_sums(const std::uint64_t*&) {}
};

/// An argument that is no reduction. Exact: with any_ranks; Kept: a sum of it
template <class Exec, class Arg, bool Exact,
          bool Kept = Exact&& SumOf<Arg>::kept>
struct RankSlot : NoRankSlot {
  void begin(const Exec&, const Arg&, Arena&) {}
  const Arg& argument(int, int, const Arg& arg) const { return arg; }
  void finish(const Exec&, const Arg&) const {}
};

/// Results of N components in three places (see PartPlace), and of all ranks.
template <class T, int N, Reduction R, bool Exact>
struct RankSlotBase : NoRankSlot {
  static constexpr bool reduces = true;
  static constexpr T identity() {
    if constexpr (R == Reduction::last)
      return T{};
    else
      return reduction_identity<R, T>();
  }

  T value[n_places * N];
  int element[n_places * N];
  RankResult<T> total[N];

  RankSlotBase() {
    for (T& v : value) v = identity();
    for (int& e : element) e = -1;
    for (RankResult<T>& t : total) t = {identity(), -1};
  }

  RankResult<T> result(const SetParts& parts, int k) const {
    if (R != Reduction::last || element[k] < 0) return {value[k], -1};
    return {value[k], parts.global[std::size_t(element[k])]};
  }
  /// Adds the results of this rank to a message.
  void append(const SetParts& parts, std::vector<unsigned char>& bytes) const {
    for (int c = 0; c < N; ++c) {
      RankResult<T> mine = result(parts, core_place * N + c);
      mine.template add<R>(result(parts, boundary_place * N + c));
      const std::size_t at = bytes.size();
      bytes.resize(at + sizeof mine);
      std::memcpy(bytes.data() + at, &mine, sizeof mine);
    }
  }
  /// Takes the results of a rank from its message.
  void add(const unsigned char*& bytes) {
    for (int c = 0; c < N; ++c, bytes += sizeof(RankResult<T>)) {
      RankResult<T> one;
      std::memcpy(&one, bytes, sizeof one);
      total[c].template add<R>(one);
    }
  }
  /// The result of all ranks and what was there before the loop.
  void apply(T* target) const {
    for (int c = 0; c < N; ++c)
      if constexpr (R != Reduction::last)
        target[c] = Exact
                        ? without_sign<T>(combine<R>(target[c], total[c].value))
                        : combine<R>(target[c], total[c].value);
      else if (total[c].number >= 0)
        target[c] = total[c].value;
  }
};

template <class Exec, class T, int N, class M, Reduction R, bool Exact>
struct RankSlot<Exec, GlobalReduceArg<T, N, M, R>, Exact, false>
    : RankSlotBase<T, N, R, Exact> {
  using Arg           = GlobalReduceArg<T, N, M, R>;
  using Memory        = typename Exec::memory_space;
  using Host          = Kokkos::HostSpace;
  T* device_value     = nullptr;
  int* device_element = nullptr;

  static std::size_t words() {
    return Arena::words<T>(n_places * N) + Arena::words<int>(n_places * N);
  }
  void begin(const Exec& exec, const Arg&, Arena& arena) {
    device_value   = arena.take<T>(n_places * N);
    device_element = arena.take<int>(n_places * N);
    copy_values<Memory, Host>(exec, device_value, this->value, n_places * N);
    if (R == Reduction::last)
      copy_values<Memory, Host>(exec, device_element, this->element,
                                n_places * N);
  }
  Arg argument(int place, int, const Arg& arg) const {
    using View = typename Global<T, N, M>::view_type;
    return {Global<T, N, M>(arg.global.name(), View(device_value + place * N)),
            device_element + place * N};
  }
  void pack(const Exec& exec, const SetParts& parts,
            std::vector<unsigned char>& bytes) {
    copy_values<Host, Memory>(exec, this->value, device_value, n_places * N);
    if (R == Reduction::last)
      copy_values<Host, Memory>(exec, this->element, device_element,
                                n_places * N);
    this->append(parts, bytes);
  }
  void finish(const Exec& exec, const Arg& arg) const {
    T now[N];
    T* const target = arg.global.view().data();
    copy_values<Host, M>(exec, now, target, N);
    this->apply(now);
    copy_values<M, Host>(exec, target, now, N);
  }
};

template <class Exec, class T, int N, Reduction R, bool Exact>
struct RankSlot<Exec, HostReduceArg<T, N, R>, Exact, false>
    : RankSlotBase<T, N, R, Exact> {
  using Arg = HostReduceArg<T, N, R>;
  static std::size_t words() { return 0; }
  void begin(const Exec&, const Arg&, Arena&) {}
  Arg argument(int place, int, const Arg&) { return {this->value + place * N}; }
  void pack(const Exec&, const SetParts& parts,
            std::vector<unsigned char>& bytes) {
    this->append(parts, bytes);
  }
  void finish(const Exec&, const Arg& arg) const { this->apply(arg.target); }
};

/// Sums of N components that are not rounded.
template <class Exec, class T, int N>
struct RankSumSlot : NoRankSlot {
  static constexpr bool reduces = true;
  using Memory                  = typename Exec::memory_space;
  LoopSum<T>* device_sums       = nullptr;
  LoopSum<T> sums[N];

  static std::size_t words() { return Arena::words<LoopSum<T>>(N); }
  template <class Arg>
  void begin(const Exec& exec, const Arg&, Arena& arena) {
    device_sums = arena.take<LoopSum<T>>(N);
    copy_values<Memory, Kokkos::HostSpace>(exec, device_sums, sums, N);
  }
  template <class Arg>
  ExactSumArg<T, N> argument(int, int counted, const Arg&) const {
    return {device_sums, counted};
  }
  void pack_sums(const Exec& exec, std::vector<std::uint64_t>& all) {
    copy_values<Kokkos::HostSpace, Memory>(exec, sums, device_sums, N);
    for (const LoopSum<T>& sum : sums) sum.to_words(all);
  }
  void take_sums(const std::uint64_t*& all) {
    for (LoopSum<T>& sum : sums) sum.from_words(all);
  }
  void apply(T* target) {
    for (int c = 0; c < N; ++c) {
      sums[c].add(target[c]);
      target[c] = sums[c].value();
    }
  }
};
template <class Exec, class T, int N, class M>
struct RankSlot<Exec, GlobalReduceArg<T, N, M, Reduction::sum>, true, true>
    : RankSumSlot<Exec, T, N> {
  using Arg = GlobalReduceArg<T, N, M, Reduction::sum>;
  void finish(const Exec& exec, const Arg& arg) {
    T now[N];
    T* const target = arg.global.view().data();
    copy_values<Kokkos::HostSpace, M>(exec, now, target, N);
    this->apply(now);
    copy_values<M, Kokkos::HostSpace>(exec, target, now, N);
  }
};
template <class Exec, class T, int N>
struct RankSlot<Exec, HostReduceArg<T, N, Reduction::sum>, true, true>
    : RankSumSlot<Exec, T, N> {
  using Arg = HostReduceArg<T, N, Reduction::sum>;
  void finish(const Exec&, const Arg& arg) { this->apply(arg.target); }
};

/// All reductions of a loop. Waits for exec, in which the results are, and for
/// the other ranks: one message for all results, or with any_ranks one for sums
/// and one for other results. Exact: with any_ranks
template <class Exec, bool Exact, class... Args>
class RankReductions {
  using Memory    = typename Exec::memory_space;
  using Workspace = WorkspaceView<std::uint64_t, Memory>;
  using Indices   = std::index_sequence_for<Args...>;

 public:
  static constexpr bool any = (RankSlot<Exec, Args, Exact>::reduces || ...);

  RankReductions(const Exec& exec, SetParts& parts, const Args&... args)
      : m_exec(exec), m_parts(parts) {
    if constexpr (any) begin(Indices{}, args...);
  }
  RankReductions(const RankReductions&)            = delete;
  RankReductions& operator=(const RankReductions&) = delete;

  /// Calls f with arguments whose results go to a place. counted: the first
  /// elements of the part that this rank owns
  template <class F>
  void with_arguments(int place, int counted, const F& f, const Args&... args) {
    with_arguments(place, counted, f, Indices{}, args...);
  }

  void finish(const Args&... args) {
    if constexpr (any) finish(Indices{}, args...);
  }

 private:
  template <std::size_t... I>
  void begin(std::index_sequence<I...>, const Args&... args) {
    if (m_parts.memory == nullptr)
      m_parts.memory =
          std::make_shared<Workspace>("Sporos::par_loop::rank_results");
    auto& workspace         = *static_cast<Workspace*>(m_parts.memory.get());
    const std::size_t words = (RankSlot<Exec, Args, Exact>::words() + ... + 0);
    Arena arena(words == 0 ? nullptr
                           : workspace_words(m_exec, workspace, words));
    (std::get<I>(m_slots).begin(m_exec, args, arena), ...);
  }
  template <class F, std::size_t... I>
  void with_arguments(int place, int counted, const F& f,
                      std::index_sequence<I...>, const Args&... args) {
    f(std::get<I>(m_slots).argument(place, counted, args)...);
  }
  template <std::size_t... I>
  void finish(std::index_sequence<I...>, const Args&... args) {
    std::vector<unsigned char> mine;
    (std::get<I>(m_slots).pack(m_exec, m_parts, mine), ...);
    const std::vector<unsigned char> all =
        mine.empty() ? mine : m_parts.gather(mine);
    for (const unsigned char* next = all.data();
         next != all.data() + all.size();)
      (std::get<I>(m_slots).add(next), ...);
    std::vector<std::uint64_t> sums;
    (std::get<I>(m_slots).pack_sums(m_exec, sums), ...);
    if (!sums.empty()) m_parts.add_up(sums);
    [[maybe_unused]] const std::uint64_t* next_sum = sums.data();
    (std::get<I>(m_slots).take_sums(next_sum), ...);
    (std::get<I>(m_slots).finish(m_exec, args), ...);
  }

  const Exec& m_exec;
  SetParts& m_parts;
  std::tuple<RankSlot<Exec, Args, Exact>...> m_slots;
};

}  // namespace Impl
}  // namespace Sporos

#endif
