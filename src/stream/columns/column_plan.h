// Decides what each column of a CSV file is for, from column names and options.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "halfspace/stream/reader.h"
#include "halfspace/stream/schema.h"

namespace halfspace::stream {

constexpr std::uint32_t no_field = 0xffffffff;

// The uses of the file's columns. Made by schema inference, read by every parse.
struct ColumnPlan {
  std::vector<std::string> names;  // of the file's columns, in file order

  // The columns with features, in the schema's order, so that equal rows give equal bits for any column order.
  struct Feature {
    std::uint32_t field;    // in the file
    std::uint32_t column;   // in the schema
    std::uint32_t feature;  // of a numeric column
    bool numeric;
    std::uint32_t ngrams = 0;  // of a text column; else 0
    bool binary = false;
    TextTokens tokens = TextTokens::words;
    std::optional<DateOrder> date{};  // of a date column; else empty
  };
  std::vector<Feature> features;

  // The same, in runs: numeric columns that are adjacent in the file and in the schema, or one other column.
  struct Run {
    std::uint32_t field, count;
    std::uint32_t column;   // in the schema, of the first
    std::uint32_t feature;  // of the first
    bool numeric;
    std::uint32_t ngrams;  // of a text column; else 0
    bool binary;
    TextTokens tokens;
    std::optional<DateOrder> date;
    std::uint32_t rank;  // of the first, among the features

    // Returns the column of a run that is not numeric.
    Feature only() const { return {field, column, feature, numeric, ngrams, binary, tokens, date}; }
  };
  std::vector<Run> runs;

  // Pairs of features to multiply, as indices into `features`.
  struct Product {
    std::uint32_t column;   // in the schema
    std::uint32_t feature;  // of two numbers
    std::uint32_t first, second;
  };
  std::vector<Product> products;
  std::uint32_t label = no_field, weight = no_field;  // fields of the file
  std::vector<std::uint32_t> kept;                    // fields of ColumnOptions::keep, without duplicates
};

// Returns the fields of the columns in ColumnOptions::keep, without duplicates. Throws Error(usage) for an unknown
// column.
std::vector<std::uint32_t> kept_fields(const ReadOptions& options, const std::vector<std::string>& names);

// Creates the columns of a new schema: names, and kinds as far as the options define them. Returns those whose kind is
// still open; numeric so far. Columns that are `empty` are not used as the default label. Throws Error(usage) for an
// unknown column or one with two roles.
std::vector<std::uint32_t> assign_new_columns(const ReadOptions& options, const std::vector<std::string>& names,
                                              Schema& schema, const std::vector<bool>& empty = {});

// Numbers the numeric features in column order, once the kinds are known, and adds the products and logarithms of the options. Throws
// Error(usage) for an impossible product.
ColumnPlan number_new_features(const ReadOptions& options, std::vector<std::string> names, Schema& schema);

// Tells whether weights are ignored, and their column may be absent.
inline bool ignores_weights(const LabelOptions& labels) { return labels.ignore || labels.ignore_weights; }

// Takes the columns that the options ignore, label or weight, out of the plan.
inline void ignore_columns(const LabelOptions& labels, ColumnPlan& plan) {
  if (labels.ignore) plan.label = no_field;
  if (ignores_weights(labels)) plan.weight = no_field;
}

// Matches the file's columns with those of the schema: by name if both have a header (the file's: `header`), else by
// position. Throws Error(data) with a list of the columns that are missing, or too many.
ColumnPlan match_columns(const ReadOptions& options, bool header, std::vector<std::string> names, const Schema& schema);

}  // namespace halfspace::stream
