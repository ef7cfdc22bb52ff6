// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef SPOROS_SPARSITY_HPP
#define SPOROS_SPARSITY_HPP

/// \file Sporos_Sparsity.hpp
/// Which entries of a matrix may differ from zero: those that the elements of
/// meshes couple through pairs of maps.
///
/// \code
///   const Sporos::Sparsity sparsity("stiffness", cell_nodes, cell_nodes);
///   const Sporos::Sparsity<> with_walls(
///       "stiffness", {{cell_nodes, cell_nodes}, {wall_nodes, wall_nodes}});
/// \endcode

#include <Sporos_Error.hpp>
#include <Sporos_Mesh.hpp>
#include <mesh_loop/matrix/Sporos_SparsityAdopt.hpp>
#include <mesh_loop/matrix/Sporos_SparsityBuild.hpp>
#include <mesh_loop/matrix/Sporos_SparsityPositions.hpp>

#include <cstddef>
#include <cstdint>
#include <limits>
#include <memory>
#include <sstream>
#include <string>
#include <type_traits>
#include <vector>

namespace Sporos {

/// Two maps from one set: each element couples all rows that it names through
/// the first map with all columns that it names through the second.
template <class MemorySpace_ = Kokkos::DefaultExecutionSpace::memory_space>
class MapPair {
 public:
  using memory_space = MemorySpace_;  ///< memory of both maps
  /// a map of any arity
  using map_type = Map<dynamic_arity, memory_space>;

  /// Maps of any arities, also of different ones.
  template <int RowArity, int ColumnArity>
  MapPair(const Map<RowArity, memory_space>& rows,
          const Map<ColumnArity, memory_space>& columns)
      : m_rows(rows.state(), rows.view()),
        m_columns(columns.state(), columns.view()) {}

  const map_type& rows() const { return m_rows; }        ///< To the rows.
  const map_type& columns() const { return m_columns; }  ///< To the columns.

 private:
  map_type m_rows, m_columns;
};

/// Options of a Sparsity.
struct SparsityOptions {
  /// Each row has its own column, also where no element couples the two. Rows
  /// and columns are then of one set.
  bool diagonal = false;
};

/// The places of the entries of a matrix that may differ from zero (non-zeros),
/// row by row, the columns of a row ascending and each once. A shallow handle.
/// Matrices share it. It keeps the positions of the entries of each element for
/// the pairs of maps with which loops use it.
///
/// Of the sets of a distributed mesh, rows and columns are local numbers. The
/// rows that this rank owns come first and are whole, as are their columns.
/// Those of the halo, after them, are scratch: they have what the elements that
/// run here couple, and their values mean nothing.
template <class MemorySpace_ = Kokkos::DefaultExecutionSpace::memory_space>
class Sparsity {
 public:
  using memory_space = MemorySpace_;  ///< memory of the arrays
  /// instance of calls without one
  using execution_space = typename memory_space::execution_space;
  /// where each row begins
  using offset_view = Kokkos::View<std::int64_t*, memory_space>;
  /// columns of all rows
  using column_view = Kokkos::View<int*, memory_space>;
  using pairs_type =
      std::vector<MapPair<memory_space>>;  ///< some pairs of maps

  /// An empty handle, to be assigned to. Every other use throws.
  Sparsity() = default;

  /// What the elements of one or several sets couple; negative entries of maps
  /// (MissingEntries::allowed) couple nothing. O(couplings) memory and,
  /// but for the logarithm of the length of rows, time; waits for exec.
  /// \throws std::invalid_argument for no pair, maps made of nothing, maps of a
  ///   pair from two sets, maps to other sets than those of the first pair,
  ///   maps made by hand from or to distributed sets, a diagonal of a matrix
  ///   whose rows and columns are of two sets, and 2^31 or more non-zeros or
  ///   entries of a row map
  template <class Exec,
            class = std::enable_if_t<Kokkos::is_execution_space<Exec>::value>>
  Sparsity(const Exec& exec, const std::string& name, const pairs_type& pairs,
           const SparsityOptions& options = {})
      : m_state(std::make_shared<State>()) {
    static_assert(
        Kokkos::SpaceAccessibility<Exec, memory_space>::accessible,
        "Sporos::Sparsity: the execution space cannot access the memory of the "
        "maps");
    Impl::check(!pairs.empty(), "Sporos::Sparsity", name.c_str(),
                "a pair of maps or more", "none");
    const auto& first = pairs.front();
    Impl::check_handle(
        first.rows().state() != nullptr && first.columns().state() != nullptr,
        "Sporos::Sparsity", name.c_str());
    start(name, first.rows().to(), first.columns().to());
    for (const auto& pair : pairs)
      Impl::check_couples({"Sporos::Sparsity", name.c_str()},
                          pair.rows().state().get(),
                          pair.columns().state().get(), *m_state->rows.state(),
                          *m_state->columns.state());
    Impl::check(!options.diagonal || m_state->rows == m_state->columns,
                "Sporos::Sparsity", name.c_str(),
                "rows and columns of one set where options.diagonal is set",
                text_of_sets());
    Impl::SparsityBuilder<Exec, memory_space> builder(
        exec, name, m_state->rows.size(), m_state->columns.size());
    for (const auto& pair : pairs)
      builder.add_pair(pair.rows().name(),
                       Impl::executed_elements(*pair.rows().from().state()),
                       pair.rows().view(), pair.columns().view());
    finish(exec, builder.rows(options.diagonal), options.diagonal);
  }

