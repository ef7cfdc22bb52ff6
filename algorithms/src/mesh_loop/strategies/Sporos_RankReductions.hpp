// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef SPOROS_RANKREDUCTIONS_HPP
#define SPOROS_RANKREDUCTIONS_HPP

/// \file Sporos_RankReductions.hpp
/// Reductions of loops over distributed sets: each part leaves its result in
/// memory of its own; those of all ranks are combined in a way that does not
/// depend on an order: the least word, or sums of integers, which for float and
/// double are the digits of a sum that is not rounded. With any_ranks that
/// holds for the elements of a rank, too. Minima, maxima and globals that are
/// written do not mind that executed halos count, too.

#include <Sporos_HostCopy.hpp>
#include <mesh/state/Sporos_SetParts.hpp>
#include <mesh_loop/strategies/Sporos_LoopResults.hpp>
#include <mesh_loop/strategies/Sporos_OrderedWords.hpp>
#include <mesh_loop/strategies/Sporos_PartsLoop.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <memory>
#include <numeric>
#include <string>
#include <tuple>
#include <type_traits>
#include <utility>
#include <vector>

namespace Sporos {
namespace Impl {

/// The place of each local element in the order of global numbers: local
/// numbers follow it in the core and in the border alone, or not at all.
template <class Exec>
[[gnu::cold]] const int* number_order(const Exec& exec, SetParts& parts) {
  using Memory = typename Exec::memory_space;
  if (parts.order == nullptr) {
    const auto& global = parts.global;
    std::vector<int> elements(global.size()), places(global.size());
    std::iota(elements.begin(), elements.end(), 0);
    std::sort(elements.begin(), elements.end(), [&](int a, int b) {
      return global[std::size_t(a)] < global[std::size_t(b)];
    });
    parts.ascending.clear();
    for (const int e : elements) {
      places[std::size_t(e)] = int(parts.ascending.size());
      parts.ascending.push_back(global[std::size_t(e)]);
    }
    parts.order = std::make_shared<Kokkos::View<int*, Memory>>(
        to_memory<Memory>(exec, "Sporos::par_loop::number_order", places));
  }
  return static_cast<const Kokkos::View<int*, Memory>*>(parts.order.get())
      ->data();
}

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

/// How results of ranks are combined: the least word; sums of words; or, for
/// globals that are written and for other types, one by one in the order of
/// ranks.
enum class RankForm { least, sum, rows };

template <class T, Reduction R>
constexpr RankForm rank_form() {
  constexpr bool integer = std::is_integral_v<T> && !std::is_same_v<T, bool>;
  if (!integer && !is_exact_type_v<T>) return RankForm::rows;
  if (R == Reduction::sum) return RankForm::sum;
  return R == Reduction::last ? RankForm::rows : RankForm::least;
}

/// Does an argument write a global?
template <class Arg>
constexpr bool writes_global_v = false;
template <class T, int N, class M>
constexpr bool writes_global_v<GlobalReduceArg<T, N, M, Reduction::last>> =
    true;

/// What came of the words of all ranks, from the next slot on.
struct WordReader {
  const std::uint64_t *least, *sums;
  const unsigned char* rows;  ///< of rank 0
  std::size_t row_bytes;
  int ranks;
};

/// What slots leave out.
struct NoRankSlot {
  static constexpr bool reduces = false;
  static std::size_t words() { return 0; }
  template <class Exec>
  void pack(const Exec&, const SetParts&, RankWords&) {}
  void take(WordReader&) {}
};

/// An argument that is no reduction. Exact: with any_ranks; Kept: a sum of it
template <class Exec, class Arg, bool Exact,
          bool Kept = Exact&& is_exact_sum_v<Arg>, bool = is_reduction_v<Arg>>
struct RankSlot : NoRankSlot {
  void begin(const Exec&, SetParts&, const Arg&, Arena&) {}
  const Arg& argument(int, int, const Arg& arg) const { return arg; }
  void finish(const Exec&, const Arg&) const {}
};

/// Results of N components in three places (see PartPlace), and of all ranks.
template <class T, int N, Reduction R, bool Exact>
struct RankSlotBase : NoRankSlot {
  static constexpr bool reduces  = true;
  static constexpr RankForm form = rank_form<T, R>();
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
    return {value[k], parts.ascending[std::size_t(element[k])]};
  }
  /// Adds the results of this rank to what is sent.
  void append(const SetParts& parts, RankWords& words) const {
    for (int c = 0; c < N; ++c) {
      RankResult<T> mine = result(parts, core_place * N + c);
      mine.template add<R>(result(parts, boundary_place * N + c));
      if constexpr (form == RankForm::least) {
        words.least.push_back(least_word<R>(mine.value));
      } else if constexpr (form == RankForm::sum) {
        LoopSum<T> sum;
        sum.add(mine.value);
        sum.to_words(words.sums);
      } else {
        const std::size_t at = words.rows.size();
        words.rows.resize(at + sizeof mine);
        std::memcpy(words.rows.data() + at, &mine, sizeof mine);
      }
    }
  }
  /// Takes the results of all ranks.
  void take(WordReader& words) {
    for (int c = 0; c < N; ++c)
      if constexpr (form == RankForm::least) {
        total[c].value = from_least_word<R, T>(*words.least++);
      } else if constexpr (form == RankForm::sum) {
        LoopSum<T> sum;
        sum.from_words(words.sums);
        total[c].value = sum.value();
      } else {
        for (int rank = 0; rank < words.ranks; ++rank) {
          RankResult<T> one;
          std::memcpy(&one, words.rows + std::size_t(rank) * words.row_bytes,
                      sizeof one);
          total[c].template add<R>(one);
        }
        words.rows += sizeof(RankResult<T>);
      }
  }
  /// The result of all ranks and what was there before the loop.
  void apply(T* target) const {
    for (int c = 0; c < N; ++c)
      if constexpr (R != Reduction::last)
        target[c] = Exact
                        ? plain_value<T>(combine<R>(target[c], total[c].value))
                        : combine<R>(target[c], total[c].value);
      else if (total[c].number >= 0)
        target[c] = total[c].value;
  }
};

template <class Exec, class Arg, bool Exact>
struct RankSlot<Exec, Arg, Exact, false, true>
    : RankSlotBase<typename Arg::value_type, Arg::components, Arg::reduction,
                   Exact> {
  static constexpr int N       = Arg::components;
  static constexpr Reduction R = Arg::reduction;
  using T                      = typename Arg::value_type;
  using Memory                 = typename Exec::memory_space;
  using Host                   = Kokkos::HostSpace;
  T* device_value              = nullptr;
  int* device_element          = nullptr;
  const int* order             = nullptr;

  static std::size_t words() {
    return Arena::words<T>(n_places * N) + Arena::words<int>(n_places * N);
  }
  void begin(const Exec& exec, SetParts& parts, const Arg&, Arena& arena) {
    device_value   = arena.take<T>(n_places * N);
    device_element = arena.take<int>(n_places * N);
    copy_values<Memory, Host>(exec, device_value, this->value, n_places * N);
    if (R != Reduction::last) return;
    copy_values<Memory, Host>(exec, device_element, this->element,
                              n_places * N);
    order = number_order(exec, parts);
  }
  ReduceArg<T, N, R> argument(int place, int, const Arg&) const {
    return {device_value + place * N, true, device_element + place * N, order};
  }
  void pack(const Exec& exec, const SetParts& parts, RankWords& words) {
    copy_values<Host, Memory>(exec, this->value, device_value, n_places * N);
    if (R == Reduction::last)
      copy_values<Host, Memory>(exec, this->element, device_element,
                                n_places * N);
    this->append(parts, words);
  }
  void finish(const Exec& exec, const Arg& arg) const {
    change_result(exec, arg, [this](T* target) { this->apply(target); });
  }
};

/// Sums of N components that are not rounded.
template <class Exec, class Arg>
struct RankSlot<Exec, Arg, true, true, true> : NoRankSlot {
  static constexpr bool reduces = true;
  static constexpr int N        = Arg::components;
  using T                       = typename Arg::value_type;
  using Memory                  = typename Exec::memory_space;
  LoopSum<T>* device_sums       = nullptr;
  LoopSum<T> sums[N];

