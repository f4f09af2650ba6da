// The seeds of the fuzzer are models of this version, one of each shape. When the format has changed, write them again:
//   HALFSPACE_WRITE_CORPUS=1 build/release/tests/model_tests --gtest_filter='Corpus.*'

#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <set>

#include "halfspace/detail/rules/ftrl.h"
#include "halfspace/detail/rules/kernel_perceptron.h"
#include "halfspace/detail/rules/multiclass.h"
#include "halfspace/detail/train/prediction_sets.h"
#include "halfspace/model/model_file.h"
#include "halfspace/rules/margin_perceptron.h"
#include "halfspace/rules/minnow.h"
#include "halfspace/rules/passive_aggressive.h"
#include "halfspace/rules/perceptron.h"
#include "model/models.h"
#include "stream/names/sorted_names.h"
#include "support/corpus_table.h"

namespace halfspace::testing {
namespace {

// The shapes of state that were there first in all their variants; of the rules with a state of their own one
// composition a keeper, with every option set; every kernel; one of each rule that stores what the perceptron does.
bool is_seed(const Composition& c) {
  if (c.rule > rule::kernel) return false;  // rules that came later have no state of a new shape
  if (c.by_learners_of_two() && (c.rule != rule::arow || c.tie == Tie::mistake)) return false;
  switch (c.rule) {
    case rule::perceptron:
    case rule::minnow:
    case rule::multiclass:
    case rule::kernel:
      return true;
    case rule::margin:
    case rule::pa:
    case rule::pa1:
    case rule::pa2:
      return c.keep == KeepName::last && c.tie == Tie::mistake;
    default:
      return (c.keep == KeepName::last || c.keep == KeepName::average) && c.tie == Tie::negative;
  }
}

// The bytes that the fuzzer gets: its mode and the file.
std::string seed_of(const Model& model) {
  const std::vector<std::uint8_t> bytes = encode(model);
  return '\1' + std::string(bytes.begin(), bytes.end());
}

Corpus seeds() {
  Corpus files;
  for (const Composition& composition : every_composition()) {
    if (!is_seed(composition)) continue;
    const RuleName rule = composition.rule;
    Model model = rich(composition, 1);
    const Model small = played(composition, 1, rule == rule::kernel ? 16 : 6);  // so that budgets are full
    model.schema.features = std::max(model.schema.features, small.schema.features);
    model.weights = small.weights;
    model.learner = small.learner;
    model.ledger = small.ledger;
    model.ledger.watch = watched(small.ledger.first_pass_rounds);
    model.ledger.new_rows = new_rows_by_settings(model);
    const std::string name = std::string(name_of(rule)) + "-" + std::string(name_of(composition.keep)) + "-" +
                             std::string(name_of(composition.tie)) +
                             (composition.by_learners_of_two() ? "-classes" : "");
    EXPECT_FALSE(files.contains(name)) << name;
    files[name] = seed_of(model);
  }
  Composition exact_zeros;
  exact_zeros.rule = rule::ftrl;
  exact_zeros.set(parameter::l1, 1);
  Model model = played(exact_zeros, 1, 6);
  model.weights.w.assign(model.weights.w.size(), 0.0);
  model.weights.w[1] = 0.5;
  model.learner.weights = model.weights;
  files["ftrl-without-zeros"] = seed_of(model);
  for (const bool sets : {false, true}) {
    Model decided = rich({}, 2);
    decided.threshold = -0.5;
    if (sets) {
      decided.holdout = 0.25;
      decided.conformal = conformal_scores({{-1, 2}, {-3}});
    }
    files[sets ? "threshold-and-sets" : "threshold"] = seed_of(decided);
  }
  for (const bool products : {false, true}) {
    Model named = rich({}, 1);
    const std::uint32_t before = named.schema.features;
    named.schema.format = DataFormat::vw;
    named.schema.columns.clear();
    named.schema.features = 0;
    Column space{.name = "user", .kind = Column::Kind::categorical, .categories = {}, .features = {}};
    for (std::uint32_t k = 0; k < (products ? before : 2 * stream::names_a_restart); ++k) {
      space.categories.push_back((k % 2 == 0 ? "née " : "n") + std::to_string(k * 7919 % 10007));
      space.features.push_back(named.schema.features++);
    }
    if (products) {
      Column pairs{.name = "user:|u", .kind = Column::Kind::categorical, .categories = {}, .features = {}};
      pairs.features = {before, before + 1};
      pairs.products = {0, 1, 1, 1};
      named.schema.features += 2;
      named.schema.columns.push_back(pairs);
    }
    named.schema.columns.push_back(space);
    files[products ? "products" : "many-names"] = seed_of(named);
  }
  return files;
}

TEST(Corpus, HasAModelOfEveryShape) {
  std::set<RuleName> rules;
  for (const Composition& composition : every_composition()) {
    if (is_seed(composition)) rules.insert(composition.rule);
  }
  for (int rule = 0; rule <= static_cast<int>(rule::kernel); ++rule) {
    EXPECT_TRUE(rules.contains(static_cast<RuleName>(rule))) << name_of(static_cast<RuleName>(rule));
  }
  const auto table = std::filesystem::path(HALFSPACE_SOURCE_DIR) / "fuzz" / "corpus" / "model.txt";
  Corpus stored = read_corpus(table);
  const bool renews = std::getenv("HALFSPACE_WRITE_CORPUS") != nullptr;
  for (const auto& [name, bytes] : seeds()) {
    if (renews) stored[name] = bytes;
    EXPECT_TRUE(stored[name] == bytes) << name << ": write the corpus again";
  }
  if (renews) write_corpus(table, stored);
}

}  // namespace
}  // namespace halfspace::testing
