// Rules that a program registers at run time: known to training, folds, bounds and model files as the built-in ones are.
#include <gtest/gtest.h>

#include <cmath>
#include <vector>

#include "halfspace/base/error.h"
#include "halfspace/base/random.h"
#include "halfspace/model/model_file.h"
#include "halfspace/rules/rule_entry.h"
#include "halfspace/stream/memory_data.h"
#include "halfspace/train/folds.h"
#include "halfspace/train/train.h"

namespace halfspace {
namespace {

constexpr ParameterChoice kHows[] = {{"gently", ""}, {"firmly", ""}};
constexpr Parameter kEagerness{.name = "eagerness", .placeholder = "E"};
constexpr Parameter kHow{.name = "how", .placeholder = "H", .kind = Parameter::Kind::choice, .choices = kHows};
constexpr Parameter kBold{.name = "bold", .placeholder = "", .kind = Parameter::Kind::flag};
constexpr Parameter kMargin{.name = "margin", .placeholder = "M"};
constexpr RuleName kEager{200};

// examples/own_rule.cc has the proof of its bounds.
struct Eager {
  Tie tie = Tie::mistake;
  double eagerness = 0;

  double step(double sign, double score, double squared_norm, double weight) const {
    const bool moves = is_mistake(tie, sign, score) || sign * score <= eagerness * weight * squared_norm;
    return moves ? weight : 0.0;
  }
};

// The parameters that the rule does not look at are of every kind there is, and one is stored with every rule.
void register_eager() {
  if (find_rule(kEager) != nullptr) return;
  register_rule({.id = kEager,
                 .name = "eager",
                 .words = "eager perceptron",
                 .help = "steps along rows that are right by too little, too",
                 .parameters = {{&kEagerness, "", domain::not_negative, 0.5},
                                {&kHow, "", domain::finite, 1},
                                {&kBold, "", domain::finite, 1},
                                {&kMargin, "", domain::not_negative, 5}},
                 .make = [](const Composition& c, const LearnerOptions&) -> std::unique_ptr<Learner> {
                   return make_linear(Eager{c.tie, c.value(kEagerness)}, c);
                 },
                 .bounds =
                     [](const Composition& c, BoundSearch& search) {
                       const BoundSearch::Steps steps{.norm_factor = 1 + 2 * c.value(kEagerness)};
                       search.offer_novikoff(steps);
                       search.offer_perceptron_hinge(steps);
                     }});
}

MemoryData random_rows(Generator& draws, double noise) {
  const int features = 1 + static_cast<int>(draws.next() * 4);
  std::vector<double> truth(features), x(features);
  for (double& weight : truth) weight = draws.next() - 0.5;
  MemoryData data;
  const int rows = 2 + static_cast<int>(draws.next() * 30);
  for (int i = 0; i < rows; ++i) {
    double score = 0.05;
    for (int j = 0; j < features; ++j) {
      x[j] = std::floor(draws.next() * 9) - 4;
      score += x[j] * truth[j];
    }
    const bool positive = i < 2 ? i == 0 : (score > 0) != (draws.next() < noise);
    data.add(positive ? "+1" : "-1", x);
  }
  return data;
}

TEST(RegisteredRule, KeepsItsBoundAndItsModelInEveryOrderAndKeeper) {
  register_eager();
  Generator draws(3);
  int bounded = 0;  // where only mistakes are played, noise may leave none
  for (int run = 0; run < 300; ++run) {
    const MemoryData data = random_rows(draws, run % 2 == 0 ? 0.2 : 0);
    TrainOptions options;
    options.read.rows = &data;
    Composition& c = options.composition;
    c.rule = kEager;
    c.order = names<OrderName>()[run % names<OrderName>().size()].value;
    c.keep = names<KeepName>()[run / 7 % names<KeepName>().size()].value;
    if (c.order == OrderName::first_mistake && c.keep == KeepName::pocket) c.keep = KeepName::average;
    c.start.small = draws.next() < 0.3;
    c.set(kEagerness, draws.next() < 0.3 ? 0 : draws.next() * 3);
    options.until = {.clean = Clean::pass, .passes = 50, .updates = 500};
    const TrainResult result = train(options);
    bounded += result.bound.has_value();
    EXPECT_FALSE(result.bound && result.bound->exceeded) << run << ": " << result.model.ledger.mistakes << " mistakes";
    if (result.bound && result.bound->theorem == "novikoff") {  // which is about updates, mistakes among them
      EXPECT_LE(static_cast<double>(result.model.ledger.updates), result.bound->value) << run;
    }
    EXPECT_EQ(decode(encode(result.model), "model"), result.model) << run;
  }
  EXPECT_GT(bounded, 200);
}

TEST(RegisteredRule, ParametersOfEveryKindComeBackFromAModelFile) {
  register_eager();
  Generator draws(5);
  const MemoryData data = random_rows(draws, 0);
  TrainOptions options;
  options.read.rows = &data;
  options.composition.rule = kEager;
  for (const bool given : {false, true}) {
    if (given) options.composition.set(kHow, 0).set(kBold, 0).set(kMargin, 0).set(kEagerness, 0.25);
    const Composition back = decode(encode(train(options).model), "model").composition;
    EXPECT_EQ(back, options.composition);
    EXPECT_EQ(back.value(kHow), given ? 0 : 1);
    EXPECT_EQ(back.value(kBold), given ? 0 : 1);
    EXPECT_EQ(back.value(kMargin), given ? 0 : 5);
  }
}

TEST(RegisteredRule, IsTheOnlyOneOfItsNumberAndName) {
  register_eager();
  EXPECT_THROW(register_rule({.id = kEager, .name = "other", .words = "", .help = ""}), Error);
  EXPECT_THROW(register_rule({.id = RuleName{201}, .name = "eager", .words = "", .help = ""}), Error);
  EXPECT_EQ(find_rule(RuleName{201}), nullptr);
}

TEST(RegisteredRule, IsCrossValidated) {
  register_eager();
  Generator draws(9);
  const MemoryData data = random_rows(draws, 0);
  TrainOptions options;
  options.read.rows = &data;
  options.composition.rule = kEager;
  options.composition.order = OrderName::shuffled;
  options.until.passes = 3;
  const Candidate candidate{options.composition, options.until};
  EXPECT_EQ(Folds(options, 2).cross_validate({&candidate, 1})[0].fold.size(), 2);
}

}  // namespace
}  // namespace halfspace
