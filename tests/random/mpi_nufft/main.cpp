// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Random non-uniform FFTs on MPI ranks, judged by the sums by definition and,
// with any_ranks, by the bits of one rank.

#include "Sporos_RandomRanks.hpp"

#include <mpi/Sporos_NufftOnRanks.hpp>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>
#include <sstream>
#include <string>
#include <vector>

namespace Sporos {
namespace Test {

/// The rank of each point: any, or few, or one
std::vector<int> owners(RandomCase& random, int points, int ranks) {
  const int most = random.one_of({1, (ranks + 1) / 2, ranks, ranks});
  const int from = random.integer(0, ranks - most);
  std::vector<int> all(static_cast<std::size_t>(points));
  for (int& rank : all) rank = from + random.integer(0, most - 1);
  return all;
}

template <int Dim, class T, class Widths>
std::string check_nufft(RandomCase& random, const Communicator& comm,
                        double tolerance) {
  using Case = NufftOnRanks<Dim, T, Widths>;
  NufftCase c{};
  const int most = Dim == 2 ? 60 : 20;
  c.modes[2]     = 1;
  for (int d = 0; d < Dim; ++d)
    c.modes[d] = random.integer(1, random.chance(20) ? 3 : most);
  c.points = random.chance(20) ? random.integer(0, 3) : random.integer(0, 300);
  c.places = Places(random.integer(0, 4));
  c.order  = random.chance(50) ? NufftOrder::fft : NufftOrder::centred;
  c.sign   = random.one_of({-1, 1});
  c.tolerance          = tolerance;
  c.upsampling         = random.chance(50) ? 0 : random.real(2, 3);
  const bool any_ranks = random.chance(50);
  std::vector<int> mine;
  const auto dealt = owners(random, c.points, comm.size());
  for (int j = 0; j < c.points; ++j)
    if (dealt[std::size_t(j)] == comm.rank()) mine.push_back(j);
  if (random.chance(50)) std::reverse(mine.begin(), mine.end());
  Case many(comm, c, any_ranks, mine);
  const auto [of_points, of_modes] = many.errors(comm);
  // sums of few random numbers differ much from their mean
  const double limit =
      4 * tolerance + 64 * double(std::numeric_limits<T>::epsilon());
  const int different = any_ranks ? many.bits_unlike_one_rank() : 0;
  if (of_points < limit && of_modes < limit && different == 0) return {};
  std::ostringstream out;
  out << "errors " << of_points << ", " << of_modes << ", " << different
      << " other bits, places " << int(c.places) << ", sign " << c.sign << '\n'
      << many.plan.describe();
  return out.str();
}

std::string one_case(RandomCase& random) {
  const Communicator comm = random_ranks(random);
  if (random.chance(50))
    return check_nufft<2, double, NufftWidths<6>>(random, comm, 1e-4);
  return check_nufft<3, float, NufftWidths<5>>(random, comm, 1e-3);
}

}  // namespace Test
}  // namespace Sporos

int main(int argc, char* argv[]) {
  return Sporos::Test::random_main_on_ranks("random_mpi_nufft",
                                            Sporos::Test::one_case, argc, argv);
}
