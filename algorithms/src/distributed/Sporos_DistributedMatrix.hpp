// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef SPOROS_DISTRIBUTEDMATRIX_HPP
#define SPOROS_DISTRIBUTEDMATRIX_HPP

/// \file Sporos_DistributedMatrix.hpp
/// The matrices of distributed meshes in the form that solvers take: global
/// numbers of rows and columns.
///
/// \code
///   const Sporos::Sparsity sparsity("stiffness", cell_nodes, cell_nodes);
///   const Sporos::Mat<double> A("A", sparsity);
///   ...
///   const auto numbers = Sporos::solver_numbers(exec, mesh, nodes);
///   const auto rows = Sporos::global_rows(exec, sparsity, numbers, numbers);
///   // rows.offsets, rows.columns and A.values() are the rows of this rank
/// \endcode

#include <Sporos_DistributedMesh.hpp>
#include <Sporos_Error.hpp>
#include <Sporos_ForEachIndex.hpp>
#include <Sporos_Sparsity.hpp>

#include <cstddef>
#include <cstdint>
#include <limits>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

namespace Sporos {

/// The owned rows of a sparsity, compressed, with global numbers. Entry k of
/// `columns` is that of block k of Mat::values().
/// \tparam Number an integer
template <class Number, class MemorySpace>
struct GlobalRows {
  using view_type = Kokkos::View<Number*, MemorySpace>;  ///< of all arrays

