// Runs that are broken off: what is said of them is about what was played.

#include <atomic>

#include "halfspace/model/model_file.h"
#include "halfspace/rules/perceptron.h"
#include "halfspace/rules/rule_entry.h"
#include "halfspace/train/train.h"
#include "support/test.h"

namespace halfspace {
namespace {

using testing::TemporaryFolder;

// The record of the last pass is that of one pass, also between two passes.
TEST(Interrupted, TheLastPassIsOnePass) {
  const TemporaryFolder folder;
  TrainOptions options;
  options.read.path = folder.write("d", "1 1:1\n-1 1:2\n1 1:3\n");
  options.composition.rule = rule::perceptron;
  options.composition.order = OrderName::shuffled;
  options.until.clean = Clean::pass;
  for (const std::uint64_t passes : {1, 5, 1024, 1025, 1026, 2000}) {
    std::atomic<bool> interrupt{false};
    options.interrupt = &interrupt;
    options.observer = [&](const RoundView& round) { interrupt = interrupt || round.round >= 3 * passes; };
    const TrainResult result = train(options);
    const Ledger& ledger = result.model.ledger;
    EXPECT_EQ(ledger.stopped, Stopped::interrupted);
    EXPECT_EQ(ledger.rounds, 3 * passes);
    EXPECT_EQ(ledger.passes, passes);
    EXPECT_EQ(ledger.begun_passes(), passes);
    EXPECT_EQ(ledger.pass.back().rounds, 3U) << passes;
    EXPECT_EQ(ledger.passes_of(ledger.pass.size() - 1), 1U) << passes;
  }
}

// What a parameter is suited to are the rows to learn from, not those that had been read when the run was broken off.
TEST(Interrupted, ParametersWaitForAllRows) {
  const TemporaryFolder folder;
  std::string text;
  for (int i = 0; i < 300; ++i)
    text +=
        std::string(i * 7 % 5 < 2 ? "1" : "-1") + " 1:" + std::to_string(i) + " 2:" + std::to_string(i * i % 17) + "\n";
  TrainOptions options;
  options.read.path = folder.write("d", text);
  options.read.block_bytes = 64;
  options.read.threads = 1;
  options.composition.rule = rule_named("kernel").value();
  options.composition.bias.position = Bias::none;
  options.composition.order = OrderName::shuffled;
  options.until.passes = 2;
  const auto whole = encode(train(options).model);
  std::atomic<bool> interrupt{false};
  TrainOptions broken = options;
  broken.interrupt = &interrupt;
  broken.on_rows = [&](const Block& block) { interrupt = interrupt || block.row[0] > 20; };
  const TrainResult first = train(broken);
  EXPECT_EQ(first.model.ledger.rounds, 0U);
  options.resume = &first.model;
  const TrainResult second = train(options);
  EXPECT_TRUE(encode(second.model) == whole);
}

}  // namespace
}  // namespace halfspace
