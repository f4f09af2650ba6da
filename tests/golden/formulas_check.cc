// The bounds: formulas, and the runs they cover.
#include <cmath>

#include "checks.h"
#include "halfspace/bounds/formulas.h"
#include "halfspace/detail/bounds/bound_search.h"
#include "halfspace/game/game.h"
#include "halfspace/rules/minnow.h"
#include "halfspace/rules/rule_entry.h"

namespace halfspace::testing {
namespace {

constexpr double kTight = 1e-12;

// Rounded up, and hardly more than it.
void expect_just_above(double ours, const Json& expected, const char* what) {
  const double wanted = number(expected);
  EXPECT_GE(exact(ours), rational(expected) * exact(1 - 0x1p-51)) << what;  // golden doubles are rounded to nearest
  EXPECT_LE(ours, wanted * (1 + kTight) + 1e-300) << what;
}
void expect_just_below(double ours, const Json& expected, const char* what) {
  EXPECT_LE(exact(ours), rational(expected)) << what;
  EXPECT_GE(ours, number(expected) - kTight * std::abs(number(expected))) << what;
}

ClassWeightVector comparator_of(const Json& list, BiasOptions bias) {
  const WeightVector u = weights_of(numbers(list), bias);
  return {1, u.w, {u.bias}};
}

}  // namespace

void check_novikoff(const Json& golden) {
  const Json& input = golden["input"];
  const Json& expect = golden["expect"];
  Composition composition;
  composition.tie = tie_of(input);
  composition.bias = bias_of(input);
  const Rows rows = rows_of(points_of(input));
  const ClassWeightVector u = comparator_of(input.at("u"), composition.bias);

  const Evaluation e = evaluate(rows, u, composition.bias);
  expect_just_above(e.radius_squared, expect.at("radius2"), "radius squared");
  EXPECT_EQ(e.infinity_radius, number(expect.at("radius_inf")));
  expect_just_below(e.smallest_margin, expect.at("functional_margin"), "margin");
  expect_just_above(e.squared_norm, expect.at("u_norm2"), "norm of u");

  const double radius2 = number(expect["radius2"]);
  const double norm2 = number(expect["u_norm2"]);
  const double margin = number(expect["functional_margin"]);
  EXPECT_EQ(difference(novikoff_bound(radius2, norm2, margin), expect.at("novikoff"), {}), "");
  EXPECT_LT(number(expect["novikoff_inf_WRONG"]), novikoff_bound(e.radius_squared, e.squared_norm, e.smallest_margin));

  const auto learner = make_learner(composition, 2);
  learner->grow(rows.features());
  std::vector<std::uint32_t> mistaken;
  learner->moved = &mistaken;
  RecordedDraws no_draws({});
  Ledger ledger;
  play(*learner, rows, {.order = OrderName::stream}, no_draws, ledger);
  EXPECT_EQ(ledger.mistakes, expect.at("mistakes").get<std::uint64_t>());

  const auto always = [](std::uint64_t) { return 1.0; };
  const auto on_mistakes = [&](std::uint64_t i) {
    return static_cast<double>(std::count(mistaken.begin(), mistaken.end(), i));
  };
  const double hinges = hinge_sum(rows, u, composition.bias, 1, 1, always);
  EXPECT_EQ(difference(hinges, expect.at("hinge_all"), {}), "");
  EXPECT_EQ(difference(hinge_sum(rows, u, composition.bias, 1, 1, on_mistakes), expect.at("hinge_on_mistakes"), {}),
            "");
  const double norm = std::sqrt(norm2);
  expect_just_above(hinge_bound(hinges, norm, std::sqrt(radius2)), expect.at("l1_bound"), "hinge over the stream");

  const auto bound =
      bound_of_run(composition,
                   {.ledger = &ledger,
                    .bias = composition.bias,
                    .tie = composition.tie,
                    .dimension = dimension_of(input) + (composition.bias.position == Bias::none ? 0U : 1U),
                    .rows = &rows,
                    .visits = always},
                   {{"given", u}});
  ASSERT_TRUE(bound.has_value());
  EXPECT_EQ(whole_mistakes(bound->value), whole_mistakes(number(expect["novikoff"])));
  EXPECT_FALSE(bound->exceeded);
}

void check_start_bound(const Json& golden) {
  const Json& input = golden["input"];
  Composition composition;
  composition.order = OrderName::cyclic;
  composition.tie = tie_of(input, Tie::mistake);  // training loops are of rule B when the case names none
  composition.bias = bias_of(input);
  composition.set(parameter::rate, number(input.at("eta")));
  const Rows rows = rows_of(points_of(input));
  const ClassWeightVector u = comparator_of(input.at("u"), composition.bias);
  const ClassWeightVector start = comparator_of(input.at("w0"), composition.bias);

  const auto learner = make_learner(composition, 2);
  learner->grow(rows.features());
  LearnerState state = learner->save();
  state.weights = start;
  learner->restore(state);
  RecordedDraws no_draws({});
  Ledger ledger;
  play(*learner, rows, {.order = OrderName::cyclic, .until = {.clean = Clean::pass}}, no_draws, ledger);
  EXPECT_EQ(ledger.mistakes, golden["expect"].at("mistakes_cyclic").get<std::uint64_t>());
  EXPECT_EQ(ledger.stopped, Stopped::clean);

  const Evaluation e = evaluate(rows, u, composition.bias);
  const auto inner = [](const ClassWeightVector& a, const ClassWeightVector& b) {
    double sum = a.bias[0] * b.bias[0];
    for (std::size_t j = 0; j < a.w.size(); ++j) sum += a.w[j] * b.w[j];
    return sum;
  };
  const std::uint64_t bound = golden["expect"].at("bound").get<std::uint64_t>();
  EXPECT_EQ(whole_mistakes(start_bound(inner(start, u), inner(start, start), composition.value(parameter::rate),
                                       e.radius_squared, e.squared_norm, e.smallest_margin)),
            bound);
  const auto of_run = bound_of_run(composition,
                                   {.ledger = &ledger,
                                    .bias = composition.bias,
                                    .tie = composition.tie,
                                    .dimension = dimension_of(input) + 1,
                                    .rows = &rows,
                                    .visits = [&](std::uint64_t) { return static_cast<double>(ledger.passes); },
                                    .start = &start},
                                   {{"given", u}});
  ASSERT_TRUE(of_run.has_value());
  EXPECT_EQ(of_run->theorem, "novikoff from a start");
  EXPECT_EQ(whole_mistakes(of_run->value), bound);
}

void check_single_point(const Json& golden) {
  const Json& cases = golden["input"].at("cases");
  const Json& values = golden["expect"].at("values");
  ASSERT_EQ(cases.size(), values.size());
  for (std::size_t i = 0; i < cases.size(); ++i) {
    const Json& c = cases[i];
    const Tie tie = tie_of(c);
    const double sign = c.at("y").get<double>();
    const std::vector<double> x = numbers(c.at("x"));
    const std::vector<double> start = numbers(c.at("w0"));
    const double rate = number(c.at("eta"));
    double start_margin = 0;
    double squared_norm = 0;
    for (std::size_t j = 0; j < x.size(); ++j) {
      start_margin += sign * start[j] * x[j];
      squared_norm += x[j] * x[j];
    }
    const auto mistakes = single_point_mistakes(start_margin, squared_norm, rate, tie, sign);
    EXPECT_EQ(mistakes ? Json(*mistakes) : Json(), values[i]) << "case " << i;
    if (exact(rate) != rational(c["eta"])) continue;

    // The run itself: the mistakes come first, and then there are none.
    Composition composition;
    composition.tie = tie;
    composition.bias.position = Bias::none;
    composition.set(parameter::rate, rate);
    const StoredPoints stored({{x, sign > 0 ? 1 : 0, 1.0}}, ValueType::float64, true);
    const auto learner = make_learner(composition, 2);
    learner->grow(static_cast<std::uint32_t>(x.size()));
    LearnerState state = learner->save();
    state.weights.w = start;
    learner->restore(state);
    Ledger ledger;
    for (std::uint64_t round = 0; round < 50; ++round) {
      learner->play(stored.block(), 0, {}, ledger);
      EXPECT_EQ(ledger.mistakes, std::min(mistakes.value_or(UINT64_MAX), round + 1)) << "case " << i;
    }
  }
}

void check_single_point_gaussian(const Json& golden) {
  const Json& cases = golden["input"].at("cases");
  for (std::size_t i = 0; i < cases.size(); ++i) {
    const double value = single_point_expected_mistakes(number(cases[i].at("xnorm")), number(cases[i].at("sigma")),
                                                        number(cases[i].at("eta")));
    EXPECT_EQ(difference(value, golden["expect"].at("values")[i], closeness_of(golden)), "") << "case " << i;
  }
}

// The real values of the formulas for a margin so small that doubles lose all their digits in ln cosh and in KL: by
// series.
static double series_bound(double one_norm, double dimension, double margin, double radius, double rate) {
  const long double z = static_cast<long double>(rate) * radius;
  const long double log_cosh = z * z / 2 - z * z * z * z / 12;
  const long double denominator = static_cast<long double>(rate) * margin - one_norm * log_cosh;
  return static_cast<double>(one_norm * std::log(static_cast<long double>(dimension)) / denominator);
}
static double series_best_bound(double relative, double dimension) {
  const long double r = relative;
  return static_cast<double>(std::log(static_cast<long double>(dimension)) / (r * r / 2 + r * r * r * r / 12));
}

void check_minnow_bounds(const Json& golden) {
  const Json& cases = golden["input"].at("cases");
  const Closeness closeness = closeness_of(golden);
  for (std::size_t i = 0; i < cases.size(); ++i) {
    const Json& c = cases[i];
    const Json& expect = golden["expect"].at("values")[i];
    const auto dimension = c.at("d").get<std::uint64_t>();
    const double one_norm = number(c.at("w1norm"));
    const double radius = number(c.at("R"));
    const double margin = number(c.at("gamma"));
    const double rate = number(c.at("eta"));
    const double relative = margin / (one_norm * radius);
    const double bound = minnow_bound(dimension, one_norm, margin, radius, rate);
    const double best = minnow_best_bound(relative, dimension);
    if (relative > 1e-3) {
      EXPECT_EQ(difference(bound, expect.at("bound"), closeness), "") << "case " << i;
      EXPECT_EQ(difference(best, expect.at("opt_bound"), closeness), "") << "case " << i;
      EXPECT_EQ(difference(minnow_best_rate(relative, radius), expect.at("opt_eta"), closeness), "") << "case " << i;
    } else {
      // The case's own numbers are right to 5, 9 and 9 digits only: it was computed in doubles that cancel.
      EXPECT_NEAR(bound / number(expect.at("bound")), 1, 1e-4) << "case " << i;
      EXPECT_NEAR(best / number(expect.at("opt_bound")), 1, 1e-8) << "case " << i;
      EXPECT_NEAR(minnow_best_rate(relative, radius) / number(expect.at("opt_eta")), 1, 1e-8) << "case " << i;
      const double real = series_bound(one_norm, static_cast<double>(dimension), margin, radius, rate);
      EXPECT_GE(bound, real) << "case " << i;
      EXPECT_LE(bound, real * (1 + kTight)) << "case " << i;
      const double real_best = series_best_bound(relative, static_cast<double>(dimension));
      EXPECT_NEAR(best / real_best, 1, kTight) << "case " << i;
    }
    EXPECT_LE(best, number(expect.at("mohri")) * (1 + kTight)) << "case " << i;
  }
}

}  // namespace halfspace::testing
