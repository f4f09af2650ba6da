// Columns centred and scaled for a minimum, whose weights are then given for the data's own values.
//
// Idea. A penalty on weights means little where one column is in grams and another in years, and a solver goes far in
// few steps only where columns are alike. The minimum is that over z = (x - m) / s in place of x; as the scores are
// linear in x, too, the weights w = v / s and the bias b - sum of v m / s give every row the same score.
// A column that is 0 in most rows is scaled only: with a centre, no row would be sparse.
//
//   m, s: mean and deviation, each row by its weight;
//   0 in more than half of the rows: m = 0, s the root of the mean of the squares of the other values;
//   only one value apart from 0: m = 0, s that value, so that z is 0 or 1;
//   one value in all rows: m is that value, so that z is 0, if there is a bias;
//   of a table, features that are not numeric columns (words, categories): as they are, where they are 0 in more than half
//   of the rows. Without columns, as in LIBSVM, every feature is a numeric column.
// A missing number stands at the centre, z = 0, and so does its logarithm, where there is one: the weight of the indicator
// that it is missing receives v m / s of each.
//
// Cost: one pass over the rows, and a copy of them. Thread-safety: a value type.
#pragma once

#include <cstdint>
#include <vector>

#include "halfspace/detail/linear/state.h"
#include "halfspace/rules/composition.h"
#include "halfspace/stream/rows.h"
#include "halfspace/stream/schema.h"

namespace halfspace::training {

// Rejects what has no weights to be turned back: kernels and votes.
void check_standard(const Composition& composition);

class StandardColumns {
 public:
  // Measures the columns on these rows. `centre`: there is a bias to take up what a centre takes away.
  StandardColumns(const Rows& rows, const Schema& schema, bool centre);

  // Returns the rows with z in place of x, sealed.
  Rows applied(const Rows& rows, const RowsOptions& memory) const;
  // Turns weights of z into weights of x that give each row the same score. `bias`: the value of the bias feature.
  void undo(ClassWeightVector& weights, double bias) const;
  // Returns the largest centre, in deviations of its column.
  double largest_centre() const;

 private:
  struct Standard {
    double centre = 0, scale = 1;
    std::uint32_t missing = Column::no_feature;  // the indicator of a missing value
    bool centred = false;
  };
  std::vector<Standard> columns_;       // by feature
  std::vector<std::uint32_t> centred_;  // those whose z is not 0 where x is
  // By feature: of an indicator of a missing value, the centred features that are then missing.
  std::vector<std::vector<std::uint32_t>> values_of_;
};

}  // namespace halfspace::training
