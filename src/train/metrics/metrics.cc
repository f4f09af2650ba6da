// Metrics from weighted counts, and curves from one sort per score vector.
#include "halfspace/train/metrics.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <numeric>

#include "base/parallel.h"
#include "halfspace/base/error.h"
#include "halfspace/base/random.h"
#include "halfspace/detail/base/elementary.h"
#include "stream/text/number.h"

namespace halfspace {
namespace {

constexpr double undefined = std::numeric_limits<double>::quiet_NaN();
constexpr auto every_metric = [] {
  std::array<Metric, std::size(NamesOf<Metric>::table)> all{};
  std::transform(std::begin(NamesOf<Metric>::table), std::end(NamesOf<Metric>::table), all.begin(),
                 [](const Name<Metric>& name) { return name.value; });
  return all;
}();

double ratio(double part, double whole) { return whole > 0 ? part / whole : undefined; }

bool needs_scores(Metric metric) {
  return metric == Metric::auc || metric == Metric::average_precision || metric == Metric::lift;
}

// A metric of counts alone: a threshold changes it.
bool is_of_counts(Metric metric) {
  return !needs_scores(metric) && metric != Metric::log_loss && metric != Metric::brier;
}

// Weighted counts of [truth * classes + predicted].
struct Counts {
  std::size_t classes = 2;
  std::vector<double> cell;

