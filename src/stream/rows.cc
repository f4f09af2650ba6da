// Rows kept in blocks of 4096, in memory while they fit, then in a mapped temporary file.
#include "halfspace/rows.h"

#include <algorithm>
#include <array>
#include <cstring>
#include <memory>
#include <mutex>
#include <span>
#include <type_traits>
#include <utility>
#include <vector>

#include "stream/slabs.h"
#include "stream/spill_file.h"

namespace halfspace {
namespace {

std::size_t value_bytes(ValueType type) {
  return type == ValueType::ones ? 0 : type == ValueType::float32 ? sizeof(float) : sizeof(double);
}

// A block that is being filled. Rows come in as they are stored and are copied a run at a time; the values change
// their type when a run comes that needs a wider one.
class OpenBlock {
 public:
  std::size_t rows() const noexcept { return label_.size(); }
  std::size_t stored() const noexcept { return index_.size(); }

  // Empty again, with the room it had.
  void clear() {
    offset_.resize(1);
    row_.clear();
    index_.clear();
    narrow_.clear();
    wide_.clear();
    weight_.clear();
    squared_norm_.clear();
    label_.clear();
    type_ = ValueType::ones;
    dense_ = false;
    features_ = 0;
  }

  // Rows [from, from + count) of a block.
  void append(const Block& block, std::size_t from, std::size_t count) {
    const std::uint64_t begin = block.offset[from], end = block.offset[from + count];
    copy_values(block, begin, end, count == block.rows ? block.value_type : smallest_type(block, begin, end));
    dense_ = block.dense && (dense_ || rows() == 0);
    if (block.weight != nullptr && weight_.empty()) weight_.assign(rows(), 1.0);
    if (block.weight != nullptr) {
      weight_.insert(weight_.end(), block.weight + from, block.weight + from + count);
    } else if (!weight_.empty()) {
      weight_.resize(weight_.size() + count, 1.0);
    }
    const std::uint64_t shift = stored() - begin;
    for (std::size_t i = from; i < from + count; ++i) offset_.push_back(block.offset[i + 1] + shift);
    index_.insert(index_.end(), block.index + begin, block.index + end);
    row_.insert(row_.end(), block.row + from, block.row + from + count);
    squared_norm_.insert(squared_norm_.end(), block.squared_norm + from, block.squared_norm + from + count);
    label_.insert(label_.end(), block.label + from, block.label + from + count);
    std::uint32_t features = block.features;
    if (count != block.rows) {
      features = begin == end ? 0 : *std::max_element(block.index + begin, block.index + end) + 1;
    }
    features_ = std::max(features_, features);
  }

  Block view() const noexcept {
    Block block;
    block.rows = rows();
    block.features = features_;
    block.value_type = type_;
    block.dense = dense_ && type_ != ValueType::ones;
    block.offset = offset_.data();
    block.index = index_.data();
    if (type_ == ValueType::float32) block.value = narrow_.data();
    if (type_ == ValueType::float64) block.value = wide_.data();
    block.label = label_.data();
    block.weight = weight_.empty() ? nullptr : weight_.data();
    block.squared_norm = squared_norm_.data();
    block.row = row_.data();
    return block;
  }

 private:
  // The smallest type that holds these values of a block, which as a whole may have needed a wider one.
  static ValueType smallest_type(const Block& block, std::uint64_t begin, std::uint64_t end) {
    return block.with_storage([&]<class Value, bool>() {
      if constexpr (!std::is_same_v<Value, One>) {
        const Value* const values = static_cast<const Value*>(block.value);
        const auto is_one = [](Value x) { return x == 1; };
        const auto is_float = [](Value x) {
          return static_cast<double>(static_cast<float>(x)) == static_cast<double>(x);
        };
        if (!std::all_of(values + begin, values + end, is_one)) {
          return std::all_of(values + begin, values + end, is_float) ? ValueType::float32 : ValueType::float64;
        }
      }
      return ValueType::ones;
    });
  }

