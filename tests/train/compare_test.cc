// Comparisons: the same rows for all, their scores as Folds has them, and verdicts that hold.
#include "halfspace/train/compare.h"

#include <sched.h>

#include <atomic>

#include "halfspace/base/error.h"
#include "halfspace/base/random.h"
#include "support/test.h"

namespace halfspace {
namespace {

class CompareOn : public ::testing::Test {
 protected:
  // Rows of a linear truth in `columns` columns; a share of the labels is drawn by a coin.
  std::string write(const std::string& name, int rows, std::uint64_t seed, double noise = 0.2, int classes = 2,
                    bool positive = false) const {
    Generator draws(seed);
    std::ofstream file(folder_.path(name));
    for (int i = 0; i < rows; ++i) {
      double sum = 0;
      std::ostringstream values;
      for (int j = 1; j <= 5; ++j) {
        const double value = positive ? draws.next() : gaussian(draws);
        sum += (value - (positive ? 0.5 : 0)) * (j % 2 == 0 ? 1 : -1);
        values << " " << j << ":" << value;
      }
      auto label = static_cast<int>(sum > 0);
      if (draws.next() < noise) label = static_cast<int>(pick(draws, static_cast<std::uint64_t>(classes)));
      file << label << values.str() << "\n";
    }
    return folder_.path(name);
  }

  static CompareSettings settings(const std::vector<std::string>& paths, const std::vector<std::string>& rules) {
    CompareSettings own;
    own.common.data.paths = paths;
    own.rules = rules;
    return own;
  }
  static Comparison compare(const CompareSettings& own, const std::vector<NamedModel>& models = {}) {
    return halfspace::compare(compare_options(own, models));
  }
  std::shared_ptr<const Model> trained(const std::string& path, const std::string& rule) const {
    TrainSettings own;
    own.data.paths = {path};
    own.rule = rule;
    return std::make_shared<const Model>(train(own).model);
  }

