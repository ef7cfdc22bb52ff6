// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/// Random chains of updates, spread and interpolate on one process.

#ifndef SPOROS_RANDOMTRANSFERS_HPP
#define SPOROS_RANDOMTRANSFERS_HPP

#include "Sporos_TransferChain.hpp"

namespace Sporos {
namespace Test {

using Family = std::string (*)(RandomCase&);
/// Families of cases, one for each type and dimension.
std::vector<Family> transfers_1d();
std::vector<Family> transfers_2d();
std::vector<Family> transfers_3d();

/// T: real numbers of fields and values. All: also complex numbers, fields on
/// faces and arrays of fields.
template <class Real, int Dim, class Delta, class T = Real, bool All = true>
class RandomTransfers : TransferChain<Real, Dim, Delta, T> {
  using Chain = TransferChain<Real, Dim, Delta, T>;
  using typename Chain::Exec;
  using typename Chain::Numbers;
  using Complex = Kokkos::complex<T>;
  template <class V>
  using Field = RandomView<V, Dim>;
  using Chain::column;
  using Chain::delta;
  using Chain::fields_at;
  using Chain::judge_bits;
  using Chain::judge_interpolate;
  using Chain::judge_spread;
  using Chain::log;
  using Chain::plan;
  using Chain::points;
  using Chain::random;
  using Chain::setting;
  using Chain::support;
  using Chain::wrong;

 public:
  static std::string family(RandomCase& random) {
    RandomTransfers chain(random);
    return chain.run();
  }

 private:
  using Chain::Chain;
  /// Are there continuous derivatives?
  static constexpr bool derives =
      Impl::has_derivatives_v<Delta> && support > 2 && All;

  std::string run() {
    const int rounds = random.integer(1, 4);
    for (int round = 0; round < rounds && wrong.empty(); ++round) {
      if (round > 0) {
        // a point that is not finite leaves the plan as it was
        if (this->refuse_bad_point()) interpolate_something();
        if (wrong.empty()) this->update();
      }
      const int calls = random.integer(1, 4);
      for (int call = 0; call < calls && wrong.empty(); ++call)
        random.chance(10)   ? this->sort()
        : random.chance(60) ? spread_something()
                            : interpolate_something();
    }
    return wrong.empty() ? wrong : log.str() + "\n  " + wrong;
  }

  // ---- spread ----

  SpreadOptions spread_options() {
    using A = SpreadAlgorithm;
    SpreadOptions o;
    o.algorithm = setting.options.any_ranks
                      ? random.one_of({A::automatic, A::tiled})
                      : random.one_of({A::automatic, A::serial, A::sweep,
                                       A::tiled, A::sweep_buffered,
                                       A::sweep_buffered_on_the_fly, A::atomic,
                                       A::tiled, A::replicated, A::replicated});
    if (!Impl::is_host_space_v<Exec> && o.algorithm == A::replicated)
      o.algorithm = A::automatic;
    if (support > Impl::most_tiled_v<Exec> && o.algorithm == A::tiled)
      o.algorithm = A::automatic;
    if (o.algorithm == A::automatic || o.algorithm == A::sweep_buffered ||
        o.algorithm == A::sweep_buffered_on_the_fly)
      o.columns = random.one_of({0, 1, 3, 5, 8, 16, 1000});
    return o;
  }
  void log_call(const char* what, int algorithm, int columns,
                const Staggering& g) {
    log << "\n  " << what << ", algorithm " << algorithm << ", columns "
        << columns << ", g";
    for (int d = 0; d < Dim; ++d) log << ' ' << g[d];
  }
  /// The staggering of a call: that of the plan, or another one.
  Staggering call_staggering(std::optional<Staggering>& option) {
    if (random.chance(60)) option = random_staggering(random);
    return option.value_or(setting.options.staggering);
  }

