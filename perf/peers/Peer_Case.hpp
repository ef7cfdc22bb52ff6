// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef SPOROS_PEER_CASE_HPP
#define SPOROS_PEER_CASE_HPP

/// \file Peer_Case.hpp
/// What perf/peers.py asks this program to prepare and to run.

#include <Kokkos_Core.hpp>

#include <map>
#include <memory>
#include <sstream>
#include <stdexcept>
#include <string>
#include <vector>

namespace Peer {

using Exec = Kokkos::DefaultHostExecutionSpace;

/// Words `key=value` of a line.
class Case {
 public:
  explicit Case(const std::string& line) {
    std::istringstream words(line);
    for (std::string word; words >> word;) {
      const auto at = word.find('=');
      if (at == std::string::npos)
        throw std::runtime_error("not of the form key=value: " + word);
      m_values[word.substr(0, at)] = word.substr(at + 1);
    }
  }
  const std::string& text(const std::string& key) const {
    const auto found = m_values.find(key);
    if (found == m_values.end()) throw std::runtime_error("no " + key + "=");
    return found->second;
  }
  int integer(const std::string& key) const { return std::stoi(text(key)); }
  double number(const std::string& key) const { return std::stod(text(key)); }
  /// Integers with x between them
  std::vector<int> extents(const std::string& key) const {
    std::vector<int> all;
    std::istringstream list(text(key));
    for (std::string n; std::getline(list, n, 'x');)
      all.push_back(std::stoi(n));
    return all;
  }
  bool is_float() const { return text("precision") == "single"; }

 private:
  std::map<std::string, std::string> m_values;
};

/// Data of a case, and the steps that are timed.
struct Steps {
  virtual ~Steps() = default;
  /// Runs a step to its end.
  virtual void run(const std::string& step) = 0;
  /// What was chosen, in one line.
  virtual std::string about() const { return ""; }

 protected:
  [[noreturn]] static void unknown(const std::string& step) {
    throw std::runtime_error("no step " + step);
  }
};

using StepsOfCase = std::unique_ptr<Steps>;

StepsOfCase make_nufft_1d(const Case&);
StepsOfCase make_nufft_2d(const Case&);
StepsOfCase make_nufft_3d(const Case&);
StepsOfCase make_spread(const Case&);
StepsOfCase make_correlation(const Case&);

}  // namespace Peer

#endif
