// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef SPOROS_GRID_HPP
#define SPOROS_GRID_HPP

/// \file Sporos_Grid.hpp
/// Uniform grids in one, two and three dimensions.

#include <Kokkos_Core.hpp>

#include <Sporos_Error.hpp>

#include <cstddef>
#include <cstdint>
#include <limits>
#include <string>

namespace Sporos {

/// The boundary condition at both ends of a direction.
enum class Boundary {
  periodic,  ///< indices wrap around
  wall       ///< there are no grid points outside the domain
};

/// Offsets of the grid points from the cell corners in units of the spacing,
/// one number in [0, 1) for each direction; entries beyond the dimension of the
/// grid are ignored.
using Staggering = Kokkos::Array<double, 3>;

/// A uniform grid of cells(d) cells of width spacing(d) in each direction d.
///
/// A field with the staggering g has its values at the points
/// x_d = origin(d) + spacing(d) (i_d + g_d), i_d = 0, ..., points(d, g_d) - 1.
/// (Kassen, Shankar, Fogelson, "A fine-grained parallelization of the immersed
/// boundary method", section 2.) Any number of cells will do: in a periodic
/// direction with fewer than a delta function has grid points, its weights go
/// around several times and add up.
template <int Dim, class Real = double>
class Grid {
  static_assert(Dim >= 1 && Dim <= 3, "Sporos::Grid: Dim must be 1, 2 or 3");

 public:
  static constexpr int dim = Dim;   ///< number of directions
  using real_type          = Real;  ///< of coordinates and widths

  /// A grid without cells, to be assigned to. Plans refuse it.
  Grid() = default;

  /// A grid that is periodic in all directions.
  /// \param cells number of cells in each direction, all positive
  /// \param h width of a cell, the same in all directions, positive
  /// \throws std::invalid_argument for a size or width that is not positive
  Grid(const Kokkos::Array<int, Dim>& cells, Real h)
      : Grid(cells, same(h), same(Boundary::periodic)) {}

  /// \param cells number of cells in each direction, all positive
  /// \param h width of a cell in each direction, positive and finite
  /// \param boundary periodic (the default) or wall, for each direction
  /// \param origin lower corner of the domain, 0 by default
  /// \throws std::invalid_argument for a size or width that is not positive,
  ///   2147483000 cells or more in a direction, coordinates that Real does not
  ///   resolve to 1/16 of a cell, a cell whose volume or its inverse is not
  ///   finite, an origin that is not finite, and an invalid boundary. (float:
  ///   both ends lie at most 2^20 cells from coordinate 0. A grid of double
  ///   takes positions and fields of float, too.)
  Grid(const Kokkos::Array<int, Dim>& cells, const Kokkos::Array<Real, Dim>& h,
       const Kokkos::Array<Boundary, Dim>& boundary = same(Boundary::periodic),
       const Kokkos::Array<Real, Dim>& origin       = same(Real(0)))
      : m_cells(cells), m_h(h), m_boundary(boundary), m_origin(origin) {
    for (int d = 0; d < Dim; ++d) {
      // two ghost layers and one more point must fit into an int
      Impl::check(
          cells[d] > 0 && cells[d] < 2147483000, "Sporos::Grid", "cells",
          "a positive number below 2147483000 in each direction", cells[d]);
      const Real inverse = Real(1) / h[d];  // neither 0 nor infinite
      Impl::check(h[d] > 0 && inverse > 0 && inverse - inverse == 0,
                  "Sporos::Grid", "h",
                  "a positive finite width in each direction", h[d]);
      Impl::check(
          boundary[d] == Boundary::periodic || boundary[d] == Boundary::wall,
          "Sporos::Grid", "boundary", "periodic or wall in each direction",
          int(boundary[d]));
      Impl::check(origin[d] - origin[d] == 0, "Sporos::Grid", "origin",
                  "a finite coordinate in each direction", origin[d]);
      check_resolved(d);
    }
    const Real inverse = Real(1) / cell_volume();
    Impl::check(inverse > 0 && inverse - inverse == 0, "Sporos::Grid", "h",
                "a cell volume whose inverse is finite", cell_volume());
  }

