// The binary cache on disk: rows as the blocks that learning takes, the schema that says what they mean, a checksum for
// each block and one over the rest (docs/formats/cache.md).
//
// A cache is mapped, not read: offsets, labels, weights, row numbers and values are used where they lie. What is not
// stored because it follows (indices of dense rows, squared norms) and what is packed (indices in 16 bits, decimals) is
// made anew block by block; the packed form is shown with it, for Rows to keep.
//
// Nothing in the file is trusted. Opening checks the frame and every field of the index before anything is allocated
// after them; every block is checked before it is handed on: its checksum, its offsets, that indices are in range and
// distinct within a row, that values are finite, labels classes, weights not negative, row numbers ascending. A file
// that is shortened while it is mapped ends the process (the system's answer): caches are replaced by renaming, never
// written over.
//
// Thread-safety: CacheWriter: one thread. Cache: as a RowSource.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/atomic_file.h"
#include "halfspace/kernels/example.h"
#include "halfspace/stream/reader.h"
#include "halfspace/stream/row_source.h"
#include "halfspace/stream/schema.h"

namespace halfspace::stream {

// Tells whether these first bytes of a file are a cache's.
bool recognise_cache(std::string_view first_bytes);

// The storage of a block's values; decimals are doubles (kernels/packed.h).
enum class CachedValues : std::uint8_t { ones = 0, float32 = 1, float64 = 2, decimal = 3 };

// The storage of a block's indices.
enum class IndexWidth : std::uint8_t { none = 0, bits16 = 1, bits32 = 2 };  // none: dense, they are 0 .. size-1

struct CachedBlock {
  std::uint64_t at = 0;  // in the file
  std::uint32_t rows = 0;
  std::uint64_t stored = 0;
  std::uint32_t features = 0;
  CachedValues value_type = CachedValues::ones;
  IndexWidth index_width = IndexWidth::bits32;
  bool weighted = false;
  std::uint64_t checksum = 0;  // XXH3-64 of its bytes, padding included
};

// Returns how many bytes of the file it takes.
std::uint64_t bytes_of(const CachedBlock& block);

class CacheWriter {
 public:
  // Takes the schema as it is before the first row. Throws Error(input_output), as AtomicFile does.
  CacheWriter(const std::string& path, const Schema& schema, const std::atomic<bool>* interrupt);

  void append(const Block& block);
  // Makes the path hold the cache from here on.
  void commit(const Schema& schema, const ReadReport& report);

 private:
  void write_block();

  AtomicFile file_;
  std::uint32_t version_;
  BlockBuffer open_;
  std::vector<std::uint8_t> bytes_;
  std::vector<std::uint32_t> decimal_;
  std::vector<CachedBlock> blocks_;
  std::uint64_t at_ = 0;
};

class Cache final : public RowSource {
 public:
  // Throws Error: no_input, input_output, data (naming the field or the block).
  explicit Cache(const std::string& path);
  ~Cache() override;
  Cache(const Cache&) = delete;
  Cache& operator=(const Cache&) = delete;

  const Schema& schema() const noexcept override { return schema_; }
  // Returns what reading the text reported.
  const ReadReport& report() const noexcept { return report_; }
  std::uint64_t bytes() const noexcept { return size_; }
  std::uint64_t rows() const noexcept override { return report_.rows; }
  std::size_t blocks() const noexcept override { return blocks_.size(); }
  const CachedBlock& entry(std::size_t i) const noexcept { return blocks_[i]; }
  Block block(std::size_t i, SourceBuffer& buffer) const override;
  Mapping mapping() const override { return {nullptr, {std::as_bytes(std::span(base_, size_))}}; }
  std::string name() const override { return path_; }
  Error unfit(std::string problem) const override;

 private:
  void read_index();
  [[noreturn]] void refuse(const std::string& problem) const;

  std::string path_;
  const std::uint8_t* base_ = nullptr;
  std::size_t size_ = 0;
  Schema schema_;
  ReadReport report_;
  std::vector<CachedBlock> blocks_;
};

}  // namespace halfspace::stream