  static std::size_t words() { return Arena::words<LoopSum<T>>(N); }
  void begin(const Exec& exec, SetParts&, const Arg&, Arena& arena) {
    device_sums = arena.take<LoopSum<T>>(N);
    copy_values<Memory, Kokkos::HostSpace>(exec, device_sums, sums, N);
  }
  ExactSumArg<T, N> argument(int, int counted, const Arg&) const {
    return {device_sums, counted};
  }
  void pack(const Exec& exec, const SetParts&, RankWords& words) {
    copy_values<Kokkos::HostSpace, Memory>(exec, sums, device_sums, N);
    for (const LoopSum<T>& sum : sums) sum.to_words(words.sums);
  }
  void take(WordReader& words) {
    for (LoopSum<T>& sum : sums) sum.from_words(words.sums);
  }
  void apply(T* target) {
    for (int c = 0; c < N; ++c) {
      sums[c].add(target[c]);
      target[c] = sums[c].value();
    }
  }
  void finish(const Exec& exec, const Arg& arg) {
    change_result(exec, arg, [this](T* target) { this->apply(target); });
  }
};

/// All reductions of a loop. Waits for exec, in which the results are, and for
/// the other ranks: minima and maxima of all arguments in one reduction, sums
/// in another at the same time. Exact: with any_ranks
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
    (std::get<I>(m_slots).begin(m_exec, m_parts, args, arena), ...);
  }
  template <class F, std::size_t... I>
  void with_arguments(int place, int counted, const F& f,
                      std::index_sequence<I...>, const Args&... args) {
    f(std::get<I>(m_slots).argument(place, counted, args)...);
  }
  template <std::size_t... I>
  void finish(std::index_sequence<I...>, const Args&... args) {
    RankWords words;
    (std::get<I>(m_slots).pack(m_exec, m_parts, words), ...);
    const std::size_t row_bytes = words.rows.size();
    m_parts.combine(words);
    [[maybe_unused]] WordReader all{
        words.least.data(), words.sums.data(), words.rows.data(), row_bytes,
        row_bytes == 0 ? 0 : int(words.rows.size() / row_bytes)};
    (std::get<I>(m_slots).take(all), ...);
    (std::get<I>(m_slots).finish(m_exec, args), ...);
  }

  const Exec& m_exec;
  SetParts& m_parts;
  std::tuple<RankSlot<Exec, Args, Exact>...> m_slots;
};

}  // namespace Impl
}  // namespace Sporos

#endif
