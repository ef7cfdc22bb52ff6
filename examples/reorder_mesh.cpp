// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Renumbers a mesh whose numbers are random, so that consecutive edges use
// nearby nodes, and takes it back.
#include <Sporos_LoopPlan.hpp>
#include <Sporos_MeshGenerators.hpp>
#include <Sporos_Reorder.hpp>

#include <cstdio>

/// The distinct nodes of blocks of edges over the ends of these edges: the
/// smaller, the more often a node is found in cache.
double reuse_factor(const Sporos::Set& edges, const Sporos::Map<2>& ends,
                    const Sporos::Dat<double, 2>& x) {
  const Kokkos::DefaultExecutionSpace exec;
  const Sporos::LoopPlan plan(exec, edges, Sporos::LoopOptions{},
                              Sporos::inc(x, ends));
  return plan.reuse()[0].reuse_factor;
}

int main(int argc, char* argv[]) {
  Kokkos::ScopeGuard kokkos(argc, argv);
  const Sporos::QuadMesh quads = Sporos::quad_mesh(200, 200);
  const Sporos::Set edges("edges", quads.edges());
  const Sporos::Set nodes("nodes", quads.nodes());
  const Sporos::Map<2> ends("ends", edges, nodes, quads.edge_nodes);
  const Sporos::Dat<double, 2> x("x", nodes, quads.coordinates);

  Sporos::Mesh mesh(ends, x);  // all maps and data that are to be renumbered
  Sporos::reorder(mesh, Sporos::MeshOrdering::random);
  const double shuffled = reuse_factor(edges, ends, x);
  const auto before     = x.to_host();

  const Sporos::Reordering reordering =
      Sporos::reorder(mesh, Sporos::MeshOrdering::reverse_cuthill_mckee);
  const double ordered = reuse_factor(edges, ends, x);
  std::printf("reuse factor %.2f, reordered %.2f\n", shuffled, ordered);

  Sporos::apply(mesh, inverse(reordering));  // as it was
  return ordered < 0.7 * shuffled && x.to_host() == before ? 0 : 1;
}
