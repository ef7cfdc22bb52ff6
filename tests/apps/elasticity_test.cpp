// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <Sporos_Test.hpp>

#include "App_Test.hpp"
#include "Elasticity_Elements.hpp"
#include "Elasticity_Options.hpp"
#include "Elasticity_Run.hpp"
#include "Elasticity_Theory.hpp"

#include <cmath>
#include <cstddef>
#include <filesystem>
#include <sstream>
#include <string>
#include <vector>

using namespace ElasticityApp;

namespace {

const AppTest::CommandLine<Options> elasticity_line{"elasticity",
                                                    parse_options};

constexpr Shape both_shapes[] = {Shape::tetrahedra, Shape::hexahedra};

double factorial(int n) { return n < 2 ? 1 : n * factorial(n - 1); }

/// The integral of x^i y^j z^k over the reference cell.
double moment(Shape shape, int i, int j, int k) {
  if (shape == Shape::hexahedra) return 1. / ((i + 1) * (j + 1) * (k + 1));
  return factorial(i) * factorial(j) * factorial(k) / factorial(i + j + k + 3);
}

Options small(Problem problem, Shape shape, int order) {
  Options o;
  o.problem  = problem;
  o.shape    = shape;
  o.order    = order;
  o.cells    = 4;
  o.check    = true;
  o.no_files = true;
  return o;
}

void check_all(const Report& r) {
  for (const Check& c : checks(r)) {
    INFO(c.name << ": " << c.text);
    CHECK(c.ok);
  }
}

}  // namespace

TEST_CASE("elasticity: options are read, wrong ones refused", "[elasticity]") {
  const Options o =
      elasticity_line({"--problem", "poisson", "--cells=3", "--shape",
                       "hexahedra", "--order", "2", "--boundary", "missing",
                       "--kokkos-x=1", "--mesh", "a.msh", "b.msh", "--check"});
  CHECK(o.problem == Problem::poisson);
  CHECK(o.shape == Shape::hexahedra);
  CHECK(o.boundary == Boundary::missing);
  CHECK(o.order == 2);
  CHECK(o.cells == 3);
  CHECK(o.mesh == std::vector<std::string>{"a.msh", "b.msh"});
  CHECK(elasticity_line({"--problem", "cantilever"}).problem ==
        Problem::cantilever);
  CHECK_FALSE(elasticity_line({}).check);
  elasticity_line.refuses({"--order", "3"}, "an integer from 1 to 2, got '3'");
  elasticity_line.refuses({"--problem", "heat"}, "got 'heat'");
  elasticity_line.refuses({"--mesh", "a.msh", "--check"},
                          "the order takes two meshes");
  elasticity_line.refuses(
      {"--problem", "cantilever", "--mesh", "a.msh", "--check"},
      "the cantilever is checked on the box");
  std::ostringstream help;
  print_help(help);
  CHECK(help.str().find("--boundary") != std::string::npos);
}

TEST_CASE("elasticity: shape functions are those of their nodes",
          "[elasticity]") {
  const double step = 1e-6;
  for (const Shape shape : both_shapes)
    for (const int order : {1, 2}) {
      const auto nodes = places(shape, order);
      REQUIRE(int(nodes.size()) == node_count(shape, order));
      double worst = 0;
      for (std::size_t at = 0; at < nodes.size(); ++at) {
        const ShapeValues s = shape_values(shape, order, nodes[at]);
        for (std::size_t n = 0; n < nodes.size(); ++n)
          worst = Sporos::Test::larger_error(
              worst, std::fabs(s.values[n] - (n == at ? 1 : 0)));
      }
      CHECK(worst < 1e-15);
      const Place x{.21, .34, .17};
      const ShapeValues s = shape_values(shape, order, x);
      for (std::size_t d = 0; d < 3; ++d) {
        Place moved = x;
        moved[d] += step;
        const ShapeValues t = shape_values(shape, order, moved);
        for (std::size_t n = 0; n < nodes.size(); ++n)
          worst = Sporos::Test::larger_error(
              worst, std::fabs((t.values[n] - s.values[n]) / step -
                               s.gradients[n][d]));
      }
      CHECK(worst < 1e-5);
    }
}

TEST_CASE("elasticity: faces have their nodes", "[elasticity]") {
  CHECK(faces(Shape::tetrahedra, 1)[3] == std::vector<int>{1, 2, 3});
  CHECK(faces(Shape::tetrahedra, 2)[3] == std::vector<int>{1, 2, 3, 5, 8, 9});
  for (const auto& face : faces(Shape::hexahedra, 2)) CHECK(face.size() == 9);
  // each node in the middle of a face is on that face
  const auto of_cube = faces(Shape::hexahedra, 2);
  for (std::size_t f = 0; f < 6; ++f) {
    const std::vector<int> corners(of_cube[f].begin(), of_cube[f].begin() + 4);
    const int middle = of_cube[f].back();
    CHECK(between(Shape::hexahedra)[std::size_t(middle - 8)] == corners);
  }
}

