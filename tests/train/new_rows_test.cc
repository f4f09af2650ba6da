// What a run says of new rows: its own mistakes bound the error where they may, and nothing is said where they may not.

#include "halfspace/base/random.h"
#include "halfspace/detail/rules/kernel_perceptron.h"
#include "halfspace/detail/rules/tournament.h"
#include "halfspace/model/model_file.h"
#include "halfspace/rules/perceptron.h"
#include "halfspace/rules/rule_entry.h"
#include "halfspace/train/choose.h"
#include "halfspace/train/train.h"
#include "support/every.h"
#include "support/test.h"

namespace halfspace {
namespace {

using testing::every;
using testing::TemporaryFolder;

// Two features that tell the class, and noise.
std::string noisy_rows(std::uint64_t seed, int rows, double noise = 0.2) {
  Generator draws(seed);
  std::string text;
  for (int i = 0; i < rows; ++i) {
    const double x = draws.next() - 0.5, y = draws.next() - 0.5;
    const bool positive = (x + y > 0) != (draws.next() < noise);
    text += std::string(positive ? "1" : "-1") + " 1:" + std::to_string(x) + " 2:" + std::to_string(y) + "\n";
  }
  return text;
}

Composition composition_of(RuleName rule) {
  const Preset preset = default_preset(rule);
  Composition c;
  c.rule = preset.rule;
  c.keep = preset.keep;
  c.tie = preset.tie;
  if (const auto bias = entry_of(rule).default_bias) c.bias.position = bias(c);
  return c;
}

TrainOptions options_for(const std::string& path) {
  TrainOptions options;
  options.read.path = path;
  options.composition = composition_of(rule::tournament);
  return options;
}

TEST(NewRows, AStreamIsBoundedByItsOwnMistakes) {
  const TemporaryFolder folder;
  TrainOptions options = options_for(folder.write("d", noisy_rows(1, 2000)));
  options.confidence = 0.9;
  const TrainResult result = train(options);
  const Ledger& ledger = result.model.ledger;
  ASSERT_TRUE(result.expected_error);
  EXPECT_EQ(result.expected_error->bounds, expected_error(2000, ledger.mistakes, 0.9));
  EXPECT_EQ(result.expected_error->from, ExpectedFrom::learning);
  EXPECT_EQ(result.expected_error->rows, 2000U);
  EXPECT_EQ(result.expected_error->errors, ledger.mistakes);
  EXPECT_TRUE(result.why_no_expected_error.empty());
  EXPECT_LT(result.expected_error->bounds.lower, static_cast<double>(ledger.mistakes) / 2000);
  EXPECT_GT(result.expected_error->bounds.upper, static_cast<double>(ledger.mistakes) / 2000);
}

// Labels of coins: whoever predicts a row before its label is learned is wrong half of the time.
TEST(NewRows, NobodyForeseesACoin) {
  const TemporaryFolder folder;
  Generator draws(7);
  std::string text;
  for (int i = 0; i < 600; ++i)
    text += std::string(draws.next() < 0.5 ? "1" : "-1") + " " + std::to_string(i + 1) + ":1\n";
  const std::string path = folder.write("coins", text);
  for (const RuleEntry& entry : all_rules()) {
    if (testing::takes_ones_only(entry.id)) continue;
    TrainOptions options = options_for(path);
    options.composition = composition_of(entry.id);
    options.composition.tie = Tie::positive;  // that a tie is a mistake is foreseen
    if (entry.support_vectors) options.composition.set(parameter::gamma, 0.5);
    const TrainResult result = train(options);
    ASSERT_TRUE(result.expected_error) << entry.name << ": " << result.why_no_expected_error;
    EXPECT_LE(result.expected_error->bounds.lower, 0.5) << entry.name;
    EXPECT_GE(result.expected_error->bounds.upper, 0.5) << entry.name;
  }
}

NewRows new_rows_of(TrainOptions options) {
  const TrainResult result = train(options);
  const NewRows found = result.model.ledger.new_rows;
  EXPECT_EQ(result.expected_error.has_value(), found == NewRows::yes);
  EXPECT_EQ(result.why_no_expected_error, help_of(found));
  // The model remembers it.
  const Model stored = decode(encode(result.model), "model");
  EXPECT_EQ(stored.ledger.new_rows, found);
  EXPECT_EQ(stored, result.model);
  return found;
}

TEST(NewRows, OrdersThatRepeatOrChooseSayNothing) {
  const TemporaryFolder folder;
  const std::string path = folder.write("d", noisy_rows(2, 200));
  for (const OrderName order : every<OrderName>()) {
    TrainOptions options = options_for(path);
    options.composition.rule = rule::perceptron;
    options.composition.order = order;
    options.until.updates = 30;
    options.until.passes = 1;
    const NewRows expected = order == OrderName::random   ? NewRows::again
                             : plays_mistakes_only(order) ? NewRows::chosen
                                                          : NewRows::yes;
    EXPECT_EQ(new_rows_of(options), expected) << name_of(order);
    if (order != OrderName::cyclic && order != OrderName::shuffled) continue;
    options.until.updates = {};
    options.until.passes = 2;
    EXPECT_EQ(new_rows_of(options), NewRows::again) << name_of(order);
  }
}

TEST(NewRows, WeightsSayNothing) {
  const TemporaryFolder folder;
  TrainOptions options = options_for(folder.write("d", noisy_rows(3, 200)));
  options.read.labels.class_weights = {{"1", 2.0}};
  EXPECT_EQ(new_rows_of(options), NewRows::weighted);
  options.read.labels.class_weights = {{"1", 1.0}};
  EXPECT_EQ(new_rows_of(options), NewRows::yes);
  TrainOptions columns = options_for(folder.write("w.csv", "x,w,y\n1,1,a\n2,0.5,b\n3,1,a\n4,1,b\n"));
  columns.read.columns.weight = "w";
  EXPECT_EQ(new_rows_of(columns), NewRows::weighted);
  columns.read.path = folder.write("ones.csv", "x,w,y\n1,1,a\n2,1,b\n3,1,a\n4,1,b\n");
  EXPECT_EQ(new_rows_of(columns), NewRows::yes);
}

TEST(NewRows, WhatKnewLaterRowsSaysNothing) {
  const TemporaryFolder folder;
  TrainOptions options = options_for(folder.write("d", noisy_rows(4, 200)));
  options.normalize_columns = true;
  options.composition.order = OrderName::cyclic;
  options.until.passes = 1;
  EXPECT_EQ(new_rows_of(options), NewRows::scaled);
  TrainOptions suited = options_for(options.read.path);
  suited.composition.rule = *rule_named("kernel");
  suited.composition.bias.position = Bias::none;
  EXPECT_EQ(new_rows_of(suited), NewRows::scaled);
  suited.composition.set(parameter::gamma, 0.5);
  EXPECT_EQ(new_rows_of(suited), NewRows::yes);
}

TEST(NewRows, RowsThatChoseTheSettingsSayNothing) {
  const TemporaryFolder folder;
  TrainOptions options = options_for(folder.write("d", noisy_rows(5, 300)));
  Candidate one{options.composition, options.until};
  std::vector<NamedCandidate> two(2, NamedCandidate{{}, one});
  TrainOptions searched = options;
  take(choose(searched, two, 3), searched);
  EXPECT_EQ(new_rows_of(searched), NewRows::searched);
  // By rows held out: none is left that did not choose.
  searched = options;
  searched.holdout = 0.3;
  take(choose(searched, two, std::nullopt), searched);
  EXPECT_EQ(new_rows_of(searched), NewRows::searched);
  // Folds that judged one candidate chose nothing, and have bounds of their own.
  TrainOptions judged = options;
  const Choice choice = choose(judged, {NamedCandidate{{}, one}}, 3);
  take(choice, judged);
  EXPECT_EQ(new_rows_of(judged), NewRows::yes);
  const auto expected = choice.verdict().expected_error(0.95);
  ASSERT_TRUE(expected);
  EXPECT_EQ(expected->from, ExpectedFrom::folds);
  EXPECT_EQ(expected->rows, 300U);
  EXPECT_LT(expected->bounds.lower, 1 - choice.verdict().accuracy());
  EXPECT_GT(expected->bounds.upper, 1 - choice.verdict().accuracy());
}

TEST(NewRows, RowsHeldOutHaveExactBounds) {
  const TemporaryFolder folder;
  TrainOptions options = options_for(folder.write("d", noisy_rows(6, 500)));
  options.holdout = 0.2;
  const TrainResult result = train(options);
  ASSERT_TRUE(result.expected_error && result.holdout);
  EXPECT_EQ(result.expected_error->from, ExpectedFrom::held_out);
  EXPECT_EQ(result.expected_error->bounds, kept_out_error(100, static_cast<std::uint64_t>(result.holdout->errors)));
  // Also after several passes: they were not learned from in any.
  options.composition.order = OrderName::cyclic;
  options.until.passes = 3;
  EXPECT_EQ(train(options).expected_error->from, ExpectedFrom::held_out);
}

TEST(NewRows, ResumedRunsAddUp) {
  const TemporaryFolder folder;
  TrainOptions options = options_for(folder.write("first", noisy_rows(7, 400)));
  const TrainResult first = train(options);
  options.resume = &first.model;
  options.read.path = folder.write("second", noisy_rows(8, 600));
  const TrainResult second = train(options);
  ASSERT_TRUE(second.expected_error);
  EXPECT_EQ(second.expected_error->rows, 1000U);
  EXPECT_EQ(second.expected_error->errors, second.model.ledger.mistakes);
  // The same file, or an earlier one, is not new.
  options.read.path = folder.write("again", noisy_rows(7, 400));
  options.resume = &second.model;
  EXPECT_EQ(new_rows_of(options), NewRows::again);
  // What is once over stays so.
  const TrainResult third = train(options);
  options.resume = &third.model;
  options.read.path = folder.write("third", noisy_rows(9, 100));
  EXPECT_EQ(new_rows_of(options), NewRows::again);
}

TEST(NewRows, AFileThatIsNamedTwiceIsNotNew) {
  const TemporaryFolder folder;
  TrainOptions options = options_for(folder.write("d", noisy_rows(12, 50)));
  options.read.more = {folder.write("e", noisy_rows(13, 50))};
  EXPECT_EQ(new_rows_of(options), NewRows::yes);
  options.read.more = {options.read.path};
  EXPECT_EQ(new_rows_of(options), NewRows::again);
}

TEST(NewRows, ConfidenceLiesBetween0And1) {
  const TemporaryFolder folder;
  TrainOptions options = options_for(folder.write("d", noisy_rows(10, 20)));
  for (const double confidence : {0.0, 1.0, -0.5, 95.0}) {
    options.confidence = confidence;
    EXPECT_THROW(train(options), Error) << confidence;
  }
}

TEST(Followed, ProbabilitiesSumTo1AndFallInOrder) {
  const TemporaryFolder folder;
  TrainOptions options = options_for(folder.write("d", noisy_rows(11, 500)));
  std::string several;
  for (int i = 0; i < 300; ++i)
    several += std::to_string(i % 3) + " " + std::to_string(1 + i % 3) + ":1 4:" + std::to_string(i % 7) + "\n";
  for (const std::string& path : {options.read.path, folder.write("several", several)}) {
    options.read.path = path;
    options.record = true;
    const TrainResult result = train(options);
    const auto check = [](const std::vector<MixtureMember>& members) {
      ASSERT_FALSE(members.empty());
      double sum = 0, last = 1;
      for (const MixtureMember& one : members) {
        sum += one.probability;
        EXPECT_LE(one.probability, last) << one.name;
        EXPECT_GE(one.probability, 0) << one.name;
        last = one.probability;
      }
      EXPECT_NEAR(sum, 1, 1e-9);
    };
    check(result.followed);
    ASSERT_TRUE(result.recording);
    for (const WeightMoment& moment : result.recording->weights) check(moment.followed);
    // A model tells it, too.
    const std::vector<MixtureMember> stored = followed_by(decode(encode(result.model), "model"));
    ASSERT_EQ(stored.size(), result.followed.size());
    for (std::size_t k = 0; k < stored.size(); ++k) {
      EXPECT_EQ(stored[k].name, result.followed[k].name);
      EXPECT_EQ(stored[k].probability, result.followed[k].probability);
    }
  }
  // Learners of two classes each have their own: the mean is told.
  options.composition.several_classes = SeveralClasses::one_against_rest;
  options.composition.rule = rule::tournament;
  double sum = 0;
  for (const MixtureMember& one : train(options).followed) sum += one.probability;
  EXPECT_NEAR(sum, 1, 1e-9);
  // Of other rules nobody.
  options.composition.rule = rule::perceptron;
  options.composition.several_classes = SeveralClasses::own;
  EXPECT_TRUE(train(options).followed.empty());
}

}  // namespace
}  // namespace halfspace
