// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef SPOROS_APP_COMMANDLINE_HPP
#define SPOROS_APP_COMMANDLINE_HPP

/// \file App_CommandLine.hpp
/// What the command lines of the applications share; the rest is CLI11.

#include <CLI/CLI.hpp>

#include <cstring>
#include <limits>
#include <sstream>
#include <stdexcept>
#include <string>
#include <type_traits>
#include <vector>

namespace AppCommon {

/// A number as a person would have typed it.
template <class T>
std::string shown(T value) {
  std::ostringstream out;
  out << value;
  return out.str();
}

/// Reads a text that is a number and nothing else. Infinity and NaN are none.
template <class T>
bool read_number(const std::string& text, T& value) {
  if (std::is_unsigned<T>::value && text.find('-') != std::string::npos)
    return false;
  std::istringstream in(text);
  return in >> value && in.peek() == std::istringstream::traits_type::eof();
}

/// A number from lowest to highest.
template <class T>
CLI::Validator in_range(T lowest, T highest) {
  const std::string span = shown(lowest) + " to " + shown(highest);
  return CLI::Validator(
      [=](std::string& text) {
        T value{};
        if (read_number(text, value) && value >= lowest && value <= highest)
          return std::string();
        return std::string("takes ") +
               (std::is_integral<T>::value ? "an integer" : "a number") +
               " from " + span + ", got '" + text + "'";
      },
      span);
}

/// A finite number above 0.
inline CLI::Validator positive() {
  return CLI::Validator(
      [](std::string& text) {
        double value = 0;
        if (read_number(text, value) && value > 0 &&
            value <= std::numeric_limits<double>::max())
          return std::string();
        return "takes a positive number, got '" + text + "'";
      },
      "positive");
}

/// The name of a file or folder.
inline CLI::Validator not_empty() {
  return CLI::Validator(
      [](std::string& text) {
        return std::string(text.empty() ? "takes a name, got ''" : "");
      },
      "");
}

/// Names that an option takes, as CLI::IsMember with a plainer error.
inline CLI::Validator one_of(const std::vector<std::string>& names) {
  std::string all;
  for (const auto& name : names) all += (all.empty() ? "" : ", ") + name;
  return CLI::Validator(
      [=](std::string& text) {
        for (const auto& name : names)
          if (name == text) return std::string();
        return "takes one of " + all + ", got '" + text + "'";
      },
      all);
}

/// Adds the options --check, --quiet and --help, and what all help ends with.
/// \param failed when the exit code is 1
template <class Options>
void add_common(CLI::App& app, Options& o, const std::string& check,
                const std::string& failed) {
  app.set_help_flag();
  app.add_flag("--check", o.check, check);
  app.add_flag("--quiet", o.quiet, "Print results only");
  app.add_flag("-h,--help", o.help, "Print this text");
  app.footer(
      "Options of Kokkos (--kokkos-...) are passed on. Exit code 0: done, 1: " +
      failed + ", 2: an option, a file or the run itself is in error.");
}

/// Reads a command line but for the options of Kokkos.
/// \throws std::invalid_argument that begins with the application's name
inline void parse(CLI::App& app, int argc, const char* const* argv) {
  std::vector<const char*> words;
  for (int i = 0; i < argc; ++i)
    if (std::strncmp(argv[i], "--kokkos-", 9) != 0) words.push_back(argv[i]);
  try {
    app.parse(int(words.size()), words.data());
  } catch (const CLI::ParseError& error) {
    throw std::invalid_argument(app.get_name() + ": " + error.what() +
                                "; --help lists the options");
  }
}

/// The options that a command line sets.
/// \param declare adds an application's options to a CLI::App
/// \throws std::invalid_argument that begins with the application's name
template <class Options, class Declare>
Options parsed(const char* name, const char* description,
               const Declare& declare, int argc, const char* const* argv) {
  Options options;
  CLI::App app(description, name);
  declare(app, options);
  parse(app, argc, argv);
  return options;
}

/// The text of --help.
template <class Options, class Declare>
std::string help_text(const char* name, const char* description,
                      const Declare& declare) {
  Options options;
  CLI::App app(description, name);
  declare(app, options);
  return app.help();
}

}  // namespace AppCommon

#endif
