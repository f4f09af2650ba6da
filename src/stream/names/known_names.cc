// The dictionary of a pass.
#include "stream/names/known_names.h"

#define XXH_INLINE_ALL
#include <sys/mman.h>
#include <xxhash.h>

#include <cstdlib>
#include <cstring>
#include <exception>
#include <new>
#include <numeric>
#include <random>

#include "stream/names/sorted_names.h"

namespace halfspace::stream {
namespace {

constexpr std::size_t fewest_slots = 16;
constexpr std::size_t page_bytes = std::size_t{1} << 21;
// A part of huge pages has at least as many; the last is in use by half on average. Growing parts of small pages is mostly
// page faults.
constexpr std::size_t fewest_huge_pages = 2;

// A record of the empty name, as a list has it.
constexpr char empty_record[] = {0, 0};

constexpr std::uint64_t golden = 0x9e3779b97f4a7c15;

std::uint64_t random_seed() {
  try {
    std::random_device draw;
    return std::uint64_t{draw()} << 32 | draw();
  } catch (const std::exception&) {
    return golden;  // a system without random numbers: collisions cost time and nothing else
  }
}

constexpr std::size_t fewest_chunk_slots = 1024;

}  // namespace

void KnownNames::Release::operator()(Slot* slots) const noexcept { std::free(slots); }

void KnownNames::clear() {
  // Shared by all parts without names.
  static Slot free_slot[1];
  wide_.clear();
  deferred_ = {};
  limit_ = 0;
  used_ = {};
  table_ = std::make_shared<Table>();
  table_->part.fill({free_slot, 1});
  publish();
}

std::size_t KnownNames::slots() const {
  return std::accumulate(table_->part.begin(), table_->part.end(), std::size_t{0},
                         [](std::size_t sum, const Part& part) { return sum + part.size; });
}

void KnownNames::insert(std::uint32_t column, std::string_view stored, std::uint32_t feature, std::uint64_t hash) {
  const std::size_t part = part_of(hash);
  ++used_[part];
  const std::size_t before = table_->part[part].size;
  if (4 * used_[part] > 3 * before) grow(part, before == 1 ? fewest_slots + part / 2 : before + before / 2);
  put(table_->part[part], (std::uint64_t{feature} + 1) << 32 | (hash & 0xffffffff), word_of(column, stored));
  limit_ = std::max(limit_, feature + 1);
}

bool DeferredNames::add(std::uint32_t column, const Column& names, Hash hash) {
  if (!names.categories.encoded()) return false;
  any_ = true;
  columns_.push_back({column, {}, std::move(hash)});
  columns_.back().names.categories = names.categories;
  columns_.back().names.features = names.features;
  return true;
}

std::uint32_t DeferredNames::find(const NameKey& key) const {
  const auto found =
      std::find_if(columns_.begin(), columns_.end(), [&](const OfColumn& one) { return one.column == key.column; });
  return found == columns_.end() ? EncodedNames::none : found->names.categories.encoded()->find(key.text);
}

void KnownNames::defer(std::uint32_t column, const Column& names, const DeferredNames::Hash& hash) {
  if (!deferred_.add(column, names, hash)) insert_all(column, names, hash);
}

bool DeferredNames::worth_searching(std::size_t look_ups, KnownNames& table) {
  searched_ += look_ups;
  if (searched_ <= most_searches) return true;
  const std::vector<OfColumn> all = std::exchange(columns_, {});
  std::size_t names = 0;
  for (const OfColumn& one : all) names += one.names.categories.size();
  table.reserve(names);
  for (const OfColumn& one : all) table.insert_all(one.column, one.names, one.hash);
  return false;
}

// Each part is from half to three quarters full then.
void KnownNames::reserve(std::size_t names) {
  const std::size_t in_part = names / parts + names / (16 * parts);
  for (std::size_t part = 0; in_part > fewest_slots && part < parts; ++part) {
    const std::size_t size = in_part * 4 / 3 * (2 * parts + part) / (2 * parts);
    if (size > table_->part[part].size) grow(part, size);
  }
}

std::uint64_t KnownNames::word_of(std::uint32_t column, std::string_view stored) {
  if (is_short(column, stored)) return short_word(column, stored);
  const void* address = stored.empty() ? empty_record + 1 : stored.data();
  if (column >= wide_column) address = &wide_.emplace_back(Wide{static_cast<const char*>(address), column});
  const auto bits = static_cast<std::uint64_t>(reinterpret_cast<std::uintptr_t>(address));
  if (bits >> size_shift != 0) throw std::bad_alloc();  // no system gives such addresses unasked
  return std::uint64_t{std::min(column, wide_column)} << column_shift | bits;
}

// Slots are taken in order, so that they are put nearly in order. Later growth of the parts is spread over time by
// their first sizes.
void KnownNames::grow(std::size_t part, std::size_t size) {
  const Part before = table_->part[part];
  std::size_t bytes = size * sizeof(Slot);
  void* memory = nullptr;
  if (bytes < fewest_huge_pages * page_bytes) {
    memory = std::calloc(size, sizeof(Slot));
    if (memory == nullptr) throw std::bad_alloc();
  } else {
    // Random access to many small pages would miss the translation buffer each time.
    bytes = (bytes + page_bytes - 1) / page_bytes * page_bytes;
    memory = std::aligned_alloc(page_bytes, bytes);
    if (memory == nullptr) throw std::bad_alloc();
#ifdef MADV_HUGEPAGE
    ::madvise(memory, bytes, MADV_HUGEPAGE);  // a hint: without it everything works, slower
#endif
    std::memset(memory, 0, bytes);
  }
  std::shared_ptr<Slot> slots(static_cast<Slot*>(memory), Release());
  const Part larger{slots.get(), size};
  for (std::size_t i = 0; i < before.size; ++i) {
    const std::uint64_t head = before.slots[i].head.load(std::memory_order_relaxed);
    if (head != 0) put(larger, head, before.slots[i].name.load(std::memory_order_relaxed));
  }
  if (table_ == published_) table_ = std::make_shared<Table>(*table_);
  table_->part[part] = larger;
  table_->held[part] = std::move(slots);
}

void KnownNames::put(const Part& part, std::uint64_t head, std::uint64_t name) {
  std::size_t at = part.home(head);
  while (part.slots[at].head.load(std::memory_order_relaxed) != 0) at = part.after(at);
  part.slots[at].name.store(name, std::memory_order_relaxed);
  part.slots[at].head.store(head, std::memory_order_release);
}

void KnownNames::publish() {
  const std::lock_guard lock(mutex_);
  published_ = table_;
  published_limit_ = limit_;
}

KnownNames::Snapshot KnownNames::snapshot() const {
  const std::lock_guard lock(mutex_);
  return {published_, published_limit_};
}

std::uint64_t seed_of_names(std::uint32_t column) {
  static const std::uint64_t seed = random_seed();
  return seed + column * golden;
}

std::uint64_t hash_of_name(std::string_view name, std::uint64_t seed) {
  return XXH3_64bits_withSeed(name.data(), name.size(), seed);
}

std::uint64_t hash_of_pair(std::uint64_t first, std::uint64_t second, std::uint64_t seed) {
  return XXH3_avalanche(XXH3_mul128_fold64(first ^ seed, second + golden) ^ first);
}

std::uint64_t seed_of_hashed(std::string_view column) { return hash_of_name(column, 1); }

std::uint64_t hash_of_hashes(std::span<const std::uint64_t> hashes, std::uint64_t seed) {
  std::array<unsigned char, 24> bytes;
  std::size_t size = 0;
  for (const std::uint64_t hash : hashes) {
    for (unsigned shift = 0; shift < 64; shift += 8) bytes[size++] = static_cast<unsigned char>(hash >> shift);
  }
  return XXH3_64bits_withSeed(bytes.data(), size, seed);
}

void ChunkNames::clear() {
  entries_.clear();
  std::fill(slots_.begin(), slots_.end(), 0);
}

std::uint32_t ChunkNames::insert_last(std::uint32_t column, std::uint64_t hash, std::string_view text) {
  slots_[free_] = slot_of(hash, entries_.size());
  entries_.push_back({hash, text, column});
  return static_cast<std::uint32_t>(entries_.size()) - 1;
}

void ChunkNames::grow() {
  slots_.assign(std::max(fewest_chunk_slots, slots_.size() * 2), 0);
  const std::size_t mask = slots_.size() - 1;
  for (std::size_t i = 0; i < entries_.size(); ++i) {
    std::size_t at = entries_[i].hash & mask;
    while (slots_[at] != 0) at = (at + 1) & mask;
    slots_[at] = slot_of(entries_[i].hash, i);
  }
}

}  // namespace halfspace::stream
