// The bound of a stream too long to be kept, from its file read a second time.
#include "train/run/second_reading.h"

#include "halfspace/base/random.h"
#include "halfspace/bounds/formulas.h"
#include "halfspace/rules/perceptron.h"
#include "halfspace/rules/rule_entry.h"
#include "halfspace/train/train.h"
#include "support/every.h"
#include "support/test.h"

namespace halfspace {
namespace {

class SecondReading : public ::testing::Test {
 protected:
  void SetUp() override {
    folder_ = std::filesystem::path(::testing::TempDir()) /
              (std::string("second-reading-") + ::testing::UnitTest::GetInstance()->current_test_info()->name());
    std::filesystem::create_directories(folder_);
  }
  void TearDown() override {
    std::error_code ignored;
    std::filesystem::remove_all(folder_, ignored);
  }

  // Rows of which this share has the wrong label; three classes if asked, and sizes over a few powers of two.
  std::string noise(int rows, int classes, std::uint64_t seed, double wrong = 0.02) const {
    const std::string path = (folder_ / ("d" + std::to_string(seed) + ".svm")).string();
    std::ofstream out(path);
    Generator draws(seed);
    for (int i = 0; i < rows; ++i) {
      const double size = std::ldexp(1.0, static_cast<int>(4 * draws.next()));
      const double a = draws.next() - 0.5, b = draws.next() - 0.5;
      int label = a + 0.5 * b > 0 ? 1 : 0;
      if (classes == 3 && b > 0.2) label = 2;
      if (draws.next() < wrong) label = (label + 1) % classes;
      out << label << " 1:" << size * a << " 2:" << size * b << " " << 3 + i % 40 << ":0.25\n";
    }
    return path;
  }

  static TrainOptions options(const std::string& path, RuleName rule) {
    TrainOptions options;
    options.read.path = path;
    options.composition.rule = rule;
    return options;
  }

  // The same run, of which nothing but a few rows is kept.
  static TrainOptions too_long(TrainOptions options) {
    options.stream_memory = 3'000;
    options.read.block_bytes = 2'000;
    return options;
  }

  static bool says_something(const TrainResult& result) {
    return result.bound && result.bound->value < static_cast<double>(result.model.ledger.rounds);
  }

