// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/// Any map and any options: what is out of range is refused, all other plans
/// are free of races, and loops with them give what plain loops give. Values
/// are small integers, so that sums are exact. Loops run on Serial: that plans
/// would race elsewhere is seen in the plans.

#include "Sporos_Fuzz.hpp"

#include <Sporos_ParLoop.hpp>

#include <algorithm>
#include <limits>
#include <stdexcept>
#include <string>
#include <vector>

namespace {

using namespace Sporos;
using Fuzz::require;

using Exec   = Kokkos::Serial;
using Memory = Exec::memory_space;
template <int N>
using Values = Dat<double, N, Kokkos::LayoutRight, Memory>;

/// All indices of one map are read and incremented, two of another one are
/// incremented.
struct Add {
  template <class Real>
  KOKKOS_FUNCTION void operator()(Read<Real, 1, 2> x, Inc<Real, 2, 2> y,
                                  Inc<Real> a, Inc<Real> b) const {
    const Real d = x(1, 0) - x(0, 0);
    for (int i = 0; i < 2; ++i) {
      y(i, 0) += d;
      y(i, 1) -= 2 * d;
    }
    a[0] += x(0, 0);
    b[0] += x(1, 0) + 1;
  }
};

/// What the input says.
struct Input {
  int n = 0, targets = 0, arity = 1, begin = 0, end = 0;
  int i = 0, j = 0;  ///< the indices of the second map
  std::vector<int> pairs, entries;
  LoopOptions options;

  int entry(int element, int index) const {
    return entries[std::size_t(element) * std::size_t(arity) +
                   std::size_t(index)];
  }
  bool in_range() const {
    const auto good = [this](int t) { return t >= 0 && t < targets; };
    return std::all_of(pairs.begin(), pairs.end(), good) &&
           std::all_of(entries.begin(), entries.end(), good);
  }
  bool options_are_right() const {
    if (options.block_size < 0) return false;
    const bool blocks = options.strategy == LoopStrategy::automatic ||
                        options.strategy == LoopStrategy::hierarchical;
    if (blocks && arity > 32 && options.staging >= Staging::increments)
      return false;
    const std::vector<int>& b = options.blocks;
    return b.empty() ||
           (options.block_size == 0 && b.front() == begin && b.back() == end &&
            std::adjacent_find(b.begin(), b.end(), std::greater_equal<int>()) ==
                b.end());
  }
};

LoopOptions read_options(Fuzz::Bytes& in, int begin, int end) {
  LoopOptions o;
  o.strategy = LoopStrategy(in.below(int(LoopStrategy::atomic) + 1));
  o.staging  = Staging(in.below(int(Staging::all) + 1));
  // mostly small, also negative and as large as can be
  const int size    = in.next();
  o.block_size      = size < 250   ? size
                      : size < 253 ? 249 - size
                                   : std::numeric_limits<int>::max() - 255 + size;
  const int flags   = in.next();
  o.kernel_by_color = flags & 1;
  o.sort_by_color   = flags & 2;
  o.packs           = flags & 4;
  if (flags & 8) {
    if (flags & 32) o.block_size = 0;
    o.blocks.push_back(begin);
    for (int left = in.below(16); left > 0; --left)
      o.blocks.push_back(o.blocks.back() + in.next() - 1);
    if (flags & 16) o.blocks.push_back(end);
  }
  return o;
}

Input read_input(Fuzz::Bytes& in) {
  Input r;
  r.n       = in.next();
  r.targets = in.next();
  r.arity   = 1 + in.below(40);
  r.i       = in.below(r.arity);
  r.j       = in.below(r.arity);
  r.begin   = in.below(r.n + 1);
  r.end     = r.begin + in.below(r.n - r.begin + 1);
  r.options = read_options(in, r.begin, r.end);

  const bool any = in.flag() || r.targets == 0;
  r.pairs.resize(2 * std::size_t(r.n));
  r.entries.resize(std::size_t(r.n) * std::size_t(r.arity));
  for (std::vector<int>* map : {&r.pairs, &r.entries})
    for (int& entry : *map) entry = any ? in.next() - 1 : in.next() % r.targets;
  return r;
}

std::vector<double> small_values(int n) {
  std::vector<double> values;
  for (int k = 0; k < n; ++k) values.push_back((k * 7 + 3) % 19 - 9);
  return values;
}

/// Runs f; does it throw std::invalid_argument?
template <class F>
bool refused(const F& f) {
  try {
    f();
  } catch (const std::invalid_argument&) {
    return true;
  }
  return false;
}

/// y and z after a plain loop.
struct Sums {
  std::vector<double> y, z;

