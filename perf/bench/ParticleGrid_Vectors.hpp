// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef SPOROS_BENCH_PARTICLEGRID_VECTORS_HPP
#define SPOROS_BENCH_PARTICLEGRID_VECTORS_HPP

/// \file ParticleGrid_Vectors.hpp
/// Rows with several components: vectors, a vector field on faces, complex
/// numbers; by `automatic`.

#include "ParticleGrid_Work.hpp"

#include <memory>
#include <string>
#include <vector>

namespace Bench {

/// Suffixes of rows: two and three components, interleaved or as one field
/// after the other; three components on the faces of a marker-and-cell grid;
/// complex numbers.
inline const std::vector<std::string>& vector_names() {
  static const std::vector<std::string> all = {"c2",       "c3",  "c2_apart",
                                               "c3_apart", "mac", "complex"};
  return all;
}

/// Transfers between strengths or values and fields of any form.
template <class T, class PlanPointer, class Values, class Fields, class Zero>
Work vector_work(bool spread, const PlanPointer& plan, const Values& values,
                 const Fields& fields, const Zero& zero) {
  Work work;
  if (spread)
    work.run = [=] {
      const Exec exec;
      zero(exec);
      Sporos::spread(exec, *plan, values, fields);
      exec.fence();
    };
  else
    work.run = [=] {
      const Exec exec;
      (void)zero;  // owns the memory of fields
      Sporos::interpolate(exec, *plan, fields, values);
      exec.fence();
    };
  return work;
}

template <class T>
Work make_vector_work(const Problem<T>& p, const std::string& operation,
                      const std::string& name) {
  const bool spread = operation == "spread";
  const int n = p.config.points, cells = p.config.cells;
  const Exec exec;
  if (name == "mac") {
    Sporos::PlanOptions options;
    options.staggering = Sporos::Grid<3>::cell_center();
    const auto plan = std::make_shared<Plan<T>>(exec, p.grid, Sporos::Cosine4{},
                                                p.positions, options);
    const Kokkos::View<T* [3], Exec> values("bench::vectors", n);
    Kokkos::deep_copy(values, T(1));
    Kokkos::Array<Field<T>, 3> fields;
    for (int k = 0; k < 3; ++k)
      fields[k] = Field<T>("bench::face", cells, cells, cells);
    const auto faces = Sporos::on_faces(fields);
    return vector_work<T>(spread, plan, values, faces, [=](const Exec& e) {
      for (int k = 0; k < 3; ++k) Kokkos::deep_copy(e, fields[k], T(0));
    });
  }
  double setup_ms = 0;
  const auto plan = make_plan(p, setup_ms);
  if (name == "complex") {
    using Complex = Kokkos::complex<T>;
    const Kokkos::View<Complex*, Exec> values("bench::complex", n);
    Kokkos::deep_copy(values, Complex(1, 2));
    const Kokkos::View<Complex***, Exec> field("bench::complex_field", cells,
                                               cells, cells);
    return vector_work<T>(spread, plan, values, field, [=](const Exec& e) {
      Kokkos::deep_copy(e, field, Complex(0));
    });
  }
  const int c      = name[1] - '0';
  const bool apart = name.size() > 2;
  const Kokkos::View<T**, Kokkos::LayoutRight, Exec> values("bench::vectors", n,
                                                            c);
  Kokkos::deep_copy(values, T(1));
  const Kokkos::View<T*, Exec> memory("bench::vector_field",
                                      std::size_t(c) * cells * cells * cells);
  // grid points follow one another as the plan expects it
  constexpr bool left =
      std::is_same<typename Exec::array_layout, Kokkos::LayoutLeft>::value;
  const std::size_t grid = std::size_t(cells) * cells * cells,
                    step = apart ? 1 : c, far = step * cells * cells;
  const Kokkos::LayoutStride layout(cells, left ? step : far, cells,
                                    step * cells, cells, left ? far : step, c,
                                    apart ? grid : 1);
  const Kokkos::View<T****, Kokkos::LayoutStride, Exec,
                     Kokkos::MemoryTraits<Kokkos::Unmanaged>>
      field(memory.data(), layout);
  return vector_work<T>(spread, plan, values, field, [=](const Exec& e) {
    Kokkos::deep_copy(e, memory, T(0));
  });
}

}  // namespace Bench

#endif
