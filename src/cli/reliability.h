// How good are probabilities? Log loss, Brier score, and how often what was given 70 % came true.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "report/json.h"

namespace halfspace::cli {

// Two classes: the probability of the positive one is judged. Several: that of the most probable class in the table,
// and of the true one in log loss. Nothing is clipped: a row that was given probability 0 makes the log loss infinite.
class Reliability {
 public:
  explicit Reliability(std::size_t classes) : classes_(classes), rows_of_(classes, 0) {}

  void add(std::span<const double> probabilities, std::int32_t label);
  std::string text() const;
  report::Json json() const;

 private:
  struct Bin {
    std::uint64_t rows = 0, happened = 0;
    double sum = 0;
  };
  double log_loss() const { return log_loss_ / static_cast<double>(rows_); }
  double brier() const { return brier_ / static_cast<double>(rows_); }
  double constant_brier() const;     // of always saying the share of each class
  double calibration_error() const;  // mean distance of a bin's mean probability from what happened, by rows

  static constexpr std::size_t kBins = 10;
  std::size_t classes_;
  std::vector<std::uint64_t> rows_of_;
  std::array<Bin, kBins> bins_;
  std::uint64_t rows_ = 0, impossible_ = 0;
  double log_loss_ = 0, brier_ = 0;
};

}  // namespace halfspace::cli
