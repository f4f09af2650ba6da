// The dictionary of a pass.
#include "stream/columns/known_names.h"

#include <sys/mman.h>

#include <cstdlib>
#include <cstring>
#include <new>
#include <utility>

namespace halfspace::stream {
namespace {

constexpr unsigned fewest_slot_bits = 6;
constexpr std::size_t table_page = std::size_t{1} << 21;

}  // namespace

void KnownNames::Release::operator()(void* memory) const noexcept {
  std::free(memory);
}

// Random access to many small pages would miss the translation buffer each time.
void* KnownNames::zeroed(std::size_t bytes) {
  if (bytes < table_page) {
    if (void* const memory = std::calloc(bytes, 1)) return memory;
    throw std::bad_alloc();
  }
  void* const memory = std::aligned_alloc(table_page, (bytes + table_page - 1) / table_page * table_page);
  if (memory == nullptr) throw std::bad_alloc();
#ifdef MADV_HUGEPAGE
  ::madvise(memory, bytes, MADV_HUGEPAGE);  // a hint: without it everything works, slower
#endif
  std::memset(memory, 0, bytes);
  return memory;
}

void KnownNames::clear() {
  table_.reset();
  for (auto& segment : segments_) segment.reset();
  count_ = 0;
  publish();
}

void KnownNames::reserve(std::size_t names) {
  unsigned bits = fewest_slot_bits;
  while (bits < 32 && 3 * (std::uint64_t{1} << bits) < 4 * std::uint64_t{names}) ++bits;
  table_ = std::make_shared<Table>(bits);
}

void KnownNames::insert(std::uint32_t column, std::string_view stored, std::uint32_t feature, std::uint64_t hash) {
  if (!table_ || 4 * (std::uint64_t{count_} + 1) > 3 * (table_->mask + 1)) grow();
  const std::uint64_t place = count_ + (std::uint64_t{1} << first_bits);
  std::unique_ptr<Name[], Release>& segment = segments_[segment_of(place)];
  if (!segment) segment.reset(static_cast<Name*>(std::calloc(std::bit_floor(place), sizeof(Name))));
  if (!segment) throw std::bad_alloc();
  at(count_) = {stored.data(), column, feature};
  ++count_;
  put(*table_, hash >> 32 << 32 | count_);
}

// Slots are taken in order, so that they are put nearly in order.
void KnownNames::grow() {
  const unsigned bits = table_ ? 33 - table_->shift : fewest_slot_bits;
  auto larger = std::make_shared<Table>(bits);
  if (table_) {
    for (std::size_t i = 0; i <= table_->mask; ++i) {
      const std::uint64_t slot = table_->slots[i].load(std::memory_order_relaxed);
      if (slot != 0) put(*larger, slot);
    }
  }
  table_ = std::move(larger);
}

void KnownNames::put(Table& table, std::uint64_t slot) {
  std::size_t at = table.home(slot);
  while (table.slots[at].load(std::memory_order_relaxed) != 0) at = (at + 1) & table.mask;
  table.slots[at].store(slot, std::memory_order_relaxed);
}

void KnownNames::publish() {
  const std::lock_guard lock(mutex_);
  published_table_ = table_;
  published_count_ = count_;
}

KnownNames::Snapshot KnownNames::snapshot() const {
  const std::lock_guard lock(mutex_);
  return {this, published_table_, published_count_};
}

}  // namespace halfspace::stream
