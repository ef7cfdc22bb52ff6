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

/// The pairs of the options, all of one size.
std::vector<ImagePair> images(const Options& o) {
  std::vector<ImagePair> pairs;
  for (int k = 0; o.synthetic() && k < o.pairs; ++k) {
    Options one = o;
    one.seed    = o.seed + k;
    pairs.push_back(synthetic_pair(one));
  }
  for (std::size_t k = 0; k + 1 < o.images.size(); k += 2)
    pairs.emplace_back(AppCommon::read_grey(o.images[k]),
                       AppCommon::read_grey(o.images[k + 1]));
  const GreyImage& first = pairs.front().first;
  for (const ImagePair& pair : pairs)
    for (const GreyImage* image : {&pair.first, &pair.second})
      if (image->width != first.width || image->height != first.height)
        throw std::invalid_argument(formatted(
            "piv: images of one size are needed, got %d x %d and %d x %d",
            first.width, first.height, image->width, image->height));
  return pairs;
}

void write_files(const Options& o, const Vectors& v,
                 const std::vector<ImagePair>& pairs) {
  const std::string folder = o.output + "/";
  const GreyImage& a       = pairs.front().first;
  const Calibration calibration(o, a.height);
  write_csv(folder + "vectors.csv", v, calibration);
  write_vtk(folder + "vectors.vtu", v, calibration);
  write_netcdf(folder + "vectors.nc", v, calibration);
  draw(v, a, o.arrow_scale).save(folder + "vectors.png");
  if (!o.save_images) return;
  const std::string end = AppCommon::grey_extension();
  for (std::size_t k = 0; k < pairs.size(); ++k) {
    const std::string number = k == 0 ? "" : std::to_string(k + 1);
    AppCommon::write_grey(folder + "a" + number + "." + end, pairs[k].first);
    AppCommon::write_grey(folder + "b" + number + "." + end, pairs[k].second);
  }
}

}  // namespace

Errors errors(const Vectors& v, const Flow& flow) {
  Errors e;
  double squares   = 0;
  const double all = std::max(1, v.grid.size() - v.masked());
  for (int n = 0; n < v.grid.size(); ++n) {
    const auto k = static_cast<std::size_t>(n);
    if (v.status[k] == Status::masked) continue;
    const Vector d  = flow.displacement({v.grid.x(n), v.grid.y(n)});
    const double ex = v.dx[k] - d.x, ey = v.dy[k] - d.y;
    e.mean_x += ex / all;
    e.mean_y += ey / all;
    squares += ex * ex + ey * ey;
    e.largest = std::max(e.largest, std::hypot(ex, ey));
  }
  e.rms = std::sqrt(squares / all);
  return e;
}

Report run(const Options& options, std::ostream& out) {
  if (!options.no_files) AppCommon::make_folder("piv", options.output);
  Report r;
  r.options                       = options;
  const std::vector<Polygon> mask = options.mask.empty()
                                        ? std::vector<Polygon>()
                                        : read_polygons(options.mask);
  const auto pairs                = images(options);
  r.width                         = pairs.front().first.width;
  r.height                        = pairs.front().first.height;
  const Evaluator evaluate(r.width, r.height, options, mask);
  r.plan = evaluate.describe();
  if (!options.quiet) out << r.plan;
  Vectors v(evaluate.grid());
  std::vector<double> seconds;
  for (int k = 0; k < options.repeat; ++k) {
    Kokkos::Timer timer;
    v = evaluate(pairs);
    seconds.push_back(timer.seconds());
  }
  r.seconds  = Perf::median(seconds);
  r.outliers = v.outliers();
  r.masked   = v.masked();
  r.windows  = v.grid.size() - r.masked;
  for (std::size_t k = 0; k < v.snr.size(); ++k)
    if (v.status[k] != Status::masked) r.mean_snr += v.snr[k] / r.windows;
  if (options.synthetic()) r.errors = errors(v, Flow(options));
  if (!options.no_files) write_files(options, v, pairs);
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
  const std::size_t pairs =
      o.synthetic() ? static_cast<std::size_t>(o.pairs) : o.images.size() / 2;
  out << formatted("images             %d x %d, ", r.width, r.height)
      << (o.synthetic()
              ? formatted("%s, up to %g pixels; %g particles per pixel of "
                          "diameter %g, noise %g",
                          o.flow.c_str(), o.displacement, o.density, o.diameter,
                          o.noise)
              : o.images[0] + ", " + o.images[1])
      << (pairs > 1 ? formatted("; %zu pairs\n", pairs) : "\n")
      << formatted("windows            %d in the last pass, ", r.windows)
      << o.windows << formatted(" pixels, overlap %g %%", o.overlap)
      << (r.masked > 0 ? formatted("; %d masked\n", r.masked) : "\n")
      << formatted("outliers           %d of %d (%.2f %%), mean snr %.2f\n",
                   r.outliers, r.windows, r.outlier_percent(), r.mean_snr);
  if (o.synthetic())
    out << formatted("error              RMS %.4f pixels, largest %.3f, ",
                     r.errors.rms, r.errors.largest)
        << formatted("mean (%+.4f, %+.4f)\n", r.errors.mean_x, r.errors.mean_y);
  out << formatted("time               %.4f s, %.0f vectors/s\n", r.seconds,
                   r.windows / r.seconds);
  if (!o.no_files)
    out << "files              " << o.output << "/vectors.csv, vectors.vtu "
        << "(ParaView), vectors.nc, " << AppCommon::drawn("vectors.png")
        << '\n';
  const auto list = checks(r);
  if (list.empty()) return;
  out << "checks            ";
  AppCommon::print_checks(list, out);
}

}  // namespace PivApp
