// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Sporos_EngineTest.hpp"
#include "Sporos_Test.hpp"

#include <Sporos_SegmentedReduce.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <limits>
#include <random>
#include <string>
#include <tuple>
#include <vector>

namespace ReduceTest {

using Sporos::ReduceWorkspace;
using Sporos::SmallArray;
using Sporos::Test::slow_run;
using Sporos::Test::Spaces;
using Sporos::Test::to_value;
using Sporos::Test::to_vector;
using Sporos::Test::to_view;

enum class Shape {
  one_segment,
  all_different,
  few_each,
  hundreds_each,
  huge_and_tiny,
  powers_of_two
};

const std::vector<Shape> all_shapes = {
    Shape::one_segment,   Shape::all_different, Shape::few_each,
    Shape::hundreds_each, Shape::huge_and_tiny, Shape::powers_of_two};

/// Starts of segments, and n at the end.
std::vector<int> make_offsets(Shape shape, int n) {
  std::mt19937 generator(unsigned(n) + 100u * unsigned(shape));
  std::vector<int> offsets;
  for (int i = 0, length = 0; i < n; i += length) {
    const int random = static_cast<int>(generator() >> 8);
    switch (shape) {
      case Shape::one_segment: length = n; break;
      case Shape::all_different: length = 1; break;
      case Shape::few_each: length = 1 + random % 5; break;
      case Shape::hundreds_each: length = 1 + random % 700; break;
      case Shape::huge_and_tiny:
        length = random % 50 == 0 ? 1 + n / 3 : 1 + random % 2;
        break;
      case Shape::powers_of_two: length = 1 << (random % 11); break;
    }
    offsets.push_back(i);
  }
  offsets.push_back(n);
  return offsets;
}

std::vector<std::uint64_t> make_keys(const std::vector<int>& offsets) {
  std::vector<std::uint64_t> keys;
  for (std::size_t q = 0; q + 1 < offsets.size(); ++q)
    keys.resize(std::size_t(offsets[q + 1]), 3 * q + (q >> 4 << 33));
  return keys;
}

// --- find_segments ---------------------------------------------------------

template <class Exec, class Key>
void check_find_segments(Shape shape, int n) {
  const std::vector<int> expected = make_offsets(shape, n);
  std::vector<Key> keys;
  for (std::uint64_t key : make_keys(expected))
    keys.push_back(static_cast<Key>(key));
  Kokkos::View<Key*, Exec> view("keys", keys.size());
  Kokkos::View<int*, Exec> offsets("offsets", keys.size() + 3);
  Kokkos::View<int, Exec> count("count");
  to_view(view, keys);
  const Exec exec{};
  Kokkos::deep_copy(exec, offsets, -7);
  ReduceWorkspace<typename Exec::memory_space> workspace;
  Sporos::find_segments(exec, workspace, view, offsets, count);
  exec.fence();
  std::vector<int> all(keys.size() + 3, -7);  // the rest is not written
  std::copy(expected.begin(), expected.end(), all.begin());
  INFO("shape " << int(shape) << ", n " << n);
  CHECK(to_value(count) == static_cast<int>(expected.size()) - 1);
  const std::vector<int> found = to_vector(offsets);
  const std::size_t written    = expected.size();
  CHECK(std::equal(expected.begin(), expected.end(), found.begin()));
  CHECK(std::all_of(found.begin() + std::ptrdiff_t(written), found.end(),
                    [](int x) { return x == -7; }));
}

const std::vector<int> sizes = {
    0,    1,    2,    3,    13,
    15,   16,   17,   1009, 1023,
    1024, 1025, 2048, 4099, slow_run ? 20011 : 100003};

TEMPLATE_LIST_TEST_CASE("find_segments finds where keys change",
                        "[segmented_reduce]", Spaces) {
  for (int n : sizes)
    for (Shape shape : all_shapes) {
      check_find_segments<TestType, std::uint32_t>(shape, n);
      check_find_segments<TestType, std::uint64_t>(shape, n);
    }
}

// --- segmented_reduce ------------------------------------------------------

template <class T, class U>
struct Converter {
  KOKKOS_INLINE_FUNCTION static T from(U x) { return static_cast<T>(x); }
};
template <class T, class U>
struct Converter<Kokkos::complex<T>, U> {
  KOKKOS_INLINE_FUNCTION static Kokkos::complex<T> from(U x) {
    return {static_cast<T>(x), static_cast<T>(2 * x)};
  }
};
template <class T, int N, class U>
struct Converter<SmallArray<T, N>, U> {
  KOKKOS_INLINE_FUNCTION static SmallArray<T, N> from(U x) {
    SmallArray<T, N> value;
    for (int k = 0; k < N; ++k) value[k] = static_cast<T>(x * (k + 1));
    return value;
  }
};

/// Reads an element and counts the calls.
template <class Exec, class V>
struct ReadValue {
  Kokkos::View<double*, Exec> m_data;
  Kokkos::View<int*, Exec> m_calls;

