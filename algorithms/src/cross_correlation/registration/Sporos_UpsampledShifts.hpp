// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef SPOROS_UPSAMPLEDSHIFTS_HPP
#define SPOROS_UPSAMPLEDSHIFTS_HPP

/// \file Sporos_UpsampledShifts.hpp
/// Correlations between pixels around whole shifts, by the matrix
/// multiplication of the transform (Guizar-Sicairos, Thurman, Fienup 2008). A
/// correlation has no frequency above half a cycle in a pixel: within 0.8
/// pixels of a whole shift it is a polynomial through 16 Chebyshev points to 12
/// digits. So the products with all frequencies are made for these points
/// alone, and all points of the fine grid follow from them.
/// Costs 32 multiply-adds for each pixel, and 17 for each fine point.

#include <Sporos_ForEachIndex.hpp>
#include <cross_correlation/peaks/Sporos_PeakSearch.hpp>
#include <cross_correlation/registration/Sporos_WholeShifts.hpp>

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace Sporos {
namespace Impl {

/// Factors of all plans of a shape: where they begin in one array.
struct ShiftTables {
  const double* data = nullptr;
  std::ptrdiff_t roots_y, roots_x;  ///< (h), (w) complex: whole shifts
  /// (h, 2, nodes), (columns, 2, nodes): real parts, imaginary parts
  std::ptrdiff_t nodes_y, nodes_x;
  std::ptrdiff_t fine;  ///< (points, nodes): from nodes to points
  int points;           ///< of the fine grid, in a direction
  int middle;           ///< the point at the whole shift
};

/// Fills the tables of a shape, on the host.
inline ShiftTables fill_shift_tables(const RegistrationShape& s,
                                     std::vector<double>& out) {
  const double pi = std::acos(-1.);
  ShiftTables t;
  const int u     = s.upsampling;
  t.points        = ceil_div(3 * u, 2);
  t.middle        = t.points / 2;
  const auto node = [=](int j) {
    return std::cos(pi * (j + .5) / shift_nodes);
  };
  const auto roots = [&](int n) {
    const auto at = std::ptrdiff_t(out.size());
    for (int k = 0; k < n; ++k) {
      out.push_back(std::cos(2 * pi * k / n));
      out.push_back(std::sin(2 * pi * k / n));
    }
    return at;
  };
  // half: frequencies from 0 on alone, which also stand for the others
  const auto nodes = [&](int n, int frequencies, bool half) {
    const auto at = std::ptrdiff_t(out.size());
    for (int k = 0; k < frequencies; ++k) {
      const int f         = 2 * k > n ? k - n : k;
      const bool between  = 2 * k != n;
      const double weight = half && k > 0 && between ? 2 : 1;
      const auto angle    = [&](int j) {
        return 2 * pi * f * shift_reach * node(j) / n;
      };
      for (int j = 0; j < shift_nodes; ++j)
        out.push_back(weight * std::cos(angle(j)));
      // the frequency of half a cycle: half of it on either side
      for (int j = 0; j < shift_nodes; ++j)
        out.push_back(between ? weight * std::sin(angle(j)) : 0);
    }
    return at;
  };
  t.roots_y = roots(s.h);
  t.roots_x = roots(s.w);
  t.nodes_y = nodes(s.h, s.h, false);
  t.nodes_x = nodes(s.w, s.columns, true);
  t.fine    = std::ptrdiff_t(out.size());
  for (int p = 0; p < t.points; ++p) {
    const double angle = std::acos((p - t.middle) / (u * shift_reach));
    for (int j = 0; j < shift_nodes; ++j) {
      double sum = 1;
      for (int k = 1; k < shift_nodes; ++k)
        sum +=
            2 * std::cos(k * pi * (j + .5) / shift_nodes) * std::cos(k * angle);
      out.push_back(sum / shift_nodes);
    }
  }
  return t;
}

/// Steps one after another; an index has all nodes of a row on hosts, and one
/// on devices.
template <class Exec, class T>
struct UpsampleShifts {
  struct Rows {};    ///< of spectra: sums over columns
  struct Values {};  ///< at nodes: sums over rows
  struct Fine {};    ///< the largest of each row of the fine grid
  static constexpr int nodes  = is_host_space_v<Exec> ? shift_nodes : 1;
  static constexpr int of_row = shift_nodes / nodes;  ///< indices
  RegistrationShape shape;
  ShiftTables tables;
  const T* products;
  const WholeShift<T>* shifts;
  double* rows;    ///< (pair, h, 2, nodes): real parts, imaginary parts
  double* values;  ///< (pair, nodes, nodes)
  PeakCandidate<double>* candidates;  ///< (pair, points)

  KOKKOS_FUNCTION void operator()(Rows, std::int64_t index) const {
    const std::int64_t row  = index / of_row;
    const int j0            = int(index % of_row) * nodes;
    const std::int64_t pair = row / shape.h;
    const auto& best        = shifts[pair].best;
    if (!best.exists()) return;
    const int y           = int(row % shape.h);
    const T* const p      = products + row * shape.spectrum_pitch;
    const double* const f = tables.data + tables.roots_x;
    const double* n       = tables.data + tables.nodes_x + j0;
    double re[nodes] = {}, im[nodes] = {};
    int at = 0;  // x times the whole shift, modulo w
    for (int x = 0; x < shape.columns; ++x, n += 2 * shift_nodes) {
      const double zr = double(p[2 * x]), zi = double(p[2 * x + 1]);
      const double qr = zr * f[2 * at] - zi * f[2 * at + 1];
      const double qi = zr * f[2 * at + 1] + zi * f[2 * at];
      for (int j = 0; j < nodes; ++j) {
        re[j] += qr * n[j] - qi * n[shift_nodes + j];
        im[j] += qr * n[shift_nodes + j] + qi * n[j];
      }
      at += best.x;
      if (at >= shape.w) at -= shape.w;
    }
    const std::int64_t root = std::int64_t(y) * best.y % shape.h;
    const double* const g   = tables.data + tables.roots_y + 2 * root;
    double* const to        = rows + 2 * row * shift_nodes + j0;
    for (int j = 0; j < nodes; ++j) {
      to[j]               = re[j] * g[0] - im[j] * g[1];
      to[shift_nodes + j] = re[j] * g[1] + im[j] * g[0];
    }
  }
  KOKKOS_FUNCTION void operator()(Values, std::int64_t index) const {
    const std::int64_t line = index / of_row;
    const int j0            = int(index % of_row) * nodes;
    const std::int64_t pair = line / shift_nodes;
    if (!shifts[pair].best.exists()) return;
    const double* from = rows + 2 * pair * shape.h * shift_nodes + j0;
    const double* n    = tables.data + tables.nodes_y + line % shift_nodes;
    double sum[nodes]  = {};
    for (int y = 0; y < shape.h;
         ++y, n += 2 * shift_nodes, from += 2 * shift_nodes)
      for (int j = 0; j < nodes; ++j)
        sum[j] += from[j] * n[0] - from[shift_nodes + j] * n[shift_nodes];
    for (int j = 0; j < nodes; ++j)
      values[line * shift_nodes + j0 + j] = sum[j];
  }
  KOKKOS_FUNCTION void operator()(Fine, std::int64_t index) const {
    const std::int64_t pair = index / tables.points;
    const int y             = int(index % tables.points);
    candidates[index]       = {};
    if (!shifts[pair].best.exists()) return;
    const double* const fine = tables.data + tables.fine;
    const double* const v    = values + pair * shift_nodes * shift_nodes;
    const double norm        = shifts[pair].norm;
    double line[shift_nodes] = {};
    for (int i = 0; i < shift_nodes; ++i)
      for (int j = 0; j < shift_nodes; ++j)
        line[j] += fine[y * shift_nodes + i] * v[i * shift_nodes + j];
    PeakCandidate<double> best;
    for (int x = 0; x < tables.points; ++x) {
      double sum = 0;
      for (int j = 0; j < shift_nodes; ++j)
        sum += fine[x * shift_nodes + j] * line[j];
      const PeakCandidate<double> c{sum - norm * farness(y, x), y, x};
      if (c.is_before(best)) best = c;
    }
    candidates[index] = best;
  }

  /// What a place far from the whole shift is worth less, in coefficients:
  /// the nearest of places that differ by rounding is taken.
  KOKKOS_FUNCTION double farness(int y, int x) const {
    const double dy = away(y), dx = away(x);
    return farness_of_shifts * (dy * dy + dx * dx);
  }
  /// Pixels from the whole shift to a fine point.
  KOKKOS_FUNCTION double away(int point) const {
    return double(point - tables.middle) / shape.upsampling;
  }
};

}  // namespace Impl
}  // namespace Sporos

#endif
