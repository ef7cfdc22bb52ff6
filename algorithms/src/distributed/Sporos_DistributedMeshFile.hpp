// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef SPOROS_DISTRIBUTEDMESHFILE_HPP
#define SPOROS_DISTRIBUTEDMESHFILE_HPP

/// \file Sporos_DistributedMeshFile.hpp
/// Reads meshes (Sporos_MeshFile.hpp, and in programs that link Sporos::hdf5
/// Sporos_MeshFileHdf5.hpp and Sporos_Hdf5Mesh.hpp) on many MPI ranks, each of
/// which holds a block of the file only, and writes those of
/// Sporos_Hdf5Mesh.hpp.

#include <Sporos_Communicator.hpp>
#include <Sporos_MeshGenerators.hpp>
#include <distributed/meshes/Sporos_FileLines.hpp>
#include <mesh/files/Sporos_MeshReader.hpp>
#ifdef SPOROS_HAVE_HDF5
#include <Sporos_GlobalMesh.hpp>
#include <Sporos_Hdf5Mesh.hpp>
#include <Sporos_MeshFileHdf5.hpp>
#endif

#include <algorithm>
#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace Sporos {

namespace Impl {

/// Collective. The header of a text mesh, read by rank 0.
inline std::vector<int> header_of_all(const Communicator& comm,
                                      const std::string& path) {
  constexpr const char* function = "Sporos::read_mesh_block";
  std::vector<int> counts(4);
  agree_on(comm, function, [&] {
    if (comm.rank() != 0) return;
    const std::string line = first_line(function, path);
    MeshReader file(path, line);
    counts = read_counts(file);
  });
  check_mpi(MPI_Bcast(counts.data(), 4, MPI_INT, 0, comm.mpi()), function,
            "MPI_Bcast");
  return counts;
}

/// Collective. This rank's lines of a text mesh.
inline QuadMesh read_text_block(const Communicator& comm,
                                const std::string& path) {
  constexpr const char* function = "Sporos::read_mesh_block";
  const std::vector<int> counts  = header_of_all(comm, path);
  const FileLines lines(comm, function, path);
  const std::int64_t all = number_of_records(counts);
  QuadMesh mesh;
  agree_on(comm, function, [&] {
    MeshReader file(path, lines.text(), lines.first_line());
    const std::int64_t first = lines.first_record();
    if (first == 0 && lines.records() > 0) read_counts(file);
    // the last rank finds out what is missing at the end
    const std::int64_t end =
        comm.rank() + 1 == comm.size() ? all : first - 1 + lines.records();
    mesh = read_records(file, counts, std::max<std::int64_t>(0, first - 1),
                        std::min(all, end));
    file.end_file();
  });
  return mesh;
}

#ifdef SPOROS_HAVE_HDF5

/// A file that all ranks read together, by MPI's input where HDF5 was built for
/// that.
class Hdf5OnRanks {
 public:
  Hdf5OnRanks(const Communicator& comm, const char* function,
              const std::string& path)
      : m_transfer(H5Pcreate(H5P_DATASET_XFER), H5Pclose) {
    const Hdf5Handle access(H5Pcreate(H5P_FILE_ACCESS), H5Pclose);
#ifdef H5_HAVE_PARALLEL
    H5Pset_fapl_mpio(access, comm.mpi(), MPI_INFO_NULL);
    H5Pset_dxpl_mpio(m_transfer, H5FD_MPIO_COLLECTIVE);
#endif
    agree_on(comm, function, [&] {
      const QuietHdf5 quiet;
      m_file = std::make_unique<Hdf5Reader>(function, path, access, m_transfer);
    });
  }
  const Hdf5Reader& operator*() const { return *m_file; }

 private:
  Hdf5Handle m_transfer;
  std::unique_ptr<Hdf5Reader> m_file;
};

/// Collective. This rank's rows of all data sets.
inline QuadMesh read_hdf5_rows(const Communicator& comm,
                               const std::string& path) {
  constexpr const char* function = "Sporos::read_mesh_block";
  const Hdf5OnRanks file(comm, function, path);
  QuadMesh mesh;
  agree_on(comm, function, [&] {
    const QuietHdf5 quiet;
    mesh = read_hdf5_block(*file, comm.rank(), comm.size());
  });
  return mesh;
}

#endif

/// Does a name end like that of an HDF5 file?
inline bool is_hdf5_name(const std::string& path) {
  return path.size() >= 3 && path.compare(path.size() - 3, 3, ".h5") == 0;
}

}  // namespace Impl

