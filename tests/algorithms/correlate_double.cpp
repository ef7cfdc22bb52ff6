// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Every algorithm of cross-correlation in double, and SciPy's values.

#include "Sporos_CorrelateCases.hpp"

#include <vector>

namespace CorrelateDouble {

using namespace Sporos;

TEMPLATE_LIST_TEST_CASE("cross-correlation of double", "[correlate]",
                        Sporos::Test::Spaces) {
  Sporos::Test::check_correlations<TestType, double, double>(
      Sporos::Test::AllPairings());
}

/// scipy.signal.correlate2d(left, right, mode) of SciPy 1.17.1, matrices row by
/// row.
struct SciPyCase {
  int left_h, left_w, right_h, right_w;
  CorrelateMode mode;
  std::vector<int> left, right;
  int h, w;
  std::vector<int> out;
};

const std::vector<SciPyCase> scipy_cases = {
    {3,
     3,
     3,
     3,
     CorrelateMode::full,
     {4, 8, 7, 0, 8, 9, 9, -8, -1},
     {2, -4, -2, 2, 6, 2, -6, 3, 7},
     5,
     5,
     {28,  68, 49, -27, -42, 8,   96, 157, 37,  -40, 55,  -45, -57,
      103, 38, 18, 22,  -82, -42, 16, -18, -20, 52,  -12, -2}},
    {3,
     3,
     3,
     3,
     CorrelateMode::same,
     {4, 8, 7, 0, 8, 9, 9, -8, -1},
     {2, -4, -2, 2, 6, 2, -6, 3, 7},
     3,
     3,
     {96, 157, 37, -45, -57, 103, 22, -82, -42}},
    {3,
     3,
     3,
     3,
     CorrelateMode::valid,
     {4, 8, 7, 0, 8, 9, 9, -8, -1},
     {2, -4, -2, 2, 6, 2, -6, 3, 7},
     1,
     1,
     {-57}},
    {4,
     5,
     2,
     3,
     CorrelateMode::full,
     {-5, 1, -3, 8, -8, 0, 8, -1, -7, 5, 9, 9, 8, -2, 4, 9, 1, 8, 2, -6},
     {-1, 2, -4, 4, -2, 8},
     5,
     7,
     {-40, 18,  -46, 74,  -92, 48, -32, 20, 50, -5,  -61, 101,
      -62, 28,  72,  22,  102, 22, 35,  1,  11, 36,  -28, 75,
      19,  -48, 30,  -28, -36, 14, -39, 7,  20, -14, 6}},
    {4,
     5,
     2,
     3,
     CorrelateMode::same,
     {-5, 1, -3, 8, -8, 0, 8, -1, -7, 5, 9, 9, 8, -2, 4, 9, 1, 8, 2, -6},
     {-1, 2, -4, 4, -2, 8},
     4,
     5,
     {50,  -5, -61, 101, -62, 22, 102, 22, 35, 1,
      -28, 75, 19,  -48, 30,  14, -39, 7,  20, -14}},
    {4,
     5,
     2,
     3,
     CorrelateMode::valid,
     {-5, 1, -3, 8, -8, 0, 8, -1, -7, 5, 9, 9, 8, -2, 4, 9, 1, 8, 2, -6},
     {-1, 2, -4, 4, -2, 8},
     3,
     3,
     {-5, -61, 101, 102, 22, 35, 75, 19, -48}},
    {3,
     4,
     4,
     2,
     CorrelateMode::full,
     {-6, 3, -8, -7, 0, 0, 0, 0, 7, 0, -3, 9},
     {7, -3, -6, -5, -6, 0, 1, 3},
     6,
     5,
     {-18, 3,   -21, -29, -7,   0,   36,  -18, 48,  42,  51,  28, 13, 107, 51,
      18,  -93, 45,  -17, -103, -35, -42, 15,  -27, -54, -21, 49, 9,  -48, 63}},
    {3,
     4,
     4,
     2,
     CorrelateMode::same,
     {-6, 3, -8, -7, 0, 0, 0, 0, 7, 0, -3, 9},
     {7, -3, -6, -5, -6, 0, 1, 3},
     3,
     4,
     {28, 13, 107, 51, -93, 45, -17, -103, -42, 15, -27, -54}},
    {2,
     2,
     3,
     4,
     CorrelateMode::full,
     {8, 8, 1, 2},
     {-8, -4, 9, 8, -9, 0, 0, 3, -7, 0, -3, -5},
     4,
     5,
     {-40, -64, -24, -56,  -56, 19, 11, -6, -79, -86,
      67,  142, 40,  -105, -82, 8,  25, 14, -16, -16}},
    {2,
     2,
     3,
     4,
     CorrelateMode::same,
     {8, 8, 1, 2},
     {-8, -4, 9, 8, -9, 0, 0, 3, -7, 0, -3, -5},
     2,
     2,
     {-6, -79, 40, -105}},
    {2,
     2,
     3,
     4,
     CorrelateMode::valid,
     {8, 8, 1, 2},
     {-8, -4, 9, 8, -9, 0, 0, 3, -7, 0, -3, -5},
     2,
     3,
     {11, -6, -79, 142, 40, -105}},
    {5,
     4,
     4,
     4,
     CorrelateMode::full,
     {6, 4, -6, 5, 1, -6, 3, -1, 0, -3, 9, -6, 9, -5, 6, 9, -7, 7, -9, -2},
     {1, 5, -6, -9, -4, 8, -3, 1, -8, 6, 9, -4, 7, -2, -4, -3},
     8,
     7,
     {-18, -36, -10, 43,   20,   -52,  35,  -27, 52,  109, -88, -67, 101, -47,
      2,   28,  -45, 6,    -37,  109,  -54, -80, -90, 10,  64,  -64, -85, 120,
      -24, 153, 30,  -200, 349,  -139, -63, 37,  -96, 87,  -75, -9,  87,  -26,
      -88, 19,  -65, -24,  -123, 71,   17,  63,  -21, 4,   100, -26, -19, -2}},
    {5,
     4,
     4,
     4,
     CorrelateMode::same,
     {6, 4, -6, 5, 1, -6, 3, -1, 0, -3, 9, -6, 9, -5, 6, 9, -7, 7, -9, -2},
     {1, 5, -6, -9, -4, 8, -3, 1, -8, 6, 9, -4, 7, -2, -4, -3},
     5,
     4,
     {-45, 6,    -37, 109, 10, 64, -64, -85, 30,   -200,
      349, -139, 87,  -75, -9, 87, -65, -24, -123, 71}},
    {5,
     4,
     4,
     4,
     CorrelateMode::valid,
     {6, 4, -6, 5, 1, -6, 3, -1, 0, -3, 9, -6, 9, -5, 6, 9, -7, 7, -9, -2},
     {1, 5, -6, -9, -4, 8, -3, 1, -8, 6, 9, -4, 7, -2, -4, -3},
     2,
     1,
     {64, -200}},
    {1,
     6,
     1,
     4,
     CorrelateMode::full,
     {-7, 9, -8, -1, 3, 0},
     {-8, 9, 7, 8},
     1,
     9,
     {-56, 23, -64, 73, -127, 76, 35, -24, 0}},
    {1,
     6,
     1,
     4,
     CorrelateMode::same,
     {-7, 9, -8, -1, 3, 0},
     {-8, 9, 7, 8},
     1,
     6,
     {-64, 73, -127, 76, 35, -24}},
    {1,
     6,
     1,
     4,
     CorrelateMode::valid,
     {-7, 9, -8, -1, 3, 0},
     {-8, 9, 7, 8},
     1,
     3,
     {73, -127, 76}},
};

template <class Exec>
Kokkos::View<double**, Exec> matrix(int h, int w, const std::vector<int>& v) {
  const Kokkos::View<double**, Exec> m("matrix", std::size_t(h),
                                       std::size_t(w));
  const auto host = Kokkos::create_mirror_view(m);
  for (int y = 0; y < h; ++y)
    for (int x = 0; x < w; ++x) host(y, x) = v[std::size_t(y * w + x)];
  Kokkos::deep_copy(m, host);
  return m;
}

TEMPLATE_LIST_TEST_CASE("full, same and valid are SciPy's", "[correlate]",
                        Sporos::Test::Spaces) {
  using Exec = TestType;
  for (const SciPyCase& c : scipy_cases) {
    INFO("left " << c.left_h << " x " << c.left_w << ", right " << c.right_h
                 << " x " << c.right_w << ", mode " << int(c.mode));
    const ShiftWindow s =
        correlate_shifts(c.left_h, c.left_w, c.right_h, c.right_w, c.mode);
    REQUIRE(s.rows() == c.h);
    REQUIRE(s.columns() == c.w);
    const auto left  = matrix<Exec>(c.left_h, c.left_w, c.left);
    const auto right = matrix<Exec>(c.right_h, c.right_w, c.right);
    const Kokkos::View<double**, Exec> out("out", std::size_t(c.h),
                                           std::size_t(c.w));
    for (const auto algorithm :
         {CorrelateAlgorithm::automatic, CorrelateAlgorithm::basic}) {
      CorrelateOptions options;
      options.mode      = c.mode;
      options.algorithm = algorithm;
      cross_correlate(left, right, out, options);
      const auto host = Test::host_copy(out);
      for (int y = 0; y < c.h; ++y)
        for (int x = 0; x < c.w; ++x)
          CHECK(host(y, x) ==
                Approx(c.out[std::size_t(y * c.w + x)]).margin(1e-10));
    }
  }
}

}  // namespace CorrelateDouble
