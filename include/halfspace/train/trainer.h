// Trains block by block on the caller's rows: one pass, with a model at any time.
//
//   Reader reader(options.read);                 // or rows of the caller's own, in a BlockBuffer
//   Trainer trainer(options, reader.schema());
//   reader.read([&](const Block& block) { return trainer.learn(block); });
//   const TrainResult result = trainer.result(&reader);
//
//   const ArrayRows rows(array, labels);         // arrays of the caller (array_rows.h), not copied
//   Trainer trainer(options, rows.schema());
//   trainer.learn(rows);                         // repeat as rows arrive
//   save_model(trainer.model(), "so-far.model");
//
// Trains as train() does on a pipe: in the given order, in constant memory. The same rows and options give the same
// model, bit for bit, for any block sizes. Uses of `options.read` only on_note and class_weights; for a Block, whose
// reader has applied the class weights already, they are only recorded in the model. Keeps rows for the final report,
// up to `options.stream_memory`; with 0 the report has only the ledger. Any order but `stream`, several passes,
// normalize_columns, standard_columns and shuffle_sorted need all rows: Error(usage).
//
// Thread-safety: one thread. Ownership: copies the options and the schema; uses blocks only during the call.
#pragma once

#include <cstdint>
#include <memory>
#include <string>

#include "halfspace/stream/reader.h"
#include "halfspace/stream/row_source.h"
#include "halfspace/stream/table_text.h"
#include "halfspace/train/train.h"

namespace halfspace {

class Trainer {
 public:
  // `schema`: at least the labels; features grow with the rows. With options.resume the model's schema is used, and its
  // run continues with new rows even if it was interrupted. Throws Error as train() does.
  Trainer(TrainOptions options, Schema schema);
  ~Trainer();
  Trainer(Trainer&&) noexcept;
  Trainer& operator=(Trainer&&) noexcept;

  // Trains on rows that keep the invariants of a Block (kernels/example.h); row numbers ascend over all calls, and rows
  // without numbers are numbered in sequence. Returns false once a limit of the options is reached: the rest is
  // ignored. Throws Error(data) for a label that is not a class of the schema, or if the weights overflow.
  bool learn(const Block& block);

  // Trains on all rows of a source, numbered in sequence. Matches labels and columns to the model's by name, as for a
  // file, and applies class weights, row normalisation and float rounding. Throws Error as Reader does; after
  // Error(data) in the middle of the rows the model covers the blocks before, of up to 1,024 rows each.
  bool learn(const RowSource& rows);

  // Trains likewise on all rows of a table, whose new categories become features.
  bool learn(const TableText& table);

  // Adds a numeric column behind the others and returns its feature number. The schema must have named columns, and the
  // name be new. Throws Error(usage).
  std::uint32_t add_feature(const std::string& name);

  // Returns about how many bytes the learner of so many features takes at most, with all that is made of its weights; 0
  // for rules with support vectors.
  std::uint64_t memory_for(std::uint64_t features) const;

  // Returns the model as if the run ended here. Cost: O(weights).
  Model model() const;

  // Ends the run; call it once, and do not call learn() afterwards. `source`: the reader of the rows, whose schema may
  // have grown and whose fingerprint the model records; null for the caller's own rows.
  TrainResult result(const Reader* source = nullptr);

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace halfspace
