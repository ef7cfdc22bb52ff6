// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef SPOROS_BENCH_CORRELATION_FFTW_HPP
#define SPOROS_BENCH_CORRELATION_FFTW_HPP

/// \file Correlation_Fftw.hpp
/// FFTW as a careful user employs it: measured plans, the fastest of several
/// good sizes; transforms of left matrices (and of right ones that many share)
/// are used again; threads share the pairs. Padded for all shifts, or no
/// further than those that are wanted need it.

#include "Correlation_Peers.hpp"

#include <complex>
#include <map>
#include <memory>
#include <vector>

#include <fftw3.h>

namespace Bench {

template <class T>
struct Fftw;

#define SPOROS_BENCH_FFTW(T, prefix)                                      \
  template <>                                                             \
  struct Fftw<T> {                                                        \
    using Plan    = prefix##_plan;                                        \
    using Complex = prefix##_complex;                                     \
    static Plan forward(int n, T* in, Complex* out) {                     \
      return prefix##_plan_dft_r2c_2d(n, n, in, out, FFTW_MEASURE);       \
    }                                                                     \
    static Plan backward(int n, Complex* in, T* out) {                    \
      return prefix##_plan_dft_c2r_2d(n, n, in, out,                      \
                                      FFTW_MEASURE | FFTW_DESTROY_INPUT); \
    }                                                                     \
    static void run(Plan p, T* in, Complex* out) {                        \
      prefix##_execute_dft_r2c(p, in, out);                               \
    }                                                                     \
    static void run(Plan p, Complex* in, T* out) {                        \
      prefix##_execute_dft_c2r(p, in, out);                               \
    }                                                                     \
    static void* allocate(std::size_t bytes) {                            \
      return prefix##_malloc(bytes);                                      \
    }                                                                     \
    static void free(void* p) { prefix##_free(p); }                       \
    static void destroy(Plan p) { prefix##_destroy_plan(p); }             \
  };

SPOROS_BENCH_FFTW(double, fftw)
SPOROS_BENCH_FFTW(float, fftwf)
#undef SPOROS_BENCH_FFTW

/// Plans for size x size, and the arrays that one thread needs.
template <class T>
class FftwPlans {
 public:
  using F       = Fftw<T>;
  using Complex = std::complex<T>;
  using Raw     = typename F::Complex;
  template <class U>
  using Array = std::unique_ptr<U[], void (*)(void*)>;

  explicit FftwPlans(int n) : size(n) {
    const auto r = reals();
    const auto c = spectrum();
    m_forward    = F::forward(n, r.get(), raw(c.get()));
    m_backward   = F::backward(n, raw(c.get()), r.get());
  }
  FftwPlans(const FftwPlans&)            = delete;
  FftwPlans& operator=(const FftwPlans&) = delete;
  ~FftwPlans() {
    F::destroy(m_forward);
    F::destroy(m_backward);
  }

  std::size_t spectrum_size() const {
    return std::size_t(size) * std::size_t(size / 2 + 1);
  }
  Array<T> reals() const { return array<T>(std::size_t(size) * size); }
  Array<Complex> spectrum() const { return array<Complex>(spectrum_size()); }

  /// Pads an n x n matrix with zeros and transforms it.
  void forward(const T* matrix, int n, T* work, Complex* result) const {
    for (int y = 0; y < n; ++y) {
      std::copy(matrix + y * n, matrix + (y + 1) * n, work + y * size);
      std::fill(work + y * size + n, work + (y + 1) * size, T(0));
    }
    std::fill(work + n * size, work + std::size_t(size) * size, T(0));
    F::run(m_forward, work, raw(result));
  }
  /// Destroys the spectrum.
  void backward(Complex* s, T* result) const {
    F::run(m_backward, raw(s), result);
  }

  const int size;

 private:
  static Raw* raw(Complex* c) { return reinterpret_cast<Raw*>(c); }
  template <class U>
  static Array<U> array(std::size_t n) {
    U* const data = static_cast<U*>(F::allocate(n * sizeof(U)));
    std::fill(data, data + n, U(0));
    return {data, [](void* p) { F::free(p); }};
  }

  typename F::Plan m_forward, m_backward;
};

/// The fastest plans for transforms of at least `least` points a side, measured
/// once: of the next sizes without prime factors above 7, and the next multiple
/// of 16 among them.
template <class T>
const FftwPlans<T>& best_plans(int least) {
  static std::map<int, std::unique_ptr<FftwPlans<T>>> known;
  auto& best = known[least];
  if (best) return *best;
  const auto smooth = [](int n) {
    for (const int p : {2, 3, 5, 7})
      while (n % p == 0) n /= p;
    return n == 1;
  };
  std::vector<int> sizes;
  for (int n = least; sizes.size() < 3; ++n)
    if (smooth(n) && n % 2 == 0) sizes.push_back(n);
  for (int n = (least + 15) / 16 * 16;; n += 16)
    if (smooth(n)) {
      if (n > sizes.back()) sizes.push_back(n);
      break;
    }
  double fastest = 0;
  for (const int n : sizes) {
    auto plans   = std::make_unique<FftwPlans<T>>(n);
    const auto r = plans->reals();
    const auto s = plans->spectrum();
    Work work;
    const int turns = std::max(1, 20000 / (n * n));
    work.run        = [&] {
      for (int k = 0; k < turns; ++k) {
        plans->forward(r.get(), 1, r.get(), s.get());
        plans->backward(s.get(), r.get());
      }
    };
    std::vector<double> seconds;
    for (int k = 0; k < 9; ++k) {
      const Timer timer;
      work.run();
      seconds.push_back(timer.seconds() / turns);
    }
    const double t = median(seconds);
    if (!best || t < fastest) {
      fastest = t;
      best    = std::move(plans);
    }
  }
  return *best;
}

/// One thread's share of the pairs.
template <class T>
class FftwWorker {
 public:
  using Complex = std::complex<T>;

  FftwWorker(const FftwPlans<T>& plans, const CorrelationConfig& config)
      : m_plans(plans),
        m_config(config),
        m_real(plans.reals()),
        m_left(plans.spectrum()),
        m_product(plans.spectrum()) {}

  void transform(const T* matrix, Complex* result) {
    m_plans.forward(matrix, m_config.n, m_real.get(), result);
  }

  /// Pairs [first, last); rights: the spectra of all right matrices, or null.
  void run(const T* left, const T* right, const Complex* rights, T* out,
           int first, int last) {
    const int m              = m_config.extents().m;
    const std::size_t matrix = std::size_t(m_config.n) * m_config.n;
    const std::size_t result =
        std::size_t(m_config.shifts().rows()) * m_config.shifts().columns();
    int current = -1;
    for (int pair = first; pair < last; ++pair) {
      if (pair / m != current) {
        current = pair / m;
        transform(left + current * matrix, m_left.get());
      }
      const Complex* r = m_product.get();
      if (rights)
        r = rights + (pair % m) * m_plans.spectrum_size();
      else
        transform(right + pair * matrix, m_product.get());
      multiply(r);
      m_plans.backward(m_product.get(), m_real.get());
      extract(out + pair * result);
    }
  }

 private:
  /// product = left conj(right), parts written out: products of std::complex
  /// look for infinities.
  void multiply(const Complex* right) {
    const T* const l = reinterpret_cast<const T*>(m_left.get());
    const T* const r = reinterpret_cast<const T*>(right);
    T* const p       = reinterpret_cast<T*>(m_product.get());
    for (std::size_t k = 0; k < 2 * m_plans.spectrum_size(); k += 2) {
      const T re = l[k] * r[k] + l[k + 1] * r[k + 1];
      const T im = l[k + 1] * r[k] - l[k] * r[k + 1];
      p[k]       = re;
      p[k + 1]   = im;
    }
  }

  /// Shifts below 0 lie at the end.
  void extract(T* out) const {
    const Sporos::ShiftWindow s = m_config.shifts();
    const int size              = m_plans.size;
    const T factor              = T(1) / (T(size) * T(size));
    for (int dy = s.dy0; dy < s.dy1; ++dy) {
      const T* const row = m_real.get() + (dy < 0 ? dy + size : dy) * size;
      for (int dx = s.dx0; dx < 0; ++dx) *out++ = factor * row[dx + size];
      for (int dx = 0; dx < s.dx1; ++dx) *out++ = factor * row[dx];
    }
  }

  const FftwPlans<T>& m_plans;
  CorrelationConfig m_config;
  typename FftwPlans<T>::template Array<T> m_real;
  typename FftwPlans<T>::template Array<Complex> m_left, m_product;
};

/// \param padded for all shifts, also if fewer are wanted
template <class T>
Work fftw_work(const CorrelationProblem<T>& p, bool padded) {
  using Complex                  = std::complex<T>;
  const CorrelationConfig config = p.config;
  Work work;
  work.bytes                = 1;  // not looked at
  const FftwPlans<T>* found = nullptr;
  work.setup_ms             = milliseconds([&] {
    const int largest = padded ? config.n : config.shifts().dx1;
    found             = &best_plans<T>(config.n + largest - 1);
  });
  const FftwPlans<T>& plans = *found;
  const int threads         = HostExec().concurrency();
  const auto workers        = std::make_shared<std::vector<FftwWorker<T>>>();
  for (int k = 0; k < threads; ++k) workers->emplace_back(plans, config);
  const bool shared = config.pairing == Pairing::n_to_m;
  const int m       = p.extents.m;
  const auto rights = std::make_shared<std::vector<Complex>>(
      shared ? m * plans.spectrum_size() : 0);
  const auto left = on_host(p.left), right = on_host(p.right),
             out           = on_host(p.out);
  const std::size_t matrix = std::size_t(config.n) * config.n;
  // each worker its share of `count`
  const auto share = [=](int count, const auto& f) {
    Kokkos::parallel_for("Sporos::bench::fftw",
                         Kokkos::RangePolicy<HostExec>(0, threads),
                         [&](const int k) {
                           f((*workers)[std::size_t(k)], count * k / threads,
                             count * (k + 1) / threads);
                         });
  };
  work.run = [=, &plans] {
    if (shared)
      share(m, [&](FftwWorker<T>& w, int first, int last) {
        for (int j = first; j < last; ++j)
          w.transform(right.data() + j * matrix,
                      rights->data() + j * plans.spectrum_size());
      });
    share(config.pairs, [&](FftwWorker<T>& w, int first, int last) {
      w.run(left.data(), right.data(), shared ? rights->data() : nullptr,
            out.data(), first, last);
    });
    HostExec().fence();
  };
  return work;
}

}  // namespace Bench

#endif
