// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Elasticity_Run.hpp"

#include "Elasticity_MeshFile.hpp"
#include "Elasticity_Picture.hpp"
#include "Elasticity_Theory.hpp"
#include "Elasticity_Vtk.hpp"

#include <App_Image.hpp>
#include <App_Output.hpp>

#include <cmath>
#include <ostream>

namespace ElasticityApp {

using AppCommon::formatted;

namespace {

/// The blocks of all meshes of a run, one after another.
class Meshes {
 public:
  Meshes(const World& world, const Options& options)
      : m_world(world), m_options(options) {
    const bool compares =
        options.check && options.problem != Problem::cantilever;
    if (compares) m_cells.push_back((options.cells + 1) / 2);
    m_cells.push_back(compares ? 2 * m_cells[0] : options.cells);
  }
  std::size_t count() const {
    return m_options.mesh.empty() ? m_cells.size() : m_options.mesh.size();
  }
  MeshBlock block(std::size_t k) const {
    if (m_options.mesh.empty())
      return box_block(m_options, m_cells[k], m_world.rank, m_world.size);
    MeshBlock block;
    const std::string& name = m_options.mesh[k];
    m_world.together([&] {
      block = file_block(m_options, name, Sporos::read_mesh_gmsh(name),
                         m_world.rank, m_world.size);
    });
    return block;
  }

 private:
  const World& m_world;
  const Options& m_options;
  std::vector<int> m_cells;
};

void write_files(const World& world, const LocalMesh& mesh, const Model& model,
                 Report& r) {
  r.files.push_back(write_vtk(world, mesh, model, r.options.output));
  if (world.size > 1) return;  // a picture needs the whole mesh
  const std::string picture = r.options.output + "/elasticity.png";
  draw(mesh, model, r.options).save(picture);
  r.files.push_back(AppCommon::drawn(picture));
}

}  // namespace

Report run(const World& world, const Options& options) {
  if (!options.no_files)
    world.together(
        [&] { AppCommon::make_folder("elasticity", options.output); });
  Report r;
  r.options = options;
  r.ranks   = world.size;
  if (options.problem == Problem::cantilever)
    r.theory = beam_deflection(options);
  const Meshes meshes(world, options);
  for (std::size_t k = 0; k < meshes.count(); ++k) {
    const LocalMesh mesh = world.deal(meshes.block(k));
    const auto model     = make_model(mesh, options);
    Result result        = model->solve();
    result.nonzeros = std::int64_t(world.sum(std::uint64_t(result.nonzeros)));
    result.bits     = world.sum(result.bits);
    r.results.push_back(result);
    if (!options.no_files && k + 1 == meshes.count())
      write_files(world, mesh, *model, r);
  }
  return r;
}

double measured_order(const Report& r) {
  if (r.results.size() < 2) return 0;
  const Result &fine = r.results.back(), &coarse = *(r.results.end() - 2);
  return std::log(coarse.error / fine.error) /
         std::log(coarse.size / fine.size);
}

std::vector<Check> checks(const Report& r) {
  const Options& o = r.options;
  std::vector<Check> all;
  for (const Result& result : r.results)
    all.push_back({"residual", result.residual <= o.tolerance,
                   formatted("%.3g <= %g", result.residual, o.tolerance)});
  if (!o.check) return all;
  if (o.problem == Problem::cantilever) {
    // Linear functions are too stiff for bending.
    const double ratio  = r.results.back().deflection / r.theory;
    const double lowest = o.order == 1 ? .05 : .97;
    all.push_back({"deflection", ratio > lowest && ratio < 1.03,
                   formatted("%.3f of theory, %g to 1.03", ratio, lowest)});
  } else {
    const double order = measured_order(r), least = o.order + .75;
    all.push_back({"order", order > least && order < o.order + 2,
                   formatted("%.3f, %g to %d", order, least, o.order + 2)});
  }
  return all;
}

void print(const Report& r, std::ostream& out) {
  const Options& o = r.options;
  const char* what = o.problem == Problem::poisson      ? "Poisson's equation"
                     : o.problem == Problem::cantilever ? "cantilever"
                                                        : "elasticity";
  out << what
      << (o.order == 1 ? ", linear functions" : ", quadratic functions");
  if (r.ranks > 1) out << ", " << r.ranks << " ranks";
  out << '\n';
  for (const Result& k : r.results) {
    out << formatted("%lld cells of size %.4g, %lld values, %lld blocks\n",
                     static_cast<long long>(k.cells), k.size,
                     static_cast<long long>(k.unknowns),
                     static_cast<long long>(k.nonzeros));
    if (o.problem != Problem::cantilever)
      out << formatted("  error        %.4g in L2, relative\n", k.error);
    else if (r.theory > 0)
      out << formatted("  deflection   %.5g, beam theory %.5g (%+.2f %%)\n",
                       k.deflection, r.theory,
                       100 * (k.deflection / r.theory - 1));
    out << formatted("  iterations   %d, residual %.2g\n", k.iterations,
                     k.residual);
    if (!o.quiet)
      out << formatted(
          "  milliseconds %.1f sparsity, %.1f first assembly, %.1f another, "
          "%.1f conjugate gradients\n",
          1e3 * k.sparsity_time, 1e3 * k.first_time, 1e3 * k.assembly_time,
          1e3 * k.solve_time);
    if (o.any_ranks)
      out << formatted("  bits         %016llx\n",
                       static_cast<unsigned long long>(k.bits));
  }
  if (r.results.size() > 1 && o.problem != Problem::cantilever)
    out << formatted("order        %.3f\n", measured_order(r));
  for (const std::string& file : r.files)
    out << "file         " << file << '\n';
  out << "checks      ";
  AppCommon::print_checks(checks(r), out);
}

}  // namespace ElasticityApp
