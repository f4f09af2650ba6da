// Why a row got its label: what each column contributes to the score.
#pragma once

namespace halfspace {

// Returns what a feature contributes to a score: weight * (value - reference). The reference is the value of a row that
// the row is compared with; 0 where the model holds none.
//
// A column contributes the sum over its features: the value or the indicator of a missing one, the category, the
// logarithm of the column. A product of columns is a column of its own. Towards the label of two classes the
// contribution is that sum, negated where the label is the negative class; of several classes, the sum to the label's
// own score. The first reason is the column with the largest contribution towards the label, the first such column of
// the model; none if that is not above 0.
constexpr double contribution(double weight, double value, double reference = 0) {
  return weight * (value - reference);
}

}  // namespace halfspace