  /// In the default instance.
  Sparsity(const std::string& name, const pairs_type& pairs,
           const SparsityOptions& options = {})
      : Sparsity(execution_space{}, name, pairs, options) {}

  /// What the elements of one set couple.
  template <class Exec, int A, int B,
            class = std::enable_if_t<Kokkos::is_execution_space<Exec>::value>>
  Sparsity(const Exec& exec, const std::string& name,
           const Map<A, memory_space>& rows,
           const Map<B, memory_space>& columns,
           const SparsityOptions& options = {})
      : Sparsity(exec, name, pairs_type{{rows, columns}}, options) {}

  /// In the default instance.
  template <int A, int B>
  Sparsity(const std::string& name, const Map<A, memory_space>& rows,
           const Map<B, memory_space>& columns,
           const SparsityOptions& options = {})
      : Sparsity(execution_space{}, name, pairs_type{{rows, columns}},
                 options) {}

  /// That of your own matrix of compressed rows.
  /// \param exec an instance, in which kernels may still fill the arrays. Waits
  ///   for it.
  /// \param name the name in messages
  /// \param rows, columns the sets of the rows and columns
  /// \param offsets integers of any size: where each of the rows begins, and
  ///   the number of non-zeros; copied
  /// \param numbers columns of all rows, those of a row ascending; shared
  /// \throws std::invalid_argument for wrong extents, offsets that descend or
  ///   do not begin at 0, and columns that are out of range or do not ascend;
  ///   the message names the first row
  template <class Exec, class Offsets>
  Sparsity(const Exec& exec, const std::string& name, const Set& rows,
           const Set& columns, const Offsets& offsets,
           const column_view& numbers)
      : m_state(std::make_shared<State>()) {
    Impl::check(!rows.is_distributed() && !columns.is_distributed(),
                "Sporos::Sparsity", name.c_str(),
                "sets of one process, or pairs of maps of a distributed mesh",
                "arrays for sets distributed over ranks");
    start(name, rows, columns);
    finish(exec,
           Impl::adopt_rows(exec, name, rows.size(), columns.size(), offsets,
                            numbers),
           false);
  }

  /// The name.
  std::string name() const { return m_state ? m_state->name : ""; }
  /// The set of the rows.
  const Set& row_set() const { return made().rows; }
  /// The set of the columns.
  const Set& column_set() const { return made().columns; }
  /// The set of the non-zeros, in the order of rows and columns, on which you
  /// can run loops.
  const Set& nonzeros() const { return made().nonzeros; }
  /// Where each row begins, and the number of non-zeros: row_set().size() + 1.
  const offset_view& row_offsets() const { return made().crs.offsets; }
  /// The columns of all rows.
  const column_view& columns() const { return made().crs.columns; }

  /// The numbers of the non-zeros that each element couples: row by row, as
  /// many as the arity of the row map times that of the column map; negative
  /// where one of the two maps names nothing (has_missing() then). Made once
  /// for a pair of maps, and again after one of them was modified(); waits for
  /// exec then. O(couplings * log of the length of rows).
  /// \throws std::invalid_argument for maps from two sets or to others than
  ///   those of the sparsity, and for an entry that it lacks
  template <class Exec, int A, int B>
  Map<dynamic_arity, memory_space> positions(
      const Exec& exec, const Map<A, memory_space>& rows,
      const Map<B, memory_space>& columns) const {
    const std::string name = made().name;
    const MapPair<memory_space> pair(rows, columns);
    return Impl::find_positions(exec,
                                {"Sporos::Sparsity::positions", name.c_str()},
                                *m_state, pair.rows(), pair.columns());
  }

