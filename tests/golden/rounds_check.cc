// One pass round by round: through the templates, and through the learner chosen at run time on each storage of the
// rows.
#include <cmath>
#include <functional>

#include "checks.h"
#include "halfspace/detail/linear/weights/winnow.h"
#include "halfspace/detail/rules/adagrad.h"
#include "halfspace/detail/rules/arow.h"
#include "halfspace/detail/rules/kernel_perceptron.h"
#include "halfspace/game/learner.h"
#include "halfspace/linear/linear.h"
#include "halfspace/rules/margin_perceptron.h"
#include "halfspace/rules/minnow.h"
#include "halfspace/rules/passive_aggressive.h"
#include "halfspace/rules/perceptron.h"
#include "halfspace/rules/rule_entry.h"
#include "halfspace/rules/winnow.h"

namespace halfspace::testing {
namespace {

struct Round {
  Outcome outcome;
  std::vector<double> w;  // after the round
};
using Trace = std::vector<Round>;

// A score whose exact value is 0 may come out a rounding error to either side; a trace of rounded numbers then follows
// one of two right courses. Where the case's did and ours did not, `follow` takes its update, and the comparison goes
// on.
bool decided_by_rounding(const Outcome& ours, const Json& round) {
  return std::abs(ours.score) < 1e-15 && std::abs(number(round.at("score"))) < 1e-15 &&
         ours.mistake != (round.at("mistake") == 1);
}

template <class L>
Trace play_template(L learner, const Json& input, const Json* follow = nullptr) {
  const Points points = points_of(input);
  const StoredPoints stored(points, ValueType::float64, false);
  learner.grow(dimension_of(input));
  Trace trace;
  for (std::size_t i = 0; i < points.size(); ++i) {
    Outcome outcome = learner.round(stored.block().example<double, false>(i));
    if (follow != nullptr && decided_by_rounding(outcome, follow->at("rounds")[i])) {
      outcome.mistake = !outcome.mistake;
      outcome.predicted = 1 - outcome.predicted;
      const double sign = points[i].label == 0 ? -1 : 1;
      if constexpr (requires { learner.rule().rate; }) {
        learner.weights().add((outcome.mistake ? sign : -sign) * learner.rule().rate,
                              stored.block().example<double, false>(i));
      }
    }
    trace.push_back({outcome, coordinates(learner.weights().point(), learner.weights().bias())});
  }
  return trace;
}

Trace play_run_time(const Composition& composition, const WeightVector* start, const Json& input, bool dense) {
  const Points points = points_of(input);
  const StoredPoints stored(points, ValueType::float64, dense);
  const auto learner = make_learner(composition, 2);
  learner->grow(dimension_of(input));
  if (start != nullptr) {
    LearnerState state = learner->save();
    state.weights = {1, start->w, {start->bias}};
    learner->restore(state);
  }
  Trace trace;
  learner->observer = [&](const RoundView& view) {
    EXPECT_EQ(view.row, trace.size() + 1);
    trace.push_back({view.outcome, coordinates(learner->present(), composition.bias)});
  };
  Ledger ledger;
  learner->play(stored.block(), 0, {}, ledger);
  EXPECT_EQ(ledger.rounds, points.size());
  std::uint64_t mistakes = 0;
  for (const Round& round : trace) mistakes += round.outcome.mistake;
  EXPECT_EQ(ledger.mistakes, mistakes);
  return trace;
}

// What differs between a trace and an expected one; `scores` is looser than `closeness` where products overflow.
std::string difference(const Trace& trace, const Json& expect, const Closeness& closeness, bool scores) {
  if (trace.size() != expect.at("rounds").size()) return "the number of rounds";
  int mistakes = 0;
  for (std::size_t i = 0; i < trace.size(); ++i) {
    const Json& wanted = expect["rounds"][i];
    const Outcome& outcome = trace[i].outcome;
    const std::string where = "round " + std::to_string(i) + ": ";
    mistakes += outcome.mistake;
    // The cases' 0: a tie that predicts neither, and is a mistake.
    const bool neither = wanted.at("pred") == 0 && outcome.score == 0 && outcome.mistake;
    const int predicted = neither ? 0 : outcome.predicted == 0 ? -1 : 1;
    if (predicted != wanted.at("pred")) return where + "predicted " + std::to_string(predicted);
    if (outcome.mistake != (wanted.at("mistake") == 1)) return where + "mistake " + std::to_string(outcome.mistake);
    if (const auto off = difference(trace[i].w, wanted.at("w"), closeness); !off.empty())
      return where + "weights: " + off;
    if (scores) {
      if (const auto off = difference(outcome.score, wanted.at("score"), closeness); !off.empty()) {
        return where + "score: " + off;
      }
    }
    if (wanted.contains("tau")) {
      if (const auto off = difference(outcome.step, wanted["tau"], closeness); !off.empty())
        return where + "step: " + off;
      const double loss = std::max(0.0, 1 - outcome.margin);
      if (const auto off = difference(loss, wanted["loss"], closeness); !off.empty()) return where + "loss: " + off;
    }
  }
  if (mistakes != expect.at("mistakes")) return "the number of mistakes";
  if (!trace.empty() && !difference(trace.back().w, expect.at("w"), closeness).empty()) return "the last weights";
  return "";
}

// The exact trace. Only where naive doubles differ from it, and the numbers are not dyadic, are a few ulps allowed; no
// case needs the naive doubles' own trace: eight lanes and fused products are as good or better on all of them.
void expect_golden(const Trace& trace, const Json& golden, const char* how) {
  Closeness closeness = closeness_of(golden);
  const bool overflows = golden["id"] == "P14-overflow";
  const bool cancels = golden["id"] == "P13-cancel-2^53";
  if (overflows || cancels) closeness.kind = Closeness::Kind::exact;
  // Thirteenths and the like are no doubles.
  if (golden["id"] == "R13-arow") closeness = {Closeness::Kind::tolerance, 1e-13, 1e-14};
  EXPECT_EQ(difference(trace, golden.at("expect"), closeness, !overflows), "") << how;
  for (const Round& round : trace) EXPECT_FALSE(std::isnan(round.outcome.score)) << how;
}

void check(const Json& golden, const Composition& composition, const WeightVector* start,
           const std::function<Trace()>& by_template) {
  expect_golden(by_template(), golden, "template");
  expect_golden(play_run_time(composition, start, golden["input"], false), golden, "run time, sparse");
  expect_golden(play_run_time(composition, start, golden["input"], true), golden, "run time, dense");
}

// Deliberately wrong rules, as anybody could add a rule.
struct MinnowEveryRoundByPrediction {  // W02
  Tie tie = Tie::positive;
  double rate = 1;
  double step(double sign, double score, double, double weight) const {
    return rate * weight * sign * (predicts_positive(tie, score) ? 1 : -1);
  }
};
struct MinnowEveryRound {  // W04
  Tie tie = Tie::positive;
  double rate = 1;
  double step(double, double, double, double weight) const { return rate * weight; }
};
static_assert(AdditiveRule<MinnowEveryRoundByPrediction> && AdditiveRule<MinnowEveryRound>);

}  // namespace

void check_online(const Json& golden) {
  const Json& input = golden["input"];
  Composition composition;
  composition.tie = tie_of(input);
  composition.bias = bias_of(input);
  if (input.contains("eta")) composition.set(parameter::rate, number(input["eta"]));
  WeightVector start;
  start.grow(dimension_of(input));
  if (input.contains("w0")) start = weights_of(numbers(input["w0"]), composition.bias);
  check(golden, composition, &start, [&] {
    Weights weights(composition.bias);
    weights.vector() = start;
    return play_template(Linear<Perceptron>(Perceptron{composition.tie, composition.value(parameter::rate)}, weights),
                         input);
  });
}

void check_passive_aggressive(const Json& golden) {
  const Json& input = golden["input"];
  ASSERT_EQ(input["variant"], "PA-II");
  Composition composition;
  composition.rule = rule::pa2;
  composition.tie = tie_of(input);
  composition.bias = bias_of(input);
  composition.set(parameter::aggressiveness, number(input["C"]));
  check(golden, composition, nullptr, [&] {
    using Rule = PassiveAggressive<Aggression::softened>;
    return play_template(
        Linear<Rule>(Rule{composition.tie, composition.value(parameter::aggressiveness)}, Weights(composition.bias)),
        input);
  });
}

void check_arow(const Json& golden) {
  const Json& input = golden["input"];
  Composition composition;
  composition.rule = rule::arow;
  composition.tie = tie_of(input);
  composition.bias = bias_of(input);
  composition.set(parameter::regularization, number(input["r"]));
  const CovarianceWeights start(composition.bias, composition.value(parameter::regularization), kLearnerMemory);
  Linear<Arow, CovarianceWeights> learner(Arow{composition.tie}, start);
  check(golden, composition, nullptr, [&] { return play_template(learner, input); });
  // The covariance at the end; the case has its bias coordinate last.
  learner.grow(dimension_of(input));
  const Points points = points_of(input);
  const StoredPoints stored(points, ValueType::float64, false);
  for (std::size_t i = 0; i < points.size(); ++i) learner.round(stored.block().example<double, false>(i));
  const Json& sigma = golden["expect"]["sigma"];
  const std::size_t n = learner.weights().coordinates();
  ASSERT_EQ(sigma.size(), n);
  for (std::size_t i = 0; i < n; ++i) {
    std::vector<double> row;
    for (std::size_t k = 0; k < n; ++k) row.push_back(learner.weights().covariance((i + 1) % n, (k + 1) % n));
    EXPECT_EQ(difference(row, sigma[i], {Closeness::Kind::tolerance, 1e-13, 1e-14}), "")
        << "row " << i << " of the covariance";
  }
}

void check_adagrad(const Json& golden) {
  const Json& input = golden["input"];
  Composition composition;
  composition.rule = rule::adagrad;
  composition.tie = tie_of(input);
  composition.bias = bias_of(input);
  composition.set(parameter::ball, number(input["box"]));
  Linear<AdaGrad, AdaptiveWeights> learner(AdaGrad{composition.tie},
                                           AdaptiveWeights(composition.bias, composition.value(parameter::ball)));
  check(golden, composition, nullptr, [&] { return play_template(learner, input); });
  learner.grow(dimension_of(input));
  const Points points = points_of(input);
  const StoredPoints stored(points, ValueType::float64, false);
  for (std::size_t i = 0; i < points.size(); ++i) learner.round(stored.block().example<double, false>(i));
  std::vector<double> sums;
  for (std::uint32_t j = 0; j < dimension_of(input); ++j) sums.push_back(learner.weights().moment(j));
  EXPECT_EQ(difference(sums, golden["expect"]["G"], closeness_of(golden)), "");
}

// The case's labels are 0 and 1, and its scores are the sums: ours have the threshold taken off.
void check_winnow1(const Json& golden) {
  const Json& input = golden["input"];
  Json wanted = golden;
  const double threshold = number(input["theta"]);
  for (Json& round : wanted["expect"]["rounds"]) {
    round["score"] = static_cast<int>(number(round["score"]) - threshold);
    if (round["pred"] == 0) round["pred"] = -1;
  }
  Composition composition;
  composition.rule = rule::winnow1;
  composition.tie = Tie::negative;
  composition.set(parameter::alpha, number(input["alpha"]));
  composition.set(parameter::theta, threshold);
  const auto without_threshold = [](Trace trace) {
    for (Round& round : trace) round.w.pop_back();
    return trace;
  };
  const WinnowWeights start(composition.bias, Fall::eliminate, composition.value(parameter::alpha), threshold);
  expect_golden(without_threshold(play_template(Linear<Winnow, WinnowWeights>(Winnow{}, start), input)), wanted,
                "template");
  for (const bool dense : {false, true}) {
    expect_golden(without_threshold(play_run_time(composition, nullptr, input, dense)), wanted,
                  dense ? "run time, dense" : "run time, sparse");
  }
}

void check_kernel(const Json& golden) {
  const Json& input = golden["input"];
  const Json& rounds = golden["expect"]["rounds"];
  Composition composition;
  composition.rule = rule::kernel;
  composition.tie = tie_of(input);
  composition.bias = bias_of(input);
  composition.set(parameter::kernel, KernelName::polynomial);
  composition.set(parameter::degree, input["degree"].get<std::uint32_t>());
  composition.set(parameter::offset, number(input["coef0"]));
  const Points points = points_of(input);
  for (const bool dense : {false, true}) {
    const StoredPoints stored(points, ValueType::float64, dense);
    const auto learner = make_learner(composition, 2);
    std::size_t t = 0;
    std::vector<std::size_t> support;
    learner->observer = [&](const RoundView& view) {
      const Json& round = rounds[t];
      EXPECT_EQ(exact(view.outcome.score), rational(round["score"])) << "round " << t;
      EXPECT_EQ(view.outcome.mistake, round["mistake"] == 1) << "round " << t;
      if (round["pred"] != 0) {
        EXPECT_EQ(view.outcome.predicted, round["pred"] == 1 ? 1 : 0) << "round " << t;
      }
      if (view.outcome.updated) support.push_back(t);
      ++t;
    };
    Ledger ledger;
    learner->play(stored.block(), 0, {}, ledger);
    EXPECT_EQ(ledger.mistakes, golden["expect"]["mistakes"]);
    EXPECT_EQ(support, golden["expect"]["sv"].get<std::vector<std::size_t>>());
    EXPECT_EQ(learner->save().kernel.coefficient.size(), support.size());
  }
}

void check_minnow(const Json& golden) {
  const Json& input = golden["input"];
  Composition composition;
  composition.rule = rule::minnow;
  composition.tie = tie_of(input);
  composition.bias = bias_of(input);
  composition.set(parameter::both_signs, false);
  composition.set(parameter::rate, number(input["eta"]));
  const Linear<Minnow, ExponentialWeights> learner(Minnow{composition.tie, composition.value(parameter::rate)},
                                                   ExponentialWeights(composition.bias));
  expect_golden(play_template(learner, input, &golden["expect"]), golden, "template");
  const Trace alone = play_template(learner, input);
  for (const bool dense : {false, true}) {
    const Trace run_time = play_run_time(composition, nullptr, input, dense);
    ASSERT_EQ(run_time.size(), alone.size());
    for (std::size_t i = 0; i < alone.size(); ++i) {
      EXPECT_EQ(run_time[i].outcome.score, alone[i].outcome.score) << "round " << i;
      EXPECT_EQ(run_time[i].w, alone[i].w) << "round " << i;
    }
  }
}

void check_wrong_minnow(const Json& golden) {
  const Json& input = golden["input"];
  ASSERT_EQ(input["update_on"], "always");
  const double rate = number(input["eta"]);
  const ExponentialWeights weights(bias_of(input));
  const auto run = [&]<class Rule>(Rule rule) {
    expect_golden(play_template(Linear<Rule, ExponentialWeights>(rule, weights), input), golden, "template");
  };
  if (input.value("label", "") == "pred") {
    run(MinnowEveryRoundByPrediction{tie_of(input), rate});
  } else {
    run(MinnowEveryRound{tie_of(input), rate});
  }
}

}  // namespace halfspace::testing
