// BlockBuffer: rows come in as doubles and leave in the smallest storage that loses nothing.

#include <algorithm>

#include "halfspace/kernels/example.h"
#include "kernels/storage.h"

namespace halfspace {

void BlockBuffer::clear() {
  offset_.assign(1, 0);
  index_.clear();
  value_.clear();
  narrow_.clear();
  label_.clear();
  weight_.clear();
  squared_norm_.clear();
  row_.clear();
  weighted_ = false;
}

void BlockBuffer::end_row(std::int32_t label, std::uint64_t row, double weight) {
  offset_.push_back(index_.size());
  label_.push_back(label);
  weight_.push_back(weight);
  row_.push_back(row);
  weighted_ |= weight != 1.0;
}

void BlockBuffer::drop_row() {
  index_.resize(offset_.back());
  value_.resize(offset_.back());
}

void BlockBuffer::remove_values(std::uint32_t index) {
  std::uint64_t kept = 0;
  std::uint64_t k = 0;
  for (std::size_t i = 0; i < rows(); ++i) {
    for (; k < offset_[i + 1]; ++k) {
      if (index_[k] == index) continue;
      index_[kept] = index_[k];
      value_[kept++] = value_[k];
    }
    offset_[i + 1] = kept;
  }
  index_.resize(kept);
  value_.resize(kept);
}

void BlockBuffer::scale_weight(std::size_t row, double factor) {
  weight_[row] *= factor;
  weighted_ |= weight_[row] != 1.0;
}

void BlockBuffer::remove_rows(std::span<const std::size_t> positions) {
  if (positions.empty()) return;
  std::size_t kept = positions.front();
  std::uint64_t stored = offset_[kept];
  std::size_t next = 0;
  for (std::size_t i = kept; i < rows(); ++i) {
    if (next < positions.size() && positions[next] == i) {
      ++next;
      continue;
    }
    const std::uint64_t begin = offset_[i], size = offset_[i + 1] - begin;
    std::copy_n(index_.begin() + static_cast<std::ptrdiff_t>(begin), size,
                index_.begin() + static_cast<std::ptrdiff_t>(stored));
    std::copy_n(value_.begin() + static_cast<std::ptrdiff_t>(begin), size,
                value_.begin() + static_cast<std::ptrdiff_t>(stored));
    label_[kept] = label_[i];
    weight_[kept] = weight_[i];
    row_[kept] = row_[i];
    stored += size;
    offset_[++kept] = stored;
  }
  offset_.resize(kept + 1);
  index_.resize(stored);
  value_.resize(stored);
  label_.resize(kept);
  weight_.resize(kept);
  row_.resize(kept);
  weighted_ = std::any_of(weight_.begin(), weight_.end(), [](double weight) { return weight != 1.0; });
}

void BlockBuffer::append(const Block& block, std::size_t i) {
  block.with_example(i, [&](const auto& x) {
    index_.insert(index_.end(), x.index, x.index + x.size);
    for (std::uint32_t k = 0; k < x.size; ++k) value_.push_back(x.value_at(k));
    end_row(x.label, x.row, x.weight);
  });
}

Block rows_that_count(const Block& block, BlockBuffer& room) {
  if (block.weight == nullptr || std::find(block.weight, block.weight + block.rows, 0.0) == block.weight + block.rows)
    return block;
  room.clear();
  for (std::size_t i = 0; i < block.rows; ++i) {
    if (block.weight[i] > 0) room.append(block, i);
  }
  return room.finish();
}

std::size_t BlockBuffer::bytes() const noexcept {
  return offset_.capacity() * sizeof(offset_[0]) + index_.capacity() * sizeof(index_[0]) +
         value_.capacity() * sizeof(value_[0]) + narrow_.capacity() * sizeof(narrow_[0]) +
         label_.capacity() * sizeof(label_[0]) + weight_.capacity() * sizeof(weight_[0]) +
         squared_norm_.capacity() * sizeof(squared_norm_[0]) + row_.capacity() * sizeof(row_[0]);
}

BlockBuffer::Room BlockBuffer::extend(std::size_t count) {
  const std::size_t size = index_.size();
  index_.resize(size + count);
  value_.resize(size + count);
  return {index_.data() + size, value_.data() + size};
}

void BlockBuffer::expect(std::size_t values) {
  index_.reserve(values);
  value_.reserve(values);
}

void BlockBuffer::shorten(std::size_t count) {
  index_.resize(index_.size() - count);
  value_.resize(value_.size() - count);
}

Block BlockBuffer::finish() {
  squared_norm_.resize(rows());
  narrow_.resize(value_.size());
  const kernels::Storage storage = kernels::look_at_values(rows(), offset_.data(), index_.data(), value_.data(),
                                                           squared_norm_.data(), narrow_.data());
  zeros_ = storage.zeros;
  Block block;
  block.rows = rows();
  block.features = storage.features;
  block.value_type = storage.ones ? ValueType::ones : storage.narrow ? ValueType::float32 : ValueType::float64;
  block.dense = storage.dense && !storage.ones;
  block.offset = offset_.data();
  block.index = index_.data();
  if (block.value_type == ValueType::float32) block.value = narrow_.data();
  if (block.value_type == ValueType::float64) block.value = value_.data();
  block.label = label_.data();
  block.weight = weighted_ ? weight_.data() : nullptr;
  block.squared_norm = squared_norm_.data();
  block.row = row_.data();
  return block;
}

}  // namespace halfspace
