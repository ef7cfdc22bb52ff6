// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/// A loop on all sides of a chain, and the same as a plain serial loop.

#ifndef SPOROS_RANDOMLOOP_HPP
#define SPOROS_RANDOMLOOP_HPP

#include "Sporos_LoopChain.hpp"

#include <tuple>

namespace Sporos {
namespace Test {

constexpr int direct = 0, single = -1;  ///< else all indices of a map

/// An access to a dat. Reach: direct, single, or the arity of a map
template <Access A, int Reach, class Name>
struct DatAccess {
  Name dat;
  int map = -1, index = 0;

  static constexpr bool changes = A != Access::read;
  std::string text() const {
    const char* const names[] = {"read", "write", "rw", "inc", "min", "max"};
    std::string t             = names[int(A)] + (" " + dat.text());
    if (Reach != direct) t += " by map " + std::to_string(map);
    if (Reach == single) t += " at " + std::to_string(index);
    return t;
  }
};

/// A reduction into N numbers. OnHost: of the host, not a Global
template <class T, int N, Impl::Reduction R, bool OnHost>
struct Reduced {
  std::array<T, N> start;
  std::string text() const {
    const char* const names[] = {"sum", "min", "max", "write"};
    return names[int(R)] + std::string(OnHost ? " of the host" : "");
  }
};

/// Numbers that all elements read.
template <class T, int N>
struct Numbers {
  std::array<T, N> values;
  std::string text() const { return "read numbers"; }
};

/// What a side passes for an argument, and what comes of it.
template <class Arg>
struct SideArg;

template <Access A, int Reach, class Name>
struct SideArg<DatAccess<A, Reach, Name>> {
  static constexpr bool reduces = false;
  MeshSide& side;
  const DatAccess<A, Reach, Name>& arg;

  auto pass() const {
    const auto& dat = side.dat(arg.dat);
    if constexpr (Reach == direct)
      return Impl::direct_arg<A>(dat);
    else if constexpr (Reach == single)
      return Impl::single_arg<A>(dat, side.map(arg.map), arg.index, true);
    else
      return Impl::all_arg<A>(dat, side.map(arg.map).template fixed<Reach>(),
                              true);
  }
};

template <class T, int N, Impl::Reduction R>
struct SideArg<Reduced<T, N, R, true>> {
  static constexpr bool reduces = true;
  std::array<T, N> values;
  SideArg(MeshSide&, const Reduced<T, N, R, true>& arg) : values(arg.start) {}
  auto pass() { return Impl::HostReduceArg<T, N, R>{values.data()}; }
  std::array<T, N> result() const { return values; }
};
template <class T, int N, Impl::Reduction R>
struct SideArg<Reduced<T, N, R, false>> {
  static constexpr bool reduces = true;
  Global<T, N, SideMemory> global{"global"};
  SideArg(MeshSide&, const Reduced<T, N, R, false>& arg) {
    global.assign(std::vector<T>(arg.start.begin(), arg.start.end()));
  }
  auto pass() { return Impl::GlobalReduceArg<T, N, SideMemory, R>{global}; }
  std::array<T, N> result() const {
    std::array<T, N> values;
    for (int c = 0; c < N; ++c) values[std::size_t(c)] = global.value(c);
    return values;
  }
};
template <class T, int N>
struct SideArg<Numbers<T, N>> {
  static constexpr bool reduces = false;
  const Numbers<T, N>& arg;
  SideArg(MeshSide&, const Numbers<T, N>& a) : arg(a) {}
  auto pass() const {
    Impl::ValueArg<T, N> v;
    for (int c = 0; c < N; ++c) v.value[c] = arg.values[std::size_t(c)];
    return v;
  }
};

/// What a kernel sees in a plain loop.
template <class V>
struct PlainAccess {
  V* v;
  int components;
  V& operator[](int c) const { return v[c]; }
  V& operator()(int i, int c) const { return v[i * components + c]; }
};

template <Impl::Reduction R, class V>
V plain_identity() {
  V v{};
  using Limits = std::numeric_limits<decltype(v.v)>;
  constexpr auto most =
      Limits::has_infinity ? Limits::infinity() : Limits::max();
  if (R == Impl::Reduction::min) v.v = most;
  if (R == Impl::Reduction::max)
    v.v = Limits::has_infinity ? -most : Limits::lowest();
  return v;
}

/// An argument of a plain loop: load(e) before the kernel sees element e,
/// store(e) afterwards, finish() in the end.
template <class Arg>
class PlainArg;

template <Access A, int Reach, class T, int N, class L>
class PlainArg<DatAccess<A, Reach, DatName<T, N, L>>> {
  using V                       = Bounded<T>;
  static constexpr int arity    = Reach > 0 ? Reach : 1;
  static constexpr bool extreme = A == Access::min || A == Access::max;

