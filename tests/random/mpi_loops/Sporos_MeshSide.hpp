// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/// A random mesh as the library has it: dealt out to ranks, dealt out to one
/// rank, or in one process.

#ifndef SPOROS_MESHSIDE_HPP
#define SPOROS_MESHSIDE_HPP

#include "Sporos_RandomMesh.hpp"

#include <Sporos_ParLoop.hpp>

#include <any>
#include <array>
#include <map>
#include <memory>
#include <typeindex>
#include <utility>

namespace Sporos {
namespace Test {

using SideExec   = Kokkos::DefaultExecutionSpace;
using SideMemory = SideExec::memory_space;

/// A layout of dats whose components are counted at run time.
template <class L>
struct Counted {};

template <class T, int N, class L>
struct DatOf {
  using type = Dat<T, N, L, SideMemory>;
};
template <class T, int N, class L>
struct DatOf<T, N, Counted<L>> {
  using type = Dat<T, dynamic_components, L, SideMemory>;
};

/// A dat of a set: the copy tells apart dats of one kind.
template <class T, int N, class L>
struct DatName {
  using type = typename DatOf<T, N, L>::type;
  int set = 0, copy = 0;

  using Key = std::pair<std::type_index, std::pair<int, int>>;
  Key key() const { return {typeid(DatName), {set, copy}}; }
  std::string text() const {
    return (std::is_integral_v<T> ? "unsigned "
            : sizeof(T) == 4      ? "float "
                                  : "double ") +
           std::to_string(N) +
           (std::is_same_v<typename type::layout, Kokkos::LayoutLeft> ? "L"
                                                                      : "R") +
           (type::components == N ? "" : " (counted)") + " of set " +
           std::to_string(set) + (copy == 0 ? "" : ", another");
  }
};

class MeshSide {
 public:
  enum class Form { ranks, alone, whole };

  MeshSide(Form form, const Communicator& comm, const RandomMesh& mesh)
      : m_form(form), m_comm(comm), m_plan(mesh) {
    if (form == Form::whole)
      make_whole();
    else
      make_parts();
  }

  Form form() const { return m_form; }
  const Communicator& comm() const { return m_comm; }
  const DistributedMesh<SideExec>& mesh() const { return m_mesh; }
  GlobalMesh& global() { return *m_global; }
  const GlobalSet& global_set(int s) const {
    return m_global_sets[std::size_t(s)];
  }

  const Set& set(int s) const { return m_sets[std::size_t(s)]; }
  const Map<dynamic_arity, SideMemory>& map(int m) const {
    return m_maps[std::size_t(m)];
  }
  const Subset<SideMemory>& subset(int s) const {
    return m_subsets[std::size_t(s)];
  }

  /// The dat, which has `values` of all elements when it is first asked for.
  /// made_here: made by hand from values of owned elements.
  template <class T, int N, class L>
  const typename DatName<T, N, L>::type& dat(const DatName<T, N, L>& name,
                                             const std::vector<T>& values,
                                             bool made_here) {
    std::any& place = m_dats[name.key()];
    if (!place.has_value()) place = make_dat(name, values, made_here);
    return *std::any_cast<typename DatName<T, N, L>::type>(&place);
  }
  template <class T, int N, class L>
  const typename DatName<T, N, L>::type& dat(const DatName<T, N, L>& name) {
    using Type = typename DatName<T, N, L>::type;
    return *std::any_cast<Type>(&m_dats.at(name.key()));
  }

  /// Values of all elements: what local ones have, and 77 in halos.
  template <int N, class T>
  std::vector<T> of_owned(int s, const std::vector<T>& values) const {
    const auto numbers = local_numbers(s);
    const Set& set     = m_sets[std::size_t(s)];
    const int owned    = m_form == Form::whole ? set.size() : set.owned();
    std::vector<T> mine(numbers.size() * N, T(77));
    for (std::size_t i = 0; i < std::size_t(owned); ++i)
      for (std::size_t c = 0; c < N; ++c)
        mine[i * N + c] = values[std::size_t(numbers[i]) * N + c];
    return mine;
  }

  /// First and last + 1 element of the set in the block of this rank.
  std::pair<int, int> block(int s) const {
    if (m_form != Form::ranks) return {0, m_plan.sizes[std::size_t(s)]};
    const auto& first = m_plan.deal.first[std::size_t(s)];
    const auto r      = std::size_t(m_comm.rank());
    return {first[r], first[r + 1]};
  }

  /// Values of the elements of block().
  template <class T, int N, class L>
  std::vector<T> values(const DatName<T, N, L>& name) {
    const auto& d = dat(name);
    return m_form == Form::whole ? d.to_host()
                                 : m_mesh.to_blocks(global_set(name.set), d);
  }

  /// Global numbers of local elements.
  std::vector<std::int64_t> local_numbers(int s) const {
    if (m_form != Form::whole) return m_mesh.global_numbers(global_set(s));
    std::vector<std::int64_t> all(std::size_t(set(s).size()));
    std::iota(all.begin(), all.end(), std::int64_t(0));
    return all;
  }

 private:
  template <class T>
  std::vector<T> rows_of_block(int s, int width,
                               const std::vector<T>& all) const {
    const auto [begin, end] = block(s);
    return std::vector<T>(all.begin() + std::ptrdiff_t(begin) * width,
                          all.begin() + std::ptrdiff_t(end) * width);
  }

  template <class T, int N, class L>
  typename DatName<T, N, L>::type make_dat(const DatName<T, N, L>& name,
                                           const std::vector<T>& values,
                                           bool made_here) {
    using Type = typename DatName<T, N, L>::type;
    if (m_form == Form::whole || made_here)
      return Type("dat", set(name.set), N, of_owned<N>(name.set, values));
    return m_mesh.template dat<typename Type::layout>(
        m_global->template dat<T, Type::components>(
            "dat", global_set(name.set), N,
            rows_of_block(name.set, N, values)));
  }

