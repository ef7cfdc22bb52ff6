// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "App_Image.hpp"

#include "App_WholeFile.hpp"

#include <algorithm>
#include <cmath>

#ifdef SPOROS_HAVE_CAIRO
#include <cairo.h>

#include <memory>
#endif

namespace AppCommon {

Color unpacked(std::uint32_t word) {
  return {{static_cast<float>(word >> 16 & 255) / 255,
           static_cast<float>(word >> 8 & 255) / 255,
           static_cast<float>(word & 255) / 255}};
}

Color mix(const Color& a, const Color& b, float t) {
  Color c;
  for (std::size_t k = 0; k < 3; ++k) c[k] = a[k] + t * (b[k] - a[k]);
  return c;
}

namespace {

std::uint32_t packed(const Color& color) {
  std::uint32_t word = 0;
  for (const float part : color)
    word = word << 8 | static_cast<std::uint32_t>(
                           std::min(1.f, std::max(0.f, part)) * 255 + 0.5f);
  return word;
}

}  // namespace

Image::Image(int width, int height, const Color& color)
    : m_width(width),
      m_height(height),
      m_pixels(
          static_cast<std::size_t>(width) * static_cast<std::size_t>(height),
          packed(color)) {}

Color Image::operator()(int x, int y) const {
  return unpacked(m_pixels[index(x, y)]);
}

void Image::set(int x, int y, const Color& color) {
  m_pixels[index(x, y)] = packed(color);
}

void Image::glow(const std::vector<Path>& paths, float radius,
                 const Color& color, float opacity) {
  // strokes over each other, the widest first, add up to a Gaussian
  constexpr int strokes = 12;
  float below           = 0;
  for (int k = strokes; k > 0; --k) {
    const float distance = 2.5f * static_cast<float>(k) / strokes;
    const float wanted   = opacity * std::exp(-distance * distance);
    draw(paths, {2 * distance * radius, color, 1 - (1 - wanted) / (1 - below)});
    below = wanted;
  }
}

void Image::paste(const Image& other, int x, int y) {
  for (int j = 0; j < std::min(other.height(), m_height - y); ++j)
    for (int i = 0; i < std::min(other.width(), m_width - x); ++i)
      m_pixels[index(x + i, y + j)] = other.m_pixels[other.index(i, j)];
}

#ifdef SPOROS_HAVE_CAIRO

bool can_draw() { return true; }

std::string drawn(const std::string& names) { return names; }

namespace {

using Surface = std::unique_ptr<cairo_surface_t, void (*)(cairo_surface_t*)>;
using Context = std::unique_ptr<cairo_t, void (*)(cairo_t*)>;

/// cairo takes no const pixels, but changes none in what it saves.
Surface surface_of(const std::uint32_t* pixels, int width, int height) {
  auto* bytes =
      reinterpret_cast<unsigned char*>(const_cast<std::uint32_t*>(pixels));
  return Surface(cairo_image_surface_create_for_data(bytes, CAIRO_FORMAT_RGB24,
                                                     width, height, 4 * width),
                 cairo_surface_destroy);
}

/// What draws in a colour.
Context context_of(const Surface& surface, const Color& color, float opacity) {
  Context c(cairo_create(surface.get()), cairo_destroy);
  cairo_set_source_rgba(c.get(), double(color[0]), double(color[1]),
                        double(color[2]), double(opacity));
  return c;
}

/// A digit of the font is 0.73 of its size high.
void choose_font(const Context& c, float size) {
  cairo_select_font_face(c.get(), "sans-serif", CAIRO_FONT_SLANT_NORMAL,
                         CAIRO_FONT_WEIGHT_NORMAL);
  cairo_set_font_size(c.get(), double(size) / 0.73);
}

}  // namespace

void Image::draw(const std::vector<Path>& paths, const Stroke& s) {
  const Surface surface = surface_of(m_pixels.data(), m_width, m_height);
  const Context c       = context_of(surface, s.color, s.opacity);
  cairo_set_line_width(c.get(), double(s.width));
  cairo_set_line_cap(c.get(), CAIRO_LINE_CAP_ROUND);
  cairo_set_line_join(c.get(), CAIRO_LINE_JOIN_ROUND);
  if (s.off > 0) {
    const double dashes[] = {double(s.on), double(s.off)};
    cairo_set_line_cap(c.get(), CAIRO_LINE_CAP_BUTT);
    cairo_set_dash(c.get(), dashes, 2, 0);
  }
  for (const Path& path : paths) {
    cairo_new_sub_path(c.get());
    for (const Pixel& p : path)
      cairo_line_to(c.get(), double(p.x), double(p.y));
  }
  cairo_stroke(c.get());
}

void Image::text(float x, float y, float size, const std::string& words,
                 const Color& color, float opacity) {
  const Surface surface = surface_of(m_pixels.data(), m_width, m_height);
  const Context c       = context_of(surface, color, opacity);
  choose_font(c, size);
  cairo_move_to(c.get(), double(x), double(y));
  cairo_show_text(c.get(), words.c_str());
}

void Image::text_before(float x, float y, float size, const std::string& words,
                        const Color& color, float opacity) {
  const Surface surface = surface_of(m_pixels.data(), m_width, m_height);
  const Context c       = context_of(surface, color, opacity);
  choose_font(c, size);
  cairo_text_extents_t extents;
  cairo_text_extents(c.get(), words.c_str(), &extents);
  text(x - static_cast<float>(extents.x_advance), y, size, words, color,
       opacity);
}

void Image::save(const std::string& path) const {
  const Surface surface = surface_of(m_pixels.data(), m_width, m_height);
  write_whole(path, [&](const std::string& part) -> std::string {
    const auto status = cairo_surface_write_to_png(surface.get(), part.c_str());
    return status == CAIRO_STATUS_SUCCESS ? "" : cairo_status_to_string(status);
  });
}

#else

bool can_draw() { return false; }

std::string drawn(const std::string&) {
  return "no pictures (this build has no cairo)";
}

void Image::draw(const std::vector<Path>&, const Stroke&) {}
void Image::text(float, float, float, const std::string&, const Color&, float) {
}
void Image::text_before(float, float, float, const std::string&, const Color&,
                        float) {}
void Image::save(const std::string&) const {}

#endif

}  // namespace AppCommon