  double at(std::size_t truth, std::size_t predicted) const { return cell[truth * classes + predicted]; }
  double truth(std::size_t k) const {
    double sum = 0;
    for (std::size_t p = 0; p < classes; ++p) sum += at(k, p);
    return sum;
  }
  double predicted(std::size_t k) const {
    double sum = 0;
    for (std::size_t t = 0; t < classes; ++t) sum += at(t, k);
    return sum;
  }
  double all() const { return std::accumulate(cell.begin(), cell.end(), 0.0); }
  double right() const {
    double sum = 0;
    for (std::size_t k = 0; k < classes; ++k) sum += at(k, k);
    return sum;
  }
};

double f_of(double right, double truth, double predicted, double beta) {
  const double b = beta * beta;
  return ratio((1 + b) * right, b * truth + predicted);
}

// Averages a figure of each class; a class without one counts 0 unless it has no rows.
template <class Figure>
double averaged(const Counts& counts, Averaging how, Figure&& figure) {
  double sum = 0, weights = 0;
  for (std::size_t k = 0; k < counts.classes; ++k) {
    const double truth = counts.truth(k), predicted = counts.predicted(k);
    if (truth == 0 && predicted == 0) continue;
    const double value = figure(counts.at(k, k), truth, predicted);
    const double weight = how == Averaging::weighted ? truth : 1;
    sum += weight * (std::isnan(value) ? 0 : value);
    weights += weight;
  }
  return ratio(sum, weights);
}

double matthews(const Counts& counts) {
  const double n = counts.all();
  double product = 0, truths = 0, predictions = 0;
  for (std::size_t k = 0; k < counts.classes; ++k) {
    const double t = counts.truth(k), p = counts.predicted(k);
    product += t * p;
    truths += t * t;
    predictions += p * p;
  }
  const double of_truth = n * n - truths, of_prediction = n * n - predictions;
  if (of_truth <= 0 || of_prediction <= 0) return undefined;
  return (counts.right() * n - product) / (std::sqrt(of_truth) * std::sqrt(of_prediction));
}

double of_counts(Metric metric, const Counts& counts, const MetricOptions& options, std::span<const double> costs) {
  const bool two = counts.classes == 2;
  const double right = two ? counts.at(1, 1) : counts.right();
  const double truth = two ? counts.truth(1) : counts.all(), predicted = two ? counts.predicted(1) : counts.all();
  const bool pooled = two || options.averaging == Averaging::micro;  // one ratio of sums
  switch (metric) {
    case Metric::accuracy:
      return ratio(counts.right(), counts.all());
    case Metric::balanced_accuracy: {
      double sum = 0, classes = 0;
      for (std::size_t k = 0; k < counts.classes; ++k) {
        if (counts.truth(k) == 0) continue;
        sum += counts.at(k, k) / counts.truth(k);
        ++classes;
      }
      return ratio(sum, classes);
    }
    case Metric::precision:
      return pooled ? ratio(right, predicted)
                    : averaged(counts, options.averaging, [](double r, double, double p) { return ratio(r, p); });
    case Metric::recall:
      return pooled ? ratio(right, truth)
                    : averaged(counts, options.averaging, [](double r, double t, double) { return ratio(r, t); });
    case Metric::f:
      return pooled ? f_of(right, truth, predicted, options.beta)
                    : averaged(counts, options.averaging,
                               [&](double r, double t, double p) { return f_of(r, t, p, options.beta); });
    case Metric::matthews:
      return matthews(counts);
    case Metric::cost: {
      double sum = 0;
      for (std::size_t cell = 0; cell < costs.size(); ++cell) sum += costs[cell] * counts.cell[cell];
      return costs.empty() ? undefined : ratio(sum, counts.all());
    }
    case Metric::auc:
    case Metric::average_precision:
    case Metric::lift:
    case Metric::log_loss:
    case Metric::brier:
      break;
  }
  return undefined;
}

// A row of one question, "class k or not", with falling scores.
struct Ranked {
  std::uint32_t row;
  bool positive;
  bool ends_tie;  // the next row has a lower score
};

std::vector<Ranked> ranking(const PredictedRows& rows, std::size_t vector) {
  const std::size_t positive = rows.classes() == 2 ? 1 : vector;
  std::vector<Ranked> ranked(rows.rows());
  for (std::size_t i = 0; i < ranked.size(); ++i)
    ranked[i] = {static_cast<std::uint32_t>(i), rows.truth(i) == positive, false};
  std::sort(ranked.begin(), ranked.end(), [&](const Ranked& a, const Ranked& b) {
    const double x = rows.score(a.row, vector), y = rows.score(b.row, vector);
    return x != y ? x > y : a.row < b.row;
  });
  for (std::size_t i = 0; i < ranked.size(); ++i) {
    ranked[i].ends_tie =
        i + 1 == ranked.size() || rows.score(ranked[i].row, vector) != rows.score(ranked[i + 1].row, vector);
  }
  return ranked;
}

struct CurveFigures {
  double auc = undefined, average_precision = undefined, lift = undefined, positives = 0;
};

// Returns the figures of one ranking. `weight(row)`: with its multiplicity in a resample.
template <class Weight>
CurveFigures figures_of(const std::vector<Ranked>& ranked, double lift_share, Weight&& weight) {
  double positives = 0, negatives = 0;
  for (const Ranked& one : ranked) (one.positive ? positives : negatives) += weight(one.row);
  CurveFigures result;
  result.positives = positives;
  const double all = positives + negatives, top = lift_share * all;
  if (positives == 0) return result;
  double yes = 0, no = 0, area = 0, precision = 0, in_top = undefined;
  for (std::size_t i = 0; i < ranked.size();) {
    const double yes_before = yes, no_before = no;
    bool ends = false;
    while (!ends) {
      (ranked[i].positive ? yes : no) += weight(ranked[i].row);
      ends = ranked[i].ends_tie;
      ++i;
    }
    const double step = yes - yes_before, width = no - no_before;
    if (step + width == 0) continue;
    area += width * (yes + yes_before) / 2;
    precision += step * yes / (yes + no);
    // Rows of the tie that crosses the top share count by the share of the tie that is in it.
    if (std::isnan(in_top) && yes + no >= top) {
      const double before = yes_before + no_before;
      in_top = yes_before + (step + width > 0 ? (top - before) / (step + width) * step : 0);
    }
  }
  if (negatives > 0) result.auc = area / (positives * negatives);
  result.average_precision = precision / positives;
  if (top > 0) result.lift = in_top / top / (positives / all);
  return result;
}

// Computes metrics under changing weights of the rows.
class Computation {
 public:
  Computation(const PredictedRows& rows, const MetricOptions& options, std::span<const double> costs,
              std::span<const Metric> metrics)
      : rows_(rows), options_(options), costs_(costs), metrics_(metrics.begin(), metrics.end()) {
    if (!rows.has_scores() || std::none_of(metrics.begin(), metrics.end(), needs_scores)) return;
    for (std::size_t v = 0; v < rows.vectors(); ++v) rankings_.push_back(ranking(rows, v));
  }

