// From column names and the user's wishes to what each column of a CSV file is for.
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

  // The columns that give features, in the schema's order, so that equal rows give equal bits whatever the file's
  // order.
  struct Feature {
    std::uint32_t field;    // in the file
    std::uint32_t column;   // in the schema
    std::uint32_t feature;  // of a numeric column
    bool numeric;
    std::uint32_t ngrams = 0;  // of a text column; 0: it is none
    bool binary = false;
    TextTokens tokens = TextTokens::words;
    std::optional<DateOrder> date{};  // of dates; none: they are none
  };
  std::vector<Feature> features;

  // The same, in runs: numeric columns that stand together in the file and in the schema, or one that is not numeric.
  struct Run {
    std::uint32_t field, count;
    std::uint32_t column;   // in the schema, of the first
    std::uint32_t feature;  // of the first
    bool numeric;
    std::uint32_t ngrams;  // of a text column; 0: it is none
    bool binary;
    TextTokens tokens;
    std::optional<DateOrder> date;
    std::uint32_t rank;  // of the first, among the features

    // The column of a run that is not numeric.
    Feature only() const { return {field, column, feature, numeric, ngrams, binary, tokens, date}; }
  };
  std::vector<Run> runs;

  // Pairs of features that are multiplied, by their places in `features`.
  struct Product {
    std::uint32_t column;   // in the schema
    std::uint32_t feature;  // of two numbers
    std::uint32_t first, second;
  };
  std::vector<Product> products;
  std::uint32_t label = no_field, weight = no_field;  // fields of the file
  std::vector<std::uint32_t> kept;                    // of ColumnOptions::keep, each once
};

// The fields of the columns in ColumnOptions::keep, each once. Throws Error(usage) for one that is not there.
std::vector<std::uint32_t> kept_fields(const ReadOptions& options, const std::vector<std::string>& names);

// Columns for a new schema: names, and kinds as far as the options say. Gives those still to be told apart; numeric so
// far. The columns that are `empty` are not taken for the label as the last ones. Throws Error(usage) for a column that is
// not there or has two roles.
std::vector<std::uint32_t> assign_new_columns(const ReadOptions& options, const std::vector<std::string>& names,
                                              Schema& schema, const std::vector<bool>& empty = {});

// Numbers, once the kinds are known, the numeric features in column order, and adds the products that the options ask for.
// Throws Error(usage) for a product that cannot be.
ColumnPlan number_new_features(const ReadOptions& options, std::vector<std::string> names, Schema& schema);

// Matches the file's columns with those of the schema: by name when both have a header (the file's: `header`), else by
// position. Throws
// Error(data) that lists the columns that are missing, or too many.
ColumnPlan match_columns(const ReadOptions& options, bool header, std::vector<std::string> names, const Schema& schema);

}  // namespace halfspace::stream
