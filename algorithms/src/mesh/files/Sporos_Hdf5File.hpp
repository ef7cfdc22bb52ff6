// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef SPOROS_HDF5FILE_HPP
#define SPOROS_HDF5FILE_HPP

/// \file Sporos_Hdf5File.hpp
/// Reads arrays of HDF5 files. Programs that include it link Sporos::hdf5.

#include <hdf5.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <stdexcept>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

namespace Sporos {
namespace Impl {

/// Elements of sets of one process have smaller numbers.
constexpr std::int64_t end_of_ints = std::int64_t(1) << 31;

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
inline hid_t hdf5_type(long) { return H5T_NATIVE_LONG; }
inline hid_t hdf5_type(long long) { return H5T_NATIVE_LLONG; }
inline const char* hdf5_type_name(int) { return "int"; }
inline const char* hdf5_type_name(float) { return "float"; }
inline const char* hdf5_type_name(double) { return "double"; }
inline const char* hdf5_type_name(long) { return "long"; }
inline const char* hdf5_type_name(long long) { return "long long"; }

/// Numbers of a data set, as far as it matters who can hold them.
struct Hdf5Numbers {
  H5T_class_t kind;
  std::size_t bytes;
  int bits;  ///< of integers, without the sign
  bool is_signed;

  explicit Hdf5Numbers(hid_t type)
      : kind(H5Tget_class(type)),
        bytes(H5Tget_size(type)),
        is_signed(kind != H5T_INTEGER || H5Tget_sign(type) == H5T_SGN_2) {
    bits = int(H5Tget_precision(type)) - (is_signed ? 1 : 0);
  }

  std::string in_words() const {
    if (kind != H5T_INTEGER && kind != H5T_FLOAT) return "another type";
    return std::string(is_signed ? "" : "unsigned ") +
           (kind == H5T_FLOAT ? "floating-point numbers" : "integers") +
           " of " + std::to_string(8 * bytes) + " bits";
  }

  /// Is each of them a T, without rounding or clipping? (int: readers check
  /// the numbers themselves.)
  template <class T>
  bool fit() const {
    constexpr int digits =
        std::numeric_limits<std::conditional_t<std::is_same<T, int>::value,
                                               std::int64_t, T>>::digits;
    if (kind == H5T_INTEGER) return bits <= digits;
    return kind == H5T_FLOAT && !std::is_integral<T>::value &&
           bytes <= sizeof(T);
  }
};

/// Does OP2 call such numbers so? (":soa" tells how its programs keep them;
/// files have the components of an element together.)
inline bool hdf5_name_fits(std::string name, const Hdf5Numbers& numbers) {
  struct Name {
    const char* text;
    H5T_class_t kind;
    std::size_t bytes;
  };
  constexpr Name names[] = {{"int", H5T_INTEGER, 4},
                            {"int(4)", H5T_INTEGER, 4},
                            {"integer", H5T_INTEGER, 4},
                            {"integer(4)", H5T_INTEGER, 4},
                            {"long", H5T_INTEGER, 8},
                            {"long long", H5T_INTEGER, 8},
                            {"float", H5T_FLOAT, 4},
                            {"real", H5T_FLOAT, 4},
                            {"real(4)", H5T_FLOAT, 4},
                            {"double", H5T_FLOAT, 8},
                            {"double precision", H5T_FLOAT, 8},
                            {"real(8)", H5T_FLOAT, 8}};
  const std::size_t soa  = name.find(":soa");
  if (soa != name.npos) name.resize(soa);
  for (const Name& n : names)
    if (name == n.text)
      return n.kind == numbers.kind && n.bytes == numbers.bytes;
  return false;
}

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

  /// Rows and columns of a data set; columns: 1 if it has one dimension.
  std::array<std::int64_t, 2> shape(const std::string& name) const {
    const Hdf5Handle set = opened(name.c_str());
    const Hdf5Handle space(H5Dget_space(set), H5Sclose);
    Extents actual{0, 1};
    const int rank = extents(space, actual);
    if (rank != 1 && rank != 2)
      fail(name + ": expected one or two dimensions, got " +
           std::to_string(rank));
    return {std::int64_t(actual[0]), std::int64_t(actual[1])};
  }

