// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef SPOROS_ACCESSORS_HPP
#define SPOROS_ACCESSORS_HPP

/// \file Sporos_Accessors.hpp
/// Accessors: the kernel of a par_loop receives one for each argument.
///
// clang-format off
/// | argument                     | accessor             | in the kernel       |
/// |------------------------------|----------------------|---------------------|
/// | read(dat), read(dat, map, i) | Read<T, N>           | a[c]                |
/// | read(dat, map)               | Read<T, N, Arity>    | a(i, c)             |
/// | write(...), rw(...), inc(...)| Write, ReadWrite, Inc| the same, references|
/// | read(global), read(number)   | GlobalRead<T, N>     | a[c]                |
/// | write(global)                | GlobalWrite<T, N>    | a[c], a reference   |
/// | sum(...), min(...), max(...) | Reduce<T, N>         | a[c], a reference   |
/// | min(dat, map), max(dat, map) | Reduce<T, N, Arity>  | a(i, c)             |
/// | element_index()              | int, ElementIndex<T> | the number itself   |
// clang-format on
///
/// N is that of the dat: of one whose number of components is known at run time
/// only, dynamic_components, and a.component_count() tells the number.
///
/// T is the value type of the dat, or Pack<T, W> on hosts if the kernel's call
/// operator is a template over it. An accessor points to registers of the loop:
/// pass it by value, and use constant indices or short loops.

#include <Sporos_Checks.hpp>
#include <Sporos_Dat.hpp>
#include <Sporos_KokkosCompat.hpp>
#include <Sporos_Pack.hpp>

#include <limits>
#include <type_traits>

namespace Sporos {
namespace Impl {

/// Checks the indices of accessors with N components of Arity elements.
template <int N, int Arity>
KOKKOS_FORCEINLINE_FUNCTION void check_component(int c) {
  check_index(c, N * Arity,
              "Sporos::par_loop: a kernel uses a component that its accessor "
              "does not have\n");
}
template <int N, int Arity>
KOKKOS_FORCEINLINE_FUNCTION void check_component(int i, int c) {
  check_index(i, Arity,
              "Sporos::par_loop: a kernel uses a map index that its accessor "
              "does not have\n");
  check_component<N, 1>(c);
}

/// N components of one element, or of Arity elements, in registers.
template <class T, int N, int Arity>
class ComponentAccess {
 public:
  using value_type = std::remove_const_t<T>;  ///< a number or a pack
  static constexpr int components = N;        ///< per element: N
  static constexpr int arity      = Arity;    ///< elements: Arity

  /// For the implementation.
  KOKKOS_FORCEINLINE_FUNCTION explicit ComponentAccess(T* v) : m_v(v) {}

  /// Components per element: N.
  KOKKOS_FORCEINLINE_FUNCTION static constexpr int component_count() {
    return N;
  }
  /// Component c. For Arity > 1: component c % N of element c / N.
  KOKKOS_FORCEINLINE_FUNCTION T& operator[](int c) const {
    check_component<N, Arity>(c);
    return m_v[c];
  }
  /// Component c of the element at map index i.
  KOKKOS_FORCEINLINE_FUNCTION T& operator()(int i, int c) const {
    check_component<N, Arity>(i, c);
    return m_v[i * N + c];
  }

 private:
  T* m_v;
};

/// Components of which the number is known at run time only, in registers for
/// the most that there may be.
template <class T, int Arity>
class ComponentAccess<T, dynamic_components, Arity> {
 public:
  using value_type = std::remove_const_t<T>;             ///< a number or a pack
  static constexpr int components = dynamic_components;  ///< at run time only
  static constexpr int arity      = Arity;               ///< elements: Arity

  /// For the implementation.
  KOKKOS_FORCEINLINE_FUNCTION ComponentAccess(T* v, int count)
      : m_v(v), m_count(count) {}

