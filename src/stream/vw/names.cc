// Maps names to numbers by open addressing over precomputed hashes.
#include "stream/vw/names.h"

#include <algorithm>
#include <array>
#include <bit>
#include <utility>

#include "stream/text/number.h"

namespace halfspace::stream {
namespace {

constexpr std::size_t fewest_integers = 1024;
constexpr std::size_t most_for_each = 16;  // table entries for each name

}  // namespace

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
                                      std::bit_floor(std::max(fewest_integers, most_for_each * integers_)));
  const bool grows = wanted > features_.size();
  if (grows) features_.resize(wanted, Column::no_feature);
  for (std::size_t i = grows ? 0 : from; i < taken_; ++i) {
    const std::optional<std::uint32_t> number = integer(column.categories[i]);
    if (number && *number < features_.size()) features_[*number] = column.features[i];
  }
}

void know_vw_names(const Schema& schema, KnownNames& known) {
  known.reserve(count_names(schema));
  for (std::uint32_t c = 0; c < schema.columns.size(); ++c) {
    const std::uint64_t seed = seed_of_space(schema.columns[c].name);
    known.insert_all(c, schema.columns[c], [seed](std::string_view name) { return hash_of_name(name, seed); });
  }
}

}  // namespace halfspace::stream
