// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef SPOROS_SET_HPP
#define SPOROS_SET_HPP

/// \file Sporos_Set.hpp
/// Sets of elements of a mesh, and ranges of them (see Sporos_Mesh.hpp).

#include <Sporos_Error.hpp>
#include <mesh/state/Sporos_MeshState.hpp>

#include <cstdint>
#include <limits>
#include <memory>
#include <string>
#include <utility>

namespace Sporos {

class SetRange;

/// A set of elements: cells, edges, nodes, particles. A set equals only its own
/// copies. It owns the plans of loops over it: destroy it before
/// Kokkos::finalize.
class Set {
 public:
  Set() : Set("", 0) {}

  /// \throws std::invalid_argument unless 0 <= size < 2^31
  Set(const std::string& name, std::int64_t size)
      : m_state(std::make_shared<Impl::SetState>()) {
    Impl::check(size >= 0 && size <= std::numeric_limits<int>::max(),
                "Sporos::Set", name.c_str(), "a size in [0, 2^31)", size);
    m_state->name = name;
    m_state->size = int(size);
  }

  /// A handle to the same set. (There are no moves, which would leave handles
  /// of nothing.)
  Set(const Set&) = default;
  /// A handle to the same set.
  Set& operator=(const Set&) = default;

  const std::string& name() const { return m_state->name; }  ///< The name.
  /// Number of elements; of a distributed set: local ones, halo included.
  int size() const { return m_state->size; }

  /// Number of elements that belong to this rank, which come first: all, unless
  /// the set is distributed.
  int owned() const {
    return m_state->parts == nullptr ? size() : m_state->parts->owned;
  }
  /// Number of elements that belong to this rank and whose maps lead to such
  /// elements only, which come first: kernels may work on them before halos are
  /// filled. All, unless the set is distributed.
  int core() const {
    return m_state->parts == nullptr ? size() : m_state->parts->core;
  }
  /// Is it distributed over ranks? (See Sporos_DistributedMesh.hpp.)
  bool is_distributed() const { return m_state->parts != nullptr; }

  /// The elements begin, ..., end - 1, for par_loop.
  inline SetRange range(int begin, int end) const;

  friend bool operator==(const Set& a, const Set& b) {
    return a.m_state == b.m_state;
  }
  friend bool operator!=(const Set& a, const Set& b) { return !(a == b); }

  /// For the implementation.
  explicit Set(std::shared_ptr<Impl::SetState> state)
      : m_state(std::move(state)) {}
  /// For the implementation.
  const std::shared_ptr<Impl::SetState>& state() const { return m_state; }

 private:
  std::shared_ptr<Impl::SetState> m_state;
};

/// Consecutive elements of a set; a Set converts to all of its elements.
class SetRange {
 public:
  /// All elements of a set.
  SetRange(const Set& set) : m_set(set), m_end(set.size()) {}

  /// \throws std::invalid_argument unless 0 <= begin <= end <= set.size()
  SetRange(const Set& set, int begin, int end)
      : m_set(set), m_begin(begin), m_end(end) {
    Impl::check(0 <= begin && begin <= end && end <= set.size(),
                "Sporos::Set::range", set.name().c_str(),
                Impl::text("0 <= begin <= end <= ", set.size()), "begin ",
                begin, ", end ", end);
  }

  const Set& set() const { return m_set; }  ///< The set.
  int begin() const { return m_begin; }     ///< The first element.
  int end() const { return m_end; }         ///< The element after the last one.
  /// Number of elements.
  int size() const { return m_end - m_begin; }

 private:
  Set m_set;
  int m_begin = 0;
  int m_end   = 0;
};

inline SetRange Set::range(int begin, int end) const {
  return SetRange(*this, begin, end);
}

}  // namespace Sporos

#endif