  /// Components per element.
  KOKKOS_FORCEINLINE_FUNCTION int component_count() const { return m_count; }
  /// Component c of the one element.
  KOKKOS_FORCEINLINE_FUNCTION T& operator[](int c) const {
    static_assert(Arity == 1,
                  "Sporos::par_loop: components of several elements, whose "
                  "number is known at run time only, are a(i, c)");
    return (*this)(0, c);
  }
  /// Component c of the element at map index i.
  KOKKOS_FORCEINLINE_FUNCTION T& operator()(int i, int c) const {
    check_index(i, Arity,
                "Sporos::par_loop: a kernel uses a map index that its accessor "
                "does not have\n");
    check_index(c, m_count,
                "Sporos::par_loop: a kernel uses a component that its accessor "
                "does not have\n");
    return m_v[i * most_dynamic_components + c];
  }

 private:
  T* m_v;
  int m_count;
};

}  // namespace Impl

/// N components of one element, or of Arity elements, for reading.
template <class T, int N = 1, int Arity = 1>
class Read : public Impl::ComponentAccess<const T, N, Arity> {
 public:
  using Impl::ComponentAccess<const T, N, Arity>::ComponentAccess;
};

/// Components that the kernel overwrites. Components that it does not assign
/// keep their values. (They are loaded; compilers drop the load if the kernel
/// always assigns all of them.)
template <class T, int N = 1, int Arity = 1>
class Write : public Impl::ComponentAccess<T, N, Arity> {
 public:
  using Impl::ComponentAccess<T, N, Arity>::ComponentAccess;
};

/// Components that hold their old values and are written back.
template <class T, int N = 1, int Arity = 1>
class ReadWrite : public Impl::ComponentAccess<T, N, Arity> {
 public:
  using Impl::ComponentAccess<T, N, Arity>::ComponentAccess;
};

/// Increments. They start at zero, and the library adds them to the dat. The
/// kernel does not see the values of the dat.
template <class T, int N = 1, int Arity = 1>
class Inc : public Impl::ComponentAccess<T, N, Arity> {
 public:
  using Impl::ComponentAccess<T, N, Arity>::ComponentAccess;
};

namespace Impl {

template <class Real>
struct IndexOf {
  using type = int;
  static KOKKOS_FORCEINLINE_FUNCTION Real convert(int index) {
    return Real(index);
  }
};
template <class T, int W>
struct IndexOf<Pack<T, W>> {
  using type = Pack<int, W>;
  static SPOROS_ALWAYS_INLINE Pack<T, W> convert(const type& index) {
    return Pack<T, W>::generate([&](int lane) { return T(index[lane]); });
  }
};

}  // namespace Impl

/// The element's number in a kernel that is a template over its real type: int
/// for numbers, Pack<int, W> for Pack<T, W>. (A kernel that takes an int runs
/// on numbers.)
template <class Real>
using ElementIndex = typename Impl::IndexOf<Real>::type;

/// The number of an element as a real number, or a pack of them.
template <class Real>
KOKKOS_FORCEINLINE_FUNCTION Real index_as(const ElementIndex<Real>& index) {
  return Impl::IndexOf<Real>::convert(index);
}

/// Values that are the same for all elements.
template <class T, int N = 1>
class GlobalRead {
 public:
  using value_type                = T;  ///< a number or a pack
  static constexpr int components = N;  ///< number of values: N

  /// For the implementation; numbers: the same values, of which packs are made.
  KOKKOS_FORCEINLINE_FUNCTION explicit GlobalRead(
      const T* v, const scalar_of<T>* numbers = nullptr)
      : m_v(v), m_numbers(numbers) {}
  /// Kernels that run on packs may ask for plain numbers.
  template <class Number, class = std::enable_if_t<
                              std::is_same<Number, scalar_of<T>>::value &&
                              !std::is_same<Number, T>::value>>
  KOKKOS_FORCEINLINE_FUNCTION operator GlobalRead<Number, N>() const {
    return GlobalRead<Number, N>(m_numbers);
  }
  /// Component c.
  KOKKOS_FORCEINLINE_FUNCTION const T& operator[](int c) const {
    Impl::check_component<N, 1>(c);
    return m_v[c];
  }

