// The terms of a score in the order in which Predictor adds them, for exports that compute it from a table's columns.
//
// A row of a table has one term for each column with features: its value, its category, or the indicator that it is
// missing. Products and logarithms follow, where none of their columns is missing. A row lacks the terms of categories
// that the model does not know, and of missing values where it knows none; those after them move up.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "halfspace/train/model.h"
#include "model/linear_part.h"

namespace halfspace::model {

// A category, or a pair of them, and its feature.
struct TermCase {
  std::string first, second;
  std::uint32_t feature;
};

struct RowTerm {
  // number: feature * value. category: one of `cases`. date: feature and the next two * year, month and day; `cases`:
  // weekday=Mon to weekday=Sun, and the seconds of a time. product: feature * value * value. by_category: a number times
  // the feature of a category. pair: one of `cases`, of two categories. logarithm: feature * log of the value.
  enum class Kind : std::uint8_t { number, category, date, product, by_category, pair, logarithm };

  Kind kind = Kind::number;
  std::uint32_t column = 0;             // of the schema
  std::uint32_t first = 0, second = 0;  // columns; by_category: the number's, the category's
  std::uint32_t feature = Column::no_feature, missing = Column::no_feature;
  std::vector<TermCase> cases;

  // Returns whether it is computed from other columns' values.
  bool derived() const { return kind > Kind::date; }
  bool of_categories() const { return kind == Kind::category || kind == Kind::by_category || kind == Kind::pair; }
  // Returns whether a row may lack the term.
  bool optional() const { return kind != Kind::number || missing == Column::no_feature; }
};

// Returns the terms. Throws Error(usage) for models that are not of tables, or have columns of text or hashed names, and
// for dates unless the format has `dates`.
std::vector<RowTerm> row_terms(const Model& model, const std::string& format, bool dates = false);

// Returns the columns that the terms read: numbers, categories and dates, in the schema's order.
std::vector<std::uint32_t> columns_of_terms(const std::vector<RowTerm>& terms);

}  // namespace halfspace::model