 public:
  PlainArg(LoopChain& chain, const DatAccess<A, Reach, DatName<T, N, L>>& arg)
      : m_values(chain.plain(arg.dat)),
        m_map(Reach == direct ? nullptr
                              : &chain.mesh.maps[std::size_t(arg.map)]),
        m_index(arg.index),
        m_sums(A == Access::inc ? m_values.size() : 0) {}

  PlainAccess<V> load(int e) {
    for (int i = 0; i < arity; ++i)
      for (int c = 0; c < N; ++c) {
        V& r = m_registers[std::size_t(i * N + c)];
        if constexpr (A == Access::inc)
          r = V{};
        else if constexpr (extreme)
          r = plain_identity < A == Access::min ? Impl::Reduction::min
                                                : Impl::Reduction::max,
          V > ();
        else
          r = m_values[place(e, i, c)];
      }
    return {m_registers.data(), N};
  }
  void store(int e) {
    using std::max, std::min;
    for (int i = 0; i < arity; ++i)
      for (int c = 0; c < N; ++c) {
        const V r            = m_registers[std::size_t(i * N + c)];
        const std::size_t at = place(e, i, c);
        if constexpr (A == Access::inc)
          m_sums[at].add(r);
        else if constexpr (A == Access::min)
          m_values[at] = min(m_values[at], r);
        else if constexpr (A == Access::max)
          m_values[at] = max(m_values[at], r);
        else if constexpr (A != Access::read)
          m_values[at] = r;
      }
  }
  void finish() {
    for (std::size_t k = 0; k < m_sums.size(); ++k) {
      m_sums[k].add(m_values[k]);
      m_values[k] = m_sums[k].value();
    }
  }

 private:
  std::size_t place(int e, int i, int c) const {
    const int t = Reach == direct   ? e
                  : Reach == single ? m_map->at(e, m_index)
                                    : m_map->at(e, i);
    return std::size_t(t * N + c);
  }

  std::vector<V>& m_values;
  const RandomMap* m_map;
  int m_index;
  std::vector<AnyOrderSum<T>> m_sums;
  std::array<V, std::size_t(arity* N)> m_registers;
};

/// The kernel sees what it would add to, and writes.
template <class T, int N, Impl::Reduction R, bool H>
class PlainArg<Reduced<T, N, R, H>> {
  using V = Bounded<T>;

 public:
  PlainArg(LoopChain& chain, const Reduced<T, N, R, H>& arg)
      : m_chain(chain), m_text(arg.text()) {
    for (std::size_t c = 0; c < N; ++c) {
      m_values[c].v = arg.start[c];
      if (R == Impl::Reduction::sum) m_sums[c].add(m_values[c]);
    }
  }
  PlainAccess<V> load(int) {
    if (R != Impl::Reduction::last)
      for (V& r : m_registers) r = plain_identity<R, V>();
    else
      m_registers = m_values;
    return {m_registers.data(), N};
  }
  void store(int) {
    for (std::size_t c = 0; c < N; ++c)
      if constexpr (R == Impl::Reduction::sum)
        m_sums[c].add(m_registers[c]);
      else if constexpr (R == Impl::Reduction::min)
        m_values[c] = min(m_values[c], m_registers[c]);
      else if constexpr (R == Impl::Reduction::max)
        m_values[c] = max(m_values[c], m_registers[c]);
      else
        m_values[c] = m_registers[c];
  }
  void finish() {
    if (R == Impl::Reduction::sum)
      for (std::size_t c = 0; c < N; ++c) m_values[c] = m_sums[c].value();
  }

  /// Results of the sides, the ranks' first.
  void check(const std::vector<std::array<T, N>>& results) {
    for (std::size_t c = 0; c < N; ++c)
      for (std::size_t k = 0; k < results.size(); ++k) {
        const MeshSide& side = m_chain.sides[k];
        T of_first           = results[k][c];  // the same on all ranks
        MPI_Bcast(&of_first, int(sizeof(T)), MPI_BYTE, 0, side.comm().mpi());
        if (!m_values[c].allows(results[k][c]))
          m_chain.fail(m_text + ": expected " + m_values[c].text() + ", got " +
                       std::to_string(results[k][c]) + " on " +
                       LoopChain::text(side));
        else if (!same_bits(of_first, results[k][c]))
          m_chain.fail_bits(m_text, side, of_first, results[k][c]);
        else if (m_chain.bits && !same_bits(results[0][c], results[k][c]))
          m_chain.fail_bits(m_text, side, results[0][c], results[k][c]);
      }
  }

 private:
  LoopChain& m_chain;
  std::string m_text;
  std::array<V, N> m_values, m_registers;
  std::array<AnyOrderSum<T>, N> m_sums;
};

template <class T, int N>
class PlainArg<Numbers<T, N>> {
 public:
  PlainArg(LoopChain&, const Numbers<T, N>& arg) {
    for (std::size_t c = 0; c < N; ++c) m_values[c].v = arg.values[c];
  }
  PlainAccess<Bounded<T>> load(int) { return {m_values.data(), N}; }
  void store(int) {}
  void finish() {}

