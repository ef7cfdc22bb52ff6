// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// The fragments of README.md and docs, taken from there, each where it may
// stand; and that they do what the text around them says.

#include "Sporos_CrsStandIn.hpp"
#include "Sporos_Test.hpp"

#include <Sporos_Composite.hpp>
#include <Sporos_DatVectors.hpp>
#include <Sporos_Matrix.hpp>
#include <Sporos_MatrixCrs.hpp>
#include <Sporos_MeshFile.hpp>
#include <Sporos_MeshFileGmsh.hpp>
#include <Sporos_MeshVtk.hpp>
#include <Sporos_ParLoop.hpp>
#include <Sporos_ParticleGrid.hpp>
#include <Sporos_ParticleGridGradient.hpp>
#include <Sporos_Reorder.hpp>

#include <cmath>
#include <cstddef>
#include <fstream>
#include <iostream>
#include <limits>
#include <sstream>
#include <stdexcept>
#include <string>
#include <vector>

namespace Readme {

#include "fragment/delta_function.inc"
#include "fragment/mesh_matrix_kernel.inc"
/// With derivatives
struct M4Slopes : M4Prime {
#include "fragment/derivatives.inc"
};
#include "fragment/plan_member.inc"

namespace Strategy {
using namespace Sporos;
using namespace Sporos::Impl;
#include "fragment/strategy.inc"
}  // namespace Strategy

/// What to_crs asks of Kokkos Kernels.
namespace KokkosSparse {
template <class T, class Ordinal, class Device, class, class Size>
using CrsMatrix =
    Sporos::Test::CrsStandIn<T, Ordinal, typename Device::memory_space, Size>;
}  // namespace KokkosSparse

using Exec = Kokkos::DefaultExecutionSpace;
using Plan = Sporos::ParticleGridPlan<Exec, 2, double, Sporos::Peskin4>;

/// Sum of all entries.
template <class View>
double sum(const View& view) {
  const auto host = Kokkos::create_mirror_view(view);
  Kokkos::deep_copy(host, view);
  double total = 0;
  for (std::size_t i = 0; i < host.size(); ++i) total += host.data()[i];
  return total;
}

/// A number, wherever it is.
double entry(const Kokkos::View<double**>& view, int i, int j) {
  double x = 0;
  Kokkos::deep_copy(x, Kokkos::subview(view, i, j));
  return x;
}

/// What std::cout gets while it lives.
class Printed {
 public:
  Printed() : m_console(std::cout.rdbuf(m_text.rdbuf())) {}
  ~Printed() { std::cout.rdbuf(m_console); }
  std::string text() const { return m_text.str(); }

 private:
  std::ostringstream m_text;
  std::streambuf* m_console;
};

/// The objects that fragments take for granted, those of the README's program;
/// fragments stand in member functions.
struct Fragments {
  static constexpr int n = 1000;
  Exec exec;
  Kokkos::View<double*[2]> positions, point_forces, point_velocities;
  Kokkos::View<double*> strengths, values;
  Kokkos::View<double**> field;
  Sporos::Grid<2> grid;

  Fragments()
      : positions("positions", n),
        point_forces("point_forces", n),
        point_velocities("point_velocities", n),
        strengths("strengths", n),
        values("values", n),
        field("field", 64, 64),
        grid({64, 64}, 1. / 64) {
    const auto x = Kokkos::create_mirror_view(positions);
    for (int i = 0; i < n; ++i) {
      x(i, 0) = 0.5 + 0.3 * std::cos(6.283185307179586 * i / n);
      x(i, 1) = 0.5 + 0.3 * std::sin(6.283185307179586 * i / n);
    }
    Kokkos::deep_copy(positions, x);
    Kokkos::deep_copy(point_forces, 1.);
    Kokkos::deep_copy(strengths, 1.);
  }

  Plan make_plan() const {
    return Plan(exec, grid, Sporos::Peskin4{}, positions);
  }

  void plan_member() {
    Solver solver;
    solver.start(positions);
    Sporos::spread(exec, solver.plan, strengths, field);
    check_total(field);
  }

