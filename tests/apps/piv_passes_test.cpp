// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <Sporos_Test.hpp>

#include "App_Test.hpp"
#include "Piv_Evaluate.hpp"
#include "Piv_Files.hpp"
#include "Piv_Interpolate.hpp"
#include "Piv_Run.hpp"

#include <cmath>
#include <cstring>
#include <fstream>
#include <sstream>
#include <stdexcept>
#include <string>
#include <vector>

using namespace PivApp;

namespace PivPassesTest {
namespace {

Report ran(const Options& o) {
  std::ostringstream out;
  return run(o, out);
}

Options flow(const std::string& name) {
  Options o;
  o.flow         = name;
  o.width        = 256;
  o.height       = 224;
  o.displacement = 4;
  o.core         = 1;  // no kink: it is wider than windows are here
  o.no_files     = true;
  o.quiet        = true;
  return o;
}

/// An image on the device of f(y, x).
template <class F>
Pixels image_of(int h, int w, const F& f) {
  const Pixels image("test::image", h, w);
  const auto host = Kokkos::create_mirror_view(image);
  for (int y = 0; y < h; ++y)
    for (int x = 0; x < w; ++x) host(y, x) = float(f(y, x));
  Kokkos::deep_copy(image, host);
  return image;
}

/// A field of these displacements at the centres of windows.
template <class F>
Field field_of(const WindowGrid& grid, const F& dy, const F& dx) {
  const Field f(grid);
  const auto moves = Kokkos::create_mirror_view(f.moves);
  for (int n = 0; n < grid.size(); ++n) {
    moves(n, 0) = dy(grid.y(n), grid.x(n));
    moves(n, 1) = dx(grid.y(n), grid.x(n));
  }
  Kokkos::deep_copy(f.moves, moves);
  return f;
}

constexpr Interpolation kinds[] = {
    Interpolation::bilinear, Interpolation::bicubic, Interpolation::biquintic};

double wave(double y, double x) {
  return .5 + .2 * std::sin(.31 * y + .2) * std::cos(.27 * x);
}

/// A file that goes away with the test.
struct File {
  AppTest::Folder folder{"sporos_piv_passes_test"};
  std::string path = (folder.path / "file").string();
  explicit File(const std::string& content) {
    std::filesystem::create_directories(folder.path);
    std::ofstream(path) << content;
  }
};

Polygon square(double left, double top, double right, double bottom) {
  return {{left, top}, {right, top}, {right, bottom}, {left, bottom}};
}

}  // namespace

TEST_CASE("piv: three passes with deformation are exact", "[piv]") {
  for (const auto& name : flow_names()) {
    Options o    = flow(name);
    o.density    = .05;
    const auto r = ran(o);
    CAPTURE(name, r.errors.rms, r.outliers);
    CHECK(r.windows == 31 * 27);
    CHECK(r.errors.rms < .03);
    CHECK(r.outliers < r.windows / 100);
  }
}

TEST_CASE("piv: images are deformed by half of the field each", "[piv]") {
  const Exec exec;
  const int h = 60, w = 72;
  const Pixels to_a("test::to_a", h, w), to_b("test::to_b", h, w);
  using F       = double (*)(double, double);
  const F dy    = [](double y, double x) { return .6 + .01 * y - .02 * x; };
  const F dx    = [](double y, double x) { return 1.3 - .02 * y + .01 * x; };
  const Field f = field_of(WindowGrid(w, h, 16, 50), dy, dx);
  for (const auto kind : kinds) {
    const auto a = image_of(h, w, wave), b = image_of(h, w, wave);
    spline_coefficients(exec, kind, a, to_a);
    spline_coefficients(exec, kind, b, to_b);
    deform(exec, a, b, {f.grid, f.moves, true}, kind, to_a, to_b);
    const auto ha =
        Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), to_a);
    const auto hb =
        Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), to_b);
    // a linear field goes on as a line for one step beyond the outer windows;
    // splines feel the edges of the image for some pixels
    double error = 0, inner = 0;
    for (int y = 5; y < h - 5; ++y)
      for (int x = 5; x < w - 5; ++x) {
        const double my = dy(y, x) / 2, mx = dx(y, x) / 2;
        const double here = Sporos::Test::larger_error(
            std::abs(double(ha(y, x)) - wave(y - my, x - mx)),
            std::abs(double(hb(y, x)) - wave(y + my, x + mx)));
        error = Sporos::Test::larger_error(error, here);
        if (y >= 16 && y < h - 16 && x >= 16 && x < w - 16)
          inner = Sporos::Test::larger_error(inner, here);
      }
    CAPTURE(int(kind), error, inner);
    CHECK(error < 6e-3);
    CHECK(inner < (kind == Interpolation::bilinear  ? 6e-3
                   : kind == Interpolation::bicubic ? 1e-4
                                                    : 1e-5));
  }
}

