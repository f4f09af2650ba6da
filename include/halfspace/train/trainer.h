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
// What train() does with a pipe: rows are learned in the order given, in memory that does not grow with their number. The same
// rows and options give the same model, bit for bit, whatever the blocks. `options.read` is not used, apart from class_weights;
// an order other than `stream`, passes, normalize_columns and shuffle_sorted need all rows, and are Error(usage).
//
// Thread-safety: one thread. Ownership: copies the options and the schema; blocks are used during the call alone.
#pragma once

#include <memory>

#include "halfspace/stream/reader.h"
#include "halfspace/train/train.h"

namespace halfspace {

class Trainer {
 public:
  // `schema`: the labels, at least, and what is known of the features. With options.resume the model's are used, and its
  // run goes on with rows it has not had. Throws Error as train() does.
  Trainer(TrainOptions options, Schema schema);
  ~Trainer();
  Trainer(Trainer&&) noexcept;
  Trainer& operator=(Trainer&&) noexcept;

  // Learns from rows, whose labels are numbers of the schema's classes and whose row numbers ascend over all calls; without
  // numbers they are counted on. Returns false once a limit of the options is reached: nothing more is learned.
  // Throws Error(data): a label without a class, weights beyond the doubles.
  bool learn(const Block& block);

  // Returns the model of the rows so far: what a run that ended here would resume from. Cost: O(weights).
  Model model() const;

  // Ends the run. `source`: the reader that the rows came from, whose schema may have grown, and whose fingerprint the model
  // notes; null for rows of the caller's. Call it once; nothing can be learned afterwards.
  TrainResult result(const Reader* source = nullptr);

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace halfspace
