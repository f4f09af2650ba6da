// The common part of the exports: the weights for the data's own values, and the reasons to reject a model.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "halfspace/train/model.h"

namespace halfspace::model {

struct LinearPart {
  std::uint32_t features = 0;
  std::uint32_t vectors = 1;   // 1, or one a class
  std::vector<double> weight;  // [feature * vectors + vector], with column scales multiplied in
  std::vector<double> bias;    // as added to the score, one a vector
  // What rounding lost of each bias: Predictor fuses its product with the bias scale, unless the bias comes first.
  std::vector<double> bias_error;
  std::vector<double> unscaled_bias;
  double bias_scale = 0;
  bool bias_first = false;  // the bias comes before the features, else after them
  double threshold = 0;     // of two classes
  bool last_wins = false;   // a score equal to the threshold is negative, and the last of equal classes wins
};

// Throws Error(data) if the model declares far more features than it has weights for: naming them all would take memory
// out of proportion to the file.
void refuse_unheld_features(const Model& model);

// Throw Error(usage) for a model that is not linear, or that the format cannot express. `format` is for the message.
LinearPart linear_part(const Model& model, const std::string& format);
void refuse_isotonic(const Model& model, const std::string& format);
// Rejects what changes rows before they are scored: division by their norms, rounding to floats.
void refuse_changed_rows(const Model& model, const std::string& format);

}  // namespace halfspace::model