  testing::TemporaryFolder folder_;
};

TEST_F(CompareOn, OneSetScoresAsFoldsDo) {
  const std::string path = write("a.svm", 200, 1);
  const Comparison found = compare(settings({path}, {"averaged", "pa1:passes=2:normalize=column"}));
  ASSERT_EQ(found.sets.size(), 1U);
  EXPECT_EQ(found.folds, 10U);
  EXPECT_EQ(found.sets[0].rows, 200U);
  EXPECT_EQ(found.test, ComparisonTest::corrected_t);
  TrainSettings own;
  own.data.paths = {path};
  own.rule = "pa1";
  own.until.passes = 2;
  own.normalize_columns = true;
  const TrainOptions options = train_options(own);
  const Validation alone =
      Folds(options, 10)
          .cross_validate(std::vector<Candidate>{{options.composition, options.until, options.normalize_columns}})[0];
  const CompetitorResult& result = found.sets[0].results[1];
  ASSERT_EQ(result.fold.size(), 10U);
  for (std::size_t k = 0; k < 10; ++k) EXPECT_EQ(result.fold[k].errors, alone.fold[k].errors);
  EXPECT_DOUBLE_EQ(result.score, alone.accuracy());
  EXPECT_DOUBLE_EQ(result.lower, 1 - alone.expected_error()->bounds.upper);
  EXPECT_LT(result.lower, result.score);
  EXPECT_GT(result.upper, result.score);
  std::vector<double> differences;
  for (std::size_t k = 0; k < 10; ++k)
    differences.push_back(found.sets[0].results[1].fold[k].accuracy() - found.sets[0].results[0].fold[k].accuracy());
  EXPECT_DOUBLE_EQ(found.pairs[0].test.p_value, corrected_resampled_t(differences, 1.0 / 9).p_value);
  // One pass in file order: the last point is a power of two.
  ASSERT_EQ(found.sets[0].results[0].curve.size(), 8U);
  EXPECT_EQ(found.sets[0].results[0].curve[7].rounds, 10U * 128);
}

// The default validates on each fold's training rows only, and is what plan_training() and train() learn from them.
TEST_F(CompareOn, TheDefaultPlansOnEachFold) {
  const std::string path = write("a.svm", 120, 2);
  CompareSettings own = settings({path}, {"default"});
  own.common.folds = 3;
  const Comparison found = compare(own);
  const TrainOptions options = train_options(own.common);
  const Folds folds(options, 3);
  std::vector<std::string> lines;
  std::ifstream file(path);
  for (std::string line; std::getline(file, line);) lines.push_back(line);
  for (std::uint32_t k = 0; k < 3; ++k) {
    std::ofstream rest(folder_.path("rest.svm")), fold(folder_.path("fold.svm"));
    for (std::size_t i = 0; i < lines.size(); ++i) (folds.fold_of_row()[i] == k ? fold : rest) << lines[i] << "\n";
    rest.close();
    fold.close();
    TrainSettings alone;
    alone.data.paths = {folder_.path("rest.svm")};
    EvaluateSettings by;
    by.data.paths = {folder_.path("fold.svm")};
    EXPECT_EQ(found.sets[0].results[0].fold[k].errors, evaluate(train(alone).model, by).confusion.errors()) << k;
  }
}

TEST_F(CompareOn, IdenticalCompetitorsDoNotDiffer) {
  for (std::uint64_t seed = 1; seed <= 5; ++seed) {
    CompareOptions options = compare_options(settings(
        {write("a.svm", 100, seed), write("b.svm", 120, seed + 50), write("c.svm", 80, seed + 90)}, {"averaged"}));
    options.competitors.push_back(options.competitors[0]);
    options.competitors.push_back(options.competitors[0]);
    options.competitors[1].name = "the same";
    options.competitors[2].name = "again";
    const Comparison found = halfspace::compare(options);
    for (const SetResult& set : found.sets) {
      for (const PairResult& pair : set.pairs) EXPECT_EQ(pair.test.p_value, 1);
    }
    EXPECT_EQ(found.friedman->p_value, 1);
    EXPECT_EQ(found.mean_ranks, (std::vector<double>{2, 2, 2}));
    EXPECT_EQ(found.beaten.size(), 0U);
    EXPECT_EQ(found.best, 0U);
  }
}

TEST_F(CompareOn, AMuchBetterCompetitorIsSignificantlyBetter) {
  // A single update learns next to nothing.
  const std::vector<std::string> rules = {"averaged:passes=5", "perceptron:updates=1"};
  const Comparison one = compare(settings({write("a.svm", 600, 3, 0.05)}, rules));
  EXPECT_EQ(one.best, 0U);
  EXPECT_EQ(one.beaten, std::vector<std::size_t>{1});
  EXPECT_LT(one.pairs[0].adjusted_p, 0.01);
  std::vector<std::string> paths;
  for (std::uint64_t s = 0; s < 8; ++s) paths.push_back(write("s" + std::to_string(s), 150, 100 + s, 0.05));
  const Comparison two = compare(settings(paths, rules));
  EXPECT_EQ(two.test, ComparisonTest::wilcoxon);
  EXPECT_EQ(two.beaten, std::vector<std::size_t>{1});
  EXPECT_EQ(two.pairs[0].test.p_value, 2.0 / 256);  // all of 8 signs agree
  EXPECT_EQ(two.pairs[0].wins, 8U);
  const Comparison three = compare(settings(paths, {rules[1], "averaged:passes=5", "pa:updates=1"}));
  EXPECT_EQ(three.test, ComparisonTest::nemenyi);
  EXPECT_EQ(three.best, 1U);
  EXPECT_EQ(three.beaten.size(), 2U);
  EXPECT_LT(three.friedman->p_value, 0.01);
  EXPECT_EQ(three.mean_ranks[1], 1);
  EXPECT_NEAR(*three.critical_difference, nemenyi_critical_difference(3, 8), 1e-15);
}

TEST_F(CompareOn, ModelsAreEvaluatedOnATestSet) {
  const std::string learn = write("a.svm", 300, 4), test = write("t.svm", 200, 5);
  const auto model = trained(learn, "arow");
  CompareSettings own = settings({learn}, {"pa1", "arow"});
  own.test = test;
  const Comparison found = compare(own, {{"saved", model}});
  EXPECT_FALSE(found.folds);
  EXPECT_EQ(found.test, ComparisonTest::mcnemar);
  EvaluateSettings by;
  by.data.paths = {test};
  for (const std::size_t c : {1U, 2U}) {
    EXPECT_EQ(found.sets[0].results[c].fold[0].rows, 200U);
    EXPECT_EQ(found.sets[0].results[c].fold[0].errors, evaluate(*model, by).confusion.errors());
  }
  std::vector<double> p_values;
  for (const PairResult& pair : found.pairs) p_values.push_back(pair.test.p_value);
  ASSERT_EQ(p_values.size(), 3U);
  for (std::size_t i = 0; i < 3; ++i) EXPECT_EQ(found.pairs[i].adjusted_p, holm(p_values)[i]);
  for (const PairResult& pair : found.pairs) {
    EXPECT_EQ(pair.wins + pair.losses + pair.ties, 200U);
    EXPECT_EQ(pair.test.p_value,
              mcnemar_exact(static_cast<std::uint64_t>(pair.wins), static_cast<std::uint64_t>(pair.losses)).p_value);
    EXPECT_NEAR(pair.lead, (pair.wins - pair.losses) / 200, 1e-12);
  }
  // Alone, on several sets; not on the rows they were trained on.
  const Comparison alone = compare(settings({learn, test}, {}), {{"arow", model}, {"pa1", trained(test, "pa1")}});
  EXPECT_TRUE(has(alone.sets[0].results[0].why_not_run, "trained on these rows"));
  EXPECT_TRUE(alone.sets[0].results[1].why_not_run.empty());
  EXPECT_TRUE(alone.common.empty());
  EXPECT_FALSE(alone.best);
}

TEST_F(CompareOn, WhatCannotLearnASetIsNotRunOnIt) {
  const std::vector<std::string> paths = {write("signs.svm", 90, 6), write("p1.svm", 90, 7, 0.1, 2, true),
                                          write("p2.svm", 90, 8, 0.1, 2, true), write("three.svm", 90, 9, 0.9, 3)};
  const Comparison found = compare(settings(paths, {"averaged", "winnow1", "kernel", "pa1"}));
  EXPECT_TRUE(has(found.sets[3].results[2].why_not_run, "classes"));  // kernels have two classes
  EXPECT_FALSE(found.sets[0].results[1].why_not_run.empty());         // features of 0 and 1 only
  EXPECT_EQ(found.compared, (std::vector<std::size_t>{0, 2, 3}));
  EXPECT_EQ(found.common, (std::vector<std::size_t>{0, 1, 2}));
  EXPECT_TRUE(found.sets[3].results[0].why_not_run.empty());  // one against the rest
  EXPECT_EQ(found.sets[3].classes, 3U);
}

TEST_F(CompareOn, IsTheSameWithAnyNumberOfThreads) {
  const std::string path = write("a.svm", 150, 10);
  const std::vector<std::string> rules = {"default", "averaged", "tournament", "random-pla:passes=3"};
  const Comparison many = compare(settings({path}, rules));
  cpu_set_t before, one;
  ASSERT_EQ(sched_getaffinity(0, sizeof before, &before), 0);
  CPU_ZERO(&one);
  for (std::size_t c = 0; c < CPU_SETSIZE; ++c) {
    if (CPU_ISSET(c, &before) == 0) continue;
    CPU_SET(c, &one);
    break;
  }
  ASSERT_EQ(sched_setaffinity(0, sizeof one, &one), 0);
  const Comparison single = compare(settings({path}, rules));
  sched_setaffinity(0, sizeof before, &before);
  for (std::size_t c = 0; c < rules.size(); ++c) {
    EXPECT_EQ(many.sets[0].results[c].score, single.sets[0].results[c].score) << rules[c];
    for (std::size_t k = 0; k < 10; ++k)
      EXPECT_EQ(many.sets[0].results[c].fold[k].errors, single.sets[0].results[c].fold[k].errors) << rules[c];
  }
  for (std::size_t p = 0; p < many.pairs.size(); ++p)
    EXPECT_EQ(many.pairs[p].test.p_value, single.pairs[p].test.p_value);
}

TEST_F(CompareOn, AnInterruptKeepsFinishedSets) {
  const std::vector<std::string> paths = {write("a.svm", 100, 11), write("b.svm", 100, 12), write("c.svm", 100, 13)};
  CompareOptions options = compare_options(settings(paths, {"averaged", "pa1"}));
  std::atomic<bool> stop{false};
  options.interrupt = &stop;
  double last = 0;
  options.on_progress = [&](const CompareProgress& now) {
    EXPECT_GE(now.share, last);
    EXPECT_LE(now.share, 1);
    last = now.share;
    EXPECT_EQ(now.sets, 3U);
    if (now.set == 1) stop = true;
  };
  const Comparison found = halfspace::compare(options);
  EXPECT_TRUE(found.interrupted);
  EXPECT_EQ(found.sets.size(), 1U);
  EXPECT_EQ(found.test, ComparisonTest::corrected_t);
  stop = true;
  last = 0;
  EXPECT_THROW(halfspace::compare(options), Error);
}

TEST_F(CompareOn, RejectsWhatItCannotCompare) {
  const std::string path = write("a.svm", 60, 14);
  const auto reason = [&](const CompareSettings& own, const std::vector<NamedModel>& models = {}) -> std::string {
    try {
      compare(own, models);
    } catch (const Error& error) {
      return error.what();
    }
    return "nothing";
  };
  const auto expect = [](const std::string& text, const std::string& part) { EXPECT_TRUE(has(text, part)); };
  expect(reason(settings({path}, {"avraged"})), "did you mean 'averaged'");
  expect(reason(settings({path}, {"pa1", "pa1"})), "named twice");
  expect(reason(settings({path}, {"batch"})), "may never stop");
  expect(reason(settings({path}, {"pa1:nothing=3"})), "nothing");
  expect(reason(settings({path}, {"default:rate=3"})), "chooses how to learn");
  expect(reason(settings({path}, {"pa1"}), {{"m", trained(path, "pa1")}}), "rows that the rules do not learn");
  expect(reason(settings({path, "none.svm"}, {"pa1"})), "none.svm");
  CompareSettings both = settings({path}, {"pa1"});
  both.common.folds = 5;
  both.common.holdout = 0.2;
  expect(reason(both), "exclude each other");
  both.common.folds = 1;
  both.common.holdout = 0;
  expect(reason(both), "at least 2");
  CompareSettings many = settings({path, path}, {"pa1"});
  many.test = path;
  expect(reason(many), "belongs to one data set");
  many.common.data.paths = {path};
  expect(reason(many), "the test rows are the rows to learn");
}

}  // namespace
}  // namespace halfspace
