// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef SPOROS_HDF5OUTPUT_HPP
#define SPOROS_HDF5OUTPUT_HPP

/// \file Sporos_Hdf5Output.hpp
/// Writes arrays to HDF5 files, of which each of several processes may have
/// some rows. Programs that include it link Sporos::hdf5.

#include <mesh/files/Sporos_Hdf5File.hpp>
#include <mesh/files/Sporos_MeshOutput.hpp>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <limits>
#include <memory>
#include <new>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

namespace Sporos {
namespace Impl {

/// A data set that is to be written.
struct Hdf5DataSet {
  std::string name;
  int rank;  ///< 1 or 2
  std::int64_t count;
  int width;
  hid_t type;         ///< native
  const char* word;   ///< OP2's name of the type; nullptr: no attributes
  std::int64_t size;  ///< the attribute of this name

  std::size_t row_bytes() const {
    return H5Tget_size(type) * std::size_t(width);
  }
};

/// What a file has between the values of its data sets, and where these are.
struct Hdf5Image {
  std::vector<char> bytes;           ///< may end before the file
  std::vector<std::int64_t> places;  ///< where each data set begins
  std::int64_t size = 0;             ///< of the whole file

  /// The bytes begin, ..., end - 1 of the file.
  std::vector<char> part(std::int64_t begin, std::int64_t end) const {
    std::vector<char> copy(std::size_t(end - begin), '\0');
    const std::int64_t known = std::min(end, std::int64_t(bytes.size()));
    if (begin < known)
      std::memcpy(copy.data(), bytes.data() + begin,
                  std::size_t(known - begin));
    return copy;
  }
};

/// HDF5 lays out a file in memory, without values: it does not get over errors
/// of writing files, and may end the program later. The memory is small: what
/// is not values comes first in the file.
class Hdf5Layout {
 public:
  Hdf5Layout(const char* function, const std::string& path)
      : m_function(function),
        m_path(path),
        m_trial(begun("/trial", m_memory, no_block)) {}
  Hdf5Layout(const Hdf5Layout&)            = delete;  // HDF5 knows m_memory
  Hdf5Layout& operator=(const Hdf5Layout&) = delete;

  /// Throws for a name that cannot be given (again).
  void add(const Hdf5DataSet& set) {
    const QuietHdf5 quiet;
    create(m_trial, set, false);
    m_sets.push_back(set);
  }
  const std::vector<Hdf5DataSet>& sets() const { return m_sets; }

  /// Data sets alone decide about the bytes.
  Hdf5Image image() const {
    const QuietHdf5 quiet;
    hsize_t needed = 0;
    check(H5Fget_filesize(m_trial, &needed));
    Hdf5Image image;
    Memory memory;
    {
      const Hdf5Handle file = begun("/layout", memory, needed);
      for (const Hdf5DataSet& set : m_sets) {
        const Hdf5Handle made = create(file, set, true);
        image.places.push_back(
            std::int64_t(set.count == 0 ? 0 : H5Dget_offset(made)));
      }
      hsize_t size = 0;
      check(H5Fget_filesize(file, &size));
      image.size = std::int64_t(size);
    }
    image.bytes = std::move(memory.bytes);
    return image;
  }

 private:
  static constexpr hsize_t no_block = 2048;  ///< HDF5's default

  /// The bytes that HDF5 has written.
  struct Memory {
    std::vector<char> bytes;

    static void* resize(void*, std::size_t size, H5FD_file_image_op_t,
                        void* self) {
      auto& bytes = static_cast<Memory*>(self)->bytes;
      try {
        bytes.resize(size);
      } catch (const std::bad_alloc&) {
        return nullptr;
      }
      return bytes.data();
    }
    static herr_t keep(void*, H5FD_file_image_op_t, void*) { return 0; }
    static void* same(void* self) { return self; }
    static herr_t none(void*) { return 0; }
  };

  /// \param suffix tells it from other files of HDF5 that are open
  /// \param first bytes of the file that are not for values
  Hdf5Handle begun(const char* suffix, Memory& memory, hsize_t first) const {
    const QuietHdf5 quiet;
    const Hdf5Handle access(H5Pcreate(H5P_FILE_ACCESS), H5Pclose);
    constexpr std::size_t step = 512;
    check(H5Pset_fapl_core(access, step, false));
    check(H5Pset_meta_block_size(access, first));
    H5FD_file_image_callbacks_t calls = {
        nullptr,      nullptr,      Memory::resize, Memory::keep,
        Memory::same, Memory::none, &memory};
    check(H5Pset_file_image_callbacks(access, &calls));
    // HDF5 would first read a file of this name: no file can have it
    const std::string name = m_path + suffix;
    Hdf5Handle file(H5Fcreate(name.c_str(), H5F_ACC_TRUNC, H5P_DEFAULT, access),
                    H5Fclose);
    check(hid_t(file));
    return file;
  }

  template <class Status>
  void check(const Status& status) const {
    if (status < 0)
      throw std::runtime_error(std::string(m_function) + ": cannot write " +
                               m_path + ": an error of HDF5");
  }

