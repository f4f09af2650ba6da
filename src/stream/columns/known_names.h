// The dictionary of a pass: maps each name in the columns of a schema to its feature (categories, tokens, features of
// Vowpal Wabbit text).
//
// Finds a name by a 64-bit hash, which the caller computes, and by its bytes, which are compared once. A slot of the
// table has 16 bytes: half of the hash, the feature, the column, and the name itself if it has at most six bytes, so
// that one cache miss finds it; the bytes of longer names stay in the lists of the schema's columns (NameList). The
// table has parts by hash, which grow by half, each at another time, by one sequential copy: slots are in the order of
// the hash. Memory: 21 to 32 bytes a name, 27 on average.
//
// One thread adds names, with ascending features once some are published. Others find those that were known when they
// took a Snapshot, at the same time: what is in a snapshot does not depend on what is added meanwhile.
//
// Thread-safety: `snapshot` and the use of snapshots are safe at any time; everything else belongs to one thread.
#pragma once

#include <algorithm>
#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <memory>
#include <mutex>
#include <string_view>
#include <type_traits>
#include <utility>

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
      if (limit_ == 0) return;
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
  // Makes all names visible in later snapshots.
  void publish();

  Snapshot snapshot() const;
  View view() const { return {table_.get(), limit_}; }
  // Returns the feature of a name, or none.
  std::uint32_t feature(std::uint32_t column, std::uint64_t hash, std::string_view text) const {
    return view().find(NameKey{hash, column, text});
  }
  // Returns the slots of all parts, for tests of what memory is used.
  std::size_t slots() const;

 private:
  std::uint64_t word_of(std::uint32_t column, std::string_view stored);
  void grow(std::size_t part);
  static void put(const Part& part, std::uint64_t head, std::uint64_t name);

  std::shared_ptr<Table> table_;
  std::array<std::size_t, parts> used_{};
  std::deque<Wide> wide_;
  std::uint32_t limit_ = 0;

  mutable std::mutex mutex_;  // guards what is published
  std::shared_ptr<const Table> published_;
  std::uint32_t published_limit_ = 0;
};

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

}  // namespace halfspace::stream
