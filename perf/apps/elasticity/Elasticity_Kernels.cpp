// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Elasticity_Kernels.hpp"

#include <cstddef>
#include <string>

namespace ElasticityApp {
namespace {

ShapeTable::Values on_device(const std::string& name,
                             const std::vector<double>& v) {
  const Kokkos::View<double*, Exec::memory_space> values(name, v.size());
  Kokkos::deep_copy(
      values, Kokkos::View<const double*, Kokkos::HostSpace,
                           Kokkos::MemoryTraits<Kokkos::Unmanaged>>(v.data(),
                                                                    v.size()));
  return values;
}

}  // namespace

ShapeTable shape_table(Shape shape, int order, bool fine) {
  const Quadrature q = quadrature(shape, fine);
  std::vector<double> shapes;
  for (const Place& at : q.points) {
    const ShapeValues s = shape_values(shape, order, at);
    for (std::size_t n = 0; n < s.values.size(); ++n) {
      shapes.push_back(s.values[n]);
      shapes.insert(shapes.end(), s.gradients[n].begin(), s.gradients[n].end());
    }
  }
  return {int(q.points.size()), on_device("ElasticityApp::weights", q.weights),
          on_device("ElasticityApp::shapes", shapes)};
}

}  // namespace ElasticityApp