/// Collective. Reads a mesh: an HDF5 file if its name ends with ".h5", else a
/// text file. Each rank reads and holds a part only: about the same number of
/// elements of each set, or of bytes of the text.
/// \param comm the ranks that share the mesh
/// \param path the same file on all ranks
/// \returns the rows of this rank: consecutive elements of each set, those of
///   rank 0 first, for Sporos_GlobalMesh.hpp. Entries of maps are global
///   numbers.
/// \throws std::invalid_argument on all ranks, with what read_mesh or
///   read_mesh_hdf5 says of the file, for an HDF5 file in a program without
///   Sporos::hdf5, and for names that differ. A rank whose own part of a text
///   file is wrong, too, says so instead.
inline QuadMesh read_mesh_block(const Communicator& comm,
                                const std::string& path) {
  constexpr const char* function = "Sporos::read_mesh_block";
  Impl::check_handle(comm.is_made(), function, "comm");
  Impl::agree(comm, function, "", "the file " + path);
  if (!Impl::is_hdf5_name(path)) return Impl::read_text_block(comm, path);
#ifdef SPOROS_HAVE_HDF5
  return Impl::read_hdf5_rows(comm, path);
#else
  Impl::throw_invalid(function, "path",
                      "a text file, as this program does not link Sporos::hdf5",
                      path);
#endif
}

#ifdef SPOROS_HAVE_HDF5

/// Hdf5MeshReader on many ranks: makes sets, maps and values of a GlobalMesh,
/// of which each rank reads its block of rows. All functions are collective,
/// take the same names on all ranks, and throw std::invalid_argument on all of
/// them, with what Hdf5MeshReader says of the file, and for sets of another
/// mesh. Destroy it before MPI_Finalize.
class Hdf5MeshBlocks {
 public:
  /// Opens a file.
  /// \param mesh gets the sets and maps
  /// \param path the same file on all ranks
  Hdf5MeshBlocks(const GlobalMesh& mesh, const std::string& path)
      : m_path(path), m_mesh(mesh), m_file(opened(mesh, m_path)) {}

  /// A set, in blocks that differ by at most one element.
  GlobalSet set(const std::string& name) {
    return new_set(name, "set " + name, [&] {
      return Impl::hdf5_count(*m_file, name.c_str(), most);
    });
  }
  /// A set with an element for each row of a data set, in blocks that differ by
  /// at most one element.
  GlobalSet set_of_rows(const std::string& name, const std::string& rows) {
    return new_set(name, "set " + name + " of rows of " + rows,
                   [&] { return Impl::hdf5_rows(*m_file, rows, most); });
  }

  /// A map. \tparam Arity the arity in the file
  /// \param name, from, to, missing as for Hdf5MeshReader::map
  template <int Arity>
  GlobalMap<Arity> map(const std::string& name, const GlobalSet& from,
                       const GlobalSet& to,
                       MissingEntries missing = MissingEntries::refused) {
    static_assert(Arity > 0,
                  "Sporos::Hdf5MeshBlocks::map: the arity is a constant");
    std::vector<std::int64_t> entries;
    on_all(
        Impl::in_one_text("map ", name, " of arity ", Arity),
        [&] { m_mesh.size(from), m_mesh.size(to); },
        [&] {
          entries = rows<std::int64_t>(name, from, Arity);
          Impl::check_hdf5_entries(*m_file, name, entries, Arity,
                                   blocks(from).begin(comm().rank()),
                                   m_mesh.size(to), missing);
        });
    return m_mesh.map<Arity>(name, from, to, entries, missing);
  }

