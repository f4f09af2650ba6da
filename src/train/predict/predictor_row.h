// Prepares one row for a Predictor: applies the model's scales, holds the buffers.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "halfspace/train/model.h"
#include "stream/columns/logarithms.h"

namespace halfspace {

struct Predictor::Row {
  explicit Row(const Model& model);

  // Returns the row as a block, with the model's logarithms in place of given ones, scaled as the model's data were. Valid
  // until the next call.
  Block block(std::span<const std::uint32_t> index, std::span<const double> value, bool dense);

  std::vector<std::string> names;  // of the classes
  std::vector<std::int16_t> exponents;
  stream::Logarithms logarithms;
  BlockBuffer with_logarithms;
  bool row_normalised, single;
  Calibration calibration;
  std::vector<std::uint32_t> ordinal, index;  // 0, 1, 2 ..; those of a sparse row
  std::vector<double> value;
  std::array<std::uint64_t, 2> offset{};
  double squared_norm = 0;
  std::vector<std::int32_t> classes;
  std::vector<double> score, probabilities;
};

}  // namespace halfspace
