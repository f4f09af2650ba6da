// One pass, rows played as they come, in memory that does not grow with them.
//
// A small stream is kept whole, to be judged at the end. Of a longer one the rows that moved the weights are kept; where
// even they are too many, the mistakes so far get their bound and the rest begins anew: a segment.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "train/run.h"

namespace halfspace::training {

class StreamRun {
 public:
  StreamRun(Run& run, PlayedRows& played);

  // Throws Error(data) when a resumed run's data are not those that it was interrupted in. Notes when a run that ended goes
  // on.
  void play();
  // The same in parts, for rows that the caller gives: begin(), take() until it returns false, end(). `whole`: not ended by
  // the interrupt flag.
  void begin();
  bool take(const Block& whole);
  void end(bool whole);
  // Returns the model of a run that ends here.
  Model model() const;

 private:
  Block split(const Block& whole, std::size_t from);
  std::size_t play(const Block& block);
  void keep(const Block& block, std::size_t played);
  void keep_only_moved();
  void close_segment();
  void stop(Stopped why, const Block& whole, const Block& block, std::size_t played);
  void hand_out_checkpoint();
  void finish();
  std::size_t skip_taken(const Block& whole);
  void note_ended_run() const;
  Rows few_rows() const;
  Schema schema_so_far() const;

  Run& run_;
  PlayedRows& played_;
  const std::uint64_t skip_;    // rows of the source that were taken before the run was broken off
  const std::uint64_t offset_;  // rows of earlier sources
  std::uint64_t last_;          // number of the last row taken
  bool found_;                  // the last of the rows to skip was found, or there are none
  std::string last_row_;        // digest of the last row taken by this run
  Stopped stopped_ = Stopped::end;
  std::uint32_t seen_ = 0;            // features of the rows taken
  std::vector<std::uint32_t> moved_;  // positions in the block at hand
  BlockBuffer learned_, held_;
};

}  // namespace halfspace::training
