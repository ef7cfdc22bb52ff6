// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef SPOROS_MATRIXARGS_HPP
#define SPOROS_MATRIXARGS_HPP

/// \file Sporos_MatrixArgs.hpp
/// Arguments of matrices: those of a dat of non-zeros through the map of
/// positions, for which the sparsity is asked when the loop begins.

#include <Sporos_Error.hpp>
#include <Sporos_LoopArgs.hpp>
#include <Sporos_MissingArgs.hpp>
#include <mesh_loop/arguments/Sporos_Lowering.hpp>
#include <mesh_loop/arguments/Sporos_SearchedMap.hpp>
#include <mesh_loop/matrix/Sporos_SparsityPositions.hpp>
#include <mesh_loop/plan/Sporos_LoopChecks.hpp>

#include <string>
#include <type_traits>

namespace Sporos {
namespace Impl {

/// The block of an element's matrix at row i of the first map and column j of
/// the second, in registers: R x C values, row by row.
template <class T, int Rows, int Columns, int R, int C>
class BlockAccess {
 public:
  using value_type                   = T;        ///< a number or a pack
  static constexpr int rows          = Rows;     ///< arity of the row map
  static constexpr int columns       = Columns;  ///< of the column map
  static constexpr int row_values    = R;        ///< rows of a block
  static constexpr int column_values = C;        ///< columns of a block

  /// For the implementation.
  template <class Accessor>
  KOKKOS_FORCEINLINE_FUNCTION explicit BlockAccess(const Accessor& of)
      : m_v(&of[0]) {}

  /// The entry at row i, column j of an element's matrix of numbers.
  KOKKOS_FORCEINLINE_FUNCTION T& operator()(int i, int j) const {
    static_assert(R == 1 && C == 1,
                  "Sporos::par_loop: entries of a matrix of blocks are "
                  "a(i, c, j, d)");
    return (*this)(i, 0, j, 0);
  }
  /// Component c of row i, component d of column j.
  KOKKOS_FORCEINLINE_FUNCTION T& operator()(int i, int c, int j, int d) const {
    check_component<R, Rows>(i, c);
    check_component<C, Columns>(j, d);
    return m_v[((i * Columns + j) * R + c) * C + d];
  }

 private:
  T* m_v;
};

/// Access of a loop to the entries of a matrix that an element couples.
/// Partial: made by with_missing; Searched: by with_search
template <class MatType, class RowMap, class ColumnMap, Access A,
          bool Partial = false, bool Searched = false>
struct MatArg {
  static_assert(RowMap::static_arity != dynamic_arity &&
                    ColumnMap::static_arity != dynamic_arity,
                "Sporos::par_loop: an argument of a matrix needs maps of "
                "constant arity: write map.fixed<Arity>()");
  MatType mat;
  RowMap rows;
  ColumnMap columns;
  bool promised = false;
};

}  // namespace Impl

/// Increments of the entries of a matrix: `inc(mat, row_map, column_map)`. They
/// start at zero, and the library adds them to the matrix.
/// \tparam T a number, or a pack
/// \tparam Rows, Columns arities of the two maps
/// \tparam R, C extents of a block
template <class T, int Rows, int Columns, int R = 1, int C = 1>
class MatInc : public Impl::BlockAccess<T, Rows, Columns, R, C> {
 public:
  using Impl::BlockAccess<T, Rows, Columns, R, C>::BlockAccess;
};

/// Entries of a matrix that the kernel overwrites: `write(mat, row_map,
/// column_map, disjoint)`. Those that it does not assign keep their values.
template <class T, int Rows, int Columns, int R = 1, int C = 1>
class MatWrite : public Impl::BlockAccess<T, Rows, Columns, R, C> {
 public:
  using Impl::BlockAccess<T, Rows, Columns, R, C>::BlockAccess;
};

namespace Impl {

template <class MatType, class RowMap, class ColumnMap, Access A, bool Partial,
          bool Searched>
struct Lowering<MatArg<MatType, RowMap, ColumnMap, A, Partial, Searched>> {
  using Arg = MatArg<MatType, RowMap, ColumnMap, A, Partial, Searched>;
  static constexpr bool changes = true;
  static constexpr int rows     = RowMap::static_arity;
  static constexpr int columns  = ColumnMap::static_arity;
  static constexpr int R = MatType::block_rows, C = MatType::block_columns;

  template <class Accessor>
  using seen = std::conditional_t<
      A == Access::inc,
      MatInc<typename Accessor::value_type, rows, columns, R, C>,
      MatWrite<typename Accessor::value_type, rows, columns, R, C>>;

  [[gnu::cold]] static std::string in_words(const Arg& arg) {
    return std::string(name_of(A)) + '(' + arg.mat.name() + ", " +
           names_of_maps(arg.rows.name(), arg.columns.name(), Searched) + ')';
  }
  template <class Exec>
  static auto argument(const Exec& exec, const Arg& arg) {
    using Memory = typename MatType::memory_space;
    static_assert(Kokkos::SpaceAccessibility<Exec, Memory>::accessible,
                  "Sporos::par_loop: the execution space cannot access the "
                  "memory of a matrix");
    const std::string words = in_words(arg);
    check_handle(arg.mat.is_made(), "Sporos::par_loop", words.c_str());
    const auto positions = find_positions(
        exec, {"Sporos::par_loop", words.c_str()}, *arg.mat.sparsity().state(),
        Map<dynamic_arity, Memory>(arg.rows.state(), arg.rows.view()),
        Map<dynamic_arity, Memory>(arg.columns.state(), arg.columns.view()),
        Searched);
    if constexpr (Searched)
      return through(
          arg, SearchedMap<rows, columns, Memory>(
                   positions.state(), {arg.rows.view(), arg.columns.view(),
                                       arg.mat.sparsity().state()->crs}));
    else
      return through(arg, Map<rows * columns, Memory>(positions.state(),
                                                      positions.view()));
  }

 private:
  template <class Positions>
  static auto through(const Arg& arg, const Positions& positions) {
    const DatArg<typename MatType::dat_type, Positions, A, Reach::all> lowered{
        arg.mat.dat(), positions, 0, arg.promised};
    if constexpr (Partial)
      return with_missing(lowered);
    else
      return lowered;
  }
};

}  // namespace Impl
}  // namespace Sporos

#endif
