// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "App_Image.hpp"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <map>
#include <stdexcept>

// Where libpng is missing, pictures are plain PPM files.
#ifdef SPOROS_HAVE_PNG
#include <png.h>
#endif

namespace AppCommon {

Color mix(const Color& a, const Color& b, float t) {
  Color c;
  for (size_t k = 0; k < 3; ++k) c[k] = a[k] + t * (b[k] - a[k]);
  return c;
}

DistanceMap::DistanceMap(int width, int height, float limit)
    : m_width(width),
      m_height(height),
      m_limit(limit),
      m_distance(static_cast<size_t>(width) * static_cast<size_t>(height),
                 limit) {}

void DistanceMap::add(const Path& path) {
  for (size_t k = 0; k + 1 < path.size(); ++k) {
    const Pixel a = path[k], b = path[k + 1];
    const auto low = [&](float u, float v) {
      return std::max(0, static_cast<int>(std::min(u, v) - m_limit));
    };
    const auto high = [&](float u, float v, int end) {
      return std::min(end - 1, static_cast<int>(std::max(u, v) + m_limit));
    };
    const float dx = b.x - a.x, dy = b.y - a.y;
    const float square = std::max(dx * dx + dy * dy, 1e-12f);
    for (int y = low(a.y, b.y); y <= high(a.y, b.y, m_height); ++y)
      for (int x = low(a.x, b.x); x <= high(a.x, b.x, m_width); ++x) {
        const float px = static_cast<float>(x) + 0.5f - a.x;
        const float py = static_cast<float>(y) + 0.5f - a.y;
        const float t =
            std::min(1.f, std::max(0.f, (px * dx + py * dy) / square));
        float& d =
            m_distance[static_cast<size_t>(y) * static_cast<size_t>(m_width) +
                       static_cast<size_t>(x)];
        d = std::min(d, std::hypot(px - t * dx, py - t * dy));
      }
  }
}

void DistanceMap::add_dashed(const Path& path, float on, float off) {
  // cut into short pieces, so that dashes begin and end anywhere
  float length = 0;
  for (size_t k = 0; k + 1 < path.size(); ++k) {
    const Pixel a = path[k], b = path[k + 1];
    const float piece = std::hypot(b.x - a.x, b.y - a.y);
    const int parts   = 1 + static_cast<int>(piece);
    for (int p = 0; p < parts; ++p) {
      const float s = static_cast<float>(p) / static_cast<float>(parts);
      const float t = static_cast<float>(p + 1) / static_cast<float>(parts);
      if (std::fmod(length + s * piece, on + off) < on)
        add({{a.x + s * (b.x - a.x), a.y + s * (b.y - a.y)},
             {a.x + t * (b.x - a.x), a.y + t * (b.y - a.y)}});
    }
    length += piece;
  }
}

Image::Image(int width, int height, const Color& color)
    : m_width(width),
      m_height(height),
      m_pixels(static_cast<size_t>(width) * static_cast<size_t>(height),
               color) {}

void Image::draw(const DistanceMap& map, float line_width, const Color& color,
                 float opacity) {
  for (int y = 0; y < m_height; ++y)
    for (int x = 0; x < m_width; ++x) {
      const float cover =
          std::min(1.f, std::max(0.f, line_width / 2 + 0.5f - map(x, y)));
      if (cover > 0) (*this)(x, y) = mix((*this)(x, y), color, cover * opacity);
    }
}

void Image::glow(const DistanceMap& map, float radius, const Color& color,
                 float opacity) {
  for (int y = 0; y < m_height; ++y)
    for (int x = 0; x < m_width; ++x) {
      const float d = map(x, y) / radius;
      if (d < 3)
        (*this)(x, y) = mix((*this)(x, y), color, opacity * std::exp(-d * d));
    }
}

namespace {

/// Strokes of a character in a box 4 wide and 6 high, y up.
using Glyph = std::vector<Path>;

/// Arc around (x, y) from one angle to another in degrees.
Path arc(float x, float y, float rx, float ry, float from, float to) {
  Path path;
  for (int k = 0; k <= 12; ++k) {
    const float angle =
        (from + (to - from) * static_cast<float>(k) / 12.f) * 0.0174532925f;
    path.push_back({x + rx * std::cos(angle), y + ry * std::sin(angle)});
  }
  return path;
}

Path joined(Path a, const Path& b) {
  a.insert(a.end(), b.begin(), b.end());
  return a;
}

const Glyph& glyph(char c) {
  static const std::map<char, Glyph> glyphs{
      {'0', {arc(2, 3, 1.8f, 3, 0, 360)}},
      {'1', {{{0.8f, 4.7f}, {2.2f, 6}, {2.2f, 0}}}},
      {'2',
       {joined(arc(2, 4.3f, 1.7f, 1.7f, 165, -35), {{0.2f, 0}, {3.9f, 0}})}},
      {'3',
       {arc(1.9f, 4.5f, 1.6f, 1.5f, 150, -90),
        arc(1.9f, 1.5f, 1.8f, 1.5f, 90, -150)}},
      {'4', {{{3.9f, 1.6f}, {0.1f, 1.6f}, {2.9f, 6}, {2.9f, 0}}}},
      {'5',
       {joined({{3.5f, 6}, {0.7f, 6}, {0.5f, 3.3f}},
               arc(1.9f, 1.9f, 1.9f, 1.9f, 125, -145))}},
      {'6',
       {arc(2, 1.9f, 1.8f, 1.9f, 0, 360),
        {{0.25f, 2.3f}, {0.9f, 4.2f}, {2.6f, 6}}}},
      {'7', {{{0.2f, 6}, {3.8f, 6}, {1.4f, 0}}}},
      {'8',
       {arc(2, 4.5f, 1.5f, 1.5f, 0, 360), arc(2, 1.5f, 1.8f, 1.5f, 0, 360)}},
      {'9',
       {arc(2, 4.1f, 1.8f, 1.9f, 0, 360),
        {{3.75f, 3.7f}, {3.1f, 1.8f}, {1.4f, 0}}}},
      {'.', {arc(2, 0.2f, 0.15f, 0.15f, 0, 360)}},
      {'-', {{{0.5f, 2.8f}, {3.5f, 2.8f}}}},
      {'+', {{{0.4f, 2.8f}, {3.6f, 2.8f}}, {{2, 1.2f}, {2, 4.4f}}}},
      {'=', {{{0.4f, 2}, {3.6f, 2}}, {{0.4f, 3.7f}, {3.6f, 3.7f}}}},
      {'t',
       {joined({{1.6f, 5.4f}, {1.6f, 1.2f}},
               arc(2.6f, 1.2f, 1, 1.2f, 180, 290)),
        {{0.5f, 4}, {3.2f, 4}}}},
      {'w',
       {joined(
           joined({{0.9f, 4}}, arc(1.1f, 1.6f, 1, 1.6f, 150, 350)),
           joined(Path{{2.1f, 2.6f}},
                  joined(arc(3.1f, 1.6f, 1, 1.6f, 190, 390), {{3.3f, 4}})))}},
      {' ', {}}};
  const auto found = glyphs.find(c);
  return found == glyphs.end() ? glyphs.at(' ') : found->second;
}

float advance(char c) { return c == '.' ? 2.3f : c == ' ' ? 3.f : 5.6f; }

}  // namespace

float Image::text_width(float size, const std::string& text) {
  float width = 0;
  for (const char c : text) width += advance(c) * size / 6;
  return width;
}

void Image::text(float x, float y, float size, const std::string& text,
                 const Color& color, float opacity) {
  // a map of the text's own box only
  const float margin = size;
  const int left     = static_cast<int>(x - margin);
  const int top      = static_cast<int>(y - size - margin);
  const int width    = static_cast<int>(text_width(size, text) + 2 * margin);
  const int height   = static_cast<int>(size + 2 * margin);
  DistanceMap map(width, height, size / 4 + 2);
  float at = x - static_cast<float>(left);
  for (const char c : text) {
    const float from = c == '.' ? at - 1.7f * size / 6 : at;
    for (Path path : glyph(c)) {
      for (Pixel& p : path)
        p = {from + p.x * size / 6,
             y - static_cast<float>(top) - p.y * size / 6};
      map.add(path);
    }
    at += advance(c) * size / 6;
  }
  for (int j = std::max(0, -top); j < height && top + j < m_height; ++j)
    for (int i = std::max(0, -left); i < width && left + i < m_width; ++i) {
      const float cover =
          std::min(1.f, std::max(0.f, size / 18 + 0.5f - map(i, j)));
      Color& pixel = (*this)(left + i, top + j);
      pixel        = mix(pixel, color, cover * opacity);
    }
}

void Image::paste(const Image& other, int x, int y) {
  for (int j = 0; j < other.height(); ++j)
    for (int i = 0; i < other.width(); ++i)
      if (x + i < m_width && y + j < m_height)
        (*this)(x + i, y + j) = other(i, j);
}

namespace {

std::vector<unsigned char> bytes(const Image& image) {
  std::vector<unsigned char> data;
  for (int y = 0; y < image.height(); ++y)
    for (int x = 0; x < image.width(); ++x)
      for (const float part : image(x, y))
        data.push_back(static_cast<unsigned char>(
            std::min(1.f, std::max(0.f, part)) * 255 + 0.5f));
  return data;
}

}  // namespace

#ifdef SPOROS_HAVE_PNG

void Image::save(const std::string& path) const {
  png_image png{};
  png.version = PNG_IMAGE_VERSION;
  png.width   = static_cast<png_uint_32>(m_width);
  png.height  = static_cast<png_uint_32>(m_height);
  png.format  = PNG_FORMAT_RGB;
  if (!png_image_write_to_file(&png, path.c_str(), 0, bytes(*this).data(), 0,
                               nullptr))
    throw std::runtime_error("cannot write " + path + ": " + png.message);
}

const char* image_extension() { return "png"; }

#else

void Image::save(const std::string& path) const {
  const auto data = bytes(*this);
  std::FILE* file = std::fopen(path.c_str(), "wb");
  bool ok         = file != nullptr;
  ok = ok && std::fprintf(file, "P6\n%d %d\n255\n", m_width, m_height) > 0;
  ok = ok && std::fwrite(data.data(), 1, data.size(), file) == data.size();
  if (file) ok = std::fclose(file) == 0 && ok;
  if (!ok) throw std::runtime_error("cannot write " + path);
}

const char* image_extension() { return "ppm"; }

#endif

}  // namespace AppCommon
