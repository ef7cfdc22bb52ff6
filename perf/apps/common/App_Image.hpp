// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef SPOROS_APP_IMAGE_HPP
#define SPOROS_APP_IMAGE_HPP

/// \file App_Image.hpp
/// Pictures by cairo: pixels, lines and text, saved as PNG. In a build without
/// cairo (SPOROS_HAVE_CAIRO) there are pixels only, and nothing is saved.

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace AppCommon {

using Color = std::array<float, 3>;  ///< red, green, blue in [0, 1]

/// A point in pixels from the upper left corner.
struct Pixel {
  float x, y;
};
using Path = std::vector<Pixel>;

/// How lines are drawn.
struct Stroke {
  float width;
  Color color;
  float opacity = 1;
  float on = 0, off = 0;  ///< lengths of dashes and of gaps; 0: no gaps
};

/// A colour as 0xRRGGBB.
Color unpacked(std::uint32_t word);

/// The colour between a (at 0) and b (at 1).
Color mix(const Color& a, const Color& b, float t);

/// Does this build draw pictures?
bool can_draw();

/// What an application says of its pictures: their names, or why there are
/// none.
std::string drawn(const std::string& names);

/// A picture; colours are rounded to 8 bits.
class Image {
 public:
  Image(int width, int height, const Color& color = {{0, 0, 0}});

  int width() const { return m_width; }
  int height() const { return m_height; }
  Color operator()(int x, int y) const;
  void set(int x, int y, const Color& color);

  /// Draws open paths.
  void draw(const std::vector<Path>& paths, const Stroke& stroke);
  /// Draws a soft halo around open paths.
  void glow(const std::vector<Path>& paths, float radius, const Color& color,
            float opacity);
  /// Writes UTF-8 text; x, y is the lower left corner, size the height of a
  /// digit.
  void text(float x, float y, float size, const std::string& words,
            const Color& color, float opacity = 1);
  /// Writes UTF-8 text that ends at x, y.
  void text_before(float x, float y, float size, const std::string& words,
                   const Color& color, float opacity = 1);
  /// Copies another picture with its upper left corner to (x, y).
  void paste(const Image& other, int x, int y);
  /// Writes a PNG file that has its name when it is complete.
  /// \throws std::runtime_error that names the file that cannot be written
  void save(const std::string& path) const;

 private:
  std::size_t index(int x, int y) const {
    return static_cast<std::size_t>(y) * static_cast<std::size_t>(m_width) +
           static_cast<std::size_t>(x);
  }

  int m_width, m_height;
  std::vector<std::uint32_t> m_pixels;  ///< as CAIRO_FORMAT_RGB24
};

}  // namespace AppCommon

#endif
