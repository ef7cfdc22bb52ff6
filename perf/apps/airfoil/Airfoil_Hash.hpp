// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef SPOROS_AIRFOIL_HASH_HPP
#define SPOROS_AIRFOIL_HASH_HPP

/// \file Airfoil_Hash.hpp
/// Hashes of values, to compare the bits of runs.

#include <cstddef>
#include <cstdint>

namespace AirfoilApp {

/// FNV-1a of the number and the values of a cell. The sum over all cells tells
/// what value belongs to what cell, and can be taken in any order.
class CellHash {
 public:
  explicit CellHash(std::int64_t number) { add(&number, sizeof number); }

  void add(const void* values, std::size_t bytes) {
    const auto* byte = static_cast<const unsigned char*>(values);
    for (std::size_t k = 0; k < bytes; ++k)
      m_value = (m_value ^ byte[k]) * 1099511628211u;
  }
  std::uint64_t value() const { return m_value; }

 private:
  std::uint64_t m_value = 14695981039346656037u;
};

}  // namespace AirfoilApp

#endif
