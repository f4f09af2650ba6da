// Logarithms of skewed columns: which columns have one, what must not change that, and what a model with them does.
#include <fmt/format.h>

#include <cmath>

#include "halfspace/base/random.h"
#include "halfspace/detail/base/elementary.h"
#include "halfspace/model/model_file.h"
#include "halfspace/rules/perceptron.h"
#include "halfspace/stream/array_rows.h"
#include "halfspace/stream/cache.h"
#include "halfspace/train/evaluate.h"
#include "halfspace/train/folds.h"
#include "halfspace/train/plan.h"
#include "halfspace/train/settings.h"
#include "stream/columns/logarithms.h"
#include "support/test.h"

namespace halfspace {
namespace {

using testing::TemporaryFolder;

struct Person {
  double income, age, sex;
  bool rich, missing;
  double weight = 1;
};

// Who is rich is told by the logarithm of the income.
std::vector<Person> people(std::uint64_t seed, int count) {
  Generator draws(seed);
  std::vector<Person> all;
  for (int i = 0; i < count; ++i) {
    const double far = 2.5 * gaussian(draws), near = gaussian(draws);
    const double income = std::round(1000 * std::exp(far)) - 300;
    all.push_back({income, std::round(40 + 9 * near), draws.next() < 0.05 ? 1.0 : 0.0, far > near, i % 40 == 7});
  }
  return all;
}

std::string csv_of(const std::vector<Person>& all) {
  std::string text = "income,age,sex,weight,label\n";
  for (const Person& one : all) {
    text += fmt::format("{},{},{},{},{}\n", one.missing ? "" : fmt::format("{}", one.income), one.age, one.sex,
                        one.weight, one.rich ? "yes" : "no");
  }
  return text;
}

std::string jsonl_of(const std::vector<Person>& all) {
  std::string text;
  for (const Person& one : all) {
    text += fmt::format(R"({{{}"age":{},"sex":{},"weight":{},"label":"{}"}})",
                        one.missing ? "" : fmt::format(R"("income":{},)", one.income), one.age, one.sex, one.weight,
                        one.rich ? "yes" : "no") +
            "\n";
  }
  return text;
}

TrainOptions options_for(const std::string& path) {
  TrainOptions options;
  options.read.path = path;
  options.read.columns.weight = "weight";
  return options;
}

std::vector<LogarithmOf> found_for(const TrainOptions& options) {
  return Folds::undealt(options, UINT64_MAX).logarithms();
}

std::vector<LogarithmOf> found_in(const std::string& text) {
  const TemporaryFolder folder;
  return found_for(options_for(folder.write("d", text)));
}

// By sorting.
LogarithmOf income_by_hand(const std::vector<Person>& all) {
  std::vector<double> values;
  for (const Person& one : all) {
    if (!one.missing) values.push_back(one.income);
  }
  std::sort(values.begin(), values.end());
  std::vector<double> above;
  for (const double value : values) {
    if (value > values.front()) above.push_back(value - values.front());
  }
  return {"income", values.front(), std::exp2(std::round(std::log2(above[(above.size() + 9) / 10 - 1])))};
}

TEST(Skewed, ColumnsHaveLogarithms) {
  for (const std::uint64_t seed : {1U, 2U, 3U}) {
    const std::vector<Person> all = people(seed, 500);
    EXPECT_EQ(found_in(csv_of(all)), (std::vector<LogarithmOf>{income_by_hand(all)}))
        << "not of age, nor of two values";
  }
}

TEST(Skewed, OrderCopiesAndFormatChangeNothing) {
  std::vector<Person> all = people(4, 400);
  for (std::size_t i = 0; i < all.size(); i += 3) all[i].weight = 2;
  const auto expected = found_in(csv_of(all));
  ASSERT_EQ(expected.size(), 1U);
  EXPECT_EQ(found_in(jsonl_of(all)), expected);
  std::vector<Person> copies = all;
  for (const Person& one : all) {
    if (one.weight == 2) copies.push_back(one);
  }
  for (Person& one : copies) one.weight = 1;
  Generator draws(1);
  for (std::size_t i = copies.size(); i > 1; --i) std::swap(copies[i - 1], copies[pick(draws, i)]);
  EXPECT_EQ(found_in(csv_of(copies)), expected);
  const TemporaryFolder folder;
  const TrainOptions options = options_for(folder.write("d.csv", csv_of(all)));
  convert(options.read, folder.path("d.cache"));
  TrainOptions cached;
  cached.read.path = folder.path("d.cache");
  EXPECT_EQ(found_for(cached), expected);
}

TEST(Skewed, AColumnTimesAPowerOfTwoHasTheSameLogarithm) {
  const std::vector<Person> all = people(5, 300);
  const LogarithmOf before = found_in(csv_of(all)).at(0);
  for (const double factor : {0x1p-20, 0x1p9}) {
    std::vector<Person> scaled = all;
    for (Person& one : scaled) one.income *= factor;
    const LogarithmOf after = found_in(csv_of(scaled)).at(0);
    EXPECT_EQ(after.least, factor * before.least);
    EXPECT_EQ(after.unit, factor * before.unit);
  }
}

TEST(Skewed, NotOfHeldOutRowsNorOfArrays) {
  std::vector<Person> all = people(6, 400);
  const TemporaryFolder folder;
  TrainOptions options = options_for(folder.write("d.csv", csv_of(all)));
  options.holdout = 0.5;
  std::vector<Person> half;
  for (std::size_t i = 0; i < all.size(); i += 2) half.push_back(all[i]);  // rows 2, 4, 6 ... are held out
  EXPECT_EQ(found_for(options), found_in(csv_of(half)));
  options.logarithms = false;
  EXPECT_TRUE(found_for(options).empty());
  std::vector<double> values;
  std::vector<std::int32_t> classes;
  for (const Person& one : all) {
    values.push_back(one.income);
    classes.push_back(one.rich ? 1 : 0);
  }
  const ArrayRows rows(DenseArray{.values = values.data(), .rows = values.size(), .columns = 1},
                       ArrayLabels{.classes = classes.data(), .names = {"no", "yes"}});
  TrainOptions of_array;
  of_array.read.rows = &rows;
  EXPECT_TRUE(found_for(of_array).empty());
  of_array.read.rows = nullptr;
  of_array.read.path = folder.write("d.svm", "1 1:1\n0 1:1000\n1 1:2\n0 2:7\n");
  EXPECT_TRUE(found_for(of_array).empty());
}

// The minimum with a logarithm is that of a table with a column of these numbers.
TEST(Skewed, TheMinimumIsThatOfAColumnWrittenOutByHand) {
  std::vector<Person> all = people(7, 300);
  const TemporaryFolder folder;
  for (const bool missing : {false, true}) {
    for (Person& one : all) one.missing = one.missing && missing;
    TrainOptions options = options_for(folder.write("d.csv", csv_of(all)));
    options.composition.rule = rule::perceptron;
    options.composition.order = OrderName::shuffled;
    options.objective = Objective{
        .loss = MarginLoss::logistic, .penalize_bias = false, .standard = true, .jointly = true, .gap = 1e-10};
    const LogarithmOf of = income_by_hand(all);
    std::string by_hand = "income,age,sex,weight,log,label\n";
    for (const Person& one : all) {
      const std::string log = fmt::format("{}", elementary::log1p((one.income - of.least) / of.unit));
      by_hand += fmt::format("{},{},{},1,{},{}\n", one.missing ? "" : fmt::format("{}", one.income), one.age, one.sex,
                             one.missing ? "" : log, one.rich ? "yes" : "no");
    }
    TrainOptions written = options;
    written.read.path = folder.write("hand.csv", by_hand);
    options.read.columns.logarithms = {of};
    const TrainResult a = train(options), b = train(written);
    const double primal = a.minimum->of_vector[0].primal;
    if (!missing) {
      EXPECT_NEAR(primal, b.minimum->of_vector[0].primal, 1e-8 * primal);
    } else {  // there are two indicators by hand, which are always equal, for one
      EXPECT_GE(primal, b.minimum->of_vector[0].dual);
    }
    EXPECT_EQ(a.training_errors, b.training_errors);
  }
}

double errors_of(const Model& model, const std::string& path) {
  EvaluateOptions options;
  options.read.path = path;
  return evaluate(model, options).confusion.errors();
}

class PlanOfSkewed : public ::testing::Test {
 protected:
  const TemporaryFolder folder_;
  const std::vector<Person> all_ = people(8, 700);
  const std::string path_ = folder_.write("d.csv", csv_of(all_));
  const TrainPlan plan_ = plan_training(options_for(path_));
  const TrainResult result_ = train(plan_.options);
};

TEST_F(PlanOfSkewed, TakesWhatIsClearlyBetter) {
  ASSERT_TRUE(plan_.choice);
  EXPECT_TRUE(has(plan_.words, "columns standardised, log columns of income: best of")) << plan_.words;
  EXPECT_EQ(plan_.options.read.columns.logarithms, (std::vector<LogarithmOf>{income_by_hand(all_)}));
  TrainOptions without = options_for(path_);
  without.logarithms = false;
  const TrainPlan plain = plan_training(without);
  EXPECT_FALSE(has(plain.words, "log columns"));
  const std::string unseen = folder_.write("new.csv", csv_of(people(9, 2000)));
  EXPECT_LT(errors_of(result_.model, unseen), 0.7 * errors_of(train(plain.options).model, unseen));
}

TEST_F(PlanOfSkewed, ThePrintedErrorIsThatOfTheFile) {
  ASSERT_TRUE(result_.training_errors);
  EXPECT_EQ(*result_.training_errors, errors_of(result_.model, path_));
  const Model kept = decode(encode(result_.model), "m");
  EXPECT_EQ(kept, result_.model);
  EXPECT_EQ(errors_of(kept, path_), *result_.training_errors);
  // Rows by the numbers of features, with and without the logarithm, which is computed either way.
  Predictor predictor(kept);
  int errors = 0;
  for (const Person& one : all_) {
    const std::vector<double> x{one.missing ? 0 : one.income, one.age, one.sex, 12345, one.missing ? 1.0 : 0.0};
    const std::span<const double> wide(x), given = one.missing ? wide : wide.first(3);
    errors += predictor.predict(given).label != (one.rich ? "yes" : "no");
  }
  EXPECT_EQ(errors, *result_.training_errors);
}

TEST_F(PlanOfSkewed, OtherFormatsGiveTheSame) {
  const TrainPlan plan = plan_training(options_for(folder_.write("d.jsonl", jsonl_of(all_))));
  EXPECT_EQ(plan.words, plan_.words);
  const Model model = train(plan.options).model;
  EXPECT_EQ(model.weights, result_.model.weights);
  convert(options_for(path_).read, folder_.path("d.cache"));
  TrainOptions cached;
  cached.read.path = folder_.path("d.cache");
  EXPECT_EQ(train(plan_training(cached).options).model.weights, result_.model.weights);
}

TEST_F(PlanOfSkewed, TheModelGoesOn) {
  TrainOptions options = options_for(folder_.write("more.csv", csv_of(people(10, 300))));
  options.resume = &result_.model;
  const TrainResult more = train(options);
  EXPECT_EQ(more.model.schema, result_.model.schema);
  EXPECT_NE(more.model.weights, result_.model.weights);
  EXPECT_LE(errors_of(more.model, path_), *result_.training_errors + 15);
}

// A least value that is much smaller, later, is no reason for another prediction.
TEST_F(PlanOfSkewed, AValueBelowTheLeastCountsAsTheLeast) {
  Predictor predictor(result_.model);
  const double least = income_by_hand(all_).least, raw = std::abs(result_.model.weights.w[0]);
  const double there = predictor.predict(std::vector<double>{least, 40, 0}).score,
               below = predictor.predict(std::vector<double>{least - 100, 40, 0}).score;
  EXPECT_NEAR(std::abs(there - below), 100 * raw, 1e-9);
}

}  // namespace
}  // namespace halfspace