  /// Number of non-zeros in the rows that this rank owns, which come first:
  /// all, unless the sets are distributed.
  int owned_nonzeros() const { return made().owned_nonzeros; }

  /// Rows, columns, non-zeros, bytes of the arrays and of the positions.
  std::string describe() const;

  friend bool operator==(const Sparsity& a, const Sparsity& b) {
    return a.m_state == b.m_state;
  }
  friend bool operator!=(const Sparsity& a, const Sparsity& b) {
    return !(a == b);
  }

  /// For the implementation.
  const std::shared_ptr<Impl::SparsityState<memory_space>>& state() const {
    return m_state;
  }

 private:
  using State = Impl::SparsityState<memory_space>;

  const State& made() const {
    Impl::check_handle(m_state != nullptr, "Sporos::Sparsity", "sparsity");
    return *m_state;
  }
  std::string text_of_sets() const {
    return m_state->rows.name() + " and " + m_state->columns.name();
  }
  void start(const std::string& name, const Set& rows, const Set& columns) {
    m_state->name    = name;
    m_state->rows    = rows;
    m_state->columns = columns;
  }
  template <class Exec>
  void finish(const Exec& exec, const Impl::CompressedRows<memory_space>& crs,
              bool diagonal) {
    m_state->owned_nonzeros = int(crs.columns.extent(0));
    if (m_state->rows.is_distributed())
      m_state->owned_nonzeros = int(Impl::value_on_host(
          exec, crs.offsets, std::size_t(m_state->rows.owned())));
    m_state->crs          = crs;
    m_state->nonzeros     = Set("non-zeros of " + m_state->name,
                                std::int64_t(crs.columns.extent(0)));
    m_state->has_diagonal = diagonal;
  }

  std::shared_ptr<State> m_state;
};

template <class M>
std::string Sparsity<M>::describe() const {
  const State& s      = made();
  const double n      = s.nonzeros.size();
  std::int64_t couple = 0;
  for (std::size_t k = 0; k < s.known.size(); ++k) {
    bool again = false;  // a pair that is stored and searched for
    for (std::size_t j = 0; j < k; ++j)
      again = again || s.known[j].are_for(s.known[k].rows.get(),
                                          s.known[k].columns.get());
    if (!again) couple += s.known[k].count();
  }
  std::ostringstream out;
  out << "sparsity " << s.name << ": " << s.rows.size() << " rows ("
      << s.rows.name() << "), " << s.columns.size() << " columns ("
      << s.columns.name() << ")\n  ";
  if (s.rows.is_distributed())
    out << s.rows.owned() << " rows with " << s.owned_nonzeros
        << " non-zeros are of this rank\n  ";
  out << s.nonzeros.size() << " non-zeros, "
      << (s.rows.size() > 0 ? n / s.rows.size() : 0.) << " in a row, "
      << std::size_t(n) * sizeof(int) +
             (std::size_t(s.rows.size()) + 1) * sizeof(std::int64_t)
      << " bytes\n";
  for (const auto& known : s.known)
    out << "  positions (" << known.map.name() << "): " << known.elements()
        << " elements x " << known.map.arity() << ", "
        << known.count() * std::int64_t(sizeof(int)) << " bytes"
        << (known.searched ? " less than stored\n" : "\n");
  if (couple > 0)
    out << "  each non-zero gets " << double(couple) / n
        << " increments on average\n";
  return out.str();
}

/// The memory space is that of the maps.
template <int A, class M, int B>
Sparsity(const std::string&, const Map<A, M>&, const Map<B, M>&) -> Sparsity<M>;
/// The memory space is that of the maps.
template <int A, class M, int B>
Sparsity(const std::string&, const Map<A, M>&, const Map<B, M>&,
         const SparsityOptions&) -> Sparsity<M>;
/// The memory space is that of the maps.
template <class Exec, int A, class M, int B>
Sparsity(const Exec&, const std::string&, const Map<A, M>&, const Map<B, M>&)
    -> Sparsity<M>;
/// The memory space is that of the maps.
template <class Exec, int A, class M, int B>
Sparsity(const Exec&, const std::string&, const Map<A, M>&, const Map<B, M>&,
         const SparsityOptions&) -> Sparsity<M>;

}  // namespace Sporos

#endif
