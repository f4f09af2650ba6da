// Computes logarithms of columns, and declares them.
#include "stream/columns/logarithms.h"

#include <algorithm>
#include <limits>
#include <span>

#include "halfspace/base/error.h"
#include "halfspace/detail/base/elementary.h"
#include "stream/text/text.h"

namespace halfspace::stream {

std::string name_of_logarithm(const std::string& column) { return "log(" + column + ")"; }

bool has_logarithm(const Schema& schema, std::uint32_t number) {
  return std::any_of(schema.columns.begin(), schema.columns.end(),
                     [&](const Column& column) { return column.is_logarithm() && column.first == number; });
}

void declare_logarithms(const std::vector<LogarithmOf>& of, Schema& schema) {
  for (const LogarithmOf& one : of) {
    const auto found = std::find_if(schema.columns.begin(), schema.columns.end(), [&](const Column& column) {
      return column.kind == Column::Kind::numeric && column.name == one.column;
    });
    if (found == schema.columns.end()) {
      throw Error(ErrorKind::usage, "there is no numeric column " + quote(one.column) + " to take the logarithm of")
          .fix("name a numeric column");
    }
    Column logarithm;
    logarithm.name = name_of_logarithm(one.column);
    logarithm.kind = Column::Kind::product;
    logarithm.first = static_cast<std::uint32_t>(found - schema.columns.begin());
    logarithm.feature = schema.features++;
    logarithm.least = one.least;
    logarithm.unit = one.unit;
    schema.columns.push_back(std::move(logarithm));
  }
}

void insert_logarithms(const std::vector<LogarithmOf>& of, Schema& schema, std::vector<std::uint32_t>& feature) {
  if (of.empty()) return;
  std::uint32_t first = 0;
  for (const Column& column : schema.columns) {
    if (column.feature == Column::no_feature) continue;
    first = std::max(first, column.feature + (column.kind == Column::Kind::date ? 3 : 1));
  }
  const auto count = static_cast<std::uint32_t>(of.size());
  const auto moved = [&](std::uint32_t j) { return j == Column::no_feature || j < first ? j : j + count; };
  for (std::uint32_t j = 0; j < schema.features; ++j) feature.push_back(moved(j));
  const std::uint32_t features = schema.features;
  schema.features = first;
  // Members of JSON Lines that are no columns stay the last column.
  std::vector<Column> others;
  if (!schema.columns.empty() && schema.columns.back().name.empty()) {
    others.push_back(std::move(schema.columns.back()));
    schema.columns.pop_back();
  }
  declare_logarithms(of, schema);
  schema.columns.insert(schema.columns.end(), others.begin(), others.end());
  schema.features = features + count;
  for (Column& column : schema.columns) {
    column.missing_feature = moved(column.missing_feature);
    for (std::uint32_t& j : column.features) j = moved(j);
  }
}

double logarithm_of(double x, double least, double unit) {
  if (!(x > least)) return 0;
  return elementary::log1p(std::min(x / unit - least / unit, std::numeric_limits<double>::max()));
}

Logarithms::Logarithms(const Schema& schema, bool sparse) : sparse_(sparse) {
  for (const Column& column : schema.columns) {
    if (!column.is_logarithm()) continue;
    const Column& from = schema.columns[column.first];
    if (from.feature == Column::no_feature) continue;
    if (from.feature >= by_feature_.size()) by_feature_.resize(from.feature + std::size_t{1}, Column::no_feature);
    by_feature_[from.feature] = static_cast<std::uint32_t>(columns_.size());
    columns_.push_back({from.feature, from.missing_feature, column.feature, column.least, column.unit});
  }
}

bool Logarithms::gives(std::uint32_t feature) const noexcept {
  return std::any_of(columns_.begin(), columns_.end(), [&](const Of& of) { return of.logarithm == feature; });
}

void Logarithms::add_to_row(BlockBuffer& rows) const {
  if (columns_.empty()) return;
  const std::size_t begin = rows.offsets().back(), end = rows.indices().size();
  const auto any = [&](auto&& wanted) {
    for (std::size_t k = begin; k < end; ++k) {
      if (wanted(rows.indices()[k], rows.values()[k])) return true;
    }
    return false;
  };
  const auto missing = [&](const Of& of) {
    return of.missing != Column::no_feature &&
           any([&](std::uint32_t j, double value) { return j == of.missing && value != 0; });
  };
  std::size_t left = columns_.size();
  for (std::size_t k = begin; k < end; ++k) {
    const std::uint32_t j = rows.indices()[k];
    if (j >= by_feature_.size() || by_feature_[j] == Column::no_feature) continue;
    const Of& of = columns_[by_feature_[j]];
    const double value = rows.values()[k];
    --left;
    if (!sparse_ || value != 0 || !missing(of)) rows.add(of.logarithm, logarithm_of(value, of.least, of.unit));
  }
  if (left == 0 || !sparse_) return;
  for (const Of& of : columns_) {
    const double of_zero = logarithm_of(0, of.least, of.unit);
    if (of_zero != 0 && !any([&](std::uint32_t j, double) { return j == of.value; }) && !missing(of))
      rows.add(of.logarithm, of_zero);
  }
}

}  // namespace halfspace::stream
