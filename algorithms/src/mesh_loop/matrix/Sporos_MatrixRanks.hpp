// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef SPOROS_MATRIXRANKS_HPP
#define SPOROS_MATRIXRANKS_HPP

/// \file Sporos_MatrixRanks.hpp
/// Matrices of distributed meshes: what products and boundary conditions need
/// of other ranks, and the order in which a rank takes its rows. Knows nothing
/// of MPI, as Sporos_SetParts.hpp.

#include <Sporos_Error.hpp>
#include <Sporos_HostCopy.hpp>
#include <Sporos_SortByKey.hpp>
#include <mesh_loop/matrix/Sporos_MatrixKernels.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <numeric>
#include <string>
#include <typeinfo>
#include <vector>

namespace Sporos {
namespace Impl {

/// 1 for rows with a column in the halo, else 0. Columns of a row ascend, and
/// those of the halo come last.
struct BorderKeys {
  NonZeros nonzeros;
  int owned_columns;
  std::uint32_t* keys;

  KOKKOS_FUNCTION void operator()(int row) const {
    const std::int64_t end = nonzeros.offsets[row + 1];
    keys[row]              = nonzeros.offsets[row] < end &&
                nonzeros.columns[end - 1] >= owned_columns;
  }
};

/// The non-zeros of each row in the order of the global numbers of columns.
struct OrderByNumber {
  NonZeros nonzeros;
  const int *places, *columns;  ///< of a column, and of which column
  std::uint32_t* order;

  KOKKOS_FUNCTION void operator()(int row) const {
    const std::int64_t begin = nonzeros.offsets[row],
                       end   = nonzeros.offsets[row + 1];
    for (std::int64_t k = begin; k < end; ++k)
      order[k] = std::uint32_t(places[nonzeros.columns[k]]);
    shell_sort(order + begin, int(end - begin));
    for (std::int64_t k = begin; k < end; ++k)
      order[k] = std::uint32_t(nonzeros.find(row, columns[order[k]]));
  }
};

/// Rows of a list, the products of each in an order.
template <class Rows>
struct MultiplyListed {
  Rows rows;
  const int* list;
  const std::uint32_t* order;  ///< null: in that of the columns

  KOKKOS_FUNCTION void operator()(int i) const {
    const std::uint32_t* const at = order;
    if (at == nullptr)
      rows(list[i]);
    else
      rows.multiply(list[i], [at](std::int64_t k) { return at[k]; });
  }
};

/// The order of products, where ranks add in that of global numbers.
template <class Exec, class Memory>
void order_by_number(const Exec& exec, const SparsityState<Memory>& s,
                     RankRows<Memory>& rows) {
  const auto& global = s.columns.state()->parts->global;
  if (std::is_sorted(global.begin(), global.end())) return;
  std::vector<int> columns(global.size()), places(global.size());
  std::iota(columns.begin(), columns.end(), 0);
  std::sort(columns.begin(), columns.end(), [&](int a, int b) {
    return global[std::size_t(a)] < global[std::size_t(b)];
  });
  for (std::size_t k = 0; k < columns.size(); ++k)
    places[std::size_t(columns[k])] = int(k);
  const auto at = to_memory<Memory>(exec, "Sporos::Sparsity::places", places);
  const auto of = to_memory<Memory>(exec, "Sporos::Sparsity::columns", columns);
  rows.order    = new_view<Kokkos::View<std::uint32_t*, Memory>>(
      exec, "Sporos::Sparsity::order", std::size_t(s.owned_nonzeros));
  for_rows("Sporos::Sparsity::order", exec, s.rows.owned(),
           OrderByNumber{s.entries(), at.data(), of.data(), rows.order.data()});
  fence(exec, "Sporos::Sparsity::order");
}

/// Made at the first product or lifting; waits for exec then.
template <class Exec, class Memory>
const RankRows<Memory>& rank_rows(const Exec& exec, SparsityState<Memory>& s) {
  if (s.on_ranks.made) return s.on_ranks;
  using Keys = Kokkos::View<std::uint32_t*, Memory>;
  using List = Kokkos::View<int*, Memory>;
  RankRows<Memory> rows;
  const int n       = s.rows.owned();
  const auto keys   = new_view<Keys>(exec, "Sporos::Sparsity::border", n);
  const auto starts = new_view<List>(exec, "Sporos::Sparsity::border", 2);
  rows.list         = new_view<List>(exec, "Sporos::Sparsity::rows", n);
  for_rows("Sporos::Sparsity::border", exec, n,
           BorderKeys{s.entries(), s.columns.owned(), keys.data()});
  SortWorkspace<std::uint32_t, Memory> sort;
  sort_by_key(exec, sort, keys, rows.list, 1);
  for_rows("Sporos::Sparsity::border", exec, 2,
           RowStarts{keys.data(), n, starts.data()});
  rows.interior = value_on_host(exec, starts, 1);
  if (s.rows.state()->parts->any_ranks) order_by_number(exec, s, rows);
  rows.made         = true;
  return s.on_ranks = rows;
}

/// The halo of a dat.
template <class DatType>
HaloDat halo_of(const DatType& dat) {
  const auto& view = dat.view();
  using T          = typename DatType::value_type;
  return {dat.set().state().get(),
          view.data(),
          std::ptrdiff_t(view.stride(0)),
          std::ptrdiff_t(view.stride(1)),
          dat.component_count(),
          int(sizeof(T)),
          int(alignof(T))};
}

/// Checks the arguments of a call; if it is one for a distributed mesh and
/// checks are on, all ranks throw if one does.
template <class Exec, class Checks>
void check_on_ranks(const Exec&, const char* function, const std::string& mat,
                    const Set& rows, const Checks& checks) {
  const SetParts* const parts = rows.state()->parts.get();
  if (parts == nullptr) return checks();
  const auto all = [&] {
    check(parts->is_space(typeid(Exec)), function, mat.c_str(),
          "the execution space for which the mesh was distributed", "another");
    checks();
  };
  if (checks_enabled)
    parts->agree(thrown_text(all), std::string(function) + ' ' + mat);
  else
    all();
}

/// y = A x, with interior rows while the halo of x travels. Rows: MultiplyRows
template <class Exec, class Memory, class Rows, class X, class Y>
void multiply_on_ranks(const Exec& exec, const char* function,
                       SparsityState<Memory>& s, const Rows& rows, const X& x,
                       const Y& y) {
  const RankRows<Memory>& r = rank_rows(exec, s);
  SetParts& parts           = *s.rows.state()->parts;
  const auto run            = [&](int begin, int end) {
    for_rows(function, exec, end - begin,
                        MultiplyListed<Rows>{rows, r.list.data() + begin, r.order.data()});
  };
  const std::vector<HaloDat> halos = {halo_of(x)};
  const bool stale                 = x.shared()->stale;
  if (stale) parts.start(&exec, halos);
  run(0, r.interior);
  if (stale) parts.finish(&exec, halos);
  x.shared()->stale = false;
  run(r.interior, s.rows.owned());
  y.shared()->stale = true;
}

/// Fills the halo of marks, which are known of owned elements, and that of x.
template <class Exec>
void fill_marks(const Exec& exec, const Set& set, unsigned char* marks,
                const HaloDat* x) {
  SetParts* const parts = set.state()->parts.get();
  if (parts == nullptr) return;
  std::vector<HaloDat> halos = {{set.state().get(), marks, 1, 1, 1, 1, 1}};
  if (x != nullptr) halos.push_back(*x);
  parts->start(&exec, halos);
  parts->finish(&exec, halos);
}

}  // namespace Impl
}  // namespace Sporos

#endif
