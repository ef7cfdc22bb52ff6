// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/// Transfers alone, by width of the kernel, in a periodic box of N^3 cells.

#include "Peer_Case.hpp"

#include <Perf_Numbers.hpp>
#include <Sporos_ExponentialOfSemicircle.hpp>
#include <Sporos_ParticleGrid.hpp>

#include <cmath>
#include <cstddef>
#include <string>
#include <utility>

namespace Peer {
namespace {

template <int Width, class T, class Value>
class SpreadSteps : public Steps {
 public:
  using Delta = Sporos::ExponentialOfSemicircle<Width>;

  explicit SpreadSteps(const Case& c) {
    const int cells = c.integer("cells");
    const auto n    = std::size_t(c.integer("points"));
    const auto side = std::size_t(cells);
    m_points        = decltype(m_points)("points", n);
    m_values        = decltype(m_values)("values", n);
    m_field         = decltype(m_field)("field", side, side, side);
    Perf::Random random(1);
    for (std::size_t j = 0; j < n; ++j) {
      for (int d = 0; d < 3; ++d) m_points(j, d) = T(.99999 * random.uniform());
      m_values(j) = Value(T(random.uniform(-1, 1)));
    }
    const Sporos::Grid<3, T> grid({{cells, cells, cells}}, T(1) / T(cells));
    m_plan = Sporos::ParticleGridPlan<Exec, 3, T, Delta>(Exec(), grid, Delta(),
                                                         m_points);
  }

  void run(const std::string& step) override {
    const Exec exec;
    if (step == "update") {
      m_plan.update(exec, m_points);
    } else if (step == "spread") {
      Kokkos::deep_copy(exec, m_field, Value(0));
      Sporos::spread(exec, m_plan, m_values, m_field);
    } else if (step == "interpolate") {
      Sporos::interpolate(exec, m_plan, m_field, m_values);
    } else {
      unknown(step);
    }
    exec.fence();
  }

 private:
  Kokkos::View<T* [3], Kokkos::LayoutRight, Exec> m_points;
  Kokkos::View<Value*, Exec> m_values;
  Kokkos::View<Value***, Kokkos::LayoutRight, Exec> m_field;
  Sporos::ParticleGridPlan<Exec, 3, T, Delta> m_plan;
};

template <class T, class Value, int... Widths>
StepsOfCase make_width(const Case& c, std::integer_sequence<int, Widths...>) {
  const int width = c.integer("width");
  StepsOfCase steps;
  const auto try_width = [&](auto w) {
    if (width == decltype(w)::value)
      steps = std::make_unique<SpreadSteps<decltype(w)::value, T, Value>>(c);
  };
  (try_width(std::integral_constant<int, Widths>()), ...);
  if (!steps) throw std::runtime_error("not compiled: this width");
  return steps;
}

}  // namespace
}  // namespace Peer

Peer::StepsOfCase Peer::make_spread(const Case& c) {
  using Complex = Kokkos::complex<double>;
  const std::integer_sequence<int, 2, 3, 4, 5, 6, 7, 8, 9, 10, 13, 16> widths;
  if (c.text("values") == "complex")
    return make_width<double, Complex>(c, widths);
  return make_width<double, double>(c, widths);
}
