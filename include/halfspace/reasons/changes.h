// What would change a row's label: ranges of columns in which it holds, the distance to the nearest row with another
// label, and the cheapest change that flips it.
//
//   const RowChanges row(model, block, i);
//   if (const auto range = row.range(column)) print(range->least, range->most);
//   const CheapestChange change = row.cheapest({.fixed = {"age"}});
//
// Idea. The label holds while its score exceeds all others. In one column these are half-lines, whose ends are quotients
// of weights and scores; among changes of several numbers with costs by distance the cheapest is a fractional knapsack:
// columns in falling order of weight by cost, each to its limit, the last in part. A category is swapped for another.
//
// Guarantee. Every statement holds exactly for the doubles that are returned: weights and values are rationals, and so
// are scores here, without rounding. A range includes its ends. Where the score that a Predictor computes in doubles lies
// within its rounding of another, it may decide otherwise.
// Cost. range: O(classes) for a number. cheapest: O(classes * columns log columns) for each choice of categories.
// Source: the fractional knapsack is Dantzig's, 1957.
//
// Thread-safety: const functions.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "halfspace/reasons/reasons.h"

namespace halfspace {

// The values of a column with which the label holds, all other columns as they are; the column's own value lies within. Ends
// are rounded inward, mostly to six digits; where a logarithm's rounding could decide, the range ends before.
struct ColumnRange {
  double value = 0;                   // of the row
  std::optional<double> least, most;  // ends; none: every value on that side
};

// Rows nearer than this have the label, by the sum of the differences, the root of the sum of their squares, and the
// largest: over the numbers, each in its own unit, categories as they are. Rounded down.
struct Radius {
  double l1 = 0, l2 = 0, infinity = 0;
};

struct ChangeOptions {
  std::vector<std::string> fixed;  // columns that stay as they are
  struct Limits {
    std::string column;
    std::optional<double> least, most;
  };
  std::vector<Limits> limits;
  // Of a number the cost of a unit, by default 1 for a standard deviation of the training rows (for a unit where the
  // model does not hold it); of a category the cost of another, by default 1.
  std::vector<std::pair<std::string, double>> costs;
};

struct Change {
  std::uint32_t column = 0;                // position in columns()
  double from = 0, to = 0;                 // of a number
  std::string from_category, to_category;  // of a category; empty: a missing one, or one that the model does not know
};

struct CheapestChange {
  bool found = false;    // else no change within the limits flips the label
  bool cheapest = true;  // no cheaper one flips it, up to the digits of the last number; else none was looked for
  double cost = 0;
  std::int32_t label = 0;  // after the change
  std::vector<Change> changes;
  double least_margin = 0;  // if none was found: the lead of the label that all changes leave at least, rounded down
  std::vector<std::string>
      unmoved;  // columns with weights that no change could use: texts, dates, products, missing values
};

class RowChanges {
 public:
  // Row i of a block that was read for the model. Throws Error(usage) as Reasons does, and for rows that are normalised
  // or rounded before they are scored: their values act on one another.
  RowChanges(const Model& model, const Block& block, std::size_t i);
  ~RowChanges();
  RowChanges(RowChanges&&) noexcept;

  std::int32_t label() const;  // by exact scores
  const SourceColumns& columns() const;
  // Returns the value of a number; none for other columns, and where it is missing.
  std::optional<double> value(std::uint32_t column) const;
  // Returns the category; empty if it is missing, or not known to the model. None for other columns.
  std::optional<std::string> category(std::uint32_t column) const;
  // Returns whether the row has no value there; known only of columns that lacked one in training.
  bool is_missing(std::uint32_t column) const;
  // Returns the range of a number; none for other columns, for those in products, and where a column and its logarithm
  // have weights of opposite signs.
  std::optional<ColumnRange> range(std::uint32_t column) const;
  // None if no number has a weight, or where logarithms or products bend the boundary.
  std::optional<Radius> radius() const;
  // Throws Error(usage) for a column that is not there, limits without the row's value, and costs that are no costs.
  CheapestChange cheapest(const ChangeOptions& options) const;

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace halfspace
