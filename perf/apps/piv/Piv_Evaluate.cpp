// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Piv_Evaluate.hpp"

#include "Piv_Interpolate.hpp"
#include "Piv_Validate.hpp"

#include <Sporos_CorrelatePeaks.hpp>

#include <algorithm>
#include <stdexcept>

namespace PivApp {
namespace {

using AppCommon::GreyImage;
using Peaks = Kokkos::View<Sporos::Peak* [1], Kokkos::LayoutRight, Exec>;
using Sums  = Kokkos::View<float***, Kokkos::LayoutRight, Exec>;
using Plan  = Sporos::CorrelatePeaksPlan<Exec, float>;

Sporos::CorrelateAlgorithm algorithm(const std::string& name) {
  using Algorithm = Sporos::CorrelateAlgorithm;
  if (name == "basic") return Algorithm::basic;
  if (name == "tile") return Algorithm::tile;
  if (name == "shuffle") return Algorithm::shuffle;
  if (name == "lane_group_per_shift") return Algorithm::lane_group_per_shift;
  if (name == "team_per_shift") return Algorithm::team_per_shift;
  if (name == "fft") return Algorithm::fft;
  return Algorithm::automatic;
}

/// Coefficients of the overlaps: those of whole windows would lean towards 0.
Sporos::CorrelateOptions correlate_options(const Options& o, int shifts) {
  Sporos::CorrelateOptions c;
  c.mode      = Sporos::CorrelateMode::window;
  c.window    = {-shifts, shifts + 1, -shifts, shifts + 1};
  c.algorithm = algorithm(o.algorithm);
  c.normalize = Sporos::Normalize::local;
  return c;
}

Interpolation interpolation(const std::string& name) {
  return name == "bilinear"  ? Interpolation::bilinear
         : name == "bicubic" ? Interpolation::bicubic
                             : Interpolation::biquintic;
}

/// What lies at the rim is no peak: it may go on outside. A surface through 3 x
/// 3 values is hit by less noise than two curves, but leans towards the
/// element; where little is left to find, that does not matter.
Sporos::PeakOptions peak_options(int shifts, bool deformed) {
  Sporos::PeakOptions p;
  p.least_distance = std::min(4, std::max(2, shifts / 2));
  p.border         = 1;
  p.sub_pixel =
      deformed ? Sporos::SubPixel::least_squares : Sporos::SubPixel::gaussian;
  return p;
}

/// The windows of a pass, and what is found in them.
struct Pass {
  Pass(const Exec& exec, int width, int height, int window, int shifts_,
       bool deformed, const Options& o, const MaskPixels& mask)
      : field(WindowGrid(width, height, window, o.overlap)),
        shifts(shifts_),
        masked(allocated<Marks>("piv::masked", field.grid.size())),
        peaks(allocated<Peaks>("piv::peaks", field.grid.size())),
        plan(exec, {field.grid.size(), 1, window, window, window, window},
             correlate_options(o, shifts), peak_options(shifts, deformed)) {
    mark_masked(exec, mask, field.grid, o.mask_limit / 100, masked);
  }

  auto windows(const Pixels& image) const {
    const WindowGrid& g = field.grid;
    return Sporos::regular_windows(image, g.window, g.window, g.step, g.step);
  }

  Field field;
  int shifts;
  Marks masked;
  Peaks peaks;
  Plan plan;
  Sums sums;  ///< of an ensemble
};

/// Adds peaks to what was predicted at the centres of windows.
struct AddPeaks {
  Peaks peaks;
  Marks masked;
  bool has_predictor;
  Predictor predictor;
  Field field;

  static constexpr double largest_ratio = 100;

  KOKKOS_FUNCTION void operator()(int n) const {
    const Sporos::Peak& p = peaks(n, 0);
    Predictor::Move move;
    if (has_predictor) move = predictor(field.grid.y(n), field.grid.x(n));
    field.moves(n, 0)   = move.y + (p.found() ? p.dy : 0);
    field.moves(n, 1)   = move.x + (p.found() ? p.dx : 0);
    field.quality(n, 0) = p.found() ? p.height : 0;
    field.quality(n, 1) =
        p.found() ? (p.ratio < largest_ratio ? p.ratio : largest_ratio) : 0;
    field.status(n) = masked(n);
  }
};

}  // namespace

struct Evaluator::Parts {
  Parts(int width, int height, const Options& o,
        const std::vector<Polygon>& polygons)
      : options(o),
        kind(interpolation(o.interpolation)),
        mask(mask_of(exec, polygons, width, height)),
        a(allocated<Pixels>("piv::a", height, width)),
        b(allocated<Pixels>("piv::b", height, width)),
        deformed_a(allocated<Pixels>("piv::deformed_a", height, width)),
        deformed_b(allocated<Pixels>("piv::deformed_b", height, width)) {
    for (const int window : o.sizes()) {
      const bool first = passes.empty();
      passes.emplace_back(exec, width, height, window,
                          first && o.shifts > 0 ? o.shifts : window / 4, !first,
                          o, mask);
      largest = std::max(largest, window);
    }
  }

