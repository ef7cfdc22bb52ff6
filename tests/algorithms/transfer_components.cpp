// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Several components in one pass: fields on faces, complex numbers, more
// components than one pass takes, values in the plan's order. Judged by the
// serial algorithm, one real component after another.

#include "Sporos_TransferCases.hpp"

#include <cmath>
#include <complex>
#include <cstddef>
#include <vector>

namespace TransferComponents {

using namespace Sporos;
using namespace Sporos::Test;

/// The real numbers of a View, in the order of its memory.
template <class View>
std::vector<double> numbers(const View& view) {
  using T        = typename View::non_const_value_type;
  const auto all = host_copy(view);
  std::vector<double> out;
  for (std::size_t i = 0; i < all.span(); ++i) {
    const T value = all.data()[i];
    if constexpr (std::is_floating_point<T>::value) {
      out.push_back(double(value));
    } else {
      out.push_back(double(value.real()));
      out.push_back(double(value.imag()));
    }
  }
  return out;
}

/// Fills a contiguous View with random real numbers.
template <class View>
void fill(const View& view, unsigned seed) {
  using T         = typename View::non_const_value_type;
  const auto host = Kokkos::create_mirror_view(view);
  const auto some = random_numbers<double>(2 * host.span(), seed);
  for (std::size_t i = 0; i < host.span(); ++i) {
    if constexpr (std::is_floating_point<T>::value)
      host.data()[i] = T(some[2 * i]);
    else
      host.data()[i] = T(some[2 * i], some[2 * i + 1]);
  }
  Kokkos::deep_copy(view, host);
}

double largest_difference(const std::vector<double>& a,
                          const std::vector<double>& b) {
  REQUIRE(a.size() == b.size());
  return difference(a.data(), b);
}

/// Points of a setup, one number each.
template <class C>
using Numbers =
    Kokkos::View<typename C::Real*, typename C::execution_space::memory_space>;

/// A View of rank Dim for the grid points at a staggering.
template <class T, int Dim, class Layout, class Exec>
auto make_field(const Grid<Dim, double>& grid, const Staggering& g) {
  using Data  = typename DataType<T, Dim>::type;
  using Field = Kokkos::View<Data, Layout, typename Exec::memory_space>;
  return Test::make_field<Field>([&](int d) { return grid.points(d, g[d]); });
}

/// Part `part` of the complex numbers of column c, as real numbers.
template <class Exec, class View>
auto one_part(const View& values, int c, int part) {
  using Memory = typename Exec::memory_space;
  using T      = typename View::non_const_value_type;
  const int n  = int(values.extent(0));
  const Kokkos::View<double*, Memory> out("part", n);
  const auto from = host_copy(values);
  const auto to   = Kokkos::create_mirror_view(out);
  for (int i = 0; i < n; ++i) {
    T value;
    if constexpr (Sporos::Impl::view_rank_v<View> == 2)
      value = from(i, c);
    else
      value = from(i);
    if constexpr (std::is_floating_point<T>::value)
      to(i) = value;
    else
      to(i) = part == 0 ? value.real() : value.imag();
  }
  Kokkos::deep_copy(out, to);
  return out;
}

template <class View>
constexpr int parts_of =
    std::is_floating_point<typename View::non_const_value_type>::value ? 1 : 2;

/// field += the strengths of column c, part by part, by `serial`.
template <class C, class Strengths, class Field>
std::vector<double> serial_spread(Setup<C>& s, const Strengths& strengths,
                                  int c, const Field& field,
                                  const Staggering& g) {
  using Exec          = typename C::execution_space;
  constexpr int parts = parts_of<Field>;
  std::vector<double> out(field.span() * parts);
  SpreadOptions options{SpreadAlgorithm::serial, g};
  for (int part = 0; part < parts; ++part) {
    const auto one =
        make_field<double, C::dim, typename Field::array_layout, Exec>(s.grid,
                                                                       g);
    spread(s.plan, one_part<Exec>(strengths, c, part), one, options);
    const auto values = numbers(one);
    for (std::size_t i = 0; i < values.size(); ++i)
      out[i * parts + part] = values[i];
  }
  return out;
}

/// What interpolate gives, column c of points after one another.
template <class C, class Field>
std::vector<double> serial_interpolate(Setup<C>& s, const Field& field,
                                       const Staggering& g) {
  using Exec          = typename C::execution_space;
  constexpr int parts = parts_of<Field>;
  std::vector<double> out(std::size_t(s.problem.n) * parts);
  InterpolateOptions options{InterpolateAlgorithm::serial, g};
  for (int part = 0; part < parts; ++part) {
    const auto one =
        make_field<double, C::dim, typename Field::array_layout, Exec>(s.grid,
                                                                       g);
    const auto host = Kokkos::create_mirror_view(one);
    const auto all  = numbers(field);
    for (std::size_t i = 0; i < host.span(); ++i)
      host.data()[i] = all[i * parts + part];
    Kokkos::deep_copy(one, host);
    const Numbers<C> values("values", s.problem.n);
    interpolate(s.plan, one, values, options);
    const auto some = numbers(values);
    for (std::size_t i = 0; i < some.size(); ++i)
      out[i * parts + part] = some[i];
  }
  return out;
}

/// The numbers of column c of values, LayoutRight.
template <class View>
std::vector<double> column(const View& values, int c) {
  constexpr int parts = parts_of<View>;
  const auto all      = numbers(values);
  const std::size_t n = values.extent(0), columns = values.extent(1);
  std::vector<double> out;
  for (std::size_t i = 0; i < n; ++i)
    for (int part = 0; part < parts; ++part)
      out.push_back(all[(i * columns + c) * parts + part]);
  return out;
}

/// Row i of the result is row permutation(i) of values.
template <class Plan, class View>
View in_order(const Plan& plan, const View& values) {
  const View out("sorted", values.extent(0), values.extent(1));
  const auto from  = host_copy(values);
  const auto order = host_copy(plan.permutation());
  const auto to    = Kokkos::create_mirror_view(out);
  for (std::size_t i = 0; i < from.extent(0); ++i)
    for (std::size_t c = 0; c < from.extent(1); ++c)
      to(i, c) = from(order(i), c);
  Kokkos::deep_copy(out, to);
  return out;
}

/// Every algorithm once.
inline std::vector<NamedSpread> each_spread(int support) {
  std::vector<NamedSpread> some;
  for (const NamedSpread& a : spread_algorithms(support))
    if (a.columns == 0 && a.algorithm != SpreadAlgorithm::automatic)
      some.push_back(a);
  return some;
}
inline std::vector<NamedInterpolate> each_interpolate(int support) {
  std::vector<NamedInterpolate> some;
  for (const NamedInterpolate& a : interpolate_algorithms(support))
    if (a.algorithm != InterpolateAlgorithm::automatic) some.push_back(a);
  return some;
}

/// Fields of T on all faces, by every algorithm, and the same again with
/// strengths and values in the plan's order, which must give the same bits.
template <class C, class T, class Layout>
void check_faces(Setup<C>& s) {
  using Exec        = typename C::execution_space;
  using Memory      = typename Exec::memory_space;
  constexpr int Dim = C::dim;
  using GridType    = Grid<Dim, double>;
  using Field       = decltype(make_field<T, Dim, Layout, Exec>(s.grid, {}));
  const int n       = s.problem.n;
  const Kokkos::View<T**, Kokkos::LayoutRight, Memory> strengths("l", n, Dim),
      values("v", n, Dim), ordered("o", n, Dim);
  fill(strengths, 5);
  const auto sorted = in_order(s.plan, strengths);
  const auto faces  = [&] {
    Kokkos::Array<Field, Dim> fields;
    for (int k = 0; k < Dim; ++k)
      fields[k] = make_field<T, Dim, Layout, Exec>(s.grid, GridType::face(k));
    return fields;
  };
  INFO(s.problem.name());
  double scale = 1;
  for (const NamedSpread& a : each_spread(C::Delta::support)) {
    INFO("spread " << a.name);
    SpreadOptions options;
    options.algorithm = a.algorithm;
    options.columns   = a.columns;
    const auto fields = faces(), again = faces();
    spread(Exec{}, s.plan, strengths, on_faces(fields), options);
    spread(Exec{}, s.plan, in_plan_order(sorted), on_faces(again), options);
    Exec{}.fence();
    for (int k = 0; k < Dim; ++k) {
      const auto expected =
          serial_spread(s, strengths, k, fields[k], GridType::face(k));
      for (const double x : expected) scale = std::fmax(scale, std::fabs(x));
      const auto result = numbers(fields[k]);
      CHECK(largest_difference(result, expected) <= s.tolerance() * scale);
      if (a.algorithm != SpreadAlgorithm::atomic)
        CHECK(result == numbers(again[k]));
    }
  }
  const auto fields = faces();
  for (int k = 0; k < Dim; ++k) fill(fields[k], 7 + unsigned(k));
  for (const NamedInterpolate& a : each_interpolate(C::Delta::support)) {
    INFO("interpolate " << a.name);
    InterpolateOptions options;
    options.algorithm = a.algorithm;
    Kokkos::deep_copy(values, T(7.));
    Kokkos::deep_copy(ordered, T(7.));
    interpolate(Exec{}, s.plan, on_faces(fields), values, options);
    interpolate(Exec{}, s.plan, on_faces(fields), in_plan_order(ordered),
                options);
    Exec{}.fence();
    for (int k = 0; k < Dim; ++k) {
      const auto expected = serial_interpolate(s, fields[k], GridType::face(k));
      CHECK(largest_difference(column(values, k), expected) <=
            s.tolerance() * 10);
    }
    CHECK(numbers(in_order(s.plan, values)) == numbers(ordered));
  }
}

/// Seven fields of T with one staggering: four interleaved, three apart.
template <class T, class Exec>
struct SevenFields {
  using Memory = typename Exec::memory_space;
  using Field  = Kokkos::View<T**, Kokkos::LayoutStride, Memory>;
  Kokkos::View<T***, Kokkos::LayoutRight, Memory> near;
  Kokkos::View<T***, Kokkos::LayoutLeft, Memory> apart;
  Kokkos::Array<Field, 7> fields;

