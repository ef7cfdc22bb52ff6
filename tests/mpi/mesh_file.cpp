// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Blocks of mesh files against the whole file.
#include "Sporos_FileLimit.hpp"
#include "Sporos_Refused.hpp"

#include <Sporos_DistributedMeshFile.hpp>
#include <Sporos_MeshFile.hpp>
#ifdef SPOROS_HAVE_HDF5
#include <Sporos_MeshFileHdf5.hpp>
#endif
#include <Sporos_Test.hpp>

#include <cstdint>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <functional>
#include <iterator>
#include <numeric>
#include <sstream>
#include <string>
#include <vector>

namespace MeshFileOnRanks {

using namespace Sporos;
using namespace Sporos::Test;

namespace {

/// A file that rank 0 writes and removes.
class SharedFile {
 public:
  SharedFile(const Communicator& comm, const std::string& contents,
             const std::string& end = "")
      : m_comm(comm), m_path(folder() + "/sporos_mpi_mesh_file") {
    std::uint64_t number = 0;  // the same on all ranks, other than that of
                               // other programs
    if (comm.rank() == 0) number = std::uint64_t(std::size_t(this));
    MPI_Bcast(&number, 1, MPI_UINT64_T, 0, comm.mpi());
    m_path += std::to_string(number) + '_' + std::to_string(comm.size());
    m_path += end;
    if (comm.rank() == 0) std::ofstream(m_path, std::ios::binary) << contents;
    MPI_Barrier(comm.mpi());
  }
  SharedFile(const SharedFile&)            = delete;
  SharedFile& operator=(const SharedFile&) = delete;
  ~SharedFile() {
    MPI_Barrier(m_comm.mpi());
    if (m_comm.rank() == 0) std::filesystem::remove(m_path);
  }

  const std::string& path() const { return m_path; }

 private:
  static std::string folder() {
    return std::filesystem::temp_directory_path().string();
  }

