// The dictionary of a pass: maps each name in the columns of a schema to its feature (categories, tokens, features of
// Vowpal Wabbit text).
//
// Finds a name by a 64-bit hash, which the caller computes, and by its bytes, which are compared once. A slot of the
// table has 16 bytes: half of the hash, the feature, the column, and the name itself if it has at most six bytes, so
// that one cache miss finds it; the bytes of longer names stay in the lists of the schema's columns (NameList). The
// table has parts by hash, which grow by half, each at another time, by one sequential copy: slots are in the order of
// the hash. Memory: 21 to 32 bytes a name, 27 on average.
//
// Names of a column that are encoded may be deferred: few of them are found where they are encoded, by the thread that
// adds names; then all are added.
//
// One thread adds names, with ascending features once some are published. Others find those that were known when they
// took a Snapshot, at the same time: what is in a snapshot does not depend on what is added meanwhile.
//
// Thread-safety: `snapshot` and the use of snapshots are safe at any time; everything else belongs to one thread.
#pragma once

#include <algorithm>
#include <array>
#include <atomic>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <functional>
#include <memory>
#include <mutex>
#include <span>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

#include "halfspace/detail/stream/name_list.h"
#include "halfspace/stream/schema.h"

namespace halfspace::stream {

// The hash of names: of categories, tokens and features of Vowpal Wabbit text.
//
// It is seeded by a random number of the process, so that nobody can write names that collide; no result depends on it.
//
// The features of hashed names (HashedNames) come from hashes with a fixed seed instead.
//
// Thread-safety: pure functions.

// Returns the seed of a column, or the process's of none.
std::uint64_t seed_of_names(std::uint32_t column = 0);

// Returns the hash of a name under the seed of its column.
std::uint64_t hash_of_name(std::string_view name, std::uint64_t seed);

// Returns the hash of a pair of names under the seed of its column.
std::uint64_t hash_of_pair(std::uint64_t first, std::uint64_t second, std::uint64_t seed);

// Returns the seed of a column whose names are hashed to features: XXH3-64 of the column's name with the seed 1. It is
// part of the meaning of models (docs/formats/model.md) and never changes; nor does hash_of_name under it.
std::uint64_t seed_of_hashed(std::string_view column);

// Returns the hash of a product of hashed names: XXH3-64 of their hashes, 8 bytes each, the least significant first.
// At most three.
std::uint64_t hash_of_hashes(std::span<const std::uint64_t> hashes, std::uint64_t seed);

// A name that is looked up. Others have the same members.
struct NameKey {
  std::uint64_t hash;
  std::uint32_t column;
  std::string_view text;
  bool is(std::string_view stored) const { return stored == text; }
};

class KnownNames;

// Encoded names of columns, in which few names are looked up.
//
// Thread-safety: one thread.
class DeferredNames {
 public:
  using Hash = std::function<std::uint64_t(std::string_view)>;
  struct OfColumn {
    std::uint32_t column;
    Column names;
    Hash hash;
  };

  bool add(std::uint32_t column, const Column& names, Hash hash);
  // Counts as many look-ups more. Returns whether they are to search here; if not, all names are in the table then.
  bool serve(std::size_t look_ups, KnownNames& table) { return !columns_.empty() && worth_searching(look_ups, table); }
  std::uint32_t find(const NameKey& key) const;
  // Returns whether names were ever deferred.
  bool any() const { return any_; }

 private:
  bool worth_searching(std::size_t look_ups, KnownNames& table);
  static constexpr std::size_t most_searches = 1000;
  std::vector<OfColumn> columns_;
  std::size_t searched_ = 0;
  bool any_ = false;
};

class KnownNames {
 public:
  static constexpr std::uint32_t none = Column::no_feature;

 private:
  // The second word of a slot: the column in the upper bits, and below a short name with its size, or the address of
  // the text in a list. The last column stands for all further ones: the address is then that of a Wide.
  static constexpr unsigned size_shift = 48, short_shift = 51, column_shift = 52;
  static constexpr std::size_t most_short = 6;
  static constexpr std::uint32_t wide_column = (1U << (64 - column_shift)) - 1;
  struct Wide {
    const char* text;
    std::uint32_t column;
  };
  static bool is_short(std::uint32_t column, std::string_view text) {
    return text.size() <= most_short && column < wide_column;
  }
  static std::uint64_t short_word(std::uint32_t column, std::string_view text) {
    std::uint64_t word = std::uint64_t{column} << column_shift | std::uint64_t{1} << short_shift |
                         std::uint64_t{text.size()} << size_shift;
    for (std::size_t i = 0; i < text.size(); ++i) word |= std::uint64_t{static_cast<unsigned char>(text[i])} << 8 * i;
    return word;
  }
  template <class Pointee>
  static const Pointee* address_in(std::uint64_t word) {
    // NOLINTNEXTLINE(performance-no-int-to-ptr)
    return reinterpret_cast<const Pointee*>(word & ((std::uint64_t{1} << size_shift) - 1));
  }
  static const void* address_in_word(std::uint64_t word) { return address_in<char>(word); }

