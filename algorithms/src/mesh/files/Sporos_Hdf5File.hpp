// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef SPOROS_HDF5FILE_HPP
#define SPOROS_HDF5FILE_HPP

/// \file Sporos_Hdf5File.hpp
/// Arrays in HDF5 files. Programs that include it link Sporos::hdf5.

#include <mesh/files/Sporos_MeshOutput.hpp>

#include <hdf5.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <stdexcept>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

namespace Sporos {
namespace Impl {

/// An identifier of HDF5 that is closed in the end.
class Hdf5Handle {
 public:
  Hdf5Handle() = default;
  Hdf5Handle(hid_t id, herr_t (*close)(hid_t)) : m_id(id), m_close(close) {}
  Hdf5Handle(Hdf5Handle&& other) noexcept { *this = std::move(other); }
  Hdf5Handle& operator=(Hdf5Handle&& other) noexcept {
    std::swap(m_id, other.m_id);
    std::swap(m_close, other.m_close);
    return *this;
  }
  Hdf5Handle(const Hdf5Handle&)            = delete;
  Hdf5Handle& operator=(const Hdf5Handle&) = delete;
  ~Hdf5Handle() {
    if (m_id > 0 && m_close != nullptr) m_close(m_id);
  }

  operator hid_t() const { return m_id; }

 private:
  hid_t m_id               = -1;
  herr_t (*m_close)(hid_t) = nullptr;
};

/// HDF5 does not print its errors meanwhile: exceptions tell them.
class QuietHdf5 {
 public:
  QuietHdf5() {
    H5Eget_auto2(H5E_DEFAULT, &m_print, &m_data);
    H5Eset_auto2(H5E_DEFAULT, nullptr, nullptr);
  }
  QuietHdf5(const QuietHdf5&)            = delete;
  QuietHdf5& operator=(const QuietHdf5&) = delete;
  ~QuietHdf5() { H5Eset_auto2(H5E_DEFAULT, m_print, m_data); }

 private:
  H5E_auto2_t m_print = nullptr;
  void* m_data        = nullptr;
};

inline hid_t hdf5_type(int) { return H5T_NATIVE_INT; }
inline hid_t hdf5_type(float) { return H5T_NATIVE_FLOAT; }
inline hid_t hdf5_type(double) { return H5T_NATIVE_DOUBLE; }
inline hid_t hdf5_type(std::int64_t) { return H5T_NATIVE_INT64; }
inline const char* hdf5_type_name(int) { return "int"; }
inline const char* hdf5_type_name(float) { return "float"; }
inline const char* hdf5_type_name(double) { return "double"; }
inline const char* hdf5_type_name(std::int64_t) { return "long"; }

/// Appends the names of all data sets of a group, those of its groups too.
inline void append_names(hid_t group, const std::string& path,
                         std::vector<std::string>& names) {
  H5G_info_t info;
  if (H5Gget_info(group, &info) < 0) return;
  for (hsize_t k = 0; k < info.nlinks; ++k) {
    std::string name(200, '\0');
    const ssize_t length =
        H5Lget_name_by_idx(group, ".", H5_INDEX_NAME, H5_ITER_INC, k, &name[0],
                           name.size(), H5P_DEFAULT);
    if (length <= 0 || std::size_t(length) >= name.size()) continue;
    name.resize(std::size_t(length));
    const Hdf5Handle set(H5Dopen2(group, name.c_str(), H5P_DEFAULT), H5Dclose);
    const Hdf5Handle inner(H5Gopen2(group, name.c_str(), H5P_DEFAULT),
                           H5Gclose);
    if (set >= 0) names.push_back(path + name);
    if (inner >= 0) append_names(inner, path + name + '/', names);
  }
}

/// A file that is read.
class Hdf5Reader {
 public:
  /// \param access how the file is opened, a property list of HDF5
  /// \param transfer how rows are read
  Hdf5Reader(const char* function, const std::string& path,
             hid_t access = H5P_DEFAULT, hid_t transfer = H5P_DEFAULT)
      : m_function(function), m_path(path), m_transfer(transfer) {
    m_file =
        Hdf5Handle(H5Fopen(path.c_str(), H5F_ACC_RDONLY, access), H5Fclose);
    if (m_file < 0) fail("cannot open it as an HDF5 file");
  }

  /// The one number of a data set.
  std::int64_t number(const char* name) const {
    const std::int64_t one = rows<std::int64_t>(name, 1, 1, 0, 1)[0];
    throw_late_errors();
    return one;
  }