  /// All strengths arrived.
  static void check_total(const Kokkos::View<double**>& f) {
    CHECK(sum(f) / (64 * 64) == Approx(double(n)));
  }

  void walls() {
#include "fragment/walls.inc"
    CHECK(nodes.extent(0) == 64);
    CHECK(nodes.extent(1) == 33);
    CHECK(nodes.extent(2) == 64);
  }

  void delta_function() {
    for (const double r : {0., 0.3, 0.5, 1.}) {
      double w[4], moment[3] = {0, 0, 0};
      M4Prime{}.weights(r, w);
      for (int k = 0; k < 4; ++k)
        for (int p = 0; p < 3; ++p) moment[p] += w[k] * std::pow(k - 1 - r, p);
      CHECK(moment[0] == Approx(1));
      CHECK(std::abs(moment[1]) < 1e-14);
      CHECK(std::abs(moment[2]) < 1e-14);
    }
#include "fragment/delta_check.inc"
    Sporos::spread(exec, grid, M4Prime{}, positions, strengths, field);
    check_total(field);
  }

  void strategy() {
    const Plan plan  = make_plan();
    const auto& bins = plan.state().bins;
    Sporos::Impl::for_each_group<double, const double>(
        field, strengths, bins.cells, grid.node(), [&](const auto& group) {
          Strategy::spread_backwards(exec, bins, Sporos::Peskin4{}, group,
                                     1 / grid.cell_volume());
        });
    exec.fence();
    check_total(field);
    const Kokkos::View<double**> other("other", 64, 64);
    Sporos::spread(exec, plan, strengths, other);
    for (int i = 0; i < 64; ++i)
      for (int j = 0; j < 64; ++j)
        CHECK(entry(field, i, j) == Approx(entry(other, i, j)));
  }

  void repeatable() {
    const Plan plan = make_plan();
#include "fragment/repeatable.inc"
    for (int i = 0; i < 64; ++i)
      for (int j = 0; j < 64; ++j)
        CHECK(entry(field, i, j) == entry(again, i, j));
  }

  void spread() {
    const Plan plan = make_plan();
    Kokkos::deep_copy(field, 7.);
#include "fragment/spread.inc"
    check_total(field);
  }

  void buffer() {
    const Plan plan = make_plan();
#include "fragment/buffer.inc"
    check_total(field);
  }

  void unsorted() {
    Kokkos::deep_copy(field, 3.);
#include "fragment/unsorted.inc"
    CHECK(sum(values) == Approx(3. * n));
  }

  void mac() {
    const Plan plan = make_plan();
    const Kokkos::View<double**> u("u", 64, 64), v("v", 64, 64);
    const Kokkos::Array<Kokkos::View<double**>, 2> velocity{{u, v}};
    Kokkos::deep_copy(u, 2.);
    Kokkos::deep_copy(v, 5.);
#include "fragment/mac.inc"
    check_total(force[0]);
    check_total(force[1]);
    CHECK(sum(point_velocities) == Approx(7. * n));
  }

  void arrays() {
    const Plan plan = make_plan();
    Kokkos::deep_copy(point_forces, 1.);
#include "fragment/arrays.inc"
    CHECK(sum(point_forces) == 0.);
  }

  void composite() {
#include "fragment/composite.inc"
    exec.fence();
    check_total(field);
  }

  void gradient() {
    const Plan plan = make_plan();
    Kokkos::deep_copy(field, 3.);
#include "fragment/gradient.inc"
    exec.fence();
    CHECK(sum(values) == Approx(3. * n));
    CHECK(std::abs(sum(gradients)) < 1e-6);
    double low[4], high[4], slopes[4];
    M4Slopes().weights(.3 - 1e-6, low);
    M4Slopes().weights(.3 + 1e-6, high);
    M4Slopes().derivatives(.3, slopes);
    for (int k = 0; k < 4; ++k)
      CHECK(std::abs((high[k] - low[k]) / 2e-6 - slopes[k]) < 1e-6);
  }

