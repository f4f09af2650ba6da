// Many passes: orders, stops and keepers, through the game.
#include <algorithm>
#include <bit>
#include <limits>

#include "checks.h"
#include "halfspace/detail/rules/alma.h"
#include "halfspace/game/game.h"
#include "halfspace/linear/keep.h"
#include "halfspace/linear/linear.h"
#include "halfspace/rules/margin_perceptron.h"
#include "halfspace/rules/perceptron.h"
#include "halfspace/rules/rule_entry.h"

namespace halfspace::testing {
namespace {

// A game over a case's rows, with what every check asks about it.
class Run {
 public:
  Run(const Json& input, Composition composition)
      : composition_(composition), rows_(rows_of(points_of(input))), learner_(make_learner(composition, 2)) {
    learner_->grow(dimension_of(input));
    learner_->moved = &moved;
    game.order = composition.order;
  }

  void play(std::vector<double> draws = {}) {
    RecordedDraws recorded(std::move(draws));
    halfspace::play(*learner_, rows_, game, recorded, ledger);
    all_draws_used = recorded.used_up();
  }

  std::vector<double> weights() const { return coordinates(learner_->present(), composition_.bias); }
  std::vector<double> result() const { return coordinates(learner_->result(), composition_.bias); }
  // Return the errors as the cases count them, every tie being one, and those of predictions.
  std::uint64_t errors_of(const ClassWeightVector& w) const { return count(w).first; }
  double wrong_of(const ClassWeightVector& w) const { return count(w).second; }
  Learner& learner() { return *learner_; }
  const Rows& rows() const { return rows_; }

  Game game;
  Ledger ledger;
  std::vector<std::uint32_t> moved;
  bool all_draws_used = false;

 private:
  std::pair<std::uint64_t, double> count(const ClassWeightVector& w) const {
    Composition plain = composition_;
    plain.keep = KeepName::last;
    const auto learner = make_learner(plain, 2);
    learner->grow(static_cast<std::uint32_t>(w.w.size()));
    LearnerState state = learner->save();
    state.weights = w;
    learner->restore(state);
    std::pair<std::uint64_t, double> found;
    for (std::size_t b = 0; b < rows_.blocks(); ++b)
      found.first += learner->find_updates(rows_.block(b), nullptr, found.second, false);
    return found;
  }

