// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/// Runs the steps of Sporos for perf/peers.py, one line of standard input at a
/// time: `case key=value...` prepares, `run STEP` prints milliseconds. Answers
/// that begin with `error` tell what went wrong.

#include "Bench_Measure.hpp"
#include "Peer_Case.hpp"

#include <exception>
#include <iostream>
#include <string>

namespace {

using namespace Peer;

StepsOfCase make(const Case& c) {
  const std::string& family = c.text("family");
  if (family == "spread") return make_spread(c);
  if (family == "template" || family == "windows") return make_correlation(c);
  if (family != "nufft") throw std::runtime_error("no family " + family);
  switch (c.extents("modes").size()) {
    case 1: return make_nufft_1d(c);
    case 2: return make_nufft_2d(c);
    default: return make_nufft_3d(c);
  }
}

std::string answer(const std::string& line, StepsOfCase& steps) {
  const std::string word = line.substr(0, line.find(' ')),
                    rest = line.substr(std::min(line.size(), word.size() + 1));
  if (word == "case") {
    steps.reset();
    steps = make(Case(rest));
    return "ready " + steps->about();
  }
  if (word != "run" || !steps) throw std::runtime_error("not now: " + line);
  return std::to_string(Bench::milliseconds([&] { steps->run(rest); }));
}

}  // namespace

int main(int argc, char* argv[]) {
  const Kokkos::ScopeGuard kokkos(argc, argv);
  StepsOfCase steps;
  for (std::string line; std::getline(std::cin, line);) {
    try {
      std::cout << answer(line, steps) << std::endl;
    } catch (const std::exception& e) {
      std::string what = e.what();
      for (char& c : what)
        if (c == '\n') c = ' ';
      std::cout << "error " << what << std::endl;
    }
  }
  return 0;
}
