// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Sets, maps and dats of HDF5 files by their names, whole and in blocks.
#include "Sporos_Refused.hpp"

#include <Sporos_DistributedMesh.hpp>
#include <Sporos_DistributedMeshFile.hpp>
#include <Sporos_Test.hpp>

#ifdef SPOROS_HAVE_HDF5

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

namespace Hdf5MeshOnRanks {

using namespace Sporos;
using namespace Sporos::Test;
using Sporos::Impl::Hdf5Handle;

namespace {

constexpr int any = dynamic_components;

/// Triangles between two rows of n + 1 nodes, as OP2's codes for shallow water
/// have them, in a file that rank 0 writes and removes.
struct Strip {
  Communicator comm{MPI_COMM_WORLD};
  std::string path;
  Set nodes, cells, none{"no elements", 0};
  Map<3> cell_nodes;
  Map<1> no_map;
  Dat<double, 2> x;
  Dat<float, any, Kokkos::LayoutLeft> q;
  Dat<std::int64_t, 1> number;
  Dat<int, 1> kind;

  explicit Strip(int n)
      : nodes("nodes", 2 * (n + 1)), cells("mesh/cells", 2 * n) {
    std::vector<int> rows, kinds;
    std::vector<double> places;
    std::vector<float> values;
    std::vector<std::int64_t> numbers;
    for (int k = 0; k < nodes.size(); ++k)
      places.insert(places.end(), {k / 2 + 0.1, k % 2 - 0.1});
    for (int k = 0; k < cells.size(); ++k) {
      rows.insert(rows.end(), {k, k + 1, k + 2});
      kinds.push_back(50 - k);
      numbers.push_back((std::int64_t(1) << 40) + k);
      for (int c = 0; c < 4; ++c) values.push_back(float(k) + float(c) / 8);
    }
    cell_nodes = Map<3>("mesh/pcell", cells, nodes, rows);
    no_map     = Map<1>("no map", none, cells, std::vector<int>());
    x          = Dat<double, 2>("p_x", nodes, places);
    q          = Dat<float, any, Kokkos::LayoutLeft>("p_q", cells, 4, values);
    number     = Dat<std::int64_t, 1>("number", cells, numbers);
    kind       = Dat<int, 1>("kind", cells, kinds);
    std::uint64_t other = std::uint64_t(std::size_t(this));
    MPI_Bcast(&other, 1, MPI_UINT64_T, 0, comm.mpi());
    path = (std::filesystem::temp_directory_path() /
            ("sporos_hdf5_mesh_" + std::to_string(other) + '_' +
             std::to_string(comm.size()) + ".h5"))
               .string();
    if (comm.rank() == 0) write();
    MPI_Barrier(comm.mpi());
  }
  Strip(const Strip&)            = delete;
  Strip& operator=(const Strip&) = delete;
  ~Strip() {
    MPI_Barrier(comm.mpi());
    if (comm.rank() == 0) std::filesystem::remove(path);
  }

