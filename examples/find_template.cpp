// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Finds a small picture in a large one: the peak of their local coefficients.
#include <Sporos_CrossCorrelate.hpp>

#include <cstdio>

KOKKOS_FUNCTION float pixel(int y, int x) {  // something without a period
  return float((y * 53 + x * 101) * (y + 2 * x + 7) % 97);
}

int main(int argc, char* argv[]) {
  Kokkos::ScopeGuard kokkos(argc, argv);
  Kokkos::View<float**> image("image", 60, 80), part("part", 12, 16);
  Kokkos::parallel_for(
      "fill", 60, KOKKOS_LAMBDA(int y) {
        for (int x = 0; x < 80; ++x) image(y, x) = pixel(y, x);
        for (int x = 0; x < 16 && y < 12; ++x)
          part(y, x) = pixel(y + 31, x + 22);  // cut out at (31, 22)
      });

  // With valid, the part lies within the image. Rows come before columns:
  // out(dy, dx) compares image(y + dy, x + dx) with part(y, x).
  Sporos::CorrelateOptions options;
  options.mode      = Sporos::CorrelateMode::valid;
  options.normalize = Sporos::Normalize::local;  // a match gives 1
  Kokkos::View<float**> out("out", 60 - 12 + 1, 80 - 16 + 1);
  Sporos::cross_correlate(image, part, out, options);

  const auto host =
      Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), out);
  int dy = 0, dx = 0;
  for (int y = 0; y < int(host.extent(0)); ++y)
    for (int x = 0; x < int(host.extent(1)); ++x)
      if (host(y, x) > host(dy, dx)) dy = y, dx = x;
  std::printf("found at row %d, column %d\n", dy, dx);
  return dy == 31 && dx == 22 ? 0 : 1;
}
