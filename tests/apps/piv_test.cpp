// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <Sporos_Test.hpp>

#include "App_Test.hpp"
#include "Piv_Evaluate.hpp"
#include "Piv_Files.hpp"
#include "Piv_Run.hpp"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <sstream>
#include <stdexcept>
#include <string>
#include <vector>

using namespace PivApp;

namespace {

Options small(const std::string& flow) {
  Options o;
  o.windows      = "32";
  o.flow         = flow;
  o.width        = 192;
  o.height       = 160;
  o.displacement = 2;
  o.core         = 0.5;
  o.no_files     = true;
  o.quiet        = true;
  return o;
}

Report ran(const Options& o) {
  std::ostringstream out;
  return run(o, out);
}

bool good(const Report& r) {
  const auto list = checks(r);
  return std::all_of(list.begin(), list.end(),
                     [](const auto& c) { return c.ok; });
}

}  // namespace

TEST_CASE("piv: known flows are found", "[piv]") {
  for (const auto& flow : flow_names())
    for (const char* const windows : {"32", "48,32"}) {
      Options o    = small(flow);
      o.windows    = windows;
      const auto r = ran(o);
      CAPTURE(flow, windows, r.errors.rms, r.outliers);
      CHECK(r.windows == 11 * 9);
      // the kink of a vortex this small lies in a third of the windows
      const bool vortex = flow == "vortex";
      CHECK(r.errors.rms < (vortex ? 0.13 : 0.08));
      CHECK(r.outliers <= (vortex ? 3 : 0));
      CHECK(r.mean_snr > 2);
      CHECK(good(r) == (r.errors.rms < 0.1 && r.outliers == 0));
    }
}

TEST_CASE("piv: an exact shift is exact", "[piv]") {
  Options o      = small("uniform");
  o.displacement = 4;
  o.angle        = 90;
  o.noise        = 0;
  o.bits         = 16;
  o.windows      = "32,32";
  const auto r   = ran(o);
  CAPTURE(r.errors.rms, r.errors.largest);
  CHECK(r.errors.rms < 0.015);
  CHECK(r.errors.largest < 0.05);
}

TEST_CASE("piv: bad images give outliers, and checks fail", "[piv]") {
  Options o    = small("shear");
  o.noise      = 1;
  const auto r = ran(o);
  CHECK(r.outliers > r.windows / 20);
  CHECK_FALSE(good(r));
  std::ostringstream out;
  print(r, out);
  CHECK(out.str().find("FAILED") != std::string::npos);

  const Evaluator evaluate(64, 64, o);
  const GreyImage black(64, 64), other(64, 65);
  const Vectors v = evaluate({{black, black}});  // constant windows
  CHECK(v.outliers() == v.grid.size());
  for (const double dx : v.dx) CHECK(dx == 0);
  CHECK_THROWS_AS(evaluate({{black, other}}), std::invalid_argument);
  CHECK_THROWS_AS(evaluate({{black, black}, {other, black}}),
                  std::invalid_argument);
  CHECK_THROWS_AS(evaluate({}), std::invalid_argument);
  CHECK_THROWS_AS(Evaluator(31, 64, o), std::invalid_argument);
}

TEST_CASE("piv: outliers of other images are judged if asked for", "[piv]") {
  const AppTest::Folder files("sporos_piv_outliers_test");
  Options o     = small("shear");
  o.noise       = 1;
  o.no_files    = false;
  o.save_images = true;
  o.output      = files.path.string();
  ran(o);
  const std::string grey = AppCommon::grey_extension();
  o.images               = {(files.path / ("a." + grey)).string(),
                            (files.path / ("b." + grey)).string()};
  o.no_files             = true;
  for (const bool check : {false, true}) {
    o.check      = check;
    const auto r = ran(o);
    CHECK(r.outliers > r.windows / 20);
    CHECK(good(r) == !check);
    std::ostringstream out;
    print(r, out);
    CHECK((out.str().find("FAILED") != std::string::npos) == check);
    CHECK((out.str().find("checks") != std::string::npos) == check);
  }
}

TEST_CASE("piv: files hold the vectors", "[piv]") {
  const AppTest::Folder files("sporos_piv_files_test");
  const auto& folder = files.path;
  Options o          = small("uniform");
  o.no_files         = false;
  o.save_images      = true;
  o.output           = folder.string();
  const auto r       = ran(o);

  std::ifstream csv(folder / "vectors.csv");
  std::string line;
  std::getline(csv, line);
  CHECK(line == "x,y,dx,dy,peak,snr,replaced");
  int lines  = 0;
  double sum = 0;
  for (; std::getline(csv, line); ++lines) {
    std::replace(line.begin(), line.end(), ',', ' ');
    std::istringstream in(line);
    double x, y, dx, dy;
    in >> x >> y >> dx >> dy;
    CHECK(in);
    sum += dx;
  }
  CHECK(lines == r.windows);
  CHECK(sum / lines == Approx(2 * std::cos(0.523599)).margin(0.03));

  // velocities come first in the VTK file; there y goes up
  const std::string content = files.content("vectors.vtu");
  const std::string mark    = "<AppendedData encoding=\"raw\">\n_";
  const auto start          = content.find(mark);
  REQUIRE(start != std::string::npos);
  std::vector<float> d(3 * std::size_t(r.windows));
  REQUIRE(content.size() > start + mark.size() + 8 + d.size() * sizeof(float));
  std::memcpy(d.data(), content.data() + start + mark.size() + 8,
              d.size() * sizeof(float));
  CHECK(d[0] == Approx(2 * std::cos(0.523599)).margin(0.3));
  CHECK(d[1] == Approx(-2 * std::sin(0.523599)).margin(0.3));
  CHECK(d[2] == 0);
  CHECK(content.find("NumberOfCells=\"80\"") != std::string::npos);

  const auto picture = folder / "vectors.png";
  CHECK(std::filesystem::exists(picture) == AppCommon::can_draw());
  if (AppCommon::can_draw()) CHECK(std::filesystem::file_size(picture) > 1000);

  // the images that were written give the same vectors
  const std::string grey = AppCommon::grey_extension();
  Options again          = o;
  again.images           = {(folder / ("a." + grey)).string(),
                            (folder / ("b." + grey)).string()};
  again.no_files         = true;
  CHECK(ran(again).mean_snr == r.mean_snr);
  std::swap(again.width, again.height);  // of no importance
  CHECK(ran(again).outliers == r.outliers);

  o.output = (folder / "vectors.csv" / "no_folder").string();
  CHECK_THROWS_AS(ran(o), std::runtime_error);
}

TEST_CASE("piv: arrows are drawn where the vectors are", "[piv]") {
  if (!AppCommon::can_draw()) return;
  Vectors v(WindowGrid(96, 96, 32, 0));
  for (std::size_t k = 0; k < v.dx.size(); ++k) v.dx[k] = 1;
  v.status[4]      = Status::replaced;
  const auto image = draw(v, GreyImage(96, 96), 20);
  const auto good_ = image(16, 16), bad = image(48, 48), none = image(48, 30);
  CHECK(good_[0] + good_[1] > 1.2f);
  CHECK(bad[0] > 0.8f);
  CHECK(bad[1] < 0.4f);
  CHECK(none[0] + none[1] < 0.3f);
}
