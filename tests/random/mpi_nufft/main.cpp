// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Random non-uniform FFTs on MPI ranks, judged by the sums by definition and,
// with any_ranks, by the bits of one rank.

#include "Sporos_RandomRanks.hpp"

#include <mpi/Sporos_NufftOnRanks.hpp>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstring>
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

/// Differences from the bits of one rank
template <class Case>
int different_bits(Case& many, Case& alone, int sign) {
  for (Case* const on : {&many, &alone}) {
    on->plan.type2(typename Case::Exec(), on->modes, on->values, sign);
    on->plan.type1(typename Case::Exec(), on->values, on->modes, sign);
  }
  int different     = 0;
  const auto differ = [&](const auto& a, const auto& b) {
    different += std::memcmp(&a, &b, sizeof a) != 0 ? 1 : 0;
  };
  for (std::size_t i = 0; i < many.mine.size(); ++i)
    differ(many.values(1, i), alone.values(1, std::size_t(many.mine[i])));
  std::vector<typename Case::Complex> modes(alone.data.coefficients.extent(0));
  alone.for_each_mode(
      [&](std::size_t k, const auto& a, const auto&) { modes[k] = a; });
  many.for_each_mode(
      [&](std::size_t k, const auto& a, const auto&) { differ(a, modes[k]); });
  return different;
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
  std::vector<int> mine, all;
  const auto dealt = owners(random, c.points, comm.size());
  for (int j = 0; j < c.points; ++j) {
    all.push_back(j);
    if (dealt[std::size_t(j)] == comm.rank()) mine.push_back(j);
  }
  if (random.chance(50)) std::reverse(mine.begin(), mine.end());
  Case many(comm, c, any_ranks, mine);
  const auto [of_points, of_modes] = many.errors(comm);
  // sums of few random numbers differ much from their mean
  const double limit =
      4 * tolerance + 64 * double(std::numeric_limits<T>::epsilon());
  int different = 0;
  if (any_ranks) {
    Case alone(Communicator(MPI_COMM_SELF), c, true, all);
    different = different_bits(many, alone, c.sign);
  }
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
