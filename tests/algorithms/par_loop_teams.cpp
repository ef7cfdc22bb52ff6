// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// The kernels that devices run by teams of many threads, run here by threads of
// the host: thread colours, barriers, staging, reductions over a team.

#include "Sporos_MeshCases.hpp"
#include "Sporos_Test.hpp"

#include <condition_variable>
#include <memory>
#include <mutex>
#include <thread>
#include <vector>

namespace ParLoopTeams {

using namespace Sporos;
using namespace Sporos::Test;

using Exec = Kokkos::DefaultHostExecutionSpace;

class Barrier {
 public:
  explicit Barrier(int threads) : m_threads(threads) {}
  void wait() {
    std::unique_lock<std::mutex> lock(m_mutex);
    const int round = m_round;
    if (++m_waiting == m_threads) {
      m_waiting = 0;
      ++m_round;
      m_all.notify_all();
    } else {
      m_all.wait(lock, [&] { return m_round != round; });
    }
  }

 private:
  std::mutex m_mutex;
  std::condition_variable m_all;
  int m_threads, m_waiting = 0, m_round = 0;
};

/// Stands for a device.
struct NoHost {};

inline void wait_at(Barrier* barrier) { barrier->wait(); }

/// A thread of a team. Device compilers see no call of a function of the host.
struct Member {
  using execution_space = NoHost;
  int rank, size, league;
  Barrier* barrier;
  void (*wait)(Barrier*);
  std::uint64_t* scratch;
  std::size_t words;
  KOKKOS_FUNCTION int team_rank() const { return rank; }
  KOKKOS_FUNCTION int team_size() const { return size; }
  KOKKOS_FUNCTION int league_rank() const { return league; }
  KOKKOS_FUNCTION void team_barrier() const { wait(barrier); }
};

KOKKOS_FUNCTION std::uint64_t* team_words(const Member& team,
                                          std::size_t words) {
  return words <= team.words ? team.scratch : nullptr;
}

template <class Kernel>
void run_team(const Kernel& kernel, int team_size, int league_rank) {
  Barrier barrier(team_size);
  std::vector<std::uint64_t> scratch(kernel.plan.words, 0x7ff8dead00000000u);
  std::vector<std::thread> threads;
  for (int r = 0; r < team_size; ++r)
    threads.emplace_back([&, r] {
      kernel(Member{r, team_size, league_rank, &barrier, wait_at,
                    scratch.data(), scratch.size()});
    });
  for (std::thread& t : threads) t.join();
}

/// args: results are in memory, see in_memory
template <Staging S, bool ByColor, class Kernel, class... Args>
void run_plan_by(const LoopPlan<Exec>& plan, const Kernel& loop_kernel,
                 int team_size, const Args&... args) {
  const Exec exec{};
  auto& d = plan.data();
  auto memory =
      Sporos::Impl::loop_memory<Exec, Sporos::Impl::Increments::added>(
          exec, *plan.state(), std::size_t(d.nblocks), args...);
  const auto body = Sporos::Impl::loop_body<Sporos::Impl::Increments::added>(
      exec, memory, loop_kernel, args...);
  int begin = 0;
  for (std::size_t color = 0; color < d.ncolblk.size(); ++color) {
    const auto kernel =
        Sporos::Impl::team_kernel<S, ByColor>(d, body, color, begin, team_size);
    for (int b = 0; b < d.ncolblk[color]; ++b) run_team(kernel, team_size, b);
    begin += d.ncolblk[color];
  }
  Sporos::Impl::combine_chunks("test", exec, body, d.nblocks);
}

template <Staging S, bool ByColor, class Kernel, class... Args>
void run_loop_by(const Set& set, const Kernel& loop_kernel,
                 const LoopOptions& o, int team_size, const Args&... args) {
  const Exec exec{};
  const LoopPlan<Exec> plan(exec, set, o, args...);
  Sporos::Impl::Arena none;  // hosts need no room for results
  run_plan_by<S, ByColor>(
      plan, loop_kernel, team_size,
      Sporos::Impl::in_memory<false>("test", exec, none, args, set.size())...);
}

template <class Layout, Staging S, bool ByColor>
void check(int n, const std::vector<int>& entries, int block_size,
           int team_size, bool sorted) {
  const int targets = 150;
  ExchangeCase<Exec, 2, Layout> c(n, targets, entries);
  LoopOptions o;
  o.strategy   = LoopStrategy::hierarchical;
  o.block_size = block_size;
  // thread colours are there if anything is staged
  o.staging       = S == Staging::none ? Staging::increments : S;
  o.sort_by_color = sorted;
  c.reset();
  run_loop_by<S, ByColor>(c.from, Exchange<2>{}, o, team_size, read(c.x, c.map),
                          read(c.w), write(c.u), inc(c.y, c.map), sum(c.total),
                          Sporos::min(c.least));
  INFO(text(o) << ", by colour: " << ByColor << ", teams of " << team_size);
  CHECK(c.right());
}

template <class Layout, bool ByColor>
void check_stagings(bool banded) {
  const auto entries =
      banded ? banded_entries(300, 2, 150, 1) : random_entries(300, 2, 150, 2);
  check<Layout, Staging::increments, ByColor>(300, entries, 32, 32, true);
  check<Layout, Staging::all, ByColor>(300, entries, 64, 64, false);
  check<Layout, Staging::none, ByColor>(300, entries, 32, 32, true);
  // fewer threads than elements
  check<Layout, Staging::all, ByColor>(300, entries, 50, 16, true);
  check<Layout, Staging::increments, ByColor>(300, entries, 100, 7, true);
}

TEST_CASE("teams of many threads give the sums of the plain loop",
          "[par_loop]") {
  for (const bool banded : {true, false}) {
    check_stagings<Kokkos::LayoutRight, false>(banded);
    check_stagings<Kokkos::LayoutRight, true>(banded);
    check_stagings<Kokkos::LayoutLeft, false>(banded);
  }
}

/// Counts how often values are copied, to registers and back.
struct Watched {
  double v    = 0;
  int* copies = nullptr;
  Watched()   = default;
  KOKKOS_FUNCTION Watched& operator=(const Watched& other) {
    v      = other.v;
    copies = other.copies;
    if (copies != nullptr) Kokkos::atomic_add(copies, 1);
    return *this;
  }
};

struct Double {
  KOKKOS_FUNCTION void operator()(ReadWrite<Watched> x,
                                  Inc<double, 1, 2> y) const {
    x[0].v *= 2;
    y(0, 0) += 1;
    y(1, 0) += 1;
  }
};

// What an idle thread loads, another may store.
TEST_CASE("threads without an element load nothing", "[par_loop]") {
  const int n = 45;  // blocks of 32 and 13
  const Set from("from", n), to("to", n + 1);
  const Map<2, Kokkos::HostSpace> map("map", from, to, chain_entries(n));
  const Dat<Watched, 1, Kokkos::LayoutRight, Kokkos::HostSpace> x("x", from);
  const Dat<double, 1, Kokkos::LayoutRight, Kokkos::HostSpace> y("y", to);
  int copies = 0;
  for (int e = 0; e < n; ++e) {
    x.view()(e, 0).v      = e;
    x.view()(e, 0).copies = &copies;
  }
  LoopOptions o;
  o.strategy   = LoopStrategy::hierarchical;
  o.block_size = 32;
  o.staging    = Staging::increments;
  run_loop_by<Staging::increments, false>(from, Double{}, o, 32, rw(x),
                                          inc(y, map));
  CHECK(copies == 2 * n);
  for (int e = 0; e < n; ++e) CHECK(x.view()(e, 0).v == 2 * e);
  CHECK(y.to_host()[1] == 2);
}

}  // namespace ParLoopTeams
