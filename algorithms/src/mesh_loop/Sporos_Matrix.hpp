// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef SPOROS_MATRIX_HPP
#define SPOROS_MATRIX_HPP

/// \file Sporos_Matrix.hpp
/// Sparse matrices that loops assemble, as those of finite elements, and what
/// one does with them before a solver: boundary conditions, products.
///
/// \code
///   struct Stiffness {  // the matrix of a triangle
///     template <class Real>
///     KOKKOS_FUNCTION void operator()(Sporos::Read<Real, 2, 3> x,
///                                     Sporos::MatInc<Real, 3, 3> a) const {
///       for (int i = 0; i < 3; ++i)
///         for (int j = 0; j < 3; ++j) a(i, j) += ...;
///     }
///   };
///   const Sporos::Sparsity sparsity("stiffness", nodes_of, nodes_of);
///   const Sporos::Mat<double> A("A", sparsity);
///   Sporos::par_loop("assemble", exec, triangles, Stiffness{},
///                    Sporos::read(x, nodes_of),
///                    Sporos::inc(A, nodes_of, nodes_of));
/// \endcode

#include <Sporos_LoopArgs.hpp>
#include <Sporos_Mesh.hpp>
#include <Sporos_Sparsity.hpp>
#include <Sporos_Subset.hpp>
#include <Sporos_ViewChecks.hpp>
#include <mesh_loop/matrix/Sporos_MatrixArgs.hpp>
#include <mesh_loop/matrix/Sporos_MatrixCalls.hpp>

#include <cstddef>
#include <memory>
#include <string>
#include <type_traits>

namespace Sporos {

/// A matrix of blocks of R x C values, at the non-zeros of a sparsity. A
/// shallow handle.
/// \tparam T float, double, Kokkos::complex, or another type that a Dat takes
/// \tparam R, C rows and columns of a block: the components of the vectors that
///   it maps from and to
template <class T, int R = 1, int C = 1,
          class MemorySpace_ = Kokkos::DefaultExecutionSpace::memory_space>
class Mat {
 public:
  static_assert(R > 0 && C > 0, "Sporos::Mat: blocks need a row and a column");
  using value_type    = T;                       ///< type of an entry
  using memory_space  = MemorySpace_;            ///< memory of the values
  using sparsity_type = Sparsity<memory_space>;  ///< where non-zeros are
  /// instance of calls without one
  using execution_space = typename memory_space::execution_space;
  /// nonzeros().size() * R * C values: blocks in the order of the sparsity, the
  /// values of a block row by row
  using view_type = Kokkos::View<T*, memory_space>;
  /// the values of each non-zero
  using dat_type = Dat<T, R * C, Kokkos::LayoutRight, memory_space>;
  static constexpr int block_rows    = R;  ///< R
  static constexpr int block_columns = C;  ///< C

  /// An empty handle, to be assigned to. Every other use throws.
  Mat() = default;

  /// All values 0.
  Mat(const std::string& name, const sparsity_type& sparsity)
      : Mat(execution_space{}, name, sparsity) {
    Impl::fence(execution_space{}, "Sporos::Mat");
  }
  /// All values 0, set asynchronously in an instance, on its device.
  template <class Exec,
            class = std::enable_if_t<Kokkos::is_execution_space<Exec>::value>>
  Mat(const Exec& exec, const std::string& name, const sparsity_type& sparsity)
      : Mat(name, sparsity,
            Impl::new_view<view_type>(exec, "Sporos::Mat::" + name,
                                      size(sparsity))) {
    static_assert(Impl::is_accessible_v<Exec, view_type>,
                  "Sporos::Mat: the execution space cannot access the memory "
                  "of the matrix");
    Kokkos::deep_copy(exec, m_values, T());
  }
  /// Shares your values, as those of a matrix of compressed rows or of blocks.
  /// \throws std::invalid_argument for another number of them, or null
  Mat(const std::string& name, const sparsity_type& sparsity,
      const view_type& values)
      : m_sparsity(sparsity), m_values(values) {
    Impl::check(values.extent(0) == size(sparsity), "Sporos::Mat", name.c_str(),
                Impl::text("values(", size(sparsity), "), ", R, " x ", C,
                           " for each non-zero"),
                Impl::extents(values));
    Impl::check_memory("Sporos::Mat", name.c_str(), values);
    auto shared   = Impl::new_dat_state(name);
    shared->owner = std::make_shared<view_type>(values);
    const Set& on = sparsity.nonzeros();
    m_dat         = dat_type(shared, on,
                             Impl::make_view<typename dat_type::view_type>(
                         values.data(), on.size()));
  }