  std::filesystem::path folder_;
};

std::vector<RuleName> rules_read_again() {
  std::vector<RuleName> rules;
  for (const RuleEntry& entry : all_rules()) {
    if (entry.bound_from_margins) rules.push_back(entry.id);
  }
  return rules;
}

// Buckets err on the safe side, and by little: hinges above, lengths below.
TEST(MarginBuckets, ErrOnTheSafeSide) {
  Generator draws(3);
  Rows rows({UINT64_MAX, ""});
  BlockBuffer buffer;
  EvaluatedMargins evaluated;
  for (std::uint64_t i = 0; i < 20'000; ++i) {
    const double size = std::ldexp(draws.next() + 0.5, static_cast<int>(60 * draws.next()) - 30);
    if (i % 97 != 0) buffer.add(0, size);
    buffer.end_row(1, i + 1, i % 3 == 0 ? 2.5 : 1.0);
    evaluated.margin.push_back(i % 89 == 0 ? 0.0 : size * (draws.next() - 0.5));
  }
  evaluated.evaluation.rows = buffer.rows();
  rows.append(buffer.finish());
  rows.seal();
  training::MarginBuckets buckets;
  ASSERT_TRUE(buckets.add(rows, evaluated));
  const training::MarginBuckets::Counted counted = buckets.counted();
  EXPECT_EQ(counted.evaluated.evaluation.rows, rows.size());
  EXPECT_LT(counted.rows.size(), rows.size());
  const Visits once = [](std::uint64_t) { return 1.0; };
  const Visits times = [&](std::uint64_t i) { return counted.times[i]; };
  for (const int power : {1, 2}) {
    for (const double scale : {0.0, 1e-9, 0.01, 1.0, 3.0, 1e6}) {
      const double exact = hinge_sum(rows, evaluated.margin, scale, power, once);
      const double bucketed = hinge_sum(counted.rows, counted.evaluated.margin, scale, power, times);
      EXPECT_GE(bucketed, exact) << power << " " << scale;
      EXPECT_LE(bucketed, exact * 1.02) << power << " " << scale;
    }
  }
  // Squares of lengths, weighted: at most the exact sum, and no less than a quarter below.
  const auto squares = [](const Rows& of, const Visits& visits) {
    double sum = 0;
    for (std::uint64_t i = 0; i < of.size(); ++i) {
      const Block block = of.block(i / Rows::block_rows);
      const std::size_t at = i % Rows::block_rows;
      sum += visits(i) * block.squared_norm[at] * (block.weight == nullptr ? 1.0 : block.weight[at]);
    }
    return sum;
  };
  EXPECT_LE(squares(counted.rows, times), squares(rows, once));
  EXPECT_GE(squares(counted.rows, times), 0.75 * squares(rows, once));
}

// A file that is kept and one that is read again have the same bound, but for the buckets.
TEST_F(SecondReading, FindsTheBoundOfTheWholeStream) {
  int found = 0;
  for (const RuleName rule : rules_read_again()) {
    for (std::uint64_t seed = 1; seed <= 4; ++seed) {
      TrainOptions whole = options(noise(6'000, entry_of(rule).several_classes ? 3 : 2, seed, 0.008), rule);
      if (seed == 2) whole.holdout = 0.3;
      if (seed == 3) whole.until.updates = 150;
      if (seed == 4) whole.read.labels.class_weights = {{"1", 2.0}};
      const TrainResult expected = train(whole);
      const TrainResult result = train(too_long(whole));
      ASSERT_EQ(result.model.ledger.mistakes, expected.model.ledger.mistakes);
      const std::string name = std::string(name_of(rule)) + " " + std::to_string(seed);
      if (!result.bound) {
        // The sample promised none below the mistakes of guessing.
        EXPECT_FALSE(expected.bound && expected.bound->value < 0.4 * static_cast<double>(expected.model.ledger.rounds))
            << name << " " << expected.bound->value;
        EXPECT_FALSE(result.why_no_bound.empty()) << name;
        continue;
      }
      EXPECT_LE(result.model.ledger.mistakes, whole_mistakes(result.bound->value)) << name;
      if (!expected.bound || result.bound->theorem != expected.bound->theorem) continue;
      ++found;
      EXPECT_GE(result.bound->value, expected.bound->value * (1 - 1e-9)) << name;
      EXPECT_LE(result.bound->value, expected.bound->value * 1.2 + 2) << name;
    }
  }
  EXPECT_GE(found, 15);
}

// Taken up again, the rows before it and after it are told apart, and the bound speaks of the mistakes of both parts.
TEST_F(SecondReading, CoversARunThatWasTakenUpAgain) {
  int said = 0;
  for (std::uint64_t seed = 1; seed <= 10; ++seed) {
    const std::string path = noise(3'000, 2, seed);
    TrainOptions part = too_long(options(path, rule::perceptron));
    part.until.updates = 100;
    const Model broken_off = train(part).model;
    TrainOptions rest = too_long(options(path, rule::perceptron));
    rest.resume = &broken_off;
    const TrainResult result = train(rest);
    ASSERT_TRUE(result.bound) << result.why_no_bound;
    EXPECT_LE(result.model.ledger.mistakes, whole_mistakes(result.bound->value));
    said += says_something(result);
  }
  EXPECT_EQ(said, 10);
}

// Where a sample promises no bound below the mistakes of guessing, the others are not read again.
TEST_F(SecondReading, EndsWhereTheBoundWouldSayLittle) {
  int blocks = 0;
  TrainOptions run = too_long(options(noise(6'000, 2, 1, 0.45), rule::perceptron));
  run.on_progress = [&](const Ledger&) { ++blocks; };
  const TrainResult result = train(run);
  EXPECT_FALSE(says_something(result));
  const int once = std::exchange(blocks, 0);
  run.read.path = noise(6'000, 2, 2, 0.02);
  const TrainResult clean = train(run);
  ASSERT_TRUE(says_something(clean));
  EXPECT_LE(clean.bound->value, 3'000);
  EXPECT_GT(blocks, once * 3 / 2);
}

// Another file that has taken its name since is not what was learned from.
TEST_F(SecondReading, IsOfTheFileThatWasLearnedFrom) {
  const std::string path = noise(1'500, 2, 1);
  const TrainOptions run = too_long(options(path, rule::perceptron));
  ASSERT_TRUE(says_something(train(run)));
  const std::string other = noise(1'500, 2, 2);
  TrainOptions deceived = run;
  std::uint64_t rows = 0;
  deceived.on_rows = [&](const Block& block) {
    rows += block.rows;
    if (rows == 1'500) std::filesystem::rename(other, path);
  };
  EXPECT_FALSE(says_something(train(deceived)));
}

// What was learned is not lost with a file that is gone, or damaged, when it would be read again.
TEST_F(SecondReading, LosesNothingWhenTheFileIsGoneOrDamaged) {
  for (const bool gone : {true, false}) {
    const std::string path = noise(1'500, 2, 1);
    TrainOptions run = too_long(options(path, rule::perceptron));
    const Model expected = train(run).model;
    std::uint64_t rows = 0;
    run.on_rows = [&](const Block& block) {
      rows += block.rows;
      if (rows != 1'500) return;
      std::filesystem::remove(path);
      if (!gone) std::ofstream(path) << "1 1:x\n";
    };
    const TrainResult result = train(run);
    EXPECT_TRUE(result.model == expected);
    EXPECT_FALSE(says_something(result));
    EXPECT_TRUE(result.bound || !result.why_no_bound.empty());
  }
}

}  // namespace
}  // namespace halfspace
