// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/// Fields and values after transfer against plain sums.

#ifndef SPOROS_JUDGETRANSFER_HPP
#define SPOROS_JUDGETRANSFER_HPP

#include "Sporos_ChainFields.hpp"
#include "Sporos_PlainTransfer.hpp"

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <string>
#include <vector>

namespace Sporos {
namespace Test {

/// Is a sum what it should be?
inline void judge(const std::string& what, double found, const Judged& expected,
                  std::size_t place, int c) {
  require(
      std::fabs(found - expected.value) <= expected.within,
      text_of(what, " at place or point ", place, ", component ", c, ": ",
              found, " instead of ", expected.value, " +- ", expected.within));
}

/// Judges a field with values of `before`, to which strengths of the salt
/// `strengths` were added, components from `first` on.
template <class V, class Plain, class Side, class Points, class Field>
void judge_field(const std::string& what, const Plain& plain, const Side& side,
                 const Points& points, const Staggering& g, const Field& field,
                 int components, std::uint64_t before, std::uint64_t strengths,
                 int first = 0) {
  for (int c = 0; c < components; ++c)
    for (int p = 0; p < parts<V>; ++p) {
      std::vector<Judged> sums(plain.size());
      for (std::size_t i = 0; i < sums.size(); ++i) {
        const double v = part_of(value_of<V>(before, i, c), p);
        sums[i].add(v, plain.rounding_of(v));
      }
      for (const auto& list : points.held)
        for (const int i : list)
          plain.spread(
              points.points[std::size_t(i)].x.data(),
              part_of(value_of<V>(strengths, std::size_t(i), c + first), p),
              sums);
      for_each_own(side.blocks, g, field, components,
                   [&](const V& at, std::size_t place, int k) {
                     if (k == c)
                       judge(what, part_of(at, p), sums[place], place, c);
                   });
    }
}

/// Judges a field with values of `before`, to which dipoles of the salt
/// `moments` were added; plains: with derivatives in each direction
template <class V, class Plain, class Side, class Points, class Field>
void judge_dipoles(const std::string& what, const std::vector<Plain>& plains,
                   const Side& side, const Points& points, const Staggering& g,
                   const Field& field, std::uint64_t before,
                   std::uint64_t moments) {
  for (int p = 0; p < parts<V>; ++p) {
    std::vector<Judged> sums(plains[0].size());
    for (std::size_t i = 0; i < sums.size(); ++i) {
      const double v = part_of(value_of<V>(before, i, 0), p);
      sums[i].add(v, plains[0].rounding_of(v));
    }
    for (const auto& list : points.held)
      for (const int i : list)
        for (std::size_t k = 0; k < plains.size(); ++k)
          plains[k].spread(
              points.points[std::size_t(i)].x.data(),
              part_of(value_of<V>(moments, std::size_t(i), int(k)), p), sums);
    for_each_own(side.blocks, g, field, 1,
                 [&](const V& at, std::size_t place, int) {
                   judge(what, part_of(at, p), sums[place], place, p);
                 });
  }
}

/// Judges the components from `first` on of values that were read from a field
/// of value_of(salt, place, component).
template <class V, class Plain, class Side, class Points, class Values>
void judge_values(const std::string& what, const Plain& plain, const Side& side,
                  const Points& points, const Values& values, int components,
                  std::uint64_t salt, int first = 0) {
  for (std::size_t k = 0; k < side.numbers.size(); ++k) {
    const auto i = std::size_t(side.numbers[k]);
    for (int c = 0; c < components; ++c)
      for (int p = 0; p < parts<V>; ++p) {
        const auto sum = plain.interpolate(
            points.points[i].x.data(), [&](std::size_t place) {
              return part_of(value_of<V>(salt, place, c), p);
            });
        judge(what, part_of(entry(values, k, c + first), p), sum, i, c);
      }
  }
}

}  // namespace Test
}  // namespace Sporos

#endif
