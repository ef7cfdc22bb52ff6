// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Prints hashes of what mesh loops compute: the same with any number of
// threads, and in each of several runs.

#include "Sporos_Hash.hpp"
#include "Sporos_MatrixCases.hpp"
#include "Sporos_MeshCases.hpp"
#include "Sporos_SlowRun.hpp"

#include <Sporos_DatVectors.hpp>

#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <vector>

namespace {

using namespace Sporos;
using namespace Sporos::Test;
using Exec = Kokkos::DefaultExecutionSpace;

/// Values whose sums depend on the order of the terms.
std::vector<double> rough_values(std::size_t n, double seed) {
  std::vector<double> values(n);
  for (std::size_t k = 0; k < n; ++k)
    values[k] = std::sin(seed + 1.7 * double(k)) * std::exp(double(k % 23));
  return values;
}

template <int Arity, class Layout>
void run(const std::string& name, int n, int targets,
         const std::vector<int>& entries) {
  const Exec exec{};
  const Set from("from", n), to("to", targets);
  const Map<Arity> map("map", from, to, entries);
  const Dat<double, 2, Layout> x("x", to,
                                 rough_values(2 * std::size_t(targets), 1)),
      u("u", from);
  const Dat<double, 1, Layout> w("w", from, rough_values(std::size_t(n), 2));
  const auto start = rough_values(3 * std::size_t(targets), 3);
  const Dat<double, 3, Layout> y("y", to);
  for (LoopOptions o : all_options())
    for (const bool packs : {true, false}) {
      if (o.strategy == LoopStrategy::atomic) continue;
      o.packs            = packs;
      std::uint64_t once = 0;
      for (int k = 0; k < 3; ++k) {
        y.assign(start);
        double total[2] = {0, 0}, least = 1e300;
        par_loop("exchange", exec, from, o, Exchange<Arity>{}, read(x, map),
                 read(w), write(u), inc(y, map), sum(total),
                 Sporos::min(least));
        const double numbers[3] = {total[0], total[1], least};
        const std::uint64_t h   = hash(y.view()) ^ (hash(u.view()) << 1) ^
                                (hash_bytes(numbers, sizeof(numbers)) << 2);
        if (k > 0 && h != once) {
          std::printf("%s %s: run %d differs\n", name.c_str(), text(o).c_str(),
                      k);
          std::exit(1);
        }
        once = h;
      }
      print_hash(name + ' ' + text(o), once);
    }
}

/// A matrix, and its product with a dat.
template <bool Missing>
void run_matrix(int n, int rows) {
  MatrixCase<Exec, double, 3, 3, 1, 1, Missing> c(n, rows, rows, 4);
  c.w.assign(rough_values(std::size_t(n), 5));
  c.x.assign(rough_values(std::size_t(rows), 6));
  for (const LoopOptions& o : all_options()) {
    if (o.strategy == LoopStrategy::atomic) continue;
    c.run(c.from, o);
    const std::uint64_t h = hash(c.mat.values());
    multiply(c.mat, c.x, c.y);
    print_hash("matrix " + text(o), h ^ (hash(c.y.view()) << 1));
    c.template run<true>(c.from, o);
    print_hash("searched " + text(o), hash(c.mat.values()));
  }
}

void run_vectors(int n) {
  const Set set("set", n);
  const Dat<double, 3> x("x", set, rough_values(3 * std::size_t(n), 4)),
      y("y", set, rough_values(3 * std::size_t(n), 5));
  const double dots[2] = {dot(x, y), dot(x, y, {true})};
  print_hash("dot", hash_bytes(dots, sizeof(dots)));
}

}  // namespace

int main(int argc, char* argv[]) {
  Kokkos::ScopeGuard kokkos(argc, argv);
  Test::print_threads(Exec());
  const int part = Test::slow_run ? 10 : 1, n = 60000 / part;
  run<2, Kokkos::LayoutRight>("banded", n + 1, n / 3,
                              banded_entries(n + 1, 2, n / 3, 1));
  run<2, Kokkos::LayoutRight>("random", n / 2, n / 20,
                              random_entries(n / 2, 2, n / 20, 2));
  run<4, Kokkos::LayoutLeft>("banded, arity 4", n / 3, n / 3,
                             banded_entries(n / 3, 4, n / 3, 3));
  run_matrix<false>(n / 6, n / 12);
  run_matrix<true>(n / 6, n / 12);
  run_vectors(n);
}
