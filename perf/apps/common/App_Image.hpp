// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef SPOROS_APP_IMAGE_HPP
#define SPOROS_APP_IMAGE_HPP

/// \file App_Image.hpp
/// A small canvas with smooth lines and line-drawn text, saved as PNG.

#include <array>
#include <string>
#include <vector>

namespace AppCommon {

using Color = std::array<float, 3>;  ///< red, green, blue in [0, 1]

/// A point in pixels from the upper left corner.
struct Pixel {
  float x, y;
};
using Path = std::vector<Pixel>;

/// The colour between a (at 0) and b (at 1).
Color mix(const Color& a, const Color& b, float t);

/// Distance of every pixel to a set of paths, as far as it is below a limit.
class DistanceMap {
 public:
  DistanceMap(int width, int height, float limit);

  /// Adds an open path.
  void add(const Path& path);
  /// Adds dashes along an open path.
  void add_dashed(const Path& path, float on, float off);
  float operator()(int x, int y) const {
    return m_distance[static_cast<size_t>(y) * static_cast<size_t>(m_width) +
                      static_cast<size_t>(x)];
  }

 private:
  int m_width, m_height;
  float m_limit;
  std::vector<float> m_distance;
};

/// A picture.
class Image {
 public:
  Image(int width, int height, const Color& color = {{0, 0, 0}});

  int width() const { return m_width; }
  int height() const { return m_height; }
  Color& operator()(int x, int y) { return m_pixels[index(x, y)]; }
  const Color& operator()(int x, int y) const { return m_pixels[index(x, y)]; }

  /// Draws everything of the map as smooth lines of this width.
  void draw(const DistanceMap& map, float line_width, const Color& color,
            float opacity = 1);
  /// Draws a soft halo around everything of the map.
  void glow(const DistanceMap& map, float radius, const Color& color,
            float opacity);
  /// Writes digits, + - . = and the letters of "t" and omega ("w"); x, y is the
  /// lower left corner, size the height of a digit.
  void text(float x, float y, float size, const std::string& text,
            const Color& color, float opacity = 1);
  /// Width of a text.
  static float text_width(float size, const std::string& text);
  /// Copies another picture with its upper left corner to (x, y).
  void paste(const Image& other, int x, int y);
  /// \throws std::runtime_error that names the file that cannot be written
  void save(const std::string& path) const;

 private:
  size_t index(int x, int y) const {
    return static_cast<size_t>(y) * static_cast<size_t>(m_width) +
           static_cast<size_t>(x);
  }

  int m_width, m_height;
  std::vector<Color> m_pixels;
};

/// "png", or "ppm" in a build without libpng (SPOROS_HAVE_PNG).
const char* image_extension();

}  // namespace AppCommon

#endif
