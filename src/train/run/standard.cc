// Measures columns, writes their z, and takes weights back.
#include "train/run/standard.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "halfspace/base/error.h"
#include "halfspace/rules/rule_entry.h"
#include "train/run/split.h"

namespace halfspace::training {
namespace {

// What the values of a column other than 0 have in common, in units of a power of two that keeps squares in range.
struct ColumnMoments {
  std::uint64_t rows = 0;
  double weight = 0, mean = 0, squares = 0;  // of the differences from the mean
  double first = 0;
  bool one_value = true;

  void add(double x, double count) {
    if (rows++ == 0) first = x;
    one_value = one_value && x == first;
    weight += count;
    const double from_mean = x - mean;
    mean += from_mean * (count / weight);
    squares += count * from_mean * (x - mean);
  }
};

std::vector<ColumnMoments> moments_of(const Rows& rows, const std::vector<std::int16_t>& exponents, double& weight,
                                      std::uint64_t& counted) {
  std::vector<ColumnMoments> columns(rows.features());
  UnpackBuffer room;
  for (std::size_t b = 0; b < rows.blocks(); ++b) {
    const Block block = rows.block(b).plain(room);
    for (std::size_t i = 0; i < block.rows; ++i) {
      const double count = block.weight == nullptr ? 1 : block.weight[i];
      if (!(count > 0)) continue;
      ++counted;
      weight += count;
      block.with_example(i, [&](const auto& x) {
        for (std::uint32_t k = 0; k < x.size; ++k) {
          const std::uint32_t j = x.index[k];
          if (x.value_at(k) != 0) columns[j].add(std::ldexp(x.value_at(k), exponents[j]), count);
        }
      });
    }
    rows.release(b);
  }
  return columns;
}

}  // namespace

void check_standard(const Composition& composition) {
  const auto refuse = [](bool wrong, const std::string& with, const std::string& fix) {
    if (wrong) throw Error(ErrorKind::usage, option("normalize", "standard") + " excludes " + with).fix(fix);
  };
  refuse(entry_of(composition.rule).support_vectors,
         option("rule", name_of(composition.rule)) + ", which has no weights", "use " + option("normalize", "column"));
  refuse(composition.keep == KeepName::vote, option("keep", "vote"), "use " + option("keep", "average"));
}

StandardColumns::StandardColumns(const Rows& rows, const Schema& schema, bool centre) {
  const std::vector<std::int16_t> exponents = column_exponents(rows);
  double weight = 0;
  std::uint64_t counted = 0;
  const std::vector<ColumnMoments> moments = moments_of(rows, exponents, weight, counted);
  // Of a table, what numeric columns give; in LIBSVM, and in namespaces, every feature is a number.
  std::vector<bool> numeric(moments.size(), schema.columns.empty() || schema.format == DataFormat::vw);
  columns_.resize(moments.size());
  for (const Column& column : schema.columns) {
    const bool is_number = column.kind == Column::Kind::numeric || column.is_logarithm();
    if (!is_number || column.feature >= moments.size()) continue;
    numeric[column.feature] = true;
    columns_[column.feature].missing =
        column.is_logarithm() ? schema.columns[column.first].missing_feature : column.missing_feature;
  }
  for (std::uint32_t j = 0; j < moments.size(); ++j) {
    const ColumnMoments& of = moments[j];
    Standard& column = columns_[j];
    const bool some_missing = column.missing < moments.size() && moments[column.missing].rows > 0;
    const double present = some_missing ? weight - moments[column.missing].weight : weight;
    const std::uint64_t present_rows = counted - (some_missing ? moments[column.missing].rows : 0);
    const bool sparse = 2 * of.weight < present;
    if (of.rows == 0 || (sparse && !numeric[j])) continue;
    if (of.one_value) {
      column.scale = std::abs(of.first);
      if (centre && of.rows == present_rows) {  // a constant, which the bias has
        column.centre = of.first;
        column.centred = true;
      }
    } else if (sparse || !centre) {
      column.scale = std::sqrt(of.squares / of.weight + of.mean * of.mean);
    } else {
      const double zeros = of.rows == present_rows ? 0 : std::max(0.0, present - of.weight);
      const double all = of.weight + zeros;
      column.centre = of.mean * (of.weight / all);
      column.scale = std::sqrt((of.squares + of.mean * (of.mean * (of.weight / all)) * zeros) / all);
      column.centred = column.scale > 0;
    }
    column.centre = std::ldexp(column.centre, -exponents[j]);
    column.scale = std::ldexp(column.scale, -exponents[j]);
    if (!(column.scale > 0) || !std::isfinite(1 / column.scale)) column = {};
    if (!column.centred) continue;
    centred_.push_back(j);
    if (column.missing == Column::no_feature) continue;
    if (column.missing >= values_of_.size()) values_of_.resize(column.missing + std::size_t{1});
    values_of_[column.missing].push_back(j);
  }
}

Rows StandardColumns::applied(const Rows& rows, const RowsOptions& memory) const {
  Rows result(memory);
  BlockBuffer buffer;
  UnpackBuffer room;
  std::vector<double> origin(columns_.size(), 0.0);  // z of 0
  for (const std::uint32_t j : centred_) origin[j] = -columns_[j].centre / columns_[j].scale;
  std::vector<double> dense = origin;
  std::vector<std::pair<std::uint32_t, double>> others;
  for (std::size_t b = 0; b < rows.blocks(); ++b) {
    const Block block = rows.block(b).plain(room);
    buffer.clear();
    for (std::size_t i = 0; i < block.rows; ++i) {
      others.clear();
      block.with_example(i, [&](const auto& x) {
        for (std::uint32_t k = 0; k < x.size; ++k) {
          const std::uint32_t j = x.index[k];
          const double value = x.value_at(k);
          if (j < values_of_.size() && value != 0) {
            for (const std::uint32_t missing : values_of_[j]) dense[missing] = 0;
          }
          if (j < columns_.size() && columns_[j].centred) {
            dense[j] = (value - columns_[j].centre) / columns_[j].scale;
          } else {
            others.emplace_back(j, j < columns_.size() ? value / columns_[j].scale : value);
          }
        }
      });
      const auto by_index = [](const auto& a, const auto& c) { return a.first < c.first; };
      if (!std::is_sorted(others.begin(), others.end(), by_index)) std::sort(others.begin(), others.end(), by_index);
      auto other = others.begin();
      for (const std::uint32_t j : centred_) {
        for (; other != others.end() && other->first < j; ++other) buffer.add(other->first, other->second);
        buffer.add(j, dense[j]);
        dense[j] = origin[j];
      }
      for (; other != others.end(); ++other) buffer.add(other->first, other->second);
      buffer.end_row(block.label[i], block.row[i], block.weight == nullptr ? 1 : block.weight[i]);
    }
    result.append(buffer.finish());
    rows.release(b);
  }
  result.seal();
  return result;
}

double StandardColumns::largest_centre() const {
  double largest = 0;
  for (const std::uint32_t j : centred_) largest = std::max(largest, std::abs(columns_[j].centre) / columns_[j].scale);
  return largest;
}

void StandardColumns::undo(ClassWeightVector& weights, double bias) const {
  const std::size_t classes = weights.classes;
  std::uint32_t features = static_cast<std::uint32_t>(columns_.size());
  for (const std::uint32_t j : centred_) {
    if (columns_[j].missing != Column::no_feature) features = std::max(features, columns_[j].missing + 1);
  }
  weights.grow(features);
  for (std::size_t j = 0; j < columns_.size(); ++j) {
    for (std::size_t k = 0; k < classes; ++k) weights.w[j * classes + k] /= columns_[j].scale;
  }
  for (const std::uint32_t j : centred_) {
    const Standard& column = columns_[j];
    for (std::size_t k = 0; k < classes; ++k) {
      const double taken = weights.w[j * classes + k] * column.centre;
      weights.bias[k] -= taken / bias;
      if (column.missing != Column::no_feature) weights.w[column.missing * classes + k] += taken;
    }
  }
}

}  // namespace halfspace::training
