// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// What spread and interpolate refuse.

#include "Sporos_WrongTransfers.hpp"

#include <cstddef>
#include <functional>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace WrongTransferCalls {

using namespace Sporos;
using namespace Sporos::Test;

/// Values of the points and fields on the grid, each in memory of its own.
struct Transfers : Points {
  V1 values{take(10), 10};
  V2 vectors{take(20), 10, 2}, field{take(54), 9, 6};
  V3 fields{take(108), 9, 6, 2};
  V2 buffer{take(54 * 2), 54, 2};
  // on faces: u normal to the wall, v along it
  V2 u{take(54), 9, 6}, v{take(48), 8, 6};
  TransferPlan plan{exec, grid, Cosine4{}, x};
  Untouched untouched;

  Transfers() {
    untouched.watch(x_data.data(), 20 * sizeof(double));
    untouched.fill(V1(numbers.data(), numbers.size()));
  }
  /// Spare memory that is watched, too.
  template <class View, class... N>
  View spare(N... extents) {
    return View(numbers.data() + used, std::size_t(extents)...);
  }
};

/// Rows for both functions at once: the same argument in both.
class BothRows {
 public:
  explicit BothRows(const Transfers& t) : m_t(t) {}

  /// argument "values" stands for "strengths" in rows of spread.
  template <class Values, class Field>
  void add(const std::string& what, const Values& values, const Field& field,
           const std::string& argument, const std::string& expected,
           const std::string& actual,
           const std::optional<Staggering>& g = std::nullopt) {
    SpreadOptions s;
    InterpolateOptions i;
    s.staggering = i.staggering = g;
    const auto& t               = m_t;
    m_rows.push_back({what + ", spread",
                      [=, &t] { spread(t.exec, t.plan, values, field, s); },
                      "Sporos::spread",
                      argument == "values" ? "strengths" : argument, expected,
                      actual});
    m_rows.push_back(
        {what + ", interpolate",
         [=, &t] { interpolate(t.exec, t.plan, field, values, i); },
         "Sporos::interpolate", argument, expected, actual});
  }
  const std::vector<WrongCall>& rows() const { return m_rows; }

 private:
  const Transfers& m_t;
  std::vector<WrongCall> m_rows;
};

TEST_CASE("wrong values and fields", "[wrong_calls]") {
  Transfers t;
  BothRows both(t);
  const V2& f = t.field;
  both.add("a value too few", t.spare<V1>(9), f, "values",
           "extent(0) == 10, the number of points", "(9)");
  both.add("no values", V1(), f, "values", "extent(0) == 10", "(0)");
  both.add("a vector too many", t.spare<V2>(11, 2), t.fields, "values",
           "extent(0) == 10", "(11, 2)");
  both.add("without the wall's points", t.values, t.spare<V2>(8, 6), "field",
           "extent(0) == 9, the points of the grid with staggering 0",
           "(8, 6)");
  both.add("with both ends of a period", t.values, t.spare<V2>(9, 7), "field",
           "extent(1) == 6", "(9, 7)");
  both.add("directions exchanged", t.values, t.spare<V2>(6, 9), "field",
           "extent(0) == 9", "(6, 9)");
  both.add("no field", t.values, V2(), "field", "extent(0) == 9", "(0, 0)");
  both.add("other components", t.vectors, t.spare<V3>(9, 6, 1), "field",
           "extent(2) == 2, the components", "(9, 6, 1)");
  both.add("more components than an int has for complex numbers",
           V2(t.vectors.data(), 10, 1 << 30), t.fields, "values",
           "fewer than 2^30 components", "(10, 1073741824)");
  both.add("another staggering", t.values, f, "field",
           "extent(0) == 8, the points of the grid with staggering 0.5",
           "(9, 6)", Staggering{{.5, 0., 0.}});
  both.add("staggering below 0", t.values, f, "staggering",
           "a number in [0, 1)", "-0.5", Staggering{{0., -.5, 0.}});
  both.add("staggering of 1", t.values, f, "staggering", "a number in [0, 1)",
           "1", Staggering{{0., 1., 0.}});
  both.add("staggering that is NaN", t.values, f, "staggering",
           "a number in [0, 1)", "nan", Staggering{{not_a_number, 0., 0.}});
  both.add("null values", V1(nullptr, 10), f, "values",
           "memory for extents (10)", "a null pointer");
  both.add("null vectors", V2(nullptr, 10, 2), t.fields, "values",
           "memory for extents (10, 2)", "a null pointer");
  both.add("a null field", t.values, V2(nullptr, 9, 6), "field",
           "memory for extents (9, 6)", "a null pointer");
  both.add("values in the field", V1(f.data() + 3, 10), f, "values",
           "memory separate from that of field", "memory that overlaps it");
  both.add("the last value in the field", V1(f.data() - 9, 10), f, "values",
           "separate from that of field", "overlaps");
  both.add("vectors in fields", V2(t.fields.data() + 2, 10, 2), t.fields,
           "values", "separate from that of field", "overlaps");
  check_wrong_calls(both.rows(), t.untouched, 38);
}

