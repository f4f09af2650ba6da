// Training block by block, on rows that the caller has: one pass, a model at any time.
//
//   Reader reader(options.read);                 // or rows of the caller's own, in a BlockBuffer
//   Trainer trainer(options, reader.schema());
//   reader.read([&](const Block& block) { return trainer.learn(block); });
//   const TrainResult result = trainer.result(&reader);
//
//   const ArrayRows rows(array, labels);         // arrays of the caller (array_rows.h), not copied
//   Trainer trainer(options, rows.schema());
//   trainer.learn(rows);                         // as often as rows come
//   save_model(trainer.model(), "so-far.model");
//
// Trains as train() does on a pipe: in the order given, in memory that does not grow with the rows. The same rows and
// options give the same model, bit for bit, whatever the blocks. Of `options.read` only on_note and class_weights are
// used; for the rows of a Block the latter are only recorded in the model: a Reader has applied them. Rows are kept for
// the report at the end, up to `options.stream_memory`; with 0 there is none but the ledger. Any order but
// `stream`, several passes, normalize_columns and shuffle_sorted need all rows, and are Error(usage).
//
// Thread-safety: one thread. Ownership: copies the options and the schema; blocks are used during the call alone.
#pragma once

#include <cstdint>
#include <memory>
#include <string>

#include "halfspace/stream/reader.h"
#include "halfspace/stream/row_source.h"
#include "halfspace/train/train.h"

namespace halfspace {

class Trainer {
 public:
  // `schema`: at least the labels; the features grow with the rows. With options.resume the model's schema is used, and
  // its run continues with new rows, also if it was interrupted. Throws Error as train() does.
  Trainer(TrainOptions options, Schema schema);
  ~Trainer();
  Trainer(Trainer&&) noexcept;
  Trainer& operator=(Trainer&&) noexcept;

  // Trains on rows that keep the invariants of a Block (kernels/example.h); row numbers ascend over all calls, and rows
  // without numbers are counted. Returns false once a limit of the options is reached: the rest is ignored.
  // Throws Error(data): a label that is no class of the schema, weights beyond the doubles.
  bool learn(const Block& block);

  // Trains on all rows of a source, numbered on from those before. Its labels and columns are matched to the model's by
  // name, as those of a file are, and class weights, normalisation by row and float values apply. Throws Error as Reader
  // does; Error(data) in the middle of the rows leaves a model of those before.
  bool learn(const RowSource& rows);

  // Adds a numeric column behind the others and returns its feature number. The schema must have named columns, and the
  // name be new. Throws Error(usage).
  std::uint32_t add_feature(const std::string& name);

  // Returns the model as if the run ended here. Cost: O(weights).
  Model model() const;

  // Ends the run; call it once, and learn() no more. `source`: the reader that the rows came from, whose schema may have
  // grown and whose fingerprint the model records; null for the caller's own rows.
  TrainResult result(const Reader* source = nullptr);

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace halfspace
