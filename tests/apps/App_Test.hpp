// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/// What tests of applications share: command lines, and folders for files.

#ifndef APP_TEST_HPP
#define APP_TEST_HPP

#include "Sporos_WrongCalls.hpp"

#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <vector>

namespace AppTest {

/// What an application makes of the words of a command line.
template <class Options>
struct CommandLine {
  const char* program;
  Options (*parse)(int, const char* const*);

  Options operator()(std::vector<const char*> words) const {
    words.insert(words.begin(), program);
    return parse(int(words.size()), words.data());
  }
  /// Checks that words are refused for this reason.
  void refuses(const std::vector<const char*>& words,
               const std::string& reason) const {
    Sporos::Test::check_refused(reason, [&] { (*this)(words); });
  }
};

/// The name of a folder that is not there at first and goes away in the end.
struct Folder {
  std::filesystem::path path;

  explicit Folder(const std::string& name)
      : path(std::filesystem::temp_directory_path() / name) {
    std::filesystem::remove_all(path);
  }
  Folder(const Folder&)            = delete;
  Folder& operator=(const Folder&) = delete;
  ~Folder() { std::filesystem::remove_all(path); }

  std::string content(const std::string& name) const {
    std::ifstream in(path / name, std::ios::binary);
    return std::string(std::istreambuf_iterator<char>(in), {});
  }
};

}  // namespace AppTest

#endif