  template <class Weight>
  std::vector<double> values(Weight&& weight) const {
    Counts counts{rows_.classes(), std::vector<double>(rows_.classes() * rows_.classes(), 0.0)};
    double log_loss = 0, brier = 0, all = 0;
    for (std::size_t i = 0; i < rows_.rows(); ++i) {
      const double w = weight(i);
      if (w == 0) continue;
      counts.cell[rows_.pair(i)] += w;
      all += w;
      if (!rows_.has_probabilities()) continue;
      log_loss += w * rows_.log_loss(i);
      brier += w * rows_.brier(i);
    }
    std::vector<CurveFigures> curves;
    for (const auto& ranked : rankings_) curves.push_back(figures_of(ranked, options_.lift_share, weight));
    std::vector<double> result;
    for (const Metric metric : metrics_) {
      if (metric == Metric::log_loss || metric == Metric::brier) {
        result.push_back(rows_.has_probabilities() ? ratio(metric == Metric::brier ? brier : log_loss, all)
                                                   : undefined);
      } else if (needs_scores(metric)) {
        result.push_back(of_curves(metric, curves));
      } else {
        result.push_back(of_counts(metric, counts, options_, costs_));
      }
    }
    return result;
  }

 private:
  double of_curves(Metric metric, const std::vector<CurveFigures>& curves) const {
    if (metric == Metric::lift) return curves.size() == 1 ? curves[0].lift : undefined;
    double sum = 0, weights = 0;
    for (const CurveFigures& curve : curves) {
      const double value = metric == Metric::auc ? curve.auc : curve.average_precision;
      if (std::isnan(value)) {
        if (curves.size() == 1) return undefined;
        continue;  // of a class without rows
      }
      const double weight = options_.averaging == Averaging::weighted ? curve.positives : 1;
      sum += weight * value;
      weights += weight;
    }
    return ratio(sum, weights);
  }