  /// Values. \tparam T, N as for Hdf5MeshReader::dat
  template <class T, int N>
  GlobalDat<T, N> dat(const std::string& name, const GlobalSet& set) {
    static_assert(Impl::is_hdf5_value_v<T>,
                  "Sporos::Hdf5MeshBlocks::dat: T must be int, long, long "
                  "long, float or double");
    std::vector<T> values;
    int count = N;
    on_all(
        Impl::in_one_text("dat ", name, " of ", N, " components"),
        [&] { m_mesh.size(set); },
        [&] {
          if (N == dynamic_components)
            count = Impl::hdf5_columns(*m_file, name, most_dynamic_components);
          values = rows<T>(name, set, count);
        });
    return m_mesh.dat<T, N>(name, set, count, std::move(values));
  }

 private:
  static constexpr const char* function = "Sporos::Hdf5MeshBlocks";
  /// sets have fewer elements
  static constexpr std::int64_t most = std::int64_t(1) << 40;

  static Impl::Hdf5OnRanks opened(const GlobalMesh& mesh,
                                  const std::string& path) {
    Impl::check_handle(mesh.state() != nullptr, function, "mesh");
    Impl::agree(mesh.state()->comm, function, "", "the file " + path);
    return Impl::Hdf5OnRanks(mesh.state()->comm, function, path);
  }

  template <class Count>
  GlobalSet new_set(const std::string& name, const std::string& same,
                    const Count& count) {
    std::int64_t n = 0;
    on_all(
        same, [] {}, [&] { n = count(); });
    const auto begin = [&](int rank) { return n * rank / comm().size(); };
    return m_mesh.set(name, begin(comm().rank() + 1) - begin(comm().rank()));
  }

  const Communicator& comm() const { return m_mesh.state()->comm; }
  const Impl::RankBlocks& blocks(const GlobalSet& set) const {
    return m_mesh.state()->sets[std::size_t(set.index)].blocks;
  }

  /// Checks, then reads if all ranks want the same and none throws: ranks read
  /// together.
  template <class Checks, class Reads>
  void on_all(const std::string& same, const Checks& checks,
              const Reads& reads) const {
    Impl::agree_on(comm(), function, checks, same);
    Impl::agree_on(comm(), function, [&] {
      const Impl::QuietHdf5 quiet;
      reads();
    });
  }

  template <class T>
  std::vector<T> rows(const std::string& name, const GlobalSet& set,
                      int width) const {
    const Impl::RankBlocks& b = blocks(set);
    const Impl::Hdf5Reader& f = *m_file;
    auto values               = f.rows<T>(name.c_str(), b.size(), width,
                            b.begin(comm().rank()), b.begin(comm().rank() + 1));
    f.throw_late_errors();
    return values;
  }

  std::string m_path;
  GlobalMesh m_mesh;
  Impl::Hdf5OnRanks m_file;
};

/// Hdf5MeshWriter on many ranks: writes sets, maps and values of a GlobalMesh
/// and dats of its DistributedMesh, whose elements stand in the order of their
/// global numbers. So the bytes of the file do not depend on the number of
/// ranks, and are those that Hdf5MeshWriter writes of the whole mesh. Each rank
/// writes its rows itself. All functions are collective, and throw
/// std::invalid_argument on all ranks, with what Hdf5MeshWriter says, if one
/// rank fails, and for what belongs to another mesh.
class Hdf5MeshBlocksWriter {
 public:
  /// Begins a file.
  /// \param mesh has the sets and maps
  /// \param path the same file on all ranks
  Hdf5MeshBlocksWriter(const GlobalMesh& mesh, const std::string& path)
      : m_path(path), m_mesh(mesh) {
    Impl::check_handle(mesh.state() != nullptr, function, "mesh");
    Impl::agree(comm(), function, "", "the file " + path);
    Impl::agree_on(comm(), function, [&] {
      m_file = std::make_unique<Impl::Hdf5Writer>(function, m_path,
                                                  comm().rank() == 0);
    });
  }
  Hdf5MeshBlocksWriter(const Hdf5MeshBlocksWriter&)            = delete;
  Hdf5MeshBlocksWriter& operator=(const Hdf5MeshBlocksWriter&) = delete;

  /// A set.
  void set(const GlobalSet& set) {
    check("set", set.index, [&] { m_mesh.size(set); });
    Impl::agree_on(comm(), function, [&] {
      m_file->number(set_of(set).name, m_mesh.size(set), comm().rank() == 0);
    });
  }