  void copy(const Pixels& to, const GreyImage& from) const {
    const Kokkos::View<const float**, Kokkos::LayoutRight, Kokkos::HostSpace,
                       Kokkos::MemoryTraits<Kokkos::Unmanaged>>
        host(from.values.data(), to.extent(0), to.extent(1));
    Kokkos::deep_copy(exec, to, host);
    if (mask.data() != nullptr) fill_masked(exec, mask, largest, to);
  }
  /// Loads what a pass needs of a pair: pixels, and for a deformation in later
  /// passes coefficients of splines.
  /// \param alone the pair is the only one, and stays from pass to pass
  void load(const ImagePair& pair, const Pass* before, bool alone) const {
    const bool stays = alone && before;
    if (!stays) {
      copy(a, pair.first);
      copy(b, pair.second);
    }
    if (!before || (stays && before != &passes.front())) return;
    spline_coefficients(exec, kind, a, deformed_a);
    spline_coefficients(exec, kind, b, deformed_b);
  }

  Predictor predictor(const Field& f) const {
    return {f.grid, f.moves, kind != Interpolation::bilinear};
  }
  /// Calls f(windows of b, windows of a), deformed if there is a pass before.
  template <class F>
  void with_windows(const Pass& pass, const Pass* before, const F& f) const {
    if (before)
      deform(exec, a, b, predictor(before->field), kind, deformed_a,
             deformed_b);
    f(pass.windows(before ? deformed_b : b),
      pass.windows(before ? deformed_a : a));
  }
  void run(Pass& pass, const Pass* before,
           const std::vector<ImagePair>& pairs) const;

  Options options;
  Interpolation kind;
  Exec exec;
  MaskPixels mask;
  Pixels a, b, deformed_a, deformed_b;
  std::vector<Pass> passes;
  int largest = 0;  ///< window
};

void Evaluator::Parts::run(Pass& pass, const Pass* before,
                           const std::vector<ImagePair>& pairs) const {
  if (pairs.size() == 1) {
    load(pairs.front(), before, true);
    with_windows(pass, before, [&](const auto& left, const auto& right) {
      Sporos::correlate_peaks(exec, pass.plan, left, right, pass.peaks);
    });
  } else {
    const int side = 2 * pass.shifts + 1;
    if (pass.sums.size() == 0)
      pass.sums =
          allocated<Sums>("piv::sums", pass.field.grid.size(), side, side);
    Kokkos::deep_copy(exec, pass.sums, 0.f);
    for (const ImagePair& pair : pairs) {
      load(pair, before, false);
      with_windows(pass, before, [&](const auto& left, const auto& right) {
        Sporos::accumulate(exec, pass.plan, left, right, pass.sums);
      });
    }
    Sporos::find_peaks(exec, pass.plan, pass.sums, pass.peaks);
  }
  Kokkos::parallel_for(
      "piv::add_peaks",
      Kokkos::RangePolicy<Exec>(exec, 0, pass.field.grid.size()),
      AddPeaks{pass.peaks, pass.masked, before != nullptr,
               predictor(before ? before->field : pass.field), pass.field});
  validate(exec, pass.field, {options.median_limit, options.snr_limit});
}

Evaluator::Evaluator(int width, int height, const Options& options,
                     const std::vector<Polygon>& mask)
    : m_parts(std::make_unique<Parts>(width, height, options, mask)) {}

Evaluator::~Evaluator() = default;

const WindowGrid& Evaluator::grid() const {
  return m_parts->passes.back().field.grid;
}

std::string Evaluator::describe() const {
  std::string text;
  for (const Pass& pass : m_parts->passes) text += pass.plan.describe();
  return text;
}

Vectors Evaluator::operator()(const std::vector<ImagePair>& pairs) const {
  Parts& p         = *m_parts;
  const int height = int(p.a.extent(0)), width = int(p.a.extent(1));
  if (pairs.empty())
    throw std::invalid_argument("piv: at least one pair of images is needed");
  for (const ImagePair& pair : pairs)
    for (const auto* image : {&pair.first, &pair.second})
      if (image->width != width || image->height != height)
        throw std::invalid_argument("piv: images of " + std::to_string(width) +
                                    " x " + std::to_string(height) +
                                    " pixels are expected, got " +
                                    std::to_string(image->width) + " x " +
                                    std::to_string(image->height));
  const Pass* before = nullptr;
  for (Pass& pass : p.passes) {
    p.run(pass, before, pairs);
    before = &pass;
  }
  return vectors_of(p.exec, before->field);
}

}  // namespace PivApp