TEST_CASE("elasticity: integrals of polynomials are exact", "[elasticity]") {
  for (const Shape shape : both_shapes)
    for (const bool fine : {false, true}) {
      const Quadrature q = quadrature(shape, fine);
      const int degree   = fine ? 5 : 2;
      double worst       = 0;
      for (int i = 0; i <= degree; ++i)
        for (int j = 0; i + j <= degree; ++j)
          for (int k = 0; i + j + k <= degree; ++k) {
            double sum = 0;
            for (std::size_t p = 0; p < q.points.size(); ++p)
              sum += q.weights[p] * std::pow(q.points[p][0], i) *
                     std::pow(q.points[p][1], j) * std::pow(q.points[p][2], k);
            worst = Sporos::Test::larger_error(
                worst, std::fabs(sum - moment(shape, i, j, k)));
          }
      CHECK(worst < 1e-15);
    }
}

TEST_CASE("elasticity: the force is that of the displacements",
          "[elasticity]") {
  Options o;
  o.young         = 2;
  const Load load = make_load(o);
  const double h = 1e-3, x[3] = {.3, -.2, .5};
  double force[3];
  load.force(x, force);
  // minus the divergence of the stress, by differences
  const auto u = [&](double a, double b, double c, std::size_t k) {
    const double at[3] = {x[0] + a * h, x[1] + b * h, x[2] + c * h};
    double value[3];
    load.displacement(at, value);
    return value[k];
  };
  for (std::size_t d = 0; d < 3; ++d) {
    double sum = 0;
    for (std::size_t e = 0; e < 3; ++e) {
      double p[3] = {0, 0, 0}, q[3] = {0, 0, 0};
      p[e] = 1;
      sum += load.material.mu * (u(p[0], p[1], p[2], d) +
                                 u(-p[0], -p[1], -p[2], d) - 2 * u(0, 0, 0, d));
      double mixed;  // of the component e, along d and e
      if (d == e) {
        mixed = u(p[0], p[1], p[2], e) + u(-p[0], -p[1], -p[2], e) -
                2 * u(0, 0, 0, e);
      } else {
        q[d]  = 1;
        mixed = (u(p[0] + q[0], p[1] + q[1], p[2] + q[2], e) -
                 u(p[0] - q[0], p[1] - q[1], p[2] - q[2], e) -
                 u(q[0] - p[0], q[1] - p[1], q[2] - p[2], e) +
                 u(-p[0] - q[0], -p[1] - q[1], -p[2] - q[2], e)) /
                4;
      }
      sum += (load.material.lambda + load.material.mu) * mixed;
    }
    CHECK(force[d] == Approx(-sum / (h * h)).epsilon(1e-4));
  }
}

TEST_CASE("elasticity: errors shrink as the order says", "[elasticity]") {
  for (const Shape shape : both_shapes)
    for (const int order : {1, 2})
      for (const Problem problem : {Problem::elasticity, Problem::poisson}) {
        // large matrices of cells: the program's own run has them
        if (shape == Shape::hexahedra && order == 2 &&
            problem == Problem::elasticity)
          continue;
        INFO(int(shape) << ' ' << order << ' ' << int(problem));
        const Report r =
            run(*make_world_of_one(), small(problem, shape, order));
        check_all(r);
        Report wrong               = r;
        wrong.results.back().error = r.results[0].error / 2;
        wrong.results[0].residual  = 1;
        const auto found           = checks(wrong);
        CHECK_FALSE(found.front().ok);
        CHECK_FALSE(found.back().ok);
      }
}

TEST_CASE("elasticity: missing nodes give what zeroed rows give",
          "[elasticity]") {
  Options o      = small(Problem::elasticity, Shape::tetrahedra, 2);
  o.cells        = 2;
  o.check        = false;
  const double a = run(*make_world_of_one(), o).results[0].error;
  o.boundary     = Boundary::missing;
  const double b = run(*make_world_of_one(), o).results[0].error;
  CHECK(a == Approx(b).epsilon(1e-9));
}

TEST_CASE("elasticity: the cantilever bends as a beam", "[elasticity]") {
  const AppTest::Folder folder("sporos-elasticity-test");
  Options o      = small(Problem::cantilever, Shape::tetrahedra, 2);
  o.cells        = 2;
  o.no_files     = false;
  o.pixels       = 300;
  o.output       = folder.path.string();
  const Report r = run(*make_world_of_one(), o);
  check_all(r);
  CHECK(std::filesystem::file_size(folder.path / "elasticity.vtu") > 1000);
  std::ostringstream text;
  print(r, text);
  CHECK(text.str().find("beam theory") != std::string::npos);
  CHECK(text.str().find("FAILED") == std::string::npos);
  o.order            = 1;
  o.no_files         = true;
  o.shape            = Shape::hexahedra;
  const Report stiff = run(*make_world_of_one(), o);
  check_all(stiff);
  CHECK(stiff.results[0].deflection < r.results[0].deflection);
}
