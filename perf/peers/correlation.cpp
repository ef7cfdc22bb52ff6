// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/// A template in an image by local coefficients, and peaks of many windows of
/// two images, in one call and by a call that stores all results.

#include "Peer_Case.hpp"

#include <Sporos_CorrelatePeaks.hpp>
#include <Sporos_CrossCorrelate.hpp>

#include <cstddef>
#include <cstdint>
#include <string>

namespace Peer {
namespace {

/// Pixels 0 to 255 without a period; peers.py makes equal ones.
std::uint8_t grey(std::uint32_t y, std::uint32_t x) {
  std::uint32_t bits = y * 2654435761u + x * 2246822519u;
  bits               = (bits ^ (bits >> 15)) * 2654435761u;
  return std::uint8_t(bits >> 24);
}

template <class T>
using Image = Kokkos::View<T**, Kokkos::LayoutRight, Exec>;

template <class T>
Image<T> make_image(int height, int width, int dy, int dx) {
  const Image<T> image("image", std::size_t(height), std::size_t(width));
  for (int y = 0; y < height; ++y)
    for (int x = 0; x < width; ++x)
      image(y, x) = T(grey(std::uint32_t(y + dy), std::uint32_t(x + dx)));
  return image;
}

class TemplateSteps : public Steps {
 public:
  explicit TemplateSteps(const Case& c)
      : m_image(
            make_image<float>(c.integer("image"), c.integer("image"), 0, 0)),
        m_part(make_image<float>(c.integer("template"), c.integer("template"),
                                 100, 200)),
        m_out("out", m_image.extent(0) - m_part.extent(0) + 1,
              m_image.extent(1) - m_part.extent(1) + 1) {
    Sporos::CorrelateOptions options;
    options.mode      = Sporos::CorrelateMode::valid;
    options.normalize = Sporos::Normalize::local;
    m_plan            = {Exec(), m_image, m_part, m_out, options};
  }
  void run(const std::string& step) override {
    if (step != "match") unknown(step);
    Sporos::cross_correlate(Exec(), m_plan, m_image, m_part, m_out);
    Exec().fence();
  }

 private:
  Image<float> m_image, m_part, m_out;
  Sporos::CrossCorrelatePlan<Exec, float> m_plan;
};

/// 32 x 32 pixels every 16 pixels, shifts up to 8
class WindowSteps : public Steps {
 public:
  explicit WindowSteps(const Case& c)
      : m_before(make_image<std::uint8_t>(side(c), side(c), 8, 8)),
        m_after(make_image<std::uint8_t>(side(c), side(c), 6, 11)),
        m_left(Sporos::regular_windows(m_after, 32, 32, 16, 16)),
        m_right(Sporos::regular_windows(m_before, 32, 32, 16, 16)),
        m_peaks("peaks", std::size_t(m_left.size()), 1) {
    m_options.mode      = Sporos::CorrelateMode::window;
    m_options.window    = {-8, 9, -8, 9};
    m_options.normalize = Sporos::Normalize::whole;
    m_fused = {Exec(), {int(m_left.size()), 1, 32, 32, 32, 32}, m_options, {}};
    if (c.text("stored") == "yes") store();
  }
  void run(const std::string& step) override {
    const Exec exec;
    if (step == "peaks") {
      Sporos::correlate_peaks(exec, m_fused, m_left, m_right, m_peaks);
    } else if (step == "stored") {
      Sporos::cross_correlate(exec, m_plan, m_left_copy, m_right_copy, m_out);
      Sporos::find_peaks(exec, m_plan, m_out, m_peaks);
    } else {
      unknown(step);
    }
    exec.fence();
  }

 private:
  static int side(const Case& c) {
    return 32 + 16 * (c.integer("windows") - 1);
  }
  using Matrices = Kokkos::View<float***, Kokkos::LayoutRight, Exec>;

  /// Copies of the windows, which the time of `stored` is without.
  void store() {
    const auto n      = m_peaks.extent(0);
    m_left_copy       = Matrices("left", n, 32, 32);
    m_right_copy      = Matrices("right", n, 32, 32);
    m_out             = Matrices("out", n, 17, 17);
    const auto across = (m_after.extent(1) - 32) / 16 + 1;
    for (std::size_t i = 0; i < n; ++i)
      for (std::size_t y = 0; y < 32; ++y)
        for (std::size_t x = 0; x < 32; ++x) {
          const auto row = i / across * 16 + y, column = i % across * 16 + x;
          m_left_copy(i, y, x)  = m_after(row, column);
          m_right_copy(i, y, x) = m_before(row, column);
        }
    m_plan = {Exec(), m_left_copy, m_right_copy, m_out, m_options};
  }

  Image<std::uint8_t> m_before, m_after;
  decltype(Sporos::regular_windows(m_after, 32, 32, 16, 16)) m_left, m_right;
  Kokkos::View<Sporos::Peak**, Kokkos::LayoutRight, Exec> m_peaks;
  Sporos::CorrelateOptions m_options;
  Sporos::CorrelatePeaksPlan<Exec, float> m_fused;
  Matrices m_left_copy, m_right_copy, m_out;
  Sporos::CrossCorrelatePlan<Exec, float> m_plan;
};

}  // namespace
}  // namespace Peer

Peer::StepsOfCase Peer::make_correlation(const Case& c) {
  if (c.text("family") == "template") return std::make_unique<TemplateSteps>(c);
  return std::make_unique<WindowSteps>(c);
}
