// Checks the weights at the end of one pass against a sample of the whole stream.
//
// The final weights follow the last rows: with a row-number column, with classes in runs or after an outlier they can be
// worse on earlier rows than a constant prediction. A sample, drawn by a hash of the row numbers, compares them with the
// learner's alternatives (the average of each member) and with the most frequent class. If labels come in runs, one half
// of the sample also compares them with what the rule learns from the other half in random order: nothing else helps if
// the stream is sorted by class. The best of these becomes the model if it errs on fewer rows by three standard errors
// (McNemar). The learner itself is unchanged.
//
// The world may have changed since the first rows: then the final weights are right to err on them. They stay if they
// err on no more rows of the last eighth of the stream than the substitute, or if the substitute errs on more rows of a
// shorter end, by a standard error. Where labels come in runs the final weights know the last rows too well to be compared
// like that: they stay if the substitute errs on more rows of an end by two standard errors, as long as the end has both,
// or several, classes.
//
// The sample rows were trained on, so their error finds failures and estimates nothing.
// Memory: at most most_rows rows and about most_bytes. Models do not store the sample: resuming an interrupted stream
// reads its first rows again and samples the same ones.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "halfspace/game/learner.h"
#include "halfspace/stream/rows.h"
#include "halfspace/train/model.h"
#include "halfspace/train/train.h"

namespace halfspace::training {

class Guard {
 public:
  static constexpr std::uint64_t most_rows = 2000, most_bytes = std::uint64_t{4} << 20;

  // Offers row i of the block, the next row of the stream.
  void see(const Block& block, std::size_t i);

  struct Better {
    ClassWeightVector weights;
    Guarded report;
  };
  // Returns weights that err on clearly fewer sample rows than the model's; empty if there are none.
  std::optional<Better> better(const Model& model, const Learner& learner);

 private:
  void thin();
  // Returns the sample rows whose hash has this bit set, or not set.
  Rows with_bit(int bit, bool set) const;
  // Returns of each of these rows whether it is in the last of `parts` equal parts of the stream.
  std::vector<bool> at_end(const Rows& rows, std::uint64_t parts) const;
  // Returns whether a substitute that is wrong on some of these rows is worse at the end of the stream than the weights.
  bool spoils_the_end(const Rows& rows, const std::vector<bool>& own, const std::vector<bool>& wrong, bool runs) const;

  Rows sample_{RowsOptions{UINT64_MAX, {}}};
  std::uint64_t first_ = 0, last_ = 0;  // numbers of the first and the last row offered
  int halved_ = 0;                      // the sample holds rows whose hash ends in this many zero bits
};

}  // namespace halfspace::training
