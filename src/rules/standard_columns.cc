// Centres and scales of columns, by the rows of a period.
#include "halfspace/detail/rules/standard_columns.h"

#include <bit>
#include <cmath>

#include "halfspace/detail/linear/state.h"

namespace halfspace {
namespace {

constexpr double kBelieved = 16;                      // larger z count as that in the next period's centre and scale
constexpr double kLeast = 0x1p-500, kMost = 0x1p500;  // scales whose squares, and those of values, are doubles

}  // namespace

void StandardColumns::make_room(std::size_t values) const {
  index_.resize(2 * values);
  value_.resize(2 * values);
}

// Means and sums of squares about them as Welford has them.
void StandardColumns::try_value(std::uint32_t feature, double given) {
  const double value = std::clamp(given, -kMost, kMost);  // its square, and sums of those, stay within the doubles
  Trial& tried = tried_[feature];
  tried.repeated += tried.rows > 0 && value == tried.last;
  tried.last = value;
  tried.rows += 1;
  const double off = value - tried.mean;
  tried.mean += off / tried.rows;
  tried.squares += off * (value - tried.mean);
}

void StandardColumns::gather() {
  const double share = 1 / static_cast<double>(rows_ - std::bit_floor(rows_) + 1);
  for (std::size_t c = 0; c < columns_.size(); ++c) {
    const double z = std::clamp(raw_[c], -kBelieved, kBelieved), off = z - columns_[c].mean;
    columns_[c].mean += off * share;
    columns_[c].squares += off * (z - columns_[c].mean);
  }
}

void StandardColumns::end_trial() {
  constexpr double rows = trial, few = 4;
  std::vector<std::uint32_t> features;
  double held = 0;
  for (const auto& [feature, tried] : tried_) {
    held += tried.rows;
    if (2 * tried.rows > rows && 2 * tried.repeated <= tried.rows) features.push_back(feature);
  }
  if (few * static_cast<double>(features.size()) * rows < held) features.clear();
  std::sort(features.begin(), features.end());
  changes_.clear();
  for (const std::uint32_t feature : features) {
    const Trial& tried = tried_[feature];
    const double centre = tried.mean * (tried.rows / rows);
    const double absent = tried.mean * tried.mean * tried.rows * ((rows - tried.rows) / rows);
    const double scale = std::sqrt((tried.squares + absent) / rows);
    if (!(scale > kLeast && scale < kMost && std::abs(centre) < kMost)) continue;
    add_column({feature, centre, scale, 1 / scale});
    changes_.push_back({feature, scale, centre, true});
  }
  tried_ = {};
  note_columns();
}

void StandardColumns::end_period() {
  const double rows = static_cast<double>(rows_ / 2);
  changes_.clear();
  for (Column& column : columns_) {
    const double centre = column.centre + column.scale * column.mean;
    double ratio = std::sqrt(column.squares / rows);
    const double scale = column.scale * ratio;
    if (!(scale > kLeast && scale < kMost)) ratio = 1;  // it was constant
    changes_.push_back({column.feature, ratio, column.mean});
    column = {column.feature, centre, column.scale * ratio, 1 / (column.scale * ratio)};
  }
  note_columns();
}

void StandardColumns::add_column(const Column& column) {
  const std::uint32_t feature = column.feature;
  if (is_column_.size() <= feature / 64) is_column_.resize(feature / 64 + 1);
  is_column_[feature / 64] |= std::uint64_t{1} << (feature % 64);
  slot_.resize(std::size_t{feature} + 1);
  slot_[feature] = static_cast<std::uint32_t>(columns_.size());
  columns_.push_back(column);
}

void StandardColumns::note_columns() {
  absent_.clear();
  for (const Column& column : columns_) absent_.push_back(-column.centre * column.inverse);
  raw_.resize(columns_.size());
  make_room(2 * columns_.size());
  for (std::size_t c = 0; c < columns_.size(); ++c) index_[c] = columns_[c].feature;
}

void StandardColumns::save(std::uint32_t feature, double* numbers) const {
  std::fill_n(numbers, numbers_each, 0.0);
  if (rows_ < trial) {
    if (const auto tried = tried_.find(feature); tried != tried_.end()) {
      const Trial& t = tried->second;
      std::copy_n(std::initializer_list<double>{t.rows, t.mean, t.squares, t.last, t.repeated}.begin(), numbers_each,
                  numbers);
    }
  } else if (is_column(feature)) {
    const Column& c = columns_[slot_[feature]];
    std::copy_n(std::initializer_list<double>{c.centre, c.scale, c.mean, c.squares, 1}.begin(), numbers_each, numbers);
  }
}

void StandardColumns::restore(std::uint32_t feature, const double* numbers) {
  const auto count = [](double value) { return value >= 0 && value <= trial && value == std::trunc(value); };
  const bool all_zero = std::all_of(numbers, numbers + numbers_each, [](double v) { return v == 0; });
  if (all_zero) return;
  if (rows_ < trial) {
    if (!(count(numbers[0]) && numbers[0] > 0 && numbers[2] >= 0 && count(numbers[4])))
      refuse_state("a feature's trial is no such state");
    tried_[feature] = {numbers[0], numbers[1], numbers[2], numbers[3], numbers[4]};
  } else {
    if (!(numbers[1] > kLeast && numbers[1] < kMost && numbers[3] >= 0 && numbers[4] == 1))
      refuse_state("a standardized column has no such state");
    add_column({feature, numbers[0], numbers[1], 1 / numbers[1], numbers[2], numbers[3]});
  }
}

}  // namespace halfspace
