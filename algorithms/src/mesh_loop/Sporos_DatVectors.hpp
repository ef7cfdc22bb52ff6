// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef SPOROS_DATVECTORS_HPP
#define SPOROS_DATVECTORS_HPP

/// \file Sporos_DatVectors.hpp
/// Dats as vectors: dot, norm, axpy, axpby, scale, copy, for solvers such as
/// conjugate gradients.
///
/// All are loops over the set of the dats: both layouts, all components, the
/// same bits on every run and at any number of threads. On a distributed set
/// they are collective and take owned elements alone; dot and norm are those of
/// all ranks, and loops fill the halos of what was changed when they read it.
///
/// \code
///   const double rr = Sporos::dot(exec, r, r);
///   Sporos::axpy(exec, rr / pq, p, x);    // x += rr / pq * p
///   Sporos::axpy(exec, -rr / pq, q, r);
/// \endcode

#include <Sporos_Error.hpp>
#include <Sporos_Mesh.hpp>
#include <Sporos_ParLoop.hpp>
#include <Sporos_RealOf.hpp>
#include <mesh_loop/plan/Sporos_LoopChecks.hpp>

#include <cmath>
#include <cstdint>
#include <string>
#include <type_traits>

namespace Sporos {

/// Options of dot and norm.
struct VectorOptions {
  /// Add the elements' products without rounding and round once at the end, so
  /// that the bits do not depend on the order of the elements nor on the number
  /// of ranks. Takes a number of memory for each element, and two to five times
  /// as long. Dats of meshes with DistributeOptions::any_ranks are always
  /// summed so.
  bool exact = false;
};

namespace Impl {

/// What dots of T add up, and how many sums. Exact: without rounding
template <class T, bool Exact>
struct DotType {
  static_assert(std::is_integral_v<T> || is_exact_type_v<T>,
                "Sporos::dot: values must be float, double, Kokkos::complex of "
                "these, or integers");
  using Wide =
      std::conditional_t<std::is_signed_v<T>, std::int64_t, std::uint64_t>;
  /// of float: products are exact in double
  using Real = std::conditional_t<Exact, double, T>;
  using sum  = std::conditional_t<std::is_integral_v<T>, Wide, Real>;
  static constexpr int parts = 1;
  using result = std::conditional_t<std::is_integral_v<T>, Wide, T>;
};
template <class R, bool Exact>
struct DotType<Kokkos::complex<R>, Exact> {
  using sum                  = typename DotType<R, Exact>::sum;
  static constexpr int parts = 2;  // real and imaginary
  using result               = Kokkos::complex<R>;
};
template <class T>
using dot_result = typename DotType<T, false>::result;

/// x . y, on packs, too.
template <int N>
struct DotReals {
  template <class Real>
  KOKKOS_FUNCTION void operator()(Read<Real, N> x, Read<Real, N> y,
                                  Reduce<Real> total) const {
    Real sum = x[0] * y[0];
    for (int c = 1; c < x.component_count(); ++c) sum += x[c] * y[c];
    total[0] += sum;
  }
};
/// x . y in another type.
template <class T, int N, class Sum>
struct DotNumbers {
  KOKKOS_FUNCTION void operator()(Read<T, N> x, Read<T, N> y,
                                  Reduce<Sum> total) const {
    Sum sum = Sum(x[0]) * Sum(y[0]);
    for (int c = 1; c < x.component_count(); ++c) sum += Sum(x[c]) * Sum(y[c]);
    total[0] += sum;
  }
};
/// conj(x) . y
template <class R, int N, class Sum>
struct DotNumbers<Kokkos::complex<R>, N, Sum> {
  KOKKOS_FUNCTION void operator()(Read<Kokkos::complex<R>, N> x,
                                  Read<Kokkos::complex<R>, N> y,
                                  Reduce<Sum, 2> total) const {
    Sum re = 0, im = 0;
    for (int c = 0; c < x.component_count(); ++c) {
      const Sum a = x[c].real(), b = x[c].imag();
      re += a * Sum(y[c].real()) + b * Sum(y[c].imag());
      im += a * Sum(y[c].imag()) - b * Sum(y[c].real());
    }
    total[0] += re;
    total[1] += im;
  }
};

/// y = a x + y
template <class T, int N>
struct AddMultiple {
  T a;
  template <class Real>
  KOKKOS_FUNCTION void operator()(Read<Real, N> x, ReadWrite<Real, N> y) const {
    for (int c = 0; c < x.component_count(); ++c) y[c] += Real(a) * x[c];
  }
};
/// y = a x + b y
template <class T, int N>
struct Combine {
  T a, b;
  template <class Real>
  KOKKOS_FUNCTION void operator()(Read<Real, N> x, ReadWrite<Real, N> y) const {
    for (int c = 0; c < x.component_count(); ++c)
      y[c] = Real(a) * x[c] + Real(b) * y[c];
  }
};
/// x = a x
template <class T, int N>
struct Multiply {
  T a;
  template <class Real>
  KOKKOS_FUNCTION void operator()(ReadWrite<Real, N> x) const {
    for (int c = 0; c < x.component_count(); ++c) x[c] *= Real(a);
  }
};
/// y = x
template <int N>
struct Assign {
  template <class Real>
  KOKKOS_FUNCTION void operator()(Read<Real, N> x, Write<Real, N> y) const {
    for (int c = 0; c < x.component_count(); ++c) y[c] = x[c];
  }
};

/// Throws unless x and y are dats of one set.
template <class T, int N, class L, class M, class U, int C, class K, class O>
[[gnu::cold]] void check_vectors(const char* function, const Dat<T, N, L, M>& x,
                                 const Dat<U, C, K, O>& y) {
  static_assert(std::is_same_v<T, U> && N == C,
                "Sporos::dot, axpy, axpby, copy: x and y must have the same "
                "type of values and number of components");
  check_handle(x.is_made(), function, "x");
  check_handle(y.is_made(), function, "y");
  const SetState& set = *x.set().state();
  check(x.set() == y.set(), function, y.name().c_str(),
        "a dat on the set of x, " + set_in_words(set),
        "a dat on " + other_in_words(*y.set().state(), set));
  check(x.component_count() == y.component_count(), function, y.name().c_str(),
        text(x.component_count(), " components, as x has"),
        y.component_count());
}

/// f(the default instance of the default execution space); waits.
template <class F>
void in_default_instance(const char* function, const F& f) {
  const Kokkos::DefaultExecutionSpace exec{};
  f(exec);
  fence(exec, function);
}

/// Are sums of a set the same at any number of ranks?
inline bool has_exact_sums(const Set& set) {
  const SetParts* const parts = set.state()->parts.get();
  return parts != nullptr && parts->any_ranks;
}

inline namespace SPOROS_IMPL_LOOPS {

/// A loop whose sums are not rounded; compiles nothing else.
template <class Exec, class Kernel, class... Args>
void exact_loop(const std::string& label, const Exec& exec, const Set& set,
                const Kernel& kernel, const Args&... args) {
  const ProfilingRegion region("Sporos::par_loop::", label);
  const std::shared_ptr<LoopPlanState<Exec>>* const no_plan = nullptr;
  with_label(label, [&] {
    checked_loop<Compiled::any_ranks>(label, exec, SetRange(set),
                                      with_any_ranks({}), no_plan, kernel,
                                      args...);
  });
}

template <bool Exact, class Exec, class T, int N, class L, class M, class K>
void add_products(const std::string& label, const Exec& exec,
                  const Dat<T, N, L, M>& x, const Dat<T, N, K, M>& y,
                  typename DotType<T, Exact>::sum* sums) {
  using Type = DotType<T, Exact>;
  using Sum  = typename Type::sum;
  using Kernel =
      std::conditional_t<std::is_same_v<Sum, T> && std::is_floating_point_v<T>,
                         DotReals<N>, DotNumbers<T, N, Sum>>;
  const HostReduceArg<Sum, Type::parts, Reduction::sum> total{sums};
  if constexpr (Exact)
    exact_loop(label, exec, x.set(), Kernel{}, read(x), read(y), total);
  else
    par_loop(label, exec, x.set(), Kernel{}, read(x), read(y), total);
}

/// f(sums) with those of x . y: one, or two for complex numbers.
template <class Exec, class T, int N, class L, class M, class K, class F>
auto with_products(const char* label, const Exec& exec,
                   const Dat<T, N, L, M>& x, const Dat<T, N, K, M>& y,
                   const VectorOptions& options, const F& f) {
  check_vectors((std::string("Sporos::") + label).c_str(), x, y);
  if (options.exact || has_exact_sums(x.set())) {
    typename DotType<T, true>::sum sums[2] = {};
    add_products<true>(label, exec, x, y, sums);
    return f(sums);
  }
  typename DotType<T, false>::sum sums[2] = {};
  add_products<false>(label, exec, x, y, sums);
  return f(sums);
}

}  // namespace SPOROS_IMPL_LOOPS
}  // namespace Impl

inline namespace SPOROS_IMPL_LOOPS {

/// The sum over all elements and components of x y, of complex numbers of
/// conj(x) y. Of integers it is an integer of 64 bits, in which it must fit;
/// else a T. Waits for exec. (Every function here throws if it is called wrong,
/// before anything is written.)
/// \throws std::invalid_argument for dats of different sets
template <class Exec, class T, int N, class L, class M, class K>
Impl::dot_result<T> dot(const Exec& exec, const Dat<T, N, L, M>& x,
                        const Dat<T, N, K, M>& y,
                        const VectorOptions& options = {}) {
  return Impl::with_products(
      "dot", exec, x, y, options, [](const auto* sums) -> Impl::dot_result<T> {
        if constexpr (Impl::DotType<T, false>::parts == 2) {
          using R = typename T::value_type;
          return {R(sums[0]), R(sums[1])};
        } else {
          return Impl::dot_result<T>(sums[0]);
        }
      });
}
/// dot in the default instance of the default execution space.
template <class T, int N, class L, class M, class K>
auto dot(const Dat<T, N, L, M>& x, const Dat<T, N, K, M>& y,
         const VectorOptions& options = {}) {
  return dot(Kokkos::DefaultExecutionSpace{}, x, y, options);
}

/// The square root of the sum of the squared magnitudes of all values, which
/// must not overflow: for floating-point and complex numbers. Waits for exec.
/// \throws std::invalid_argument for a dat that is not made
template <class Exec, class T, int N, class L, class M>
Impl::real_of<T> norm(const Exec& exec, const Dat<T, N, L, M>& x,
                      const VectorOptions& options = {}) {
  using R = Impl::real_of<T>;
  static_assert(std::is_floating_point_v<R>,
                "Sporos::norm: values must be floating-point or complex "
                "numbers; take dot(x, x) of integers");
  return Impl::with_products("norm", exec, x, x, options, [](const auto* sums) {
    return R(std::sqrt(sums[0]));
  });
}
/// norm in the default instance of the default execution space.
template <class T, int N, class L, class M>
auto norm(const Dat<T, N, L, M>& x, const VectorOptions& options = {}) {
  return norm(Kokkos::DefaultExecutionSpace{}, x, options);
}

/// y += a x, for all values. Asynchronous in exec.
/// \throws std::invalid_argument for dats of different sets, and for memory
///   that overlaps in part
template <class Exec, class T, int N, class L, class M, class K>
void axpy(const Exec& exec, const typename Dat<T, N, L, M>::value_type& a,
          const Dat<T, N, L, M>& x, const Dat<T, N, K, M>& y) {
  Impl::check_vectors("Sporos::axpy", x, y);
  par_loop("axpy", exec, x.set(), Impl::AddMultiple<T, N>{a}, read(x), rw(y));
}
/// axpy in the default instance of the default execution space; waits.
template <class T, int N, class L, class M, class K>
void axpy(const typename Dat<T, N, L, M>::value_type& a,
          const Dat<T, N, L, M>& x, const Dat<T, N, K, M>& y) {
  Impl::in_default_instance("Sporos::axpy",
                            [&](const auto& e) { axpy(e, a, x, y); });
}

/// y = a x + b y, for all values. Asynchronous in exec.
/// \throws std::invalid_argument as axpy
template <class Exec, class T, int N, class L, class M, class K>
void axpby(const Exec& exec, const typename Dat<T, N, L, M>::value_type& a,
           const Dat<T, N, L, M>& x,
           const typename Dat<T, N, L, M>::value_type& b,
           const Dat<T, N, K, M>& y) {
  Impl::check_vectors("Sporos::axpby", x, y);
  par_loop("axpby", exec, x.set(), Impl::Combine<T, N>{a, b}, read(x), rw(y));
}
/// axpby in the default instance of the default execution space; waits.
template <class T, int N, class L, class M, class K>
void axpby(const typename Dat<T, N, L, M>::value_type& a,
           const Dat<T, N, L, M>& x,
           const typename Dat<T, N, L, M>::value_type& b,
           const Dat<T, N, K, M>& y) {
  Impl::in_default_instance("Sporos::axpby",
                            [&](const auto& e) { axpby(e, a, x, b, y); });
}

/// x = a x, for all values. Asynchronous in exec.
/// \throws std::invalid_argument for a dat that is not made
template <class Exec, class T, int N, class L, class M>
void scale(const Exec& exec, const typename Dat<T, N, L, M>::value_type& a,
           const Dat<T, N, L, M>& x) {
  Impl::check_handle(x.is_made(), "Sporos::scale", "x");
  par_loop("scale", exec, x.set(), Impl::Multiply<T, N>{a}, rw(x));
}
/// scale in the default instance of the default execution space; waits.
template <class T, int N, class L, class M>
void scale(const typename Dat<T, N, L, M>::value_type& a,
           const Dat<T, N, L, M>& x) {
  Impl::in_default_instance("Sporos::scale",
                            [&](const auto& e) { scale(e, a, x); });
}

/// y = x, for all values, of any type, also from AoS to SoA. Asynchronous in
/// exec. \throws std::invalid_argument as axpy
template <class Exec, class T, int N, class L, class M, class K>
void copy(const Exec& exec, const Dat<T, N, L, M>& x,
          const Dat<T, N, K, M>& y) {
  Impl::check_vectors("Sporos::copy", x, y);
  par_loop("copy", exec, x.set(), Impl::Assign<N>{}, read(x), write(y));
}
/// copy in the default instance of the default execution space; waits.
template <class T, int N, class L, class M, class K>
void copy(const Dat<T, N, L, M>& x, const Dat<T, N, K, M>& y) {
  Impl::in_default_instance("Sporos::copy",
                            [&](const auto& e) { copy(e, x, y); });
}

}  // namespace SPOROS_IMPL_LOOPS
}  // namespace Sporos

#endif
