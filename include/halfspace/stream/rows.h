// Rows kept for several passes: in memory within the budget, else in a memory-mapped temporary file.
//
// Rows stores its input bit for bit, in blocks of `block_rows` rows (the last may be shorter), whatever the sizes of
// the incoming blocks. Row i of the collection is row i % block_rows of block i / block_rows.
//
// Packed, rows take half the memory or less: indices below 65536 take 16 bits, those of dense rows follow from their
// positions, doubles that are short decimals take 32 bits. Rows are unpacked one by one as they are visited, which
// takes no longer than loading them unpacked from memory.
//
// Thread-safety: append from one thread; afterwards any number may read. Ownership: owns its memory and its temporary
// file, which is unlinked at once, so that nothing remains however the process ends; shares what it borrows. Blocks are
// views: the next append invalidates them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "halfspace/kernels/example.h"

namespace halfspace {

struct RowsOptions {
  std::uint64_t memory = std::uint64_t{1} << 30;  // bytes; beyond it blocks go to the temporary file
  std::string folder;                             // for the temporary file; empty: /tmp
  bool packed = false;                            // compress where possible: read with Block::plain or an UnpackBuffer
};

// Memory that does not change: that of a mapped file, while it has an owner, or the caller's arrays.
struct Mapping {
  std::shared_ptr<const void> owner{};
  std::vector<std::span<const std::byte>> bytes{};
};

class Rows {
 public:
  static constexpr std::size_t block_rows = 4096;

  explicit Rows(RowsOptions options = {});
  ~Rows();
  Rows(Rows&&) noexcept;
  Rows& operator=(Rows&&) noexcept;

  // Lets whole blocks appended from now on point into this memory instead of being copied.
  void borrow(Mapping mapping);
  // Appends rows of blocks with indices and values.
  void append(const Block& block);                 // copies all rows
  void append(const Block& block, std::size_t i);  // copies row i
  // Removes all rows, and keeps the memory.
  void clear();
  // Ends appending: closes the last block and maps a spilled part. Idempotent; append may follow.
  void seal();

  std::uint64_t size() const noexcept;
  std::uint64_t bytes() const noexcept;  // in memory and in the file, without borrowed memory
  bool spilled() const noexcept;
  std::uint32_t features() const noexcept;
  std::size_t blocks() const noexcept;
  Block block(std::size_t i) const;  // sealed only; packed or not
  // Hints that block i is not needed for now: its pages of the temporary file may be dropped. It can still be read.
  void release(std::size_t i) const noexcept;

  // Prefetch row i: first the location of its data, then, some rows later, the data.
  void fetch_place(std::uint64_t i) const { block(i / block_rows).fetch_place(i % block_rows); }
  void fetch(std::uint64_t i) const { block(i / block_rows).fetch(i % block_rows); }

  // Calls f(example) for row i of the collection, 0-based; the example is valid until `room` is reused.
  template <class F>
  decltype(auto) with_row(std::uint64_t i, UnpackBuffer& room, F&& f) const {
    return block(i / block_rows).with_example(i % block_rows, room, static_cast<F&&>(f));
  }
  // Reads from unpacked rows.
  template <class F>
  decltype(auto) with_row(std::uint64_t i, F&& f) const {
    return block(i / block_rows).with_example(i % block_rows, static_cast<F&&>(f));
  }

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace halfspace
