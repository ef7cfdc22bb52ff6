// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// HDF5 files that many ranks write, and those of other programs.
#include "Sporos_FileLimit.hpp"
#include "Sporos_Refused.hpp"

#include <Sporos_DistributedMesh.hpp>
#include <Sporos_DistributedMeshFile.hpp>
#include <Sporos_ParLoop.hpp>
#include <Sporos_Test.hpp>

#ifdef SPOROS_HAVE_HDF5

#include <cstdint>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>
#include <vector>

namespace Hdf5WriterOnRanks {

using namespace Sporos;
using namespace Sporos::Test;
using Sporos::Impl::Hdf5Handle;

namespace {

using Exec = Kokkos::DefaultExecutionSpace;

/// A name that all ranks share, of a file that rank 0 removes.
struct SharedName {
  Communicator comm{MPI_COMM_WORLD};
  std::string path;

  explicit SharedName(const std::string& word) {
    std::uint64_t number = std::uint64_t(std::size_t(this));
    MPI_Bcast(&number, 1, MPI_UINT64_T, 0, comm.mpi());
    path = (std::filesystem::temp_directory_path() /
            ("sporos_" + word + std::to_string(number) + '_' +
             std::to_string(comm.size()) + ".h5"))
               .string();
  }
  SharedName(const SharedName&)            = delete;
  SharedName& operator=(const SharedName&) = delete;
  ~SharedName() {
    MPI_Barrier(comm.mpi());
    if (comm.rank() == 0) std::filesystem::remove(path);
  }

  bool is_first() const { return comm.rank() == 0; }
  /// What stands in the file.
  std::string contents() const {
    MPI_Barrier(comm.mpi());
    std::ostringstream text;
    text << std::ifstream(path, std::ios::binary).rdbuf();
    return text.str();
  }
};

struct Halve {
  KOKKOS_FUNCTION void operator()(ReadWrite<double, 2> x) const {
    for (int c = 0; c < 2; ++c) x[c] *= 0.5;
  }
};

/// Values of elements first, first + 1, ..., by their numbers.
template <class T>
std::vector<T> values(std::int64_t first, std::int64_t n, int width, T base) {
  std::vector<T> all;
  for (std::int64_t k = first * width; k < (first + n) * width; ++k)
    all.push_back(base + T(k));
  return all;
}
/// Ends of edge k of a chain; of the first and last one, one is missing.
std::vector<int> ends(std::int64_t first, std::int64_t n, int nodes) {
  std::vector<int> all;
  for (std::int64_t k = first; k < first + n; ++k)
    all.insert(all.end(), {int(k) - 1, k < nodes ? int(k) : -1});
  return all;
}

constexpr std::int64_t wide = std::int64_t(1) << 40;

/// The whole mesh, written by one process.
void write_whole(const std::string& path, int nodes, bool scaled) {
  const Set node_set("nodes", nodes), edges("graph/edges", nodes + 1);
  Hdf5MeshWriter file(path);
  file.set(node_set);
  file.set(edges);
  file.map(Map<2>("graph/ends", edges, node_set, ends(0, nodes + 1, nodes),
                  MissingEntries::allowed));
  auto x = values(0, nodes, 2, 1.);
  if (scaled)
    for (double& v : x) v *= 0.5;
  file.dat(Dat<double, 2>("x", node_set, x));
  file.dat(Dat<float, 3, Kokkos::LayoutLeft>("w", edges,
                                             values(0, nodes + 1, 3, 0.5f)));
  file.dat(Dat<std::int64_t>("id", node_set, values(0, nodes, 1, wide)));
  file.dat(Dat<int>("kind", edges, values(0, nodes + 1, 1, -3)));
  file.complete();
}

/// A chain in blocks.
struct Chain {
  GlobalMesh mesh;
  GlobalSet nodes, edges;
  GlobalMap<2> edge_ends;
  GlobalDat<double, 2> x;
  GlobalDat<float, dynamic_components> w;
  GlobalDat<std::int64_t, 1> id;
  GlobalDat<int, 1> kind;

