// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Prints hashes of non-uniform FFTs: the same with any number of threads.

#include "Sporos_Hash.hpp"
#include "Sporos_NufftNormalData.hpp"
#include "Sporos_NufftRealData.hpp"
#include "Sporos_NufftType3Data.hpp"

#include <string>

namespace {

using namespace Sporos::Test;
using Exec = Kokkos::DefaultExecutionSpace;
#ifdef KOKKOS_ENABLE_CUDA
using Memory = Kokkos::CudaUVMSpace;
#else
using Memory = Exec::memory_space;
#endif

template <int Dim, class T, class Widths>
void run(const std::string& name, const NufftCase& c) {
  const Exec exec;
  const NufftData<Exec, Dim, T, Memory> data(c);
  const auto plan = planned<Exec, Dim, T, Widths>(c, data);
  const Kokkos::View<Kokkos::complex<T>**, Memory> gradients(
      "gradients", data.values.extent(0), Dim);
  for (int again = 0; again < 2; ++again) {
    plan.type1(exec, data.values, data.shaped(data.grid, data.of_modes));
    plan.type2(exec, data.shaped(data.grid, data.coefficients), data.at_points);
    plan.type2_gradient(exec, data.shaped(data.grid, data.coefficients),
                        gradients);
    print_hash(name + " type 1", hash(data.of_modes));
    print_hash(name + " type 2", hash(data.at_points));
    print_hash(name + " gradient", hash(gradients));
  }
}

template <int Dim, class T, class Widths>
void run_real(const std::string& name, const NufftCase& c) {
  const Exec exec;
  NufftRealData<Exec, Dim, T, Memory> data(c);
  const Kokkos::View<T**, Memory> gradients("gradients", data.values.extent(0),
                                            Dim);
  for (int again = 0; again < 2; ++again) {
    auto plan = real_plan<Exec, Dim, T, Widths>(c);
    plan.set_points(exec, data.all.points);
    plan.type1(exec, data.values, data.all.shaped(data.halves, data.of_modes));
    plan.type2(exec, data.all.shaped(data.halves, data.coefficients),
               data.at_points);
    plan.type2_gradient(exec, data.all.shaped(data.halves, data.coefficients),
                        gradients);
    print_hash(name + " real type 1", hash(data.of_modes));
    print_hash(name + " real type 2", hash(data.at_points));
    print_hash(name + " real gradient", hash(gradients));
    auto normal = normal_plan<Exec, Dim, T, Widths>(c);
    normal.set_points(exec, data.all.points, data.values);
    normal.apply(exec, data.all.shaped(data.all.grid, data.all.coefficients),
                 data.all.shaped(data.all.grid, data.all.of_modes));
    print_hash(name + " normal", hash(data.all.of_modes));
  }
}

template <int Dim, class T, class Widths>
void run_type3(const std::string& name, const Type3Case& c) {
  const Exec exec;
  const Type3Data<Dim, T, Memory> data(c);
  for (int again = 0; again < 2; ++again) {
    const auto plan = planned_type3<Exec, Dim, T, Widths>(c, data);
    plan.type3(exec, data.values, data.results);
    print_hash(name + " type 3", hash(data.results));
  }
}

}  // namespace

int main(int argc, char* argv[]) {
  const Kokkos::ScopeGuard kokkos(argc, argv);
  print_threads(Exec());
  using Sporos::NufftWidths;
  run<2, float, NufftWidths<4>>("2D",
                                {{50, 61, 0}, 4000, Places::random, 1e-2});
  run<2, float, NufftWidths<4>>("2D",
                                {{50, 61, 0}, 4000, Places::one_cell, 1e-2});
  run<2, double, NufftWidths<4>>("2D",
                                 {{130, 61, 0}, 4000, Places::random, 1e-2});
  // lines that are split
  run<1, float, NufftWidths<4>>("1D, split",
                                {{50003, 0, 0}, 300, Places::random, 1e-2, 2});
  run<1, double, NufftWidths<4>>(
      "1D, split", {{60000, 0, 0}, 300, Places::clustered, 1e-2, 2});
  // 16 planes: many or few for a thread
  run<3, double, NufftWidths<4>>("3D, few planes",
                                 {{8, 9, 14}, 3000, Places::random, 1e-2, 2});
  run<3, double, NufftWidths<4>>("3D",
                                 {{20, 9, 14}, 3000, Places::clustered, 1e-2});
  run_real<3, float, NufftWidths<4>>(
      "3D", {{20, 9, 13}, 3000, Places::clustered, 2e-2});
  run_real<3, float, NufftWidths<4>>(
      "3D, few planes", {{8, 9, 13}, 3000, Places::random, 2e-2, 2});
  run_type3<3, double, NufftWidths<4>>(
      "3D", {3000, 2500, Cloud::clustered, Cloud::off_centre, 3, 2, 3e-2});
}
