// Predicts a single row.
#include "train/predict/predictor_row.h"

#include <algorithm>
#include <cmath>
#include <string>

#include "halfspace/base/error.h"
#include "halfspace/detail/kernels/kernels.h"
#include "stream/pipeline/transform.h"

namespace halfspace {
namespace {

constexpr std::int32_t no_label = 0;
constexpr std::uint64_t first_row = 1;

}  // namespace

Predictor::Row::Row(const Model& model)
    : names(model.schema.labels.names),
      exponents(model.schema.exponents),
      logarithms(model.schema, true),
      row_normalised(model.schema.row_normalised),
      single(model.schema.single),
      calibration(probability_curves(model)) {
  names.resize(std::max<std::size_t>(2, names.size()));  // a lone class has an opposite without a name
}

Block Predictor::Row::block(std::span<const std::uint32_t> features, std::span<const double> values, bool dense) {
  if (!logarithms.none()) {
    with_logarithms.clear();
    for (std::size_t k = 0; k < values.size(); ++k) {
      if (!logarithms.gives(features[k])) with_logarithms.add(features[k], values[k]);
    }
    logarithms.add_to_row(with_logarithms);
    features = with_logarithms.indices();
    values = with_logarithms.values();
    dense = false;
  }
  value.assign(values.begin(), values.end());
  for (std::size_t k = 0; k < value.size(); ++k) {
    if (features[k] < exponents.size()) value[k] = std::ldexp(value[k], exponents[features[k]]);
  }
  if (row_normalised) stream::normalise_row(value);
  std::uint32_t largest = 0;
  for (std::size_t k = 0; k < value.size(); ++k) {
    if (single) value[k] = static_cast<double>(static_cast<float>(value[k]));
    if (!std::isfinite(value[k])) {
      throw Error(ErrorKind::data, "a value of the row is not finite, or is too large for the scale of the model")
          .fix("leave the feature out where it is not known, or check its unit");
    }
    largest = std::max(largest, features[k]);
  }
  offset[1] = value.size();
  squared_norm = kernels::squared_norm(value.data(), value.size());
  Block row;
  row.rows = 1;
  row.features = value.empty() ? 0 : largest + 1;
  row.value_type = ValueType::float64;
  row.dense = dense;
  row.offset = offset.data();
  row.index = features.data();
  row.value = value.data();
  row.label = &no_label;
  row.squared_norm = &squared_norm;
  row.row = &first_row;
  return row;
}

Prediction Predictor::predict(std::span<const std::uint32_t> index, std::span<const double> value) {
  if (index.size() != value.size()) {
    throw Error(ErrorKind::usage, "the row has " + std::to_string(index.size()) + " indices and " +
                                      std::to_string(value.size()) + " values")
        .fix("give a value for each index");
  }
  row_->index.assign(index.begin(), index.end());  // checked and used in a copy: the caller's may change meanwhile
  return predict_row(row_->block(row_->index, value, false));
}

Prediction Predictor::predict(std::span<const double> dense) {
  std::vector<std::uint32_t>& ordinal = row_->ordinal;
  while (ordinal.size() < dense.size()) ordinal.push_back(static_cast<std::uint32_t>(ordinal.size()));
  return predict_row(row_->block(std::span(ordinal).first(dense.size()), dense, true));
}

Prediction Predictor::predict_row(const Block& block) {
  Row& row = *row_;
  Prediction result;
  const std::uint32_t vectors = score_all(block, row.classes, row.score);
  result.score = row.score[vectors == 1 ? 0 : static_cast<std::size_t>(row.classes[0])];
  result.scores = std::span(row.score).first(vectors);
  if (row.calibration.fitted()) {
    row.probabilities.resize(std::max<std::size_t>(2, vectors));
    row.calibration.probabilities(std::span(row.score).first(vectors), row.probabilities);
    result.probabilities = row.probabilities;
  }
  result.class_number = row.classes[0];
  result.label = row.names[static_cast<std::size_t>(result.class_number)];
  return result;
}

}  // namespace halfspace
