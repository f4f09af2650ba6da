// Maps names to numbers by open addressing over precomputed hashes; products of names.
#include "stream/vw/names.h"

#include <algorithm>
#include <bit>
#include <utility>

#include "stream/text/number.h"

namespace halfspace::stream {
namespace {

constexpr std::size_t fewest_slots = 1024;
constexpr std::size_t most_for_each = 16;  // table entries for each name

}  // namespace

std::uint64_t seed_of_space(std::string_view space) {
  return hash_of_name(space, seed_of_names());
}

VwPair::VwPair(std::string_view name)
    : name_(name),
      first_(name.substr(0, name.find(':'))),
      second_(name.substr(first_.size() + 1)),
      prefix_(first_.empty() ? "" : first_ + "^"),
      separator_(second_.empty() ? "*" : "*" + second_ + "^"),
      seed_(seed_of_space(name_)),
      first_seed_(seed_of_space(first_)),
      second_seed_(seed_of_space(second_)) {}

// The first separator in the name of a product is the one between its factors unless the first factor has a *.
VwPair::Key VwPair::key(std::string_view first, std::uint64_t first_hash, std::string_view second,
                        std::uint64_t second_hash) const {
  Key key{this, 0, 0, first, second};
  key.hash =
      first.find('*') == std::string_view::npos ? hash_of_pair(first_hash, second_hash, seed_) : hash(key.name());
  return key;
}

std::uint64_t VwPair::hash(std::string_view product) const {
  if (product.starts_with(prefix_)) {
    const std::string_view factors = product.substr(prefix_.size());
    if (const std::size_t end = factors.find(separator_); end != std::string_view::npos) {
      return hash_of_pair(hash_of_name(factors.substr(0, end), first_seed_),
                          hash_of_name(factors.substr(end + separator_.size()), second_seed_), seed_);
    }
  }
  return hash_of_name(product, seed_);
}

bool VwPair::Key::is(std::string_view stored) const {
  const std::string_view parts[] = {pair->prefix_, first, pair->separator_, second};
  for (const std::string_view part : parts) {
    if (!stored.starts_with(part)) return false;
    stored.remove_prefix(part.size());
  }
  return stored.empty();
}

std::string VwPair::Key::name() const {
  std::string name;
  name.reserve(pair->prefix_.size() + first.size() + pair->separator_.size() + second.size());
  return name.append(pair->prefix_).append(first).append(pair->separator_).append(second);
}

bool is_vw_pair(std::string_view space) {
  return std::count(space.begin(), space.end(), ':') == 1 && space.find('|') == std::string_view::npos;
}

VwNameHash::VwNameHash(std::string_view space) : seed_(seed_of_space(space)) {
  if (is_vw_pair(space)) pair_.emplace(space);
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
                                      std::bit_floor(std::max(fewest_slots, most_for_each * integers_)));
  const bool grows = wanted > features_.size();
  if (grows) features_.resize(wanted, Column::no_feature);
  for (std::size_t i = grows ? 0 : from; i < taken_; ++i) {
    const std::optional<std::uint32_t> number = integer(column.categories[i]);
    if (number && *number < features_.size()) features_[*number] = column.features[i];
  }
}

void know_vw_names(const Schema& schema, KnownNames& known) {
  for (std::uint32_t c = 0; c < schema.columns.size(); ++c) {
    const Column& column = schema.columns[c];
    const VwNameHash hash(column.name);
    std::size_t k = 0;
    for (const std::string_view name : column.categories) known.insert(c, name, column.features[k++], hash(name));
  }
}

}  // namespace halfspace::stream
