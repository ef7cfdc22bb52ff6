// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Nufft_Run.hpp"

#include "Nufft_Image.hpp"
#include "Nufft_Problem.hpp"

#include <App_Output.hpp>
#include <Perf_Numbers.hpp>

#include <ostream>

namespace NufftApp {
namespace {

using AppCommon::formatted;

Times median(const std::vector<Times>& runs) {
  Times result;
  for (const auto step :
       {&Times::update, &Times::transfer, &Times::fft, &Times::deconvolve}) {
    std::vector<double> seconds;
    for (const Times& t : runs) seconds.push_back(t.*step);
    result.*step = Perf::median(seconds);
  }
  return result;
}

template <class T>
void run_in(const Options& o, Report& r) {
  using Complex = Kokkos::complex<T>;
  const Exec exec;
  const Problem<T> p(o.dimension, o.modes, o.points, o.seed);
  Kokkos::Timer timer;
  Sporos::NufftOptions options;
  options.tolerance    = o.tolerance;
  options.upsampling   = o.upsampling;
  options.points       = std::size_t(o.points);
  const auto transform = make_transform<T>(exec, o.dimension, o.modes, options);
  r.plan               = timer.seconds();
  r.fine               = transform->fine();
  r.support            = transform->width();
  const Vector<Complex> modes("NufftApp::modes", p.all_modes());
  const Vector<Complex> values("NufftApp::values", std::size_t(o.points));
  std::vector<Times> times1, times2;
  // an update of points that did not move would only look at them
  const Problem<T> others(o.dimension, 4, o.points, o.seed + 1);
  for (int k = 0; k <= o.repeat; ++k) {  // the first one grows workspaces
    transform->update(others.points);
    transform->update(p.points);
    transform->type1(p.strengths, modes, o.sign);
    times1.push_back(transform->times());
    transform->type2(p.amplitudes, values, -o.sign);
    times2.push_back(transform->times());
    if (k > 0) continue;
    times1.clear();
    times2.clear();
  }
  r.time1  = median(times1);
  r.time2  = median(times2);
  r.error1 = error_of_type1(exec, p, modes, o.sign, o.compare, o.seed);
  r.error2 = error_of_type2(exec, p, values, -o.sign, o.compare, o.seed);
  if (o.dimension != 2 || o.no_files) return;
  const Reconstruction image = reconstruct(exec, *transform, o.modes);
  r.image                    = image.error;
  draw(image).save(o.output + "/nufft.png");
}

void print_times(const char* type, const char* transfer, const Times& t,
                 std::ostream& out) {
  const double all = t.total();
  const auto step  = [&](const char* name, double seconds) {
    out << formatted("  %s %.2f (%.0f %%)", name, 1e3 * seconds,
                      100 * seconds / all);
  };
  out << formatted("%-18s %.2f:", type, 1e3 * all);
  step("update", t.update);
  step(transfer, t.transfer);
  step("fft", t.fft);
  step("deconvolution", t.deconvolve);
  out << '\n';
}

}  // namespace

Report run(const Options& options, std::ostream& out) {
  if (options.dimension == 2 && !options.no_files)
    AppCommon::make_folder("nufft", options.output);
  Report r;
  r.options = options;
  if (!options.quiet)
    out << "non-uniform FFT of " << options.points << " random points, "
        << (options.single ? "float" : "double") << ", tolerance "
        << options.tolerance << '\n';
  if (options.single)
    run_in<float>(options, r);
  else
    run_in<double>(options, r);
  return r;
}

std::vector<Check> checks(const Report& r) {
  const double limit = r.options.tolerance;
  const auto one     = [](const char* name, double value, double bound) {
    return Check{name, value < bound, formatted("%.3g < %g", value, bound)};
  };
  std::vector<Check> list{one("type 1", r.error1, limit),
                          one("type 2", r.error2, limit)};
  if (r.image >= 0) list.push_back(one("image", r.image, .25));
  return list;
}

void print(const Report& r, std::ostream& out) {
  const Options& o    = r.options;
  const char* sizes[] = {"%d x %d", "%d x %d x %d"};
  const auto size     = [&](int n) {
    return formatted(sizes[o.dimension - 2], n, n, n);
  };
  out << "modes              " << size(o.modes) << " on a grid of "
      << size(r.fine) << ", width " << r.support << '\n'
      << formatted("plan               %.2f ms\n", 1e3 * r.plan);
  print_times("type 1, ms", "spread", r.time1, out);
  print_times("type 2, ms", "interpolate", r.time2, out);
  out << formatted(
      "error              type 1: %.3g, type 2: %.3g (tolerance "
      "%g)\n",
      r.error1, r.error2, o.tolerance);
  if (r.image >= 0)
    out << formatted("image              error %.3g; ", r.image)
        << AppCommon::drawn(o.output + "/nufft.png") << '\n';
  out << "checks            ";
  AppCommon::print_checks(checks(r), out);
}

}  // namespace NufftApp
