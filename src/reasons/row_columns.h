// A row by its columns: the numbers and categories of the data, in their own units, over the exact scores.
//
// Thread-safety: const functions.
#pragma once

#include <gmpxx.h>

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "halfspace/reasons/reasons.h"
#include "reasons/exact_row.h"

namespace halfspace::reasons {

class RowColumns {
 public:
  RowColumns(const Model& model, const Block& block, std::size_t i);

  const ExactRow& exact() const { return exact_; }
  const SourceColumns& columns() const { return columns_; }
  const Schema& schema() const { return schema_; }

  // A number that is not missing. Its logarithm is part of it.
  bool is_number(std::uint32_t column) const;
  double number(std::uint32_t column) const;
  // The number has a logarithm with a weight: the score is no straight line in it.
  bool is_curved(std::uint32_t column) const;
  // The column and its logarithm do not pull in opposite directions, whatever the rival.
  bool is_monotone(std::uint32_t column) const;
  // By how much a unit of the column, without its logarithm, adds to the lead over a rival.
  mpq_class slope(std::uint32_t column, std::size_t rival) const;
  // Whether any feature of the column has a weight that tells the label from a rival.
  bool has_weight(std::uint32_t column) const { return has_weight_[column]; }

  // The features of a number at this value.
  NewValues features_at(std::uint32_t column, double value) const;
  // Whether the label holds with this number, all else as it is; `clearly`: by more than a logarithm is rounded.
  bool holds_at(std::uint32_t column, double value) const;
  bool holds_clearly(std::uint32_t column, double value) const;
  // Of a curved, monotone number: the last double of a side that clearly holds, and the first found beyond it that does
  // not. None: every value holds.
  std::optional<std::pair<double, double>> last_that_holds(std::uint32_t column, bool up) const;

  // A category, by its position in the schema's column. Texts are empty for one that is missing or not known.
  std::optional<std::string> category(std::uint32_t column) const;
  const Column* categories(std::uint32_t column) const;  // null: not a column of categories
  bool is_missing(std::uint32_t column) const;           // by its indicator
  // The features of the row of another category.
  NewValues features_with(std::uint32_t column, std::size_t category) const;

  // The standard deviation of a number in the training rows; 0 if it is not known.
  double deviation(std::uint32_t column) const;

 private:
  std::optional<std::size_t> category_number(std::uint32_t column) const;
  int exponent(std::uint32_t feature) const {
    return feature < schema_.exponents.size() ? schema_.exponents[feature] : 0;
  }
  const Column* source(std::uint32_t column) const;

  const Schema& schema_;
  const Model& model_;
  SourceColumns columns_;
  ExactRow exact_;
  std::vector<bool> has_weight_;  // by column
};

}  // namespace halfspace::reasons
