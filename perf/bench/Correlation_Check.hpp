// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef SPOROS_BENCH_CORRELATION_CHECK_HPP
#define SPOROS_BENCH_CORRELATION_CHECK_HPP

/// \file Correlation_Check.hpp
/// Compares the result of every row with the loops of the definition.

#include "Correlation_Work.hpp"

#include <Perf_Numbers.hpp>

#include <cstdio>
#include <exception>
#include <string>

namespace Bench {

/// What the row computes, against the loops.
template <class T>
double correlation_difference(const CorrelationProblem<T>& p,
                              const std::string& name) {
  double flops = 0;
  Kokkos::deep_copy(p.out, T(-1));
  const Work plain = plain_rows_work(p);
  plain.run();
  const auto expected = on_host(p.out);
  Kokkos::View<T*, Kokkos::HostSpace> reference("bench::reference",
                                                expected.extent(0));
  Kokkos::deep_copy(reference, expected);
  Kokkos::deep_copy(p.out, T(-1));
  make_correlation_work(p, name, flops).run();
  const auto result = on_host(p.out);
  return Perf::difference(result.data(), reference.data(), result.size());
}

template <class T>
int check_correlation(CorrelationCache& cache, const char* type) {
  const double tolerance = sizeof(T) == 4 ? 1e-5 : 1e-13;
  int failures           = 0;
  for (const int window : {0, 8})
    for (const Pairing pairing : {Pairing::one_to_one, Pairing::one_to_many,
                                  Pairing::n_to_mn, Pairing::n_to_m})
      for (const int n : {16, 24, 37}) {
        const CorrelationConfig config{window, pairing, n, 100};
        const auto& p    = cache.get<T>(config);
        const auto check = [&](const std::string& name) {
          std::string text;
          bool ok = false;
          try {
            const double d = correlation_difference(p, name);
            ok             = d <= tolerance;
            text           = std::to_string(d / tolerance) + " of the bound";
          } catch (const std::exception& e) {
            ok   = true;  // not in this build, or no such grouping
            text = e.what();
          }
          failures += ok ? 0 : 1;
          std::printf("%-6s %s/%s/%s/%s/%d/%d: %s\n", ok ? "ok" : "WRONG",
                      window_name(window).c_str(),
                      Sporos::Impl::name_of(pairing), name.c_str(), type, n,
                      config.pairs, text.c_str());
          std::fflush(stdout);
        };
        for (const auto& choice : correlation_choices()) check(choice.name);
        for (const auto& peer : correlation_peers())
          if (peer.rfind("fftw", 0) == 0) check(peer);
      }
  return failures;
}

/// \return what main returns
inline int check_correlation_rows(CorrelationCache& cache) {
  const int failures = check_correlation<float>(cache, "float") +
                       check_correlation<double>(cache, "double");
  std::printf("%d rows differ from the plain loops\n", failures);
  return failures == 0 ? 0 : 1;
}

}  // namespace Bench

#endif