  /// \param allocates space for its values
  Hdf5Handle create(hid_t file, const Hdf5DataSet& d, bool allocates) const {
    const std::array<hsize_t, 2> size{hsize_t(d.count), hsize_t(d.width)};
    const Hdf5Handle space(H5Screate_simple(d.rank, size.data(), nullptr),
                           H5Sclose);
    const Hdf5Handle links(H5Pcreate(H5P_LINK_CREATE), H5Pclose);
    check(H5Pset_create_intermediate_group(links, 1));  // of names like a/b
    const Hdf5Handle how(H5Pcreate(H5P_DATASET_CREATE), H5Pclose);
    check(H5Pset_obj_track_times(how, false));  // the same bytes at any time
    check(H5Pset_fill_time(how, H5D_FILL_TIME_NEVER));
    check(H5Pset_alloc_time(
        how, allocates ? H5D_ALLOC_TIME_EARLY : H5D_ALLOC_TIME_LATE));
    Hdf5Handle set(H5Dcreate2(file, d.name.c_str(), d.type, space, links, how,
                              H5P_DEFAULT),
                   H5Dclose);
    if (set < 0)
      throw std::runtime_error(
          std::string(m_function) + ": cannot write " + m_path +
          ": expected a name that is not taken, got '" + d.name + '\'');
    if (d.word != nullptr) set_attributes(set, d);
    return set;
  }

  void set_attributes(hid_t set, const Hdf5DataSet& d) const {
    const hsize_t one = 1;
    const Hdf5Handle single(H5Screate_simple(1, &one, nullptr), H5Sclose);
    const Hdf5Handle scalar(H5Screate(H5S_SCALAR), H5Sclose);
    const bool wide  = d.size > std::numeric_limits<int>::max();
    const int narrow = int(d.size);
    if (wide)
      attribute(set, "size", H5T_NATIVE_INT64, single, &d.size);
    else
      attribute(set, "size", H5T_NATIVE_INT, single, &narrow);
    attribute(set, "dim", H5T_NATIVE_INT, single, &d.width);
    const Hdf5Handle text(H5Tcopy(H5T_C_S1), H5Tclose);
    constexpr std::size_t length = 10;
    check(H5Tset_size(text, length));
    std::array<char, length> word{};
    std::strncpy(word.data(), d.word, length - 1);
    attribute(set, "type", text, scalar, word.data());
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
  Memory m_memory;
  Hdf5Handle m_trial;  ///< tells which names are free, and how large it is
  std::vector<Hdf5DataSet> m_sets;
};

/// A file that is written, in part by this process: its rows of all data sets.
class Hdf5Writer {
 public:
  /// \param begins this process makes the file and writes what is not values
  Hdf5Writer(const char* function, const std::string& path, bool begins = true)
      : m_function(function),
        m_path(path),
        m_layout(function, path),
        m_begins(begins) {
    if (begins) m_output = std::make_unique<OutputFile>(function, path);
  }

  /// One number, which one process writes.
  void number(const std::string& name, std::int64_t value, bool here = true) {
    if (value <= std::numeric_limits<int>::max())
      one_number(name, int(value), here);
    else
      one_number(name, value, here);
  }

  /// Rows [first, ...) of all, with the attributes that OP2 asks for.
  /// \param of_map attributes are those of a map, else of a dat
  template <class T>
  void rows(const std::string& name, int width, bool of_map,
            std::shared_ptr<const std::vector<T>> values, std::int64_t first,
            std::int64_t count) {
    const std::int64_t size = of_map ? count : std::int64_t(sizeof(T)) * width;
    add({name, 2, count, width, hdf5_type(T()), hdf5_type_name(T()), size},
        std::move(values), first);
  }
  /// All rows.
  template <class T>
  void rows(const std::string& name, int width, bool of_map,
            std::vector<T> values) {
    const auto count = std::int64_t(values.size() / std::size_t(width));
    rows(name, width, of_map,
         std::make_shared<const std::vector<T>>(std::move(values)), 0, count);
  }

  /// Writes what this process has; others may write at the same time.
  void write() {
    if (!m_output)
      m_output = std::make_unique<OutputFile>(m_function, m_path, true);
    const Hdf5Image image                = m_layout.image();
    const std::vector<Hdf5DataSet>& sets = m_layout.sets();
    std::vector<std::size_t> order;
    for (std::size_t k = 0; k < sets.size(); ++k)
      if (sets[k].count > 0) order.push_back(k);
    std::sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
      return image.places[a] < image.places[b];
    });
    std::int64_t at = 0;
    for (const std::size_t k : order) {
      write_between(image, at, image.places[k]);
      const auto row = std::int64_t(sets[k].row_bytes());
      m_output->write_at(image.places[k] + m_rows[k].first * row,
                         m_rows[k].data, m_rows[k].bytes);
      at = image.places[k] + sets[k].count * row;
    }
    write_between(image, at, image.size);
    m_output->close();
  }

  /// Gives the file its name, when all is written.
  void finish() {
    if (m_begins) m_output->complete();
  }

 private:
  struct Rows {
    std::shared_ptr<const void> owner;
    const void* data;
    std::size_t bytes;
    std::int64_t first;
  };

  template <class T>
  void one_number(const std::string& name, T value, bool here) {
    auto values = std::make_shared<const std::vector<T>>(here ? 1 : 0, value);
    add({name, 1, 1, 1, hdf5_type(T()), nullptr, 0}, std::move(values), 0);
  }
  template <class T>
  void add(const Hdf5DataSet& set, std::shared_ptr<const std::vector<T>> values,
           std::int64_t first) {
    m_layout.add(set);
    const void* const data  = values->data();
    const std::size_t bytes = values->size() * sizeof(T);
    m_rows.push_back({std::move(values), data, bytes, first});
  }
  void write_between(const Hdf5Image& image, std::int64_t begin,
                     std::int64_t end) {
    if (!m_begins || begin == end) return;
    const std::vector<char> part = image.part(begin, end);
    m_output->write_at(begin, part.data(), part.size());
  }

  const char* m_function;
  const std::string& m_path;
  Hdf5Layout m_layout;
  std::vector<Rows> m_rows;
  std::unique_ptr<OutputFile> m_output;
  bool m_begins;
};

}  // namespace Impl
}  // namespace Sporos

#endif