  /// Rows [first, end) of a data set of count x width values. Allocates them
  /// when the data set is known to have them. Ranks that read one file together
  /// find the same errors, but for those that throw_late_errors() throws.
  template <class T>
  std::vector<T> rows(const char* name, std::int64_t count, int width,
                      std::int64_t first, std::int64_t end) const {
    const Hdf5Handle set(H5Dopen2(m_file, name, H5P_DEFAULT), H5Dclose);
    if (set < 0) fail(std::string(name) + ": expected a data set" + others());
    const Hdf5Handle space(H5Dget_space(set), H5Sclose);
    const int rank = check_extents(name, space, count, width);
    if (std::is_integral<T>::value) check_integers(name, set);
    if (count == 0) return {};  // HDF5 fails to read what has no storage
    if constexpr (std::is_same<T, int>::value)
      if (!fits_int(set))
        return narrowed(name,
                        rows<std::int64_t>(name, count, width, first, end));
    const Extents from{hsize_t(first), 0},
        size{hsize_t(end - first), hsize_t(width)};
    const Hdf5Handle memory(H5Screate_simple(rank, size.data(), nullptr),
                            H5Sclose);
    // a rank without rows takes part in collective reading
    const bool selected =
        end > first ? H5Sselect_hyperslab(space, H5S_SELECT_SET, from.data(),
                                          nullptr, size.data(), nullptr) >= 0
                    : H5Sselect_none(space) >= 0 && H5Sselect_none(memory) >= 0;
    std::vector<T> values(std::size_t(end - first) * std::size_t(width));
    if (!selected || H5Dread(set, hdf5_type(T()), memory, space, m_transfer,
                             values.data()) < 0)
      fail_late(std::string(name) + ": cannot read rows " +
                std::to_string(first) + " to " + std::to_string(end));
    return values;
  }

  /// Throws what one rank alone may have found in its rows: it must not leave
  /// the others alone in collective reads.
  void throw_late_errors() const {
    if (!m_late_error.empty()) fail(std::exchange(m_late_error, {}));
  }

  /// The names of all data sets.
  std::vector<std::string> names() const {
    std::vector<std::string> all;
    const Hdf5Handle root(H5Gopen2(m_file, "/", H5P_DEFAULT), H5Gclose);
    append_names(root, "", all);
    return all;
  }

  [[noreturn]] void fail(const std::string& what) const {
    throw std::runtime_error(std::string(m_function) + ": " + m_path + ": " +
                             what);
  }

 private:
  using Extents = std::array<hsize_t, 2>;

  /// \return 1 or 2, the rank of the data set
  int check_extents(const char* name, hid_t space, std::int64_t count,
                    int width) const {
    const int rank = H5Sget_simple_extent_ndims(space);
    Extents actual{0, 1};
    if (rank == 1 || rank == 2)
      H5Sget_simple_extent_dims(space, actual.data(), nullptr);
    if ((rank != 1 && rank != 2) || actual[0] != hsize_t(count) ||
        actual[1] != hsize_t(width))
      fail(std::string(name) + ": expected " + std::to_string(count) + " x " +
           std::to_string(width) + " values, got " + std::to_string(actual[0]) +
           " x " + std::to_string(actual[1]) + " in " + std::to_string(rank) +
           " dimensions");
    return rank;
  }

  /// ", there are p_x, pcell"
  std::string others() const {
    std::string list;
    for (const std::string& name : names())
      list += (list.empty() ? ", there are " : ", ") + name;
    return list.empty() ? ", there is none" : list;
  }

  /// HDF5 would cut off fractions.
  void check_integers(const char* name, hid_t set) const {
    const Hdf5Handle type(H5Dget_type(set), H5Tclose);
    const H5T_class_t actual = H5Tget_class(type);
    if (actual != H5T_INTEGER)
      fail(std::string(name) + ": expected integers, got " +
           (actual == H5T_FLOAT ? "floating-point numbers" : "another type"));
  }

  /// HDF5 would clip larger numbers.
  static bool fits_int(hid_t set) {
    const Hdf5Handle type(H5Dget_type(set), H5Tclose);
    const std::size_t bits = H5Tget_precision(type);
    return bits < 32 || (bits == 32 && H5Tget_sign(type) == H5T_SGN_2);
  }
  std::vector<int> narrowed(const char* name,
                            const std::vector<std::int64_t>& wide) const {
    for (const std::int64_t v : wide)
      if (v != int(v))
        fail_late(std::string(name) + ": expected numbers of 32 bits, got " +
                  std::to_string(v));
    return std::vector<int>(wide.begin(), wide.end());
  }
  void fail_late(const std::string& what) const {
    if (m_late_error.empty()) m_late_error = what;
  }