TEST_CASE("wrong options of transfers", "[wrong_calls]") {
  Transfers t;
  using A                = SpreadAlgorithm;
  const auto spread_with = [&](int algorithm, int columns) {
    return [&t, algorithm, columns] {
      SpreadOptions o;
      o.algorithm = A(algorithm);
      o.columns   = columns;
      spread(t.exec, t.plan, t.values, t.field, o);
    };
  };
  const auto interpolate_with = [&](int algorithm) {
    return [&t, algorithm] {
      InterpolateOptions o;
      o.algorithm = InterpolateAlgorithm(algorithm);
      interpolate(t.exec, t.plan, t.field, t.values, o);
    };
  };
  const std::string f = "Sporos::spread", c = "options.columns",
                    a    = "options.algorithm",
                    none = "0 for all algorithms but the buffered sweeps";
  const std::vector<WrongCall> rows = {
      {"columns below 0", spread_with(int(A::sweep_buffered), -2), f, c,
       "a number of columns, or 0", "-2"},
      {"columns of tiles", spread_with(int(A::tiled), 4), f, c, none, "4"},
      {"columns of one sweep", spread_with(int(A::sweep), 8), f, c, none, "8"},
      {"columns of one thread", spread_with(int(A::serial), 1), f, c, none,
       "1"},
      {"columns of atomics", spread_with(int(A::atomic), 16), f, c, none, "16"},
      {"no algorithm", spread_with(8, 0), f, a,
       "automatic, serial, sweep, sweep_buffered, sweep_buffered_on_the_fly, "
       "tiled, replicated or atomic",
       "8"},
      {"an algorithm below 0", spread_with(-1, 0), f, a,
       "automatic, serial, sweep, sweep_buffered, sweep_buffered_on_the_fly, "
       "tiled, replicated or atomic",
       "-1"},
      {"no algorithm of interpolate", interpolate_with(5),
       "Sporos::interpolate", a, "automatic, serial, sorted, tiled or unsorted",
       "5"}};
  check_wrong_calls(rows, t.untouched, 8);
}

TEST_CASE("wrong buffers of sweeps", "[wrong_calls]") {
  Transfers t;
  const auto with = [&](const V2& buffer, SpreadAlgorithm algorithm =
                                              SpreadAlgorithm::automatic) {
    return [&t, buffer, algorithm] {
      SpreadOptions o;
      o.algorithm = algorithm;
      spread(t.exec, t.plan, t.values, t.field, buffer, o);
    };
  };
  const V1 last   = t.spare<V1>(10);
  const auto over = [&](const V1& strengths, double* buffer) {
    return [&t, strengths, buffer] {
      spread(t.exec, t.plan, strengths, t.field, V2(buffer, 54, 2));
    };
  };
  double* const field = t.field.data();
  const std::string f = "Sporos::spread", b = "buffer", a = "options.algorithm",
                    fits            = "(54, columns > 0)",
                    chosen          = "sweep_buffered or automatic";
  const std::vector<WrongCall> rows = {
      {"a grid point too few", with(t.spare<V2>(53, 1)), f, b, fits, "(53, 1)"},
      {"no columns", with(t.spare<V2>(54, 0)), f, b, fits, "(54, 0)"},
      {"rows and columns exchanged", with(t.spare<V2>(2, 54)), f, b, fits,
       "(2, 54)"},
      {"no buffer", with(V2()), f, b, fits, "(0, 0)"},
      {"a null buffer", with(V2(nullptr, 54, 2)), f, b,
       "memory for extents (54, 2)", "a null pointer"},
      {"in the field", with(V2(field, 54, 1)), f, b,
       "memory separate from that of field", "overlaps"},
      {"over the strengths", over(last, last.data()), f, b,
       "memory separate from that of strengths", "overlaps"},
      {"over the last strength", over(last, last.data() + 9), f, b,
       "memory separate from that of strengths", "overlaps"},
      {"for tiles", with(t.buffer, SpreadAlgorithm::tiled), f, a, chosen, "5"},
      {"for another sweep", with(t.buffer, SpreadAlgorithm::sweep), f, a,
       chosen, "2"}};
  check_wrong_calls(rows, t.untouched, 10);
}