  struct Slot {
    std::atomic<std::uint64_t> head;  // 1 + the feature, and the lower half of the hash; 0: free
    std::atomic<std::uint64_t> name;  // as above
  };
  struct Release {
    void operator()(Slot* slots) const noexcept;
  };

  static constexpr std::size_t parts = 16;
  struct Part {
    Slot* slots;
    std::size_t size;  // at least one slot is free
    std::size_t home(std::uint64_t hash) const {
      return static_cast<std::size_t>((hash & 0xffffffff) * std::uint64_t{size} >> 32);
    }
    std::size_t after(std::size_t at) const { return at + 1 == size ? 0 : at + 1; }
  };
  static std::size_t part_of(std::uint64_t hash) { return static_cast<std::size_t>(hash >> 60); }

  // The parts; does not change once it is published, but for slots that become taken.
  struct Table {
    std::array<Part, parts> part;
    std::array<std::shared_ptr<Slot>, parts> held;
  };

 public:
  // The names with features below some number.
  class View {
   public:
    View() = default;

    void prefetch(std::uint64_t hash) const {
      if (table_ == nullptr) return;
      const Part& part = table_->part[part_of(hash)];
      __builtin_prefetch(&part.slots[part.home(hash)]);
    }
    // Returns the feature of a name, or none.
    template <class Key>
    std::uint32_t find(const Key& key) const {
      if (limit_ == 0) return none;
      const Part& part = table_->part[part_of(key.hash)];
      return find_from(key, part, part.home(key.hash));
    }
    // Returns a number above the features of all these names: it grows with every name that is added.
    std::uint32_t limit() const { return limit_; }
    // Returns how many slots `find` visits, for tests.
    template <class Key>
    std::size_t visits(const Key& key) const {
      if (limit_ == 0) return 0;
      const Part& part = table_->part[part_of(key.hash)];
      std::size_t at = part.home(key.hash), count = 1;
      for (; part.slots[at].head.load(std::memory_order_relaxed) != 0; at = part.after(at), ++count) {
        if (has(part.slots[at].name.load(std::memory_order_relaxed), key)) break;
      }
      return count;
    }
    // Finds key(0) to key(count - 1): the memory of several is fetched at a time.
    template <class KeyOf>
    void find_all(std::size_t count, const KeyOf& key, std::uint32_t* features) const;

   private:
    friend class KnownNames;
    View(const Table* table, std::uint32_t limit) : table_(table), limit_(limit) {}

    // Returns the first slot from this one on that may have the name, or a free one.
    template <class Key>
    std::size_t next_like(const Key& key, const Part& part, std::size_t at, std::uint32_t& feature) const {
      for (;; at = part.after(at)) {
        const std::uint64_t head = part.slots[at].head.load(std::memory_order_acquire);
        feature = static_cast<std::uint32_t>(head >> 32) - 1;
        if (head == 0 || (static_cast<std::uint32_t>(head) == static_cast<std::uint32_t>(key.hash) && feature < limit_))
          return at;
      }
    }
    template <class Key>
    static bool has(std::uint64_t name, const Key& key) {
      const std::uint32_t column = static_cast<std::uint32_t>(name >> column_shift);
      if ((name >> short_shift & 1) != 0) {
        if constexpr (std::is_same_v<Key, NameKey>) {
          return is_short(key.column, key.text) && name == short_word(key.column, key.text);
        }
        if (column != key.column) return false;
        std::array<char, most_short> bytes;
        for (std::size_t i = 0; i < bytes.size(); ++i) bytes[i] = static_cast<char>(name >> 8 * i & 0xff);
        return key.is({bytes.data(), static_cast<std::size_t>(name >> size_shift & 7)});
      }
      if (column != wide_column) return column == key.column && key.is(NameList::stored_at(address_in<char>(name)));
      const Wide& wide = *address_in<Wide>(name);
      return wide.column == key.column && key.is(NameList::stored_at(wide.text));
    }
    template <class Key>
    std::uint32_t find_from(const Key& key, const Part& part, std::size_t at) const {
      for (;; at = part.after(at)) {
        std::uint32_t feature = none;
        at = next_like(key, part, at, feature);
        if (feature == none || has(part.slots[at].name.load(std::memory_order_relaxed), key)) return feature;
      }
    }

