#include "halfspace/schema.h"

#include <string>

namespace halfspace {

std::vector<std::string> Schema::feature_names() const {
  std::vector<std::string> names(features);
  if (format == DataFormat::libsvm || columns.empty()) {
    for (std::uint32_t j = 0; j < features; ++j) names[j] = std::to_string(std::uint64_t{j} + (zero_based ? 0 : 1));
    return names;
  }
  const auto name = [&](std::uint32_t feature, const std::string& text) {
    if (feature < features) names[feature] = text;
  };
  for (const Column& column : columns) {
    name(column.feature, column.name);
    name(column.missing_feature, column.name + "=?");
    for (std::size_t k = 0; k < column.features.size() && k < column.categories.size(); ++k) {
      name(column.features[k], column.name + "=" + column.categories[k]);
    }
  }
  return names;
}

}  // namespace halfspace
