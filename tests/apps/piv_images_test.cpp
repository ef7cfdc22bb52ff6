// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <Sporos_Test.hpp>

#include "App_GreyImage.hpp"
#include "App_Image.hpp"
#include "App_WholeFile.hpp"
#include "Piv_Flow.hpp"

#include <cmath>
#include <filesystem>
#include <fstream>
#include <stdexcept>
#include <string>
#include <vector>

using namespace PivApp;
using AppCommon::read_grey;
using AppCommon::write_grey;

namespace {

/// The name of a file that goes away with the test.
struct File {
  std::filesystem::path path;
  explicit File(const std::string& name)
      : path(std::filesystem::temp_directory_path() / name) {}
  ~File() { std::filesystem::remove(path); }
};

GreyImage ramp(int width, int height, int bits) {
  GreyImage image(width, height, bits);
  const float steps = bits == 8 ? 255.f : 65535.f;
  for (int y = 0; y < height; ++y)
    for (int x = 0; x < width; ++x)
      image(y, x) =
          float((y * 7919 + x * 104729) % (bits == 8 ? 256 : 65536)) / steps;
  return image;
}

bool has_png() { return AppCommon::grey_extension() == std::string("png"); }

std::vector<std::string> file_types() {
  if (has_png()) return {".png", ".pgm"};
  return {".pgm"};
}

std::string reading(const std::string& path) {
  try {
    read_grey(path);
  } catch (const std::runtime_error& error) {
    return error.what();
  }
  return "";
}

}  // namespace

TEST_CASE("piv: grey images survive a file", "[piv]") {
  for (const auto& type : file_types())
    for (const int bits : {8, 16}) {
      CAPTURE(type, bits);
      const File file("sporos_piv_image_test" + type);
      const GreyImage image = ramp(13, 7, bits);
      write_grey(file.path.string(), image);
      const GreyImage back = read_grey(file.path.string());
      REQUIRE(back.width == 13);
      REQUIRE(back.height == 7);
      CHECK(back.bits == bits);
      CHECK(back.values == image.values);
    }
}

TEST_CASE("piv: colour pictures become grey", "[piv]") {
  if (!AppCommon::can_draw() || !has_png()) return;
  const File file("sporos_piv_colour_test.png");
  AppCommon::Image image(5, 4, {{0.2f, 0.2f, 0.2f}});
  image.set(3, 1, {{1.f, 1.f, 1.f}});
  image.save(file.path.string());
  const GreyImage grey = read_grey(file.path.string());
  REQUIRE(grey.width == 5);
  REQUIRE(grey.height == 4);
  CHECK(grey(1, 3) == 1);
  CHECK(grey(3, 1) == Approx(0.2f));
}

TEST_CASE("piv: pictures have lines, dashes and text", "[piv]") {
  if (!AppCommon::can_draw()) return;
  AppCommon::Image image(60, 40, {{0, 0, 0}});
  const auto bright = [&](int left, int right, int top, int bottom) {
    int count = 0;
    for (int y = top; y < bottom; ++y)
      for (int x = left; x < right; ++x) count += image(x, y)[1] > 0.5f ? 1 : 0;
    return count;
  };
  image.draw({{{5, 5}, {55, 5}}}, {2, {{0, 1, 0}}});
  CHECK(bright(5, 55, 4, 6) == 100);
  image.draw({{{5, 15}, {55, 15}}}, {2, {{0, 1, 0}}, 1, 5, 5});
  CHECK(bright(5, 55, 14, 16) == 50);
  image.text(5, 38, 12, "tω", {{1, 1, 1}});
  CHECK(bright(0, 30, 20, 40) > 20);
  CHECK(bright(30, 60, 20, 40) == 0);
  image.text_before(58, 38, 12, "=", {{1, 1, 1}});
  CHECK(bright(30, 60, 20, 40) > 10);
  CHECK(bright(0, 60, 0, 3) == 0);

  const File file("sporos_piv_picture_test.png");
  image.save(file.path.string());
  CHECK(std::filesystem::file_size(file.path) > 100);
  CHECK_FALSE(std::filesystem::exists(file.path.string() + ".part"));
  CHECK_THROWS_AS(image.save("/nonexistent/sporos.png"), std::runtime_error);
}

TEST_CASE("piv: a file that cannot be completed has no name", "[piv]") {
  const File file("sporos_piv_whole_test");
  const auto failing = [](const std::string& part) {
    std::ofstream(part) << "half";
    return "no more room";
  };
  CHECK_THROWS_WITH(AppCommon::write_whole(file.path.string(), failing),
                    "cannot write " + file.path.string() + ": no more room");
  CHECK_FALSE(std::filesystem::exists(file.path));
  CHECK_FALSE(std::filesystem::exists(file.path.string() + ".part"));
}