  KOKKOS_INLINE_FUNCTION V operator()(int i) const {
    ++m_calls(i);
    return Converter<V, double>::from(m_data(i));
  }
};

template <class Exec, class V>
struct WriteSum {
  Kokkos::View<V*, Exec> m_sums;
  Kokkos::View<int*, Exec> m_calls;

  KOKKOS_INLINE_FUNCTION void operator()(int q, const V& sum) const {
    ++m_calls(q);
    m_sums(q) = sum;
  }
};

struct AsShipped {
  template <class Exec, class... Args>
  static void reduce(const Exec& exec, Args&&... args) {
    Sporos::segmented_reduce("Sporos::test", exec, args...);
  }
};

/// Small chunks, so that few elements make many of them, and levels of heads
/// until at most OwnerLimit chunks are left.
template <int Items, int HeadItems, int OwnerLimit>
struct Tuned {
  static constexpr int threads     = 32;  // of teams of devices
  static constexpr int items       = Items;
  static constexpr int head_items  = HeadItems;
  static constexpr int owner_limit = OwnerLimit;

  template <class Exec, class... Args>
  static void reduce(const Exec& exec, Args&&... args) {
    Sporos::Impl::segmented_reduce_tuned<Tuned>("Sporos::test", exec, args...);
  }
};

/// Sums of the segments; checks that value and write are called once each.
template <class How, class V, class Exec>
std::vector<V> reduce(const Exec& exec, const std::vector<int>& offsets,
                      const std::vector<double>& data) {
  const std::size_t n = data.size(), segments = offsets.size() - 1;
  Kokkos::View<int*, Exec> starts("starts", offsets.size());
  Kokkos::View<int, Exec> count("count");
  Kokkos::View<double*, Exec> values("values", n);
  Kokkos::View<int*, Exec> reads("reads", n), writes("writes", segments);
  Kokkos::View<V*, Exec> sums("sums", segments);
  to_view(starts, offsets);
  to_view(values, data);
  Kokkos::deep_copy(exec, count, static_cast<int>(segments));
  ReduceWorkspace<typename Exec::memory_space> workspace;
  How::reduce(exec, workspace, n, starts, count,
              ReadValue<Exec, V>{values, reads},
              WriteSum<Exec, V>{sums, writes});
  exec.fence();
  const std::vector<int> once(n, 1);
  CHECK((to_vector(reads) == once));
  std::vector<int> expected_writes;
  for (std::size_t q = 0; q < segments; ++q)
    expected_writes.push_back(offsets[q] < offsets[q + 1] ? 1 : 0);
  CHECK((to_vector(writes) == expected_writes));
  return to_vector(sums);
}

template <class V>
bool same_bits(const V& a, const V& b) {
  return std::memcmp(&a, &b, sizeof(V)) == 0;
}

/// Integers, so that all sums are exact: an error is a lost or doubled element.
template <class How, class V, class Exec>
void check_exact(const Exec& exec, const std::vector<int>& offsets) {
  std::vector<double> data;
  for (int i = 0; i < offsets.back(); ++i) data.push_back(i * 7 % 11 - 4);
  const std::vector<V> sums = reduce<How, V>(exec, offsets, data);
  int wrong                 = 0;
  for (std::size_t q = 0; q < sums.size(); ++q) {
    double expected = 0;
    for (int i = offsets[q]; i < offsets[q + 1]; ++i)
      expected += data[std::size_t(i)];
    const V exact = Converter<V, double>::from(expected);
    V zero        = Converter<V, double>::from(0);
    zero += sums[q];  // -0 becomes 0
    wrong += offsets[q] == offsets[q + 1] || same_bits(zero, exact) ? 0 : 1;
  }
  CHECK(wrong == 0);
}

template <class How, class Exec, class... Vs>
void check_exact_all(const std::vector<int>& some_sizes) {
  const Exec exec{};
  for (int n : some_sizes)
    for (Shape shape : all_shapes) {
      INFO("shape " << int(shape) << ", n " << n);
      const std::vector<int> offsets = make_offsets(shape, n);
      (check_exact<How, Vs>(exec, offsets), ...);
    }
}

TEMPLATE_LIST_TEST_CASE("segmented_reduce adds each element once",
                        "[segmented_reduce]", Spaces) {
  check_exact_all<AsShipped, TestType, double, float, int,
                  Kokkos::complex<double>, SmallArray<float, 3>,
                  SmallArray<double, 8>>(sizes);
}

TEMPLATE_LIST_TEST_CASE("segmented_reduce through levels of chunks",
                        "[segmented_reduce]", Spaces) {
  const std::vector<int> small =
      slow_run ? std::vector<int>{1, 3, 9, 64, 65, 1009}
               : std::vector<int>{1, 2, 3, 4, 5, 8, 9, 63, 64, 65, 1009, 4099};
  using Array3 = SmallArray<float, 3>;
  using Array8 = SmallArray<double, 8>;
  check_exact_all<Tuned<1, 4, 1>, TestType, double, Array3>(small);
  check_exact_all<Tuned<4, 3, 2>, TestType, float, Array8>(small);
  check_exact_all<Tuned<8, 5, 10>, TestType, int, double>(small);
  check_exact_all<Tuned<16, 64, 1000000>, TestType, double,
                  Kokkos::complex<double>>(small);
}

TEMPLATE_LIST_TEST_CASE("segmented_reduce passes over empty segments",
                        "[segmented_reduce]", Spaces) {
  std::vector<int> offsets = {0, 0, 0, 3, 3, 16, 16, 16, 20, 2000, 2000, 2048};
  check_exact<AsShipped, double>(TestType{}, offsets);
  check_exact<Tuned<4, 2, 1>, double>(TestType{}, offsets);
  offsets.insert(offsets.end(), 3, 2048);
  check_exact<AsShipped, double>(TestType{}, offsets);
  check_exact<Tuned<4, 2, 1>, double>(TestType{}, offsets);
}

/// Elements begin, ..., end - 1: the sums of pieces that begin at multiples of
/// `piece`, in their order.
double sum_of_pieces(const std::vector<double>& data, int begin, int end,
                     int piece) {
  double sum = 0;
  for (int i = begin; i < end;) {
    const int stop   = std::min(end, (i / piece + 1) * piece);
    double part      = data[std::size_t(i)];
    const bool first = i == begin;
    for (++i; i < stop; ++i) part += data[std::size_t(i)];
    sum = first ? part : sum + part;
  }
  return sum;
}

/// The order that the documentation promises, for one level of chunks: parts
/// of chunks, the later parts together, then the first.
double fixed_order(const std::vector<double>& data, int begin, int end,
                   int chunk, int piece) {
  std::vector<double> parts;
  for (int i = begin; i < end;) {
    const int stop = std::min(end, (i / chunk + 1) * chunk);
    parts.push_back(sum_of_pieces(data, i, stop, piece));
    i = stop;
  }
  if (parts.size() == 1) return parts[0];
  double later = parts[1];
  for (std::size_t p = 2; p < parts.size(); ++p) later += parts[p];
  return parts[0] + later;
}

std::vector<double> random_data(int n) {
  std::mt19937_64 generator(static_cast<std::uint64_t>(n));
  std::uniform_real_distribution<double> uniform(-1, 1);
  std::vector<double> data;
  for (int i = 0; i < n; ++i) data.push_back(uniform(generator));
  return data;
}

TEMPLATE_LIST_TEST_CASE("segmented_reduce adds in the documented order",
                        "[segmented_reduce]", Spaces) {
  using How           = Tuned<16, 64, 1000000>;
  constexpr int chunk = Sporos::Impl::reduce_chunk<How, TestType, double>();
  for (int n : {1, 15, 16, 17, 1000, 5003})
    for (Shape shape : all_shapes) {
      const std::vector<int> offsets = make_offsets(shape, n);
      const std::vector<double> data = random_data(n);
      const auto sums  = reduce<How, double>(TestType{}, offsets, data);
      std::size_t same = 0;
      for (std::size_t q = 0; q < sums.size(); ++q)
        same += same_bits(sums[q], fixed_order(data, offsets[q], offsets[q + 1],
                                               chunk, How::items))
                    ? 1
                    : 0;
      INFO("shape " << int(shape) << ", n " << n);
      CHECK(same == sums.size());
    }
}

TEMPLATE_LIST_TEST_CASE("segmented_reduce gives the same bits each time",
                        "[segmented_reduce]", Spaces) {
  constexpr int n = slow_run ? 20011 : 100003, runs = slow_run ? 3 : 20;
  for (Shape shape : all_shapes) {
    const std::vector<int> offsets = make_offsets(shape, n);
    const std::vector<double> data = random_data(n);
    using V                        = SmallArray<double, 4>;
    const auto first = reduce<AsShipped, V>(TestType{}, offsets, data);
    int different    = 0;
    for (int run = 1; run < runs; ++run) {
      const auto again = reduce<AsShipped, V>(TestType{}, offsets, data);
      different +=
          std::memcmp(first.data(), again.data(), first.size() * sizeof(V)) != 0
              ? 1
              : 0;
    }
    INFO("shape " << int(shape));
    CHECK(different == 0);
  }
}

}  // namespace ReduceTest