  Composition composition_;
  Rows rows_;
  std::unique_ptr<Learner> learner_;
};

Composition composition_of(const Json& input, OrderName order, KeepName keep = KeepName::last) {
  Composition composition;
  composition.order = order;
  composition.keep = keep;
  composition.tie = tie_of(input);
  composition.bias = bias_of(input);
  if (input.contains("b")) {
    composition.rule = rule::margin;
    composition.set(parameter::margin, number(input["b"]));
  }
  return composition;
}

void expect_weights_and_updates(const Run& run, const Json& golden) {
  const Json& expect = golden.at("expect");
  EXPECT_EQ(Json(run.moved), expect.at("updates"));
  EXPECT_EQ(run.ledger.updates, expect["updates"].size());
  EXPECT_EQ(difference(run.weights(), expect.at("w"), closeness_of(golden)), "");
  EXPECT_EQ(run.ledger.stopped == Stopped::clean, expect.at("converged").get<bool>());
}

// Draws that make shuffle() give this permutation: Fisher and Yates, followed backwards.
void draws_for(const std::vector<std::uint32_t>& wanted, std::vector<double>& draws) {
  std::vector<std::uint32_t> order(wanted.size());
  for (std::uint32_t i = 0; i < order.size(); ++i) order[i] = i;
  for (std::size_t i = order.size(); i > 1; --i) {
    const auto at = static_cast<std::size_t>(std::find(order.begin(), order.end(), wanted[i - 1]) - order.begin());
    draws.push_back((static_cast<double>(at) + 0.5) / static_cast<double>(i));
    std::swap(order[i - 1], order[at]);
  }
}

}  // namespace

void check_alma(const Json& golden) {
  const Json& input = golden["input"];
  Composition composition = composition_of(input, OrderName::cyclic);
  composition.rule = rule::alma;
  composition.set(parameter::alpha, number(input["alpha"]));
  Run run(input, composition);
  run.game.until.passes = input.at("epochs").get<std::uint64_t>();
  run.play();
  const Json& expect = golden.at("expect");
  EXPECT_EQ(Json(run.moved), expect.at("updates"));
  EXPECT_EQ(difference(run.weights(), expect.at("w"), closeness_of(golden)), "");
  EXPECT_EQ(run.learner().save().numbers.back() + 1, expect.at("k").get<double>());
}

void check_cyclic_to_clean_pass(const Json& golden) {
  const Json& input = golden["input"];
  Run run(input, composition_of(input, OrderName::cyclic));
  run.game.until = {Clean::pass, input.at("max_epochs").get<std::uint64_t>(), {}, {}};
  run.play();
  expect_weights_and_updates(run, golden);
  std::vector<std::uint64_t> per_pass;
  for (const PassRecord& pass : run.ledger.pass) per_pass.push_back(pass.updates);
  EXPECT_EQ(Json(per_pass), golden["expect"].at("per_epoch"));
  EXPECT_EQ(run.ledger.passes, per_pass.size());
}

void check_first_mistake(const Json& golden) {
  const Json& input = golden["input"];
  Run run(input, composition_of(input, OrderName::first_mistake));
  run.game.until = {Clean::pass, {}, input.at("max_updates").get<std::uint64_t>(), {}};
  run.play();
  expect_weights_and_updates(run, golden);
}

void check_cyclic_to_clean_cycle(const Json& golden) {
  const Json& input = golden["input"];
  Run run(input, composition_of(input, OrderName::cyclic));
  run.game.until = {Clean::cycle, {}, input.at("max_updates").get<std::uint64_t>(), {}};
  run.play();
  expect_weights_and_updates(run, golden);
  // At its budget the reference goes on looking, up to the mistake it may not learn from any more; we stop at once.
  std::uint64_t inspected = run.ledger.rounds;
  if (run.ledger.stopped != Stopped::clean) {
    double errors = 0;
    std::vector<std::uint32_t> would_move;
    run.learner().find_updates(run.rows().block(0), &would_move, errors, false);
    const auto is_clean = [&](std::uint64_t i) {
      return std::find(would_move.begin(), would_move.end(), i % run.rows().size()) == would_move.end();
    };
    while (is_clean(inspected++)) {
    }
  }
  EXPECT_EQ(inspected, golden["expect"].at("inspected").get<std::uint64_t>());
}

void check_permutations(const Json& golden) {
  const Json& input = golden["input"];
  std::vector<double> draws;
  for (const Json& permutation : input.at("perms")) draws_for(permutation.get<std::vector<std::uint32_t>>(), draws);
  Run run(input, composition_of(input, OrderName::shuffled));
  run.game.until = {Clean::pass, input["perms"].size(), {}, {}};
  std::vector<std::uint64_t> errors;
  run.game.on_pause = [&](const Ledger& ledger) {
    if (ledger.passes > errors.size()) errors.push_back(run.errors_of(run.learner().present()));
  };
  run.play(draws);
  if (run.ledger.passes > errors.size()) errors.push_back(run.errors_of(run.learner().present()));
  expect_weights_and_updates(run, golden);
  EXPECT_EQ(Json(errors), golden["expect"].at("errors_after_epoch"));
}

// The cases count every tie as an error. A pocket counts what its weights would predict, so that ours is compared with the
// fewest errors of predictions among the case's own weights.
void check_pocket_ratchet(const Json& golden) {
  const Json& input = golden["input"];
  const Json& trace = golden["expect"].at("trace");
  const Closeness closeness = closeness_of(golden);
  Run run(input, composition_of(input, OrderName::random_mistake, KeepName::pocket));
  run.game.until = {Clean::pass, {}, input.at("draws").size(), {}};
  double pocket_errors = std::numeric_limits<double>::infinity(), fewest = pocket_errors;
  std::size_t seen = 0;
  run.game.on_pause = [&](const Ledger& ledger) {
    const auto now = std::bit_cast<double>(run.learner().save().kept_counts.at(2));
    pocket_errors = now;
    fewest = std::min(fewest, run.wrong_of(run.learner().present()));
    EXPECT_EQ(now, fewest);
    EXPECT_EQ(now, run.wrong_of(run.learner().result()));
    if (ledger.updates == 0) return;
    ASSERT_LT(seen, trace.size());
    const Json& step = trace[seen++];
    EXPECT_EQ(run.moved.back(), step.at("pick").get<std::uint32_t>()) << "step " << seen;
    EXPECT_EQ(difference(run.weights(), step.at("w"), closeness), "") << "step " << seen;
    EXPECT_EQ(run.errors_of(run.learner().present()), step.at("errors").get<std::uint64_t>()) << "step " << seen;
    EXPECT_LE(now, step.at("pocket_errors").get<double>()) << "step " << seen;
  };
  run.play(numbers(input["draws"]));
  EXPECT_EQ(seen, trace.size());
  EXPECT_TRUE(run.all_draws_used);
  EXPECT_EQ(difference(run.weights(), golden["expect"].at("w"), closeness), "");
  EXPECT_LE(pocket_errors, golden["expect"].at("pocket_errors").get<double>());
}

void check_pocket_run_length(const Json& golden) {
  const Json& input = golden["input"];
  const Json& trace = golden["expect"].at("trace");
  const Closeness closeness = closeness_of(golden);
  const Composition composition = composition_of(input, OrderName::random, KeepName::pocket);
  Run run(input, composition);
  run.game.until = {Clean::no, input.at("draws").size() / run.rows().size(), {}, {}};
  std::vector<double> pocket(run.weights().size(), 0.0);
  std::size_t seen = 0;
  int length = 0;
  run.learner().observer = [&](const RoundView& view) {
    ASSERT_LT(seen, trace.size());
    const Json& step = trace[seen++];
    EXPECT_EQ(view.row - 1, step.at("i").get<std::uint64_t>()) << "draw " << seen;
    length = view.outcome.mistake ? 0 : length + 1;
    EXPECT_EQ(length, step.at("run").get<int>()) << "draw " << seen;
    EXPECT_EQ(difference(run.weights(), step.at("w"), closeness), "") << "draw " << seen;
    if (step.at("replaced") == 1) pocket = run.weights();
    // What would be handed out if the run ended here (the round in progress counts once it is over).
    const auto ended = make_learner(composition, 2);
    ended->grow(dimension_of(input));
    LearnerState state = run.learner().save();
    ended->restore(state);
    ended->finish();
    EXPECT_EQ(coordinates(ended->result(), composition.bias), pocket) << "draw " << seen;
  };
  run.play(numbers(input["draws"]));
  EXPECT_EQ(seen, trace.size());
  EXPECT_EQ(difference(run.result(), golden["expect"].at("pocket"), closeness), "");
  EXPECT_EQ(run.learner().save().kept_counts.at(3), golden["expect"].at("best_run").get<std::uint64_t>());
  EXPECT_EQ(run.errors_of(run.learner().result()), golden["expect"].at("pocket_errors").get<std::uint64_t>());
}

void check_averaged(const Json& golden) {
  const Json& input = golden["input"];
  const Composition composition = composition_of(input, OrderName::cyclic, KeepName::average);
  Run run(input, composition);
  run.game.until = {Clean::no, input.at("epochs").get<std::uint64_t>(), {}, {}};
  run.play();
  const Closeness exactly{Closeness::Kind::exact};
  EXPECT_EQ(difference(run.weights(), golden["expect"].at("w"), exactly), "");
  EXPECT_EQ(difference(run.result(), golden["expect"].at("avg"), closeness_of(golden)), "");
  EXPECT_EQ(run.ledger.mistakes, golden["expect"].at("mistakes").get<std::uint64_t>());
  EXPECT_EQ(run.ledger.rounds, golden["expect"].at("rounds").get<std::uint64_t>());

  Linear<Perceptron> learner(Perceptron{composition.tie}, Weights(composition.bias), KeepName::average);
  learner.grow(dimension_of(input));
  for (std::uint64_t epoch = 0; epoch < input.at("epochs"); ++epoch) {
    for (std::uint64_t i = 0; i < run.rows().size(); ++i) {
      run.rows().with_row(i, [&](const auto& x) { learner.round(x); });
    }
  }
  EXPECT_EQ(coordinates(learner.result(), composition.bias), run.result());
}

void check_voted(const Json& golden) {
  const Json& input = golden["input"];
  const Composition composition = composition_of(input, OrderName::cyclic, KeepName::vote);
  Run run(input, composition);
  run.game.until = {Clean::no, input.at("epochs").get<std::uint64_t>(), {}, {}};
  run.play();
  const VoteHistory history = run.learner().save().votes;
  Weights weights(composition.bias);
  weights.grow(dimension_of(input));
  std::vector<WeightVector> vectors{weights.point()};
  std::vector<std::uint64_t> ages{history.first_age};
  for (std::size_t k = 0; k < history.steps.size(); ++k) {
    weights.add(history.steps[k].amount, history.row(k));
    vectors.push_back(weights.point());
    ages.push_back(history.steps[k].age);
  }
  EXPECT_EQ(weights.point().w, run.learner().present().w);
  const Json& expect = golden.at("expect");
  EXPECT_EQ(Json(ages), expect.at("counts"));
  ASSERT_EQ(vectors.size(), expect.at("vectors").size());
  for (std::size_t k = 0; k < vectors.size(); ++k) {
    EXPECT_EQ(difference(coordinates(vectors[k], composition.bias), expect["vectors"][k], closeness_of(golden)), "")
        << k;
  }
  const StoredPoints test(
      [&] {
        Points points;
        for (const Json& x : input.at("test")) points.push_back({numbers(x), 0, 1.0});
        return points;
      }(),
      ValueType::float64, true);
  for (std::size_t i = 0; i < test.block().rows; ++i) {
    std::int64_t vote = 0;
    for (std::size_t k = 0; k < vectors.size(); ++k) {
      const double s = score(vectors[k], composition.bias, test.block().example<double, true>(i));
      vote += static_cast<std::int64_t>(ages[k]) * (predicts_positive(Tie::positive, s) ? 1 : -1);
    }
    EXPECT_EQ(vote, expect.at("votes")[i].at("vote").get<std::int64_t>()) << i;
    EXPECT_EQ(predicts_positive(Tie::positive, static_cast<double>(vote)) ? 1 : -1,
              expect["votes"][i].at("pred").get<int>())
        << i;
  }
}

}  // namespace halfspace::testing