TEST_CASE("piv: splines go through their pixels", "[piv]") {
  const Exec exec;
  for (const int h : {1, 2, 17}) {
    const int w      = 23;
    const auto value = [](int y, int x) { return (y * 31 + x * 17) % 13; };
    const Pixels to("test::to", h, w);
    const Field none = field_of(
        WindowGrid(64, 64, 32, 50), +[](double, double) { return 0.; },
        +[](double, double) { return 0.; });
    for (const auto kind : kinds) {
      const auto image = image_of(h, w, value);
      spline_coefficients(exec, kind, image, to);
      deform(exec, image, image, {none.grid, none.moves, false}, kind, to,
             Pixels("test::b", h, w));
      const auto host =
          Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), to);
      double error = 0;
      for (int y = 0; y < h; ++y)
        for (int x = 0; x < w; ++x)
          error = Sporos::Test::larger_error(
              error, std::abs(double(host(y, x)) - value(y, x)));
      CAPTURE(h, int(kind));
      CHECK(error < 1e-4);
    }
  }
}

TEST_CASE("piv: many pairs find what one cannot", "[piv]") {
  Options o      = flow("uniform");
  o.windows      = "64,32";
  o.density      = .001;
  o.noise        = .05;
  const auto one = ran(o);
  o.pairs        = 20;
  const auto all = ran(o);
  CAPTURE(one.outliers, one.errors.rms, all.outliers, all.errors.rms);
  CHECK(one.outliers > one.windows / 10);
  CHECK(all.outliers < all.windows / 100);
  CHECK(all.errors.rms < .1);
}

TEST_CASE("piv: a pair twice is an ensemble of the same vectors", "[piv]") {
  Options o       = flow("shear");
  o.windows       = "32,16";
  const auto pair = synthetic_pair(o);
  const Evaluator evaluate(o.width, o.height, o);
  const Vectors one = evaluate({pair}), two = evaluate({pair, pair});
  const Vectors again = evaluate({pair});
  CHECK(again.dx == one.dx);
  CHECK(again.dy == one.dy);
  for (std::size_t k = 0; k < one.dx.size(); ++k) {
    CHECK(two.dx[k] == Approx(one.dx[k]).margin(1e-4));
    CHECK(two.peak[k] == Approx(2 * one.peak[k]).epsilon(1e-4));
  }
}

TEST_CASE("piv: polygons are read from files", "[piv]") {
  const auto read = [](const std::string& text) {
    return read_polygons(File(text).path);
  };
  const auto two = read(
      "# a triangle\n1 2\n3,4.5\r\n# more\n-5 6 # last\n\n\n7 8\n9 10\n11 12");
  REQUIRE(two.size() == 2);
  REQUIRE(two[0].size() == 3);
  CHECK(two[0][1].y == 4.5);
  CHECK(two[0][2].x == -5);
  CHECK(two[1][0].x == 7);
  const auto complaint = [&](const std::string& text) {
    try {
      read(text);
    } catch (const std::runtime_error& error) {
      return std::string(error.what())
          .substr(std::string(error.what()).rfind("line"));
    }
    return std::string();
  };
  CHECK(complaint("1 2\n3\n") ==
        "line 2: two numbers from -1e6 to 1e6 are needed: x y");
  CHECK(complaint("1 2\n3 4 5\n").rfind("line 2", 0) == 0);
  CHECK(complaint("1 nan\n").rfind("line 1", 0) == 0);
  CHECK(complaint("1 2e6\n").rfind("line 1", 0) == 0);
  CHECK(complaint("1 2\n3 4\n\n") ==
        "line 3: a polygon has three vertices or more");
  CHECK(complaint("# nothing\n") == "line 1: there is no polygon");
  CHECK_THROWS_AS(read_polygons("/nonexistent/polygons"), std::runtime_error);
}

