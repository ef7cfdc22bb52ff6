// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef SPOROS_MESHVTK_HPP
#define SPOROS_MESHVTK_HPP

/// \file Sporos_MeshVtk.hpp
/// Meshes with data as VTK XML files (.vtu, .pvtu), for ParaView and VisIt.
///
/// \code
///   Sporos::MeshVtk vtk(exec, coordinates, cell_nodes);
///   vtk.add(exec, temperature);  // of nodes or cells
///   vtk.write("heat.vtu");
/// \endcode

#include <Sporos_Error.hpp>
#include <Sporos_Mesh.hpp>
#include <mesh/files/Sporos_VtkOutput.hpp>

#include <cstddef>
#include <cstdint>
#include <string>
#include <type_traits>
#include <vector>

namespace Sporos {

/// Cells of VTK, whose nodes are in the order of VTK: around a triangle or
/// quadrilateral; of a hexahedron around the lower one, then around the upper.
/// automatic: by the number of nodes; cells of four nodes are quadrilaterals if
/// coordinates have two components, else tetrahedra.
enum class VtkCell {
  automatic,
  line,
  triangle,
  quadrilateral,
  tetrahedron,
  hexahedron
};

/// A mesh of cells of one shape, with data, to be written to files. It has
/// copies of what it was given. Of a distributed mesh it is the part of this
/// rank: its owned cells, all local nodes.
class MeshVtk {
 public:
  /// \param exec an instance, in which the mesh may still be computed; waits
  /// \param coordinates two or three for each node, float or double
  /// \param cells the nodes of each cell
  /// \param shape of the cells
  /// \throws std::invalid_argument for handles of nothing, a map that does not
  ///   lead to the set of the coordinates, or has an arity that does not fit
  ///   the shape, or a negative entry; for coordinates whose halo is out of
  ///   date
  template <class Exec, class T, int D, class L, class M, int Arity, class N>
  [[gnu::cold]] MeshVtk(const Exec& exec, const Dat<T, D, L, M>& coordinates,
                        const Map<Arity, N>& cells,
                        VtkCell shape = VtkCell::automatic) {
    static_assert(D == 2 || D == 3 || D == dynamic_components,
                  "Sporos::MeshVtk: nodes must have two or three coordinates");
    static_assert(std::is_floating_point_v<T>,
                  "Sporos::MeshVtk: coordinates must be float or double");
    constexpr const char* function = "Sporos::MeshVtk";
    Impl::check_handle(coordinates.is_made(), function, "coordinates");
    Impl::check_handle(cells.state() != nullptr, function, "cells");
    Impl::check(
        cells.to() == coordinates.set(), function, cells.name().c_str(),
        "a map to the set of the coordinates, " + coordinates.set().name(),
        "one to " + cells.to().name());
    const int dimension = coordinates.component_count();
    Impl::check(dimension == 2 || dimension == 3, function,
                coordinates.name().c_str(), "two or three coordinates",
                dimension);
    m_cells          = cells.from();
    m_nodes          = coordinates.set();
    m_file.points    = m_nodes.size();
    m_file.arity     = cells.arity();
    m_file.cell_type = cell_type(cells.name(), shape, dimension, cells.arity());
    check_halo(function, coordinates);
    m_file.coordinates = array(exec, "points", coordinates, m_nodes.size(), 3);
    std::vector<int> rows = cells.to_host(exec);
    rows.resize(std::size_t(m_cells.owned()) * std::size_t(m_file.arity));
    for (std::size_t k = 0; k < rows.size(); ++k)
      Impl::check(rows[k] >= 0, function, cells.name().c_str(),
                  "a node at each entry", rows[k], " at element ",
                  k / std::size_t(m_file.arity));
    m_file.set_cells(rows);
  }

