// Training block by block, on rows that the caller has: one pass, a model at any time.
//
//   Reader reader(options.read);                 // or rows of the caller's own, in a BlockBuffer
//   Trainer trainer(options, reader.schema());
//   reader.read([&](const Block& block) { return trainer.learn(block); });
//   const TrainResult result = trainer.result(&reader);
//
//   Schema schema;                               // rows in memory: two classes, features 0, 1, ...
//   schema.labels.names = {"no", "yes"};
//   Trainer trainer(options, schema);
//   trainer.learn(rows.finish());                // as often as rows come
//   save_model(trainer.model(), "so-far.model");
//
// Trains as train() does on a pipe: in the order given, in memory that does not grow with the rows. The same rows and
// options give the same model, bit for bit, whatever the blocks. Of `options.read` only on_note and class_weights are
// used, and the latter only recorded in the model: a Reader has applied them to the weights of its rows. Any order but
// `stream`, several passes, normalize_columns and shuffle_sorted need all rows, and are Error(usage).
//
// Thread-safety: one thread. Ownership: copies the options and the schema; blocks are used during the call alone.
#pragma once

#include <memory>

#include "halfspace/stream/reader.h"
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