  Communicator m_comm;
  std::string m_path;
};

/// The values of all ranks, one after another.
template <class T>
std::vector<T> joined(const Communicator& comm, const std::vector<T>& mine) {
  const int bytes = int(mine.size() * sizeof(T));
  std::vector<int> counts(std::size_t(comm.size())), first(counts.size() + 1);
  MPI_Allgather(&bytes, 1, MPI_INT, counts.data(), 1, MPI_INT, comm.mpi());
  for (std::size_t r = 0; r < counts.size(); ++r)
    first[r + 1] = first[r] + counts[r];
  std::vector<T> all(std::size_t(first.back()) / sizeof(T));
  MPI_Allgatherv(mine.data(), bytes, MPI_BYTE, all.data(), counts.data(),
                 first.data(), MPI_BYTE, comm.mpi());
  return all;
}

void check_blocks(const Communicator& comm, const std::string& path,
                  const QuadMesh& whole) {
  const QuadMesh mine = read_mesh_block(comm, path);
  CHECK(joined(comm, mine.coordinates) == whole.coordinates);
  CHECK(joined(comm, mine.cell_nodes) == whole.cell_nodes);
  CHECK(joined(comm, mine.edge_nodes) == whole.edge_nodes);
  CHECK(joined(comm, mine.edge_cells) == whole.edge_cells);
  CHECK(joined(comm, mine.boundary_nodes) == whole.boundary_nodes);
  CHECK(joined(comm, mine.boundary_cells) == whole.boundary_cells);
  CHECK(joined(comm, mine.boundary_flags) == whole.boundary_flags);
}

/// What stands in the file of a mesh.
std::string contents(const QuadMesh& mesh) {
  const std::string path =
      (std::filesystem::temp_directory_path() /
       ("sporos_mpi_mesh_file_" + std::to_string(std::size_t(&mesh))))
          .string();
  int rank = 0;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  const std::string mine = path + '_' + std::to_string(rank);
  write_mesh(mine, mesh);
  std::ostringstream text;
  text << std::ifstream(mine, std::ios::binary).rdbuf();
  std::filesystem::remove(mine);
  return text.str();
}

}  // namespace

TEST_CASE("blocks of mesh files are the whole file, cut at lines") {
  const Communicator comm(MPI_COMM_WORLD);
  for (const int n : {1, 2, 9}) {
    const SharedFile file(comm, contents(quad_mesh(n, n + 2)));
    check_blocks(comm, file.path(), read_mesh(file.path()));
  }
  // fewer lines than ranks, blank lines, and a long last line without an end
  const std::string few =
      "\n \r\n1 1 0 0\n\n0.5 0.25\n\n 0 0  0 0" + std::string(5000, ' ');
  for (const auto& text :
       {few, few + "\n\n", "\n\n0 0 0 0" + few.substr(0, 2)}) {
    const SharedFile file(comm, text);
    check_blocks(comm, file.path(), read_mesh(file.path()));
  }
}

TEST_CASE("what is wrong with a mesh file is said on all ranks") {
  const Communicator comm(MPI_COMM_WORLD);
  const std::string good = contents(quad_mesh(3, 2));
  const auto refused = [&](const std::string& text, const std::string& says) {
    const SharedFile file(comm, text);
    check_refused_on_ranks("Sporos::read_mesh: " + file.path() + says,
                           [&] { read_mesh_block(comm, file.path()); });
    CHECK_THROWS_AS(read_mesh(file.path()), std::runtime_error);
  };
  refused("", ":1: the file is empty");
  refused("2 0 0 0\n0 0", ":2: the file ends before node 1 of 2");
  refused("12 6 x 10\n", ":1: header, count 2: expected an integer");
  refused(good + "7\n", ":37: expected the end of the file, got '7'");
  refused(good.substr(0, good.size() - 2),
          ":36: boundary edge 9, flag: expected an integer");
  const std::size_t last = good.rfind('\n', good.size() - 2) + 1;
  refused(good.substr(0, last),
          ":36: the file ends before boundary edge 9 of 10");
  std::string wrong          = good;
  wrong[good.find('\n') + 1] = 'x';
  refused(wrong, ":2: node 0, coordinate 0: expected a finite number");
  check_refused_on_ranks("Sporos::read_mesh_block: cannot open /no/such/file",
                         [&] { read_mesh_block(comm, "/no/such/file"); });
  check_refused_on_ranks("Sporos::read_mesh_block: comm: expected",
                         [&] { read_mesh_block(Communicator(), "x"); });
}

#ifdef SPOROS_HAVE_HDF5

namespace {

using Sporos::Impl::Hdf5Handle;

Hdf5Handle opened(const std::string& path) {
  return {H5Fopen(path.c_str(), H5F_ACC_RDWR, H5P_DEFAULT), H5Fclose};
}

/// Gives a data set other rows.
template <class T = int>
void overwrite(const std::string& path, const char* name, hsize_t width,
               const std::vector<T>& values) {
  const hid_t type      = Sporos::Impl::hdf5_type(T());
  const Hdf5Handle file = opened(path);
  H5Ldelete(file, name, H5P_DEFAULT);
  const hsize_t size[] = {values.size() / width, width};
  const Hdf5Handle space(H5Screate_simple(2, size, nullptr), H5Sclose);
  const Hdf5Handle set(H5Dcreate2(file, name, type, space, H5P_DEFAULT,
                                  H5P_DEFAULT, H5P_DEFAULT),
                       H5Dclose);
  H5Dwrite(set, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, values.data());
}

/// Gives p_x chunks of a row with sums of their bytes, and the last chunk
/// another byte.
void damage(const std::string& path) {
  std::vector<double> x(24);
  std::iota(x.begin(), x.end(), .5);
  {
    const Hdf5Handle file = opened(path);
    H5Ldelete(file, "p_x", H5P_DEFAULT);
    const hsize_t size[] = {12, 2}, chunk[] = {1, 2};
    const Hdf5Handle space(H5Screate_simple(2, size, nullptr), H5Sclose);
    const Hdf5Handle how(H5Pcreate(H5P_DATASET_CREATE), H5Pclose);
    H5Pset_chunk(how, 2, chunk);
    H5Pset_fletcher32(how);
    const Hdf5Handle set(H5Dcreate2(file, "p_x", H5T_NATIVE_DOUBLE, space,
                                    H5P_DEFAULT, how, H5P_DEFAULT),
                         H5Dclose);
    H5Dwrite(set, H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, H5P_DEFAULT, x.data());
  }
  std::string last(sizeof(double), ' ');
  std::memcpy(&last[0], &x.back(), last.size());
  std::ifstream in(path, std::ios::binary);
  std::string bytes(std::istreambuf_iterator<char>(in), {});
  const std::size_t at = bytes.find(last);
  REQUIRE(at != bytes.npos);
  bytes[at] = char(bytes[at] ^ 1);
  std::ofstream(path, std::ios::binary) << bytes;
}

}  // namespace

TEST_CASE("blocks of HDF5 meshes are the whole file, cut at rows") {
  const Communicator comm(MPI_COMM_WORLD);
  QuadMesh one_cell           = quad_mesh(1, 1);  // and nothing else
  one_cell.boundary_nodes     = one_cell.boundary_cells =
      one_cell.boundary_flags = {};
  for (const QuadMesh& mesh :
       {quad_mesh(1, 3), quad_mesh(2, 4), quad_mesh(9, 11), one_cell}) {
    const SharedFile file(comm, "", ".h5");
    if (comm.rank() == 0) {
      write_mesh_hdf5(file.path(), mesh);
      CHECK(read_mesh_hdf5(file.path()).coordinates == mesh.coordinates);
      CHECK_FALSE(std::filesystem::exists(file.path() + ".part"));
    }
    MPI_Barrier(comm.mpi());
    check_blocks(comm, file.path(), mesh);
  }
}

TEST_CASE("what is wrong with an HDF5 mesh is said on all ranks") {
  const Communicator comm(MPI_COMM_WORLD);
  const QuadMesh mesh = quad_mesh(3, 2);
  const auto refused  = [&](const std::string& says, const auto& spoil) {
    const SharedFile file(comm, "", ".h5");
    if (comm.rank() == 0) {
      write_mesh_hdf5(file.path(), mesh);
      spoil(file.path());
    }
    MPI_Barrier(comm.mpi());
    check_refused_on_ranks(
         "Sporos::read_mesh_block: " + file.path() + ": " + says,
         [&] { read_mesh_block(comm, file.path()); });
  };
  refused("cannot open it as an HDF5 file",
          [](const auto& path) { std::ofstream(path) << "12 6 7 10"; });
  refused("pcell: expected 6 x 4 values, got 7 x 4 in 2 dimensions",
          [](const auto& path) {
            overwrite(path, "pcell", 4, std::vector<int>(28));
          });
  refused("pecell: expected numbers in [0, 6), got 6", [&](const auto& path) {
    auto cells = mesh.edge_cells;
    cells[3]   = 6;
    overwrite(path, "pecell", 2, cells);
  });
  refused("bedges: expected a number from 0 to 2^31 - 1, got -3",
          [](const auto& path) { overwrite(path, "bedges", 1, {-3}); });
  // no memory for what is not there
  refused("p_x: expected 2147483647 x 2 values, got 12 x 2 in 2 dimensions",
          [](const auto& path) { overwrite(path, "nodes", 1, {2147483647}); });
  refused(
      "nodes: expected integers, got floating-point numbers",
      [](const auto& path) { overwrite<double>(path, "nodes", 1, {12.7}); });
  refused("pcell: expected integers, got floating-point numbers",
          [](const auto& path) {
            overwrite(path, "pcell", 4, std::vector<double>(24, 1.9));
          });
  // in the rows of one rank alone
  refused("p_bound: expected numbers of 32 bits, got 1099511627776",
          [](const auto& path) {
            overwrite(path, "p_bound", 1,
                      std::vector<std::int64_t>{1, 1, 1, 2, 2, 3, 3, 3, 4,
                                                std::int64_t(1) << 40});
          });
  refused("p_x: cannot read rows ", [](const auto& path) { damage(path); });
  refused("p_x: expected a data set", [](const auto& path) {
    H5Ldelete(opened(path), "p_x", H5P_DEFAULT);
  });
}

TEST_CASE("numbers of other widths in an HDF5 mesh") {
  const Communicator comm(MPI_COMM_WORLD);
  const QuadMesh mesh = quad_mesh(3, 2);
  const SharedFile file(comm, "", ".h5");
  if (comm.rank() == 0) {
    write_mesh_hdf5(file.path(), mesh);
    const auto& cells = mesh.cell_nodes;
    overwrite(file.path(), "pcell", 4,
              std::vector<std::int64_t>(cells.begin(), cells.end()));
  }
  MPI_Barrier(comm.mpi());
  check_blocks(comm, file.path(), mesh);
}

#ifdef __linux__
namespace {

/// Bytes that this process has read so far.
long long bytes_read() {
  std::ifstream io("/proc/self/io");
  std::string word;
  long long bytes = -1;
  io >> word >> bytes;
  return bytes;
}

}  // namespace

TEST_CASE("writing an HDF5 mesh does not read the old file of its name") {
  const Communicator comm(MPI_COMM_SELF);
  const SharedFile file(comm, "", ".h5");
  const std::uintmax_t large = std::uintmax_t(1) << 26;
  std::filesystem::resize_file(file.path(), large);
  const QuadMesh mesh    = quad_mesh(3, 4);
  const long long before = bytes_read();
  if (before < 0) return;
  write_mesh_hdf5(file.path(), mesh);
  CHECK(bytes_read() - before < (long long)(large / 2));
  CHECK(read_mesh_hdf5(file.path()).cell_nodes == mesh.cell_nodes);
}
#endif

TEST_CASE("an HDF5 mesh stays as it is until the new one is complete") {
  const Communicator comm(MPI_COMM_WORLD);
  const SharedFile file(comm, "as before", ".h5");
  if (comm.rank() != 0) return;
  const std::string &path = file.path(), part = path + ".part";
  const std::string write = "Sporos::write_mesh_hdf5: ";
  QuadMesh wrong          = quad_mesh(3, 2);
  wrong.boundary_flags.pop_back();
  CHECK_THROWS_WITH(write_mesh_hdf5(path, wrong),
                    write + "boundary_flags: expected 10 values, got 9");
  wrong               = quad_mesh(3, 2);
  wrong.cell_nodes[5] = 12;
  CHECK_THROWS_WITH(write_mesh_hdf5(path, wrong),
                    write +
                        "cell_nodes: expected numbers in [0, 12), got 12 "
                        "at 5");
  const QuadMesh mesh = quad_mesh(60, 60);
  for (const rlim_t bytes : {1, 4096, 100000}) {
    const FileLimit limit(bytes);
    CHECK_THROWS_WITH(write_mesh_hdf5(path, mesh),
                      write + "cannot write " + path + ": File too large");
    CHECK_FALSE(std::filesystem::exists(part));
  }
  std::ostringstream text;
  text << std::ifstream(path, std::ios::binary).rdbuf();
  CHECK(text.str() == "as before");
  write_mesh_hdf5(path, mesh);
  CHECK(read_mesh_hdf5(path).cell_nodes == mesh.cell_nodes);
  CHECK_THROWS_WITH(write_mesh_hdf5("/nowhere/mesh.h5", mesh),
                    write +
                        "cannot create /nowhere/mesh.h5: No such file or "
                        "directory");
  CHECK_THROWS_WITH(write_mesh_hdf5("/", mesh),
                    write + "cannot create /: Is a directory");
}

#else

TEST_CASE("a program without HDF5 refuses HDF5 meshes on all ranks") {
  const Communicator comm(MPI_COMM_WORLD);
  check_refused_on_ranks(
      "Sporos::read_mesh_block: path: expected a text file, as this program "
      "does not link Sporos::hdf5, got mesh.h5",
      [&] { read_mesh_block(comm, "mesh.h5"); });
}

#endif

}  // namespace MeshFileOnRanks