  void copy_values(const Block& block, std::uint64_t begin, std::uint64_t end, ValueType type) {
    if (type > type_) {
      if (type_ == ValueType::float32) {
        wide_.assign(narrow_.begin(), narrow_.end());
        narrow_.clear();
      } else if (type == ValueType::float32) {
        narrow_.assign(stored(), 1.0F);
      } else {
        wide_.assign(stored(), 1.0);
      }
      type_ = type;
    }
    const auto copy = [&](auto& to) {
      block.with_storage([&]<class Value, bool>() {
        if constexpr (std::is_same_v<Value, One>) {
          to.insert(to.end(), end - begin, 1);
        } else {
          const Value* const values = static_cast<const Value*>(block.value);
          using To = typename std::decay_t<decltype(to)>::value_type;
          if constexpr (sizeof(Value) <= sizeof(To)) {
            to.insert(to.end(), values + begin, values + end);
          } else {  // floats that came as doubles
            const std::size_t at = to.size();
            to.resize(at + (end - begin));
            std::transform(values + begin, values + end, to.begin() + static_cast<std::ptrdiff_t>(at),
                           [](Value x) { return static_cast<To>(x); });
          }
        }
      });
    };
    if (type_ == ValueType::float32) copy(narrow_);
    if (type_ == ValueType::float64) copy(wide_);
  }

  std::vector<std::uint64_t> offset_{0}, row_;
  std::vector<std::uint32_t> index_;
  std::vector<float> narrow_;
  std::vector<double> wide_, weight_, squared_norm_;  // weight_: empty when all are 1
  std::vector<std::int32_t> label_;
  ValueType type_ = ValueType::ones;
  bool dense_ = false;
  std::uint32_t features_ = 0;
};

bool lies_in(std::span<const std::byte> memory, const void* place) {
  const auto* const at = static_cast<const std::byte*>(place);
  return at >= memory.data() && at < memory.data() + memory.size();
}

// A closed block is one run of bytes, in memory or in the temporary file: its arrays one after the other, each where
// its type may stand, but for those that lie in borrowed memory and stay there.
class Layout {
 public:
  Layout(const Block& block, std::span<const std::byte> borrowed) {
    const auto parts = parts_of(block);
    for (std::size_t i = 0; i < parts.size(); ++i) {
      place_[i] = stays;
      if (parts[i].from == nullptr || lies_in(borrowed, parts[i].from)) continue;
      place_[i] = size_;
      size_ += (parts[i].bytes + 7) / 8 * 8;
    }
  }

  std::size_t size() const noexcept { return size_; }

  void write(const Block& block, std::byte* base) const {
    const auto parts = parts_of(block);
    for (std::size_t i = 0; i < parts.size(); ++i) {
      if (place_[i] != stays) std::memcpy(base + place_[i], parts[i].from, parts[i].bytes);
    }
  }

  // The block with its arrays at `base`.
  Block placed(Block block, const std::byte* base) const {
    std::size_t i = 0;
    const auto put = [&]<class T>(const T*& array) {
      if (place_[i] != stays) array = reinterpret_cast<const T*>(base + place_[i]);
      ++i;
    };
    put(block.offset);
    put(block.row);
    put(block.squared_norm);
    put(block.weight);
    if (const std::size_t values = i++; place_[values] != stays) block.value = base + place_[values];
    put(block.index);
    put(block.label);
    return block;
  }

 private:
  struct Part {
    const void* from;
    std::size_t bytes;
  };
  static std::array<Part, 7> parts_of(const Block& block) {
    const std::uint64_t stored = block.stored();
    return {{{block.offset, (block.rows + 1) * sizeof *block.offset},
             {block.row, block.rows * sizeof *block.row},
             {block.squared_norm, block.rows * sizeof *block.squared_norm},
             {block.weight, block.rows * sizeof *block.weight},
             {block.value, stored * value_bytes(block.value_type)},
             {block.index, stored * sizeof *block.index},
             {block.label, block.rows * sizeof *block.label}}};
  }

  static constexpr std::size_t stays = SIZE_MAX;
  std::array<std::size_t, 7> place_;
  std::size_t size_ = 0;
};

}  // namespace

struct Rows::Impl {
  explicit Impl(RowsOptions given) : options(std::move(given)) {}

  // The open block stays open after seal, so that more rows may come.
  void append(const Block& block, std::size_t from, std::size_t count) {
    sealed = false;
    if (open.rows() == 0 && count == block_rows && count == block.rows) return close(block);
    while (count != 0) {
      const std::size_t now = std::min(count, block_rows - open.rows());
      open.append(block, from, now);
      from += now;
      count -= now;
      if (open.rows() < block_rows) continue;
      close(open.view());
      open.clear();
    }
  }

