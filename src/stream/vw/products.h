// Products of namespaces: each is two or three feature numbers, which no text need be made for.
//
// PairTable maps pairs of numbers to numbers, exactly. Its buckets are cache lines of five pairs, so that a product is
// found by one access to memory; they are in the order of the hash, so that a table grows by one sequential copy.
// Memory: 16 to 24 bytes a pair. A triple is a pair of a pair's number and a feature.
//
// Thread-safety: one thread adds products to KnownProducts; others find those that were known when they took a
// Snapshot, at the same time. ChunkProducts: one thread per object.
#pragma once

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <mutex>
#include <span>
#include <string>
#include <vector>

#include "halfspace/stream/schema.h"

namespace halfspace::stream {

// The factors of a product; the third is 0 in pairs.
using Factors = std::array<std::uint32_t, 3>;

class PairTable {
 public:
  static constexpr std::uint32_t none = Column::no_feature;

  explicit PairTable(std::size_t pairs);
  PairTable(const PairTable&) = delete;
  PairTable& operator=(const PairTable&) = delete;

  // Returns the number of a pair, if that is below the bound; or none.
  std::uint32_t find(std::uint32_t first, std::uint32_t second, std::uint32_t bound) const;
  void prefetch(std::uint32_t first, std::uint32_t second) const;

  bool full() const { return count_ == most_; }
  // Adds a pair that is unknown to a table that is not full.
  void insert(std::uint32_t first, std::uint32_t second, std::uint32_t number);
  // Returns a larger table with the same pairs.
  std::shared_ptr<PairTable> grown() const;

 private:
  static constexpr std::size_t ways = 5;
  struct alignas(64) Bucket {
    std::array<std::atomic<std::uint64_t>, ways> key;  // 1 + the pair; 0: free, and so are the rest
    std::array<std::atomic<std::uint32_t>, ways> number;
  };
  static std::uint64_t key_of(std::uint32_t first, std::uint32_t second) {
    return (std::uint64_t{first} << 32 | second) + 1;
  }
  std::size_t home(std::uint64_t key) const;
  void put(std::uint64_t key, std::uint32_t number);

  std::size_t size_;  // of buckets
  std::size_t most_;  // pairs
  std::size_t count_ = 0;
  std::unique_ptr<Bucket[]> buckets_;
};

// The products of a pass, by product column as its index in the list of products.
class KnownProducts {
  struct Tables {
    std::shared_ptr<PairTable> outer;  // features
    std::shared_ptr<PairTable> inner;  // of triples: numbers of the first two factors
    std::uint32_t inners = 0;
    bool triples = false;
  };

 public:
  class View {
   public:
    // Returns the feature of a product, or Column::no_feature.
    std::uint32_t find(std::size_t product, const Factors& factors) const;
    void prefetch(std::size_t product, const Factors& factors) const;

   private:
    friend class KnownProducts;
    std::span<const Tables> tables_;
    std::uint32_t features_ = 0;  // those below are known
  };
  class Snapshot : public View {
   public:
    Snapshot() = default;
    Snapshot(Snapshot&&) = default;
    Snapshot& operator=(Snapshot&&) = default;

   private:
    friend class KnownProducts;
    std::vector<Tables> held_;
  };

  // Begins with those of a schema's columns of products, in their order. There are no snapshots then.
  void know(const Schema& schema);
  // Adds a column with as many factors, without products but with room for as many. Returns its index.
  std::size_t add_column(std::size_t factors, std::size_t products);
  // Adds a product that is unknown.
  void insert(std::size_t product, const Factors& factors, std::uint32_t feature);
  // Makes products with features below this one visible in later snapshots. Columns are in those that are taken after.
  void publish(std::uint32_t features);

  Snapshot snapshot() const;
  View view() const;

 private:
  std::vector<Tables> tables_;
  mutable std::mutex mutex_;  // guards what is published
  std::vector<Tables> published_;
  std::uint32_t published_features_ = 0;
};

// The products of a chunk that the pass does not know yet. A factor is a feature or a provisional number.
class ChunkProducts {
 public:
  struct Entry {
    Factors factors;
    std::uint32_t product;
    bool operator==(const Entry&) const = default;
  };

  void clear();
  // Returns the number of a product; new ones get the next.
  std::uint32_t find_or_insert(const Entry& entry);
  const std::vector<Entry>& entries() const { return entries_; }

 private:
  static std::uint64_t hash_of_entry(const Entry& entry);
  void grow();

  std::vector<Entry> entries_;
  std::vector<std::uint64_t> slots_;  // half a hash, and 1 + a number; 0: free. A power of two, at most half full.
};

// Returns the factors of a column's product.
Factors factors_of(const Column& column, std::size_t k);

// Adds a product to a column.
void add_product(Column& column, const Factors& factors, std::uint32_t feature);

// Returns whether a column multiplies namespaces.
bool multiplies(const Schema& schema, const Column& column);

// Returns whether a schema has products of namespaces.
bool has_products(const Schema& schema);

// Returns what is wrong with the products of a schema, or an empty string. Each is of features before its own, one of
// each namespace that its column multiplies, and no two are alike; every feature is that of one name or product.
std::string check_products(const Schema& schema);

}  // namespace halfspace::stream
