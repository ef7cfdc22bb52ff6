// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Follows a patch of an image through a film: where is it in each frame? The
// patch is compared with the search region around the last place; while the
// best shift lies at the edge of what was looked at, the region moves there.
// All regions are strided parts of the film, and one plan serves them all.
// Plain loops do the same, to compare.
#include <Sporos_CrossCorrelate.hpp>

#include <cmath>
#include <cstdio>
#include <cstring>
#include <utility>
#include <vector>

namespace {

using Exec = Kokkos::DefaultExecutionSpace;
// (y, x, frame): frames interleaved, as the camera delivers them
using Film    = Kokkos::View<float***, Kokkos::LayoutRight>;
using Image   = Kokkos::View<const float**, Kokkos::LayoutStride>;
using Surface = Kokkos::View<double**>;

constexpr int height = 90, width = 110, frames = 5;
constexpr int patch_h = 24, patch_w = 28;  // patch of frame 0, at (33, 41)
constexpr int patch_y = 33, patch_x = 41;
constexpr int radius = 3, margin = 8;  // of shifts; of the search region

struct Place {
  int y, x;
};

/// Where the patch is in each frame.
constexpr Place truth[frames] = {
    {33, 41}, {36, 38}, {43, 39}, {45, 48}, {38, 46}};

Film make_film() {
  const Film film("film", height, width, frames);
  const auto host = Kokkos::create_mirror_view(film);
  for (int f = 0; f < frames; ++f)
    for (int y = 0; y < height; ++y)
      for (int x = 0; x < width; ++x) {
        const double v = y - truth[f].y, u = x - truth[f].x;
        double light = 0.1 * std::sin(0.05 * (x + y) + f);  // background
        for (int k = 0; k < 12; ++k) {                      // blobs
          const double dy = v - (k * 7) % patch_h, dx = u - (k * 11) % patch_w;
          light += (1 + k % 3) * std::exp(-(dy * dy + dx * dx) / 25);
        }
        host(y, x, f) = float(light);
      }
  Kokkos::deep_copy(film, host);
  return film;
}

Image region(const Film& film, int frame, int y, int x, int h, int w) {
  return Kokkos::subview(film, std::make_pair(y, y + h),
                         std::make_pair(x, x + w), frame);
}

/// What a method must give: all surfaces in turn, and the places found.
struct Result {
  std::vector<double> values;
  std::vector<Place> places;
};

/// correlate(region, patch, surface) is the method that is tried.
template <class Correlate>
Result follow(const Exec& exec, const Film& film, const Correlate& correlate) {
  constexpr int shifts = 2 * radius + 1;
  const Image patch    = region(film, 0, patch_y, patch_x, patch_h, patch_w);
  const Surface surface("surface", shifts, shifts);
  const auto host = Kokkos::create_mirror_view(surface);
  Result result;
  Place place{patch_y, patch_x};
  for (int frame = 0; frame < frames; ++frame)
    for (int attempt = 0; attempt < 8; ++attempt) {
      correlate(region(film, frame, place.y - margin, place.x - margin,
                       patch_h + 2 * margin, patch_w + 2 * margin),
                patch, surface);
      Kokkos::deep_copy(exec, host, surface);
      exec.fence();
      Place best{0, 0};
      for (int i = 0; i < shifts; ++i)
        for (int j = 0; j < shifts; ++j) {
          result.values.push_back(host(i, j));
          if (host(i, j) > host(best.y, best.x)) best = {i, j};
        }
      place = {place.y + best.y - radius, place.x + best.x - radius};
      const bool at_edge = best.y == 0 || best.y == shifts - 1 || best.x == 0 ||
                           best.x == shifts - 1;
      if (at_edge) continue;
      result.places.push_back(place);
      break;
    }
  return result;
}

Result follow_with_sporos(const Exec& exec, const Film& film) {
  Sporos::CorrelateOptions options;
  options.mode      = Sporos::CorrelateMode::window;
  options.window    = {margin - radius, margin + radius + 1,  //
                       margin - radius, margin + radius + 1};
  options.normalize = Sporos::Normalize::whole;
  // Only the types and extents of these matter.
  const Image patch = region(film, 0, patch_y, patch_x, patch_h, patch_w);
  const Image search =
      region(film, 0, 0, 0, patch_h + 2 * margin, patch_w + 2 * margin);
  const Sporos::CrossCorrelatePlan plan(exec, search, patch, Surface(),
                                        options);
  return follow(exec, film,
                [&](const Image& left, const Image& right, const Surface& out) {
                  Sporos::cross_correlate(exec, plan, left, right, out);
                });
}

/// Mean of an image on the host, and the norm of what differs from it.
template <class View>
std::pair<double, double> moments(const View& a) {
  const int h = int(a.extent(0)), w = int(a.extent(1));
  double mean = 0, squares = 0;
  for (int y = 0; y < h; ++y)
    for (int x = 0; x < w; ++x) mean += double(a(y, x)) / (h * w);
  for (int y = 0; y < h; ++y)
    for (int x = 0; x < w; ++x) squares += (a(y, x) - mean) * (a(y, x) - mean);
  return {mean, std::sqrt(squares)};
}

Result follow_plainly(const Exec& exec, const Film& film) {
  const auto copy = [](const Image& image) {  // packed, on the host
    const Kokkos::View<float**> packed("packed", image.extent(0),
                                       image.extent(1));
    Kokkos::deep_copy(packed, image);
    return Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), packed);
  };
  return follow(
      exec, film,
      [&](const Image& image, const Image& patch, const Surface& surface) {
        const auto left = copy(image), right = copy(patch);
        const auto [mean_l, norm_l] = moments(left);
        const auto [mean_r, norm_r] = moments(right);
        const auto out              = Kokkos::create_mirror_view(surface);
        for (int i = 0; i <= 2 * radius; ++i)
          for (int j = 0; j <= 2 * radius; ++j) {
            double sum = 0;
            for (int y = 0; y < patch_h; ++y)
              for (int x = 0; x < patch_w; ++x)
                sum += (left(y + margin - radius + i, x + margin - radius + j) -
                        mean_l) *
                       (right(y, x) - mean_r);
            out(i, j) = sum / (norm_l * norm_r);
          }
        Kokkos::deep_copy(surface, out);
      });
}

}  // namespace

