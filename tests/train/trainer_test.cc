// Training block by block: the same model as train() of a file, and rows of the caller's own.
#include "halfspace/train/trainer.h"

#include <atomic>

#include "halfspace/base/error.h"
#include "halfspace/base/random.h"
#include "halfspace/detail/rules/tournament.h"
#include "halfspace/model/model_file.h"
#include "halfspace/rules/perceptron.h"
#include "halfspace/rules/rule_entry.h"
#include "support/test.h"

namespace halfspace {
namespace {

using testing::TemporaryFolder;

TrainOptions stream_of(RuleName rule) {
  TrainOptions options;
  options.composition.rule = rule;
  options.composition.order = OrderName::stream;
  options.composition.tie = Tie::positive;
  return options;
}

std::string table(std::uint64_t seed, int rows) {
  Generator draws(seed);
  std::string text = "a,colour,b,label\n";
  for (int i = 0; i < rows; ++i) {
    const double a = gaussian(draws), b = gaussian(draws);
    const std::string colour = std::to_string(pick(draws, 3 + static_cast<std::uint64_t>(i) / 200));
    text += std::to_string(a) + ",c" + colour + "," + std::to_string(b) + "," + (a > b ? "yes" : "no") + "\n";
  }
  return text;
}

TEST(Trainer, LearnsWhatTrainLearns) {
  const TemporaryFolder folder;
  const std::string path = folder.write("d.csv", table(1, 1500));
  for (const RuleName rule : {rule::tournament, rule::perceptron}) {
    for (const double holdout : {0.0, 0.2}) {
      TrainOptions options = stream_of(rule);
      options.read.path = path;
      options.holdout = holdout;
      const TrainResult whole = train(options);
      options.read.block_bytes = 700;
      options.read.threads = 1;
      Reader reader(options.read);
      Trainer trainer(options, reader.schema());
      reader.read([&](const Block& block) { return trainer.learn(block); });
      const TrainResult result = trainer.result(&reader);
      EXPECT_EQ(encode(result.model), encode(whole.model)) << name_of(rule) << " " << holdout;
      EXPECT_EQ(result.training_errors, whole.training_errors);
      EXPECT_EQ(result.learned_rows, whole.learned_rows);
      ASSERT_EQ(result.bound.has_value(), whole.bound.has_value());
    }
  }
}

BlockBuffer rows_of(std::uint64_t seed, int count, std::uint64_t first) {
  Generator draws(seed);
  BlockBuffer rows;
  for (int i = 0; i < count; ++i) {
    const double a = gaussian(draws), b = gaussian(draws);
    rows.add(0, a);
    rows.add(1, b);
    rows.end_row(a > b, first + static_cast<std::uint64_t>(i));
  }
  return rows;
}

Schema yes_and_no() {
  Schema schema;
  schema.labels.names = {"no", "yes"};
  return schema;
}

TEST(Trainer, AModelAtAnyTimeGoesOn) {
  Trainer whole(stream_of(rule::tournament), yes_and_no());
  BlockBuffer first = rows_of(1, 300, 1), second = rows_of(2, 200, 301);
  whole.learn(first.finish());
  const Model so_far = whole.model();
  EXPECT_EQ(so_far.schema.features, 2U);
  EXPECT_EQ(so_far.ledger.rounds, 300U);
  EXPECT_EQ(encode(whole.model()), encode(so_far)) << "looking changes nothing";
  whole.learn(second.finish());
  // A run from that model on ends in the same weights.
  TrainOptions options = stream_of(rule::tournament);
  options.resume = &so_far;
  Trainer rest(options, Schema());
  rest.learn(second.finish());
  EXPECT_EQ(rest.model().weights.w, whole.model().weights.w);
  EXPECT_EQ(rest.model().ledger.rounds, 500U);
  EXPECT_EQ(encode(decode(encode(whole.model()), "m")), encode(whole.model()));
}

// A model whose run was interrupted within a file: the caller's rows are new ones, and none is skipped.
TEST(Trainer, GoesOnFromAnInterruptedRun) {
  const TemporaryFolder folder;
  std::atomic<bool> interrupt{false};
  TrainOptions options = stream_of(rule::perceptron);
  options.read.path = folder.write("d.csv", table(1, 1500));
  options.read.block_bytes = 4096;
  options.read.threads = 1;
  options.interrupt = &interrupt;
  options.observer = [&](const RoundView& round) { interrupt = interrupt || round.round >= 700; };
  const Model part = train(options).model;
  ASSERT_GT(part.position.unfinished, 0U);
  TrainOptions more = stream_of(rule::perceptron);
  more.resume = &part;
  Trainer trainer(more, Schema());
  BlockBuffer rows = rows_of(3, 100, 1);
  trainer.learn(rows.finish());
  EXPECT_EQ(trainer.model().ledger.rounds, part.ledger.rounds + 100);
}

TEST(Trainer, RowsWithoutNumbersAreCountedOn) {
  Trainer numbered(stream_of(rule::perceptron), yes_and_no()), counted(stream_of(rule::perceptron), yes_and_no());
  for (int k = 0; k < 3; ++k) {
    BlockBuffer rows = rows_of(static_cast<std::uint64_t>(k), 50, 1 + 50 * static_cast<std::uint64_t>(k));
    Block block = rows.finish();
    EXPECT_TRUE(numbered.learn(block));
    block.row = nullptr;
    EXPECT_TRUE(counted.learn(block));
  }
  EXPECT_EQ(encode(numbered.result().model), encode(counted.result().model));
}

TEST(Trainer, EndsAtALimit) {
  TrainOptions options = stream_of(rule::perceptron);
  options.until.updates = 5;
  Trainer trainer(options, yes_and_no());
  BlockBuffer rows = rows_of(1, 500, 1);
  EXPECT_FALSE(trainer.learn(rows.finish()));
  EXPECT_EQ(trainer.result().model.ledger.updates, 5U);
}

TEST(Trainer, RefusesWhatNeedsAllRows) {
  const auto refused = [](const TrainOptions& options) { EXPECT_THROW(Trainer(options, yes_and_no()), Error); };
  TrainOptions options = stream_of(rule::perceptron);
  options.composition.order = OrderName::shuffled;
  refused(options);
  options = stream_of(rule::perceptron);
  options.until.passes = 3;
  refused(options);
  options = stream_of(rule::perceptron);
  options.normalize_columns = true;
  refused(options);
  options = stream_of(rule::perceptron);
  options.objective = Objective{};
  refused(options);
  Trainer trainer(stream_of(rule::perceptron), yes_and_no());
  BlockBuffer rows;
  rows.add(0, 1);
  rows.end_row(2, 1);
  EXPECT_THROW(trainer.learn(rows.finish()), Error) << "there is no class 2";
}

}  // namespace
}  // namespace halfspace
