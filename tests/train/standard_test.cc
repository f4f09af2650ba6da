// Columns centred and scaled for a minimum or a rule: against columns that the test itself centres and scales, and what
// must not change the scores.
#include <fmt/format.h>

#include <cmath>

#include "halfspace/base/random.h"
#include "halfspace/detail/train/objective.h"
#include "halfspace/rules/perceptron.h"
#include "halfspace/rules/rule_entry.h"
#include "halfspace/train/evaluate.h"
#include "halfspace/train/folds.h"
#include "halfspace/train/train.h"
#include "support/test.h"

namespace halfspace {
namespace {

// A table of numeric columns, of which a value may be missing.
struct NumbersAndLabels {
  std::vector<std::vector<double>> column;
  std::vector<int> label;
  std::vector<double> weight;

  std::size_t rows() const { return label.size(); }
};

constexpr double missing = std::numeric_limits<double>::quiet_NaN();

class Standard : public ::testing::Test {
 protected:
  void SetUp() override {
    path_ = std::filesystem::path(::testing::TempDir()) /
            (std::string("standard-") + ::testing::UnitTest::GetInstance()->current_test_info()->name() + ".csv");
  }
  void TearDown() override { std::filesystem::remove(path_); }

  static NumbersAndLabels random_table(Generator& draws, int classes) {
    NumbersAndLabels table;
    for (int i = 0; i < 120; ++i) {
      const double a = gaussian(draws), b = gaussian(draws), c = draws.next() < 0.2 ? 1 + draws.next() : 0;
      table.column.resize(4);
      table.column[0].push_back(a);
      table.column[1].push_back(b + 3);
      table.column[2].push_back(c);
      table.column[3].push_back(draws.next() < 0.5 ? 1 : 0);
      const double angle = std::atan2(a + 0.3 * gaussian(draws), b) + 3.2;
      table.label.push_back(i < classes ? i : static_cast<int>(angle * classes / 6.5));
      table.weight.push_back(1);
    }
    return table;
  }

  static TrainOptions options_of(const std::filesystem::path& path, bool standard, double gap) {
    TrainOptions options;
    options.read.path = path.string();
    options.composition.rule = rule::perceptron;
    options.composition.order = OrderName::shuffled;
    options.objective = Objective{.loss = MarginLoss::logistic,
                                  .cost = 0.7,
                                  .penalize_bias = false,
                                  .standard = standard,
                                  .jointly = true,
                                  .gap = gap};
    return options;
  }

  void write(const NumbersAndLabels& table) const {
    std::ofstream file(path_);
    for (std::size_t j = 0; j < table.column.size(); ++j) file << "c" << j << ",";
    file << "w,y\n";
    for (std::size_t i = 0; i < table.rows(); ++i) {
      for (const auto& column : table.column)
        file << (std::isnan(column[i]) ? std::string() : fmt::format("{}", column[i])) << ",";
      file << fmt::format("{},k{}\n", table.weight[i], table.label[i]);
    }
  }

  TrainResult minimum(const NumbersAndLabels& table, bool standard, double gap = 1e-10) const {
    write(table);
    TrainOptions options = options_of(path_, standard, gap);
    options.read.columns.weight = "w";
    return train(options);
  }

  TrainOptions options_of_rule(RuleName rule, KeepName keep, bool standard) const {
    TrainOptions options;
    options.read.path = path_.string();
    options.read.columns.weight = "w";
    options.composition.rule = rule;
    options.composition.order = OrderName::cyclic;
    options.composition.keep = keep;
    options.until.passes = 3;
    options.standard_columns = standard;
    return options;
  }

  // The same numbers as a file of numbered features.
  TrainResult minimum_of_features(const NumbersAndLabels& table) const {
    const std::filesystem::path path = path_.string() + ".svm";
    std::ofstream file(path);
    for (std::size_t i = 0; i < table.rows(); ++i) {
      file << table.label[i];
      for (std::size_t j = 0; j < table.column.size(); ++j) {
        if (table.column[j][i] != 0) file << fmt::format(" {}:{}", j + 1, table.column[j][i]);
      }
      file << "\n";
    }
    file.close();
    TrainResult found = train(options_of(path, true, 1e-10));
    std::filesystem::remove(path);
    return found;
  }