  /// Rows [first, end) of a data set of count x width values. Allocates them
  /// when the data set is known to have them. Ranks that read one file together
  /// find the same errors, but for those that throw_late_errors() throws.
  template <class T>
  std::vector<T> rows(const char* name, std::int64_t count, int width,
                      std::int64_t first, std::int64_t end) const {
    const Hdf5Handle set = opened(name);
    const Hdf5Handle space(H5Dget_space(set), H5Sclose);
    const int rank = check_extents(name, space, count, width);
    const Hdf5Handle type(H5Dget_type(set), H5Tclose);
    const Hdf5Numbers numbers(type);
    if (!numbers.fit<T>())
      fail(std::string(name) + ": expected " +
           (std::is_integral<T>::value && numbers.kind != H5T_INTEGER
                ? "integers"
                : std::string("numbers that ") + hdf5_type_name(T()) +
                      " holds") +
           ", got " + numbers.in_words());
    check_attributes(name, set, numbers, count, width);
    if (count == 0) return {};  // HDF5 fails to read what has no storage
    if constexpr (std::is_same<T, int>::value)
      if (numbers.bits > std::numeric_limits<int>::digits)
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

  Hdf5Handle opened(const char* name) const {
    Hdf5Handle set(H5Dopen2(m_file, name, H5P_DEFAULT), H5Dclose);
    if (set < 0) fail(std::string(name) + ": expected a data set" + others());
    return set;
  }

  /// \return the rank; extents: only if it is 1 or 2
  static int extents(hid_t space, Extents& extents) {
    const int rank = H5Sget_simple_extent_ndims(space);
    if (rank == 1 || rank == 2)
      H5Sget_simple_extent_dims(space, extents.data(), nullptr);
    return rank;
  }

  /// \return 1 or 2, the rank of the data set
  int check_extents(const char* name, hid_t space, std::int64_t count,
                    int width) const {
    Extents actual{0, 1};
    const int rank = extents(space, actual);
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

  /// What OP2 wrote beside the values must be true of them. Other programs may
  /// leave it out.
  void check_attributes(const std::string& name, hid_t set,
                        const Hdf5Numbers& numbers, std::int64_t count,
                        int width) const {
    const auto wrong = [&](const char* attribute, const auto&... says) {
      std::string text = name + ", attribute " + attribute + ": expected ";
      ((text += says), ...);
      fail(text);
    };
    const auto number = [&](const char* attribute, std::int64_t expected,
                            std::int64_t or_else) {
      if (H5Aexists(set, attribute) <= 0) return;
      const Hdf5Handle a(H5Aopen(set, attribute, H5P_DEFAULT), H5Aclose);
      const Hdf5Handle space(H5Aget_space(a), H5Sclose);
      const Hdf5Handle type(H5Aget_type(a), H5Tclose);
      std::int64_t actual = 0;
      if (H5Tget_class(type) != H5T_INTEGER ||
          H5Sget_simple_extent_npoints(space) != 1 ||
          H5Aread(a, H5T_NATIVE_INT64, &actual) < 0)
        wrong(attribute, "one integer");
      if (actual != expected && actual != or_else)
        wrong(attribute, std::to_string(expected),
              or_else == expected ? "" : " or " + std::to_string(or_else),
              ", got ", std::to_string(actual));
    };
    number("dim", width, width);
    // rows of maps, bytes of an element of dats
    number("size", count, std::int64_t(numbers.bytes) * width);
    if (H5Aexists(set, "type") <= 0) return;
    const std::string word = text_of(set, "type");
    if (!hdf5_name_fits(word, numbers))
      wrong("type", "the name of ", numbers.in_words(), ", got '", word, '\'');
  }

  /// An attribute that is a text, of fixed or of any length; else "".
  static std::string text_of(hid_t set, const char* attribute) {
    const Hdf5Handle a(H5Aopen(set, attribute, H5P_DEFAULT), H5Aclose);
    const Hdf5Handle space(H5Aget_space(a), H5Sclose);
    const Hdf5Handle type(H5Aget_type(a), H5Tclose);
    if (H5Tget_class(type) != H5T_STRING ||
        H5Sget_simple_extent_npoints(space) != 1)
      return {};
    if (H5Tis_variable_str(type) > 0) {
      char* text = nullptr;
      if (H5Aread(a, type, &text) < 0 || text == nullptr) return {};
      const std::string copy = text;
      H5free_memory(text);
      return copy;
    }
    std::string text(H5Tget_size(type), '\0');
    if (H5Aread(a, type, &text[0]) < 0) return {};
    text.resize(std::min(text.size(), text.find('\0')));
    text.resize(text.find_last_not_of(' ') + 1);
    return text;
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

/// The number of elements of a set, which is below `end`.
inline std::int64_t hdf5_count(const Hdf5Reader& file, const char* name,
                               std::int64_t end = end_of_ints) {
  const std::int64_t n = file.number(name);
  if (n < 0 || n >= end)
    file.fail(std::string(name) + ": expected a number from 0 to " +
              (end == end_of_ints ? "2^31" : std::to_string(end)) +
              " - 1, got " + std::to_string(n));
  return n;
}

/// The number of columns of a data set, from 1 to `most`.
inline int hdf5_columns(const Hdf5Reader& file, const std::string& name,
                        int most) {
  const std::int64_t n = file.shape(name)[1];
  if (n < 1 || n > most)
    file.fail(name + ": expected 1 to " + std::to_string(most) +
              " columns, got " + std::to_string(n));
  return int(n);
}

/// The number of rows of a data set, which is below `end`.
inline std::int64_t hdf5_rows(const Hdf5Reader& file, const std::string& name,
                              std::int64_t end = end_of_ints) {
  const std::int64_t n = file.shape(name)[0];
  if (n >= end)
    file.fail(name + ": expected fewer than " + std::to_string(end) +
              " rows, got " + std::to_string(n));
  return n;
}

}  // namespace Impl
}  // namespace Sporos

#endif
