// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Membrane_Run.hpp"

#include "Membrane_Picture.hpp"
#include "Membrane_WaveTransform.hpp"
#include "Membrane_Simulation.hpp"
#include "Membrane_Vtk.hpp"

#include <App_Output.hpp>

#include <algorithm>
#include <cmath>
#include <ostream>
#include <set>
#include <stdexcept>
#include <utility>

#include <unistd.h>

namespace MembraneApp {
namespace {

using AppCommon::formatted;

/// A line that is renewed on a terminal, every tenth of the run elsewhere.
class Progress {
 public:
  Progress(std::ostream& out, const Options& o)
      : m_out(out), m_options(o), m_terminal(isatty(STDOUT_FILENO) == 1) {}

  void show(const Status& s) {
    if (m_options.quiet) return;
    const double done = static_cast<double>(s.step) / m_options.steps;
    if (!m_terminal && static_cast<int>(10 * done) == m_tenth) return;
    m_tenth             = static_cast<int>(10 * done);
    const double passed = m_timer.seconds();
    m_out << (m_terminal ? "\r" : "")
          << formatted("step %*d/%d  t %.3f  axes ratio %.4f  %3.0f %%",
                       static_cast<int>(std::to_string(m_options.steps).size()),
                       s.step, m_options.steps, s.time, s.shape.ratio(),
                       100 * done);
    if (done > 0 && done < 1)
      m_out << formatted("  %.0f s left%s", passed / done * (1 - done),
                         m_terminal ? "   " : "");
    m_out << (!m_terminal ? "\n"
              : done < 1  ? ""
                          : "                \n")
          << std::flush;
  }

 private:
  std::ostream& m_out;
  const Options& m_options;
  bool m_terminal;
  int m_tenth = -1;
  Kokkos::Timer m_timer;
};

/// Largest distance of neighbours in cells.
double largest_gap(const HostPoints& x, int cells) {
  double gap     = 0;
  const size_t n = x.extent(0);
  for (size_t k = 0; k < n; ++k)
    gap = std::max(gap, std::hypot(x((k + 1) % n, 0) - x(k, 0),
                                   x((k + 1) % n, 1) - x(k, 1)));
  return gap * cells;
}

double points_per_cell(const HostPoints& x, int cells) {
  std::set<std::pair<int, int>> occupied;
  for (size_t k = 0; k < x.extent(0); ++k)
    occupied.insert({static_cast<int>(std::floor(x(k, 0) * cells)),
                     static_cast<int>(std::floor(x(k, 1) * cells))});
  return static_cast<double>(x.extent(0)) /
         static_cast<double>(occupied.size());
}

void check_stability(const Status& s, const Options& o) {
  const double courant = s.max_velocity * o.time_step * o.grid;
  if (std::isfinite(s.energy()) && std::isfinite(s.shape.area) && courant < 1)
    return;
  throw std::runtime_error(
      formatted("membrane: unstable at step %d (%.2g cells per step): choose a "
                "smaller --time-step than %.3g",
                s.step, courant, o.time_step));
}

/// Adds a status to the report.
void record(Report& report, const Status& s) {
  const double drift   = std::abs(s.shape.area / report.start.shape.area - 1);
  report.end           = s;
  report.largest_drift = std::max(report.largest_drift, drift);
  report.force_error   = std::max(report.force_error, s.force_error);
  report.divergence    = std::max(report.divergence, s.divergence);
}

/// The frames of a run: files as they come, pictures at the end.
class Output {
 public:
  explicit Output(const Options& o) : m_options(o), m_vtk(o.output) {
    if (o.frames > 0) AppCommon::make_folder("membrane", o.output);
  }

  /// Takes a frame when one is due: the first at the start, the last at the
  /// end.
  void take(const AnySimulation& simulation, int step) {
    const auto taken = static_cast<long long>(m_frames.size());
    const int gaps   = std::max(1, m_options.frames - 1);
    if (taken >= m_options.frames || step < taken * m_options.steps / gaps)
      return;
    m_frames.push_back(simulation.frame());
    m_vtk.write(m_frames.back());
  }

  void paint() const {
    if (!m_frames.empty())
      write_pictures(m_options.output, m_frames, m_options.pixels);
  }

