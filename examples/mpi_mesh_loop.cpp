// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A mesh loop on many MPI ranks: heat flows along a ring, none is lost.
#include <Sporos_DistributedMesh.hpp>
#include <Sporos_ParLoop.hpp>

#include <cmath>
#include <cstdio>
#include <vector>

struct Flow {  // one edge: heat flows from its warm to its cold end
  template <class Real>
  KOKKOS_FUNCTION void operator()(Sporos::Read<Real, 1, 2> heat,
                                  Sporos::Inc<Real, 1, 2> next) const {
    const Real flow = Real(.25) * (heat(1, 0) - heat(0, 0));
    next(0, 0) += flow;
    next(1, 0) -= flow;
  }
};

struct Total {  // one vertex
  template <class Real>
  KOKKOS_FUNCTION void operator()(Sporos::Read<Real> heat,
                                  Sporos::Reduce<Real> total) const {
    total[0] += heat[0];
  }
};

int run(const Sporos::Communicator& comm) {
  // Each rank makes a block of the vertices and edges, with global numbers.
  const int n = 1000, begin = n * comm.rank() / comm.size();
  const int mine = n * (comm.rank() + 1) / comm.size() - begin;
  std::vector<int> pairs;
  std::vector<double> places, heats;
  for (int i = begin; i < begin + mine; ++i) {
    pairs.insert(pairs.end(), {i, (i + 1) % n});
    places.push_back(i);
    heats.push_back(i == 0 ? 100 : 0);
  }
  Sporos::GlobalMesh ring(comm);
  const auto vertices = ring.set("vertices", mine);
  const auto edges    = ring.set("edges", mine);
  const auto ends     = ring.map<2>("ends", edges, vertices, pairs);
  const auto place    = ring.dat<double, 1>("place", vertices, places);
  const auto heat     = ring.dat<double, 1>("heat", vertices, heats);

  // Cuts the ring along the places. Loops are those of one process.
  const Kokkos::DefaultExecutionSpace exec;
  const auto mesh =
      Sporos::distribute(exec, ring, Sporos::MeshPartition::along(place));
  const auto old = mesh.dat(heat), next = mesh.dat(heat);
  Sporos::par_loop("flow", exec, mesh.set(edges), Flow{},
                   Sporos::read(old, mesh.map(ends)),
                   Sporos::inc(next, mesh.map(ends)));
  double total = 0;  // of all ranks, on all ranks
  Sporos::par_loop("total", exec, mesh.set(vertices), Total{},
                   Sporos::read(next), Sporos::sum(total));
  if (comm.rank() == 0) std::printf("heat of all vertices %.6f\n", total);
  return std::abs(total - 100) < 1e-9 ? 0 : 1;
}

int main(int argc, char* argv[]) {
  int threads = 0;  // Kokkos runs threads, of which one sends messages
  MPI_Init_thread(&argc, &argv, MPI_THREAD_FUNNELED, &threads);
  Kokkos::initialize(argc, argv);
  const int result = run(Sporos::Communicator(MPI_COMM_WORLD));
  Kokkos::finalize();
  MPI_Finalize();
  return result;
}
