// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <Sporos_Test.hpp>

#include "App_Test.hpp"
#include "Plasma_Options.hpp"
#include "Plasma_Poisson.hpp"
#include "Plasma_Run.hpp"
#include "Plasma_Theory.hpp"

#include <algorithm>
#include <cmath>
#include <complex>
#include <filesystem>
#include <sstream>
#include <string>

using namespace PlasmaApp;

namespace {

const double pi = std::acos(-1.);

const AppTest::CommandLine<Options> parsed{"plasma", parse_options};

}  // namespace

TEST_CASE("plasma: options are read, wrong ones refused", "[plasma]") {
  const Options o = parsed({"--problem", "two-stream", "--cells=32", "--step",
                            "0.1", "--time", "7", "--kokkos-x=1", "--check"});
  CHECK(o.problem == Problem::two_stream);
  CHECK(o.cells == 32);
  CHECK(o.step == 0.1);
  CHECK(end_time(o) == 7);
  CHECK(o.check);
  CHECK(end_time(parsed({})) > 6 * pi);
  parsed.refuses({"--problem", "laser"},
                 "oscillation, two-stream, got 'laser'");
  parsed.refuses({"--cells", "8"}, "an integer from 16 to 65536, got '8'");
  std::ostringstream help;
  print_help(help);
  CHECK(help.str().find("--points") != std::string::npos);
}

TEST_CASE("plasma: theory and measurements of known series", "[plasma]") {
  CHECK(growth_rate(fastest_wave()) == Approx(1 / std::sqrt(8.)));
  CHECK(growth_rate(1) == 0);
  CHECK(growth_rate(fastest_wave() * 1.1) < growth_rate(fastest_wave()));
  CHECK(growth_rate(fastest_wave() / 1.1) < growth_rate(fastest_wave()));
  Series wave{.05, {}}, growth{.05, {}};
  for (int i = 0; i < 1000; ++i) {
    wave.amplitude.emplace_back(0, 3e-3 * std::cos(1.3 * .05 * i + .2));
    growth.amplitude.emplace_back(0, 1e-6 * std::exp(.4 * .05 * i));
  }
  CHECK(measured_frequency(wave) == Approx(1.3).epsilon(1e-3));
  CHECK(measured_growth(growth) == Approx(.4).epsilon(1e-6));
  CHECK(measured_frequency(growth) == 0);
}

TEST_CASE("plasma: the field of waves of the density", "[plasma]") {
  Options o;
  o.cells  = 20;
  o.across = 12;
  const Setup setup(o);
  const auto world = make_world_of_one(setup);
  const Exec exec;
  const Field density("density", 20, 12);
  const Vectors field("field", 20, 12);
  const double h = setup.spacing(), kx = 2 * setup.wave,
               ky  = 3 * 2 * pi / setup.length[1];
  const auto phase = [&](int i, int j) { return kx * h * i - ky * h * j + .3; };
  for (int i = 0; i < 20; ++i)
    for (int j = 0; j < 12; ++j)
      density(i, j) = 5 + std::sin(phase(i, j)) + .7 * std::cos(h * i);
  Poisson poisson(*world, setup);
  poisson.solve(exec, density, field);
  CHECK(poisson.total() == Approx(5 * 20 * 12));
  CHECK(std::abs(poisson.amplitude() - std::complex<double>(0, -.35)) < 1e-14);
  const double k2 = kx * kx + ky * ky;
  double worst    = 0;
  for (int i = 0; i < 20; ++i)
    for (int j = 0; j < 12; ++j) {
      const double x = -kx / k2 * std::cos(phase(i, j)) + .7 * std::sin(h * i);
      const double y = ky / k2 * std::cos(phase(i, j));
      worst          = Sporos::Test::larger_error(
                   worst, std::fabs(field(i, j, 0) - x) + std::fabs(field(i, j, 1) - y));
    }
  CHECK(worst < 1e-13);
}

TEST_CASE("plasma: particles that are missing or doubled are found",
          "[plasma]") {
  const Setup setup{Options{}};
  const auto world  = make_world_of_one(setup);
  const Particles p = make_particles(Exec{}, setup, 0, setup.count());
  const auto wrong  = [&] { return lost(Exec{}, *world, p, setup.count()); };
  CHECK(wrong() == 0);
  p.number(5) = 7;  // 5 is missing, 7 is there twice
  CHECK(wrong() == 2);
  p.number(5) = -1;  // a stranger instead of 5
  CHECK(wrong() == 2);
}

TEST_CASE("plasma: frequency and growth are those of theory", "[plasma]") {
  Options o;
  o.cells  = 32;
  o.across = 8;
  o.points = 2;
  o.step   = .1;
  o.time   = 10;
  const AppTest::Folder folder("sporos-plasma-test");
  o.output = folder.path.string();
  for (const Problem problem : {Problem::oscillation, Problem::two_stream}) {
    o.problem = problem;
    if (problem == Problem::two_stream) o.time = 55;
    const auto world = make_world_of_one(Setup(o));
    const Report r   = run(*world, o);
    for (const Check& c : checks(r)) {
      INFO(c.name << ": " << c.text);
      CHECK(c.ok);
    }
    CHECK(std::filesystem::file_size(r.picture) > 1000);
    CHECK(std::filesystem::file_size(folder.path / "fields.vti") >
          32 * 8 * 4 * sizeof(float));
    CHECK(std::filesystem::file_size(folder.path / "particles.vtp") >
          std::size_t(r.particles) * (6 * sizeof(float) + 16));
    CHECK_FALSE(std::filesystem::exists(folder.path / "fields.vti.part"));
    std::ostringstream text;
    print(r, text);
    CHECK(text.str().find("FAILED") == std::string::npos);
    Report wrong         = r;
    wrong.measured       = 1.02 * r.theory;
    wrong.conserved.lost = 1;
    CHECK_FALSE(checks(wrong)[0].ok);
    CHECK_FALSE(checks(wrong)[3].ok);
  }
}