using Strided2 = Kokkos::View<double**, Kokkos::LayoutStride, HostMemory,
                              Kokkos::MemoryUnmanaged>;
using Strided1 = Kokkos::View<double*, Kokkos::LayoutStride, HostMemory,
                              Kokkos::MemoryUnmanaged>;

TEST_CASE("one element for many indices", "[wrong_calls]") {
  Transfers t;
  const Strided2 row(t.field.data(), Kokkos::LayoutStride(9, 0, 6, 1));
  const Strided2 column(t.field.data(), Kokkos::LayoutStride(9, 1, 6, 0));
  const Strided1 one(t.values.data(), Kokkos::LayoutStride(10, 0));
  const std::vector<WrongCall> rows = {
      {"all rows of the field are one",
       [&] { spread(t.exec, t.plan, t.values, row); }, "Sporos::spread",
       "field", "a separate element for each index",
       "stride(0) == 0 for extents (9, 6)"},
      {"all columns of the field are one",
       [&] { spread(t.exec, t.plan, t.values, column); }, "Sporos::spread",
       "field", "a separate element for each index", "stride(1) == 0"},
      {"all values are one", [&] { interpolate(t.exec, t.plan, t.field, one); },
       "Sporos::interpolate", "values", "a separate element for each index",
       "stride(0) == 0 for extents (10)"}};
  check_wrong_calls(rows, t.untouched, 3);
  // what is read may be one number for all
  spread(t.exec, t.plan, one, t.field);
}

TEST_CASE("fields of a smaller range than the grid", "[wrong_calls]") {
  Transfers t;
  using Field =
      Kokkos::View<float**, Right, HostMemory, Kokkos::MemoryUnmanaged>;
  const Field field(reinterpret_cast<float*>(t.field.data()), 8, 6);
  const TransferPlan fine(t.exec, Grid<2>({8, 6}, 1e-20), Cosine4{}, t.x);
  const TransferPlan coarse(t.exec, Grid<2>({8, 6}, 1e20), Cosine4{}, t.x);
  const std::vector<WrongCall> rows = {
      {"infinite", [&] { spread(t.exec, fine, t.values, field); },
       "Sporos::spread", "field", "the inverse 1e+40 of a cell volume",
       "float"},
      {"zero", [&] { spread(t.exec, coarse, t.values, field); },
       "Sporos::spread", "field", "the inverse 1e-40 of a cell volume",
       "float"}};
  check_wrong_calls(rows, t.untouched, 2);
}

