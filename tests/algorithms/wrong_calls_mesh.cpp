// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// What sets, maps, dats, globals and meshes refuse.

#include "Sporos_WrongCalls.hpp"

#include <Sporos_Mesh.hpp>
#include <Sporos_MeshFile.hpp>
#include <Sporos_MeshGenerators.hpp>
#include <Sporos_Reorder.hpp>

#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <fstream>
#include <functional>
#include <limits>
#include <string>
#include <vector>

namespace WrongMeshCalls {

using namespace Sporos;
using Test::HostMemory;
using Test::Untouched;
using Test::WrongCall;

using Ints    = std::vector<int>;
using Numbers = std::vector<double>;
using Right   = Kokkos::LayoutRight;
using IntView = Kokkos::View<int**, Right, HostMemory, Kokkos::MemoryUnmanaged>;
using NumberView =
    Kokkos::View<double**, Right, HostMemory, Kokkos::MemoryUnmanaged>;
using EdgeNodes = Map<2, HostMemory>;
using AnyMap    = Map<dynamic_arity, HostMemory>;
using Values    = Dat<double, 3, Right, HostMemory>;
using Sum       = Global<double, 2, HostMemory>;

/// Three edges between four nodes.
struct Chain {
  Set edges{"edges", 3}, nodes{"nodes", 4}, empty{"empty", 0};
  EdgeNodes map{"chain", edges, nodes, Ints{0, 1, 1, 2, 2, 3}};
  AnyMap any{"any", edges, nodes, 2, Ints{0, 1, 1, 2, 2, 3}};
  Values x{"x", nodes};
  Sum sum{"sum"};
  Untouched untouched;

