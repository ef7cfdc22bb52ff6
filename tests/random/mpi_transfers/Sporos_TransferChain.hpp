// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/// A random chain of calls of the distributed particle-grid interface, judged
/// by plain sums over the points of all ranks, by new plans, and by the plan
/// of one rank.

#ifndef SPOROS_TRANSFERCHAIN_HPP
#define SPOROS_TRANSFERCHAIN_HPP

#include "Sporos_Chains.hpp"
#include "Sporos_JudgeTransfer.hpp"
#include "Sporos_PlanChain.hpp"
#include "Sporos_RandomPoints.hpp"

#include <Sporos_DistributedParticleGridGradient.hpp>
#include <Sporos_TestArray.hpp>

#include <cstring>
#include <sstream>
#include <stdexcept>
#include <string>
#include <type_traits>

namespace Sporos {
namespace Test {

/// One chain on the ranks of a communicator, which draw the same numbers.
/// Algorithms: calls with options that name them.
template <int Dim, class Real, class Delta, bool Algorithms = false>
class TransferChain : PlanChain<Dim, Real, Delta> {
  using Base = PlanChain<Dim, Real, Delta>;
  using typename Base::Blocks;
  using typename Base::Plan;
  using typename Base::Side;

 public:
  TransferChain(RandomCase& random, const Communicator& comm)
      : Base(random, comm) {}

  /// Throws for what is wrong.
  void run() {
    try {
      steps();
    } catch (const std::exception& error) {
      throw std::runtime_error(m_did.str() + error.what());
    }
  }

 private:
  void steps() {
    m_options             = random_plan_options(m_random);
    m_grid_options.ghosts = Delta::support / 2 + 1 + m_random.integer(0, 1);
    const auto grid =
        random_grid<Dim, Real>(m_random, m_comm.size(), m_grid_options);
    tell(grid);
    Side side;
    if (!makes("blocks",
               [&] { side.blocks = Blocks(m_comm, grid, m_grid_options); }))
      return;
    m_did << side.blocks.describe();
    RandomPoints<Dim, Real> points(m_random, side.blocks);
    points.appear(m_random.integer(0, m_random.one_of({20, 500, 500, 3000})));
    bool made = false;
    for (int step = m_random.integer(1, 7); step > 0; --step) {
      migrate_points(side.blocks, points);
      m_local = points.held[std::size_t(m_comm.rank())];
      if (made && m_random.chance(15)) refuse_update(side, points);
      if (!made) {
        if (!makes("plan", [&] { side.plan = new_plan(side.blocks, points); }))
          return;
        made = true;
      } else {
        update(side.plan, points);
      }
      side.numbers = m_local;
      transfer_all(side, points);
      mutate(points);
    }
  }

  // transfer ----------------------------------------------------------------

  void transfer_all(const Side& side, const RandomPoints<Dim, Real>& points) {
    std::vector<Side> others;
    if (m_random.chance(50)) {
      m_did << "a new plan; ";
      others.push_back({side.blocks, Plan(), m_local});
      if (m_numbered && !m_options.plan.any_ranks)
        others.back().plan =
            Plan(ChainExec{}, side.blocks, Delta{},
                 positions_of(m_local, points), view_of(m_local), m_options);
      else
        others.back().plan = new_plan(side.blocks, points);
      together([&] { check_permutation(side.plan, others.back().plan); });
    }
    if (m_options.plan.any_ranks && m_random.chance(60))
      add_one(others, points);
    for (int times = m_random.integer(1, 3); times > 0; --times)
      switch (m_random.integer(0, 4)) {
        case 0:
          transfer<Real, 0, Kokkos::LayoutRight>(side, others, points);
          break;
        case 1:
          transfer<Real, 1, Kokkos::LayoutLeft>(side, others, points);
          break;
        case 2: transfer_fields(side, others, points); break;
        case 3:
          if constexpr (Delta::support <= 4)  // wide ones compile long
            transfer_gradients(side, others, points);
          else
            transfer_fields(side, others, points);
          break;
        default:
          transfer<Kokkos::complex<Real>, 0, Kokkos::LayoutRight>(side, others,
                                                                  points);
      }
  }

  PlainTransfer<Dim, Real, Delta> plain_at(
      const Staggering& g, const RandomPoints<Dim, Real>& points,
      int derived = -1) const {
    return {points.grid(), g, m_options.plan.staggering, points.count(),
            derived};
  }

