// Rows that are blocks already, and what they mean: what a Reader reads instead of text.
//
// Arrays of the caller (array_rows.h), rows built one by one (memory_data.h) and the binary cache are such sources; a new
// one derives from RowSource, and everything that reads data then reads it: train(), Folds, evaluate(), certify().
//
// Thread-safety: block() may be called from many threads, each with a buffer of its own. Ownership: a block points into
// the source and the buffer, and is valid while both are and the buffer is not used again.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "halfspace/base/error.h"
#include "halfspace/kernels/example.h"
#include "halfspace/stream/rows.h"
#include "halfspace/stream/schema.h"

namespace halfspace {

// Memory that a block needs besides its source; reused from block to block.
struct SourceBuffer {
  std::vector<std::uint64_t> offset, row;
  std::vector<std::uint32_t> index, order;
  std::vector<std::int32_t> label;
  std::vector<double> value, decimal, squared_norm;
  std::vector<float> narrow;
};

class RowSource {
 public:
  virtual ~RowSource() = default;

  // Returns the labels and the columns of all rows. Constant.
  virtual const Schema& schema() const = 0;
  // Tells whether the labels were given as texts, one a row, and nobody has said yet which of them are classes: then
  // they are checked as those of a file are.
  virtual bool labels_are_texts() const { return false; }
  // Tells whether rows have labels; those without are for prediction alone.
  virtual bool labelled() const { return true; }

  virtual std::uint64_t rows() const = 0;
  virtual std::size_t blocks() const = 0;
  // Checks block i, below blocks(), and returns it: at least one row, row numbers ascending over all blocks. Throws
  // Error(data) for values that break a Block's invariants (kernels/example.h).
  virtual Block block(std::size_t i, SourceBuffer& buffer) const = 0;
  // Tells whether quarter() shows less than a block.
  virtual bool has_quarters() const { return false; }
  // Returns quarter q of block i, which may have no rows: less to keep in a processor's cache between a check on one thread
  // and learning on another.
  virtual Block quarter(std::size_t i, std::size_t q, SourceBuffer& buffer) const {
    return q == 0 ? block(i, buffer) : Block();
  }
  // Returns the memory in which parts of blocks lie as long as the source does: such parts need not be copied.
  virtual Mapping mapping() const { return {}; }

  // Returns what errors call the source, such as a file's name.
  virtual std::string name() const { return "<memory>"; }
  // Returns an error that says why the rows do not fit a model, or are bad, and what to do.
  virtual Error unfit(std::string problem) const;

 protected:
  RowSource() = default;
  RowSource(const RowSource&) = default;
  RowSource& operator=(const RowSource&) = default;
};

// Writes the rows as text of which every number reads back as the same double, each with the fewest digits: CSV with a
// header where the columns have names, else LIBSVM with features from 1 on, zeros left out. Weights are not written. A
// certificate about rows in memory is one about this text. Writes the file atomically. Throws Error(usage): rows without
// labels, a label that LIBSVM cannot have; Error(data) as block() does; Error(input_output).
void write_text(const RowSource& source, const std::string& path);

}  // namespace halfspace
