// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef SPOROS_MEMBRANE_TRANSFER_IMPL_HPP
#define SPOROS_MEMBRANE_TRANSFER_IMPL_HPP

#include "Membrane_Transfer.hpp"

#include <algorithm>
#include <string>

namespace MembraneApp {

inline Sporos::SpreadAlgorithm spread_algorithm(const std::string& name) {
  using A              = Sporos::SpreadAlgorithm;
  const A algorithms[] = {A::automatic,
                          A::serial,
                          A::sweep,
                          A::sweep_buffered,
                          A::sweep_buffered_on_the_fly,
                          A::tiled,
                          A::replicated,
                          A::atomic};
  const auto& names    = spread_names();
  return algorithms[std::find(names.begin(), names.end(), name) -
                    names.begin()];
}

inline Sporos::InterpolateAlgorithm interpolate_algorithm(
    const std::string& name) {
  using A              = Sporos::InterpolateAlgorithm;
  const A algorithms[] = {A::automatic, A::serial, A::sorted, A::tiled,
                          A::unsorted};
  const auto& names    = interpolate_names();
  return algorithms[std::find(names.begin(), names.end(), name) -
                    names.begin()];
}

template <class ExecSpace, class Delta>
class TransferOf : public Transfer<ExecSpace> {
 public:
  using MembranePoints = typename Transfer<ExecSpace>::MembranePoints;

  TransferOf(const ExecSpace& exec, const Options& o,
             const MembranePoints& positions)
      : m_plan(exec,
               Sporos::Grid<2, double>(Kokkos::Array<int, 2>{{o.grid, o.grid}},
                                       1. / o.grid),
               Delta{}, positions) {
    m_spread.algorithm      = spread_algorithm(o.spread);
    m_interpolate.algorithm = interpolate_algorithm(o.interpolate);
  }
  void update(const ExecSpace& exec, const MembranePoints& x) override {
    m_plan.update(exec, x);
  }
  void spread(const ExecSpace& exec, const MembranePoints& strengths,
              const FaceField<ExecSpace>& force) override {
    Sporos::spread(exec, m_plan, strengths, faces(force), m_spread);
  }
  void interpolate(const ExecSpace& exec, const FaceField<ExecSpace>& velocity,
                   const MembranePoints& values) override {
    Sporos::interpolate(exec, m_plan, faces(velocity), values, m_interpolate);
  }
  std::string describe() const override { return m_plan.describe(); }

 private:
  static auto faces(const FaceField<ExecSpace>& field) {
    return Sporos::on_faces(
        Kokkos::Array<Matrix<ExecSpace>, 2>{{field.x, field.y}});
  }

  Sporos::ParticleGridPlan<ExecSpace, 2, double, Delta> m_plan;
  Sporos::SpreadOptions m_spread;
  Sporos::InterpolateOptions m_interpolate;
};

/// In the default execution space.
template <class Delta>
std::unique_ptr<AnyTransfer> transfer_of(
    const Kokkos::DefaultExecutionSpace& exec, const Options& o,
    const AnyTransfer::MembranePoints& x) {
  return std::make_unique<TransferOf<Kokkos::DefaultExecutionSpace, Delta>>(
      exec, o, x);
}

}  // namespace MembraneApp

#endif
