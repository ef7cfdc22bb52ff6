// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Airfoil_World.hpp"

#include "Airfoil_AnySimulation.hpp"
#include "Airfoil_Mesh.hpp"
#include "Airfoil_MeshFile.hpp"
#include "Airfoil_Picture.hpp"
#include "Airfoil_Ranks.hpp"
#include "Airfoil_Vtk.hpp"

#include <App_Output.hpp>

namespace AirfoilApp {
namespace {

class OneProcess final : public World {
 public:
  bool prints() const override { return true; }

  FlowMesh make_mesh(const Options& o) override {
    const Sporos::QuadMesh mesh = o.mesh.empty()
                                      ? naca0012_mesh(o.along, o.layers)
                                      : read_mesh_file(o.mesh);
    if (!o.write_mesh.empty()) write_mesh_file(o.write_mesh, mesh);
    return whole_mesh(o.shuffle == 0 ? mesh
                                     : shuffled(mesh, unsigned(o.shuffle)));
  }

  std::string describe() const override { return ""; }

  std::uint64_t sum(std::uint64_t mine) const override { return mine; }

  void make_folder(const std::string& path) const override {
    AppCommon::make_folder("airfoil", path);
  }

  std::string write_files(const Fields& fields,
                          const Options& o) const override {
    const std::string vtk     = o.output + "/airfoil.vtu";
    const std::string picture = o.output + "/airfoil.png";
    write_vtk(vtk, fields);
    draw(fields, o.picture, o.pixels).save(picture);
    return vtk + ", " + AppCommon::drawn(picture);
  }
};

}  // namespace

std::unique_ptr<World> make_world() {
#ifdef SPOROS_HAVE_MPI
  if (auto ranks = make_ranks()) return ranks;
#endif
  return std::make_unique<OneProcess>();
}

}  // namespace AirfoilApp
