// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Rows that are read, written and added by packs, against loops over lanes and
// components: any number of components, rows that repeat, rows at the very end
// of accessible memory.

#include "Sporos_Test.hpp"

#include <Sporos_Pack.hpp>

#include <cstddef>
#include <tuple>
#include <vector>

#if defined(__linux__)
#include <sys/mman.h>
#include <unistd.h>
#endif

namespace PackRowsTest {

using Sporos::IndexedRows;
using Sporos::Pack;
using Sporos::pack_width;
using Sporos::scalar_of;
using Sporos::StridedRows;

// As wide as a register with AVX-512, wider without.
using Packs =
    std::tuple<double, Pack<double, 8>, Pack<float, 4>, Pack<float, 16>>;
using OtherPacks = std::tuple<Pack<double, 1>, Pack<double, 16>, float>;

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
void require(const char* what, int n_components, int lanes, bool ok) {
  INFO(what << " of " << n_components << " components, " << lanes << " lanes");
  REQUIRE(ok);
}

template <class T>
T lane(const T& a, int) {
  return a;
}
template <class T, int W>
T lane(const Pack<T, W>& a, int i) {
  return a[i];
}

/// Lane i is f(i).
template <class P, class F>
P generate(const F& f) {
  if constexpr (Sporos::Impl::IsPack<P>::value)
    return P::generate([&](int i) { return scalar_of<P>(f(i)); });
  else
    return P(f(0));
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

template <class P, int N>
struct Rows {
  using T                = scalar_of<P>;
  static constexpr int W = pack_width<P>;
  TestMap map;
  EndOfMemory<T> memory{std::size_t(n_elements) * N};
  std::vector<T> expected = std::vector<T>(std::size_t(n_elements) * N);

  Rows() { reset(); }
  void reset() {
    for (int i = 0; i < n_elements * N; ++i)
      expected[i] = memory.data()[i] = T(i % 101) + T(.5);
  }
  IndexedRows<T> rows(int slot) {
    return {memory.data(), N, map.index.data() + slot, 2, 1};
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
  using T         = scalar_of<P>;
  constexpr int W = pack_width<P>;
  Rows<P, N> r;
  for (int slot = 0; slot < 2; ++slot)
    for (int lanes = 1; lanes <= W; ++lanes) {
      P out[N], elements[N];
      if (lanes == W) {
        load_transposed(out, r.rows(slot));
        Sporos::load_elements(elements, r.rows(slot), 1);
      } else {
        load_transposed(out, r.rows(slot), lanes);
        Sporos::load_elements(elements, r.rows(slot), 1, lanes);
      }
      bool equal = true;
      for (int c = 0; c < N; ++c)
        for (int l = 0; l < W; ++l) {
          const T wanted = r.expected[r.at(l < lanes ? l : 0, slot, c)];
          equal          = equal && lane(out[c], l) == wanted &&
                  lane(elements[c], l) == wanted;
        }
      require("loads", N, lanes, equal);
    }
  // consecutive rows up to the last one
  P out[N];
  T* const first = r.memory.data() + (n_elements - W) * N;
  load_transposed(out, StridedRows<const T>{first, N});
  bool equal = true;
  for (int c = 0; c < N; ++c)
    for (int l = 0; l < W; ++l)
      equal = equal && lane(out[c], l) == first[l * N + c];
  require("consecutive loads", N, W, equal);
}

template <int N, class P>
void check_one_slot() {
  using T         = scalar_of<P>;
  constexpr int W = pack_width<P>;
  Rows<P, N> r;
  P in[N];
  for (int c = 0; c < N; ++c)
    in[c] = generate<P>([&](int l) { return 1000 * (c + 1) + l; });
  for (int lanes = 1; lanes <= W; ++lanes) {
    const auto apply = [&](auto&& operation) {
      for (int l = 0; l < lanes; ++l)
        for (int c = 0; c < N; ++c)
          operation(r.expected[r.at(l, 1, c)], lane(in[c], l));
    };
    if (lanes == W)
      add_transposed(in, r.rows(1));
    else
      add_transposed(in, r.rows(1), lanes);
    apply([](T& to, T v) { to += v; });
    require("adds", N, lanes, r.as_expected());
    if (lanes == W)
      store_transposed(in, r.rows(1));
    else
      store_transposed(in, r.rows(1), lanes);
    apply([](T& to, T v) { to = v; });
    require("stores", N, lanes, r.as_expected());
    r.reset();
  }
}

/// Numbers whose sums depend on the order of the additions.
template <int N, class P>
void check_two_slots() {
  using T         = scalar_of<P>;
  constexpr int W = pack_width<P>;
  Rows<P, N> r;
  const auto value = [](int l, int slot, int c) {
    return T(1) / T(3 + l + 7 * slot + c);
  };
  P in[2][N];
  for (int slot = 0; slot < 2; ++slot)
    for (int c = 0; c < N; ++c)
      in[slot][c] = generate<P>([&](int l) { return value(l, slot, c); });
  for (int lanes : {W, (W + 1) / 2}) {
    if (lanes == W)
      add_transposed(in, r.rows(0));
    else
      add_transposed(in, r.rows(0), lanes);
    for (int l = 0; l < lanes; ++l)
      for (int slot = 0; slot < 2; ++slot)
        for (int c = 0; c < N; ++c)
          r.expected[r.at(l, slot, c)] += value(l, slot, c);
    require("adds to two slots", N, lanes, r.as_expected());
  }
}

/// Components that lie apart, as in a structure of arrays.
template <int N, class P>
void check_apart() {
  using T         = scalar_of<P>;
  constexpr int W = pack_width<P>;
  TestMap map;
  std::vector<T> data(n_elements * N, T(2)), expected = data;
  const IndexedRows<T> rows{data.data(), 1, map.index.data(), 2};
  P in[2][N], out[N];
  for (int slot = 0; slot < 2; ++slot)
    for (int c = 0; c < N; ++c)
      in[slot][c] = generate<P>([&](int l) { return l + 10 * slot + c; });
  Sporos::add_elements(in, rows, n_elements);
  Sporos::store_elements(in[1], rows, n_elements);
  for (int l = 0; l < W; ++l)
    for (int slot = 0; slot < 2; ++slot)
      for (int c = 0; c < N; ++c)
        expected[map.index[2 * l + slot] + c * n_elements] +=
            lane(in[slot][c], l);
  for (int l = 0; l < W; ++l)
    for (int c = 0; c < N; ++c)
      expected[map.index[2 * l] + c * n_elements] = lane(in[1][c], l);
  REQUIRE(data == expected);
  Sporos::load_elements(out, rows, n_elements);
  for (int c = 0; c < N; ++c)
    for (int l = 0; l < W; ++l)
      REQUIRE(lane(out[c], l) == data[map.index[2 * l] + c * n_elements]);
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

}  // namespace PackRowsTest
