// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/// Random spreads of wide delta functions in the default execution space, which
/// may be a device, against plain serial sums; the same bits of a call and its
/// repetition.

#ifndef SPOROS_WIDETRANSFERS_HPP
#define SPOROS_WIDETRANSFERS_HPP

#include "../transfers/Sporos_PlainTransfer.hpp"
#include "../transfers/Sporos_RandomViews.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>
#include <limits>
#include <sstream>
#include <string>
#include <vector>

namespace Sporos {
namespace Test {

/// The numbers of a RandomView in the memory of an execution space.
template <class Exec, class T, int Rank>
class DeviceCopy {
 public:
  using Host   = RandomView<T, Rank>;
  using Memory = typename Exec::memory_space;
  using View = Kokkos::View<typename Stars<T, Rank>::type, Kokkos::LayoutStride,
                            Memory, Kokkos::MemoryTraits<Kokkos::Unmanaged>>;

  explicit DeviceCopy(const Host& host)
      : m_host(host), m_memory("numbers", host.memory().size()) {
    Kokkos::deep_copy(m_memory, numbers());
  }
  View view() { return View(m_memory.data(), m_host.view().layout()); }
  /// What is there now
  Host& host() {
    Kokkos::fence();
    Kokkos::deep_copy(numbers(), m_memory);
    return m_host;
  }

 private:
  Kokkos::View<T*, Kokkos::HostSpace, Kokkos::MemoryTraits<Kokkos::Unmanaged>>
  numbers() {
    return {m_host.view().data(), m_host.memory().size()};
  }

  Host m_host;
  Kokkos::View<T*, Memory> m_memory;
};

/// T: real numbers of fields and strengths. All: also complex numbers, fields
/// on faces and, if the delta function has derivatives, dipoles.
template <class Real, int Dim, class Delta, class T = Real, bool All = true>
class WideTransfers {
  using Exec = Kokkos::DefaultExecutionSpace;
  using Plan = ParticleGridPlan<Exec, Dim, Real, Delta>;
  template <class V, int Rank>
  using Host = RandomView<V, Rank>;
  template <class V, int Rank>
  using Device  = DeviceCopy<Exec, V, Rank>;
  using Numbers = std::vector<double>;

 public:
  static std::string family(RandomCase& random) {
    WideTransfers chain(random);
    return chain.run();
  }

 private:
  explicit WideTransfers(RandomCase& random)
      : m_random(random), m_setting(random), m_points(random, m_setting) {
    m_log << "Dim " << Dim << ", " << m_setting.text() << "\n  "
          << m_points.size() << " points, cloud " << m_points.cloud
          << (m_points.has_images ? ", images" : "");
    Host<Real, 2> all(random, {m_points.size(), Dim});
    all.for_each([&](std::size_t i, std::size_t at) {
      all.view().data()[at] = m_points.x[i];
    });
    Device<Real, 2> x(all);
    const auto& on = m_setting;
    if (on.window)
      m_plan = Plan(Exec{}, on.grid, m_delta, x.view(), *on.window, on.options);
    else
      m_plan = Plan(Exec{}, on.grid, m_delta, x.view(), on.options);
    if (m_points.has_images) {
      const Kokkos::View<std::uint8_t*, typename Exec::memory_space> images(
          "images", m_points.images.size());
      const auto mirror = Kokkos::create_mirror_view(images);
      std::copy(m_points.images.begin(), m_points.images.end(), mirror.data());
      Kokkos::deep_copy(images, mirror);
      m_plan.update(Exec{}, x.view(), images);
    }
    Kokkos::fence();
  }

  std::string run() {
    const int calls = m_random.integer(1, 3);
    for (int call = 0; call < calls && m_wrong.empty(); ++call) {
      const int kind = m_random.integer(0, All ? 4 : 1);
      if (kind == 0) spread_numbers<T>("numbers");
      if (kind == 1) spread_components();
      if constexpr (All) {
        if (kind == 2) spread_numbers<Kokkos::complex<T>>("complex numbers");
        if (kind == 3) spread_faces();
        if (kind == 4) spread_moments();
      }
    }
    return m_wrong.empty() ? m_wrong : m_log.str() + "\n  " + m_wrong;
  }

  // ---- calls ----

  /// The staggering of a call: that of the plan, or another one.
  Staggering call_staggering() {
    const Staggering g = m_random.chance(60) ? random_staggering(m_random)
                                             : m_setting.options.staggering;
    m_log << ", g";
    for (int d = 0; d < Dim; ++d) m_log << ' ' << g[d];
    return g;
  }
  template <class Given, class Field>
  void call(const Given& given, const Field& field, const Staggering& g) {
    Impl::AutomaticOptions options;
    options.staggering = g;
    Impl::spread_checked(Exec{}, m_plan, given, field, options);
  }
  template <class V>
  Host<V, Dim> field_at(const Staggering& g) {
    std::array<int, Dim> extents{};
    for (int d = 0; d < Dim; ++d) extents[d] = m_setting.points(d, g[d]);
    return filled<V, Dim>(extents);
  }
  template <class V, int Rank>
  Host<V, Rank> filled(const std::array<int, Rank>& extents) {
    Host<V, Rank> view(m_random, extents);
    view.fill(m_random);
    return view;
  }

