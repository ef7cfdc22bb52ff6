// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef SPOROS_DISTRIBUTEDPARTICLEGRID_HPP
#define SPOROS_DISTRIBUTEDPARTICLEGRID_HPP

/// \file Sporos_DistributedParticleGrid.hpp
/// Particle-grid transfer between points and a grid that are spread out over
/// MPI ranks.
///
/// \code
///   Sporos::DistributedGrid<3> blocks(comm, grid);
///   Sporos::migrate(exec, blocks, positions, strengths);
///   Sporos::DistributedParticleGridPlan plan(exec, blocks, Sporos::Cosine4{},
///                                            positions);
///   Sporos::spread(exec, plan, strengths, field);
///   Sporos::interpolate(exec, plan, field, values);
/// \endcode

#include <Sporos_DistributedGrid.hpp>
#include <Sporos_ForEachIndex.hpp>
#include <Sporos_GhostExchange.hpp>
#include <Sporos_Migrate.hpp>
#include <Sporos_ParticleGrid.hpp>
#include <distributed/grids/Sporos_BlockFields.hpp>
#include <Sporos_DistributedPlan.hpp>

#include <cstddef>
#include <optional>
#include <string>
#include <type_traits>

namespace Sporos {
namespace Impl {

/// Values of own points, which are the caller's, and of copies from other
/// ranks. If points were merged by number, all are in one buffer, in the order
/// of the plan.
template <class State, class Values>
class ValuesOfCopies {
  using Exec   = typename State::Local::execution_space;
  using Memory = typename Exec::memory_space;
  using V      = typename Values::non_const_value_type;
  using T      = RealPartOf<Values>;

 public:
  /// space: of the state, for these values alone
  ValuesOfCopies(const Exec& exec, State& state, const Values& values,
                 typename State::CopiedValues& space)
      : m_exec(exec),
        m_state(state),
        m_components(real_components<1>(values)),
        m_values(values) {
    m_received = scratch(space.received, state.copies.copies);
    if (!by_rows()) m_merged = scratch(space.merged, state.copies.size());
  }

  /// Are values in the order of the rows?
  bool by_rows() const { return m_state.copies.order() == nullptr; }

  /// Sends strengths to the ranks that have copies.
  void load() const {
    const auto& copies = m_state.copies;
    auto& exchange     = m_state.exchanges[{sizeof(T), m_components}];
    if (!exchange.is_made()) exchange = Exchange<Memory>(m_state.grid.comm());
    const TwoArrays<T> values{RowEntries<const T>(m_values),
                              packed_rows(m_received, m_components),
                              copies.own};
    const auto part = copy_part(copies.lists, values, m_components);
    exchange.start(m_exec, part);
    exchange.finish(m_exec, part);
    if (!by_rows())
      move_rows("Sporos::spread::load_strengths", m_exec, copies.size(), values,
                packed_rows(m_merged, m_components), order(), m_components);
  }
  /// Gives the values of own points to the caller.
  void store() const {
    if (by_rows()) return;
    const auto& copies = m_state.copies;
    for_each_index("Sporos::interpolate::store_values",
                   Kokkos::RangePolicy<Exec, Kokkos::IndexType<int>>(
                       m_exec, 0, copies.size()),
                   StoreMerged<T>{packed_rows(m_merged, m_components),
                                  RowEntries<T>(m_values), order(), copies.own,
                                  m_components});
  }

  /// What the local plan takes: values by rows, or in its order
  SplitValues<Values> rows() const {
    return {m_values, m_received, m_state.copies.own};
  }
  auto sorted() const { return in_plan_order(view()); }

 private:
  T* scratch(typename State::template Space<double>& space, int rows) const {
    return typed_scratch<T>(m_exec, space,
                            std::size_t(rows) * std::size_t(m_components));
  }
  auto view() const {
    const auto n    = std::size_t(m_state.copies.size());
    V* const data   = reinterpret_cast<V*>(m_merged);
    using Unmanaged = Kokkos::MemoryTraits<Kokkos::Unmanaged>;
    if constexpr (view_rank_v<Values> == 1)
      return make_view<Kokkos::View<V*, Memory, Unmanaged>>(data, n);
    else
      return make_view<
          Kokkos::View<V**, Kokkos::LayoutRight, Memory, Unmanaged>>(
          data, n, m_components / real_parts_v<Values>);
  }
  MergedOrder order() const {
    return {m_state.copies.order(), m_state.local.permutation().data()};
  }

