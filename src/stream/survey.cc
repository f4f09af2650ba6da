// Watches the rows go by.
#include "halfspace/stream/survey.h"

#include <algorithm>
#include <cmath>

#include "halfspace/base/error.h"
#include "stream/survey_notes.h"

namespace halfspace {
namespace {

bool is_date(double value) {
  if (!(value >= 1900'01'01 && value <= 2100'12'31) || value != std::floor(value)) return false;
  const auto digits = static_cast<std::uint32_t>(value);
  const std::uint32_t month = digits / 100 % 100, day = digits % 100;
  return month >= 1 && month <= 12 && day >= 1 && day <= 31;
}

}  // namespace

std::optional<ReadNote> note_on_quotes(const ReadReport& report) {
  if (report.bad_quotes == 0) return std::nullopt;
  return ReadNote{std::to_string(report.bad_quotes) + (report.bad_quotes == 1 ? " row is" : " rows are") +
                      " bad for a quote that is not closed, or stands within a value",
                  "where quotes are text as any other, rather than around values, say " + option("quote", "none")};
}

void Survey::add(const Block& block) {
  const std::uint32_t features = std::min(block.features, most_features_);
  if (features > features_.size() && surveyed_ < most_rows_) features_.resize(features);
  for (std::size_t i = 0; i < block.rows; ++i) {
    const std::int32_t label = block.label[i];
    ++rows_;
    runs_ += label != last_label_ ? 1 : 0;
    last_label_ = label;
    if (label >= 0) {
      if (static_cast<std::size_t>(label) >= classes_.size()) classes_.resize(static_cast<std::size_t>(label) + 1);
      Class& its = classes_[static_cast<std::size_t>(label)];
      if (its.rows++ == 0) its.first_row = block.row[i];
    }
    if (surveyed_ == most_rows_) continue;
    ++surveyed_;
    largest_squared_norm_ = std::max(largest_squared_norm_, block.squared_norm[i]);
    empty_rows_ += block.offset[i] == block.offset[i + 1] ? 1 : 0;
    block.with_example(i, [&](const auto& x) {
      for (std::uint32_t k = 0; k < x.size; ++k) {
        if (x.index[k] >= features_.size()) continue;
        const double value = x.value_at(k);
        SurveyedFeature& feature = features_[x.index[k]];
        if (feature.values++ == 0) feature.first_row = x.row;
        feature.nonzeros += value != 0 ? 1 : 0;
        feature.least = std::min(feature.least, value);
        feature.most = std::max(feature.most, value);
        feature.counts_up = feature.counts_up && (feature.values == 1 || value == feature.last + 1);
        feature.last = value;
        if (feature.dates) feature.dates = is_date(value);
      }
    });
  }
}

SurveyedFeature Survey::feature(std::uint32_t number) const {
  return number < features_.size() ? features_[number] : SurveyedFeature{};
}

std::vector<SurveyNote> Survey::notes(const Schema& schema, const ReadOptions& options) const {
  return SurveyNotes(*this, schema, options).all();
}

}  // namespace halfspace
