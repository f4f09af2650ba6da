// The scores of a row as rationals, and what becomes of the label when one feature or several change.
//
// Thread-safety: const functions.
#pragma once

#include <gmpxx.h>

#include <cstdint>
#include <unordered_map>
#include <utility>
#include <vector>

#include "halfspace/kernels/example.h"
#include "halfspace/train/model.h"

namespace halfspace::reasons {

// Features by number with their new values, as the weights act on them; each feature once.
using NewValues = std::vector<std::pair<std::uint32_t, double>>;

// Returns whether they are values that a row can have: a column's own value may be scaled beyond the doubles.
bool are_finite(const NewValues& values);

class ExactRow {
 public:
  ExactRow(const Model& model, const Block& block, std::size_t i);

  std::int32_t label() const { return label_; }
  // The classes that another label could be: of two classes the other one.
  const std::vector<std::int32_t>& rivals() const { return rivals_; }
  double value(std::uint32_t feature) const;
  bool has(std::uint32_t feature) const { return values_.count(feature) != 0; }
  // Returns the lead of the label over a rival, and by how much a unit of a feature adds to it.
  const mpq_class& lead(std::size_t rival) const { return leads_[rival]; }
  mpq_class slope(std::uint32_t feature, std::size_t rival) const;
  double rounded_slope(std::uint32_t feature, std::size_t rival) const;
  // Returns the lead with other values.
  mpq_class lead(std::size_t rival, const NewValues& changed) const;
  // Returns whether the label holds over a rival with this lead: at 0 by the rule on ties.
  bool holds(std::size_t rival, const mpq_class& lead) const;
  // Returns the label with other values.
  std::int32_t label(const NewValues& changed) const;

 private:
  mpq_class score(std::uint32_t vector) const;
  bool wins_ties(std::int32_t a, std::int32_t b) const { return last_wins_ ? a > b : a < b; }

  std::uint32_t vectors_, features_;
  std::vector<double> w_;
  std::unordered_map<std::uint32_t, double> values_;
  std::vector<mpq_class> bias_;
  mpq_class threshold_;
  bool last_wins_ = false;        // of classes with equal scores
  bool zero_is_positive_ = true;  // a score at the threshold
  std::int32_t label_ = 0;
  std::vector<std::int32_t> rivals_;
  std::vector<mpq_class> leads_;
};

}  // namespace halfspace::reasons