    const Table* table_ = nullptr;
    std::uint32_t limit_ = 0;
  };

  class Snapshot : public View {
   public:
    Snapshot() = default;

   private:
    friend class KnownNames;
    Snapshot(std::shared_ptr<const Table> table, std::uint32_t limit)
        : View(table.get(), limit), held_(std::move(table)) {}
    std::shared_ptr<const Table> held_;
  };

  KnownNames() { clear(); }

  // Forgets all names; there are no snapshots then.
  void clear();
  // Adds a name that is unknown; `stored` is its text in a list that outlives this. The feature, which is less than
  // 2^31, exceeds that of every published name.
  void insert(std::uint32_t column, std::string_view stored, std::uint32_t feature, std::uint64_t hash);
  // Adds the names of a column, all unknown; hash(name) is the hash of each.
  template <class HashOf>
  void insert_all(std::uint32_t column, const Column& names, const HashOf& hash);
  // Does so, but may leave that to the look-up that is worth it. No other names are added then.
  void defer(std::uint32_t column, const Column& names, const DeferredNames::Hash& hash);
  // Makes room for so many names in all.
  void reserve(std::size_t names);
  // Makes all names visible in later snapshots.
  void publish();

  Snapshot snapshot() const;
  View view() const { return {table_.get(), limit_}; }
  // Returns the feature of a name, or none; and finds key(0) to key(count - 1). These find deferred names, too.
  std::uint32_t feature(std::uint32_t column, std::uint64_t hash, std::string_view text) {
    const NameKey key{hash, column, text};
    const bool deferred = deferred_.serve(1, *this);
    const std::uint32_t found = view().find(key);
    return deferred && found == none ? deferred_.find(key) : found;
  }
  template <class KeyOf>
  void find_all(std::size_t count, const KeyOf& key, std::uint32_t* features) {
    const bool deferred = deferred_.serve(count, *this);
    view().find_all(count, key, features);
    for (std::size_t i = 0; deferred && i < count; ++i)
      features[i] = features[i] == none ? deferred_.find(key(i)) : features[i];
  }
  // Returns whether a snapshot with this limit may lack names.
  bool has_more(std::uint32_t limit) const { return deferred_.any() || limit != limit_; }
  // Returns the slots of all parts, for tests of what memory is used.
  std::size_t slots() const;

 private:
  std::uint64_t word_of(std::uint32_t column, std::string_view stored);
  void grow(std::size_t part, std::size_t size);
  static void put(const Part& part, std::uint64_t head, std::uint64_t name);

  std::shared_ptr<Table> table_;
  std::array<std::size_t, parts> used_{};
  std::deque<Wide> wide_;
  DeferredNames deferred_;
  std::uint32_t limit_ = 0;

  mutable std::mutex mutex_;  // guards what is published
  std::shared_ptr<const Table> published_;
  std::uint32_t published_limit_ = 0;
};

// Returns the number of names in all columns, or in those that are not encoded.
inline std::size_t count_names(const Schema& schema, bool encoded = true) {
  std::size_t count = 0;
  for (const Column& column : schema.columns)
    count += encoded || !column.categories.encoded() ? column.categories.size() : 0;
  return count;
}

template <class HashOf>
void KnownNames::insert_all(std::uint32_t column, const Column& names, const HashOf& hash) {
  struct Added {
    std::string_view text;
    std::uint64_t hash;
  };
  constexpr std::size_t batch = 32;  // names whose memory is fetched at a time
  std::array<Added, batch> added;
  auto name = names.categories.begin();
  for (std::size_t begin = 0; begin < names.categories.size(); begin += batch) {
    const std::size_t size = std::min(batch, names.categories.size() - begin);
    for (std::size_t i = 0; i < size; ++i, ++name) {
      added[i] = {*name, hash(*name)};
      view().prefetch(added[i].hash);
    }
    for (std::size_t i = 0; i < size; ++i) insert(column, added[i].text, names.features[begin + i], added[i].hash);
  }
}

template <class KeyOf>
void KnownNames::View::find_all(std::size_t count, const KeyOf& key, std::uint32_t* features) const {
  constexpr std::size_t batch = 32;
  if (limit_ == 0) {
    std::fill_n(features, count, none);
    return;
  }
  std::array<std::size_t, batch> place;
  for (std::size_t begin = 0; begin < count; begin += batch, features += batch) {
    const std::size_t size = std::min(batch, count - begin);
    for (std::size_t i = 0; i < size; ++i) prefetch(key(begin + i).hash);
    for (std::size_t i = 0; i < size; ++i) {
      const auto& wanted = key(begin + i);
      const Part& part = table_->part[part_of(wanted.hash)];
      place[i] = next_like(wanted, part, part.home(wanted.hash), features[i]);
      const std::uint64_t name = part.slots[place[i]].name.load(std::memory_order_relaxed);
      if ((name >> short_shift & 1) == 0) __builtin_prefetch(address_in_word(name));
    }
    for (std::size_t i = 0; i < size; ++i) {
      if (features[i] == none) continue;
      const auto& wanted = key(begin + i);
      features[i] = find_from(wanted, table_->part[part_of(wanted.hash)], place[i]);
    }
  }
}

// Names while a chunk is parsed: those of the chunk that the pass does not know yet, and those of the row at hand.
//
// Names are found by a 64-bit hash, computed once while a chunk is parsed, and by their bytes. The names of a chunk are
// views of its text; those of the pass are stored in the schema's columns only (KnownNames).
//
// Thread-safety: one thread per object; constant members are safe. Cost O(1) a name.
class ChunkNames {
 public:
  struct Entry {
    std::uint64_t hash;
    std::string_view text;
    std::uint32_t column;  // of Vowpal Wabbit text the namespace, as its chunk numbers them
  };

