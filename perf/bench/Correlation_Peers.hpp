// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef SPOROS_BENCH_CORRELATION_PEERS_HPP
#define SPOROS_BENCH_CORRELATION_PEERS_HPP

/// \file Correlation_Peers.hpp
/// What one writes without the library: loops over rows; and the limit of the
/// machine.

#include "Correlation_Problem.hpp"

#include <Sporos_Pack.hpp>

#include <algorithm>

namespace Bench {

/// The loops of the definition, those over x innermost: for each pair, each row
/// of shifts and each row of the overlap an inner product per shift. A thread
/// takes a pair.
template <class T>
struct PlainRows {
  const T* left;
  const T* right;
  T* out;
  Sporos::ShiftWindow shifts;
  int n, m, all;  ///< all: right matrices are shared by all left ones

  void operator()(int pair) const {
    const T* l = left + std::size_t(pair / m) * n * n;
    const T* r = right + std::size_t(all ? pair % m : pair) * n * n;
    T* o       = out + std::size_t(pair) * shifts.rows() * shifts.columns();
    for (int dy = shifts.dy0; dy < shifts.dy1; ++dy)
      for (int dx = shifts.dx0; dx < shifts.dx1; ++dx) {
        T sum = 0;
        for (int y = std::max(0, -dy); y < std::min(n, n - dy); ++y) {
          const T* const a = l + (y + dy) * n + dx;
          const T* const b = r + y * n;
          const int end    = std::min(n, n - dx);
          for (int x = std::max(0, -dx); x < end; ++x) sum += a[x] * b[x];
        }
        *o++ = sum;
      }
  }
};

/// A copy on the host of what lies in the space of Exec, or the same memory.
template <class T>
Kokkos::View<T*, Kokkos::HostSpace> on_host(const Kokkos::View<T*, Exec>& v) {
  return Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), v);
}

using HostExec = Kokkos::DefaultHostExecutionSpace;

template <class T>
Work plain_rows_work(const CorrelationProblem<T>& p) {
  const auto left = on_host(p.left), right = on_host(p.right);
  const auto out = on_host(p.out);
  Work work;
  work.bytes = sizeof(T);  // none
  work.run   = [=, c = p.config, m = p.extents.m] {
    const HostExec exec;
    Kokkos::parallel_for(
          "Sporos::bench::plain_rows",
          Kokkos::RangePolicy<HostExec>(exec, 0, c.pairs),
          PlainRows<T>{left.data(), right.data(), out.data(), c.shifts(), c.n, m,
                     c.pairing == Pairing::n_to_m});
    exec.fence();
  };
  return work;
}

/// Independent multiply-adds in registers.
template <class T, bool host>
struct FmaLoop {
  static constexpr int chains = host ? 24 : 8;
  static constexpr int width  = host ? Sporos::native_pack_width<T> : 1;
  using P                     = Sporos::Pack<T, width>;
  static constexpr int steps  = host ? 1 << 16 : 1 << 12;
  Kokkos::View<T*, Exec> sink;

  KOKKOS_FUNCTION void operator()(int i) const {
    P a[chains];
    const P x(T(0.999)), y(T(1e-3) * T(i + 1));
    for (int c = 0; c < chains; ++c) a[c] = P(T(c));
    for (int s = 0; s < steps; ++s) {
      SPOROS_UNROLL
      for (int c = 0; c < chains; ++c) a[c] = fma(a[c], x, y);
    }
    P total(T(0));
    for (int c = 0; c < chains; ++c) total += a[c];
    sink(i) = total[0];
  }

  /// Floating-point operations of one item.
  static double flops() { return 2. * chains * width * steps; }
};

/// \param flops receives those of a run
template <class T>
Work fma_work(double& flops) {
  constexpr bool host = Sporos::Impl::is_host_space_v<Exec>;
  using Loop          = FmaLoop<T, host>;
  const int items     = tiny() ? 64 : host ? 8 * Exec().concurrency() : 1 << 20;
  const Loop loop{Kokkos::View<T*, Exec>("bench::sink", items)};
  flops = Loop::flops() * items;
  Work work;
  work.bytes = sizeof(T) * std::size_t(items);
  work.run   = [=] {
    const Exec exec;
    Kokkos::parallel_for("Sporos::bench::fma_limit",
                           Kokkos::RangePolicy<Exec>(exec, 0, items), loop);
    exec.fence();
  };
  return work;
}

}  // namespace Bench

#endif
