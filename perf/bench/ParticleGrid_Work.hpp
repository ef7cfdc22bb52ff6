// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef SPOROS_BENCH_PARTICLEGRID_WORK_HPP
#define SPOROS_BENCH_PARTICLEGRID_WORK_HPP

/// \file ParticleGrid_Work.hpp
/// What each row runs: operation and algorithm (or peer) by name.

#include "ParticleGrid_Problem.hpp"

#include <memory>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

namespace Bench {

/// Operations of rows: the first three as a user of a fixed set of points (or
/// of an update alone) pays for them, zeroing of the grid included in spread;
/// the others are one time step with moved points, zeroing apart.
constexpr const char* operations[] = {"spread", "interpolate", "update",
                                      "spread_update", "interpolate_update"};

inline const std::vector<std::pair<std::string, Sporos::SpreadAlgorithm>>&
spread_algorithms() {
  using A = Sporos::SpreadAlgorithm;
  static const std::vector<std::pair<std::string, A>> all = {
      {"serial", A::serial},
      {"sweep", A::sweep},
      {"sweep_buffered", A::sweep_buffered},
      {"sweep_buffered_on_the_fly", A::sweep_buffered_on_the_fly},
      {"tiled", A::tiled},
      {"replicated", A::replicated},
      {"atomic", A::atomic},
      {"automatic", A::automatic}};
  return all;
}

inline const std::vector<std::pair<std::string, Sporos::InterpolateAlgorithm>>&
interpolate_algorithms() {
  using A = Sporos::InterpolateAlgorithm;
  static const std::vector<std::pair<std::string, A>> all = {
      {"serial", A::serial},
      {"sorted", A::sorted},
      {"tiled", A::tiled},
      {"automatic", A::automatic}};
  return all;
}

/// Rows of update: all points move by up to half a cell (plan), or this share
/// of them to a neighbour cell.
inline const std::vector<std::pair<std::string, double>>& leaver_shares() {
  static const std::vector<std::pair<std::string, double>> all = {
      {"moved_1_percent", .01}, {"moved_10_percent", .1}, {"all", 1.}};
  return all;
}

/// Peers and rows without a plan, by operation.
inline std::vector<std::string> other_names(const std::string& operation) {
  std::vector<std::string> names;
  const bool spread = operation == "spread";
  if (!spread && operation != "interpolate") return names;
  if (!spread) names.push_back("unsorted");
  names.push_back("plain_loop");
  if (spread) names.push_back("scatterview_atomic");
  if (spread && Sporos::Impl::is_host_space_v<Exec>)
    names.push_back("scatterview_duplicated");
#ifdef SPOROS_HAVE_KOKKOSKERNELS
  names.push_back("spmv");
  if (spread) names.push_back("spmv_transpose");
#endif
  return names;
}

inline std::vector<std::string> row_names(const std::string& operation) {
  std::vector<std::string> names;
  if (operation == "update") {
    names.push_back("plan");
    for (const auto& share : leaver_shares()) names.push_back(share.first);
    return names;
  }
  if (operation == "spread" || operation == "spread_update")
    for (const auto& a : spread_algorithms()) names.push_back(a.first);
  else
    for (const auto& a : interpolate_algorithms()) names.push_back(a.first);
  for (const std::string& peer : other_names(operation)) names.push_back(peer);
  return names;
}

template <class Algorithm>
Algorithm find(const std::vector<std::pair<std::string, Algorithm>>& all,
               const std::string& name) {
  for (const auto& a : all)
    if (a.first == name) return a.second;
  throw std::invalid_argument("no algorithm is called " + name);
}

template <class T>
using Plan = Sporos::ParticleGridPlan<Exec, 3, T, Sporos::Cosine4>;

/// A plan of its own for each row, so that set-up and memory are the row's.
template <class T>
std::shared_ptr<Plan<T>> make_plan(const Problem<T>& p, double& setup_ms) {
  std::shared_ptr<Plan<T>> plan;
  setup_ms = milliseconds([&] {
    plan = std::make_shared<Plan<T>>(Exec(), p.grid, Sporos::Cosine4{},
                                     p.positions);
  });
  return plan;
}

template <class T>
Work spread_work(const Problem<T>& p, const std::string& algorithm) {
  Work work;
  const auto plan = make_plan(p, work.setup_ms);
  Sporos::SpreadOptions options;
  options.algorithm = find(spread_algorithms(), algorithm);
  work.run          = [=, strengths = p.strengths, field = p.field] {
    const Exec exec;
    Kokkos::deep_copy(exec, field, T(0));
    Sporos::spread(exec, *plan, strengths, field, options);
    exec.fence();
  };
  return work;
}

template <class T>
Work interpolate_work(const Problem<T>& p, const std::string& algorithm) {
  Work work;
  const auto plan = make_plan(p, work.setup_ms);
  Sporos::InterpolateOptions options;
  options.algorithm = find(interpolate_algorithms(), algorithm);
  work.run          = [=, source = p.source, values = p.values] {
    const Exec exec;
    Sporos::interpolate(exec, *plan, source, values, options);
    exec.fence();
  };
  return work;
}

/// Where an update of a row goes; made before its memory is counted.
template <class T>
const Positions<T>& update_target(Problem<T>& p, const std::string& name) {
  for (const auto& share : leaver_shares())
    if (share.first == name) return p.with_leavers(share.second);
  return p.moved();
}

/// The first update goes to the moved points, the next one back, and so on.
template <class T>
auto alternating_update(const std::shared_ptr<Plan<T>>& plan,
                        const Positions<T>& back, const Positions<T>& forth) {
  return [=, turn = std::make_shared<bool>(false)](const Exec& exec) {
    *turn = !*turn;
    plan->update(exec, *turn ? forth : back);
  };
}

template <class T>
Work update_work(Problem<T>& p, const std::string& name) {
  Work work;
  const auto plan = make_plan(p, work.setup_ms);
  const auto update =
      alternating_update(plan, p.positions, update_target(p, name));
  work.run = [=] {
    const Exec exec;
    update(exec);
    exec.fence();
  };
  return work;
}

template <class T>
Work spread_update_work(Problem<T>& p, const std::string& algorithm) {
  Work work;
  const auto plan   = make_plan(p, work.setup_ms);
  const auto update = alternating_update(plan, p.positions, p.moved());
  const auto field  = p.field;
  Sporos::SpreadOptions options;
  options.algorithm = find(spread_algorithms(), algorithm);
  work.before       = [=] {
    const Exec exec;
    Kokkos::deep_copy(exec, field, T(0));
    exec.fence();
  };
  work.run = [=, strengths = p.strengths] {
    const Exec exec;
    update(exec);
    Sporos::spread(exec, *plan, strengths, field, options);
    exec.fence();
  };
  return work;
}

template <class T>
Work interpolate_update_work(Problem<T>& p, const std::string& algorithm) {
  Work work;
  const auto plan   = make_plan(p, work.setup_ms);
  const auto update = alternating_update(plan, p.positions, p.moved());
  Sporos::InterpolateOptions options;
  options.algorithm = find(interpolate_algorithms(), algorithm);
  work.run          = [=, source = p.source, values = p.values] {
    const Exec exec;
    update(exec);
    Sporos::interpolate(exec, *plan, source, values, options);
    exec.fence();
  };
  return work;
}

template <class T>
Work unsorted_work(const Problem<T>& p) {
  Work work;
  work.run = [grid = p.grid, positions = p.positions, source = p.source,
              values = p.values] {
    const Exec exec;
    Sporos::interpolate(exec, grid, Sporos::Cosine4{}, positions, source,
                        values);
    exec.fence();
  };
  return work;
}

/// The field in an array that the host reads row by row; on a host it is the
/// field itself. (Where it is not, the copies are not part of a run.)
template <class T>
HostField<T> host_field(const Field<T>& field) {
  if constexpr (Sporos::Impl::is_host_space_v<Exec>) {
    return field;
  } else {
    const auto copy = host_copy(field);
    const int n     = int(field.extent(0));
    HostField<T> rows("bench::host_field", n, n, n);
    for (int i = 0; i < n; ++i)
      for (int j = 0; j < n; ++j)
        for (int k = 0; k < n; ++k) rows(i, j, k) = copy(i, j, k);
    return rows;
  }
}

template <class T>
Work plain_loop_work(const Problem<T>& p, bool spread) {
  const auto x = host_copy(p.positions);
  Work work;
  if (spread)
    work.run = [x, strengths = host_copy(p.strengths),
                field = host_field<T>(p.field)] {
      Kokkos::deep_copy(Kokkos::DefaultHostExecutionSpace(), field, T(0));
      plain_spread<T>(x, strengths, field);
    };
  else
    work.run = [x, source = host_field<T>(p.source),
                values = host_copy(p.values)] {
      plain_interpolate<T>(x, source, values);
    };
  return work;
}

#ifdef SPOROS_HAVE_KOKKOSKERNELS
template <class T>
Work matrix_work(Problem<T>& p, bool spread, bool transposed) {
  const auto flat = [](const Field<T>& f) {
    return Kokkos::View<T*, Exec, Kokkos::MemoryTraits<Kokkos::Unmanaged>>(
        f.data(), f.span());
  };
  const T c = T(p.config.cells), factor = c * c * c;
  if (!spread)
    return spmv_work<T>(p.matrix(), "N", T(1), flat(p.source), p.values);
  if (transposed)
    return spmv_work<T>(p.transpose(), "N", factor, p.strengths, flat(p.field));
  return spmv_work<T>(p.matrix(), "T", factor, p.strengths, flat(p.field));
}
#endif

/// What the row operation/name runs on the problem p.
template <class T>
Work make_work(Problem<T>& p, const std::string& operation,
               const std::string& name) {
  namespace Scatter = Kokkos::Experimental;
  const bool spread = operation == "spread";
  if (operation == "update") return update_work(p, name);
  if (operation == "spread_update") return spread_update_work(p, name);
  if (operation == "interpolate_update")
    return interpolate_update_work(p, name);
  if (name == "plain_loop") return plain_loop_work(p, spread);
  if (name == "unsorted") return unsorted_work(p);
  if (name == "scatterview_atomic")
    return scatterview_work<T, Scatter::ScatterNonDuplicated,
                            Scatter::ScatterAtomic>(p.positions, p.strengths,
                                                    p.field);
  if constexpr (Sporos::Impl::is_host_space_v<Exec>)
    if (name == "scatterview_duplicated")
      return scatterview_work<T, Scatter::ScatterDuplicated,
                              Scatter::ScatterNonAtomic>(p.positions,
                                                         p.strengths, p.field);
#ifdef SPOROS_HAVE_KOKKOSKERNELS
  if (name == "spmv") return matrix_work(p, spread, false);
  if (name == "spmv_transpose") return matrix_work(p, spread, true);
#endif
  return spread ? spread_work(p, name) : interpolate_work(p, name);
}

}  // namespace Bench

#endif