 private:
  const Options& m_options;
  VtkWriter m_vtk;
  std::vector<Frame> m_frames;
};

void print_setup(const Report& report, const std::string& plan,
                 std::ostream& out) {
  const Options& o = report.options;
  out << formatted("%d x %d cells, %d points (%.2f per occupied cell), ",
                   o.grid, o.grid, o.points, report.points_per_cell)
      << formatted("%d steps of %.3g, %s\n", o.steps, o.time_step,
                   o.delta.c_str());
  const double gap = largest_gap(start_shape(o), o.grid);
  if (gap > 1)
    out << formatted(
        "note: points are up to %.2f cells apart, fluid leaks "
        "through; choose more --points\n",
        gap);
  out << "fluid: transforms by "
      << WaveTransform<Kokkos::DefaultExecutionSpace>::name() << " on "
      << Kokkos::DefaultExecutionSpace::name() << "\n"
      << plan << "\n";
}

void step(AnySimulation& simulation, int number, const Options& o) {
  try {
    simulation.step();
  } catch (const std::invalid_argument& error) {
    // the library found a position that is not finite
    throw std::runtime_error(
        formatted("membrane: unstable at step %d: choose a smaller "
                  "--time-step than %.3g (",
                  number, o.time_step) +
        error.what() + ")");
  }
}

}  // namespace

Report run(const Options& options, std::ostream& out) {
  Report report;
  const Options& o       = report.options;
  report.options         = resolve(options);
  report.points_per_cell = points_per_cell(start_shape(o), o.grid);
  Output output(o);
  AnySimulation simulation = make_simulation(o);
  if (!o.quiet) print_setup(report, simulation.describe(), out);

  Kokkos::Timer timer;
  Progress progress(out, o);
  report.start = report.end = simulation.status();
  const int interval        = std::max(1, o.steps / 200);
  for (int k = 0; k <= o.steps; ++k) {
    if (k > 0) step(simulation, k, o);
    if (k % interval == 0 || k == o.steps) {
      const Status s = simulation.status();
      check_stability(s, o);
      record(report, s);
      progress.show(s);
    }
    output.take(simulation, k);
  }
  report.seconds = timer.seconds();
  report.shares  = simulation.shares();
  timer.reset();
  output.paint();
  report.paint_seconds = timer.seconds();
  return report;
}

std::vector<Check> checks(const Report& r) {
  std::vector<Check> list;
  if (r.options.delta != "cosine4")
    list.push_back({"area drift", r.largest_drift < 0.01,
                    formatted("%.2e < 0.01", r.largest_drift)});
  const double limit = 1 + std::max(0.02, 0.1 * (r.start.shape.ratio() - 1));
  list.push_back({"axes ratio", r.end.shape.ratio() < limit,
                  formatted("%.4f < %.4f", r.end.shape.ratio(), limit)});
  list.push_back({"total force", r.force_error < 1e-12,
                  formatted("%.1e < 1e-12", r.force_error)});
  list.push_back({"divergence", r.divergence < 1e-11,
                  formatted("%.1e < 1e-11", r.divergence)});
  list.push_back({"energy falls", r.end.energy() <= r.start.energy(),
                  formatted("%.6f <= %.6f", r.end.energy(), r.start.energy())});
  return list;
}

namespace {

void print_shares(const Report& r, std::ostream& out) {
  const Shares& s    = r.shares;
  const double total = s.total() > 0 ? s.total() : 1;
  const auto percent = [total](double part) { return 100 * part / total; };
  out << formatted(
             "time in steps      %.2f s: update %.1f %%, spread %.1f %%, ",
             s.total(), percent(s.update), percent(s.spread))
      << formatted("interpolate %.1f %%, fluid %.1f %%, membrane %.1f %%\n",
                   percent(s.interpolate), percent(s.fluid),
                   percent(s.membrane));
  const double points =
      static_cast<double>(r.options.points) * r.options.steps * 1e-6;
  const auto rate = [](double work, double seconds) {
    return seconds > 0 ? work / seconds : 0.;
  };
  out << formatted("million points/s   update %.2f, ",
                   rate(2 * points, s.update))
      << formatted("spread %.2f, interpolate %.2f (points times components)\n",
                   rate(2 * points, s.spread), rate(4 * points, s.interpolate))
      << formatted("time in all        %.2f s, %.2f s of it to paint\n",
                   r.seconds + r.paint_seconds, r.paint_seconds);
}

}  // namespace

void print(const Report& r, std::ostream& out) {
  const Status &a = r.start, &b = r.end;
  out << formatted("enclosed area      %.6f -> %.6f, drift %+.4f %% ",
                   a.shape.area, b.shape.area, 100 * r.drift())
      << formatted("(largest %.4f %%)\n", 100 * r.largest_drift)
      << formatted("axes ratio         %.4f -> %.4f (%.4f, %.4f)\n",
                   a.shape.ratio(), b.shape.ratio(), b.shape.axes[0],
                   b.shape.axes[1])
      << formatted("total-force error  %.1e of the sum of absolute forces\n",
                   r.force_error)
      << formatted("energy             %.6f (elastic %.6f, kinetic %.6f) -> ",
                   a.energy(), a.elastic, a.kinetic)
      << formatted("%.6f (elastic %.6f, kinetic %.6f)\n", b.energy(), b.elastic,
                   b.kinetic)
      << formatted("divergence         %.1e of velocity / spacing\n",
                   r.divergence);
  print_shares(r, out);
  if (r.options.frames > 0)
    out << "files              " << r.options.output
        << "/membrane.pvd (ParaView), " << drawn("membrane.png, frame_*.png")
        << "\n";
  out << "checks            ";
  AppCommon::print_checks(checks(r), out);
}

}  // namespace MembraneApp