  template <class V>
  void spread_numbers(const char* what) {
    m_log << "\n  spread of " << what;
    const Staggering g = call_staggering();
    auto before        = field_at<V>(g);
    auto l             = filled<V, 1>({m_points.size()});
    Device<V, 1> strengths(l);
    Device<V, Dim> field(before), again(before);
    call(strengths.view(), field.view(), g);
    call(strengths.view(), again.view(), g);
    judge_bits(field.host(), again.host());
    judge(g, Impl::RealOf<V>::parts, l.numbers(), before.numbers(),
          field.host().numbers());
  }
  void spread_components() {
    const int c = m_random.integer(1, 6);
    m_log << "\n  spread of " << c << " components";
    const Staggering g = call_staggering();
    std::array<int, Dim + 1> extents{};
    for (int d = 0; d < Dim; ++d) extents[d] = m_setting.points(d, g[d]);
    extents[Dim] = c;
    auto before  = filled<T, Dim + 1>(extents);
    auto l       = filled<T, 2>({m_points.size(), c});
    Device<T, 2> strengths(l);
    Device<T, Dim + 1> field(before), again(before);
    call(strengths.view(), field.view(), g);
    call(strengths.view(), again.view(), g);
    judge_bits(field.host(), again.host());
    judge(g, c, l.numbers(), before.numbers(), field.host().numbers());
  }
  void spread_faces() {
    m_log << "\n  spread to faces";
    auto l = filled<T, 2>({m_points.size(), Dim});
    Device<T, 2> strengths(l);
    std::vector<Host<T, Dim>> before;
    std::vector<Device<T, Dim>> field, again;
    Kokkos::Array<typename Device<T, Dim>::View, Dim> to, same;
    for (int k = 0; k < Dim; ++k) {
      before.push_back(field_at<T>(Grid<Dim>::face(k)));
      field.emplace_back(before.back());
      again.emplace_back(before.back());
      to[std::size_t(k)]   = field.back().view();
      same[std::size_t(k)] = again.back().view();
    }
    spread(Exec{}, m_plan, strengths.view(), on_faces(to));
    spread(Exec{}, m_plan, strengths.view(), on_faces(same));
    for (std::size_t k = 0; k < std::size_t(Dim); ++k) {
      const Numbers all = l.numbers();
      Numbers one(std::size_t(m_points.size()));
      for (std::size_t i = 0; i < one.size(); ++i) one[i] = all[i * Dim + k];
      judge_bits(field[k].host(), again[k].host());
      judge(Grid<Dim>::face(int(k)), 1, one, before[k].numbers(),
            field[k].host().numbers());
    }
  }
  void spread_moments() {
    if constexpr (Impl::has_derivatives_v<Delta>) {
      m_log << "\n  spread of dipoles";
      const Staggering g = m_setting.options.staggering;
      auto before        = field_at<T>(g);
      auto l             = filled<T, 2>({m_points.size(), Dim});
      Device<T, 2> moments(l);
      Device<T, Dim> field(before), again(before);
      spread_dipoles(Exec{}, m_plan, moments.view(), field.view());
      spread_dipoles(Exec{}, m_plan, moments.view(), again.view());
      judge_bits(field.host(), again.host());
      judge(g, 1, l.numbers(), before.numbers(), field.host().numbers(), true);
    }
  }

  // ---- judgement ----

  template <class View>
  void judge_bits(const View& a, const View& b) {
    if (!a.gaps_are_untouched()) m_wrong = "numbers between entries changed";
    if (std::memcmp(a.memory().data(), b.memory().data(),
                    a.memory().size() * sizeof(a.memory()[0])) != 0)
      m_wrong = "the same call has other bits";
  }
  /// Fields of k real components, those of a point or grid point side by side;
  /// dipoles: a point has so many for each direction.
  void judge(const Staggering& g, int k, const Numbers& strengths,
             const Numbers& before, const Numbers& after,
             bool dipoles = false) {
    const auto count     = std::size_t(k);
    const int terms      = dipoles ? Dim : 1;
    Numbers sums         = before, bounds(before.size() / count, 1e-3);
    const double inverse = 1 / double(m_setting.grid.cell_volume());
    for (int term = 0; term < terms; ++term) {
      const PlainSums<Real, Dim, Delta> plain(m_points, m_delta,
                                              dipoles ? term : -1);
      for (int i = 0; i < m_points.size(); ++i) {
        const double* const l =
            strengths.data() + std::size_t(i * terms + term) * count;
        plain.visit(i, g, m_setting.options.staggering,
                    [&](std::size_t p, double weight, double bound) {
                      for (std::size_t c = 0; c < count; ++c)
                        sums[p * count + c] += weight * l[c] * inverse;
                      bounds[p] += bound * inverse;
                    });
      }
    }
    const double unit =
        std::numeric_limits<T>::epsilon() *
            (100 + 4 * std::sqrt(double(m_points.size()))) +
        std::numeric_limits<Real>::epsilon() * 60 * m_points.farthest();
    for (std::size_t i = 0; i < sums.size() && m_wrong.empty(); ++i)
      if (!(std::fabs(after[i] - sums[i]) <=
            unit * (bounds[i / count] + std::fabs(before[i])))) {
        std::ostringstream text;
        text.precision(17);
        text << "number " << i << ": " << after[i] << " instead of " << sums[i];
        m_wrong = text.str();
      }
  }

  RandomCase& m_random;
  RandomGrid<Real, Dim, Delta> m_setting;
  Delta m_delta{};
  RandomPoints<Real, Dim, Delta> m_points;
  Plan m_plan;
  std::ostringstream m_log;
  std::string m_wrong;
};

}  // namespace Test
}  // namespace Sporos

#endif  // SPOROS_WIDETRANSFERS_HPP