  /// Number of cells in direction d.
  KOKKOS_FUNCTION int cells(int d) const { return m_cells[d]; }
  /// Width of a cell in direction d.
  KOKKOS_FUNCTION Real spacing(int d) const { return m_h[d]; }
  /// Boundary condition at the ends of direction d.
  KOKKOS_FUNCTION Boundary boundary(int d) const { return m_boundary[d]; }
  /// Lower end of the domain in direction d.
  KOKKOS_FUNCTION Real origin(int d) const { return m_origin[d]; }

  /// Number of grid points in direction d of a field with staggering g in that
  /// direction. With walls and g = 0 both end points count.
  KOKKOS_FUNCTION int points(int d, double g) const {
    return m_cells[d] + (m_boundary[d] == Boundary::wall && g == 0 ? 1 : 0);
  }

  /// Volume of a cell (area in 2D, length in 1D).
  KOKKOS_FUNCTION Real cell_volume() const {
    Real v = 1;
    for (int d = 0; d < Dim; ++d) v *= m_h[d];
    return v;
  }

  /// Staggering of grid points at the corners of the cells.
  static Staggering node() { return Staggering{{0., 0., 0.}}; }
  /// Staggering of grid points in the middle of the cells.
  static Staggering cell_center() { return Staggering{{.5, .5, .5}}; }
  /// Staggering of grid points in the middle of the faces normal to direction
  /// k, as for component k of a velocity on a marker-and-cell grid.
  /// \throws std::invalid_argument unless 0 <= k < Dim
  static Staggering face(int k) {
    Impl::check(k >= 0 && k < Dim, "Sporos::Grid::face", "k",
                "a direction of the grid", k);
    Staggering g = cell_center();
    g[k]         = 0.;
    return g;
  }

 private:
  /// Throws if rounding places points a sixteenth of a cell wrong, or more.
  void check_resolved(int d) const {
    constexpr int bits = std::numeric_limits<Real>::digits - 4;
    const double low   = double(m_origin[d]) / double(m_h[d]),
                 high  = low + m_cells[d];
    const double far   = -low > high ? -low : high;
    Impl::check(far <= double(std::uint64_t(1) << bits), "Sporos::Grid",
                "cells",
                Impl::text("at most 2^", bits, " cells from coordinate 0 to ",
                           "either end of direction ", d, ", of which ",
                           sizeof(Real) == sizeof(float) ? "float" : "double",
                           " resolves 1/16 (Grid<Dim, double> resolves more, "
                           "and takes positions and fields of float)"),
                far);
  }

  template <class T>
  static Kokkos::Array<T, Dim> same(T value) {
    Kokkos::Array<T, Dim> a;
    for (int d = 0; d < Dim; ++d) a[d] = value;
    return a;
  }

  Kokkos::Array<int, Dim> m_cells         = same(0);
  Kokkos::Array<Real, Dim> m_h            = same(Real(0));
  Kokkos::Array<Boundary, Dim> m_boundary = same(Boundary::periodic);
  Kokkos::Array<Real, Dim> m_origin       = same(Real(0));
};

/// Fields on the faces of the cells of a marker-and-cell grid: see on_faces.
template <class Field, std::size_t N>
struct OnFaces {
  Kokkos::Array<Field, N> fields;  ///< fields[k] on the faces of direction k
};

/// Says that fields[k] lies on the faces normal to direction k (see
/// Grid::face), one field for each direction. What takes it: spread and
/// interpolate, for component k of the values of points; fill_ghosts and
/// add_ghosts. Without it all fields of an array have one staggering. \code
///   Sporos::spread(exec, plan, forces, Sporos::on_faces(fields));
/// \endcode
template <class Field, std::size_t N>
OnFaces<Field, N> on_faces(const Kokkos::Array<Field, N>& fields) {
  return {fields};
}

namespace Impl {

/// Staggerings must lie in [0, 1).
template <int Dim>
void check_staggering(const char* function, const Staggering& g) {
  for (int d = 0; d < Dim; ++d)
    check(g[d] >= 0 && g[d] < 1, function, "staggering",
          "a number in [0, 1) for each direction", g[d]);
}

}  // namespace Impl
}  // namespace Sporos

#endif
