// Maps names to numbers by open addressing over precomputed hashes.
#include "stream/vw/names.h"

#define XXH_INLINE_ALL
#include <xxhash.h>

#include <algorithm>
#include <bit>
#include <utility>

#include "stream/text/number.h"

namespace halfspace::stream {
namespace {

constexpr std::size_t fewest_slots = 1024;
constexpr std::size_t most_for_each = 16;  // table entries for each name

}  // namespace

std::uint64_t ChunkNames::hash(std::string_view text, std::uint64_t seed) {
  return XXH3_64bits_withSeed(text.data(), text.size(), seed);
}

void ChunkNames::clear() {
  entries_.clear();
  std::fill(slots_.begin(), slots_.end(), 0);
}

std::uint32_t ChunkNames::find(std::uint32_t space, std::uint64_t hash, std::string_view text) {
  if (2 * (entries_.size() + 1) > slots_.size()) grow();
  const std::size_t mask = slots_.size() - 1;
  for (std::size_t slot = hash & mask;; slot = (slot + 1) & mask) {
    const std::uint32_t number = slots_[slot];
    if (number == 0) {
      free_ = slot;
      return none;
    }
    const Entry& entry = entries_[number - 1];
    if (entry.hash == hash && entry.space == space && entry.text == text) return number - 1;
  }
}

std::uint32_t ChunkNames::insert_last(std::uint32_t space, std::uint64_t hash, std::string_view text) {
  entries_.push_back({hash, text, space});
  slots_[free_] = static_cast<std::uint32_t>(entries_.size());
  return slots_[free_] - 1;
}

void ChunkNames::grow() {
  slots_.assign(std::max(fewest_slots, slots_.size() * 2), 0);
  const std::size_t mask = slots_.size() - 1;
  for (std::size_t i = 0; i < entries_.size(); ++i) {
    std::size_t slot = entries_[i].hash & mask;
    while (slots_[slot] != 0) slot = (slot + 1) & mask;
    slots_[slot] = static_cast<std::uint32_t>(i + 1);
  }
}

std::optional<std::uint32_t> IntegerNames::integer(std::string_view name) {
  if (name.empty() || name.size() > 8 || (name.front() == '0' && name.size() > 1)) return std::nullopt;
  std::uint32_t value = 0;
  for (const char c : name) {
    if (!is_digit(c)) return std::nullopt;
    value = value * 10 + static_cast<std::uint32_t>(c - '0');
  }
  return value;
}

void IntegerNames::take(const Column& column) {
  const std::size_t from = taken_;
  for (; taken_ < column.categories.size(); ++taken_) {
    const std::optional<std::uint32_t> number = integer(column.categories[taken_]);
    if (!number) continue;
    ++integers_;
    greatest_ = std::max(greatest_, *number);
  }
  const std::size_t wanted = std::min(std::bit_ceil(std::size_t{greatest_} + 1),
                                      std::bit_floor(std::max(fewest_slots, most_for_each * integers_)));
  const bool grows = wanted > features_.size();
  if (grows) features_.resize(wanted, Column::no_feature);
  for (std::size_t i = grows ? 0 : from; i < taken_; ++i) {
    const std::optional<std::uint32_t> number = integer(column.categories[i]);
    if (number && *number < features_.size()) features_[*number] = column.features[i];
  }
}

KnownNames known_vw_names(const Schema& schema) {
  KnownNames known;
  for (std::uint32_t c = 0; c < schema.columns.size(); ++c) {
    const Column& column = schema.columns[c];
    const std::uint64_t seed = ChunkNames::hash(column.name, 0);
    for (std::uint32_t k = 0; k < column.categories.size(); ++k) {
      known.insert(c, k, ChunkNames::hash(column.categories[k], seed));
    }
  }
  return known;
}

}  // namespace halfspace::stream
