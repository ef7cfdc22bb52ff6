// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Matrices as those of Kokkos Kernels, and back; with types that have the same
// members where Kokkos Kernels is not found.

#include "Sporos_CrsStandIn.hpp"
#include "Sporos_MatrixCases.hpp"
#include "Sporos_WrongCalls.hpp"

#include <Sporos_MatrixCrs.hpp>

#ifdef SPOROS_HAVE_KOKKOSKERNELS
#include <KokkosSparse_CrsMatrix.hpp>
#if __has_include(<KokkosSparse_BsrMatrix.hpp>)
#include <KokkosSparse_BsrMatrix.hpp>
#define SPOROS_TEST_BSR
#endif
#endif

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace MatrixCrs {

using namespace Sporos;
using Test::check_refused;
using Test::CrsStandIn;
using Test::HostExec;
using Test::HostMemory;
using Test::MatrixCase;
using Test::Spaces;

/// The numbers of a matrix of compressed rows with all zeros, row by row.
template <class T, class Crs>
std::vector<T> dense(const Crs& crs) {
  const auto offsets = Impl::on_host(crs.graph.row_map);
  const auto columns = Impl::on_host(crs.graph.entries);
  const auto values  = Impl::on_host(crs.values);
  const auto rows    = std::size_t(crs.numRows()),
             width   = std::size_t(crs.numCols());
  std::vector<T> all(rows * width);
  for (std::size_t row = 0; row < rows; ++row)
    for (auto k = std::size_t(offsets(row)); k < std::size_t(offsets(row + 1));
         ++k)
      all[row * width + std::size_t(columns(k))] += values(k);
  return all;
}

/// A matrix with values that tell its entries apart.
template <class Exec, int R, int C>
MatrixCase<Exec, double, 3, 3, R, C> numbered() {
  const MatrixCase<Exec, double, 3, 3, R, C> m(40, 23, 23, 7);
  const auto values = Kokkos::create_mirror_view(m.mat.values());
  for (std::size_t k = 0; k < values.extent(0); ++k) values(k) = double(k) + .5;
  Kokkos::deep_copy(m.mat.values(), values);
  return m;
}

template <class Crs, int R, int C, class Exec>
void check_crs() {
  const auto m  = numbered<Exec, R, C>();
  const Crs crs = to_crs<Crs>(m.mat);
  CHECK(int(crs.numRows()) == 23 * R);
  CHECK(dense<double>(crs) == Test::dense(m.mat));
}

TEMPLATE_LIST_TEST_CASE("matrices as compressed rows", "[matrix]", Spaces) {
  using Memory = typename TestType::memory_space;
  using Same   = CrsStandIn<double, int, Memory, std::int64_t>;
  check_crs<Same, 1, 1, TestType>();
  check_crs<Same, 2, 3, TestType>();
  check_crs<CrsStandIn<double, std::int64_t, Memory, int>, 1, 1, TestType>();
  check_crs<CrsStandIn<double, int, Memory, int>, 3, 3, TestType>();

  const auto m   = numbered<TestType, 1, 1>();
  const Same crs = to_crs<Same>(TestType{}, m.mat);
  CHECK(crs.values.data() == m.mat.values().data());
  CHECK(crs.graph.entries.data() == m.sparsity.columns().data());
  CHECK(crs.graph.row_map.data() == m.sparsity.row_offsets().data());
  const auto other =
      to_crs<CrsStandIn<double, int, Memory, int>>(TestType{}, m.mat);
  CHECK(other.values.data() == m.mat.values().data());
  CHECK(other.graph.entries.data() == m.sparsity.columns().data());

  // Without rows there is one offset.
  const Set none("none", 0);
  const Map<1, Memory> map("map", none, none, std::vector<int>{});
  const Mat<double, 2, 2, Memory> empty("empty",
                                        Sparsity<Memory>("", map, map));
  const Same no_rows = to_crs<Same>(empty);
  CHECK(no_rows.graph.row_map.extent(0) == 1);
  CHECK(Impl::on_host(no_rows.graph.row_map)(0) == 0);
}

TEMPLATE_LIST_TEST_CASE("matrices as blocks", "[matrix]", Spaces) {
  using Memory   = typename TestType::memory_space;
  using Same     = CrsStandIn<double, int, Memory, std::int64_t>;
  const auto m   = numbered<TestType, 3, 3>();
  const Same bsr = to_bsr<Same>(m.mat);
  CHECK(bsr.block == 3);
  CHECK(bsr.rows == 23);
  CHECK(bsr.columns == 23);
  CHECK(bsr.nonzeros == std::int64_t(bsr.values.extent(0)));
  CHECK(bsr.values.data() == m.mat.values().data());
  CHECK(bsr.graph.entries.data() == m.sparsity.columns().data());
  CHECK(bsr.graph.row_map.data() == m.sparsity.row_offsets().data());
}

TEMPLATE_LIST_TEST_CASE("matrices from compressed rows", "[matrix]", Spaces) {
  using Memory          = typename TestType::memory_space;
  const auto m          = numbered<TestType, 1, 1>();
  const auto check_back = [&](const auto& crs, bool shared) {
    const auto back = from_crs(TestType{}, "back", m.rows, m.columns, crs);
    CHECK(Test::dense(back) == Test::dense(m.mat));
    CHECK((back.sparsity().columns().data() == m.sparsity.columns().data()) ==
          shared);
    CHECK(back.values().data() == m.mat.values().data());
    CHECK(back.sparsity().nonzeros() != m.sparsity.nonzeros());
  };
  using Same  = CrsStandIn<double, int, Memory, std::int64_t>;
  using Other = CrsStandIn<double, std::int64_t, Memory, unsigned>;
  check_back(to_crs<Same>(m.mat), true);
  check_back(to_crs<Other>(m.mat), false);
  // values that are const are copied
  const Kokkos::View<const double*, Memory> values = m.mat.values();
  const auto copy =
      from_crs(TestType{}, "copy", m.rows, m.columns, m.sparsity.row_offsets(),
               m.sparsity.columns(), values);
  CHECK(copy.values().data() != values.data());
  CHECK(Test::dense(copy) == Test::dense(m.mat));
}

TEST_CASE("wrong matrices of compressed rows", "[wrong_calls]") {
  using Same   = CrsStandIn<double, int, HostMemory, std::int64_t>;
  using Tiny   = CrsStandIn<double, signed char, HostMemory, std::int64_t>;
  using Few    = CrsStandIn<double, int, HostMemory, unsigned char>;
  const auto m = numbered<HostExec, 3, 3>();
  const Mat<double, 1, 1, HostMemory> none;
  check_refused("Sporos::to_crs: mat: expected an initialised handle",
                [&] { to_crs<Same>(none); });
  check_refused("Sporos::to_bsr: mat: expected an initialised handle",
                [&] { to_bsr<Same>(none); });
  const MatrixCase<HostExec, double, 3, 3, 3, 3> wide(40, 23, 130, 7);
  check_refused(
      "Sporos::to_crs: ordinal_type: expected an integer that counts 390 "
      "columns, got one up to 127",
      [&] { to_crs<Tiny>(wide.mat); });
  check_refused("non-zeros, got one up to 255", [&] { to_crs<Few>(wide.mat); });
  check_refused("non-zeros, got one up to 255", [&] { to_bsr<Few>(wide.mat); });
  const auto one = numbered<HostExec, 1, 1>();
  const Same crs = to_crs<Same>(one.mat);
  const Set fewer("fewer", 22);
  check_refused("Sporos::from_crs: back: expected 22 columns, as fewer has",
                [&] { from_crs(HostExec{}, "back", one.rows, fewer, crs); });
  check_refused("Sporos::Sparsity: back: expected offsets(23)",
                [&] { from_crs(HostExec{}, "back", fewer, one.columns, crs); });
  Same unsorted = crs;
  unsorted.graph.entries =
      Same::index_type("entries", crs.graph.entries.extent(0));
  check_refused("ascending columns", [&] {
    from_crs(HostExec{}, "back", one.rows, one.columns, unsorted);
  });
}

#ifdef SPOROS_HAVE_KOKKOSKERNELS

TEST_CASE("matrices of Kokkos Kernels", "[matrix]") {
  using Device = Kokkos::Device<HostExec, HostMemory>;
  using Same = KokkosSparse::CrsMatrix<double, int, Device, void, std::int64_t>;
  using Default = KokkosSparse::CrsMatrix<double, int, Device>;
  check_crs<Same, 1, 1, HostExec>();
  check_crs<Default, 1, 1, HostExec>();
  check_crs<Default, 2, 2, HostExec>();
  const auto m   = numbered<HostExec, 1, 1>();
  const Same crs = to_crs<Same>(m.mat);
  CHECK(crs.values.data() == m.mat.values().data());
  CHECK(crs.graph.row_map.data() == m.sparsity.row_offsets().data());
  const auto back =
      from_crs(HostExec{}, "back", m.rows, m.columns, to_crs<Default>(m.mat));
  CHECK(Test::dense(back) == Test::dense(m.mat));
  CHECK(back.values().data() == m.mat.values().data());
}

#ifdef SPOROS_TEST_BSR
TEST_CASE("matrices of blocks of Kokkos Kernels", "[matrix]") {
  using Device = Kokkos::Device<HostExec, HostMemory>;
  using Bsr = KokkosSparse::Experimental::BsrMatrix<double, int, Device, void,
                                                    std::int64_t>;
  const auto m  = numbered<HostExec, 2, 2>();
  const Bsr bsr = to_bsr<Bsr>(m.mat);
  CHECK(bsr.values.data() == m.mat.values().data());
  CHECK(bsr.blockDim() == 2);
  const auto all = Test::dense(m.mat);
  double worst   = 0;
  for (int row = 0; row < 23; ++row) {
    const auto blocks = bsr.block_row_Const(row);
    for (int k = 0; k < blocks.length; ++k)
      for (int c = 0; c < 2; ++c)
        for (int d = 0; d < 2; ++d)
          worst = Test::larger_error(
              worst,
              std::fabs(blocks.block(k)(c, d) -
                        all[std::size_t((2 * row + c) * 46 +
                                        2 * blocks.block_colidx(k) + d)]));
  }
  CHECK(worst == 0);
}
#endif

#endif

}  // namespace MatrixCrs
