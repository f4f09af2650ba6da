// Predictions against the learner itself: every vector of a vote is the one that the learner had in that round.

#include <gtest/gtest.h>

#include <limits>

#include "halfspace/base/error.h"
#include "halfspace/detail/rules/kernel_perceptron.h"
#include "halfspace/detail/rules/multiclass.h"
#include "halfspace/model/model_file.h"
#include "halfspace/rules/minnow.h"
#include "halfspace/rules/perceptron.h"
#include "halfspace/rules/rule_entry.h"
#include "model/models.h"

namespace halfspace::testing {
namespace {

struct Predicted {
  std::vector<std::int32_t> classes;
  std::vector<double> scores;
  bool operator==(const Predicted&) const = default;
};

Predicted predict(const Model& model, const Block& block) {
  Predicted p;
  Predictor(model).predict(block, p.classes, p.scores);
  return p;
}

Block one_row(const Block& block, std::size_t i) {
  Block row = block;
  row.rows = 1;
  row.offset += i;
  row.label += i;
  row.squared_norm += i;
  row.row += i;
  if (row.weight != nullptr) row.weight += i;
  return row;
}

// The definition of a vote, round by round: after each round the vector that stands has one more vote.
Predicted voted_by_definition(const Composition& composition, const Block& train, const Block& block) {
  const std::uint32_t classes = classes_for(composition);
  const bool multiclass = composition.rule == rule::multiclass;
  const auto learner = make_learner(composition, classes);
  learner->grow(std::max(train.features, block.features));
  std::vector<std::vector<double>> tally(block.rows, std::vector<double>(classes, 0.0));
  Ledger ledger;
  for (std::size_t t = 0; t < train.rows; ++t) {
    learner->play(one_row(train, t), 0, {}, ledger);
    const ClassWeightVector now = learner->present();
    for (std::size_t i = 0; i < block.rows; ++i) {
      block.with_example(i, [&](const auto& x) {
        std::vector<double> scores(classes, 0.0);
        if (multiclass) {
          score_classes(now, composition.bias, x, scores.data());
        } else {
          scores[1] = score(WeightVector{now.w, now.bias[0]}, composition.bias, x);
        }
        // Ties: the last of the highest with Tie::negative in several classes, the first otherwise; of two the tie
        // rule.
        std::size_t best = 0;
        for (std::size_t k = 1; k < classes; ++k) {
          const bool wins_tie = multiclass ? composition.tie == Tie::negative : composition.tie != Tie::negative;
          if (scores[k] > scores[best] || (scores[k] == scores[best] && wins_tie)) best = k;
        }
        tally[i][best] += 1;
      });
    }
  }
  Predicted p;
  for (const auto& votes : tally) {
    std::size_t best = 0;
    for (std::size_t k = 1; k < classes; ++k) {
      const bool wins_tie = multiclass ? composition.tie == Tie::negative : composition.tie != Tie::negative;
      if (votes[k] > votes[best] || (votes[k] == votes[best] && wins_tie)) best = k;
    }
    p.classes.push_back(static_cast<std::int32_t>(best));
    p.scores.push_back(multiclass ? votes[best] : votes[1] - votes[0]);
  }
  return p;
}

Model trained_on(const Composition& composition, const Block& block, std::uint32_t features) {
  const std::uint32_t classes = classes_for(composition);
  const auto learner = make_learner(composition, classes);
  Ledger ledger;
  learner->grow(features);
  learner->play(block, 0, {}, ledger);
  learner->finish();
  Model model;
  model.composition = composition;
  model.schema.labels.names.resize(classes);
  take(model, *learner, ledger);
  return model;
}

TEST(Predictor, AVoteIsTheSumOverTheRounds) {
  for (const Composition& composition : every_composition()) {
    if (composition.keep != KeepName::vote) continue;
    SCOPED_TRACE(described(composition));
    for (std::uint64_t seed = 1; seed <= 5; ++seed) {
      Generator draws(seed);
      const std::uint32_t classes = classes_for(composition);
      BlockBuffer train = random_rows(draws, 60, classes, 1, seed % 2 == 0), test = random_rows(draws, 25, classes, 20);
      const Block block = train.finish(), rows = test.finish();
      const Model model = decode(encode(trained_on(composition, block, std::max(block.features, rows.features))), "m");
      EXPECT_TRUE(predict(model, rows) == voted_by_definition(composition, block, rows));
    }
  }
}

TEST(Predictor, OtherKeepersScoreWithTheWeightsHandedOut) {
  for (const Composition& composition : every_composition()) {
    if (composition.keep == KeepName::vote) continue;
    SCOPED_TRACE(described(composition));
    const Model model = played(composition, 3);
    Generator draws(9);
    BlockBuffer buffer = random_rows(draws, 30, 2, 1);
    const Block block = buffer.finish();
    const Predicted p = predict(model, block);
    for (std::size_t i = 0; i < block.rows; ++i) {
      block.with_example(i, [&](const auto& x) {
        if (model.weights.classes == 2) {
          const ClassWeightVector one = vectors_of_scores(model.weights);
          EXPECT_EQ(p.scores[i], score(WeightVector{one.w, one.bias[0]}, composition.bias, x));
        } else if (model.weights.classes > 2) {
          std::vector<double> scores(3);
          score_classes(model.weights, composition.bias, x, scores.data());
          EXPECT_EQ(p.scores[i], *std::max_element(scores.begin(), scores.end()));
          EXPECT_EQ(scores[static_cast<std::size_t>(p.classes[i])], p.scores[i]);
        } else {
          std::vector<double> values, plain;
          EXPECT_EQ(p.scores[i],
                    composition.rule == rule::kernel
                        ? expansion_of(model).score(kernel_row(x, plain), values)
                        : score(WeightVector{model.weights.w, model.weights.bias[0]}, composition.bias, x));
          EXPECT_EQ(p.classes[i], p.scores[i] > 0 || (p.scores[i] == 0 && composition.tie != Tie::negative));
        }
      });
    }
  }
}

TEST(Predictor, TheBlocksDoNotMatter) {
  for (const Composition& composition : every_composition()) {
    SCOPED_TRACE(described(composition));
    const Model model = played(composition, 3);
    Generator draws(9);
    BlockBuffer buffer = random_rows(draws, 30, 2, 1);
    const Block block = buffer.finish();
    const Predicted whole = predict(model, block);
    Predictor predictor(model);
    Predicted one;
    for (std::size_t i = 0; i < block.rows; ++i) {
      predictor.predict(one_row(block, i), one.classes, one.scores);
      EXPECT_EQ(one.classes, std::vector<std::int32_t>{whole.classes[i]});
      EXPECT_EQ(one.scores, std::vector<double>{whole.scores[i]});
    }
  }
}

// Row by row the same numbers with values on features that no training row had.
TEST(Predictor, FeaturesBeyondTheModelCountNothing) {
  for (const Composition& composition : every_composition()) {
    SCOPED_TRACE(described(composition));
    const Model model = played(composition, 3);
    const std::uint32_t features = model.schema.features;
    Generator draws(9);
    BlockBuffer known = random_rows(draws, 30, 2, 1), more;
    const Block block = known.finish();
    for (std::size_t i = 0; i < block.rows; ++i) {
      block.with_example(i, [&](const auto& x) {
        for (std::uint32_t k = 0; k < x.size; ++k) {
          if constexpr (std::is_same_v<typename std::decay_t<decltype(x)>::value_type, One>) {
            more.add(x.index[k], 1.0);
          } else {
            more.add(x.index[k], x.value[k]);
          }
        }
        more.add(features, 1e300);
        more.add(UINT32_MAX - 1, 3);  // and nothing is allocated for it
        more.end_row(0, x.row);
      });
    }
    EXPECT_TRUE(predict(model, more.finish()) == predict(model, block));
  }
}

TEST(Predictor, ATieGoesToThePositiveClassOrWithNegativeToTheOther) {
  for (const Tie tie : {Tie::positive, Tie::mistake, Tie::negative}) {
    for (const KeepName keep : {KeepName::last, KeepName::vote}) {
      Composition composition;
      composition.tie = tie;
      composition.keep = keep;
      composition.bias.position = Bias::none;
      Model model;
      model.composition = composition;
      model.schema.labels.names = {"-", "+"};
      model.weights = {1, {}, {0.0}};
      model.learner.weights = model.weights;
      model.learner.votes.first_age = 3;
      BlockBuffer buffer;
      buffer.end_row(0, 1);
      const Predicted p = predict(model, buffer.finish());
      EXPECT_EQ(p.classes[0], tie == Tie::negative ? 0 : 1);
      EXPECT_EQ(p.scores[0], keep == KeepName::last ? 0 : tie == Tie::negative ? -3 : 3);
    }
  }
}

TEST(Predictor, RefusesAModelWithoutWeightsAndSumsThatAreNoNumbers) {
  EXPECT_THROW(Predictor{Model{}}, Error);
  for (const RuleName rule : {rule::perceptron, rule::minnow, rule::multiclass}) {
    Composition composition;
    composition.rule = rule;
    composition.keep = KeepName::vote;
    Model model = played(composition, 1);
    // Steps that no run takes: the vectors they make are no numbers.
    const Moved moved{rule == rule::multiclass ? 1U : 0U, 0};
    model.learner.votes = {0, 2, {{1e308, 0, moved, false, 1}, {-1e308, 1, moved, false, 1}}, {0, 0}, {100, 100}};
    model.learner.finished = 2;
    model = decode(encode(model), "m");
    BlockBuffer buffer;
    buffer.add(0, 0);  // 0 x infinity
    buffer.end_row(0, 17);
    try {
      predict(model, buffer.finish());
      ADD_FAILURE() << described(composition);
    } catch (const Error& error) {
      EXPECT_EQ(error.kind(), ErrorKind::data);
      EXPECT_NE(error.message().find("row 17"), std::string::npos);
    }
  }
}

}  // namespace
}  // namespace halfspace::testing
