// Paths of minima: which candidates start one another, and that starting there changes no more than the proof allows.
#include "train/choose/paths.h"

#include "base/parallel.h"
#include "halfspace/base/random.h"
#include "halfspace/rules/passive_aggressive.h"
#include "halfspace/rules/perceptron.h"
#include "halfspace/train/choose.h"
#include "support/test.h"

namespace halfspace {
namespace {

Candidate minimizer(MarginLoss loss, double cost) {
  Candidate one;
  one.composition.rule = rule::perceptron;
  one.composition.order = OrderName::shuffled;
  one.objective = Objective{};
  one.objective->loss = loss;
  one.objective->cost = cost;
  return one;
}

TEST(Paths, AreOfCandidatesThatDifferInThePriceAlone) {
  std::vector<Candidate> all{minimizer(MarginLoss::hinge, 10), minimizer(MarginLoss::logistic, 1),
                             minimizer(MarginLoss::hinge, 0.1)};
  all.push_back(minimizer(MarginLoss::hinge, 1));
  all.back().composition.bias.scale = 2;
  all.push_back(minimizer(MarginLoss::hinge, 1));
  all.back().normalize_columns = true;
  all.push_back(minimizer(MarginLoss::hinge, 1));
  all.back().objective->penalize_bias = false;
  all.push_back(minimizer(MarginLoss::hinge, 1));
  all.back().objective->gap = 1e-3;
  all.push_back(minimizer(MarginLoss::hinge, 1));
  all.push_back(minimizer(MarginLoss::logistic, 0.5));
  all.push_back(minimizer(MarginLoss::hinge, 1));
  all.back().until.passes = 5;
  all.push_back({.composition = {}, .until = {}});
  all.push_back({.composition = {}, .until = {}});
  all.push_back(minimizer(MarginLoss::hinge, 1));
  all.back().objective->l2 = 1e-4;
  all.push_back(minimizer(MarginLoss::hinge, 1));
  all.back().objective->l2 = 1e-2;  // the larger price of the weights is the smaller of the losses
  const std::vector<std::vector<std::size_t>> expected{{2, 7, 0}, {8, 1}, {3},  {4},  {5},
                                                       {6},       {9},    {10}, {11}, {13, 12}};
  EXPECT_EQ(training::paths_of(all), expected);
}

// Rows of so many classes that no halfspaces separate, as LIBSVM.
std::string rows(int classes, int count) {
  Generator draws(11);
  std::ostringstream text;
  for (int i = 0; i < count; ++i) {
    const double a = gaussian(draws), b = gaussian(draws);
    int label = a + b > 0 ? 1 : 0;
    if (classes > 2 && a - b > 1) label = 2;
    if (draws.next() < 0.15) label = static_cast<int>(pick(draws, static_cast<std::uint64_t>(classes)));
    text << label << " 1:" << a << " 2:" << b << " " << 3 + i % 9 << ":0.5\n";
  }
  return text.str();
}

class PathOfMinima : public ::testing::TestWithParam<std::tuple<MarginLoss, int, bool>> {
 protected:
  TrainOptions options(const std::string& text, const std::string& name) const {
    TrainOptions options;
    options.read.path = folder_.write(name, text);
    options.composition = minimizer(MarginLoss::hinge, 1).composition;
    return options;
  }
  testing::TemporaryFolder folder_;
};

// On each fold the minimum for each price is, within the proofs, that of a run of its own on the other folds' rows.
TEST_P(PathOfMinima, HasTheMinimaOfRunsOfTheirOwn) {
  const auto [loss, classes, scaled] = GetParam();
  constexpr double gap = 1e-7;
  const std::string text = rows(classes, 150);
  TrainOptions whole = options(text, "all.svm");
  whole.normalize_columns = scaled;
  std::vector<Candidate> path;
  for (const double cost : {10.0, 0.01, 0.3}) {
    path.push_back(minimizer(loss, cost));
    path.back().objective->gap = gap;
  }
  const Folds folds(whole, 3);
  const std::vector<Validation> found = folds.cross_validate(path);
  for (std::uint32_t k = 0; k < 3; ++k) {
    std::istringstream lines(text);
    std::string rest;
    std::size_t row = 0;
    for (std::string line; std::getline(lines, line);) {
      if (folds.fold_of_row()[row++] != k) rest += line + "\n";
    }
    for (std::size_t c = 0; c < path.size(); ++c) {
      TrainOptions apart = options(rest, "rest.svm");
      apart.normalize_columns = scaled;
      apart.objective = path[c].objective;
      const MinimumReached minimum = *train(apart).minimum;
      ASSERT_TRUE(found[c].fold[k].minimum);
      EXPECT_LE(found[c].fold[k].minimum->gap, gap);
      double primal = 0;
      for (const ProvedMinimum& of : minimum.of_vector) primal += of.primal;
      EXPECT_NEAR(found[c].fold[k].minimum->primal, primal, 2 * gap * primal);
    }
  }
}

// Whoever trains the folds, and in whatever order the prices are given.
TEST_P(PathOfMinima, DependsOnNoThreadAndNoOrder) {
  const auto [loss, classes, scaled] = GetParam();
  TrainOptions whole = options(rows(classes, 120), "all.svm");
  whole.normalize_columns = scaled;
  std::vector<Candidate> path{minimizer(loss, 0.05), minimizer(loss, 0.7), minimizer(loss, 8)};
  const Folds folds(whole, 3);
  const std::vector<Validation> found = folds.cross_validate(path, true);
  std::vector<Validation> alone;
  {
    const OneThread one;
    std::reverse(path.begin(), path.end());
    alone = folds.cross_validate(path, true);
  }
  for (std::size_t c = 0; c < path.size(); ++c) EXPECT_EQ(found[c].scores, alone[path.size() - 1 - c].scores);
}

// Each solution is the start of the next: for the same price little is left to do.
TEST_P(PathOfMinima, BeginsEachPriceAtTheOneBefore) {
  const auto [loss, classes, scaled] = GetParam();
  TrainOptions whole = options(rows(classes, 400), "all.svm");
  whole.normalize_columns = scaled;
  const std::vector<Candidate> twice{minimizer(loss, 0.5), minimizer(loss, 0.5)};
  const std::vector<Validation> found = Folds(whole, 2).cross_validate(twice);
  const auto passes = [&](std::size_t c) {
    return found[c].fold[0].minimum->passes + found[c].fold[1].minimum->passes;
  };
  EXPECT_LT(passes(1), passes(0));
}

INSTANTIATE_TEST_SUITE_P(Losses, PathOfMinima,
                         ::testing::Combine(::testing::Values(MarginLoss::hinge, MarginLoss::squared_hinge,
                                                              MarginLoss::logistic),
                                            ::testing::Values(2, 3), ::testing::Bool()));

// A search by log loss needs the probabilities of the candidates, and only those of the logistic loss have some.
TEST_F(PathOfMinima, RanksByLogLoss) {
  TrainOptions whole = options(rows(2, 200), "all.svm");
  whole.metric = Metric::log_loss;
  std::vector<NamedCandidate> path;
  for (const double cost : {1e-4, 1.0}) path.push_back({{{"C", cost}}, minimizer(MarginLoss::logistic, cost)});
  const Choice choice = choose(whole, path, 3);
  EXPECT_EQ(choice.winner().name(), "C 1");
  EXPECT_LT(choice.verdict().value(), 0.65);
  EXPECT_NEAR(choice.verdicts[0].value(), std::log(2), 0.05);  // the weights are hardly more than 0
  take(choice, whole);
  ASSERT_TRUE(whole.objective);
  EXPECT_EQ(whole.objective->cost, 1);
}

}  // namespace
}  // namespace halfspace
