// Gathers rows of a random order ahead of the game.
#include "game/gathered_rows.h"

#include <algorithm>

#include "base/parallel.h"

namespace halfspace::game {
namespace {

constexpr std::size_t kRows = 512;  // of a block: stays in the cache between the two threads
constexpr std::uint64_t kFewValues = std::uint64_t{1} << 18;
constexpr std::size_t kAhead = 8;

}  // namespace

bool GatheredRows::pays(const Rows& rows) {
  std::uint64_t values = 0;
  for (std::size_t b = 0; b < rows.blocks(); ++b) values += rows.block(b).stored();
  return values >= kFewValues && processors() > 1;
}

GatheredRows::GatheredRows(const Rows& rows, std::span<const std::uint32_t> order) : rows_(rows), order_(order) {
  bool ones = true, dense = true;
  for (std::size_t b = 0; b < rows.blocks(); ++b) {
    const Block block = rows.block(b);
    ones = ones && block.value_type == ValueType::ones;
    dense = dense && block.dense && block.value_type != ValueType::ones;
  }
  if (ones) type_ = ValueType::ones;
  dense_ = dense;
  thread_ = start_thread([this] { gather_all(); });
}

GatheredRows::~GatheredRows() {
  given_up_ = true;
  free_.release(1);
  thread_.join();
}

// An empty block ends the stream.
void GatheredRows::gather_all() {
  std::size_t at = 0;
  for (std::size_t k = 0;; ++k) {
    free_.acquire();
    if (given_up_) return;
    Gathered& to = places_[k % places];
    const std::size_t count = std::min(kRows, order_.size() - at);
    to.rows = 0;
    try {
      if (count > 0) gather(order_.subspan(at, count), to);
    } catch (...) {
      failure_ = std::current_exception();
      to.rows = 0;
    }
    const bool last = to.rows == 0;
    filled_.release();
    if (last) return;
    at += count;
  }
}

void GatheredRows::gather(std::span<const std::uint32_t> order, Gathered& to) {
  to.offset.assign(1, 0);
  to.row.clear();
  to.index.clear();
  to.value.clear();
  to.label.clear();
  to.weight.clear();
  to.squared_norm.clear();
  for (std::size_t k = 0; k < order.size(); ++k) {
    if (k + 2 * kAhead < order.size()) rows_.fetch_place(order[k + 2 * kAhead]);
    if (k + kAhead < order.size()) rows_.fetch(order[k + kAhead]);
    rows_.with_row(order[k], room_, [&](const auto& x) {
      if (!dense_) to.index.insert(to.index.end(), x.index, x.index + x.size);
      if (type_ != ValueType::ones) {
        const std::size_t begin = to.value.size();
        to.value.resize(begin + x.size);
        for (std::uint32_t i = 0; i < x.size; ++i) to.value[begin + i] = x.value_at(i);
      }
      to.offset.push_back(to.offset.back() + x.size);
      to.row.push_back(x.row);
      to.label.push_back(x.label);
      to.weight.push_back(x.weight);
      to.squared_norm.push_back(x.squared_norm);
    });
  }
  to.rows = order.size();
}

std::optional<Block> GatheredRows::next() {
  if (ended_) return std::nullopt;
  if (held_) free_.release();
  held_ = true;
  filled_.acquire();
  const Gathered& from = places_[taken_++ % places];
  if (from.rows == 0) {
    ended_ = true;
    if (failure_) std::rethrow_exception(failure_);
    return std::nullopt;
  }
  Block block;
  block.rows = from.rows;
  block.features = rows_.features();
  block.value_type = type_;
  block.dense = dense_;
  block.offset = from.offset.data();
  if (!dense_) block.index = from.index.data();
  if (type_ != ValueType::ones) block.value = from.value.data();
  block.label = from.label.data();
  block.weight = from.weight.data();
  block.squared_norm = from.squared_norm.data();
  block.row = from.row.data();
  return block;
}

}  // namespace halfspace::game
