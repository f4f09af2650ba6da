// A learner that went through a model's bytes goes on as if it had never stopped.

#include <gtest/gtest.h>

#include <functional>

#include "halfspace/detail/rules/adagrad.h"
#include "halfspace/detail/rules/alma.h"
#include "halfspace/detail/rules/arow.h"
#include "halfspace/detail/rules/arow_diagonal.h"
#include "halfspace/detail/rules/eg.h"
#include "halfspace/detail/rules/multiclass.h"
#include "halfspace/detail/rules/projected.h"
#include "halfspace/detail/rules/second_order.h"
#include "halfspace/model/model_file.h"
#include "halfspace/rules/minnow.h"
#include "halfspace/rules/perceptron.h"
#include "halfspace/rules/rule_entry.h"
#include "halfspace/rules/winnow.h"
#include "model/models.h"

namespace halfspace::testing {
namespace {

constexpr std::size_t kRows = 40;

struct RunEnd {
  LearnerState state;
  Ledger ledger;
  ClassWeightVector result;
  bool operator==(const RunEnd&) const = default;
};

RunEnd end_of(Learner& learner, const Ledger& ledger) {
  learner.finish();
  return {learner.save(), ledger, learner.result()};
}

// Two passes over the rows, so that every kind of keeper has something to forget; `forget` damages the state that is
// stored after `split` rounds.
RunEnd resumed_at(const Composition& composition, const Block& block, std::size_t split, bool finished_before,
                  const std::function<void(LearnerState&)>& forget = {}) {
  const std::uint32_t classes = classes_for(composition);
  const auto first = make_learner(composition, classes);
  Model model;
  model.composition = composition;
  model.schema.labels.names.resize(classes);
  Ledger ledger;
  first->grow(block.features);
  if (split >= kRows) first->play(block, 0, {}, ledger);
  Block begin = block;
  begin.rows = split % kRows;
  first->play(begin, 0, {}, ledger);
  if (finished_before) first->finish();
  take(model, *first, ledger);
  if (forget) forget(model.learner);

  const Model back = decode(encode(model), "m");
  const auto second = make_learner(back.composition, classes);
  second->restore(back.learner);
  EXPECT_TRUE(second->save() == back.learner) << described(composition) << ", split " << split;
  ledger = back.ledger;
  second->grow(block.features);
  second->play(block, split % kRows, {}, ledger);
  if (split < kRows) second->play(block, 0, {}, ledger);
  return end_of(*second, ledger);
}

RunEnd uninterrupted(const Composition& composition, const Block& block) {
  const auto learner = make_learner(composition, classes_for(composition));
  Ledger ledger;
  learner->grow(block.features);
  learner->play(block, 0, {}, ledger);
  learner->play(block, 0, {}, ledger);
  return end_of(*learner, ledger);
}

TEST(Resume, EqualsTheUninterruptedRunAtEverySplit) {
  for (const Composition& composition : every_composition()) {
    SCOPED_TRACE(described(composition));
    Generator draws(11);
    BlockBuffer buffer = random_rows(draws, kRows, classes_for(composition), 1, takes_ones_only(composition));
    const Block block = buffer.finish();
    const RunEnd whole = uninterrupted(composition, block);
    EXPECT_GT(whole.ledger.updates, 10U);
    for (std::size_t split = 0; split < 2 * kRows; ++split) {
      for (const bool finished_before : {false, true}) {
        ASSERT_TRUE(resumed_at(composition, block, split, finished_before) == whole) << "split at " << split;
      }
    }
  }
}

// Rows that grow the features while the run goes on, and far larger values: minnow's radius is then no count.
TEST(Resume, HoldsWhileFeaturesAppearAndValuesAreLarge) {
  for (const Composition& composition : every_composition()) {
    SCOPED_TRACE(described(composition));
    const std::uint32_t classes = classes_for(composition);
    Generator draws(5);
    std::vector<BlockBuffer> buffers;
    for (std::size_t b = 0; b < 10; ++b)
      buffers.push_back(random_rows(draws, 6, classes, 1 + 6 * b, takes_ones_only(composition)));
    const bool exponential =
        (composition.rule == rule::minnow && composition.given(parameter::rate)) || composition.rule == rule::eg;
    // A covariance of variances 2^120 apart is beyond doubles: such data must be scaled, and training says so.
    const bool covariance = composition.rule == rule::second_order || composition.rule == rule::arow;
    const double scale = exponential || covariance || takes_ones_only(composition) ? 1 : 0x1p60;
    for (BlockBuffer& buffer : buffers) {
      for (double& value : buffer.values()) value *= scale;
    }
    const auto one = make_learner(composition, classes);
    auto other = make_learner(composition, classes);
    Ledger ledger_one, ledger_other;
    for (BlockBuffer& buffer : buffers) {
      const Block block = buffer.finish();
      one->grow(block.features);
      one->play(block, 0, {}, ledger_one);

      other->grow(block.features);
      other->play(block, 0, {}, ledger_other);
      Model model;
      model.composition = composition;
      model.schema.labels.names.resize(classes);
      take(model, *other, ledger_other);
      const Model back = decode(encode(model), "m");
      other = make_learner(composition, classes);
      other->restore(back.learner);
      ledger_other = back.ledger;
    }
    EXPECT_TRUE(end_of(*one, ledger_one) == end_of(*other, ledger_other));
  }
}

// The tests above would notice what is not restored: damage of each part of the state shows at some split.
TEST(Resume, NoticesWhatIsForgotten) {
  struct Case {
    const char* what;
    RuleName rule;
    KeepName keep;
    std::function<void(LearnerState&)> forget;
  };
  const std::vector<Case> cases = {
      {"the rounds finished", rule::perceptron, KeepName::average,
       [](LearnerState& s) { s.finished += s.finished > 3; }},
      {"the lag", rule::perceptron, KeepName::average,
       [](LearnerState& s) { std::fill(s.kept.w.begin(), s.kept.w.end(), 0.0); }},
      {"born", rule::perceptron, KeepName::pocket, [](LearnerState& s) { s.kept_counts[4] = 0; }},
      {"the best run", rule::perceptron, KeepName::pocket, [](LearnerState& s) { s.kept_counts[3] = 0; }},
      {"the pocket", rule::perceptron, KeepName::pocket,
       [](LearnerState& s) { std::fill(s.kept.w.begin(), s.kept.w.end(), 0.0); }},
      {"minnow's phase", rule::minnow, KeepName::last, [](LearnerState& s) { s.numbers[6] = 0; }},
      {"minnow's guess", rule::minnow, KeepName::last, [](LearnerState& s) { s.numbers[5] += 1; }},
      {"minnow's radius", rule::minnow, KeepName::last, [](LearnerState& s) { s.numbers[4] = 0; }},
      {"minnow's steps", rule::minnow, KeepName::last, [](LearnerState& s) { s.numbers[3] = 0; }},
      {"minnow's total", rule::minnow, KeepName::last, [](LearnerState& s) { s.numbers[1] *= 1 + 0x1p-50; }},
      {"the rounds in the sum", rule::minnow, KeepName::average, [](LearnerState& s) { s.kept_counts[0] = 0; }},
      {"arow's covariance", rule::arow, KeepName::last, [](LearnerState& s) { s.moments[0] *= 1.5; }},
      {"arow's log determinant", rule::arow, KeepName::last, [](LearnerState& s) { s.numbers[0] *= 2; }},
      {"second-order's covariance", rule::second_order, KeepName::last,
       [](LearnerState& s) { s.moments.back() *= 1.5; }},
      {"a variance", rule::arow_diagonal, KeepName::last, [](LearnerState& s) { s.moments[0] *= 1.5; }},
      {"the drift", rule::arow_diagonal, KeepName::last, [](LearnerState& s) { s.numbers[2] = 0; }},
      {"a sum of squares", rule::adagrad, KeepName::last, [](LearnerState& s) { s.moments[0] += 1; }},
      {"alma's corrections", rule::alma, KeepName::last, [](LearnerState& s) { s.numbers[2] = 0; }},
      {"the norm in the ball", rule::alma, KeepName::last, [](LearnerState& s) { s.numbers[1] = 0; }},
      {"the scale", rule::projected, KeepName::last, [](LearnerState& s) { s.numbers[0] *= 1.5; }},
      {"the mass of the mean", rule::projected, KeepName::average, [](LearnerState& s) { s.numbers[2] *= 2; }},
      {"what appeared", rule::winnow1, KeepName::last, [](LearnerState& s) { s.numbers[0] += 1; }},
      {"eg's total", rule::eg, KeepName::last, [](LearnerState& s) { s.numbers[1] *= 1 + 0x1p-40; }},
      {"an age", rule::multiclass, KeepName::vote,
       [](LearnerState& s) {
         if (s.votes.steps.empty() || s.votes.steps[0].age == 0) return;
         --s.votes.steps[0].age;
         ++s.votes.first_age;
       }},
      {"a class that moved", rule::multiclass, KeepName::vote,
       [](LearnerState& s) {
         if (!s.votes.steps.empty()) std::swap(s.votes.steps[0].moved.raised, s.votes.steps[0].moved.lowered);
       }},
  };
  for (const Case& c : cases) {
    Composition composition;
    composition.rule = c.rule;
    composition.keep = c.keep;
    Generator draws(11);
    BlockBuffer buffer = random_rows(draws, kRows, classes_for(composition), 1, takes_ones_only(composition));
    const Block block = buffer.finish();
    const RunEnd whole = uninterrupted(composition, block);
    std::size_t noticed = 0;
    for (std::size_t split = 0; split < 2 * kRows; ++split) {
      noticed += !(resumed_at(composition, block, split, false, c.forget) == whole);
    }
    EXPECT_GT(noticed, 0U) << c.what;
  }
}

}  // namespace
}  // namespace halfspace::testing
