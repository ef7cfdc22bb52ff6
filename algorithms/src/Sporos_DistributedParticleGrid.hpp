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
#include <Sporos_Migrate.hpp>
#include <Sporos_ParticleGrid.hpp>
#include <distributed/Sporos_BlockFields.hpp>
#include <distributed/Sporos_DistributedPlan.hpp>

#include <cstddef>
#include <optional>
#include <type_traits>

namespace Sporos {
namespace Impl {

/// Values of merged points: those of own points are the caller's, those of
/// copies come from other ranks, and those in the plan's order are in a buffer.
template <class State, class Values>
class ValuesOfCopies {
  using Exec   = typename State::Local::execution_space;
  using Memory = typename Exec::memory_space;
  using V      = typename Values::non_const_value_type;
  using T      = RealPartOf<Values>;
  using Range  = Kokkos::RangePolicy<Exec, Kokkos::IndexType<int>>;
  template <class Tag>
  using TaggedRange = Kokkos::RangePolicy<Exec, Tag, Kokkos::IndexType<int>>;

 public:
  ValuesOfCopies(const Exec& exec, State& state, const Values& values)
      : m_exec(exec), m_state(state), m_components(row_components(values)) {
    const auto& copies = state.copies;
    RowEntries<T> received;
    received.data             = typed_scratch<T>(exec, state.received,
                                     std::size_t(copies.copies) * m_components);
    received.row_stride       = m_components;
    received.component_stride = 1;
    m_kernel = {TwoArrays<T>{RowEntries<const T>(values), received, copies.own},
                copies.order(), state.local.permutation().data(),
                typed_scratch<T>(exec, state.merged,
                                 std::size_t(copies.size()) * m_components),
                m_components};
  }

  /// Sends strengths to the ranks that have copies; brings all into the plan's
  /// order.
  void load() const {
    auto& exchange = m_state.exchanges[{sizeof(T), m_components}];
    if (!exchange.is_made()) exchange = Exchange<Memory>(m_state.grid.comm());
    const auto part =
        copy_part(m_state.copies.lists, m_kernel.values, m_components);
    exchange.start(m_exec, part);
    exchange.finish(m_exec, part);
    Kokkos::parallel_for(
        "Sporos::spread::load_strengths",
        TaggedRange<typename Kernel::Load>(m_exec, 0, m_state.copies.size()),
        m_kernel);
  }
  /// Gives the values of own points to the caller.
  void store() const {
    Kokkos::parallel_for(
        "Sporos::interpolate::store_values",
        TaggedRange<typename Kernel::Store>(m_exec, 0, m_state.copies.size()),
        m_kernel);
  }

  /// In the plan's order.
  auto view() const {
    const auto n    = std::size_t(m_state.copies.size());
    V* const data   = reinterpret_cast<V*>(m_kernel.buffer);
    using Unmanaged = Kokkos::MemoryTraits<Kokkos::Unmanaged>;
    if constexpr (view_rank_v<Values> == 1)
      return Kokkos::View<V*, Memory, Unmanaged>(data, n);
    else
      return Kokkos::View<V**, Kokkos::LayoutRight, Memory, Unmanaged>(
          data, n, std::size_t(m_components / real_parts_v<Values>));
  }