  void spread_something() {
    SpreadOptions o = spread_options();
    const int kind  = random.integer(0, All ? 5 : 2);
    if (kind == 4) return spread_faces(o);
    const Staggering g = call_staggering(o.staggering);
    const bool repeats = o.algorithm != SpreadAlgorithm::atomic;
    if (derives && random.chance(25)) return spread_moments(o, g, repeats);
    if (kind == 0) {
      log_call("spread of scalars", int(o.algorithm), o.columns, g);
      spread_scalars<T>(g, repeats, [&](const auto& l, const auto& f) {
        if (o.algorithm == SpreadAlgorithm::automatic && !o.staggering)
          spread(Exec{}, plan, l, f);
        else
          spread(Exec{}, plan, l, f, o);
      });
    } else if (kind == 1) {
      spread_components(o, g, repeats);
    } else if (kind == 2 && !setting.options.any_ranks) {
      spread_by_buffer(o, g);
    } else if constexpr (All) {
      if (kind == 5) return spread_array(o, g, repeats);
      log_call("spread of complex numbers", int(o.algorithm), o.columns, g);
      spread_scalars<Complex>(g, repeats, [&](const auto& l, const auto& f) {
        spread(Exec{}, plan, l, f, o);
      });
    }
  }
  void spread_moments([[maybe_unused]] const SpreadOptions& o,
                      [[maybe_unused]] const Staggering& g,
                      [[maybe_unused]] bool repeats) {
    if constexpr (derives) {
      log_call("spread of dipoles", int(o.algorithm), o.columns, g);
      RandomView<T, 2> moments(random, {points.size(), Dim});
      moments.fill(random);
      auto field = this->template field_at<T>(g), again = field;
      const Numbers before = field.numbers();
      spread_dipoles(Exec{}, plan, moments.view(), field.view(), o);
      spread_dipoles(Exec{}, plan, moments.view(), again.view(), o);
      judge_bits(field, again, repeats);
      judge_spread(g, 1, moments.numbers(), before, field.numbers(), true);
    }
  }
  /// call(strengths, field): one number a point
  template <class V, class Call>
  void spread_scalars(const Staggering& g, bool repeats, const Call& call) {
    RandomView<V, 1> strengths(random, {points.size()});
    strengths.fill(random);
    auto field = this->template field_at<V>(g), again = field;
    const Numbers before = field.numbers();
    if (random.chance(30)) {
      auto sorted = this->template in_order<V, 1>(strengths, {points.size()});
      call(in_plan_order(sorted.view()), field.view());
      call(in_plan_order(sorted.view()), again.view());
    } else {
      call(strengths.view(), field.view());
      call(strengths.view(), again.view());
    }
    judge_bits(field, again, repeats);
    judge_spread(g, Impl::RealOf<V>::parts, strengths.numbers(), before,
                 field.numbers());
  }
  void spread_components(const SpreadOptions& o, const Staggering& g,
                         bool repeats) {
    const int c = random.integer(1, 6);
    log_call("spread of components", int(o.algorithm), o.columns, g);
    log << ", components " << c;
    RandomView<T, 2> strengths(random, {points.size(), c});
    strengths.fill(random);
    auto field = fields_at(g, c), again = field;
    const Numbers before = field.numbers();
    if (random.chance(30)) {
      auto sorted =
          this->template in_order<T, 2>(strengths, {points.size(), c});
      spread(Exec{}, plan, in_plan_order(sorted.view()), field.view(), o);
      spread(Exec{}, plan, in_plan_order(sorted.view()), again.view(), o);
    } else {
      spread(Exec{}, plan, strengths.view(), field.view(), o);
      spread(Exec{}, plan, strengths.view(), again.view(), o);
    }
    judge_bits(field, again, repeats);
    judge_spread(g, c, strengths.numbers(), before, field.numbers());
  }
  void spread_by_buffer(SpreadOptions o, const Staggering& g) {
    o.algorithm = SpreadAlgorithm::automatic;
    o.columns   = 0;
    int size    = 1;
    for (int d = 0; d < Dim; ++d) size *= setting.points(d, g[d]);
    RandomView<T, 2> buffer(random, {size, random.integer(1, 17)});
    log_call("spread by a buffer", 0, int(buffer.view().extent(1)), g);
    buffer.fill(random);
    spread_scalars<T>(g, true, [&](const auto& l, const auto& f) {
      spread(Exec{}, plan, l, f, buffer.view(), o);
    });
    if (!buffer.gaps_are_untouched()) wrong = "gaps of the buffer changed";
  }
  /// fields[k] with the staggering at(k), by call(strengths, fields)
  template <std::size_t N, class At, class Call>
  void spread_fields(const At& at, bool repeats, const Call& call) {
    RandomView<T, 2> strengths(random, {points.size(), int(N)});
    strengths.fill(random);
    std::array<Field<T>, N> field;
    for (std::size_t k = 0; k < N; ++k)
      field[k] = this->template field_at<T>(at(int(k)));
    auto again        = field;
    const auto before = field;
    Kokkos::Array<typename Field<T>::View, N> views, same;
    for (std::size_t k = 0; k < N; ++k) {
      views[k] = field[k].view();
      same[k]  = again[k].view();
    }
    call(strengths.view(), views);
    call(strengths.view(), same);
    for (std::size_t k = 0; k < N; ++k) {
      judge_bits(field[k], again[k], repeats);
      judge_spread(at(int(k)), 1, column(strengths.numbers(), int(k), int(N)),
                   before[k].numbers(), field[k].numbers());
    }
  }
  void spread_faces([[maybe_unused]] const SpreadOptions& o) {
    if constexpr (All) {
      log_call("spread to faces", int(o.algorithm), o.columns, {});
      spread_fields<Dim>([](int k) { return Grid<Dim>::face(k); },
                         o.algorithm != SpreadAlgorithm::atomic,
                         [&](const auto& l, const auto& f) {
                           spread(Exec{}, plan, l, on_faces(f), o);
                         });
    }
  }
  void spread_array(const SpreadOptions& o, const Staggering& g, bool repeats) {
    log_call("spread to an array", int(o.algorithm), o.columns, g);
    spread_fields<5>(
        [&](int) { return g; }, repeats,
        [&](const auto& l, const auto& f) { spread(Exec{}, plan, l, f, o); });
  }

