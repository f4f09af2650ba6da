// Thins samples, and records the performance of weights on rows.
#include "halfspace/detail/train/recording.h"

#include <algorithm>
#include <cmath>

#include "halfspace/detail/base/elementary.h"
#include "halfspace/train/evaluate.h"

namespace halfspace {
namespace {

constexpr double growth = 1.2;       // factor between rounds at which weights are sampled
constexpr std::uint64_t worth = 64;  // weights visited for each round since the last sample
constexpr std::size_t bins = 40, most_worst = 8, most_roc_rows = 100'000, most_roc_points = 300;

// 1, 2 or 5 times a power of ten, at least `value`.
double round_up(double value) {
  const double power = elementary::power_of_ten(std::floor(elementary::log10(value)));
  for (const double factor : {1.0, 2.0, 5.0}) {
    if (factor * power >= value) return factor * power;
  }
  return 10 * power;
}

Moment moment_of(const Ledger& ledger) {
  Moment moment{ledger.rounds,   ledger.mistakes,        ledger.updates,        ledger.errors(),
                ledger.weight(), ledger.constant_errors, ledger.previous_errors};
  const bool first_pass = ledger.rounds == ledger.first_pass_rounds;
  if (first_pass && ledger.watch && ledger.watch->window && ledger.watch->window->counted() > 0)
    moment.window_error = ledger.watch->window->error();
  return moment;
}

}  // namespace

void Recorder::record(const Learner& learner, const Ledger& ledger) {
  if (ledger.rounds >= next_moment_) note(ledger);
  if (ledger.rounds >= next_weights_) weigh(learner, ledger);
  due = std::min(next_moment_, next_weights_);
}

void Recorder::note(const Ledger& ledger) {
  std::vector<Moment>& moments = recording.moments;
  if (moments.size() == most_moments) {
    // Drops those at odd multiples of the stride.
    std::erase_if(moments, [this](const Moment& m) { return m.rounds % (2 * stride_) != 0; });
    stride_ *= 2;
  }
  next_moment_ = (ledger.rounds / stride_ + 1) * stride_;
  if (ledger.rounds % stride_ != 0) return;
  moments.push_back(moment_of(ledger));
}

void Recorder::weigh(const Learner& learner, const Ledger& ledger) {
  WeightMoment moment{ledger.rounds, ledger.update_steps, ledger.update_squares, 0, {}, learner.followed()};
  const std::size_t size = learner.weight_count();
  std::vector<WeightMoment>& all = recording.weights;
  if (kept_ + size > weight_budget) {
    // Drops every second vector, to make room.
    kept_ = 0;
    for (std::size_t i = 0; i < all.size(); ++i) {
      if (i % 2 == 0) all[i].weights = {};
      kept_ += all[i].weights.w.size();
    }
  }
  if (kept_ + size <= weight_budget) {
    moment.weights = learner.present();
    kept_ += moment.weights.w.size();
  }
  moment.squared_norm = learner.squared_norm();
  all.push_back(std::move(moment));
  const double rounds = static_cast<double>(ledger.rounds);
  next_weights_ = std::max(
      {ledger.rounds + 1, static_cast<std::uint64_t>(std::ceil(rounds * growth)), ledger.rounds + size / worth});
}

void Recorder::finish(const Learner& learner, const Ledger& ledger) {
  if (ledger.rounds == 0) return;
  std::vector<Moment>& moments = recording.moments;
  if (moments.empty() || moments.back().rounds != ledger.rounds) moments.push_back(moment_of(ledger));
  if (recording.weights.empty() || recording.weights.back().rounds != ledger.rounds) weigh(learner, ledger);
}

void Recorder::project(const ClassWeightVector& u, bool biased, const std::string& comparator, double margin) {
  const double norm = std::sqrt(dot(u, u, biased));
  Projection projection{comparator, margin, {}, {}, {}};
  for (WeightMoment& moment : recording.weights) {
    if (moment.weights.w.empty() && moment.weights.bias.empty()) continue;
    projection.rounds.push_back(moment.rounds);
    projection.projection.push_back(dot(moment.weights, u, biased) / norm);
    projection.steps.push_back(moment.steps);
  }
  if (norm > 0 && !projection.rounds.empty()) recording.projection = std::move(projection);
}

namespace {

void margins(const Rows& rows, const EvaluatedMargins& evaluated, const std::vector<std::int32_t>& predicted,
             RowsRecord& record) {
  const double norm = std::sqrt(evaluated.evaluation.squared_norm);
  const double unit = norm > 0 ? 1 / norm : 1;
  const auto [least, most] = std::minmax_element(evaluated.margin.begin(), evaluated.margin.end());
  const double low = std::min(0.0, *least * unit), high = std::max(0.0, *most * unit);
  const double width = high > low ? round_up((high - low) / static_cast<double>(bins)) : 1;
  const double first = std::floor(low / width), span = std::floor(high / width) + 1 - first;
  // Margins that overflow have no position on an axis: there are no bins then.
  const bool finite =
      std::isfinite(unit) && std::isfinite(width) && span >= 1 && span <= 4.0 * bins &&
      std::all_of(evaluated.margin.begin(), evaluated.margin.end(), [](double m) { return std::isfinite(m); });
  const std::size_t count = finite ? static_cast<std::size_t>(span) : 0;
  for (std::size_t i = 0; finite && i <= count; ++i) record.edge.push_back((first + static_cast<double>(i)) * width);
  record.right.assign(count, 0);
  record.wrong.assign(count, 0);
  std::vector<std::size_t> worst;  // indices, the worst row first
  const auto worse = [&](std::size_t a, std::size_t b) {
    return evaluated.margin[a] != evaluated.margin[b] ? evaluated.margin[a] < evaluated.margin[b] : a < b;
  };
  for (std::size_t b = 0, i = 0; b < rows.blocks(); ++b) {
    const Block block = rows.block(b);
    for (std::size_t k = 0; k < block.rows; ++k, ++i) {
      const bool right = predicted[i] == block.label[k];
      if (finite) {
        const double place = std::floor(evaluated.margin[i] * unit / width) - first;
        const auto bin = static_cast<std::size_t>(std::clamp(place, 0.0, static_cast<double>(count - 1)));
        ++(right ? record.right : record.wrong)[bin];
      }
      if (right || (worst.size() == most_worst && !worse(i, worst.back()))) continue;
      worst.insert(std::upper_bound(worst.begin(), worst.end(), i, worse), i);
      if (worst.size() > most_worst) worst.pop_back();
    }
  }
  for (const std::size_t i : worst) {
    const Block block = rows.block(i / Rows::block_rows);
    record.worst.push_back(
        {block.row[i % Rows::block_rows], block.label[i % Rows::block_rows], evaluated.margin[i] * unit});
  }
}

// Records the ROC curve of a binary score.
void curve(const Rows& rows, const EvaluatedMargins& evaluated, RowsRecord& record) {
  std::vector<ScoredRow> scored;
  const std::size_t n = rows.size(), kept = std::min(n, most_roc_rows);
  scored.reserve(kept);
  for (std::size_t b = 0; b < rows.blocks(); ++b) {
    const Block block = rows.block(b);
    for (std::size_t k = 0, i = b * Rows::block_rows; k < block.rows; ++k, ++i) {
      if (i != scored.size() * n / kept) continue;
      const bool positive = block.label[k] == 1;
      scored.push_back({positive ? evaluated.margin[i] : -evaluated.margin[i], positive});
    }
  }
  std::optional<RocCurve> roc = roc_curve(std::move(scored), 2.0 / most_roc_points);
  if (!roc) return;
  record.roc_rows = kept;
  record.false_positive = std::move(roc->false_positive);
  record.true_positive = std::move(roc->true_positive);
  record.area = roc->area;
}

}  // namespace

RowsRecord record_rows(const Rows& rows, const EvaluatedMargins& evaluated, const std::vector<std::int32_t>& predicted,
                       std::size_t classes, bool held_out) {
  RowsRecord record;
  record.held_out = held_out;
  record.rows = rows.size();
  if (rows.size() == 0) return record;
  margins(rows, evaluated, predicted, record);
  ConfusionTable confusion(classes);
  for (std::size_t b = 0, i = 0; b < rows.blocks(); ++b) {
    const Block block = rows.block(b);
    for (std::size_t k = 0; k < block.rows; ++k, ++i) confusion.add(block.label[k], predicted[i]);
  }
  for (const double count : confusion.counts()) record.confusion.push_back(rounded_rows(count));
  if (classes == 2) curve(rows, evaluated, record);
  return record;
}

}  // namespace halfspace
