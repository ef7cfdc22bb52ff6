// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Dats as vectors.

#include "Sporos_RandomLoops.hpp"

#include <Sporos_DatVectors.hpp>

namespace RandomLoops {
namespace {

template <class T, int N, class Layout>
struct Vectors {
  std::vector<T> x, y;
  T a, b;

  explicit Vectors(RandomCase& r)
      : x(random_values<T>(r, std::size_t(random_size(r)) * N, false)),
        y(random_values<T>(r, x.size(), false)),
        a(T(r.real(-2, 2))),
        b(T(r.real(-2, 2))) {}

  /// In another order of the elements, too.
  std::string check(RandomCase& r) const {
    std::vector<int> order(x.size() / N);
    std::iota(order.begin(), order.end(), 0);
    const auto [near, exact] = dots(order);
    Sums sum({0.});
    for (std::size_t k = 0; k < x.size(); ++k)
      sum.add(0, double(x[k]) * y[k], std::abs(double(x[k]) * y[k]));
    const Result wanted = sum.template result<T>("dot", false);
    std::string wrong =
        difference({result_of("dot", std::vector<T>{near})}, {wanted}, false);
    if (wrong.empty())
      wrong = difference({result_of("dot", std::vector<T>{exact})}, {wanted},
                         false);
    if (!same_bits(dots(order).first, near)) wrong = "another dot";
    std::shuffle(order.begin(), order.end(), r.engine());
    if (!same_bits(dots(order).second, exact)) wrong = "an exact dot, shuffled";
    return wrong;
  }

 private:
  /// dot and exact dot of elements in an order, after y = a x + b y.
  std::pair<T, T> dots(const std::vector<int>& order) const {
    const auto in_order = [&](const std::vector<T>& v) {
      std::vector<T> values;
      for (const int e : order)
        values.insert(values.end(), v.begin() + std::ptrdiff_t(e) * N,
                      v.begin() + std::ptrdiff_t(e + 1) * N);
      return values;
    };
    const Set set("set", std::int64_t(order.size()));
    const Dat<T, N, Layout, Memory> u("u", set, in_order(x)), v("v", set);
    const Dat<T, N, Kokkos::LayoutRight, Memory> w("w", set, in_order(y));
    copy(Exec{}, w, v);
    axpby(Exec{}, a, u, b, v);
    axpy(Exec{}, -a, u, v);
    scale(Exec{}, T(1) / b, v);
    const auto got = v.to_host(Exec{}), from = w.to_host(Exec{});
    for (std::size_t k = 0; k < got.size(); ++k)
      if (!(std::abs(got[k] - from[k]) <=
            std::numeric_limits<T>::epsilon() * 16 / std::abs(b)))
        return {std::numeric_limits<T>::quiet_NaN(), T(0)};
    return {dot(Exec{}, u, w), dot(Exec{}, u, w, {true})};
  }
};

}  // namespace

std::string check_vectors(RandomCase& r) {
  return r.chance(50) ? Vectors<double, 3, Kokkos::LayoutLeft>(r).check(r)
                      : Vectors<float, 1, Kokkos::LayoutRight>(r).check(r);
}

}  // namespace RandomLoops
