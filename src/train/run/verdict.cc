// Computes the results at the end of a run.
#include "train/run/verdict.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <span>
#include <string>
#include <utility>

#include "base/number_words.h"
#include "halfspace/base/error.h"
#include "halfspace/bounds/formulas.h"
#include "train/run/second_reading.h"

namespace halfspace::training {
namespace {

// Returns |w|, computed on a multiple by a power of two, so that no square overflows or underflows.
double norm_of(const ClassWeightVector& w, bool biased) {
  double largest = 0;
  const auto each = [&](const auto& f) {
    for (const double value : w.w) f(value);
    if (!biased) return;
    for (const double value : w.bias) f(value);
  };
  each([&](double value) { largest = std::max(largest, std::abs(value)); });
  if (largest == 0 || !std::isfinite(largest)) return largest;
  const int exponent =
      std::clamp(std::ilogb(largest), -1000, 1000);  // its power of two is a double, and so is 1 over it
  const double scale = std::ldexp(1.0, -exponent);
  double squares = 0;
  each([&](double value) { squares += value * scale * (value * scale); });
  return std::ldexp(std::sqrt(squares), exponent);
}

// Rejects a mean, or weights of the last round, that overflowed without having been used in a score.
void refuse_what_is_no_number(const ClassWeightVector& w) {
  const auto number = [](double value) { return std::isfinite(value); };
  if (std::all_of(w.w.begin(), w.w.end(), number) && std::all_of(w.bias.begin(), w.bias.end(), number)) return;
  throw Error(ErrorKind::data, "the weights left the range of doubles")
      .fix("scale the data: " + option("normalize", "row") + ", or " + option("normalize", "column"));
}

// Rejects other learner state that overflowed, where rows weigh much: no model could store it.
void refuse_what_no_model_holds(const LearnerState& state, const StateShape& shape) {
  const auto fits = [&](double moment) {
    return std::isfinite(moment) && (moment >= 0 || !shape.moments_not_negative);
  };
  bool all = std::all_of(state.moments.begin(), state.moments.end(), fits);
  for (std::size_t k = 0; k < state.numbers.size() && k < shape.numbers.size(); ++k)
    all = all && shape.numbers[k].domain.problem(state.numbers[k]).empty();
  if (all) return;
  throw Error(ErrorKind::data, "the learner's state left the range of doubles")
      .fix("scale the data, or the weights of the rows");
}

bool has_weights(const Rows& rows) {
  for (std::size_t b = 0; b < rows.blocks(); ++b) {
    const bool weighted = rows.block(b).weight != nullptr;
    rows.release(b);
    if (weighted) return true;
  }
  return false;
}

// Calls use(scores, label, how many rows it counts as) for each held-out row.
template <class Use>
void score_held_out(const Run& run, const KeptRows& kept, const Use& use) {
  Predictor predictor(run.model);
  const RowCounts counts(run.model.class_weights, run.model.schema.labels);
  std::vector<std::int32_t> classes;
  std::vector<double> scores;
  for (std::size_t b = 0; b < kept.held.blocks(); ++b) {
    const Block block = kept.held.block(b);
    const std::uint32_t vectors = predictor.score_all(block, classes, scores);
    for (std::size_t i = 0; i < block.rows; ++i)
      use(std::span<const double>(scores).subspan(i * vectors, vectors), block.label[i], counts.of(block, i));
    kept.held.release(b);
  }
}

void calibrate_on_held_out(Run& run, const KeptRows& kept) {
  Model& model = run.model;
  std::vector<std::int32_t> labels;
  std::vector<double> scores, count;
  std::uint32_t vectors = 1;
  score_held_out(run, kept, [&](std::span<const double> of_row, std::int32_t label, double rows) {
    vectors = static_cast<std::uint32_t>(of_row.size());
    count.push_back(rows);
    scores.insert(scores.end(), of_row.begin(), of_row.end());
    labels.push_back(label);
  });
  try {
    model.calibration = calibrate(model.calibration.method, vectors, scores, labels, model.schema.labels.names, count);
  } catch (const Error&) {
    // An early interrupt may leave too few rows to calibrate on: the resumed run will have them.
    if (model.ledger.stopped != Stopped::interrupted) throw;
  }
}

void place_threshold(Run& run, const KeptRows& kept, std::string& threshold_by) {
  Model& model = run.model;
  const ThresholdChoice& asked = *run.options.threshold;
  try {
    check_two_classes(model.classes());
    threshold_by = asked.probability ? "probability" : std::string(name_of(run.options.metric));
    if (asked.score) {
      model.threshold = asked.score;
    } else if (asked.probability) {
      model.threshold = threshold_at(probability_curves(model), *asked.probability);
    } else {
      std::vector<std::int32_t> labels;
      std::vector<double> scores, count;
      score_held_out(run, kept, [&](std::span<const double> of_row, std::int32_t label, double rows) {
        count.push_back(rows);
        scores.push_back(of_row[0]);
        labels.push_back(label);
      });
      model.threshold = threshold_of(scores, labels, run.options.metric, run.options.metric_options,
                                     model.schema.labels.names, count);
    }
  } catch (const Error&) {
    // An early interrupt may leave too few rows.
    if (model.ledger.stopped != Stopped::interrupted) throw;
    threshold_by.clear();
  }
}

// Rows held out of a file that was read before may have been trained on then: their numbers go on.
void keep_conformal_scores(Run& run, const KeptRows& kept) {
  Model& model = run.model;
  if (run.reads_again) {
    model.conformal.reset();
    if (!run.options.read.on_note) return;
    run.options.read.on_note(
        {"the model has read these data before, so the held-out rows do not prove prediction sets: "
         "their scores are dropped",
         "train a new model with " + option("conformal")});
    return;
  }
  std::vector<std::vector<double>> of_class(std::max(2U, model.classes()));
  constexpr double most_scores = 0x1p27;  // in memory at once
  double all = 0;
  score_held_out(run, kept, [&](std::span<const double> scores, std::int32_t label, double rows) {
    const auto truth = static_cast<std::size_t>(label);
    all += counts_rows(rows) ? rows : std::numeric_limits<double>::infinity();
    if (all > most_scores) return;
    of_class[truth].insert(of_class[truth].end(), static_cast<std::size_t>(rows), nonconformity(scores, truth));
  });
  if (all > most_scores)
    throw Error(ErrorKind::usage, option("conformal") + " counts rows, and their weights are " +
                                      (std::isinf(all) ? "not whole numbers" : "more than 2^27"))
        .fix("leave out the weights, or " + option("conformal"));
  model.conformal = conformal_scores(std::move(of_class));
}

// The run's own mistakes are those at a score of 0.
void find_expected_error_at_threshold(const Run& run, double confidence, TrainResult& result) {
  if (!result.holdout || result.holdout->rows == 0) {
    result.why_no_expected_error = "the threshold came after the run: hold out rows, or evaluate the model on others";
    return;
  }
  if (!result.holdout->whole) {
    result.why_no_expected_error = weights_count_no_rows;
    return;
  }
  const auto rows = static_cast<std::uint64_t>(result.holdout->rows);
  const auto errors = static_cast<std::uint64_t>(result.holdout->errors);
  const Calibration& curves = run.model.calibration;
  if (run.options.threshold->by_metric()) {
    result.expected_error = expected_error_of_threshold(rows, errors, confidence);
    if (!result.expected_error) result.why_no_expected_error = "too few rows are held out";
  } else if (run.options.threshold->score || curves.by_folds || curves.method == CalibrationMethod::none) {
    result.expected_error = expected_error_of_held_out(rows, errors, confidence);
  } else {
    result.why_no_expected_error =
        "the held-out rows fitted the probabilities that placed the threshold: evaluate the model on others";
  }
}

void find_expected_error(const Run& run, TrainResult& result) {
  const double confidence = run.options.confidence;
  if (run.model.threshold) return find_expected_error_at_threshold(run, confidence, result);
  if (result.holdout && !result.holdout->whole) {
    result.why_no_expected_error = weights_count_no_rows;
    return;
  }
  if (result.holdout) {
    result.expected_error = expected_error_of_held_out(static_cast<std::uint64_t>(result.holdout->rows),
                                                       static_cast<std::uint64_t>(result.holdout->errors), confidence);
  }
  if (!result.expected_error) result.expected_error = expected_error(run.model.ledger, confidence);
  if (!result.expected_error) result.why_no_expected_error = why_no_expected_error(run.model.ledger);
}

// Returns how often each kept row was visited.
Visits visits_of(const Model& model, const KeptRows& kept) {
  const Ledger& ledger = model.ledger;
  switch (model.composition.order) {
    case OrderName::stream:
      return [](std::uint64_t) { return 1.0; };
    case OrderName::cyclic: {
      const std::uint64_t partial = ledger.pass.back().rounds, finished = ledger.passes;
      const bool broken_off = ledger.begun_passes() > finished && partial <= kept.rows.size();
      return [=](std::uint64_t i) { return static_cast<double>(finished) + (broken_off && i < partial ? 1.0 : 0.0); };
    }
    case OrderName::shuffled:
    case OrderName::random:
    case OrderName::first_mistake:
    case OrderName::random_mistake:
      break;
  }
  return [&visits = kept.visits](std::uint64_t i) { return i < visits.size() ? static_cast<double>(visits[i]) : 0.0; };
}

// A bound above the mistakes of a guess at every round is not worth another reading.
double mistakes_of_guessing(const Run& run) {
  return (1 - 1.0 / std::max(2U, run.model.classes())) * static_cast<double>(run.ledger.rounds);
}

// Returns how many rounds after the first of these a row of a sample stands for.
double rounds_of_each(const Ledger& all, const Ledger& before, const Rows& sample) {
  return static_cast<double>(all.rounds - before.rounds) / static_cast<double>(sample.size());
}

// A separator's own theorem comes first.
bool shown_before(const MistakeBound& a, const MistakeBound& b) {
  return (a.margin > 0) != (b.margin > 0) ? a.margin > 0 : a.value < b.value;
}

// Returns the best bound from the margins of each of the weights, on rows of which each stands for so many.
std::optional<MistakeBound> best_bound(const Composition& composition, RunForBound run,
                                       const std::vector<Comparator>& weights,
                                       const std::vector<MarginBuckets::Counted>& all, double each,
                                       std::string& asked) {
  std::optional<MistakeBound> best;
  for (std::size_t k = 0; k < all.size(); ++k) {
    run.rows = &all[k].rows;
    run.visits = [&](std::uint64_t i) { return all[k].times[i] * each; };
    Comparator weight = weights[k];
    weight.evaluated = &all[k].evaluated;
    const auto found = bound_of_run(composition, run, {weight}, &asked);
    if (found && (!best || shown_before(*found, *best))) best = found;
  }
  return best;
}

}  // namespace

TrainResult Verdict::conclude() {
  Model& model = run_.model;
  kept_.held.seal();
  model.weights = run_.learner->result();
  refuse_what_is_no_number(model.weights);
  if (kept_.standard) {
    learned_ = model.weights;
    kept_.standard->undo(model.weights, model.composition.bias.scale);
    refuse_what_is_no_number(model.weights);
  }
  model.learner = run_.learner->save();
  refuse_what_no_model_holds(model.learner, run_.learner->state_shape());
  model.position.generator = run_.generator.state();
  model.ledger = run_.ledger;
  result_.report = run_.report;
  result_.learned_rows = kept_.learned;
  guard_weights();
  if (run_.rule().support_vectors) {
    function_ = expansion_of(model);
    evaluated_ = evaluate_margins(kept_.rows, *function_, model.composition.tie, &predicted_);
  }
  if (model.calibration.method != CalibrationMethod::none && !model.calibration.fitted())
    calibrate_on_held_out(run_, kept_);
  if (run_.options.threshold) place_threshold(run_, kept_, result_.threshold_by);
  find_norm();
  find_least_loss();
  const bool any = kept_.visits_known && kept_.rows.size() > 0;
  if (kept_.whole && any) evaluate_training();
  if (any && !kept_.unbounded && !run_.minimum) result_.bound = bound();
  if (can_be_read_again()) result_.bound = bound_from_second_reading();
  if (!result_.bound) result_.why_no_bound = why_no_bound();
  result_.regret = run_.learner->regret();
  find_ceiling();
  if (model.holdout > 0) evaluate_held_out();
  find_expected_error(run_, result_);
  result_.followed = run_.learner->followed();
  if (run_.options.record) finish_recording();
  if (model.conformal) keep_conformal_scores(run_, kept_);
  result_.sets = run_.sets;
  result_.minimum = std::move(run_.minimum);
  result_.seconds = {seconds_since(run_.began), run_.reading, run_.learning};
  result_.model = std::move(model);
  return std::move(result_);
}

void Verdict::guard_weights() {
  if (!kept_.guard) return;
  std::optional<Guard::Better> better = kept_.guard->better(run_.model, *run_.learner);
  if (!better) return;
  run_.model.weights = std::move(better->weights);
  refuse_what_is_no_number(run_.model.weights);
  result_.guarded = better->report;
}

void Verdict::find_norm() {
  result_.weight_norm = function_ ? std::sqrt(evaluated_->evaluation.squared_norm)
                                  : norm_of(learned(), run_.model.composition.bias.position != Bias::none);
}

void Verdict::find_least_loss() {
  const std::optional<LossSums>& sums = run_.ledger.losses;
  if (!sums) return;
  const Composition& c = run_.model.composition;
  const auto price = [&](const char* parameter) {
    const ParameterUse* const use = find_use(c.rule, parameter);
    return use == nullptr ? 0.0 : c.value(*use->parameter);
  };
  const std::optional<double> norm = run_.options.least_loss_norm;
  result_.least_loss =
      least_loss(*sums, norm.value_or(rounded_up_norm(result_.weight_norm)), {price("l1"), price("l2")});
  result_.least_loss->norm_of_weights = !norm;
}

void Verdict::evaluate_training() {
  const Model& model = run_.model;
  const Composition& c = model.composition;
  if (c.keep == KeepName::vote) {
    count_training_errors(predict(given()));
    return;
  }
  if (!function_) {
    evaluated_ = evaluate_margins(kept_.rows, learned(), c.bias, c.tie, run_.options.record ? &predicted_ : nullptr);
  }
  if (run_.options.record) {
    run_.recorder.recording.training =
        record_rows(kept_.rows, *evaluated_, predicted_, std::max(2U, model.classes()), false);
  }
  result_.evaluation = evaluated_->evaluation;
  // Margins of one vector a class are summed in another order than scores, so that a near tie may differ.
  if (model.threshold || model.weights.classes > 1 || has_weights(kept_.rows) || learned_) {
    count_training_errors(predict(given()));
  } else {
    result_.training_errors = static_cast<double>(evaluated_->evaluation.errors);
    result_.training_rows = static_cast<double>(kept_.rows.size());
  }
}

void Verdict::count_training_errors(const ConfusionTable& confusion) {
  result_.training_errors = confusion.errors();
  result_.training_rows = confusion.rows();
}

void Verdict::evaluate_held_out() {
  const ConfusionTable confusion = predict(kept_.held);
  result_.holdout = Holdout{confusion.rows(), confusion.errors(), confusion.counts(), confusion.counts_rows()};
}

ConfusionTable Verdict::predict(const Rows& rows) const {
  ConfusionTable confusion(std::max(2U, run_.model.classes()));  // a lone class still has its opposite
  Predictor predictor(run_.model);
  const RowCounts counts = this->counts();
  std::vector<std::int32_t> classes;
  std::vector<double> scores;
  for (std::size_t b = 0; b < rows.blocks(); ++b) {
    const Block block = rows.block(b);
    predictor.predict(block, classes, scores);
    for (std::size_t i = 0; i < block.rows; ++i) confusion.add(block.label[i], classes[i], counts.of(block, i));
    rows.release(b);
  }
  return confusion;
}

RunForBound Verdict::facts(const std::optional<Beginning>& beginning, ClassWeightVector& small) const {
  const Model& model = run_.model;
  const Composition& c = model.composition;
  RunForBound run;
  run.ledger = &model.ledger;
  run.bias = c.bias;
  run.tie = c.tie;
  run.dimension = model.schema.features + (c.bias.position == Bias::none ? 0 : 1);
  run.state = &model.learner;
  run.only_mistakes = plays_mistakes_only(c.order);
  // Rounds before a resumption over the same rows are known for cyclic runs only.
  const bool begins_later = beginning && c.order != OrderName::cyclic;
  if (function_) {
    run.resumed = begins_later;
  } else if (begins_later) {
    run.begin_at(*beginning);
  } else if (c.start.small) {
    small = run_.learner->present();
    for (std::size_t i = 0; i < small.w.size(); ++i) small.w[i] = c.start.weight(i);
    std::fill(small.bias.begin(), small.bias.end(), 0.0);
    run.start = &small;
  }
  return run;
}

std::vector<Comparator> Verdict::comparators() const {
  const KeepName keep = run_.model.composition.keep;
  const EvaluatedMargins* evaluated = evaluated_ ? &*evaluated_ : nullptr;
  if (function_) return {Comparator(std::string(name_of(keep)), {}, evaluated)};
  std::vector<Comparator> list;
  if (keep != KeepName::vote) list.push_back(Comparator::borrowed(std::string(name_of(keep)), learned(), evaluated));
  if (keep != KeepName::last) list.emplace_back("last", run_.learner->present());
  return list;
}

std::optional<MistakeBound> Verdict::bound() {
  ClassWeightVector small;
  RunForBound run = facts(run_.beginning, small);
  run.rows = &kept_.rows;
  run.whole = kept_.whole;
  run.visits = visits_of(run_.model, kept_);
  std::vector<bool> stepped;
  if (run_.model.composition.order == OrderName::stream && kept_.whole) {
    stepped.resize(kept_.rows.size());
    for (const std::uint64_t i : kept_.moved) stepped[i] = true;
    run.steps = [&](std::uint64_t i) { return stepped[i] ? 1.0 : 0.0; };
  }
  return bound_of_run(run_.model.composition, run, comparators(), &asked_);
}

// Returns whether to read the file again, for a stream too long to keep: what its bound says so far is seldom much.
bool Verdict::can_be_read_again() const {
  const Ledger& ledger = run_.ledger;
  return run_.model.composition.order == OrderName::stream && !kept_.whole && run_.bounded_by_margins() &&
         ledger.stopped != Stopped::interrupted && ledger.stopped != Stopped::time &&
         bounds_can_tell(ledger.largest_squared_norm) &&
         (!result_.bound || whole_mistakes(result_.bound->value) >= ledger.rounds);
}

std::optional<MistakeBound> Verdict::bound_from_second_reading() {
  const std::vector<Comparator> weights = comparators();
  ClassWeightVector small;
  RunForBound run = facts(kept_.segmented ? kept_.beginning : run_.beginning, small);
  const auto bound = [&](const auto& all, double each) {
    return best_bound(run_.model.composition, run, weights, all, each, asked_);
  };
  if (kept_.sample) {
    const Rows& sample = kept_.sample->rows();
    const auto estimate = bound(count_margins(run_, sample, weights), rounds_of_each(run_.ledger, run.before, sample));
    tells_little_ = estimate && estimate->value > mistakes_of_guessing(run_);
    if (!estimate || tells_little_) return result_.bound;
  }
  std::optional<MistakeBound> found;
  try {
    found = bound(read_again(run_, kept_.taken, weights), 1);
  } catch (const Error&) {  // the file is gone or has changed: keeps what was learned from it
  }
  return !found || (result_.bound && !shown_before(*found, *result_.bound)) ? result_.bound : found;
}

std::string Verdict::why_no_bound() const {
  const RuleEntry& entry = run_.rule();
  if (run_.minimum) return "the weights are those of a minimum, and made no mistakes on the way";
  if (entry.bounds == nullptr) return "no theorem about this rule bounds its mistakes";
  if (run_.model.composition.by_learners_of_two())
    return "its theorem is about each learner of two classes, and not about all of them";
  if (!bounds_can_tell(run_.ledger.largest_squared_norm))
    return "squares of the values overflow or underflow: multiply the values by a power of ten";
  if (result_.weight_norm == 0) return "the weights are 0, and bound nothing";
  if (tells_little_)
    return "a sample of the rows promises none below the " +
           grouped(static_cast<std::uint64_t>(mistakes_of_guessing(run_))) + " mistakes of guessing";
  if (!asked_.empty()) return "the theorem asks for " + asked_;
  constexpr char too_many[] = "too many rows changed the weights to keep them";
  if (kept_.unbounded) return std::string(too_many) + (run_.rewindable() ? "" : ", and a pipe cannot be read again");
  if (!kept_.visits_known) return "how often each row was visited is unknown";
  if (!entry.bounds_ask.empty()) return "the theorem asks for " + std::string(entry.bounds_ask);
  return "the theorem gives none for this run";  // of a program's own rule, without words
}

// Computes a by-product of every perceptron run from 0.
void Verdict::find_ceiling() {
  const Composition& c = run_.model.composition;
  const Ledger& ledger = run_.model.ledger;
  if (!run_.rule().ceiling_of_margins || c.by_learners_of_two() || c.start.small || ledger.updates == 0) return;
  const bool biased = c.bias.position != Bias::none;
  const bool last_returned = c.keep == KeepName::last && !result_.guarded;
  const double ceiling =
      margin_ceiling({.norm = last_returned ? result_.weight_norm : norm_of(run_.learner->present(), biased),
                      .steps = ledger.update_steps,
                      .squares = ledger.update_squares,
                      .radius_squared = ledger.largest_squared_norm,
                      .updates = ledger.updates,
                      .longest_row = ledger.largest_row,
                      .dimension = run_.learner->weight_count() + (biased ? 1 : 0)});
  if (std::isfinite(ceiling)) result_.margin_ceiling = ceiling;
}

void Verdict::finish_recording() {
  Recorder& recorder = run_.recorder;
  const Model& model = run_.model;
  const Composition& c = model.composition;
  recorder.finish(*run_.learner, model.ledger);
  if (model.holdout > 0 && kept_.held.size() > 0 && c.keep != KeepName::vote) {
    std::vector<std::int32_t> predicted;
    const EvaluatedMargins evaluated = function_
                                           ? evaluate_margins(kept_.held, *function_, c.tie, &predicted)
                                           : evaluate_margins(kept_.held, model.weights, c.bias, c.tie, &predicted);
    recorder.recording.holdout = record_rows(kept_.held, evaluated, predicted, std::max(2U, model.classes()), true);
  }
  // The comparator of Novikoff's theorem separates the training rows: from zero weights, every step goes its way.
  const std::optional<MistakeBound>& found = result_.bound;
  if (found && found->theorem.starts_with("novikoff") && !function_ && !c.start.small && !run_.beginning) {
    recorder.project(found->comparator == "last" ? run_.learner->present() : learned(), c.bias.position != Bias::none,
                     found->comparator, found->margin);
  }
  for (WeightMoment& moment : recorder.recording.weights) moment.weights = {};
  result_.recording = std::move(recorder.recording);
}

}  // namespace halfspace::training
