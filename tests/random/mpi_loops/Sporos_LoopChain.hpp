// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/// A mesh on several sides (Sporos_MeshSide.hpp) and what plain serial loops
/// make of its dats.

#ifndef SPOROS_LOOPCHAIN_HPP
#define SPOROS_LOOPCHAIN_HPP

#include "Sporos_Bounded.hpp"
#include "Sporos_MeshCases.hpp"
#include "Sporos_MeshSide.hpp"

#include <cstring>
#include <functional>

namespace Sporos {
namespace Test {

/// Which NaN comes of arithmetic is not promised.
template <class T>
bool same_bits(T a, T b) {
  return std::memcmp(&a, &b, sizeof a) == 0 || (a != a && b != b);
}

class LoopChain {
 public:
  RandomCase& random;
  const RandomMesh& mesh;
  std::vector<MeshSide> sides;  ///< the first one is that of the ranks
  bool any_ranks;               ///< loops have any_ranks
  bool bits;                    ///< all sides have the same bits

  LoopChain(RandomCase& r, const RandomMesh& m, bool any)
      : random(r), mesh(m), any_ranks(any), bits(any) {}

  /// What is wrong so far; empty: nothing.
  const std::string& wrong() const { return m_wrong; }
  const std::string& history() const { return m_history; }
  void did(const std::string& what) { m_history += '\n' + what; }
  /// A rank that finds something wrong goes on with the others.
  void fail(const std::string& what) {
    if (m_wrong.empty()) m_wrong = what + "\nin" + m_history;
  }

  /// Values by plain loops. Makes the dat where there is none.
  template <class T, int N, class L>
  std::vector<Bounded<T>>& plain(const DatName<T, N, L>& name) {
    std::any& place = m_plain[name.key()];
    if (!place.has_value()) {
      const std::vector<T> values = random_values<T>(count(name.set) * N);
      place                       = bounded(values);
      const bool by_hand          = random.chance(25);
      for (MeshSide& side : sides) side.dat(name, values, by_hand);
      m_checks.push_back([this, name] { check(name); });
    }
    return *std::any_cast<std::vector<Bounded<T>>>(&place);
  }

  /// Compares a dat on all sides.
  template <class T, int N, class L>
  void check(const DatName<T, N, L>& name) {
    const auto& expected = plain(name);
    std::vector<T> before;  // of another side, from `begin` on
    std::size_t begin = 0;
    for (std::size_t k = sides.size(); k-- > 0;) {
      MeshSide& side          = sides[k];
      const auto values       = side.values(name);
      const std::size_t first = std::size_t(side.block(name.set).first) * N;
      for (std::size_t i = 0; i < values.size(); ++i) {
        const std::size_t at = first + i;
        if (!expected[at].allows(values[i]))
          fail_at(name, side, at / N, at % N, expected[at], values[i]);
        else if (bits && !before.empty() &&
                 !same_bits(before[at - begin], values[i]))
          fail_bits(name.text() + ", element " + std::to_string(at / N), side,
                    before[at - begin], values[i]);
      }
      before = values;
      begin  = first;
      if (side.form() != MeshSide::Form::whole) check_halo(name, side);
    }
  }
  void check_all() {
    for (const auto& one : m_checks) one();
  }

  /// Overwrites a dat, as callers do.
  template <class T, int N, class L>
  void refill(const DatName<T, N, L>& name) {
    auto& to          = plain(name);
    const auto values = random_values<T>(count(name.set) * N);
    const bool view   = random.chance(50);
    did("refill " + name.text() + (view ? " by its view" : ""));
    to = bounded(values);
    for (MeshSide& side : sides) {
      const auto mine = side.template of_owned<N>(name.set, values);
      const auto& dat = side.dat(name);
      if (!view) {
        dat.assign(mine);
        continue;
      }
      SideExec().fence();
      const auto host = Kokkos::create_mirror_view(dat.view());
      for (std::size_t i = 0; i < mine.size() / N; ++i)
        for (std::size_t c = 0; c < N; ++c) host(i, c) = mine[i * N + c];
      Kokkos::deep_copy(dat.view(), host);
      dat.modified();
    }
  }