  explicit Sums(int targets)
      : y(small_values(2 * targets)), z(small_values(targets)) {}

  void add(const Input& r, const std::vector<double>& x) {
    for (int e = r.begin; e < r.end; ++e) {
      const int* const ends = &r.pairs[2 * std::size_t(e)];
      const double from     = x[std::size_t(ends[0])];
      const double to       = x[std::size_t(ends[1])];
      for (int k = 0; k < 2; ++k) {
        y[2 * std::size_t(ends[k])] += to - from;
        y[2 * std::size_t(ends[k]) + 1] -= 2 * (to - from);
      }
      z[std::size_t(r.entry(e, r.i))] += from;
      z[std::size_t(r.entry(e, r.j))] += to + 1;
    }
  }
};

/// What runs at once must not increment a target in common. Unlike validate,
/// this looks at the input, not at the tables that colours come from.
class Races {
 public:
  explicit Races(const Input& input)
      : m_input(input), m_writers(2 * std::size_t(input.targets)) {}

  void check(const LoopPlan<Exec>& plan) {
    const auto& p = plan.data();
    for (int c = 0, k = 0; c < p.nblkcol; ++c, ++m_launch)
      for (const int end = k + p.ncolblk[std::size_t(c)]; k < end; ++k)
        for (int e = 0; e < p.nelems(p.blkmap(k)); ++e)
          write(p.blkmap(k), p.offset(p.blkmap(k)) + e);
    for (int b = 0; b < int(p.nthrcol.extent(0)); ++b)
      for (int c = 0; c < p.nthrcol(b); ++c, ++m_launch)
        for (int e = p.offset(b); e < p.offset(b) + p.nelems(b); ++e)
          if (p.thrcol(e - p.first) == c) write(e, e);
    for (int c = 0; c < plan.ncolors(); ++c, ++m_launch)
      for (int k = p.color_offsets[std::size_t(c)];
           k < p.color_offsets[std::size_t(c) + 1]; ++k)
        write(p.color_order(k), p.color_order(k));
  }

 private:
  struct Writer {
    int launch = -1, unit = -1;
  };

  /// A unit, a block or an element, runs element e.
  void write(int unit, int e) {
    for (int k = 0; k < 2; ++k)
      claim(unit, m_input.pairs[2 * std::size_t(e) + std::size_t(k)]);
    claim(unit, m_input.targets + m_input.entry(e, m_input.i));
    claim(unit, m_input.targets + m_input.entry(e, m_input.j));
  }
  void claim(int unit, int target) {
    Writer& w = m_writers[std::size_t(target)];
    require(w.launch != m_launch || w.unit == unit, "there are no races");
    w = {m_launch, unit};
  }

  const Input& m_input;
  std::vector<Writer> m_writers;
  int m_launch = 0;
};

/// Makes maps and a plan, looks at it and runs the loop.
void run(const Input& r) {
  const Exec exec;
  const Set from("elements", r.n), to("targets", r.targets);
  const Map<2, Memory> pairs("pairs", from, to, r.pairs);
  const Map<dynamic_arity, Memory> map("map", from, to, r.arity, r.entries);
  const Values<1> x("x", to, small_values(r.targets));
  const Values<2> y("y", to, small_values(2 * r.targets));
  const Values<1> z("z", to, small_values(r.targets));
  const auto loop = [&](const auto&... args) {
    const SetRange range = from.range(r.begin, r.end);
    const LoopPlan<Exec> plan(exec, range, r.options, args...);
    const std::string error = validate(plan);
    require(error.empty(), error);
    Races(r).check(plan);
    require(!plan.describe().empty(), "a plan can be described");
    par_loop("fuzz", exec, range, plan, Add{}, args...);
  };
  Sums expected(r.targets);
  const bool wrong = refused([&] {
    loop(read(x, pairs), inc(y, pairs), inc(z, map, r.i), inc(z, map, r.j));
  });
  require(wrong == !r.options_are_right(), "wrong options are refused");
  if (!wrong) expected.add(r, small_values(r.targets));
  require(y.to_host() == expected.y && z.to_host() == expected.z,
          "the loop gives what a plain loop gives");
}

}  // namespace

extern "C" int LLVMFuzzerInitialize(int* argc, char*** argv) {
  Kokkos::initialize(*argc, *argv);
  std::atexit(Kokkos::finalize);
  return 0;
}

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data,
                                      std::size_t size) {
  Fuzz::Bytes in(data, size);
  const Input input = read_input(in);
  const bool wrong  = refused([&] { run(input); });
  require(wrong == !input.in_range(), "entries out of range are refused");
  return 0;
}
