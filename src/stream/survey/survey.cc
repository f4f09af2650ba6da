// Collects statistics of rows.
#include "halfspace/stream/survey.h"

#include <algorithm>
#include <bit>
#include <cmath>

#include "halfspace/base/error.h"
#include "halfspace/detail/base/elementary.h"
#include "stream/survey/survey_notes.h"

namespace halfspace {
namespace {

bool is_in_nines(double value) {
  const double size = std::abs(value);
  return size == 99 || size == 999 || size == 9'999 || size == 99'999 || size == 999'999;
}

// Returns whether a number below 1000 has three decimals, as 5.534 has.
bool ends_in_thousandths(double value) {
  const double thousandths = std::round(value * 1000);
  return std::abs(value) < 1000 && std::abs(value * 1000 - thousandths) < 1e-9 * 1000 &&
         std::fmod(thousandths, 10) != 0;
}

bool is_date(double value) {
  if (!(value >= 1900'01'01 && value <= 2100'12'31) || value != std::floor(value)) return false;
  const auto digits = static_cast<std::uint32_t>(value);
  const std::uint32_t month = digits / 100 % 100, day = digits % 100;
  return month >= 1 && month <= 12 && day >= 1 && day <= 31;
}

// Mixes the bits of a value, as splitmix64 does.
std::uint64_t hash_of(double value) {
  auto bits = std::bit_cast<std::uint64_t>(value);
  bits = (bits ^ bits >> 30) * 0xbf58476d1ce4e5b9;
  bits = (bits ^ bits >> 27) * 0x94d049bb133111eb;
  return bits ^ bits >> 31;
}

std::size_t count_distinct(std::vector<double>& values) {
  std::sort(values.begin(), values.end());
  std::size_t distinct = values.empty() ? 0 : 1;
  for (std::size_t i = 1; i < values.size(); ++i) distinct += values[i] != values[i - 1] ? 1 : 0;
  return distinct;
}

void count_first(SurveyedFeature& feature, double value) {
  const auto end = feature.first_distinct.begin() + feature.distinct;
  if (std::find(feature.first_distinct.begin(), end, value) != end) return;
  if (end != feature.first_distinct.end()) *end = value;
  ++feature.distinct;
}

constexpr std::size_t most_samples = 64, most_sampled = 4096, first_look = 64;

}  // namespace

std::optional<ReadNote> note_on_quotes(const ReadReport& report) {
  if (report.bad_quotes == 0) return std::nullopt;
  return ReadNote{std::to_string(report.bad_quotes) + (report.bad_quotes == 1 ? " row is" : " rows are") +
                      " bad for a quote that is not closed, or stands within a value",
                  "if quotes are plain text, not around values, give " + option("quote", "none")};
}

bool Survey::sorted_by_class() const {
  const double rows = static_cast<double>(rows_);
  double same = 0;  // the probability that two rows are of one class
  for (const Class& its : classes_) same += elementary::pow(static_cast<double>(its.rows) / rows, 2);
  return rows_ >= 20 && (1 - same) * rows >= 8 * static_cast<double>(runs_);
}

void Survey::add(const Block& block) {
  looked_enough_ = looked_enough_ || limits_.rows == 0;
  const std::uint32_t features = std::min(block.features, limits_.features);
  if (features > features_.size() && !looked_enough_) features_.resize(features);
  for (std::size_t i = 0; i < block.rows; ++i) {
    const std::int32_t label = block.label[i];
    ++rows_;
    last_row_ = block.row[i];
    runs_ += label != last_label_ ? 1 : 0;
    last_label_ = label;
    const double weight = block.weight == nullptr ? 1.0 : block.weight[i];
    weights_differ_ = weights_differ_ || (rows_ > 1 && weight != last_weight_);
    last_weight_ = weight;
    if (label >= 0) {
      if (static_cast<std::size_t>(label) >= classes_.size()) classes_.resize(static_cast<std::size_t>(label) + 1);
      Class& its = classes_[static_cast<std::size_t>(label)];
      if (its.rows++ == 0) its.first_row = block.row[i];
    }
    if (looked_enough_) continue;
    ++surveyed_;
    values_ += block.offset[i + 1] - block.offset[i];
    looked_enough_ = surveyed_ == limits_.rows || values_ >= limits_.values;
    largest_squared_norm_ = std::max(largest_squared_norm_, block.squared_norm[i]);
    empty_rows_ += block.offset[i] == block.offset[i + 1] ? 1 : 0;
    block.with_example(i, [&](const auto& x) {
      constexpr std::uint32_t ahead = 16;
      for (std::uint32_t k = 0; k < x.size; ++k) {
        if (k + ahead < x.size) __builtin_prefetch(features_.data() + x.index[k + ahead]);
        if (x.index[k] >= features_.size()) continue;
        const double value = x.value_at(k);
        SurveyedFeature& feature = features_[x.index[k]];
        if (feature.values++ == 0) feature.first_row = x.row;
        feature.nonzeros += value != 0 ? 1 : 0;
        feature.least = std::min(feature.least, value);
        feature.most = std::max(feature.most, value);
        feature.counts_up = feature.counts_up && (feature.values == 1 || value == feature.last + 1);
        feature.ascends = feature.ascends && (feature.values == 1 || value > feature.last);
        feature.last = value;
        if (feature.dates) feature.dates = is_date(value);
        feature.thousandths += ends_in_thousandths(value) ? 1 : 0;
        if (is_in_nines(value) && (feature.rows_of_nines == 0 || value == feature.nines)) {
          feature.nines = value;
          ++feature.rows_of_nines;
        } else {
          feature.least_other = std::min(feature.least_other, value);
          feature.most_other = std::max(feature.most_other, value);
        }
        if (value < 0) {
          if (feature.rows_of_negative == 0) feature.negative = value;
          feature.rows_of_negative += value == feature.negative ? 1 : 0;
          feature.other_negatives = feature.other_negatives || value != feature.negative;
        }
        if (feature.distinct <= feature.first_distinct.size()) count_first(feature, value);
        if (feature.whole) sample(feature, value, x.index[k] == 0);
      }
    });
  }
}

// Numbers below 100 do not name a hundred rows; the first column may name fewer.
void Survey::sample(SurveyedFeature& feature, double value, bool first) {
  feature.whole = value == std::floor(value);
  if (feature.sampled < 0) {
    if (!feature.whole || (std::abs(value) < 100 && !first) || kept_samples_ == most_samples) return;
    feature.sampled = static_cast<std::int32_t>(samples_.size());
    samples_.emplace_back();
    ++kept_samples_;
  }
  Sample& its = samples_[static_cast<std::size_t>(feature.sampled)];
  if (!feature.whole && !its.repeats) give_up(its);
  if (its.repeats || (hash_of(value) & ((std::uint64_t{1} << its.zeros) - 1)) != 0) return;
  its.values.push_back(value);
  if (its.values.size() == most_sampled || (its.zeros == 0 && its.values.size() == first_look)) thin_out(its);
}

// Drops samples of values that repeat, and half of a full sample.
void Survey::thin_out(Sample& sample) {
  if (count_distinct(sample.values) * 4 < sample.values.size() * 3) return give_up(sample);
  if (sample.values.size() < most_sampled) return;
  ++sample.zeros;
  const std::uint64_t mask = (std::uint64_t{1} << sample.zeros) - 1;
  std::erase_if(sample.values, [&](double value) { return (hash_of(value) & mask) != 0; });
}

void Survey::give_up(Sample& sample) {
  sample = {{}, 0, true};
  --kept_samples_;
}

bool Survey::hardly_repeats(std::uint32_t number) const {
  constexpr std::size_t fewest = 20;
  const SurveyedFeature seen = feature(number);
  if (!seen.whole || seen.sampled < 0) return false;
  const Sample& its = samples_[static_cast<std::size_t>(seen.sampled)];
  if (its.repeats || its.values.size() < fewest) return false;
  // A sample of all holds the values from the first of 100 on.
  if (its.zeros == 0 && its.values.size() * 10 < seen.values * 9) return false;
  std::vector<double> values = its.values;
  return count_distinct(values) * 10 >= values.size() * 9;
}

SurveyedFeature Survey::feature(std::uint32_t number) const {
  return number < features_.size() ? features_[number] : SurveyedFeature{};
}

std::vector<SurveyNote> Survey::notes(const Schema& schema, const ReadOptions& options) const {
  return SurveyNotes(*this, schema, options).all();
}

}  // namespace halfspace
