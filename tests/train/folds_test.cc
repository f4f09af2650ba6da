// Folds against the plain way: a file without the fold's rows, trained on by itself.
#include "halfspace/train/folds.h"

#include "halfspace/base/error.h"
#include "halfspace/base/random.h"
#include "halfspace/detail/linear/loss.h"
#include "halfspace/detail/rules/ftrl.h"
#include "halfspace/detail/rules/multiclass.h"
#include "halfspace/rules/minnow.h"
#include "halfspace/rules/passive_aggressive.h"
#include "halfspace/rules/perceptron.h"
#include "support/test.h"

namespace halfspace {
namespace {

class FoldsOf : public ::testing::Test {
 protected:
  void SetUp() override {
    folder_ = std::filesystem::path(::testing::TempDir()) /
              (std::string("folds-") + ::testing::UnitTest::GetInstance()->current_test_info()->name());
    std::filesystem::create_directories(folder_);
  }
  void TearDown() override {
    std::error_code ignored;
    std::filesystem::remove_all(folder_, ignored);
  }

  // Rows of a noisy truth, as lines; columns differ in scale by far, and every tenth row has a value that sets its
  // column's.
  static std::vector<std::string> lines(int rows, int classes, std::uint64_t seed) {
    Generator draws(seed);
    std::vector<std::string> all;
    for (int i = 0; i < rows; ++i) {
      std::ostringstream line;
      const double a = gaussian(draws), b = gaussian(draws);
      int label = a + b > 0 ? 1 : 0;
      if (classes > 2 && draws.next() < 0.3) label = 2;
      if (draws.next() < 0.1) label = static_cast<int>(pick(draws, static_cast<std::uint64_t>(classes)));
      line << label << " 1:" << a * (i % 10 == 0 ? 1000 : 1) << " 2:" << b << " " << 3 + i % 20 << ":0.5";
      all.push_back(line.str());
    }
    return all;
  }
  std::string write(const std::string& name, const std::vector<std::string>& all) const {
    std::ofstream file(folder_ / name);
    for (const std::string& line : all) file << line << "\n";
    return (folder_ / name).string();
  }

  static TrainOptions options(const std::string& path, const Composition& composition) {
    TrainOptions options;
    options.read.path = path;
    options.composition = composition;
    options.until.passes = 3;
    return options;
  }

  // The scores of rows of a file under a model.
  static std::vector<double> scores(const Model& model, const std::string& path) {
    ReadOptions read;
    read.path = path;
    read.schema = &model.schema;
    read.grow = false;
    Reader reader(read);
    Predictor predictor(model);
    std::vector<double> all, some;
    std::vector<std::int32_t> classes;
    reader.read([&](const Block& block) {
      predictor.score_all(block, classes, some);
      all.insert(all.end(), some.begin(), some.end());
      return true;
    });
    return all;
  }

  // Every fold's scores are those of train() on a file without it, bit for bit.
  void expect_as_trained_apart(const std::vector<std::string>& all, const Composition& composition, bool columns) {
    TrainOptions whole = options(write("all.svm", all), composition);
    whole.normalize_columns = columns;
    const Folds folds(whole, 4);
    const Validation v = folds.cross_validate(std::vector<Candidate>{{composition, whole.until}}, true)[0];
    double errors = 0;
    for (std::uint32_t k = 0; k < 4; ++k) {
      std::vector<std::string> own, rest;
      std::vector<double> found;
      for (std::size_t i = 0; i < all.size(); ++i) {
        const bool here = folds.fold_of_row()[i] == k;
        (here ? own : rest).push_back(all[i]);
        if (!here) continue;
        for (std::uint32_t c = 0; c < v.vectors; ++c) found.push_back(v.scores[i * v.vectors + c]);
      }
      TrainOptions apart = options(write("rest.svm", rest), composition);
      apart.normalize_columns = columns;
      const TrainResult trained = train(apart);
      EXPECT_EQ(found, scores(trained.model, write("own.svm", own)))
          << name_of(composition.rule) << " " << name_of(composition.order) << " " << name_of(composition.keep);
      EXPECT_EQ(v.fold[k].rows, own.size());
      errors += v.fold[k].errors;
    }
    EXPECT_EQ(errors, static_cast<double>(std::count(v.wrong.begin(), v.wrong.end(), 1)));
  }

