// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Matrices that loops assemble, judged by their products.
#include "Sporos_LoopFamily.hpp"
#include "Sporos_Loops.hpp"

#include <Sporos_Matrix.hpp>

#include <map>
#include <utility>

namespace Sporos {
namespace Test {
namespace {

using Matrix = Mat<double, 2, 1, SideMemory>;
template <int N>
using Name = DatName<double, N, Kokkos::LayoutRight>;

struct CoupleAll {
  template <class Real>
  KOKKOS_FUNCTION void operator()(Read<Real, 1> w, Read<Real, 1, 2> x,
                                  MatInc<Real, 2, 2, 2, 1> a) const {
    for (int i = 0; i < 2; ++i)
      for (int j = 0; j < 2; ++j)
        for (int c = 0; c < 2; ++c)
          a(i, c, j, 0) += w[0] * eighths<double, Real>(i + c + 1) - x(j, 0);
  }
};

class MatrixLoop {
 public:
  MatrixLoop(LoopChain& chain, int rows, int columns)
      : m_chain(chain),
        m_rows(rows),
        m_columns(columns),
        m_w{map(rows).from, 0},
        m_x{map(columns).to, 0},
        m_v{map(columns).to, 1},
        m_y{map(rows).to, 0} {
    chain.limit(m_w);
    chain.limit(m_x);
    chain.limit(m_v);
    std::vector<int> subsets;
    for (std::size_t s = 0; s < chain.mesh.subsets.size(); ++s)
      if (chain.mesh.subsets[s].set == map(rows).from)
        subsets.push_back(int(s));
    if (!subsets.empty() && chain.random.chance(40))
      m_subset =
          subsets[chain.random.integer(std::size_t(0), subsets.size() - 1)];
    m_options  = chain.random_options();
    m_diagonal = map(rows).to == map(columns).to && chain.random.chance(30);
    m_searched = chain.random.chance(40);
    chain.did("matrix of maps " + std::to_string(rows) + " and " +
              std::to_string(columns) +
              (m_subset < 0 ? "" : " over subset " + std::to_string(m_subset)) +
              (m_searched ? ", positions searched for" : ""));
  }
  void run() {
    m_chain.plain(m_y) = expected();
    for (MeshSide& side : m_chain.sides) on_side(side);
    m_chain.check(m_y);
  }

 private:
  const RandomMap& map(int m) const {
    return m_chain.mesh.maps[std::size_t(m)];
  }
  std::vector<Bounded<double>> expected() {
    using Key = std::pair<int, int>;
    std::map<Key, std::array<AnyOrderSum<double>, 2>> entries;
    const auto &w = m_chain.plain(m_w), &x = m_chain.plain(m_x);
    // What stays 0 is stored, too: times a NaN it is one.
    for (std::size_t e = 0; e < w.size(); ++e)
      for (std::size_t i = 0; i < 2; ++i)
        for (std::size_t j = 0; j < 2; ++j)
          entries[{map(m_rows).rows[2 * e + i],
                   map(m_columns).rows[2 * e + j]}];
    for (int k = 0; m_diagonal && k < int(m_chain.count(m_y.set)); ++k)
      entries[{k, k}];
    const auto add = [&](std::size_t e) {
      for (std::size_t i = 0; i < 2; ++i)
        for (std::size_t j = 0; j < 2; ++j) {
          const int column = map(m_columns).rows[2 * e + j];
          auto& entry      = entries[{map(m_rows).rows[2 * e + i], column}];
          for (std::size_t c = 0; c < 2; ++c)
            entry[c].add(w[e] * Bounded<double>(double(i + c + 1) / 8) -
                         x[std::size_t(column)]);
        }
    };
    if (m_subset < 0)
      for (std::size_t e = 0; e < w.size(); ++e) add(e);
    else
      for (const int e : m_chain.mesh.subsets[std::size_t(m_subset)].list)
        add(std::size_t(e));
    const auto& v = m_chain.plain(m_v);
    std::vector<AnyOrderSum<double>> sums(2 * m_chain.count(m_y.set));
    for (const auto& [at, entry] : entries)
      for (std::size_t c = 0; c < 2; ++c)
        sums[2 * std::size_t(at.first) + c].add(entry[c].value() *
                                                v[std::size_t(at.second)]);
    std::vector<Bounded<double>> y;
    for (const auto& sum : sums) y.push_back(sum.value());
    return y;
  }
  void on_side(MeshSide& side) {
    const auto rows    = side.map(m_rows).fixed<2>();
    const auto columns = side.map(m_columns).fixed<2>();
    const Sparsity<SideMemory> sparsity(SideExec{}, "sparsity", rows, columns,
                                        {m_diagonal});
    const Matrix mat(SideExec{}, "mat", sparsity);
    LoopOptions options = m_options;
    if (m_chain.any_ranks && side.form() == MeshSide::Form::whole)
      options.any_ranks = true;
    const auto assemble = [&](const auto& where, const auto& a) {
      par_loop("matrix", SideExec{}, where, options, CoupleAll{},
               read(side.dat(m_w)), read(side.dat(m_x), columns), a);
    };
    const auto loop = [&](const auto& where) {
      const auto a = inc(mat, rows, columns);
      if (m_searched)
        assemble(where, with_search(a));
      else
        assemble(where, a);
    };
    if (m_subset >= 0)
      loop(side.subset(m_subset));
    else
      loop(side.set(m_w.set));
    multiply(SideExec{}, mat, side.dat(m_v), side.dat(m_y));
    SideExec().fence();
  }

  LoopChain& m_chain;
  int m_rows, m_columns, m_subset = -1;
  Name<1> m_w, m_x, m_v;
  Name<2> m_y;
  LoopOptions m_options;
  bool m_diagonal = false, m_searched = false;
};

}  // namespace

bool matrix_loops(LoopChain& chain) {
  // products are those of any ranks where all loops of the mesh are
  if (chain.any_ranks && !chain.mesh.deal.options.any_ranks) return false;
  const int rows = random_map_where(
      chain, [](const RandomMap& map) { return map.arity == 2; });
  if (rows < 0) return false;
  const int from    = chain.mesh.maps[std::size_t(rows)].from;
  const int columns = random_map_where(chain, [&](const RandomMap& map) {
    return map.arity == 2 && map.from == from;
  });
  MatrixLoop(chain, rows, columns).run();
  return true;
}

}  // namespace Test
}  // namespace Sporos