TEST_CASE("wrong calls with a field for each face", "[wrong_calls]") {
  Transfers t;
  using Faces = Kokkos::Array<V2, 2>;
  const Faces good{{t.u, t.v}};
  // all directions periodic: the fields have the same extents
  const Grid<2> torus({8, 6}, 1.);
  const TransferPlan plan(t.exec, torus, Cosine4{}, t.x);
  const V2 w(t.u.data(), 8, 6);
  const auto put = [&](const TransferPlan& p, const V2& strengths,
                       const Faces& faces, const SpreadOptions& o = {}) {
    return [&t, &p, strengths, faces, o] {
      spread(t.exec, p, strengths, on_faces(faces), o);
    };
  };
  const auto get = [&](const TransferPlan& p, const Faces& faces,
                       const V2& values, const InterpolateOptions& o = {}) {
    return [&t, &p, faces, values, o] {
      interpolate(t.exec, p, on_faces(faces), values, o);
    };
  };
  SpreadOptions so;
  InterpolateOptions io;
  so.staggering = io.staggering = Staggering{{0., 0., 0.}};
  // the last number of the second component is the first of the first field
  const V2 across(t.u.data() + 48 - 19, 10, 2), here(t.u.data() + 48, 8, 6);
  const std::string s = "Sporos::spread", i = "Sporos::interpolate",
                    apart           = "memory separate from that of ";
  const std::vector<WrongCall> rows = {
      {"the first field", put(t.plan, t.vectors, {{t.v, t.v}}), s, "field",
       "extent(0) == 9", "(8, 6)"},
      {"the second field", put(t.plan, t.vectors, {{t.u, t.u}}), s, "field",
       "extent(0) == 8", "(9, 6)"},
      {"the second field is read", get(t.plan, {{t.u, t.u}}, t.vectors), i,
       "field", "extent(0) == 8", "(9, 6)"},
      {"three components", put(t.plan, t.spare<V2>(10, 3), good), s,
       "strengths", "extents (n, 2)", "(10, 3)"},
      {"one component", get(t.plan, good, t.spare<V2>(10, 1)), i, "values",
       "extents (n, 2)", "(10, 1)"},
      {"a point too few", put(t.plan, t.spare<V2>(9, 2), good), s, "strengths",
       "extent(0) == 10", "(9)"},
      {"a staggering", put(t.plan, t.vectors, good, so), s,
       "options.staggering", "none: fields[k] is on the faces", "a staggering"},
      {"a staggering to read at", get(t.plan, good, t.vectors, io), i,
       "options.staggering", "none", "a staggering"},
      {"one field for both", put(plan, t.vectors, {{t.v, t.v}}), s, "fields",
       apart + "another one", "overlaps"},
      {"fields that overlap", put(plan, t.vectors, {{w, V2(&w(7, 5), 8, 6)}}),
       s, "fields", apart + "another one", "overlaps"},
      {"strengths in their field",
       put(plan, V2(t.u.data() + 40, 10, 2), {{here, t.spare<V2>(8, 6)}}), s,
       "strengths", apart + "field", "overlaps"},
      {"strengths in the other field",
       put(plan, across, {{here, t.spare<V2>(8, 6)}}), s, "fields",
       apart + "strengths", "overlaps"},
      {"values in their field", get(plan, {{w, t.v}}, V2(&t.v(2, 2), 10, 2)), i,
       "values", apart + "field", "overlaps"},
      {"values in the other field",
       get(plan, {{w, t.v}}, V2(&t.v(7, 5), 10, 2)), i, "values",
       apart + "fields", "overlaps"},
      {"an array at the plan's staggering",
       [&] { spread(t.exec, t.plan, t.vectors, good); }, s, "fields[1]",
       "extent(0) == 9, the points of the grid with staggering 0", "(8, 6)"},
      {"an array without components",
       [&] { interpolate(t.exec, plan, good, t.spare<V2>(10, 1)); }, i,
       "values", "extents (n, 2)", "(10, 1)"}};
  check_wrong_calls(rows, t.untouched, 16);
}

TEST_CASE("wrong calls without a plan", "[wrong_calls]") {
  Transfers t;
  const Cosine4 delta;
  const Grid<2> nothing;
  std::vector<double> nan = t.x_data;
  nan[5]                  = not_a_number;
  const V2 bad(nan.data(), 10, 2), three(t.numbers.data(), 10, 3),
      null(nullptr, 10, 2);
  const auto put = [&](const Grid<2>& grid, const V2& x, const V1& strengths,
                       const V2& field) {
    return [&, grid, x, strengths, field] {
      spread(t.exec, grid, delta, x, strengths, field);
    };
  };
  const auto get = [&](const Grid<2>& grid, const V2& x, const V2& field,
                       const auto& values) {
    return [&, grid, x, field, values] {
      interpolate(t.exec, grid, delta, x, field, values);
    };
  };
  const auto& v          = t.values;
  const auto& f          = t.field;
  const std::string plan = "Sporos::ParticleGridPlan", s = "Sporos::spread",
                    i = "Sporos::interpolate", xs = "positions";
  const std::vector<WrongCall> rows = {
      {"NaN", put(t.grid, bad, v, f), plan, xs, "finite coordinates",
       "point 2"},
      {"three coordinates", put(t.grid, three, v, f), plan, xs,
       "extents (n, 2)", "(10, 3)"},
      {"no cells", put(nothing, t.x, v, f), plan, "grid", "direction 0", "0"},
      {"a value too few", put(t.grid, t.x, t.spare<V1>(9), f), s, "strengths",
       "extent(0) == 10", "(9)"},
      {"strengths in the field", put(t.grid, t.x, V1(&f(8, 5), 10), f), s,
       "strengths", "separate from that of field", "overlaps"},
      {"three coordinates to read at", get(t.grid, three, f, v), i, xs,
       "extents (n, 2)", "(10, 3)"},
      {"null positions", get(t.grid, null, f, v), i, xs,
       "memory for extents (10, 2)", "a null pointer"},
      {"no cells to read", get(nothing, t.x, V2(f.data(), 0, 0), v), i, "grid",
       "cells in direction 0", "0"},
      {"a field of another grid", get(t.grid, t.x, t.v, v), i, "field",
       "extent(0) == 9", "(8, 6)"},
      {"a value too many", get(t.grid, t.x, f, t.spare<V1>(11)), i, "values",
       "extent(0) == 10", "(11)"},
      {"a staggering of 1",
       [&] {
         interpolate(t.exec, t.grid, delta, t.x, f, v,
                     Staggering{{0., 1., 0.}});
       },
       i, "staggering", "a number in [0, 1)", "1"},
      {"values over positions", get(t.grid, t.x, f, V1(t.x.data(), 10)), i,
       "values", "separate from that of positions", "overlaps"},
      {"a value over a position", get(t.grid, t.x, f, V1(&t.x(9, 1), 10)), i,
       "values", "separate from that of positions", "overlaps"}};
  check_wrong_calls(rows, t.untouched, 12);
  // columns of one array: apart, though they interleave
  const V2 table(t.numbers.data(), 10, 3);
  for (int k = 0; k < 10; ++k)
    for (int d = 0; d < 2; ++d) table(k, d) = t.x(k, d);
  interpolate(t.exec, t.grid, delta,
              Kokkos::subview(table, Kokkos::ALL(), std::make_pair(0, 2)), f,
              Kokkos::subview(table, Kokkos::ALL(), 2));
}