 private:
  using Kernel = MergedValues<T>;
  const Exec& m_exec;
  State& m_state;
  int m_components;
  Kernel m_kernel;
};

/// The call on one rank with these options.
template <class Exec, class Plan, class Strengths, class Field, class Options>
void spread_in_window(const Exec& exec, const Plan& plan,
                      const Strengths& strengths, const Field& field,
                      const Options& options) {
  spread_checked(exec, plan, strengths, field, options);
}
template <class Exec, class Plan, class Strengths, class Field, std::size_t N,
          class Options>
void spread_in_window(const Exec& exec, const Plan& plan,
                      const Strengths& strengths,
                      const Kokkos::Array<Field, N>& fields,
                      const Options& options) {
  spread_to_faces(exec, plan, strengths, fields, options);
}
template <class Exec, class Plan, class Field, class Values, class Options>
void interpolate_in_window(const Exec& exec, const Plan& plan,
                           const Field& field, const Values& values,
                           const Options& options) {
  interpolate_checked(exec, plan, field, values, options);
}
template <class Exec, class Plan, class Field, std::size_t N, class Values,
          class Options>
void interpolate_in_window(const Exec& exec, const Plan& plan,
                           const Kokkos::Array<Field, N>& fields,
                           const Values& values, const Options& options) {
  interpolate_from_faces(exec, plan, fields, values, options);
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
  agree_on(
      grid.comm(), name,
      [&] {
        target.template check<Exec>(name, grid, state.own, "strengths",
                                    strengths);
        int columns = 0;
        choose_spread<Delta>(options, state.local.state().spread,
                             state.options.plan.any_ranks, columns);
      },
      target.template kind<Dim>());
  if (state.mode == BorderMode::ghost_points) {
    const ValuesOfCopies<std::decay_t<decltype(state)>, Strengths> values(
        exec, state, strengths);
    values.load();
    spread_in_window(exec, state.local, in_plan_order(values.view()),
                     target.window(grid), options);
    return;
  }
  target.zero(exec, grid);
  spread_in_window(exec, state.local, strengths, target.window(grid), options);
  target.template exchange<true>(name, true, exec, grid);
  target.template exchange<true>(name, false, exec, grid);
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
  agree_on(
      grid.comm(), name,
      [&] {
        target.template check<Exec>(name, grid, state.own, "values", values);
        check_written_values(values);
        choose_interpolate<Exec, Delta>(options,
                                        state.local.state().interpolate,
                                        state.options.plan.any_ranks);
      },
      target.template kind<Dim>());
  target.template exchange<false>(name, true, exec, grid);
  target.template exchange<false>(name, false, exec, grid);
  if (state.mode == BorderMode::ghost_sums)
    return interpolate_in_window(exec, state.local, target.window(grid), values,
                                 options);
  const ValuesOfCopies<std::decay_t<decltype(state)>, Values> of(exec, state,
                                                                 values);
  interpolate_in_window(exec, state.local, target.window(grid),
                        in_plan_order(of.view()), options);
  of.store();
}

/// A field with the staggering of a call.
template <class Plan, class Field, class Options>
OneField<Field> one_field(const Plan& plan, const char* function,
                          const Field& field, const Options& options) {
  return {field, options.staggering.value_or(
                     plan.state(function).options.plan.staggering)};
}

}  // namespace Impl

/// Adds values of points to a field, as on one rank: field(x) += sum_i
/// delta_h(x - X_i) strengths(i) over the points of all ranks. Collective.
/// \param exec the execution-space instance in which it runs
/// \param plan a plan for the positions X_i
/// \param strengths of this rank's points, shape (n) or (n, c), in the order of
///   the positions
/// \param field of the block with ghost layers, see DistributedGrid; what ghost
///   layers hold afterwards is undefined
/// \param options as on one rank, the same on all
/// \throws std::invalid_argument on all ranks as on one rank; nothing is
/// written Waits for exec before it sends. Complexity: as on one rank; with
/// ghost_points a message with the strengths of copies for each neighbour, with
/// ghost_sums one with the sums of the ghost layers.
template <class Exec, int Dim, class Real, class Delta, class Strengths,
          class Field>
void spread(const Exec& exec,
            const DistributedParticleGridPlan<Exec, Dim, Real, Delta>& plan,
            const Strengths& strengths, const Field& field,
            const SpreadOptions& options) {
  Impl::spread_on_ranks(exec, plan, strengths,
                        Impl::one_field(plan, "Sporos::spread", field, options),
                        options);
}
/// The same with `automatic`, at the staggering of the plan.
template <class Exec, int Dim, class Real, class Delta, class Strengths,
          class Field>
void spread(const Exec& exec,
            const DistributedParticleGridPlan<Exec, Dim, Real, Delta>& plan,
            const Strengths& strengths, const Field& field) {
  const Impl::AutomaticOptions options;
  Impl::spread_on_ranks(exec, plan, strengths,
                        Impl::one_field(plan, "Sporos::spread", field, options),
                        options);
}
/// Adds component k of strengths, shape (n, Dim), to fields[k] on the faces of
/// direction k.
template <class Exec, int Dim, class Real, class Delta, class Strengths,
          class Field, std::size_t N>
void spread(const Exec& exec,
            const DistributedParticleGridPlan<Exec, Dim, Real, Delta>& plan,
            const Strengths& strengths, const Kokkos::Array<Field, N>& fields) {
  Impl::spread_on_ranks(exec, plan, strengths,
                        Impl::FaceFields<Field, N>{fields},
                        Impl::AutomaticOptions{});
}

/// Reads a field at the points of this rank, as on one rank. Fills the ghost
/// layers of the field first. Collective; arguments and exceptions as for
/// spread.
template <class Exec, int Dim, class Real, class Delta, class Field,
          class Values>
void interpolate(
    const Exec& exec,
    const DistributedParticleGridPlan<Exec, Dim, Real, Delta>& plan,
    const Field& field, const Values& values,
    const InterpolateOptions& options) {
  Impl::interpolate_on_ranks(
      exec, plan, Impl::one_field(plan, "Sporos::interpolate", field, options),
      values, options);
}
/// The same with `automatic`, at the staggering of the plan.
template <class Exec, int Dim, class Real, class Delta, class Field,
          class Values>
void interpolate(
    const Exec& exec,
    const DistributedParticleGridPlan<Exec, Dim, Real, Delta>& plan,
    const Field& field, const Values& values) {
  const Impl::AutomaticOptions options;
  Impl::interpolate_on_ranks(
      exec, plan, Impl::one_field(plan, "Sporos::interpolate", field, options),
      values, options);
}
/// Reads fields[k] on the faces of direction k for component k of values, shape
/// (n, Dim).
template <class Exec, int Dim, class Real, class Delta, class Field,
          std::size_t N, class Values>
void interpolate(
    const Exec& exec,
    const DistributedParticleGridPlan<Exec, Dim, Real, Delta>& plan,
    const Kokkos::Array<Field, N>& fields, const Values& values) {
  Impl::interpolate_on_ranks(exec, plan, Impl::FaceFields<Field, N>{fields},
                             values, Impl::AutomaticOptions{});
}

}  // namespace Sporos

#endif
