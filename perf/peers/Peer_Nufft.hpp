// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef SPOROS_PEER_NUFFT_HPP
#define SPOROS_PEER_NUFFT_HPP

/// \file Peer_Nufft.hpp
/// Non-uniform FFTs, with what set_points takes.

#include "Peer_Case.hpp"

#include <Perf_Numbers.hpp>
#include <Sporos_Nufft.hpp>

#include <array>
#include <cmath>
#include <cstddef>
#include <string>
#include <type_traits>

namespace Peer {

template <int Dim, class T>
class NufftSteps : public Steps {
 public:
  explicit NufftSteps(const Case& c)
      : m_points("points", std::size_t(c.integer("points"))),
        m_values("values", std::size_t(c.integer("batch")),
                 std::size_t(c.integer("points"))),
        m_plan(Exec(), modes(c), options(c)) {
    const auto n      = modes(c);
    const auto batch  = std::size_t(c.integer("batch"));
    const auto extent = [&](int d) { return std::size_t(n[std::size_t(d)]); };
    if constexpr (Dim == 1) m_modes = Modes("modes", batch, extent(0));
    if constexpr (Dim == 2)
      m_modes = Modes("modes", batch, extent(0), extent(1));
    if constexpr (Dim == 3)
      m_modes = Modes("modes", batch, extent(0), extent(1), extent(2));
    Perf::Random random(1);
    for (std::size_t j = 0; j < m_points.extent(0); ++j)
      for (int d = 0; d < Dim; ++d)
        m_points(j, d) = T(random.uniform(-M_PI, M_PI));
    for (std::size_t b = 0; b < batch; ++b)
      for (std::size_t j = 0; j < m_points.extent(0); ++j)
        m_values(b, j) =
            Complex(T(random.uniform(-1, 1)), T(random.uniform(-1, 1)));
  }

  void run(const std::string& step) override {
    const Exec exec;
    m_plan.set_points(exec, m_points);
    if (step == "type1")
      m_plan.type1(exec, m_values, m_modes);
    else if (step == "type2")
      m_plan.type2(exec, m_modes, m_values);
    else
      unknown(step);
    exec.fence();
  }
  std::string about() const override {
    std::string text = "grid";
    for (int d = 0; d < Dim; ++d)
      text += ' ' + std::to_string(m_plan.grid().points[d]);
    return text + " width " + std::to_string(m_plan.width());
  }

 private:
  using Complex = Kokkos::complex<T>;
  using Modes   = Kokkos::View<
      std::conditional_t<Dim == 1, Complex**,
                         std::conditional_t<Dim == 2, Complex***, Complex****>>,
      Kokkos::LayoutRight, Exec>;

  static auto modes(const Case& c) {
    Kokkos::Array<int, Dim> n;
    const auto all = c.extents("modes");
    for (int d = 0; d < Dim; ++d) n[d] = all[std::size_t(d)];
    return n;
  }
  static Sporos::NufftOptions options(const Case& c) {
    Sporos::NufftOptions o;
    o.tolerance = c.number("tolerance");
    o.points    = std::size_t(c.integer("points"));
    return o;
  }

  Kokkos::View<T* [Dim], Kokkos::LayoutRight, Exec> m_points;
  Kokkos::View<Complex**, Kokkos::LayoutRight, Exec> m_values;
  Modes m_modes;
  Sporos::NufftPlan<Exec, Dim, T> m_plan;
};

template <int Dim>
StepsOfCase make_nufft(const Case& c) {
  if (c.is_float()) return std::make_unique<NufftSteps<Dim, float>>(c);
  return std::make_unique<NufftSteps<Dim, double>>(c);
}

}  // namespace Peer

#endif