TEST_CASE("wrong calls with no points", "[wrong_calls]") {
  Transfers t;
  const TransferPlan none(t.exec, t.grid, Cosine4{}, V2(t.x.data(), 0, 2));
  const std::vector<WrongCall> rows = {
      {"strengths of points that are not there",
       [&] { spread(t.exec, none, t.values, t.field); }, "Sporos::spread",
       "strengths", "extent(0) == 0, the number of points", "(10)"},
      {"values of points that are not there",
       [&] { interpolate(none, t.field, t.values); }, "Sporos::interpolate",
       "values", "extent(0) == 0", "(10)"},
      {"a wrong field", [&] { spread(none, V1(), t.v); }, "Sporos::spread",
       "field", "extent(0) == 9", "(8, 6)"},
      {"a null field", [&] { spread(t.exec, none, V1(), V2(nullptr, 9, 6)); },
       "Sporos::spread", "field", "memory for extents (9, 6)",
       "a null pointer"}};
  check_wrong_calls(rows, t.untouched, 4);
}

TEST_CASE("plans of nothing in transfers", "[wrong_calls]") {
  Transfers t;
  const TransferPlan none;
  TransferPlan moved_from(t.exec, t.grid, Cosine4{}, t.x);
  TransferPlan plan = std::move(moved_from);
  CHECK(plan.size() == 10);
  const std::string p = "Sporos::ParticleGridPlan", s = "Sporos::spread",
                    i = "Sporos::interpolate", made = "an initialised handle",
                    by_default =
                        "one that was default-constructed or moved from";
  const Kokkos::Array<V2, 2> faces{{t.u, t.v}};
  const std::vector<WrongCall> rows = {
      {"spread", [&] { spread(t.exec, none, t.values, t.field); }, s, "plan",
       made, by_default},
      {"spread with options, moved from",
       [&] { spread(moved_from, t.values, t.field, SpreadOptions{}); }, s,
       "plan", made, by_default},
      {"spread with a buffer",
       [&] { spread(t.exec, none, t.values, t.field, t.buffer); }, s, "plan",
       made, by_default},
      {"spread to faces",
       [&] { spread(t.exec, none, t.vectors, on_faces(faces)); }, s, "plan",
       made, by_default},
      {"interpolate", [&] { interpolate(t.exec, none, t.field, t.values); }, i,
       "plan", made, by_default},
      {"update", [&] { TransferPlan().update(t.exec, t.x); }, p + "::update",
       "plan", made, by_default},
      {"check", [&] { none.check(t.exec); }, p, "plan", made, by_default},
      {"size", [&] { none.size(); }, p, "plan", made, by_default},
      {"describe", [&] { moved_from.describe(); }, p, "plan", made,
       by_default}};
  check_wrong_calls(rows, t.untouched, 9);
}

}  // namespace WrongTransferCalls
