// Adds up weights times differences, column by column.
#include "halfspace/reasons/reasons.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "halfspace/base/error.h"
#include "halfspace/rules/rule_entry.h"
#include "stream/formats/format_entry.h"

namespace halfspace {
namespace {

constexpr std::uint32_t none = Column::no_feature;

void refuse_reasons(bool wrong, const std::string& why, const std::string& fix) {
  if (wrong) throw Error(ErrorKind::usage, "this model gives no reasons: " + why).fix(fix);
}

}  // namespace

SourceColumns::SourceColumns(const Schema& schema) : of_feature(schema.features, none) {
  const bool namespaces =
      !schema.columns.empty() && stream::entry_of(schema.format).columns == stream::ColumnsAre::namespaces;
  std::vector<std::uint32_t> position(schema.columns.size(), none);
  const auto take = [&](std::uint32_t feature, std::uint32_t column) {
    if (feature < schema.first_hashed()) of_feature[feature] = column;
  };
  for (std::uint32_t c = 0; c < schema.columns.size() && !namespaces; ++c) {
    const halfspace::Column& from = schema.columns[c];
    const bool product = from.kind == halfspace::Column::Kind::product;
    if (from.name.empty() || (!product && !halfspace::Column::gives_features(from.kind))) continue;
    if (from.is_logarithm()) {
      columns[position[from.first]].logarithm = c;
      take(from.feature, position[from.first]);
      continue;
    }
    position[c] = static_cast<std::uint32_t>(columns.size());
    Column column{.name = from.name, .from = {c}};
    if (product) {
      column.from = {from.first, from.second};
      for (const std::uint32_t factor : column.from) columns[position[factor]].in_products = true;
    } else if (from.kind == halfspace::Column::Kind::numeric) {
      column.feature = from.feature;
    }
    take(from.feature, position[c]);
    take(from.missing_feature, position[c]);
    for (const std::uint32_t feature : from.features) take(feature, position[c]);
    if (from.kind == halfspace::Column::Kind::date && from.feature != none) {
      for (std::uint32_t k = 1; k < 3; ++k) take(from.feature + k, position[c]);
    }
    columns.push_back(std::move(column));
  }
  if (std::find(of_feature.begin(), of_feature.end(), none) == of_feature.end()) return;
  const std::vector<std::string> names = schema.feature_names();
  for (std::uint32_t f = 0; f < of_feature.size(); ++f) {
    if (of_feature[f] != none) continue;
    of_feature[f] = static_cast<std::uint32_t>(columns.size());
    columns.push_back({.name = names[f], .from = {}, .feature = f < schema.first_hashed() ? f : none});
  }
  if (namespaces) mark_products(schema);
}

// Products of namespaces are features of their own.
void SourceColumns::mark_products(const Schema& schema) {
  for (const halfspace::Column& from : schema.columns) {
    const std::size_t factors = factors_of_product(from.name);
    for (std::size_t k = 0; k < from.products.size(); ++k) columns[of_feature[from.products[k]]].in_products = true;
    for (std::size_t k = 0; k * factors < from.products.size(); ++k) {
      Column& product = columns[of_feature[from.features[k]]];
      product.in_products = true;
      product.feature = none;
    }
  }
}

Reference reference_at_zero() { return {{}, "0 in every column"}; }

Reference reference_at_means(const Model& model) {
  if (!model.spread || !(model.spread->weight > 0)) {
    throw Error(ErrorKind::usage, "the model does not hold the means of its training rows")
        .fix("compare with a row instead, or with zero");
  }
  Reference means{{}, "the means of the training rows"};
  for (std::size_t f = 0; f < model.spread->features.size(); ++f) means.values.push_back(model.spread->mean(f));
  return means;
}

Reference reference_at(const Block& block, std::size_t i, std::string words) {
  Reference row{{}, std::move(words)};
  block.with_example(i, [&](const auto& x) {
    for (std::uint32_t k = 0; k < x.size; ++k) {
      if (x.index[k] >= row.values.size()) row.values.resize(x.index[k] + 1);
      row.values[x.index[k]] = x.value_at(k);
    }
  });
  return row;
}

Reasons::Reasons(const Model& model, Reference reference)
    : columns_(model.schema), reference_(std::move(reference)), weights_(vectors_of_scores(model.weights)) {
  refuse_reasons(model.composition.keep == KeepName::vote, "a vote of many weight vectors is no sum over columns",
                 "train with " + option("keep", "average"));
  refuse_reasons(entry_of(model.composition.rule).support_vectors,
                 "a sum over support vectors has no weights by column", "train with " + option("rule", "perceptron"));
  refuse_reasons(model.classes() < 2, "it has seen one class only", "train on rows of two classes or more");
  const std::uint32_t features = model.schema.features, vectors = weights_.classes;
  weights_.w.resize(std::size_t{features} * vectors, 0.0);
  const BiasOptions& bias = model.composition.bias;
  for (const double b : weights_.bias) bias_.push_back(bias.position == Bias::none ? 0.0 : b * bias.scale);
  reference_.values.resize(features, 0.0);
  reference_score_ = bias_;
  for (std::uint32_t f = 0; f < features; ++f) {
    if (reference_.values[f] == 0) continue;
    held_.push_back(f);
    for (std::uint32_t k = 0; k < vectors; ++k)
      reference_score_[k] += weights_.w[std::size_t{f} * vectors + k] * reference_.values[f];
  }
  values_.resize(features);
  sums_.resize(columns_.columns.size());
  touched_.resize(columns_.columns.size());
}

ComparedClasses Reasons::with_runner_up(std::int32_t label, std::span<const double> scores) {
  ComparedClasses classes{label, 1 - label};
  if (scores.size() < 2) return classes;
  classes.other = label == 0 ? 1 : 0;
  for (std::int32_t k = 0; k < static_cast<std::int32_t>(scores.size()); ++k) {
    if (k != label && scores[static_cast<std::size_t>(k)] > scores[static_cast<std::size_t>(classes.other)])
      classes.other = k;
  }
  return classes;
}

void Reasons::add(std::uint32_t feature, double value) {
  const std::uint32_t column = columns_.of_feature[feature];
  if (!touched_[column]) {
    touched_[column] = true;
    order_.push_back(column);
  }
  sums_[column] += value;
}

void Reasons::of(const Block& block, std::size_t i, ComparedClasses classes, RowReasons& out) {
  out.classes = classes;
  const auto of_score = [&](const std::vector<double>& numbers) {
    return weights_.classes == 1
               ? numbers[0]
               : numbers[static_cast<std::size_t>(classes.label)] - numbers[static_cast<std::size_t>(classes.other)];
  };
  out.reference = of_score(reference_score_);
  out.score = of_score(bias_);
  block.with_example(i, [&](const auto& x) {
    for (std::uint32_t k = 0; k < x.size; ++k) {
      const std::uint32_t feature = x.index[k];
      if (feature >= weights_.w.size() / weights_.classes) continue;
      const double value = x.value_at(k), w = weight(feature, classes);
      out.score += w * value;
      if (reference_.values[feature] == 0) {
        if (w != 0 && value != 0) add(feature, w * value);
      } else {
        values_[feature] = value;
      }
    }
  });
  for (const std::uint32_t feature : held_) {
    const double w = weight(feature, classes);
    if (w != 0) add(feature, w * (values_[feature] - reference_.values[feature]));
    values_[feature] = 0;
  }
  if (!std::is_sorted(order_.begin(), order_.end())) std::sort(order_.begin(), order_.end());
  out.contributions.clear();
  for (const std::uint32_t column : order_) {
    if (sums_[column] != 0) out.contributions.push_back({column, sums_[column]});
    sums_[column] = 0;
    touched_[column] = false;
  }
  order_.clear();
}

std::vector<Contribution> Reasons::for_the_label(const RowReasons& row, std::size_t most) const {
  const double sign = weights_.classes == 1 && row.classes.label == 0 ? -1 : 1;
  std::vector<Contribution> largest;
  largest.reserve(row.contributions.size());
  for (const Contribution& c : row.contributions) {
    if (sign * c.value > 0) largest.push_back(c);
  }
  const std::size_t count = std::min(most, largest.size());
  std::partial_sort(largest.begin(), largest.begin() + static_cast<std::ptrdiff_t>(count), largest.end(),
                    [&](const Contribution& a, const Contribution& b) {
                      return a.value != b.value ? sign * a.value > sign * b.value : a.column < b.column;
                    });
  largest.resize(count);
  return largest;
}

}  // namespace halfspace
