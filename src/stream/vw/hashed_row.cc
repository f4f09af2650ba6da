// Hashed names in rows of Vowpal Wabbit text: no dictionary, and products without a text.
#include <algorithm>
#include <array>
#include <cmath>
#include <span>

#include "base/utf8.h"
#include "stream/text/text.h"
#include "stream/vw/vw_row.h"

namespace halfspace::stream {

// Replaces whole numbers of the fast path by features: their texts are before each second separator.
void VwRowReader::hash_integers(std::size_t count, const std::uint32_t* at, std::uint32_t* index) {
  const NameHasher& hasher = *rules_.hasher;
  for (std::size_t i = 0; i < count; ++i) {
    const std::size_t begin = at[2 * i] + std::size_t{1};
    const std::string_view name = text_.substr(begin, at[2 * i + 1] - begin);
    index[i] = hasher.feature(hash_of_name(name, seed_));
    if (scratch_.hashed.wants_names()) scratch_.hashed.note(chunk_, space_, index[i], name);
  }
}

// Adds the values of the row. Where names are multiplied, each is there once.
VwRowReader::Outcome VwRowReader::hash_names() {
  std::vector<VwScratch::RowName>& row = scratch_.row;
  const bool multiplies = !rules_.namespaces.products.empty();
  if (multiplies) {
    scratch_.hashes_in_row.clear();
    scratch_.hashes_in_row.expect(row.size());
  }
  std::size_t kept = 0;
  for (const VwScratch::RowName& name : row) {
    if (!valid_text_ && !valid_utf8(name.text))
      return refuse(name.begin, "the feature " + quote(name.text) + " is not valid UTF-8", to_utf8);
    double value = name.value;
    std::uint32_t before = RowNames::none;
    if (multiplies) before = scratch_.hashes_in_row.find_or_insert(name.hash, static_cast<std::uint32_t>(kept));
    if (before != RowNames::none) value = chunk_.rows.values()[chunk_.rows.offsets().back() + before] += name.value;
    if (!std::isfinite(value)) {
      return refuse(name.begin, "the value of " + quote(name.text) + " is too large for a double",
                    "scale the feature down");
    }
    if (before != RowNames::none) continue;
    const std::uint32_t feature = rules_.hasher->feature(name.hash);
    chunk_.rows.add(feature, value);
    if (scratch_.hashed.wants_names()) scratch_.hashed.note(chunk_, name.space, feature, name.text);
    row[kept++] = name;
  }
  row.resize(kept);
  return Outcome::row;
}

// Multiplies what the row holds by now.
VwRowReader::Outcome VwRowReader::hash_products() {
  const std::span<const VwProduct> products = rules_.namespaces.products;
  const std::vector<VwScratch::RowName>& row = scratch_.row;
  roles_.resize(row.size());
  for (product_at_hand_ = 0; product_at_hand_ < products.size(); ++product_at_hand_) {
    for (std::size_t k = 0; k < row.size(); ++k)
      roles_[k] = scratch_.roles[row[k].space * products.size() + product_at_hand_];
    const bool of_two = products[product_at_hand_].factors.size() == 2;
    const Outcome outcome = of_two ? hash_pairs() : multiply(product_at_hand_);
    if (outcome != Outcome::row) return outcome;
  }
  return Outcome::row;
}

// Does what multiply(2) does.
VwRowReader::Outcome VwRowReader::hash_pairs() {
  const auto is = [&](std::size_t k, unsigned factor) { return (roles_[k] >> factor & 1) != 0; };
  for (std::size_t i = 0; i < roles_.size(); ++i) {
    if (!is(i, 0)) continue;
    for (std::size_t j = 0; j < roles_.size(); ++j) {
      if (!is(j, 1) || (j < i && is(j, 0) && is(i, 1))) continue;
      const std::array<std::size_t, 2> pair = {i, j};
      const Outcome outcome = hash_product(pair);
      if (outcome != Outcome::row) return outcome;
    }
  }
  return Outcome::row;
}

// Adds the product of some values of the row. Its text is made only to be kept.
VwRowReader::Outcome VwRowReader::hash_product(std::span<const std::size_t> chosen) {
  const std::vector<VwScratch::RowName>& row = scratch_.row;
  const std::size_t begin = chunk_.rows.offsets().back();
  std::array<std::uint64_t, 3> hashes;
  double value = 1;
  std::size_t factors = 0;
  for (const std::size_t k : chosen) {
    hashes[factors++] = row[k].hash;
    value *= chunk_.rows.values()[begin + k];
  }
  const std::span<const std::uint64_t> of_factors(hashes.data(), factors);
  const std::uint32_t feature =
      rules_.hasher->feature(hash_of_hashes(of_factors, rules_.product_seeds[product_at_hand_]));
  scratch_.multiplied[product_at_hand_] = 1;
  const auto name = [&] {
    product_.clear();
    for (const std::size_t k : chosen) {
      if (!product_.empty()) product_ += '*';
      product_ += full_name(row[k]);
    }
    return std::string_view(product_);
  };
  if (!std::isfinite(value)) {
    return refuse(begin_, "the value of " + quote(name()) + " is too large for a double", "scale the feature down");
  }
  chunk_.rows.add(feature, value);
  if (scratch_.hashed.wants_names()) {
    const std::uint32_t space = number_of_space(rules_.namespaces.products[product_at_hand_].name);
    scratch_.hashed.note(chunk_, space, feature, scratch_.made.keep(name()));
  }
  return Outcome::row;
}

}  // namespace halfspace::stream
