// Errors are those of the labels that a model would have predicted, beside the mistakes that theorems count; a row of
// weight k is k rows, and one of weight 0 is none.

#include "halfspace/detail/rules/kernel_perceptron.h"
#include "halfspace/detail/rules/multiclass_tournament.h"
#include "halfspace/detail/rules/tournament.h"
#include "halfspace/rules/margin_perceptron.h"
#include "halfspace/rules/perceptron.h"
#include "halfspace/rules/rule_entry.h"
#include "halfspace/train/train.h"
#include "halfspace/train/trainer.h"
#include "support/every.h"
#include "support/test.h"
#include "support/world.h"

namespace halfspace::testing {
namespace {

// Rows of small whole numbers, so that scores tie.
struct Table {
  std::vector<std::vector<int>> x;
  std::vector<int> label, weight;

  // `all`: with the rows of weight 0.
  std::string text(bool all = true) const {
    std::string text = "label,weight,a,b,c\n";
    for (std::size_t i = 0; i < x.size(); ++i) {
      if (!all && weight[i] == 0) continue;
      text += "c" + std::to_string(label[i]) + "," + std::to_string(weight[i]);
      for (const int value : x[i]) text += "," + std::to_string(value);
      text += "\n";
    }
    return text;
  }
};

Table any_table(Chance& chance, RuleName rule, int classes, bool weighted) {
  Table table;
  const int rows = chance.between(classes + 4, 40);
  const int least = takes_ones_only(rule) ? 0 : -1;
  for (int i = 0; i < rows; ++i) {
    std::vector<int> x;
    for (int j = 0; j < 3; ++j) x.push_back(chance.between(least, 1));
    const int noisy = chance.between(0, classes - 1);
    table.label.push_back(i < classes ? i : chance.one_in(3) ? noisy : (x[0] + x[1] > 0 ? 1 : 0));
    table.weight.push_back(weighted && i >= classes ? chance.between(0, 3) : 1);
    table.x.push_back(std::move(x));
  }
  return table;
}

// Any composition of the rule that is valid for so many classes.
Composition any_composition(Chance& chance, const RuleEntry& entry) {
  Composition c;
  c.rule = entry.id;
  if (entry.default_bias != nullptr) c.bias.position = entry.default_bias(c);
  if (entry.support_vectors) c.set(parameter::gamma, 0.5);
  const auto try_out = [&](const auto& change) {
    Composition next = c;
    change(next);
    try {
      validate(next);
      c = next;
    } catch (const Error&) {
    }
  };
  try_out([&](Composition& next) { next.tie = chance.of({Tie::positive, Tie::mistake, Tie::negative}); });
  try_out([&](Composition& next) { next.bias.position = chance.of({Bias::none, Bias::last}); });
  try_out([&](Composition& next) {
    next.keep = chance.of({KeepName::last, KeepName::average, KeepName::pocket, KeepName::vote});
  });
  try_out([&](Composition& next) {
    next.order = chance.of({OrderName::stream, OrderName::cyclic, OrderName::shuffled, OrderName::random});
  });
  if (!entry.several_classes)
    c.several_classes = chance.of({SeveralClasses::one_against_rest, SeveralClasses::one_against_one});
  return c;
}

TrainOptions options_of(const Composition& c, const std::string& path) {
  TrainOptions options;
  options.read.path = path;
  options.read.columns.label = "label";
  options.read.columns.weight = "weight";
  options.read.labels.scan_all = true;
  options.composition = c;
  if (c.order != OrderName::stream) options.until.passes = 3;
  return options;
}

// Calls body(rule, what, chance) for runs over every rule. Some compositions are no good for some data.
template <class Body>
void for_random_runs(int each, const Body& body) {
  int ran = 0, all = 0;
  for (const RuleEntry& entry : all_rules()) {
    for (int k = 1; k <= each && !::testing::Test::HasFailure(); ++k) {
      Chance chance(static_cast<std::uint64_t>(k));
      ++all;
      try {
        body(entry, std::string(entry.name) + ", seed " + std::to_string(k), chance);
        ++ran;
      } catch (const Error& error) {
        EXPECT_TRUE(error.kind() == ErrorKind::data || error.kind() == ErrorKind::usage) << error.what();
      }
    }
  }
  EXPECT_GT(2 * ran, all);
}

TEST(Errors, AreThoseOfTheLabelsPredicted) {
  const TemporaryFolder folder;
  double ties = 0;
  for_random_runs(60, [&](const RuleEntry& entry, const std::string& what, Chance& chance) {
    const int classes = entry.support_vectors ? 2 : chance.between(2, 3);
    const Composition c = any_composition(chance, entry);
    const Table table = any_table(chance, entry.id, classes, chance.one_in(2));
    TrainOptions options = options_of(c, folder.write("d.csv", table.text()));
    double errors = 0, weight = 0, constant = 0, previous = 0, all_errors = 0;
    std::uint64_t rows = 0;
    for (const int w : table.weight) rows += w > 0;
    std::map<int, double> seen;
    int before = -1;
    options.observer = [&](const RoundView& round) {
      const auto i = static_cast<std::size_t>(round.row - 1);
      const double w = table.weight.at(i);
      ASSERT_GT(w, 0) << what;
      ASSERT_GE(round.outcome.predicted, 0) << what;
      const bool wrong = round.outcome.predicted != round.label;
      EXPECT_EQ(round.outcome.error, wrong) << what;
      all_errors += wrong ? w : 0;
      ties += wrong != round.outcome.mistake;
      if (round.round > rows) return;
      errors += wrong ? w : 0;
      weight += w;
      double most = 0;
      for (const auto& [label, sum] : seen) most = std::max(most, sum);
      if (!seen.empty() && seen[round.label] != most) constant += w;
      if (!seen.empty() && round.label != before) previous += w;
      seen[round.label] += w;
      before = round.label;
    };
    const TrainResult result = train(options);
    const Ledger& ledger = result.model.ledger;
    EXPECT_EQ(ledger.first_pass_errors(), errors) << what;
    EXPECT_EQ(ledger.first_pass_weight(), weight) << what;
    EXPECT_EQ(ledger.errors(), all_errors) << what;
    EXPECT_EQ(ledger.constant_errors, constant) << what;
    EXPECT_EQ(ledger.previous_errors, previous) << what;
    if (!result.expected_error) return;
    EXPECT_EQ(static_cast<double>(result.expected_error->errors), errors) << what;
    EXPECT_EQ(static_cast<double>(result.expected_error->rows), weight) << what;
  });
  EXPECT_GT(ties, 100);
}

// The label of a round is what the model of the rows before it predicts.
TEST(Errors, AreThoseOfTheModelBeforeEachRow) {
  const TemporaryFolder folder;
  int compared = 0;
  for_random_runs(30, [&](const RuleEntry& entry, const std::string& what, Chance& chance) {
    // Their scores on the way have more in them than the weights.
    if (entry.id == rule::tournament || entry.id == rule::multiclass_tournament) return;
    Composition c = any_composition(chance, entry);
    c.order = OrderName::stream;
    c.keep = KeepName::last;
    // Elsewhere a model may sum in another order than its learner, so that what ties in one does not in the other.
    const bool exact = entry.id == rule::perceptron;
    const int classes = exact || entry.several_classes ? chance.between(2, 3) : 2;
    const Table table = any_table(chance, entry.id, classes, true);
    TrainOptions options = options_of(c, folder.write("d.csv", table.text()));
    options.read.threads = 1;
    std::int32_t predicted = -1;
    bool sure = true, all_sure = true;
    options.observer = [&](const RoundView& round) {
      predicted = round.outcome.predicted;
      sure = exact || std::abs(round.outcome.margin) > 1e-9;
    };
    Reader reader(options.read);
    options.composition = fit_to_labels(options.composition, reader.schema().labels);
    Trainer trainer(options, reader.schema());
    double errors = 0;
    reader.read([&](const Block& block) {
      BlockBuffer one;
      for (std::size_t i = 0; i < block.rows; ++i) {
        one.clear();
        one.append(block, i);
        const Block row = one.finish();
        std::vector<std::int32_t> label;
        std::vector<double> scores;
        const Model before = trainer.model();
        Predictor(before).predict(row, label, scores);
        predicted = -1;
        sure = true;
        trainer.learn(row);
        // The start weight of a new feature is not in the model.
        const bool grows = trainer.model().weights.w.size() > before.weights.w.size();
        sure = sure && !grows;
        const double weight = row.weight == nullptr ? 1 : row.weight[0];
        if (sure) {
          ++compared;
          EXPECT_EQ(predicted, weight > 0 ? label[0] : -1) << what << ", row " << i + 1;
        }
        all_sure = all_sure && sure;
        errors += label[0] != row.label[0] ? weight : 0;
      }
      return true;
    });
    if (!all_sure) return;
    EXPECT_EQ(trainer.model().ledger.first_pass_errors(), errors) << what;
  });
  EXPECT_GT(compared, 2000);
}

TEST(Errors, ARowOfWeightZeroIsNoRow) {
  const TemporaryFolder folder;
  for_random_runs(60, [&](const RuleEntry& entry, const std::string& what, Chance& chance) {
    const Composition c = any_composition(chance, entry);
    const int classes = entry.support_vectors ? 2 : chance.between(2, 3);
    const Table table = any_table(chance, entry.id, classes, true);
    TrainOptions options = options_of(c, folder.write("all.csv", table.text()));
    options.composition.parameters.erase("gamma");  // tuned
    const TrainResult all = train(options);
    options.read.path = folder.write("counted.csv", table.text(false));
    const TrainResult counted = train(options);
    EXPECT_EQ(all.model.weights, counted.model.weights) << what;
    EXPECT_EQ(all.model.learner, counted.model.learner) << what;
    EXPECT_EQ(all.model.ledger, counted.model.ledger) << what;
    EXPECT_EQ(all.learned_rows, counted.learned_rows) << what;
    EXPECT_EQ(all.training_errors, counted.training_errors) << what;
    EXPECT_EQ(all.bound.has_value(), counted.bound.has_value()) << what;
    if (all.bound && counted.bound) {
      EXPECT_EQ(all.bound->value, counted.bound->value) << what;
    }
    EXPECT_EQ(all.expected_error.has_value(), counted.expected_error.has_value()) << what;
  });
}

// Also where rows are played without train().
TEST(Errors, ARowOfWeightZeroAgesNoWeights) {
  for_random_runs(20, [&](const RuleEntry& entry, const std::string& what, Chance& chance) {
    Composition c = any_composition(chance, entry);
    const int classes = entry.support_vectors ? 2 : chance.between(2, 3);
    const Table table = any_table(chance, entry.id, classes, true);
    if (classes == 2) c.several_classes = SeveralClasses::own;
    BlockBuffer rows;
    const auto all = make_learner(c, static_cast<std::uint32_t>(classes)),
               counted = make_learner(c, static_cast<std::uint32_t>(classes));
    Ledger of_all, of_counted;
    for (const bool every_row : {true, false}) {
      rows.clear();
      for (std::size_t i = 0; i < table.x.size(); ++i) {
        if (!every_row && table.weight[i] == 0) continue;
        for (std::uint32_t j = 0; j < 3; ++j) {
          if (table.x[i][j] != 0) rows.add(j, table.x[i][j]);
        }
        rows.end_row(table.label[i], i + 1, table.weight[i]);
      }
      const Block block = rows.finish();
      Learner& learner = every_row ? *all : *counted;
      learner.grow(3);
      learner.play(block, 0, {}, every_row ? of_all : of_counted);
      learner.finish();
    }
    EXPECT_EQ(all->result(), counted->result()) << what;
    EXPECT_EQ(all->save(), counted->save()) << what;
    EXPECT_EQ(of_all.errors(), of_counted.errors()) << what;
    EXPECT_EQ(of_all.weight(), of_counted.weight()) << what;
    EXPECT_EQ(of_all.constant_errors, of_counted.constant_errors) << what;
    EXPECT_EQ(of_all.new_rows, of_counted.new_rows) << what;
  });
}

// The pocket has the fewest errors of predictions among all weights of the run, the start among them.
TEST(Errors, ThePocketHasTheFewest) {
  const TemporaryFolder folder;
  for (int seed = 1; seed <= 200; ++seed) {
    Chance chance(static_cast<std::uint64_t>(seed));
    Composition c;
    c.rule =
        chance.of<RuleName>({rule::perceptron, rule::margin});  // whose margins are kept from step to step, or are not
    c.order = OrderName::random_mistake;
    c.keep = KeepName::pocket;
    c.tie = chance.of({Tie::positive, Tie::mistake, Tie::negative});
    c.bias.position = chance.of({Bias::none, Bias::last});
    const Table table = any_table(chance, c.rule, 2, chance.one_in(2));
    TrainOptions options = options_of(c, folder.write("d.csv", table.text()));
    options.until = {.clean = Clean::pass, .updates = 40};
    const auto errors_of = [&](const ClassWeightVector& v) {
      double errors = 0;
      for (std::size_t i = 0; i < table.x.size(); ++i) {
        double score = c.bias.position == Bias::none ? 0 : v.bias[0];
        for (std::size_t j = 0; j < v.w.size(); ++j) score += v.w[j] * table.x[i][j];
        const bool positive = c.tie == Tie::negative ? score > 0 : score >= 0;
        errors += positive != (table.label[i] == 1) ? table.weight[i] : 0;
      }
      return errors;
    };
    double fewest = errors_of({1, {0, 0, 0}, {0}}), shown = -1;
    options.observer = [&](const RoundView& round) { fewest = std::min(fewest, errors_of(round.learner.present())); };
    options.on_errors = [&](double share) { shown = share; };
    const TrainResult result = train(options);
    EXPECT_EQ(errors_of(result.model.weights), fewest) << seed;
    double weight = 0;
    for (const int w : table.weight) weight += w;
    EXPECT_GE(shown * weight, fewest - 1e-9) << seed;
  }
}

// Labels of a coin err on half of the rows, whatever the ties of the weights.
TEST(Errors, TheBoundsOnNewRowsHoldForACoin) {
  const TemporaryFolder folder;
  for (const Tie tie : {Tie::positive, Tie::mistake, Tie::negative}) {
    int held = 0;
    for (std::uint64_t seed = 1; seed <= 40; ++seed) {
      Generator draws(seed);
      std::string text;
      for (int i = 0; i < 800; ++i) text += draws.next() < 0.5 ? "+1 1:1\n" : "-1 1:1\n";
      TrainOptions options;
      options.read.path = folder.write("d", text);
      options.composition.tie = tie;
      const TrainResult result = train(options);
      ASSERT_TRUE(result.expected_error);
      held += result.expected_error->bounds.lower <= 0.5 && result.expected_error->bounds.upper >= 0.5;
    }
    EXPECT_GE(held, 37) << name_of(tie);
  }
}

// Nothing is weighted where all weights are 1, or 0 and 1.
TEST(Errors, WeightsOfZeroAndOneAreNoWeights) {
  const TemporaryFolder folder;
  TrainOptions options = options_of({}, folder.write("d.csv", "label,weight,a\nx,1,1\ny,0,2\ny,1,3\nx,1,2\n"));
  EXPECT_TRUE(train(options).expected_error);
  options.read.path = folder.write("w.csv", "label,weight,a\nx,1,1\ny,2,2\ny,1,3\nx,1,2\n");
  const TrainResult weighted = train(options);
  EXPECT_FALSE(weighted.expected_error);
  EXPECT_EQ(weighted.model.ledger.new_rows, NewRows::weighted);
}

}  // namespace
}  // namespace halfspace::testing
