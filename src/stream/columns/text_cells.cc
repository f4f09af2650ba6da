// Counts the tokens of a cell.
#include "stream/columns/text_cells.h"

#include <algorithm>
#include <cmath>

#include "halfspace/detail/base/elementary.h"

namespace halfspace::stream {
namespace {

constexpr std::size_t tokens_at_a_time = 256;

bool weighed(const Column& column) {
  return column.kind == Column::Kind::text && column.text_values == TextValues::tf_idf;
}

}  // namespace

void TextCells::add(const ColumnPlan::Feature& feature, std::string_view cell, CellNames& names, BlockBuffer& rows) {
  begin_ = rows.indices().size();
  in_cell_.clear();
  tokens_.read(cell, feature.tokens);
  if (names.hasher() != nullptr) return add_hashed(feature, names, rows);
  for (std::size_t first = 0; first < tokens_.size(); ++first) {
    const std::size_t most = std::min<std::size_t>(feature.ngrams, tokens_.longest_run(first));
    for (std::size_t count = 1; count <= most; ++count)
      keys_.push_back(names.key_of(feature.column, tokens_.run(first, count)));
    if (keys_.size() >= tokens_at_a_time) add_tokens(feature.binary, names, rows);
  }
  add_tokens(feature.binary, names, rows);
  if (names.factors().none()) return;
  for (std::size_t i = begin_; i < rows.indices().size(); ++i) {
    const std::uint32_t index = rows.indices()[i];
    if (index < first_provisional) rows.values()[i] *= names.factors().of(feature.column, index);
  }
}

void TextCells::add_tokens(bool binary, CellNames& names, BlockBuffer& rows) {
  indices_.resize(keys_.size());
  names.find_all(keys_, indices_.data());
  in_cell_.expect(keys_.size());
  for (const std::uint32_t index : indices_) {
    const auto place = static_cast<std::uint32_t>(rows.indices().size() - begin_);
    const std::uint32_t before = in_cell_.find_or_insert(index, place);
    if (before == RowNames::none) {
      rows.add(index, 1.0);
    } else if (!binary) {
      rows.values()[begin_ + before] += 1.0;
    }
  }
  keys_.clear();
}

// Tells tokens apart by their hashes: two that share a feature are two values.
void TextCells::add_hashed(const ColumnPlan::Feature& feature, CellNames& names, BlockBuffer& rows) {
  hashes_in_cell_.clear();
  for (std::size_t first = 0; first < tokens_.size(); ++first) {
    const std::size_t most = std::min<std::size_t>(feature.ngrams, tokens_.longest_run(first));
    hashes_in_cell_.expect(most);
    for (std::size_t count = 1; count <= most; ++count) {
      const std::string_view text = tokens_.run(first, count);
      const std::uint64_t hash = names.hasher()->hash(feature.column, text);
      const auto place = static_cast<std::uint32_t>(rows.indices().size() - begin_);
      const std::uint32_t before = hashes_in_cell_.find_or_insert(hash, place);
      if (before == RowNames::none) {
        names.add_hashed(
            feature.column, hash, 1.0, [&] { return text; }, rows);
      } else if (!feature.binary) {
        rows.values()[begin_ + before] += 1.0;
      }
    }
  }
}

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