  std::filesystem::path folder_;
};

TEST_F(FoldsOf, AnyCompositionLearnsAsTrainDoes) {
  const auto two = lines(90, 2, 3);
  const auto three = lines(90, 3, 5);
  for (const OrderName order : {OrderName::stream, OrderName::cyclic, OrderName::shuffled, OrderName::random}) {
    for (const KeepName keep : {KeepName::last, KeepName::average, KeepName::pocket, KeepName::vote}) {
      for (const RuleName rule : {rule::perceptron, rule::pa1, rule::minnow, rule::multiclass}) {
        Composition c;
        c.rule = rule;
        c.order = order;
        c.keep = keep;
        expect_as_trained_apart(rule == rule::multiclass ? three : two, c, false);
      }
    }
  }
}

// The scale of columns is learned from the rows that are learned from: the large values of a fold do not leak out.
TEST_F(FoldsOf, ColumnScalesDoNotLeak) {
  std::vector<std::string> all = lines(80, 2, 7);
  all[13] = "1 1:1e6 2:1 3:77";
  for (const OrderName order : {OrderName::cyclic, OrderName::shuffled}) {
    Composition c;
    c.rule = rule::pa1;
    c.order = order;
    expect_as_trained_apart(all, c, true);
  }
}

TEST_F(FoldsOf, EveryFoldHasItsShareOfEveryClass) {
  const auto all = lines(101, 3, 9);
  Composition composition;
  composition.rule = rule::multiclass;
  const TrainOptions o = options(write("all.svm", all), composition);
  const Folds folds(o, 5);
  std::vector<std::vector<int>> of_class(3, std::vector<int>(5, 0));
  std::vector<int> size(5, 0);
  for (std::size_t i = 0; i < all.size(); ++i) {
    ++of_class[static_cast<std::size_t>(all[i][0] - '0')][folds.fold_of_row()[i]];
    ++size[folds.fold_of_row()[i]];
  }
  of_class.push_back(size);
  for (const auto& counts : of_class) {
    const auto [least, most] = std::minmax_element(counts.begin(), counts.end());
    EXPECT_LE(*most - *least, 1);
  }
}

TEST_F(FoldsOf, TheSameWhateverTheThreadsAndTheCompany) {
  Composition c;
  c.order = OrderName::shuffled;
  TrainOptions o = options(write("all.svm", lines(120, 2, 11)), c);
  Composition other = c;
  other.set(parameter::rate, 3);
  std::vector<std::uint8_t> wrong;
  std::vector<std::uint32_t> dealt;
  for (const unsigned threads : {1U, 2U, 5U}) {
    o.read.threads = threads;
    const Folds folds(o, 6);
    const auto together = folds.cross_validate(std::vector<Candidate>{{other, o.until}, {c, o.until}});
    const auto alone = folds.cross_validate(std::vector<Candidate>{{c, o.until}});
    EXPECT_EQ(together[1].wrong, alone[0].wrong);
    if (threads == 1) {
      wrong = alone[0].wrong;
      dealt = folds.fold_of_row();
    }
    EXPECT_EQ(wrong, alone[0].wrong);
    EXPECT_EQ(dealt, folds.fold_of_row());
  }
  o.composition.seed = 2;
  EXPECT_NE(dealt, Folds(o, 6).fold_of_row());
}

TEST_F(FoldsOf, HeldOutRowsAreJudgedAsTrainJudgesThem) {
  Composition c;
  c.order = OrderName::cyclic;
  TrainOptions o = options(write("all.svm", lines(150, 2, 13)), c);
  o.holdout = 0.2;
  const Validation v = Folds(o, 0).cross_validate(std::vector<Candidate>{{c, o.until}})[0];
  const TrainResult trained = train(o);
  ASSERT_EQ(v.fold.size(), 1U);
  EXPECT_EQ(v.fold[0].rows, trained.holdout->rows);
  EXPECT_EQ(v.fold[0].errors, trained.holdout->errors);
  // Beside folds, held-out rows take no part at all.
  EXPECT_EQ(Folds(o, 3).rows(), 120U);
}

// F1 by counting, and a loss, of which less is better.
TEST_F(FoldsOf, CandidatesAreRankedByTheMetric) {
  const std::string path = write("all.svm", lines(300, 2, 21));
  Composition last, average;
  last.order = average.order = OrderName::cyclic;
  average.keep = KeepName::average;
  TrainOptions o = options(path, last);
  o.holdout = 0.3;
  o.metric = Metric::f;
  const std::vector<Candidate> both{{last, o.until}, {average, o.until}};
  const std::vector<Validation> found = Folds(o, 0).cross_validate(both);
  for (const Validation& v : found) {
    double both_positive = 0, positives = 0;
    for (std::size_t i = 0; i < v.label.size(); ++i) {
      const bool truth = v.label[i] == 1, predicted = truth != (v.wrong[i] == 1);
      both_positive += truth && predicted;
      positives += truth + predicted;
    }
    EXPECT_NEAR(v.value(), 2 * both_positive / positives, 1e-12);
    EXPECT_EQ(v.rank(), v.value());
    EXPECT_GT(v.standard_error(), 0);
  }
  const Lead ahead = lead(found[1], found[0]);
  EXPECT_NEAR(ahead.by, found[1].value() - found[0].value(), 1e-15);
  EXPECT_NEAR(ahead.standard_error, std::hypot(found[0].standard_error(), found[1].standard_error()), 1e-15);

  o.metric = Metric::log_loss;
  EXPECT_THROW(Folds(o, 3).cross_validate(both), Error) << "a perceptron has no probabilities";
  Composition slow, fast;
  slow.rule = fast.rule = rule::ftrl;
  slow.set(parameter::loss, static_cast<double>(MarginLoss::logistic));
  fast.set(parameter::loss, static_cast<double>(MarginLoss::logistic));
  slow.set(parameter::alpha, 1e-4);
  o.normalize_columns = true;
  slow.order = fast.order = OrderName::cyclic;
  const std::vector<Validation> losses =
      Folds(o, 5).cross_validate(std::vector<Candidate>{{slow, o.until}, {fast, o.until}});
  EXPECT_LT(losses[1].value(), losses[0].value());
  EXPECT_GT(losses[1].rank(), losses[0].rank());
  EXPECT_GT(lead(losses[1], losses[0]).by, 0);
}

TEST(Validation, StandardErrorsAreTheFormulas) {
  Validation v;
  v.fold = {{10, 1}, {10, 2}, {10, 3}};
  EXPECT_DOUBLE_EQ(v.accuracy(), 0.8);
  EXPECT_NEAR(v.spread(), 0.1, 1e-15);
  EXPECT_NEAR(v.standard_error(), 0.1 * std::sqrt(1.0 / 3 + 1.0 / 2), 1e-15);
  Validation w = v;
  w.fold = {{10, 2}, {10, 2}, {10, 5}};
  EXPECT_DOUBLE_EQ(w.rank(), w.accuracy());
  Validation weighed;
  weighed.fold = {{10, 1, 40, 10}, {10, 1, 8, 4}};
  EXPECT_DOUBLE_EQ(weighed.accuracy(), 0.9);
  EXPECT_DOUBLE_EQ(weighed.rank(), 0.625);
  EXPECT_NEAR(lead(v, w).by, 0.1, 1e-15);
  EXPECT_NEAR(lead(v, w).standard_error, 0.1 * std::sqrt(5.0 / 6), 1e-15);
  Validation held, other;
  held.fold = {{4, 1}};
  held.wrong = {1, 0, 0, 0};
  other.fold = {{4, 3}};
  other.wrong = {0, 1, 1, 1};
  EXPECT_DOUBLE_EQ(held.standard_error(), std::sqrt(0.75 * 0.25 / 4));
  EXPECT_DOUBLE_EQ(lead(held, other).by, 0.5);
  EXPECT_DOUBLE_EQ(lead(held, other).standard_error, std::sqrt((1 - 0.25) / 4));
}

TEST_F(FoldsOf, WhatTheDataCannotFillIsRefused) {
  const auto refusal = [&](const std::vector<std::string>& all, unsigned count, double holdout = 0) {
    TrainOptions o = options(write("x.svm", all), {});
    o.holdout = holdout;
    try {
      Folds folds(o, count);
    } catch (const Error& error) {
      return std::string(error.what());
    }
    return std::string();
  };
  const std::vector<std::string> few{"0 1:1", "0 1:2", "0 1:3", "1 1:4", "1 1:5"};
  EXPECT_TRUE(has(refusal(few, 3), "the class '1' has 2 rows, and every one of the 3 folds needs one", "give folds 2"));
  EXPECT_EQ(refusal(few, 2), "");
  EXPECT_TRUE(has(refusal({"1 1:1", "1 1:2"}, 2), "one class only"));
  EXPECT_TRUE(has(refusal(few, 1), "one fold"));
  EXPECT_TRUE(has(refusal(few, 0, 0.1), "0 are held out"));
}

}  // namespace
}  // namespace halfspace
