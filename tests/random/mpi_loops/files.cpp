// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Random sets, maps and dats that ranks write to an HDF5 file: one process
// writes the same bytes, and all of it is read back equal, whole and in blocks.
#include "Sporos_Loops.hpp"
#include "Sporos_MeshSide.hpp"

#include <Sporos_DistributedMeshFile.hpp>

#ifdef SPOROS_HAVE_HDF5

#include <mpi.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <functional>
#include <limits>
#include <sstream>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

namespace Sporos {
namespace Test {
namespace {

/// A name that all ranks share, of files that rank 0 removes.
class SharedPath {
 public:
  explicit SharedPath(const Communicator& comm) : m_comm(comm) {
    long number = long(::getpid());
    MPI_Bcast(&number, 1, MPI_LONG, 0, comm.mpi());
    m_path = (std::filesystem::temp_directory_path() /
              ("sporos_random_" + std::to_string(number) + ".h5"))
                 .string();
  }
  SharedPath(const SharedPath&)            = delete;
  SharedPath& operator=(const SharedPath&) = delete;
  ~SharedPath() {
    MPI_Barrier(m_comm.mpi());
    if (m_comm.rank() != 0) return;
    std::filesystem::remove(of_ranks());
    std::filesystem::remove(of_one());
  }
  std::string of_ranks() const { return m_path; }
  std::string of_one() const { return m_path + ".one"; }

 private:
  const Communicator& m_comm;
  std::string m_path;
};

std::string contents(const std::string& path) {
  std::ostringstream text;
  text << std::ifstream(path, std::ios::binary).rdbuf();
  return text.str();
}

/// A set, map or dat of the file: what writes it, and what reads it and tells
/// whether it is the same.
struct FileItem {
  std::string name;
  std::function<void(Hdf5MeshBlocksWriter&)> write;
  std::function<void(Hdf5MeshWriter&)> write_whole;
  std::function<bool(const Hdf5MeshReader&)> read;
  std::function<bool(Hdf5MeshBlocks&)> read_blocks;
};

class RandomFile {
 public:
  RandomFile(RandomCase& random, const Communicator& comm)
      : m_random(random),
        m_comm(comm),
        m_mesh(random_mesh(random, comm.size())),
        m_global(comm),
        m_read(comm) {
    for (std::size_t s = 0; s < m_mesh.sizes.size(); ++s) add_set(int(s));
    for (std::size_t m = 0; m < m_mesh.maps.size(); ++m)
      add_map(int(m), std::integer_sequence<int, 1, 2, 3, 4, 5, 6, 7, 8>());
    deal();
    for (int k = random.integer(0, 6); k > 0; --k) add_dat();
    std::shuffle(m_items.begin(), m_items.end(), random.engine());
  }

  /// What is wrong.
  std::string run() {
    const SharedPath path(m_comm);
    {
      Hdf5MeshBlocksWriter file(m_global, path.of_ranks());
      for (const FileItem& item : m_items) item.write(file);
      file.complete();
    }
    std::string wrong;
    MPI_Barrier(m_comm.mpi());
    if (m_comm.rank() == 0) {
      Hdf5MeshWriter file(path.of_one());
      for (const FileItem& item : m_items) item.write_whole(file);
      file.complete();
      if (contents(path.of_one()) != contents(path.of_ranks()))
        wrong = "the bytes of a file that ranks wrote";
    }
    const Hdf5MeshReader whole(path.of_ranks());
    for (const FileItem& item : m_items)
      if (!item.read(whole) && wrong.empty())
        wrong = item.name + ", read by one process";
    Hdf5MeshBlocks blocks(m_read, path.of_ranks());
    read_sets(blocks);
    for (const FileItem& item : m_items)
      if (!item.read_blocks(blocks) && wrong.empty())
        wrong = item.name + ", read in blocks";
    return wrong.empty() ? wrong : wrong + " of " + m_mesh.describe();
  }

 private:
  int size(int s) const { return m_mesh.sizes[std::size_t(s)]; }
  const GlobalSet& global(int s) const { return m_sets[std::size_t(s)]; }

  template <class T>
  static std::vector<T> rows(const std::vector<T>& all, int width, int begin,
                             int end) {
    return {all.begin() + std::ptrdiff_t(begin) * width,
            all.begin() + std::ptrdiff_t(end) * width};
  }
  /// The rows of this rank where a mesh is written.
  template <class T>
  std::vector<T> written_rows(int s, int width,
                              const std::vector<T>& all) const {
    const auto& first = m_mesh.deal.first[std::size_t(s)];
    const auto r      = std::size_t(m_comm.rank());
    return rows(all, width, first[r], first[r + 1]);
  }
  /// The rows of this rank where it is read.
  template <class T>
  std::vector<T> read_rows(int s, int width, const std::vector<T>& all) const {
    const auto at = [&](int rank) {
      return int(std::int64_t(size(s)) * rank / m_comm.size());
    };
    return rows(all, width, at(m_comm.rank()), at(m_comm.rank() + 1));
  }

  /// Some files lack sets, which programs then know.
  void add_set(int s) {
    const std::string name = (m_random.chance(20) ? "group/" : "") +
                             std::string("set ") + std::to_string(s);
    const auto& first = m_mesh.deal.first[std::size_t(s)];
    const auto r      = std::size_t(m_comm.rank());
    m_sets.push_back(m_global.set(name, first[r + 1] - first[r]));
    m_whole.emplace_back(name, size(s));
    m_in_file.push_back(m_random.chance(80));
    if (!m_in_file.back()) return;
    m_items.push_back(
        {name, [this, s](auto& file) { file.set(global(s)); },
         [this, s](auto& file) { file.set(whole(s)); },
         [this, s, name](const auto& file) {
           return file.set(name).size() == size(s);
         },
         [this, s](auto&) { return m_read.size(read_set(s)) == size(s); }});
  }

