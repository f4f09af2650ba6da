// Collects rows one by one as compressed sparse rows.
#include "halfspace/stream/memory_data.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "halfspace/base/error.h"
#include "stream/arrays/blocks.h"
#include "stream/text/text.h"

namespace halfspace {
namespace {

constexpr std::uint32_t largest_feature = 2147483646;  // its index in LIBSVM text is one more

[[noreturn]] void refuse_added(const std::string& why, const std::string& fix) {
  throw Error(ErrorKind::usage, why).fix(fix);
}

void check_label(std::string_view label) {
  if (!stream::label_of_libsvm(label))
    refuse_added("a row in memory cannot have the label " + stream::quote(label),
                 "give a name without blanks, : and #");
}

void check_value(double value) {
  if (!std::isfinite(value))
    refuse_added("a value of a row is not finite", "leave the feature out where it is not known");
}

}  // namespace

MemoryData::MemoryData() {
  schema_.format = DataFormat::libsvm;
  schema_.labels.are = LabelsAre::numbers;
}

void MemoryData::end_row(std::string_view label) {
  const auto [found, inserted] =
      number_of_.emplace(std::string(label), static_cast<std::int32_t>(schema_.labels.names.size()));
  if (inserted) schema_.labels.names.emplace_back(label);
  label_.push_back(found->second);
  offset_.push_back(index_.size());
}

void MemoryData::add(std::string_view label, std::span<const std::uint32_t> index, std::span<const double> value) {
  check_label(label);
  if (index.size() != value.size())
    refuse_added(fmt::format("a row has {} indices and {} values", index.size(), value.size()),
                 "give a value for each index");
  for (std::size_t k = 0; k < index.size(); ++k) {
    check_value(value[k]);
    if (index[k] > largest_feature || (k > 0 && index[k] <= index[k - 1]))
      refuse_added(fmt::format("the feature {} is out of order or too large", index[k]),
                   "give features in ascending order, each once, up to 2147483646");
  }
  index_.insert(index_.end(), index.begin(), index.end());
  value_.insert(value_.end(), value.begin(), value.end());
  end_row(label);
}

void MemoryData::add(std::string_view label, std::span<const double> dense) {
  check_label(label);
  if (dense.size() > largest_feature) refuse_added("a row has too many features", "give it as indices and values");
  for (const double value : dense) check_value(value);
  for (std::size_t k = 0; k < dense.size(); ++k) {
    if (dense[k] == 0) continue;
    index_.push_back(static_cast<std::uint32_t>(k));
    value_.push_back(dense[k]);
  }
  end_row(label);
}

std::size_t MemoryData::blocks() const { return stream::blocks_of(rows()); }

Block MemoryData::block(std::size_t i, SourceBuffer& buffer) const {
  const auto [first, count] = stream::rows_of_block(i, rows());
  Block block;
  block.rows = count;
  const std::uint64_t begin = offset_[first];
  buffer.offset.resize(count + 1);
  for (std::size_t r = 0; r <= count; ++r) buffer.offset[r] = offset_[first + r] - begin;
  block.offset = buffer.offset.data();
  block.index = index_.data() + begin;
  for (std::size_t r = 0; r < count; ++r) {
    if (block.offset[r + 1] > block.offset[r])
      block.features = std::max(block.features, block.index[block.offset[r + 1] - 1] + 1);
  }
  block.value_type = ValueType::float64;
  block.value = value_.data() + begin;
  block.label = label_.data() + first;
  stream::number_rows(block, first, buffer);
  stream::sum_squares(block, value_.data() + begin, buffer);
  return block;
}

}  // namespace halfspace
