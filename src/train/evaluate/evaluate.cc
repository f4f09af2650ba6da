// Sums over predicted rows, and the figures computed from them.
#include "halfspace/train/evaluate.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "halfspace/base/error.h"
#include "halfspace/detail/base/elementary.h"
#include "train/metrics/row_counts.h"

namespace halfspace {

double ConfusionTable::rows() const { return std::accumulate(counts_.begin(), counts_.end(), 0.0); }

double ConfusionTable::rows_of(std::size_t truth) const {
  double sum = 0;
  for (std::size_t k = 0; k < classes_; ++k) sum += at(truth, k);
  return sum;
}

double ConfusionTable::right() const {
  double sum = 0;
  for (std::size_t k = 0; k < classes_; ++k) sum += at(k, k);
  return sum;
}

// Not the difference of rows() and right(), which rounds: no error is exactly 0.
double ConfusionTable::errors() const {
  double sum = 0;
  for (std::size_t truth = 0; truth < classes_; ++truth) {
    for (std::size_t k = 0; k < classes_; ++k) sum += truth == k ? 0 : at(truth, k);
  }
  return sum;
}

double ConfusionTable::most_frequent() const {
  double most = 0;
  for (std::size_t k = 0; k < classes_; ++k) most = std::max(most, rows_of(k));
  return most;
}

double ConfusionTable::accuracy() const { return right() / rows(); }

std::optional<RocCurve> roc_curve(std::vector<ScoredRow> rows, double spacing) {
  RocCurve curve;
  for (const ScoredRow& row : rows) ++(row.positive ? curve.positives : curve.negatives);
  if (curve.positives == 0 || curve.negatives == 0) return std::nullopt;
  const auto positives = static_cast<double>(curve.positives), negatives = static_cast<double>(curve.negatives);
  std::sort(rows.begin(), rows.end(), [](const ScoredRow& a, const ScoredRow& b) { return a.score > b.score; });
  curve.false_positive = {0};
  curve.true_positive = {0};
  double x = 0, y = 0;  // passed so far
  for (std::size_t i = 0; i < rows.size();) {
    const double score = rows[i].score, y_before = y, x_before = x;
    for (; i < rows.size() && rows[i].score == score; ++i) (rows[i].positive ? y : x) += 1;
    curve.area += (x - x_before) * (y + y_before) / 2;
    const double far =
        std::abs(x / negatives - curve.false_positive.back()) + std::abs(y / positives - curve.true_positive.back());
    if (i < rows.size() && far < spacing) continue;
    curve.false_positive.push_back(x / negatives);
    curve.true_positive.push_back(y / positives);
  }
  curve.area /= positives * negatives;
  return curve;
}

void Reliability::add(std::span<const double> p, std::int32_t label, double weight) {
  if (weight == 0) return;
  const auto truth = static_cast<std::size_t>(label);
  rows_ += weight;
  rows_of_[truth] += weight;
  impossible_ += p[truth] == 0 ? weight : 0;
  log_loss_ -= weight * elementary::log(p[truth]);
  if (classes_ == 2) {
    brier_ += weight * p[1 - truth] * p[1 - truth];
  } else {
    for (std::size_t k = 0; k < classes_; ++k) brier_ += weight * (p[k] - (k == truth)) * (p[k] - (k == truth));
  }
  const std::size_t likeliest =
      classes_ == 2 ? 1 : static_cast<std::size_t>(std::max_element(p.begin(), p.end()) - p.begin());
  Bin& bin = bins_[std::min(bin_count - 1, static_cast<std::size_t>(p[likeliest] * bin_count))];
  bin.rows += weight;
  bin.happened += likeliest == truth ? weight : 0;
  bin.sum += weight * p[likeliest];
}

double Reliability::constant_brier() const {
  double squares = 0;
  for (const double rows : rows_of_) {
    const double share = rows / rows_;
    squares += share * share;
  }
  return (1 - squares) / (classes_ == 2 ? 2 : 1);
}

double Reliability::calibration_error() const {
  double sum = 0;
  for (const Bin& bin : bins_) sum += std::abs(bin.sum - bin.happened);
  return sum / rows_;
}

Evaluator::Evaluator(const Model& model, double sets, bool each_class)
    : model_(model),
      curves_(probability_curves(model)),
      predictor_(model),
      confusion_(std::max<std::size_t>(2, model.classes())),
      rows_(confusion_.classes()) {
  if (curves_.fitted()) reliability_.emplace(confusion_.classes());
  if (!model.conformal) return;
  sets_.emplace(*model.conformal, sets, each_class);
  const std::vector<double> none(confusion_.classes(), 0);
  set_counts_ = {sets, each_class, sets_->rows(), {}, none, none};
  set_.resize(confusion_.classes());
}

// Scores of a softmax mean something within a row alone: rows are ranked by the logarithms of their probabilities.
std::span<const double> Evaluator::log_probabilities(std::span<const double> scores) {
  const double largest = *std::max_element(scores.begin(), scores.end());
  double sum = 0;
  for (const double score : scores) sum += elementary::exp(score - largest);
  const double whole = largest + elementary::log(sum);
  ranked_.assign(scores.begin(), scores.end());
  for (double& score : ranked_) score -= whole;
  return ranked_;
}

void Evaluator::add(const Block& block, bool weighted) {
  const std::uint32_t vectors = predictor_.score_all(block, predicted_, scores_);
  const bool two = confusion_.classes() == 2;
  rows_seen_ += block.rows;
  for (std::size_t i = 0; i < block.rows; ++i) {
    const double weight = weighted && block.weight != nullptr ? block.weight[i] : 1;
    if (weight == 0) continue;  // no row
    confusion_.add(block.label[i], predicted_[i], weight);
    const auto scores = std::span(scores_).subspan(i * vectors, vectors);
    const double difference = two && vectors > 1 ? scores[1] - scores[0] : 0;
    PredictedRow row{.truth = block.label[i],
                     .predicted = predicted_[i],
                     .weight = weight,
                     .scores = two && vectors > 1 ? std::span(&difference, 1) : scores};
    if (reliability_) {
      probabilities_ = curves_.probabilities(scores);
      row.probabilities = probabilities_;
      if (!two && model_.calibration.method == CalibrationMethod::softmax) row.scores = log_probabilities(scores);
      reliability_->add(probabilities_, block.label[i], weight);
    }
    rows_.add(row);
    if (sets_) {
      const auto truth = static_cast<std::size_t>(block.label[i]);
      sets_->contains(scores, set_);
      set_counts_.counts.add(set_, truth, weight);
      set_counts_.rows[truth] += weight;
      set_counts_.covered[truth] += set_[truth] != 0 ? weight : 0;
    }
  }
}

std::optional<ExpectedError> ModelEvaluation::expected_error(double other_confidence) const {
  check_confidence(other_confidence);
  return learned_from || !confusion.counts_rows()
             ? std::nullopt
             : expected_error_of_held_out(static_cast<std::uint64_t>(confusion.rows()),
                                          static_cast<std::uint64_t>(confusion.errors()), other_confidence);
}

ModelEvaluation Evaluator::result(const MetricOptions& options, const IntervalOptions& interval) const {
  ModelEvaluation result;
  result.classes = model_.schema.labels.names;
  result.confusion = confusion_;
  result.reliability = reliability_;
  if (sets_) result.sets = set_counts_;
  result.classes.resize(confusion_.classes());
  result.confidence = interval.confidence;
  result.metric_options = options;
  result.metrics = estimates(rows_, model_.schema.labels.names, options, interval);
  result.by_class = class_metrics(rows_, options);
  result.resamples = rows_.counts_rows() ? affordable_resamples(rows_, interval) : 0;
  result.curve = curve_of(rows_);
  result.weighted = rows_.has_weights();
  result.threshold = model_.threshold.value_or(0);
  const auto area = std::find_if(result.metrics.begin(), result.metrics.end(),
                                 [](const Estimate& one) { return one.metric == Metric::auc; });
  if (confusion_.classes() == 2 && area != result.metrics.end()) result.area = area->value;
  return result;
}

ReadOptions read_for(const Model& model, ReadOptions read, bool weighted) {
  read.schema = &model.schema;
  read.grow = false;
  read.labels.ignore_weights = !weighted;
  read.labels.weights_may_be_absent = weighted;
  read.row_normalised = model.schema.row_normalised;
  read.single = model.schema.single;
  return read;
}

void check_conformal(const Model& model) {
  if (model.conformal) return;
  throw Error(ErrorKind::usage, "the model has no scores of held-out rows for prediction sets")
      .fix("train it with " + option("holdout", "0.2") + " and " + option("conformal"));
}

ModelEvaluation evaluate(const Model& model, const EvaluateOptions& options) {
  check_confidence(options.confidence);
  if (options.sets) check_conformal(model);
  Evaluator evaluator(model, options.sets.value_or(0.9), options.each_class);
  ReadOptions read = read_for(model, options.read, options.weighted);
  if (read.interrupt == nullptr) read.interrupt = options.interrupt;
  Reader reader(read);
  const auto interrupted = [&] {
    return options.interrupt != nullptr && options.interrupt->load(std::memory_order_relaxed);
  };
  reader.read([&](const Block& block) {
    evaluator.add(block, options.weighted);
    if (options.on_rows) options.on_rows(block, evaluator.predicted());
    if (options.on_progress) options.on_progress(evaluator.rows());
    return !interrupted();
  });
  if (interrupted()) throw Error(ErrorKind::input_output, "interrupted: nothing was evaluated");
  ModelEvaluation result = evaluator.result(
      options.metrics, {.confidence = options.confidence, .resamples = options.resamples, .seed = options.seed});
  if (evaluator.rows() > 0 && result.confusion.rows() == 0) training::refuse_no_weight(options.read.path);
  result.report = reader.report();
  const std::vector<std::string>& learned = model.provenance.fingerprints;
  result.data_unknown = learned.empty() && model.position.rows > 0;
  result.learned_from = std::find(learned.begin(), learned.end(), result.report.fingerprint) != learned.end();
  return result;
}

ModelEvaluation evaluate(const Model& model, const Rows& rows) {
  Evaluator evaluator(model);
  for (std::size_t b = 0; b < rows.blocks(); ++b) {
    evaluator.add(rows.block(b));
    rows.release(b);
  }
  return evaluator.result();
}

}  // namespace halfspace