  /// Adds the values of a dat of nodes or of cells, under its name: integers,
  /// float, double or Kokkos::complex. Vectors of two components get a third
  /// one of 0; a complex number is two components. Waits for exec.
  /// \throws std::invalid_argument for a dat of another set, a name that was
  ///   added before, and of nodes for a halo that is out of date
  template <class Exec, class T, int C, class L, class M>
  [[gnu::cold]] MeshVtk& add(const Exec& exec, const Dat<T, C, L, M>& dat) {
    constexpr const char* function = "Sporos::MeshVtk::add";
    Impl::check_handle(dat.is_made(), function, "dat");
    const std::string name = dat.name();
    const bool of_nodes    = dat.set() == m_nodes;
    Impl::check(
        of_nodes || dat.set() == m_cells, function, name.c_str(),
        "a dat of nodes or cells, " + m_nodes.name() + " or " + m_cells.name(),
        "a dat of " + dat.set().name());
    for (const auto* known : {&m_file.point_data, &m_file.cell_data})
      for (const Impl::VtkArray& a : *known)
        Impl::check(a.name != name, function, name.c_str(), "a name of its own",
                    "one that was added before");
    if (of_nodes) check_halo(function, dat);
    (of_nodes ? m_file.point_data : m_file.cell_data)
        .push_back(
            array(exec, name, dat, of_nodes ? m_nodes.size() : m_cells.owned(),
                  dat.component_count() == 2 ? 3 : dat.component_count()));
    return *this;
  }

  /// Writes the mesh to a file (.vtu). A file that was there stays until the
  /// new one is complete. \throws std::runtime_error with file and reason
  void write(const std::string& path) const {
    Impl::write_vtu("Sporos::MeshVtk::write", path, m_file);
  }

  /// Writes a file that shows several ones as one mesh (.pvtu): those of all
  /// ranks. Call it on one of them.
  /// \param path of the file
  /// \param pieces names of files in its folder that write() made on meshes
  ///   with the same dats
  /// \throws std::runtime_error with file and reason
  void write_parallel(const std::string& path,
                      const std::vector<std::string>& pieces) const {
    Impl::write_pvtu("Sporos::MeshVtk::write_parallel", path, m_file, pieces);
  }

 private:
  /// The number of a shape in VTK.
  static int cell_type(const std::string& map, VtkCell shape, int dimension,
                       int arity) {
    struct Shape {
      VtkCell cell;
      int arity, type;
    };
    constexpr Shape shapes[] = {{VtkCell::line, 2, 3},
                                {VtkCell::triangle, 3, 5},
                                {VtkCell::quadrilateral, 4, 9},
                                {VtkCell::tetrahedron, 4, 10},
                                {VtkCell::hexahedron, 8, 12}};
    const bool automatic     = shape == VtkCell::automatic;
    for (const Shape& s : shapes)
      if (s.arity == arity &&
          (automatic ? s.cell != VtkCell::quadrilateral || dimension == 2
                     : s.cell == shape))
        return s.type;
    Impl::throw_invalid("Sporos::MeshVtk", map.c_str(),
                        automatic ? "cells of 2, 3, 4 or 8 nodes"
                                  : "the arity of the shape that was named",
                        arity);
  }
  template <class D>
  static void check_halo(const char* function, const D& dat) {
    Impl::check(!dat.set().is_distributed() || !dat.shared()->stale, function,
                dat.name().c_str(),
                "a dat whose halo has the owners' values "
                "(DistributedMesh::fill_halo)",
                "one whose halo is out of date");
  }

  /// The first n rows of a dat, with `columns` values each: 0 behind its own.
  template <class Exec, class T, int C, class L, class M>
  static Impl::VtkArray array(const Exec& exec, const std::string& name,
                              const Dat<T, C, L, M>& dat, int n, int columns) {
    using Number   = Impl::VtkNumber<T>;
    const auto own = std::size_t(dat.component_count());
    const auto all = Number::parts == 1 ? std::size_t(columns) : own;
    Impl::VtkArray a{name, Number::type(), int(all) * Number::parts, {}};
    const std::vector<T> values = dat.to_host(exec);
    std::vector<T> rows(std::size_t(n) * all, T());
    for (std::size_t i = 0; i < std::size_t(n); ++i)
      for (std::size_t c = 0; c < own; ++c)
        rows[i * all + c] = values[i * own + c];
    a.set(rows);
    return a;
  }

  Set m_cells, m_nodes;
  Impl::VtkMesh m_file;
};

}  // namespace Sporos

#endif
