// Names to positions.
#include "bandits/feature_hash.h"

#define XXH_INLINE_ALL
#include <simdjson.h>
#include <xxhash.h>

#include <algorithm>
#include <cmath>
#include <string>

#include "halfspace/base/error.h"

namespace halfspace::bandits {
namespace {

namespace dom = simdjson::dom;

constexpr double largest_value = 1e15;

void add_number(double value, std::uint64_t path, HashedFeatures& features) {
  if (!(std::abs(value) <= largest_value))
    throw Error(ErrorKind::data, "a feature has a value beyond 1e15").fix("scale it");
  if (value != 0) features.push_back({path, value});
}

void add_words(std::string_view text, std::uint64_t path, HashedFeatures& features) {
  constexpr std::string_view blanks = " \t\r\n";
  for (std::size_t at = text.find_first_not_of(blanks); at != std::string_view::npos;) {
    const std::size_t end = std::min(text.find_first_of(blanks, at), text.size());
    features.push_back({extend(path, text.substr(at, end - at)), 1});
    at = text.find_first_not_of(blanks, end);
  }
}

void add_member(std::string_view key, const dom::element& value, std::uint64_t path, HashedFeatures& features) {
  if (key == "_text" && value.is_string())
    return add_words(value.get_string().value_unsafe(), extend(path, key), features);
  if (key.starts_with('_')) return;
  add_features(value, extend(path, key), features);
}

void add_object(const dom::object& object, std::uint64_t path, HashedFeatures& features) {
  for (const auto [key, value] : object) add_member(key, value, path, features);
}

void add_array(const dom::array& array, std::uint64_t path, HashedFeatures& features) {
  std::size_t position = 0;
  for (const dom::element one : array) {
    add_features(one, one.is_object() ? path : extend(path, std::to_string(position)), features);
    ++position;
  }
}

}  // namespace

std::uint64_t extend(std::uint64_t hash, std::string_view part) {
  return XXH3_64bits_withSeed(part.data(), part.size(), hash);
}

void add_features(const dom::element& json, std::uint64_t path, HashedFeatures& features) {
  using enum dom::element_type;
  switch (json.type()) {
    case OBJECT:
      return add_object(json.get_object().value_unsafe(), path, features);
    case ARRAY:
      return add_array(json.get_array().value_unsafe(), path, features);
    case STRING:
      features.push_back({extend(path, json.get_string().value_unsafe()), 1});
      return;
    case BOOL:
      if (json.get_bool().value_unsafe()) features.push_back({path, 1});
      return;
    case INT64:
    case UINT64:
    case DOUBLE:
      return add_number(json.get_double().value_unsafe(), path, features);
    case NULL_VALUE:
      return;
  }
}

std::uint32_t ActionRows::index_of(std::uint64_t hash) const {
  return static_cast<std::uint32_t>(hash >> (64 - bits_));
}

void ActionRows::begin(const HashedFeatures& context) {
  context_ = &context;
  rows_.clear();
}

void ActionRows::add(const HashedFeatures& action) {
  row_.clear();
  row_.emplace_back(index_of(0), 1.0);
  for (const HashedFeature& one : *context_) row_.emplace_back(index_of(one.hash), one.value);
  for (const HashedFeature& one : action) row_.emplace_back(index_of(one.hash), one.value);
  if (products_) {
    for (const HashedFeature& one : *context_) {
      for (const HashedFeature& other : action) {
        const std::uint64_t hash = XXH3_64bits_withSeed(&other.hash, sizeof other.hash, one.hash);
        row_.emplace_back(index_of(hash), one.value * other.value);
      }
    }
  }
  std::sort(row_.begin(), row_.end());
  for (std::size_t i = 0; i < row_.size();) {
    const std::uint32_t index = row_[i].first;
    double sum = 0;
    for (; i < row_.size() && row_[i].first == index; ++i) sum += row_[i].second;
    if (sum != 0) rows_.add(index, sum);
  }
  rows_.end_row(0, rows_.rows() + 1);
}

Block ActionRows::finish() {
  Block block = rows_.finish();
  block.features = std::uint32_t{1} << bits_;
  return block;
}

}  // namespace halfspace::bandits
