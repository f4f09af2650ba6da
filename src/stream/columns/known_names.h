// The dictionary of a pass: maps each name in the columns of a schema to its feature (categories, tokens, features of
// Vowpal Wabbit text).
//
// Finds a name by a 64-bit hash, which the caller computes, and by its bytes, which are compared once. The bytes stay in
// the lists of the schema's columns (NameList). Names are numbered in the order in which they are added. A slot of the
// table has 8 bytes, half of the hash and the number; slots are in the order of the hash, so that the table grows by
// one sequential copy. Memory: 27 to 38 bytes a name.
//
// One thread adds names. Others find those that were known when they took a Snapshot, at the same time: the numbers in
// a snapshot do not depend on what is added meanwhile.
//
// Thread-safety: `snapshot` and the use of snapshots are safe at any time; everything else belongs to one thread.
#pragma once

#include <algorithm>
#include <array>
#include <atomic>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <mutex>
#include <span>
#include <string_view>

#include "halfspace/stream/name_list.h"
#include "halfspace/stream/schema.h"

namespace halfspace::stream {

// A name that is looked up. Others have the same members.
struct NameKey {
  std::uint64_t hash;
  std::uint32_t column;
  std::string_view text;
  bool is(std::string_view stored) const { return stored == text; }
};

class KnownNames {
 public:
  static constexpr std::uint32_t none = 0xffffffff;

  struct Name {
    const char* text;  // in a NameList
    std::uint32_t column;
    std::uint32_t feature;
  };

 private:
  // Zeroed memory; the system may back it with huge pages.
  struct Release {
    void operator()(void* memory) const noexcept;
  };
  static void* zeroed(std::size_t bytes);

  using Slot = std::atomic<std::uint64_t>;  // half a hash, and 1 + a number; 0: free
  struct Table {
    explicit Table(unsigned bits)
        : shift(32 - bits),
          mask((std::size_t{1} << bits) - 1),
          slots(static_cast<Slot*>(zeroed((mask + 1) * sizeof(Slot)))) {}
    std::size_t home(std::uint64_t hash) const { return static_cast<std::size_t>(hash >> 32 >> shift); }
    unsigned shift;
    std::size_t mask;
    std::unique_ptr<Slot[], Release> slots;
  };

 public:
  // The names up to some number.
  class View {
   public:
    View() = default;
    const Name& operator[](std::uint32_t number) const { return names_->at(number); }

    void prefetch(std::uint64_t hash) const {
      if (table_ != nullptr) __builtin_prefetch(&table_->slots[table_->home(hash)]);
    }
    // Returns the number of a name, or none.
    template <class Key>
    std::uint32_t find(const Key& key) const {
      return count_ == 0 ? none : find_from(key, table_->home(key.hash));
    }
    // Finds key(0) to key(count - 1): the memory of several is fetched at a time.
    template <class KeyOf>
    void find_all(std::size_t count, const KeyOf& key, std::uint32_t* numbers) const;

   private:
    friend class KnownNames;
    View(const KnownNames* names, const Table* table, std::uint32_t count)
        : names_(names), table_(table), count_(count) {}

    // Returns the first slot from this one on that may have the name; its number is none if there is no such slot.
    std::size_t next_like(std::uint64_t hash, std::size_t at, std::uint32_t& number) const {
      for (;; at = (at + 1) & table_->mask) {
        const std::uint64_t slot = table_->slots[at].load(std::memory_order_relaxed);
        number = static_cast<std::uint32_t>(slot) - 1;
        if (slot == 0 || (slot >> 32 == hash >> 32 && number < count_)) return at;
      }
    }
    template <class Key>
    bool has(std::uint32_t number, const Key& key) const {
      const Name& name = names_->at(number);
      return name.column == key.column && key.is(NameList::stored_at(name.text));
    }
    template <class Key>
    std::uint32_t find_from(const Key& key, std::size_t at) const {
      for (;; at = (at + 1) & table_->mask) {
        std::uint32_t number = none;
        at = next_like(key.hash, at, number);
        if (number == none || has(number, key)) return number;
      }
    }

    const KnownNames* names_ = nullptr;
    const Table* table_ = nullptr;
    std::uint32_t count_ = 0;
  };

  class Snapshot : public View {
   public:
    Snapshot() = default;

   private:
    friend class KnownNames;
    Snapshot(const KnownNames* names, std::shared_ptr<const Table> table, std::uint32_t count)
        : View(names, table.get(), count), held_(std::move(table)) {}
    std::shared_ptr<const Table> held_;
  };

  // Forgets all names; there are no snapshots then.
  void clear();
  // Makes room for as many names; there are none yet.
  void reserve(std::size_t names);
  // Adds a name that is unknown; `stored` is its text in a list that outlives this.
  void insert(std::uint32_t column, std::string_view stored, std::uint32_t feature, std::uint64_t hash);
  // Makes all names visible in later snapshots.
  void publish();

  Snapshot snapshot() const;
  View view() const { return {this, table_.get(), count_}; }
  // Returns the feature of a name, or Column::no_feature.
  std::uint32_t feature(std::uint32_t column, std::uint64_t hash, std::string_view text) const {
    const std::uint32_t number = view().find(NameKey{hash, column, text});
    return number == none ? Column::no_feature : at(number).feature;
  }

 private:
  static constexpr unsigned first_bits = 6;  // of the first segment; each has twice the names of the one before

  static unsigned segment_of(std::uint64_t place) {
    return static_cast<unsigned>(std::bit_width(place)) - 1 - first_bits;
  }
  Name& at(std::uint32_t number) const {
    const std::uint64_t place = number + (std::uint64_t{1} << first_bits);
    const unsigned segment = segment_of(place);
    return segments_[segment][place - (std::uint64_t{1} << (segment + first_bits))];
  }
  void grow();
  static void put(Table& table, std::uint64_t slot);

  std::shared_ptr<Table> table_;  // at most three quarters full
  std::array<std::unique_ptr<Name[], Release>, 33 - first_bits> segments_;
  std::uint32_t count_ = 0;

  mutable std::mutex mutex_;  // guards what is published
  std::shared_ptr<const Table> published_table_;
  std::uint32_t published_count_ = 0;
};

template <class KeyOf>
void KnownNames::View::find_all(std::size_t count, const KeyOf& key, std::uint32_t* numbers) const {
  constexpr std::size_t batch = 32;
  if (count_ == 0) {
    std::fill_n(numbers, count, none);
    return;
  }
  std::array<std::size_t, batch> place;
  for (std::size_t begin = 0; begin < count; begin += batch, numbers += batch) {
    const std::size_t size = std::min(batch, count - begin);
    for (std::size_t i = 0; i < size; ++i) prefetch(key(begin + i).hash);
    for (std::size_t i = 0; i < size; ++i) {
      const std::uint64_t hash = key(begin + i).hash;
      place[i] = next_like(hash, table_->home(hash), numbers[i]);
      if (numbers[i] != none) __builtin_prefetch(&names_->at(numbers[i]));
    }
    for (std::size_t i = 0; i < size; ++i) {
      if (numbers[i] != none) __builtin_prefetch(names_->at(numbers[i]).text);
    }
    for (std::size_t i = 0; i < size; ++i) {
      if (numbers[i] == none) continue;
      const auto& wanted = key(begin + i);
      if (!has(numbers[i], wanted)) numbers[i] = find_from(wanted, (place[i] + 1) & table_->mask);
    }
  }
}

}  // namespace halfspace::stream
