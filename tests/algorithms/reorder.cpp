// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Renumbering of whole meshes: maps and dats stay consistent, loops give what
// they gave, shuffles are undone.

#include "Sporos_ReorderGrid.hpp"
#include "Sporos_Test.hpp"

#include <Sporos_ParLoop.hpp>
#include <Sporos_Reorder.hpp>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <vector>

namespace ReorderTest {

using Sporos::Test::Spaces;

/// rows of `before` in the new order, with entries renumbered (numbers empty:
/// values).
std::vector<double> moved(const std::vector<double>& before, const Order& order,
                          const std::vector<int>& numbers) {
  const std::size_t width = before.size() / order.size();
  std::vector<double> after;
  for (int i : order)
    for (std::size_t c = 0; c < width; ++c) {
      const double v = before[std::size_t(i) * width + c];
      after.push_back(numbers.empty() ? v : numbers[std::size_t(v)]);
    }
  return after;
}

/// What each of Grid::contents is about: the set of its rows, and of its
/// entries if it is a map.
struct Content {
  Set rows;
  const Set* entries;
};

TEST_CASE("maps and dats are renumbered together, and back", "[reorder]") {
  for (MeshOrdering ordering : orderings()) {
    INFO(name(ordering));
    Grid<Kokkos::DefaultExecutionSpace::memory_space> g(11, 7);
    const auto before  = g.contents();
    const auto version = g.edge_cells.version();
    ReorderOptions options;
    options.ordering   = ordering;
    options.block_size = 20;
    const auto r       = Sporos::reorder(g.mesh, options);
    const auto after   = g.contents();
    for (const Set& set : {g.nodes, g.cells, g.edges, g.rim}) {
      CHECK(int(r.order(set).size()) == set.size());
      CHECK(Sporos::is_permutation(r.order(set)));
      CHECK(r.numbers(set) == Sporos::inverse(r.order(set)));
    }
    const std::vector<Content> about{
        {g.cells, &g.nodes}, {g.edges, &g.nodes}, {g.edges, &g.cells},
        {g.rim, &g.nodes},   {g.rim, &g.cells},   {g.nodes, nullptr},
        {g.cells, nullptr},  {g.cells, nullptr},  {g.rim, nullptr}};
    REQUIRE(after.size() == about.size());
    for (std::size_t k = 0; k < about.size(); ++k) {
      INFO("array " << k);
      CHECK(after[k] == moved(before[k], r.order(about[k].rows),
                              about[k].entries ? r.numbers(*about[k].entries)
                                               : std::vector<int>{}));
    }
    CHECK((after == before) == (ordering == MeshOrdering::natural));
    CHECK((g.edge_cells.version() > version) ==
          (ordering != MeshOrdering::natural));
    Sporos::apply(g.mesh, inverse(r));
    CHECK(g.contents() == before);
  }
}

struct Flux {
  KOKKOS_FUNCTION void operator()(Sporos::Read<double, 2, 2> x,
                                  Sporos::Read<double, 4, 2> q,
                                  Sporos::Inc<double, 4, 2> res) const {
    const double length = (x(0, 0) - x(1, 0)) * (x(0, 1) + x(1, 1));
    for (int c = 0; c < 4; ++c) {
      const double f = length * (q(0, c) - .7 * q(1, c)) + q(0, 3 - c);
      res(0, c) += f;
      res(1, c) += -f;
    }
  }
};

template <class Exec>
std::vector<double> run_flux(const Grid<typename Exec::memory_space>& g) {
  g.res.assign(std::vector<double>(std::size_t(g.cells.size()) * 4, 0.));
  const Exec exec{};
  // the same label and arguments: a plan from before would be found
  par_loop("flux", exec, g.edges, Flux{}, read(g.x, g.edge_nodes),
           read(g.q, g.edge_cells), inc(g.res, g.edge_cells));
  exec.fence();
  return g.res.to_host();
}

TEMPLATE_LIST_TEST_CASE("loops after renumbering give what they gave",
                        "[reorder]", Spaces) {
  Grid<typename TestType::memory_space> g(40, 33);
  const auto expected = run_flux<TestType>(g);
  for (MeshOrdering ordering : orderings()) {
    INFO(name(ordering));
    const auto r     = Sporos::reorder(g.mesh, ordering);
    const auto found = run_flux<TestType>(g);
    const auto order = r.order(g.cells);
    double worst     = 0;
    for (std::size_t k = 0; k < order.size(); ++k)
      for (std::size_t c = 0; c < 4; ++c) {
        const double wanted = expected[std::size_t(order[k]) * 4 + c];
        worst               = Sporos::Test::larger_error(
                          worst,
                          std::abs(found[4 * k + c] - wanted) / (1 + std::abs(wanted)));
      }
    CHECK(worst < 1e-12);
    Sporos::apply(g.mesh, inverse(r));
  }
  CHECK(run_flux<TestType>(g) == expected);
}

/// The average distance of the entries of a map from those of the row before.
double stride(const std::vector<int>& rows, int arity) {
  double sum = 0;
  for (std::size_t k = std::size_t(arity); k < rows.size(); ++k)
    sum += std::abs(rows[k] - rows[k - std::size_t(arity)]);
  return sum / double(rows.size());
}

TEST_CASE("renumbering undoes shuffles", "[reorder]") {
  const int nx = 60, ny = 25;
  Grid<Host> g(nx, ny);
  const double natural = stride(g.e.edge_cells, 2);
  for (MeshOrdering ordering : {MeshOrdering::reverse_cuthill_mckee,
                                MeshOrdering::gibbs_poole_stockmeyer}) {
    INFO(name(ordering));
    const auto shuffle = Sporos::reorder(g.mesh, MeshOrdering::random);
    const auto shaken  = g.contents();
    CHECK(stride(g.edge_cells.to_host(), 2) > 10 * natural);
    const auto r     = Sporos::reorder(g.mesh, ordering);
    const auto cells = g.edge_cells.to_host(), nodes = g.edge_nodes.to_host();
    CHECK(stride(cells, 2) <= natural);
    CHECK(stride(nodes, 2) <= 3 * natural);
    int widest = 0;
    for (std::size_t k = 0; k < cells.size(); k += 2)
      widest = std::max(widest, std::abs(cells[k] - cells[k + 1]));
    CHECK(widest <= ny + 1);
    // elements are sorted by their targets
    for (std::size_t k = 2; k < cells.size(); k += 2)
      REQUIRE(std::min(cells[k - 2], cells[k - 1]) <=
              std::min(cells[k], cells[k + 1]));
    const auto rim = g.rim_cells.to_host();
    CHECK(std::is_sorted(rim.begin(), rim.end()));
    Sporos::apply(g.mesh, inverse(r));
    CHECK(g.contents() == shaken);
    Sporos::apply(g.mesh, inverse(shuffle));
  }
  CHECK(g.edge_cells.to_host() == g.e.edge_cells);
}

}  // namespace ReorderTest
