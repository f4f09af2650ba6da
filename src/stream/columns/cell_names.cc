// Turns the names in the cells of a chunk into features while the chunk is parsed.
#include "stream/columns/cell_names.h"

#include <algorithm>
#include <cstring>
#include <utility>

#include "halfspace/base/error.h"
#include "stream/labels/label_inference.h"
#include "stream/source/raw_file.h"

namespace halfspace::stream {
namespace {

constexpr std::uint32_t unnumbered = 0xfffffffe;

}  // namespace

void CellNames::begin(const CategoryNumbers& numbers, const ParsedChunk& chunk) {
  hasher_ = numbers.hasher().on() ? &numbers.hasher() : nullptr;
  chunk_ = &chunk;
  hashed_.begin(&numbers.hasher());
  known_ = numbers.known();
  limit_ = known_.limit();
  factors_ = numbers.factors();
  names_.clear();
  store_.clear();
  cells_.clear();
  row_ = 0;
  copies_.clear();
}

void CellNames::find_all(std::span<const NameKey> keys, std::uint32_t* indices) {
  known_.find_all(
      keys.size(), [&](std::size_t i) -> const NameKey& { return keys[i]; }, indices);
  for (std::size_t i = 0; i < keys.size(); ++i) {
    if (indices[i] == KnownNames::none) names_.prefetch(keys[i].hash);
  }
  for (std::size_t i = 0; i < keys.size(); ++i) {
    if (indices[i] == KnownNames::none) indices[i] = number_new(keys[i], true);
  }
}

void CellNames::resolve(BlockBuffer& rows) {
  features_.resize(cells_.size());
  known_.find_all(
      cells_.size(), [&](std::size_t i) -> const NameKey& { return cells_[i].key; }, features_.data());
  const std::span<std::uint32_t> indices = rows.indices();
  for (std::size_t i = 0; i < cells_.size(); ++i) {
    const Cell& cell = cells_[i];
    indices[cell.place] = features_[i] == KnownNames::none ? number_new(cell.key, cell.copied) : features_[i];
  }
  cells_.clear();
  copies_.clear();
}

std::uint32_t CellNames::number_new(const NameKey& key, bool copy) {
  std::uint32_t number = names_.find(key);
  if (number == ChunkNames::none)
    number = names_.insert_last(key.column, key.hash, copy ? store_.keep(key.text) : key.text);
  return first_provisional + number;
}

std::string_view TextStore::keep(std::string_view text) {
  constexpr std::size_t default_piece = std::size_t{64} << 10;
  while (piece_ < pieces_.size() && pieces_[piece_].size - used_ < text.size()) {
    ++piece_;
    used_ = 0;
  }
  if (piece_ == pieces_.size()) {
    const std::size_t size = std::max(default_piece, text.size());
    pieces_.push_back({std::make_unique_for_overwrite<char[]>(size), size});
  }
  char* const begin = pieces_[piece_].bytes.get() + used_;
  if (!text.empty()) std::memcpy(begin, text.data(), text.size());
  used_ += text.size();
  return {begin, text.size()};
}

TokenFactors::TokenFactors(const Schema& schema) {
  for (std::size_t c = 0; c < schema.columns.size(); ++c) {
    const Column& column = schema.columns[c];
    if (column.unseen_factor == 0) continue;
    unseen_.resize(schema.columns.size(), 1.0);
    unseen_[c] = column.unseen_factor;
    counted_.resize(schema.features, 1.0);
    for (std::size_t k = 0; k < column.factors.size(); ++k) counted_[column.features[k]] = column.factors[k];
  }
}

void CategoryNumbers::know(const Schema& schema, const ReadOptions& options) {
  known_.clear();
  hasher_.know(schema, options);
  if (hasher_.on()) return known_.publish();
  const bool grow = options.schema == nullptr || options.grow;
  known_.reserve(count_names(schema, grow));
  for (std::uint32_t c = 0; c < schema.columns.size(); ++c) {
    const Column& column = schema.columns[c];
    const std::uint64_t seed = seed_of_names(c);
    const auto hash = [seed](std::string_view text) { return hash_of_name(text, seed); };
    grow ? known_.insert_all(c, column, hash) : known_.defer(c, column, hash);
    if (column.missing_feature != Column::no_feature)
      known_.insert(c, {}, column.missing_feature, hash_of_name({}, seed));
  }
  known_.publish();
}

void CategoryNumbers::commit(ParsedChunk& chunk, const CellNames& cells, const std::vector<bool>& bad_row,
                             const ReadOptions& options, Schema& schema) {
  if (hasher_.on()) return hasher_.keep_of_table(cells.hashed_names(), chunk, !bad_row.empty(), schema);
  const std::vector<ChunkNames::Entry>& names = cells.new_names();
  look_up(names, cells.limit());
  // Only categories of good rows become features.
  std::uint64_t ignored = 0;
  const auto number_indices = [&](std::uint64_t begin, std::uint64_t end) {
    for (std::uint64_t k = begin; k < end; ++k) {
      std::uint32_t& index = chunk.rows.indices()[k];
      if (index < first_provisional) continue;
      const std::size_t number = index - first_provisional, ahead = number + 8;
      const ChunkNames::Entry& name = names[number];
      std::uint32_t& feature = numbers_[number];
      if (feature == unnumbered) {
        if (ahead < names.size()) known_.view().prefetch(names[ahead].hash);
        feature = new_feature(name, options, schema);
      }
      index = feature;
      if (feature == Column::no_feature) {
        ++ignored;
      } else if (!name.text.empty() && !factors_->none()) {
        chunk.rows.values()[k] *= factors_->of(name.column, feature);
      }
    }
  };
  const std::span<const std::uint64_t> offset = chunk.rows.offsets();
  if (bad_row.empty()) {
    number_indices(0, offset.back());
  } else {
    for (std::size_t i = 0; i < bad_row.size(); ++i) {
      if (!bad_row[i]) number_indices(offset[i], offset[i + 1]);
    }
  }
  known_.publish();
  chunk.unknown_features += ignored;
  if (ignored > 0) chunk.rows.remove_values(Column::no_feature);
}

void CategoryNumbers::look_up(const std::vector<ChunkNames::Entry>& names, std::uint32_t limit) {
  numbers_.assign(names.size(), unnumbered);
  if (!known_.has_more(limit)) return;
  known_.find_all(
      names.size(),
      [&](std::size_t i) {
        return NameKey{names[i].hash, names[i].column, names[i].text};
      },
      numbers_.data());
  std::replace(numbers_.begin(), numbers_.end(), Column::no_feature, unnumbered);
}

std::uint32_t CategoryNumbers::new_feature(const ChunkNames::Entry& name, const ReadOptions& options, Schema& schema) {
  if (options.schema != nullptr && !options.grow) return Column::no_feature;
  if (schema.features == first_provisional - 1) {
    throw Error(ErrorKind::data, "more than 2147483647 features")
        .at(shown_name(options.path))
        .fix("leave a column out with " + option("drop"));
  }
  Column& column = schema.columns[name.column];
  const std::uint32_t feature = schema.features++;
  std::string_view stored;
  if (name.text.empty()) {
    column.missing_feature = feature;
  } else {
    stored = column.categories.push_back(name.text);
    column.features.push_back(feature);
    if (column.unseen_factor > 0) column.factors.push_back(column.unseen_factor);
  }
  known_.insert(name.column, stored, feature, name.hash);
  return feature;
}

std::vector<bool> refuse_new_labels(ParsedChunk& chunk, const std::vector<NewLabelRow>& rows,
                                    const ReadOptions& options, Schema& schema) {
  std::vector<bool> bad_row;
  if (chunk.new_labels.empty()) return bad_row;
  auto row = rows.begin();
  for (const RefusedLabel& refused : commit_new_labels(chunk, schema.labels)) {
    while (row->row < refused.row) ++row;
    if (!chunk.late_label) chunk.late_label = refused.text;
    LabelProblem problem = describe_unknown(refused.text, schema.labels, options);
    chunk.bad.push_back({chunk.line_of_row[refused.row], chunk.rows.row_numbers()[refused.row], row->column,
                         std::move(problem.reason), std::move(problem.hint), std::string(row->record)});
    bad_row.resize(chunk.rows.rows());
    bad_row[refused.row] = true;
  }
  return bad_row;
}

}  // namespace halfspace::stream