  void complex() {
    const Plan plan = make_plan();
#include "fragment/complex.inc"
    CHECK(sum(Kokkos::View<double***>(reinterpret_cast<double*>(density.data()),
                                      64, 64, 2)) == 0);
  }

  void plan_order() {
    const Plan plan = make_plan();
    Kokkos::deep_copy(field, 1.);
#include "fragment/plan_order.inc"
    exec.fence();
    CHECK(sum(sorted) == Approx(double(n)));
    CHECK(sum(field) / (64 * 64) == Approx(1 + double(n)));
  }

  void views() {
#include "fragment/views.inc"
    exec.fence();
    check_total(field);
  }

  void sort() {
    const Plan plan = make_plan();
#include "fragment/sort.inc"
    Sporos::spread(exec, plan, strengths, field);
    exec.fence();
    check_total(field);
    CHECK(Sporos::Test::host_values(plan.permutation())[17] == 17);
  }

  void error() {
    const Plan plan = make_plan();
    std::string printed;
    {
      const Printed console;
#include "fragment/error.inc"
      printed = console.text();
    }
    std::ifstream file(SPOROS_README_OUTPUTS "/error.txt");
    std::stringstream shown;
    shown << file.rdbuf();
    CHECK(printed == shown.str());
    CHECK(sum(field) == 0);
  }

  void check(Plan& plan) {
#include "fragment/check.inc"
  }
  void check() {
    Plan plan = make_plan();
    check(plan);
    check_total(field);
    const auto x = Kokkos::create_mirror_view(positions);
    Kokkos::deep_copy(x, positions);
    x(17, 1) = std::numeric_limits<double>::quiet_NaN();
    Kokkos::deep_copy(positions, x);
    CHECK_THROWS_AS(check(plan), std::invalid_argument);
  }
};

/// As in the README's program.
struct AddWeight {
  template <class Real>
  KOKKOS_FUNCTION void operator()(Sporos::Read<Real> weight,
                                  Sporos::Inc<Real, 2, 2> x) const {
    for (int end = 0; end < 2; ++end)
      for (int c = 0; c < 2; ++c) x(end, c) += weight[0];
  }
};

#include "fragment/mesh_components_kernel.inc"

/// Two edges in a row, of the weights 1 and 2.
struct MeshFragments {
  Exec exec;
  Sporos::Set vertices{"vertices", 3}, edges{"edges", 2};
  Sporos::Map<2> ends{"ends", edges, vertices, std::vector<int>{0, 1, 1, 2}};
  Sporos::Dat<double, 2> x{"x", vertices};
  Sporos::Dat<double> weight{"weight", edges, std::vector<double>{1, 2}};

  void options() {
    using Sporos::inc;
    using Sporos::read;
    const Printed printed;
#include "fragment/mesh_options.inc"
    CHECK(printed.text().find("hierarchical") != std::string::npos);
    CHECK(x.to_host() == std::vector<double>{1, 1, 3, 3, 2, 2});
  }

  void subset() {
    using Sporos::inc;
    using Sporos::read;
#include "fragment/mesh_subset.inc"
    CHECK(x.to_host() == std::vector<double>{0, 0, 2, 2, 2, 2});
  }

  void components() {
    using Sporos::inc;
    using Sporos::read;
#include "fragment/mesh_components.inc"
    CHECK(density.to_host() == std::vector<double>{1, 2, 3, 3, 6, 9, 2, 4, 6});
  }

  void matrix() {
    using Sporos::inc;
    using Sporos::read;
#include "fragment/mesh_matrix.inc"
    CHECK(f.to_host(exec) == std::vector<double>{1, 0, 0});
#include "fragment/mesh_matrix_crs.inc"
    CHECK(crs.graph.row_map.data() == A.sparsity().row_offsets().data());
    CHECK(B.values().data() == A.values().data());
  }

  void vtk() {
#include "fragment/mesh_vtk.inc"
    std::ifstream file("edges.vtu");
    std::stringstream text;
    text << file.rdbuf();
    CHECK(text.str().find("<CellData Scalars=\"weight\">") !=
          std::string::npos);
  }

