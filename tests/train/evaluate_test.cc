// Figures of an evaluation against their definitions; one row predicted against the same row in a block.
#include "halfspace/train/evaluate.h"

#include "halfspace/base/error.h"
#include "halfspace/base/random.h"
#include "halfspace/rules/margin_perceptron.h"
#include "halfspace/stream/memory_data.h"
#include "halfspace/train/choose.h"
#include "halfspace/train/train.h"
#include "support/test.h"

namespace halfspace {
namespace {

TEST(RocCurve, AreaIsTheShareOfPairsRankedRightly) {
  for (std::uint64_t seed = 1; seed <= 200; ++seed) {
    Generator draws(seed);
    std::vector<ScoredRow> rows;
    const std::uint64_t n = 1 + pick(draws, 60);
    for (std::uint64_t i = 0; i < n; ++i) {
      rows.push_back({std::floor(6 * draws.next()), false});
      rows.back().positive = draws.next() < 0.5;
    }
    double right = 0, pairs = 0;
    for (const ScoredRow& a : rows) {
      for (const ScoredRow& b : rows) {
        if (!a.positive || b.positive) continue;
        ++pairs;
        right += a.score > b.score ? 1 : a.score == b.score ? 0.5 : 0;
      }
    }
    const auto curve = roc_curve(rows);
    ASSERT_EQ(curve.has_value(), pairs > 0);
    if (!curve) continue;
    EXPECT_EQ(curve->area, right / pairs);
    EXPECT_EQ(curve->true_positive.back(), 1);
    EXPECT_EQ(curve->false_positive.back(), 1);
    EXPECT_TRUE(std::is_sorted(curve->true_positive.begin(), curve->true_positive.end()));
    EXPECT_EQ(roc_curve(rows, 0.5)->area, curve->area) << "points do not change it";
  }
}

TEST(ConfusionTable, CountsRows) {
  ConfusionTable table(3);
  for (const auto& [truth, predicted] : {std::pair{0, 0}, {0, 1}, {1, 1}, {2, 0}, {2, 2}, {2, 2}})
    table.add(truth, predicted);
  EXPECT_EQ(table.rows(), 6U);
  EXPECT_EQ(table.right(), 4U);
  EXPECT_EQ(table.errors(), 2U);
  EXPECT_EQ(table.rows_of(2), 3U);
  EXPECT_EQ(table.most_frequent(), 3U);
  EXPECT_EQ(table.at(2, 0), 1U);
  EXPECT_EQ(table.accuracy(), 4.0 / 6);
}

TEST(Reliability, IsItsDefinition) {
  Reliability two(2);
  two.add(std::vector<double>{0.25, 0.75}, 1);
  two.add(std::vector<double>{0.25, 0.75}, 0);
  EXPECT_DOUBLE_EQ(two.log_loss(), -(std::log(0.75) + std::log(0.25)) / 2);
  EXPECT_DOUBLE_EQ(two.brier(), (0.0625 + 0.5625) / 2);
  EXPECT_DOUBLE_EQ(two.constant_brier(), 0.25);
  EXPECT_DOUBLE_EQ(two.calibration_error(), 0.25);
  two.add(std::vector<double>{1, 0}, 1);
  EXPECT_EQ(two.impossible(), 1);
  two.add(std::vector<double>{1, 0}, 1, 4);
  EXPECT_EQ(two.impossible(), 5) << "a row of weight 4 is four rows";
  EXPECT_TRUE(std::isinf(two.log_loss()));
}

// Rows of three classes or two, with scales that differ and unknown to all but the model.
MemoryData some_rows(int classes, std::uint64_t seed) {
  MemoryData data;
  Generator draws(seed);
  for (int i = 0; i < 300; ++i) {
    const double a = gaussian(draws), b = gaussian(draws);
    int label = a + b > 0;
    if (classes > 2 && a - b > 1) label = 2;
    data.add("class" + std::to_string(label), std::vector<double>{300 * a, b, 0.1, draws.next()});
  }
  return data;
}

TEST(Predictor, OneRowIsTheSameRowInABlock) {
  for (const int classes : {2, 3}) {
    for (const int scale : {0, 1, 2}) {
      for (const KeepName keep : {KeepName::last, KeepName::average, KeepName::vote}) {
        const MemoryData data = some_rows(classes, 7);
        TrainOptions options;
        options.read.rows = &data;
        options.read.row_normalised = options.read.single = scale == 2;
        options.normalize_columns = scale == 1;
        options.composition.order = OrderName::cyclic;
        options.composition.keep = keep;
        options.until.passes = 2;
        options.holdout = 0.2;
        options.calibrate = keep == KeepName::last ? CalibrationMethod::none : CalibrationMethod::platt;
        const Model model = train(options).model;
        Predictor whole(model), single(model);
        std::vector<std::int32_t> label;
        std::vector<double> score, all;
        std::uint64_t at = 0;
        ReadOptions read;
        read.rows = &data;
        Generator draws(7);
        Reader(read_for(model, read)).read([&](const Block& block) {
          whole.predict(block, label, score);
          for (std::size_t i = 0; i < block.rows; ++i, ++at) {
            // The row again, as some_rows made it.
            const double a = gaussian(draws), b = gaussian(draws);
            const std::vector<double> x{300 * a, b, 0.1, draws.next()};
            const std::vector<std::uint32_t> index{0, 1, 2, 3};
            for (const Prediction& p : {single.predict(index, x), single.predict(x)}) {
              EXPECT_EQ(p.class_number, label[i]);
              EXPECT_EQ(p.score, score[i]) << at;
              EXPECT_EQ(p.label, model.schema.labels.names[static_cast<std::size_t>(label[i])]);
              EXPECT_EQ(p.probabilities.size(), keep == KeepName::last ? 0U : static_cast<std::size_t>(classes));
            }
          }
          all.clear();
          if (keep == KeepName::last) return true;
          std::vector<std::int32_t> again;
          const std::uint32_t vectors = whole.score_all(block, again, all);
          Generator from_the_first(7);
          const double a = gaussian(from_the_first), b = gaussian(from_the_first);
          const Prediction first = single.predict(std::vector<double>{300 * a, b, 0.1, from_the_first.next()});
          if (block.row[0] == 1) {
            EXPECT_EQ(std::vector<double>(first.probabilities.begin(), first.probabilities.end()),
                      model.calibration.probabilities(std::span(all).first(vectors)));
          }
          return true;
        });
      }
    }
  }
}

TEST(Predictor, OneRowMayBeEmptyOrHaveMoreThanTheModelKnows) {
  const MemoryData data = some_rows(2, 9);
  TrainOptions options;
  options.read.rows = &data;
  Predictor predictor(train(options).model);
  const std::vector<double> none, four{1, 2, 3, 4};
  EXPECT_EQ(predictor.predict(none).score, predictor.predict(std::vector<double>{0, 0}).score);
  const std::vector<std::uint32_t> known{0, 1, 2, 3};
  const std::vector<double> five{1, 2, 3, 4, 5};
  const std::vector<std::uint32_t> unknown{0, 1, 2, 3, 4'000'000'000U};
  EXPECT_EQ(predictor.predict(unknown, five).score, predictor.predict(known, four).score);
  EXPECT_THROW(predictor.predict(known, five), Error);
  EXPECT_THROW(predictor.predict(std::vector<double>{std::nan("")}), Error);
}

TEST(Evaluate, IsTheSameOfAFileAndOfRows) {
  const MemoryData data = some_rows(2, 11);
  TrainOptions options;
  options.read.rows = &data;
  options.holdout = 0.3;
  options.calibrate = CalibrationMethod::platt;
  const TrainResult result = train(options);
  EvaluateOptions of_data;
  of_data.read.rows = &data;
  const ModelEvaluation got = evaluate(result.model, of_data);
  Rows rows;
  Reader(read_for(result.model, of_data.read)).read([&](const Block& block) {
    rows.append(block);
    return true;
  });
  rows.seal();
  const ModelEvaluation want = evaluate(result.model, rows);
  EXPECT_EQ(got.confusion.counts(), want.confusion.counts());
  EXPECT_EQ(got.area, want.area);
  EXPECT_EQ(got.reliability->log_loss(), want.reliability->log_loss());
  EXPECT_EQ(got.confusion.rows(), 300U);
  EXPECT_EQ(got.report.rows, 300U);
}

TEST(Choose, FindsTheBestAndByHowMuch) {
  const MemoryData data = some_rows(2, 13);
  TrainOptions options;
  options.read.rows = &data;
  options.normalize_columns = true;  // else the first feature decides alone, and all candidates are equal
  options.composition.rule = rule::margin;
  options.composition.order = OrderName::cyclic;
  options.until.passes = 1;
  const std::vector<double> passes{1, 2};
  std::vector<NamedCandidate> grid{{{}, {options.composition, options.until}}};
  grid = spread(grid, "margin", logarithmic_grid(0.01, 1, 3),
                [](Candidate& c, double v) { c.composition.set(parameter::margin, v); });
  grid = spread(grid, "passes", passes, [](Candidate& c, double v) { c.until.passes = static_cast<std::uint64_t>(v); });
  ASSERT_EQ(grid.size(), 6U);
  EXPECT_EQ(grid[3].name(), "margin 0.1, passes 2");
  const Choice choice = choose(options, grid, 4, true);
  for (std::size_t i = 0; i < grid.size(); ++i) {
    EXPECT_LE(choice.verdicts[i].accuracy(), choice.verdict().accuracy());
    if (i < choice.best) {
      EXPECT_LT(choice.verdicts[i].accuracy(), choice.verdict().accuracy()) << "of equals the first";
    }
    if (i != choice.best) {
      EXPECT_LE(choice.verdicts[i].accuracy(), choice.verdicts[choice.next].accuracy());
    }
  }
  EXPECT_NE(choice.best, choice.next);
  EXPECT_GT(choice.ahead()->by, 0);
  take(choice, options);
  EXPECT_EQ(options.composition, choice.winner().candidate.composition);
  TrainResult result = train(options);
  EXPECT_EQ(choice.calibrate(CalibrationMethod::platt).rows, 300U);
  EXPECT_THROW(choose(options, grid, 1), Error);
  EXPECT_THROW(choose(options, grid, std::nullopt), Error) << "no rows are held out";
  EXPECT_THROW(choose(options, {}, 4), Error);
  EXPECT_THROW(logarithmic_grid(0, 1, 3), Error);
}

}  // namespace
}  // namespace halfspace
