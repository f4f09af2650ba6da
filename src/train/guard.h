// What is handed out after one pass is never the weights of a bad moment.
//
// The weights at the end of a stream follow its last rows: a column that counts rows, classes in runs, or one outlier can
// make them worse on the rows before than saying always the same class. So a sample of the rows, evenly spread over the
// stream, judges them at the end, beside the means of the learner's members over all rounds, and the most frequent
// class. Others are handed out where they are better by more than chance explains. The learner itself goes on as it was.
//
// Rows of the sample were learned from, as all others: it finds what fails, and is no estimate of the error.
// Memory: at most `most_rows` rows and about `most_bytes`. Nothing is stored in a model: whoever takes a stream up again
// reads its first rows again.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "halfspace/game/learner.h"
#include "halfspace/stream/rows.h"
#include "halfspace/train/model.h"

namespace halfspace::training {

class Guard {
 public:
  static constexpr std::uint64_t most_rows = 2000, most_bytes = std::uint64_t{4} << 20;

  // Takes a row of the stream.
  void see(const Block& block, std::size_t i);

  struct Better {
    ClassWeightVector weights;
    std::uint64_t rows = 0, errors = 0, errors_before = 0;  // on the sample
    bool constant = false;                                  // it says one class always
  };
  // Returns weights that are clearly better than the model's; empty where none are.
  std::optional<Better> better(const Model& model, const Learner& learner);

 private:
  void thin();

  Rows sample_{RowsOptions{UINT64_MAX, {}}};
  std::uint64_t seen_ = 0, stride_ = 1;
};

}  // namespace halfspace::training