  static constexpr std::uint32_t none = 0xffffffff;

  void clear();
  void prefetch(std::uint64_t hash) const {
    if (!slots_.empty()) __builtin_prefetch(&slots_[hash & (slots_.size() - 1)]);
  }
  // Returns the number of a name, or none: then insert_last assigns it the next number.
  template <class Key>
  std::uint32_t find(const Key& key) {
    if (2 * (entries_.size() + 1) > slots_.size()) grow();
    const std::size_t mask = slots_.size() - 1;
    for (std::size_t at = key.hash & mask;; at = (at + 1) & mask) {
      const std::uint64_t slot = slots_[at];
      if (slot == 0) {
        free_ = at;
        return none;
      }
      if (slot >> 32 != key.hash >> 32) continue;
      const std::uint32_t number = static_cast<std::uint32_t>(slot) - 1;
      if (entries_[number].column == key.column && key.is(entries_[number].text)) return number;
    }
  }
  std::uint32_t insert_last(std::uint32_t column, std::uint64_t hash, std::string_view text);

  const std::vector<Entry>& entries() const { return entries_; }

 private:
  void grow();
  static std::uint64_t slot_of(std::uint64_t hash, std::size_t number) { return hash >> 32 << 32 | (number + 1); }

  std::vector<Entry> entries_;
  std::vector<std::uint64_t> slots_;  // half a hash, and 1 + a number; 0: free. A power of two, at most half full.
  std::size_t free_ = 0;              // the slot at which find gave up
};

// Finds the names that occur several times in a row, by number or by hash. Cost O(1) a name.
template <class Name>
class RowNamesBy {
 public:
  static constexpr std::uint32_t none = 0xffffffff;

  // Begins a row.
  void clear() {
    used_ = 0;
    if (++row_ != 0) return;
    std::fill(slots_.begin(), slots_.end(), Slot());
    row_ = 1;
  }
  // Makes room for as many more.
  void expect(std::size_t count) {
    if (2 * (used_ + count) <= slots_.size()) return;
    std::vector<Slot> before(std::bit_ceil(2 * (used_ + count)));
    std::swap(before, slots_);
    for (const Slot& slot : before) {
      if (slot.row == row_) slot_of(slot.name) = slot;
    }
  }
  // Returns the place of a name that is in the row; adds others there, and returns none.
  std::uint32_t find_or_insert(Name name, std::uint32_t place) {
    Slot& slot = slot_of(name);
    if (slot.row == row_) return slot.place;
    slot = {name, row_, place};
    ++used_;
    return none;
  }

 private:
  struct Slot {
    Name name = 0;
    std::uint32_t row = 0, place = 0;
  };
  Slot& slot_of(Name name) {
    const std::size_t mask = slots_.size() - 1;
    for (std::size_t at = (static_cast<std::uint32_t>(name) * 0x9e3779b1U >> 7) & mask;; at = (at + 1) & mask) {
      if (slots_[at].row != row_ || slots_[at].name == name) return slots_[at];
    }
  }

  std::vector<Slot> slots_ = std::vector<Slot>(64);  // a power of two, at most half full
  std::uint32_t row_ = 0;                            // slots of other rows are free
  std::size_t used_ = 0;
};

using RowNames = RowNamesBy<std::uint32_t>;

}  // namespace halfspace::stream
