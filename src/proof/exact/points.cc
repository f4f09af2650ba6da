// Scales decimals to integers: each coordinate by the least power of ten that makes all its values whole.
#include "proof/exact/points.h"

#include <algorithm>
#include <bit>
#include <cmath>

#include "base/whole.h"
#include "halfspace/base/error.h"
#include "proof/search/budget.h"

namespace halfspace::proof {
namespace {

constexpr std::int32_t no_value = 1 << 29;
constexpr std::int64_t largest_exact = std::int64_t{1} << 53;
// Estimated bytes of a row besides its values: its position, class and number here, and what a search keeps for it;
// likewise for a coordinate, and for a number of more than 64 bits without its digits.
constexpr std::uint64_t bytes_a_row = 112, bytes_a_coordinate = 128, bytes_of_long = 64;
constexpr std::int64_t exponent_limit = 5000;  // the most digits of an integer

// Returns the nearest double of 10^-scale * value, for integers that a double cannot hold, to within a few ulps.
double approximate(const mpz_class& value) {
  signed long exponent = 0;
  const double mantissa = mpz_get_d_2exp(&exponent, value.get_mpz_t());
  return std::ldexp(mantissa, static_cast<int>(std::clamp(exponent, -1020L, 1020L)));
}

}  // namespace

mpz_class power_of_ten(unsigned long exponent) {
  mpz_class power;
  mpz_ui_pow_ui(power.get_mpz_t(), 10, exponent);
  return power;
}

void Points::need(std::uint64_t bytes) const {
  if (bytes > memory_.memory) throw GaveUp{.for_memory = true};
}

void Points::add(std::uint32_t feature, std::int64_t mantissa, std::int32_t exponent) {
  while (mantissa % 10 == 0) {
    mantissa /= 10;
    ++exponent;
  }
  keep({feature, 2 * exponent, mantissa});
}

void Points::add(std::uint32_t feature, const mpz_class& mantissa, std::int32_t exponent) {
  mpz_class reduced = mantissa;
  while (mpz_divisible_ui_p(reduced.get_mpz_t(), 10) != 0) {
    reduced /= 10;
    ++exponent;
  }
  if (fits_int64(reduced)) return keep({feature, 2 * exponent, int64_of(reduced)});
  const auto position = static_cast<std::int64_t>(long_.size());
  if (stage_ != Stage::measuring) long_.push_back(std::move(reduced));
  keep({feature, 2 * exponent + 1, position});
}

void Points::keep(const Entry& entry) {
  if (stage_ == Stage::measuring) return measure(entry.coordinate, entry.exponent());
  entries_.push_back(entry);
}

void Points::end_row(std::uint32_t source, std::uint64_t row, std::int32_t klass) {
  if (stage_ == Stage::storing) {
    if (stored_ == size()) throw Error(ErrorKind::data, "the data changed while they were read");
    store_row(0, entries_.size());
    entries_.clear();
    long_.clear();
    return;
  }
  source_.push_back(source);
  row_.push_back(row);
  klass_.push_back(klass);
  if (stage_ == Stage::measuring) return;
  ends_.push_back(entries_.size());
  // Buffered entries may take half of the memory: the other half is for the rows made from them.
  if (entries_.size() * sizeof(Entry) + long_.size() * bytes_of_long + ends_.size() * bytes_a_row > memory_.memory / 2)
    only_measure();
}

void Points::measure(std::uint32_t feature, std::int32_t exponent) {
  if (feature >= range_.size()) {
    need((feature + std::uint64_t{1}) * sizeof(Range));
    range_.resize(feature + std::size_t{1}, {no_value, -no_value});
  }
  range_[feature].least = std::min(range_[feature].least, exponent);
  range_[feature].most = std::max(range_[feature].most, exponent);
}

void Points::only_measure() {
  stage_ = Stage::measuring;
  for (const Entry& entry : entries_) measure(entry.coordinate, entry.exponent());
  entries_ = {};
  long_ = {};
  ends_ = {};
}

// Numbers the features that occur: one bit each, and the count before each group of 64.
void Points::choose_coordinates(std::uint32_t features) {
  features_of_data_ = features;
  occurs_.assign(std::size_t{features} / 64 + 1, 0);
  const auto occurs = [this](std::uint32_t feature) { occurs_[feature / 64] |= std::uint64_t{1} << feature % 64; };
  for (const Entry& entry : entries_) occurs(entry.coordinate);
  for (std::uint32_t feature = 0; feature < range_.size(); ++feature) {
    if (range_[feature].least != no_value) occurs(feature);
  }
  before_.assign(occurs_.size(), 0);
  for (std::size_t k = 0; k < occurs_.size(); ++k) {
    before_[k] = static_cast<std::uint32_t>(feature_.size());
    for (std::uint64_t bits = occurs_[k]; bits != 0; bits &= bits - 1)
      feature_.push_back(static_cast<std::uint32_t>(64 * k) + static_cast<std::uint32_t>(std::countr_zero(bits)));
  }
}

std::uint32_t Points::coordinate_of(std::uint32_t feature) const {
  const std::size_t k = feature / 64;
  const std::uint64_t bit = std::uint64_t{1} << feature % 64;
  if (k >= occurs_.size() || (occurs_[k] & bit) == 0)
    throw Error(ErrorKind::data, "the data changed while they were read");
  return before_[k] + static_cast<std::uint32_t>(std::popcount(occurs_[k] & (bit - 1)));
}

// Finds the least power of ten for each coordinate that makes all its values whole.
void Points::choose_places() {
  std::vector<Range> range(features(), {no_value, -no_value});
  const auto take = [&](std::uint32_t feature, std::int32_t least, std::int32_t most) {
    Range& own = range[coordinate_of(feature)];
    own = {std::min(own.least, least), std::max(own.most, most)};
  };
  for (const Entry& entry : entries_) take(entry.coordinate, entry.exponent(), entry.exponent());
  for (std::uint32_t feature = 0; feature < range_.size(); ++feature) {
    if (range_[feature].least != no_value) take(feature, range_[feature].least, range_[feature].most);
  }
  range_ = {};
  places_.assign(features(), 0);
  for (std::uint32_t j = 0; j < features(); ++j) {
    places_[j] = -range[j].least;
    if (range[j].most - range[j].least > exponent_limit) {
      throw Error(ErrorKind::data, "coordinate " + std::to_string(feature_[j] + 1) + " holds numbers 10^" +
                                       std::to_string(range[j].most - range[j].least) +
                                       " apart: too far for exact arithmetic");
    }
  }
}

// Gives the rows the remaining memory; further rows go to the temporary file.
void Points::open_rows() {
  const std::uint64_t waiting = entries_.size() * sizeof(Entry) + long_.size() * bytes_of_long;
  bytes_ = size() * bytes_a_row + std::uint64_t{features()} * bytes_a_coordinate;
  need(bytes_ + waiting);
  RowsOptions options = memory_;
  options.memory = memory_.memory - bytes_ - waiting;
  rows_ = Rows(options);
}

void Points::begin_again(std::uint32_t features) {
  choose_coordinates(features);
  choose_places();
  open_rows();
  stage_ = Stage::storing;
}

// Stores the next row: its entries, as integers.
void Points::store_row(std::uint64_t begin, std::uint64_t end) {
  const auto at = [this](std::uint64_t e) { return entries_.begin() + static_cast<std::ptrdiff_t>(e); };
  for (std::uint64_t e = begin; e < end; ++e) entries_[e].coordinate = coordinate_of(entries_[e].coordinate);
  // Sorts by coordinate, as the kernels expect.
  std::sort(at(begin), at(end), [](const Entry& a, const Entry& b) { return a.coordinate < b.coordinate; });
  std::vector<std::pair<std::uint32_t, mpz_class>> whole_row;
  bool small = true;
  for (std::uint64_t e = begin; e < end; ++e) {
    const Entry& entry = entries_[e];
    const std::int32_t shift = entry.exponent() + places_[entry.coordinate];
    std::int64_t value = entry.mantissa;
    bool fits = !entry.is_long();
    for (std::int32_t k = 0; fits && k < shift; ++k)
      fits = !__builtin_mul_overflow(value, std::int64_t{10}, &value) && std::abs(value) <= largest_exact;
    fits = fits && std::abs(value) <= largest_exact;
    if (fits && small) {
      buffer_.add(entry.coordinate, static_cast<double>(value));
      largest_ = std::max(largest_, std::abs(value));
      continue;
    }
    if (small) {  // the first long value: copies the row so far exactly
      small = false;
      const auto values = buffer_.values();
      const auto indices = buffer_.indices();
      for (std::size_t k = buffer_.stored(); k < values.size(); ++k)
        whole_row.emplace_back(indices[k], mpz_class(values[k]));
    }
    mpz_class scaled = entry.is_long() ? long_[static_cast<std::size_t>(entry.mantissa)] : whole(entry.mantissa);
    scaled *= power_of_ten(static_cast<unsigned long>(shift));
    buffer_.add(entry.coordinate, approximate(scaled));
    whole_row.emplace_back(entry.coordinate, std::move(scaled));
  }
  if (!small) {
    for (const auto& [j, value] : whole_row) big_bytes_ += bytes_of_long + mpz_size(value.get_mpz_t()) * 8;
    need(bytes_ + big_bytes_);
    big_.emplace(stored_, std::move(whole_row));
  }
  buffer_.end_row(klass_[stored_], stored_ + 1);
  longest_row_ = std::max<std::size_t>(longest_row_, end - begin);
  ++stored_;
  if (buffer_.rows() == Rows::block_rows || stored_ == size()) {
    rows_.append(buffer_.finish());
    buffer_.clear();
  }
}

void Points::finish(std::uint32_t features) {
  if (stage_ == Stage::collecting) {
    choose_coordinates(features);
    choose_places();
    open_rows();
    for (std::size_t i = 0; i < ends_.size(); ++i) store_row(i == 0 ? 0 : ends_[i - 1], ends_[i]);
  }
  if (stored_ != size()) throw Error(ErrorKind::data, "the data changed while they were read");
  rows_.seal();
  bytes_ += std::min<std::uint64_t>(rows_.bytes(), memory_.memory) + big_bytes_;
  largest_bits_ = static_cast<int>(std::bit_width(static_cast<std::uint64_t>(largest_)));
  entries_ = {};
  long_ = {};
  ends_ = {};
  occurs_ = {};
  before_ = {};
  buffer_ = {};
}

}  // namespace halfspace::proof