int main(int argc, char* argv[]) {
  Kokkos::ScopeGuard kokkos(argc, argv);
  const Exec exec{};
  const Film film = make_film();
  const Result a  = follow_with_sporos(exec, film);
  const Result b  = follow_with_sporos(exec, film);
  const Result p  = follow_plainly(exec, film);

  const std::size_t n = a.values.size();
  const bool alike    = n == p.values.size() && n == b.values.size();
  const bool repeated = alike && std::memcmp(a.values.data(), b.values.data(),
                                             n * sizeof(double)) == 0;
  bool close = alike, found = a.places.size() == frames;
  double off = 0;
  for (std::size_t k = 0; alike && k < n; ++k) {
    off   = std::fmax(off, std::abs(a.values[k] - p.values[k]));
    close = close && std::abs(a.values[k] - p.values[k]) < 1e-13;
  }
  for (std::size_t f = 0; f < a.places.size(); ++f) {
    std::printf("frame %d: (%d, %d)\n", int(f), a.places[f].y, a.places[f].x);
    found = found && a.places[f].y == truth[f].y && a.places[f].x == truth[f].x;
  }
  std::printf(
      "%d surfaces differ by %.1e from plain loops; a second run has "
      "%s bits\n",
      int(n) / ((2 * radius + 1) * (2 * radius + 1)), off,
      repeated ? "the same" : "OTHER");
  return close && found && repeated ? 0 : 1;
}
