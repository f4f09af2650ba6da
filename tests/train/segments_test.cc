// The bound of a stream whose mistakes are too many to keep, in segments: how long these are.

#include "halfspace/base/random.h"
#include "halfspace/bounds/formulas.h"
#include "halfspace/rules/perceptron.h"
#include "halfspace/train/trainer.h"
#include "support/test.h"

namespace halfspace {
namespace {

// Trains a perceptron on rows of random labels, each with features among so many. They come block by block and are not
// read again.
TrainResult trained(std::uint32_t features, std::uint64_t stream_memory, std::uint64_t memory = 1'000'000'000) {
  TrainOptions options;
  options.composition.rule = rule::perceptron;
  options.composition.order = OrderName::stream;
  options.stream_memory = stream_memory;
  options.memory.memory = memory;
  Schema schema;
  schema.labels.names = {"no", "yes"};
  Trainer trainer(options, schema);
  Generator draws(5);
  BlockBuffer rows;
  std::uint32_t next = 0;
  for (std::uint64_t row = 1; row <= 4'000; ++row) {
    for (int i = 0; i < 8; ++i) rows.add(next++ % features, draws.next() + 0.5);
    rows.end_row(static_cast<std::int32_t>(pick(draws, 2)), row);
    if (rows.rows() < 100) continue;
    EXPECT_TRUE(trainer.learn(rows.finish()));
    rows.clear();
  }
  return trainer.result();
}

constexpr std::uint64_t mistakes_fit = 300'000, few_fit = 20'000;

void expect_bound(const TrainResult& result) {
  ASSERT_TRUE(result.bound) << result.why_no_bound;
  EXPECT_EQ(result.bound->theorem, "hinge over the mistakes");
  EXPECT_LE(result.model.ledger.mistakes, whole_mistakes(result.bound->value));
}

// Closing a segment takes a pass over all weights: where these outweigh the rows, there is one segment.
TEST(Segments, AreLongWhereWeightsAreMany) {
  constexpr std::uint32_t new_ones_in_each_row = UINT32_MAX;
  const TrainResult one = trained(new_ones_in_each_row, mistakes_fit), wide = trained(new_ones_in_each_row, few_fit);
  expect_bound(one);
  expect_bound(wide);
  EXPECT_EQ(wide.bound->value, one.bound->value);
  // But never beyond the memory for rows.
  const TrainResult several = trained(new_ones_in_each_row, few_fit, few_fit);
  expect_bound(several);
  EXPECT_NE(several.bound->value, one.bound->value);
}

TEST(Segments, AreOfTheStreamsMemoryWhereWeightsAreFew) {
  const TrainResult one = trained(40, mistakes_fit), several = trained(40, few_fit);
  expect_bound(one);
  expect_bound(several);
  EXPECT_NE(several.bound->value, one.bound->value);
  EXPECT_EQ(several.bound->value, trained(40, few_fit, few_fit).bound->value);
}

}  // namespace
}  // namespace halfspace
