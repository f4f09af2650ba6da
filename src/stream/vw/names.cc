// Maps names to numbers by open addressing over precomputed hashes.
#include "stream/vw/names.h"

#include <algorithm>
#include <array>
#include <bit>
#include <utility>

#include "stream/text/number.h"

namespace halfspace::stream {
namespace {

constexpr std::size_t fewest_slots = 1024;
constexpr std::size_t most_for_each = 16;  // table entries for each name

}  // namespace

void ChunkNames::clear() {
  entries_.clear();
  std::fill(slots_.begin(), slots_.end(), 0);
}

std::uint32_t ChunkNames::find(std::uint32_t space, std::uint64_t hash, std::string_view text) {
  if (2 * (entries_.size() + 1) > slots_.size()) grow();
  const std::size_t mask = slots_.size() - 1;
  for (std::size_t at = hash & mask;; at = (at + 1) & mask) {
    const std::uint64_t slot = slots_[at];
    if (slot == 0) {
      free_ = at;
      return none;
    }
    if (slot >> 32 != hash >> 32) continue;
    const std::uint32_t number = static_cast<std::uint32_t>(slot) - 1;
    if (entries_[number].space == space && entries_[number].text == text) return number;
  }
}

std::uint32_t ChunkNames::insert_last(std::uint32_t space, std::uint64_t hash, std::string_view text) {
  slots_[free_] = slot_of(hash, entries_.size());
  entries_.push_back({hash, text, space});
  return static_cast<std::uint32_t>(entries_.size()) - 1;
}

void ChunkNames::grow() {
  slots_.assign(std::max(fewest_slots, slots_.size() * 2), 0);
  const std::size_t mask = slots_.size() - 1;
  for (std::size_t i = 0; i < entries_.size(); ++i) {
    std::size_t at = entries_[i].hash & mask;
    while (slots_[at] != 0) at = (at + 1) & mask;
    slots_[at] = slot_of(entries_[i].hash, i);
  }
}

std::uint64_t seed_of_space(std::string_view space) {
  return hash_of_name(space, seed_of_names());
}

std::uint32_t SpaceColumns::find(std::string_view space) const {
  const std::lock_guard lock(mutex_);
  const auto found = columns_.find(std::string(space));
  return found == columns_.end() ? Column::no_feature : found->second;
}

void SpaceColumns::insert(std::string_view space, std::uint32_t column) {
  const std::lock_guard lock(mutex_);
  columns_.emplace(space, column);
}

void RowNames::clear() {
  used_ = 0;
  if (++row_ != 0) return;
  std::fill(slots_.begin(), slots_.end(), Slot());
  row_ = 1;
}

void RowNames::expect(std::size_t count) {
  if (2 * (used_ + count) <= slots_.size()) return;
  std::vector<Slot> before(std::bit_ceil(2 * (used_ + count)));
  std::swap(before, slots_);
  for (const Slot& slot : before) {
    if (slot.row == row_) slot_of(slot.name) = slot;
  }
}

RowNames::Slot& RowNames::slot_of(std::uint32_t name) {
  const std::size_t mask = slots_.size() - 1;
  for (std::size_t at = (name * 0x9e3779b1U >> 7) & mask;; at = (at + 1) & mask) {
    if (slots_[at].row != row_ || slots_[at].name == name) return slots_[at];
  }
}

std::uint32_t RowNames::find_or_insert(std::uint32_t name, std::uint32_t place) {
  Slot& slot = slot_of(name);
  if (slot.row == row_) return slot.place;
  slot = {row_, name, place};
  ++used_;
  return none;
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

// Adds names by batches: the memory of several is fetched at a time.
void know_vw_names(const Schema& schema, KnownNames& known) {
  std::size_t names = 0;
  for (const Column& column : schema.columns) names += column.categories.size();
  if (names == 0) return;
  known.reserve(names);
  std::array<std::pair<std::string_view, std::uint64_t>, 32> batch;
  for (std::uint32_t c = 0; c < schema.columns.size(); ++c) {
    const Column& column = schema.columns[c];
    const std::uint64_t seed = seed_of_space(column.name);
    auto name = column.categories.begin();
    for (std::size_t k = 0; k < column.categories.size();) {
      const std::size_t size = std::min(batch.size(), column.categories.size() - k);
      for (std::size_t i = 0; i < size; ++i, ++name) {
        batch[i] = {*name, hash_of_name(*name, seed)};
        known.view().prefetch(batch[i].second);
      }
      for (std::size_t i = 0; i < size; ++i) known.insert(c, batch[i].first, column.features[k++], batch[i].second);
    }
  }
}

}  // namespace halfspace::stream
