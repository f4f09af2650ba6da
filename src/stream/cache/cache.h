// The binary cache on disk: rows in the blocks that training uses, their schema, a checksum for each block and one for
// the rest (docs/formats/cache.md).
//
// A cache is memory-mapped: offsets, labels, weights, row numbers and values are used in place. What is not stored
// because it can be derived (indices of dense rows, squared norms) and what is packed (16-bit indices, decimals) is
// restored block by block; blocks also expose the packed form, for Rows to keep.
//
// Nothing in the file is trusted. Opening checks the frame and every field of the index before allocating by their
// values; every block is checked before use: its checksum, its offsets, indices in range and distinct within a row,
// finite values, labels that are classes, nonnegative weights, ascending row numbers. Truncating a file while it is
// mapped kills the process (SIGBUS): caches are replaced by renaming, never overwritten.
//
// Thread-safety: CacheWriter: one thread. Cache: as RowSource.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/atomic_file.h"
#include "halfspace/kernels/example.h"
#include "halfspace/stream/read_options.h"
#include "halfspace/stream/reader.h"
#include "halfspace/stream/row_source.h"
#include "halfspace/stream/schema.h"

namespace halfspace::stream {

// Returns whether the first bytes of a file are those of a cache.
bool recognise_cache(std::string_view first_bytes);

// The storage of a block's values; decimals are doubles (kernels/packed.h).
enum class CachedValues : std::uint8_t { ones = 0, float32 = 1, float64 = 2, decimal = 3 };

// The storage of a block's indices.
enum class IndexWidth : std::uint8_t { none = 0, bits16 = 1, bits32 = 2 };  // none: dense, they are 0 .. size-1

struct CachedBlock {
  std::uint64_t at = 0;  // offset in the file
  std::uint32_t rows = 0;
  std::uint64_t stored = 0;
  std::uint32_t features = 0;
  CachedValues value_type = CachedValues::ones;
  IndexWidth index_width = IndexWidth::bits32;
  bool weighted = false;
  std::uint64_t checksum = 0;  // XXH3-64 of its bytes, padding included
};

// Returns the number of bytes it takes in the file.
std::uint64_t bytes_of(const CachedBlock& block);

class CacheWriter {
 public:
  // Throws Error(input_output), as AtomicFile does.
  CacheWriter(const std::string& path, const std::atomic<bool>* interrupt);

  void append(const Block& block);
  // Commits the cache to its path.
  void commit(const Schema& schema, const ReadReport& report);

 private:
  void write_block();

  AtomicFile file_;
  BlockBuffer open_;
  std::vector<std::uint8_t> bytes_;
  std::vector<std::uint32_t> decimal_;
  std::vector<CachedBlock> blocks_;
  std::uint64_t at_ = 0;
};

class Cache final : public RowSource {
 public:
  // Throws Error: no_input, input_output, data (with the field or the block).
  explicit Cache(const std::string& path);
  ~Cache() override;
  Cache(const Cache&) = delete;
  Cache& operator=(const Cache&) = delete;

  const Schema& schema() const noexcept override { return schema_; }
  // Returns the report of reading the original text.
  const ReadReport& report() const noexcept { return report_; }
  std::uint64_t bytes() const noexcept { return size_; }
  std::uint64_t rows() const noexcept override { return report_.rows; }
  std::size_t blocks() const noexcept override { return blocks_.size(); }
  const CachedBlock& entry(std::size_t i) const noexcept { return blocks_[i]; }
  Block block(std::size_t i, SourceBuffer& buffer) const override;
  // Returns rows [from, to) of block i, at least one. Checks the checksum of the block, and only these rows.
  Block rows_of_block(std::size_t i, std::size_t from, std::size_t to, SourceBuffer& buffer) const;
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

// Some rows of a cache, as a source of blocks.
//
// Thread-safety: as RowSource.
class CacheParts final : public RowSource {
 public:
  // `parts`: at least one, in the order of rows. Throws Error(usage) for parts of several files, or with no rows of this
  // cache.
  CacheParts(std::shared_ptr<const Cache> cache, const std::vector<FilePart>& parts);

  const Schema& schema() const noexcept override { return cache_->schema(); }
  // Returns the number of rows: what else is known is known of all rows.
  const ReadReport& report() const noexcept { return report_; }
  std::uint64_t rows() const noexcept override { return report_.rows; }
  std::size_t blocks() const noexcept override { return pieces_.size(); }
  Block block(std::size_t i, SourceBuffer& buffer) const override;
  Mapping mapping() const override { return cache_->mapping(); }
  std::string name() const override { return cache_->name(); }
  Error unfit(std::string problem) const override { return cache_->unfit(std::move(problem)); }

 private:
  struct Piece {
    std::size_t block, begin, end;  // rows of the block
  };

  std::shared_ptr<const Cache> cache_;
  std::vector<Piece> pieces_;
  ReadReport report_;
};

}  // namespace halfspace::stream
