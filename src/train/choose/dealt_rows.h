// The rows of a validation, each with its fold.
//
// Thread-safety: as any value's.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "halfspace/stream/survey.h"
#include "halfspace/train/folds.h"
#include "halfspace/train/train.h"
#include "train/metrics/row_counts.h"

namespace halfspace::training {

struct DealtRows {
  // `racing`: tolerates small classes and failing candidates. The options must outlive the object.
  DealtRows(const TrainOptions& its_options, bool is_racing)
      : options(its_options), rows(its_options.memory), racing(is_racing) {}

  // Reads the rows and deals those of each class over `count` folds; 0: the rows held out are the one fold. Throws
  // Error(usage) for folds that the data cannot fill.
  void read(unsigned count);
  // Reads the rows, but no further than `most` values, and deals none.
  void read_some(std::uint64_t most) { read_rows(false, most); }
  // Deals the rows; of a race, numbers their features anew, from then on.
  void deal(unsigned count);
  // Throws Error(usage) for folds that the data cannot fill.
  void check_fills(unsigned count) const;
  // Reads the rows to train on, and a test set, the one fold.
  void read_with_test(const ReadOptions& test);
  std::vector<std::vector<std::uint32_t>> rows_of_classes() const;
  void stop_if_interrupted() const;

  const TrainOptions& options;
  Schema schema;
  Survey label_runs{{.rows = 0}};  // of all rows
  Rows rows;
  bool racing;
  std::vector<std::uint32_t> fold;  // of every row; Folds::kNeverValidated: of none
  std::vector<std::uint64_t> sizes;
  std::string fingerprint;  // of the data
  TableSize size;
  RowCounts counts;

 private:
  void leave_out_unused();
  void read_rows(bool keeps, std::uint64_t most = UINT64_MAX);
};

}  // namespace halfspace::training