  /// Values that have grown are replaced before they overflow, and those with
  /// a NaN before it is everywhere.
  template <class T, int N, class L>
  void limit(const DatName<T, N, L>& name) {
    for (const auto& v : plain(name))
      if (!(v.size() < 1e9)) {
        check(name);
        return refill(name);
      }
  }

  LoopOptions random_options() {
    LoopOptions o;
    using S = LoopStrategy;
    if (random.chance(70))
      o.strategy =
          any_ranks
              ? random.one_of({S::automatic, S::gather, S::owners})
              : random.one_of({S::automatic, S::serial, S::global_coloring,
                               S::hierarchical, S::gather, S::owners,
                               bits ? S::gather : S::atomic});
    if (random.chance(60)) o.block_size = random.integer(1, 64);
    if (!any_ranks && o.block_size > 0) {
      o.staging         = random.one_of({Staging::automatic, Staging::none,
                                         Staging::increments, Staging::all});
      o.kernel_by_color = random.chance(20);
    }
    o.sort_by_color  = random.chance(50);
    o.packs          = random.chance(70);
    o.check_disjoint = random.chance(10);
    o.any_ranks      = any_ranks && !mesh.deal.options.any_ranks;
    return o;
  }

  template <class T>
  std::vector<T> random_values(std::size_t n) {
    const int kind = random.integer(0, 3);
    std::vector<T> values(n);
    for (T& v : values)
      if constexpr (std::is_integral_v<T>)
        v = T(random.engine()());
      else
        v = kind == 0 ? T(random.integer(-2, 2)) * T(random.chance(50) ? 1 : -1)
            : kind == 1
                ? T(std::ldexp(random.real(-1, 1), random.integer(-20, 9)))
                : T(random.real(-1, 1));
    if constexpr (!std::is_integral_v<T>)
      if (n > 0 && random.chance(5))
        values[random.integer(std::size_t(0), n - 1)] =
            std::numeric_limits<T>::quiet_NaN();
    return values;
  }
  template <class T>
  static std::vector<Bounded<T>> bounded(const std::vector<T>& values) {
    std::vector<Bounded<T>> all;
    for (const T v : values) {
      all.emplace_back();
      all.back().v = v;
    }
    return all;
  }

  std::size_t count(int set) const {
    return std::size_t(mesh.sizes[std::size_t(set)]);
  }

  template <class T>
  void fail_bits(const std::string& what, const MeshSide& side, T expected,
                 T got) {
    std::ostringstream out;
    out.precision(17);
    out << what << ": other bits, " << got << " on " << text(side) << ", "
        << expected << " elsewhere";
    fail(out.str());
  }
  static std::string text(const MeshSide& side) {
    const char* const forms[] = {"rank ", "a rank alone, ", "one process, "};
    return forms[int(side.form())] + std::to_string(side.comm().rank());
  }

 private:
  template <class Name, class T>
  void fail_at(const Name& name, const MeshSide& side, std::size_t element,
               std::size_t component, const Bounded<T>& expected, T got) {
    std::ostringstream out;
    out.precision(17);
    out << name.text() << ", element " << element << ", component " << component
        << ": expected " << expected.text() << ", got " << got << " on "
        << text(side);
    fail(out.str());
  }

  template <class T, int N, class L>
  void check_halo(const DatName<T, N, L>& name, MeshSide& side) {
    if (random.chance(60)) return;
    const auto& expected = plain(name);
    side.mesh().fill_halo(SideExec{}, side.dat(name));
    const auto values  = side.dat(name).to_host();
    const auto numbers = side.local_numbers(name.set);
    for (std::size_t i = 0; i < values.size(); ++i) {
      const auto at = std::size_t(numbers[i / N]) * N + i % N;
      if (!expected[at].allows(values[i]))
        fail_at(name, side, at / N, at % N, expected[at], values[i]);
    }
  }

  std::string m_wrong, m_history;
  std::map<std::pair<std::type_index, std::pair<int, int>>, std::any> m_plain;
  std::vector<std::function<void()>> m_checks;
};

}  // namespace Test
}  // namespace Sporos

#endif
