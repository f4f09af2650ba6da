// Names of features, and a schema as it stood earlier.
#include "halfspace/stream/schema.h"

#include <algorithm>
#include <utility>

#include "stream/columns/hashed_names.h"
#include "stream/formats/format_entry.h"

namespace halfspace {

std::size_t factors_of_product(std::string_view column) noexcept {
  return 1 + static_cast<std::size_t>(std::count(column.begin(), column.end(), ':'));
}

std::string stream::category_name(const Schema& schema, const Column& column, std::string_view category) {
  const FormatEntry& entry = entry_of(schema.format);
  if (column.kind == Column::Kind::product) {
    const Column &first = schema.columns[column.first], &second = schema.columns[column.second];
    const bool number = first.kind == Column::Kind::numeric;
    const bool of_number = !number && second.kind == Column::Kind::numeric;
    return (number ? column.name : first.name) + "=" + std::string(category) + (of_number ? ":" + second.name : "");
  }
  if (column.kind == Column::Kind::date) return column.name + "." + std::string(category);
  const bool namespaces = entry.columns == ColumnsAre::namespaces;
  const bool tokens = namespaces || column.kind == Column::Kind::text;
  const bool pair = namespaces && column.name.find(':') != std::string::npos;  // its products are named whole
  const bool bare = pair || (column.name.empty() && (namespaces || entry.rest_in_last_column));
  return (bare ? "" : column.name + (tokens ? "^" : "=")) + std::string(category);
}

std::vector<std::string> default_missing() { return {"-", "?", "N/A", "NA", "NaN", "None", "nan", "null"}; }

namespace {

// Names products of namespaces after their factors: user^x*item^y.
void name_products(const Column& column, std::vector<std::string>& names) {
  const std::size_t count = factors_of_product(column.name);
  for (std::size_t k = 0; k < column.features.size() && (k + 1) * count <= column.products.size(); ++k) {
    if (column.features[k] >= names.size()) continue;
    std::string name;
    for (std::size_t f = 0; f < count; ++f) {
      const std::uint32_t factor = column.products[k * count + f];
      if (f > 0) name += '*';
      if (factor < names.size()) name += names[factor];
    }
    names[column.features[k]] = std::move(name);
  }
}

// Names the features of the table of hashed names.
void name_hashed(const Schema& schema, std::vector<std::string>& names) {
  const std::uint32_t first = schema.first_hashed();
  std::size_t k = 0;
  for (const std::string_view name : schema.hashed.names) {
    std::string& shared = names[schema.hashed.features[k++]];
    if (!shared.empty()) shared += " or ";
    shared += name;
  }
  for (std::uint32_t j = first; j < schema.features; ++j) {
    if (names[j].empty()) names[j] = "hash:" + std::to_string(j - first);
  }
}

}  // namespace

std::vector<std::string> Schema::feature_names() const {
  std::vector<std::string> names(features);
  const stream::FormatEntry& entry = stream::entry_of(format);
  if (hashed.bits == 0 && (entry.columns == stream::ColumnsAre::none || columns.empty())) {
    for (std::uint32_t j = 0; j < features; ++j) names[j] = std::to_string(std::uint64_t{j} + (zero_based ? 0 : 1));
    return names;
  }
  const auto name = [&](std::uint32_t feature, std::string text) {
    if (feature < features) names[feature] = std::move(text);
  };
  for (const Column& column : columns) {
    if (column.kind == Column::Kind::date) {
      const char* const parts[] = {".year", ".month", ".day"};
      for (std::uint32_t i = 0; i < 3; ++i) name(column.feature + i, column.name + parts[i]);
    } else {
      name(column.feature, column.name);
    }
    name(column.missing_feature, column.name + "=?");
    std::size_t k = 0;
    for (const std::string_view category : column.categories) {
      if (k == column.features.size()) break;
      name(column.features[k++], stream::category_name(*this, column, category));
    }
  }
  for (const Column& column : columns) {
    if (!column.products.empty()) name_products(column, names);
  }
  if (hashed.bits != 0) name_hashed(*this, names);
  return names;
}

void Schema::trim(std::uint32_t seen) {
  const stream::FormatEntry& entry = stream::entry_of(format);
  if (entry.columns == stream::ColumnsAre::pixels || hashed.bits != 0) return;  // they are there from the start
  for (const Column& column : columns) {
    const bool numbers = column.kind == Column::Kind::numeric || column.kind == Column::Kind::product;
    if (numbers && column.feature != Column::no_feature) {
      seen = std::max(seen, column.feature + 1);
    }
    if (column.kind == Column::Kind::date) seen = std::max(seen, column.feature + 3);
    // What the rows were counted for is known before the first of them is learned from.
    for (std::size_t k = 0; k < column.factors.size(); ++k) {
      if (column.factors[k] != column.unseen_factor) seen = std::max(seen, column.features[k] + 1);
    }
  }
  for (Column& column : columns) {
    if (column.missing_feature != Column::no_feature && column.missing_feature >= seen) {
      column.missing_feature = Column::no_feature;
    }
    while (!column.features.empty() && column.features.back() >= seen) {  // numbered in order of first appearance
      column.features.pop_back();
      if (column.products.empty()) {
        column.categories.pop_back();
      } else {
        column.products.resize(column.products.size() - factors_of_product(column.name));
      }
      if (!column.factors.empty()) column.factors.pop_back();
    }
  }
  const auto made_by_names = [&](const Column& column) {
    return entry.columns == stream::ColumnsAre::namespaces || (entry.rest_in_last_column && column.name.empty());
  };
  const auto goes = [&](const Column& column) {
    return made_by_names(column) && column.features.empty() && column.kind != Column::Kind::dropped;
  };
  while (!columns.empty() && goes(columns.back())) columns.pop_back();
  features = std::min(features, seen);
}

}  // namespace halfspace