  Chain() {
    untouched.fill(x.view());
    untouched.fill(sum.view());
    untouched.watch(map.view().data(), 6 * sizeof(int));
  }
};

TEST_CASE("wrong sets and ranges", "[wrong_calls]") {
  const Chain c;
  const std::int64_t billions = std::int64_t(1) << 31;
  const std::string f = "Sporos::Set", r = "Sporos::Set::range",
                    size = "a size in [0, 2^31)", order = "0 <= begin <= end";
  const std::vector<WrongCall> rows = {
      {"below 0", [] { Set("cells", -1); }, f, "cells", size, "-1"},
      {"too large", [=] { Set("cells", billions); }, f, "cells", size,
       "2147483648"},
      {"begin below 0", [&] { c.edges.range(-1, 2); }, r, "edges", order,
       "begin -1, end 2"},
      {"end beyond the set", [&] { c.edges.range(0, 4); }, r, "edges",
       order + " <= 3", "begin 0, end 4"},
      {"end before begin", [&] { c.edges.range(2, 1); }, r, "edges", order,
       "begin 2, end 1"},
      {"of an empty set", [&] { c.empty.range(0, 1); }, r, "empty",
       order + " <= 0", "begin 0, end 1"}};
  check_wrong_calls(rows, c.untouched, 6);
}

TEST_CASE("sets that were moved from are whole", "[wrong_calls]") {
  Set nodes("nodes", 4);
  const Set taken = std::move(nodes);
  CHECK(nodes == taken);
  CHECK(nodes.size() == 4);
}

TEST_CASE("wrong maps", "[wrong_calls]") {
  const Chain c;
  Ints entries = {0, 1, 1, 4, 2, 3};
  Untouched untouched;
  untouched.watch(entries.data(), entries.size() * sizeof(int));
  const auto map = [&](const Set& from, const Set& to, const auto& e) {
    return [&from, &to, e] { EdgeNodes("m", from, to, e); };
  };
  const auto any = [&](int arity, const Ints& e) {
    return [&c, arity, e] { AnyMap("m", c.edges, c.nodes, arity, e); };
  };
  const auto view = [&](std::size_t n, std::size_t arity, int* at) {
    return IntView(at, n, arity);
  };
  int* const e            = entries.data();
  const std::string f     = "Sporos::Map",
                    in    = "entries in [0, 4) of the set nodes",
                    shape = "entries of shape (3, 2) for the set edges";
  const std::vector<WrongCall> rows = {
      {"an entry too few", map(c.edges, c.nodes, Ints(5)), f, "m",
       "6 entries, 2 for each element of edges", "5"},
      {"no entries", map(c.edges, c.nodes, Ints()), f, "m", "6 entries", "0"},
      {"entries of an empty set", map(c.empty, c.nodes, Ints(2)), f, "m",
       "0 entries", "2"},
      {"an entry too high", map(c.edges, c.nodes, entries), f, "m", in,
       "4 at element 1 of edges, index 1"},
      {"a negative entry", map(c.edges, c.nodes, Ints{0, 1, 2, 3, -1, 4}), f,
       "m", in, "-1 at element 2 of edges, index 0"},
      {"to an empty set", map(c.edges, c.empty, Ints(6)), f, "m",
       "entries in [0, 0) of the set empty", "0 at element 0"},
      {"rows of a view", map(c.edges, c.nodes, view(2, 2, e)), f, "m", shape,
       "(2, 2)"},
      {"columns of a view", map(c.edges, c.nodes, view(3, 1, e)), f, "m", shape,
       "(3, 1)"},
      {"an empty view", map(c.edges, c.nodes, IntView()), f, "m", shape,
       "(0, 0)"},
      {"a null view", map(c.edges, c.nodes, view(3, 2, nullptr)), f, "m",
       "memory for extents (3, 2)", "a null pointer"},
      {"an entry of a view too high", map(c.edges, c.nodes, view(3, 2, e)), f,
       "m", in, "4 at element 1 of edges, index 1"},
      {"another arity than the constant",
       [&] { EdgeNodes("m", c.edges, c.nodes, 3, Ints(9)); }, f, "m",
       "an arity of 2", "3"},
      {"arity 0", any(0, Ints()), f, "m", "an arity of 1 or more", "0"},
      {"an arity below 0", any(-1, Ints(3)), f, "m", "an arity of 1 or more",
       "-1"},
      {"entries of another arity", any(3, Ints(6)), f, "m",
       "9 entries, 3 for each element of edges", "6"},
      {"fixed at another arity", [&] { c.any.fixed<3>(); },
       "Sporos::Map::fixed", "any", "arity 3", "2"},
      {"fixed, made of nothing", [] { AnyMap().fixed<2>(); },
       "Sporos::Map::fixed", "map", "an initialised handle",
       "default-constructed"},
      {"to_host, made of nothing", [] { EdgeNodes().to_host(); },
       "Sporos::Map::to_host", "map", "an initialised handle",
       "default-constructed"},
      {"values, made of nothing", [] { Values().to_host(); },
       "Sporos::Dat::to_host", "dat", "an initialised handle",
       "default-constructed"},
      {"modified, made of nothing", [] { EdgeNodes().modified(); },
       "Sporos::Map::modified", "map", "an initialised handle",
       "default-constructed"},
      {"the sets of nothing", [] { EdgeNodes().from(); }, f, "map",
       "an initialised handle", "default-constructed"},
      {"the targets of nothing", [] { EdgeNodes().to(); }, f, "map",
       "an initialised handle", "default-constructed"},
      {"the arity of nothing", [] { EdgeNodes().arity(); }, f, "map",
       "an initialised handle", "default-constructed"},
      {"the version of nothing", [] { EdgeNodes().version(); }, f, "map",
       "an initialised handle", "default-constructed"},
      {"modified to a wrong entry",
       [&] {
         const EdgeNodes m("m", c.edges, c.nodes, Ints(6));
         m.view()(2, 0) = 7;
         m.modified();
       },
       f, "m", in, "7 at element 2 of edges, index 0"}};
  check_wrong_calls(rows, untouched, 25);
}

TEST_CASE("wrong dats and globals", "[wrong_calls]") {
  const Chain c;
  Numbers numbers(12);
  const auto dat = [&](const auto& values) {
    return [&c, values] { Values("d", c.nodes, values); };
  };
  const auto view = [&](std::size_t n, std::size_t m) {
    return NumberView(numbers.data(), n, m);
  };
  const Sum none;
  const std::string f       = "Sporos::Dat",
                    shape   = "values of shape (4, 3) for the set nodes",
                    made    = "an initialised handle",
                    nothing = "default-constructed";
  const std::vector<WrongCall> rows = {
      {"a value too few", dat(Numbers(11)), f, "d",
       "12 values, 3 for each element of nodes", "11"},
      {"no values", dat(Numbers()), f, "d", "12 values", "0"},
      {"rows of a view", dat(view(3, 3)), f, "d", shape, "(3, 3)"},
      {"rows and columns exchanged", dat(view(3, 4)), f, "d", shape, "(3, 4)"},
      {"an empty view", dat(NumberView()), f, "d", shape, "(0, 0)"},
      {"a null view", dat(NumberView(nullptr, 4, 3)), f, "d",
       "memory for extents (4, 3)", "a null pointer"},
      {"assigning too much", [&] { c.x.assign(Numbers(13)); },
       "Sporos::Dat::assign", "x", "12 values", "13"},
      {"assigning nothing", [&] { c.x.assign(Test::HostExec{}, Numbers()); },
       "Sporos::Dat::assign", "x", "12 values", "0"},
      {"assigning to nothing", [] { Values().assign(Numbers(12)); },
       "Sporos::Dat::assign", "dat", made, nothing},
      {"a null view of a global",
       [] { Sum("g", Sum::view_type(static_cast<double*>(nullptr))); },
       "Sporos::Global", "g", "memory for extents (2)", "a null pointer"},
      {"a component beyond", [&] { c.sum.value(2); }, "Sporos::Global::value",
       "sum", "a component in [0, 2)", "2"},
      {"a component below 0", [&] { c.sum.value(-1); }, "Sporos::Global::value",
       "sum", "a component in [0, 2)", "-1"},
      {"the value of nothing", [&] { none.value(); }, "Sporos::Global::value",
       "global", made, nothing},
      {"a value for nothing", [&] { none.assign(1.); },
       "Sporos::Global::assign", "global", made, nothing},
      {"values for nothing",
       [&] {
         none.assign({1., 2.});
       },
       "Sporos::Global::assign", "global", made, nothing},
      {"a value too many",
       [&] {
         c.sum.assign({1., 2., 3.});
       },
       "Sporos::Global::assign", "sum", "2 values", "3"}};
  check_wrong_calls(rows, c.untouched, 16);
}

TEST_CASE("wrong renumberings", "[wrong_calls]") {
  const Chain c;
  const Mesh mesh(c.map, c.x);
  const Chain stranger;
  const Reordering other =
      find_reordering(Mesh(stranger.map), ReorderOptions{});
  const auto with = [&](MeshOrdering ordering, int size, const char* by) {
    return [&mesh, ordering, size, by] {
      ReorderOptions o;
      o.ordering   = ordering;
      o.block_size = size;
      o.by         = by;
      reorder(mesh, o);
    };
  };
  using M             = MeshOrdering;
  const std::string f = "Sporos::reorder", r = "Sporos::Reordering",
                    add             = "Sporos::Mesh::add",
                    ours            = "a set of the mesh that was reordered";
  const std::vector<WrongCall> rows = {
      {"a map that is none", with(M::reverse_cuthill_mckee, 1, "edge_nodes"), f,
       "by", "the name of a map of the mesh", "edge_nodes"},
      {"blocks of nothing", with(M::metis, 0, ""), f, "block_size",
       "at least 1", "0"},
      {"blocks of less", with(M::metis, -8, "chain"), f, "block_size",
       "at least 1", "-8"},
      {"blocks of nothing in a mesh without maps",
       [&] {
         ReorderOptions o;
         o.ordering   = M::metis;
         o.block_size = 0;
         reorder(Mesh(c.x), o);
       },
       f, "block_size", "at least 1", "0"},
      {"a dat on a part of another one",
       [&] {
         const Set fewer("fewer", 3);
         const Values part(
             "part", fewer,
             Kokkos::subview(c.x.view(), std::make_pair(1, 4), Kokkos::ALL()));
         Mesh(c.x, part);
       },
       add, "part", "memory separate from that of other dats, or the same",
       "memory that overlaps one of nodes"},
      {"the memory of a dat in another layout",
       [&] {
         using Left = Dat<double, 3, Kokkos::LayoutLeft, HostMemory>;
         Mesh(c.x, Left("left", c.nodes,
                        Left::view_type(c.x.view().data(), c.nodes.size())));
       },
       add, "left", "memory separate from that of other dats, or the same",
       "memory that overlaps one of nodes"},
      {"no ordering", with(M(5), 1, ""), f, "ordering",
       "natural, rcm, gps, metis or random", "5"},
      {"the name of no ordering", [] { mesh_ordering("cuthill"); },
       "Sporos::mesh_ordering", "ordering",
       "natural, rcm, gps, metis or random", "cuthill"},
      {"applied to another mesh", [&] { apply(mesh, other); }, r, "set", ours,
       "edges"},
      {"the order of another set", [&] { other.order(c.nodes); }, r, "set",
       ours, "nodes"},
      {"the numbers of another set", [&] { other.numbers(c.empty); }, r, "set",
       ours, "empty"},
      {"the blocks of another set", [&] { other.blocks(c.edges); }, r, "set",
       ours, "edges"},
      {"a map of nothing", [] { Mesh{EdgeNodes()}; }, add, "map",
       "an initialised handle", "default-constructed"},
      {"a dat of nothing", [] { Mesh{Values()}; }, add, "dat",
       "an initialised handle", "default-constructed"}};
  check_wrong_calls(rows, c.untouched, 14);
}

TEST_CASE("wrong structured meshes", "[wrong_calls]") {
  const Untouched untouched;
  const double nan    = std::numeric_limits<double>::quiet_NaN(),
               inf    = std::numeric_limits<double>::infinity();
  const std::string q = "Sporos::quad_mesh", h = "Sporos::hex_mesh",
                    cells           = "positive numbers of cells",
                    most            = "fewer than 2^31 nodes, edges or faces",
                    length          = "a positive finite length";
  const std::vector<WrongCall> rows = {
      {"no columns", [] { quad_mesh(0, 5); }, q, "nx, ny", cells, "0"},
      {"rows below 0", [] { quad_mesh(5, -2); }, q, "nx, ny", cells, "-2"},
      {"too many nodes", [] { quad_mesh(40000, 30000); }, q, "nx, ny", most,
       "more"},
      {"no width", [] { quad_mesh(2, 2, 0.); }, q, "width", length, "0"},
      {"an infinite height", [=] { quad_mesh(2, 2, 1., inf); }, q, "height",
       length, "inf"},
      {"no layers", [] { hex_mesh(2, 2, 0); }, h, "nx, ny, nz", cells, "0"},
      {"too many faces", [] { hex_mesh(900, 900, 900); }, h, "nx, ny, nz", most,
       "more"},
      {"a width below 0", [] { hex_mesh(1, 1, 1, -1.); }, h, "width", length,
       "-1"},
      {"a height that is NaN", [=] { hex_mesh(1, 1, 1, 1., nan); }, h, "height",
       length, "nan"},
      {"no depth", [] { hex_mesh(1, 1, 1, 1., 1., 0.); }, h, "depth", length,
       "0"}};
  check_wrong_calls(rows, untouched, 10);
}

/// The text of a file that is removed in the end.
class File {
 public:
  explicit File(const std::string& text) { std::ofstream(m_path) << text; }
  ~File() { std::remove(m_path); }
  std::string text() const {
    std::ifstream in(m_path);
    return {std::istreambuf_iterator<char>(in), {}};
  }
  static constexpr const char* m_path = "sporos_wrong_calls.dat";
};

TEST_CASE("meshes that are not written", "[wrong_calls]") {
  const Untouched untouched;
  const File file("what was there");
  const QuadMesh good = quad_mesh(2, 2);
  const auto without  = [&](Ints QuadMesh::*array) {
    return [&good, array] {
      QuadMesh mesh = good;
      (mesh.*array).pop_back();
      write_mesh(File::m_path, mesh);
    };
  };
  const auto odd = [&] {
    QuadMesh mesh = good;
    mesh.coordinates.push_back(0.);
    write_mesh(File::m_path, mesh);
  };
  const std::string f               = "Sporos::write_mesh";
  const std::vector<WrongCall> rows = {
      {"half a node", odd, f, "coordinates", "18 values", "19"},
      {"a node of a cell", without(&QuadMesh::cell_nodes), f, "cell_nodes",
       "12 values", "15"},
      {"a node of an edge", without(&QuadMesh::edge_nodes), f, "edge_nodes",
       "6 values", "7"},
      {"a cell of an edge", without(&QuadMesh::edge_cells), f, "edge_cells",
       "8 values", "7"},
      {"a node of the boundary", without(&QuadMesh::boundary_nodes), f,
       "boundary_nodes", "16 values", "15"},
      {"a boundary edge's cell", without(&QuadMesh::boundary_cells), f,
       "boundary_nodes", "14 values", "16"},
      {"a boundary edge's flag", without(&QuadMesh::boundary_flags), f,
       "boundary_flags", "8 values", "7"}};
  check_wrong_calls(rows, untouched, 7);
  CHECK(file.text() == "what was there");
}

}  // namespace WrongMeshCalls