  // ---- interpolate ----

  void interpolate_something() {
    using A = InterpolateAlgorithm;
    InterpolateOptions o;
    o.algorithm = setting.options.any_ranks
                      ? random.one_of({A::automatic, A::tiled})
                      : random.one_of({A::automatic, A::serial, A::sorted,
                                       A::tiled, A::unsorted});
    if (!Impl::is_host_space_v<Exec> && o.algorithm == A::unsorted)
      o.algorithm = A::automatic;
    if (support > Impl::most_images_v<Exec> && o.algorithm == A::tiled)
      o.algorithm = A::sorted;
    const int kind = random.integer(0, All ? 4 : 2);
    if (kind == 4) return interpolate_faces(o);
    const Staggering g = call_staggering(o.staggering);
    if (derives && random.chance(25)) return interpolate_slopes(o, g);
    if (kind == 0) {
      log_call("interpolate scalars", int(o.algorithm), 0, g);
      interpolate_scalars<T>(g, setting.options.staggering,
                             [&](const auto& f, const auto& v) {
                               if (o.algorithm == A::automatic && !o.staggering)
                                 interpolate(Exec{}, plan, f, v);
                               else
                                 interpolate(Exec{}, plan, f, v, o);
                             });
    } else if (kind == 1) {
      interpolate_components(o, g);
    } else if (kind == 2 && !setting.window) {
      log_call("interpolate without a plan", 0, 0, g);
      auto x = this->positions();
      interpolate_scalars<T>(g, g, [&](const auto& f, const auto& v) {
        interpolate(Exec{}, setting.grid, delta, x.view(), f, v, g);
      });
    } else if constexpr (All) {
      log_call("interpolate complex numbers", int(o.algorithm), 0, g);
      interpolate_scalars<Complex>(g, setting.options.staggering,
                                   [&](const auto& f, const auto& v) {
                                     interpolate(Exec{}, plan, f, v, o);
                                   });
    }
  }
  void interpolate_slopes([[maybe_unused]] const InterpolateOptions& o,
                          [[maybe_unused]] const Staggering& g) {
    if constexpr (derives) {
      log_call("interpolate gradients", int(o.algorithm), 0, g);
      auto field = this->template field_at<T>(g);
      RandomView<T, 1> values(random, {points.size()});
      RandomView<T, 2> gradients(random, {points.size(), Dim});
      const bool both = random.chance(50);
      if (both)
        interpolate_with_gradient(Exec{}, plan, field.view(), values.view(),
                                  gradients.view(), o);
      else
        interpolate_gradient(Exec{}, plan, field.view(), gradients.view(), o);
      digest(gradients.memory());
      if (!gradients.gaps_are_untouched()) wrong = "gaps of gradients changed";
      if (both)
        judge_interpolate(g, setting.options.staggering, 1, field.numbers(),
                          values.numbers());
      for (int d = 0; d < Dim; ++d)
        judge_interpolate(g, setting.options.staggering, 1, field.numbers(),
                          column(gradients.numbers(), d, Dim), d);
    }
  }
  template <class V, class Call>
  void interpolate_scalars(const Staggering& g, const Staggering& sorted_for,
                           const Call& call) {
    auto field = this->template field_at<V>(g);
    RandomView<V, 1> values(random, {points.size()});
    values.fill(random);
    auto again = values;
    call(field.view(), values.view());
    call(field.view(), again.view());
    judge_bits(values, again, true);
    judge_interpolate(g, sorted_for, Impl::RealOf<V>::parts, field.numbers(),
                      values.numbers());
  }
  void interpolate_components(const InterpolateOptions& o,
                              const Staggering& g) {
    const int c = random.integer(1, 6);
    log_call("interpolate components", int(o.algorithm), 0, g);
    log << ", components " << c;
    auto field = fields_at(g, c);
    RandomView<T, 2> values(random, {points.size(), c});
    values.fill(random);
    auto again = values;
    interpolate(Exec{}, plan, field.view(), values.view(), o);
    interpolate(Exec{}, plan, field.view(), in_plan_order(again.view()), o);
    auto sorted = again, expected = values;
    const auto order = plan.permutation();
    for (int i = 0; i < points.size(); ++i)
      for (int k = 0; k < c; ++k)
        expected.view()(i, k) = values.view()(order(std::size_t(i)), k);
    judge_bits(sorted, expected, true);
    judge_interpolate(g, setting.options.staggering, c, field.numbers(),
                      values.numbers());
  }
  void interpolate_faces([[maybe_unused]] const InterpolateOptions& o) {
    if constexpr (All) {
      log_call("interpolate faces", int(o.algorithm), 0, {});
      std::array<Field<T>, Dim> field;
      Kokkos::Array<typename Field<T>::View, Dim> views;
      for (int k = 0; k < Dim; ++k) {
        field[k] = this->template field_at<T>(Grid<Dim>::face(k));
        views[k] = field[k].view();
      }
      RandomView<T, 2> values(random, {points.size(), Dim});
      values.fill(random);
      interpolate(Exec{}, plan, on_faces(views), values.view(), o);
      digest(values.memory());
      for (int k = 0; k < Dim; ++k)
        judge_interpolate(Grid<Dim>::face(k), setting.options.staggering, 1,
                          field[k].numbers(), column(values.numbers(), k, Dim));
    }
  }
};

}  // namespace Test
}  // namespace Sporos

#endif  // SPOROS_RANDOMTRANSFERS_HPP
