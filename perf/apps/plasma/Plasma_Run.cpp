// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Plasma_Run.hpp"

#include "Plasma_Output.hpp"

#include <App_Output.hpp>

#include <cmath>
#include <ostream>

namespace PlasmaApp {

using AppCommon::formatted;

Report run(World& world, const Options& options) {
  if (!options.no_files)
    world.together([&] { AppCommon::make_folder("plasma", options.output); });
  const Setup setup(options);
  const Exec exec;
  Report r;
  r.options   = options;
  r.ranks     = world.size;
  r.particles = setup.count();
  r.steps     = std::int64_t(std::ceil(end_time(options) / options.step));
  Kokkos::Timer timer;
  Simulation simulation(exec, world, setup, options.step);
  for (std::int64_t i = 0; i < r.steps; ++i) simulation.step();
  r.seconds              = timer.seconds();
  r.conserved            = simulation.conserved();
  const bool oscillation = options.problem == Problem::oscillation;
  r.theory               = oscillation ? 1 : growth_rate(fastest_wave());
  r.measured             = oscillation ? measured_frequency(simulation.series())
                                       : measured_growth(simulation.series());
  if (!options.no_files) r.picture = write_files(simulation, options.output);
  return r;
}

std::vector<Check> checks(const Report& r) {
  const auto below = [](const char* name, double value, double bound) {
    return Check{name, value < bound, formatted("%.3g < %g", value, bound)};
  };
  const bool oscillation = r.options.problem == Problem::oscillation;
  return {below(oscillation ? "frequency" : "growth",
                std::fabs(r.measured / r.theory - 1), .01),
          below("charge", r.conserved.charge, 1e-12),
          below("momentum", r.conserved.momentum, 1e-12),
          Check{"particles", r.conserved.lost == 0,
                formatted("%lld lost or doubled",
                          static_cast<long long>(r.conserved.lost))}};
}

void print(const Report& r, std::ostream& out) {
  const bool oscillation = r.options.problem == Problem::oscillation;
  out << (oscillation ? "cold plasma oscillation" : "two-stream instability")
      << formatted(", %d x %d cells, %lld particles, %lld steps",
                   r.options.cells, r.options.across,
                   static_cast<long long>(r.particles),
                   static_cast<long long>(r.steps));
  if (r.ranks > 1) out << ", " << r.ranks << " ranks";
  out << '\n'
      << formatted("%-12s %.6f, theory %.6f (%+.3f %%)\n",
                   oscillation ? "frequency" : "growth rate", r.measured,
                   r.theory, 100 * (r.measured / r.theory - 1))
      << formatted("charge       %.2g relative error\n", r.conserved.charge)
      << formatted("momentum     %.2g relative change\n", r.conserved.momentum)
      << formatted("time         %.2f s, %.1f ns per particle and step\n",
                   r.seconds,
                   1e9 * r.seconds / (double(r.particles) * double(r.steps)));
  if (!r.picture.empty()) out << "picture      " << r.picture << '\n';
  out << "checks      ";
  AppCommon::print_checks(checks(r), out);
}

}  // namespace PlasmaApp
