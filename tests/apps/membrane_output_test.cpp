// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <Sporos_Test.hpp>

#include "App_Test.hpp"
#include "Membrane_Picture.hpp"
#include "Membrane_Vtk.hpp"

#include <cmath>
#include <cstdint>
#include <cstring>
#include <filesystem>
#include <stdexcept>
#include <string>
#include <vector>

using namespace MembraneApp;
using Sporos::Test::check_refused;

namespace {

/// A frame with a circle and a shear flow.
Frame example(int cells, double time) {
  Frame f;
  f.time   = time;
  f.cells  = cells;
  f.points = HostPoints("test::points", 4 * cells, 2);
  for (int k = 0; k < 4 * cells; ++k) {
    const double angle = 2 * std::acos(-1.) * k / (4 * cells);
    f.points(k, 0)     = 0.5 + 0.25 * std::cos(angle);
    f.points(k, 1)     = 0.5 + 0.25 * std::sin(angle);
  }
  for (int j = 0; j < cells; ++j)
    for (int i = 0; i < cells; ++i) {
      f.x.push_back(j);
      f.y.push_back(0);
      f.vorticity.push_back(-cells);
      f.pressure.push_back(i);
    }
  return f;
}

/// The values of an array of a VTK file with appended data.
template <class T>
std::vector<T> vtk_array(const std::string& file, const std::string& name) {
  const size_t at = file.find("Name=\"" + name + "\"");
  REQUIRE(at != std::string::npos);
  const size_t offset =
      std::stoul(file.substr(file.find("offset=\"", at) + 8, 20));
  const std::string mark = "<AppendedData encoding=\"raw\">\n_";
  const size_t start     = file.find(mark);
  REQUIRE(start != std::string::npos);
  const char* block = file.data() + start + mark.size() + offset;
  std::uint64_t bytes;
  std::memcpy(&bytes, block, sizeof bytes);
  REQUIRE(bytes < file.size());
  std::vector<T> values(bytes / sizeof(T));
  std::memcpy(values.data(), block + sizeof bytes, bytes);
  return values;
}

}  // namespace

TEST_CASE("membrane: VTK files hold the fields", "[membrane]") {
  const AppTest::Folder folder("sporos_membrane_vtk_test");
  std::filesystem::create_directories(folder.path);
  VtkWriter writer(folder.path.string());
  const int n = 8;
  writer.write(example(n, 0.));
  writer.write(example(n, 0.25));

  const std::string fluid = folder.content("fluid_0001.vti");
  const auto velocity     = vtk_array<float>(fluid, "velocity");
  const auto vorticity    = vtk_array<float>(fluid, "vorticity");
  const auto pressure     = vtk_array<float>(fluid, "pressure");
  REQUIRE(velocity.size() == 3 * 9 * 9);
  REQUIRE(vorticity.size() == 9 * 9);
  CHECK(vorticity.back() == -8);
  CHECK(velocity[3 * (2 * 9 + 4)] == 1.5f);  // between rows 1 and 2
  CHECK(velocity[3 * (8 * 9 + 8)] == 3.5f);  // between rows 7 and 0
  CHECK(pressure[4 * 9 + 3] == 2.5f);

  const std::string loop = folder.content("membrane_0001.vtp");
  const auto points      = vtk_array<double>(loop, "points");
  const auto line        = vtk_array<std::int64_t>(loop, "connectivity");
  REQUIRE(points.size() == 3 * 4 * n);
  REQUIRE(line.size() == 4 * n + 1);
  CHECK(points[0] == 0.75);
  CHECK(line.front() == line.back());
  CHECK(vtk_array<double>(loop, "stretch")[5] == Approx(0.25).epsilon(0.01));

  const std::string list = folder.content("membrane.pvd");
  CHECK(list.find("timestep=\"0.25\" part=\"1\"") != std::string::npos);
  CHECK(list.find("fluid_0001.vti") != std::string::npos);
}

TEST_CASE("membrane: pictures show the membrane", "[membrane]") {
  if (!can_draw()) return;
  const Frame frame = example(16, 0.5);
  const Image image = draw(frame, frame.points, picture_scale({frame}), 600);
  const Color line = image(450, 299), blue = image(180, 90);
  for (const float part : line) CHECK(part > 0.9f);
  CHECK(blue[2] > blue[0] + 0.1f);

  const AppTest::Folder folder("sporos_membrane_picture_test");
  std::filesystem::create_directories(folder.path);
  write_pictures(folder.path.string(), {frame, frame}, 100);
  const std::string strip = folder.content("membrane.png");
  CHECK(folder.content("frame_0001.png").size() > 1000);
  CHECK(strip.size() > 1000);
  CHECK(strip.substr(1, 3) == "PNG");
}

TEST_CASE("membrane: files that cannot be written are named", "[membrane]") {
  const std::string nowhere = "/nonexistent/sporos";
  const Frame frame         = example(16, 0.);
  check_refused<std::runtime_error>("/nonexistent/sporos/fluid_0000.vti",
                                    [&] { VtkWriter(nowhere).write(frame); });
  if (!can_draw()) return;
  check_refused<std::runtime_error>("/nonexistent/sporos/frame_0000", [&] {
    write_pictures(nowhere, {frame}, 64);
  });
}
