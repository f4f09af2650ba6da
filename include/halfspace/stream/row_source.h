// Rows that are blocks already, with their schema: an alternative to text for a Reader.
//
// The caller's arrays (array_rows.h), rows built one by one (memory_data.h) and the binary cache are such sources.
// Whatever derives from RowSource works wherever data are read: train(), Folds, evaluate(), certify().
//
// Thread-safety: block() may be called from many threads, each with its own buffer. Ownership: a block points into the
// source and the buffer, and is valid until either dies or the buffer is reused.
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

// Scratch memory of a block; reused from block to block.
struct SourceBuffer {
  std::vector<std::uint64_t> offset, row;
  std::vector<std::uint32_t> index, order;
  std::vector<std::int32_t> label;
  std::vector<double> value, decimal, squared_norm, weight;
  std::vector<float> narrow;
};

class RowSource {
 public:
  virtual ~RowSource() = default;

  // Returns the labels and the columns of all rows. Constant.
  virtual const Schema& schema() const = 0;
  // Returns whether the labels are texts, one a row, whose classes are still to be decided: they are then inferred and
  // checked as in a file.
  virtual bool labels_are_texts() const { return false; }
  // Returns whether rows have labels; rows without are for prediction only.
  virtual bool labelled() const { return true; }

  // Returns the number of columns of a matrix; 0 if rows have no fixed width.
  virtual std::uint32_t width() const { return 0; }
  virtual std::uint64_t rows() const = 0;
  virtual std::size_t blocks() const = 0;
  // Checks and returns block i, i < blocks(): at least one row, row numbers ascending over all blocks. Throws
  // Error(data) for values that break a Block's invariants (kernels/example.h).
  virtual Block block(std::size_t i, SourceBuffer& buffer) const = 0;
  // Returns whether quarter() returns less than a block.
  virtual bool has_quarters() const { return false; }
  // Returns quarter q of block i, which may be empty: small enough to stay in a processor's cache between the check on
  // one thread and training on another.
  virtual Block quarter(std::size_t i, std::size_t q, SourceBuffer& buffer) const {
    return q == 0 ? block(i, buffer) : Block();
  }
  // Returns the memory that parts of blocks point into and that lasts as long as the source: such parts need not be
  // copied.
  virtual Mapping mapping() const { return {}; }

  // Returns the name of the source in errors, such as a file's.
  virtual std::string name() const { return "<memory>"; }
  // Returns an error with the reason why the rows are bad or do not fit a model, and a fix.
  virtual Error unfit(std::string problem) const;

 protected:
  RowSource() = default;
  RowSource(const RowSource&) = default;
  RowSource& operator=(const RowSource&) = default;
};

// Writes the rows as text whose numbers parse to the same doubles, each with the fewest digits: CSV with a header if
// the columns have names, else LIBSVM with features from 1, without zeros. Does not write weights. A certificate about
// rows in memory is about this text. Writes the file atomically. Throws Error(usage) for rows without labels or a label
// that LIBSVM does not support; Error(data) as block() does; Error(input_output).
void write_text(const RowSource& source, const std::string& path);

}  // namespace halfspace
