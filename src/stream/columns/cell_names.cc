// Turns the names in the cells of a chunk into features while the chunk is parsed.
#include "stream/columns/cell_names.h"

namespace halfspace::stream {

void CellNames::begin(const CategoryNumbers& numbers, const ParsedChunk& chunk) {
  hasher_ = numbers.hasher().on() ? &numbers.hasher() : nullptr;
  chunk_ = &chunk;
  hashed_.begin(numbers.hasher().wants_names());
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

}  // namespace halfspace::stream