  static double score(const Model& model, const NumbersAndLabels& table, std::size_t i, std::uint32_t k) {
    const std::size_t vectors = model.weights.classes;
    double sum = model.weights.bias[k];
    std::size_t j = 0;
    for (const Column& column : model.schema.columns) {
      if (column.kind != Column::Kind::numeric) continue;
      const double x = table.column[j++][i];
      const std::uint32_t feature = std::isnan(x) ? column.missing_feature : column.feature;
      if (feature != Column::no_feature) sum += model.weights.w[feature * vectors + k] * (std::isnan(x) ? 1 : x);
    }
    return sum;
  }

  static void expect_same_scores(const Model& a, const NumbersAndLabels& of_a, const Model& b,
                                 const NumbersAndLabels& of_b) {
    ASSERT_EQ(a.weights.classes, b.weights.classes);
    for (std::size_t i = 0; i < of_a.rows(); ++i) {
      for (std::uint32_t k = 0; k < a.weights.classes; ++k)
        ASSERT_NEAR(score(a, of_a, i, k), score(b, of_b, i, k), 1e-3) << "row " << i << ", vector " << k;
    }
  }

  std::filesystem::path path_;
};

// What the header promises, by other means.
NumbersAndLabels by_hand(NumbersAndLabels table) {
  for (auto& column : table.column) {
    double present = 0, sum = 0, squares = 0, others = 0, weight = 0;
    std::set<double> values;
    for (std::size_t i = 0; i < column.size(); ++i) {
      if (std::isnan(column[i])) continue;
      present += table.weight[i];
      sum += table.weight[i] * column[i];
      if (column[i] == 0) continue;
      values.insert(column[i]);
      weight += table.weight[i];
      others += table.weight[i] * column[i] * column[i];
    }
    const double mean = sum / present;
    for (std::size_t i = 0; i < column.size(); ++i) {
      if (!std::isnan(column[i])) squares += table.weight[i] * (column[i] - mean) * (column[i] - mean);
    }
    const bool two = values.size() == 1, sparse = 2 * weight < present;
    const double centre = two || sparse ? 0 : mean;
    const double scale = two ? std::abs(*values.begin()) : std::sqrt(sparse ? others / weight : squares / present);
    for (double& x : column) x = (x - centre) / scale;
  }
  return table;
}

TEST_F(Standard, IsTheMinimumOverColumnsThatWereScaledBefore) {
  Generator draws(3);
  for (const int classes : {2, 3, 5}) {
    SCOPED_TRACE(classes);
    NumbersAndLabels table = random_table(draws, classes);
    for (std::size_t i = 7; i < table.rows(); i += 9) table.weight[i] = 3;
    const NumbersAndLabels scaled = by_hand(table);
    const TrainResult found = minimum(table, true), plain = minimum(scaled, false);
    EXPECT_NEAR(found.minimum->of_vector[0].primal, plain.minimum->of_vector[0].primal, 1e-7);
    EXPECT_LE(found.minimum->of_vector[0].dual, plain.minimum->of_vector[0].primal);
    EXPECT_LE(plain.minimum->of_vector[0].dual, found.minimum->of_vector[0].primal);
    expect_same_scores(found.model, table, plain.model, scaled);
  }
}

// A missing value has the scores of one at the mean, and what its indicator adds.
TEST_F(Standard, AMissingValueStandsAtTheCentre) {
  Generator draws(4);
  for (const int classes : {2, 4}) {
    SCOPED_TRACE(classes);
    NumbersAndLabels table = random_table(draws, classes), scaled = table;
    for (std::size_t i = 5; i < table.rows(); i += 6) table.column[1][i] = missing;
    scaled = by_hand(table);
    std::vector<double> indicator;
    for (double& x : scaled.column[1]) {
      indicator.push_back(std::isnan(x) ? 1 : 0);
      if (std::isnan(x)) x = 0;
    }
    scaled.column.push_back(indicator);
    const TrainResult found = minimum(table, true), plain = minimum(scaled, false);
    EXPECT_NEAR(found.minimum->of_vector[0].primal, plain.minimum->of_vector[0].primal, 1e-7);
    expect_same_scores(found.model, table, plain.model, scaled);
  }
}

TEST_F(Standard, UnitsAndOriginsChangeNoScore) {
  Generator draws(5);
  const NumbersAndLabels table = random_table(draws, 3);
  NumbersAndLabels other = table;
  for (double& x : other.column[0]) x = 1e6 * x + 1e9;
  for (double& x : other.column[1]) x = -1e-200 * x;
  for (double& x : other.column[2]) x *= 1e150;
  for (double& x : other.column[3]) x *= 1e-6;
  const Model a = minimum(table, true).model, b = minimum(other, true).model;
  expect_same_scores(a, table, b, other);
}

// A column that is mostly 0 is scaled whether it has a name or a number.
TEST_F(Standard, TheFormatChangesNothing) {
  Generator draws(9);
  for (const int classes : {2, 3}) {
    NumbersAndLabels table = random_table(draws, classes);
    for (double& x : table.column[2]) x *= 1e6;
    const ProvedMinimum named = minimum(table, true).minimum->of_vector[0],
                        numbered = minimum_of_features(table).minimum->of_vector[0];
    EXPECT_NEAR(named.primal, numbered.primal, 1e-8 * named.primal);
  }
}

// A constant is 0 once it is centred, and no second bias.
TEST_F(Standard, AConstantColumnChangesNothing) {
  Generator draws(10);
  const NumbersAndLabels table = random_table(draws, 2);
  NumbersAndLabels more = table;
  more.column.emplace_back(table.rows(), 3.7);
  const TrainResult a = minimum(table, true), b = minimum(more, true);
  EXPECT_NEAR(a.minimum->of_vector[0].primal, b.minimum->of_vector[0].primal, 1e-8);
  expect_same_scores(a.model, table, b.model, more);
}

TEST_F(Standard, ARowOfTwiceTheWeightIsTwoRows) {
  Generator draws(6);
  NumbersAndLabels table = random_table(draws, 2), twice = table;
  for (std::size_t i = 0; i < table.rows(); i += 5) {
    table.weight[i] = 2;
    for (std::size_t j = 0; j < table.column.size(); ++j) twice.column[j].push_back(twice.column[j][i]);
    twice.label.push_back(twice.label[i]);
    twice.weight.push_back(1);
  }
  const Model a = minimum(table, true).model, b = minimum(twice, true).model;
  expect_same_scores(a, table, b, table);
}

// A finished model learns on: rows like those of the minimum hardly move it, and others do.
TEST_F(Standard, TheModelOfAMinimumGoesOn) {
  Generator draws(8);
  for (const int classes : {2, 3}) {
    SCOPED_TRACE(classes);
    const NumbersAndLabels table = random_table(draws, classes);
    const Model first = minimum(table, true).model;
    const auto errors = [&](const Model& model) {
      Predictor predictor(model);
      int wrong = 0;
      for (std::size_t i = 0; i < table.rows(); ++i) {
        const std::vector<double> x{table.column[0][i], table.column[1][i], table.column[2][i], table.column[3][i]};
        wrong += predictor.predict(x).label != "k" + std::to_string(table.label[i]) ? 1 : 0;
      }
      return wrong;
    };
    TrainOptions options;
    options.read.path = path_.string();
    options.read.columns.weight = "w";
    options.resume = &first;
    const TrainResult second = train(options);
    EXPECT_EQ(second.model.ledger.rounds, table.rows());
    EXPECT_LE(errors(second.model), errors(first) + 4);
    EXPECT_NE(second.model.weights, first.weights);
  }
}

std::vector<const RuleEntry*> rules_with_weights() {
  std::vector<const RuleEntry*> list;
  for (const RuleEntry& entry : all_rules()) {
    if (!entry.support_vectors && !entry.name.starts_with("winnow")) list.push_back(&entry);  // Winnow takes 0 and 1
  }
  return list;
}

// Its scores, mistakes and bound are those of a run over columns that were scaled before; a missing value stands at 0.
TEST_F(Standard, ARuleLearnsAsFromColumnsThatWereScaledBefore) {
  Generator draws(11);
  for (const int classes : {2, 3}) {
    NumbersAndLabels table = random_table(draws, classes);
    for (std::size_t i = 3; i < table.rows(); i += 7) table.weight[i] = 2;
    const NumbersAndLabels scaled = by_hand(table);
    for (const RuleEntry* rule : rules_with_weights()) {
      for (const KeepName keep : {KeepName::last, KeepName::average}) {
        if (rule->several_classes && keep == KeepName::average && classes == 2) continue;
        SCOPED_TRACE(fmt::format("{} {} {}", rule->name, name_of(keep), classes));
        std::optional<TrainResult> a, b;
        try {
          write(scaled);
          b = train(options_of_rule(rule->id, keep, false));
        } catch (const Error& error) {
          if (error.kind() != ErrorKind::usage) throw;
          continue;  // the rule has no such keeper
        }
        write(table);
        a = train(options_of_rule(rule->id, keep, true));
        EXPECT_EQ(a->model.ledger.mistakes, b->model.ledger.mistakes);
        EXPECT_EQ(a->bound.has_value(), b->bound.has_value());
        if (a->bound && b->bound) {
          EXPECT_NEAR(a->bound->value, b->bound->value, 1e-6 * b->bound->value);
        }
        EXPECT_NEAR(a->weight_norm, b->weight_norm, 1e-6 * b->weight_norm);
        EXPECT_EQ(a->model.ledger.new_rows, NewRows::standard);
        expect_same_scores(a->model, table, b->model, scaled);
      }
    }
  }
}

// The errors of a run are those of the labels that its model predicts for the data's own values, and folds agree.
TEST_F(Standard, ARulesErrorsAreThoseOfItsPredictions) {
  Generator draws(12);
  NumbersAndLabels table = random_table(draws, 3);
  for (double& x : table.column[0]) x = 1e3 * x + 1e5;
  for (std::size_t i = 0; i < table.rows(); i += 9) table.column[1][i] = missing;
  write(table);
  for (const RuleEntry* rule : rules_with_weights()) {
    SCOPED_TRACE(rule->name);
    TrainOptions options = options_of_rule(rule->id, KeepName::last, true);
    options.holdout = 0.2;
    const TrainResult result = train(options);
    EvaluateOptions evaluation;
    evaluation.read.path = path_.string();
    const ModelEvaluation found = evaluate(result.model, evaluation);
    EXPECT_DOUBLE_EQ(found.confusion.errors(), *result.training_errors + result.holdout->errors);
    EXPECT_EQ(found.confusion.rows(), result.training_rows + result.holdout->rows);
  }
}

// The weights of a fold are turned back for the rows that validate them.
TEST_F(Standard, OriginsChangeNoFold) {
  Generator draws(14);
  NumbersAndLabels table = random_table(draws, 2);
  const auto errors = [&] {
    write(table);
    const TrainOptions options = options_of_rule(rule::perceptron, KeepName::average, true);
    double wrong = 0;
    const Validation found = Folds(options, 5).cross_validate({{{options.composition, options.until}}})[0];
    for (const FoldScore& fold : found.fold) wrong += fold.errors;
    return wrong;
  };
  const double before = errors();
  EXPECT_LT(before, 30);  // of 120
  for (double& x : table.column[0]) x = 1e3 * x + 1e5;
  for (double& x : table.column[1]) x = -x;
  EXPECT_EQ(errors(), before);
}

TEST_F(Standard, ARuleOverStandardColumnsCannotGoOn) {
  Generator draws(13);
  write(random_table(draws, 2));
  TrainOptions options = options_of_rule(rule::perceptron, KeepName::last, true);
  const Model first = train(options).model;
  const auto refused = [&] {
    try {
      train(options);
    } catch (const Error& error) {
      return error.kind() == ErrorKind::usage;
    }
    return false;
  };
  options.composition.keep = KeepName::vote;
  EXPECT_TRUE(refused());
  EXPECT_THROW(Folds(options, 5).cross_validate({{{options.composition, options.until}}}), Error);
  options.composition.keep = KeepName::last;
  options.on_checkpoint = [](const Model&) {};
  EXPECT_TRUE(refused());
  options.on_checkpoint = nullptr;
  options.resume = &first;
  EXPECT_TRUE(refused());
  options.standard_columns = false;
  EXPECT_TRUE(refused());
}

}  // namespace
}  // namespace halfspace
