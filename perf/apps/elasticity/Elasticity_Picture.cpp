// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Elasticity_Picture.hpp"

#include <App_ColorMaps.hpp>
#include <App_Output.hpp>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>
#include <map>
#include <utility>
#include <vector>

namespace ElasticityApp {
namespace {

using AppCommon::Color;
using AppCommon::Image;

using Triangle = std::array<int, 3>;

/// The triangles of the faces that belong to one cell alone, and the edges of
/// these faces.
struct Surface {
  std::vector<Triangle> triangles;
  std::vector<std::array<int, 2>> edges;
};

/// The corners of a face around it.
std::vector<int> around(std::vector<int> corners) {
  // the numbers of those of a cube ascend; the lower and the upper one have
  // them in order
  if (corners.size() == 4 && corners[3] != corners[0] + 3)
    std::swap(corners[2], corners[3]);
  return corners;
}

Surface surface_of(const LocalMesh& m) {
  const std::vector<int> nodes = m.cell_nodes.to_host();
  const auto in_cell           = faces(m.shape, 1);
  const std::size_t arity      = std::size_t(m.cell_nodes.arity());
  std::map<std::vector<int>, std::pair<int, std::vector<int>>> count;
  for (std::size_t c = 0; c < nodes.size() / arity; ++c)
    for (const auto& face : in_cell) {
      std::vector<int> corners;
      for (const int k : around(face))
        corners.push_back(nodes[c * arity + std::size_t(k)]);
      auto name = corners;
      std::sort(name.begin(), name.end());
      auto& entry = count[name];
      ++entry.first;
      entry.second = corners;
    }
  Surface s;
  for (const auto& named : count) {
    if (named.second.first > 1) continue;
    const std::vector<int>& f = named.second.second;
    for (std::size_t k = 2; k < f.size(); ++k)
      s.triangles.push_back({f[0], f[k - 1], f[k]});
    for (std::size_t k = 0; k < f.size(); ++k)
      s.edges.push_back({f[k], f[(k + 1) % f.size()]});
  }
  return s;
}

/// A node on the picture: pixels, depth, and the number that colours show.
struct Spot {
  double x, y, depth, value;
};

/// The nodes where they are after the deformation.
struct Scene {
  std::vector<Spot> spots;
  double most = 0;  ///< the largest displacement
};

Scene scene_of(const LocalMesh& m, const Model& model) {
  const std::vector<double> x = m.coordinates.to_host(), u = model.solution();
  const std::size_t n = x.size() / 3, parts = std::size_t(model.components());
  Scene s;
  double width = 0;
  for (std::size_t k = 0; k < n; ++k) {
    double square = 0;
    for (std::size_t c = 0; c < parts; ++c)
      square += u[k * parts + c] * u[k * parts + c];
    s.most = std::max(s.most, std::sqrt(square));
    width  = std::max(width, std::fabs(x[3 * k] - x[0]));
  }
  const double scale = parts == 3 && s.most > 0 ? .2 * width / s.most : 0;
  for (std::size_t k = 0; k < n; ++k) {
    double at[3], square = 0;
    for (std::size_t d = 0; d < 3; ++d)
      at[d] = x[3 * k + d] + (parts == 3 ? scale * u[3 * k + d] : 0);
    for (std::size_t c = 0; c < parts; ++c)
      square += u[k * parts + c] * u[k * parts + c];
    // from the front, 30 degrees from the left and 25 from above
    const double right = .87 * at[0] + .5 * at[1],
                 away  = -.5 * at[0] + .87 * at[1];
    s.spots.push_back({right, -.91 * at[2] - .42 * away,
                       .91 * away - .42 * at[2], std::sqrt(square)});
  }
  return s;
}

/// Moves the spots into a picture of this width. \return its height
int fit(Scene& s, int width) {
  double low[2] = {1e300, 1e300}, high[2] = {-1e300, -1e300};
  for (const Spot& p : s.spots) {
    low[0]  = std::min(low[0], p.x);
    low[1]  = std::min(low[1], p.y);
    high[0] = std::max(high[0], p.x);
    high[1] = std::max(high[1], p.y);
  }
  const double margin = .05 * width, scale = (width - 2 * margin) /
                                             std::max(high[0] - low[0], 1e-300);
  for (Spot& p : s.spots) {
    p.x = margin + scale * (p.x - low[0]);
    p.y = margin + scale * (p.y - low[1]);
  }
  return std::min(2 * width, int(scale * (high[1] - low[1]) + 3 * margin));
}

/// Pixels with the depth of what they show.
class Canvas {
 public:
  Canvas(int width, int height)
      : m_image(width, height, {{.1f, .1f, .12f}}),
        m_depth(std::size_t(width) * std::size_t(height),
                std::numeric_limits<double>::infinity()) {}

