// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Piv_Vectors.hpp"

#include <Perf_Numbers.hpp>

#include <algorithm>
#include <cmath>
#include <stdexcept>
#include <string>

namespace PivApp {

WindowGrid::WindowGrid(int width, int height, int window_, double overlap)
    : window(window_),
      step(std::max(
          1, static_cast<int>(std::lround(window_ * (1 - overlap / 100))))) {
  if (width < window || height < window)
    throw std::invalid_argument(
        "piv: images of at least one window (" + std::to_string(window) +
        " pixels) are needed, got " + std::to_string(width) + " x " +
        std::to_string(height));
  nx = (width - window) / step + 1;
  ny = (height - window) / step + 1;
}

int Vectors::outliers() const {
  return static_cast<int>(
      std::count(status.begin(), status.end(), Status::replaced));
}

namespace {

using Perf::median;

/// A neighbour that is not marked. Where there is none on the other side,
/// `beyond` is the one behind it, so that a line through both tells what to
/// expect at the edge.
struct Neighbour {
  std::size_t number;
  std::ptrdiff_t beyond = -1;
};
using Neighbours = std::vector<Neighbour>;

Neighbours neighbours(const Vectors& v, int number,
                      const std::vector<Status>& status) {
  const int i = number % v.grid.nx, j = number / v.grid.nx;
  const auto inside = [&](int a, int b) {
    return a >= 0 && a < v.grid.nx && b >= 0 && b < v.grid.ny;
  };
  const auto at = [&](int a, int b) {
    return static_cast<std::size_t>(b * v.grid.nx + a);
  };
  const auto good = [&](int a, int b) {
    return inside(a, b) && status[at(a, b)] == Status::found;
  };
  Neighbours list;
  for (int b = -1; b <= 1; ++b)
    for (int a = -1; a <= 1; ++a) {
      if ((a == 0 && b == 0) || !good(i + a, j + b)) continue;
      list.push_back({at(i + a, j + b)});
      if (!good(i - a, j - b) && good(i + 2 * a, j + 2 * b))
        list.back().beyond =
            static_cast<std::ptrdiff_t>(at(i + 2 * a, j + 2 * b));
    }
  return list;
}

/// What the neighbours let expect.
std::vector<double> expected(const std::vector<double>& values,
                             const Neighbours& others) {
  std::vector<double> list;
  for (const Neighbour& o : others)
    list.push_back(o.beyond < 0
                       ? values[o.number]
                       : 2 * values[o.number] -
                             values[static_cast<std::size_t>(o.beyond)]);
  return list;
}

/// |value - median of others| / (median of their deviations + 0.1).
double residual(double value, std::vector<double> others) {
  const double middle = median(others);
  for (double& other : others) other = std::abs(other - middle);
  return std::abs(value - middle) / (median(others) + 0.1);
}

void mark(Vectors& v, double median_limit, double snr_limit) {
  for (std::size_t k = 0; k < v.status.size(); ++k) {
    const bool finite = std::isfinite(v.dx[k]) && std::isfinite(v.dy[k]);
    v.status[k]       = finite && v.snr[k] >= static_cast<float>(snr_limit)
                            ? Status::found
                            : Status::replaced;
  }
  const std::vector<Status> before = v.status;
  for (int n = 0; n < v.grid.size(); ++n) {
    const auto k      = static_cast<std::size_t>(n);
    const auto others = neighbours(v, n, before);
    if (before[k] != Status::found || others.size() < 2) continue;
    if (std::hypot(residual(v.dx[k], expected(v.dx, others)),
                   residual(v.dy[k], expected(v.dy, others))) > median_limit)
      v.status[k] = Status::replaced;
  }
}

double replacement(const std::vector<double>& values,
                   const Neighbours& others) {
  auto list = expected(values, others);
  return median(list);
}

}  // namespace

void validate(Vectors& v, double median_limit, double snr_limit) {
  mark(v, median_limit, snr_limit);
  std::vector<Status> status = v.status;
  std::vector<int> holes;
  for (int n = 0; n < v.grid.size(); ++n)
    if (status[static_cast<std::size_t>(n)] == Status::replaced)
      holes.push_back(n);
  // those with most neighbours first, layer by layer
  for (std::size_t wanted = 3; !holes.empty();) {
    std::vector<int> rest, filled;
    for (const int n : holes) {
      const auto others = neighbours(v, n, status);
      if (others.size() < wanted) {
        rest.push_back(n);
        continue;
      }
      v.dx[static_cast<std::size_t>(n)] = replacement(v.dx, others);
      v.dy[static_cast<std::size_t>(n)] = replacement(v.dy, others);
      filled.push_back(n);
    }
    for (const int n : filled)
      status[static_cast<std::size_t>(n)] = Status::found;
    holes.swap(rest);
    if (!filled.empty()) continue;
    if (wanted == 1) break;
    wanted = 1;
  }
  // nothing to go by
  for (const int n : holes)
    v.dx[static_cast<std::size_t>(n)] = v.dy[static_cast<std::size_t>(n)] = 0;
}

}  // namespace PivApp