  SpreadOptions spread_options(const Staggering& g) {
    SpreadOptions options;
    options.staggering = g;
    if (!m_options.plan.any_ranks)
      options.algorithm = m_random.one_of(
          {SpreadAlgorithm::automatic, SpreadAlgorithm::serial,
           SpreadAlgorithm::sweep, SpreadAlgorithm::sweep_buffered,
           SpreadAlgorithm::tiled,
           Sporos::Impl::is_host_space_v<ChainExec>
               ? SpreadAlgorithm::replicated
               : SpreadAlgorithm::automatic});
    return options;
  }
  InterpolateOptions interpolate_options(const Staggering& g) {
    InterpolateOptions options;
    options.staggering = g;
    if (!m_options.plan.any_ranks)
      options.algorithm = m_random.one_of(
          {InterpolateAlgorithm::automatic, InterpolateAlgorithm::serial,
           InterpolateAlgorithm::sorted,
           Sporos::Impl::is_host_space_v<ChainExec>
               ? InterpolateAlgorithm::unsorted
               : InterpolateAlgorithm::tiled});
    return options;
  }

  template <class V, int More, class Layout>
  void transfer(const Side& side, const std::vector<Side>& others,
                const RandomPoints<Dim, Real>& points) {
    const int components     = More == 0 ? 1 : m_random.integer(1, 3);
    const std::uint64_t salt = m_salt += 10;
    const Staggering g       = random_staggering();
    const auto spreads       = spread_options(g);
    const auto reads         = interpolate_options(g);
    const std::string what =
        text_of(parts<V> == 2 ? "complex" : "real", " x ", components, " at ",
                Impl::in_words<Dim>(g));
    m_did << what << '\n';
    using Values   = Kokkos::View<typename DataType<V, 1 + More>::type,
                                Kokkos::LayoutRight, ChainMemory>;
    const auto run = [&](const Side& on, const auto& field,
                         const Values& values) {
      const auto strengths =
          values_of<Values>(on.numbers, components, salt + 1);
      const auto read =
          field_of<V, More, Layout>(on.blocks, g, components, salt + 2);
      if constexpr (Algorithms) {
        Sporos::spread(ChainExec{}, on.plan, strengths, field, spreads);
        Sporos::interpolate(ChainExec{}, on.plan, read, values, reads);
      } else {
        Sporos::spread(ChainExec{}, on.plan, strengths, field);
        Sporos::interpolate(ChainExec{}, on.plan, read, values);
      }
      ChainExec{}.fence();
    };
    const auto field =
        field_of<V, More, Layout>(side.blocks, g, components, salt);
    const auto values = values_of<Values>(side.numbers, components, 0);
    run(side, field, values);
    const auto plain = plain_at(g, points);
    together([&] {
      judge_field<V>("spread " + what, plain, side, points, g, field,
                     components, salt, salt + 1);
      judge_values<V>("interpolate " + what, plain, side, points, values,
                      components, salt + 2);
    });
    for (const Side& on : others) {
      const auto other =
          field_of<V, More, Layout>(on.blocks, g, components, salt);
      const auto other_values = values_of<Values>(on.numbers, components, 0);
      run(on, other, other_values);
      together([&] {
        check_bits(what, side, on, g, field, other, components);
        check_value_bits(what, side, on, values, other_values, components);
      });
    }
  }

  /// Dipoles and gradients, in calls with options also of complex numbers and
  /// with values.
  void transfer_gradients(const Side& side, const std::vector<Side>& others,
                          const RandomPoints<Dim, Real>& points) {
    using V =
        std::conditional_t<Algorithms && Dim == 2, Kokkos::complex<Real>, Real>;
    using Layout             = Kokkos::LayoutRight;
    using Field              = FieldOf<V, Dim, Layout>;
    using Moments            = Kokkos::View<V**, Layout, ChainMemory>;
    using Values             = Kokkos::View<V*, ChainMemory>;
    const std::uint64_t salt = m_salt += 10;
    const Staggering g       = random_staggering();
    const auto spreads       = spread_options(g);
    const auto reads         = interpolate_options(g);
    const std::string what =
        text_of("gradient ", parts<V>, " at ", Impl::in_words<Dim>(g));
    m_did << what << '\n';
    const auto run = [&](const Side& on, const Field& field,
                         const Values& value, const Moments& gradients) {
      const auto moments = values_of<Moments>(on.numbers, Dim, salt + 1);
      const auto read    = field_of<V, 0, Layout>(on.blocks, g, 1, salt + 2);
      if constexpr (Algorithms) {
        spread_dipoles(ChainExec{}, on.plan, moments, field, spreads);
        interpolate_with_gradient(ChainExec{}, on.plan, read, value, gradients,
                                  reads);
      } else {
        spread_dipoles(ChainExec{}, on.plan, moments, field);
        interpolate_gradient(ChainExec{}, on.plan, read, gradients);
      }
      ChainExec{}.fence();
    };
    const auto field     = field_of<V, 0, Layout>(side.blocks, g, 1, salt);
    const auto value     = values_of<Values>(side.numbers, 1, 0);
    const auto gradients = values_of<Moments>(side.numbers, Dim, 0);
    run(side, field, value, gradients);
    std::vector<PlainTransfer<Dim, Real, Delta>> plains;
    for (int k = 0; k < Dim; ++k) plains.push_back(plain_at(g, points, k));
    together([&] {
      judge_dipoles<V>("dipoles, " + what, plains, side, points, g, field, salt,
                       salt + 1);
      for (int k = 0; k < Dim; ++k)
        judge_values<V>(what, plains[std::size_t(k)], side, points, gradients,
                        1, salt + 2, k);
      if (Algorithms)
        judge_values<V>("value, " + what, plain_at(g, points), side, points,
                        value, 1, salt + 2);
    });
    for (const Side& on : others) {
      const auto other       = field_of<V, 0, Layout>(on.blocks, g, 1, salt);
      const auto other_value = values_of<Values>(on.numbers, 1, 0);
      const auto slopes      = values_of<Moments>(on.numbers, Dim, 0);
      run(on, other, other_value, slopes);
      together([&] {
        check_bits(what, side, on, g, field, other, 1);
        check_value_bits(what, side, on, value, other_value, 1);
        check_value_bits(what, side, on, gradients, slopes, Dim);
      });
    }
  }
  /// Another one than that of the plan only in calls with options.
  Staggering random_staggering() {
    Staggering g = m_options.plan.staggering;
    if (Algorithms)
      for (int d = 0; d < 3; ++d)
        if (m_random.chance(30)) g[d] = m_random.one_of({0., .5, .25});
    return g;
  }

