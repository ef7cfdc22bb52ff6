// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef SPOROS_HDF5MESH_HPP
#define SPOROS_HDF5MESH_HPP

/// \file Sporos_Hdf5Mesh.hpp
/// Sets, maps and dats in HDF5 files as OP2 reads and writes them, whatever
/// their names: a set is a data set of one integer, its size; a map a data set
/// of elements x arity integers, from 0; a dat one of elements x components
/// numbers. Programs that include it link Sporos::hdf5.
///
/// \code
///   const Sporos::Hdf5MeshReader file("volna.h5");
///   const Sporos::Set nodes = file.set("nodes"), cells = file.set("cells");
///   const auto cell_nodes = file.map<3>("pcell", cells, nodes);
///   const auto values     = file.dat<double, 4>("p_q", cells);
/// \endcode

#include <Sporos_Mesh.hpp>
#include <mesh/files/Sporos_Hdf5File.hpp>

#include <cstdint>
#include <string>
#include <type_traits>
#include <vector>

namespace Sporos {

namespace Impl {

/// Can HDF5 files have dats of this type?
template <class T>
constexpr bool is_hdf5_value_v =
    std::is_same_v<T, int> || std::is_same_v<T, std::int64_t> ||
    std::is_same_v<T, float> || std::is_same_v<T, double>;

/// Throws unless all entries of rows, of which the first is row `row` of a map
/// in a file, are in [0, end).
inline void check_hdf5_entries(const Hdf5Reader& file, const std::string& name,
                               const std::vector<std::int64_t>& entries,
                               int arity, std::int64_t row, std::int64_t end) {
  for (std::size_t k = 0; k < entries.size(); ++k)
    if (entries[k] < 0 || entries[k] >= end)
      file.fail(name + ": expected numbers in [0, " + std::to_string(end) +
                "), got " + std::to_string(entries[k]) + " in row " +
                std::to_string(row + std::int64_t(k) / arity));
}

}  // namespace Impl

/// Reads sets, maps and dats by their names, as `op_decl_set_hdf5`,
/// `op_decl_map_hdf5` and `op_decl_dat_hdf5` of OP2 do. Names may lead through
/// groups: "mesh/cells". All functions throw std::runtime_error with the name
/// of the file and of the data set, what was expected and what is there; where
/// there is no data set of the name, with the names of all.
class Hdf5MeshReader {
 public:
  /// Opens a file.
  explicit Hdf5MeshReader(const std::string& path)
      : m_path(path), m_file(opened(m_path)) {}
  Hdf5MeshReader(const Hdf5MeshReader&)            = delete;
  Hdf5MeshReader& operator=(const Hdf5MeshReader&) = delete;

  /// The names of all data sets.
  std::vector<std::string> names() const {
    const Impl::QuietHdf5 quiet;
    return m_file.names();
  }

  /// A set, of fewer than 2^31 elements.
  Set set(const std::string& name) const {
    const Impl::QuietHdf5 quiet;
    return Set(name, int(Impl::hdf5_count(m_file, name.c_str())));
  }

  /// A map. Integers of any width, each checked.
  /// \tparam Arity the arity in the file
  /// \param name of the data set and the map
  /// \param from its rows are those of the elements of this set
  /// \param to its entries are elements of this set
  template <int Arity,
            class Memory = Kokkos::DefaultExecutionSpace::memory_space>
  Map<Arity, Memory> map(const std::string& name, const Set& from,
                         const Set& to) const {
    static_assert(Arity > 0,
                  "Sporos::Hdf5MeshReader::map: the arity is a constant");
    const Impl::QuietHdf5 quiet;
    const auto entries = rows<std::int64_t>(name, from, Arity);
    Impl::check_hdf5_entries(m_file, name, entries, Arity, 0, to.size());
    return Map<Arity, Memory>(name, from, to,
                              std::vector<int>(entries.begin(), entries.end()));
  }

  /// A dat. HDF5 converts numbers to T; integers are not made of others.
  /// \tparam T int, std::int64_t, float or double
  /// \tparam N the number of components in the file
  /// \param name of the data set and the dat
  /// \param set whose elements have values
  template <class T, int N = 1, class Layout = Kokkos::LayoutRight,
            class Memory = Kokkos::DefaultExecutionSpace::memory_space>
  Dat<T, N, Layout, Memory> dat(const std::string& name, const Set& set) const {
    static_assert(Impl::is_hdf5_value_v<T>,
                  "Sporos::Hdf5MeshReader::dat: T must be int, std::int64_t, "
                  "float or double");
    const Impl::QuietHdf5 quiet;
    return Dat<T, N, Layout, Memory>(name, set, rows<T>(name, set, N));
  }

 private:
  template <class T>
  std::vector<T> rows(const std::string& name, const Set& set,
                      int width) const {
    auto values =
        m_file.rows<T>(name.c_str(), set.size(), width, 0, set.size());
    m_file.throw_late_errors();
    return values;
  }

  static Impl::Hdf5Reader opened(const std::string& path) {
    const Impl::QuietHdf5 quiet;
    return Impl::Hdf5Reader("Sporos::Hdf5MeshReader", path);
  }

  std::string m_path;
  Impl::Hdf5Reader m_file;
};

/// Writes sets, maps and dats under their names, with the attributes that OP2
/// writes. Until complete() the name of the file is that with ".part", and a
/// file of the name itself stays as it is; without complete() nothing is left.
/// All functions throw std::runtime_error, with the name of the file, if
/// writing fails, and for a name that was used before.
class Hdf5MeshWriter {
 public:
  /// Begins a file, in memory.
  explicit Hdf5MeshWriter(const std::string& path)
      : m_path(path), m_file(begun(m_path)) {}
  Hdf5MeshWriter(const Hdf5MeshWriter&)            = delete;
  Hdf5MeshWriter& operator=(const Hdf5MeshWriter&) = delete;

  /// A set.
  void set(const Set& set) const {
    const Impl::QuietHdf5 quiet;
    m_file.number(set.name().c_str(), set.size());
  }
  /// A map. Waits for the default instance.
  template <int Arity, class Memory>
  void map(const Map<Arity, Memory>& map) const {
    const Impl::QuietHdf5 quiet;
    m_file.rows(map.name().c_str(), map.arity(), map.to_host());
  }
  /// A dat of int, std::int64_t, float or double. Waits for the default
  /// instance.
  template <class T, int N, class Layout, class Memory>
  void dat(const Dat<T, N, Layout, Memory>& dat) const {
    static_assert(Impl::is_hdf5_value_v<T>,
                  "Sporos::Hdf5MeshWriter::dat: values must be int, "
                  "std::int64_t, float or double");
    const Impl::QuietHdf5 quiet;
    m_file.rows(dat.name().c_str(), N, dat.to_host(), int(sizeof(T)) * N);
  }

  /// Writes the file.
  void complete() {
    const Impl::QuietHdf5 quiet;
    m_file.complete();
  }

 private:
  static Impl::Hdf5Writer begun(const std::string& path) {
    const Impl::QuietHdf5 quiet;
    return Impl::Hdf5Writer("Sporos::Hdf5MeshWriter", path);
  }

  std::string m_path;
  Impl::Hdf5Writer m_file;
};

}  // namespace Sporos

#endif
