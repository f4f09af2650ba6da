// Rows kept for more than one pass: in memory while they fit the budget, else in a temporary file that is mapped.
//
// Rows holds what it was given bit for bit, in blocks of `block_rows` rows (the last may be shorter), whatever the
// sizes of the blocks that came in. Row i of the collection is row i % block_rows of block i / block_rows.
//
// Packed, rows take half the memory or less: indices below 65536 have 16 bits, those of dense rows follow from their
// places, doubles that are short decimals have 32 bits. Such rows are unpacked one by one as they are met, which takes
// no longer than it takes memory to give them at full length.
//
// Thread-safety: append from one thread; afterwards any number may read. Ownership: owns its memory and its temporary
// file, which has no name, so that nothing is left behind however the process ends; shares what it borrows. Blocks are
// views of it: they end with the next append, and with it.
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
  bool packed = false;                            // pack what can be: Block::plain, or rows met with an UnpackBuffer
};

// Memory that stays as it is: that of a mapped file, while it has an owner, or the caller's arrays.
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

  // Makes whole blocks that come from now on leave in this memory what they have there: it is not copied.
  void borrow(Mapping mapping);
  // Appends rows of blocks that have their indices and values.
  void append(const Block& block);                 // copies all rows
  void append(const Block& block, std::size_t i);  // copies row i
  // Forgets all rows, and keeps room for others.
  void clear();
  // Ends appending: the last block is closed and a spilled part is mapped. Idempotent; append may follow.
  void seal();

  std::uint64_t size() const noexcept;
  std::uint64_t bytes() const noexcept;  // held, in memory and in the file; not what is borrowed
  bool spilled() const noexcept;
  std::uint32_t features() const noexcept;
  std::size_t blocks() const noexcept;
  Block block(std::size_t i) const;  // sealed only; packed or not
  // Tells that block i is not needed for now: where it lies in the temporary file, its memory may go. It may be asked
  // for again.
  void release(std::size_t i) const noexcept;

  // Ask for the bytes of row i: where it lies, and some rows later what is there.
  void fetch_place(std::uint64_t i) const { block(i / block_rows).fetch_place(i % block_rows); }
  void fetch(std::uint64_t i) const { block(i / block_rows).fetch(i % block_rows); }

  // Calls f(example) for row i of the collection, 0-based; the example is valid until `room` is used again.
  template <class F>
  decltype(auto) with_row(std::uint64_t i, UnpackBuffer& room, F&& f) const {
    return block(i / block_rows).with_example(i % block_rows, room, static_cast<F&&>(f));
  }
  // Reads from rows that are not packed.
  template <class F>
  decltype(auto) with_row(std::uint64_t i, F&& f) const {
    return block(i / block_rows).with_example(i % block_rows, static_cast<F&&>(f));
  }

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace halfspace
