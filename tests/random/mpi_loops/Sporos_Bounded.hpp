// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/// Numbers that know how far rounding may take a program from them.

#ifndef SPOROS_BOUNDED_HPP
#define SPOROS_BOUNDED_HPP

#include <cmath>
#include <limits>
#include <sstream>
#include <string>
#include <type_traits>
#include <vector>

namespace Sporos {
namespace Test {

/// A number v of type T that may be wrong by e after rounding.
template <class T>
struct Bounded {
  static constexpr double eps = std::numeric_limits<T>::epsilon();
  double v = 0, e = 0;

  Bounded() = default;
  explicit Bounded(double value) : v(value) {}
  Bounded(double value, double error)
      : v(value), e(error + eps * std::fabs(value)) {}

  friend Bounded operator+(Bounded a, Bounded b) {
    return {a.v + b.v, a.e + b.e};
  }
  friend Bounded operator-(Bounded a, Bounded b) {
    return {a.v - b.v, a.e + b.e};
  }
  friend Bounded operator*(Bounded a, Bounded b) {
    return {a.v * b.v, std::fabs(a.v) * b.e + std::fabs(b.v) * a.e + a.e * b.e};
  }
  Bounded& operator+=(Bounded b) { return *this = *this + b; }
  Bounded& operator-=(Bounded b) { return *this = *this - b; }

  friend Bounded min(Bounded a, Bounded b) { return extreme(a, b, a.v < b.v); }
  friend Bounded max(Bounded a, Bounded b) { return extreme(a, b, a.v > b.v); }

  /// May a program have x in place of this number?
  bool allows(T x) const {
    if (std::isnan(v) || std::isnan(x)) return std::isnan(v) && std::isnan(x);
    constexpr double least = 1e3 * double(std::numeric_limits<T>::min());
    return double(x) == v || std::fabs(double(x) - v) <= 4 * e + least;
  }
  double size() const { return std::fabs(v); }
  std::string text() const {
    std::ostringstream out;
    out.precision(17);
    out << v << " +- " << 4 * e;
    return out.str();
  }

 private:
  static Bounded extreme(Bounded a, Bounded b, bool first) {
    Bounded r;
    r.v = std::isnan(a.v) || first ? a.v : b.v;
    if (std::isnan(b.v)) r.v = b.v;
    r.e = a.e > b.e ? a.e : b.e;
    return r;
  }
};

/// An integer; sums are those modulo 2^32.
template <>
struct Bounded<unsigned> {
  unsigned v = 0;

  Bounded() = default;
  explicit Bounded(unsigned value) : v(value) {}
  friend Bounded operator+(Bounded a, Bounded b) { return Bounded(a.v + b.v); }
  friend Bounded operator-(Bounded a, Bounded b) { return Bounded(a.v - b.v); }
  friend Bounded operator*(Bounded a, Bounded b) { return Bounded(a.v * b.v); }
  Bounded& operator+=(Bounded b) { return *this = *this + b; }
  Bounded& operator-=(Bounded b) { return *this = *this - b; }
  friend Bounded min(Bounded a, Bounded b) { return a.v < b.v ? a : b; }
  friend Bounded max(Bounded a, Bounded b) { return a.v > b.v ? a : b; }
  bool allows(unsigned x) const { return x == v; }
  double size() const { return 0; }
  std::string text() const { return std::to_string(v); }
};

/// A sum whose terms may be added in any order.
template <class T>
class AnyOrderSum {
 public:
  void add(Bounded<T> term) {
    m_sum += term.v;
    if constexpr (!std::is_integral_v<T>) {
      m_error += term.e;
      m_size += std::fabs(term.v);
      ++m_terms;
    }
  }
  Bounded<T> value() const {
    if constexpr (std::is_integral_v<T>)
      return Bounded<T>(m_sum);
    else
      return {double(m_sum), m_error + m_terms * Bounded<T>::eps * m_size};
  }

 private:
  std::conditional_t<std::is_integral_v<T>, T, long double> m_sum = 0;
  double m_error = 0, m_size = 0;
  long m_terms = 0;
};

}  // namespace Test
}  // namespace Sporos

#endif