TEST_CASE("piv: masks cover pixels and windows", "[piv]") {
  const Exec exec;
  // an L with a hole beside it that is a polygon of its own
  const Polygon corner = {{9.5, 3.5},  {20.5, 3.5},  {20.5, 9.5},
                          {14.5, 9.5}, {14.5, 20.5}, {9.5, 20.5}};
  const auto mask      = mask_of(exec, {corner, square(-5, 30, 5, 90)}, 40, 36);
  const auto host =
      Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), mask);
  for (int y = 0; y < 36; ++y)
    for (int x = 0; x < 40; ++x) {
      const bool in_corner =
          x >= 10 && y >= 4 && ((x <= 20 && y <= 9) || (x <= 14 && y <= 20));
      CHECK((host(y, x) == 1) == (in_corner || (x < 5 && y >= 30)));
    }
  CHECK(mask_of(exec, {}, 40, 36).data() == nullptr);

  const auto image = image_of(36, 40, [](int, int x) { return x; });
  fill_masked(exec, mask, 8, image);
  const auto filled =
      Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), image);
  CHECK(filled(0, 7) == 7);
  double sum = 0, count = 0;  // around the pixel (5, 18)
  for (int y = 0; y <= 13; ++y)
    for (int x = 10; x <= 26; ++x)
      if (host(y, x) == 0) {
        sum += x;
        ++count;
      }
  CHECK(filled(5, 18) == Approx(sum / count));

  const WindowGrid grid(40, 36, 8, 0);
  const Marks marks("test::marks", grid.size());
  for (const double share : {.5, 10. / 64}) {  // it covers 10 pixels of two
    mark_masked(exec, mask, grid, share, marks);
    const auto marked =
        Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), marks);
    int same = 0;
    for (int n = 0; n < grid.size(); ++n) {
      int covered = 0;
      for (int k = 0; k < 64; ++k)
        covered += host(grid.top(n) + k / 8, grid.left(n) + k % 8);
      CHECK((marked(n) == Status::masked) == (covered > share * 64));
      same += covered == share * 64;
    }
    CHECK(same == (share < .5 ? 2 : 0));
  }
}

TEST_CASE("piv: what a mask covers does not disturb vectors", "[piv]") {
  Options o = flow("uniform");
  auto pair = synthetic_pair(o);
  // something bright that does not move
  for (auto* image : {&pair.first, &pair.second})
    for (int y = 80; y < 150; ++y)
      for (int x = 90; x < 170; ++x)
        (*image)(y, x) = float((x * 73 + y * 179) * (x + 3 * y + 7) % 97) / 97;
  const auto found = [&](const std::vector<Polygon>& mask) {
    return Evaluator(o.width, o.height, o, mask)({pair});
  };
  const Vectors masked = found({square(89.5, 79.5, 169.5, 149.5)});
  const auto e         = errors(masked, Flow(o));
  CAPTURE(e.rms, masked.outliers());
  CHECK(masked.masked() > 20);
  CHECK(e.rms < .15);
  CHECK(errors(found({}), Flow(o)).rms > .5);
}

TEST_CASE("piv: calibrated files are in metres and seconds", "[piv]") {
  const AppTest::Folder files("sporos_piv_calibrated_test");
  std::filesystem::create_directories(files.path);
  const std::string folder = files.path.string() + "/";
  Options o;
  o.pixel_size = 1e-4;
  o.time_step  = .02;
  const Calibration c(o, 64);
  Vectors v(WindowGrid(64, 64, 32, 50));  // 3 x 3
  for (std::size_t k = 0; k < 9; ++k) {
    v.dx[k] = 2;
    v.dy[k] = 1;
  }
  v.status[4] = Status::masked;
  v.status[1] = Status::replaced;
  write_csv(folder + "v.csv", v, c);
  std::istringstream csv(files.content("v.csv"));
  std::string line;
  std::getline(csv, line);
  CHECK(line == "x,y,dx,dy,peak,snr,replaced,x_m,y_m,u_m_s,v_m_s");
  std::getline(csv, line);
  CHECK(line ==
        "15.5,15.5,2.00000,1.00000,0.00000,0,0,0.00155,0.00475,0.01,-0.005");
  int lines = 1;
  while (std::getline(csv, line)) ++lines;
  CHECK(lines == 8);

  // the one in the middle is a corner of all cells
  write_vtk(folder + "v.vtu", v, c);
  CHECK(files.content("v.vtu").find(
            "NumberOfPoints=\"8\" NumberOfCells=\"8\"") != std::string::npos);

  write_netcdf(folder + "v.nc", v, c);
  const std::string nc = files.content("v.nc");
  CHECK(nc.substr(0, 4) == "CDF\2");
  const auto number = [&](std::size_t from_end) {
    std::uint64_t bits = 0;
    for (std::size_t k = 0; k < 8; ++k)
      bits = bits << 8 | (unsigned char)(nc[nc.size() - 8 * from_end + k]);
    double value = 0;
    std::memcpy(&value, &bits, sizeof value);
    return value;
  };
  // y, x, then five arrays of nine
  CHECK(number(51) == Approx(.00475));
  CHECK(number(48) == Approx(.00155));
  CHECK(number(45) == Approx(.01));
  CHECK(number(36) == Approx(-.005));
  CHECK(std::isnan(number(41)));
  CHECK(number(8) == 1);
}

}  // namespace PivPassesTest