  template <int... A>
  void add_map(int m, std::integer_sequence<int, A...>) {
    ((A == m_mesh.maps[std::size_t(m)].arity ? add_map_of<A>(m) : void()), ...);
  }
  template <int A>
  void add_map_of(int m) {
    const RandomMap& map = m_mesh.maps[std::size_t(m)];
    const bool gaps      = m_random.chance(30);
    const auto missing =
        gaps ? MissingEntries::allowed : MissingEntries::refused;
    std::vector<int> all = map.rows;
    for (int& entry : all)
      if (gaps && m_random.chance(20)) entry = -1;
    const std::string name = "map " + std::to_string(m);
    const int from = map.from, to = map.to;
    const auto written = m_global.map<A>(name, global(from), global(to),
                                         written_rows(from, A, all), missing);
    m_items.push_back({name, [written](auto& file) { file.map(written); },
                       [this, name, from, to, all, missing](auto& file) {
                         file.map(Map<A, SideMemory>(name, whole(from),
                                                     whole(to), all, missing));
                       },
                       [this, name, from, to, all, missing](const auto& file) {
                         return file.template map<A, SideMemory>(
                                        name, whole(from), whole(to), missing)
                                    .to_host() == all;
                       },
                       [this, name, from, to, all, missing](auto& file) {
                         const auto read = file.template map<A>(
                             name, read_set(from), read_set(to), missing);
                         const auto& of =
                             m_read.state()->maps[std::size_t(read.index)].rows;
                         return std::vector<int>(of.begin(), of.end()) ==
                                read_rows(from, A, all);
                       }});
  }

  void deal() {
    const RandomDeal& d = m_mesh.deal;
    m_local             = distribute(
                    SideExec{}, m_global,
                    MeshPartition::given(global(d.set), written_rows(d.set, 1, d.owner)),
                    d.options);
  }

  void add_dat() {
    switch (m_random.integer(0, 4)) {
      case 0: return add_dat_of<int>();
      case 1: return add_dat_of<long>();
      case 2: return add_dat_of<long long>();
      case 3: return add_dat_of<float>();
      default: return add_dat_of<double>();
    }
  }
  template <class T>
  void add_dat_of() {
    switch (m_random.integer(0, 2)) {
      case 0: return add_dat_as<T, 1, Kokkos::LayoutRight>(1);
      case 1: return add_dat_as<T, 3, Kokkos::LayoutLeft>(3);
      default:
        return add_dat_as<T, dynamic_components, Kokkos::LayoutRight>(
            m_random.integer(1, 5));
    }
  }
  template <class T>
  T number() {
    if constexpr (std::is_integral_v<T>)
      return m_random.integer(std::numeric_limits<T>::min(),
                              std::numeric_limits<T>::max());
    else
      return T(m_random.real(-1e9, 1e9));
  }
  template <class T, int N, class Layout>
  void add_dat_as(int count) {
    using Values = Dat<T, N, Layout, SideMemory>;
    using Transposed =
        std::conditional_t<std::is_same_v<Layout, Kokkos::LayoutRight>,
                           Kokkos::LayoutLeft, Kokkos::LayoutRight>;
    const int s            = m_random.integer(0, int(m_mesh.sizes.size()) - 1);
    const std::string name = "dat " + std::to_string(m_items.size());
    std::vector<T> all(std::size_t(size(s)) * std::size_t(count));
    for (T& v : all) v = number<T>();
    const auto blocks =
        m_global.dat<T, N>(name, global(s), count, written_rows(s, count, all));
    const bool dealt = m_random.chance(50);
    m_items.push_back(
        {name,
         [this, s, blocks, dealt](auto& file) {
           if (dealt)
             file.dat(m_local, global(s), m_local.dat<Layout>(blocks));
           else
             file.dat(blocks);
         },
         [this, s, name, count, all](auto& file) {
           file.dat(Values(name, whole(s), count, all));
         },
         [this, s, name, all](const auto& file) {
           return file.template dat<T, N, Transposed, SideMemory>(name,
                                                                  whole(s))
                      .to_host() == all;
         },
         [this, s, name, count, all](auto& file) {
           return *file.template dat<T, N>(name, read_set(s)).values ==
                  read_rows(s, count, all);
         }});
  }

  const Set& whole(int s) const { return m_whole[std::size_t(s)]; }
  const GlobalSet& read_set(int s) const { return m_read_sets[std::size_t(s)]; }
  void read_sets(Hdf5MeshBlocks& file) {
    for (int s = 0; s < int(m_whole.size()); ++s) {
      const std::vector<char> each(std::size_t(size(s)));
      const auto mine        = std::int64_t(read_rows(s, 1, each).size());
      const std::string name = whole(s).name();
      m_read_sets.push_back(m_in_file[std::size_t(s)] ? file.set(name)
                                                      : m_read.set(name, mine));
    }
  }

  RandomCase& m_random;
  const Communicator& m_comm;
  RandomMesh m_mesh;
  GlobalMesh m_global, m_read;
  std::vector<GlobalSet> m_sets, m_read_sets;
  std::vector<Set> m_whole;
  std::vector<bool> m_in_file;
  DistributedMesh<SideExec> m_local;
  std::vector<FileItem> m_items;
};

}  // namespace

std::string random_files(RandomCase& random, const Communicator& comm) {
  return RandomFile(random, comm).run();
}

}  // namespace Test
}  // namespace Sporos

#else

namespace Sporos {
namespace Test {
std::string random_files(RandomCase&, const Communicator&) { return {}; }
}  // namespace Test
}  // namespace Sporos

#endif