  const Exec& m_exec;
  State& m_state;
  int m_components;
  Values m_values;
  T *m_received = nullptr, *m_merged = nullptr;
};

/// f(values...) with what the local plan takes; all: of the same plan
template <class F, class First, class... More>
void with_values(const F& f, const First& first, const More&... more) {
  if (first.by_rows())
    f(first.rows(), more.rows()...);
  else
    f(first.sorted(), more.sorted()...);
}

/// Throws on all ranks if one has wrong arguments: what calls check alike, and
/// what `checks` does.
/// \param same what must be the same on all ranks besides the kind of field
template <int Dim, class State, class Target, class Checks>
void agree_on_call(const char* function, State& state, const Target& target,
                   const Checks& checks, const std::string& same) {
  agree_once(
      state.grid.comm(), state.agreed, function,
      [&] {
        check_updated(function, state.whole);
        checks();
        target.template check_rounding<Dim>(function, state.local.delta());
      },
      target.template kind<Dim>() + same);
}

/// Options that are impossible
template <class State, class Options>
void check_spread_options(const char* function, const State& state,
                          const Options& options) {
  using Local = typename State::Local;
  int columns = 0;
  choose_spread<typename Local::execution_space, typename Local::delta_type>(
      function, options, state.local.state().spread,
      state.options.plan.any_ranks, columns);
}
template <class State, class Options>
void check_interpolate_options(const char* function, const State& state,
                               const Options& options) {
  using Local       = typename State::Local;
  const auto& local = state.local.state();
  choose_interpolate<typename Local::execution_space,
                     typename Local::delta_type>(function, options,
                                                 local.interpolate, local.bins);
}

/// Sends what the mode of the plan asks for, and calls run(all) with values
/// of all points of the local plan.
template <class Exec, class State, class Values, class Target, class Run>
void spread_values_on_ranks(const Exec& exec, State& state, const Values& given,
                            const Target& target, const Run& run) {
  // else there are no points, neighbours or grid points
  if (!state.grid.has_block()) return;
  if (state.mode == BorderMode::ghost_points) {
    const ValuesOfCopies<State, Values> values(exec, state, given,
                                               state.values);
    values.load();
    return with_values(run, values);
  }
  target.zero(exec, state);
  run(given);
  target.template exchange<true>(exec, state);
}

template <class Exec, int Dim, class Real, class Delta, class Strengths,
          class Target, class Options>
void spread_on_ranks(
    const Exec& exec,
    const DistributedParticleGridPlan<Exec, Dim, Real, Delta>& plan,
    const Strengths& strengths, const Target& target, const Options& options) {
  constexpr const char* name = "Sporos::spread";
  auto& state                = plan.state(name);
  const auto& grid           = state.grid;
  agree_on_call<Dim>(
      name, state, target,
      [&] {
        target.template check<Exec>(name, grid, state.own, "strengths",
                                    strengths);
        check_spread_options(name, state, options);
      },
      type_in_words<RealPartOf<Strengths>>());
  spread_values_on_ranks(exec, state, strengths, target, [&](const auto& all) {
    spread_checked(exec, state.local, all, target.part(state), options);
  });
}

template <class Exec, int Dim, class Real, class Delta, class Target,
          class Values, class Options>
void interpolate_on_ranks(
    const Exec& exec,
    const DistributedParticleGridPlan<Exec, Dim, Real, Delta>& plan,
    const Target& target, const Values& values, const Options& options) {
  constexpr const char* name = "Sporos::interpolate";
  auto& state                = plan.state(name);
  const auto& grid           = state.grid;
  agree_on_call<Dim>(
      name, state, target,
      [&] {
        target.template check<Exec>(name, grid, state.own, "values", values);
        check_written_values(values);
        check_interpolate_options(name, state, options);
      },
      "");
  if (!grid.has_block()) return;
  target.template exchange<false>(exec, state);
  if (state.mode == BorderMode::ghost_sums)
    return interpolate_checked(exec, state.local, target.part(state), values,
                               options);
  const ValuesOfCopies<std::decay_t<decltype(state)>, Values> all_values(
      exec, state, values, state.values);
  with_values(
      [&](const auto& all) {
        interpolate_checked(exec, state.local, target.part(state), all,
                            options);
      },
      all_values);
  all_values.store();
}

/// The fields of a call
template <int Dim, class Plan, class Fields, class Options>
auto fields_of_call(const Plan& plan, const char* function,
                    const Fields& fields, const Options& options) {
  return block_fields<Dim>(fields, options.staggering,
                           plan.state(function).options.plan.staggering);
}

}  // namespace Impl

/// Adds values of points to a field, as on one rank: field(x) += sum_i
/// delta_h(x - X_i) strengths(i) over the points of all ranks. Collective.
/// \param exec the execution-space instance in which it runs
/// \param plan a plan for the positions X_i
/// \param strengths of this rank's points, shape (n) or (n, c), in the order of
///   the positions
/// \param field of the block with ghost layers, see DistributedGrid; what ghost
///   layers hold afterwards is undefined. Or several, a Kokkos::Array or
///   on_faces of one, for component k of strengths each, as on one rank
/// \param options as on one rank, the same on all
/// \throws std::invalid_argument as on one rank; nothing is written. On all
///   ranks if one is wrong in the first call for fields of this kind, later on
///   that rank alone, see docs/distributed.md.
/// Waits for exec before it sends. Complexity: as on one rank; with
/// ghost_points a message with the strengths of copies for each neighbour, with
/// ghost_sums one with the sums of the ghost layers.
template <class Exec, int Dim, class Real, class Delta, class Strengths,
          class Field>
void spread(const Exec& exec,
            const DistributedParticleGridPlan<Exec, Dim, Real, Delta>& plan,
            const Strengths& strengths, const Field& field,
            const SpreadOptions& options) {
  Impl::spread_on_ranks(
      exec, plan, strengths,
      Impl::fields_of_call<Dim>(plan, "Sporos::spread", field, options),
      options);
}
/// Spreads with `automatic`, at the staggering of the plan.
template <class Exec, int Dim, class Real, class Delta, class Strengths,
          class Field>
void spread(const Exec& exec,
            const DistributedParticleGridPlan<Exec, Dim, Real, Delta>& plan,
            const Strengths& strengths, const Field& field) {
  const Impl::AutomaticOptions options;
  Impl::spread_on_ranks(
      exec, plan, strengths,
      Impl::fields_of_call<Dim>(plan, "Sporos::spread", field, options),
      options);
}
/// Reads a field at the points of this rank, as on one rank. Fills the ghost
/// layers that it reads first. Collective; arguments and exceptions as for
/// spread.
template <class Exec, int Dim, class Real, class Delta, class Field,
          class Values>
void interpolate(
    const Exec& exec,
    const DistributedParticleGridPlan<Exec, Dim, Real, Delta>& plan,
    const Field& field, const Values& values,
    const InterpolateOptions& options) {
  Impl::interpolate_on_ranks(
      exec, plan,
      Impl::fields_of_call<Dim>(plan, "Sporos::interpolate", field, options),
      values, options);
}
/// Reads a field at the points of this rank with `automatic`, at the staggering
/// of the plan.
template <class Exec, int Dim, class Real, class Delta, class Field,
          class Values>
void interpolate(
    const Exec& exec,
    const DistributedParticleGridPlan<Exec, Dim, Real, Delta>& plan,
    const Field& field, const Values& values) {
  const Impl::AutomaticOptions options;
  Impl::interpolate_on_ranks(
      exec, plan,
      Impl::fields_of_call<Dim>(plan, "Sporos::interpolate", field, options),
      values, options);
}

}  // namespace Sporos

#endif
