// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Rows that are read, written and added by packs, against loops over lanes and
// components: any number of components, rows that repeat, rows at the very end
// of accessible memory.

#include "Sporos_Test.hpp"

#include <Sporos_Pack.hpp>
#include <Sporos_RowPack.hpp>

#include <cmath>
#include <cstddef>
#include <tuple>
#include <vector>

#if defined(__linux__)
#include <sys/mman.h>
#include <unistd.h>
#endif

namespace PackRowsTest {

using Sporos::Pack;
using Sporos::scalar_of;
using Sporos::StridedRows;

// As wide as a register with AVX-512, wider without.
using Packs      = std::tuple<Pack<double, 8>, Pack<float, 4>, Pack<float, 16>>;
using OtherPacks = std::tuple<Pack<double, 1>, Pack<double, 16>>;

/// n values at the end of accessible memory: touching what follows crashes.
template <class T>
class EndOfMemory {
 public:
  explicit EndOfMemory(std::size_t n) {
#if defined(__linux__)
    const std::size_t page = std::size_t(sysconf(_SC_PAGESIZE));
    const std::size_t data = (n * sizeof(T) + page - 1) / page * page;
    m_bytes                = data + page;
    m_pages = static_cast<char*>(mmap(nullptr, m_bytes, PROT_READ | PROT_WRITE,
                                      MAP_PRIVATE | MAP_ANONYMOUS, -1, 0));
    REQUIRE(static_cast<void*>(m_pages) != MAP_FAILED);
    REQUIRE(mprotect(m_pages + data, page, PROT_NONE) == 0);
    m_values = reinterpret_cast<T*>(m_pages + data) - n;
#else
    m_storage.resize(n);
    m_values = m_storage.data();
#endif
  }
#if defined(__linux__)
  ~EndOfMemory() { munmap(m_pages, m_bytes); }
#endif
  EndOfMemory(const EndOfMemory&)            = delete;
  EndOfMemory& operator=(const EndOfMemory&) = delete;
  T* data() const { return m_values; }

 private:
#if defined(__linux__)
  char* m_pages;
  std::size_t m_bytes;
#else
  std::vector<T> m_storage;
#endif
  T* m_values;
};

/// Once for all types and sizes.
void require(const char* what, int n_components, bool ok) {
  INFO(what << " of " << n_components << " components");
  REQUIRE(ok);
}

constexpr int n_elements = 40;

/// A map of two columns from the lanes to elements that repeat often; the last
/// element is among them.
struct TestMap {
  std::vector<int> index = std::vector<int>(2 * 64);
  TestMap() {
    for (int i = 0; i < 2 * 64; ++i)
      index[i] = i % 5 == 0 ? n_elements - 1 : i * i * 7 % 13;
  }
};

/// The rows that the map names, from one of its columns on.
template <class T>
struct MappedRows {
  T* base;
  std::ptrdiff_t row_stride;
  const int* index;
  T* operator()(int lane, int slot = 0) const {
    return base + index[2 * lane + slot] * row_stride;
  }
};

template <class P, int N>
struct Rows {
  using T = scalar_of<P>;
  TestMap map;
  EndOfMemory<T> memory{std::size_t(n_elements) * N};
  std::vector<T> expected = std::vector<T>(std::size_t(n_elements) * N);

