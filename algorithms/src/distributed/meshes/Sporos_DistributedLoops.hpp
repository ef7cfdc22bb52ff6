// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef SPOROS_DISTRIBUTEDLOOPS_HPP
#define SPOROS_DISTRIBUTEDLOOPS_HPP

/// \file Sporos_DistributedLoops.hpp
/// Halo exchanges and reductions of loops over sets that are distributed over
/// MPI ranks.

#include <Sporos_Communicator.hpp>
#include <Sporos_Set.hpp>
#include <distributed/messages/Sporos_Exchange.hpp>
#include <distributed/meshes/Sporos_LocalSets.hpp>
#include <mesh/state/Sporos_SetParts.hpp>

#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <typeinfo>
#include <utility>
#include <vector>

namespace Sporos {
namespace Impl {

/// Values of a dat as words: word k of the row of an element.
template <class Word>
struct HaloWords {
  Word* data;
  std::ptrdiff_t row_stride, component_stride;  ///< in words
  int words_per_value;

  KOKKOS_FUNCTION Word& operator()(int i, int k) const {
    return data[i * row_stride + k / words_per_value * component_stride +
                k % words_per_value];
  }
};

/// What makes a set one that is distributed: loops over it, in the execution
/// space Exec, are collective. Exchanges are kept for each combination of dats
/// that loops ask for.
template <class Exec>
class RankParts final : public SetParts {
  using Memory = typename Exec::memory_space;
  using Lists  = ExchangeLists<Memory>;
  /// What the messages of an exchange hold: for each dat its set and the bytes
  /// of an element.
  using Key = std::vector<std::pair<const void*, int>>;

 public:
  /// exec: on whose device the lists are
  RankParts(const Exec& exec, const Communicator& comm, const LocalSet& local,
            bool same_bits)
      : m_comm(comm), m_lists(exec, local.send, local.receive) {
    core      = local.core;
    owned     = local.owned;
    executed  = local.executed;
    global    = local.global;
    any_ranks = same_bits;
  }

  bool is_space(const std::type_info& exec) const override {
    return exec == typeid(Exec);
  }

  void start(const void* exec, const std::vector<HaloDat>& dats) override {
    with_words(dats, [&](auto word) {
      exchange_of(dats).start(*static_cast<const Exec*>(exec),
                              halo_parts<decltype(word)>(dats));
    });
  }
  void finish(const void* exec, const std::vector<HaloDat>& dats) override {
    with_words(dats, [&](auto word) {
      exchange_of(dats).finish(*static_cast<const Exec*>(exec),
                               halo_parts<decltype(word)>(dats));
    });
  }

  /// What there is travels at the same time.
  void combine(RankWords& words) const override {
    MPI_Request requests[3] = {MPI_REQUEST_NULL, MPI_REQUEST_NULL,
                               MPI_REQUEST_NULL};
    reduce(words.least, MPI_MIN, requests[0]);
    reduce(words.sums, MPI_SUM, requests[1]);
    std::vector<unsigned char> all(words.rows.size() *
                                   std::size_t(m_comm.size()));
    if (!all.empty())
      check_mpi(MPI_Iallgather(words.rows.data(), int(words.rows.size()),
                               MPI_BYTE, all.data(), int(words.rows.size()),
                               MPI_BYTE, m_comm.mpi(), &requests[2]),
                "Sporos::par_loop", "MPI_Iallgather");
    wait_for_each(requests, "Sporos::par_loop");
    words.rows = std::move(all);
  }

  void agree(const std::string& error, const std::string& same) const override {
    Impl::agree(m_comm, "Sporos::par_loop", error, same);
  }

  /// Messages to other ranks so far by loops over this set.
  std::size_t messages_sent() const {
    std::size_t sum = 0;
    for (const auto& one : m_exchanges) sum += one.second.messages_sent();
    return sum;
  }

 private:
  void reduce(std::vector<std::uint64_t>& words, MPI_Op op,
              MPI_Request& request) const {
    if (words.empty()) return;
    check_mpi(MPI_Iallreduce(MPI_IN_PLACE, words.data(), int(words.size()),
                             MPI_UINT64_T, op, m_comm.mpi(), &request),
              "Sporos::par_loop", "MPI_Iallreduce");
  }

  static const RankParts& parts_of(const HaloDat& dat) {
    return static_cast<const RankParts&>(*dat.set->parts);
  }

  /// f(word) with the largest type that all rows are made of.
  template <class F>
  static void with_words(const std::vector<HaloDat>& dats, const F& f) {
    const auto fit = [&](int bytes) {
      for (const HaloDat& dat : dats)
        if (dat.value_bytes % bytes != 0 || dat.value_alignment % bytes != 0)
          return false;
      return true;
    };
    if (fit(8))
      f(std::uint64_t{});
    else if (fit(4))
      f(std::uint32_t{});
    else
      f(static_cast<unsigned char>(0));
  }

  template <class Word>
  static auto halo_parts(const std::vector<HaloDat>& dats) {
    std::vector<ExchangePart<Lists, HaloWords<Word>, false>> parts;
    for (const HaloDat& dat : dats) {
      const int n = dat.value_bytes / int(sizeof(Word));
      const HaloWords<Word> words{static_cast<Word*>(dat.data),
                                  dat.row_stride * n, dat.component_stride * n,
                                  n};
      parts.push_back(
          copy_part(parts_of(dat).m_lists, words, dat.components * n));
    }
    return parts;
  }

  const Exchange<Memory>& exchange_of(const std::vector<HaloDat>& dats) {
    Key key;
    for (const HaloDat& dat : dats)
      key.emplace_back(dat.set, dat.components * dat.value_bytes);
    const auto found = m_exchanges.find(key);
    if (found != m_exchanges.end()) return found->second;
    return m_exchanges.emplace(key, Exchange<Memory>(m_comm)).first->second;
  }

  Communicator m_comm;
  Lists m_lists;
  std::map<Key, Exchange<Memory>> m_exchanges;
};

}  // namespace Impl
}  // namespace Sporos

#endif
