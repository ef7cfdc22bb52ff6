// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef SPOROS_BENCH_MESH_CHECK_HPP
#define SPOROS_BENCH_MESH_CHECK_HPP

/// \file Mesh_Check.hpp
/// Compares what every strategy and peer computes with the loop of one thread
/// that is written by hand, on small meshes.

#include "Mesh_Work.hpp"

#include <Perf_Numbers.hpp>

#include <cmath>
#include <cstdio>
#include <exception>
#include <string>
#include <vector>

namespace Bench {

/// Prints and counts what is too far off.
class Failures {
 public:
  /// \param off how far a row is off; what it throws is a failure, too
  template <class Off>
  void check(const Row& row, const Off& off) {
    try {
      compare(row, off());
    } catch (const std::exception& error) {
      std::printf("%-70s %s FAILED\n", row_name(row).c_str(), error.what());
      ++m_failed;
    }
  }
  int result() const {
    std::printf("%d failed\n", m_failed);
    return m_failed == 0 ? 0 : 1;
  }

 private:
  void compare(const Row& row, double off) {
    const bool ok = off <= 1e-11;  // false for NaN, too
    std::printf("%-70s %.1e %s\n", row_name(row).c_str(), off,
                ok ? "ok" : "FAILED");
    m_failed += ok ? 0 : 1;
  }
  int m_failed = 0;
};

/// A row for each strategy, layout and peer.
inline std::vector<Row> variants(const std::string& kernel,
                                 const std::string& ordering, int size) {
  std::vector<Row> rows;
  for (const char* peer : {"hand_block_colored", "hand_atomic"})
    rows.push_back({kernel, peer, false, ordering, "aos", size});
  for (const char* layout : {"aos", "soa"})
    for (const bool packs : {true, false})
      for (const NamedOptions& n : named_options())
        rows.push_back({kernel, n.name, packs, ordering, layout, size});
  return rows;
}

/// Changes after a few iterations.
inline void check_airfoil(const std::string& ordering, MeshCache& cache,
                          Failures& failures) {
  constexpr int iterations = 5, size = 48;
  const auto after = [](auto& simulation) {
    for (int k = 0; k < iterations; ++k) simulation.iterate();
    return simulation.iterate();
  };
  AirfoilApp::SerialAirfoil<double> serial(cache.quads(size, false));
  const double expected = after(serial);
  const auto change     = [&](const Row& row) {
    if (row.by_hand()) {
      ByHand::Airfoil<double> a(cache.quads(size, row.is_shuffled()),
                                    ByHand::way(row.strategy));
      return after(a);
    }
    const auto s = row_simulation(row, cache);  // one iteration
    for (int k = 0; k < iterations; ++k) s->iterate(false);
    return s->change();
  };
  for (const Row& row : variants("iteration", ordering, size))
    failures.check(row, [&] { return std::abs(change(row) / expected - 1); });
}

template <class Loop>
std::vector<double> box_result(const Row& row, MeshCache& cache) {
  const Loop loop(cache.hexes(row.size));
  const Exec exec;
  loop.run(exec, row_options(row));
  exec.fence();
  return loop.result().to_host();
}

/// Forces or fluxes of one run.
/// \param result of a peer: the vector that it adds to
template <class Aos, class Soa, class Peer, class Result>
void check_box(const std::string& kernel, MeshCache& cache, Failures& failures,
               const Result& result) {
  constexpr int size = 13;
  const auto by_hand = [&](const std::string& way) {
    Peer peer(cache.hexes(size), ByHand::way(way));
    peer.run();
    return result(peer);
  };
  const auto expected = by_hand("hand_serial");
  const auto computed = [&](const Row& row) {
    if (row.by_hand()) return by_hand(row.strategy);
    return row.layout == "aos" ? box_result<Aos>(row, cache)
                               : box_result<Soa>(row, cache);
  };
  for (const Row& row : variants(kernel, "natural", size))
    failures.check(row, [&] {
      const auto found = computed(row);
      return Perf::difference(found.data(), expected.data(), expected.size());
    });
}

/// \return what main returns
inline int check_rows(MeshCache& cache) {
  using Right = Kokkos::LayoutRight;
  using Left  = Kokkos::LayoutLeft;
  Failures failures;
  for (const char* ordering :
       {"natural", "shuffled", "rcm", "gps", "metis", "shuffled_rcm",
        "shuffled_gps", "shuffled_metis"})
    check_airfoil(ordering, cache, failures);
  check_box<StressLoop<double, Right>, StressLoop<double, Left>,
            ByHand::Stress<double>>("stress_forces", cache, failures,
                                    [](const auto& p) { return p.force; });
  check_box<FluxLoop<double, Right>, FluxLoop<double, Left>,
            ByHand::Flux<double>>("face_flux", cache, failures,
                                  [](const auto& p) { return p.change; });
  return failures.result();
}

}  // namespace Bench

#endif
