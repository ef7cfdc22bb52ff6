// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Non-uniform FFTs of all dimensions and types against the sums by definition.
// Each width of the kernel is compiled for some dimensions and types only.

#include "Sporos_NufftCases.hpp"

#include <limits>
#include <vector>

namespace NufftErrors {

using namespace Sporos::Test;
using Sporos::NufftOrder;
using Sporos::NufftWidths;
using Exec = LastSpace;

using Widths1 = NufftWidths<2, 6, 10, 16>;
using Widths2 = NufftWidths<3, 8, 13>;
using Widths3 = NufftWidths<4, 7>;

constexpr Places all_places[] = {Places::random, Places::clustered,
                                 Places::one_cell, Places::at_ends,
                                 Places::far_away};

/// Tolerances 10^-first, ..., 10^-last with each of the places: signs, orders
/// and upsamplings alternate.
template <int Dim, class T, class Widths>
void check_tolerances(int first, int last, int modes, int points) {
  for (int k = first; k <= last; ++k)
    for (const Places places : all_places) {
      const int turn = k + int(places);
      NufftCase c{{modes + turn % 5, modes + 2 * (k % 3), modes - k % 2},
                  points + k,
                  places,
                  std::pow(10., -k)};
      c.upsampling = turn % 3 == 0 ? 2.25 : 0;
      c.order      = turn % 2 ? NufftOrder::fft : NufftOrder::centred;
      c.sign       = turn % 4 < 2 ? 1 : -1;
      check_nufft<Exec, Dim, T, Widths>(c);
    }
}

TEST_CASE("nufft: errors are below the tolerance, double", "[nufft]") {
  check_tolerances<1, double, Widths1>(1, 13, 120, 150);
  check_tolerances<2, double, Widths2>(1, 10, 15, 60);
  check_tolerances<3, double, Widths3>(1, 5, 6, 40);
}

TEST_CASE("nufft: errors are below the tolerance, float", "[nufft]") {
  check_tolerances<1, float, NufftWidths<5, 9>>(1, 5, 40, 80);
  check_tolerances<2, float, NufftWidths<4>>(1, 2, 15, 60);
  check_tolerances<3, float, NufftWidths<3>>(1, 1, 6, 40);
}

TEST_CASE("nufft: few and many modes and points", "[nufft]") {
  for (const int modes : {1, 2, 3, 8, 77, 299, 300})
    for (const int points : {0, 1, 2, 33})
      for (const double tolerance : {1e-3, 1e-11})
        check_nufft<Exec, 1, double, Widths1>(
            {{modes, 0, 0}, points, Places::random, tolerance});
  for (const int modes : {1, 2, 5})
    for (const int points : {0, 1, 20}) {
      check_nufft<Exec, 2, double, Widths2>(
          {{modes, 71, 0}, points, Places::random, 1e-8});
      check_nufft<Exec, 3, double, Widths3>(
          {{modes, 4, 3}, points, Places::random, 1e-5});
      check_nufft<Exec, 3, double, Widths3>(
          {{1, 1, modes}, points, Places::far_away, 1e-4});
    }
}

TEST_CASE("nufft: all upsamplings", "[nufft]") {
  for (const double upsampling : {1.25, 1.4, 1.6, 1.8, 2., 2.7, 4.}) {
    check_nufft<Exec, 1, double, Widths1>(
        {{200, 0, 0}, 300, Places::random, 1e-8, upsampling});
    check_nufft<Exec, 2, double, Widths2>(
        {{20, 23, 0}, 100, Places::random, 1e-5, upsampling});
  }
}

}  // namespace NufftErrors