  void close(Block block) {
    // Narrow indices stay where they are as long as there would be memory for full ones, should somebody ask.
    const std::uint64_t full = block.stored() * sizeof(std::uint32_t);
    const bool room = !spill && slabs.size() + promised + full <= options.memory;
    if (room && lies_in(borrowed.bytes, block.narrow_index)) {
      block.index = nullptr;
      promised += full;
    } else {
      block.narrow_index = nullptr;
    }
    const Layout layout(block, borrowed.bytes);
    features = std::max(features, block.features);
    if (!spill && slabs.size() + promised + layout.size() > options.memory) {
      spill = std::make_unique<stream::SpillFile>(options.folder.empty() ? "/tmp" : options.folder);
    }
    if (spill) {
      scratch.resize(layout.size());
      layout.write(block, scratch.data());
      closed.push_back({block, layout, true, spill->append(scratch.data(), layout.size())});
    } else {
      std::byte* const base = slabs.take(layout.size(), block.dense);
      layout.write(block, base);
      closed.push_back({layout.placed(block, base), layout, false, 0});
    }
  }

  void seal() {
    if (sealed) return;
    if (spill) {
      const std::byte* const base = spill->map();
      for (Closed& part : closed) {
        if (part.spilled) part.block = part.layout.placed(part.block, base + part.place);
      }
    }
    features = std::max(features, open.view().features);
    sealed = true;
  }

  // The indices of a block in full width, once somebody has asked for them.
  const std::uint32_t* widened(std::size_t i) {
    const std::lock_guard lock(widening);
    if (wide.size() <= i) wide.resize(closed.size());
    if (wide[i] == nullptr) {
      const Block& block = closed[i].block;
      auto* const index = reinterpret_cast<std::uint32_t*>(slabs.take(block.stored() * sizeof(std::uint32_t), false));
      std::copy(block.narrow_index, block.narrow_index + block.stored(), index);
      wide[i] = index;
      promised -= block.stored() * sizeof(std::uint32_t);
    }
    return wide[i];
  }

  struct Closed {
    Block block;  // points nowhere until a spilled part is mapped
    Layout layout;
    bool spilled;
    std::uint64_t place;  // in the file
  };

  RowsOptions options;
  Mapping borrowed;
  std::vector<Closed> closed;  // block_rows rows each
  OpenBlock open;
  stream::Slabs slabs;
  std::uint64_t promised = 0;  // bytes that widened() may still take
  std::unique_ptr<stream::SpillFile> spill;
  std::vector<std::byte> scratch;
  std::mutex widening;
  std::vector<const std::uint32_t*> wide;
  std::uint32_t features = 0;
  bool sealed = false;
};

Rows::Rows(RowsOptions options) : impl_(std::make_unique<Impl>(std::move(options))) {}
Rows::~Rows() = default;
Rows::Rows(Rows&&) noexcept = default;
Rows& Rows::operator=(Rows&&) noexcept = default;

void Rows::borrow(Mapping mapping) {
  impl_->borrowed = std::move(mapping);
}
void Rows::append(const Block& block) {
  impl_->append(block, 0, block.rows);
}
void Rows::append(const Block& block, std::size_t i) {
  impl_->append(block, i, 1);
}
void Rows::seal() {
  impl_->seal();
}

std::uint64_t Rows::size() const noexcept {
  return std::uint64_t{impl_->closed.size()} * block_rows + impl_->open.rows();
}
std::uint64_t Rows::bytes() const noexcept {
  const std::lock_guard lock(impl_->widening);
  return impl_->slabs.size() + (impl_->spill ? impl_->spill->size() : 0) + Layout(impl_->open.view(), {}).size();
}
bool Rows::spilled() const noexcept {
  return impl_->spill != nullptr;
}
std::uint32_t Rows::features() const noexcept {
  return impl_->features;
}
std::size_t Rows::blocks() const noexcept {
  return impl_->closed.size() + (impl_->open.rows() != 0 ? 1 : 0);
}
void Rows::release(std::size_t i) const noexcept {
  if (i >= impl_->closed.size() || !impl_->closed[i].spilled) return;
  const Impl::Closed& part = impl_->closed[i];
  impl_->spill->release(part.place, part.layout.size());
}
Block Rows::stored(std::size_t i) const {
  return i < impl_->closed.size() ? impl_->closed[i].block : impl_->open.view();
}
Block Rows::block(std::size_t i) const {
  Block block = stored(i);
  if (block.index == nullptr && block.narrow_index != nullptr) block.index = impl_->widened(i);
  return block;
}

}  // namespace halfspace
