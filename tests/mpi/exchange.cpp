// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Exchanges of arrays against lists that all ranks know.
#include <Sporos_Communicator.hpp>
#include <Sporos_Test.hpp>
#include <distributed/messages/Sporos_Exchange.hpp>

#include "Sporos_LongestMessage.hpp"

#include <random>
#include <stdexcept>
#include <string>
#include <vector>

namespace ExchangeOnRanks {

using Sporos::Communicator;
using Sporos::Test::host_copy;
namespace Impl = Sporos::Impl;
namespace Test = Sporos::Test;
using Exec     = Kokkos::DefaultExecutionSpace;
using Memory   = Exec::memory_space;
using Lists    = Impl::ExchangeLists<Memory>;

namespace {

constexpr int n_owned = 40, n_halo = 200;

/// lists[a][b]: pairs (entry of a, entry of b) that travel from a to b.
struct Pairs {
  std::vector<std::vector<std::vector<int>>> from, to;
};

/// Random pairs, the same on all ranks; entries in halos are used once, owned
/// ones often.
Pairs random_pairs(int ranks, unsigned seed) {
  Pairs pairs;
  pairs.from.assign(ranks, std::vector<std::vector<int>>(ranks));
  pairs.to = pairs.from;
  std::mt19937 random(seed);
  std::vector<int> used(ranks, 0);
  for (int a = 0; a < ranks; ++a)
    for (int b = 0; b < ranks; ++b) {
      const int n = random() % 3 == 0 ? 0 : int(random() % 20);
      for (int k = 0; k < n && used[b] < n_halo; ++k) {
        pairs.from[a][b].push_back(int(random() % n_owned));
        pairs.to[a][b].push_back(n_owned + used[b]++);
      }
    }
  return pairs;
}

Lists lists_of(const Pairs& pairs, int rank) {
  Impl::RankLists send, receive;
  for (int other = 0; other < int(pairs.from.size()); ++other) {
    send[other]    = pairs.from[rank][other];
    receive[other] = pairs.to[other][rank];
  }
  return Lists(send, receive);
}

/// Values that are different on all ranks, entries and components.
template <class T, class View>
View filled(int rank, int components) {
  View view("values", n_owned + n_halo, components);
  auto host = Kokkos::create_mirror_view(view);
  for (int i = 0; i < n_owned + n_halo; ++i)
    for (int c = 0; c < components; ++c)
      host(i, c) = T(rank * 10000 + i * 10 + c) / T(7);
  Kokkos::deep_copy(view, host);
  return view;
}

template <class T, class View>
void check_copied(const Pairs& pairs, int rank, const View& view,
                  int components) {
  const auto got      = host_copy(view);
  const auto expected = host_copy(filled<T, View>(rank, components));
  for (int a = 0; a < int(pairs.from.size()); ++a) {
    const auto sent = host_copy(filled<T, View>(a, components));
    for (std::size_t k = 0; k < pairs.to[a][rank].size(); ++k)
      for (int c = 0; c < components; ++c)
        expected(pairs.to[a][rank][k], c) = sent(pairs.from[a][rank][k], c);
  }
  bool same = true;
  for (int i = 0; i < n_owned + n_halo; ++i)
    for (int c = 0; c < components; ++c)
      same = same && got(i, c) == expected(i, c);
  CHECK(same);
}

using Doubles = Kokkos::View<double**, Kokkos::LayoutRight, Memory>;
using Floats  = Kokkos::View<float**, Kokkos::LayoutLeft, Memory>;

/// Rank 0 sends n_there entries to rank 1, which sends n_back.
Lists two_ranks(int rank, int n_there, int n_back) {
  Impl::RankLists send, receive;
  for (int k = 0; rank < 2 && k < (rank == 0 ? n_there : n_back); ++k)
    send[1 - rank].push_back(k);
  for (int k = 0; rank < 2 && k < (rank == 0 ? n_back : n_there); ++k)
    receive[1 - rank].push_back(n_owned + k);
  return Lists(send, receive);
}

}  // namespace

TEST_CASE("values of several arrays overwrite those of neighbours") {
  const Communicator comm(MPI_COMM_WORLD);
  const Exec exec{};
  const Impl::Exchange<Memory> exchange(comm);
  for (unsigned seed = 0; seed < 5; ++seed) {
    const Pairs pairs = random_pairs(comm.size(), seed);
    const Pairs other = random_pairs(comm.size(), seed + 100);
    const Lists lists = lists_of(pairs, comm.rank());
    const Lists more  = lists_of(other, comm.rank());
    for (int turn = 0; turn < 2; ++turn) {
      const auto a    = filled<double, Doubles>(comm.rank(), 3);
      const auto b    = filled<float, Floats>(comm.rank(), 1);
      const auto part = Impl::copy_part(lists, a, 3);
      const auto next = Impl::copy_part(more, b, 1);
      exchange.start(exec, part, next);
      exchange.finish(exec, part, next);
      check_copied<double>(pairs, comm.rank(), a, 3);
      check_copied<float>(other, comm.rank(), b, 1);
    }
  }
}

TEST_CASE("one message for each neighbour, of no more bytes than travel") {
  const Communicator comm(MPI_COMM_WORLD);
  const Exec exec{};
  const Impl::Exchange<Memory> exchange(comm);
  const Pairs pairs = random_pairs(comm.size(), 3);
  const Lists lists = lists_of(pairs, comm.rank());
  using Part        = decltype(Impl::copy_part(lists, Doubles(), 2));
  const std::vector<Part> parts{
      Impl::copy_part(lists, filled<double, Doubles>(comm.rank(), 2), 2),
      Impl::copy_part(lists, filled<double, Doubles>(comm.rank(), 2), 2)};
  exchange.start(exec, parts);
  exchange.finish(exec, parts);
  std::size_t neighbours = 0, entries = 0;
  for (int b = 0; b < comm.size(); ++b)
    if (b != comm.rank() && !pairs.from[comm.rank()][b].empty()) {
      ++neighbours;
      entries += pairs.from[comm.rank()][b].size();
    }
  CHECK(exchange.messages_sent() == neighbours);
  CHECK(exchange.bytes_sent() == entries * 4 * sizeof(double));
  for (const Part& part : parts)
    check_copied<double>(pairs, comm.rank(), part.values, 2);
}

TEST_CASE("values of neighbours are added in the order of ranks") {
  const Communicator comm(MPI_COMM_WORLD);
  const Exec exec{};
  const Impl::Exchange<Memory> exchange(comm);
  for (unsigned seed = 20; seed < 23; ++seed) {
    const Pairs pairs = random_pairs(comm.size(), seed);
    const Lists lists = lists_of(pairs, comm.rank());
    const auto values = filled<double, Doubles>(comm.rank(), 2);
    const auto part   = Impl::copy_part<true>(lists, values, 2);
    exchange.start(exec, part);
    exchange.finish(exec, part);
    const auto got      = host_copy(values);
    const auto expected = host_copy(filled<double, Doubles>(comm.rank(), 2));
    for (int b = 0; b < comm.size(); ++b) {
      const auto sent = host_copy(filled<double, Doubles>(b, 2));
      for (std::size_t k = 0; k < pairs.to[comm.rank()][b].size(); ++k)
        for (int c = 0; c < 2; ++c)
          expected(pairs.from[comm.rank()][b][k], c) +=
              sent(pairs.to[comm.rank()][b][k], c);
    }
    bool same = true;
    for (int i = 0; i < n_owned + n_halo; ++i)
      for (int c = 0; c < 2; ++c) same = same && got(i, c) == expected(i, c);
    CHECK(same);
  }
}

TEST_CASE("lists have sums when they are asked for") {
  Impl::RankLists send;
  send[0] = {4, 2, 4};
  send[2] = {2};
  const Lists lists(send, {});
  CHECK(lists.bytes() == 8 * sizeof(int));
  const auto sums    = lists.sums(Exec());
  const auto targets = host_copy(sums.targets),
             offsets = host_copy(sums.offsets);
  const auto places  = host_copy(sums.places);
  CHECK(lists.bytes() == (8 + 2 + 3 + 4) * sizeof(int));
  REQUIRE(targets.extent(0) == 2);
  CHECK((targets(0) == 2 && targets(1) == 4));
  CHECK((offsets(0) == 0 && offsets(1) == 2 && offsets(2) == 4));
  CHECK((places(0) == 1 && places(1) == 3));
  CHECK((places(2) == 0 && places(3) == 2));
}

TEST_CASE("nothing travels without entries") {
  const Communicator comm(MPI_COMM_WORLD);
  const Exec exec{};
  const Impl::Exchange<Memory> exchange(comm);
  const Doubles values("values", 1, 1);
  const auto part = Impl::copy_part(Lists(), values, 1);
  exchange.start(exec, part);
  exchange.finish(exec, part);
  CHECK(exchange.messages_sent() == 0);
}

TEST_CASE("long messages are cut") {
  const Communicator comm(MPI_COMM_WORLD);
  const Exec exec{};
  const Impl::Exchange<Memory> exchange(comm);
  const Pairs pairs = random_pairs(comm.size(), 7);
  const Test::LongestMessage cut(40);
  for (int turn = 0; turn < 2; ++turn) {
    const auto values = filled<double, Doubles>(comm.rank(), 3);
    const auto part = Impl::copy_part(lists_of(pairs, comm.rank()), values, 3);
    exchange.start(exec, part);
    exchange.finish(exec, part);
    check_copied<double>(pairs, comm.rank(), values, 3);
  }
}

TEST_CASE("an exchange that was not finished does not disturb the next one") {
  const Communicator comm(MPI_COMM_WORLD);
  const Exec exec{};
  const Pairs pairs = random_pairs(comm.size(), 3);
  const Lists lists = lists_of(pairs, comm.rank());
  const auto old    = filled<double, Doubles>(comm.rank() + 1, 2);
  const Impl::Exchange<Memory> exchange(comm);
  exchange.start(exec, Impl::copy_part(lists, old, 2));
  {
    const Impl::Exchange<Memory> other(comm);
    other.start(exec, Impl::copy_part(lists, old, 2));
  }
  for (int turn = 0; turn < 2; ++turn) {
    const auto values = filled<double, Doubles>(comm.rank(), 2);
    const auto part   = Impl::copy_part(lists, values, 2);
    exchange.start(exec, part);
    exchange.finish(exec, part);
    check_copied<double>(pairs, comm.rank(), values, 2);
  }
}

TEST_CASE("messages of other sizes than expected are errors") {
  const Communicator comm(MPI_COMM_WORLD);
  if (comm.size() == 1) return;
  const Exec exec{};
  const int rank = comm.rank();
  const Impl::Exchange<Memory> exchange(comm);
  const auto values = filled<double, Doubles>(rank, 2);
  // rank 0 gets more than it expects, rank 1 less
  const auto wrong = Impl::copy_part(
      rank == 0 ? two_ranks(0, 3, 3) : two_ranks(rank, 5, 5), values, 2);
  exchange.start(exec, wrong);
  std::string error;
  try {
    exchange.finish(exec, wrong);
  } catch (const std::runtime_error& e) {
    error = e.what();
  }
  INFO(error);
  const auto says = [&](const char* text) {
    return error.find(text) != std::string::npos;
  };
  if (rank == 0) CHECK(says("Sporos::exchange: a message from rank 1 failed:"));
  if (rank == 1) CHECK(says("from rank 0 has 48 bytes instead of 80"));
  if (rank < 2) CHECK(says("all ranks must make the same calls"));
  CHECK(error.empty() == (rank > 1));

  for (int turn = 0; turn < 2; ++turn) {
    const auto right = Impl::copy_part(two_ranks(rank, 5, 5), values, 2);
    exchange.start(exec, right);
    exchange.finish(exec, right);
  }
  const auto got = host_copy(values);
  for (int k = 0; rank < 2 && k < 5; ++k)
    CHECK(got(n_owned + k, 1) ==
          host_copy(filled<double, Doubles>(1 - rank, 2))(k, 1));
}

}  // namespace ExchangeOnRanks
