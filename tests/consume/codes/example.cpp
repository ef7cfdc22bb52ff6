// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// All families in one program.
#include <Sporos_CrossCorrelate.hpp>
#include <Sporos_ParLoop.hpp>
#include <Sporos_ParticleGrid.hpp>
#include <Sporos_Reorder.hpp>

#include <cmath>
#include <cstdio>
#include <vector>

struct Add {
  template <class Real>
  KOKKOS_FUNCTION void operator()(Sporos::Read<Real> value,
                                  Sporos::Reduce<Real> total) const {
    total[0] += value[0];
  }
};

int main(int argc, char* argv[]) {
  Kokkos::ScopeGuard kokkos(argc, argv);
  const Kokkos::DefaultExecutionSpace exec;

  // Points of strength 1 on a circle in the periodic unit square.
  const int n = 1000;
  Kokkos::View<double* [2]> positions("positions", n);
  Kokkos::View<double*> strengths("strengths", n), values("values", n);
  Kokkos::parallel_for(
      "points", n, KOKKOS_LAMBDA(int i) {
        const double angle = 6.283185307179586 * i / n;
        positions(i, 0)    = 0.5 + 0.3 * std::cos(angle);
        positions(i, 1)    = 0.5 + 0.3 * std::sin(angle);
        strengths(i)       = 1;
      });

  const Sporos::Grid<2> grid({64, 64}, 1. / 64);
  Kokkos::View<double**> field("field", 64, 64);
  const Sporos::ParticleGridPlan plan(exec, grid, Sporos::Cosine4{}, positions);
  Sporos::spread(exec, plan, strengths, field);
  Sporos::interpolate(exec, plan, field, values);

  // Nothing is lost on the way: the field's integral is the sum of strengths.
  double total = 0;
  Kokkos::parallel_reduce(
      "total", field.size(),
      KOKKOS_LAMBDA(int i, double& sum) { sum += field.data()[i]; }, total);
  total *= grid.spacing(0) * grid.spacing(1);
  std::printf("%d points, on the grid: %.12g\n", n, total);
  bool good = std::abs(total - n) < 1e-9 * n;

  const Sporos::Set points("points", n);
  const Sporos::Dat<double> ones("ones", points, std::vector<double>(n, 1.));
  double sum = 0;
  Sporos::par_loop("sum", exec, points, Add{}, Sporos::read(ones),
                   Sporos::sum(sum));
  good = good && sum == n;

#ifdef SPOROS_HAVE_FFTW  // the linked target Sporos::fftw says so
  // The field against itself: the largest sum is that without a shift.
  const Kokkos::DefaultHostExecutionSpace host{};
  const auto image =
      Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), field);
  Kokkos::View<double**, Kokkos::HostSpace> sums("sums", 127, 127);
  Sporos::CorrelateOptions options;
  options.algorithm = Sporos::CorrelateAlgorithm::fft;
  Sporos::cross_correlate(host, image, image, sums, options);
  for (std::size_t i = 0; i < sums.size(); ++i)
    good = good && sums.data()[i] <= sums(63, 63) * (1 + 1e-12);
#endif
  return good ? 0 : 1;
}
