// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Piv_Vectors.hpp"

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

double median(std::vector<double>& v) {
  std::sort(v.begin(), v.end());
  const std::size_t k = v.size() / 2;
  return v.size() % 2 ? v[k] : (v[k - 1] + v[k]) / 2;
}

/// Numbers of the neighbours that are not marked.
std::vector<std::size_t> neighbours(const Vectors& v, int number,
                                    const std::vector<Status>& status) {
  std::vector<std::size_t> found;
  const int i = number % v.grid.nx, j = number / v.grid.nx;
  for (int b = std::max(0, j - 1); b <= std::min(v.grid.ny - 1, j + 1); ++b)
    for (int a = std::max(0, i - 1); a <= std::min(v.grid.nx - 1, i + 1); ++a) {
      const auto k = static_cast<std::size_t>(b * v.grid.nx + a);
      if ((a != i || b != j) && status[k] == Status::found) found.push_back(k);
    }
  return found;
}

double median_of(const std::vector<double>& values,
                 const std::vector<std::size_t>& numbers) {
  std::vector<double> chosen;
  for (const std::size_t k : numbers) chosen.push_back(values[k]);
  return median(chosen);
}

/// |value - median of others| / (median of their deviations + 0.1).
double residual(double value, const std::vector<double>& values,
                const std::vector<std::size_t>& others) {
  const double middle = median_of(values, others);
  std::vector<double> deviations;
  for (const std::size_t k : others)
    deviations.push_back(std::abs(values[k] - middle));
  return std::abs(value - middle) / (median(deviations) + 0.1);
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
    if (std::hypot(residual(v.dx[k], v.dx, others),
                   residual(v.dy[k], v.dy, others)) > median_limit)
      v.status[k] = Status::replaced;
  }
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
      v.dx[static_cast<std::size_t>(n)] = median_of(v.dx, others);
      v.dy[static_cast<std::size_t>(n)] = median_of(v.dy, others);
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
