// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A plan of a loop: choose its strategy, read what it found, prove that no two
// edges that run at the same time increment one node.
#include <Sporos_LoopPlan.hpp>
#include <Sporos_MeshGenerators.hpp>
#include <Sporos_ParLoop.hpp>

#include <cstdio>

struct CountEnds {  // one edge adds 1 to both of its ends
  template <class Real>
  KOKKOS_FUNCTION void operator()(Sporos::Inc<Real, 1, 2> degree) const {
    degree(0, 0) += Real(1);
    degree(1, 0) += Real(1);
  }
};

int main(int argc, char* argv[]) {
  Kokkos::ScopeGuard kokkos(argc, argv);
  const Kokkos::DefaultExecutionSpace exec;
  const Sporos::QuadMesh mesh = Sporos::quad_mesh(100, 100);
  const Sporos::Set edges("edges", mesh.edges()), nodes("nodes", mesh.nodes());
  const Sporos::Map<2> ends("ends", edges, nodes, mesh.edge_nodes);
  const Sporos::Dat<double> degree("degree", nodes);

  // The plan takes the arguments of the loop. It may serve many loops over the
  // same set with the same maps and accesses.
  Sporos::LoopOptions options;
  options.strategy   = Sporos::LoopStrategy::hierarchical;
  options.block_size = 512;
  const Sporos::LoopPlan plan(exec, edges, options, Sporos::inc(degree, ends));
  std::printf("%s", plan.describe().c_str());

  const std::string errors = Sporos::validate(plan);
  std::printf("%s", errors.c_str());  // empty: the plan has no races

  Sporos::par_loop("count_ends", exec, edges, plan, CountEnds{},
                   Sporos::inc(degree, ends));
  exec.fence();  // with an instance, loops do not wait

  double total = 0;
  for (const double d : degree.to_host()) total += d;
  std::printf("%d edges have %.0f ends\n", mesh.edges(), total);
  return errors.empty() && total == 2. * mesh.edges() ? 0 : 1;
}