  Chain(const Communicator& comm, int n) : mesh(comm) {
    const auto block = [&](std::int64_t all, int rank) {
      return all * rank * rank / (comm.size() * comm.size());
    };
    const int r          = comm.rank();
    const std::int64_t a = block(n, r), na = block(n, r + 1) - a;
    const std::int64_t b = block(n + 1, r), nb = block(n + 1, r + 1) - b;
    nodes     = mesh.set("nodes", na);
    edges     = mesh.set("graph/edges", nb);
    edge_ends = mesh.map<2>("graph/ends", edges, nodes, ends(b, nb, n),
                            MissingEntries::allowed);
    x         = mesh.dat<double, 2>("x", nodes, values(a, na, 2, 1.));
    w         = mesh.dat<float>("w", edges, 3, values(b, nb, 3, 0.5f));
    id        = mesh.dat<std::int64_t, 1>("id", nodes, values(a, na, 1, wide));
    kind      = mesh.dat<int, 1>("kind", edges, values(b, nb, 1, -3));
  }
};

/// Attributes as OP2 writes them: the text without an end.
void attributes(hid_t set, int dim, int size, const std::string& type) {
  const hsize_t one = 1;
  const Hdf5Handle single(H5Screate_simple(1, &one, nullptr), H5Sclose);
  const Hdf5Handle scalar(H5Screate(H5S_SCALAR), H5Sclose);
  const Hdf5Handle text(H5Tcopy(H5T_C_S1), H5Tclose);
  H5Tset_size(text, type.size());
  const auto add = [&](const char* name, hid_t kind, hid_t space,
                       const void* value) {
    if (H5Aexists(set, name) > 0) H5Adelete(set, name);
    const Hdf5Handle a(
        H5Acreate2(set, name, kind, space, H5P_DEFAULT, H5P_DEFAULT), H5Aclose);
    H5Awrite(a, kind, value);
  };
  add("size", H5T_NATIVE_INT, single, &size);
  add("dim", H5T_NATIVE_INT, single, &dim);
  add("type", text, scalar, type.data());
}
template <class T>
Hdf5Handle made(hid_t file, const char* name, std::vector<hsize_t> extents,
                const std::vector<T>& all) {
  const Hdf5Handle space(
      H5Screate_simple(int(extents.size()), extents.data(), nullptr), H5Sclose);
  Hdf5Handle set(H5Dcreate2(file, name, Sporos::Impl::hdf5_type(T()), space,
                            H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT),
                 H5Dclose);
  H5Dwrite(set, Sporos::Impl::hdf5_type(T()), H5S_ALL, H5S_ALL, H5P_DEFAULT,
           all.data());
  return set;
}

/// A file as OP2's op_dump_to_hdf5 lays it out, and data sets of h5py.
void write_as_others(const std::string& path) {
  const Hdf5Handle file(
      H5Fcreate(path.c_str(), H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT),
      H5Fclose);
  made<int>(file, "cells", {1}, {3});
  made<int>(file, "nodes", {1}, {4});
  const Hdf5Handle group(
      H5Gcreate2(file, "mesh", H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT),
      H5Gclose);
  const std::vector<int> rows = {0, 1, 1, 2, 2, 3};
  attributes(made(file, "mesh/pcell", {3, 2}, rows), 2, 3, "int");
  attributes(made(file, "long", {3, 2},
                  std::vector<long long>(rows.begin(), rows.end())),
             2, 3, "long long");
  attributes(made(file, "p_x", {4, 2}, values(0, 4, 2, .25)), 2, 16,
             "double:soa");
  attributes(made(file, "p_r", {4, 1}, values(0, 4, 1, .5f)), 1, 4, "real(4)");
  attributes(made(file, "p_b", {3, 1}, values(0, 3, 1, 7)), 1, 4, "integer(4)");
  attributes(made(file, "p_n", {3, 2}, values(0, 3, 2, wide)), 2, 16, "long");
  const Hdf5Handle q = made(file, "q", {4}, values(0, 4, 1, 3.));  // h5py
  const Hdf5Handle scalar(H5Screate(H5S_SCALAR), H5Sclose);
  const Hdf5Handle text(H5Tcopy(H5T_C_S1), H5Tclose);
  H5Tset_size(text, H5T_VARIABLE);
  const Hdf5Handle a(
      H5Acreate2(q, "type", text, scalar, H5P_DEFAULT, H5P_DEFAULT), H5Aclose);
  const char* const word = "double";
  H5Awrite(a, text, &word);
}

}  // namespace

TEST_CASE("files in the layout of OP2 are read back equal") {
  const SharedName name("as_others");
  if (name.is_first()) write_as_others(name.path);
  MPI_Barrier(name.comm.mpi());
  const Hdf5MeshReader file(name.path);
  const Set cells = file.set("cells"), nodes = file.set("nodes");
  CHECK(file.set_of_rows("like p_x", "p_x").size() == 4);
  const auto map = file.map<2>("mesh/pcell", cells, nodes);
  CHECK(map.to_host() == std::vector<int>{0, 1, 1, 2, 2, 3});
  const Map<> any = file.map("long", cells, nodes);
  CHECK(any.arity() == 2);
  CHECK(any.to_host() == map.to_host());
  CHECK(file.dat<double, 2>("p_x", nodes).to_host() == values(0, 4, 2, .25));
  CHECK(file.dat<double, 2, Kokkos::LayoutLeft>("p_x", nodes).to_host() ==
        values(0, 4, 2, .25));
  CHECK(file.dat<float>("p_r", nodes).to_host() == values(0, 4, 1, .5f));
  CHECK(file.dat<int>("p_b", cells).to_host() == values(0, 3, 1, 7));
  CHECK(file.dat<double>("p_b", cells).to_host() == values(0, 3, 1, 7.));
  CHECK(file.dat<long, 2>("p_n", cells).to_host() ==
        values(0, 3, 2, long(wide)));
  CHECK(file.dat<long long, 2>("p_n", cells).to_host() ==
        values(0, 3, 2, (long long)(wide)));
  CHECK(file.dat<double>("q", nodes).to_host() == values(0, 4, 1, 3.));
  GlobalMesh mesh(name.comm);
  Hdf5MeshBlocks blocks(mesh, name.path);
  const auto all = blocks.set("cells"), rows = blocks.set_of_rows("r", "q");
  CHECK(mesh.size(rows) == 4);
  blocks.map<2>("mesh/pcell", all, rows);
  const std::vector<long> own = *blocks.dat<long, 2>("p_n", all).values;
  const int r = name.comm.rank(), n = name.comm.size();
  const std::int64_t first = 3 * r / n;
  CHECK(own == values(first, 3 * (r + 1) / n - first, 2, long(wide)));
}

TEST_CASE("values and attributes of HDF5 files that do not fit are refused") {
  const SharedName name("damaged");
  if (name.is_first()) write_as_others(name.path);
  const auto refused = [&](const std::string& says, const char* data_set,
                           const auto& spoil, const auto& call) {
    MPI_Barrier(name.comm.mpi());
    if (name.is_first()) {
      const Hdf5Handle file(
          H5Fopen(name.path.c_str(), H5F_ACC_RDWR, H5P_DEFAULT), H5Fclose);
      spoil(Hdf5Handle(H5Dopen2(file, data_set, H5P_DEFAULT), H5Dclose));
    }
    MPI_Barrier(name.comm.mpi());
    const Hdf5MeshReader file(name.path);
    CHECK_THROWS_WITH(call(file), "Sporos::Hdf5MeshReader: " + name.path +
                                      ": " + data_set + says);
  };
  const Set nodes("nodes", 4), cells("cells", 3);
  const auto as_it_is = [](hid_t) {};
  refused(
      ": expected numbers that float holds, got floating-point numbers of "
      "64 bits",
      "p_x", as_it_is,
      [&](auto& f) { f.template dat<float, 2>("p_x", nodes); });
  refused(": expected numbers that double holds, got integers of 64 bits",
          "p_n", as_it_is,
          [&](auto& f) { f.template dat<double, 2>("p_n", cells); });
  refused(": expected integers, got floating-point numbers of 32 bits", "p_r",
          as_it_is, [&](auto& f) { f.template dat<int>("p_r", nodes); });
  refused(": expected 4 x 1 values, got 4 x 2 in 2 dimensions", "p_x", as_it_is,
          [&](auto& f) { f.template dat<double>("p_x", nodes); });
  refused(
      ", attribute dim: expected 1, got 3", "p_r",
      [](hid_t set) { attributes(set, 3, 4, "float"); },
      [&](auto& f) { f.template dat<float>("p_r", nodes); });
  refused(
      ", attribute size: expected 3 or 4, got 8", "p_b",
      [](hid_t set) { attributes(set, 1, 8, "int"); },
      [&](auto& f) { f.template dat<int>("p_b", cells); });
  refused(
      ", attribute type: expected the name of floating-point numbers of 64 "
      "bits, got 'float'",
      "p_x", [](hid_t set) { attributes(set, 2, 16, "float"); },
      [&](auto& f) { f.template dat<double, 2>("p_x", nodes); });
  refused(
      ", attribute type: expected the name of integers of 32 bits, got "
      "'int:'",
      "mesh/pcell", [](hid_t set) { attributes(set, 2, 3, "int:"); },
      [&](auto& f) { f.map("mesh/pcell", cells, nodes); });
  refused(
      ", attribute dim: expected one integer", "q",
      [](hid_t set) {
        const Hdf5Handle none(H5Screate(H5S_NULL), H5Sclose);
        const Hdf5Handle a(H5Acreate2(set, "dim", H5T_NATIVE_INT, none,
                                      H5P_DEFAULT, H5P_DEFAULT),
                           H5Aclose);
      },
      [&](auto& f) { f.template dat<double>("q", nodes); });
}

TEST_CASE("ranks write the bytes that one process writes") {
  for (const int n : {1, 5, 300}) {
    const SharedName whole("whole"), name("parts"), again("again");
    for (const bool scaled : {false, true}) {
      if (whole.is_first()) write_whole(whole.path, n, scaled);
      const Chain chain(name.comm, n);
      const auto local =
          distribute(Exec{}, chain.mesh, MeshPartition::along(chain.x));
      const auto x = local.dat<Kokkos::LayoutLeft>(chain.x);
      if (scaled)
        par_loop("halve", Exec{}, local.set(chain.nodes), Halve{}, rw(x));
      Hdf5MeshBlocksWriter file(chain.mesh, name.path);
      file.set(chain.nodes);
      file.set(chain.edges);
      file.map(chain.edge_ends);
      file.dat(local, chain.nodes, x);
      file.dat(chain.w);
      file.dat(chain.id);
      file.dat(local, chain.edges, local.dat(chain.kind));
      CHECK(std::filesystem::exists(name.path) == scaled);
      file.complete();
      CHECK((name.contents() == whole.contents()));
      CHECK_FALSE(std::filesystem::exists(name.path + ".part"));
    }
    // and read back
    const Hdf5MeshReader file(name.path);
    const Set nodes = file.set("nodes"), edges = file.set("graph/edges");
    const auto missing = MissingEntries::allowed;
    CHECK(file.map<2>("graph/ends", edges, nodes, missing).to_host() ==
          ends(0, n + 1, n));
    CHECK(file.dat<float, 3>("w", edges).to_host() == values(0, n + 1, 3, .5f));
    GlobalMesh mesh(name.comm);
    Hdf5MeshBlocks blocks(mesh, name.path);
    const auto b_nodes = blocks.set("nodes"),
               b_edges = blocks.set("graph/edges");
    const auto map     = blocks.map<2>("graph/ends", b_edges, b_nodes, missing);
    Hdf5MeshBlocksWriter copy(mesh, again.path);
    copy.set(b_nodes);
    copy.set(b_edges);
    copy.map(map);
    copy.dat(blocks.dat<double, 2>("x", b_nodes));
    copy.dat(blocks.dat<float, dynamic_components>("w", b_edges));
    copy.dat(blocks.dat<std::int64_t, 1>("id", b_nodes));
    copy.dat(blocks.dat<int, 1>("kind", b_edges));
    copy.complete();
    CHECK((again.contents() == name.contents()));
  }
}

TEST_CASE("what is wrong with writing on ranks is said on all of them") {
  const SharedName name("wrong");
  const std::string begin = "Sporos::Hdf5MeshBlocksWriter: ";
  if (name.is_first()) std::ofstream(name.path) << "as before";
  const Chain chain(name.comm, 40), other(name.comm, 3);
  const bool first = name.is_first();
  {
    Hdf5MeshBlocksWriter file(chain.mesh, name.path);
    file.set(chain.nodes);
    check_refused_on_ranks(
        begin + "cannot write " + name.path +
            ": expected a name that is not taken, got 'nodes'",
        [&] { file.set(chain.nodes); });
    check_refused_on_ranks("expected a set of this mesh", [&] {
      file.set(first ? other.nodes : chain.edges);
    });
    check_refused_on_ranks(
        begin + "map: expected a map of this mesh, got one of another mesh",
        [&] { file.map(other.edge_ends); });
    check_refused_on_ranks("expected a set of this mesh",
                           [&] { file.dat(other.x); });
    auto cut = chain.x;
    if (!first) cut.values = std::make_shared<std::vector<double>>(1);
    if (name.comm.size() > 1) {
      check_refused_on_ranks("x: expected ", [&] { file.dat(cut); });
      check_refused_on_ranks("expected the same on all ranks", [&] {
        file.set(first ? chain.nodes : chain.edges);
      });
    }
    file.map(chain.edge_ends);
    file.dat(chain.w);
    MPI_Barrier(name.comm.mpi());
    {
      const FileLimit limit(
          name.comm.rank() + 1 == name.comm.size() ? 1000 : RLIM_INFINITY);
      check_refused_on_ranks(
          begin + "cannot write " + name.path + ": File too large",
          [&] { file.complete(); });
    }
    check_refused_on_ranks("expected calls before complete(), got one after it",
                           [&] { file.dat(chain.x); });
  }
  CHECK(name.contents() == "as before");
  CHECK_FALSE(std::filesystem::exists(name.path + ".part"));
  check_refused_on_ranks(
      "cannot create /nowhere/mesh.h5: No such file or directory",
      [&] { Hdf5MeshBlocksWriter(chain.mesh, "/nowhere/mesh.h5"); });
  if (name.comm.size() > 1)
    check_refused_on_ranks("expected the same on all ranks", [&] {
      Hdf5MeshBlocksWriter(chain.mesh, name.path + (first ? "" : "x"));
    });

  const std::string mine = name.path + std::to_string(name.comm.rank());
  Hdf5MeshWriter alone(mine);
  const auto local =
      distribute(Exec{}, chain.mesh, MeshPartition::along(chain.x));
  const std::string of_one = ": expected a part of a mesh of one process";
  check_refused("nodes" + of_one, [&] { alone.set(local.set(chain.nodes)); });
  check_refused("x" + of_one, [&] { alone.dat(local.dat(chain.x)); });
  check_refused("graph/ends" + of_one,
                [&] { alone.map(local.map(chain.edge_ends)); });
  check_refused("map: expected an initialised handle",
                [&] { alone.map(Map<2>()); });
  check_refused("dat: expected an initialised handle",
                [&] { alone.dat(Dat<int>()); });
  alone.set(Set("a/b", 3));
  check_refused<std::runtime_error>("not taken, got 'a'",
                                    [&] { alone.set(Set("a", 3)); });
  check_refused<std::runtime_error>("not taken, got ''",
                                    [&] { alone.set(Set("", 3)); });
  alone.complete();
  check_refused("got one after it", [&] { alone.complete(); });
  CHECK(Hdf5MeshReader(mine).names() == std::vector<std::string>{"a/b"});
  std::filesystem::remove(mine);
}

}  // namespace Hdf5WriterOnRanks

#endif
