// Shards of data, and the mixing of their weights.
#include "halfspace/mixing/mixing.h"

#include <gtest/gtest.h>

#define XXH_INLINE_ALL
#include <xxhash.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>
#include <map>
#include <numeric>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "halfspace/base/error.h"
#include "halfspace/detail/bounds/evaluation.h"
#include "halfspace/model/model_file.h"
#include "halfspace/rules/perceptron.h"
#include "halfspace/rules/rule_entry.h"
#include "halfspace/train/evaluate.h"
#include "halfspace/train/settings.h"
#include "mixing/mixing_files.h"

namespace halfspace {
namespace {

class MixingTest : public MixingFiles {};

std::multiset<std::string> rows_of(const std::vector<std::string>& texts) {
  std::multiset<std::string> rows;
  for (const std::string& text : texts) {
    for (std::size_t at = 0; at < text.size();) {
      const std::size_t end = std::min(text.find('\n', at), text.size());
      rows.insert(text.substr(at, end - at));
      at = end + 1;
    }
  }
  return rows;
}

// Every row is in exactly one shard, with a file whose last line has no end, and with rows longer than a range.
TEST_F(MixingTest, ShardsDivideTheRows) {
  std::string long_rows;
  for (int i = 0; i < 40; ++i) {
    long_rows += i % 2 == 0 ? "+1" : "-1";
    for (int j = 1; j < 900; ++j) long_rows += " " + std::to_string(j) + ":" + std::to_string(i + j);
    long_rows += "\n";
  }
  std::string cut = numbers(2, 700, 3);
  cut.pop_back();
  const std::vector<std::string> texts{numbers(1, 3000, 5), cut, long_rows};
  const MixOptions options = options_for({file("a.svm", texts[0]), file("b.svm", texts[1]), file("c.svm", texts[2])});
  for (const std::uint32_t shards : {1U, 2U, 8U, 64U}) {
    const ShardPlan plan = plan_shards(options.read, shards);
    std::uint64_t rows = 0;
    std::map<std::pair<std::string, std::uint64_t>, int> seen;
    for (std::uint32_t shard = 0; shard < shards; ++shard) {
      const ReadOptions read = options_of_shard(plan, options.read, shard, true);
      if (read.parts.empty()) continue;
      Reader reader(read);
      ReadOptions counted = read;
      std::uint64_t in_shard = 0;
      counted.on_rows = [&](std::span<const RowText> texts_of_rows) {
        for (const RowText& row : texts_of_rows) ++seen[{std::string(row.file), row.line}];
      };
      Reader(counted).read([&](const Block& block) {
        in_shard += block.rows;
        return true;
      });
      rows += in_shard;
    }
    EXPECT_EQ(rows, rows_of(texts).size()) << shards;
    EXPECT_EQ(seen.size(), rows) << shards;  // files and lines are all different, and right
    for (const auto& [place, count] : seen) EXPECT_EQ(count, 1) << place.first << ":" << place.second;
  }
}

TEST_F(MixingTest, BadRowsAreLocatedInTheFile) {
  std::string text = numbers(3, 4000, 4);
  std::size_t at = 0;
  for (int line = 1; line < 3777; ++line) at = text.find('\n', at) + 1;
  text.replace(at, 4, "+1 x");
  const std::string path = file("bad.svm", text);
  const MixOptions options = options_for({path});
  const ShardPlan plan = plan_shards(options.read, 16);
  const MixState state = begin_mixing(options, plan);
  int failures = 0;
  for (std::uint32_t shard = 0; shard < 16; ++shard) {
    try {
      play_shard(options, plan, state, shard);
    } catch (const Error& error) {
      ++failures;
      EXPECT_EQ(error.file(), path);
      EXPECT_EQ(error.line(), 3777);
    }
  }
  EXPECT_EQ(failures, 1);
}

// The model is one of the shards, not of how they are read.
TEST_F(MixingTest, ThreadsAndBlocksChangeNothing) {
  const std::string path = file("rows.svm", numbers(5, 5000, 6));
  std::vector<std::uint8_t> first;
  for (const unsigned threads : {1U, 3U}) {
    for (const std::size_t block : {std::size_t{700}, std::size_t{1} << 19}) {
      MixOptions options = options_for({path});
      options.read.threads = threads;
      options.read.block_bytes = block;
      const ShardPlan plan = plan_shards(options.read, 8);
      const std::vector<std::uint8_t> model = encode(mixed_model(options, plan, trained(options, plan, 3)));
      if (first.empty()) first = model;
      EXPECT_EQ(model, first) << threads << " threads, blocks of " << block;
    }
  }
}

// Sorted by class, nearly so, or drifting from one class to the other: a shard has rows of the whole file, and plays
// them in an order of its own. The errors while learning are those that other rows have, and the model is as good.
TEST_F(MixingTest, SortedRowsTeachAsOthersDo) {
  const std::multiset<std::string> lines = rows_of({numbers(9, 6000, 6)});
  const std::string fresh = file("fresh.svm", numbers(10, 20'000, 6));
  for (const double blur : {0.0, 0.3, 2.0}) {
    Generator draws(4);
    std::vector<std::pair<double, std::string>> keyed;
    for (const std::string& line : lines) keyed.emplace_back((line[0] == '+' ? 1 : 0) + blur * draws.next(), line);
    std::stable_sort(keyed.begin(), keyed.end(), [](const auto& a, const auto& b) { return a.first < b.first; });
    std::string text;
    for (const auto& [key, line] : keyed) text += line + "\n";
    const std::string path = file("sorted.svm", text);
    for (const std::string preset : {"averaged", "tournament", "arow"}) {
      for (const std::uint32_t shards : {2U, 16U, 64U, 256U}) {
        TrainSettings settings;
        settings.data.paths = {path};
        settings.preset = preset;
        const MixOptions options = mix_options(settings);
        const ShardPlan plan = plan_shards(options.read, shards);
        const MixState state = trained(options, plan, 1);
        const Model model = mixed_model(options, plan, state);
        EvaluateOptions on_fresh;
        on_fresh.read.path = fresh;
        on_fresh.resamples = 0;
        const ConfusionTable found = evaluate(model, on_fresh).confusion;
        const double error = found.errors() / found.rows();
        const double printed = state.ledger.errors() / state.ledger.weight();
        EXPECT_LT(error, 0.2) << preset << " " << shards << " " << blur;
        EXPECT_GT(printed, error - 0.02) << preset << " " << shards << " " << blur;
      }
    }
  }
}

// With one shard mixing is nothing: an epoch is a pass of the plain learner.
TEST_F(MixingTest, OneShardIsThePlainLearner) {
  const std::string path = file("rows.svm", numbers(7, 2000, 6));
  for (const std::string preset : {"rosenblatt", "averaged", "pa1", "tournament", "arow"}) {
    const MixOptions options = options_for({path}, preset);
    const ShardPlan plan = plan_shards(options.read, 1);
    const Model mixed = mixed_model(options, plan, trained(options, plan, 1));
    TrainSettings settings;
    settings.data.paths = {path};
    settings.preset = preset;
    EXPECT_EQ(mixed.weights, train(settings).model.weights) << preset;
  }
}

// The weights are those of the definition, played by hand on integers: sums are exact, and so is a quarter of one. So
// are the means of all rounds, which the averaged perceptron returns.
TEST_F(MixingTest, WeightsAreThoseOfTheDefinition) {
  for (const Mixing mixing : {Mixing::uniform, Mixing::mistakes}) {
    MixOptions options = options_for({file("rows.svm", numbers(9, 4000, 3))}, "averaged");
    options.mixing = mixing;
    const ShardPlan plan = plan_shards(options.read, 4);
    const MixState state = trained(options, plan, 3);
    std::array<double, 4> mixed{}, over_rounds{};  // the bias last
    for (int epoch = 0; epoch < 3; ++epoch) {
      std::array<double, 4> sum{};
      double total = 0;
      for (std::uint32_t shard = 0; shard < 4; ++shard) {
        std::array<double, 4> w = mixed;
        double mistakes = 0;
        Reader(options_of_shard(plan, options.read, shard, true)).read([&](const Block& block) {
          for (std::size_t i = 0; i < block.rows; ++i) {
            std::array<double, 4> x{0, 0, 0, 1};
            block.with_example(i, [&](const auto& row) {
              for (std::uint32_t k = 0; k < row.size; ++k) x[row.index[k]] = row.value_at(k);
            });
            const double y = block.label[i] == 1 ? 1 : -1;
            const double score = std::inner_product(w.begin(), w.end(), x.begin(), 0.0);
            const bool mistake = !(y * score > 0);
            mistakes += mistake ? 1 : 0;
            for (std::size_t j = 0; j < w.size(); ++j) over_rounds[j] += w[j] += mistake ? y * x[j] : 0;
          }
          return true;
        });
        total += mistakes;
        for (std::size_t j = 0; j < w.size(); ++j) sum[j] += w[j] * (mixing == Mixing::uniform ? 1 : mistakes);
      }
      for (std::size_t j = 0; j < sum.size(); ++j) mixed[j] = sum[j] / (mixing == Mixing::uniform ? 4 : total);
    }
    const ClassWeightVector returned = mixed_model(options, plan, state).weights;
    for (std::size_t j = 0; j < 4; ++j) {
      EXPECT_NEAR(j == 3 ? state.weights.bias[0] : state.weights.w[j], mixed[j], 1e-12);
      EXPECT_NEAR(j == 3 ? returned.bias[0] : returned.w[j], over_rounds[j] / 12'000, 1e-9);
    }
  }
}

TEST_F(MixingTest, NamesAreNumberedByShard) {
  std::string text = "colour,size,class\n";
  for (int i = 0; i < 3000; ++i)
    text += "c" + std::to_string(i * 7919 % 250) + "," + std::to_string(i % 9) + (i % 3 == 0 ? ",yes\n" : ",no\n");
  const MixOptions options = options_for({file("rows.csv", text)});
  ShardPlan plan = plan_shards(options.read, 4);
  ASSERT_TRUE(has_open_names(plan));
  MergedNames merged(plan.schema);
  std::set<std::string> names;
  for (std::uint32_t shard = 0; shard < 4; ++shard) {
    const Schema schema = names_of_shard(plan, options.read, shard);
    merged.add(decode_schema(encode_schema(schema)));
  }
  plan.schema = merged.schema();
  EXPECT_EQ(plan.schema.features, 251U);
  const std::vector<std::string> all = plan.schema.feature_names();
  names.insert(all.begin(), all.end());
  EXPECT_EQ(names.size(), 251U);
  EXPECT_TRUE(names.contains("colour=c249"));
  const MixState state = trained(options, plan, 2);
  EXPECT_EQ(state.weights.w.size(), 251U);
  EXPECT_EQ(state.ledger.rounds, 6000U);
}

TEST_F(MixingTest, SumsAreOfNeighboursOnly) {
  const MixOptions options = options_for({file("rows.svm", numbers(11, 900, 3))});
  const ShardPlan plan = plan_shards(options.read, 4);
  MixState state = begin_mixing(options, plan);
  std::vector<PartialSum> sums;
  for (std::uint32_t shard = 0; shard < 4; ++shard) sums.push_back(play_shard(options, plan, state, shard));
  EXPECT_THROW(add(sums[1], sums[2]), Error);                                   // of two nodes
  EXPECT_THROW(add(sums[0], sums[0]), Error);                                   // a shard twice
  EXPECT_THROW(add(sums[1], sums[0]), Error);                                   // the wrong way round
  EXPECT_THROW(add(add(sums[0], sums[1]), sums[2]), Error);                     // of two levels
  EXPECT_THROW(end_epoch(options, plan, state, add(sums[0], sums[1])), Error);  // half
  const PartialSum whole = add(add(sums[0], sums[1]), add(sums[2], sums[3]));
  end_epoch(options, plan, state, whole);
  EXPECT_EQ(state.records.at(0).size(), 4U);
}

TEST_F(MixingTest, BytesComeBackAndDamageIsSeen) {
  const MixOptions options = options_for({file("rows.svm", numbers(13, 900, 3))});
  const ShardPlan plan = plan_shards(options.read, 4);
  const MixState state = trained(options, plan, 2);
  const PartialSum sum = play_shard(options, plan, state, 2);
  EXPECT_EQ(decode_sum(encode(sum)), sum);
  EXPECT_EQ(decode_state(encode(state)), state);
  EXPECT_EQ(encode(decode_plan(encode(plan))), encode(plan));
  const std::vector<std::uint8_t> bytes = encode(sum);
  for (std::size_t i = 0; i < bytes.size(); ++i) {
    std::vector<std::uint8_t> damaged = bytes;
    damaged[i] ^= 1;
    EXPECT_THROW(decode_sum(damaged), Error) << i;
  }
  EXPECT_THROW(decode_sum({bytes.begin(), bytes.end() - 1}), Error);
  EXPECT_THROW(decode_sum({}), Error);
  EXPECT_THROW(decode_state(bytes), Error);  // of another kind
  std::vector<std::uint8_t> later = bytes;
  later[1] = 2;
  const XXH64_hash_t checksum = XXH3_64bits(later.data(), later.size() - sizeof checksum);
  std::memcpy(later.data() + later.size() - sizeof checksum, &checksum, sizeof checksum);
  try {
    decode_sum(later);
    ADD_FAILURE() << "a later version was read";
  } catch (const Error& error) {
    EXPECT_NE(error.message().find("the sum has format version 2"), std::string::npos) << error.message();
  }
}

// Deviations are those of a plain run, whatever the shards: with values far from 0, whose first ones differ, a feature
// that few rows have, weights of rows and of classes; and with more epochs, which read the rows again.
TEST_F(MixingTest, DeviationsAreThoseOfAPlainRun) {
  Generator draws(7);
  std::string text;
  for (int i = 0; i < 3000; ++i) {
    const bool positive = i % 3 == 0;
    text += (positive ? "+1" : "-1") + std::string(" 1:") +
            std::to_string(1'700'000'000 + i / 10 + (positive ? 50 : 0)) + " 2:" + std::to_string(draws.next()) +
            (i % 500 == 3 ? " 3:40" : "") + "\n";
  }
  const std::string path = file("far.svm", text);
  MixOptions options = options_for({path});
  options.read.labels.class_weights = {{"+1", 3}};
  TrainSettings settings;
  settings.data.paths = {path};
  settings.preset = "averaged";
  TrainOptions plain = train_options(settings);
  plain.read.labels.class_weights = options.read.labels.class_weights;
  plain.composition = options.composition;
  const Model expected = train(plain).model;
  ASSERT_TRUE(expected.spread);
  for (const std::uint32_t shards : {1U, 4U, 32U}) {
    const ShardPlan plan = plan_shards(options.read, shards);
    for (const int epochs : {1, 2}) {
      const MixState state = trained(options, plan, epochs);
      const Model mixed = mixed_model(options, plan, decode_state(encode(state)));
      ASSERT_TRUE(mixed.spread);
      EXPECT_EQ(mixed.spread->rows, 3000U);
      for (const std::size_t j : {0U, 1U, 2U})
        EXPECT_NEAR(mixed.spread->deviation(j) / expected.spread->deviation(j), 1, 1e-6) << shards << " " << j;
      EXPECT_EQ(decode(encode(mixed), "m"), mixed);
    }
  }
}

// A row that the sums cannot take leaves the model without them; so does a state that has none.
TEST_F(MixingTest, DeviationsMayBeUnknown) {
  const MixOptions options = options_for({file("wide.svm", numbers(5, 400, 3) + "+1 9000:1\n")});
  const ShardPlan plan = plan_shards(options.read, 4);
  MixState state = trained(options, plan, 1);
  EXPECT_FALSE(state.spread);
  EXPECT_EQ(decode_state(encode(state)), state);
  EXPECT_FALSE(mixed_model(options, plan, state).spread);
}

// The bound with the sums over all rows, which went as bytes.
std::optional<MixBound> bound_over_rows(const MixOptions& options, const ShardPlan& plan, const MixState& state,
                                        const Model& model) {
  std::vector<ShardMargins> margins;
  for (std::uint32_t shard = 0; shard < plan.shards; ++shard)
    margins.push_back(decode_margins(encode(ShardEvaluator(model).of_shard(options, plan, shard))));
  return bound_of_mixing(plan, state, model, margins);
}

// The bound holds, and is the theorem's: S R^2 / g^2 on rows that the weights separate.
TEST_F(MixingTest, TheBoundHolds) {
  for (const Mixing mixing : {Mixing::uniform, Mixing::mistakes}) {
    for (std::uint64_t seed = 1; seed <= 20; ++seed) {
      MixOptions options = options_for({file("rows.svm", numbers(seed, 600, 3))}, "rosenblatt");
      options.mixing = mixing;
      const ShardPlan plan = plan_shards(options.read, 4);
      const MixState state = trained(options, plan, 3);
      const Model model = mixed_model(options, plan, state);
      const std::optional<MixBound> bound = bound_over_rows(options, plan, state, model);
      ASSERT_TRUE(bound);
      EXPECT_GE(bound->value, static_cast<double>(state.ledger.mistakes));
      EXPECT_GE(bound->weighted_bound, bound->weighted);
      EXPECT_EQ(bound->value, 4 * bound->weighted_bound);
    }
  }
}

Rows rows_of(const ReadOptions& read) {
  Rows rows;
  Reader(read).read([&](const Block& block) {
    rows.append(block);
    return true;
  });
  rows.seal();
  return rows;
}

// The sums of hinges at all scales, from one pass of counting, are those that a pass for each scale adds up.
TEST_F(MixingTest, HingesOfAllScalesAreThoseOfEach) {
  const MixOptions options = options_for({file("rows.svm", numbers(23, 3000, 6))}, "rosenblatt");
  const ShardPlan plan = plan_shards(options.read, 1);
  const Model model = mixed_model(options, plan, trained(options, plan, 1));
  const ShardMargins found = ShardEvaluator(model).of_shard(options, plan, 0);
  const Rows rows = rows_of(options.read);
  const EvaluatedMargins evaluated = evaluate_margins(rows, model.weights, model.composition.bias);
  EXPECT_EQ(found.rows, rows.size());
  EXPECT_EQ(found.smallest_margin, evaluated.evaluation.smallest_margin);
  double squares = model.weights.bias[0] * model.weights.bias[0];
  for (const double w : model.weights.w) squares += w * w;
  ASSERT_EQ(found.hinges.size(), ShardMargins::scales);
  for (std::size_t k = 0; k < ShardMargins::scales; ++k) {
    const double octaves = static_cast<double>(k / 2) - 16 - std::ilogb(std::sqrt(squares));
    const double scale = std::exp2(octaves) * (k % 2 == 0 ? 1.0 : 1.4142135623730951);
    long double exact = 0;
    for (const double margin : evaluated.margin) exact += std::max(0.0L, 1 - static_cast<long double>(scale) * margin);
    EXPECT_GE(static_cast<long double>(found.hinges[k]), exact * (1 - 1e-18L)) << k;
    EXPECT_LE(static_cast<long double>(found.hinges[k]), exact * (1 + 1e-11L) + 1e-11L) << k;
  }
}

// A run's mistakes, kept for the bound, by epoch; its bound is no tautology.
TEST_F(MixingTest, TheBoundOverKeptMistakesHolds) {
  for (const Mixing mixing : {Mixing::uniform, Mixing::mistakes}) {
    for (std::uint64_t seed = 31; seed <= 40; ++seed) {
      MixOptions options = options_for({file("rows.svm", numbers(seed, 900, 4))}, "averaged");
      options.mixing = mixing;
      const ShardPlan plan = plan_shards(options.read, 4);
      ASSERT_TRUE(has_mixing_bound(options, plan));
      MixState state = begin_mixing(options, plan);
      std::vector<KeptUpdates> kept;
      for (int i = 0; i < 4; ++i) kept.emplace_back(1 << 20);
      for (int epoch = 0; epoch < 3; ++epoch) {
        std::vector<PartialSum> sums;
        for (std::uint32_t i = 0; i < 4; ++i) sums.push_back(play_shard(options, plan, state, i, &kept[i]));
        end_epoch(options, plan, state, add(add(sums[0], sums[1]), add(sums[2], sums[3])));
      }
      const Model model = mixed_model(options, plan, state);
      ShardEvaluator evaluator(model);
      std::vector<ShardMargins> margins, whole;
      for (std::uint32_t i = 0; i < 4; ++i) {
        margins.push_back(decode_margins(encode(evaluator.of_updates(kept[i]))));
        whole.push_back(evaluator.of_shard(options, plan, i));
        ASSERT_EQ(kept[i].epochs().size(), 3U);
        for (std::size_t n = 0; n < 3; ++n) EXPECT_EQ(kept[i].epochs()[n].size(), state.records[n][i].mistakes);
        for (std::size_t k = 0; k < ShardMargins::scales; ++k) {
          double sum = 0;
          for (std::size_t n = 0; n < 3; ++n) sum += margins[i].hinges[n * ShardMargins::scales + k];
          EXPECT_LE(sum, 3 * whole[i].hinges[k] * (1 + 1e-9) + 1e-9);
        }
      }
      const auto bound = bound_of_mixing(plan, state, model, margins);
      ASSERT_TRUE(bound);
      EXPECT_EQ(bound->theorem, "hinge over the mistakes of shards");
      EXPECT_GT(bound->weighted_bound, bound->weighted * 1.01);  // the scale 0 would give the mistakes themselves
      EXPECT_LT(bound->weighted_bound, bound->weighted * 10);
      EXPECT_GE(bound->value, static_cast<double>(state.ledger.mistakes));
    }
  }
}

// Whether the mistakes fit does not depend on the blocks that they are read in; where they do not, none is kept.
TEST_F(MixingTest, WhetherMistakesFitDependsOnTheRowsAlone) {
  MixOptions options = options_for({file("rows.svm", numbers(41, 40'000, 3))}, "rosenblatt");
  const ShardPlan plan = plan_shards(options.read, 1);
  const MixState state = begin_mixing(options, plan);
  std::uint64_t bytes = 0;
  for (const std::size_t block_bytes : {std::size_t{1} << 12, std::size_t{1} << 16, std::size_t{1} << 20}) {
    options.read.block_bytes = block_bytes;
    KeptUpdates kept(1 << 30);
    play_shard(options, plan, state, 0, &kept);
    ASSERT_EQ(kept.epochs().size(), 1U);
    if (bytes == 0) bytes = kept.epochs()[0].bytes();
    EXPECT_EQ(kept.epochs()[0].bytes(), bytes);
    for (const std::uint64_t memory : {bytes - 1, bytes / 2, std::uint64_t{0}}) {
      KeptUpdates none(memory);
      play_shard(options, plan, state, 0, &none);
      EXPECT_TRUE(none.epochs().empty()) << memory;
    }
  }
}

TEST_F(MixingTest, NoBoundIsPrintedWhereNoneIsProved) {
  for (const std::string preset : {"tournament", "pa1"}) {
    const MixOptions options = options_for({file("rows.svm", numbers(17, 600, 3))}, preset);
    const ShardPlan plan = plan_shards(options.read, 2);
    const MixState state = trained(options, plan, 1);
    const Model model = mixed_model(options, plan, state);
    EXPECT_FALSE(bound_over_rows(options, plan, state, model)) << preset;
  }
}

// Learners of two classes each have their theorem; the mistakes of all together have none.
TEST_F(MixingTest, CombinedLearnersHaveNoBound) {
  std::string text;
  for (int i = 0; i < 600; ++i)
    text += std::to_string(i % 3) + " 1:" + std::to_string(i % 3) + " 2:" + std::to_string(i % 7) + "\n";
  for (const std::string reduction : {"own", "one-against-rest"}) {
    TrainSettings settings;
    settings.data.paths = {file("rows.svm", text)};
    settings.rule = "perceptron";
    if (reduction != "own") settings.multiclass = reduction;
    const TrainOptions chosen = train_options(settings);
    MixOptions options;
    options.read = chosen.read;
    options.composition = chosen.composition;
    const ShardPlan plan = plan_shards(options.read, 2);
    const MixState state = trained(options, plan, 1);
    const Model model = mixed_model(options, plan, state);
    EXPECT_EQ(bound_over_rows(options, plan, state, model).has_value(), reduction == "own") << reduction;
  }
}

TEST_F(MixingTest, WhatCannotBeMixedIsRefused) {
  const std::string path = file("rows.svm", numbers(19, 300, 3));
  EXPECT_THROW(plan_shards(options_for({path}).read, 3), Error);
  const MixOptions tournament = options_for({path}, "tournament");
  const ShardPlan plan = plan_shards(tournament.read, 2);
  MixState state = trained(tournament, plan, 1);
  EXPECT_THROW(play_shard(tournament, plan, state, 0), Error);  // a second epoch
  EXPECT_THROW(begin_mixing(options_for({path}, "pocket"), plan), Error);
  EXPECT_THROW(begin_mixing(options_for({path}, "voted"), plan), Error);
  EXPECT_THROW(begin_mixing(options_for({path}, "batch"), plan), Error);
}

}  // namespace
}  // namespace halfspace