TEST_CASE("piv: files that are no images are named", "[piv]") {
  CHECK(reading("/nonexistent/sporos.png").find("/nonexistent/sporos.png") !=
        std::string::npos);
  const File file("sporos_piv_no_image_test");
  for (const std::string content :
       {"", "something else", "P5 3 x", "P5 3 4 255\n1234"}) {
    std::ofstream(file.path) << content;
    CAPTURE(content);
    CHECK(reading(file.path.string()).find("sporos_piv_no_image_test") !=
          std::string::npos);
  }
  CHECK_THROWS_AS(write_grey("/nonexistent/sporos.pgm", ramp(2, 2, 8)),
                  std::runtime_error);
}

// Found by fuzzing (tests/fuzz).
TEST_CASE("piv: headers that promise more than there is", "[piv]") {
  const File file("sporos_piv_promise_test");
  const auto complaint = [&](const std::string& content) {
    std::ofstream(file.path, std::ios::binary) << content;
    const std::string text  = reading(file.path.string());
    const std::string start = "cannot read " + file.path.string() + ": ";
    return text.rfind(start, 0) == 0 ? text.substr(start.size()) : text;
  };
  using namespace std::string_literals;
  CHECK(complaint("P5 2 1 100\n\x05\x65") ==
        "it has a value above the largest one of its header");
  CHECK(complaint("P5 2 1 1000\n\0\5\3\xe9"s) ==
        "it has a value above the largest one of its header");
  CHECK(complaint("P5 2 1 100\n\x05\x64") == "");
  CHECK(complaint("P5 31622 31622 65535\n\1\2") == "it ends early");
  if (!has_png()) return;
  // 100000 x 100000 pixels: 10 GB
  CHECK(complaint("\x89PNG\r\n\x1a\n\0\0\0\rIHDR"
                  "\0\1\x86\xa0\0\1\x86\xa0\b\0\0\0\0"
                  "\x8d\x39\x54\x14"
                  "\0\0\0\0IDAT\x35\xaf\6\x1e"s) == "it ends early");
}

TEST_CASE("piv: flows move as they say", "[piv]") {
  Options o;
  o.width        = 201;
  o.height       = 101;
  o.displacement = 4;
  o.core         = 0.25;  // radius 25.25

  o.flow         = "uniform";
  o.angle        = 90;
  const Vector u = Flow(o).displacement({3, 8});
  CHECK(u.x == Approx(0).margin(1e-12));
  CHECK(u.y == Approx(4));

  o.flow = "shear";
  CHECK(Flow(o).displacement({7, 50}).x == Approx(0).margin(1e-12));
  CHECK(Flow(o).displacement({7, 100.5}).x == Approx(4));
  CHECK(Flow(o).displacement({7, 75}).y == 0);

  o.flow = "vortex";
  const Flow vortex(o);
  const auto speed = [&](double r) {
    const Vector d = vortex.displacement({100 + r, 50});
    CHECK(d.x == Approx(0).margin(1e-12));  // along the circle
    return d.y;
  };
  CHECK(speed(0) == Approx(0).margin(1e-12));
  CHECK(speed(25.25) == Approx(4).epsilon(0.01));
  CHECK(speed(12.625) == Approx(2).epsilon(0.01));
  CHECK(speed(50.5) == Approx(2).epsilon(0.01));
  // there and back again
  const Vector p = vortex.moved(vortex.moved({60, 20}, 0.5), -0.5);
  CHECK(p.x == Approx(60));
  CHECK(p.y == Approx(20));
}

TEST_CASE("piv: synthetic images", "[piv]") {
  Options o;
  o.width         = 160;
  o.height        = 128;
  o.noise         = 0;
  o.flow          = "uniform";
  o.angle         = 0;
  o.bits          = 16;
  const auto pair = synthetic_pair(o);
  // the same particles, 5 pixels further right
  double difference = 0, sum = 0;
  for (int y = 0; y < o.height; ++y)
    for (int x = 0; x + 5 < o.width; ++x) {
      difference = Sporos::Test::larger_error(
          difference,
          std::abs(double(pair.second(y, x + 5) - pair.first(y, x))));
      sum += double(pair.first(y, x)) - 0.05;
    }
  CHECK(difference < 2e-5);
  // a particle is a Gauss function of volume pi d^2 / 8
  const double particle = 3.14159265 * 2.5 * 2.5 / 8 * 0.75 * 0.75;
  CHECK(sum / (o.height * (o.width - 5.)) ==
        Approx(o.density * particle).epsilon(0.1));

  CHECK(synthetic_pair(o).first.values == pair.first.values);
  o.seed = 2;
  CHECK(synthetic_pair(o).first.values != pair.first.values);
  o.density        = 1e-5;
  o.noise          = 0.01;
  const auto noise = synthetic_pair(o).first;
  double squares   = 0;
  for (const float v : noise.values) squares += std::pow(double(v) - 0.05, 2);
  CHECK(std::sqrt(squares / double(noise.values.size())) ==
        Approx(0.01).epsilon(0.1));
}