 private:
  std::array<Bounded<T>, N> m_values;
};

/// Runs a kernel over a set, or over a subset, on all sides and plainly.
/// Kernel::run is what its call operator calls. Options: pass options; Subsets:
/// some calls run over a subset
template <bool Options, bool Subsets, class Kernel, class... Args>
class RandomLoop {
  using Indices = std::index_sequence_for<Args...>;

 public:
  RandomLoop(LoopChain& chain, const char* label, int set, const Args&... args)
      : m_chain(chain), m_label(label), m_set(set), m_args(args...) {
    if (Subsets && chain.random.chance(40))
      for (std::size_t s = 0; s < chain.mesh.subsets.size(); ++s)
        if (chain.mesh.subsets[s].set == set) m_subset = int(s);
    if (Options) m_options = chain.random_options();
    (make(args), ...);
    run(Indices{});
  }

 private:
  template <class Arg>
  void make(const Arg&) {}
  template <Access A, int Reach, class Name>
  void make(const DatAccess<A, Reach, Name>& arg) {
    m_chain.plain(arg.dat);
  }
  template <class Arg>
  void limit(const Arg&) {}
  template <Access A, int Reach, class Name>
  void limit(const DatAccess<A, Reach, Name>& arg) {
    if (A != Access::read) m_chain.limit(arg.dat);
  }

  template <std::size_t... I>
  void run(std::index_sequence<I...>) {
    std::string what = m_label;
    if (m_subset >= 0) what += " over subset " + std::to_string(m_subset);
    if (Options) what += ", " + text(m_options);
    ((what += "\n    " + std::get<I>(m_args).text()), ...);
    m_chain.did(what);
    std::tuple<std::vector<Result<Args>>...> results;
    for (MeshSide& side : m_chain.sides) {
      std::tuple<SideArg<Args>...> args{
          SideArg<Args>{side, std::get<I>(m_args)}...};
      on_side(side, std::get<I>(args).pass()...);
      (take(std::get<I>(args), std::get<I>(results)), ...);
    }
    std::tuple<PlainArg<Args>...> plain{
        PlainArg<Args>(m_chain, std::get<I>(m_args))...};
    for (const int e : elements()) {
      Kernel::template run<Bounded<typename Kernel::value_type>>(
          std::get<I>(plain).load(e)...);
      (std::get<I>(plain).store(e), ...);
    }
    (std::get<I>(plain).finish(), ...);
    (compare(std::get<I>(plain), std::get<I>(results)), ...);
    (limit(std::get<I>(m_args)), ...);
  }

  template <class Arg, class = void>
  struct ResultOf {
    using type = int;
  };
  template <class Arg>
  struct ResultOf<Arg, std::void_t<decltype(Arg::start)>> {
    using type = decltype(Arg::start);
  };
  template <class Arg>
  using Result = typename ResultOf<Arg>::type;

  template <class Arg, class R>
  static void take(const SideArg<Arg>& arg, std::vector<R>& results) {
    if constexpr (SideArg<Arg>::reduces) results.push_back(arg.result());
  }
  template <class Plain, class R>
  static void compare(Plain& plain, const std::vector<R>& results) {
    if constexpr (!std::is_same_v<R, int>) plain.check(results);
  }

  std::vector<int> elements() const {
    if (m_subset >= 0) return m_chain.mesh.subsets[std::size_t(m_subset)].list;
    std::vector<int> all(m_chain.count(m_set));
    std::iota(all.begin(), all.end(), 0);
    return all;
  }

  template <class... Passed>
  void on_side(MeshSide& side, const Passed&... args) {
    if constexpr (Subsets)
      if (m_subset >= 0) return call(side, side.subset(m_subset), args...);
    call(side, side.set(m_set), args...);
  }
  template <class Where, class... Passed>
  void call(MeshSide& side, const Where& where, const Passed&... args) {
    LoopOptions options = m_options;
    if (m_chain.any_ranks && side.form() == MeshSide::Form::whole)
      options.any_ranks = true;
    if constexpr (Options)
      par_loop(m_label, SideExec{}, where, options, Kernel{}, args...);
    else
      par_loop(m_label, SideExec{}, where, Kernel{}, args...);
  }

  LoopChain& m_chain;
  std::string m_label;
  int m_set, m_subset = -1;
  LoopOptions m_options;
  std::tuple<Args...> m_args;
};

template <bool Options, bool Subsets, class Kernel, class... Args>
void random_loop(LoopChain& chain, const char* label, int set,
                 const Args&... args) {
  RandomLoop<Options, Subsets, Kernel, Args...>(chain, label, set, args...);
}

}  // namespace Test
}  // namespace Sporos

#endif