  /// A map. Its entries are integers of 64 bits if the set to which it leads
  /// has 2^31 elements or more.
  template <int Arity>
  void map(const GlobalMap<Arity>& map) {
    const Impl::GlobalMeshState& mesh = *m_mesh.state();
    check("map", map.index, [&] {
      Impl::check(map.mesh == mesh.identity, function, "map",
                  "a map of this mesh", "one of another mesh");
    });
    const Impl::MapBlock& m = mesh.maps[std::size_t(map.index)];
    const auto k            = std::size_t(m.from);
    const auto end          = mesh.sets[std::size_t(m.to)].blocks.size();
    if (end > Impl::end_of_ints)
      rows<std::int64_t>(m.name, mesh.sets[k], Arity, true,
                         {m.rows.begin(), m.rows.end()});
    else
      rows<int>(m.name, mesh.sets[k], Arity, true,
                {m.rows.begin(), m.rows.end()});
  }

  /// Values of a GlobalMesh: int, long, long long, float or double.
  template <class T, int N>
  void dat(const GlobalDat<T, N>& dat) {
    values<T>(dat.name, dat.set, dat.components, dat.values);
  }

  /// A dat of a distributed mesh, in which loops may have changed it. Waits for
  /// the default instance.
  /// \param mesh the DistributedMesh
  /// \param set of which it has values
  template <class Mesh, class T, int N, class L, class M>
  void dat(const Mesh& mesh, const GlobalSet& set, const Dat<T, N, L, M>& dat) {
    values<T>(dat.name(), set, dat.component_count(),
              std::make_shared<const std::vector<T>>(mesh.to_blocks(set, dat)));
  }

  /// Writes the file.
  void complete() {
    check("complete", 0, [] {});
    m_complete = true;
    Impl::agree_on(comm(), function, [&] { m_file->write(); });
    Impl::agree_on(comm(), function, [&] { m_file->finish(); });
  }

 private:
  static constexpr const char* function = "Sporos::Hdf5MeshBlocksWriter";

  const Communicator& comm() const { return m_mesh.state()->comm; }
  const Impl::SetBlock& set_of(const GlobalSet& set) const {
    return m_mesh.state()->sets[std::size_t(set.index)];
  }

  /// Throws on all ranks for different calls, and if `checks` does on one.
  template <class Checks>
  void check(const std::string& what, int index, const Checks& checks) const {
    Impl::agree_on(
        comm(), function,
        [&] {
          Impl::check(!m_complete, function, m_path.c_str(),
                      "calls before complete()", "one after it");
          checks();
        },
        Impl::in_one_text(what, ' ', index));
  }

  template <class T>
  void values(const std::string& name, const GlobalSet& set, int width,
              std::shared_ptr<const std::vector<T>> own) {
    static_assert(
        Impl::is_hdf5_value_v<T>,
        "Sporos::Hdf5MeshBlocksWriter::dat: values must be int, long, "
        "long long, float or double");
    check(Impl::in_one_text("dat ", name, ", ", width, " x ",
                            Impl::hdf5_type_name(T()), " of set"),
          set.index, [&] {
            m_mesh.size(set);
            const auto n =
                std::size_t(set_of(set).blocks.count(comm().rank())) *
                std::size_t(width);
            Impl::check(own != nullptr && own->size() == n, function,
                        name.c_str(), Impl::text(n, " values"),
                        own == nullptr ? 0 : own->size());
          });
    rows(name, set_of(set), width, false, std::move(own));
  }
  template <class T>
  void rows(const std::string& name, const Impl::SetBlock& set, int width,
            bool of_map, std::vector<T> own) {
    rows(name, set, width, of_map,
         std::make_shared<const std::vector<T>>(std::move(own)));
  }
  template <class T>
  void rows(const std::string& name, const Impl::SetBlock& set, int width,
            bool of_map, std::shared_ptr<const std::vector<T>> own) {
    Impl::agree_on(comm(), function, [&] {
      m_file->rows(name, width, of_map, std::move(own),
                   set.blocks.begin(comm().rank()), set.blocks.size());
    });
  }

  std::string m_path;
  GlobalMesh m_mesh;
  std::unique_ptr<Impl::Hdf5Writer> m_file;
  bool m_complete = false;
};

#endif

}  // namespace Sporos

#endif
