// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef SPOROS_HDF5MESH_HPP
#define SPOROS_HDF5MESH_HPP

/// \file Sporos_Hdf5Mesh.hpp
/// Sets, maps and dats in HDF5 files as OP2 reads and writes them, whatever
/// their names: a set is a data set of one integer, its size; a map a data set
/// of elements x arity integers, from 0; a dat one of elements x components
/// numbers. Maps and dats may have the attributes that OP2 gives them: `dim`,
/// `size` and `type`. Programs that include it link Sporos::hdf5.
///
/// \code
///   const Sporos::Hdf5MeshReader file("volna.h5");
///   const Sporos::Set nodes = file.set("nodes"), cells = file.set("cells");
///   const auto cell_nodes = file.map<3>("pcell", cells, nodes);
///   const auto values     = file.dat<double, 4>("p_q", cells);
/// \endcode

#include <Sporos_Mesh.hpp>
#include <mesh/files/Sporos_Hdf5File.hpp>
#include <mesh/files/Sporos_Hdf5Output.hpp>

#include <algorithm>
#include <cstdint>
#include <limits>
#include <string>
#include <type_traits>
#include <vector>

namespace Sporos {

namespace Impl {

/// Can HDF5 files have dats of this type?
template <class T>
constexpr bool is_hdf5_value_v =
    std::is_same_v<T, int> ||
    ((std::is_same_v<T, long> || std::is_same_v<T, long long>)&&sizeof(T) ==
     8) ||
    std::is_same_v<T, float> || std::is_same_v<T, double>;

/// Throws unless all entries of rows, of which the first is row `row` of a map
/// in a file, are in [0, end), or negative where entries may be missing.
inline void check_hdf5_entries(const Hdf5Reader& file, const std::string& name,
                               const std::vector<std::int64_t>& entries,
                               int arity, std::int64_t row, std::int64_t end,
                               MissingEntries missing) {
  const bool partial = missing == MissingEntries::allowed;
  for (std::size_t k = 0; k < entries.size(); ++k)
    if ((entries[k] < 0 && !partial) || entries[k] >= end)
      file.fail(name + ": expected numbers in [0, " + std::to_string(end) +
                (partial ? "), or negative ones, got " : "), got ") +
                std::to_string(entries[k]) + " in row " +
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

  /// A set that has an element for each row of a data set, for files without
  /// data sets of sizes.
  /// \param name of the set
  /// \param rows the data set
  Set set_of_rows(const std::string& name, const std::string& rows) const {
    const Impl::QuietHdf5 quiet;
    return Set(name, int(Impl::hdf5_rows(m_file, rows)));
  }

  /// A map. Integers of any width, each checked.
  /// \tparam Arity the arity in the file; dynamic_arity: any
  /// \param name of the data set and the map
  /// \param from its rows are those of the elements of this set
  /// \param to its entries are elements of this set
  /// \param missing are negative entries allowed, which name nothing?
  template <int Arity    = dynamic_arity,
            class Memory = Kokkos::DefaultExecutionSpace::memory_space>
  Map<Arity, Memory> map(
      const std::string& name, const Set& from, const Set& to,
      MissingEntries missing = MissingEntries::refused) const {
    const Impl::QuietHdf5 quiet;
    const int arity =
        Arity > 0
            ? Arity
            : Impl::hdf5_columns(m_file, name, std::numeric_limits<int>::max());
    const auto entries = rows<std::int64_t>(name, from, arity);
    Impl::check_hdf5_entries(m_file, name, entries, arity, 0, to.size(),
                             missing);
    std::vector<int> narrow(entries.size());
    for (std::size_t k = 0; k < entries.size(); ++k)
      narrow[k] = int(std::max<std::int64_t>(entries[k], -1));
    return Map<Arity, Memory>(name, from, to, arity, narrow, missing);
  }

  /// A dat. Numbers of other types become T if T holds each number of their
  /// type: a double comes from float and integers of 32 bits, but a float not
  /// from double, and an integer from integers alone, each of which is checked.
  /// \tparam T int, long, long long (std::int64_t), float or double
  /// \tparam N the number of components in the file; dynamic_components: any
  ///   that a Dat may have
  /// \param name of the data set and the dat
  /// \param set whose elements have values
  template <class T, int N = 1, class Layout = Kokkos::LayoutRight,
            class Memory = Kokkos::DefaultExecutionSpace::memory_space>
  Dat<T, N, Layout, Memory> dat(const std::string& name, const Set& set) const {
    static_assert(Impl::is_hdf5_value_v<T>,
                  "Sporos::Hdf5MeshReader::dat: T must be int, long, long "
                  "long, float or double");
    const Impl::QuietHdf5 quiet;
    const int count =
        N > 0 ? N : Impl::hdf5_columns(m_file, name, most_dynamic_components);
    return Dat<T, N, Layout, Memory>(name, set, count,
                                     rows<T>(name, set, count));
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
/// writes, as `op_dump_to_hdf5` does. Files of the same contents have the same
/// bytes. Until complete() the name of the file is that with ".part", and a
/// file of the name itself stays as it is; without complete() nothing is left.
/// All functions throw std::runtime_error, with the name of the file, if
/// writing fails, and for a name that is taken; std::invalid_argument for
/// handles of nothing, for what belongs to a distributed mesh
/// (Hdf5MeshBlocksWriter writes it), and after complete().
class Hdf5MeshWriter {
 public:
  /// Begins a file.
  explicit Hdf5MeshWriter(const std::string& path)
      : m_path(path), m_file(function, m_path) {}
  Hdf5MeshWriter(const Hdf5MeshWriter&)            = delete;
  Hdf5MeshWriter& operator=(const Hdf5MeshWriter&) = delete;

  /// A set.
  void set(const Set& set) {
    check_local(set.name(), set);
    m_file.number(set.name(), set.size());
  }
  /// A map. Waits for the default instance.
  template <int Arity, class Memory>
  void map(const Map<Arity, Memory>& map) {
    Impl::check_handle(map.state() != nullptr, function, "map");
    check_local(map.name(), map.from());
    m_file.rows(map.name(), map.arity(), true, map.to_host());
  }
  /// A dat of int, long, long long, float or double. Waits for the default
  /// instance.
  template <class T, int N, class Layout, class Memory>
  void dat(const Dat<T, N, Layout, Memory>& dat) {
    static_assert(Impl::is_hdf5_value_v<T>,
                  "Sporos::Hdf5MeshWriter::dat: values must be int, long, long "
                  "long, float or double");
    Impl::check_handle(dat.is_made(), function, "dat");
    check_local(dat.name(), dat.set());
    m_file.rows(dat.name(), dat.component_count(), false, dat.to_host());
  }

  /// Writes the file.
  void complete() {
    check_open();
    m_file.write();
    m_file.finish();
    m_complete = true;
  }

 private:
  static constexpr const char* function = "Sporos::Hdf5MeshWriter";

  void check_open() const {
    Impl::check(!m_complete, function, m_path.c_str(),
                "calls before complete()", "one after it");
  }
  void check_local(const std::string& name, const Set& set) const {
    check_open();
    Impl::check(!set.is_distributed(), function, name.c_str(),
                "a part of a mesh of one process (Hdf5MeshBlocksWriter writes "
                "distributed ones)",
                "a part of a distributed mesh");
  }

  std::string m_path;
  Impl::Hdf5Writer m_file;
  bool m_complete = false;
};

}  // namespace Sporos

#endif
