// How to learn where nobody says how: a plan by the size of the data, and what is handed out after one pass.
#include "halfspace/train/plan.h"

#include <fmt/format.h>

#include <atomic>

#include "halfspace/base/random.h"
#include "halfspace/detail/rules/tournament.h"
#include "halfspace/model/model_file.h"
#include "halfspace/rules/rule_entry.h"
#include "halfspace/train/evaluate.h"
#include "halfspace/train/settings.h"
#include "support/test.h"

namespace halfspace {
namespace {

using testing::TemporaryFolder;

struct Table {
  std::string text = "counter,a,b,label\n";
  // Row i of n: two features that tell the class but for a tenth of the rows, and what `counter` makes of i.
  Table(std::uint64_t seed, int n, const std::function<double(int)>& counter, double share_of_yes = 0.5,
        bool sorted = false) {
    Generator draws(seed);
    std::string yes, no;
    for (int i = 0; i < n; ++i) {
      const bool truth = draws.next() < share_of_yes;
      const double a = draws.next() + (truth ? 0.6 : 0.0), b = draws.next() - (truth ? 0.6 : 0.0);
      std::string row = std::to_string(counter(i)) + "," + std::to_string(a) + "," + std::to_string(b) + "," +
                        (truth ? "yes" : "no") + "\n";
      (sorted ? (truth ? yes : no) : text) += row;
    }
    text += no + yes;
  }
};

double same(int) { return 1; }

TrainOptions plan_options(const std::string& path) {
  TrainOptions options;
  options.read.path = path;
  return options;
}

double accuracy_on(const Model& model, const std::string& path) {
  EvaluateOptions options;
  options.read.path = path;
  return evaluate(model, options).confusion.accuracy();
}

TEST(Plan, ASmallTableIsJudgedByFoldsAndTheSameEveryTime) {
  const TemporaryFolder folder;
  const std::string path = folder.write("d.csv", Table(1, 600, same).text);
  const TrainPlan plan = plan_training(plan_options(path));
  ASSERT_TRUE(plan.choice);
  EXPECT_TRUE(plan.choice->by_folds);
  EXPECT_GE(plan.choice->candidates.size(), 5U);
  EXPECT_EQ(plan.options.composition.order, OrderName::shuffled);
  EXPECT_EQ(plan.options.composition, plan.choice->winner().candidate.composition);
  EXPECT_TRUE(has(plan.words, plan.choice->winner().name()));
  const TrainPlan again = plan_training(plan_options(path));
  EXPECT_EQ(again.words, plan.words);
  EXPECT_EQ(encode(train(again.options).model), encode(train(plan.options).model));
  // Of what nobody else has judged, the error of the winner is among its bounds, which are for all candidates.
  const auto expected = plan.choice->expected_error();
  ASSERT_TRUE(expected);
  const double error = 1 - accuracy_on(train(plan.options).model, folder.write("new.csv", Table(2, 4000, same).text));
  EXPECT_GE(error, expected->bounds.lower);
  EXPECT_LE(error, expected->bounds.upper);
}

TEST(Plan, PassesThatAreNamedAreKept) {
  const TemporaryFolder folder;
  TrainOptions options = plan_options(folder.write("d.csv", Table(1, 300, same).text));
  options.until.passes = 3;
  options.holdout = 0.25;
  const TrainPlan plan = plan_training(options);
  ASSERT_TRUE(plan.choice);
  for (const NamedCandidate& one : plan.choice->candidates) EXPECT_EQ(one.candidate.until.passes, 3U);
  EXPECT_EQ(plan.options.until.passes, 3U);
  EXPECT_EQ(plan.options.holdout, 0.25);
  EXPECT_EQ(plan.choice->rows, 225U) << "rows held out judge the result alone";
}

// Rows held out by the user take no part in the choice, of a larger table neither.
// Of rows that are nearly separable a minimum's own probabilities can be too near 0 and 1.
TEST(Plan, AMinimumIsCalibratedWhereItIsTooSure) {
  const TemporaryFolder folder;
  int minima = 0, calibrated = 0;
  for (std::uint64_t seed = 1; seed <= 12; ++seed) {
    Generator draws(seed);
    std::string text;
    for (int i = 0; i < 160; ++i) {
      const bool yes = i % 2 == 0, flipped = i % 40 == 3;
      text += yes != flipped ? "1" : "0";
      for (int j = 1; j <= 60; ++j) {
        if (draws.next() < 0.2) text += fmt::format(" {}:{:.3f}", j, (j % 3 == 0 && yes ? 2 : 0) + draws.next());
      }
      text += "\n";
    }
    const TrainPlan plan = plan_training(plan_options(folder.write("sure.svm", text)), std::nullopt);
    ASSERT_TRUE(plan.choice);
    if (!plan.options.objective) continue;
    ++minima;
    const Validation& v = plan.choice->verdict();
    const auto loss = [&v](const Calibration& curves) {
      double sum = 0;
      std::vector<double> p(2);
      for (std::size_t i = 0; i < v.label.size(); ++i) {
        curves.probabilities(std::span(&v.scores[i], 1), p);
        sum -= std::log(p[static_cast<std::size_t>(v.label[i])]);
      }
      return sum;
    };
    Calibration own;
    own.method = CalibrationMethod::platt;
    own.platt = {Platt{.a = -1, .b = 0}};
    const bool better = loss(plan.choice->calibrate(CalibrationMethod::platt)) < 0.98 * loss(own);
    EXPECT_EQ(plan.options.calibration.has_value(), better) << seed;
    calibrated += better ? 1 : 0;
  }
  EXPECT_GT(calibrated, 0);
  EXPECT_GT(minima, calibrated);
}

// One row far from the others is in one fold, and in the training of all rows: there it can ruin what won.
TEST(Plan, AModelThatContradictsItsFoldsIsReplaced) {
  const TemporaryFolder folder;
  int replaced = 0;
  for (std::uint64_t seed = 1; seed <= 16; ++seed) {
    Generator draws(seed);
    std::string text = "a,b,label\n";
    for (int i = 0; i < 200; ++i) {
      const double a = gaussian(draws), b = gaussian(draws), far = i == 7 ? 1e6 : 1;
      text += fmt::format("{},{},{}\n", far * a, far * b, a > b ? "yes" : "no");
    }
    TrainSettings settings;
    settings.data.paths = {folder.write("far.csv", text)};
    TrainSteps steps;
    steps.begin = [](TrainOptions& options) { options.logarithms = false; };  // of which that row is no ruin
    const TrainRun run = train_run(settings, nullptr, steps);
    EXPECT_FALSE(contradicts(run.result, *run.choice)) << seed;
    for (const Validation& v : run.choice->verdicts)
      replaced += v.why_not_run.find("trained on all rows") != v.why_not_run.npos ? 1 : 0;
  }
  EXPECT_GT(replaced, 0);
}

TEST(Plan, HeldOutRowsAreNotValidatedOn) {
  const TemporaryFolder folder;
  TrainOptions options = plan_options(folder.write("d.csv", Table(4, 400, same).text));
  options.holdout = 0.5;
  Folds rows = Folds::undealt(options, UINT64_MAX);
  const Choice choice = race(rows, options, {{{}, {options.composition, {.passes = 1}}}}, 10, 1);
  EXPECT_EQ(choice.verdict().fold.size(), 1U);
  EXPECT_EQ(choice.rows, 20U) << "a tenth of the 200 rows that are not held out";
  const auto expected = choice.expected_error();
  ASSERT_TRUE(expected);
  EXPECT_EQ(expected->rows, 20U);
}

TEST(Plan, FeaturesThatNoRowHasChangeNothing) {
  const TemporaryFolder folder;
  const auto choice_of = [&](int apart) {
    Generator draws(12);
    std::string text;
    for (int i = 0; i < 400; ++i) {
      const bool truth = draws.next() < 0.5;
      text += truth ? "1" : "-1";
      for (int j = 0; j < 300; ++j) {
        if (draws.next() < 0.03)
          text += fmt::format(" {}:{:.2f}", 1 + j * apart, draws.next() + (truth == (j % 2 == 0)));
      }
      text += '\n';
    }
    const TrainPlan plan = plan_training(plan_options(folder.write("d.svm", text)));
    return *plan.choice;
  };
  const Choice dense = choice_of(1), wide = choice_of(1000);
  ASSERT_EQ(dense.candidates.size(), wide.candidates.size());
  EXPECT_EQ(dense.best, wide.best);
  for (std::size_t c = 0; c < dense.candidates.size(); ++c) {
    EXPECT_EQ(dense.candidates[c].name(), wide.candidates[c].name());
    EXPECT_EQ(dense.verdicts[c].wrong, wide.verdicts[c].wrong) << dense.candidates[c].name();
    EXPECT_EQ(dense.verdicts[c].scores, wide.verdicts[c].scores) << dense.candidates[c].name();
  }
}

TEST(Plan, HashedNamesAreComparedAsTheNamesThatTheyStandFor) {
  const TemporaryFolder folder;
  Generator draws(13);
  std::string text = "size,colour,word,label\n";
  for (int i = 0; i < 300; ++i) {
    const bool truth = draws.next() < 0.5;
    const auto kind = static_cast<int>(20 * draws.next());
    text += fmt::format("{},c{},w{},{}\n", i % 3 == 0 ? "" : fmt::format("{:.2f}", 100 + draws.next() + truth), kind,
                        truth ? kind % 5 : kind % 4, truth ? "yes" : "no");
  }
  TrainOptions options = plan_options(folder.write("d.csv", text));
  options.logarithms = false;
  const Choice named = *plan_training(options).choice;
  options.read.columns.hash = 18;
  const Choice hashed = *plan_training(options).choice;
  for (std::size_t c = 0; c < hashed.candidates.size(); ++c) {
    if (!hashed.candidates[c].candidate.objective) continue;  // other rules are offered for many features
    EXPECT_EQ(hashed.candidates[c].name(), named.candidates[c].name());
    EXPECT_EQ(hashed.verdicts[c].wrong, named.verdicts[c].wrong) << named.candidates[c].name();
    const double primal = named.verdicts[c].fold.at(0).minimum.value().primal;
    EXPECT_NEAR(hashed.verdicts[c].fold.at(0).minimum.value().primal, primal, 3e-4 * primal);
  }
}

TEST(Plan, WhatCannotBeJudgedIsLearnedInOnePass) {
  const TemporaryFolder folder;
  const auto planned = [&](const std::string& text) {
    return plan_training(plan_options(folder.write("d.csv", text)));
  };
  EXPECT_FALSE(planned("a,label\n1,x\n2,y\n3,x\n").choice) << "three rows";
  std::string one;
  for (int i = 0; i < 50; ++i) one += std::to_string(i) + ",x\n";
  EXPECT_FALSE(planned("a,label\n" + one).choice) << "one class";
  // A class with one row is no reason to refuse.
  EXPECT_TRUE(planned("a,label\n" + one + "7,odd\n").choice);
  TrainOptions watched = plan_options(folder.write("d.csv", Table(1, 300, same).text));
  watched.watch.emplace();
  const TrainPlan plan = plan_training(watched);
  EXPECT_FALSE(plan.choice);
  EXPECT_EQ(plan.options.composition.rule, rule::tournament);
  EXPECT_EQ(plan.options.composition.order, OrderName::stream);
}

// A candidate whose weights leave the doubles is no reason to refuse the others.
TEST(Plan, ACandidateThatFailsIsNotChosen) {
  const TemporaryFolder folder;
  const std::string path = folder.write("d.csv", Table(3, 400, [](int i) { return i % 2 == 0 ? 1e300 : -1e300; }).text);
  const TrainPlan plan = plan_training(plan_options(path));
  ASSERT_TRUE(plan.choice);
  EXPECT_NO_THROW(train(plan.options));
}

struct Trouble {
  const char* name;
  std::function<double(int)> counter;
  double share_of_yes = 0.5;
  bool sorted = false;
};

// Columns that count the rows, classes in runs, outliers, few positives: never worse than the most frequent class, and, as
// a table, about as good as without the trouble.
// Where a class is rare, a learner that never predicts it is hardly less accurate than one that ranks its rows first.
TEST(Plan, OfARareClassTheAreaDecidesBetweenEqualLearners) {
  const TemporaryFolder folder;
  const TrainPlan plan = plan_training(plan_options(folder.write("d.csv", Table(5, 1500, same, 0.04).text)));
  ASSERT_TRUE(plan.choice);
  const Choice& choice = *plan.choice;
  const auto best = choice.area_where_rare(choice.best);
  ASSERT_TRUE(best);
  EXPECT_TRUE(has(plan.words, "the largest AUC"));
  double most = 0;
  for (const Validation& v : choice.verdicts) most = std::max(most, v.accuracy());
  const double error = std::sqrt(most * (1 - most) / 1500);
  EXPECT_GE(choice.verdict().accuracy(), most - error);
  for (std::size_t c = 0; c < choice.verdicts.size(); ++c) {
    if (choice.verdicts[c].fold.size() < 5 || choice.verdicts[c].accuracy() < most - error) continue;
    EXPECT_LE(choice.area_where_rare(c), best) << choice.candidates[c].name();
  }
  EXPECT_FALSE(plan_training(plan_options(folder.write("d.csv", Table(5, 600, same).text))).choice->area_where_rare(0));
}

TEST(Plan, NeverWorseThanTheMajority) {
  const TemporaryFolder folder;
  const Trouble troubles[] = {{"none", same},
                              {"row number", [](int i) { return i; }},
                              {"time", [](int i) { return 1.7e9 + 60.0 * i; }},
                              {"row number, few positives", [](int i) { return i; }, 0.03},
                              {"time, few positives", [](int i) { return 1.7e9 + 60.0 * i; }, 0.03},
                              {"sorted", same, 0.5, true},
                              {"sorted, few positives", same, 0.03, true},
                              {"outlier at the end", [](int i) { return i == 1499 ? 1e9 : 0; }},
                              {"constant but for one", [](int i) { return i == 700; }},
                              {"far from 0", [](int i) { return 5000 + i % 7; }}};
  for (const Trouble& trouble : troubles) {
    SCOPED_TRACE(trouble.name);
    const std::string path =
        folder.write("d.csv", Table(5, 1500, trouble.counter, trouble.share_of_yes, trouble.sorted).text);
    const std::string test = folder.write("new.csv", Table(6, 3000, trouble.counter, trouble.share_of_yes).text);
    const double majority = std::max(trouble.share_of_yes, 1 - trouble.share_of_yes);
    const double error = 2 * std::sqrt(majority * (1 - majority) / 3000);
    EXPECT_GE(accuracy_on(train(plan_training(plan_options(path)).options).model, test), majority - error);
    if (trouble.share_of_yes == 0.5) {
      EXPECT_GE(accuracy_on(train(plan_training(plan_options(path)).options).model, test), 0.85);
    }
    // One pass in the order of the rows, as of a pipe.
    TrainOptions stream = plan_options(path);
    stream.composition.rule = rule::tournament;
    stream.composition.tie = Tie::positive;
    EXPECT_GE(accuracy_on(train(stream).model, test), trouble.share_of_yes == 0.5 ? 0.85 : majority - error);
  }
}

// A stream whose last rows are of one class: the weights at the end say that class always, and so do averages.
TEST(Guard, HandsOutOtherWeightsThanThoseOfABadMoment) {
  const TemporaryFolder folder;
  TrainOptions options = plan_options(folder.write("d.csv", Table(7, 4000, same, 0.5, true).text));
  options.composition.rule = rule::tournament;
  options.composition.tie = Tie::positive;
  const TrainResult result = train(options);
  ASSERT_TRUE(result.guarded);
  EXPECT_LT(result.guarded->errors, result.guarded->errors_before);
  EXPECT_LE(result.guarded->rows, 2000U);
  // Broken off and taken up again it ends in the same bits.
  std::atomic<bool> interrupt{false};
  TrainOptions broken = options;
  broken.read.block_bytes = 4096;
  broken.read.threads = 1;
  broken.interrupt = &interrupt;
  broken.observer = [&](const RoundView& round) { interrupt = interrupt || round.round >= 1700; };
  const TrainResult part = train(broken);
  ASSERT_EQ(part.model.ledger.stopped, Stopped::interrupted);
  options.resume = &part.model;
  EXPECT_EQ(encode(train(options).model), encode(result.model));
  // A stream without trouble keeps the weights it ends with.
  options.resume = nullptr;
  options.read.path = folder.write("plain.csv", Table(8, 4000, same).text);
  const TrainResult plain = train(options);
  EXPECT_FALSE(plain.guarded);
  EXPECT_EQ(plain.model.weights.w, plain.model.learner.weights.w);
}

// Rows whose classes change places after `share` of them; with `gradually` the border turns all the time.
std::string changing(std::uint64_t seed, int n, double share, bool gradually) {
  Generator draws(seed);
  std::string text = "a,b,label\n";
  for (int i = 0; i < n; ++i) {
    const double a = gaussian(draws), b = gaussian(draws);
    const double turn = gradually ? 3.0 * i / n : i < share * n ? 0 : 2.5;
    const bool yes = (a * std::cos(turn) + b * std::sin(turn) > 0) != (draws.next() < 0.05);
    text += fmt::format("{},{},{}\n", a, b, yes ? "yes" : "no");
  }
  return text;
}

// The sample is of the whole stream, and its first rows describe a world that is gone.
TEST(Guard, KeepsTheWeightsOfAChangedWorld) {
  const TemporaryFolder folder;
  for (const bool gradually : {false, true}) {
    TrainOptions options = plan_options(folder.write("d.csv", changing(1, 12000, 0.8, gradually)));
    options.composition.rule = rule::tournament;
    options.composition.tie = Tie::positive;
    const TrainResult result = train(options);
    EXPECT_FALSE(result.guarded) << gradually;
    EXPECT_EQ(result.model.weights.w, result.model.learner.weights.w);
    // New rows are like the last ones.
    std::string now = changing(2, 3000, 0, gradually);
    if (gradually) {
      std::string last = "a,b,label\n";
      Generator draws(3);
      for (int i = 0; i < 3000; ++i) {
        const double a = gaussian(draws), b = gaussian(draws);
        last += fmt::format("{},{},{}\n", a, b, a * std::cos(3.0) + b * std::sin(3.0) > 0 ? "yes" : "no");
      }
      now = last;
    }
    EXPECT_GE(accuracy_on(result.model, folder.write("new.csv", now)), 0.85) << gradually;
  }
}

// Folds know no time: with one pass, rows that change with it are taken in their order, and others are not.
TEST(Plan, OnePassFollowsRowsThatChange) {
  const TemporaryFolder folder;
  for (const bool change : {false, true}) {
    TrainOptions options = plan_options(folder.write("d.csv", changing(1, 6000, change ? 0.5 : 0, false)));
    options.until.passes = 1;
    const TrainPlan plan = plan_training(options, std::nullopt);
    EXPECT_EQ(plan.choice.has_value(), !change);
    EXPECT_EQ(plan.options.composition.order == OrderName::stream, change);
  }
}

// The world changed too late to show in an eighth, or labels come in runs besides.
TEST(Guard, KeepsTheWeightsOfAWorldThatChangedLateOrInRuns) {
  const TemporaryFolder folder;
  for (const bool in_runs : {false, true}) {
    SCOPED_TRACE(in_runs);
    Generator draws(4);
    std::string text = "a,b,label\n";
    constexpr int rows = 12000;
    const auto row = [&](int i, bool changed) {
      for (;;) {
        const double a = gaussian(draws), b = gaussian(draws);
        const bool yes = (changed ? -a : a) + 0.2 * b > 0;
        if (in_runs && yes != (i / 50 % 2 == 0)) continue;
        return fmt::format("{},{},{}\n", a, b, yes ? "yes" : "no");
      }
    };
    for (int i = 0; i < rows; ++i) text += row(i, i > (in_runs ? 0.7 : 0.94) * rows);
    TrainOptions options = plan_options(folder.write("late.csv", text));
    options.composition.rule = rule::tournament;
    options.composition.tie = Tie::positive;
    const TrainResult result = train(options);
    std::string now = "a,b,label\n";
    for (int i = 0; i < 2000; ++i) now += row(i, true);
    EXPECT_GE(accuracy_on(result.model, folder.write("now.csv", now)), 0.8);
  }
}

// Labels that alternate, yes, no, yes, no: a sample with a period would see one class alone.
TEST(Guard, TakesAlternatingLabelsForWhatTheyAre) {
  const TemporaryFolder folder;
  Generator draws(3);
  std::string text = "a,b,label\n";
  for (int i = 0; i < 20000; ++i) {
    const double side = i % 2 == 0 ? 1 : -1;
    text += fmt::format("{},{},{}\n", side + gaussian(draws), side + gaussian(draws), i % 2 == 0 ? "yes" : "no");
  }
  TrainOptions options = plan_options(folder.write("d.csv", text));
  options.composition.rule = rule::tournament;
  options.composition.tie = Tie::positive;
  const TrainResult result = train(options);
  EXPECT_FALSE(result.guarded);
  EXPECT_GE(accuracy_on(result.model, options.read.path), 0.9);
}

// Rows sorted by class whose labels are noisy: the averages of members are no better than the weights at the end, and a
// sample of the stream in random order is.
TEST(Guard, LearnsFromASampleOfASortedStream) {
  const TemporaryFolder folder;
  const auto rows = [](std::uint64_t seed, bool sorted) {
    Generator draws(seed);
    std::string first = "a,b,c,label\n", rest;
    for (int i = 0; i < 3000; ++i) {
      const double a = gaussian(draws), b = gaussian(draws), c = gaussian(draws);
      const bool yes = (a + 0.5 * b > 0.3) != (draws.next() < 0.1);
      (sorted && yes ? rest : first) += fmt::format("{},{},{},{}\n", a, b, c, yes ? "yes" : "no");
    }
    return first + rest;
  };
  TrainOptions options = plan_options(folder.write("d.csv", rows(1, true)));
  options.composition.rule = rule::tournament;
  options.composition.tie = Tie::positive;
  const TrainResult result = train(options);
  ASSERT_TRUE(result.guarded);
  EXPECT_EQ(result.guarded->by, Substitute::sample);
  EXPECT_LE(result.guarded->rows, 1000U) << "half of the sample learns";
  EXPECT_LT(result.guarded->errors, result.guarded->errors_before);
  EXPECT_GE(accuracy_on(result.model, folder.write("new.csv", rows(2, false))), 0.85);
}

}  // namespace
}  // namespace halfspace