  Rows() {
    for (int i = 0; i < n_elements * N; ++i)
      expected[i] = memory.data()[i] = T(i % 101) + T(.5);
  }
  MappedRows<T> rows(int slot) {
    return {memory.data(), N, map.index.data() + slot};
  }
  std::size_t at(int l, int slot, int c) const {
    return std::size_t(map.index[2 * l + slot]) * N + c;
  }
  bool as_expected() const {
    for (std::size_t i = 0; i < expected.size(); ++i)
      if (memory.data()[i] != expected[i]) return false;
    return true;
  }
};

template <int N, class P>
void check_loads() {
  constexpr int W = P::width;
  Rows<P, N> r;
  for (int slot = 0; slot < 2; ++slot) {
    P out[N], elements[N];
    load_transposed(out, r.rows(slot));
    load_elements(elements, r.rows(slot), 1);
    bool equal = true;
    for (int c = 0; c < N; ++c)
      for (int l = 0; l < W; ++l) {
        const auto wanted = r.expected[r.at(l, slot, c)];
        equal = equal && out[c][l] == wanted && elements[c][l] == wanted;
      }
    require("loads", N, equal);
  }
  // consecutive rows up to the last one
  P out[N];
  const scalar_of<P>* const first = r.memory.data() + (n_elements - W) * N;
  load_transposed(out, StridedRows<const scalar_of<P>>{first, N});
  bool equal = true;
  for (int c = 0; c < N; ++c)
    for (int l = 0; l < W; ++l) equal = equal && out[c][l] == first[l * N + c];
  require("consecutive loads", N, equal);
}

template <int N, class P>
void check_one_slot() {
  using T = scalar_of<P>;
  Rows<P, N> r;
  P in[N];
  for (int c = 0; c < N; ++c)
    in[c] = P::generate([&](int l) { return T(1000 * (c + 1) + l); });
  const auto apply = [&](auto&& operation) {
    for (int l = 0; l < P::width; ++l)
      for (int c = 0; c < N; ++c)
        operation(r.expected[r.at(l, 1, c)], in[c][l]);
  };
  add_transposed(in, r.rows(1));
  apply([](T& to, T v) { to += v; });
  require("adds", N, r.as_expected());
  store_transposed(in, r.rows(1));
  apply([](T& to, T v) { to = v; });
  require("stores", N, r.as_expected());
}

/// Numbers whose sums depend on the order of the additions.
template <int N, class P>
void check_two_slots() {
  using T = scalar_of<P>;
  Rows<P, N> r;
  const auto value = [](int l, int slot, int c) {
    return T(1) / T(3 + l + 7 * slot + c);
  };
  P in[2][N];
  for (int slot = 0; slot < 2; ++slot)
    for (int c = 0; c < N; ++c)
      in[slot][c] = P::generate([&](int l) { return value(l, slot, c); });
  add_transposed(in, r.rows(0));
  for (int l = 0; l < P::width; ++l)
    for (int slot = 0; slot < 2; ++slot)
      for (int c = 0; c < N; ++c)
        r.expected[r.at(l, slot, c)] += value(l, slot, c);
  require("adds to two slots", N, r.as_expected());
}

/// Components that lie apart, as in a structure of arrays.
template <int N, class P>
void check_apart() {
  using T         = scalar_of<P>;
  constexpr int W = P::width;
  TestMap map;
  std::vector<T> data(n_elements * N, T(2)), expected = data;
  const MappedRows<T> rows{data.data(), 1, map.index.data()};
  P in[2][N], out[N];
  for (int slot = 0; slot < 2; ++slot)
    for (int c = 0; c < N; ++c)
      in[slot][c] = P::generate([&](int l) { return T(l + 10 * slot + c); });
  add_elements(in, rows, n_elements);
  store_elements(in[1], rows, n_elements);
  for (int l = 0; l < W; ++l)
    for (int slot = 0; slot < 2; ++slot)
      for (int c = 0; c < N; ++c)
        expected[map.index[2 * l + slot] + c * n_elements] += in[slot][c][l];
  for (int l = 0; l < W; ++l)
    for (int c = 0; c < N; ++c)
      expected[map.index[2 * l] + c * n_elements] = in[1][c][l];
  REQUIRE(data == expected);
  load_elements(out, rows, n_elements);
  for (int c = 0; c < N; ++c)
    for (int l = 0; l < W; ++l)
      REQUIRE(out[c][l] == data[map.index[2 * l] + c * n_elements]);
}

template <class P, int... N>
void check_all() {
  (check_loads<N, P>(), ...);
  (check_one_slot<N, P>(), ...);
  (check_two_slots<N, P>(), ...);
}

TEMPLATE_LIST_TEST_CASE("pack rows", "[pack]", Packs) {
  check_all<TestType, 1, 2, 3, 4, 7, 8>();
}

TEMPLATE_LIST_TEST_CASE("pack rows, other widths", "[pack]", OtherPacks) {
  check_all<TestType, 5>();
}

TEMPLATE_LIST_TEST_CASE("pack elements", "[pack]", Packs) {
  check_apart<1, TestType>();
  check_apart<5, TestType>();
}

/// A row of N values at the end of memory. They are whole numbers, so that all
/// orders of sums give the same.
template <int N, bool Overlap>
void check_row() {
  using Row = Sporos::Impl::RowPack<double, N, Overlap>;
  EndOfMemory<double> memory(N), weights(N);
  std::vector<double> expected(N);
  double dot = 0, dot_nonzero = 0;
  for (int i = 0; i < N; ++i) {
    memory.data()[i]  = i + 1;
    weights.data()[i] = i % 3;
    expected[i]       = 2 * (i + 1 + 3 * (i % 3) + 5);
    dot += expected[i] * (i % 3);
  }
  const Row w = Row::load(weights.data());
  Row row     = Row::load(memory.data());
  row.add_product(w, 3);
  row.add(Row::fill(5));
  row.times(2).store(memory.data());
  CAPTURE(N, Overlap);
  REQUIRE(std::vector<double>(memory.data(), memory.data() + N) == expected);
  row = Row::load(memory.data());
  REQUIRE(row.dot(w) == dot);
  for (int i = 0; i < N; i += 3) memory.data()[i] = std::nan("");
  for (int i = 0; i < N; ++i)
    if (i % 3 != 0) dot_nonzero += expected[i] * (i % 3);
  REQUIRE(w.dot_nonzero(Row::load(memory.data())) == dot_nonzero);
}

TEST_CASE("rows of packs", "[pack]") {
  check_row<1, false>();
  check_row<2, false>();
  check_row<7, false>();
  check_row<12, false>();
  check_row<7, true>();
  check_row<11, true>();
  check_row<14, true>();
  check_row<15, true>();
}

}  // namespace PackRowsTest
