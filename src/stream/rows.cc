// Rows kept in blocks of 4096, in memory while they fit, then in a mapped temporary file.
#include "halfspace/rows.h"

#include <algorithm>
#include <cstring>
#include <memory>
#include <optional>
#include <type_traits>
#include <utility>
#include <vector>

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
  OpenBlock() = default;
  OpenBlock(OpenBlock&&) noexcept = default;
  OpenBlock& operator=(OpenBlock&&) noexcept = default;

  std::size_t rows() const noexcept { return label_.size(); }
  std::size_t stored() const noexcept { return index_.size(); }

  // Room for as much as another block came to: blocks of one file are alike.
  void expect(const OpenBlock& like) {
    index_.reserve(like.index_.size() + like.index_.size() / 16);
    if (like.type_ == ValueType::float32) narrow_.reserve(index_.capacity());
    if (like.type_ == ValueType::float64) wide_.reserve(index_.capacity());
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
        narrow_ = {};
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

// In the temporary file a block is one run of bytes: its arrays one after the other, each where its type may stand.
struct Layout {
  explicit Layout(const Block& block) {
    const std::uint64_t stored = block.stored();
    offset = 0;
    row = offset + (block.rows + 1) * sizeof(std::uint64_t);
    squared_norm = row + block.rows * sizeof(std::uint64_t);
    weight = squared_norm + block.rows * sizeof(double);
    value = weight + (block.weight == nullptr ? 0 : block.rows * sizeof(double));
    index = value + (stored * value_bytes(block.value_type) + 7) / 8 * 8;
    label = index + stored * sizeof(std::uint32_t);
    size = (label + block.rows * sizeof(std::int32_t) + 7) / 8 * 8;
  }

  std::size_t offset, row, squared_norm, weight, value, index, label, size;
};

// Points a block at the arrays that stand at `base`.
Block placed(Block shape, const Layout& layout, const std::byte* base) {
  const auto at = [&]<class T>(std::size_t place, const T*) { return reinterpret_cast<const T*>(base + place); };
  shape.offset = at(layout.offset, shape.offset);
  shape.row = at(layout.row, shape.row);
  shape.squared_norm = at(layout.squared_norm, shape.squared_norm);
  if (shape.weight != nullptr) shape.weight = at(layout.weight, shape.weight);
  if (shape.value != nullptr) shape.value = base + layout.value;
  shape.index = at(layout.index, shape.index);
  shape.label = at(layout.label, shape.label);
  return shape;
}

void write_to(std::byte* base, const Layout& layout, const Block& block) {
  const std::uint64_t stored = block.stored();
  const auto put = [&](std::size_t place, const void* data, std::size_t bytes) {
    if (bytes != 0) std::memcpy(base + place, data, bytes);
  };
  put(layout.offset, block.offset, (block.rows + 1) * sizeof(std::uint64_t));
  put(layout.row, block.row, block.rows * sizeof(std::uint64_t));
  put(layout.squared_norm, block.squared_norm, block.rows * sizeof(double));
  if (block.weight != nullptr) put(layout.weight, block.weight, block.rows * sizeof(double));
  put(layout.value, block.value, stored * value_bytes(block.value_type));
  put(layout.index, block.index, stored * sizeof(std::uint32_t));
  put(layout.label, block.label, block.rows * sizeof(std::int32_t));
}

}  // namespace

struct Rows::Impl {
  explicit Impl(RowsOptions given) : options(std::move(given)) {}

  // The open block stays open after seal, so that more rows may come.
  void append(const Block& block, std::size_t from, std::size_t count) {
    sealed = false;
    while (count != 0) {
      const std::size_t now = std::min(count, block_rows - open.rows());
      open.append(block, from, now);
      from += now;
      count -= now;
      if (open.rows() == block_rows) close_block();
    }
  }

  void close_block() {
    const Block block = open.view();
    const Layout layout(block);
    features = std::max(features, block.features);
    OpenBlock next;
    next.expect(open);
    if (!spill && held + layout.size > options.memory) {
      spill = std::make_unique<stream::SpillFile>(options.folder.empty() ? "/tmp" : options.folder);
    }
    if (spill) {
      scratch.resize(layout.size);
      write_to(scratch.data(), layout, block);
      closed.push_back({block, layout, std::nullopt, spill->append(scratch.data(), layout.size)});
    } else {
      held += layout.size;
      closed.push_back({block, layout, std::move(open), 0});  // its arrays stay where they are
    }
    open = std::move(next);
  }

  void seal() {
    if (sealed) return;
    if (spill) {
      const std::byte* const base = spill->map();
      for (Closed& part : closed) {
        if (!part.rows) part.block = placed(part.block, part.layout, base + part.place);
      }
    }
    features = std::max(features, open.view().features);
    sealed = true;
  }

  struct Closed {
    Block block;  // points nowhere until a spilled part is mapped
    Layout layout;
    std::optional<OpenBlock> rows;  // empty: in the file
    std::uint64_t place;            // there
  };

  RowsOptions options;
  std::vector<Closed> closed;  // block_rows rows each
  OpenBlock open;
  std::unique_ptr<stream::SpillFile> spill;
  std::vector<std::byte> scratch;
  std::uint64_t held = 0;  // bytes of the closed blocks in memory
  std::uint32_t features = 0;
  bool sealed = false;
};

Rows::Rows(RowsOptions options) : impl_(std::make_unique<Impl>(std::move(options))) {}
Rows::~Rows() = default;
Rows::Rows(Rows&&) noexcept = default;
Rows& Rows::operator=(Rows&&) noexcept = default;

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
  return impl_->held + (impl_->spill ? impl_->spill->size() : 0) + Layout(impl_->open.view()).size;
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
  if (i >= impl_->closed.size() || impl_->closed[i].rows) return;
  const Impl::Closed& part = impl_->closed[i];
  impl_->spill->release(part.place, part.layout.size);
}
Block Rows::block(std::size_t i) const {
  return i < impl_->closed.size() ? impl_->closed[i].block : impl_->open.view();
}

}  // namespace halfspace
