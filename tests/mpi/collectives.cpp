// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// How often a step of particles waits for all ranks.
#include "Sporos_Collectives.hpp"
#include "Sporos_DistributedTransfer.hpp"
#include "Sporos_Refused.hpp"

namespace CollectivesOnRanks {

using namespace Sporos;
using namespace Sporos::Test;
using Exec   = Kokkos::DefaultExecutionSpace;
using Memory = Exec::memory_space;

namespace {

constexpr Staggering node = {{0., 0., 0.}};
/// With checks each call asks all ranks whether it is right.
constexpr int checked = Sporos::Impl::checks_enabled ? 1 : 0;
const Problem<2> problem{
    {{40, 40}}, {{false, false}}, Cloud::uniform, 500, 1, node, node};

}  // namespace

TEST_CASE("a step of particles waits for all ranks twice") {
  const AllPoints<2, double> all(problem);
  RankPoints<Exec, 2, double, Cosine4> p(MPI_COMM_WORLD, all,
                                         PointDeal::in_turn);
  for (const bool any_ranks : {false, true})
    for (const BorderMode mode :
         {BorderMode::automatic, BorderMode::ghost_points,
          BorderMode::ghost_sums}) {
      if (any_ranks && mode == BorderMode::ghost_sums) continue;
      CAPTURE(any_ranks, int(mode));
      auto plan           = p.plan(mode, any_ranks, node);
      const auto strength = p.component(0);
      const auto field    = p.field(node);
      spread(Exec{}, plan, strength, field);  // the first calls of their kinds
      interpolate(Exec{}, plan, field, strength);
      const auto moved = collectives_of([&] {
        if (any_ranks)
          migrate_by_number(Exec{}, p.blocks, MigrateOptions{}, p.number, p.x,
                            p.strengths);
        else
          migrate(Exec{}, p.blocks, p.x, p.number, p.strengths);
      });
      CHECK(moved.all() == 1);
      const auto updated = collectives_of([&] {
        if (any_ranks)
          plan.update(Exec{}, p.x, p.number);
        else
          plan.update(Exec{}, p.x);
      });
      CHECK(updated.all() == 1);
      const auto now = p.component(0);
      CHECK(collectives_of([&] { spread(Exec{}, plan, now, field); }).all() ==
            checked);
      CHECK(collectives_of([&] {
              interpolate(Exec{}, plan, field, now);
            }).all() == checked);
    }
}

TEST_CASE("ghost layers are filled without a wait for all ranks") {
  const AllPoints<2, double> all(problem);
  const RankPoints<Exec, 2, double, Cosine4> p(MPI_COMM_WORLD, all,
                                               PointDeal::in_turn);
  const auto field = p.field(node), other = p.field(node);
  const auto faces = Kokkos::Array<std::decay_t<decltype(field)>, 2>{
      {p.field(Grid<2>::face(0)), p.field(Grid<2>::face(1))}};
  for (const int waits : {1, checked}) {  // the first calls, later ones
    const auto first = [&](const auto& call) {
      CHECK(collectives_of(call).all() == waits);
    };
    first([&] { fill_ghosts(Exec{}, p.blocks, node, field); });
    first([&] { fill_ghosts_start(Exec{}, p.blocks, node, field); });
    CHECK(collectives_of([&] {
            fill_ghosts_finish(Exec{}, p.blocks, node, field);
          }).all() == checked);
    first([&] { add_ghosts(Exec{}, p.blocks, node, other); });
    first([&] { fill_ghosts(Exec{}, p.blocks, on_faces(faces)); });
  }
}

}  // namespace CollectivesOnRanks
