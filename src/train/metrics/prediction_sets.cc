// Thresholds of prediction sets: order statistics of nonconformities.
#include "halfspace/detail/train/prediction_sets.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "halfspace/base/error.h"

namespace halfspace {
namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();
constexpr double largest = std::numeric_limits<double>::max();

// Returns the rank of entry j of m, both from 1, among `rows`.
std::uint64_t rank_of(std::uint64_t j, std::uint64_t m, std::uint64_t rows) {
  return (rows / m) * j + ((rows % m) * j + m - 1) / m;
}

// Returns the least kept number with at least `rank` nonconformities of these classes at or below it.
double order_statistic(std::span<const ConformalScores::OfClass> classes, std::uint64_t rank) {
  std::vector<std::pair<double, std::uint64_t>> all;  // a kept number, and the rows between it and the one before
  for (const ConformalScores::OfClass& one : classes) {
    std::uint64_t before = 0;
    for (std::size_t j = 0; j < one.scores.size(); ++j) {
      const std::uint64_t now = rank_of(j + 1, one.scores.size(), one.rows);
      all.emplace_back(one.scores[j], now - before);
      before = now;
    }
  }
  std::sort(all.begin(), all.end());
  std::uint64_t below = 0;
  for (const auto& [score, rows] : all) {
    below += rows;
    if (below >= rank) return score;
  }
  return infinity;
}

}  // namespace

double nonconformity(std::span<const double> scores, std::size_t label) {
  double own = 0, other = -infinity;
  if (scores.size() == 1) {
    (label == 1 ? own : other) = scores[0];
    if (label == 1) other = 0;
  } else {
    own = scores[label];
    for (std::size_t k = 0; k < scores.size(); ++k) {
      if (k != label) other = std::max(other, scores[k]);
    }
  }
  return std::clamp(other - own, -largest, largest) + 0.0;  // -0.0 becomes 0.0
}

void check_coverage(double coverage) {
  if (coverage > 0 && coverage < 1) return;
  throw Error(ErrorKind::usage, option("sets") + " must lie between 0 and 1")
      .fix("0.9 is usual: nine of ten sets have the true class");
}

std::uint64_t conformal_rank(std::uint64_t rows, double coverage) {
  const double all = static_cast<double>(rows) + 1;
  const auto enough = [&](std::uint64_t k) { return static_cast<double>(k) / all >= coverage; };
  auto k = static_cast<std::uint64_t>(coverage * all);
  while (!enough(k)) ++k;
  while (k > 0 && enough(k - 1)) --k;
  return k;
}

std::uint64_t fewest_rows(double coverage) {
  auto rows = static_cast<std::uint64_t>(std::min(coverage / (1 - coverage), 0x1p53));
  while (rows > 0 && conformal_rank(rows - 1, coverage) <= rows - 1) --rows;
  while (rows < (std::uint64_t{1} << 53) && conformal_rank(rows, coverage) > rows) ++rows;
  return rows;
}

std::uint64_t ConformalScores::rows() const {
  std::uint64_t sum = 0;
  for (const OfClass& one : of_class) sum += one.rows;
  return sum;
}

ConformalScores conformal_scores(std::vector<std::vector<double>> of_class) {
  ConformalScores result;
  for (std::vector<double>& all : of_class) {
    std::sort(all.begin(), all.end());
    const std::uint64_t rows = all.size(), kept = std::min(rows, ConformalScores::most_scores);
    for (std::uint64_t j = 1; j <= kept; ++j) all[j - 1] = all[rank_of(j, kept, rows) - 1];
    all.resize(kept);
    all.shrink_to_fit();
    result.of_class.push_back({rows, std::move(all)});
  }
  return result;
}

PredictionSets::PredictionSets(const ConformalScores& scores, double coverage, bool each_class)
    : coverage_(coverage), each_class_(each_class), rows_(scores.rows()) {
  check_coverage(coverage);
  const std::span<const ConformalScores::OfClass> all(scores.of_class);
  const auto threshold = [&](std::span<const ConformalScores::OfClass> classes, std::uint64_t rows) {
    return order_statistic(classes, conformal_rank(rows, coverage));
  };
  if (!each_class) thresholds_.assign(all.size(), threshold(all, rows_));
  for (std::size_t k = 0; k < all.size(); ++k) {
    if (each_class) thresholds_.push_back(threshold(all.subspan(k, 1), all[k].rows));
    if (thresholds_[k] == infinity) always_.push_back(k);
  }
}

void PredictionSets::contains(std::span<const double> scores, std::span<std::uint8_t> set) const {
  for (std::size_t k = 0; k < set.size(); ++k) set[k] = nonconformity(scores, k) <= thresholds_[k] ? 1 : 0;
}

void SetCounts::add(std::span<const std::uint8_t> set, std::size_t label, double weight) {
  const auto size = std::count(set.begin(), set.end(), 1);
  rows += weight;
  covered += set[label] != 0 ? weight : 0;
  sizes += weight * static_cast<double>(size);
  singles += size == 1 ? weight : 0;
  empty += size == 0 ? weight : 0;
  whole = whole && halfspace::counts_rows(weight);
}

AdaptiveSets::AdaptiveSets(double coverage) : coverage_(coverage) { check_coverage(coverage); }

double AdaptiveSets::level() const {
  const double surplus = static_cast<double>(covered_) - coverage_ * static_cast<double>(rows_);
  return (1 - coverage_) + step * surplus;
}

double AdaptiveSets::threshold() const {
  const double level = this->level();
  if (level >= 1) return -infinity;
  if (level <= 0) return infinity;
  const std::uint64_t rank = conformal_rank(sorted_.size(), 1 - level);
  return rank > sorted_.size() ? infinity : sorted_[rank == 0 ? 0 : rank - 1];
}

void AdaptiveSets::add(double nonconformity, bool covered) {
  const auto insert = [&] {
    sorted_.insert(std::upper_bound(sorted_.begin(), sorted_.end(), nonconformity), nonconformity);
  };
  if (latest_.size() < window) {
    latest_.push_back(nonconformity);
    insert();
  } else {
    double& oldest = latest_[rows_ % window];
    sorted_.erase(std::lower_bound(sorted_.begin(), sorted_.end(), oldest));
    oldest = nonconformity;
    insert();
  }
  ++rows_;
  covered_ += covered ? 1 : 0;
}

double AdaptiveSets::bound() const {
  return (std::max(coverage_, 1 - coverage_) + step) / (static_cast<double>(rows_) * step);
}

}  // namespace halfspace
