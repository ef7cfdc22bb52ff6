// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Piv_Run.hpp"

#include "Piv_Evaluate.hpp"
#include "Piv_Files.hpp"

#include <App_Output.hpp>
#include <Kokkos_Core.hpp>
#include <Perf_Numbers.hpp>

#include <algorithm>
#include <cmath>
#include <ostream>
#include <stdexcept>

namespace PivApp {
namespace {

using AppCommon::formatted;

std::pair<GreyImage, GreyImage> images(const Options& o) {
  if (o.synthetic()) return synthetic_pair(o);
  std::pair<GreyImage, GreyImage> pair;
  pair.first  = AppCommon::read_grey(o.image_a);
  pair.second = AppCommon::read_grey(o.image_b);
  if (pair.first.width != pair.second.width ||
      pair.first.height != pair.second.height)
    throw std::invalid_argument(
        formatted("piv: images of one size are needed, got %d x %d and %d x %d",
                  pair.first.width, pair.first.height, pair.second.width,
                  pair.second.height));
  return pair;
}

void write_files(const Options& o, const Vectors& v, const GreyImage& a,
                 const GreyImage& b) {
  const std::string folder = o.output + "/";
  write_csv(folder + "vectors.csv", v);
  write_vtk(folder + "vectors.vti", v, a.height);
  draw(v, a, o.arrow_scale).save(folder + "vectors.png");
  if (!o.save_images) return;
  const std::string end = AppCommon::grey_extension();
  AppCommon::write_grey(folder + "a." + end, a);
  AppCommon::write_grey(folder + "b." + end, b);
}

}  // namespace

Errors errors(const Vectors& v, const Flow& flow) {
  Errors e;
  double squares = 0;
  for (int n = 0; n < v.grid.size(); ++n) {
    const auto k    = static_cast<std::size_t>(n);
    const Vector d  = flow.displacement({v.grid.x(n), v.grid.y(n)});
    const double ex = v.dx[k] - d.x, ey = v.dy[k] - d.y;
    e.mean_x += ex / v.grid.size();
    e.mean_y += ey / v.grid.size();
    squares += ex * ex + ey * ey;
    e.largest = std::max(e.largest, std::hypot(ex, ey));
  }
  e.rms = std::sqrt(squares / v.grid.size());
  return e;
}

Report run(const Options& options, std::ostream& out) {
  if (!options.no_files) AppCommon::make_folder("piv", options.output);
  Report r;
  r.options    = options;
  const auto p = images(options);
  r.width      = p.first.width;
  r.height     = p.first.height;
  const Evaluator evaluate(r.width, r.height, options);
  r.windows = evaluate.grid().size();
  r.plan    = evaluate.describe();
  if (!options.quiet) out << r.plan;
  Vectors v(evaluate.grid());
  std::vector<double> seconds;
  for (int k = 0; k < options.repeat; ++k) {
    Kokkos::Timer timer;
    v = evaluate(p.first, p.second);
    seconds.push_back(timer.seconds());
  }
  r.seconds  = Perf::median(seconds);
  r.outliers = v.outliers();
  for (const float snr : v.snr) r.mean_snr += double(snr) / r.windows;
  if (options.synthetic()) r.errors = errors(v, Flow(options));
  if (!options.no_files) write_files(options, v, p.first, p.second);
  return r;
}

std::vector<Check> checks(const Report& r) {
  const Options& o = r.options;
  std::vector<Check> list;
  if (o.synthetic())
    list.push_back({"RMS error", r.errors.rms < o.max_rms,
                    formatted("%.4f < %g", r.errors.rms, o.max_rms)});
  // Nobody knows how many outliers other images have.
  if (o.synthetic() || o.check)
    list.push_back(
        {"outliers", r.outlier_percent() < o.max_outliers,
         formatted("%.2f %% < %g %%", r.outlier_percent(), o.max_outliers)});
  return list;
}

void print(const Report& r, std::ostream& out) {
  const Options& o = r.options;
  out << formatted("images             %d x %d, ", r.width, r.height)
      << (o.synthetic()
              ? formatted("%s, up to %g pixels; %g particles per pixel of "
                          "diameter %g, noise %g\n",
                          o.flow.c_str(), o.displacement, o.density, o.diameter,
                          o.noise)
              : o.image_a + ", " + o.image_b + "\n")
      << formatted("windows            %d of %d x %d pixels, overlap %g %%, ",
                   r.windows, o.window, o.window, o.overlap)
      << formatted("%d pass%s\n", o.passes, o.passes > 1 ? "es" : "")
      << formatted("outliers           %d of %d (%.2f %%), mean snr %.2f\n",
                   r.outliers, r.windows, r.outlier_percent(), r.mean_snr);
  if (o.synthetic())
    out << formatted("error              RMS %.4f pixels, largest %.3f, ",
                     r.errors.rms, r.errors.largest)
        << formatted("mean (%+.4f, %+.4f)\n", r.errors.mean_x, r.errors.mean_y);
  out << formatted(
      "time               %.4f s, %.0f windows/s (of a pass %.0f)\n", r.seconds,
      r.windows / r.seconds, o.passes * r.windows / r.seconds);
  if (!o.no_files)
    out << "files              " << o.output << "/vectors.csv, vectors.vti "
        << "(ParaView), " << AppCommon::drawn("vectors.png") << '\n';
  const auto list = checks(r);
  if (list.empty()) return;
  out << "checks            ";
  AppCommon::print_checks(list, out);
}

}  // namespace PivApp
