// Why a model gives a row its label: the contribution of each column to the score.
//
//   Reasons reasons(model, reference_at_means(model));
//   reasons.of(block, i, {.label = 1, .other = 0}, row);
//   for (const Contribution& c : reasons.for_the_label(row, 3)) print(reasons.columns()[c.column], c.value);
//
// Idea. The score of a linear model is a sum. Against a reference row x0 a column contributes the sum of w_j (x_j - x0_j)
// over its features j: the value, the indicators of its categories and of a missing value, its logarithm. A product of two
// columns contributes on its own. Of two classes the score is that of the positive one; multiclass, it is the
// score of the label less that of another class, such as the runner-up.
//
// Guarantee. In exact arithmetic contributions add up to the score of the row less that of the reference. They are the
// Shapley values of the score if features are independent and the reference is their mean.
// Cost. O(features that the row or the reference has) for each row; O(features) memory.
// Source: Lundberg and Lee, "A unified approach to interpreting model predictions", 2017, corollary 1.
//
// Thread-safety: one Reasons per thread.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "halfspace/kernels/example.h"
#include "halfspace/stream/schema.h"
#include "halfspace/train/model.h"

namespace halfspace {

// The columns that features come from. Features without a column, as those of LIBSVM or of hashed names, and the names
// of a namespace are columns of their own.
struct SourceColumns {
  explicit SourceColumns(const Schema& schema);

  struct Column {
    std::string name;
    std::vector<std::uint32_t> from;  // positions in schema.columns: one, two of a product; none: a feature of its own
    std::uint32_t feature = halfspace::Column::no_feature;    // the value of a number
    std::uint32_t logarithm = halfspace::Column::no_feature;  // position in schema.columns
    bool in_products = false;
  };
  std::vector<Column> columns;
  std::vector<std::uint32_t> of_feature;

 private:
  void mark_products(const Schema& schema);
};

// The row that others are compared with: its values by feature, as the weights act on them; 0 beyond its last one.
struct Reference {
  std::vector<double> values;
  std::string words;  // what it is
};
Reference reference_at_zero();
// The means of the training rows. Throws Error(usage) for a model that does not hold them: of very many features.
Reference reference_at_means(const Model& model);
// Row i of a block that was read for the model.
Reference reference_at(const Block& block, std::size_t i, std::string words);

struct Contribution {
  std::uint32_t column;  // position in Reasons::columns()
  double value;
};

// The classes whose scores are compared: the label and, multiclass, another one; of two the score is always that
// of the positive one.
struct ComparedClasses {
  std::int32_t label = 0, other = 0;
};

struct RowReasons {
  ComparedClasses classes;
  double score = 0, reference = 0;          // of the row, and of the reference
  std::vector<Contribution> contributions;  // those that are not 0, in the order of the columns
};

class Reasons {
 public:
  // Throws Error(usage) for a model without weights by feature: votes, curved kernels, a single class.
  Reasons(const Model& model, Reference reference);

  const SourceColumns& columns() const noexcept { return columns_; }
  const Reference& reference() const noexcept { return reference_; }

  // Returns the classes to compare: the label, and the class with the largest of the other scores (as by
  // Predictor::score_all).
  static ComparedClasses with_runner_up(std::int32_t label, std::span<const double> scores);
  // Computes the contributions to the score of row i.
  void of(const Block& block, std::size_t i, ComparedClasses classes, RowReasons& out);
  // Returns at most `most` contributions that speak for the label, the largest first.
  std::vector<Contribution> for_the_label(const RowReasons& row, std::size_t most) const;

 private:
  double weight(std::uint32_t feature, ComparedClasses classes) const {
    const double* const w = weights_.w.data() + std::size_t{feature} * weights_.classes;
    return weights_.classes == 1 ? w[0] : w[classes.label] - w[classes.other];
  }
  void add(std::uint32_t feature, double value);

  SourceColumns columns_;
  Reference reference_;
  ClassWeightVector weights_;            // one vector for two classes
  std::vector<double> bias_;             // as added to the score, one a vector
  std::vector<double> reference_score_;  // one a vector
  std::vector<std::uint32_t> held_;      // features that the reference has
  std::vector<double> values_, sums_;    // of a row, by feature; by column
  std::vector<bool> touched_;            // by column
  std::vector<std::uint32_t> order_;     // columns that were touched
};

}  // namespace halfspace
