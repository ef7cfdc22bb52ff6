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

/// Values of own points, which are the caller's, and of copies from other ranks
/// in one buffer: in the order of the rows, or, if points were merged by
/// number, in the plan's order.
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
      : m_exec(exec),
        m_state(state),
        m_components(row_components(values)),
        m_values(values) {
    const std::size_t n = std::size_t(state.copies.size());
    m_buffer =
        typed_scratch<T>(exec, state.merged, n * std::size_t(m_components));
  }

  /// Are values in the order of the rows?
  bool by_rows() const { return m_state.copies.order() == nullptr; }

  /// Sends strengths to the ranks that have copies.
  void load() const {
    const auto& copies = m_state.copies;
    auto& exchange     = m_state.exchanges[{sizeof(T), m_components}];
    if (!exchange.is_made()) exchange = Exchange<Memory>(m_state.grid.comm());
    const RowEntries<const T> given(m_values);
    T* received = m_buffer + std::ptrdiff_t(copies.own) * m_components;
    if (!by_rows())
      received = typed_scratch<T>(
          m_exec, m_state.received,
          std::size_t(copies.copies) * std::size_t(m_components));
    const TwoArrays<T> values{given, rows(received), copies.own};
    const auto part = copy_part(copies.lists, values, m_components);
    exchange.start(m_exec, part);
    if (by_rows())
      Kokkos::parallel_for(
          "Sporos::spread::load_strengths", Range(m_exec, 0, copies.own),
          RowsAsTheyAre<T>{given, rows(m_buffer), m_components});
    exchange.finish(m_exec, part);
    if (!by_rows())
      Kokkos::parallel_for(
          "Sporos::spread::load_strengths",
          TaggedRange<typename MergedValues<T>::Load>(m_exec, 0, copies.size()),
          merged(values));
  }
  /// Gives the values of own points to the caller.
  void store() const {
    const auto& copies = m_state.copies;
    if (by_rows())
      Kokkos::parallel_for(
          "Sporos::interpolate::store_values", Range(m_exec, 0, copies.own),
          RowsAsTheyAre<T>{rows<const T>(m_buffer), RowEntries<T>(m_values),
                           m_components});
    else
      Kokkos::parallel_for("Sporos::interpolate::store_values",
                           TaggedRange<typename MergedValues<T>::Store>(
                               m_exec, 0, copies.size()),
                           merged(TwoArrays<T>{RowEntries<const T>(m_values),
                                               RowEntries<T>(), copies.own}));
  }

  /// The values; in the plan's order if not by_rows().
  auto view() const {
    const auto n    = std::size_t(m_state.copies.size());
    V* const data   = reinterpret_cast<V*>(m_buffer);
    using Unmanaged = Kokkos::MemoryTraits<Kokkos::Unmanaged>;
    if constexpr (view_rank_v<Values> == 1)
      return Kokkos::View<V*, Memory, Unmanaged>(data, n);
    else
      return Kokkos::View<V**, Kokkos::LayoutRight, Memory, Unmanaged>(
          data, n, std::size_t(m_components / real_parts_v<Values>));
  }

 private:
  template <class U>
  RowEntries<U> rows(U* data) const {
    return packed_rows(data, m_components);
  }
  MergedValues<T> merged(const TwoArrays<T>& values) const {
    return {values, m_state.copies.order(), m_state.local.permutation().data(),
            m_buffer, m_components};
  }

  const Exec& m_exec;
  State& m_state;
  int m_components;
  Values m_values;
  T* m_buffer;
};

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
    if (values.by_rows())
      spread_checked(exec, state.local, values.view(), target.window(grid),
                     options);
    else
      spread_checked(exec, state.local, in_plan_order(values.view()),
                     target.window(grid), options);
    return;
  }
  target.zero(exec, grid);
  spread_checked(exec, state.local, strengths, target.window(grid), options);
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
    return interpolate_checked(exec, state.local, target.window(grid), values,
                               options);
  const ValuesOfCopies<std::decay_t<decltype(state)>, Values> of(exec, state,
                                                                 values);
  if (of.by_rows())
    interpolate_checked(exec, state.local, target.window(grid), of.view(),
                        options);
  else
    interpolate_checked(exec, state.local, target.window(grid),
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