  void fill(const Spot& a, const Spot& b, const Spot& c, double most) {
    const double area = (b.x - a.x) * (c.y - a.y) - (b.y - a.y) * (c.x - a.x);
    if (area == 0) return;
    const auto first = [](double v) { return std::max(0, int(v)); };
    const int right  = std::min(m_image.width() - 1,
                                int(std::max({a.x, b.x, c.x}) + 1)),
              bottom = std::min(m_image.height() - 1,
                                int(std::max({a.y, b.y, c.y}) + 1));
    for (int j = first(std::min({a.y, b.y, c.y})); j <= bottom; ++j)
      for (int i = first(std::min({a.x, b.x, c.x})); i <= right; ++i) {
        const double s = ((i - a.x) * (c.y - a.y) - (j - a.y) * (c.x - a.x)) /
                         area,
                     t = ((b.x - a.x) * (j - a.y) - (b.y - a.y) * (i - a.x)) /
                         area;
        if (s < -1e-9 || t < -1e-9 || s + t > 1 + 1e-9) continue;
        const double value =
            a.value + s * (b.value - a.value) + t * (c.value - a.value);
        const double depth =
            a.depth + s * (b.depth - a.depth) + t * (c.depth - a.depth);
        put(i, j, depth,
            AppCommon::color_of(AppCommon::ColorMap::viridis,
                                most > 0 ? value / most : 0));
      }
  }
  /// A line a little in front of what it is on.
  void line(const Spot& a, const Spot& b, double lift) {
    const int steps =
        1 + int(std::max(std::fabs(b.x - a.x), std::fabs(b.y - a.y)));
    for (int k = 0; k <= steps; ++k) {
      const double t = double(k) / steps;
      const int i = int(a.x + t * (b.x - a.x)), j = int(a.y + t * (b.y - a.y));
      if (i < 0 || j < 0 || i >= m_image.width() || j >= m_image.height())
        continue;
      const double depth = a.depth + t * (b.depth - a.depth) - lift;
      if (depth > m_depth[index(i, j)]) continue;
      m_image.set(i, j, AppCommon::mix(m_image(i, j), {{0, 0, 0}}, .35f));
    }
  }
  Image& image() { return m_image; }

 private:
  std::size_t index(int i, int j) const {
    return std::size_t(j) * std::size_t(m_image.width()) + std::size_t(i);
  }
  void put(int i, int j, double depth, const Color& color) {
    if (!(depth < m_depth[index(i, j)])) return;
    m_depth[index(i, j)] = depth;
    m_image.set(i, j, color);
  }

  Image m_image;
  std::vector<double> m_depth;
};

}  // namespace

Image draw(const LocalMesh& mesh, const Model& model, const Options& options) {
  const Surface surface = surface_of(mesh);
  Scene scene           = scene_of(mesh, model);
  const int height      = fit(scene, options.pixels);
  Canvas canvas(options.pixels, height);
  const auto spot = [&](int k) { return scene.spots[std::size_t(k)]; };
  for (const Triangle& t : surface.triangles)
    canvas.fill(spot(t[0]), spot(t[1]), spot(t[2]), scene.most);
  for (const auto& e : surface.edges) canvas.line(spot(e[0]), spot(e[1]), .01);
  const float size = float(options.pixels) / 50;
  canvas.image().text(
      size, float(height) - size, size,
      AppCommon::formatted("largest displacement %.4g", scene.most),
      {{1, 1, 1}});
  return std::move(canvas.image());
}

}  // namespace ElasticityApp
