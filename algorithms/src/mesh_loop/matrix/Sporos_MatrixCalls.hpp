// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef SPOROS_MATRIXCALLS_HPP
#define SPOROS_MATRIXCALLS_HPP

/// \file Sporos_MatrixCalls.hpp
/// What calls with matrices check, and boundary conditions. Users include
/// Sporos_Matrix.hpp.

#include <Sporos_Error.hpp>
#include <Sporos_Mesh.hpp>
#include <Sporos_ProfilingRegion.hpp>
#include <Sporos_Subset.hpp>
#include <mesh_loop/matrix/Sporos_MatrixKernels.hpp>
#include <mesh_loop/matrix/Sporos_MatrixRanks.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>

namespace Sporos {

namespace Impl {

/// A type from which no template argument is deduced.
template <class T>
struct Given {
  using type = T;
};
template <class T>
using given = typename Given<T>::type;

template <class MatType>
auto& state_of(const char* function, const MatType& mat) {
  check_handle(mat.is_made(), function, "mat");
  return *mat.sparsity().state();
}
template <int R>
Components components_of(const char* function, int component) {
  check(component >= -1 && component < R, function, "component",
        text("one in [0, ", R, "), or all_components"), component);
  return component < 0 ? Components{0, R}
                       : Components{component, component + 1};
}
/// Throws unless a dat has values for one of the sets of a matrix.
template <class DatType>
void check_dat(const char* function, const char* argument, const DatType& dat,
               const Set& set) {
  check_handle(dat.is_made(), function, argument);
  check(dat.set() == set, function, argument,
        text("a dat on ", set_in_words(*set.state())),
        text("one on ", other_in_words(*dat.set().state(), *set.state())));
}
template <class M, class Memory>
RowList rows_of_subset(const char* function, const Subset<M>& rows,
                       const SparsityState<Memory>& s) {
  check_handle(rows.state() != nullptr, function, "rows");
  check(rows.set() == s.rows, function, "rows",
        text("a subset of ", set_in_words(*s.rows.state())),
        text("one of ", other_in_words(*rows.set().state(), *s.rows.state())));
  return RowList{rows.view().data() + rows.begin()};
}
/// How many of them this rank owns: they come first.
template <class M>
int owned_rows(const Subset<M>& rows) {
  if (!rows.set().is_distributed()) return rows.size();
  return std::max(
      0, std::min(rows.end(), rows.state()->ends.owned) - rows.begin());
}

/// Calls f in the default instance of a matrix, and waits.
template <class MatType, class F>
void and_wait(const char* function, const F& f) {
  const typename MatType::execution_space exec{};
  f(exec);
  fence(exec, function);
}

/// check_dats(state) throws for wrong ones. halo: that of x, null if it is up
/// to date
template <class Exec, class MatType, class M, class X, class B, class Checks>
void zero_rows_columns(const Exec& exec, const MatType& mat,
                       const Subset<M>& rows,
                       typename MatType::value_type diagonal, int component,
                       const X& x, const B& b, const HaloDat* halo,
                       const Checks& check_dats) {
  constexpr const char* function = "Sporos::zero_rows_columns";
  constexpr int R                = MatType::block_rows;
  const ProfilingRegion region(function);
  auto& s = state_of(function, mat);
  RowList list{nullptr};
  Components some{};
  check_on_ranks(exec, function, mat.name(), s.rows, [&] {
    check_dats(s);
    list = rows_of_subset(function, rows, s);
    some = components_of<R>(function, component);
    check_diagonal(function, mat.name(), exec, s, list, owned_rows(rows));
  });
  unsigned char* const marks =
      s.marks.require_data(exec, std::size_t(s.rows.size()));
  for_rows("Sporos::zero_rows_columns::clear", exec, s.rows.size(),
           ClearMarks{marks});
  for_rows("Sporos::zero_rows_columns::mark", exec, owned_rows(rows),
           MarkRows{marks, list});
  fill_marks(exec, s.rows, marks, halo);
  const std::uint32_t* const order =
      b.data != nullptr && s.rows.is_distributed()
          ? rank_rows(exec, s).order.data()
          : nullptr;
  for_rows("Sporos::zero_rows_columns", exec, s.rows.owned(),
           ZeroRowsColumns<typename MatType::value_type, R, X, B>{
               s.entries(), mat.values().data(), marks, some, diagonal, x, b,
               order});
}

}  // namespace Impl

}  // namespace Sporos

#endif
