// The rival of a label, the best class among the others, and tie breaking.
#pragma once

#include <cstdint>

#include "halfspace/detail/linear/names.h"
#include "halfspace/detail/linear/state.h"

namespace halfspace {

// Returns the class other than `label` with the highest score; ties go to the highest number with Tie::negative, else
// to the lowest. `classes` is at least 2.
inline std::uint32_t rival_of(const double* scores, std::uint32_t classes, std::uint32_t label, Tie tie) {
  std::uint32_t rival = label == 0 ? 1 : 0;
  for (std::uint32_t k = rival + 1; k < classes; ++k) {
    if (k != label && (scores[k] > scores[rival] || (tie == Tie::negative && scores[k] == scores[rival]))) rival = k;
  }
  return rival;
}

// Returns whether class k beats `label`, if there were no other classes.
inline bool ranks_above(const double* scores, std::uint32_t k, std::uint32_t label, Tie tie) {
  if (scores[k] != scores[label]) return scores[k] > scores[label];
  return tie == Tie::mistake || (tie == Tie::positive ? k < label : k > label);
}

// Sets score, margin and prediction of a multiclass outcome, and the mistake and error of a row of positive weight.
// Returns the rival.
inline std::uint32_t compare_with_rival(const double* scores, std::uint32_t classes, std::uint32_t label, Tie tie,
                                        double weight, Outcome& outcome) {
  const std::uint32_t rival = rival_of(scores, classes, label, tie);
  const bool wrong = ranks_above(scores, rival, label, tie);
  const bool error = ranks_above(scores, rival, label, tie == Tie::mistake ? Tie::positive : tie);
  outcome.score = scores[label];
  outcome.margin = scores[label] - scores[rival];
  outcome.mistake = weight > 0 && wrong;
  outcome.error = weight > 0 && error;
  outcome.predicted = static_cast<std::int32_t>(error ? rival : label);
  return rival;
}

}  // namespace halfspace