  SevenFields(int m, int n) : near("near", m, n, 4), apart("apart", m, n, 3) {
    for (int k = 0; k < 7; ++k)
      if (k < 4)
        fields[k] = Kokkos::subview(near, Kokkos::ALL(), Kokkos::ALL(), k);
      else
        fields[k] = Kokkos::subview(apart, Kokkos::ALL(), Kokkos::ALL(), k - 4);
  }
  std::vector<double> all() const {
    std::vector<double> both = numbers(near);
    for (const double x : numbers(apart)) both.push_back(x);
    return both;
  }
};

/// An array of fields at the staggering of the plan, or of the call: as each of
/// them by itself.
template <class C, class T>
void check_array(Setup<C>& s, bool of_plan) {
  using Exec         = typename C::execution_space;
  const Staggering g = of_plan ? s.problem.plan : s.problem.field;
  const int n        = s.problem.n;
  const auto make    = [&] {
    return SevenFields<T, Exec>(s.grid.points(0, g[0]), s.grid.points(1, g[1]));
  };
  const Kokkos::View<T**, Kokkos::LayoutRight, typename Exec::memory_space>
      strengths("l", n, 7), values("v", n, 7), right("r", n, 7);
  fill(strengths, 5);
  const auto column = [](const auto& of, int k) {
    return Kokkos::subview(of, Kokkos::ALL(), k);
  };
  INFO(s.problem.name() << (of_plan ? ", of the plan" : ", of the call"));
  const auto each = make();
  for (int k = 0; k < 7; ++k)
    spread(s.plan, column(strengths, k), each.fields[k],
           SpreadOptions{SpreadAlgorithm::serial, g});
  double scale = 1;
  for (const double x : each.all()) scale = std::fmax(scale, std::fabs(x));
  for (const NamedSpread& a : each_spread(C::Delta::support)) {
    INFO("spread " << a.name);
    SpreadOptions options{a.algorithm, {}, a.columns};
    if (!of_plan) options.staggering = g;
    const auto found = make();
    spread(s.plan, strengths, found.fields, options);
    CHECK(largest_difference(found.all(), each.all()) <= s.tolerance() * scale);
  }
  fill(each.near, 7);
  fill(each.apart, 8);
  for (int k = 0; k < 7; ++k)
    interpolate(s.plan, each.fields[k], column(right, k),
                InterpolateOptions{InterpolateAlgorithm::serial, g});
  for (const NamedInterpolate& a : each_interpolate(C::Delta::support)) {
    INFO("interpolate " << a.name);
    InterpolateOptions options{a.algorithm, {}};
    if (!of_plan) options.staggering = g;
    Kokkos::deep_copy(values, T(7.));
    interpolate(s.plan, each.fields, values, options);
    CHECK(largest_difference(numbers(values), numbers(right)) <=
          s.tolerance() * 10);
  }
}

/// One complex field, and a complex field of two components.
template <class C, class Layout>
void check_complex(Setup<C>& s) {
  using Exec         = typename C::execution_space;
  using Memory       = typename Exec::memory_space;
  using T            = Kokkos::complex<double>;
  const Staggering g = s.problem.field;
  const int n        = s.problem.n;
  const Kokkos::View<T*, Memory> strengths("l", n), values("v", n);
  fill(strengths, 5);
  INFO(s.problem.name());
  double scale = 1;
  for (const NamedSpread& a : each_spread(C::Delta::support)) {
    INFO("spread " << a.name);
    SpreadOptions options{a.algorithm, g, a.columns};
    const auto field = make_field<T, C::dim, Layout, Exec>(s.grid, g);
    spread(s.plan, strengths, field, options);
    const auto expected = serial_spread(s, strengths, 0, field, g);
    for (const double x : expected) scale = std::fmax(scale, std::fabs(x));
    CHECK(largest_difference(numbers(field), expected) <=
          s.tolerance() * scale);
  }
  const auto field = make_field<T, C::dim, Layout, Exec>(s.grid, g);
  fill(field, 7);
  const auto expected = serial_interpolate(s, field, g);
  for (const NamedInterpolate& a : each_interpolate(C::Delta::support)) {
    INFO("interpolate " << a.name);
    Kokkos::deep_copy(values, T(7.));
    interpolate(s.plan, field, values, InterpolateOptions{a.algorithm, g});
    CHECK(largest_difference(numbers(values), expected) <= s.tolerance() * 10);
  }
}

constexpr Staggering node = {{0., 0., 0.}}, center = {{.5, .5, .5}},
                     other = {{.3, .95, .05}};

template <class Exec, int Dim, class Delta>
using Of = Config<Exec, double, Dim, Delta>;

/// Points that crowd, are few, lie at ends and outside; plans for any
/// staggering.
template <int Dim>
std::vector<Problem<Dim>> vector_problems(const std::array<int, Dim>& cells) {
  std::array<bool, Dim> none{}, some{}, every{};
  for (int d = 0; d < Dim; ++d) {
    some[d]  = d != 1;
    every[d] = true;
  }
  return {{cells, none, Cloud::uniform, 997, 1, center, node},
          {cells, every, Cloud::ghosts, 1000, 1, center, center},
          {cells, some, Cloud::far, 401, 1, node, other},
          {cells, none, Cloud::ghosts, 40, 1, other, other},
          {cells, some, Cloud::one_cell, Dim == 2 && !slow_run ? 9001 : 500, 1,
           node, center},
          {cells, every, Cloud::clustered, 1501, 1, center, node},
          {cells, none, Cloud::uniform, 0, 1, center, node},
          {cells, none, Cloud::uniform, 1, 1, center, node}};
}

TEMPLATE_LIST_TEST_CASE("1D: complex fields on faces", "[components]", Spaces) {
  for (const auto& problem : vector_problems<1>({300})) {
    Setup<Of<TestType, 1, Roma3>> s(problem);
    check_faces<Of<TestType, 1, Roma3>, Kokkos::complex<double>,
                Kokkos::LayoutRight>(s);
  }
}

TEMPLATE_LIST_TEST_CASE("2D: fields on faces", "[components]", Spaces) {
  for (const auto& problem : vector_problems<2>({67, 40})) {
    Setup<Of<TestType, 2, Cosine4>> s(problem);
    check_faces<Of<TestType, 2, Cosine4>, double, Kokkos::LayoutLeft>(s);
  }
}

TEMPLATE_LIST_TEST_CASE("2D: arrays of fields at one staggering",
                        "[components]", Spaces) {
  for (const auto& problem : vector_problems<2>({67, 40})) {
    Setup<Of<TestType, 2, Cosine4>> s(problem);
    check_array<Of<TestType, 2, Cosine4>, double>(s, true);
    check_array<Of<TestType, 2, Cosine4>, Kokkos::complex<double>>(s, false);
  }
}

TEMPLATE_LIST_TEST_CASE("3D: fields on faces", "[components]", Spaces) {
  for (const auto& problem : vector_problems<3>({33, 12, 20})) {
    Setup<Of<TestType, 3, Peskin4>> s(problem);
    check_faces<Of<TestType, 3, Peskin4>, double, Kokkos::LayoutRight>(s);
  }
}

TEMPLATE_LIST_TEST_CASE("2D: complex numbers", "[components]", Spaces) {
  for (const auto& problem : vector_problems<2>({67, 40})) {
    Setup<Of<TestType, 2, Bao6>> s(problem);
    check_complex<Of<TestType, 2, Bao6>, Kokkos::LayoutRight>(s);
  }
}

}  // namespace TransferComponents