  std::string name() const { return m_dat.name(); }  ///< The name.
  /// Where its non-zeros are.
  const sparsity_type& sparsity() const { return m_sparsity; }
  /// The values.
  const view_type& values() const { return m_values; }
  /// The values as those of the elements of sparsity().nonzeros(), with which
  /// you can run loops.
  const dat_type& dat() const { return m_dat; }
  /// For the implementation: not default-constructed.
  bool is_made() const { return m_dat.is_made(); }

 private:
  static std::size_t size(const sparsity_type& sparsity) {
    return std::size_t(sparsity.nonzeros().size()) * R * C;
  }

  sparsity_type m_sparsity;
  view_type m_values;
  dat_type m_dat;
};

/// Increment the entries that an element couples, those of all rows that it
/// names through the first map with all columns that it names through the
/// second: MatInc<T, Rows, Columns, R, C>. The loop asks the sparsity for their
/// positions.
template <class T, int R, int C, class M, int Rows, int Columns>
auto inc(const Mat<T, R, C, M>& mat, const Map<Rows, M>& rows,
         const Map<Columns, M>& columns) {
  return Impl::MatArg<Mat<T, R, C, M>, Map<Rows, M>, Map<Columns, M>,
                      Access::inc>{mat, rows, columns};
}
/// Overwrite the entries that an element couples: MatWrite. You promise that no
/// two elements reach one entry.
template <class T, int R, int C, class M, int Rows, int Columns>
auto write(const Mat<T, R, C, M>& mat, const Map<Rows, M>& rows,
           const Map<Columns, M>& columns, Disjoint) {
  return Impl::MatArg<Mat<T, R, C, M>, Map<Rows, M>, Map<Columns, M>,
                      Access::write>{mat, rows, columns, true};
}
/// Overwrite without the promise: par_loop throws std::invalid_argument.
template <class T, int R, int C, class M, int Rows, int Columns>
auto write(const Mat<T, R, C, M>& mat, const Map<Rows, M>& rows,
           const Map<Columns, M>& columns) {
  return Impl::MatArg<Mat<T, R, C, M>, Map<Rows, M>, Map<Columns, M>,
                      Access::write>{mat, rows, columns};
}

/// An argument of a matrix through maps of which one or both have
/// MissingEntries::allowed. What the kernel does to rows and columns that an
/// element does not name is dropped. Works with all maps; where none of the
/// entries may be negative, loops are faster without it.
template <class D, class Rows, class Columns, Access A, bool Partial,
          bool Searched>
auto with_missing(
    const Impl::MatArg<D, Rows, Columns, A, Partial, Searched>& arg) {
  return Impl::MatArg<D, Rows, Columns, A, true, Searched>{
      arg.mat, arg.rows, arg.columns, arg.promised};
}

/// An argument of a matrix that keeps no positions of its entries: they are
/// searched for in the rows whenever the kernel's result is added or written,
/// O(log) of the length of a row for each. Saves the 4 bytes that the sparsity
/// keeps for each entry of each element (Sparsity::positions) and that loops
/// read; loops take longer. Works with all strategies, and together with
/// with_missing; results have the same bits. Plans that need all positions,
/// such as those of colours and of `gather`, find them while they are made, on
/// the host, and drop them.
template <class D, class Rows, class Columns, Access A, bool Partial,
          bool Searched>
auto with_search(
    const Impl::MatArg<D, Rows, Columns, A, Partial, Searched>& arg) {
  return Impl::MatArg<D, Rows, Columns, A, Partial, true>{
      arg.mat, arg.rows, arg.columns, arg.promised};
}

/// In calls below: all components of a block.
constexpr int all_components = -1;

/// Sets all values of a matrix to 0, asynchronously in an instance.
template <class Exec, class T, int R, int C, class M>
void zero(const Exec& exec, const Mat<T, R, C, M>& mat) {
  Impl::state_of("Sporos::zero", mat);
  Kokkos::deep_copy(exec, mat.values(), T());
}
/// Sets all values of a matrix to 0. Waits.
template <class T, int R, int C, class M>
void zero(const Mat<T, R, C, M>& mat) {
  Impl::and_wait<Mat<T, R, C, M>>("Sporos::zero",
                                  [&](const auto& exec) { zero(exec, mat); });
}

/// Sets the diagonal to a number.
/// \throws std::invalid_argument for a matrix whose rows and columns are of two
///   sets, and one with a row that lacks its diagonal. To find such a row it
///   waits for exec, unless the sparsity was made with
///   SparsityOptions::diagonal.
template <class Exec, class T, int R, class M>
void set_diagonal(const Exec& exec, const Mat<T, R, R, M>& mat,
                  Impl::given<T> number) {
  constexpr const char* function = "Sporos::set_diagonal";
  const auto& s                  = Impl::state_of(function, mat);
  const int n                    = s.rows.owned();
  Impl::check_diagonal(function, mat.name(), exec, s, Impl::RowList{nullptr},
                       n);
  using Rows = Impl::DatRows<T, R, Kokkos::LayoutRight>;
  Impl::for_rows(function, exec, n,
                 Impl::SetDiagonal<T, R, Rows>{s.entries(), mat.values().data(),
                                               Rows{nullptr}, number});
}
/// Sets the diagonal to the values of a dat.
/// \throws std::invalid_argument as above, and for a dat on another set
template <class Exec, class T, int R, class M, class L>
void set_diagonal(const Exec& exec, const Mat<T, R, R, M>& mat,
                  const Dat<T, R, L, M>& diagonal) {
  constexpr const char* function = "Sporos::set_diagonal";
  const auto& s                  = Impl::state_of(function, mat);
  const int n                    = s.rows.owned();
  Impl::check_dat(function, "diagonal", diagonal, s.rows);
  Impl::check_diagonal(function, mat.name(), exec, s, Impl::RowList{nullptr},
                       n);
  const auto rows = Impl::dat_rows(diagonal);
  Impl::for_rows(function, exec, n,
                 Impl::SetDiagonal<T, R, std::decay_t<decltype(rows)>>{
                     s.entries(), mat.values().data(), rows, T()});
}
/// Sets the diagonal to a number or the values of a dat. Waits.
template <class T, int R, class M, class Diagonal>
void set_diagonal(const Mat<T, R, R, M>& mat, const Diagonal& diagonal) {
  Impl::and_wait<Mat<T, R, R, M>>(
      "Sporos::set_diagonal",
      [&](const auto& exec) { set_diagonal(exec, mat, diagonal); });
}

/// Sets rows to 0 and their diagonal to a number, as the unknowns there are
/// given.
/// \param exec an instance. Asynchronous in it, unless it has to look for the
///   diagonal (see set_diagonal).
/// \param mat the matrix
/// \param rows a subset of the set of its rows; of a distributed one, the owned
///   rows of each rank
/// \param diagonal number for the diagonal; with 0 none is needed
/// \param component of each block: one row, or all_components
/// \throws std::invalid_argument for a subset of another set, a component that
///   is not there, and a row without a diagonal
template <class Exec, class T, int R, int C, class M>
void zero_rows(const Exec& exec, const Mat<T, R, C, M>& mat,
               const Subset<M>& rows, Impl::given<T> diagonal,
               int component = all_components) {
  constexpr const char* function = "Sporos::zero_rows";
  const auto& s                  = Impl::state_of(function, mat);
  const auto list                = Impl::rows_of_subset(function, rows, s);
  const auto some                = Impl::components_of<R>(function, component);
  if (!(diagonal == T())) {
    Impl::check(R == C, function, "diagonal",
                "0 for blocks that are not square",
                Impl::text("another number for blocks of ", R, " x ", C));
    Impl::check_diagonal(function, mat.name(), exec, s, list,
                         Impl::owned_rows(rows));
  }
  Impl::for_rows(function, exec, Impl::owned_rows(rows),
                 Impl::ZeroRows<T, R, C>{s.entries(), mat.values().data(), list,
                                         some, diagonal});
}
/// Sets rows to 0 and their diagonal to a number. Waits.
template <class T, int R, int C, class M>
void zero_rows(const Mat<T, R, C, M>& mat, const Subset<M>& rows,
               Impl::given<T> diagonal, int component = all_components) {
  Impl::and_wait<Mat<T, R, C, M>>("Sporos::zero_rows", [&](const auto& exec) {
    zero_rows(exec, mat, rows, diagonal, component);
  });
}

/// Sets rows and their columns to 0 and the diagonal to a number, so that a
/// symmetric matrix stays so, and takes what the columns contribute from a
/// right-hand side (lifting): of A x = b with given x in `rows` remain the
/// equations for the others; b becomes diagonal * x in `rows`.
/// \param exec an instance, see zero_rows. Calls for matrices with one sparsity
///   must not run at the same time in two instances. Of a distributed mesh:
///   collective, waits for messages about the rows of other ranks and for the
///   halo of x where it is out of date. Meshes with
///   DistributeOptions::any_ranks take from b in the order of global columns,
///   as multiply does.
/// \param mat the matrix
/// \param rows a subset of the set of its rows, which is that of its columns
/// \param diagonal number for the diagonal
/// \param x values in `rows`; others are not read
/// \param b the right-hand side
/// \param component of each block: one, or all_components
/// \throws std::invalid_argument as zero_rows, and for dats on another set and
///   such that share memory
template <class Exec, class T, int R, class M, class LX, class LB>
void zero_rows_columns(const Exec& exec, const Mat<T, R, R, M>& mat,
                       const Subset<M>& rows, Impl::given<T> diagonal,
                       const Dat<T, R, LX, M>& x, const Dat<T, R, LB, M>& b,
                       int component = all_components) {
  constexpr const char* function = "Sporos::zero_rows_columns";
  const bool stale               = x.is_made() && x.shared()->stale;
  const Impl::HaloDat halo       = Impl::halo_of(x);
  Impl::zero_rows_columns(
      exec, mat, rows, diagonal, component, Impl::dat_rows(x),
      Impl::dat_rows(b), stale ? &halo : nullptr, [&](const auto& s) {
        Impl::check_dat(function, "x", x, s.columns);
        Impl::check_dat(function, "b", b, s.rows);
        Impl::check_apart(function, "b", b.view(), "x", x.view());
      });
  x.shared()->stale = false;
  b.shared()->stale = true;
}
/// Sets rows and their columns to 0, with lifting. Waits.
template <class T, int R, class M, class LX, class LB>
void zero_rows_columns(const Mat<T, R, R, M>& mat, const Subset<M>& rows,
                       Impl::given<T> diagonal, const Dat<T, R, LX, M>& x,
                       const Dat<T, R, LB, M>& b,
                       int component = all_components) {
  Impl::and_wait<Mat<T, R, R, M>>(
      "Sporos::zero_rows_columns", [&](const auto& exec) {
        zero_rows_columns(exec, mat, rows, diagonal, x, b, component);
      });
}
/// Sets rows and their columns to 0 and the diagonal to a number, without a
/// right-hand side.
template <class Exec, class T, int R, class M>
void zero_rows_columns(const Exec& exec, const Mat<T, R, R, M>& mat,
                       const Subset<M>& rows, Impl::given<T> diagonal,
                       int component = all_components) {
  using None = Impl::DatRows<T, R, Kokkos::LayoutRight>;
  Impl::zero_rows_columns(exec, mat, rows, diagonal, component, None{nullptr},
                          None{nullptr}, nullptr, [](const auto&) {});
}
/// Sets rows and their columns to 0, without a right-hand side. Waits.
template <class T, int R, class M>
void zero_rows_columns(const Mat<T, R, R, M>& mat, const Subset<M>& rows,
                       Impl::given<T> diagonal,
                       int component = all_components) {
  Impl::and_wait<Mat<T, R, R, M>>(
      "Sporos::zero_rows_columns", [&](const auto& exec) {
        zero_rows_columns(exec, mat, rows, diagonal, component);
      });
}

/// y = A x, asynchronously in an instance. The products of a row are added in
/// the order of its columns. Of a distributed mesh, owned rows: collective,
/// waits for the messages that fill the halo of x where it is out of date, and
/// takes interior rows in the meantime. Meshes with
/// DistributeOptions::any_ranks add in the order of global columns, for which
/// the first product takes 4 bytes for each non-zero.
/// \throws std::invalid_argument for dats on other sets than those of the
///   columns (x) and rows (y), and such that share memory
template <class Exec, class T, int R, int C, class M, class LX, class LY>
void multiply(const Exec& exec, const Mat<T, R, C, M>& mat,
              const Dat<T, C, LX, M>& x, const Dat<T, R, LY, M>& y) {
  constexpr const char* function = "Sporos::multiply";
  auto& s                        = Impl::state_of(function, mat);
  Impl::check_on_ranks(exec, function, mat.name(), s.rows, [&] {
    Impl::check_dat(function, "x", x, s.columns);
    Impl::check_dat(function, "y", y, s.rows);
    Impl::check_apart(function, "y", y.view(), "x", x.view());
  });
  const auto from = Impl::dat_rows(x);
  const auto to   = Impl::dat_rows(y);
  const Impl::MultiplyRows<T, R, C, std::decay_t<decltype(from)>,
                           std::decay_t<decltype(to)>>
      rows{s.entries(), mat.values().data(), from, to};
  if (s.rows.is_distributed())
    Impl::multiply_on_ranks(exec, function, s, rows, x, y);
  else
    Impl::for_rows(function, exec, s.rows.size(), rows);
}
/// y = A x. Waits.
template <class T, int R, int C, class M, class LX, class LY>
void multiply(const Mat<T, R, C, M>& mat, const Dat<T, C, LX, M>& x,
              const Dat<T, R, LY, M>& y) {
  Impl::and_wait<Mat<T, R, C, M>>(
      "Sporos::multiply", [&](const auto& exec) { multiply(exec, mat, x, y); });
}

}  // namespace Sporos

#endif
