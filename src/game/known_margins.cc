// Maintains columns of inner products, and bounds how far the weights moved.
#include "halfspace/detail/game/known_margins.h"

#include <algorithm>
#include <type_traits>

#include "halfspace/detail/kernels/kernels.h"

namespace halfspace::game {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();
constexpr std::size_t kReach = 8;  // the length limit of a column, in mean lengths of a search

template <class Row>
double value_of(const Row& x, std::size_t k) {
  if constexpr (std::is_same_v<typename Row::value_type, One>) {
    return 1.0;
  } else {
    return static_cast<double>(x.value[k]);
  }
}

}  // namespace

KnownMargins::KnownMargins(const Rows& rows, BiasOptions bias, double squared_norm, std::size_t weights)
    : rows_(rows), bias_(bias) {
  std::uint64_t longest = 0;
  for (std::size_t b = 0; b < rows.blocks(); ++b) {
    const Block block = rows.block(b);
    for (std::size_t i = 0; i < block.rows; ++i) longest = std::max(longest, block.offset[i + 1] - block.offset[i]);
  }
  roundings_ = 4 * (static_cast<double>(longest) + 32) * 0x1p-53;
  upward_ = 1 + roundings_;
  travel(std::sqrt(squared_norm) * (1 + (static_cast<double>(weights) + 32) * 0x1p-52) + 0x1p-450);
}

void KnownMargins::travel(double length) {
  travelled_ += length;
  travelled_ += roundings_ * travelled_;
  slack_ = travelled_ <= 0x1p500 ? 2 * roundings_ * travelled_ : kInfinity;
}

// Returns at least the norm of a row, even if its squares underflow.
template <class Row>
double KnownMargins::step_length(const Row& x) const {
  const double length = length_of(x.squared_norm);
  if (length < kInfinity) return length;
  double largest = bias_.position == Bias::none ? 0 : std::abs(bias_.scale);
  for (std::size_t k = 0; k < x.size; ++k) largest = std::max(largest, std::abs(value_of(x, k)));
  return 2 * largest * std::sqrt(static_cast<double>(x.size) + 1);
}

void KnownMargins::searched(std::size_t length) {
  ++searches_;
  searched_rows_ += length;
  if (last_ != nullptr) last_->credit += looked_;
  looked_ = 0;
}

void KnownMargins::stepped(std::size_t i, double amount) {
  last_ = &columns_[i];
  std::vector<double>& products = last_->products;
  const std::size_t usual = kReach * searched_rows_ / std::max<std::uint64_t>(searches_, 1);
  const std::size_t reach = std::min(margin_.size(), usual);
  const bool worth = reach > products.size() + reach / 4 && last_->credit >= reach - products.size();
  const bool fits = worth && bytes_ + (reach - products.size()) * sizeof(double) <= column_bytes;
  double length = 0;
  bool finite = false;
  rows_.with_row(i, room_, [&](const auto& x) {
    length = amount * step_length(x);
    finite = length_of(x.squared_norm) < kInfinity;
  });
  if (fits && finite) lengthen(*last_, i, reach);
  const std::size_t known = std::min(reach, products.size());
  for (std::size_t k = 0; k < known; ++k) {
    margin_[k] += amount * products[k];
    entered_[k] += length;
  }
  travel(length);
}

void KnownMargins::lengthen(Column& column, std::size_t row, std::size_t to) {
  std::size_t k = column.products.size();
  bytes_ += (to - k) * sizeof(double);
  column.products.reserve(to);
  column.products.resize(to);
  column.credit = 0;
  scratch_.resize(rows_.features());
  const auto fill = [&](bool with) {
    return rows_.with_row(row, room_, [&](const auto& x) {
      for (std::size_t j = 0; j < x.size; ++j) scratch_[x.index[j]] = with ? value_of(x, j) : 0;
      return x.sign();
    });
  };
  const double sign = fill(true);
  while (k < to) {
    const Block block = rows_.block(k / Rows::block_rows);
    block.with_storage([&]<class Value, bool dense>() {
      for (std::size_t i = k % Rows::block_rows; i < block.rows && k < to; ++i, ++k) {
        const auto x = block.next_example<Value, dense>(i, room_);
        const double product = kernels::dot(scratch_.data(), x, 0.0) + bias_.squared();
        column.products[k] = sign * x.sign() * product / length_of(x.squared_norm);
      }
    });
  }
  fill(false);
}

}  // namespace halfspace::game