  /// A field for each component, on faces or all at the plan's staggering.
  void transfer_fields(const Side& side, const std::vector<Side>& others,
                       const RandomPoints<Dim, Real>& points) {
    using Field  = FieldOf<Real, Dim, Kokkos::LayoutRight>;
    using Values = Kokkos::View<Real**, Kokkos::LayoutLeft, ChainMemory>;
    using Fields = Kokkos::Array<Field, Dim>;
    const std::uint64_t salt = m_salt += 10;
    const bool faces         = !Algorithms || m_random.chance(60);
    const std::string what   = faces ? "faces" : "an array of fields";
    m_did << what << '\n';
    const auto g = [&](int k) {
      return faces ? Grid<Dim, Real>::face(k) : m_options.plan.staggering;
    };
    const auto make = [&](const Side& on, std::uint64_t of) {
      Fields fields;
      for (int k = 0; k < Dim; ++k)
        fields[k] = field_of<Real, 0, Kokkos::LayoutRight>(on.blocks, g(k), 1,
                                                           salt_of(of, k));
      return fields;
    };
    const auto run = [&](const Side& on, const Fields& fields,
                         const Values& values) {
      const auto strengths = values_of<Values>(on.numbers, Dim, salt + 1);
      const auto transfer  = [&](const auto& to, const auto& from) {
        Sporos::spread(ChainExec{}, on.plan, strengths, to);
        Sporos::interpolate(ChainExec{}, on.plan, from, values);
      };
      const Fields read = make(on, salt + 2);
      if (faces)
        transfer(on_faces(fields), on_faces(read));
      else if constexpr (Algorithms)
        transfer(fields, read);
      ChainExec{}.fence();
    };
    const Fields fields = make(side, salt);
    const auto values   = values_of<Values>(side.numbers, Dim, 0);
    run(side, fields, values);
    together([&] {
      for (int k = 0; k < Dim; ++k) {
        const auto plain = plain_at(g(k), points);
        judge_field<Real>("spread " + what, plain, side, points, g(k),
                          fields[k], 1, salt_of(salt, k), salt + 1, k);
        judge_values<Real>("interpolate " + what, plain, side, points, values,
                           1, salt_of(salt + 2, k), k);
      }
    });
    for (const Side& on : others) {
      const Fields other      = make(on, salt);
      const auto other_values = values_of<Values>(on.numbers, Dim, 0);
      run(on, other, other_values);
      together([&] {
        for (int k = 0; k < Dim; ++k)
          check_bits(what, side, on, g(k), fields[k], other[k], 1);
        check_value_bits(what, side, on, values, other_values, Dim);
      });
    }
  }
  static std::uint64_t salt_of(std::uint64_t salt, int k) {
    return salt + std::uint64_t(k) * 1000003;
  }

  using Base::add_one;
  using Base::check_permutation;
  using Base::m_comm;
  using Base::m_did;
  using Base::m_grid_options;
  using Base::m_local;
  using Base::m_numbered;
  using Base::m_options;
  using Base::m_random;
  using Base::makes;
  using Base::migrate_points;
  using Base::mutate;
  using Base::new_plan;
  using Base::positions_of;
  using Base::refuse_update;
  using Base::tell;
  using Base::together;
  using Base::update;
  using Base::view_of;

  std::uint64_t m_salt = 100;
};

template <int Dim, class Real, class Delta, bool Algorithms = false>
void chain_of_transfers(RandomCase& random, const Communicator& comm) {
  TransferChain<Dim, Real, Delta, Algorithms>(random, comm).run();
}

}  // namespace Test
}  // namespace Sporos

#endif
