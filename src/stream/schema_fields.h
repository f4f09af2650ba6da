// The fields of a schema, as models and caches hold them (docs/formats/model.md, section 1).
#pragma once

#include <cstdint>
#include <string>

#include "halfspace/schema.h"
#include "stream/checks.h"
#include "stream/walk.h"

namespace halfspace::model {

template <class W, class S>
void describe_schema(W& walk, S& schema) {
  walk.choice("format", schema.format, 4, "a data format");
  walk.flag("zero_based", schema.zero_based);
  walk.value("delimiter", schema.delimiter, [](char c) {
    return c != '\0' && c != '\n' && c != '\r' && c != '"' ? std::string() : "no column ends with this byte";
  });
  walk.flag("header", schema.header);
  walk.value("features", schema.features, at_most(std::uint64_t{1} << 31, "the largest number of features"));
  const auto feature = [&](std::uint32_t number) {
    return number < schema.features || number == Column::no_feature
               ? std::string()
               : shown(std::uint64_t{number}) + " is beyond the " + shown(std::uint64_t{schema.features}) + " features";
  };
  walk.list("columns", schema.columns, 29, anything, [&](auto& column, std::uint64_t) {
    walk.text("name", column.name);
    walk.choice("kind", column.kind, 6, "a kind of column");
    walk.value("feature", column.feature, feature);
    walk.value("missing_feature", column.missing_feature, feature);
    walk.list("categories", column.categories, 4, anything,
              [&](auto& name, std::uint64_t) { walk.text("name", name); });
    walk.numbers("features", column.features, exactly(column.categories.size(), "the list of categories"), feature);
  });
  walk.list("labels", schema.labels.names, 4, at_least_one,
            [&](auto& name, std::uint64_t) { walk.text("name", name); });
  walk.numbers("exponents", schema.exponents, at_most(schema.features, "the features"), anything);
  walk.flag("row_normalised", schema.row_normalised);
  walk.flag("single", schema.single);
}

}  // namespace halfspace::model
