// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Prints hashes of cross-correlations: the same with any number of threads, for
// all algorithms that sum by the definition, and of shifts of images.

#include "Sporos_Hash.hpp"
#include "Sporos_SlowRun.hpp"

#include <Sporos_CrossCorrelate.hpp>
#include <Sporos_RegisterImages.hpp>

#include <random>
#include <string>

namespace {

using namespace Sporos;
using Exec = Kokkos::DefaultExecutionSpace;

void run(const std::string& name, int n, int m, int size, Normalize normalize,
         CorrelateMode mode) {
  const Exec exec;
  const Kokkos::View<float***, Exec> left("left", n, size, size + 3);
  const Kokkos::View<float***, Exec> right("right", m, size - 2, size);
  const auto l = Kokkos::create_mirror_view(left);
  const auto r = Kokkos::create_mirror_view(right);
  std::mt19937 generator(7);
  std::uniform_real_distribution<float> uniform(-1, 1);
  for (std::size_t k = 0; k < l.span(); ++k) l.data()[k] = uniform(generator);
  for (std::size_t k = 0; k < r.span(); ++k) r.data()[k] = uniform(generator);
  Kokkos::deep_copy(left, l);
  Kokkos::deep_copy(right, r);

  CorrelateOptions options;
  options.pairing   = Pairing::n_to_m;
  options.mode      = mode;
  options.window    = {-6, 7, -9, 8};
  options.normalize = normalize;
  const auto print  = [&](const std::string& what) {
    const CrossCorrelatePlan<Exec, float> plan(
         exec, {n, m, size, size + 3, size - 2, size}, options);
    const Kokkos::View<float****, Exec> out("out", n, m, plan.shifts().rows(),
                                             plan.shifts().columns());
    for (int again = 0; again < 2; ++again) {
      cross_correlate(exec, plan, left, right, out);
      Test::print_hash(name + ' ' + what, Test::hash(out));
    }
  };
  using A = CorrelateAlgorithm;
  using D = WorkDistribution;
  for (const A a : {A::basic, A::tile, A::shuffle, A::lane_group_per_shift,
                    A::team_per_shift}) {
    options.algorithm = a;
    print("algorithm " + std::to_string(int(a)));
  }
  for (const D d : {D::rectangle, D::triangle})
    for (const A a : {A::shuffle, A::lane_group_per_shift}) {
      options.algorithm     = a;
      options.distribution  = d;
      options.rows_per_task = 3;
      print("distributed " + std::to_string(int(d)) + " algorithm " +
            std::to_string(int(a)));
    }
  options.algorithm = A::shuffle;
  for (const auto& g : Impl::shuffle_groups) {
    options.left_matrices  = g.left_matrices;
    options.right_matrices = g.right_matrices;
    options.left_rows      = g.left_rows;
    options.right_rows     = g.right_rows;
    print("groups " + std::to_string(g.left_matrices) +
          std::to_string(g.right_matrices) + std::to_string(g.left_rows) +
          std::to_string(g.right_rows));
  }
}

void run_registration(int n, int h, int w, bool whiten) {
  if (!Impl::has_correlate_fft<Exec>) return;
  const Kokkos::View<float***, Kokkos::LayoutRight, Exec> images("images", n, h,
                                                                 w);
  const Kokkos::View<float**, Kokkos::LayoutRight, Exec> first("first", h, w);
  const auto host = Kokkos::create_mirror_view(images);
  std::mt19937 generator(7);
  std::uniform_real_distribution<float> uniform(-1, 1);
  for (std::size_t k = 0; k < host.span(); ++k)
    host.data()[k] = uniform(generator);
  Kokkos::deep_copy(images, host);
  Kokkos::deep_copy(first,
                    Kokkos::subview(images, 0, Kokkos::ALL(), Kokkos::ALL()));
  const Kokkos::View<ImageShift*, Exec> shifts("shifts", n);
  RegistrationOptions options;
  options.whiten = whiten;
  register_images(Exec(), first, images, shifts, options);
  const auto found =
      Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), shifts);
  const Kokkos::View<double*, Kokkos::HostSpace> numbers("numbers", 3 * n);
  for (int i = 0; i < n; ++i) {
    numbers(3 * i)     = found(i).dy;
    numbers(3 * i + 1) = found(i).dx;
    numbers(3 * i + 2) = found(i).height;
  }
  Test::print_hash("registration of " + std::to_string(n) + " images",
                   Test::hash(numbers));
}

}  // namespace

int main(int argc, char* argv[]) {
  Kokkos::ScopeGuard kokkos(argc, argv);
  Test::print_threads(Exec());
  const bool slow = Test::slow_run;
  run("one pair", 1, 1, slow ? 37 : 53, Normalize::none, CorrelateMode::full);
  run("pairs", 3, 5, slow ? 17 : 33, Normalize::none, CorrelateMode::full);
  run("normalised", 2, 7, slow ? 13 : 21, Normalize::whole,
      CorrelateMode::window);
  run_registration(1, 90, 131, true);
  run_registration(5, 34, 33, false);
  run("local", 2, 7, slow ? 13 : 21, Normalize::local, CorrelateMode::full);
}
