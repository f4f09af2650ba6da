// The results of a function of a kernel's space on data, each figure erring on the safe side. Compiled with
// -frounding-math.
//
// Kernel values pass through exponentials and powers, which no rounding mode directs; so scores are computed to
// nearest, and an a-priori bound on their error is taken off. With u = 2^-53, X the longest row and n its stored
// values: an inner product, and a squared norm, is off by at most (n + 2) u X^2; what the kernel makes of that follows
// from its slope, and each further operation adds its own u. A sum over m support vectors adds (m + 8) u of its
// absolute terms.
#include <algorithm>
#include <cmath>
#include <limits>

#include "base/parallel.h"
#include "halfspace/detail/base/elementary.h"
#include "halfspace/detail/base/rounding.h"
#include "halfspace/detail/bounds/evaluation.h"

namespace halfspace {
namespace {

constexpr double kUnit = 0x1p-53;

// The error of one kernel value, for rows of squared norm at most `square`.
double value_error(const Kernel& kernel, double square, double stored) {
  const double inner = 2 * (stored + 4) * kUnit * square;
  switch (kernel.name) {
    case KernelName::linear:
      return inner;
    case KernelName::polynomial: {
      const double base = kernel.gamma * square + kernel.offset;
      const double base_error = kernel.gamma * inner + 4 * kUnit * base;
      const double degree = kernel.degree;
      const double most = base + base_error;
      return degree * elementary::pow(most, degree - 1) * base_error * (1 + 0x1p-20) +
             4 * degree * kUnit * elementary::pow(most, degree) * (1 + 0x1p-20);
    }
    case KernelName::gaussian:
      break;
  }
  // e^-a and e^-b differ by at most |a - b|, for a and b >= 0; the exponential itself is good to 2 ulp.
  return kernel.gamma * (4 * inner + 16 * kUnit * square) + 4 * kUnit;
}

}  // namespace

double kernel_score_error(const Rows& rows, const KernelExpansion& f, double amounts) {
  double square = 0;
  std::uint32_t stored = 0;
  UnpackBuffer room;
  const auto count = [&](const auto& x) {
    square = larger(square, x.squared_norm);
    stored = std::max(stored, x.size);
  };
  for (std::size_t b = 0; b < rows.blocks(); ++b) {
    const Block block = rows.block(b);
    for (std::size_t i = 0; i < block.rows; ++i) block.with_example(i, room, count);
    rows.release(b);
  }
  for (std::size_t i = 0; i < f.size(); ++i) count(f.row(i));
  return rounding_up([&] {
    square *= 1 + (static_cast<double>(stored) + 8) * 4 * kUnit;
    const double bias = f.bias().squared();
    const double largest = f.kernel().self(square) * (1 + 0x1p-20) + bias;
    const double value = value_error(f.kernel(), square, stored) + 2 * kUnit * largest;
    return amounts * (value + 2 * (static_cast<double>(f.size()) + 8) * kUnit * largest);
  });
}

EvaluatedMargins evaluate_margins(const Rows& rows, const KernelExpansion& f, Tie tie,
                                  std::vector<std::int32_t>* predicted) {
  EvaluatedMargins evaluated;
  evaluated.margin.resize(rows.size());
  if (predicted != nullptr) predicted->resize(rows.size());
  double amounts = 0;
  rounding_up([&] {
    for (const double coefficient : f.coefficients()) amounts += std::abs(coefficient);
  });
  const double error = kernel_score_error(rows, f, amounts);
  std::vector<Evaluation> parts(rows.blocks());
  in_parallel(rows.blocks(), 1, [&](std::size_t begin, std::size_t end) {
    std::vector<double> scratch, row;
    UnpackBuffer room;
    for (std::size_t b = begin; b < end; ++b) {
      const Block block = rows.block(b);
      for (std::size_t i = 0; i < block.rows; ++i) {
        block.with_example(i, room, [&](const auto& x) {
          const double score = f.score(kernel_row(x, row), scratch);
          const double margin = std::isnan(score) ? -std::numeric_limits<double>::infinity() : x.sign() * score;
          evaluated.margin[b * Rows::block_rows + i] = -rounding_up([&] { return error - margin; });
          const bool positive = score > 0 || (score == 0 && tie != Tie::negative);
          parts[b].errors += positive != (x.label != 0);
          if (predicted != nullptr) (*predicted)[b * Rows::block_rows + i] = positive;
          const double slack = 1 + (static_cast<double>(x.size) + 8) * 0x1p-52;
          const double square = rounding_up([&] { return f.self(x.squared_norm * slack) * (1 + 0x1p-44); });
          parts[b].radius_squared = std::max(parts[b].radius_squared, square);
        });
      }
      rows.release(b);
    }
  });
  Evaluation& result = evaluated.evaluation;
  result.rows = rows.size();
  result.smallest_margin = rows.size() == 0 ? 0 : std::numeric_limits<double>::infinity();
  for (double& margin : evaluated.margin)
    result.smallest_margin = std::min(result.smallest_margin, margin = or_lowest(margin));
  for (const Evaluation& part : parts) {
    result.errors += part.errors;
    result.radius_squared = std::max(result.radius_squared, part.radius_squared);
  }
  // |f|^2 = sum of coefficient_i f(x_i), a score each.
  std::vector<double> scores(f.size());
  in_parallel(f.size(), 256, [&](std::size_t begin, std::size_t end) {
    std::vector<double> scratch;
    for (std::size_t i = begin; i < end; ++i) scores[i] = f.score(f.row(i), scratch);
  });
  double minus = 0;
  rounding_up([&] {
    for (std::size_t i = 0; i < scores.size(); ++i) {
      const double coefficient = f.coefficients()[i];
      const double off = std::abs(coefficient) * error;
      result.squared_norm += coefficient * scores[i] + off;
      minus += -coefficient * scores[i] + off;
    }
  });
  result.squared_norm = larger(result.squared_norm, 0.0);
  result.least_squared_norm = std::max(-minus, 0.0);
  return evaluated;
}

}  // namespace halfspace
