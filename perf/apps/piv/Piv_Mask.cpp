// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Piv_Mask.hpp"

#include <algorithm>
#include <cmath>
#include <fstream>
#include <sstream>
#include <stdexcept>

namespace PivApp {
namespace {

std::int64_t pixels_of(const MaskPixels& mask) {
  return std::int64_t(mask.extent(0)) * std::int64_t(mask.extent(1));
}

/// Pixels within polygons, whose corners stand one after another.
struct Rasterise {
  Kokkos::View<double* [2], Kokkos::LayoutRight, Exec> corners;  ///< x, y
  Kokkos::View<int*, Kokkos::LayoutRight, Exec> first;  ///< of each, and an end
  MaskPixels mask;

  KOKKOS_FUNCTION bool contains(int polygon, double x, double y) const {
    bool inside = false;
    for (int k = first(polygon), before = first(polygon + 1) - 1;
         k < first(polygon + 1); before = k++) {
      const double ya = corners(before, 1), yb = corners(k, 1);
      if ((ya > y) == (yb > y)) continue;
      const double xa = corners(before, 0), xb = corners(k, 0);
      if (x < xa + (xb - xa) * ((y - ya) / (yb - ya))) inside = !inside;
    }
    return inside;
  }
  KOKKOS_FUNCTION void operator()(std::int64_t pixel) const {
    const int w = int(mask.extent(1)), y = int(pixel / w), x = int(pixel % w);
    bool inside = false;
    for (int p = 0; p + 1 < int(first.extent(0)); ++p)
      inside = inside || contains(p, x, y);
    mask(y, x) = inside ? 1 : 0;
  }
};

/// Sums over a row of pixels that are not masked, and their number.
struct SumRows {
  Pixels image;
  MaskPixels mask;
  int reach;
  Pixels sums, counts;

  KOKKOS_FUNCTION void operator()(std::int64_t pixel) const {
    const int w = int(mask.extent(1)), y = int(pixel / w), x = int(pixel % w);
    const int begin = x > reach ? x - reach : 0;
    const int end   = x + reach < w ? x + reach + 1 : w;
    double sum = 0, count = 0;
    for (int k = begin; k < end; ++k)
      if (mask(y, k) == 0) {
        sum += double(image(y, k));
        count += 1;
      }
    sums(y, x)   = float(sum);
    counts(y, x) = float(count);
  }
};

struct FillFromColumns {
  Pixels sums, counts;
  MaskPixels mask;
  int reach;
  Pixels image;

  KOKKOS_FUNCTION void operator()(std::int64_t pixel) const {
    const int w = int(mask.extent(1)), y = int(pixel / w), x = int(pixel % w);
    if (mask(y, x) == 0) return;
    const int h     = int(mask.extent(0));
    const int begin = y > reach ? y - reach : 0;
    const int end   = y + reach < h ? y + reach + 1 : h;
    double sum = 0, count = 0;
    for (int k = begin; k < end; ++k) {
      sum += double(sums(k, x));
      count += double(counts(k, x));
    }
    image(y, x) = count > 0 ? float(sum / count) : 0.f;
  }
};

struct MarkMasked {
  MaskPixels mask;
  WindowGrid grid;
  double share;
  Marks marks;

  KOKKOS_FUNCTION void operator()(std::int64_t n) const {
    int covered = 0;
    const int x = grid.left(int(n)), y = grid.top(int(n));
    for (int k = 0; mask.data() != nullptr && k < grid.window * grid.window;
         ++k)
      covered += mask(y + k / grid.window, x + k % grid.window);
    marks(n) = covered > share * grid.window * grid.window ? Status::masked
                                                           : Status::found;
  }
};

[[noreturn]] void wrong(const std::string& path, int line,
                        const std::string& why) {
  throw std::runtime_error("cannot read " + path + ": line " +
                           std::to_string(line) + ": " + why);
}

}  // namespace

std::vector<Polygon> read_polygons(const std::string& path) {
  std::ifstream in(path);
  if (!in) throw std::runtime_error("cannot read " + path);
  std::vector<Polygon> polygons;
  Polygon polygon;
  std::string text;
  int line         = 0;
  const auto close = [&] {
    if (!polygon.empty() && polygon.size() < 3)
      wrong(path, line, "a polygon has three vertices or more");
    if (!polygon.empty()) polygons.push_back(std::move(polygon));
    polygon.clear();
  };
  while (std::getline(in, text)) {
    ++line;
    const bool comment = text.find('#') != std::string::npos;
    text.resize(std::min(text.size(), text.find('#')));
    std::replace(text.begin(), text.end(), ',', ' ');
    if (text.find_first_not_of(" \t\r") == std::string::npos) {
      if (!comment) close();
      continue;
    }
    std::istringstream words(text);
    Corner c{};
    if (!(words >> c.x >> c.y) || !(words >> std::ws).eof() ||
        std::max(std::abs(c.x), std::abs(c.y)) > 1e6)
      wrong(path, line, "two numbers from -1e6 to 1e6 are needed: x y");
    polygon.push_back(c);
  }
  close();
  if (polygons.empty()) wrong(path, line, "there is no polygon");
  return polygons;
}

MaskPixels mask_of(const Exec& exec, const std::vector<Polygon>& polygons,
                   int width, int height) {
  if (polygons.empty()) return {};
  std::size_t all = 0;
  for (const auto& polygon : polygons) all += polygon.size();
  Rasterise r;
  r.corners = allocated<decltype(r.corners)>("piv::corners", all);
  r.first   = allocated<decltype(r.first)>("piv::first", polygons.size() + 1);
  r.mask    = allocated<MaskPixels>("piv::mask", height, width);
  const auto corners = Kokkos::create_mirror_view(r.corners);
  const auto first   = Kokkos::create_mirror_view(r.first);
  int k              = 0;
  first(0)           = 0;
  for (std::size_t p = 0; p < polygons.size(); ++p) {
    for (const Corner& c : polygons[p]) {
      corners(k, 0)   = c.x;
      corners(k++, 1) = c.y;
    }
    first(p + 1) = k;
  }
  Kokkos::deep_copy(exec, r.corners, corners);
  Kokkos::deep_copy(exec, r.first, first);
  for_each("piv::rasterise", exec, pixels_of(r.mask), r);
  exec.fence();
  return r.mask;
}

void fill_masked(const Exec& exec, const MaskPixels& mask, int reach,
                 const Pixels& image) {
  const int h = int(mask.extent(0)), w = int(mask.extent(1));
  const auto sums   = allocated<Pixels>("piv::sums", h, w);
  const auto counts = allocated<Pixels>("piv::counts", h, w);
  for_each("piv::sum_rows", exec, pixels_of(mask),
           SumRows{image, mask, reach, sums, counts});
  for_each("piv::fill_masked", exec, pixels_of(mask),
           FillFromColumns{sums, counts, mask, reach, image});
  exec.fence();
}

void mark_masked(const Exec& exec, const MaskPixels& mask,
                 const WindowGrid& grid, double share, const Marks& marks) {
  for_each("piv::mark_masked", exec, grid.size(),
           MarkMasked{mask, grid, share, marks});
}

}  // namespace PivApp
