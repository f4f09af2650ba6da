// Counts rows by feature.
#include "stream/document_counts.h"

#include <algorithm>
#include <cmath>

#include "halfspace/base/elementary.h"

namespace halfspace::stream {
namespace {

bool weighed(const Column& column) {
  return column.kind == Column::Kind::text && column.text_values == TextValues::tf_idf;
}

}  // namespace

bool DocumentCounts::asked_for(const Schema& schema) {
  return std::any_of(schema.columns.begin(), schema.columns.end(), weighed);
}

void DocumentCounts::add(const Block& block) {
  rows_ += block.rows;
  if (block.features > rows_with_.size()) rows_with_.resize(block.features);
  for (std::size_t i = 0; i < block.rows; ++i) {
    block.with_example(i, [&](const auto& x) {
      for (std::uint32_t k = 0; k < x.size; ++k) ++rows_with_[x.index[k]];
    });
  }
}

void DocumentCounts::finish(Schema& schema) const {
  const auto factor = [&](std::uint64_t rows) {
    return 1 + elementary::log(static_cast<double>(1 + rows_) / static_cast<double>(1 + rows));
  };
  for (Column& column : schema.columns) {
    if (!weighed(column)) continue;
    column.unseen_factor = factor(0);
    column.factors.clear();
    for (const std::uint32_t feature : column.features) {
      column.factors.push_back(factor(feature < rows_with_.size() ? rows_with_[feature] : 0));
    }
  }
}

}  // namespace halfspace::stream