  view_type numbers;  ///< of each row
  view_type offsets;  ///< where each row begins, and the number of non-zeros
  view_type columns;  ///< numbers of the columns of all rows; of a row in the
                      ///< order of the sparsity, so they may not ascend
};

namespace Impl {

/// numbers[i] = first + i
template <class Number>
struct CountFrom {
  Number* numbers;
  Number first;
  KOKKOS_FUNCTION void operator()(int i) const {
    numbers[i] = first + Number(i);
  }
};
/// to[k] = of[at[k]]
template <class Number>
struct TakeNumbers {
  Number* to;
  const Number* of;
  const int* at;
  KOKKOS_FUNCTION void operator()(int k) const { to[k] = of[at[k]]; }
};
/// to[k] = Number(from[k])
template <class Number>
struct ConvertOffsets {
  Number* to;
  const std::int64_t* from;
  KOKKOS_FUNCTION void operator()(int k) const { to[k] = Number(from[k]); }
};

}  // namespace Impl

/// Collective. Numbers for the local elements of a set, such that the owned
/// ones of rank 0 are 0, 1, ..., then those of rank 1 follow, and so on, as
/// solvers number rows (PETSc, Hypre). Elements of the halo have the numbers
/// that their owners give them. (DistributedMesh::global_numbers are those of
/// the global mesh instead, in the order of which no rank has a range.)
/// \tparam Number an integer; default 64 bits
/// \param exec an instance; waits for it
/// \param mesh the mesh
/// \param set one of its sets
/// \return an array with set.size() entries, halo included
/// \throws std::invalid_argument on all ranks for a set of another mesh and for
///   one whose size is more than a Number counts
template <class Number = std::int64_t, class Exec>
Kokkos::View<Number*, typename Exec::memory_space> solver_numbers(
    const Exec& exec, const DistributedMesh<Exec>& mesh, const GlobalSet& set) {
  static_assert(std::is_integral_v<Number>,
                "Sporos::solver_numbers: numbers must be integers");
  constexpr const char* function = "Sporos::solver_numbers";
  using Memory                   = typename Exec::memory_space;
  const Communicator& comm       = mesh.communicator();
  Set local;
  Impl::agree_on(
      comm, function, [&] { local = mesh.set(set); },
      Impl::in_one_text("numbers of set ", set.index, ", ",
                        Impl::type_in_words<Number>()));
  const std::int64_t owned = local.owned();
  std::vector<std::int64_t> counts(std::size_t(comm.size()));
  Impl::check_mpi(MPI_Allgather(&owned, 1, MPI_INT64_T, counts.data(), 1,
                                MPI_INT64_T, comm.mpi()),
                  function, "MPI_Allgather");
  std::int64_t first = 0, all = 0;
  for (std::size_t r = 0; r < counts.size(); ++r) {
    if (int(r) < comm.rank()) first += counts[r];
    all += counts[r];
  }
  Impl::check(
      std::uint64_t(all) <= std::uint64_t(std::numeric_limits<Number>::max()),
      function, local.name().c_str(),
      Impl::text("at most ", +std::numeric_limits<Number>::max(),
                 " elements for numbers of ", sizeof(Number), " bytes"),
      all);
  const auto numbers = Impl::new_view<Kokkos::View<Number*, Memory>>(
      exec, function, std::size_t(local.size()));
  Impl::for_each_index(
      function,
      Kokkos::RangePolicy<Exec, Kokkos::IndexType<int>>(exec, 0, int(owned)),
      Impl::CountFrom<Number>{numbers.data(), Number(first)});
  const Dat<Number, 1, Kokkos::LayoutRight, Memory> dat(exec, function, local,
                                                        numbers);
  dat.modified();
  mesh.fill_halo(exec, dat);
  Impl::fence(exec, function);
  return numbers;
}

/// The rows of a sparsity that this rank owns, with global numbers: those of
/// solver_numbers, those of the global mesh, or your own.
/// \param exec an instance; asynchronous in it
/// \param sparsity the sparsity; of one process, too
/// \param row_numbers, column_numbers of the local elements of its sets, halo
///   included
/// \throws std::invalid_argument for arrays of other lengths, and more
///   non-zeros than a Number counts
template <class Exec, class Number, class MemorySpace>
GlobalRows<Number, MemorySpace> global_rows(
    const Exec& exec, const Sparsity<MemorySpace>& sparsity,
    const Kokkos::View<Number*, MemorySpace>& row_numbers,
    const Kokkos::View<Number*, MemorySpace>& column_numbers) {
  static_assert(std::is_integral_v<Number>,
                "Sporos::global_rows: numbers must be integers");
  constexpr const char* function = "Sporos::global_rows";
  const auto check_numbers       = [&](const char* argument, const Set& set,
                                 const auto& numbers) {
    Impl::check(numbers.extent(0) == std::size_t(set.size()), function,
                      argument,
                      Impl::text("a number for each of the ", set.size(),
                                 " local elements of ", set.name()),
                      numbers.extent(0));
  };
  check_numbers("row_numbers", sparsity.row_set(), row_numbers);
  check_numbers("column_numbers", sparsity.column_set(), column_numbers);
  const int rows = sparsity.row_set().owned(), n = sparsity.owned_nonzeros();
  Impl::check(
      std::uint64_t(n) <= std::uint64_t(std::numeric_limits<Number>::max()),
      function, "sparsity",
      Impl::text("at most ", +std::numeric_limits<Number>::max(),
                 " non-zeros for numbers of ", sizeof(Number), " bytes"),
      n);
  using View = Kokkos::View<Number*, MemorySpace>;
  GlobalRows<Number, MemorySpace> all;
  all.numbers     = Kokkos::subview(row_numbers, std::make_pair(0, rows));
  all.offsets     = Impl::new_view<View>(exec, "Sporos::global_rows::offsets",
                                     std::size_t(rows) + 1);
  all.columns     = Impl::new_view<View>(exec, "Sporos::global_rows::columns",
                                     std::size_t(n));
  const auto each = [&](int count, const auto& f) {
    Impl::for_each_index(
        function,
        Kokkos::RangePolicy<Exec, Kokkos::IndexType<int>>(exec, 0, count), f);
  };
  each(rows + 1, Impl::ConvertOffsets<Number>{all.offsets.data(),
                                              sparsity.row_offsets().data()});
  each(n, Impl::TakeNumbers<Number>{all.columns.data(), column_numbers.data(),
                                    sparsity.columns().data()});
  return all;
}

}  // namespace Sporos

#endif
