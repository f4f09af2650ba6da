// Transforms values before training: column scale, row norm, single precision.
#include "stream/pipeline/transform.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdio>
#include <string>
#include <utility>

#include "halfspace/base/error.h"
#include "halfspace/detail/kernels/kernels.h"
#include "halfspace/kernels/example.h"
#include "stream/text/text.h"

namespace halfspace::stream {
namespace {

void refuse(ParsedChunk& chunk, bool lines, std::size_t row, std::uint32_t feature, double value, const char* why,
            const std::string& hint) {
  BadRow bad;
  bad.line = chunk.line_of_row[row];
  bad.row = chunk.rows.row_numbers()[row];
  std::array<char, 32> shown{};
  std::snprintf(shown.data(), shown.size(), "%.17g", value);
  bad.reason =
      "the value " + std::string(shown.data()) + " of feature " + std::to_string(feature) + " (counted from 0) " + why;
  bad.hint = hint;
  if (lines) bad.text = line_at(chunk.text, bad.line);
  chunk.bad.push_back(std::move(bad));
}

void remove_bad_rows(bool stop_at_bad, ParsedChunk& parsed) {
  std::vector<BadRow>& bad = parsed.bad;
  if (bad.empty()) return;
  std::stable_sort(bad.begin(), bad.end(), [](const BadRow& a, const BadRow& b) { return a.row < b.row; });
  bad.erase(std::unique(bad.begin(), bad.end(), [](const BadRow& a, const BadRow& b) { return a.row == b.row; }),
            bad.end());
  if (stop_at_bad) bad.resize(1);
  std::vector<std::size_t> removed;
  const std::span<const std::uint64_t> rows = parsed.rows.row_numbers();
  std::size_t next = 0;
  for (std::size_t i = 0; i < rows.size(); ++i) {
    while (next < bad.size() && bad[next].row < rows[i]) ++next;
    const bool named = next < bad.size() && bad[next].row == rows[i];
    if (named || (stop_at_bad && rows[i] > bad.front().row)) removed.push_back(i);
  }
  parsed.rows.remove_rows(removed);
}

}  // namespace

void normalise_row(std::span<double> values) {
  // Squares of numbers in this range neither overflow nor lose digits.
  constexpr double least = 1e-200, most = 1e200;
  double norm = kernels::squared_norm(values.data(), values.size());
  if (!(norm > least && norm < most)) {
    double largest = 0;
    for (const double value : values) largest = std::max(largest, std::abs(value));
    if (largest == 0) return;
    // A power of two is exact, except for values that are negligible beside the largest.
    const int exponent = std::ilogb(largest);
    for (double& value : values) value = std::ldexp(value, -exponent);
    norm = kernels::squared_norm(values.data(), values.size());
  }
  norm = std::sqrt(norm);
  for (double& value : values) value /= norm;
}

void transform_rows(const Transforms& transforms, ParsedChunk& chunk) {
  const std::span<const std::uint64_t> offsets = chunk.rows.offsets();
  for (std::size_t row = 0; row + 1 < offsets.size(); ++row) {
    const std::size_t begin = offsets[row], size = offsets[row + 1] - begin;
    const std::span<std::uint32_t> indices = chunk.rows.indices().subspan(begin, size);
    const std::span<double> values = chunk.rows.values().subspan(begin, size);
    const auto within_range = [&](auto change, const char* why, const std::string& hint) {
      for (std::size_t k = 0; k < size; ++k) {
        const double changed = change(indices[k], values[k]);
        if (!std::isfinite(changed)) {
          refuse(chunk, transforms.lines, row, indices[k], values[k], why, hint);
          return false;
        }
        values[k] = changed;
      }
      return true;
    };
    if (!transforms.exponents.empty() &&
        !within_range(
            [&](std::uint32_t feature, double value) {
              return feature < transforms.exponents.size() ? std::ldexp(value, transforms.exponents[feature]) : value;
            },
            "is too large for the scale of the model", "check its unit, or train on data that has such values")) {
      continue;
    }
    if (transforms.row_normalised) normalise_row(values);
    if (transforms.single) {
      within_range([](std::uint32_t, double value) { return static_cast<double>(static_cast<float>(value)); },
                   "is too large for a float", "leave " + option("single") + " out, or scale the feature down");
    }
  }
}

void weigh_by_class(const std::vector<double>& class_factors, BlockBuffer& rows) {
  if (class_factors.empty()) return;
  const std::span<const std::int32_t> labels = std::as_const(rows).labels();
  for (std::size_t i = 0; i < labels.size(); ++i) {
    const std::size_t label = static_cast<std::size_t>(labels[i]);
    if (labels[i] >= 0 && label < class_factors.size()) rows.scale_weight(i, class_factors[label]);
  }
}

Block finish_rows(const Transforms& transforms, const std::vector<double>& class_factors, bool stop_at_bad,
                  ParsedChunk& parsed) {
  if (transforms.any()) transform_rows(transforms, parsed);
  remove_bad_rows(stop_at_bad, parsed);
  weigh_by_class(class_factors, parsed.rows);
  return parsed.rows.finish();
}

std::vector<double> class_factors(const ReadOptions& options, const Labels& labels) {
  std::vector<double> factors;
  for (const auto& [name, factor] : options.labels.class_weights) {
    const auto label = labels.find(name);
    if (!label) {
      std::string known;
      for (const std::string& other : labels.names) known += (known.empty() ? "" : ", ") + quote(other);
      throw Error(ErrorKind::usage, "a weight is given for the class " + quote(name) + ", which the data does not have")
          .fix("its classes are " + known);
    }
    if (!is_weight(factor)) {
      throw Error(ErrorKind::usage, "the weight of the class " + quote(name) + " is not a number from 0 to 1e100")
          .fix("1 leaves the class as it is, and 0 leaves it out");
    }
    factors.resize(std::max(labels.names.size(), factors.size()), 1.0);
    factors[static_cast<std::size_t>(*label)] = factor;
  }
  return factors;
}

}  // namespace halfspace::stream
