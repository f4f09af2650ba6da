// Recordings: bounded, evenly spread, and without any influence on the run.
#include "halfspace/detail/train/recording.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "halfspace/detail/regret/regret_path.h"
#include "halfspace/detail/rules/multiclass.h"
#include "halfspace/game/game.h"
#include "halfspace/rules/composition.h"
#include "halfspace/rules/perceptron.h"
#include "halfspace/rules/rule_entry.h"
#include "support/test.h"

namespace halfspace {
namespace {

Rows random_rows(std::size_t count, std::uint32_t features, std::int32_t classes, Generator& draws) {
  BlockBuffer buffer;
  for (std::size_t i = 0; i < count; ++i) {
    for (std::uint32_t j = 0; j < features; ++j) buffer.add(j, std::floor(9 * draws.next()) - 4);
    buffer.end_row(static_cast<std::int32_t>(draws.next() * classes), i + 1);
  }
  Rows rows;
  rows.append(buffer.finish());
  rows.seal();
  return rows;
}

struct Played {
  Ledger ledger;
  LearnerState state;
  Recording recording;
};

Played played(const Rows& rows, Composition composition, std::uint32_t classes, std::uint64_t passes, bool record) {
  const auto learner = make_learner(composition, classes);
  Recorder recorder;
  if (record) learner->recorder = &recorder;
  Played result;
  Generator draws(1);
  play(*learner, rows, {.order = OrderName::cyclic, .until = {.passes = passes}}, draws, result.ledger);
  if (record) recorder.finish(*learner, result.ledger);
  result.state = learner->save();
  result.recording = std::move(recorder.recording);
  return result;
}

RC_GTEST_PROP(Recording, WatchesAndNeverInterferes, ()) {
  Generator draws(*rc::gen::inRange<std::uint64_t>(1, 1'000'000));
  const auto classes = static_cast<std::uint32_t>(*rc::gen::inRange(2, 5));
  Composition composition;
  composition.rule = classes > 2 ? rule::multiclass : rule::perceptron;
  composition.order = OrderName::cyclic;
  composition.keep = *rc::gen::element(KeepName::last, KeepName::average, KeepName::pocket);
  const Rows rows =
      random_rows(static_cast<std::size_t>(*rc::gen::inRange(1, 60)), 3, static_cast<std::int32_t>(classes), draws);
  const auto passes = static_cast<std::uint64_t>(*rc::gen::inRange(1, 60));
  const Played without = played(rows, composition, classes, passes, false);
  const Played with = played(rows, composition, classes, passes, true);
  RC_ASSERT(without.ledger == with.ledger);
  RC_ASSERT(without.state == with.state);
}

RC_GTEST_PROP(Recording, TheWeightsNeverOutgrowTheirSquares, ()) {
  Generator draws(*rc::gen::inRange<std::uint64_t>(1, 1'000'000));
  const auto classes = static_cast<std::uint32_t>(*rc::gen::inRange(2, 5));
  Composition composition;
  composition.rule = classes > 2 ? rule::multiclass : rule::perceptron;
  composition.order = OrderName::cyclic;
  composition.keep = KeepName::last;
  const Rows rows = random_rows(40, 3, static_cast<std::int32_t>(classes), draws);
  const Played run = played(rows, composition, classes, 25, true);
  RC_ASSERT(run.recording.weights.back().rounds == run.ledger.rounds);
  for (const WeightMoment& moment : run.recording.weights) {
    double squares = 0;
    for (const double w : moment.weights.w) squares += w * w;
    for (const double b : moment.weights.bias) squares += b * b;
    RC_ASSERT(moment.squared_norm == squares);  // of integers
    RC_ASSERT(moment.squared_norm <= (classes > 2 ? 2 : 1) * moment.squares);
  }
}

TEST(Recording, MomentsAreFewEvenAndEndWithTheRun) {
  Generator draws(3);
  Composition composition;
  composition.order = OrderName::cyclic;
  const Rows rows = random_rows(997, 2, 2, draws);
  for (const std::uint64_t passes : {1, 3, 100, 211}) {
    const Played run = played(rows, composition, 2, passes, true);
    const std::vector<Moment>& moments = run.recording.moments;
    ASSERT_LE(moments.size(), Recorder::most_moments + 1);
    if (run.ledger.rounds > 2 * Recorder::most_moments) {
      EXPECT_GE(moments.size(), Recorder::most_moments / 2);
    }
    const std::uint64_t stride = moments.front().rounds;
    for (std::size_t i = 0; i + 1 < moments.size(); ++i) EXPECT_EQ(moments[i].rounds, (i + 1) * stride);
    EXPECT_EQ(moments.back().rounds, run.ledger.rounds);
    EXPECT_EQ(moments.back().mistakes, run.ledger.mistakes);
    EXPECT_LE(run.recording.weights.size(), 120U);
  }
}

TEST(Recording, LongVectorsAreLookedAtRarelyAndKeptWithinTheBudget) {
  BlockBuffer buffer;
  constexpr std::uint32_t features = 200'000;
  for (std::size_t i = 0; i < 3000; ++i) {
    buffer.add(static_cast<std::uint32_t>((i * 7919) % features), 1);
    if (i % 3000 != 0) buffer.add(features - 1, 1);
    buffer.end_row(static_cast<std::int32_t>(i * i % 3 % 2), i + 1);
  }
  Rows rows;
  rows.append(buffer.finish());
  rows.seal();
  Composition composition;
  composition.order = OrderName::cyclic;
  const Played run = played(rows, composition, 2, 10, true);
  std::size_t kept = 0;
  for (const WeightMoment& moment : run.recording.weights) kept += moment.weights.w.size();
  EXPECT_LE(kept, Recorder::weight_budget);
  EXPECT_LE(run.recording.weights.size(), 30'000 / (features / 64) + 3);
}

TEST(Recording, BinsHoldEveryRowOnItsSideOfZero) {
  Generator draws(11);
  const Rows rows = random_rows(500, 2, 2, draws);
  const ClassWeightVector u{1, {1, -2}, {0.5}};
  std::vector<std::int32_t> predicted;
  const EvaluatedMargins judged = evaluate_margins(rows, u, {}, Tie::positive, &predicted);
  const RowsRecord record = record_rows(rows, judged, predicted, 2, false);
  ASSERT_EQ(record.edge.size(), record.right.size() + 1);
  std::uint64_t wrong = 0, all = 0;
  for (std::size_t i = 0; i < record.right.size(); ++i) {
    if (record.edge[i + 1] <= 0) {
      EXPECT_EQ(record.right[i], 0U);
    }
    if (record.edge[i] > 0) {
      EXPECT_EQ(record.wrong[i], 0U);
    }
    wrong += record.wrong[i];
    all += record.right[i] + record.wrong[i];
  }
  EXPECT_EQ(all, 500U);
  EXPECT_EQ(wrong, judged.evaluation.errors);
  EXPECT_EQ(record.confusion[1] + record.confusion[2], wrong);
  ASSERT_EQ(record.worst.size(), 8U);
  EXPECT_DOUBLE_EQ(record.worst[0].margin, judged.evaluation.smallest_margin / std::sqrt(5.25));
  // The area by its definition: pairs in the right order, ties half.
  double pairs = 0, good = 0;
  const Block block = rows.block(0);
  for (std::size_t a = 0; a < 500; ++a) {
    for (std::size_t b = 0; b < 500; ++b) {
      if (block.label[a] != 1 || block.label[b] != 0) continue;
      const double difference = judged.margin[a] + judged.margin[b];  // score of a less score of b
      pairs += 1;
      good += difference > 0 ? 1 : difference == 0 ? 0.5 : 0;
    }
  }
  EXPECT_NEAR(record.area, good / pairs, 1e-12);
}

TEST(RegretPath, IsThinnedEvenlyWithItsWeights) {
  PathRecorder recorder(2);
  constexpr std::uint64_t rounds = 100'003;
  for (std::uint64_t t = 1; t <= rounds; ++t) {
    const double share = static_cast<double>(t);
    if (recorder.due(t, rounds))
      recorder.add(t, share / 2, share / 4, std::vector<double>{share, -share}, std::vector<std::uint64_t>{t, t + 1});
  }
  const RegretPath& path = recorder.path;
  ASSERT_LE(path.rounds.size(), PathRecorder::most_points);
  ASSERT_GE(path.rounds.size(), PathRecorder::most_points / 2);
  EXPECT_EQ(path.rounds.back(), rounds);
  for (std::size_t i = 0; i < path.rounds.size(); ++i) {
    const auto round = static_cast<double>(path.rounds[i]);
    if (i + 1 < path.rounds.size()) {
      EXPECT_EQ(path.rounds[i], (i + 1) * path.rounds[0]);
    }
    EXPECT_EQ(path.observed[i], round / 2);
    EXPECT_EQ(path.loss[i], round / 4);
    EXPECT_EQ(path.pulls[2 * i], path.rounds[i]);
    EXPECT_EQ(path.pulls[2 * i + 1], path.rounds[i] + 1);
    EXPECT_EQ(path.weights[2 * i], round);
    EXPECT_EQ(path.weights[2 * i + 1], -round);
  }
}

}  // namespace
}  // namespace halfspace