  void make_whole() {
    for (std::size_t s = 0; s < m_plan.sizes.size(); ++s)
      m_sets.emplace_back("set " + std::to_string(s), m_plan.sizes[s]);
    for (std::size_t m = 0; m < m_plan.maps.size(); ++m) {
      const RandomMap& map = m_plan.maps[m];
      m_maps.emplace_back("map " + std::to_string(m), set(map.from),
                          set(map.to), map.arity, map.rows);
    }
    for (const RandomSubset& s : m_plan.subsets)
      m_subsets.emplace_back("subset", set(s.set), s.list);
  }

  void make_parts() {
    m_global = std::make_unique<GlobalMesh>(m_comm);
    for (std::size_t s = 0; s < m_plan.sizes.size(); ++s) {
      const auto [begin, end] = block(int(s));
      m_global_sets.push_back(
          m_global->set("set " + std::to_string(s), end - begin));
    }
    for (std::size_t m = 0; m < m_plan.maps.size(); ++m)
      m_global_maps.push_back(global_map(int(m), arities{}));
    m_mesh = distribute(SideExec{}, *m_global, partition(arities{}),
                        m_plan.deal.options);
    for (const GlobalSet& s : m_global_sets) m_sets.push_back(m_mesh.set(s));
    for (std::size_t m = 0; m < m_plan.maps.size(); ++m)
      m_maps.push_back(local_map(int(m), arities{}));
    for (const RandomSubset& s : m_plan.subsets)
      m_subsets.push_back(local_subset(s));
  }

  using arities = std::integer_sequence<int, 1, 2, 3, 4, 5, 6, 7, 8>;

  template <int... A>
  int global_map(int m, std::integer_sequence<int, A...>) {
    const RandomMap& map   = m_plan.maps[std::size_t(m)];
    const auto rows        = rows_of_block(map.from, map.arity, map.rows);
    const std::string name = "map " + std::to_string(m);
    const auto &from = global_set(map.from), &to = global_set(map.to);
    int index = -1;
    ((A == map.arity
          ? void(index = m_global->template map<A>(name, from, to, rows).index)
          : void()),
     ...);
    return index;
  }
  template <int A>
  GlobalMap<A> global_map_of(int m) const {
    return {m_global_maps[std::size_t(m)], m_global_sets[0].mesh};
  }
  template <int... A>
  Map<dynamic_arity, SideMemory> local_map(int m,
                                           std::integer_sequence<int, A...>) {
    Map<dynamic_arity, SideMemory> local;
    const auto take = [&](const auto& map) {
      local = Map<dynamic_arity, SideMemory>(map.state(), map.view());
    };
    ((A == m_plan.maps[std::size_t(m)].arity
          ? take(m_mesh.map(global_map_of<A>(m)))
          : void()),
     ...);
    return local;
  }
  template <int... A>
  MeshPartition partition(std::integer_sequence<int, A...>) {
    const RandomDeal& d = m_plan.deal;
    using By            = RandomDeal::By;
    MeshPartition p     = MeshPartition::given(
            global_set(d.set), m_form == Form::ranks
                                   ? rows_of_block(d.set, 1, d.owner)
                                   : std::vector<int>(d.owner.size(), 0));
    const auto x = [&](auto dimension) {
      return m_global->template dat<double, decltype(dimension)::value>(
          "x", global_set(d.set), rows_of_block(d.set, d.dimension, d.x));
    };
    const auto by_map = [&](const auto& map) {
      p = d.by == By::automatic
              ? MeshPartition::automatic(map,
                                         x(std::integral_constant<int, 2>{}))
              : MeshPartition::through(
                    map, d.weighted ? rows_of_block(d.set, 1, d.weight)
                                    : std::vector<int>{});
    };
    if (d.by == By::along)
      p = d.dimension == 1
              ? MeshPartition::along(x(std::integral_constant<int, 1>{}))
          : d.dimension == 2
              ? MeshPartition::along(x(std::integral_constant<int, 2>{}))
              : MeshPartition::along(x(std::integral_constant<int, 3>{}));
    else if (d.by != By::given)
      ((A == m_plan.maps[std::size_t(d.map)].arity
            ? by_map(global_map_of<A>(d.map))
            : void()),
       ...);
    return p;
  }

  Subset<SideMemory> local_subset(const RandomSubset& s) const {
    if (s.range_begin >= 0)
      return m_mesh.range(global_set(s.set), s.range_begin, s.range_end);
    std::map<std::int64_t, int> local;
    const auto numbers = local_numbers(s.set);
    for (std::size_t i = 0; i < numbers.size(); ++i) local[numbers[i]] = int(i);
    std::vector<int> list;
    for (const int e : s.list)
      if (local.count(e) > 0) list.push_back(local[e]);
    return Subset<SideMemory>("subset", set(s.set), list);
  }

  Form m_form;
  Communicator m_comm;
  const RandomMesh& m_plan;
  std::unique_ptr<GlobalMesh> m_global;
  DistributedMesh<SideExec> m_mesh;
  std::vector<GlobalSet> m_global_sets;
  std::vector<int> m_global_maps;
  std::vector<Set> m_sets;
  std::vector<Map<dynamic_arity, SideMemory>> m_maps;
  std::vector<Subset<SideMemory>> m_subsets;
  std::map<std::pair<std::type_index, std::pair<int, int>>, std::any> m_dats;
};

}  // namespace Test
}  // namespace Sporos

#endif
