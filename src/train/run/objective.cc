// The minimum of an objective: one vector of two classes, else each class against the rest.
#include "train/run/objective.h"

#include <algorithm>
#include <utility>

#include "base/parallel.h"
#include "halfspace/base/error.h"
#include "train/run/continued.h"

namespace halfspace {
namespace {

constexpr Name<MarginLoss> objectives[] = {
    {MarginLoss::hinge, "svm", "a support vector machine: the sum of hinge losses"},
    {MarginLoss::squared_hinge, "squared-hinge", "the sum of squared hinge losses"},
    {MarginLoss::logistic, "logistic", "logistic regression: the sum of logistic losses"}};

}  // namespace

std::span<const Name<MarginLoss>> objective_names() { return objectives; }

std::optional<MarginLoss> loss_of_objective(std::string_view name) {
  for (const Name<MarginLoss>& objective : objectives) {
    if (objective.name == name) return objective.value;
  }
  return std::nullopt;
}

std::string_view objective_name(MarginLoss loss) {
  for (const Name<MarginLoss>& objective : objectives) {
    if (objective.value == loss) return objective.name;
  }
  return {};
}

const ProvedMinimum& MinimumReached::widest() const {
  return *std::max_element(of_vector.begin(), of_vector.end(),
                           [](const ProvedMinimum& a, const ProvedMinimum& b) { return a.gap < b.gap; });
}

namespace training {
namespace {

std::vector<double> rows_of_classes(const Rows& rows, const RowCounts& counts, std::size_t classes) {
  std::vector<double> sums(classes, 0.0);
  for (std::size_t b = 0; b < rows.blocks(); ++b) {
    const Block block = rows.block(b);
    for (std::size_t i = 0; i < block.rows; ++i) sums[static_cast<std::size_t>(block.label[i])] += counts.of(block, i);
    rows.release(b);
  }
  return sums;
}

double weight_of(const Rows& rows) {
  double sum = 0;
  for (std::size_t b = 0; b < rows.blocks(); ++b) {
    const Block block = rows.block(b);
    for (std::size_t i = 0; i < block.rows; ++i) sum += block.weight == nullptr ? 1.0 : block.weight[i];
    rows.release(b);
  }
  return sum;
}

Stopped reason_to_stop(const MinimumReached& minimum) {
  Stopped stopped = Stopped::end;
  for (const ProvedMinimum& of : minimum.of_vector) {
    if (of.stopped == OptimumStop::interrupted) return Stopped::interrupted;
    if (of.stopped == OptimumStop::time) stopped = Stopped::time;
    if (of.stopped == OptimumStop::passes && stopped == Stopped::end) stopped = Stopped::passes;
  }
  return stopped;
}

void count_digits(MinimumReached& minimum, const ClassWeightVector& weights, bool biased) {
  const auto count = [&](double weight, std::size_t k) {
    const ProvedMinimum& of = minimum.of_vector[minimum.of_vector.size() > 1 ? k : 0];
    const auto digits = static_cast<std::size_t>(certain_digits(weight, of.radius));
    if (digits >= minimum.digits.size()) minimum.digits.resize(digits + 1, 0);
    ++minimum.digits[digits];
  };
  for (std::size_t i = 0; i < weights.w.size(); ++i) count(weights.w[i], i % weights.classes);
  for (std::size_t k = 0; biased && k < weights.classes; ++k) count(weights.bias[k], k);
}

void take_vector(const Optimum& found, std::size_t k, ClassWeightVector& weights, MinimumReached& minimum) {
  if (found.biases.size() > 1) {
    weights.w = found.weights;
    weights.bias = found.biases;
  } else {
    for (std::size_t j = 0; j < found.weights.size(); ++j) weights.w[j * weights.classes + k] = found.weights[j];
    weights.bias[k] = found.bias;
  }
  minimum.of_vector[k] = {found.primal, found.dual, found.relative_gap(), found.radius, found.passes, found.stopped};
}

// Brings a solution to another price. Of a hinge most dual variables are 0 or at the price, so all are scaled with it.
// Those of smooth losses stay, and with them the weights, which change little with the price.
void start_at(double cost, std::size_t vectors, MarginLoss loss, DualSolution& solution) {
  solution.of_vector.resize(vectors);
  if (loss == MarginLoss::hinge && solution.cost > 0) {
    const double ratio = cost / solution.cost;
    for (std::vector<double>& of : solution.of_vector) {
      for (double& a : of) a *= ratio;
    }
  }
  solution.cost = cost;
}

}  // namespace

OptimumOptions optimum_options(const Objective& objective, const Composition& composition, const Until& until) {
  const BiasOptions& bias = composition.bias;
  return {.loss = objective.loss,
          .cost = objective.cost,
          .bias = bias.position == Bias::none ? 0.0 : bias.scale,
          .penalize_bias = objective.penalize_bias,
          .gap = objective.gap,
          .passes = until.passes,
          .seed = composition.seed};
}

namespace {

void minimize_jointly(const Rows& rows, const OptimumOptions& options, ClassWeightVector& weights,
                      DualSolution* solution, MinimumReached& minimum) {
  minimum.of_vector.resize(1);
  Optimum found = minimize_softmax(rows, options, weights.classes, solution != nullptr ? &solution->jointly : nullptr);
  take_vector(found, 0, weights, minimum);
  if (minimum.objective.keep_dual_variables)
    minimum.of_vector[0].dual_variables = softmax_dual_variables(rows, options, found);
  if (solution != nullptr) solution->jointly = std::move(found);
}

// Each class takes a thread; what it does does not depend on that.
void minimize_each(const Rows& rows, const OptimumOptions& options, ClassWeightVector& weights, DualSolution* solution,
                   MinimumReached& minimum) {
  const std::size_t vectors = weights.classes;
  minimum.of_vector.resize(vectors);
  if (solution != nullptr) start_at(options.cost, vectors, options.loss, *solution);
  in_parallel(vectors, 1, [&](std::size_t k, std::size_t) {
    std::optional<OneThread> alone;
    if (vectors > 1) alone.emplace();
    OptimumOptions of_class = options;
    if (vectors > 1) of_class.positive = static_cast<std::int32_t>(k);
    if (solution != nullptr) of_class.start = solution->of_vector[k];
    Optimum found = minimize(rows, of_class);
    take_vector(found, k, weights, minimum);
    if (minimum.objective.keep_dual_variables) minimum.of_vector[k].dual_variables = found.dual_variables;
    if (solution != nullptr) solution->of_vector[k] = std::move(found.dual_variables);
  });
}

}  // namespace

MinimumReached minimize_objective(const Objective& objective, const OptimumOptions& options, const Rows& rows,
                                  const StandardColumns* columns, Learner& learner, DualSolution* solution) {
  const auto begin = Clock::now();
  MinimumReached minimum;
  minimum.objective = objective;
  minimum.cost = objective.cost;
  if (objective.l2) minimum.cost = 1 / (*objective.l2 * weight_of(rows));
  OptimumOptions priced = options;
  priced.cost = minimum.cost;
  LearnerState state = learner.save();
  state.weights.grow(rows.features());
  if (state.weights.classes > 1 && objective.jointly) {
    minimize_jointly(rows, priced, state.weights, solution, minimum);
  } else {
    minimize_each(rows, priced, state.weights, solution, minimum);
  }
  // Taking a centre back mixes the weights of all columns into the bias: nothing is proved of its digits.
  count_digits(minimum, state.weights, options.bias != 0 && options.penalize_bias && columns == nullptr);
  if (columns != nullptr) {
    columns->undo(state.weights, options.bias);
    minimum.largest_centre = columns->largest_centre();
  }
  learner.restore(state);
  minimum.seconds = seconds_since(begin);
  return minimum;
}

void take_minimum(std::span<const Optimum> found, bool biased, ClassWeightVector& weights, MinimumReached& minimum) {
  minimum.of_vector.resize(found.size());
  for (std::size_t k = 0; k < found.size(); ++k) take_vector(found[k], k, weights, minimum);
  count_digits(minimum, weights, biased && minimum.objective.penalize_bias);
}

void take_scores_as_odds(const Objective& objective, std::uint32_t vectors, Calibration& calibration) {
  if (objective.loss != MarginLoss::logistic || calibration.method != CalibrationMethod::none) return;
  if (objective.jointly && vectors > 1) {
    calibration.method = CalibrationMethod::softmax;
    return;
  }
  calibration.method = CalibrationMethod::platt;
  calibration.platt.assign(vectors, Platt{.a = -1, .b = 0});
}

void minimize_objective(Run& run, const Rows& rows) {
  const Objective& objective = *run.options.objective;
  OptimumOptions options = optimum_options(objective, run.model.composition, run.options.until);
  options.interrupt = run.options.interrupt;
  if (run.model.classes() <= 2) options.on_progress = run.options.on_minimizing;
  if (run.options.until.seconds) options.seconds = std::max(0.0, *run.options.until.seconds - seconds_since(run.began));
  if (objective.standard) {
    const StandardColumns columns(rows, run.model.schema, options.bias != 0);
    run.minimum =
        minimize_objective(objective, options, columns.applied(rows, packed(run.options)), &columns, *run.learner);
  } else {
    run.minimum = minimize_objective(objective, options, rows, nullptr, *run.learner);
  }
  run.minimum->rows_of_class = rows_of_classes(rows, run.counts, std::max(2U, run.model.classes()));
  run.ledger.stopped = reason_to_stop(*run.minimum);
  run.ledger.new_rows = NewRows::minimized;  // whatever else holds
  take_scores_as_odds(objective, run.learner->present().classes, run.model.calibration);
  run.learning += run.minimum->seconds;
  if (run.ledger.stopped == Stopped::interrupted || run.ledger.stopped == Stopped::time) return;
  const Composition own = run.model.composition;
  const std::unique_ptr<Learner> of_minimum = std::move(run.learner);
  run.model.composition = continued(own, objective, run.model.schema.labels);
  run.make();
  if (continue_from(of_minimum->result(), rows, run.model.composition, *run.learner)) return;
  run.model.composition = own;
  run.make();
  run.learner->restore(of_minimum->save());
}

}  // namespace training
}  // namespace halfspace