  const char* m_function;
  const std::string& m_path;
  hid_t m_transfer;
  Hdf5Handle m_file;
  mutable std::string m_late_error;
};

/// A file that is written. It is made in memory: HDF5 does not get over errors
/// of writing, and may end the program later.
class Hdf5Writer {
 public:
  Hdf5Writer(const char* function, const std::string& path)
      : m_function(function), m_path(path), m_output(function, path) {
    const Hdf5Handle access(H5Pcreate(H5P_FILE_ACCESS), H5Pclose);
    constexpr std::size_t step = std::size_t(1) << 20;
    check(H5Pset_fapl_core(access, step, false));
    // HDF5 would first read a file of this name: no file can have it
    const std::string name = path + "/in memory";
    m_file                 = Hdf5Handle(
                        H5Fcreate(name.c_str(), H5F_ACC_TRUNC, H5P_DEFAULT, access), H5Fclose);
    check(hid_t(m_file));
  }

  /// One number.
  void number(const char* name, int value) const {
    write(name, 1, {1, 1}, &value);
  }

  /// Rows, with the attributes that OP2 asks for.
  /// \param size the attribute of this name; -1: the number of rows
  template <class T>
  void rows(const char* name, int width, const std::vector<T>& values,
            int size = -1) const {
    const int count = int(values.size() / std::size_t(width));
    const Hdf5Handle set =
        write(name, 2, {hsize_t(count), hsize_t(width)}, values.data());
    if (size < 0) size = count;
    const hsize_t one = 1;
    const Hdf5Handle single(H5Screate_simple(1, &one, nullptr), H5Sclose);
    attribute(set, "size", H5T_NATIVE_INT, single, &size);
    attribute(set, "dim", H5T_NATIVE_INT, single, &width);
    const Hdf5Handle scalar(H5Screate(H5S_SCALAR), H5Sclose);
    const Hdf5Handle text(H5Tcopy(H5T_C_S1), H5Tclose);
    constexpr std::size_t length = 10;
    check(H5Tset_size(text, length));
    std::array<char, length> type{};
    const std::string word = hdf5_type_name(T());
    std::copy(word.begin(), word.end(), type.begin());
    attribute(set, "type", text, scalar, type.data());
  }

  void complete() {
    check(H5Fflush(m_file, H5F_SCOPE_LOCAL));
    const ssize_t bytes = H5Fget_file_image(m_file, nullptr, 0);
    check(bytes);
    std::vector<char> image(std::size_t(bytes), 0);
    check(H5Fget_file_image(m_file, image.data(), image.size()));
    m_output.write(image.data(), image.size());
    m_output.complete();
  }

 private:
  template <class Status>
  void check(const Status& status) const {
    if (status < 0)
      throw std::runtime_error(std::string(m_function) + ": cannot write " +
                               m_path + ": an error of HDF5");
  }

  template <class T>
  Hdf5Handle write(const char* name, int rank,
                   const std::array<hsize_t, 2>& size, const T* values) const {
    const Hdf5Handle space(H5Screate_simple(rank, size.data(), nullptr),
                           H5Sclose);
    const Hdf5Handle links(H5Pcreate(H5P_LINK_CREATE), H5Pclose);
    check(H5Pset_create_intermediate_group(links, 1));  // of names like a/b
    Hdf5Handle set(H5Dcreate2(m_file, name, hdf5_type(T()), space, links,
                              H5P_DEFAULT, H5P_DEFAULT),
                   H5Dclose);
    check(hid_t(set));
    check(H5Dwrite(set, hdf5_type(T()), H5S_ALL, H5S_ALL, H5P_DEFAULT, values));
    return set;
  }

  void attribute(hid_t set, const char* name, hid_t type, hid_t space,
                 const void* value) const {
    const Hdf5Handle a(
        H5Acreate2(set, name, type, space, H5P_DEFAULT, H5P_DEFAULT), H5Aclose);
    check(hid_t(a));
    check(H5Awrite(a, type, value));
  }

  const char* m_function;
  const std::string& m_path;
  OutputFile m_output;
  Hdf5Handle m_file;
};

/// The number of elements of a set, which is below `end`.
inline std::int64_t hdf5_count(const Hdf5Reader& file, const char* name,
                               std::int64_t end = std::int64_t(1) << 31) {
  const std::int64_t n = file.number(name);
  if (n < 0 || n >= end)
    file.fail(std::string(name) + ": expected a number from 0 to " +
              (end == std::int64_t(1) << 31 ? "2^31" : std::to_string(end)) +
              " - 1, got " + std::to_string(n));
  return n;
}

}  // namespace Impl
}  // namespace Sporos

#endif
