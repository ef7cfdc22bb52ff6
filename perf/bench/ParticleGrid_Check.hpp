// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef SPOROS_BENCH_PARTICLEGRID_CHECK_HPP
#define SPOROS_BENCH_PARTICLEGRID_CHECK_HPP

/// \file ParticleGrid_Check.hpp
/// Compares the result of every row with the plain loop in the same precision.

#include "ParticleGrid_Work.hpp"

#include <Perf_Numbers.hpp>

#include <cstdio>
#include <string>

namespace Bench {

/// What the row leaves behind after one run, against the plain loop.
template <class T>
double row_difference(Problem<T>& p, const std::string& operation,
                      const std::string& name) {
  const bool spread = operation.rfind("spread", 0) == 0;
  const bool moved  = operation.find("_update") != std::string::npos;
  const int n       = p.config.cells;
  fill_random(p.field, 5);
  fill_random(p.values, 6);
  const Work work = make_work(p, operation, name);
  if (work.before) work.before();
  work.run();

  const auto x = host_copy(moved ? p.moved() : p.positions);
  if (spread) {
    HostField<T> reference("bench::reference", n, n, n);
    plain_spread<T>(x, host_copy(p.strengths), reference);
    const auto field = host_field<T>(p.field);
    return Perf::difference(field.data(), reference.data(), reference.size());
  }
  HostValues<T> reference("bench::reference", p.config.points);
  plain_interpolate<T>(x, host_field<T>(p.source), reference);
  const auto values = host_copy(p.values);
  return Perf::difference(values.data(), reference.data(), reference.size());
}

template <class T>
int check_type(ProblemCache& cache, const char* type) {
  const double tolerance = sizeof(T) == 4 ? 1e-4 : 1e-12;
  int failures           = 0;
  for (const Distribution distribution : distributions) {
    const Config config{distribution, 64, 100000};
    Problem<T>& p = cache.get<T>(config);
    for (const std::string operation : operations) {
      if (operation == "update") continue;  // spread_update looks at it
      for (const std::string& name : row_names(operation)) {
        if (name == "plain_loop") continue;
        const double d = row_difference(p, operation, name);
        const bool ok  = d <= tolerance;
        failures += ok ? 0 : 1;
        std::printf("%-6s %s/%s/%s/%s: %.1e\n", ok ? "ok" : "WRONG",
                    operation.c_str(), name.c_str(), type,
                    config.name().c_str(), d);
        std::fflush(stdout);
      }
    }
  }
  return failures;
}

/// \return what main returns
inline int check_rows(ProblemCache& cache) {
  const int failures =
      check_type<double>(cache, "double") + check_type<float>(cache, "float");
  std::printf("%d rows differ from the plain loop\n", failures);
  return failures == 0 ? 0 : 1;
}

}  // namespace Bench

#endif