  const PredictedRows& rows_;
  const MetricOptions& options_;
  std::span<const double> costs_;
  std::vector<Metric> metrics_;
  std::vector<std::vector<Ranked>> rankings_;
};

// Returns, for whole weights, the row of each row that it counts as; empty if all weights are 1, or not whole.
std::vector<std::uint32_t> counted_rows(const PredictedRows& rows) {
  std::vector<std::uint32_t> row_of;
  if (!rows.has_weights() || !rows.counts_rows()) return row_of;
  for (std::size_t i = 0; i < rows.rows(); ++i)
    row_of.insert(row_of.end(), static_cast<std::size_t>(rows.weight(i)), static_cast<std::uint32_t>(i));
  return row_of;
}

// Returns the values of each resample: as many rows as there are, drawn with replacement.
std::vector<std::vector<double>> resampled(const Computation& computation, const PredictedRows& rows,
                                           std::uint64_t resamples, std::uint64_t seed) {
  std::vector<std::vector<double>> drawn(resamples);
  if (resamples == 0) return drawn;
  const std::vector<std::uint32_t> row_of = counted_rows(rows);
  in_parallel(resamples, 1, [&](std::size_t begin, std::size_t end) {
    std::vector<std::uint32_t> times(rows.rows());
    for (std::size_t b = begin; b < end; ++b) {
      Generator draws(seed + b * 0x9e3779b97f4a7c15);
      std::fill(times.begin(), times.end(), 0U);
      if (row_of.empty()) {
        for (std::size_t i = 0; i < times.size(); ++i) ++times[pick(draws, times.size())];
        drawn[b] = computation.values([&](std::size_t i) { return times[i] * rows.weight(i); });
      } else {
        for (std::size_t i = 0; i < row_of.size(); ++i) ++times[row_of[pick(draws, row_of.size())]];
        drawn[b] = computation.values([&](std::size_t i) { return static_cast<double>(times[i]); });
      }
    }
  });
  return drawn;
}

// Returns the bounds that the theorem gives without resampling; empty for other metrics.
std::optional<ErrorBounds> exact_bounds(Metric metric, const PredictedRows& rows, double confidence) {
  if (!rows.counts_rows()) return std::nullopt;
  const bool two = rows.classes() == 2;
  if (metric != Metric::accuracy && !(two && (metric == Metric::precision || metric == Metric::recall)))
    return std::nullopt;
  std::uint64_t right = 0, asked = 0;
  for (std::size_t i = 0; i < rows.rows(); ++i) {
    if (metric == Metric::precision && rows.predicted(i) != 1) continue;
    if (metric == Metric::recall && rows.truth(i) != 1) continue;
    const auto times = static_cast<std::uint64_t>(rows.weight(i));
    asked += times;
    right += rows.truth(i) == rows.predicted(i) ? times : 0;
  }
  if (asked == 0) return std::nullopt;
  const ErrorBounds wrong = kept_out_error(asked, asked - right, confidence);
  return ErrorBounds{1 - wrong.upper, 1 - wrong.lower};
}

}  // namespace

bool higher_is_better(Metric metric) {
  return metric != Metric::log_loss && metric != Metric::brier && metric != Metric::cost;
}

void PredictedRows::add(const PredictedRow& row) {
  if (row.weight == 0) return;  // no row
  const auto truth = static_cast<std::size_t>(row.truth), predicted = static_cast<std::size_t>(row.predicted);
  count_ += row.weight;
  whole_ = whole_ && halfspace::counts_rows(row.weight);
  if (row.weight != 1 && weight_.empty()) weight_.assign(pair_.size(), 1.0);
  pair_.push_back(static_cast<std::uint32_t>(truth * classes_ + predicted));
  if (!weight_.empty() || row.weight != 1) weight_.push_back(row.weight);
  if (classes_ > 2 && (score_.size() + classes_ > most_scores || score_.size() != (rows() - 1) * classes_)) {
    score_.clear();
    score_.shrink_to_fit();
  } else {
    score_.insert(score_.end(), row.scores.begin(), row.scores.end());
  }
  if (row.probabilities.empty()) return;
  log_loss_.push_back(-elementary::log(row.probabilities[truth]));
  double brier = 0;
  if (classes_ == 2) {
    brier = row.probabilities[1 - truth] * row.probabilities[1 - truth];
  } else {
    for (std::size_t k = 0; k < classes_; ++k) {
      const double error = row.probabilities[k] - (k == truth ? 1 : 0);
      brier += error * error;
    }
  }
  brier_.push_back(brier);
}

Cost parse_cost(const std::string& text) {
  const std::size_t equals = text.rfind('='), colon = text.rfind(':', equals);
  double cost = 0;
  const bool valid =
      equals != std::string::npos && colon != std::string::npos && colon > 0 && colon + 1 < equals &&
      stream::parse_number(std::string_view(text).substr(equals + 1), cost) == stream::NumberProblem::none;
  if (!valid) {
    throw Error(ErrorKind::usage, option("cost") + " takes TRUTH:PREDICTED=COST, not '" + text + "'")
        .fix("such as " + option("cost", "fraud:ok=5") + ": a fraud predicted as ok costs 5");
  }
  return {text.substr(0, colon), text.substr(colon + 1, equals - colon - 1), cost};
}

std::vector<double> cost_matrix(std::span<const Cost> costs, std::span<const std::string> names) {
  const std::size_t classes = std::max<std::size_t>(2, names.size());
  std::vector<double> matrix(classes * classes, 1.0);
  for (std::size_t k = 0; k < classes; ++k) matrix[k * classes + k] = 0;
  const auto number_of = [&](const std::string& name) {
    const auto found = std::find(names.begin(), names.end(), name);
    if (found == names.end()) {
      std::string known;
      for (const std::string& one : names) known += (known.empty() ? "" : ", ") + one;
      throw Error(ErrorKind::usage, option("cost") + " names the class '" + name + "', which the model does not have")
          .fix("its classes are " + known);
    }
    return static_cast<std::size_t>(found - names.begin());
  };
  for (const Cost& cost : costs) {
    if (!std::isfinite(cost.cost))
      throw Error(ErrorKind::usage, option("cost") + " takes finite costs").fix("give a number");
    matrix[number_of(cost.truth) * classes + number_of(cost.predicted)] = cost.cost;
  }
  return matrix;
}

double value_of(Metric metric, const PredictedRows& rows, const MetricOptions& options, std::span<const double> costs) {
  const Metric one[] = {metric};
  return Computation(rows, options, costs, one).values([&](std::size_t i) { return rows.weight(i); })[0];
}

std::vector<ClassMetrics> class_metrics(const PredictedRows& rows, const MetricOptions& options) {
  Counts counts{rows.classes(), std::vector<double>(rows.classes() * rows.classes(), 0.0)};
  for (std::size_t i = 0; i < rows.rows(); ++i) counts.cell[rows.pair(i)] += rows.weight(i);
  std::vector<ClassMetrics> all;
  for (std::size_t k = 0; k < rows.classes(); ++k) {
    const double right = counts.at(k, k), truth = counts.truth(k), predicted = counts.predicted(k);
    all.push_back({ratio(right, predicted), ratio(right, truth), f_of(right, truth, predicted, options.beta), truth});
  }
  return all;
}

std::uint64_t affordable_resamples(const PredictedRows& rows, const IntervalOptions& options) {
  constexpr std::uint64_t fewest = 100;
  constexpr double most_work = 40'000'000;  // rows drawn and scores walked
  const std::uint64_t cells = rows.classes() * rows.classes();
  // Whole weights count rows, all of which are drawn.
  const double drawn = std::max(1.0, rows.counts_rows() ? rows.count() : static_cast<double>(rows.rows()));
  const double work = drawn * static_cast<double>(1 + rows.vectors()) + static_cast<double>(8 * cells);
  const std::uint64_t count = std::min(options.resamples, static_cast<std::uint64_t>(most_work / work));
  return rows.rows() == 0 || count < fewest ? 0 : count;
}

std::vector<Estimate> estimates(const PredictedRows& rows, std::span<const std::string> names,
                                const MetricOptions& options, const IntervalOptions& interval) {
  const std::vector<double> costs = options.costs.empty() ? std::vector<double>() : cost_matrix(options.costs, names);
  const Computation computation(rows, options, costs, every_metric);
  const std::vector<double> values = computation.values([&](std::size_t i) { return rows.weight(i); });
  const std::uint64_t resamples = rows.counts_rows() ? affordable_resamples(rows, interval) : 0;
  const std::vector<std::vector<double>> drawn = resampled(computation, rows, resamples, interval.seed);
  std::vector<Estimate> result;
  for (std::size_t m = 0; m < std::size(every_metric); ++m) {
    if (std::isnan(values[m])) continue;
    Estimate estimate{every_metric[m], values[m], exact_bounds(every_metric[m], rows, interval.confidence), false};
    estimate.exact = estimate.bounds.has_value();
    if (!estimate.exact) {
      std::vector<double> sorted;
      for (const std::vector<double>& one : drawn)
        if (!std::isnan(one[m])) sorted.push_back(one[m]);
      std::sort(sorted.begin(), sorted.end());
      const double tail = (1 - interval.confidence) / 2;
      const auto low = static_cast<std::size_t>(tail * static_cast<double>(sorted.size()));
      if (sorted.size() >= 100) estimate.bounds = ErrorBounds{sorted[low], sorted[sorted.size() - 1 - low]};
    }
    result.push_back(estimate);
  }
  return result;
}

double bootstrap_error(Metric metric, const PredictedRows& rows, const MetricOptions& options,
                       std::span<const double> costs, const IntervalOptions& interval) {
  const Metric one[] = {metric};
  const Computation computation(rows, options, costs, one);
  const std::uint64_t resamples = std::min<std::uint64_t>(200, affordable_resamples(rows, interval));
  double count = 0, sum = 0, squares = 0;
  for (const std::vector<double>& drawn : resampled(computation, rows, resamples, interval.seed)) {
    if (std::isnan(drawn[0])) continue;
    ++count;
    sum += drawn[0];
    squares += drawn[0] * drawn[0];
  }
  return count < 2 ? 0 : std::sqrt(std::max(0.0, (squares - sum * sum / count) / (count - 1)));
}

std::vector<CurvePoint> curve_of(const PredictedRows& rows, std::size_t most) {
  if (rows.classes() != 2) return {};
  const std::vector<Ranked> ranked = ranking(rows, 0);
  double positives = 0, negatives = 0;
  for (const Ranked& one : ranked) (one.positive ? positives : negatives) += rows.weight(one.row);
  if (positives == 0 || negatives == 0) return {};
  const double spacing = 2.0 / static_cast<double>(std::max<std::size_t>(1, most));
  std::vector<CurvePoint> points;
  double yes = 0, no = 0, kept = 0;
  for (std::size_t i = 0; i < ranked.size(); ++i) {
    (ranked[i].positive ? yes : no) += rows.weight(ranked[i].row);
    if (!ranked[i].ends_tie) continue;
    const double walked = yes / positives + no / negatives;
    if (walked - kept < spacing && i + 1 < ranked.size()) continue;
    kept = walked;
    points.push_back({rows.score(ranked[i].row, 0), yes / positives, no / negatives, ratio(yes, yes + no)});
  }
  return points;
}

double best_threshold(const PredictedRows& rows, Metric metric, const MetricOptions& options,
                      std::span<const double> costs) {
  if (!is_of_counts(metric)) {
    throw Error(ErrorKind::usage, "no threshold changes " + std::string(name_of(metric)))
        .fix("choose it by f1, balanced-accuracy, matthews, accuracy or cost");
  }
  const std::vector<Ranked> ranked = ranking(rows, 0);
  Counts counts{2, {0, 0, 0, 0}};
  for (const Ranked& one : ranked) counts.cell[one.positive ? 2 : 0] += rows.weight(one.row);  // all predicted negative
  if (rows.classes() != 2 || counts.truth(0) == 0 || counts.truth(1) == 0) {
    throw Error(ErrorKind::usage, "a threshold is chosen on rows of two classes")
        .fix("hold out more rows with " + option("holdout") + ", or use " + option("folds"));
  }
  const double sign = higher_is_better(metric) ? 1 : -1;
  const auto score = [&](std::size_t i) { return rows.score(ranked[i].row, 0); };
  double best = -std::numeric_limits<double>::infinity(), threshold = score(0);
  const auto consider = [&](double at) {
    const double value = sign * of_counts(metric, counts, options, costs);
    if (value > best) {  // false for NaN
      best = value;
      threshold = at;
    }
  };
  consider(std::nextafter(score(0), std::numeric_limits<double>::infinity()));
  for (std::size_t i = 0; i < ranked.size(); ++i) {
    const double w = rows.weight(ranked[i].row);
    counts.cell[ranked[i].positive ? 2 : 0] -= w;
    counts.cell[ranked[i].positive ? 3 : 1] += w;
    if (!ranked[i].ends_tie) continue;
    if (i + 1 == ranked.size()) {
      consider(score(i));
    } else {
      const double middle = std::midpoint(score(i), score(i + 1));
      consider(middle > score(i + 1) ? middle : score(i));
    }
  }
  return threshold;
}

}  // namespace halfspace
