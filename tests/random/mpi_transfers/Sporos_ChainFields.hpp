// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/// Fields of blocks and values of points, filled and compared.

#ifndef SPOROS_CHAINFIELDS_HPP
#define SPOROS_CHAINFIELDS_HPP

#include "Sporos_RandomPoints.hpp"

#include <Sporos_DistributedParticleGrid.hpp>
#include <Sporos_TestArray.hpp>

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <limits>
#include <map>
#include <sstream>
#include <stdexcept>
#include <string>
#include <type_traits>
#include <vector>

namespace Sporos {
namespace Test {

using ChainExec   = Kokkos::DefaultHostExecutionSpace;
using ChainMemory = ChainExec::memory_space;

template <class V, int Rank, class Layout>
using FieldOf =
    Kokkos::View<typename DataType<V, Rank>::type, Layout, ChainMemory>;

inline void require(bool right, const std::string& what) {
  if (!right) throw std::runtime_error(what);
}

template <class... Parts>
std::string text_of(const Parts&... some) {
  std::ostringstream out;
  out.precision(17);
  (out << ... << some);
  return out.str();
}

/// Real parts of a value
template <class V>
constexpr int parts = std::is_floating_point_v<V> ? 1 : 2;

/// What a field or a point has at the beginning, for each salt.
template <class V>
V value_of(std::uint64_t salt, std::size_t place, int c) {
  using Real      = Impl::RealPartOf<Kokkos::View<V*>>;
  const auto part = [&](int p) {
    return Real(number_of(salt, place, std::uint64_t(2 * c + p)));
  };
  if constexpr (parts<V> == 1)
    return part(0);
  else
    return V(part(0), part(1));
}
template <class V>
double part_of(const V& v, int p) {
  if constexpr (parts<V> == 1)
    return double(v);
  else
    return double(p == 0 ? v.real() : v.imag());
}

template <class Values>
auto& entry(const Values& values, std::size_t k, int c) {
  if constexpr (Impl::view_rank_v<Values> == 1)
    return values(k);
  else
    return values(k, std::size_t(c));
}

/// f(entry, place in the whole field, component) for what is owned.
template <int Dim, class Real, class Field, class F>
void for_each_own(const DistributedGrid<Dim, Real>& blocks, const Staggering& g,
                  const Field& field, int components, const F& f) {
  int n[3] = {1, 1, 1};
  for (int d = 0; d < Dim; ++d) n[d] = blocks.points(d, g[d]);
  int k[3];
  for (k[0] = 0; k[0] < n[0]; ++k[0])
    for (k[1] = 0; k[1] < n[1]; ++k[1])
      for (k[2] = 0; k[2] < n[2]; ++k[2]) {
        std::size_t at = 0, place = 0;
        for (int d = 0; d < Dim; ++d) {
          at += std::size_t(k[d] + blocks.ghosts()) *
                std::size_t(field.stride(std::size_t(d)));
          place = place * std::size_t(blocks.grid().points(d, g[d])) +
                  std::size_t(k[d] + blocks.first(d));
        }
        for (int c = 0; c < components; ++c) {
          std::size_t more = 0;
          if constexpr (Impl::view_rank_v < Field >> Dim)
            more = std::size_t(c) * std::size_t(field.stride(Dim));
          f(field.data()[at + more], place, c);
        }
      }
}

/// A field of a block: what is owned tells its place, ghosts are NaN.
template <class V, int More, class Layout, int Dim, class Real>
FieldOf<V, Dim + More, Layout> field_of(
    const DistributedGrid<Dim, Real>& blocks, const Staggering& g,
    int components, std::uint64_t salt) {
  const auto field = make_field<FieldOf<V, Dim + More, Layout>>(
      [&](int d) { return d < Dim ? blocks.extent(d, g[d]) : components; });
  V* const data = field.data();
  for (std::size_t i = 0; i < field.span(); ++i)
    data[i] = V(std::numeric_limits<Real>::quiet_NaN());
  for_each_own(blocks, g, field, components,
               [&](V& at, std::size_t place, int c) {
                 at = value_of<V>(salt, place, c);
               });
  return field;
}

/// Values of points, by number.
template <class Values>
Values values_of(const std::vector<int>& numbers, int components,
                 std::uint64_t salt) {
  using V           = typename Values::value_type;
  const auto values = make_field<Values>(
      [&](int r) { return r == 0 ? int(numbers.size()) : components; });
  for (std::size_t k = 0; k < numbers.size(); ++k)
    for (int c = 0; c < components; ++c)
      entry(values, k, c) = value_of<V>(salt, std::size_t(numbers[k]), c);
  return values;
}

/// What this rank owns must have the bits that another plan computed.
template <class Side, class Field>
void check_bits(const std::string& what, const Side& side, const Side& other,
                const Staggering& g, const Field& a, const Field& b,
                int components) {
  using V          = typename Field::value_type;
  std::size_t size = std::size_t(components);
  for (int d = 0; d < Side::dim; ++d)
    size *= std::size_t(side.blocks.grid().points(d, g[d]));
  std::vector<const V*> at(size, nullptr);
  for_each_own(other.blocks, g, b, components,
               [&](const V& v, std::size_t place, int c) {
                 at[place * std::size_t(components) + std::size_t(c)] = &v;
               });
  for_each_own(
      side.blocks, g, a, components, [&](const V& v, std::size_t place, int c) {
        const V* const w = at[place * std::size_t(components) + std::size_t(c)];
        require(w != nullptr && std::memcmp(w, &v, sizeof v) == 0,
                text_of("bits of spread ", what, " at place ", place,
                        " are not those of a plan of ",
                        other.blocks.comm().size(), " ranks"));
      });
}
template <class Side, class Values>
void check_value_bits(const std::string& what, const Side& side,
                      const Side& other, const Values& a, const Values& b,
                      int components) {
  std::map<int, std::size_t> row;
  for (std::size_t k = 0; k < other.numbers.size(); ++k)
    row[other.numbers[k]] = k;
  for (std::size_t k = 0; k < side.numbers.size(); ++k)
    for (int c = 0; c < components; ++c) {
      const auto v = entry(a, k, c), w = entry(b, row.at(side.numbers[k]), c);
      require(std::memcmp(&v, &w, sizeof v) == 0,
              text_of("bits of interpolate ", what, " at point ",
                      side.numbers[k], " are not those of a plan of ",
                      other.blocks.comm().size(), " ranks"));
    }
}

}  // namespace Test
}  // namespace Sporos

#endif