  void write() const {
    Hdf5MeshWriter file(path);
    for (const Set& set : {nodes, cells, none}) file.set(set);
    file.map(cell_nodes);
    file.map(no_map);
    file.dat(x);
    file.dat(q);
    file.dat(number);
    file.dat(kind);
    CHECK_FALSE(std::filesystem::exists(path));
    file.complete();
  }
};

/// An attribute that is one integer.
int attribute(const std::string& path, const char* set, const char* name) {
  const Hdf5Handle file(H5Fopen(path.c_str(), H5F_ACC_RDONLY, H5P_DEFAULT),
                        H5Fclose);
  const Hdf5Handle a(H5Aopen_by_name(file, set, name, H5P_DEFAULT, H5P_DEFAULT),
                     H5Aclose);
  int value = -1;
  H5Aread(a, H5T_NATIVE_INT, &value);
  return value;
}

template <class T>
std::vector<T> rows_of(const Communicator& comm, const std::vector<T>& all,
                       std::int64_t n) {
  const std::int64_t width = n == 0 ? 0 : std::int64_t(all.size()) / n;
  const auto at            = [&](int rank) {
    return all.begin() + std::ptrdiff_t(n * rank / comm.size() * width);
  };
  return std::vector<T>(at(comm.rank()), at(comm.rank() + 1));
}

}  // namespace

TEST_CASE("sets, maps and dats of an HDF5 file are read as they are") {
  const Strip strip(6);
  const Hdf5MeshReader file(strip.path);
  CHECK(file.names() == std::vector<std::string>{
                            "kind", "mesh/cells", "mesh/pcell", "no elements",
                            "no map", "nodes", "number", "p_q", "p_x"});
  const Set nodes = file.set("nodes"), cells = file.set("mesh/cells");
  const Set none = file.set("no elements");
  CHECK(nodes.size() == 14);
  CHECK(cells.size() == 12);
  CHECK(none.size() == 0);
  const auto map = file.map<3>("mesh/pcell", cells, nodes);
  CHECK(map.to_host() == strip.cell_nodes.to_host());
  CHECK(map.name() == "mesh/pcell");
  CHECK(file.map<1>("no map", none, cells).to_host().empty());
  CHECK(file.dat<double, 2>("p_x", nodes).to_host() == strip.x.to_host());
  CHECK(file.dat<float, 4>("p_q", cells).to_host() == strip.q.to_host());
  CHECK(file.dat<double, 4>("p_q", cells).to_host()[5] == 1.125);
  const auto q = file.dat<float, any, Kokkos::LayoutLeft>("p_q", cells);
  CHECK(q.component_count() == 4);
  CHECK(q.to_host() == strip.q.to_host());
  CHECK(file.dat<std::int64_t>("number", cells).to_host() ==
        strip.number.to_host());
  CHECK(file.dat<int>("kind", cells).to_host() == strip.kind.to_host());
  // as OP2 writes them
  CHECK(attribute(strip.path, "mesh/pcell", "size") == 12);
  CHECK(attribute(strip.path, "mesh/pcell", "dim") == 3);
  CHECK(attribute(strip.path, "p_q", "size") == 16);
  CHECK(attribute(strip.path, "p_q", "dim") == 4);
}

TEST_CASE("what is wrong with names, sizes and entries of an HDF5 file") {
  const Strip strip(2);
  const Hdf5MeshReader file(strip.path);
  const Set &nodes = strip.nodes, &cells = strip.cells;
  const auto refused = [&](const std::string& says, const auto& call) {
    CHECK_THROWS_WITH(call(),
                      "Sporos::Hdf5MeshReader: " + strip.path + ": " + says);
  };
  refused(
      "cells: expected a data set, there are kind, mesh/cells, mesh/pcell, no "
      "elements, no map, nodes, number, p_q, p_x",
      [&] { file.set("cells"); });
  refused("mesh/pcell: expected 4 x 4 values, got 4 x 3 in 2 dimensions",
          [&] { file.map<4>("mesh/pcell", cells, nodes); });
  refused("mesh/pcell: expected 6 x 3 values, got 4 x 3 in 2 dimensions",
          [&] { file.map<3>("mesh/pcell", nodes, cells); });
  refused("mesh/pcell: expected numbers in [0, 4), got 4 in row 2",
          [&] { file.map<3>("mesh/pcell", cells, cells); });
  refused("p_q: expected integers, got floating-point numbers of 32 bits",
          [&] { file.map<4>("p_q", cells, nodes); });
  refused("number: expected numbers of 32 bits, got 1099511627776",
          [&] { file.dat<int>("number", cells); });
  refused("p_x: expected 1 x 1 values, got 6 x 2 in 2 dimensions",
          [&] { file.set("p_x"); });
  CHECK(file.dat<int>("kind", cells).to_host() == strip.kind.to_host());
  CHECK_THROWS_AS(Hdf5MeshReader("/nowhere/mesh.h5"), std::runtime_error);
  const std::string other = strip.path + std::to_string(strip.comm.rank());
  {
    Hdf5MeshWriter twice(other);
    twice.set(nodes);
    CHECK_THROWS_AS(twice.set(nodes), std::runtime_error);
  }
  {
    Hdf5MeshWriter wide(other);
    wide.dat(Dat<double, 33>("wide", cells));
    wide.complete();
    CHECK_THROWS_WITH((Hdf5MeshReader(other).dat<double, any>("wide", cells)),
                      "Sporos::Hdf5MeshReader: " + other +
                          ": wide: expected 1 to 32 columns, got 33");
    std::filesystem::remove(other);
  }
  CHECK_FALSE(std::filesystem::exists(other));
  CHECK_FALSE(std::filesystem::exists(other + ".part"));
}

TEST_CASE("each rank reads its rows of an HDF5 file") {
  for (const int n : {1, 2, 40}) {
    const Strip strip(n);
    const Communicator& comm = strip.comm;
    GlobalMesh mesh(comm);
    Hdf5MeshBlocks file(mesh, strip.path);
    const auto nodes = file.set("nodes"), cells = file.set("mesh/cells");
    const auto none = file.set("no elements");
    CHECK(mesh.size(nodes) == 2 * (n + 1));
    CHECK(mesh.size(none) == 0);
    const auto map = file.map<3>("mesh/pcell", cells, nodes);
    file.map<1>("no map", none, cells);
    const auto x      = file.dat<double, 2>("p_x", nodes);
    const auto q      = file.dat<float, 4>("p_q", cells);
    const auto number = file.dat<std::int64_t, 1>("number", cells);
    const auto any_q  = file.dat<float, any>("p_q", cells);
    CHECK(any_q.components == 4);
    CHECK(*any_q.values == *q.values);
    CHECK(*x.values == rows_of(comm, strip.x.to_host(), 2 * (n + 1)));
    CHECK(*q.values == rows_of(comm, strip.q.to_host(), 2 * n));
    CHECK(*number.values == rows_of(comm, strip.number.to_host(), 2 * n));
    const auto local   = distribute(Kokkos::DefaultExecutionSpace{}, mesh,
                                    MeshPartition::along(x));
    const auto rows    = local.map(map).to_host();
    const auto& from   = local.global_numbers(cells);
    const auto& to     = local.global_numbers(nodes);
    const int executed = local.local(cells).executed;
    for (std::size_t k = 0; k < std::size_t(3 * executed); ++k)
      CHECK(to[std::size_t(rows[k])] == from[k / 3] + std::int64_t(k % 3));
  }
}

TEST_CASE("what is wrong with an HDF5 file is said on all ranks") {
  const Strip strip(2);
  GlobalMesh mesh(strip.comm), other(strip.comm);
  const bool first = strip.comm.rank() == 0;
  Hdf5MeshBlocks file(mesh, strip.path);
  const auto nodes = file.set("nodes"), cells = file.set("mesh/cells");
  const auto foreign      = other.set("foreign", 2);
  const std::string begin = "Sporos::Hdf5MeshBlocks: " + strip.path + ": ";
  check_refused_on_ranks(begin + "cells: expected a data set, there are kind",
                         [&] { file.set("cells"); });
  check_refused_on_ranks(begin + "mesh/pcell: expected 4 x 2 values, got 4 x 3",
                         [&] { file.map<2>("mesh/pcell", cells, nodes); });
  check_refused_on_ranks(
      "mesh/pcell: expected numbers in [0, 4), got 4 in row ",
      [&] { file.map<3>("mesh/pcell", cells, cells); });
  check_refused_on_ranks("expected numbers of 32 bits, got 10995116277",
                         [&] { file.dat<int, 1>("number", cells); });
  check_refused_on_ranks("set: expected a set of this mesh", [&] {
    file.dat<int, 1>("kind", first ? foreign : cells);
  });
  if (strip.comm.size() > 1)
    check_refused_on_ranks("expected the same on all ranks",
                           [&] { file.set(first ? "nodes" : "mesh/cells"); });
  CHECK(file.dat<int, 1>("kind", cells).values->size() ==
        rows_of(strip.comm, strip.kind.to_host(), 4).size());
  check_refused_on_ranks("cannot open it as an HDF5 file",
                         [&] { Hdf5MeshBlocks(mesh, "/nowhere/mesh.h5"); });
}

}  // namespace Hdf5MeshOnRanks

#endif
