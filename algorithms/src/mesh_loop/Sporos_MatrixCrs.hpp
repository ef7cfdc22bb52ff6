// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef SPOROS_MATRIXCRS_HPP
#define SPOROS_MATRIXCRS_HPP

/// \file Sporos_MatrixCrs.hpp
/// Matrices as those of Kokkos Kernels, and back. Sporos itself includes
/// nothing of Kokkos Kernels: you name the type.
///
/// \code
///   using Crs = KokkosSparse::CrsMatrix<double, int, Kokkos::Device<Exec,
///       Exec::memory_space>, void, std::int64_t>;
///   const Crs A = Sporos::to_crs<Crs>(exec, mat);
///   KokkosSparse::spmv("N", 1., A, x, 0., y);
/// \endcode

#include <Sporos_Error.hpp>
#include <Sporos_Matrix.hpp>
#include <Sporos_Sparsity.hpp>
#include <mesh_loop/matrix/Sporos_MatrixExpand.hpp>

#include <cstdint>
#include <string>
#include <type_traits>

namespace Sporos {

/// A matrix as compressed rows. Blocks of R x C values are expanded to R rows.
/// It shares the arrays whose types allow it: of 1 x 1 blocks the values and
/// columns, with 64-bit offsets these, too. Others are copied in exec,
/// asynchronously. Of a distributed mesh: the owned rows, with local columns.
/// \tparam Crs a KokkosSparse::CrsMatrix, or a type that has its member types
///   and its constructor from sizes and Views
/// \param exec an instance
/// \param mat the matrix
/// \throws std::invalid_argument for a default-constructed matrix, and for
///   more rows, columns or non-zeros than the integers of Crs count
template <class Crs, class Exec, class T, int R, int C, class M>
Crs to_crs(const Exec& exec, const Mat<T, R, C, M>& mat) {
  using Ordinal                  = typename Crs::ordinal_type;
  using Size                     = typename Crs::size_type;
  constexpr const char* function = "Sporos::to_crs";
  const auto& s                  = Impl::state_of(function, mat);
  const std::int64_t rows        = std::int64_t(s.rows.owned()) * R,
                     columns     = std::int64_t(s.columns.size()) * C,
                     nonzeros    = std::int64_t(s.owned_nonzeros) * R * C;
  Impl::check_counts<Ordinal>(function, "ordinal_type", "rows", rows);
  Impl::check_counts<Ordinal>(function, "ordinal_type", "columns", columns);
  Impl::check_counts<Size>(function, "size_type", "non-zeros", nonzeros);
  if constexpr (R == 1 && C == 1) {
    return Crs(mat.name(), Ordinal(rows), Ordinal(columns), Size(nonzeros),
               Impl::shared_or_copied<typename Crs::values_type>(
                   exec, mat.values(), nonzeros),
               Impl::shared_or_copied<typename Crs::row_map_type>(
                   exec, s.crs.offsets, rows + 1),
               Impl::shared_or_copied<typename Crs::index_type>(
                   exec, s.crs.columns, nonzeros));
  } else {
    const auto a = Impl::expanded_rows<R, C, Crs>(
        exec, s.rows.owned(), nonzeros, s.crs, mat.values().data());
    return Crs(mat.name(), Ordinal(rows), Ordinal(columns), Size(nonzeros),
               a.values, a.offsets, a.columns);
  }
}
/// A matrix as compressed rows. Waits.
template <class Crs, class T, int R, int C, class M>
Crs to_crs(const Mat<T, R, C, M>& mat) {
  const typename Mat<T, R, C, M>::execution_space exec{};
  const Crs crs = to_crs<Crs>(exec, mat);
  Impl::fence(exec, "Sporos::to_crs");
  return crs;
}

/// A matrix of square blocks as such. Shares the arrays whose types allow it;
/// others are copied in exec, asynchronously. Of a distributed mesh: the owned
/// rows, with local columns.
/// \tparam Bsr a KokkosSparse::Experimental::BsrMatrix (Kokkos Kernels 3.5 or
///   later), or a type that has its member types and its constructor from
///   sizes, Views and the size of blocks
/// \param exec an instance
/// \param mat the matrix
/// \throws std::invalid_argument as to_crs
template <class Bsr, class Exec, class T, int R, int C, class M>
Bsr to_bsr(const Exec& exec, const Mat<T, R, C, M>& mat) {
  static_assert(R == C, "Sporos::to_bsr: blocks must be square");
  using Ordinal                  = typename Bsr::ordinal_type;
  using Size                     = typename Bsr::size_type;
  constexpr const char* function = "Sporos::to_bsr";
  const auto& s                  = Impl::state_of(function, mat);
  const std::int64_t blocks      = s.owned_nonzeros;
  Impl::check_counts<Size>(function, "size_type", "non-zeros", blocks * R * R);
  return Bsr(mat.name(), Ordinal(s.rows.owned()), Ordinal(s.columns.size()),
             Size(blocks * R * R),
             Impl::shared_or_copied<typename Bsr::values_type>(
                 exec, mat.values(), blocks * R * R),
             Impl::shared_or_copied<typename Bsr::row_map_type>(
                 exec, s.crs.offsets, std::int64_t(s.rows.owned()) + 1),
             Impl::shared_or_copied<typename Bsr::index_type>(
                 exec, s.crs.columns, blocks),
             Ordinal(R));
}
/// A matrix of square blocks as such. Waits.
template <class Bsr, class T, int R, int C, class M>
Bsr to_bsr(const Mat<T, R, C, M>& mat) {
  const typename Mat<T, R, C, M>::execution_space exec{};
  const Bsr bsr = to_bsr<Bsr>(exec, mat);
  Impl::fence(exec, "Sporos::to_bsr");
  return bsr;
}

/// A matrix from the arrays of one of compressed rows. Columns that are int and
/// values that are not const are shared; others, and all offsets, are copied.
/// Waits for exec.
/// \param exec an instance, in which kernels may still fill the arrays
/// \param name the name in messages
/// \param rows, columns the sets of the rows and columns, not distributed
/// \param row_map integers of any size: where each row begins, and the number
///   of non-zeros
/// \param entries integers of any size: columns of all rows, those of a row
///   ascending
/// \param values one for each non-zero
/// \throws std::invalid_argument as Sparsity and Mat do
template <class Exec, class Offsets, class Columns, class Values>
auto from_crs(const Exec& exec, const std::string& name, const Set& rows,
              const Set& columns, const Offsets& row_map,
              const Columns& entries, const Values& values) {
  static_assert(
      Kokkos::is_view<Values>::value && Kokkos::is_view<Columns>::value,
      "Sporos::from_crs: entries and values must be Views of rank 1");
  static_assert(std::is_integral_v<typename Columns::non_const_value_type>,
                "Sporos::from_crs: entries must be integers");
  using Memory   = typename Values::memory_space;
  using Matrix   = Mat<typename Values::non_const_value_type, 1, 1, Memory>;
  using Couples  = typename Matrix::sparsity_type;
  const auto own = Impl::shared_or_copied<typename Couples::column_view>(
      exec, entries, std::int64_t(entries.extent(0)));
  const Couples sparsity(exec, name, rows, columns, row_map, own);
  const auto taken = Impl::shared_or_copied<typename Matrix::view_type>(
      exec, values, std::int64_t(values.extent(0)));
  Impl::fence(exec, "Sporos::from_crs");
  return Matrix(name, sparsity, taken);
}
/// A matrix from one of compressed rows, such as a KokkosSparse::CrsMatrix:
/// from_crs with graph.row_map, graph.entries and values. (Kokkos Kernels sorts
/// columns by KokkosSparse::sort_crs_matrix.)
/// \throws std::invalid_argument also for another number of columns
template <class Exec, class Crs>
auto from_crs(const Exec& exec, const std::string& name, const Set& rows,
              const Set& columns, const Crs& crs) {
  Impl::check(std::int64_t(crs.numCols()) == std::int64_t(columns.size()),
              "Sporos::from_crs", name.c_str(),
              Impl::text(columns.size(), " columns, as ", columns.name(),
                         " has elements"),
              crs.numCols());
  return from_crs(exec, name, rows, columns, crs.graph.row_map,
                  crs.graph.entries, crs.values);
}

}  // namespace Sporos

#endif
