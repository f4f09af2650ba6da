// Turns values of columns into values of features, and back.
#include "reasons/row_columns.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "stream/columns/logarithms.h"

namespace halfspace::reasons {
namespace {

constexpr std::uint32_t none = Column::no_feature;

}  // namespace

RowColumns::RowColumns(const Model& model, const Block& block, std::size_t i)
    : schema_(model.schema),
      model_(model),
      columns_(model.schema),
      exact_(model, block, i),
      has_weight_(columns_.columns.size()) {
  for (std::uint32_t f = 0; f < columns_.of_feature.size(); ++f) {
    for (std::size_t r = 0; r < exact_.rivals().size(); ++r) {
      if (exact_.rounded_slope(f, r) != 0) has_weight_[columns_.of_feature[f]] = true;
    }
  }
}

const Column* RowColumns::source(std::uint32_t column) const {
  const SourceColumns::Column& c = columns_.columns[column];
  return c.from.size() == 1 ? &schema_.columns[c.from[0]] : nullptr;
}

bool RowColumns::is_missing(std::uint32_t column) const {
  const Column* const from = source(column);
  return from != nullptr && from->missing_feature != none && exact_.value(from->missing_feature) != 0;
}

bool RowColumns::is_number(std::uint32_t column) const {
  return columns_.columns[column].feature != none && !is_missing(column);
}

double RowColumns::number(std::uint32_t column) const {
  const std::uint32_t feature = columns_.columns[column].feature;
  return std::ldexp(exact_.value(feature), -exponent(feature));
}

bool RowColumns::is_curved(std::uint32_t column) const {
  const std::uint32_t logarithm = columns_.columns[column].logarithm;
  if (logarithm == none) return false;
  const std::uint32_t feature = schema_.columns[logarithm].feature;
  for (std::size_t r = 0; r < exact_.rivals().size(); ++r) {
    if (exact_.rounded_slope(feature, r) != 0) return true;
  }
  return false;
}

bool RowColumns::is_monotone(std::uint32_t column) const {
  const SourceColumns::Column& c = columns_.columns[column];
  for (std::size_t r = 0; r < exact_.rivals().size(); ++r) {
    const double straight = exact_.rounded_slope(c.feature, r);
    const double bent = exact_.rounded_slope(schema_.columns[c.logarithm].feature, r);
    if ((straight > 0 && bent < 0) || (straight < 0 && bent > 0)) return false;
  }
  return true;
}

mpq_class RowColumns::slope(std::uint32_t column, std::size_t rival) const {
  const std::uint32_t feature = columns_.columns[column].feature;
  mpq_class slope = exact_.slope(feature, rival);
  const int power = exponent(feature);  // of two, which may be beyond the doubles
  const auto bits = static_cast<mp_bitcnt_t>(std::abs(power));
  if (power > 0) mpq_mul_2exp(slope.get_mpq_t(), slope.get_mpq_t(), bits);
  if (power < 0) mpq_div_2exp(slope.get_mpq_t(), slope.get_mpq_t(), bits);
  return slope;
}

NewValues RowColumns::features_at(std::uint32_t column, double value) const {
  const SourceColumns::Column& c = columns_.columns[column];
  NewValues changed{{c.feature, std::ldexp(value, exponent(c.feature))}};
  if (c.logarithm != none) {
    const Column& of = schema_.columns[c.logarithm];
    changed.emplace_back(of.feature, std::ldexp(stream::logarithm_of(value, of.least, of.unit), exponent(of.feature)));
  }
  return changed;
}

bool RowColumns::holds_at(std::uint32_t column, double value) const {
  const NewValues changed = features_at(column, value);
  if (!are_finite(changed)) return false;
  for (std::size_t r = 0; r < exact_.rivals().size(); ++r) {
    if (!exact_.holds(r, exact_.lead(r, changed))) return false;
  }
  return true;
}

bool RowColumns::holds_clearly(std::uint32_t column, double value) const {
  const NewValues changed = features_at(column, value);
  if (!are_finite(changed)) return false;
  const auto& [feature, logarithm] = changed.back();
  const mpq_class rounding = mpq_class(std::abs(logarithm)) * mpq_class(0x1p-50);
  for (std::size_t r = 0; r < exact_.rivals().size(); ++r) {
    if (exact_.lead(r, changed) <= abs(exact_.slope(feature, r)) * rounding) return false;
  }
  return true;
}

std::optional<std::pair<double, double>> RowColumns::last_that_holds(std::uint32_t column, bool up) const {
  constexpr double farthest = 1e300;
  const double x = number(column);
  double holds = x, step = std::max(std::abs(x) * 0x1p-10, 0x1p-10), fails = x;
  for (;;) {
    fails = up ? x + step : x - step;
    if (std::abs(fails) > farthest) return std::nullopt;
    if (!holds_clearly(column, fails)) break;
    holds = fails;
    step *= 2;
  }
  for (;;) {
    const double middle = holds + (fails - holds) / 2;
    if (middle == holds || middle == fails) return std::pair(holds, fails);
    (holds_clearly(column, middle) ? holds : fails) = middle;
  }
}

const Column* RowColumns::categories(std::uint32_t column) const {
  const Column* const from = source(column);
  return from != nullptr && from->kind == Column::Kind::categorical && !from->features.empty() ? from : nullptr;
}

std::optional<std::size_t> RowColumns::category_number(std::uint32_t column) const {
  const Column& from = *categories(column);
  for (std::size_t k = 0; k < from.features.size(); ++k) {
    if (from.features[k] != none && exact_.value(from.features[k]) != 0) return k;
  }
  return std::nullopt;
}

std::optional<std::string> RowColumns::category(std::uint32_t column) const {
  const Column* const from = categories(column);
  if (from == nullptr) return std::nullopt;
  const auto k = category_number(column);
  return k ? std::string(from->categories[*k]) : std::string();
}

NewValues RowColumns::features_with(std::uint32_t column, std::size_t category) const {
  const Column& from = *categories(column);
  NewValues changed;
  for (const std::uint32_t feature : from.features) {
    if (feature != none && exact_.value(feature) != 0) changed.emplace_back(feature, 0.0);
  }
  if (from.missing_feature != none && exact_.value(from.missing_feature) != 0)
    changed.emplace_back(from.missing_feature, 0.0);
  const std::uint32_t feature = from.features[category];
  changed.emplace_back(feature, std::ldexp(1.0, exponent(feature)));
  return changed;
}

double RowColumns::deviation(std::uint32_t column) const {
  const std::uint32_t feature = columns_.columns[column].feature;
  return feature == none || !model_.spread ? 0 : std::ldexp(model_.spread->deviation(feature), -exponent(feature));
}

}  // namespace halfspace::reasons