  void missing() {
    using Sporos::inc;
    using Sporos::read;
#include "fragment/mesh_missing.inc"
    CHECK(x.to_host() == std::vector<double>{0, 0, 3, 3, 2, 2});
  }

  void vectors() {
    Kokkos::deep_copy(x.view(), 1.);
    const Sporos::Dat<double, 2> y("y", vertices);
#include "fragment/mesh_vectors.inc"
    CHECK(xy == 30);
    CHECK(length == Approx(std::sqrt(150.)));
  }

  void reorder() {
#include "fragment/mesh_reorder.inc"
    CHECK(weight.to_host() == std::vector<double>{1, 2});
  }

  void gmsh() {
    std::ofstream("plate.msh")
        << "$MeshFormat\n2.2 0 8\n$EndMeshFormat\n$PhysicalNames\n1\n"
           "2 4 \"steel\"\n$EndPhysicalNames\n$Nodes\n3\n1 0 0 0\n2 1 0 0\n"
           "3 0 1 0\n$EndNodes\n$Elements\n2\n1 2 1 0 1 2 3\n"
           "2 2 1 4 3 2 1\n$EndElements\n";
#include "fragment/mesh_gmsh.inc"
    CHECK(at.to_host() == std::vector<double>{0, 0, 1, 0, 0, 1});
    CHECK(face_points.to_host() == std::vector<int>{0, 1, 2, 2, 1, 0});
    CHECK(steel.size() == 1);
  }

  void file() {
    std::ofstream("new_grid.dat") << " 3 0 0 0\n 0 0\n 1 0\n 0 1.0.0\n";
    const Printed printed;
#include "fragment/mesh_file.inc"
    std::ifstream shown_file(SPOROS_README_OUTPUTS "/mesh_file.txt");
    std::stringstream shown;
    shown << shown_file.rdbuf();
    CHECK(printed.text() == shown.str());
  }
};

}  // namespace Readme

using Readme::Fragments;
using Readme::MeshFragments;

TEST_CASE("README: a channel with walls") { Fragments().walls(); }
TEST_CASE("README: a delta function of the user's") {
  Fragments().delta_function();
}
TEST_CASE("README: a strategy of the user's") { Fragments().strategy(); }
TEST_CASE("README: a plan as a member") { Fragments().plan_member(); }
TEST_CASE("README: the same bits") { Fragments().repeatable(); }
TEST_CASE("README: options of spread") { Fragments().spread(); }
TEST_CASE("README: a buffer of the user's") { Fragments().buffer(); }
TEST_CASE("README: interpolate without a plan") { Fragments().unsorted(); }
TEST_CASE("README: vector fields") {
  Fragments().mac();
  Fragments().arrays();
}
TEST_CASE("README: composites") { Fragments().composite(); }
TEST_CASE("README: gradients and dipoles") { Fragments().gradient(); }
TEST_CASE("README: complex numbers") { Fragments().complex(); }
TEST_CASE("README: values in the plan's order") { Fragments().plan_order(); }
TEST_CASE("README: a plan of the View of positions") { Fragments().views(); }
TEST_CASE("README: arrays in the plan's order") { Fragments().sort(); }
TEST_CASE("README: an error") { Fragments().error(); }
TEST_CASE("README: points that are not finite") { Fragments().check(); }
TEST_CASE("README: a subset") { MeshFragments().subset(); }
TEST_CASE("README: a matrix") { MeshFragments().matrix(); }
TEST_CASE("README: missing entries") { MeshFragments().missing(); }
TEST_CASE("README: components") { MeshFragments().components(); }
TEST_CASE("README: a VTK file") { MeshFragments().vtk(); }
TEST_CASE("README: vectors") { MeshFragments().vectors(); }
TEST_CASE("README: options of mesh loops") { MeshFragments().options(); }
TEST_CASE("README: renumbering") { MeshFragments().reorder(); }
TEST_CASE("README: a mesh of Gmsh") { MeshFragments().gmsh(); }
TEST_CASE("README: a mesh file with an error") { MeshFragments().file(); }
