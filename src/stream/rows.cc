// Rows kept in blocks of 4096, in memory while they fit, then in a mapped temporary file.
#include "halfspace/rows.h"

#include <algorithm>
#include <cstring>
#include <memory>
#include <utility>
#include <vector>

#include "stream/spill_file.h"

namespace halfspace {
namespace {

std::size_t value_bytes(ValueType type) {
  return type == ValueType::ones ? 0 : type == ValueType::float32 ? sizeof(float) : sizeof(double);
}

// A closed block is one run of bytes: its arrays one after the other, each where its type may stand.
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

  // The open block stays open after seal, so that more rows may come: `tail` is a view of it.
  void append(const Block& block, std::size_t i) {
    open.append(block, i);
    sealed = false;
    if (open.rows() == block_rows) close_block();
  }

  void close_block() {
    const Block block = open.finish();
    const Layout layout(block);
    if (!spill && held + layout.size > options.memory) {
      spill = std::make_unique<stream::SpillFile>(options.folder.empty() ? "/tmp" : options.folder);
    }
    if (spill) {
      scratch.resize(layout.size);
      write_to(scratch.data(), layout, block);
      closed.push_back({block, layout, nullptr, spill->append(scratch.data(), layout.size)});
    } else {
      auto bytes = std::make_unique_for_overwrite<std::byte[]>(layout.size);
      write_to(bytes.get(), layout, block);
      held += layout.size;
      const Block block_here = placed(block, layout, bytes.get());
      closed.push_back({block_here, layout, std::move(bytes), 0});
    }
    features = std::max(features, block.features);
    open.clear();
  }

  void seal() {
    if (sealed) return;
    if (spill) {
      const std::byte* const base = spill->map();
      for (Closed& part : closed) {
        if (!part.bytes) part.block = placed(part.block, part.layout, base + part.place);
      }
    }
    tail = open.finish();
    features = std::max(features, tail.features);
    sealed = true;
  }

  struct Closed {
    Block block;  // points nowhere until a spilled part is mapped
    Layout layout;
    std::unique_ptr<std::byte[]> bytes;  // null: in the file
    std::uint64_t place;                 // there
  };

  RowsOptions options;
  std::vector<Closed> closed;  // block_rows rows each
  BlockBuffer open;
  Block tail;
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
  for (std::size_t i = 0; i < block.rows; ++i) impl_->append(block, i);
}
void Rows::append(const Block& block, std::size_t i) {
  impl_->append(block, i);
}
void Rows::seal() {
  impl_->seal();
}

std::uint64_t Rows::size() const noexcept {
  return std::uint64_t{impl_->closed.size()} * block_rows + impl_->open.rows();
}
std::uint64_t Rows::bytes() const noexcept {
  return impl_->held + (impl_->spill ? impl_->spill->size() : 0) + impl_->open.bytes();
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
Block Rows::block(std::size_t i) const {
  return i < impl_->closed.size() ? impl_->closed[i].block : impl_->tail;
}

}  // namespace halfspace
