// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Sums, minima and maxima over the elements of a set.
#include <Sporos_ParLoop.hpp>

#include <cstdio>
#include <vector>

struct Statistics {  // one element
  template <class Real>
  KOKKOS_FUNCTION void operator()(Sporos::Read<Real> value,
                                  Sporos::Reduce<Real> total,
                                  Sporos::Reduce<Real> smallest,
                                  Sporos::Reduce<Real> largest) const {
    total[0] += value[0];
    smallest[0] = Sporos::min(smallest[0], value[0]);
    largest[0]  = Sporos::max(largest[0], value[0]);
  }
};

int main(int argc, char* argv[]) {
  Kokkos::ScopeGuard kokkos(argc, argv);
  const int n = 1000;
  std::vector<double> numbers;
  for (int i = 0; i < n; ++i) numbers.push_back(i * 7 % n + 1);  // 1 ... n
  const Sporos::Set elements("elements", n);
  const Sporos::Dat<double> value("value", elements, numbers);

  // Results of variables include the old values, and the loop waits for them.
  double total = 0, smallest = 1e300, largest = -1e300;
  Sporos::par_loop("statistics", elements, Statistics{}, Sporos::read(value),
                   Sporos::sum(total), Sporos::min(smallest),
                   Sporos::max(largest));

  // A Global stays where loops run; nothing waits until its value is read.
  const Sporos::Global<double> sum("sum"), low("low", 1e300), high("high");
  Sporos::par_loop("statistics", elements, Statistics{}, Sporos::read(value),
                   Sporos::sum(sum), Sporos::min(low), Sporos::max(high));

  std::printf("sum %.0f, smallest %.0f, largest %.0f\n", total, smallest,
              largest);
  const bool equal = sum.value(0) == total && low.value(0) == smallest &&
                     high.value(0) == largest;
  return equal && total == 500500 && smallest == 1 && largest == 1000 ? 0 : 1;
}
