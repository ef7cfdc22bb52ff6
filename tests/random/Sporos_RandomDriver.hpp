// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/// The main loop of the random drivers: programs that compare random calls
/// of the library with plain serial sums, until their time is over.

#ifndef SPOROS_RANDOMDRIVER_HPP
#define SPOROS_RANDOMDRIVER_HPP

#include <unistd.h>

#include <chrono>
#include <csignal>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <exception>
#include <random>
#include <string>

namespace Sporos {
namespace Test {

/// What the command line of a driver says.
struct RandomRun {
  double minutes     = -1;  ///< below 0: 1, or no limit where cases has one
  std::uint64_t seed = 0;   ///< of the first case
  long long cases    = -1;  ///< at most so many; below 0: no limit

  /// Reads --minutes N, --seed S and --cases K; leaves the program if there
  /// is anything else. Without --seed the seed is one of the machine.
  static RandomRun from(int argc, char* argv[]) {
    RandomRun run;
    run.seed = std::random_device{}();
    for (int i = 1; i < argc; ++i) {
      const std::string word = argv[i];
      if (word.rfind("--kokkos", 0) == 0) continue;
      const char* const value = i + 1 < argc ? argv[++i] : "";
      char* end               = nullptr;
      if (word == "--minutes")
        run.minutes = std::strtod(value, &end);
      else if (word == "--seed")
        run.seed = std::strtoull(value, &end, 10);
      else if (word == "--cases")
        run.cases = std::strtoll(value, &end, 10);
      if (end == nullptr || *value == '\0' || *end != '\0') {
        std::fprintf(stderr, "%s: [--minutes N] [--seed S] [--cases K]\n",
                     argv[0]);
        std::exit(2);
      }
    }
    return run;
  }
};

/// The random numbers of one case.
class RandomCase {
 public:
  explicit RandomCase(std::uint64_t seed) : m_engine(seed) {}

  /// An integer from `first` to `last`, both included.
  template <class Int>
  Int integer(Int first, Int last) {
    return std::uniform_int_distribution<Int>(first, last)(m_engine);
  }
  /// A number in [first, last).
  double real(double first, double last) {
    return std::uniform_real_distribution<double>(first, last)(m_engine);
  }
  /// True in `percent` of 100 cases.
  bool chance(int percent) { return integer(1, 100) <= percent; }
  /// One of the values.
  template <class T>
  T one_of(std::initializer_list<T> values) {
    return values.begin()[integer<std::size_t>(0, values.size() - 1)];
  }
  std::mt19937_64& engine() { return m_engine; }

 private:
  std::mt19937_64 m_engine;
};

/// What tells of the case that runs, also when the program crashes.
class CaseInFlight {
 public:
  static void set(const char* program, std::uint64_t seed) {
    std::snprintf(text, sizeof text,
                  "\n%s: ends in the case of seed %llu; "
                  "again: --cases 1 --seed %llu\n",
                  program, static_cast<unsigned long long>(seed),
                  static_cast<unsigned long long>(seed));
  }
  static void watch() {
    for (const int signal : {SIGSEGV, SIGABRT, SIGFPE, SIGBUS, SIGTERM})
      std::signal(signal, &tell);
  }

 private:
  static void tell(int signal) {
    [[maybe_unused]] const auto written =
        ::write(STDERR_FILENO, text, std::strlen(text));
    std::signal(signal, SIG_DFL);
    std::raise(signal);
  }
  static inline char text[200] = "";
};

/// The seed of the case after that of `seed` (SplitMix64).
inline std::uint64_t next_seed(std::uint64_t seed) {
  seed += 0x9e3779b97f4a7c15u;
  seed = (seed ^ (seed >> 30)) * 0xbf58476d1ce4e5b9u;
  seed = (seed ^ (seed >> 27)) * 0x94d049bb133111ebu;
  return seed ^ (seed >> 31);
}

/// Calls `check(RandomCase&)` for one seed after another. It returns what is
/// wrong, or an empty text. The first case that is wrong, or throws, ends the
/// run. `agree(bool)` is the answer of rank 0 on all ranks; `speaks` says
/// which rank prints that all is right. Returns the status of the program.
template <class Check, class Agree>
int run_random_cases(const char* program, const RandomRun& run, Check&& check,
                     Agree&& agree, bool speaks = true) {
  using Clock               = std::chrono::steady_clock;
  const auto begin          = Clock::now();
  const auto minutes_so_far = [&] {
    return std::chrono::duration<double>(Clock::now() - begin).count() / 60;
  };
  if (speaks)
    std::printf("%s: seed %llu\n", program,
                static_cast<unsigned long long>(run.seed));
  std::fflush(stdout);
  CaseInFlight::watch();
  const bool limited   = run.cases >= 0;
  const double minutes = run.minutes < 0 && !limited ? 1 : run.minutes;
  std::uint64_t seed   = run.seed;
  long long done       = 0;
  while (agree((!limited || done < run.cases) &&
               (minutes < 0 || minutes_so_far() < minutes))) {
    CaseInFlight::set(program, seed);
    std::string wrong;
    try {
      RandomCase random(seed);
      wrong = check(random);
    } catch (const std::exception& error) {
      wrong = std::string("throws: ") + error.what();
    }
    if (!wrong.empty()) {
      std::printf(
          "%s: wrong after %lld cases; again: --cases 1 --seed %llu\n%s\n",
          program, done, static_cast<unsigned long long>(seed), wrong.c_str());
      std::fflush(stdout);
      return EXIT_FAILURE;
    }
    seed = next_seed(seed);
    ++done;
  }
  if (speaks)
    std::printf("%s: %lld cases are right, %.1f minutes\n", program, done,
                minutes_so_far());
  return EXIT_SUCCESS;
}

/// Runs the cases of a program of one process.
template <class Check>
int run_random_cases(const char* program, const RandomRun& run, Check&& check) {
  return run_random_cases(program, run, check, [](bool go) { return go; });
}

}  // namespace Test
}  // namespace Sporos

#endif  // SPOROS_RANDOMDRIVER_HPP
