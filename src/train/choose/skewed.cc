// Measures the skewness of columns, and the units of those that are skewed.
#include "train/choose/skewed.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <map>
#include <string>

#include "halfspace/stream/row_source.h"
#include "stream/columns/logarithms.h"

namespace halfspace::training {
namespace {

constexpr double least_skewness = 2;

// The moments about the mean of values with weights, by Pébay's update (Sandia report SAND2008-6212).
class SkewMoments {
 public:
  void add(double x, double weight) {
    const double before = weight_, off = x - mean_;
    weight_ += weight;
    const double step = off * (weight / weight_);
    cubes_ += off * step * step * (before * (before - weight) / weight) - 3 * step * squares_;
    squares_ += off * step * before;
    mean_ += step;
    least_ = different_ == 0 ? x : std::min(least_, x);
    if (different_ < 3 && std::find(values_, values_ + different_, x) == values_ + different_)
      values_[different_++] = x;
  }
  double weight() const { return weight_; }
  double least() const { return least_; }
  // Of two values a logarithm tells nothing new. Not so where the cubes leave the doubles.
  bool skewed_values() const {
    if (different_ < 3) return false;
    const double variance = squares_ / weight_;
    return cubes_ / weight_ > least_skewness * variance * std::sqrt(variance);
  }

 private:
  double weight_ = 0, mean_ = 0, squares_ = 0, cubes_ = 0, least_ = 0;
  double values_[3] = {};
  int different_ = 0;
};

// The weights of values by the power of two that each is nearest to.
class NearestPowers {
 public:
  void add(double x, double least, double weight) {
    if (!(x > least)) return;
    int exponent = 0;
    const double fraction = std::frexp(x / 2 - least / 2, &exponent);
    weight_[fraction * fraction < 0.5 ? exponent : exponent + 1] += weight;
    all_ += weight;
  }
  // Returns the power of two where a tenth of the weight is reached.
  double lowest_tenth() const {
    double below = 0;
    for (const auto& [exponent, weight] : weight_) {
      below += weight;
      if (10 * below >= all_) return std::ldexp(1.0, std::clamp(exponent, -1022, 1023));
    }
    return 1;
  }

 private:
  std::map<int, double> weight_;
  double all_ = 0;
};

// A numeric column, as its rows are read.
struct NumericColumn {
  std::size_t column;
  std::uint32_t feature;
  SkewMoments moments{};
  double zeros = 0;  // that rows lack
  NearestPowers powers{};
};

constexpr std::uint32_t no_position = 0xffffffff;

using VisitValue = std::function<void(std::uint32_t feature, double value, double weight)>;

// Returns the weight of the rows.
double visit_values(const Rows& rows, const VisitValue& visit) {
  double weight = 0;
  UnpackBuffer room;
  for (std::size_t b = 0; b < rows.blocks(); ++b) {
    const Block block = rows.block(b);
    for (std::size_t i = 0; i < block.rows; ++i) {
      const double count = block.weight == nullptr ? 1 : block.weight[i];
      weight += count;
      block.with_example(i, room, [&](const auto& x) {
        for (std::uint32_t k = 0; k < x.size; ++k) visit(x.index[k], x.value_at(k), count);
      });
    }
    rows.release(b);
  }
  return weight;
}

bool may_have_logarithms(const TrainOptions& options, const Schema& schema) {
  const auto is_logarithm = [](const Column& column) { return column.is_logarithm(); };
  const bool array = options.read.rows != nullptr && options.read.rows->width() != 0;
  return options.logarithms && !array && schema.format != DataFormat::npy && schema.hashed.bits == 0 &&
         std::none_of(schema.columns.begin(), schema.columns.end(), is_logarithm);
}

// Numeric columns whose logarithm has a name of its own.
std::vector<NumericColumn> columns_of(const Schema& schema) {
  std::vector<NumericColumn> columns;
  for (std::size_t c = 0; c < schema.columns.size(); ++c) {
    const std::string name = stream::name_of_logarithm(schema.columns[c].name);
    const bool taken = std::any_of(schema.columns.begin(), schema.columns.end(),
                                   [&](const Column& other) { return other.name == name; });
    if (schema.columns[c].kind == Column::Kind::numeric && !taken) columns.push_back({c, schema.columns[c].feature});
  }
  return columns;
}

}  // namespace

std::vector<LogarithmOf> logarithms_of_skewed(const Rows& rows, const Schema& schema, const TrainOptions& options) {
  if (!may_have_logarithms(options, schema)) return {};
  std::vector<NumericColumn> columns = columns_of(schema);
  if (columns.empty()) return {};
  std::vector<std::uint32_t> position;  // in columns, by feature
  for (std::uint32_t c = 0; c < columns.size(); ++c) {
    if (columns[c].feature >= position.size()) position.resize(columns[c].feature + std::size_t{1}, no_position);
    position[columns[c].feature] = c;
  }
  const auto column_of = [&](std::uint32_t feature) {
    return feature < position.size() && position[feature] != no_position ? &columns[position[feature]] : nullptr;
  };
  std::vector<double> others;  // the weights of rows with other features, as that a value is missing
  const double weight = visit_values(rows, [&](std::uint32_t feature, double value, double count) {
    if (NumericColumn* const of = column_of(feature)) return of->moments.add(value, count);
    if (feature >= others.size()) others.resize(feature + std::size_t{1});
    others[feature] += count;
  });
  for (NumericColumn& of : columns) {
    const std::uint32_t missing = schema.columns[of.column].missing_feature;
    of.zeros = weight - of.moments.weight() - (missing < others.size() ? others[missing] : 0);
    if (of.zeros > 0) of.moments.add(0, of.zeros);
  }
  std::erase_if(columns, [](const NumericColumn& of) { return !of.moments.skewed_values(); });
  if (columns.empty()) return {};
  position.assign(position.size(), no_position);
  for (std::uint32_t c = 0; c < columns.size(); ++c) position[columns[c].feature] = c;
  visit_values(rows, [&](std::uint32_t feature, double value, double count) {
    if (NumericColumn* const of = column_of(feature)) of->powers.add(value, of->moments.least(), count);
  });
  std::vector<LogarithmOf> logarithms;
  for (NumericColumn& of : columns) {
    if (of.zeros > 0) of.powers.add(0, of.moments.least(), of.zeros);
    const LogarithmOf found{schema.columns[of.column].name, of.moments.least(), of.powers.lowest_tenth()};
    if (std::isfinite(found.least / found.unit)) logarithms.push_back(found);
  }
  return logarithms;
}

}  // namespace halfspace::training
