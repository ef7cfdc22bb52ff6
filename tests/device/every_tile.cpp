// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Every register tile of devices with every type of sums, against plain sums:
// signals, matrices and volumes of odd, prime and single extents, at any
// strides.

#include "Sporos_Test.hpp"
#include "Sporos_TileCases.hpp"

#include <cstdint>
#include <tuple>

namespace EveryTile {

using namespace Sporos;
using namespace Sporos::Test;

template <class T_, class A_>
struct Sums {
  using T = T_;
  using A = A_;
};
using AllSums =
    std::tuple<Sums<float, float>, Sums<double, double>,
               Sums<Kokkos::complex<float>, Kokkos::complex<float>>,
               Sums<Kokkos::complex<double>, Kokkos::complex<double>>,
               Sums<short, int>>;
using Exec = Kokkos::DefaultExecutionSpace;

TEMPLATE_LIST_TEST_CASE("every tile of devices and type of sums", "[every]",
                        AllSums) {
  using T = typename TestType::T;
  using A = typename TestType::A;
  if constexpr (!Sporos::Impl::is_host_space_v<Exec>) {
    for (const TileCase& t : tile_cases())
      for (int tile = 0; tile < Sporos::Impl::device_tile_count; ++tile)
        if (Sporos::Impl::fits_registers(Sporos::Impl::device_tiles[tile],
                                         int(sizeof(A))))
          CHECK(wrong_tile<Exec, T, A>(t, tile) == "");
    for (std::uint64_t k = 0, seed = 1; k < 8; ++k, seed = next_seed(seed)) {
      INFO("seed " << seed);
      RandomCase random(seed);
      CHECK(wrong_random_tile<Exec, T, A>(random) == "");
    }
  }
}

}  // namespace EveryTile