 private:
  const T* m_v;
  const scalar_of<T>* m_numbers;
};

/// Values of a global. The last element that assigns a component, in the order
/// of the set or of a subset's list, wins. (In a pack this is the last lane.)
/// The kernel does not see the values of the global.
template <class T, int N = 1>
class GlobalWrite {
 public:
  using value_type                = T;  ///< a number or a pack
  static constexpr int components = N;  ///< number of values: N

  /// For the implementation; assigned: which components were named.
  KOKKOS_FORCEINLINE_FUNCTION GlobalWrite(T* v, bool* assigned)
      : m_v(v), m_assigned(assigned) {}
  /// Component c, to be assigned.
  KOKKOS_FORCEINLINE_FUNCTION T& operator[](int c) const {
    Impl::check_component<N, 1>(c);
    m_assigned[c] = true;
    return m_v[c];
  }

 private:
  T* m_v;
  bool* m_assigned;
};

/// A running sum (a[c] += v), minimum (a[c] = min(a[c], v)) or maximum over the
/// elements, or the contribution of an element to the minimum or maximum of a
/// dat. It starts at 0, or at infinity or -infinity (of integers the largest or
/// lowest number). A NaN makes a minimum or maximum NaN, also with Sporos::min
/// and max; std::min and max may lose it. The library combines partial results
/// in an order that depends only on the data.
template <class T, int N = 1, int Arity = 1>
class Reduce : public Impl::ComponentAccess<T, N, Arity> {
 public:
  using Impl::ComponentAccess<T, N, Arity>::ComponentAccess;
};

namespace Impl {

/// What adds nothing: -0 for floating-point numbers, since x + -0 is x for
/// every x, so that compilers drop the first addition; T() for others.
template <class T>
KOKKOS_FORCEINLINE_FUNCTION constexpr T zero_increment() {
  if constexpr (std::is_floating_point_v<T>)
    return T(-T(0));
  else
    return T();
}

/// How values of a global are combined; last: what the last element wrote.
enum class Reduction { sum, min, max, last };

/// A value and the element that wrote it, -1: none did.
template <class T>
struct Written {
  T value;
  int element;
};
/// What kernels see of a value.
template <class T>
struct KernelValue {
  using type = T;
};
template <class T>
struct KernelValue<Written<T>> {
  using type = T;
};

/// The ends of a type's range, as constants: numeric_limits has no device
/// functions.
template <class T>
struct ValueRange {
  using Limits = std::numeric_limits<T>;
  static_assert(Limits::is_specialized,
                "Sporos::par_loop: min and max need a type with "
                "std::numeric_limits");
  static constexpr T largest =
      Limits::has_infinity ? Limits::infinity() : Limits::max();
  static constexpr T lowest =
      Limits::has_infinity ? T(-Limits::infinity()) : Limits::lowest();
  static constexpr T nan = Limits::quiet_NaN();  ///< T() where there is none
};

template <Reduction R, class T>
KOKKOS_FORCEINLINE_FUNCTION constexpr T reduction_identity() {
  if constexpr (R == Reduction::sum)
    return zero_increment<T>();
  else if constexpr (R == Reduction::last)
    return T{{}, -1};
  else if constexpr (R == Reduction::min)
    return ValueRange<T>::largest;
  else
    return ValueRange<T>::lowest;
}

/// A minimum or maximum with a NaN is NaN.
template <Reduction R, class T>
KOKKOS_FORCEINLINE_FUNCTION T combine(T a, T b) {
  if constexpr (R == Reduction::sum)
    return a + b;
  else if constexpr (R == Reduction::last)
    return b.element > a.element ? b : a;
  else if constexpr (R == Reduction::min)
    return Math::least(a, b);
  else
    return Math::greatest(a, b);
}

}  // namespace Impl
}  // namespace Sporos

#endif
